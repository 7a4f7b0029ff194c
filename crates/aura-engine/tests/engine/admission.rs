//! What becomes of blocks: the worked values of admission, from real blocks.

use crate::setup::{evidence, memory_engine, session};
use aura_core::{
    ArtifactHandle, Block, BlockKind, BlockRef, CandidateRecord, CompiledContext, ContextPolicy,
    Fate, Payload, PolicyProposal, Principal, Reason, Stage, Timestamp, ToolOutput, Trust,
};
use aura_engine::ContextRequest;

/// The clock of the engine, in milliseconds.
const NOW: i64 = 1_700_000_000_000;

fn block(id: &str, text: &str, authority: u8, days: f64) -> Block {
    let mut block = Block::evidence(id, text).unwrap();
    block.source = Some(format!("https://example.org/{id}"));
    block.authority = authority;
    block.observed_at = Some(Timestamp::from_millis_clamped(
        NOW - (days * 86_400_000.0) as i64,
    ));
    block
}

fn record<'c>(context: &'c CompiledContext, id: &str) -> &'c CandidateRecord {
    let block: BlockRef = format!("block:{id}").parse().unwrap();
    context.manifest.candidate(&block).unwrap()
}

/// The rule in force, short and to the point.
const RULE: &str = "Refund period for lamps that are defective: 30 days. Defective lamps bring a full refund; the period \
    begins once lamps were delivered, and each refund asks for a receipt. No lamps, no refund. Other lamps have their own period.";

/// A contract whose 17th clause answers the question.
fn contract() -> String {
    let clause = |n: usize| {
        match n {
        17 => "Clause 17. The refund period of the buyer of defective lamps begins with the delivery of the lamps; the \
            refund period for lamps whose defect was hidden, so called hidden defects, ends later. Where goods arrive in \
            several parcels, time runs from whichever came last; weekends count, public holidays do not, nor does any day on \
            which our office stays closed.\n"
            .to_owned(),
        _ => format!(
            "Clause {n}. Party P{} notifies Q{} of event {} by letter {} at address {}.\n",
            n * 7 + 1,
            n * 11 + 2,
            n * 13 + 3,
            n * 17 + 4,
            n * 19 + 5
        ),
    }
    };
    (1..60).map(clause).collect()
}

/// A failed call with a long stack.
fn failure() -> Block {
    let frames: String = (0..60)
        .map(|n| format!("    at com.example.step{n}.Handler.apply(Handler.java:{n})\n"))
        .collect();
    let text = format!(
        "RefundException: no answer from the ledger\n{frames}Caused by: LedgerTimeout: each refund asks for a receipt, \
        the period is over, retry later\n{frames}"
    );
    let mut block = block("failure", "", 4, 0.0);
    block.kind = BlockKind::ToolResult;
    block.payload = Payload::ToolResult(ToolOutput {
        tool: "refund".into(),
        is_error: true,
        text,
    });
    block
}

/// A log that says nearly the same again and again.
fn log() -> String {
    let line = |n: usize| {
        let seen = if n.is_multiple_of(10) {
            "lamps off"
        } else {
            "all quiet"
        };
        format!(
            "worker heartbeat ok queue empty nothing to do sleeping until next tick of the timer, {seen}, pass {}\n",
            n * n
        )
    };
    (0..150).map(line).collect()
}

/// What the user said already, in the newest turn.
fn told() -> String {
    let items = [
        "two brass lights for the hall",
        "a green shade for the study",
        "cables of three metres each",
        "bulbs with a warm tone",
        "a dimmer that works with all of them",
        "brackets for the wall above the desk",
    ];
    let mut text = String::from("For the period of the move I ordered lamps and more: ");
    for item in items {
        text.push_str(item);
        text.push_str(", which should arrive before Friday at noon; ");
    }
    text + "please keep the list."
}

#[test]
fn the_worked_values_and_decisions_arise_from_blocks() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    engine
        .record_exchange(&me, &chat, &told(), "Noted.")
        .unwrap();
    let mut rule = block("rule", RULE, 5, 0.0);
    rule.importance = Some(5);
    rule.trust = Trust::Verified;
    let mut clause = block("contract", &contract(), 5, 9.66);
    clause.importance = Some(4);
    let mut noise = block("log", &log(), 3, 69.66);
    noise.importance = Some(1);
    noise.kind = BlockKind::ToolResult;
    let mut copy = block("copy", &told(), 2, 39.66);
    copy.importance = Some(1);
    let mut request = ContextRequest::ask("What is the refund period for defective lamps?");
    request.blocks = vec![copy, noise, failure(), clause, rule];
    let context = engine.build_context(&me, &chat, &request).unwrap();
    let table = [
        ("rule", [5, 5, 5, 5, 0, 1], Fate::Selected, Reason::Given),
        (
            "contract",
            [5, 5, 4, 4, 0, 2],
            Fate::Selected,
            Reason::Fragment,
        ),
        (
            "failure",
            [4, 4, 5, 5, 1, 1],
            Fate::Selected,
            Reason::ErrorAndCause,
        ),
        (
            "log",
            [1, 3, 1, 1, 4, 5],
            Fate::ReplacedByHandle,
            Reason::Verbose,
        ),
        (
            "copy",
            [2, 2, 2, 1, 5, 2],
            Fate::Rejected,
            Reason::NearDuplicate,
        ),
    ];
    for (id, row, fate, reason) in table {
        let record = record(&context, id);
        let inputs = record.scores.admission.unwrap();
        assert_eq!(
            inputs.map(|input| input.round() as i32),
            row,
            "{id}: {inputs:?}"
        );
        assert_eq!(
            (record.fate, record.stage, record.reason),
            (fate, Stage::Admit, reason),
            "{id}"
        );
    }
    let shown = evidence(&context);
    assert!(shown.contains(RULE));
    assert!(shown.contains("Clause 17.") && !shown.contains("Clause 40.") && shown.contains("[…]"));
    assert!(shown.contains("RefundException: no answer"));
    assert!(shown.contains("Caused by: LedgerTimeout") && !shown.contains("Handler.java"));
    assert!(!shown.contains("heartbeat"));
    // What handles stand for can be read.
    let (log, trace) = (log(), failure().text().unwrap().to_owned());
    let mut handles = 0;
    for rest in shown.split("[kept as ").skip(1) {
        let handle: ArtifactHandle = rest.split(']').next().unwrap().parse().unwrap();
        let bytes = engine.read_artifact(&me, &handle).unwrap();
        assert!(bytes == log.as_bytes() || bytes == trace.as_bytes());
        let other = Principal::of_tenant("other").unwrap();
        assert!(engine.read_artifact(&other, &handle).is_err());
        handles += 1;
    }
    assert_eq!(handles, 2);
    assert!(context.manifest.over_budget.is_none() && !context.manifest.read_only);
}

#[test]
fn the_weights_of_the_policy_decide() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let ask = |weights: &str| {
        let policy = format!(r#"{{"token_budget":260,"weights":{weights}}}"#);
        let mut request = ContextRequest::ask("refund period of lamps?")
            .with_policy(ContextPolicy::from_json(policy.as_bytes()).unwrap());
        let filler = "and so on with many other words of no weight at all ".repeat(6);
        request.blocks = vec![
            block(
                "match",
                &format!("Refund period of lamps {filler}"),
                0,
                900.0,
            ),
            block(
                "chief",
                &format!("Lunch is at noon {filler}today"),
                5,
                900.0,
            ),
            block("news", &format!("It rains outside {filler}again"), 0, 0.0),
        ];
        let context = engine.build_context(&me, &chat, &request).unwrap();
        let stands = |id: &&str| record(&context, id).fate == Fate::Selected;
        ["match", "chief", "news"]
            .into_iter()
            .filter(stands)
            .collect::<Vec<_>>()
    };
    assert_eq!(ask("[2,0,0,0,0,0]"), ["match"]);
    assert_eq!(ask("[0,2,0,0,0,0]"), ["chief"]);
    assert_eq!(ask("[0,0,2,0,0,0]"), ["news"]);
    assert!(ask("[0,0,0,0,1,1]").is_empty(), "nothing is worth its cost");
}

const DOCUMENT: &str = include_str!("../../../../docs/blocks.md");

#[test]
fn the_table_of_the_document_adds_up() {
    let weights = ContextPolicy::default().weights;
    let rows = DOCUMENT.lines().filter_map(|line| {
        let cells: Vec<&str> = line.split('|').map(str::trim).collect();
        let numbers: Vec<f32> = cells.iter().filter_map(|cell| cell.parse().ok()).collect();
        (numbers.len() == 7).then_some(numbers)
    });
    let mut seen = Vec::new();
    for row in rows {
        let signs = [1.0, 1.0, 1.0, 1.0, -1.0, -1.0];
        let terms = row.iter().zip(weights).zip(signs);
        let worth: f32 = terms
            .map(|((input, weight), sign)| input * weight * sign)
            .sum();
        assert_eq!(worth, row[6], "{row:?}");
        seen.push(row[6]);
    }
    assert_eq!(seen, [29.0, 26.0, 24.0, 1.0, 4.0]);
}

#[test]
fn the_blocks_of_the_document_are_taken() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let policy = PolicyProposal::new("refunds", "v1", "Refunds need the receipt.");
    engine.propose_policy(&me, policy).unwrap();
    engine.approve_policy(&me, "refunds", "v1").unwrap();
    let json = DOCUMENT.split("```json\n").nth(1).unwrap();
    let json = json.split("```").next().unwrap();
    let mut request = ContextRequest::ask("When are refunds due?");
    request.blocks = serde_json::from_str(json).unwrap();
    let context = engine.build_context(&me, &chat, &request).unwrap();
    let manifest = &context.manifest;
    assert!(!manifest.read_only, "{:?}", manifest.notices);
    for id in ["call-1", "report", "style", "rule"] {
        assert_eq!(record(&context, id).fate, Fate::Selected, "{id}");
    }
    // The approved policy is about the same subject.
    assert_eq!(record(&context, "handbook-7").reason, Reason::Outranked);
}

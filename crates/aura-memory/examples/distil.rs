//! Draws facts from recorded conversations and prints them, to be read by a person.
//!
//! `cargo run --release -p aura-memory --example distil -- MESSAGES.jsonl [all|ended|sample N|time]`: one JSON object a line with
//! `conversation_id`, `role`, `speaker`, `text`, `timestamp`. `all` prints every fact, `ended` only what was
//! invalidated, `sample` every N-th fact; `time` measures each message as the best of twenty runs.

use std::collections::BTreeMap;
use std::io::{BufRead, BufReader};
use std::sync::Arc;
use std::time::{Duration, Instant};

use aura_core::{
    EventId, EventRange, Fact, FactEntry, FactExtractor, FactOp, Message, Role, StoredMessage,
    Timestamp, Turn, TurnId, TurnIndex, TurnRecord, TurnStatus,
};
use aura_memory::{HeuristicExtractor, Ledger};
use serde::Deserialize;

#[derive(Deserialize)]
struct Line {
    conversation_id: String,
    role: String,
    speaker: String,
    text: String,
    timestamp: Option<String>,
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let path = arguments
        .next()
        .ok_or("give the path of a messages.jsonl")?;
    let mode = arguments.next().unwrap_or_default();
    let every: usize = arguments.next().and_then(|n| n.parse().ok()).unwrap_or(1);
    let mut ledgers: BTreeMap<String, Ledger> = BTreeMap::new();
    let (mut messages, mut facts, mut ended, mut revised) = (0_u32, 0_usize, 0_usize, 0_usize);
    let mut times: Vec<(usize, bool, Duration)> = Vec::new();
    let (mut spent, mut slowest) = (Duration::ZERO, Duration::ZERO);
    for (number, line) in BufReader::new(std::fs::File::open(&path)?)
        .lines()
        .enumerate()
    {
        let line: Line = serde_json::from_str(&line?)?;
        let role: Role = line.role.parse()?;
        if role != Role::User {
            continue;
        }
        let turn = u32::try_from(number)?;
        let record = record(&line, role, turn)?;
        let ledger = ledgers.entry(line.conversation_id.clone()).or_default();
        if mode == "time" {
            times.push(best_of(&record, ledger.current(), 20)?);
        }
        let begun = Instant::now();
        let changes =
            HeuristicExtractor::new().extract(&line.conversation_id, &record, ledger.current())?;
        let took = begun.elapsed();
        spent += took;
        slowest = slowest.max(took);
        messages += 1;
        for change in changes {
            match &change {
                FactOp::Add { fact } => {
                    facts += 1;
                    if mode == "all" || mode == "sample" && facts % every == 0 {
                        println!(
                            "+ {} [{}]\n      <- {}",
                            fact.text,
                            fact.subject,
                            excerpt(&line.text)
                        );
                    }
                }
                FactOp::Invalidate {
                    fact_id,
                    replaced_by,
                    ..
                } => {
                    ended += 1;
                    if mode == "ended" || mode == "all" {
                        let old = ledger.get(fact_id).map_or("?", |fact| &fact.text);
                        let new = replaced_by
                            .as_ref()
                            .and_then(|id| ledger.get(id))
                            .map_or("", |fact| &fact.text);
                        println!("- {old}   =>   {new}\n      <- {}", excerpt(&line.text));
                    }
                }
                FactOp::Revise { fact_id, text, .. } => {
                    revised += 1;
                    if mode == "ended" || mode == "all" {
                        println!(
                            "~ {} => {text}",
                            ledger.get(fact_id).map_or("?", |fact| &fact.text)
                        );
                    }
                }
            }
            ledger.apply(&FactEntry {
                turn: TurnIndex(turn),
                change,
            })?;
        }
    }
    for changed in [false, true] {
        let group: Vec<_> = times
            .iter()
            .filter(|(_, changes, _)| *changes == changed)
            .collect();
        let words: usize = group.iter().map(|(words, ..)| words).sum();
        let total: Duration = group.iter().map(|(.., took)| *took).sum();
        if words > 0 {
            println!(
                "{} messages of {} words on average {}: {:?} each, {:?} for 60 words",
                group.len(),
                words / group.len(),
                if changed { "with changes" } else { "without" },
                total / u32::try_from(group.len())?,
                total * 60 / u32::try_from(words)?,
            );
        }
    }
    println!(
        "{messages} user messages, {facts} facts ({:.1} per 100), {ended} ended, {revised} revised; mean {:?}, slowest {slowest:?}",
        100.0 * facts as f64 / f64::from(messages.max(1)),
        spent / messages.max(1),
    );
    Ok(())
}

/// The words of a turn, whether it changes facts, and the shortest time of some runs.
fn best_of(
    record: &TurnRecord,
    current: &[Fact],
    runs: usize,
) -> Result<(usize, bool, Duration), Box<dyn std::error::Error>> {
    let extractor = HeuristicExtractor::new();
    let mut best = Duration::MAX;
    let mut changed = false;
    for _ in 0..runs {
        let begun = Instant::now();
        changed = !extractor.extract("session", record, current)?.is_empty();
        best = best.min(begun.elapsed());
    }
    let words = record
        .messages
        .iter()
        .map(|message| message.message.plain_text().split_whitespace().count())
        .sum();
    Ok((words, changed, best))
}

fn excerpt(text: &str) -> String {
    text.chars()
        .take(260)
        .collect::<String>()
        .replace('\n', " ")
}

fn record(line: &Line, role: Role, turn: u32) -> Result<TurnRecord, Box<dyn std::error::Error>> {
    let time = line
        .timestamp
        .as_deref()
        .and_then(|time| Timestamp::parse_lenient(time).ok());
    let at = time.unwrap_or(Timestamp::from_millis_clamped(0));
    let mut message = Message::text(role, line.text.as_str()).with_time(at);
    if !matches!(line.speaker.as_str(), "user" | "用户" | "") {
        message = message.with_name(line.speaker.as_str());
    }
    let event = EventId(u64::from(turn) + 1);
    Ok(TurnRecord {
        turn: Turn {
            turn_id: TurnId::new(turn.to_string())?,
            index: TurnIndex(turn),
            status: TurnStatus::Complete,
            parent: None,
            events: vec![EventRange {
                first: event,
                last: event,
            }],
            recorded_at: at,
        },
        messages: vec![Arc::new(StoredMessage {
            event_id: event,
            turn: TurnIndex(turn),
            recorded_at: at,
            message,
            large_parts: Vec::new(),
        })],
    })
}

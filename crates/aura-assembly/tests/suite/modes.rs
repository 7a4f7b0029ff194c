//! The four modes, and what gives way first.

use aura_core::{BlockRef, Fate, Message, Notice, PolicyMode, Reason, Section};

use crate::ask::{Ask, all_text, evidence, section};
use crate::sessions::{calling, result};
use crate::world::World;

fn long(count: usize) -> World {
    let mut world = World::new();
    for n in 0..count {
        let text = format!("This is what I said in turn number {n}, which is about lamps.");
        world.say(vec![
            Message::user(text),
            Message::assistant(format!("Answer {n}.")),
        ]);
    }
    world
}

fn mode(mode: PolicyMode) -> Ask {
    let mut ask = Ask::new("What about lamps?");
    ask.policy.mode = mode;
    ask
}

#[test]
fn full_history_drops_its_oldest_turns_and_says_so() {
    let world = long(50);
    let all = mode(PolicyMode::FullHistory).compile(&world);
    assert_eq!(section(&all, Section::History).len(), 100);
    assert!(all.context.manifest.notices.is_empty());
    let some = mode(PolicyMode::FullHistory).budget(300).compile(&world);
    let shown = section(&some, Section::History).len();
    assert!(shown > 2 && shown < 100);
    let Notice::DroppedOldestTurns { turns } = some.context.manifest.notices[0] else {
        panic!("no notice");
    };
    assert_eq!(usize::try_from(turns).unwrap() + shown / 2, 50);
    assert!(
        all_text(&some).contains("turn number 49") && !all_text(&some).contains("turn number 0,")
    );
    assert_eq!(
        some.context.manifest.totals.history_tokens,
        u64::from(all.context.manifest.totals.tokens)
    );
}

#[test]
fn windowed_shows_the_newest_turns_and_nothing_else() {
    let world = long(10);
    let compiled = mode(PolicyMode::Windowed).recency(3).compile(&world);
    assert_eq!(section(&compiled, Section::History).len(), 6);
    assert_eq!(evidence(&compiled), "");
    assert_eq!(world.recalls.get(), 0);
}

#[test]
fn nothing_of_the_newest_turns_is_recalled() {
    let world = long(10);
    let compiled = mode(PolicyMode::PrioritySelective)
        .recency(2)
        .compile(&world);
    let lines = evidence(&compiled);
    assert!(
        lines.contains("turn number 7")
            && !lines.contains("turn number 8")
            && !lines.contains("turn number 9")
    );
}

#[test]
fn recall_gives_way_before_the_newest_turns_and_they_shrink_to_one() {
    let world = long(10);
    let ask = mode(PolicyMode::PrioritySelective).recency(3);
    let turn = ask
        .clone()
        .budget(4000)
        .compile(&world)
        .context
        .manifest
        .candidate(&BlockRef::Turn(aura_core::TurnIndex(9)))
        .unwrap()
        .tokens;
    let tight = ask.clone().budget(3 * turn + 20).compile(&world);
    assert_eq!(section(&tight, Section::History).len(), 6);
    assert_eq!(evidence(&tight), "");
    let tighter = ask.clone().budget(turn + 20).compile(&world);
    assert_eq!(section(&tighter, Section::History).len(), 2);
    assert!(tighter.context.manifest.over_budget.is_none());
    let evicted = tighter
        .context
        .manifest
        .candidate(&BlockRef::Turn(aura_core::TurnIndex(8)))
        .unwrap();
    assert_eq!(
        (evicted.fate, evicted.reason),
        (Fate::Rejected, Reason::OverBudget)
    );
    let tiny = ask.budget(5).compile(&world);
    assert_eq!(
        section(&tiny, Section::History).len(),
        2,
        "the newest turn stays in any case"
    );
    assert_eq!(
        tiny.context.manifest.over_budget,
        Some(tiny.context.manifest.totals.tokens - 5)
    );
}

#[test]
fn results_of_the_newest_turn_become_handles_oldest_first() {
    let mut world = long(3);
    let output = "row of a long table\n".repeat(60);
    world.say(vec![
        Message::user("Look it up."),
        calling("", &["c1"]),
        result("c1", &output),
        calling("", &["c2"]),
        result("c2", "short and sweet"),
        Message::assistant("Done."),
    ]);
    let compiled = mode(PolicyMode::PrioritySelective)
        .recency(1)
        .budget(200)
        .compile(&world);
    let text = all_text(&compiled);
    assert!(
        text.contains("[kept as artifact://default/large@1#"),
        "{text}"
    );
    assert!(text.contains("short and sweet"));
    assert!(
        compiled
            .context
            .manifest
            .notices
            .contains(&Notice::ShrunkNewestTurn { results: 1 })
    );
    assert!(compiled.context.manifest.over_budget.is_none());
    let record = compiled
        .context
        .manifest
        .candidate(&"event:9".parse().unwrap())
        .unwrap();
    assert_eq!(record.fate, Fate::ReplacedByHandle);
}

#[test]
fn the_last_tool_response_stays_when_its_turn_does_not() {
    let mut world = World::new();
    world.say(vec![
        Message::user("Look up the tide."),
        calling("", &["c1"]),
        result("c1", "high tide at 14:10"),
        Message::assistant(format!("Here you are. {}", "So it is. ".repeat(60))),
    ]);
    world.say(vec![Message::user("Thanks"), Message::assistant("Welcome")]);
    let ask = Ask::new("Photosynthesis?").recency(2);
    let whole = ask.compile(&world);
    assert_eq!(evidence(&whole), "");
    let tight = ask.clone().budget(150).compile(&world);
    assert!(
        evidence(&tight).contains("tool: high tide at 14:10\n"),
        "{}",
        evidence(&tight)
    );
    let record = tight
        .context
        .manifest
        .candidate(&"event:3".parse().unwrap())
        .unwrap();
    assert_eq!(
        (record.class, record.fate),
        (aura_core::Class::P3, Fate::Selected)
    );
}

#[test]
fn no_question_and_no_history_compile_too() {
    let compiled = Ask::new("").compile(&World::new());
    assert!(compiled.context.messages.is_empty());
    assert_eq!(
        compiled.context.manifest.totals.tokens,
        aura_assembly::LIST_TOKENS
    );
}

#[test]
fn cancelled_is_said_at_once() {
    let mut ask = Ask::new("Hi");
    ask.timer.cancelled = true;
    let failure = ask.try_compile(&long(2)).unwrap_err();
    assert_eq!(failure.error.kind(), aura_core::ErrorKind::Cancelled);
    assert_eq!(
        ask.answer(&long(2)).unwrap_err().kind(),
        aura_core::ErrorKind::Cancelled
    );
}

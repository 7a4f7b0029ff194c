//! A model that answers well, badly, slowly, cut off, and not at all.

use std::sync::atomic::{AtomicUsize, Ordering};

use aura_core::{
    Error, ErrorKind, EventRange, Message, StoredMessage, Timestamp, Turn, TurnId, TurnIndex,
    TurnStatus,
};

use super::*;

/// Gives its answers one after the other, the last for ever.
struct Script {
    answers: Vec<Result<&'static str, ErrorKind>>,
    asked: AtomicUsize,
}

impl Model for Script {
    fn name(&self) -> &str {
        "script"
    }

    fn complete(&self, prompt: &str) -> Result<String> {
        assert!(prompt.contains("<said>"));
        let at = self.asked.fetch_add(1, Ordering::SeqCst);
        let answer = self.answers[at.min(self.answers.len() - 1)];
        answer
            .map(str::to_owned)
            .map_err(|kind| Error::new(kind, "the model failed"))
    }
}

fn turn(index: u32, said: &str) -> TurnRecord {
    let event_id = EventId(u64::from(index) * 2 + 1);
    let stored = |event_id, message| {
        Arc::new(StoredMessage {
            event_id,
            turn: TurnIndex(index),
            recorded_at: Timestamp::MIN,
            message,
            large_parts: Vec::new(),
        })
    };
    TurnRecord {
        turn: Turn {
            turn_id: TurnId::new(format!("t{index}")).unwrap(),
            index: TurnIndex(index),
            status: TurnStatus::Complete,
            parent: None,
            events: vec![EventRange::new(event_id, event_id.next())],
            recorded_at: Timestamp::MIN,
        },
        messages: vec![
            stored(event_id, Message::user(said)),
            stored(
                event_id.next(),
                Message::assistant("I own a boat in Lisbon."),
            ),
        ],
    }
}

fn extractor(answers: Vec<Result<&'static str, ErrorKind>>) -> (Arc<Script>, ModelExtractor) {
    let script = Arc::new(Script {
        answers,
        asked: AtomicUsize::new(0),
    });
    let options = ModelOptions {
        pause: Duration::from_millis(1),
        failures: 2,
        ..ModelOptions::default()
    };
    (Arc::clone(&script), ModelExtractor::new(script, options))
}

fn texts(changes: &[FactOp]) -> Vec<String> {
    let text = |change: &FactOp| match change {
        FactOp::Add { fact } => format!("+{}", fact.text),
        FactOp::Revise { fact_id, text, .. } => format!("~{fact_id} {text}"),
        FactOp::Invalidate { fact_id, .. } => format!("-{fact_id}"),
    };
    changes.iter().map(text).collect()
}

const SAID: &str = "We keep bees on the roof, and my sister Inga harvests the honey.";
const GOOD: &str = r#"{"operations": [
    {"op": "add", "text": "Keeps bees on the roof", "subject": "user/bees"},
    {"op": "add", "text": "Inga, the sister, harvests honey", "subject": "inga/harvest"},
    {"op": "add", "text": "Owns a boat in Lisbon", "subject": "user/boat"}]}"#;

#[test]
fn only_what_the_user_said_becomes_a_fact() {
    let (_, extractor) = extractor(vec![Ok(GOOD)]);
    let turn = turn(0, SAID);
    extractor.prepare("s", &turn, &[]);
    let changes = extractor.extract("s", &turn, &[]).unwrap();
    assert_eq!(
        texts(&changes),
        [
            "+Keeps bees on the roof",
            "+Inga, the sister, harvests honey"
        ]
    );
    let FactOp::Add { fact } = &changes[1] else {
        panic!("a fact must be added");
    };
    assert_eq!(
        (fact.fact_id.as_str(), &fact.sources[..]),
        ("s/1/m1", &[EventId(1)][..])
    );
}

#[test]
fn a_fact_is_ended_only_if_the_user_names_it() {
    let (_, first) = extractor(vec![Ok(GOOD)]);
    let told = turn(0, SAID);
    first.prepare("s", &told, &[]);
    let current: Vec<Fact> = first
        .extract("s", &told, &[])
        .unwrap()
        .into_iter()
        .filter_map(|change| match change {
            FactOp::Add { fact } => Some(fact),
            _ => None,
        })
        .collect();
    let (_, second) = extractor(vec![Ok(
        r#"[{"op":"invalidate","fact":0},{"op":"invalidate","fact":1},{"op":"invalidate","fact":9}]"#,
    )]);
    let later = turn(1, "The bees are gone, I gave them away.");
    second.prepare("s", &later, &current);
    let changes = second.extract("s", &later, &current).unwrap();
    assert_eq!(texts(&changes), ["-s/1/m0"]);
}

#[test]
fn a_bad_answer_and_a_passing_failure_are_tried_again() {
    let answers = vec![Ok("I cannot."), Err(ErrorKind::Unavailable), Ok(GOOD)];
    let (script, extractor) = extractor(answers);
    let turn = turn(0, SAID);
    extractor.prepare("s", &turn, &[]);
    assert_eq!(script.asked.load(Ordering::SeqCst), 3);
    assert_eq!(extractor.extract("s", &turn, &[]).unwrap().len(), 2);
}

#[test]
fn without_an_answer_the_heuristic_one_stands_and_the_model_rests() {
    let (script, extractor) = extractor(vec![Err(ErrorKind::Denied)]);
    let heuristic = HeuristicExtractor::new();
    for index in 0..4 {
        let turn = turn(index, "I live in Oslo and I have a cat called Miso.");
        extractor.prepare("s", &turn, &[]);
        let changes = extractor.extract("s", &turn, &[]).unwrap();
        assert_eq!(changes, heuristic.extract("s", &turn, &[]).unwrap());
        assert!(!changes.is_empty());
    }
    assert_eq!(
        script.asked.load(Ordering::SeqCst),
        2,
        "it must be left alone"
    );
    // Whoever reads before the model was asked does not wait for it.
    let (script, unasked) = self::extractor(vec![Ok(GOOD)]);
    assert!(
        !unasked
            .extract("s", &turn(0, "I live in Oslo."), &[])
            .unwrap()
            .is_empty()
    );
    assert_eq!(script.asked.load(Ordering::SeqCst), 0);
}

#[test]
fn what_was_cut_off_counts_as_far_as_it_goes() {
    let (_, extractor) = extractor(vec![Ok(GOOD.split_at(130).0)]);
    let turn = turn(0, SAID);
    extractor.prepare("s", &turn, &[]);
    let changes = extractor.extract("s", &turn, &[]).unwrap();
    assert_eq!(texts(&changes), ["+Keeps bees on the roof"]);
}

//! Appending, hiding, removing, errors, analysis.

use aura_core::{
    AnalyzedMessage, ErrorKind, EventId, EventRange, LexicalBackend, LexicalIndex, LexicalMessage,
    Role, Timestamp, TurnIndex,
};
use aura_text::{Analyzer, AnalyzerOptions, Language};

use super::corpus::{everything, index, message, query, request, session};
use crate::{AnalyzerIdentity, Bm25Backend, SessionIndex};

fn range(first: u64, last: u64) -> EventRange {
    EventRange::new(EventId(first), EventId(last))
}

fn spoken(backend: &Bm25Backend, event: u64, speaker: &str, text: &str) -> AnalyzedMessage {
    let mut out = AnalyzedMessage::default();
    backend.analyze(
        &LexicalMessage {
            event_id: EventId(event),
            turn: TurnIndex(event as u32),
            role: Role::User,
            speaker,
            text,
            tokens: 9,
            time: Timestamp::from_millis(5).ok(),
        },
        &mut out,
    );
    out
}

#[test]
fn a_message_is_found_by_the_very_next_search() {
    let mut index = SessionIndex::default();
    for event in 1..=700 {
        let words = [format!("only{event}"), "all".to_owned()];
        index.append(&message(event, &words)).unwrap();
        let found = index.search(&request(&query(&[&words[0]]), &everything(), 5));
        assert_eq!(found.hits.len(), 1);
        assert_eq!(
            (found.hits[0].event_id, found.hits[0].turn),
            (EventId(event), TurnIndex(event as u32 / 2))
        );
    }
    assert_eq!((index.len(), index.last_event()), (700, Some(EventId(700))));
}

#[test]
fn events_must_rise() {
    let mut index = SessionIndex::default();
    index.append(&message(7, &["a".into()])).unwrap();
    for event in [7, 3] {
        let error = index.append(&message(event, &["b".into()])).unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Conflict, Some("event_id"))
        );
    }
    assert_eq!(index.len(), 1);
    assert!(
        index
            .search(&request(&query(&["b"]), &everything(), 5))
            .hits
            .is_empty()
    );
    index.append(&message(9, &["b".into()])).unwrap();
    assert_eq!(
        index
            .search(&request(&query(&["b"]), &[range(9, 9)], 5))
            .hits
            .len(),
        1
    );
}

#[test]
fn hidden_messages_come_back_and_removed_ones_do_not() {
    let mut index = index(&session(4, 300, 30, 9));
    let query = query(&["w1", "w5"]);
    let before = index.search(&request(&query, &everything(), 50));
    index.hide(range(10, 200));
    assert_eq!(index.len(), 109);
    assert_ne!(index.search(&request(&query, &everything(), 50)), before);
    index.show(range(1, 300));
    assert_eq!(index.search(&request(&query, &everything(), 50)), before);
    index.remove(range(50, 60));
    index.show(range(1, 300));
    assert_eq!(index.len(), 289);
    let after = index.search(&request(&query, &everything(), 300));
    assert!(
        after
            .hits
            .iter()
            .all(|hit| !range(50, 60).contains(hit.event_id))
    );
    index.remove(range(900, 999));
    assert_eq!(index.len(), 289);
}

#[test]
fn removal_leaves_no_word_behind() {
    let mut messages = session(6, 1_500, 25, 9);
    messages[700].push("secretword".into());
    let mut index = index(&messages);
    let kept = index.clone();
    index.remove(range(701, 701));
    let mut bytes = Vec::new();
    index.write_segment(range(1, 1_500), &mut bytes);
    assert!(!bytes.windows(10).any(|part| part == b"secretword"));
    assert!(!format!("{:?}", index.dictionary).contains("115, 101, 99, 114, 101, 116"));
    let mut with = Vec::new();
    kept.write_segment(range(1, 1_500), &mut with);
    assert!(with.windows(10).any(|part| part == b"secretword"));
    // The word can come back in a later message.
    index
        .append(&message(1_501, &["secretword".into()]))
        .unwrap();
    let found = index.search(&request(&query(&["secretword"]), &everything(), 5));
    assert_eq!(found.hits.len(), 1);
    assert_eq!(found.hits[0].event_id, EventId(1_501));
}

#[test]
fn speaker_and_text_are_both_found() {
    let backend = Bm25Backend::default();
    let mut index = backend.create();
    index
        .append(&spoken(&backend, 1, "Ana", "We adopted two cats."))
        .unwrap();
    index
        .append(&spoken(&backend, 2, "Ben", "How lovely!"))
        .unwrap();
    for (question, event) in [("ana", 1), ("CATS", 1), ("adopting", 1), ("Ben's", 2)] {
        let found = index.search(&request(&backend.query(question), &everything(), 5));
        assert_eq!(found.hits.len(), 1, "{question}");
        assert_eq!(found.hits[0].event_id, EventId(event), "{question}");
    }
}

#[test]
fn stop_words_count_only_when_there_is_nothing_else() {
    let backend = Bm25Backend::default();
    let mut index = backend.create();
    index
        .append(&spoken(&backend, 1, "", "Who are you?"))
        .unwrap();
    index
        .append(&spoken(&backend, 2, "", "The piano arrived."))
        .unwrap();
    let asked = |question: &str| {
        let query = backend.query(question);
        let found = index.search(&request(&query, &everything(), 5));
        (
            query.only_stop_words,
            found
                .hits
                .iter()
                .map(|hit| hit.event_id.0)
                .collect::<Vec<_>>(),
        )
    };
    assert_eq!(asked("Who are you?"), (true, vec![1]));
    assert_eq!(asked("Who are the piano?"), (false, vec![2]));
    assert_eq!(asked("?!"), (false, vec![]));
}

#[test]
fn long_messages_do_not_win_by_length_and_empty_ones_keep_their_place() {
    let backend = Bm25Backend::default();
    let mut index = backend.create();
    let long = format!("{} piano", "other words of no interest ".repeat(200));
    index
        .append(&spoken(&backend, 1, "", "Piano lessons."))
        .unwrap();
    index.append(&spoken(&backend, 2, "", "")).unwrap();
    index.append(&spoken(&backend, 3, "", &long)).unwrap();
    let found = index.search(&request(&backend.query("piano"), &everything(), 5));
    assert_eq!(
        found
            .hits
            .iter()
            .map(|hit| hit.event_id.0)
            .collect::<Vec<_>>(),
        [1, 3]
    );
    assert_eq!(found.work.searched, 3);
}

#[test]
fn chinese_is_found() {
    let backend = Bm25Backend::default();
    let mut index = backend.create();
    index
        .append(&spoken(&backend, 1, "用户", "我下周三去上海出差。"))
        .unwrap();
    index
        .append(&spoken(&backend, 2, "助手", "好的，祝您一路顺风。"))
        .unwrap();
    let found = index.search(&request(
        &backend.query("什么时候去上海？"),
        &everything(),
        5,
    ));
    assert_eq!(found.hits[0].event_id, EventId(1));
}

#[test]
fn an_identity_tells_analyzers_apart() {
    let mut names: Vec<String> = Vec::new();
    for language in [Language::English, Language::German] {
        for (stop_words, stem) in [(true, true), (true, false), (false, true), (false, false)] {
            let analyzer = Analyzer::new(AnalyzerOptions {
                language,
                stop_words,
                stem,
            });
            names.push(AnalyzerIdentity::of(&analyzer).to_string());
        }
    }
    let count = names.len();
    names.sort();
    names.dedup();
    assert_eq!(names.len(), count);
}

#[test]
fn memory_is_known() {
    let index = index(&session(2, 5_000, 3_000, 30));
    let per_message = index.memory() / 5_000;
    assert!((30..600).contains(&per_message), "{per_message}");
}

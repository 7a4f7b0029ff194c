//! Many threads on one engine.

mod same_bytes;

use std::sync::Barrier;

use aura_core::{EventId, EventRange, Principal, TurnIndex};
use aura_engine::ContextRequest;

use crate::setup::{all_text, memory_engine, session};

#[test]
fn writers_and_readers_of_one_session_do_not_disturb_each_other() {
    const WRITERS: usize = 8;
    const TURNS: usize = 100;
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    let start = Barrier::new(WRITERS + 2);
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let (engine, me, chat, start) = (&engine, &me, &chat, &start);
            scope.spawn(move || {
                start.wait();
                for at in 0..TURNS {
                    let word = format!("marker{writer}x{at}");
                    engine
                        .record_exchange(me, chat, &format!("Keep {word} in mind."), "Yes.")
                        .unwrap();
                    if at % 10 == 0 {
                        // What this thread recorded is there at once, whatever the others do.
                        let context = engine
                            .build_context(me, chat, &ContextRequest::ask(format!("{word}?")))
                            .unwrap();
                        assert!(
                            all_text(&context).contains(&format!("Keep {word} ")),
                            "{word}"
                        );
                    }
                }
            });
        }
        for _ in 0..2 {
            let (engine, me, chat, start) = (&engine, &me, &chat, &start);
            scope.spawn(move || {
                start.wait();
                for at in 0..100 {
                    let context = engine
                        .build_context(me, chat, &ContextRequest::ask(format!("marker0x{at}?")))
                        .unwrap();
                    assert!(context.manifest.totals.tokens <= context.manifest.totals.budget);
                }
            });
        }
    });
    let stored = engine.session(&me, &chat).unwrap();
    assert_eq!(
        (stored.turns as usize, stored.last_event),
        (WRITERS * TURNS, EventId((WRITERS * TURNS * 2) as u64))
    );
    let messages = engine
        .messages(&me, &chat, EventRange::new(EventId(1), stored.last_event))
        .unwrap();
    assert!(
        messages
            .iter()
            .zip(1..)
            .all(|(stored, event)| stored.event_id == EventId(event))
    );
    assert_eq!(
        engine
            .turns(&me, &chat, TurnIndex(0), usize::MAX)
            .unwrap()
            .len(),
        WRITERS * TURNS
    );
}

#[test]
fn closing_while_calls_run_ends_them_cleanly() {
    let engine = memory_engine();
    let (me, chat) = (Principal::default(), session("chat"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (engine, me, chat) = (engine.clone(), &me, &chat);
            scope.spawn(move || {
                let mut recorded = 0;
                loop {
                    match engine.record_exchange(me, chat, "Hello.", "Hi.") {
                        Ok(_) => recorded += 1,
                        Err(error) => {
                            assert_eq!(error.kind(), aura_core::ErrorKind::Closed);
                            break recorded;
                        }
                    }
                }
            });
        }
        std::thread::sleep(std::time::Duration::from_millis(30));
        engine.close().unwrap();
    });
}

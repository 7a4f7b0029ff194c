//! What an index really takes, by the bytes asked of the allocator.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a test stops at the first surprise"
)]

use std::alloc::System;

use aura_core::{
    AnalyzedMessage, EventId, EventRange, LexicalBackend, LexicalIndex, LexicalMessage,
    LexicalRequest, RankingWeights, Role, TurnIndex,
};
use aura_retrieval::{Bm25Backend, SessionIndex};
use aura_testkit::zipf::ZipfCorpus;
use stats_alloc::{INSTRUMENTED_SYSTEM, Region, StatsAlloc};

#[global_allocator]
static ALLOCATOR: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn add(backend: &Bm25Backend, index: &mut SessionIndex, message: &mut AnalyzedMessage, text: &str) {
    let event_id = index.last_event().map_or(EventId(1), EventId::next);
    let plain = LexicalMessage {
        event_id,
        turn: TurnIndex(event_id.0 as u32),
        role: Role::User,
        speaker: "",
        text,
        tokens: 80,
        time: None,
    };
    backend.analyze(&plain, message);
    index.append(message).unwrap();
}

// One test: the allocator counts for the whole process.
#[test]
fn memory_a_turn_and_allocations_a_search() {
    let backend = Bm25Backend::default();
    let mut message = AnalyzedMessage::default();
    let mut corpus = ZipfCorpus::new(1);
    // Warms what belongs to the thread rather than to the index.
    let mut warm = backend.new_index();
    for text in corpus.turns(50, 60) {
        add(&backend, &mut warm, &mut message, &text);
    }
    for (turns, limit) in [(1_000, 650), (5_000, 550)] {
        let mut index = backend.new_index();
        let region = Region::new(ALLOCATOR);
        for _ in 0..turns {
            let text = corpus.turn(60);
            add(&backend, &mut index, &mut message, &text);
        }
        let change = region.change();
        // Growing in place counts as allocated, shrinking as freed.
        let counted = (change.bytes_allocated - change.bytes_deallocated) / turns;
        assert!(counted <= limit, "{turns} turns: {counted} bytes each");
        let said = index.memory() / turns;
        assert!(said.abs_diff(counted) <= counted / 20, "{said} {counted}");
        println!("{turns} turns: {counted} bytes each");

        let questions = corpus.questions(50, 8);
        let queries: Vec<_> = questions
            .iter()
            .map(|question| backend.query(question))
            .collect();
        let visible = [EventRange::new(EventId(1), EventId(u64::MAX))];
        let region = Region::new(ALLOCATOR);
        for query in &queries {
            index.search(&LexicalRequest {
                query,
                visible: &visible,
                limit: 20,
                room: None,
                corpus: None,
                neighbours: None,
                weights: RankingWeights::default(),
                dense: None,
                reader: None,
            });
        }
        let change = region.change();
        let (number, size) = (change.allocations / 50, change.bytes_allocated / 50);
        assert!(
            number <= 8 && size <= 4_096,
            "{number} allocations of {size} bytes a search"
        );
    }
}

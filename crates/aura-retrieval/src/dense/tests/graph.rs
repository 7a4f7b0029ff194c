use aura_core::{EventId, EventRange, VectorIndex, VectorRequest};

use super::corpus::{Corpus, Dice};
use crate::dense::{DenseBackend, GraphKind};

const COUNT: u64 = 12_000;

fn kinds() -> Vec<GraphKind> {
    vec![
        #[cfg(feature = "hnsw")]
        GraphKind::Hnsw,
        #[cfg(feature = "usearch")]
        GraphKind::Usearch,
    ]
}

fn corpus(kind: GraphKind) -> (Corpus, Dice) {
    let mut dice = Dice(11);
    let backend = DenseBackend::default()
        .with_graph(Some(kind))
        .with_graph_from(1_000);
    let mut corpus = Corpus::new(backend, 16);
    for event in 1..=COUNT {
        let vector = dice.vector(16);
        corpus.insert(event, vec![vector]);
    }
    while corpus.index.advance() {}
    (corpus, dice)
}

/// The share of the true nearest ten that is found, over some queries; and how many searches used the graph.
fn recall(corpus: &Corpus, dice: &mut Dice, visible: &[EventRange]) -> (f64, usize) {
    let (mut found, mut wanted, mut graph) = (0, 0, 0);
    for _ in 0..30 {
        let query = dice.vector(16);
        let request = VectorRequest {
            query: &query,
            visible,
            limit: 10,
            reader: None,
        };
        let hits = corpus.index.search(&request).unwrap();
        graph += usize::from(!hits.exact);
        let hits: Vec<EventId> = hits.hits.iter().map(|hit| hit.event_id).collect();
        let best: Vec<EventId> = corpus
            .ranked(&query, visible)
            .iter()
            .take(10)
            .map(|(event, _)| *event)
            .collect();
        wanted += best.len();
        found += best.iter().filter(|event| hits.contains(event)).count();
    }
    (found as f64 / wanted as f64, graph)
}

fn range(first: u64, last: u64) -> EventRange {
    EventRange::new(EventId(first), EventId(last))
}

#[test]
fn a_graph_finds_nearly_all_and_takes_over_only_where_it_pays() {
    for kind in kinds() {
        let (mut corpus, mut dice) = corpus(kind);
        assert!(corpus.index.in_graph() > COUNT as usize - 1_100, "{kind:?}");
        // Some vectors that the graph lacks.
        for event in COUNT + 1..=COUNT + 500 {
            let vector = dice.vector(16);
            corpus.insert(event, vec![vector]);
        }
        let wide = [range(1, COUNT + 500)];
        assert_eq!(
            recall(&corpus, &mut dice, &wide).1,
            if kind_pays(kind) { 30 } else { 0 }
        );
        let most = [range(1, 5_000), range(6_000, COUNT + 500)];
        for visible in [&wide[..], &most] {
            let (share, _) = recall(&corpus, &mut dice, visible);
            assert!(share >= 0.95, "{kind:?} {share}");
        }
        let (share, graph) = recall(&corpus, &mut dice, &[range(400, 900)]);
        assert_eq!((share, graph), (1.0, 0), "{kind:?}: a few rows are scanned");
    }
}

/// Whether a graph over so few rows is worth it for the nearest ten.
fn kind_pays(kind: GraphKind) -> bool {
    match kind {
        #[cfg(feature = "hnsw")]
        GraphKind::Hnsw => false,
        #[cfg(feature = "usearch")]
        GraphKind::Usearch => true,
    }
}

#[test]
fn what_is_removed_or_replaced_is_not_found_in_a_graph() {
    for kind in kinds() {
        let (mut corpus, mut dice) = corpus(kind);
        let secret = corpus.vectors[&EventId(77)][0].clone();
        corpus.remove(range(77, 77));
        assert_eq!(corpus.index.in_graph(), 0, "{kind:?}");
        while corpus.index.advance() {}
        let request = VectorRequest {
            query: &secret,
            visible: &[range(1, COUNT)],
            limit: 10,
            reader: None,
        };
        let hits = corpus.index.search(&request).unwrap().hits;
        assert!(hits.iter().all(|hit| hit.event_id != EventId(77)));
        let other = dice.vector(16);
        corpus.insert(78, vec![other.clone()]);
        let request = VectorRequest {
            query: &other,
            visible: &[range(1, COUNT)],
            limit: 1,
            reader: None,
        };
        assert_eq!(
            corpus.index.search(&request).unwrap().hits[0].event_id,
            EventId(78)
        );
    }
}

use aura_core::{
    ErrorKind, EventId, EventRange, SessionId, SessionKey, TenantId, VectorBackend, VectorHits,
    VectorIndex, VectorRequest,
};
use proptest::prelude::*;

use super::corpus::{Corpus, Dice, check};
use crate::dense::{DenseBackend, MAX_DIMENSION};

fn range(first: u64, last: u64) -> EventRange {
    EventRange::new(EventId(first), EventId(last))
}

fn search(corpus: &Corpus, query: &[f32], visible: &[EventRange], limit: usize) -> VectorHits {
    let request = VectorRequest {
        query,
        visible,
        limit,
        reader: None,
    };
    corpus.index.search(&request).unwrap()
}

#[derive(Debug, Clone)]
enum Step {
    Insert { event: u64, passages: usize },
    Remove { first: u64, count: u64 },
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let insert =
        (1..60_u64, 0..4_usize).prop_map(|(event, passages)| Step::Insert { event, passages });
    let remove = (1..60_u64, 0..9_u64).prop_map(|(first, count)| Step::Remove { first, count });
    prop::collection::vec(prop_oneof![6 => insert, 1 => remove], 1..80)
}

proptest! {
    #[test]
    fn whatever_happens_it_finds_the_nearest(steps in steps(), seed in any::<u64>(), limit in 0..12_usize) {
        let mut dice = Dice(seed);
        let mut corpus = Corpus::new(DenseBackend::default(), 24);
        for step in steps {
            match step {
                Step::Insert { event, passages } => {
                    let vectors = (0..passages).map(|_| dice.vector(24)).collect();
                    corpus.insert(event, vectors);
                }
                Step::Remove { first, count } => corpus.remove(range(first, first + count)),
            }
        }
        prop_assert_eq!(corpus.index.len() as usize, corpus.vectors.len());
        let query = dice.vector(24);
        let (a, b) = (dice.roll(60), dice.roll(60));
        for visible in [vec![range(1, 60)], vec![range(1, a.min(b)), range(a.max(b) + 1, 60)], vec![range(a, a)]] {
            let found = search(&corpus, &query, &visible, limit);
            check(&found.hits, &corpus.ranked(&query, &visible), limit);
            prop_assert!(found.exact);
        }
    }
}

#[test]
fn the_nearest_of_many_are_found_for_every_limit() {
    let mut dice = Dice(5);
    let mut corpus = Corpus::new(DenseBackend::default(), 96);
    for event in 1..=6_000 {
        let passages = if event % 10 == 0 { 3 } else { 1 };
        let vectors = (0..passages).map(|_| dice.vector(96)).collect();
        corpus.insert(event, vectors);
    }
    for limit in [1, 10, 200, 3_000, 7_000] {
        let query = dice.vector(96);
        for visible in [range(1, 6_000), range(2_000, 2_300), range(5_990, 9_000)] {
            let found = search(&corpus, &query, &[visible], limit);
            check(&found.hits, &corpus.ranked(&query, &[visible]), limit);
        }
    }
    let per_vector = corpus.index.memory() as f64 / 7_200.0;
    assert!(
        per_vector < 1.35 * (2.0 * 96.0 + 16.0),
        "{per_vector} bytes a vector"
    );
}

#[test]
fn cosines_are_the_same_as_those_of_a_search() {
    let mut dice = Dice(6);
    let mut corpus = Corpus::new(DenseBackend::default(), 32);
    for event in (2..200).step_by(2) {
        let vectors = (0..event as usize % 3 + 1)
            .map(|_| dice.vector(32))
            .collect();
        corpus.insert(event, vectors);
    }
    let query = dice.vector(32);
    let found = search(&corpus, &query, &[range(1, 200)], 200);
    let events: Vec<EventId> = found.hits.iter().map(|hit| hit.event_id).collect();
    let cosines = corpus.index.cosines(&query, &events).unwrap();
    assert!(
        found
            .hits
            .iter()
            .zip(cosines)
            .all(|(hit, cosine)| Some(hit.cosine) == cosine)
    );
    assert_eq!(
        corpus
            .index
            .cosines(&query, &[EventId(3), EventId(999)])
            .unwrap(),
        [None, None]
    );
}

#[test]
fn equal_cosines_go_to_the_newer_event() {
    let mut corpus = Corpus::new(DenseBackend::default(), 3);
    for event in [4, 1, 9] {
        corpus.insert(event, vec![vec![1.0, 2.0, 3.0]]);
    }
    let found = search(&corpus, &[3.0, 2.0, 1.0], &[range(1, 9)], 2);
    let events: Vec<u64> = found.hits.iter().map(|hit| hit.event_id.0).collect();
    assert_eq!(events, [9, 4]);
}

#[test]
fn what_is_removed_leaves_no_trace() {
    let mut dice = Dice(7);
    let mut corpus = Corpus::new(DenseBackend::default(), 16);
    for event in 1..=100 {
        let vector = dice.vector(16);
        corpus.insert(event, vec![vector]);
    }
    let secret = corpus.vectors[&EventId(40)][0].clone();
    corpus.remove(range(40, 40));
    let found = search(&corpus, &secret, &[range(1, 100)], 100);
    assert_eq!(found.hits.len(), 99);
    assert!(
        found
            .hits
            .iter()
            .all(|hit| hit.event_id != EventId(40) && hit.cosine < 0.999)
    );
    corpus.remove(range(1, 60));
    assert_eq!(
        search(&corpus, &secret, &[range(1, 100)], 100).hits.len(),
        40
    );
}

#[test]
fn bad_input_is_refused_by_name_and_changes_nothing() {
    let backend = DenseBackend::default();
    for dimension in [0, MAX_DIMENSION + 1] {
        let error = backend.create(dimension).err().unwrap();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Invalid, Some("dimension"))
        );
    }
    let mut corpus = Corpus::new(backend.clone(), 2);
    corpus.insert(1, vec![vec![1.0, 1.0]]);
    for query in [&[1.0][..], &[1.0, f32::NAN], &[0.0, 0.0]] {
        let request = VectorRequest {
            query,
            visible: &[range(1, 1)],
            limit: 1,
            reader: None,
        };
        let error = corpus.index.search(&request).unwrap_err();
        assert_eq!(
            (error.kind(), error.field()),
            (ErrorKind::Invalid, Some("query"))
        );
        assert!(corpus.index.cosines(query, &[EventId(1)]).is_err());
    }
    let foreign = backend.encode(3, &[vec![1.0, 2.0, 3.0]]).unwrap();
    let error = corpus.index.insert(EventId(1), &foreign).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Corrupt);
    let found = search(&corpus, &[1.0, 1.0], &[range(1, 9)], 9);
    assert_eq!((found.hits.len(), found.searched), (1, 1));
    assert!(found.hits[0].cosine > 0.9999);
}

#[test]
fn the_greatest_vectors_do_not_overflow() {
    let mut corpus = Corpus::new(DenseBackend::default(), MAX_DIMENSION);
    corpus.insert(1, vec![vec![1.0; MAX_DIMENSION]]);
    corpus.insert(2, vec![vec![-1.0; MAX_DIMENSION]]);
    let found = search(&corpus, &[1e30; MAX_DIMENSION], &[range(1, 2)], 2);
    let cosines: Vec<f32> = found.hits.iter().map(|hit| hit.cosine).collect();
    assert!(
        (cosines[0] - 1.0).abs() < 1e-3 && (cosines[1] + 1.0).abs() < 1e-3,
        "{cosines:?}"
    );
}

#[test]
fn vectors_of_another_owner_are_counted_where_they_are_compared() {
    let mut corpus = Corpus::new(DenseBackend::default(), 24);
    let mut dice = Dice(7);
    for event in 1..=600 {
        corpus.insert(event, vec![dice.vector(24)]);
    }
    let [mine, theirs] = ["mine", "theirs"].map(|id| SessionKey {
        tenant: TenantId::default(),
        session_id: SessionId::new(id).unwrap(),
    });
    corpus.index.set_owner(&mine);
    let query = dice.vector(24);
    let visible = [range(5, 204), range(300, 399)];
    let foreign = |reader| {
        let request = VectorRequest {
            query: &query,
            visible: &visible,
            limit: 9,
            reader,
        };
        corpus.index.search(&request).unwrap().foreign
    };
    assert_eq!(foreign(None), 0);
    assert_eq!(foreign(Some(&mine)), 0);
    assert_eq!(foreign(Some(&theirs)), 300);
}

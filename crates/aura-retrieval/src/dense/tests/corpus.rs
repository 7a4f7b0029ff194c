//! Vectors to search, and the slow way to search them.

use std::collections::BTreeMap;

use aura_core::{EventId, EventRange, VectorBackend, VectorHit, VectorIndex};

use crate::dense::{DenseBackend, DenseIndex};

/// A generator of numbers, the same for the same seed.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn roll(&mut self, sides: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    /// About normally distributed.
    fn number(&mut self) -> f32 {
        (0..4).map(|_| self.roll(2001) as f32 / 1000.0 - 1.0).sum()
    }

    /// A vector near one of a few centres, as embeddings of talk are.
    pub(super) fn vector(&mut self, dimension: usize) -> Vec<f32> {
        let mut centre = Dice(self.roll(40) * 7919 + 1);
        (0..dimension)
            .map(|_| centre.number() + 0.7 * self.number())
            .collect()
    }
}

/// An index and the vectors in it.
pub(super) struct Corpus {
    pub(super) backend: DenseBackend,
    pub(super) dimension: usize,
    pub(super) index: DenseIndex,
    pub(super) vectors: BTreeMap<EventId, Vec<Vec<f32>>>,
}

impl Corpus {
    pub(super) fn new(backend: DenseBackend, dimension: usize) -> Self {
        Self {
            index: backend.new_index(dimension).unwrap(),
            backend,
            dimension,
            vectors: BTreeMap::new(),
        }
    }

    pub(super) fn insert(&mut self, event: u64, vectors: Vec<Vec<f32>>) {
        let event = EventId(event);
        if vectors.is_empty() {
            self.index.insert(event, &[]).unwrap();
            self.vectors.remove(&event);
            return;
        }
        let bytes = self.backend.encode(self.dimension, &vectors).unwrap();
        self.index.insert(event, &bytes).unwrap();
        self.vectors.insert(event, vectors);
    }

    pub(super) fn remove(&mut self, events: EventRange) {
        let before = self.vectors.len();
        self.vectors.retain(|event, _| !events.contains(*event));
        assert_eq!(
            self.index.remove(events) as usize,
            before - self.vectors.len()
        );
    }

    /// All visible messages by their cosine, computed in 64 bits, nearest first.
    pub(super) fn ranked(&self, query: &[f32], visible: &[EventRange]) -> Vec<(EventId, f64)> {
        let seen = self
            .vectors
            .iter()
            .filter(|(event, _)| visible.iter().any(|range| range.contains(**event)));
        let mut ranked: Vec<(EventId, f64)> = seen
            .map(|(event, vectors)| {
                let cosines = vectors.iter().map(|vector| cosine(query, vector));
                (*event, cosines.fold(f64::MIN, f64::max))
            })
            .collect();
        ranked.sort_by(|a, b| b.1.total_cmp(&a.1));
        ranked
    }
}

fn cosine(a: &[f32], b: &[f32]) -> f64 {
    let product = |a: &[f32], b: &[f32]| -> f64 {
        a.iter()
            .zip(b)
            .map(|(a, b)| f64::from(*a) * f64::from(*b))
            .sum()
    };
    product(a, b) / (product(a, a) * product(b, b)).sqrt()
}

/// Checks hits against the whole ranking: each cosine is right, and nothing nearer was left out.
pub(super) fn check(hits: &[VectorHit], ranked: &[(EventId, f64)], limit: usize) {
    assert_eq!(hits.len(), limit.min(ranked.len()));
    assert!(hits.is_sorted_by(|a, b| a.cosine >= b.cosine));
    for (hit, (_, best)) in hits.iter().zip(ranked) {
        let (_, cosine) = ranked
            .iter()
            .find(|(event, _)| *event == hit.event_id)
            .unwrap();
        assert!(
            (f64::from(hit.cosine) - cosine).abs() < 5e-5,
            "{hit:?} {cosine}"
        );
        assert!(
            (f64::from(hit.cosine) - best).abs() < 1e-4,
            "{hit:?} {best}"
        );
    }
}

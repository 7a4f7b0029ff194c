//! Counting what Python holds, so that tests can show that nothing leaks.

use std::sync::atomic::{AtomicUsize, Ordering};

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// A kind of object that is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Engine,
    Policy,
    Context,
    Cancel,
    Callback,
}

const KINDS: [(&str, Kind); 5] = [
    ("engine", Kind::Engine),
    ("policy", Kind::Policy),
    ("context", Kind::Context),
    ("cancel", Kind::Cancel),
    ("callback", Kind::Callback),
];

static COUNTS: [AtomicUsize; KINDS.len()] = [const { AtomicUsize::new(0) }; KINDS.len()];

fn count(kind: Kind) -> Option<&'static AtomicUsize> {
    COUNTS.get(kind as usize)
}

/// Counts one object for as long as it lives.
#[derive(Debug)]
pub(crate) struct Live(Kind);

impl Live {
    pub(crate) fn new(kind: Kind) -> Self {
        if let Some(count) = count(kind) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        Self(kind)
    }
}

impl Drop for Live {
    fn drop(&mut self) {
        if let Some(count) = count(self.0) {
            count.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// How many objects of a kind are alive: `engine`, `policy`, `context`, `cancel`, `callback`, or `all`.
#[pyfunction]
#[pyo3(signature = (kind = "all"))]
pub(crate) fn debug_live(kind: &str) -> PyResult<usize> {
    if kind == "all" {
        return Ok(COUNTS
            .iter()
            .map(|count| count.load(Ordering::Relaxed))
            .sum());
    }
    KINDS
        .iter()
        .find(|(name, _)| *name == kind)
        .and_then(|(_, kind)| count(*kind))
        .map(|count| count.load(Ordering::Relaxed))
        .ok_or_else(|| {
            PyValueError::new_err("kind: is none of engine, policy, context, cancel, callback, all")
        })
}

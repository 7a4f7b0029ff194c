//! How many bytes may be on their way from the reader to the writers.

use std::sync::{Condvar, Mutex, PoisonError};

/// A counter of bytes with an upper limit: whoever would exceed it waits.
#[derive(Debug)]
pub(crate) struct Gate {
    limit: usize,
    inside: Mutex<usize>,
    left: Condvar,
}

impl Gate {
    /// A gate for at most `limit` bytes; a single larger piece passes alone.
    pub(crate) const fn new(limit: usize) -> Self {
        Self {
            limit,
            inside: Mutex::new(0),
            left: Condvar::new(),
        }
    }

    /// Waits until there is room for `bytes`, or nothing else inside.
    pub(crate) fn enter(&self, bytes: usize) {
        let inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |inside: &mut usize| *inside > 0 && *inside + bytes > self.limit;
        let mut inside = self
            .left
            .wait_while(inside, is_full)
            .unwrap_or_else(PoisonError::into_inner);
        *inside += bytes;
    }

    /// Gives the room back.
    pub(crate) fn leave(&self, bytes: usize) {
        let mut inside = self.inside.lock().unwrap_or_else(PoisonError::into_inner);
        *inside = inside.saturating_sub(bytes);
        self.left.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;

    #[test]
    fn never_more_inside_than_the_limit() {
        let gate = Gate::new(10);
        let inside = AtomicUsize::new(0);
        std::thread::scope(|scope| {
            for size in [3, 4, 5, 6] {
                let (gate, inside) = (&gate, &inside);
                scope.spawn(move || {
                    for _ in 0..200 {
                        gate.enter(size);
                        let now = inside.fetch_add(size, Ordering::SeqCst) + size;
                        assert!(now <= 10, "{now}");
                        inside.fetch_sub(size, Ordering::SeqCst);
                        gate.leave(size);
                    }
                });
            }
        });
    }

    #[test]
    fn a_piece_larger_than_the_gate_passes_alone() {
        let gate = Gate::new(10);
        gate.enter(100);
        gate.leave(100);
        gate.enter(1);
    }
}

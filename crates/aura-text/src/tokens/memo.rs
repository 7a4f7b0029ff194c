//! Counts of pieces seen lately. Text repeats its words, and a repeated one then costs one comparison in a small table
//! instead of look-ups in the large one.

use std::cell::Cell;

use super::pieces::Rules;

/// Longest piece remembered: nearly every word, and two slots share a cache line.
const KEY: usize = 28;
/// Direct-mapped slots (a power of two): 512 kB for each thread that counts.
const SLOTS: usize = 1 << 14;

#[derive(Clone, Copy)]
#[repr(align(32))]
struct Slot {
    key: [u8; KEY],
    /// Length of the piece; 0 where nothing is remembered.
    len: u8,
    /// Tokens it has; a piece has no more tokens than bytes.
    tokens: u8,
    rules: Rules,
}

const EMPTY: Slot = Slot {
    key: [0; KEY],
    len: 0,
    tokens: 0,
    rules: Rules::O200k,
};

/// One thread's table.
pub(super) struct Memo {
    slots: Vec<Slot>,
    rules: Rules,
}

impl Memo {
    /// Runs `count` with this thread's table; one inside another gets a table of its own.
    pub(super) fn with<R>(rules: Rules, count: impl FnOnce(&mut Self) -> R) -> R {
        thread_local! {
            static SLOTS_OF_THREAD: Cell<Vec<Slot>> = const { Cell::new(Vec::new()) };
        }
        let mut slots = SLOTS_OF_THREAD.take();
        if slots.is_empty() {
            slots.resize(SLOTS, EMPTY);
        }
        let mut memo = Self { slots, rules };
        let result = count(&mut memo);
        SLOTS_OF_THREAD.set(memo.slots);
        result
    }

    /// The tokens of a piece with this hash: remembered, or counted by `count` and remembered.
    #[inline]
    pub(super) fn tokens(
        &mut self,
        piece: &[u8],
        hash: u64,
        count: impl FnOnce() -> usize,
    ) -> usize {
        let slot = self.slots.get_mut((hash >> 40) as usize % SLOTS);
        let Some(slot) = slot.filter(|_| piece.len() <= KEY) else {
            return count();
        };
        if usize::from(slot.len) == piece.len()
            && slot.rules == self.rules
            && slot.key.get(..piece.len()) == Some(piece)
        {
            return usize::from(slot.tokens);
        }
        let tokens = count();
        if let (Some(key), Ok(len), Ok(tokens)) = (
            slot.key.get_mut(..piece.len()),
            u8::try_from(piece.len()),
            u8::try_from(tokens),
        ) {
            key.copy_from_slice(piece);
            (slot.len, slot.tokens, slot.rules) = (len, tokens, self.rules);
        }
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn remembers_by_bytes_and_rules() {
        Memo::with(Rules::O200k, |memo| {
            assert_eq!(memo.tokens(b"miso", 7, || 2), 2);
            assert_eq!(memo.tokens(b"miso", 7, || unreachable!()), 2);
            assert_eq!(memo.tokens(b"nori", 7, || 1), 1);
            assert_eq!(memo.tokens(b"miso", 7, || 3), 3);
            assert_eq!(memo.tokens(&[b'x'; 29], 9, || 9), 9);
            assert_eq!(memo.tokens(&[b'x'; 29], 9, || 8), 8);
        });
        Memo::with(Rules::Cl100k, |memo| {
            assert_eq!(memo.tokens(b"miso", 7, || 4), 4)
        });
    }
}

//! Byte-pair merging of a piece that is no token by itself, as far as counting needs it.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::vocabulary::{NO_RANK, Vocabulary};

/// Pieces up to this many bytes are merged by looking through all pairs each time; a heap pays only for longer ones.
const SHORT: usize = 64;

/// How many tokens a piece becomes: pairs of neighbours are merged, lowest rank first, leftmost first among equals, until
/// no pair is a token.
pub(super) fn count(piece: &[u8], vocabulary: &Vocabulary) -> usize {
    if piece.len() <= SHORT {
        short(piece, vocabulary)
    } else {
        long(piece, vocabulary)
    }
}

#[expect(
    clippy::indexing_slicing,
    reason = "indexes stay below the piece's length, which is at most SHORT; bounds are checked all the same"
)]
fn short(piece: &[u8], vocabulary: &Vocabulary) -> usize {
    let n = piece.len();
    // Where each part starts, with the end as a sentinel, and the rank of each part joined with its successor.
    let mut starts = [0u8; SHORT + 2];
    let mut ranks = [NO_RANK; SHORT + 2];
    for (i, start) in starts.iter_mut().enumerate().take(n + 1) {
        *start = u8::try_from(i).unwrap_or(u8::MAX);
    }
    for (rank, pair) in ranks.iter_mut().zip(piece.array_windows()) {
        *rank = vocabulary.pair(*pair);
    }
    let mut parts = n;
    while parts > 1 {
        let mut best = NO_RANK;
        let mut at = 0;
        for (i, &rank) in ranks[..parts - 1].iter().enumerate() {
            if rank < best {
                best = rank;
                at = i;
            }
        }
        if best == NO_RANK {
            break;
        }
        starts.copy_within(at + 2..=parts, at + 1);
        ranks.copy_within(at + 2..=parts, at + 1);
        parts -= 1;
        let joined = |from: usize| {
            if from + 2 > parts {
                return NO_RANK;
            }
            let range = usize::from(starts[from])..usize::from(starts[from + 2]);
            vocabulary.rank(&piece[range])
        };
        ranks[at] = joined(at);
        if at > 0 {
            ranks[at - 1] = joined(at - 1);
        }
    }
    parts
}

/// The same in O(n log n): a heap of candidate pairs over a linked list of parts.
#[expect(
    clippy::indexing_slicing,
    reason = "indexes are positions in the piece; bounds are checked all the same"
)]
fn long(piece: &[u8], vocabulary: &Vocabulary) -> usize {
    let n = piece.len();
    // For each part's first byte: the first byte of the next and the previous part, and the rank of its pair.
    let mut next: Vec<usize> = (1..=n).collect();
    let mut previous: Vec<usize> = (0..n).map(|i| i.wrapping_sub(1)).collect();
    let mut ranks: Vec<u32> = piece
        .array_windows()
        .map(|pair| vocabulary.pair(*pair))
        .chain([NO_RANK])
        .collect();
    let mut heap: BinaryHeap<Reverse<(u32, usize)>> = ranks
        .iter()
        .enumerate()
        .filter(|&(_, &rank)| rank != NO_RANK)
        .map(|(i, &rank)| Reverse((rank, i)))
        .collect();
    let mut parts = n;
    while let Some(Reverse((rank, at))) = heap.pop() {
        if ranks[at] != rank {
            continue;
        }
        let gone = next[at];
        let after = next[gone];
        next[at] = after;
        ranks[gone] = NO_RANK;
        parts -= 1;
        let mut pair = |from: usize, to: usize| {
            let rank = if to < n {
                vocabulary.rank(&piece[from..next[to]])
            } else {
                NO_RANK
            };
            ranks[from] = rank;
            if rank != NO_RANK {
                heap.push(Reverse((rank, from)));
            }
        };
        pair(at, after);
        if at > 0 {
            pair(previous[at], at);
        }
        if after < n {
            previous[after] = at;
        }
    }
    parts
}

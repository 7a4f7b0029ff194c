//! A window of consecutive documents: one score and one bit for each.

use crate::lexical::norms::LengthTable;
use crate::lexical::postings::posting::Posting;

/// How many consecutive documents share one bound and are scored together: their scores stay in the first-level
/// cache, and bounds are still tight. Half and twice as many were slower.
pub(crate) const WINDOW: u32 = 512;

/// How many words of 64 bits a window has.
pub(crate) const WORDS: usize = WINDOW as usize / 64;

const W: usize = WINDOW as usize;

/// Adds the shares of `run`, which lies in the window; returns the last sum.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "a place is taken modulo the window"
)]
pub(crate) fn accumulate(
    scores: &mut [i32; W],
    run: &[Posting],
    weight: f32,
    codes: &[u8; W],
    table: &LengthTable,
) -> i32 {
    let mut last = 0;
    for posting in run {
        let place = posting.document() as usize % W;
        scores[place] += table.share(weight, posting.frequency(), codes[place]);
        last = scores[place];
    }
    last
}

/// Who scores above `least` and above 0.
#[inline]
pub(crate) fn above(scores: &[i32; W], least: i32) -> [u64; WORDS] {
    let least = least.max(0);
    let mut found = [0; WORDS];
    for (word, scores) in found.iter_mut().zip(scores.as_chunks::<64>().0) {
        let mut flags = [0u8; 64];
        for (flag, &score) in flags.iter_mut().zip(scores) {
            *flag = u8::from(score > least);
        }
        for (byte, &flags) in flags.as_chunks::<8>().0.iter().enumerate() {
            // Moves the lowest bit of byte i to bit 56 + i, without a branch or a loop.
            let gathered = u64::from_le_bytes(flags).wrapping_mul(0x0102_0408_1020_4080) >> 56;
            *word |= gathered << (byte * 8);
        }
    }
    found
}

/// Marks a document.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "a place is taken modulo the window"
)]
pub(crate) fn set(bits: &mut [u64; WORDS], document: u32) {
    let place = document as usize % W;
    bits[place / 64] |= 1 << (place % 64);
}

/// Sets the scores of the marked documents to 0.
#[inline]
#[expect(
    clippy::indexing_slicing,
    reason = "a place is taken modulo the window"
)]
pub(crate) fn clear(scores: &mut [i32; W], marked: &[u64; WORDS]) {
    for (word, &bits) in marked.iter().enumerate() {
        let mut bits = bits;
        while bits != 0 {
            scores[(word * 64 + bits.trailing_zeros() as usize) % W] = 0;
            bits &= bits - 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_those_of_the_scores(
            some in prop::collection::vec((0usize..W, any::<i32>()), 0..200),
            least in -5i32..5,
        ) {
            let mut scores = [0; W];
            for (place, score) in some {
                scores[place] = score % 8;
            }
            let found = above(&scores, least);
            for (place, &score) in scores.iter().enumerate() {
                let bit = found[place / 64] >> (place % 64) & 1;
                prop_assert_eq!(bit == 1, score > least.max(0));
            }
            clear(&mut scores, &found);
            prop_assert_eq!(above(&scores, least), [0; WORDS]);
            let mut marked = [0; WORDS];
            set(&mut marked, 5 * WINDOW + 77);
            prop_assert_eq!(marked[1], 1 << 13);
        }
    }
}

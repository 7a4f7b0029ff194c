//! A window of consecutive documents: one score and one bit for each.

use super::norms::LengthTable;
use super::posting::Posting;

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
        for (part, scores) in scores.as_chunks::<16>().0.iter().enumerate() {
            // Compares sixteen at once; few parts have any.
            if scores
                .iter()
                .fold(false, |any, &score| any | (score > least))
            {
                for (bit, &score) in scores.iter().enumerate() {
                    *word |= u64::from(score > least) << (part * 16 + bit);
                }
            }
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

//! BM25 with whole-number scores.
//!
//! Scores are whole numbers: each term's share is rounded to a grid chosen per query, so a sum does not depend on
//! the order of its terms. That is what lets a pruned search return bit for bit what exhaustive scoring returns.

use aura_text::{Bm25, byte_to_length};

/// How many different lengths a byte tells apart.
const CODES: usize = 256;

/// The largest weight a term can have on the grid of scores.
pub(crate) const MAX_WEIGHT: f32 = 4_194_303.0;

/// What BM25 makes of lengths, for one average length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LengthTable {
    /// [`Bm25::norm`] by length code.
    factors: [f32; CODES],
}

impl LengthTable {
    pub(crate) fn new(average_length: f32) -> Self {
        let bm25 = Bm25::default();
        Self {
            factors: LENGTHS.map(|length| bm25.norm(length, average_length)),
        }
    }

    /// `weight · frequency / (frequency + factor of the length)`, rounded to a whole number.
    ///
    /// `weight` is at most [`MAX_WEIGHT`], below 2^22, so adding 1.5 · 2^23 leaves exactly the rounded number in the
    /// mantissa: the cheapest rounding there is. Grows with frequency and falls with length also after rounding.
    #[inline(always)]
    pub(crate) fn share(&self, weight: f32, frequency: u32, code: u8) -> i32 {
        const MAGIC: f32 = 12_582_912.0;
        #[expect(
            clippy::indexing_slicing,
            reason = "a byte is always inside 256 entries"
        )]
        let factor = self.factors[code as usize];
        let frequency = frequency as f32;
        let share = weight * frequency / (frequency + factor);
        (share + MAGIC).to_bits() as i32 - MAGIC.to_bits() as i32
    }
}

/// The length of each code, so that a table takes no more than a multiplication and an addition each.
static LENGTHS: [f32; CODES] = lengths();

const fn lengths() -> [f32; CODES] {
    let mut lengths = [0.0; CODES];
    let mut code = 0;
    while code < CODES {
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            lengths[code] = byte_to_length(code as u8) as f32;
        }
        code += 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shares_are_rounded_and_monotone() {
        let table = LengthTable::new(20.0);
        for weight in [0.0, 0.3, 1.0, 17.5, 1_000_000.0, MAX_WEIGHT] {
            for code in 0..=255u8 {
                let mut last = 0;
                for frequency in 1..=63 {
                    let share = table.share(weight, frequency, code);
                    let norm = Bm25::default().norm(byte_to_length(code) as f32, 20.0);
                    let exact = weight * frequency as f32 / (frequency as f32 + norm);
                    assert!(
                        (share as f32 - exact).abs() <= 0.5 + exact * 1e-6,
                        "{share} {exact}"
                    );
                    assert!(share >= last);
                    assert!(code == 255 || share >= table.share(weight, frequency, code + 1));
                    last = share;
                }
            }
        }
    }
}

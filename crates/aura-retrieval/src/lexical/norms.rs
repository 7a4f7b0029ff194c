//! Document lengths in one byte, and BM25 with whole-number scores.
//!
//! Scores are whole numbers: each term's share is rounded to a grid chosen per query, so a sum does not depend on
//! the order of its terms. That is what lets a pruned search return bit for bit what exhaustive scoring returns.

/// How many different lengths a code tells apart.
pub(crate) const CODES: usize = 256;

/// The byte for a length: exact below 128, then sixteen steps an octave (at most 6 % apart) up to 32,767.
pub(crate) fn encode_length(length: u32) -> u8 {
    if length < 128 {
        return length as u8;
    }
    let length = length.min(32_767);
    let octave = length.ilog2();
    let step = (length >> (octave - 4)) & 15;
    (128 + (octave - 7) * 16 + step) as u8
}

/// The shortest length with this code.
pub(crate) const fn decode_length(code: u8) -> u32 {
    let code = code as u32;
    if code < 128 {
        return code;
    }
    let (octave, step) = ((code - 128) / 16, (code - 128) % 16);
    (16 + step) << (octave + 3)
}

/// `k1` of BM25: how soon repeated words stop counting. The usual value, and the best measured for chats.
pub(crate) const K1: f32 = 1.2;

/// `b` of BM25: how much long documents are discounted. The usual value, and the best measured for chats.
pub(crate) const B: f32 = 0.75;

/// The largest weight a term can have on the grid of scores.
pub(crate) const MAX_WEIGHT: f32 = 4_194_303.0;

/// The inverse document frequency of Robertson and Zaragoza 2009, kept positive by adding 1.
pub(crate) fn idf(documents: u64, frequency: u64) -> f32 {
    let (documents, frequency) = (documents as f64, frequency as f64);
    (1.0 + (documents - frequency).max(0.0) / (frequency + 0.5) + 0.5 / (frequency + 0.5)).ln()
        as f32
}

/// What BM25 makes of lengths, for one average length.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LengthTable {
    /// `k1 · (1 − b + b · length / average)` by length code.
    factors: [f32; CODES],
}

impl LengthTable {
    pub(crate) fn new(average_length: f32) -> Self {
        let slope = K1 * B / average_length.max(1.0);
        let mut factors = [0.0; CODES];
        for (factor, length) in factors.iter_mut().zip(&LENGTHS) {
            *factor = K1 * (1.0 - B) + slope * length;
        }
        Self { factors }
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

/// The length of each code.
static LENGTHS: [f32; CODES] = lengths();

const fn lengths() -> [f32; CODES] {
    let mut lengths = [0.0; CODES];
    let mut code = 0;
    while code < CODES {
        #[expect(clippy::indexing_slicing, reason = "evaluated by the compiler")]
        {
            lengths[code] = decode_length(code as u8) as f32;
        }
        code += 1;
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_are_exact_for_short_documents_and_close_for_long_ones() {
        for length in 0..40_000 {
            let decoded = decode_length(encode_length(length));
            if length < 128 {
                assert_eq!(decoded, length);
            } else if length < 32_768 {
                assert!(
                    decoded <= length && f64::from(length - decoded) < f64::from(length) / 16.0,
                    "{length}"
                );
            }
            assert!(encode_length(length) <= encode_length(length + 1));
        }
        assert_eq!(encode_length(u32::MAX), u8::MAX);
        assert!((0..=255).all(|code| encode_length(decode_length(code)) == code));
    }

    #[test]
    fn shares_are_rounded_and_monotone() {
        let table = LengthTable::new(20.0);
        for weight in [0.0, 0.3, 1.0, 17.5, 1_000_000.0, MAX_WEIGHT] {
            for code in 0..=255u8 {
                let mut last = 0;
                for frequency in 1..=63 {
                    let share = table.share(weight, frequency, code);
                    let length = decode_length(code) as f32;
                    let exact = weight * frequency as f32
                        / (frequency as f32 + 1.2 * (0.25 + 0.75 * length / 20.0));
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

    #[test]
    fn rare_terms_weigh_more_and_none_weighs_nothing() {
        assert!(idf(1_000, 1) > idf(1_000, 2));
        assert!(idf(1_000, 1_000) > 0.0);
        assert!(idf(0, 0) > 0.0);
        assert!((idf(100, 10) - (1.0f32 + 90.5 / 10.5).ln()).abs() < 1e-6);
    }
}

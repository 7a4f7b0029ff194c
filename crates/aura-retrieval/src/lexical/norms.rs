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
pub(crate) fn decode_length(code: u8) -> u32 {
    let code = u32::from(code);
    if code < 128 {
        return code;
    }
    let (octave, step) = ((code - 128) / 16, (code - 128) % 16);
    (16 + step) << (octave + 3)
}

/// The BM25 parameters of Robertson and Zaragoza 2009; `k1` 1.2 and `b` .75 as measured for chats.
#[derive(Debug, Clone, Copy)]
pub(crate) struct LengthTable {
    /// `k1 · (1 − b + b · length / average)` by length code.
    factors: [f32; CODES],
}

/// `k1` of BM25: how soon repeated words stop counting.
pub(crate) const K1: f32 = 1.2;
/// `b` of BM25: how much long documents are discounted.
pub(crate) const B: f32 = 0.75;

impl LengthTable {
    pub(crate) fn new(average_length: f32) -> Self {
        let slope = K1 * B / average_length.max(1.0);
        let mut factors = [0.0; CODES];
        for (factor, length) in factors.iter_mut().zip(LENGTHS.iter()) {
            *factor = K1 * (1.0 - B) + slope * length;
        }
        Self { factors }
    }

    /// `weight · frequency / (frequency + factor of the length)`, rounded to a whole number.
    ///
    /// `weight` is below 2^22, so adding 1.5 · 2^23 leaves exactly the rounded number in the mantissa: that is
    /// the cheapest rounding there is, and it vectorizes.
    #[inline(always)]
    pub(crate) fn share(&self, weight: f32, frequency: u32, code: u8) -> i32 {
        const MAGIC: f32 = 12_582_912.0;
        #[expect(clippy::indexing_slicing, reason = "a byte is always inside 256 entries")]
        let factor = self.factors[code as usize];
        let frequency = frequency as f32;
        let share = weight * frequency / (frequency + factor);
        (share + MAGIC).to_bits() as i32 - MAGIC.to_bits() as i32
    }
}

static LENGTHS: [f32; CODES] = {
    let mut lengths = [0.0; CODES];
    let mut code = 0;
    while code < CODES {
        lengths[code] = if code < 128 {
            code as f32
        } else {
            ((16 + (code - 128) % 16) << ((code - 128) / 16 + 3)) as f32
        };
        code += 1;
    }
    lengths
};

//! Document lengths in one byte.
//!
//! Lengths up to 40 are kept exactly, longer ones with four significant bits (at most 1/8 too short): enough for ranking, and
//! it turns the length norm into a table of 256 entries. The coding is that of Lucene's `SmallFloat.intToByte4`.

/// Lengths below this are stored as they are; the float coding would waste codes on them.
const EXACT: u32 = 24;
/// Longer than any text; keeps the code within a byte.
const LONGEST: u32 = i32::MAX as u32;

/// The byte for a length in terms; rises with the length.
///
/// ```
/// use aura_text::{byte_to_length, length_to_byte};
/// assert_eq!(byte_to_length(length_to_byte(33)), 33);
/// assert_eq!(byte_to_length(length_to_byte(1000)), 984);
/// ```
#[must_use]
pub const fn length_to_byte(length: u32) -> u8 {
    if length < EXACT {
        return length as u8;
    }
    let length = if length < LONGEST { length } else { LONGEST };
    let rest = length - EXACT;
    let bits = u32::BITS - rest.leading_zeros();
    let code = if bits < 4 {
        rest
    } else {
        let shift = bits - 4;
        ((rest >> shift) & 0x07) | ((shift + 1) << 3)
    };
    (EXACT + code) as u8
}

/// The smallest length that has this byte.
#[must_use]
pub const fn byte_to_length(byte: u8) -> u32 {
    let byte = byte as u32;
    if byte < EXACT {
        return byte;
    }
    let code = byte - EXACT;
    let (bits, shift) = (code & 0x07, code >> 3);
    let rest = match shift {
        0 => bits,
        _ => (bits | 0x08) << (shift - 1),
    };
    EXACT + rest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_lengths_are_exact() {
        for length in 0..=40 {
            assert_eq!(byte_to_length(length_to_byte(length)), length);
        }
    }

    #[test]
    fn codes_rise_with_the_length_and_lose_at_most_an_eighth() {
        let powers = (17..31).flat_map(|bit| [(1 << bit) - 1, 1 << bit, (1 << bit) + 1]);
        let mut last = 0;
        for length in (0..100_000).chain(powers).chain([LONGEST]) {
            let byte = length_to_byte(length);
            let back = byte_to_length(byte);
            assert!(
                back <= length && back >= length - length / 8,
                "{length} {back}"
            );
            assert!(byte >= last, "{length}");
            last = byte;
        }
        assert_eq!(length_to_byte(LONGEST), u8::MAX);
        assert_eq!(length_to_byte(u32::MAX), u8::MAX);
        assert!((1..=u8::MAX).all(|byte| byte_to_length(byte) > byte_to_length(byte - 1)));
    }
}

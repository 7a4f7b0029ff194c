//! Short byte strings as integers.

/// Fewer than eight bytes as a little-endian integer, by loads that overlap instead of a loop. Longer input gives 0.
#[inline]
pub(crate) fn partial_lane(bytes: &[u8]) -> u64 {
    let wide = |four: &[u8; 4]| u64::from(u32::from_le_bytes(*four));
    match (bytes.first_chunk::<4>(), bytes.last_chunk::<4>(), bytes) {
        (Some(low), Some(high), _) if bytes.len() < 8 => {
            wide(low) | wide(high) << ((bytes.len() - 4) * 8)
        }
        (_, _, &[a]) => u64::from(a),
        (_, _, &[a, b]) => u64::from(u16::from_le_bytes([a, b])),
        (_, _, &[a, b, c]) => u64::from(u32::from_le_bytes([a, b, c, 0])),
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lanes_are_the_bytes_in_little_endian_order() {
        let bytes = [0x11, 0x82, 0x33, 0xF4, 0x55, 0x96, 0x77];
        for len in 0..=bytes.len() {
            let mut padded = [0; 8];
            padded[..len].copy_from_slice(&bytes[..len]);
            assert_eq!(partial_lane(&bytes[..len]), u64::from_le_bytes(padded));
        }
    }
}

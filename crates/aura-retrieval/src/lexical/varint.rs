//! Numbers of variable length: seven bits a byte, least first, the high bit set on all but the last.

use aura_core::{Error, ErrorKind, Result};

pub(crate) fn put(out: &mut Vec<u8>, mut value: u64) {
    while value >= 0x80 {
        out.push(value as u8 | 0x80);
        value >>= 7;
    }
    out.push(value as u8);
}

/// Small for numbers near 0 of either sign.
pub(crate) fn put_signed(out: &mut Vec<u8>, value: i64) {
    put(out, (value << 1 ^ value >> 63) as u64);
}

pub(crate) fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

/// Reads what the functions above wrote; every reader checks, none panics.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Self {
        Self(bytes)
    }

    pub(crate) fn is_empty(self) -> bool {
        self.0.is_empty()
    }

    /// What is left.
    pub(crate) fn rest(self) -> &'a [u8] {
        self.0
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        let (byte, rest) = self.0.split_first().ok_or_else(too_short)?;
        self.0 = rest;
        Ok(*byte)
    }

    /// The next bytes, so many.
    #[inline]
    pub(crate) fn take(&mut self, bytes: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(bytes).ok_or_else(too_short)?;
        self.0 = rest;
        Ok(taken)
    }

    #[inline]
    pub(crate) fn number(&mut self) -> Result<u64> {
        match self.0.split_first() {
            Some((&byte, rest)) if byte < 0x80 => {
                self.0 = rest;
                Ok(u64::from(byte))
            }
            _ => self.long_number(),
        }
    }

    fn long_number(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            value |= u64::from(byte & 0x7F) << shift;
            if byte < 0x80 {
                return Ok(value);
            }
        }
        Err(corrupt("holds a number that is too long"))
    }

    #[inline]
    pub(crate) fn small(&mut self) -> Result<u32> {
        u32::try_from(self.number()?).map_err(|_| corrupt("holds a number that is too large"))
    }

    pub(crate) fn signed(&mut self) -> Result<i64> {
        let value = self.number()?;
        Ok((value >> 1) as i64 ^ -((value & 1) as i64))
    }

    /// A number of things that take at least one byte each: bounded by what is left, so that no count can claim memory
    /// that the bytes do not back.
    pub(crate) fn count(&mut self) -> Result<usize> {
        let count = self.number()?;
        if count > self.0.len() as u64 {
            return Err(corrupt("counts more than it holds"));
        }
        Ok(count as usize)
    }

    pub(crate) fn bytes(&mut self) -> Result<&'a [u8]> {
        let length = self.count()?;
        self.take(length)
    }
}

fn too_short() -> Error {
    corrupt("ends too early")
}

/// The error of a damaged segment.
pub(crate) fn corrupt(problem: &str) -> Error {
    Error::new(ErrorKind::Corrupt, format!("a lexical segment {problem}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn numbers_survive(values in prop::collection::vec((any::<u64>(), any::<i64>(), 0u32..64), 0..50)) {
            let mut bytes = Vec::new();
            for &(value, signed, shift) in &values {
                put(&mut bytes, value >> shift);
                put_signed(&mut bytes, signed >> shift);
            }
            put_bytes(&mut bytes, b"end");
            let mut reader = Reader::new(&bytes);
            for &(value, signed, shift) in &values {
                prop_assert_eq!(reader.number().unwrap(), value >> shift);
                prop_assert_eq!(reader.signed().unwrap(), signed >> shift);
            }
            prop_assert_eq!(reader.bytes().unwrap(), b"end");
            prop_assert!(reader.is_empty());
        }

        #[test]
        fn any_bytes_can_be_read(bytes in prop::collection::vec(any::<u8>(), 0..40)) {
            let mut reader = Reader::new(&bytes);
            while reader.bytes().is_ok() && !reader.is_empty() {}
            let mut reader = Reader::new(&bytes);
            while reader.small().is_ok() {}
        }
    }
}

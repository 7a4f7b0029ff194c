//! A vector in 16 bits a number: how it is stored, searched, and read back.
//!
//! A vector is scaled to length 1 and each number divided by the vector's own unit, so that the greatest takes the
//! whole range. Against 32 bits this changes a cosine by about 0.00001, and takes half the room.

use aura_core::{Digest, Error, ErrorKind, Result};

/// The most numbers a vector may have.
pub const MAX_DIMENSION: usize = 8192;

/// Changes with the form of the bytes.
const FORM: u8 = 1;
/// The form and four bytes of a digest.
const HEAD: usize = 5;
/// The greatest number: its upper byte, rounded, is still 127.
pub(super) const GREATEST: i16 = 127 * 256;

/// The bytes of a message's vectors.
///
/// # Errors
/// `Invalid` naming `vectors`, when there is none, their dimension differs, a number is not finite, or all of one are 0.
pub(super) fn encode(dimension: usize, vectors: &[Vec<f32>]) -> Result<Vec<u8>> {
    if vectors.is_empty() {
        return Err(invalid("vectors", "there is none"));
    }
    let mut out = vec![FORM, 0, 0, 0, 0];
    out.reserve_exact(vectors.len() * (4 + 2 * dimension));
    for vector in vectors {
        let vector = unit("vectors", dimension, vector)?;
        let unit = greatest(&vector) / f64::from(GREATEST);
        out.extend_from_slice(&(unit as f32).to_le_bytes());
        for number in vector {
            out.extend_from_slice(&((number / unit).round() as i16).to_le_bytes());
        }
    }
    let check = check(out.get(HEAD..).unwrap_or_default());
    if let Some(place) = out.get_mut(1..HEAD) {
        place.copy_from_slice(&check);
    }
    Ok(out)
}

/// One vector read back: its unit, and its numbers as bytes.
pub(super) struct Encoded<'a> {
    /// By what its numbers are multiplied.
    pub(super) unit: f32,
    bytes: &'a [u8],
}

impl Encoded<'_> {
    /// Its numbers.
    pub(super) fn numbers(&self) -> impl Iterator<Item = i16> {
        let (pairs, _) = self.bytes.as_chunks::<2>();
        pairs.iter().map(|pair| i16::from_le_bytes(*pair))
    }
}

/// The vectors in the bytes of a message.
///
/// # Errors
/// `Corrupt`, when they are damaged or of another form or dimension.
pub(super) fn decode(dimension: usize, bytes: &[u8]) -> Result<Vec<Encoded<'_>>> {
    let parsed = || {
        let (form, rest) = bytes.split_first()?;
        let (digest, rest) = rest.split_first_chunk::<4>()?;
        let size = 4 + 2 * dimension;
        if *form != FORM || *digest != check(rest) || rest.is_empty() || rest.len() % size != 0 {
            return None;
        }
        let vectors = rest.chunks_exact(size).map(|vector| {
            let (unit, bytes) = vector.split_first_chunk::<4>()?;
            let unit = f32::from_le_bytes(*unit);
            let vector = Encoded { unit, bytes };
            let sound = vector
                .numbers()
                .all(|number| number.unsigned_abs() <= 127 * 256);
            (unit > 0.0 && unit.is_finite() && sound).then_some(vector)
        });
        vectors.collect::<Option<Vec<_>>>()
    };
    parsed().ok_or_else(|| {
        Error::new(
            ErrorKind::Corrupt,
            "stored vectors are damaged or of another form or dimension",
        )
    })
}

fn check(bytes: &[u8]) -> [u8; 4] {
    let [a, b, c, d, ..] = *Digest::of(bytes).as_bytes();
    [a, b, c, d]
}

/// A number of 16 bits as an upper byte, rounded, and what is left of it.
pub(super) const fn halves(number: i16) -> (i8, i8) {
    let high = ((number as i32 + 128) >> 8) as i8;
    (high, (number as i32 - high as i32 * 256) as i8)
}

/// A query in whole numbers, as fine as exact sums in 32 bits allow.
pub(super) struct Query {
    /// Its numbers.
    pub(super) numbers: Vec<i16>,
    /// By what they are multiplied.
    pub(super) unit: f32,
    /// How far, at most, they are from the query together.
    pub(super) error: f32,
}

impl Query {
    /// # Errors
    /// `Invalid` naming `query`, when the dimension differs, a number is not finite, or all are 0.
    pub(super) fn of(dimension: usize, query: &[f32]) -> Result<Self> {
        let vector = unit("query", dimension, query)?;
        // A product of two halves is at most 128 times this in each of `dimension` places.
        let most = (i32::MAX as f64 / (128.0 * dimension as f64)).min(f64::from(GREATEST));
        let unit = greatest(&vector) / most.floor();
        let numbers: Vec<i16> = vector
            .iter()
            .map(|number| (number / unit).round() as i16)
            .collect();
        let error = vector.iter().zip(&numbers).map(|(number, whole)| {
            let off = number - f64::from(*whole) * unit;
            off * off
        });
        Ok(Self {
            error: error.sum::<f64>().sqrt() as f32,
            unit: unit as f32,
            numbers,
        })
    }
}

/// A vector scaled to length 1.
pub(super) fn unit(field: &'static str, dimension: usize, vector: &[f32]) -> Result<Vec<f64>> {
    if vector.len() != dimension {
        let problem = format!("has {} numbers and not {dimension}", vector.len());
        return Err(invalid(field, problem));
    }
    if vector.iter().any(|number| !number.is_finite()) {
        return Err(invalid(field, "has a number that is not finite"));
    }
    let square: f64 = vector
        .iter()
        .map(|number| f64::from(*number) * f64::from(*number))
        .sum();
    if square == 0.0 {
        return Err(invalid(field, "has only zeros"));
    }
    let length = square.sqrt();
    Ok(vector
        .iter()
        .map(|number| f64::from(*number) / length)
        .collect())
}

fn greatest(vector: &[f64]) -> f64 {
    vector
        .iter()
        .fold(0.0, |most, number| f64::max(most, number.abs()))
}

pub(super) fn invalid(field: &'static str, problem: impl std::fmt::Display) -> Error {
    Error::invalid_field("vector", field, problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wave(dimension: usize, seed: f32) -> Vec<f32> {
        (1..=dimension).map(|n| (n as f32 * seed).sin()).collect()
    }

    #[test]
    fn what_is_encoded_comes_back_nearly_the_same() {
        for dimension in [1, 3, 384, 1024] {
            let vectors = vec![wave(dimension, 0.7), wave(dimension, 1.3)];
            let bytes = encode(dimension, &vectors).unwrap();
            assert_eq!(bytes.len(), 5 + 2 * (4 + 2 * dimension));
            for (vector, read) in vectors.iter().zip(decode(dimension, &bytes).unwrap()) {
                let unit = unit("vectors", dimension, vector).unwrap();
                let off: f64 = unit
                    .iter()
                    .zip(read.numbers())
                    .map(|(a, b)| (a - f64::from(b) * f64::from(read.unit)).powi(2))
                    .sum();
                assert!(off.sqrt() < 1e-4, "{off}");
            }
        }
    }

    #[test]
    fn halves_make_the_whole() {
        for number in -GREATEST..=GREATEST {
            let (high, low) = halves(number);
            assert_eq!(i32::from(high) * 256 + i32::from(low), i32::from(number));
        }
    }

    #[test]
    fn bad_vectors_are_refused_by_name() {
        let cases: [&[Vec<f32>]; 5] = [
            &[],
            &[vec![1.0, 2.0, 3.0]],
            &[vec![1.0, f32::NAN]],
            &[vec![f32::INFINITY, 1.0]],
            &[vec![1.0, 0.5], vec![0.0, -0.0]],
        ];
        for case in cases {
            let error = encode(2, case).unwrap_err();
            assert_eq!(
                (error.kind(), error.field()),
                (ErrorKind::Invalid, Some("vectors"))
            );
        }
        assert_eq!(
            Query::of(2, &[0.0, f32::NAN]).err().unwrap().field(),
            Some("query")
        );
        assert!(encode(2, &[vec![f32::MAX, f32::MIN_POSITIVE]]).is_ok());
    }

    #[test]
    fn any_damage_is_seen() {
        let good = encode(4, &[wave(4, 0.3)]).unwrap();
        for at in 0..good.len() {
            let mut bad = good.clone();
            bad[at] ^= 1;
            assert_eq!(
                decode(4, &bad).err().unwrap().kind(),
                ErrorKind::Corrupt,
                "byte {at}"
            );
            assert!(decode(4, &good[..at]).is_err());
        }
        assert!(decode(3, &good).is_err() && decode(2, &good).is_err());
    }
}

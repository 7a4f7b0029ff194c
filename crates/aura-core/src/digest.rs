//! BLAKE3 digests of content.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A BLAKE3 digest of 32 bytes; 64 lower-case hexadecimal digits in JSON.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of `bytes`.
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        Self(*blake3::hash(bytes).as_bytes())
    }

    /// A digest from its 32 bytes.
    #[must_use]
    pub const fn from_bytes(bytes: [u8; 32]) -> Self {
        Self(bytes)
    }

    /// The 32 bytes.
    #[must_use]
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }

    /// The first `digits` (at most 64) hexadecimal digits.
    #[must_use]
    pub fn prefix(&self, digits: usize) -> String {
        let mut text = self.to_string();
        text.truncate(digits);
        text
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(blake3::Hash::from_bytes(self.0).to_hex().as_str())
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        blake3::Hash::from_hex(text.as_bytes())
            .map(|hash| Self(*hash.as_bytes()))
            .map_err(|_| serde::de::Error::custom("not a digest of 64 hexadecimal digits"))
    }
}

/// Feeds a digest field by field, each with its length, so that no two different values share their bytes.
#[derive(Default)]
pub struct DigestBuilder(blake3::Hasher);

impl DigestBuilder {
    /// An empty builder.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one field.
    pub fn field(&mut self, bytes: &[u8]) -> &mut Self {
        self.0.update(&(bytes.len() as u64).to_le_bytes());
        self.0.update(bytes);
        self
    }

    /// Adds a field that may be absent; absent and empty differ.
    pub fn optional(&mut self, bytes: Option<&[u8]>) -> &mut Self {
        match bytes {
            Some(bytes) => {
                self.0.update(&[1]);
                self.field(bytes)
            }
            None => {
                self.0.update(&[0]);
                self
            }
        }
    }

    /// The digest of all fields so far.
    #[must_use]
    pub fn finish(&self) -> Digest {
        Digest(*self.0.finalize().as_bytes())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_do_not_run_together() {
        let digest = |fields: &[&str]| {
            let mut builder = DigestBuilder::new();
            for field in fields {
                builder.field(field.as_bytes());
            }
            builder.finish()
        };
        assert_ne!(digest(&["ab", "c"]), digest(&["a", "bc"]));
        let json = serde_json::to_string(&Digest::of(b"x")).unwrap();
        assert_eq!(
            serde_json::from_str::<Digest>(&json).unwrap(),
            Digest::of(b"x")
        );
    }
}

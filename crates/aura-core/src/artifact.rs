//! Artifacts: named, versioned bytes, and the handles that address them.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::digest::Digest;
use crate::error::{Error, Result};
use crate::id::TenantId;
use crate::time::Timestamp;

/// How many hexadecimal digits of the digest a handle carries (128 bits).
pub const HANDLE_DIGITS: usize = 32;

/// The address of an artifact: `artifact://<tenant>/<name>@<version>#<digest prefix>`.
///
/// Tenant and name are percent-encoded where they hold `/ @ # %` or white space, so any of them survives.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ArtifactHandle {
    /// The tenant that owns it.
    pub tenant: TenantId,
    /// Its name.
    pub name: String,
    /// Its version, from 1.
    pub version: u32,
    /// The first 32 hexadecimal digits of the digest of its bytes.
    pub digest: String,
}

impl ArtifactHandle {
    /// Whether `digest` is the digest that the handle was made from, as far as it tells.
    #[must_use]
    pub fn matches(&self, digest: &Digest) -> bool {
        digest.prefix(HANDLE_DIGITS) == self.digest
    }
}

/// Writes a text so that it cannot be taken for another part of an address.
pub(crate) fn encode(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let mut buffer = [0; 4];
    for character in text.chars() {
        if matches!(character, '/' | '@' | '#' | '%' | '"' | '<' | '>' | '\\')
            || character.is_whitespace()
            || character.is_control()
        {
            for byte in character.encode_utf8(&mut buffer).bytes() {
                write!(f, "%{byte:02X}")?;
            }
        } else {
            write!(f, "{character}")?;
        }
    }
    Ok(())
}

fn decode(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut bytes = text.bytes();
    while let Some(byte) = bytes.next() {
        if byte == b'%' {
            let pair = [bytes.next()?, bytes.next()?];
            out.push(u8::from_str_radix(std::str::from_utf8(&pair).ok()?, 16).ok()?);
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

impl fmt::Display for ArtifactHandle {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("artifact://")?;
        encode(self.tenant.as_str(), f)?;
        f.write_str("/")?;
        encode(&self.name, f)?;
        write!(f, "@{}#{}", self.version, self.digest)
    }
}

impl FromStr for ArtifactHandle {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let parsed = || -> Option<Self> {
            let rest = text.strip_prefix("artifact://")?;
            let (rest, digest) = rest.rsplit_once('#')?;
            let (rest, version) = rest.rsplit_once('@')?;
            let (tenant, name) = rest.split_once('/')?;
            let hex = digest
                .bytes()
                .all(|byte| matches!(byte, b'0'..=b'9' | b'a'..=b'f'));
            if digest.len() != HANDLE_DIGITS || !hex || name.is_empty() {
                return None;
            }
            Some(Self {
                tenant: TenantId::new(decode(tenant)?).ok()?,
                name: decode(name)?,
                version: version.parse().ok().filter(|version| *version > 0)?,
                digest: digest.to_owned(),
            })
        };
        parsed().ok_or_else(|| {
            Error::invalid_field(
                "artifact",
                "handle",
                "must be artifact://<tenant>/<name>@<version>#<32 hex digits>",
            )
        })
    }
}

impl Serialize for ArtifactHandle {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for ArtifactHandle {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let text = std::borrow::Cow::<'de, str>::deserialize(deserializer)?;
        text.parse()
            .map_err(|error: Error| serde::de::Error::custom(error.message()))
    }
}

/// What is known of an artifact beside its bytes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Artifact {
    /// Its address.
    pub handle: ArtifactHandle,
    /// The digest of its bytes.
    pub digest: Digest,
    /// How many bytes it has.
    pub bytes: u64,
    /// The media type, where known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mime: Option<String>,
    /// When it was stored.
    pub recorded_at: Timestamp,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_name_survives_and_versions_compare_as_numbers() {
        let handle = |name: &str, version| ArtifactHandle {
            tenant: TenantId::new("a/b c").unwrap(),
            name: name.to_owned(),
            version,
            digest: Digest::of(b"x").prefix(HANDLE_DIGITS),
        };
        for name in ["log.txt", "a@b#c/d%e", "日本 語", "\0\n"] {
            let text = handle(name, 17).to_string();
            assert_eq!(
                text.parse::<ArtifactHandle>().unwrap(),
                handle(name, 17),
                "{text}"
            );
        }
        assert!(handle("n", 9) < handle("n", 17));
        for bad in [
            "artifact://t/n@0#0",
            "artifact://t/n",
            "http://x",
            "artifact://t/@1#00000000000000000000000000000000",
        ] {
            assert!(bad.parse::<ArtifactHandle>().is_err(), "{bad}");
        }
    }
}

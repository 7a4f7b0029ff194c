//! Policy values with a JSON form of their own.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// A ceiling on recalled items.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum TopK {
    /// Budget and relevance floor decide.
    #[default]
    Auto,
    /// At most this many.
    AtMost(u32),
}

impl Serialize for TopK {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        match self {
            Self::Auto => serializer.serialize_str("auto"),
            Self::AtMost(k) => serializer.serialize_u32(*k),
        }
    }
}

impl<'de> Deserialize<'de> for TopK {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = TopK;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("\"auto\" or a whole number")
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<TopK, E> {
                if text == "auto" {
                    Ok(TopK::Auto)
                } else {
                    Err(E::custom("must be \"auto\" or a whole number"))
                }
            }
            fn visit_u64<E: serde::de::Error>(self, k: u64) -> std::result::Result<TopK, E> {
                u32::try_from(k)
                    .map(TopK::AtMost)
                    .map_err(|_| E::custom("is too large"))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

/// A span of time in whole seconds; JSON takes a number of seconds or a text such as `"6h"` and writes seconds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Seconds(pub u64);

impl Seconds {
    /// The span in milliseconds.
    #[must_use]
    pub const fn as_millis(self) -> i64 {
        let millis = self.0.saturating_mul(1000);
        if millis > i64::MAX as u64 {
            i64::MAX
        } else {
            millis as i64
        }
    }
}

impl Serialize for Seconds {
    fn serialize<S: Serializer>(&self, serializer: S) -> std::result::Result<S::Ok, S::Error> {
        serializer.serialize_u64(self.0)
    }
}

impl<'de> Deserialize<'de> for Seconds {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        struct Visitor;
        impl serde::de::Visitor<'_> for Visitor {
            type Value = Seconds;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a whole number of seconds or a text such as \"6h\"")
            }
            fn visit_u64<E: serde::de::Error>(
                self,
                seconds: u64,
            ) -> std::result::Result<Seconds, E> {
                Ok(Seconds(seconds))
            }
            fn visit_str<E: serde::de::Error>(self, text: &str) -> std::result::Result<Seconds, E> {
                jiff::SignedDuration::from_str(text)
                    .ok()
                    .and_then(|span| u64::try_from(span.as_secs()).ok())
                    .map(Seconds)
                    .ok_or_else(|| E::custom("is not a span of time such as \"6h\""))
            }
        }
        deserializer.deserialize_any(Visitor)
    }
}

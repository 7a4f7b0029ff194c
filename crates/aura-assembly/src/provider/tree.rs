//! JSON that keeps what it does not look into: numbers as they were written, keys in their order, deep values unparsed.

use std::borrow::Cow;
use std::fmt;

use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use serde_json::value::RawValue;

/// How deep a request is looked into: body, messages, message, content, block, its content, block, its source.
const DEPTH: u32 = 10;

/// A JSON value.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Tree<'a> {
    /// An object, its keys in their order.
    Object(Vec<(Cow<'a, str>, Tree<'a>)>),
    /// An array.
    Array(Vec<Tree<'a>>),
    /// A string, its escapes resolved.
    Text(Cow<'a, str>),
    /// Anything else, as it was written.
    Bare(Cow<'a, str>),
}

impl<'a> Tree<'a> {
    /// Reads JSON text; `None` when it is none.
    pub(crate) fn parse(text: &'a str) -> Option<Self> {
        let raw: &'a RawValue = serde_json::from_str(text).ok()?;
        Self::read(raw.get(), DEPTH)
    }

    fn read(text: &'a str, depth: u32) -> Option<Self> {
        match text.as_bytes().first() {
            Some(b'"') => Some(Self::Text(serde_json::from_str::<Str<'a>>(text).ok()?.0)),
            Some(b'[') if depth > 0 => {
                let items: Vec<&'a RawValue> = serde_json::from_str(text).ok()?;
                let items = items
                    .into_iter()
                    .map(|raw| Self::read(raw.get(), depth - 1));
                Some(Self::Array(items.collect::<Option<_>>()?))
            }
            Some(b'{') if depth > 0 => {
                let pairs = serde_json::from_str::<Pairs<'a>>(text).ok()?.0;
                let pairs = pairs
                    .into_iter()
                    .map(|(key, raw)| Some((key.0, Self::read(raw.get(), depth - 1)?)));
                Some(Self::Object(pairs.collect::<Option<_>>()?))
            }
            _ => Some(Self::Bare(Cow::Borrowed(text))),
        }
    }

    /// A string.
    pub(crate) fn text(text: impl Into<Cow<'a, str>>) -> Self {
        Self::Text(text.into())
    }

    /// JSON that was written by us or is a constant.
    pub(crate) fn bare(json: impl Into<Cow<'a, str>>) -> Self {
        Self::Bare(json.into())
    }

    /// An object of these keys.
    pub(crate) fn object<const N: usize>(pairs: [(&'static str, Self); N]) -> Self {
        let pairs = pairs.into_iter();
        Self::Object(
            pairs
                .map(|(key, value)| (Cow::Borrowed(key), value))
                .collect(),
        )
    }

    /// The value of a key, if this is an object that has it; of a key that stands twice the last.
    pub(crate) fn get(&self, key: &str) -> Option<&Self> {
        let Self::Object(pairs) = self else {
            return None;
        };
        let mut found = pairs.iter().rev();
        found.find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The first of several spellings of a key.
    pub(crate) fn either(&self, keys: [&str; 2]) -> Option<&Self> {
        keys.into_iter().find_map(|key| self.get(key))
    }

    /// The value of a key, to be changed.
    pub(crate) fn get_mut(&mut self, key: &str) -> Option<&mut Self> {
        let Self::Object(pairs) = self else {
            return None;
        };
        let mut found = pairs.iter_mut().rev();
        found.find(|(name, _)| name == key).map(|(_, value)| value)
    }

    /// The first of several spellings of a key, to be changed.
    pub(crate) fn either_mut(&mut self, keys: [&str; 2]) -> Option<&mut Self> {
        let key = keys.into_iter().find(|key| self.get(key).is_some())?;
        self.get_mut(key)
    }

    /// Sets a key of an object.
    pub(crate) fn set(&mut self, key: &'static str, value: Self) {
        if let Some(place) = self.get_mut(key) {
            *place = value;
        } else if let Self::Object(pairs) = self {
            pairs.push((Cow::Borrowed(key), value));
        }
    }

    /// Takes a key out of an object, however often it stands there; says whether it did.
    pub(crate) fn remove(&mut self, key: &str) -> bool {
        let Self::Object(pairs) = self else {
            return false;
        };
        let before = pairs.len();
        pairs.retain(|(name, _)| name != key);
        pairs.len() < before
    }

    /// The items, if this is an array.
    pub(crate) fn items(&self) -> Option<&[Self]> {
        match self {
            Self::Array(items) => Some(items),
            _ => None,
        }
    }

    /// The text, if this is a string.
    pub(crate) fn as_str(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The text under a key.
    pub(crate) fn str_of(&self, key: &str) -> Option<&str> {
        self.get(key).and_then(Self::as_str)
    }

    /// Whether the value under a key is this text.
    pub(crate) fn is(&self, key: &str, text: &str) -> bool {
        self.str_of(key) == Some(text)
    }

    /// Whether this is an object, looked into or not.
    pub(crate) fn is_object(&self) -> bool {
        match self {
            Self::Object(_) => true,
            Self::Bare(text) => text.starts_with('{'),
            _ => false,
        }
    }

    /// Whether this is `null`.
    pub(crate) fn is_null(&self) -> bool {
        matches!(self, Self::Bare(text) if text == "null")
    }

    /// The value under a key, unless it is absent or `null`.
    pub(crate) fn given(&self, key: &str) -> Option<&Self> {
        self.get(key).filter(|value| !value.is_null())
    }

    /// The JSON text.
    pub(crate) fn to_json(&self) -> String {
        let mut out = String::new();
        self.write(&mut out);
        out
    }

    fn write(&self, out: &mut String) {
        match self {
            Self::Object(pairs) => {
                out.push('{');
                for (at, (key, value)) in pairs.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    push_string(out, key);
                    out.push(':');
                    value.write(out);
                }
                out.push('}');
            }
            Self::Array(items) => {
                out.push('[');
                for (at, item) in items.iter().enumerate() {
                    if at > 0 {
                        out.push(',');
                    }
                    item.write(out);
                }
                out.push(']');
            }
            Self::Text(text) => push_string(out, text),
            Self::Bare(text) => out.push_str(text),
        }
    }
}

impl<'a> AsRef<Tree<'a>> for Tree<'a> {
    fn as_ref(&self) -> &Self {
        self
    }
}

/// Appends a JSON string.
pub(crate) fn push_string(out: &mut String, text: &str) {
    // A string can always be written.
    out.push_str(&serde_json::to_string(text).unwrap_or_default());
}

/// A string that borrows where it has no escapes.
struct Str<'a>(Cow<'a, str>);

impl<'de> Deserialize<'de> for Str<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Str<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("a string")
            }

            fn visit_borrowed_str<E>(self, text: &'de str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Borrowed(text)))
            }

            fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
                Ok(Str(Cow::Owned(text.to_owned())))
            }
        }
        deserializer.deserialize_str(Read)
    }
}

/// The pairs of an object, in their order.
struct Pairs<'a>(Vec<(Str<'a>, &'a RawValue)>);

impl<'de> Deserialize<'de> for Pairs<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Read;
        impl<'de> Visitor<'de> for Read {
            type Value = Pairs<'de>;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut pairs = Vec::new();
                while let Some(pair) = map.next_entry()? {
                    pairs.push(pair);
                }
                Ok(Pairs(pairs))
            }
        }
        deserializer.deserialize_map(Read)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_changed_stays_as_it_was() {
        let json = r#"{"b":1.00,"a":[1e400,{"x":"\u00e9\n","y":null}],"b":2}"#;
        let mut tree = Tree::parse(json).unwrap();
        assert_eq!(tree.to_json(), json.replace("\\u00e9", "é"));
        assert_eq!(tree.get("b"), Some(&Tree::bare("2")));
        tree.set("c", Tree::text("\""));
        assert!(tree.remove("b") && !tree.remove("b"));
        assert_eq!(
            tree.to_json(),
            r#"{"a":[1e400,{"x":"é\n","y":null}],"c":"\""}"#
        );
    }

    #[test]
    fn depth_has_an_end() {
        let deep = format!("{}{}", "[".repeat(100_000), "]".repeat(100_000));
        assert_eq!(Tree::parse(&deep).unwrap().to_json(), deep);
        for broken in ["", "{", "[1,]", "{\"a\" 1}", "nul", "\"\\ud800\"", "1 2"] {
            assert!(Tree::parse(broken).is_none(), "{broken}");
        }
    }
}

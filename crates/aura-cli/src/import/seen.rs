//! Message ids that come up again.

use std::collections::HashMap;
use std::collections::hash_map::Entry as Slot;

use super::entry::Entry;

/// What is known of a message id.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sight {
    /// It has not come up in its session.
    New,
    /// It has, with the same message.
    Repeated,
    /// It has, with another message.
    Contradicts,
}

/// The message ids of a whole import, at 16 bytes a message, so that a large file fits in memory.
///
/// Ids are known by 64 bits of their digest. Two different ids that agree in them (one chance in 10⁵ for ten million
/// messages) are reported as a contradiction, never dropped in silence.
#[derive(Debug, Default)]
pub struct Seen {
    ids: HashMap<u64, u64>,
}

impl Seen {
    /// Notes a message and says whether its id came up before in its session.
    pub fn note(&mut self, entry: &Entry) -> Sight {
        let mut id = blake3::Hasher::new();
        id.update(&(entry.session_id.as_str().len() as u64).to_le_bytes());
        id.update(entry.session_id.as_str().as_bytes());
        id.update(entry.message_id.as_bytes());
        let content = head(entry.message.digest().as_bytes());
        match self.ids.entry(head(id.finalize().as_bytes())) {
            Slot::Vacant(slot) => {
                slot.insert(content);
                Sight::New
            }
            Slot::Occupied(slot) if *slot.get() == content => Sight::Repeated,
            Slot::Occupied(_) => Sight::Contradicts,
        }
    }
}

/// The first 64 bits.
fn head(digest: &[u8; 32]) -> u64 {
    let [a, b, c, d, e, f, g, h, ..] = *digest;
    u64::from_le_bytes([a, b, c, d, e, f, g, h])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(session: &str, id: &str, text: &str) -> Entry {
        let line = serde_json::json!({
            "session_id": session, "message_id": id, "role": "user", "text": text,
        });
        Entry::parse(1, line.to_string().as_bytes())
            .unwrap()
            .unwrap()
    }

    #[test]
    fn an_id_counts_within_its_session() {
        let mut seen = Seen::default();
        let mut note = |session, id, text| seen.note(&entry(session, id, text));
        assert_eq!(note("s", "m", "a"), Sight::New);
        assert_eq!(note("s", "m", "a"), Sight::Repeated);
        assert_eq!(note("s", "m", "b"), Sight::Contradicts);
        assert_eq!(note("t", "m", "b"), Sight::New);
        assert_eq!(note("s", "n", "a"), Sight::New);
        // Session and id are not run together.
        assert_eq!(note("ab", "c", "a"), Sight::New);
        assert_eq!(note("a", "bc", "a"), Sight::New);
    }
}

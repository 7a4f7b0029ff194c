//! The key by which the log finds a turn: the number of its session and its id, short where the id is a UUID.

use aura_core::{Result, TurnId};
use uuid::Uuid;

use crate::sqlite::failure::damaged;

const TEXT: u8 = 0;
const UUID: u8 = 1;

/// The key of a turn.
pub(in crate::sqlite) fn encode(no: i64, turn_id: &TurnId) -> Vec<u8> {
    let text = turn_id.as_str();
    let mut key = Vec::with_capacity(5 + text.len().max(16));
    // Numbers of sessions stay below 2^31: `sessions::insert` sees to it.
    key.extend_from_slice(&(no as u32).to_be_bytes());
    let mut buffer = Uuid::encode_buffer();
    match Uuid::try_parse(text) {
        Ok(uuid) if uuid.hyphenated().encode_lower(&mut buffer) == text => {
            key.push(UUID);
            key.extend_from_slice(uuid.as_bytes());
        }
        _ => {
            key.push(TEXT);
            key.extend_from_slice(text.as_bytes());
        }
    }
    key
}

/// The id of the turn with this key.
///
/// # Errors
/// `Corrupt`, when it is no key.
pub(in crate::sqlite) fn decode(key: &[u8]) -> Result<TurnId> {
    let parsed = || -> Option<TurnId> {
        let (tag, id) = key.get(4..)?.split_first()?;
        match *tag {
            UUID => {
                let uuid = Uuid::from_slice(id).ok()?;
                let mut buffer = Uuid::encode_buffer();
                TurnId::new(uuid.hyphenated().encode_lower(&mut buffer)).ok()
            }
            TEXT => TurnId::new(std::str::from_utf8(id).ok()?).ok(),
            _ => None,
        }
    };
    parsed().ok_or_else(|| damaged("the id of a turn"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_id_comes_back_as_it_was_given() {
        let uuid = "018f2a3b-7c4d-7e5f-8a9b-0c1d2e3f4a5b";
        let ids = [
            uuid.to_owned(),
            uuid.to_uppercase(),
            uuid.replace('-', ""),
            format!("{{{uuid}}}"),
            "nul\0 和 é".to_owned(),
        ];
        let mut keys: Vec<_> = ids
            .iter()
            .map(|id| encode(7, &TurnId::new(id).unwrap()))
            .collect();
        for (id, key) in ids.iter().zip(&keys) {
            assert_eq!(decode(key).unwrap().as_str(), id);
        }
        assert_eq!(keys[0].len(), 21);
        keys.dedup();
        assert_eq!(keys.len(), ids.len());
    }
}

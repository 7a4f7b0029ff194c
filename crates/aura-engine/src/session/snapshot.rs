//! A session's state as bytes, so that opening a long session is fast. Damaged or foreign bytes are refused and the
//! state is built from the log instead.

use aura_core::{
    Digest, Error, ErrorKind, EventId, EventRange, MessageTokens, Result, TurnIndex, TurnStatus,
};
use serde::{Deserialize, Serialize};

use crate::parts::Parts;
use crate::session::data::SessionData;
use crate::session::turn_meta::{Events, MessageMeta, TurnMeta};

/// The name under which the store keeps it.
pub(crate) const NAME: &str = "session";

/// Changes with the form of the bytes.
const MAGIC: &[u8; 8] = b"aura-s01";

#[derive(Serialize, Deserialize)]
struct Head {
    /// Whose counts `messages` holds.
    counter: String,
    turns: Vec<TurnRow>,
    messages: Vec<MessageRow>,
}

/// Status, parent plus one, and pairs of the gap to the previous range and its length.
#[derive(Serialize, Deserialize)]
struct TurnRow(u8, u32, Vec<(u64, u64)>);

/// Turn, and the counts plus one each; all 0 where the message was not counted.
#[derive(Serialize, Deserialize)]
struct MessageRow(u32, u32, u32, u32);

/// Writes the state.
///
/// # Errors
/// `Internal`, when it cannot be encoded, which is a defect.
pub(crate) fn write(data: &SessionData, parts: &Parts) -> Result<Vec<u8>> {
    let head = Head {
        counter: parts.meter.counter().name().to_owned(),
        turns: data.turns.iter().map(TurnRow::of).collect(),
        messages: data.messages.iter().map(MessageRow::of).collect(),
    };
    let head = postcard::to_stdvec(&head).map_err(|error| {
        Error::new(ErrorKind::Internal, "a snapshot could not be encoded").caused_by(error)
    })?;
    let mut out = Vec::with_capacity(head.len() + 48);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(Digest::of(&head).as_bytes());
    out.extend_from_slice(&(head.len() as u64).to_le_bytes());
    out.extend_from_slice(&head);
    data.index.write_snapshot(data.seen, &mut out);
    Ok(out)
}

/// Reads a state back; its counts are dropped when they are another counter's.
///
/// # Errors
/// `Corrupt`, when the bytes are damaged, of another version or of another analyzer.
pub(crate) fn read(bytes: &[u8], parts: &Parts) -> Result<SessionData> {
    let corrupt = || {
        Error::new(
            ErrorKind::Corrupt,
            "the snapshot of a session is damaged or of another version",
        )
    };
    let (head, index) = split(bytes).ok_or_else(corrupt)?;
    let head: Head = postcard::from_bytes(head).map_err(|_| corrupt())?;
    let (index, seen) = parts.lexical.restore(index)?;
    let same_counter = head.counter == parts.meter.counter().name();
    let turns: Option<Vec<TurnMeta>> = head.turns.iter().map(TurnRow::meta).collect();
    let messages = head
        .messages
        .iter()
        .map(|row| row.meta(same_counter))
        .collect();
    Ok(SessionData::restored(
        seen,
        turns.ok_or_else(corrupt)?,
        messages,
        index,
    ))
}

fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (digest, rest) = rest.split_first_chunk::<32>()?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (head, index) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    (Digest::of(head).as_bytes() == digest).then_some((head, index))
}

impl TurnRow {
    fn of(turn: &TurnMeta) -> Self {
        let status = match turn.status {
            TurnStatus::Open => 0,
            TurnStatus::Complete => 1,
            TurnStatus::Failed => 2,
        };
        let mut end = 0;
        let ranges = turn.events.ranges().iter().map(|range| {
            let gap = range.first.0.wrapping_sub(end);
            end = range.last.0;
            (gap, range.last.0.wrapping_sub(range.first.0))
        });
        Self(
            status,
            turn.parent.map_or(0, |parent| parent.0.saturating_add(1)),
            ranges.collect(),
        )
    }

    fn meta(&self) -> Option<TurnMeta> {
        let status = match self.0 {
            0 => TurnStatus::Open,
            1 => TurnStatus::Complete,
            2 => TurnStatus::Failed,
            _ => return None,
        };
        let mut end: u64 = 0;
        let mut ranges = Vec::with_capacity(self.2.len());
        for (gap, length) in &self.2 {
            let first = end.checked_add(*gap)?;
            end = first.checked_add(*length)?;
            ranges.push(EventRange::new(EventId(first), EventId(end)));
        }
        Some(TurnMeta {
            status,
            parent: self.1.checked_sub(1).map(TurnIndex),
            events: Events::of(&ranges),
        })
    }
}

impl MessageRow {
    fn of(message: &MessageMeta) -> Self {
        match message.tokens() {
            Some(tokens) => {
                let plus_one = |count: u32| count.saturating_add(1);
                Self(
                    message.turn.0,
                    plus_one(tokens.native),
                    plus_one(tokens.excerpt),
                    plus_one(tokens.recall),
                )
            }
            None => Self(message.turn.0, 0, 0, 0),
        }
    }

    fn meta(&self, keep_counts: bool) -> MessageMeta {
        let turn = TurnIndex(self.0);
        match (
            self.1.checked_sub(1),
            self.2.checked_sub(1),
            self.3.checked_sub(1),
        ) {
            (Some(native), Some(excerpt), Some(recall)) if keep_counts => MessageMeta::counted(
                turn,
                MessageTokens {
                    native,
                    excerpt,
                    recall,
                },
            ),
            _ => MessageMeta::new(turn),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_survive() {
        let range = |first, last| EventRange::new(EventId(first), EventId(last));
        for events in [
            vec![],
            vec![range(3, 9)],
            vec![range(3, 4), range(7, 7), range(9, 30)],
        ] {
            let turn = TurnMeta {
                status: TurnStatus::Open,
                parent: Some(TurnIndex(0)),
                events: Events::of(&events),
            };
            assert_eq!(TurnRow::of(&turn).meta(), Some(turn));
        }
        let tokens = MessageTokens {
            native: 0,
            excerpt: 7,
            recall: 9,
        };
        let message = MessageMeta::counted(TurnIndex(3), tokens);
        assert_eq!(MessageRow::of(&message).meta(true).tokens(), Some(tokens));
        assert_eq!(MessageRow::of(&message).meta(false).tokens(), None);
        assert_eq!(
            MessageRow::of(&MessageMeta::new(TurnIndex(3)))
                .meta(true)
                .tokens(),
            None
        );
    }
}

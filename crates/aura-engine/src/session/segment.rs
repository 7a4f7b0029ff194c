//! A run of a session's messages as bytes: what the cache knows of them and of the turns that began among them, and
//! their part of the lexical index. The segments of a session follow each other from the first message on.

use aura_core::{
    Error, ErrorKind, EventId, EventRange, MessageTokens, Result, TurnIndex, TurnStatus,
};
use serde::{Deserialize, Serialize};

use crate::session::data::SessionData;
use crate::session::turn_meta::{Events, MessageMeta, TurnMeta};

/// Changes with the form of the bytes.
const MAGIC: &[u8; 8] = b"aura-g01";

/// The turns and messages of a run, as they stand in a segment.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Rows {
    turns: Vec<TurnRow>,
    messages: Vec<MessageRow>,
}

/// Status; how many turns before it the parent stands, 0 for none; pairs of the gap to the previous range and its length,
/// the first apart from the others, of which there are nearly never any.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TurnRow(u8, u32, (u64, u64), Vec<(u64, u64)>);

/// Turn, and the counts plus one each; all 0 where the message was not counted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct MessageRow(u32, u32, u32, u32);

impl Rows {
    /// The messages from the place `from` up to the place `to`, and the turns from index `first_turn` on that begin before
    /// `to`.
    pub(crate) fn of(data: &SessionData, from: usize, to: usize, first_turn: usize) -> Self {
        let messages = data.messages.get(from..to).unwrap_or_default();
        let end = messages
            .iter()
            .map(|message| message.turn.0 as usize + 1)
            .fold(first_turn, usize::max);
        let turns = data.turns.get(first_turn..end).unwrap_or_default();
        Self {
            turns: (first_turn..)
                .zip(turns)
                .map(|(index, turn)| TurnRow::of(turn, index, to as u64))
                .collect(),
            messages: messages.iter().map(MessageRow::of).collect(),
        }
    }

    pub(crate) fn turn_count(&self) -> usize {
        self.turns.len()
    }

    pub(crate) fn message_count(&self) -> usize {
        self.messages.len()
    }

    /// Appends turns and messages to those that stand before them; `None` for rows that fit no session.
    pub(crate) fn append_to(
        &self,
        turns: &mut Vec<TurnMeta>,
        messages: &mut Vec<MessageMeta>,
        keep_counts: bool,
    ) -> Option<()> {
        turns.reserve_exact(self.turns.len());
        for row in &self.turns {
            turns.push(row.meta(u32::try_from(turns.len()).ok()?)?);
        }
        let rows = self.messages.iter().map(|row| row.meta(keep_counts));
        messages.extend(rows);
        Some(())
    }
}

/// Writes a segment of rows and their part of the lexical index.
///
/// # Errors
/// `Internal`, when it cannot be encoded, which is a defect.
pub(crate) fn write(rows: &Rows, lexical: &[u8]) -> Result<Vec<u8>> {
    let rows = postcard::to_stdvec(rows).map_err(|error| {
        Error::new(ErrorKind::Internal, "a segment could not be encoded").caused_by(error)
    })?;
    let mut out = Vec::with_capacity(rows.len() + lexical.len() + 16);
    out.extend_from_slice(MAGIC);
    out.extend_from_slice(&(rows.len() as u64).to_le_bytes());
    out.extend_from_slice(&rows);
    out.extend_from_slice(lexical);
    Ok(out)
}

/// The rows of a segment and its part of the lexical index; `None` for bytes that are none of this version.
pub(crate) fn read(bytes: &[u8]) -> Option<(Rows, &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    let (rows, lexical) =
        rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
    Some((postcard::from_bytes(rows).ok()?, lexical))
}

impl TurnRow {
    /// The turn of an index as it was when there were `messages` messages.
    fn of(turn: &TurnMeta, index: usize, messages: u64) -> Self {
        let ranges = turn.events.ranges();
        // One that grew since may have changed its status since. Whoever reads the row looks up what is open.
        let grew = ranges.last().is_some_and(|last| last.last.0 > messages);
        let status = match turn.status {
            _ if grew => 0,
            TurnStatus::Open => 0,
            TurnStatus::Complete => 1,
            TurnStatus::Failed => 2,
        };
        let mut end = 0;
        let mut pairs = ranges.iter().map(|range| {
            let gap = range.first.0.wrapping_sub(end);
            end = range.last.0;
            (gap, range.last.0.wrapping_sub(range.first.0))
        });
        let parent = turn.parent.map_or(0, |parent| index - parent.0 as usize);
        Self(
            status,
            u32::try_from(parent).unwrap_or(0),
            pairs.next().unwrap_or_default(),
            pairs.collect(),
        )
    }

    fn meta(&self, index: u32) -> Option<TurnMeta> {
        let status = match self.0 {
            0 => TurnStatus::Open,
            1 => TurnStatus::Complete,
            2 => TurnStatus::Failed,
            _ => return None,
        };
        let parent = match self.1 {
            0 => None,
            distance => Some(TurnIndex(index.checked_sub(distance)?)),
        };
        let mut end: u64 = 0;
        let mut range = |&(gap, length): &(u64, u64)| {
            let first = end.checked_add(gap)?;
            end = first.checked_add(length)?;
            Some(EventRange::new(EventId(first), EventId(end)))
        };
        let events = match (self.2, &*self.3) {
            ((0, _), _) => Events::None,
            (first, []) => Events::One(range(&first)?),
            (first, more) => {
                let pairs = std::iter::once(&first).chain(more);
                Events::of(&pairs.map(range).collect::<Option<Vec<_>>>()?)
            }
        };
        Some(TurnMeta {
            status,
            parent,
            events,
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

    fn turn(status: TurnStatus, events: &[(u64, u64)]) -> TurnMeta {
        let ranges = events
            .iter()
            .map(|&(first, last)| EventRange::new(EventId(first), EventId(last)));
        TurnMeta {
            status,
            parent: Some(TurnIndex(0)),
            events: Events::of(&ranges.collect::<Vec<_>>()),
        }
    }

    #[test]
    fn rows_survive() {
        for events in [vec![], vec![(3, 9)], vec![(3, 4), (7, 7), (9, 30)]] {
            let turn = turn(TurnStatus::Failed, &events);
            assert_eq!(TurnRow::of(&turn, 7, 30).meta(7), Some(turn));
        }
        let tokens = MessageTokens {
            native: 0,
            excerpt: 7,
            recall: 9,
        };
        let message = MessageMeta::counted(TurnIndex(3), tokens);
        assert_eq!(MessageRow::of(&message).meta(true).tokens(), Some(tokens));
        assert_eq!(MessageRow::of(&message).meta(false).tokens(), None);
        let uncounted = MessageRow::of(&MessageMeta::new(TurnIndex(3)));
        assert_eq!(uncounted.meta(true).tokens(), None);
    }

    #[test]
    fn a_turn_that_goes_on_after_the_segment_counts_as_open() {
        let failed = turn(TurnStatus::Failed, &[(3, 4), (9, 9)]);
        let status = |messages| TurnRow::of(&failed, 2, messages).meta(2).unwrap().status;
        assert_eq!(status(9), TurnStatus::Failed);
        assert_eq!(status(8), TurnStatus::Open);
    }

    #[test]
    fn a_row_of_no_turn_is_refused() {
        assert_eq!(TurnRow(3, 0, (1, 0), Vec::new()).meta(2), None);
        assert_eq!(TurnRow(1, 3, (1, 0), Vec::new()).meta(2), None);
        assert_eq!(TurnRow(1, 1, (1, u64::MAX), Vec::new()).meta(2), None);
    }
}

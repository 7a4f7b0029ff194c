//! A run of a session's messages as bytes: what the cache knows of them and of the turns that began among them, and
//! their part of the lexical index. The segments of a session follow each other from the first message on.

use aura_core::{
    Error, ErrorKind, EventId, EventRange, MessageTokens, Result, TurnIndex, TurnStatus,
};
use serde::{Deserialize, Serialize};

use crate::session::data::SessionData;
use crate::session::turn_meta::{Events, MessageMeta, TurnMeta};

/// Changes with the form of the bytes.
const MAGIC: &[u8; 8] = b"aura-g02";

/// The turns and messages of a run, as they stand in a segment: small numbers, since most are differences to the row
/// before.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub(crate) struct Rows {
    turns: Vec<TurnRow>,
    messages: Vec<MessageRow>,
}

/// Status; how many turns before it the parent stands, 0 for none; how far after the first event of the turn before the
/// first one of this stands, and how many come after it; pairs of the gap to the previous range and its length for
/// further ranges, of which there are nearly never any. Without events all but the status and the parent is 0.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct TurnRow(u8, u32, i64, u64, Vec<(u64, u64)>);

/// How many turns after that of the message before its turn stands; its native tokens plus one, 0 where it was not
/// counted; how many more than these its other forms have.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct MessageRow(i32, u32, i32, i32);

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
        let mut first = 0;
        let turns = (first_turn..)
            .zip(turns)
            .map(|(index, turn)| TurnRow::of(turn, index, to as u64, &mut first))
            .collect();
        let mut turn = 0;
        let messages = messages
            .iter()
            .map(|message| MessageRow::of(message, &mut turn))
            .collect();
        Self { turns, messages }
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
        let mut first = 0;
        for row in &self.turns {
            turns.push(row.meta(u32::try_from(turns.len()).ok()?, &mut first)?);
        }
        let mut turn = 0;
        for row in &self.messages {
            messages.push(row.meta(keep_counts, &mut turn)?);
        }
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
    let (rows, lexical) = split(bytes)?;
    Some((postcard::from_bytes(rows).ok()?, lexical))
}

/// The part of the lexical index alone.
pub(crate) fn lexical_part(bytes: &[u8]) -> Option<&[u8]> {
    split(bytes).map(|(_, lexical)| lexical)
}

fn split(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (length, rest) = rest.split_first_chunk::<8>()?;
    rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)
}

impl TurnRow {
    /// The turn of an index as it was when there were `messages` messages; `first` is the first event of the turn before.
    fn of(turn: &TurnMeta, index: usize, messages: u64, first: &mut u64) -> Self {
        let ranges = turn.events.ranges();
        // One that grew since may have changed its status since. Whoever reads the row looks up what is open.
        let grew = ranges.last().is_some_and(|last| last.last.0 > messages);
        let status = match turn.status {
            _ if grew => 0,
            TurnStatus::Open => 0,
            TurnStatus::Complete => 1,
            TurnStatus::Failed => 2,
        };
        let parent = turn.parent.map_or(0, |parent| index - parent.0 as usize);
        let mut row = Self(status, u32::try_from(parent).unwrap_or(0), 0, 0, Vec::new());
        if let Some((one, more)) = ranges.split_first() {
            row.2 = one.first.0.wrapping_sub(*first).cast_signed();
            row.3 = one.len();
            *first = one.first.0;
            let mut end = one.last.0;
            row.4.extend(more.iter().map(|range| {
                let gap = range.first.0.wrapping_sub(end);
                end = range.last.0;
                (gap, range.len())
            }));
        }
        row
    }

    fn meta(&self, index: u32, first: &mut u64) -> Option<TurnMeta> {
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
        let range = |first: u64, length: u64| {
            let last = first.checked_add(length.checked_sub(1)?)?;
            Some(EventRange::new(EventId(first), EventId(last)))
        };
        let mut events = Events::None;
        if self.3 > 0 {
            *first = first.checked_add_signed(self.2)?;
            let one = range(*first, self.3)?;
            events = Events::One(one);
            if !self.4.is_empty() {
                let mut ranges = vec![one];
                let mut end = one.last.0;
                for &(gap, length) in &self.4 {
                    let next = range(end.checked_add(gap)?, length)?;
                    end = next.last.0;
                    ranges.push(next);
                }
                events = Events::of(&ranges);
            }
        }
        Some(TurnMeta {
            status,
            parent,
            events,
        })
    }
}

impl MessageRow {
    /// `turn` is that of the message before.
    fn of(message: &MessageMeta, turn: &mut u32) -> Self {
        let step = message.turn.0.wrapping_sub(*turn).cast_signed();
        *turn = message.turn.0;
        match message.tokens() {
            Some(tokens) => Self(
                step,
                tokens.native.saturating_add(1),
                tokens.excerpt.wrapping_sub(tokens.native).cast_signed(),
                tokens.recall.wrapping_sub(tokens.native).cast_signed(),
            ),
            None => Self(step, 0, 0, 0),
        }
    }

    fn meta(&self, keep_counts: bool, turn: &mut u32) -> Option<MessageMeta> {
        *turn = turn.checked_add_signed(self.0)?;
        let index = TurnIndex(*turn);
        Some(match self.1.checked_sub(1) {
            Some(native) if keep_counts => MessageMeta::counted(
                index,
                MessageTokens {
                    native,
                    excerpt: native.wrapping_add_signed(self.2),
                    recall: native.wrapping_add_signed(self.3),
                },
            ),
            _ => MessageMeta::new(index),
        })
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
        let turns = [
            vec![],
            vec![(3, 9)],
            vec![(3, 4), (7, 7), (9, 30)],
            vec![(1, 2)],
            vec![(40, 40)],
        ];
        let (mut written, mut read) = (0, 0);
        for (index, events) in (7..).zip(turns) {
            let turn = turn(TurnStatus::Failed, &events);
            let row = TurnRow::of(&turn, index, 50, &mut written);
            assert_eq!(row.meta(index as u32, &mut read), Some(turn));
        }
        let (mut written, mut read) = (0, 0);
        for (at, native) in [(3, 0), (5, 9), (4, u32::MAX - 1), (4, 7)] {
            let tokens = MessageTokens {
                native,
                excerpt: 7,
                recall: 90,
            };
            let message = MessageMeta::counted(TurnIndex(at), tokens);
            let row = MessageRow::of(&message, &mut written);
            let mut turn = read;
            assert_eq!(row.meta(false, &mut turn).unwrap().tokens(), None);
            let meta = row.meta(true, &mut read).unwrap();
            assert_eq!((meta.turn.0, meta.tokens()), (at, Some(tokens)));
        }
        let uncounted = MessageRow::of(&MessageMeta::new(TurnIndex(3)), &mut 1);
        let meta = uncounted.meta(true, &mut 1).unwrap();
        assert_eq!((meta.turn.0, meta.tokens()), (3, None));
    }

    #[test]
    fn a_turn_that_goes_on_after_the_segment_counts_as_open() {
        let failed = turn(TurnStatus::Failed, &[(3, 4), (9, 9)]);
        let status = |messages| {
            let row = TurnRow::of(&failed, 2, messages, &mut 0);
            row.meta(2, &mut 0).unwrap().status
        };
        assert_eq!(status(9), TurnStatus::Failed);
        assert_eq!(status(8), TurnStatus::Open);
    }

    #[test]
    fn a_row_of_no_turn_is_refused() {
        assert_eq!(TurnRow(3, 0, 1, 1, Vec::new()).meta(2, &mut 0), None);
        assert_eq!(TurnRow(1, 3, 1, 1, Vec::new()).meta(2, &mut 0), None);
        assert_eq!(TurnRow(1, 1, -1, 1, Vec::new()).meta(2, &mut 0), None);
        assert_eq!(TurnRow(1, 1, 9, u64::MAX, Vec::new()).meta(2, &mut 0), None);
        assert!(MessageRow(-1, 1, 0, 0).meta(true, &mut 0).is_none());
    }
}

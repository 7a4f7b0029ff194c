//! Reading the log: turns and messages.

use std::sync::Arc;

use aura_core::{
    EventId, EventRange, LargePart, Result, SessionKey, StoredMessage, TenantId, Timestamp, Turn,
    TurnId, TurnIndex, TurnRecord, TurnStatus,
};
use rusqlite::{CachedStatement, Connection, OptionalExtension, Row};

use crate::large;
use crate::ranges::merge;
use crate::sqlite::artifacts;
use crate::sqlite::encoding::{Body, decode};
use crate::sqlite::failure::{damaged, medium};
use crate::sqlite::position;
use crate::sqlite::query::{all, first, one};
use crate::sqlite::sessions::{self, Json};
use crate::sqlite::statements::{changes, log};
use crate::sqlite::turns::turn_key;

/// The status as the file writes it.
pub(super) const fn status_number(status: TurnStatus) -> u8 {
    match status {
        TurnStatus::Open => 0,
        TurnStatus::Complete => 1,
        TurnStatus::Failed => 2,
    }
}

fn status(number: u8) -> Result<TurnStatus> {
    match number {
        0 => Ok(TurnStatus::Open),
        1 => Ok(TurnStatus::Complete),
        2 => Ok(TurnStatus::Failed),
        _ => Err(damaged("the status of a turn")),
    }
}

/// At most `limit` turns from the index `from` on.
pub(super) fn turns(
    conn: &Connection,
    no: i64,
    from: TurnIndex,
    limit: usize,
) -> Result<Vec<Turn>> {
    let Some(first_pos) = seek(conn, no, from)? else {
        return Ok(Vec::new());
    };
    let span = (first_pos, *position::all_of(no).end());
    let mut turns = first(conn, log::TURNS, span, limit, turn_columns)?;
    apply_changes(conn, no, turns.iter_mut())?;
    Ok(turns)
}

/// At most `limit` turns with their messages from the index `from` on.
pub(super) fn turn_records(
    conn: &Connection,
    tenant: &TenantId,
    no: i64,
    from: TurnIndex,
    limit: usize,
) -> Result<Vec<TurnRecord>> {
    let Some(first_pos) = seek(conn, no, from)? else {
        return Ok(Vec::new());
    };
    let span = (first_pos, *position::all_of(no).end());
    let mut records = first(conn, log::TURN_BODIES, span, limit, |row| {
        let turn = match turn_columns(row)? {
            Ok(turn) => turn,
            Err(error) => return Ok(Err(error)),
        };
        let segment = Segment {
            first: position::event(row.get(0)?),
            turn: turn.index,
            recorded_at: turn.recorded_at,
            body: row.get_ref(7)?.as_blob()?,
        };
        let mut messages = Vec::new();
        let range = turn.events.first().copied();
        let read = range.map_or(Ok(()), |range| {
            segment.messages(conn, tenant, range, &mut messages)
        });
        Ok(read.map(|()| TurnRecord { turn, messages }))
    })?;
    apply_changes(conn, no, records.iter_mut().map(|record| &mut record.turn))?;
    for record in &mut records {
        let TurnRecord { turn, messages } = record;
        let rest = later_events(turn, messages);
        if rest.is_empty() {
            continue;
        }
        let mut holding = conn.prepare_cached(log::BODY_AT).map_err(medium)?;
        for range in rest {
            read_range(conn, &mut holding, tenant, no, range, messages)?;
        }
    }
    Ok(records)
}

/// The events of a turn after those in its first row.
fn later_events(turn: &Turn, read: &[Arc<StoredMessage>]) -> Vec<EventRange> {
    let last = read.last().map_or(EventId(0), |stored| stored.event_id);
    let rest = |range: &EventRange| {
        let first = range.first.max(last.next());
        Some(EventRange::new(first, range.last)).filter(|range| !range.is_empty())
    };
    turn.events.iter().filter_map(rest).collect()
}

/// A turn by its id.
pub(super) fn turn(conn: &Connection, no: i64, turn_id: &TurnId) -> Result<Option<Turn>> {
    let key = turn_key::encode(no, turn_id);
    let Some(turn) = one(conn, log::TURN, [&key], turn_columns)? else {
        return Ok(None);
    };
    let mut turn = turn?;
    apply_changes(conn, no, std::iter::once(&mut turn))?;
    Ok(Some(turn))
}

/// The messages of some ranges.
pub(super) fn messages(
    conn: &Connection,
    key: &SessionKey,
    ranges: &[EventRange],
) -> Result<Vec<Arc<StoredMessage>>> {
    let mut out = Vec::new();
    let Some(no) = sessions::number(conn, key)? else {
        return Ok(out);
    };
    let mut holding = conn.prepare_cached(log::BODY_AT).map_err(medium)?;
    for range in merge(ranges, EventId(u64::from(u32::MAX - 1))) {
        read_range(conn, &mut holding, &key.tenant, no, range, &mut out)?;
    }
    Ok(out)
}

/// The messages of a turn.
pub(super) fn messages_of(
    conn: &Connection,
    tenant: &TenantId,
    no: i64,
    turn: &Turn,
) -> Result<Vec<Arc<StoredMessage>>> {
    let mut out = Vec::new();
    let mut holding = conn.prepare_cached(log::BODY_AT).map_err(medium)?;
    for range in &turn.events {
        read_range(conn, &mut holding, tenant, no, *range, &mut out)?;
    }
    Ok(out)
}

/// Reads a range; `holding` is the prepared `BODY_AT`.
fn read_range(
    conn: &Connection,
    holding: &mut CachedStatement<'_>,
    tenant: &TenantId,
    no: i64,
    range: EventRange,
    out: &mut Vec<Arc<StoredMessage>>,
) -> Result<()> {
    let (first, last) = (
        position::of_event(no, range.first)?,
        position::of_event(no, range.last)?,
    );
    let mut take = |row: &Row<'_>| {
        let segment = Segment {
            first: position::event(row.get(0)?),
            turn: TurnIndex(row.get(2)?),
            recorded_at: Timestamp::from_millis_clamped(row.get(3)?),
            body: row.get_ref(4)?.as_blob()?,
        };
        let count: u32 = row.get(1)?;
        let read = segment.messages(conn, tenant, range, out);
        Ok(read.map(|()| segment.first.0 + u64::from(count)))
    };
    let bounds = (position::at(no, 0), first);
    let found = holding.query_row(bounds, &mut take).optional();
    let Some(next) = found.map_err(medium)?.transpose()? else {
        return Ok(());
    };
    // Rows are gapless, so the row after the one that holds the first event begins where that one ends.
    if next > range.last.0 {
        return Ok(());
    }
    let next = position::of_event(no, EventId(next))?;
    all(conn, log::BODIES, (next, last), take).map(drop)
}

/// A row of the log.
struct Segment<'a> {
    first: EventId,
    turn: TurnIndex,
    recorded_at: Timestamp,
    body: &'a [u8],
}

impl Segment<'_> {
    /// Its messages within `range`.
    fn messages(
        &self,
        conn: &Connection,
        tenant: &TenantId,
        range: EventRange,
        out: &mut Vec<Arc<StoredMessage>>,
    ) -> Result<()> {
        let mut body = Body::open(self.body)?;
        let mut event_id = self.first;
        while let Some(bytes) = body.next()? {
            if range.last < event_id {
                break;
            }
            if range.contains(event_id) && !bytes.is_empty() {
                let mut fetch = |digest: &_| artifacts::text(conn, tenant, digest);
                let (message, large) = decode(bytes, &mut fetch)?;
                let large_part = |large: large::Large| LargePart {
                    part: large.part,
                    handle: large::handle(tenant, &large.digest),
                };
                out.push(Arc::new(StoredMessage {
                    event_id,
                    turn: self.turn,
                    recorded_at: self.recorded_at,
                    message,
                    large_parts: large.into_iter().map(large_part).collect(),
                }));
            }
            event_id = event_id.next();
        }
        Ok(())
    }
}

/// The position of the first row of a turn: the first row after which there are more than `from` turns.
fn seek(conn: &Connection, no: i64, from: TurnIndex) -> Result<Option<i64>> {
    let row_at = |pos| {
        one(conn, log::TURNS_AT, (position::at(no, 0), pos), |row| {
            Ok((row.get::<_, i64>(0)?, row.get::<_, u32>(1)?))
        })
    };
    let Some((mut found, mut turns)) = row_at(*position::all_of(no).end())? else {
        return Ok(None);
    };
    if turns <= from.0 {
        return Ok(None);
    }
    let mut low = position::at(no, 1);
    if from.0 == 0 {
        return Ok(Some(low));
    }
    // Turns are much alike, so the place can be guessed from their number. Where that fails, halving bounds the search.
    let mut before = 0;
    let mut guesses = true;
    while low < found {
        let probe = match guesses {
            true => {
                let share = f64::from(from.0 - before) / f64::from(turns - before);
                low + ((found - low) as f64 * share) as i64
            }
            false => low + (found - low) / 2,
        };
        guesses = !guesses;
        match row_at(probe.clamp(low, found - 1))? {
            Some((pos, count)) if count > from.0 => (found, turns) = (pos, count),
            at => {
                low = probe.clamp(low, found - 1) + 1;
                before = at.map_or(before, |(_, count)| count);
            }
        }
    }
    Ok(Some(found))
}

/// The columns of `TURN`, `TURNS` and `TURN_BODIES`.
fn turn_columns(row: &Row<'_>) -> rusqlite::Result<Result<Turn>> {
    let first = position::event(row.get(0)?);
    let last = EventId(first.0 + u64::from(row.get::<_, u32>(1)?) - 1);
    let number: u8 = row.get(3)?;
    let parent: Option<u32> = row.get(4)?;
    let key = row.get_ref(6)?.as_blob()?;
    let index = TurnIndex(row.get(2)?);
    let recorded_at = Timestamp::from_millis_clamped(row.get(5)?);
    let turn = || {
        Ok(Turn {
            turn_id: turn_key::decode(key)?,
            index,
            status: status(number)?,
            parent: parent.map(TurnIndex),
            events: vec![EventRange::new(first, last)],
            recorded_at,
        })
    };
    Ok(turn())
}

/// Brings turns (ascending) up to what happened to them after their first row.
fn apply_changes<'a>(
    conn: &Connection,
    no: i64,
    turns: impl Iterator<Item = &'a mut Turn>,
) -> Result<()> {
    let mut turns = turns.peekable();
    let Some(first) = turns.peek() else {
        return Ok(());
    };
    let first = position::at(no, first.index.0);
    let mut turns: Vec<&mut Turn> = turns.collect();
    let last = turns
        .last()
        .map_or(first, |last| position::at(no, last.index.0));
    let changes = all(conn, changes::BETWEEN, (first, last), |row| {
        let events = row.get::<_, Json<Vec<[u64; 2]>>>(2)?.0;
        Ok(Ok((
            position::turn(row.get(0)?),
            row.get::<_, u8>(1)?,
            events,
        )))
    })?;
    for (index, number, events) in changes {
        let at = turns.binary_search_by_key(&index, |turn| turn.index);
        let Some(turn) = at.ok().and_then(|at| turns.get_mut(at)) else {
            continue;
        };
        turn.status = status(number)?;
        let range = |[first, last]: [u64; 2]| EventRange::new(EventId(first), EventId(last));
        turn.events = events.into_iter().map(range).collect();
    }
    Ok(())
}

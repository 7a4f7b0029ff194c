//! Vectors of messages, by session and model.

use aura_core::{
    EventId, Result, SessionId, SessionKey, StoredVector, TenantId, VectorSet, VectorStorage,
    VectorWrite,
};
use rusqlite::Connection;

use crate::refusal::{check_dimension, full_session, no_session};
use crate::sqlite::connections::WriteConnection;
use crate::sqlite::position;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::{self, Id};
use crate::sqlite::statements::vectors;
use crate::sqlite::store::SqliteStorage;

impl VectorStorage for SqliteStorage {
    fn put_vectors(&self, write: VectorWrite) -> Result<()> {
        self.write("put_vectors", move |writer| put(writer, &write))
    }

    fn vector_sets(&self, key: &SessionKey) -> Result<Vec<VectorSet>> {
        self.read("vector_sets", |conn| match sessions::number(conn, key)? {
            Some(no) => sets(conn, no),
            None => Ok(Vec::new()),
        })
    }

    fn vectors(
        &self,
        key: &SessionKey,
        model: &str,
        from: EventId,
        limit: usize,
    ) -> Result<Vec<StoredVector>> {
        self.read("vectors", |conn| match sessions::number(conn, key)? {
            Some(no) => read(conn, no, model, from, limit),
            None => Ok(Vec::new()),
        })
    }

    fn drop_vectors(&self, key: &SessionKey, model: &str) -> Result<bool> {
        let (key, model) = (key.clone(), model.to_owned());
        self.write("drop_vectors", move |writer| drop_set(writer, &key, &model))
    }

    fn unembedded(&self, model: &str, limit: usize) -> Result<Vec<SessionKey>> {
        self.read("unembedded", |conn| behind(conn, model, limit))
    }
}

fn put(writer: &mut WriteConnection, write: &VectorWrite) -> Result<()> {
    let session = writer.session(&write.key)?.ok_or_else(no_session)?.no;
    writer.guard()?;
    let conn = writer.conn();
    let next = position::low(position::of_event(0, write.next)?);
    let set = (session, &write.model, write.dimension, next);
    let stored = one(conn, vectors::PUT_SET, set, |row| {
        Ok((row.get::<_, i64>(0)?, row.get(1)?))
    })?;
    let (no, dimension) = stored.ok_or_else(full_session)?;
    check_dimension(dimension, write.dimension)?;
    if no >= 1 << 31 {
        return Err(full_session());
    }
    let purged = super::purge_seq(conn, session)? > 0;
    for vector in &write.vectors {
        if purged && !super::has_message(conn, session, vector.event_id)? {
            continue;
        }
        let pos = position::of_event(no, vector.event_id)?;
        run(conn, vectors::PUT, (pos, &vector.bytes))?;
    }
    Ok(())
}

fn sets(conn: &Connection, session: i64) -> Result<Vec<VectorSet>> {
    all(conn, vectors::SETS, [session], |row| {
        Ok(Ok(VectorSet {
            model: row.get(0)?,
            dimension: row.get(1)?,
            next: EventId(u64::from(row.get::<_, u32>(2)?)),
        }))
    })
}

fn read(
    conn: &Connection,
    session: i64,
    model: &str,
    from: EventId,
    limit: usize,
) -> Result<Vec<StoredVector>> {
    let Some(no) = number(conn, session, model)? else {
        return Ok(Vec::new());
    };
    let Ok(first) = position::of_event(no, from) else {
        return Ok(Vec::new());
    };
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    let span = (first, *position::all_of(no).end(), limit);
    all(conn, vectors::BETWEEN, span, |row| {
        Ok(Ok(StoredVector {
            event_id: position::event(row.get(0)?),
            bytes: row.get(1)?,
        }))
    })
}

fn drop_set(writer: &mut WriteConnection, key: &SessionKey, model: &str) -> Result<bool> {
    let session = writer.session(key)?.ok_or_else(no_session)?.no;
    let Some(no) = number(writer.conn(), session, model)? else {
        return Ok(false);
    };
    writer.guard()?;
    let span = position::all_of(no);
    run(
        writer.conn(),
        vectors::DELETE_BETWEEN,
        (span.start(), span.end()),
    )?;
    run(writer.conn(), vectors::DELETE_SET, [no])?;
    Ok(true)
}

fn behind(conn: &Connection, model: &str, limit: usize) -> Result<Vec<SessionKey>> {
    let limit = i64::try_from(limit).unwrap_or(i64::MAX);
    all(conn, vectors::BEHIND, (model, limit), |row| {
        Ok(Ok(SessionKey {
            tenant: row.get::<_, Id<TenantId>>(0)?.0,
            session_id: row.get::<_, Id<SessionId>>(1)?.0,
        }))
    })
}

/// The number of a session's set.
fn number(conn: &Connection, session: i64, model: &str) -> Result<Option<i64>> {
    one(conn, vectors::FIND_SET, (session, model), |row| row.get(0))
}

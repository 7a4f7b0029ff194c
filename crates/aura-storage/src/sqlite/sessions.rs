//! Sessions: finding, listing, creating.

use aura_core::{
    AgentId, Digest, Distilled, EventId, Result, Session, SessionId, SessionKey, SessionQuery,
    TenantId, Timestamp, TurnIndex, TurnWrite, UserId,
};
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ValueRef};
use rusqlite::{Connection, Row};

use crate::refusal::{check_tenant, deleted_session, full_session};
use crate::sqlite::position;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::statements::{log, sessions};

/// How many sessions a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

/// A session with its number in the file.
#[derive(Debug, Clone)]
pub(super) struct Known {
    pub(super) no: i64,
    pub(super) session: Session,
}

/// The number of the key's session, if it exists.
///
/// # Errors
/// `Denied`, if it is another tenant's; those of the medium.
pub(super) fn number(conn: &Connection, key: &SessionKey) -> Result<Option<i64>> {
    let id = key.session_id.as_str();
    let found = one(conn, sessions::OWNER, [id], |row| {
        Ok((row.get(0)?, row.get::<_, Id<TenantId>>(1)?.0))
    })?;
    let Some((no, tenant)) = found else {
        return Ok(None);
    };
    check_tenant(&tenant, key)?;
    Ok(Some(no))
}

/// The session as it is now, whoever's it is.
pub(super) fn load(conn: &Connection, session_id: &SessionId) -> Result<Option<Known>> {
    let found = one(conn, sessions::FIND, [session_id.as_str()], |row| {
        known(row)
    })?;
    found.map(|known| complete(conn, known)).transpose()
}

/// Sessions of a tenant by id.
pub(super) fn list(
    conn: &Connection,
    tenant: &TenantId,
    query: &SessionQuery,
) -> Result<Vec<Session>> {
    let limit = match query.limit {
        0 => DEFAULT_LIMIT,
        limit => limit,
    };
    let params = (
        tenant.as_str(),
        query.after.as_ref().map_or("", |after| after.as_str()),
        query.user.as_ref().map(|user| user.as_str()),
        query.agent.as_ref().map(|agent| agent.as_str()),
        limit,
    );
    all(conn, sessions::LIST, params, |row| {
        let known = known(row)?;
        Ok(complete(conn, known).map(|known| known.session))
    })
}

/// Whether a session of this id was deleted.
pub(super) fn is_buried(conn: &Connection, session_id: &SessionId) -> Result<bool> {
    let digest = Digest::of(session_id.as_str().as_bytes());
    let found: Option<i64> = one(conn, sessions::BURIED, [digest.as_bytes()], |row| {
        row.get(0)
    })?;
    Ok(found.is_some())
}

/// Makes the session of a write.
pub(super) fn insert(conn: &Connection, write: &TurnWrite) -> Result<Known> {
    if is_buried(conn, &write.key.session_id)? {
        return Err(deleted_session());
    }
    let params = (
        write.key.session_id.as_str(),
        write.key.tenant.as_str(),
        write.user.as_ref().map(|user| user.as_str()),
        write.agent.as_str(),
        write.recorded_at.as_millis(),
    );
    run(conn, sessions::INSERT, params)?;
    let no = conn.last_insert_rowid();
    if no >= 1 << 31 {
        return Err(full_session());
    }
    let session = Session {
        session_id: write.key.session_id.clone(),
        tenant: write.key.tenant.clone(),
        user: write.user.clone(),
        agent: write.agent.clone(),
        created_at: write.recorded_at,
        change_seq: 0,
        purge_seq: 0,
        head: None,
        turns: 0,
        last_event: EventId(0),
        distilled: Distilled::default(),
    };
    Ok(Known { no, session })
}

/// Writes the head and `change_seq` of a session that changed without an append.
pub(super) fn put_head(conn: &Connection, known: &Known) -> Result<()> {
    let session = &known.session;
    let head = session.head.map(|head| head.0);
    let params = (known.no, session.change_seq.cast_signed(), head);
    run(conn, sessions::SET_HEAD, params).map(drop)
}

/// The columns of the session's own row.
fn known(row: &Row<'_>) -> rusqlite::Result<Known> {
    let session = Session {
        session_id: row.get::<_, Id<SessionId>>(1)?.0,
        tenant: row.get::<_, Id<TenantId>>(2)?.0,
        user: row.get::<_, Option<Id<UserId>>>(3)?.map(|id| id.0),
        agent: row.get::<_, Id<AgentId>>(4)?.0,
        created_at: Timestamp::from_millis_clamped(row.get(5)?),
        change_seq: row.get::<_, i64>(6)?.cast_unsigned(),
        purge_seq: row.get::<_, i64>(7)?.cast_unsigned(),
        head: row.get::<_, Option<u32>>(8)?.map(TurnIndex),
        turns: 0,
        last_event: EventId(0),
        distilled: Distilled {
            next: row.get(9)?,
            open: row.get::<_, Json<Vec<TurnIndex>>>(10)?.0,
            commits: row.get::<_, i64>(11)?.cast_unsigned(),
        },
    };
    let no = row.get(0)?;
    Ok(Known { no, session })
}

/// Adds what the last row of the log says.
fn complete(conn: &Connection, mut known: Known) -> Result<Known> {
    let span = position::all_of(known.no);
    let session = &mut known.session;
    one(conn, log::LAST, (span.start(), span.end()), |row| {
        let first = position::event(row.get(0)?);
        let count: u32 = row.get(1)?;
        let change_seq = row.get::<_, i64>(2)?.cast_unsigned();
        session.last_event = EventId(first.0 + u64::from(count) - 1);
        session.turns = row.get(3)?;
        if change_seq > session.change_seq {
            session.change_seq = change_seq;
            session.head = row.get::<_, Option<u32>>(4)?.map(TurnIndex);
        }
        Ok(())
    })?;
    Ok(known)
}

/// An identifier in a column.
pub(super) struct Id<T>(pub(super) T);

impl<T: std::str::FromStr<Err = aura_core::Error>> FromSql for Id<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let id = value.as_str()?.parse().map_err(FromSqlError::other)?;
        Ok(Self(id))
    }
}

/// A value of ours as JSON in a column.
pub(super) struct Json<T>(pub(super) T);

impl<T: serde::de::DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let text = value.as_str()?;
        serde_json::from_str(text)
            .map(Self)
            .map_err(FromSqlError::other)
    }
}

//! Forgetting compilations, with all that hangs on them.

use aura_core::{CompilationPurge, Result};
use rusqlite::{Connection, Row};

use crate::sqlite::query::{all, one, run};
use crate::sqlite::statements::compilations;

/// How many are forgotten at once where no limit is given.
const DEFAULT_PURGE: u32 = 1_000;

/// A compilation to forget.
struct Doomed {
    no: i64,
    tenant: String,
    request_id: String,
    session_id: String,
}

/// Forgets compilations, the oldest of each tenant first; gives how many.
pub(super) fn forget(conn: &Connection, purge: &CompilationPurge) -> Result<u64> {
    let limit = match purge.limit {
        0 => DEFAULT_PURGE,
        limit => limit,
    };
    let mut left = limit;
    let mut tenant = match &purge.tenant {
        Some(tenant) => Some(tenant.to_string()),
        None => next_tenant(conn, "")?,
    };
    while let Some(owner) = tenant.take_if(|_| left > 0) {
        let found = doomed(conn, &owner, purge, left)?;
        for one in &found {
            forget_one(conn, one)?;
        }
        left = left.saturating_sub(u32::try_from(found.len()).unwrap_or(u32::MAX));
        if purge.tenant.is_none() {
            tenant = next_tenant(conn, &owner)?;
        }
    }
    Ok(u64::from(limit - left))
}

/// Makes room for another manifest of the same request; what it led to stays.
pub(super) fn replaced(conn: &Connection, tenant: &str, request: &str) -> Result<()> {
    let no = one(conn, compilations::NUMBER, (tenant, request), |row| {
        row.get(0)
    })?;
    match no {
        Some(no) => forget_inputs(conn, no),
        None => Ok(()),
    }
}

fn next_tenant(conn: &Connection, after: &str) -> Result<Option<String>> {
    let next = one(conn, compilations::NEXT_TENANT, [after], |row| row.get(0))?;
    Ok(next.flatten())
}

fn doomed(
    conn: &Connection,
    tenant: &str,
    purge: &CompilationPurge,
    limit: u32,
) -> Result<Vec<Doomed>> {
    let before = purge.before.map_or(i64::MAX, |before| before.as_millis());
    let read = |row: &Row<'_>| {
        Ok(Ok(Doomed {
            no: row.get(0)?,
            tenant: tenant.to_owned(),
            request_id: row.get(1)?,
            session_id: row.get(2)?,
        }))
    };
    match &purge.session_id {
        Some(session_id) => {
            let params = (tenant, before, limit, session_id.as_str());
            all(conn, compilations::DOOMED_OF_SESSION, params, read)
        }
        None => all(
            conn,
            compilations::DOOMED_OF_TENANT,
            (tenant, before, limit),
            read,
        ),
    }
}

fn forget_one(conn: &Connection, doomed: &Doomed) -> Result<()> {
    let Doomed {
        no,
        tenant,
        request_id,
        session_id,
    } = doomed;
    forget_inputs(conn, *no)?;
    let request = (tenant, request_id);
    run(conn, compilations::FORGET_OUTCOME, request)?;
    let of_session = (tenant, request_id, session_id);
    run(conn, compilations::FORGET_LINK, of_session)?;
    run(conn, compilations::FORGET_PLANS, of_session)?;
    Ok(())
}

/// Forgets a manifest, its inputs, and those parts that no other compilation has.
fn forget_inputs(conn: &Connection, no: i64) -> Result<()> {
    run(conn, compilations::FORGET, [no])?;
    run(conn, compilations::FORGET_CALL, [no])?;
    let inputs: Vec<i64> = all(conn, compilations::USES, [no], |row| row.get(0).map(Ok))?;
    run(conn, compilations::FORGET_USES, [no])?;
    for input in inputs {
        run(conn, compilations::FORGET_PART, [input])?;
    }
    Ok(())
}

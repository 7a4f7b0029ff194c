//! Running statements, prepared once a connection, with the engine's errors.

pub(in crate::sqlite) mod failure;
pub(in crate::sqlite) mod position;

use aura_core::Result;
use rusqlite::{Connection, OptionalExtension, Params, Row};

use crate::sqlite::failure::medium;
use crate::sqlite::statements::{BEGIN_READ, COMMIT};

/// Runs a statement that gives no rows; returns how many rows it changed.
pub(in crate::sqlite) fn run(conn: &Connection, sql: &str, params: impl Params) -> Result<usize> {
    let mut statement = conn.prepare_cached(sql).map_err(medium)?;
    statement.execute(params).map_err(medium)
}

/// The first row, if there is one.
pub(in crate::sqlite) fn one<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnOnce(&Row<'_>) -> rusqlite::Result<T>,
) -> Result<Option<T>> {
    let mut statement = conn.prepare_cached(sql).map_err(medium)?;
    statement.query_row(params, read).optional().map_err(medium)
}

/// All rows, until `read` fails.
pub(in crate::sqlite) fn all<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    read: impl FnMut(&Row<'_>) -> rusqlite::Result<Result<T>>,
) -> Result<Vec<T>> {
    first(conn, sql, params, usize::MAX, read)
}

/// At most `limit` rows, until `read` fails.
///
/// Better than a parameter in `LIMIT`: SQLite plans by its value, and prepares the statement anew for each use.
pub(in crate::sqlite) fn first<T>(
    conn: &Connection,
    sql: &str,
    params: impl Params,
    limit: usize,
    mut read: impl FnMut(&Row<'_>) -> rusqlite::Result<Result<T>>,
) -> Result<Vec<T>> {
    let mut statement = conn.prepare_cached(sql).map_err(medium)?;
    let mut rows = statement.query(params).map_err(medium)?;
    let mut out = Vec::new();
    while out.len() < limit
        && let Some(row) = rows.next().map_err(medium)?
    {
        out.push(read(row).map_err(medium)??);
    }
    Ok(out)
}

/// Reads inside one transaction, so that all statements see the same state.
pub(in crate::sqlite) fn together<T>(
    conn: &Connection,
    read: impl FnOnce() -> Result<T>,
) -> Result<T> {
    run(conn, BEGIN_READ, [])?;
    let result = read();
    // A read transaction has nothing to lose: where ending it fails, so does the next statement.
    let ended = run(conn, COMMIT, []);
    let value = result?;
    ended?;
    Ok(value)
}

//! Artifacts: versions by name or owner, and the large parts of messages that go.

use std::collections::BTreeMap;

use aura_core::{Digest, Layer, Result, TenantId, UserId};
use rusqlite::Connection;

use super::Erasing;
use crate::large;
use crate::sqlite::artifacts::pieces::parts_of;
use crate::sqlite::query::{all, one};
use crate::sqlite::statements::{artifacts, deletion};

/// A version of an artifact.
type Version = (String, u32, Digest);

/// Removes versions that a caller named; their numbers stay taken.
pub(super) fn erase(
    conn: &Connection,
    name: &str,
    version: Option<u32>,
    erasing: &mut Erasing,
) -> Result<()> {
    let tenant = erasing.receipt.tenant.to_string();
    let params = (&tenant, name, version);
    let found = all(conn, deletion::VERSIONS, params, |row| {
        let digest = Digest::from_bytes(row.get(2)?);
        Ok(Ok((row.get(0)?, row.get(1)?, digest)))
    })?;
    erase_versions(conn, &tenant, found, erasing)
}

/// Removes all versions that were stored for a user.
pub(super) fn erase_of_user(conn: &Connection, user: &UserId, erasing: &mut Erasing) -> Result<()> {
    erase_of(conn, deletion::VERSIONS_OF_USER, user.as_str(), erasing)
}

/// Removes all versions that were made for a session.
pub(super) fn erase_of_session(
    conn: &Connection,
    session_id: &str,
    erasing: &mut Erasing,
) -> Result<()> {
    erase_of(conn, deletion::VERSIONS_OF_SESSION, session_id, erasing)
}

fn erase_of(conn: &Connection, sql: &str, owner: &str, erasing: &mut Erasing) -> Result<()> {
    let tenant = erasing.receipt.tenant.to_string();
    let found = all(conn, sql, (&tenant, owner), |row| {
        let digest = Digest::from_bytes(row.get(2)?);
        Ok(Ok((row.get(0)?, row.get(1)?, digest)))
    })?;
    erase_versions(conn, &tenant, found, erasing)
}

fn erase_versions(
    conn: &Connection,
    tenant: &str,
    versions: Vec<Version>,
    erasing: &mut Erasing,
) -> Result<()> {
    for (name, version, digest) in versions {
        let id = format!("{name}@{version}");
        erasing.receipt.note(Layer::Artifacts, id, 1);
        erasing.remove(conn, deletion::EMPTY_VERSION, (tenant, &name, version))?;
        drop_bytes(conn, tenant, &digest, erasing)?;
    }
    Ok(())
}

/// Lets go of large parts, each as often as messages that go held it.
pub(super) fn release(
    conn: &Connection,
    parts: &BTreeMap<Digest, i64>,
    erasing: &mut Erasing,
) -> Result<()> {
    let tenant = erasing.receipt.tenant.to_string();
    for (digest, count) in parts {
        let name = large::name(digest);
        let holders: Option<i64> =
            one(conn, deletion::HOLDERS, (&tenant, &name), |row| row.get(0))?;
        if holders.is_some_and(|holders| holders > *count) {
            erasing.remove(conn, deletion::LET_GO, (&tenant, &name, count))?;
            continue;
        }
        erasing
            .receipt
            .note(Layer::Artifacts, format!("{name}@1"), 1);
        erasing.remove(conn, deletion::DROP_PART, (&tenant, &name))?;
        drop_bytes(conn, &tenant, digest, erasing)?;
    }
    Ok(())
}

/// Removes bytes that no artifact has any more.
fn drop_bytes(
    conn: &Connection,
    tenant: &str,
    digest: &Digest,
    erasing: &mut Erasing,
) -> Result<()> {
    let of = (tenant, digest.as_bytes());
    if !erasing.dry {
        let owner = TenantId::new(tenant)?;
        let held: Option<i64> = one(conn, deletion::HOLDS_BYTES, of, |row| row.get(0))?;
        if held.is_some() {
            return Ok(());
        }
        let parts = parts_of(conn, &owner, digest)?;
        erasing.remove(conn, deletion::PARTS, of)?;
        for part in parts {
            drop_bytes(conn, tenant, &part.digest, erasing)?;
        }
        let bytes: Option<Vec<u8>> = one(conn, artifacts::BYTES, of, |row| row.get(0))?;
        erasing.needles.take(&bytes.unwrap_or_default());
    }
    erasing.remove(conn, deletion::BYTES, of)
}

//! Artifacts: versions by name, bytes once a tenant.

pub(super) mod pieces;

use aura_core::{
    Artifact, ArtifactHandle, ArtifactWrite, Digest, HANDLE_DIGITS, Result, SessionId, TenantId,
    Timestamp, UserId,
};
use rusqlite::{Connection, Row};

use crate::large;
use crate::refusal::{foreign_handle, no_artifact};
use crate::sqlite::failure::damaged;
use crate::sqlite::query::{one, run};
use crate::sqlite::statements::artifacts;

/// Stores bytes that a caller named.
pub(super) fn put(conn: &Connection, write: &ArtifactWrite, digest: Digest) -> Result<Artifact> {
    let version = match next_version(conn, write, digest)? {
        Ok(version) => version,
        Err(newest) => return Ok(newest),
    };
    let artifact = new_artifact(write, version, digest, write.bytes.len() as u64);
    let user = write.user.as_ref().map(UserId::as_str);
    let session_id = write.session_id.as_ref().map(SessionId::as_str);
    insert(conn, &artifact, &write.bytes, (user, session_id))?;
    Ok(artifact)
}

/// The number of the version that bytes of this digest make, or the newest version, if it has them already.
fn next_version(
    conn: &Connection,
    write: &ArtifactWrite,
    digest: Digest,
) -> Result<std::result::Result<u32, Artifact>> {
    let named = (write.tenant.as_str(), write.name.as_str());
    let newest = one(conn, artifacts::NEWEST, named, |row| {
        columns(row, &write.tenant, &write.name)
    })?;
    Ok(match newest {
        Some(newest) if newest.digest == digest => Err(newest),
        Some(newest) => Ok(newest.handle.version + 1),
        None => Ok(1),
    })
}

fn new_artifact(write: &ArtifactWrite, version: u32, digest: Digest, bytes: u64) -> Artifact {
    Artifact {
        handle: ArtifactHandle {
            tenant: write.tenant.clone(),
            name: write.name.clone(),
            version,
            digest: digest.prefix(HANDLE_DIGITS),
        },
        digest,
        bytes,
        mime: write.mime.clone(),
        recorded_at: write.recorded_at,
    }
}

/// Keeps a large part, or counts one more holder of it.
pub(super) fn put_part(
    conn: &Connection,
    tenant: &TenantId,
    digest: Digest,
    text: &str,
    recorded_at: Timestamp,
) -> Result<ArtifactHandle> {
    let artifact = Artifact {
        handle: large::handle(tenant, &digest),
        digest,
        bytes: text.len() as u64,
        mime: Some(large::MIME.to_owned()),
        recorded_at,
    };
    insert(conn, &artifact, text.as_bytes(), (None, None))?;
    Ok(artifact.handle)
}

fn insert(
    conn: &Connection,
    artifact: &Artifact,
    bytes: &[u8],
    owner: (Option<&str>, Option<&str>),
) -> Result<()> {
    let tenant = artifact.handle.tenant.as_str();
    let digest = artifact.digest.as_bytes();
    // Bytes that are composed of parts are here already.
    if pieces::parts_of(conn, &artifact.handle.tenant, &artifact.digest)?.is_empty() {
        run(conn, artifacts::INSERT_BYTES, (tenant, digest, bytes))?;
    }
    insert_row(conn, artifact, owner)
}

fn insert_row(
    conn: &Connection,
    artifact: &Artifact,
    (user, session_id): (Option<&str>, Option<&str>),
) -> Result<()> {
    let tenant = artifact.handle.tenant.as_str();
    let digest = artifact.digest.as_bytes();
    let params = (
        tenant,
        &artifact.handle.name,
        artifact.handle.version,
        digest,
        artifact.bytes.cast_signed(),
        artifact.mime.as_deref(),
        artifact.recorded_at.as_millis(),
        user,
        session_id,
    );
    run(conn, artifacts::INSERT, params).map(drop)
}

/// What is known of an artifact.
pub(super) fn get(
    conn: &Connection,
    tenant: &TenantId,
    handle: &ArtifactHandle,
) -> Result<Option<Artifact>> {
    if handle.tenant != *tenant {
        return Err(foreign_handle());
    }
    let params = (tenant.as_str(), &handle.name, handle.version);
    let found = one(conn, artifacts::GET, params, |row| {
        columns(row, tenant, &handle.name)
    })?;
    Ok(found.filter(|found| handle.matches(&found.digest)))
}

/// The bytes of an artifact.
pub(super) fn bytes(
    conn: &Connection,
    tenant: &TenantId,
    handle: &ArtifactHandle,
) -> Result<Vec<u8>> {
    let artifact = get(conn, tenant, handle)?.ok_or_else(no_artifact)?;
    checked(conn, tenant, &artifact.digest)
}

/// The text of a large part.
pub(super) fn text(conn: &Connection, tenant: &TenantId, digest: &Digest) -> Result<String> {
    let bytes = checked(conn, tenant, digest)?;
    String::from_utf8(bytes).map_err(|_| damaged("a large part"))
}

/// Bytes by their digest, checked against it.
pub(super) fn checked(conn: &Connection, tenant: &TenantId, digest: &Digest) -> Result<Vec<u8>> {
    let params = (tenant.as_str(), digest.as_bytes());
    let bytes: Option<Vec<u8>> = one(conn, artifacts::BYTES, params, |row| row.get(0))?;
    let bytes = match bytes {
        Some(bytes) => Some(bytes),
        None => {
            let parts = pieces::parts_of(conn, tenant, digest)?;
            let parts = parts.iter().map(|part| checked(conn, tenant, &part.digest));
            Some(parts.collect::<Result<Vec<_>>>()?.concat())
        }
    };
    let bytes = bytes.filter(|bytes| Digest::of(bytes) == *digest);
    bytes.ok_or_else(|| damaged("an artifact"))
}

fn columns(row: &Row<'_>, tenant: &TenantId, name: &str) -> rusqlite::Result<Artifact> {
    let digest = Digest::from_bytes(row.get(1)?);
    Ok(Artifact {
        handle: ArtifactHandle {
            tenant: tenant.clone(),
            name: name.to_owned(),
            version: row.get(0)?,
            digest: digest.prefix(HANDLE_DIGITS),
        },
        digest,
        bytes: row.get::<_, i64>(2)?.cast_unsigned(),
        mime: row.get(3)?,
        recorded_at: Timestamp::from_millis_clamped(row.get(4)?),
    })
}

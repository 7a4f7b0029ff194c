//! Artifacts piece by piece: composed of parts, read in ranges.

use aura_core::{
    Artifact, ArtifactHandle, ArtifactStorage, ArtifactWrite, Digest, Result, SessionId, TenantId,
    UPLOAD_PREFIX, UserId,
};
use rusqlite::Connection;

use super::{checked, columns, get, insert_row, next_version};
use crate::large;
use crate::refusal::no_artifact;
use crate::sqlite::failure::damaged;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::statements::artifacts;
use crate::sqlite::store::SqliteStorage;

/// A part of composed bytes.
pub(in crate::sqlite) struct Part {
    pub(in crate::sqlite) digest: Digest,
    pub(in crate::sqlite) length: u64,
}

impl ArtifactStorage for SqliteStorage {
    fn artifact_versions(&self, tenant: &TenantId, name: &str) -> Result<Vec<Artifact>> {
        let named = (tenant.as_str(), name);
        self.read("artifact_versions", |conn| {
            all(conn, artifacts::VERSIONS, named, |row| {
                columns(row, tenant, name).map(Ok)
            })
        })
    }

    fn compose_artifact(&self, write: ArtifactWrite, parts: &[ArtifactHandle]) -> Result<Artifact> {
        large::check_name(&write.name).map_err(|error| error.during("compose_artifact"))?;
        let parts = parts.to_vec();
        self.write("compose_artifact", move |writer| {
            writer.guard()?;
            compose(writer.conn(), &write, &parts)
        })
    }

    fn artifact_range(
        &self,
        tenant: &TenantId,
        handle: &ArtifactHandle,
        offset: u64,
        limit: usize,
    ) -> Result<Vec<u8>> {
        self.read("artifact_range", |conn| {
            let artifact = get(conn, tenant, handle)?.ok_or_else(no_artifact)?;
            range(conn, tenant, &artifact, offset, limit as u64)
        })
    }
}

fn compose(conn: &Connection, write: &ArtifactWrite, parts: &[ArtifactHandle]) -> Result<Artifact> {
    let tenant = &write.tenant;
    let mut whole = blake3::Hasher::new();
    let mut length = 0;
    let mut composed = Vec::with_capacity(parts.len());
    for handle in parts {
        let part = get(conn, tenant, handle)?.ok_or_else(no_artifact)?;
        let bytes = checked(conn, tenant, &part.digest)?;
        whole.update(&bytes);
        length += bytes.len() as u64;
        composed.push(Part {
            digest: part.digest,
            length: bytes.len() as u64,
        });
    }
    let digest = Digest::from_bytes(*whole.finalize().as_bytes());
    let artifact = match next_version(conn, write, digest)? {
        Ok(version) => {
            let artifact = super::new_artifact(write, version, digest, length);
            keep_parts(conn, tenant, &digest, &composed)?;
            let user = write.user.as_ref().map(UserId::as_str);
            let session_id = write.session_id.as_ref().map(SessionId::as_str);
            insert_row(conn, &artifact, (user, session_id))?;
            artifact
        }
        Err(newest) => newest,
    };
    for handle in parts {
        if handle.name.starts_with(UPLOAD_PREFIX) {
            let named = (tenant.as_str(), &handle.name, handle.version);
            run(conn, artifacts::DROP, named)?;
        }
    }
    Ok(artifact)
}

/// Writes down of which parts bytes are composed, unless they are kept already.
fn keep_parts(
    conn: &Connection,
    tenant: &TenantId,
    digest: &Digest,
    composed: &[Part],
) -> Result<()> {
    let of = (tenant.as_str(), digest.as_bytes());
    let whole: Option<i64> = one(conn, artifacts::HAS_BYTES, of, |row| row.get(0))?;
    if whole.is_some() || !parts_of(conn, tenant, digest)?.is_empty() {
        return Ok(());
    }
    for (at, part) in (0_i64..).zip(composed) {
        let params = (
            of.0,
            of.1,
            at,
            part.digest.as_bytes(),
            part.length.cast_signed(),
        );
        run(conn, artifacts::PUT_PART, params)?;
    }
    Ok(())
}

/// The parts that bytes are composed of; none, where they stand in one piece.
pub(in crate::sqlite) fn parts_of(
    conn: &Connection,
    tenant: &TenantId,
    digest: &Digest,
) -> Result<Vec<Part>> {
    let of = (tenant.as_str(), digest.as_bytes());
    all(conn, artifacts::PARTS, of, |row| {
        Ok(Ok(Part {
            digest: Digest::from_bytes(row.get(0)?),
            length: row.get::<_, i64>(1)?.cast_unsigned(),
        }))
    })
}

fn range(
    conn: &Connection,
    tenant: &TenantId,
    artifact: &Artifact,
    offset: u64,
    limit: u64,
) -> Result<Vec<u8>> {
    let end = offset.saturating_add(limit).min(artifact.bytes);
    let mut out = Vec::new();
    if offset >= end {
        return Ok(out);
    }
    let parts = parts_of(conn, tenant, &artifact.digest)?;
    if parts.is_empty() {
        let params = (
            tenant.as_str(),
            artifact.digest.as_bytes(),
            offset.cast_signed() + 1,
            (end - offset).cast_signed(),
        );
        let bytes: Option<Vec<u8>> = one(conn, artifacts::RANGE, params, |row| row.get(0))?;
        return bytes.ok_or_else(|| damaged("an artifact"));
    }
    let mut begin = 0;
    for part in parts {
        let (first, last) = (offset.max(begin), end.min(begin + part.length));
        if first < last {
            let bytes = checked(conn, tenant, &part.digest)?;
            let cut = (first - begin) as usize..(last - begin) as usize;
            out.extend_from_slice(bytes.get(cut).ok_or_else(|| damaged("an artifact"))?);
        }
        begin += part.length;
    }
    Ok(out)
}

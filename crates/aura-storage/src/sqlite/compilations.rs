//! Manifests, the turns they led to, and frozen plans.

use aura_core::json;
use aura_core::{
    CallId, CompilationRecord, Link, Manifest, ManifestQuery, RequestId, Result, SessionKey,
    TenantId, TurnId, TurnWrite,
};
use rusqlite::{Connection, Row};

use crate::sqlite::derived::purge_seq;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::{self, Json};
use crate::sqlite::statements::compilations;

/// How many manifests a query without a limit lists.
const DEFAULT_LIMIT: u32 = 100;

/// A compilation in the form of the file.
pub(super) struct Prepared {
    record: CompilationRecord,
    manifest: String,
}

/// Brings compilations into the form of the file, before anything is locked.
pub(super) fn prepare(records: Vec<CompilationRecord>) -> Result<Vec<Prepared>> {
    let prepare = |record: CompilationRecord| {
        let manifest = json::to_string(&*record.manifest)?;
        Ok(Prepared { record, manifest })
    };
    records.into_iter().map(prepare).collect()
}

/// Keeps compilations.
pub(super) fn put(conn: &Connection, prepared: &[Prepared]) -> Result<()> {
    for Prepared { record, manifest } in prepared {
        let known = sessions::number(conn, &record.key)?;
        if known.is_none() && sessions::is_buried(conn, &record.key.session_id)? {
            continue;
        }
        let tenant = record.key.tenant.as_str();
        let session_id = record.key.session_id.as_str();
        let params = (
            tenant,
            record.manifest.request_id.as_str(),
            session_id,
            record.manifest.now.as_millis(),
            manifest,
        );
        run(conn, compilations::PUT, params)?;
        // What was planned before the last deletion may show what is gone.
        let purged = known.map_or(Ok(0), |no| purge_seq(conn, no))?;
        let plan = record.plan.as_ref();
        if let Some(plan) = plan.filter(|_| record.manifest.change_seq >= purged) {
            let params = (session_id, record.turn_id.as_str(), tenant, plan);
            run(conn, compilations::PUT_PLAN, params)?;
        }
    }
    Ok(())
}

/// Notes which turn answered the requests of a write.
pub(super) fn link(conn: &Connection, write: &Answer, calls: Vec<CallId>) -> Result<()> {
    let link = json::to_string(&Link {
        turn_id: Some(write.turn_id.clone()),
        calls,
    })?;
    let (tenant, session_id) = (&write.key.tenant, &write.key.session_id);
    for request in &write.requests {
        let params = (
            tenant.as_str(),
            request.as_str(),
            session_id.as_str(),
            &link,
        );
        run(conn, compilations::LINK, params)?;
    }
    Ok(())
}

/// The turn that answers some requests.
pub(super) struct Answer {
    key: SessionKey,
    turn_id: TurnId,
    requests: Vec<RequestId>,
}

impl Answer {
    /// What a write answers; `None` if nothing.
    pub(super) fn of(write: &TurnWrite) -> Option<Self> {
        (!write.requests.is_empty()).then(|| Self {
            key: write.key.clone(),
            turn_id: write.turn_id.clone(),
            requests: write.requests.clone(),
        })
    }
}

/// The manifest of a request.
pub(super) fn manifest(
    conn: &Connection,
    tenant: &TenantId,
    request: &RequestId,
) -> Result<Option<Manifest>> {
    let params = (tenant.as_str(), request.as_str());
    one(conn, compilations::GET, params, linked)
}

/// Manifests, newest first.
pub(super) fn manifests(
    conn: &Connection,
    tenant: &TenantId,
    query: &ManifestQuery,
) -> Result<Vec<Manifest>> {
    let limit = match query.limit {
        0 => DEFAULT_LIMIT,
        limit => limit,
    };
    let tenant = tenant.as_str();
    let since = query.since.map_or(i64::MIN, |since| since.as_millis());
    let until = query.until.map_or(i64::MAX, |until| until.as_millis());
    let read = |row: &Row<'_>| linked(row).map(Ok);
    match &query.session_id {
        Some(session_id) => {
            let params = (tenant, since, until, limit, session_id.as_str());
            all(conn, compilations::OF_SESSION, params, read)
        }
        None => {
            let params = (tenant, since, until, limit);
            all(conn, compilations::OF_TENANT, params, read)
        }
    }
}

fn linked(row: &Row<'_>) -> rusqlite::Result<Manifest> {
    let mut manifest = row.get::<_, Json<Manifest>>(0)?.0;
    if let Some(Json(link)) = row.get(1)? {
        manifest.link = link;
    }
    Ok(manifest)
}

/// The frozen plan of a turn.
pub(super) fn plan(
    conn: &Connection,
    key: &SessionKey,
    turn_id: &TurnId,
) -> Result<Option<Vec<u8>>> {
    sessions::number(conn, key)?;
    let params = (
        key.session_id.as_str(),
        turn_id.as_str(),
        key.tenant.as_str(),
    );
    one(conn, compilations::PLAN, params, |row| row.get(0))
}

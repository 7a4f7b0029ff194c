//! Manifests, the turns they led to, frozen plans, and what compilations were made from.

use std::sync::Arc;

use aura_core::json;
use aura_core::{
    CompilationInputs, CompilationPurge, CompilationRecord, CompilationStorage, Digest, Error,
    ErrorKind, InputPart, Link, Manifest, ManifestQuery, OutcomeReport, RequestId, Result,
    SessionKey, StoredMessage, TenantId, TurnId, TurnWrite,
};
use rusqlite::{Connection, Row};

use crate::answer;
use crate::refusal::no_manifest;
use crate::sqlite::derived::purge_seq;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::{self, Json};
use crate::sqlite::statements::compilations;
use crate::sqlite::store::SqliteStorage;

mod forget;

/// How many manifests a query without a limit lists.
const DEFAULT_LIMIT: u32 = 100;

impl CompilationStorage for SqliteStorage {
    fn put_compilations(&self, records: Vec<CompilationRecord>) -> Result<()> {
        let prepared = prepare(records)?;
        self.write("put_compilations", move |writer| {
            writer.guard()?;
            put(writer.conn(), &prepared)
        })
    }

    fn manifest(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<Manifest>> {
        let params = (tenant.as_str(), request.as_str());
        self.read("manifest", |conn| {
            one(conn, compilations::GET, params, linked)
        })
    }

    fn manifests(&self, tenant: &TenantId, query: &ManifestQuery) -> Result<Vec<Manifest>> {
        self.read("manifests", |conn| manifests(conn, tenant, query))
    }

    fn inputs(&self, tenant: &TenantId, request: &RequestId) -> Result<Option<CompilationInputs>> {
        self.read("inputs", |conn| inputs(conn, tenant, request))
    }

    fn plan(&self, key: &SessionKey, turn_id: &TurnId) -> Result<Option<Vec<u8>>> {
        self.read("plan", |conn| {
            sessions::number(conn, key)?;
            let params = (
                key.session_id.as_str(),
                turn_id.as_str(),
                key.tenant.as_str(),
            );
            one(conn, compilations::PLAN, params, |row| row.get(0))
        })
    }

    fn report_outcome(
        &self,
        tenant: &TenantId,
        request: &RequestId,
        report: OutcomeReport,
    ) -> Result<OutcomeReport> {
        let (tenant, request) = (tenant.clone(), request.clone());
        self.write("report_outcome", move |writer| {
            writer.guard()?;
            report_outcome(writer.conn(), &tenant, &request, report)
        })
    }

    fn forget_compilations(&self, purge: &CompilationPurge) -> Result<u64> {
        let purge = purge.clone();
        self.write("forget_compilations", move |writer| {
            writer.guard()?;
            forget::forget(writer.conn(), &purge)
        })
    }
}

/// A compilation in the form of the file.
struct Prepared {
    record: CompilationRecord,
    manifest: String,
}

/// Brings compilations into the form of the file, before anything is locked.
fn prepare(records: Vec<CompilationRecord>) -> Result<Vec<Prepared>> {
    let prepare = |record: CompilationRecord| {
        let manifest = json::to_string(&*record.manifest)?;
        Ok(Prepared { record, manifest })
    };
    records.into_iter().map(prepare).collect()
}

fn put(conn: &Connection, prepared: &[Prepared]) -> Result<()> {
    for Prepared { record, manifest } in prepared {
        let known = sessions::number(conn, &record.key)?;
        if known.is_none() && sessions::is_buried(conn, &record.key.session_id)? {
            continue;
        }
        let tenant = record.key.tenant.as_str();
        let session_id = record.key.session_id.as_str();
        let request = record.manifest.request_id.as_str();
        let params = (
            tenant,
            request,
            session_id,
            record.manifest.now.as_millis(),
            manifest,
        );
        if run(conn, compilations::PUT, params)? == 0 {
            forget::replaced(conn, tenant, request)?;
            run(conn, compilations::PUT, params)?;
        }
        // What was planned or given before the last deletion may show what is gone.
        let purged = known.map_or(Ok(0), |no| purge_seq(conn, no))?;
        if record.manifest.change_seq < purged {
            continue;
        }
        if let Some(inputs) = &record.inputs {
            put_inputs(conn, tenant, inputs)?;
        }
        if let Some(plan) = &record.plan {
            let params = (session_id, record.turn_id.as_str(), tenant, plan, request);
            run(conn, compilations::PUT_PLAN, params)?;
        }
    }
    Ok(())
}

/// Keeps the inputs of the manifest put just now.
fn put_inputs(conn: &Connection, tenant: &str, inputs: &CompilationInputs) -> Result<()> {
    let no = conn.last_insert_rowid();
    run(conn, compilations::PUT_CALL, (no, &inputs.call))?;
    for part in &inputs.parts {
        let digest = part.digest.as_bytes();
        let known = one(conn, compilations::FIND_PART, (tenant, digest), |row| {
            row.get(0)
        })?;
        let input: i64 = match known {
            Some(input) => input,
            None => {
                run(conn, compilations::PUT_PART, (tenant, digest, &*part.bytes))?;
                conn.last_insert_rowid()
            }
        };
        run(conn, compilations::PUT_USE, (no, input))?;
    }
    Ok(())
}

/// Notes which turn answered the requests of a write.
pub(super) fn link(
    conn: &Connection,
    write: &Answer,
    messages: &[Arc<StoredMessage>],
) -> Result<()> {
    let link = json::to_string(&answer::link(&write.turn_id, messages))?;
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

fn manifests(conn: &Connection, tenant: &TenantId, query: &ManifestQuery) -> Result<Vec<Manifest>> {
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
    if let Some(Json(link)) = row.get::<_, Option<Json<Link>>>(1)? {
        manifest.link = link;
    }
    manifest.link.outcome = row
        .get::<_, Option<Json<OutcomeReport>>>(2)?
        .map(|json| json.0);
    Ok(manifest)
}

fn inputs(
    conn: &Connection,
    tenant: &TenantId,
    request: &RequestId,
) -> Result<Option<CompilationInputs>> {
    let params = (tenant.as_str(), request.as_str());
    let call = one(conn, compilations::CALL, params, |row| {
        Ok((row.get::<_, i64>(0)?, row.get(1)?))
    })?;
    let Some((no, call)) = call else {
        return Ok(None);
    };
    let parts = all(conn, compilations::PARTS, [no], |row| {
        let digest = Digest::from_bytes(row.get(0)?);
        let bytes: Vec<u8> = row.get(1)?;
        let part = InputPart::of(bytes);
        Ok(if part.digest == digest {
            Ok(part)
        } else {
            Err(Error::new(
                ErrorKind::Corrupt,
                "an input of a compilation does not fit its digest",
            ))
        })
    })?;
    Ok(Some(CompilationInputs { call, parts }))
}

fn report_outcome(
    conn: &Connection,
    tenant: &TenantId,
    request: &RequestId,
    report: OutcomeReport,
) -> Result<OutcomeReport> {
    let params = (tenant.as_str(), request.as_str());
    let known = one(conn, compilations::OUTCOME, params, |row| {
        row.get::<_, Option<Json<OutcomeReport>>>(0)
    })?;
    let mut joined = known
        .ok_or_else(no_manifest)?
        .map_or_else(OutcomeReport::default, |json| json.0);
    joined.join(report);
    let params = (params.0, params.1, json::to_string(&joined)?);
    run(conn, compilations::PUT_OUTCOME, params)?;
    Ok(joined)
}

//! Deletions: written down first, then carried out in transactions of moderate size, then proven.

mod artifacts;
mod events;
mod memories;
mod proof;
mod session;

use aura_core::{
    DeletionId, DeletionOrder, DeletionQuery, DeletionReceipt, DeletionState, DeletionStorage,
    DeletionSubject, Error, ErrorKind, HoldId, LegalHold, Result, SessionKey, TenantId, Timestamp,
    UserId, json,
};
use rusqlite::{Connection, Row};

use crate::erasure::check_holds;
use crate::needles::Needles;
use crate::sqlite::connections::WriteConnection;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::{self, Id, Json};
use crate::sqlite::statements::deletion;
use crate::sqlite::store::SqliteStorage;

/// How many rows a step removes before it lets others write.
const STEP: u64 = 8_192;

/// How many deletions a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

impl DeletionStorage for SqliteStorage {
    fn preview_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt> {
        self.read("preview_deletion", |conn| {
            check(conn, &order)?;
            let mut erasing = Erasing::new(DeletionReceipt::of(order), None);
            erasing.dry = true;
            for at in 0..erasing.receipt.subjects.len() {
                erasing.subject(conn, at)?;
            }
            erasing.receipt.state = DeletionState::DryRun;
            Ok(erasing.receipt)
        })
    }

    fn begin_deletion(&self, order: DeletionOrder) -> Result<DeletionReceipt> {
        self.write("begin_deletion", move |writer| {
            let conn = writer.conn();
            if let Some(known) = find(conn, &order.tenant, &order.deletion_id)? {
                return Ok(known.receipt);
            }
            check(conn, &order)?;
            writer.guard()?;
            let needles = Needles::new(&format!("{}{}", order.deletion_id, order.requested_at));
            let receipt = DeletionReceipt::of(order);
            let params = (
                receipt.tenant.as_str(),
                receipt.deletion_id.as_str(),
                json::to_string(&receipt)?,
                needles.to_bytes(),
            );
            run(conn, deletion::BEGIN, params)?;
            Ok(receipt)
        })
    }

    fn advance_deletion(
        &self,
        tenant: &TenantId,
        deletion_id: &DeletionId,
        now: Timestamp,
    ) -> Result<DeletionReceipt> {
        let known = self.read("advance_deletion", |conn| find(conn, tenant, deletion_id))?;
        let known = known.ok_or_else(|| no_deletion().during("advance_deletion"))?;
        match known.receipt.state {
            DeletionState::Erasing => {
                let (tenant, deletion_id) = (tenant.clone(), deletion_id.clone());
                self.write("advance_deletion", move |writer| {
                    writer.guard()?;
                    step(writer, &tenant, &deletion_id)
                })
            }
            DeletionState::Pending => {
                proof::settle(self, known, now).map_err(|error| error.during("advance_deletion"))
            }
            DeletionState::DryRun | DeletionState::Complete => Ok(known.receipt),
        }
    }

    fn deletions(&self, query: &DeletionQuery) -> Result<Vec<DeletionReceipt>> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        let tenant = query.tenant.as_ref().map(TenantId::as_str);
        self.read("deletions", |conn| {
            all(
                conn,
                deletion::LIST,
                (tenant, query.open_only, limit),
                |row| Ok(Ok(row.get::<_, Json<_>>(0)?.0)),
            )
        })
    }

    fn put_hold(&self, tenant: &TenantId, hold: LegalHold) -> Result<()> {
        let tenant = tenant.clone();
        self.write("put_hold", move |writer| {
            let text = json::to_string(&hold)?;
            let params = (tenant.as_str(), hold.hold_id.as_str(), text);
            writer.guard()?;
            run(writer.conn(), deletion::PUT_HOLD, params).map(drop)
        })
    }

    fn release_hold(&self, tenant: &TenantId, hold_id: &HoldId) -> Result<bool> {
        let (tenant, hold_id) = (tenant.clone(), hold_id.clone());
        self.write("release_hold", move |writer| {
            writer.guard()?;
            let params = (tenant.as_str(), hold_id.as_str());
            Ok(run(writer.conn(), deletion::RELEASE_HOLD, params)? > 0)
        })
    }

    fn holds(&self, tenant: &TenantId) -> Result<Vec<LegalHold>> {
        self.read("holds", |conn| holds(conn, tenant))
    }
}

fn no_deletion() -> Error {
    Error::new(
        ErrorKind::NotFound,
        "deletion_id: there is no such deletion",
    )
    .with_field("deletion_id")
}

/// A deletion as it is stored.
struct Known {
    step: usize,
    receipt: DeletionReceipt,
    needles: Option<Needles>,
}

fn find(conn: &Connection, tenant: &TenantId, deletion_id: &DeletionId) -> Result<Option<Known>> {
    let read = |row: &Row<'_>| {
        let needles: Option<Vec<u8>> = row.get(2)?;
        Ok(Known {
            step: row.get::<_, u32>(0)? as usize,
            receipt: row.get::<_, Json<_>>(1)?.0,
            needles: needles.and_then(|bytes| Needles::from_bytes(&bytes)),
        })
    };
    let params = (tenant.as_str(), deletion_id.as_str());
    one(conn, deletion::GET, params, read)
}

/// Writes down how far a deletion has come.
fn keep(
    conn: &Connection,
    step: usize,
    receipt: &DeletionReceipt,
    needles: Option<&Needles>,
) -> Result<()> {
    let state = match receipt.state {
        DeletionState::DryRun | DeletionState::Erasing => 0,
        DeletionState::Pending => 1,
        DeletionState::Complete => 2,
    };
    let params = (
        receipt.tenant.as_str(),
        receipt.deletion_id.as_str(),
        state,
        u32::try_from(step).unwrap_or(u32::MAX),
        json::to_string(receipt)?,
        needles.map(Needles::to_bytes),
    );
    run(conn, deletion::KEEP, params).map(drop)
}

fn holds(conn: &Connection, tenant: &TenantId) -> Result<Vec<LegalHold>> {
    all(conn, deletion::HOLDS, [tenant.as_str()], |row| {
        Ok(Ok(row.get::<_, Json<_>>(0)?.0))
    })
}

/// Checks that an order may be carried out.
fn check(conn: &Connection, order: &DeletionOrder) -> Result<()> {
    for subject in &order.subjects {
        subject.validate()?;
        if let Some(session_id) = subject.session_id() {
            sessions::number(conn, &key(&order.tenant, session_id))?;
        }
    }
    let holds = holds(conn, &order.tenant)?;
    check_holds(&holds, &order.subjects, |subject| {
        owner(conn, &order.tenant, subject)
    })
}

fn key(tenant: &TenantId, session_id: &aura_core::SessionId) -> SessionKey {
    SessionKey {
        tenant: tenant.clone(),
        session_id: session_id.clone(),
    }
}

/// Whose something is.
fn owner(
    conn: &Connection,
    tenant: &TenantId,
    subject: &DeletionSubject,
) -> Result<Option<UserId>> {
    let user = |row: &Row<'_>| row.get::<_, Option<Id<UserId>>>(0);
    let found = match subject {
        DeletionSubject::Session { session_id } | DeletionSubject::Events { session_id, .. } => {
            let params = (tenant.as_str(), session_id.as_str());
            one(conn, deletion::USER_OF_SESSION, params, user)?
        }
        DeletionSubject::Artifact { name, .. } => {
            let params = (tenant.as_str(), name);
            one(conn, deletion::USER_OF_ARTIFACT, params, user)?
        }
        DeletionSubject::Memory { memory_id } => {
            let params = (tenant.as_str(), memory_id.as_str());
            one(conn, deletion::USER_OF_MEMORY, params, user)?
        }
        DeletionSubject::User { .. } => None,
    };
    Ok(found.flatten().map(|id| id.0))
}

/// Removes the next rows of a deletion.
fn step(
    writer: &mut WriteConnection,
    tenant: &TenantId,
    deletion_id: &DeletionId,
) -> Result<DeletionReceipt> {
    let conn = writer.conn();
    let known = find(conn, tenant, deletion_id)?.ok_or_else(no_deletion)?;
    if known.receipt.state != DeletionState::Erasing {
        return Ok(known.receipt);
    }
    let mut erasing = Erasing::new(known.receipt, known.needles);
    let mut at = known.step;
    while at < erasing.receipt.subjects.len() && erasing.rows < STEP {
        if erasing.subject(conn, at)? {
            at += 1;
        }
    }
    if at == erasing.receipt.subjects.len() {
        erasing.receipt.state = DeletionState::Pending;
    }
    keep(conn, at, &erasing.receipt, Some(&erasing.needles))?;
    let receipt = erasing.receipt;
    writer.forget_sessions();
    Ok(receipt)
}

/// A deletion under way.
struct Erasing {
    receipt: DeletionReceipt,
    needles: Needles,
    /// Only what would go is written down.
    dry: bool,
    /// How many rows this step has removed.
    rows: u64,
}

impl Erasing {
    fn new(receipt: DeletionReceipt, needles: Option<Needles>) -> Self {
        Self {
            needles: needles.unwrap_or_else(|| Needles::new(receipt.deletion_id.as_str())),
            receipt,
            dry: false,
            rows: 0,
        }
    }

    /// Removes a subject, or as much of it as a step may; `true` when it is gone.
    fn subject(&mut self, conn: &Connection, at: usize) -> Result<bool> {
        let Some(subject) = self.receipt.subjects.get(at).cloned() else {
            return Ok(true);
        };
        let tenant = self.receipt.tenant.clone();
        match &subject {
            DeletionSubject::User { user } => return self.user(conn, user),
            DeletionSubject::Session { session_id } => {
                session::erase(conn, &key(&tenant, session_id), self)?;
            }
            DeletionSubject::Events { session_id, range } => {
                events::erase(conn, &key(&tenant, session_id), *range, self)?;
            }
            DeletionSubject::Artifact { name, version } => {
                artifacts::erase(conn, name, *version, self)?;
            }
            DeletionSubject::Memory { memory_id } => {
                memories::erase(conn, memory_id, self)?;
            }
        }
        Ok(true)
    }

    fn user(&mut self, conn: &Connection, user: &UserId) -> Result<bool> {
        let tenant = self.receipt.tenant.clone();
        let mut after = String::new();
        loop {
            let params = (tenant.as_str(), user.as_str(), &after);
            let next = one(conn, deletion::SESSION_OF_USER, params, |row| {
                row.get::<_, Id<aura_core::SessionId>>(0)
            })?;
            let Some(Id(session_id)) = next else {
                break;
            };
            if self.rows >= STEP && !self.dry {
                return Ok(false);
            }
            session::erase(conn, &key(&tenant, &session_id), self)?;
            after = session_id.to_string();
        }
        artifacts::erase_of_user(conn, user, self)?;
        memories::erase_of_user(conn, user, self)?;
        Ok(true)
    }

    /// Runs a statement that removes something, unless nothing is to be touched.
    fn remove(
        &mut self,
        conn: &Connection,
        sql: &str,
        params: impl rusqlite::Params,
    ) -> Result<()> {
        if !self.dry {
            self.rows += run(conn, sql, params)? as u64;
        }
        Ok(())
    }
}

//! Policies: one row a version.

use aura_core::{PolicyQuery, PolicyStorage, PolicyVersion, Result, Signature, TenantId, json};
use rusqlite::{Connection, Row};

use crate::refusal::{no_policy, policy_differs};
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::Json;
use crate::sqlite::statements::policies;
use crate::sqlite::store::SqliteStorage;

/// How many versions a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

impl PolicyStorage for SqliteStorage {
    fn put_policy(&self, tenant: &TenantId, policy: PolicyVersion) -> Result<PolicyVersion> {
        let tenant = tenant.clone();
        self.write("put_policy", move |writer| {
            writer.guard()?;
            put(writer.conn(), &tenant, policy)
        })
    }

    fn approve_policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
        approval: Signature,
    ) -> Result<PolicyVersion> {
        let (tenant, subject, version) = (tenant.clone(), subject.to_owned(), version.to_owned());
        self.write("approve_policy", move |writer| {
            writer.guard()?;
            let conn = writer.conn();
            let approval = json::to_string(&approval)?;
            let params = (tenant.as_str(), &subject, &version, approval);
            run(conn, policies::APPROVE, params)?;
            get(conn, &tenant, &subject, &version)?.ok_or_else(no_policy)
        })
    }

    fn policy(
        &self,
        tenant: &TenantId,
        subject: &str,
        version: &str,
    ) -> Result<Option<PolicyVersion>> {
        self.read("policy", |conn| get(conn, tenant, subject, version))
    }

    fn policies(&self, tenant: &TenantId, query: &PolicyQuery) -> Result<Vec<PolicyVersion>> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        let params = (
            tenant.as_str(),
            query.subject.as_deref(),
            query.approved_only,
            limit,
            query.skip,
        );
        self.read("policies", |conn| {
            all(conn, policies::LIST, params, |row| columns(row).map(Ok))
        })
    }
}

fn put(conn: &Connection, tenant: &TenantId, policy: PolicyVersion) -> Result<PolicyVersion> {
    let named = &policy.policy;
    if let Some(stored) = get(conn, tenant, &named.subject, &named.version)? {
        return if stored.policy == *named {
            Ok(stored)
        } else {
            Err(policy_differs())
        };
    }
    let params = (
        tenant.as_str(),
        &named.subject,
        &named.version,
        json::to_string(named)?,
        json::to_string(&policy.proposed)?,
    );
    run(conn, policies::PUT, params)?;
    Ok(PolicyVersion {
        approved: None,
        ..policy
    })
}

fn get(
    conn: &Connection,
    tenant: &TenantId,
    subject: &str,
    version: &str,
) -> Result<Option<PolicyVersion>> {
    let params = (tenant.as_str(), subject, version);
    one(conn, policies::GET, params, columns)
}

fn columns(row: &Row<'_>) -> rusqlite::Result<PolicyVersion> {
    Ok(PolicyVersion {
        policy: row.get::<_, Json<_>>(0)?.0,
        proposed: row.get::<_, Json<_>>(1)?.0,
        approved: row.get::<_, Option<Json<_>>>(2)?.map(|approved| approved.0),
    })
}

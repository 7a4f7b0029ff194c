//! Memories: one row each.

mod packets;

use aura_core::{
    Memory, MemoryCounters, MemoryId, MemoryQuery, MemoryRecords, MemoryState, Result, TenantId,
    json,
};
use rusqlite::Connection;

use crate::refusal::check_memory;
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::Json;
use crate::sqlite::statements::memories;
use crate::sqlite::store::SqliteStorage;

/// How many memories a query without a limit lists.
const DEFAULT_LIMIT: usize = 1_000;

impl MemoryRecords for SqliteStorage {
    fn put_memories(&self, memories: Vec<(Memory, Option<MemoryState>)>) -> Result<()> {
        self.write("put_memories", move |writer| {
            writer.guard()?;
            let conn = writer.conn();
            memories
                .into_iter()
                .try_for_each(|(memory, expected)| put(conn, memory, expected))
        })
    }

    fn memory(&self, tenant: &TenantId, memory_id: &MemoryId) -> Result<Option<Memory>> {
        self.read("memory", |conn| get(conn, tenant, memory_id))
    }

    fn memories(&self, tenant: &TenantId, query: &MemoryQuery) -> Result<Vec<Memory>> {
        self.read("memories", |conn| list(conn, tenant, query))
    }

    fn count_memories(
        &self,
        tenant: &TenantId,
        counts: &[(MemoryId, MemoryCounters)],
    ) -> Result<()> {
        let (tenant, counts) = (tenant.clone(), counts.to_vec());
        self.write("count_memories", move |writer| {
            writer.guard()?;
            let conn = writer.conn();
            for (memory_id, more) in counts {
                if let Some(mut memory) = get(conn, &tenant, &memory_id)? {
                    memory.counters.add(&more);
                    replace(conn, &memory)?;
                }
            }
            Ok(())
        })
    }
}

fn get(conn: &Connection, tenant: &TenantId, memory_id: &MemoryId) -> Result<Option<Memory>> {
    let params = (tenant.as_str(), memory_id.as_str());
    one(conn, memories::GET, params, |row| {
        Ok(row.get::<_, Json<Memory>>(0)?.0)
    })
}

fn put(conn: &Connection, mut memory: Memory, expected: Option<MemoryState>) -> Result<()> {
    let stored = get(conn, &memory.tenant, &memory.memory_id)?;
    check_memory(stored.as_ref(), expected)?;
    match stored {
        Some(stored) => {
            memory.counters = stored.counters;
            replace(conn, &memory)
        }
        None => {
            let source = &memory.proposal.source;
            let params = (
                memory.tenant.as_str(),
                memory.memory_id.as_str(),
                memory.proposal.user.as_ref().map(|user| user.as_str()),
                source.session_id.as_ref().map(|session| session.as_str()),
                json::to_string(&memory)?,
            );
            run(conn, memories::PUT, params).map(drop)
        }
    }
}

fn replace(conn: &Connection, memory: &Memory) -> Result<()> {
    let params = (
        memory.tenant.as_str(),
        memory.memory_id.as_str(),
        json::to_string(memory)?,
    );
    run(conn, memories::REPLACE, params).map(drop)
}

fn list(conn: &Connection, tenant: &TenantId, query: &MemoryQuery) -> Result<Vec<Memory>> {
    let limit = match query.limit {
        0 => DEFAULT_LIMIT,
        limit => limit as usize,
    };
    let user = query.user.as_ref().map(|user| user.as_str());
    let session = query.session_id.as_ref().map(|session| session.as_str());
    let params = (tenant.as_str(), user, query.shared, session);
    let mut found: Vec<Memory> = all(conn, memories::LIST, params, |row| {
        Ok(Ok(row.get::<_, Json<Memory>>(0)?.0))
    })?;
    found.retain(|memory| query.states.is_empty() || query.states.contains(&memory.state));
    found.truncate(limit);
    Ok(found)
}

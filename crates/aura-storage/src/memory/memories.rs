//! Memories, in the order proposed.

use aura_core::{
    DeletionReceipt, Layer, Memory, MemoryCounters, MemoryId, MemoryQuery, MemoryRecords,
    MemoryState, Result, TenantId,
};

use super::store::MemoryStorage;
use crate::refusal::check_memory;

/// How many memories a query without a limit lists.
const DEFAULT_LIMIT: usize = 1_000;

/// All memories.
#[derive(Default, Clone)]
pub(super) struct Memories(Vec<Memory>);

impl Memories {
    pub(super) fn get(&self, tenant: &TenantId, memory_id: &MemoryId) -> Option<&Memory> {
        let mut own = self.0.iter().filter(|memory| memory.tenant == *tenant);
        own.find(|memory| memory.memory_id == *memory_id)
    }

    fn put(&mut self, mut memory: Memory, expected: Option<MemoryState>) -> Result<()> {
        check_memory(self.get(&memory.tenant, &memory.memory_id), expected)?;
        let mut stored = self.0.iter_mut();
        let is_it = |stored: &&mut Memory| {
            stored.tenant == memory.tenant && stored.memory_id == memory.memory_id
        };
        match stored.find(is_it) {
            Some(stored) => {
                memory.counters = stored.counters;
                *stored = memory;
            }
            None => self.0.push(memory),
        }
        Ok(())
    }

    fn list(&self, tenant: &TenantId, query: &MemoryQuery) -> Vec<Memory> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit as usize,
        };
        let found = self.0.iter().filter(|memory| {
            let proposal = &memory.proposal;
            let of_user = query.user.is_none()
                || proposal.user == query.user
                || (query.shared && proposal.user.is_none());
            let session = &query.session_id;
            memory.tenant == *tenant
                && of_user
                && (query.states.is_empty() || query.states.contains(&memory.state))
                && (session.is_none() || proposal.source.session_id == *session)
        });
        found.take(limit).cloned().collect()
    }

    /// Drops those that are `gone`.
    pub(super) fn erase(&mut self, receipt: &mut DeletionReceipt, gone: impl Fn(&Memory) -> bool) {
        let tenant = receipt.tenant.clone();
        let gone = self
            .0
            .extract_if(.., |memory| memory.tenant == tenant && gone(memory));
        for memory in gone {
            receipt.note(Layer::Memories, memory.memory_id.to_string(), 1);
        }
    }
}

impl MemoryRecords for MemoryStorage {
    fn put_memories(&self, memories: Vec<(Memory, Option<MemoryState>)>) -> Result<()> {
        self.write("put_memories", |state| {
            let mut changed = state.memories.clone();
            for (memory, expected) in memories {
                changed.put(memory, expected)?;
            }
            state.memories = changed;
            Ok(())
        })
    }

    fn memory(&self, tenant: &TenantId, memory_id: &MemoryId) -> Result<Option<Memory>> {
        self.read("memory", |state| {
            Ok(state.memories.get(tenant, memory_id).cloned())
        })
    }

    fn memories(&self, tenant: &TenantId, query: &MemoryQuery) -> Result<Vec<Memory>> {
        self.read("memories", |state| Ok(state.memories.list(tenant, query)))
    }

    fn count_memories(
        &self,
        tenant: &TenantId,
        counts: &[(MemoryId, MemoryCounters)],
    ) -> Result<()> {
        self.write("count_memories", |state| {
            for (memory_id, more) in counts {
                let mut own = state.memories.0.iter_mut();
                let found =
                    own.find(|memory| memory.tenant == *tenant && memory.memory_id == *memory_id);
                if let Some(memory) = found {
                    memory.counters.add(more);
                }
            }
            Ok(())
        })
    }
}

//! What happened to memories in a context, as its manifest tells.

use std::collections::BTreeMap;

use aura_core::{BlockRef, Fate, Manifest, MemoryCounters, MemoryId, Reason, Result, Storage};

use super::recall::memory_of;

/// Adds to the counters of the memories that a manifest accounts for. A plan that was shown again counts once.
///
/// # Errors
/// Those of the store.
pub(crate) fn count(manifest: &Manifest, storage: &dyn Storage) -> Result<()> {
    if manifest.plan.reused {
        return Ok(());
    }
    let counts = of_manifest(manifest);
    if counts.is_empty() {
        return Ok(());
    }
    let counts: Vec<(MemoryId, MemoryCounters)> = counts.into_iter().collect();
    storage.count_memories(&manifest.principal.tenant, &counts)
}

fn of_manifest(manifest: &Manifest) -> BTreeMap<MemoryId, MemoryCounters> {
    let mut counts: BTreeMap<MemoryId, MemoryCounters> = BTreeMap::new();
    for record in &manifest.candidates {
        let BlockRef::Block(block) = &record.block else {
            continue;
        };
        let Some(memory_id) = memory_of(block) else {
            continue;
        };
        let one = counts.entry(memory_id).or_default();
        one.recalled += 1;
        match record.fate {
            Fate::Selected | Fate::ReplacedByHandle => one.selected += 1,
            Fate::Rejected => match record.reason {
                Reason::Expired => one.stale += 1,
                Reason::LabelNotHeld | Reason::ForeignTenant | Reason::Denied => one.denied += 1,
                Reason::Outranked | Reason::Superseded => one.contradicted += 1,
                _ => {}
            },
        }
    }
    counts
}

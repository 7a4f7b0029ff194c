//! Blocks that claim to be policy: only an approved stored version is.

use std::borrow::Cow;

use aura_core::{
    Block, Error, ErrorKind, PolicyQuery, PolicyRef, PolicyVersion, Result, Storage, TenantId,
    Timestamp, compare_versions,
};

/// The blocks of a call, each claim to be policy replaced by the approved version that it names.
///
/// # Errors
/// `Denied` naming `blocks[i].trust`, when there is no such version or it says something else; those of the store.
pub(super) fn settle<'b>(
    blocks: &'b [Block],
    storage: &dyn Storage,
    tenant: &TenantId,
    now: Timestamp,
) -> Result<Cow<'b, [Block]>> {
    if !blocks.iter().any(Block::claims_policy) {
        return Ok(Cow::Borrowed(blocks));
    }
    let mut settled = Vec::with_capacity(blocks.len());
    for (at, block) in blocks.iter().enumerate() {
        settled.push(match block.claims_policy() {
            true => answer(block, storage, tenant, now).map_err(|error| match error.kind() {
                ErrorKind::Denied => denied(&format!("blocks[{at}].trust"), &error),
                _ => error,
            })?,
            false => block.clone(),
        });
    }
    Ok(Cow::Owned(settled))
}

/// The approved version in place of a block that claims it.
///
/// # Errors
/// `Denied`; those of the store.
pub(super) fn answer(
    claim: &Block,
    storage: &dyn Storage,
    tenant: &TenantId,
    now: Timestamp,
) -> Result<Block> {
    let named = PolicyRef::of_claim(claim);
    let stored = match &named {
        None => None,
        Some(PolicyRef {
            subject,
            version: Some(version),
        }) => storage.policy(tenant, subject, version)?,
        Some(PolicyRef {
            subject,
            version: None,
        }) => newest(subject, storage, tenant, now)?,
    };
    let missing = || {
        Error::new(
            ErrorKind::Denied,
            "only an approved stored policy version is policy",
        )
    };
    stored.ok_or_else(missing)?.answer(claim, tenant)
}

/// The newest approved version that is in force.
fn newest(
    subject: &str,
    storage: &dyn Storage,
    tenant: &TenantId,
    now: Timestamp,
) -> Result<Option<PolicyVersion>> {
    let query = PolicyQuery {
        subject: Some(subject.to_owned()),
        approved_only: true,
        limit: u32::MAX,
        ..PolicyQuery::default()
    };
    let versions = storage.policies(tenant, &query)?.into_iter();
    let in_force = versions.filter(|stored| stored.policy.is_in_force(now));
    Ok(in_force.max_by(|a, b| compare_versions(&a.policy.version, &b.policy.version)))
}

fn denied(field: &str, error: &Error) -> Error {
    Error::new(ErrorKind::Denied, format!("{field}: {}", error.message())).with_field(field)
}

//! The errors that every backend gives.

use aura_core::{Error, ErrorKind, Memory, MemoryState, SessionKey, TenantId, denied};

/// A session that does not exist.
pub(crate) fn no_session() -> Error {
    Error::new(ErrorKind::NotFound, "session_id: there is no such session").with_field("session_id")
}

/// A turn that does not exist; `field` is how the caller named it.
pub(crate) fn no_turn(field: &'static str) -> Error {
    Error::new(
        ErrorKind::NotFound,
        format!("{field}: the session has no such turn"),
    )
    .with_field(field)
}

/// A derived thing that was to stay and does not exist.
pub(crate) fn no_snapshot() -> Error {
    conflict("keep", "there is no such derived thing")
}

/// Something derived before the last deletion of its session.
pub(crate) fn outdated() -> Error {
    conflict("change_seq", "something of the session was deleted since")
}

/// A session that was deleted.
pub(crate) fn deleted_session() -> Error {
    conflict(
        "session_id",
        "the session was deleted, and its id is not used again: begin another",
    )
}

/// A compilation that does not exist.
pub(crate) fn no_manifest() -> Error {
    Error::new(
        ErrorKind::NotFound,
        "request_id: there is no manifest of such a request",
    )
    .with_field("request_id")
}

/// An artifact that does not exist.
pub(crate) fn no_artifact() -> Error {
    Error::new(ErrorKind::NotFound, "handle: there is no such artifact").with_field("handle")
}

/// A handle of another tenant.
pub(crate) fn foreign_handle() -> Error {
    Error::new(
        ErrorKind::Denied,
        "handle: the artifact belongs to another tenant",
    )
    .with_field("handle")
}

/// A write that contradicts what is stored.
pub(crate) fn conflict(field: &'static str, problem: &'static str) -> Error {
    Error::new(ErrorKind::Conflict, format!("{field}: {problem}")).with_field(field)
}

/// A head that failed.
pub(crate) fn failed_head() -> Error {
    conflict("turn_id", "a failed turn cannot be the head")
}

/// Facts that somebody else committed meanwhile.
pub(crate) fn facts_moved() -> Error {
    conflict(
        "expected",
        "facts were committed in between: read anew and try again",
    )
}

/// A policy version that is stored with other words.
pub(crate) fn policy_differs() -> Error {
    conflict(
        "version",
        "this version of the policy is stored otherwise: propose another version",
    )
}

/// A policy version that does not exist.
pub(crate) fn no_policy() -> Error {
    Error::new(
        ErrorKind::NotFound,
        "version: there is no such version of the policy",
    )
    .with_field("version")
}

/// Checks the dimension of vectors against that of their set.
pub(crate) fn check_dimension(stored: u32, given: u32) -> aura_core::Result<()> {
    if stored == given {
        Ok(())
    } else {
        Err(conflict(
            "dimension",
            "the vectors of this model are stored with another dimension",
        ))
    }
}

/// A store that has been closed.
pub(crate) fn closed() -> Error {
    Error::new(ErrorKind::Closed, "the store has been closed")
}

/// More than the numbers of the log can count.
pub(crate) fn full_session() -> Error {
    Error::new(
        ErrorKind::Unavailable,
        "session_id: the session has as many turns or events as it can hold",
    )
    .with_field("session_id")
}

/// Checks that a session belongs to the tenant of the key.
pub(crate) fn check_tenant(owner: &TenantId, key: &SessionKey) -> aura_core::Result<()> {
    if *owner == key.tenant {
        Ok(())
    } else {
        Err(denied())
    }
}

/// Checks that a memory is stored as the caller expects; `None` is not at all.
pub(crate) fn check_memory(
    stored: Option<&Memory>,
    expected: Option<MemoryState>,
) -> aura_core::Result<()> {
    match (stored.map(|stored| stored.state), expected) {
        (None, None) => Ok(()),
        (Some(state), Some(expected)) if state == expected => Ok(()),
        (Some(_), Some(_)) => Err(conflict(
            "state",
            "the memory has changed in between: read anew and try again",
        )),
        (Some(_), None) => Err(conflict(
            "memory_id",
            "there is a memory of that id already",
        )),
        (None, Some(_)) => Err(Error::new(
            ErrorKind::NotFound,
            "memory_id: there is no such memory",
        )
        .with_field("memory_id")),
    }
}

/// A checkpoint of an id that is taken.
pub(crate) fn known_checkpoint() -> Error {
    conflict("checkpoint_id", "there is a checkpoint of that id already")
}

/// A packet whose id is stored with something else.
pub(crate) fn packet_differs() -> Error {
    conflict("packet_id", "the packet is stored with something else")
}

/// A packet that nobody gets.
pub(crate) fn no_receivers() -> Error {
    Error::invalid_field("packet", "receivers", "must name somebody")
}

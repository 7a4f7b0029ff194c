//! What a turn says of the contexts that it answers.

use std::sync::Arc;

use aura_core::{Link, Role, StoredMessage, TurnId};

/// The link to a turn with these messages.
pub(crate) fn link(turn_id: &TurnId, messages: &[Arc<StoredMessage>]) -> Link {
    let calls = messages.iter().flat_map(|stored| stored.message.calls());
    let last = messages.last();
    let answer = last.filter(|stored| {
        stored.message.role == Role::Assistant && stored.message.calls().next().is_none()
    });
    Link {
        turn_id: Some(turn_id.clone()),
        calls: calls.cloned().collect(),
        answer: answer.map(|stored| stored.event_id),
        outcome: None,
    }
}

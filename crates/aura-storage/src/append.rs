//! What a write of a turn means, given what is stored: the rules of idempotence, whatever the medium.

use aura_core::{Digest, Error, Message, Result, Session, TurnIndex, TurnStatus, UserId, denied};

use crate::refusal::conflict;

/// What is to be done to a turn that exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Step {
    /// Nothing.
    Keep,
    /// Append the given messages from the place `from` on (perhaps none) and give the turn a status.
    Extend {
        /// The first message that is not stored.
        from: usize,
        /// The status it then has.
        status: TurnStatus,
    },
}

/// Compares the messages given with the `stored` ones of a turn of status `current`.
///
/// # Errors
/// `Conflict` naming `messages` where they differ, `turn_id` where a closed turn would grow, `status` where a closed
/// turn would change it; what reading the stored digests gives.
pub(crate) fn compare(
    current: TurnStatus,
    stored: impl ExactSizeIterator<Item = Result<Digest>>,
    given: &[Message],
    status: TurnStatus,
) -> Result<Step> {
    let count = stored.len();
    for (stored, given) in stored.zip(given) {
        if stored? != given.digest() {
            return Err(conflict(
                "messages",
                "the turn is stored with other messages",
            ));
        }
    }
    if given.len() < count {
        return Ok(Step::Keep);
    }
    let grows = given.len() > count;
    match (current, status) {
        (TurnStatus::Open, TurnStatus::Open) if !grows => Ok(Step::Keep),
        (TurnStatus::Open, _) => Ok(Step::Extend {
            from: count,
            status,
        }),
        _ if grows => Err(conflict(
            "turn_id",
            "the turn is closed and cannot be extended",
        )),
        (_, TurnStatus::Open) => Ok(Step::Keep),
        _ if current == status => Ok(Step::Keep),
        _ => Err(closed_turn()),
    }
}

/// Whether a turn of status `current` is to be moved to `status`.
///
/// # Errors
/// `Conflict` naming `status`, unless it is open or stands there already.
pub(crate) fn moves(current: TurnStatus, status: TurnStatus) -> Result<bool> {
    if current == status {
        return Ok(false);
    }
    if current == TurnStatus::Open {
        return Ok(true);
    }
    Err(closed_turn())
}

fn closed_turn() -> Error {
    conflict("status", "the turn is closed and keeps its status")
}

/// Checks that a new turn says something.
///
/// # Errors
/// `Invalid` naming `messages`.
pub(crate) fn check_new(messages: &[Message]) -> Result<()> {
    if messages.is_empty() {
        return Err(Error::invalid_field(
            "turn",
            "messages",
            "a new turn needs at least one message",
        ));
    }
    Ok(())
}

/// Checks that a session may be written on behalf of `user`; the tenant is checked where it is found.
///
/// # Errors
/// `Denied` naming `session_id`.
pub(crate) fn check_user(session: &Session, user: Option<&UserId>) -> Result<()> {
    if session.user.is_some() && session.user.as_ref() != user {
        return Err(denied());
    }
    Ok(())
}

/// The head after the turn `failed` at the head has failed: its nearest ancestor that did not.
///
/// # Errors
/// What `look` gives, which tells status and parent of a turn.
pub(crate) fn head_after_failure(
    parent: Option<TurnIndex>,
    mut look: impl FnMut(TurnIndex) -> Result<(TurnStatus, Option<TurnIndex>)>,
) -> Result<Option<TurnIndex>> {
    let mut head = parent;
    while let Some(index) = head {
        match look(index)? {
            (TurnStatus::Failed, parent) => head = parent,
            _ => break,
        }
    }
    Ok(head)
}

#[cfg(test)]
mod tests {
    use super::*;
    use aura_core::ErrorKind;

    fn decide(
        current: TurnStatus,
        stored: &[&str],
        given: &[&str],
        status: TurnStatus,
    ) -> Result<Step, Option<String>> {
        let stored: Vec<_> = stored
            .iter()
            .map(|text| Ok(Message::user(*text).digest()))
            .collect();
        let given: Vec<_> = given.iter().map(|text| Message::user(*text)).collect();
        compare(current, stored.into_iter(), &given, status).map_err(|error| {
            assert_eq!(error.kind(), ErrorKind::Conflict);
            error.field().map(str::to_owned)
        })
    }

    #[test]
    fn every_row_of_the_table() {
        use TurnStatus::{Complete, Failed, Open};
        let extend = |from, status| Ok(Step::Extend { from, status });
        let conflict = |field: &str| Err(Some(field.to_owned()));
        for current in [Open, Complete, Failed] {
            for status in [Open, Complete, Failed] {
                let decide = |given: &[&str]| decide(current, &["a", "b"], given, status);
                assert_eq!(decide(&["a"]), Ok(Step::Keep));
                assert_eq!(decide(&[]), Ok(Step::Keep));
                assert_eq!(decide(&["b"]), conflict("messages"));
                assert_eq!(decide(&["a", "c", "d"]), conflict("messages"));
                let (same, longer) = (decide(&["a", "b"]), decide(&["a", "b", "c"]));
                match (current, status) {
                    (Open, Open) => assert_eq!((same, longer), (Ok(Step::Keep), extend(2, Open))),
                    (Open, to) => assert_eq!((same, longer), (extend(2, to), extend(2, to))),
                    (Complete, Failed) | (Failed, Complete) => {
                        assert_eq!((same, longer), (conflict("status"), conflict("turn_id")));
                    }
                    _ => assert_eq!((same, longer), (Ok(Step::Keep), conflict("turn_id"))),
                }
            }
        }
    }

    #[test]
    fn the_head_falls_back_past_failed_turns() {
        let turns = [
            (TurnStatus::Complete, None),
            (TurnStatus::Failed, Some(TurnIndex(0))),
            (TurnStatus::Failed, Some(TurnIndex(1))),
            (TurnStatus::Failed, None),
        ];
        let fall = |parent: u32| {
            head_after_failure(Some(TurnIndex(parent)), |index| Ok(turns[index.0 as usize]))
                .unwrap()
        };
        assert_eq!(fall(2), Some(TurnIndex(0)));
        assert_eq!(fall(3), None);
    }
}

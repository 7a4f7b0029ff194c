//! Which turns a compilation sees: the ancestors of one turn.

use aura_core::{TurnIndex, TurnStatus};

use crate::session::turn_meta::TurnMeta;

/// The complete turns among a turn and its ancestors, ascending.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Branch {
    /// The turn whose ancestors these are; `None` sees nothing.
    pub(crate) head: Option<TurnIndex>,
    /// The complete ones of them, oldest first.
    pub(crate) turns: Vec<TurnIndex>,
}

impl Branch {
    /// Walks from `head` to the root.
    pub(crate) fn of(head: Option<TurnIndex>, turns: &[TurnMeta]) -> Self {
        let mut branch = Self {
            head,
            turns: Vec::new(),
        };
        let mut at = head;
        while let Some(index) = at {
            let Some(turn) = turns.get(index.0 as usize) else {
                break;
            };
            if turn.status == TurnStatus::Complete {
                branch.turns.push(index);
            }
            // A parent is always recorded before its child; anything else would loop.
            at = turn.parent.filter(|parent| *parent < index);
        }
        branch.turns.reverse();
        branch
    }

    /// Follows the head to a turn whose parent it is, without walking; `false` leaves the branch as it was.
    pub(crate) fn extend_to(&mut self, head: Option<TurnIndex>, turns: &[TurnMeta]) -> bool {
        let Some(index) = head else {
            return self.head.is_none();
        };
        let Some(turn) = turns.get(index.0 as usize) else {
            return false;
        };
        if turn.parent != self.head || self.turns.last().is_some_and(|last| *last >= index) {
            return false;
        }
        self.head = head;
        if turn.status == TurnStatus::Complete {
            self.turns.push(index);
        }
        true
    }

    /// Where a turn stands among the visible ones.
    pub(crate) fn position(&self, turn: TurnIndex) -> Option<usize> {
        // Nearly always turn n stands at position n.
        if self.turns.get(turn.0 as usize) == Some(&turn) {
            return Some(turn.0 as usize);
        }
        self.turns.binary_search(&turn).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn turn(parent: Option<u32>, status: TurnStatus) -> TurnMeta {
        TurnMeta {
            status,
            parent: parent.map(TurnIndex),
            ..TurnMeta::default()
        }
    }

    #[test]
    fn a_branch_sees_its_complete_ancestors_only() {
        use TurnStatus::{Complete, Failed, Open};
        let turns = [
            turn(None, Complete),
            turn(Some(0), Complete),
            turn(Some(1), Failed),
            turn(Some(1), Open),
            turn(Some(0), Complete),
            turn(Some(3), Complete),
        ];
        let seen = |head| {
            Branch::of(Some(TurnIndex(head)), &turns)
                .turns
                .iter()
                .map(|t| t.0)
                .collect::<Vec<_>>()
        };
        assert_eq!(seen(1), [0, 1]);
        assert_eq!(seen(4), [0, 4]);
        assert_eq!(seen(5), [0, 1, 5]);
        let mut branch = Branch::of(Some(TurnIndex(1)), &turns);
        assert!(branch.extend_to(Some(TurnIndex(3)), &turns));
        assert_eq!(branch, Branch::of(Some(TurnIndex(3)), &turns));
        assert!(!branch.extend_to(Some(TurnIndex(4)), &turns));
        assert_eq!(branch.position(TurnIndex(1)), Some(1));
    }
}

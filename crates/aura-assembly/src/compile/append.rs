//! Prefix mode `append-only`: continuing a list, or saying why it is selected anew.

use aura_core::{
    CandidateRecord, Class, Compaction, ContextPolicy, Fate, History, Notice, PolicyMode, Replan,
    Stage,
};

use super::Run;
use crate::manifest::Ledger;
use crate::meter::Meter;
use crate::plan::continued::Continued;
use crate::request::{Compiled, Failure};
use crate::stage::admit::Admitted;
use crate::stage::filter::Visible;

impl Run<'_, '_> {
    /// Continues the newest list that can be; else says why the list must be selected anew.
    pub(super) fn continue_list(
        &mut self,
        history: &dyn History,
        meter: &Meter,
        visible: &Visible<'_>,
    ) -> Result<Result<Compiled, Compaction>, Failure> {
        if let Some(why) = self.ledger.plan.replanned {
            return Ok(Err(match why {
                Replan::Overflow => Compaction::Overflow,
                Replan::Deletion => Compaction::Deletion,
                Replan::Revoked => Compaction::Revoked,
                Replan::Changed => Compaction::Changed,
            }));
        }
        let request = self.request;
        let mut why = Compaction::First;
        for base in request.earlier {
            let taken = self.stage(Stage::Retrieve, |_| {
                Continued::of(base, request, history, meter, visible.turns)
            })?;
            let before = self.ledger.clone();
            why = match taken {
                Ok(continued) => {
                    match self.assemble_onto(history, meter, visible, None, Some(continued))? {
                        Ok(compiled) => return Ok(Ok(compiled)),
                        Err(why) => why,
                    }
                }
                Err(why) => why,
            };
            let stages = std::mem::take(&mut self.ledger.stages);
            self.ledger = Ledger { stages, ..before };
            // A list that the session did not follow says nothing of the one before it.
            if why != Compaction::Branch {
                break;
            }
        }
        Ok(Err(why))
    }
}

/// The policy for what comes behind a continued list.
pub(super) fn rest_of(policy: &ContextPolicy, onto: &Continued) -> ContextPolicy {
    let taken = onto.chain.recall_tokens;
    ContextPolicy {
        token_budget: policy.input_budget().saturating_sub(onto.tokens).max(1),
        response_reserve: 0,
        recency_turns: 0,
        include_unselected: false,
        max_recall_tokens: policy
            .max_recall_tokens
            .map(|cap| cap.saturating_sub(taken).max(1)),
        ..policy.clone()
    }
}

/// Whether the newest turns do not stand as they should for lack of room.
pub(super) fn is_squeezed(admitted: &Admitted, mode: PolicyMode) -> bool {
    let shrunk = |notice: &Notice| matches!(notice, Notice::ShrunkNewestTurn { .. });
    let evicted = |record: &CandidateRecord| {
        record.class == Class::P2
            && record.fate == Fate::Rejected
            && mode != PolicyMode::FullHistory
    };
    admitted.notices.iter().any(shrunk) || admitted.records.iter().any(evicted)
}

/// Adds what a continued list brings along.
pub(super) fn take_over(ledger: &mut Ledger, onto: Continued) {
    let new = std::mem::replace(&mut ledger.candidates, onto.records);
    ledger.candidates.extend(new);
    ledger.note_orphans(&onto.orphans);
    ledger.add_notices(&onto.notices);
    ledger.read_only |= onto.read_only;
    ledger.continues = Some(onto.base);
}

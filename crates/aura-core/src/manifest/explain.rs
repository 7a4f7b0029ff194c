//! Why a block stands in a context or not.

use serde::{Deserialize, Serialize};

use crate::candidate::{BlockRef, CandidateRecord, Fate, Reason};
use crate::manifest::Manifest;

/// What became of a candidate, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It stands in the context.
    Stands,
    /// Its handle stands in the context.
    StandsByHandle,
    /// It was good enough, and was cut for lack of room, of places or of time.
    Cut,
    /// It lost: against the floor of relevance, against a stronger or newer source, or against what is shown already.
    Lost,
    /// It may not be shown.
    Refused,
}

impl Verdict {
    /// What a record says.
    #[must_use]
    pub const fn of(record: &CandidateRecord) -> Self {
        match record.fate {
            Fate::Selected => Self::Stands,
            Fate::ReplacedByHandle => Self::StandsByHandle,
            Fate::Rejected => match record.reason {
                Reason::OverBudget
                | Reason::OverRecallBudget
                | Reason::BeyondTopK
                | Reason::BeyondMaxFacts
                | Reason::Deadline
                | Reason::Verbose => Self::Cut,
                Reason::Expired
                | Reason::LabelNotHeld
                | Reason::UnapprovedSchema
                | Reason::NotVisible
                | Reason::Denied
                | Reason::ForeignTenant
                | Reason::Disabled => Self::Refused,
                _ => Self::Lost,
            },
        }
    }
}

/// What the manifest says of one block.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "answer", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Explanation {
    /// It was a candidate; its record says what became of it.
    Candidate {
        /// What became of it, in one word.
        verdict: Verdict,
        /// The record.
        record: Box<CandidateRecord>,
        /// The record in a sentence.
        sentence: String,
    },
    /// It was never a candidate.
    NotRetrieved {
        /// That in a sentence.
        sentence: String,
    },
}

impl Manifest {
    /// The record of a block, also when it is a message inside a turn that was a candidate.
    #[must_use]
    pub fn candidate(&self, block: &BlockRef) -> Option<&CandidateRecord> {
        let exact = |record: &&CandidateRecord| record.block == *block;
        let selected = |record: &&CandidateRecord| record.fate != Fate::Rejected;
        let holds = |record: &&CandidateRecord| match block {
            BlockRef::Event(event) => record.events.iter().any(|range| range.contains(*event)),
            _ => false,
        };
        let all = || self.candidates.iter();
        all()
            .filter(selected)
            .find(exact)
            .or_else(|| all().filter(selected).find(holds))
            .or_else(|| all().find(exact))
            .or_else(|| all().find(holds))
    }

    /// Whether a block was a candidate, lost, or won and was cut; for what was never retrieved it says so.
    ///
    /// `related` are blocks that hold it or that it holds, for example the messages of a turn: what is known of one of
    /// them is the answer where the block itself has none.
    #[must_use]
    pub fn explain(&self, block: &BlockRef, related: &[BlockRef]) -> Explanation {
        let through = || {
            let mut found: Vec<_> = related
                .iter()
                .filter_map(|one| self.candidate(one))
                .collect();
            found.sort_by_key(|record| record.fate == Fate::Rejected);
            found.into_iter().next()
        };
        let Some(record) = self.candidate(block).or_else(through) else {
            return Explanation::NotRetrieved {
                sentence: format!("{block} was never a candidate: retrieval did not bring it up"),
            };
        };
        Explanation::Candidate {
            verdict: Verdict::of(record),
            record: Box::new(record.clone()),
            sentence: sentence(block, record),
        }
    }
}

fn sentence(block: &BlockRef, record: &CandidateRecord) -> String {
    let reason = record.reason.as_str().replace('-', " ");
    let place = match (&record.block, block) {
        (other, block) if other == block => String::new(),
        (part @ BlockRef::Event(_), BlockRef::Turn(_)) => format!(" by its message {part}"),
        (whole, _) => format!(" as part of {whole}"),
    };
    let (stage, class) = (record.stage.as_str(), record.class.as_str());
    match Verdict::of(record) {
        Verdict::Stands => format!("{block} stands in the context{place} ({class}, {reason})"),
        Verdict::StandsByHandle => {
            format!("{block} stands in the context{place} by its handle ({reason})")
        }
        Verdict::Cut => {
            format!("{block} was a candidate{place}, good enough, and was cut in {stage}: {reason}")
        }
        Verdict::Lost => format!("{block} was a candidate{place} and lost in {stage}: {reason}"),
        Verdict::Refused => {
            format!("{block} was a candidate{place} and was refused in {stage}: {reason}")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::BlockKind;
    use crate::candidate::{Class, Scores, Stage};
    use crate::id::{EventId, EventRange};

    fn record(block: &str, fate: Fate, reason: Reason, events: &[u64]) -> CandidateRecord {
        let range = |event: &u64| EventRange::new(EventId(*event), EventId(*event));
        CandidateRecord {
            block: block.parse().unwrap(),
            kind: BlockKind::Message,
            events: events.iter().map(range).collect(),
            class: Class::P4,
            scores: Scores::default(),
            tokens: 1,
            fate,
            stage: Stage::Admit,
            reason,
        }
    }

    fn asked(records: Vec<CandidateRecord>, block: &str, related: &[&str]) -> Explanation {
        let related: Vec<BlockRef> = related.iter().map(|text| text.parse().unwrap()).collect();
        let manifest = Manifest {
            candidates: records,
            ..Manifest::sample()
        };
        manifest.explain(&block.parse().unwrap(), &related)
    }

    fn verdict(explanation: &Explanation) -> Option<Verdict> {
        match explanation {
            Explanation::Candidate { verdict, .. } => Some(*verdict),
            Explanation::NotRetrieved { .. } => None,
        }
    }

    #[test]
    fn what_stands_is_said_before_what_was_rejected() {
        let records = || {
            vec![
                record("event:7", Fate::Rejected, Reason::AlreadyShown, &[]),
                record("turn:3", Fate::Selected, Reason::Recent, &[7, 8]),
                record("turn:2", Fate::Rejected, Reason::OverBudget, &[]),
                record("event:4", Fate::Rejected, Reason::BelowFloor, &[]),
                record("block:b", Fate::Rejected, Reason::Expired, &[]),
            ]
        };
        let ask = |block, related| verdict(&asked(records(), block, related));
        assert_eq!(ask("event:7", &[]), Some(Verdict::Stands));
        assert_eq!(ask("turn:2", &[]), Some(Verdict::Cut));
        assert_eq!(ask("event:5", &[]), None);
        assert_eq!(ask("event:5", &["turn:2"]), Some(Verdict::Cut));
        assert_eq!(ask("turn:1", &["event:3", "event:4"]), Some(Verdict::Lost));
        assert_eq!(ask("block:b", &[]), Some(Verdict::Refused));
        assert_eq!(
            ask("turn:1", &["event:4", "event:8"]),
            Some(Verdict::Stands)
        );
    }
}

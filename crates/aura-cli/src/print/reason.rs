//! Why a candidate stands in a context or not, in words.

use aura::{CandidateRecord, Class, Fate, Reason};

/// The class by its name.
pub(crate) const fn class(class: Class) -> &'static str {
    match class {
        Class::P1 => "P1",
        Class::P2 => "P2",
        Class::P3 => "P3",
        Class::P4 => "P4",
        Class::P5 => "P5",
    }
}

/// The reason of a record, with the relevance where that decided.
pub(crate) fn reason(record: &CandidateRecord) -> String {
    let words = words(record.reason);
    let mut text = match record.fate {
        Fate::Selected => words.to_owned(),
        Fate::ReplacedByHandle => format!("{words}; shown by its handle"),
        Fate::Rejected => format!("{words} ({})", record.stage.as_str()),
    };
    let decided = matches!(
        record.reason,
        Reason::Relevant | Reason::BelowFloor | Reason::OverBudget | Reason::OverRecallBudget
    );
    if let Some(relevance) = record.scores.relevance.filter(|_| decided) {
        text.push_str(&format!(", relevance {relevance:.2}"));
    }
    text
}

/// A reason in words.
pub(crate) const fn words(reason: Reason) -> &'static str {
    match reason {
        Reason::Mandatory => "always shown",
        Reason::Recent => "newest turns",
        Reason::Relevant => "recalled",
        Reason::CurrentFact => "current fact",
        Reason::Correction => "correction",
        Reason::FullHistory => "full history",
        Reason::Surplus => "room was left",
        Reason::Given => "given",
        Reason::Fragment => "given, shown in part",
        Reason::ErrorAndCause => "given, its error and cause",
        Reason::Verbose => "too long for what it is worth",
        Reason::LowValue => "worth less than it costs",
        Reason::OverBudget => "no room in the budget",
        Reason::OverRecallBudget => "no room in the recall budget",
        Reason::BelowFloor => "not relevant enough",
        Reason::BeyondTopK => "beyond top_k",
        Reason::BeyondMaxFacts => "beyond max_facts",
        Reason::ShownVerbatim => "its sources are shown verbatim",
        Reason::AlreadyShown => "part of something shown",
        Reason::NearDuplicate => "nearly the same as something shown",
        Reason::Superseded => "no longer true",
        Reason::Expired => "expired",
        Reason::LabelNotHeld => "a label on it is not held",
        Reason::ForeignTenant => "of another tenant",
        Reason::Denied => "claims to be more than it may be",
        Reason::NotInForce => "not in force yet",
        Reason::UnapprovedSchema => "its output schema is not approved",
        Reason::Outranked => "a stronger source of the same subject stands",
        Reason::NotVisible => "on another branch, or of a turn that is not complete",
        Reason::Disabled => "switched off by the policy",
        Reason::Deadline => "the deadline left no time",
        Reason::Empty => "nothing to show",
    }
}

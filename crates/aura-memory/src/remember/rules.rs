//! What may be remembered: rules in plain code, each with a name that its refusals carry.

use aura_core::{
    CorrectionPath, Error, MemoryKind, MemoryProposal, Principal, Result, SourceType, Timestamp,
    memory_refusal,
};

/// How many bytes a statement has at most.
pub const LONGEST_STATEMENT: usize = 4_096;
/// Bytes of a subject or of an address at most.
const LONGEST_NAME: usize = 256;
/// How long something that nobody set may be remembered: two years.
const LONGEST_LIFE: i64 = 2 * 366 * 24 * 60 * 60 * 1_000;

/// What a rule found.
#[derive(Debug)]
pub enum Verdict {
    /// It may be remembered.
    Accepted,
    /// It is sound but may not become memory by itself: it waits as a candidate.
    Candidate(Error),
}

/// Checks a proposal in all respects that need no store.
///
/// # Errors
/// `Denied` naming the field, with the name of the rule under `rule`: nothing of it is kept.
pub fn check_proposal(
    principal: &Principal,
    proposal: &MemoryProposal,
    now: Timestamp,
) -> Result<Verdict> {
    check_text(proposal)?;
    check_owner(principal, proposal)?;
    check_source(proposal)?;
    check_expiry(proposal, now)?;
    check_correction(proposal)?;
    Ok(match check_source_type(proposal) {
        Ok(()) => Verdict::Accepted,
        Err(refusal) => Verdict::Candidate(refusal),
    })
}

fn refuse<T>(field: &'static str, rule: &'static str, why: &str) -> Result<T> {
    Err(memory_refusal(field, rule, why))
}

fn check_text(proposal: &MemoryProposal) -> Result<()> {
    if proposal.text.trim().is_empty() || proposal.text.len() > LONGEST_STATEMENT {
        return refuse("text", "statement", "must have 1 to 4,096 bytes");
    }
    if proposal.subject.trim().is_empty() || proposal.subject.len() > LONGEST_NAME {
        return refuse("subject", "subject", "must have 1 to 256 bytes");
    }
    Ok(())
}

fn check_owner(principal: &Principal, proposal: &MemoryProposal) -> Result<()> {
    let personal = matches!(proposal.kind, MemoryKind::Preference | MemoryKind::Profile);
    match (&proposal.user, &principal.user) {
        (None, _) if personal => refuse("user", "owner", "what is personal needs an owner"),
        (None, Some(_)) => refuse("user", "owner", "a user may not speak for all"),
        (Some(owner), Some(me)) if owner != me => refuse(
            "user",
            "owner",
            "belongs to another user than the one asking",
        ),
        _ => Ok(()),
    }
}

fn check_source(proposal: &MemoryProposal) -> Result<()> {
    let source = &proposal.source;
    let named = |text: &Option<String>| {
        text.as_ref()
            .is_some_and(|text| !text.trim().is_empty() && text.len() <= LONGEST_NAME)
    };
    let in_session = source.session_id.is_some() && !source.events.is_empty();
    match proposal.source_type {
        SourceType::VerifiedSetting if !named(&source.setting) => {
            refuse("source.setting", "source", "a setting must be named")
        }
        SourceType::VerifiedSetting if in_session || source.uri.is_some() => refuse(
            "source",
            "source",
            "what was said or read somewhere is no setting",
        ),
        SourceType::VerifiedSetting => Ok(()),
        _ if source.setting.is_some() => refuse(
            "source.setting",
            "source",
            "only a verified setting comes from a setting",
        ),
        SourceType::UserMessage | SourceType::AssistantMessage if !in_session => refuse(
            "source.events",
            "source",
            "what was said must name its session and events",
        ),
        _ if !in_session && !named(&source.uri) => refuse(
            "source",
            "source",
            "must name the events or the address it came from",
        ),
        _ => Ok(()),
    }
}

fn check_expiry(proposal: &MemoryProposal, now: Timestamp) -> Result<()> {
    let set = proposal.source_type == SourceType::VerifiedSetting;
    match proposal.expires_at {
        Some(at) if at <= now => refuse("expires_at", "expiry", "is over already"),
        Some(at) if !set && at.millis_since(now) > LONGEST_LIFE => {
            refuse("expires_at", "expiry", "is more than two years away")
        }
        None if !set => refuse("expires_at", "expiry", "what nobody set must expire"),
        _ => Ok(()),
    }
}

fn check_correction(proposal: &MemoryProposal) -> Result<()> {
    match (proposal.correction, &proposal.user) {
        (None, _) => refuse(
            "correction",
            "correction-path",
            "must say who can set it right",
        ),
        (Some(CorrectionPath::Operator), Some(_)) => refuse(
            "correction",
            "correction-path",
            "what belongs to a user must be the user's to correct",
        ),
        (Some(CorrectionPath::Owner), None) => refuse(
            "correction",
            "correction-path",
            "nobody owns it who could correct it",
        ),
        _ => Ok(()),
    }
}

fn check_source_type(proposal: &MemoryProposal) -> Result<()> {
    match (proposal.source_type, proposal.kind) {
        (SourceType::VerifiedSetting, _) | (SourceType::UserMessage, MemoryKind::Profile) => Ok(()),
        (SourceType::UserMessage, MemoryKind::Preference) => refuse(
            "source_type",
            "source-type",
            "only a verified setting creates a preference",
        ),
        (SourceType::UserMessage, _) => refuse(
            "source_type",
            "source-type",
            "what one user said is no procedure and no lesson",
        ),
        (
            SourceType::AssistantMessage
            | SourceType::ToolOutput
            | SourceType::Document
            | SourceType::Attachment
            | SourceType::Summary,
            _,
        ) => refuse(
            "source_type",
            "source-type",
            "unverified text does not become memory by itself",
        ),
    }
}

#[cfg(test)]
mod tests {
    use aura_core::{EventId, MemorySource, SessionId, UserId};

    use super::*;

    const NOW: Timestamp = Timestamp::MIN;

    fn later(millis: i64) -> Timestamp {
        Timestamp::from_millis_clamped(NOW.as_millis() + millis)
    }

    fn me() -> Principal {
        Principal::default().with_user("ann").unwrap()
    }

    fn setting() -> MemoryProposal {
        MemoryProposal {
            kind: MemoryKind::Preference,
            text: "Answers in French".to_owned(),
            subject: "user/language".to_owned(),
            source_type: SourceType::VerifiedSetting,
            source: MemorySource {
                setting: Some("language".to_owned()),
                ..MemorySource::default()
            },
            user: Some(UserId::new("ann").unwrap()),
            expires_at: None,
            correction: Some(CorrectionPath::Owner),
        }
    }

    fn said() -> MemoryProposal {
        MemoryProposal {
            kind: MemoryKind::Profile,
            source_type: SourceType::UserMessage,
            source: MemorySource {
                session_id: Some(SessionId::new("s").unwrap()),
                events: vec![EventId(1)],
                ..MemorySource::default()
            },
            expires_at: Some(later(1_000)),
            ..setting()
        }
    }

    fn rule(proposal: &MemoryProposal) -> String {
        let error = match check_proposal(&me(), proposal, NOW) {
            Ok(Verdict::Accepted) => return "accepted".to_owned(),
            Ok(Verdict::Candidate(error)) | Err(error) => error,
        };
        let rule = error.context().iter().find(|(key, _)| *key == "rule");
        rule.unwrap().1.clone()
    }

    #[test]
    fn settings_and_what_a_user_said_are_accepted() {
        assert_eq!(rule(&setting()), "accepted");
        assert_eq!(rule(&said()), "accepted");
    }

    #[test]
    fn every_refusal_names_its_rule() {
        type Change = fn(&mut MemoryProposal);
        let cases: [(&str, MemoryProposal, Change); 14] = [
            ("statement", setting(), |p| p.text = " ".to_owned()),
            ("statement", setting(), |p| p.text = "x".repeat(5_000)),
            ("subject", setting(), |p| p.subject.clear()),
            ("owner", setting(), |p| p.user = None),
            ("owner", setting(), |p| {
                p.user = Some(UserId::new("bob").unwrap());
            }),
            ("source", setting(), |p| p.source.setting = None),
            ("source", setting(), |p| p.source = said().source),
            ("source", said(), |p| p.source.events.clear()),
            ("source", said(), |p| {
                p.source.setting = Some("x".to_owned())
            }),
            ("expiry", said(), |p| p.expires_at = None),
            ("expiry", said(), |p| p.expires_at = Some(Timestamp::MAX)),
            ("expiry", setting(), |p| p.expires_at = Some(NOW)),
            ("correction-path", setting(), |p| p.correction = None),
            ("source-type", said(), |p| p.kind = MemoryKind::Preference),
        ];
        for (at, (expected, mut proposal, change)) in cases.into_iter().enumerate() {
            change(&mut proposal);
            assert_eq!(rule(&proposal), expected, "case {at}");
        }
    }

    #[test]
    fn unverified_text_waits_as_a_candidate_whatever_it_claims_to_be() {
        for source_type in [
            SourceType::AssistantMessage,
            SourceType::ToolOutput,
            SourceType::Document,
            SourceType::Attachment,
            SourceType::Summary,
        ] {
            for kind in [
                MemoryKind::Preference,
                MemoryKind::Profile,
                MemoryKind::Procedure,
                MemoryKind::Lesson,
            ] {
                let proposal = MemoryProposal {
                    kind,
                    source_type,
                    ..said()
                };
                let verdict = check_proposal(&me(), &proposal, NOW).unwrap();
                let Verdict::Candidate(error) = verdict else {
                    panic!("{source_type:?} as {kind:?} was accepted");
                };
                assert_eq!(error.field(), Some("source_type"));
            }
        }
    }
}

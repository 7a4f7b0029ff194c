//! The conversation that `aura demo` records, and the questions it asks of it.

use aura::Error;
use serde::Deserialize;

/// Two people furnish a flat, over nine weeks, with corrections, tool calls and five languages; import format.
pub(crate) const MESSAGES: &str = include_str!("../sample/lindenhof.jsonl");

/// One question a line.
const QUESTIONS: &str = include_str!("../sample/questions.jsonl");

/// The session that the messages belong to.
pub(crate) const SESSION: &str = "lindenhof-27";

/// A question whose answer and evidence are known.
#[derive(Debug, Clone, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Question {
    /// The question.
    pub(crate) question: String,
    /// The answer, for the reader.
    pub(crate) answer: String,
    /// The ids of the messages that the context must hold for it.
    pub(crate) expect: Vec<String>,
}

/// The questions, in the order asked.
///
/// # Errors
/// `Internal`, when the shipped file is damaged.
pub(crate) fn questions() -> Result<Vec<Question>, Error> {
    let parse = |line: &str| aura::json::parse("sample question", line.as_bytes());
    QUESTIONS.lines().map(parse).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::import::{Entry, Seen, Sight};

    #[test]
    fn every_line_is_accepted_and_every_question_has_its_evidence() {
        let mut seen = Seen::default();
        let mut ids = BTreeSet::new();
        for (line, text) in (1..).zip(MESSAGES.lines()) {
            let entry = Entry::parse(line, text.as_bytes()).unwrap().unwrap();
            assert_eq!(entry.session_id.as_str(), SESSION);
            assert_eq!(seen.note(&entry), Sight::New);
            entry.message.validate("message").unwrap();
            ids.insert(entry.message_id);
        }
        assert!(ids.len() >= 200);
        let questions = questions().unwrap();
        assert!(questions.len() >= 8);
        for question in questions {
            assert!(!question.expect.is_empty());
            assert!(question.expect.iter().all(|id| ids.contains(id)));
        }
    }
}

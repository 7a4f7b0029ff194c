//! A digest of a range in words of its own: deterministic, without a model, each line with its event.

use aura_core::{
    ArtifactHandle, CheckpointContent, Claim, MediaSource, Part, ResultContent, Role, StoredMessage,
};

/// Bytes of a line at most.
const LINE: usize = 240;
/// Claims of one list at most; the newest count.
const MOST: usize = 24;
/// Words by which a sentence demands something.
const DEMANDS: [&str; 10] = [
    "must", "must not", "never", "always", "only", "do not", "don't", "without", "at most",
    "at least",
];
/// How the line of an error begins or what it holds, in lower case.
const ERRORS: [&str; 7] = [
    "error",
    "exception",
    "failed",
    "failure",
    "fatal",
    "panic",
    "denied",
];

/// What a range came to, as far as its messages say so themselves.
#[must_use]
pub fn digest_range<'a>(
    messages: impl IntoIterator<Item = &'a StoredMessage>,
) -> CheckpointContent {
    let mut content = CheckpointContent::default();
    let mut asked: Vec<Claim> = Vec::new();
    for stored in messages {
        let text = stored.message.plain_text();
        match stored.message.role {
            Role::User => {
                // What was asked before has had its answer.
                asked.clear();
                take_user(stored, &text, &mut content);
            }
            Role::Assistant => {
                let questions = sentences(&text).filter(|sentence| sentence.ends_with('?'));
                let questions = questions.map(|sentence| Claim::of(cut(sentence), stored.event_id));
                asked = questions.collect();
            }
            Role::Tool | Role::System => {}
        }
        take_parts(stored, &mut content);
    }
    content.open_decisions = asked;
    for list in [
        &mut content.constraints,
        &mut content.completed,
        &mut content.open_decisions,
        &mut content.failed,
    ] {
        list.dedup_by(|a, b| a.text == b.text);
        let old = list.len().saturating_sub(MOST);
        list.drain(..old);
    }
    content.artifacts.sort();
    content.artifacts.dedup();
    content
}

fn take_user(stored: &StoredMessage, text: &str, content: &mut CheckpointContent) {
    let mut sentences = sentences(text);
    if content.goal.is_none() {
        let first = sentences.next();
        content.goal = first.map(|first| Claim::of(cut(first), stored.event_id));
    }
    for sentence in sentences {
        let lower = format!(" {} ", sentence.to_lowercase());
        let demands = |word: &&str| lower.contains(&format!(" {word} "));
        if DEMANDS.iter().any(demands) {
            content
                .constraints
                .push(Claim::of(cut(sentence), stored.event_id));
        }
    }
}

fn take_parts(stored: &StoredMessage, content: &mut CheckpointContent) {
    let mut note = |handle: &ArtifactHandle| content.artifacts.push(handle.clone());
    for part in &stored.message.parts {
        match part {
            Part::Media(media) => {
                if let MediaSource::Artifact(handle) = &media.source {
                    note(handle);
                }
            }
            Part::TextArtifact { handle } => note(handle),
            Part::ToolResult(result) => {
                let tool = result.tool.as_deref().unwrap_or("a tool");
                match &result.content {
                    ResultContent::Artifact(handle) => note(handle),
                    ResultContent::Text(text) if result.is_error => {
                        let line = format!("{tool}: {}", telling(text));
                        content.failed.push(Claim::of(cut(&line), stored.event_id));
                    }
                    ResultContent::Text(_) => {
                        let line = format!("{tool} gave a result");
                        content.completed.push(Claim::of(line, stored.event_id));
                    }
                }
            }
            _ => {}
        }
    }
}

/// The line of an error that tells most: the first that names it, else the first.
fn telling(text: &str) -> &str {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.clone().next().unwrap_or("no message");
    let names_it = |line: &&str| {
        let lower = line.to_lowercase();
        ERRORS.iter().any(|word| lower.contains(word))
    };
    lines.find(names_it).unwrap_or(first)
}

/// Sentences, roughly: by line ends and by full stops that a space follows.
fn sentences(text: &str) -> impl Iterator<Item = &str> {
    text.lines()
        .flat_map(|line| line.split_inclusive(['.', '!', '?', '。', '？', '！']))
        .map(str::trim)
        .filter(|sentence| sentence.chars().any(char::is_alphanumeric))
}

/// At most a line of a text, cut between characters.
fn cut(text: &str) -> String {
    let end = text.floor_char_boundary(LINE);
    match text.get(..end) {
        Some(short) if end < text.len() => format!("{short}…"),
        _ => text.to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use aura_core::{CallId, EventId, Message, Timestamp, ToolResult, Trust, TurnIndex};

    use super::*;

    fn stored(event: u64, message: Message) -> StoredMessage {
        StoredMessage {
            event_id: EventId(event),
            turn: TurnIndex(0),
            recorded_at: Timestamp::MIN,
            message,
            large_parts: Vec::new(),
        }
    }

    fn result(text: &str, is_error: bool) -> Message {
        Message {
            parts: vec![Part::ToolResult(ToolResult {
                call_id: CallId::new("c").unwrap(),
                tool: Some("migrate".to_owned()),
                output_schema: None,
                trust: Trust::Untrusted,
                is_error,
                content: ResultContent::Text(text.to_owned()),
            })],
            ..Message::text(Role::Tool, "")
        }
    }

    #[test]
    fn what_was_said_is_sorted_with_its_events() {
        let said = [
            Message::user("Move the orders to the new cluster. The old table must stay readable."),
            result("moved 500 rows", false),
            result("  at line 7\nDeadlockError: waited 30 s\n  at line 8", true),
            Message::assistant("It stopped. Shall I try again with smaller batches?"),
        ];
        let said: Vec<_> = (7..).zip(said).map(|(event, m)| stored(event, m)).collect();
        let content = digest_range(&said);
        let of = |claims: &[Claim]| {
            let claim = claims.first().unwrap();
            (claim.text.clone(), claim.events[0].0)
        };
        let goal = content.goal.clone().unwrap();
        assert_eq!(
            of(&[goal]),
            ("Move the orders to the new cluster.".to_owned(), 7)
        );
        assert_eq!(
            of(&content.constraints),
            ("The old table must stay readable.".to_owned(), 7)
        );
        assert_eq!(of(&content.completed).1, 8);
        assert_eq!(
            of(&content.failed),
            ("migrate: DeadlockError: waited 30 s".to_owned(), 9)
        );
        assert_eq!(
            of(&content.open_decisions),
            ("Shall I try again with smaller batches?".to_owned(), 10)
        );
        assert_eq!(digest_range(&said), content);
    }
}

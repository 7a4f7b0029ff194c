//! Conversations and questions, as JSON lines.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufRead as _, BufReader};
use std::path::Path;

use aura::{BuiltinCounter, Error, Message, Role, Timestamp, TokenCounter as _, json};
use serde::Deserialize;
use serde::de::DeserializeOwned;

use super::language::language_of;
use crate::exit::file_error;

/// What a message costs beside the tokens of `speaker: text`.
const MESSAGE_TOKENS: u32 = 4;

/// A line of `messages.jsonl`.
#[derive(Debug, Deserialize)]
struct MessageRow {
    conversation_id: String,
    #[serde(default)]
    session_id: String,
    message_id: String,
    #[serde(default)]
    speaker: String,
    role: String,
    text: String,
    #[serde(default)]
    timestamp: Option<String>,
    #[serde(default)]
    tokens: Option<u32>,
}

/// A line of `questions.jsonl` or `queries.jsonl`.
#[derive(Debug, Deserialize)]
struct QuestionRow {
    question_id: String,
    conversation_id: String,
    #[serde(default)]
    category: String,
    text: String,
    #[serde(default)]
    gold_message_ids: Vec<String>,
    #[serde(default)]
    asked_at: Option<String>,
}

/// A message of a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Said {
    /// Its id in the data.
    pub(crate) id: String,
    /// The part of the conversation it belongs to; turns do not cross parts.
    pub(crate) part: String,
    /// As it is recorded.
    pub(crate) message: Message,
    /// Its text.
    pub(crate) text: String,
    /// The tokens of `speaker: text` and 4.
    pub(crate) tokens: u32,
}

/// A question about a conversation.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Question {
    /// Its id in the data.
    pub(crate) id: String,
    /// Its kind, empty where the data have none.
    pub(crate) category: String,
    /// What is asked.
    pub(crate) text: String,
    /// The messages that hold the answer, as places in the conversation; empty without labels.
    pub(crate) gold: Vec<usize>,
    /// When it is asked.
    pub(crate) asked_at: Option<Timestamp>,
}

/// A conversation and the questions about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Conversation {
    /// Its id in the data.
    pub(crate) id: String,
    /// The language most of it is in, as an ISO 639-3 code; `und` where that cannot be told.
    pub(crate) language: String,
    /// Its messages, in order.
    pub(crate) messages: Vec<Said>,
    /// The questions, in order.
    pub(crate) questions: Vec<Question>,
}

/// A folder of conversations.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Data {
    /// The conversations, in the order of the file.
    pub(crate) conversations: Vec<Conversation>,
    /// Whether the questions have labels.
    pub(crate) labelled: bool,
}

impl Data {
    /// Reads `messages.jsonl`, and `questions.jsonl` or else `queries.jsonl`, from a folder.
    ///
    /// # Errors
    /// `NotFound` when a file is absent; `Invalid` naming file and line for a line that is not as described.
    pub(crate) fn read(folder: &Path) -> Result<Self, Error> {
        let mut reader = Reader::default();
        for (line, row) in rows(&folder.join("messages.jsonl"))? {
            reader.message(line, row)?;
        }
        let (mut name, mut path) = ("questions.jsonl", folder.join("questions.jsonl"));
        let labelled = path.exists();
        if !labelled {
            (name, path) = ("queries.jsonl", folder.join("queries.jsonl"));
        }
        for (line, row) in rows(&path)? {
            reader.question(name, line, row, labelled)?;
        }
        for conversation in &mut reader.conversations {
            let texts = conversation.messages.iter().map(|said| said.text.as_str());
            conversation.language = language_of(texts).to_owned();
        }
        Ok(Self {
            conversations: reader.conversations,
            labelled,
        })
    }
}

/// What has been read so far.
#[derive(Default)]
struct Reader {
    conversations: Vec<Conversation>,
    /// Conversations by id.
    at: HashMap<String, usize>,
    /// Messages by conversation and id.
    places: HashMap<(usize, String), usize>,
    questions: HashSet<String>,
}

impl Reader {
    fn message(&mut self, line: usize, row: MessageRow) -> Result<(), Error> {
        const FILE: &str = "messages.jsonl";
        let conversation = *self
            .at
            .entry(row.conversation_id.clone())
            .or_insert_with(|| {
                self.conversations.push(Conversation {
                    id: row.conversation_id.clone(),
                    language: String::new(),
                    messages: Vec::new(),
                    questions: Vec::new(),
                });
                self.conversations.len() - 1
            });
        let Some(place) = self.conversations.get_mut(conversation) else {
            return Ok(());
        };
        let role: Role = row.role.parse().map_err(|_| {
            wrong(
                FILE,
                line,
                "role",
                "must be system, user, assistant or tool",
            )
        })?;
        // A speaker called like the role says nothing that the role does not.
        let name =
            Some(row.speaker.clone()).filter(|name| !name.is_empty() && name != role.as_str());
        let mut message = Message::text(role, row.text.clone());
        message.name = name;
        message.time = time(FILE, line, "timestamp", row.timestamp.as_deref())?;
        let tokens = match row.tokens {
            Some(tokens) => tokens,
            None => {
                let bare = format!("{}: {}", message.speaker(), row.text);
                BuiltinCounter::O200kBase
                    .count(&bare)?
                    .saturating_add(MESSAGE_TOKENS)
            }
        };
        let key = (conversation, row.message_id.clone());
        if self.places.insert(key, place.messages.len()).is_some() {
            return Err(wrong(FILE, line, "message_id", "has come up before"));
        }
        place.messages.push(Said {
            id: row.message_id,
            part: row.session_id,
            message,
            text: row.text,
            tokens,
        });
        Ok(())
    }

    fn question(
        &mut self,
        file: &'static str,
        line: usize,
        row: QuestionRow,
        labelled: bool,
    ) -> Result<(), Error> {
        let unknown = || wrong(file, line, "conversation_id", "has no messages");
        let conversation = *self.at.get(&row.conversation_id).ok_or_else(unknown)?;
        if !self.questions.insert(row.question_id.clone()) {
            return Err(wrong(file, line, "question_id", "has come up before"));
        }
        let mut gold = Vec::new();
        for id in row.gold_message_ids.into_iter().filter(|_| labelled) {
            let place = self.places.get(&(conversation, id)).copied();
            let place =
                place.ok_or_else(|| wrong(file, line, "gold_message_ids", "names no message"))?;
            if !gold.contains(&place) {
                gold.push(place);
            }
        }
        let asked_at = time(file, line, "asked_at", row.asked_at.as_deref())?;
        if let Some(conversation) = self.conversations.get_mut(conversation) {
            conversation.questions.push(Question {
                id: row.question_id,
                category: row.category,
                text: row.text,
                gold,
                asked_at,
            });
        }
        Ok(())
    }
}

/// The lines of a file with their numbers; empty ones are passed over.
pub(super) fn rows<T: DeserializeOwned>(path: &Path) -> Result<Vec<(usize, T)>, Error> {
    let unread = |error| file_error("data", path, error);
    let file = File::open(path).map_err(unread)?;
    let mut rows = Vec::new();
    for (line, text) in (1..).zip(BufReader::new(file).lines()) {
        let text = text.map_err(unread)?;
        if text.trim().is_empty() {
            continue;
        }
        let row = json::parse("data", text.as_bytes()).map_err(|error| {
            let name = path
                .file_name()
                .map_or_else(String::new, |name| name.to_string_lossy().into());
            let problem = format!("{name}, line {line}: {}", error.message());
            let field = error.field().unwrap_or_default().to_owned();
            Error::new(error.kind(), problem).with_field(field)
        })?;
        rows.push((line, row));
    }
    Ok(rows)
}

fn time(
    file: &'static str,
    line: usize,
    field: &'static str,
    text: Option<&str>,
) -> Result<Option<Timestamp>, Error> {
    let time = text
        .filter(|text| !text.is_empty())
        .map(Timestamp::parse_lenient);
    time.transpose()
        .map_err(|_| wrong(file, line, field, "is no RFC 3339 time or date"))
}

fn wrong(file: &'static str, line: usize, field: &'static str, problem: &str) -> Error {
    Error::invalid_field(file, field, format_args!("{problem} (line {line})"))
}

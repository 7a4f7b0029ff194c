//! The extractor that needs no model: a small grammar over clauses.
//!
//! A message is split into sentences and clauses; for each clause it is decided who it is about and whether its author
//! asserts it at all ([`clause`]). What is asserted goes through the frames, each of which understands one kind of statement
//! ([`frames`]) and changes the facts it meets by their subject or by the value they name ([`book`]).

mod book;
mod clause;
mod foreign;
mod frames;
mod lexicon;
mod patterns;
mod phrase;
mod reading;
mod token;
mod value;
mod when;
mod wording;

#[cfg(test)]
mod tests;

use aura_core::{Fact, FactExtractor, FactOp, Part, Result, Role, StoredMessage, TurnRecord};

use book::{Book, Source};
use clause::sentence;
use frames::Scene;
use lexicon::Class;
use patterns::words;
use token::{Kind, Tokens};
use wording::Speaker;

/// Draws facts from what users say without a model: deterministic, and fast enough to run inside a read.
///
/// It understands everyday English: where people live, what they do, have, like, plan, need and decide, who is in
/// charge, what things cost and when they take place, and how all that is corrected. What it does not understand
/// gives no fact. Texts without a statement cost a few microseconds; of long messages only the beginning and the end are
/// read.
///
/// ```
/// use aura_core::FactExtractor;
/// let extractor = aura_memory::HeuristicExtractor::new();
/// assert!(extractor.name().starts_with("heuristic/"));
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct HeuristicExtractor {
    _private: (),
}

impl HeuristicExtractor {
    /// An extractor; it has no settings and no state.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }
}

impl FactExtractor for HeuristicExtractor {
    fn name(&self) -> &str {
        "heuristic/1"
    }

    fn extract(&self, session: &str, turn: &TurnRecord, current: &[Fact]) -> Result<Vec<FactOp>> {
        let mut book: Option<Book<'_>> = None;
        for message in turn
            .messages
            .iter()
            .filter(|message| message.message.role == Role::User)
        {
            let source = source(message);
            for part in &message.message.parts {
                let Part::Text { text } = part else { continue };
                for passage in reading::passages(text) {
                    let book = book.get_or_insert_with(|| Book::new(session, current, source));
                    book.turn_to(source);
                    read(passage, message.message.name.as_deref(), book);
                }
            }
        }
        Ok(book.map(Book::into_ops).unwrap_or_default())
    }
}

fn source(message: &StoredMessage) -> Source {
    Source {
        event: message.event_id,
        said: message.time(),
        recorded: message.recorded_at,
        trust: message.trust(),
    }
}

/// Reads one passage into the book.
fn read(text: &str, name: Option<&str>, book: &mut Book<'_>) {
    let tokens = Tokens::of(text);
    let speaker = Speaker::of(name);
    let mut scene = Scene {
        tokens: &tokens,
        book,
        speaker: &speaker,
        topic: None,
        said: None,
        object: None,
        changed: false,
        vacated: None,
    };
    let mut start = 0;
    while start < tokens.len() {
        let end = (start..tokens.len())
            .find(|i| tokens.at(*i).ends_sentence())
            .unwrap_or(tokens.len());
        if start < end {
            let asks = tokens.kind(end) == Kind::Question;
            if hands_over(&tokens, start, end) {
                return;
            }
            if !is_foreign(&tokens, start, end) {
                read_sentence(&mut scene, start, end, asks);
            }
        }
        start = end + 1;
    }
}

fn read_sentence(scene: &mut Scene<'_, '_, '_>, start: usize, end: usize, asks: bool) {
    let tokens = scene.tokens;
    let other = tokens.has_han
        && foreign::read_chinese(tokens.slice(start, end), asks, scene.speaker, scene.book)
        || tokens.classes.has(Class::FOREIGN)
            && foreign::read(tokens, start, end, asks, scene.speaker, scene.book);
    if other || !asks && scene.read_label(start, end) {
        return;
    }
    scene.read_mentions(start, end);
    let said = scene.book.said();
    for clause in sentence::clauses(tokens, start, end, asks) {
        scene.book.set_began(when::began(tokens, &clause, said));
        scene.read(&clause);
    }
    scene.book.set_began(None);
}

/// Whether the sentence hands over a text to work on: what follows is not the author's own statement.
fn hands_over(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    let works = (start..end).any(|i| {
        tokens
            .any(
                i,
                words![
                    "translate|rewrite|proofread|paraphrase|rephrase|summarize|summarise",
                    "polish|shorten|edit|check|correct|repeat|review|improve|fix",
                    "respond|reply|answer"
                ],
            )
            .is_some()
            && tokens.at(i).forms() & lexicon::form::PAST == 0
    });
    works
        && (tokens.kind(end) == Kind::Colon
            || (start..end).any(|i| {
                tokens.kind(i) == Kind::Colon
                    || tokens
                        .any(i, words!["this", "following", "below"])
                        .is_some()
            }))
}

/// Citations and code that stand in the prose.
fn is_foreign(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    reading::is_foreign_line(tokens.slice(start, end))
        || (start..end).all(|i| tokens.at(i).quoted)
        || start > 0
            && tokens
                .text
                .as_bytes()
                .get(tokens.at(start).start as usize - 1)
                == Some(&b'>')
        || !(start..end).any(|i| tokens.at(i).kind == Kind::Word || tokens.has(i, Class::VERB))
}

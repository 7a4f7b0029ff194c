//! German, French, Spanish and Chinese: plain statements in the first person, kept in the words they were said in.
//!
//! Each language is a table of patterns. What they do not match gives no fact.

mod chinese;
mod french;
mod german;
mod pattern;
mod spanish;

use super::book::{Book, Entries, mentions};
use super::lexicon;
use super::phrase::{Span, Words};
use super::token::{Kind, Tokens};
use super::wording::{self, Speaker};
use pattern::{Captured, Pattern};

pub(super) use chinese::read as read_chinese;

/// What a pattern says of the speaker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Says {
    /// A property with one value at a time.
    Is(&'static str),
    /// The same, in words that tell of a change.
    Becomes(&'static str),
    /// One of several values.
    Has(&'static str),
    /// The value no longer holds.
    Ended(&'static str),
    /// The first captured value takes the place of the second.
    Replaces,
    /// The second takes the place of the first.
    GivesWay,
}

/// The words of one language.
struct Language {
    /// Words that occur in statements of the first person, and hardly in English ones.
    markers: &'static [&'static str],
    /// Words that make a sentence no statement of the speaker.
    doubts: &'static [&'static str],
    /// Words that deny, where no pattern of its own expects them.
    denials: &'static [&'static str],
    /// Words that join clauses.
    joins: &'static [&'static str],
    /// Words that mark a statement as of now.
    now: &'static [&'static str],
    /// Words that begin adverbials after a value.
    stops: &'static [&'static str],
    patterns: &'static [(&'static str, Says)],
    /// Nouns of which one may say that one has them.
    things: &'static [&'static str],
}

const LANGUAGES: [&Language; 3] = [&german::LANGUAGE, &french::LANGUAGE, &spanish::LANGUAGE];

/// Reads a sentence that holds a marker of another language; `false` when it is none.
pub(super) fn read(
    tokens: &Tokens<'_>,
    start: usize,
    end: usize,
    asks: bool,
    speaker: &Speaker,
    book: &mut Book<'_>,
) -> bool {
    let Some(language) = LANGUAGES
        .into_iter()
        .find(|language| speaks(language, tokens, start, end))
    else {
        return false;
    };
    let quoted = (start..end).any(|i| tokens.at(i).quoted);
    if asks || quoted || has(tokens, start, end, language.doubts) {
        return true;
    }
    let mut reader = Reader {
        language,
        tokens,
        speaker,
        book,
    };
    if !reader.clause(start, end, true) {
        let mut from = start;
        for at in start..=end {
            let splits = at == end
                || matches!(tokens.kind(at), Kind::Comma | Kind::Colon | Kind::Dash)
                || language.joins.contains(&tokens.fold(at));
            if splits {
                if from < at {
                    reader.clause(from, at, false);
                }
                from = at + 1;
            }
        }
    }
    true
}

fn speaks(language: &Language, tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    let found = (start..end)
        .filter(|i| language.markers.contains(&tokens.fold(*i)))
        .count();
    let english = (start..end)
        .filter(|i| matches!(tokens.fold(*i), "the" | "i" | "is" | "and" | "my" | "to"))
        .count();
    found > english
}

fn has(tokens: &Tokens<'_>, start: usize, end: usize, words: &[&str]) -> bool {
    (start..end).any(|i| words.iter().any(|word| tokens.matches(i, word).is_some()))
}

struct Reader<'r, 'a, 'c> {
    language: &'static Language,
    tokens: &'r Tokens<'a>,
    speaker: &'r Speaker,
    book: &'r mut Book<'c>,
}

impl Reader<'_, '_, '_> {
    /// Tries the patterns on one clause; on a `whole` sentence only those that compare two values.
    fn clause(&mut self, start: usize, end: usize, whole: bool) -> bool {
        for (pattern, says) in self.language.patterns {
            if whole != matches!(says, Says::Replaces | Says::GivesWay) {
                continue;
            }
            let Some(captured) =
                Pattern(pattern).find(self.tokens, start, end, self.language.stops)
            else {
                continue;
            };
            let denied = has(
                self.tokens,
                start,
                captured.begin.max(start),
                self.language.denials,
            ) || has(self.tokens, captured.begin, end, self.language.denials)
                && !matches!(says, Says::Ended(_) | Says::Replaces | Says::GivesWay);
            if denied {
                return true;
            }
            if self.say(*says, &captured, start, end) {
                return true;
            }
        }
        false
    }

    fn say(&mut self, says: Says, captured: &Captured, start: usize, end: usize) -> bool {
        let words = phrase_words(self.tokens, captured.first);
        if words.is_empty() || captured.first.1 - captured.first.0 > 12 {
            return false;
        }
        let text = self
            .speaker
            .says(&wording_of(self.tokens, captured.begin, end));
        match says {
            Says::Is(property) | Says::Becomes(property) => {
                let changes = matches!(says, Says::Becomes(_))
                    || has(self.tokens, start, end, self.language.now);
                if matches!(property, "home" | "employer" | "name")
                    && !self.tokens.at(captured.first.0).capital
                {
                    return false;
                }
                self.single(property, &text, &words, changes);
            }
            Says::Has(property) => {
                let thing = (captured.first.0..captured.first.1)
                    .any(|i| self.language.things.contains(&self.tokens.fold(i)));
                if property == "has" && !thing {
                    return false;
                }
                let property = if property == "has" { "pets" } else { property };
                let names = self.names_end(end);
                let text = self
                    .speaker
                    .says(&wording_of(self.tokens, captured.begin, names));
                self.book
                    .add(&format!("{}/{property}", self.speaker.entity), &text);
            }
            Says::Ended(property) => {
                let subject = format!("{}/{property}", self.speaker.entity);
                let mut facts = self.book.of_subject(&subject);
                facts.retain(|fact| mentions(self.book.text(*fact), &words));
                if facts.is_empty() {
                    return true;
                }
                let note = self.book.add(&format!("{subject}:ended"), &text);
                for fact in facts {
                    self.book.end(fact, note);
                }
            }
            Says::Replaces | Says::GivesWay => return self.replace(says, captured),
        }
        true
    }

    /// The end of names that follow in apposition: `zwei Katzen, Mia und Leo`.
    fn names_end(&self, end: usize) -> usize {
        let mut at = end;
        loop {
            let joined = self.tokens.kind(at) == Kind::Comma
                || at > end && self.language.joins.contains(&self.tokens.fold(at));
            let named = self.tokens.at(at + 1).capital
                && (!self.tokens.at(at + 2).is_wordy()
                    || self.language.joins.contains(&self.tokens.fold(at + 2)));
            if !(joined && named) {
                return at;
            }
            at += 2;
        }
    }

    fn single(&mut self, property: &str, text: &str, words: &[String], changes: bool) {
        let subject = format!("{}/{property}", self.speaker.entity);
        let before = self.book.of_subject(&subject);
        let known = before
            .iter()
            .any(|fact| mentions(self.book.text(*fact), words));
        if known && !changes {
            return;
        }
        let Some(new) = self.book.add(&subject, text) else {
            return;
        };
        let notes = self.book.of_subject(&format!("{subject}:ended"));
        for old in before.into_iter().chain(notes) {
            self.book.end(old, Some(new));
        }
    }

    fn replace(&mut self, says: Says, captured: &Captured) -> bool {
        let Some(second) = captured.second else {
            return false;
        };
        let (new, old) = if says == Says::Replaces {
            (captured.first, second)
        } else {
            (second, captured.first)
        };
        let old_words = phrase_words(self.tokens, old);
        let facts: Entries = self.book.mentioning(&old_words);
        let Some(fact) = facts.last().copied().filter(|_| !old_words.is_empty()) else {
            return false;
        };
        let (text, subject) = (
            self.book.text(fact).to_owned(),
            self.book.subject(fact).to_owned(),
        );
        let Some(text) = wording::substituted(&text, &old_words, self.tokens.slice(new.0, new.1))
        else {
            return false;
        };
        let added = self.book.add(&subject, &text);
        self.book.end(fact, added);
        true
    }
}

fn phrase_words(tokens: &Tokens<'_>, span: Span) -> Words {
    const EMPTY: [&str; 28] = [
        "der", "die", "das", "den", "dem", "ein", "eine", "einen", "le", "la", "les", "un", "une",
        "el", "los", "las", "una", "de", "à", "en", "in", "und", "et", "y", "l", "des", "du",
        "von",
    ];
    (span.0..span.1)
        .filter(|i| tokens.at(*i).is_wordy() && !EMPTY.contains(&tokens.fold(*i)))
        .map(|i| lexicon::stem(tokens.fold(i)).to_owned())
        .collect()
}

/// The clause as it was said, without what stands before it.
fn wording_of(tokens: &Tokens<'_>, begin: usize, end: usize) -> String {
    wording::clip(tokens.slice(begin, end), wording::LONGEST).to_owned()
}

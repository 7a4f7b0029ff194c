//! What clauses say: each frame understands one kind of statement and writes it into the book.

mod contrast;
mod enumeration;
mod general;
mod habit;
mod person;
mod possession;
mod referent;
mod relation;
mod removal;
mod residence;
mod revision;
mod role;
mod statement;
mod topic;
mod work;

use super::book::{Book, Entries, Entry};
use super::clause::{Clause, Marks, Mood, Subject, Tense};
use super::lexicon::{self, Class};
use super::patterns::{Patterns, words};
use super::phrase::{self, Span, Words};
use super::token::Tokens;
use super::wording::{self, Speaker};

use referent::Who;

/// How many events back a statement may be that a bare `it`, `he` or value takes up.
const RECENT: u64 = 12;

/// A clause, the words it is made of, and the facts it may change.
pub(super) struct Scene<'s, 'a, 'c> {
    pub(super) tokens: &'s Tokens<'a>,
    pub(super) book: &'s mut Book<'c>,
    pub(super) speaker: &'s Speaker,
    /// The topic that the sentence before spoke of, for `it`.
    pub(super) topic: Option<Entry>,
    /// What `I said …` named, for `I meant …`.
    pub(super) said: Option<Span>,
    /// What the clause before acted on.
    pub(super) object: Option<Span>,
    /// Something said earlier in this message was a change.
    pub(super) changed: bool,
    /// What the clause before took away, for what comes instead.
    pub(super) vacated: Option<Gap>,
}

/// The place that a removal left open.
#[derive(Debug, Clone)]
pub(super) struct Gap {
    /// The fact as it was, and its subject.
    text: String,
    subject: String,
    /// What was taken out of it.
    words: Vec<String>,
    /// What the removal wrote.
    left: Entries,
}

impl Scene<'_, '_, '_> {
    /// Reads what a sentence says in passing, whatever its mood.
    pub(super) fn read_mentions(&mut self, start: usize, end: usize) {
        relation::mentioned(self, start, end);
    }

    /// Reads one clause with the marks that stand anywhere in it.
    pub(super) fn read(&mut self, clause: &Clause) {
        self.understand(clause);
        self.object = clause.has_verb().then_some((clause.verb, clause.end));
        self.changed |= self.tells_of_change(clause);
    }

    /// Whether a clause says that something known is no longer so, without saying what is so instead.
    fn tells_of_change(&self, clause: &Clause) -> bool {
        let tokens = self.tokens;
        let told = clause.is_real() && !clause.marks.negated;
        let changes = Class::CHANGE.with(Class::MOVE).with(Class::REMOVE);
        let mistaken = (clause.start..clause.end).any(|i| {
            tokens
                .any(
                    i,
                    words!["wrong|mistake|mistaken|typo|extension|misread|mistyped|mixed"],
                )
                .is_some()
        });
        told && (clause.verb_is(tokens, changes)
            && (clause.marks.passive
                || matches!(clause.tense, Tense::Past | Tense::Perfect))
            && !matches!(clause.lemma(tokens), "go" | "take" | "leave" | "cut" | "set" | "forget")
            || mistaken)
            || clause.is_asserted() && clause.marks.negated && clause.lemma(tokens) == "be"
                && (clause.body..clause.end).any(|i| {
                    tokens
                        .any(i, words!["right|realistic|possible|correct|enough|true|available|feasible|doable"])
                        .is_some()
                })
            || clause.is_asserted() && clause.marks.negated && clause.marks.ability
            || clause.is_asserted() && clause.marks.negated && clause.tense == Tense::Future
    }

    fn understand(&mut self, clause: &Clause) {
        let mut clause = *clause;
        phrase::marks_in(self.tokens, clause.body, clause.end, &mut clause.marks);
        let considered = matches!(clause.mood, Mood::Asserted | Mood::Hedged | Mood::Intended)
            && !clause.marks.doubt;
        if !considered || clause.tense == Tense::Former {
            return;
        }
        if clause.is_asserted() && residence::read(self, &clause) {
            return;
        }
        if contrast::read(self, &clause) || removal::read(self, &clause) {
            return;
        }
        if clause.mood == Mood::Intended {
            let _understood =
                topic::read_obligation(self, &clause) || enumeration::read_wish(self, &clause);
        }
        if !clause.is_asserted() || self.tokens.at(clause.verb).quoted {
            return;
        }
        if enumeration::names(self, &clause) || statement::cannot(self, &clause) {
            return;
        }
        let personal = [
            relation::read,
            role::read,
            work::read,
            person::read,
            possession::read,
            habit::read,
        ];
        if personal.iter().any(|frame| frame(self, &clause)) {
            return;
        }
        let _understood = enumeration::read(self, &clause)
            || topic::read(self, &clause)
            || revision::read(self, &clause)
            || general::read(self, &clause)
            || statement::read(self, &clause);
    }

    /// A label with a colon and its items.
    pub(super) fn read_label(&mut self, start: usize, end: usize) -> bool {
        enumeration::labelled(self, start, end) || topic::label::labelled(self, start, end)
    }

    /// The newest fact before this message that is no statement about a person, for `make it 12`: only if the newest of all.
    fn latest(&self) -> Option<Entry> {
        let (entry, _, subject) = self.book.live().next_back()?;
        (subject.starts_with("topic:") || subject.starts_with("project/")).then_some(entry)
    }

    /// Whether the clause is about the speaker.
    fn is_mine(clause: &Clause) -> bool {
        matches!(clause.subject, Subject::Me | Subject::Us)
    }

    /// States a property that has one value at a time: what it was before ends, unless the new words only say it more or
    /// less exactly. `changes` says that the clause speaks of a change.
    fn state_single(&mut self, subject: &str, text: &str, value: &[String], changes: bool) {
        let before = self.book.of_subject(subject);
        for old in &before {
            let known = self.book.text(*old).to_owned();
            let (old_in_new, new_in_old) = (
                is_refined(&known, text, value),
                super::book::mentions(&known, value),
            );
            if new_in_old && !changes && !value.is_empty() {
                return;
            }
            if old_in_new && !changes {
                self.book.revise(*old, text);
                return;
            }
        }
        let Some(new) = self.book.add(subject, text) else {
            return;
        };
        for old in before {
            self.book.end(old, Some(new));
        }
        self.clear_ended(subject, new);
    }

    /// States one of several values of a property.
    fn state_multi(&mut self, subject: &str, text: &str) -> Option<Entry> {
        let new = self.book.add(subject, text)?;
        self.clear_ended(subject, new);
        Some(new)
    }

    /// What was said to have ended holds again.
    fn clear_ended(&mut self, subject: &str, new: Entry) {
        for old in self.book.of_subject(&ended(subject)) {
            self.book.end(old, Some(new));
        }
    }

    /// Ends facts because the clause says that they no longer hold, and keeps that as a fact. An item of a list only leaves
    /// the list.
    fn end_with(&mut self, facts: &Entries, words: &[String], subject: &str, text: &str) {
        let note = self.book.add(&ended(subject), text);
        for fact in facts {
            self.end_or_shorten(*fact, words, note);
        }
    }

    /// Takes an item out of a list, or ends a fact that is no list.
    fn end_or_shorten(&mut self, fact: Entry, words: &[String], note: Option<Entry>) {
        let (text, subject) = (
            self.book.text(fact).to_owned(),
            self.book.subject(fact).to_owned(),
        );
        match wording::without_item(&text, words) {
            Some(rest) if !rest.is_empty() => {
                let shorter = self.book.add(&subject, &rest);
                self.book.end(fact, shorter);
            }
            _ => self.book.end(fact, note),
        }
    }

    /// A clause in the third person, up to `to`.
    fn statement(&self, clause: &Clause, to: usize) -> String {
        if clause.subject == Subject::Other
            && let Some(who) = self.who(clause)
        {
            return who.says(&wording::slice(self.tokens, clause.np.1, to));
        }
        wording::statement(self.tokens, clause, to, self.speaker)
    }

    fn content(&self, span: Span) -> Words {
        phrase::content(self.tokens, span)
    }
}

/// The subject of facts that say that something has ended.
fn ended(subject: &str) -> String {
    format!("{subject}:ended")
}

/// Whether a subject is one of [`ended`].
fn is_ended(subject: &str) -> bool {
    subject.ends_with(":ended")
}

/// Whether `text` says all that `known` says and more about the same value.
fn is_refined(known: &str, text: &str, value: &[String]) -> bool {
    let tokens = Tokens::of(known);
    let words = phrase::content(&tokens, (0, tokens.len()));
    !words.is_empty()
        && super::book::mentions(text, &words)
        && words.iter().any(|word| value.contains(word))
}

/// Whether the clause itself, or its verb, speaks of a change.
fn speaks_of_change(marks: Marks) -> bool {
    marks.now || marks.corrects
}

/// Whether the tokens begin with one of the patterns; gives the place after it.
fn after(tokens: &Tokens<'_>, at: usize, patterns: &Patterns) -> Option<usize> {
    tokens.any(at, patterns)
}

/// A word in the singular, as subjects of facts name it.
fn singular(word: &str) -> String {
    match word {
        "children" | "kids" => return "kid".to_owned(),
        "mice" => return "mouse".to_owned(),
        "puppies" => return "puppy".to_owned(),
        _ => {}
    }
    let plural =
        word.len() > 3 && word.ends_with('s') && !word.ends_with("ss") && !word.ends_with("us");
    if !plural {
        return word.to_owned();
    }
    match word.strip_suffix("ies") {
        Some(stem) => format!("{stem}y"),
        None => word.trim_end_matches('s').to_owned(),
    }
}

/// Whether two sets of stems are the same kind of thing, so that one takes the place of the other.
fn same_kind(old: &str, new: &[String]) -> bool {
    let kinds = |words: &[String]| {
        words
            .iter()
            .filter_map(|word| lexicon::kind_of(word))
            .collect::<Vec<_>>()
    };
    let tokens = Tokens::of(old);
    let old = kinds(&phrase::content(&tokens, (0, tokens.len())));
    kinds(new).iter().any(|kind| old.contains(kind))
}

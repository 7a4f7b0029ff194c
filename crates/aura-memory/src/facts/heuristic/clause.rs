//! Clauses: who is said to do what, and whether it is asserted at all.

use super::lexicon::Class;
use super::patterns::{Patterns, words};
use super::token::{Kind, Tokens};

pub(super) mod opener;
pub(super) mod sentence;
pub(super) mod subject;
pub(super) mod verb_group;

/// Who or what a clause speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Subject {
    /// `I`, also where it is left out: `Sold the car.`
    Me,
    /// `we`.
    Us,
    /// Something or somebody of the speaker: `my sister`, `our budget`.
    Mine,
    /// Any other noun phrase.
    Thing,
    /// A proper name.
    Name,
    /// `it`, `that`, `there`.
    It,
    /// `he`, `you`, `they`: nobody we could name.
    Other,
    /// An order or a clause without a verb.
    Nobody,
}

/// How a clause is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Mood {
    Asserted,
    /// `I think`, `I guess`.
    Hedged,
    /// `I want to`, `I'm going to`, `we need to`.
    Intended,
    /// `If I`, `I might`, `I wish`.
    Hypothetical,
    Question,
    /// What one asks the assistant to do.
    Request,
    /// What somebody else says.
    Reported,
    /// Clauses of time and place, relative clauses.
    Background,
}

/// When a clause speaks of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Tense {
    Present,
    Progressive,
    Past,
    Perfect,
    Future,
    /// `used to`.
    Former,
    /// An order: `drop eggs`, `let's take oak`.
    Order,
    /// No verb.
    Bare,
}

/// What small words in a clause say.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Marks {
    pub(super) negated: bool,
    /// `no longer`, `not … any more`.
    pub(super) ended: bool,
    /// `now`, `these days`, `instead`.
    pub(super) now: bool,
    /// `also`, `too`, `another`.
    pub(super) also: bool,
    /// The sentence began by announcing a correction.
    pub(super) corrects: bool,
    pub(super) doubt: bool,
    pub(super) passive: bool,
    /// `decided to`.
    pub(super) decided: bool,
    /// `can`, `be able to`.
    pub(super) ability: bool,
}

/// One clause of a sentence.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clause {
    /// Its first token, openers left out.
    pub(super) start: usize,
    pub(super) subject: Subject,
    /// The noun phrase of the subject, empty for pronouns.
    pub(super) np: (usize, usize),
    /// Its main verb; equal to `body` when there is none.
    pub(super) verb: usize,
    /// What follows the verb group.
    pub(super) body: usize,
    pub(super) end: usize,
    pub(super) tense: Tense,
    pub(super) mood: Mood,
    pub(super) marks: Marks,
}

impl Clause {
    /// Whether a verb was understood.
    pub(super) fn has_verb(&self) -> bool {
        self.verb < self.body
    }

    /// The dictionary form of the main verb, or an empty string.
    pub(super) fn lemma<'t>(&self, tokens: &'t Tokens<'_>) -> &'t str {
        if !self.has_verb() {
            return "";
        }
        match tokens.lemma(self.verb) {
            "not" | "no" => "be",
            lemma => lemma,
        }
    }

    /// Whether the speaker vouches for it.
    pub(super) fn is_asserted(&self) -> bool {
        self.mood == Mood::Asserted && !self.marks.doubt
    }

    /// Whether it says that something is so, was done or has happened, and not only that it will be.
    pub(super) fn is_real(&self) -> bool {
        self.is_asserted() && !matches!(self.tense, Tense::Future | Tense::Order | Tense::Former)
    }

    /// Whether it says in words that it is of now: `started using X` says no more than that.
    pub(super) fn says_now(&self, tokens: &Tokens<'_>) -> bool {
        let before = self.start > 0 && tokens.has(self.start - 1, Class::NOW);
        self.marks.now
            && (before
                || (self.start..self.end).any(|i| {
                    tokens.has(i, Class::NOW)
                        || tokens
                            .any(i, words!["these days", "at the moment"])
                            .is_some()
                }))
    }

    /// Matches patterns that begin with the main verb, adverbs after it skipped (`is now responsible for`); gives the place
    /// after them.
    pub(super) fn after_verb(&self, tokens: &Tokens<'_>, patterns: &Patterns) -> Option<usize> {
        tokens.any(self.verb, patterns).or_else(|| {
            (self.body > self.verb + 1)
                .then(|| tokens.any_from(self.verb, self.body, patterns))
                .flatten()
        })
    }

    /// Whether the main verb is of a class.
    pub(super) fn verb_is(&self, tokens: &Tokens<'_>, class: Class) -> bool {
        self.has_verb() && tokens.has(self.verb, class)
    }
}

/// Whether a mark at a place separates clauses.
pub(super) fn is_break(tokens: &Tokens<'_>, place: usize) -> bool {
    matches!(
        tokens.kind(place),
        Kind::None
            | Kind::Comma
            | Kind::Colon
            | Kind::Dash
            | Kind::Open
            | Kind::Close
            | Kind::Stop
            | Kind::Question
            | Kind::Exclamation
            | Kind::Semicolon
            | Kind::Arrow
            | Kind::Other
    )
}

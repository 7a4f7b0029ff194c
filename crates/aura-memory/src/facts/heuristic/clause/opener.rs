//! What stands before the first clause of a sentence: greetings, `by the way`, `change of plans:`, `as of March`.

use super::{Marks, is_break};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::{Patterns, words};
use crate::facts::heuristic::token::{Kind, Tokens};

/// Openers that announce a correction.
const CORRECTING: &Patterns = words![
    "change of plan|plans",
    "plan|plans changed|change",
    "on second thought|thoughts",
    "scratch|strike|scrap|ignore|disregard that",
    "i take that back",
    "i take it back",
    "i misspoke",
    "i was wrong",
    "my mistake|bad",
    "never mind",
    "nevermind",
    "small|quick|minor|tiny|slight|little|one correction|change|update|fix",
    "correction",
    "update",
    "edit",
    "wait",
    "actually",
    "no wait",
    "in fact",
    "let me correct that|myself",
    "sorry|oops|whoops|typo",
    "hang|hold on",
    "come to think of it",
    "on reflection",
    "i meant to say",
    "i meant",
    "i mean",
    "make that",
    "forget that",
    "not quite",
];

/// Openers that say nothing.
const PLAIN: &Patterns = words![
    "by the way",
    "just letting you know that",
    "just letting you know",
    "letting you know that",
    "i just|also|should|must wanted|want|mention to let you know that",
    "i wanted|want to let you know that",
    "i wanted|want to let you know",
    "just wanted to let you know that",
    "just wanted to let you know",
    "i should|must mention that",
    "i forgot to mention|say|tell that|:|you",
    "i forgot to mention|say",
    "forgot to mention|say|tell that|:|you",
    "forgot to mention|say",
    "did i mention",
    "funny|long story short",
    "as luck would have it",
    "on another note",
    "you should know that",
    "note|remember that",
    "please note|remember that",
    "keep in mind that",
    "for context",
    "just so you know",
    "so you know",
    "for the record",
    "for your information",
    "good|great|big|bad|sad|exciting news",
    "good morning|evening|afternoon",
    "can|could|would you please note|remember|record that",
    "can|could|would you note|remember|record that",
    "quick|small|side note|question",
    "heads up",
    "heads-up",
    "guess what",
    "you know what",
    "after all",
    "as you know",
    "as it happens",
    "as it turns|turned out",
    "it turns|turned out that",
    "it turns|turned out",
    "turns out that",
    "turns out",
    "turned out",
    "to be clear|honest",
    "of course",
    "in the end",
    "in other news",
    "one more thing",
    "from now on",
    "these days",
    "at the moment",
    "right now",
    "thing is",
    "the thing is",
];

/// Skips openers; gives the place of the first clause.
pub(in super::super) fn skip(
    tokens: &Tokens<'_>,
    start: usize,
    end: usize,
    marks: &mut Marks,
) -> usize {
    let mut at = start;
    while at < end {
        let from = at;
        if is_break(tokens, at) || tokens.kind(at) == Kind::Slash {
            at += 1;
        } else if let Some(next) = tokens
            .any(at, CORRECTING)
            .filter(|next| stands_alone(tokens, at, *next))
        {
            marks.corrects = true;
            at = next;
        } else if let Some(next) = tokens.any(at, PLAIN) {
            marks.now |= tokens
                .any(
                    at,
                    words!["from now on", "these days", "at the moment", "right now"],
                )
                .is_some();
            at = next;
        } else if tokens.fold(at) == "no"
            && (tokens.kind(at + 1) == Kind::Comma
                || tokens
                    .any(at + 1, words!["sorry|wait|actually|no"])
                    .is_some())
        {
            marks.corrects = true;
            at += 1;
        } else if tokens.has(at, Class::GREETING) {
            marks.now |= tokens.has(at, Class::NOW);
            marks.also |= tokens.has(at, Class::ALSO);
            at += 1;
            // `Hey Mel, …`
            if matches!(tokens.fold(from), "hi" | "hey" | "hello") {
                at = skip_name(tokens, at);
            }
        } else if let Some(next) = timed(tokens, at, end) {
            marks.now |= tokens
                .any(at, words!["as of|from", "starting|beginning|effective"])
                .is_some();
            at = next;
        }
        if at == from {
            break;
        }
    }
    at
}

/// Words that begin a clause as well as announce one (`update`, `wait`, `actually`) must be set off by a mark,
/// unless nothing else can be meant.
fn stands_alone(tokens: &Tokens<'_>, at: usize, next: usize) -> bool {
    is_break(tokens, next)
        || next > at + 1
        || tokens.fold(at) == "actually"
        || tokens.fold(at) == "nevermind"
}

fn skip_name(tokens: &Tokens<'_>, at: usize) -> usize {
    let named =
        tokens.at(at).is_wordy() && !tokens.has(at, Class::I.with(Class::WE).with(Class::VERB));
    if !named {
        return at;
    }
    (at + 1..=at + 2)
        .find(|i| is_break(tokens, *i))
        .unwrap_or(at)
}

/// `As of March`, `Starting Monday,`, `Last week`, `In 2019,`: a time before the clause.
fn timed(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<usize> {
    let dated = Class::MONTH.with(Class::DAY).with(Class::UNIT);
    if let Some(after) = tokens.any(
        at,
        words![
            "as of",
            "effective",
            "starting from",
            "starting|beginning",
            "since|from",
            "in|on|after|before|by|until"
        ],
    ) {
        let first = tokens
            .any(after, words!["last|this|next|the|early|late|mid"])
            .unwrap_or(after);
        let is_time = tokens.has(first, dated)
            || tokens.kind(first) == Kind::Number
            || tokens.any(first, words!["now", "today", "then"]).is_some();
        if !is_time || tokens.kind(first) == Kind::Number && !is_year_or_day(tokens, first) {
            return None;
        }
        let mut next = first + 1;
        while next < end
            && next < first + 5
            && (tokens.has(next, dated)
                || tokens.kind(next) == Kind::Number
                || tokens.any(next, words!["of", "the"]).is_some())
        {
            next += 1;
        }
        if tokens.kind(next) == Kind::Comma {
            next += 1;
        }
        return Some(next);
    }
    let after = tokens.any(at, words!["last|this|next|earlier|later"])?;
    if !tokens.has(after, dated) {
        return None;
    }
    Some(if tokens.kind(after + 1) == Kind::Comma {
        after + 2
    } else {
        after + 1
    })
}

/// `In the novel, I live in Paris`: nothing that follows is of the speaker.
pub(in super::super) fn is_fiction(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    let Some(at) = tokens.any(start, words!["in|for|within the|my|this|a|that|our"]) else {
        return false;
    };
    (at..end.min(at + 4))
        .take_while(|i| tokens.at(*i).is_wordy())
        .any(|i| {
            matches!(
                tokens.fold(i),
                "novel"
                    | "story"
                    | "book"
                    | "game"
                    | "film"
                    | "movie"
                    | "dream"
                    | "scenario"
                    | "script"
                    | "play"
                    | "poem"
                    | "song"
                    | "episode"
                    | "example"
                    | "exercise"
                    | "role-play"
                    | "roleplay"
                    | "screenplay"
            )
        })
}

fn is_year_or_day(tokens: &Tokens<'_>, at: usize) -> bool {
    let fold = tokens.fold(at);
    let year = fold.len() == 4 && fold.bytes().all(|b| b.is_ascii_digit());
    year || fold.ends_with(['t', 'd', 'h'])
}

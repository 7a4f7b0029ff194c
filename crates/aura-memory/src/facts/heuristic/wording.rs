//! How a fact is worded: in the third person, in the user's own words.

use super::clause::{Clause, Subject};
use super::lexicon::{self, Class, form};
use super::token::{Kind, Tokens};

/// Longest text of a fact, in bytes.
pub(super) const LONGEST: usize = 240;

/// Who a statement is about, as facts name them.
#[derive(Debug, Clone)]
pub(super) struct Speaker {
    /// First part of the subject of facts: `user`, or the speaker's name.
    pub(super) entity: String,
    /// What the text of a fact begins with: nothing, or the name.
    pub(super) prefix: String,
}

impl Speaker {
    /// The only user of a session, or one by name.
    pub(super) fn of(name: Option<&str>) -> Self {
        let name = name.map(str::trim).filter(|name| !name.is_empty());
        Self {
            entity: name.map_or_else(
                || "user".to_owned(),
                |name| clip(&name.replace('/', "_"), 80).to_owned(),
            ),
            prefix: name.map_or_else(String::new, |name| format!("{} ", clip(name, 80))),
        }
    }

    /// A statement about the speaker.
    pub(super) fn says(&self, predicate: &str) -> String {
        format!("{}{predicate}", self.prefix)
    }
}

/// The words from one token up to another as written, `my` and its kin turned to the third person.
pub(super) fn slice(tokens: &Tokens<'_>, from: usize, to: usize) -> String {
    let mut out = String::new();
    let mut last: Option<u32> = None;
    for at in from..to {
        let token = tokens.at(at);
        let gap = last.is_some_and(|end| end != token.start) && !out.is_empty();
        if gap {
            out.push(' ');
        }
        last = Some(token.end);
        let written = tokens
            .text
            .get(token.start as usize..token.end as usize)
            .unwrap_or_default();
        out.push_str(third(tokens.fold(at), written));
    }
    if out.len() > LONGEST {
        let cut = clip(&out, LONGEST - 3).len();
        out.truncate(cut);
        out.push('…');
    }
    out
}

fn third<'w>(fold: &str, written: &'w str) -> &'w str {
    match fold {
        "my" => "their",
        "mine" => "theirs",
        "me" => "them",
        "myself" => "themselves",
        "i" => "they",
        _ => written,
    }
}

/// A clause as a statement in the third person: `I drink coffee` becomes `drinks coffee`, `my rent is 850` becomes
/// `their rent is 850`. It ends before `to`.
pub(super) fn statement(
    tokens: &Tokens<'_>,
    clause: &Clause,
    to: usize,
    speaker: &Speaker,
) -> String {
    let elided = clause.start >= clause.np.1;
    match clause.subject {
        Subject::Me => {
            let from = if elided { clause.start } else { clause.np.1 };
            speaker.says(&conjugated(tokens, from, clause.verb, to))
        }
        // `Dalia leads search and owns billing`: the subject is said again.
        _ if elided && clause.np.0 < clause.np.1 => {
            format!(
                "{} {}",
                slice(tokens, clause.np.0, clause.np.1),
                slice(tokens, clause.start, to)
            )
        }
        _ => slice(tokens, clause.start, to),
    }
}

/// A verb group with what follows it, its first verb in the third person.
fn conjugated(tokens: &Tokens<'_>, from: usize, verb: usize, to: usize) -> String {
    let mut out = String::new();
    let mut at = from;
    while at <= verb && at < to {
        let token = tokens.at(at);
        let fold = tokens.fold(at);
        let finite = token.has(
            Class::VERB
                .with(Class::BE)
                .with(Class::HAVE)
                .with(Class::DO)
                .with(Class::WILL)
                .with(Class::MODAL)
                .with(Class::CAN),
        );
        if !finite {
            let silent = matches!(
                fold,
                "just"
                    | "actually"
                    | "also"
                    | "really"
                    | "finally"
                    | "recently"
                    | "so"
                    | "and"
                    | "but"
            );
            if !silent {
                push(&mut out, fold);
            }
            at += 1;
            continue;
        }
        let spoken = match fold {
            "am" | "are" => "is".to_owned(),
            "have" => "has".to_owned(),
            "do" => "does".to_owned(),
            "were" => "was".to_owned(),
            _ if token.forms() & form::BASE != 0
                && token.forms() & form::PAST == 0
                && !token.has(Class::WILL.with(Class::MODAL).with(Class::CAN)) =>
            {
                lexicon::third_person(tokens.lemma(at))
            }
            _ => fold.to_owned(),
        };
        push(&mut out, &spoken);
        at += 1;
        break;
    }
    let rest = slice(tokens, at, to);
    if tokens.at(at).start == tokens.before(at).end && tokens.fold(at) == "not" {
        // `don't` stands in one word.
        push(&mut out, "not");
        push(&mut out, &slice(tokens, at + 1, to));
    } else {
        push(&mut out, &rest);
    }
    out
}

fn push(out: &mut String, word: &str) {
    if !out.is_empty() && !word.is_empty() {
        out.push(' ');
    }
    out.push_str(word);
}

/// A list in canonical form: `itinerary: Tokyo, Kyoto, Osaka`.
pub(super) fn list(label: &str, items: &[String]) -> String {
    format!("{label}: {}", items.join(", "))
}

/// The beginning of a text, cut between characters.
pub(super) fn clip(text: &str, bytes: usize) -> &str {
    text.get(..text.floor_char_boundary(bytes.min(text.len())))
        .unwrap_or(text)
}

/// The list without the items that hold all `words`; `None` if there is no such item, an empty string if none is left.
///
/// Lists are those of [`list`], and names in apposition (`has two cats, Miso and Nori`), whose number is adjusted.
pub(super) fn without_item(text: &str, words: &[String]) -> Option<String> {
    let tokens = Tokens::of(text);
    let colon = (0..tokens.len()).find(|i| tokens.kind(*i) == Kind::Colon);
    let start = match colon {
        Some(colon) => colon + 1,
        None => (0..tokens.len()).find(|i| tokens.kind(*i) == Kind::Comma)? + 1,
    };
    let mut items = Vec::new();
    let mut from = start;
    for at in start..=tokens.len() {
        let separates =
            at == tokens.len() || tokens.kind(at) == Kind::Comma || tokens.has(at, Class::AND);
        if separates {
            if from < at {
                items.push((from, at));
            }
            from = at + 1;
        }
    }
    let holds = |item: &(usize, usize)| {
        words
            .iter()
            .all(|word| (item.0..item.1).any(|i| lexicon::stem(tokens.fold(i)) == word))
    };
    let kept: Vec<String> = items
        .iter()
        .filter(|item| !holds(item))
        .map(|item| tokens.slice(item.0, item.1).to_owned())
        .collect();
    if kept.len() == items.len() {
        return None;
    }
    if kept.is_empty() {
        return Some(String::new());
    }
    if colon.is_some() {
        return Some(list(tokens.slice(0, start - 1), &kept));
    }
    Some(format!(
        "{}, {}",
        counted(&tokens, start - 1, items.len(), kept.len()),
        kept.join(" and ")
    ))
}

/// The words before an apposition, with the number of what is left.
fn counted(tokens: &Tokens<'_>, end: usize, before: usize, after: usize) -> String {
    const NUMERALS: [&str; 11] = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten",
    ];
    let number = (0..end).find(|i| {
        NUMERALS
            .get(before)
            .is_some_and(|word| *word == tokens.fold(*i))
            || tokens.fold(*i) == before.to_string()
    });
    let (Some(number), Some(left)) = (number, NUMERALS.get(after)) else {
        return tokens.slice(0, end).to_owned();
    };
    let noun = tokens.slice(number + 1, end);
    let noun = if after == 1 {
        noun.strip_suffix('s').unwrap_or(noun)
    } else {
        noun
    };
    format!("{} {left} {noun}", tokens.slice(0, number))
        .trim_start()
        .to_owned()
}

/// The text with the words that stand for `old` replaced by `new`; `None` unless they stand side by side.
pub(super) fn substituted(text: &str, old: &[String], new: &str) -> Option<String> {
    let tokens = Tokens::of(text);
    let first = old.first()?;
    let begin = (0..tokens.len()).find(|at| {
        lexicon::stem(tokens.fold(*at)) == first
            && old
                .iter()
                .zip(*at..)
                .all(|(word, i)| lexicon::stem(tokens.fold(i)) == word)
    })?;
    let end = begin + old.len();
    let mut head = text
        .get(..tokens.at(begin).start as usize)
        .unwrap_or_default()
        .to_owned();
    let mut tail = text
        .get(tokens.at(end - 1).end as usize..)
        .unwrap_or_default();
    // `5000 euros` for `6000 euros`: what follows the number is said again.
    for repeated in new.split_whitespace().rev().take(2) {
        if let Some(rest) = tail.trim_start().strip_prefix(repeated)
            && !rest.starts_with(char::is_alphanumeric)
            && repeated.chars().all(char::is_alphabetic)
        {
            tail = rest;
        }
    }
    let vowel = new.starts_with(['a', 'e', 'i', 'o', 'u', 'A', 'E', 'I', 'O', 'U']);
    let new_has_article = ["a ", "an ", "the "]
        .iter()
        .any(|article| new.starts_with(article));
    for article in [" a ", " an "] {
        if let Some(stem) = head.strip_suffix(article) {
            let fitting = if new_has_article {
                " "
            } else if vowel {
                " an "
            } else {
                " a "
            };
            head = format!("{stem}{fitting}");
            break;
        }
    }
    Some(format!("{head}{new}{tail}"))
}

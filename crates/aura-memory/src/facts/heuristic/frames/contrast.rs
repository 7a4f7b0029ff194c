//! Corrections that name the old value: `quartz, not oak`, `12 instead of 10`, `from Postgres to MySQL`.

mod cue;

use super::{Scene, after};
use crate::facts::heuristic::book::{Entry, mentions};
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense, is_break};
use crate::facts::heuristic::lexicon::{self, Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span, Words};
use crate::facts::heuristic::token::Tokens;
use crate::facts::heuristic::value;
use crate::facts::heuristic::wording;
use cue::{exchanged, find, following, skip_article};

/// What a clause puts in place of what.
struct Contrast {
    old: Span,
    new: Option<Span>,
    /// Where the clause stops to be a statement of its own.
    cut: usize,
    /// The clause reports a change, and is no statement of its own: `switched from X to Y`.
    change: bool,
}

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    if instead(scene, clause) {
        return true;
    }
    let Some(contrast) = find(scene.tokens, clause) else {
        return meant(scene, clause);
    };
    resolve(scene, clause, &contrast)
}

/// Finds the fact that holds the old value and puts the new one in its place.
fn resolve(scene: &mut Scene<'_, '_, '_>, clause: &Clause, contrast: &Contrast) -> bool {
    let tokens = scene.tokens;
    if renamed(scene, clause, contrast) {
        return true;
    }
    let mut old = contrast.old;
    // `instead of taking the train`: the train is what was said before.
    if tokens.at(old.0).forms() & form::ING != 0 && old.1 > old.0 + 1 {
        old.0 += 1;
    }
    let mut old_words = scene.content(old);
    old_words.retain(|word| word != "call");
    if old_words.is_empty() {
        return false;
    }
    let Some(fact) = holder(scene, clause, contrast, &old_words) else {
        return unknown(scene, clause, contrast);
    };
    let (known, subject) = (
        scene.book.text(fact).to_owned(),
        scene.book.subject(fact).to_owned(),
    );
    let moving = matches!(clause.tense, Tense::Future | Tense::Progressive) && contrast.change;
    let personal = ["/job", "/employer", "/home"]
        .iter()
        .any(|end| subject.ends_with(end));
    if moving && personal {
        return true;
    }
    let own = own_statement(scene, clause, contrast);
    let new = contrast.new.map(|new| wording::slice(tokens, new.0, new.1));
    let substituted = new
        .as_deref()
        .and_then(|new| in_place(&known, &old_words, contrast, tokens, new));
    let text = match (own, substituted, new) {
        (Some(own), _, _) => own,
        (None, Some(text), _) => text,
        (None, None, Some(new)) => scene.speaker.says(&new),
        (None, None, None) => return false,
    };
    let added = scene.book.add(&subject, &text);
    scene.book.end(fact, added);
    scene.topic = added;
    true
}

/// `Renamed the wifi to Fortress`: what has the name is said, and not the old name.
fn renamed(scene: &mut Scene<'_, '_, '_>, clause: &Clause, contrast: &Contrast) -> bool {
    let tokens = scene.tokens;
    if !matches!(clause.lemma(tokens), "rename" | "rebrand") {
        return false;
    }
    let (Some(mut topic), Some(new)) =
        (super::topic::Topic::of(tokens, contrast.old), contrast.new)
    else {
        return false;
    };
    "name".clone_into(&mut topic.attribute);
    let [known] = topic.find(scene, true)[..] else {
        return false;
    };
    let (text, subject) = (
        scene.book.text(known).to_owned(),
        scene.book.subject(known).to_owned(),
    );
    let inner = crate::facts::heuristic::token::Tokens::of(&text);
    let Some(verb) = (0..inner.len())
        .rev()
        .find(|i| inner.has(*i, Class::BE) || matches!(inner.fold(*i), "called" | "named"))
    else {
        return false;
    };
    let changed = format!(
        "{} {}",
        inner.slice(0, verb + 1),
        wording::slice(tokens, new.0, new.1)
    );
    let added = scene.book.add(&subject, &changed);
    scene.book.end(known, added);
    scene.topic = added;
    true
}

/// The old statement with the new value in place of the old; numbers only where their unit fits.
fn in_place(
    known: &str,
    old: &[String],
    contrast: &Contrast,
    tokens: &Tokens<'_>,
    new: &str,
) -> Option<String> {
    let text = wording::substituted(known, old, new)?;
    // `350 flyers rather than 200` in `ordering 200 flyers`.
    let Some((first, last)) = contrast.new else {
        return Some(text);
    };
    let noun = value::read(tokens, first, last + 2)
        .and_then(|value| value::unit(tokens, value, last + 3))
        .map(|i| tokens.fold(i).to_owned());
    match noun {
        Some(noun) => Some(text.replace(&format!(" {noun} {noun}"), &format!(" {noun}"))),
        None => Some(text),
    }
}

/// The clause without its rejected part, where it is a statement that can stand alone.
fn own_statement(
    scene: &Scene<'_, '_, '_>,
    clause: &Clause,
    contrast: &Contrast,
) -> Option<String> {
    let tokens = scene.tokens;
    let weak = matches!(
        clause.lemma(tokens),
        "" | "go"
            | "make"
            | "pick"
            | "choose"
            | "take"
            | "have"
            | "say"
            | "mean"
            | "do"
            | "switch"
            | "change"
            | "want"
            | "like"
            | "prefer"
            | "call"
            | "let"
            | "get"
    );
    let named = !matches!(
        clause.subject,
        Subject::It | Subject::Nobody | Subject::Other
    );
    let plain = clause.mood == Mood::Asserted
        && !contrast.change
        && !matches!(clause.tense, Tense::Order | Tense::Bare);
    if weak || !named || !plain || contrast.cut <= clause.body {
        return None;
    }
    let mut end = contrast.cut;
    while end > clause.body && (is_break(tokens, end - 1) || tokens.has(end - 1, Class::AND)) {
        end -= 1;
    }
    Some(scene.statement(clause, end))
}

/// The fact in force that holds the old value: the one that shares most other words with the clause, the newest of those.
fn holder(
    scene: &Scene<'_, '_, '_>,
    clause: &Clause,
    contrast: &Contrast,
    old: &[String],
) -> Option<Entry> {
    let tokens = scene.tokens;
    let required = required_words(scene, clause)?;
    let mut context: Words = Words::new();
    for at in clause.start..clause.end {
        let inside = |span: Span| (span.0..span.1).contains(&at);
        let valued = inside(contrast.old) || contrast.new.is_some_and(inside);
        if phrase::is_content(tokens, at) && !valued {
            context.push(lexicon::stem(tokens.fold(at)).to_owned());
        }
    }
    // `30` alone says little: its unit must fit, where the clause names one.
    let unit = value::read(tokens, contrast.old.0, contrast.old.1)
        .filter(|value| value.sort == value::Sort::Number)
        .and(contrast.new)
        .and_then(|new| value::read(tokens, new.0, new.1))
        .and_then(|value| value::unit(tokens, value, clause.end));
    let unit: Option<Words> =
        unit.map(|i| Words::from_iter([lexicon::stem(tokens.fold(i)).to_owned()]));
    let mut best: Option<(usize, Entry)> = None;
    for entry in scene.book.mentioning(old) {
        let (text, subject) = scene.book.get(entry)?;
        let other = subject.contains("'s ") && required.is_empty();
        let fits = (required.is_empty()
            || mentions(text, &required)
            || required.iter().any(|word| subject.contains(word.as_str())))
            && unit.as_ref().is_none_or(|unit| mentions(text, unit));
        if other || super::is_ended(subject) || !fits {
            continue;
        }
        let score = context
            .iter()
            .filter(|word| {
                mentions(text, std::slice::from_ref(*word)) || subject.contains(word.as_str())
            })
            .count();
        if best.is_none_or(|(known, _)| score >= known) {
            best = Some((score, entry));
        }
    }
    best.map(|(_, entry)| entry)
}

/// Words that the old fact must hold because the clause is not about the speaker: `the neighbours have quartz` changes
/// nothing of ours. `None` when nothing of ours can be meant.
fn required_words(scene: &Scene<'_, '_, '_>, clause: &Clause) -> Option<Words> {
    let tokens = scene.tokens;
    match clause.subject {
        Subject::Me | Subject::Us | Subject::It | Subject::Nobody => Some(Words::new()),
        Subject::Mine | Subject::Thing | Subject::Name => {
            if clause.marks.passive && exchanged(tokens, clause).is_some()
                || clause.lemma(tokens) == "replace"
            {
                return Some(Words::new());
            }
            let head = phrase::head(tokens, clause.np)?;
            Some(Words::from_iter([lexicon::stem(lexicon::attribute_name(
                tokens.fold(head),
            ))
            .to_owned()]))
        }
        Subject::Other => {
            // `they moved me`, `they changed the venue`: what is changed must be known.
            let object = phrase::object_end(tokens, clause.body, clause.end, false);
            if matches!(tokens.fold(clause.body), "me" | "us") {
                return Some(Words::new());
            }
            let stop = (clause.body..object)
                .find(|i| matches!(tokens.fold(*i), "from" | "to" | "for" | "with" | "instead"))
                .unwrap_or(object);
            let definite = tokens.has(clause.body, Class::MY) || tokens.fold(clause.body) == "the";
            let words = scene.content((clause.body, stop));
            (definite && !words.is_empty()).then_some(words)
        }
    }
}

/// Nothing known has the old value. What announces itself as a correction is kept in its own words.
fn unknown(scene: &mut Scene<'_, '_, '_>, clause: &Clause, contrast: &Contrast) -> bool {
    let plain =
        matches!(clause.tense, Tense::Bare) && clause.marks.corrects && contrast.new.is_some();
    if !plain {
        return false;
    }
    let text = wording::slice(scene.tokens, clause.start, clause.end);
    scene.topic = scene.book.add("project/correction", &text);
    true
}

/// `I meant 2 eggs`, after `I said 3`.
fn meant(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    if !matches!(clause.subject, Subject::Me) || !clause.is_asserted() {
        return false;
    }
    if lemma == "say" && clause.tense == Tense::Past {
        scene.said = Some((
            clause.body,
            phrase::object_end(tokens, clause.body, clause.end, false),
        ));
        return true;
    }
    if lemma != "mean" || clause.tense != Tense::Past {
        return false;
    }
    let Some(old) = scene.said.take() else {
        return false;
    };
    let Some(new) = following(tokens, clause.body, clause.end) else {
        return false;
    };
    let old = (skip_article(tokens, old.0, old.1), old.1);
    resolve(
        scene,
        clause,
        &Contrast {
            old,
            new: Some(new),
            cut: clause.start,
            change: true,
        },
    )
}

/// What takes the place of what the clause before removed: `scratch the salmon, we'll have risotto instead`.
fn instead(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(gap) = scene.vacated.take() else {
        return false;
    };
    let verb = matches!(
        clause.lemma(tokens),
        "" | "have"
            | "go"
            | "do"
            | "take"
            | "use"
            | "make"
            | "be"
            | "get"
            | "book"
            | "serve"
            | "choose"
            | "pick"
            | "buy"
            | "bring"
            | "visit"
            | "add"
            | "deal"
            | "work"
            | "see"
            | "report"
    );
    let ours = matches!(
        clause.subject,
        Subject::Me | Subject::Us | Subject::It | Subject::Nobody
    );
    let says_instead = (clause.start..clause.end).any(|i| tokens.fold(i) == "instead");
    if !verb
        || !ours
        || clause.marks.negated
        || !(says_instead
            || clause.marks.now
            || clause.start > 0 && tokens.fold(clause.start - 1) == "so"
            || matches!(clause.tense, Tense::Bare | Tense::Order))
    {
        return false;
    }
    let at =
        after(tokens, clause.body, words!["with|for|on|to|at|in", "by"]).unwrap_or(clause.body);
    let Some(new) = following(tokens, at, clause.end) else {
        return false;
    };
    let Some(text) =
        wording::substituted(&gap.text, &gap.words, &wording::slice(tokens, new.0, new.1))
    else {
        return false;
    };
    let added = scene.book.add(&gap.subject, &text);
    for entry in gap.left {
        scene.book.end(entry, added);
    }
    scene.topic = added;
    true
}

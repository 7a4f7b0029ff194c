//! Corrections that name the old value: `quartz, not oak`, `12 instead of 10`, `from Postgres to MySQL`.

use super::{Scene, after};
use crate::facts::heuristic::book::{Entry, mentions};
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense, is_break};
use crate::facts::heuristic::lexicon::{self, Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span, Words};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::value;
use crate::facts::heuristic::wording;

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

fn find(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    if clause.mood == Mood::Asserted && !clause.marks.negated && clause.tense != Tense::Former {
        let moved = exchanged(tokens, clause)
            .or_else(|| from_to(tokens, clause))
            .or_else(|| arrow(tokens, clause));
        if moved.is_some() {
            return moved;
        }
    }
    if clause.mood == Mood::Intended
        && !(matches!(clause.subject, Subject::Me | Subject::Us) && wishes_thing(tokens, clause))
    {
        return None;
    }
    if clause.marks.ended
        && clause.lemma(tokens) == "be"
        && let Some(but) = (clause.body..clause.end).find(|i| tokens.fold(*i) == "but")
    {
        let new = following(tokens, but + 1, clause.end);
        return Some(Contrast {
            old: (skip_article(tokens, clause.body, but), but),
            new,
            cut: clause.start,
            change: true,
        });
    }
    (clause.start..clause.end).find_map(|at| rejected(tokens, clause, at))
}

/// `I'd like quartz instead of oak` decides, `I'd like to move to quartz` does not.
fn wishes_thing(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    matches!(
        clause.lemma(tokens),
        "like" | "have" | "prefer" | "go" | "want" | "take"
    )
}

/// `instead of OLD`, `rather than OLD`, `, not OLD`, `not OLD but NEW`.
fn rejected(tokens: &Tokens<'_>, clause: &Clause, at: usize) -> Option<Contrast> {
    let end = clause.end;
    if let Some(next) = after(
        tokens,
        at,
        words![
            "instead of",
            "rather than",
            "in place of",
            "as opposed to",
            "in lieu of"
        ],
    ) {
        let old = (next, phrase::object_end(tokens, next, end, false));
        let new = if at > clause.start {
            before(tokens, clause, at, old)
        } else {
            following(tokens, old.1, end)
        };
        return (old.1 > old.0).then_some(Contrast {
            old,
            new,
            cut: at,
            change: false,
        });
    }
    let stated = clause.has_verb();
    if !tokens.has(at, Class::NOT)
        || tokens.fold(at) != "not"
        || stated && at < clause.body && !copular_not(tokens, clause, at)
    {
        return None;
    }
    let next = after(tokens, at + 1, words!["on|in|at|by|with|for"]).unwrap_or(at + 1);
    let empty = Class::ADV
        .with(Class::I)
        .with(Class::WE)
        .with(Class::OTHER)
        .with(Class::PREP)
        .with(Class::BECAUSE)
        .with(Class::IF)
        .with(Class::NOT);
    let idle = tokens.has(next, empty) && !tokens.at(next).capital
        || matches!(
            tokens.fold(next),
            "sure"
                | "only"
                | "yet"
                | "much"
                | "that"
                | "to"
                | "bad"
                | "good"
                | "my"
                | "the"
                | "a"
                | "an"
                | "it"
                | "this"
        ) && !tokens.at(next + 1).is_wordy()
        || matches!(
            tokens.fold(next),
            "sure" | "only" | "yet" | "to" | "bad" | "possible"
        );
    if idle || !tokens.at(next).is_wordy() || next >= end {
        return None;
    }
    let old = (next, phrase::object_end(tokens, next, end, false));
    if old.1 - old.0 > 6 {
        return None;
    }
    // `not oak but quartz`
    let but = after(tokens, old.1, words!["but"])
        .or_else(|| (tokens.kind(old.1) == Kind::Comma).then_some(old.1 + 1));
    if let Some(but) = but.filter(|but| *but < end) {
        let skip = after(tokens, but, words!["but", "it 's", "it is", "rather"]).unwrap_or(but);
        let new = following(tokens, skip, end);
        if new.is_some() && (!stated || at >= clause.body || copular_not(tokens, clause, at)) {
            let leads = at <= clause.body + 1;
            if leads {
                return Some(Contrast {
                    old,
                    new,
                    cut: at,
                    change: true,
                });
            }
        }
    }
    let set_off = tokens.kind(at - usize::from(at > 0)) == Kind::Comma
        || tokens.before(at).has(Class::AND)
        || tokens.before(at).is_wordy();
    if at == clause.start || !set_off || copular_not(tokens, clause, at) {
        return None;
    }
    Some(Contrast {
        old,
        new: before(tokens, clause, at, old),
        cut: at,
        change: false,
    })
}

/// The `not` of `it's not oak`.
fn copular_not(tokens: &Tokens<'_>, clause: &Clause, at: usize) -> bool {
    clause.has_verb() && tokens.lemma(clause.verb) == "be" && at >= clause.verb && at < clause.body
}

/// The new value before a rejected one: a value of the same sort, else the phrase right before.
fn before(tokens: &Tokens<'_>, clause: &Clause, at: usize, old: Span) -> Option<Span> {
    let mut end = at;
    while end > clause.start
        && (is_break(tokens, end - 1)
            || tokens.has(end - 1, Class::AND)
            || tokens.has(end - 1, Class::NOW))
    {
        end -= 1;
    }
    let from = if clause.has_verb() {
        clause.body
    } else {
        clause.start
    };
    if let Some(value) = value::read(tokens, old.0, old.1) {
        let same = value::all(tokens, from, end).into_iter().rev().find(|new| {
            new.sort == value.sort
                || matches!(
                    (new.sort, value.sort),
                    (value::Sort::Money, value::Sort::Number)
                        | (value::Sort::Number, value::Sort::Money)
                )
        });
        if let Some(same) = same {
            return Some((same.start, same.end));
        }
    }
    let mut start = end;
    while start > from {
        let token = tokens.at(start - 1);
        let stops = Class::PREP
            .with(Class::BE)
            .with(Class::AND)
            .with(Class::MY)
            .with(Class::ADV)
            .with(Class::WH);
        let verb = token.has(Class::VERB)
            && token.forms() & (form::ING | form::PAST | form::THIRD) != 0
            && start - 1 <= clause.verb;
        let pronoun = matches!(tokens.fold(start - 1), "me" | "us" | "it" | "them");
        if pronoun
            || !token.is_wordy()
            || token.has(stops) && tokens.fold(start - 1) != "of"
            || verb
        {
            break;
        }
        start -= 1;
    }
    start = skip_article(tokens, start, end);
    (start < end && end - start <= 8).then_some((start, end))
}

fn skip_article(tokens: &Tokens<'_>, start: usize, end: usize) -> usize {
    if start < end && matches!(tokens.fold(start), "the" | "a" | "an") {
        start + 1
    } else {
        start
    }
}

fn following(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let mut at = at;
    while at < end && is_break(tokens, at) {
        at += 1;
    }
    at = skip_article(tokens, at, end);
    let stop = phrase::object_end(tokens, at, end, false);
    let stop = (at + 1..stop)
        .find(|i| {
            tokens.has(*i, Class::PREP)
                && tokens.has(*i + 1, Class::MY.with(Class::DET))
                && tokens.fold(*i) != "of"
        })
        .unwrap_or(stop);
    let verb =
        tokens.at(at).forms() & form::BASE != 0 && tokens.has(at + 1, Class::DET.with(Class::MY));
    let clause_like = (tokens.has(
        at,
        Class::I.with(Class::WE).with(Class::OTHER).with(Class::IT),
    ) || verb)
        && !tokens.at(at).capital;
    (stop > at && stop - at <= 8 && !clause_like).then_some((at, stop))
}

/// `from OLD to NEW`, `to NEW from OLD`, with a verb of change.
fn from_to(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    let changes =
        clause.verb_is(tokens, Class::CHANGE.with(Class::MOVE)) || clause.lemma(tokens) == "make";
    if !changes || matches!(clause.tense, Tense::Present) && !clause.marks.passive {
        return None;
    }
    let from = (clause.body..clause.end).find(|i| tokens.fold(*i) == "from")?;
    let to_after =
        (from + 1..clause.end.min(from + 9)).find(|i| matches!(tokens.fold(*i), "to" | "into"));
    let (old, new_at) = match to_after {
        Some(to) => ((from + 1, to), to + 1),
        None => {
            let to = (clause.body..from).find(|i| matches!(tokens.fold(*i), "to" | "over"))?;
            (
                (
                    from + 1,
                    phrase::object_end(tokens, from + 1, clause.end, false),
                ),
                to + 1,
            )
        }
    };
    let limit = if to_after.is_some() { clause.end } else { from };
    let new = (
        skip_article(tokens, new_at, limit),
        phrase::object_end(tokens, new_at, limit, false),
    );
    let old = (skip_article(tokens, old.0, old.1), old.1);
    (old.0 < old.1 && new.0 < new.1 && new.1 - new.0 <= 8).then_some(Contrast {
        old,
        new: Some(new),
        cut: clause.start,
        change: true,
    })
}

/// `replaced OLD with NEW`, `swapped OLD for NEW`, `substitute NEW for OLD`, `renamed OLD to NEW`, `OLD is now called NEW`.
fn exchanged(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    let lemma = clause.lemma(tokens);
    let told = !matches!(clause.tense, Tense::Present) || clause.marks.passive;
    let links: &[&str] = match lemma {
        "replace" => &["with", "by"],
        "swap" | "trade" | "exchange" => &["for", "with"],
        "switch" => &["for", "with"],
        "substitute" => &["for", "with"],
        "rename" | "rebrand" => &["to", "as", "into"],
        "call" | "name" if clause.marks.passive && clause.marks.now => &[],
        _ => return None,
    };
    if !told {
        return None;
    }
    let whole = Contrast {
        old: (0, 0),
        new: None,
        cut: clause.start,
        change: true,
    };
    if clause.marks.passive {
        let at = if links.contains(&tokens.fold(clause.body)) {
            clause.body + 1
        } else {
            clause.body
        };
        let new = following(tokens, at, clause.end)?;
        if matches!(lemma, "call" | "name") && clause.subject != Subject::Name {
            return None;
        }
        let named = matches!(lemma, "rename" | "rebrand" | "call" | "name") || at > clause.body;
        return named.then_some(Contrast {
            old: clause.np,
            new: Some(new),
            ..whole
        });
    }
    let at = after(tokens, clause.body, words!["out"]).unwrap_or(clause.body);
    let link = (at..clause.end).find(|i| links.contains(&tokens.fold(*i)));
    let Some(link) = link else {
        // `rename it Wayfarer`, `Quartz replaces oak`
        if matches!(lemma, "replace") && matches!(clause.subject, Subject::Thing) {
            return Some(Contrast {
                old: (at, phrase::object_end(tokens, at, clause.end, false)),
                new: Some((skip_article(tokens, clause.np.0, clause.np.1), clause.np.1)),
                ..whole
            });
        }
        return None;
    };
    let mut first = link;
    while first > at && matches!(tokens.fold(first - 1), "out" | "over") {
        first -= 1;
    }
    let first = (skip_article(tokens, at, first), first);
    let second = following(tokens, link + 1, clause.end)?;
    if first.0 >= first.1 {
        return None;
    }
    if lemma == "substitute" && tokens.fold(link) == "for" {
        return Some(Contrast {
            old: second,
            new: Some(first),
            ..whole
        });
    }
    Some(Contrast {
        old: first,
        new: Some(second),
        ..whole
    })
}

/// `oak → quartz`.
fn arrow(tokens: &Tokens<'_>, clause: &Clause) -> Option<Contrast> {
    let at = (clause.start..clause.end).find(|i| tokens.kind(*i) == Kind::Arrow)?;
    let mut start = at;
    while start > clause.start
        && tokens.at(start - 1).is_wordy()
        && !tokens.has(start - 1, Class::PREP.with(Class::BE))
    {
        start -= 1;
    }
    let new = following(tokens, at + 1, clause.end)?;
    (start < at).then_some(Contrast {
        old: (start, at),
        new: Some(new),
        cut: clause.start,
        change: true,
    })
}

/// Finds the fact that holds the old value and puts the new one in its place.
fn resolve(scene: &mut Scene<'_, '_, '_>, clause: &Clause, contrast: &Contrast) -> bool {
    let tokens = scene.tokens;
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
        .and_then(|_| contrast.new)
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
    );
    let ours = matches!(
        clause.subject,
        Subject::Me | Subject::Us | Subject::It | Subject::Nobody
    );
    let says_instead = (clause.start..clause.end).any(|i| tokens.fold(i) == "instead");
    if !verb
        || !ours
        || clause.marks.negated
        || !(says_instead || clause.tense == Tense::Bare || clause.tense == Tense::Order)
    {
        return false;
    }
    let at = after(tokens, clause.body, words!["with|for|on|to", "by"]).unwrap_or(clause.body);
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

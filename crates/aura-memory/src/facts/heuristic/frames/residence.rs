//! Where somebody lives.

use super::{Scene, Who, after, speaks_of_change};
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::wording;

/// Property of a person: one home at a time.
const HOME: &str = "home";

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    at_home(scene, clause)
        || resides(scene, clause)
        || moved(scene, clause)
        || left(scene, clause)
        || called_home(scene, clause)
}

/// `I live in Oslo`, `we're based in Lyon`, `I'm in Bristol now`, `I've settled in Cork`.
fn resides(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let lemma = clause.lemma(tokens);
    let lives = clause.verb_is(tokens, Class::RESIDE)
        || matches!(lemma, "base" | "locate") && clause.marks.passive
        || lemma == "settle"
        || lemma == "be"
            && after(tokens, clause.body, words!["based", "located", "living"]).is_some();
    let at = match after(
        tokens,
        clause.body,
        words![
            "based", "located", "living", "here", "over", "out", "down", "up", "back", "alone"
        ],
    ) {
        Some(next) => phrase::skip_adverbs(tokens, next, clause.end, &mut clause.marks.clone()),
        None => clause.body,
    };
    let mut span = place_after(
        tokens,
        at,
        clause.end,
        &[
            "in",
            "at",
            "near",
            "outside",
            "on",
            "outside of",
            "close to",
        ],
    );
    if span.is_none() && lives {
        // `I live with my brother in Leeds`
        span = (at..clause.end).find_map(|i| place_after(tokens, i, clause.end, &["in", "near"]));
    }
    let Some(span) = span else { return false };
    if !lives {
        // `I'm in Berlin` may be a journey; `I'm in Berlin now` after a home was known is a move, `I'm back in Oslo` too.
        let back = tokens.any(clause.body, words!["back in"]).is_some();
        let known = !scene.book.of_subject(&who.subject(HOME)).is_empty()
            || !scene
                .book
                .of_subject(&super::ended(&who.subject(HOME)))
                .is_empty();
        let settled = clause.marks.now && known && !for_a_while(tokens, span.1, clause.end);
        if lemma != "be" || clause.tense != Tense::Present || !(settled || back && known) {
            return false;
        }
    }
    if clause.marks.ended || clause.marks.negated {
        if clause.marks.ended || clause.tense == Tense::Present {
            no_longer(scene, clause, &who, span);
        }
        return true;
    }
    let present = match clause.tense {
        Tense::Present | Tense::Progressive => true,
        Tense::Perfect => true,
        Tense::Past => lemma == "settle" && !long_ago(tokens, clause.start, clause.end),
        _ => false,
    };
    if !present || for_a_while(tokens, span.1, clause.end) && lemma != "live" {
        return true;
    }
    set(
        scene,
        &who,
        span,
        clause,
        clause.marks.now || lemma == "settle",
    );
    true
}

/// `I just moved to Berlin`, `we've relocated to Nantes`, `I moved into a house in Tucson`.
fn moved(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let moves = clause.verb_is(tokens, Class::MOVE)
        || matches!(lemma, "transfer" | "trade" | "swap")
        || makes_move(tokens, clause);
    if !moves || lemma == "settle" {
        return false;
    }
    let Some(who) = scene.who(clause) else {
        return false;
    };
    if matches!(lemma, "trade" | "swap") {
        return traded(scene, clause, &who);
    }
    let mut at = clause.body;
    if makes_move(tokens, clause) {
        at += 2;
    }
    // The object of a transitive `move` is what moved: `I moved the meeting to Berlin time`.
    let mut origin = None;
    for _ in 0..4 {
        if let Some(next) = after(tokens, at, words!["out of", "away from", "from"])
            && let Some(span) = place_at(tokens, next, clause.end)
        {
            origin = Some(span);
            at = span.1;
            continue;
        }
        if let Some(next) = after(
            tokens,
            at,
            words![
                "back",
                "over",
                "up",
                "down",
                "out",
                "again",
                "all the way",
                "across the country",
                "abroad",
                "together"
            ],
        ) && tokens
            .any(next, words!["to|into|from|here|in|of"])
            .is_some()
        {
            at = next;
            continue;
        }
        if let Some(next) = after(tokens, at, words!["in with"]) {
            at = (next..clause.end)
                .find(|i| tokens.any(*i, words!["in|to"]).is_some())
                .unwrap_or(clause.end);
            continue;
        }
        break;
    }
    let mut target = place_after(
        tokens,
        at,
        clause.end,
        &["to", "into", "in", "over to", "back to"],
    );
    if let Some(span) = target
        && let Some(from) = tokens.matches(span.1, "from")
    {
        origin = origin.or_else(|| place_at(tokens, from, clause.end));
    }
    if target.is_some_and(|span| !is_whole(tokens, span, clause.end)) {
        target = None;
    }
    let done = clause.is_real()
        && !clause.marks.negated
        && clause.tense != Tense::Progressive
        && clause.tense != Tense::Present
        || clause.marks.decided && makes_move(tokens, clause);
    match (target, origin) {
        (Some(target), _) if done => {
            if long_ago(tokens, clause.start, clause.end)
                && !scene.book.of_subject(&who.subject(HOME)).is_empty()
            {
                return true;
            }
            set(scene, &who, target, clause, true);
            true
        }
        (Some(target), _)
            if matches!(clause.tense, Tense::Progressive | Tense::Future)
                && clause.mood == Mood::Asserted
                && !clause.marks.negated =>
        {
            let _ = target;
            let end = phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body);
            let text = scene.statement(clause, clause.end.max(end));
            scene.state_multi(&who.subject("plan"), &text);
            true
        }
        (None, Some(origin)) if done => {
            no_longer(scene, clause, &who, origin);
            true
        }
        (found, _) => found.is_some(),
    }
}

/// `made the move from Chicago to Denver`
fn makes_move(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    clause.lemma(tokens) == "make"
        && after(tokens, clause.body, words!["the move", "a move"]).is_some()
}

/// `I traded Milan for Turin`: only where the first is the home we know.
fn traded(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who) -> bool {
    let tokens = scene.tokens;
    let Some(old) = place_at(tokens, clause.body, clause.end) else {
        return false;
    };
    let words = scene.content(old);
    let known = scene.book.of_subject(&who.subject(HOME));
    let named = known
        .iter()
        .any(|entry| crate::facts::heuristic::book::mentions(scene.book.text(*entry), &words));
    let target = place_after(tokens, old.1, clause.end, &["for", "with"]);
    match target {
        Some(target) if named && clause.is_real() => {
            set(scene, who, target, clause, true);
            true
        }
        _ => false,
    }
}

/// `We left Porto`, `I've moved out of Leeds`.
fn left(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if clause.lemma(tokens) != "leave"
        || !clause.is_real()
        || clause.marks.negated
        || clause.marks.passive
    {
        return false;
    }
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let Some(span) = place_at(tokens, clause.body, clause.end) else {
        return false;
    };
    let words = scene.content(span);
    let home = scene.book.of_subject(&who.subject(HOME));
    if !home
        .iter()
        .any(|entry| crate::facts::heuristic::book::mentions(scene.book.text(*entry), &words))
    {
        return false;
    }
    match place_after(tokens, span.1, clause.end, &["for", "behind for"]) {
        Some(target) => set(scene, &who, target, clause, true),
        None => no_longer(scene, clause, &who, span),
    }
    true
}

/// `Home is Faro these days`, `my flat is in Porto`, `Berlin is home now`.
fn at_home(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let named = matches!(
        clause.subject,
        Subject::Mine | Subject::Thing | Subject::Name
    );
    if clause.lemma(tokens) != "be" || !named || !clause.is_real() || clause.marks.negated {
        return false;
    }
    let me = scene.me();
    let head = phrase::head(tokens, clause.np);
    let is_home = head.is_some_and(|i| matches!(tokens.fold(i), "home" | "residence" | "address"))
        && !other_owner(tokens, clause.np);
    let is_dwelling = clause.subject == Subject::Mine
        && clause.np.1 - clause.np.0 <= 3
        && head.is_some_and(|i| matches!(tokens.fold(i), "flat" | "apartment" | "house" | "place"));
    if is_home || is_dwelling {
        let at = after(tokens, clause.body, words!["in", "at"]).unwrap_or(clause.body);
        let Some(span) = place_at(tokens, at, clause.end) else {
            return false;
        };
        let other = !scene.book.of_subject(&me.subject(HOME)).is_empty();
        if is_dwelling && other && !speaks_of_change(clause.marks) {
            return false;
        }
        set(
            scene,
            &me,
            span,
            clause,
            speaks_of_change(clause.marks) || is_home,
        );
        return true;
    }
    let predicate = after(
        tokens,
        clause.body,
        words!["home", "our home", "my home", "my new home", "our new home"],
    );
    if clause.subject == Subject::Name && predicate.is_some() && clause.tense == Tense::Present {
        set(scene, &me, clause.np, clause, true);
        return true;
    }
    false
}

/// `I call Berlin home`.
fn called_home(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if clause.lemma(tokens) != "call" || !Scene::is_mine(clause) || !clause.is_real() {
        return false;
    }
    let end = phrase::name_end(tokens, clause.body, clause.end);
    if end == clause.body || tokens.fold(end) != "home" {
        return false;
    }
    let me = scene.me();
    set(scene, &me, (clause.body, end), clause, true);
    true
}

fn other_owner(tokens: &Tokens<'_>, np: Span) -> bool {
    (np.0..np.1).any(|i| tokens.has(i, Class::THEIR) || tokens.fold(i) == "'s")
}

fn set(scene: &mut Scene<'_, '_, '_>, who: &Who, place: Span, clause: &Clause, changes: bool) {
    let tokens = scene.tokens;
    let words = scene.content(place);
    let preposition = if tokens.has(place.0, Class::DET.with(Class::MY))
        && (place.0..place.1)
            .any(|i| matches!(tokens.fold(i), "coast" | "outskirts" | "island" | "farm"))
    {
        "on"
    } else {
        "in"
    };
    let text = who.says(&format!(
        "lives {preposition} {}",
        wording::slice(tokens, place.0, place.1)
    ));
    let _ = clause;
    for plan in scene.book.of_subject(&who.subject("plan")) {
        let text = scene.book.text(plan).to_owned();
        if crate::facts::heuristic::book::mentions(&text, &words) && text.contains("mov") {
            scene.book.end(plan, None);
        }
    }
    scene.state_single(&who.subject(HOME), &text, &words, changes);
}

fn no_longer(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who, place: Span) {
    let words = scene.content(place);
    let mut facts = scene.book.of_subject(&who.subject(HOME));
    facts.retain(|entry| crate::facts::heuristic::book::mentions(scene.book.text(*entry), &words));
    if facts.is_empty() {
        return;
    }
    let text = who.says(&format!(
        "no longer lives in {}",
        scene.tokens.slice(place.0, place.1)
    ));
    let _ = clause;
    scene.end_with(&facts, &[], &who.subject(HOME), &text);
}

/// A place after one of the prepositions.
fn place_after(tokens: &Tokens<'_>, at: usize, end: usize, prepositions: &[&str]) -> Option<Span> {
    // Longest first, so that `outside of` is not read as `outside`.
    let next = prepositions
        .iter()
        .filter_map(|p| tokens.matches(at, p))
        .max()?;
    place_at(tokens, next, end)
}

/// A place that begins at `at`: a proper name, or a dwelling or kind of place, perhaps `in` a proper name.
fn place_at(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let first = tokens.at(at);
    if at >= end || !first.is_wordy() {
        return None;
    }
    if first.has(Class::DET.with(Class::MY).with(Class::NUM)) {
        return dwelling(tokens, at, end);
    }
    if first.has(Class::HOUSE) && !first.capital {
        return Some((at, at + 1));
    }
    let unknown = !first.capital && !tokens.cased && is_unknown(tokens, at);
    if !(first.capital || unknown)
        || first.has(
            Class::MONTH
                .with(Class::DAY)
                .with(Class::TOOL)
                .with(Class::I),
        )
        || first.kind == Kind::Number
    {
        return None;
    }
    let mut name = phrase::name_end(tokens, at, end);
    if unknown {
        name = at + 1;
        while name < end
            && name < at + 3
            && is_unknown(tokens, name)
            && !tokens.has(name, Class::ADV)
        {
            name += 1;
        }
    }
    // `Austin, Texas`
    if tokens.kind(name) == Kind::Comma
        && tokens.at(name + 1).capital
        && name + 1 < end
        && !tokens.has(name + 1, Class::I)
    {
        let region = phrase::name_end(tokens, name + 1, end);
        if region == end
            || !tokens.at(region).is_wordy()
            || !tokens.has(region, Class::VERB.with(Class::AND).with(Class::BE))
        {
            name = region;
        }
    }
    Some((at, name))
}

/// A word of no class in a text without capitals may name a place.
fn is_unknown(tokens: &Tokens<'_>, at: usize) -> bool {
    let token = tokens.at(at);
    let known = Class::DET
        .with(Class::PREP)
        .with(Class::VERB)
        .with(Class::ADV)
        .with(Class::AND)
        .with(Class::NOW)
        .with(Class::UNIT)
        .with(Class::VAGUE)
        .with(Class::TOOL)
        .with(Class::MY)
        .with(Class::THEIR)
        .with(Class::IT)
        .with(Class::OTHER)
        .with(Class::EVENT)
        .with(Class::LIST)
        .with(Class::ATTR)
        .with(Class::JOB)
        .with(Class::BECAUSE)
        .with(Class::WHILE)
        .with(Class::WH)
        .with(Class::NUM);
    token.kind == Kind::Word && !token.has(known)
}

/// `a bigger flat in Berlin`, `the countryside`, `my own place`: the proper name if there is one.
fn dwelling(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let mut noun = at + 1;
    while noun < end
        && noun < at + 6
        && tokens.at(noun).kind == Kind::Word
        && !tokens.has(noun, Class::HOUSE)
    {
        if tokens.has(noun, Class::PREP.with(Class::VERB).with(Class::AND))
            || tokens.at(noun).capital && !tokens.has(at, Class::DET)
        {
            return None;
        }
        if tokens.fold(noun) == "place" {
            break;
        }
        noun += 1;
    }
    let known = tokens.has(noun, Class::HOUSE) || tokens.fold(noun) == "place";
    if !known || noun >= end {
        // `the Netherlands`
        let name = phrase::name_end(tokens, at + 1, end);
        let named = name > at + 1
            && tokens.fold(at) == "the"
            && !tokens.at(name).is_wordy_noun(tokens, name);
        return named.then_some((at, name));
    }
    let inner = tokens
        .any(noun + 1, words!["in", "near", "outside", "of"])
        .and_then(|next| place_at(tokens, next, end));
    Some((at, inner.map_or(noun + 1, |span| span.1)))
}

impl crate::facts::heuristic::token::Token {
    /// Whether a common noun follows, so that a name before it is no place (`the Berlin office`).
    fn is_wordy_noun(&self, tokens: &Tokens<'_>, at: usize) -> bool {
        self.kind == Kind::Word && is_unknown(tokens, at)
    }
}

/// A move is to the place itself, not to `Berlin time` or `the Berlin team`.
fn is_whole(tokens: &Tokens<'_>, place: Span, end: usize) -> bool {
    let next = tokens.at(place.1);
    if place.1 >= end || next.kind != Kind::Word {
        return true;
    }
    let may_follow = Class::PREP
        .with(Class::AND)
        .with(Class::ADV)
        .with(Class::NOW)
        .with(Class::BECAUSE)
        .with(Class::WHILE)
        .with(Class::DET)
        .with(Class::NUM)
        .with(Class::DAY)
        .with(Class::WH)
        .with(Class::BE);
    next.has(may_follow) && !next.has(Class::VAGUE)
        || tokens
            .any(
                place.1,
                words![
                    "last|this|next",
                    "a",
                    "again",
                    "full-time|permanently",
                    "yesterday|today",
                    "few",
                    "over|with|with"
                ],
            )
            .is_some()
}

/// Times that make a statement in the past a story.
fn long_ago(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    (start..end).any(|i| {
        tokens
            .any(
                i,
                words![
                    "years ago",
                    "decades ago",
                    "as a child|kid|teenager|student",
                    "back then",
                    "at the time",
                    "when i was",
                    "for a while",
                    "briefly",
                    "temporarily",
                    "once"
                ],
            )
            .is_some()
            || tokens.any(i, words!["in"]).is_some()
                && tokens.fold(i + 1).len() == 4
                && tokens.kind(i + 1) == Kind::Number
            || tokens.any(i, words!["for"]).is_some()
                && (tokens.has(i + 1, Class::NUM)
                    || tokens.kind(i + 1) == Kind::Number
                    || tokens
                        .any(i + 1, words!["a|college|university|school|work"])
                        .is_some()
                        && tokens.has(i + 2, Class::UNIT))
    })
}

/// `for the weekend`, `until Friday`, `on holiday`: a stay, not a home.
fn for_a_while(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    (start..end).any(|i| {
        tokens
            .any(
                i,
                words![
                    "for the",
                    "for a",
                    "until",
                    "till",
                    "this week",
                    "on holiday|vacation|business|tour",
                    "visiting",
                    "temporarily",
                    "for work",
                    "for now"
                ],
            )
            .is_some()
            || tokens.fold(i) == "for"
                && (tokens.has(i + 1, Class::NUM) || tokens.kind(i + 1) == Kind::Number)
    })
}

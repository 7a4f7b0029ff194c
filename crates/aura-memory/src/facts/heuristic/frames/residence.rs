//! Where somebody lives.

mod place;

mod moving;

use super::{Scene, Who, after, speaks_of_change};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::wording;
use moving::{left, moved};
use place::{place_after, place_at};

/// Property of a person: one home at a time.
const HOME: &str = "home";

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    at_home(scene, clause)
        || resides(scene, clause)
        || moved(scene, clause)
        || left(scene, clause)
        || called_home(scene, clause)
        || here(scene, clause)
        || new_dwelling(scene, clause)
}

/// `I live in Oslo`, `we're based in Lyon`, `I'm in Bristol now`, `I've settled in Cork`.
fn resides(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let lemma = clause.lemma(tokens);
    let ended_up = lemma == "end"
        && tokens.fold(clause.body) == "up"
        && clause.is_real()
        && !scene.book.of_subject(&who.subject(HOME)).is_empty();
    let lives = clause.verb_is(tokens, Class::RESIDE)
        || matches!(lemma, "base" | "locate") && clause.marks.passive
        || lemma == "settle"
        || ended_up
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
            "of",
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
        let vacated = scene
            .book
            .of_subject(&super::ended(&who.subject(HOME)))
            .iter()
            .any(|entry| scene.book.age(*entry) == 0);
        let settled =
            (clause.marks.now || vacated) && known && !for_a_while(tokens, span.1, clause.end);
        let words = scene.content(span);
        let over = clause.marks.ended
            && scene
                .book
                .of_subject(&who.subject(HOME))
                .iter()
                .any(|home| {
                    crate::facts::heuristic::book::mentions(scene.book.text(*home), &words)
                });
        if lemma != "be" || clause.tense != Tense::Present || !(settled || back && known || over) {
            return false;
        }
    }
    if clause.marks.ended || clause.marks.negated {
        if clause.marks.ended || clause.tense == Tense::Present {
            no_longer(scene, &who, span);
        }
        return true;
    }
    let present = match clause.tense {
        Tense::Present | Tense::Progressive => true,
        Tense::Perfect => true,
        Tense::Past => {
            (lemma == "settle" || ended_up) && !long_ago(tokens, clause.start, clause.end)
        }
        _ => false,
    };
    if !present || for_a_while(tokens, span.1, clause.end) && lemma != "live" {
        return true;
    }
    set(
        scene,
        &who,
        span,
        clause.marks.now || lemma == "settle" || ended_up,
    );
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
        set(scene, &me, span, speaks_of_change(clause.marks) || is_home);
        return true;
    }
    let predicate = after(
        tokens,
        clause.body,
        words!["home", "our home", "my home", "my new home", "our new home"],
    );
    if clause.subject == Subject::Name && predicate.is_some() && clause.tense == Tense::Present {
        set(scene, &me, clause.np, true);
        return true;
    }
    false
}

/// `Moved out of my parents' place, got my own flat in Swansea`.
fn new_dwelling(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let gets = matches!(
        clause.lemma(tokens),
        "get" | "buy" | "rent" | "find" | "have"
    ) && Scene::is_mine(clause)
        && clause.is_real()
        && !clause.marks.negated
        && scene.changed;
    let Some(noun) = (clause.body..clause.end.min(clause.body + 5))
        .find(|i| tokens.has(*i, Class::HOUSE) || tokens.fold(*i) == "place")
        .filter(|_| gets)
    else {
        return false;
    };
    let Some(place) = place_after(tokens, noun + 1, clause.end, &["in", "near", "outside"]) else {
        return false;
    };
    let moved = (0..clause.start).any(|i| tokens.has(i, Class::MOVE));
    let me = scene.me();
    if !moved || !tokens.at(place.0).capital || scene.book.of_subject(&me.subject(HOME)).is_empty()
    {
        return false;
    }
    set(scene, &me, place, true);
    true
}

/// `Bought a house in Stavanger! We've been here since last week.`
fn here(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lives = matches!(clause.lemma(tokens), "be" | "live")
        && Scene::is_mine(clause)
        && clause.is_real()
        && !clause.marks.negated
        && tokens
            .any(clause.body, words!["here since|now|for", "living here"])
            .is_some();
    if !lives {
        return false;
    }
    let named = (0..clause.start).rev().find_map(|at| {
        let next = tokens.any(at, words!["in|to"])?;
        let end = phrase::name_end(tokens, next, clause.start);
        let home =
            (at.saturating_sub(4)..at).any(|i| tokens.has(i, Class::HOUSE.with(Class::MOVE)));
        (end > next && home).then_some((next, end))
    });
    let Some(place) = named else {
        return false;
    };
    let me = scene.me();
    set(scene, &me, place, true);
    true
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
    set(scene, &me, (clause.body, end), true);
    true
}

fn other_owner(tokens: &Tokens<'_>, np: Span) -> bool {
    (np.0..np.1).any(|i| tokens.has(i, Class::THEIR) || tokens.fold(i) == "'s")
}

fn set(scene: &mut Scene<'_, '_, '_>, who: &Who<'_>, place: Span, changes: bool) {
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
    for plan in scene.book.of_subject(&who.subject("plan")) {
        let text = scene.book.text(plan).to_owned();
        if crate::facts::heuristic::book::mentions(&text, &words) && text.contains("mov") {
            scene.book.end(plan, None);
        }
    }
    scene.state_single(&who.subject(HOME), &text, &words, changes);
}

fn no_longer(scene: &mut Scene<'_, '_, '_>, who: &Who<'_>, place: Span) {
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
    scene.end_with(&facts, &[], &who.subject(HOME), &text);
}

/// Times that make a statement in the past a story.
fn long_ago(tokens: &Tokens<'_>, start: usize, end: usize) -> bool {
    // `In 2015 I moved …`: the time may stand before the clause.
    let start = (0..start)
        .rev()
        .find(|i| tokens.at(*i).ends_sentence())
        .map_or(0, |i| i + 1);
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

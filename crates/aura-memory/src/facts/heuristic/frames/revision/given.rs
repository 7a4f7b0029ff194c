//! The new value that a correction gives, and the words it stands with.

use super::super::{Scene, after};
use super::around::around;
use super::slot::{Given, Shape, read};
use crate::facts::heuristic::clause::{Clause, Subject, Tense, is_break};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::{Patterns, words};
use crate::facts::heuristic::phrase::{Span, Words};
use crate::facts::heuristic::token::{Kind, Tokens};

/// A new value, and what the clause says about where it belongs.
pub(super) struct Correction {
    pub(super) given: Given,
    /// Stems of the words that it stands with.
    pub(super) context: Words,
    /// The preposition before it.
    pub(super) preposition: Option<usize>,
    /// The person whose facts alone it can change.
    pub(super) entity: Option<String>,
}

impl Correction {
    /// A value without any words around it.
    pub(super) fn bare(given: Given) -> Self {
        Self {
            given,
            context: Words::new(),
            preposition: None,
            entity: None,
        }
    }
}

/// What may stand before the value of a limit: `$900 is the absolute max`.
const LIMITS: &Patterns =
    words!["max|maximum|limit|most|cap|ceiling|budget|deadline|final|absolute|latest"];

/// The new value of a clause that says little else.
pub(super) fn find(scene: &Scene<'_, '_, '_>, clause: &Clause) -> Option<Correction> {
    let tokens = scene.tokens;
    if is_others(scene, clause) {
        return None;
    }
    if let Some(given) = inverted(tokens, clause) {
        return Some(Correction::bare(given));
    }
    let form = form(scene, clause)?;
    let tense = matches!(
        clause.tense,
        Tense::Present | Tense::Future | Tense::Bare | Tense::Order
    ) || form.told;
    if !tense || !form.announced {
        return None;
    }
    let mut correction = around(scene, clause, form.at, form.pointing)?;
    if form.typed
        && !matches!(
            correction.given.shape,
            Shape::Typed(..) | Shape::Designator(_)
        )
    {
        return None;
    }
    correction.entity = form.entity;
    correction.context.extend(form.context);
    Some(correction)
}

/// `her budget`, `my brother's flight`: nothing of the speaker's changes. `His name is Bubba` may be of the dog.
fn is_others(scene: &Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let theirs = (clause.np.0..clause.np.1).any(|i| tokens.has(i, Class::THEIR));
    theirs && possessed(tokens, clause).is_none()
        || (clause.np.0..clause.np.1).any(|i| tokens.fold(i) == "you")
}

/// The property in `his name is`, `its colour is`.
fn possessed(tokens: &Tokens<'_>, clause: &Clause) -> Option<usize> {
    let noun = clause.np.0 + 1;
    (clause.np.1 == noun + 1
        && tokens.has(clause.np.0, Class::THEIR)
        && tokens.fold(clause.np.0) != "your"
        && tokens.has(noun, Class::ATTR))
    .then_some(noun)
}

/// How a correction is worded.
struct Form {
    /// Where the value begins, small words before it included.
    at: usize,
    /// The clause, or what was said before it, leaves no doubt that something known changes.
    announced: bool,
    /// What changes is only pointed at.
    pointing: bool,
    /// Only amounts, numbers, dates and times will do.
    typed: bool,
    /// The verb itself tells of a change, whatever its tense.
    told: bool,
    entity: Option<String>,
    context: Words,
}

fn form(scene: &Scene<'_, '_, '_>, clause: &Clause) -> Option<Form> {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let marked = clause.marks.corrects || clause.marks.now;
    let follows = clause.start > 0 && tokens.fold(clause.start - 1) == "so";
    let signalled = marked || follows || scene.changed;
    let plain = |at: usize, announced: bool| Form {
        at,
        announced,
        pointing: true,
        typed: false,
        told: false,
        entity: None,
        context: Words::new(),
    };
    let order =
        matches!(clause.subject, Subject::Nobody | Subject::Us) && clause.tense == Tense::Order;
    Some(match clause.subject {
        _ if !clause.has_verb() => plain(
            clause.start,
            signalled || tokens.fold(clause.start) == "so" || compared(tokens, clause.start),
        ),
        Subject::It | Subject::Thing if lemma == "be" && tokens.fold(clause.np.0) == "there" => {
            plain(
                clause.body,
                signalled
                    || (clause.body..clause.end)
                        .any(|i| matches!(tokens.fold(i), "left" | "remaining" | "only")),
            )
        }
        Subject::It | Subject::Other if lemma == "be" && is_pronoun(tokens, clause.np) => {
            let rather = tokens
                .any(clause.body, words!["more like", "closer to"])
                .is_some();
            plain(clause.body, signalled || rather)
        }
        Subject::Other if lemma == "be" && possessed(tokens, clause).is_some() => {
            let noun = possessed(tokens, clause)?;
            let role = scene
                .topic
                .is_some_and(|topic| scene.book.subject(topic).ends_with(" role"));
            let mut form = plain(clause.body, marked || role);
            if role {
                return Some(form);
            }
            form.context
                .push(lexicon::stem(lexicon::attribute_name(tokens.fold(noun))).to_owned());
            form
        }
        Subject::Other | Subject::Mine
            if lemma == "be" && clause.tense == Tense::Present && scene.who(clause).is_some() =>
        {
            let mut form = plain(clause.body, signalled);
            form.entity = scene.who(clause).map(|who| who.entity.into_owned());
            form
        }
        Subject::Me | Subject::Us if lemma == "be" => {
            let to = after(tokens, clause.body, words!["up|down|back to", "down|up at"]);
            let mut form = plain(to.unwrap_or(clause.body), marked || to.is_some() || follows);
            form.typed = to.is_some() || !tokens.has(clause.body, Class::PREP);
            form
        }
        // `let's say 18,000`
        _ if order && lemma == "say" => plain(clause.body, true),
        _ if order
            && matches!(
                lemma,
                "use" | "take" | "go" | "have" | "write" | "book" | "try"
            ) =>
        {
            let at = after(
                tokens,
                clause.body,
                words!["with|for|by|on|at|to", "me at|on"],
            );
            plain(at.unwrap_or(clause.body), marked)
        }
        _ if order && lemma == "make" => plain(
            after(tokens, clause.body, words!["it|that|them", "this"])?,
            true,
        ),
        // `so we said Monday`
        Subject::Me | Subject::Us
            if matches!(
                lemma,
                "say"
                    | "agree"
                    | "settle"
                    | "decide"
                    | "go"
                    | "pick"
                    | "choose"
                    | "land"
                    | "aim"
                    | "shoot"
            ) && clause.is_real() =>
        {
            let at = after(tokens, clause.body, words!["on|for|with|upon"]).unwrap_or(clause.body);
            Form {
                typed: true,
                told: true,
                ..plain(at, signalled)
            }
        }
        Subject::Thing if lemma == "be" && is_limit(tokens, clause) => plain(clause.np.0, true),
        _ => match until(tokens, clause) {
            Some(at) => Form {
                typed: true,
                told: true,
                ..plain(at, true)
            },
            None => {
                let goal = changed_to(tokens, clause)?;
                Form {
                    at: goal.0,
                    announced: true,
                    pointing: goal.1,
                    typed: false,
                    told: true,
                    entity: None,
                    context: Words::new(),
                }
            }
        },
    })
}

/// `a lower quote: $1,950`, `the new price: 40`.
fn compared(tokens: &Tokens<'_>, at: usize) -> bool {
    at > 2
        && tokens.kind(at - 1) == Kind::Colon
        && (at.saturating_sub(5)..at).any(|i| {
            tokens
                .any(
                    i,
                    words!["new|lower|higher|better|cheaper|updated|revised|corrected|final"],
                )
                .is_some()
        })
}

fn is_pronoun(tokens: &Tokens<'_>, np: Span) -> bool {
    np.1 == np.0 + 1
        && matches!(
            tokens.fold(np.0),
            "it" | "that" | "this" | "they" | "those" | "these"
        )
}

/// `so 250k it is`.
fn inverted(tokens: &Tokens<'_>, clause: &Clause) -> Option<Given> {
    let it = clause.np.1.checked_sub(1)?;
    let alone = tokens.fold(it) == "it"
        && clause.lemma(tokens) == "be"
        && (clause.body >= clause.end || is_break(tokens, clause.body));
    if !alone {
        return None;
    }
    let start = if clause.np.0 < it {
        clause.np.0
    } else {
        it.checked_sub(2)?
    };
    (start..it).find_map(|at| read(tokens, at, it).filter(|given| given.span.1 == it))
}

fn is_limit(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    read(tokens, clause.np.0, clause.np.1).is_some_and(|given| given.span.1 == clause.np.1)
        && (clause.body..clause.end).any(|i| tokens.any(i, LIMITS).is_some())
}

/// `My supervisor gave me until June 15`, `we have until Friday`.
fn until(tokens: &Tokens<'_>, clause: &Clause) -> Option<usize> {
    let mine = Scene::is_mine(clause) || tokens.any(clause.body, words!["me|us"]).is_some();
    let given = matches!(clause.lemma(tokens), "give" | "get" | "have") && mine;
    (clause.body..clause.end.min(clause.body + 4))
        .find(|i| given && tokens.any(*i, words!["until|till"]).is_some())
        .map(|at| at + 1)
}

/// Where the goal of a change stands whose object is not named or is known by another name, and whether it is only pointed
/// at: `bumped it to 900`, `we've switched to biology`, `I upped the order to 80 flyers`.
fn changed_to(tokens: &Tokens<'_>, clause: &Clause) -> Option<(usize, bool)> {
    let told = matches!(
        clause.tense,
        Tense::Past | Tense::Perfect | Tense::Order | Tense::Progressive
    );
    if !told || !clause.verb_is(tokens, Class::CHANGE.with(Class::MOVE)) {
        return None;
    }
    let to = (clause.body..clause.end.min(clause.body + 8))
        .find(|i| matches!(tokens.fold(*i), "to" | "until" | "till" | "into"))?;
    let before = (clause.body..to).any(|i| tokens.has(i, Class::THEIR) || is_break(tokens, i));
    let pointing = tokens
        .any(
            clause.body,
            words!["it|that|them|this|me|us|everything|things"],
        )
        .is_some();
    (!before).then_some((to + 1, pointing))
}

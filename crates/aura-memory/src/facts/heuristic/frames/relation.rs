//! Who somebody is together with.

use super::{Scene, after};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::token::Kind;
use crate::facts::heuristic::wording;

/// Properties of a person: one partner and one state at a time.
const PARTNER: &str = "partner";
const STATE: &str = "relationship";

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    parted(scene, clause) || bound(scene, clause) || is_partner(scene, clause)
}

/// `my wife Joan`, `my dog Luna`, wherever it stands: who somebody is told in passing, also in a question.
pub(in super::super) fn mentioned(scene: &mut Scene<'_, '_, '_>, start: usize, end: usize) {
    let tokens = scene.tokens;
    for at in (start..end)
        .filter(|i| tokens.has(*i, Class::MY) && matches!(tokens.fold(*i), "my" | "our"))
    {
        let Some(noun) = (at + 1..end.min(at + 4))
            .find(|i| tokens.has(*i, Class::KIN.with(Class::PARTNER).with(Class::ANIMAL)))
        else {
            continue;
        };
        let plain =
            (at + 1..noun).all(|i| tokens.kind(i) == Kind::Word && !tokens.has(i, Class::VERB));
        let noun_word = tokens.fold(noun);
        let distant = [
            "friend",
            "colleague",
            "coworker",
            "neighbour",
            "neighbor",
            "ex",
            "boss",
            "manager",
            "client",
            "teacher",
            "landlord",
        ]
        .contains(&noun_word);
        if !plain || distant || noun_word.ends_with('s') || tokens.at(at).quoted {
            continue;
        }
        let name = after(tokens, noun + 1, words!["named|called"])
            .unwrap_or(noun + 1 + usize::from(tokens.kind(noun + 1) == Kind::Comma));
        let stop = phrase::name_end(tokens, name, end).min(name + 2);
        let own = tokens.has(
            name,
            Class::MONTH
                .with(Class::DAY)
                .with(Class::NATION)
                .with(Class::I)
                .with(Class::TOOL),
        );
        if stop == name || own || tokens.fold(stop) == "'s" && tokens.kind(noun + 1) == Kind::Comma
        {
            continue;
        }
        remember(scene, noun, (name, stop));
    }
}

fn remember(scene: &mut Scene<'_, '_, '_>, noun: usize, name: (usize, usize)) {
    let tokens = scene.tokens;
    let me = scene.me();
    let words = scene.content(name);
    let property = if tokens.has(noun, Class::PARTNER) {
        PARTNER
    } else if tokens.has(noun, Class::ANIMAL) {
        "pets"
    } else {
        tokens.fold(noun)
    };
    let subject = me.subject(property);
    let known = !scene.book.mentioning(&words).is_empty()
        || property == PARTNER && !scene.book.of_subject(&subject).is_empty();
    if words.is_empty() || known {
        return;
    }
    let text = me.says(&format!(
        "has a {}, {}",
        tokens.fold(noun),
        tokens.slice(name.0, name.1)
    ));
    scene.state_multi(&subject, &text);
}

/// `I broke up with Ana`, `Joan and I got divorced`, `we split up`.
fn parted(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let apart = clause.after_verb(
        tokens,
        words![
            "break up with",
            "break up",
            "break it off with",
            "split up with",
            "split up",
            "split with",
            "separate from",
            "divorce from",
            "divorce",
            "get a divorce from",
            "get a divorce",
            "call off the engagement|wedding",
            "end things with",
            "break off the engagement",
            "be divorced",
            "be separated"
        ],
    );
    let over = clause.marks.ended || clause.marks.negated && clause.marks.now;
    let together = after(tokens, clause.body, words!["together", "a couple"])
        .filter(|_| over && clause.lemma(tokens) == "be" && clause.subject == Subject::Us);
    let Some(at) = apart.or(together) else {
        return false;
    };
    if !clause.is_real() || clause.marks.negated && together.is_none() {
        return true;
    }
    let end = phrase::object_end(tokens, at, clause.end, false);
    let mut words = scene.content(phrase::undated(tokens, (at, end)));
    if words.is_empty() && clause.np.1 > clause.np.0 + 1 {
        words = scene.content(clause.np);
        words.retain(|word| word != "and");
    }
    let earlier = (at..end).any(|i| {
        matches!(
            tokens.fold(i),
            "previous" | "former" | "ex" | "old" | "first" | "last" | "then"
        )
    });
    if earlier {
        return true;
    }
    words.retain(|word| !is_partner_noun(word));
    let text = scene.book_statement(clause, end.max(at));
    let relations = [who.subject(PARTNER), who.subject(STATE)];
    let mut facts: Entries = relations
        .iter()
        .flat_map(|subject| scene.book.of_subject(subject))
        .collect();
    let of_partner: Vec<_> = scene
        .book
        .live()
        .filter(|(_, _, subject)| partner_entity(subject, &who.entity))
        .map(|(entry, ..)| entry)
        .collect();
    facts.extend(of_partner);
    if !words.is_empty() {
        let named: Entries = facts
            .iter()
            .copied()
            .filter(|entry| mentions(scene.book.text(*entry), &words))
            .collect();
        // Somebody else's name: the partner we know stays.
        if named.is_empty()
            && !facts.is_empty()
            && facts.iter().any(|entry| has_name(scene.book.text(*entry)))
        {
            return true;
        }
        if !named.is_empty() {
            facts.retain(|entry| {
                named.contains(entry) || scene.book.subject(*entry) == who.subject(STATE)
            });
        }
    }
    let state = scene.book.add(&who.subject(STATE), &text);
    for fact in facts {
        scene.book.end(fact, state);
    }
    true
}

fn is_partner_noun(stem: &str) -> bool {
    [
        "wife",
        "husband",
        "girlfriend",
        "boyfriend",
        "partner",
        "fiance",
        "spouse",
    ]
    .iter()
    .any(|noun| lexicon::stem(noun) == stem)
}

fn partner_entity(subject: &str, me: &str) -> bool {
    let Some(rest) = subject
        .strip_prefix(me)
        .and_then(|rest| rest.strip_prefix("'s "))
    else {
        return false;
    };
    let noun = rest.split('/').next().unwrap_or_default();
    lexicon::look_up(noun).class.has(Class::PARTNER)
}

fn has_name(text: &str) -> bool {
    text.split_whitespace()
        .skip(1)
        .any(|word| word.chars().next().is_some_and(char::is_uppercase))
}

/// `I'm married to Joan`, `I got engaged to Lea`, `I'm single`.
fn bound(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let state = clause.after_verb(
        tokens,
        words![
            "be married",
            "be engaged",
            "be single",
            "be divorced",
            "be separated",
            "be widowed",
            "get married",
            "get engaged",
            "marry to",
            "marry",
            "engage to",
            "engage",
            "be dating",
            "be seeing",
            "be back together",
            "get back together"
        ],
    );
    let bound = state.or_else(|| {
        (clause.lemma(tokens) == "be" && tokens.has(clause.body, Class::STATE))
            .then_some(clause.body + 1)
    });
    let relational = |i: usize| {
        matches!(
            tokens.fold(i),
            "married"
                | "engaged"
                | "single"
                | "divorced"
                | "separated"
                | "widowed"
                | "dating"
                | "seeing"
                | "relationship"
                | "together"
                | "marry"
        )
    };
    let Some(at) =
        bound.filter(|at| relational(at - 1) || matches!(clause.lemma(tokens), "marry" | "engage"))
    else {
        return false;
    };
    if clause.marks.negated || clause.marks.ended {
        let mut facts = scene.book.of_subject(&who.subject(STATE));
        let words = scene.content((at - 1, at));
        facts.retain(|entry| mentions(scene.book.text(*entry), &words));
        if !facts.is_empty() || clause.marks.ended {
            let text = scene.book_statement(clause, clause.end);
            scene.end_with(&facts, &[], &who.subject(STATE), &text);
        }
        return true;
    }
    if !clause.is_real() || tokens.fold(clause.verb) == "was" {
        return true;
    }
    let end = phrase::object_end(tokens, at, clause.end, false);
    let (words, text) = (
        scene.content((at - 1, end)),
        scene.book_statement(clause, end.max(at)),
    );
    let changes = clause.lemma(tokens) != "be" || clause.tense == Tense::Past;
    scene.state_single(&who.subject(STATE), &text, &words, changes);
    true
}

/// `My girlfriend is Ana`, `my wife's name is Joan`.
fn is_partner(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let noun = (clause.np.0..clause.np.1).find(|i| tokens.has(*i, Class::PARTNER));
    let Some(noun) = noun.filter(|noun| {
        clause.subject == Subject::Mine && *noun <= clause.np.0 + 2 && tokens.fold(*noun) != "ex"
    }) else {
        return false;
    };
    let named = clause.lemma(tokens) == "be" && tokens.at(clause.body).capital
        || clause.after_verb(tokens, words!["call|name"]).is_some() && clause.marks.passive;
    if !named || clause.marks.negated || !clause.is_real() {
        return false;
    }
    let end = phrase::name_end(tokens, clause.body, clause.end);
    if end == clause.body
        || end < clause.end
            && tokens.at(end).is_wordy()
            && !tokens.has(end, Class::AND.with(Class::NOW))
        || tokens.has(clause.body, Class::NATION)
    {
        return false;
    }
    let me = scene.me();
    let words = scene.content((clause.body, end));
    let text = me.says(&format!(
        "has a {}, {}",
        tokens.fold(noun),
        wording::slice(tokens, clause.body, end)
    ));
    scene.state_single(
        &me.subject(PARTNER),
        &text,
        &words,
        super::speaks_of_change(clause.marks),
    );
    true
}

impl Scene<'_, '_, '_> {
    /// The statement of a clause whose subject is the speaker alone or with somebody named: `got divorced from Joan`.
    fn book_statement(&self, clause: &Clause, to: usize) -> String {
        if clause.subject == Subject::Us && clause.np.1 > clause.np.0 + 1 {
            return wording::slice(self.tokens, clause.start, to);
        }
        self.statement(clause, to)
    }
}

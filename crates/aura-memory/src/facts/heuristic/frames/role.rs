//! Who is in charge of what.

mod lead;
mod takeover;

use super::{Scene, after, speaks_of_change};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self};
use crate::facts::heuristic::token::{Kind, Tokens};
use lead::leads;
use takeover::{roles, takes_over};

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    takes_over(scene, clause)
        || new_holder(scene, clause)
        || leads(scene, clause)
        || holds_role(scene, clause)
        || leaves(scene, clause)
}

/// Whether facts of this subject say who does something.
fn is_role(subject: &str) -> bool {
    let attribute = subject.rsplit('/').next().unwrap_or_default();
    attribute.starts_with("owner")
        || attribute.ends_with(" role")
        || attribute.ends_with(" role:ended")
}

/// `Our project manager is Susan`, `Dr. Patel is my doctor`, `the new contact is Mia`.
fn holds_role(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if !matches!(clause.lemma(tokens), "be" | "become")
        || !clause.is_asserted()
        || matches!(clause.tense, Tense::Past | Tense::Former) && clause.lemma(tokens) == "be"
    {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let object = (clause.body, end);
    let (name, role) = if clause.subject == Subject::Name {
        (clause.np, object)
    } else if matches!(clause.subject, Subject::Mine | Subject::Thing) {
        let name = phrase::name_end(tokens, clause.body, end);
        if name != end || name == clause.body {
            return false;
        }
        (object, clause.np)
    } else {
        return false;
    };
    let possessed = tokens.has(role.0, Class::MY) || tokens.fold(role.0) == "the";
    let Some(head) = phrase::head(tokens, role) else {
        return false;
    };
    let head = if tokens.any(head, words!["point of contact"]).is_some() {
        head + 2
    } else {
        head
    };
    let person = is_holder(tokens, head);
    let many = matches!(
        tokens.fold(head),
        "friend"
            | "sister"
            | "brother"
            | "son"
            | "daughter"
            | "cousin"
            | "uncle"
            | "aunt"
            | "colleague"
            | "neighbour"
            | "neighbor"
            | "friends"
            | "student"
            | "kid"
    );
    if !possessed
        || !person
        || tokens.has(head, Class::PARTNER)
        || tokens.has(name.0, Class::NATION.with(Class::MONTH).with(Class::DAY))
    {
        return false;
    }
    let owner = (role.0..role.1).any(|i| tokens.fold(i) == "'s" || tokens.has(i, Class::THEIR));
    if owner {
        return false;
    }
    let mut label = phrase::content(tokens, role).join(" ");
    label.push_str(" role");
    let subject = format!("{}/{label}", scene.speaker.entity);
    let words = scene.content(name);
    if clause.marks.negated || clause.marks.ended {
        let mut facts = scene.book.of_subject(&subject);
        facts.retain(|fact| mentions(scene.book.text(*fact), &words));
        let text = scene.statement(clause, end);
        if !facts.is_empty() {
            scene.end_with(&facts, &[], &subject, &text);
        }
        return true;
    }
    let text = scene.statement(clause, end);
    if many {
        scene.state_multi(&subject, &text);
    } else {
        scene.state_single(&subject, &text, &words, speaks_of_change(clause.marks));
    }
    true
}

/// `I have a new doctor: Dr. Schmidt`, `we got a new landlord called Bo`.
fn new_holder(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let gets = matches!(clause.lemma(tokens), "have" | "get" | "hire" | "find")
        && Scene::is_mine(clause)
        && clause.is_real()
        && !clause.marks.negated;
    let Some(at) = after(tokens, clause.body, words!["a new", "another"]).filter(|_| gets) else {
        return false;
    };
    let Some(noun) = (at..clause.end.min(at + 4)).find(|i| is_holder(tokens, *i)) else {
        return false;
    };
    // `I have a new manager, her name is Olga`: the name follows.
    let role = [lexicon::stem(tokens.fold(noun)).to_owned()];
    let known: Entries = scene
        .book
        .live()
        .filter(|(_, _, subject)| {
            subject.starts_with(&*scene.speaker.entity)
                && subject.ends_with(" role")
                && mentions(subject, &role)
        })
        .map(|(entry, ..)| entry)
        .collect();
    if let [only] = known.as_slice() {
        scene.topic = Some(*only);
    }
    let Some(name) = after(tokens, noun + 1, words!["called|named"]).or_else(|| {
        matches!(
            tokens.kind(noun + 1),
            Kind::Colon | Kind::Comma | Kind::Dash
        )
        .then_some(noun + 2)
    }) else {
        return known.len() == 1;
    };
    let end = phrase::name_end(tokens, name, clause.end);
    if end == name || !tokens.at(name).capital {
        return false;
    }
    let label = phrase::content(tokens, (at, noun + 1)).join(" ");
    let words = scene.content((name, end));
    let text = scene.speaker.says(&format!(
        "has a {}, {}",
        tokens.slice(at, noun + 1),
        tokens.slice(name, end)
    ));
    let subject = format!("{}/{label} role", scene.speaker.entity);
    scene.state_single(&subject, &text, &words, true);
    true
}

/// Words for people who do something for others.
fn is_holder(tokens: &Tokens<'_>, at: usize) -> bool {
    tokens.has(at, Class::JOB.with(Class::KIN)) && !tokens.has(at, Class::PARTNER)
        || matches!(
            tokens.fold(at),
            "contact"
                | "advisor"
                | "adviser"
                | "mentor"
                | "captain"
                | "gp"
                | "president"
                | "lead"
                | "owner"
                | "caterer"
        )
}

/// `Susan left the company`, `Ana is off the project`: the roles of the person end.
fn leaves(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if clause.subject != Subject::Name || !clause.is_real() || clause.marks.negated {
        return false;
    }
    let group = words![
        "the company|team|project|firm|group|board|organisation|organization",
        "us",
        "our team|company"
    ];
    let at =
        if matches!(clause.lemma(tokens), "leave" | "quit") || tokens.fold(clause.verb) == "gone" {
            Some(clause.body)
        } else {
            clause.after_verb(
                tokens,
                words![
                    "be off",
                    "be no longer on|with",
                    "resign",
                    "retire",
                    "step down",
                    "step back",
                    "be gone",
                    "move on"
                ],
            )
        };
    let Some(at) = at else { return false };
    let whole = at >= clause.end
        || tokens.any(at, group).is_some()
        || matches!(
            clause.lemma(tokens),
            "resign" | "retire" | "step" | "go" | "move"
        )
        || tokens.fold(clause.body) == "gone";
    let facts = roles(scene, Some(clause.np), None);
    if !whole || facts.is_empty() {
        return false;
    }
    let end = if clause.end <= clause.body + 3 {
        clause.end
    } else {
        phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body)
    };
    let text = scene.statement(clause, end);
    let words = scene.content(clause.np);
    super::removal::leave_gap(scene, &facts, &words, &text);
    true
}

//! Who is in charge of what.

mod takeover;

use super::topic::Topic;
use super::{Scene, after, speaks_of_change};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self};
use crate::facts::heuristic::token::{Kind, Tokens};
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

/// `Ana is leading the migration`, `Pete is responsible for catering`.
fn leads(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if clause.subject != Subject::Name
        || clause.marks.ability
        || !clause.is_asserted()
        || matches!(clause.tense, Tense::Former | Tense::Past)
    {
        return false;
    }
    let lemma = clause.lemma(tokens);
    let object = if clause.verb_is(tokens, Class::LEAD) && !clause.marks.passive {
        clause.body
    } else if let Some(at) = after(
        tokens,
        clause.verb,
        words![
            "be responsible for",
            "be in charge of",
            "be on",
            "be the owner of",
            "look after",
            "take care of",
            "work on"
        ],
    ) {
        at
    } else {
        return false;
    };
    let end = phrase::object_end(tokens, object, clause.end, false);
    let definite = tokens.has(object, Class::MY)
        || tokens.fold(object) == "the"
        || !tokens.has(object, Class::DET);
    let Some(mut topic) = Topic::of(tokens, (object, end)) else {
        return false;
    };
    let thing = definite
        && end > object
        && !tokens.has(
            object,
            Class::NUM
                .with(Class::THEIR)
                .with(Class::ADV)
                .with(Class::IT),
        );
    if !thing || lemma == "do" && tokens.has(end - 1, Class::VAGUE) {
        return false;
    }
    "owner".clone_into(&mut topic.attribute);
    let words = scene.content(clause.np);
    let facts = topic.find(scene, false);
    if clause.marks.negated || clause.marks.ended {
        let gone: Entries = facts
            .into_iter()
            .filter(|fact| mentions(scene.book.text(*fact), &words))
            .collect();
        if !gone.is_empty() {
            let text = scene.statement(clause, end);
            scene.end_with(&gone, &[], &topic.subject(), &text);
        }
        return true;
    }
    let text = scene.statement(clause, end);
    let added = scene.state_multi(&topic.subject(), &text);
    let shared = clause.marks.also || lemma == "work";
    for fact in facts {
        if !shared && !mentions(scene.book.text(fact), &words) {
            scene.book.end(fact, added);
        }
    }
    scene.topic = added;
    true
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
    let head = if tokens.matches(head, "point of contact").is_some() {
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
    let Some(name) = after(tokens, noun + 1, words!["called|named"]).or_else(|| {
        matches!(
            tokens.kind(noun + 1),
            Kind::Colon | Kind::Comma | Kind::Dash
        )
        .then_some(noun + 2)
    }) else {
        return false;
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
    let at = if matches!(clause.lemma(tokens), "leave" | "quit") {
        Some(clause.body)
    } else {
        after(
            tokens,
            clause.verb,
            words![
                "be off",
                "be no longer on|with",
                "resign",
                "retire",
                "step down",
                "step back"
            ],
        )
    };
    let Some(at) = at else { return false };
    let whole = at >= clause.end
        || tokens.any(at, group).is_some()
        || matches!(clause.lemma(tokens), "resign" | "retire" | "step");
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
    let subject = facts
        .first()
        .map(|fact| scene.book.subject(*fact).to_owned())
        .unwrap_or_default();
    scene.end_with(&facts, &[], &subject, &text);
    true
}

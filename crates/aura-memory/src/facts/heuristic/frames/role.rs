//! Who is in charge of what.

use super::topic::Topic;
use super::{Scene, after, speaks_of_change};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::{Patterns, words};
use crate::facts::heuristic::phrase::{self, Span, Words};
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::wording;

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

/// `Dalia takes over (the migration) from Ana`, `Lucy is replacing Pete on catering`, `Ana handed billing over to Priya`.
fn takes_over(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if clause.subject != Subject::Name || clause.marks.negated || !clause.is_asserted() {
        return false;
    }
    let subject = clause.np;
    let find =
        |patterns: &Patterns| (clause.body..clause.end).find_map(|i| tokens.any(i, patterns));
    let lemma = clause.lemma(tokens);
    let (new, old, topic) = match lemma {
        "take" if find(words!["over"]).is_some() => {
            let over = find(words!["over"]).unwrap_or(clause.end);
            let old = find(words!["from", "for"]).and_then(|at| person(tokens, at, clause.end));
            let before = (clause.body, over - 1);
            let topic = if before.0 < before.1 {
                Some(before)
            } else {
                topic_span(tokens, over, clause.end)
            };
            (subject, old, topic)
        }
        "replace" | "succeed" | "relieve" => {
            let old = person(tokens, clause.body, clause.end);
            let topic = old
                .and_then(|old| after(tokens, old.1, words!["on|for|as|in|at"]))
                .map(|at| (at, clause.end));
            if clause.marks.passive {
                let by = find(words!["by"]).and_then(|at| person(tokens, at, clause.end));
                let Some(by) = by else { return false };
                (by, Some(subject), None)
            } else {
                (subject, old, topic)
            }
        }
        "step" | "fill" | "cover" | "stand" => {
            let Some(at) = find(words!["in for", "for"]) else {
                return false;
            };
            let old = person(tokens, at, clause.end);
            let topic = old
                .and_then(|old| after(tokens, old.1, words!["on|as|in"]))
                .map(|at| (at, clause.end));
            (subject, old, topic)
        }
        "hand" | "pass" | "give" | "transfer" => {
            let Some(at) = find(words!["to"]) else {
                return false;
            };
            let Some(new) = person(tokens, at, clause.end) else {
                return false;
            };
            let stop = (clause.body..at)
                .find(|i| matches!(tokens.fold(*i), "over" | "on" | "to"))
                .unwrap_or(at);
            let topic = if stop > clause.body {
                Some((clause.body, stop))
            } else {
                topic_span(tokens, stop, at - 1)
            };
            (new, Some(subject), topic)
        }
        _ => return false,
    };
    if clause.tense == Tense::Former || tokens.has(new.0, Class::DET) {
        return false;
    }
    let facts = roles(scene, old, topic);
    if facts.is_empty() && topic.is_none() {
        // Nothing known to take over: the statement itself is what we know.
        let text = scene.statement(
            clause,
            phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body),
        );
        scene.state_multi(
            &format!(
                "project/{} owner",
                tokens.slice(new.0, new.1).to_lowercase()
            ),
            &text,
        );
        return true;
    }
    let new_name = tokens.slice(new.0, new.1);
    let mut replaced = false;
    for fact in facts {
        let (text, subject) = (
            scene.book.text(fact).to_owned(),
            scene.book.subject(fact).to_owned(),
        );
        let old_words = match old {
            Some(old) => scene.content(old),
            None => leading_name(&text),
        };
        let worded = wording::substituted(&text, &old_words, new_name);
        let added = scene.book.add(
            &subject,
            &worded.unwrap_or_else(|| scene.statement(clause, clause.end)),
        );
        scene.book.end(fact, added);
        scene.topic = added;
        replaced = true;
    }
    if !replaced {
        let text = scene.statement(
            clause,
            phrase::object_end(tokens, clause.body, clause.end, false).max(clause.body),
        );
        let mut topic = topic
            .and_then(|span| Topic::of(tokens, span))
            .unwrap_or_default();
        "owner".clone_into(&mut topic.attribute);
        scene.topic = scene.state_multi(&topic.subject(), &text);
    }
    true
}

/// The role facts of a person, of a topic, or both.
fn roles(scene: &Scene<'_, '_, '_>, old: Option<Span>, topic: Option<Span>) -> Entries {
    let old: Words = old.map(|span| scene.content(span)).unwrap_or_default();
    let topic: Words = topic.map(|span| scene.content(span)).unwrap_or_default();
    let of = |words: &Words| -> Entries {
        scene
            .book
            .live()
            .filter(|(_, text, subject)| {
                is_role(subject) && !super::is_ended(subject) && mentions(text, words)
            })
            .map(|(entry, ..)| entry)
            .collect()
    };
    if old.is_empty() && topic.is_empty() {
        return Entries::new();
    }
    let both: Words = old.iter().chain(&topic).cloned().collect();
    let found = of(&both);
    if !found.is_empty() || topic.is_empty() {
        return found;
    }
    if old.is_empty() {
        return Entries::new();
    }
    // The topic may go by another name: then only the one role that the person has.
    let theirs = of(&old);
    if theirs.len() == 1 {
        theirs
    } else {
        Entries::new()
    }
}

fn leading_name(text: &str) -> Words {
    let tokens = Tokens::of(text);
    let end = phrase::name_end(&tokens, 0, tokens.len());
    phrase::content(&tokens, (0, end))
}

fn person(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let stop = phrase::name_end(tokens, at, end);
    if stop > at {
        return Some((at, stop));
    }
    // Names in a text without capitals.
    let plain = !tokens.cased
        && tokens.at(at).is_wordy()
        && !tokens.has(
            at,
            Class::DET
                .with(Class::MY)
                .with(Class::PREP)
                .with(Class::VERB)
                .with(Class::OTHER)
                .with(Class::UNIT),
        );
    (plain && at < end).then_some((at, at + 1))
}

fn topic_span(tokens: &Tokens<'_>, at: usize, end: usize) -> Option<Span> {
    let stop = (at..end)
        .find(|i| {
            matches!(
                tokens.fold(*i),
                "from" | "for" | "as" | "starting" | "next" | "on" | "in" | "this"
            )
        })
        .unwrap_or(end);
    let stop = phrase::object_end(tokens, at, stop, false);
    (at < stop && phrase::head(tokens, (at, stop)).is_some()).then_some((at, stop))
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

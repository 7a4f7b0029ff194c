//! What somebody does for a living, and for whom.

mod occupation;

mod organisation;

mod fill;
mod leaving;
mod post;

use super::{Scene, Who, after, speaks_of_change};
use crate::facts::heuristic::book::mentions;
use crate::facts::heuristic::clause::{Clause, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::wording;
use fill::{employ, employer_after, set_employer, set_role};
use leaving::{quit, stopped};
use occupation::role_at;
use organisation::{is_firm, is_workplace, names_time, organisation};
use post::{hired_me, new_post};

/// Properties of a person: one occupation and one employer at a time.
const JOB: &str = "job";
const EMPLOYER: &str = "employer";

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    hired_me(scene, clause)
        || occupation(scene, clause)
        || works(scene, clause)
        || changed(scene, clause)
        || quit(scene, clause)
}

/// `I'm a nurse (at St Olav's)`, `I'm now head of sales`.
fn occupation(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let becomes = matches!(lemma, "become") && clause.is_real();
    if lemma != "be" && !becomes || clause.subject == Subject::Us || clause.tense == Tense::Future {
        return false;
    }
    let Some(who) = scene.who(clause).filter(|who| !who.stranger) else {
        return false;
    };
    let Some(role) = role_at(tokens, clause.body, clause.end, false) else {
        return false;
    };
    if clause.marks.negated || clause.marks.ended {
        let words = scene.content(role);
        let mut facts = scene.book.of_subject(&who.subject(JOB));
        facts.retain(|entry| mentions(scene.book.text(*entry), &words));
        if clause.marks.ended || !facts.is_empty() {
            let text = who.says(&format!(
                "is no longer {}",
                wording::slice(tokens, role.0, role.1)
            ));
            scene.end_with(&facts, &[], &who.subject(JOB), &text);
        }
        return true;
    }
    if clause.tense == Tense::Past && !becomes {
        return true;
    }
    set_role(scene, &who, role, speaks_of_change(clause.marks) || becomes);
    employer_after(scene, &who, role.1, clause);
    true
}

/// `I work as a nurse at St Olav's`, `I work in sales`, `I run a bakery`.
fn works(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let lemma = clause.lemma(tokens);
    let mine = matches!(clause.subject, Subject::Mine)
        && phrase::head(tokens, clause.np).is_some_and(|i| tokens.fold(i) == "job");
    if mine && lemma == "be" && !clause.marks.negated {
        return job_is(scene, clause);
    }
    if lemma == "be"
        && clause.tense == Tense::Present
        && clause.marks.now
        && !clause.marks.negated
        && tokens.any(clause.body, words!["at|with"]).is_some()
    {
        return now_at(scene, clause);
    }
    if !matches!(lemma, "work" | "teach" | "intern" | "freelance") || clause.marks.passive {
        return false;
    }
    let Some(who) = scene.who(clause) else {
        return false;
    };
    if clause.marks.negated || clause.marks.ended {
        let now = clause.marks.ended || clause.tense == Tense::Present;
        if now {
            stopped(scene, clause, &who);
        }
        return true;
    }
    if !matches!(clause.tense, Tense::Present | Tense::Progressive) {
        // `I've worked at Stripe since May` holds; `I've worked at Stripe` may be over.
        let since = (clause.body..clause.end).any(|i| {
            tokens
                .any(i, words!["since", "for the past|last"])
                .is_some()
        });
        if clause.tense != Tense::Perfect || !since {
            return lemma != "teach";
        }
    }
    if clause.marks.ability || tokens.has(clause.body, Class::OTHER) {
        return false;
    }
    if lemma == "teach" {
        return teaches(scene, clause, &who);
    }
    let mut found = false;
    let mut at = clause.body;
    loop {
        at = after(
            tokens,
            at,
            words![
                "full-time|part-time|remotely|mostly|freelance",
                "full|part time",
                "from home",
                "nights|days|weekends|evenings|shifts|mornings|overtime|there"
            ],
        )
        .unwrap_or(at);
        if let Some(next) = after(tokens, at, words!["as"])
            && let Some(role) = role_at(tokens, next, clause.end, true)
        {
            set_role(scene, &who, role, speaks_of_change(clause.marks));
            at = role.1;
        } else if tokens.any(at, words!["at|for|in"]).is_some()
            && !names_time(tokens, at)
            && let Some(span) = organisation(tokens, at + 1, clause.end, tokens.fold(at))
        {
            set_employer(scene, &who, span, at, clause);
            at = span.1;
        } else {
            break;
        }
        found = true;
    }
    found
}

/// `I'm at Ericsson now`: of somebody whose employer was spoken of.
fn now_at(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let Some(who) = scene.who(clause) else {
        return false;
    };
    let employer = who.subject(EMPLOYER);
    let known = !scene.book.of_subject(&employer).is_empty()
        || !scene.book.of_subject(&super::ended(&employer)).is_empty();
    let Some(span) = organisation(scene.tokens, clause.body + 1, clause.end, "at").filter(|span| {
        known
            && (scene.tokens.at(span.0).capital
                || (span.0..span.1).any(|i| is_workplace(scene.tokens.fold(i))))
    }) else {
        return false;
    };
    employ(scene, &who, span, true);
    true
}

/// `I teach at a school`, `I teach Latin at Eton`: a subject alone may be a hobby.
fn teaches(scene: &mut Scene<'_, '_, '_>, clause: &Clause, who: &Who<'_>) -> bool {
    let tokens = scene.tokens;
    let Some(at) = (clause.body..clause.end.min(clause.body + 5))
        .find(|i| tokens.any(*i, words!["at|in"]).is_some() && !names_time(tokens, *i))
    else {
        return false;
    };
    let people = (clause.body..at).any(|i| {
        tokens.has(
            i,
            Class::VAGUE
                .with(Class::OTHER)
                .with(Class::THEIR)
                .with(Class::KIN),
        )
    });
    let Some(span) = organisation(tokens, at + 1, clause.end, "at").filter(|_| !people) else {
        return false;
    };
    let text = who.says(&format!(
        "teaches {}",
        wording::slice(tokens, clause.body, span.1)
    ));
    let words = scene.content((clause.body, span.1));
    scene.state_single(
        &who.subject(JOB),
        &text,
        &words,
        speaks_of_change(clause.marks),
    );
    true
}

/// `My job is in sales`.
fn job_is(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let end = phrase::object_end(tokens, clause.body, clause.end, false);
    let short = end > clause.body && end - clause.body <= 6;
    let field = tokens
        .any(clause.body, words!["in", "as", "at", "with"])
        .is_some()
        || role_at(tokens, clause.body, clause.end, false).is_some();
    if !short
        || !field
        || tokens.at(clause.body).forms() & crate::facts::heuristic::lexicon::form::ING != 0
    {
        return false;
    }
    let words = scene.content((clause.body, end));
    let me = scene.me();
    let text = scene.statement(clause, end);
    scene.state_single(
        &me.subject(JOB),
        &text,
        &words,
        speaks_of_change(clause.marks),
    );
    true
}

/// `I got promoted to head nurse`, `I joined Stripe`, `I started a new job at Stripe`, `I was hired as a chef by Nobu`.
fn changed(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let Some(who) = scene.who(clause) else {
        return false;
    };
    if !clause.is_real() || clause.marks.negated {
        return false;
    }
    let lemma = clause.lemma(tokens);
    let promoted = clause.after_verb(
        tokens,
        words![
            "promote to",
            "be promoted to",
            "advance to",
            "get a promotion to",
            "move up to",
            "step up as",
            "take over as",
            "take a job as",
            "take a position as",
            "hire as",
            "start as",
            "start work as",
            "start working as",
            "retrain as",
            "qualify as",
            "move into",
            "move to",
            "switch to",
            "go into"
        ],
    );
    if let Some(next) = promoted
        && let Some(role) = role_at(
            tokens,
            next,
            clause.end,
            !matches!(lemma, "move" | "switch" | "go"),
        )
    {
        set_role(scene, &who, role, true);
        employer_after(scene, &who, role.1, clause);
        return true;
    }
    if new_post(scene, &who, clause) {
        return true;
    }
    let joined = clause.after_verb(
        tokens,
        words![
            "join",
            "start a new job at|with|for",
            "start a new role|position at|with|for",
            "start a job at|with",
            "start my new job at|with",
            "start work|working at|for",
            "start at",
            "get a new job|role|position at|with",
            "get a job at|with",
            "hire by|at",
            "land a job at|with",
            "have a job at|with",
            "have a new job|role|position at|with",
            "land a new job at|with",
            "take a job at|with",
            "take a new job at|with",
            "change jobs to",
            "switch jobs to",
            "accept a job|position|offer at|from|with",
            "switch to",
            "move to",
            "go to work for",
        ],
    );
    let Some(next) = joined else { return false };
    let vague = matches!(lemma, "switch" | "move");
    let Some(span) = organisation(tokens, next, clause.end, "at") else {
        return false;
    };
    let employer = who.subject(EMPLOYER);
    let has_job = !scene.book.of_subject(&employer).is_empty()
        || !scene.book.of_subject(&super::ended(&employer)).is_empty();
    let workplace = (span.0..span.1).any(|i| is_workplace(tokens.fold(i)));
    if vague && !(has_job && workplace) {
        return false;
    }
    // `I joined a gym`, `I joined the choir`: only companies and workplaces employ.
    if lemma == "join"
        && !(tokens.at(span.0).capital
            || workplace && has_job
            || workplace && is_firm(tokens, span))
    {
        return false;
    }
    let role_before = (next..clause.end).find_map(|i| {
        after(tokens, i, words!["as"]).and_then(|n| role_at(tokens, n, clause.end, true))
    });
    employ(scene, &who, span, true);
    if let Some(role) = role_before {
        set_role(scene, &who, role, true);
    }
    true
}

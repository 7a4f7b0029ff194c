//! What is dropped: `drop eggs from the list`, `Kim is out`, `we don't need the stove any more`.

mod over;

use super::{Gap, Scene, after};
use crate::facts::heuristic::book::{Entries, mentions};
use crate::facts::heuristic::clause::{Clause, Mood, Subject, Tense};
use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Tokens;
use over::fell_through;

pub(super) fn read(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    if clause.mood != Mood::Asserted {
        return false;
    }
    removed(scene, clause) || fell_through(scene, clause) || not_any_more(scene, clause)
}

/// What is removed, and from what.
struct Removal {
    item: Span,
    list: Option<Span>,
    /// Can mean nothing else, even without a list.
    plain: bool,
}

fn removed(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    if let Some(at) = given_up(tokens, clause) {
        let item = (at, phrase::object_end(tokens, at, clause.end, false));
        return item.1 > item.0
            && take_out(
                scene,
                clause,
                &Removal {
                    item,
                    list: None,
                    plain: true,
                },
            );
    }
    if !clause.verb_is(tokens, Class::REMOVE) {
        return false;
    }
    let told = matches!(
        clause.tense,
        Tense::Order | Tense::Past | Tense::Perfect | Tense::Progressive | Tense::Future
    );
    let ours = matches!(clause.subject, Subject::Me | Subject::Us | Subject::Nobody)
        || clause.marks.passive
        || clause.subject == Subject::Other && !theirs(tokens, clause);
    if !told || !ours {
        return false;
    }
    let removal = match parts(tokens, clause) {
        Some(removal) => removal,
        // `I already called mom, cross that off`
        None => match scene
            .object
            .filter(|_| clause.tense == Tense::Order && points(tokens, clause))
        {
            Some(item) => Removal {
                item,
                list: None,
                plain: true,
            },
            None => return false,
        },
    };
    if clause.marks.negated {
        return true;
    }
    take_out(scene, clause, &removal)
}

/// `decided against the puppy`, `pulled out of the race`, `bailed on the trip`: what is given up follows.
fn given_up(tokens: &Tokens<'_>, clause: &Clause) -> Option<usize> {
    let told = matches!(clause.subject, Subject::Me | Subject::Us)
        && matches!(
            clause.tense,
            Tense::Past | Tense::Perfect | Tense::Progressive
        )
        && !clause.marks.negated;
    clause
        .after_verb(
            tokens,
            words![
                "decide against",
                "opt out of",
                "pull out of",
                "back out of",
                "bail on",
                "pass on",
                "call off",
                "shelve",
                "abandon",
                "give up on"
            ],
        )
        .filter(|_| told)
}

fn points(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    tokens
        .any(clause.body, words!["that|it|this off|out"])
        .is_some()
}

fn theirs(tokens: &Tokens<'_>, clause: &Clause) -> bool {
    tokens.has(clause.body, Class::THEIR)
}

fn parts(tokens: &Tokens<'_>, clause: &Clause) -> Option<Removal> {
    let lemma = clause.lemma(tokens);
    let order = clause.tense == Tense::Order;
    if clause.marks.passive {
        let list = list_after(tokens, clause.body, clause.end);
        let plain = matches!(
            lemma,
            "cancel" | "scrap" | "axe" | "remove" | "delete" | "drop" | "cut"
        );
        return (plain || list.is_some()).then_some(Removal {
            item: clause.np,
            list,
            plain,
        });
    }
    let start = after(
        tokens,
        clause.body,
        words!["out", "off", "about", "all about"],
    )
    .unwrap_or(clause.body);
    let led_out = start > clause.body && tokens.fold(clause.body) != "about";
    let object = phrase::object_end(tokens, start, clause.end, true);
    let link = (start..object).find(|i| matches!(tokens.fold(*i), "from" | "off" | "out"));
    let item = (start, link.unwrap_or(object));
    let list = link.and_then(|link| list_after(tokens, link, clause.end));
    let off = link.is_some_and(|link| matches!(tokens.fold(link), "off" | "out")) || led_out;
    let plain = match lemma {
        "remove" | "delete" | "scratch" | "cancel" | "scrap" | "axe" | "nix" | "omit"
        | "exclude" | "uninvite" | "ditch" => true,
        "cross" | "strike" | "take" | "leave" | "cut" => {
            off && (list.is_some()
                || link.is_none_or(|link| link + 1 >= clause.end)
                || lemma != "take" && lemma != "leave")
                && (order || list.is_some() || !matches!(lemma, "take" | "leave" | "cut"))
        }
        "drop" | "skip" => order || matches!(clause.tense, Tense::Progressive | Tense::Future),
        "forget" => order,
        _ => false,
    };
    let pointing = tokens.has(item.0, Class::IT.with(Class::OTHER)) && item.1 - item.0 == 1;
    let usable = item.0 < item.1 && item.1 - item.0 <= 10 && !pointing;
    (usable && (plain || list.is_some())).then_some(Removal { item, list, plain })
}

/// The list after `from` or `off`.
fn list_after(tokens: &Tokens<'_>, link: usize, end: usize) -> Option<Span> {
    let at = after(
        tokens,
        link,
        words!["from", "off of", "off", "out of", "on"],
    )?;
    let at = after(tokens, at, words!["the|our|my"]).unwrap_or(at);
    let stop = phrase::object_end(tokens, at, end, false);
    (at < stop && tokens.at(at).is_wordy() && !tokens.has(at, Class::PREP.with(Class::DAY)))
        .then_some((at, stop))
}

fn take_out(scene: &mut Scene<'_, '_, '_>, clause: &Clause, removal: &Removal) -> bool {
    let tokens = scene.tokens;
    let mut found = false;
    let text = scene.statement(
        clause,
        phrase::object_end(tokens, clause.body, clause.end, true).max(clause.body),
    );
    for item in phrase::items(tokens, removal.item.0, removal.item.1) {
        let words = scene.content(item);
        if words.is_empty() {
            continue;
        }
        let facts = holders(scene, &words, removal.list);
        if !facts.is_empty() {
            found = true;
            leave_gap(scene, &facts, &words, &text);
        }
    }
    if !found && removal.list.is_some() && removal.plain {
        let label = removal
            .list
            .map(|list| tokens.slice(list.0, list.1).to_lowercase())
            .unwrap_or_default();
        scene.topic = scene.book.add(&format!("topic:{label}/list:ended"), &text);
        return true;
    }
    found
}

/// Ends what holds the words, or takes them off its list, and remembers the gap in case the next clause fills it.
pub(super) fn leave_gap(
    scene: &mut Scene<'_, '_, '_>,
    facts: &Entries,
    words: &[String],
    text: &str,
) {
    let Some(first) = facts.first().copied() else {
        return;
    };
    let (known, subject) = (
        scene.book.text(first).to_owned(),
        scene.book.subject(first).to_owned(),
    );
    let earlier: Vec<_> = scene.book.live().map(|(entry, ..)| entry).collect();
    scene.end_with(facts, words, &subject, text);
    let left = scene
        .book
        .live()
        .map(|(entry, ..)| entry)
        .filter(|entry| !earlier.contains(entry))
        .collect();
    scene.vacated = Some(Gap {
        text: known,
        subject,
        words: words.to_vec(),
        left,
    });
}

/// Facts of which the words can be taken out: lists and decisions, never what the speaker is or has.
fn holders(scene: &Scene<'_, '_, '_>, words: &[String], list: Option<Span>) -> Entries {
    let label = list.map(|list| scene.content(list));
    let named = |text: &str, subject: &str| {
        label.as_ref().is_none_or(|label| {
            label.iter().filter(|word| *word != "list").all(|word| {
                mentions(text, std::slice::from_ref(word)) || subject.contains(word.as_str())
            })
        })
    };
    let me = scene.me();
    let open = |subject: &str| {
        subject.starts_with("topic:")
            || subject.starts_with("project/")
            || subject
                .strip_prefix(&*me.entity)
                .and_then(|rest| rest.strip_prefix('/'))
                .is_some_and(|verb| {
                    matches!(verb, "take" | "use" | "watch" | "read" | "report" | "stay")
                })
    };
    let all: Vec<_> = scene
        .book
        .live()
        .filter(|(_, text, subject)| {
            open(subject) && !super::is_ended(subject) && mentions(text, words)
        })
        .map(|(entry, text, subject)| (entry, named(text, subject), text.contains(": ")))
        .collect();
    let fitting: Entries = all
        .iter()
        .filter(|(_, named, _)| *named)
        .map(|(entry, ..)| *entry)
        .collect();
    if !fitting.is_empty() || label.is_none() {
        return fitting;
    }
    // The list goes by another name than the one we know it by: only if just one list has the item.
    let lists: Entries = all
        .iter()
        .filter(|(_, _, is_list)| *is_list)
        .map(|(entry, ..)| *entry)
        .collect();
    if lists.len() == 1 {
        lists
    } else {
        Entries::new()
    }
}

/// `We don't need the stove any more`, `we're no longer visiting Osaka`, `we're not inviting Kim after all`.
fn not_any_more(scene: &mut Scene<'_, '_, '_>, clause: &Clause) -> bool {
    let tokens = scene.tokens;
    let after_all = (clause.body..clause.end).any(|i| tokens.any(i, words!["after all"]).is_some());
    let plain = clause.lemma(tokens) == "need" && clause.tense == Tense::Present;
    let over =
        clause.marks.ended || clause.marks.negated && (after_all || clause.marks.corrects || plain);
    let verbs = clause.verb_is(tokens, Class::NEED.with(Class::CHOOSE))
        || matches!(clause.lemma(tokens), "have" | "use");
    if !over
        || !verbs
        || !matches!(clause.subject, Subject::Me | Subject::Us)
        || !clause.is_asserted()
    {
        return false;
    }
    let end = phrase::object_end(tokens, clause.body, clause.end, true);
    let at = after(
        tokens,
        clause.body,
        words!["with|to|for", "any|the|a|an|our|my"],
    )
    .unwrap_or(clause.body);
    let words = scene.content((at, end));
    if words.is_empty() {
        return false;
    }
    let facts = holders(scene, &words, None);
    if facts.is_empty() {
        return false;
    }
    let text = scene.statement(clause, clause.end);
    leave_gap(scene, &facts, &words, text.trim_end());
    true
}

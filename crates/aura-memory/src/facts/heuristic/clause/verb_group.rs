//! Auxiliaries, adverbs and the main verb.

mod copula;

use super::{Marks, Mood, Tense};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::{Patterns, words};
use crate::facts::heuristic::token::Tokens;
pub(in super::super) use copula::is_copula;
use copula::{be, stands_for_has};

/// A verb group.
#[derive(Debug, Clone, Copy)]
pub(in super::super) struct VerbGroup {
    pub(in super::super) verb: usize,
    pub(in super::super) body: usize,
    pub(in super::super) tense: Tense,
    pub(in super::super) mood: Mood,
    pub(in super::super) marks: Marks,
}

/// Adverbs of several words that may stand inside or after a verb group, with what they mark.
const NOW: &Patterns = words![
    "these days",
    "at the moment",
    "at present",
    "right now",
    "from now on",
    "as of now",
    "for now",
    "at this point",
    "going forward",
    "by now",
];

/// Reads adverbs at `place`; gives the place after them.
pub(in super::super) fn adverbs(
    tokens: &Tokens<'_>,
    mut place: usize,
    end: usize,
    marks: &mut Marks,
) -> usize {
    while place < end {
        if let Some(next) = tokens.any(place, words!["no longer", "no more", "not any longer"]) {
            marks.ended = true;
            place = next;
        } else if let Some(next) = tokens.any(place, words!["any more", "any longer", "anymore"]) {
            marks.ended = true;
            place = next;
        } else if let Some(next) = tokens.any(place, NOW) {
            marks.now = true;
            place = next;
        } else if tokens.has(place, Class::NOT) {
            marks.negated = true;
            place += 1;
        } else if tokens.has(place, Class::ADV) && !tokens.has(place, Class::VERB) {
            marks.now |= tokens.has(place, Class::NOW);
            marks.also |= tokens.has(place, Class::ALSO);
            marks.doubt |= tokens.has(place, Class::DOUBT);
            place += 1;
        } else {
            break;
        }
    }
    place
}

/// Reads a verb group that begins at `place` (auxiliary, adverb or verb).
pub(in super::super) fn read(tokens: &Tokens<'_>, place: usize, end: usize) -> Option<VerbGroup> {
    let mut group = VerbGroup {
        verb: place,
        body: place,
        tense: Tense::Present,
        mood: Mood::Asserted,
        marks: Marks::default(),
    };
    let mut at = place;
    // Each turn of the loop eats at least one word; real groups have few auxiliaries.
    for _ in 0..8 {
        let from = at;
        at = adverbs(tokens, at, end, &mut group.marks);
        // `I almost sold my car`
        group.marks.doubt |= (from..at).any(|i| matches!(tokens.fold(i), "almost" | "nearly"));
        if at >= end {
            return None;
        }
        match step(tokens, at, end, &mut group)? {
            Step::Main(verb, body) => {
                group.verb = verb;
                group.body = adverbs(tokens, body, end, &mut group.marks);
                return Some(group);
            }
            Step::Go(next) => at = next,
        }
    }
    None
}

enum Step {
    Main(usize, usize),
    Go(usize),
}

fn is_base(tokens: &Tokens<'_>, place: usize) -> bool {
    tokens.at(place).forms() & form::BASE != 0
}

/// The verb of an infinitive after `to` at `place`, adverbs skipped.
fn infinitive(tokens: &Tokens<'_>, place: usize, end: usize) -> Option<usize> {
    let to = tokens.any(place, words!["to"])?;
    let verb = adverbs(tokens, to, end, &mut Marks::default());
    (verb < end && is_base(tokens, verb)).then_some(verb)
}

fn step(tokens: &Tokens<'_>, at: usize, end: usize, group: &mut VerbGroup) -> Option<Step> {
    let fold = tokens.fold(at);
    let mut skipped = Marks::default();
    let next = adverbs(tokens, at + 1, end, &mut skipped);
    let forms = tokens.at(next).forms();
    if tokens.has(at, Class::MODAL) {
        if fold == "would"
            && tokens
                .any(next, words!["like", "love", "prefer", "rather"])
                .is_some()
        {
            group.mood = Mood::Intended;
        } else {
            group.mood = Mood::Hypothetical;
        }
        return Some(Step::Go(at + 1));
    }
    if tokens.has(at, Class::WILL) {
        group.tense = Tense::Future;
        return Some(Step::Go(at + 1));
    }
    if tokens.has(at, Class::CAN) {
        if fold == "must" {
            group.mood = Mood::Intended;
        }
        group.marks.ability = true;
        return Some(Step::Go(at + 1));
    }
    if let Some(after) = tokens.any(at, words!["used to"])
        && is_base(tokens, after)
        && tokens.fold(at) == "used"
    {
        group.tense = Tense::Former;
        return Some(Step::Go(after));
    }
    if tokens.has(at, Class::DO) && (skipped.negated || tokens.has(next, Class::VERB)) && next < end
    {
        if fold == "did" {
            group.tense = Tense::Past;
        }
        return Some(Step::Go(at + 1));
    }
    if tokens.has(at, Class::HAVE) {
        if let Some(verb) = infinitive(tokens, at + 1, end) {
            if fold != "had" {
                group.mood = Mood::Intended;
            } else {
                group.tense = Tense::Past;
            }
            return Some(Step::Go(verb));
        }
        if forms & (form::PARTICIPLE | form::PAST) != 0 && next < end {
            // `have got` is to have.
            if tokens.fold(next) == "got"
                && fold != "had"
                && infinitive(tokens, next + 1, end).is_none()
            {
                let possesses = !tokens.has(next + 1, Class::VERB)
                    || tokens.at(next + 1).forms() & form::PARTICIPLE == 0;
                if possesses && !skipped_just(tokens, at + 1, next) {
                    merge(group, skipped);
                    return Some(Step::Main(at, next + 1));
                }
            }
            group.tense = Tense::Perfect;
            return Some(Step::Go(at + 1));
        }
        return Some(main(tokens, at, group));
    }
    if stands_for_has(tokens, at, next) {
        group.tense = Tense::Perfect;
        return Some(Step::Go(at + 1));
    }
    if is_copula(tokens, at, next) {
        return Some(be(tokens, at, next, end, group, skipped));
    }
    if !tokens.has(at, Class::VERB) {
        return None;
    }
    Some(lexical(tokens, at, next, end, group))
}

/// `have just got` is to have received, unlike `have got`.
fn skipped_just(tokens: &Tokens<'_>, from: usize, to: usize) -> bool {
    (from..to).any(|i| matches!(tokens.fold(i), "just" | "recently" | "finally"))
}

fn merge(group: &mut VerbGroup, other: Marks) {
    group.marks.negated |= other.negated;
    group.marks.ended |= other.ended;
    group.marks.now |= other.now;
    group.marks.also |= other.also;
    group.marks.doubt |= other.doubt;
}

fn lexical(tokens: &Tokens<'_>, at: usize, next: usize, end: usize, group: &mut VerbGroup) -> Step {
    let lemma = tokens.lemma(at);
    let gerund = tokens.at(next).forms() & form::ING != 0 && tokens.has(next, Class::VERB);
    // `got pushed`, `got promoted`
    if lemma == "get"
        && tokens.at(next).forms() & form::PARTICIPLE != 0
        && next < end
        && !tokens.has(next, Class::HAVE)
    {
        group.marks.passive = true;
        if tokens.fold(at) == "got" && group.tense == Tense::Present {
            group.tense = Tense::Past;
        }
        return Step::Main(next, next + 1);
    }
    if let Some(verb) = infinitive(tokens, at + 1, end) {
        // `I drive to work`
        let commutes = matches!(
            lemma,
            "drive"
                | "walk"
                | "cycle"
                | "commute"
                | "bike"
                | "run"
                | "go"
                | "come"
                | "travel"
                | "ride"
                | "get"
                | "take"
        ) && tokens.fold(verb) == "work"
            && !tokens.has(verb + 1, Class::PREP.with(Class::DET).with(Class::MY));
        if commutes {
            return main(tokens, at, group);
        }
        match lemma {
            "decide" | "agree" | "choose" | "manage" | "happen" | "get" => {
                group.marks.decided = true
            }
            "start" | "begin" | "continue" | "come" | "go" | "move" | "relocate" => {
                if matches!(lemma, "come" | "go" | "move" | "relocate") {
                    return main(tokens, at, group);
                }
            }
            _ => group.mood = strongest(group.mood, Mood::Intended),
        }
        if tokens.at(at).forms() & form::PAST != 0 && group.tense == Tense::Present {
            group.tense = Tense::Past;
        }
        return Step::Go(verb);
    }
    if gerund {
        match lemma {
            "start" | "begin" | "keep" | "continue" => {
                group.tense = if group.tense == Tense::Future {
                    Tense::Future
                } else {
                    Tense::Progressive
                };
                group.marks.now |= matches!(lemma, "start" | "begin");
                return Step::Go(next);
            }
            "consider" | "contemplate" | "imagine" => {
                group.mood = strongest(group.mood, Mood::Hypothetical);
                return Step::Go(next);
            }
            _ => {}
        }
    }
    if let Some(after) = tokens.any(at, words!["end up", "think of|about", "look at", "plan on"])
        && tokens.at(after).forms() & form::ING != 0
    {
        if lemma != "end" {
            group.mood = strongest(group.mood, Mood::Hypothetical);
        }
        return Step::Go(after);
    }
    main(tokens, at, group)
}

fn strongest(old: Mood, new: Mood) -> Mood {
    if old == Mood::Asserted { new } else { old }
}

fn main(tokens: &Tokens<'_>, at: usize, group: &mut VerbGroup) -> Step {
    let forms = tokens.at(at).forms();
    if group.tense == Tense::Present {
        let present = forms & (form::BASE | form::THIRD) != 0;
        if !present && forms & form::PAST != 0 {
            group.tense = Tense::Past;
        } else if !present && forms & form::ING != 0 {
            group.tense = Tense::Progressive;
        }
    }
    // `cut`, `quit`, `set`: the same in all tenses; read as past, since orders have their own path.
    if group.tense == Tense::Present && forms & form::BASE != 0 && forms & form::PAST != 0 {
        group.tense = Tense::Past;
    }
    Step::Main(at, at + 1)
}

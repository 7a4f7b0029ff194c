//! How a clause is meant, by its own words and by the clause that governs it.

use super::super::{Clause, Mood, Subject, is_break};
use super::{Head, Reader};
use crate::facts::heuristic::lexicon::Class;

impl Reader<'_, '_> {
    /// How a clause is meant, by its own verb and by what governs it.
    pub(super) fn mood(&self, at: usize, head: &Head) -> Mood {
        if self.conditional {
            return Mood::Hypothetical;
        }
        // `The total should be $860`
        let tokens = self.tokens;
        if head.mood == Mood::Hypothetical
            && matches!(head.subject, Subject::Thing | Subject::Mine | Subject::It)
            && matches!(tokens.lemma(head.verb), "be" | "read" | "say")
            && (head.np.1..head.verb).any(|i| tokens.fold(i) == "should")
            && self
                .clauses
                .iter()
                .all(|clause| clause.mood == Mood::Asserted)
        {
            return Mood::Asserted;
        }
        let Some(previous) = self.clauses.last() else {
            return head.mood;
        };
        let tokens = self.tokens;
        let mut at = at;
        // `…, but now my team is`: what links the clauses stands before the adverb.
        while at > previous.body
            && tokens.has(at - 1, Class::GREETING)
            && tokens.has(at - 1, Class::ADV)
            && !tokens.has(at - 1, Class::BECAUSE)
        {
            at -= 1;
        }
        let before = tokens.before(at);
        let comma = is_break(tokens, at - 1)
            || before.has(Class::AND) && is_break(tokens, at.saturating_sub(2));
        let own = |governing: Mood| {
            if head.mood == Mood::Asserted {
                governing
            } else {
                head.mood
            }
        };
        if matches!(previous.mood, Mood::Question | Mood::Request)
            && !comma
            && !before.has(Class::BECAUSE)
        {
            return previous.mood;
        }
        if comma || before.has(Class::BECAUSE) || tokens.fold(at - 1) == "though" {
            let elided = head.np == previous.np
                && head.subject == previous.subject
                && !before.has(Class::BECAUSE);
            return if elided {
                own(inherited(previous.mood))
            } else {
                head.mood
            };
        }
        if before.has(Class::AND) {
            return own(match previous.mood {
                Mood::Background => Mood::Asserted,
                mood => inherited(mood),
            });
        }
        if before.has(Class::WHILE.with(Class::WH)) {
            return Mood::Background;
        }
        own(self.embedded(previous, at))
    }

    /// How a clause is meant that the previous clause governs: `I think (that) …`, `she says …`.
    fn embedded(&self, previous: &Clause, at: usize) -> Mood {
        let tokens = self.tokens;
        if previous.mood != Mood::Asserted {
            return previous.mood;
        }
        let speaks = matches!(previous.subject, Subject::Me | Subject::Us);
        let lemma = previous.lemma(tokens);
        if previous.marks.negated && (lemma != "be") {
            return Mood::Hypothetical;
        }
        if lemma == "be" {
            let feeling = (previous.body..at).any(|i| {
                matches!(
                    tokens.fold(i),
                    "glad"
                        | "happy"
                        | "sorry"
                        | "afraid"
                        | "sure"
                        | "excited"
                        | "thrilled"
                        | "sad"
                        | "proud"
                        | "pleased"
                )
            });
            return if feeling && !previous.marks.negated {
                Mood::Asserted
            } else {
                Mood::Background
            };
        }
        if previous.verb_is(tokens, Class::WISH) {
            return Mood::Hypothetical;
        }
        if !previous.verb_is(tokens, Class::REPORT) {
            return Mood::Background;
        }
        if !speaks {
            // What a doctor or a landlord says of the speaker is so.
            let knows = (previous.np.0..previous.np.1)
                .any(|i| tokens.has(i, Class::JOB) || is_authority(tokens.fold(i)));
            let of_me = tokens.has(at, Class::I.with(Class::WE).with(Class::MY))
                || (previous.np.0..previous.np.1).any(|i| is_authority(tokens.fold(i)));
            return if knows && of_me {
                Mood::Asserted
            } else {
                Mood::Reported
            };
        }
        match lemma {
            "think" | "believe" | "guess" | "suppose" | "reckon" | "feel" | "assume" | "figure"
            | "expect" => Mood::Hedged,
            "hear" | "read" => Mood::Reported,
            "suggest" | "recommend" | "propose" | "ask" | "doubt" | "worry" | "claim" | "argue" => {
                Mood::Hypothetical
            }
            _ => Mood::Asserted,
        }
    }
}

/// Who knows best what concerns the speaker's own affairs with them.
fn is_authority(word: &str) -> bool {
    matches!(
        word,
        "test"
            | "tests"
            | "results"
            | "scan"
            | "hotel"
            | "airline"
            | "venue"
            | "school"
            | "office"
            | "website"
            | "email"
            | "invitation"
            | "invite"
            | "ticket"
            | "tickets"
            | "clinic"
            | "restaurant"
            | "bank"
            | "itinerary"
            | "contract"
            | "receipt"
            | "confirmation"
            | "organisers"
            | "organizers"
            | "label"
            | "calendar"
            | "letter"
    )
}

pub(super) fn elided_mood(clause: &Clause, own: Mood) -> Mood {
    if own == Mood::Asserted {
        inherited(clause.mood)
    } else {
        own
    }
}

/// What a coordinated clause takes over from the one before.
pub(super) fn inherited(mood: Mood) -> Mood {
    match mood {
        Mood::Background => Mood::Asserted,
        other => other,
    }
}

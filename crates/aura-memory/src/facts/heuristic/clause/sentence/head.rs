//! Where clauses begin, and with what.

use super::super::{Marks, Mood, Subject, Tense, subject, verb_group};
use super::mood::elided_mood;
use super::{Head, Reader};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::token::Kind;

impl Reader<'_, '_> {
    pub(super) fn head(&self, at: usize, first: bool) -> Option<Head> {
        let tokens = self.tokens;
        let token = tokens.at(at);
        if !token.is_wordy() || token.quoted {
            return None;
        }
        let boundary = first || self.boundary(at);
        if token.has(Class::I.with(Class::WE)) {
            let subject = if token.has(Class::I) {
                Subject::Me
            } else {
                Subject::Us
            };
            return self.pronoun(at, subject, boundary);
        }
        if token.has(Class::OTHER) && (boundary || !token.has(Class::WH)) {
            return self.pronoun(at, Subject::Other, false);
        }
        if !boundary {
            return None;
        }
        if token.has(Class::IT)
            && let Some(head) = self.pronoun(at, Subject::It, false)
        {
            return Some(head);
        }
        if first && let Some(head) = self.no_longer(at) {
            return Some(head);
        }
        self.question(at)
            .or_else(|| self.verb_first(at, first))
            .or_else(|| self.noun_phrase(at))
    }

    fn pronoun(&self, at: usize, subject: Subject, lenient: bool) -> Option<Head> {
        if let Some(group) = verb_group::read(self.tokens, at + 1, self.end) {
            return Some(Head {
                subject,
                np: (at, at + 1),
                verb: group.verb,
                body: group.body,
                tense: group.tense,
                mood: group.mood,
                marks: group.marks,
            });
        }
        // A verb that the lexicon lacks: the clause is known to begin here, and no more.
        let wordy = self.tokens.at(at + 1).kind == Kind::Word && at + 1 < self.end;
        (lenient && wordy && !self.tokens.has(at + 1, Class::AND)).then(|| Head {
            subject,
            np: (at, at + 1),
            verb: at + 1,
            body: at + 1,
            tense: Tense::Present,
            mood: Mood::Background,
            marks: Marks::default(),
        })
    }

    /// `Can you …`, `What is …`, `Is the budget …`.
    fn question(&self, at: usize) -> Option<Head> {
        let tokens = self.tokens;
        let token = tokens.at(at);
        let ask = |mood| {
            Some(Head {
                subject: Subject::Other,
                np: (at, at),
                verb: at,
                body: at + 1,
                tense: Tense::Present,
                mood,
                marks: Marks::default(),
            })
        };
        let auxiliary = Class::BE
            .with(Class::HAVE)
            .with(Class::DO)
            .with(Class::WILL)
            .with(Class::MODAL)
            .with(Class::CAN);
        if token.has(auxiliary)
            && token.forms() & form::ING == 0
            && !tokens.fold(at).starts_with('\'')
        {
            let mut next = at + 1;
            while tokens.has(next, Class::NOT) {
                next += 1;
            }
            let asked = Class::I
                .with(Class::WE)
                .with(Class::OTHER)
                .with(Class::IT)
                .with(Class::MY)
                .with(Class::THEIR);
            let inverted = tokens.has(next, asked)
                || token.has(
                    Class::BE
                        .with(Class::WILL)
                        .with(Class::MODAL)
                        .with(Class::CAN),
                ) && (tokens.has(next, Class::DET) || tokens.at(next).capital);
            // `She quit and is a teacher now`
            let goes_on = tokens.fold(at.wrapping_sub(1)) == "and"
                && token.has(Class::BE)
                && tokens.any(next, words!["a|an"]).is_some()
                && !self.clauses.is_empty();
            if inverted && !goes_on && tokens.fold(next) != "one" {
                return ask(Mood::Question);
            }
            return None;
        }
        if token.has(Class::WH) && !token.has(Class::DET)
            || tokens.any(at, words!["what", "which"]).is_some()
        {
            let background = token.has(Class::WHILE) && !self.inverted(at + 1);
            return ask(if background {
                Mood::Background
            } else {
                Mood::Question
            });
        }
        if token.has(Class::WHILE) && !token.has(Class::PREP) {
            return ask(Mood::Background);
        }
        tokens
            .any(
                at,
                words![
                    "any idea|tips|ideas|advice|suggestions|thoughts|chance",
                    "thoughts on"
                ],
            )
            .and_then(|_| ask(Mood::Question))
    }

    fn inverted(&self, at: usize) -> bool {
        let auxiliary = Class::BE
            .with(Class::DO)
            .with(Class::WILL)
            .with(Class::MODAL)
            .with(Class::CAN);
        self.tokens.has(at, auxiliary)
    }

    /// Orders, and statements whose subject is left out.
    fn verb_first(&self, at: usize, first: bool) -> Option<Head> {
        let tokens = self.tokens;
        let mut token = tokens.at(at);
        let mut marks = Marks::default();
        let start = at;
        let mut at = at;
        let joined = tokens.before(at).has(Class::AND.with(Class::BECAUSE))
            || tokens.kind(at.wrapping_sub(1)) == Kind::Comma;
        if token.has(Class::ADV) && !token.has(Class::VERB) {
            let verb = verb_group::adverbs(tokens, at, self.end, &mut marks);
            at = verb;
            token = tokens.at(verb);
        }
        if let Some(verb) = tokens.any(at, words!["let us", "let 's", "please"]) {
            let group = verb_group::read(tokens, verb, self.end)?;
            return Some(Head {
                subject: Subject::Us,
                np: (start, start),
                verb: group.verb,
                body: group.body,
                tense: Tense::Order,
                mood: group.mood,
                marks: group.marks,
            });
        }
        if tokens.fold(at) == "not" || marks.negated && tokens.fold(start) == "not" {
            return None;
        }
        let forms = token.forms();
        if !token.has(Class::VERB) || token.capital && !first && tokens.cased {
            return None;
        }
        // `Launch slipped to May`, `Rent is 900`: a noun.
        let next = tokens.at(at + 1);
        let noun = token.has(Class::EVENT.with(Class::ATTR).with(Class::LIST))
            && (next.has(
                Class::BE
                    .with(Class::WILL)
                    .with(Class::MODAL)
                    .with(Class::HAVE),
            ) || next.has(Class::VERB)
                && next.forms() & form::PAST != 0
                && next.forms() & form::BASE == 0);
        let titled = token.has(Class::TITLE) && token.capital && next.capital;
        if (noun || titled) && first {
            return None;
        }
        let previous = self.clauses.last();
        // `I already called mom, cross that off`: an order after all.
        let order = joined
            && !first
            && forms & form::BASE != 0
            && forms & (form::PAST | form::PARTICIPLE) == 0
            && tokens.kind(start.wrapping_sub(1)) == Kind::Comma
            && previous.is_some_and(|clause| {
                matches!(clause.tense, Tense::Past | Tense::Perfect)
                    && matches!(clause.subject, Subject::Me | Subject::Us)
            })
            && token.has(Class::REMOVE.with(Class::CHANGE))
            && tokens.has(at + 1, Class::DET.with(Class::MY).with(Class::IT));
        let elided = joined && !first && !order;
        let first = first || order;
        // In `milk and water` a word that could be a verb is an item.
        let object = tokens.at(at + 1).is_wordy() || forms & form::BASE == 0;
        if elided
            && (!object
                || self.is_item(at)
                || forms & form::BASE != 0 && self.continues_infinitive(at))
        {
            return None;
        }
        let group = verb_group::read(tokens, at, self.end)?;
        let finite = forms & (form::PAST | form::THIRD) != 0 || token.has(Class::BE);
        let past_only = forms & form::PAST != 0 && forms & form::BASE == 0;
        let (subject, tense, mood, np) = if elided {
            let clause = previous?;
            let third = forms & form::THIRD != 0 && forms & form::BASE == 0;
            if third && matches!(clause.subject, Subject::Me | Subject::Us) {
                return None;
            }
            let same_kind = match clause.tense {
                Tense::Order => forms & form::BASE != 0,
                Tense::Bare => false,
                Tense::Past | Tense::Perfect => {
                    forms & (form::PAST | form::PARTICIPLE | form::ING | form::BASE) != 0
                        || token.has(Class::BE)
                }
                Tense::Progressive => true,
                Tense::Present | Tense::Future | Tense::Former => finite || forms & form::BASE != 0,
            };
            if !same_kind {
                return None;
            }
            let tense = if clause.tense == Tense::Order {
                Tense::Order
            } else {
                group.tense
            };
            let tense = if clause.tense == Tense::Future {
                Tense::Future
            } else {
                tense
            };
            (
                clause.subject,
                tense,
                elided_mood(clause, group.mood),
                clause.np,
            )
        } else if !first {
            return None;
        } else if past_only || forms == form::ING && marks.now {
            (Subject::Me, group.tense, group.mood, (start, start))
        } else if forms & form::BASE != 0 {
            let asked =
                token.has(Class::REQUEST) && !token.has(Class::CHANGE) || tokens.fold(at) == "can";
            let mood = if asked { Mood::Request } else { group.mood };
            // `don't play the violin anymore`
            if group.marks.negated && token.has(Class::DO) && self.says_ended(group.body) {
                return Some(Head {
                    subject: Subject::Me,
                    np: (start, start),
                    verb: group.verb,
                    body: group.body,
                    tense: Tense::Present,
                    mood,
                    marks: group.marks,
                });
            }
            let tense = if token.has(Class::HAVE) {
                Tense::Present
            } else {
                Tense::Order
            };
            (Subject::Nobody, tense, mood, (start, start))
        } else {
            return None;
        };
        let mut head = Head {
            subject,
            np,
            verb: group.verb,
            body: group.body,
            tense,
            mood,
            marks: group.marks,
        };
        let alternative = matches!(tokens.fold(start.wrapping_sub(1)), "or" | "nor");
        head.marks.negated |= alternative && previous.is_some_and(|clause| clause.marks.negated);
        head.marks.ended |= marks.ended;
        head.marks.negated |= marks.negated;
        head.marks.now |= marks.now;
        head.marks.also |= marks.also;
        Some(head)
    }

    /// `not in Prague anymore`, `no longer vegan`: of the speaker, `I'm` left out.
    fn no_longer(&self, at: usize) -> Option<Head> {
        let tokens = self.tokens;
        let plain = tokens.fold(at) == "not" && self.says_ended(at);
        let longer = tokens.any(at, words!["no longer"]);
        let body = match longer {
            Some(next) => next,
            None => plain.then_some(at + 1)?,
        };
        let next = tokens.at(body);
        let marks = Marks {
            ended: true,
            negated: plain,
            ..Marks::default()
        };
        let head = |verb: usize, body: usize, tense| Head {
            subject: Subject::Me,
            np: (at, at),
            verb,
            body,
            tense,
            mood: Mood::Asserted,
            marks,
        };
        if next.forms() & form::ING != 0 && next.has(Class::VERB) {
            return Some(head(body, body + 1, Tense::Present));
        }
        let state = Class::PREP
            .with(Class::STATE)
            .with(Class::DET)
            .with(Class::NATION)
            .with(Class::JOB);
        (next.has(state) || longer.is_some() && next.kind == Kind::Word && !next.has(Class::VERB))
            .then(|| head(at, body, Tense::Present))
    }

    /// Whether `any more` follows in the sentence.
    fn says_ended(&self, from: usize) -> bool {
        (from..self.end).any(|i| {
            self.tokens
                .any(i, words!["any more|longer", "anymore"])
                .is_some()
        })
    }

    fn noun_phrase(&self, at: usize) -> Option<Head> {
        let (subject, verb) = subject::read(self.tokens, at, self.end)?;
        let group = verb_group::read(self.tokens, verb, self.end)?;
        Some(Head {
            subject,
            np: (at, verb),
            verb: group.verb,
            body: group.body,
            tense: group.tense,
            mood: group.mood,
            marks: group.marks,
        })
    }
}

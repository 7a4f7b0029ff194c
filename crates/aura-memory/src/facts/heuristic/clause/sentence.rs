//! Splits a sentence into clauses and finds how each is meant.

use smallvec::SmallVec;

use super::{Clause, Marks, Mood, Subject, Tense, is_break, opener, subject, verb_group};
use crate::facts::heuristic::lexicon::{Class, form};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::token::{Kind, Tokens};

/// The clauses of a sentence; most have one or two.
pub(in super::super) type Clauses = SmallVec<[Clause; 4]>;

/// Splits the tokens `start..end`, which hold one sentence without its closing mark.
pub(in super::super) fn clauses(
    tokens: &Tokens<'_>,
    start: usize,
    end: usize,
    asks: bool,
) -> Clauses {
    let mut reader = Reader {
        tokens,
        end,
        clauses: Clauses::new(),
        conditional: false,
        opening: Marks::default(),
    };
    reader.read(start);
    reader.close();
    if asks {
        reader.ask();
    }
    reader.clauses
}

struct Reader<'t, 'a> {
    tokens: &'t Tokens<'a>,
    end: usize,
    clauses: Clauses,
    conditional: bool,
    opening: Marks,
}

/// The beginning of a clause.
struct Head {
    subject: Subject,
    np: (usize, usize),
    verb: usize,
    body: usize,
    tense: Tense,
    mood: Mood,
    marks: Marks,
}

impl Reader<'_, '_> {
    fn read(&mut self, start: usize) {
        let first = opener::skip(self.tokens, start, self.end, &mut self.opening);
        self.conditional = opener::is_fiction(self.tokens, first, self.end);
        let mut at = first;
        while at < self.end {
            self.conditional |= self
                .tokens
                .any(
                    at,
                    words![
                        "let us say|assume|imagine|suppose|pretend",
                        "say i|we",
                        "what if"
                    ],
                )
                .is_some();
            if self.tokens.has(at, Class::IF) && self.tokens.fold(at) != "otherwise" {
                self.conditional = true;
            }
            let leads = at == first || self.clauses.is_empty() && is_break(self.tokens, at - 1);
            let Some(head) = self.head(at, leads) else {
                at += 1;
                continue;
            };
            let next = head.body.max(at + 1);
            self.push(at, head);
            at = next;
        }
        if self.clauses.is_empty() && first < self.end {
            let bare = Head {
                subject: Subject::Nobody,
                np: (first, first),
                verb: first,
                body: first,
                tense: Tense::Bare,
                mood: Mood::Asserted,
                marks: Marks::default(),
            };
            self.push(first, bare);
        } else if let Some(clause) = self.clauses.first()
            && clause.start > first + 1
            && is_break(self.tokens, clause.start - 1)
            && !self.conditional
        {
            // Words before the first clause, set off by a mark: `Quartz, not oak, is what we take`.
            let bare = Clause {
                start: first,
                subject: Subject::Nobody,
                np: (first, first),
                verb: first,
                body: first,
                end: clause.start - 1,
                tense: Tense::Bare,
                mood: Mood::Asserted,
                marks: self.opening,
            };
            self.clauses.insert(0, bare);
        }
    }

    /// Whether a clause may begin at a place.
    fn boundary(&self, at: usize) -> bool {
        let before = self.tokens.before(at);
        let joins = Class::AND
            .with(Class::BECAUSE)
            .with(Class::WHILE)
            .with(Class::IF)
            .with(Class::WH);
        is_break(self.tokens, at - usize::from(at > 0))
            || before.has(joins)
            || self.tokens.fold(at.saturating_sub(1)) == "that"
            || self.follows_report(at)
            || self.tokens.has(at.saturating_sub(1), Class::GREETING) && before.has(Class::ADV)
    }

    /// Whether the verb of the clause being read governs a clause that begins right here.
    fn follows_report(&self, at: usize) -> bool {
        let governs = Class::REPORT.with(Class::WISH);
        self.clauses
            .last()
            .is_some_and(|clause| clause.body == at && clause.verb_is(self.tokens, governs))
    }

    fn head(&self, at: usize, first: bool) -> Option<Head> {
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
        if token.has(Class::OTHER) && !(token.has(Class::WH) && !boundary) {
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
            if inverted && tokens.fold(next) != "one" {
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
        let previous = self.clauses.last();
        let elided = joined && !first;
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
                    forms & (form::PAST | form::PARTICIPLE) != 0 || forms & form::BASE != 0
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
        } else if past_only {
            (Subject::Me, group.tense, group.mood, (start, start))
        } else if forms & form::BASE != 0 {
            let asked =
                token.has(Class::REQUEST) && !token.has(Class::CHANGE) || tokens.fold(at) == "can";
            let mood = if asked { Mood::Request } else { group.mood };
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

    /// Whether a word after a comma or `and` continues an enumeration of nouns.
    fn is_item(&self, at: usize) -> bool {
        let token = self.tokens.at(at);
        let comma = self.tokens.kind(at.wrapping_sub(1)) == Kind::Comma;
        let forms = token.forms();
        let ambiguous = forms & (form::BASE | form::THIRD) != 0 && forms & form::PAST == 0;
        let goes_on = self
            .clauses
            .last()
            .is_some_and(|clause| clause.tense == Tense::Progressive)
            && self.tokens.before(at).has(Class::AND)
            && self
                .tokens
                .has(at + 1, Class::PREP.with(Class::DET).with(Class::MY));
        comma && ambiguous || forms & form::ING != 0 && forms & form::BASE == 0 && !goes_on
    }

    /// In `excited to meet people and learn` the second verb hangs on the same `to`.
    fn continues_infinitive(&self, at: usize) -> bool {
        let Some(clause) = self.clauses.last() else {
            return false;
        };
        let tokens = self.tokens;
        let nominal = Class::DET
            .with(Class::MY)
            .with(Class::PREP)
            .with(Class::NUM)
            .with(Class::THEIR)
            .with(Class::I);
        (clause.verb.saturating_sub(1)..at).any(|i| {
            let next = tokens.at(i + 1);
            let verb = next.forms() & form::BASE != 0
                || next.forms() == 0
                    && next.kind == Kind::Word
                    && !next.capital
                    && !next.has(nominal);
            tokens.fold(i) == "to" && verb
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

    fn push(&mut self, at: usize, head: Head) {
        let mood = self.mood(at, &head);
        self.close_at(at);
        let mut marks = head.marks;
        if self.clauses.is_empty() {
            marks.now |= self.opening.now;
            marks.also |= self.opening.also;
        }
        marks.corrects |= self.opening.corrects;
        let adverb = self.tokens.before(at);
        marks.now |=
            adverb.has(Class::NOW) && adverb.has(Class::ADV) && at > 0 && !self.clauses.is_empty();
        self.clauses.push(Clause {
            start: at,
            subject: head.subject,
            np: head.np,
            verb: head.verb,
            body: head.body,
            end: self.end,
            tense: head.tense,
            mood,
            marks,
        });
    }

    /// How a clause is meant, by its own verb and by what governs it.
    fn mood(&self, at: usize, head: &Head) -> Mood {
        if self.conditional {
            return Mood::Hypothetical;
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
            return Mood::Reported;
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

    fn close_at(&mut self, at: usize) {
        let tokens = self.tokens;
        if let Some(clause) = self.clauses.last_mut() {
            let joins = Class::AND
                .with(Class::BECAUSE)
                .with(Class::WHILE)
                .with(Class::IF)
                .with(Class::WH);
            let mut end = at;
            while end > clause.body
                && (is_break(tokens, end - 1)
                    || tokens.has(end - 1, joins)
                    || tokens.has(end - 1, Class::ADV) && tokens.has(end - 1, Class::GREETING)
                    || tokens.fold(end - 1) == "that")
            {
                end -= 1;
            }
            clause.end = end;
        }
    }

    fn close(&mut self) {
        if let Some(clause) = self.clauses.last_mut() {
            clause.end = self.end.max(clause.body);
        }
    }

    /// The sentence ends in a question mark: what it asks is its last part, or the whole where it has but one.
    fn ask(&mut self) {
        if self
            .clauses
            .iter()
            .any(|clause| clause.mood == Mood::Question)
        {
            return;
        }
        let (tokens, end) = (self.tokens, self.end);
        let Some(last) = self.clauses.last_mut() else {
            return;
        };
        let comma = (last.body..end)
            .rev()
            .find(|i| tokens.kind(*i) == Kind::Comma);
        let tag = |at: usize| {
            tokens
                .any(
                    at,
                    words![
                        "right", "no", "correct", "yes", "yeah", "eh", "ok", "okay", "huh"
                    ],
                )
                .is_some()
        };
        match comma {
            Some(comma) if !tag(comma + 1) && end - comma > 2 => last.end = comma,
            _ => {
                for clause in &mut self.clauses {
                    clause.mood = Mood::Question;
                }
            }
        }
    }
}

fn elided_mood(clause: &Clause, own: Mood) -> Mood {
    if own == Mood::Asserted {
        inherited(clause.mood)
    } else {
        own
    }
}

/// What a coordinated clause takes over from the one before.
fn inherited(mood: Mood) -> Mood {
    match mood {
        Mood::Background => Mood::Asserted,
        other => other,
    }
}

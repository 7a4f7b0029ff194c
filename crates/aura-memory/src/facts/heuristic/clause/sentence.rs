//! Splits a sentence into clauses and finds how each is meant.

mod head;
mod item;
mod mood;

use smallvec::SmallVec;

use super::{Clause, Marks, Mood, Subject, Tense, is_break, opener};
use crate::facts::heuristic::lexicon::Class;
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
        first: start,
    };
    reader.read(start);
    reader.close();
    // `Can you note that …?`
    let noted = tokens
        .any(
            start,
            words![
                "can|could|would you please note|remember|record that",
                "can|could|would you note|remember|record that"
            ],
        )
        .is_some();
    if asks && !noted {
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
    /// Where the sentence begins, openers left out.
    first: usize,
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
        self.first = first;
        let mut at = first;
        while at < self.end {
            self.conditional |= self
                .tokens
                .any(
                    at,
                    words!["let us assume|imagine|suppose|pretend", "what if"],
                )
                .is_some()
                || self.tokens.any(at, words!["let us say"]).is_some()
                    && self.tokens.at(at + 3).kind == Kind::Word
                    && !self
                        .tokens
                        .has(at + 3, Class::NUM.with(Class::DAY).with(Class::MONTH))
                || self.tokens.fold(at) == "say"
                    && self.tokens.any(at + 1, words!["i|we"]).is_some();
            if self.tokens.has(at, Class::IF) && self.tokens.fold(at) != "otherwise" {
                self.conditional = true;
            }
            let leads = at == first || self.clauses.is_empty() && is_break(self.tokens, at - 1);
            let head = self.head(at, leads).or_else(|| self.fragment(at));
            let Some(head) = head else {
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

    /// A number that says the outcome: `…, so 14 chairs`, `… — 14 now`.
    fn fragment(&self, at: usize) -> Option<Head> {
        let tokens = self.tokens;
        let numeral =
            matches!(tokens.kind(at), Kind::Number | Kind::Currency) || tokens.has(at, Class::NUM);
        if !numeral || self.clauses.is_empty() || self.end - at > 6 {
            return None;
        }
        let before = tokens.kind(at - usize::from(at > 0));
        let now = (at..self.end).any(|i| tokens.has(i, Class::NOW));
        let follows = tokens.fold(at.wrapping_sub(1)) == "so"
            || matches!(before, Kind::Dash | Kind::Colon)
            || before == Kind::Comma
                && (now
                    || self.clauses.last().is_some_and(|clause| {
                        clause.is_real()
                            && clause.tense != Tense::Present
                            && clause.verb_is(tokens, Class::CHANGE.with(Class::REMOVE))
                    }));
        follows.then(|| Head {
            subject: Subject::Nobody,
            np: (at, at),
            verb: at,
            body: at,
            tense: Tense::Bare,
            mood: Mood::Asserted,
            marks: Marks::default(),
        })
    }

    /// Whether a clause may begin at a place.
    fn boundary(&self, at: usize) -> bool {
        let before = self.tokens.before(at);
        let joins = Class::AND
            .with(Class::BECAUSE)
            .with(Class::WHILE)
            .with(Class::IF)
            .with(Class::WH);
        // `With the new hires the team has 11 people`
        let fronted = self.clauses.is_empty()
            && at > self.first + 2
            && self.tokens.has(self.first, Class::PREP)
            && self.tokens.has(at, Class::DET.with(Class::MY))
            && before.kind == Kind::Word
            && !before.has(
                Class::PREP
                    .with(Class::DET)
                    .with(Class::MY)
                    .with(Class::AND),
            );
        fronted
            || is_break(self.tokens, at - usize::from(at > 0))
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

    fn push(&mut self, at: usize, head: Head) {
        let mood = self.mood(at, &head);
        self.close_at(at);
        let mut marks = head.marks;
        if self.clauses.is_empty() {
            marks.now |= self.opening.now;
            marks.also |= self.opening.also;
        }
        marks.corrects |= self.opening.corrects;
        let comma = usize::from(at > 0 && self.tokens.kind(at - 1) == Kind::Comma);
        marks.doubt |= self.tokens.before(at - comma).has(Class::DOUBT);
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

    fn close_at(&mut self, at: usize) {
        let tokens = self.tokens;
        if let Some(clause) = self.clauses.last_mut() {
            let joins = Class::AND
                .with(Class::BECAUSE)
                .with(Class::WHILE)
                .with(Class::IF)
                .with(Class::WH);
            let mut end = at;
            // `…, and now`: the adverb belongs to what follows; before a mark (`…, now,`) it does not.
            let mut marked = false;
            while end > clause.body {
                let adverb =
                    tokens.has(end - 1, Class::ADV) && tokens.has(end - 1, Class::GREETING);
                let breaks = is_break(tokens, end - 1);
                let joint = if adverb {
                    !marked
                } else {
                    tokens.has(end - 1, joins)
                };
                let links = breaks || joint || tokens.fold(end - 1) == "that";
                if !links {
                    break;
                }
                marked |= breaks;
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

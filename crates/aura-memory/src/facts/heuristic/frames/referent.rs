//! Who a clause is about: the speaker, somebody of the speaker's, somebody by name, and whom `he` and `she` stand for.

use std::borrow::Cow;

use super::Scene;
use crate::facts::heuristic::clause::{Clause, Subject};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::phrase;
use crate::facts::heuristic::token::{Kind, Tokens};
use crate::facts::heuristic::wording;

/// A person a statement is about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Who<'s> {
    /// First part of the subject of facts.
    pub(super) entity: Cow<'s, str>,
    /// What the text of a fact begins with, ending in a space unless empty.
    pub(super) prefix: Cow<'s, str>,
    /// Nothing is known of the person but the name.
    pub(super) stranger: bool,
}

impl Who<'_> {
    pub(super) fn subject(&self, attribute: &str) -> String {
        format!("{}/{attribute}", self.entity)
    }

    pub(super) fn says(&self, predicate: &str) -> String {
        format!("{}{predicate}", self.prefix)
    }
}

/// The gender that a pronoun or a relation tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Gender {
    He,
    She,
    Open,
}

fn gender_of(kin: &str) -> Gender {
    match kin {
        "father" | "dad" | "daddy" | "brother" | "son" | "uncle" | "nephew" | "grandfather"
        | "grandpa" | "husband" | "boyfriend" | "fiance" | "fiancé" | "stepfather"
        | "father-in-law" | "brother-in-law" => Gender::He,
        "mother" | "mom" | "mum" | "mommy" | "sister" | "daughter" | "aunt" | "niece"
        | "grandmother" | "grandma" | "wife" | "girlfriend" | "fiancée" | "fiancee"
        | "stepmother" | "mother-in-law" | "sister-in-law" | "godmother" => Gender::She,
        _ => Gender::Open,
    }
}

fn fits(one: Gender, other: Gender) -> bool {
    one == other || one == Gender::Open || other == Gender::Open
}

/// The gender of the pronoun that is a clause's subject, for `he` and `she`.
fn pronoun(tokens: &Tokens<'_>, clause: &Clause) -> Option<Gender> {
    if clause.subject != Subject::Other || clause.np.1 != clause.np.0 + 1 {
        return None;
    }
    match tokens.fold(clause.np.0) {
        "he" => Some(Gender::He),
        "she" => Some(Gender::She),
        _ => None,
    }
}

impl<'s> Scene<'s, '_, '_> {
    /// The person the clause is about, if it is one that facts can name.
    pub(super) fn who(&self, clause: &Clause) -> Option<Who<'s>> {
        match clause.subject {
            Subject::Me | Subject::Us => Some(self.me()),
            Subject::Mine => self.relative(clause.np),
            Subject::Name => {
                let name = self
                    .tokens
                    .slice(clause.np.0, clause.np.1)
                    .trim_end_matches(',');
                if let Some(who) = self.alias(name) {
                    return Some(who);
                }
                Some(Who {
                    entity: wording::clip(&name.to_lowercase(), 80).to_owned().into(),
                    prefix: format!("{name} ").into(),
                    stranger: true,
                })
            }
            // `Mom retired`
            Subject::Thing
                if clause.np.1 == clause.np.0 + 1
                    && gender_of(self.tokens.fold(clause.np.0)) != Gender::Open
                    && self.tokens.at(clause.np.0).capital =>
            {
                let kin = self.tokens.fold(clause.np.0);
                Some(Who {
                    entity: format!("{}'s {kin}", self.speaker.entity).into(),
                    prefix: format!("their {kin} ").into(),
                    stranger: false,
                })
            }
            Subject::Other => self.stands_for(clause, pronoun(self.tokens, clause)?),
            _ => None,
        }
    }

    pub(super) fn me(&self) -> Who<'s> {
        Who {
            entity: self.speaker.entity.as_str().into(),
            prefix: self.speaker.prefix.as_str().into(),
            stranger: false,
        }
    }

    /// `my sister Lena`, `my sister's`: the relation comes first, the name after it.
    fn relative(&self, np: phrase::Span) -> Option<Who<'s>> {
        let head = phrase::head(self.tokens, np)?;
        let kin = (np.0..=head).find(|i| self.tokens.has(*i, Class::KIN))?;
        let others =
            (np.0..np.1).any(|i| self.tokens.fold(i) == "'s" || self.tokens.has(i, Class::AND));
        (!others).then(|| Who {
            entity: format!("{}'s {}", self.speaker.entity, self.tokens.fold(kin)).into(),
            prefix: format!("{} ", wording::slice(self.tokens, np.0, np.1)).into(),
            stranger: false,
        })
    }

    /// The relative or friend of this name, if it was told that there is one: `has a sister, Kate`.
    fn alias(&self, name: &str) -> Option<Who<'s>> {
        let first = name.split_whitespace().next()?;
        let me = self.me();
        let own = format!("{}/", name.to_lowercase());
        let mut found = None;
        for (_, text, subject) in self.book.live() {
            if subject.starts_with(&own) {
                return None;
            }
            let told = subject.starts_with(&*me.entity)
                && subject.as_bytes().get(me.entity.len()) == Some(&b'/');
            let Some((kin, known)) = told
                .then(|| text.strip_prefix(&*me.prefix))
                .flatten()
                .and_then(|text| text.strip_prefix("has a "))
                .and_then(|text| text.split_once(", "))
            else {
                continue;
            };
            let same = known
                .split_whitespace()
                .next()
                .is_some_and(|known| known.eq_ignore_ascii_case(first));
            if same && lexicon::look_up(kin).class.has(Class::KIN) {
                found = Some(Who {
                    entity: format!("{}'s {kin}", me.entity).into(),
                    prefix: format!("their {kin} {known} ").into(),
                    stranger: false,
                });
            }
        }
        found
    }

    /// Whom `he` or `she` stands for: whoever was spoken of last in this message, else the one person of the facts who was
    /// spoken of last. `None` where that is somebody of whom nothing is known.
    fn stands_for(&self, clause: &Clause, gender: Gender) -> Option<Who<'s>> {
        let tokens = self.tokens;
        for at in (0..clause.start).rev() {
            let token = tokens.at(at);
            if token.has(Class::KIN) && token.kind == Kind::Word {
                if !fits(gender_of(tokens.fold(at)), gender) {
                    continue;
                }
                let mine = (at.saturating_sub(2)..at).find(|i| tokens.has(*i, Class::MY))?;
                let named = phrase::name_end(tokens, at + 1, clause.start).min(at + 3);
                return self.relative((mine, named));
            }
            let sentence = at == 0 || tokens.at(at - 1).ends_sentence();
            let name = token.capital
                && token.kind == Kind::Word
                && !token.has(
                    Class::I
                        .with(Class::MONTH)
                        .with(Class::DAY)
                        .with(Class::GREETING)
                        .with(Class::TOOL)
                        .with(Class::NATION),
                )
                && !(sentence && (token.has(Class::VERB) || token.is_function_word()));
            if name && let Some(who) = self.alias(tokens.fold(at)) {
                return Some(who);
            }
            // `In Oslo`, `at Siemens`: places and firms are no persons.
            let place = tokens.at(at.wrapping_sub(1)).has(Class::PREP)
                && tokens.fold(at.wrapping_sub(1)) != "with";
            if token.has(Class::JOB.with(Class::TITLE)) || name && !place {
                return None;
            }
        }
        self.last_person(gender)
    }

    /// The person of the facts who was spoken of last, if it is only one.
    fn last_person(&self, gender: Gender) -> Option<Who<'s>> {
        let owned = format!("{}'s ", self.speaker.entity);
        let me = self.me();
        let mut found: Option<(Who<'s>, u64)> = None;
        for (entry, text, subject) in self.book.live().rev() {
            let age = self.book.age(entry);
            if found.as_ref().is_some_and(|(_, known)| *known != age) || age > super::RECENT {
                break;
            }
            let kin = match subject.strip_prefix(&owned) {
                Some(rest) => rest.split('/').next().unwrap_or_default(),
                None => {
                    let told = subject
                        .strip_prefix(&*me.entity)
                        .and_then(|rest| rest.strip_prefix('/'))
                        .is_some();
                    let kin = told
                        .then(|| text.strip_prefix(&*me.prefix))
                        .flatten()
                        .and_then(|text| text.strip_prefix("has a "))
                        .and_then(|text| text.split_once(", "))
                        .map_or("", |(kin, _)| kin);
                    if !lexicon::look_up(kin).class.has(Class::KIN) {
                        continue;
                    }
                    kin
                }
            };
            if !fits(gender_of(kin), gender) {
                continue;
            }
            let entity = format!("{owned}{kin}");
            match &found {
                Some((known, _)) if *known.entity != entity => return None,
                Some(_) => {}
                None => {
                    let who = Who {
                        entity: entity.into(),
                        prefix: format!("their {kin} ").into(),
                        stranger: false,
                    };
                    found = Some((who, age));
                }
            }
        }
        found.map(|(who, _)| who)
    }
}

//! By what name facts about a thing are found again.

use super::super::{Entries, Scene};
use crate::facts::heuristic::lexicon::{self, Class};
use crate::facts::heuristic::patterns::words;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::Tokens;

/// How many words the name of a thing may have besides its property.
const LONGEST: usize = 4;

/// What a statement is about: a property (`budget`) of a thing (`kitchen`).
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(in super::super) struct Topic {
    /// Whose it is, where that is not the speaker: `brother's`.
    owner: String,
    /// The stems of the thing's name, sorted; empty for the one project everybody knows.
    words: Vec<String>,
    /// The property; empty while the value must tell.
    pub(in super::super) attribute: String,
}

impl Topic {
    /// Reads a noun phrase: `the budget for the kitchen`, `our thesis deadline`, `my brother's appointment`.
    pub(in super::super) fn of(tokens: &Tokens<'_>, np: Span) -> Option<Self> {
        let mut topic = Self::default();
        let mut start = np.0;
        if let Some(own) = (np.0..np.1).find(|i| tokens.fold(*i) == "'s") {
            let person = (np.0..own).any(|i| {
                tokens.has(i, Class::KIN.with(Class::JOB).with(Class::OTHER))
                    || tokens.at(i).capital
                        && !tokens.has(i, Class::EVENT.with(Class::ATTR).with(Class::DET))
            });
            let owner = phrase::content(tokens, (np.0, own));
            if person {
                topic.owner = owner.join(" ");
            } else {
                // `the party's theme` is the theme of the party.
                topic.words.extend(owner);
            }
            start = own + 1;
        }
        let named = (start..np.1).any(|i| tokens.has(i, Class::THEIR));
        if named {
            return None;
        }
        // `the concert last year`, `the other hotel`: not the one at hand.
        let other = (start..np.1).any(|i| {
            tokens
                .any(
                    i,
                    words![
                        "last|previous year|month|week|time|summer|winter|spring|autumn",
                        "another|other|former|different"
                    ],
                )
                .is_some()
        });
        if other {
            return None;
        }
        let head = phrase::head(tokens, (start, np.1))
            .or_else(|| (start..np.1).rev().find(|i| tokens.has(*i, Class::ATTR)))?;
        let favourite =
            (start..np.1).any(|i| lexicon::attribute_name(tokens.fold(i)) == "favourite");
        if favourite {
            topic.owner.push_str("favourite");
        }
        // `our max is 400k`; `Max` is a name.
        let limit = tokens.fold(head) == "max" && !tokens.at(head).capital;
        let is_property = tokens.has(head, Class::ATTR) || limit;
        for at in (start..np.1).filter(|i| phrase::is_content(tokens, *i) || *i == head) {
            let word = if limit && at == head {
                "budget"
            } else {
                lexicon::attribute_name(tokens.fold(at))
            };
            if at == head && is_property {
                word.clone_into(&mut topic.attribute);
            } else if word != "favourite"
                && !(matches!(word, "reservation" | "booking" | "slot")
                    && at > start
                    && phrase::is_content(tokens, at - 1))
            {
                topic.words.push(lexicon::stem(word).to_owned());
            }
        }
        topic.words.sort();
        topic.words.dedup();
        // `guest count`, `due date`
        if matches!(topic.attribute.as_str(), "date")
            && topic
                .words
                .iter()
                .any(|word| word == "deadlin" || word == "du")
        {
            topic.words.retain(|word| word != "du" && word != "deadlin");
            topic.attribute = "deadline".to_owned();
        }
        let vague = is_vague(tokens.fold(head));
        let named = !topic.words.is_empty() || !topic.attribute.is_empty();
        (named && !vague && topic.words.len() <= LONGEST).then_some(topic)
    }

    /// Whether it is what somebody likes best of a kind.
    pub(in super::super) fn is_favourite(&self) -> bool {
        self.owner.ends_with("favourite")
    }

    /// The subject of its facts.
    pub(in super::super) fn subject(&self) -> String {
        let mut entity = self.owner.clone();
        for word in &self.words {
            if !entity.is_empty() {
                entity.push(' ');
            }
            entity.push_str(word);
        }
        if entity.is_empty() {
            return format!("project/{}", self.attribute);
        }
        let separator = if self.owner.is_empty() { "" } else { "'" };
        format!(
            "topic:{}{separator}{}/{}",
            self.owner,
            self.words.join(" "),
            self.attribute
        )
    }

    /// Reads back what [`Topic::subject`] wrote.
    pub(in super::super) fn from_subject(subject: &str) -> Option<Self> {
        let (entity, attribute) = subject.rsplit_once('/')?;
        let attribute = attribute.to_owned();
        if entity == "project" {
            return Some(Self {
                attribute,
                ..Self::default()
            });
        }
        let entity = entity.strip_prefix("topic:")?;
        let (owner, words) = entity.split_once('\'').unwrap_or(("", entity));
        Some(Self {
            owner: owner.to_owned(),
            words: words.split_whitespace().map(str::to_owned).collect(),
            attribute,
        })
    }

    /// The facts in force about it: those of the same name; else, if the name given is shorter than just one that is
    /// known (`the budget`, `kitchen budget`), that one; with `changes` also the other way round.
    pub(in super::super) fn find(&self, scene: &Scene<'_, '_, '_>, changes: bool) -> Entries {
        let mut same = Entries::new();
        let mut longer: Vec<(Self, Entries)> = Vec::new();
        let mut shorter = Entries::new();
        for (entry, _, subject) in scene.book.live() {
            let Some(known) = Self::from_subject(subject.trim_end_matches(":ended")) else {
                continue;
            };
            if known.owner != self.owner || !same_property(&known, self) {
                continue;
            }
            if known.words == self.words {
                same.push(entry);
            } else if self.words.iter().all(|word| known.words.contains(word)) {
                match longer
                    .iter_mut()
                    .find(|(topic, _)| topic.words == known.words)
                {
                    Some((_, entries)) => entries.push(entry),
                    None => longer.push((known, Entries::from_slice(&[entry]))),
                }
            } else if known.words.iter().all(|word| self.words.contains(word)) {
                shorter.push(entry);
            }
        }
        if !same.is_empty() {
            return same;
        }
        if longer.len() == 1 {
            return longer.pop().map(|(_, entries)| entries).unwrap_or_default();
        }
        if longer.is_empty() && changes && !shorter.is_empty() && !self.words.is_empty() {
            return if shorter.len() == 1 {
                shorter
            } else {
                Entries::new()
            };
        }
        Entries::new()
    }
}

/// Nouns that name nothing one could speak of again.
pub(in super::super) fn is_vague(word: &str) -> bool {
    const VAGUE: [&str; 32] = [
        "way",
        "ways",
        "thing",
        "things",
        "side",
        "lot",
        "lots",
        "bit",
        "rest",
        "point",
        "time",
        "life",
        "future",
        "step",
        "steps",
        "something",
        "anything",
        "everything",
        "nothing",
        "them",
        "us",
        "me",
        "him",
        "sense",
        "fun",
        "kind",
        "sort",
        "part",
        "one",
        "problem",
        "idea",
        "people",
    ];
    VAGUE.contains(&word)
}

/// `date` and `deadline` of one thing are the same property, as are `price` and `number` where the unit was not said.
fn same_property(one: &Topic, other: &Topic) -> bool {
    const ALIKE: [&[&str]; 2] = [
        &["date", "deadline", "time"],
        &["price", "number", "budget", "rent", "salary"],
    ];
    if one.attribute == other.attribute {
        return true;
    }
    let generic = |topic: &Topic| {
        matches!(
            topic.attribute.as_str(),
            "date" | "time" | "number" | "price"
        )
    };
    ALIKE.iter().any(|group| {
        group.contains(&one.attribute.as_str()) && group.contains(&other.attribute.as_str())
    }) && (generic(one) || generic(other))
        && (one.words.iter().all(|word| other.words.contains(word))
            || other.words.iter().all(|word| one.words.contains(word)))
        && !one.words.is_empty()
        && !other.words.is_empty()
}

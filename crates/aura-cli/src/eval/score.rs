//! Sums over questions, by method, cut and group.

use std::collections::BTreeMap;
use std::collections::BTreeSet;

use serde::Serialize;

use super::data::{Data, Question};
use super::outcome::{Cut, Outcome};
use super::work::{Answers, METHODS};

/// Which questions are added up.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Group {
    /// All of them.
    All,
    /// Those of one kind.
    Category(String),
    /// Those about conversations in one language.
    Language(String),
}

/// What a method reaches; shares are in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize)]
pub(crate) struct Sums {
    /// How many questions.
    pub(crate) questions: u32,
    /// The share of questions with every labelled message.
    pub(crate) all: f64,
    /// The mean share of a question's labelled messages.
    pub(crate) share: f64,
    /// The share of questions with at least one.
    pub(crate) any: f64,
    /// The mean share of labelled messages in the choice.
    pub(crate) precision: f64,
    /// The mean cost of the choice.
    pub(crate) tokens: f64,
    /// How many choices cost too much, which counts as having chosen nothing.
    pub(crate) over: u32,
}

/// The sums of everything.
#[derive(Debug, Default)]
pub(crate) struct Scores {
    sums: BTreeMap<(usize, Group, Cut), Sums>,
    /// Messages that the manifest lists and that do not stand whole in the context.
    pub(crate) cut_short: usize,
    /// Time of every compilation, in microseconds, ascending.
    pub(crate) micros: Vec<u64>,
}

impl Scores {
    /// Adds up the answers; questions of the categories `excluded` and those without labels do not count.
    pub(crate) fn of(
        data: &Data,
        cuts: &[Cut],
        answers: &[Answers],
        excluded: &BTreeSet<String>,
    ) -> Self {
        let mut scores = Self::default();
        for (conversation, answers) in data.conversations.iter().zip(answers) {
            for (question, methods) in conversation.questions.iter().zip(answers) {
                for (method, by_cut) in methods.iter().enumerate() {
                    for (&cut, answer) in cuts.iter().zip(by_cut) {
                        scores.cut_short += answer.cut_short;
                        if method == 0 {
                            scores.micros.push(answer.micros);
                        }
                        if excluded.contains(&question.category) {
                            continue;
                        }
                        let outcome = Outcome::of(conversation, question, answer, cut);
                        for group in groups(question, &conversation.language) {
                            let sums = scores.sums.entry((method, group, cut)).or_default();
                            if let Some(outcome) = &outcome {
                                sums.add(outcome);
                            }
                        }
                    }
                }
            }
        }
        scores.micros.sort_unstable();
        for sums in scores.sums.values_mut() {
            sums.divide();
        }
        scores
    }

    /// What a method reaches over a group of questions.
    pub(crate) fn get(&self, method: usize, group: &Group, cut: Cut) -> Option<&Sums> {
        let sums = self.sums.get(&(method, group.clone(), cut));
        sums.filter(|sums| sums.questions > 0)
    }

    /// The methods there are, as number and name.
    pub(crate) fn methods(&self) -> Vec<(usize, &'static str)> {
        let there: BTreeSet<usize> = self.sums.keys().map(|(method, _, _)| *method).collect();
        METHODS
            .into_iter()
            .enumerate()
            .filter(|(at, _)| there.contains(at))
            .collect()
    }

    /// The groups there are.
    pub(crate) fn groups(&self) -> BTreeSet<Group> {
        self.sums
            .keys()
            .map(|(_, group, _)| group.clone())
            .collect()
    }

    /// The time that half of the compilations took at most.
    pub(crate) fn median_micros(&self) -> u64 {
        self.micros.get(self.micros.len() / 2).copied().unwrap_or(0)
    }
}

impl Sums {
    fn add(&mut self, outcome: &Outcome) {
        self.questions += 1;
        self.all += f64::from(u8::from(outcome.all));
        self.share += outcome.share;
        self.any += f64::from(u8::from(outcome.any));
        self.precision += outcome.precision;
        self.tokens += f64::from(outcome.tokens);
        self.over += u32::from(outcome.over);
    }

    fn divide(&mut self) {
        let count = f64::from(self.questions.max(1));
        for sum in [
            &mut self.all,
            &mut self.share,
            &mut self.any,
            &mut self.precision,
            &mut self.tokens,
        ] {
            *sum /= count;
        }
    }
}

fn groups(question: &Question, language: &str) -> [Group; 3] {
    [
        Group::All,
        Group::Category(question.category.clone()),
        Group::Language(language.to_owned()),
    ]
}

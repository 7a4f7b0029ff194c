//! Corrections and look-alikes, from `data/corrections.jsonl`: what must be current, what past, what must stay.

use crate::talk::Talk;
use serde::Deserialize;

/// A short conversation and what must be true of its facts at the end.
#[derive(Debug, Deserialize)]
struct Case {
    id: u32,
    /// 1: read while the grammar was written; all others: written before it was run on them, each wholly new.
    round: u8,
    kind: String,
    history: Vec<String>,
    correction: Vec<String>,
    current: Vec<String>,
    past: Vec<String>,
    stay: Vec<String>,
}

fn cases() -> Vec<Case> {
    include_str!("../data/corrections.jsonl")
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect()
}

impl Case {
    /// What is wrong with the facts, if anything.
    fn problems(&self) -> Vec<String> {
        let mut talk = Talk::default();
        for text in &self.history {
            talk.say(text);
        }
        let before = talk.past();
        for text in &self.correction {
            talk.say(text);
        }
        let mut problems = Vec::new();
        let current = talk.current();
        for wanted in &self.current {
            if !current.iter().any(|text| holds(text, wanted)) {
                problems.push(format!("not current: {wanted}"));
            }
        }
        for wanted in &self.past {
            if current
                .iter()
                .any(|text| holds(text, wanted) && !denies(text))
            {
                problems.push(format!("still current: {wanted}"));
            }
            if !talk.past().iter().any(|text| holds(text, wanted)) {
                problems.push(format!("never a fact: {wanted}"));
            }
        }
        for wanted in &self.stay {
            if !current.iter().any(|text| holds(text, wanted)) {
                problems.push(format!("did not stay: {wanted}"));
            }
        }
        if self.kind == "alike" && self.current.is_empty() {
            let ended: Vec<_> = talk
                .past()
                .into_iter()
                .filter(|text| !before.contains(text))
                .collect();
            if !ended.is_empty() {
                problems.push(format!("ended: {ended:?}"));
            }
        }
        if !problems.is_empty() {
            problems.push(format!(
                "current facts: {current:?}; past: {:?}",
                talk.past()
            ));
        }
        problems
    }
}

fn holds(text: &str, wanted: &str) -> bool {
    let (text, wanted) = (text.to_lowercase(), wanted.to_lowercase());
    let ends_word =
        |at: usize| !text[at + wanted.len()..].starts_with(|c: char| c.is_ascii_alphanumeric());
    text.match_indices(&wanted)
        .any(|(at, _)| ends_word(at) || !wanted.ends_with(|c: char| c.is_ascii_digit()))
}

/// Whether a fact says that something is no longer so.
fn denies(text: &str) -> bool {
    let words = [
        "no longer",
        "not ",
        "n't",
        "quit",
        "sold",
        "gave up",
        "stopped",
        "stepped down",
        " ended",
        "let them go",
        "left",
        "removed",
        "dropped",
        "got rid",
        "passed away",
        "laid off",
        "broke up",
        "divorced",
        "drop ",
        "gave ",
        "isn't",
        "any more",
        "off the",
        "scratch",
        "remove ",
        "cut ",
        "give ",
        "handed in",
        "stepping",
        "cancelled",
        "skip",
        "leave out",
        "ne ",
        "n'",
    ];
    words.iter().any(|word| text.to_lowercase().contains(word))
}

/// Cases that pass and all cases, of those for which `select` holds; failures are printed.
fn run(select: impl Fn(&Case) -> bool) -> (usize, usize) {
    let (mut passed, mut all) = (0, 0);
    for case in cases().into_iter().filter(|case| select(case)) {
        let problems = case.problems();
        all += 1;
        passed += usize::from(problems.is_empty());
        if !problems.is_empty() {
            println!(
                "{} ({}, {}): {:?} | {:?}\n    {}",
                case.id,
                case.kind,
                case.round,
                case.history,
                case.correction,
                problems.join("\n    ")
            );
        }
    }
    (passed, all)
}

#[test]
fn corrections_retire_what_they_replace_and_nothing_else() {
    for round in 1..=9 {
        let (passed, all) = run(|case| case.kind != "alike" && case.round == round);
        println!("round {round}: {passed} of {all}");
        assert!(all >= 30);
        // Left open on purpose: a move to a name that may be a city or a company (5), a new subject that only the old one
        // explains (8), a house sale and a feast handed to somebody else in words of their own (9).
        let open = match round {
            5 | 8 => 1,
            9 => 2,
            _ => 0,
        };
        assert_eq!(passed, all - open, "round {round}");
    }
}

#[test]
fn look_alikes_retire_nothing() {
    let (passed, all) = run(|case| case.kind == "alike");
    println!("look-alikes: {passed} of {all}");
    assert!(all >= 80);
    assert_eq!(passed, all);
}

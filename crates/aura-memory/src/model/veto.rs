//! Whether the words of a correction may end a fact: only if they name what it is about.

use std::collections::HashSet;

use aura_core::Fact;
use aura_text::Analyzer;

use super::terms;

/// Words that name what a fact is about without saying it: those of the correction, and those of the fact or its subject.
const IMPLIED: [(&[&str], &[&str]); 9] = [
    (
        &["move", "moved", "moving", "relocated", "relocating"],
        &[
            "live",
            "lives",
            "living",
            "home",
            "address",
            "residence",
            "based",
        ],
    ),
    (
        &[
            "quit", "resigned", "hired", "joined", "promoted", "fired", "retired",
        ],
        &[
            "work",
            "works",
            "job",
            "employer",
            "occupation",
            "role",
            "position",
        ],
    ),
    (
        &["married", "divorced", "engaged", "separated", "widowed"],
        &[
            "married", "single", "spouse", "wife", "husband", "partner", "engaged",
        ],
    ),
    (&["renamed", "call"], &["name", "called", "named"]),
    (
        &["vegan", "vegetarian", "meat"],
        &["diet", "eats", "vegan", "vegetarian", "meat"],
    ),
    (
        &["postponed", "rescheduled", "delayed"],
        &["date", "meeting", "appointment", "starts", "launch"],
    ),
    (
        &["cheaper", "dearer", "afford"],
        &["budget", "price", "cost"],
    ),
    (
        &["sold", "bought", "traded"],
        &["owns", "drives", "car", "house", "has"],
    ),
    (
        &["graduated", "enrolled", "dropped"],
        &["studies", "student", "university", "course"],
    ),
];

/// Whether `said` names what `fact` is about: by a word of the fact that no other current fact of another subject has, or
/// by a word that implies it. Words that several facts share tell none of them apart.
pub(super) fn may_end(fact: &Fact, current: &[Fact], said: &str, analyzer: &Analyzer) -> bool {
    let said_terms = terms(said, analyzer);
    let own = words(fact, analyzer);
    let others: HashSet<String> = current
        .iter()
        .filter(|other| other.fact_id != fact.fact_id && other.text != fact.text)
        .flat_map(|other| words(other, analyzer))
        .collect();
    let named = own
        .iter()
        .filter(|word| said_terms.contains(*word) && !others.contains(*word));
    named.count() > 0 || is_implied(fact, current, said)
}

/// The content words of a fact and its subject, without numbers and the word for its owner.
fn words(fact: &Fact, analyzer: &Analyzer) -> HashSet<String> {
    let subject = fact.subject.replace(['/', '_', '-'], " ");
    let mut words = terms(&format!("{} {subject}", fact.text), analyzer);
    words.retain(|word| word != "user" && !word.chars().all(|c| c.is_ascii_digit()));
    words
}

/// Whether a correction implies a fact; where it implies several, it names none of them.
fn is_implied(fact: &Fact, current: &[Fact], said: &str) -> bool {
    let said = plain(said);
    IMPLIED.iter().any(|(cues, targets)| {
        let is_target = |fact: &Fact| {
            let about = plain(&format!("{} {}", fact.text, fact.subject));
            targets.iter().any(|word| about.contains(*word))
        };
        cues.iter().any(|word| said.contains(*word))
            && is_target(fact)
            && current.iter().filter(|other| is_target(other)).count() == 1
    })
}

/// The words of a text in lower case.
fn plain(text: &str) -> HashSet<String> {
    text.to_lowercase()
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty())
        .map(str::to_owned)
        .collect()
}

#[cfg(test)]
mod tests;

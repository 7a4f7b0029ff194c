//! Phrases that name an occupation.

use crate::facts::heuristic::lexicon::Class;
use crate::facts::heuristic::phrase::{self, Span};
use crate::facts::heuristic::token::{Kind, Tokens};

/// `as a night nurse`, `a florist`, `head of sales`: a phrase whose head is an occupation. With `trusted` the words before
/// it leave no doubt, and any noun will do.
pub(super) fn role_at(tokens: &Tokens<'_>, at: usize, end: usize, trusted: bool) -> Option<Span> {
    let mut start = at;
    if tokens.has(start, Class::MY) {
        return None;
    }
    let article =
        tokens.has(start, Class::DET) && !matches!(tokens.fold(start), "this" | "that" | "no");
    if article {
        start += 1;
    }
    let mut stop = start;
    while stop < end && stop < start + 6 {
        let token = tokens.at(stop);
        let ends = Class::PREP
            .with(Class::AND)
            .with(Class::WH)
            .with(Class::NOT)
            .with(Class::NOW)
            .with(Class::BECAUSE)
            .with(Class::WHILE)
            .with(Class::DET)
            .with(Class::UNIT);
        if token.kind != Kind::Word || token.has(ends) {
            break;
        }
        stop += 1;
    }
    let head = stop.checked_sub(1)?;
    if head < start {
        return None;
    }
    let occupation = tokens.has(head, Class::JOB) && !tokens.has(head, Class::PARTNER)
        || is_occupation(tokens.fold(head));
    if !occupation && !trusted {
        return None;
    }
    let stop = match tokens.fold(stop) {
        "of" if occupation => phrase::object_end(tokens, stop, end, false).min(stop + 4),
        _ => stop,
    };
    // `I'm the lead on the migration` is a role in a project, `I'm a better cook` an opinion.
    let vague = matches!(
        tokens.fold(head),
        "lead" | "head" | "owner" | "assistant" | "partner" | "model" | "cook" | "buyer" | "coach"
    ) && !trusted
        && stop == head + 1
        && head == start;
    let compared = (start..head).any(|i| {
        matches!(
            tokens.fold(i),
            "better" | "good" | "great" | "bad" | "big" | "terrible"
        )
    });
    (!vague && !compared && (article || trusted || tokens.fold(head) == "head" || head > start))
        .then_some((at, stop))
}

fn is_occupation(word: &str) -> bool {
    const ENDINGS: [&str; 9] = [
        "ologist",
        "ician",
        "ographer",
        "wright",
        "keeper",
        "maker",
        "engineer",
        "developer",
        "therapist",
    ];
    word.len() > 6 && ENDINGS.iter().any(|end| word.ends_with(end))
}

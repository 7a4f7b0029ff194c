//! What a manifest says of one block.

use std::io::{self, Write as _};

use aura::{Explanation, Scores};

use super::text::{block, plural, ranges};
use super::{Out, style};

/// Writes an explanation: its sentence, and the record behind it.
///
/// # Errors
/// Those of the output.
pub(crate) fn explanation(out: &mut Out, explanation: &Explanation) -> io::Result<()> {
    match explanation {
        Explanation::NotRetrieved { sentence } => block(out, &format!("{sentence}."), "", true),
        Explanation::Candidate {
            record, sentence, ..
        } => {
            block(out, &format!("{sentence}."), "", true)?;
            let dim = style::DIM;
            let mut facts = vec![
                record.kind.as_str().to_owned(),
                format!("class {}", super::reason::class(record.class)),
                plural(u64::from(record.tokens), "token"),
            ];
            if !record.events.is_empty() {
                facts.push(format!("events {}", ranges(&record.events)));
            }
            facts.extend(scores(&record.scores));
            writeln!(out, "{dim}{}{dim:#}", facts.join(" · "))
        }
    }
}

fn scores(scores: &Scores) -> Vec<String> {
    let named = [
        ("lexical", scores.lexical),
        ("dense", scores.dense),
        ("relevance", scores.relevance),
        ("rank", scores.rank),
    ];
    let one = |(name, score): (&str, Option<f32>)| score.map(|score| format!("{name} {score:.2}"));
    named.into_iter().filter_map(one).collect()
}

//! The words of a request for tools, and what each counts.
//!
//! What stands in quotation marks is mostly what a tool shall be given, a message or a file's name, and seldom says which
//! tool; so three quoted words or more count little. And a word that comes again counts less each time: long requests
//! name their subject in every sentence.

use std::ops::Range;

use aura_text::{Analyzer, Scratch};
use smallvec::SmallVec;

/// What a quoted word counts.
const QUOTED: f32 = 0.2;

/// Fewer quoted words are a name, which counts like any other word.
const FEWEST: usize = 3;

/// The longest quotation in bytes; what is longer was opened by something that is no quotation mark.
const LONGEST: usize = 400;

/// A word of a request.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct AskedTerm {
    /// The term, as the index has it.
    pub(super) text: String,
    /// What it counts, saturated.
    pub(super) weight: f32,
}

/// The content words of a request and, where there are several, of each of its clauses.
#[derive(Debug, Clone, Default)]
pub(super) struct AskedTerms {
    /// All of them.
    pub(super) terms: Vec<AskedTerm>,
    /// For each clause the places of its terms, with what they count there.
    pub(super) clauses: Vec<Vec<(usize, f32)>>,
}

impl AskedTerms {
    /// Those of a request; `saturation` is the count at which a word has half its ceiling.
    pub(super) fn of(question: &str, analyzer: &Analyzer, saturation: f32) -> Self {
        let quoted = quotations(question);
        let mut out = Self::default();
        let mut scratch = Scratch::new();
        let (mut end, mut fresh) = (0, true);
        analyzer.for_each_term(question, &mut scratch, |term| {
            let gap = question.get(end..term.range.start).unwrap_or_default();
            let inside = quoted.iter().any(|range| range.contains(&term.range.start));
            let joins = term.stop && matches!(term.text, "and" | "then");
            if !inside && (ends_clause(gap) || joins) {
                fresh = true;
            }
            end = end.max(term.range.end);
            if term.stop {
                return;
            }
            let weight = if inside {
                term.weight * QUOTED
            } else {
                term.weight
            };
            let at = match out.terms.iter().position(|known| known.text == term.text) {
                Some(at) => at,
                None => {
                    let text = term.text.to_owned();
                    out.terms.push(AskedTerm { text, weight: 0.0 });
                    out.terms.len() - 1
                }
            };
            if let Some(known) = out.terms.get_mut(at) {
                known.weight += weight;
            }
            if inside {
                return;
            }
            if std::mem::take(&mut fresh) {
                out.clauses.push(Vec::new());
            }
            if let Some(clause) = out.clauses.last_mut() {
                match clause.iter_mut().find(|(known, _)| *known == at) {
                    Some((_, known)) => *known += weight,
                    None => clause.push((at, weight)),
                }
            }
        });
        let saturate = |weight: f32| weight * (1.0 + saturation) / (weight + saturation);
        for term in &mut out.terms {
            term.weight = saturate(term.weight);
        }
        for (_, weight) in out.clauses.iter_mut().flatten() {
            *weight = saturate(*weight);
        }
        out
    }
}

/// Whether what stands between two words ends a clause: a mark with white space behind it, or the end of a line.
fn ends_clause(gap: &str) -> bool {
    let mark = gap.find([
        ',', '.', '!', '?', ';', ':', '\n', '。', '，', '；', '！', '？',
    ]);
    mark.and_then(|at| gap.get(at..)).is_some_and(|rest| {
        !rest.starts_with(|c: char| c.is_ascii()) || rest.contains(char::is_whitespace)
    })
}

/// The ranges between quotation marks, where they hold several words.
fn quotations(text: &str) -> SmallVec<[Range<usize>; 4]> {
    let mut out = SmallVec::new();
    let mut from = 0;
    while let Some((open, close)) = next_quotation(text, from) {
        let inside = text.get(open.clone()).unwrap_or_default();
        if inside.split_whitespace().take(FEWEST).count() == FEWEST {
            out.push(open);
        }
        from = close;
    }
    out
}

/// The next quotation from `from` on: what it holds, and where its closing mark ends.
fn next_quotation(text: &str, from: usize) -> Option<(Range<usize>, usize)> {
    let rest = text.get(from..)?;
    let mut before = text.get(..from).and_then(|head| head.chars().next_back());
    for (at, mark) in rest.char_indices() {
        let opens = before.is_none_or(|c| c.is_whitespace() || matches!(c, '(' | '[' | ':'));
        before = Some(mark);
        let Some(closing) = closing(mark).filter(|_| opens) else {
            continue;
        };
        let start = from + at + mark.len_utf8();
        if let Some(end) = find_closing(text, start, closing) {
            return Some((start..end, end + closing.len_utf8()));
        }
    }
    None
}

/// Where the closing mark stands: after a word, and before none.
fn find_closing(text: &str, start: usize, closing: char) -> Option<usize> {
    let inside = text.get(start..)?;
    if inside.starts_with(char::is_whitespace) {
        return None;
    }
    let mut before = ' ';
    for (at, c) in inside.char_indices() {
        if at > LONGEST {
            return None;
        }
        if c == closing && at > 0 && !before.is_whitespace() {
            let next = inside.get(at + c.len_utf8()..)?.chars().next();
            if next.is_none_or(|next| !next.is_alphanumeric()) {
                return Some(start + at);
            }
        }
        before = c;
    }
    None
}

fn closing(mark: char) -> Option<char> {
    Some(match mark {
        '"' => '"',
        '\'' => '\'',
        '`' => '`',
        '“' => '”',
        '‘' => '’',
        '「' => '」',
        '«' => '»',
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn quoted(text: &str) -> Vec<&str> {
        let ranges = quotations(text).into_iter();
        ranges.map(|range| &text[range]).collect()
    }

    #[test]
    fn quotations_are_told_from_apostrophes_and_names() {
        let text =
            "Ana's note: send 'It is hot outside.' to “the whole of the team”, not to 'Ben'.";
        assert_eq!(
            quoted(text),
            ["It is hot outside.", "the whole of the team"]
        );
        assert_eq!(quoted("the boys' and girls' rooms are 'open"), [""; 0]);
        assert_eq!(
            quoted("say \"one two three\" and 'don't do that now'"),
            ["one two three", "don't do that now"]
        );
    }

    #[test]
    fn clauses_end_at_marks_and_conjunctions() {
        let asked = AskedTerms::of(
            "Move report.csv to the archive, then list files and send 'this is all done' to Ana. Thanks",
            &Analyzer::english(),
            0.5,
        );
        let clauses = asked.clauses.iter().map(|clause| {
            let words = clause.iter().map(|(at, _)| asked.terms[*at].text.as_str());
            words.collect::<Vec<_>>()
        });
        let clauses: Vec<_> = clauses.collect();
        assert_eq!(clauses[0], ["move", "reportcsv", "report", "csv", "archiv"]);
        assert_eq!(clauses[1], ["list", "file"]);
        assert_eq!(clauses[2], ["send", "ana"]);
    }

    #[test]
    fn repetition_counts_less_and_less() {
        let weight = |text: &str| AskedTerms::of(text, &Analyzer::english(), 0.5).terms[0].weight;
        let (once, often) = (weight("stock"), weight("stock, stock, stock, stock"));
        assert!((once - 1.0).abs() < 1e-6);
        assert!(often > once && often < 1.5, "{often}");
    }
}

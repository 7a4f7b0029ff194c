//! Patterns of words with gaps: `ich wohne|lebe ~ in <>`.

use crate::facts::heuristic::clause::is_break;
use crate::facts::heuristic::phrase::Span;
use crate::facts::heuristic::token::Tokens;

/// How many words a `~` may skip.
const GAP: usize = 5;

/// Words separated by blanks: alternatives `a|b`, `~` for up to [`GAP`] words, `<>` for a value to capture.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pattern(pub(super) &'static str);

/// Where a pattern matched, and its values.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Captured {
    pub(super) begin: usize,
    pub(super) first: Span,
    pub(super) second: Option<Span>,
}

impl Pattern {
    /// The first match in `start..end`; values end at a mark or at one of `stops`.
    pub(super) fn find(
        self,
        tokens: &Tokens<'_>,
        start: usize,
        end: usize,
        stops: &[&str],
    ) -> Option<Captured> {
        (start..end).find_map(|begin| {
            let mut values = [None, None];
            self.matches(self.0, tokens, begin, end, stops, &mut values)?;
            let [first, second] = values;
            Some(Captured {
                begin,
                first: first?,
                second,
            })
        })
    }

    fn matches(
        self,
        pattern: &'static str,
        tokens: &Tokens<'_>,
        at: usize,
        end: usize,
        stops: &[&str],
        values: &mut [Option<Span>; 2],
    ) -> Option<usize> {
        let pattern = pattern.trim_start();
        if pattern.is_empty() {
            return Some(at);
        }
        let (head, rest) = pattern.split_once(' ').unwrap_or((pattern, ""));
        match head {
            "~" => (at..=end.min(at + GAP)).find_map(|next| {
                let crossed = (at..next).any(|i| is_break(tokens, i));
                if crossed {
                    None
                } else {
                    self.matches(rest, tokens, next, end, stops, values)
                }
            }),
            "<>" => {
                let limit = (at..end)
                    .find(|i| stops.contains(&tokens.fold(*i)) && *i > at)
                    .unwrap_or(end);
                let ends: Vec<usize> = if rest.is_empty() {
                    vec![limit]
                } else {
                    (at + 1..=end).collect()
                };
                for stop in ends {
                    let mut inner = *values;
                    if let Some(done) = self.matches(rest, tokens, stop, end, stops, &mut inner) {
                        let mut trimmed = stop;
                        while trimmed > at && is_break(tokens, trimmed - 1) {
                            trimmed -= 1;
                        }
                        if trimmed == at || !tokens.at(at).is_wordy() {
                            return None;
                        }
                        // Inner values were captured first; this one stands before them.
                        *values = [Some((at, trimmed)), inner.iter().flatten().next().copied()];
                        return Some(done);
                    }
                }
                None
            }
            _ => {
                let fits = at < end
                    && head
                        .split('|')
                        .any(|word| word == tokens.fold(at) || word == "," && is_break(tokens, at));
                if fits {
                    self.matches(rest, tokens, at + 1, end, stops, values)
                } else {
                    None
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn captured(pattern: &'static str, text: &str) -> Option<(String, String)> {
        let tokens = Tokens::of(text);
        let found = Pattern(pattern).find(&tokens, 0, tokens.len(), &["mit"])?;
        let slice = |span: Span| tokens.slice(span.0, span.1).to_owned();
        Some((
            slice(found.first),
            found.second.map(slice).unwrap_or_default(),
        ))
    }

    fn pair(first: &str, second: &str) -> Option<(String, String)> {
        Some((first.to_owned(), second.to_owned()))
    }

    #[test]
    fn values_end_where_the_pattern_goes_on() {
        assert_eq!(
            captured(
                "ich bin ~ nach <> gezogen",
                "Ich bin letzte Woche nach Köln gezogen"
            ),
            pair("Köln", "")
        );
        assert_eq!(
            captured("ich wohne ~ in <>", "Ich wohne jetzt in Bad Ems mit Anna"),
            pair("Bad Ems", "")
        );
        assert_eq!(
            captured(
                "nicht <> , sondern <>",
                "Wir nehmen nicht Eiche, sondern Quarz"
            ),
            pair("Eiche", "Quarz")
        );
        assert_eq!(captured("ich wohne ~ in <>", "Er wohnt in Bonn"), None);
    }
}

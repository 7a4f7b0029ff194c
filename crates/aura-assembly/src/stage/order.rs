//! Order: what is stable first, then history, then what was recalled and evidence, facts, and the question.

use aura_core::{EventId, Trust};

use super::admit::{Admitted, Form, Item};
use crate::evidence::{Group, Line, Piece, Text};
use crate::facts::FactLine;
use crate::request::CompileRequest;
use crate::stage::retrieve::Retrieved;
use crate::transcript::Shown;

/// The evidence in order, ready to be written.
#[derive(Debug, Clone, Default)]
pub(crate) struct Ordered {
    /// Items replayed as messages of their own roles, in chronological order.
    pub(crate) replayed: Vec<Shown>,
    /// The pieces of the fenced message.
    pub(crate) pieces: Vec<Piece>,
    /// The events shown as excerpts, in the order shown.
    pub(crate) excerpted: Vec<EventId>,
    /// The events shown in any form, in the order shown.
    pub(crate) recalled: Vec<EventId>,
}

/// Puts recalled items in chronological order, and the strongest blocks at the edges.
pub(crate) fn run(
    request: &CompileRequest<'_>,
    retrieved: &Retrieved<'_>,
    admitted: &Admitted,
) -> Ordered {
    let mut items: Vec<&Item> = admitted.items.iter().collect();
    items.sort_by_cached_key(|item| item.begins());
    let mut ordered = Ordered::default();
    let mut lines = Vec::new();
    let mut trusts = Vec::new();
    for item in items {
        ordered.recalled.extend(item.events());
        match &item.form {
            Form::Messages(messages) => ordered.replayed.extend(messages.iter().cloned()),
            Form::Excerpts(excerpts) => {
                for (excerpt, stored) in excerpts.iter().zip(&item.sources) {
                    lines.push(Line {
                        text: match &excerpt.line {
                            Some(line) => Text::Words(line.clone()),
                            None => Text::Excerpt(stored.clone()),
                        },
                        tokens: excerpt.tokens,
                    });
                    trusts.push(stored.trust());
                    ordered.excerpted.push(stored.event_id);
                }
            }
        }
    }
    if !lines.is_empty() {
        ordered.pieces.push(Piece::Lines {
            group: Group::Recalled,
            trust: Trust::lowest(trusts),
            lines,
        });
    }
    let blocks = at_the_edges(&admitted.blocks).into_iter();
    let blocks = blocks.chain(&admitted.remarks).cloned();
    ordered.pieces.extend(blocks.map(Piece::Block));
    ordered
        .pieces
        .extend(facts(request, retrieved, &admitted.facts));
    ordered
}

/// The first, third, fifth … from the front and the second, fourth … from the back: the weakest end up in the middle.
fn at_the_edges<T>(strongest_first: &[T]) -> Vec<&T> {
    let front = strongest_first.iter().step_by(2);
    let back: Vec<&T> = strongest_first.iter().skip(1).step_by(2).collect();
    front.chain(back.into_iter().rev()).collect()
}

fn facts(
    request: &CompileRequest<'_>,
    retrieved: &Retrieved<'_>,
    lines: &[FactLine],
) -> Option<Piece> {
    if lines.is_empty() {
        return None;
    }
    let facts = &retrieved.facts.facts;
    Some(Piece::Lines {
        group: Group::Facts(request.now),
        trust: Trust::lowest(lines.iter().map(|line| line.trust(facts))),
        lines: lines
            .iter()
            .map(|line| Line {
                text: Text::Words(line.text.clone()),
                tokens: line.tokens,
            })
            .collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_strongest_stand_at_the_edges() {
        assert_eq!(at_the_edges(&[1, 2, 3, 4, 5]), [&1, &3, &5, &4, &2]);
        assert_eq!(at_the_edges(&[1, 2]), [&1, &2]);
        assert!(at_the_edges::<u8>(&[]).is_empty());
    }
}

//! The newest turns (P2) and the last tool response (P3).

use std::sync::Arc;

use aura_core::{BlockKind, BlockRef, Class, Result, Role, Scores, StoredMessage};

use smallvec::smallvec;

use super::item::{Excerpt, Form, Item};
use crate::budget::Room;
use crate::evidence::{Group, group_tokens, intro_tokens};
use crate::excerpt;
use crate::meter::Meter;
use crate::stage::retrieve::{Asked, Retrieved};
use crate::transcript::{ShownTurn, kept_as, result_handle, shrink};

/// The turns that stand, and what became of the others.
#[derive(Debug, Clone, Default)]
pub(super) struct Window {
    /// The turns shown, oldest first.
    pub(super) turns: Vec<ShownTurn>,
    /// Turns that found no room, oldest first.
    pub(super) evicted: Vec<ShownTurn>,
    /// How many messages of the newest turn are shown by handle or placeholder.
    pub(super) shrunk: u32,
    /// The last tool response, where its turn is not shown.
    pub(super) response: Option<Item>,
}

/// What the newest turn takes in its smallest form, and beside it the last tool response.
pub(super) fn least(retrieved: &Retrieved<'_>, meter: &Meter) -> Result<u32> {
    let Some(newest) = retrieved.recent.last() else {
        return Ok(0);
    };
    let mut smallest = newest.clone();
    smallest.shrink(u32::MAX, meter)?;
    let response = match response_outside(retrieved, 1) {
        Some(turn) => response_tokens(turn, meter)?
            .1
            .saturating_add(response_frame(false, meter)?),
        None => 0,
    };
    Ok(smallest.tokens.saturating_add(response))
}

/// Chooses as many of the newest turns as fit; the newest stays in any case, smaller where it must be.
pub(super) fn fit(
    retrieved: &Retrieved<'_>,
    room: &mut Room,
    framed: bool,
    meter: &Meter,
) -> Result<Window> {
    let count = retrieved.recent.len();
    let frame = response_frame(framed, meter)?;
    let mut kept = count.min(1);
    for keep in (1..=count).rev() {
        let turns = retrieved.recent.iter().rev().take(keep);
        let sum = turns.fold(0, |sum: u32, turn| sum.saturating_add(turn.tokens));
        let response = match response_outside(retrieved, keep) {
            Some(turn) => response_tokens(turn, meter)?.1.saturating_add(frame),
            None => 0,
        };
        if sum.saturating_add(response) <= room.left() {
            kept = keep;
            break;
        }
    }
    let (evicted, turns) = retrieved.recent.split_at(count - kept);
    let mut window = Window {
        turns: turns.to_vec(),
        evicted: evicted.to_vec(),
        shrunk: 0,
        response: None,
    };
    let outside = response_outside(retrieved, kept);
    let spared = match outside {
        Some(turn) => response_tokens(turn, meter)?.1.saturating_add(frame),
        None => 0,
    };
    if let [only] = window.turns.as_mut_slice() {
        let excess = only
            .tokens
            .saturating_sub(room.left().saturating_sub(spared));
        if excess > 0 {
            window.shrunk = only.shrink(excess, meter)?;
        }
    }
    for turn in &window.turns {
        room.take(turn.tokens);
    }
    if let Some(turn) = outside {
        window.response = take_response(turn, room, frame, meter)?;
    }
    Ok(window)
}

/// Makes tool results of the live tail smaller, where the mandatory does not fit otherwise. Says how many.
pub(super) fn shrink_tail(asked: &mut Asked, room: &mut Room, meter: &Meter) -> Result<u32> {
    let excess = room.excess();
    if excess == 0 {
        return Ok(0);
    }
    let before = asked.tail.tokens();
    let count = shrink(&mut asked.tail.messages, excess, false, meter)?;
    room.give_back(before.saturating_sub(asked.tail.tokens()));
    Ok(count)
}

/// The turn of the last tool response, where it is not among the `keep` newest.
fn response_outside<'r>(retrieved: &'r Retrieved<'_>, keep: usize) -> Option<&'r ShownTurn> {
    if !retrieved.wants_response {
        return None;
    }
    let recent = &retrieved.recent;
    match recent.iter().rposition(ShownTurn::has_response) {
        Some(at) if at + keep >= recent.len() => None,
        Some(at) => recent.get(at),
        None => retrieved.response.as_ref(),
    }
}

/// What surrounds the response.
fn response_frame(framed: bool, meter: &Meter) -> Result<u32> {
    let intro = if framed { 0 } else { intro_tokens(meter)? };
    Ok(intro.saturating_add(group_tokens(Group::Recalled, meter)?))
}

/// The last answer of a turn, whole and in its smallest form: the tokens of both.
fn response_tokens(turn: &ShownTurn, meter: &Meter) -> Result<(u32, u32)> {
    let Some(stored) = last_response(turn) else {
        return Ok((0, 0));
    };
    let whole = meter.recurring(&excerpt::line(stored))?;
    let small = meter.recurring(&small_line(stored))?;
    Ok((whole, small.min(whole)))
}

fn take_response(
    turn: &ShownTurn,
    room: &mut Room,
    frame: u32,
    meter: &Meter,
) -> Result<Option<Item>> {
    let Some(stored) = last_response(turn) else {
        return Ok(None);
    };
    let (whole, small) = response_tokens(turn, meter)?;
    if whole == 0 {
        return Ok(None);
    }
    let by_handle = whole.saturating_add(frame) > room.left() && small < whole;
    let tokens = if by_handle { small } else { whole };
    room.take(tokens.saturating_add(frame));
    Ok(Some(Item {
        block: BlockRef::Event(stored.event_id),
        kind: BlockKind::ToolResult,
        class: Class::P3,
        scores: Scores::default(),
        sources: smallvec![stored.clone()],
        form: Form::Excerpts(smallvec![Excerpt {
            line: by_handle.then(|| small_line(stored)),
            tokens,
        }]),
        tokens,
        recall: 0,
        by_handle,
    }))
}

fn last_response(turn: &ShownTurn) -> Option<&Arc<StoredMessage>> {
    let mut newest_first = turn.messages.iter().rev();
    newest_first
        .find(|shown| shown.message.role == Role::Tool)
        .and_then(|shown| shown.source.as_ref())
}

/// The excerpt of an answer with handles or a placeholder in the place of its text.
fn small_line(stored: &StoredMessage) -> String {
    let mut small = stored.clone();
    small.message.parts = vec![aura_core::Part::text(
        result_handle(stored, None).map_or_else(
            || crate::transcript::LEFT_OUT.to_owned(),
            |handle| kept_as(&handle),
        ),
    )];
    excerpt::line(&small)
}

//! The facts that find room.

use aura_core::{Result, Timestamp};

use crate::evidence::{Group, group_tokens, intro_tokens};
use crate::facts::FactLine;
use crate::meter::Meter;

/// What surrounds the facts, the message included.
pub(super) fn frame_tokens(now: Timestamp, meter: &Meter) -> Result<u32> {
    let group = group_tokens(Group::Facts(now), meter)?;
    Ok(intro_tokens(meter)?.saturating_add(group))
}

/// The facts that fit, at most `most`, and what they take with all that surrounds them.
pub(super) fn fit(
    offered: &[FactLine],
    most: usize,
    room: u32,
    now: Timestamp,
    meter: &Meter,
) -> Result<(Vec<FactLine>, u32)> {
    if offered.is_empty() {
        return Ok((Vec::new(), 0));
    }
    let frame = frame_tokens(now, meter)?;
    let mut taken = frame;
    let mut facts = Vec::with_capacity(offered.len().min(most));
    for line in offered.iter().take(most) {
        let with = taken.saturating_add(line.tokens);
        if with <= room {
            taken = with;
            facts.push(line.clone());
        }
    }
    if facts.is_empty() {
        Ok((facts, 0))
    } else {
        Ok((facts, taken))
    }
}

//! What a receiver reads of a packet: data with its sender's name on it.

use aura_assembly::results::{Capped, LEAST_CAP, cap};
use aura_core::{Packet, PacketBody, Result, TokenCounter};

/// The words of a packet for its receiver, in the third person. `limit` caps the summary, 0 not at all; slots and payload
/// stand to the letter whatever the cap.
///
/// # Errors
/// Those of the counter.
pub fn shown(packet: &Packet, limit: u32, counter: &dyn TokenCounter) -> Result<String> {
    let from = &packet.from;
    let opening = match &packet.body {
        PacketBody::Handoff => format!("{from} reported:"),
        PacketBody::Task { .. } => {
            format!("{from} asks for this work (packet {}):", packet.packet_id)
        }
        PacketBody::Return { task, .. } => format!("{from} answered the task {task}:"),
    };
    let mut lines = vec![opening];
    if !packet.summary.trim().is_empty() {
        lines.push(summary(packet, limit, counter)?);
    }
    let mut list = |name: &str, items: Vec<String>| {
        if !items.is_empty() {
            lines.push(format!("{name}: {}", items.join("; ")));
        }
    };
    let names = |set: &std::collections::BTreeSet<String>| set.iter().cloned().collect::<Vec<_>>();
    match &packet.body {
        PacketBody::Handoff => {}
        PacketBody::Task {
            acceptance,
            needs,
            missing,
            unresolved,
            contract,
        } => {
            list("Done when", acceptance.clone());
            list("Needs", names(needs));
            list("May", names(&packet.scope.permissions));
            list("Needed and not given", names(missing));
            list("Not decided yet", unresolved.clone());
            list(
                "Answer by this schema",
                contract
                    .iter()
                    .map(|json| json.as_str().to_owned())
                    .collect(),
            );
        }
        PacketBody::Return {
            confidence,
            limits,
            changes,
            ..
        } => {
            list(
                "Confidence",
                confidence.iter().map(ToString::to_string).collect(),
            );
            list("Not covered", limits.clone());
            list("Asks for these changes", changes.clone());
        }
    }
    list("To the letter", packet.slots.clone());
    list(
        "Sources",
        packet
            .sources
            .iter()
            .map(|source| source.handle.to_string())
            .collect(),
    );
    list(
        "Payload",
        packet
            .payload
            .iter()
            .map(|json| json.as_str().to_owned())
            .collect(),
    );
    Ok(lines.join("\n"))
}

fn summary(packet: &Packet, limit: u32, counter: &dyn TokenCounter) -> Result<String> {
    let whole = || packet.summary.clone();
    if limit == 0 {
        return Ok(whole());
    }
    let address = format!("packet:{}", packet.packet_id);
    Ok(
        match cap(&packet.summary, limit.max(LEAST_CAP), &address, counter)? {
            Capped::Whole => whole(),
            Capped::Shorter(short) => short,
            Capped::Address => format!("[left out; whole: {address}]"),
        },
    )
}

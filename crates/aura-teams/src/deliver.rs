//! Delivering: each packet to each of its receivers, until a turn that showed it is complete.
//!
//! The log decides. A lease names a turn; whether that turn is complete, failed or still open is asked when packets are
//! wanted next. So a crash between the end of a turn and its acknowledgement changes nothing.

use std::time::Duration;

use aura_core::{
    AgentId, Block, BlockId, BlockKind, ContextPolicy, Delivery, DeliveryQuery, Packet, PacketBody,
    PacketId, PacketLease, Payload, Result, Settlement, Timestamp, TokenCounter, TurnId,
    TurnStatus,
};
use aura_text::Analyzer;

use crate::show::shown;
use crate::team::Team;

/// How long packets are a turn's own, unless it is complete or failed before: longer than any call of a model takes.
pub const LEASE: Duration = Duration::from_secs(15 * 60);

/// Which packets are wanted.
#[derive(Clone, Copy)]
pub struct InboxRequest<'a> {
    /// The turn that will show them.
    pub turn: &'a TurnId,
    /// What the receiver is about to answer.
    pub question: &'a str,
    /// `min_handoff_relevance` and `max_handoff_tokens`.
    pub policy: &'a ContextPolicy,
    /// Counts what is shown.
    pub counter: &'a dyn TokenCounter,
}

/// What waits for an agent.
#[derive(Debug, Clone, Default)]
pub struct Inbox {
    /// Packets leased to the turn, as blocks for its context, in the order in which they were sent.
    pub blocks: Vec<Block>,
    /// Their ids.
    pub leased: Vec<PacketId>,
    /// Packets that have too little to do with the question; they wait.
    pub gated: Vec<PacketId>,
    /// Packets that another turn of the agent is showing.
    pub elsewhere: Vec<PacketId>,
}

impl Team {
    /// Settles what earlier turns have shown, and leases to a turn what waits for its agent. The same turn gets the same
    /// again, until it is complete.
    ///
    /// # Errors
    /// `NotFound` naming `agent`; those of the store and of the counter.
    pub fn inbox(&self, agent: &AgentId, request: &InboxRequest<'_>) -> Result<Inbox> {
        let take = || {
            self.settle(agent)?;
            let now = self.clock.now();
            let mut inbox = Inbox::default();
            let mut wanted = Vec::new();
            let asked = Asked::of(request.question);
            for delivery in self.waiting(agent)? {
                let packet = delivery.packet;
                if packet.is_expired(now) {
                    continue;
                }
                let held = delivery
                    .lease
                    .as_ref()
                    .is_some_and(|(turn, _)| turn == request.turn);
                // Work and answers are meant for whoever they are addressed to, whatever is asked next.
                let addressed = !matches!(packet.body, PacketBody::Handoff);
                let relevant = || asked.relevance(&packet) >= request.policy.min_handoff_relevance;
                if held || addressed || relevant() {
                    wanted.push(packet);
                } else {
                    inbox.gated.push(packet.packet_id);
                }
            }
            let ids: Vec<PacketId> = wanted
                .iter()
                .map(|packet| packet.packet_id.clone())
                .collect();
            let lease = PacketLease {
                turn: request.turn.clone(),
                now,
                until: after(now),
            };
            inbox.leased = self
                .storage
                .lease_packets(&self.tenant, agent, &ids, &lease)?;
            for packet in wanted {
                if inbox.leased.contains(&packet.packet_id) {
                    let limit = request.policy.max_handoff_tokens;
                    inbox.blocks.push(block(&packet, limit, request.counter)?);
                } else {
                    inbox.elsewhere.push(packet.packet_id);
                }
            }
            Ok(inbox)
        };
        take().map_err(|error: aura_core::Error| error.during("inbox"))
    }

    /// Lets go of packets that a turn has leased and did not show after all: they wait again.
    ///
    /// # Errors
    /// Those of the store.
    pub fn release(&self, agent: &AgentId, turn: &TurnId, packets: &[PacketId]) -> Result<()> {
        if packets.is_empty() {
            return Ok(());
        }
        let released =
            self.storage
                .settle_packets(&self.tenant, agent, packets, turn, Settlement::Release);
        released
            .map(|_| ())
            .map_err(|error| error.during("release"))
    }

    /// Acknowledges what the complete turns of an agent have shown, and lets go of what failed ones did; says what was
    /// acknowledged. Asking for packets does this too.
    ///
    /// # Errors
    /// `NotFound` naming `agent`; those of the store.
    pub fn settle(&self, agent: &AgentId) -> Result<Vec<PacketId>> {
        let key = self.key(agent)?;
        let mut turns: Vec<(TurnId, Vec<PacketId>)> = Vec::new();
        for delivery in self.waiting(agent)? {
            let Some((turn, _)) = delivery.lease else {
                continue;
            };
            match turns.iter_mut().find(|(known, _)| *known == turn) {
                Some((_, packets)) => packets.push(delivery.packet.packet_id),
                None => turns.push((turn, vec![delivery.packet.packet_id])),
            }
        }
        let mut acknowledged = Vec::new();
        for (turn, packets) in turns {
            let status = self.storage.turn(&key, &turn)?.map(|turn| turn.status);
            let settlement = match status {
                Some(TurnStatus::Complete) => Settlement::Acknowledge(self.clock.now()),
                Some(TurnStatus::Failed) => Settlement::Release,
                Some(TurnStatus::Open) | None => continue,
            };
            let settled =
                self.storage
                    .settle_packets(&self.tenant, agent, &packets, &turn, settlement)?;
            if status == Some(TurnStatus::Complete) {
                acknowledged.extend(settled);
            }
        }
        Ok(acknowledged)
    }

    /// What has not been acknowledged by an agent, in the order sent; what has expired too.
    ///
    /// # Errors
    /// Those of the store.
    pub fn waiting(&self, agent: &AgentId) -> Result<Vec<Delivery>> {
        self.storage.deliveries(
            &self.tenant,
            &DeliveryQuery {
                team: self.name().to_owned(),
                receiver: Some(agent.clone()),
                ..DeliveryQuery::default()
            },
        )
    }
}

fn after(now: Timestamp) -> Timestamp {
    let lease = i64::try_from(LEASE.as_millis()).unwrap_or(i64::MAX);
    Timestamp::from_millis_clamped(now.as_millis().saturating_add(lease))
}

/// A packet as a block: evidence with its labels, never an order.
fn block(packet: &Packet, limit: u32, counter: &dyn TokenCounter) -> Result<Block> {
    Ok(Block {
        block_id: BlockId::new(format!("packet:{}", packet.packet_id))?,
        kind: BlockKind::Packet,
        trust: packet.trust,
        source: Some(format!("agent:{}", packet.from)),
        version: None,
        subject: None,
        // It was sent for this agent to read.
        authority: 0,
        importance: Some(Block::MAX_IMPORTANCE),
        effective_from: None,
        observed_at: Some(packet.recorded_at),
        expires_at: packet.expires_at,
        labels: packet.labels.clone(),
        tokens: None,
        payload: Payload::Text(shown(packet, limit, counter)?),
    })
}

/// The content words of a question.
struct Asked {
    analyzer: Analyzer,
    terms: Vec<String>,
}

impl Asked {
    fn of(question: &str) -> Self {
        let analyzer = Analyzer::english();
        let mut terms = analyzer.terms(question);
        terms.sort_unstable();
        terms.dedup();
        Self { analyzer, terms }
    }

    /// The share of the question's words that the packet has, 0 to 1; 1 for a question without any.
    fn relevance(&self, packet: &Packet) -> f32 {
        if self.terms.is_empty() {
            return 1.0;
        }
        let payload = packet.payload.as_ref().map_or("", |json| json.as_str());
        let text = format!("{} {} {payload}", packet.summary, packet.slots.join(" "));
        let has = self.analyzer.terms(&text);
        let shared = self.terms.iter().filter(|term| has.contains(term)).count();
        shared as f32 / self.terms.len() as f32
    }
}

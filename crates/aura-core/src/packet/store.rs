//! What a store must promise of packets.

use crate::error::Result;
use crate::id::{AgentId, PacketId, SessionId, TenantId, TurnId};
use crate::packet::Packet;
use crate::time::Timestamp;

/// A packet to store, with who shall get it.
#[derive(Debug, Clone, PartialEq)]
pub struct PacketWrite {
    /// The team.
    pub team: String,
    /// The session of the sender: with it the packet is deleted.
    pub session: SessionId,
    /// The packet.
    pub packet: Packet,
    /// Who shall get it.
    pub receivers: Vec<AgentId>,
}

/// A turn that shows packets, and until when they are its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PacketLease {
    /// The turn of the receiver that shows them.
    pub turn: TurnId,
    /// The present.
    pub now: Timestamp,
    /// When another turn may show them, unless this one has been settled before.
    pub until: Timestamp,
}

/// What becomes of packets that a turn has leased.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Settlement {
    /// The turn is complete: they are not delivered again.
    Acknowledge(Timestamp),
    /// The call failed or did not show them: they wait again.
    Release,
}

/// Where the delivery of a packet to one receiver stands.
#[derive(Debug, Clone, PartialEq)]
pub struct Delivery {
    /// The packet.
    pub packet: Packet,
    /// Who shall get it.
    pub receiver: AgentId,
    /// The turn that has leased it, and until when.
    pub lease: Option<(TurnId, Timestamp)>,
    /// When it was acknowledged.
    pub acknowledged_at: Option<Timestamp>,
}

/// Which deliveries to list.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct DeliveryQuery {
    /// The team.
    pub team: String,
    /// Only those to this agent.
    pub receiver: Option<AgentId>,
    /// Only this packet.
    pub packet: Option<PacketId>,
    /// Acknowledged ones too.
    pub settled: bool,
    /// How many at most; 0 is 1,000.
    pub limit: u32,
}

/// Packets and their deliveries. The contract of [`Storage`](crate::storage::Storage) holds here too; packets need no
/// session.
///
/// - Whatever happens between two calls, a delivery that was acknowledged is never leased or released again, and one that
///   was not is never lost but by deletion.
/// - Deliveries are listed in the order in which their packets were stored, by receiver within a packet.
pub trait PacketStorage: Send + Sync {
    /// Stores a packet. The same packet to the same receivers again changes nothing and gives `false`.
    ///
    /// # Errors
    /// `Conflict` naming `packet_id`, when that id is stored with anything else; `Invalid` naming `receivers` when there are none.
    fn put_packet(&self, tenant: &TenantId, write: PacketWrite) -> Result<bool>;

    /// A packet by its id.
    ///
    /// # Errors
    /// Those of the medium.
    fn packet(&self, tenant: &TenantId, packet_id: &PacketId) -> Result<Option<Packet>>;

    /// Deliveries.
    ///
    /// # Errors
    /// Those of the medium.
    fn deliveries(&self, tenant: &TenantId, query: &DeliveryQuery) -> Result<Vec<Delivery>>;

    /// Leases those of `packets` to a receiver's turn that are not acknowledged, not expired and not leased by another
    /// turn whose lease still runs; gives them in the order stored. Leasing again by the same turn moves the end of the lease.
    ///
    /// # Errors
    /// Those of the medium.
    fn lease_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        packets: &[PacketId],
        lease: &PacketLease,
    ) -> Result<Vec<PacketId>>;

    /// Settles those of `packets` that the turn of a receiver holds, also past the end of its lease; gives them in the
    /// order stored.
    ///
    /// # Errors
    /// Those of the medium.
    fn settle_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        packets: &[PacketId],
        turn: &TurnId,
        settlement: Settlement,
    ) -> Result<Vec<PacketId>>;
}

//! Packets of a store that fails when it is told to.

use aura_core::{
    AgentId, Delivery, DeliveryQuery, Packet, PacketId, PacketLease, PacketStorage, PacketWrite,
    Result, Settlement, TenantId, TurnId,
};

use super::FaultStorage;

impl PacketStorage for FaultStorage {
    fn put_packet(&self, tenant: &TenantId, write: PacketWrite) -> Result<bool> {
        self.enter("put_packet")?.put_packet(tenant, write)
    }

    fn packet(&self, tenant: &TenantId, packet_id: &PacketId) -> Result<Option<Packet>> {
        self.enter("packet")?.packet(tenant, packet_id)
    }

    fn deliveries(&self, tenant: &TenantId, query: &DeliveryQuery) -> Result<Vec<Delivery>> {
        self.enter("deliveries")?.deliveries(tenant, query)
    }

    fn lease_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        packets: &[PacketId],
        lease: &PacketLease,
    ) -> Result<Vec<PacketId>> {
        self.enter("lease_packets")?
            .lease_packets(tenant, receiver, packets, lease)
    }

    fn settle_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        packets: &[PacketId],
        turn: &TurnId,
        settlement: Settlement,
    ) -> Result<Vec<PacketId>> {
        self.enter("settle_packets")?
            .settle_packets(tenant, receiver, packets, turn, settlement)
    }
}

//! Packets and their deliveries, in the order stored.

use std::collections::BTreeMap;

use aura_core::{
    AgentId, Delivery, DeliveryQuery, Packet, PacketId, PacketLease, PacketStorage, PacketWrite,
    Result, SessionId, Settlement, TenantId, Timestamp, TurnId,
};

use super::store::MemoryStorage;
use crate::refusal::{no_receivers, packet_differs};

/// How many deliveries a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

/// The packets of all tenants.
#[derive(Default, Clone)]
pub(super) struct Packets(Vec<Stored>);

#[derive(Clone)]
struct Stored {
    tenant: TenantId,
    team: String,
    session: SessionId,
    packet: Packet,
    deliveries: BTreeMap<AgentId, State>,
}

#[derive(Clone, Default, PartialEq)]
struct State {
    lease: Option<(TurnId, Timestamp)>,
    acknowledged_at: Option<Timestamp>,
}

impl Packets {
    fn find(&self, tenant: &TenantId, packet_id: &PacketId) -> Option<&Stored> {
        let mut all = self.0.iter();
        all.find(|stored| stored.tenant == *tenant && stored.packet.packet_id == *packet_id)
    }

    fn put(&mut self, tenant: &TenantId, write: PacketWrite) -> Result<bool> {
        if write.receivers.is_empty() {
            return Err(no_receivers());
        }
        let receivers = write.receivers.into_iter();
        let stored = Stored {
            tenant: tenant.clone(),
            team: write.team,
            session: write.session,
            packet: write.packet,
            deliveries: receivers
                .map(|receiver| (receiver, State::default()))
                .collect(),
        };
        if let Some(known) = self.find(tenant, &stored.packet.packet_id) {
            let same = known.packet == stored.packet
                && known.team == stored.team
                && known.session == stored.session
                && known.deliveries.keys().eq(stored.deliveries.keys());
            return if same {
                Ok(false)
            } else {
                Err(packet_differs())
            };
        }
        self.0.push(stored);
        Ok(true)
    }

    fn list(&self, tenant: &TenantId, query: &DeliveryQuery) -> Vec<Delivery> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        let wanted = self.0.iter().filter(|stored| {
            let packet = query.packet.as_ref();
            stored.tenant == *tenant
                && stored.team == query.team
                && packet.is_none_or(|packet| *packet == stored.packet.packet_id)
        });
        let all = wanted.flat_map(|stored| {
            let deliveries = stored.deliveries.iter();
            deliveries.map(|(receiver, state)| Delivery {
                packet: stored.packet.clone(),
                receiver: receiver.clone(),
                lease: state.lease.clone(),
                acknowledged_at: state.acknowledged_at,
            })
        });
        all.filter(|delivery| {
            let receiver = query.receiver.as_ref();
            receiver.is_none_or(|receiver| *receiver == delivery.receiver)
                && (query.settled || delivery.acknowledged_at.is_none())
        })
        .take(usize::try_from(limit).unwrap_or(usize::MAX))
        .collect()
    }

    /// Changes those of `packets` that are to be delivered to a receiver and that `change` wants to.
    fn change(
        &mut self,
        tenant: &TenantId,
        receiver: &AgentId,
        packets: &[PacketId],
        change: impl Fn(&Packet, &mut State) -> bool,
    ) -> Vec<PacketId> {
        let mut out = Vec::new();
        for stored in self.0.iter_mut().filter(|stored| stored.tenant == *tenant) {
            if !packets.contains(&stored.packet.packet_id) {
                continue;
            }
            let state = stored.deliveries.get_mut(receiver);
            let Some(state) = state.filter(|state| state.acknowledged_at.is_none()) else {
                continue;
            };
            if change(&stored.packet, state) {
                out.push(stored.packet.packet_id.clone());
            }
        }
        out
    }

    /// Removes the packets that were sent from a session; their ids.
    pub(super) fn remove_of(&mut self, tenant: &TenantId, session: &SessionId) -> Vec<PacketId> {
        let mut out = Vec::new();
        self.0.retain(|stored| {
            let gone = stored.tenant == *tenant && stored.session == *session;
            if gone {
                out.push(stored.packet.packet_id.clone());
            }
            !gone
        });
        out
    }
}

impl PacketStorage for MemoryStorage {
    fn put_packet(&self, tenant: &TenantId, write: PacketWrite) -> Result<bool> {
        self.write("put_packet", |state| state.packets.put(tenant, write))
    }

    fn packet(&self, tenant: &TenantId, packet_id: &PacketId) -> Result<Option<Packet>> {
        self.read("packet", |state| {
            let found = state.packets.find(tenant, packet_id);
            Ok(found.map(|stored| stored.packet.clone()))
        })
    }

    fn deliveries(&self, tenant: &TenantId, query: &DeliveryQuery) -> Result<Vec<Delivery>> {
        self.read("deliveries", |state| Ok(state.packets.list(tenant, query)))
    }

    fn lease_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        packets: &[PacketId],
        lease: &PacketLease,
    ) -> Result<Vec<PacketId>> {
        self.write("lease_packets", |state| {
            Ok(state
                .packets
                .change(tenant, receiver, packets, |packet, delivery| {
                    let held = delivery.lease.as_ref();
                    let by_another =
                        held.is_some_and(|(turn, until)| *turn != lease.turn && *until > lease.now);
                    if by_another || packet.is_expired(lease.now) {
                        return false;
                    }
                    delivery.lease = Some((lease.turn.clone(), lease.until));
                    true
                }))
        })
    }

    fn settle_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        packets: &[PacketId],
        turn: &TurnId,
        settlement: Settlement,
    ) -> Result<Vec<PacketId>> {
        self.write("settle_packets", |state| {
            Ok(state
                .packets
                .change(tenant, receiver, packets, |_, delivery| {
                    let own = delivery
                        .lease
                        .as_ref()
                        .is_some_and(|(held, _)| held == turn);
                    if own {
                        delivery.lease = None;
                        if let Settlement::Acknowledge(at) = settlement {
                            delivery.acknowledged_at = Some(at);
                        }
                    }
                    own
                }))
        })
    }
}

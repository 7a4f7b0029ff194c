//! Packets: one row each, and one for each of their deliveries.

use aura_core::{
    AgentId, Delivery, DeliveryQuery, Packet, PacketId, PacketLease, PacketStorage, PacketWrite,
    Result, Settlement, TenantId, Timestamp, TurnId, json,
};
use rusqlite::{Connection, Row};

use crate::refusal::{no_receivers, packet_differs};
use crate::sqlite::query::{all, one, run};
use crate::sqlite::sessions::{Id, Json};
use crate::sqlite::statements::packets;
use crate::sqlite::store::SqliteStorage;

/// How many deliveries a query without a limit lists.
const DEFAULT_LIMIT: u32 = 1_000;

impl PacketStorage for SqliteStorage {
    fn put_packet(&self, tenant: &TenantId, write: PacketWrite) -> Result<bool> {
        let tenant = tenant.clone();
        self.write("put_packet", move |writer| {
            writer.guard()?;
            put(writer.conn(), &tenant, &write)
        })
    }

    fn packet(&self, tenant: &TenantId, packet_id: &PacketId) -> Result<Option<Packet>> {
        self.read("packet", |conn| {
            let params = (tenant.as_str(), packet_id.as_str());
            let found = one(conn, packets::GET, params, |row| row.get::<_, Json<_>>(3))?;
            Ok(found.map(|packet| packet.0))
        })
    }

    fn deliveries(&self, tenant: &TenantId, query: &DeliveryQuery) -> Result<Vec<Delivery>> {
        let limit = match query.limit {
            0 => DEFAULT_LIMIT,
            limit => limit,
        };
        let params = (
            tenant.as_str(),
            &query.team,
            query.receiver.as_ref().map(AgentId::as_str),
            query.packet.as_ref().map(PacketId::as_str),
            query.settled,
            limit,
        );
        self.read("deliveries", |conn| {
            all(conn, packets::DELIVERIES, params, |row| {
                delivery(row).map(Ok)
            })
        })
    }

    fn lease_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        wanted: &[PacketId],
        lease: &PacketLease,
    ) -> Result<Vec<PacketId>> {
        let (tenant, receiver) = (tenant.clone(), receiver.clone());
        let (wanted, lease) = (ids(wanted)?, lease.clone());
        self.write("lease_packets", move |writer| {
            writer.guard()?;
            let params = (
                tenant.as_str(),
                receiver.as_str(),
                &wanted,
                lease.turn.as_str(),
                lease.now.as_millis(),
                lease.until.as_millis(),
            );
            changed(writer.conn(), packets::LEASE, params)
        })
    }

    fn settle_packets(
        &self,
        tenant: &TenantId,
        receiver: &AgentId,
        wanted: &[PacketId],
        turn: &TurnId,
        settlement: Settlement,
    ) -> Result<Vec<PacketId>> {
        let (tenant, receiver) = (tenant.clone(), receiver.clone());
        let (wanted, turn) = (ids(wanted)?, turn.clone());
        self.write("settle_packets", move |writer| {
            writer.guard()?;
            let at = match settlement {
                Settlement::Acknowledge(at) => Some(at.as_millis()),
                Settlement::Release => None,
            };
            let params = (
                tenant.as_str(),
                receiver.as_str(),
                &wanted,
                turn.as_str(),
                at,
            );
            changed(writer.conn(), packets::SETTLE, params)
        })
    }
}

fn put(conn: &Connection, tenant: &TenantId, write: &PacketWrite) -> Result<bool> {
    let mut receivers: Vec<&str> = write.receivers.iter().map(AgentId::as_str).collect();
    receivers.sort_unstable();
    receivers.dedup();
    if receivers.is_empty() {
        return Err(no_receivers());
    }
    let id = write.packet.packet_id.as_str();
    let found = one(conn, packets::GET, (tenant.as_str(), id), |row| {
        let no: i64 = row.get(0)?;
        Ok((
            no,
            row.get::<_, String>(1)?,
            row.get::<_, String>(2)?,
            row.get::<_, Json<Packet>>(3)?.0,
        ))
    })?;
    if let Some((no, team, session, packet)) = found {
        let stored = all(conn, packets::RECEIVERS, [no], |row| {
            row.get::<_, String>(0).map(Ok)
        })?;
        let same = packet == write.packet
            && team == write.team
            && session == write.session.as_str()
            && stored == receivers;
        return if same {
            Ok(false)
        } else {
            Err(packet_differs())
        };
    }
    let params = (
        tenant.as_str(),
        &write.team,
        id,
        write.session.as_str(),
        json::to_string(&write.packet)?,
        write.packet.expires_at.map(Timestamp::as_millis),
    );
    run(conn, packets::PUT, params)?;
    let no = conn.last_insert_rowid();
    for receiver in receivers {
        run(conn, packets::DELIVER, (no, receiver))?;
    }
    Ok(true)
}

fn ids(packets: &[PacketId]) -> Result<String> {
    json::to_string(&packets.iter().map(PacketId::as_str).collect::<Vec<_>>())
}

/// Runs a statement that gives the numbers and ids of what it changed; the ids in the order stored.
fn changed(conn: &Connection, sql: &str, params: impl rusqlite::Params) -> Result<Vec<PacketId>> {
    let mut rows = all(conn, sql, params, |row| {
        Ok(Ok((
            row.get::<_, i64>(0)?,
            row.get::<_, Id<PacketId>>(1)?.0,
        )))
    })?;
    rows.sort_by_key(|(no, _)| *no);
    Ok(rows.into_iter().map(|(_, id)| id).collect())
}

fn delivery(row: &Row<'_>) -> rusqlite::Result<Delivery> {
    let turn = row.get::<_, Option<Id<TurnId>>>(2)?.map(|turn| turn.0);
    let time = |at: usize| -> rusqlite::Result<Option<Timestamp>> {
        Ok(row
            .get::<_, Option<i64>>(at)?
            .map(Timestamp::from_millis_clamped))
    };
    Ok(Delivery {
        packet: row.get::<_, Json<_>>(0)?.0,
        receiver: row.get::<_, Id<AgentId>>(1)?.0,
        lease: turn.zip(time(3)?),
        acknowledged_at: time(4)?,
    })
}

-- Packets between agents, and where the delivery of each to each of its receivers stands.
CREATE TABLE packets (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    team TEXT NOT NULL,
    packet_id TEXT NOT NULL,
    -- The session of the sender.
    session_id TEXT NOT NULL,
    packet TEXT NOT NULL,
    expires_at INTEGER,
    UNIQUE (tenant, packet_id)
) STRICT;
CREATE INDEX packets_of_sessions ON packets (session_id);

CREATE TABLE deliveries (
    packet INTEGER NOT NULL,
    receiver TEXT NOT NULL,
    -- The turn of the receiver that shows it, and until when it is that turn's.
    lease_turn TEXT,
    lease_until INTEGER,
    acknowledged_at INTEGER,
    PRIMARY KEY (packet, receiver)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_open ON deliveries (receiver, packet) WHERE acknowledged_at IS NULL;

//! Every SQL statement of this backend, but for the migrations.

/// The migrations in order: the first makes version 1 of the schema.
pub(super) const MIGRATIONS: [&str; 8] = [
    include_str!("../../migrations/0001_log.sql"),
    include_str!("../../migrations/0002_vectors.sql"),
    include_str!("../../migrations/0003_policies.sql"),
    include_str!("../../migrations/0004_deletion.sql"),
    include_str!("../../migrations/0005_memories.sql"),
    include_str!("../../migrations/0006_compilations.sql"),
    include_str!("../../migrations/0007_checkpoints.sql"),
    include_str!("../../migrations/0008_packets.sql"),
];

pub(super) const BEGIN_WRITE: &str = "BEGIN IMMEDIATE";
pub(super) const BEGIN_READ: &str = "BEGIN DEFERRED";
pub(super) const COMMIT: &str = "COMMIT";
pub(super) const ROLLBACK: &str = "ROLLBACK";
pub(super) const SAVEPOINT: &str = "SAVEPOINT one";
pub(super) const RELEASE: &str = "RELEASE one";
pub(super) const ROLLBACK_TO: &str = "ROLLBACK TO one";
pub(super) const DATA_VERSION: &str = "PRAGMA data_version";
pub(super) const QUICK_CHECK: &str = "PRAGMA quick_check";
pub(super) const COUNT_TABLES: &str = "SELECT count(*) FROM sqlite_schema";

pub(super) mod sessions {
    pub(in crate::sqlite) const FIND: &str = "SELECT no, session_id, tenant, user, agent, \
        created_at, change_seq, purge_seq, head, distilled_next, distilled_open, \
        distilled_commits FROM sessions WHERE session_id = ?1";
    pub(in crate::sqlite) const OWNER: &str =
        "SELECT no, tenant FROM sessions WHERE session_id = ?1";
    pub(in crate::sqlite) const LIST: &str = "SELECT no, session_id, tenant, user, agent, \
        created_at, change_seq, purge_seq, head, distilled_next, distilled_open, \
        distilled_commits FROM sessions \
        WHERE tenant = ?1 AND session_id > ?2 \
        AND (?3 IS NULL OR user = ?3) AND (?4 IS NULL OR agent = ?4) \
        ORDER BY session_id LIMIT ?5";
    pub(in crate::sqlite) const INSERT: &str = "INSERT INTO sessions \
        (session_id, tenant, user, agent, created_at) VALUES (?1, ?2, ?3, ?4, ?5)";
    pub(in crate::sqlite) const PURGE_SEQ: &str = "SELECT purge_seq FROM sessions WHERE no = ?1";
    pub(in crate::sqlite) const BURIED: &str =
        "SELECT 1 FROM deleted_sessions WHERE id_digest = ?1";
    pub(in crate::sqlite) const SET_HEAD: &str =
        "UPDATE sessions SET change_seq = ?2, head = ?3 WHERE no = ?1";
    pub(in crate::sqlite) const SET_DISTILLED: &str = "UPDATE sessions SET change_seq = ?2, \
        head = ?3, distilled_next = ?4, distilled_open = ?5, distilled_commits = ?6 WHERE no = ?1";
    pub(in crate::sqlite) const BEHIND: &str = "SELECT no, tenant, session_id, distilled_next, \
        distilled_open FROM sessions WHERE distilled_open <> '[]' OR distilled_next < \
        (SELECT turns FROM log WHERE pos < ((no + 1) << 32) ORDER BY pos DESC LIMIT 1) \
        ORDER BY no";
}

pub(super) mod log {
    /// The last row of a session, whose first possible position is ?1 and whose last is ?2.
    pub(in crate::sqlite) const LAST: &str = "SELECT pos, count, change_seq, turns, head \
        FROM log WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos DESC LIMIT 1";
    pub(in crate::sqlite) const INSERT: &str = "INSERT INTO log (pos, count, change_seq, turns, \
        head, turn, status, parent, recorded_at, turn_key, body) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11)";
    pub(in crate::sqlite) const TURN: &str = "SELECT pos, count, turn, status, parent, \
        recorded_at, turn_key FROM log WHERE turn_key = ?1";
    /// The first rows of turns between two positions.
    pub(in crate::sqlite) const TURNS: &str = "SELECT pos, count, turn, status, parent, \
        recorded_at, turn_key FROM log WHERE pos BETWEEN ?1 AND ?2 AND turn_key IS NOT NULL \
        ORDER BY pos";
    pub(in crate::sqlite) const TURN_BODIES: &str = "SELECT pos, count, turn, status, parent, \
        recorded_at, turn_key, body FROM log WHERE pos BETWEEN ?1 AND ?2 \
        AND turn_key IS NOT NULL ORDER BY pos";
    /// The row that holds a position, and how many turns there were after it.
    pub(in crate::sqlite) const TURNS_AT: &str = "SELECT pos, turns FROM log \
        WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos DESC LIMIT 1";
    pub(in crate::sqlite) const BODY_AT: &str = "SELECT pos, count, turn, recorded_at, body \
        FROM log WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos DESC LIMIT 1";
    pub(in crate::sqlite) const BODIES: &str = "SELECT pos, count, turn, recorded_at, body \
        FROM log WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos";
}

pub(super) mod changes {
    pub(in crate::sqlite) const PUT: &str = "INSERT INTO turn_changes (pos, status, events) \
        VALUES (?1, ?2, ?3) ON CONFLICT (pos) DO UPDATE SET status = excluded.status, \
        events = excluded.events";
    pub(in crate::sqlite) const BETWEEN: &str =
        "SELECT pos, status, events FROM turn_changes WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos";
}

pub(super) mod facts {
    pub(in crate::sqlite) const LAST: &str =
        "SELECT pos FROM facts WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos DESC LIMIT 1";
    pub(in crate::sqlite) const INSERT: &str =
        "INSERT INTO facts (pos, turn, change) VALUES (?1, ?2, ?3)";
    pub(in crate::sqlite) const BETWEEN: &str =
        "SELECT turn, change FROM facts WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos";
}

pub(super) mod compilations {
    pub(in crate::sqlite) const PUT: &str = "INSERT INTO manifests \
        (tenant, request_id, session_id, now, manifest) VALUES (?1, ?2, ?3, ?4, ?5) \
        ON CONFLICT DO NOTHING";
    pub(in crate::sqlite) const NUMBER: &str =
        "SELECT no FROM manifests WHERE tenant = ?1 AND request_id = ?2";
    pub(in crate::sqlite) const GET: &str = "SELECT m.manifest, l.link, o.outcome \
        FROM manifests AS m LEFT JOIN links AS l ON l.tenant = m.tenant \
        AND l.request_id = m.request_id AND l.session_id = m.session_id \
        LEFT JOIN outcomes AS o ON o.tenant = m.tenant AND o.request_id = m.request_id \
        WHERE m.tenant = ?1 AND m.request_id = ?2";
    pub(in crate::sqlite) const OF_TENANT: &str = "SELECT m.manifest, l.link, o.outcome \
        FROM manifests AS m LEFT JOIN links AS l ON l.tenant = m.tenant \
        AND l.request_id = m.request_id AND l.session_id = m.session_id \
        LEFT JOIN outcomes AS o ON o.tenant = m.tenant AND o.request_id = m.request_id \
        WHERE m.tenant = ?1 AND m.now >= ?2 AND m.now < ?3 \
        ORDER BY m.now DESC, m.no DESC LIMIT ?4";
    pub(in crate::sqlite) const OF_SESSION: &str = "SELECT m.manifest, l.link, o.outcome \
        FROM manifests AS m LEFT JOIN links AS l ON l.tenant = m.tenant \
        AND l.request_id = m.request_id AND l.session_id = m.session_id \
        LEFT JOIN outcomes AS o ON o.tenant = m.tenant AND o.request_id = m.request_id \
        WHERE +m.tenant = ?1 AND m.now >= ?2 AND m.now < ?3 AND m.session_id = ?5 \
        ORDER BY m.now DESC, m.no DESC LIMIT ?4";
    pub(in crate::sqlite) const LINK: &str = "INSERT OR REPLACE INTO links \
        (tenant, request_id, session_id, link) VALUES (?1, ?2, ?3, ?4)";
    /// The report of a request whose manifest is kept, NULL where there is none yet.
    pub(in crate::sqlite) const OUTCOME: &str = "SELECT o.outcome FROM manifests AS m \
        LEFT JOIN outcomes AS o ON o.tenant = m.tenant AND o.request_id = m.request_id \
        WHERE m.tenant = ?1 AND m.request_id = ?2";
    pub(in crate::sqlite) const PUT_OUTCOME: &str = "INSERT OR REPLACE INTO outcomes \
        (tenant, request_id, outcome) VALUES (?1, ?2, ?3)";
    pub(in crate::sqlite) const PUT_PLAN: &str = "INSERT OR REPLACE INTO plans \
        (session_id, turn_id, tenant, plan, request_id) VALUES (?1, ?2, ?3, ?4, ?5)";
    pub(in crate::sqlite) const PLAN: &str =
        "SELECT plan FROM plans WHERE session_id = ?1 AND turn_id = ?2 AND tenant = ?3";

    pub(in crate::sqlite) const PUT_CALL: &str = "INSERT INTO replays (no, call) VALUES (?1, ?2)";
    pub(in crate::sqlite) const FIND_PART: &str =
        "SELECT no FROM inputs WHERE tenant = ?1 AND digest = ?2";
    pub(in crate::sqlite) const PUT_PART: &str =
        "INSERT INTO inputs (tenant, digest, bytes) VALUES (?1, ?2, ?3)";
    pub(in crate::sqlite) const PUT_USE: &str =
        "INSERT INTO input_uses (manifest, input) VALUES (?1, ?2) ON CONFLICT DO NOTHING";
    pub(in crate::sqlite) const CALL: &str = "SELECT r.no, r.call FROM manifests AS m \
        JOIN replays AS r ON r.no = m.no WHERE m.tenant = ?1 AND m.request_id = ?2";
    pub(in crate::sqlite) const PARTS: &str = "SELECT i.digest, i.bytes FROM input_uses AS u \
        JOIN inputs AS i ON i.no = u.input WHERE u.manifest = ?1 ORDER BY i.no";

    /// The first tenant after ?1 that has manifests.
    pub(in crate::sqlite) const NEXT_TENANT: &str =
        "SELECT min(tenant) FROM manifests WHERE tenant > ?1";
    pub(in crate::sqlite) const DOOMED_OF_TENANT: &str = "SELECT no, request_id, session_id \
        FROM manifests WHERE tenant = ?1 AND now < ?2 ORDER BY now, no LIMIT ?3";
    pub(in crate::sqlite) const DOOMED_OF_SESSION: &str = "SELECT no, request_id, session_id \
        FROM manifests WHERE +tenant = ?1 AND now < ?2 AND session_id = ?4 \
        ORDER BY now, no LIMIT ?3";
    pub(in crate::sqlite) const FORGET: &str = "DELETE FROM manifests WHERE no = ?1";
    pub(in crate::sqlite) const FORGET_CALL: &str = "DELETE FROM replays WHERE no = ?1";
    pub(in crate::sqlite) const USES: &str = "SELECT input FROM input_uses WHERE manifest = ?1";
    pub(in crate::sqlite) const FORGET_USES: &str = "DELETE FROM input_uses WHERE manifest = ?1";
    pub(in crate::sqlite) const FORGET_PART: &str = "DELETE FROM inputs WHERE no = ?1 \
        AND NOT EXISTS (SELECT 1 FROM input_uses WHERE input = ?1)";
    pub(in crate::sqlite) const FORGET_OUTCOME: &str =
        "DELETE FROM outcomes WHERE tenant = ?1 AND request_id = ?2";
    pub(in crate::sqlite) const FORGET_LINK: &str =
        "DELETE FROM links WHERE tenant = ?1 AND request_id = ?2 AND session_id = ?3";
    pub(in crate::sqlite) const FORGET_PLANS: &str =
        "DELETE FROM plans WHERE session_id = ?3 AND tenant = ?1 AND request_id = ?2";
}

pub(super) mod snapshots {
    pub(in crate::sqlite) const PUT: &str = "INSERT OR REPLACE INTO snapshots \
        (session, name, change_seq, bytes) VALUES (?1, ?2, ?3, ?4)";
    pub(in crate::sqlite) const GET: &str =
        "SELECT change_seq, bytes FROM snapshots WHERE session = ?1 AND name = ?2";
    pub(in crate::sqlite) const LIST: &str = "SELECT name, change_seq, bytes FROM snapshots \
        WHERE session = ?1 AND name >= ?2 AND substr(name, 1, length(?2)) = ?2 ORDER BY name";
    pub(in crate::sqlite) const NAMES: &str = "SELECT name FROM snapshots \
        WHERE session = ?1 AND name >= ?2 AND substr(name, 1, length(?2)) = ?2";
    pub(in crate::sqlite) const DELETE: &str =
        "DELETE FROM snapshots WHERE session = ?1 AND name = ?2";
}

pub(super) mod artifacts {
    pub(in crate::sqlite) const NEWEST: &str = "SELECT version, digest, length, mime, \
        recorded_at FROM artifacts WHERE tenant = ?1 AND name = ?2 ORDER BY version DESC LIMIT 1";
    pub(in crate::sqlite) const GET: &str = "SELECT version, digest, length, mime, recorded_at \
        FROM artifacts WHERE tenant = ?1 AND name = ?2 AND version = ?3";
    pub(in crate::sqlite) const INSERT: &str = "INSERT INTO artifacts (tenant, name, version, \
        digest, length, mime, recorded_at, refs, user, session_id) \
        VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, 1, ?8, ?9) \
        ON CONFLICT DO UPDATE SET refs = refs + 1";
    pub(in crate::sqlite) const INSERT_BYTES: &str = "INSERT INTO blobs (tenant, digest, bytes) \
        VALUES (?1, ?2, ?3) ON CONFLICT DO NOTHING";
    pub(in crate::sqlite) const BYTES: &str =
        "SELECT bytes FROM blobs WHERE tenant = ?1 AND digest = ?2";
    pub(in crate::sqlite) const HAS_BYTES: &str =
        "SELECT 1 FROM blobs WHERE tenant = ?1 AND digest = ?2";
    pub(in crate::sqlite) const RANGE: &str =
        "SELECT substr(bytes, ?3, ?4) FROM blobs WHERE tenant = ?1 AND digest = ?2";
    pub(in crate::sqlite) const VERSIONS: &str = "SELECT version, digest, length, mime, \
        recorded_at FROM artifacts WHERE tenant = ?1 AND name = ?2 AND refs > 0 ORDER BY version";
    pub(in crate::sqlite) const DROP: &str =
        "DELETE FROM artifacts WHERE tenant = ?1 AND name = ?2 AND version = ?3";
    pub(in crate::sqlite) const PUT_PART: &str = "INSERT INTO blob_parts \
        (tenant, digest, at, part, length) VALUES (?1, ?2, ?3, ?4, ?5)";
    pub(in crate::sqlite) const PARTS: &str =
        "SELECT part, length FROM blob_parts WHERE tenant = ?1 AND digest = ?2 ORDER BY at";
    pub(in crate::sqlite) const ALL: &str = "SELECT tenant, name, version, digest, length, refs \
        FROM artifacts WHERE refs > 0 ORDER BY tenant, name, version";
    pub(in crate::sqlite) const ORPHANS: &str = "SELECT lower(hex(b.digest)) FROM blobs AS b \
        WHERE NOT EXISTS (SELECT 1 FROM artifacts AS a WHERE a.tenant = b.tenant \
        AND a.digest = b.digest AND a.refs > 0) AND NOT EXISTS (SELECT 1 FROM blob_parts AS p \
        WHERE p.tenant = b.tenant AND p.part = b.digest)";
}

pub(super) mod policies {
    pub(in crate::sqlite) const PUT: &str = "INSERT INTO policies \
        (tenant, subject, version, policy, proposed) VALUES (?1, ?2, ?3, ?4, ?5)";
    pub(in crate::sqlite) const APPROVE: &str = "UPDATE policies SET approved = ?4 \
        WHERE tenant = ?1 AND subject = ?2 AND version = ?3 AND approved IS NULL";
    pub(in crate::sqlite) const GET: &str = "SELECT policy, proposed, approved FROM policies \
        WHERE tenant = ?1 AND subject = ?2 AND version = ?3";
    pub(in crate::sqlite) const LIST: &str = "SELECT policy, proposed, approved FROM policies \
        WHERE tenant = ?1 AND (?2 IS NULL OR subject = ?2) \
        AND (approved IS NOT NULL OR NOT ?3) ORDER BY subject, no LIMIT ?4 OFFSET ?5";
}

pub(super) mod packets {
    pub(in crate::sqlite) const PUT: &str = "INSERT INTO packets (tenant, team, packet_id, session_id, packet, \
        expires_at) VALUES (?1, ?2, ?3, ?4, ?5, ?6)";
    pub(in crate::sqlite) const DELIVER: &str =
        "INSERT INTO deliveries (packet, receiver) VALUES (?1, ?2)";
    pub(in crate::sqlite) const GET: &str = "SELECT no, team, session_id, packet FROM packets WHERE tenant = ?1 AND \
        packet_id = ?2";
    pub(in crate::sqlite) const RECEIVERS: &str = "SELECT receiver FROM deliveries WHERE packet = ?1 ORDER BY \
        receiver";
    pub(in crate::sqlite) const DELIVERIES: &str = "SELECT p.packet, d.receiver, d.lease_turn, d.lease_until, \
        d.acknowledged_at FROM packets p JOIN deliveries d ON d.packet = p.no WHERE p.tenant = ?1 AND p.team = ?2 \
        AND (?3 IS NULL OR d.receiver = ?3) AND (?4 IS NULL OR p.packet_id = ?4) AND (d.acknowledged_at IS NULL OR \
        ?5) ORDER BY p.no, d.receiver LIMIT ?6";
    /// ?3 is a JSON array of packet ids.
    pub(in crate::sqlite) const LEASE: &str = "UPDATE deliveries SET lease_turn = ?4, lease_until = ?6 FROM packets p \
        WHERE p.no = deliveries.packet AND p.tenant = ?1 AND p.packet_id IN (SELECT value FROM json_each(?3)) AND \
        (p.expires_at IS NULL OR p.expires_at > ?5) AND receiver = ?2 AND acknowledged_at IS NULL AND (lease_turn IS \
        NULL OR lease_turn = ?4 OR lease_until <= ?5) RETURNING packet, (SELECT packet_id FROM packets WHERE no = \
        deliveries.packet)";
    pub(in crate::sqlite) const SETTLE: &str = "UPDATE deliveries SET lease_turn = NULL, lease_until = NULL, \
        acknowledged_at = ?5 FROM packets p WHERE p.no = deliveries.packet AND p.tenant = ?1 AND p.packet_id IN \
        (SELECT value FROM json_each(?3)) AND receiver = ?2 AND acknowledged_at IS NULL AND lease_turn = ?4 RETURNING \
        packet, (SELECT packet_id FROM packets WHERE no = deliveries.packet)";
    pub(in crate::sqlite) const OF_SESSION: &str = "SELECT no, packet_id FROM packets WHERE tenant = ?1 AND \
        session_id = ?2 ORDER BY no";
    pub(in crate::sqlite) const DROP: &str = "DELETE FROM deliveries WHERE packet = ?1";
    pub(in crate::sqlite) const DELETE: &str = "DELETE FROM packets WHERE no = ?1";
}

pub(super) mod vectors {
    pub(in crate::sqlite) const PUT_SET: &str = "INSERT INTO vector_sets \
        (session, model, dimension, next) VALUES (?1, ?2, ?3, ?4) \
        ON CONFLICT (session, model) DO UPDATE SET next = max(next, excluded.next) \
        RETURNING no, dimension";
    pub(in crate::sqlite) const FIND_SET: &str =
        "SELECT no FROM vector_sets WHERE session = ?1 AND model = ?2";
    pub(in crate::sqlite) const SETS: &str =
        "SELECT model, dimension, next FROM vector_sets WHERE session = ?1 ORDER BY no";
    pub(in crate::sqlite) const PUT: &str = "INSERT INTO vectors (pos, bytes) VALUES (?1, ?2) \
        ON CONFLICT (pos) DO UPDATE SET bytes = excluded.bytes";
    pub(in crate::sqlite) const BETWEEN: &str =
        "SELECT pos, bytes FROM vectors WHERE pos BETWEEN ?1 AND ?2 ORDER BY pos LIMIT ?3";
    pub(in crate::sqlite) const DELETE_BETWEEN: &str =
        "DELETE FROM vectors WHERE pos BETWEEN ?1 AND ?2";
    pub(in crate::sqlite) const DELETE_SET: &str = "DELETE FROM vector_sets WHERE no = ?1";
    pub(in crate::sqlite) const BEHIND: &str = "SELECT s.tenant, s.session_id \
        FROM sessions AS s LEFT JOIN vector_sets AS v ON v.session = s.no AND v.model = ?1 \
        WHERE coalesce(v.next, 1) <= (SELECT (pos & 4294967295) + count - 1 FROM log \
        WHERE pos BETWEEN s.no << 32 AND (s.no << 32) + 4294967295 ORDER BY pos DESC LIMIT 1) \
        ORDER BY s.no LIMIT ?2";
}

pub(super) mod deletion {
    pub(in crate::sqlite) const BEGIN: &str = "INSERT INTO deletions \
        (tenant, deletion_id, state, step, receipt, needles) VALUES (?1, ?2, 0, 0, ?3, ?4)";
    pub(in crate::sqlite) const GET: &str = "SELECT step, receipt, needles FROM deletions \
        WHERE tenant = ?1 AND deletion_id = ?2";
    pub(in crate::sqlite) const KEEP: &str = "UPDATE deletions SET state = ?3, step = ?4, \
        receipt = ?5, needles = ?6 WHERE tenant = ?1 AND deletion_id = ?2";
    pub(in crate::sqlite) const LIST: &str = "SELECT receipt FROM deletions \
        WHERE (?1 IS NULL OR tenant = ?1) AND (state < 2 OR NOT ?2) ORDER BY no DESC LIMIT ?3";
    pub(in crate::sqlite) const PUT_HOLD: &str =
        "INSERT OR REPLACE INTO holds (tenant, hold_id, hold) VALUES (?1, ?2, ?3)";
    pub(in crate::sqlite) const RELEASE_HOLD: &str =
        "DELETE FROM holds WHERE tenant = ?1 AND hold_id = ?2";
    pub(in crate::sqlite) const HOLDS: &str =
        "SELECT hold FROM holds WHERE tenant = ?1 ORDER BY hold_id";
    pub(in crate::sqlite) const USER_OF_SESSION: &str =
        "SELECT user FROM sessions WHERE tenant = ?1 AND session_id = ?2";
    pub(in crate::sqlite) const USER_OF_ARTIFACT: &str = "SELECT user FROM artifacts \
        WHERE tenant = ?1 AND name = ?2 AND user IS NOT NULL LIMIT 1";
    pub(in crate::sqlite) const USER_OF_MEMORY: &str =
        "SELECT user FROM memories WHERE tenant = ?1 AND memory_id = ?2";
    pub(in crate::sqlite) const SESSION_OF_USER: &str = "SELECT session_id FROM sessions \
        WHERE tenant = ?1 AND user = ?2 AND session_id > ?3 ORDER BY session_id LIMIT 1";
    pub(in crate::sqlite) const SESSION: &str = "DELETE FROM sessions WHERE no = ?1";
    pub(in crate::sqlite) const BURY: &str =
        "INSERT OR IGNORE INTO deleted_sessions (id_digest) VALUES (?1)";
    pub(in crate::sqlite) const LOG: &str = "DELETE FROM log WHERE pos BETWEEN ?1 AND ?2";
    pub(in crate::sqlite) const TURN_CHANGES: &str =
        "DELETE FROM turn_changes WHERE pos BETWEEN ?1 AND ?2";
    pub(in crate::sqlite) const FACTS: &str = "DELETE FROM facts WHERE pos BETWEEN ?1 AND ?2";
    pub(in crate::sqlite) const SET_BODY: &str = "UPDATE log SET body = ?2 WHERE pos = ?1";
    pub(in crate::sqlite) const PURGED: &str = "UPDATE sessions SET change_seq = ?2, \
        purge_seq = ?2, head = ?3, distilled_commits = distilled_commits + 1 WHERE no = ?1";
    pub(in crate::sqlite) const SNAPSHOT_NAMES: &str =
        "SELECT name FROM snapshots WHERE session = ?1 ORDER BY name";
    pub(in crate::sqlite) const SNAPSHOTS: &str = "DELETE FROM snapshots WHERE session = ?1";
    pub(in crate::sqlite) const VECTOR_SETS: &str =
        "SELECT no, model FROM vector_sets WHERE session = ?1 ORDER BY no";
    pub(in crate::sqlite) const VECTOR_SET: &str = "DELETE FROM vector_sets WHERE no = ?1";
    pub(in crate::sqlite) const COUNT_VECTORS: &str =
        "SELECT count(*) FROM vectors WHERE pos BETWEEN ?1 AND ?2";
    pub(in crate::sqlite) const VECTORS: &str = "DELETE FROM vectors WHERE pos BETWEEN ?1 AND ?2";
    pub(in crate::sqlite) const REQUESTS: &str =
        "SELECT request_id FROM manifests WHERE +tenant = ?1 AND session_id = ?2 ORDER BY now, no";
    pub(in crate::sqlite) const GIVEN: &str = "SELECT m.request_id FROM manifests AS m \
        JOIN replays AS r ON r.no = m.no WHERE +m.tenant = ?1 AND m.session_id = ?2 \
        ORDER BY m.now, m.no";
    pub(in crate::sqlite) const CALLS: &str = "DELETE FROM replays WHERE no IN \
        (SELECT no FROM manifests WHERE +tenant = ?1 AND session_id = ?2)";
    pub(in crate::sqlite) const USES: &str = "DELETE FROM input_uses WHERE manifest IN \
        (SELECT no FROM manifests WHERE +tenant = ?1 AND session_id = ?2)";
    pub(in crate::sqlite) const UNUSED: &str = "DELETE FROM inputs WHERE tenant = ?1 AND \
        NOT EXISTS (SELECT 1 FROM input_uses WHERE input = inputs.no)";
    pub(in crate::sqlite) const OUTCOMES: &str = "DELETE FROM outcomes WHERE tenant = ?1 AND \
        request_id IN (SELECT request_id FROM manifests WHERE +tenant = ?1 AND session_id = ?2)";
    pub(in crate::sqlite) const MANIFESTS: &str =
        "DELETE FROM manifests WHERE +tenant = ?1 AND session_id = ?2";
    pub(in crate::sqlite) const LINKED: &str =
        "SELECT request_id FROM links WHERE tenant = ?1 AND session_id = ?2";
    pub(in crate::sqlite) const LINKS: &str =
        "DELETE FROM links WHERE tenant = ?1 AND session_id = ?2";
    pub(in crate::sqlite) const PLANNED: &str =
        "SELECT turn_id FROM plans WHERE tenant = ?1 AND session_id = ?2 ORDER BY turn_id";
    pub(in crate::sqlite) const PLANS: &str =
        "DELETE FROM plans WHERE tenant = ?1 AND session_id = ?2";
    pub(in crate::sqlite) const VERSIONS: &str = "SELECT name, version, digest FROM artifacts \
        WHERE tenant = ?1 AND name = ?2 AND (?3 IS NULL OR version = ?3) AND refs > 0";
    pub(in crate::sqlite) const VERSIONS_OF_USER: &str = "SELECT name, version, digest \
        FROM artifacts WHERE tenant = ?1 AND user = ?2 AND refs > 0";
    pub(in crate::sqlite) const VERSIONS_OF_SESSION: &str = "SELECT name, version, digest \
        FROM artifacts WHERE tenant = ?1 AND session_id = ?2 AND refs > 0";
    pub(in crate::sqlite) const EMPTY_VERSION: &str = "UPDATE artifacts SET digest = zeroblob(32), \
        length = 0, mime = NULL, refs = 0, user = NULL, session_id = NULL \
        WHERE tenant = ?1 AND name = ?2 AND version = ?3";
    pub(in crate::sqlite) const HOLDERS: &str =
        "SELECT refs FROM artifacts WHERE tenant = ?1 AND name = ?2 AND version = 1";
    pub(in crate::sqlite) const LET_GO: &str = "UPDATE artifacts SET refs = refs - ?3 \
        WHERE tenant = ?1 AND name = ?2 AND version = 1";
    pub(in crate::sqlite) const DROP_PART: &str =
        "DELETE FROM artifacts WHERE tenant = ?1 AND name = ?2 AND version = 1";
    pub(in crate::sqlite) const HOLDS_BYTES: &str = "SELECT 1 FROM artifacts WHERE tenant = ?1 AND digest = ?2 AND refs > 0 \
        UNION ALL SELECT 1 FROM blob_parts WHERE tenant = ?1 AND part = ?2 LIMIT 1";
    pub(in crate::sqlite) const PARTS: &str =
        "DELETE FROM blob_parts WHERE tenant = ?1 AND digest = ?2";
    pub(in crate::sqlite) const CHECKPOINTS: &str =
        "DELETE FROM checkpoints WHERE tenant = ?1 AND checkpoint_id = ?2";
    pub(in crate::sqlite) const BYTES: &str = "DELETE FROM blobs WHERE tenant = ?1 AND digest = ?2";
    pub(in crate::sqlite) const TABLES: &str =
        "SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name";
    /// All rows of a table that the schema names.
    pub(in crate::sqlite) const ROWS_OF: &str = "SELECT * FROM \"{table}\"";
    pub(in crate::sqlite) const REWRITE: &str = "VACUUM";
}

pub(super) mod memories {
    pub(in crate::sqlite) const GET: &str =
        "SELECT memory FROM memories WHERE tenant = ?1 AND memory_id = ?2";
    pub(in crate::sqlite) const PUT: &str = "INSERT INTO memories \
        (tenant, memory_id, user, session_id, memory) VALUES (?1, ?2, ?3, ?4, ?5)";
    pub(in crate::sqlite) const REPLACE: &str =
        "UPDATE memories SET memory = ?3 WHERE tenant = ?1 AND memory_id = ?2";
    pub(in crate::sqlite) const LIST: &str = "SELECT memory FROM memories WHERE tenant = ?1 \
        AND (?2 IS NULL OR user = ?2 OR (?3 AND user IS NULL)) \
        AND (?4 IS NULL OR session_id = ?4) ORDER BY no";
    pub(in crate::sqlite) const OF_USER: &str =
        "SELECT memory FROM memories WHERE tenant = ?1 AND user = ?2 ORDER BY no";
    pub(in crate::sqlite) const OF_SESSION: &str =
        "SELECT memory FROM memories WHERE tenant = ?1 AND session_id = ?2 ORDER BY no";
    pub(in crate::sqlite) const DELETE: &str =
        "DELETE FROM memories WHERE tenant = ?1 AND memory_id = ?2";
}

pub(super) mod checkpoints {
    pub(in crate::sqlite) const PUT: &str = "INSERT OR IGNORE INTO checkpoints \
        (tenant, checkpoint_id, session_id, checkpoint) VALUES (?1, ?2, ?3, ?4)";
    pub(in crate::sqlite) const GET: &str =
        "SELECT checkpoint FROM checkpoints WHERE tenant = ?1 AND checkpoint_id = ?2";
    pub(in crate::sqlite) const LIST: &str =
        "SELECT checkpoint FROM checkpoints WHERE tenant = ?1 AND session_id = ?2 ORDER BY no";
}

pub(super) mod care {
    pub(in crate::sqlite) const SESSIONS: &str =
        "SELECT no, tenant, session_id FROM sessions ORDER BY no";
    pub(in crate::sqlite) const COPY: &str = "VACUUM INTO ?1";
}

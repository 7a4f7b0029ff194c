-- Sessions. What an append changes (turns, events, change_seq, head) stands in the log alone, so that an append touches
-- no other row; `change_seq` and `head` here are those after the last change that was no append, and count where that
-- `change_seq` is the greater one.
CREATE TABLE sessions (
    no INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL UNIQUE,
    tenant TEXT NOT NULL,
    user TEXT,
    agent TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    change_seq INTEGER NOT NULL DEFAULT 0,
    purge_seq INTEGER NOT NULL DEFAULT 0,
    head INTEGER,
    distilled_next INTEGER NOT NULL DEFAULT 0,
    distilled_open TEXT NOT NULL DEFAULT '[]',
    distilled_commits INTEGER NOT NULL DEFAULT 0
) STRICT;

CREATE INDEX sessions_of_tenant ON sessions (tenant, session_id);

-- The log: one row for each write that appended messages.
CREATE TABLE log (
    -- The number of the session in the upper 32 bits, the row's first event in the lower ones.
    pos INTEGER PRIMARY KEY,
    -- How many messages.
    count INTEGER NOT NULL,
    -- `change_seq`, number of turns and head after this write.
    change_seq INTEGER NOT NULL,
    turns INTEGER NOT NULL,
    head INTEGER,
    -- The turn, and (in its first row alone) its status when it was made, its parent and its id.
    turn INTEGER NOT NULL,
    status INTEGER,
    parent INTEGER,
    recorded_at INTEGER NOT NULL,
    -- The number of the session in four bytes, greatest first, and the id of the turn.
    turn_key BLOB,
    -- The messages.
    body BLOB NOT NULL
) STRICT;

CREATE UNIQUE INDEX log_of_turn ON log (turn_key) WHERE turn_key IS NOT NULL;

-- Turns that grew or moved after their first row: status and events as they are now.
CREATE TABLE turn_changes (
    -- The number of the session in the upper 32 bits, the index of the turn in the lower ones.
    pos INTEGER PRIMARY KEY,
    status INTEGER NOT NULL,
    -- [[first, last], …]
    events TEXT NOT NULL
) STRICT;

-- The changes of facts.
CREATE TABLE facts (
    -- The number of the session in the upper 32 bits, the number of the entry in the lower ones.
    pos INTEGER PRIMARY KEY,
    turn INTEGER NOT NULL,
    change TEXT NOT NULL
) STRICT;

-- Manifests; the session need not exist yet.
CREATE TABLE manifests (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    request_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    now INTEGER NOT NULL,
    manifest TEXT NOT NULL,
    UNIQUE (tenant, request_id)
) STRICT;

CREATE INDEX manifests_of_session ON manifests (session_id, now);
CREATE INDEX manifests_of_tenant ON manifests (tenant, now);

-- The turns that requests led to.
CREATE TABLE links (
    tenant TEXT NOT NULL,
    request_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    link TEXT NOT NULL,
    PRIMARY KEY (tenant, request_id, session_id)
) STRICT, WITHOUT ROWID;

-- The frozen plans of turns; neither session nor turn need exist yet.
CREATE TABLE plans (
    no INTEGER PRIMARY KEY,
    session_id TEXT NOT NULL,
    turn_id TEXT NOT NULL,
    tenant TEXT NOT NULL,
    plan BLOB NOT NULL,
    UNIQUE (session_id, turn_id, tenant)
) STRICT;

-- Derived things, kept so that opening is fast.
CREATE TABLE snapshots (
    no INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    name TEXT NOT NULL,
    change_seq INTEGER NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (session, name)
) STRICT;

-- The versions of artifacts. `refs` counts who holds one: its owner, or the parts of messages that stand in it.
CREATE TABLE artifacts (
    tenant TEXT NOT NULL,
    name TEXT NOT NULL,
    version INTEGER NOT NULL,
    digest BLOB NOT NULL,
    length INTEGER NOT NULL,
    mime TEXT,
    recorded_at INTEGER NOT NULL,
    refs INTEGER NOT NULL,
    PRIMARY KEY (tenant, name, version)
) STRICT, WITHOUT ROWID;

-- Who still needs the bytes.
CREATE INDEX artifacts_of_digest ON artifacts (tenant, digest);

-- Their bytes, once a tenant.
CREATE TABLE blobs (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    digest BLOB NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (tenant, digest)
) STRICT;

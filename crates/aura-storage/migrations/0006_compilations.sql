-- What compilations were made from, so that they can be made again: the part of each that is its own, under the number
-- of its manifest.
CREATE TABLE replays (
    no INTEGER PRIMARY KEY,
    call BLOB NOT NULL
) STRICT;

-- The parts that compilations may share, once a tenant.
CREATE TABLE inputs (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    digest BLOB NOT NULL,
    bytes BLOB NOT NULL,
    UNIQUE (tenant, digest)
) STRICT;

-- Which compilation has which of them.
CREATE TABLE input_uses (
    manifest INTEGER NOT NULL,
    input INTEGER NOT NULL,
    PRIMARY KEY (manifest, input)
) STRICT, WITHOUT ROWID;

-- Who still needs one.
CREATE INDEX input_uses_of_input ON input_uses (input);

-- What hosts reported of what came of a context.
CREATE TABLE outcomes (
    tenant TEXT NOT NULL,
    request_id TEXT NOT NULL,
    outcome TEXT NOT NULL,
    PRIMARY KEY (tenant, request_id)
) STRICT, WITHOUT ROWID;

-- The compilation that made a plan.
ALTER TABLE plans ADD COLUMN request_id TEXT;

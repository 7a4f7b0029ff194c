-- What ranges of sessions came to.
CREATE TABLE checkpoints (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    checkpoint_id TEXT NOT NULL,
    session_id TEXT NOT NULL,
    checkpoint TEXT NOT NULL,
    UNIQUE (tenant, checkpoint_id)
) STRICT;

CREATE INDEX checkpoints_of_session ON checkpoints (tenant, session_id);

-- Bytes that are composed of others, in order.
CREATE TABLE blob_parts (
    tenant TEXT NOT NULL,
    digest BLOB NOT NULL,
    at INTEGER NOT NULL,
    part BLOB NOT NULL,
    length INTEGER NOT NULL,
    PRIMARY KEY (tenant, digest, at)
) STRICT, WITHOUT ROWID;

-- Who still needs a part.
CREATE INDEX blob_parts_of_part ON blob_parts (tenant, part);

-- Deletions: what was asked for, and how far each has come.
CREATE TABLE deletions (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    deletion_id TEXT NOT NULL,
    -- 0 rows are to be removed, 1 bytes are to be got rid of, 2 complete.
    state INTEGER NOT NULL,
    -- The subject being removed.
    step INTEGER NOT NULL,
    receipt TEXT NOT NULL,
    -- Digests of pieces of what went, until the search for them is over.
    needles BLOB,
    UNIQUE (tenant, deletion_id)
) STRICT;

-- Sessions that were deleted, by the digest of their id: none is begun anew, so that no event id is used twice.
CREATE TABLE deleted_sessions (
    id_digest BLOB PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- What must not be deleted.
CREATE TABLE holds (
    tenant TEXT NOT NULL,
    hold_id TEXT NOT NULL,
    hold TEXT NOT NULL,
    PRIMARY KEY (tenant, hold_id)
) STRICT, WITHOUT ROWID;

-- Whose a session or an artifact is.
CREATE INDEX sessions_of_user ON sessions (tenant, user, session_id) WHERE user IS NOT NULL;
ALTER TABLE artifacts ADD COLUMN user TEXT;
ALTER TABLE artifacts ADD COLUMN session_id TEXT;
CREATE INDEX artifacts_of_user ON artifacts (tenant, user) WHERE user IS NOT NULL;
CREATE INDEX artifacts_of_session ON artifacts (tenant, session_id) WHERE session_id IS NOT NULL;

-- Durable memories and the candidates for them.
CREATE TABLE memories (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    memory_id TEXT NOT NULL,
    -- Whose it is, and the session it came from.
    user TEXT,
    session_id TEXT,
    memory TEXT NOT NULL,
    UNIQUE (tenant, memory_id)
) STRICT;

CREATE INDEX memories_of_user ON memories (tenant, user);
CREATE INDEX memories_of_session ON memories (tenant, session_id) WHERE session_id IS NOT NULL;

-- What embedding models made of the messages of a session: one row a session and model.
CREATE TABLE vector_sets (
    no INTEGER PRIMARY KEY,
    session INTEGER NOT NULL,
    model TEXT NOT NULL,
    dimension INTEGER NOT NULL,
    -- The first event that the model has not looked at.
    next INTEGER NOT NULL,
    UNIQUE (session, model)
) STRICT;

-- The vectors of messages.
CREATE TABLE vectors (
    -- The number of the set in the upper 32 bits, the event in the lower ones.
    pos INTEGER PRIMARY KEY,
    bytes BLOB NOT NULL
) STRICT;

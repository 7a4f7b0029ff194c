-- The versions of policies: what was proposed never changes, and approval is given once.
CREATE TABLE policies (
    no INTEGER PRIMARY KEY,
    tenant TEXT NOT NULL,
    subject TEXT NOT NULL,
    version TEXT NOT NULL,
    -- What was proposed, and by whom.
    policy TEXT NOT NULL,
    proposed TEXT NOT NULL,
    -- Who approved it.
    approved TEXT,
    UNIQUE (tenant, subject, version)
) STRICT;

-- Accounts whose data are to be erased, with the name that they had. A row is deleted when no log
-- contains the name any more.
CREATE TABLE erasure (
    account  UUID NOT NULL PRIMARY KEY REFERENCES account (key),
    name     TEXT COLLATE "C" NOT NULL,
    asked_ms BIGINT NOT NULL
);

-- Sessions whose network is to be removed.
CREATE INDEX session_network ON session (seen_ms) WHERE network <> '';

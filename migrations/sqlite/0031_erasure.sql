-- Accounts whose data are to be erased, with the name that they had. A row is deleted when no log
-- contains the name any more.
CREATE TABLE erasure (
    account  BLOB NOT NULL PRIMARY KEY REFERENCES account (key),
    name     TEXT NOT NULL,
    asked_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Sessions whose network is to be removed.
CREATE INDEX session_network ON session (seen_ms) WHERE network <> '';

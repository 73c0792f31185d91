-- Hashes of unused recovery words: each sets a new password of its account once.
CREATE TABLE recovery_word (
    account    BLOB NOT NULL REFERENCES account (key),
    hash       BLOB NOT NULL,
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (account, hash)
) STRICT, WITHOUT ROWID;

-- Links made by the operator, at most one of each account; each sets a new password once.
CREATE TABLE reset_link (
    account    BLOB NOT NULL PRIMARY KEY REFERENCES account (key),
    hash       BLOB NOT NULL UNIQUE,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Chat lines whose texts moderators delete, until no event log has them.
CREATE TABLE chat_deletion (
    game_id  BLOB    NOT NULL REFERENCES game (key),
    seq      INTEGER NOT NULL,
    asked_ms INTEGER NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;
CREATE INDEX chat_deletion_asked ON chat_deletion (asked_ms);

-- Game that an action concerns.
ALTER TABLE deed ADD COLUMN game TEXT;

-- Warnings of moderators to accounts, and when they were read. `renamed`: a moderator has changed
-- the name of the account, and `text` is the new one.
CREATE TABLE warning (
    seq        INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account    BLOB    NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    kind       TEXT    NOT NULL CHECK (kind IN ('message', 'renamed')),
    text       TEXT    NOT NULL,
    created_ms INTEGER NOT NULL,
    read_ms    INTEGER
) STRICT;
CREATE INDEX warning_account ON warning (account);

-- Names that moderators have replaced: other accounts cannot have them until `until_ms`. `in_chat`:
-- event logs may have chat lines with the name.
CREATE TABLE former_name (
    id       TEXT    NOT NULL PRIMARY KEY,
    name     TEXT    NOT NULL,
    skeleton TEXT    NOT NULL,
    account  BLOB    NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    until_ms INTEGER NOT NULL,
    in_chat  INTEGER NOT NULL CHECK (in_chat IN (0, 1))
) STRICT, WITHOUT ROWID;
CREATE INDEX former_name_skeleton ON former_name (skeleton);
CREATE INDEX former_name_account ON former_name (account);
CREATE INDEX former_name_until ON former_name (until_ms);
CREATE INDEX former_name_in_chat ON former_name (in_chat, until_ms);

-- Appeals of players against the closing of their accounts by moderators.
CREATE TABLE appeal (
    account     BLOB    NOT NULL PRIMARY KEY REFERENCES account (key) ON DELETE CASCADE,
    text        TEXT    NOT NULL,
    created_ms  INTEGER NOT NULL,
    declined_ms INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX appeal_open ON appeal (created_ms) WHERE declined_ms IS NULL;

-- Earlier programs would give former names to others.
UPDATE compatibility SET compatible_from = 41;

-- Rate limits that operators have changed while servers run.
CREATE TABLE limit_override (
    name  TEXT    NOT NULL PRIMARY KEY,
    value INTEGER NOT NULL CHECK (value BETWEEN 1 AND 4294967295)
) STRICT, WITHOUT ROWID;

-- Accounts that hide from others whether they are online.
CREATE TABLE hidden_presence (
    account BLOB NOT NULL PRIMARY KEY REFERENCES account (key) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- Findings of fair play reports. `other` is the other account of a pair, `games` a JSON array of
-- ids. The meaning of `value` depends on the kind.
CREATE TABLE suspicion (
    seq          INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account      BLOB    NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    other        BLOB    REFERENCES account (key) ON DELETE CASCADE,
    kind         TEXT    NOT NULL,
    game_count   INTEGER NOT NULL,
    move_count   INTEGER NOT NULL,
    value        INTEGER NOT NULL,
    games        TEXT    NOT NULL,
    found_ms     INTEGER NOT NULL,
    dismissed_ms INTEGER
) STRICT;
CREATE INDEX suspicion_account ON suspicion (account, kind);
CREATE INDEX suspicion_other ON suspicion (other) WHERE other IS NOT NULL;
CREATE INDEX suspicion_found ON suspicion (found_ms);

-- Report that is due at `next_ms` (0: not known yet) and has looked at the games that ended until
-- `until_ms`. One server makes it, until `claimed_until_ms` (0: none does).
CREATE TABLE fair_play_report (
    one              INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    until_ms         INTEGER NOT NULL,
    next_ms          INTEGER NOT NULL,
    claimed_until_ms INTEGER NOT NULL
) STRICT;
INSERT INTO fair_play_report (one, until_ms, next_ms, claimed_until_ms) VALUES (1, 0, 0, 0);
CREATE INDEX game_rated_end ON game (ended_ms) WHERE rated AND ended_ms IS NOT NULL;

-- Earlier programs would tell the presence of accounts that hide it.
UPDATE compatibility SET compatible_from = 44;

-- Times are epoch milliseconds. Keys are UUID v7, so that what is made together lies together and
-- the cost of a row does not grow with the number of rows.

CREATE TABLE account (
    key        BLOB NOT NULL PRIMARY KEY,
    id         TEXT NOT NULL UNIQUE,
    name       TEXT NOT NULL,
    guest      INTEGER NOT NULL CHECK (guest IN (0, 1)),
    password   TEXT CHECK (guest = (password IS NULL)),
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- `hash` is the SHA-256 of the token in the cookie: a stolen database opens no session.
CREATE TABLE session (
    hash       BLOB NOT NULL PRIMARY KEY,
    account    BLOB NOT NULL REFERENCES account (key),
    created_ms INTEGER NOT NULL,
    seen_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX session_account ON session (account);

CREATE TABLE rating (
    account    BLOB NOT NULL REFERENCES account (key),
    variant    TEXT NOT NULL,
    rating     REAL NOT NULL,
    rd         REAL NOT NULL,
    volatility REAL NOT NULL,
    games      INTEGER NOT NULL,
    rated_ms   INTEGER NOT NULL,
    PRIMARY KEY (account, variant)
) STRICT, WITHOUT ROWID;

CREATE TABLE challenge (
    key          BLOB NOT NULL PRIMARY KEY,
    id           TEXT NOT NULL UNIQUE,
    maker        BLOB NOT NULL REFERENCES account (key),
    variant      TEXT NOT NULL,
    options      TEXT NOT NULL,
    rated        INTEGER NOT NULL CHECK (rated IN (0, 1)),
    side         TEXT CHECK (side IN ('first', 'second')),
    initial_ms   INTEGER,
    increment_ms INTEGER CHECK ((increment_ms IS NULL) = (initial_ms IS NULL)),
    range        TEXT NOT NULL,
    provisional  INTEGER NOT NULL CHECK (provisional IN (0, 1)),
    created_ms   INTEGER NOT NULL,
    expires_ms   INTEGER NOT NULL,
    status       INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX challenge_open ON challenge (created_ms) WHERE status = 10;
CREATE INDEX challenge_expiry ON challenge (expires_ms) WHERE status = 10;
CREATE INDEX challenge_open_of ON challenge (maker) WHERE status = 10;

CREATE TABLE game (
    key                BLOB NOT NULL PRIMARY KEY,
    id                 TEXT NOT NULL UNIQUE,
    variant            TEXT NOT NULL,
    options            TEXT NOT NULL,
    seed               INTEGER NOT NULL,
    rated              INTEGER NOT NULL CHECK (rated IN (0, 1)),
    initial_ms         INTEGER,
    increment_ms       INTEGER,
    first              BLOB NOT NULL REFERENCES account (key),
    second             BLOB NOT NULL REFERENCES account (key),
    first_rating       INTEGER NOT NULL,
    second_rating      INTEGER NOT NULL,
    first_provisional  INTEGER NOT NULL,
    second_provisional INTEGER NOT NULL,
    created_ms         INTEGER NOT NULL,
    status             INTEGER NOT NULL,
    winner             TEXT CHECK (winner IN ('first', 'second')),
    reason             TEXT,
    ended_ms           INTEGER,
    first_diff         INTEGER,
    second_diff        INTEGER
) STRICT, WITHOUT ROWID;

CREATE INDEX game_live ON game (created_ms) WHERE status = 20;
CREATE INDEX game_first ON game (first, created_ms);
CREATE INDEX game_second ON game (second, created_ms);

-- The order of events of a game: whoever takes the next `seq` was first, and a command that finds
-- its own `cid` here was obeyed before.
CREATE TABLE game_event (
    game_id BLOB NOT NULL REFERENCES game (key),
    seq     INTEGER NOT NULL CHECK (seq > 0),
    kind    TEXT NOT NULL,
    side    TEXT CHECK (side IN ('first', 'second')),
    cid     BLOB,
    payload TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    schema  INTEGER NOT NULL,
    PRIMARY KEY (game_id, seq)
) STRICT, WITHOUT ROWID;

CREATE UNIQUE INDEX game_event_cid ON game_event (game_id, cid) WHERE cid IS NOT NULL;

-- The last moment at which the server is known to have been alive.
CREATE TABLE server (
    one      INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    alive_ms INTEGER NOT NULL
) STRICT;

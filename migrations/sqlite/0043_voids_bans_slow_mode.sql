-- Time at which a moderator voided a rated game: it counts no longer.
ALTER TABLE game ADD COLUMN voided_ms INTEGER;

-- Rating before the game, and the number of the game among the rated games of the player that
-- count; NULL in points of earlier versions.
ALTER TABLE rating_point ADD COLUMN rating_before REAL;
ALTER TABLE rating_point ADD COLUMN number INTEGER;

-- Ratings that voided games took back, in the order of the voids. `point` and `rd` are those of the
-- rating point of the game, which is removed, and `number` the number of the game in it. `change` is
-- subtracted from the rating and from later points, and `games` is the number of rated games before
-- the void.
CREATE TABLE voided_rating (
    seq     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account BLOB    NOT NULL REFERENCES account (key),
    variant TEXT    NOT NULL,
    game    BLOB    NOT NULL REFERENCES game (key),
    result  TEXT    NOT NULL CHECK (result IN ('win', 'loss', 'draw')),
    point   REAL,
    rd      REAL,
    number  INTEGER,
    change  REAL    NOT NULL,
    games   INTEGER NOT NULL
) STRICT;
CREATE UNIQUE INDEX voided_rating_account ON voided_rating (account, variant, game);

-- Hash of the random id that the browser of a session has in a cookie.
ALTER TABLE session ADD COLUMN device BLOB;
CREATE INDEX session_of_device ON session (device, account) WHERE device IS NOT NULL;
CREATE INDEX session_of_network ON session (network, account) WHERE network <> '';

-- Networks and devices that can open no session, until `until_ms` or for good. `account`: the
-- account whose network or device it is.
CREATE TABLE ban (
    seq        INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    network    TEXT,
    device     BLOB,
    account    BLOB REFERENCES account (key),
    created_ms INTEGER NOT NULL,
    until_ms   INTEGER,
    CHECK ((network IS NULL) <> (device IS NULL))
) STRICT;
CREATE UNIQUE INDEX ban_network ON ban (network) WHERE network IS NOT NULL;
CREATE UNIQUE INDEX ban_device ON ban (device) WHERE device IS NOT NULL;
CREATE INDEX ban_until ON ban (until_ms) WHERE until_ms IS NOT NULL;
CREATE INDEX ban_account ON ban (account) WHERE account IS NOT NULL;

-- Number of the ban of an action. Its moderator and reason are those of the last one.
ALTER TABLE deed ADD COLUMN ban INTEGER;
CREATE INDEX deed_ban ON deed (ban) WHERE ban IS NOT NULL;

-- Has a row while guests and new accounts chat and challenge slowly.
CREATE TABLE slow_mode (
    since_ms INTEGER NOT NULL PRIMARY KEY
) STRICT, WITHOUT ROWID;

-- Earlier programs would ignore bans, and rate voided games.
UPDATE compatibility SET compatible_from = 43;

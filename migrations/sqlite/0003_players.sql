-- Players: what is known of an account, who may do what in its name, whom it does not want to meet.

ALTER TABLE account ADD COLUMN bot INTEGER NOT NULL DEFAULT 0 CHECK (bot IN (0, 1));
ALTER TABLE account ADD COLUMN admin INTEGER NOT NULL DEFAULT 0 CHECK (admin IN (0, 1));
ALTER TABLE account ADD COLUMN muted INTEGER NOT NULL DEFAULT 0 CHECK (muted IN (0, 1));
ALTER TABLE account ADD COLUMN closed_ms INTEGER;
ALTER TABLE account ADD COLUMN bio TEXT NOT NULL DEFAULT '';
ALTER TABLE account ADD COLUMN location TEXT NOT NULL DEFAULT '';
ALTER TABLE account ADD COLUMN seen_ms INTEGER NOT NULL DEFAULT 0;
UPDATE account SET seen_ms = coalesce(
    (SELECT max(session.seen_ms) FROM session WHERE session.account = account.key), created_ms);
-- What a name looks like: no two accounts look the same. Filled in when the server starts.
ALTER TABLE account ADD COLUMN skeleton TEXT;
CREATE INDEX account_unlooked ON account (key) WHERE guest = 0 AND skeleton IS NULL;
CREATE UNIQUE INDEX account_skeleton ON account (skeleton) WHERE skeleton IS NOT NULL;

-- `id` names a session to its owner and opens nothing.
ALTER TABLE session ADD COLUMN id TEXT NOT NULL DEFAULT '';
ALTER TABLE session ADD COLUMN agent TEXT NOT NULL DEFAULT '';
UPDATE session SET id = lower(hex(randomblob(8)));

-- Tokens of programs, and the links that bring guests back (scope `link`); SHA-256 as for sessions.
CREATE TABLE token (
    hash        BLOB NOT NULL PRIMARY KEY,
    id          TEXT NOT NULL,
    account     BLOB NOT NULL REFERENCES account (key),
    description TEXT NOT NULL,
    scopes      TEXT NOT NULL,
    created_ms  INTEGER NOT NULL,
    used_ms     INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX token_account ON token (account);

CREATE TABLE block (
    account    BLOB NOT NULL REFERENCES account (key),
    other      BLOB NOT NULL REFERENCES account (key),
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (account, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX block_other ON block (other);

CREATE TABLE report (
    seq        INTEGER NOT NULL PRIMARY KEY,
    reporter   BLOB NOT NULL REFERENCES account (key),
    about      BLOB NOT NULL REFERENCES account (key),
    reason     TEXT NOT NULL,
    text       TEXT NOT NULL,
    game       TEXT,
    created_ms INTEGER NOT NULL,
    done_ms    INTEGER
) STRICT;
CREATE INDEX report_open ON report (created_ms) WHERE done_ms IS NULL;
CREATE INDEX report_reporter ON report (reporter, created_ms);

-- What moderators did. A running server reads on from the last it knows.
CREATE TABLE deed (
    seq     INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account BLOB NOT NULL REFERENCES account (key),
    what    TEXT NOT NULL,
    at_ms   INTEGER NOT NULL
) STRICT;

-- A rating after every rated game.
CREATE TABLE rating_point (
    account BLOB NOT NULL REFERENCES account (key),
    variant TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    game    BLOB NOT NULL REFERENCES game (key),
    rating  REAL NOT NULL,
    rd      REAL NOT NULL,
    PRIMARY KEY (account, variant, at_ms, game)
) STRICT, WITHOUT ROWID;
CREATE INDEX rating_top ON rating (variant, rating DESC);

-- Results counted as games end, so that no page has to count games.
CREATE TABLE tally (
    account BLOB NOT NULL REFERENCES account (key),
    variant TEXT NOT NULL,
    rated   INTEGER NOT NULL CHECK (rated IN (0, 1)),
    wins    INTEGER NOT NULL,
    losses  INTEGER NOT NULL,
    draws   INTEGER NOT NULL,
    PRIMARY KEY (account, variant, rated)
) STRICT, WITHOUT ROWID;

-- The same from one player's side against another; every pair has two rows.
CREATE TABLE pair (
    account BLOB NOT NULL REFERENCES account (key),
    other   BLOB NOT NULL REFERENCES account (key),
    variant TEXT NOT NULL,
    wins    INTEGER NOT NULL,
    losses  INTEGER NOT NULL,
    draws   INTEGER NOT NULL,
    PRIMARY KEY (account, other, variant)
) STRICT, WITHOUT ROWID;

-- Who may be met how. `plays` are the variants with their options, `paces` the ways of giving time; of
-- several the acceptor picks. Empty: the one that the older columns tell.
ALTER TABLE challenge ADD COLUMN kind TEXT NOT NULL DEFAULT 'list';
ALTER TABLE challenge ADD COLUMN dest BLOB REFERENCES account (key);
ALTER TABLE challenge ADD COLUMN days INTEGER;
ALTER TABLE challenge ADD COLUMN plays TEXT NOT NULL DEFAULT '';
ALTER TABLE challenge ADD COLUMN paces TEXT NOT NULL DEFAULT '';
ALTER TABLE challenge ADD COLUMN bound TEXT NOT NULL DEFAULT 'acceptor';
ALTER TABLE challenge ADD COLUMN standing INTEGER NOT NULL DEFAULT 0;
ALTER TABLE challenge ADD COLUMN program INTEGER NOT NULL DEFAULT 0;
ALTER TABLE challenge ADD COLUMN rematch_of TEXT;
ALTER TABLE challenge ADD COLUMN declined TEXT;
ALTER TABLE challenge ADD COLUMN seated BLOB REFERENCES account (key);
ALTER TABLE challenge ADD COLUMN seated_side TEXT CHECK (seated_side IN ('first', 'second'));
CREATE INDEX challenge_rematch ON challenge (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX challenge_open_to ON challenge (dest) WHERE status = 10;
CREATE INDEX challenge_public ON challenge (created_ms) WHERE status = 10 AND kind IN ('list', 'seek');

-- `challenge` names the one that made the game, where that is not the game's own id.
ALTER TABLE game ADD COLUMN days INTEGER;
ALTER TABLE game ADD COLUMN challenge TEXT;
ALTER TABLE game ADD COLUMN plies INTEGER;
CREATE INDEX game_challenge ON game (challenge) WHERE challenge IS NOT NULL;
CREATE INDEX game_pair ON game (first, second, created_ms);

INSERT INTO rating_point
    SELECT first, variant, ended_ms, game.key, first_rating + first_diff,
           coalesce((SELECT rd FROM rating WHERE account = first AND rating.variant = game.variant), 350.0)
    FROM game WHERE first_diff IS NOT NULL
    UNION ALL
    SELECT second, variant, ended_ms, game.key, second_rating + second_diff,
           coalesce((SELECT rd FROM rating WHERE account = second AND rating.variant = game.variant), 350.0)
    FROM game WHERE second_diff IS NOT NULL;

INSERT INTO tally
    SELECT account, variant, rated, sum(won), sum(lost), sum(drawn) FROM (
        SELECT first AS account, variant, rated, winner IS 'first' AS won, winner IS 'second' AS lost,
               winner IS NULL AS drawn FROM game WHERE status NOT IN (20, 25, 37)
        UNION ALL
        SELECT second, variant, rated, winner IS 'second', winner IS 'first', winner IS NULL
        FROM game WHERE status NOT IN (20, 25, 37))
    GROUP BY account, variant, rated;

INSERT INTO pair
    SELECT account, other, variant, sum(won), sum(lost), sum(drawn) FROM (
        SELECT first AS account, second AS other, variant, winner IS 'first' AS won,
               winner IS 'second' AS lost, winner IS NULL AS drawn FROM game
        WHERE status NOT IN (20, 25, 37)
        UNION ALL
        SELECT second, first, variant, winner IS 'second', winner IS 'first', winner IS NULL
        FROM game WHERE status NOT IN (20, 25, 37))
    GROUP BY account, other, variant;

UPDATE game SET plies = (SELECT count(*) FROM game_event WHERE game_id = game.key AND kind = 'moved')
    WHERE status <> 20;

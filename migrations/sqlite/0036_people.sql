-- Players whom an account follows.
CREATE TABLE follow (
    account    BLOB NOT NULL REFERENCES account (key),
    other      BLOB NOT NULL REFERENCES account (key),
    created_ms INTEGER NOT NULL,
    PRIMARY KEY (account, other)
) STRICT, WITHOUT ROWID;
CREATE INDEX follow_other ON follow (other);

-- Private notes on games.
CREATE TABLE game_note (
    account    BLOB NOT NULL REFERENCES account (key),
    game       BLOB NOT NULL REFERENCES game (key),
    text       TEXT NOT NULL,
    changed_ms INTEGER NOT NULL,
    PRIMARY KEY (account, game)
) STRICT;

-- `followed`: challenges by name of the players whom the account follows.
CREATE TABLE new_challenge_settings (
    account     BLOB NOT NULL PRIMARY KEY REFERENCES account (key),
    audience    TEXT NOT NULL
                CHECK (audience IN ('everyone', 'accounts', 'nearRating', 'followed', 'nobody')),
    casual_only INTEGER NOT NULL CHECK (casual_only IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO new_challenge_settings SELECT account, audience, casual_only FROM challenge_settings;
DROP TABLE challenge_settings;
ALTER TABLE new_challenge_settings RENAME TO challenge_settings;

-- Earlier programs cannot read the new setting.
UPDATE compatibility SET compatible_from = 36;

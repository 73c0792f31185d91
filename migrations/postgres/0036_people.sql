-- Players whom an account follows.
CREATE TABLE follow (
    account    UUID NOT NULL REFERENCES account (key),
    other      UUID NOT NULL REFERENCES account (key),
    created_ms BIGINT NOT NULL,
    PRIMARY KEY (account, other)
);
CREATE INDEX follow_other ON follow (other);

-- Private notes on games.
CREATE TABLE game_note (
    account    UUID NOT NULL REFERENCES account (key),
    game       UUID NOT NULL REFERENCES game (key),
    text       TEXT NOT NULL,
    changed_ms BIGINT NOT NULL,
    PRIMARY KEY (account, game)
);

-- `followed`: challenges by name of the players whom the account follows.
ALTER TABLE challenge_settings DROP CONSTRAINT challenge_settings_audience_check;
ALTER TABLE challenge_settings ADD CONSTRAINT challenge_settings_audience_check
    CHECK (audience IN ('everyone', 'accounts', 'nearRating', 'followed', 'nobody'));

-- Earlier programs cannot read the new setting.
UPDATE compatibility SET compatible_from = 36;

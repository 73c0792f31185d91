-- Key pair by which push services recognize this server (VAPID), as PKCS #8. Subscriptions are valid
-- for this key only.
CREATE TABLE push_key (
    one   INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    pkcs8 BLOB NOT NULL
) STRICT;

-- Browsers that receive push messages. A subscription ends with the session that made it.
CREATE TABLE push_subscription (
    endpoint   TEXT NOT NULL PRIMARY KEY,
    account    BLOB NOT NULL REFERENCES account (key),
    session    BLOB NOT NULL REFERENCES session (hash) ON DELETE CASCADE,
    p256dh     BLOB NOT NULL,
    auth       BLOB NOT NULL,
    language   TEXT NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX push_subscription_account ON push_subscription (account, created_ms);

CREATE INDEX push_subscription_session ON push_subscription (session);

-- Kinds of messages that an account wants; without a row, all.
CREATE TABLE push_kinds (
    account    BLOB NOT NULL PRIMARY KEY REFERENCES account (key),
    my_turn    INTEGER NOT NULL CHECK (my_turn IN (0, 1)),
    challenge  INTEGER NOT NULL CHECK (challenge IN (0, 1)),
    game_start INTEGER NOT NULL CHECK (game_start IN (0, 1))
) STRICT, WITHOUT ROWID;

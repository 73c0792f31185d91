-- E-mail addresses of accounts. `address` is confirmed; `pending` is one that is not, with the hash
-- of the token in its message and the time of the message. The keys are addresses in lower case.
CREATE TABLE email (
    account      UUID    NOT NULL PRIMARY KEY REFERENCES account (key),
    address      TEXT,
    address_key  TEXT,
    pending      TEXT,
    pending_hash BYTEA,
    pending_ms   BIGINT,
    language     TEXT    NOT NULL,
    -- Whether a digest of the games that wait is wanted, and the time of the last one.
    digest       BOOLEAN NOT NULL DEFAULT FALSE,
    digest_ms    BIGINT  NOT NULL DEFAULT 0,
    -- Token that ends the digest. It is in each message, and allows nothing else.
    unsubscribe  TEXT    NOT NULL UNIQUE
);
CREATE INDEX email_address ON email (address_key) WHERE address_key IS NOT NULL;
CREATE UNIQUE INDEX email_pending ON email (pending_hash) WHERE pending_hash IS NOT NULL;
CREATE INDEX email_pending_age ON email (pending_ms) WHERE pending_ms IS NOT NULL;
CREATE INDEX email_digest ON email (account) WHERE digest = TRUE;

-- Links that set a new password, sent by e-mail. Those of the operator are in `reset_link`, so that
-- a request of anyone does not replace them.
CREATE TABLE email_reset_link (
    hash       BYTEA  NOT NULL PRIMARY KEY,
    account    UUID   NOT NULL REFERENCES account (key),
    created_ms BIGINT NOT NULL
);
CREATE INDEX email_reset_link_account ON email_reset_link (account, created_ms);

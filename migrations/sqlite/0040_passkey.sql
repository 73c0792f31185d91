-- Passkeys of accounts: second factors beside the authenticator app. `credential` is the public key
-- as JSON of the crate `webauthn-rs`, `counter` that of the last signature, `rp_id` the domain of the
-- site at its registration.
CREATE TABLE passkey (
    id            TEXT    NOT NULL PRIMARY KEY,
    account       BLOB    NOT NULL REFERENCES account (key),
    credential_id BLOB    NOT NULL UNIQUE,
    rp_id         TEXT    NOT NULL,
    name          TEXT    NOT NULL,
    credential    TEXT    NOT NULL,
    counter       INTEGER NOT NULL,
    created_ms    INTEGER NOT NULL,
    used_ms       INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_account ON passkey (account, created_ms);

-- Challenges that wait for the answer of a passkey: to register it, with the hash of the session, or
-- to prove it, with an empty one. Each proof is answered once.
CREATE TABLE passkey_challenge (
    id         TEXT    NOT NULL PRIMARY KEY,
    account    BLOB    NOT NULL REFERENCES account (key),
    session    BLOB    NOT NULL,
    state      TEXT    NOT NULL,
    created_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX passkey_challenge_account ON passkey_challenge (account);
CREATE INDEX passkey_challenge_created ON passkey_challenge (created_ms);

-- Earlier programs would log in without the passkey.
UPDATE compatibility SET compatible_from = 40;

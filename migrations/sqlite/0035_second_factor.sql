-- Secrets of authenticator apps, at most one of each account. One without `confirmed_ms` is not in
-- use. `last_step` is the step of the last accepted code: its code and earlier ones are refused.
CREATE TABLE totp (
    account      BLOB NOT NULL PRIMARY KEY REFERENCES account (key),
    secret       BLOB NOT NULL,
    created_ms   INTEGER NOT NULL,
    confirmed_ms INTEGER,
    last_step    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Earlier programs would log in without the code.
UPDATE compatibility SET compatible_from = 35;

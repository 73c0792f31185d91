-- Secrets of authenticator apps, at most one of each account. One without `confirmed_ms` is not in
-- use. `last_step` is the step of the last accepted code: its code and earlier ones are refused.
CREATE TABLE totp (
    account      UUID NOT NULL PRIMARY KEY REFERENCES account (key),
    secret       BYTEA NOT NULL,
    created_ms   BIGINT NOT NULL,
    confirmed_ms BIGINT,
    last_step    BIGINT NOT NULL
);

-- Earlier programs would log in without the code.
UPDATE compatibility SET compatible_from = 35;

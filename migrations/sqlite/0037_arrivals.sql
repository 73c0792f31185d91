-- Newcomers whom the site does not take now.
CREATE TABLE stopped_arrivals (
    kind TEXT NOT NULL PRIMARY KEY CHECK (kind IN ('guests', 'accounts'))
) STRICT, WITHOUT ROWID;

-- Actions of moderators on the site concern no account.
CREATE TABLE new_deed (
    seq               INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    account           BLOB REFERENCES account (key),
    what              TEXT NOT NULL,
    at_ms             INTEGER NOT NULL,
    report            INTEGER,
    moderator         TEXT NOT NULL DEFAULT '',
    reason            TEXT NOT NULL DEFAULT '',
    until_ms          INTEGER,
    moderator_account BLOB REFERENCES account (key)
) STRICT;
INSERT INTO new_deed (seq, account, what, at_ms, report, moderator, reason, until_ms,
                      moderator_account)
    SELECT seq, account, what, at_ms, report, moderator, reason, until_ms, moderator_account
    FROM deed;
DROP TABLE deed;
ALTER TABLE new_deed RENAME TO deed;
CREATE INDEX deed_account ON deed (account);
CREATE INDEX deed_moderator ON deed (moderator_account) WHERE moderator_account IS NOT NULL;

-- Earlier programs would let newcomers in.
UPDATE compatibility SET compatible_from = 37;

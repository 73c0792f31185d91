-- Challenges by name that an account accepts; without a row, those of accounts.
CREATE TABLE challenge_settings (
    account     BLOB NOT NULL PRIMARY KEY REFERENCES account (key),
    audience    TEXT NOT NULL CHECK (audience IN ('everyone', 'accounts', 'nearRating', 'nobody')),
    casual_only INTEGER NOT NULL CHECK (casual_only IN (0, 1))
) STRICT, WITHOUT ROWID;

-- Earlier programs would create challenges against these settings.
UPDATE compatibility SET compatible_from = 29;

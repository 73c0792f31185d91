-- Challenges by name that an account accepts; without a row, those of accounts.
CREATE TABLE challenge_settings (
    account     UUID NOT NULL PRIMARY KEY REFERENCES account (key),
    audience    TEXT COLLATE "C" NOT NULL
                CHECK (audience IN ('everyone', 'accounts', 'nearRating', 'nobody')),
    casual_only BOOLEAN NOT NULL
);

-- Earlier programs would create challenges against these settings.
UPDATE compatibility SET compatible_from = 29;

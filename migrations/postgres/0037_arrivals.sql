-- Newcomers whom the site does not take now.
CREATE TABLE stopped_arrivals (
    kind TEXT COLLATE "C" NOT NULL PRIMARY KEY CHECK (kind IN ('guests', 'accounts'))
);

-- Actions of moderators on the site concern no account.
ALTER TABLE deed ALTER COLUMN account DROP NOT NULL;

-- Earlier programs would let newcomers in.
UPDATE compatibility SET compatible_from = 37;

-- Players of the house: the level at which the server itself plays in that account's name.
ALTER TABLE account ADD COLUMN level INTEGER CHECK (level BETWEEN 1 AND 8);
CREATE UNIQUE INDEX account_level ON account (level) WHERE level IS NOT NULL;

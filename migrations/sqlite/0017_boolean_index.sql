-- The condition in the form that statements have, which other databases accept as well.
DROP INDEX account_unlooked;
CREATE INDEX account_without_skeleton ON account (key) WHERE NOT guest AND skeleton IS NULL;

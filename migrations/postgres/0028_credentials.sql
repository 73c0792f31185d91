-- Network of the last use of a session, and the end of tokens; earlier tokens have none.
ALTER TABLE session ADD COLUMN network TEXT NOT NULL DEFAULT '';
ALTER TABLE token ADD COLUMN expires_ms BIGINT;
CREATE INDEX token_expires ON token (expires_ms, hash) WHERE expires_ms IS NOT NULL;

-- Requirements of challenges can exclude bots: earlier programs cannot read them.
UPDATE compatibility SET compatible_from = 28;

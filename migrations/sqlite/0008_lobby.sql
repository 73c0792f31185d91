-- The network of the maker of an open public challenge, which bounds how much of the lobby one address
-- can fill. It is kept only while the challenge is open, and never shown.
ALTER TABLE challenge ADD COLUMN network TEXT;
CREATE INDEX challenge_network ON challenge (network) WHERE status = 10 AND network IS NOT NULL;
CREATE TRIGGER challenge_network_end AFTER UPDATE OF status ON challenge
WHEN NEW.status <> 10 AND NEW.network IS NOT NULL
BEGIN
    UPDATE challenge SET network = NULL WHERE key = NEW.key;
END;

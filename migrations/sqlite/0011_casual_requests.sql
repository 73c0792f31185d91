-- Requests of guests to play a rated invitation as a casual game. `granted` is the answer of the
-- creator; null: not answered. The network counts against the limit of the challenge, and is
-- removed when the challenge ends.
CREATE TABLE casual_request (
    challenge  TEXT NOT NULL REFERENCES challenge (id),
    account    BLOB NOT NULL REFERENCES account (key),
    variant    TEXT NOT NULL,
    pace       TEXT NOT NULL,
    network    TEXT,
    created_ms INTEGER NOT NULL,
    granted    INTEGER CHECK (granted IN (0, 1)),
    PRIMARY KEY (challenge, account)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER casual_request_network_end AFTER UPDATE OF status ON challenge
WHEN NEW.status <> 10
BEGIN
    UPDATE casual_request SET network = NULL WHERE challenge = NEW.id;
END;

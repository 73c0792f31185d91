-- Ready checks in progress: the acceptor has accepted a challenge whose player is elsewhere and has to
-- answer until `ready_by_ms`. `variant`, `pace` and `seat` are the choice of the acceptor. A check of
-- a search for an opponent (`of_search`) ends with the process.
CREATE TABLE ready_check (
    challenge      TEXT NOT NULL PRIMARY KEY REFERENCES challenge (id),
    number         BLOB NOT NULL,
    waiting_player BLOB NOT NULL REFERENCES account (key),
    acceptor       BLOB NOT NULL REFERENCES account (key),
    variant        TEXT,
    pace           TEXT,
    seat           TEXT CHECK (seat IN ('first', 'second')),
    of_search      INTEGER NOT NULL CHECK (of_search IN (0, 1)),
    ready_by_ms    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

CREATE INDEX ready_check_acceptor ON ready_check (acceptor);

-- A challenge that is not open has no ready check.
CREATE TRIGGER ready_check_end AFTER UPDATE OF status ON challenge
WHEN NEW.status <> 10
BEGIN
    DELETE FROM ready_check WHERE challenge = NEW.id;
END;

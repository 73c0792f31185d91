-- The rows of `turn_state` are the states after the events of the journal up to this id. A start
-- reads the logs of the games that have later events.
CREATE TABLE stored_states (
    one        INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    journal_id INTEGER NOT NULL
) STRICT;
INSERT INTO stored_states (one, journal_id) SELECT 1, coalesce(max(id), 0) FROM game_journal;

-- Earlier programs would take these rows for the states after all events.
UPDATE compatibility SET compatible_from = 32;

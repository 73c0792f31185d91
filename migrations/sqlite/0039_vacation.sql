-- Vacations of players, during which games with days per move do not count time for their moves.
CREATE TABLE vacation (
    account  BLOB    NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    start_ms INTEGER NOT NULL,
    end_ms   INTEGER NOT NULL CHECK (end_ms > start_ms),
    PRIMARY KEY (account, start_ms)
) STRICT, WITHOUT ROWID;

-- Earlier programs would end games of players on vacation.
UPDATE compatibility SET compatible_from = 39;

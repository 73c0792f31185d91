-- Vacations of players, during which games with days per move do not count time for their moves.
CREATE TABLE vacation (
    account  UUID   NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    start_ms BIGINT NOT NULL,
    end_ms   BIGINT NOT NULL CHECK (end_ms > start_ms),
    PRIMARY KEY (account, start_ms)
);

-- Earlier programs would end games of players on vacation.
UPDATE compatibility SET compatible_from = 39;

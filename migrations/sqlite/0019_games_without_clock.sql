-- State of a game in play without a clock, stored with each of its events, so that lists, deadlines
-- and the start of the server need no logs. `last_ms` is the time of its last event, `due_ms` the
-- deadline of the move without the outages since then, `board` the hash of a board that the engine must
-- not analyze. All are NULL, or 0, in games with a clock.
ALTER TABLE game ADD COLUMN to_move BLOB;
ALTER TABLE game ADD COLUMN last_ms INTEGER;
ALTER TABLE game ADD COLUMN due_ms INTEGER;
ALTER TABLE game ADD COLUMN board INTEGER;
-- Whether a computer player has to move or to answer an offer.
ALTER TABLE game ADD COLUMN awaits_engine INTEGER NOT NULL DEFAULT 0 CHECK (awaits_engine IN (0, 1));
-- Whether the game ends once the player to move has left it.
ALTER TABLE game ADD COLUMN abandonable INTEGER NOT NULL DEFAULT 0 CHECK (abandonable IN (0, 1));

DROP INDEX game_live;
-- `status` is a column of these indices, so that the planner searches them for it.
CREATE INDEX game_with_clock ON game (status, created_ms) WHERE status = 20 AND initial_ms IS NOT NULL;
CREATE INDEX game_due ON game (due_ms, last_ms) WHERE status = 20 AND due_ms IS NOT NULL;
CREATE INDEX game_board ON game (board, created_ms) WHERE status = 20 AND board IS NOT NULL;
CREATE INDEX game_awaits_engine ON game (status) WHERE status = 20 AND awaits_engine;
CREATE INDEX game_abandonable ON game (last_ms) WHERE status = 20 AND abandonable;
-- Games of earlier versions, whose state the next start reads from their logs.
CREATE INDEX game_without_state ON game (status)
    WHERE status = 20 AND initial_ms IS NULL AND last_ms IS NULL;

CREATE INDEX account_closed ON account (key) WHERE closed_ms IS NOT NULL;

-- Times, in epoch milliseconds, at which no server ran, or a running one was out of order for at least
-- a minute. They do not count towards the deadline of a move, without an event in each log.
CREATE TABLE outage (
    from_ms INTEGER NOT NULL PRIMARY KEY,
    to_ms   INTEGER NOT NULL
) STRICT;

-- States of the games in play without a clock, in short rows of their own: an event then changes
-- neither the long row of its game nor a page that has no other game in play. `last_ms` is the time
-- of the last event, `due_ms` the deadline of the move without the outages since then, `board` the
-- hash of a board that the engine must not analyze.
CREATE TABLE turn_state (
    game_id       BLOB NOT NULL PRIMARY KEY REFERENCES game (key),
    turn          TEXT NOT NULL CHECK (turn IN ('first', 'second')),
    last_ms       INTEGER NOT NULL,
    due_ms        INTEGER,
    board         INTEGER,
    -- Whether a computer player has to move or to answer an offer.
    awaits_engine INTEGER NOT NULL CHECK (awaits_engine IN (0, 1)),
    -- Whether the game ends once the player to move has left it.
    abandonable   INTEGER NOT NULL CHECK (abandonable IN (0, 1))
) STRICT, WITHOUT ROWID;
INSERT INTO turn_state
    SELECT key, iif(to_move = first, 'first', 'second'), last_ms, due_ms, board, awaits_engine,
        abandonable
    FROM game WHERE status = 20 AND initial_ms IS NULL AND last_ms IS NOT NULL;
CREATE INDEX turn_state_due ON turn_state (due_ms, last_ms) WHERE due_ms IS NOT NULL;
CREATE INDEX turn_state_board ON turn_state (board) WHERE board IS NOT NULL;
CREATE INDEX turn_state_awaits_engine ON turn_state (awaits_engine) WHERE awaits_engine = TRUE;
CREATE INDEX turn_state_abandonable ON turn_state (last_ms) WHERE abandonable;

DROP INDEX game_without_state;
-- Games of earlier versions, whose state the next start reads from their logs.
CREATE TABLE game_without_state (
    game_id BLOB NOT NULL PRIMARY KEY REFERENCES game (key)
) STRICT, WITHOUT ROWID;
INSERT INTO game_without_state
    SELECT key FROM game WHERE status = 20 AND initial_ms IS NULL AND last_ms IS NULL;

DROP INDEX game_due;
DROP INDEX game_board;
DROP INDEX game_awaits_engine;
DROP INDEX game_abandonable;
ALTER TABLE game DROP COLUMN to_move;
ALTER TABLE game DROP COLUMN last_ms;
ALTER TABLE game DROP COLUMN due_ms;
ALTER TABLE game DROP COLUMN board;
ALTER TABLE game DROP COLUMN awaits_engine;
ALTER TABLE game DROP COLUMN abandonable;

-- With the opponent, which the counts of games to move read.
DROP INDEX game_first_live;
DROP INDEX game_second_live;
CREATE INDEX game_first_live ON game (first, variant, rated, status, second) WHERE status = 20;
CREATE INDEX game_second_live ON game (second, variant, rated, status, first) WHERE status = 20;

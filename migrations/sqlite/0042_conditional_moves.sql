-- Conditional moves of players in games with days per move: the moves of the game before them, the
-- number of takebacks before, and the lines.
CREATE TABLE conditional_moves (
    game_id   BLOB    NOT NULL REFERENCES game (key),
    account   BLOB    NOT NULL REFERENCES account (key),
    played    TEXT    NOT NULL,
    takebacks INTEGER NOT NULL,
    lines     TEXT    NOT NULL,
    PRIMARY KEY (game_id, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX conditional_moves_account ON conditional_moves (account);

-- Processes that serve the database, each with the last time at which it was alive. They replace
-- the single row of `server`. `running` is 0 while a node starts. Rows of nodes that are gone are
-- removed by those that run.
CREATE TABLE node (
    key      BLOB NOT NULL PRIMARY KEY,
    running  INTEGER NOT NULL CHECK (running IN (0, 1)),
    alive_ms INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO node (key, running, alive_ms) SELECT zeroblob(16), 1, alive_ms FROM server;

DROP TABLE server;

-- Node that has the connection with which a seek ends.
ALTER TABLE challenge ADD COLUMN holder BLOB;

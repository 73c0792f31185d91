-- Processes that serve the database, each with the last time at which it was alive. They replace
-- the single row of `server`. Rows of nodes that are gone are removed by those that run.
CREATE TABLE node (
    key        BLOB NOT NULL PRIMARY KEY,
    started_ms INTEGER NOT NULL,
    alive_ms   INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO node (key, started_ms, alive_ms) SELECT zeroblob(16), alive_ms, alive_ms FROM server;

DROP TABLE server;

-- Node that has the connection with which a seek ends.
ALTER TABLE challenge ADD COLUMN holder BLOB;

-- Oldest schema whose programs can use this database. A migration raises it if they cannot use what
-- it has changed.
CREATE TABLE compatibility (
    one             BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    compatible_from BIGINT NOT NULL
);
INSERT INTO compatibility (one, compatible_from) VALUES (1, 27);

-- Whether the node has threads for the engine, and moves for computer players.
ALTER TABLE node ADD COLUMN has_engine BOOLEAN NOT NULL DEFAULT TRUE;

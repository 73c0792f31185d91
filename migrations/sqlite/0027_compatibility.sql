-- Oldest schema whose programs can use this database. A migration raises it if they cannot use what
-- it has changed.
CREATE TABLE compatibility (
    one             INTEGER NOT NULL PRIMARY KEY CHECK (one = 1),
    compatible_from INTEGER NOT NULL
) STRICT;
INSERT INTO compatibility (one, compatible_from) VALUES (1, 27);

-- Whether the node has threads for the engine, and moves for computer players.
ALTER TABLE node ADD COLUMN has_engine INTEGER NOT NULL DEFAULT true;

-- Presence at each of several nodes, for the other nodes. The only node of a database stores none.
CREATE TABLE presence (
    node     BLOB NOT NULL,
    account  BLOB NOT NULL,
    location TEXT NOT NULL,
    PRIMARY KEY (account, node, location)
) STRICT, WITHOUT ROWID;

-- Connections without an account to a game.
CREATE TABLE anonymous_presence (
    node        BLOB NOT NULL,
    game        TEXT NOT NULL,
    connections INTEGER NOT NULL CHECK (connections > 0),
    PRIMARY KEY (game, node)
) STRICT, WITHOUT ROWID;

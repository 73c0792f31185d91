-- What an operator sees of a node: its name, the public URL of its installation, its version, the
-- time of its start, and the number of its rooms. A node that leaves ends soon, and takes over
-- nothing; the row of one that has ended has the time until which it ran.
ALTER TABLE node ADD COLUMN name TEXT;
ALTER TABLE node ADD COLUMN origin TEXT;
ALTER TABLE node ADD COLUMN version TEXT;
ALTER TABLE node ADD COLUMN started_ms BIGINT;
ALTER TABLE node ADD COLUMN rooms BIGINT NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN leaving BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE node ADD COLUMN ended BOOLEAN NOT NULL DEFAULT FALSE;

-- Any number of servers have the database open.
DROP TABLE server_start;

-- Changes that a transaction of a node has made, of which the other nodes inform their
-- connections. The numbers become visible out of order: a reader asks for the transactions that
-- had not ended before its last read.
CREATE TABLE change (
    seq   BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    xid   XID8 NOT NULL DEFAULT pg_current_xact_id(),
    node  UUID NOT NULL,
    body  TEXT NOT NULL,
    at_ms BIGINT NOT NULL DEFAULT extract(epoch FROM clock_timestamp()) * 1000
);
CREATE INDEX change_by_transaction ON change (xid);

-- Name of the channel of messages between the nodes. Every role of the database can listen and send
-- to a channel that it knows; only that of the nodes can read the name.
CREATE TABLE channel (
    one  BIGINT NOT NULL PRIMARY KEY CHECK (one = 1),
    name TEXT NOT NULL
);
INSERT INTO channel (one, name) VALUES (1, 'sprong_' || gen_random_uuid());

-- What an operator sees of a node: its name, the public URL of its installation, its version, the
-- time of its start, and the number of its rooms. A node that leaves ends soon, and takes over
-- nothing; the row of one that has ended has the time until which it ran.
ALTER TABLE node ADD COLUMN name TEXT;
ALTER TABLE node ADD COLUMN origin TEXT;
ALTER TABLE node ADD COLUMN version TEXT;
ALTER TABLE node ADD COLUMN started_ms INTEGER;
ALTER TABLE node ADD COLUMN rooms INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN leaving INTEGER NOT NULL DEFAULT 0;
ALTER TABLE node ADD COLUMN ended INTEGER NOT NULL DEFAULT 0;

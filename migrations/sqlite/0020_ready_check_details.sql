-- The seek of the search that the game ends, which `of_search` requires to be open, and the network
-- of the acceptor: with them, a node can go on with a check that another one has begun. The network
-- is removed with the row.
ALTER TABLE ready_check ADD COLUMN search TEXT;
ALTER TABLE ready_check ADD COLUMN network TEXT;

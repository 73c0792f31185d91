-- A challenge has a requirement on each player: `range` and `provisional` bind the acceptor, `maker_range` and
-- `maker_provisional` the maker. They replace `bound`, which said whom the one pair of columns was about.
ALTER TABLE challenge ADD COLUMN maker_range TEXT NOT NULL DEFAULT '';
ALTER TABLE challenge ADD COLUMN maker_provisional INTEGER NOT NULL DEFAULT 1;
UPDATE challenge SET maker_range = range, maker_provisional = provisional WHERE bound <> 'acceptor';
UPDATE challenge SET range = '', provisional = 1 WHERE bound = 'maker';
ALTER TABLE challenge DROP COLUMN bound;

-- Choice of the first player of two free seats: a variant's key and a time control; NULL is no choice.
ALTER TABLE challenge ADD COLUMN seated_variant TEXT;
ALTER TABLE challenge ADD COLUMN seated_pace TEXT;

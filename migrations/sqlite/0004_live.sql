-- A rematch may be about the same board once more, where the start is left to chance.
ALTER TABLE challenge ADD COLUMN same_board INTEGER NOT NULL DEFAULT 0 CHECK (same_board IN (0, 1));

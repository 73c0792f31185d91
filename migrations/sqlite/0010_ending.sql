-- Ending of a game by the goal of its variant, as JSON: {"kind": "taken", "side": "first",
-- "first": 10, "second": 6}. Null for all other ends, and for games that ended before.
ALTER TABLE game ADD COLUMN ending TEXT CHECK (ending IS NULL OR json_valid(ending));

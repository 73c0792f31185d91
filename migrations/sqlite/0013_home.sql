-- Finished games that reached the goal of their variant, the newest of each kind first.
CREATE INDEX game_to_goal ON game (rated, ended_ms) WHERE ending IS NOT NULL;

-- Times at which games began, with their players.
CREATE INDEX game_created ON game (created_ms, first, second);

-- Lists of a player's games are read from indices alone, in the order of the list: each index holds
-- all columns that a filter asks for. The key stands where it settles ties in time.
DROP INDEX game_first;
DROP INDEX game_second;
DROP INDEX game_pair;
CREATE INDEX game_first ON game (first, created_ms, key, variant, rated, status, winner);
CREATE INDEX game_second ON game (second, created_ms, key, variant, rated, status, winner);
CREATE INDEX game_pair ON game (first, second, created_ms, key, variant, rated, status, winner);

-- Games in play of a player, to be counted.
CREATE INDEX game_first_live ON game (first, variant, rated, status) WHERE status = 20;
CREATE INDEX game_second_live ON game (second, variant, rated, status) WHERE status = 20;

-- Games called off, so that a list is counted from the tally and the games in play.
ALTER TABLE tally ADD COLUMN voids INTEGER NOT NULL DEFAULT 0;
INSERT INTO tally (account, variant, rated, wins, losses, draws, voids)
    SELECT account, variant, rated, 0, 0, 0, count(*) FROM (
        SELECT first AS account, variant, rated FROM game WHERE status IN (25, 37)
        UNION ALL
        SELECT second, variant, rated FROM game WHERE status IN (25, 37))
    WHERE true GROUP BY account, variant, rated
    ON CONFLICT (account, variant, rated) DO UPDATE SET voids = excluded.voids;

-- The time at which a rating becomes provisional again because nobody plays; none if it is
-- provisional already, or its account is closed. The server clears times that have passed, so that a
-- leaderboard reads only the ratings that it shows. The figures are those of play/rating.rs.
ALTER TABLE rating ADD COLUMN established_until_ms INTEGER;
UPDATE rating SET established_until_ms = rated_ms + 1 + CAST(
        (110.0 * 110.0 - rd * rd)
        / (volatility * volatility * 173.7178 * 173.7178 * 0.21436 / 86400000.0) AS INTEGER)
    WHERE rd < 110.0 AND games > 0
        AND account NOT IN (SELECT key FROM account WHERE closed_ms IS NOT NULL);
DROP INDEX rating_top;
CREATE INDEX rating_established ON rating (variant, rating DESC)
    WHERE established_until_ms IS NOT NULL;
CREATE INDEX rating_established_until ON rating (established_until_ms)
    WHERE established_until_ms IS NOT NULL;

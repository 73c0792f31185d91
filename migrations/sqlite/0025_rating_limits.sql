-- Reasons why a player gained less from a game than the two ratings give: `shortGame`,
-- `untestedOpponent` or `dailyGain`.
ALTER TABLE game ADD COLUMN first_limit TEXT;
ALTER TABLE game ADD COLUMN second_limit TEXT;

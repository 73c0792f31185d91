-- Number of the resolved report, moderator and reason of an action; earlier ones have none.
ALTER TABLE deed ADD COLUMN report BIGINT;
ALTER TABLE deed ADD COLUMN moderator TEXT NOT NULL DEFAULT '';
ALTER TABLE deed ADD COLUMN reason TEXT NOT NULL DEFAULT '';

ALTER TABLE game ADD COLUMN first_limit TEXT;
ALTER TABLE game ADD COLUMN second_limit TEXT;

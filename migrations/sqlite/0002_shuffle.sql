-- What chance decides of a game is drawn when its challenge is made, and sealed: the SHA-256 of seed
-- and salt is published with the challenge, both are told at the game's end.
ALTER TABLE challenge ADD COLUMN seed INTEGER NOT NULL DEFAULT 0;
ALTER TABLE challenge ADD COLUMN salt BLOB NOT NULL DEFAULT x'';

-- Challenges that are open already are sealed now. Seeds stay below 2^53, which JSON numbers bear.
UPDATE challenge SET seed = random() & 9007199254740991, salt = randomblob(16);

-- Games from before have no salt: nobody was promised anything.
ALTER TABLE game ADD COLUMN salt BLOB;

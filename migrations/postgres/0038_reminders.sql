-- Times before the deadline of a move at which an account wants reminders: the sum of 1, 2, 4, 8,
-- 16 and 32 for 1, 3, 6, 12, 24 and 48 hours. Without a row, 24 and 3 hours.
CREATE TABLE reminder_times (
    account UUID   NOT NULL PRIMARY KEY REFERENCES account (key) ON DELETE CASCADE,
    times   BIGINT NOT NULL CHECK (times BETWEEN 0 AND 63)
);

-- Latest reminder of a game by each channel: the deadline when it was sent and the hours before it.
-- Rows are removed when that deadline has passed.
CREATE TABLE reminder (
    game_id UUID             NOT NULL REFERENCES game (key),
    channel TEXT COLLATE "C" NOT NULL CHECK (channel IN ('push', 'email')),
    due_ms  BIGINT           NOT NULL,
    hours   BIGINT           NOT NULL CHECK (hours IN (1, 3, 6, 12, 24, 48)),
    PRIMARY KEY (game_id, channel)
);
CREATE INDEX reminder_due ON reminder (due_ms);

-- Whether reminders are wanted by push messages and by e-mail.
ALTER TABLE push_kinds ADD COLUMN deadline BOOLEAN NOT NULL DEFAULT TRUE;
ALTER TABLE email ADD COLUMN reminders BOOLEAN NOT NULL DEFAULT TRUE;

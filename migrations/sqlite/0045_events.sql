-- Game nights: times at which people meet for one game. `starts_ms` is the start of the one that
-- runs or comes next.
CREATE TABLE event (
    seq       INTEGER NOT NULL PRIMARY KEY AUTOINCREMENT,
    variant   TEXT    NOT NULL,
    starts_ms INTEGER NOT NULL,
    minutes   INTEGER NOT NULL,
    weekly    INTEGER NOT NULL CHECK (weekly IN (0, 1))
) STRICT;
CREATE INDEX event_starts ON event (starts_ms);

-- Accounts that want to be notified of the start of an event. `announced_ms`: the last start that
-- was announced to the account; 0 before.
CREATE TABLE event_interest (
    event        INTEGER NOT NULL REFERENCES event (seq) ON DELETE CASCADE,
    account      BLOB    NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    announced_ms INTEGER NOT NULL,
    PRIMARY KEY (event, account)
) STRICT, WITHOUT ROWID;
CREATE INDEX event_interest_announced ON event_interest (event, announced_ms, account);
CREATE INDEX event_interest_account ON event_interest (account);

-- Whether push messages about starts of events are wanted.
ALTER TABLE push_kinds
    ADD COLUMN event_start INTEGER NOT NULL DEFAULT true CHECK (event_start IN (0, 1));

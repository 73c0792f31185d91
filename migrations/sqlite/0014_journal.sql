-- The end of the logs of games in play, in the order of arrival: appends need no index. The server
-- finds the rows of a game in memory, and packs the log of a game into one row of `game_log` when
-- the game ends, or when its rows get old.
CREATE TABLE game_journal (
    id      INTEGER PRIMARY KEY,
    game_id BLOB NOT NULL,
    seq     INTEGER NOT NULL,
    side    TEXT,
    cid     BLOB,
    payload TEXT NOT NULL,
    at_ms   INTEGER NOT NULL,
    schema  INTEGER NOT NULL
) STRICT;

-- Packed logs. An event is an array: the notation of a move, or the payload of another event; the
-- side (0, 1, null); the milliseconds since the event before; in games in play the id of the command.
CREATE TABLE game_log (
    id       INTEGER PRIMARY KEY,
    game_id  BLOB NOT NULL UNIQUE REFERENCES game (key),
    last_seq INTEGER NOT NULL,
    last_ms  INTEGER NOT NULL,
    schema   INTEGER NOT NULL,
    events   TEXT NOT NULL
) STRICT;

-- A log with a gap gets a last event that cannot be read.
INSERT INTO game_log (game_id, last_seq, last_ms, schema, events)
SELECT game_id, count(*) + (count(*) <> max(seq)), max(at_ms), 1,
    '[' || group_concat(entry, ',' ORDER BY seq) || iif(count(*) <> max(seq), ',[null,null,0]]', ']')
FROM (
    SELECT game_id, seq, at_ms,
        '[' || CASE
            WHEN NOT json_valid(payload) THEN json_quote(payload)
            WHEN kind = 'moved' AND json_type(payload, '$.u') = 'text'
                AND coalesce(json_extract(payload, '$.lag_ms'), 0) = 0
                THEN json_quote(json_extract(payload, '$.u'))
            ELSE payload END
        || ',' || CASE side WHEN 'first' THEN '0' WHEN 'second' THEN '1' ELSE 'null' END
        || ',' || (at_ms - lag(at_ms, 1, 0) OVER (PARTITION BY game_id ORDER BY seq))
        || CASE WHEN cid IS NOT NULL AND game.status = 20
            THEN ',"' || lower(hex(cid)) || '"' ELSE '' END
        || ']' AS entry
    FROM game_event JOIN game ON game.key = game_id)
GROUP BY game_id;

DROP TABLE game_event;

-- The terms of a challenge are JSON:
--   plays           [{"variant": "hogga", "options": {"key": "value"}}], at least one
--   paces           ["300+3", "3d", "unlimited"], at least one
--   acceptor_terms  {"range": "1400-1600", "provisional": true}: the requirement on the acceptor
--   maker_terms     the same for the creator
-- Damaged values become JSON that the server rejects as an invalid row. The table is copied once
-- instead of rewritten for each column.
CREATE TABLE new_challenge (
    key            BLOB NOT NULL PRIMARY KEY,
    id             TEXT NOT NULL UNIQUE,
    maker          BLOB NOT NULL REFERENCES account (key),
    kind           TEXT NOT NULL,
    dest           BLOB REFERENCES account (key),
    plays          TEXT NOT NULL CHECK (json_valid(plays)),
    paces          TEXT NOT NULL CHECK (json_valid(paces)),
    side           TEXT CHECK (side IN ('first', 'second')),
    rated          INTEGER NOT NULL CHECK (rated IN (0, 1)),
    acceptor_terms TEXT NOT NULL CHECK (json_valid(acceptor_terms)),
    maker_terms    TEXT NOT NULL CHECK (json_valid(maker_terms)),
    standing       INTEGER NOT NULL CHECK (standing IN (0, 1)),
    program        INTEGER NOT NULL CHECK (program IN (0, 1)),
    rematch_of     TEXT,
    same_board     INTEGER NOT NULL CHECK (same_board IN (0, 1)),
    seed           INTEGER NOT NULL,
    salt           BLOB NOT NULL,
    seated         BLOB REFERENCES account (key),
    seated_side    TEXT CHECK (seated_side IN ('first', 'second')),
    seated_variant TEXT,
    seated_pace    TEXT,
    network        TEXT,
    declined       TEXT,
    created_ms     INTEGER NOT NULL,
    expires_ms     INTEGER NOT NULL,
    status         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- A variant was written as `key option=value option=value`, variants were separated by `;`, and
-- time controls by spaces. Older rows have one of each, in columns of their own.
WITH old AS (
    SELECT key AS old_key,
        CASE plays WHEN '' THEN trim(variant || ' ' || options) ELSE plays END AS plays,
        CASE
            WHEN paces <> '' THEN paces
            WHEN initial_ms IS NOT NULL THEN format('%d+%d', initial_ms / 1000, increment_ms / 1000)
            WHEN days IS NOT NULL THEN format('%dd', days)
            ELSE 'unlimited'
        END AS paces
    FROM challenge
), play AS (
    SELECT old_key, entry.key AS position, trim(entry.value) || ' ' AS text
    FROM old, json_each('[' || replace(json_quote(plays), ';', '","') || ']') AS entry
), choice AS (
    SELECT old_key, position, substr(text, 1, instr(text, ' ') - 1) AS variant,
        trim(substr(text, instr(text, ' '))) AS options
    FROM play
), choices AS (
    SELECT old_key, json_group_array(json_object('variant', variant, 'options', json(
        CASE
            WHEN options = '' THEN '{}'
            WHEN json_valid('{' || replace(replace(json_quote(options), '=', '":"'), ' ', '","') || '}')
                THEN '{' || replace(replace(json_quote(options), '=', '":"'), ' ', '","') || '}'
            ELSE json_object(options, '')
        END)) ORDER BY position) AS plays
    FROM choice GROUP BY old_key
)
INSERT INTO new_challenge (key, id, maker, kind, dest, plays, paces, side, rated, acceptor_terms,
    maker_terms, standing, program, rematch_of, same_board, seed, salt, seated, seated_side,
    seated_variant, seated_pace, network, declined, created_ms, expires_ms, status)
SELECT key, id, maker, kind, dest, choices.plays,
    '[' || replace(json_quote(old.paces), ' ', '","') || ']', side, rated,
    json_object('range', range, 'provisional', json(iif(provisional, 'true', 'false'))),
    json_object('range', maker_range, 'provisional', json(iif(maker_provisional, 'true', 'false'))),
    standing <> 0, program <> 0, rematch_of, same_board, seed, salt, seated, seated_side,
    seated_variant, seated_pace, network, declined, created_ms, expires_ms, status
FROM challenge JOIN old ON old.old_key = key JOIN choices ON choices.old_key = key;

DROP TABLE challenge;
ALTER TABLE new_challenge RENAME TO challenge;

CREATE INDEX challenge_open ON challenge (created_ms) WHERE status = 10;
CREATE INDEX challenge_expiry ON challenge (expires_ms) WHERE status = 10;
CREATE INDEX challenge_open_of ON challenge (maker) WHERE status = 10;
CREATE INDEX challenge_open_to ON challenge (dest) WHERE status = 10;
CREATE INDEX challenge_public ON challenge (created_ms)
    WHERE status = 10 AND kind IN ('list', 'seek');
CREATE INDEX challenge_rematch ON challenge (rematch_of) WHERE rematch_of IS NOT NULL;
CREATE INDEX challenge_network ON challenge (network) WHERE status = 10 AND network IS NOT NULL;
CREATE TRIGGER challenge_network_end AFTER UPDATE OF status ON challenge
WHEN NEW.status <> 10 AND NEW.network IS NOT NULL
BEGIN
    UPDATE challenge SET network = NULL WHERE key = NEW.key;
END;

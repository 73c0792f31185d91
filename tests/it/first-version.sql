INSERT INTO account (key, id, name, guest, password, created_ms) VALUES
    (x'01010101010101010101010101010101', 'ann1', 'Ann1', 0, 'hash', 5), (x'02020202020202020202020202020202', 'bob', 'Bob', 0, 'hash', 5),
    (x'03030303030303030303030303030303', '~otter-1', 'Otter 1', 1, NULL, 5);
INSERT INTO session (hash, account, created_ms, seen_ms) VALUES (x'aa', x'01010101010101010101010101010101', 5, 5);
INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms) VALUES
    (x'01010101010101010101010101010101', 'knightFight', 1662.2, 290.0, 0.09, 1, 90), (x'02020202020202020202020202020202', 'knightFight', 1337.8, 290.0, 0.09, 1, 90);
INSERT INTO challenge (key, id, maker, variant, options, rated, side, initial_ms, increment_ms, range,
        provisional, created_ms, expires_ms, status) VALUES
    (x'11111111111111111111111111111111', 'OpenChal', x'01010101010101010101010101010101', 'knightFight', 'doubles=may', 0, NULL, 300000, 3000, '1400-', 1, 6, 1000, 10);
INSERT INTO game (key, id, variant, options, seed, rated, initial_ms, increment_ms, first, second,
        first_rating, second_rating, first_provisional, second_provisional, created_ms, status,
        winner, reason, ended_ms, first_diff, second_diff) VALUES
    (x'21212121212121212121212121212121', 'OverGame', 'knightFight', 'doubles=may', 7, 1, NULL, NULL, x'01010101010101010101010101010101', x'02020202020202020202020202020202', 1500, 1500, 1, 1, 7,
        31, 'first', NULL, 90, 162, -162),
    (x'22222222222222222222222222222222', 'LiveGame', 'knightFight', 'doubles=may', 77, 0, NULL, NULL, x'03030303030303030303030303030303', x'02020202020202020202020202020202', 1500, 1338, 1, 1, 8,
        20, NULL, NULL, NULL, NULL, NULL);
INSERT INTO game_event (game_id, seq, kind, side, cid, payload, at_ms, schema) VALUES
    (x'21212121212121212121212121212121', 1, 'moved', 'first', NULL, '{"kind":"moved","u":"a1"}', 8, 1),
    (x'21212121212121212121212121212121', 2, 'moved', 'second', NULL, '{"kind":"moved","u":"b2"}', 9, 1),
    (x'21212121212121212121212121212121', 3, 'ended', 'second', NULL, '{"kind":"ended","status":"resign","winner":"first","reason":null}', 90, 1);

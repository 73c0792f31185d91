-- Indices for the removal of old rows, for references to guests, and for leaderboards of bots.
CREATE INDEX account_bot ON account (key) WHERE bot;
CREATE INDEX account_guest_seen ON account (seen_ms, key) WHERE guest;
CREATE INDEX session_seen ON session (seen_ms);
CREATE INDEX session_created ON session (created_ms);
CREATE INDEX challenge_ended ON challenge (expires_ms) WHERE status IN (20, 30, 50);
DROP INDEX challenge_open_of;
DROP INDEX challenge_open_to;
CREATE INDEX challenge_maker ON challenge (maker, status);
CREATE INDEX challenge_dest ON challenge (dest, status) WHERE dest IS NOT NULL;
CREATE INDEX challenge_seated ON challenge (seated) WHERE seated IS NOT NULL;
CREATE INDEX casual_request_account ON casual_request (account);
CREATE INDEX report_about ON report (about);
CREATE INDEX deed_account ON deed (account);
CREATE INDEX pair_other ON pair (other);
CREATE INDEX ready_check_waiting ON ready_check (waiting_player);

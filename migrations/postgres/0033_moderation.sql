-- Ends of mutes and of closings by moderators; NULL for those without an end.
ALTER TABLE account ADD COLUMN unmute_ms BIGINT;
ALTER TABLE account ADD COLUMN reopen_ms BIGINT;
CREATE INDEX account_unmute ON account (unmute_ms) WHERE unmute_ms IS NOT NULL;
CREATE INDEX account_reopen ON account (reopen_ms) WHERE reopen_ms IS NOT NULL;

-- Whether a moderator has closed the account, and not its player.
ALTER TABLE account ADD COLUMN closed_by_moderator BOOLEAN NOT NULL DEFAULT FALSE;
UPDATE account SET closed_by_moderator = TRUE
    WHERE EXISTS (SELECT 1 FROM deed WHERE deed.account = account.key AND what = 'close'
                  AND at_ms = closed_ms)
        AND name NOT LIKE 'deleted-%'
        AND NOT EXISTS (SELECT 1 FROM erasure WHERE erasure.account = account.key);

-- End of the action, if it has one, and the moderator, if the action is from the page.
ALTER TABLE deed ADD COLUMN until_ms BIGINT;
ALTER TABLE deed ADD COLUMN moderator_account UUID REFERENCES account (key);
CREATE INDEX deed_moderator ON deed (moderator_account) WHERE moderator_account IS NOT NULL;

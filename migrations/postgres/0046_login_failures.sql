-- Failed logins of each account in a minute since the epoch.
CREATE TABLE login_failure (
    account UUID   NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    minute  BIGINT NOT NULL,
    n       BIGINT NOT NULL,
    PRIMARY KEY (account, minute)
);
CREATE INDEX login_failure_minute ON login_failure (minute);

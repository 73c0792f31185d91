-- Failed logins of each account in a minute since the epoch.
CREATE TABLE login_failure (
    account BLOB    NOT NULL REFERENCES account (key) ON DELETE CASCADE,
    minute  INTEGER NOT NULL,
    n       INTEGER NOT NULL,
    PRIMARY KEY (account, minute)
) STRICT, WITHOUT ROWID;
CREATE INDEX login_failure_minute ON login_failure (minute);

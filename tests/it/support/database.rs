//! Direct access to the database of a server.

use super::client::Player;
use sprong::play::rating::Rating;
use sqlx::AssertSqlSafe;
use sqlx::postgres::PgPool;
use sqlx::sqlite::{SqliteConnectOptions, SqlitePool};
use std::path::Path;

/// Direct access to the database of a server, for states that would take many games or a long time
/// to reach through the API.
#[derive(Clone)]
pub enum Database {
    Sqlite(SqlitePool),
    Postgres(PgPool),
}

/// Executes a statement, and returns the number of rows that it has changed.
macro_rules! execute {
    ($database:expr, $sql:expr $(, $value:expr)*) => {
        match $database {
            Database::Sqlite(pool) => {
                let done = sqlx::query($sql)$(.bind($value))*.execute(pool).await;
                done.expect("executed").rows_affected()
            }
            Database::Postgres(pool) => {
                let done = sqlx::query($sql)$(.bind($value))*.execute(pool).await;
                done.expect("executed").rows_affected()
            }
        }
    };
}

impl Database {
    /// Opens a database at an address in the form of `--database`.
    pub async fn open(address: &str) -> Database {
        if address.starts_with("postgres://") {
            return Database::Postgres(PgPool::connect(address).await.expect("database"));
        }
        Database::open_file(Path::new(address)).await
    }

    pub async fn open_file(path: &Path) -> Database {
        let options = SqliteConnectOptions::new().filename(path);
        Database::Sqlite(SqlitePool::connect_with(options).await.expect("database"))
    }

    /// Executes statements without values.
    pub async fn run(self, sql: &str) {
        let sql = AssertSqlSafe(sql.to_owned());
        match self {
            Database::Sqlite(pool) => {
                sqlx::raw_sql(sql).execute(&pool).await.expect("executed");
                pool.close().await;
            }
            Database::Postgres(pool) => {
                sqlx::raw_sql(sql).execute(&pool).await.expect("executed");
                pool.close().await;
            }
        }
    }

    /// Returns the ids of all games, in the order of their ends.
    pub async fn game_ids(&self) -> Vec<String> {
        let sql = "SELECT id FROM game ORDER BY coalesce(ended_ms, 4611686018427387904), key";
        match self {
            Database::Sqlite(pool) => sqlx::query_scalar(sql).fetch_all(pool).await,
            Database::Postgres(pool) => sqlx::query_scalar(sql).fetch_all(pool).await,
        }
        .expect("games")
    }

    /// Returns the number of accounts whose erasure is not complete.
    pub async fn erasure_count(&self) -> i64 {
        self.count("SELECT count(*) FROM erasure").await
    }

    /// Returns the number that a query counts.
    pub async fn count(&self, sql: &'static str) -> i64 {
        match self {
            Database::Sqlite(pool) => sqlx::query_scalar(sql).fetch_one(pool).await,
            Database::Postgres(pool) => sqlx::query_scalar(sql).fetch_one(pool).await,
        }
        .expect("count")
    }

    /// Returns the token that ends the digests of the only account with an address.
    pub async fn unsubscribe_token(&self) -> String {
        let sql = "SELECT unsubscribe FROM email";
        match self {
            Database::Sqlite(pool) => sqlx::query_scalar(sql).fetch_one(pool).await,
            Database::Postgres(pool) => sqlx::query_scalar(sql).fetch_one(pool).await,
        }
        .expect("token")
    }

    /// Returns the number of rows with an e-mail address or a link that was sent by e-mail.
    pub async fn email_count(&self) -> i64 {
        let sql = "SELECT (SELECT count(*) FROM email) + (SELECT count(*) FROM email_reset_link)";
        match self {
            Database::Sqlite(pool) => sqlx::query_scalar(sql).fetch_one(pool).await,
            Database::Postgres(pool) => sqlx::query_scalar(sql).fetch_one(pool).await,
        }
        .expect("count")
    }

    /// Adds accounts that a player follows.
    pub async fn follow_many(&self, player: &Player, count: i64) {
        for n in 0..count {
            let (key, name) = (uuid::Uuid::now_v7(), format!("followed-{n}"));
            let sql = "INSERT INTO account (key, id, name, guest, password, created_ms)
                       VALUES ($1, $2, $2, FALSE, '', 0)";
            execute!(self, sql, key, &name);
            let sql = "INSERT INTO follow (account, other, created_ms)
                       SELECT key, $1, 0 FROM account WHERE id = $2";
            execute!(self, sql, key, &player.id);
        }
    }

    /// Adds notes of a player on games that exist in the database only.
    pub async fn add_notes(&self, player: &Player, count: i64) {
        for _ in 0..count {
            let key = uuid::Uuid::now_v7();
            let sql =
                "INSERT INTO game (key, id, variant, options, seed, rated, days, first, second,
                           first_rating, second_rating, first_provisional, second_provisional,
                           created_ms, status)
                       SELECT $1, $2, variant, options, seed, rated, days, first, second,
                           first_rating, second_rating, first_provisional, second_provisional,
                           created_ms, 25
                       FROM game LIMIT 1";
            execute!(self, sql, key, key.simple().to_string());
            let sql = "INSERT INTO game_note (account, game, text, changed_ms)
                       SELECT key, $1, 'x', 0 FROM account WHERE id = $2";
            execute!(self, sql, key, &player.id);
        }
    }

    pub async fn set_rating(&self, player: &Player, variant: &str, rating: i64, rd: f64) {
        let sql = "INSERT INTO rating (account, variant, rating, rd, volatility, games, rated_ms,
                       established_until_ms)
                   SELECT key, $1, $2, $3, $4, 30, $5, $6 FROM account WHERE id = $7
                   ON CONFLICT (account, variant) DO UPDATE SET
                       rating = excluded.rating, rd = excluded.rd, rated_ms = excluded.rated_ms,
                       established_until_ms = excluded.established_until_ms";
        let rated_ms = sprong::rooms::now_ms();
        let established = Rating { rd, games: 30, rated_ms, ..Rating::default() };
        let (rating, volatility) = (rating as f64, established.volatility);
        let until_ms = established.established_until_ms();
        let id = &player.id;
        let done = execute!(self, sql, variant, rating, rd, volatility, rated_ms, until_ms, id);
        assert_eq!(done, 1, "{}", player.id);
    }

    /// Removes the stored ending of a game, as if it had ended before endings were stored.
    pub async fn remove_ending(&self, game: &str) {
        let sql = "UPDATE game SET ending = NULL WHERE id = $1 AND ending IS NOT NULL";
        let done = execute!(self, sql, game);
        assert_eq!(done, 1, "{game}");
    }

    /// Makes a challenge expire.
    pub async fn expire(&self, challenge: &str) {
        let sql = "UPDATE challenge SET expires_ms = created_ms WHERE id = $1";
        let done = execute!(self, sql, challenge);
        assert_eq!(done, 1, "{challenge}");
    }

    /// Makes an account older.
    pub async fn age_account(&self, player: &Player, by_ms: i64) {
        let sql = "UPDATE account SET created_ms = created_ms - $1 WHERE id = $2";
        let done = execute!(self, sql, by_ms, &player.id);
        assert_eq!(done, 1, "{}", player.id);
    }

    /// Makes the points of the rating history of an account older.
    pub async fn age_points(&self, player: &Player, by_ms: i64) {
        let sql = "UPDATE rating_point SET at_ms = at_ms - $1
                   WHERE account = (SELECT key FROM account WHERE id = $2)";
        let done = execute!(self, sql, by_ms, &player.id);
        assert!(done > 0, "{}", player.id);
    }

    /// Makes the reset link of an account an hour old.
    pub async fn expire_reset_link(&self, player: &Player) {
        let sql = "UPDATE reset_link SET created_ms = created_ms - 3600000
                   WHERE account = (SELECT key FROM account WHERE id = $1)";
        let done = execute!(self, sql, &player.id);
        assert_eq!(done, 1, "{}", player.id);
    }

    /// Returns the numbers of guests whose id begins with `~old-`, and of their sessions.
    pub async fn old_guest_count(&self) -> [i64; 2] {
        let sql = "SELECT (SELECT count(*) FROM account WHERE id LIKE '~old-%'),
                       (SELECT count(*) FROM session JOIN account ON key = session.account
                        WHERE account.id LIKE '~old-%')";
        let counts: (i64, i64) = match self {
            Database::Sqlite(pool) => sqlx::query_as(sql).fetch_one(pool).await.expect("counts"),
            Database::Postgres(pool) => sqlx::query_as(sql).fetch_one(pool).await.expect("counts"),
        };
        counts.into()
    }

    /// Returns the number of games in which at least one of `players` plays.
    pub async fn games_of(&self, players: &[&Player]) -> usize {
        let sql = "SELECT a.id, b.id FROM game
                   JOIN account a ON a.key = game.first JOIN account b ON b.key = game.second";
        let rows: Vec<(String, String)> = match self {
            Database::Sqlite(pool) => sqlx::query_as(sql).fetch_all(pool).await.expect("games"),
            Database::Postgres(pool) => sqlx::query_as(sql).fetch_all(pool).await.expect("games"),
        };
        let is_one = |id: &String| players.iter().any(|player| player.id == *id);
        rows.iter().filter(|(first, second)| is_one(first) || is_one(second)).count()
    }
}

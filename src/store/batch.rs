//! Statements that one query executes, because each query of sqlx waits for another thread, which
//! costs more than most statements. Callers: the other modules of `store`.

use super::StoreError;
use futures_util::TryStreamExt;
use sqlx::sqlite::{SqliteArguments, SqliteRow};
use sqlx::{Arguments, AssertSqlSafe, Either, Encode, Executor, Sqlite, SqliteConnection, Type};

/// Statements with their arguments, executed in order. Outside a transaction each is one of its
/// own.
#[derive(Debug, Default)]
pub(super) struct Batch {
    sql: String,
    arguments: SqliteArguments,
    /// Number of the last parameter.
    parameters: usize,
}

impl Batch {
    /// Adds one statement, without question marks other than those of its parameters. The
    /// parameters are bound next.
    pub(super) fn add(&mut self, sql: &str) -> &mut Batch {
        self.check_parameters();
        debug_assert!(!sql.contains(';'), "more than one statement: {sql}");
        let (bound, mut unnumbered) = (self.parameters, 0);
        let mut parts = sql.split('?');
        self.sql.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
            let number = part[..part.len() - rest.len()].parse().unwrap_or_else(|_| {
                unnumbered += 1;
                unnumbered
            });
            // sqlx takes these numbers as those of the whole query. With `?`, SQLite would count
            // parameters of earlier statements as unnamed ones of this statement.
            self.sql.push_str(&format!("${}{rest}", bound + number));
            self.parameters = self.parameters.max(bound + number);
        }
        self.sql.push(';');
        self
    }

    /// Binds the next parameter.
    pub(super) fn bind<'q>(&mut self, value: impl Encode<'q, Sqlite> + Type<Sqlite>) -> &mut Batch {
        self.arguments.add(value).expect("values that can be encoded");
        self
    }

    fn check_parameters(&self) {
        debug_assert_eq!(self.arguments.len(), self.parameters, "parameters of {}", self.sql);
    }

    /// Executes the statements.
    pub(super) async fn execute(self, connection: &mut SqliteConnection) -> Result<(), StoreError> {
        self.check_parameters();
        let query = sqlx::query_with(AssertSqlSafe(self.sql), self.arguments);
        query.execute(connection).await?;
        Ok(())
    }

    /// Executes the statements, and returns the rows of each, in the order of the statements.
    pub(super) async fn fetch(
        self,
        connection: &mut SqliteConnection,
    ) -> Result<Vec<Vec<SqliteRow>>, StoreError> {
        self.check_parameters();
        let query = sqlx::query_with(AssertSqlSafe(self.sql), self.arguments);
        let mut results = connection.fetch_many(query);
        let (mut rows, mut all) = (Vec::new(), Vec::new());
        while let Some(result) = results.try_next().await? {
            match result {
                Either::Right(row) => rows.push(row),
                Either::Left(_) => all.push(std::mem::take(&mut rows)),
            }
        }
        Ok(all)
    }
}

/// Returns the only row of a statement.
pub(super) fn one_row(rows: &[SqliteRow]) -> Result<&SqliteRow, sqlx::Error> {
    rows.first().ok_or(sqlx::Error::RowNotFound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Row};

    #[tokio::test]
    async fn each_statement_has_its_own_parameters() {
        let options = SqliteConnectOptions::new().in_memory(true);
        let mut connection = options.connect().await.expect("connection");
        let mut batch = Batch::default();
        batch.add("CREATE TEMP TABLE pair (a INTEGER, b TEXT)");
        batch.add("INSERT INTO pair VALUES (?, ?), (?, ?)");
        batch.bind(1).bind("one").bind(2).bind("two");
        batch.execute(&mut connection).await.expect("inserted");
        let mut batch = Batch::default();
        batch.add("SELECT b FROM pair WHERE a = ?2 OR a = ?1 OR a > ?2").bind(7).bind(1);
        batch.add("SELECT b FROM pair WHERE a > 8");
        batch.add("SELECT b FROM pair WHERE a = ?").bind(2);
        batch.add("SELECT b FROM pair WHERE a IN (?2, ?3, ?1)").bind(9).bind(8).bind(1);
        let rows = batch.fetch(&mut connection).await.expect("rows");
        let texts = |rows: &Vec<SqliteRow>| rows.iter().map(|row| row.get("b")).collect();
        let found: Vec<Vec<String>> = rows.iter().map(texts).collect();
        assert_eq!(found, [vec!["one", "two"], vec![], vec!["two"], vec!["one"]]);
    }

    #[tokio::test]
    async fn failure_of_a_statement_is_rolled_back_with_those_before_it() {
        let options = SqliteConnectOptions::new().in_memory(true);
        let mut connection = options.connect().await.expect("connection");
        let sql = "CREATE TEMP TABLE one (a INTEGER UNIQUE); BEGIN; SAVEPOINT task";
        sqlx::query(sql).execute(&mut connection).await.expect("begun");
        let insert = |numbers: [i64; 3]| {
            let mut batch = Batch::default();
            numbers.iter().for_each(|number| {
                batch.add("INSERT INTO one VALUES (?)").bind(*number);
            });
            batch
        };
        insert([1, 1, 2]).execute(&mut connection).await.expect_err("a repeated number");
        sqlx::query("ROLLBACK TO task").execute(&mut connection).await.expect("rolled back");
        insert([1, 2, 3]).execute(&mut connection).await.expect("inserted");
        sqlx::query("RELEASE task; COMMIT").execute(&mut connection).await.expect("committed");
        let query = sqlx::query_scalar("SELECT group_concat(a) FROM one");
        let numbers: String = query.fetch_one(&mut connection).await.expect("numbers");
        assert_eq!(numbers, "1,2,3");
    }
}

//! Statements that are executed together: by one query of SQLite, because each query of sqlx waits
//! for another thread, which costs more than most statements. Callers: the other modules of
//! `store`.

use super::StoreError;
use super::row::SqlRow;
use super::sql::Conn;
#[cfg(debug_assertions)]
use super::statement_file;
use super::value::Value;

/// Statements with their values, executed in order. Outside a transaction each is one of its own.
#[derive(Debug, Default)]
pub(super) struct Batch(Vec<(String, Vec<Value>)>);

impl Batch {
    /// Adds one statement, whose parameters are bound next: `$1` is the first one.
    pub(super) fn add(&mut self, sql: &str) -> &mut Batch {
        debug_assert!(!sql.contains(';'), "more than one statement: {sql}");
        #[cfg(debug_assertions)]
        statement_file::add(sql);
        self.0.push((sql.to_owned(), Vec::new()));
        self
    }

    /// Binds the next parameter of the last statement.
    pub(super) fn bind(&mut self, value: impl Into<Value>) -> &mut Batch {
        let (_, values) = self.0.last_mut().expect("a statement");
        values.push(value.into());
        self
    }

    /// Executes the statements.
    pub(super) async fn execute(self, connection: &mut Conn) -> Result<(), StoreError> {
        connection.execute_all(self.0).await?;
        Ok(())
    }

    /// Executes statements that change rows, none of which depends on another or changes the same
    /// row.
    pub(super) async fn execute_together(self, connection: &mut Conn) -> Result<(), StoreError> {
        Ok(connection.execute_together(self.0).await?)
    }

    /// Executes the statements, and returns the rows of each, in the order of the statements.
    pub(super) async fn fetch(self, connection: &mut Conn) -> Result<Vec<Vec<SqlRow>>, StoreError> {
        Ok(connection.execute_all(self.0).await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::ConnectOptions;
    use sqlx::sqlite::SqliteConnectOptions;

    async fn in_memory() -> Conn {
        let options = SqliteConnectOptions::new().in_memory(true);
        options.connect().await.expect("connection").into()
    }

    #[tokio::test]
    async fn each_statement_has_its_own_parameters() {
        let mut connection = in_memory().await;
        let table = connection.query("CREATE TEMP TABLE part (a INTEGER, b TEXT)");
        table.execute().await.expect("created");
        let mut batch = Batch::default();
        batch.add("INSERT INTO part VALUES ($1, $2), ($3, $4)");
        batch.bind(1).bind("one").bind(2).bind("two");
        batch.execute(&mut connection).await.expect("inserted");
        let mut batch = Batch::default();
        batch.add("SELECT b FROM part WHERE a = $2 OR a = $1 OR a > $2").bind(7).bind(1);
        batch.add("SELECT b FROM part WHERE a > 8 OR b = '$.b'");
        batch.add("SELECT b FROM part WHERE a = $1").bind(2);
        batch.add("SELECT b FROM part WHERE a IN ($2, $3, $1)").bind(9).bind(8).bind(1);
        let rows = batch.fetch(&mut connection).await.expect("rows");
        let text = |row: &SqlRow| row.decode::<(String,)>().expect("a text").0;
        let found: Vec<Vec<String>> =
            rows.iter().map(|rows| rows.iter().map(text).collect()).collect();
        assert_eq!(found, [vec!["one", "two"], vec![], vec!["two"], vec!["one"]]);
    }

    #[tokio::test]
    async fn failure_of_a_statement_is_rolled_back_with_those_before_it() {
        let mut connection = in_memory().await;
        let sql = "CREATE TEMP TABLE part (a INTEGER UNIQUE); BEGIN; SAVEPOINT task";
        connection.query(sql).execute().await.expect("begun");
        let insert = |numbers: [i64; 3]| {
            let mut batch = Batch::default();
            numbers.iter().for_each(|number| {
                batch.add("INSERT INTO part VALUES ($1)").bind(*number);
            });
            batch
        };
        insert([1, 1, 2]).execute(&mut connection).await.expect_err("a repeated number");
        connection.query("ROLLBACK TO task").execute().await.expect("rolled back");
        insert([1, 2, 3]).execute(&mut connection).await.expect("inserted");
        connection.query("RELEASE task; COMMIT").execute().await.expect("committed");
        let query = connection.query("SELECT group_concat(a) FROM part");
        let numbers: String = query.value().await.expect("numbers");
        assert_eq!(numbers, "1,2,3");
    }
}

//! Statements that one query executes, because each query of sqlx waits for another thread, which
//! costs more than most statements. Callers: the other modules of `store`.

use super::StoreError;
use super::sql::{Bind, Conn, SqlArguments, SqlRow};
#[cfg(debug_assertions)]
use super::statement_file;
use sqlx::Arguments;

/// Statements with their arguments, executed in order. Outside a transaction each is one of its
/// own.
#[derive(Debug, Default)]
pub(super) struct Batch {
    sql: String,
    arguments: SqlArguments,
    /// Number of the last parameter.
    parameters: usize,
}

impl Batch {
    /// Adds one statement, whose parameters are bound next: `$1` is the first one.
    pub(super) fn add(&mut self, sql: &str) -> &mut Batch {
        self.check_parameters();
        debug_assert!(!sql.contains(';'), "more than one statement: {sql}");
        #[cfg(debug_assertions)]
        statement_file::add(sql);
        let bound = self.parameters;
        let mut parts = sql.split('$');
        self.sql.push_str(parts.next().unwrap_or_default());
        for part in parts {
            let rest = part.trim_start_matches(|c: char| c.is_ascii_digit());
            match part[..part.len() - rest.len()].parse::<usize>() {
                // The driver takes the numbers as those of the whole query.
                Ok(number) => {
                    self.sql.push_str(&format!("${}{rest}", bound + number));
                    self.parameters = self.parameters.max(bound + number);
                }
                // Part of a text, such as a JSON path.
                Err(_) => self.sql.push_str(&format!("${part}")),
            }
        }
        self.sql.push(';');
        self
    }

    /// Binds the next parameter.
    pub(super) fn bind<'t>(&mut self, value: impl Bind<'t>) -> &mut Batch {
        self.arguments.add(value).expect("values that can be encoded");
        self
    }

    fn check_parameters(&self) {
        debug_assert_eq!(self.arguments.len(), self.parameters, "parameters of {}", self.sql);
    }

    /// Executes the statements.
    pub(super) async fn execute(self, connection: &mut Conn) -> Result<(), StoreError> {
        self.check_parameters();
        connection.execute_all(self.sql, self.arguments).await?;
        Ok(())
    }

    /// Executes the statements, and returns the rows of each, in the order of the statements.
    pub(super) async fn fetch(self, connection: &mut Conn) -> Result<Vec<Vec<SqlRow>>, StoreError> {
        self.check_parameters();
        Ok(connection.execute_all(self.sql, self.arguments).await?)
    }
}

/// Returns the only row of a statement.
pub(super) fn one_row(rows: &[SqlRow]) -> Result<&SqlRow, sqlx::Error> {
    rows.first().ok_or(sqlx::Error::RowNotFound)
}

#[cfg(test)]
mod tests {
    use super::*;
    use sqlx::sqlite::SqliteConnectOptions;
    use sqlx::{ConnectOptions, Row};

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
        let texts = |rows: &Vec<SqlRow>| rows.iter().map(|row| row.get("b")).collect();
        let found: Vec<Vec<String>> = rows.iter().map(texts).collect();
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

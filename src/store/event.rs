use super::{Error, GameKey, Store};
use crate::play::event::{Event, Logged};
use crate::rules::Side;
use sqlx::{AssertSqlSafe, Executor, Sqlite, SqliteConnection};
use std::sync::LazyLock;
use uuid::Uuid;

/// The form in which events are written now; older ones can always be read.
const SCHEMA: i64 = 1;

/// Rows that go into one statement at the most. Each number of rows is a prepared statement.
pub(super) const ROWS_MAX: usize = 64;

/// The next event of a game, for its log.
#[derive(Clone, Debug)]
pub struct Append {
    /// Which game.
    pub game: GameKey,
    /// The command that caused it, made by whoever sent it. Only what the server does of itself
    /// may have none, and nothing tells two of those apart.
    pub cid: Option<Uuid>,
    /// The event in its place.
    pub logged: Logged,
}

/// What became of an append.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Appended {
    /// It stands in the log.
    Accepted,
    /// The command was obeyed before; its event has that number.
    Repeated(i64),
    /// Another event has taken its place: look again.
    Conflict,
}

/// The INSERT for each number of rows, from one on.
static INSERTS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let insert = |rows| {
        let values = vec!["(?, ?, ?, ?, ?, ?, ?, ?)"; rows].join(", ");
        format!(
            "INSERT INTO game_event (game_id, seq, kind, side, cid, payload, at_ms, schema) \
             VALUES {values} ON CONFLICT DO NOTHING"
        )
    };
    (1..=ROWS_MAX).map(insert).collect()
});

#[derive(sqlx::FromRow)]
struct Row {
    seq: i64,
    side: Option<String>,
    at_ms: i64,
    payload: String,
    cid: Option<Uuid>,
}

impl Store {
    /// Appends an event to the log of its game; the answer comes after the commit.
    ///
    /// # Errors
    /// When nothing was stored.
    pub async fn append(&self, append: Append) -> Result<Appended, Error> {
        self.writer.append(append).await
    }

    /// The log of a game from its first event, each with the command that caused it.
    ///
    /// # Errors
    /// When it cannot be read.
    pub async fn events(&self, game: GameKey) -> Result<Vec<(Logged, Option<Uuid>)>, Error> {
        log(&self.readers, game).await
    }
}

impl Row {
    fn read(self) -> Result<(Logged, Option<Uuid>), Error> {
        let event: Event = serde_json::from_str(&self.payload)
            .map_err(|error| Error::BadRow(format!("event {}: {error}", self.seq)))?;
        let side = read_side(self.side.as_deref())?;
        Ok((Logged { seq: self.seq, side, at_ms: self.at_ms, event }, self.cid))
    }
}

/// The log of a game, as that connection sees it.
pub(super) async fn log(
    connection: impl Executor<'_, Database = Sqlite>,
    game: GameKey,
) -> Result<Vec<(Logged, Option<Uuid>)>, Error> {
    let sql = "SELECT seq, side, at_ms, payload, cid FROM game_event
               WHERE game_id = ? ORDER BY seq";
    let rows: Vec<Row> = sqlx::query_as(sql).bind(game).fetch_all(connection).await?;
    rows.into_iter().map(Row::read).collect()
}

/// Reads a side that may be missing.
pub(super) fn read_side(text: Option<&str>) -> Result<Option<Side>, Error> {
    text.map(|text| text.parse().map_err(|_| Error::BadRow(format!("side {text:?}")))).transpose()
}

/// Writes a side.
pub(super) fn side_word(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

fn kind(event: &Event) -> &'static str {
    match event {
        Event::Moved { .. } => "moved",
        Event::DrawOffered => "drawOffered",
        Event::DrawDeclined => "drawDeclined",
        Event::TakebackOffered => "takebackOffered",
        Event::TakebackDeclined => "takebackDeclined",
        Event::TakenBack { .. } => "takenBack",
        Event::TimeGiven { .. } => "timeGiven",
        Event::Said { .. } => "said",
        Event::Resumed { .. } => "resumed",
        Event::Ended(_) => "ended",
    }
}

/// Appends events of different games, many to a statement.
pub(super) async fn append_all(
    tx: &mut SqliteConnection,
    rows: &[Append],
) -> Result<Vec<Appended>, Error> {
    let mut results = Vec::with_capacity(rows.len());
    for chunk in rows.chunks(ROWS_MAX) {
        if insert(tx, chunk).await? == chunk.len() {
            results.extend(chunk.iter().map(|_| Appended::Accepted));
        } else {
            // Somebody's place was taken: the commands tell whose.
            for row in chunk {
                results.push(match find(tx, row).await? {
                    Appended::Repeated(seq) if seq == row.logged.seq => Appended::Accepted,
                    other => other,
                });
            }
        }
    }
    Ok(results)
}

/// Appends one event, or finds out why not.
pub(super) async fn append_one(
    tx: &mut SqliteConnection,
    append: &Append,
) -> Result<Appended, Error> {
    if insert(tx, std::slice::from_ref(append)).await? == 1 {
        return Ok(Appended::Accepted);
    }
    find(tx, append).await
}

/// Why an append was not taken, by the event that its command has in the log.
async fn find(tx: &mut SqliteConnection, append: &Append) -> Result<Appended, Error> {
    let sql = "SELECT seq FROM game_event WHERE game_id = ? AND cid = ?";
    let found: Option<i64> =
        sqlx::query_scalar(sql).bind(append.game).bind(append.cid).fetch_optional(tx).await?;
    Ok(found.map_or(Appended::Conflict, Appended::Repeated))
}

async fn insert(tx: &mut SqliteConnection, rows: &[Append]) -> Result<usize, Error> {
    // The text is built from constants alone.
    let mut query = sqlx::query(AssertSqlSafe(INSERTS[rows.len() - 1].as_str()));
    for Append { game, cid, logged } in rows {
        let payload = serde_json::to_string(&logged.event)
            .map_err(|error| Error::BadRow(format!("event {}: {error}", logged.seq)))?;
        query = query
            .bind(game)
            .bind(logged.seq)
            .bind(kind(&logged.event))
            .bind(logged.side.map(side_word))
            .bind(cid)
            .bind(payload)
            .bind(logged.at_ms)
            .bind(SCHEMA);
    }
    Ok(query.execute(tx).await?.rows_affected() as usize)
}

//! Audit of a database: replays all games through the rules and recomputes all ratings.
//!
//! Read only; a server may use the database meanwhile. Caller: the subcommand `check`.

use super::check_ratings::stored_ratings;
use super::event::log;
use super::game::{GameRow, Row, select_games};
use super::recount::recount;
use super::{Error, GameKey, read_only};
use crate::play::event::{DrawReason, End, Event, Status};
use crate::play::game::Game;
use crate::variants;
use sqlx::{Connection, SqliteConnection};
use std::path::Path;

/// Games per page of keys.
const KEYS_MAX: i64 = 512;

/// Counts of an audit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Games replayed.
    pub games: u64,
    /// Events in the logs of those games.
    pub events: u64,
    /// Rated results from which ratings were recomputed.
    pub rated: u64,
    /// Stored ratings compared with them.
    pub ratings: u64,
    /// Mismatches found.
    pub wrong: u64,
}

/// Replays every game of a database through the rules, recomputes all ratings from the results, and
/// passes a description of each mismatch to `say`. Each game, and the ratings of each variant, are
/// read in one snapshot. Memory is bounded by one game and the ratings of one variant.
///
/// # Errors
/// The database cannot be read.
pub async fn check(database: &Path, say: impl FnMut(&str)) -> Result<Checked, Error> {
    let mut connection = read_only(database).await?;
    let mut checking = Checking { checked: Checked::default(), say };
    let pages: Vec<String> =
        sqlx::query_scalar("PRAGMA quick_check").fetch_all(&mut connection).await?;
    for page in pages.iter().filter(|page| *page != "ok") {
        checking.wrong(&format!("database file: {page}"));
    }
    checking.games(&mut connection).await?;
    for variant in variants::ALL.iter() {
        recount(&mut connection, variant.info.key, &mut checking).await?;
    }
    connection.close().await?;
    Ok(checking.checked)
}

/// State of an audit: counts so far, and the sink for mismatches.
pub(super) struct Checking<S> {
    pub(super) checked: Checked,
    say: S,
}

impl<S: FnMut(&str)> Checking<S> {
    /// Counts and reports a mismatch.
    pub(super) fn wrong(&mut self, what: &str) {
        self.checked.wrong += 1;
        (self.say)(what);
    }

    async fn games(&mut self, connection: &mut SqliteConnection) -> Result<(), Error> {
        let mut last: Option<GameKey> = None;
        loop {
            let sql = "SELECT key FROM game WHERE ?1 IS NULL OR key > ?1 ORDER BY key LIMIT ?2";
            let keys: Vec<GameKey> = sqlx::query_scalar(sql)
                .bind(last)
                .bind(KEYS_MAX)
                .fetch_all(&mut *connection)
                .await?;
            let Some(end) = keys.last() else { return Ok(()) };
            last = Some(*end);
            for key in keys {
                self.game(connection, key).await?;
            }
        }
    }

    /// Audits a game. Row and log come from one snapshot, so that games in progress are consistent.
    async fn game(&mut self, connection: &mut SqliteConnection, key: GameKey) -> Result<(), Error> {
        let mut tx = connection.begin().await?;
        let row: Option<Row> = sqlx::query_as(select_games!("WHERE game.key = ?"))
            .bind(key)
            .fetch_optional(&mut *tx)
            .await?;
        let events = log(&mut *tx, key).await;
        // The game was deleted after its key was read.
        let Some(row) = row else { return Ok(()) };
        let (name, row) = (row.id().to_owned(), row.read());
        let ratings = match &row {
            Ok(row) => stored_ratings(&mut tx, row).await?,
            Err(_) => None,
        };
        tx.rollback().await?;
        self.checked.games += 1;
        if let Some(why) = ratings {
            self.wrong(&format!("game {name}: {why}"));
        }
        let found = match (row, events) {
            (Ok(row), Ok(events)) => {
                self.checked.events += events.len() as u64;
                let logged = events.into_iter().map(|(logged, _)| logged);
                agrees(&row, logged.collect::<Vec<_>>().as_slice())
            }
            (Err(Error::BadRow(why)), _) | (_, Err(Error::BadRow(why))) => Err(why),
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        if let Err(why) = found {
            self.wrong(&format!("game {name}: {why}"));
        }
        Ok(())
    }
}

/// Checks that the log is legal and that the row agrees with the final state.
fn agrees(row: &GameRow, events: &[crate::play::event::Logged]) -> Result<(), String> {
    let mut game = Game::new(row.setup.clone());
    let mut ended_ms = None;
    for logged in events {
        game.replay(logged).map_err(|bad| bad.to_string())?;
        if matches!(logged.event, Event::Ended(_)) && ended_ms.replace(logged.at_ms).is_some() {
            return Err(format!("event {}: the game ends a second time", logged.seq));
        }
    }
    let (kept, end) = (row.result.map(|result| result.end), game.end());
    if kept != end {
        return Err(format!("row: {}; log: {}", told(kept), told(end)));
    }
    by_the_rules(&game, end)?;
    let Some(result) = row.result else { return Ok(()) };
    if row.ended_ms != ended_ms {
        return Err(format!(
            "row: the game ended at {:?}; log: the game ended at {ended_ms:?}",
            row.ended_ms
        ));
    }
    let plies = game.line().ply();
    if row.plies != Some(plies as i64) {
        return Err(format!("row: {:?} plies; log: {plies} plies", row.plies));
    }
    let counts = row.rated && !result.end.status.is_void() && game.is_begun();
    if counts != result.diff.is_some() {
        let not = if counts { "" } else { "not " };
        return Err(format!("the game is {not}rated, but the row stores {:?}", result.diff));
    }
    Ok(())
}

/// Checks that the game ended by the rules if and only if the rules end it in its final position.
fn by_the_rules(game: &Game, end: Option<End>) -> Result<(), String> {
    let ruled = game.line().verdict().map(|(outcome, reason)| {
        let reason = DrawReason::of(reason);
        let status = if reason.is_some() { Status::Draw } else { Status::VariantEnd };
        End { status, winner: outcome.winner(), reason }
    });
    let by_rules = end.filter(|end| {
        let drawn = [DrawReason::Repetition, DrawReason::NoProgress, DrawReason::MoveLimit];
        end.status == Status::VariantEnd || end.reason.is_some_and(|reason| drawn.contains(&reason))
    });
    if ruled == by_rules {
        return Ok(());
    }
    Err(format!("rules: {}; log: {}", told(ruled), told(end)))
}

fn told(end: Option<End>) -> String {
    let Some(End { status, winner, reason }) = end else { return "in progress".to_owned() };
    let reason = reason.map_or(String::new(), |reason| format!(" by {}", reason.word()));
    let winner = winner.map_or("no side".to_owned(), |side| side.to_string());
    format!("{}{reason}, {winner} wins", status.word())
}

//! Whether what is kept agrees with the rules and with itself.

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

/// Games whose keys are read at one time.
const KEYS_MAX: i64 = 512;

/// What was looked at.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Checked {
    /// Games whose logs were replayed.
    pub games: u64,
    /// Events in those logs.
    pub events: u64,
    /// Rated results from which ratings were made anew.
    pub rated: u64,
    /// Ratings that were compared with them.
    pub ratings: u64,
    /// What did not agree.
    pub wrong: u64,
}

/// Replays every game of a database through the rules, makes all ratings anew from the results, and
/// says each thing that does not agree. A server may go on beside it: each game, and the ratings of
/// each variant, are seen as they are at one moment. Holds one game at a time, and the ratings of
/// one variant.
///
/// # Errors
/// When the database cannot be read.
pub async fn check(database: &Path, say: impl FnMut(&str)) -> Result<Checked, Error> {
    let mut connection = read_only(database).await?;
    let mut checking = Checking { checked: Checked::default(), say };
    let pages: Vec<String> =
        sqlx::query_scalar("PRAGMA quick_check").fetch_all(&mut connection).await?;
    for page in pages.iter().filter(|page| *page != "ok") {
        checking.wrong(&format!("the file: {page}"));
    }
    checking.games(&mut connection).await?;
    for variant in variants::ALL.iter() {
        recount(&mut connection, variant.info.key, &mut checking).await?;
    }
    connection.close().await?;
    Ok(checking.checked)
}

/// What has been looked at so far, and who is told what does not agree.
pub(super) struct Checking<S> {
    pub(super) checked: Checked,
    say: S,
}

impl<S: FnMut(&str)> Checking<S> {
    /// Something does not agree.
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

    /// Looks at a game: row and log at one moment, also while it is being played.
    async fn game(&mut self, connection: &mut SqliteConnection, key: GameKey) -> Result<(), Error> {
        let mut tx = connection.begin().await?;
        let row: Option<Row> = sqlx::query_as(select_games!("WHERE game.key = ?"))
            .bind(key)
            .fetch_optional(&mut *tx)
            .await?;
        let events = log(&mut *tx, key).await;
        // Who left between the list and now.
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

/// Whether the log is one of that game by the rules, and the row says what the log came to.
fn agrees(row: &GameRow, events: &[crate::play::event::Logged]) -> Result<(), String> {
    let mut game = Game::new(row.setup.clone());
    let mut ended_ms = None;
    for logged in events {
        game.replay(logged).map_err(|bad| bad.to_string())?;
        if matches!(logged.event, Event::Ended(_)) && ended_ms.replace(logged.at_ms).is_some() {
            return Err(format!("event {}: it ends a second time", logged.seq));
        }
    }
    let (kept, end) = (row.result.map(|result| result.end), game.end());
    if kept != end {
        return Err(format!("the row says {}, the log {}", told(kept), told(end)));
    }
    by_the_rules(&game, end)?;
    let Some(result) = row.result else { return Ok(()) };
    if row.ended_ms != ended_ms {
        return Err(format!(
            "the row says that it ended at {:?}, the log {ended_ms:?}",
            row.ended_ms
        ));
    }
    let plies = game.line().ply();
    if row.plies != Some(plies as i64) {
        return Err(format!("the row says {:?} plies, the log {plies}", row.plies));
    }
    let counts = row.rated && !result.end.status.is_void() && game.is_begun();
    if counts != result.diff.is_some() {
        let not = if counts { "" } else { "not " };
        return Err(format!("it is {not}to be rated, and the row says {:?}", result.diff));
    }
    Ok(())
}

/// Whether a game that the rules end has ended so, and none that they do not.
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
    Err(format!("by the rules {}, by the log {}", told(ruled), told(end)))
}

fn told(end: Option<End>) -> String {
    let Some(End { status, winner, reason }) = end else { return "it goes on".to_owned() };
    let reason = reason.map_or(String::new(), |reason| format!(" by {}", reason.word()));
    let winner = winner.map_or("nobody".to_owned(), |side| side.to_string());
    format!("{}{reason}, {winner} has won", status.word())
}

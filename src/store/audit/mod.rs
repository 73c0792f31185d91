//! Audit of a database: replays all games through the rules and recomputes all ratings.
//!
//! Read only; a server may use the database meanwhile. Caller: the subcommand `check`.

mod game_ratings;
mod ratings;
mod report;
mod voids;

pub use report::AuditReport;

use crate::play::commit_reveal::to_hex;
use crate::play::event::{DrawReason, Event, GameEnd, GameStatus, LoggedEvent};
use crate::play::game::Game;
use crate::play::rating::GainLimit;
use crate::store::event_log::{JournalRows, games_with_old_states};
use crate::store::game_row::{GameRow, RawGameRow, select_games};
use crate::store::schema::SchemaUse;
use crate::store::sql::Conn;
use crate::store::turn_state::{StateColumns, TurnState};
use crate::store::{DatabaseAddress, GameKey, StoreError, postgres, sqlite};
use crate::variants;
use game_ratings::find_rating_mismatch;
use ratings::recompute_ratings;
use report::Auditor;

/// Games per page of keys.
const KEYS_MAX: i64 = 512;

/// Replays every game of a database through the rules, recomputes all ratings from the results, and
/// passes a description of each mismatch to `on_mismatch`, and the numbers of games checked and in
/// all to `on_progress`. Each game, and the ratings of each variant, are read in one snapshot.
/// Memory is bounded by some games, the journal, and the ratings of one variant.
///
/// # Errors
/// The database cannot be read.
pub async fn check(
    database: &DatabaseAddress,
    on_mismatch: impl FnMut(&str),
    on_progress: impl FnMut(u64, u64),
) -> Result<AuditReport, StoreError> {
    let mut auditor = Auditor { counts: AuditReport::default(), on_mismatch };
    let mut connection = match database {
        DatabaseAddress::File(path) => {
            let mut connection = sqlite::read_only_current(path, SchemaUse::Share).await?;
            let pages: Vec<String> = connection.query("PRAGMA quick_check").values().await?;
            for page in pages.iter().filter(|page| *page != "ok") {
                auditor.report(&format!("database file: {page}"));
            }
            connection
        }
        DatabaseAddress::Postgres(options) => {
            postgres::read_only_current(options, SchemaUse::Share).await?
        }
    };
    auditor.audit_games(&mut connection, on_progress).await?;
    for variant in variants::ALL.iter() {
        recompute_ratings(&mut connection, variant.info.key, &mut auditor).await?;
    }
    connection.close().await?;
    Ok(auditor.counts)
}

impl<S: FnMut(&str)> Auditor<S> {
    async fn audit_games(
        &mut self,
        connection: &mut Conn,
        mut on_progress: impl FnMut(u64, u64),
    ) -> Result<(), StoreError> {
        let mut last = GameKey::NIL;
        let count = connection.query("SELECT count(*) FROM game");
        let all: i64 = count.value().await?;
        loop {
            // Rows and logs of a page come from one snapshot, so that games in progress are
            // consistent. The journal is read once for a page, as it has no index by game.
            connection.begin_snapshot().await?;
            let sql = "SELECT key FROM game WHERE key > $1 ORDER BY key LIMIT $2";
            let keys: Vec<GameKey> =
                connection.query(sql).bind(last).bind(KEYS_MAX).values().await?;
            let [Some(first), Some(end)] = [keys.first(), keys.last()] else { break };
            last = *end;
            let mut journal = JournalRows::load(connection, *first..=*end).await?;
            let old_states = games_with_old_states(connection).await?;
            for key in keys {
                let has_old_state = old_states.contains(&key);
                self.audit_game(connection, &mut journal, key, has_old_state).await?;
            }
            connection.query("ROLLBACK").execute().await?;
            on_progress(self.counts.games, all.cast_unsigned());
        }
        connection.query("ROLLBACK").execute().await?;
        Ok(())
    }

    async fn audit_game(
        &mut self,
        tx: &mut Conn,
        journal: &mut JournalRows,
        key: GameKey,
        has_old_state: bool,
    ) -> Result<(), StoreError> {
        let sql = select_games!(
            "turn, last_ms, due_ms, board, awaits_engine, abandonable,",
            "LEFT JOIN turn_state ON game_id = game.key WHERE game.key = $1"
        );
        let row: Option<AuditedRow> = tx.query(sql).bind(key).fetch_optional().await?;
        let events = journal.take_log(tx, key).await;
        let Some(AuditedRow { game: row, state }) = row else {
            self.report(&format!("game with key {}: no account of a player", to_hex(key.bytes())));
            return Ok(());
        };
        let (name, row) = (row.id().to_owned(), row.into_game());
        let ratings = match &row {
            Ok(row) => find_rating_mismatch(tx, row).await?,
            Err(_) => None,
        };
        self.counts.games += 1;
        if let Some(why) = ratings {
            self.report(&format!("game {name}: {why}"));
        }
        let found = match (row, events) {
            (Ok(row), Ok(events)) => {
                self.counts.events += events.len() as u64;
                let logged = events.into_iter().map(|(logged, _)| logged);
                let logged: Vec<_> = logged.collect();
                check_log(&row, &logged).and_then(|game| match has_old_state {
                    true => Ok(()),
                    false => check_state(&row, &game, &state),
                })
            }
            (Err(StoreError::InvalidRow(why)), _) | (_, Err(StoreError::InvalidRow(why))) => {
                Err(why)
            }
            (Err(error), _) | (_, Err(error)) => return Err(error),
        };
        if let Err(why) = found {
            self.report(&format!("game {name}: {why}"));
        }
        Ok(())
    }
}

/// Row of a game with the state that lists read.
#[derive(sqlx::FromRow)]
struct AuditedRow {
    #[sqlx(flatten)]
    game: RawGameRow,
    #[sqlx(flatten)]
    state: StateColumns,
}

/// Checks that the state of the row agrees with that after the log.
fn check_state(row: &GameRow, game: &Game, state: &StateColumns) -> Result<(), String> {
    let expected = StateColumns::new(TurnState::new(row, game).as_ref());
    if *state == expected {
        return Ok(());
    }
    if *state == StateColumns::new(None) {
        return Err("the row has no state; the next start of the server adds it".to_owned());
    }
    Err(format!("row: {state:?}; log: {expected:?}"))
}

/// Checks that the log is legal and that the row agrees with the final state, and returns the game.
fn check_log(row: &GameRow, events: &[LoggedEvent]) -> Result<Game, String> {
    let mut game = Game::new(row.setup.clone());
    let mut ended_ms = None;
    for logged in events {
        game.replay(logged).map_err(|bad| bad.to_string())?;
        if matches!(logged.event, Event::Ended(_)) && ended_ms.replace(logged.at_ms).is_some() {
            return Err(format!("event {}: the game ends a second time", logged.seq));
        }
    }
    let (stored, end) = (row.result.map(|result| result.end), game.end());
    if stored != end {
        return Err(format!("row: {}; log: {}", describe_end(stored), describe_end(end)));
    }
    check_end_by_rules(&game, end)?;
    let Some(result) = row.result else { return Ok(game) };
    let ending = game.line().ending();
    if result.ending.is_some() && result.ending != ending {
        return Err(format!("row: the ending {:?}; rules: {ending:?}", result.ending));
    }
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
    let counts = row.rated && !result.end.status.is_aborted() && game.has_begun();
    if counts != result.diff.is_some() {
        let not = if counts { "" } else { "not " };
        return Err(format!("the game is {not}rated, but the row stores {:?}", result.diff));
    }
    let is_short = result.end.is_short(plies, row.setup.variant.info);
    if result.limits.contains(&Some(GainLimit::ShortGame)) && !is_short {
        return Err(format!("a gain is limited as in a short game, but it has {plies} plies"));
    }
    Ok(game)
}

/// Checks that the game ended by the rules if and only if the rules end it in its final position.
fn check_end_by_rules(game: &Game, end: Option<GameEnd>) -> Result<(), String> {
    let expected = game.line().outcome().map(|(outcome, reason)| {
        let reason = DrawReason::from_end_reason(reason);
        let status = if reason.is_some() { GameStatus::Draw } else { GameStatus::VariantEnd };
        GameEnd { status, winner: outcome.winner(), reason }
    });
    let by_rules = end.filter(GameEnd::is_by_rules);
    if expected == by_rules {
        return Ok(());
    }
    Err(format!("rules: {}; log: {}", describe_end(expected), describe_end(end)))
}

fn describe_end(end: Option<GameEnd>) -> String {
    let Some(GameEnd { status, winner, reason }) = end else { return "in progress".to_owned() };
    let reason = reason.map_or(String::new(), |reason| format!(" by {}", reason.as_str()));
    let winner = winner.map_or("no side".to_owned(), |side| side.to_string());
    format!("{}{reason}, {winner} wins", status.as_str())
}

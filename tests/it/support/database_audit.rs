//! Audit of a database after a test: recomputes from the event logs everything that is derived from
//! them (results, ratings, histories, result counts), with the pure game and the rating formula,
//! and compares it with the stored rows. Crash, backup, race and bot tests use it.

use super::database::Database;
use super::store_fixtures::command_id;
use smol_str::SmolStr;
use sprong::play::event::{DrawReason, Event, GameStatus, LoggedEvent};
use sprong::play::game::{BOTH_MOVED_PLIES, Game};
use sprong::play::rating::{Rating, rate_game};
use sprong::rules::{Outcome, Side};
use sprong::store::{AccountKey, GameRow, Store};
use std::collections::HashMap;
use uuid::Uuid;

/// Stored game, replayed from its log.
pub struct ReplayedGame {
    pub row: GameRow,
    pub game: Game,
    pub log: Vec<(LoggedEvent, Option<Uuid>)>,
    /// Side that was to move at each event of the log.
    turns: Vec<Side>,
}

impl ReplayedGame {
    /// Returns the events that the command `cid` of the player to move caused.
    pub fn events_of_command(&self, cid: Uuid) -> Vec<&Event> {
        let ids = Side::BOTH.map(|side| command_id(&self.row, side, cid));
        let own = self.log.iter().zip(&self.turns);
        let own = own.filter(|((_, command_id), turn)| *command_id == ids[turn.index()]);
        own.map(|((logged, _), _)| &logged.event).collect()
    }

    /// Asserts that an acknowledged move is stored once. Ended games keep the ids of their last
    /// commands only; there, the place of the move shows it.
    pub fn assert_stored_once(&self, cid: Uuid, ply: usize, u: &str) {
        let (id, stored) = (self.row.id, self.events_of_command(cid));
        assert_eq!(
            self.game.line().moves().get(ply).map(SmolStr::as_str),
            Some(u),
            "ply {ply} of {id}"
        );
        if !stored.is_empty() || self.row.result.is_none() {
            let moved = Event::Moved { u: u.into(), lag_ms: 0 };
            assert_eq!(stored, [&moved], "ply {ply} of {id}");
        }
    }

    /// Returns the downtime in ms that was excluded from both clocks after both sides had moved,
    /// and the times in ms of the event that started the clocks and of the last event.
    pub fn excluded_downtime_ms(&self) -> (i64, [i64; 2]) {
        let moves = |logged: &&(LoggedEvent, _)| matches!(logged.0.event, Event::Moved { .. });
        let Some((start, _)) = self.log.iter().filter(moves).nth(BOTH_MOVED_PLIES - 1) else {
            return (0, [0; 2]);
        };
        let last_ms = self.log.last().expect("events").0.at_ms;
        let after = self.log.iter().filter(|(logged, _)| logged.seq > start.seq);
        let lost = after.map(|(logged, _)| match logged.event {
            Event::Resumed { lost_ms, vacation_until_ms: None } => lost_ms,
            _ => 0,
        });
        (lost.sum(), [start.at_ms, last_ms])
    }
}

/// Loads and replays every game of the database, sorted by end, unfinished games last.
pub async fn replay_games(store: &Store, database: &Database) -> Vec<ReplayedGame> {
    let ids = database.game_ids().await;
    let mut all = Vec::with_capacity(ids.len());
    for id in ids {
        let row = store.game(&id.parse().expect("id")).await.expect("read").expect("game");
        let log = store.events(row.key).await.expect("log");
        let mut game = Game::new(row.setup.clone());
        let mut turns = Vec::with_capacity(log.len());
        for (logged, _) in &log {
            turns.push(game.line().turn());
            game.replay(logged).unwrap_or_else(|error| panic!("game {id}: {error}"));
        }
        all.push(ReplayedGame { row, game, log, turns });
    }
    all
}

/// Wins, losses and draws.
type Results = [i64; 3];

/// Asserts that ratings, histories, results of players and of pairs, and the row of each game agree
/// with the logs. Returns the number of rated games.
pub async fn assert_consistent(store: &Store, games: &[ReplayedGame]) -> usize {
    let mut ratings: HashMap<AccountKey, HashMap<String, Rating>> = HashMap::new();
    let mut counts: HashMap<AccountKey, HashMap<(String, bool), Results>> = HashMap::new();
    let mut pairs: HashMap<(AccountKey, AccountKey), HashMap<String, Results>> = HashMap::new();
    let (mut points, mut rated): (HashMap<AccountKey, usize>, usize) = (HashMap::new(), 0);
    for ReplayedGame { row, game, log, .. } in games {
        let id = row.id;
        let Some(end) = game.end() else {
            assert!(row.result.is_none(), "{id} has a result without an end in its log");
            continue;
        };
        let result =
            row.result.unwrap_or_else(|| panic!("{id} has an end in its log without a result"));
        assert_eq!((result.end, row.plies), (end, Some(game.line().ply() as i64)), "{id}");
        let ends = log.iter().filter(|(logged, _)| matches!(logged.event, Event::Ended(_)));
        assert_eq!(ends.count(), 1, "expected one end in the log of {id}");
        let variant = row.setup.variant.info.key.to_owned();
        let keys = Side::BOTH.map(|side| row.players[side.index()].account.key);
        if end.status.is_aborted() {
            assert_eq!(result.diff, None, "{id}");
            continue;
        }
        for side in Side::BOTH {
            let (own, other) = (keys[side.index()], keys[side.other().index()]);
            let won =
                [Some(side), Some(side.other()), None].map(|who| i64::from(end.winner == who));
            let tally = counts.entry(own).or_default().entry((variant.clone(), row.rated));
            add(tally.or_default(), won);
            add(pairs.entry((own, other)).or_default().entry(variant.clone()).or_default(), won);
        }
        if !row.rated || !game.has_begun() {
            assert_eq!(result.diff, None, "{id}");
            continue;
        }
        let before = keys.map(|key| {
            let of = ratings.get(&key).and_then(|of| of.get(&variant));
            of.copied().unwrap_or_default()
        });
        let ended_ms = row.ended_ms.expect("an end");
        let unlimited = rate_game(before, end.winner.map_or(Outcome::Draw, Outcome::Win), ended_ms);
        let by_players = [GameStatus::Resign, GameStatus::Timeout, GameStatus::OutOfTime];
        let is_agreed = matches!(end.reason, Some(DrawReason::Agreement | DrawReason::Claim));
        let is_short = (by_players.contains(&end.status) || is_agreed)
            && game.line().ply() < row.setup.variant.info.rated_plies_min;
        let after = [0, 1].map(|at| limited_gain(before[at], unlimited[at], is_short));
        let diff = [0, 1].map(|at| after[at].rounded() - before[at].rounded());
        assert_eq!(result.diff, Some(diff), "{id}");
        for (key, after) in keys.into_iter().zip(after) {
            ratings.entry(key).or_default().insert(variant.clone(), after);
            *points.entry(key).or_default() += 1;
        }
        rated += 1;
    }
    for (key, expected) in &counts {
        assert_eq!(
            store.ratings(*key).await.expect("ratings"),
            ratings.remove(key).unwrap_or_default()
        );
        let history = store.rating_history(*key).await.expect("history");
        assert_eq!(
            history.len(),
            points.get(key).copied().unwrap_or(0),
            "expected one point for each rated game"
        );
        let stored = store.result_counts(*key).await.expect("tallies").into_iter();
        let stored = stored.map(|t| ((t.variant, t.rated), [t.wins, t.losses, t.draws]));
        // A variant in which all games were aborted has a row of zeros.
        let stored: HashMap<_, _> = stored.filter(|(_, sum)| *sum != [0; 3]).collect();
        assert_eq!(stored, *expected);
    }
    for ((own, other), expected) in &pairs {
        let stored = store.head_to_head(*own, *other).await.expect("pair").into_iter();
        let stored: HashMap<_, _> =
            stored.map(|t| (t.variant, [t.wins, t.losses, t.draws])).collect();
        assert_eq!(stored, *expected);
    }
    assert!(ratings.is_empty(), "expected no ratings of accounts without games");
    rated
}

/// Returns the rating after a game in which the accounts of all players are new.
fn limited_gain(before: Rating, after: Rating, is_short: bool) -> Rating {
    let limit = if is_short { before.rating } else { before.rating.max(1_700.0) };
    if after.rating <= limit {
        return after;
    }
    let rd = before.deviation_at(after.rated_ms);
    Rating { rating: limit, rd, volatility: before.volatility, ..after }
}

fn add(sum: &mut Results, one: Results) {
    for (sum, one) in sum.iter_mut().zip(one) {
        *sum += one;
    }
}

//! Recomputation of ratings from results, and comparison with the stored ratings.
//!
//! Games that end at nearly the same time may have been committed in another order. Therefore a
//! game waits until the stored points confirm its turn, or until it is clear that none will.
//! Caller: `check`.

use super::report::Auditor;
use super::voids::{PointPosition, Voids};
use crate::play::rating::{DAILY_GAIN_MAX, GainLimit, GainTerms, Rating, limit_gain, rate_game};
use crate::rules::{Outcome, Side};
use crate::store::columns::parse_side;
use crate::store::sql::Conn;
use crate::store::{AccountKey, GameKey, StoreError};
use futures_util::TryStreamExt;
use std::collections::{HashMap, VecDeque};

/// Maximum difference between the end times of games that may have been rated in another order, in
/// milliseconds.
pub(super) const REORDER_WINDOW_MS: i64 = 10_000;

/// Maximum of games that wait for their turn.
const REORDER_MAX: usize = 256;

/// Tolerance for ratings and deviations.
const TOLERANCE: f64 = 0.01;

/// Rated game that has ended, with its stored rating changes and rating points.
#[derive(sqlx::FromRow)]
struct RatedGame {
    key: GameKey,
    id: String,
    ended_ms: i64,
    winner: Option<String>,
    first: AccountKey,
    second: AccountKey,
    first_diff: i32,
    second_diff: i32,
    first_point: Option<f64>,
    first_rd: Option<f64>,
    second_point: Option<f64>,
    second_rd: Option<f64>,
    first_number: Option<i64>,
    second_number: Option<i64>,
    first_limit: Option<String>,
    second_limit: Option<String>,
}

/// Recomputes the ratings of a variant game by game and reports differences from the stored ones.
pub(super) async fn recompute_ratings<S: FnMut(&str)>(
    connection: &mut Conn,
    variant: &str,
    auditor: &mut Auditor<S>,
) -> Result<(), StoreError> {
    let sql = "SELECT game.key, game.id, ended_ms, winner, first, second, first_diff, second_diff,
                   coalesce(one.rating, one_void.point) AS first_point,
                   coalesce(one.rd, one_void.rd) AS first_rd,
                   coalesce(two.rating, two_void.point) AS second_point,
                   coalesce(two.rd, two_void.rd) AS second_rd,
                   coalesce(one.number, one_void.number) AS first_number,
                   coalesce(two.number, two_void.number) AS second_number,
                   first_limit, second_limit
               FROM game
               LEFT JOIN rating_point one ON one.account = first AND one.variant = game.variant
                   AND one.at_ms = ended_ms AND one.game = game.key
               LEFT JOIN rating_point two ON two.account = second AND two.variant = game.variant
                   AND two.at_ms = ended_ms AND two.game = game.key
               LEFT JOIN voided_rating one_void ON one_void.account = first
                   AND one_void.variant = game.variant AND one_void.game = game.key
               LEFT JOIN voided_rating two_void ON two_void.account = second
                   AND two_void.variant = game.variant AND two_void.game = game.key
               WHERE game.variant = $1 AND first_diff IS NOT NULL AND second_diff IS NOT NULL
                   AND ended_ms IS NOT NULL
               ORDER BY ended_ms, game.key";
    connection.begin_snapshot().await?;
    let mut ratings =
        Ratings { voids: Voids::load(connection, variant).await?, ..Ratings::default() };
    let mut rows = connection.stream::<RatedGame>(sql, variant);
    while let Some(game) = rows.try_next().await? {
        auditor.counts.rated += 1;
        ratings.add(game, auditor);
    }
    drop(rows);
    ratings.apply_matching(i64::MAX, auditor);

    let sql = "SELECT account, name, rating, rd, volatility, rating.games FROM rating
               JOIN account ON account.key = rating.account WHERE variant = $1";
    let mut rows = connection.stream::<(AccountKey, String, f64, f64, f64, i64)>(sql, variant);
    while let Some((account, name, rating, rd, volatility, games)) = rows.try_next().await? {
        auditor.counts.ratings += 1;
        let computed = ratings.by_account.remove(&account).unwrap_or_default();
        let is_near =
            (computed.rating - rating).abs() < TOLERANCE && (computed.rd - rd).abs() < TOLERANCE;
        if !is_near || (computed.volatility - volatility).abs() > 1e-6 || computed.games != games {
            auditor.report(&format!(
                "rating of {name} in {variant}: {rating:.2} ± {rd:.2} after {games} games is stored, \
                 the results give {:.2} ± {:.2} after {}",
                computed.rating, computed.rd, computed.games
            ));
        }
    }
    drop(rows);
    connection.query("ROLLBACK").execute().await?;
    for computed in ratings.by_account.into_values() {
        auditor
            .report(&format!("rating in {variant}: none is stored after {} games", computed.games));
    }
    Ok(())
}

/// Ratings of one variant, computed from the results so far.
#[derive(Default)]
struct Ratings {
    by_account: HashMap<AccountKey, Rating>,
    voids: Voids,
    /// Games whose stored points do not match yet: a game with a similar end time may precede them.
    waiting: VecDeque<RatedGame>,
}

impl Ratings {
    fn add<S: FnMut(&str)>(&mut self, game: RatedGame, auditor: &mut Auditor<S>) {
        let now_ms = game.ended_ms;
        self.waiting.push_back(game);
        self.apply_matching(now_ms - REORDER_WINDOW_MS, auditor);
    }

    /// Applies all games whose points match, and those that ended before `before_ms` in any case.
    fn apply_matching<S: FnMut(&str)>(&mut self, before_ms: i64, auditor: &mut Auditor<S>) {
        loop {
            let matching = self.waiting.iter().position(|game| self.compute(game).1);
            if let Some(game) = matching.and_then(|at| self.waiting.remove(at)) {
                self.apply(&game, auditor);
                continue;
            }
            let is_due = self.waiting.len() > REORDER_MAX
                || self.waiting.front().is_some_and(|game| game.ended_ms < before_ms);
            let Some(game) = self.waiting.pop_front_if(|_| is_due) else { return };
            self.apply(&game, auditor);
        }
    }

    /// Applies a game and reports wrong rating changes. After a mismatch, the stored points replace
    /// the computed ratings, so that one error is reported once.
    fn apply<S: FnMut(&str)>(&mut self, game: &RatedGame, auditor: &mut Auditor<S>) {
        let before = self.ratings_before(game);
        let (mut computed, _) = self.compute(game);
        let diffs = [0, 1].map(|side| computed[side].rounded() - before[side].rounded());
        let stored = [game.first_diff, game.second_diff];
        if diffs != stored {
            auditor.report(&format!(
                "game {}: the row stores the rating changes {stored:?}, the result gives {diffs:?}",
                game.id
            ));
        }
        let rds = [game.first_rd, game.second_rd];
        for (computed, (point, rd)) in
            computed.iter_mut().zip(self.points(game).into_iter().zip(rds))
        {
            if let (Some(point), Some(rd)) = (point, rd)
                && diffs != stored
            {
                (computed.rating, computed.rd) = (point, rd);
            }
        }
        for (account, rating) in [(game.first, computed[0]), (game.second, computed[1])] {
            self.by_account.insert(account, self.voids.apply(account, rating));
        }
    }

    fn ratings_before(&self, game: &RatedGame) -> [Rating; 2] {
        [game.first, game.second].map(|key| self.by_account.get(&key).copied().unwrap_or_default())
    }

    /// Returns the ratings after the game by its points, before later voids moved them.
    fn points(&self, game: &RatedGame) -> [Option<f64>; 2] {
        let &RatedGame { first, second, first_point, second_point, .. } = game;
        let sides =
            [(first, first_point, game.first_number), (second, second_point, game.second_number)];
        sides.map(|(account, point, number)| {
            let position = PointPosition { number, ended_ms: game.ended_ms, game: game.key };
            Some(point? + self.voids.pending_change(account, position))
        })
    }

    /// Returns the ratings after the game, and whether the stored points match them.
    fn compute(&self, game: &RatedGame) -> ([Rating; 2], bool) {
        let winner: Option<Side> = parse_side(game.winner.as_deref()).unwrap_or_default();
        let outcome = winner.map_or(Outcome::Draw, Outcome::Win);
        let before = self.ratings_before(game);
        let rated = rate_game(before, outcome, game.ended_ms);
        let points = self.points(game);
        let limits = [&game.first_limit, &game.second_limit];
        let computed = [0, 1].map(|side| {
            let limit = limits[side].as_ref().and_then(|limit| limit.parse().ok());
            limited(&before[side], rated[side], limit, points[side])
        });
        let is_near = |(computed, point): (&Rating, Option<f64>)| {
            point.is_some_and(|point| (computed.rating - point).abs() < TOLERANCE)
        };
        (computed, computed.iter().zip(points).all(is_near))
    }
}

/// Returns the rating after a game with a stored limit of the gain. The rating of the day before,
/// which limits the gain of a day, is not recomputed: the stored point need only be in between.
fn limited(before: &Rating, after: Rating, limit: Option<GainLimit>, point: Option<f64>) -> Rating {
    let day_start = match (limit, point) {
        (Some(GainLimit::DailyGain), Some(point)) => point - DAILY_GAIN_MAX,
        _ => f64::INFINITY,
    };
    let terms = GainTerms {
        is_short: limit == Some(GainLimit::ShortGame),
        is_opponent_untested: limit == Some(GainLimit::UntestedOpponent),
        day_start,
    };
    limit_gain(before, after, terms).0
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A stored point of the limit of a day is taken if it is between the ratings before and after.
    #[test]
    fn limits_are_applied_only_where_the_row_has_them() {
        let before = Rating { rating: 1_500.0, rd: 90.0, games: 5, ..Rating::default() };
        let after = Rating { rating: 1_850.0, rd: 80.0, games: 6, ..before };
        let daily = Some(GainLimit::DailyGain);
        for (limit, point, expected) in [
            (None, Some(1_700.0), after.rating),
            (daily, Some(1_800.0), 1_800.0),
            (daily, Some(1_400.0), before.rating),
            (daily, Some(1_900.0), after.rating),
            (daily, None, after.rating),
            (Some(GainLimit::UntestedOpponent), Some(1_850.0), 1_700.0),
            (Some(GainLimit::ShortGame), Some(1_850.0), before.rating),
        ] {
            let rating = limited(&before, after, limit, point);
            assert_eq!(rating.rating, expected, "{limit:?} {point:?}");
            let rd = if expected < after.rating { before.rd } else { after.rd };
            assert_eq!(rating.rd, rd, "{limit:?} {point:?}");
        }
    }
}

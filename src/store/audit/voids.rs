//! Voided games in the recomputation of ratings. Callers: `ratings` and `game_ratings`.
//!
//! A void subtracts the change by a game from the present rating, at a known number of games, and
//! from the points of later games. Therefore games are recomputed with all ratings as they were.

use crate::play::rating::Rating;
use crate::store::sql::Conn;
use crate::store::{AccountKey, GameKey, StoreError};
use futures_util::TryStreamExt;
use std::collections::{HashMap, VecDeque};

/// Rating change that was taken back.
#[derive(sqlx::FromRow)]
pub(super) struct Void {
    account: AccountKey,
    /// Position of the point of the game at the time of the void.
    #[sqlx(flatten)]
    pub(super) position: PointPosition,
    pub(super) voided_ms: i64,
    /// Rating point of the game, which the void has removed.
    pub(super) point: Option<f64>,
    change: f64,
    /// Number of rated games of the account before the void.
    games: i64,
}

/// Query of voids that satisfy a condition, in their order.
macro_rules! select_voids {
    ($condition:literal) => {
        concat!(
            "SELECT voided_rating.account, voided_rating.game, ended_ms, voided_ms, number, point,
                 change, games
             FROM voided_rating JOIN game ON game.key = voided_rating.game
             WHERE ",
            $condition,
            " ORDER BY seq"
        )
    };
}

/// Position of a rating point in its history.
#[derive(Clone, Copy, sqlx::FromRow)]
pub(super) struct PointPosition {
    /// Number of the game among those of the account; `None` in points of earlier versions, whose
    /// order is that of the ends of the games.
    pub(super) number: Option<i64>,
    pub(super) ended_ms: i64,
    pub(super) game: GameKey,
}

impl PointPosition {
    /// Returns the change of the point by voids of other games that are taken back, from the last
    /// one on.
    pub(super) fn change_by<'a>(mut self, voids: impl DoubleEndedIterator<Item = &'a Void>) -> f64 {
        voids.rev().map(|void| self.rewind(void)).sum()
    }

    fn rewind(&mut self, Void { position: voided, change, .. }: &Void) -> f64 {
        let is_later = match (self.number, voided.number) {
            (Some(number), Some(voided)) => number >= voided,
            (Some(_), None) => true,
            (None, Some(_)) => false,
            (None, None) => (self.ended_ms, self.game) > (voided.ended_ms, voided.game),
        };
        if !is_later {
            return 0.0;
        }
        self.number = self.number.map(|number| number + 1);
        *change
    }
}

/// Returns the voids of an account in a variant, in their order.
pub(super) async fn voids_of(
    connection: &mut Conn,
    account: AccountKey,
    variant: &str,
) -> Result<Vec<Void>, StoreError> {
    let sql = select_voids!("voided_rating.account = $1 AND voided_rating.variant = $2");
    Ok(connection.query(sql).bind(account).bind(variant).fetch_all().await?)
}

/// Voids of one variant that are not recomputed yet, by account and in their order.
#[derive(Default)]
pub(super) struct Voids(HashMap<AccountKey, VecDeque<Void>>);

impl Voids {
    pub(super) async fn load(connection: &mut Conn, variant: &str) -> Result<Voids, StoreError> {
        let mut voids = Voids::default();
        let sql = select_voids!("voided_rating.variant = $1");
        let mut rows = connection.stream::<Void>(sql, variant);
        while let Some(void) = rows.try_next().await? {
            voids.0.entry(void.account).or_default().push_back(void);
        }
        Ok(voids)
    }

    /// Returns the change of a point of a game by voids that followed it. A game that was voided
    /// itself has no point that later voids could change.
    pub(super) fn pending_change(&self, account: AccountKey, position: PointPosition) -> f64 {
        let Some(pending) = self.0.get(&account) else { return 0.0 };
        let own = pending.iter().position(|void| void.position.game == position.game);
        position.change_by(pending.range(..own.unwrap_or(pending.len())))
    }

    /// Returns a rating after the voids that followed its last game.
    pub(super) fn apply(&mut self, account: AccountKey, mut rating: Rating) -> Rating {
        let Some(pending) = self.0.get_mut(&account) else { return rating };
        while let Some(void) = pending.pop_front_if(|void| void.games == rating.games) {
            rating = rating.take_back(void.change);
        }
        rating
    }
}

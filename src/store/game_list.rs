//! Lists of a player's games.
//!
//! A game has its two players in two columns. Each list is a `UNION ALL` of one half per column;
//! each half comes from an index in list order, so that SQLite merges them and stops at the limit.
//! The indices cover all columns that filters need; rows of `game` are read for the results only.
//! `query_plans` tests the query plans. Callers: `api::user` and `api::game::export` in `http`, and
//! `cli`.

use super::game_row::{GameRow, RawGameRow, select_games};
use super::value::Value;
use super::{AccountKey, GameKey, Store, StoreError, skip_unreadable};
use crate::rules::Side;
use uuid::Uuid;

/// Result of a listed game from the player's point of view.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ResultFilter {
    /// Won.
    Win,
    /// Lost.
    Loss,
    /// Drawn.
    Draw,
    Aborted,
    InProgress,
}

/// Filters and order of a list of a player's games. `None` does not filter.
#[derive(Clone, Debug, Default)]
pub struct GameFilter {
    /// Variant key.
    pub variant: Option<&'static str>,
    /// Rated or casual.
    pub rated: Option<bool>,
    pub opponent: Option<AccountKey>,
    /// Side of the player.
    pub side: Option<Side>,
    /// Side of the player by variant key; other variants are excluded. Empty does not filter.
    /// Lichess' colors are not the same side in all variants.
    pub sides: Vec<(&'static str, Side)>,
    pub result: Option<ResultFilter>,
    /// Earliest start time, in epoch milliseconds.
    pub since_ms: Option<i64>,
    /// Latest start time, in epoch milliseconds.
    pub until_ms: Option<i64>,
    /// Whether games in progress are included.
    pub ongoing: bool,
    /// Whether games that have ended are included.
    pub finished: bool,
    /// Whether the oldest games come first.
    pub oldest_first: bool,
}

/// Position in a list; the next page starts after it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Cursor {
    created_ms: i64,
    key: GameKey,
}

/// Page of a list of games.
#[derive(Clone, Debug)]
pub struct GameListPage {
    /// Games whose rows are valid.
    pub rows: Vec<GameRow>,
    /// Start of the next page; `None` if this is the last one.
    pub next: Option<Cursor>,
}

/// Games of one side that pass the filters. `$own` is the player's side.
macro_rules! seat {
    ($columns:literal, $index:literal, $players:literal, $range:literal, first) => {
        seat!($columns, $index, $players, $range, "$3", "$14", "first")
    };
    ($columns:literal, $index:literal, $players:literal, $range:literal, second) => {
        seat!($columns, $index, $players, $range, "$4", "$15", "second")
    };
    ($columns:literal, $index:literal, $players:literal, $range:literal,
     $variants:literal, $is_included:literal, $own:literal) => {
        concat!(
            "SELECT ",
            $columns,
            " FROM game INDEXED BY ",
            $index,
            " WHERE ",
            $is_included,
            " AND ",
            $players,
            " AND ",
            $range,
            " AND (instr(",
            $variants,
            ", ',' || variant || ',') > 0 OR ",
            $variants,
            " IS NULL)
              AND (rated = $5 OR $5 IS NULL)
              AND CASE WHEN status = 20 THEN $9 = TRUE WHEN status IN (25, 37) THEN $10
                       WHEN winner IS NULL THEN $13 WHEN winner = '",
            $own,
            "' THEN $11
                       ELSE $12 END"
        )
    };
}

/// Full rows of the games whose keys the two halves select, read by primary key.
macro_rules! list {
    ($one:expr, $two:expr, $order:literal) => {
        concat!(
            select_games!("WHERE game.key IN (SELECT key FROM ("),
            $one,
            " UNION ALL ",
            $two,
            " ORDER BY ",
            $order,
            " LIMIT $16 OFFSET $17) AS part)"
        )
    };
}

macro_rules! list_all {
    ($range:literal, $order:literal) => {
        list!(
            seat!("created_ms, key", "game_first", "first = $1", $range, first),
            seat!("created_ms, key", "game_second", "second = $1", $range, second),
            $order
        )
    };
}

macro_rules! list_pair {
    ($range:literal, $order:literal) => {
        list!(
            seat!("created_ms, key", "game_pair", "first = $1 AND second = $2", $range, first),
            seat!("created_ms, key", "game_pair", "first = $2 AND second = $1", $range, second),
            $order
        )
    };
}

macro_rules! count {
    ($one:expr, $two:expr) => {
        concat!("SELECT (", $one, ") + (", $two, ")")
    };
}

// Parameters: $1 player, $2 opponent, $3 and $4 variants where the player is first or second, $5
// rated, $6 far end of the time range, $7 and $8 time and key after which the list starts, $9 to
// $13 whether to include games that are in progress, aborted, won, lost and drawn, $14 and $15
// whether to include games where the player is first or second, $16 limit, $17 offset.

pub(super) const NEWEST: &str =
    list_all!("created_ms >= $6 AND (created_ms, key) < ($7, $8)", "created_ms DESC, key DESC");

pub(super) const OLDEST: &str =
    list_all!("created_ms <= $6 AND (created_ms, key) > ($7, $8)", "created_ms, key");

pub(super) const PAIR_NEWEST: &str =
    list_pair!("created_ms >= $6 AND (created_ms, key) < ($7, $8)", "created_ms DESC, key DESC");

pub(super) const PAIR_OLDEST: &str =
    list_pair!("created_ms <= $6 AND (created_ms, key) > ($7, $8)", "created_ms, key");

pub(super) const COUNT: &str = count!(
    seat!("count(*)", "game_first", "first = $1", "created_ms BETWEEN $6 AND $7", first),
    seat!("count(*)", "game_second", "second = $1", "created_ms BETWEEN $6 AND $7", second)
);

pub(super) const PAIR_COUNT: &str = count!(
    seat!(
        "count(*)",
        "game_pair",
        "first = $1 AND second = $2",
        "created_ms BETWEEN $6 AND $7",
        first
    ),
    seat!(
        "count(*)",
        "game_pair",
        "first = $2 AND second = $1",
        "created_ms BETWEEN $6 AND $7",
        second
    )
);

/// Number of games that have ended, by the counts per variant: won, lost, drawn, aborted. Voided
/// games, which these do not contain, are listed as well.
pub(super) const ENDED_COUNT: &str =
    "SELECT (SELECT CAST(coalesce(sum($4 * wins + $5 * losses + $6 * draws + $7 * voids), 0)
                 AS BIGINT)
             FROM tally
             WHERE account = $1 AND (variant = $2 OR $2 IS NULL) AND (rated = $3 OR $3 IS NULL))
         + (SELECT CAST(coalesce(sum(CASE result WHEN 'win' THEN $4 WHEN 'loss' THEN $5 ELSE $6
                END), 0) AS BIGINT)
            FROM voided_rating WHERE account = $1 AND (variant = $2 OR $2 IS NULL)
                AND ($3 = TRUE OR $3 IS NULL))";

/// Number of games in progress.
pub(super) const IN_PROGRESS_COUNT: &str = "SELECT
         (SELECT count(*) FROM game INDEXED BY game_first_live WHERE first = $1 AND status = 20
              AND (variant = $2 OR $2 IS NULL) AND (rated = $3 OR $3 IS NULL))
       + (SELECT count(*) FROM game INDEXED BY game_second_live WHERE second = $1 AND status = 20
              AND (variant = $2 OR $2 IS NULL) AND (rated = $3 OR $3 IS NULL))";

impl GameFilter {
    /// Returns whether to include games that are in progress, aborted, won, lost and drawn.
    fn included_results(&self) -> [bool; 5] {
        let wants = |came, kind: bool| kind && self.result.is_none_or(|own| own == came);
        [
            wants(ResultFilter::InProgress, self.ongoing),
            wants(ResultFilter::Aborted, self.finished),
            wants(ResultFilter::Win, self.finished),
            wants(ResultFilter::Loss, self.finished),
            wants(ResultFilter::Draw, self.finished),
        ]
    }

    /// Returns the variants to include where the player has this side, comma-delimited; `None` for
    /// all.
    fn variants_for(&self, side: Side) -> Option<String> {
        let variant = self.variant;
        if self.sides.is_empty() {
            return variant.map(|key| format!(",{key},"));
        }
        let own = self
            .sides
            .iter()
            .filter(|(key, on)| *on == side && variant.is_none_or(|variant| variant == *key));
        Some(own.fold(",".to_owned(), |list, (key, _)| list + key + ","))
    }

    fn sql(&self) -> &'static str {
        match (self.opponent.is_some(), self.oldest_first) {
            (false, false) => NEWEST,
            (false, true) => OLDEST,
            (true, false) => PAIR_NEWEST,
            (true, true) => PAIR_OLDEST,
        }
    }

    /// Whether the stored counts and the games in progress suffice to count the list.
    fn is_counted(&self) -> bool {
        self.opponent.is_none()
            && self.side.is_none()
            && self.sides.is_empty()
            && self.since_ms.is_none()
            && self.until_ms.is_none()
    }

    /// Returns the parameters $1 to $15.
    fn values(
        &self,
        player: AccountKey,
        far_ms: i64,
        (start_ms, start_key): (i64, Uuid),
    ) -> Vec<Value> {
        let mut values: Vec<Value> = vec![
            player.into(),
            self.opponent.into(),
            self.variants_for(Side::First).into(),
            self.variants_for(Side::Second).into(),
            self.rated.into(),
            far_ms.into(),
            start_ms.into(),
            start_key.into(),
        ];
        values.extend(self.included_results().map(Value::from));
        values.extend(Side::BOTH.map(|side| self.side.is_none_or(|own| own == side).into()));
        values
    }

    /// Returns the far end of the time range, and the time and key after which the list starts.
    fn bounds(&self, after: Option<Cursor>) -> (i64, (i64, Uuid)) {
        let (since_ms, until_ms) =
            (self.since_ms.unwrap_or(i64::MIN), self.until_ms.unwrap_or(i64::MAX));
        let after = after.map(|Cursor { created_ms, key }| (created_ms, key.into()));
        // No game has the first or the last key.
        if self.oldest_first {
            (until_ms, after.unwrap_or((since_ms, Uuid::nil())))
        } else {
            (since_ms, after.unwrap_or((until_ms, Uuid::max())))
        }
    }
}

impl Store {
    /// Returns a page of a player's games and the number of games on all pages.
    pub async fn games_page(
        &self,
        player: AccountKey,
        filter: &GameFilter,
        offset: i64,
        limit: i64,
    ) -> Result<(Vec<GameRow>, i64), StoreError> {
        let total = self.count_games(player, filter).await?;
        // A page after the last one is empty; skip the scan of all rows before it.
        if offset >= total {
            return Ok((Vec::new(), total));
        }
        let after = total - offset - limit;
        if after.max(0) >= offset {
            return Ok((self.query_games(player, filter, None, offset, limit).await?.rows, total));
        }
        // The scan from the other end skips fewer rows.
        let reversed = GameFilter { oldest_first: !filter.oldest_first, ..filter.clone() };
        let limit = limit.min(total - offset);
        let page = self.query_games(player, &reversed, None, after.max(0), limit).await?;
        Ok((page.rows.into_iter().rev().collect(), total))
    }

    /// Returns at most `limit` of a player's games after a position in the list.
    pub async fn games_after(
        &self,
        player: AccountKey,
        filter: &GameFilter,
        after: Option<Cursor>,
        limit: i64,
    ) -> Result<GameListPage, StoreError> {
        self.query_games(player, filter, after, 0, limit).await
    }

    async fn query_games(
        &self,
        player: AccountKey,
        filter: &GameFilter,
        after: Option<Cursor>,
        offset: i64,
        limit: i64,
    ) -> Result<GameListPage, StoreError> {
        let (far_ms, start) = filter.bounds(after);
        let values = filter.values(player, far_ms, start);
        let query = self.list_readers.query(filter.sql()).bind_all(values);
        let query = query.bind(limit).bind(offset);
        let mut rows: Vec<RawGameRow> = query.fetch_all().await?;
        rows.sort_unstable_by_key(RawGameRow::list_position);
        if !filter.oldest_first {
            rows.reverse();
        }
        let full = rows.len() as i64 >= limit;
        let next = rows.last().filter(|_| full).map(RawGameRow::list_position);
        let next = next.map(|(created_ms, key)| Cursor { created_ms, key });
        Ok(GameListPage {
            rows: skip_unreadable(rows.into_iter().map(RawGameRow::into_game)),
            next,
        })
    }

    async fn count_games(
        &self,
        player: AccountKey,
        filter: &GameFilter,
    ) -> Result<i64, StoreError> {
        if !filter.is_counted() {
            let (since_ms, until_ms) = (filter.since_ms, filter.until_ms);
            let until = (until_ms.unwrap_or(i64::MAX), Uuid::nil());
            let values = filter.values(player, since_ms.unwrap_or(i64::MIN), until);
            let sql = if filter.opponent.is_some() { PAIR_COUNT } else { COUNT };
            return Ok(self.list_readers.query(sql).bind_all(values).value().await?);
        }
        let (variant, [playing, void, won, lost, drawn]) =
            (filter.variant, filter.included_results());
        let ended = self.readers.query(ENDED_COUNT).bind(player).bind(variant).bind(filter.rated);
        let ended = [won, lost, drawn, void]
            .into_iter()
            .fold(ended, |query, one| query.bind(i64::from(one)));
        let ended: i64 = ended.value().await?;
        if !playing {
            return Ok(ended);
        }
        let live =
            self.readers.query(IN_PROGRESS_COUNT).bind(player).bind(variant).bind(filter.rated);
        let live: i64 = live.value().await?;
        Ok(ended + live)
    }
}

//! Large databases, written directly in the formats of `src/store`, so that `sprong check` accepts
//! them: registrations, games with packed logs, their challenges, ratings and statistics.
//!
//! The games of a player do not overlap, so that each game starts with the ratings after the one
//! before. Ratings and statistics are kept in memory and stored at the end.

use crate::common::AnyResult;
use crate::pool::{PoolGame, play_finished, play_live};
use crate::rows;
use rusqlite::Connection;
use sprong::play::clock::{DAY_MS, Pace, TimeControl};
use sprong::play::rating::{Rating, rate_game};
use sprong::rules::{Outcome, Side, SplitMix};
use std::collections::HashMap;
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};
use uuid::{Builder, Uuid};

/// Games per account.
const GAMES_PER_ACCOUNT: usize = 10;

/// Share of all games that the busiest player plays, in percent.
const BUSIEST_SHARE: usize = 4;

/// Time over which the games are spread, in milliseconds.
const SPAN_MS: i64 = 730 * DAY_MS;

/// Time between the last finished games and the fill, and the ages of the games in progress.
const LAST_ENDED_MS: i64 = DAY_MS / 24;
const LIVE_AGE_MS: i64 = 30_000;
const CORRESPONDENCE_AGE_MS: i64 = DAY_MS / 4;

/// Games per transaction.
const GAMES_AT_ONCE: usize = 20_000;

/// Names of guests, as in `http::api::guest_name`.
const ANIMALS: [&str; 32] = [
    "Heron", "Otter", "Badger", "Finch", "Hare", "Swan", "Hedgehog", "Magpie", "Beaver", "Lark",
    "Marten", "Owl", "Robin", "Seal", "Stork", "Wren", "Bee", "Crane", "Deer", "Duck", "Fox",
    "Frog", "Gull", "Ibex", "Jay", "Lynx", "Mole", "Newt", "Plover", "Roe", "Tern", "Vole",
];

/// Player of the database.
pub struct Person {
    pub key: Uuid,
    pub name: String,
    pub guest: bool,
    /// End of the last game, in epoch milliseconds.
    pub free_ms: i64,
}

/// Index of an account, and of the variant by its key.
type RatingKey = (usize, &'static str);

/// State of a fill.
pub struct Fill {
    pub people: Vec<Person>,
    pub ratings: HashMap<RatingKey, Rating>,
    /// Won, lost, drawn and aborted games; the last part of the key is the rated flag.
    pub tallies: HashMap<(usize, &'static str, bool), [i64; 4]>,
    /// Won, lost and drawn games against another account.
    pub pairs: HashMap<(usize, usize, &'static str), [i64; 3]>,
    pub random: SplitMix,
}

/// Game with players and times, to be stored.
pub struct StoredGame<'a> {
    pub game: &'a PoolGame,
    pub players: [usize; 2],
    pub pace: Pace,
    pub rated: bool,
    /// Whether its log is packed: it has ended, or its last event is old.
    pub is_packed: bool,
    pub created_ms: i64,
    /// Time of each event, in epoch milliseconds.
    pub times_ms: Vec<i64>,
    /// Ratings at the start.
    pub before: [Rating; 2],
    /// Ratings after a rated result.
    pub after: Option<[Rating; 2]>,
}

/// Returns the current time, in epoch milliseconds.
pub fn now_ms() -> AnyResult<i64> {
    Ok(SystemTime::now().duration_since(UNIX_EPOCH)?.as_millis() as i64)
}

/// Returns the number of accounts in a database with this number of games.
pub fn account_count(games: usize) -> usize {
    (games / GAMES_PER_ACCOUNT).max(10)
}

/// Returns the name of the account with an index: five syllables. Names with equal beginnings are
/// spread over all indices.
pub fn account_name(index: usize) -> String {
    const CONSONANTS: &[u8; 10] = b"bdfgkpstvz";
    const VOWELS: &[u8; 4] = b"aeou";
    // A permutation of all names: the factor is coprime to their number.
    let mut rest = index * 48_271_003 % 40_usize.pow(5);
    let mut name = String::with_capacity(10);
    for _ in 0..5 {
        name.push(char::from(CONSONANTS[rest % 10]));
        name.push(char::from(VOWELS[rest / 10 % 4]));
        rest /= 40;
    }
    name
}

/// Returns the name of the guest with an index: the names that the server draws first are taken
/// first.
fn guest_name(index: usize) -> String {
    format!("{} {}", ANIMALS[index % ANIMALS.len()], index / ANIMALS.len())
}

/// Fills a database that has been migrated.
pub fn fill(database: &Path, games: usize) -> AnyResult<()> {
    let mut connection = rows::connect(database)?;
    let mut random = SplitMix::new(1);
    let start_ms = now_ms()? - LAST_ENDED_MS - SPAN_MS;
    let mut fill = Fill {
        people: create_people(account_count(games), start_ms, &mut random),
        ratings: HashMap::new(),
        tallies: HashMap::new(),
        pairs: HashMap::new(),
        random,
    };
    rows::insert_accounts(&mut connection, &fill.people, start_ms)?;
    let pool = play_finished((games / 20).clamp(500, 5_000), &mut fill.random)?;
    for first in (0..games).step_by(GAMES_AT_ONCE) {
        let tx = connection.transaction()?;
        for at in first..games.min(first + GAMES_AT_ONCE) {
            let created_ms = start_ms + (SPAN_MS as f64 * at as f64 / games as f64) as i64;
            let game = &pool[fill.random.below(pool.len())];
            let stored = fill.next_game(game, created_ms);
            rows::insert_game(&tx, &mut fill, &stored)?;
        }
        tx.commit()?;
    }
    rows::insert_statistics(&mut connection, &fill, now_ms()?)?;
    rows::close(connection)
}

/// Adds games in progress to a filled database, with two moves each, in the journal.
pub fn add_live_games(database: &Path, live: usize) -> AnyResult<()> {
    add_in_progress(database, live, LIVE_AGE_MS, |_| ())
}

/// Adds games with days per move to a filled database, with two moves each, hours ago. As an
/// earlier version leaves them, their rows have no state.
pub fn add_correspondence_games(database: &Path, count: usize) -> AnyResult<()> {
    add_in_progress(database, count, CORRESPONDENCE_AGE_MS, |stored| {
        stored.pace = Pace::Days(2);
        stored.is_packed = true;
    })
}

fn add_in_progress(
    database: &Path,
    count: usize,
    age_ms: i64,
    change: impl Fn(&mut StoredGame<'_>),
) -> AnyResult<()> {
    let mut connection = rows::connect(database)?;
    let mut random = SplitMix::new(2);
    let games = play_live(count.min(1_000), &mut random)?;
    let people = rows::load_people(&connection)?;
    let ratings = rows::load_ratings(&connection, &people)?;
    let (tallies, pairs) = (HashMap::new(), HashMap::new());
    let mut fill = Fill { people, ratings, tallies, pairs, random };
    let tx = connection.transaction()?;
    let created_ms = now_ms()? - age_ms;
    for at in 0..count {
        // These games of a player overlap: they end after all of them have started.
        fill.people.iter_mut().for_each(|person| person.free_ms = 0);
        let mut stored = fill.next_game(&games[at % games.len()], created_ms);
        change(&mut stored);
        rows::insert_game(&tx, &mut fill, &stored)?;
    }
    tx.commit()?;
    rows::close(connection)
}

fn create_people(count: usize, start_ms: i64, random: &mut SplitMix) -> Vec<Person> {
    let mut person = |index: usize| {
        let (key, guest) = (new_key(start_ms, random), index % 4 == 3);
        let name = if guest { guest_name(index / 4) } else { account_name(index) };
        Person { key, name, guest, free_ms: 0 }
    };
    (0..count).map(&mut person).collect()
}

/// Returns a key as the server creates it at a time.
pub fn new_key(at_ms: i64, random: &mut SplitMix) -> Uuid {
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&random.next_u64().to_le_bytes());
    Builder::from_unix_timestamp_millis(at_ms.cast_unsigned(), &bytes).into_uuid()
}

impl Fill {
    /// Draws players, terms and times of a game, and rates its result.
    fn next_game<'a>(&mut self, game: &'a PoolGame, at_ms: i64) -> StoredGame<'a> {
        let players = self.draw_players();
        let free_ms = players.map(|player| self.people[player].free_ms + 1);
        let created_ms = at_ms.max(free_ms[0]).max(free_ms[1]);
        let pace = match self.random.below(20) {
            0..3 => Pace::Unlimited,
            3..6 => Pace::Days(2),
            _ => TimeControl::new(600_000, 5_000).map_or(Pace::Unlimited, Pace::Clock),
        };
        let are_registered = players.iter().all(|player| !self.people[*player].guest);
        let rated = are_registered && self.random.below(10) < 7;
        let mut last_ms = created_ms;
        let times_ms = game.events.iter().map(|event| {
            // The end follows the last move at once. No clock runs out: moves take less time than
            // the increment.
            let is_move = event.packed.starts_with('"');
            last_ms += if is_move { 500 + self.random.below(3_000) as i64 } else { 0 };
            last_ms
        });
        let times_ms: Vec<i64> = times_ms.collect();
        players.iter().for_each(|player| self.people[*player].free_ms = last_ms);
        let variant = game.variant.info.key;
        let before =
            players.map(|player| self.ratings.get(&(player, variant)).copied().unwrap_or_default());
        let result = game.end.filter(|end| rated && game.has_begun && !end.status.is_aborted());
        let after = result.map(|end| {
            let outcome = end.winner.map_or(Outcome::Draw, Outcome::Win);
            rate_game(before, outcome, last_ms)
        });
        let is_packed = game.end.is_some();
        let stored = StoredGame {
            game,
            players,
            pace,
            rated,
            is_packed,
            created_ms,
            times_ms,
            before,
            after,
        };
        self.count_result(&stored);
        stored
    }

    /// Draws two accounts: few play much, and the first is the busiest.
    fn draw_players(&mut self) -> [usize; 2] {
        let others = self.people.len() - 1;
        let draw = |random: &mut SplitMix| {
            let share = random.below(1 << 30) as f64 / (1u64 << 30) as f64;
            1 + (others as f64 * share.powf(1.5)) as usize
        };
        let one = match self.random.below(100) {
            share if share < BUSIEST_SHARE => 0,
            _ => draw(&mut self.random),
        };
        let mut two = draw(&mut self.random);
        while two == one {
            two = draw(&mut self.random);
        }
        if self.random.below(2) == 0 { [one, two] } else { [two, one] }
    }

    /// Adds a result to the ratings and statistics.
    fn count_result(&mut self, stored: &StoredGame<'_>) {
        let (Some(end), variant) = (stored.game.end, stored.game.variant.info.key) else { return };
        let is_void = end.status.is_aborted();
        for (at, side) in Side::BOTH.into_iter().enumerate() {
            let (own, other) = (stored.players[at], stored.players[1 - at]);
            let result = match end.winner {
                Some(winner) if winner == side => 0,
                Some(_) => 1,
                None if is_void => 3,
                None => 2,
            };
            self.tallies.entry((own, variant, stored.rated)).or_default()[result] += 1;
            if !is_void {
                self.pairs.entry((own, other, variant)).or_default()[result] += 1;
            }
            if let Some(after) = stored.after {
                self.ratings.insert((own, variant), after[at]);
            }
        }
    }
}

/// Returns the number of games of an account.
pub fn count_games(database: &Path, name: &str) -> AnyResult<i64> {
    let sql = "SELECT (SELECT count(*) FROM game WHERE first = account.key)
                    + (SELECT count(*) FROM game WHERE second = account.key)
               FROM account WHERE id = ?";
    Ok(Connection::open(database)?.query_row(sql, [name], |row| row.get(0))?)
}

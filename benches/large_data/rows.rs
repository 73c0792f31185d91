//! Rows of a filled database, as the modules of `src/store` write them.

use crate::common::AnyResult;
use crate::fill::{Fill, Person, StoredGame, new_key};
use rusqlite::{Connection, OptionalExtension, Transaction, params};
use serde_json::{Map, Value, json};
use sprong::play::challenge::ChallengeStatus;
use sprong::play::clock::Pace;
use sprong::play::event::{DrawReason, GameStatus};
use sprong::play::name::name_skeleton;
use sprong::play::rating::Rating;
use sprong::rules::Side;
use sprong::store::PublicId;
use sprong::variants::ALL;
use std::collections::HashMap;
use std::path::Path;
use uuid::Uuid;

/// Version of the event format, as in `store::event_log`.
const SCHEMA: i64 = 1;

/// Events of an ended game whose command ids are kept, as in `store::event_log::packed`.
const COMMANDS_KEPT: usize = 4;

/// Time between a challenge and its game, and time until a challenge expires, in milliseconds.
const CHALLENGE_BEFORE_MS: i64 = 20_000;
const CHALLENGE_LIFETIME_MS: i64 = 3_600_000;

/// Hash of no password.
const PASSWORD: &str = "!";

/// Opens a database for large writes, which need not survive a crash.
pub fn connect(database: &Path) -> AnyResult<Connection> {
    let connection = Connection::open(database)?;
    connection.execute_batch(
        "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA foreign_keys = OFF;
         PRAGMA cache_size = -1000000",
    )?;
    connection.set_prepared_statement_cache_capacity(32);
    Ok(connection)
}

/// Closes a database in the mode of the server.
pub fn close(connection: Connection) -> AnyResult<()> {
    connection.execute_batch("PRAGMA journal_mode = WAL")?;
    connection.close().map_err(|(_, error)| error.into())
}

pub fn insert_accounts(
    connection: &mut Connection,
    people: &[Person],
    created_ms: i64,
) -> AnyResult<()> {
    let tx = connection.transaction()?;
    {
        let mut insert = tx.prepare(
            "INSERT INTO account (key, id, name, guest, password, created_ms, seen_ms, skeleton)
             VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        )?;
        for person in people {
            let id = person.name.to_ascii_lowercase().replace(' ', "-");
            insert.execute(params![
                person.key.as_bytes(),
                if person.guest { format!("~{id}") } else { id },
                person.name,
                person.guest,
                (!person.guest).then_some(PASSWORD),
                created_ms,
                created_ms,
                (!person.guest).then(|| name_skeleton(&person.name)),
            ])?;
        }
    }
    tx.commit()?;
    Ok(())
}

/// Inserts a game with its challenge, its log, and its points of the rating histories.
pub fn insert_game(
    tx: &Transaction<'_>,
    fill: &mut Fill,
    stored: &StoredGame<'_>,
) -> AnyResult<()> {
    let key = new_key(stored.created_ms, &mut fill.random);
    let id = PublicId::random();
    let mut salt = [0; 16];
    salt[..8].copy_from_slice(&fill.random.next_u64().to_le_bytes());
    insert_game_row(tx, fill, stored, (key, id, salt))?;
    insert_challenge(tx, fill, stored, (id, salt))?;
    if stored.game.end.is_none() && stored.pace.clock().is_none() {
        tx.prepare_cached("INSERT INTO game_without_state VALUES (?)")?
            .execute([key.as_bytes()])?;
    }
    if !stored.is_packed {
        return insert_journal(tx, fill, stored, key);
    }
    insert_log(tx, fill, stored, key)?;
    let Some(after) = stored.after else { return Ok(()) };
    let mut insert = tx.prepare_cached(
        "INSERT INTO rating_point (account, variant, at_ms, game, rating, rd)
         VALUES (?, ?, ?, ?, ?, ?)",
    )?;
    let variant = stored.game.variant.info.key;
    for (player, rating) in stored.players.into_iter().zip(after) {
        let account = fill.people[player].key;
        insert.execute(params![
            account.as_bytes(),
            variant,
            rating.rated_ms,
            key.as_bytes(),
            rating.rating,
            rating.rd,
        ])?;
    }
    Ok(())
}

fn insert_game_row(
    tx: &Transaction<'_>,
    fill: &Fill,
    stored: &StoredGame<'_>,
    (key, id, salt): (Uuid, PublicId, [u8; 16]),
) -> AnyResult<()> {
    let StoredGame { game, players, pace, rated, created_ms, before, after, .. } = stored;
    let end = game.end;
    let days = if let Pace::Days(days) = pace { Some(*days) } else { None };
    let diff =
        |side: usize| after.as_ref().map(|after| after[side].rounded() - before[side].rounded());
    let mut insert = tx.prepare_cached(
        "INSERT INTO game (key, id, variant, options, seed, salt, rated, initial_ms, increment_ms,
             first, second, first_rating, second_rating, first_provisional, second_provisional,
             created_ms, status, days, winner, reason, ending, ended_ms, first_diff, second_diff,
             plies)
         VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![
        key.as_bytes(),
        id.as_str(),
        game.variant.info.key,
        game.variant.options().to_string(),
        game.seed.cast_signed(),
        salt,
        rated,
        pace.clock().map(|time| time.initial_ms),
        pace.clock().map(|time| time.increment_ms),
        fill.people[players[0]].key.as_bytes(),
        fill.people[players[1]].key.as_bytes(),
        before[0].rounded(),
        before[1].rounded(),
        before[0].is_provisional(*created_ms),
        before[1].is_provisional(*created_ms),
        created_ms,
        end.map_or(GameStatus::Started, |end| end.status) as i64,
        days,
        end.and_then(|end| end.winner).map(side_name),
        end.and_then(|end| end.reason).map(DrawReason::as_str),
        game.ending,
        end.and_then(|_| stored.times_ms.last()),
        diff(0),
        diff(1),
        end.map(|_| game.plies as i64),
    ])?;
    Ok(())
}

/// Inserts the accepted challenge of a game.
fn insert_challenge(
    tx: &Transaction<'_>,
    fill: &mut Fill,
    stored: &StoredGame<'_>,
    (id, salt): (PublicId, [u8; 16]),
) -> AnyResult<()> {
    let created_ms = stored.created_ms - CHALLENGE_BEFORE_MS;
    let variant = stored.game.variant;
    let options: Map<String, Value> =
        variant.options().iter().map(|(key, value)| (key.to_owned(), json!(value))).collect();
    let terms = json!({ "range": "", "provisional": true }).to_string();
    let mut insert = tx.prepare_cached(
        "INSERT INTO challenge (key, id, maker, kind, plays, paces, rated, acceptor_terms,
             maker_terms, standing, program, same_board, seed, salt, created_ms, expires_ms, status)
         VALUES (?, ?, ?, 'list', ?, ?, ?, ?, ?, 0, 0, 0, ?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![
        new_key(created_ms, &mut fill.random).as_bytes(),
        id.as_str(),
        fill.people[stored.players[0]].key.as_bytes(),
        json!([{ "variant": variant.info.key, "options": options }]).to_string(),
        json!([stored.pace.to_string()]).to_string(),
        stored.rated,
        terms,
        terms,
        stored.game.seed.cast_signed(),
        salt,
        created_ms,
        created_ms + CHALLENGE_LIFETIME_MS,
        ChallengeStatus::Accepted as i64,
    ])?;
    Ok(())
}

/// Inserts the packed log of a game.
fn insert_log(
    tx: &Transaction<'_>,
    fill: &mut Fill,
    stored: &StoredGame<'_>,
    key: Uuid,
) -> AnyResult<()> {
    let events = &stored.game.events;
    let (mut text, mut last_ms) = (String::from("["), 0);
    for (at, (event, at_ms)) in events.iter().zip(&stored.times_ms).enumerate() {
        let side = event.side.map_or("null".to_owned(), |side| side.index().to_string());
        // Ends by the rules have no command.
        let has_command = at + COMMANDS_KEPT >= events.len() && event.side.is_some();
        let command = match has_command {
            true => format!(",\"{}\"", new_key(*at_ms, &mut fill.random).simple()),
            false => String::new(),
        };
        let comma = if at == 0 { "" } else { "," };
        text += &format!("{comma}[{},{side},{}{command}]", event.packed, at_ms - last_ms);
        last_ms = *at_ms;
    }
    text.push(']');
    let mut insert = tx.prepare_cached(
        "INSERT INTO game_log (game_id, last_seq, last_ms, schema, events) VALUES (?, ?, ?, ?, ?)",
    )?;
    insert.execute(params![key.as_bytes(), events.len() as i64, last_ms, SCHEMA, text])?;
    Ok(())
}

/// Inserts the events of a game in progress.
fn insert_journal(
    tx: &Transaction<'_>,
    fill: &mut Fill,
    stored: &StoredGame<'_>,
    key: Uuid,
) -> AnyResult<()> {
    let mut insert = tx.prepare_cached(
        "INSERT INTO game_journal (game_id, seq, side, cid, payload, at_ms, schema)
         VALUES (?, ?, ?, ?, ?, ?, ?)",
    )?;
    for (at, (event, at_ms)) in stored.game.events.iter().zip(&stored.times_ms).enumerate() {
        insert.execute(params![
            key.as_bytes(),
            at as i64 + 1,
            event.side.map(side_name),
            new_key(*at_ms, &mut fill.random).as_bytes(),
            event.payload,
            at_ms,
            SCHEMA,
        ])?;
    }
    Ok(())
}

/// Inserts ratings and statistics in the order of their keys.
pub fn insert_statistics(connection: &mut Connection, fill: &Fill, now_ms: i64) -> AnyResult<()> {
    let tx = connection.transaction()?;
    let key = |index: usize| fill.people[index].key;
    for ((account, variant), rating) in &fill.ratings {
        let Rating { rating: value, rd, volatility, games, rated_ms } = *rating;
        // The server clears expired times.
        let until_ms = rating.established_until_ms().filter(|until_ms| *until_ms > now_ms);
        tx.prepare_cached("INSERT INTO rating VALUES (?, ?, ?, ?, ?, ?, ?, ?)")?.execute(
            params![
                key(*account).as_bytes(),
                variant,
                value,
                rd,
                volatility,
                games,
                rated_ms,
                until_ms
            ],
        )?;
    }
    for ((account, variant, rated), [wins, losses, draws, voids]) in &fill.tallies {
        tx.prepare_cached("INSERT INTO tally VALUES (?, ?, ?, ?, ?, ?, ?)")?.execute(params![
            key(*account).as_bytes(),
            variant,
            rated,
            wins,
            losses,
            draws,
            voids
        ])?;
    }
    for ((account, other, variant), [wins, losses, draws]) in &fill.pairs {
        let (account, other) = (key(*account), key(*other));
        tx.prepare_cached("INSERT INTO pair VALUES (?, ?, ?, ?, ?, ?)")?.execute(params![
            account.as_bytes(),
            other.as_bytes(),
            variant,
            wins,
            losses,
            draws
        ])?;
    }
    tx.commit()?;
    Ok(())
}

/// Returns the accounts of a filled database, without those of the computer.
pub fn load_people(connection: &Connection) -> AnyResult<Vec<Person>> {
    let sql = "SELECT key, name, guest FROM account WHERE bot = 0 ORDER BY key";
    let mut statement = connection.prepare(sql)?;
    let people = statement.query_map([], |row| {
        let key = Uuid::from_bytes(row.get(0)?);
        Ok(Person { key, name: row.get(1)?, guest: row.get(2)?, free_ms: 0 })
    })?;
    Ok(people.collect::<Result<_, _>>()?)
}

/// Returns the ratings of a filled database.
pub fn load_ratings(
    connection: &Connection,
    people: &[Person],
) -> AnyResult<HashMap<(usize, &'static str), Rating>> {
    let mut ratings = HashMap::new();
    let mut select = connection.prepare(
        "SELECT rating, rd, volatility, games, rated_ms FROM rating
         WHERE account = ? AND variant = ?",
    )?;
    for (index, person) in people.iter().enumerate() {
        for variant in &ALL {
            let rating =
                select.query_row(params![person.key.as_bytes(), variant.info.key], |row| {
                    Ok(Rating {
                        rating: row.get(0)?,
                        rd: row.get(1)?,
                        volatility: row.get(2)?,
                        games: row.get(3)?,
                        rated_ms: row.get(4)?,
                    })
                });
            if let Some(rating) = rating.optional()? {
                ratings.insert((index, variant.info.key), rating);
            }
        }
    }
    Ok(ratings)
}

fn side_name(side: Side) -> &'static str {
    match side {
        Side::First => "first",
        Side::Second => "second",
    }
}

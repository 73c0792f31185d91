//! Limits of what a rated game gains: accounts made for the purpose cannot make a rating, and a
//! game that a player ends early gives the winner no points.

use crate::support::client::{Player, Server};
use serde_json::{Value, json};
use sprong::play::rating::{DAILY_GAIN_MAX, UNTESTED_RATING_MAX};
use sprong::variants;

const VARIANT: &str = "hogga";

/// Age of accounts that count in full, in ms.
const OLD_MS: i64 = 4 * 86_400_000;

/// Number of accounts that lose to others.
const ACCOUNTS: usize = 20;

/// Plays until there are `plies` plies; then `loser` resigns. Returns the end.
async fn win_against(winner: &mut Player, loser: &mut Player, plies: usize) -> Value {
    let id = winner.start_game(loser, VARIANT, json!({ "clock.limit": 300 })).await;
    for ply in 0..plies {
        let mover = if ply % 2 == 0 { &mut *winner } else { &mut *loser };
        mover.play_first_legal(&id).await;
    }
    let (status, body) = loser.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    assert_eq!(status, 200, "{body}");
    winner.get(&format!("/api/game/{id}")).await.1["end"].clone()
}

fn plies_min() -> usize {
    variants::by_key(VARIANT).expect("variant").info.rated_plies_min
}

fn max_untested() -> i64 {
    UNTESTED_RATING_MAX as i64
}

/// Each account beats all later ones, so that the last ones lose to accounts with a rating that is
/// made, and the first one beats all.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn new_accounts_cannot_make_a_rating() {
    let server = Server::start_with(&["--rated-games-per-pair", "1000"]).await;
    let mut accounts = Vec::new();
    for number in 0..=ACCOUNTS {
        accounts.push(server.player(&format!("Player{number}")).await);
    }
    let mut limited = 0;
    for winner in (0..accounts.len()).rev() {
        let (winners, losers) = accounts.split_at_mut(winner + 1);
        // The highest ratings are the newest winners.
        for loser in losers.iter_mut().take(if winner == 0 { ACCOUNTS } else { 4 }) {
            let end = win_against(&mut winners[winner], loser, plies_min()).await;
            limited += usize::from(end["ratingLimit"]["first"] == "untestedOpponent");
        }
    }
    assert!(limited >= ACCOUNTS, "{limited} limited gains");
    let mut highest = 0;
    for account in &accounts {
        highest = highest.max(account.rating(VARIANT).await);
    }
    assert_eq!(highest, max_untested());
    server.stop().await;
}

#[tokio::test]
async fn short_games_cost_the_loser_and_give_nothing() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let end = win_against(&mut ann, &mut bob, 2).await;
    assert_eq!(end["ratingLimit"], json!({ "first": "shortGame", "second": null }), "{end}");
    assert_eq!(end["ratingDiff"]["first"], 0);
    let loss = end["ratingDiff"]["second"].as_i64().expect("a change");
    assert!(loss < -100, "{end}");
    assert_eq!((ann.rating(VARIANT).await, bob.rating(VARIANT).await), (1_500, 1_500 + loss));
    let account = ann.get("/api/account").await.1;
    assert_eq!(account["perfs"][VARIANT]["rd"], 500, "the rating is no more certain");
    // One ply less than the minimum is short as well.
    let end = win_against(&mut ann, &mut bob, plies_min() - 1).await;
    assert_eq!(end["ratingLimit"]["first"], "shortGame", "{end}");
    let end = win_against(&mut ann, &mut bob, plies_min()).await;
    assert_eq!(end.get("ratingLimit"), None, "{end}");
    assert!(end["ratingDiff"]["first"].as_i64().expect("a change") > 0, "{end}");
    server.stop().await;
}

/// The clock of a player who stops playing costs that player points, and gives the other none.
#[tokio::test]
async fn flag_in_a_short_game_gives_nothing() {
    let server = Server::start().await;
    let second = json!({ "clock.limit": 0, "clock.increment": 1 });
    let ([mut ann, mut bob], [mut socket, _], id) = server.start_game(VARIANT, second).await;
    ann.play_first_legal(&id).await;
    bob.play_first_legal(&id).await;
    let end = socket.until("end").await["d"].clone();
    assert_eq!((&end["status"], &end["winner"]), (&json!("outoftime"), &json!("second")), "{end}");
    let end = ann.get(&format!("/api/game/{id}")).await.1["end"].clone();
    assert_eq!(end["ratingLimit"], json!({ "first": null, "second": "shortGame" }), "{end}");
    assert_eq!(end["ratingDiff"]["second"], 0);
    assert!(end["ratingDiff"]["first"].as_i64().expect("a change") < -100, "{end}");
    assert_eq!(bob.rating(VARIANT).await, 1_500);
    server.stop().await;
}

#[tokio::test]
async fn agreed_draws_in_short_games_give_nothing() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    server.database().await.set_rating(&bob, VARIANT, 1_900, 60.0).await;
    let id = ann.start_game(&mut bob, VARIANT, json!({ "clock.limit": 300 })).await;
    ann.play_first_legal(&id).await;
    bob.play_first_legal(&id).await;
    for player in [&mut ann, &mut bob] {
        let (status, body) =
            player.post(&format!("/api/board/game/{id}/draw/yes"), json!({})).await;
        assert_eq!(status, 200, "{body}");
    }
    let end = ann.get(&format!("/api/game/{id}")).await.1["end"].clone();
    assert_eq!((&end["status"], &end["reason"]), (&json!("draw"), &json!("agreement")));
    assert_eq!(end["ratingLimit"]["first"], "shortGame", "{end}");
    assert_eq!(end["ratingDiff"]["first"], 0);
    assert!(end["ratingDiff"]["second"].as_i64().expect("a change") < 0, "{end}");
    server.stop().await;
}

/// Opponents of some age with a settled rating raise a rating above the limit, by so much a day.
#[tokio::test]
async fn old_opponents_raise_ratings_within_the_limit_of_a_day() {
    let server = Server::start().await;
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let database = server.database().await;
    database.set_rating(&bob, VARIANT, 2_300, 60.0).await;
    // The rating of a new account is not enough.
    let end = win_against(&mut ann, &mut bob, plies_min()).await;
    assert_eq!(end["ratingLimit"]["first"], "untestedOpponent", "{end}");
    assert_eq!(ann.rating(VARIANT).await, max_untested());
    database.age_account(&bob, OLD_MS).await;
    let mut last = max_untested();
    let daily_max = 1_500 + DAILY_GAIN_MAX as i64;
    while last < daily_max {
        win_against(&mut ann, &mut bob, plies_min()).await;
        let rating = ann.rating(VARIANT).await;
        assert!(rating > last && rating <= daily_max, "{rating} after {last}");
        last = rating;
    }
    let end = win_against(&mut ann, &mut bob, plies_min()).await;
    assert_eq!(end["ratingLimit"]["first"], "dailyGain", "{end}");
    assert_eq!(ann.rating(VARIANT).await, daily_max);
    // On the next day, the rating rises again.
    database.age_points(&ann, 86_400_000).await;
    win_against(&mut ann, &mut bob, plies_min()).await;
    assert!(ann.rating(VARIANT).await > daily_max);
    // A rating that is not settled is not enough either.
    let rating = ann.rating(VARIANT).await;
    database.set_rating(&bob, VARIANT, 2_300, 150.0).await;
    let end = win_against(&mut ann, &mut bob, plies_min()).await;
    assert_eq!(end["ratingLimit"]["first"], "untestedOpponent", "{end}");
    assert_eq!(ann.rating(VARIANT).await, rating);
    server.stop().await;
}

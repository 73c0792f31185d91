//! Deaths of a node: its last time is excluded from the clocks of the players who were connected to
//! it only.

use super::absence::{make_first_moves, send};
use super::presence::Nodes;
use super::starts::excluded_ms;
use super::{blitz, new_game};
use crate::support::client::wait_until;
use sprong::play::clock::{Pace, TimeControl};
use sprong::play::command::Command;
use sprong::play::event::GameStatus;
use sprong::rooms::{CommandError, Location, RequestError, now_ms};
use sprong::rules::Side;
use sprong::store::{AccountKey, GameRow, NODE_TIMEOUT_MS, NodePresence, PresenceKey, Store};

/// Time of a player whose flag falls within the time until a node counts as dead.
const SHORT_MS: i64 = 2_000;

/// Longest time after a deadline within which a game must end.
const LATE_MAX_MS: i64 = 5_000;

/// Node without rooms, which stores heartbeats until it dies, with two others.
struct DyingNode {
    all: Nodes,
    dying: Store,
}

impl DyingNode {
    async fn start() -> DyingNode {
        let all = Nodes::start(&[]).await;
        DyingNode { dying: all.store.as_other_node(), all }
    }

    fn ann(&self) -> AccountKey {
        self.all.accounts[0].key
    }

    /// Creates a game in which Ann, whose opponent is Bob, makes the first move.
    async fn game(&self, pace: Pace) -> GameRow {
        let players = [self.all.accounts[0].clone(), self.all.accounts[1].clone()];
        new_game(&self.all.store, &players, pace).await
    }

    /// Begins the clocks of a game, at both nodes. Ann is to move.
    async fn begin(&self, row: &GameRow) {
        make_first_moves(&self.all.rooms()[0], row).await;
        for rooms in self.all.rooms() {
            rooms.snapshot(&row.id).await.expect("snapshot");
        }
    }

    async fn renew(&self) -> i64 {
        let alive_ms = now_ms();
        self.dying.record_heartbeat(alive_ms, 0, Vec::new()).await.expect("stored");
        alive_ms
    }

    /// Connects an account to games at the dying node, and waits until the others know.
    async fn connect(&self, account: usize, games: &[&GameRow]) {
        let account = self.all.accounts[account].key;
        let places = games.iter().map(|row| Location::Game(row.id).to_string()).collect();
        let presence = vec![NodePresence::Account(account, places)];
        self.dying.record_presence(presence).await.expect("stored");
        self.all.rooms().iter().for_each(|rooms| rooms.catch_up());
        wait_until("the connections are not seen", async || {
            self.renew().await;
            let rooms = self.all.rooms();
            let mut hubs = rooms.iter().map(|rooms| rooms.user_hub());
            hubs.all(|hub| games.iter().all(|row| hub.is_visiting(account, row.id)))
        })
        .await;
    }

    /// Waits until both nodes have noticed the death, and have applied the time to a game.
    async fn apply_death(&self, row: &GameRow) {
        for rooms in self.all.rooms() {
            wait_until("the death is not noticed", async || {
                !rooms.user_hub().is_online(self.all.accounts[2].key)
            })
            .await;
            let give = Command::GiveTime { ms: 1_000 };
            send(&rooms, row, Side::Second, give).await.expect("time");
        }
    }

    async fn excluded_ms(&self, row: &GameRow) -> Vec<i64> {
        excluded_ms(&self.all.store, row).await
    }

    async fn result(&self, row: &GameRow) -> Option<(GameStatus, i64)> {
        let row = self.all.store.game(&row.id).await.expect("read").expect("game");
        Some((row.result?.end.status, row.ended_ms.expect("an end")))
    }
}

#[tokio::test]
async fn death_counts_for_players_who_were_only_there() {
    let nodes = DyingNode::start().await;
    let mut games = Vec::new();
    for _ in 0..7 {
        let row = nodes.game(blitz()).await;
        nodes.begin(&row).await;
        games.push(row);
    }
    let [cut_off, at_one, at_other, back_at_one, back_at_other, of_opponent, absent] = &games[..]
    else {
        panic!("seven games")
    };
    let connect = |node, row: &GameRow| nodes.all.connect(node, 0, Location::Game(row.id));
    let _before = [connect(0, at_one), connect(1, at_other)];
    let key = PresenceKey::Account(nodes.ann());
    wait_until("the presence is not stored", async || nodes.all.is_stored(key).await).await;
    nodes.connect(0, &[cut_off, at_one, at_other, back_at_one, back_at_other]).await;
    nodes.connect(1, &[cut_off, of_opponent]).await;
    // A spectator of all, by whom the death is seen.
    nodes.connect(2, &[cut_off, absent]).await;
    let alive_ms = nodes.renew().await;
    wait_until("time stands still", async || now_ms() > alive_ms + 1_000).await;
    let back_ms = now_ms();
    let _after = [connect(0, back_at_one), connect(1, back_at_other)];
    let late_ms = now_ms() - back_ms;
    wait_until("the death is not excluded", async || !nodes.excluded_ms(cut_off).await.is_empty())
        .await;
    for row in &games {
        nodes.apply_death(row).await;
    }
    assert_eq!(nodes.excluded_ms(cut_off).await, [NODE_TIMEOUT_MS], "once, by one node");
    for row in [back_at_one, back_at_other] {
        let excluded = nodes.excluded_ms(row).await;
        assert_eq!(excluded.len(), 1, "{excluded:?}");
        let until_back_ms = back_ms - alive_ms;
        assert!((until_back_ms..=until_back_ms + late_ms).contains(&excluded[0]), "{excluded:?}");
    }
    for row in [at_one, at_other, of_opponent, absent] {
        assert_eq!(nodes.excluded_ms(row).await, [] as [i64; 0], "the player could move");
    }
    nodes.all.stop().await;
}

#[tokio::test]
async fn orderly_stop_of_a_node_is_no_death() {
    let mut nodes = DyingNode::start().await;
    let [one, other] = nodes.all.rooms();
    let row = nodes.game(blitz()).await;
    nodes.begin(&row).await;
    let _connection = nodes.all.connect(1, 0, Location::Game(row.id));
    wait_until("the connection is not seen", async || {
        nodes.all.pass_hints(&[&one]);
        one.user_hub().is_visiting(nodes.ann(), row.id)
    })
    .await;
    other.stop().await;
    one.is_last().await;
    wait_until("the connection stays", async || !one.user_hub().is_visiting(nodes.ann(), row.id))
        .await;
    let give = Command::GiveTime { ms: 1_000 };
    send(&one, &row, Side::Second, give).await.expect("time");
    assert_eq!(nodes.excluded_ms(&row).await, [] as [i64; 0]);
    nodes.all.stop().await;
}

/// A flag does not fall before the time without the node is excluded.
#[tokio::test]
async fn no_flag_between_a_death_and_its_exclusion() {
    let nodes = DyingNode::start().await;
    let pace = Pace::Clock(TimeControl::new(SHORT_MS, 0).expect("time"));
    let (cut_off, absent) = (nodes.game(pace).await, nodes.game(pace).await);
    nodes.connect(0, &[&cut_off]).await;
    let began_ms = now_ms();
    nodes.begin(&cut_off).await;
    nodes.begin(&absent).await;
    let alive_ms = nodes.renew().await;
    wait_until("the flag of an absent player does not fall", async || {
        nodes.result(&absent).await.is_some()
    })
    .await;
    // The other game was due before.
    let give = Command::GiveTime { ms: 1_000 };
    match send(&nodes.all.rooms()[0], &cut_off, Side::Second, give).await {
        Err(RequestError::Command(CommandError::StoreFailed)) => {}
        answer => assert!(now_ms() > alive_ms + NODE_TIMEOUT_MS, "{answer:?}"),
    }
    wait_until("the game does not end", async || nodes.result(&cut_off).await.is_some()).await;
    let (status, ended_ms) = nodes.result(&cut_off).await.expect("an end");
    assert_eq!(status, GameStatus::OutOfTime);
    assert_eq!(nodes.excluded_ms(&cut_off).await, [NODE_TIMEOUT_MS]);
    assert!(ended_ms >= began_ms + SHORT_MS + NODE_TIMEOUT_MS, "{}", ended_ms - began_ms);
    nodes.all.stop().await;
}

/// Nodes end the game of a player at another one that runs but does not end it.
#[tokio::test]
async fn flag_of_a_player_at_another_running_node_falls() {
    let nodes = DyingNode::start().await;
    let row = nodes.game(Pace::Clock(TimeControl::new(SHORT_MS, 0).expect("time"))).await;
    nodes.connect(0, &[&row]).await;
    nodes.begin(&row).await;
    let began_ms = now_ms();
    wait_until("the flag does not fall", async || {
        nodes.renew().await;
        nodes.result(&row).await.is_some()
    })
    .await;
    let (status, ended_ms) = nodes.result(&row).await.expect("an end");
    assert_eq!(status, GameStatus::OutOfTime);
    assert!(ended_ms <= began_ms + SHORT_MS + LATE_MAX_MS, "{} ms", ended_ms - began_ms);
    nodes.all.stop().await;
}

//! Presence of users at one node, as another node knows it from rows and hints.

use super::paused::PausedClock;
use super::{Node, blitz, deliver, new_game, serve};
use crate::store::open_store;
use crate::support::client::{env_number, wait_until, wait_within};
use crate::support::server_config::server_config;
use crate::support::store_fixtures::{rated_draft, register_account, register_three};
use sprong::play::challenge::ChallengeKind;
use sprong::play::clock::Pace;
use sprong::rooms::{
    AcceptOutcome, AcceptRequest, AnonymousVisit, Hint, Location, Rooms, Settings, UserConnection,
    now_ms,
};
use sprong::rules::SplitMix;
use sprong::store::{
    AcceptChoice, Account, AccountKey, Draft, GameRow, NODE_TIMEOUT_MS, NodeKey, NodePresence,
    PresenceKey, PublicId, Store,
};
use std::time::Duration;
use tempfile::TempDir;

/// Default number of schedules (`SPRONG_PRESENCE_SCHEDULES`), and steps of each.
const SCHEDULES: u64 = 40;
const STEPS: usize = 12;

/// Time within which a hint must have an effect.
const SOON: Duration = Duration::from_secs(10);

/// Nodes that serve one database, with accounts.
pub struct Nodes {
    nodes: [Node; 2],
    pub accounts: [Account; 3],
    pub store: Store,
    pub folder: TempDir,
}

impl Nodes {
    pub async fn start(flags: &[&str]) -> Nodes {
        Nodes::with_settings(server_config(flags).room_settings()).await
    }

    async fn with_settings(settings: Settings) -> Nodes {
        let folder = TempDir::new().expect("folder");
        let store = open_store(folder.path()).await;
        let accounts = register_three(&store).await;
        let nodes = [0; 2].map(|_| Node::with_settings(&store, settings));
        for node in &nodes {
            serve(&node.rooms).await;
        }
        let nodes = Nodes { nodes, accounts, store, folder };
        // The first node has begun without the second.
        let _probe = nodes.connect(1, 0, Location::Elsewhere);
        let rooms = nodes.rooms();
        wait_until("the first node does not see the second", async || {
            rooms[0].user_hub().is_online(nodes.accounts[0].key)
        })
        .await;
        nodes
    }

    pub fn rooms(&self) -> [Rooms; 2] {
        self.nodes.each_ref().map(|node| node.rooms.clone())
    }

    pub fn connect(&self, node: usize, account: usize, location: Location) -> UserConnection {
        self.nodes[node].rooms.user_hub().join(&self.accounts[account], location)
    }

    /// Returns whether the presence of an account or game at the second node is stored.
    pub async fn is_stored(&self, key: PresenceKey) -> bool {
        is_stored(&self.store, self.nodes[1].rooms.store().node(), key).await
    }

    /// Passes the hints of the second node to other nodes.
    pub fn pass_hints(&mut self, to: &[&Rooms]) {
        while let Ok(hint) = self.nodes[1].hints.try_recv() {
            to.iter().for_each(|rooms| rooms.handle_hint(hint.clone()));
        }
    }

    pub async fn stop(self) {
        for node in self.nodes {
            node.rooms.stop().await;
        }
        self.store.close().await;
    }
}

/// Returns whether a node has stored the presence of an account or game.
async fn is_stored(store: &Store, node: NodeKey, key: PresenceKey) -> bool {
    store.presence_of(&[key]).await.expect("read").of_node(node).contains_key(&key)
}

/// Connection of an account, by its index, or of a visitor without one.
struct Connection {
    account: Option<usize>,
    location: Location,
    _guards: (Option<UserConnection>, Option<AnonymousVisit>),
}

/// Presence as other users see it, of each account and of the spectators of a game.
#[derive(PartialEq, Debug)]
struct Seen {
    is_online: Vec<bool>,
    is_listed: Vec<bool>,
    is_available: Vec<bool>,
    is_available_at_game: Vec<bool>,
    spectators: (usize, Vec<String>),
}

/// Returns what all nodes are to show of these connections. The first two accounts are the players.
fn expected(connections: &[Connection], accounts: &[Account], game: PublicId) -> Seen {
    let is_at = |at: usize, is_place: &dyn Fn(Location) -> bool| {
        let mut own = connections.iter().filter(|connection| connection.account == Some(at));
        own.any(|connection| is_place(connection.location))
    };
    let each = |is_place: &dyn Fn(Location) -> bool| -> Vec<bool> {
        (0..accounts.len()).map(|at| is_at(at, is_place)).collect()
    };
    let is_visiting = |place| place == Location::Game(game);
    let spectators = (2..accounts.len()).filter(|at| is_at(*at, &is_visiting));
    let names: Vec<String> = spectators.map(|at| accounts[at].name.clone()).collect();
    let anonymous = connections.iter().filter(|connection| connection.account.is_none()).count();
    Seen {
        is_online: each(&|_| true),
        is_listed: each(&|_| true),
        is_available: each(&|place| place == Location::Lobby),
        is_available_at_game: each(&|place| place == Location::Lobby || is_visiting(place)),
        spectators: (names.len() + anonymous, names),
    }
}

/// Returns what a node shows.
async fn seen(rooms: &Rooms, accounts: &[Account], row: &GameRow) -> Seen {
    let hub = rooms.user_hub();
    let crowd = rooms.snapshot(&row.id).await.expect("snapshot").status.crowd;
    let listed: Vec<_> = hub.online_accounts().into_iter().map(|account| account.key).collect();
    let each = |is_seen: &dyn Fn(AccountKey) -> bool| -> Vec<bool> {
        accounts.iter().map(|account| is_seen(account.key)).collect()
    };
    Seen {
        is_online: each(&|account| hub.is_online(account)),
        is_listed: each(&|account| listed.contains(&account)),
        is_available: each(&|account| hub.is_available_for(account, None)),
        is_available_at_game: each(&|account| hub.is_available_for(account, Some(row.id))),
        spectators: (crowd.n, crowd.names.map(|names| names.to_vec()).unwrap_or_default()),
    }
}

/// Waits for a shorter time than the interval at which all rows are read.
pub async fn soon(message: &str, holds: impl AsyncFnMut() -> bool) {
    wait_within(SOON, message, holds).await;
}

/// Adds or removes a connection that is drawn at random.
fn change(connections: &mut Vec<Connection>, all: &Nodes, game: PublicId, random: &mut SplitMix) {
    let (node, account) = (random.below(2), random.below(all.accounts.len() + 1));
    if random.below(2) == 0 && !connections.is_empty() {
        connections.swap_remove(random.below(connections.len()));
    } else if account < all.accounts.len() {
        let places = [Location::Lobby, Location::Elsewhere, Location::Game(game)];
        let location = places[random.below(places.len())];
        let _guards = (Some(all.connect(node, account, location)), None);
        connections.push(Connection { account: Some(account), location, _guards });
    } else {
        let hub = all.nodes[node].rooms.user_hub().clone();
        let _guards = (None, Some(hub.join_anonymously(game)));
        connections.push(Connection { account: None, location: Location::Game(game), _guards });
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn nodes_agree_on_presence_despite_faulty_hints() {
    let mut all = Nodes::start(&[]).await;
    let rooms = all.rooms();
    let accounts = all.accounts.clone();
    let players = [accounts[0].clone(), accounts[1].clone()];
    let row = new_game(&all.store, &players, Pace::Days(3)).await;
    let _followers = [
        rooms[0].join(&row.id, None, None).await.expect("joined"),
        rooms[1].join(&row.id, None, None).await.expect("joined"),
    ];
    let mut connections: Vec<Connection> = Vec::new();
    for seed in 0..env_number("SPRONG_PRESENCE_SCHEDULES", SCHEDULES) {
        let mut random = SplitMix::new(seed);
        let are_faulty = seed % 2 == 1;
        for _ in 0..STEPS {
            change(&mut connections, &all, row.id, &mut random);
            if are_faulty {
                let [one, two] = &mut all.nodes;
                deliver(one, &rooms[1], &mut random);
                deliver(two, &rooms[0], &mut random);
            }
        }
        soon("a node shows another presence", async || {
            for (at, node) in all.nodes.iter_mut().enumerate() {
                while let Ok(hint) = node.hints.try_recv() {
                    if !are_faulty {
                        rooms[1 - at].handle_hint(hint);
                    }
                }
            }
            if are_faulty {
                rooms.iter().for_each(Rooms::catch_up);
            }
            let expected = expected(&connections, &accounts, row.id);
            seen(&rooms[0], &accounts, &row).await == expected
                && seen(&rooms[1], &accounts, &row).await == expected
        })
        .await;
    }
    drop(connections);
    all.stop().await;
}

#[tokio::test]
async fn creator_in_the_lobby_of_another_node_needs_no_ready_check() {
    let mut all = Nodes::start(&[]).await;
    let [one, other] = all.rooms();
    let (creator, acceptor) = (all.accounts[0].clone(), all.accounts[1].clone());
    let _lobby = all.connect(1, 0, Location::Lobby);
    soon("the creator is not seen", async || {
        all.pass_hints(&[&one]);
        one.user_hub().is_available_for(creator.key, None)
    })
    .await;
    let mut draft = Draft { paces: vec![blitz()], ..rated_draft("hogga", ChallengeKind::List) };
    draft.terms.expires_ms = now_ms() + 60_000;
    let challenge = other.create_challenge(creator.key, draft, 10).await.expect("stored");
    assert!(one.is_creator_present(&challenge));
    let request = AcceptRequest {
        id: challenge.id,
        acceptor,
        choice: AcceptChoice::default(),
        network: None,
    };
    assert_eq!(one.accept(request).await.expect("accepted"), AcceptOutcome::Game(challenge.id));
    all.stop().await;
}

#[tokio::test]
async fn presence_at_a_node_that_is_gone_does_not_count() {
    let all = Nodes::start(&[]).await;
    let [one, _] = all.rooms();
    // A node that is killed leaves its rows.
    let killed = all.store.as_other_node();
    let [known, unknown] = [all.accounts[1].key, all.accounts[2].key];
    let presence = [(known, "lobby"), (unknown, "a place of a later version")]
        .map(|(account, place)| NodePresence::Account(account, [place.to_owned()].into()));
    killed.record_presence(presence.into()).await.expect("stored");
    killed.record_heartbeat(now_ms(), 0, Vec::new()).await.expect("stored");
    wait_until("the presence at a new node is not read", async || {
        one.user_hub().is_online(known) && one.user_hub().is_online(unknown)
    })
    .await;
    assert!(one.user_hub().is_available_for(known, None));
    assert!(!one.user_hub().is_available_for(unknown, None));
    wait_until("the presence stays", async || !one.user_hub().is_online(known)).await;
    all.stop().await;
}

#[tokio::test(start_paused = true)]
async fn rows_are_read_again_despite_constant_changes() {
    let _clock = PausedClock::hold();
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let [account, visitor, _] = register_three(&store).await;
    let rooms = Node::new(&store).rooms;
    serve(&rooms).await;
    let other = store.as_other_node();
    let step = async || {
        other.record_heartbeat(now_ms(), 0, Vec::new()).await.expect("stored");
        drop(rooms.user_hub().join(&visitor, Location::Lobby));
        tokio::time::advance(Duration::from_millis(200)).await;
        rooms.store().presence().await.expect("the exchange has had time");
    };
    // Until the other node is known, and its rows are read for the first time.
    for _ in 0..50 {
        step().await;
    }
    let presence = NodePresence::Account(account.key, ["lobby".to_owned()].into());
    other.record_presence(vec![presence]).await.expect("stored");
    for _ in 0..200 {
        step().await;
        if rooms.user_hub().is_online(account.key) {
            break;
        }
    }
    assert!(rooms.user_hub().is_online(account.key), "its hint was lost");
    rooms.stop().await;
    store.close().await;
}

#[tokio::test]
async fn presence_before_a_start_without_other_nodes_does_not_count() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let [account, ..] = register_three(&store).await;
    let killed = store.as_other_node();
    let presence = NodePresence::Account(account.key, ["lobby".to_owned()].into());
    killed.record_presence(vec![presence]).await.expect("stored");
    // Long ago, so that the start does not wait for another heartbeat.
    killed.record_heartbeat(now_ms() - 2 * NODE_TIMEOUT_MS, 0, Vec::new()).await.expect("stored");
    let started = Node::new(&store).rooms;
    serve(&started).await;
    // When it stores another change, the rows that it was to read before are read.
    let mut connections = Vec::new();
    for name in ["First", "Second", "Third"] {
        let other = register_account(&store, name).await;
        connections.push(started.user_hub().join(&other, Location::Lobby));
        let key = PresenceKey::Account(other.key);
        let node = started.store().node();
        soon("a change is not stored", async || is_stored(&store, node, key).await).await;
        started.catch_up();
    }
    assert!(!started.user_hub().is_online(account.key));
    started.stop().await;
    store.close().await;
}

#[tokio::test]
async fn lost_rows_of_a_running_node_are_stored_again() {
    let mut all = Nodes::start(&[]).await;
    let [one, other] = all.rooms();
    let account = all.accounts[2].key;
    let key = PresenceKey::Account(account);
    let connection = all.connect(1, 2, Location::Elsewhere);
    soon("the presence is not stored", async || all.is_stored(key).await).await;
    // As another node would after a long stall of this one.
    other.store().remove_own_presence().await.expect("removed");
    other.catch_up();
    soon("the rows stay lost", async || all.is_stored(key).await).await;
    soon("the connection is not seen", async || {
        all.pass_hints(&[&one]);
        one.user_hub().is_online(account)
    })
    .await;
    // The end of the connection is not stored yet when the node stops.
    drop(connection);
    other.stop().await;
    assert!(!all.is_stored(key).await);
    let mut named = Vec::new();
    while let Ok(hint) = all.nodes[1].hints.try_recv() {
        if let Hint::Presence(keys) = hint {
            named.extend_from_slice(&keys);
        }
    }
    assert!(named.contains(&key), "{named:?}");
    all.stop().await;
}

#[tokio::test]
async fn rows_of_nodes_without_a_row_are_removed() {
    let all = Nodes::start(&[]).await;
    let [one, _] = all.rooms();
    let _connection = all.connect(1, 1, Location::Lobby);
    let [running, gone] = [1, 2].map(|at| PresenceKey::Account(all.accounts[at].key));
    soon("the presence is not stored", async || all.is_stored(running).await).await;
    let other = all.store.as_other_node();
    let presence = NodePresence::Account(all.accounts[2].key, ["lobby".to_owned()].into());
    other.record_presence(vec![presence]).await.expect("stored");
    one.catch_up();
    soon("the rows stay", async || !is_stored(&all.store, other.node(), gone).await).await;
    assert!(all.is_stored(running).await);
    all.stop().await;
}

#[tokio::test]
async fn visitors_of_other_nodes_do_not_keep_a_room_open() {
    let idle_timeout = Duration::from_millis(500);
    let settings = Settings { idle_timeout, ..server_config(&[]).room_settings() };
    let mut all = Nodes::with_settings(settings).await;
    let [one, other] = all.rooms();
    let players = [all.accounts[0].clone(), all.accounts[1].clone()];
    let row = new_game(&all.store, &players, Pace::Days(3)).await;
    one.snapshot(&row.id).await.expect("snapshot");
    drop(one.join(&row.id, None, None).await.expect("joined"));
    assert_eq!(one.len(), 1);
    let mut visits = Vec::new();
    soon("the room stays open", async || {
        visits.push(other.user_hub().join_anonymously(row.id));
        all.pass_hints(&[&one]);
        one.is_empty()
    })
    .await;
    all.stop().await;
}

#[tokio::test(start_paused = true)]
async fn only_node_of_a_database_stores_no_presence() {
    let _clock = PausedClock::hold();
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let [account, ..] = register_three(&store).await;
    let rooms = Rooms::new(store.clone(), server_config(&[]).room_settings());
    serve(&rooms).await;
    let connection = rooms.user_hub().join(&account, Location::Lobby);
    rooms.catch_up();
    // A node among several would store it within 100 ms.
    for _ in 0..20 {
        tokio::time::advance(Duration::from_millis(200)).await;
        let rows = store.presence().await.expect("read");
        assert_eq!(rows.keys().count(), 0);
    }
    assert!(rooms.user_hub().is_available_for(account.key, None));
    drop(connection);
    rooms.stop().await;
    store.close().await;
}

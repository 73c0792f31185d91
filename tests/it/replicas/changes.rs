//! Changes that one node commits, as the connections and tables of another node learn of them.

use super::{Node, blitz, new_game};
use crate::store::open_store;
use crate::support::store_fixtures::{rated_draft, register_account};
use sprong::bus::Subscriber;
use sprong::play::challenge::ChallengeKind;
use sprong::play::clock::Pace;
use sprong::play::command::Command;
use sprong::rooms::{
    AcceptOutcome, AcceptRequest, LobbyEvent, Location, RoomMessage, Rooms, UserConnection, now_ms,
};
use sprong::store::{AcceptChoice, Account, Draft, PublicId, Store};
use std::fmt::Debug;
use std::time::Duration;
use tempfile::TempDir;
use tokio::time::timeout;

/// Time within which an event must arrive.
const WAIT_MAX: Duration = Duration::from_secs(10);

/// Returns the name of the variant of an event.
fn name(event: &impl Debug) -> String {
    let text = format!("{event:?}");
    text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

/// Returns the names of the next events of an account.
async fn next_events(connection: &mut UserConnection, number: usize) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..number {
        let event = timeout(WAIT_MAX, connection.events.next()).await.expect("an event in time");
        names.push(name(&event.expect("an event")));
    }
    names
}

/// Returns the names of the next events of a lobby.
async fn next_news(lobby: &mut Subscriber<LobbyEvent>, number: usize) -> Vec<String> {
    let mut names = Vec::new();
    for _ in 0..number {
        let event = timeout(WAIT_MAX, lobby.next()).await.expect("an event in time");
        names.push(name(&event.expect("an event")));
    }
    names
}

/// Two nodes, with the connection of the first player to the second node, where that player does
/// something else, and that of the second player to the first node.
struct TwoNodes {
    nodes: [Node; 2],
    players: [Account; 2],
    connections: [UserConnection; 2],
    _folder: TempDir,
    store: Store,
}

impl TwoNodes {
    async fn start() -> TwoNodes {
        let folder = TempDir::new().expect("folder");
        let store = open_store(folder.path()).await;
        let players =
            [register_account(&store, "Ann").await, register_account(&store, "Bob").await];
        let nodes = [Node::new(&store), Node::new(&store)];
        let join = |node: &Node, account| node.rooms.user_hub().join(account, Location::Elsewhere);
        let connections = [join(&nodes[1], &players[0]), join(&nodes[0], &players[1])];
        TwoNodes { nodes, players, connections, _folder: folder, store }
    }

    fn rooms(&self) -> [Rooms; 2] {
        self.nodes.each_ref().map(|node| node.rooms.clone())
    }

    /// Creates a challenge of the first player on a node, for a game with a clock.
    async fn challenge(&self, rooms: &Rooms, kind: ChallengeKind) -> PublicId {
        let mut draft = Draft {
            paces: vec![blitz()],
            dest: (kind == ChallengeKind::Direct).then(|| self.players[1].clone()),
            ..rated_draft("caterpillarWar", kind)
        };
        draft.terms.expires_ms = now_ms() + 60_000;
        rooms.create_challenge(self.players[0].key, draft, 10).await.expect("stored").id
    }

    /// Accepts a challenge as the second player on a node.
    async fn accept(&self, rooms: &Rooms, id: PublicId) -> AcceptOutcome {
        let (acceptor, choice) = (self.players[1].clone(), AcceptChoice::default());
        let accepted = rooms.accept(AcceptRequest { id, acceptor, choice, network: None }).await;
        accepted.expect("accepted")
    }

    async fn stop(self) {
        for node in self.nodes {
            node.rooms.stop().await;
        }
        self.store.close().await;
    }
}

#[tokio::test]
async fn ready_check_begun_on_one_node_is_answered_on_another() {
    let mut two = TwoNodes::start().await;
    let [one, other] = two.rooms();
    let mut lobby = other.lobby().subscribe();
    let id = two.challenge(&one, ChallengeKind::List).await;
    assert_eq!(next_news(&mut lobby, 1).await, ["Challenge"]);
    let AcceptOutcome::ReadyCheck(until_ms) = two.accept(&one, id).await else {
        panic!("the creator is elsewhere");
    };
    assert_eq!(other.reserved_until_ms(&id), Some(until_ms));
    assert_eq!(next_news(&mut lobby, 1).await, ["Challenge"], "it is reserved now");
    assert_eq!(next_events(&mut two.connections[0], 1).await, ["ReadyCheck"]);
    let game = other.answer_ready_check(id, two.players[0].key, true).await.expect("a game");
    assert_eq!(game, AcceptOutcome::Game(id));
    assert_eq!([&one, &other].map(|rooms| rooms.reserved_until_ms(&id)), [None; 2]);
    let begun = ["ReadyCheckEnded", "GameStarted", "ChallengeGone"];
    assert_eq!(next_events(&mut two.connections[0], 3).await, begun);
    // The acceptor takes part in the check, and not in the challenge itself.
    assert_eq!(next_events(&mut two.connections[1], 2).await, begun[..2]);
    assert_eq!(next_news(&mut lobby, 1).await, ["ChallengeGone"]);
    two.stop().await;
}

#[tokio::test]
async fn check_ends_on_both_nodes_with_withdrawal_and_challenge() {
    let mut two = TwoNodes::start().await;
    let [one, other] = two.rooms();
    for is_withdrawn in [true, false] {
        let id = two.challenge(&one, ChallengeKind::Direct).await;
        assert!(matches!(two.accept(&one, id).await, AcceptOutcome::ReadyCheck(_)));
        assert!(other.reserved_until_ms(&id).is_some());
        if is_withdrawn {
            let ended = other.answer_ready_check(id, two.players[1].key, false).await;
            assert_eq!(ended.expect("withdrawn"), AcceptOutcome::Ended);
        } else {
            other.cancel(id, two.players[0].key).await.expect("canceled");
        }
        assert_eq!([&one, &other].map(|rooms| rooms.reserved_until_ms(&id)), [None; 2]);
        // A challenge is announced again when its check begins and ends.
        let last = if is_withdrawn { "Challenge" } else { "ChallengeGone" };
        let expected = ["Challenge", "ReadyCheck", "Challenge", "ReadyCheckEnded", last];
        assert_eq!(next_events(&mut two.connections[0], 5).await, expected);
        let expected = ["Challenge", "Challenge", "ReadyCheckEnded", last];
        assert_eq!(next_events(&mut two.connections[1], 4).await, expected);
    }
    two.stop().await;
}

#[tokio::test]
async fn players_on_other_nodes_learn_of_turns_and_the_end() {
    let mut two = TwoNodes::start().await;
    let [one, _] = two.rooms();
    let row = new_game(&two.store, &two.players, Pace::Days(3)).await;
    let begun = ["GameStarted", "ChallengeGone", "GamesToMove"];
    assert_eq!(next_events(&mut two.connections[0], 3).await, begun);
    assert_eq!(next_events(&mut two.connections[1], 2).await, [begun[0], begun[2]]);
    let snapshot = one.snapshot(&row.id).await.expect("snapshot");
    let u = snapshot.legal[0].to_owned();
    let send = async |command| {
        let account = row.players[0].account.key;
        let message = |reply| RoomMessage::Command { account, command, cid: None, reply };
        one.request(&row.id, message).await.expect("executed");
    };
    send(Command::Move { u: u.into(), ply: Some(0), lag_ms: 0 }).await;
    for connection in &mut two.connections {
        assert_eq!(next_events(connection, 1).await, ["GamesToMove"]);
    }
    send(Command::Resign).await;
    for connection in &mut two.connections {
        assert_eq!(next_events(connection, 2).await, ["GameFinished", "GamesToMove"]);
    }
    two.stop().await;
}

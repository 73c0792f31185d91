//! Tasks of two nodes at the same time, which depend on the same accounts or on the same network:
//! limits hold exactly, and no result is lost.

use super::DATABASE;
use crate::support::postgres::Cluster;
use crate::support::store_fixtures::{
    accept_challenge, create_challenge, rated_draft, register_account,
};
use futures_util::future::join_all;
use sprong::play::challenge::{ChallengeKind, Ineligible};
use sprong::play::event::{Event, GameEnd, GameStatus, LoggedEvent};
use sprong::rules::Side;
use sprong::store::{
    AcceptChoice, AcceptError, AcceptResult, Acceptance, Account, Append, Challenge,
    CreateChallengeError, DatabaseAddress, GameFinish, GameRow, OpenChallengeLimits, Store,
};
use std::net::IpAddr;

const VARIANT: &str = "caterpillarWar";

/// Tasks at the same time.
const TASKS: usize = 12;

/// Two nodes of one database.
struct Nodes {
    stores: [Store; 2],
    _cluster: Cluster,
}

impl Nodes {
    async fn start() -> Nodes {
        let cluster = Cluster::start();
        cluster.create_database(DATABASE);
        let address = DatabaseAddress::parse(cluster.url(DATABASE).into()).expect("address");
        let open = async || Store::open_address(&address).await.expect("store");
        Nodes { stores: [open().await, open().await], _cluster: cluster }
    }

    /// Returns the nodes in turns.
    fn in_turns(&self) -> impl Iterator<Item = &Store> {
        self.stores.iter().cycle().take(TASKS)
    }

    async fn accounts(&self, number: usize) -> Vec<Account> {
        let mut accounts = Vec::new();
        for at in 0..number {
            accounts.push(register_account(&self.stores[0], &format!("Ann{at}")).await);
        }
        accounts
    }

    async fn stop(self) {
        for store in self.stores {
            store.close().await;
        }
    }
}

/// Creates a public challenge of each account at the same time, and returns the errors.
async fn create_together(
    nodes: &Nodes,
    accounts: impl Iterator<Item = &Account>,
    limits: OpenChallengeLimits,
) -> Vec<CreateChallengeError> {
    let create = |(store, account): (&Store, &Account)| {
        let (store, creator, limits) = (store.clone(), account.key, limits.clone());
        let draft = rated_draft(VARIANT, ChallengeKind::List);
        async move { store.create_challenge(creator, draft, limits, 0).await }
    };
    let created = join_all(nodes.in_turns().zip(accounts).map(create)).await;
    assert_eq!(created.len(), TASKS);
    created.into_iter().filter_map(Result::err).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn player_creates_no_more_challenges_than_permitted() {
    let nodes = Nodes::start().await;
    let accounts = nodes.accounts(1).await;
    let refused = create_together(&nodes, accounts.iter().cycle(), 3.into()).await;
    assert_eq!(refused.len(), TASKS - 3);
    assert!(refused.iter().all(|error| matches!(error, CreateChallengeError::TooMany(3))));
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn network_creates_no_more_challenges_than_permitted() {
    let nodes = Nodes::start().await;
    let accounts = nodes.accounts(TASKS).await;
    let limits = OpenChallengeLimits {
        network_public_max: 3,
        network: Some(IpAddr::from([192, 0, 2, 1])),
        ..10.into()
    };
    let refused = create_together(&nodes, accounts.iter(), limits).await;
    assert_eq!(refused.len(), TASKS - 3);
    assert!(refused.iter().all(|error| matches!(error, CreateChallengeError::TooManyOfNetwork(3))));
    nodes.stop().await;
}

/// Accepts a challenge of each creator, and returns the games and the errors.
async fn accept_together(
    nodes: &Nodes,
    challenges: &[Challenge],
    acceptors: impl Iterator<Item = &Account>,
    games_max: i64,
) -> (Vec<GameRow>, Vec<AcceptError>) {
    let accept = |((store, challenge), acceptor): ((&Store, &Challenge), &Account)| {
        let acceptance = Acceptance {
            acceptor: acceptor.clone(),
            choice: AcceptChoice::default(),
            random_side: Side::First,
            pair_rated_max: 10_000,
            games_max,
            search: None,
            ready_check: None,
            now_ms: 1,
        };
        let (store, id) = (store.clone(), challenge.id);
        async move { store.accept_at_once(id, acceptance).await }
    };
    let all = nodes.in_turns().zip(challenges.iter().cycle()).zip(acceptors).map(accept);
    let (mut games, mut errors) = (Vec::new(), Vec::new());
    for accepted in join_all(all).await {
        match accepted {
            Ok(AcceptResult::Game(game)) => games.push(*game),
            Ok(seated) => panic!("{seated:?}"),
            Err(error) => errors.push(error),
        }
    }
    (games, errors)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn player_accepts_no_more_games_than_permitted() {
    let nodes = Nodes::start().await;
    let accounts = nodes.accounts(TASKS + 1).await;
    let mut challenges = Vec::new();
    for creator in &accounts[1..] {
        challenges.push(create_challenge(&nodes.stores[0], creator, VARIANT).await);
    }
    let acceptor = accounts[..1].iter().cycle();
    let (games, refused) = accept_together(&nodes, &challenges, acceptor, 2).await;
    assert_eq!((games.len(), refused.len()), (2, TASKS - 2));
    assert!(refused.iter().all(|error| matches!(error, AcceptError::TooManyGames)));
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn one_of_many_acceptors_gets_the_game() {
    let nodes = Nodes::start().await;
    let accounts = nodes.accounts(TASKS + 1).await;
    let challenge = [create_challenge(&nodes.stores[0], &accounts[0], VARIANT).await];
    let (games, refused) = accept_together(&nodes, &challenge, accounts[1..].iter(), 100).await;
    assert_eq!((games.len(), refused.len()), (1, TASKS - 1));
    let is_taken =
        |error: &AcceptError| matches!(error, AcceptError::Ineligible(Ineligible::Taken, _));
    assert!(refused.iter().all(is_taken), "{refused:?}");
    nodes.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn games_of_a_player_that_end_together_all_count() {
    let nodes = Nodes::start().await;
    let accounts = nodes.accounts(TASKS + 1).await;
    let mut games = Vec::new();
    for opponent in &accounts[1..] {
        let challenge = create_challenge(&nodes.stores[0], opponent, VARIANT).await;
        games.push(accept_challenge(&nodes.stores[0], &challenge, accounts[0].clone()).await);
    }
    let finish = |(store, game): (&Store, GameRow)| {
        let end = GameEnd { status: GameStatus::Resign, winner: Some(Side::First), reason: None };
        let event = Event::Ended(end);
        let logged = LoggedEvent { seq: 1, side: Some(Side::Second), at_ms: 2, event };
        let append =
            Append { game: game.key, cid: None, logged, state: None, epoch: store.epoch() };
        let (events, ending) = (vec![append], None);
        let finish = GameFinish { events, end, ending, plies: 2, has_both_moved: true, now_ms: 2 };
        let store = store.clone();
        async move { store.finish_game(game, finish).await.expect("the end") }
    };
    join_all(nodes.in_turns().zip(games).map(finish)).await;
    let player = accounts[0].key;
    let ratings = nodes.stores[0].ratings(player).await.expect("ratings");
    assert_eq!(ratings[VARIANT].games, TASKS as i64);
    let counts = nodes.stores[0].result_counts(player).await.expect("counts");
    assert_eq!(counts.iter().map(|counts| counts.losses).collect::<Vec<_>>(), [TASKS as i64]);
    let points = nodes.stores[0].rating_history(player).await.expect("points");
    assert_eq!(points.len(), TASKS);
    nodes.stop().await;
}

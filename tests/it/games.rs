//! Helpers that create accounts, challenges and games directly in a store.

use sprong::play::challenge::{Kind, Requirement, Status, Terms};
use sprong::play::clock::Pace;
use sprong::rules::Side;
use sprong::store::{
    Accept, Accepted, Account, Challenge, Draft, GameRow, Opening, Pick, Plays, Store,
};
use sprong::variants;
use uuid::Uuid;

pub async fn account(store: &Store, name: &str) -> Account {
    let names = (name.to_lowercase(), name.to_owned());
    let hash = Uuid::now_v7().as_bytes().to_vec();
    let opening = Opening { hash, id: String::new(), agent: String::new(), now_ms: 0 };
    let made = store.register(None, names, "hash".to_owned(), opening).await.expect("stored");
    made.expect("a new name")
}

/// Creates `number` rated games between two new accounts. The first account has the first side in
/// all.
pub async fn game_between(store: &Store, names: [String; 2], number: usize) -> Vec<GameRow> {
    let (maker, acceptor) = (account(store, &names[0]).await, account(store, &names[1]).await);
    let mut games = Vec::with_capacity(number);
    for _ in 0..number {
        let challenge = challenge_of(store, &maker, "caterpillarWar").await;
        games.push(accept(store, &challenge, acceptor.clone()).await);
    }
    games
}

pub async fn accept(store: &Store, challenge: &Challenge, acceptor: Account) -> GameRow {
    let (pick, lot) = (Pick::default(), Side::First);
    let accept = Accept { acceptor, pick, lot, pair_rated_max: 10_000, now_ms: 1 };
    match store.accept(challenge.id, accept).await.expect("stored").expect("a game") {
        Accepted::Game(game) => *game,
        Accepted::Seated(..) => panic!("expected a game, not a filled seat"),
    }
}

/// Creates a rated challenge of `maker`, who takes the first side.
pub async fn challenge_of(store: &Store, maker: &Account, key: &str) -> Challenge {
    let draft = Draft { side: Some(Side::First), ..draft_of(key, Kind::List) };
    store.add_challenge(maker.key, draft, 10, 0).await.expect("stored").expect("room")
}

/// Returns a rated draft of a challenge without rating ranges.
pub fn draft_of(key: &str, kind: Kind) -> Draft {
    let variant = variants::find(key).expect("variant");
    let terms = Terms {
        acceptor: Requirement::NONE,
        maker: Requirement::NONE,
        rated: true,
        expires_ms: 1_000,
        status: Status::Created,
    };
    Draft {
        plays: vec![Plays { variant, options: variant.options() }],
        paces: vec![Pace::Days(3)],
        side: None,
        kind,
        dest: None,
        standing: false,
        program: false,
        rematch_of: None,
        same_board: false,
        terms,
    }
}

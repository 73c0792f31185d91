//! Helpers that create accounts, challenges and games directly in a store.

use sprong::play::challenge::{AcceptTerms, ChallengeKind, ChallengeStatus, Requirement};
use sprong::play::clock::Pace;
use sprong::rooms;
use sprong::rules::Side;
use sprong::store::{
    AcceptChoice, AcceptResult, Acceptance, Account, AccountEnd, AccountKey, Challenge, Draft,
    GameChoice, GameRow, ModAction, Moderator, NewSession, PendingEmail, SessionProof, Store,
};
use sprong::variants;
use uuid::Uuid;

pub async fn register_account(store: &Store, name: &str) -> Account {
    let names = (name.to_lowercase(), name.to_owned());
    let hash = Uuid::now_v7().as_bytes().to_vec();
    let opening = NewSession {
        hash,
        id: String::new(),
        agent: String::new(),
        network: String::new(),
        device: Vec::new(),
        now_ms: 0,
    };
    store.register(None, names, "hash".to_owned(), opening).await.expect("a new name")
}

/// Registers Ann, Bob and Eve.
pub async fn register_three(store: &Store) -> [Account; 3] {
    [
        register_account(store, "Ann").await,
        register_account(store, "Bob").await,
        register_account(store, "Eve").await,
    ]
}

/// Opens a session of a registered account, and returns its hash.
pub async fn open_session(store: &Store, account: AccountKey) -> Vec<u8> {
    let hash = Uuid::now_v7().as_bytes().to_vec();
    let (id, agent) = (String::new(), String::new());
    let session = NewSession {
        hash: hash.clone(),
        id,
        agent,
        network: String::new(),
        device: Vec::new(),
        now_ms: 0,
    };
    let proof = SessionProof::Password("hash".to_owned());
    assert!(store.open_session(session, account, proof).await.expect("stored"));
    hash
}

/// Gives an account a confirmed e-mail address.
pub async fn add_email(store: &Store, account: AccountKey, address: &str, now_ms: i64) {
    let session = open_session(store, account).await;
    let hash = Uuid::now_v7().as_bytes().to_vec();
    let (address, language) = (address.to_owned(), "en".to_owned());
    let token = || Uuid::now_v7().to_string();
    let pending = PendingEmail { address, hash: hash.clone(), language, unsubscribe: token() };
    assert!(store.set_pending_email(account, session, pending, now_ms).await.expect("stored"));
    let confirmed = store.confirm_email(account, hash, token(), now_ms).await.expect("stored");
    assert!(confirmed.is_some());
}

pub async fn close_account(store: &Store, account: AccountKey, now_ms: i64) {
    let session = open_session(store, account).await;
    assert!(
        store.close_account(account, session, AccountEnd::Close, now_ms).await.expect("closed")
    );
}

/// Gives the account with an id the moderator role.
pub async fn make_moderator(store: &Store, id: &str) {
    let action = ModAction::GrantAdmin;
    let done = store.moderate(id.to_owned(), action, Moderator::default(), rooms::now_ms()).await;
    assert!(done.expect("stored"));
}

/// Creates `number` rated games between two new accounts. The first account has the first side in
/// all.
pub async fn games_between(store: &Store, names: [String; 2], number: usize) -> Vec<GameRow> {
    let (creator, acceptor) =
        (register_account(store, &names[0]).await, register_account(store, &names[1]).await);
    let mut games = Vec::with_capacity(number);
    for _ in 0..number {
        let challenge = create_challenge(store, &creator, "caterpillarWar").await;
        games.push(accept_challenge(store, &challenge, acceptor.clone()).await);
    }
    games
}

pub async fn accept_challenge(store: &Store, challenge: &Challenge, acceptor: Account) -> GameRow {
    accept_challenge_at(store, challenge, acceptor, 1).await
}

/// Accepts a challenge at a time, in epoch milliseconds.
pub async fn accept_challenge_at(
    store: &Store,
    challenge: &Challenge,
    acceptor: Account,
    now_ms: i64,
) -> GameRow {
    let (choice, random_side) = (AcceptChoice::default(), Side::First);
    let accept = Acceptance {
        acceptor,
        choice,
        random_side,
        pair_rated_max: 10_000,
        games_max: 10_000,
        search: None,
        ready_check: None,
        now_ms,
    };
    match store.accept_at_once(challenge.id, accept).await.expect("a game") {
        AcceptResult::Game(game) => *game,
        AcceptResult::Seated => panic!("expected a game, not a filled seat"),
    }
}

/// Creates a rated challenge of `creator`, who takes the first side.
pub async fn create_challenge(store: &Store, creator: &Account, key: &str) -> Challenge {
    let draft = Draft { side: Some(Side::First), ..rated_draft(key, ChallengeKind::List) };
    store.create_challenge(creator.key, draft, 10, 0).await.expect("stored")
}

/// Returns a rated draft of a challenge without rating ranges.
pub fn rated_draft(key: &str, kind: ChallengeKind) -> Draft {
    let variant = variants::by_key(key).expect("variant");
    let terms = AcceptTerms {
        acceptor: Requirement::NONE,
        creator: Requirement::NONE,
        rated: true,
        expires_ms: 1_000,
        status: ChallengeStatus::Created,
    };
    Draft {
        plays: vec![GameChoice { variant, options: variant.options() }],
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

/// Returns the id under which a command of a player is logged.
pub fn command_id(row: &GameRow, side: Side, cid: Uuid) -> Option<Uuid> {
    Some(rooms::command_id(row.players[side.index()].account.key, cid))
}

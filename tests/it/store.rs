//! Store with a real file and the real writer, without a server.

use crate::support::earlier_version::open_version;
use crate::support::store_fixtures::{
    accept_challenge, close_account, create_challenge, rated_draft, register_account,
};
use sprong::play::challenge::{ChallengeKind, Ineligible, Requirement};
use sprong::play::clock::Pace;
use sprong::play::event::{Event, GameEnd, GameStatus, LoggedEvent};
use sprong::play::game::Game;
use sprong::rules::{Ending, EndingKind, Side};
use sprong::store::{
    AcceptChoice, AcceptError, Acceptance, Append, Appended, Challenge, CreateChallengeError,
    Draft, FinishError, GameChoice, GameFinish, GameRow, NewSession, RegisterError, ResultCounts,
    Seek, Store, StoreError,
};
use sqlx::{Connection, SqliteConnection};
use std::path::Path;
use tempfile::TempDir;
use uuid::Uuid;

/// Creates a rated game between two new accounts.
async fn create_game(store: &Store, names: [&str; 2]) -> GameRow {
    let acceptor = register_account(store, names[1]).await;
    let challenge = create_test_challenge(store, names[0], "caterpillarWar").await;
    accept_challenge(store, &challenge, acceptor).await
}

/// Creates a rated challenge of a new account, which plays the first side.
async fn create_test_challenge(store: &Store, name: &str, key: &str) -> Challenge {
    create_challenge(store, &register_account(store, name).await, key).await
}

pub fn move_append(game: &GameRow, seq: i64, cid: Option<Uuid>, u: &str) -> Append {
    let side = Some(if seq % 2 == 1 { Side::First } else { Side::Second });
    let event = Event::Moved { lag_ms: 0, u: u.into() };
    let logged = LoggedEvent { seq, side, at_ms: seq, event };
    Append { game: game.key, cid, logged, state: None, epoch: 0 }
}

pub async fn open_store(folder: &Path) -> Store {
    Store::open(&folder.join("sprong.db")).await.expect("store")
}

#[tokio::test]
async fn append_is_accepted_repeated_or_conflicting() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let game = create_game(&store, ["Ann", "Bob"]).await;
    let (one, two) = (Some(Uuid::now_v7()), Some(Uuid::now_v7()));
    let append = |append| store.append(append);
    assert_eq!(
        append(move_append(&game, 1, one, "h5-g5")).await.expect("answer"),
        Appended::Accepted
    );
    assert_eq!(
        append(move_append(&game, 1, two, "h5-g4")).await.expect("answer"),
        Appended::Conflict
    );
    assert_eq!(
        append(move_append(&game, 2, one, "h5-g5")).await.expect("answer"),
        Appended::Repeated(1)
    );
    assert_eq!(
        append(move_append(&game, 2, None, "a4-b4")).await.expect("answer"),
        Appended::Accepted
    );
    let log = store.events(game.key).await.expect("log");
    assert_eq!(
        log.iter().map(|(logged, cid)| (logged.seq, *cid)).collect::<Vec<_>>(),
        [(1, one), (2, None)]
    );
    store.close().await;
}

#[tokio::test]
async fn latest_time_is_of_a_heartbeat_or_a_game() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let latest_ms = async || store.latest_ms().await.expect("answer");
    assert_eq!(latest_ms().await, 0);
    store.record_heartbeat(5, 0, Vec::new()).await.expect("stored");
    assert_eq!(latest_ms().await, 5);
    let game = create_game(&store, ["Ann", "Bob"]).await;
    let created_ms = game.setup.created_ms;
    assert_eq!(latest_ms().await, created_ms.max(5));
    for (seq, u) in [(1, "h5-g5"), (2, "a4-b4")] {
        let mut append = move_append(&game, seq, None, u);
        append.logged.at_ms = created_ms + 10 * seq;
        store.append(append).await.expect("answer");
        assert_eq!(latest_ms().await, created_ms + 10 * seq);
    }
    store.record_heartbeat(created_ms + 21, 0, Vec::new()).await.expect("stored");
    assert_eq!(latest_ms().await, created_ms + 21);
    store.close().await;
}

#[tokio::test]
async fn concurrent_appends_of_a_seq_have_one_winner() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let game = create_game(&store, ["Ann", "Bob"]).await;
    for seq in 1..=200 {
        let writers = (0..4).map(|_| {
            let (store, append) =
                (store.clone(), move_append(&game, seq, Some(Uuid::now_v7()), "h5-g5"));
            tokio::spawn(async move { store.append(append).await.expect("answer") })
        });
        let mut results = Vec::new();
        for result in futures_util::future::join_all(writers).await {
            results.push(result.expect("task"));
        }
        let accepted = results.iter().filter(|result| **result == Appended::Accepted).count();
        assert_eq!(accepted, 1, "{results:?}");
    }
    assert_eq!(store.events(game.key).await.expect("log").len(), 200);
    store.close().await;
}

#[tokio::test]
async fn batched_appends_keep_games_separate() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let mut games = Vec::new();
    for n in 0..90 {
        games.push(create_game(&store, [&format!("a{n}"), &format!("b{n}")]).await);
    }
    for seq in 1..=5 {
        let all = games
            .iter()
            .map(|game| store.append(move_append(game, seq, Some(Uuid::now_v7()), "h5-g5")));
        for result in futures_util::future::join_all(all).await {
            assert_eq!(result.expect("answer"), Appended::Accepted);
        }
    }
    store.close().await;
    let store = open_store(folder.path()).await;
    for game in &games {
        assert_eq!(store.events(game.key).await.expect("log").len(), 5);
    }
    store.close().await;
}

#[tokio::test]
async fn finish_is_atomic() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let row = create_game(&store, ["Ann", "Bob"]).await;
    let end = GameEnd { status: GameStatus::Resign, winner: Some(Side::First), reason: None };
    let ended = |seq| Append {
        game: row.key,
        cid: None,
        logged: LoggedEvent { seq, side: Some(Side::Second), at_ms: 9, event: Event::Ended(end) },
        state: None,
        epoch: 0,
    };
    for (seq, u) in [(1, "h5-g5"), (2, "a4-b4")] {
        store.append(move_append(&row, seq, None, u)).await.expect("answer");
    }
    let finish = |seq| GameFinish {
        events: vec![ended(seq)],
        end,
        ending: Some(Ending::new(EndingKind::NoMove).with_side(Side::Second)),
        plies: 2,
        has_both_moved: true,
        now_ms: 9,
    };
    // The sequence number is taken: the game goes on, and no rating changes.
    let refused = store.finish_game(row.clone(), finish(2)).await;
    assert!(matches!(refused, Err(FinishError::Conflict(Appended::Conflict))));
    let variant = row.setup.variant.info.key;
    let keys = [row.players[0].account.key, row.players[1].account.key];
    assert!(store.ratings(keys[0]).await.expect("ratings").is_empty());
    let done = store.finish_game(row.clone(), finish(3)).await.expect("end");
    let diff = done.diff.expect("rated");
    let stored = store.game(&row.id).await.expect("read").expect("game");
    assert_eq!((stored.result, done.ending), (Some(done), finish(3).ending));
    for (key, diff) in keys.into_iter().zip(diff) {
        let rating = store.ratings(key).await.expect("ratings")[variant];
        assert_eq!((rating.rounded() - 1500, rating.games), (diff, 1));
    }
    // A second end conflicts, and changes no rating.
    let refused = store.finish_game(row.clone(), finish(3)).await;
    assert!(matches!(refused, Err(FinishError::Conflict(_))));
    assert_eq!(store.ratings(keys[0]).await.expect("ratings")[variant].games, 1);
    let stored = store.game(&row.id).await.expect("row").expect("game");
    assert_eq!(stored.result.map(|result| result.end), Some(end));
    let mut game = Game::new(stored.setup);
    for (logged, _) in store.events(row.key).await.expect("log") {
        game.replay(&logged).expect("log of the game");
    }
    assert_eq!(game.end(), Some(end));
    store.close().await;
}

#[tokio::test]
async fn one_of_two_ends_in_a_transaction_is_stored() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let row = create_game(&store, ["Ann", "Bob"]).await;
    for (seq, u) in [(1, "h5-g5"), (2, "a4-b4")] {
        store.append(move_append(&row, seq, None, u)).await.expect("answer");
    }
    let finish = |winner, now_ms| {
        let end = GameEnd { status: GameStatus::Resign, winner: Some(winner), reason: None };
        let event = Event::Ended(end);
        let logged = LoggedEvent { seq: 3, side: Some(Side::Second), at_ms: now_ms, event };
        let events = vec![Append { game: row.key, cid: None, logged, state: None, epoch: 0 }];
        let finish =
            GameFinish { events, end, ending: None, plies: 2, has_both_moved: true, now_ms };
        store.finish_game(row.clone(), finish)
    };
    // The writer takes the two ends together, after the heartbeat.
    let (_, one, two) = tokio::join!(
        store.record_heartbeat(5, 0, Vec::new()),
        finish(Side::First, 9),
        finish(Side::Second, 10)
    );
    assert!(one.is_ok() && matches!(two, Err(FinishError::Conflict(_))), "{one:?} {two:?}");
    let variant = row.setup.variant.info.key;
    for player in &row.players {
        let key = player.account.key;
        assert_eq!(store.ratings(key).await.expect("ratings")[variant].games, 1);
        let counts = store.result_counts(key).await.expect("counts");
        assert_eq!(counts.iter().map(ResultCounts::games).sum::<i64>(), 1);
    }
    store.close().await;
}

#[tokio::test]
async fn second_server_cannot_open_the_database() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let second = Store::open(&folder.path().join("sprong.db")).await;
    assert!(matches!(second, Err(StoreError::Lock(..))), "{second:?}");
    store.close().await;
    open_store(folder.path()).await.close().await;
}

#[tokio::test]
async fn write_after_close_is_refused() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    store.record_heartbeat(5, 0, Vec::new()).await.expect("stored");
    store.close().await;
    assert!(matches!(
        store.record_heartbeat(6, 0, Vec::new()).await,
        Err(StoreError::NotCommitted)
    ));
    let store = open_store(folder.path()).await;
    assert_eq!(store.last_heartbeat_ms().await.expect("time"), 5);
    store.close().await;
}

/// After migration of a first-version database, open challenges have a commitment, games in play
/// keep their start without one, results are counted, and confusable names are refused.
#[tokio::test]
async fn first_version_database_is_migrated() {
    let folder = TempDir::new().expect("folder");
    let old = database_of_version(&folder.path().join("sprong.db"), 1).await;
    old.close().await.expect("closed");

    let store = open_store(folder.path()).await;
    let id = |text: &str| text.parse().expect("id");
    let stored = store.game(&id("LiveGame")).await.expect("read").expect("game");
    assert_eq!(
        (stored.setup.seed, stored.fair_start(true), stored.setup.pace),
        (77, None, Pace::Unlimited)
    );
    let open_one = store.challenge(&id("OpenChal")).await.expect("read").expect("challenge");
    assert_eq!(
        (open_one.draft.kind, open_one.draft.paces[0].to_string()),
        (ChallengeKind::List, "300+3".into())
    );
    assert!(open_one.committed_seed.seed < 1 << 53 && open_one.committed_seed.salt.len() == 16);
    let dan = register_account(&store, "Dan").await;
    let committed = open_one.committed_seed.clone();
    let game = accept_challenge(&store, &open_one, dan).await;
    assert_eq!(game.fair_start(false), Some(committed.commit()));
    assert_eq!(game.fair_start(true), Some(committed.reveal()));

    let ann = store.account("ann1").await.expect("read").expect("Ann");
    let bob = store.account("bob").await.expect("read").expect("Bob");
    let tally = store.result_counts(ann.key).await.expect("tally");
    let counted: Vec<_> = tally.iter().map(|t| (t.rated, t.wins, t.losses, t.draws)).collect();
    assert_eq!(counted, [(true, 1, 0, 0)]);
    assert_eq!(store.head_to_head(bob.key, ann.key).await.expect("pair")[0].losses, 1);
    let history = store.rating_history(ann.key).await.expect("history");
    assert_eq!((history.len(), history[0].rating, history[0].rd), (1, 1662.0, 290.0));
    let over = store.game(&id("OverGame")).await.expect("read").expect("game");
    assert_eq!(over.plies, Some(2));
    assert_eq!(over.result.expect("result").ending, None);
    let names = ("annl".to_owned(), "Annl".to_owned());
    let opening = NewSession {
        hash: vec![1],
        id: String::new(),
        agent: String::new(),
        network: String::new(),
        device: Vec::new(),
        now_ms: 0,
    };
    let alike = store.register(None, names, "hash".to_owned(), opening).await;
    assert!(matches!(alike, Err(RegisterError::NameConfusable)));
    store.close().await;
}

/// An account is closed while it accepts a challenge.
#[tokio::test]
async fn closed_account_cannot_accept() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let (creator, acceptor) =
        (register_account(&store, "Ann").await, register_account(&store, "Bob").await);
    close_account(&store, acceptor.key, 1).await;
    for kind in [ChallengeKind::List, ChallengeKind::Open] {
        let draft = rated_draft("hogga", kind);
        let created = store.create_challenge(creator.key, draft, 10, 0).await.expect("stored");
        let id = created.id;
        let (choice, acceptor) = (AcceptChoice::default(), acceptor.clone());
        let accept = Acceptance {
            acceptor,
            choice,
            random_side: Side::First,
            pair_rated_max: 10,
            games_max: 10,
            search: None,
            ready_check: None,
            now_ms: 1,
        };
        let refused = store.accept_at_once(id, accept).await;
        let is_canceled = matches!(refused, Err(AcceptError::Ineligible(Ineligible::Canceled, 0)));
        assert!(is_canceled, "{kind:?}");
    }
    store.close().await;
}

#[tokio::test]
async fn no_ids_have_no_games() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    create_game(&store, ["Ann", "Bob"]).await;
    assert!(store.games_by_ids(&[]).await.expect("games").is_empty());
    store.close().await;
}

/// The limit holds for acceptances at the same time and in seeks.
#[tokio::test]
async fn games_in_progress_of_an_acceptor_are_limited() {
    const GAMES_MAX: i64 = 2;
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let (creator, acceptor) =
        (register_account(&store, "Ann").await, register_account(&store, "Bob").await);
    let accept = Acceptance {
        acceptor,
        choice: AcceptChoice::default(),
        random_side: Side::First,
        pair_rated_max: 10,
        games_max: GAMES_MAX,
        search: None,
        ready_check: None,
        now_ms: 1,
    };
    let mut acceptances = Vec::new();
    for _ in 0..5 {
        let draft = rated_draft("hogga", ChallengeKind::List);
        let created = store.create_challenge(creator.key, draft, 10, 0).await.expect("stored");
        acceptances.push(store.accept_at_once(created.id, accept.clone()));
    }
    let outcomes = futures_util::future::join_all(acceptances).await;
    let accepted = outcomes.iter().filter(|outcome| outcome.is_ok()).count();
    assert_eq!(accepted as i64, GAMES_MAX);
    for outcome in outcomes {
        assert!(matches!(outcome, Ok(_) | Err(AcceptError::TooManyGames)), "{outcome:?}");
    }
    let draft = || Draft { program: true, ..rated_draft("hogga", ChallengeKind::Seek) };
    let other = register_account(&store, "Cid").await;
    let waiting = Acceptance { acceptor: other, ..accept.clone() };
    let seek = Seek { draft: draft(), accept: waiting, open_max: 10.into() };
    let (waiting, _) = store.seek(seek).await.expect("a waiting seek");
    let refused = store.seek(Seek { draft: draft(), accept: accept.clone(), open_max: 10.into() });
    assert!(matches!(refused.await, Err(CreateChallengeError::TooManyGames)));
    let accept = Acceptance { games_max: GAMES_MAX + 1, ..accept };
    let seek = Seek { draft: draft(), accept, open_max: 10.into() };
    let (matched, game) = store.seek(seek).await.expect("a game");
    assert_eq!((matched.id, game.is_some()), (waiting.id, true));
    store.close().await;
}

/// Returns the database of the first version with its rows, migrated to a later version.
async fn database_of_version(path: &Path, version: i64) -> SqliteConnection {
    let mut first = open_version(path, 1).await;
    sqlx::raw_sql(include_str!("first-version.sql")).execute(&mut first).await.expect("rows");
    first.close().await.expect("closed");
    open_version(path, version).await
}

/// In the fifth version a range bound one of the players or both.
#[tokio::test]
async fn migrated_ranges_bind_the_same_players() {
    let any = Requirement::NONE;
    let requirement = Requirement {
        range: "1400-".parse().expect("a valid range"),
        provisional: false,
        bots: true,
    };
    for (bound, acceptor, creator) in [
        ("acceptor", requirement, any),
        ("maker", any, requirement),
        ("both", requirement, requirement),
    ] {
        let folder = TempDir::new().expect("folder");
        let path = folder.path().join("sprong.db");
        let mut old = database_of_version(&path, 5).await;
        let update = "UPDATE challenge SET bound = ?, provisional = 0 WHERE id = 'OpenChal'";
        sqlx::query(update).bind(bound).execute(&mut old).await.expect("update");
        old.close().await.expect("closed");
        let store = open_store(folder.path()).await;
        let id = "OpenChal".parse().expect("id");
        let stored = store.challenge(&id).await.expect("read").expect("challenge");
        let terms = stored.draft.terms;
        assert_eq!((terms.acceptor, terms.creator), (acceptor, creator), "{bound}");
        store.close().await;
    }
}

/// In the eighth version, terms were delimited text. Damaged terms are invalid as before and do not
/// stop the migration.
#[tokio::test]
async fn migrated_terms_are_the_same() {
    let folder = TempDir::new().expect("folder");
    let path = folder.path().join("sprong.db");
    let mut old = database_of_version(&path, 8).await;
    let cases = [
        (
            "Several1",
            "plays = 'hogga;knightFight doubles=must;hogga', paces = '300+3 3d unlimited'",
        ),
        ("Relative", "maker_range = '-100..+200', maker_provisional = 0, side = 'second'"),
        ("PerMove1", "initial_ms = NULL, increment_ms = NULL, days = 3"),
        ("NoClock1", "initial_ms = NULL, increment_ms = NULL"),
        ("Damaged1", "range = 'non\"sense'"),
        ("Damaged2", "plays = 'hog\\ga x=y=z;;'"),
        ("Damaged3", "paces = '300+3  \"'"),
    ];
    for (id, change) in cases {
        let copy = format!(
            "CREATE TEMP TABLE copy AS SELECT * FROM challenge WHERE id = 'OpenChal';
             UPDATE copy SET key = CAST('{id}--------' AS BLOB), id = '{id}', {change};
             INSERT INTO challenge SELECT * FROM copy;
             DROP TABLE copy;"
        );
        sqlx::raw_sql(sqlx::AssertSqlSafe(copy)).execute(&mut old).await.expect("a copy");
    }
    old.close().await.expect("closed");
    let store = open_store(folder.path()).await;
    let ann = store.account("ann1").await.expect("read").expect("Ann").key;
    let found = store.open_challenges_of(ann, 10).await.expect("read");
    let mut terms: Vec<String> = found.iter().map(terms_text).collect();
    terms.sort();
    assert_eq!(
        terms,
        [
            "NoClock1: knightFight doubles=may at unlimited, None, 1400- true,  true",
            "OpenChal: knightFight doubles=may at 300+3, None, 1400- true,  true",
            "PerMove1: knightFight doubles=may at 3d, None, 1400- true,  true",
            "Relative: knightFight doubles=may at 300+3, Some(Second), 1400- true, -100..+200 false",
            "Several1: hogga points=false, knightFight doubles=must, hogga points=false at 300+3, 3d, \
             unlimited, None, 1400- true,  true",
        ]
    );
    for id in ["Damaged1", "Damaged2", "Damaged3"] {
        let read = store.challenge(&id.parse().expect("id")).await;
        assert!(matches!(read, Err(StoreError::InvalidRow(_))), "{id}: {read:?}");
    }
    store.close().await;
}

/// Returns the terms of a challenge on one line.
fn terms_text(challenge: &Challenge) -> String {
    let draft = &challenge.draft;
    let play = |choice: &GameChoice| {
        format!("{} {}", choice.variant.info.key, choice.options).trim_end().to_owned()
    };
    let plays: Vec<_> = draft.plays.iter().map(play).collect();
    let paces: Vec<_> = draft.paces.iter().map(ToString::to_string).collect();
    let requirement = |side: Requirement| format!("{} {}", side.range, side.provisional);
    format!(
        "{}: {} at {}, {:?}, {}, {}",
        challenge.id,
        plays.join(", "),
        paces.join(", "),
        draft.side,
        requirement(draft.terms.acceptor),
        requirement(draft.terms.creator)
    )
}

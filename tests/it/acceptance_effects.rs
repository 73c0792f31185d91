//! Other rows that an acceptance depends on and changes: ready checks of the challenge, and rematch
//! offers of the players.

use super::store::open_store;
use crate::support::store_fixtures::{
    accept_challenge_at, create_challenge, rated_draft, register_three,
};
use sprong::play::challenge::{ChallengeKind, ChallengeStatus, Ineligible};
use sprong::play::clock::{Pace, TimeControl};
use sprong::rules::Side;
use sprong::store::{
    AcceptChoice, AcceptError, AcceptResult, Acceptance, Account, Change, Draft, NewReadyCheck,
    PublicId, RematchEnd, Store,
};
use tempfile::TempDir;
use uuid::Uuid;

fn acceptance(acceptor: &Account, ready_check: Option<Uuid>, now_ms: i64) -> Acceptance {
    Acceptance {
        acceptor: acceptor.clone(),
        choice: AcceptChoice::default(),
        random_side: Side::First,
        pair_rated_max: 10_000,
        games_max: 10_000,
        search: None,
        ready_check,
        now_ms,
    }
}

#[tokio::test]
async fn reserved_challenge_is_for_its_acceptor() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    let [ann, bob, eve] = register_three(&store).await;
    let challenge = create_challenge(&store, &ann, "hogga").await.id;
    let check = |number| NewReadyCheck {
        challenge,
        number,
        waiting_player: ann.key,
        acceptor: bob.key,
        choice: AcceptChoice::default(),
        search: None,
        network: None,
        ready_by_ms: 100,
    };
    let [number, later] = [Uuid::now_v7(), Uuid::now_v7()];
    store.begin_ready_check(check(number), 10).await.expect("begun");
    let of_eve = NewReadyCheck { acceptor: eve.key, ..check(Uuid::now_v7()) };
    let is_taken = |error| matches!(error, AcceptError::Ineligible(Ineligible::Taken, _));
    let begun = store.begin_ready_check(of_eve, 20).await;
    assert!(is_taken(begun.expect_err("the challenge has a check")));
    let accepted = store.accept_at_once(challenge, acceptance(&eve, None, 20)).await;
    assert!(is_taken(accepted.expect_err("reserved for Bob")));
    // The same acceptor begins anew, and has withdrawn from the first check.
    let withdrawn = store.begin_ready_check(check(later), 30).await.expect("begun");
    assert_eq!(withdrawn, [number]);
    for (number, now_ms) in [(number, 40), (later, 100)] {
        let accepted =
            store.accept_at_once(challenge, acceptance(&bob, Some(number), now_ms)).await;
        let error = accepted.expect_err("the first check has ended, the second is too late");
        assert!(matches!(error, AcceptError::ReadyCheckOver), "{error}");
    }
    let accepted = store.accept_at_once(challenge, acceptance(&bob, Some(later), 99)).await;
    assert!(matches!(accepted, Ok(AcceptResult::Game(_))));
    // The acceptor can accept again, a late check binds nobody, and another one can follow it.
    for (acceptor, now_ms) in [(&bob, 50), (&eve, 100)] {
        let challenge = create_challenge(&store, &ann, "hogga").await.id;
        let new = NewReadyCheck { challenge, ..check(Uuid::now_v7()) };
        store.begin_ready_check(new, 10).await.expect("begun");
        if acceptor.key == eve.key {
            let next = NewReadyCheck { challenge, acceptor: eve.key, ..check(Uuid::now_v7()) };
            let next = NewReadyCheck { ready_by_ms: 200, ..next };
            let withdrawn = store.begin_ready_check(next, now_ms).await.expect("begun");
            assert_eq!(withdrawn.len(), 0, "the check before was late");
        }
        let accepted = store.accept_at_once(challenge, acceptance(acceptor, None, now_ms)).await;
        assert!(matches!(accepted, Ok(AcceptResult::Game(_))));
    }
    store.close().await;
}

/// Creates a rematch offer with a clock, and returns its id.
async fn offer_rematch(store: &Store, from: &Account, to: &Account, game: PublicId) -> PublicId {
    let draft = Draft {
        dest: Some(to.clone()),
        rematch_of: Some(game),
        paces: vec![Pace::Clock(TimeControl::new(300_000, 0).expect("time"))],
        ..rated_draft("hogga", ChallengeKind::Rematch)
    };
    store.create_rematch(from.key, draft, None, None, 1).await.expect("stored").id
}

/// Begins a game with a clock. Returns the rematch offers that it ends.
async fn ended_by_game(store: &Store, players: [&Account; 2]) -> Vec<(PublicId, RematchEnd)> {
    let mut committed = store.subscribe_to_changes().committed;
    let draft = Draft {
        paces: vec![Pace::Clock(TimeControl::new(300_000, 0).expect("time"))],
        ..rated_draft("hogga", ChallengeKind::List)
    };
    let created = store.create_challenge(players[0].key, draft, 10, 1);
    let accepting = async {
        let challenge = created.await.expect("stored");
        accept_challenge_at(store, &challenge, players[1].clone(), 2).await;
    };
    // Writers wait for this subscriber, until it is dropped at the begin of the game.
    let handling = async move {
        let mut ended = Vec::new();
        while let Some(committed) = committed.recv().await {
            for change in &committed.changes {
                match change {
                    Change::RematchEnded(id, cause) => ended.push((*id, *cause)),
                    Change::GameBegun { .. } => return ended,
                    _ => {}
                }
            }
        }
        ended
    };
    tokio::join!(accepting, handling).1
}

#[tokio::test]
async fn game_with_a_clock_ends_other_rematch_offers() {
    let folder = TempDir::new().expect("folder");
    let store = open_store(folder.path()).await;
    store.ensure_engine_accounts(0).await.expect("stored");
    let engine = store.engine_account(1).await.expect("read").expect("a computer player");
    let [ann, bob, eve] = register_three(&store).await;
    let mut before = Vec::new();
    for _ in 0..2 {
        let challenge = create_challenge(&store, &ann, "hogga").await;
        before.push(accept_challenge_at(&store, &challenge, bob.clone(), 1).await.id);
    }
    let to_engine = offer_rematch(&store, &ann, &engine, before[0]).await;
    let to_bob = offer_rematch(&store, &ann, &bob, before[1]).await;
    assert_eq!(ended_by_game(&store, [&eve, &engine]).await, [], "neither is of Eve");
    let cause = RematchEnd::OtherGame(bob.key);
    assert_eq!(ended_by_game(&store, [&eve, &bob]).await, [(to_bob, cause)]);
    for (id, status) in [(to_engine, ChallengeStatus::Created), (to_bob, ChallengeStatus::Canceled)]
    {
        let stored = store.challenge(&id).await.expect("read").expect("challenge");
        assert_eq!(stored.draft.terms.status, status);
    }
    store.close().await;
}

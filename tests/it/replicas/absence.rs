//! Consequences of an absence: none for players with a connection to another node.

use super::presence::{Nodes, soon};
use super::{Node, blitz, new_game};
use crate::support::client::wait_until;
use crate::support::fault_injection::run_sql;
use sprong::play::challenge::ChallengeStatus;
use sprong::play::command::{Command, Refusal};
use sprong::rooms::{
    CommandError, Location, RematchMode, RematchOptions, RematchOutcome, RematchRequest,
    RequestError, RoomMessage, Rooms, now_ms,
};
use sprong::rules::Side;
use sprong::store::{GameRow, NodePresence, PresenceKey, PublicId};

pub async fn send(
    rooms: &Rooms,
    row: &GameRow,
    side: Side,
    command: Command,
) -> Result<i64, RequestError> {
    let account = row.players[side.index()].account.key;
    let message = |reply| RoomMessage::Command { account, command, cid: None, reply };
    rooms.request(&row.id, message).await
}

pub async fn make_first_moves(rooms: &Rooms, row: &GameRow) {
    for (side, u) in [(Side::First, "h5-g5"), (Side::Second, "a4-b4")] {
        let command = Command::Move { u: u.into(), ply: None, lag_ms: 0 };
        send(rooms, row, side, command).await.expect("a move");
    }
}

fn assert_not_gone(answer: Result<i64, RequestError>) {
    match answer {
        Err(RequestError::Command(CommandError::Refused(Refusal::NotGone))) => {}
        answer => panic!("{answer:?} in place of a refusal"),
    }
}

#[tokio::test]
async fn player_at_a_node_that_has_just_started_is_present() {
    let all = Nodes::start(&["--claim-after-ms", "600"]).await;
    let [one, _] = all.rooms();
    let players = [all.accounts[0].clone(), all.accounts[1].clone()];
    let row = new_game(&all.store, &players, blitz()).await;
    make_first_moves(&one, &row).await;
    wait_until("the opponent is not absent", async || {
        let claim_ms = one.snapshot(&row.id).await.expect("snapshot").status.claim_ms[1];
        claim_ms.is_some_and(|claim_ms| claim_ms <= now_ms())
    })
    .await;
    let started = all.store.as_other_node();
    started.record_heartbeat(now_ms(), 0, Vec::new()).await.expect("stored");
    let place = Location::Game(row.id).to_string();
    let presence = NodePresence::Account(players[1].key, [place].into());
    started.record_presence(vec![presence]).await.expect("stored");
    assert_not_gone(send(&one, &row, Side::First, Command::ClaimWin).await);
    all.stop().await;
}

#[tokio::test]
async fn game_of_a_player_at_another_node_cannot_be_claimed() {
    let mut all = Nodes::start(&["--claim-after-ms", "600"]).await;
    let [one, _] = all.rooms();
    let players = [all.accounts[0].clone(), all.accounts[1].clone()];
    let row = new_game(&all.store, &players, blitz()).await;
    make_first_moves(&one, &row).await;
    let key = PresenceKey::Account(players[1].key);
    let claim_ms = async || one.snapshot(&row.id).await.expect("snapshot").status.claim_ms[1];
    let is_claimable = async || claim_ms().await.is_some_and(|claim_ms| claim_ms <= now_ms());
    // The first node gets no hint of this connection, but it may read all rows at any time.
    let opponent = loop {
        wait_until("the opponent is not absent", is_claimable).await;
        let opponent = all.connect(1, 1, Location::Game(row.id));
        wait_until("the presence is not stored", async || all.is_stored(key).await).await;
        if is_claimable().await {
            break opponent;
        }
        drop(opponent);
        wait_until("the presence is not removed", async || !all.is_stored(key).await).await;
        one.catch_up();
    };
    assert_not_gone(send(&one, &row, Side::First, Command::ClaimWin).await);
    assert_eq!(claim_ms().await, None, "the room has read the presence");
    drop(opponent);
    wait_until("the opponent is not absent", async || {
        all.pass_hints(&[&one]);
        is_claimable().await
    })
    .await;
    // An absence that cannot be read does not count.
    let database = all.folder.path().join("sprong.db");
    run_sql(&database, "ALTER TABLE presence RENAME TO hidden").await;
    assert_not_gone(send(&one, &row, Side::First, Command::ClaimWin).await);
    run_sql(&database, "ALTER TABLE hidden RENAME TO presence").await;
    wait_until("the claim is refused", async || {
        send(&one, &row, Side::First, Command::ClaimWin).await.is_ok()
    })
    .await;
    all.stop().await;
}

/// Ends a game, and offers a rematch for its first player on a node.
async fn offer_rematch(rooms: &Rooms, row: &GameRow) -> PublicId {
    let player = row.players[0].account.clone();
    make_first_moves(rooms, row).await;
    send(rooms, row, Side::First, Command::Resign).await.expect("a resignation");
    let request = RematchRequest::Play(RematchMode::Same, RematchOptions::default());
    match rooms.rematch(row.id, player, request).await.expect("stored") {
        RematchOutcome::Offered(offer) => offer,
        outcome => panic!("{outcome:?} in place of an offer"),
    }
}

#[tokio::test]
async fn rematch_offer_lasts_while_both_players_are_at_another_node() {
    let flags = &["--rematch-absence-ms", "300"];
    let mut all = Nodes::start(flags).await;
    let [one, _] = all.rooms();
    let [ann, bob, eve] = all.accounts.clone();
    let row = new_game(&all.store, &[ann, bob.clone()], blitz()).await;
    let control = new_game(&all.store, &[bob, eve], blitz()).await;
    let [_offerer, addressee] =
        [0, 1].map(|account| all.connect(1, account, Location::Game(row.id)));
    wait_until("the presence is not stored", async || {
        let rows = all.store.presence().await.expect("read");
        [0, 1].into_iter().all(|at| rows.accounts.contains_key(&all.accounts[at].key))
    })
    .await;
    let store = all.store.clone();
    let is_open = async |offer: PublicId| {
        let offer = store.challenge(&offer).await.expect("read").expect("offer");
        offer.draft.terms.status == ChallengeStatus::Created
    };
    let offer = offer_rematch(&one, &row).await;
    // It watches the offer, too.
    let started = Node::with_flags(&all.store, flags).rooms;
    started.resume().await.expect("resumed");
    let later = offer_rematch(&one, &control).await;
    wait_until("absent players keep an offer", async || !is_open(later).await).await;
    assert!(is_open(offer).await, "both players are there");
    drop(addressee);
    soon("the offer stays", async || {
        all.pass_hints(&[&one, &started]);
        !is_open(offer).await
    })
    .await;
    started.stop().await;
    all.stop().await;
}

//! Committed changes of the store, as the connections of this node learn of them.
//!
//! One task handles the changes in the order of their commits, but for those of tasks that were
//! executed at the same time on PostgreSQL, and those of this node before others: it brings the
//! tables of ready checks and searches up to date, and sends events to accounts and to the lobby.
//! Transactions announce changes; those of a game in progress are events of its room. The task only
//! reads: the writers of the changes wait for it. Caller: `Rooms`.

mod turns;

use super::opponent_search::types::OpponentSearch;
use super::presence::user_event::UserEvent;
use super::ready_check::types::ReadyCheck;
use super::room::message::RoomMessage;
use super::room::replica::Hint;
use super::{RoomInbox, Rooms, now_ms};
use crate::play::challenge::ChallengeStatus;
use crate::store::{
    AccountKey, Challenge, Change, ChangeSubscription, CommittedChanges, GameRow, PublicId,
    ReadyCheckOutcome, RematchEnd, StoreError,
};
use futures_util::FutureExt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;
use uuid::Uuid;

/// Time after which a change is announced again that could not be read.
const RETRY_INTERVAL: Duration = Duration::from_secs(1);

impl Rooms {
    /// Handles changes from now on, until the store or the rooms are dropped: one at a time, so
    /// that a state that was read is not announced after a later one.
    pub(super) fn follow_changes(&self, changes: ChangeSubscription) {
        self.follow_turns();
        let (mut own, mut remote) = (changes.committed, changes.remote);
        let inner = Arc::downgrade(&self.inner);
        tokio::spawn(async move {
            loop {
                let committed = tokio::select! {
                    biased;
                    committed = own.recv() => committed,
                    Some(committed) = remote.recv() => Some(committed),
                };
                let (Some(committed), Some(inner)) = (committed, inner.upgrade()) else { return };
                Rooms { inner }.handle_changes(&committed).await;
            }
        });
    }

    async fn handle_changes(&self, committed: &CommittedChanges) {
        if committed.is_new && !committed.changes.is_empty() {
            self.inner.peers.send(|| Hint::Changes);
        }
        for change in &committed.changes {
            // A defect in one event must not end all later ones.
            match AssertUnwindSafe(self.handle_change(change)).catch_unwind().await {
                Ok(Ok(())) => {}
                Ok(Err(error)) => self.retry_change(change, &error),
                Err(_) => tracing::error!("Panic in the handler of a change"),
            }
        }
    }

    /// Logs that the handler of a change has failed, and announces the change again later if it may
    /// succeed then.
    fn retry_change(&self, change: &Change, error: &StoreError) {
        tracing::error!(%error, "Failed to announce a change");
        if !error.may_pass() {
            return;
        }
        let (rooms, change) = (self.clone(), change.clone());
        self.inner.tasks.spawn(async move {
            if rooms.sleep_unless_stopped(RETRY_INTERVAL).await {
                rooms.store().announce(change);
            }
        });
    }

    async fn handle_change(&self, change: &Change) -> Result<(), StoreError> {
        match change {
            Change::Challenge(id, None) => self.read_challenge(id, None).await,
            // A later commit of another lane may have been handled before.
            Change::Challenge(id, Some(_)) if self.store().has_exchange() => {
                self.read_challenge(id, None).await
            }
            Change::Challenge(_, Some(challenge)) => {
                self.announce_challenge(challenge.clone(), None);
                Ok(())
            }
            Change::RematchEnded(id, cause) => self.read_challenge(id, Some(*cause)).await,
            Change::SeatLost(account, id) => {
                if let Some(challenge) = self.store().challenge(id).await? {
                    self.notify(*account, UserEvent::SeatLost(Arc::new(challenge)));
                }
                Ok(())
            }
            Change::ReadyCheckBegun(challenge, number) => {
                self.add_ready_check(challenge, *number).await
            }
            Change::ReadyCheckEnded(challenge, number, outcome) => {
                self.remove_ready_check(challenge, *outcome, |check| check.number == *number);
                Ok(())
            }
            Change::GameBegun { game, row, challenge, rematch_of } => {
                if let Some(before) = rematch_of {
                    self.announce_next_game(before, *game);
                }
                // The challenge may stay open for other games.
                self.remove_ready_check(challenge, ReadyCheckOutcome::Withdrawn, |_| true);
                if row.is_none() {
                    self.open_room_of_other_node(*game);
                }
                if let Some(row) = self.row_of_change(game, row.as_ref()).await? {
                    self.notify_players(&row, &UserEvent::GameStarted(row.clone(), *challenge));
                }
                Ok(())
            }
            Change::GameOver(game, row) => {
                self.lobby().remove(*game);
                if let Some(row) = self.row_of_change(game, row.as_ref()).await? {
                    self.announce_game_over(&row);
                }
                Ok(())
            }
            Change::SignedOut(account, session) => {
                self.announce_sign_out(*account, session.clone());
                Ok(())
            }
            Change::Renamed(account) => {
                self.announce_name(*account);
                Ok(())
            }
            Change::ChatRemoved(game) => {
                self.reload_chat(game);
                Ok(())
            }
            Change::UpgradedToBot(account) => {
                self.user_hub().mark_as_bot(*account);
                Ok(())
            }
            Change::BlocksChanged(account) => {
                self.notify(*account, UserEvent::BlocksChanged);
                Ok(())
            }
            Change::PresenceHidden(account) => self.read_hidden(*account).await,
        }
    }

    /// Returns the row of a game that has changed, and reads it if another node has changed it.
    async fn row_of_change(
        &self,
        game: &PublicId,
        row: Option<&Arc<GameRow>>,
    ) -> Result<Option<Arc<GameRow>>, StoreError> {
        match row {
            Some(row) => Ok(Some(row.clone())),
            None => Ok(self.store().game(game).await?.map(Arc::new)),
        }
    }

    fn announce_game_over(&self, row: &Arc<GameRow>) {
        self.notify_players(row, &UserEvent::GameFinished(row.clone()));
        if row.result.is_some_and(|result| result.diff.is_some()) {
            self.announce_ratings(row.player_keys());
        }
    }

    fn notify(&self, account: AccountKey, event: UserEvent) {
        self.user_hub().notify(account, event);
    }

    /// Ends the connections of a session, or all connections of the account if `session` is `None`.
    pub(super) fn announce_sign_out(&self, account: AccountKey, session: Option<Vec<u8>>) {
        self.notify(account, UserEvent::SignedOut(session.map(Arc::new)));
    }

    /// Informs the players of a game, also of their turns if it has no clock.
    fn notify_players(&self, row: &GameRow, event: &UserEvent) {
        let players = row.player_keys();
        if row.setup.pace.clock().is_none() && !row.is_against_engine() {
            self.inner.turns.add(players);
        }
        players.into_iter().for_each(|player| self.notify(player, event.clone()));
    }

    async fn read_challenge(
        &self,
        id: &PublicId,
        cause: Option<RematchEnd>,
    ) -> Result<(), StoreError> {
        if let Some(challenge) = self.store().challenge(id).await? {
            self.announce_challenge(Arc::new(challenge), cause);
        }
        Ok(())
    }

    /// Announces the state of a challenge; `cause` is that of the end of a rematch offer.
    fn announce_challenge(&self, challenge: Arc<Challenge>, cause: Option<RematchEnd>) {
        if challenge.draft.terms.status == ChallengeStatus::Created {
            return self.announce_open(challenge);
        }
        if let Some(cause) = cause {
            self.notify_participants(&challenge, UserEvent::RematchEnded(challenge.clone(), cause));
        }
        self.remove_ready_check(&challenge.id, ReadyCheckOutcome::Withdrawn, |_| true);
        self.announce_search_over(&challenge);
        if challenge.draft.kind.is_public() {
            self.lobby().announce_unavailable(challenge.id, challenge.draft.terms.status);
        }
        self.notify_participants(&challenge, UserEvent::ChallengeGone(challenge.clone()));
    }

    fn announce_open(&self, challenge: Arc<Challenge>) {
        let is_to_engine = challenge.draft.dest.as_ref().is_some_and(|dest| dest.level.is_some());
        if challenge.draft.kind.is_public() {
            self.lobby().announce_challenge(challenge);
        } else if !is_to_engine {
            // A computer player answers at once.
            self.notify_participants(&challenge, UserEvent::Challenge(challenge.clone()));
        }
    }

    /// Notifies the creator, the recipient and the seated player of a challenge, and the guests who
    /// have asked for a casual game.
    fn notify_participants(&self, challenge: &Challenge, event: UserEvent) {
        let dest = challenge.draft.dest.as_ref().map(|dest| dest.key);
        let seated = challenge.seated.as_ref().map(|seated| seated.account.key);
        let mut recipients = vec![challenge.creator.key];
        let guests = challenge.casual_requests.iter().map(|request| request.account.key);
        for key in dest.into_iter().chain(seated).chain(guests) {
            if !recipients.contains(&key) {
                recipients.push(key);
            }
        }
        recipients.into_iter().for_each(|key| self.notify(key, event.clone()));
    }

    /// Lets the open room of a voided game show it, and announces the ratings of both players.
    pub(super) async fn announce_void(&self, game: &PublicId) -> Result<(), StoreError> {
        let id = *game;
        self.send_twice(
            || RoomMessage::Voided,
            move |rooms| rooms.registry().get(&id).cloned().into_iter().collect(),
        );
        if let Some(row) = self.store().game(game).await? {
            self.announce_ratings(row.player_keys());
        }
        Ok(())
    }

    /// Announces changed ratings: notifies both players, and announces their open challenges again,
    /// because relative rating ranges depend on them.
    fn announce_ratings(&self, players: [AccountKey; 2]) {
        players.into_iter().for_each(|player| self.notify(player, UserEvent::RatingsChanged));
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            while let Err(error) = rooms.store().announce_open_challenges_of(players).await {
                tracing::error!(%error, "Failed to load open challenges");
                if !error.may_pass() || !rooms.sleep_unless_stopped(RETRY_INTERVAL).await {
                    return;
                }
            }
        });
    }

    /// Informs the connections of an account of a warning.
    pub(super) fn announce_warning(&self, account: AccountKey) {
        self.notify(account, UserEvent::Warned);
    }

    /// Lets the connections of an account with a new name reconnect, and open rooms show it.
    pub(super) fn announce_name(&self, account: AccountKey) {
        self.notify(account, UserEvent::Renamed);
        self.send_twice(
            move || RoomMessage::Renamed(account),
            |rooms| rooms.registry().inboxes().into_iter().map(|(_, inbox)| inbox).collect(),
        );
    }

    /// Lets the room of a game read its log again, if it is open.
    fn reload_chat(&self, game: &PublicId) {
        let game = *game;
        self.send_twice(
            || RoomMessage::ChatChanged,
            move |rooms| rooms.registry().get(&game).cloned().into_iter().collect(),
        );
    }

    /// Sends a message about a change of the store to open rooms, and once more later: a room that
    /// opens meanwhile may have read the store before the change.
    fn send_twice(
        &self,
        message: impl Fn() -> RoomMessage + Send + 'static,
        open_rooms: impl Fn(&Rooms) -> Vec<RoomInbox> + Send + 'static,
    ) {
        let rooms = self.clone();
        self.inner.tasks.spawn(async move {
            for _ in 0..2 {
                for inbox in open_rooms(&rooms) {
                    let _ = inbox.send(Box::new(message())).await;
                }
                if !rooms.sleep_unless_stopped(RETRY_INTERVAL).await {
                    return;
                }
            }
        });
    }

    /// Announces the next game to the clients of the previous one. Best effort: neither opens a
    /// closed room nor waits for space in its inbox.
    fn announce_next_game(&self, before: &PublicId, next: PublicId) {
        if let Some(inbox) = self.registry().get(before) {
            let _ = inbox.try_send(Box::new(RoomMessage::NextGame(next)));
        }
    }

    async fn add_ready_check(&self, challenge: &PublicId, number: Uuid) -> Result<(), StoreError> {
        // It may have ended again.
        let Some(mut stored) = self.store().ready_check(challenge, number).await? else {
            return Ok(());
        };
        // The wall clock may have been set back since a check of an earlier process began.
        let latest_ms = now_ms() + self.inner.settings.ready_timeout.as_millis() as i64;
        stored.ready_by_ms = stored.ready_by_ms.min(latest_ms);
        let check = Arc::new(ReadyCheck::from_store(stored));
        self.ready_checks().insert(*challenge, check.clone());
        self.unasked_checks().remove(&number);
        self.watch_ready_check(&check);
        self.notify(check.waiting_player.key, UserEvent::ReadyCheck(check));
        Ok(())
    }

    /// Removes a check from the table that is not stored any more.
    pub(super) fn forget_ready_check(&self, check: &ReadyCheck) {
        let outcome = ReadyCheckOutcome::TimedOut;
        self.remove_ready_check(&check.challenge.id, outcome, |current| current.is_same(check));
    }

    /// Removes the check of a challenge if it satisfies `is_target`, and notifies both players.
    fn remove_ready_check(
        &self,
        challenge: &PublicId,
        outcome: ReadyCheckOutcome,
        is_target: impl FnOnce(&ReadyCheck) -> bool,
    ) {
        let check = {
            let mut checks = self.ready_checks();
            if !checks.get(challenge).is_some_and(|check| is_target(check)) {
                return;
            }
            checks.remove(challenge)
        };
        let Some(check) = check else { return };
        for account in [check.waiting_player.key, check.acceptance.acceptor.key] {
            self.notify(account, UserEvent::ReadyCheckEnded(*challenge, outcome));
        }
    }

    /// Ends the search of a closed seek, and informs its player.
    pub(super) fn announce_search_over(&self, seek: &Challenge) {
        if self.forget_search(seek) {
            self.notify(seek.creator.key, UserEvent::Search(None));
        }
    }

    /// Informs the player of a search of its state, which belongs to this process.
    pub(super) fn announce_search(&self, search: &Arc<OpponentSearch>) {
        self.notify(search.challenge.creator.key, UserEvent::Search(Some(search.clone())));
    }
}

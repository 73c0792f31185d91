//! User events as WebSocket frames, the same on every WebSocket of a signed-in user.
//!
//! A [`UserSession`] registers the connection of an account, so that it counts as online, and
//! receives the account's events: challenges, ready checks, game starts, turns, the end of a
//! session. Callers: the sockets of games, the lobby and the user, and
//! `api::streams::event_stream`.

use crate::http::App;
use crate::http::extract::auth::Viewer;
use crate::http::extract::challenge_viewer::{challenge_viewer, viewer_with_state};
use crate::http::extract::credential::{concerns_session, ends_session};
use crate::http::messages::socket::client::{RematchBoard, RematchSides};
use crate::http::messages::socket::server::{
    GameStatusMessage, ReadyCheckOut, RematchCause, RematchCauseOut, RematchMessage, UserMessage,
};
use crate::http::messages::{self, ChallengeViewer, GameNightOut, PlayerOut};
use crate::http::transport::websocket::{CloseReason, Connection, Disconnected};
use crate::play::challenge::ChallengeKind;
use crate::play::rating::Rating;
use crate::rooms::{Location, ReadyCheck, UserConnection, UserEvent, now_ms};
use crate::rules::Side;
use crate::store::{Account, AccountKey, Challenge, GameNight, PublicId, RematchEnd, StoreError};
use bytes::Bytes;
use std::collections::HashSet;

/// Signed-in user of a WebSocket or an event stream.
pub struct UserSession {
    pub app: App,
    /// The account with its ratings and blocks, which decide how it sees challenges.
    pub challenge_viewer: ChallengeViewer,
    /// Hash of the session or token that opened the connection.
    credential_hash: Vec<u8>,
    /// Open challenges of the account when the connection was registered, until they are sent.
    open_challenges: Option<Vec<Challenge>>,
    /// Number of unread warnings when the challenges were read.
    unread_warnings: usize,
    /// Game nights in which the account was interested at that time.
    game_nights: Vec<GameNight>,
    /// Number of games to move in that the connection has sent.
    turns: Option<usize>,
    /// Whether the connection shows the search for an opponent, and asks whether its game may
    /// begin.
    shows_search: bool,
    /// Origin of the site.
    pub origin: String,
    /// Presence of the user, and source of the account's events.
    pub presence: UserConnection,
}

impl UserSession {
    /// Registers the user's presence at `location`. Returns `None` for anonymous viewers, and an
    /// error if the store fails.
    pub async fn connect(
        app: &App,
        viewer: Viewer,
        origin: String,
        location: Location,
    ) -> Result<Option<UserSession>, crate::http::error::Error> {
        let Some(credential_hash) = viewer.credential_hash() else { return Ok(None) };
        let Some(account) = viewer.account else { return Ok(None) };
        let presence = app.rooms.user_hub().join(&account, location);
        let state =
            app.rooms.store().connection_state(account.key, &credential_hash, now_ms()).await?;
        Ok(Some(UserSession {
            app: app.clone(),
            challenge_viewer: viewer_with_state(account, state.viewer),
            credential_hash,
            open_challenges: state.is_signed_in.then_some(state.open_challenges),
            unread_warnings: state.unread_warnings,
            game_nights: state.game_nights,
            turns: None,
            shows_search: matches!(location, Location::Find | Location::FindAside),
            origin,
            presence,
        }))
    }

    /// Records whether the connection was lost, at its end.
    pub fn end(&mut self, connection: &Connection) {
        if let Some(since) = connection.lost_since() {
            self.presence.set_lost(since);
        }
    }

    pub fn account(&self) -> &Account {
        &self.challenge_viewer.account
    }

    /// Returns a challenge as the user sees it.
    pub fn challenge_out(&self, challenge: &Challenge) -> messages::ChallengeOut {
        messages::challenge(&self.app, challenge, Some(&self.challenge_viewer), &self.origin)
    }

    /// Returns the `hello` frame: number of games to move in, pending ready checks, incoming
    /// challenges, the user's challenges with requests for a casual game, the number of unread
    /// warnings, and game nights.
    async fn hello_frame(&mut self, open: &[Challenge]) -> Result<Bytes, Disconnected> {
        let key = self.account().key;
        let challenges: Vec<messages::ChallengeOut> = open
            .iter()
            .filter(|open| {
                open.draft.dest.as_ref().is_some_and(|dest| dest.key == key)
                    || open.creator.key == key && open.open_casual_requests().next().is_some()
            })
            .filter(|open| !messages::is_hidden_from(open, Some(&self.challenge_viewer)))
            .map(|open| self.challenge_out(open))
            .collect();
        let mut ready_checks = Vec::new();
        let checks = self.app.rooms.pending_ready_checks(key);
        for check in checks.into_iter().filter(|check| self.is_shown(check)) {
            ready_checks.push(self.ready_check_out(&check).await?);
        }
        let turns = Box::pin(self.app.rooms.store().count_games_to_move(key)).await;
        let turns = turns.map_err(|_| Disconnected)?;
        self.turns = Some(turns);
        let (warnings, now_ms) = (self.unread_warnings, now_ms());
        let current = self.game_nights.iter().filter(|night| night.ends_ms() > now_ms);
        let events = current.filter_map(GameNightOut::new).collect();
        let hello = UserMessage::Hello { turns, ready_checks, challenges, warnings, events };
        Ok(messages::frame(&hello))
    }

    /// Returns the `hello` frame after a warning.
    async fn new_hello_frame(&mut self) -> Result<Bytes, Disconnected> {
        // They were read before the warning.
        self.open_challenges = None;
        let open = self.take_open_challenges().await.map_err(|_| Disconnected)?;
        self.hello_frame(&open.unwrap_or_default()).await
    }

    /// Returns whether the connection shows a ready check.
    fn is_shown(&self, check: &ReadyCheck) -> bool {
        self.shows_search || !check.challenge.is_search()
    }

    /// Sends the `hello` frame, and the search for an opponent if the connection shows it. Closes
    /// the connection instead if the session ended before events could be received, or while they
    /// were missed.
    ///
    /// # Errors
    /// The connection has ended or was closed, or the store failed.
    pub async fn send_initial(&mut self, connection: &mut Connection) -> Result<(), Disconnected> {
        let Some(open) = Box::pin(self.take_open_challenges()).await.map_err(|_| Disconnected)?
        else {
            connection.send_message(&UserMessage::SignedOut {}).await?;
            return Err(connection.close(CloseReason::SignedOut).await);
        };
        connection.send(self.hello_frame(&open).await?).await?;
        if self.shows_search {
            let search = self.app.rooms.search_of(self.account().key);
            let search = search.map(|search| messages::opponent_search(&search));
            connection.send_message(&UserMessage::Find { search }).await?;
        }
        Ok(())
    }

    /// Returns the open challenges of the account, `None` if its session has ended. The first time
    /// they are those of the registration, and later changes are among the events; then they are
    /// read again, with ratings and blocks, because events were missed.
    ///
    /// # Errors
    /// The store failed.
    pub async fn take_open_challenges(&mut self) -> Result<Option<Vec<Challenge>>, StoreError> {
        if let Some(open) = self.open_challenges.take() {
            return Ok(Some(open));
        }
        let account = self.account().clone();
        let store = self.app.rooms.store();
        let state = store.connection_state(account.key, &self.credential_hash, now_ms()).await?;
        self.challenge_viewer = viewer_with_state(account, state.viewer);
        self.unread_warnings = state.unread_warnings;
        self.game_nights = state.game_nights;
        Ok(state.is_signed_in.then_some(state.open_challenges))
    }

    /// Returns the hidden accounts before an event that changes them; empty for all others.
    pub fn hidden_before(&self, event: &UserEvent) -> HashSet<AccountKey> {
        match event {
            UserEvent::BlocksChanged => self.challenge_viewer.presence.blocked.clone(),
            _ => HashSet::new(),
        }
    }

    /// Returns whether blocks have hidden or revealed an open challenge to the account since
    /// `hidden_before` were the hidden accounts. If there is none, the account must not notice a
    /// block.
    ///
    /// # Errors
    /// The store failed.
    pub async fn has_challenge_since(
        &self,
        hidden_before: &HashSet<AccountKey>,
    ) -> Result<bool, Disconnected> {
        let hidden = &self.challenge_viewer.presence.blocked;
        let open = self.app.rooms.store().open_challenges_of(self.account().key, now_ms()).await;
        let is_changed = |creator| hidden.contains(&creator) != hidden_before.contains(&creator);
        let open = open.map_err(|_| Disconnected)?;
        Ok(open.iter().any(|challenge| is_changed(challenge.creator.key)))
    }

    /// Reloads ratings and blocks. Fails when the store does.
    pub async fn refresh(&mut self) -> Result<(), crate::http::error::Error> {
        self.challenge_viewer =
            challenge_viewer(&self.app, self.challenge_viewer.account.clone()).await?;
        Ok(())
    }

    /// Returns whether an event ends the session or token that opened the connection.
    pub fn is_ended_by(&self, event: &UserEvent) -> bool {
        ends_session(event, Some(&self.credential_hash))
    }

    async fn ready_check_out(&self, check: &ReadyCheck) -> Result<ReadyCheckOut, Disconnected> {
        let by = &check.acceptance.acceptor;
        let ratings = self.app.rooms.store().ratings(by.key).await.map_err(|_| Disconnected)?;
        let (plays, pace) = check.terms();
        let rating: Rating = ratings.get(plays.variant.info.key).copied().unwrap_or_default();
        let challenge =
            self.challenge_out(&check.challenge).with_terms_of(&check.challenge, by.key);
        let by = PlayerOut::current(&self.app, by, &rating);
        Ok(ReadyCheckOut {
            challenge,
            by,
            variant: messages::variant(plays.variant),
            options: (&plays.options).into(),
            time_control: messages::time_control(pace),
            ready_by: check.ready_by_ms,
        })
    }

    /// Returns the frame of an event, if it has one.
    ///
    /// # Errors
    /// The event has ended the session and closed the connection, or the store failed.
    pub async fn event_frame(
        &mut self,
        event: &UserEvent,
        connection: &mut Connection,
    ) -> Result<Option<Bytes>, Disconnected> {
        let message = match event {
            UserEvent::Challenge(challenge)
                if messages::is_hidden_from(challenge, Some(&self.challenge_viewer)) =>
            {
                return Ok(None);
            }
            UserEvent::Challenge(challenge) => {
                UserMessage::Challenge(Box::new(self.challenge_out(challenge)))
            }
            UserEvent::ChallengeGone(challenge) => UserMessage::ChallengeGone {
                id: challenge.id.as_str(),
                status: challenge.draft.terms.status,
                reason_key: challenge.declined,
                direction: messages::challenge_direction(
                    challenge,
                    self.challenge_viewer.account.key,
                ),
            },
            UserEvent::SeatLost(challenge) => {
                UserMessage::SeatLost(Box::new(self.challenge_out(challenge)))
            }
            UserEvent::ReadyCheck(check) if !self.is_shown(check) => return Ok(None),
            UserEvent::ReadyCheck(check) => {
                let check = Box::pin(self.ready_check_out(check)).await?;
                UserMessage::ReadyCheck(Box::new(check))
            }
            UserEvent::ReadyCheckEnded(id, outcome) => {
                UserMessage::ReadyCheckGone { id: id.as_str(), reason: (*outcome).into() }
            }
            UserEvent::Search(_) if !self.shows_search => return Ok(None),
            UserEvent::Search(search) => UserMessage::Find {
                search: search.as_ref().map(|search| messages::opponent_search(search)),
            },
            UserEvent::GameStarted(row, challenge) => {
                UserMessage::Start { id: row.id.as_str(), challenge: challenge.as_str() }
            }
            UserEvent::GamesToMove(n) => {
                if self.turns.replace(*n) == Some(*n) {
                    return Ok(None);
                }
                UserMessage::Turns { n: *n }
            }
            UserEvent::RatingsChanged | UserEvent::BlocksChanged => {
                Box::pin(self.refresh()).await.map_err(|_| Disconnected)?;
                return Ok(None);
            }
            UserEvent::SignedOut(which)
                if concerns_session(which.as_deref(), Some(&self.credential_hash)) =>
            {
                connection.send_message(&UserMessage::SignedOut {}).await?;
                return Err(connection.close(CloseReason::SignedOut).await);
            }
            UserEvent::Warned => return Box::pin(self.new_hello_frame()).await.map(Some),
            // The cookie belongs to another account now, so that the client reconnects as that
            // account.
            UserEvent::Renamed => return Err(connection.close(CloseReason::Reconnect).await),
            UserEvent::SignedOut(_) | UserEvent::GameFinished(_) | UserEvent::RematchEnded(..) => {
                return Ok(None);
            }
        };
        Ok(Some(messages::frame(&message)))
    }
}

/// Returns the `rematch` frame of an event that concerns a rematch of `game`: who offers it, its
/// challenge, and its differences from the game. `you` and `key` are the reader's side and account.
pub fn rematch_frame(
    event: &UserEvent,
    game: PublicId,
    you: Side,
    key: AccountKey,
) -> Option<Bytes> {
    let is_rematch = |challenge: &Challenge| {
        challenge.draft.kind == ChallengeKind::Rematch && challenge.draft.rematch_of == Some(game)
    };
    let message = match event {
        UserEvent::Challenge(challenge) if is_rematch(challenge) => {
            let by = if challenge.creator.key == key { you } else { you.other() };
            let is_same_side = challenge.draft.side == Some(by);
            let is_same_board = challenge.draft.same_board;
            RematchMessage::Offered {
                by,
                id: challenge.id.as_str(),
                sides: if is_same_side { RematchSides::Same } else { RematchSides::Changed },
                board: if is_same_board { RematchBoard::Same } else { RematchBoard::New },
            }
        }
        UserEvent::ChallengeGone(challenge) if is_rematch(challenge) => {
            RematchMessage::Ended { by: None, status: challenge.draft.terms.status, cause: None }
        }
        UserEvent::RematchEnded(challenge, ending) if is_rematch(challenge) => {
            let (player, reason) = match ending {
                RematchEnd::Left(player) => (player, RematchCause::Left),
                RematchEnd::OtherGame(player) => (player, RematchCause::OtherGame),
            };
            let side = if *player == key { you } else { you.other() };
            let cause = Some(RematchCauseOut { side, reason });
            RematchMessage::Ended { by: None, status: challenge.draft.terms.status, cause }
        }
        _ => return None,
    };
    Some(messages::frame(&GameStatusMessage::Rematch(message)))
}

/// Returns the next event of a user; never resolves for anonymous viewers.
pub async fn next_event(
    session: &mut Option<UserSession>,
) -> Result<UserEvent, crate::bus::SubscriptionError> {
    match session {
        Some(session) => session.presence.events.next().await,
        None => std::future::pending().await,
    }
}

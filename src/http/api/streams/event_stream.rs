//! The event stream of an account, and seeks that are open as long as their stream.
//!
//! Both take a stream permit and receive the events of the account while they run. A stream ends
//! when its session or token ends. Caller: the router.

use crate::bus::SubscriptionError;
use crate::http::App;
use crate::http::api::challenge::form::SeekForm;
use crate::http::api::challenge::handlers::check_creation_limits;
use crate::http::error::Error;
use crate::http::extract::auth::{Scope, Viewer};
use crate::http::extract::credential::{ends_session, is_credential_valid};
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::origin::origin;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, COMPAT, ErrorBody, StreamEvent};
use crate::http::sockets::user_session::UserSession;
use crate::http::transport::ndjson::{NDJSON, StreamClosed, StreamSender, stream_response};
use crate::play::challenge::{ChallengeKind, ChallengeStatus};
use crate::play::clock::Pace;
use crate::rooms::{Location, SeekOutcome, UserConnection, UserEvent, now_ms};
use crate::store::{Challenge, PublicId};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use std::collections::HashSet;
use utoipa::ToSchema;

/// Streams the requester's events: challenges, and games that start and finish. Games in progress
/// and open challenges come first.
#[utoipa::path(get, path = "/stream/event", tag = "streams",
    responses((status = 200, body = StreamEvent, content_type = "application/x-ndjson"), (status = "4XX", body = ErrorBody)))]
pub async fn events(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let viewer = viewer.check_scope(&Scope::EVENTS)?;
    let session =
        UserSession::connect(&app, viewer, origin(&app, &headers), Location::Stream).await?;
    let session = session.ok_or(Error::NoSession)?;
    let permit = app.streams.acquire(Some(session.account()), address, &app.config.limits)?;
    let mut event_stream =
        EventStream { app: app.clone(), session, sent_challenges: HashSet::new() };
    Ok(stream_response(&app, permit, NDJSON, async move |lines| event_stream.run(&lines).await))
}

/// An open event stream.
struct EventStream {
    app: App,
    session: UserSession,
    /// Challenges that were sent; each is sent once.
    sent_challenges: HashSet<PublicId>,
}

impl EventStream {
    async fn run(&mut self, lines: &StreamSender) -> Result<(), StreamClosed> {
        self.send_current(lines).await?;
        loop {
            match self.session.presence.events.next().await {
                Ok(event) => {
                    if let Some(event) = self.stream_event(event).await? {
                        lines.send(&event).await?;
                    }
                }
                Err(SubscriptionError::Lagged) => self.send_current(lines).await?,
                Err(SubscriptionError::Closed) => return Ok(()),
            }
        }
    }

    /// Sends the games in progress and the open challenges.
    async fn send_current(&mut self, lines: &StreamSender) -> Result<(), StreamClosed> {
        let open = self.session.take_open_challenges().await.map_err(|_| StreamClosed)?;
        let open = open.ok_or(StreamClosed)?;
        let key = self.session.account().key;
        let games =
            self.app.rooms.store().games_in_progress(key).await.map_err(|_| StreamClosed)?;
        for active in games {
            if let Some(game) = self.playing(&active.row.id).await {
                lines.send(&StreamEvent::GameStart { game }).await?;
            }
        }
        for challenge in open {
            if challenge.draft.dest.is_some() && !self.is_hidden(&challenge) {
                self.sent_challenges.insert(challenge.id);
                let challenge = Box::new(self.session.challenge_out(&challenge));
                lines.send(&StreamEvent::Challenge { challenge, compat: COMPAT }).await?;
            }
        }
        Ok(())
    }

    fn is_hidden(&self, challenge: &Challenge) -> bool {
        messages::is_hidden_from(challenge, Some(&self.session.challenge_viewer))
    }

    async fn playing(&self, id: &PublicId) -> Option<Box<messages::PlayerGameOut>> {
        let snapshot = self.app.rooms.snapshot(id).await.ok()?;
        messages::player_game(&snapshot, self.session.account().key).map(Box::new)
    }

    async fn stream_event(
        &mut self,
        event: UserEvent,
    ) -> Result<Option<StreamEvent>, StreamClosed> {
        if self.session.is_ended_by(&event) {
            return Err(StreamClosed);
        }
        Ok(match event {
            UserEvent::Challenge(challenge) if challenge.draft.dest.is_some() => {
                // The event is repeated when ratings change, which is no new challenge for
                // programs.
                if self.is_hidden(&challenge) || !self.sent_challenges.insert(challenge.id) {
                    return Ok(None);
                }
                let challenge = Box::new(self.session.challenge_out(&challenge));
                Some(StreamEvent::Challenge { challenge, compat: COMPAT })
            }
            UserEvent::ChallengeGone(challenge) if challenge.draft.dest.is_some() => {
                if !self.sent_challenges.remove(&challenge.id) {
                    return Ok(None);
                }
                let status = challenge.draft.terms.status;
                let challenge = Box::new(self.session.challenge_out(&challenge));
                match status {
                    ChallengeStatus::Declined => Some(StreamEvent::ChallengeDeclined { challenge }),
                    ChallengeStatus::Canceled | ChallengeStatus::Expired => {
                        Some(StreamEvent::ChallengeCanceled { challenge })
                    }
                    ChallengeStatus::Created | ChallengeStatus::Accepted => None,
                }
            }
            UserEvent::SeatLost(challenge) => {
                let challenge = Box::new(self.session.challenge_out(&challenge));
                Some(StreamEvent::ChallengeCanceled { challenge })
            }
            UserEvent::GameStarted(row, _) => {
                self.playing(&row.id).await.map(|game| StreamEvent::GameStart { game })
            }
            UserEvent::GameFinished(row) => {
                self.playing(&row.id).await.map(|game| StreamEvent::GameFinish { game })
            }
            UserEvent::RatingsChanged | UserEvent::BlocksChanged => {
                self.session.refresh().await.map_err(|_| StreamClosed)?;
                None
            }
            _ => None,
        })
    }
}

/// Id of a seek or of its game.
#[derive(Serialize, ToSchema)]
pub struct SeekOut {
    id: String,
}

impl SeekOut {
    fn new(id: PublicId) -> SeekOut {
        SeekOut { id: id.to_string() }
    }
}

/// Creates a seek that is open until a game starts or the client closes the stream. The stream
/// sends a line with the seek's id, then blank lines. A correspondence seek becomes a listed
/// challenge and is answered without a stream.
#[utoipa::path(post, path = "/board/seek", tag = "streams", request_body = SeekForm,
    responses((status = 200, content((SeekOut = "application/x-ndjson"), (SeekOut = "application/json"))), (status = "4XX", body = ErrorBody)))]
pub async fn seek(
    State(app): State<App>,
    viewer: Viewer,
    address: ClientNetwork,
    FormFields(form): FormFields<SeekForm>,
) -> Result<Response, Error> {
    let credential_hash = viewer.credential_hash();
    let creator = viewer.require_scope(&[Scope::BoardPlay])?;
    let form = form.into_challenge()?;
    let mut draft = form.into_draft(ChallengeKind::Seek, Some(&creator), now_ms())?;
    if draft.terms.rated && creator.guest {
        return Err(Error::RatedNeedsAccount);
    }
    draft.program = true;
    let open_max = check_creation_limits(&app, &creator, address)?;
    if draft.paces.iter().all(|pace| matches!(pace, Pace::Days(_))) {
        draft.kind = ChallengeKind::List;
        let created = app.rooms.create_challenge(creator.key, draft, open_max).await?;
        return Ok(Json(SeekOut::new(created.id)).into_response());
    }
    let permit = app.streams.acquire(Some(&creator), address.0, &app.config.limits)?;
    // Subscribes before others can see the seek, so that no event is missed.
    let presence = app.rooms.user_hub().join(&creator, Location::Stream);
    // The session may have ended before the subscription, without an event.
    if !is_credential_valid(&app, credential_hash.as_deref()).await {
        return Err(Error::NoSession);
    }
    let outcome = app.rooms.seek(creator, draft, open_max).await?;
    let waiting_app = app.clone();
    Ok(stream_response(&app, permit, NDJSON, async move |lines| match outcome {
        SeekOutcome::Game(game) => lines.send(&SeekOut::new(game)).await,
        SeekOutcome::Open(seek) => {
            lines.send(&SeekOut::new(seek.id)).await?;
            wait_until_closed(&waiting_app, presence, &seek.id, credential_hash.as_deref()).await;
            Ok(())
        }
    }))
}

/// Waits until the seek is closed, or the session or token ends.
async fn wait_until_closed(
    app: &App,
    mut presence: UserConnection,
    id: &PublicId,
    own: Option<&[u8]>,
) {
    let rooms = &app.rooms;
    loop {
        match presence.events.next().await {
            Ok(UserEvent::GameStarted(_, challenge)) if challenge == *id => return,
            Ok(UserEvent::ChallengeGone(challenge)) if challenge.id == *id => return,
            Ok(event) if ends_session(&event, own) => return,
            Ok(_) => {}
            Err(SubscriptionError::Lagged) if !is_credential_valid(app, own).await => return,
            Err(SubscriptionError::Lagged) => {
                let seek = rooms.store().challenge(id).await;
                if !seek.is_ok_and(|seek| {
                    seek.is_some_and(|seek| seek.draft.terms.status == ChallengeStatus::Created)
                }) {
                    return;
                }
            }
            Err(SubscriptionError::Closed) => return,
        }
    }
}

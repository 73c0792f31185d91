//! The event stream of an account, and seeks that are open as long as their stream.
//!
//! Both take a stream permit and receive the events of the account while they run. A stream ends
//! when its session or token ends.

use super::App;
use super::auth::{Scope, Viewer};
use super::challenge::{may_make, not_created, origin};
use super::draft::{ChallengeForm, SeekForm};
use super::error::Error;
use super::fields::Fields;
use super::rate::Address;
use super::stream::{Closed, Lines, NDJSON, stream};
use super::wire::{self, COMPAT, Refused, StreamEvent};
use super::word::{Me, is_still_in};
use crate::bus::Missed;
use crate::play::challenge::{Kind, Status};
use crate::play::clock::Pace;
use crate::rooms::{Place, Presence, Sought, Word, now_ms};
use crate::store::{Challenge, PublicId};
use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use serde_json::json;
use std::collections::HashSet;

/// Streams the requester's events: challenges, and games that start and finish. Games in progress
/// and open challenges come first.
#[utoipa::path(get, path = "/stream/event", tag = "streams",
    responses((status = 200, body = StreamEvent, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn events(
    State(app): State<App>,
    viewer: Viewer,
    Address(address): Address,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let viewer = viewer.can(&Scope::EVENTS)?;
    let me = Me::come(&app, viewer, origin(&app, &headers), Place::Stream).await?;
    let me = me.ok_or(Error::NoSession)?;
    let held = app.streams.hold(Some(me.account()), address, &app.config.limits)?;
    let mut told = Told { app: app.clone(), me, told: HashSet::new() };
    Ok(stream(&app, held, NDJSON, async move |lines| told.follow(&lines).await))
}

/// An open event stream.
struct Told {
    app: App,
    me: Me,
    /// Challenges that were sent; each is sent once.
    told: HashSet<PublicId>,
}

impl Told {
    async fn follow(&mut self, lines: &Lines) -> Result<(), Closed> {
        self.tell_present(lines).await?;
        loop {
            match self.me.presence.words.next().await {
                Ok(word) => {
                    if let Some(event) = self.event(word).await? {
                        lines.send(&event).await?;
                    }
                }
                Err(Missed::Some) => self.tell_present(lines).await?,
                Err(Missed::Closed) => return Ok(()),
            }
        }
    }

    /// Sends the games in progress and the open challenges.
    async fn tell_present(&mut self, lines: &Lines) -> Result<(), Closed> {
        if !self.me.is_still_in().await {
            return Err(Closed);
        }
        self.me.look_again().await.map_err(|_| Closed)?;
        let key = self.me.account().key;
        for held in self.app.rooms.desk().of(key) {
            if let Some(game) = self.game(&held.row.id).await {
                lines.send(&StreamEvent::GameStart { game }).await?;
            }
        }
        let open = self.app.rooms.store().open_challenges_of(key, now_ms()).await;
        for challenge in open.map_err(|_| Closed)? {
            if challenge.draft.dest.is_some() && !self.is_unseen(&challenge) {
                self.told.insert(challenge.id);
                let challenge = Box::new(self.me.card(&challenge));
                lines.send(&StreamEvent::Challenge { challenge, compat: COMPAT }).await?;
            }
        }
        Ok(())
    }

    fn is_unseen(&self, challenge: &Challenge) -> bool {
        wire::is_unseen(challenge, Some(&self.me.eye))
    }

    async fn game(&self, id: &PublicId) -> Option<Box<wire::Playing>> {
        let shown = self.app.rooms.look(id).await.ok()?;
        wire::playing(&shown, self.me.account().key).map(Box::new)
    }

    async fn event(&mut self, word: Word) -> Result<Option<StreamEvent>, Closed> {
        if self.me.is_out(&word) {
            return Err(Closed);
        }
        Ok(match word {
            Word::Challenge(challenge) if challenge.draft.dest.is_some() => {
                // The event is repeated when ratings change, which is no new challenge for
                // programs.
                if self.is_unseen(&challenge) || !self.told.insert(challenge.id) {
                    return Ok(None);
                }
                let challenge = Box::new(self.me.card(&challenge));
                Some(StreamEvent::Challenge { challenge, compat: COMPAT })
            }
            Word::Gone(challenge) if challenge.draft.dest.is_some() => {
                let status = challenge.draft.terms.status;
                self.told.remove(&challenge.id);
                let challenge = Box::new(self.me.card(&challenge));
                match status {
                    Status::Declined => Some(StreamEvent::ChallengeDeclined { challenge }),
                    Status::Canceled | Status::Expired => {
                        Some(StreamEvent::ChallengeCanceled { challenge })
                    }
                    Status::Created | Status::Accepted => None,
                }
            }
            Word::SeatLost(challenge) => {
                let challenge = Box::new(self.me.card(&challenge));
                Some(StreamEvent::ChallengeCanceled { challenge })
            }
            Word::Start(row, _) => {
                self.game(&row.id).await.map(|game| StreamEvent::GameStart { game })
            }
            Word::Finish(row) => {
                self.game(&row.id).await.map(|game| StreamEvent::GameFinish { game })
            }
            Word::Changed | Word::Blocked => {
                self.me.look_again().await.map_err(|_| Closed)?;
                None
            }
            _ => None,
        })
    }
}

/// Returns whether an event ends a stream opened with the session or token of hash `own`: it was
/// logged out, or its guest became an account, which ended all sessions of the guest.
pub fn is_end(word: &Word, own: Option<&[u8]>) -> bool {
    match word {
        Word::SignedOut(which) => is_mine(which.as_deref(), own),
        Word::Renamed => true,
        _ => false,
    }
}

/// Returns whether a logout concerns the session or token `own`: it names this one, or all of the
/// account (`None`).
pub(super) fn is_mine(which: Option<&Vec<u8>>, own: Option<&[u8]>) -> bool {
    which.is_none_or(|which| Some(which.as_slice()) == own)
}

/// Creates a seek that is open until a game starts or the client closes the stream. The stream
/// sends a line with the seek's id, then blank lines. A correspondence seek becomes a listed
/// challenge and is answered without a stream.
#[utoipa::path(post, path = "/board/seek", tag = "streams", request_body = SeekForm,
    responses((status = 200, body = String, content_type = "application/x-ndjson"), (status = "4XX", body = Refused)))]
pub async fn seek(
    State(app): State<App>,
    viewer: Viewer,
    address: Address,
    fields: Fields,
) -> Result<Response, Error> {
    let own = viewer.known_by();
    let maker = viewer.with(&[Scope::BoardPlay])?;
    let form = ChallengeForm::of_seek(&fields)?;
    let mut draft = form.draft(&fields, Kind::Seek, now_ms())?;
    if draft.terms.rated && maker.guest {
        return Err(Error::Anonymous);
    }
    draft.program = true;
    let open_max = may_make(&app, &maker, address)?;
    if draft.paces.iter().all(|pace| matches!(pace, Pace::Days(_))) {
        draft.kind = Kind::List;
        let made = app.rooms.challenge(maker.key, draft, open_max).await?;
        let made = made.map_err(|why| not_created(why, &app.config.limits))?;
        return Ok(Json(json!({ "id": made.id.as_str() })).into_response());
    }
    let held = app.streams.hold(Some(&maker), address.0, &app.config.limits)?;
    // Subscribes before others can see the seek, so that no event is missed.
    let presence = app.rooms.people().join(maker.key, Place::Stream);
    // The session may have ended before the subscription, without an event.
    if !is_still_in(&app, own.as_deref()).await {
        return Err(Error::NoSession);
    }
    let made = app.rooms.seek(maker, draft, open_max).await?;
    let sought = made.map_err(|why| not_created(why, &app.config.limits))?;
    let waiting = app.clone();
    Ok(stream(&app, held, NDJSON, async move |lines| match sought {
        Sought::Game(game) => lines.send(&json!({ "id": game.as_str() })).await,
        Sought::Open(seek) => {
            lines.send(&json!({ "id": seek.id.as_str() })).await?;
            wait(&waiting, presence, &seek.id, own.as_deref()).await;
            Ok(())
        }
    }))
}

/// Waits until the seek is closed, or the session or token ends.
async fn wait(app: &App, mut presence: Presence, id: &PublicId, own: Option<&[u8]>) {
    let rooms = &app.rooms;
    loop {
        match presence.words.next().await {
            Ok(Word::Start(_, challenge)) if challenge == *id => return,
            Ok(Word::Gone(challenge)) if challenge.id == *id => return,
            Ok(word) if is_end(&word, own) => return,
            Ok(_) => {}
            Err(Missed::Some) if !is_still_in(app, own).await => return,
            Err(Missed::Some) => {
                let seek = rooms.store().challenge(id).await;
                if !seek.is_ok_and(|seek| {
                    seek.is_some_and(|seek| seek.draft.terms.status == Status::Created)
                }) {
                    return;
                }
            }
            Err(Missed::Closed) => return,
        }
    }
}

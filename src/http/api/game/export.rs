//! Export of game records, as JSON or as text in the manner of PGN.
//!
//! Records are written on low-priority threads that serve the addresses in turn. An export of many
//! games is limited to a number of games per second, and an address has one such export at a time.
//! The last moves of live rated games are withheld from spectators. Caller: the router.

use crate::background::Background;
use crate::http::App;
use crate::http::api::challenge::side_choice::SideChoice;
use crate::http::api::streams::game_stream::Spectator;
use crate::http::api::user::load_profile;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::id::parse_id;
use crate::http::extract::origin::origin;
use crate::http::extract::query_params::QueryParams;
use crate::http::extract::variant_key::VariantKey;
use crate::http::limits::keyed_semaphore::{KeyedPermit, KeyedSemaphore};
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::{self, ErrorBody, ExportOptions, RecordOut};
use crate::http::transport::ndjson::{NDJSON, StreamClosed, StreamSender, stream_response};
use crate::play::event::LoggedEvent;
use crate::play::reason::Reason;
use crate::rooms::{GameRecord, now_ms, released_plies};
use crate::rules::Side;
use crate::store::{self, AccountKey, Cursor, GameFilter, GameRow, PublicId};
use crate::variants;
use axum::extract::{Path, State};
use axum::http::{HeaderMap, header};
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use serde::{Deserialize, Serialize};
use std::net::IpAddr;
use std::time::Duration;
use tokio::time::{MissedTickBehavior, interval};
use utoipa::{IntoParams, ToSchema};

/// Content type of game records as text.
const PGN_TYPE: &str = "application/x-chess-pgn";

/// Games read from the database at a time.
const ROWS_PER_QUERY: i64 = 50;

/// Ids in one request.
const IDS_MAX: usize = 300;

/// Games per second of an export: for anonymous clients and guests, for accounts, and for the
/// requester's own games. The limits are those of lichess.
const ANONYMOUS_LIMIT: u32 = 20;
const ACCOUNT_LIMIT: u32 = 30;
const OWN_LIMIT: u32 = 60;

const THREADS: usize = 1;

/// Records that one address may wait for at a time.
const QUEUE_MAX: usize = 8;

/// Pause of an export while single games of its address fill the queue.
const QUEUE_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Running exports, and the threads that write their records. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Exports {
    running: KeyedSemaphore<IpAddr>,
    background: Background<IpAddr>,
}

impl Default for Exports {
    fn default() -> Exports {
        let background = Background::new("export", THREADS, QUEUE_MAX);
        Exports { running: KeyedSemaphore::default(), background }
    }
}

impl Exports {
    /// Starts an export for an address.
    ///
    /// # Errors
    /// [`Error::ExportUnderWay`] while another one runs.
    pub(in crate::http::api) fn start(
        &self,
        address: IpAddr,
    ) -> Result<KeyedPermit<IpAddr>, Error> {
        self.running.try_acquire(address, 1).ok_or(Error::ExportUnderWay)
    }
}

/// Format of game records.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct FormatQuery {
    /// Format; without it the `Accept` header decides. `pgn` is another name of `text`.
    #[serde(rename = "as")]
    #[param(inline)]
    format: Option<Format>,
    moves: Option<bool>,
    tags: Option<bool>,
    clocks: Option<bool>,
    /// Whether JSON has the text of the game as well.
    pgn_in_json: Option<bool>,
}

#[derive(Clone, Copy, PartialEq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
enum Format {
    Json,
    #[serde(alias = "pgn")]
    Text,
}

impl FormatQuery {
    /// Returns the requested form: by `as`, else JSON if the `Accept` header names it, else text.
    fn form(&self, headers: &HeaderMap) -> RecordForm {
        let accept = headers.get(header::ACCEPT).and_then(|accept| accept.to_str().ok());
        match self.format {
            Some(Format::Json) => RecordForm::Json,
            None if accept.unwrap_or_default().contains("json") => RecordForm::Json,
            _ => RecordForm::Text,
        }
    }

    /// Returns the options; `clocks` is the default of the option of that name.
    fn options(&self, clocks: bool) -> ExportOptions {
        ExportOptions {
            tags: self.tags.unwrap_or(true),
            moves: self.moves.unwrap_or(true),
            clocks: self.clocks.unwrap_or(clocks),
            text: self.pgn_in_json.unwrap_or(false),
        }
    }
}

/// Games of a player to export.
#[derive(Deserialize, IntoParams)]
#[serde(rename_all = "camelCase")]
#[into_params(parameter_in = Query)]
pub struct PlayerExportQuery {
    #[param(minimum = 1)]
    max: Option<i64>,
    since: Option<i64>,
    until: Option<i64>,
    vs: Option<String>,
    rated: Option<bool>,
    #[param(inline)]
    perf_type: Option<VariantKey>,
    color: Option<SideChoice>,
    ongoing: Option<bool>,
    finished: Option<bool>,
    #[param(inline)]
    sort: Option<ExportOrder>,
}

/// Order of exported games, by the time of their start.
#[derive(Clone, Copy, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "camelCase")]
enum ExportOrder {
    DateAsc,
    DateDesc,
}

/// Options of an archive.
const ARCHIVE_OPTIONS: ExportOptions =
    ExportOptions { tags: true, moves: true, clocks: true, text: false };

/// Returns the lines of an archive for a game from its record, its log and the side of the player,
/// without the last line end.
pub(in crate::http::api) type ArchiveWriter =
    fn(RecordOut, &[LoggedEvent], Option<Side>) -> Vec<u8>;

/// Form of exported games.
#[derive(Clone, Copy)]
enum RecordForm {
    Json,
    Text,
    Archive(ArchiveWriter),
}

/// Request for game records: form, options and requester.
struct ExportRequest {
    spectator: Spectator,
    address: IpAddr,
    form: RecordForm,
    options: ExportOptions,
    origin: String,
}

impl ExportRequest {
    fn new(
        app: &App,
        viewer: Viewer,
        address: IpAddr,
        (form, options): (RecordForm, ExportOptions),
        headers: &HeaderMap,
    ) -> ExportRequest {
        let spectator = Spectator::for_request(app, viewer);
        ExportRequest { spectator, address, form, options, origin: origin(app, headers) }
    }

    fn app(&self) -> &App {
        &self.spectator.app
    }

    /// Returns a game's record without the moves that are not yet released for the requester.
    async fn record(&self, row: GameRow) -> Result<Bytes, Error> {
        let app = self.app();
        let delay_ms = self.spectator.delay_ms(&row);
        let log = app.rooms.log(&row).await?;
        let (form, options, origin) = (self.form, self.options, self.origin.clone());
        let side = self.spectator.side(&row);
        let write = move || {
            let mut recorded = GameRecord::from_log(row, &log)?;
            let made_ms = &recorded.made_ms;
            recorded.truncate(released_plies(made_ms.len(), delay_ms, made_ms, now_ms()));
            let record = || messages::record(&recorded, options, &origin);
            Ok(match form {
                RecordForm::Json => serde_json::to_vec(&record()).expect("record of plain values"),
                RecordForm::Text => messages::game_text(&recorded, options, &origin).into_bytes(),
                RecordForm::Archive(write) => write(record(), &log, side),
            })
        };
        let written = app.exports.background.run(self.address, write).await?;
        written.map(Bytes::from).map_err(|error| crate::rooms::RoomError::BadLog(error).into())
    }

    /// Writes one of many games. A game whose log contradicts the rules is skipped. Any other
    /// failure aborts the stream, so that a partial export is not mistaken for a complete one.
    async fn write(&self, lines: &StreamSender, row: GameRow) -> Result<(), StreamClosed> {
        loop {
            match self.record(row.clone()).await {
                Ok(record) if self.is_text() => {
                    return lines
                        .send_text([record.trim_ascii_end(), b"\n\n\n"].concat().into())
                        .await;
                }
                Ok(record) => {
                    return lines.send_text([&record[..], b"\n"].concat().into()).await;
                }
                Err(Error::TooFast(_)) => tokio::time::sleep(QUEUE_RETRY_DELAY).await,
                Err(Error::Internal) => {
                    tracing::error!(game.id = %row.id, "Failed to export a game");
                    return Ok(());
                }
                Err(error) => {
                    tracing::warn!(game.id = %row.id, %error, "Export aborted");
                    return Err(lines.abort());
                }
            }
        }
    }

    fn is_text(&self) -> bool {
        matches!(self.form, RecordForm::Text)
    }

    fn content_type(&self) -> &'static str {
        if self.is_text() { PGN_TYPE } else { NDJSON }
    }

    /// Writes games, at most `limit` per second.
    async fn write_all(
        &self,
        lines: &StreamSender,
        limit: u32,
        mut source: Source,
    ) -> Result<(), StreamClosed> {
        let mut ticks = interval(Duration::from_secs(1) / limit);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        loop {
            let rows = source.next(self.app()).await.map_err(|error| {
                tracing::error!(%error, "Failed to read the games of an export");
                lines.abort()
            })?;
            let Some(rows) = rows else { return Ok(()) };
            for row in rows {
                ticks.tick().await;
                self.write(lines, row).await?;
            }
        }
    }
}

/// Streams lines, and then what `write` returns for each game of an account.
pub(in crate::http::api) fn archive_response(
    app: &App,
    (viewer, player): (Viewer, AccountKey),
    address: IpAddr,
    headers: &HeaderMap,
    permit: KeyedPermit<IpAddr>,
    lines: Vec<impl Serialize + Send + Sync + 'static>,
    write: ArchiveWriter,
) -> Response {
    let form = (RecordForm::Archive(write), ARCHIVE_OPTIONS);
    let request = ExportRequest::new(app, viewer, address, form, headers);
    let filter = Box::new(GameFilter { ongoing: true, finished: true, ..GameFilter::default() });
    let source = Source::List { player, filter, after: None, left: i64::MAX };
    stream_response(app, permit, NDJSON, async move |sender| {
        for line in &lines {
            sender.send(line).await?;
        }
        request.write_all(&sender, OWN_LIMIT, source).await
    })
}

/// Games that are still to be written.
enum Source {
    /// Rows already read.
    Rows(Vec<GameRow>),
    /// The games of a player after `after`, at most `left`.
    List { player: AccountKey, filter: Box<GameFilter>, after: Option<Cursor>, left: i64 },
    /// No more games.
    End,
}

impl Source {
    /// Returns the next games, or `None` at the end.
    async fn next(&mut self, app: &App) -> Result<Option<Vec<GameRow>>, store::StoreError> {
        match std::mem::replace(self, Source::End) {
            Source::End => Ok(None),
            Source::Rows(rows) => Ok(Some(rows)),
            Source::List { left: ..=0, .. } => Ok(None),
            Source::List { player, filter, after, left } => {
                let limit = ROWS_PER_QUERY.min(left);
                let games = app.rooms.store().games_after(player, &filter, after, limit).await?;
                if let after @ Some(_) = games.next {
                    let left = left - games.rows.len() as i64;
                    *self = Source::List { player, filter, after, left };
                }
                Ok(Some(games.rows))
            }
        }
    }
}

/// Returns the limit of games per second for a requester.
fn games_per_second(viewer: &Viewer, player: Option<AccountKey>) -> u32 {
    match &viewer.account {
        Some(account) if Some(account.key) == player => OWN_LIMIT,
        Some(account) if !account.guest => ACCOUNT_LIMIT,
        _ => ANONYMOUS_LIMIT,
    }
}

/// Exports a game: as text in the manner of PGN, or as JSON if the client accepts it. The last
/// moves of a rated game in progress are withheld from all but its players, as in the stream of the
/// game.
#[utoipa::path(get, path = "/game/export/{id}", operation_id = "one", tag = "games",
    params(("id" = String, Path), FormatQuery),
    responses((status = 200, content((RecordOut = "application/json"), (String = "application/x-chess-pgn"))), (status = "4XX", body = ErrorBody)))]
pub async fn game(
    State(app): State<App>,
    Path(id): Path<String>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    QueryParams(format): QueryParams<FormatQuery>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let form = (format.form(&headers), format.options(true));
    let row = app.rooms.store().game(&parse_id(&id)?).await?.ok_or(Error::NotFound)?;
    let request = ExportRequest::new(&app, viewer, address, form, &headers);
    let record = request.record(row).await?;
    let content_type = if request.is_text() { PGN_TYPE } else { "application/json" };
    Ok(([(header::CONTENT_TYPE, content_type)], record).into_response())
}

/// Exports a player's games, the newest first, as lines of JSON or as text.
///
/// An address has one export at a time; another one is refused (`exportUnderWay`). At most 20 games
/// per second are sent, 30 to accounts, and 60 of the requester's own games. The last moves of
/// rated games in progress are withheld from all but their players.
#[utoipa::path(get, path = "/games/user/{username}", operation_id = "of_user", tag = "games",
    params(("username" = String, Path), FormatQuery, PlayerExportQuery),
    responses((status = 200, content((RecordOut = "application/x-ndjson"), (String = "application/x-chess-pgn"))), (status = "4XX", body = ErrorBody)))]
pub async fn games_of_player(
    State(app): State<App>,
    Path(name): Path<String>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    QueryParams(format): QueryParams<FormatQuery>,
    QueryParams(query): QueryParams<PlayerExportQuery>,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let account = load_profile(&app, &name).await?.account;
    let left = query.max.unwrap_or(i64::MAX);
    if left < 1 {
        let why = "`max` must be at least 1.".to_owned();
        return Err(Error::InvalidField(Reason::BadField, why));
    }
    let filter = Box::new(parse_filter(&app, query).await?);
    let form = (format.form(&headers), format.options(false));
    let limit = games_per_second(&viewer, Some(account.key));
    let request = ExportRequest::new(&app, viewer, address, form, &headers);
    let permit = app.exports.start(address)?;
    let content_type = request.content_type();
    let extension = if request.is_text() { "pgn" } else { "ndjson" };
    let disposition = format!("attachment; filename=\"sprong-{}.{extension}\"", account.id);
    let source = Source::List { player: account.key, filter, after: None, left };
    let mut response = stream_response(&app, permit, content_type, async move |lines| {
        request.write_all(&lines, limit, source).await
    });
    if format.format.is_some()
        && let Ok(value) = disposition.parse()
    {
        // Browsers that follow a link save the games as a file.
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

async fn parse_filter(app: &App, query: PlayerExportQuery) -> Result<GameFilter, Error> {
    let opponent = match query.vs {
        None => None,
        Some(vs) => Some(load_profile(app, &vs).await?.account.key),
    };
    let by_color = |color: SideChoice| -> Result<Vec<(&'static str, Side)>, Error> {
        let side = |variant: &'static variants::Variant| {
            Ok(color.side(variant)?.map(|side| (variant.info.key, side)))
        };
        variants::ALL.iter().filter_map(|variant| side(variant).transpose()).collect()
    };
    let sides = query.color.map(by_color).transpose()?.unwrap_or_default();
    Ok(GameFilter {
        variant: query.perf_type.map(VariantKey::as_str),
        rated: query.rated,
        opponent,
        side: None,
        sides,
        result: None,
        since_ms: query.since,
        until_ms: query.until,
        ongoing: query.ongoing.unwrap_or(false),
        finished: query.finished.unwrap_or(true),
        oldest_first: query.sort == Some(ExportOrder::DateAsc),
    })
}

/// Exports games by their ids, separated by commas. The limits are those of the export of a
/// player's games.
#[utoipa::path(post, path = "/games/export/_ids", tag = "games", params(FormatQuery),
    request_body(content = String, content_type = "text/plain"),
    responses((status = 200, content((RecordOut = "application/x-ndjson"), (String = "application/x-chess-pgn"))), (status = "4XX", body = ErrorBody)))]
pub async fn by_ids(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    QueryParams(format): QueryParams<FormatQuery>,
    headers: HeaderMap,
    body: String,
) -> Result<Response, Error> {
    let ids: Vec<PublicId> = body.split(',').filter_map(|id| id.trim().parse().ok()).collect();
    if ids.len() > IDS_MAX {
        return Err(Error::TooMany("ids"));
    }
    let form = (format.form(&headers), format.options(false));
    let limit = games_per_second(&viewer, None);
    let request = ExportRequest::new(&app, viewer, address, form, &headers);
    let permit = app.exports.start(address)?;
    let source = Source::Rows(app.rooms.store().games_by_ids(&ids).await?);
    let content_type = request.content_type();
    Ok(stream_response(&app, permit, content_type, async move |lines| {
        request.write_all(&lines, limit, source).await
    }))
}

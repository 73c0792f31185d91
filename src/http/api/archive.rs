//! Archive of what the server stores about an account, as lines of JSON: settings, secrets without
//! their values, reports, and all games with the own chat lines. There is no appeal in it: its row
//! is deleted before the player can log in again. Caller: the router.

use crate::http::App;
use crate::http::api::account::{SessionOut, load_own_account, session_out};
use crate::http::api::game::export::archive_response;
use crate::http::api::push::PushKindsOut;
use crate::http::api::second_factor::PasskeyOut;
use crate::http::api::token::{TokenOut, token_out};
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::limits::rate_limiter::ClientNetwork;
use crate::http::messages::moderation::WarningOut;
use crate::http::messages::{AccountOut, ErrorBody, GameNightOut, RecordOut};
use crate::play::challenge_settings::ChallengeSettings;
use crate::play::conditional::ConditionalMoves;
use crate::play::event::{ChatRoom, Event, LoggedEvent};
use crate::play::vacation::Vacation;
use crate::rooms::now_ms;
use crate::rules::Side;
use crate::store::{Account, MINUTE_MS, ModLogEntry, ReminderTime, Report};
use axum::extract::State;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use serde::Serialize;
use utoipa::ToSchema;

/// Line of an archive.
#[derive(Serialize, ToSchema)]
#[serde(tag = "type", content = "data", rename_all = "camelCase")]
pub enum ArchiveLine {
    /// Account with its profile and ratings.
    Account(Box<AccountOut>),
    /// Settings of the account.
    Settings(SettingsOut),
    /// Session of a browser.
    Session(SessionOut),
    /// API token.
    Token(TokenOut),
    /// Failed logins of the account in a minute.
    FailedLogins(FailedLoginsOut),
    /// Player whom the account has blocked.
    Block(OtherPlayerOut),
    /// Player whom the account follows.
    Follow(OtherPlayerOut),
    /// Note of the account on a game.
    Note(GameNoteOut),
    /// Conditional moves of the account in a game in progress.
    ConditionalMoves(StoredConditionalMovesOut),
    /// Vacation of the account.
    Vacation(TakenVacationOut),
    /// Game night of whose start the account wants to be notified.
    GameNight(GameNightOut),
    /// Report to the moderators by the account.
    Report(ReportedOut),
    /// Warning of a moderator.
    Warning(WarningOut),
    /// Action of a moderator on the account.
    Moderation(ModerationOut),
    /// Game.
    Game(Box<RecordOut>),
    /// Chat line of the account in the game before.
    Chat(OwnChatOut),
}

/// Settings that the server stores.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SettingsOut {
    challenges: ChallengeSettings,
    /// Whether others see when the account is online.
    presence_shown: bool,
    push: PushKindsOut,
    /// Push services that get messages for the account.
    push_endpoints: Vec<String>,
    /// Number of recovery words that are left.
    recovery_words: i64,
    /// Confirmed e-mail address.
    #[schema(required)]
    email: Option<String>,
    /// E-mail address that is not confirmed.
    #[schema(required)]
    pending_email: Option<String>,
    /// Whether the account gets digests by e-mail.
    digest: bool,
    /// Whether the account gets reminders before deadlines by e-mail.
    email_reminders: bool,
    /// Hours of the reminders before a deadline.
    reminder_times: Vec<u8>,
    /// Time since which logins need a code of an authenticator app; `null` if they need none.
    totp_since: Option<i64>,
    /// Passkeys, without their keys.
    passkeys: Vec<PasskeyOut>,
}

/// Failed logins of the account in a minute.
#[derive(Serialize, ToSchema)]
pub struct FailedLoginsOut {
    /// Start of the minute, in epoch milliseconds.
    at: i64,
    count: i64,
}

impl From<(i64, i64)> for FailedLoginsOut {
    fn from((minute, count): (i64, i64)) -> FailedLoginsOut {
        FailedLoginsOut { at: MINUTE_MS * minute, count }
    }
}

/// Player whom the account has blocked or follows.
#[derive(Serialize, ToSchema)]
pub struct OtherPlayerOut {
    username: String,
}

impl From<Account> for OtherPlayerOut {
    fn from(account: Account) -> OtherPlayerOut {
        OtherPlayerOut { username: account.name }
    }
}

/// Note of the account on a game.
#[derive(Serialize, ToSchema)]
pub struct GameNoteOut {
    /// Id of the game.
    game: String,
    text: String,
}

/// Conditional moves of the account in a game in progress.
#[derive(Serialize, ToSchema)]
pub struct StoredConditionalMovesOut {
    /// Id of the game.
    game: String,
    /// Moves of the game before the lines.
    played: String,
    /// Lines with the replies.
    lines: String,
}

impl From<(String, ConditionalMoves)> for StoredConditionalMovesOut {
    fn from((game, moves): (String, ConditionalMoves)) -> StoredConditionalMovesOut {
        StoredConditionalMovesOut { game, played: moves.played(), lines: moves.lines() }
    }
}

/// Vacation of the account, in epoch milliseconds.
#[derive(Serialize, ToSchema)]
pub struct TakenVacationOut {
    start: i64,
    end: i64,
}

impl From<Vacation> for TakenVacationOut {
    fn from(Vacation { start_ms, end_ms }: Vacation) -> TakenVacationOut {
        TakenVacationOut { start: start_ms, end: end_ms }
    }
}

/// Report by the account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportedOut {
    username: String,
    reason: String,
    text: String,
    #[schema(required)]
    game: Option<String>,
    created_at: i64,
}

impl From<Report> for ReportedOut {
    fn from(report: Report) -> ReportedOut {
        let Report { about, reason, text, game, created_ms, .. } = report;
        ReportedOut { username: about, reason, text, game, created_at: created_ms }
    }
}

/// Action of a moderator.
#[derive(Serialize, ToSchema)]
pub struct ModerationOut {
    at: i64,
    action: String,
    /// Id of the game that was voided, or of that of a chat line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    game: Option<String>,
    /// End of the action, if it has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    until: Option<i64>,
}

impl From<ModLogEntry> for ModerationOut {
    fn from(entry: ModLogEntry) -> ModerationOut {
        // The reason may name others, such as the reporter.
        let ModLogEntry { at_ms, action, game, until_ms, .. } = entry;
        ModerationOut { at: at_ms, action, game, until: until_ms }
    }
}

/// Chat line of the account.
#[derive(Serialize, ToSchema)]
pub struct OwnChatOut {
    /// Id of the game.
    game: String,
    at: i64,
    room: ChatRoom,
    text: String,
}

/// Returns the lines of a game: its record, and what the account has said in it, also under an
/// earlier name as a guest.
fn game_lines(record: RecordOut, log: &[LoggedEvent], side: Option<Side>) -> Vec<u8> {
    let game = record.id().to_owned();
    let own_chat = |logged: &LoggedEvent| match &logged.event {
        Event::Said { room, text, .. } if logged.side == side && !text.is_empty() => {
            let (game, at) = (game.clone(), logged.at_ms);
            Some(ArchiveLine::Chat(OwnChatOut { game, at, room: *room, text: text.clone() }))
        }
        _ => None,
    };
    let chat: Vec<ArchiveLine> = log.iter().filter_map(own_chat).collect();
    let lines = std::iter::once(ArchiveLine::Game(Box::new(record))).chain(chat);
    let to_json = |line| serde_json::to_vec(&line).expect("plain values");
    lines.map(to_json).collect::<Vec<_>>().join(&b'\n')
}

/// Returns all lines but those of the games.
async fn account_lines(
    app: &App,
    account: &Account,
    session: &[u8],
    headers: &HeaderMap,
) -> Result<Vec<ArchiveLine>, Error> {
    let (store, key) = (app.rooms.store(), account.key);
    let email = store.email_settings(key, now_ms()).await?;
    let settings = SettingsOut {
        challenges: store.challenge_settings(key).await?,
        presence_shown: !store.hides_presence(key).await?,
        push: store.push_kinds(key).await?.into(),
        push_endpoints: store
            .push_subscriptions(key, now_ms())
            .await?
            .into_iter()
            .map(|subscription| subscription.endpoint)
            .collect(),
        recovery_words: store.recovery_words(key).await?.count,
        email: email.address,
        pending_email: email.pending,
        digest: email.digest,
        email_reminders: email.reminders,
        reminder_times: store.reminder_times(key).await?.iter().map(ReminderTime::hours).collect(),
        totp_since: store.totp(key).await?.and_then(|totp| totp.confirmed_ms),
        passkeys: store.passkeys(key).await?.into_iter().map(PasskeyOut::from).collect(),
    };
    let mut lines = vec![
        ArchiveLine::Account(Box::new(load_own_account(app, account, headers).await?)),
        ArchiveLine::Settings(settings),
    ];
    let sessions = store.sessions(key, now_ms()).await?.into_iter();
    lines.extend(sessions.map(|row| ArchiveLine::Session(session_out(row, session))));
    let tokens = store.tokens(key, now_ms()).await?.into_iter();
    lines.extend(tokens.map(|row| ArchiveLine::Token(token_out(row, None))));
    let failures = store.login_failures_of(key).await?.into_iter();
    lines.extend(failures.map(|failures| ArchiveLine::FailedLogins(failures.into())));
    let blocked = store.blocked_by(key).await?.into_iter();
    lines.extend(blocked.map(|other| ArchiveLine::Block(other.into())));
    let followed = store.all_followed_by(key).await?.into_iter();
    lines.extend(followed.map(|other| ArchiveLine::Follow(other.into())));
    let notes = store.game_notes(key).await?.into_iter();
    lines.extend(notes.map(|(game, text)| ArchiveLine::Note(GameNoteOut { game, text })));
    let conditional = store.all_conditional_moves(key).await?.into_iter();
    lines.extend(conditional.map(|stored| ArchiveLine::ConditionalMoves(stored.into())));
    let vacations = store.vacations(key).await?.into_iter();
    lines.extend(vacations.map(|vacation| ArchiveLine::Vacation(vacation.into())));
    let nights = store.game_nights_of(key).await?;
    lines.extend(nights.iter().filter_map(GameNightOut::new).map(ArchiveLine::GameNight));
    let reports = store.reports_by(key).await?.into_iter();
    lines.extend(reports.map(|report| ArchiveLine::Report(report.into())));
    // Notes, and the results of reports by others and of the server, are between the moderators.
    let is_own = |entry: &ModLogEntry| {
        !["note", "resolve", "dismiss-suspicion"].contains(&entry.action.as_str())
    };
    let actions = store.mod_log(account.id.clone()).await?.into_iter().filter(is_own);
    lines.extend(actions.map(|entry| ArchiveLine::Moderation(entry.into())));
    let warnings = store.warnings(key).await?.into_iter();
    lines.extend(warnings.map(|warning| ArchiveLine::Warning(warning.into())));
    Ok(lines)
}

/// Returns what the server stores about the account, as lines of JSON. Secrets are not
/// contained, nor are chat lines in games of others. An address has one export at a time; at most
/// 60 games per second are sent.
#[utoipa::path(get, path = "/account/archive", tag = "account",
    responses((status = 200, content((ArchiveLine = "application/x-ndjson"))), (status = "4XX", body = ErrorBody)))]
pub async fn archive(
    State(app): State<App>,
    viewer: Viewer,
    ClientNetwork(address): ClientNetwork,
    headers: HeaderMap,
) -> Result<Response, Error> {
    let (account, session) = viewer.clone().require_session()?;
    // Before the lines, which may need much memory.
    let permit = app.exports.start(address)?;
    let lines = account_lines(&app, &account, &session, &headers).await?;
    let player = (viewer, account.key);
    let mut response = archive_response(&app, player, address, &headers, permit, lines, game_lines);
    let name = format!("attachment; filename=\"sprong-{}-archive.ndjson\"", account.id);
    if let Ok(value) = name.parse() {
        response.headers_mut().insert(header::CONTENT_DISPOSITION, value);
    }
    Ok(response)
}

//! Endpoints of the moderators' page: the queue of reports, accounts with their reports and past
//! actions, the chats of games, and the log.
//!
//! They need the browser session of a moderator. The subcommand `admin` can do the same. Accounts
//! of moderators and of the computer can only be changed there. Callers: the router, and
//! `report`, `arrivals`, `bans` and `suspicion`.

use crate::config::MOD_ACTION_DAYS;
use crate::http::App;
use crate::http::api::shared_origins::shared_origins;
use crate::http::api::user::load_profile;
use crate::http::error::Error;
use crate::http::extract::auth::Viewer;
use crate::http::extract::form_fields::FormFields;
use crate::http::extract::id::parse_id;
use crate::http::extract::query_params::QueryParams;
use crate::http::messages::moderation::{
    AdminChatOut, ClosingAppealOut, ModLogOut, ModeratedRows, ModeratedUserOut, ReportQueueOut,
};
use crate::http::messages::{DONE, Done, ErrorBody};
use crate::play::event::{ChatMessage, ChatRoom};
use crate::play::name::{ERASED_NAME_PREFIX, validate};
use crate::play::reason::Reason;
use crate::play::text::sanitize;
use crate::rooms::{GameSnapshot, now_ms};
use crate::store::{
    Account, AccountKey, ChatDeletion, LimitedAction, ModAction, Moderator, Profile,
    WARNING_CHARS_MAX,
};
use axum::Json;
use axum::extract::{Path, State};
use serde::Deserialize;
use utoipa::{IntoParams, ToSchema};

const REASON_CHARS_MAX: usize = 500;

/// Actions of the page.
const ACTIONS: [ModAction; 7] = [
    ModAction::Mute,
    ModAction::Unmute,
    ModAction::Close,
    ModAction::Reopen,
    ModAction::DeclineAppeal,
    ModAction::ClearProfile,
    ModAction::Note,
];

/// Returns the account of a moderator.
pub(super) async fn require_moderator(app: &App, viewer: Viewer) -> Result<Account, Error> {
    let (account, _) = viewer.require_session_account()?;
    check_moderator(app, &account).await?;
    Ok(account)
}

/// Checks that an account has the moderator role.
pub async fn check_moderator(app: &App, account: &Account) -> Result<(), Error> {
    if app.rooms.store().is_admin(account.key).await? { Ok(()) } else { Err(Error::NotAdmin) }
}

fn invalid_field(why: String) -> Error {
    Error::InvalidField(Reason::BadField, why)
}

/// Page of the queue.
#[derive(Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
pub struct QueueQuery {
    /// Whether the reports are those of guests; default: those of accounts.
    guests: Option<bool>,
    /// Page, from 1.
    page: Option<usize>,
}

/// Returns the players with open reports, in the order of the number of reporters. Only for
/// moderators.
#[utoipa::path(get, path = "/admin/reports", operation_id = "reportQueue", tag = "moderation",
    params(QueueQuery),
    responses((status = 200, body = ReportQueueOut), (status = "4XX", body = ErrorBody)))]
pub async fn queue(
    State(app): State<App>,
    viewer: Viewer,
    QueryParams(QueueQuery { guests, page }): QueryParams<QueueQuery>,
) -> Result<Json<ReportQueueOut>, Error> {
    require_moderator(&app, viewer).await?;
    let page = page.unwrap_or(1);
    if !(1..=1000).contains(&page) {
        return Err(invalid_field("`page` is a number from 1 to 1000.".to_owned()));
    }
    let queue = app.rooms.store().report_queue(guests.unwrap_or(false), page - 1).await?;
    Ok(Json(ReportQueueOut::new(page, queue)))
}

/// Returns the open appeals against closed accounts, oldest first. Only for moderators.
#[utoipa::path(get, path = "/admin/appeals", operation_id = "openAppeals", tag = "moderation",
    responses((status = 200, body = Vec<ClosingAppealOut>), (status = "4XX", body = ErrorBody)))]
pub async fn appeals(
    State(app): State<App>,
    viewer: Viewer,
) -> Result<Json<Vec<ClosingAppealOut>>, Error> {
    require_moderator(&app, viewer).await?;
    let appeals = app.rooms.store().open_appeals().await?;
    Ok(Json(appeals.into_iter().map(ClosingAppealOut::from).collect()))
}

/// Returns an account with the reports about it and its moderator actions. Only for moderators.
#[utoipa::path(get, path = "/admin/user/{username}", operation_id = "moderatedUser",
    tag = "moderation", params(("username" = String, Path)),
    responses((status = 200, body = ModeratedUserOut), (status = "4XX", body = ErrorBody)))]
pub async fn user(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
) -> Result<Json<ModeratedUserOut>, Error> {
    require_moderator(&app, viewer).await?;
    load_user(&app, &name).await
}

pub(super) async fn load_user(app: &App, name: &str) -> Result<Json<ModeratedUserOut>, Error> {
    let profile = load_profile(app, name).await?;
    let (key, store) = (profile.account.key, app.rooms.store());
    let state = store.moderated_state(key).await?;
    let rows = ModeratedRows {
        former_names: store.former_names(key).await?,
        reports: store.reports_about(key).await?,
        warnings: store.warnings(key).await?,
        suspicions: store.suspicions_about(key).await?,
        appeal: store.appeal_of(key).await?,
        log: store.mod_log(profile.account.id.clone()).await?,
        origins: match is_protected(&profile) {
            true => [Vec::new(), Vec::new()],
            false => shared_origins(app, key).await?,
        },
    };
    let can_change = !is_protected(&profile);
    Ok(Json(ModeratedUserOut::new(profile, state, rows, can_change)))
}

/// Returns whether only the subcommand can change an account.
fn is_protected(profile: &Profile) -> bool {
    let account = &profile.account;
    profile.admin || account.level.is_some() || account.name.starts_with(ERASED_NAME_PREFIX)
}

/// Returns the moderator of an action with its reason.
///
/// # Errors
/// The reason is empty or too long.
pub(super) fn moderator_with_reason(account: Account, reason: &str) -> Result<Moderator, Error> {
    let reason = sanitize(reason);
    if !(1..=REASON_CHARS_MAX).contains(&reason.chars().count()) {
        let why = format!("`reason` has 1 to {REASON_CHARS_MAX} characters.");
        return Err(invalid_field(why));
    }
    Ok(Moderator { name: account.name, reason, account: Some(account.key) })
}

/// Reason and time of a moderator action.
#[derive(Deserialize, ToSchema)]
pub struct ModActionForm {
    /// Why, for other moderators: 1 to 500 characters.
    #[serde(default)]
    pub reason: String,
    /// For `mute` and `close`: number of days, 1 to 365. Without it, the action has no end. Guests
    /// are closed without an end.
    pub days: Option<i64>,
    /// Required by `resolve`: number of the last report that is resolved.
    pub last: Option<i64>,
}

impl ModActionForm {
    /// Checks the number of days of an action, which may have an end or not.
    fn check_days(&self, can_end: bool) -> Result<(), Error> {
        match self.days {
            Some(_) if !can_end => {
                Err(invalid_field("This action is not for a time: omit `days`.".to_owned()))
            }
            days => check_days(days),
        }
    }
}

/// Checks the number of days after which an action ends, if it has an end.
pub(super) fn check_days(days: Option<i64>) -> Result<(), Error> {
    match days {
        Some(days) if !MOD_ACTION_DAYS.contains(&days) => {
            let (min, max) = MOD_ACTION_DAYS.into_inner();
            Err(invalid_field(format!("`days` is a number from {min} to {max}.")))
        }
        _ => Ok(()),
    }
}

/// Takes an action on an account, which is logged. Only for moderators.
///
/// `action` is `mute`, `unmute`, `close`, `reopen`, `decline-appeal`, `clear-profile` or `note`. It
/// takes effect within a second.
#[utoipa::path(post, path = "/admin/user/{username}/{action}", operation_id = "moderate",
    tag = "moderation", params(("username" = String, Path), ("action" = String, Path)),
    request_body = ModActionForm,
    responses((status = 200, body = ModeratedUserOut), (status = "4XX", body = ErrorBody)))]
pub async fn moderate(
    State(app): State<App>,
    viewer: Viewer,
    Path((name, action)): Path<(String, String)>,
    FormFields(form): FormFields<ModActionForm>,
) -> Result<Json<ModeratedUserOut>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let action = ACTIONS.into_iter().find(|known| known.as_str() == action);
    let action = action.ok_or(Error::NotFound)?;
    let (moderator, now_ms) = (moderator_with_reason(account, &form.reason)?, now_ms());
    form.check_days(action.can_end())?;
    let profile = load_profile(&app, &name).await?;
    if is_protected(&profile) && action != ModAction::Note {
        return Err(Error::ProtectedAccount);
    }
    let id = profile.account.id;
    let action = LimitedAction::new(action, form.days, now_ms);
    if !app.rooms.store().moderate(id.clone(), action, moderator, now_ms).await? {
        return Err(Error::NotFound);
    }
    load_user(&app, &id).await
}

/// Resolves the open reports about an account with numbers up to `last`. Only for moderators.
#[utoipa::path(post, path = "/admin/user/{username}/resolve", operation_id = "resolveReports",
    tag = "moderation", params(("username" = String, Path)), request_body = ModActionForm,
    responses((status = 200, body = ModeratedUserOut), (status = "4XX", body = ErrorBody)))]
pub async fn resolve(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    FormFields(form): FormFields<ModActionForm>,
) -> Result<Json<ModeratedUserOut>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let moderator = moderator_with_reason(account, &form.reason)?;
    form.check_days(false)?;
    let last = form.last.ok_or_else(|| invalid_field("`last` is required.".to_owned()))?;
    let profile = load_profile(&app, &name).await?;
    let key = profile.account.key;
    if moderator.account == Some(key) {
        return Err(Error::OwnAccount);
    }
    app.rooms.store().resolve_reports_about(key, last, moderator, now_ms()).await?;
    load_user(&app, &profile.account.id).await
}

/// Warning of an account.
#[derive(Deserialize, ToSchema)]
pub struct WarnForm {
    /// Why, for other moderators: 1 to 500 characters.
    #[serde(default)]
    pub reason: String,
    /// Text for the player: 1 to 500 characters.
    #[serde(default)]
    pub text: String,
}

/// Warns an account or guest: a text that its player has to confirm as read; the action is logged.
/// At most 5 warnings can be unread. Only for moderators.
#[utoipa::path(post, path = "/admin/user/{username}/warn", operation_id = "warn",
    tag = "moderation", params(("username" = String, Path)), request_body = WarnForm,
    responses((status = 200, body = ModeratedUserOut), (status = "4XX", body = ErrorBody)))]
pub async fn warn(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    FormFields(form): FormFields<WarnForm>,
) -> Result<Json<ModeratedUserOut>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let moderator = moderator_with_reason(account, &form.reason)?;
    let text = sanitize(&form.text);
    if !(1..=WARNING_CHARS_MAX).contains(&text.chars().count()) {
        return Err(invalid_field(format!("`text` has 1 to {WARNING_CHARS_MAX} characters.")));
    }
    let Account { key, id, .. } = load_profile(&app, &name).await?.account;
    app.rooms.store().warn(key, text, moderator, now_ms()).await?;
    load_user(&app, &id).await
}

/// New name of an account.
#[derive(Deserialize, ToSchema)]
pub struct RenameForm {
    /// Why, for other moderators: 1 to 500 characters.
    #[serde(default)]
    pub reason: String,
    /// New name. Without it, the name is `player-` with digits.
    pub name: Option<String>,
}

/// Gives an account another name, of which a warning informs its player; the action is logged. For
/// 30 days, other accounts cannot have the former name, and the player can log in with it. Only for
/// moderators.
#[utoipa::path(post, path = "/admin/user/{username}/rename", operation_id = "rename",
    tag = "moderation", params(("username" = String, Path)), request_body = RenameForm,
    responses((status = 200, body = ModeratedUserOut), (status = "4XX", body = ErrorBody)))]
pub async fn rename(
    State(app): State<App>,
    viewer: Viewer,
    Path(name): Path<String>,
    FormFields(form): FormFields<RenameForm>,
) -> Result<Json<ModeratedUserOut>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let moderator = moderator_with_reason(account, &form.reason)?;
    if let Some(new_name) = &form.name {
        validate(new_name)?;
    }
    let profile = load_profile(&app, &name).await?;
    if is_protected(&profile) {
        return Err(Error::ProtectedAccount);
    }
    let key = profile.account.key;
    let renamed = app.rooms.store().rename(key, form.name, moderator, now_ms()).await?;
    load_user(&app, &renamed.ok_or(Error::NotFound)?).await
}

/// Returns the messages of both chats of a game, without those of spectators while the moderator
/// plays in it. Only for moderators.
#[utoipa::path(get, path = "/admin/game/{id}/chat", operation_id = "moderatedChat",
    tag = "moderation", params(("id" = String, Path)),
    responses((status = 200, body = Vec<AdminChatOut>), (status = "4XX", body = ErrorBody)))]
pub async fn chat(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
) -> Result<Json<Vec<AdminChatOut>>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let snapshot = app.rooms.snapshot(&parse_id(&id)?).await?;
    Ok(Json(shown_chat(snapshot, account.key).map(AdminChatOut::from).collect()))
}

/// Returns the chat lines that a moderator sees: who plays does not see those of the spectators.
fn shown_chat(snapshot: GameSnapshot, moderator: AccountKey) -> impl Iterator<Item = ChatMessage> {
    let plays = snapshot.row.result.is_none() && snapshot.row.side_of(moderator).is_some();
    let is_shown = move |line: &ChatMessage| {
        !line.name.is_empty() && (!plays || line.room == ChatRoom::Player)
    };
    snapshot.chat.into_iter().filter(is_shown)
}

/// Reason of a moderator action.
#[derive(Deserialize, ToSchema)]
pub struct ModReasonForm {
    /// Why, for other moderators: 1 to 500 characters.
    #[serde(default)]
    pub reason: String,
}

/// Deletes the text of a message of a game's chat, by its number, from the game and its log; the
/// action is logged. Only for moderators.
#[utoipa::path(post, path = "/admin/game/{id}/chat/{number}/delete",
    operation_id = "deleteChatMessage", tag = "moderation",
    params(("id" = String, Path), ("number" = i64, Path)), request_body = ModReasonForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn delete_chat(
    State(app): State<App>,
    viewer: Viewer,
    Path((id, number)): Path<(String, String)>,
    FormFields(form): FormFields<ModReasonForm>,
) -> Result<Json<Done>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let (id, key) = (parse_id(&id)?, account.key);
    let moderator = moderator_with_reason(account, &form.reason)?;
    let number = number.parse().map_err(|_| Error::NotFound)?;
    if !shown_chat(app.rooms.snapshot(&id).await?, key).any(|line| line.seq == number) {
        return Err(Error::NotFound);
    }
    match app.rooms.delete_chat(&id, number, moderator).await? {
        ChatDeletion::Requested(_) => Ok(Json(DONE)),
        ChatDeletion::NoLine => Err(Error::NotFound),
        ChatDeletion::Protected => Err(Error::ProtectedAccount),
    }
}

/// Voids a rated game that has ended, which is logged: each player's rating moves back by what the
/// game changed, and the game no longer counts. Only for moderators, and not for the players.
#[utoipa::path(post, path = "/admin/game/{id}/void", operation_id = "voidGame", tag = "moderation",
    params(("id" = String, Path)), request_body = ModReasonForm,
    responses((status = 200, body = Done), (status = "4XX", body = ErrorBody)))]
pub async fn void_game(
    State(app): State<App>,
    viewer: Viewer,
    Path(id): Path<String>,
    FormFields(form): FormFields<ModReasonForm>,
) -> Result<Json<Done>, Error> {
    let account = require_moderator(&app, viewer).await?;
    let id = parse_id(&id)?;
    let moderator = moderator_with_reason(account, &form.reason)?;
    app.rooms.store().void_game(id, moderator, now_ms()).await?;
    Ok(Json(DONE))
}

/// Returns the last actions of moderators, newest first. Only for moderators.
#[utoipa::path(get, path = "/admin/log", operation_id = "moderatorLog", tag = "moderation",
    responses((status = 200, body = Vec<ModLogOut>), (status = "4XX", body = ErrorBody)))]
pub async fn log(State(app): State<App>, viewer: Viewer) -> Result<Json<Vec<ModLogOut>>, Error> {
    require_moderator(&app, viewer).await?;
    let entries = app.rooms.store().mod_log(String::new()).await?;
    Ok(Json(entries.into_iter().map(ModLogOut::from).collect()))
}

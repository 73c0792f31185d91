//! The moderators' page as JSON. Caller: `api::moderation`.

use crate::http::messages::SuspicionOut;
use crate::play::commit_reveal::to_hex;
use crate::play::event::{ChatMessage, ChatRoom};
use crate::store::{
    Appeal, Ban, BanTarget, ModLogEntry, ModeratedState, Origin, Profile, Report, ReportQueuePage,
    ReportedPerson, SharingAccount, Suspicion, Warning,
};
use serde::Serialize;
use utoipa::ToSchema;

/// Page of players with open reports.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportQueueOut {
    page: usize,
    people: Vec<ReportedPersonOut>,
    /// Whether there is another page.
    has_more: bool,
}

impl ReportQueueOut {
    pub fn new(page: usize, ReportQueuePage { people, has_more }: ReportQueuePage) -> Self {
        let people = people.into_iter().map(ReportedPersonOut::from).collect();
        ReportQueueOut { page, people, has_more }
    }
}

/// Player with open reports.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportedPersonOut {
    id: String,
    name: String,
    guest: bool,
    muted: bool,
    closed: bool,
    /// Number of open reports.
    reports: i64,
    /// Number of different reporters.
    reporters: i64,
    /// Time of the first open report, in epoch milliseconds.
    first_at: i64,
}

impl From<ReportedPerson> for ReportedPersonOut {
    fn from(person: ReportedPerson) -> ReportedPersonOut {
        let ReportedPerson { id, name, guest, muted, closed, reports, reporters, first_ms } =
            person;
        let first_at = first_ms;
        ReportedPersonOut { id, name, guest, muted, closed, reports, reporters, first_at }
    }
}

/// Account as moderators see it.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModeratedUserOut {
    id: String,
    name: String,
    /// Names that moderators have replaced in the last 30 days, newest first.
    former_names: Vec<String>,
    guest: bool,
    bot: bool,
    /// Whether the page can change the account.
    can_change: bool,
    created_at: i64,
    seen_at: i64,
    bio: String,
    location: String,
    muted: bool,
    /// End of the mute; without it, the mute is for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    unmutes_at: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    closed_at: Option<i64>,
    /// End of the closing; without it, the account is closed for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    reopens_at: Option<i64>,
    /// Open reports first, then the newest.
    reports: Vec<ReportAboutOut>,
    /// Warnings, newest first.
    warnings: Vec<WarningOut>,
    /// Open findings of the fair play reports, newest first.
    suspicions: Vec<SuspicionOut>,
    /// Appeal against the closing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    appeal: Option<ClosingAppealOut>,
    /// Networks of the last sessions, last used first.
    addresses: Vec<SharedOriginOut>,
    /// Devices of the last sessions.
    devices: Vec<SharedOriginOut>,
    /// Actions of moderators, newest first.
    log: Vec<ModLogOut>,
}

/// Rows about an account that moderators see.
pub struct ModeratedRows {
    pub former_names: Vec<String>,
    pub reports: Vec<Report>,
    pub warnings: Vec<Warning>,
    pub suspicions: Vec<Suspicion>,
    pub appeal: Option<Appeal>,
    pub log: Vec<ModLogEntry>,
    /// Networks, and devices.
    pub origins: [Vec<SharedOriginOut>; 2],
}

impl ModeratedUserOut {
    pub fn new(
        profile: Profile,
        state: ModeratedState,
        rows: ModeratedRows,
        can_change: bool,
    ) -> ModeratedUserOut {
        let ModeratedRows { former_names, reports, warnings, suspicions, appeal, log, origins } =
            rows;
        let [addresses, devices] = origins;
        let Profile { account, created_ms, seen_ms, closed_ms, bio, location, .. } = profile;
        ModeratedUserOut {
            id: account.id,
            name: account.name,
            former_names,
            guest: account.guest,
            bot: account.bot,
            can_change,
            created_at: created_ms,
            seen_at: seen_ms,
            bio,
            location,
            muted: state.muted,
            unmutes_at: state.unmute_ms,
            closed_at: closed_ms,
            reopens_at: state.reopen_ms,
            reports: reports.into_iter().map(ReportAboutOut::from).collect(),
            warnings: warnings.into_iter().map(WarningOut::from).collect(),
            suspicions: suspicions.into_iter().map(SuspicionOut::from).collect(),
            appeal: appeal.map(ClosingAppealOut::from),
            addresses,
            devices,
            log: log.into_iter().map(ModLogOut::from).collect(),
        }
    }
}

/// Network or device of an account, with the accounts that share it.
#[derive(Serialize, ToSchema)]
pub struct SharedOriginOut {
    /// Address, or hash of the id of the device.
    id: String,
    /// At most 20 other accounts with sessions there.
    accounts: Vec<SharingAccountOut>,
    /// Ban, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ban: Option<BanOut>,
}

impl From<Origin> for SharedOriginOut {
    fn from(Origin { target, accounts, ban }: Origin) -> SharedOriginOut {
        let id = match target {
            BanTarget::Network(network) => network,
            BanTarget::Device(hash) => to_hex(&hash),
        };
        let accounts = accounts.into_iter().map(SharingAccountOut::from).collect();
        SharedOriginOut { id, accounts, ban: ban.map(BanOut::from) }
    }
}

/// Account with sessions of the same network or device.
#[derive(Serialize, ToSchema)]
pub struct SharingAccountOut {
    id: String,
    name: String,
}

impl From<SharingAccount> for SharingAccountOut {
    fn from(SharingAccount { id, name }: SharingAccount) -> SharingAccountOut {
        SharingAccountOut { id, name }
    }
}

/// Ban of an address or a device.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct BanOut {
    number: i64,
    at: i64,
    /// Banned address; absent for a device.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    address: Option<String>,
    /// Hash of the id of the banned device; absent for an address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    device: Option<String>,
    /// Id and name of the account whose address or device it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    about_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    about: Option<String>,
    /// End; without it, the ban is for good.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    until: Option<i64>,
    /// Name; empty for erased accounts.
    moderator: String,
    reason: String,
}

impl From<Ban> for BanOut {
    fn from(ban: Ban) -> BanOut {
        BanOut {
            number: ban.seq,
            at: ban.created_ms,
            address: ban.network,
            device: ban.device.map(|hash| to_hex(&hash)),
            about_id: ban.about_id,
            about: ban.about,
            until: ban.until_ms,
            moderator: ban.moderator,
            reason: ban.reason,
        }
    }
}

/// Warning of a moderator.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct WarningOut {
    /// `message`, or `renamed`: a moderator has changed the name of the account.
    kind: String,
    /// Text for the player; for `renamed`, the new name.
    text: String,
    at: i64,
    /// Time at which the player has confirmed it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    read_at: Option<i64>,
}

impl From<Warning> for WarningOut {
    fn from(Warning { kind, text, created_ms, read_ms, .. }: Warning) -> WarningOut {
        WarningOut { kind, text, at: created_ms, read_at: read_ms }
    }
}

/// Appeal against the closing of an account.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ClosingAppealOut {
    /// Id and name of the player.
    id: String,
    name: String,
    text: String,
    at: i64,
    /// Time at which a moderator has declined it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    declined_at: Option<i64>,
}

impl From<Appeal> for ClosingAppealOut {
    fn from(Appeal { id, name, text, created_ms, declined_ms }: Appeal) -> ClosingAppealOut {
        ClosingAppealOut { id, name, text, at: created_ms, declined_at: declined_ms }
    }
}

/// Report about a player.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ReportAboutOut {
    number: i64,
    reporter: String,
    /// Whether the reporter is a guest.
    by_guest: bool,
    reason: String,
    text: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    game: Option<String>,
    created_at: i64,
    /// Whether a moderator has resolved it.
    done: bool,
}

impl From<Report> for ReportAboutOut {
    fn from(report: Report) -> ReportAboutOut {
        let Report { seq, reporter, by_guest, reason, text, game, created_ms, is_done, .. } =
            report;
        ReportAboutOut {
            number: seq,
            reporter,
            by_guest,
            reason,
            text,
            game,
            created_at: created_ms,
            done: is_done,
        }
    }
}

/// Action of a moderator.
#[derive(Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct ModLogOut {
    number: i64,
    at: i64,
    /// Such as `mute`.
    action: String,
    /// Id and name of the account concerned, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    about_id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    about: Option<String>,
    /// Number of the report that was resolved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    report: Option<i64>,
    /// Id of the game that was voided, or of that of a chat line.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    game: Option<String>,
    /// Number of the ban.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    ban: Option<i64>,
    /// End of the action, if it is for a time.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    until: Option<i64>,
    /// Name; `sprong` for ends of other actions, empty for erased accounts.
    moderator: String,
    reason: String,
}

impl From<ModLogEntry> for ModLogOut {
    fn from(entry: ModLogEntry) -> ModLogOut {
        ModLogOut {
            number: entry.seq,
            at: entry.at_ms,
            action: entry.action,
            about_id: entry.about_id,
            about: entry.about,
            report: entry.report,
            game: entry.game,
            ban: entry.ban,
            until: entry.until_ms,
            moderator: entry.moderator,
            reason: entry.reason,
        }
    }
}

/// Message of a chat of a game.
#[derive(Serialize, ToSchema)]
pub struct AdminChatOut {
    /// Sequence number in the log of the game.
    number: i64,
    /// Number of plies played at that time.
    ply: usize,
    at: i64,
    room: ChatRoom,
    name: String,
    text: String,
    /// Whether a moderator has deleted the text, which is empty then.
    deleted: bool,
}

impl From<ChatMessage> for AdminChatOut {
    fn from(message: ChatMessage) -> AdminChatOut {
        let ChatMessage { seq, ply, at_ms, room, name, text } = message;
        let deleted = text.is_empty();
        AdminChatOut { number: seq, ply, at: at_ms, room, name, text, deleted }
    }
}

//! Subcommand of the moderators. Caller: `program`.

use super::bans::{ban_address, ban_device, lift_ban, print_bans, print_origins};
use super::failure::{Failure, find, unknown_player};
use super::games::print_games;
use super::time_text::time;
use super::{game_nights, limits, suspicions};
use crate::config::{self, AdminCommand, SlowModeState};
use crate::http::Token;
use crate::play::event::{ChatRoom, Event};
use crate::play::name::validate;
use crate::play::text::sanitize;
use crate::rooms::now_ms;
use crate::store::{
    Appeal, Arrivals, ChatDeletion, DatabaseAddress, GameRow, LimitedAction, ModAction,
    ModLogEntry, Moderator, PublicId, RegisterError, Report, ReportedPerson, Store, VoidError,
    WARNING_CHARS_MAX, WarnError, Warning,
};
use std::io::{self, Write};

/// Executes a moderator command on the database. A running server applies it to connected users
/// within a second.
///
/// # Errors
/// A sentence for the user: unknown player or report, or a database or output error.
pub async fn admin(
    database: &DatabaseAddress,
    config::Admin { by, reason, command }: config::Admin,
    mut output: impl Write,
) -> Result<(), String> {
    let store =
        Store::open_shared(database).await.map_err(|error| error.with_database(database))?;
    let moderator = Moderator { name: by.unwrap_or_else(user_name), reason, account: None };
    let done = execute(&store, moderator, command, &mut output).await;
    store.close().await;
    done.map_err(|failure| match failure {
        Failure::Store(error) => error.with_database(database),
        Failure::Output(error) => error.to_string(),
        Failure::Unknown(sentence) => sentence,
    })
}

async fn execute(
    store: &Store,
    moderator: Moderator,
    command: AdminCommand,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let (name, action, days) = match command {
        AdminCommand::Reports => return print_reports(&store.reports().await?, output),
        AdminCommand::Queue { guests, page } => {
            return print_queue(store, guests, page, output).await;
        }
        AdminCommand::Show { name } => return print_account(store, &name, output).await,
        AdminCommand::Chat { game } => return print_chat(store, &game, output).await,
        AdminCommand::DeleteChat { game, number } => {
            return delete_chat(store, &game, number, moderator).await;
        }
        AdminCommand::VoidGame { game } => return void_game(store, &game, moderator, output).await,
        AdminCommand::Log { name } => return print_log(store, name, output).await,
        AdminCommand::Resolve { report } => return resolve(store, report, moderator).await,
        AdminCommand::ResolveAll { name } => {
            return resolve_all(store, &name, moderator, output).await;
        }
        AdminCommand::ResetLink { name, public_origin } => {
            return reset_link(store, &name, &public_origin, moderator, output).await;
        }
        AdminCommand::RemoveSecondFactor { name } => {
            return remove_second_factor(store, &name, moderator, output).await;
        }
        AdminCommand::Warn { name, text } => return warn(store, &name, &text, moderator).await,
        AdminCommand::Rename { name, new_name } => {
            return rename(store, &name, new_name, moderator, output).await;
        }
        AdminCommand::Appeals => return print_appeals(store, output).await,
        AdminCommand::Arrivals => return print_arrivals(store, output).await,
        AdminCommand::StopArrivals { kind } => {
            return set_stopped(store, kind, true, moderator, output).await;
        }
        AdminCommand::AllowArrivals { kind } => {
            return set_stopped(store, kind, false, moderator, output).await;
        }
        AdminCommand::SlowMode { state } => {
            return set_slow_mode(store, state, moderator, output).await;
        }
        AdminCommand::BanAddress { address, terms } => {
            return ban_address(store, address, terms, moderator, output).await;
        }
        AdminCommand::BanDevice { of, device, terms } => {
            return ban_device(store, &of, device, terms, moderator, output).await;
        }
        AdminCommand::LiftBan { number } => return lift_ban(store, number, moderator).await,
        AdminCommand::Bans => return print_bans(store, output).await,
        AdminCommand::Limit(command) => {
            return limits::execute(store, moderator, command, output).await;
        }
        AdminCommand::Suspicion(command) => {
            return suspicions::execute(store, moderator, command, output).await;
        }
        AdminCommand::GameNight(command) => {
            return game_nights::execute(store, moderator, command, output).await;
        }
        AdminCommand::Mute { name, days } => (name, ModAction::Mute, days),
        AdminCommand::Unmute { name } => (name, ModAction::Unmute, None),
        AdminCommand::Close { name, days } => (name, ModAction::Close, days),
        AdminCommand::Reopen { name } => (name, ModAction::Reopen, None),
        AdminCommand::Erase { name } => (name, ModAction::Erase, None),
        AdminCommand::ClearProfile { name } => (name, ModAction::ClearProfile, None),
        AdminCommand::DeclineAppeal { name } => (name, ModAction::DeclineAppeal, None),
        AdminCommand::Note { name } => (name, ModAction::Note, None),
        AdminCommand::GrantAdmin { name } => (name, ModAction::GrantAdmin, None),
        AdminCommand::RevokeAdmin { name } => (name, ModAction::RevokeAdmin, None),
    };
    moderate(store, &name, (action, days), moderator, output).await
}

async fn moderate(
    store: &Store,
    name: &str,
    (action, days): (ModAction, Option<i64>),
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let now_ms = now_ms();
    let limited = LimitedAction::new(action, days, now_ms);
    if store.moderate(name.to_ascii_lowercase(), limited, moderator, now_ms).await? {
        return Ok(writeln!(output, "{name}: {}", action.as_str())?);
    }
    Err(match action {
        ModAction::DeclineAppeal => Failure::Unknown(format!("{name} has no open appeal")),
        _ => unknown_player(name),
    })
}

async fn resolve(store: &Store, report: i64, moderator: Moderator) -> Result<(), Failure> {
    match store.resolve_report(report, moderator, now_ms()).await? {
        true => Ok(()),
        false => Err(Failure::Unknown(format!("there is no open report {report}"))),
    }
}

async fn resolve_all(
    store: &Store,
    name: &str,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let key = find(store, name).await?.account.key;
    let resolved = store.resolve_reports_about(key, i64::MAX, moderator, now_ms()).await?;
    Ok(writeln!(output, "{name}: {resolved} reports resolved")?)
}

async fn reset_link(
    store: &Store,
    name: &str,
    public_origin: &str,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let (token, id) = (Token::random(), name.to_ascii_lowercase());
    let found = store.add_reset_link(&id, token.hash(), moderator, now_ms()).await?;
    let Some(account) = found else {
        let sentence = format!("there is no account {name:?} that can log in");
        return Err(Failure::Unknown(sentence));
    };
    Ok(writeln!(output, "{}: {public_origin}/reset#{}", account.name, token.text())?)
}

async fn remove_second_factor(
    store: &Store,
    name: &str,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let account = find(store, name).await?.account;
    if !store.remove_second_factor(account.key, moderator, now_ms()).await? {
        return Err(Failure::Unknown(format!("{} has no two-step login", account.name)));
    }
    Ok(writeln!(output, "{}: remove-second-factor", account.name)?)
}

async fn warn(store: &Store, name: &str, text: &str, moderator: Moderator) -> Result<(), Failure> {
    let account = find(store, name).await?.account;
    let text = sanitize(text);
    if !(1..=WARNING_CHARS_MAX).contains(&text.chars().count()) {
        let sentence = format!("a warning has 1 to {WARNING_CHARS_MAX} characters");
        return Err(Failure::Unknown(sentence));
    }
    store.warn(account.key, text, moderator, now_ms()).await.map_err(|error| match error {
        WarnError::Store(error) => Failure::Store(error),
        WarnError::Protected => Failure::Unknown(format!("{} reads no warnings", account.name)),
        WarnError::TooMany => {
            Failure::Unknown(format!("{} has too many unread warnings", account.name))
        }
    })
}

async fn rename(
    store: &Store,
    name: &str,
    new_name: Option<String>,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let account = find(store, name).await?.account;
    if let Some(new_name) = &new_name {
        validate(new_name).map_err(|error| Failure::Unknown(error.to_string()))?;
    }
    let renamed = store.rename(account.key, new_name, moderator, now_ms()).await;
    match renamed {
        Ok(Some(new_name)) => Ok(writeln!(output, "{}: {new_name}", account.name)?),
        Ok(None) => Err(unknown_player(name)),
        Err(RegisterError::Store(error)) => Err(error.into()),
        Err(refused) => Err(Failure::Unknown(refused.to_string())),
    }
}

async fn set_stopped(
    store: &Store,
    kind: Arrivals,
    is_stopped: bool,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    store.set_stopped(vec![(kind, is_stopped)], moderator, now_ms()).await?;
    print_arrivals(store, output).await
}

async fn set_slow_mode(
    store: &Store,
    state: Option<SlowModeState>,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    if let Some(state) = state {
        store.set_slow_mode(state == SlowModeState::On, moderator, now_ms()).await?;
    }
    print_slow_mode(store, output).await
}

async fn print_slow_mode(store: &Store, output: &mut impl Write) -> Result<(), Failure> {
    let state = if store.is_slow_mode_on().await? { "on" } else { "off" };
    Ok(writeln!(output, "slow mode: {state}")?)
}

async fn print_arrivals(store: &Store, output: &mut impl Write) -> Result<(), Failure> {
    for kind in Arrivals::ALL {
        let state = if store.is_stopped(kind).await? { "stopped" } else { "allowed" };
        writeln!(output, "{}: {state}", kind.as_str())?;
    }
    print_slow_mode(store, output).await
}

/// Returns the name of the user of the operating system, of the one who called `sudo` if so.
fn user_name() -> String {
    let set = ["SUDO_USER", "USER", "LOGNAME"].iter().find_map(|key| std::env::var(key).ok());
    set.unwrap_or_else(|| "unknown".to_owned())
}

// Names and texts of users are escaped, so that they cannot contain terminal control sequences.

fn print_reports(reports: &[Report], output: &mut impl Write) -> Result<(), Failure> {
    for report in reports {
        let Report { seq, reporter, by_guest, about, reason, text, game, created_ms, is_done } =
            report;
        let (at, game) = (time(*created_ms)?, game.as_deref().unwrap_or("-"));
        let by = if *by_guest { "by guest" } else { "by" };
        let done = if *is_done { "\tresolved" } else { "" };
        writeln!(output, "{seq}\t{at}\t{about}\t{reason}\tgame {game}\t{by} {reporter}{done}")?;
        if !text.is_empty() {
            writeln!(output, "\t{}", text.escape_debug())?;
        }
    }
    Ok(())
}

async fn print_queue(
    store: &Store,
    guests: bool,
    page: u16,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let queue = store.report_queue(guests, usize::from(page) - 1).await?;
    for ReportedPerson { id, name, guest, muted, closed, reports, reporters, first_ms, .. } in
        queue.people
    {
        // Guests have ids of another form, which the commands take.
        let (at, name) = (time(first_ms)?, if guest { id } else { name });
        let muted = if muted { "\tmuted" } else { "" };
        let closed = if closed { "\tclosed" } else { "" };
        writeln!(output, "{name}\t{reports} by {reporters}\tfirst {at}{muted}{closed}")?;
    }
    if queue.has_more {
        writeln!(output, "--page {}", page + 1)?;
    }
    Ok(())
}

async fn print_account(store: &Store, name: &str, output: &mut impl Write) -> Result<(), Failure> {
    let profile = find(store, name).await?;
    let account = profile.account;
    let state = store.moderated_state(account.key).await?;
    let guest = if account.guest { "\tguest" } else { "" };
    let bot = if account.bot { "\tBOT" } else { "" };
    let (since, seen) = (time(profile.created_ms)?, time(profile.seen_ms)?);
    writeln!(output, "{}{guest}{bot}\tsince {since}\tseen {seen}", account.name)?;
    for former_name in store.former_names(account.key).await? {
        writeln!(output, "formerly {former_name}")?;
    }
    let until = |at_ms: Option<i64>| match at_ms {
        Some(at_ms) => Ok::<_, io::Error>(format!("until {}", time(at_ms)?)),
        None => Ok("without end".to_owned()),
    };
    if state.muted {
        writeln!(output, "muted {}", until(state.unmute_ms)?)?;
    }
    if profile.closed_ms.is_some() {
        writeln!(output, "closed {}", until(state.reopen_ms)?)?;
    }
    for text in [profile.bio, profile.location] {
        if !text.is_empty() {
            writeln!(output, "\t{}", text.escape_debug())?;
        }
    }
    if let Some(appeal) = store.appeal_of(account.key).await? {
        print_appeal(&appeal, output)?;
    }
    for warning in store.warnings(account.key).await? {
        print_warning(&warning, output)?;
    }
    print_origins(store, account.key, output).await?;
    print_reports(&store.reports_about(account.key).await?, output)?;
    suspicions::print_suspicions(&store.suspicions_about(account.key).await?, output)?;
    print_games(store, account.key, output).await?;
    let entries = store.mod_log(account.id).await?;
    Ok(entries.iter().try_for_each(|entry| print_entry(entry, output))?)
}

fn print_warning(warning: &Warning, output: &mut impl Write) -> Result<(), Failure> {
    let Warning { kind, text, created_ms, read_ms, .. } = warning;
    let read = read_ms.map(time).transpose()?;
    let read = read.map_or_else(|| "unread".to_owned(), |at| format!("read {at}"));
    let what = if kind == "renamed" { "told the new name" } else { "warned" };
    Ok(writeln!(output, "{what} {}\t{read}\n\t{}", time(*created_ms)?, text.escape_debug())?)
}

async fn print_appeals(store: &Store, output: &mut impl Write) -> Result<(), Failure> {
    let appeals = store.open_appeals().await?;
    appeals.iter().try_for_each(|appeal| print_appeal(appeal, output))
}

fn print_appeal(appeal: &Appeal, output: &mut impl Write) -> Result<(), Failure> {
    let Appeal { name, text, created_ms, declined_ms, .. } = appeal;
    let declined = declined_ms.map(time).transpose()?;
    let declined = declined.map_or_else(String::new, |at| format!("\tdeclined {at}"));
    let at = time(*created_ms)?;
    Ok(writeln!(output, "{name}\tappeal {at}{declined}\n\t{}", text.escape_debug())?)
}

async fn find_game(store: &Store, game: &str) -> Result<GameRow, Failure> {
    let unknown = || Failure::Unknown(format!("there is no game {game:?}"));
    let id: PublicId = game.parse().map_err(|()| unknown())?;
    store.game(&id).await?.ok_or_else(unknown)
}

async fn delete_chat(
    store: &Store,
    game: &str,
    number: i64,
    moderator: Moderator,
) -> Result<(), Failure> {
    let row = find_game(store, game).await?;
    let log = store.events_beside_server(row.key).await?;
    match store.request_chat_deletion(&row, &log, number, moderator, now_ms()).await? {
        ChatDeletion::Requested(_) => Ok(()),
        ChatDeletion::NoLine | ChatDeletion::Protected => {
            Err(Failure::Unknown(format!("game {game} has no chat line {number}")))
        }
    }
}

async fn void_game(
    store: &Store,
    game: &str,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let id = find_game(store, game).await?.id;
    match store.void_game(id, moderator, now_ms()).await {
        Ok(()) => Ok(writeln!(output, "{game}: void-game")?),
        Err(VoidError::Store(error)) => Err(error.into()),
        Err(refused) => Err(Failure::Unknown(format!("game {game}: {refused}"))),
    }
}

async fn print_chat(store: &Store, game: &str, output: &mut impl Write) -> Result<(), Failure> {
    let row = find_game(store, game).await?;
    for (logged, _) in store.events_beside_server(row.key).await? {
        let Event::Said { room, name, text } = logged.event else { continue };
        if name.is_empty() {
            continue;
        }
        let room = match room {
            ChatRoom::Player => "players",
            ChatRoom::Spectator => "spectators",
        };
        let (at, number) = (time(logged.at_ms)?, logged.seq);
        let text =
            if text.is_empty() { "(deleted)".to_owned() } else { text.escape_debug().to_string() };
        writeln!(output, "{number}\t{at}\t{room}\t{}\t{text}", name.escape_debug())?;
    }
    Ok(())
}

async fn print_log(
    store: &Store,
    name: Option<String>,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let entries = store.mod_log(name.unwrap_or_default().to_ascii_lowercase()).await?;
    Ok(entries.iter().try_for_each(|entry| print_entry(entry, output))?)
}

fn print_entry(entry: &ModLogEntry, output: &mut impl Write) -> io::Result<()> {
    let ModLogEntry {
        seq,
        at_ms,
        about,
        action,
        report,
        game,
        ban,
        until_ms,
        moderator,
        reason,
        ..
    } = entry;
    let at = time(*at_ms)?;
    let report = report.map_or_else(String::new, |report| format!(" {report}"));
    let game = game.as_ref().map_or_else(String::new, |game| format!(" {game}"));
    let ban = ban.map_or_else(String::new, |ban| format!(" {ban}"));
    let until = until_ms.map(time).transpose()?;
    let until = until.map_or_else(String::new, |at| format!(" until {at}"));
    let (moderator, reason) = (moderator.escape_debug(), reason.escape_debug());
    let about = about.as_deref().unwrap_or("-");
    writeln!(
        output,
        "{seq}\t{at}\t{action}{report}{game}{ban}{until}\t{about}\tby {moderator}\t{reason}"
    )
}

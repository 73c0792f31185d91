//! Bans of networks and devices in the subcommand of the moderators. Caller: `admin`.

use super::failure::{Failure, find};
use super::time_text::time;
use crate::config::{self, BanTerms};
use crate::http::network_of;
use crate::play::clock::DAY_MS;
use crate::play::commit_reveal::to_hex;
use crate::rooms::now_ms;
use crate::store::{AccountKey, Ban, BanError, BanTarget, Moderator, NewBan, Origin, Store};
use std::io::Write;
use std::net::IpAddr;

/// Characters of the hash of a device that tell it from others.
const DEVICE_CHARS: usize = 8;

/// Bans a network, of which a running server needs no notice.
pub(super) async fn ban_address(
    store: &Store,
    address: config::BannedAddress,
    terms: BanTerms,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let (network, account) = match (address.address, address.of) {
        (Some(address), _) => (network_of(address).to_string(), None),
        (None, name) => {
            let name = name.unwrap_or_default();
            let key = find(store, &name).await?.account.key;
            let sessions = store.sessions(key, now_ms()).await?;
            let mut networks = sessions.into_iter().map(|session| session.network);
            let network = networks.find(|network| !network.is_empty());
            let unknown = || Failure::Unknown(format!("{name} has no stored address"));
            (network.ok_or_else(unknown)?, Some(key))
        }
    };
    if !terms.force && network.parse().is_ok_and(is_local) {
        let sentence = format!("{network} is not a public address; --force bans it nevertheless");
        return Err(Failure::Unknown(sentence));
    }
    ban(store, BanTarget::Network(network), account, terms, moderator, output).await
}

/// Bans the device on which an account was last used, or another one of it.
pub(super) async fn ban_device(
    store: &Store,
    name: &str,
    prefix: Option<String>,
    terms: BanTerms,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let account = find(store, name).await?.account;
    let prefix = prefix.unwrap_or_default().to_ascii_lowercase();
    let sessions = store.sessions(account.key, now_ms()).await?;
    let mut devices = sessions.into_iter().filter_map(|session| session.device);
    let device = devices.find(|hash| to_hex(hash).starts_with(&prefix));
    let unknown = || Failure::Unknown(format!("{name} has no such stored device"));
    let target = BanTarget::Device(device.ok_or_else(unknown)?);
    ban(store, target, Some(account.key), terms, moderator, output).await
}

async fn ban(
    store: &Store,
    target: BanTarget,
    account: Option<AccountKey>,
    BanTerms { days, force }: BanTerms,
    moderator: Moderator,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let (now_ms, text) = (now_ms(), target_text(&target));
    let origin = store.origin(target.clone(), account.unwrap_or(AccountKey::NIL), now_ms).await?;
    let until_ms = days.map(|days| now_ms + days * DAY_MS);
    let new = NewBan { target, account, until_ms, may_hit_moderators: force };
    store.ban(new, moderator, now_ms).await.map_err(|error| match error {
        BanError::Store(error) => Failure::Store(error),
        refused => Failure::Unknown(format!("{text}: {refused}")),
    })?;
    let others: Vec<&str> = origin.accounts.iter().map(|account| &*account.name).collect();
    let names = others.join(", ");
    Ok(writeln!(output, "{text}: banned; {} other accounts {names}", others.len())?)
}

/// Returns whether an address is of this computer or a private network, such as that of a proxy.
fn is_local(address: IpAddr) -> bool {
    let is_private = match address {
        IpAddr::V4(address) => address.is_private() || address.is_link_local(),
        IpAddr::V6(address) => address.is_unique_local() || address.is_unicast_link_local(),
    };
    // The network of the IPv6 address of this computer is that of the unspecified one.
    is_private || address.is_loopback() || address.is_unspecified()
}

/// Returns a network, or a device by the start of its hash.
fn target_text(target: &BanTarget) -> String {
    match target {
        BanTarget::Network(network) => network.clone(),
        BanTarget::Device(hash) => format!("device {}", &to_hex(hash)[..DEVICE_CHARS]),
    }
}

pub(super) async fn lift_ban(
    store: &Store,
    number: i64,
    moderator: Moderator,
) -> Result<(), Failure> {
    match store.lift_ban(number, moderator, now_ms()).await? {
        true => Ok(()),
        false => Err(Failure::Unknown(format!("there is no ban {number}"))),
    }
}

pub(super) async fn print_bans(store: &Store, output: &mut impl Write) -> Result<(), Failure> {
    for ban in store.bans(now_ms()).await? {
        let Ban { seq, network, device, about, created_ms, until_ms, moderator, reason, .. } = ban;
        let about = about.map_or_else(String::new, |name| format!("\tof {name}"));
        let device = device.map(BanTarget::Device);
        let target = network.map(BanTarget::Network).or(device);
        let target = target.as_ref().map_or_else(String::new, target_text);
        let until = until_ms.map(time).transpose()?;
        let until = until.map_or_else(|| "for good".to_owned(), |at| format!("until {at}"));
        let (moderator, reason) = (moderator.escape_debug(), reason.escape_debug());
        let at = time(created_ms)?;
        writeln!(output, "{seq}\t{at}\t{target}{about}\t{until}\tby {moderator}\t{reason}")?;
    }
    Ok(())
}

/// Prints the stored networks and devices of an account, with the accounts that share them.
pub(super) async fn print_origins(
    store: &Store,
    account: AccountKey,
    output: &mut impl Write,
) -> Result<(), Failure> {
    for Origin { target, accounts, ban } in store.origins(account, now_ms()).await?.concat() {
        let kind = if matches!(target, BanTarget::Network(_)) { "address " } else { "" };
        let ban = ban.map_or_else(String::new, |ban| format!("\tban {}", ban.seq));
        let names: Vec<String> = accounts.into_iter().map(|account| account.name).collect();
        let shared = if names.is_empty() { "" } else { "\tshared with " };
        writeln!(output, "{kind}{}{ban}{shared}{}", target_text(&target), names.join(", "))?;
    }
    Ok(())
}

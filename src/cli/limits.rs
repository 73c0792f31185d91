//! Commands for rate limits. Caller: `admin`.

use super::failure::Failure;
use crate::config::{LimitCommand, RateLimit};
use crate::rooms::now_ms;
use crate::store::{Moderator, Store};
use std::io::Write;

/// Executes a command. Changes are followed by the list of the limits. The settings of the servers
/// are not known here.
pub(super) async fn execute(
    store: &Store,
    moderator: Moderator,
    command: LimitCommand,
    output: &mut impl Write,
) -> Result<(), Failure> {
    let change = match command {
        LimitCommand::Limits => None,
        LimitCommand::SetLimit { name, value } => Some((name, Some(value))),
        LimitCommand::ResetLimit { name } => Some((name, None)),
    };
    if let Some((name, value)) = change {
        store.set_limit_override(name.as_str(), value, moderator, now_ms()).await?;
    }
    let overrides = store.limit_overrides().await?;
    for limit in RateLimit::ALL {
        let name = limit.as_str();
        let changed = overrides.get(name).map_or("-".to_owned(), i64::to_string);
        writeln!(output, "{name}\t{changed}")?;
    }
    Ok(())
}

//! Settings of reminders before deadlines.

use clap::Args;

/// Settings of reminders before the deadlines of games without a clock.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Reminders")]
pub struct ReminderSettings {
    /// Interval between two searches for games whose deadline is near, in milliseconds; the players
    /// get reminders by push messages and e-mail, up to this time late
    #[arg(long, env = "SPRONG_REMINDER_INTERVAL_MS", default_value_t = 300_000, value_parser = clap::value_parser!(u32).range(1..=600_000))]
    pub reminder_interval_ms: u32,
}

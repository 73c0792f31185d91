//! Rate limits that operators can change while servers run, `sprong admin set-limit`.

use super::Limits;
use strum::{EnumString, IntoStaticStr};

/// Rate limit of [`Limits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, EnumString, IntoStaticStr)]
#[strum(serialize_all = "kebab-case")]
pub enum RateLimit {
    Write,
    Read,
    Position,
    Move,
    Guest,
    Login,
    AccountLogin,
    Chat,
    Challenge,
    Analysis,
    Image,
}

impl RateLimit {
    pub const ALL: [RateLimit; 11] = [
        RateLimit::Write,
        RateLimit::Read,
        RateLimit::Position,
        RateLimit::Move,
        RateLimit::Guest,
        RateLimit::Login,
        RateLimit::AccountLogin,
        RateLimit::Chat,
        RateLimit::Challenge,
        RateLimit::Analysis,
        RateLimit::Image,
    ];

    /// Returns the name in the database, in commands and in the metrics.
    pub fn as_str(self) -> &'static str {
        self.into()
    }

    /// Returns the number in the settings.
    pub fn configured(self, limits: &Limits) -> u32 {
        match self {
            RateLimit::Write => limits.write_limit,
            RateLimit::Read => limits.read_limit,
            RateLimit::Position => limits.position_limit,
            RateLimit::Move => limits.move_limit,
            RateLimit::Guest => limits.guest_limit,
            RateLimit::Login => limits.login_limit,
            RateLimit::AccountLogin => limits.account_login_limit,
            RateLimit::Chat => limits.chat_limit,
            RateLimit::Challenge => limits.challenge_limit,
            RateLimit::Analysis => limits.analysis_limit,
            RateLimit::Image => limits.image_limit,
        }
    }
}

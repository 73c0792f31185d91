//! Reasons of refusals, as codes for programs: the commands of a game, challenges, and the requests
//! of the server. The web client has a phrase for each but those that it never shows as they are
//! (`WITHOUT_PHRASE` in `tests/client/refusals.test.mjs`). Callers: the other modules of `play`,
//! and `store`, `rooms` and `http`.

use serde::{Deserialize, Serialize};
use strum::IntoStaticStr;

/// Reason of a refusal.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize, IntoStaticStr)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
#[serde(rename_all = "camelCase")]
#[strum(serialize_all = "camelCase")]
pub enum Reason {
    /// A moderator has closed the account.
    AccountClosed,
    /// The guest has asked for a casual game before.
    AlreadyAsked,
    /// The address or device has a ban that does not end earlier.
    AlreadyBanned,
    /// The same request of the account was declined.
    AlreadyDeclined,
    /// The requester plays a game with a clock.
    AlreadyPlaying,
    /// A moderator has voided the game before.
    AlreadyVoided,
    /// Missing session, or a guest asks for something that needs an account.
    Anonymous,
    /// The body of the request cannot be read.
    BadBody,
    /// The challenge does not offer this variant, time control or seat.
    BadChoice,
    /// The code of the second factor is wrong or has been used.
    BadCode,
    /// No such side or color.
    BadColor,
    /// The e-mail address cannot be read.
    BadEmail,
    /// The link that confirms an e-mail address is unknown or has expired.
    BadEmailLink,
    /// No such expiry.
    BadExpiry,
    /// A field has an invalid value.
    BadField,
    /// The message cannot be read.
    BadFrame,
    /// No such engine level.
    BadLevel,
    /// The login link is unknown or has been used.
    BadLink,
    /// Unknown name or wrong password.
    BadLogin,
    /// The resource does not support the method.
    BadMethod,
    /// The name of the account is not allowed.
    BadName,
    /// No such option of the variant, or no such value.
    BadOption,
    /// The passkey is not one of the account, or its answer is wrong.
    BadPasskey,
    /// The password is wrong, or not allowed.
    BadPassword,
    /// The path cannot be read.
    BadPath,
    /// The position cannot be read.
    BadPosition,
    /// The rating range cannot be read.
    BadRange,
    /// Unknown name, or a recovery word that is wrong or has been used.
    BadRecoveryWord,
    /// The request cannot be read.
    BadRequest,
    /// The reset link is unknown, has been used or has expired.
    BadResetLink,
    /// No such time control, or no such amount of time.
    BadTime,
    /// The token is unknown or revoked.
    BadToken,
    /// No such variant.
    BadVariant,
    /// A moderator has banned the address or the device.
    Banned,
    /// One of the two players has blocked the other.
    Blocked,
    /// The computer plays only casual games.
    BotsCasual,
    /// Internal error.
    Broken,
    /// The engine is busy.
    Busy,
    /// The challenge was canceled.
    Canceled,
    /// The player accepts only casual challenges.
    CasualOnly,
    /// The clock of the opponent is full.
    ClockFull,
    /// The password is among the commonest, or is the name of the account.
    CommonPassword,
    /// Two fields contradict each other.
    Contradiction,
    /// The counter of the passkey went backwards.
    CopiedPasskey,
    /// Too many rated games of this pair of players today.
    DailyLimit,
    /// The challenge was declined.
    Declined,
    /// The text is empty.
    Empty,
    /// Too many takebacks in this game.
    EnoughTakenBack,
    /// The challenge has expired.
    Expired,
    /// The challenge for a passkey was answered, or is too old.
    ExpiredPasskey,
    /// An export is running for the address.
    ExportUnderWay,
    /// The request comes from another site.
    ForeignOrigin,
    /// The chat of the game is full.
    Full,
    /// The requester has an account, and a guest is required.
    HasAccount,
    /// The account takes part in an open challenge.
    HasChallenges,
    /// The account has played games.
    HasGames,
    /// The move is illegal.
    Illegal,
    /// The passkey is registered already.
    KnownPasskey,
    /// The position occurs in a rated game in progress.
    LiveRatedGame,
    /// The token lacks the scope.
    MissingScope,
    /// The account may not write in chats.
    Muted,
    /// The name is too similar to that of another account.
    NameAlike,
    /// An account has this name.
    NameTaken,
    /// The challenge is not for bots.
    NoBots,
    /// The player accepts no challenges by name.
    NoChallenges,
    /// The game has no clock.
    NoClock,
    /// The game has no days per move.
    NoDays,
    /// The server sends no e-mail.
    NoEmail,
    /// No hint is available.
    NoHint,
    /// Moderators have stopped new accounts.
    NoNewAccounts,
    /// Moderators have stopped new guests.
    NoNewGuests,
    /// There is no offer to answer.
    NoOffer,
    /// Passkeys do not work at this address of the site.
    NoPasskeys,
    /// Neither player of the game has set its rating range.
    NoRangeOwner,
    /// The game has changed no ratings.
    NoRatingChange,
    /// The account is not a bot account.
    NotABot,
    /// The account is not a moderator.
    NotAdmin,
    /// The request accepts no available content coding.
    NotAcceptable,
    /// The account does not play this game.
    NotAPlayer,
    /// The challenge is for another player.
    NotForYou,
    /// The resource does not exist.
    NotFound,
    /// The opponent is not absent.
    NotGone,
    /// There is nothing to take back.
    NothingToTakeBack,
    /// The game is not over.
    NotOver,
    /// The challenge is not a rated challenge by link.
    NotRated,
    /// There is no ready check to answer.
    NotReady,
    /// The change could not be stored.
    NotStored,
    /// The other player is to move.
    NotYourTurn,
    /// The same offer is open already.
    Offered,
    /// The game is over.
    Over,
    /// The request concerns the own account or challenge.
    Own,
    /// The moderator has played the game.
    OwnGame,
    /// The requester has set the rating range and may widen it.
    OwnRange,
    /// The search of the requester has found a game.
    Paired,
    /// The request needs the current password.
    PasswordNeeded,
    /// Only the subcommand can change accounts of moderators and of the computer.
    ProtectedAccount,
    /// The rating of the requester is not established.
    Provisional,
    /// The rating is too far from that of the addressee.
    RatingTooFar,
    /// The rating of the requester is above the range.
    RatingTooHigh,
    /// The rating of the requester is below the range.
    RatingTooLow,
    /// A newer request replaced this one.
    Replaced,
    /// The link would replace the session of another account.
    ReplacesSession,
    /// The account has an authenticator app already.
    SecondFactorOn,
    /// The account has a second factor, and the request has neither code nor passkey.
    SecondFactorRequired,
    /// The request needs a session instead of a token.
    SessionOnly,
    /// Moderators let guests and new accounts chat and challenge slowly.
    SlowMode,
    /// The position has changed.
    Stale,
    /// The server is shutting down.
    Stopping,
    /// The challenge was accepted by another player.
    Taken,
    /// The request took too long.
    Timeout,
    /// Too many requests in a short time.
    TooFast,
    /// The request is too large.
    TooLarge,
    /// It is too late to abort the game.
    TooLate,
    /// The text is too long.
    TooLong,
    /// Too many of something.
    TooMany,
    /// Too many aborted games.
    TooManyAborts,
    /// Too many guests have asked for a casual game in place of the same challenge.
    TooManyCasualRequests,
    /// Too many connections of the address.
    TooManyConnections,
    /// Too many games in progress.
    TooManyGames,
    /// The text has too many lines.
    TooManyLines,
    /// Too many public challenges of the address.
    TooManyOfAddress,
    /// Too many public challenges of a guest.
    TooManyOfGuest,
    /// Too many ready checks that led to no game.
    TooManyReadyChecks,
    /// It is too early for an offer.
    TooSoon,
    /// Two lines of conditional moves reply differently to the same moves.
    TwoReplies,
    /// The account has no confirmed e-mail address.
    UnconfirmedEmail,
    /// Unknown message type.
    Unknown,
    /// A moderator uses the address or device.
    UsedByModerator,
    /// The requester is to move.
    YourTurn,
}

impl Reason {
    /// Returns the code, such as `notYourTurn`.
    pub fn as_str(self) -> &'static str {
        self.into()
    }
}

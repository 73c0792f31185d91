//! Conversions to [`Error`] of the errors of the store, the rooms and the framework.
//!
//! Every refusal keeps its reason code. Failures of the database, invalid logs and panics are
//! logged here, once, and become errors without details. Caller: the operator `?` in handlers.

use super::Error;
use crate::background::BackgroundError;
use crate::play::command::Refusal;
use crate::play::reason::Reason;
use crate::rooms::{
    AskError, CommandError, EngineError, ReadyCheckError, RematchError, RequestError, RoomError,
    SlowModeError,
};
use crate::store::{
    AcceptError, BanError, CasualAnswerError, CasualRequestError, CloseChallengeError,
    CreateChallengeError, FollowError, OpenSessionError, RecoverError, RegisterError, StoreError,
    UpgradeError, VoidError, WarnError,
};
use tokio::task::JoinError;

impl From<StoreError> for Error {
    fn from(error: StoreError) -> Error {
        tracing::error!(%error, "Database error");
        match error {
            StoreError::NotCommitted | StoreError::TimedOut => Error::NotStored,
            StoreError::Unavailable(_) | StoreError::Standby | StoreError::Replaced => {
                Error::Unavailable
            }
            _ => Error::Internal,
        }
    }
}

impl From<RoomError> for Error {
    fn from(error: RoomError) -> Error {
        match error {
            RoomError::GameNotFound => Error::NotFound,
            RoomError::Store(error) => error.into(),
            RoomError::Stopping => Error::Stopping,
            RoomError::BadLog(error) => {
                tracing::error!(%error, "Failed to load a game: its log contradicts the rules");
                Error::Internal
            }
        }
    }
}

/// A task has panicked, or was canceled because the server stops.
impl From<JoinError> for Error {
    fn from(error: JoinError) -> Error {
        if !error.is_panic() {
            return Error::Stopping;
        }
        tracing::error!(%error, "A task panicked while handling a request");
        Error::Internal
    }
}

impl From<BackgroundError> for Error {
    fn from(why: BackgroundError) -> Error {
        match why {
            BackgroundError::Full => Error::TooFast(1),
            BackgroundError::Panicked => Error::Internal,
            BackgroundError::Stopped => Error::Stopping,
        }
    }
}

impl From<CommandError> for Error {
    fn from(why: CommandError) -> Error {
        match why {
            CommandError::Refused(refusal) => Error::Refused(refusal),
            CommandError::StoreFailed => Error::NotStored,
        }
    }
}

impl From<RequestError> for Error {
    fn from(why: RequestError) -> Error {
        match why {
            RequestError::Room(error) => error.into(),
            RequestError::Command(why) => why.into(),
        }
    }
}

impl From<CreateChallengeError> for Error {
    fn from(why: CreateChallengeError) -> Error {
        match why {
            CreateChallengeError::TooMany(max) => Error::TooManyChallenges(max),
            CreateChallengeError::TooManyOfGuest(max) => Error::TooManyOfGuest(max),
            CreateChallengeError::TooManyOfNetwork(max) => Error::TooManyOfAddress(max),
            CreateChallengeError::TooManyAborts(until_ms) => Error::TooManyAborts(until_ms),
            CreateChallengeError::SlowMode(until_ms) => Error::SlowMode(until_ms),
            CreateChallengeError::Playing => Error::AlreadyPlaying,
            CreateChallengeError::TooManyGames => Error::TooManyGames,
            CreateChallengeError::NotChallengeable(why) => Error::NotChallengeable(why),
            CreateChallengeError::Blocked => Error::Blocked,
            CreateChallengeError::Closed => Error::NotFound,
            CreateChallengeError::Offered => Error::Refused(Refusal::AlreadyOffered),
            CreateChallengeError::Store(error) => error.into(),
        }
    }
}

impl From<AcceptError> for Error {
    fn from(why: AcceptError) -> Error {
        match why {
            AcceptError::Unknown => Error::NotFound,
            AcceptError::Ineligible(why, rating) => Error::Ineligible(why, rating),
            AcceptError::InvalidChoice => Error::NotOffered,
            AcceptError::DailyLimit(max) => Error::DailyLimit(max),
            AcceptError::TooManyGames => Error::TooManyGames,
            AcceptError::TooManyChecks(wait_ms) => {
                Error::TooManyChecks(wait_ms.max(0).cast_unsigned().div_ceil(1000))
            }
            AcceptError::TooManyAborts(until_ms) => Error::TooManyAborts(until_ms),
            AcceptError::SearchOver => Error::Paired,
            AcceptError::ReadyCheckOver => Error::NotReady,
            AcceptError::Store(error) => error.into(),
        }
    }
}

impl From<FollowError> for Error {
    fn from(why: FollowError) -> Error {
        match why {
            FollowError::TooMany => Error::TooMany("followed players"),
            FollowError::Blocked => Error::Blocked,
            FollowError::Closed => Error::NotFound,
            FollowError::Store(error) => error.into(),
        }
    }
}

impl From<RegisterError> for Error {
    fn from(why: RegisterError) -> Error {
        match why {
            RegisterError::NameTaken => Error::NameTaken,
            RegisterError::NameConfusable => Error::NameConfusable,
            RegisterError::Stopped => Error::NoNewAccounts,
            RegisterError::Banned(until_ms) => Error::Banned(until_ms),
            RegisterError::Store(error) => error.into(),
        }
    }
}

impl From<VoidError> for Error {
    fn from(why: VoidError) -> Error {
        match why {
            VoidError::Unknown => Error::NotFound,
            VoidError::NotOver => Error::NotOver,
            VoidError::Unrated => Error::NoRatingChange,
            VoidError::Voided => Error::AlreadyVoided,
            VoidError::OwnGame => Error::OwnGame,
            VoidError::Store(error) => error.into(),
        }
    }
}

impl From<SlowModeError> for Error {
    fn from(why: SlowModeError) -> Error {
        match why {
            SlowModeError::Wait(until_ms) => Error::SlowMode(until_ms),
            SlowModeError::Store(error) => error.into(),
        }
    }
}

impl From<BanError> for Error {
    fn from(why: BanError) -> Error {
        match why {
            BanError::UsedByModerator => Error::UsedByModerator,
            BanError::AlreadyBanned => Error::AlreadyBanned,
            BanError::Store(error) => error.into(),
        }
    }
}

impl From<OpenSessionError> for Error {
    fn from(why: OpenSessionError) -> Error {
        match why {
            OpenSessionError::Banned(until_ms) => Error::Banned(until_ms),
            OpenSessionError::Store(error) => error.into(),
        }
    }
}

impl From<WarnError> for Error {
    fn from(why: WarnError) -> Error {
        match why {
            WarnError::Protected => Error::ProtectedAccount,
            WarnError::TooMany => Error::TooMany("unread warnings of this account"),
            WarnError::Store(error) => error.into(),
        }
    }
}

impl From<RecoverError> for Error {
    fn from(why: RecoverError) -> Error {
        match why {
            RecoverError::WrongWord => Error::WrongRecoveryWord,
            RecoverError::InvalidLink => Error::InvalidResetLink,
            RecoverError::WrongCode => Error::WrongCode,
            RecoverError::Banned(until_ms) => Error::Banned(until_ms),
            RecoverError::Store(error) => error.into(),
        }
    }
}

impl From<UpgradeError> for Error {
    fn from(why: UpgradeError) -> Error {
        match why {
            UpgradeError::HasGames => Error::HasGames,
            UpgradeError::HasChallenges => Error::HasChallenges,
            UpgradeError::Store(error) => error.into(),
        }
    }
}

impl From<EngineError> for Error {
    fn from(why: EngineError) -> Error {
        match why {
            EngineError::Busy => Error::Busy,
            EngineError::Panicked => Error::Internal,
        }
    }
}

impl From<CloseChallengeError> for Error {
    fn from(why: CloseChallengeError) -> Error {
        match why {
            CloseChallengeError::Unknown => Error::NotFound,
            CloseChallengeError::NotYours => Error::NotYours,
            CloseChallengeError::Closed(why) => Error::Ineligible(why, 0),
            CloseChallengeError::Store(error) => error.into(),
        }
    }
}

impl From<RematchError> for Error {
    fn from(why: RematchError) -> Error {
        match why {
            RematchError::Unknown | RematchError::Closed => Error::NotFound,
            RematchError::NotOver => Error::NotOver,
            RematchError::NotAPlayer => Error::Refused(Refusal::NotAPlayer),
            RematchError::NoOffer => Error::Refused(Refusal::NoOffer),
            RematchError::Offered => Error::Refused(Refusal::AlreadyOffered),
            RematchError::NotCreated(why) => why.into(),
            RematchError::NotAccepted(why) => why.into(),
            RematchError::AskRefused(why) => why.into(),
            RematchError::Store(error) => error.into(),
        }
    }
}

impl From<AskError> for Error {
    fn from(why: AskError) -> Error {
        let (reason, text) = match why {
            AskError::Declined => {
                (Reason::AlreadyDeclined, "Your request was declined. You cannot repeat it.")
            }
            AskError::OwnRange => (Reason::OwnRange, "The rating range is your own. Use `widen`."),
            AskError::NoOwner => {
                (Reason::NoRangeOwner, "Neither of you can widen the rating range of this game.")
            }
        };
        Error::AskRefused(reason, text)
    }
}

impl From<ReadyCheckError> for Error {
    fn from(why: ReadyCheckError) -> Error {
        match why {
            ReadyCheckError::NoCheck => Error::NotReady,
            ReadyCheckError::NotParticipant => Error::NotYours,
            // The requester is the player who waits; these refusals concern the acceptor.
            ReadyCheckError::NotAccepted(AcceptError::SearchOver) => Error::NotReady,
            ReadyCheckError::NotAccepted(AcceptError::Ineligible(why, _)) if !why.is_closed() => {
                Error::AcceptorIneligible(why.code())
            }
            ReadyCheckError::NotAccepted(why) => why.into(),
            ReadyCheckError::Store(error) => error.into(),
        }
    }
}

impl From<CasualRequestError> for Error {
    fn from(why: CasualRequestError) -> Error {
        let (reason, text) = match why {
            CasualRequestError::NotRated => {
                (Reason::NotRated, "This is not a rated game by link. Accept it as it is.")
            }
            CasualRequestError::HasAccount => {
                (Reason::HasAccount, "You have an account. Accept the rated game.")
            }
            CasualRequestError::Repeated => {
                (Reason::AlreadyAsked, "You have asked already. Wait for the answer, or sign up.")
            }
            CasualRequestError::Declined => {
                (Reason::AlreadyDeclined, "Your request was declined. Sign up to play.")
            }
            CasualRequestError::TooMany => (
                Reason::TooManyCasualRequests,
                "Too many guests have asked for a casual game here. Sign up to play.",
            ),
            CasualRequestError::Refused(why) => return why.into(),
            CasualRequestError::Store(error) => return error.into(),
        };
        Error::AskRefused(reason, text)
    }
}

impl From<CasualAnswerError> for Error {
    fn from(why: CasualAnswerError) -> Error {
        match why {
            CasualAnswerError::Unknown => Error::NotFound,
            CasualAnswerError::NotYours => Error::NotYours,
            CasualAnswerError::NoRequest => Error::Refused(Refusal::NoOffer),
            CasualAnswerError::Refused(why) => why.into(),
            CasualAnswerError::Store(error) => error.into(),
        }
    }
}

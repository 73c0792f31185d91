use crate::variants::Illegal;

/// The longest line of chat, in characters.
pub const CHAT_CHARS_MAX: usize = 300;

/// The most time that may be given at once, in milliseconds.
pub const GIVEN_MAX_MS: i64 = 60_000;

/// What a player wants of something that takes both.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Ask {
    /// To accept the opponent's offer if there is one, or else to offer it.
    Yes,
    /// To offer it, and not to accept what the opponent has offered in the same moment.
    Offer,
    /// To accept the opponent's offer, and not to make one if it has gone in the same moment.
    Accept,
    /// To decline the opponent's offer, or to take the own one back.
    No,
}

/// What a player asks of a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Command {
    /// To make a move.
    Move {
        /// Its notation.
        u: String,
        /// How many plies the player had seen: a late or doubled click is refused, not guessed at.
        ply: Option<usize>,
        /// How long this move and the news that it answers were on the way, in milliseconds, as
        /// the mover's connection reports; made good within bounds.
        lag_ms: i64,
    },
    /// To give up.
    Resign,
    /// To call the game off before both have moved.
    Abort,
    /// A draw.
    Draw {
        /// What of it.
        ask: Ask,
        /// How many plies the player had seen, if that is said.
        ply: Option<usize>,
    },
    /// That a move be taken back: the last one of whoever asks first.
    Takeback {
        /// What of it.
        ask: Ask,
        /// How many plies the player had seen, if that is said.
        ply: Option<usize>,
    },
    /// To give the opponent more time, in milliseconds: 1 to [`GIVEN_MAX_MS`].
    GiveTime {
        /// How much.
        ms: i64,
    },
    /// To have the win that an opponent who has left leaves behind. Whether they have left is for
    /// the asker to know.
    ClaimWin,
    /// To have a draw instead.
    ClaimDraw,
}

/// Why a command was not obeyed. Nothing has changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Refusal {
    /// Not a legal move.
    #[error("{0}.")]
    Illegal(#[from] Illegal),
    /// The opponent is to move.
    #[error("It is not your turn.")]
    NotYourTurn,
    /// The game has gone on since the command was made.
    #[error("The game has gone on since: {seen} plies were played then, {played} now.")]
    Stale {
        /// What the player had seen.
        seen: usize,
        /// What was played.
        played: usize,
    },
    /// The game is over.
    #[error("This game is over.")]
    Over,
    /// Only its players may do that.
    #[error("Only the two players may do that.")]
    NotAPlayer,
    /// Both have moved: no calling off any more.
    #[error("Both have moved: the game can no longer be called off, only resigned.")]
    TooLate,
    /// Not yet, or not again already.
    #[error("That can be asked once a move, after both have moved.")]
    TooSoon,
    /// There is no offer to answer.
    #[error("There is no offer to answer.")]
    NoOffer,
    /// The opponent was first to offer.
    #[error("Your opponent has asked for the same: answer that first.")]
    Offered,
    /// The asker has made no move yet.
    #[error("You have made no move that could be taken back.")]
    NothingToTakeBack,
    /// Every one of them is played again whenever the game is read.
    #[error("Enough moves of this game have been taken back.")]
    EnoughTakenBack,
    /// Something of the clock was asked of a game without one.
    #[error("This game has no clock.")]
    NoClock,
    /// The opponent has all the time there is.
    #[error("Your opponent's clock is full.")]
    ClockFull,
    /// Time is given in bounds.
    #[error("Between 1 and {} seconds can be given.", GIVEN_MAX_MS / 1000)]
    BadTime,
    /// The opponent is there, or not away for long enough.
    #[error("Your opponent is here, or has not been away for long enough.")]
    NotGone,

    /// Nothing was said.
    #[error("There is nothing in this message.")]
    Empty,
    /// Too much was said.
    #[error("A message has {CHAT_CHARS_MAX} characters at most.")]
    TooLong,
    /// Enough was said.
    #[error("The chat of this game is full.")]
    Full,
    /// A moderator has taken their voice.
    #[error("A moderator has switched off your chat.")]
    Muted,
    /// The opponent wants to hear nothing of them.
    #[error("Your opponent has blocked you, or you have blocked them: there is no chat.")]
    Blocked,
}

impl Refusal {
    /// Its word in the protocol.
    pub fn word(&self) -> &'static str {
        match self {
            Refusal::Illegal(_) => "illegal",
            Refusal::NotYourTurn => "notYourTurn",
            Refusal::Stale { .. } => "stale",
            Refusal::Over => "over",
            Refusal::NotAPlayer => "notAPlayer",
            Refusal::TooLate => "tooLate",
            Refusal::TooSoon => "tooSoon",
            Refusal::NoOffer => "noOffer",
            Refusal::Offered => "offered",
            Refusal::NothingToTakeBack => "nothingToTakeBack",
            Refusal::EnoughTakenBack => "enoughTakenBack",
            Refusal::NoClock => "noClock",
            Refusal::ClockFull => "clockFull",
            Refusal::BadTime => "badTime",
            Refusal::NotGone => "notGone",
            Refusal::Empty => "empty",
            Refusal::TooLong => "tooLong",
            Refusal::Full => "full",
            Refusal::Muted => "muted",
            Refusal::Blocked => "blocked",
        }
    }
}

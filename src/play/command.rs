use crate::variants::Illegal;

/// The longest line of chat, in characters.
pub const CHAT_CHARS_MAX: usize = 300;

/// Text as somebody may show it to others: without what steers a terminal or turns the line about.
/// Ends of lines stay.
pub fn plain(text: &str) -> String {
    let steers = |c: char| {
        (c.is_control() && c != '\n')
            || matches!(c, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
    };
    text.chars().filter(|c| !steers(*c)).collect()
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
    },
    /// To give up.
    Resign,
    /// To call the game off before both have moved.
    Abort,
    /// To offer a draw, or to accept the opponent's offer.
    DrawYes,
    /// To decline the opponent's offer, or to take the own one back.
    DrawNo,
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
    #[error("A draw can be offered once a ply, after both have moved.")]
    TooSoon,
    /// There is no offer to answer.
    #[error("There is no draw offer to answer.")]
    NoOffer,
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
            Refusal::Empty => "empty",
            Refusal::TooLong => "tooLong",
            Refusal::Full => "full",
            Refusal::Muted => "muted",
            Refusal::Blocked => "blocked",
        }
    }
}

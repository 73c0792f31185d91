//! Conditional moves: replies that a player has chosen in advance to moves of the opponent.
//!
//! Callers: the store, the room of a game, and the handlers of requests.

use super::played_line::PlayedLine;
use super::reason::Reason;
use crate::rules::Side;
use crate::variants::InvalidMove;
use smol_str::SmolStr;
use std::collections::BTreeMap;

/// Maximum of lines of a player in a game.
pub const LINES_MAX: usize = 20;

/// Maximum of moves in a line, of both sides together.
pub const LINE_MOVES_MAX: usize = 20;

/// Reason for refusing conditional moves. Lines and moves are counted from 1.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidConditionalMoves {
    /// The player is to move.
    #[error("It is your turn: make your move first.")]
    YourTurn,
    /// A line is too long, or there are too many.
    #[error("At most {LINES_MAX} lines are possible, with {LINE_MOVES_MAX} moves each.")]
    TooMany,
    /// A line has no move of the player.
    #[error("Line {line} has no move of yours.")]
    NoReply {
        /// Number of the line.
        line: usize,
    },
    /// A move of a line is illegal.
    #[error("Line {line}, move {number}: {why}.")]
    Illegal {
        /// Number of the line.
        line: usize,
        /// Number of the move in the line.
        number: usize,
        /// The rule that it breaks.
        why: InvalidMove,
    },
    /// Two lines have different replies to the same moves.
    #[error("After the same moves you reply {0} in one line and {1} in another. Keep one.")]
    TwoReplies(SmolStr, SmolStr),
}

impl InvalidConditionalMoves {
    /// Returns the reason code in the API.
    pub fn code(&self) -> Reason {
        match self {
            InvalidConditionalMoves::YourTurn => Reason::YourTurn,
            InvalidConditionalMoves::TooMany | InvalidConditionalMoves::NoReply { .. } => {
                Reason::BadField
            }
            InvalidConditionalMoves::Illegal { .. } => Reason::Illegal,
            InvalidConditionalMoves::TwoReplies(..) => Reason::TwoReplies,
        }
    }
}

/// Conditional moves of a player in a game.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ConditionalMoves {
    /// Moves of the game before the lines.
    played: Vec<SmolStr>,
    /// Number of takebacks before. A later one ends the lines.
    takebacks: usize,
    /// Moves of both sides. Each line ends with a move of the player.
    lines: Vec<Vec<SmolStr>>,
}

impl ConditionalMoves {
    /// Checks the lines of `side` after the moves and takebacks of a game, each line as notations
    /// with spaces in between. Moves of the opponent at the end of a line are left out, as are
    /// lines that another one begins with.
    ///
    /// # Errors
    /// Fails if a line cannot be played, or if it is not clear which reply is meant.
    pub fn new(
        game: &PlayedLine,
        takebacks: usize,
        side: Side,
        lines: &[String],
    ) -> Result<ConditionalMoves, InvalidConditionalMoves> {
        if game.turn() == side {
            return Err(InvalidConditionalMoves::YourTurn);
        }
        if lines.len() > LINES_MAX {
            return Err(InvalidConditionalMoves::TooMany);
        }
        let mut checked: Vec<Vec<SmolStr>> = Vec::new();
        let mut replies = BTreeMap::new();
        for (text, line) in lines.iter().zip(1..) {
            let moves = check_line(game, side, text, line, &mut replies)?;
            if !checked.iter().any(|other| other.starts_with(&moves)) {
                checked.retain(|other| !moves.starts_with(other));
                checked.push(moves);
            }
        }
        Ok(ConditionalMoves { played: game.moves().to_vec(), takebacks, lines: checked })
    }

    /// Reads what [`ConditionalMoves::played`], [`ConditionalMoves::takebacks`] and
    /// [`ConditionalMoves::lines`] have returned.
    pub fn from_texts(played: &str, takebacks: usize, lines: &str) -> ConditionalMoves {
        let lines = lines.lines().map(words).collect();
        ConditionalMoves { played: words(played), takebacks, lines }
    }

    /// Returns the moves of the game before the lines, with spaces in between.
    pub fn played(&self) -> String {
        self.played.join(" ")
    }

    /// Returns the number of takebacks before the lines.
    pub fn takebacks(&self) -> usize {
        self.takebacks
    }

    /// Returns the lines, each on a line of text.
    pub fn lines(&self) -> String {
        self.lines.iter().map(|line| line.join(" ")).collect::<Vec<_>>().join("\n")
    }

    /// Returns the number of plies before the lines.
    pub fn ply(&self) -> usize {
        self.played.len()
    }

    /// Returns whether a game with these moves and takebacks is where the lines begin.
    pub fn begin_after(&self, moves: &[SmolStr], takebacks: usize) -> bool {
        self.played == moves && self.takebacks == takebacks
    }

    /// Returns what is left of the lines that a game with these moves and takebacks follows. The
    /// next move of each is that of the side to move.
    pub fn remaining(&self, moves: &[SmolStr], takebacks: usize) -> Vec<&[SmolStr]> {
        let since = moves.strip_prefix(self.played.as_slice());
        let Some(since) = since.filter(|_| takebacks == self.takebacks) else { return Vec::new() };
        let rest = |line| <[SmolStr]>::strip_prefix(line, since);
        self.lines.iter().filter_map(|line| rest(line)).filter(|rest| !rest.is_empty()).collect()
    }
}

fn words(text: &str) -> Vec<SmolStr> {
    text.split_whitespace().map(SmolStr::new).collect()
}

/// Plays a line. Returns its moves up to the last one of `side`, and adds the replies to `replies`,
/// by the moves before them.
fn check_line(
    game: &PlayedLine,
    side: Side,
    text: &str,
    line: usize,
    replies: &mut BTreeMap<Vec<SmolStr>, SmolStr>,
) -> Result<Vec<SmolStr>, InvalidConditionalMoves> {
    let mut moves = words(text);
    if moves.len() > LINE_MOVES_MAX {
        return Err(InvalidConditionalMoves::TooMany);
    }
    let mut played = game.clone();
    let mut replied = 0;
    for (u, number) in moves.iter().zip(1..) {
        let is_own = played.turn() == side;
        played.play(u).map_err(|why| InvalidConditionalMoves::Illegal { line, number, why })?;
        if !is_own {
            continue;
        }
        replied = number;
        let before = moves[..number - 1].to_vec();
        let reply = replies.entry(before).or_insert_with(|| u.clone());
        if reply != u {
            return Err(InvalidConditionalMoves::TwoReplies(reply.clone(), u.clone()));
        }
    }
    if replied == 0 {
        return Err(InvalidConditionalMoves::NoReply { line });
    }
    moves.truncate(replied);
    Ok(moves)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants;

    /// Game after one move of the first player.
    fn game() -> PlayedLine {
        let variant = &variants::ALL[0];
        let mut game = PlayedLine::new(variant.start(&variant.options(), 0));
        let first = game.legal_moves()[0].clone();
        game.play(&first).expect("legal move");
        game
    }

    /// Returns a line of legal moves, the `choices`-th of each position.
    fn line(game: &PlayedLine, choices: &[usize]) -> String {
        let mut played = game.clone();
        for choice in choices {
            let u = played.legal_moves()[*choice].clone();
            played.play(&u).expect("legal move");
        }
        played.moves()[game.ply()..].join(" ")
    }

    fn checked(lines: &[String]) -> Result<ConditionalMoves, InvalidConditionalMoves> {
        ConditionalMoves::new(&game(), 1, Side::First, lines)
    }

    fn texts(rest: Vec<&[SmolStr]>) -> Vec<String> {
        rest.into_iter().map(|moves| moves.join(" ")).collect()
    }

    #[test]
    fn remaining_lines_follow_the_game() {
        let game = game();
        let [one, other] = [[0, 0, 1, 0], [1, 2, 0, 0]].map(|choices| line(&game, &choices));
        let moves = checked(&[one.clone(), other.clone()]).expect("legal lines");
        let mut played = game.moves().to_vec();
        assert_eq!(texts(moves.remaining(&played, 1)), [one.clone(), other]);
        played.push(words(&one)[0].clone());
        assert_eq!(texts(moves.remaining(&played, 1)), [words(&one)[1..].join(" ")]);
        assert!(moves.remaining(&played, 2).is_empty(), "a takeback since");
        played.push("other".into());
        assert!(moves.remaining(&played, 1).is_empty(), "another reply than that of the line");
        assert!(moves.remaining(&[], 1).is_empty(), "taken back beyond the lines");
        played = [game.moves(), &words(&one)].concat();
        assert!(moves.remaining(&played, 1).is_empty(), "the whole line was played");
        let read = ConditionalMoves::from_texts(&moves.played(), 1, &moves.lines());
        assert_eq!(read, moves);
    }

    #[test]
    fn lines_end_with_a_reply_and_none_begins_another() {
        let game = game();
        let [long, open, short] =
            [&[0, 0, 1, 0][..], &[0, 0, 1], &[0, 0]].map(|choices| line(&game, choices));
        for lines in [[&short, &long, &open], [&long, &short, &open], [&open, &short, &long]] {
            let moves = checked(&lines.map(String::clone)).expect("legal lines");
            assert_eq!(texts(moves.remaining(game.moves(), 1)).join(", "), long);
        }
        let moves = checked(&[open]).expect("legal line");
        assert_eq!(texts(moves.remaining(game.moves(), 1)), [short]);
        assert_eq!(checked(&[]).expect("no line").remaining(game.moves(), 1).len(), 0);
    }

    #[test]
    fn invalid_lines_are_refused_with_their_reasons() {
        let game = game();
        let reply = line(&game, &[0, 0]);
        let two = checked(&[line(&game, &[0, 0, 1, 1]), line(&game, &[0, 1])]);
        let (a, b) = (words(&reply)[1].clone(), words(&line(&game, &[0, 1]))[1].clone());
        assert_eq!(two, Err(InvalidConditionalMoves::TwoReplies(a, b)));
        let reason = |lines: &[String]| checked(lines).expect_err("a refusal").code();
        assert_eq!(reason(&[line(&game, &[0])]), Reason::BadField, "no reply");
        assert_eq!(reason(&[String::new()]), Reason::BadField, "empty line");
        assert_eq!(reason(&vec![reply.clone(); LINES_MAX + 1]), Reason::BadField);
        assert_eq!(reason(&["a1 ".repeat(LINE_MOVES_MAX + 1)]), Reason::BadField);
        assert_eq!(reason(&[reply.clone(), format!("{reply} a1-a1")]), Reason::Illegal);
        let own = ConditionalMoves::new(&game, 1, Side::Second, &[reply]);
        assert_eq!(own, Err(InvalidConditionalMoves::YourTurn));
    }
}

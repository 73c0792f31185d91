//! Broadcast delay: hides the last moves of a live rated game, so that a program that follows the
//! game cannot help a player.
//!
//! A move is released when three more moves have followed, when its delay has passed, or when the
//! game is over. Players of the game and spectators of casual games see every move at once.
//! Callers: streams, exports, images and the API; the page of a game has no delay.

use crate::play::played_line::PlayedLine;
use crate::rooms::{GameSnapshot, Rooms};
use crate::store::{AccountKey, GameRow};
use crate::variants::InvalidMove;
use smol_str::SmolStr;
use std::collections::VecDeque;

/// Number of later moves after which a move is released without regard to time.
const RELEASE_AFTER_PLIES: usize = 3;

/// Move that spectators may see.
#[derive(Debug)]
pub struct ReleasedMove {
    /// Text of the position after the move.
    pub position: String,
    /// Notation of the move; empty if no move is left after a takeback.
    pub notation: SmolStr,
    /// Remaining times in milliseconds, by side; only after the last move of the game.
    pub left_ms: Option<[i64; 2]>,
}

impl ReleasedMove {
    fn without_clocks(position: String, notation: SmolStr) -> ReleasedMove {
        ReleasedMove { position, notation, left_ms: None }
    }
}

impl From<&GameSnapshot> for ReleasedMove {
    fn from(snapshot: &GameSnapshot) -> ReleasedMove {
        ReleasedMove {
            position: snapshot.position.clone(),
            notation: snapshot.moves.last().cloned().unwrap_or_default(),
            left_ms: snapshot.clocks.map(|clocks| clocks.left_ms),
        }
    }
}

impl Rooms {
    /// Returns the delay of a game's moves for an account, or for anyone else, in milliseconds.
    pub fn broadcast_delay_ms(&self, row: &GameRow, viewer: Option<AccountKey>) -> i64 {
        let is_player = viewer.and_then(|account| row.side_of(account)).is_some();
        let is_undelayed = is_player || !row.rated || row.result.is_some();
        if is_undelayed { 0 } else { self.inner.settings.broadcast_delay_ms }
    }
}

/// Move that is not yet released.
#[derive(Debug)]
struct PendingMove {
    made_ms: i64,
    line: ReleasedMove,
}

/// Moves of a game with a queue of those that are not yet released.
#[derive(Debug)]
pub struct BroadcastDelay {
    delay_ms: i64,
    line: PlayedLine,
    pending: VecDeque<PendingMove>,
    /// Position after a takeback of released moves.
    takeback: Option<ReleasedMove>,
}

fn start_line(snapshot: &GameSnapshot) -> PlayedLine {
    let setup = &snapshot.row.setup;
    PlayedLine::new(setup.variant.start(&setup.options, setup.seed))
}

impl BroadcastDelay {
    /// Creates the delay of a game of which no move is released yet. Each move waits `wait_ms`
    /// milliseconds; 0 releases moves at once.
    pub fn new(snapshot: &GameSnapshot, wait_ms: i64) -> BroadcastDelay {
        BroadcastDelay {
            delay_ms: wait_ms,
            line: start_line(snapshot),
            pending: VecDeque::new(),
            takeback: None,
        }
    }

    /// Updates the moves of the game. `made_ms` are the times of the last moves, in epoch
    /// milliseconds; earlier moves count as made long ago.
    ///
    /// # Errors
    /// [`InvalidMove`] if the moves contradict the rules.
    pub fn update(&mut self, snapshot: &GameSnapshot, made_ms: &[i64]) -> Result<(), InvalidMove> {
        self.update_moves(
            || start_line(snapshot),
            &snapshot.moves,
            || ReleasedMove::from(snapshot),
            made_ms,
        )
    }

    /// Does the same for moves after `start`; `last` returns the line of the last move.
    fn update_moves(
        &mut self,
        start: impl Fn() -> PlayedLine,
        moves: &[SmolStr],
        last: impl Fn() -> ReleasedMove,
        made_ms: &[i64],
    ) -> Result<(), InvalidMove> {
        let pairs = self.line.moves().iter().zip(moves);
        let common = pairs.take_while(|(own, other)| own == other).count();
        if common < self.line.ply() {
            self.undo_to(start(), &moves[..common])?;
        }
        for (index, u) in moves.iter().enumerate().skip(common) {
            self.line.play(u)?;
            let from_end = moves.len() - index;
            let made_ms = made_ms.len().checked_sub(from_end).map_or(0, |at| made_ms[at]);
            let earlier = || ReleasedMove::without_clocks(self.line.position().text(), u.clone());
            let line = if from_end == 1 { last() } else { earlier() };
            self.pending.push_back(PendingMove { made_ms, line });
        }
        Ok(())
    }

    /// Undoes all moves beyond `moves`.
    fn undo_to(&mut self, start: PlayedLine, moves: &[SmolStr]) -> Result<(), InvalidMove> {
        let released = self.released_plies();
        self.line = start;
        for u in moves {
            self.line.play(u)?;
        }
        self.pending.truncate(moves.len().saturating_sub(released));
        if released > moves.len() {
            let last = moves.last().cloned().unwrap_or_default();
            self.takeback = Some(ReleasedMove::without_clocks(self.line.position().text(), last));
        }
        Ok(())
    }

    fn released_plies(&self) -> usize {
        self.line.ply() - self.pending.len()
    }

    /// Returns the lines that are due and not yet released; all of them when the game is over.
    pub fn take_due(&mut self, now_ms: i64, is_over: bool) -> Vec<ReleasedMove> {
        let mut lines: Vec<ReleasedMove> = self.takeback.take().into_iter().collect();
        while let Some(first) = self.pending.front() {
            let is_pending =
                self.pending.len() <= RELEASE_AFTER_PLIES && first.made_ms + self.delay_ms > now_ms;
            if is_pending && !is_over && self.delay_ms > 0 {
                break;
            }
            lines.extend(self.pending.pop_front().map(|pending| pending.line));
        }
        lines
    }

    /// Returns the time at which the next line is due without further moves, in epoch milliseconds.
    pub fn next_release_ms(&self) -> Option<i64> {
        self.pending.front().map(|first| first.made_ms + self.delay_ms)
    }

    /// Returns the game up to the last released move.
    ///
    /// # Errors
    /// [`InvalidMove`] if the moves contradict the rules.
    pub fn released_snapshot(&self, snapshot: &GameSnapshot) -> Result<GameSnapshot, InvalidMove> {
        if self.pending.is_empty() {
            return Ok(snapshot.clone());
        }
        let mut line = start_line(snapshot);
        for u in self.line.moves().iter().take(self.released_plies()) {
            line.play(u)?;
        }
        let mut released = snapshot.clone();
        released.moves = line.moves().to_vec();
        released.position = line.position().text();
        released.turn = line.turn();
        released.last = line.last().cloned();
        Ok(released)
    }
}

/// Returns how many of `plies` moves are released under a delay of `delay_ms` milliseconds; 0 is no
/// delay. `made_ms` are the times of the last of them.
pub fn released_plies(plies: usize, delay_ms: i64, made_ms: &[i64], now_ms: i64) -> usize {
    let made_ms = |ply: usize| (made_ms.len() + ply).checked_sub(plies).map_or(0, |at| made_ms[at]);
    let mut pending = (plies.saturating_sub(RELEASE_AFTER_PLIES)..plies)
        .filter(|ply| delay_ms > 0 && made_ms(*ply) + delay_ms > now_ms);
    pending.next().unwrap_or(plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;

    fn start() -> PlayedLine {
        PlayedLine::new(ALL[0].start(&ALL[0].options(), 1))
    }

    /// Returns legal moves; each number is an index into the legal moves, modulo their count.
    fn moves(indices: &[usize]) -> Vec<SmolStr> {
        let mut line = start();
        for index in indices {
            let legal = line.legal_moves();
            line.play(&legal[index % legal.len()]).expect("move is legal");
        }
        line.moves().to_vec()
    }

    /// Returns the moves released at `now_ms` in a game with these moves.
    fn release(
        delay: &mut BroadcastDelay,
        moves: &[SmolStr],
        made_ms: &[i64],
        now_ms: i64,
    ) -> Vec<SmolStr> {
        let last = || {
            ReleasedMove::without_clocks(String::new(), moves.last().cloned().unwrap_or_default())
        };
        delay.update_moves(start, moves, last, made_ms).expect("moves are legal");
        delay.take_due(now_ms, false).into_iter().map(|line| line.notation).collect()
    }

    #[test]
    fn move_released_after_three_moves_or_delay() {
        let all = moves(&[0; 6]);
        let mut delay = BroadcastDelay {
            delay_ms: 60,
            line: start(),
            pending: VecDeque::new(),
            takeback: None,
        };
        // Moves made long ago are released at once; of five moves made now, the first two have
        // three successors.
        assert_eq!(release(&mut delay, &all[..1], &[], 1000), all[..1]);
        assert_eq!(release(&mut delay, &all[..5], &[1000; 3], 1000), all[1..2]);
        assert_eq!((delay.released_plies(), delay.next_release_ms()), (2, Some(1060)));
        assert_eq!(release(&mut delay, &all[..5], &[1059; 3], 1059), all[..0]);
        assert_eq!(release(&mut delay, &all[..5], &[1060; 3], 1060), all[2..5]);
        assert_eq!(release(&mut delay, &all, &[1061], 1061), all[..0]);
        assert_eq!(delay.take_due(1061, true).len(), 1, "the end of the game releases all moves");
        assert_eq!(delay.next_release_ms(), None);
    }

    #[test]
    fn released_plies_agrees_with_stream() {
        let all = moves(&[0; 6]);
        let last = || ReleasedMove::without_clocks(String::new(), SmolStr::default());
        for plies in 0..all.len() {
            for made_ms in [&[][..], &[1000, 1000, 1000], &[900, 950, 1000], &[1, 2, 3, 990, 1000]]
            {
                for now_ms in [1000, 1010, 1049, 1050, 1059, 1060] {
                    for wait_ms in [0, 60] {
                        let mut delay = BroadcastDelay {
                            delay_ms: wait_ms,
                            line: start(),
                            pending: VecDeque::new(),
                            takeback: None,
                        };
                        delay
                            .update_moves(start, &all[..plies], last, made_ms)
                            .expect("moves are legal");
                        delay.take_due(now_ms, false);
                        let last_made_ms = &made_ms[made_ms.len().saturating_sub(plies)..];
                        let released = released_plies(plies, wait_ms, last_made_ms, now_ms);
                        assert_eq!(
                            released,
                            delay.released_plies(),
                            "{plies} {made_ms:?} {now_ms} {wait_ms}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn takeback_sent_only_for_released_moves() {
        let (first, second) = (moves(&[0; 4]), moves(&[0, 0, 1, 1]));
        let mut delay = BroadcastDelay {
            delay_ms: 60,
            line: start(),
            pending: VecDeque::new(),
            takeback: None,
        };
        assert_eq!(release(&mut delay, &first, &[100; 3], 100), first[..1]);
        // Two moves that were not released are replaced by two others.
        assert_eq!(release(&mut delay, &first[..2], &[], 110), first[..0]);
        assert_eq!(release(&mut delay, &second, &[120; 2], 120), first[..0]);
        assert_eq!(release(&mut delay, &second, &[], 200), second[1..]);
        // Two released moves are taken back: the stream returns to the position of the game.
        assert_eq!(release(&mut delay, &first[..2], &[], 210), first[1..2]);
        assert_eq!((delay.released_plies(), delay.line.ply()), (2, 2));
    }
}

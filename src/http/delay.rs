//! Broadcast delay: hides the last moves of a live rated game, so that a program that follows the
//! game cannot help a player.
//!
//! A move is released when three more moves have followed, when its delay has passed, or when the
//! game is over. The caller decides whose view is delayed: players of the game and casual games
//! have no delay.

use super::wire::{self, MoveLine};
use crate::play::line::Line;
use crate::rooms::Shown;
use crate::variants::Illegal;
use std::collections::VecDeque;

/// Number of later moves after which a move is released without regard to time.
const PLIES: usize = 3;

/// Move that is not yet released.
#[derive(Debug)]
struct Waiting {
    made_ms: i64,
    line: MoveLine,
}

/// Moves of a game with a queue of those that are not yet released.
#[derive(Debug)]
pub struct Delay {
    wait_ms: i64,
    line: Line,
    waiting: VecDeque<Waiting>,
    /// Position after a takeback of released moves.
    back: Option<MoveLine>,
}

fn start(shown: &Shown) -> Line {
    let setup = &shown.row.setup;
    Line::new(setup.variant.start(&setup.options, setup.seed))
}

impl Delay {
    /// Creates the delay of a game of which no move is released yet. Each move waits `wait_ms`
    /// milliseconds; 0 releases moves at once.
    pub fn new(shown: &Shown, wait_ms: i64) -> Delay {
        Delay { wait_ms, line: start(shown), waiting: VecDeque::new(), back: None }
    }

    /// Updates the moves of the game. `made_ms` are the times of the last moves, in epoch
    /// milliseconds; earlier moves count as made long ago.
    ///
    /// # Errors
    /// [`Illegal`] if the moves contradict the rules.
    pub fn take_up(&mut self, shown: &Shown, made_ms: &[i64]) -> Result<(), Illegal> {
        self.follow(|| start(shown), &shown.moves, || wire::move_line(shown), made_ms)
    }

    /// Does the same for moves after `start`; `last` returns the line of the last move.
    fn follow(
        &mut self,
        start: impl Fn() -> Line,
        moves: &[String],
        last: impl Fn() -> MoveLine,
        made_ms: &[i64],
    ) -> Result<(), Illegal> {
        let pairs = self.line.moves().iter().zip(moves);
        let common = pairs.take_while(|(own, other)| own == other).count();
        if common < self.line.ply() {
            self.go_back(start(), &moves[..common])?;
        }
        for (at, u) in moves.iter().enumerate().skip(common) {
            self.line.play(u)?;
            let from_end = moves.len() - at;
            let made_ms = made_ms.len().checked_sub(from_end).map_or(0, |at| made_ms[at]);
            let past = || MoveLine::past(self.line.position().text(), u.clone());
            let line = if from_end == 1 { last() } else { past() };
            self.waiting.push_back(Waiting { made_ms, line });
        }
        Ok(())
    }

    /// Undoes all moves beyond `moves`.
    fn go_back(&mut self, start: Line, moves: &[String]) -> Result<(), Illegal> {
        let told = self.told();
        self.line = start;
        for u in moves {
            self.line.play(u)?;
        }
        self.waiting.truncate(moves.len().saturating_sub(told));
        if told > moves.len() {
            let last = moves.last().cloned().unwrap_or_default();
            self.back = Some(MoveLine::past(self.line.position().text(), last));
        }
        Ok(())
    }

    /// Returns the number of released plies.
    fn told(&self) -> usize {
        self.line.ply() - self.waiting.len()
    }

    /// Returns the lines that are due and not yet released; all of them when the game is over.
    pub fn due(&mut self, now_ms: i64, over: bool) -> Vec<MoveLine> {
        let mut lines: Vec<MoveLine> = self.back.take().into_iter().collect();
        while let Some(first) = self.waiting.front() {
            let waits = self.waiting.len() <= PLIES && first.made_ms + self.wait_ms > now_ms;
            if waits && !over && self.wait_ms > 0 {
                break;
            }
            lines.extend(self.waiting.pop_front().map(|waiting| waiting.line));
        }
        lines
    }

    /// Returns the time at which the next line is due without further moves, in epoch milliseconds.
    pub fn next_ms(&self) -> Option<i64> {
        self.waiting.front().map(|first| first.made_ms + self.wait_ms)
    }

    /// Returns the game up to the last released move.
    ///
    /// # Errors
    /// [`Illegal`] if the moves contradict the rules.
    pub fn seen(&self, shown: &Shown) -> Result<Shown, Illegal> {
        if self.waiting.is_empty() {
            return Ok(shown.clone());
        }
        let mut line = start(shown);
        for u in self.line.moves().iter().take(self.told()) {
            line.play(u)?;
        }
        let mut seen = shown.clone();
        seen.moves = line.moves().to_vec();
        seen.position = line.position().text();
        seen.turn = line.turn();
        seen.last = line.last().cloned();
        Ok(seen)
    }
}

/// Returns how many of `plies` moves are released under a delay of `wait_ms` milliseconds; 0 is no
/// delay. `made_ms` are the times of the last of them.
pub fn told_plies(plies: usize, wait_ms: i64, made_ms: &[i64], now_ms: i64) -> usize {
    let made_ms = |ply: usize| (made_ms.len() + ply).checked_sub(plies).map_or(0, |at| made_ms[at]);
    let mut held = (plies.saturating_sub(PLIES)..plies)
        .filter(|ply| wait_ms > 0 && made_ms(*ply) + wait_ms > now_ms);
    held.next().unwrap_or(plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::variants::ALL;

    fn start() -> Line {
        Line::new(ALL[0].start(&ALL[0].options(), 1))
    }

    /// Returns legal moves; each number is an index into the legal moves, modulo their count.
    fn moves(places: &[usize]) -> Vec<String> {
        let mut line = start();
        for place in places {
            let legal = line.legal();
            line.play(&legal[place % legal.len()]).expect("move is legal");
        }
        line.moves().to_vec()
    }

    /// Returns the moves released at `now_ms` in a game with these moves.
    fn told(delay: &mut Delay, moves: &[String], made_ms: &[i64], now_ms: i64) -> Vec<String> {
        let last = || MoveLine::past(String::new(), moves.last().cloned().unwrap_or_default());
        delay.follow(start, moves, last, made_ms).expect("moves are legal");
        delay.due(now_ms, false).into_iter().map(|line| line.last_move().to_owned()).collect()
    }

    #[test]
    fn a_move_is_told_after_three_others_or_its_time() {
        let all = moves(&[0; 6]);
        let mut delay = Delay { wait_ms: 60, line: start(), waiting: VecDeque::new(), back: None };
        // Moves made long ago are released at once; of five moves made now, the first two have
        // three successors.
        assert_eq!(told(&mut delay, &all[..1], &[], 1000), all[..1]);
        assert_eq!(told(&mut delay, &all[..5], &[1000; 3], 1000), all[1..2]);
        assert_eq!((delay.told(), delay.next_ms()), (2, Some(1060)));
        assert_eq!(told(&mut delay, &all[..5], &[1059; 3], 1059), all[..0]);
        assert_eq!(told(&mut delay, &all[..5], &[1060; 3], 1060), all[2..5]);
        assert_eq!(told(&mut delay, &all, &[1061], 1061), all[..0]);
        assert_eq!(delay.due(1061, true).len(), 1, "the end of the game releases all moves");
        assert_eq!(delay.next_ms(), None);
    }

    #[test]
    fn told_plies_is_what_a_stream_has_told() {
        let all = moves(&[0; 6]);
        let last = || MoveLine::past(String::new(), String::new());
        for plies in 0..all.len() {
            for made_ms in [&[][..], &[1000, 1000, 1000], &[900, 950, 1000], &[1, 2, 3, 990, 1000]]
            {
                for now_ms in [1000, 1010, 1049, 1050, 1059, 1060] {
                    for wait_ms in [0, 60] {
                        let mut delay =
                            Delay { wait_ms, line: start(), waiting: VecDeque::new(), back: None };
                        delay.follow(start, &all[..plies], last, made_ms).expect("moves are legal");
                        delay.due(now_ms, false);
                        let made = &made_ms[made_ms.len().saturating_sub(plies)..];
                        let told = told_plies(plies, wait_ms, made, now_ms);
                        assert_eq!(told, delay.told(), "{plies} {made_ms:?} {now_ms} {wait_ms}");
                    }
                }
            }
        }
    }

    #[test]
    fn a_move_taken_back_is_told_only_if_it_was_told() {
        let (one, other) = (moves(&[0; 4]), moves(&[0, 0, 1, 1]));
        let mut delay = Delay { wait_ms: 60, line: start(), waiting: VecDeque::new(), back: None };
        assert_eq!(told(&mut delay, &one, &[100; 3], 100), one[..1]);
        // Two moves that were not released are replaced by two others.
        assert_eq!(told(&mut delay, &one[..2], &[], 110), one[..0]);
        assert_eq!(told(&mut delay, &other, &[120; 2], 120), one[..0]);
        assert_eq!(told(&mut delay, &other, &[], 200), other[1..]);
        // Two released moves are taken back: the stream returns to the position of the game.
        assert_eq!(told(&mut delay, &one[..2], &[], 210), one[1..2]);
        assert_eq!((delay.told(), delay.line.ply()), (2, 2));
    }
}

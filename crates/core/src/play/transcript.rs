//! Moves and clock times of a game, read from its event log without the rules of the variant.
//!
//! The side to move follows from the side of the next move. Clocks are computed as `Game` does; a
//! test compares both over random games. Illegal moves in a damaged log are not detected here, but
//! by `sprong check`. Caller: `room::game_record`, for exports.

use super::clock::{Clock, Pace};
use super::event::{Event, InvalidLog, LoggedEvent};
use super::game::BOTH_MOVED_PLIES;
use crate::rules::Side;

/// Moves of a game with their times.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Transcript {
    /// Notations of the moves.
    pub moves: Vec<String>,
    /// Remaining time of the mover after each move, in milliseconds; `None` without a clock.
    pub clocks_ms: Vec<Option<i64>>,
    /// Sequence number of each move in the log.
    pub seqs: Vec<i64>,
    /// Time of each move, in epoch milliseconds.
    pub moved_at_ms: Vec<i64>,
    /// Time of the last event, in epoch milliseconds; 0 if there is none.
    pub last_event_ms: i64,
}

/// Clock of a game with its times at the start of each turn.
struct ReplayClock {
    clock: Clock,
    history: Vec<super::clock::ClockTimes>,
    /// Whether both sides have moved.
    begun: bool,
}

impl ReplayClock {
    /// Applies a move after which `plies` plies have been played.
    fn press(&mut self, plies: usize, next: Side, lag_ms: i64, at_ms: i64) {
        self.begun |= plies >= BOTH_MOVED_PLIES;
        self.clock.press(next, lag_ms, at_ms);
        if self.clock.running().is_none() && self.begun {
            self.clock.start(next, at_ms);
        }
        self.history.push(self.clock.left());
    }

    fn add_time(&mut self, to: Side, ms: i64) {
        self.clock.add_time(to, ms);
        self.history.iter_mut().for_each(|times| times.time_ms[to.index()] += ms);
    }

    fn restore(&mut self, ply: usize, turn: Side, at_ms: i64) {
        if let Some(times) = self.history.get(ply).copied() {
            self.clock.restore(times, turn, at_ms);
            self.history.truncate(ply + 1);
        }
    }
}

/// Returns the side to move after each event. After the last move it is the opponent of the mover.
fn next_turns(log: &[LoggedEvent]) -> Vec<Side> {
    let movers = || log.iter().rev().filter(|logged| matches!(logged.event, Event::Moved { .. }));
    let last = movers().find_map(|logged| logged.side);
    let mut next = last.map_or(Side::First, Side::other);
    let mut turns = Vec::with_capacity(log.len());
    for logged in log.iter().rev() {
        turns.push(next);
        if let (Event::Moved { .. }, Some(side)) = (&logged.event, logged.side) {
            next = side;
        }
    }
    turns.reverse();
    turns
}

impl Transcript {
    /// Reads the log of a game with time mode `pace`.
    ///
    /// # Errors
    /// Fails if events are missing or in an impossible order.
    pub fn from_log(pace: Pace, log: &[LoggedEvent]) -> Result<Transcript, InvalidLog> {
        let mut clocks = pace.clock().map(|control| {
            let clock = Clock::new(control);
            ReplayClock { history: vec![clock.left()], clock, begun: false }
        });
        let mut transcript = Transcript::default();
        let mut is_over = false;
        for ((logged, turn), seq) in log.iter().zip(next_turns(log)).zip(1..) {
            let invalid = |why: &str| InvalidLog { seq: logged.seq, why: why.to_owned() };
            if logged.seq != seq {
                return Err(invalid(&format!("follows event {}", seq - 1)));
            }
            transcript.last_event_ms = logged.at_ms;
            match &logged.event {
                Event::Moved { .. } | Event::TakenBack { .. } if is_over => {
                    return Err(invalid("a move after the end"));
                }
                Event::Moved { u, lag_ms } => {
                    transcript.moves.push(u.to_string());
                    transcript.seqs.push(logged.seq);
                    transcript.moved_at_ms.push(logged.at_ms);
                    let remaining_ms = clocks.as_mut().zip(logged.side).map(|(clocks, side)| {
                        clocks.press(transcript.moves.len(), turn, *lag_ms, logged.at_ms);
                        clocks.clock.remaining_ms(side, logged.at_ms)
                    });
                    transcript.clocks_ms.push(remaining_ms);
                }
                Event::TakenBack { ply } if *ply >= transcript.moves.len() => {
                    return Err(invalid("nothing is taken back"));
                }
                Event::TakenBack { ply } => {
                    transcript.truncate(*ply);
                    if let Some(clocks) = &mut clocks {
                        clocks.restore(*ply, turn, logged.at_ms);
                    }
                }
                Event::TimeGiven { ms } => {
                    if let Some((clocks, to)) = clocks.as_mut().zip(logged.side.map(Side::other)) {
                        clocks.add_time(to, *ms);
                    }
                }
                Event::Resumed { lost_ms, .. } => {
                    if let Some(clocks) = &mut clocks {
                        clocks.clock.exclude(*lost_ms);
                    }
                }
                Event::Ended(_) => is_over = true,
                _ => {}
            }
        }
        Ok(transcript)
    }

    fn truncate(&mut self, plies: usize) {
        self.moves.truncate(plies);
        self.clocks_ms.truncate(plies);
        self.seqs.truncate(plies);
        self.moved_at_ms.truncate(plies);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::clock::TimeControl;
    use crate::play::command::{Command, OfferAction};
    use crate::play::game::{Game, Setup};
    use crate::rules::SplitMix;
    use crate::variants::ALL;

    /// Returns the log of a random game: moves, takebacks, given time, outages and ends.
    fn log_of(game: &mut Game, random: &mut SplitMix) -> Vec<LoggedEvent> {
        let (mut log, mut now_ms) = (Vec::new(), 1_000);
        for _ in 0..300 {
            now_ms += random.below(3_000) as i64;
            let turn = game.line().turn();
            let events = match random.below(20) {
                0 => {
                    let by = Side::BOTH[random.below(2)];
                    let takeback = |action| Command::Takeback { action, ply: None };
                    let offered = game.command(by, &takeback(OfferAction::Offer), now_ms);
                    log.extend(offered.into_iter().flatten());
                    game.command(by.other(), &takeback(OfferAction::Accept), now_ms + 10)
                }
                1 => game.command(turn, &Command::GiveTime { ms: 15_000 }, now_ms),
                2 => Ok(game.exclude_downtime(now_ms - 500, now_ms)),
                3 if random.below(20) == 0 => game.command(turn, &Command::Resign, now_ms),
                _ => {
                    let legal = game.legal_moves();
                    let Some(u) = legal.get(random.below(legal.len().max(1))) else { break };
                    let lag_ms = random.below(900) as i64;
                    game.command(turn, &Command::Move { u: u.into(), ply: None, lag_ms }, now_ms)
                }
            };
            log.extend(events.into_iter().flatten());
        }
        log
    }

    /// Returns the transcript as computed by `Game`.
    fn oracle(setup: &Setup, log: &[LoggedEvent]) -> Transcript {
        let mut game = Game::new(setup.clone());
        let mut transcript = Transcript::default();
        for logged in log {
            game.replay(logged).expect("log of a game");
            transcript.last_event_ms = logged.at_ms;
            match logged.event {
                Event::Moved { .. } => {
                    let remaining = game.clock().zip(logged.side);
                    let remaining =
                        remaining.map(|(clock, side)| clock.remaining_ms(side, logged.at_ms));
                    transcript.clocks_ms.push(remaining);
                    transcript.seqs.push(logged.seq);
                    transcript.moved_at_ms.push(logged.at_ms);
                }
                Event::TakenBack { ply } => transcript.truncate(ply),
                _ => {}
            }
        }
        Transcript {
            moves: game.line().moves().iter().map(ToString::to_string).collect(),
            ..transcript
        }
    }

    #[test]
    fn transcript_matches_game_replay() {
        let mut random = SplitMix::new(7);
        let (mut taken_back, mut given) = (0, 0);
        for (number, variant) in (0..).zip(ALL.iter().cycle().take(60)) {
            let clock = TimeControl { initial_ms: 300_000, increment_ms: 2_000 };
            let pace = [Pace::Clock(clock), Pace::Days(3), Pace::Unlimited][number % 3];
            let (options, seed) = (variant.options(), random.next_u64());
            let setup = Setup { variant, options, seed, pace, created_ms: 500 };
            let log = log_of(&mut Game::new(setup.clone()), &mut random);
            let count = |is: fn(&Event) -> bool| log.iter().filter(|l| is(&l.event)).count();
            taken_back += count(|event| matches!(event, Event::TakenBack { .. }));
            given += count(|event| matches!(event, Event::TimeGiven { .. }));
            // The log of a game in progress may end at any event.
            for end in (0..log.len()).step_by(7).chain([log.len()]) {
                let read = Transcript::from_log(pace, &log[..end]).expect("log of a game");
                assert_eq!(read, oracle(&setup, &log[..end]), "{}", variant.info.key);
            }
        }
        assert!(taken_back > 100 && given > 50, "{taken_back} {given}");
    }

    #[test]
    fn log_with_gap_or_wrong_order_is_rejected() {
        let moved = |seq| {
            let event = Event::Moved { u: "a1".into(), lag_ms: 0 };
            LoggedEvent { seq, side: Some(Side::First), at_ms: 1, event }
        };
        let other = |seq, event| LoggedEvent { seq, side: None, at_ms: 1, event };
        let end = crate::play::event::GameEnd {
            status: crate::play::event::GameStatus::Resign,
            winner: Some(Side::First),
            reason: None,
        };
        for log in [
            vec![moved(2)],
            vec![moved(1), moved(3)],
            vec![moved(1), moved(1)],
            vec![moved(1), other(2, Event::TakenBack { ply: 1 })],
            vec![moved(1), other(2, Event::Ended(end)), moved(3)],
        ] {
            assert!(Transcript::from_log(Pace::Unlimited, &log).is_err(), "{log:?}");
        }
    }
}

//! Schedules on a paused clock: timers fire only when the schedule lets time pass.
//!
//! The store has threads of its own, for which the runtime would not wait: a task on a blocking
//! thread keeps it from advancing the clock by itself. Caller: the tests of the parent module.

use super::{Schedule, until};
use sprong::play::command::Command;
use sprong::play::event::{Event, GameStatus};
use sprong::play::game::Game;
use sprong::rooms::{Rooms, now_ms};
use sprong::rules::SplitMix;
use sprong::store::{EventLog, GameRow};
use std::sync::mpsc;
use std::time::Duration;
use uuid::Uuid;

/// Longest time that passes at once. Two readings of the time further apart count as a stall.
const TIME_STEP_MS: i64 = 1_000;

/// Clock of the runtime, which stands still until the test advances it.
pub struct PausedClock {
    _release: mpsc::Sender<()>,
}

impl PausedClock {
    /// Takes control of the clock, which must be paused.
    pub fn hold() -> PausedClock {
        let (release, released) = mpsc::channel();
        tokio::task::spawn_blocking(move || released.recv());
        PausedClock { _release: release }
    }
}

impl Schedule {
    /// Lets time pass on both nodes, which read it as they do in a running server.
    async fn advance(&self, nodes: [&Rooms; 2], duration_ms: i64) {
        let mut left_ms = duration_ms;
        while left_ms > 0 {
            let step_ms = left_ms.min(TIME_STEP_MS);
            tokio::time::advance(Duration::from_millis(step_ms.cast_unsigned())).await;
            for rooms in nodes {
                rooms.snapshot(&self.row.id).await.expect("snapshot");
            }
            left_ms -= step_ms;
        }
    }

    /// Ends a game that goes on, so that none of its timers fires in a later schedule.
    pub async fn end(&mut self, rooms: &Rooms) {
        let snapshot = rooms.snapshot(&self.row.id).await.expect("snapshot");
        if snapshot.row.result.is_none() {
            let sent = self.send(rooms, snapshot.turn, Uuid::now_v7(), Command::Resign).await;
            self.history.acknowledged.push(sent.expect("a resignation"));
        }
    }

    /// Lets a time pass that is drawn from the seed: some seconds, until just before the deadline,
    /// or to the deadline, at which the player moves.
    pub async fn pass_time(&mut self, nodes: [&Rooms; 2], random: &mut SplitMix) {
        let store = nodes[0].store();
        let log = store.events(self.row.key).await.expect("log");
        let game = replay(&self.row, &log);
        let Some(left_ms) = game.deadline_ms().map(|deadline_ms| deadline_ms - now_ms()) else {
            return;
        };
        let is_near = left_ms < 100 * TIME_STEP_MS;
        match random.below(if is_near { 8 } else { 4 }) {
            0..=4 => {
                let some_ms = random.below(5_000) as i64;
                self.advance(nodes, some_ms.min(left_ms - 1)).await;
            }
            5 | 6 => self.advance(nodes, left_ms - 1).await,
            // The flags of both rooms and a move compete for the next number.
            _ => {
                self.advance(nodes, left_ms - 1).await;
                let snapshot = nodes[0].snapshot(&self.row.id).await.expect("snapshot");
                let (u, ply) = (snapshot.legal[0].to_owned(), Some(snapshot.moves.len()));
                let command = Command::Move { u: u.into(), ply, lag_ms: 0 };
                tokio::time::advance(Duration::from_millis(1)).await;
                let sent = self.send(nodes[1], snapshot.turn, Uuid::now_v7(), command).await;
                let cid = sent.expect_err("a move at the deadline is late");
                self.history.refused.push(cid);
                until("the game does not end at its deadline", async || {
                    store.game(&self.row.id).await.expect("read").expect("game").result.is_some()
                })
                .await;
            }
        }
    }
}

fn replay(row: &GameRow, log: &EventLog) -> Game {
    let mut game = Game::new(row.setup.clone());
    log.iter().for_each(|(logged, _)| game.replay(logged).expect("a legal log"));
    game
}

/// Returns whether time alone has ended a game. Panics if it ended before the deadline, or after
/// the next step of time, or if time that passed is not charged.
pub fn check_end_by_time(row: &GameRow, log: &EventLog) -> bool {
    assert!(!log.iter().any(|(logged, _)| matches!(logged.event, Event::Resumed { .. })));
    let Some(((ended, _), before)) = log.split_last() else { return false };
    let Event::Ended(end) = ended.event else { return false };
    let is_by_time = matches!(end.status, GameStatus::OutOfTime | GameStatus::NoStart);
    if is_by_time {
        let deadline_ms = replay(row, &before.to_vec()).deadline_ms().expect("a deadline");
        let late_ms = ended.at_ms - deadline_ms;
        assert!((0..=TIME_STEP_MS).contains(&late_ms), "{late_ms} ms after the deadline");
    }
    is_by_time
}

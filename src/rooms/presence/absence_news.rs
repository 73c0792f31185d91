//! News for accounts without a connection, or whose connection turns out to be lost.

use crate::store::{AccountKey, Challenge, GameRow, PublicId};
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Time for which news of a connected account is held: a lost connection is noticed sooner.
const HELD_TIME: Duration = Duration::from_secs(60);

/// Maximum of news held for one account.
const HELD_MAX: usize = 16;

/// News for an account without a connection.
#[derive(Clone, Debug)]
pub struct AbsenceNews {
    pub account: AccountKey,
    pub event: AbsenceEvent,
}

/// Event of which an account is also informed without a connection.
#[derive(Clone, Debug)]
pub enum AbsenceEvent {
    /// The opponent has moved in a game without a clock between people.
    OpponentMoved(PublicId),
    /// A challenge to the account was created.
    Challenged(Arc<Challenge>),
    /// A challenge of the account was accepted.
    GameStarted(Arc<GameRow>),
}

/// Latest news of a connected account, the oldest first. A locked phone does not receive it,
/// although its connection is not yet known to be lost.
#[derive(Debug, Default)]
pub(super) struct HeldNews(VecDeque<(Instant, AbsenceEvent)>);

impl HeldNews {
    pub(super) fn add(&mut self, event: AbsenceEvent, now: Instant) {
        let is_old = |(at, _): &(Instant, AbsenceEvent)| *at + HELD_TIME <= now;
        while self.0.len() == HELD_MAX || self.0.front().is_some_and(is_old) {
            self.0.pop_front();
        }
        self.0.push_back((now, event));
    }

    /// Returns the news from `since` on.
    pub(super) fn since(self, since: Instant) -> impl Iterator<Item = AbsenceEvent> {
        self.0.into_iter().filter(move |(at, _)| *at >= since).map(|(_, event)| event)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn latest_news_are_held_for_a_minute() {
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let game = |number: u64| format!("game{number:04}").parse::<PublicId>().expect("id");
        let mut held = HeldNews::default();
        for seconds in [0, 30, 50, 70] {
            held.add(AbsenceEvent::OpponentMoved(game(seconds)), at(seconds));
        }
        assert_eq!(held.0.len(), 3);
        let games: Vec<String> = held
            .since(at(50))
            .map(|event| match event {
                AbsenceEvent::OpponentMoved(game) => game.to_string(),
                event => panic!("{event:?}"),
            })
            .collect();
        assert_eq!(games, ["game0050", "game0070"]);
        let mut held = HeldNews::default();
        for number in 0..100 {
            held.add(AbsenceEvent::OpponentMoved(game(number)), start);
        }
        assert_eq!(held.since(start).count(), HELD_MAX);
    }
}

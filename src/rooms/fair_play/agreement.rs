//! Agreement of moves with the engine.
//!
//! The engine searches the positions in which a player had a choice, with a fixed number of nodes,
//! so that a repeated report has the same result. Caller: the parent module.

use super::{ReportError, named_games};
use crate::play::played_line::PlayedLine;
use crate::rooms::{EngineError, EnginePool, GameRecord, Rooms, SearchRequest};
use crate::search::{SearchResult, Strength};
use crate::store::{Account, AccountKey, GameRow, NewSuspicion, PublicId, SuspicionKind};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::time::Duration;
use tokio::time::{Instant, timeout_at};

/// Games, and moves that were compared, from which on an account is looked at.
const GAMES_MIN: usize = 3;
const MOVES_MIN: i64 = 40;

/// Plies at the beginning of a game that are not compared: many players know them.
const OPENING_PLIES: usize = 6;

/// Legal moves from which on a position leaves a choice.
const LEGAL_MOVES_MIN: usize = 3;

/// Share of the engine's moves, in percent, from which on it is a finding.
const AGREEMENT_PERCENT_MIN: i64 = 75;

/// Search of a position. The time limit is for a stalled machine.
const SEARCH_REQUEST: SearchRequest = SearchRequest {
    strength: Strength::Nodes(2_000),
    seed: 0,
    lines: 1,
    time_max: Duration::from_secs(10),
};

/// Searches of a report, and its time for them: the games after that are not compared.
const SEARCHES_MAX: u32 = 50_000;
const SEARCH_TIME_MAX: Duration = Duration::from_secs(30 * 60);

/// Delay before the next attempt while the queue of the engine is full.
const RETRY_DELAY: Duration = Duration::from_millis(500);

/// Compared moves of an account.
#[derive(Debug, Default)]
struct AccountMoves {
    compared: i64,
    agreeing: i64,
    /// Newest first.
    games: Vec<PublicId>,
}

/// Agreement of the accounts with enough games.
#[derive(Debug)]
pub(super) struct Agreement {
    accounts: BTreeMap<AccountKey, AccountMoves>,
    searches_left: u32,
    until: Instant,
}

/// Returns whether the moves of an account should be its own.
fn is_human(account: &Account) -> bool {
    !account.guest && !account.bot && account.level.is_none()
}

impl Agreement {
    pub(super) fn new(games: &[GameRow]) -> Agreement {
        let mut counts: HashMap<AccountKey, usize> = HashMap::new();
        for player in games.iter().flat_map(|row| &row.players) {
            if is_human(&player.account) {
                *counts.entry(player.account.key).or_default() += 1;
            }
        }
        let accounts = counts.into_iter().filter(|(_, count)| *count >= GAMES_MIN);
        Agreement {
            accounts: accounts.map(|(account, _)| (account, AccountMoves::default())).collect(),
            searches_left: SEARCHES_MAX,
            until: Instant::now() + SEARCH_TIME_MAX,
        }
    }

    fn may_search(&self) -> bool {
        self.searches_left > 0 && Instant::now() < self.until
    }

    /// Searches at the end of a line; `None` if the time of the report ends before, which may be
    /// while the search waits in the queue.
    async fn search(
        &self,
        pool: &EnginePool,
        line: &PlayedLine,
    ) -> Option<Result<Option<SearchResult>, EngineError>> {
        let search = pool.search_in_background(line.clone(), SEARCH_REQUEST);
        timeout_at(self.until, search).await.ok()
    }

    pub(super) fn findings(self) -> Vec<NewSuspicion> {
        let mut findings = Vec::new();
        for (account, AccountMoves { compared, agreeing, games }) in self.accounts {
            if games.len() < GAMES_MIN || compared < MOVES_MIN {
                continue;
            }
            let value = agreeing * 100 / compared;
            if value >= AGREEMENT_PERCENT_MIN {
                findings.push(NewSuspicion {
                    kind: SuspicionKind::EngineMoves,
                    account,
                    other: None,
                    game_count: games.len() as i64,
                    move_count: compared,
                    value,
                    games: named_games(games),
                });
            }
        }
        findings
    }
}

impl Rooms {
    /// Compares the moves of a game with those of the engine, as far as its players are looked at.
    pub(super) async fn compare_with_engine(
        &self,
        record: &GameRecord,
        agreement: &mut Agreement,
    ) -> Result<(), ReportError> {
        let keys = record.row.player_keys();
        let players: HashSet<AccountKey> =
            keys.into_iter().filter(|key| agreement.accounts.contains_key(key)).collect();
        if players.is_empty() || !agreement.may_search() {
            return Ok(());
        }
        let setup = &record.row.setup;
        let mut line = PlayedLine::new(setup.variant.start(&setup.options, setup.seed));
        for u in &record.moves {
            let mover = keys[line.turn().index()];
            let has_choice =
                line.ply() >= OPENING_PLIES && line.legal_moves().len() >= LEGAL_MOVES_MIN;
            if has_choice
                && players.contains(&mover)
                && let Some(best) = self.engine_choice(&line, agreement).await?
                && let Some(moves) = agreement.accounts.get_mut(&mover)
            {
                moves.compared += 1;
                moves.agreeing += i64::from(best == *u);
            }
            if let Err(error) = line.play(u) {
                let game = record.row.id;
                tracing::warn!(game.id = %game, %error, "Failed to replay a game for the fair play report");
                return Ok(());
            }
        }
        for player in players {
            agreement.accounts.entry(player).or_default().games.push(record.row.id);
        }
        Ok(())
    }

    /// Returns the move of the engine at the end of a line, once it has nothing else to do; `None`
    /// beyond the limits of the report.
    async fn engine_choice(
        &self,
        line: &PlayedLine,
        agreement: &mut Agreement,
    ) -> Result<Option<String>, ReportError> {
        while agreement.may_search() {
            let Some(searched) = agreement.search(self.engine_pool(), line).await else { break };
            match searched {
                Ok(result) => {
                    agreement.searches_left -= 1;
                    return Ok(result.map(|result| result.best));
                }
                Err(EngineError::Panicked) => return Ok(None),
                Err(EngineError::Busy) if !self.sleep_unless_stopped(RETRY_DELAY).await => {
                    return Err(ReportError::Stopping);
                }
                Err(EngineError::Busy) => {}
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rooms::Requester;
    use crate::variants::ALL;
    use std::net::{IpAddr, Ipv4Addr};

    #[tokio::test]
    async fn waiting_search_ends_with_time_of_report() {
        let pool = EnginePool::new(1, 4, 0);
        let line = PlayedLine::new(ALL[0].start(&ALL[0].options(), 0));
        let day = Duration::from_hours(24);
        let requester = Requester {
            network: IpAddr::V4(Ipv4Addr::LOCALHOST),
            answer_by: std::time::Instant::now() + day,
        };
        let strength = Strength::Nodes(u64::MAX);
        let request = SearchRequest { strength, time_max: day, ..SEARCH_REQUEST };
        let until = Instant::now() + Duration::from_millis(100);
        let agreement = Agreement { accounts: BTreeMap::new(), searches_left: 1, until };
        tokio::select! {
            biased;
            _ = pool.search(requester, line.clone(), request) => panic!("the search has ended"),
            searched = agreement.search(&pool, &line) => assert!(searched.is_none()),
        }
        assert!(!agreement.may_search());
    }
}

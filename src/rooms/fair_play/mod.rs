//! Nightly fair play report: looks for games that moderators should look at.
//!
//! Once a night one of the servers of a database looks at the rated games that ended since the last
//! report, and at the results of the last week, and stores findings for moderators. They are hints
//! only, without any effect on the account. Its searches are the last in the queue of the engine.
//! Caller: [`Rooms::resume`], which spawns it.

mod agreement;
mod pairs;
mod times;

use super::{RoomError, Rooms, now_ms};
use crate::play::clock::DAY_MS;
use crate::store::{GameRow, NewSuspicion, PublicId, ReportClaim, StoreError, SuspicionKind};
use agreement::Agreement;
use std::collections::HashMap;
use std::time::Duration;
use times::MoveTimes;

/// Interval at which the server looks whether a report is due.
const POLL_INTERVAL: Duration = Duration::from_secs(5);

/// Time of the report, in milliseconds after midnight (UTC).
const NIGHT_MS: i64 = 3 * 3_600_000;

/// Games of which a report looks at the moves: the newest ones.
const GAMES_MAX: i64 = 2_000;

/// Period and number of the results that a report looks at.
const RESULTS_PERIOD_MS: i64 = 7 * DAY_MS;
const RESULTS_MAX: i64 = 20_000;

/// Age of the newest games of a report, in milliseconds. The clocks of servers differ, and the end
/// of a game is stored some time after it.
const GAME_AGE_MIN_MS: i64 = 60_000;

/// Games that a finding names.
const NAMED_GAMES_MAX: usize = 20;

/// Findings of one kind in a report.
const FINDINGS_MAX: usize = 200;

/// Reason why a report was not completed.
#[derive(Debug, thiserror::Error)]
enum ReportError {
    #[error("the server stops")]
    Stopping,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// Returns the next time of a report.
fn next_night_ms(now_ms: i64) -> i64 {
    let tonight_ms = now_ms.div_euclid(DAY_MS) * DAY_MS + NIGHT_MS;
    if tonight_ms > now_ms { tonight_ms } else { tonight_ms + DAY_MS }
}

/// Returns the first games for a finding.
fn named_games(games: impl IntoIterator<Item = PublicId>) -> Vec<PublicId> {
    games.into_iter().take(NAMED_GAMES_MAX).collect()
}

/// Returns the strongest findings of each kind, these first.
fn strongest(mut findings: Vec<NewSuspicion>) -> Vec<NewSuspicion> {
    findings.sort_by_key(|finding| match finding.kind {
        SuspicionKind::EngineMoves | SuspicionKind::FedPoints => -finding.value,
        SuspicionKind::SteadyTimes | SuspicionKind::FastTimes => finding.value,
        SuspicionKind::SharedNetwork => -finding.game_count,
    });
    let mut counts: HashMap<SuspicionKind, usize> = HashMap::new();
    findings.retain(|finding| {
        let count = counts.entry(finding.kind).or_default();
        *count += 1;
        *count <= FINDINGS_MAX
    });
    findings
}

impl Rooms {
    /// Makes the reports that are due, until the server stops. A server without engine threads
    /// leaves them to the others.
    pub(in crate::rooms) async fn fair_play_loop(self) {
        if !self.engine_pool().has_threads() {
            return;
        }
        while self.sleep_unless_stopped(POLL_INTERVAL).await {
            let now_ms = now_ms();
            match self.store().claim_fair_play_report(now_ms, next_night_ms(now_ms)).await {
                Ok(Some(claim)) => {
                    self.make_fair_play_report(claim, now_ms - GAME_AGE_MIN_MS).await
                }
                Ok(None) => {}
                Err(error) => tracing::error!(%error, "Failed to claim the fair play report"),
            }
        }
    }

    async fn make_fair_play_report(&self, claim: ReportClaim, to_ms: i64) {
        let findings = match self.find_suspicions(claim.since_ms, to_ms).await {
            Ok(findings) => findings,
            Err(ReportError::Stopping) => {
                if let Err(error) = self.store().release_fair_play_report(claim).await {
                    tracing::warn!(%error, "Failed to give the fair play report back");
                }
                return;
            }
            // It is tried again once the claim has ended.
            Err(ReportError::Store(error)) => {
                tracing::error!(%error, "Failed to make the fair play report");
                return;
            }
        };
        let findings = strongest(findings);
        match self.store().finish_fair_play_report(claim, to_ms, &findings, now_ms()).await {
            Ok(true) => tracing::info!(findings = findings.len(), "Fair play report made"),
            Ok(false) => tracing::warn!("Another server has taken the fair play report over"),
            Err(error) => tracing::error!(%error, "Failed to store the fair play report"),
        }
    }

    /// Returns the findings about the games that ended after `since_ms` and until `to_ms`, and
    /// about the results of a week that these belong to.
    async fn find_suspicions(
        &self,
        since_ms: i64,
        to_ms: i64,
    ) -> Result<Vec<NewSuspicion>, ReportError> {
        let week_ms = to_ms - RESULTS_PERIOD_MS;
        // A later end of the previous report is that of a wrong clock.
        let since_ms = since_ms.clamp(week_ms, to_ms);
        let results = self.store().rated_results(week_ms, to_ms, RESULTS_MAX).await?;
        let pairs = pairs::pairs_of(&results, since_ms);
        let mut findings = pairs::fed_points(&pairs);
        let keys: Vec<_> = pairs.keys().copied().collect();
        let sharing = self.store().sharing_networks(&results, &keys).await?;
        findings.extend(pairs::shared_networks(&pairs, &sharing));

        let games = self.store().rated_games(since_ms, to_ms, GAMES_MAX).await?;
        let mut agreement = Agreement::new(&games);
        let mut times = MoveTimes::default();
        for row in games {
            if self.inner.stop.is_cancelled() {
                return Err(ReportError::Stopping);
            }
            self.look_at(row, &mut agreement, &mut times).await?;
        }
        findings.extend(agreement.findings());
        findings.extend(times.findings());
        Ok(findings)
    }

    /// Looks at the moves of a game. One with an invalid log is skipped.
    async fn look_at(
        &self,
        row: GameRow,
        agreement: &mut Agreement,
        times: &mut MoveTimes,
    ) -> Result<(), ReportError> {
        let id = row.id;
        match self.record(row).await {
            Ok(record) => {
                times.add(&record);
                self.compare_with_engine(&record, agreement).await
            }
            Err(RoomError::Store(error)) if !matches!(error, StoreError::InvalidRow(_)) => {
                Err(error.into())
            }
            Err(error) => {
                tracing::warn!(game.id = %id, %error, "Failed to read a game for the fair play report");
                Ok(())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::AccountKey;

    #[test]
    fn strongest_findings_of_each_kind_are_kept() {
        let finding = |kind, value| NewSuspicion {
            kind,
            account: AccountKey::new(),
            other: None,
            game_count: value,
            move_count: 0,
            value,
            games: Vec::new(),
        };
        let kinds = [SuspicionKind::EngineMoves, SuspicionKind::FastTimes];
        let many = (0..300).flat_map(|value| kinds.map(|kind| finding(kind, value)));
        let kept = strongest(many.collect());
        for (kind, best, worst) in [(kinds[0], 299, 100), (kinds[1], 0, 199)] {
            let values: Vec<i64> =
                kept.iter().filter(|kept| kept.kind == kind).map(|kept| kept.value).collect();
            assert_eq!((values.len(), values[0], values[199]), (FINDINGS_MAX, best, worst));
        }
    }

    #[test]
    fn report_is_due_at_three_in_the_morning() {
        let day_ms = 20_000 * DAY_MS;
        assert_eq!(next_night_ms(day_ms), day_ms + NIGHT_MS);
        assert_eq!(next_night_ms(day_ms + NIGHT_MS - 1), day_ms + NIGHT_MS);
        assert_eq!(next_night_ms(day_ms + NIGHT_MS), day_ms + DAY_MS + NIGHT_MS);
    }
}

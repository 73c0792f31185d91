//! Results of pairs of players: points that one of them gives away, and shared networks. Caller:
//! the parent module.

use super::named_games;
use crate::store::{AccountKey, NewSuspicion, PublicId, RatedResult, SuspicionKind};
use std::collections::BTreeMap;

/// Games, share of wins in percent, and gained points from which on a pair is a finding.
const GAMES_MIN: i64 = 5;
const WINS_PERCENT_MIN: i64 = 90;
const POINTS_MIN: i64 = 50;

/// Results of a pair of players in the order of their keys.
#[derive(Debug, Default)]
pub(super) struct PairResults {
    /// Newest first.
    games: Vec<PublicId>,
    count: i64,
    wins: [i64; 2],
    points: [i64; 2],
    /// Whether one of the games has ended since the last report.
    is_new: bool,
}

/// Results by pair.
pub(super) type Pairs = BTreeMap<[AccountKey; 2], PairResults>;

/// Returns the pairs with a game that ended after `since_ms`.
pub(super) fn pairs_of(results: &[RatedResult], since_ms: i64) -> Pairs {
    let mut pairs = Pairs::new();
    for result in results {
        let is_swapped = result.second < result.first;
        let (mut players, mut points) =
            ([result.first, result.second], [result.first_diff, result.second_diff]);
        if is_swapped {
            players.reverse();
            points.reverse();
        }
        let pair = pairs.entry(players).or_default();
        pair.count += 1;
        pair.games.extend(result.game_id());
        pair.is_new |= result.ended_ms > since_ms;
        for (sum, gained) in pair.points.iter_mut().zip(points) {
            *sum += i64::from(gained);
        }
        if let Some(winner) = &result.winner {
            pair.wins[usize::from((winner == "second") != is_swapped)] += 1;
        }
    }
    pairs.retain(|_, pair| pair.is_new);
    pairs
}

fn finding(
    kind: SuspicionKind,
    [account, other]: [AccountKey; 2],
    pair: &PairResults,
    value: i64,
) -> NewSuspicion {
    NewSuspicion {
        kind,
        account,
        other: Some(other),
        game_count: pair.count,
        move_count: 0,
        value,
        games: named_games(pair.games.iter().copied()),
    }
}

/// Returns the accounts that have won almost all of many games against another one, and gained
/// points by it.
pub(super) fn fed_points(pairs: &Pairs) -> Vec<NewSuspicion> {
    let mut findings = Vec::new();
    for (players, pair) in pairs {
        for at in [0, 1] {
            let has_won = pair.wins[at] * 100 >= pair.count * WINS_PERCENT_MIN;
            if pair.count >= GAMES_MIN && has_won && pair.points[at] >= POINTS_MIN {
                let ordered = [players[at], players[1 - at]];
                findings.push(finding(SuspicionKind::FedPoints, ordered, pair, pair.points[at]));
            }
        }
    }
    findings
}

/// Returns the pairs that were used from one network.
pub(super) fn shared_networks(pairs: &Pairs, sharing: &[[AccountKey; 2]]) -> Vec<NewSuspicion> {
    let shared = sharing.iter().filter_map(|players| Some((players, pairs.get(players)?)));
    let kind = SuspicionKind::SharedNetwork;
    shared.map(|(players, pair)| finding(kind, *players, pair, 0)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(players: [AccountKey; 2], winner: Option<&str>, ended_ms: i64) -> RatedResult {
        let diff = match winner {
            Some("first") => 12,
            Some(_) => -12,
            None => 0,
        };
        RatedResult {
            id: PublicId::random().to_string(),
            first: players[0],
            second: players[1],
            winner: winner.map(str::to_owned),
            first_diff: diff,
            second_diff: -diff,
            ended_ms,
        }
    }

    #[test]
    fn pair_with_one_sided_results_is_found() {
        let (ann, bob) = (AccountKey::new(), AccountKey::new());
        let (cleo, dan) = (AccountKey::new(), AccountKey::new());
        // Ann wins on either side.
        let mut results: Vec<RatedResult> = (0..3)
            .map(|at| result([ann, bob], Some("first"), at))
            .chain((3..6).map(|at| result([bob, ann], Some("second"), at)))
            .collect();
        let found = fed_points(&pairs_of(&results, 4));
        assert_eq!(found.len(), 1);
        let NewSuspicion { account, other, game_count, value, ref games, .. } = found[0];
        assert_eq!((account, other, game_count, value), (ann, Some(bob), 6, 72));
        assert_eq!(games.len(), 6);
        assert_eq!(fed_points(&pairs_of(&results, 5)), [], "no game is new");
        assert_eq!(fed_points(&pairs_of(&results[..4], 0)), [], "too few games");
        results.push(result([ann, bob], None, 7));
        assert_eq!(fed_points(&pairs_of(&results, 4)), [], "six wins of seven");
        let even: Vec<RatedResult> = (0..10)
            .map(|at| result([cleo, dan], Some(if at % 2 == 0 { "first" } else { "second" }), at))
            .collect();
        let pairs = pairs_of(&even, 4);
        assert_eq!(fed_points(&pairs), []);
        let players = *pairs.keys().next().expect("a pair");
        let shared = shared_networks(&pairs, &[players, [ann, bob]]);
        assert_eq!(shared.len(), 1);
        assert_eq!((shared[0].kind, shared[0].game_count), (SuspicionKind::SharedNetwork, 10));
    }
}

use super::Method;

/// Number of levels. Level 1 is the weakest.
pub const LEVELS: usize = 8;

/// Reproducible playing strength: limited by nodes, not by time.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Level {
    /// Search method.
    pub method: Method,
    /// Maximum nodes per move; playouts for [`Method::Mcts`] and [`Method::RandomPlayouts`].
    pub nodes: u64,
    /// Maximum random error of a move's value, in points, in either direction.
    pub noise: i32,
}

/// Plies without progress after which a level starts to play more strongly.
const STALL_PLIES_MIN: u32 = 40;
/// Plies without progress after which a level plays without noise.
const STALL_PLIES_MAX: u32 = 80;

/// Minimum nodes per move, for each ply without progress beyond [`STALL_PLIES_MIN`].
const NODES_PER_STALLED_PLY: u64 = 100;

impl Level {
    /// Returns the level with more nodes and less noise after a number of plies without progress,
    /// so that weak levels also finish won games.
    pub(super) fn boosted(self, plies_without_progress: u32) -> Level {
        let stalled_plies =
            plies_without_progress.clamp(STALL_PLIES_MIN, STALL_PLIES_MAX) - STALL_PLIES_MIN;
        let plies_left = (STALL_PLIES_MAX - STALL_PLIES_MIN - stalled_plies) as i32;
        Level {
            nodes: self.nodes.max(NODES_PER_STALLED_PLY * u64::from(stalled_plies)),
            noise: self.noise * plies_left / (STALL_PLIES_MAX - STALL_PLIES_MIN) as i32,
            ..self
        }
    }
}

/// Returns alpha-beta levels from the nodes and the noise of each, weakest first.
pub const fn ab_levels(nodes: [u64; LEVELS], noise: [i32; LEVELS]) -> [Level; LEVELS] {
    let mut levels = [Level { method: Method::AlphaBeta, nodes: 0, noise: 0 }; LEVELS];
    let mut at = 0;
    while at < LEVELS {
        (levels[at].nodes, levels[at].noise) = (nodes[at], noise[at]);
        at += 1;
    }
    levels
}

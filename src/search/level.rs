use super::Method;
use serde::Serialize;

/// How many levels there are, the weakest being 1.
pub const LEVELS: usize = 8;

/// A strength that can be repeated: it is counted in nodes, not in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Level {
    /// How the game is searched.
    pub method: Method,
    /// Positions looked at for a move, at the most; playouts for [`Method::Tree`].
    pub nodes: u64,
    /// Points by which the value of a move is mistaken, either way, at the most.
    pub noise: i32,
}

/// Plies without progress after which a level begins to take more trouble, and after which it makes
/// no mistakes any more.
const PATIENCE: u32 = 40;
const ROUSED: u32 = 80;

/// Positions looked at for each ply that patience lasted too long.
const TROUBLE: u64 = 100;

impl Level {
    /// The same level after so many plies without progress: whoever gets nowhere looks further and is
    /// less mistaken, so that what is won is also brought to its end.
    pub(super) fn roused(self, idle: u32) -> Level {
        let over = idle.clamp(PATIENCE, ROUSED) - PATIENCE;
        let left = (ROUSED - PATIENCE - over) as i32;
        Level {
            nodes: self.nodes.max(TROUBLE * u64::from(over)),
            noise: self.noise * left / (ROUSED - PATIENCE) as i32,
            ..self
        }
    }
}

/// Levels by alpha-beta, the weakest first: the nodes of each, and its noise.
pub const fn alpha(nodes: [u64; LEVELS], noise: [i32; LEVELS]) -> [Level; LEVELS] {
    let mut levels = [Level { method: Method::Alpha, nodes: 0, noise: 0 }; LEVELS];
    let mut at = 0;
    while at < LEVELS {
        (levels[at].nodes, levels[at].noise) = (nodes[at], noise[at]);
        at += 1;
    }
    levels
}

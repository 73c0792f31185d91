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

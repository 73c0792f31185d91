//! Connected groups of buttons, and the buttons that pairs strike.

use super::{ALL, BUTTONS, INFO, NONE, SIDE_LEN, cell, holes, square};

/// Returns a set with all orthogonal and diagonal neighbors.
fn spread(set: u128) -> u128 {
    const BOTTOM: u128 = {
        let mut row = 0;
        let mut col = 0;
        while col < SIDE_LEN {
            row |= 1 << (col * SIDE_LEN);
            col += 1;
        }
        row
    };
    const TOP: u128 = BOTTOM << (SIDE_LEN - 1);
    let files = set | (set & !TOP) << 1 | (set & !BOTTOM) >> 1;
    (files | files << SIDE_LEN | files >> SIDE_LEN) & ALL
}

/// Iterates over the connected groups of a set.
pub(super) fn groups(mut set: u128) -> impl Iterator<Item = u128> {
    std::iter::from_fn(move || {
        let mut group = set & set.wrapping_neg();
        if group == 0 {
            return None;
        }
        loop {
            let grown = spread(group) & set;
            if grown == group {
                break;
            }
            group = grown;
        }
        set &= !group;
        Some(group)
    })
}

const PAIRS_MAX: usize = BUTTONS as usize / 2;

/// Groups of exactly two buttons of a side, padded with [`NONE`].
pub(super) struct Pairs([[u8; 2]; PAIRS_MAX]);

impl Pairs {
    pub(super) fn from_buttons(own: u128) -> Pairs {
        let mut pairs = Pairs([[NONE; 2]; PAIRS_MAX]);
        let found = groups(own).filter(|group| group.count_ones() == 2);
        for (pair_slot, pair) in pairs.0.iter_mut().zip(found) {
            *pair_slot = [pair.trailing_zeros() as u8, 127 - pair.leading_zeros() as u8];
        }
        pairs
    }

    fn iter(&self) -> impl Iterator<Item = [u8; 2]> {
        self.0.into_iter().take_while(|pair| pair[0] != NONE)
    }
}

/// Returns the struck buttons. Calls the visitor with each strike line: pair, struck button.
pub(super) fn find_struck(
    pairs: &Pairs,
    own: u128,
    enemy: u128,
    mut on_strike: impl FnMut([u8; 3]),
) -> u128 {
    let mut struck = 0;
    for [low, high] in pairs.iter() {
        let reach = holes(low) + holes(high);
        for (far, near) in [(low, high), (high, low)] {
            let hit = first_ahead(far, near, reach, own | enemy);
            if let Some(hit) = hit.filter(|hit| enemy & 1 << hit != 0) {
                struck |= 1 << hit;
                on_strike([far, near, hit]);
            }
        }
    }
    struck
}

/// Returns the first button within reach of `near`, in the direction away from its neighbor `far`.
fn first_ahead(far: u8, near: u8, reach: u8, buttons: u128) -> Option<u8> {
    let (back, at) = (cell(far), cell(near));
    let ahead = (at.col as i8 - back.col as i8, at.row as i8 - back.row as i8);
    (1..=reach as i8)
        .map_while(|steps| INFO.board.offset(at, ahead, steps))
        .map(square)
        .find(|&square| buttons & 1 << square != 0)
}

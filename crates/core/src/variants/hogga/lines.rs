//! Lines of the board of Hogga: the first piece in each direction from a field, and with it jumps.

use super::{COLS, FIELDS, ROWS};
use crate::rules::CellSet;

/// The eight directions: columns, rows, axis, whether the index on the axis increases.
pub(super) const DIRECTIONS: [(i8, i8, usize, bool); 8] = [
    (0, 1, 0, true),
    (0, -1, 0, false),
    (1, 0, 1, true),
    (-1, 0, 1, false),
    (1, 1, 2, true),
    (-1, -1, 2, false),
    (1, -1, 3, true),
    (-1, 1, 3, false),
];

/// Opposite directions share an axis. Each axis divides the board into lines.
const AXES: usize = 4;
const LINES: usize = 24;

/// Geometry of a field.
#[derive(Clone, Copy)]
pub(super) struct Site {
    /// Line of each axis through the field, and the index of the field on it.
    lines: [(u8, u8); AXES],
    /// Number of fields to the edge, by direction.
    room: [u8; 8],
    /// Adjacent fields.
    pub(super) near: CellSet,
}

pub(super) static SITES: [Site; FIELDS] = sites();

const fn sites() -> [Site; FIELDS] {
    let mut sites = [Site { lines: [(0, 0); AXES], room: [0; 8], near: CellSet::EMPTY }; FIELDS];
    let mut field = 0;
    while field < FIELDS {
        let (col, row) = (field as u8 % COLS, field as u8 / COLS);
        sites[field].lines =
            [(col, row), (row, col), (col + ROWS - 1 - row, col), (col + row, col)];
        let mut direction = 0;
        while direction < DIRECTIONS.len() {
            let (dc, dr, ..) = DIRECTIONS[direction];
            let (mut col, mut row) = (col as i8 + dc, row as i8 + dr);
            while col >= 0 && col < COLS as i8 && row >= 0 && row < ROWS as i8 {
                if sites[field].room[direction] == 0 {
                    sites[field].near = sites[field].near.with(row as u8 * COLS + col as u8);
                }
                sites[field].room[direction] += 1;
                (col, row) = (col + dc, row + dr);
            }
            direction += 1;
        }
        field += 1;
    }
    sites
}

/// Occupied fields as bits along each axis: counting zeros finds the first stone in a direction.
pub(super) struct Lines([[u16; LINES]; AXES]);

impl Lines {
    pub(super) fn from_stones(stones: CellSet) -> Lines {
        let mut lines = Lines([[0; LINES]; AXES]);
        stones.iter().for_each(|field| lines.toggle(field));
        lines
    }

    pub(super) fn toggle(&mut self, field: u8) {
        for (axis, (line, place)) in SITES[usize::from(field)].lines.into_iter().enumerate() {
            self.0[axis][usize::from(line)] ^= 1 << place;
        }
    }

    /// Returns the field that a jump in a direction crosses and its landing field: the jump crosses
    /// the first stone and lands as far beyond it as it started before it, if no stone is between.
    pub(super) fn find_jump(&self, from: u8, direction: usize) -> Option<(u8, u8)> {
        let site = &SITES[usize::from(from)];
        let (dc, dr, axis, grows) = DIRECTIONS[direction];
        let (line, place) = site.lines[axis];
        let line = self.0[axis][usize::from(line)];
        // Bit 0 is the next field in the direction.
        let ahead = match grows {
            true => u32::from(line) >> (place + 1),
            false => u32::from(line.reverse_bits()) >> (16 - place),
        };
        if ahead == 0 {
            return None;
        }
        let steps = ahead.trailing_zeros() + 1;
        let beyond = ahead >> steps & ((1 << steps) - 1);
        if beyond != 0 || 2 * steps > u32::from(site.room[direction]) {
            return None;
        }
        let far = steps as i16 * (i16::from(dr) * i16::from(COLS) + i16::from(dc));
        Some(((i16::from(from) + far) as u8, (i16::from(from) + 2 * far) as u8))
    }
}

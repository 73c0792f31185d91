//! Perft counts of all variants, compared with `perft.txt`, whose counts come from other programs.

use sprong::variants;

/// Returns the board of the rules page: row 10 to row 1, left to right, is (37·i + 11) mod 100.
pub fn knight_board() -> String {
    let number = |i: usize| format!("{:02}", (37 * i + 11) % 100);
    let row = |row: usize| (0..10).map(|col| number(10 * row + col)).collect::<Vec<_>>().join(",");
    format!("{} 1 0:0", (0..10).map(row).collect::<Vec<_>>().join("/"))
}

fn check(line: &str) {
    let [key, options, start, counts] =
        line.split('|').map(str::trim).collect::<Vec<_>>().try_into().expect("four columns");
    let variant = variants::by_key(key).expect("variant");
    let mut chosen = variant.options();
    let (option, value) = options.split_once('=').expect("option");
    chosen.set(option, value).expect("option of the variant");
    let position = match start {
        "" => variant.start(&chosen, 0),
        "@knight" => variant.read(&knight_board(), &chosen).expect("position"),
        text => variant.read(text, &chosen).expect("position"),
    };
    for (depth, count) in (1..).zip(counts.split(' ')) {
        assert_eq!(position.perft(depth).to_string(), count, "{line}, depth {depth}");
    }
}

#[test]
fn perft_counts_match_reference() {
    include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')).for_each(check);
}

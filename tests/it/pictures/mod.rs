//! Images of positions: rendering of random games, and the responses of the server.

mod games;
mod pixels;
mod qr_codes;
mod requests;
mod routes;

use crate::laws::option_choices;
use resvg::usvg::{self, Tree};
use sprong::render::{BoardImage, position_card};
use sprong::rules::{Options, SplitMix};
use sprong::variants::{ALL, Variant};

/// Random games for each choice of a variant's options, and their maximum length in plies.
const GAMES: u64 = 3;
const PLIES_MAX: usize = 90;

/// Plies between two drawn positions.
const DRAW_INTERVAL: usize = 6;

/// Returns the number of cells with a piece: one or more letters. Numbers are not pieces.
fn pieces(cells: &str) -> usize {
    let tokens = cells.split(['/', ',']);
    tokens.filter(|token| token.bytes().all(|byte| byte.is_ascii_alphabetic())).count()
}

fn parse_svg(svg: &str) -> Tree {
    Tree::from_str(svg, &usvg::Options::default()).unwrap_or_else(|error| panic!("{error}: {svg}"))
}

fn check(scene: &BoardImage, cells: &str) {
    let svg = scene.to_svg();
    let size = parse_svg(&svg).size();
    assert_eq!([size.width(), size.height()].map(f64::from), scene.size(), "{cells}");
    assert_eq!(svg.matches("class=\"piece\"").count(), pieces(cells), "{cells}");
    for piece in svg.split("class=\"piece\"").skip(1) {
        let (_, drawn) = piece.split_once('>').expect("a group");
        assert!(!drawn.starts_with("</g>"), "an empty piece: {cells}");
    }
    // Values that a browser rejects, and elements that an image must not contain.
    for wrong in ["NaN", "inf", "<script", "<style", "<text", "href", "var("] {
        assert!(!svg.contains(wrong), "{wrong}: {cells}");
    }
}

/// Plays a random game and draws its positions. Returns the number of drawn positions.
fn draw_game(variant: &Variant, options: &Options, seed: u64) -> usize {
    let start = variant.start(options, seed);
    let mut random = SplitMix::new(seed);
    let (mut position, mut moves) = (start.clone_box(), Vec::new());
    let mut drawn = 0;
    while moves.len() <= PLIES_MAX {
        let legal = position.legal_moves();
        if moves.len().is_multiple_of(DRAW_INTERVAL) || legal.is_empty() {
            let scene = BoardImage::after_moves(start.clone_box(), &moves).expect("legal moves");
            check(&scene, &position.cells());
            check(&scene.without_coordinates(), &position.cells());
            drawn += 1;
        }
        if legal.is_empty() {
            break;
        }
        let u = legal[random.below(legal.len())].clone();
        position.play(&u).expect("a legal move");
        moves.push(u);
    }
    drawn
}

#[test]
fn random_positions_are_drawn_for_every_variant() {
    for variant in &ALL {
        let mut drawn = 0;
        for options in option_choices(variant) {
            drawn += (0..GAMES).map(|seed| draw_game(variant, &options, seed)).sum::<usize>();
        }
        assert!(drawn > 20, "{}: only {drawn} positions", variant.info.key);
    }
}

#[test]
fn last_move_is_marked_and_illegal_move_is_refused() {
    for variant in &ALL {
        let start = variant.start(&variant.options(), 1);
        let u = start.legal_moves()[0].clone();
        let mut after = start.clone_box();
        after.play(&u).expect("a legal move");
        let moved =
            BoardImage::after_moves(start.clone_box(), &[u]).expect("a legal move").to_svg();
        assert_ne!(moved, BoardImage::new(&*after).to_svg(), "{}: not marked", variant.info.key);
        assert!(BoardImage::after_moves(start, &["z9-z9".to_owned()]).is_err());
        parse_svg(&position_card(&BoardImage::new(&*after)));
    }
}

//! Paths of the endpoints that make moves, which have limits of their own.

/// Returns whether `path`, relative to `/api`, is an endpoint that makes a move.
pub fn is_move_path(path: &str) -> bool {
    let mut parts = path.trim_start_matches('/').split('/');
    matches!(parts.next(), Some("board" | "bot"))
        && parts.next() == Some("game")
        && parts.nth(1) == Some("move")
}

#[cfg(test)]
mod tests {
    use super::is_move_path;

    #[test]
    fn is_move_path_accepts_board_and_bot_paths() {
        for (path, is) in [
            ("/board/game/abcdefgh/move/a1-b2", true),
            ("/bot/game/abcdefgh/move/a1-b2", true),
            ("/board/game/abcdefgh/move/a1%2Fb2", true),
            ("/board/game/abcdefgh/resign", false),
            ("/board/game/move/abcdefgh", false),
            ("/round/abcdefgh/move/a1", false),
            ("/challenge/abcdefgh/move/a1", false),
            ("/position", false),
            ("", false),
        ] {
            assert_eq!(is_move_path(path), is, "{path}");
        }
    }
}

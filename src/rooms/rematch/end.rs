use crate::store::AccountKey;

/// Cause of the end of a rematch offer that no player has withdrawn or declined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum RematchEnd {
    /// A player has left the page of the game.
    Left(AccountKey),
    /// A player has begun another game with a clock.
    OtherGame(AccountKey),
}

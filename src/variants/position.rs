use crate::rules::{
    BadText, Cell, Info, Outcome, Progress, Rules, Side, SplitMix, Trace, write_cells,
};
use crate::search::{self, Order, Skill, Thought};
use std::fmt::{Debug, Write};
use std::hash::{DefaultHasher, Hasher};

/// The most characters of a text that are said back.
const ECHO_MAX: usize = 80;

/// Why a text is not a move of this position.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Illegal {
    /// It is no notation of the variant at all.
    #[error("{0:?} is not a move: {1}")]
    Unreadable(String, BadText),
    /// It is a notation, but not of a move that may be made now.
    #[error("{0:?} is not a legal move here")]
    Refused(String),
}

/// A position whose variant is known only at run time.
pub trait Position: Debug + Send + Sync {
    /// Name, board, options of its variant.
    fn info(&self) -> &'static Info;
    /// Whose turn it is.
    fn turn(&self) -> Side;
    /// The result, if the rules alone (without history) say that the game is over.
    fn outcome(&self) -> Option<Outcome>;
    /// Who has won already, if play goes on all the same.
    fn decided(&self) -> Option<Side>;
    /// The notations of the legal moves, sorted by bytes; none exactly when there is an outcome.
    fn legal(&self) -> Vec<String>;
    /// Plays the move of that notation, the one gate where outside text becomes a move, and says
    /// what is to be seen of it.
    ///
    /// # Errors
    /// When the text is not the notation of a legal move; the position is then unchanged.
    fn play(&mut self, notation: &str) -> Result<Trace, Illegal>;
    /// What is certain once those cells are clicked: what all legal moves that begin with them
    /// have in common. None if no legal move does.
    fn preview(&self, clicks: &[Cell]) -> Option<Trace>;
    /// The whole position text.
    fn text(&self) -> String;
    /// The cells part of the position text.
    fn cells(&self) -> String;
    /// What the position text bears after the turn, with a space before it; often empty.
    fn extras(&self) -> String;
    /// A number that equal positions share: for counting repetitions.
    fn key(&self) -> u64;
    /// What the no-progress rule looks at, if the variant has one.
    fn progress(&self) -> Option<Progress>;
    /// How many sequences of `depth` legal notations there are from here.
    fn perft(&self, depth: u32) -> u64;
    /// Plays random moves until the rules end the game or `plies_max` plies are played; says how
    /// many were. The position itself stays as it is.
    fn playout(&self, seed: u64, plies_max: u32) -> u32;
    /// Looks for the move to make once those were played from here; None when the game is then
    /// over by the variant's own rules.
    ///
    /// # Errors
    /// When one of them is no notation of the variant; that they are legal the caller knows.
    fn think(&self, moves: &[String], order: &Order<'_>) -> Result<Option<Thought>, BadText>;
    /// A copy.
    fn boxed(&self) -> Box<dyn Position>;
}

impl<R: Skill> Position for R {
    fn info(&self) -> &'static Info {
        R::INFO
    }

    fn turn(&self) -> Side {
        Rules::turn(self)
    }

    fn outcome(&self) -> Option<Outcome> {
        Rules::outcome(self)
    }

    fn decided(&self) -> Option<Side> {
        Rules::decided(self)
    }

    fn legal(&self) -> Vec<String> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        let mut texts: Vec<String> = moves.iter().map(R::Move::to_string).collect();
        texts.sort_unstable();
        texts
    }

    fn play(&mut self, notation: &str) -> Result<Trace, Illegal> {
        if notation.chars().count() > ECHO_MAX {
            let begin = notation.chars().take(ECHO_MAX).collect();
            return Err(Illegal::Unreadable(begin, BadText::new("and so on: too long")));
        }
        let m: R::Move =
            notation.parse().map_err(|error| Illegal::Unreadable(notation.to_owned(), error))?;
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        if !moves.contains(&m) || m.to_string() != notation {
            return Err(Illegal::Refused(notation.to_owned()));
        }
        let trace = self.trace(m);
        Rules::play(self, m);
        Ok(trace)
    }

    fn preview(&self, clicks: &[Cell]) -> Option<Trace> {
        let mut moves = Vec::new();
        self.legal_moves(&mut moves);
        moves.retain(|m| Cell::named(&m.to_string()).starts_with(clicks));
        let mut traces = moves.into_iter().map(|m| self.trace(m));
        let mut certain = traces.next()?;
        let nothing = Trace::default();
        while certain != nothing
            && let Some(trace) = traces.next()
        {
            certain.common(&trace);
        }
        Some(certain)
    }

    fn text(&self) -> String {
        let turn = 1 + Rules::turn(self).index();
        format!("{} {turn}{}", self.cells(), Position::extras(self))
    }

    fn cells(&self) -> String {
        let mut text = String::with_capacity(2 * R::INFO.board.len());
        write_cells(self, &mut text).expect("a string takes all");
        text
    }

    fn extras(&self) -> String {
        let mut text = String::new();
        Rules::extras(self, &mut text as &mut dyn Write).expect("a string takes all");
        text
    }

    fn key(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        self.hash(&mut hasher);
        hasher.finish()
    }

    fn progress(&self) -> Option<Progress> {
        Rules::progress(self)
    }

    fn perft(&self, depth: u32) -> u64 {
        fn count<R: Rules>(position: &R, depth: u32, buffers: &mut [Vec<R::Move>]) -> u64 {
            let Some((moves, deeper)) = buffers.split_first_mut() else {
                return 1;
            };
            moves.clear();
            position.legal_moves(moves);
            if depth == 1 {
                return moves.len() as u64;
            }
            let after = |m: &R::Move| {
                let mut next = position.clone();
                Rules::play(&mut next, *m);
                count(&next, depth - 1, deeper)
            };
            moves.iter().map(after).sum()
        }
        count(self, depth, &mut vec![Vec::new(); depth as usize])
    }

    fn playout(&self, seed: u64, plies_max: u32) -> u32 {
        let mut position = self.clone();
        let mut random = SplitMix::new(seed);
        let mut moves = Vec::new();
        for ply in 0..plies_max {
            moves.clear();
            position.legal_moves(&mut moves);
            if moves.is_empty() {
                return ply;
            }
            let chosen = moves[random.below(moves.len())];
            Rules::play(&mut position, chosen);
        }
        plies_max
    }

    fn think(&self, moves: &[String], order: &Order<'_>) -> Result<Option<Thought>, BadText> {
        let moves = moves.iter().map(|u| u.parse()).collect::<Result<Vec<R::Move>, _>>()?;
        Ok(search::think(self, &moves, order))
    }

    fn boxed(&self) -> Box<dyn Position> {
        Box::new(self.clone())
    }
}

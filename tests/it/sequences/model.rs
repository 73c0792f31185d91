//! Model of the players, challenges and games of one sequence, and the oracle that decides who may
//! accept.

/// Variants that are played, in the order of [`Person::ratings`].
pub const VARIANTS: [&str; 3] = ["knightFight", "hogga", "caterpillarWar"];

/// Rating of a player without rated games.
pub const NEW: Rating = Rating { rating: 1500, provisional: true };

/// Rating of a player in one variant.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Rating {
    pub rating: i64,
    pub provisional: bool,
}

/// Player.
#[derive(Clone, Debug)]
pub struct Person {
    pub is_guest: bool,
    pub is_bot: bool,
    /// Players who may challenge this one by name, as in the API.
    pub audience: &'static str,
    pub casual_only: bool,
    pub is_closed: bool,
    pub ratings: [Rating; VARIANTS.len()],
    pub blocked: Vec<usize>,
}

/// Requirement on one player; a relative range is added to the opponent's rating.
#[derive(Clone, Copy, Debug)]
pub struct Requirement {
    pub min: i64,
    pub max: i64,
    pub is_relative: bool,
    pub allows_provisional: bool,
    pub allows_bots: bool,
}

impl Requirement {
    pub const NONE: Requirement = Requirement {
        min: 0,
        max: 4000,
        is_relative: false,
        allows_provisional: true,
        allows_bots: true,
    };

    /// Returns whether the range excludes a rating.
    pub fn is_narrow(self) -> bool {
        !self.range().is_empty()
    }

    /// Returns the range in the format of the API.
    pub fn range(self) -> String {
        match self {
            Requirement { min: 0, max: 4000, is_relative: false, .. } => String::new(),
            Requirement { min, max, is_relative: true, .. } => format!("{min:+}..{max:+}"),
            Requirement { min, max, .. } => format!("{min}-{max}"),
        }
    }
}

/// Kind of a challenge, as in the API.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Kind {
    List,
    Link,
    Direct,
    Open,
    Rematch,
    Seek,
    /// The seek of a search whose page is closed, so that it tries no challenges.
    Search,
}

/// Choice of a variant and a time control by their indexes; `None` leaves it open.
#[derive(Clone, Copy, PartialEq, Default, Debug)]
pub struct Choice {
    pub variant: Option<usize>,
    pub pace: Option<usize>,
}

impl Choice {
    /// Returns whether one game can satisfy both choices.
    pub fn agrees(self, other: Choice) -> bool {
        let agrees =
            |one: Option<usize>, two: Option<usize>| one.is_none() || two.is_none() || one == two;
        agrees(self.variant, other.variant) && agrees(self.pace, other.pace)
    }
}

/// Running ready check.
#[derive(Clone, Copy, Debug)]
pub struct Check {
    pub waiting_player: usize,
    pub acceptor: usize,
    pub choice: Choice,
    /// Index of the acceptor's search that the game ends.
    pub search: Option<usize>,
    /// Number of games at the beginning of the check.
    pub games: usize,
}

/// Challenge.
#[derive(Clone, Debug)]
pub struct Offer {
    pub id: String,
    pub kind: Kind,
    pub creator: usize,
    pub by_program: bool,
    /// Whether it stays open after each of its games.
    pub is_standing: bool,
    pub dest: Option<usize>,
    pub variants: Vec<usize>,
    pub paces: Vec<usize>,
    pub is_rated: bool,
    pub on_acceptor: Requirement,
    pub on_creator: Requirement,
    pub seated: Option<(usize, Choice)>,
    pub rematch_of: Option<usize>,
    /// Whether the requirements that the creator has set are gone for later rematches as well.
    pub drops_range: bool,
    /// Whether its addressee has declined it.
    pub is_declined: bool,
    pub check: Option<Check>,
    /// Guests who have asked for a casual game, and those to whom it was granted.
    pub asked: Vec<usize>,
    pub granted: Vec<usize>,
    pub is_open: bool,
}

/// Terms of an [`Offer`].
pub struct Terms {
    pub variants: Vec<usize>,
    pub paces: Vec<usize>,
    pub is_rated: bool,
    pub on_acceptor: Requirement,
}

impl Offer {
    /// Returns an open offer without an id.
    pub fn new(kind: Kind, creator: usize, terms: Terms) -> Offer {
        let Terms { variants, paces, is_rated, on_acceptor } = terms;
        Offer {
            id: String::new(),
            kind,
            creator,
            by_program: false,
            is_standing: false,
            dest: None,
            variants,
            paces,
            is_rated,
            on_acceptor,
            on_creator: Requirement::NONE,
            seated: None,
            rematch_of: None,
            drops_range: false,
            is_declined: false,
            check: None,
            asked: Vec::new(),
            granted: Vec::new(),
            is_open: true,
        }
    }

    /// Returns whether the game of this acceptor is rated.
    pub fn is_rated_for(&self, acceptor: usize) -> bool {
        self.is_rated && !self.granted.contains(&acceptor)
    }

    fn is_live_search_of(&self, player: usize) -> bool {
        let has_clock = self.paces.iter().any(|pace| *pace != 0);
        self.is_open && self.kind == Kind::Search && self.creator == player && has_clock
    }
}

/// Game, with the requirement of each player.
#[derive(Clone, Debug)]
pub struct Game {
    pub id: String,
    /// Id of the challenge.
    pub challenge: String,
    pub players: [usize; 2],
    pub requirements: [Requirement; 2],
    /// Person who has set the requirement of each player, unless it is a third one.
    pub owners: [Option<usize>; 2],
    pub variant: usize,
    pub pace: usize,
    pub is_rated: bool,
    pub is_over: bool,
}

/// Model of everything that one sequence has made.
#[derive(Default, Debug)]
pub struct World {
    pub persons: Vec<Person>,
    pub offers: Vec<Offer>,
    pub games: Vec<Game>,
}

impl World {
    /// Returns whether a player may take the free seat of a challenge in this variant. This is the
    /// oracle.
    pub fn may_accept(&self, offer: &Offer, variant: usize, acceptor: usize) -> bool {
        let waiting_player = self.waiting_player(offer);
        let keep_off = waiting_player.into_iter().chain([offer.creator]);
        offer.is_open
            && !self.persons[acceptor].is_closed
            && waiting_player != Some(acceptor)
            && !(offer.is_standing && self.is_playing(offer, acceptor))
            && offer.dest.is_none_or(|dest| dest == acceptor)
            && !keep_off.clone().any(|other| self.has_block(other, acceptor))
            && !(offer.is_rated_for(acceptor) && self.persons[acceptor].is_guest)
            && self.fits(offer.on_acceptor, acceptor, offer.creator, variant)
            && self.fits(offer.on_creator, offer.creator, acceptor, variant)
    }

    fn is_playing(&self, offer: &Offer, player: usize) -> bool {
        let mut games = self.games.iter().filter(|game| game.challenge == offer.id);
        games.any(|game| !game.is_over && game.players.contains(&player))
    }

    /// Returns whether a player may challenge another one by name.
    pub fn may_challenge(&self, creator: usize, dest: usize, offer: &Offer) -> bool {
        let Person { is_guest, audience, casual_only, .. } = self.persons[dest];
        if is_guest {
            return !offer.is_rated;
        }
        let near = |variant: &usize| {
            let [one, two] = [creator, dest].map(|at| self.persons[at].ratings[*variant].rating);
            (one - two).abs() <= 300
        };
        let is_in_audience = match audience {
            "everyone" => true,
            "accounts" => !self.persons[creator].is_guest,
            "nearRating" => !self.persons[creator].is_guest && offer.variants.iter().all(near),
            _ => false,
        };
        is_in_audience && !(casual_only && offer.is_rated)
    }

    pub fn has_block(&self, one: usize, two: usize) -> bool {
        self.persons[one].blocked.contains(&two) || self.persons[two].blocked.contains(&one)
    }

    pub fn fits(&self, on: Requirement, player: usize, other: usize, variant: usize) -> bool {
        let Rating { rating, provisional } = self.persons[player].ratings[variant];
        let base = if on.is_relative { self.persons[other].ratings[variant].rating } else { 0 };
        (on.min + base..=on.max + base).contains(&rating)
            && (on.allows_provisional || !(provisional || self.persons[player].is_guest))
            && (on.allows_bots || !self.persons[player].is_bot)
    }

    /// Returns whether the player in a seat of a game is outside the requirement on that seat.
    pub fn is_outside(&self, game: &Game, seat: usize) -> bool {
        let (player, other) = (game.players[seat], game.players[1 - seat]);
        !self.fits(game.requirements[seat], player, other, game.variant)
    }

    /// Returns the reason for which the player in a seat cannot ask the opponent for a rematch of
    /// the game with the index `at`. An ask concerns the own rating first.
    pub fn ask_refusal(&self, at: usize, seat: usize) -> Option<&'static str> {
        let game = &self.games[at];
        let requester = game.players[seat];
        let outside = [seat, 1 - seat].into_iter().find(|seat| self.is_outside(game, *seat))?;
        let has_declined = self.offers.iter().any(|offer| {
            offer.rematch_of == Some(at) && offer.creator == requester && offer.is_declined
        });
        match game.owners[outside] {
            None => Some("noRangeOwner"),
            Some(owner) if owner == requester => Some("ownRange"),
            Some(_) => has_declined.then_some("alreadyDeclined"),
        }
    }

    /// Returns the requirements of a game's players. Those that `owner` has set are widened so that
    /// the players satisfy them.
    pub fn widened(&self, game: &Game, owner: usize) -> [Requirement; 2] {
        let mut widened = game.requirements;
        for (at, on) in widened.iter_mut().enumerate() {
            let (player, other) = (game.players[at], game.players[1 - at]);
            if game.owners[at] != Some(owner) || self.fits(*on, player, other, game.variant) {
                continue;
            }
            let Rating { rating, provisional } = self.persons[player].ratings[game.variant];
            let other_rating = self.persons[other].ratings[game.variant].rating;
            let base = if on.is_relative { other_rating } else { 0 };
            *on = Requirement {
                min: (on.min + base).clamp(0, 4000).min(rating),
                max: (on.max + base).clamp(0, 4000).max(rating),
                is_relative: false,
                allows_provisional: on.allows_provisional
                    || provisional
                    || self.persons[player].is_guest,
                allows_bots: on.allows_bots || self.persons[player].is_bot,
            };
        }
        widened
    }

    /// Returns the player who waits for an opponent. A seated player who no longer fits has lost
    /// the seat.
    pub fn waiting_player(&self, offer: &Offer) -> Option<usize> {
        match offer.kind {
            Kind::Open => self.holder(offer).map(|(seated, _)| seated),
            _ => Some(offer.creator),
        }
    }

    fn holder(&self, offer: &Offer) -> Option<(usize, Choice)> {
        offer.seated.filter(|seated| !self.seated_variants(offer, *seated).is_empty())
    }

    fn seated_variants(&self, offer: &Offer, (seated, choice): (usize, Choice)) -> Vec<usize> {
        let chosen = offer.variants.iter().copied();
        let chosen = chosen.filter(|variant| choice.variant.is_none_or(|one| one == *variant));
        let fits = |variant: &usize| {
            let Person { is_closed, is_guest, .. } = self.persons[seated];
            !(is_closed || offer.is_rated && is_guest)
                && self.fits(offer.on_acceptor, seated, offer.creator, *variant)
        };
        chosen.filter(fits).collect()
    }

    /// Returns the variants in which a player may accept now with this choice.
    pub fn variants_for(&self, offer: &Offer, acceptor: usize, choice: Choice) -> Vec<usize> {
        let (offered, seated) = match self.holder(offer) {
            Some(holder) => (self.seated_variants(offer, holder), holder.1),
            None => (offer.variants.clone(), Choice::default()),
        };
        let is_offered = choice.pace.is_none_or(|pace| offer.paces.contains(&pace));
        let may = |variant: &usize| {
            is_offered
                && choice.agrees(Choice { variant: Some(*variant), pace: None })
                && choice.agrees(seated)
                && self.may_accept(offer, *variant, acceptor)
        };
        offered.into_iter().filter(may).collect()
    }

    /// Returns the waiting seeks that match a new one, and the variants of each match.
    pub fn matches(&self, seek: &Offer) -> Vec<(usize, Vec<usize>)> {
        let waits = |(_, other): &(usize, &Offer)| {
            other.is_open
                && other.kind == Kind::Seek
                && other.is_rated == seek.is_rated
                && other.paces.iter().any(|pace| seek.paces.contains(pace))
        };
        let shared = |(at, other): (usize, &Offer)| {
            let fits = |variant: &usize| {
                seek.variants.contains(variant)
                    && self.fits(seek.on_acceptor, other.creator, seek.creator, *variant)
            };
            let all = self.variants_for(other, seek.creator, Choice::default());
            (at, all.into_iter().filter(fits).collect())
        };
        let all = self.offers.iter().enumerate().filter(waits).map(shared);
        all.filter(|(_, variants): &(usize, Vec<usize>)| !variants.is_empty()).collect()
    }

    /// Returns the open search of a player for a game with a clock.
    pub fn live_search(&self, player: usize) -> Option<usize> {
        self.offers.iter().position(|offer| offer.is_live_search_of(player))
    }

    /// Returns whether a player plays a game with a clock that is not among the first `since`.
    pub fn plays_with_clock(&self, player: usize, since: usize) -> bool {
        self.games[since..]
            .iter()
            .any(|game| !game.is_over && game.pace != 0 && game.players.contains(&player))
    }

    /// Adds the game of an accepted challenge, and closes the challenge unless it is standing.
    pub fn begin(&mut self, at: usize, acceptor: usize, variant: usize, pace: usize, id: String) {
        let waiting_player = self.waiting_player(&self.offers[at]).expect("a waiting player");
        let is_rated = self.offers[at].is_rated_for(acceptor);
        let offer = &mut self.offers[at];
        offer.is_open = offer.is_standing;
        offer.check = None;
        let offer = offer.clone();
        let players = [waiting_player, acceptor];
        let (mut requirements, mut owners) = match offer.kind {
            Kind::Open => {
                let owner = Some(offer.creator).filter(|owner| players.contains(owner));
                ([offer.on_acceptor; 2], [owner; 2])
            }
            _ => ([offer.on_creator, offer.on_acceptor], [Some(acceptor), Some(waiting_player)]),
        };
        if let Some(before) = offer.rematch_of {
            // A requirement is widened for one offer only.
            let before = &self.games[before];
            let seat = |player: usize| usize::from(before.players[1] == player);
            requirements = players.map(|player| before.requirements[seat(player)]);
            owners = players.map(|player| before.owners[seat(player)]);
            if offer.drops_range {
                for (requirement, owner) in requirements.iter_mut().zip(owners) {
                    if owner == Some(offer.creator) {
                        *requirement = Requirement::NONE;
                    }
                }
                owners = [Some(acceptor), Some(waiting_player)];
            }
        }
        if pace != 0 {
            self.close_clocked_rematches(players);
        }
        self.games.push(Game {
            id,
            challenge: offer.id,
            players,
            requirements,
            owners,
            variant,
            pace,
            is_rated,
            is_over: false,
        });
        for other in self.offers.iter_mut().filter(|_| pace != 0) {
            if [waiting_player, acceptor].iter().any(|player| other.is_live_search_of(*player)) {
                other.is_open = false;
                other.check = None;
            }
        }
    }

    /// Ends the rematch offers with a clock of players who begin a game with a clock.
    fn close_clocked_rematches(&mut self, players: [usize; 2]) {
        for offer in self.offers.iter_mut().filter(|offer| offer.kind == Kind::Rematch) {
            let is_theirs = players
                .iter()
                .any(|player| [Some(offer.creator), offer.dest].contains(&Some(*player)));
            if is_theirs && offer.paces[0] != 0 {
                offer.is_open = false;
                offer.check = None;
            }
        }
    }

    /// Ends the challenges and games of a closed account.
    pub fn close(&mut self, person: usize) {
        self.persons[person].is_closed = true;
        for offer in &mut self.offers {
            offer.is_open &= offer.creator != person && offer.dest != Some(person);
            let has_part = |check: Check| [check.waiting_player, check.acceptor].contains(&person);
            offer.check = offer.check.filter(|check| !has_part(*check));
        }
        for game in self.games.iter_mut().filter(|game| game.players.contains(&person)) {
            game.is_over = true;
        }
    }
}

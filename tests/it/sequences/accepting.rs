//! Steps that lead to a game: acceptances, ready checks and rematches, compared with the oracle.

use super::model::{Check, Choice, Game, Kind, Offer, Requirement, Terms, VARIANTS};
use super::run::{Run, text};
use serde_json::{Value, json};

impl Run {
    /// Returns the index of an open challenge.
    pub(super) fn open_offer(&mut self) -> Option<usize> {
        let offers = self.world.offers.iter().enumerate();
        let open: Vec<usize> =
            offers.filter(|(_, offer)| offer.is_open).map(|(at, _)| at).collect();
        (!open.is_empty()).then(|| open[self.below(open.len())])
    }

    pub(super) async fn accept(&mut self) {
        let Some(mut at) = self.open_offer() else { return };
        let mut offers = self.world.offers.iter();
        if let Some(seated) = offers.position(|offer| offer.is_open && offer.seated.is_some())
            && self.is_one_in(3)
        {
            at = seated;
        }
        let offer = self.world.offers[at].clone();
        if let Some((seated, _)) = offer.seated
            && self.is_one_in(2)
            && !self.world.persons[seated].is_guest
            && !self.world.persons[seated].is_closed
        {
            // A seated player whose rating leaves the range loses the seat.
            self.change_ratings(seated).await;
        }
        let acceptor = match offer.dest {
            Some(dest) if !self.is_one_in(5) => dest,
            _ => self.random_person(),
        };
        let mut choice = Choice::default();
        if offer.kind != Kind::Rematch {
            choice.variant =
                (!self.is_one_in(3)).then(|| offer.variants[self.below(offer.variants.len())]);
            choice.pace = (!self.is_one_in(3)).then(|| offer.paces[self.below(offer.paces.len())]);
        }
        if self.world.persons[acceptor].is_closed {
            return;
        }
        self.await_presence(&offer).await;
        let mut fields = json!({});
        if let Some(variant) = choice.variant {
            fields["variant"] = json!(VARIANTS[variant]);
        }
        if let Some(pace) = choice.pace {
            fields["clock"] = json!(self.paces[pace]);
        }
        let (status, body) = self
            .send_command(acceptor, &format!("/api/challenge/{}/accept", offer.id), fields)
            .await;
        self.check_acceptance(at, acceptor, choice, status, &body).await;
    }

    /// Compares the response to an acceptance with the oracle, and adds its effects to the model.
    pub(super) async fn check_acceptance(
        &mut self,
        at: usize,
        acceptor: usize,
        choice: Choice,
        status: u16,
        body: &Value,
    ) {
        let offer = self.world.offers[at].clone();
        let variants = self.world.variants_for(&offer, acceptor, choice);
        let seated = offer.seated.filter(|_| self.world.waiting_player(&offer).is_some());
        let is_held = offer.check.is_some_and(|check| check.acceptor != acceptor);
        let may = !variants.is_empty() && !is_held;
        assert_eq!(status == 200, may, "{variants:?} of {offer:?}\n{}", self.log_text());
        if !may {
            assert!(body["reason"].is_string(), "{}", self.log_text());
            assert!((400..500).contains(&status), "{}", self.log_text());
            return self.counts.refused[offer.kind as usize] += 1;
        }
        if offer.kind == Kind::Open && seated.is_none() {
            if offer.check.is_some() && body["ready"] == false {
                // The running check goes on: its answer tells that the seat is lost.
                return;
            }
            assert_eq!(body["waiting"], true, "{}", self.log_text());
            self.counts.seats_lost += usize::from(offer.seated.is_some());
            self.world.offers[at].seated = Some((acceptor, choice));
            return;
        }
        let first = seated.and_then(|(_, choice)| choice.pace).unwrap_or(offer.paces[0]);
        let pace = choice.pace.unwrap_or(first);
        let waiting_player = self.world.waiting_player(&offer).expect("a waiting player");
        let is_program = offer.by_program && offer.kind != Kind::Open;
        let is_present = offer.kind != Kind::Search && self.is_present(waiting_player);
        let must_ask = pace != 0 && !is_program && !is_present;
        let starts_check = body["ready"] == false;
        // A running check continues even if the waiting player is present by now, unless the
        // acceptor has chosen another game.
        match offer.check.map(|check| check.choice) {
            None => {
                assert_eq!(
                    starts_check,
                    must_ask,
                    "{waiting_player} waits for {acceptor}\n{}",
                    self.log_text()
                )
            }
            Some(checked_choice) => assert!(
                starts_check || checked_choice != choice && !must_ask,
                "{}",
                self.log_text()
            ),
        }
        if starts_check {
            self.counts.checks += 1;
            for other in &mut self.world.offers {
                other.check = other.check.filter(|check| check.acceptor != acceptor);
            }
            let variant = Some(self.checked_variant(waiting_player, &offer.id, &variants).await);
            let choice = Choice { variant, pace: Some(pace) };
            // A check that goes on keeps the search that it had at its beginning.
            let same = offer.check.filter(|check| check.choice == choice);
            let search = match same {
                Some(check) => check.search,
                None => self.world.live_search(acceptor).filter(|_| pace != 0),
            };
            let games = same.map_or(self.world.games.len(), |check| check.games);
            let check = Check { waiting_player, acceptor, choice, search, games };
            self.world.offers[at].check = Some(check);
            return;
        }
        let (_, game) =
            self.players[acceptor].get(&format!("/api/game/{}", text(&body["id"]))).await;
        assert!(variants.contains(&self.variant_of(&game)), "{variants:?}\n{}", self.log_text());
        assert_eq!(self.pace_of(&game), pace, "{}", self.log_text());
        self.check_new_game(at, acceptor, &game);
    }

    /// Returns the variant that a ready check names to the waiting player.
    pub(super) async fn checked_variant(
        &mut self,
        waiting_player: usize,
        id: &str,
        variants: &[usize],
    ) -> usize {
        // Only a page that shows a search asks for its game.
        let mut page = self.players[waiting_player].socket("/ws/me?find=aside").await;
        let hello = page.until("hello").await;
        let rings = hello["d"]["rings"].as_array().expect("checks");
        let check = rings.iter().find(|check| check["challenge"]["id"] == id);
        let check = check.unwrap_or_else(|| panic!("no check of {id}\n{}", self.log_text()));
        let variant = self.variant_of(check);
        assert!(variants.contains(&variant), "{variants:?} {check}\n{}", self.log_text());
        let by = self.players.iter().position(|one| check["by"]["id"] == one.id.as_str());
        let by = by.expect("a player");
        let rating = self.world.persons[by].ratings[variant].rating;
        assert_eq!(check["by"]["rating"], rating, "{check}\n{}", self.log_text());
        drop(page);
        self.await_online(waiting_player).await;
        variant
    }

    pub(super) fn variant_of(&self, body: &Value) -> usize {
        let key = &body["variant"]["key"];
        let found = VARIANTS.iter().position(|variant| key == variant);
        found.unwrap_or_else(|| panic!("{body}\n{}", self.log_text()))
    }

    pub(super) fn pace_of(&self, game: &Value) -> usize {
        match game["clock"]["initial"].as_i64() {
            None => 0,
            Some(ms) if self.paces[1].starts_with(&format!("{}+", ms / 1000)) => 1,
            Some(_) => 2,
        }
    }

    /// Adds a game to the model, and compares the ratings that it stores.
    pub(super) fn check_new_game(&mut self, at: usize, acceptor: usize, game: &Value) {
        let offer = self.world.offers[at].clone();
        let (variant, pace) = (self.variant_of(game), self.pace_of(game));
        self.counts.games[offer.kind as usize] += 1;
        let waiting_player = self.world.waiting_player(&offer).expect("a waiting player");
        for person in [waiting_player, acceptor] {
            let id = self.players[person].id.as_str();
            let mut sides = ["first", "second"].into_iter();
            let side = sides.find(|side| game[side]["id"] == id);
            let side = side.unwrap_or_else(|| panic!("{id} plays in {game}\n{}", self.log_text()));
            let rating = self.world.persons[person].ratings[variant].rating;
            assert_eq!(game[side]["rating"], rating, "{person}: {game}\n{}", self.log_text());
        }
        assert_eq!(game["rated"], offer.is_rated_for(acceptor), "{}", self.log_text());
        self.seeks.retain(|(seek, _)| *seek != at);
        self.world.begin(at, acceptor, variant, pace, text(&game["id"]));
    }

    pub(super) async fn answer_check(&mut self) {
        let offers = self.world.offers.iter().enumerate();
        let checks: Vec<(usize, Check)> =
            offers.filter_map(|(at, offer)| Some((at, offer.check?))).collect();
        if checks.is_empty() {
            return self.accept().await;
        }
        let (at, check) = checks[self.below(checks.len())];
        let offer = self.world.offers[at].clone();
        let path = format!("/api/challenge/{}/ready", offer.id);
        if self.is_one_in(4) {
            let person = if self.is_one_in(2) { check.waiting_player } else { check.acceptor };
            let (status, _) = self.send_command(person, &path, json!({ "answer": "no" })).await;
            assert_eq!(status, 200, "{}", self.log_text());
            self.world.offers[at].check = None;
            return;
        }
        let variants = self.world.variants_for(&offer, check.acceptor, check.choice);
        let lost = self.world.waiting_player(&offer) != Some(check.waiting_player);
        let (status, body) =
            self.send_command(check.waiting_player, &path, json!({ "answer": "yes" })).await;
        self.world.offers[at].check = None;
        // A search that the acceptor has ended does not end the check.
        let is_over = check.search.is_some_and(|search| !self.world.offers[search].is_open)
            && self.world.plays_with_clock(check.acceptor, check.games);
        let may = !variants.is_empty() && !lost && !is_over;
        assert_eq!(status == 200, may, "{variants:?} {check:?}\n{}", self.log_text());
        if !may {
            if lost && !variants.is_empty() && !is_over {
                self.world.offers[at].seated = Some((check.acceptor, check.choice));
            }
            return self.counts.refused[offer.kind as usize] += 1;
        }
        let (_, game) =
            self.players[check.acceptor].get(&format!("/api/game/{}", text(&body["id"]))).await;
        assert_eq!(Some(self.variant_of(&game)), check.choice.variant, "{}", self.log_text());
        assert_eq!(Some(self.pace_of(&game)), check.choice.pace, "{}", self.log_text());
        self.check_new_game(at, check.acceptor, &game);
    }

    pub(super) async fn rematch(&mut self) {
        let persons = &self.world.persons;
        let games = self.world.games.iter().enumerate().filter(|(_, game)| {
            game.is_over && game.players.iter().all(|player| !persons[*player].is_closed)
        });
        let games: Vec<usize> = games.map(|(at, _)| at).collect();
        if games.is_empty() {
            return self.finish().await;
        }
        let has_range = |at: &&usize| {
            self.world.games[**at].requirements.iter().any(|requirement| requirement.is_narrow())
        };
        let ranged: Vec<usize> = games.iter().filter(has_range).copied().collect();
        let games = if ranged.is_empty() || self.is_one_in(3) { games } else { ranged };
        let at = games[self.below(games.len())];
        let game = self.world.games[at].clone();
        let seat = self.below(2);
        let requester = game.players[seat];
        let offers = self.world.offers.iter();
        let own = |offer: &&Offer| offer.rematch_of == Some(at);
        let offers_of_game: Vec<Offer> = offers.filter(own).cloned().collect();
        let open = offers_of_game.iter().find(|offer| offer.is_open).cloned();
        if open.is_none() && offers_of_game.iter().any(|offer| self.is_in_play(&offer.id)) {
            return;
        }
        if let Some(offer) = &open {
            self.await_presence(offer).await;
        }
        self.leave_range(&game).await;
        let outside = [0, 1].into_iter().find(|seat| self.world.is_outside(&game, *seat));
        let owner = outside.and_then(|seat| game.owners[seat]);
        let way = match self.below(8) {
            // Most other offers are refused, or cannot be accepted.
            5..=6 if owner == Some(requester) => "widen",
            5..=6 if owner.is_some() => "ask",
            at => ["yes", "yes", "widen", "ask", "casual", "yes", "casual", "ask"][at],
        };
        let mut replaced = None;
        if let Some(offer) = open {
            let at = self.world.offers.iter().position(|one| one.id == offer.id).expect("an offer");
            if self.answer_rematch(at, &game, requester, way).await {
                return;
            }
            replaced = Some(at);
        }
        let offers = self.world.offers.len();
        self.offer_rematch(at, seat, way, replaced).await;
        if way == "ask" && self.world.offers.len() > offers && self.is_one_in(3) {
            let (status, _) = self.send_rematch(&game, game.players[1 - seat], "no").await;
            assert_eq!(status, 200, "{}", self.log_text());
            self.world.offers[offers].is_declined = true;
            self.close_offer(offers);
            self.offer_rematch(at, seat, way, None).await;
        }
    }

    /// Changes the ratings of a player of a finished game, in most cases until a player is outside
    /// the requirement on them.
    async fn leave_range(&mut self, game: &Game) {
        let ranged: Vec<usize> =
            (0..2).filter(|seat| game.requirements[*seat].is_narrow()).collect();
        if ranged.is_empty() || self.is_one_in(4) {
            return;
        }
        let person = game.players[ranged[self.below(ranged.len())]];
        if self.world.persons[person].is_guest {
            return;
        }
        for _ in 0..3 {
            self.change_ratings(person).await;
            if [0, 1].into_iter().any(|seat| self.world.is_outside(game, seat)) {
                return;
            }
        }
    }

    async fn send_rematch(&mut self, game: &Game, requester: usize, way: &str) -> (u16, Value) {
        let path = format!("/api/board/game/{}/rematch/{way}", game.id);
        self.send_command(requester, &path, json!({})).await
    }

    /// Answers an open rematch offer. Returns false if the answer replaces it by another offer, and
    /// is still to be sent.
    async fn answer_rematch(
        &mut self,
        at: usize,
        game: &Game,
        requester: usize,
        way: &str,
    ) -> bool {
        let offer = self.world.offers[at].clone();
        if offer.creator == requester {
            if way == "casual" && offer.is_rated {
                return false;
            }
            let (status, _) = self.send_rematch(game, requester, way).await;
            assert_eq!(status, 200, "{}", self.log_text());
            return true;
        }
        let is_refused = self.world.variants_for(&offer, requester, Choice::default()).is_empty();
        let is_blocked = self.world.has_block(requester, offer.creator);
        let replaces = match way {
            "casual" => offer.is_rated,
            "ask" => is_refused && !is_blocked,
            _ => false,
        };
        if replaces {
            return false;
        }
        if way == "widen" || way == "casual" {
            self.widen_offer(at, game, requester);
        }
        let (status, body) = self.send_rematch(game, requester, way).await;
        self.check_acceptance(at, requester, Choice::default(), status, &body).await;
        true
    }

    /// Widens the requirements of an open offer that its addressee has set.
    fn widen_offer(&mut self, at: usize, game: &Game, addressee: usize) {
        let widened = self.world.widened(game, addressee);
        for (seat, widened) in widened.into_iter().enumerate() {
            let (player, other) = (game.players[seat], game.players[1 - seat]);
            if game.owners[seat] != Some(addressee)
                || self.world.fits(game.requirements[seat], player, other, game.variant)
            {
                continue;
            }
            self.counts.widened += 1;
            let offer = &mut self.world.offers[at];
            if player == addressee {
                offer.on_acceptor = widened;
            } else {
                offer.on_creator = widened;
            }
        }
    }

    /// Offers a rematch of the game with index `at`, by the player of `seat`. It replaces the open
    /// offer with the index `replaced`.
    async fn offer_rematch(&mut self, at: usize, seat: usize, way: &str, replaced: Option<usize>) {
        let game = self.world.games[at].clone();
        let (requester, other) = (game.players[seat], game.players[1 - seat]);
        let (status, body) = self.send_rematch(&game, requester, way).await;
        let drops_range = way == "casual" && game.owners.contains(&Some(requester));
        let mut requirements = match way {
            "widen" | "ask" => self.world.widened(&game, requester),
            _ => game.requirements,
        };
        for (requirement, owner) in requirements.iter_mut().zip(game.owners) {
            if drops_range && owner == Some(requester) {
                *requirement = Requirement::NONE;
            }
        }
        let terms = Terms {
            variants: vec![game.variant],
            paces: vec![game.pace],
            is_rated: game.is_rated && way != "casual",
            on_acceptor: requirements[1 - seat],
        };
        let offer = Offer {
            id: body["id"].as_str().unwrap_or_default().to_owned(),
            dest: Some(other),
            on_creator: requirements[seat],
            rematch_of: Some(at),
            drops_range,
            ..Offer::new(Kind::Rematch, requester, terms)
        };
        // The opponent's eligibility is checked when they accept; the requester's is checked now,
        // unless the offer asks for a wider range.
        let fit = Offer { on_acceptor: Requirement::NONE, is_rated: false, ..offer.clone() };
        let fits = self.world.may_accept(&fit, game.variant, other);
        let ask = Offer { on_creator: Requirement::NONE, ..fit };
        let refusal = self.world.ask_refusal(at, seat).filter(|_| way == "ask");
        let may = match way {
            "ask" => refusal.is_none() && self.world.may_accept(&ask, game.variant, other),
            _ => fits,
        };
        assert_eq!(status == 200, may, "{way} {offer:?}\n{}", self.log_text());
        if let Some(refusal) = refusal.filter(|_| !self.world.has_block(requester, other)) {
            assert_eq!(body["reason"], refusal, "{way} {offer:?}\n{}", self.log_text());
            self.counts.asks_refused += 1;
        }
        if may {
            let widens =
                !self.world.fits(game.requirements[1 - seat], other, requester, game.variant);
            self.counts.widened += usize::from(way == "widen" && widens);
            self.counts.asked += usize::from(!fits);
            if let Some(replaced) = replaced {
                let replaced_creator = self.world.offers[replaced].creator;
                self.world.offers[replaced].is_declined = replaced_creator != requester;
                self.close_offer(replaced);
            }
            self.world.offers.push(offer);
        } else {
            self.counts.not_offered += 1;
        }
    }

    pub(super) fn is_in_play(&self, challenge: &str) -> bool {
        self.world.games.iter().any(|game| game.challenge == challenge && !game.is_over)
    }
}

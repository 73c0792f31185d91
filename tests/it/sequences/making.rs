//! Steps that make challenges and seeks.

use super::model::{Kind, Offer, Requirement, Terms, VARIANTS};
use super::run::{ACCOUNTS, Run, post, text};
use reqwest::Method;
use serde_json::{Value, json};

impl Run {
    /// Returns the fields of a request that makes the offer.
    fn fields(&self, Offer { variants, paces, is_rated, on_acceptor, .. }: &Offer) -> Value {
        let keys: Vec<&str> = variants.iter().map(|at| VARIANTS[*at]).collect();
        let clocks: Vec<&str> = paces.iter().map(|at| &*self.paces[*at]).collect();
        json!({
            "variants": keys.join(","), "clocks": clocks.join(","), "rated": is_rated,
            "ratingRange": on_acceptor.range(),
            "provisional": if on_acceptor.allows_provisional { "allow" } else { "deny" },
            "bots": if on_acceptor.allows_bots { "allow" } else { "deny" },
        })
    }

    pub(super) fn requirement(&mut self) -> Requirement {
        let (allows_provisional, allows_bots) = (!self.is_one_in(4), !self.is_one_in(3));
        let low = 1350 + 50 * self.below(5) as i64;
        let high = low + 100 + 50 * self.below(3) as i64;
        let (min, max, is_relative) = match self.below(4) {
            0 => (0, 4000, false),
            1 => (-100, 50 + 50 * self.below(3) as i64, true),
            _ => (low, high, false),
        };
        Requirement { min, max, is_relative, allows_provisional, allows_bots }
    }

    pub(super) async fn create(&mut self) {
        let kinds = [Kind::List, Kind::Link, Kind::Direct, Kind::Open];
        let kind = kinds[self.below(kinds.len())];
        let creator = self.random_person();
        let on_acceptor = match kind {
            // The creator of an open challenge does not play, so a relative range has no rating
            // to refer to.
            Kind::Open => Requirement { is_relative: false, ..self.requirement() },
            _ => self.requirement(),
        };
        let on_acceptor = match on_acceptor {
            Requirement { min: ..0, .. } => Requirement { min: 0, max: 4000, ..on_acceptor },
            fits => fits,
        };
        let is_standing = kind == Kind::List && self.is_one_in(6);
        let paces = if is_standing { vec![0] } else { self.random_subset(self.paces.len(), 0) };
        let is_rated = !self.world.persons[creator].is_guest && !self.is_one_in(3);
        let dest = self.random_person();
        let variants = self.random_subset(VARIANTS.len(), 0);
        let offer = Offer {
            is_standing,
            dest: (kind == Kind::Direct).then_some(dest),
            ..Offer::new(kind, creator, Terms { variants, paces, is_rated, on_acceptor })
        };
        let mut fields = self.fields(&offer);
        let path = match kind {
            Kind::Direct => format!("/api/challenge/{}", self.players[dest].id),
            Kind::Open => "/api/challenge/open".to_owned(),
            _ => "/api/challenge".to_owned(),
        };
        if kind == Kind::Link {
            fields["listed"] = json!(false);
        }
        if is_standing {
            fields["standing"] = json!(true);
        }
        let by_program =
            self.programs[creator].is_some() && (creator == ACCOUNTS || self.is_one_in(3));
        let player = match &self.programs[creator] {
            Some(program) if by_program => program.clone(),
            _ => self.players[creator].clone(),
        };
        let (status, body) = post(&player, &path, fields.clone()).await;
        self.log_step(format!("{creator} makes {kind:?} {fields} → {status} {body}"));
        let is_direct = kind == Kind::Direct;
        let block = self.world.persons[creator].blocked.contains(&dest)
            || self.world.persons[dest].blocked.contains(&creator);
        let excludes_bot = self.world.persons[dest].is_bot && !offer.on_acceptor.allows_bots;
        let is_wrong = is_direct
            && (dest == creator
                || block
                || excludes_bot
                || !self.world.may_challenge(creator, dest, &offer));
        assert_eq!(!is_wrong, status < 300, "{}", self.log_text());
        if is_wrong {
            return;
        }
        self.world.offers.push(Offer { id: text(&body["id"]), by_program, ..offer });
    }

    /// Begins a search, which replaces an earlier one of the player.
    pub(super) async fn search(&mut self) {
        let creator = self.random_person();
        let is_rated = !self.world.persons[creator].is_guest && !self.is_one_in(3);
        let on_acceptor = self.requirement();
        let variants = self.random_subset(VARIANTS.len(), 0);
        let paces = self.random_subset(self.paces.len(), 0);
        let terms = Terms { variants, paces, is_rated, on_acceptor };
        let search = Offer::new(Kind::Search, creator, terms);
        let fields = self.fields(&search);
        let is_refused =
            search.paces.iter().any(|pace| *pace != 0) && self.world.plays_with_clock(creator, 0);
        let (status, body) = self.send_command(creator, "/api/find", fields).await;
        assert_eq!(status, if is_refused { 409 } else { 201 }, "{}", self.log_text());
        if is_refused {
            return assert_eq!(body["reason"], "alreadyPlaying", "{}", self.log_text());
        }
        let own = |offer: &Offer| offer.kind == Kind::Search && offer.creator == creator;
        for at in 0..self.world.offers.len() {
            if own(&self.world.offers[at]) {
                self.close_offer(at);
            }
        }
        self.world.offers.push(Offer { id: text(&body["id"]), ..search });
    }

    pub(super) async fn seek(&mut self) {
        let creator = self.random_person();
        let is_rated = !self.world.persons[creator].is_guest && !self.is_one_in(3);
        // The form of lichess has no switch for provisional ratings.
        let on_acceptor = Requirement { allows_provisional: true, ..self.requirement() };
        let variants = self.random_subset(VARIANTS.len(), 0);
        let paces = self.random_subset(self.paces.len(), 1);
        let terms = Terms { variants, paces, is_rated, on_acceptor };
        let seek = Offer { by_program: true, ..Offer::new(Kind::Seek, creator, terms) };
        let mut fields = self.fields(&seek);
        fields.as_object_mut().expect("an object").remove("provisional");
        self.log_step(format!("{creator} seeks {fields}"));
        let player = self.programs[creator].as_ref().unwrap_or(&self.players[creator]);
        let mut lines = player.open_stream(Method::POST, "/api/board/seek", fields).await;
        let id = text(&lines.next().await.expect("an id")["id"]);
        let matches = self.world.matches(&seek);
        let (status, game) = self.players[creator].get(&format!("/api/game/{id}")).await;
        self.log_step(format!("→ {id}: {status}"));
        assert_eq!(status == 200, !matches.is_empty(), "{matches:?}\n{}", self.log_text());
        if status != 200 {
            self.world.offers.push(Offer { id, ..seek });
            return self.seeks.push((self.world.offers.len() - 1, lines));
        }
        self.counts.seeks_matched += 1;
        let at = self.world.offers.iter().position(|offer| offer.id == id).expect("a seek");
        let variants = &matches.iter().find(|(waiting, _)| *waiting == at).expect("a match").1;
        let variant = self.variant_of(&game);
        assert!(variants.contains(&variant), "{variants:?}\n{}", self.log_text());
        let pace = self.pace_of(&game);
        self.world.offers[at].on_creator = on_acceptor;
        assert!(self.world.offers[at].paces.contains(&pace) && seek.paces.contains(&pace));
        self.check_new_game(at, creator, &game);
    }
}

//! Steps that make challenges and seeks.

use super::model::{Kind, Offer, Requirement, VARIANTS};
use super::run::{ACCOUNTS, Run, post, text};
use reqwest::Method;
use serde_json::json;

impl Run {
    pub(super) fn requirement(&mut self) -> Requirement {
        let allows_provisional = !self.is_one_in(4);
        let low = 1350 + 50 * self.below(5) as i64;
        let high = low + 100 + 50 * self.below(3) as i64;
        let (min, max, is_relative) = match self.below(4) {
            0 => (0, 4000, false),
            1 => (-100, 50 + 50 * self.below(3) as i64, true),
            _ => (low, high, false),
        };
        Requirement { min, max, is_relative, allows_provisional }
    }

    pub(super) async fn create(&mut self) {
        let kinds = [Kind::List, Kind::Link, Kind::Direct, Kind::Open];
        let kind = kinds[self.below(kinds.len())];
        let creator = self.random_person();
        let on_acceptor = match kind {
            // The maker of an open challenge does not play, so a relative range has no rating
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
        let (dest, offer_range) = (self.random_person(), on_acceptor.range());
        let variants = self.random_subset(VARIANTS.len(), 0);
        let keys: Vec<&str> = variants.iter().map(|at| VARIANTS[*at]).collect();
        let clocks: Vec<&str> = paces.iter().map(|at| &*self.paces[*at]).collect();
        let mut fields = json!({
            "variants": keys.join(","), "clocks": clocks.join(","), "rated": is_rated,
            "ratingRange": offer_range,
            "provisional": if on_acceptor.allows_provisional { "allow" } else { "deny" },
        });
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
        let is_wrong = is_direct
            && (dest == creator || block || (is_rated && self.world.persons[dest].is_guest));
        assert_eq!(!is_wrong, status < 300, "{}", self.log_text());
        if is_wrong {
            return;
        }
        let dest = is_direct.then_some(dest);
        self.world.offers.push(Offer {
            id: text(&body["id"]),
            kind,
            creator,
            by_program,
            is_standing,
            dest,
            variants,
            paces,
            is_rated,
            on_acceptor,
            on_creator: Requirement::NONE,
            seated: None,
            rematch_of: None,
            check: None,
            is_open: true,
        });
    }

    pub(super) async fn seek(&mut self) {
        let creator = self.random_person();
        let is_rated = !self.world.persons[creator].is_guest && !self.is_one_in(3);
        // The form of lichess has no switch for provisional ratings.
        let on_acceptor = Requirement { allows_provisional: true, ..self.requirement() };
        let seek = Offer {
            id: String::new(),
            kind: Kind::Seek,
            creator,
            by_program: true,
            is_standing: false,
            dest: None,
            variants: self.random_subset(VARIANTS.len(), 0),
            paces: self.random_subset(self.paces.len(), 1),
            is_rated,
            on_acceptor,
            on_creator: Requirement::NONE,
            seated: None,
            rematch_of: None,
            check: None,
            is_open: true,
        };
        let keys: Vec<&str> = seek.variants.iter().map(|at| VARIANTS[*at]).collect();
        let clocks: Vec<&str> = seek.paces.iter().map(|at| &*self.paces[*at]).collect();
        let fields = json!({
            "variants": keys.join(","), "clocks": clocks.join(","), "rated": is_rated,
            "ratingRange": on_acceptor.range(),
        });
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

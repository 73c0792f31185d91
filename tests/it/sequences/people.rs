//! Steps that change players (ratings, blocks, presence, sign-up, closed accounts), and comparisons
//! of the challenges that they see.

use super::model::{Choice, Kind, Offer, Rating, VARIANTS};
use super::run::{ACCOUNTS, Run, SCOPES, post};
use crate::support::client::NdjsonStream;
use serde_json::{Value, json};
use std::time::Duration;

impl Run {
    pub(super) async fn change_ratings(&mut self, person: usize) {
        for (at, variant) in VARIANTS.iter().enumerate() {
            let rating = 1350 + 50 * self.below(7) as i64;
            let provisional = self.is_one_in(8);
            let deviation = if provisional { 200.0 } else { 60.0 };
            self.database.set_rating(&self.players[person], variant, rating, deviation).await;
            self.world.persons[person].ratings[at] = Rating { rating, provisional };
        }
        self.log_step(format!("{person} has {:?}", self.world.persons[person].ratings));
    }

    /// Changes the challenge settings of a player.
    pub(super) async fn change_settings(&mut self) {
        let person = self.random_person();
        if self.world.persons[person].is_guest || person == ACCOUNTS {
            return;
        }
        // Most of them permit the challenges of accounts.
        let audiences = ["everyone", "everyone", "accounts", "nearRating", "nobody"];
        let audience = audiences[self.below(audiences.len())];
        let casual_only = self.is_one_in(4);
        let fields = json!({ "audience": audience, "casualOnly": casual_only });
        let (status, _) = post(&self.players[person], "/api/account/challenges", fields).await;
        assert_eq!(status, 200, "{}", self.log_text());
        self.log_step(format!("{person} lets {audience} challenge, casual only: {casual_only}"));
        let one = &mut self.world.persons[person];
        (one.audience, one.casual_only) = (audience, casual_only);
    }

    pub(super) async fn toggle_block(&mut self) {
        let (one, two) = (self.random_person(), self.random_person());
        if one == two {
            return;
        }
        let has = self.world.persons[one].blocked.contains(&two);
        let verb = if has { "unblock" } else { "block" };
        let path = format!("/api/rel/{verb}/{}", self.players[two].id);
        let (status, body) = post(&self.players[one], &path, json!({})).await;
        self.log_step(format!("{one} {path} → {status} {body}"));
        if status != 200 {
            // Guests cannot block, and cannot be blocked.
            assert!(
                self.world.persons[one].is_guest || self.world.persons[two].is_guest,
                "{}",
                self.log_text()
            );
            return;
        }
        let blocked = &mut self.world.persons[one].blocked;
        if has {
            blocked.retain(|other| *other != two);
        } else {
            blocked.push(two);
        }
    }

    pub(super) async fn cancel_or_decline(&mut self) {
        let Some(at) = self.open_offer() else { return };
        let offer = self.world.offers[at].clone();
        let (person, verb) = match offer.dest {
            Some(dest) if self.is_one_in(2) => (dest, "decline"),
            _ => (offer.creator, "cancel"),
        };
        let path = format!("/api/challenge/{}/{verb}", offer.id);
        let (status, _) = self.send_command(person, &path, json!({})).await;
        assert_eq!(status, 200, "{}", self.log_text());
        self.world.offers[at].is_declined = verb == "decline";
        self.close_offer(at);
    }

    pub(super) fn close_offer(&mut self, at: usize) {
        self.world.offers[at].is_open = false;
        self.world.offers[at].check = None;
        self.seeks.retain(|(seek, _)| *seek != at);
    }

    pub(super) fn is_present(&self, person: usize) -> bool {
        let seeks = self.seeks.iter().any(|(at, _)| self.world.offers[*at].creator == person);
        self.streams[person].is_some() || seeks
    }

    pub(super) async fn toggle_stream(&mut self) {
        let person = self.random_person();
        self.log_step(format!("{person} comes or goes"));
        self.streams[person] = match self.streams[person].take() {
            Some(_) => None,
            None => Some(self.players[person].open_event_stream().await),
        };
        self.await_online(person).await;
    }

    /// Waits until the server has the current presence of the player who waits for an opponent.
    pub(super) async fn await_presence(&mut self, offer: &Offer) {
        if let Some(waiting_player) = self.world.waiting_player(offer) {
            self.await_online(waiting_player).await;
        }
    }

    pub(super) async fn await_online(&mut self, person: usize) {
        let path = format!("/api/users/status?ids={}", self.players[person].id);
        for _ in 0..12_000 {
            let (_, body) = self.players[person].get(&path).await;
            let is_online = body[0]["online"] == true;
            if is_online == self.is_present(person) || self.world.persons[person].is_closed {
                return;
            }
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        panic!("{person} is not noticed\n{}", self.log_text());
    }

    /// Compares all open challenges as one player sees them.
    pub(super) async fn compare_lists(&mut self) {
        let viewer = self.random_person();
        let (_, lobby) = self.players[viewer].get("/api/lobby").await;
        let cards = lobby["challenges"].as_array().expect("challenges");
        self.log_step(format!("{viewer} looks"));
        for offer in self.world.offers.iter().filter(|offer| offer.is_open) {
            let listed = cards.iter().find(|card| card["id"] == offer.id.as_str());
            let has_block = self.world.persons[viewer].blocked.contains(&offer.creator)
                || self.world.persons[offer.creator].blocked.contains(&viewer);
            let is_public = matches!(offer.kind, Kind::List | Kind::Seek | Kind::Search);
            if is_public {
                assert_eq!(listed.is_some(), !has_block, "{offer:?}\n{}", self.log_text());
            }
            let path = format!("/api/challenge/{}/show", offer.id);
            let (_, card) = self.players[viewer].get(&path).await;
            for card in listed.into_iter().chain([&card]) {
                self.compare_card(card, offer, viewer);
            }
        }
    }

    pub(super) fn compare_card(&self, card: &Value, offer: &Offer, viewer: usize) {
        let choices = card["choices"]["variants"].as_array().expect("choices");
        for at in &offer.variants {
            let choice = choices.iter().find(|choice| choice["variant"]["key"] == VARIANTS[*at]);
            let choice_of = Choice { variant: Some(*at), pace: None };
            // A standing challenge is shown as eligible, also during a game of the same player.
            let offer = Offer { is_standing: false, ..offer.clone() };
            let may = !self.world.variants_for(&offer, viewer, choice_of).is_empty();
            let is_eligible = choice.is_some_and(|choice| choice["eligible"] == true);
            assert_eq!(is_eligible, may, "{viewer}: {card}\n{offer:?}\n{}", self.log_text());
        }
    }

    /// Registers a guest, who keeps their games and challenges.
    pub(super) async fn sign_up(&mut self) {
        let persons = self.world.persons.iter();
        let guest = persons.enumerate().find(|(_, one)| one.is_guest && !one.is_closed);
        let Some((guest, _)) = guest else { return };
        let name = format!("Seq{}y{}", self.worker, self.players.len());
        let fields = json!({ "username": name, "password": "correct-horse" });
        let (status, body) = self.players[guest].post("/api/register", fields).await;
        self.log_step(format!("{guest} signs up → {status} {body}"));
        assert_eq!(status, 201, "{}", self.log_text());
        self.players[guest].id = name.to_ascii_lowercase();
        self.programs[guest] = Some(self.players[guest].api_client(SCOPES).await);
        self.world.persons[guest].is_guest = false;
        self.streams[guest] = None;
        let own = |(at, _): &(usize, NdjsonStream)| self.world.offers[*at].creator == guest;
        let seeks: Vec<usize> =
            self.seeks.iter().filter(|seek| own(seek)).map(|(at, _)| *at).collect();
        for at in seeks {
            self.close_offer(at);
        }
        self.await_online(guest).await;
        self.add_guest().await;
    }

    pub(super) async fn close(&mut self) {
        let person = self.random_person();
        if self.world.persons[person].is_guest || person == ACCOUNTS {
            return;
        }
        let fields = json!({ "password": "correct-horse" });
        let (status, body) = post(&self.players[person], "/api/account/close", fields).await;
        self.log_step(format!("{person} closes → {status} {body}"));
        assert_eq!(status, 200, "{}", self.log_text());
        self.world.close(person);
        self.streams[person] = None;
        let offers = &self.world.offers;
        self.seeks.retain(|(at, _)| offers[*at].is_open);
        let new = self.add_account().await;
        self.change_ratings(new).await;
    }
}

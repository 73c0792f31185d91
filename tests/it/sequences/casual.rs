//! Steps in which a guest asks for a casual game in place of a rated challenge by link, and its
//! creator answers, compared with the oracle.

use super::model::{Choice, Kind, Offer, VARIANTS};
use super::run::{Run, text};
use serde_json::json;

/// Requests of one network that one challenge can have.
const REQUESTS_MAX: usize = 3;

impl Run {
    pub(super) async fn ask_casual(&mut self) {
        let offers = self.world.offers.iter().enumerate();
        let is_invitation =
            |offer: &Offer| offer.is_open && offer.kind == Kind::Link && offer.is_rated;
        let invitations: Vec<usize> =
            offers.filter(|(_, offer)| is_invitation(offer)).map(|(at, _)| at).collect();
        let guest = self.world.persons.iter().position(|one| one.is_guest && !one.is_closed);
        let (Some(guest), false) = (guest, invitations.is_empty()) else {
            return self.create().await;
        };
        let at = invitations[self.below(invitations.len())];
        let offer = self.world.offers[at].clone();
        let variant =
            (!self.is_one_in(2)).then(|| offer.variants[self.below(offer.variants.len())]);
        let pace = (!self.is_one_in(2)).then(|| offer.paces[self.below(offer.paces.len())]);
        let choice = Choice { variant, pace };
        let mut fields = json!({});
        if let Some(variant) = variant {
            fields["variant"] = json!(VARIANTS[variant]);
        }
        if let Some(pace) = pace {
            fields["clock"] = json!(self.paces[pace]);
        }
        let path = format!("/api/challenge/{}/casual", offer.id);
        let (status, body) = self.send_command(guest, &path, fields).await;
        let casual = Offer { is_rated: false, ..offer.clone() };
        let variants = self.world.variants_for(&casual, guest, choice);
        let is_new = !offer.asked.contains(&guest) && offer.asked.len() < REQUESTS_MAX;
        let may = is_new && !variants.is_empty();
        assert_eq!(status == 200, may, "{variants:?} of {offer:?}\n{}", self.log_text());
        if !may {
            assert!((400..500).contains(&status), "{}", self.log_text());
            return self.counts.casual_refused += 1;
        }
        assert_eq!(body["casualRequest"], "asked", "{}", self.log_text());
        self.world.offers[at].asked.push(guest);
        self.answer_casual(at, guest, pace.unwrap_or(offer.paces[0]), &variants).await;
    }

    async fn answer_casual(&mut self, at: usize, guest: usize, pace: usize, variants: &[usize]) {
        let offer = self.world.offers[at].clone();
        let path = format!("/api/challenge/{}/casual/{}", offer.id, self.players[guest].id);
        if self.is_one_in(4) {
            let fields = json!({ "answer": "no" });
            let (status, _) = self.send_command(offer.creator, &path, fields).await;
            return assert_eq!(status, 200, "{}", self.log_text());
        }
        self.await_online(guest).await;
        let fields = json!({ "answer": "yes" });
        let (status, body) = self.send_command(offer.creator, &path, fields).await;
        assert_eq!(status, 200, "{}", self.log_text());
        self.world.offers[at].granted.push(guest);
        let is_absent = pace != 0 && !self.is_present(guest);
        assert_eq!(body["waiting"] == true, is_absent, "{}", self.log_text());
        if is_absent {
            return;
        }
        let (_, game) = self.players[guest].get(&format!("/api/game/{}", text(&body["id"]))).await;
        assert!(variants.contains(&self.variant_of(&game)), "{variants:?}\n{}", self.log_text());
        assert_eq!(self.pace_of(&game), pace, "{}", self.log_text());
        self.counts.casual_games += 1;
        self.check_new_game(at, guest, &game);
    }
}

//! Steps of the table in `roads`: the players of one route, and each case with its expected
//! outcome.

use super::client::{Database, Lines, PATIENCE, Player, Server};
use super::roads::Case::{self, *};
use super::roads::Road::{self, *};
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Tested variant, and the other variant of a challenge with several ones.
const VARIANT: &str = "knightFight";
const OTHER: &str = "hogga";

/// Deviations of an established and of a provisional rating.
const SETTLED: f64 = 60.0;
const SETTLING: f64 = 200.0;

const SCOPES: &str = "board:play,challenge:read,challenge:write";

/// Route, with its players and the database.
pub struct Walk {
    road: Road,
    database: Database,
    maker: Player,
    maker_program: Player,
    /// Player who accepts in most cases.
    acceptor: Player,
    acceptor_program: Player,
    guest: Player,
    /// Player who fits in every case.
    fit: Player,
    /// First player of an open challenge.
    sitter: Player,
}

/// Open challenge.
struct Offer {
    id: String,
    /// Id of the game before the rematch.
    old: String,
    rated: bool,
}

async fn post(player: &Player, path: &str, body: Value) -> (u16, Value) {
    player.clone().post(path, body).await
}

async fn done(player: &Player, path: &str, body: Value) -> Value {
    let (status, answer) = post(player, path, body).await;
    assert!(status == 200 || status == 201, "{} {path}: {status} {answer}", player.id);
    answer
}

fn id_of(answer: &Value) -> String {
    answer["id"].as_str().unwrap_or_else(|| panic!("no id in {answer}")).to_owned()
}

impl Walk {
    pub async fn new(server: &Server, road: Road) -> Walk {
        let person = |what: &str| format!("{what}{road:?}");
        let maker = server.player(&person("Maker")).await;
        let acceptor = server.player(&person("Taker")).await;
        let mut scopes = SCOPES;
        if road == Bot {
            scopes = "bot:play,challenge:read,challenge:write";
            done(&acceptor, "/api/bot/account/upgrade", json!({})).await;
        }
        Walk {
            road,
            database: server.database().await,
            maker_program: maker.program(SCOPES).await,
            acceptor_program: acceptor.program(scopes).await,
            maker,
            acceptor,
            guest: server.guest().await,
            fit: server.player(&person("Fit")).await,
            sitter: server.player(&person("Sitter")).await,
        }
    }

    /// Returns the player who accepts in a case.
    fn asker(&self, case: Case) -> &Player {
        match (self.road, case) {
            (Open, Own) => &self.sitter,
            (Api, Own) => &self.maker_program,
            (_, Own) => &self.maker,
            (_, Stranger) => &self.fit,
            (Guest, _) => &self.guest,
            (_, case) if case.has_guest() => &self.guest,
            (Api | Bot, _) => &self.acceptor_program,
            _ => &self.acceptor,
        }
    }

    /// Returns the player who waits for the acceptor.
    fn opponent(&self) -> &Player {
        if self.road == Open { &self.sitter } else { &self.maker }
    }

    async fn rate(&self, player: &Player, rating: i64) {
        self.database.set_rating(player, VARIANT, rating, SETTLED).await;
    }

    /// Makes all players fit, and removes all blocks.
    async fn reset(&self) {
        for player in [&self.maker, &self.acceptor, &self.guest, &self.fit, &self.sitter] {
            self.rate(player, 1500).await;
            self.database.set_rating(player, OTHER, 1500, SETTLED).await;
        }
        self.block("unblock", Blocked).await;
        self.block("unblock", Blocking).await;
    }

    async fn block(&self, verb: &str, case: Case) {
        let (one, two) = match case {
            Blocked => (self.opponent(), &self.acceptor),
            _ => (&self.acceptor, self.opponent()),
        };
        done(one, &format!("/api/rel/{verb}/{}", two.id), json!({})).await;
    }

    async fn make(&self, path: &str, fields: &Value) -> String {
        id_of(&done(&self.maker, path, fields.clone()).await)
    }

    /// Makes a challenge. Returns it with the connection of the seek, if it is one.
    async fn offer(&self, case: Case) -> (Offer, Option<Lines>) {
        let follows = matches!(case, MakerLeft | MakerCame);
        let deny = matches!(case, Settling | Settled | GuestDenied);
        let rated = self.road != Guest && !matches!(case, GuestDenied | GuestAllowed);
        let mut fields = json!({
            "variant": VARIANT,
            "rated": rated,
            "days": 3,
            "ratingRange": if follows { "-100..+200" } else { "1400-1600" },
            "provisional": if deny { "deny" } else { "allow" },
        });
        let (mut old, mut held) = (String::new(), None);
        let id = match self.road {
            List | Api | Bot | Guest => self.make("/api/challenge", &fields).await,
            Link => {
                fields["listed"] = json!(false);
                self.make("/api/challenge", &fields).await
            }
            Standing => {
                fields["standing"] = json!(true);
                self.make("/api/challenge", &fields).await
            }
            Several => {
                fields.as_object_mut().expect("fields").remove("variant");
                fields["variants"] = json!(format!("{OTHER},{VARIANT}"));
                self.make("/api/challenge", &fields).await
            }
            Direct => self.make(&format!("/api/challenge/{}", self.acceptor.id), &fields).await,
            Open => {
                let id = self.make("/api/challenge/open", &fields).await;
                let seated = self.accept(&self.sitter, &id).await;
                assert_eq!((seated.0, &seated.1["waiting"]), (200, &json!(true)), "{seated:?}");
                id
            }
            Rematch | Yes => {
                // The first game ends before the first move, so it changes no rating.
                let other = if case.has_guest() { &self.guest } else { &self.acceptor };
                old = self.make("/api/challenge", &fields).await;
                assert_eq!(self.accept(other, &old).await.0, 200);
                done(other, &format!("/api/board/game/{old}/resign"), json!({})).await;
                self.make(&format!("/api/board/game/{old}/rematch/yes"), &json!({})).await
            }
            Seek => {
                let fields = json!({
                    "variant": VARIANT, "rated": rated, "time": 5, "increment": 3,
                    "ratingRange": fields["ratingRange"],
                });
                let path = "/api/board/seek";
                held = Some(self.maker_program.lines(Method::POST, path, fields).await);
                self.find_seek().await
            }
        };
        (Offer { id, old, rated }, held)
    }

    async fn find_seek(&self) -> String {
        let limit = Instant::now() + PATIENCE;
        while Instant::now() < limit {
            let (_, lobby) = self.fit.get("/api/lobby").await;
            let challenges = lobby["challenges"].as_array().expect("list");
            let own = |one: &&Value| one["challenger"]["id"] == self.maker.id.as_str();
            if let Some(seek) = challenges.iter().find(own) {
                assert_eq!(seek["kind"], "seek");
                return id_of(seek);
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the seek is not on the list");
    }

    /// Establishes the case, and checks the eligibility that is shown before a rating changes.
    async fn bring_about(&self, case: Case, offer: &Offer) {
        let asker = self.asker(case);
        if self.road == Several {
            // Only the rating in the chosen variant counts: the other one would give the opposite
            // result.
            let rating = if case.expected().is_ok() { 1000 } else { 1500 };
            self.database.set_rating(asker, OTHER, rating, SETTLED).await;
        }
        match case {
            Below => self.rate(asker, 1399).await,
            AtMin => self.rate(asker, 1400).await,
            AtMax => self.rate(asker, 1600).await,
            Above => self.rate(asker, 1601).await,
            Settling => self.database.set_rating(asker, VARIANT, 1500, SETTLING).await,
            Blocked | Blocking => self.block("block", case).await,
            Expired => self.database.expire(&offer.id).await,
            Taken => {
                let taker = if self.road.is_addressed() { asker } else { &self.fit };
                assert_eq!(self.accept(taker, &offer.id).await.0, 200);
            }
            Declined => {
                done(asker, &format!("/api/challenge/{}/decline", offer.id), json!({})).await;
            }
            Canceled => self.cancel(offer).await,
            Fell => {
                self.expect_shown(asker, offer, Ok(())).await;
                self.rate(asker, 1399).await;
            }
            Rose => {
                self.rate(asker, 1399).await;
                self.expect_shown(asker, offer, Err(("ratingTooLow", 1399))).await;
                self.rate(asker, 1400).await;
            }
            MakerLeft => {
                self.rate(asker, 1450).await;
                self.expect_shown(asker, offer, Ok(())).await;
                self.rate(&self.maker, 1551).await;
            }
            MakerCame => {
                self.rate(asker, 1750).await;
                self.expect_shown(asker, offer, Err(("ratingTooHigh", 1750))).await;
                self.rate(&self.maker, 1600).await;
            }
            Inside | Settled | GuestRated | GuestDenied | GuestAllowed | Own | Stranger => {}
        }
    }

    async fn cancel(&self, offer: &Offer) {
        done(&self.maker, &format!("/api/challenge/{}/cancel", offer.id), json!({})).await;
    }

    /// Checks the eligibility that a player gets in the challenge and on the list.
    async fn expect_shown(
        &self,
        viewer: &Player,
        offer: &Offer,
        expected: Result<(), (&str, i64)>,
    ) {
        let (status, challenge) = viewer.get(&format!("/api/challenge/{}/show", offer.id)).await;
        assert_eq!(status, 200, "{challenge}");
        let mut views = vec![challenge];
        if self.road.is_listed() {
            let (_, lobby) = viewer.get("/api/lobby").await;
            let list = lobby["challenges"].as_array().expect("list").clone();
            let found = list.into_iter().find(|one| one["id"] == offer.id.as_str());
            views.push(found.expect("a listed challenge"));
        }
        for view in views {
            let choices = view["choices"]["variants"].as_array().expect("choices");
            let own = |one: &&Value| one["variant"]["key"] == VARIANT;
            let choice = choices.iter().find(own).expect("choice");
            let whole = if self.road == Several { choice } else { &view };
            for seen in [choice, whole] {
                assert_eq!(seen["eligible"], expected.is_ok(), "{seen}");
                if let Err((reason, rating)) = expected {
                    assert_eq!(seen["ineligibleReason"], reason, "{seen}");
                    assert_eq!(seen["yourRating"], rating, "{seen}");
                }
            }
        }
    }

    async fn accept(&self, player: &Player, id: &str) -> (u16, Value) {
        let pick = if self.road == Several { json!({ "variant": VARIANT }) } else { json!({}) };
        post(player, &format!("/api/challenge/{id}/accept"), pick).await
    }

    /// Accepts by the request of this route.
    async fn walk(&self, player: &Player, offer: &Offer) -> (u16, Value) {
        if self.road == Yes {
            return post(player, &format!("/api/board/game/{}/rematch/yes", offer.old), json!({}))
                .await;
        }
        self.accept(player, &offer.id).await
    }

    async fn games(&self) -> usize {
        let all = [&self.maker, &self.acceptor, &self.guest, &self.fit, &self.sitter];
        self.database.games_of(&all).await
    }

    async fn expect_game(&self, player: &Player, offer: &Offer, context: &str) {
        let before = self.games().await;
        let (status, answer) = self.walk(player, offer).await;
        assert_eq!((status, &answer["ok"]), (200, &json!(true)), "{context}: {answer}");
        assert_eq!(answer["ready"], Value::Null, "{context}: no ready check is needed");
        let id = id_of(&answer);
        assert_eq!(id == offer.id, self.road != Standing, "{context}: the id of the game");
        let (status, game) = player.get(&format!("/api/game/{id}")).await;
        assert_eq!(status, 200, "{context}: {game}");
        let mut seated = [&game["first"]["id"], &game["second"]["id"]].map(|id| id.as_str());
        let mut expected = [Some(&*player.id), Some(&*self.opponent().id)];
        seated.sort_unstable();
        expected.sort_unstable();
        assert_eq!(seated, expected, "{context}");
        assert_eq!(
            (&game["variant"]["key"], &game["rated"]),
            (&json!(VARIANT), &json!(offer.rated))
        );
        assert_eq!(self.games().await, before + 1, "{context}");
    }

    async fn expect_refusal(&self, case: Case, offer: &Offer, refusal: (u16, &str, i64)) {
        let (status, reason, rating) = refusal;
        let (context, before) = (format!("{:?} × {case:?}", self.road), self.games().await);
        let asker = self.asker(case);
        let (code, body) = self.walk(asker, offer).await;
        assert_eq!((code, &body["reason"]), (status, &json!(reason)), "{context}: {body}");
        assert!(body["error"].as_str().is_some_and(|error| error.ends_with('.')), "{body}");
        if status == 403 {
            assert_eq!(body["rating"], rating, "{context}: {body}");
        }
        assert_eq!(self.games().await, before, "{context}: a refused acceptance makes no game");
        if case != Taken {
            assert_eq!(asker.get(&format!("/api/game/{}", offer.id)).await.0, 404, "{context}");
        }
    }

    pub async fn check(&self, case: Case) {
        let context = format!("{:?} × {case:?}", self.road);
        println!("{context}");
        self.reset().await;
        let (offer, _held) = self.offer(case).await;
        self.bring_about(case, &offer).await;
        match case.expected() {
            Ok(()) => self.expect_game(self.asker(case), &offer, &context).await,
            Err(refusal) => {
                self.expect_refusal(case, &offer, refusal).await;
                if refusal.0 == 403 {
                    // The challenge must still be open to a player who fits.
                    let mut fits = &self.fit;
                    if self.road.is_addressed() {
                        self.reset().await;
                        fits = if case.has_guest() { &self.guest } else { &self.acceptor };
                    }
                    self.expect_game(fits, &offer, &format!("{context}, a player who fits")).await;
                }
            }
        }
        if self.road == Standing && !matches!(case, Expired | Canceled) {
            self.cancel(&offer).await;
        }
    }
}

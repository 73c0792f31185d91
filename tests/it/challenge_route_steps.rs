//! Steps of the table in `challenge_routes`: the players of one route, and each case with its
//! expected outcome.

use super::challenge_routes::AcceptCase::{self, *};
use super::challenge_routes::ChallengeRoute::{self, *};
use crate::support::client::{NdjsonStream, Player, Server, WAIT_TIMEOUT};
use crate::support::database::Database;
use reqwest::Method;
use serde_json::{Value, json};
use std::time::{Duration, Instant};

/// Tested variant, and the other variant of a challenge with several ones.
const TESTED_VARIANT: &str = "knightFight";
const OTHER_VARIANT: &str = "hogga";

/// Deviations of an established and of a provisional rating.
const ESTABLISHED_DEVIATION: f64 = 60.0;
const PROVISIONAL_DEVIATION: f64 = 200.0;

const SCOPES: &str = "board:play,challenge:read,challenge:write";

/// Route, with its players and the database.
pub struct RouteTest {
    route: ChallengeRoute,
    database: Database,
    creator: Player,
    creator_program: Player,
    /// Player who accepts in most cases.
    acceptor: Player,
    acceptor_program: Player,
    guest: Player,
    bot: Player,
    /// Player who fits in every case.
    eligible: Player,
    /// First player of an open challenge.
    seated: Player,
}

/// Open challenge.
struct OpenChallenge {
    id: String,
    /// Id of the game before the rematch.
    previous_game: String,
    rated: bool,
}

async fn post(player: &Player, path: &str, body: Value) -> (u16, Value) {
    player.clone().post(path, body).await
}

async fn post_ok(player: &Player, path: &str, body: Value) -> Value {
    let (status, response) = post(player, path, body).await;
    assert!(status == 200 || status == 201, "{} {path}: {status} {response}", player.id);
    response
}

fn id_of(response: &Value) -> String {
    response["id"].as_str().unwrap_or_else(|| panic!("no id in {response}")).to_owned()
}

impl RouteTest {
    pub async fn new(server: &Server, route: ChallengeRoute) -> RouteTest {
        let person = |role: &str| format!("{role}{route:?}");
        let creator = server.player(&person("Ann")).await;
        let acceptor = server.player(&person("Bob")).await;
        let bot = server.player(&person("Bot")).await;
        let mut bots = vec![&bot];
        let mut scopes = SCOPES;
        if route == Bot {
            scopes = "bot:play,challenge:read,challenge:write";
            bots.push(&acceptor);
        }
        for account in bots {
            let program = account.api_client("bot:play").await;
            post_ok(&program, "/api/bot/account/upgrade", json!({})).await;
        }
        RouteTest {
            route,
            database: server.database().await,
            creator_program: creator.api_client(SCOPES).await,
            acceptor_program: acceptor.api_client(scopes).await,
            creator,
            acceptor,
            guest: server.guest().await,
            bot,
            eligible: server.player(&person("Fit")).await,
            seated: server.player(&person("Sitter")).await,
        }
    }

    /// Returns the player who accepts in a case.
    fn acceptor_for(&self, case: AcceptCase) -> &Player {
        match (self.route, case) {
            (Open, Own) => &self.seated,
            (Api, Own) => &self.creator_program,
            (_, Own) => &self.creator,
            (_, Stranger) => &self.eligible,
            (Guest | CasualRequest, _) => &self.guest,
            (_, case) if case.has_guest() => &self.guest,
            (_, case) if case.has_bot() => &self.bot,
            (Api | Bot, _) => &self.acceptor_program,
            _ => &self.acceptor,
        }
    }

    fn players(&self) -> [&Player; 6] {
        let RouteTest { creator, acceptor, guest, bot, eligible, seated, .. } = self;
        [creator, acceptor, guest, bot, eligible, seated]
    }

    /// Returns the player to whom a challenge is addressed, if it is.
    fn addressee(&self, case: AcceptCase) -> &Player {
        match case {
            case if case.has_guest() => &self.guest,
            case if case.has_bot() => &self.bot,
            _ => &self.acceptor,
        }
    }

    /// Returns the player who waits for the acceptor.
    fn opponent(&self) -> &Player {
        if self.route == Open { &self.seated } else { &self.creator }
    }

    async fn rate(&self, player: &Player, rating: i64) {
        self.database.set_rating(player, TESTED_VARIANT, rating, ESTABLISHED_DEVIATION).await;
    }

    /// Makes all players fit, and removes all blocks.
    async fn reset(&self) {
        for player in self.players() {
            self.rate(player, 1500).await;
            self.database.set_rating(player, OTHER_VARIANT, 1500, ESTABLISHED_DEVIATION).await;
        }
        self.block("unblock", Blocked).await;
        self.block("unblock", Blocking).await;
    }

    async fn block(&self, verb: &str, case: AcceptCase) {
        let (one, two) = match case {
            Blocked => (self.opponent(), &self.acceptor),
            _ => (&self.acceptor, self.opponent()),
        };
        post_ok(one, &format!("/api/rel/{verb}/{}", two.id), json!({})).await;
    }

    async fn create(&self, path: &str, fields: &Value) -> String {
        id_of(&post_ok(&self.creator, path, fields.clone()).await)
    }

    /// Makes a challenge. Returns it with the connection of the seek, if it is one.
    async fn create_for_case(&self, case: AcceptCase) -> (OpenChallenge, Option<NdjsonStream>) {
        let follows = matches!(case, RangeMovedAway | RangeMovedClose);
        let deny = matches!(case, Provisional | Established | GuestDenied);
        let rated = self.route == CasualRequest
            || self.route != Guest && !matches!(case, GuestDenied | GuestAllowed);
        let range = match self.route {
            _ if follows => "-100..+200",
            RematchWidened => "1450-1600",
            _ => "1400-1600",
        };
        let mut fields = json!({
            "variant": TESTED_VARIANT,
            "rated": rated,
            "days": 3,
            "ratingRange": range,
            "provisional": if deny { "deny" } else { "allow" },
            "bots": "allow",
        });
        if case == BotDenied {
            fields.as_object_mut().expect("fields").remove("bots");
        }
        let (mut previous_game, mut connection) = (String::new(), None);
        let id = match self.route {
            List | Api | Bot | Guest => self.create("/api/challenge", &fields).await,
            Link | CasualRequest => {
                fields["listed"] = json!(false);
                self.create("/api/challenge", &fields).await
            }
            Standing => {
                fields["standing"] = json!(true);
                self.create("/api/challenge", &fields).await
            }
            MultiVariant => {
                fields.as_object_mut().expect("fields").remove("variant");
                fields["variants"] = json!(format!("{OTHER_VARIANT},{TESTED_VARIANT}"));
                self.create("/api/challenge", &fields).await
            }
            Search => self.create("/api/find", &fields).await,
            Direct => {
                let path = format!("/api/challenge/{}", self.addressee(case).id);
                self.create(&path, &fields).await
            }
            Open => {
                let id = self.create("/api/challenge/open", &fields).await;
                let seated = self.accept(&self.seated, &id).await;
                assert_eq!((seated.0, &seated.1["waiting"]), (200, &json!(true)), "{seated:?}");
                id
            }
            Rematch | RematchYes | RematchWidened => {
                // The first game ends before the first move, so it changes no rating.
                let other = self.addressee(case);
                previous_game = self.create("/api/challenge", &fields).await;
                assert_eq!(self.accept(other, &previous_game).await.0, 200);
                post_ok(other, &format!("/api/board/game/{previous_game}/resign"), json!({})).await;
                let path = format!("/api/board/game/{previous_game}/rematch");
                if self.route == RematchWidened {
                    // The range of the offer becomes that of the other routes.
                    self.rate(other, 1400).await;
                    let id = self.create(&format!("{path}/widen"), &json!({})).await;
                    self.rate(other, 1500).await;
                    id
                } else {
                    self.create(&format!("{path}/yes"), &json!({})).await
                }
            }
            Seek => {
                let fields = json!({
                    "variant": TESTED_VARIANT, "rated": rated, "time": 5, "increment": 3,
                    "ratingRange": range, "bots": fields["bots"],
                });
                let path = "/api/board/seek";
                connection =
                    Some(self.creator_program.open_stream(Method::POST, path, fields).await);
                self.find_seek().await
            }
        };
        (OpenChallenge { id, previous_game, rated }, connection)
    }

    async fn find_seek(&self) -> String {
        let limit = Instant::now() + WAIT_TIMEOUT;
        while Instant::now() < limit {
            let (_, lobby) = self.eligible.get("/api/lobby").await;
            let challenges = lobby["challenges"].as_array().expect("list");
            let own = |one: &&Value| one["challenger"]["id"] == self.creator.id.as_str();
            if let Some(seek) = challenges.iter().find(own) {
                assert_eq!(seek["kind"], "seek");
                return id_of(seek);
            }
            tokio::time::sleep(Duration::from_millis(25)).await;
        }
        panic!("the seek is not on the list");
    }

    /// Establishes the case, and checks the eligibility that is shown before a rating changes.
    async fn set_up_case(&self, case: AcceptCase, offer: &OpenChallenge) {
        let acceptor = self.acceptor_for(case);
        if self.route == MultiVariant {
            // Only the rating in the chosen variant counts: the other one would give the opposite
            // result.
            let rating = if case.expected().is_ok() { 1000 } else { 1500 };
            self.database.set_rating(acceptor, OTHER_VARIANT, rating, ESTABLISHED_DEVIATION).await;
        }
        match case {
            Below => self.rate(acceptor, 1399).await,
            AtMin => self.rate(acceptor, 1400).await,
            AtMax => self.rate(acceptor, 1600).await,
            Above => self.rate(acceptor, 1601).await,
            Provisional => {
                self.database
                    .set_rating(acceptor, TESTED_VARIANT, 1500, PROVISIONAL_DEVIATION)
                    .await
            }
            Blocked | Blocking => self.block("block", case).await,
            Expired => self.database.expire(&offer.id).await,
            Taken => {
                let taker = if self.route.is_addressed() { acceptor } else { &self.eligible };
                assert_eq!(self.accept(taker, &offer.id).await.0, 200);
            }
            Declined => {
                post_ok(acceptor, &format!("/api/challenge/{}/decline", offer.id), json!({})).await;
            }
            Canceled => self.cancel(offer).await,
            RatingFell => {
                self.expect_shown(acceptor, offer, Ok(())).await;
                self.rate(acceptor, 1399).await;
            }
            RatingRose => {
                self.rate(acceptor, 1399).await;
                self.expect_shown(acceptor, offer, Err(("ratingTooLow", 1399))).await;
                self.rate(acceptor, 1400).await;
            }
            RangeMovedAway => {
                self.rate(acceptor, 1450).await;
                self.expect_shown(acceptor, offer, Ok(())).await;
                self.rate(&self.creator, 1551).await;
            }
            RangeMovedClose => {
                self.rate(acceptor, 1750).await;
                self.expect_shown(acceptor, offer, Err(("ratingTooHigh", 1750))).await;
                self.rate(&self.creator, 1600).await;
            }
            Inside | Established | GuestRated | GuestDenied | GuestAllowed | BotDenied
            | BotAllowed | Own | Stranger => {}
        }
    }

    async fn cancel(&self, offer: &OpenChallenge) {
        post_ok(&self.creator, &format!("/api/challenge/{}/cancel", offer.id), json!({})).await;
    }

    /// Checks the eligibility that a player gets in the challenge and on the list.
    async fn expect_shown(
        &self,
        viewer: &Player,
        offer: &OpenChallenge,
        expected: Result<(), (&str, i64)>,
    ) {
        if self.route == CasualRequest {
            // A guest is never eligible for the rated game: the request shows the eligibility.
            let (status, body) = self.request_casual(viewer, &offer.id).await;
            let (status_expected, reason) = match expected {
                Ok(()) => (200, Value::Null),
                Err((reason, rating)) => {
                    assert_eq!(body["rating"], rating, "{body}");
                    (403, json!(reason))
                }
            };
            return assert_eq!((status, &body["reason"]), (status_expected, &reason), "{body}");
        }
        let (status, challenge) = viewer.get(&format!("/api/challenge/{}/show", offer.id)).await;
        assert_eq!(status, 200, "{challenge}");
        let mut views = vec![challenge];
        if self.route.is_listed() {
            let (_, lobby) = viewer.get("/api/lobby").await;
            let list = lobby["challenges"].as_array().expect("list").clone();
            let found = list.into_iter().find(|one| one["id"] == offer.id.as_str());
            views.push(found.expect("a listed challenge"));
        }
        for view in views {
            let choices = view["choices"]["variants"].as_array().expect("choices");
            let own = |one: &&Value| one["variant"]["key"] == TESTED_VARIANT;
            let choice = choices.iter().find(own).expect("choice");
            let details = if self.route == MultiVariant { choice } else { &view };
            for seen in [choice, details] {
                assert_eq!(seen["eligible"], expected.is_ok(), "{seen}");
                if let Err((reason, rating)) = expected {
                    assert_eq!(seen["ineligibleReason"], reason, "{seen}");
                    assert_eq!(seen["yourRating"], rating, "{seen}");
                }
            }
        }
    }

    async fn accept(&self, player: &Player, id: &str) -> (u16, Value) {
        let choice = if self.route == MultiVariant {
            json!({ "variant": TESTED_VARIANT })
        } else {
            json!({})
        };
        post(player, &format!("/api/challenge/{id}/accept"), choice).await
    }

    async fn request_casual(&self, guest: &Player, id: &str) -> (u16, Value) {
        post(guest, &format!("/api/challenge/{id}/casual"), json!({})).await
    }

    /// Asks for a casual game, unless the guest has asked before, and lets the creator grant it.
    async fn play_casual(&self, guest: &Player, id: &str) -> (u16, Value) {
        let (status, body) = self.request_casual(guest, id).await;
        if status != 200 && body["reason"] != "alreadyAsked" {
            return (status, body);
        }
        let path = format!("/api/challenge/{id}/casual/{}", guest.id);
        post(&self.creator, &path, json!({ "answer": "yes" })).await
    }

    /// Accepts by the request of this route.
    async fn accept_on_route(&self, player: &Player, offer: &OpenChallenge) -> (u16, Value) {
        if self.route == RematchYes {
            return post(
                player,
                &format!("/api/board/game/{}/rematch/yes", offer.previous_game),
                json!({}),
            )
            .await;
        }
        if self.route == CasualRequest && player.id == self.guest.id {
            return self.play_casual(player, &offer.id).await;
        }
        self.accept(player, &offer.id).await
    }

    async fn count_games(&self) -> usize {
        self.database.games_of(&self.players()).await
    }

    async fn expect_game(&self, player: &Player, offer: &OpenChallenge, context: &str) {
        let before = self.count_games().await;
        let (status, response) = self.accept_on_route(player, offer).await;
        assert_eq!((status, &response["ok"]), (200, &json!(true)), "{context}: {response}");
        assert_eq!(response["ready"], Value::Null, "{context}: no ready check is needed");
        let id = id_of(&response);
        assert_eq!(id == offer.id, self.route != Standing, "{context}: the id of the game");
        let (status, game) = player.get(&format!("/api/game/{id}")).await;
        assert_eq!(status, 200, "{context}: {game}");
        let mut seated = [&game["first"]["id"], &game["second"]["id"]].map(|id| id.as_str());
        let mut expected = [Some(&*player.id), Some(&*self.opponent().id)];
        seated.sort_unstable();
        expected.sort_unstable();
        assert_eq!(seated, expected, "{context}");
        assert_eq!(
            (&game["variant"]["key"], &game["rated"]),
            (&json!(TESTED_VARIANT), &json!(offer.rated && player.id != self.guest.id))
        );
        assert_eq!(self.count_games().await, before + 1, "{context}");
    }

    async fn expect_refusal(
        &self,
        case: AcceptCase,
        offer: &OpenChallenge,
        refusal: (u16, &str, i64),
    ) {
        let (status, reason, rating) = refusal;
        let (context, before) = (format!("{:?} × {case:?}", self.route), self.count_games().await);
        let acceptor = self.acceptor_for(case);
        let (code, body) = self.accept_on_route(acceptor, offer).await;
        assert_eq!((code, &body["reason"]), (status, &json!(reason)), "{context}: {body}");
        assert!(body["error"].as_str().is_some_and(|error| error.ends_with('.')), "{body}");
        if status == 403 {
            assert_eq!(body["rating"], rating, "{context}: {body}");
        }
        assert_eq!(
            self.count_games().await,
            before,
            "{context}: a refused acceptance makes no game"
        );
        if case != Taken {
            assert_eq!(acceptor.get(&format!("/api/game/{}", offer.id)).await.0, 404, "{context}");
        }
    }

    pub async fn check(&self, case: AcceptCase) {
        let context = format!("{:?} × {case:?}", self.route);
        println!("{context}");
        self.reset().await;
        let (offer, _held) = self.create_for_case(case).await;
        self.set_up_case(case, &offer).await;
        match case.expected() {
            Ok(()) => self.expect_game(self.acceptor_for(case), &offer, &context).await,
            Err(refusal) => {
                self.expect_refusal(case, &offer, refusal).await;
                if refusal.0 == 403 {
                    // The challenge must still be open to a player who fits.
                    let mut fits = &self.eligible;
                    if self.route.is_addressed() {
                        self.reset().await;
                        fits = self.addressee(case);
                    }
                    self.expect_game(fits, &offer, &format!("{context}, a player who fits")).await;
                }
            }
        }
        if self.route == Standing && !matches!(case, Expired | Canceled) {
            self.cancel(&offer).await;
        }
    }
}

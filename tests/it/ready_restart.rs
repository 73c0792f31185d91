//! Ready checks after the server process was killed: those in progress go on, and those that are
//! over do not return.

use crate::support::client::Player;
use crate::support::process::Process;
use serde_json::{Value, json};
use tempfile::TempDir;

/// Server with an absent creator and an acceptor.
struct Fixture {
    server: Process,
    ann: Player,
    bob: Player,
    _folder: TempDir,
}

impl Fixture {
    async fn new(settings: &[&str]) -> Fixture {
        let folder = TempDir::new().expect("folder");
        let server = Process::start(&folder.path().join("sprong.db"), settings).await;
        let ann = Player::register(server.addr, "Ann").await;
        let bob = Player::register(server.addr, "Bob").await;
        Fixture { server, ann, bob, _folder: folder }
    }

    /// Creates a challenge that Bob accepts in the absence of Ann. Returns its id.
    async fn begin_check(&mut self, path: &str, fields: Value, choice: Value) -> String {
        let (status, created) = self.ann.post(path, fields).await;
        assert!(status == 200 || status == 201, "{created}");
        let id = created["id"].as_str().expect("id").to_owned();
        let (status, accepted) =
            self.bob.post(&format!("/api/challenge/{id}/accept"), choice).await;
        assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
        id
    }

    async fn kill_and_restart(&mut self) {
        self.server.kill();
        self.server.restart().await;
    }

    /// Returns the checks that Ann's page shows once it has connected.
    async fn checks(&self) -> Vec<Value> {
        let hello = self.ann.socket("/ws/me").await.until("hello").await;
        hello["d"]["rings"].as_array().expect("checks").clone()
    }

    async fn answer(player: &mut Player, id: &str, value: &str) -> (u16, Value) {
        player.post(&format!("/api/challenge/{id}/ready"), json!({ "answer": value })).await
    }
}

fn terms() -> Value {
    json!({ "variants": "hogga,knightFight", "clocks": "300+3,180+0", "rated": true })
}

#[tokio::test]
async fn ready_check_goes_on_after_a_kill() {
    let mut fixture = Fixture::new(&["--ready-timeout-ms", "600000"]).await;
    let mut eve = Player::register(fixture.server.addr, "Eve").await;
    let choice = json!({ "variant": "knightFight", "clock": "180+0" });
    let accepted = |fixture: &Fixture, id: &str| {
        let (mut bob, accept) = (fixture.bob.clone(), format!("/api/challenge/{id}/accept"));
        let choice = choice.clone();
        async move { bob.post(&accept, choice).await }
    };
    for path in ["/api/challenge", "/api/challenge/bob"] {
        let id = fixture.begin_check(path, terms(), choice.clone()).await;
        let ready_by = accepted(&fixture, &id).await.1["readyBy"].clone();
        fixture.kill_and_restart().await;
        fixture.kill_and_restart().await;
        let checks = fixture.checks().await;
        assert_eq!(checks.len(), 1, "{checks:?}");
        let check = &checks[0];
        assert_eq!(
            (&check["challenge"]["id"], &check["by"]["id"], &check["variant"]["key"]),
            (&json!(id), &json!("bob"), &json!("knightFight")),
            "{check}"
        );
        assert_eq!(check["readyBy"], ready_by, "the deadline is the same");
        // The reservation holds against others, and the acceptor keeps it.
        if path == "/api/challenge" {
            let (status, refused) = eve.accept(&id).await;
            assert_eq!((status, &refused["reason"]), (409, &json!("taken")), "{refused}");
        }
        let (status, again) = accepted(&fixture, &id).await;
        assert_eq!((status, &again["readyBy"]), (200, &ready_by), "{again}");
        let answer = Fixture::answer(&mut fixture.ann, &id, "yes").await;
        assert_eq!(answer, (200, json!({ "ok": true, "id": id })), "{path}");
        let (_, game) = fixture.ann.get(&format!("/api/game/{id}")).await;
        assert_eq!(game["variant"]["key"], "knightFight", "{game}");
        assert_eq!(game["timeControl"]["show"], "3+0", "{game}");
        fixture.kill_and_restart().await;
        assert!(fixture.checks().await.is_empty(), "the check is over");
        fixture.bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    }
}

#[tokio::test]
async fn ended_ready_check_does_not_return_after_a_kill() {
    let mut fixture = Fixture::new(&["--ready-timeout-ms", "600000"]).await;
    for end in ["declined", "withdrawn", "replaced", "canceled"] {
        let id = fixture.begin_check("/api/challenge", terms(), json!({})).await;
        let mut remaining = Vec::new();
        match end {
            "declined" => {
                assert_eq!(Fixture::answer(&mut fixture.ann, &id, "no").await.0, 200);
            }
            "withdrawn" => {
                assert_eq!(Fixture::answer(&mut fixture.bob, &id, "no").await.0, 200);
            }
            // An acceptor has one check at a time.
            "replaced" => {
                remaining.push(fixture.begin_check("/api/challenge", terms(), json!({})).await);
            }
            _ => {
                let cancel = format!("/api/challenge/{id}/cancel");
                assert_eq!(fixture.ann.post(&cancel, json!({})).await.0, 200);
            }
        }
        fixture.kill_and_restart().await;
        let checks = fixture.checks().await;
        let ids: Vec<&Value> = checks.iter().map(|check| &check["challenge"]["id"]).collect();
        assert_eq!(ids, remaining.iter().collect::<Vec<_>>(), "{end}");
        let (status, refused) = Fixture::answer(&mut fixture.ann, &id, "yes").await;
        assert_eq!((status, &refused["reason"]), (409, &json!("notReady")), "{end}: {refused}");
        for other in remaining {
            assert_eq!(Fixture::answer(&mut fixture.bob, &other, "no").await.0, 200);
        }
    }
}

#[tokio::test]
async fn unanswered_ready_check_ends_after_a_kill() {
    let mut fixture = Fixture::new(&["--ready-timeout-ms", "12000"]).await;
    let id = fixture.begin_check("/api/challenge", terms(), json!({})).await;
    fixture.kill_and_restart().await;
    let mut page = fixture.ann.socket("/ws/me").await;
    let hello = page.until("hello").await;
    assert_eq!(hello["d"]["rings"][0]["challenge"]["id"], id.as_str(), "{hello}");
    let end = page.until("ringGone").await;
    assert_eq!(end["d"], json!({ "id": id, "reason": "late" }));
    fixture.kill_and_restart().await;
    assert!(fixture.checks().await.is_empty());
    let (status, accepted) = fixture.bob.accept(&id).await;
    assert_eq!((status, &accepted["ready"]), (200, &json!(false)), "{accepted}");
}

/// Of two acceptances by one account at the same time, one check remains, also after a kill.
#[tokio::test]
async fn acceptor_has_one_check_after_simultaneous_acceptances() {
    let mut fixture =
        Fixture::new(&["--ready-check-limit", "1000", "--ready-timeout-ms", "600000"]).await;
    for _ in 0..5 {
        let mut ids = Vec::new();
        for _ in 0..2 {
            let (_, created) = fixture.ann.post("/api/challenge", terms()).await;
            ids.push(created["id"].as_str().expect("id").to_owned());
        }
        let [mut one, mut two] = [fixture.bob.clone(), fixture.bob.clone()];
        let answers = tokio::join!(one.accept(&ids[0]), two.accept(&ids[1]));
        for (status, body) in [&answers.0, &answers.1] {
            assert!(*status == 200 || *status == 409, "{body}");
        }
        let before = fixture.checks().await;
        assert_eq!(before.len(), 1, "{before:?}");
        fixture.kill_and_restart().await;
        let after = fixture.checks().await;
        let challenge = |checks: &[Value]| checks[0]["challenge"]["id"].clone();
        assert_eq!((after.len(), challenge(&after)), (1, challenge(&before)));
        for id in &ids {
            fixture.ann.post(&format!("/api/challenge/{id}/cancel"), json!({})).await;
        }
    }
}

/// Of an answer and a withdrawal at the same time, one takes effect and the other is refused.
#[tokio::test]
async fn answer_and_withdrawal_exclude_each_other() {
    let settings = ["--ready-check-limit", "1000", "--rated-games-per-pair", "1000"];
    let mut fixture = Fixture::new(&settings).await;
    let mut begun = 0;
    for _ in 0..20 {
        let id = fixture.begin_check("/api/challenge", terms(), json!({})).await;
        let (mut ann, mut bob) = (fixture.ann.clone(), fixture.bob.clone());
        let (yes, no) = tokio::join!(
            Fixture::answer(&mut ann, &id, "yes"),
            Fixture::answer(&mut bob, &id, "no")
        );
        let has_game = ann.get(&format!("/api/game/{id}")).await.0 == 200;
        assert_eq!((yes.0 == 200, no.0 == 200), (has_game, !has_game), "{yes:?} {no:?}");
        let refused = if has_game { no } else { yes };
        assert_eq!((refused.0, &refused.1["reason"]), (409, &json!("notReady")), "{refused:?}");
        begun += usize::from(has_game);
        bob.post(&format!("/api/board/game/{id}/resign"), json!({})).await;
    }
    println!("{begun} of 20 games began");
}

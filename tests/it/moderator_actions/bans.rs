//! Addresses and devices that moderators ban: they open no session by any route.

use super::{act, moderator, path};
use crate::erasure::archive;
use crate::support::client::{Player, Server, refused};
use crate::support::store_fixtures::make_moderator;
use serde_json::{Value, json};

const PASSWORD: &str = "correct-horse";
pub(super) const HOME: &str = "192.0.2.7";
const ELSEWHERE: &str = "192.0.2.8";
pub(super) const DEVICE: &str = "0123456789abcdef0123456789abcdef";

async fn start_server() -> Server {
    Server::start_with(&["--trusted-proxy", "127.0.0.1", "--account-login-limit", "100"]).await
}

/// Returns a client at an address, with the cookie of a device if one is given.
pub(super) fn browser(server: &Server, address: &str, device: Option<&str>) -> Player {
    let mut headers = reqwest::header::HeaderMap::new();
    headers.insert("x-forwarded-for", address.parse().expect("address"));
    if let Some(device) = device {
        headers.insert("cookie", format!("sprong-device={device}").parse().expect("cookie"));
    }
    let http = reqwest::Client::builder().default_headers(headers).build().expect("client");
    Player { http, ..Player::anonymous(server.addr) }
}

pub(super) async fn sign_up(mut player: Player, name: &str) -> Player {
    let form = json!({ "username": name, "password": PASSWORD });
    let (status, body) = player.post("/api/register", form).await;
    assert_eq!(status, 201, "{body}");
    player.id = name.to_ascii_lowercase();
    player
}

fn reset_token(server: &Server, name: &str) -> String {
    let (is_done, text) = server.admin(&["reset-link", name]);
    assert!(is_done, "{text}");
    text.trim().split_once('#').expect("a token").1.to_owned()
}

/// Credentials for every route that opens a session.
struct Credentials {
    link: String,
    word: String,
    reset: String,
    guest: Player,
}

impl Credentials {
    async fn create(server: &Server, ann: &mut Player) -> Credentials {
        let mut guest = browser(server, ELSEWHERE, None);
        assert_eq!(guest.post("/api/guest", json!({})).await.0, 201);
        let url = guest.post("/api/account/link", json!({})).await.1["url"].clone();
        let url = url.as_str().expect("url").to_owned();
        let (_, words) = ann.post("/api/account/recovery", json!({ "password": PASSWORD })).await;
        Credentials {
            link: url.rsplit('#').next().expect("a token").to_owned(),
            word: words["words"][0].as_str().expect("word").to_owned(),
            reset: reset_token(server, "ann"),
            guest,
        }
    }

    /// Tries every route that opens a session, in an order in which all can succeed.
    async fn try_all(&self, browser: &Player, name: &str) -> Vec<(u16, Value)> {
        let sign_up = json!({ "username": name, "password": PASSWORD });
        let mut answers = Vec::new();
        for (path, form) in [
            ("/api/guest", json!({})),
            ("/api/register", sign_up),
            ("/api/login", json!({ "username": "ann", "password": PASSWORD })),
            ("/api/come", json!({ "token": self.link })),
            ("/api/recover", json!({ "username": "ann", "word": self.word, "password": PASSWORD })),
        ] {
            answers.push(refused(browser.clone().post(path, form).await));
        }
        answers
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn banned_address_opens_no_session_by_any_route() {
    let server = start_server().await;
    let mut mo = moderator(&server).await;
    let mut ann = sign_up(browser(&server, HOME, None), "Ann").await;
    let credentials = Credentials::create(&server, &mut ann).await;
    let form = json!({ "address": HOME, "days": 3 });
    act(&mut mo, "ann", "ban", form).await;
    let home = browser(&server, HOME, None);
    let banned = (403, json!("banned"));
    for answer in credentials.try_all(&home, "Bob").await {
        assert_eq!(answer, banned);
    }
    let reset = json!({ "token": credentials.reset, "password": PASSWORD });
    let (status, body) = home.clone().post("/api/reset", reset.clone()).await;
    assert_eq!((status, &body["reason"]), (403, &json!("banned")));
    assert!(body["until"].is_i64(), "{body}");
    assert!(body["error"].as_str().expect("text").contains("A moderator has banned"), "{body}");
    // A guest who signs up needs a new session.
    let mut guest = Player { http: home.http.clone(), ..credentials.guest.clone() };
    let form = json!({ "username": "Gus", "password": PASSWORD });
    assert_eq!(refused(guest.post("/api/register", form).await), banned);
    assert_eq!(guest.get("/api/account").await.1["guest"], true, "open sessions go on");
    // Reads are not blocked, nor are open sessions.
    assert_eq!(ann.get("/api/account").await.1["username"], "Ann");
    assert_eq!(home.get("/api/user/ann").await.0, 200);
    // Refusals have used up nothing: everything works elsewhere.
    let elsewhere = browser(&server, ELSEWHERE, None);
    for (status, reason) in credentials.try_all(&elsewhere, "Bob").await {
        assert!((200..300).contains(&status), "{status} {reason}");
    }
    let reset = json!({ "token": reset_token(&server, "ann"), "password": PASSWORD });
    assert_eq!(elsewhere.clone().post("/api/reset", reset).await.0, 200);
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn banned_device_is_refused_at_any_address_until_lifted() {
    let server = start_server().await;
    let mut mo = moderator(&server).await;
    let ann = sign_up(browser(&server, HOME, Some(DEVICE)), "Ann").await;
    sign_up(browser(&server, ELSEWHERE, Some(DEVICE)), "Bob").await;
    sign_up(browser(&server, HOME, None), "Cat").await;
    let user = mo.get("/api/admin/user/ann").await.1;
    let names = |origin: &Value| -> Vec<String> {
        let accounts = origin["accounts"].as_array().expect("accounts").iter();
        accounts.map(|account| account["name"].as_str().expect("name").to_owned()).collect()
    };
    assert_eq!(user["addresses"][0]["id"], HOME);
    assert_eq!(names(&user["addresses"][0]), ["Cat"]);
    assert_eq!(names(&user["devices"][0]), ["Bob"]);
    let form = json!({ "device": user["devices"][0]["id"] });
    let mut short = form.clone();
    short["days"] = json!(2);
    let user = act(&mut mo, "ann", "ban", short.clone()).await;
    let until = user["devices"][0]["ban"]["until"].as_i64().expect("until");
    short["reason"] = json!("because");
    short["days"] = json!(1);
    let shorter = refused(mo.post(&path("ann", "ban"), short).await);
    assert_eq!(shorter, (409, json!("alreadyBanned")));
    let user = act(&mut mo, "ann", "ban", form).await;
    let ban = &user["devices"][0]["ban"];
    assert!(until > 0 && ban.get("until").is_none());
    assert_eq!(
        json!([ban["number"], ban["moderator"], ban["reason"]]),
        json!([1, "Mo", "because"])
    );
    let log_in = json!({ "username": "ann", "password": PASSWORD });
    let on_device = browser(&server, ELSEWHERE, Some(DEVICE));
    let (status, body) = on_device.clone().post("/api/login", log_in.clone()).await;
    assert_eq!((status, &body["reason"]), (403, &json!("banned")));
    assert_eq!(body.get("until"), None, "{body}");
    let other = browser(&server, HOME, Some(&DEVICE.replace('0', "f")));
    assert_eq!(other.clone().post("/api/login", log_in.clone()).await.0, 200);
    let bans = mo.get("/api/admin/bans").await.1;
    assert_eq!(bans.as_array().expect("bans").len(), 1, "one ban per device: {bans}");
    assert_eq!((&bans[0]["about"], bans[0].get("address")), (&json!("Ann"), None));
    let lift = format!("/api/admin/bans/{}/lift", bans[0]["number"]);
    assert_eq!(refused(mo.post(&lift, json!({})).await), (400, json!("badField")));
    assert_eq!(mo.post(&lift, json!({ "reason": "appeal" })).await, (200, json!([])));
    assert_eq!(mo.post(&lift, json!({ "reason": "appeal" })).await.0, 404);
    assert_eq!(on_device.clone().post("/api/login", log_in).await.0, 200);
    let log = mo.get("/api/admin/log").await.1;
    let entries = log.as_array().expect("log").iter();
    let last: Vec<Value> =
        entries.take(2).map(|entry| json!([entry["action"], entry["ban"]])).collect();
    assert_eq!(last, [json!(["lift-ban", 1]), json!(["ban-device", 1])]);
    let actions = &archive(&ann).await["moderation"];
    assert_eq!(actions.len(), 3, "{actions:?}");
    assert!(actions.iter().any(|action| action["until"].is_i64()), "{actions:?}");
    let text = json!(actions).to_string();
    assert!(!text.contains("because") && !text.contains("Mo"), "{text}");
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn address_or_device_of_a_moderator_is_not_banned() {
    let server = start_server().await;
    let mut mo = moderator(&server).await;
    sign_up(browser(&server, HOME, Some(DEVICE)), "Ann").await;
    sign_up(browser(&server, HOME, Some(DEVICE)), "Max").await;
    make_moderator(server.rooms.store(), "max").await;
    let user = mo.get("/api/admin/user/ann").await.1;
    for (form, refusal) in [
        (json!({ "address": HOME }), (403, json!("usedByModerator"))),
        (json!({ "device": user["devices"][0]["id"] }), (403, json!("usedByModerator"))),
        (json!({ "address": ELSEWHERE }), (404, Value::Null)),
        (json!({ "device": "none" }), (404, Value::Null)),
        (json!({}), (400, json!("badField"))),
        (json!({ "address": HOME, "device": "none" }), (400, json!("badField"))),
        (json!({ "address": HOME, "days": 0 }), (400, json!("badField"))),
    ] {
        let mut form = form.clone();
        form["reason"] = json!("because");
        assert_eq!(refused(mo.post(&path("ann", "ban"), form.clone()).await), refusal, "{form}");
    }
    // Protected accounts show no addresses.
    let max = mo.get("/api/admin/user/max").await.1;
    assert_eq!((&max["addresses"], &max["devices"]), (&json!([]), &json!([])));
    // The subcommand can, but the moderator can log in from there.
    let (done, text) = server.admin(&["ban-address", HOME]);
    assert!(!done && text.contains("a moderator uses it"), "{text}");
    assert!(server.admin(&["ban-address", HOME, "--force"]).0);
    for (name, status) in [("max", 200), ("ann", 403)] {
        let log_in = json!({ "username": name, "password": PASSWORD });
        let answer = browser(&server, HOME, None).post("/api/login", log_in).await;
        assert_eq!(answer.0, status, "{name}");
    }
    let mut ann = sign_up(browser(&server, ELSEWHERE, None), "Bob").await;
    let form = json!({ "address": HOME, "reason": "because" });
    assert_eq!(refused(ann.post(&path("ann", "ban"), form).await), (403, json!("notAdmin")));
    assert_eq!(refused(ann.get("/api/admin/bans").await), (403, json!("notAdmin")));
    server.stop().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn subcommand_bans_and_lifts() {
    let server = start_server().await;
    sign_up(browser(&server, HOME, Some(DEVICE)), "Ann").await;
    sign_up(browser(&server, HOME, Some(DEVICE)), "Bob").await;
    let admin = |arguments: &[&str]| server.admin(arguments);
    let (_, text) = admin(&["show", "ann"]);
    assert!(text.contains(&format!("address {HOME}\tshared with Bob")), "{text}");
    let device = text.lines().find_map(|line| line.strip_prefix("device ")).expect("a device");
    let (device, shared) = device.split_once('\t').expect("a column");
    assert_eq!(shared, "shared with Bob");
    let banned = (true, format!("{HOME}: banned; 1 other accounts Bob\n"));
    assert_eq!(admin(&["ban-address", "--of", "ann"]), banned);
    let network = "2001:db8:1:2::";
    let (done, text) = admin(&["ban-address", "2001:db8:1:2:3:4:5:6", "--days", "2"]);
    assert!(done && text.starts_with(&format!("{network}: banned; 0 other accounts")), "{text}");
    let banned = (true, format!("device {device}: banned; 1 other accounts Bob\n"));
    let reason = ["--reason", "spam", "--by", "op"];
    let ban = ["ban-device", "--of", "Ann", "--device", &device[..4]];
    assert_eq!(admin(&[&reason[..], &ban].concat()), banned);
    let (done, text) = admin(&["ban-device", "--of", "Ann", "--device", "x"]);
    assert!(!done && text.contains("no such stored device"), "{text}");
    // Every device begins with an empty text.
    assert!(!admin(&["ban-device", "--of", "Ann", "--device", ""]).0);
    for address in ["127.0.0.1", "0.0.0.0", "10.1.2.3", "::1", "fd00::1"] {
        let (done, text) = admin(&["ban-address", address]);
        assert!(!done && text.contains("not a public address"), "{text}");
    }
    for address in [HOME, "2001:db8:1:2:9::1"] {
        let mut guest = browser(&server, address, None);
        assert_eq!(refused(guest.post("/api/guest", json!({})).await), (403, json!("banned")));
    }
    let (_, text) = admin(&["bans"]);
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("3\t") && lines[0].contains("\tof Ann\tfor good\tby op\tspam"));
    assert!(lines[0].contains(&format!("\tdevice {device}\t")), "{text}");
    assert!(lines[1].contains(&format!("\t{network}\tuntil ")), "{text}");
    assert!(lines[2].contains(&format!("\t{HOME}\tof Ann\tfor good")), "{text}");
    assert!(admin(&["lift-ban", "1"]).0);
    let (done, text) = admin(&["lift-ban", "1"]);
    assert!(!done && text.contains("there is no ban 1"), "{text}");
    assert_eq!(browser(&server, HOME, None).post("/api/guest", json!({})).await.0, 201);
    for wrong in
        [&["ban-address"][..], &["ban-address", "ann"], &["ban-address", HOME, "--of", "x"]]
    {
        assert!(!admin(wrong).0, "{wrong:?}");
    }
    // The log has no addresses.
    let (_, log) = admin(&["log"]);
    assert!(log.contains("ban-address 1\t") && !log.contains(HOME), "{log}");
    assert!(log.contains("lift-ban 1\t"), "{log}");
    server.stop().await;
}

#[tokio::test]
async fn device_is_recorded_again_with_the_network() {
    let server = start_server().await;
    let ann = sign_up(browser(&server, HOME, None), "Ann").await;
    let now_ms = sprong::rooms::now_ms();
    let used_ms = now_ms - 15 * 86_400_000;
    server.database().await.run(&format!("UPDATE session SET seen_ms = {used_ms}")).await;
    let removed = server.rooms.remove_old_rows(now_ms).await.expect("removal");
    assert_eq!(removed.networks, 1);
    let mut back = browser(&server, ELSEWHERE, Some(DEVICE));
    back.cookie = ann.cookie.clone().map(|cookie| format!("{cookie}; sprong-device={DEVICE}"));
    assert_eq!(back.get("/api/account").await.1["username"], "Ann");
    let (_, text) = server.admin(&["show", "ann"]);
    assert!(text.contains(&format!("address {ELSEWHERE}")) && text.contains("device "), "{text}");
    server.stop().await;
}

/// The rows of bans stay some hours longer than the bans last.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn bans_for_a_time_end_before_their_removal() {
    let server = start_server().await;
    sign_up(browser(&server, HOME, Some(DEVICE)), "Ann").await;
    assert!(server.admin(&["ban-address", "--of", "ann", "--days", "1"]).0);
    assert!(server.admin(&["ban-device", "--of", "ann", "--days", "1"]).0);
    let log_in = async |address: &str, device: Option<&str>| {
        let form = json!({ "username": "ann", "password": PASSWORD });
        refused(browser(&server, address, device).post("/api/login", form).await)
    };
    let banned = (403, json!("banned"));
    assert_eq!(log_in(HOME, None).await, banned);
    assert_eq!(log_in(ELSEWHERE, Some(DEVICE)).await, banned);
    for (of, on_device) in [("network", 403), ("device", 200)] {
        let sql = format!("UPDATE ban SET until_ms = 1 WHERE {of} IS NOT NULL");
        server.database().await.run(&sql).await;
        assert_eq!(log_in(HOME, None).await.0, 200, "{of}");
        assert_eq!(log_in(ELSEWHERE, Some(DEVICE)).await.0, on_device, "{of}");
    }
    assert_eq!(server.database().await.count("SELECT count(*) FROM ban").await, 2);
    assert_eq!(server.admin(&["bans"]), (true, String::new()));
    server.stop().await;
}

#[tokio::test]
async fn ended_bans_and_old_devices_are_removed() {
    let server = start_server().await;
    let ann = sign_up(browser(&server, HOME, Some(DEVICE)), "Ann").await;
    assert!(server.admin(&["ban-address", "--of", "ann", "--days", "1"]).0);
    assert!(server.admin(&["ban-device", "--of", "ann"]).0);
    let now_ms = sprong::rooms::now_ms();
    let removed = server.rooms.remove_old_rows(now_ms).await.expect("removal");
    assert_eq!((removed.bans, removed.networks), (0, 0));
    let sessions = ann.get("/api/account/sessions").await.1;
    assert_eq!(sessions["sessions"][0]["device"].as_str().expect("hash").len(), 64);
    let later_ms = now_ms + 15 * 86_400_000;
    let removed = server.rooms.remove_old_rows(later_ms).await.expect("removal");
    assert_eq!((removed.bans, removed.networks), (1, 1));
    let sessions = server.database().await;
    assert_eq!(sessions.count("SELECT count(*) FROM session WHERE device IS NOT NULL").await, 0);
    assert_eq!(sessions.count("SELECT count(*) FROM ban").await, 1);
    server.stop().await;
}

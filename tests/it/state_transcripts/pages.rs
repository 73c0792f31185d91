//! Lobby, page of a challenge, and page of games in progress: challenges that are created,
//! canceled, declined and accepted, a viewer outside a rating range, ready checks, games that
//! start and end, and reconnections.
//!
//! Messages of different topics, as of the lobby and of an account, arrive in any order, so that a
//! recorder waits for all messages of a step before the next one. Responses to requests of a page
//! are recorded among the messages.

use super::Transcript;
use crate::support::client::{Player, Server, wait_until};
use crate::support::socket::Socket;
use serde_json::{Value, json};

/// Terms of a challenge with a ready check, for which Eve's rating is too low.
fn terms() -> Value {
    json!({
        "variant": "caterpillarWar", "color": "first", "rated": true, "clock.limit": 300,
        "clock.increment": 3, "ratingRange": "1400-1600",
    })
}

/// Type of a message, and the id of its challenge or game; empty if it has none.
type Wanted<'a> = (&'a str, &'a str);

/// Sockets of a page, with all messages that they have received.
struct PageRecorder {
    player: Player,
    path: &'static str,
    socket: Socket,
    /// Socket of followed games in the lobby.
    live: Option<Socket>,
    messages: Vec<Value>,
}

/// Appends messages to `messages` until all wanted ones have arrived.
async fn receive_all(socket: &mut Socket, messages: &mut Vec<Value>, wanted: &[Wanted<'_>]) {
    let mut missing = wanted.to_vec();
    while !missing.is_empty() {
        let message = socket.next().await.expect("open");
        let id = message["d"]["id"].as_str().unwrap_or_default();
        missing.retain(|(t, wanted_id)| message["t"] != *t || id != *wanted_id);
        // Presence is collected for a second, so that it may arrive in this step or in none.
        if message["t"] != "presence" {
            messages.push(message);
        }
    }
}

impl PageRecorder {
    async fn open(player: &Player, path: &'static str) -> PageRecorder {
        let socket = player.socket(path).await;
        PageRecorder { player: player.clone(), path, socket, live: None, messages: Vec::new() }
    }

    /// Opens the lobby.
    async fn lobby(player: &Player) -> PageRecorder {
        let mut recorder = PageRecorder::open(player, "/ws/lobby").await;
        recorder.request("account", "/api/account").await;
        recorder.receive(&[("full", ""), ("hello", "")]).await;
        recorder
    }

    /// Opens the page of a challenge, which requests the challenge again after each connection.
    async fn challenge(player: &Player, id: &str) -> PageRecorder {
        let mut recorder = PageRecorder::open(player, "/ws/lobby").await;
        let path = format!("/api/challenge/{id}/show");
        recorder.request("show", &path).await;
        recorder.receive(&[("full", ""), ("hello", "")]).await;
        recorder.request("show", &path).await;
        recorder
    }

    /// Records the response to a request.
    fn respond(&mut self, request: &str, d: Value) {
        self.messages.push(json!({ "request": request, "d": d }));
    }

    /// Sends a request and records its response.
    async fn request(&mut self, request: &str, path: &str) {
        let (status, body) = self.player.get(path).await;
        assert_eq!(status, 200, "{path}: {body}");
        self.respond(request, body);
    }

    /// Records the list of games in progress, once it has this number of games.
    async fn request_list(&mut self, games: u64) {
        let path = "/api/games/live?max=16";
        wait_until("expected the games in the list", async || {
            self.player.get(path).await.1["total"] == games
        })
        .await;
        self.request("list", path).await;
    }

    async fn receive(&mut self, wanted: &[Wanted<'_>]) {
        receive_all(&mut self.socket, &mut self.messages, wanted).await;
    }

    /// Records messages until the lobby reports a game after a number of plies.
    async fn receive_ply(&mut self, id: &str, ply: u64) {
        loop {
            self.receive(&[("game", id)]).await;
            if self.messages.last().is_some_and(|message| message["d"]["ply"] == ply) {
                return;
            }
        }
    }

    /// Follows games beside the lobby, and records their state.
    async fn follow(&mut self, ids: &[&str], wanted: &[Wanted<'_>]) {
        let mut socket = match self.live.take() {
            Some(socket) => socket,
            None => self.player.socket("/ws/live").await,
        };
        socket.command("watch", json!({ "ids": ids })).await;
        receive_all(&mut socket, &mut self.messages, &[wanted, &[("ack", "")]].concat()).await;
        self.live = Some(socket);
    }

    async fn receive_live(&mut self, wanted: &[Wanted<'_>]) {
        let socket = self.live.as_mut().expect("followed games");
        receive_all(socket, &mut self.messages, wanted).await;
    }

    /// Connects again.
    async fn reconnect(&mut self) {
        self.socket = self.player.socket(self.path).await;
    }

    /// Returns the recorded messages.
    ///
    /// The page of a challenge ignores `turns`, which may arrive after the game of the challenge.
    fn finish(mut self, page: &str, name: &str) -> Transcript {
        if page == "challenge" {
            self.messages.retain(|message| message["t"] != "turns");
        }
        let head = vec![("page", page.to_owned()), ("viewer", self.player.id)];
        Transcript { file: format!("{page}/{name}"), head, messages: self.messages }
    }
}

/// Sends a request about a challenge, and returns the response.
async fn post(player: &mut Player, id: &str, action: &str, body: Value) -> Value {
    let (status, body) = player.post(&format!("/api/challenge/{id}/{action}"), body).await;
    assert_eq!(status, 200, "{action}: {body}");
    body
}

/// Creates a challenge for a player, or one with two free seats, and returns its id.
async fn create(player: &mut Player, path: &str, fields: Value) -> String {
    let (status, body) = player.post(path, fields).await;
    assert!(status == 200 || status == 201, "{path}: {body}");
    body["id"].as_str().expect("id").to_owned()
}

/// Lobby in which Bob and Eve record.
struct RecordedLobby {
    ann: Player,
    bob: Player,
    cas: Player,
    acceptor: PageRecorder,
    spectator: PageRecorder,
}

impl RecordedLobby {
    async fn receive(&mut self, wanted: &[Wanted<'_>]) {
        self.acceptor.receive(wanted).await;
        self.spectator.receive(wanted).await;
    }

    async fn challenges(&mut self) {
        let daily = self.cas.challenge(json!({ "variant": "knightFight", "days": 3 })).await;
        self.receive(&[("challenge", &daily)]).await;
        let fields = json!({ "variants": "hogga,knightFight", "clocks": "300+3,3d" });
        let several = self.cas.challenge(fields).await;
        self.receive(&[("challenge", &several)]).await;
        let hogga = json!({ "variant": "hogga" });
        let direct = create(&mut self.cas, "/api/challenge/bob", hogga.clone()).await;
        self.acceptor.receive(&[("challenge", &direct)]).await;
        let sent = create(&mut self.bob, "/api/challenge/cas", hogga).await;
        self.acceptor.receive(&[("challenge", &sent)]).await;
        post(&mut self.cas, &several, "cancel", json!({})).await;
        self.receive(&[("challengeGone", &several)]).await;
        let reason = json!({ "reason": "later" });
        post(&mut self.bob, &direct, "decline", reason.clone()).await;
        self.acceptor.receive(&[("challengeGone", &direct)]).await;
        post(&mut self.cas, &sent, "decline", reason).await;
        self.acceptor.receive(&[("challengeGone", &sent)]).await;
    }

    /// Lets Bob accept in Ann's absence.
    async fn accept(&mut self, id: &str) {
        let body = post(&mut self.bob, id, "accept", json!({})).await;
        assert_eq!(body["ready"], false, "{body}");
        self.acceptor.respond("accept", body);
        self.receive(&[("challenge", id)]).await;
    }

    async fn receive_end_of_check(&mut self, id: &str) {
        self.acceptor.receive(&[("ringGone", id), ("challenge", id)]).await;
        self.spectator.receive(&[("challenge", id)]).await;
    }

    /// Ready checks that Ann declines, Bob cancels, and Ann confirms.
    async fn ready_checks(&mut self, id: &str) {
        self.accept(id).await;
        post(&mut self.ann, id, "ready", json!({ "answer": "no" })).await;
        self.receive_end_of_check(id).await;
        self.accept(id).await;
        post(&mut self.bob, id, "ready", json!({ "answer": "no" })).await;
        self.acceptor.respond("ready", json!({ "id": id, "answer": "no" }));
        self.receive_end_of_check(id).await;
        self.accept(id).await;
        post(&mut self.ann, id, "ready", json!({ "answer": "yes" })).await;
        let ends = [("start", id), ("challengeGone", id), ("ringGone", id), ("game", id)];
        self.acceptor.receive(&ends).await;
        self.spectator.receive(&[("challengeGone", id), ("game", id)]).await;
    }

    /// Plays a rated game that Bob resigns, while another one goes on.
    async fn games(&mut self, id: &str) {
        self.spectator.follow(&[id], &[("live", id)]).await;
        for ply in 0..4 {
            let mover = if ply % 2 == 0 { &mut self.ann } else { &mut self.bob };
            mover.play_first_legal(id).await;
            self.spectator.receive_live(&[("live", id)]).await;
        }
        let fields = json!({ "days": 3, "rated": false });
        let other = self.ann.start_game(&mut self.cas, "hogga", fields).await;
        self.receive(&[("challenge", &other), ("challengeGone", &other), ("game", &other)]).await;
        self.spectator.follow(&[id, &other], &[("live", &other)]).await;
        self.ann.play_first_legal(&other).await;
        self.spectator.receive_live(&[("live", &other)]).await;
        self.acceptor.receive_ply(&other, 1).await;
        self.spectator.receive_ply(&other, 1).await;
        let path = format!("/api/board/game/{id}/resign");
        let (status, body) = self.bob.post(&path, json!({})).await;
        assert_eq!(status, 200, "{body}");
        // New ratings change who may accept which challenge: Bob receives the whole lobby again.
        self.acceptor.receive(&[("gameGone", id), ("full", "")]).await;
        self.spectator.receive(&[("gameGone", id)]).await;
        self.spectator.receive_live(&[("liveGone", id)]).await;
    }

    /// A correspondence game that begins with Bob's challenge.
    async fn own_challenge(&mut self) {
        let fields = json!({ "variant": "wieNietWegIs", "days": 2, "color": "first" });
        let own = self.bob.challenge(fields).await;
        self.receive(&[("challenge", &own)]).await;
        let (status, body) = self.cas.accept(&own).await;
        assert_eq!(status, 200, "{body}");
        let ends = [("start", &*own), ("challengeGone", &own), ("game", &own), ("turns", "")];
        self.acceptor.receive(&ends).await;
        self.spectator.receive(&[("challengeGone", &own), ("game", &own)]).await;
    }

    async fn reconnects(&mut self) {
        // The last of the lobby's messages before the connections end.
        let last = self.cas.challenge(json!({ "variant": "kopfOderKnopf", "days": 1 })).await;
        self.receive(&[("challenge", &last)]).await;
        for recorder in [&mut self.acceptor, &mut self.spectator] {
            recorder.reconnect().await;
            recorder.receive(&[("full", ""), ("hello", "")]).await;
        }
    }
}

/// Records the lobby of an acceptor and of a player whose rating is too low.
pub async fn record_lobby(server: &Server) -> [Transcript; 2] {
    let (mut ann, bob) = (server.player("Ann").await, server.player("Bob").await);
    let (cas, eve) = (server.player("Cas").await, server.player("Eve").await);
    server.database().await.set_rating(&eve, "caterpillarWar", 1300, 60.0).await;
    let id = ann.challenge(terms()).await;
    let acceptor = PageRecorder::lobby(&bob).await;
    let spectator = PageRecorder::lobby(&eve).await;
    let mut lobby = RecordedLobby { ann, bob, cas, acceptor, spectator };
    lobby.challenges().await;
    lobby.ready_checks(&id).await;
    lobby.games(&id).await;
    lobby.own_challenge().await;
    lobby.reconnects().await;
    [lobby.acceptor.finish("lobby", "acceptor"), lobby.spectator.finish("lobby", "spectator")]
}

/// Records both pages of a challenge whose creator is absent at first.
async fn record_ready_checks(ann: &mut Player, bob: &mut Player) -> [Transcript; 2] {
    let id = ann.challenge(terms()).await;
    let mut acceptor = PageRecorder::challenge(bob, &id).await;
    for is_declined in [true, false] {
        let body = post(bob, &id, "accept", json!({})).await;
        acceptor.respond("accept", body);
        acceptor.receive(&[("challenge", &id)]).await;
        let player = if is_declined { &mut *ann } else { &mut *bob };
        post(player, &id, "ready", json!({ "answer": "no" })).await;
        if !is_declined {
            acceptor.respond("ready", json!({ "id": id, "answer": "no" }));
        }
        acceptor.receive(&[("ringGone", &id), ("challenge", &id)]).await;
    }
    let body = post(bob, &id, "accept", json!({})).await;
    acceptor.respond("accept", body);
    acceptor.receive(&[("challenge", &id)]).await;
    let mut creator = PageRecorder::challenge(ann, &id).await;
    let answer = json!({ "answer": "yes" });
    let body = post(ann, &id, "ready", answer).await;
    creator.respond("ready", json!({ "id": body["id"], "answer": "yes" }));
    let ends = [("start", &*id), ("challengeGone", &id), ("ringGone", &id), ("game", &id)];
    acceptor.receive(&ends).await;
    creator.receive(&ends).await;
    let transcripts =
        [acceptor.finish("challenge", "acceptor"), creator.finish("challenge", "creator")];
    // Later recorders must not receive the end of this game.
    let (status, body) = bob.post(&format!("/api/board/game/{id}/abort"), json!({})).await;
    assert_eq!(status, 200, "{body}");
    transcripts
}

/// Records the pages of a creator whose challenges are canceled and declined.
async fn record_ends(ann: &mut Player, bob: &mut Player) -> [Transcript; 3] {
    let id = ann.challenge(json!({ "variant": "hogga" })).await;
    let mut creator = PageRecorder::challenge(ann, &id).await;
    let mut visitor = PageRecorder::challenge(bob, &id).await;
    // A challenge of another player.
    let other = bob.challenge(json!({ "variant": "knightFight", "days": 3 })).await;
    for recorder in [&mut creator, &mut visitor] {
        recorder.receive(&[("challenge", &other)]).await;
    }
    post(ann, &id, "cancel", json!({})).await;
    creator.respond("cancel", json!({ "id": id }));
    for recorder in [&mut creator, &mut visitor] {
        recorder.receive(&[("challengeGone", &id)]).await;
    }
    let direct = create(ann, "/api/challenge/bob", json!({ "variant": "hogga" })).await;
    let mut declined = PageRecorder::challenge(ann, &direct).await;
    declined.reconnect().await;
    declined.receive(&[("full", ""), ("hello", "")]).await;
    declined.request("show", &format!("/api/challenge/{direct}/show")).await;
    post(bob, &direct, "decline", json!({ "reason": "tooFast" })).await;
    declined.receive(&[("challengeGone", &direct)]).await;
    [
        creator.finish("challenge", "canceled"),
        visitor.finish("challenge", "canceled-visitor"),
        declined.finish("challenge", "declined"),
    ]
}

/// Records the page of a player who takes one of two seats.
async fn record_seats(ann: &mut Player, bob: &mut Player, cas: &mut Player) -> Transcript {
    let id = create(ann, "/api/challenge/open", json!({ "variant": "hogga" })).await;
    let mut seated = PageRecorder::challenge(bob, &id).await;
    let body = post(bob, &id, "accept", json!({ "color": "first" })).await;
    assert_eq!(body["waiting"], true, "{body}");
    seated.respond("accept", body);
    seated.request("show", &format!("/api/challenge/{id}/show")).await;
    seated.receive(&[("challenge", &id)]).await;
    post(cas, &id, "accept", json!({ "color": "second" })).await;
    seated.receive(&[("start", &id), ("challengeGone", &id), ("game", &id)]).await;
    seated.finish("challenge", "seat")
}

/// Records pages of challenges.
pub async fn record_challenges(server: &Server) -> Vec<Transcript> {
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let mut cas = server.player("Cas").await;
    let mut transcripts = Vec::new();
    transcripts.extend(record_ready_checks(&mut ann, &mut bob).await);
    transcripts.extend(record_ends(&mut ann, &mut bob).await);
    transcripts.push(record_seats(&mut ann, &mut bob, &mut cas).await);
    transcripts
}

/// Records the page of games in progress: moves, games that end and begin, and a reconnection.
pub async fn record_watch(server: &Server) -> Transcript {
    let (mut ann, mut bob) = (server.player("Ann").await, server.player("Bob").await);
    let clock = json!({ "clock.limit": 300, "rated": false });
    let clocked = ann.start_game(&mut bob, "caterpillarWar", clock).await;
    let slow = ann.start_game(&mut bob, "hogga", json!({ "days": 3 })).await;
    let aborted = ann.start_game(&mut bob, "knightFight", json!({ "days": 3 })).await;
    let mut recorder = PageRecorder::open(&Player::anonymous(server.addr), "/ws/live").await;
    recorder.request_list(3).await;
    let all = [("live", &*clocked), ("live", &slow), ("live", &aborted), ("ack", "")];
    let ids = json!({ "ids": [clocked, slow, aborted] });
    recorder.socket.command("watch", ids).await;
    recorder.receive(&all).await;
    for (ply, id) in [(0, &clocked), (0, &slow), (1, &clocked), (1, &slow), (2, &clocked)] {
        let mover = if ply % 2 == 0 { &mut ann } else { &mut bob };
        mover.play_first_legal(id).await;
        recorder.receive(&[("live", id)]).await;
    }
    for (id, command) in [(&aborted, "abort"), (&clocked, "resign")] {
        let (status, body) = bob.post(&format!("/api/board/game/{id}/{command}"), json!({})).await;
        assert_eq!(status, 200, "{body}");
        recorder.receive(&[("liveGone", id)]).await;
    }
    let new = ann.start_game(&mut bob, "wieNietWegIs", json!({ "days": 3 })).await;
    recorder.request_list(2).await;
    recorder.socket.command("watch", json!({ "ids": [slow, new] })).await;
    recorder.receive(&[("live", &new), ("ack", "")]).await;
    ann.play_first_legal(&new).await;
    recorder.receive(&[("live", &new)]).await;
    recorder.reconnect().await;
    recorder.socket.command("watch", json!({ "ids": [slow, new] })).await;
    recorder.receive(&[("live", &slow), ("live", &new), ("ack", "")]).await;
    recorder.finish("watch", "spectator")
}

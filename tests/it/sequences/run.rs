//! Steps of a sequence: each is chosen at random, sent over HTTP, and compared with the model.

use super::model::{NEW, Person, VARIANTS, World};
use crate::support::client::{NdjsonStream, Player, Server};
use crate::support::database::Database;
use serde_json::{Value, json};
use sprong::rules::SplitMix;
use std::sync::Arc;

pub(super) const SCOPES: &str = "board:play,bot:play,challenge:read,challenge:write";

/// Accounts of a worker; it also has a bot, at this index, and a guest.
pub(super) const ACCOUNTS: usize = 4;

/// Numbers of compared responses, by kind.
#[derive(Default, Debug)]
pub struct Counts {
    pub(super) games: [usize; 7],
    pub(super) refused: [usize; 7],
    pub(super) checks: usize,
    pub(super) seats_lost: usize,
    pub(super) seeks_matched: usize,
    pub(super) not_offered: usize,
    /// Rematch offers with a widened range, asks for one, and refused asks.
    pub(super) widened: usize,
    pub(super) asked: usize,
    pub(super) asks_refused: usize,
    pub(super) casual_games: usize,
    pub(super) casual_refused: usize,
}

impl Counts {
    pub fn add(&mut self, other: Counts) {
        for (sum, one) in self.games.iter_mut().zip(other.games) {
            *sum += one;
        }
        for (sum, one) in self.refused.iter_mut().zip(other.refused) {
            *sum += one;
        }
        self.checks += other.checks;
        self.seats_lost += other.seats_lost;
        self.seeks_matched += other.seeks_matched;
        self.not_offered += other.not_offered;
        self.widened += other.widened;
        self.asked += other.asked;
        self.asks_refused += other.asks_refused;
        self.casual_games += other.casual_games;
        self.casual_refused += other.casual_refused;
    }

    /// Returns whether each outcome has occurred.
    pub fn has_all_outcomes(&self) -> bool {
        let rest = [
            self.checks,
            self.seats_lost,
            self.seeks_matched,
            self.not_offered,
            self.widened,
            self.asked,
            self.asks_refused,
            self.casual_games,
            self.casual_refused,
        ];
        self.games.iter().chain(&self.refused).chain(&rest).all(|count| *count > 0)
    }
}

/// Players of one worker, and the current sequence.
pub struct Run {
    pub(super) server: Arc<Server>,
    pub(super) database: Database,
    pub(super) worker: u64,
    pub(super) paces: [String; 3],
    pub(super) players: Vec<Player>,
    pub(super) programs: Vec<Option<Player>>,
    pub(super) streams: Vec<Option<NdjsonStream>>,
    /// Open seeks, by the index of their offer.
    pub(super) seeks: Vec<(usize, NdjsonStream)>,
    pub(super) world: World,
    pub(super) random: SplitMix,
    pub(super) log: Vec<String>,
    pub counts: Counts,
}

impl Run {
    pub async fn new(server: Arc<Server>, worker: u64) -> Run {
        // Seeks of different workers must not match.
        let paces =
            ["3d".to_owned(), format!("{}+3", 300 + 60 * worker), format!("{}+2", 60 + worker)];
        let database = server.database().await;
        let mut run = Run {
            server,
            database,
            worker,
            paces,
            players: Vec::new(),
            programs: Vec::new(),
            streams: Vec::new(),
            seeks: Vec::new(),
            world: World::default(),
            random: SplitMix::new(0),
            log: Vec::new(),
            counts: Counts::default(),
        };
        for _ in 0..ACCOUNTS {
            run.add_account().await;
        }
        let bot = run.add_account().await;
        let program = run.programs[bot].clone().expect("a token");
        assert_eq!(post(&program, "/api/bot/account/upgrade", json!({})).await.0, 200);
        run.world.persons[bot].is_bot = true;
        run.add_guest().await;
        run
    }

    fn add(&mut self, player: Player, program: Option<Player>) -> usize {
        let is_guest = program.is_none();
        self.players.push(player);
        self.programs.push(program);
        self.streams.push(None);
        let ratings = [NEW; VARIANTS.len()];
        self.world.persons.push(Person {
            is_guest,
            is_bot: false,
            audience: "accounts",
            casual_only: false,
            is_closed: false,
            ratings,
            blocked: Vec::new(),
        });
        self.players.len() - 1
    }

    pub(super) async fn add_account(&mut self) -> usize {
        let name = format!("Seq{}x{}", self.worker, self.players.len());
        let player = self.server.player(&name).await;
        let program = player.api_client(SCOPES).await;
        self.add(player, Some(program))
    }

    pub(super) async fn add_guest(&mut self) -> usize {
        let guest = self.server.guest().await;
        self.add(guest, None)
    }

    pub(super) fn below(&mut self, limit: usize) -> usize {
        self.random.below(limit)
    }

    pub(super) fn is_one_in(&mut self, number: usize) -> bool {
        self.below(number) == 0
    }

    /// Returns a random player with an open account.
    pub(super) fn random_person(&mut self) -> usize {
        let open: Vec<usize> =
            (0..self.players.len()).filter(|at| !self.world.persons[*at].is_closed).collect();
        open[self.below(open.len())]
    }

    pub(super) fn random_subset(&mut self, all: usize, from: usize) -> Vec<usize> {
        let mut some: Vec<usize> = (from..all).filter(|_| self.random.below(2) == 0).collect();
        if some.is_empty() {
            some.push(from + self.random.below(all - from));
        }
        some
    }

    pub(super) fn log_step(&mut self, step: String) {
        self.log.push(step);
    }

    /// Runs one sequence, and then ends its challenges and games, so that sequences are
    /// independent.
    pub async fn sequence(&mut self, seed: u64, steps: usize) {
        self.random = SplitMix::new(seed);
        self.log = vec![format!("SPRONG_SEED={seed}, worker {}", self.worker)];
        for person in 0..self.players.len() {
            if !self.world.persons[person].is_closed && !self.world.persons[person].is_guest {
                self.change_ratings(person).await;
            }
        }
        for _ in 0..steps {
            self.step().await;
        }
        self.close_all().await;
    }

    async fn step(&mut self) {
        match self.below(214) {
            0..32 => self.create().await,
            32..42 => self.search().await,
            42..56 => self.seek().await,
            56..96 => self.accept().await,
            96..112 => self.answer_check().await,
            112..142 => self.rematch().await,
            142..156 => self.finish().await,
            156..170 => {
                let person = self.involved();
                if !self.world.persons[person].is_guest && !self.world.persons[person].is_closed {
                    self.change_ratings(person).await;
                }
            }
            170..174 => self.toggle_block().await,
            174..178 => self.cancel_or_decline().await,
            178..188 => self.toggle_stream().await,
            188..198 => self.compare_lists().await,
            198..208 => self.ask_casual().await,
            208 => self.sign_up().await,
            209..213 => self.change_settings().await,
            _ => self.close().await,
        }
    }

    /// Returns a player whose rating matters: one in a seat, in a ready check or in a finished
    /// game.
    fn involved(&mut self) -> usize {
        let seated = self.world.offers.iter().filter_map(|offer| Some(offer.seated?.0));
        let checked = self.world.offers.iter().filter_map(|offer| offer.check);
        let checked = checked.flat_map(|check| [check.waiting_player, check.acceptor]);
        let over = self.world.games.iter().filter(|game| game.is_over);
        let over = over.flat_map(|game| game.players);
        let all: Vec<usize> = seated.chain(checked).chain(over).collect();
        if all.is_empty() { self.random_person() } else { all[self.below(all.len())] }
    }

    /// Sends a command of a player, with a token or a session.
    pub(super) async fn send_command(
        &mut self,
        person: usize,
        path: &str,
        body: Value,
    ) -> (u16, Value) {
        let program = self.programs[person].clone();
        // A bot has no session: the fifth account of a worker.
        let by_program = program.is_some() && (person == ACCOUNTS || self.is_one_in(4));
        let player = match program {
            Some(program) if by_program => program,
            _ => self.players[person].clone(),
        };
        let response = post(&player, path, body.clone()).await;
        self.log_step(format!("{person} {path} {body} → {} {}", response.0, response.1));
        response
    }

    pub(super) async fn finish(&mut self) {
        let games = self.world.games.iter().enumerate().filter(|(_, game)| !game.is_over);
        let games: Vec<usize> = games.map(|(at, _)| at).collect();
        if games.is_empty() {
            return self.accept().await;
        }
        let at = games[self.below(games.len())];
        self.resign(at).await;
    }

    pub(super) async fn resign(&mut self, at: usize) {
        let game = self.world.games[at].clone();
        let path = format!("/api/board/game/{}/resign", game.id);
        let player = self.below(2);
        let (status, _) = self.send_command(game.players[player], &path, json!({})).await;
        assert_eq!(status, 200, "{}", self.log_text());
        self.world.games[at].is_over = true;
    }

    async fn close_all(&mut self) {
        for at in 0..self.world.offers.len() {
            let offer = self.world.offers[at].clone();
            if offer.is_open {
                let path = format!("/api/challenge/{}/cancel", offer.id);
                assert_eq!(
                    self.send_command(offer.creator, &path, json!({})).await.0,
                    200,
                    "{}",
                    self.log_text()
                );
                self.close_offer(at);
            }
        }
        for at in 0..self.world.games.len() {
            if !self.world.games[at].is_over {
                self.resign(at).await;
            }
        }
        for one in 0..self.players.len() {
            for two in std::mem::take(&mut self.world.persons[one].blocked) {
                let path = format!("/api/rel/unblock/{}", self.players[two].id);
                post(&self.players[one], &path, json!({})).await;
            }
        }
        self.world.offers.clear();
        self.world.games.clear();
    }

    pub(super) fn log_text(&self) -> String {
        self.log.join("\n")
    }
}

pub(super) async fn post(player: &Player, path: &str, body: Value) -> (u16, Value) {
    player.clone().post(path, body).await
}

pub(super) fn text(value: &Value) -> String {
    value.as_str().unwrap_or_else(|| panic!("a text, not {value}")).to_owned()
}

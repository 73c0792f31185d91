//! Size of the frames of moves in both forms (`frames=short` or not), and what compression would
//! gain and cost: `permessage-deflate` with one stream for each connection, which has the earlier
//! frames in its window, and without a window, so that connections could share compressed frames.
//!
//! Two guests, one of whom has a connection of each form, play games of every variant with random
//! moves. `GAMES` (10) sets their number, `PLIES` (60) the length at which a game is abandoned.

#[path = "../tests/it/hostile_clients/client.rs"]
#[expect(dead_code, reason = "used by the latency_under_load bench")]
mod client;
#[expect(dead_code, reason = "used by other benches")]
mod common;

use client::Client;
use common::{AnyResult, env_number, start_server};
use flate2::{Compress, Compression, FlushCompress};
use futures_util::{SinkExt, StreamExt};
use serde_json::{Value, json};
use sprong::rules::SplitMix;
use sprong::variants::ALL;
use std::net::Ipv4Addr;
use std::time::{Duration, Instant};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::{Message, Utf8Bytes};
use uuid::Uuid;

/// Bytes at the end of a synchronized block, which `permessage-deflate` leaves out.
const BLOCK_END_BYTES: usize = 4;

/// Frames of the moves of one game.
type Frames = Vec<Utf8Bytes>;

/// Reads up to the next position, and returns its frame; `None` at the end of the game.
async fn next_position(
    socket: &mut WebSocketStream<TcpStream>,
) -> AnyResult<Option<(Utf8Bytes, Value)>> {
    while let Some(message) = socket.next().await {
        let Message::Text(text) = message? else { continue };
        let message: Value = serde_json::from_str(&text)?;
        match message["t"].as_str() {
            Some("full" | "move" | "shortMove") => return Ok(Some((text, message))),
            Some("end") => return Ok(None),
            _ => {}
        }
    }
    Err("connection closed".into())
}

/// Plays a game of two guests with random moves, and returns the frames of the moves that one of
/// them gets, in both forms.
async fn play(
    guests: &[Client; 2],
    variant: &str,
    random: &mut SplitMix,
) -> AnyResult<[Frames; 2]> {
    let fields = json!({ "variant": variant, "color": "first" });
    let challenge = guests[0].post("/api/challenge", &fields).await?;
    let id = challenge["id"].as_str().ok_or_else(|| challenge.to_string())?;
    let accepted = guests[1].post(&format!("/api/challenge/{id}/accept"), &json!({})).await?;
    if accepted["ready"] == false {
        let path = format!("/api/challenge/{id}/ready");
        guests[0].post(&path, &json!({ "answer": "yes" })).await?;
    }
    let path = format!("/ws/game/{id}");
    let mut players = [guests[0].socket(&path).await?, guests[1].socket(&path).await?];
    let mut short = guests[0].socket(&format!("{path}?frames=short")).await?;
    let mut frames = [Frames::new(), Frames::new()];
    let plies = env_number("PLIES", 60) as usize;
    while frames[0].len() < plies {
        let [first, second] = &mut players;
        let (Some((text, message)), Some((_, other)), Some((short_text, _))) = (
            next_position(first).await?,
            next_position(second).await?,
            next_position(&mut short).await?,
        ) else {
            break;
        };
        if message["t"] != "full" {
            frames[0].push(text);
            frames[1].push(short_text);
        }
        let legal_moves = [&message, &other].map(|message| message["d"]["legal"].as_array());
        let movable = legal_moves.into_iter().enumerate();
        let Some((mover, legal)) = movable
            .filter_map(|(side, legal)| Some((side, legal?)))
            .find(|(_, legal)| !legal.is_empty())
        else {
            break;
        };
        let u = &legal[random.below(legal.len())];
        let d = json!({ "u": u, "ply": frames[0].len(), "cid": Uuid::now_v7() });
        players[mover].send(Message::text(json!({ "t": "move", "d": d }).to_string())).await?;
    }
    Ok(frames)
}

/// Returns the bytes of the compressed frames, and the time that it took.
fn compressed(games: &[Frames], has_window: bool) -> AnyResult<(usize, Duration)> {
    let (mut bytes, mut took) = (0, Duration::ZERO);
    for frames in games {
        let mut stream = Compress::new(Compression::fast(), false);
        for frame in frames {
            let mut out = Vec::with_capacity(frame.len() + 64);
            let started = Instant::now();
            if !has_window {
                stream.reset();
            }
            stream.compress_vec(frame.as_bytes(), &mut out, FlushCompress::Sync)?;
            took += started.elapsed();
            bytes += out.len() - BLOCK_END_BYTES;
        }
    }
    Ok((bytes, took))
}

#[tokio::main]
async fn main() -> AnyResult<()> {
    let (_server, addr, _folder) = start_server(&[]).await?;
    println!("| variant | form | plain | with a window | without | µs each |");
    println!("| --- | --- | --- | --- | --- | --- |");
    for variant in &ALL {
        let mut random = SplitMix::new(1);
        let mut forms: [Vec<Frames>; 2] = Default::default();
        for game in 0..env_number("GAMES", 10) {
            let address = Ipv4Addr::new(127, 0, 1, 1 + game as u8);
            let guests = [Client::new(addr, address).await?, Client::new(addr, address).await?];
            let frames = play(&guests, variant.info.key, &mut random).await?;
            forms.iter_mut().zip(frames).for_each(|(games, frames)| games.push(frames));
        }
        for (name, games) in ["full", "short"].into_iter().zip(&forms) {
            let count = games.iter().map(Vec::len).sum::<usize>();
            let plain = games.iter().flatten().map(|frame| frame.len()).sum::<usize>();
            let (window, window_time) = compressed(games, true)?;
            let (alone, alone_time) = compressed(games, false)?;
            let [plain, window, alone] = [plain, window, alone].map(|bytes| bytes / count);
            let micros = |time: Duration| time.as_secs_f64() * 1e6 / count as f64;
            println!(
                "| {} | {name} | {plain} | {window} | {alone} | {:.1}, {:.1} |",
                variant.info.key,
                micros(window_time),
                micros(alone_time)
            );
        }
    }
    Ok(())
}

//! The latency of two players' moves, in turns in the quiet and under a storm from other addresses:
//! slow and large heads, floods of messages, connections, challenges and looks, 10,000 broken frames,
//! and spectators that never read. Prints both and their ratio, which is to stay within 2.
//!
//! The storm comes from a process of its own that runs when nobody else does: what it costs to make one
//! is not what is measured, as it would come from other machines. `SECONDS` (5) of each turn is read from
//! the environment.

#[expect(dead_code, reason = "used by the abuse and bots benches")]
mod common;
#[path = "../tests/it/storm/mod.rs"]
mod storm;

use common::{Stranger, compare, serve, setting};
use std::net::{Ipv4Addr, SocketAddr};
use std::time::{Duration, Instant};
use storm::client::{Anything, Client, play};
use storm::floods::Storm;

/// So many frames that are none are in all storms together.
const BROKEN: u64 = 10_000;

/// How often quiet and storm take turns: a disk that is slow for a while is slow for both.
const ROUNDS: usize = 10;

/// How long the server is given to forget a storm.
const CALMING: Duration = Duration::from_secs(2);

/// Two play until the time is over and there is enough; `begun` is told each game. How long each move
/// took.
async fn measure(
    two: &[Client; 2],
    lasts: Duration,
    mut begun: impl FnMut(&str) -> Anything<bool>,
) -> Anything<Vec<Duration>> {
    let (until, mut took, mut enough) = (Instant::now() + lasts, Vec::new(), true);
    while Instant::now() < until || !enough {
        let mut told = Ok(true);
        took.extend(play(two, |id| told = begun(id)).await?);
        enough = told?;
    }
    Ok(took)
}

/// Turns the storm in its own process to that game: how many broken frames there were, and all that was
/// done.
fn turn_to(stranger: &mut Stranger, id: &str) -> Anything<(u64, String)> {
    let answer = stranger.ask(id)?;
    let (broken, all) = answer.split_once(' ').ok_or("the storm tells too little")?;
    Ok((broken.parse()?, all.to_owned()))
}

/// The other process: a storm until nobody tells it anything more.
async fn rage(server: SocketAddr, net: u8) -> Anything<()> {
    let mut storm = None;
    for line in std::io::stdin().lines() {
        let id = line?;
        let storm = match &mut storm {
            Some(storm) => storm,
            none => none.insert(Storm::begin(server, net, &id).await?),
        };
        storm.turn_to(&id);
        println!("{} {storm}", if storm.is_whole() { storm.broken_frames() } else { 0 });
    }
    Ok(())
}

#[tokio::main]
async fn main() -> Anything<()> {
    if let Ok(server) = std::env::var("STORM_AT") {
        return rage(server.parse()?, std::env::var("STORM_NET")?.parse()?).await;
    }
    let lasts = Duration::from_secs(setting("SECONDS", 5));
    // The limits are those that the server has by itself, but for how fast the two may play.
    let (_server, addr, _folder) = serve(&["--play-messages", "100000"]).await?;
    let two = [
        Client::new(addr, Ipv4Addr::LOCALHOST).await?,
        Client::new(addr, Ipv4Addr::LOCALHOST).await?,
    ];
    let (mut quiet, mut storm) = (Vec::new(), Vec::new());
    for round in 0..ROUNDS {
        quiet.extend(measure(&two, lasts, |_| Ok(true)).await?);
        let net = (1 + round).to_string();
        let variables = [("STORM_AT", addr.to_string()), ("STORM_NET", net)];
        let (mut stranger, mut all) = (Stranger::begin(&variables)?, String::new());
        let enough = |id: &str| {
            let (broken, so_far) = turn_to(&mut stranger, id)?;
            all = so_far;
            Ok(broken >= BROKEN / ROUNDS as u64)
        };
        storm.extend(measure(&two, lasts, enough).await?);
        println!("{all}");
        drop(stranger);
        // Hundreds of connections are closed now, which is no quiet yet.
        tokio::time::sleep(CALMING).await;
    }
    compare(quiet, "storm", storm)
}

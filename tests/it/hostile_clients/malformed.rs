//! Malformed WebSocket frames.

use sprong::rules::SplitMix;
use std::net::SocketAddr;

/// Returns an upgrade request followed by malformed frames, or the frames alone, and the number of
/// frames.
pub fn malformed_frames(random: &mut SplitMix, host: SocketAddr, id: &str) -> (Vec<u8>, u64) {
    let paths = ["lobby".to_owned(), format!("game/{id}"), "game/zzzzzzzz".to_owned()];
    let mut bytes = format!(
        "GET /ws/{} HTTP/1.1\r\nHost: {host}\r\nOrigin: http://{host}\r\nConnection: Upgrade\r\n\
         Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
        paths[random.below(paths.len())]
    )
    .into_bytes();
    if random.below(8) == 0 {
        bytes.clear();
    }
    let frames = 1 + random.below(4);
    for _ in 0..frames {
        let text = br#"{"t":"move","d":{"u":"a1","ply":0,"cid":"not one"}}"#;
        let mut frame = vec![random.below(256) as u8, random.below(256) as u8];
        if random.below(2) == 0 {
            frame = vec![0x81, 0x80 | text.len() as u8, 0, 0, 0, 0];
            frame.extend(text);
            let at = random.below(frame.len());
            frame[at] = random.below(256) as u8;
        }
        frame.extend((0..random.below(40)).map(|_| random.below(256) as u8));
        bytes.extend(frame);
    }
    (bytes, frames as u64)
}

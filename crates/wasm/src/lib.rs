//! WebAssembly build of the rules core: answers the requests of `POST /api/position` in the client
//! while the server cannot be reached, from the same sources as the server.
//!
//! The client calls [`question`], writes the request to the returned buffer, calls [`ask`] and
//! reads the response at [`answer`].

use serde_json::{Value, json};
use sprong_core::play::query::Query;
use std::cell::RefCell;

thread_local! {
    /// Buffer of the request; after [`ask`], of the response.
    static BUFFER: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

// `no_mangle` is an unsafe attribute because the linker cannot check that an exported name is
// unique. The functions dereference no pointers. The client accesses the buffer only between calls.

/// Returns a zeroed buffer for a request of `length` bytes. Invalidates the previous buffer.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn question(length: usize) -> *mut u8 {
    BUFFER.with_borrow_mut(|text| {
        *text = vec![0; length];
        text.as_mut_ptr()
    })
}

/// Answers the request in the buffer, the JSON of a [`Query`]. Returns the length of the response
/// in bytes and invalidates the request buffer.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    BUFFER.with_borrow_mut(|text| {
        *text = respond(&String::from_utf8_lossy(text)).to_string().into_bytes();
        text.len()
    })
}

/// Returns the response: a JSON object with the HTTP `status` and the `body`.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    BUFFER.with_borrow(|text| text.as_ptr())
}

/// Returns the response to a request as JSON.
fn respond(request: &str) -> Value {
    match Query::parse(request).and_then(|query| query.answer()) {
        Ok(answer) => json!({ "status": 200, "body": answer }),
        Err(error) => json!({ "status": 400, "body": error }),
    }
}

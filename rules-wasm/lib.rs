//! The rules as WebAssembly: what `POST /api/position` answers, made of the same sources, for pages
//! that cannot reach the server.
//!
//! A page asks for [`question`], writes its question there, calls [`ask`] and reads the answer at
//! [`answer`].

#[path = "../src/rules/mod.rs"]
pub mod rules;

/// What a variant may tell of playing it well, and nobody who would ask for it.
pub mod search;

#[path = "../src/variants/mod.rs"]
pub mod variants;

/// Questions to the rules, and their answers, as JSON.
pub mod play;

use play::query::Query;
use serde_json::{Value, json};
use std::cell::RefCell;

thread_local! {
    /// The question, and once it has been asked, the answer.
    static TEXT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
}

// An exported name is the only one of its kind in the whole program, which nobody but the linker can
// see to: that is why the attribute is called unsafe. Nothing is dereferenced here; the page writes
// and reads between the calls, when nothing of this program runs.

/// Room for a question of so many bytes. What stood there before is gone.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn question(length: usize) -> *mut u8 {
    TEXT.with_borrow_mut(|text| {
        *text = vec![0; length];
        text.as_mut_ptr()
    })
}

/// Answers the question, which is the JSON of a [`Query`]; says of how many bytes the answer is.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn ask() -> usize {
    TEXT.with_borrow_mut(|text| {
        *text = answered(&String::from_utf8_lossy(text)).to_string().into_bytes();
        text.len()
    })
}

/// Where the answer stands: the JSON of an object with the `status` of the response and its `body`.
#[allow(unsafe_code)]
#[unsafe(no_mangle)]
pub extern "C" fn answer() -> *const u8 {
    TEXT.with_borrow(|text| text.as_ptr())
}

fn answered(question: &str) -> Value {
    match Query::read(question).and_then(|query| query.answer()) {
        Ok(answer) => json!({ "status": 200, "body": answer }),
        Err(wrong) => json!({ "status": 400, "body": wrong.told() }),
    }
}

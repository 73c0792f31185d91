//! The `sprong` binary. All of it is in the library, whose code units are compiled in parallel.

use std::process::ExitCode;

fn main() -> ExitCode {
    sprong::program::run()
}

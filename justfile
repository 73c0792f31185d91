# Lists the recipes.
default:
    @just --list

# Starts a development server.
run *args:
    cargo run -- {{ args }}

# The longest tests, which `ci` runs.
long_tests := "bots::whole_games kill:: laws:: proxy:: sequences::"

# Checks formatting and lints, and runs the Rust tests but for the longest.
check:
    cargo fmt --all --check
    cargo clippy --locked --workspace --all-targets -- -D warnings
    cargo test --locked --workspace --lib
    cargo test --locked --test it -- --test-threads=8 {{ prepend("--skip ", long_tests) }}

# Runs the browser tests against a debug build.
test-browser *files="tests/browser/*.test.mjs":
    cargo build --locked
    npm ci --no-audit --no-fund
    SPRONG_BINARY="${CARGO_TARGET_DIR:-target}/debug/sprong" node --test --test-concurrency=3 {{ files }}

# Runs every check, as CI does.
ci:
    tests/run

# Runs the long checks.
slow:
    tests/slow

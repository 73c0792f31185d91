# Lists the recipes.
default:
    @just --list

# Starts a development server.
run *args:
    cargo run -- {{ args }}

# Checks formatting and lints, and runs the Rust tests.
check:
    cargo fmt --all --check
    cargo clippy --locked --workspace --all-targets -- -D warnings
    cargo test --locked --workspace --lib
    cargo test --locked --test it

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

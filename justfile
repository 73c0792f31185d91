# Lists the recipes.
default:
    @just --list

# Starts a development server.
run *args:
    cargo run -- {{ args }}

# The longest tests, and those that need PostgreSQL, which `ci` runs.
ci_tests := "bots::whole_games kill:: laws:: postgres:: proxy:: sequences:: soak::"

# Checks formatting and lints, and runs the Rust tests but for those of `ci` and `slow` only.
check:
    cargo fmt --all --check
    cargo clippy --locked --workspace --all-targets -- -D warnings
    cargo test --locked --workspace --lib
    cargo test --locked --test it -- --test-threads=8 {{ prepend("--skip ", ci_tests) }}

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

//! Tests of the query plans of public queries, with the SQL text that the store executes.
//!
//! Every public query that may match many rows belongs in the list: a full scan or a sort would
//! take longer with every game played. Caller: `cargo test`.

use super::row::SqlRow;
use super::{
    Store, ban, challenge, email, follow, game_list, games_in_progress, home, origins, pair_state,
    profile, rating, reminder, session, stats, token,
};
use sqlx::AssertSqlSafe;
use tempfile::TempDir;

/// Steps that scan a bounded result: subqueries with a limit, and constants.
const BOUNDED: [&str; 4] = ["SCAN (subquery", "SCAN part", "SCAN CONSTANT ROW", "SCAN json_each"];

const ACCOUNT: &str = "USING PRIMARY KEY (key=?)";

/// State of a game.
const STATE: &str = "turn_state USING PRIMARY KEY (game_id=?)";

/// Action of a moderator, and the last one on a ban.
const DEED: &str = "deed USING INTEGER PRIMARY KEY (rowid=?)";
const LAST_DEED: &str = "newest USING COVERING INDEX deed_ban (ban=?)";

/// Returns the queries that may match many rows, with the index searches that they may use.
fn queries() -> Vec<(&'static str, Vec<&'static str>)> {
    let after = "created_ms>? AND (created_ms,key)<(?,?))";
    let before = "(created_ms,key)>(?,?) AND created_ms<?)";
    let between = "created_ms>? AND created_ms<?)";
    let (first, second) =
        ("COVERING INDEX game_first (first=? AND ", "COVERING INDEX game_second (second=? AND ");
    let pair = "COVERING INDEX game_pair (first=? AND second=? AND ";
    let concat = |parts: [&str; 2]| &*parts.concat().leak();
    let list = |range| vec![concat([first, range]), concat([second, range]), ACCOUNT];
    vec![
        (game_list::NEWEST, list(after)),
        (game_list::OLDEST, list(before)),
        (game_list::PAIR_NEWEST, vec![concat([pair, after]), ACCOUNT]),
        (game_list::PAIR_OLDEST, vec![concat([pair, before]), ACCOUNT]),
        (game_list::COUNT, vec![concat([first, between]), concat([second, between])]),
        (game_list::PAIR_COUNT, vec![concat([pair, between])]),
        (
            game_list::ENDED_COUNT,
            vec![
                "tally USING PRIMARY KEY (account=?",
                "voided_rating USING INDEX voided_rating_account (account=?",
            ],
        ),
        (
            game_list::IN_PROGRESS_COUNT,
            vec!["INDEX game_first_live (first=?", "INDEX game_second_live (second=?"],
        ),
        (
            games_in_progress::OF_ACCOUNT,
            vec![
                "INDEX game_first_live (first=?)",
                "INDEX game_second_live (second=?)",
                "game USING PRIMARY KEY (key=?)",
                STATE,
                ACCOUNT,
            ],
        ),
        (
            games_in_progress::GAMES_IN_PROGRESS,
            vec!["INDEX game_first_live (first=?)", "INDEX game_second_live (second=?)"],
        ),
        (
            games_in_progress::ANY_OF_ACCOUNT,
            vec!["INDEX game_first_live (first=?)", "INDEX game_second_live (second=?)"],
        ),
        (
            games_in_progress::ANY_OF_ACCOUNTS,
            vec![
                "INDEX game_first_live (first=?)",
                "INDEX game_second_live (second=?)",
                "player USING PRIMARY KEY (key=?)",
            ],
        ),
        (
            follow::LAST_OPPONENTS,
            vec!["INDEX game_first (first=?)", "INDEX game_second (second=?)", ACCOUNT],
        ),
        (
            games_in_progress::TO_MOVE_COUNTS,
            vec![
                "INDEX game_first_live (first=?)",
                "INDEX game_second_live (second=?)",
                STATE,
                "player USING PRIMARY KEY (key=?)",
                "other USING PRIMARY KEY (key=?)",
            ],
        ),
        (
            games_in_progress::AGAINST_ENGINE_COUNT,
            vec![
                "INDEX game_first_live (first=?)",
                "INDEX game_second_live (second=?)",
                "game USING PRIMARY KEY (key=?)",
                ACCOUNT,
            ],
        ),
        (email::BY_ADDRESS, vec!["INDEX email_address (address_key=?)", ACCOUNT]),
        (
            email::BY_NAME,
            vec![
                "account USING INDEX sqlite_autoindex_account_2 (id=?)",
                "email USING PRIMARY KEY",
            ],
        ),
        (email::DIGEST_CANDIDATES, vec!["INDEX email_digest (account>?)", ACCOUNT]),
        (games_in_progress::ANY, vec!["game USING COVERING INDEX game_first_live (first>?)"]),
        (
            games_in_progress::WITH_CLOCK,
            vec!["game USING INDEX game_with_clock (status=?)", ACCOUNT],
        ),
        (
            games_in_progress::AWAITING_ENGINE,
            vec![
                "COVERING INDEX turn_state_awaits_engine (awaits_engine=?)",
                "game USING PRIMARY KEY (key=?)",
                ACCOUNT,
            ],
        ),
        (games_in_progress::WITHOUT_STATE, vec!["game USING PRIMARY KEY (key=?)"]),
        (games_in_progress::CREATED_SINCE, vec!["game USING INDEX game_created (created_ms>?)"]),
        (
            games_in_progress::DUE,
            vec!["COVERING INDEX turn_state_due (due_ms<?)", "game USING PRIMARY KEY (key=?)"],
        ),
        (
            reminder::PUSH_CANDIDATES,
            reminder_steps(&[
                "push_subscription USING COVERING INDEX push_subscription_account (account=?)",
                "push_kinds USING PRIMARY KEY (account=?)",
            ]),
        ),
        (reminder::EMAIL_CANDIDATES, reminder_steps(&["email USING PRIMARY KEY (account=?)"])),
        (
            reminder::REMOVE_PAST,
            vec![
                "reminder USING PRIMARY KEY (game_id=? AND channel=?)",
                "reminder USING COVERING INDEX reminder_due (due_ms<?)",
            ],
        ),
        (
            games_in_progress::ABANDONABLE,
            vec![
                "turn_state USING INDEX turn_state_abandonable (last_ms<?)",
                "game USING PRIMARY KEY (key=?)",
                ACCOUNT,
            ],
        ),
        (
            games_in_progress::RATED_BOARDS,
            vec!["COVERING INDEX turn_state_board (board=?)", "game USING PRIMARY KEY (key=?)"],
        ),
        (
            rating::LEADERBOARD,
            vec![
                "rating USING INDEX rating_established (variant=?)",
                "account USING PRIMARY KEY (key=?)",
                "point USING PRIMARY KEY (account=? AND variant=?)",
            ],
        ),
        (rating::RATING_BEFORE, vec!["rating_point USING PRIMARY KEY (account=? AND variant=?)"]),
        (
            rating::EXPIRE_ESTABLISHED,
            vec![
                "rating USING PRIMARY KEY (account=? AND variant=?)",
                "COVERING INDEX rating_established_until (established_until_ms<?)",
            ],
        ),
        (
            rating::DATED_RATINGS.as_str(),
            vec!["rating_point USING PRIMARY KEY (account=? AND variant=?)"],
        ),
        (
            rating::HISTORY.as_str(),
            vec![
                "rating_point USING PRIMARY KEY (account=? AND variant=?)",
                "game USING PRIMARY KEY (key=?)",
            ],
        ),
        (
            home::BEATEN_LEVELS,
            vec![
                "account USING COVERING INDEX account_level (level>? AND level<?)",
                "pair USING INDEX pair_other (other=? AND account=?)",
            ],
        ),
        (pair_state::PAIR_STATE, vec![concat([pair, "created_ms>?)"]), ACCOUNT, "block USING"]),
        (
            challenge::OPEN_COUNTS,
            vec![
                "challenge USING INDEX challenge_maker (maker=? AND status=?)",
                "challenge USING INDEX challenge_network (network=?)",
                ACCOUNT,
            ],
        ),
        (
            challenge::LISTED_OF,
            vec!["challenge USING INDEX challenge_maker (maker=? AND status=?)"],
        ),
        (home::ENDED_AT_GOAL, vec!["game USING INDEX game_to_goal (rated=?)", ACCOUNT]),
        (home::STARTS, vec!["game USING COVERING INDEX game_created (created_ms>?)", ACCOUNT]),
        (
            session::VALID_CREDENTIAL,
            vec!["session USING PRIMARY KEY (hash=?)", "token USING PRIMARY KEY (hash=?)", ACCOUNT],
        ),
        (
            ban::MODERATORS[0],
            vec!["session USING COVERING INDEX session_of_network (network=?)", ACCOUNT],
        ),
        (
            ban::MODERATORS[1],
            vec!["session USING COVERING INDEX session_of_device (device=?)", ACCOUNT],
        ),
        (
            origins::SHARING[0],
            vec!["session USING COVERING INDEX session_of_network (network=?", ACCOUNT],
        ),
        (
            origins::SHARING[1],
            vec!["session USING COVERING INDEX session_of_device (device=?", ACCOUNT],
        ),
        (ban::BANS, vec!["ban USING INTEGER PRIMARY KEY (rowid>?)", DEED, LAST_DEED, ACCOUNT]),
        (ban::BAN_ON[0], vec!["ban USING INDEX ban_network (network=?)", DEED, LAST_DEED, ACCOUNT]),
        (ban::BAN_ON[1], vec!["ban USING INDEX ban_device (device=?)", DEED, LAST_DEED, ACCOUNT]),
        (
            ban::DELETE_ENDED,
            vec!["ban USING INTEGER PRIMARY KEY (rowid=?)", "ban USING COVERING INDEX ban_until"],
        ),
        (token::EXPIRED, vec!["COVERING INDEX token_expires (expires_ms<?)"]),
        (rating::RATINGS, vec!["rating USING PRIMARY KEY (account=?)"]),
        (stats::RESULT_COUNTS, vec!["tally USING PRIMARY KEY (account=?)"]),
        (stats::HEAD_TO_HEAD, vec!["pair USING INDEX pair_other (other=? AND account=?)"]),
        (profile::PROFILE, vec!["account USING INDEX sqlite_autoindex_account_2 (id=?)"]),
        (
            profile::ACCOUNTS_BY_PREFIX,
            vec!["account USING INDEX sqlite_autoindex_account_2 (id>? AND id<?)"],
        ),
    ]
}

/// Returns the index searches of the games whose players may get a reminder.
fn reminder_steps(of_channel: &[&'static str]) -> Vec<&'static str> {
    let common = [
        "turn_state USING INDEX turn_state_due ((due_ms,last_ms,game_id)>(?,?,?) AND due_ms<?)",
        "game USING PRIMARY KEY (key=?)",
        "player USING PRIMARY KEY (key=?)",
        "reminder_times USING PRIMARY KEY (account=?)",
        "reminder USING PRIMARY KEY (game_id=? AND channel=?)",
    ];
    [&common, of_channel].concat()
}

/// Returns the text of a step of a plan.
fn plan_step(row: &SqlRow) -> String {
    let (_, _, _, detail): (i64, i64, i64, String) = row.decode().expect("a plan");
    detail
}

/// The conditions of partial indices have to be repeated in both parts of an OR; else a query reads
/// the open challenges of all players.
#[tokio::test]
async fn open_challenges_are_found_by_their_players() {
    let folder = TempDir::new().expect("folder");
    let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
    for sql in [challenge::OPEN_OF, challenge::OPEN_IDS_OF, challenge::REMATCHES_OF] {
        let plan = store.readers.query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
        let plan = plan.rows().await.expect("plan");
        let lines: Vec<String> = plan.iter().map(plan_step).collect();
        for index in
            ["challenge_maker (maker=? AND status=?)", "challenge_dest (dest=? AND status=?)"]
        {
            assert!(lines.iter().any(|line| line.contains(index)), "{sql}\n{lines:?}");
        }
        let others = |line: &String| line.contains("challenge_expiry") || line == "SCAN challenge";
        assert!(!lines.iter().any(others), "{sql}\n{lines:?}");
    }
    store.close().await;
}

/// Each query searches the listed indices in result order: no full scan, no sort.
#[tokio::test]
async fn public_queries_read_indices_in_order() {
    let folder = TempDir::new().expect("folder");
    let store = Store::open(&folder.path().join("sprong.db")).await.expect("store");
    for (sql, searches_allowed) in queries() {
        let plan = store.readers.query(AssertSqlSafe(format!("EXPLAIN QUERY PLAN {sql}")));
        let plan = plan.rows().await.expect("plan");
        let lines: Vec<String> = plan.iter().map(plan_step).collect();
        let report = format!("{sql}\n{}", lines.join("\n"));
        let searches = lines.iter().filter(|line| line.starts_with("SEARCH")).count();
        assert!(searches > 0, "{report}");
        for line in lines {
            assert!(!line.contains("TEMP B-TREE"), "{report}");
            assert!(!line.contains("MULTI-INDEX"), "{report}");
            let is_named = searches_allowed.iter().any(|search| line.contains(search));
            assert!(!line.starts_with("SEARCH") || is_named, "{line}\nof {report}");
            let is_bounded = BOUNDED.iter().any(|bounded| line.starts_with(bounded));
            assert!(!line.starts_with("SCAN") || is_bounded, "{line}\nof {report}");
        }
        for search in searches_allowed {
            assert!(report.contains(search), "{search} is not used:\n{report}");
        }
    }
    store.close().await;
}

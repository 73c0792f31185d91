//! Scripted games: each line lists commands with their times, and the expected events and clocks.

use sprong::play::clock::{LAG_QUOTA_MAX_MS, Pace, TimeControl};
use sprong::play::command::{Command, OfferAction};
use sprong::play::event::{ChatRoom, Event, GameStatus, LoggedEvent, LoggedEvents};
use sprong::play::game::{Game, Setup};
use sprong::play::vacation::Vacation;
use sprong::rules::{Side, SplitMix};
use sprong::variants;

/// Returns the setup of these games: Caterpillar War, whose start is not random.
fn setup(time: Option<(i64, i64)>) -> Setup {
    let variant = variants::by_key("caterpillarWar").expect("variant");
    let clock = |(initial, increment)| TimeControl::new(initial, increment).expect("time");
    let pace = time.map_or(Pace::Unlimited, |time| Pace::Clock(clock(time)));
    Setup { variant, options: variant.options(), seed: 0, pace, created_ms: 0 }
}

/// Runs a script of steps between bars: `first h5-g5`, `second resigns`, `5s`, `back 3s` (a
/// downtime of the server). Returns the logged events, refusals in brackets, and the clocks at the
/// end. Checks that the log replays to the same state.
fn run_script(time: Option<(i64, i64)>, script: &str) -> String {
    let mut game = Game::new(setup(time));
    let (mut now_ms, mut log, mut descriptions) = (0, Vec::new(), Vec::new());
    let mut enter = |events: LoggedEvents, descriptions: &mut Vec<String>| {
        descriptions.extend(events.iter().map(|logged| describe(&logged.event)));
        log.extend(events);
    };
    for step in script.split('|').map(str::trim) {
        if let Some(seconds) = step.strip_prefix("back ") {
            let alive_ms = now_ms;
            now_ms += ms(seconds);
            enter(game.exclude_downtime(alive_ms, now_ms), &mut descriptions);
            continue;
        }
        if step.ends_with('s') && step.as_bytes()[0].is_ascii_digit() {
            now_ms += ms(step);
            enter(game.tick(now_ms), &mut descriptions);
            continue;
        }
        let (side, what) = step.split_once(' ').expect("side and command");
        let side: Side = side.parse().expect("side");
        let ply = game.line().ply();
        let done = match what {
            "resigns" => game.command(side, &Command::Resign, now_ms),
            "aborts" => game.command(side, &Command::Abort, now_ms),
            "wants draw" => {
                game.command(side, &Command::Draw { action: OfferAction::Yes, ply: None }, now_ms)
            }
            "offers" => {
                game.command(side, &Command::Draw { action: OfferAction::Offer, ply: None }, now_ms)
            }
            "agrees" => game.command(
                side,
                &Command::Draw { action: OfferAction::Accept, ply: None },
                now_ms,
            ),
            "declines" => {
                game.command(side, &Command::Draw { action: OfferAction::No, ply: None }, now_ms)
            }
            "wants back" => game.command(
                side,
                &Command::Takeback { action: OfferAction::Offer, ply: None },
                now_ms,
            ),
            "allows" => game.command(
                side,
                &Command::Takeback { action: OfferAction::Accept, ply: None },
                now_ms,
            ),
            "insists" => game.command(
                side,
                &Command::Takeback { action: OfferAction::No, ply: None },
                now_ms,
            ),
            "gives" => game.command(side, &Command::GiveTime { ms: 15_000 }, now_ms),
            "claims" => game.command(side, &Command::ClaimWin, now_ms),
            "claims draw" => game.command(side, &Command::ClaimDraw, now_ms),
            "speaks" => game.post_message(Some(side), ChatRoom::Player, "N", " hello ", now_ms),
            u => {
                let (u, ply) = match u.split_once('@') {
                    Some((u, seen)) => (u, seen.parse().expect("ply")),
                    None => (u, ply),
                };
                let (u, lag_ms) = match u.split_once('~') {
                    Some((u, lag)) => (u, lag.parse().expect("lag")),
                    None => (u, 0),
                };
                let command = Command::Move { u: u.into(), ply: Some(ply), lag_ms };
                game.command(side, &command, now_ms)
            }
        };
        match done {
            Ok(events) => enter(events, &mut descriptions),
            Err(refusal) => descriptions.push(format!("[{}]", refusal.code().as_str())),
        }
    }
    let mut again = Game::new(setup(time));
    log.iter().for_each(|logged| again.replay(logged).expect("a valid log"));
    assert_eq!(state(&again, now_ms), state(&game, now_ms), "{script}");
    descriptions.join(" ") + &state(&game, now_ms)
}

fn ms(text: &str) -> i64 {
    let seconds: f64 = text.trim_end_matches('s').parse().expect("seconds");
    (seconds * 1000.0) as i64
}

fn describe(event: &Event) -> String {
    match event {
        Event::Moved { u, lag_ms: 0 } => u.to_string(),
        Event::Moved { u, lag_ms } => format!("{u}~{lag_ms}"),
        Event::TakebackOffered => "back?".to_owned(),
        Event::TakebackDeclined => "insist".to_owned(),
        Event::TakenBack { ply } => format!("back:{ply}"),
        Event::TimeGiven { ms } => format!("given{ms}"),
        Event::DrawOffered => "offer".to_owned(),
        Event::DrawDeclined => "decline".to_owned(),
        Event::Said { text, .. } => format!("{text:?}"),
        Event::Resumed { lost_ms, .. } => format!("resumed{lost_ms}"),
        Event::Ended(end) => {
            let winner = end.winner.map_or(String::new(), |side| format!(":{side}"));
            let reason = end.reason.map_or(String::new(), |reason| format!(":{}", reason.as_str()));
            format!("{:?}{winner}{reason}", end.status)
        }
    }
}

fn state(game: &Game, now_ms: i64) -> String {
    let offer = game.draw_offer().map_or(String::new(), |side| format!(" offer:{side}"));
    let clock = game.clock().map_or(String::new(), |clock| {
        let left = Side::BOTH.map(|side| clock.remaining_ms(side, now_ms));
        let running = clock.running().map_or("-".to_owned(), |side| side.to_string());
        format!(" {}/{} {running}", left[0], left[1])
    });
    let back = game.takeback_offer().map_or(String::new(), |side| format!(" back?:{side}"));
    format!("{offer}{back}{clock}")
}

#[test]
fn scripts_without_clock_have_expected_outcomes() {
    for (script, outcome) in [
        ("first h5-g5 | second a4-b4 | first resigns", "h5-g5 a4-b4 Resign:second"),
        ("second a4-b4", "[notYourTurn]"),
        ("first a4-b4 | first nonsense", "[illegal] [illegal]"),
        ("first h5-g5@1 | first h5-g5@0 | first h5-g5@0", "[stale] h5-g5 [stale]"),
        ("second aborts | first h5-g5", "Aborted [over]"),
        ("first h5-g5 | second a4-b4 | first aborts", "h5-g5 a4-b4 [tooLate]"),
        ("first offers", "[tooSoon]"),
        ("second declines", "[noOffer]"),
        (
            "first h5-g5 | second a4-b4 | first offers | second agrees",
            "h5-g5 a4-b4 offer Draw:agreement",
        ),
        (
            "first h5-g5 | second a4-b4 | first offers | second declines | first offers",
            "h5-g5 a4-b4 offer decline [tooSoon]",
        ),
        (
            "first h5-g5 | second a4-b4 | first offers | first g5-f5 | second b4-c4 | second wants draw",
            "h5-g5 a4-b4 offer g5-f5 b4-c4 offer offer:second",
        ),
        (
            "first h5-g5 | second a4-b4 | second offers | second declines",
            "h5-g5 a4-b4 offer decline",
        ),
        ("first h5-g5 | second a4-b4 | first claims", "h5-g5 a4-b4 [noClock]"),
        ("first h5-g5 | second a4-b4 | first gives", "h5-g5 a4-b4 [noClock]"),
        ("first wants back", "[nothingToTakeBack]"),
        ("first h5-g5 | first wants back | second allows", "h5-g5 back? back:0"),
        (
            "first h5-g5 | second a4-b4 | first wants back | second allows | first h5-g5 | first aborts",
            "h5-g5 a4-b4 back? back:0 h5-g5 [tooLate]",
        ),
        (
            "first h5-g5 | second a4-b4 | first g5-f5 | first wants back | second insists | first wants back",
            "h5-g5 a4-b4 g5-f5 back? insist [tooSoon]",
        ),
        // An offer lapses with the next move; accepting a lapsed offer makes no new one.
        (
            "first h5-g5 | second a4-b4 | first wants back | first g5-f5 | second allows",
            "h5-g5 a4-b4 back? g5-f5 [noOffer]",
        ),
        (
            "first h5-g5 | second a4-b4 | second wants back | first g5-f5 | first allows",
            "h5-g5 a4-b4 back? g5-f5 [noOffer]",
        ),
        (
            "first h5-g5 | second a4-b4 | first offers | first declines | second agrees",
            "h5-g5 a4-b4 offer decline [noOffer]",
        ),
        // Both players offer at the same time: only `yes` is an agreement as well as an offer.
        (
            "first h5-g5 | second a4-b4 | first wants back | second wants back | second allows",
            "h5-g5 a4-b4 back? [offered] back:0",
        ),
        (
            "first h5-g5 | second a4-b4 | first offers | second offers | second wants draw",
            "h5-g5 a4-b4 offer [offered] Draw:agreement",
        ),
        (
            "first h5-g5 | second a4-b4 | first offers | second wants back | first allows | second agrees",
            "h5-g5 a4-b4 offer back? back:1 [noOffer]",
        ),
        ("first resigns | second speaks | second resigns", "Resign:second \"hello\" [over]"),
    ] {
        assert_eq!(run_script(None, script), outcome, "{script}");
    }
}

#[test]
fn scripts_with_clock_have_expected_outcomes() {
    let five = Some((300_000, 3_000));
    for (script, outcome) in [
        ("first h5-g5 | 10s", "h5-g5 300000/300000 -"),
        ("59s | first h5-g5 | 59s | second a4-b4", "h5-g5 a4-b4 300000/300000 first"),
        ("60s", "NoStart 300000/300000 -"),
        ("first h5-g5 | 61s | second a4-b4", "h5-g5 NoStart [over] 300000/300000 -"),
        (
            "first h5-g5 | second a4-b4 | 10s | first g5-f5 | 2s",
            "h5-g5 a4-b4 g5-f5 293000/298000 second",
        ),
        (
            "first h5-g5 | second a4-b4 | 300s | first g5-f5",
            "h5-g5 a4-b4 OutOfTime:second [over] 0/300000 -",
        ),
        (
            "first h5-g5 | second a4-b4 | 299.999s | first g5-f5 | 300s",
            "h5-g5 a4-b4 g5-f5 OutOfTime:first 3001/0 -",
        ),
        (
            "first h5-g5 | second a4-b4 | 10s | back 3600s | 5s | first g5-f5",
            "h5-g5 a4-b4 resumed3600000 g5-f5 288000/300000 second",
        ),
        // Lag compensation: at most half a second for each move, and never more than was spent.
        (
            "first h5-g5 | second a4-b4 | 10s | first g5-f5~400 | 2s | second b4-c4~900",
            "h5-g5 a4-b4 g5-f5~400 b4-c4~500 293400/301500 first",
        ),
        (
            "first h5-g5 | second a4-b4 | 0.1s | first g5-f5~300",
            "h5-g5 a4-b4 g5-f5~100 303000/300000 second",
        ),
        // A move that was sent before the flag fell, and one that was not.
        (
            "first h5-g5 | second a4-b4 | 1s | first g5-f5~400 | second b4-c4 | 302.7s | first f5-e5~400",
            "h5-g5 a4-b4 g5-f5~400 b4-c4 f5-e5~400 3100/303000 second",
        ),
        (
            "first h5-g5 | second a4-b4 | 1s | first g5-f5~400 | second b4-c4 | 302.7s | first f5-e5~100",
            "h5-g5 a4-b4 g5-f5~400 b4-c4 OutOfTime:second 0/303000 -",
        ),
        // A takeback restores both clocks, except for given time.
        (
            "first h5-g5 | second a4-b4 | 10s | first g5-f5 | 20s | first wants back | second allows | 1s",
            "h5-g5 a4-b4 g5-f5 back? back:2 299000/300000 first",
        ),
        (
            "first h5-g5 | second a4-b4 | 10s | first g5-f5 | second gives | 5s | second b4-c4 | \
             first wants back | second allows",
            "h5-g5 a4-b4 g5-f5 given15000 b4-c4 back? back:2 315000/300000 first",
        ),
        ("first h5-g5 | first gives", "h5-g5 [tooSoon] 300000/300000 -"),
        ("first h5-g5 | first claims", "h5-g5 [tooSoon] 300000/300000 -"),
        (
            "first h5-g5 | second a4-b4 | second claims",
            "h5-g5 a4-b4 Timeout:second 300000/300000 -",
        ),
        (
            "first h5-g5 | second a4-b4 | first claims draw | second claims",
            "h5-g5 a4-b4 Draw:claim [over] 300000/300000 -",
        ),
        ("50s | back 100s | 9s | first h5-g5", "resumed100000 h5-g5 300000/300000 -"),
        ("50s | back 100s | 10s", "resumed100000 NoStart 300000/300000 -"),
    ] {
        assert_eq!(run_script(five, script), outcome, "{script}");
    }
}

#[test]
fn hogga_first_home_wins_despite_later_resignation() {
    let variant = variants::by_key("hogga").expect("variant");
    let mut options = variant.options();
    options.set("points", "true").expect("option");
    let record = include_str!("../games/hogga-points.txt");
    let moves = record.lines().nth(1).expect("moves").split(' ');
    // White is home after ply 42, and Black plays alone from there.
    let alone = || {
        let mut game = Game::new(Setup { variant, options, ..setup(None) });
        for u in moves.clone().take(43) {
            let command = Command::Move { u: u.into(), ply: None, lag_ms: 0 };
            game.command(game.line().turn(), &command, 0).expect("legal move");
        }
        game
    };
    for side in Side::BOTH {
        let mut game = alone();
        assert_eq!(game.line().turn(), Side::First);
        game.command(side, &Command::Resign, 0).expect("resigned");
        assert_eq!(game.end().expect("end").winner, Some(Side::Second));
        assert_eq!(
            game.line().position().extra_fields(),
            " 2+1",
            "the extra moves so far are kept"
        );
    }
}

/// A correspondence move has its days; a game without a first move is not rated.
#[test]
fn correspondence_deadline_is_for_side_to_move() {
    let variant = variants::by_key("caterpillarWar").expect("variant");
    let options = variant.options();
    let day_ms = 86_400_000;
    let game =
        || Game::new(Setup { variant, options, seed: 0, pace: Pace::Days(2), created_ms: 0 });
    let ended = |events: LoggedEvents| match &events[..] {
        [LoggedEvent { event: Event::Ended(end), .. }] => Some((end.status, end.winner)),
        _ => None,
    };
    let mut late = game();
    assert_eq!(late.move_deadline_ms(), Some(2 * day_ms));
    assert_eq!(ended(late.tick(2 * day_ms - 1)), None);
    assert_eq!(ended(late.tick(2 * day_ms)), Some((GameStatus::NoStart, None)));
    // An abort is charged to the player on vacation.
    let mut away = game();
    away.exclude_vacations(&[Vacation { start_ms: 0, end_ms: 5 * day_ms }], 1_000);
    assert_eq!(away.move_deadline_ms(), Some(7 * day_ms));
    away.command(Side::Second, &Command::Abort, 2_000).expect("an abort");
    assert_eq!(away.side_responsible_for_abort(), Some(Side::First));
    let mut lost = game();
    let play = |game: &mut Game, side, u: &str, now_ms| {
        let command = Command::Move { u: u.into(), ply: None, lag_ms: 0 };
        game.command(side, &command, now_ms).expect("a move");
    };
    play(&mut lost, Side::First, "h5-g5", day_ms);
    play(&mut lost, Side::Second, "a4-b4", 2 * day_ms);
    assert_eq!(lost.move_deadline_ms(), Some(4 * day_ms));
    // The server was down for a day.
    lost.exclude_downtime(2 * day_ms, 3 * day_ms);
    assert_eq!(lost.move_deadline_ms(), Some(5 * day_ms));
    assert_eq!(ended(lost.tick(5 * day_ms)), Some((GameStatus::OutOfTime, Some(Side::Second))));
    assert_eq!(lost.move_deadline_ms(), None);
}

/// Checks after random commands that the log replays to the same game, that no clock exceeds the
/// given time, and that lag compensation stays within its quota.
#[test]
fn random_commands_replay_to_the_same_game() {
    const OFFER_ACTIONS: [OfferAction; 4] =
        [OfferAction::Yes, OfferAction::Offer, OfferAction::Accept, OfferAction::No];
    for (at, variant) in variants::ALL.iter().enumerate() {
        for seed in 0..60 {
            let mut random = SplitMix::new(1000 * at as u64 + seed);
            let pace = Pace::Clock(TimeControl::new(120_000, 1_000).expect("time"));
            let (options, created_ms) = (variant.options(), 0);
            let setup = || Setup { variant, options, seed, pace, created_ms };
            let (mut game, mut again) = (Game::new(setup()), Game::new(setup()));
            let (mut now_ms, mut given_ms, mut taken_back) = (0, 0, 0);
            for _ in 0..400 {
                let side = Side::BOTH[random.below(2)];
                now_ms += random.below(1_200) as i64;
                let command = match random.below(20) {
                    0 => Command::Takeback { action: OFFER_ACTIONS[random.below(4)], ply: None },
                    1 => {
                        Command::Draw { action: OFFER_ACTIONS[1 + 2 * random.below(2)], ply: None }
                    }
                    2 => Command::GiveTime { ms: random.below(70_000) as i64 },
                    3 => {
                        let resumed = game.exclude_downtime(now_ms, now_ms + 5_000);
                        now_ms += 5_000;
                        resumed.iter().for_each(|logged| again.replay(logged).expect("an outage"));
                        continue;
                    }
                    _ => {
                        let legal = game.legal_moves();
                        let Some(u) = legal.get(random.below(legal.len().max(1))) else { break };
                        let lag_ms = random.below(2_000) as i64 - 500;
                        Command::Move { u: u.into(), ply: Some(game.line().ply()), lag_ms }
                    }
                };
                let flagged = game.tick(now_ms);
                let done = game.command(side, &command, now_ms).unwrap_or_default();
                for logged in flagged.iter().chain(&done) {
                    again.replay(logged).expect("a valid log");
                    match &logged.event {
                        Event::TimeGiven { ms } => given_ms += ms,
                        Event::TakenBack { .. } => taken_back += 1,
                        _ => {}
                    }
                }
                let clock = game.clock().expect("clock");
                for side in Side::BOTH {
                    let most_ms = 120_000 + 1_000 * game.line().ply() as i64 + given_ms;
                    assert!(clock.remaining_ms(side, now_ms) <= most_ms);
                    assert!((0..=LAG_QUOTA_MAX_MS).contains(&clock.quota_ms(side)));
                }
                assert_eq!(state(&again, now_ms), state(&game, now_ms));
                assert_eq!(again.line().position().text(), game.line().position().text());
                assert_eq!(**again.legal_moves(), **game.legal_moves());
                assert_eq!((again.seq(), again.end()), (game.seq(), game.end()));
            }
            assert!(game.line().ply() > 3 || taken_back > 0 || game.end().is_some());
        }
    }
}

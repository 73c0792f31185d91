//! Recorder of the metrics served at `/metrics`, with their descriptions.
//!
//! Caller: `listener`.

use metrics::{Unit, describe_counter, describe_gauge, describe_histogram};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use std::io;

/// Histogram buckets of durations, in seconds.
const SECONDS_BUCKETS: [f64; 11] =
    [0.0001, 0.0003, 0.001, 0.002, 0.005, 0.01, 0.03, 0.1, 0.3, 1.0, 5.0];

/// Histogram buckets of the number of jobs per commit.
const BATCH_SIZE_BUCKETS: [f64; 8] = [1.0, 2.0, 4.0, 8.0, 16.0, 64.0, 256.0, 512.0];

/// Installs the recorder of the process. Fails if there is one.
pub fn install() -> io::Result<PrometheusHandle> {
    let recorder = PrometheusBuilder::new()
        .set_buckets_for_metric(Matcher::Suffix("_seconds".to_owned()), &SECONDS_BUCKETS)
        .and_then(|builder| {
            let batch_size = Matcher::Suffix("_batch_size".to_owned());
            builder.set_buckets_for_metric(batch_size, &BATCH_SIZE_BUCKETS)
        })
        .map_err(io::Error::other)?
        .build_recorder();
    let handle = recorder.handle();
    metrics::set_global_recorder(recorder).map_err(io::Error::other)?;
    describe();
    Ok(handle)
}

fn describe() {
    describe_gauge!("sprong_connections", Unit::Count, "Open connections");
    describe_gauge!("sprong_sockets", Unit::Count, "Open WebSockets");
    describe_gauge!("sprong_rooms", Unit::Count, "Open game rooms");
    describe_counter!("sprong_moves_total", Unit::Count, "Moves stored");
    describe_histogram!("sprong_commit_seconds", Unit::Seconds, "Duration of a commit, by jobs");
    describe_histogram!("sprong_commit_batch_size", Unit::Count, "Write jobs in a commit, by jobs");
    describe_histogram!(
        "sprong_task_seconds",
        Unit::Seconds,
        "Duration of a task without its commit, by task"
    );
    describe_counter!("sprong_commit_failures_total", Unit::Count, "Failed commits");
    describe_histogram!(
        "sprong_publish_seconds",
        Unit::Seconds,
        "Time from the commit of an event until a game socket writes it"
    );
    describe_counter!(
        "sprong_rejections_total",
        Unit::Count,
        "Rejected requests, messages and connections, by transport and reason"
    );
    describe_counter!(
        "sprong_rate_limited_total",
        Unit::Count,
        "Requests and messages rejected by a rate limit, by limit"
    );
    describe_gauge!("sprong_engine_queue_length", Unit::Count, "Searches that wait for a thread");
    describe_counter!(
        "sprong_engine_rejections_total",
        Unit::Count,
        "Searches rejected because the queue was full or too slow"
    );
    describe_histogram!("sprong_engine_search_seconds", Unit::Seconds, "Duration of a search");
    describe_histogram!(
        "sprong_bot_move_seconds",
        Unit::Seconds,
        "Time from the computer's turn to its move"
    );
    describe_counter!(
        "sprong_bot_fallback_moves_total",
        Unit::Count,
        "Moves that the computer made without a full search because time was short"
    );
    describe_of_several_nodes();
    describe_counter!("sprong_push_messages_total", Unit::Count, "Push messages, by result");
    describe_counter!("sprong_mails_total", Unit::Count, "E-mails, by result");
    describe_counter!(
        "sprong_push_news_dropped_total",
        Unit::Count,
        "News for absent players that was dropped because too much waited"
    );
}

fn describe_of_several_nodes() {
    describe_gauge!("sprong_nodes", Unit::Count, "Servers of the database that run and stay");
    describe_gauge!("sprong_duty_games", Unit::Count, "Rooms in which this server acts first");
    describe_gauge!(
        "sprong_presence_rows",
        Unit::Count,
        "Users and games with connections to other servers"
    );
    describe_counter!(
        "sprong_log_conflicts_total",
        Unit::Count,
        "Events whose number another server had taken"
    );
    describe_counter!("sprong_log_pulls_total", Unit::Count, "Logs read by open rooms, by cause");
    describe_counter!(
        "sprong_hint_gaps_total",
        Unit::Count,
        "Times at which messages of other servers may have been lost, by cause"
    );
    describe_histogram!(
        "sprong_hint_seconds",
        Unit::Seconds,
        "Time from a command at another server until its event is applied here"
    );
    describe_histogram!(
        "sprong_change_lag_seconds",
        Unit::Seconds,
        "Time from a change at another server until it is handled here"
    );
    describe_histogram!("sprong_database_rtt_seconds", Unit::Seconds, "Round trip to the database");
    describe_gauge!(
        "sprong_clock_offset_ms",
        Unit::Milliseconds,
        "Time of the database less that of this server"
    );
    describe_histogram!(
        "sprong_lock_wait_seconds",
        Unit::Seconds,
        "Time for which a task waits for those of all servers that it depends on"
    );
    describe_counter!(
        "sprong_database_connections_total",
        Unit::Count,
        "Connections opened for writes and messages, by lane"
    );
    describe_gauge!(
        "sprong_notify_queue_ratio",
        Unit::Count,
        "Used part of the database's queue of messages"
    );
}

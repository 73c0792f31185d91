//! Locks of the server of a database of PostgreSQL: two servers would each keep their own rooms of
//! the same games.
//!
//! The connection for tasks has an advisory lock, and those for appends share another one; the
//! database releases them when the connections end. A start takes both before it reads any log, so
//! that nothing of the server before is executed any more. If a server loses all its connections,
//! another one may start; the key that it stores then keeps the first from writing. Caller:
//! `postgres`.

use super::StoreError;
use sqlx::PgConnection;
use std::time::Duration;
use tokio::time::Instant;
use uuid::Uuid;

// The numbers are the texts `sprong` and `append`.
const SERVER_LOCK: i64 = 0x7370_726f_6e67;
const APPEND_LOCK: i64 = 0x6170_7065_6e64;

const TRY_LOCK: &str = "SELECT pg_try_advisory_lock($1)";
const TRY_SHARED_LOCK: &str = "SELECT pg_try_advisory_lock_shared($1)";
const UNLOCK: &str = "SELECT pg_advisory_unlock($1)";

/// Time for which locks are awaited: longer than the database takes to notice that the machine of a
/// server is lost.
const LOCK_TIMEOUT: Duration = Duration::from_secs(12);

/// Interval at which they are tried again.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// Takes both locks for a start. That of appends is released by [`store_key`].
pub(super) async fn lock_for_start(connection: &mut PgConnection) -> Result<(), StoreError> {
    let deadline = Instant::now() + LOCK_TIMEOUT;
    loop {
        if call(connection, TRY_LOCK, APPEND_LOCK).await? {
            if call(connection, TRY_LOCK, SERVER_LOCK).await? {
                return Ok(());
            }
            // A running server may need it for a new connection.
            call(connection, UNLOCK, APPEND_LOCK).await?;
        }
        wait(deadline).await?;
    }
}

/// Stores the key of the server that starts, and lets it append.
pub(super) async fn store_key(connection: &mut PgConnection) -> Result<Uuid, StoreError> {
    let key = Uuid::now_v7();
    let sql = "INSERT INTO server_start (one, key) VALUES (1, $1)
               ON CONFLICT (one) DO UPDATE SET key = excluded.key";
    sqlx::query(sql).bind(key).execute(&mut *connection).await?;
    call(connection, UNLOCK, APPEND_LOCK).await?;
    Ok(key)
}

/// Takes the lock of tasks for a new connection of a server.
pub(super) async fn lock_tasks(connection: &mut PgConnection, key: Uuid) -> Result<(), StoreError> {
    lock(connection, TRY_LOCK, SERVER_LOCK, key).await
}

/// Takes the lock of appends for a new connection of a server.
pub(super) async fn lock_appends(
    connection: &mut PgConnection,
    key: Uuid,
) -> Result<(), StoreError> {
    lock(connection, TRY_SHARED_LOCK, APPEND_LOCK, key).await
}

async fn lock(
    connection: &mut PgConnection,
    sql: &'static str,
    number: i64,
    key: Uuid,
) -> Result<(), StoreError> {
    let deadline = Instant::now() + LOCK_TIMEOUT;
    while !call(connection, sql, number).await? {
        wait(deadline).await?;
    }
    let query = sqlx::query_scalar("SELECT key FROM server_start WHERE one = 1");
    let owner: Uuid = query.fetch_one(connection).await?;
    if owner == key { Ok(()) } else { Err(StoreError::Served) }
}

async fn call(
    connection: &mut PgConnection,
    sql: &'static str,
    number: i64,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(sql).bind(number).fetch_one(connection).await
}

async fn wait(deadline: Instant) -> Result<(), StoreError> {
    if Instant::now() > deadline {
        return Err(StoreError::Served);
    }
    tokio::time::sleep(POLL_INTERVAL).await;
    Ok(())
}

//! Vacations of players. Callers: `rooms::vacation`, the room of a game, and `http`.

use super::{AccountKey, Store, StoreError};
use crate::play::vacation::Vacation;

const OF_ACCOUNT: &str =
    "SELECT start_ms, end_ms FROM vacation WHERE account = $1 ORDER BY start_ms";

impl Store {
    /// Returns the vacations of an account, in the order of their starts.
    pub async fn vacations(&self, account: AccountKey) -> Result<Vec<Vacation>, StoreError> {
        Ok(vacations(self.readers.query(OF_ACCOUNT).bind(account).fetch_all().await?))
    }

    /// Stores the next vacation of an account. Returns false, without a change, if the number of
    /// days is not positive or exceeds the allowance.
    pub async fn take_vacation(
        &self,
        account: AccountKey,
        days: i64,
        now_ms: i64,
    ) -> Result<bool, StoreError> {
        self.writer
            .run(move |tx| {
                Box::pin(async move {
                    let others = vacations(tx.query(OF_ACCOUNT).bind(account).fetch_all().await?);
                    let Some(next) = Vacation::next(&others, days, now_ms) else {
                        return Ok(false);
                    };
                    let sql =
                        "INSERT INTO vacation (account, start_ms, end_ms) VALUES ($1, $2, $3)";
                    let query = tx.query(sql).bind(account).bind(next.start_ms).bind(next.end_ms);
                    query.execute().await?;
                    Ok(true)
                })
            })
            .await
    }
}

fn vacations(rows: Vec<(i64, i64)>) -> Vec<Vacation> {
    rows.into_iter().map(|(start_ms, end_ms)| Vacation { start_ms, end_ms }).collect()
}

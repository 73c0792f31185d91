//! Replacement for `tokio::time`, in which the scheduler decides when time passes: a sleep of any
//! length may end at any moment, and only a limited number of them end. [`Instant`] is the
//! original.

pub use tokio::time::{Duration, Instant};

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

thread_local! {
    /// Sleeping tasks by ascending numbers. All tasks of a schedule run on one thread.
    static SLEEPING: RefCell<(u64, BTreeMap<u64, Waker>)> = RefCell::default();
}

/// Ends this number of sleeps one by one, at moments that the scheduler chooses. The other sleeps
/// never end.
pub async fn pass(times: usize) {
    use shuttle::rand::Rng;
    for _ in 0..times {
        shuttle::future::yield_now().await;
        let many = SLEEPING.with_borrow(|(_, wakers)| wakers.len());
        if many > 0 {
            let at = shuttle::rand::thread_rng().gen_range(0..many);
            let woken = SLEEPING.with_borrow_mut(|(_, wakers)| {
                let number = *wakers.keys().nth(at)?;
                wakers.remove(&number)
            });
            woken.into_iter().for_each(Waker::wake);
        }
    }
}

/// Removes all sleeps before another schedule begins.
pub fn forget() {
    SLEEPING.take();
}

/// Sleep, which is registered from its first poll until its end.
#[derive(Debug)]
pub struct Sleep(Option<u64>);

pub fn sleep(_duration: Duration) -> Sleep {
    Sleep(None)
}

pub fn sleep_until(_deadline: Instant) -> Sleep {
    Sleep(None)
}

impl Sleep {
    /// Begins another sleep.
    pub fn reset(mut self: Pin<&mut Self>, _deadline: Instant) {
        self.set(Sleep(None));
    }
}

impl Future for Sleep {
    type Output = ();

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<()> {
        SLEEPING.with_borrow_mut(|(next, wakers)| {
            let number = match self.0 {
                Some(number) if !wakers.contains_key(&number) => return Poll::Ready(()),
                Some(number) => number,
                None => {
                    *next += 1;
                    *next
                }
            };
            self.0 = Some(number);
            wakers.insert(number, context.waker().clone());
            Poll::Pending
        })
    }
}

impl Drop for Sleep {
    fn drop(&mut self) {
        if let Some(number) = self.0 {
            SLEEPING.with_borrow_mut(|(_, wakers)| wakers.remove(&number));
        }
    }
}

/// Error of an expired timeout.
#[derive(Debug)]
pub struct Elapsed;

/// Completes with the work or with the end of a sleep, whichever comes first.
pub async fn timeout<F: Future>(duration: Duration, work: F) -> Result<F::Output, Elapsed> {
    timeout_at(Instant::now() + duration, work).await
}

pub async fn timeout_at<F: Future>(deadline: Instant, work: F) -> Result<F::Output, Elapsed> {
    let mut sleep = std::pin::pin!(sleep_until(deadline));
    let mut work = std::pin::pin!(work);
    std::future::poll_fn(|context| {
        if let Poll::Ready(done) = work.as_mut().poll(context) {
            return Poll::Ready(Ok(done));
        }
        sleep.as_mut().poll(context).map(|()| Err(Elapsed))
    })
    .await
}

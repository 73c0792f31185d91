//! A connection whose other end takes nothing does not wait for ever.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// Who takes not a byte for so long is not waited for: longer than streams and sockets wait.
const STALL_MAX: Duration = Duration::from_secs(20);

/// A connection that breaks when nothing can be written for [`STALL_MAX`].
#[derive(Debug)]
pub struct Stalling<I> {
    io: I,
    /// Runs while there is something to be written and it is not taken.
    until: Option<Pin<Box<Sleep>>>,
}

impl<I> Stalling<I> {
    /// That connection, watched.
    pub fn new(io: I) -> Stalling<I> {
        Stalling { io, until: None }
    }

    fn wait<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.until = None;
            return written;
        }
        let until = self.until.get_or_insert_with(|| Box::pin(tokio::time::sleep(STALL_MAX)));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for Stalling<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for Stalling<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.wait(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(context, parts);
        self.wait(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(context);
        self.wait(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let shut = Pin::new(&mut self.io).poll_shutdown(context);
        self.wait(context, shut)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn who_takes_nothing_is_not_waited_for_and_who_takes_little_is() {
        let (near, mut far) = tokio::io::duplex(8);
        let mut near = Stalling::new(near);
        let began = Instant::now();
        let slow = async {
            for _ in 0..4 {
                tokio::time::sleep(STALL_MAX / 2).await;
                far.read_exact(&mut [0; 8]).await.expect("bytes");
            }
        };
        let (written, ()) = tokio::join!(near.write_all(&[7; 32]), slow);
        written.expect("all of it");
        assert_eq!(began.elapsed(), 2 * STALL_MAX);
        let stalled = near.write_all(&[7; 32]).await.expect_err("nobody reads");
        assert_eq!((stalled.kind(), began.elapsed()), (io::ErrorKind::TimedOut, 3 * STALL_MAX));
    }
}

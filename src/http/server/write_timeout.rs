//! Write timeout for connections whose peer does not read.

use std::io;
use std::pin::Pin;
use std::task::{Context, Poll, ready};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// Write timeout: longer than the send timeouts of streams and WebSockets.
const WRITE_TIMEOUT: Duration = Duration::from_secs(20);

/// Connection that fails with `TimedOut` when no byte can be written for [`WRITE_TIMEOUT`].
#[derive(Debug)]
pub struct WriteTimeout<I> {
    io: I,
    /// Timer that runs while a write is pending.
    deadline: Option<Pin<Box<Sleep>>>,
}

impl<I> WriteTimeout<I> {
    pub fn new(io: I) -> WriteTimeout<I> {
        WriteTimeout { io, deadline: None }
    }

    fn check_progress<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.deadline = None;
            return written;
        }
        let until =
            self.deadline.get_or_insert_with(|| Box::pin(tokio::time::sleep(WRITE_TIMEOUT)));
        ready!(until.as_mut().poll(context));
        Poll::Ready(Err(io::ErrorKind::TimedOut.into()))
    }
}

impl<I: AsyncRead + Unpin> AsyncRead for WriteTimeout<I> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.io).poll_read(context, buffer)
    }
}

impl<I: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<I> {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write(context, bytes);
        self.check_progress(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.io).poll_write_vectored(context, parts);
        self.check_progress(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.io.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let flushed = Pin::new(&mut self.io).poll_flush(context);
        self.check_progress(context, flushed)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        let result = Pin::new(&mut self.io).poll_shutdown(context);
        self.check_progress(context, result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tokio::io::{AsyncReadExt, AsyncWriteExt};
    use tokio::time::Instant;

    #[tokio::test(start_paused = true)]
    async fn write_fails_only_after_timeout_without_progress() {
        let (near, mut far) = tokio::io::duplex(8);
        let mut near = WriteTimeout::new(near);
        let began = Instant::now();
        let slow = async {
            for _ in 0..4 {
                tokio::time::sleep(WRITE_TIMEOUT / 2).await;
                far.read_exact(&mut [0; 8]).await.expect("bytes");
            }
        };
        let (written, ()) = tokio::join!(near.write_all(&[7; 32]), slow);
        written.expect("write");
        assert_eq!(began.elapsed(), 2 * WRITE_TIMEOUT);
        let stalled = near.write_all(&[7; 32]).await.expect_err("write timeout");
        assert_eq!((stalled.kind(), began.elapsed()), (io::ErrorKind::TimedOut, 3 * WRITE_TIMEOUT));
    }
}

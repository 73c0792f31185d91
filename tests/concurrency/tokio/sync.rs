//! Channels and notifications of tokio with scheduling points for shuttle: [`Reached`] wraps each
//! type and calls [`point`] before every access. Used in place of `tokio::sync`.

use crate::point;
use std::ops::{Deref, DerefMut};
use std::pin::Pin;
use std::task::{Context, Poll};

pub use tokio::sync::futures;

/// Wrapper of a tokio type, each access to which is a scheduling point.
#[derive(Clone, Debug, Default)]
pub struct Reached<T>(T);

impl<T> Deref for Reached<T> {
    type Target = T;

    fn deref(&self) -> &T {
        point();
        &self.0
    }
}

impl<T> DerefMut for Reached<T> {
    fn deref_mut(&mut self) -> &mut T {
        point();
        &mut self.0
    }
}

impl<T: Future + Unpin> Future for Reached<T> {
    type Output = T::Output;

    fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<T::Output> {
        point();
        Pin::new(&mut self.0).poll(context)
    }
}

/// Notification of a task.
pub type Notify = Reached<tokio::sync::Notify>;

/// Lock that is held across waits.
pub type Mutex<T> = Reached<tokio::sync::Mutex<T>>;

/// Value that the first task that needs it computes.
pub type OnceCell<T> = Reached<tokio::sync::OnceCell<T>>;

impl<T> Mutex<T> {
    pub fn new(value: T) -> Mutex<T> {
        Reached(tokio::sync::Mutex::new(value))
    }
}

impl<T> OnceCell<T> {
    pub fn new() -> OnceCell<T> {
        OnceCell::default()
    }
}

impl Notify {
    pub fn new() -> Notify {
        Notify::default()
    }
}

/// Channel for a single value.
pub mod oneshot {
    use super::{Reached, point};
    use tokio::sync::oneshot as real;

    pub use real::error;

    pub type Sender<T> = Reached<real::Sender<T>>;
    pub type Receiver<T> = Reached<real::Receiver<T>>;

    pub fn channel<T>() -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = real::channel();
        (Reached(sender), Reached(receiver))
    }

    impl<T> Sender<T> {
        pub fn send(self, value: T) -> Result<(), T> {
            point();
            self.0.send(value)
        }
    }
}

/// Queues.
pub mod mpsc {
    use super::Reached;
    use tokio::sync::mpsc as real;

    pub use real::error;

    pub type Sender<T> = Reached<real::Sender<T>>;
    pub type WeakSender<T> = Reached<real::WeakSender<T>>;
    pub type Receiver<T> = Reached<real::Receiver<T>>;

    pub type UnboundedSender<T> = Reached<real::UnboundedSender<T>>;
    pub type UnboundedReceiver<T> = Reached<real::UnboundedReceiver<T>>;

    pub fn channel<T>(bound: usize) -> (Sender<T>, Receiver<T>) {
        let (sender, receiver) = real::channel(bound);
        (Reached(sender), Reached(receiver))
    }

    pub fn unbounded_channel<T>() -> (UnboundedSender<T>, UnboundedReceiver<T>) {
        let (sender, receiver) = real::unbounded_channel();
        (Reached(sender), Reached(receiver))
    }

    impl<T> Sender<T> {
        pub fn downgrade(&self) -> WeakSender<T> {
            Reached((**self).downgrade())
        }
    }

    impl<T> WeakSender<T> {
        pub fn upgrade(&self) -> Option<Sender<T>> {
            (**self).upgrade().map(Reached)
        }
    }
}

/// Channel with the last value only.
pub mod watch {
    use super::Reached;
    use tokio::sync::watch as real;

    pub use real::error;

    pub type Sender<T> = Reached<real::Sender<T>>;
    pub type Receiver<T> = Reached<real::Receiver<T>>;

    impl<T> Sender<T> {
        pub fn new(value: T) -> Sender<T> {
            Reached(real::Sender::new(value))
        }

        pub fn subscribe(&self) -> Receiver<T> {
            Reached((**self).subscribe())
        }
    }
}

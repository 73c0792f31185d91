//! Request to accept a challenge.

use crate::store::{AcceptChoice, Account, PublicId};
use std::net::IpAddr;

/// Request to accept a challenge.
#[derive(Clone, Debug)]
pub struct AcceptRequest {
    /// Challenge to accept.
    pub id: PublicId,
    pub acceptor: Account,
    /// Choice among the variants and time controls of the challenge.
    pub choice: AcceptChoice,
    /// Network of the client; `None` for bots and rematches.
    pub network: Option<IpAddr>,
}

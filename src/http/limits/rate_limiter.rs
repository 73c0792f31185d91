//! Rate limits per client network, and client addresses behind trusted proxies.
//!
//! Limits count by network: an IPv4 address or an IPv6 /64. Handlers extract it with
//! [`ClientNetwork`]. Callers: `auth::guard`, `server::connection`, and handlers with limits of
//! their own.

use crate::config::Config;
use crate::http::App;
use crate::http::error::Error;
use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;
use governor::clock::{Clock as _, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota};
use std::hash::Hash;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::num::NonZeroU32;
use std::sync::{Arc, RwLock};
use std::time::Duration;

/// Rate limiter with one quota per key, which is a client network by default.
#[derive(Debug)]
pub struct RateLimiter<K: Hash + Eq + Clone = IpAddr> {
    /// Name in the metrics.
    name: &'static str,
    refill: Refill,
    current: RwLock<Arc<Counts<K>>>,
}

/// Rule by which an exhausted quota is refilled.
#[derive(Clone, Copy, Debug)]
enum Refill {
    /// Completely within a period.
    Within(Duration),
    /// By three tenths a minute, rounded down, but by at least one event.
    ThreeTenths,
}

/// Number of events in a quota, and the counts.
#[derive(Debug)]
struct Counts<K: Hash + Eq + Clone> {
    times: u32,
    limiter: DefaultKeyedRateLimiter<K>,
}

impl<K: Hash + Eq + Clone> RateLimiter<K> {
    /// Allows `times` events per minute and key, in any distribution.
    pub fn per_minute(name: &'static str, times: u32) -> RateLimiter<K> {
        RateLimiter::in_period(name, times, Duration::from_secs(60))
    }

    /// Allows `times` events per `period` and key, in any distribution.
    pub fn in_period(name: &'static str, times: u32, period: Duration) -> RateLimiter<K> {
        RateLimiter::new(name, times, Refill::Within(period))
    }

    /// Allows a burst of `times` events per key, of which three tenths are refilled in a minute.
    pub fn with_slow_refill(name: &'static str, times: u32) -> RateLimiter<K> {
        RateLimiter::new(name, times, Refill::ThreeTenths)
    }

    fn new(name: &'static str, times: u32, refill: Refill) -> RateLimiter<K> {
        RateLimiter { name, refill, current: RwLock::new(Arc::new(Counts::new(times, refill))) }
    }

    /// Returns the counts, which are used without the lock.
    fn current(&self) -> Arc<Counts<K>> {
        self.current.read().expect("counts are not poisoned").clone()
    }

    /// Changes the number of events in the period, and returns the previous one. A different number
    /// discards all counts.
    pub fn set_times(&self, times: u32) -> u32 {
        let previous = self.current();
        if previous.times != times {
            let changed = Arc::new(Counts::new(times, self.refill));
            // `previous` keeps the replaced counts until the lock is released.
            *self.current.write().expect("counts are not poisoned") = changed;
        }
        previous.times
    }

    /// Counts one event. Returns [`Error::TooFast`] with the seconds to wait if it exceeds the
    /// quota.
    pub fn check(&self, key: K) -> Result<(), Error> {
        let checked = self.current().limiter.check_key(&key);
        checked.map_err(|not_until| {
            let wait = not_until.wait_time_from(DefaultClock::default().now());
            self.refuse(wait.as_secs() + 1)
        })
    }

    /// Returns [`Error::TooFast`] with the seconds to wait, and counts it in the metrics.
    pub fn refuse(&self, wait_s: u64) -> Error {
        metrics::counter!("sprong_rate_limited_total", "limit" => self.name).increment(1);
        Error::TooFast(wait_s)
    }

    /// Returns the number of events in the period.
    pub fn times(&self) -> u32 {
        self.current().times
    }

    /// Removes keys whose quota is full again.
    pub fn evict_idle(&self) {
        let current = self.current();
        current.limiter.retain_recent();
        current.limiter.shrink_to_fit();
    }
}

impl Refill {
    fn quota(self, times: u32) -> Quota {
        let at_least_one = |number| NonZeroU32::new(number).unwrap_or(NonZeroU32::MIN);
        let burst = at_least_one(times);
        let quota = match self {
            Refill::Within(period) => {
                let interval = (period / burst.get()).max(Duration::from_nanos(1));
                Quota::with_period(interval).expect("non-zero period")
            }
            Refill::ThreeTenths => Quota::per_minute(at_least_one(times.saturating_mul(3) / 10)),
        };
        quota.allow_burst(burst)
    }
}

impl<K: Hash + Eq + Clone> Counts<K> {
    fn new(times: u32, refill: Refill) -> Counts<K> {
        Counts { times, limiter: DefaultKeyedRateLimiter::keyed(refill.quota(times)) }
    }
}

/// Network that a request comes from: the peer's, or the client's if the peer is a trusted proxy.
#[derive(Clone, Copy, Debug)]
pub struct ClientNetwork(pub IpAddr);

impl FromRequestParts<App> for ClientNetwork {
    type Rejection = Error;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<ClientNetwork, Error> {
        let ConnectInfo(peer): ConnectInfo<SocketAddr> =
            ConnectInfo::from_request_parts(parts, app).await.map_err(|_| Error::Internal)?;
        Ok(ClientNetwork(network_of(client_address(&app.config, peer.ip(), &parts.headers))))
    }
}

/// Returns the network that limits count by: an IPv4 address, or the /64 of an IPv6 address, which
/// usually belongs to one customer.
pub fn network_of(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(address) => IpAddr::V6((address.to_bits() >> 64 << 64).into()),
        ipv4 => ipv4,
    }
}

/// Returns the rightmost hop of `X-Forwarded-For` that is not a trusted proxy. The peer's own
/// address is returned if the peer is not trusted, and an unreadable hop ends the search.
pub fn client_address(config: &Config, peer: IpAddr, headers: &HeaderMap) -> IpAddr {
    if !config.is_trusted_proxy(peer) {
        return peer;
    }
    let mut last = peer;
    // A header line with invalid UTF-8 still contains hops. If it were skipped, a hop further left,
    // which the client may have written, would count as the proxy's.
    for value in headers.get_all("x-forwarded-for").iter().rev() {
        for hop in String::from_utf8_lossy(value.as_bytes()).rsplit(',') {
            let Some(hop) = parse_hop(hop) else { return last };
            last = hop;
            if !config.is_trusted_proxy(hop) {
                return last;
            }
        }
    }
    last
}

/// Parses a hop: an address, optionally with a port, brackets and quotes.
fn parse_hop(hop: &str) -> Option<IpAddr> {
    let hop = hop.trim();
    let hop = hop.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')).unwrap_or(hop);
    if let Ok(address) = hop.parse() {
        return Some(address);
    }
    if let Ok(address) = hop.parse::<SocketAddr>() {
        return Some(address.ip());
    }
    let inner = hop.strip_prefix('[')?.strip_suffix(']')?;
    inner.parse::<Ipv6Addr>().ok().map(IpAddr::V6)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::http::test_support::{config, headers};
    use axum::http::HeaderValue;

    #[test]
    fn forwarded_for_counts_only_from_trusted_proxies() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("address");
        let forwarded = headers(&[("x-forwarded-for", "6.6.6.6, 1.2.3.4, 10.0.0.2")]);
        let proxied = config(&["--trusted-proxy", "10.0.0.1,10.0.0.2"]);
        assert_eq!(client_address(&proxied, ip("10.0.0.1"), &forwarded), ip("1.2.3.4"));
        assert_eq!(client_address(&proxied, ip("9.9.9.9"), &forwarded), ip("9.9.9.9"));
        assert_eq!(client_address(&config(&[]), ip("10.0.0.1"), &forwarded), ip("10.0.0.1"));
        assert_eq!(client_address(&proxied, ip("::ffff:10.0.0.1"), &forwarded), ip("1.2.3.4"));
        // Hops written by the client stand to the left of the hop that the proxy appends.
        let forged = headers(&[
            ("x-forwarded-for", "10.0.0.2, 10.0.0.1"),
            ("x-forwarded-for", "nonsense, 1.2.3.4"),
        ]);
        assert_eq!(client_address(&proxied, ip("10.0.0.1"), &forged), ip("1.2.3.4"));
        // The client may send invalid UTF-8; the hop appended to it by the proxy counts.
        for written in [&b"\xff"[..], b"\xff, nonsense", b""] {
            let mut mixed = headers(&[("x-forwarded-for", "9.9.9.9")]);
            let line = [written, b", 1.2.3.4"].concat();
            mixed.append("x-forwarded-for", HeaderValue::from_bytes(&line).expect("header"));
            assert_eq!(client_address(&proxied, ip("10.0.0.1"), &mixed), ip("1.2.3.4"));
            let cut = HeaderValue::from_bytes(&[&line[..], b", \xff"].concat()).expect("header");
            mixed.append("x-forwarded-for", cut);
            assert_eq!(client_address(&proxied, ip("10.0.0.1"), &mixed), ip("10.0.0.1"));
        }
        let unreadable = headers(&[("x-forwarded-for", "1.2.3.4, nonsense")]);
        assert_eq!(client_address(&proxied, ip("10.0.0.1"), &unreadable), ip("10.0.0.1"));
    }

    #[test]
    fn hop_may_have_port_brackets_and_quotes() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("address");
        let proxied = config(&["--trusted-proxy", "10.0.0.0/8"]);
        for (forwarded, client) in [
            ("1.2.3.4:5678", "1.2.3.4"),
            ("6.6.6.6, 1.2.3.4:5678, 10.3.0.2:80", "1.2.3.4"),
            ("[2001:db8::1]:443", "2001:db8::1"),
            ("[2001:db8::1]", "2001:db8::1"),
            ("\"[::1]\"", "::1"),
            ("\"[::1]:443\", 10.0.0.2", "::1"),
            ("\"1.2.3.4\"", "1.2.3.4"),
            ("2001:db8::1:443", "2001:db8::1:443"),
            (" 1.2.3.4 ", "1.2.3.4"),
            // An unreadable hop ends the search: the hop to its right counts.
            ("1.2.3.4, 10.0.0.7, unknown", "10.0.0.1"),
            ("1.2.3.4, unknown, 10.0.0.7", "10.0.0.7"),
            ("1.2.3.4, 1.2.3.4:99999, 10.0.0.7:80", "10.0.0.7"),
            ("1.2.3.4, [1.2.3.4]:80, 10.0.0.7", "10.0.0.7"),
            ("1.2.3.4, [::1, 10.0.0.7", "10.0.0.7"),
            ("1.2.3.4, \"::1, 10.0.0.7", "10.0.0.7"),
            ("1.2.3.4,, 10.0.0.7", "10.0.0.7"),
        ] {
            let forwarded_headers = headers(&[("x-forwarded-for", forwarded)]);
            assert_eq!(
                client_address(&proxied, ip("10.0.0.1"), &forwarded_headers),
                ip(client),
                "{forwarded}"
            );
        }
    }

    #[test]
    fn changed_limit_counts_anew() {
        let limiter = RateLimiter::per_minute("write", 1);
        assert!(limiter.check("ann").is_ok() && limiter.check("ann").is_err());
        assert_eq!(limiter.set_times(1), 1);
        assert!(limiter.check("ann").is_err(), "the same limit keeps its counts");
        assert_eq!(limiter.set_times(2), 1);
        assert!(limiter.check("ann").is_ok() && limiter.check("ann").is_ok());
        assert!(limiter.check("ann").is_err());
        assert_eq!(limiter.set_times(u32::MAX), 2);
        assert!(limiter.check("ann").is_ok());
    }

    #[test]
    fn slow_refill_gives_three_tenths_a_minute() {
        let minute = Duration::from_secs(60);
        for (times, refilled) in [(1, 1), (4, 1), (9, 2), (20, 6), (u32::MAX, u32::MAX / 10)] {
            let quota = Refill::ThreeTenths.quota(times);
            let rule = (quota.replenish_interval(), quota.burst_size().get());
            assert_eq!(rule, (minute / refilled, times));
        }
    }

    #[test]
    fn network_is_ipv4_address_or_ipv6_64() {
        let ip = |text: &str| text.parse::<IpAddr>().expect("address");
        assert_eq!(network_of(ip("2001:db8:1:2:3:4:5:6")), ip("2001:db8:1:2::"));
        assert_eq!(network_of(ip("1.2.3.4")), ip("1.2.3.4"));
        assert_eq!(network_of(ip("::ffff:1.2.3.4")), ip("1.2.3.4"));
    }
}

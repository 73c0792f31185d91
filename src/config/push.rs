//! Settings of push messages.

use super::parse_origin;
use clap::Args;

/// Settings of push messages.
#[derive(Args, Clone, Debug)]
pub struct PushSettings {
    /// Disable push messages, by which browsers notify players who are not on the site
    #[arg(long, env = "SPRONG_NO_PUSH")]
    pub no_push: bool,
    /// Origin of a push service to which messages may be sent, besides those of Chrome, Firefox,
    /// Safari and Edge, such as `https://push.example`; repeatable
    #[arg(long = "push-service", env = "SPRONG_PUSH_SERVICE", value_delimiter = ',', value_parser = parse_origin)]
    pub push_services: Vec<String>,
    /// Contact of the operator for push services: a URL with mailto: or https:; default: the public
    /// origin
    #[arg(long, env = "SPRONG_PUSH_CONTACT", value_parser = parse_contact)]
    pub push_contact: Option<String>,
    /// Absence of a player after which news are sent as push messages, in milliseconds
    #[arg(long, env = "SPRONG_PUSH_DELAY_MS", default_value_t = 10_000, value_parser = clap::value_parser!(u32).range(1..=600_000))]
    pub push_delay_ms: u32,
}

fn parse_contact(text: &str) -> Result<String, String> {
    let rest = text.strip_prefix("mailto:").or_else(|| text.strip_prefix("https://"));
    match rest {
        Some(rest) if !rest.is_empty() && rest.chars().all(|c| c.is_ascii_graphic()) => {
            Ok(text.to_owned())
        }
        _ => Err("expected a URL such as mailto:admin@sprong.example".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn contact_is_a_mail_or_web_address() {
        for text in ["mailto:admin@sprong.example", "https://sprong.example/contact"] {
            assert_eq!(parse_contact(text).as_deref(), Ok(text));
        }
        for text in ["admin@sprong.example", "mailto:", "http://a", "mailto:a b", "mailto:é"] {
            assert!(parse_contact(text).is_err(), "{text}");
        }
    }
}

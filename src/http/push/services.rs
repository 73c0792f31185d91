//! Push services to which messages may be sent.
//!
//! Endpoints come from clients. A server that sent requests to any of them could be used against
//! its own network, so that only those of known push services are accepted. The parsed [`Uri`] is
//! the one that is requested. Callers: `delivery`, and `api::push` by way of [`super::Push`].

use axum::http::Uri;

/// Maximum length of an endpoint, in bytes.
const ENDPOINT_BYTES_MAX: usize = 1024;

/// Hosts of push services: of Chrome, Firefox and Safari.
const HOSTS: [&str; 3] =
    ["fcm.googleapis.com", "updates.push.services.mozilla.com", "web.push.apple.com"];

/// End of the hosts of the push service of Edge, after one more label.
const HOST_END: &str = ".notify.windows.com";

/// Reason why an endpoint is refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum EndpointError {
    #[error(
        "`endpoint` must be a URL of at most {ENDPOINT_BYTES_MAX} characters, as the browser's \
         subscription has it."
    )]
    Malformed,
    #[error(
        "`endpoint` is not of a push service that this server knows. Use the push service of your \
         browser, or ask the operator to add it with `--push-service`."
    )]
    Unknown,
}

/// Known push services.
#[derive(Debug)]
pub struct PushServices {
    /// Additional origins, in lower case.
    origins: Vec<String>,
}

impl PushServices {
    /// Returns the services of the browsers, with additional origins in lower case.
    pub fn new(origins: &[String]) -> PushServices {
        PushServices { origins: origins.to_vec() }
    }

    /// Parses an endpoint.
    ///
    /// # Errors
    /// The text is no URL, or not of a known push service.
    pub fn parse_endpoint(&self, endpoint: &str) -> Result<Uri, EndpointError> {
        let is_plain = endpoint.len() <= ENDPOINT_BYTES_MAX
            && endpoint.bytes().all(|byte| byte.is_ascii_graphic() && byte != b'#');
        let uri: Option<Uri> = endpoint.parse().ok().filter(|_| is_plain);
        let uri = uri.filter(|uri| uri.scheme().is_some()).ok_or(EndpointError::Malformed)?;
        let origin = origin_of(&uri).ok_or(EndpointError::Malformed)?;
        // The authority includes a user and a port, so that neither passes.
        let host = origin.strip_prefix("https://");
        if self.origins.contains(&origin) || host.is_some_and(is_known_host) {
            Ok(uri)
        } else {
            Err(EndpointError::Unknown)
        }
    }
}

fn is_known_host(host: &str) -> bool {
    let is_label = |text: &str| {
        !text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric() || c == '-')
    };
    HOSTS.contains(&host) || host.strip_suffix(HOST_END).is_some_and(is_label)
}

/// Returns scheme and authority of a URL, in lower case and without the default port of `https`.
pub fn origin_of(uri: &Uri) -> Option<String> {
    let (scheme, authority) = (uri.scheme_str()?, uri.authority()?);
    let mut origin = format!("{scheme}://{authority}").to_ascii_lowercase();
    if scheme == "https" && origin.ends_with(":443") {
        origin.truncate(origin.len() - ":443".len());
    }
    Some(origin)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endpoints_of_known_services_are_accepted() {
        let services = PushServices::new(&["http://127.0.0.1:8099".to_owned()]);
        for endpoint in [
            "https://fcm.googleapis.com/fcm/send/abc:APA91b",
            "https://FCM.googleapis.com/wp/abc",
            "https://fcm.googleapis.com:443/wp/abc",
            "https://updates.push.services.mozilla.com/wpush/v2/gAAAA",
            "https://web.push.apple.com/QGuQyavXutnMH",
            "https://wns2-par02p.notify.windows.com/w/?token=BQYAAAC%2b",
            "http://127.0.0.1:8099/push/1",
        ] {
            assert!(services.parse_endpoint(endpoint).is_ok(), "{endpoint}");
        }
    }

    #[test]
    fn other_endpoints_are_refused() {
        let services = PushServices::new(&["http://127.0.0.1:8099".to_owned()]);
        for endpoint in [
            "http://fcm.googleapis.com/wp/abc",
            "https://fcm.googleapis.com:8443/wp/abc",
            "https://fcm.googleapis.com./wp/abc",
            "https://fcm.googleapis.com@127.0.0.1/wp",
            "https://user@fcm.googleapis.com/wp",
            "https://user:password@fcm.googleapis.com/wp",
            "https://127.0.0.1%2f.push.apple.com/",
            "https://127.0.0.1\\.push.apple.com/",
            "https://a@b.push.apple.com/",
            "https://127.0.0.1:80.push.apple.com/",
            "https://gateway.push.apple.com/",
            "https://a.b.notify.windows.com/",
            "https://.notify.windows.com/",
            "https://push.apple.com/",
            "https://evilpush.apple.com/",
            "https://fcm.googleapis.com.evil.example/",
            "https://evil.example/#.push.apple.com",
            "https://evil.example/fcm.googleapis.com",
            "https://127.0.0.1/",
            "https://10.0.0.1/",
            "https://[::1]/",
            "https://169.254.169.254/latest/meta-data",
            "http://127.0.0.1:8098/push/1",
            "https://127.0.0.1:8099/push/1",
            "http://user@127.0.0.1:8099/push/1",
            "http://127.0.0.1:80990/push/1",
            "ftp://fcm.googleapis.com/",
        ] {
            let refused = services.parse_endpoint(endpoint);
            assert!(refused.is_err(), "{endpoint}");
        }
        let long = format!("https://fcm.googleapis.com/{}", "a".repeat(ENDPOINT_BYTES_MAX));
        let newline = "https://fcm.googleapis.com/a\r\nx: y";
        for endpoint in [&*long, newline, "", "/wp/abc", "fcm.googleapis.com", "*", "javascript:a"]
        {
            let refused = services.parse_endpoint(endpoint);
            assert_eq!(refused, Err(EndpointError::Malformed), "{endpoint}");
        }
    }
}

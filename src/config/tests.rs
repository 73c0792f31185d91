//! Tests of the settings, and of their document. Caller: `cargo test`.

use super::*;
use clap::CommandFactory;

/// Path of the document that lists the settings.
const DOCUMENT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/docs/configuration.md");

/// Line after which the table of the settings begins.
const TABLE: &str = "<!-- Written by `SPRONG_REWRITE=1 cargo test configuration` -->\n";

fn settings_table() -> String {
    let mut table =
        String::from("\n| flag | variable | default | meaning |\n| --- | --- | --- | --- |\n");
    for argument in Cli::command().get_arguments() {
        let Some(variable) = argument.get_env().and_then(|name| name.to_str()) else {
            continue;
        };
        let flag = argument.get_long().expect("long flag");
        let default: Vec<_> = argument.get_default_values().iter().collect();
        let default = match &default[..] {
            // Depends on the machine.
            _ if flag == "engine-threads" => String::new(),
            [value] => format!("`{}`", value.to_string_lossy()),
            _ => String::new(),
        };
        let help = argument.get_help().map(ToString::to_string).unwrap_or_default();
        table += &format!("| `--{flag}` | `{variable}` | {default} | {help} |\n");
    }
    table
}

#[test]
fn configuration_document_lists_every_setting() {
    let document = std::fs::read_to_string(DOCUMENT).expect("document");
    let (text, table) = document.split_once(TABLE).expect("marker of the table");
    let expected = settings_table();
    if std::env::var_os("SPRONG_REWRITE").is_some() {
        std::fs::write(DOCUMENT, format!("{text}{TABLE}{expected}")).expect("written");
    } else {
        assert_eq!(table, expected, "run SPRONG_REWRITE=1 cargo test configuration");
    }
}

#[test]
fn command_line_is_consistent() {
    Cli::command().debug_assert();
}

#[test]
fn trusted_proxies_are_addresses_and_ranges() {
    let ranges = "10.0.0.1,192.168.0.0/16,::ffff:172.16.0.0/108,2001:db8::/32,::1";
    let config = Cli::parse_from(["sprong", "--trusted-proxy", ranges]).config;
    for (address, trusted) in [
        ("10.0.0.1", true),
        ("::ffff:10.0.0.1", true),
        ("10.0.0.2", false),
        ("192.168.255.1", true),
        ("::ffff:192.168.1.1", true),
        ("192.169.0.1", false),
        ("172.31.0.9", true),
        ("172.32.0.9", false),
        ("2001:db8:ffff::9", true),
        ("2001:db9::", false),
        ("::1", true),
        ("127.0.0.1", false),
    ] {
        assert_eq!(
            config.is_trusted_proxy(address.parse().expect("address")),
            trusted,
            "{address}"
        );
    }
    for text in ["", "proxy", "10.0.0.0/33", "10.0.0/8", "10.0.0.0/", "1.2.3.4:80", "::/129"] {
        let result = Cli::try_parse_from(["sprong", "--trusted-proxy", text]);
        assert!(result.is_err(), "{text}");
    }
}

#[test]
fn an_origin_is_scheme_and_host() {
    assert_eq!(parse_origin("https://Sprong.example"), Ok("https://sprong.example".to_owned()));
    for text in ["sprong.example", "https://", "https://a/b", "ftp://a", "https://u@a"] {
        assert!(parse_origin(text).is_err(), "{text}");
    }
}

use clap::{CommandFactory, FromArgMatches};
use sprong::config::{Cli, Config};

/// Returns the settings of a server in this process. Variables of the environment have no effect.
pub fn server_config(arguments: &[&str]) -> Config {
    let command = Cli::command().mut_args(|argument| argument.env(None::<&str>));
    let matches = command.get_matches_from([&["sprong"], arguments].concat());
    Cli::from_arg_matches(&matches).expect("settings").config
}

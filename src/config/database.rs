//! Address of the database as an argument. Caller: `config`.

use crate::store::DatabaseAddress;
use clap::builder::{TypedValueParser, ValueParserFactory};
use clap::error::ErrorKind;
use clap::{Arg, Command, Error};
use std::ffi::OsStr;

/// Parser whose errors leave out the argument, which may contain a password.
#[derive(Clone, Debug)]
pub struct DatabaseParser;

impl TypedValueParser for DatabaseParser {
    type Value = DatabaseAddress;

    fn parse_ref(
        &self,
        command: &Command,
        name: Option<&Arg>,
        argument: &OsStr,
    ) -> Result<DatabaseAddress, Error> {
        DatabaseAddress::parse(argument.to_owned()).map_err(|why| {
            let named = name.map_or_else(String::new, |argument| format!("{argument}: "));
            Error::raw(ErrorKind::ValueValidation, format!("{named}{why}\n")).with_cmd(command)
        })
    }
}

impl ValueParserFactory for DatabaseAddress {
    type Parser = DatabaseParser;

    fn value_parser() -> DatabaseParser {
        DatabaseParser
    }
}

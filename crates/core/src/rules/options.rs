use std::fmt;

/// Option of a variant, chosen when a game is created.
#[derive(Debug)]
pub struct OptionInfo {
    /// Key of the option in the API, the database and JSON.
    pub key: &'static str,
    /// Possible values. The first is the default.
    pub values: &'static [&'static str],
}

/// Maximum number of options of a variant.
const OPTIONS_MAX: usize = 4;

/// Chosen values of all options of a variant.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    infos: &'static [OptionInfo],
    chosen: [u8; OPTIONS_MAX],
}

/// Error of [`Options::set`].
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum InvalidOption {
    /// The variant has no option with the key. Fields: the key, the valid keys.
    #[error("there is no option {0:?}; the options are: {1}")]
    Key(String, String),
    /// The option has no such value. Fields: the key, the value, the valid values.
    #[error("{0} cannot be {1:?}; it is one of: {2}")]
    Value(&'static str, String, String),
}

impl Options {
    /// Returns the default value of every option.
    pub fn new(infos: &'static [OptionInfo]) -> Options {
        debug_assert!(infos.len() <= OPTIONS_MAX);
        Options { infos, chosen: [0; OPTIONS_MAX] }
    }

    /// Sets the value of an option.
    ///
    /// # Errors
    /// Returns an error if the variant has no such option or the option has no such value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), InvalidOption> {
        let keys = || self.infos.iter().map(|info| info.key).collect::<Vec<_>>().join(", ");
        let index = self
            .infos
            .iter()
            .position(|info| info.key == key)
            .ok_or_else(|| InvalidOption::Key(key.to_owned(), keys()))?;
        let info = &self.infos[index];
        let chosen = info.values.iter().position(|allowed| *allowed == value).ok_or_else(|| {
            InvalidOption::Value(info.key, value.to_owned(), info.values.join(", "))
        })?;
        self.chosen[index] = chosen as u8;
        Ok(())
    }

    /// Returns the value of an option.
    ///
    /// # Panics
    /// Panics if the variant has no option with the key.
    pub fn value(&self, key: &str) -> &'static str {
        self.iter().find(|(name, _)| *name == key).expect("the variant has the option").1
    }

    /// Iterates over the options as (key, value), in the order of the variant.
    pub fn iter(&self) -> impl Iterator<Item = (&'static str, &'static str)> {
        self.infos
            .iter()
            .zip(self.chosen)
            .map(|(info, at)| (info.key, info.values[usize::from(at)]))
    }
}

impl PartialEq for Options {
    fn eq(&self, other: &Options) -> bool {
        self.iter().eq(other.iter())
    }
}

impl fmt::Display for Options {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (key, value)) in self.iter().enumerate() {
            let space = if at == 0 { "" } else { " " };
            write!(f, "{space}{key}={value}")?;
        }
        Ok(())
    }
}

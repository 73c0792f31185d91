use std::fmt;

/// One thing that may be chosen when a game is made.
#[derive(Debug)]
pub struct OptionInfo {
    /// Its word.
    pub key: &'static str,
    /// What may be chosen; the first is the default.
    pub values: &'static [&'static str],
}

/// The most options a variant may have.
const OPTIONS_MAX: usize = 4;

/// What was chosen, for every option of one variant.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    infos: &'static [OptionInfo],
    chosen: [u8; OPTIONS_MAX],
}

/// Why a choice was not taken.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum BadOption {
    /// The variant has no option of that name.
    #[error("there is no option {0:?}; the options are: {1}")]
    Key(String, String),
    /// The option has no such value.
    #[error("{0} cannot be {1:?}; it is one of: {2}")]
    Value(&'static str, String, String),
}

impl Options {
    /// Every option at its default.
    pub fn new(infos: &'static [OptionInfo]) -> Options {
        debug_assert!(infos.len() <= OPTIONS_MAX);
        Options { infos, chosen: [0; OPTIONS_MAX] }
    }

    /// Chooses a value.
    ///
    /// # Errors
    /// When there is no such option, or no such value.
    pub fn set(&mut self, key: &str, value: &str) -> Result<(), BadOption> {
        let keys = || self.infos.iter().map(|info| info.key).collect::<Vec<_>>().join(", ");
        let at = self
            .infos
            .iter()
            .position(|info| info.key == key)
            .ok_or_else(|| BadOption::Key(key.to_owned(), keys()))?;
        let info = &self.infos[at];
        let chosen =
            info.values.iter().position(|known| *known == value).ok_or_else(|| {
                BadOption::Value(info.key, value.to_owned(), info.values.join(", "))
            })?;
        self.chosen[at] = chosen as u8;
        Ok(())
    }

    /// The value chosen for an option that the variant has.
    pub fn value(&self, key: &str) -> &'static str {
        self.iter().find(|(known, _)| *known == key).expect("option of this variant").1
    }

    /// Every option with its value, in the variant's order.
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

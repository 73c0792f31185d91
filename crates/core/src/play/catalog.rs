//! Catalog of all variants with their boards and options, as in the API.

use super::option_values::OptionValue;
use crate::rules::{Board, OptionInfo, VariantNames};
use crate::variants::{self, Variant};
use serde::Serialize;

/// Option of a variant, chosen when a game is created.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct OptionDescription {
    /// Key, unique within the variant.
    pub key: &'static str,
    /// Possible values.
    pub values: Vec<OptionValue>,
    /// Value of a game for which no other is chosen.
    pub default: OptionValue,
}

impl OptionDescription {
    fn new(option: &OptionInfo) -> OptionDescription {
        let values = option.values.iter().copied().map(OptionValue::new);
        OptionDescription {
            key: option.key,
            values: values.collect(),
            default: OptionValue::new(option.values[0]),
        }
    }
}

/// Variant as the API describes it.
#[derive(Clone, Debug, Serialize)]
#[cfg_attr(feature = "schema", derive(utoipa::ToSchema))]
pub struct VariantDescription {
    /// Key in camel case, as in paths and stored games.
    pub key: &'static str,
    /// English name.
    pub name: &'static str,
    /// Names by language.
    pub names: VariantNames,
    /// Names of the first and the second side.
    pub sides: [&'static str; 2],
    /// Size, cells and their marks.
    pub board: Board,
    /// Options of a game.
    pub options: Vec<OptionDescription>,
    /// Whether the start position is random.
    pub chance: bool,
}

/// Returns the variants in the order of [`variants::ALL`].
pub fn catalog() -> Vec<VariantDescription> {
    variants::ALL.iter().map(describe).collect()
}

fn describe(variant: &Variant) -> VariantDescription {
    let info = variant.info;
    VariantDescription {
        key: info.key,
        name: info.names.en,
        names: info.names,
        sides: info.sides,
        board: info.board,
        options: info.options.iter().map(OptionDescription::new).collect(),
        chance: info.chance,
    }
}

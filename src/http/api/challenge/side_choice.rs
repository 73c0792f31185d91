//! Side that a request names, by its order, by a color, or at random. Callers: the handlers of
//! challenges and of exports.

use crate::http::error::Error;
use crate::http::messages;
use crate::play::reason::Reason;
use crate::rules::Side;
use crate::store::GameChoice;
use crate::variants::{self, Variant};
use serde::{Deserialize, Deserializer, de};
use serde_json::Value;
use std::collections::BTreeSet;
use std::str::FromStr;
use utoipa::openapi::schema::{ObjectBuilder, Type};
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

/// Side in a request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SideChoice {
    Random,
    First,
    Second,
    /// Color of a variant, or one of the two of lichess.
    Color(&'static str),
}

impl SideChoice {
    const NAMES: [&str; 3] = ["random", "first", "second"];

    fn colors() -> BTreeSet<&'static str> {
        variants::ALL
            .iter()
            .flat_map(|variant| variant.info.sides)
            .chain(["black", "white"])
            .collect()
    }

    fn names() -> impl Iterator<Item = &'static str> {
        SideChoice::NAMES.into_iter().chain(SideChoice::colors())
    }

    /// Returns the side in a variant; `None` at random.
    ///
    /// # Errors
    /// `badColor` for a color that the variant does not have.
    pub fn side(self, variant: &'static Variant) -> Result<Option<Side>, Error> {
        let color = match self {
            SideChoice::Random => return Ok(None),
            SideChoice::First => return Ok(Some(Side::First)),
            SideChoice::Second => return Ok(Some(Side::Second)),
            SideChoice::Color(color) => color,
        };
        let white = messages::white(variant);
        let is_named = |side: &Side| variant.info.sides[side.index()] == color;
        match (Side::BOTH.into_iter().find(is_named), color) {
            (Some(side), _) => Ok(Some(side)),
            (None, "white") => Ok(Some(white)),
            (None, "black") => Ok(Some(white.other())),
            (None, _) => {
                let [first, second] = variant.info.sides;
                let why = format!("`color` must be {first}, {second}, first, second or random.");
                Err(Error::InvalidField(Reason::BadColor, why))
            }
        }
    }

    /// Returns the side in all of the variants; `None` at random.
    ///
    /// # Errors
    /// `badColor` for a color that is not the same side in all of them.
    pub fn common_side(self, choices: &[GameChoice]) -> Result<Option<Side>, Error> {
        let mut sides = choices.iter().map(|choice| self.side(choice.variant));
        let first = sides.next().transpose()?.flatten();
        for side in sides {
            if side? != first {
                let why = "`color` is not the same side in all of these games.".to_owned();
                return Err(Error::InvalidField(Reason::BadColor, why));
            }
        }
        Ok(first)
    }
}

impl FromStr for SideChoice {
    type Err = String;

    fn from_str(name: &str) -> Result<SideChoice, String> {
        match name {
            "random" => Ok(SideChoice::Random),
            "first" => Ok(SideChoice::First),
            "second" => Ok(SideChoice::Second),
            color => {
                SideChoice::colors().get(color).copied().map(SideChoice::Color).ok_or_else(|| {
                    let names: Vec<&str> = SideChoice::names().collect();
                    format!("must be one of: {}", names.join(", "))
                })
            }
        }
    }
}

impl<'de> Deserialize<'de> for SideChoice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SideChoice, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(de::Error::custom)
    }
}

impl PartialSchema for SideChoice {
    fn schema() -> RefOr<Schema> {
        let description = "Side by its order, by a color of the variant, or at random.";
        let names = SideChoice::names().map(Value::from);
        let schema = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
        schema.description(Some(description)).into()
    }
}

impl ToSchema for SideChoice {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_documented_name_is_parsed() {
        for name in SideChoice::names() {
            assert!(name.parse::<SideChoice>().is_ok(), "{name}");
        }
        let error = "purple".parse::<SideChoice>().expect_err("no such color");
        assert!(error.contains("random, first, second, black"), "{error}");
    }

    #[test]
    fn white_and_black_are_sides_of_every_variant() {
        for variant in &variants::ALL {
            let side = |color| SideChoice::Color(color).side(variant).ok().flatten();
            let sides = ["white", "black"].map(|color| side(color).expect("a side"));
            assert_ne!(sides[0], sides[1], "{}", variant.info.key);
            let own = variant.info.sides.map(side);
            assert_eq!(own, [Some(Side::First), Some(Side::Second)], "{}", variant.info.key);
        }
    }
}

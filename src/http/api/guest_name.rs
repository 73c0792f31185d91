//! Names of guests.

/// Attempts after which the number of the name gets another digit.
const TRIES_PER_DIGIT: u32 = 4;

const ANIMALS: [&str; 32] = [
    "Heron", "Otter", "Badger", "Finch", "Hare", "Swan", "Hedgehog", "Magpie", "Beaver", "Lark",
    "Marten", "Owl", "Robin", "Seal", "Stork", "Wren", "Bee", "Crane", "Deer", "Duck", "Fox",
    "Frog", "Gull", "Ibex", "Jay", "Lynx", "Mole", "Newt", "Plover", "Roe", "Tern", "Vole",
];

/// Draws the id and the name of a guest, such as `~otter-42` and `Otter 42`. The tilde separates
/// guest ids from ids that can be registered.
pub fn guest_name(tries: u32) -> (String, String) {
    let draw = |bound: u32| {
        let bits = getrandom::u32().expect("random generator of the operating system");
        (u64::from(bits) * u64::from(bound)) >> 32
    };
    let animal = ANIMALS[draw(ANIMALS.len() as u32) as usize];
    let name = format!("{animal} {}", draw(10_u32.pow(3 + tries / TRIES_PER_DIGIT)));
    (format!("~{}", name.to_ascii_lowercase().replace(' ', "-")), name)
}

//! Embeds the pages in the binary, and rebuilds when a migration changes.

fn main() {
    println!("cargo:rerun-if-changed=migrations");
    memory_serve::load_directory("./static");
}

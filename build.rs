//! The shipped packs are embedded: a new or changed file of theirs must be seen.

fn main() {
    println!("cargo::rerun-if-changed=rulesets");
}

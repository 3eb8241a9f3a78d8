//! The driver's declarations of newer Vulkan are those of the registry.

use std::fs;
use std::path::Path;

use quadrille_conformance::registry::{EXCERPT, GENERATED, declarations};
use quadrille_jit::env;

#[test]
fn generated_declarations_are_up_to_date() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let excerpt = fs::read_to_string(root.join(EXCERPT)).unwrap();
    let new = declarations(&excerpt).unwrap();
    if env::bless() {
        fs::write(root.join(GENERATED), &new).unwrap();
    }
    let old = fs::read_to_string(root.join(GENERATED)).unwrap();
    assert!(
        new == old,
        "{GENERATED} is not what {EXCERPT} says; `quadrille-conformance registry` writes it anew"
    );
}

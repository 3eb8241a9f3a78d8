//! Random programs of the API create every kind of object of the library, or a table says why not.

use quadrille_conformance::calls::api::kinds::KINDS;

use super::*;

#[test]
fn random_programs_know_every_kind_of_object() {
    let files = sources(&root().join("emulator/src"));
    let texts = files.iter().map(|file| fs::read_to_string(file).unwrap());
    let kinds: BTreeSet<String> = texts.flat_map(|text| kinds(&text)).collect();
    let listed: BTreeSet<String> = KINDS.iter().map(|(kind, _)| (*kind).to_owned()).collect();
    let missing: Vec<_> = kinds.difference(&listed).collect();
    assert!(missing.is_empty(), "api::kinds lists no {missing:?}");
    let gone: Vec<_> = listed.difference(&kinds).collect();
    assert!(gone.is_empty(), "the library has no {gone:?}");
}

/// Names of the objects that a text declares, outside of tests and comments.
fn kinds(text: &str) -> Vec<String> {
    let code = code_of(text);
    let declared = code.split("objects! {").skip(1).map(|rest| rest.split('}').next().unwrap());
    let lines = declared.flat_map(|block| block.split(';'));
    lines.filter_map(|line| line.split('"').nth(1)).map(str::to_owned).collect()
}

#[test]
fn kinds_are_found() {
    let text = "objects! { A: \"an a\" = |a| Some(a.0); }\nobjects! {\n    B: \"b\" = |b| b.id();\n    C: \"c\" = |_c| \
        None;\n}\n#[cfg(test)]\nmod tests {\n    objects! { D: \"d\" = |_d| None; }\n}\n";
    assert_eq!(kinds(text), ["an a", "b", "c"]);
}

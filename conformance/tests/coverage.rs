//! Checks that every row in scope is tested, that `COVERAGE.md` states these rows and those out of scope, and that tests
//! detect a broken row: every fourth row, or all of them with `QUADRILLE_VARIANTS=all`. `QUADRILLE_BLESS=1` writes the
//! page anew.

use std::fs;
use std::path::Path;

use quadrille_conformance::coverage::{self, mutate, report};
use quadrille_conformance::filetest;
use quadrille_jit::env;

#[test]
fn coverage_is_what_is_stated_and_changes_are_noticed() {
    let files = filetest::all();
    let (parts, mut failures) = coverage::all_parts(&files);
    let record = coverage::record(&parts);
    failures.extend(record.failures.iter().cloned());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let tables = coverage::tables(&files, &record);
    for table in &tables {
        assert!(table.missing.is_empty(), "{} has no test of:\n{}", table.table, table.missing.join("\n"));
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("COVERAGE.md");
    let new = report::markdown(&tables);
    if env::bless() {
        fs::write(&path, &new).unwrap();
    }
    let stated = fs::read_to_string(&path).unwrap();
    let differs = stated.lines().zip(new.lines()).find(|(stated, new)| stated != new);
    assert!(
        stated == new,
        "COVERAGE.md is not what the tests show; QUADRILLE_BLESS=1 writes it anew: {differs:?}"
    );
    let step = if env::is_on(env::VARIANTS) { 1 } else { 4 };
    let mutated = mutate::run(&parts, &record, step);
    assert!(mutated.changes > 6000 / step, "{} changes", mutated.changes);
    assert!(mutated.survivors.is_empty(), "no test notices:\n{}", mutated.survivors.join("\n"));
}

//! Checks that at least the rows that `COVERAGE.md` states are tested, that it lists all rows out of scope, and that
//! tests detect a broken row: every fourth row, or all of them with `QUADRILLE_VARIANTS=all`. To update the file:
//! `cargo run -p quadrille-conformance -- coverage --markdown > conformance/COVERAGE.md`.

use quadrille_conformance::coverage::{self, mutate};
use quadrille_conformance::filetest;
use quadrille_jit::env;

#[test]
fn coverage_is_what_is_stated_and_changes_are_noticed() {
    let files = filetest::all();
    let (parts, mut failures) = coverage::all_parts(&files);
    let record = coverage::record(&parts);
    failures.extend(record.failures.iter().cloned());
    assert!(failures.is_empty(), "{}", failures.join("\n"));
    let stated = include_str!("../COVERAGE.md");
    for table in coverage::tables(&files, &record) {
        let head = format!("| {} |", table.table);
        let line = stated.lines().find_map(|l| l.strip_prefix(&head));
        let tested = line.and_then(|l| l.split('|').nth(2)?.trim().parse::<usize>().ok());
        let tested = tested.unwrap_or_else(|| panic!("COVERAGE.md has no row {}", table.table));
        let missing = table.missing.join("\n");
        assert!(
            table.tested >= tested,
            "{}: {} rows tested of {tested}:\n{missing}",
            table.table,
            table.tested
        );
        for (name, reason) in &table.excluded {
            let there = stated.contains(name.as_str()) && stated.contains(reason);
            assert!(there, "COVERAGE.md does not say that {name} is out of scope: {reason}");
        }
    }
    let step = if env::is_on(env::VARIANTS) { 1 } else { 4 };
    let mutated = mutate::run(&parts, &record, step);
    assert!(mutated.changes > 6000 / step, "{} changes", mutated.changes);
    assert!(mutated.survivors.is_empty(), "no test notices:\n{}", mutated.survivors.join("\n"));
}

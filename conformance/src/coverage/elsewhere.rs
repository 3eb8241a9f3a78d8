//! Rows that tests other than the file tests check, since a shader alone cannot show them.
//!
//! Each names the test, as file and function; a unit test looks that it is there.

use super::facts::Table;

/// A row (name as [`super::inventory::grammar_name`] spells it) and the test that compares what it does.
pub const ROWS: &[(Table, &str, &str, &str)] = &[
    (Table::BuiltIn, "PointCoord", "emulator/tests/samples.rs", "points_have_a_size_and_coordinates"),
    (Table::Mode, "PostDepthCoverage", "emulator/tests/samples.rs", "sample_masks_after_the_depth_test"),
    (
        Table::Capability,
        "SampleMaskPostDepthCoverage",
        "emulator/tests/samples.rs",
        "sample_masks_after_the_depth_test",
    ),
    (Table::BuiltIn, "PointSize", "emulator/tests/samples.rs", "points_have_a_size_and_coordinates"),
];

/// The test that checks a row.
pub fn find(table: Table, name: &str) -> Option<(&'static str, &'static str)> {
    ROWS.iter().find(|r| r.0 == table && r.1 == name).map(|r| (r.2, r.3))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    #[test]
    fn the_tests_exist() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        for (_, name, file, function) in super::ROWS {
            let text = std::fs::read_to_string(root.join(file)).unwrap_or_default();
            assert!(text.contains(&format!("fn {function}(")), "{name}: there is no {function} in {file}");
        }
    }
}

//! The table of kinds in the README matches the code.

use std::fmt::Write;
use std::path::Path;

use quadrille_check::Kind;

#[test]
fn kinds_are_those_of_the_table() {
    let mut table =
        "| kind | level | mistake | rule, summarized | specification |\n|---|---|---|---|---|\n".to_owned();
    for kind in Kind::ALL {
        let cell = |text: &str| text.replace('|', "\\|");
        let (title, says) = (cell(kind.title()), cell(kind.says()));
        let _ = writeln!(table, "| `{kind}` | {} | {title} | {says} | {} |", kind.level(), kind.clause());
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("README.md");
    let text = std::fs::read_to_string(&path).unwrap();
    let (before, behind) = text.split_once("<!-- kinds -->\n").unwrap();
    let (old, behind) = behind.split_once("<!-- end -->").unwrap();
    let new = format!("{before}<!-- kinds -->\n{table}<!-- end -->{behind}");
    if quadrille_jit::env::bless() && old != table {
        std::fs::write(&path, new).unwrap();
    } else {
        assert!(old == table, "README.md is not what the code says; QUADRILLE_BLESS=1 writes it anew");
    }
}

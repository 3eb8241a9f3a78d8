//! Reports of the rows that are in scope, implemented and tested, per CSV file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use super::facts::{Fact, Table};
use super::inventory::{self, FILES, Row};
use super::{Record, classes, elsewhere, implemented};

/// Counts of one table.
#[derive(Clone, Debug, Default)]
pub struct Counted {
    /// Name of the CSV file, or of the counted rows.
    pub table: String,
    /// Rows in scope.
    pub rows: usize,
    /// Implemented rows in scope.
    pub implemented: usize,
    /// Rows that a test checks with every type that matters.
    pub tested: usize,
    /// Missing rows.
    pub missing: Vec<String>,
    /// Rows out of scope, with reasons.
    pub excluded: Vec<(String, &'static str)>,
}

/// Counts every table.
pub fn count(record: &Record) -> Vec<Counted> {
    let done = implemented();
    let mut seen: BTreeSet<(Table, u32)> = BTreeSet::new();
    let mut out = Vec::new();
    let mut types = Counted { table: "instructions by type".into(), ..Counted::default() };
    let files: Vec<(&str, Vec<Row>)> = FILES.iter().map(|f| (f.name, f.rows())).collect();
    for (_, rows) in &files {
        seen.extend(rows.iter().map(|r| (r.table, r.number)));
    }
    for (name, mut rows) in files {
        // Rows newer than the files count with the last file of their table.
        if name != "spirv_instructions.csv"
            && let Some(table) = rows.first().map(|r| r.table)
        {
            for &(t, number) in done.iter().filter(|d| d.0 == table && !seen.contains(d)) {
                let name = inventory::grammar_name(t, number);
                rows.push(Row { name, table: t, number, excluded: None });
            }
        }
        out.push(one(name, &rows, &done, record, &mut types));
    }
    out.push(types);
    out
}

fn one(
    name: &str,
    rows: &[Row],
    done: &BTreeSet<(Table, u32)>,
    record: &Record,
    types: &mut Counted,
) -> Counted {
    let mut out = Counted { table: name.into(), ..Counted::default() };
    for row in rows {
        let key = (row.table, row.number);
        // For enumerations without a table of their own, tested rows count as implemented.
        let any = checked_any(record, key);
        let is_done = match row.table {
            Table::Other(_) => any,
            _ => done.contains(&key),
        };
        if let (Some(reason), false) = (row.excluded, is_done) {
            out.excluded.push((row.name.clone(), reason));
            continue;
        }
        out.rows += 1;
        if !is_done {
            out.missing.push(format!("{} (not implemented)", row.name));
            continue;
        }
        out.implemented += 1;
        let wanted = classes::required(row.table, row.name.trim_start_matches("Op"));
        let has = |class: &str| {
            let fact = Fact { table: row.table, number: row.number, class: class.into() };
            record.checked.contains_key(&fact)
        };
        let absent: Vec<&str> = wanted.iter().map(String::as_str).filter(|c| !has(c)).collect();
        types.rows += wanted.len();
        types.implemented += wanted.len();
        types.tested += wanted.len() - absent.len();
        let name = inventory::grammar_name(row.table, row.number);
        let elsewhere = elsewhere::find(row.table, &name).is_some();
        match (any || elsewhere, absent.is_empty()) {
            (true, true) => out.tested += 1,
            (true, false) => {
                out.missing.push(format!("{} ({})", row.name, absent.join(" ")));
                types.missing.push(format!("{} ({})", row.name, absent.join(" ")));
            }
            (false, _) => out.missing.push(format!("{} (no test)", row.name)),
        }
    }
    out
}

fn checked_any(record: &Record, (table, number): (Table, u32)) -> bool {
    let from = Fact { table, number, class: String::new() };
    record.checked.range(from..).next().is_some_and(|(f, _)| (f.table, f.number) == (table, number))
}

/// Formats the counts as a table for the terminal.
pub fn text(list: &[Counted]) -> String {
    let mut out = format!("{:40} {:>8} {:>12} {:>8}\n", "", "in scope", "implemented", "tested");
    for c in list {
        let _ = writeln!(out, "{:40} {:>8} {:>12} {:>8}", c.table, c.rows, c.implemented, c.tested);
    }
    for c in list.iter().filter(|c| !c.missing.is_empty() && !c.table.starts_with("instructions")) {
        let _ = writeln!(out, "\n{}: {} missing", c.table, c.missing.len());
        for m in &c.missing {
            let _ = writeln!(out, "  {m}");
        }
    }
    out
}

/// Formats the counts as a JSON list of `{table, rows, implemented, tested, missing}`.
pub fn json(list: &[Counted]) -> String {
    let quote = |s: &str| format!("\"{}\"", s.replace('\\', "\\\\").replace('"', "\\\""));
    let one = |c: &Counted| {
        let missing: Vec<String> = c.missing.iter().map(|m| quote(m)).collect();
        format!(
            "  {{\"table\": {}, \"rows\": {}, \"implemented\": {}, \"tested\": {}, \"missing\": [{}]}}",
            quote(&c.table),
            c.rows,
            c.implemented,
            c.tested,
            missing.join(", ")
        )
    };
    format!("[\n{}\n]\n", list.iter().map(one).collect::<Vec<_>>().join(",\n"))
}

/// Formats the counts as a Markdown table.
pub fn figures(list: &[Counted]) -> String {
    let mut out = String::from("| table | rows in scope | implemented | tested |\n|---|---:|---:|---:|\n");
    for c in list {
        let _ = writeln!(out, "| {} | {} | {} | {} |", c.table, c.rows, c.implemented, c.tested);
    }
    out
}

/// Text of `COVERAGE.md`: the counts, the missing rows, and the rows that are out of scope.
pub fn markdown(list: &[Counted]) -> String {
    let mut out = String::from(
        "# Coverage\n\nWritten by `cargo run --release -p quadrille-conformance -- coverage --markdown`.\n\n\
         A row is in scope if it is for OpenCL kernels or for Vulkan shaders of the stages from vertex to fragment, of\n\
         compute or of ray tracing, and is not listed under \"Out of scope\". It is tested if a file test uses it, compares results\n\
         and passes. A row of an instruction is tested if this holds for every type that matters (width,\n\
         signedness, scalar and vectors). Rows that a shader alone cannot show have tests elsewhere, which\n\
         `src/coverage/elsewhere.rs` names. `coverage --mutate` proves that the file tests notice mistakes: it\n\
         changes the instructions of one row after another and runs the tests that use them. Functions of GLSL are\n\
         counted by signature, features of GLSL by row: file tests name the functions that they call and the\n\
         features that they show, and all tests that name a row must pass.\n\n",
    );
    out += &figures(list);
    out += "\n## Not tested\n\n";
    let missing = list.iter().filter(|c| !c.table.starts_with("instructions"));
    let missing: Vec<String> =
        missing.flat_map(|c| c.missing.iter().map(|m| format!("- `{}`: {m}\n", c.table))).collect();
    out += if missing.is_empty() { "Nothing.\n" } else { "" };
    out.extend(missing);
    out += "\n## Out of scope\n\n";
    out += &exclusions(list);
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}

/// Formats the rows that are out of scope, by reason, in Markdown.
pub fn exclusions(list: &[Counted]) -> String {
    let mut by: BTreeMap<&str, Vec<(&str, Vec<&str>)>> = BTreeMap::new();
    for c in list {
        for (name, reason) in &c.excluded {
            let tables = by.entry(reason).or_default();
            match tables.last_mut().filter(|t| t.0 == c.table) {
                Some(t) => t.1.push(name),
                None => tables.push((&c.table, vec![name])),
            }
        }
    }
    let mut out = String::new();
    for (reason, tables) in by {
        let n: usize = tables.iter().map(|t| t.1.len()).sum();
        let _ = writeln!(out, "### {reason}: {n} rows\n");
        for (table, names) in tables {
            let _ = writeln!(out, "- `{table}`: {}", names.join(", "));
        }
        out.push('\n');
    }
    out
}

//! Coverage as an HTML page: files with their percentages, and each source with its counts. The page needs no network.

use std::fmt::Write as _;

use crate::coverage::{Branch, Coverage, FileCoverage};

const HEAD: &str = "<!doctype html>
<html lang=\"en\">
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width\">
<title>Coverage of shaders</title>
<style>
:root { color-scheme: light dark; --line: #8884; }
body { margin: 0 auto; max-width: 70rem; padding: 1rem 1.5rem 4rem; font: 15px/1.45 system-ui, sans-serif; }
h1 { font-size: 1.2rem; } h2 { font: 600 1rem ui-monospace, monospace; margin: 2rem 0 .4rem; }
table { border-collapse: collapse; }
.files td, .files th { padding: .2rem .9rem .2rem 0; text-align: left; border-bottom: 1px solid var(--line); }
.source { font: 13px/1.4 ui-monospace, monospace; white-space: pre-wrap; width: 100%; }
.source td { padding: 0 .6rem 0 0; vertical-align: top; }
.source td:nth-child(-n+3) { text-align: right; opacity: .65; user-select: none; white-space: nowrap; }
tr.hit { background: #2a7d3c22; } tr.part { background: #b7791f33; } tr.miss { background: #c0392b33; }
</style>
";

/// Makes the page; `read` returns the text of files whose text is not known.
pub fn page(coverage: &Coverage, read: impl Fn(&str) -> Option<String>) -> String {
    let mut page = format!("{HEAD}<h1>Coverage of shaders</h1>\n<table class=\"files\">\n");
    page += "<tr><th>file<th>lines<th>functions<th>branches\n";
    let files = || coverage.files.iter().filter(|(name, _)| !name.is_empty());
    for (n, (name, file)) in files().enumerate() {
        let cell = |(hit, all): (usize, usize)| match all {
            0 => "-".to_owned(),
            _ => format!("{:.1} % ({hit} of {all})", 100.0 * hit as f64 / all as f64),
        };
        let (lines, functions) = (cell(file.line_counts()), cell(file.function_counts()));
        let branches = cell(file.branch_counts());
        let name = escaped(name);
        let _ =
            writeln!(page, "<tr><td><a href=\"#f{n}\">{name}</a><td>{lines}<td>{functions}<td>{branches}");
    }
    page += "</table>\n";
    for (n, (name, file)) in files().enumerate() {
        let _ = writeln!(page, "<h2 id=\"f{n}\">{}</h2>", escaped(name));
        match file.text.clone().or_else(|| read(name)) {
            Some(text) => page += &source(file, &text),
            None => page += "<p>Its text is not known.</p>\n",
        }
    }
    page + "</html>\n"
}

fn source(file: &FileCoverage, text: &str) -> String {
    let mut out = String::from("<table class=\"source\">\n");
    for (n, line) in (1..).zip(text.lines()) {
        let way = |last| Branch { line: n, block: last, branch: last };
        let ways: Vec<u64> = file.branches.range(way(0)..=way(u32::MAX)).map(|(_, n)| *n).collect();
        let taken = ways.iter().filter(|n| **n > 0).count();
        let hits = file.lines.get(&n);
        let class = match hits {
            None => "",
            Some(0) => " class=\"miss\"",
            Some(_) if taken < ways.len() => " class=\"part\"",
            Some(_) => " class=\"hit\"",
        };
        let hits = hits.map_or(String::new(), u64::to_string);
        let ways = if ways.is_empty() { String::new() } else { format!("{taken}/{}", ways.len()) };
        let _ = writeln!(out, "<tr{class}><td>{n}<td>{hits}<td>{ways}<td>{}", escaped(line));
    }
    out + "</table>\n"
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

//! A page with the failures: pictures side by side, and the expected one over the actual one under a slider. The page
//! is self-contained and needs no network.

use std::path::Path;

use quadrille::files;
use quadrille::page::{base64, escaped};

use crate::outcome::{Counts, Failure, Outcome, Report};

const HEAD: &str = include_str!("head.html");
const TAIL: &str = include_str!("tail.html");

/// The whole page.
pub fn document(reports: &[Report], counts: &Counts) -> String {
    let mut page = HEAD.to_owned();
    page += &format!(
        "<header><h1>quadrille test</h1><p><b class=\"passed\">{} passed</b> <b class=\"failed\">{} failed</b> \
         <b class=\"skipped\">{} skipped</b> in {:.3} s</p></header>\n<main>\n",
        counts.passed, counts.failed, counts.skipped, counts.seconds
    );
    let failed = reports.iter().filter_map(|r| match &r.outcome {
        Outcome::Failed { failures } => Some((r, failures)),
        _ => None,
    });
    for (report, failures) in failed {
        page += &format!("<section><h2>{}</h2>\n", escaped(&report.name));
        failures.iter().for_each(|failure| page += &shown(failure));
        if !report.printed.is_empty() {
            page += &format!("<pre class=\"printed\">{}</pre>\n", escaped(&report.printed.join("\n")));
        }
        page += "</section>\n";
    }
    let rest = reports.iter().filter(|r| !matches!(r.outcome, Outcome::Failed { .. }));
    page += "<details><summary>All others</summary><ul>\n";
    for report in rest {
        let reason = match &report.outcome {
            Outcome::Skipped { reason } => format!(" <span class=\"skipped\">{}</span>", escaped(reason)),
            _ => String::new(),
        };
        page += &format!("<li>{}{reason}</li>\n", escaped(&report.name));
    }
    page + "</ul></details>\n</main>\n" + TAIL
}

fn shown(failure: &Failure) -> String {
    let mut text = format!("<pre>{}</pre>\n", escaped(&failure.to_string()));
    let Some(pictures) = &failure.pictures else { return text };
    let picture = |what: &str, path: &Path| match files::given(path, files::MAX_DATA_BYTES) {
        Ok(bytes) => format!(
            "<figure><img alt=\"{what}\" src=\"data:image/png;base64,{}\"><figcaption>{what}</figcaption></figure>",
            base64(&bytes)
        ),
        Err(e) => {
            format!("<p>{what}: {}: {}</p>", escaped(&path.display().to_string()), escaped(&e.to_string()))
        }
    };
    let expected = pictures.expected.as_deref().map(|path| picture("expected", path)).unwrap_or_default();
    let actual = picture("actual", &pictures.actual);
    let difference =
        pictures.difference.as_deref().map(|path| picture("difference", path)).unwrap_or_default();
    text += &format!("<div class=\"row\">{expected}{actual}{difference}</div>\n");
    if pictures.expected.is_some() {
        // The script of the page inserts the two pictures above here.
        text += "<div class=\"compare\"></div>\n";
    }
    text
}

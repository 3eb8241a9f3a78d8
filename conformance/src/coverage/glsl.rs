//! Functions and variables of GLSL, and the passing GLSL file tests that use them. Functions are counted by signature:
//! a test states the signatures that it calls. Variables are counted for each stage that has them.

use quadrille::frontend::Stage;

use super::facts::Table;
use super::report::Counted;
use super::{Record, elsewhere, inventory};
use crate::filetest::FileTest;

const FUNCTIONS: &str = include_str!("../../inventory/glsl_builtin_functions.csv");
const VARIABLES: &str = include_str!("../../inventory/glsl_builtin_variables.csv");
pub(super) const COMPATIBILITY: &str = "in the compatibility profile only, not in GLSL for Vulkan";
pub(super) const COUNTERS: &str = "atomic counters exist only in OpenGL, not in GLSL for Vulkan";
pub(super) const RECTANGLE: &str =
    "rectangle textures exist only in OpenGL: SPIR-V for Vulkan has no dimensionality Rect";

/// Rows of the functions, `NAME(PARAMETERS)`, each with the reason if it is out of scope.
pub fn signatures() -> impl Iterator<Item = (String, Option<&'static str>)> {
    FUNCTIONS.lines().skip(1).map(inventory::fields).map(|line| {
        let cell = |i: usize| line.get(i).map_or("", String::as_str);
        let (name, stages, status, parameters) = (cell(0), cell(3), cell(4), cell(5));
        let why = match (stages, status) {
            ("vertex (compat)", _) | (_, "compatibility" | "deprecated; not when generating SPIR-V") => {
                Some(COMPATIBILITY)
            }
            _ if name.starts_with("atomicCounter") || name == "memoryBarrierAtomicCounter" => Some(COUNTERS),
            _ if parameters.contains("Rect") => Some(RECTANGLE),
            _ => None,
        };
        (format!("{name}({parameters})"), why)
    })
}

/// Counts the functions by signature.
pub fn functions(files: &[FileTest], record: &Record) -> Counted {
    let out = Counted { table: "glsl_builtin_functions.csv, by signature".into(), ..Counted::default() };
    count(out, signatures(), |signature| {
        let calls = |f: &FileTest| f.functions().iter().any(|s| s == signature);
        files.iter().any(|f| calls(f) && record.passed.contains(&f.name))
    })
}

fn count(
    mut out: Counted,
    rows: impl Iterator<Item = (String, Option<&'static str>)>,
    tested: impl Fn(&str) -> bool,
) -> Counted {
    for (name, why) in rows {
        if let Some(why) = why {
            out.excluded.push((name, why));
            continue;
        }
        out.rows += 1;
        out.implemented += 1;
        match tested(&name) {
            true => out.tested += 1,
            false => out.missing.push(format!("{name} (no test)")),
        }
    }
    out
}

/// A row of the variables.
struct Variable {
    name: String,
    stage: String,
    storage: String,
}

impl Variable {
    fn row(&self) -> String {
        format!("{} ({}, {})", self.name, self.stage, self.storage)
    }

    /// True if a file uses the variable, in its stage and with its storage.
    fn used_by(&self, file: &FileTest) -> bool {
        let stage = match self.stage.as_str() {
            "vertex" => Some(Stage::Vertex),
            "tess-control" => Some(Stage::TessellationControl),
            "tess-eval" => Some(Stage::TessellationEvaluation),
            "geometry" => Some(Stage::Geometry),
            "fragment" => Some(Stage::Fragment),
            "compute" => Some(Stage::Compute),
            _ => None,
        };
        if stage.is_some() && file.stage() != stage {
            return false;
        }
        let of_vertex = ["gl_Position", "gl_PointSize", "gl_ClipDistance", "gl_CullDistance"]
            .contains(&self.name.as_str());
        match (self.stage.as_str(), self.storage.as_str()) {
            ("tess-control" | "tess-eval" | "geometry", "in") if of_vertex => {
                file.uses_member("gl_in", &self.name)
            }
            ("tess-control", "out") if of_vertex => file.uses_member("gl_out", &self.name),
            _ => file.uses(&self.name),
        }
    }
}

/// Counts the variables and constants by name, stage and storage.
pub fn variables(files: &[FileTest], record: &Record) -> Counted {
    let mut out = Counted { table: "glsl_builtin_variables.csv, by stage".into(), ..Counted::default() };
    for line in VARIABLES.lines().skip(1).map(inventory::fields) {
        let cell = |i: usize| line.get(i).map_or("", String::as_str);
        let name = cell(0).split(['[', '.']).next().unwrap_or_default();
        let variable = Variable { name: name.into(), stage: cell(1).into(), storage: cell(2).into() };
        let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
        let why = match cell(4) {
            "compatibility" => Some(COMPATIBILITY),
            _ if has(&["Atomic"]) => Some(COUNTERS),
            _ if has(&["DepthRange", "NumSamples", "VertexID", "InstanceID"]) => {
                Some("not in GLSL for Vulkan")
            }
            _ => None,
        };
        let rows = std::iter::once((variable.row(), why));
        out = count(out, rows, |_| {
            let row = name.trim_start_matches("gl_");
            let used = |f: &&FileTest| record.passed.contains(&f.name) && variable.used_by(f);
            // A test elsewhere covers a variable only if no other stage has it.
            let only = variable.stage == "fragment";
            files.iter().any(|f| used(&f)) || only && elsewhere::find(Table::BuiltIn, row).is_some()
        });
    }
    out
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::filetest;

    /// A misspelt signature would never count, and a signature that is not called would count wrongly.
    #[test]
    fn functions_are_rows_and_are_called() {
        let known: BTreeSet<String> = signatures().map(|s| s.0).collect();
        for file in filetest::all() {
            for function in file.functions() {
                assert!(known.contains(function), "{}: `{function}` is not a row", file.name);
                let name = function.split('(').next().unwrap_or_default();
                assert!(file.calls(name), "{}: {name} is not called", file.name);
            }
        }
    }
}

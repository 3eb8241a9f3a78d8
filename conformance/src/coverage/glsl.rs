//! Functions and variables of GLSL: which of them the file tests in GLSL use that pass. The overloads of functions are
//! glslang's business; what they become is counted with the instructions.

use std::collections::BTreeMap;

use super::facts::Table;
use super::report::Counted;
use super::{Record, elsewhere, inventory};
use crate::filetest::FileTest;

const FUNCTIONS: &str = include_str!("../../inventory/glsl_builtin_functions.csv");
const VARIABLES: &str = include_str!("../../inventory/glsl_builtin_variables.csv");
const COMPATIBILITY: &str = "of the compatibility profile; not in GLSL for Vulkan";

/// Counts the functions by name.
pub fn functions(files: &[FileTest], record: &Record) -> Counted {
    let out = Counted { table: "glsl_builtin_functions.csv, by name".into(), ..Counted::default() };
    let mut names: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    for line in FUNCTIONS.lines().skip(1).map(inventory::fields) {
        let cell = |i: usize| line.get(i).map_or("", String::as_str);
        let (name, stages, status) = (cell(0), cell(3), cell(4));
        let why = match (stages, status) {
            ("vertex (compat)", _) | (_, "compatibility" | "deprecated; not when generating SPIR-V") => {
                Some(COMPATIBILITY)
            }
            _ if name.starts_with("atomicCounter") || name == "memoryBarrierAtomicCounter" => {
                Some("atomic counters are OpenGL's; not in GLSL for Vulkan")
            }
            _ => None,
        };
        note(&mut names, name, why);
    }
    count(out, names, |name| files.iter().any(|f| f.calls(name) && record.passed.contains(&f.name)))
}

/// A name is in scope if one of its signatures is.
fn note(names: &mut BTreeMap<String, Option<&'static str>>, name: &str, why: Option<&'static str>) {
    let known = names.entry(name.to_string()).or_insert(why);
    if why.is_none() {
        *known = None;
    }
}

fn count(
    mut out: Counted,
    names: BTreeMap<String, Option<&'static str>>,
    tested: impl Fn(&str) -> bool,
) -> Counted {
    for (name, why) in names {
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

/// Counts the variables and constants by name.
pub fn variables(files: &[FileTest], record: &Record) -> Counted {
    let out = Counted { table: "glsl_builtin_variables.csv, by name".into(), ..Counted::default() };
    let mut names = BTreeMap::new();
    for line in VARIABLES.lines().skip(1).map(inventory::fields) {
        let cell = |i: usize| line.get(i).map_or("", String::as_str);
        let profile = cell(4);
        let name = cell(0).split(['[', '.']).next().unwrap_or_default();
        let has = |words: &[&str]| words.iter().any(|w| name.contains(w));
        let why = match profile {
            "compatibility" => Some(COMPATIBILITY),
            _ if has(&["Atomic"]) => Some("atomic counters are OpenGL's; not in GLSL for Vulkan"),
            _ if has(&["DepthRange", "NumSamples", "VertexID", "InstanceID"]) => {
                Some("not in GLSL for Vulkan")
            }
            _ => None,
        };
        note(&mut names, name, why);
    }
    count(out, names, |name| {
        let row = name.trim_start_matches("gl_");
        files.iter().any(|f| f.uses(name) && record.passed.contains(&f.name))
            || elsewhere::find(Table::BuiltIn, row).is_some()
    })
}

//! Functions of GLSL: which of them the file tests in GLSL call. Their overloads are glslang's business;
//! what they become is counted with the instructions.

use std::collections::BTreeMap;

use super::inventory;
use super::report::Counted;
use crate::filetest::FileTest;

const FUNCTIONS: &str = include_str!("../../inventory/glsl_builtin_functions.csv");

/// Counts the functions by name.
pub fn functions(files: &[FileTest]) -> Counted {
    let mut out = Counted { table: "glsl_builtin_functions.csv, by name".into(), ..Counted::default() };
    let mut names: BTreeMap<String, Option<&'static str>> = BTreeMap::new();
    for line in FUNCTIONS.lines().skip(1).map(inventory::fields) {
        let cell = |i: usize| line.get(i).map_or("", String::as_str);
        let (name, stages, status) = (cell(0), cell(3), cell(4));
        let why = match (stages, status) {
            ("geometry", _) => Some(inventory::reason::STAGES),
            ("vertex (compat)", _) | (_, "compatibility" | "deprecated; not when generating SPIR-V") => {
                Some("of the compatibility profile; not in GLSL for Vulkan")
            }
            _ if name.starts_with("atomicCounter") || name == "memoryBarrierAtomicCounter" => {
                Some("atomic counters are OpenGL's; not in GLSL for Vulkan")
            }
            _ => None,
        };
        // A name is in scope if one of its signatures is.
        let known = names.entry(name.to_string()).or_insert(why);
        if why.is_none() {
            *known = None;
        }
    }
    for (name, why) in names {
        if let Some(why) = why {
            out.excluded.push((name, why));
            continue;
        }
        out.rows += 1;
        out.implemented += 1;
        match files.iter().any(|f| f.calls(&name)) {
            true => out.tested += 1,
            false => out.missing.push(format!("{name} (no test)")),
        }
    }
    out
}

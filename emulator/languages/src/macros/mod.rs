//! Bounds on the macro expansion of a GLSL source. glslang cannot be interrupted while it expands macros, and nothing but memory
//! bounds what it makes of them.
//!
//! Sources are read here as glslang's preprocessor reads them, token by token, and the tokens are counted. `scan` splits the text,
//! `expand` expands macros, `directives` follows directives and conditions. A source could pass the bound by text that the two
//! read in different ways. So macros that the compiler predefines have their values from the compiler, and sources with continued
//! comments are read twice: as versions with continued lines do, and as those without.

use std::collections::BTreeSet;

use expand::Machine;
use scan::{Names, Scanner, names};

mod directives;
mod expand;
mod scan;
#[cfg(test)]
mod tests;

/// Largest number of tokens that all macro expansions of a source may read and produce.
const MAX_TOKENS: usize = 2_000_000;
/// Largest nesting depth of macro expansions.
const MAX_DEPTH: usize = 200;

/// True if a source may have macros of its own.
pub(super) fn may_define(source: &str, defines: &[(String, String)]) -> bool {
    // A continued line may split the name of the directive.
    !defines.is_empty() || ["define", "\\\n", "\\\r"].iter().any(|text| source.contains(text))
}

/// Returns a line and a message if the macros of a source expand to more than the compiler should process.
///
/// `predefined` gives the values of those of the names that the compiler defines by itself, in the version that the first
/// argument asks for.
pub(super) fn too_long(
    source: &str,
    defines: &[(String, String)],
    predefined: impl Fn(&str, &[String]) -> Vec<(String, String)>,
) -> Option<(u32, String)> {
    if may_define(source, defines) { found(source, defines, MAX_TOKENS, predefined) } else { None }
}

/// Like [`too_long`], with another number of tokens.
fn found(
    source: &str,
    defines: &[(String, String)],
    most: usize,
    predefined: impl Fn(&str, &[String]) -> Vec<(String, String)>,
) -> Option<(u32, String)> {
    let (version, asked) = conditions(source);
    let known = if asked.is_empty() { Vec::new() } else { predefined(&version, &asked) };
    let continued = source.contains("//") && (source.contains("\\\n") || source.contains("\\\r"));
    let readings: &[bool] = if continued { &[true, false] } else { &[true] };
    // The compiler reads definitions of the options before the source, as one text.
    let given = known.iter().chain(defines);
    let mut text: String = given.map(|(name, value)| format!("#define {name} {value}\n")).collect();
    let before = text.matches('\n').count() as u32;
    text += source;
    let (line, message) = readings.iter().find_map(|continues| {
        let mut machine = Machine::new(&text, *continues);
        (machine.left, machine.shift) = (most, -(before as i32));
        machine.run();
        machine.found
    })?;
    Some((line.saturating_sub(before), message))
}

/// The `#version` directive of a source, and the names in it that the compiler may predefine, if it has conditions.
fn conditions(source: &str) -> (String, Vec<String>) {
    let (mut all, mut scanner) = (Names::new(), Scanner::new(source, true));
    let (mut version, mut asked, mut conditional) = (String::new(), BTreeSet::new(), false);
    let mut before = names::NEW_LINE;
    loop {
        let token = scanner.next(&mut all);
        if token.name == names::END {
            break;
        }
        let text = all.text(token.name);
        if before == names::HASH {
            conditional |= text.starts_with("if") || text.starts_with("elif");
            if text == "version" && version.is_empty() {
                version = version_line(&mut scanner, &mut all);
                before = names::NEW_LINE;
                continue;
            }
        }
        if text.starts_with("GL_") || text == "VULKAN" {
            asked.insert(text.to_owned());
        }
        before = token.name;
    }
    (version, if conditional { asked.into_iter().collect() } else { Vec::new() })
}

/// The rest of a `#version` directive, as a directive.
fn version_line(scanner: &mut Scanner<'_>, all: &mut Names) -> String {
    let mut line = "#version".to_owned();
    loop {
        let token = scanner.next(all);
        if matches!(token.name, names::END | names::NEW_LINE) {
            return line;
        }
        line += " ";
        line += all.text(token.name);
    }
}

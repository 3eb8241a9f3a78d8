//! Bounds on the macro expansion of a GLSL source. glslang cannot be interrupted while it expands macros, and nothing but memory
//! bounds what it makes of them.
//!
//! Sources are read here as glslang's preprocessor reads them, token by token, and the tokens are counted. `scan` splits the text,
//! `expand` expands macros, `directives` follows directives and conditions. A source could pass the bound by text that the two
//! read in different ways. So the version and macros that the compiler predefines are asked of the compiler.

use std::collections::BTreeSet;

use expand::Machine;
use scan::Scanner;

mod directives;
mod expand;
mod scan;
#[cfg(test)]
mod tests;

/// Largest number of tokens that all macro expansions of a source may read and produce.
const MAX_TOKENS: usize = 2_000_000;
/// Largest nesting depth of macro expansions.
const MAX_DEPTH: usize = 200;
/// Largest number of names in a source that the compiler may predefine, and the longest of them in bytes.
const MOST_NAMES: usize = 2000;
const LONGEST_NAME: usize = 100;
/// Most readings of a source, each of which may make other such names with `##`.
const MOST_READINGS: usize = 4;

/// True if a source may have macros of its own.
pub(super) fn may_define(source: &str, defines: &[(String, String)]) -> bool {
    // A continued line may split the name of the directive.
    !defines.is_empty() || ["define", "\\\n", "\\\r"].iter().any(|text| source.contains(text))
}

/// True for names that the compiler may define by itself.
fn may_be_predefined(name: &str) -> bool {
    name.len() <= LONGEST_NAME && (name.starts_with("GL_") || name == "VULKAN")
}

/// Returns a line and a message if the macros of a source expand to more than the compiler should process.
///
/// `predefined` gives the values of those of the names that the compiler defines by itself for the source.
pub(super) fn too_long(
    source: &str,
    defines: &[(String, String)],
    predefined: impl Fn(&[String]) -> Vec<(String, String)>,
) -> Option<(u32, String)> {
    if may_define(source, defines) { found(source, defines, MAX_TOKENS, predefined) } else { None }
}

/// Like [`too_long`], for what the preprocessor has made of a source: the compiler reads it again behind the options. Names that
/// `##` makes of strings, and strings with escapes, may contain line ends and thus directives.
pub(super) fn made_too_long(made: &str, defines: &[(String, String)]) -> Option<(u32, String)> {
    if !may_define(made, defines) {
        return None;
    }
    let options = definitions(defines);
    let before = options.matches('\n').count() as u32;
    let text = options + made;
    // Comments end in one way or the other.
    let (line, message) = [450, 410].into_iter().find_map(|version| {
        let mut machine = Machine::new(&text, Some(version));
        machine.made = Some(before);
        machine.run();
        machine.found.take()
    })?;
    Some((line.saturating_sub(before), message))
}

/// Directives that define macros. The compiler reads those of the options before the source, as one text.
fn definitions(list: &[(String, String)]) -> String {
    list.iter().map(|(name, value)| format!("#define {name} {value}\n")).collect()
}

/// Like [`too_long`], with another number of tokens.
fn found(
    source: &str,
    defines: &[(String, String)],
    most: usize,
    predefined: impl Fn(&[String]) -> Vec<(String, String)>,
) -> Option<(u32, String)> {
    let options = definitions(defines);
    let mut asked = names(&(options.clone() + source));
    for _ in 0..MOST_READINGS {
        if asked.len() > MOST_NAMES {
            return Some((1, format!("the source names more than {MOST_NAMES} extensions")));
        }
        let list: Vec<String> = asked.iter().cloned().collect();
        let known = if list.is_empty() { Vec::new() } else { predefined(&list) };
        let value = |name: &str| known.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
        let macros = known.iter().filter(|(name, _)| name != "__VERSION__");
        let mut text: String = macros.map(|(name, value)| format!("#define {name} {value}\n")).collect();
        text += &options;
        let before = text.matches('\n').count() as u32;
        text += source;
        let mut machine = Machine::new(&text, value("__VERSION__").and_then(|v| v.parse().ok()));
        machine.is_es = value("GL_ES").is_some();
        (machine.left, machine.shift) = (most, -(before as i32));
        machine.run();
        if let Some((line, message)) = machine.found.take() {
            return Some((line.saturating_sub(before), message));
        }
        let count = asked.len();
        asked.append(&mut machine.asked);
        if asked.len() == count {
            return None;
        }
    }
    Some((1, "`##` makes too many names of extensions".to_owned()))
}

/// Names on which the reading of a text depends: `__VERSION__`, and those in the text that the compiler may predefine, also in
/// comments, because the version says where some comments end.
fn names(text: &str) -> BTreeSet<String> {
    let joined = Scanner::joined(text);
    let mut asked = BTreeSet::new();
    let texts = [text, joined.as_str()];
    if !texts.iter().any(|text| depends_on_version(text)) {
        return asked;
    }
    asked.extend(["GL_ES", "VULKAN", "__VERSION__"].map(str::to_owned));
    for text in texts {
        for (at, _) in text.match_indices("GL_") {
            let rest = text[at..].bytes().take(LONGEST_NAME + 1);
            let end = at + rest.take_while(|b| *b == b'_' || b.is_ascii_alphanumeric()).count();
            if may_be_predefined(&text[at..end]) {
                asked.insert(text[at..end].to_owned());
            }
            if asked.len() > MOST_NAMES {
                return asked;
            }
        }
    }
    asked
}

/// True if a text may have conditions, `##`, or comments that end in a backslash.
fn depends_on_version(text: &str) -> bool {
    let continued = text.contains("//") && (text.contains("\\\n") || text.contains("\\\r"));
    continued
        || text.split('#').skip(1).any(|rest| {
            let rest = rest.trim_start_matches([' ', '\t']);
            rest.is_empty() || ["if", "elif", "/"].iter().any(|start| rest.starts_with(start))
        })
}

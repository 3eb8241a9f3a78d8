//! Names and declarations of interface variables.

use quadrille_jit::ir::debug::{Debug, Place, TypeKind, Variable, join};
use quadrille_jit::ir::{Shader, Slot, Stage};

use crate::kind::Kind;
use crate::report::{Frame, Report};
use crate::text::Sources;

/// A scalar of an interface variable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Scalar {
    /// Name of the variable, or of the block member.
    pub variable: String,
    /// Name of the scalar: `light.color.x`.
    pub name: String,
    /// Location of the variable.
    pub location: Option<u32>,
    /// Place of the declaration, or of the entry point if the declaration is unknown.
    pub at: Frame,
    /// Set if `at` is the entry point: the name to find in the source text, and `true` for an output.
    pub declares: Option<(String, bool)>,
}

impl Scalar {
    /// Describes a scalar of an output or an input.
    pub fn of(shader: &Shader, output: bool, slot: Slot) -> Scalar {
        let location = match slot {
            Slot::Location { location, .. } => Some(location),
            Slot::BuiltIn(..) | Slot::Ray(_) => None,
        };
        let debug = shader.debug.as_deref();
        let part = debug.and_then(|d| Some((d, d.interface_part(output, slot)?)));
        let named = part.and_then(|(debug, (variable, path))| {
            let name = join(&variable.name, &path);
            let whole = whole(debug, variable, &path);
            (!whole.is_empty()).then(|| (declaration(debug, variable, &whole, output), whole, name))
        });
        let (at, variable, name) = named.unwrap_or_else(|| {
            let (variable, name) = unnamed(shader.stage, output, slot);
            (None, variable, name)
        });
        let word = whole_name(&variable).to_owned();
        let declares = at.is_none().then_some((word, output));
        Scalar { variable, name, location, at: at.unwrap_or_else(|| entry_point(shader)), declares }
    }

    /// Creates a report about the variable, at its declaration.
    pub fn report(&self, kind: Kind, message: String) -> Report {
        let report = Report::new(kind, message).at(self.at.clone()).about(self.variable.clone());
        Report { declares: self.declares.clone(), ..report }
    }
}

/// Returns the identifier in the declaration: for a block, that of the member.
fn whole_name(whole: &str) -> &str {
    whole.rsplit('.').next().unwrap_or(whole)
}

/// Returns the name of a whole variable, or of the whole member of a block.
fn whole(debug: &Debug, variable: &Variable, path: &str) -> String {
    let mut ty = variable.ty;
    while let Some(TypeKind::Array { elem, .. }) = debug.types.get(ty as usize).map(|t| &t.kind) {
        ty = *elem;
    }
    if !matches!(debug.types.get(ty as usize).map(|t| &t.kind), Some(TypeKind::Struct { .. })) {
        return variable.name.clone();
    }
    let start = path.find('.').map_or(path.len(), |dot| dot + 1);
    let end = path[start..].find(['.', '[']).map_or(path.len(), |n| start + n);
    join(&variable.name, &path[..end])
}

/// Returns names for a variable and its scalar if the module has none.
fn unnamed(stage: Stage, output: bool, slot: Slot) -> (String, String) {
    let what = match (output, stage) {
        (true, Stage::Fragment) => "color output",
        (true, _) => "output",
        (false, _) => "input",
    };
    match slot {
        Slot::Location { location, component, .. } => {
            let variable = format!("{what} {location}");
            let name = format!("component {component} of {variable}");
            (variable, name)
        }
        Slot::Ray(slot) => (format!("{slot:?}"), format!("{slot:?}")),
        Slot::BuiltIn(builtin, component) => {
            let variable = format!("{builtin:?}");
            let name = match builtin.shape().1 {
                1 => variable.clone(),
                2..=4 if !builtin.is_of_patch() => {
                    format!("{variable}.{}", &"xyzw"[component as usize..][..1])
                }
                _ => format!("{variable}[{component}]"),
            };
            (variable, name)
        }
    }
}

/// Returns the place of a variable's declaration from the debug information, or else from the source text.
fn declaration(debug: &Debug, variable: &Variable, whole: &str, output: bool) -> Option<Frame> {
    let Place { file, line, column, .. } = variable.declared;
    let named = |file: u32| debug.files.get(file as usize).map(|f| f.name.clone()).filter(|n| !n.is_empty());
    if line != 0 {
        return Some(Frame { file: named(file), line, column, ..Frame::default() });
    }
    let name = whole_name(whole);
    debug.files.iter().enumerate().find_map(|(i, file)| {
        let line = declared_in(&file.text, name, if output { "out" } else { "in" }, true)?;
        Some(Frame { file: named(i as u32), line, ..Frame::default() })
    })
}

/// Returns the line of a GLSL text that declares an interface variable; with the numbers of `#line`, as modules have them,
/// or with those of the file.
fn declared_in(text: &str, name: &str, direction: &str, numbered: bool) -> Option<u32> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut directed = false;
    // Number of open parentheses (of layouts and parameters), and of open braces.
    let (mut parentheses, mut braces) = (0u32, 0u32);
    let mut number = 0;
    for line in text.lines() {
        let code = line.split("//").next().unwrap_or_default();
        number = u32::saturating_add(number, 1);
        if let Some(next) = code.trim_start().strip_prefix("#line") {
            let next =
                next.split_whitespace().next().filter(|_| numbered).and_then(|n| n.parse::<u32>().ok());
            number = next.map_or(number, |n| n.saturating_sub(1));
            continue;
        }
        for part in code.split_inclusive(|c: char| !is_word(c)) {
            let word = part.trim_end_matches(|c: char| !is_word(c));
            directed |= word == direction && parentheses == 0;
            if word == name && directed && parentheses == 0 {
                return Some(number);
            }
            match part.chars().last() {
                Some('(') => parentheses += 1,
                Some(')') => parentheses = parentheses.saturating_sub(1),
                Some('{') => braces += 1,
                Some('}') => braces = braces.saturating_sub(1),
                Some(';') if braces == 0 => directed = false,
                _ => {}
            }
        }
    }
    None
}

/// Returns the place of the entry point, for variables without a place.
pub fn entry_point(shader: &Shader) -> Frame {
    let debug = shader.debug.as_deref();
    let line = debug.and_then(|d| d.functions.first()).map_or(0, |f| f.line);
    let instruction = (line == 0).then(|| "OpEntryPoint".to_owned());
    let file = debug.and_then(file);
    Frame { file, line, function: Some(shader.name.clone()), instruction, ..Frame::default() }
}

/// Returns the file that contains the entry point.
fn file(debug: &Debug) -> Option<String> {
    let own = debug.places.iter().find(|place| place.line != 0 && place.call == 0);
    let file = debug.files.get(own.map_or(0, |place| place.file as usize))?;
    (!file.name.is_empty()).then(|| file.name.clone())
}

/// Sets the lines of reports about interface variables from the declarations in the `sources`, because GLSL compilers
/// do not record these lines.
pub fn declared(reports: &mut [Report], sources: &Sources) {
    for report in reports {
        let Some((name, output)) = &report.declares else { continue };
        let Some((_, text)) = sources.of(&report.at) else { continue };
        if let Some(line) = declared_in(text, name, if *output { "out" } else { "in" }, false) {
            report.at = Frame { file: report.at.file.take(), line, ..Frame::default() };
        }
    }
}

/// Lists scalars of one variable: `` `a.x`, `a.y` and `a.z` ``, or the variable as a whole.
pub fn list(scalars: &[&Scalar], whole: bool) -> String {
    let Some(first) = scalars.first() else { return String::new() };
    let location = first.location.map_or_else(String::new, |l| format!(" (location {l})"));
    if whole {
        return format!("`{}`{location}", first.variable);
    }
    let mut names: Vec<String> = scalars.iter().take(MOST).map(|s| format!("`{}`", s.name)).collect();
    if scalars.len() > MOST {
        names.push(format!("{} more", scalars.len() - MOST));
    }
    let last = names.pop().unwrap_or_default();
    match names.is_empty() {
        true => format!("{last}{location}"),
        false => format!("{} and {last}{location}", names.join(", ")),
    }
}

/// Largest number of names in a sentence.
const MOST: usize = 8;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn declarations_are_found_in_texts() {
        let text = "#version 450
            // out vec4 glow;
            layout(location = 0) in vec4 glow_in;
            layout(location = 1)
            out vec4 color; out float a, glow;
            out Block { vec2 at; float size; } block;
            void f(out float mist) { float n = size; }
            void main() { at = vec2(1); }";
        let line = |name| declared_in(text, name, "out", true);
        assert_eq!(["color", "glow", "a", "at", "size"].map(line), [5, 5, 5, 6, 6].map(Some));
        assert_eq!(line("mist"), None);
        assert_eq!((line("glow_in"), declared_in(text, "glow_in", "in", true)), (None, Some(3)));
        assert_eq!(line("nothing"), None);
        let put_in = "#version 450\nfloat f;\n#line 2 \"a.vert\"\nout vec4 color;";
        assert_eq!(declared_in(put_in, "color", "out", true), Some(2));
        assert_eq!(declared_in(put_in, "color", "out", false), Some(4));
        let most = format!("#line {}\n\n\nout vec4 color;", u32::MAX);
        assert_eq!(declared_in(&most, "color", "out", true), Some(u32::MAX));
    }

    #[test]
    fn scalars_are_listed_in_words() {
        let scalar = |name: &str| Scalar {
            variable: "a".into(),
            name: name.into(),
            location: Some(2),
            at: Frame::default(),
            declares: None,
        };
        let (x, y, z) = (scalar("a.x"), scalar("a.y"), scalar("a.z"));
        assert_eq!(list(&[&x, &y, &z], false), "`a.x`, `a.y` and `a.z` (location 2)");
        assert_eq!(list(&[&z], false), "`a.z` (location 2)");
        assert_eq!(list(&[&x, &y], true), "`a` (location 2)");
        assert_eq!(list(&[&x; 10], false).matches('`').count(), 16);
    }
}

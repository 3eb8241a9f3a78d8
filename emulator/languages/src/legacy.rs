//! Translates GLSL of other versions into GLSL that the Vulkan compiler accepts. Lines and columns do not move: each
//! word is replaced by one of the same length.
//!
//! * [`modern`]: GLSL of OpenGL and WebGL 1 and 2: `gl_FragColor`, `varying`, `texture2D`, `#version 300 es`.
//! * [`rename`]: identifiers that are free in one version and reserved in another.

#![cfg_attr(not(feature = "glsl"), allow(dead_code, reason = "used only by the compiler"))]

use std::collections::HashSet;

use super::Stage;
use super::comments::without_comments;

/// Names that are identifiers in ES 3.00 but reserved in GLSL for Vulkan.
pub(super) const TAKEN: &[&str] =
    &["buffer", "shared", "sampler", "samplerShadow", "subpassInput", "precise", "demote"];
/// Functions and types that ES 3.00 lacks, so that a program may define them.
pub(super) const TAKEN_FUNCTIONS: &[&str] = &[
    "fma",
    "frexp",
    "ldexp",
    "bitfieldExtract",
    "bitfieldInsert",
    "bitfieldReverse",
    "bitCount",
    "findLSB",
    "findMSB",
    "uaddCarry",
    "usubBorrow",
    "umulExtended",
    "imulExtended",
    "packUnorm4x8",
    "packSnorm4x8",
    "unpackUnorm4x8",
    "unpackSnorm4x8",
    "textureGather",
    "textureGatherOffset",
    "barrier",
    "interpolateAtCentroid",
    "interpolateAtSample",
    "interpolateAtOffset",
    "texture2D",
    "textureCube",
    "texture3D",
    "texture2DArray",
    "image2D",
    "imageLoad",
    "imageStore",
    "imageSize",
    "atomicAdd",
    "atomicMin",
    "atomicMax",
    "atomicAnd",
    "atomicOr",
    "atomicXor",
    "atomicExchange",
    "memoryBarrier",
    "groupMemoryBarrier",
    "subpassLoad",
];

/// A source after replacements.
pub(super) struct Rewritten {
    pub source: String,
    /// Replaced words, as pairs of the new word and the user's word; used to translate messages back.
    pub words: Vec<(String, String)>,
}

impl Rewritten {
    /// Rewrites a message so that it shows the words that the user wrote.
    pub fn undo(&self, message: &str) -> String {
        self.words.iter().fold(message.to_owned(), |text, (new, old)| text.replace(new, old))
    }
}

/// Functions of old versions whose names are type names today.
const FUNCTIONS: &[(&str, &str)] = &[
    ("texture2D", "texture"),
    ("textureCube", "texture"),
    ("texture2DLod", "textureLod"),
    ("texture2DProj", "textureProj"),
    ("textureCubeLod", "textureLod"),
    ("texture2DLodEXT", "textureLod"),
    ("texture2DGradEXT", "textureGrad"),
];

/// Translates a fragment or vertex shader of OpenGL or OpenGL ES into GLSL for Vulkan. `from_below` is true if the
/// rendered image counts its rows from the bottom.
pub(super) fn modern(source: &str, stage: Stage, from_below: bool) -> Rewritten {
    let before = version(&without_comments(source)).map_or(0, |v| v.number);
    let free = match before {
        100 | 110 | 120 | 130 | 300 => rename(source, TAKEN, TAKEN_FUNCTIONS),
        _ => Rewritten { source: source.to_owned(), words: Vec::new() },
    };
    let source = free.source.as_str();
    let blank = without_comments(source);
    let version = version(&blank);
    let has = |word: &str| words(&blank).any(|(_, w)| w == word);
    let number = version.as_ref().map_or(0, |v| v.number);
    let old = matches!(number, 100 | 110 | 120 | 130)
        || (version.is_none() && ["gl_FragColor", "varying", "attribute"].iter().any(|w| has(w)));
    let colors = stage == Stage::Fragment && has("gl_FragColor");
    // The origin of `gl_PointCoord` is the upper left corner in either convention.
    let points = stage == Stage::Fragment && from_below && has("gl_PointCoord");
    let mut out = source.to_owned();
    let mut renamed = free.words;
    for (at, word) in words(&blank) {
        let new = match word {
            "varying" if old && stage == Stage::Fragment => "in",
            "varying" if old => "out",
            "attribute" if old => "in",
            "gl_FragColor" if colors => "qd_FragColor",
            "gl_PointCoord" if points => "qd_PointCoord",
            _ if old => match FUNCTIONS.iter().find(|(name, _)| *name == word) {
                Some((_, new)) => new,
                None => continue,
            },
            _ => continue,
        };
        let padded = format!("{new:width$}", width = word.len());
        out.replace_range(at..at + word.len(), &padded);
    }
    let mut declared = String::new();
    if colors {
        renamed.push(("qd_FragColor".into(), "gl_FragColor".into()));
        declared += "layout(location = 0) out highp vec4 qd_FragColor;\n";
    }
    if points {
        renamed.push(("qd_PointCoord".into(), "gl_PointCoord".into()));
        declared += "#define qd_PointCoord vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y)\n";
    }
    if let Some(version) = &version {
        let new = match number {
            100 | 300 => "#version 310 es",
            110 | 120 | 130 => "#version 450",
            _ => "",
        };
        if !new.is_empty() {
            out.replace_range(version.start..version.end, new);
        }
    }
    if !declared.is_empty() {
        let at = after_header(&without_comments(&out));
        let line = out[..at].matches('\n').count() + 1;
        out.insert_str(at, &format!("{declared}#line {line}\n"));
    }
    Rewritten { source: out, words: renamed }
}

/// Byte range and contents of the `#version` line.
struct Version {
    start: usize,
    end: usize,
    number: u32,
}

/// Returns the number in the `#version` of a source.
pub(super) fn version_number(source: &str) -> Option<u32> {
    profile(&without_comments(source)).map(|p| p.number)
}

/// Contents of a `#version` directive.
#[derive(Clone, Copy)]
pub(super) struct Profile {
    pub number: u32,
    /// True for OpenGL ES.
    pub es: bool,
}

/// Parses the `#version` of a text without comments.
pub(super) fn profile(blank: &str) -> Option<Profile> {
    version(blank).map(|v| Profile { number: v.number, es: blank[v.start..v.end].ends_with("es") })
}

fn version(blank: &str) -> Option<Version> {
    let mut start = 0;
    for line in blank.split_inclusive('\n') {
        let text = line.trim();
        if let Some(rest) =
            text.strip_prefix('#').map(str::trim_start).and_then(|t| t.strip_prefix("version"))
        {
            let number = rest.split_whitespace().next()?.parse().ok()?;
            let end = start + line.trim_end().len();
            return Some(Version { start: start + (line.len() - line.trim_start().len()), end, number });
        }
        if !text.is_empty() {
            return None;
        }
        start += line.len();
    }
    None
}

/// Returns the end of the leading `#version` and `#extension` lines.
pub(super) fn after_header(blank: &str) -> usize {
    let (mut at, mut end) = (0, 0);
    for line in blank.split_inclusive('\n') {
        at += line.len();
        let directive = line.trim().strip_prefix('#').map(str::trim_start);
        match directive {
            Some(d) if d.starts_with("version") || d.starts_with("extension") => end = at,
            None if line.trim().is_empty() => {}
            _ => break,
        }
    }
    end
}

/// True if a GLSL source gives its input or output `name` a location, or does not declare `name` itself. Then the
/// interface is not matched by names.
pub fn has_location(source: &str, name: &str) -> bool {
    let blank = without_comments(source);
    let declares = |statement: &&str| {
        let has = |word: &str| words(statement).any(|(_, w)| w == word);
        has(name) && ["in", "out", "varying", "attribute"].iter().any(|w| has(w))
    };
    let found = blank.split([';', '{', '}']).find(declares);
    found.is_none_or(|statement| words(statement).any(|(_, w)| w == "location"))
}

/// Renames the identifiers in `always`, and those in `functions` that the source declares, to unused names.
pub(super) fn rename(source: &str, always: &[&str], functions: &[&str]) -> Rewritten {
    let blank = without_comments(source);
    let all: Vec<(usize, &str)> = words(&blank).collect();
    let used: HashSet<&str> = all.iter().map(|(_, word)| *word).collect();
    let declared = |name: &str| {
        all.windows(2).any(|pair| {
            let [(at, before), (next, word)] = pair else { return false };
            // `float fma(` is a declaration: only blanks separate the two words, and the first is not `return`.
            *word == name
                && *before != "return"
                && blank[at + before.len()..*next].trim().is_empty()
                && blank[next + word.len()..].trim_start().starts_with('(')
        })
    };
    let mut names: Vec<(String, String)> = Vec::new();
    let wanted = always.iter().filter(|name| used.contains(**name));
    for name in wanted.chain(functions.iter().filter(|name| used.contains(**name) && declared(name))) {
        let stem = &name[..name.len() - 1];
        let free = ('A'..='Z').map(|c| format!("{stem}{c}")).find(|new| !used.contains(new.as_str()));
        names.extend(free.map(|new| (new, (*name).to_owned())));
    }
    let mut out = source.to_owned();
    for (at, word) in all {
        if let Some((new, _)) = names.iter().find(|(_, old)| old == word) {
            out.replace_range(at..at + word.len(), new);
        }
    }
    Rewritten { source: out, words: names }
}

/// Yields the identifiers and their positions in a text without comments.
fn words(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let bytes = text.as_bytes();
    let ident = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
    let mut at = 0;
    std::iter::from_fn(move || {
        loop {
            let start = at + bytes.get(at..)?.iter().position(|b| ident(*b))?;
            let rest = &bytes[start..];
            at = start + rest.iter().position(|b| !ident(*b)).unwrap_or(rest.len());
            if !bytes[start].is_ascii_digit() {
                return Some((start, &text[start..at]));
            }
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_words_become_new_ones_in_place() {
        let source = "#version 100\nprecision mediump float;\nvarying vec2 v; // varying\nvoid main() { gl_FragColor = texture2D(t, v); }\n";
        let new = modern(source, Stage::Fragment, false).source;
        assert!(
            new.starts_with(
                "#version 310 es\nlayout(location = 0) out highp vec4 qd_FragColor;\n#line 2\nprecision"
            ),
            "{new}"
        );
        assert!(new.contains("in      vec2 v; // varying"), "{new}");
        assert!(new.ends_with("void main() { qd_FragColor = texture  (t, v); }\n"), "{new}");
        assert_eq!(modern(source, Stage::Fragment, false).undo("'qd_FragColor' : x"), "'gl_FragColor' : x");
        // Modern source stays unchanged.
        let new = "#version 450\nvarying texture2D attribute\n";
        assert_eq!(modern(new, Stage::Fragment, false).source, new);
        assert_eq!(modern("#version 300 es\nx", Stage::Fragment, false).source, "#version 310 es\nx");
        let plain = "void main() { gl_FragColor = vec4(1); }";
        assert!(modern(plain, Stage::Fragment, false).source.starts_with("layout(location = 0)"));
        assert_eq!(modern(plain, Stage::Vertex, false).source, plain);
    }

    #[test]
    fn names_that_es_leaves_to_programs() {
        let own = "#version 300 es\nfloat texture2D(float a) { return a; }\nvoid atomicAdd(float buffer) {}\n\
            void main() { texture2D(1.0); }";
        let new = modern(own, Stage::Fragment, false);
        assert!(
            new.source.contains("float texture2A(float a)") && new.source.contains("{ texture2A(1.0); }")
        );
        assert!(new.source.contains("atomicAdA(float buffeA)"), "{}", new.source);
        assert_eq!(new.undo("'texture2A'"), "'texture2D'");
        let plain = "#version 330\nfloat fma(float a) { return a; }";
        assert_eq!(modern(plain, Stage::Fragment, false).source, plain);
    }

    #[test]
    fn locations() {
        let source = "#version 330\nlayout(location = 0) in vec3 position; // out vec3 gone;\n\
                      out vec3 a, b;\nvoid main() { a = b; }\nvoid f(in float c) {}";
        assert!(!has_location(source, "a") && !has_location(source, "b"));
        assert!(
            has_location(source, "position") && has_location(source, "gone") && has_location(source, "main")
        );
    }

    #[test]
    fn taken_names_become_free_ones() {
        let source = "int buffer; int buffeA; float fma(float a) { return fma(a) + frexp(a); }";
        let new = rename(source, &["buffer"], &["fma", "frexp"]);
        assert_eq!(new.source, "int buffeB; int buffeA; float fmA(float a) { return fmA(a) + frexp(a); }");
        assert_eq!(new.undo("'buffeB' and 'fmA'"), "'buffer' and 'fma'");
    }
}

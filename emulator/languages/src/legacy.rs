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

/// Names that are free in ES 1.00 and in GLSL up to 1.20, where programs use them for variables.
const FREE_ONCE: &[&str] = &[
    "texture",
    "filter",
    "sample",
    "smooth",
    "layout",
    "common",
    "active",
    "partition",
    "resource",
    "patch",
    "coherent",
    "restrict",
    "readonly",
    "writeonly",
    "subroutine",
    "noperspective",
];
/// Functions that ES 1.00 and GLSL up to 1.20 lack, or let programs replace.
const FUNCTIONS_ONCE: &[&str] = &[
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "round",
    "roundEven",
    "trunc",
    "transpose",
    "inverse",
    "determinant",
    "outerProduct",
    "isnan",
    "isinf",
    "modf",
];

/// Functions of old versions whose names are type names today.
const FUNCTIONS: &[(&str, &str)] = &[
    ("texture1D", "texture"),
    ("texture2D", "texture"),
    ("texture3D", "texture"),
    ("textureCube", "texture"),
    ("texture1DLod", "textureLod"),
    ("texture2DLod", "textureLod"),
    ("texture3DLod", "textureLod"),
    ("texture1DProj", "textureProj"),
    ("texture2DProj", "textureProj"),
    ("texture3DProj", "textureProj"),
    ("texture2DProjLod", "textureProjLod"),
    ("textureCubeLod", "textureLod"),
    ("texture2DLodEXT", "textureLod"),
    ("texture2DProjLodEXT", "textureProjLod"),
    ("textureCubeLodEXT", "textureLod"),
    ("texture2DGradEXT", "textureGrad"),
    ("texture2DProjGradEXT", "textureProjGrad"),
    ("textureCubeGradEXT", "textureGrad"),
];

/// Translates a fragment or vertex shader of OpenGL or OpenGL ES into GLSL for Vulkan. `from_below` is true if the
/// rendered image counts its rows from the bottom.
pub(super) fn modern(source: &str, stage: Stage, from_below: bool) -> Rewritten {
    let free = freed(source);
    let source = free.source.as_str();
    let blank = without_comments(source);
    let version = version(&blank);
    let all: Vec<(usize, &str)> = words(&blank).collect();
    let used: HashSet<&str> = all.iter().map(|(_, word)| *word).collect();
    let has = |word: &str| used.contains(word);
    let number = version.as_ref().map_or(0, |v| v.number);
    let old = is_old(&used, number);
    let colors = stage == Stage::Fragment && has("gl_FragColor");
    let data = stage == Stage::Fragment && old && has("gl_FragData");
    // The origin of `gl_PointCoord` is the upper left corner in either convention.
    let points = stage == Stage::Fragment && from_below && has("gl_PointCoord");
    let old_number = translation(number).map(|_| number.to_string()).unwrap_or_default();
    let mut out = source.to_owned();
    if translation(number).is_some_and(|_| number != 300) {
        // The versions before do not continue comments, as the new ones do.
        for (at, _) in source.match_indices('\\').filter(|(at, _)| blank.as_bytes()[*at] == b' ') {
            out.replace_range(at..at + 1, " ");
        }
    }
    let mut renamed = free.words;
    for (i, &(at, word)) in all.iter().enumerate() {
        let near = |i: Option<usize>| i.and_then(|i| all.get(i)).map_or("", |(_, word)| *word);
        let (last, next) = (near(i.checked_sub(1)), near(Some(i + 1)));
        let new = match word {
            "varying" if old && stage == Stage::Fragment => "in",
            "varying" if old => "out",
            "attribute" if old => "in",
            // Inputs were as invariant as the outputs; now only outputs may be.
            "invariant" if old && stage == Stage::Fragment && matches!(next, "varying" | "centroid") => "",
            "gl_FragColor" if colors => "qd_FragColor",
            "gl_FragData" if data => "qd_FragData",
            // Spec: EXT_frag_depth of WebGL and OpenGL ES 2.0.
            "gl_FragDepthEXT" if old && stage == Stage::Fragment => "gl_FragDepth",
            "gl_PointCoord" if points => "qd_PointCoord",
            // The number that the source states; its definition is asked for by name.
            "__VERSION__" if !old_number.is_empty() && !asks(last) => old_number.as_str(),
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
        // From 1.40 to 3.20, outputs have no layouts.
        declared += if (140..300).contains(&number) { "" } else { "layout(location = 0) " };
        declared += "out highp vec4 qd_FragColor;\n";
    }
    if data {
        renamed.push(("qd_FragData".into(), "gl_FragData".into()));
        declared += "layout(location = 0) out highp vec4 qd_FragData[1];\n";
    }
    if points {
        renamed.push(("qd_PointCoord".into(), "gl_PointCoord".into()));
        declared += "#define qd_PointCoord vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y)\n";
    }
    if let (Some(version), Some(new)) = (&version, translation(number)) {
        out.replace_range(version.start..version.end, new);
    }
    if !declared.is_empty() {
        let at = after_header(&without_comments(&out));
        // Before 3.30, the directive states the number of the line before the next one.
        let line = out[..at].matches('\n').count() + usize::from(!(140..300).contains(&number));
        out.insert_str(at, &format!("{declared}#line {line}\n"));
    }
    Rewritten { source: out, words: renamed }
}

/// The `#version` of Vulkan's GLSL that has what an older version has.
fn translation(number: u32) -> Option<&'static str> {
    match number {
        100 | 300 => Some("#version 310 es"),
        110 | 120 | 130 => Some("#version 450"),
        _ => None,
    }
}

/// True for a word in front of the name of a macro that is not expanded.
fn asks(word: &str) -> bool {
    matches!(word, "ifdef" | "ifndef" | "defined" | "define" | "undef")
}

/// True for a text with these words and this version that is GLSL of OpenGL ES 1.00 or of OpenGL up to 3.0.
fn is_old(used: &HashSet<&str>, number: u32) -> bool {
    let signs = ["gl_FragColor", "gl_FragData", "varying", "attribute"];
    matches!(number, 100 | 110 | 120 | 130) || (number == 0 && signs.iter().any(|word| used.contains(word)))
}

/// Renames the identifiers of a source that its version leaves to programs, and later ones do not.
fn freed(source: &str) -> Rewritten {
    let blank = without_comments(source);
    let names = Names::of(&blank);
    let number = version(&blank).map_or(0, |v| v.number);
    let mut always = if matches!(number, 100 | 110 | 120 | 130 | 300) { TAKEN.to_vec() } else { Vec::new() };
    let mut functions = if always.is_empty() { Vec::new() } else { TAKEN_FUNCTIONS.to_vec() };
    if number < 130 && is_old(&names.used, number) {
        always.extend(FREE_ONCE.iter().filter(|name| names.variables.contains(*name)));
        functions.extend(FUNCTIONS_ONCE);
    }
    names.renamed(source, &always, &functions)
}

/// Identifiers of a text without comments, and what it declares with them, as far as words tell.
struct Names<'a> {
    /// All words in order, with their positions.
    all: Vec<(usize, &'a str)>,
    used: HashSet<&'a str>,
    /// Names after another word in the same line, such as a type, and not before a parenthesis: variables.
    variables: HashSet<&'a str>,
    /// Names after another word and before a parenthesis: `float fma(` is a declaration.
    functions: HashSet<&'a str>,
}

impl<'a> Names<'a> {
    fn of(blank: &'a str) -> Names<'a> {
        let all: Vec<(usize, &str)> = words(blank).collect();
        let used = all.iter().map(|(_, word)| *word).collect();
        let mut names = Names { all, used, variables: HashSet::new(), functions: HashSet::new() };
        // End of the line of the last word, and `true` if that line is a directive of the preprocessor.
        let (mut line, mut directive) = (0, false);
        for pair in names.all.windows(2) {
            let [(at, before), (next, word)] = *pair else { continue };
            if at >= line {
                let start = blank[line..at].rfind('\n').map_or(line, |end| line + end + 1);
                line = blank[at..].find('\n').map_or(blank.len(), |end| at + end);
                directive = blank[start..line].trim_start().starts_with('#');
            }
            let between = &blank[at + before.len()..next];
            if directive || matches!(before, "return" | "else") || !between.trim().is_empty() {
                continue;
            }
            let qualifies = matches!(before, "in" | "out" | "uniform" | "varying" | "attribute" | "const");
            if blank[next + word.len()..].trim_start().starts_with('(') {
                names.functions.insert(word);
            } else if !qualifies && between.bytes().all(|b| b == b' ' || b == b'\t') {
                names.variables.insert(word);
            }
        }
        names
    }

    /// Renames the identifiers in `always`, and those in `functions` that the source declares, to unused names of the
    /// same length.
    fn renamed(&self, source: &str, always: &[&str], functions: &[&str]) -> Rewritten {
        let mut names: Vec<(String, String)> = Vec::new();
        let wanted = always.iter().filter(|name| self.used.contains(**name));
        for name in wanted.chain(functions.iter().filter(|name| self.functions.contains(**name))) {
            let stem = &name[..name.len() - 1];
            let mut all = ('A'..='Z').map(|c| format!("{stem}{c}"));
            let free = all.find(|new| !self.used.contains(new.as_str()));
            names.extend(free.map(|new| (new, (*name).to_owned())));
        }
        let mut out = source.to_owned();
        for (at, word) in &self.all {
            if let Some((new, _)) = names.iter().find(|(_, old)| old == word) {
                out.replace_range(*at..at + word.len(), new);
            }
        }
        Rewritten { source: out, words: names }
    }
}

/// Names in a module as the user wrote them: `names` are pairs of a word and the user's word of the same length.
pub(super) fn restore(mut module: Vec<u32>, names: &[(String, String)]) -> Vec<u32> {
    const NAME: u32 = 5;
    const MEMBER_NAME: u32 = 6;
    let names: Vec<_> =
        names.iter().filter(|(new, old)| new.len() == old.len() && !old.starts_with("gl_")).collect();
    let mut at = if names.is_empty() { module.len() } else { 5 };
    while let Some(&head) = module.get(at) {
        let end = (at + (head >> 16).max(1) as usize).min(module.len());
        let first = match head & 0xffff {
            NAME => at + 2,
            MEMBER_NAME => at + 3,
            _ => end,
        };
        let bytes: Vec<u8> = module[first.min(end)..end].iter().flat_map(|word| word.to_le_bytes()).collect();
        let is =
            |new: &String| bytes.strip_prefix(new.as_bytes()).is_some_and(|rest| rest.first() == Some(&0));
        if let Some((_, old)) = names.iter().find(|(new, _)| is(new)) {
            let bytes = [old.as_bytes(), &bytes[old.len()..]].concat();
            for (word, bytes) in module[first..end].iter_mut().zip(bytes.as_chunks::<4>().0) {
                *word = u32::from_le_bytes(*bytes);
            }
        }
        at = end;
    }
    module
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
    Names::of(&without_comments(source)).renamed(source, always, functions)
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

    /// Spec: GLSL 4.60, 3.3: `__VERSION__` is the number of the version of the source.
    #[test]
    fn the_version_is_that_of_the_source() {
        for (number, new) in [(100, "310 es"), (110, "450"), (120, "450"), (130, "450")] {
            let source = |version: &str, number: &str| {
                format!("#version {version}\n#ifdef __VERSION__\n#if {number}>0 && defined(__VERSION__)\n")
            };
            let old = source(&number.to_string(), "__VERSION__");
            let expected = source(new, &format!("{number:<11}"));
            assert_eq!(modern(&old, Stage::Fragment, false).source, expected);
            assert_eq!(modern(&old, Stage::Vertex, false).source, expected);
        }
        let es = modern("#version 300 es\n#if __VERSION__ == 300\n", Stage::Vertex, false).source;
        assert_eq!(es, "#version 310 es\n#if 300         == 300\n");
        for kept in ["#version 330\nint a = __VERSION__;", "varying int a = __VERSION__;"] {
            assert!(modern(kept, Stage::Fragment, false).source.ends_with("__VERSION__;"), "{kept}");
        }
    }

    /// Spec: GLSL ES 1.00 and 3.00, Comments: only the latter continues them.
    #[test]
    fn comments_of_old_versions_end_with_their_line() {
        for (number, new) in [("100", "310 es"), ("120", "450")] {
            let source = format!("#version {number}\n// a \\\nin vec2 a;\n#define A b \\\n c\n");
            let expected = format!("#version {new}\n// a  \nin vec2 a;\n#define A b \\\n c\n");
            assert_eq!(modern(&source, Stage::Fragment, false).source, expected);
        }
        let es = modern("#version 300 es\n// a \\\n b\n", Stage::Fragment, false).source;
        assert_eq!(es, "#version 310 es\n// a \\\n b\n");
    }

    /// Spec: GLSL ES 1.00, 4.6.4: a varying is invariant in both stages.
    #[test]
    fn varyings_are_invariant_in_vertex_shaders() {
        let source = "invariant varying vec2 v;\ninvariant centroid varying vec2 w;\n";
        let fragment = modern(source, Stage::Fragment, false).source;
        assert_eq!(fragment, "          in      vec2 v;\n          centroid in      vec2 w;\n");
        let vertex = modern(source, Stage::Vertex, false).source;
        assert_eq!(vertex, "invariant out     vec2 v;\ninvariant centroid out     vec2 w;\n");
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

    /// Spec: GLSL ES 1.00, 3.6 and 6.1: names that only later versions took.
    #[test]
    fn names_that_old_versions_leave_to_programs() {
        let own = "#version 100\nuniform sampler2D texture;\nvarying vec2 v;\n#define T texture2D(texture, v)\n\
            float tanh(float filter) { return filter; }\nvoid main() { gl_FragData[0] = T * texture3D(a, b); }";
        let new = modern(own, Stage::Fragment, false);
        for part in [
            "sampler2D texturA;",
            "T texture  (texturA, v)\n",
            "float tanA(float filteA) { return filteA; }",
            "out highp vec4 qd_FragData[1];",
            "{ qd_FragData[0] = T * texture  (a, b); }",
        ] {
            assert!(new.source.contains(part), "{part}: {}", new.source);
        }
        let newer = "#version 330\nuniform sampler2D texturA; void main() { o = texture(t, tanh(v)); }";
        assert_eq!(modern(newer, Stage::Fragment, false).source, newer);
        let mixed = "void main() { gl_FragColor = texture(t, v); }";
        assert!(modern(mixed, Stage::Fragment, false).source.ends_with("= texture(t, v); }"));
        // Without a version, what only old versions have makes a source an old one.
        let data = "void main() { gl_FragData[0] = texture2D(t, v); gl_FragDepthEXT = 0.5; }";
        let new = modern(data, Stage::Fragment, false).source;
        assert!(new.ends_with("{ qd_FragData[0] = texture  (t, v); gl_FragDepth    = 0.5; }"), "{new}");
    }

    #[test]
    fn declarations_of_names() {
        let names = Names::of(
            "\n # define filter(x) float smooth\nfloat filter, fma (1);\nreturn\ntanh(1); in sample; int\nround (2)",
        );
        assert_eq!(names.variables, HashSet::from(["filter"]));
        assert_eq!(names.functions, HashSet::from(["round"]));
        assert!(names.used.contains("smooth") && names.all.len() == names.used.len() + 2);
    }

    #[test]
    fn outputs_have_no_layouts_before_3_30() {
        let new =
            modern("#version 150\nvoid main() { gl_FragColor = vec4(1); }", Stage::Fragment, false).source;
        assert_eq!(
            new,
            "#version 150\nout highp vec4 qd_FragColor;\n#line 1\nvoid main() { qd_FragColor = vec4(1); }"
        );
    }

    #[test]
    fn modules_have_the_words_of_the_user() {
        let name = |text: &str, head: &[u32]| {
            let mut bytes = text.as_bytes().to_vec();
            bytes.resize((text.len() / 4 + 1) * 4, 0);
            let text = bytes.as_chunks::<4>().0.iter().map(|b| u32::from_le_bytes(*b));
            let all: Vec<u32> = head.iter().copied().chain(text).collect();
            [vec![all[0] | (all.len() as u32) << 16], all[1..].to_vec()].concat()
        };
        let module = |a: &str, b: &str, c: &str| {
            [vec![0; 5], name(a, &[5, 1]), name(b, &[6, 2, 0]), name(c, &[5, 3])].concat()
        };
        let names =
            [("buffeA".to_owned(), "buffer".to_owned()), ("qd_FragColor".into(), "gl_FragColor".into())];
        let new = restore(module("buffeA", "buffeA", "buffeAs"), &names);
        assert_eq!(new, module("buffer", "buffer", "buffeAs"));
        let kept = module("qd_FragColor", "a", "b");
        assert_eq!(restore(kept.clone(), &names), kept);
        assert_eq!(restore(vec![1, 2], &names), [1, 2]);
        assert_eq!(restore(vec![0, 0, 0, 0, 0, 0, 5 | 9 << 16, 1], &names).len(), 8);
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

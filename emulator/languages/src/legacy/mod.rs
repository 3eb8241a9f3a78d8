//! Translates GLSL of other versions into GLSL that the Vulkan compiler accepts. Lines and columns do not move: each
//! word is replaced by one of the same length.
//!
//! * [`modern`]: GLSL of OpenGL and WebGL 1 and 2: `gl_FragColor`, `varying`, `texture2D`, `#version 300 es`.
//! * [`rename`]: identifiers that are free in one version and reserved in another.

#![cfg_attr(not(feature = "glsl"), allow(dead_code, reason = "used only by the compiler"))]

use std::collections::HashSet;

use super::Stage;
use super::comments::without_comments;
use super::version::{Version, profile, version};

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
    // Spec: EXT_shadow_samplers of OpenGL ES 2.0.
    ("shadow2DEXT", "texture"),
    ("shadow2DProjEXT", "textureProj"),
];

/// Comparisons of OpenGL up to 3.0, whose results are vectors. Spec: GLSL 1.20, 8.7.
const COMPARISONS: &[&str] = &[
    "shadow1D",
    "shadow2D",
    "shadow1DProj",
    "shadow2DProj",
    "shadow1DLod",
    "shadow2DLod",
    "shadow1DProjLod",
    "shadow2DProjLod",
];

/// Translates a fragment or vertex shader of OpenGL or OpenGL ES into GLSL for Vulkan. `from_below` is true if the
/// rendered image counts its rows from the bottom.
pub(super) fn modern(source: &str, stage: Stage, from_below: bool) -> Rewritten {
    let free = freed(source, stage);
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
    // OpenGL ES 1.00 has one element without the extension; the limit of OpenGL, and of WebGL 2, is at least 8.
    let one = matches!(number, 0 | 100) && !has("GL_EXT_draw_buffers");
    let elements = data.then_some(if one { 1 } else { 8 });
    // The origin of `gl_PointCoord` is the upper left corner in either convention.
    let points = stage == Stage::Fragment && from_below && has("gl_PointCoord");
    let old_number = translation(number).map(|_| number.to_string()).unwrap_or_default();
    let mut out = source.to_owned();
    if translation(number).is_some_and(|_| number != 300) {
        end_comments(&mut out, &blank);
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
            // Spec: EXT_draw_buffers of WebGL and OpenGL ES 2.0, ARB_draw_buffers: what `gl_FragData` becomes needs neither.
            "GL_EXT_draw_buffers" | "GL_ARB_draw_buffers" if old && last == "extension" => {
                remove_directive(&mut out, &blank, at);
                continue;
            }
            _ if old => match FUNCTIONS.iter().find(|(name, _)| *name == word) {
                Some((_, new)) => new,
                None => continue,
            },
            _ => continue,
        };
        // A parenthesis behind the name of a macro opens its parameters only if it is next to it.
        let macro_name =
            last == "define" && blank[at + word.len()..].starts_with('(') && is_alone(new, &used);
        let width = word.len();
        let padded = if macro_name { format!("{new:>width$}") } else { format!("{new:width$}") };
        out.replace_range(at..at + word.len(), &padded);
    }
    let declared = declarations(number, [colors, points], elements, &mut renamed);
    let declared = declared + &comparisons(&blank, stage, old && number != 100);
    let mut first = "";
    if let (Some(version), Some(new)) = (&version, translation(number)) {
        first = replace_version(&mut out, version, new);
    }
    if !declared.is_empty() {
        let at = after_header(&without_comments(&out));
        // Before 3.30, the directive states the number of the line before the next one.
        let line = out[..at].matches('\n').count() + usize::from(!(140..300).contains(&number));
        out.insert_str(at, &format!("{declared}#line {line}\n"));
    }
    out.insert_str(0, first);
    Rewritten { source: out, words: renamed }
}

/// Defines the comparisons that a text without comments of an `old` version calls, unless it defines them itself. Spec: OpenGL 3.0,
/// 3.9.14: the result has the mode LUMINANCE of depth textures.
fn comparisons(blank: &str, stage: Stage, old: bool) -> String {
    if !old || !blank.contains("shadow") {
        return String::new();
    }
    let names = Names::of(blank);
    let is_called = |name: &&&str| names.used.contains(**name) && !names.functions.contains(**name);
    let define = |name: &&str| {
        let rest = name.trim_start_matches("shadow");
        let (sides, function) = rest.split_at("1D".len());
        let at = if function.starts_with("Proj") { "vec4" } else { "vec3" };
        let with = |more: &str, argument: &str| {
            format!(
                "vec4 {name}(sampler{sides}Shadow qd_sampler, {at} qd_at{more}) {{ \
                 return vec4(vec3(texture{function}(qd_sampler, qd_at{argument})), 1.0); }}\n"
            )
        };
        match (function.ends_with("Lod"), stage) {
            (true, _) => with(", float qd_lod", ", qd_lod"),
            (false, Stage::Fragment) => with("", "") + &with(", float qd_bias", ", qd_bias"),
            (false, _) => with("", ""),
        }
    };
    COMPARISONS.iter().filter(is_called).map(define).collect()
}

/// The new and the user's name of `gl_FragDepthEXT`, if a source has this name only.
fn depth(used: &HashSet<&str>) -> Option<(String, String)> {
    let only = used.contains("gl_FragDepthEXT") && !used.contains("gl_FragDepth");
    only.then(|| ("gl_FragDepth".into(), "gl_FragDepthEXT".into()))
}

/// Blanks the directive in whose line, of a text without comments, the position is.
fn remove_directive(out: &mut String, blank: &str, at: usize) {
    let start = blank[..at].rfind('#').unwrap_or(at);
    let line = blank[start..].lines().next().unwrap_or_default().trim_end();
    out.replace_range(start..start + line.len(), &" ".repeat(line.len()));
}

/// Declares what `gl_FragColor`, `gl_FragData` with some elements, and `gl_PointCoord` become, for those that the source has.
fn declarations(
    number: u32,
    [colors, points]: [bool; 2],
    elements: Option<u32>,
    renamed: &mut Vec<(String, String)>,
) -> String {
    let mut declared = String::new();
    if colors {
        renamed.push(("qd_FragColor".into(), "gl_FragColor".into()));
        // From 1.40 to 3.20, outputs have no layouts.
        declared += if (140..300).contains(&number) { "" } else { "layout(location = 0) " };
        declared += "out highp vec4 qd_FragColor;\n";
    }
    if let Some(elements) = elements {
        renamed.push(("qd_FragData".into(), "gl_FragData".into()));
        declared += &format!("layout(location = 0) out highp vec4 qd_FragData[{elements}];\n");
    }
    if points {
        renamed.push(("qd_PointCoord".into(), "gl_PointCoord".into()));
        declared += "#define qd_PointCoord vec2(gl_PointCoord.x, 1.0 - gl_PointCoord.y)\n";
    }
    declared
}

/// Ends comments with their lines, as versions do that know no continued lines: blanks their backslashes.
fn end_comments(out: &mut String, blank: &str) {
    let places: Vec<usize> = out.match_indices('\\').map(|(at, _)| at).collect();
    for at in places.into_iter().filter(|at| blank.as_bytes()[*at] == b' ') {
        out.replace_range(at..at + 1, " ");
    }
}

/// Replaces the directive of a text by `new`, and returns what has to stand before the text instead, if something is before the
/// directive. Spec: GLSL ES 1.00, Preprocessor: comments and white space may be; in later versions of ES they may not.
fn replace_version(out: &mut String, version: &Version, new: &str) -> &'static str {
    let leads = version.number != 100 || !out[..version.start].contains(['\n', '/']);
    out.replace_range(version.start..version.end, if leads { new } else { "" });
    if leads { "" } else { "#version 310 es\n#line 1\n" }
}

/// The `#version` of Vulkan's GLSL that has what an older version has.
fn translation(number: u32) -> Option<&'static str> {
    match number {
        100 | 300 => Some("#version 310 es"),
        110 | 120 | 130 => Some("#version 450"),
        _ => None,
    }
}

/// True for a new name of one function of a source, so that a macro with this name replaces no other function.
fn is_alone(new: &str, used: &HashSet<&str>) -> bool {
    let before = FUNCTIONS.iter().filter(|(name, other)| *other == new && used.contains(name));
    before.count() == 1 && !used.contains(new)
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
fn freed(source: &str, stage: Stage) -> Rewritten {
    let blank = without_comments(source);
    let names = Names::of(&blank);
    let number = version(&blank).map_or(0, |v| v.number);
    let mut always = if matches!(number, 100 | 110 | 120 | 130 | 300) { TAKEN.to_vec() } else { Vec::new() };
    let mut functions = if always.is_empty() { Vec::new() } else { TAKEN_FUNCTIONS.to_vec() };
    if number < 130 && is_old(&names.used, number) {
        always.extend(FREE_ONCE.iter().filter(|name| names.variables.contains(*name)));
        functions.extend(FUNCTIONS_ONCE);
    }
    let mut free = names.renamed(source, &always, &functions);
    free.words.extend(depth(&names.used).filter(|_| stage == Stage::Fragment && is_old(&names.used, number)));
    free
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

/// Names in a module as the user wrote them: `names` are pairs of a word and the user's word.
pub(super) fn restore(module: Vec<u32>, names: &[(String, String)]) -> Vec<u32> {
    const NAME: u32 = 5;
    const MEMBER_NAME: u32 = 6;
    if names.is_empty() {
        return module;
    }
    let mut out: Vec<u32> = module.iter().take(5).copied().collect();
    let mut at = out.len();
    while let Some(&head) = module.get(at) {
        let end = (at + (head >> 16).max(1) as usize).min(module.len());
        let first = match head & 0xffff {
            NAME => at + 2,
            MEMBER_NAME => at + 3,
            _ => end,
        };
        let first = first.min(end);
        let bytes: Vec<u8> = module[first..end].iter().flat_map(|word| word.to_le_bytes()).collect();
        let is =
            |new: &String| bytes.strip_prefix(new.as_bytes()).is_some_and(|rest| rest.first() == Some(&0));
        if let Some((_, old)) = names.iter().find(|(new, _)| is(new)) {
            let mut bytes = old.as_bytes().to_vec();
            bytes.resize((bytes.len() / 4 + 1) * 4, 0);
            let words = first - at + bytes.len() / 4;
            out.push((head & 0xffff) | ((words as u32) << 16));
            out.extend(&module[at + 1..first]);
            out.extend(bytes.as_chunks::<4>().0.iter().map(|word| u32::from_le_bytes(*word)));
        } else {
            out.extend(&module[at..end]);
        }
        at = end;
    }
    out
}

/// Returns the number in the `#version` of a source.
pub(super) fn version_number(source: &str) -> Option<u32> {
    profile(&without_comments(source)).map(|p| p.number)
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
mod tests;

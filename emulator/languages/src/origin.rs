//! Detects the coordinate origin for which a fragment shader was written.
//!
//! Vulkan, WebGPU and Android count rows from the top; OpenGL, WebGL and Shadertoy count from the bottom. A shader does
//! not state its convention, so [`origin_of`] looks for constructs that only one of the two has. This module only
//! detects the origin. [`crate::apps::picture`] applies it to an image, and `legacy` applies it to the text.

use std::fmt;
use std::rc::Rc;
use std::str::FromStr;

use super::comments::without_comments;
use super::{Language, Options, includes, is_shadertoy, version};

/// Coordinate origin of an image, and the convention that goes with it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Origin {
    /// Vulkan's coordinates: `gl_FragCoord.y` grows downwards.
    #[default]
    UpperLeft,
    /// OpenGL's coordinates: `gl_FragCoord.y` grows upwards, `gl_PointCoord.y` downwards, `+y` of clip space is up and
    /// its z runs from -1 to 1. The last vertex is the provoking vertex.
    LowerLeft,
}

impl Origin {
    /// All origins.
    pub const ALL: [Origin; 2] = [Origin::UpperLeft, Origin::LowerLeft];
}

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Origin::UpperLeft => "upper-left",
            Origin::LowerLeft => "lower-left",
        })
    }
}

impl FromStr for Origin {
    type Err = String;

    fn from_str(text: &str) -> Result<Origin, String> {
        let found = Origin::ALL.into_iter().find(|origin| origin.to_string() == text);
        found.ok_or_else(|| format!("`{text}` is not lower-left or upper-left"))
    }
}

/// A detected origin with its reason.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FoundOrigin {
    /// The origin.
    pub origin: Origin,
    /// Evidence for the origin, as a clause without a full stop.
    pub reason: String,
}

impl fmt::Display for FoundOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.origin, self.reason)
    }
}

/// Returns the origin for which the shaders of a draw, one or several stages, were written. Included files count.
///
/// ```
/// use quadrille_languages::{Language, Options, Origin, origin_of};
/// let old = "uniform vec2 u_resolution;\nvoid main() { gl_FragColor = vec4(gl_FragCoord.xy / u_resolution, 0, 1); }";
/// let found = origin_of(Language::Glsl, &[old], &Options::default());
/// assert_eq!(found.origin, Origin::LowerLeft);
/// assert_eq!(found.reason, "line 1: `u_resolution` is a uniform outside a block, which only OpenGL has");
/// ```
pub fn origin_of(language: Language, sources: &[&str], options: &Options) -> FoundOrigin {
    let by = |origin: Origin, reason: &str| FoundOrigin { origin, reason: reason.into() };
    match language {
        Language::Glsl => {}
        Language::Wgsl => return by(Origin::UpperLeft, "WebGPU counts rows from the top"),
        Language::Agsl => return by(Origin::UpperLeft, "Android counts rows from the top"),
        Language::Spirv => return by(Origin::UpperLeft, "Vulkan counts rows from the top"),
    }
    if sources.iter().any(|source| is_shadertoy(source)) {
        return by(Origin::LowerLeft, "Shadertoy counts rows from the bottom");
    }
    let texts: Vec<Text> = sources.iter().map(|source| Text::new(source, options)).collect();
    let rules: [(Origin, fn(&Text) -> Option<String>); 4] = [
        (Origin::UpperLeft, Text::vulkan),
        (Origin::UpperLeft, Text::says_upper_left),
        (Origin::LowerLeft, Text::opengl),
        (Origin::LowerLeft, Text::version),
    ];
    for (origin, rule) in rules {
        if let Some(reason) = texts.iter().find_map(rule) {
            return FoundOrigin { origin, reason };
        }
    }
    by(Origin::UpperLeft, "GLSL without OpenGL constructs is Vulkan's")
}

/// Words that only Vulkan's GLSL has.
const VULKAN: &[&str] = &[
    "push_constant",
    "constant_id",
    "input_attachment_index",
    "subpassInput",
    "isubpassInput",
    "usubpassInput",
    "subpassInputMS",
    "subpassLoad",
    "gl_VertexIndex",
    "gl_InstanceIndex",
];
/// Words that only OpenGL's GLSL has.
const OPENGL: &[&str] = &["gl_FragColor", "gl_FragData", "gl_VertexID", "gl_InstanceID"];
/// Functions that version 1.30 deprecated.
const OLD_FUNCTIONS: &[&str] =
    &["texture2D", "textureCube", "texture2DLod", "texture2DProj", "textureCubeLod"];
/// Qualifiers that may stand between `uniform` and the type.
const QUALIFIERS: &[&str] =
    &["highp", "mediump", "lowp", "readonly", "writeonly", "coherent", "volatile", "restrict", "flat"];

/// GLSL source as a list of words with their places.
struct Text {
    version: Option<version::Profile>,
    words: Vec<(Place, String)>,
}

/// A line, with the name of its file if there are several files.
#[derive(Clone, Default)]
struct Place {
    file: Option<Rc<str>>,
    line: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.file {
            Some(file) => write!(f, "{file}, line {}", self.line),
            None => write!(f, "line {}", self.line),
        }
    }
}

impl Text {
    fn new(source: &str, options: &Options) -> Text {
        // The compiler reports files that cannot be included.
        let text = includes::expand(source, options);
        // A place is a line of the user's file, whatever `#line` says.
        let text = text.map_or_else(|_| source.to_owned(), |e| e.unnumbered().unwrap_or(e).text);
        let blank = without_comments(&text);
        let mut words = Vec::new();
        let mut place = Place::default();
        for text in blank.lines() {
            place.line = place.line.saturating_add(1);
            let directive = text.trim_start().strip_prefix('#').map(str::trim_start);
            if let Some(numbered) = directive.and_then(|d| d.strip_prefix("line")) {
                let number = numbered.split_whitespace().next().and_then(|n| n.parse::<u32>().ok());
                place.line = number.map_or(place.line, |n| n.saturating_sub(1));
                place.file = numbered.split('"').nth(1).map(Rc::from).or(place.file);
                continue;
            }
            if directive.is_some_and(|d| d.starts_with("version") || d.starts_with("extension")) {
                continue;
            }
            words.extend(super::shadertoy::words(text).map(|word| (place.clone(), word.to_owned())));
        }
        Text { version: version::profile(&blank), words }
    }

    fn word(&self, at: usize) -> &str {
        self.words.get(at).map_or("", |(_, word)| word)
    }

    /// Returns the first word for which `is` gives a reason, as `place: reason`.
    fn first(&self, is: impl Fn(usize) -> Option<String>) -> Option<String> {
        let of = |at: usize| Some(format!("{}: {}", self.words[at].0, is(at)?));
        (0..self.words.len()).find_map(of)
    }

    fn vulkan(&self) -> Option<String> {
        self.first(|at| {
            let word = self.word(at);
            let before = |n: usize| at.checked_sub(n).map_or("", |at| self.word(at));
            let declared = before(1) == "uniform" || QUALIFIERS.contains(&before(1));
            let separate = declared && is_separate(word) && is_identifier(self.word(at + 1));
            let is = VULKAN.contains(&word) || separate;
            let set = word == "set" && self.word(at + 1) == "=" && matches!(before(1), "(" | ",");
            let word = if set { "layout(set = ...)" } else { word };
            (is || set).then(|| format!("only Vulkan has `{word}`"))
        })
    }

    fn says_upper_left(&self) -> Option<String> {
        self.first(|at| {
            (self.word(at) == "origin_upper_left").then(|| "`origin_upper_left` declares it".into())
        })
    }

    fn opengl(&self) -> Option<String> {
        self.first(|at| {
            let (word, next) = (self.word(at), self.word(at + 1));
            let declares = matches!(word, "varying" | "attribute") && is_identifier(next);
            let calls = OLD_FUNCTIONS.contains(&word) && next == "(";
            if OPENGL.contains(&word) || declares || calls {
                return Some(format!("only OpenGL has `{word}`"));
            }
            if word == "precision" && next == "mediump" && self.version.is_none() {
                return Some("`precision mediump` without a version is OpenGL ES's".into());
            }
            if word == "uniform" { self.loose(at) } else { None }
        })
    }

    /// For the `uniform` at `at`, returns the reason if Vulkan has no such declaration.
    fn loose(&self, at: usize) -> Option<String> {
        let bound = self.layout_before(at).any(|word| word == "binding");
        let mut ty = at + 1;
        while QUALIFIERS.contains(&self.word(ty)) {
            ty += 1;
        }
        let (of, name) = (self.word(ty), self.word(ty + 1));
        if name == "{" {
            return (!bound).then(|| format!("the uniform block `{of}` has no binding, as in OpenGL"));
        }
        let opaque =
            ["sampler", "isampler", "usampler", "image", "iimage", "uimage", "accelerationStructure"];
        let opaque = opaque.iter().any(|prefix| of.starts_with(prefix));
        match is_identifier(of) && is_identifier(name) {
            true if opaque => (!bound).then(|| format!("`{name}` has no binding, as in OpenGL")),
            true => Some(format!("`{name}` is a uniform outside a block, which only OpenGL has")),
            false => None,
        }
    }

    /// Yields the words of `layout(...)` before the `uniform` at `at`, last first.
    fn layout_before(&self, at: usize) -> impl Iterator<Item = &str> {
        let statement = self.words[..at].iter().rev().map(|(_, word)| word.as_str());
        statement.take_while(|word| !matches!(*word, ";" | "{" | "}" | "uniform"))
    }

    fn version(&self) -> Option<String> {
        let profile = self.version?;
        let number = profile.number;
        match (profile.es, number) {
            (true, _) | (false, 100 | 300) => Some(format!("GLSL ES {number} is OpenGL ES's")),
            (false, ..450) => Some(format!("GLSL {number} without Vulkan constructs is OpenGL's")),
            (false, _) => None,
        }
    }
}

fn is_identifier(word: &str) -> bool {
    word.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
}

/// True for the types of images without samplers and of samplers without images.
fn is_separate(word: &str) -> bool {
    let plain = word.strip_prefix(['i', 'u']).filter(|w| w.starts_with("texture")).unwrap_or(word);
    let kinds = [
        "1D",
        "2D",
        "3D",
        "Cube",
        "2DRect",
        "1DArray",
        "2DArray",
        "CubeArray",
        "Buffer",
        "2DMS",
        "2DMSArray",
    ];
    matches!(word, "sampler" | "samplerShadow")
        || plain.strip_prefix("texture").is_some_and(|kind| kinds.contains(&kind))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Includes;

    fn found(source: &str) -> FoundOrigin {
        origin_of(Language::Glsl, &[source], &Options::default())
    }

    #[test]
    fn what_opengl_alone_has_is_from_below() {
        let main = "void main() {}";
        for source in [
            "void main() { gl_FragColor = vec4(1); }",
            "#ifdef GL_ES\nprecision mediump float;\n#endif\nout vec4 c;",
            "#version 100\nprecision highp float;",
            "#version 120\n",
            "#version 130\nout vec4 c;",
            "#version 300 es\nout vec4 c;",
            "#version 310 es\nlayout(location = 0) out vec4 c;",
            "#version 330 core\nin vec2 uv;\nout vec4 c;",
            "varying vec2 uv;",
            "uniform vec2 u_resolution;",
            "#version 450\nuniform highp vec3 iResolution;",
            "#version 450\nlayout(location = 3) uniform float time;",
            "#version 450\nuniform sampler2D picture;",
            "#version 460\nlayout(std140) uniform Inputs { vec2 resolution; };",
            "void mainImage(out vec4 c, in vec2 p) { c = vec4(0); }",
        ] {
            let found = found(&format!("{source}\n{main}").replace(&format!("}}\n{main}"), "}"));
            assert_eq!(found.origin, Origin::LowerLeft, "{source}: {found}");
        }
    }

    #[test]
    fn what_vulkan_alone_has_is_from_above() {
        for source in [
            "#version 450\nlayout(location = 0) out vec4 c;",
            "layout(location = 0) out vec4 c;",
            "#version 310 es\nprecision mediump float;\nlayout(set = 0, binding = 1) uniform B { vec2 resolution; };",
            "#version 450\nlayout(binding = 0) uniform B { vec2 resolution; };",
            "#version 450\nlayout(binding = 0, set=1) uniform sampler2D t;",
            "#version 330\nlayout(push_constant) uniform B { vec2 resolution; };",
            "#version 450\nlayout(binding = 1) uniform texture2D t;\nlayout(binding = 2) uniform sampler s;",
            "#version 330\nlayout(origin_upper_left) in vec4 gl_FragCoord;\nout vec4 c;",
            "// gl_FragColor, uniform vec2 u_resolution;\nlayout(location = 0) out vec4 c;",
        ] {
            assert_eq!(found(source).origin, Origin::UpperLeft, "{source}: {}", found(source));
        }
        for language in [Language::Wgsl, Language::Agsl, Language::Spirv] {
            let found = origin_of(language, &["gl_FragColor"], &Options::default());
            assert_eq!(found.origin, Origin::UpperLeft);
        }
    }

    #[test]
    fn stages_are_looked_at_together_and_files_are_named() {
        let vertex = "#version 450\nlayout(set = 0, binding = 0) uniform B { mat4 m; };";
        let both = ["#version 450\nuniform vec3 eye;", vertex];
        let found = origin_of(Language::Glsl, &both, &Options::default());
        assert_eq!(found.to_string(), "upper-left: line 2: only Vulkan has `layout(set = ...)`");
        let includes = Includes::default().and_file("a.glsl", "\nuniform vec3 tint;\n".into());
        let options = Options { includes, ..Options::named("b.frag") };
        let source = "#version 450\n#include \"a.glsl\"\nvoid main() {}";
        let found = origin_of(Language::Glsl, &[source], &options);
        assert_eq!(
            found.to_string(),
            "lower-left: a.glsl, line 2: `tint` is a uniform outside a block, which only OpenGL has"
        );
    }

    /// A place is a line of the file.
    #[test]
    fn line_directives_do_not_move_places() {
        for line in ["#line 7", "#line 4294967295", "# line 4294967295 3"] {
            let found = found(&format!("#version 450\n{line}\n\n\nuniform vec3 eye;"));
            let reason = "line 5: `eye` is a uniform outside a block, which only OpenGL has";
            assert_eq!(found.reason, reason, "{line}");
        }
    }
}

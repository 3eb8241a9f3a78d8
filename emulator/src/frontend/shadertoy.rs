//! Shadertoy: pictures written as `void mainImage(out vec4 fragColor, in vec2 fragCoord)`.
//!
//! Such a source has no `main`, no outputs and no declarations of its inputs; [`wrap_shadertoy`]
//! puts them around it. The wrapped source is GLSL ES 3.10, the language of the site (ES 3.00) as
//! far as SPIR-V allows.
//!
//! # The picture is upside down
//!
//! Shadertoy counts rows from the bottom, Vulkan from the top. The wrapper does not touch
//! coordinates: `fragCoord` is `gl_FragCoord`, so that derivatives keep their signs too. Who renders
//! must reverse the rows of the result, and of textures when they are loaded; [`Shadertoy`] has a
//! constant for it so that nobody forgets.
//!
//! # Inputs
//!
//! One uniform block at set 0, binding 0, laid out as std140 ([`Shadertoy::BLOCK_BYTES`] bytes), and four
//! combined image samplers `iChannel0..3` at bindings 1 to 4.

use super::Stage;
use super::comments::without_comments;

/// A wrapped Shadertoy source.
#[derive(Clone, Debug)]
pub struct Shadertoy {
    /// GLSL for [`super::compile_glsl`]. Line `n` of the user is still line `n` in messages.
    pub source: String,
    /// Names in it that the user wrote otherwise, as they are now and as they were.
    pub renamed: Vec<(String, String)>,
}

impl Shadertoy {
    /// Rows of the rendered picture and of its textures go from the bottom up.
    pub const ROWS_FROM_BOTTOM: bool = true;
    /// Size of the uniform block at set 0, binding 0.
    pub const BLOCK_BYTES: usize = 192;
    /// Binding in set 0 of `iChannel0`; the others follow.
    pub const CHANNEL_BINDING: u32 = 1;
    /// The stage it is for.
    pub const STAGE: Stage = Stage::Fragment;

    /// True if a source has these declarations in it. Its own uniforms are in a block at set 1, binding 0.
    #[cfg_attr(not(feature = "glsl"), allow(dead_code, reason = "only the compiler needs it"))]
    pub(super) fn declares(source: &str) -> bool {
        source.contains("uniform QuadrilleShadertoy {")
    }
}

const PRELUDE: &str = "#version 310 es
precision highp float;
precision highp int;
precision highp sampler2D;
layout(set = 0, binding = 0, std140) uniform QuadrilleShadertoy {
    vec3 iResolution;
    float iTime;
    vec4 iMouse;
    vec4 iDate;
    float iTimeDelta;
    float iFrameRate;
    int iFrame;
    float iSampleRate;
    vec3 iChannelResolution[4];
    float iChannelTime[4];
};
layout(set = 0, binding = 1) uniform sampler2D iChannel0;
layout(set = 0, binding = 2) uniform sampler2D iChannel1;
layout(set = 0, binding = 3) uniform sampler2D iChannel2;
layout(set = 0, binding = 4) uniform sampler2D iChannel3;
layout(location = 0) out vec4 quadrille_color;
#define iGlobalTime iTime
#define HW_PERFORMANCE 1
void st_assert(bool condition, int component) {}
void st_assert(bool condition) {}
#line 1
";

/// Names that ES 3.00 leaves to programs, and that GLSL for Vulkan has taken.
const TAKEN: &[&str] = &["buffer", "shared", "sampler", "samplerShadow", "subpassInput", "precise", "demote"];
/// Functions that ES 3.00 does not have: a program may have its own.
const TAKEN_FUNCTIONS: &[&str] = &[
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
];

const EPILOGUE: &str = "
void main() {
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    mainImage(color, gl_FragCoord.xy);
    quadrille_color = vec4(color.xyz, 1.0);
}
";

/// True if the source defines `void mainImage(` and no `void main(`.
pub fn is_shadertoy(source: &str) -> bool {
    let blank = without_comments(source);
    defines(&blank, "void", "mainImage") && !defines(&blank, "void", "main")
}

/// Which other pass of Shadertoy a source is, if it is no picture: its function.
pub(super) fn other_pass(source: &str) -> Option<&'static str> {
    let blank = without_comments(source);
    let passes = [("vec2", "mainSound"), ("void", "mainCubemap"), ("void", "mainVR")];
    let is_main = defines(&blank, "void", "main") || defines(&blank, "void", "mainImage");
    passes.into_iter().find(|(result, name)| !is_main && defines(&blank, result, name)).map(|(_, name)| name)
}

/// True if a text without comments declares the function.
fn defines(blank: &str, result: &str, name: &str) -> bool {
    let mut last = ["", ""];
    words(blank).any(|word| {
        let is = word == "(" && last == [result, name];
        last = [last[1], word];
        is
    })
}

/// Puts the declarations of Shadertoy around a source that [`is_shadertoy`]; `None` otherwise.
///
/// The alpha of the result is 1, as on the site. A `#version` line of the source is dropped.
///
/// ```
/// use quadrille::frontend::wrap_shadertoy;
/// let toy = wrap_shadertoy("void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0, 1); }");
/// assert!(toy.unwrap().source.contains("uniform sampler2D iChannel0"));
/// ```
pub fn wrap_shadertoy(source: &str) -> Option<Shadertoy> {
    if !is_shadertoy(source) {
        return None;
    }
    let mut wrapped = String::with_capacity(PRELUDE.len() + source.len() + EPILOGUE.len());
    wrapped.push_str(PRELUDE);
    let renamed = super::legacy::rename(source, TAKEN, TAKEN_FUNCTIONS);
    for line in renamed.source.trim_start_matches('\u{feff}').lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        if !directive.is_some_and(|d| d.starts_with("version")) {
            wrapped.push_str(line);
        }
        wrapped.push('\n');
    }
    wrapped.push_str(EPILOGUE);
    Some(Shadertoy { source: wrapped, renamed: renamed.words })
}

/// Identifiers and single punctuation characters of a text.
fn words(text: &str) -> impl Iterator<Item = &str> {
    let ident = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut rest = text;
    std::iter::from_fn(move || {
        rest = rest.trim_start();
        let first = rest.chars().next()?;
        let end =
            if ident(first) { rest.find(|c| !ident(c)).unwrap_or(rest.len()) } else { first.len_utf8() };
        let (word, after) = rest.split_at(end);
        rest = after;
        Some(word)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn detection() {
        assert!(is_shadertoy("void mainImage( out vec4 c, in vec2 p ) {}"));
        assert!(is_shadertoy("// void main()\nvoid\nmainImage(out vec4 c, vec2 p){}"));
        assert!(!is_shadertoy("// void mainImage(\nvoid main() {}"));
        assert!(!is_shadertoy("/* void mainImage(out vec4 c) */"));
        assert!(!is_shadertoy("void mainImage(out vec4 c, in vec2 p) {} void main() {}"));
        assert!(!is_shadertoy("void mainImageX(out vec4 c) {}"));
    }

    #[test]
    fn other_passes() {
        assert_eq!(other_pass("vec2 mainSound(int s, float t) { return vec2(0); }"), Some("mainSound"));
        assert_eq!(
            other_pass("void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) {}"),
            Some("mainCubemap")
        );
        assert_eq!(
            other_pass("vec2 mainSound(int s, float t) {} void mainImage(out vec4 c, vec2 p) {}"),
            None
        );
    }

    #[test]
    fn comments_keep_places() {
        let source = "a/*b\nc*/d// é\ne";
        let blank = without_comments(source);
        assert_eq!(blank, "a   \n   d     \ne");
        assert_eq!(blank.len(), source.len());
    }

    #[cfg(feature = "glsl")]
    #[test]
    fn wrapped_sources_compile_and_keep_lines() {
        use crate::frontend::{Options, compile_shadertoy};
        let options = Options { disk_cache: false, ..Options::named("toy") };
        let good = "#version 300 es\nvoid mainImage(out vec4 c, in vec2 p) {\n  vec2 uv = p / iResolution.xy;\n  \
                    c = texture(iChannel0, uv) * sin(iTime + iGlobalTime) + iMouse * float(iFrame) + iDate.w \
                    + iChannelTime[1] + iChannelResolution[2].x * iTimeDelta * iFrameRate * iSampleRate;\n}";
        compile_shadertoy(good, &options).unwrap();

        // What is a keyword or a function only after ES 3.00.
        let free = "float fma(float a, float b) { return a * b; }\n#if HW_PERFORMANCE == 1\nfloat shared, buffer;\n#endif\n\
                    void mainImage(out vec4 c, in vec2 p) { int sampler = 1; st_assert(true); buffer = 1.0; \
                    c = vec4(fma(p.x, buffer) + shared + float(sampler)); }";
        compile_shadertoy(free, &options).unwrap();
        let wrong = free.replace("buffer = 1.0", "buffer = true");
        let error = compile_shadertoy(&wrong, &options).unwrap_err();
        assert!(!error.to_string().contains("buffeA"), "{error}");
        let sound = "vec2 mainSound(int s, float t) { return vec2(sin(t)); }";
        let error = compile_shadertoy(sound, &options).unwrap_err();
        assert!(error.message.contains("mainSound"), "{error}");

        let bad = "void mainImage(out vec4 c, in vec2 p) {\n  c = vec4(nothing);\n}";
        let error = compile_shadertoy(bad, &options).unwrap_err();
        assert_eq!((error.line, error.column), (2, 12), "{error}");
        assert_eq!(&*error.source_text, bad);
    }
}

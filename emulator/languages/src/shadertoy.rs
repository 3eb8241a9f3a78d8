//! Shadertoy sources: images written as `void mainImage(out vec4 fragColor, in vec2 fragCoord)`.
//!
//! Such a source has no `main`, no outputs and no declarations of its inputs; [`wrap_shadertoy`] adds all of these. The
//! wrapped source is GLSL ES 3.10, the version closest to the site's ES 3.00 that can be compiled to SPIR-V.
//!
//! # The image is upside down
//!
//! Shadertoy counts rows from the bottom, Vulkan from the top. The wrapper does not change coordinates: `fragCoord` is
//! `gl_FragCoord`, so that derivatives keep their signs. The renderer must reverse the rows of the result, and those of
//! textures when it loads them, as for every shader whose origin is at the lower left ([`super::Origin`]).
//!
//! # Inputs
//!
//! One uniform block at set 0, binding 0, in std140 layout ([`Shadertoy::BLOCK_BYTES`] bytes), and four combined image
//! samplers `iChannel0..3` at bindings 1 to 4.
//!
//! # Passes
//!
//! A Shadertoy with several passes has buffers, cube maps and sound besides the image, and a common text that precedes
//! each pass. [`ShadertoyPass`] is one pass with that text. Cube map and sound passes also have 4 bytes of push
//! constants: the number of the face, or of the first sample ([`ShadertoyPass::SOUND_WIDTH`] samples per row of
//! pixels).

use super::Stage;
use super::comments::without_comments;
use super::legacy::{TAKEN, TAKEN_FUNCTIONS, rename};

/// A wrapped Shadertoy source.
#[derive(Clone, Debug)]
pub struct Shadertoy {
    /// GLSL for [`super::compile_glsl`]. Messages keep the user's line numbers.
    pub source: String,
    /// Renamed identifiers, as pairs of the new name and the user's name.
    pub renamed: Vec<(String, String)>,
}

impl Shadertoy {
    /// Size of the uniform block at set 0, binding 0, in bytes.
    pub const BLOCK_BYTES: usize = 192;
    /// Binding in set 0 of `iChannel0`; the others follow.
    pub const CHANNEL_BINDING: u32 = 1;
    /// Stage of a Shadertoy.
    pub const STAGE: Stage = Stage::Fragment;

    /// True if a source contains Shadertoy's declarations. Its own uniforms are then in a block at set 1, binding 0.
    #[cfg_attr(not(feature = "glsl"), allow(dead_code, reason = "used only by the compiler"))]
    pub(super) fn declares(source: &str) -> bool {
        source.contains("uniform QuadrilleShadertoy {")
    }
}

/// Kind of output of a Shadertoy pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum PassKind {
    /// The final image: `mainImage`, with alpha 1.
    Image,
    /// An image for other passes: `mainImage`, with the alpha that it writes.
    Buffer,
    /// A cube map for other passes: `mainCubemap`.
    Cube,
    /// Sound: `mainSound`; a pixel is a sample, left and right in red and green.
    Sound,
}

/// Sampler type of a channel in the shader.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum ChannelDim {
    /// `sampler2D`
    #[default]
    D2,
    /// `samplerCube`
    Cube,
    /// `sampler3D`
    D3,
}

/// A text and its name in messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SourceText {
    /// Name in messages.
    pub name: String,
    /// The text.
    pub text: String,
}

/// A pass of a Shadertoy and the common text that precedes it, ready to be compiled.
#[derive(Clone, Debug)]
pub struct ShadertoyPass<'a> {
    /// Kind of the pass.
    pub kind: PassKind,
    /// Sampler types of its channels.
    pub channels: [ChannelDim; 4],
    /// Text that precedes every pass.
    pub common: Option<&'a SourceText>,
    /// Text of this pass.
    pub source: &'a SourceText,
}

impl ShadertoyPass<'_> {
    /// Samples of sound per row of pixels.
    pub const SOUND_WIDTH: u32 = 512;
    /// Texels along a side of a cube map.
    pub const CUBE_SIDE: u32 = 1024;

    /// Name of the entry function, as in `void mainImage(`.
    pub fn function(&self) -> &'static str {
        match self.kind {
            PassKind::Image | PassKind::Buffer => "mainImage",
            PassKind::Cube => "mainCubemap",
            PassKind::Sound => "mainSound",
        }
    }

    /// Combines both texts, with their includes, into GLSL for the compiler; `None` if the entry function is missing.
    pub(super) fn wrap(&self, text: &str) -> Option<Shadertoy> {
        let blank = without_comments(text);
        let result = if self.kind == PassKind::Sound { "vec2" } else { "void" };
        let is = defines(&blank, result, self.function()) && !defines(&blank, "void", "main");
        is.then(|| wrap(text, self.kind, self.channels))
    }
}

const PRELUDE: &str = "#version 310 es
precision highp float;
precision highp int;
precision highp sampler2D;
precision highp sampler3D;
precision highp samplerCube;
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
layout(location = 0) out vec4 quadrille_color;
#define iGlobalTime iTime
#define HW_PERFORMANCE 1
void st_assert(bool condition, int component) {}
void st_assert(bool condition) {}
";

/// Push constant: number of the face, or of the first sample of the block.
const NUMBER: &str = "layout(push_constant) uniform QuadrillePass { int quadrille_number; };\n";

const IMAGE: &str = "
void main() {
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    mainImage(color, gl_FragCoord.xy);
    quadrille_color = vec4(color.xyz, 1.0);
}
";

const BUFFER: &str = "
void main() {
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    mainImage(color, gl_FragCoord.xy);
    quadrille_color = color;
}
";

/// Computes the direction of a texel: the inverse of the cube map table in the OpenGL and Vulkan specifications.
const CUBE: &str = "
void main() {
    vec2 st = 2.0 * gl_FragCoord.xy / iResolution.xy - 1.0;
    vec3 ray = vec3(1.0, -st.y, -st.x);
    if (quadrille_number == 1) ray = vec3(-1.0, -st.y, st.x);
    if (quadrille_number == 2) ray = vec3(st.x, 1.0, st.y);
    if (quadrille_number == 3) ray = vec3(st.x, -1.0, -st.y);
    if (quadrille_number == 4) ray = vec3(st.x, -st.y, 1.0);
    if (quadrille_number == 5) ray = vec3(-st.x, -st.y, -1.0);
    vec4 color = vec4(0.0, 0.0, 0.0, 1.0);
    mainCubemap(color, gl_FragCoord.xy, vec3(0.0), normalize(ray));
    quadrille_color = color;
}
";

const SOUND: &str = "
void main() {
    ivec2 quadrille_at = ivec2(gl_FragCoord.xy);
    int quadrille_sample = quadrille_number + 512 * quadrille_at.y + quadrille_at.x;
    quadrille_color = vec4(mainSound(quadrille_sample, float(quadrille_sample) / iSampleRate), 0.0, 1.0);
}
";

/// Wrapper for `mainSound(float time)`, the original signature.
const OLD_SOUND: &str = "
void main() {
    ivec2 quadrille_at = ivec2(gl_FragCoord.xy);
    int quadrille_sample = quadrille_number + 512 * quadrille_at.y + quadrille_at.x;
    quadrille_color = vec4(mainSound(float(quadrille_sample) / iSampleRate), 0.0, 1.0);
}
";

/// True if the source defines `void mainImage(` and no `void main(`.
pub fn is_shadertoy(source: &str) -> bool {
    let blank = without_comments(source);
    defines(&blank, "void", "mainImage") && !defines(&blank, "void", "main")
}

/// If a source is another kind of Shadertoy pass than an image, returns its entry function.
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

/// Adds Shadertoy's declarations to a source; `None` unless [`is_shadertoy`] is true for it.
///
/// The alpha of the result is 1, as on the site. A `#version` line of the source is dropped.
///
/// ```
/// use quadrille_languages::wrap_shadertoy;
/// let toy = wrap_shadertoy("void mainImage(out vec4 c, in vec2 p) { c = vec4(p / iResolution.xy, 0, 1); }");
/// assert!(toy.unwrap().source.contains("uniform sampler2D iChannel0"));
/// ```
pub fn wrap_shadertoy(source: &str) -> Option<Shadertoy> {
    if !is_shadertoy(source) {
        return None;
    }
    Some(wrap(source, PassKind::Image, [ChannelDim::D2; 4]))
}

fn wrap(source: &str, kind: PassKind, channels: [ChannelDim; 4]) -> Shadertoy {
    let epilogue = match kind {
        PassKind::Image => IMAGE,
        PassKind::Buffer => BUFFER,
        PassKind::Cube => CUBE,
        PassKind::Sound if has_two_parameters(source, "mainSound") => SOUND,
        PassKind::Sound => OLD_SOUND,
    };
    let mut wrapped = String::with_capacity(PRELUDE.len() + source.len() + epilogue.len() + 512);
    wrapped.push_str(PRELUDE);
    for (n, channel) in channels.into_iter().enumerate() {
        let ty = match channel {
            ChannelDim::D2 => "sampler2D",
            ChannelDim::Cube => "samplerCube",
            ChannelDim::D3 => "sampler3D",
        };
        let binding = Shadertoy::CHANNEL_BINDING + n as u32;
        wrapped += &format!("layout(set = 0, binding = {binding}) uniform {ty} iChannel{n};\n");
    }
    if matches!(kind, PassKind::Cube | PassKind::Sound) {
        wrapped.push_str(NUMBER);
    }
    wrapped.push_str("#line 1\n");
    let renamed = rename(source, TAKEN, TAKEN_FUNCTIONS);
    for line in renamed.source.trim_start_matches('\u{feff}').lines() {
        let directive = line.trim_start().strip_prefix('#').map(str::trim_start);
        if !directive.is_some_and(|d| d.starts_with("version")) {
            wrapped.push_str(line);
        }
        wrapped.push('\n');
    }
    wrapped.push_str(epilogue);
    Shadertoy { source: wrapped, renamed: renamed.words }
}

/// True if the declaration of the function has a comma between its parentheses.
fn has_two_parameters(source: &str, function: &str) -> bool {
    let blank = without_comments(source);
    let declared = blank.match_indices(function).find_map(|(at, _)| {
        let rest = blank[at + function.len()..].trim_start().strip_prefix('(')?;
        rest.split_once(')').map(|(inside, _)| inside.contains(','))
    });
    declared.unwrap_or(true)
}

/// Yields the identifiers and single punctuation characters of a text.
pub(super) fn words(text: &str) -> impl Iterator<Item = &str> {
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
    fn sound_of_both_kinds() {
        assert!(has_two_parameters("vec2 mainSound /*,*/ ( in int s, float t ) {}", "mainSound"));
        assert!(!has_two_parameters("vec2 mainSound(float t /*,*/) { return vec2(t, t); }", "mainSound"));
    }

    #[test]
    fn comments_keep_places() {
        let source = "a/*b\nc*/d// é\ne";
        let blank = without_comments(source);
        assert_eq!(blank, "a   \n   d     \ne");
        assert_eq!(blank.len(), source.len());
    }

    /// The common text precedes each pass; messages name the text that they are about, and its line.
    #[cfg(feature = "glsl")]
    #[test]
    fn passes_compile_and_keep_lines() {
        use crate::{Options, compile_shadertoy_pass};
        let options = Options { disk_cache: false, ..Options::default() };
        let text = |name: &str, text: &str| SourceText { name: name.into(), text: text.into() };
        let common =
            text("common.glsl", "\u{feff}#version 300 es\n#define TWICE(x) 2.0 * (x)\nfloat shared;");
        let compile = |kind, channels, common: &SourceText, source: &str| {
            let source = text("pass.glsl", source);
            let pass = ShadertoyPass { kind, channels, common: Some(common), source: &source };
            compile_shadertoy_pass(&pass, &options)
        };
        use ChannelDim::{Cube, D2, D3};
        let buffer = "void mainImage(out vec4 c, in vec2 p) { c = TWICE(texture(iChannel1, vec3(p, shared)) +\n\
            texture(iChannel2, vec3(p, 0)) + texelFetch(iChannel0, ivec2(p), 0)); }";
        for kind in [PassKind::Buffer, PassKind::Image] {
            compile(kind, [D2, Cube, D3, D2], &common, buffer).unwrap();
        }
        let cube = "void mainCubemap(out vec4 c, in vec2 p, in vec3 o, in vec3 d) { c = vec4(d + o, p.x); }";
        compile(PassKind::Cube, [D2; 4], &common, cube).unwrap();
        for sound in [
            "vec2 mainSound(int s, float t) { return vec2(s, t); }",
            "vec2 mainSound(float t) { return vec2(t); }",
        ] {
            compile(PassKind::Sound, [D2; 4], &common, sound).unwrap();
        }

        let wrong = "\nvoid mainImage(out vec4 c, in vec2 p) { c = nothing; }";
        let error = compile(PassKind::Buffer, [D2; 4], &common, wrong).unwrap_err();
        assert_eq!((&*error.file, error.line, error.column), ("pass.glsl", 2, 45), "{error}");
        let wrong = text("common.glsl", "float a;\nfloat b = nothing;\n");
        let error = compile(PassKind::Cube, [D2; 4], &wrong, cube).unwrap_err();
        assert_eq!((&*error.file, error.line, error.column), ("common.glsl", 2, 11), "{error}");
        assert_eq!(*error.source_text, wrong.text);
        let error = compile(PassKind::Cube, [D2; 4], &common, buffer).unwrap_err();
        assert!(error.message.contains("no `mainCubemap`"), "{error}");
    }

    #[cfg(feature = "glsl")]
    #[test]
    fn wrapped_sources_compile_and_keep_lines() {
        use crate::{Options, compile_shadertoy};
        let options = Options { disk_cache: false, ..Options::named("toy") };
        let good = "#version 300 es\nvoid mainImage(out vec4 c, in vec2 p) {\n  vec2 uv = p / iResolution.xy;\n  \
                    c = texture(iChannel0, uv) * sin(iTime + iGlobalTime) + iMouse * float(iFrame) + iDate.w \
                    + iChannelTime[1] + iChannelResolution[2].x * iTimeDelta * iFrameRate * iSampleRate;\n}";
        compile_shadertoy(good, &options).unwrap();

        // These words became keywords or functions only after ES 3.00.
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

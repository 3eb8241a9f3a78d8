//! Front ends: shader text or bytes in, SPIR-V words out.
//!
//! ```text
//!   GLSL (+ Shadertoy prelude) --glslang--\
//!   WGSL ------------------------naga------> SPIR-V words -> jit::spirv
//!   AGSL ------------------agsl, naga-----/
//!   WGSL of January 2021 --wgsl2021, naga--/
//!   SPIR-V text or binary --------asm-----/
//! ```
//!
//! Every front end keeps source lines (OpLine), so that errors found later, in the SPIR-V, can still name the line of
//! the source. The crate knows no device and no pipeline. `jit::spirv` interprets and validates the module; the front ends do not look inside the words.
//!
//! GLSL needs the feature `glsl` (it compiles glslang, which is C++). Without it [`compile_glsl`] returns an error that
//! says so.
//!
//! [`files`] reads sources and their includes. [`fullscreen`] has the vertex shader that covers the viewport, for fragment shaders without one.

mod agsl;
#[cfg(feature = "glsl")]
mod cache;
mod comments;
#[cfg(feature = "glsl")]
mod exit;
pub mod files;
pub mod fullscreen;
mod glsl;
#[cfg(feature = "glsl")]
mod glslang;
mod includes;
mod initial;
mod legacy;
mod lines;
#[cfg(feature = "glsl")]
mod macros;
mod origin;
mod parts;
#[cfg(feature = "glsl")]
mod patience;
mod shadertoy;
mod spirv;
mod stack;
#[cfg(feature = "glsl")]
mod tokens;
mod version;
mod wgsl;
mod wgsl2021;

use std::fmt;
use std::path::Path;
use std::sync::Arc;

use quadrille_jit::excerpt::{Message, Source};
use quadrille_jit::{Error, Place};

pub use agsl::{AgslKind, AgslShader, compile_agsl};
pub use glsl::{compile_glsl, compile_shadertoy, compile_shadertoy_pass};
pub use includes::{IncludeRequest, IncludedFile, Includes};
pub use initial::{InitialValue, initial_values};
pub use legacy::has_location;
pub use lines::with_line_feeds;
pub use origin::{FoundOrigin, Origin, origin_of};
pub use quadrille_jit::ir::Stage;
pub use shadertoy::{
    ChannelDim, PassKind, Shadertoy, ShadertoyPass, SourceText, is_shadertoy, wrap_shadertoy,
};
pub use spirv::{load_spirv, words_to_bytes};
pub use wgsl::{compile_wgsl, translate_wgsl};
pub use wgsl2021::is_wgsl_2021;

/// Source language of a shader.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// OpenGL Shading Language for Vulkan; also Shadertoy's `mainImage` with [`wrap_shadertoy`].
    Glsl,
    /// WebGPU Shading Language, either today's or that of the January 2021 draft; the text determines which.
    Wgsl,
    /// Android Graphics Shading Language.
    Agsl,
    /// SPIR-V, binary or text.
    Spirv,
}

impl Language {
    /// Returns the language that the extension of `path` names, or `None` if it names none.
    ///
    /// `.glsl .frag .vert .comp .geom .tesc .tese .task .mesh .shadertoy` are GLSL, `.wgsl` is WGSL, `.agsl` is AGSL,
    /// `.spv .spvasm` are SPIR-V.
    pub fn of_path(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "glsl" | "frag" | "vert" | "comp" | "geom" | "tesc" | "tese" | "task" | "mesh" | "shadertoy" => {
                Some(Language::Glsl)
            }
            "rgen" | "rint" | "rahit" | "rchit" | "rmiss" | "rcall" => Some(Language::Glsl),
            "wgsl" => Some(Language::Wgsl),
            "agsl" => Some(Language::Agsl),
            "spv" | "spvasm" => Some(Language::Spirv),
            _ => None,
        }
    }
}

impl fmt::Display for Language {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Language::Glsl => "GLSL",
            Language::Wgsl => "WGSL",
            Language::Agsl => "AGSL",
            Language::Spirv => "SPIR-V",
        })
    }
}

/// Returns the stage that the extension of `path` names, or `None` if it names none: `.frag`, `.vert`, `.comp`,
/// `.geom`, `.tesc`, `.tese`, `.task`, `.mesh`, `.rgen`, `.rint`, `.rahit`, `.rchit`, `.rmiss`, `.rcall`, also before
/// the language (`name.frag.glsl`).
pub fn stage_of_path(path: &Path) -> Option<Stage> {
    let stage_of = |path: &Path| match path.extension()?.to_str()?.to_ascii_lowercase().as_str() {
        "frag" | "shadertoy" => Some(Stage::Fragment),
        "vert" => Some(Stage::Vertex),
        "comp" => Some(Stage::Compute),
        "geom" => Some(Stage::Geometry),
        "tesc" => Some(Stage::TessellationControl),
        "tese" => Some(Stage::TessellationEvaluation),
        "task" => Some(Stage::Task),
        "mesh" => Some(Stage::Mesh),
        "rgen" => Some(Stage::RayGeneration),
        "rint" => Some(Stage::Intersection),
        "rahit" => Some(Stage::AnyHit),
        "rchit" => Some(Stage::ClosestHit),
        "rmiss" => Some(Stage::Miss),
        "rcall" => Some(Stage::Callable),
        _ => None,
    };
    stage_of(path).or_else(|| stage_of(Path::new(path.file_stem()?)))
}

/// Options of a compilation.
#[derive(Clone, Debug)]
pub struct Options {
    /// Name of the source in messages and in the module's debug information.
    pub file: String,
    /// SPIR-V version of the output, `(major, minor)`. Default 1.3, that of Vulkan 1.1; task and mesh shaders have at
    /// least 1.4.
    pub spirv: (u8, u8),
    /// Keep names and source lines in the module. Default true.
    pub debug: bool,
    /// WGSL: store each value named by `let` in a variable of that name, so that debuggers find it. Default false.
    pub named_values: bool,
    /// GLSL: accept uniforms outside blocks (they are gathered in a block at set 0, binding
    /// [`LOOSE_UNIFORMS_BINDING`]) and resources without a binding, as OpenGL does. Default false.
    pub relaxed: bool,
    /// GLSL: descriptor set of the block of uniforms outside blocks. Stages of one pipeline need different sets.
    /// Default 0.
    pub loose_set: u32,
    /// GLSL: coordinate origin of the rendered image, see [`origin_of`]; it determines `gl_PointCoord`. Default
    /// [`Origin::UpperLeft`], as in Vulkan.
    pub origin: Origin,
    /// GLSL: `#define`s put before the source, as name and value.
    pub defines: Vec<(String, String)>,
    /// GLSL: where `#include` finds files. Default nowhere: every `#include` is an error.
    pub includes: Includes,
    /// GLSL: lines of debug information are those of the files, whatever `#line` says, as in messages; for programs that
    /// show them beside the files. A source that asks for `__LINE__` keeps its numbers. Default false.
    pub physical_lines: bool,
    /// GLSL: keep compiled SPIR-V in the user's cache directory. Default true.
    pub disk_cache: bool,
    /// WGSL: values of overridable constants, by id or name. Constants without one keep the value in the source.
    pub constants: Vec<(String, f64)>,
    /// WGSL: accept only what the January 2021 draft allows, neither today's WGSL nor the extensions that shaders of that
    /// year use. Default false.
    pub strict: bool,
}

/// Binding in set 0 of the block that gathers loose uniforms, see [`Options::relaxed`].
pub const LOOSE_UNIFORMS_BINDING: u32 = 0;

impl Default for Options {
    fn default() -> Self {
        Options {
            file: "shader".into(),
            spirv: (1, 3),
            debug: true,
            named_values: false,
            relaxed: false,
            loose_set: 0,
            origin: Origin::UpperLeft,
            defines: Vec::new(),
            includes: Includes::default(),
            physical_lines: false,
            disk_cache: true,
            constants: Vec::new(),
            strict: false,
        }
    }
}

impl Options {
    /// Returns the default options with the given source name.
    pub fn named(file: impl Into<String>) -> Self {
        Options { file: file.into(), ..Options::default() }
    }
}

/// One compiler message about one place in the source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// Line, from 1; 0 if the message is not about a line.
    pub line: u32,
    /// Column in bytes, from 1; 0 if unknown.
    pub column: u32,
    /// Length of the offending text, in bytes; 0 if unknown.
    pub length: u32,
    /// Text of the message.
    pub message: String,
}

/// A source that does not compile. `Debug` shows every message with its line, as [`Error`]'s does.
#[derive(Clone, thiserror::Error)]
pub struct CompileError {
    /// Language of the source.
    pub language: Language,
    /// Name of the source.
    pub file: Box<str>,
    /// Line of the first message, from 1; 0 if unknown.
    pub line: u32,
    /// Column of the first message in bytes, from 1; 0 if unknown.
    pub column: u32,
    /// Length of the offending text, in bytes; 0 if unknown.
    pub length: u32,
    /// The first message.
    pub message: String,
    /// Advice on how to fix the error, if any.
    pub help: Option<String>,
    /// The source as the user wrote it; empty for binaries.
    pub source_text: Box<str>,
    /// Messages after the first.
    pub more: Box<[Diagnostic]>,
    /// Reason why a valid source was not compiled, for example an exhausted limit.
    pub cause: Option<Box<Error>>,
    /// `true` if all messages are about values in [`Options::constants`], or missing there.
    pub of_constants: bool,
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if self.line > 0 {
            write!(f, ":{}", self.line)?;
            if self.column > 0 {
                write!(f, ":{}", self.column)?;
            }
        }
        write!(f, ": {}", self.message)?;
        if let Some(help) = &self.help {
            write!(f, " ({help})")?;
        }
        Ok(())
    }
}

impl CompileError {
    /// Creates an error that is not about a line of the source.
    pub fn new(language: Language, file: &str, source: &str, message: impl Into<String>) -> Self {
        CompileError {
            language,
            file: file.into(),
            line: 0,
            column: 0,
            length: 0,
            message: message.into(),
            help: None,
            source_text: source.into(),
            more: Box::default(),
            cause: None,
            of_constants: false,
        }
    }

    /// Creates the error for a source that was not compiled for a reason outside the source.
    pub(crate) fn because(language: Language, file: &str, cause: Error) -> Self {
        let error = CompileError::new(language, file, "", cause.to_string());
        CompileError { cause: Some(Box::new(cause)), ..error }
    }

    /// Creates an error from a list of messages; an empty list gives `fallback` without a line.
    pub(crate) fn from_diagnostics(
        language: Language,
        file: &str,
        source: &str,
        diagnostics: Vec<Diagnostic>,
        fallback: &str,
    ) -> Self {
        let mut error = CompileError::new(language, file, source, fallback);
        let mut diagnostics = diagnostics.into_iter();
        if let Some(first) = diagnostics.next() {
            error.line = first.line;
            error.column = first.column;
            error.length = first.length;
            error.message = first.message;
            error.more = diagnostics.collect();
        }
        error
    }

    /// Returns the same error with a help text.
    pub(crate) fn with_help(mut self, help: impl Into<String>) -> Self {
        self.help = Some(help.into());
        self
    }

    /// Returns all messages, including the first.
    pub fn diagnostics(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let first = Diagnostic {
            line: self.line,
            column: self.column,
            length: self.length,
            message: self.message.clone(),
        };
        std::iter::once(first).chain(self.more.iter().cloned())
    }

    /// Returns the messages that add information. Later glslang messages about one line follow from the first and are
    /// dropped.
    pub fn distinct(&self) -> impl Iterator<Item = Diagnostic> + '_ {
        let mut lines = Vec::new();
        self.diagnostics().filter(move |d| {
            let new = self.language != Language::Glsl || !lines.contains(&d.line);
            lines.push(d.line);
            new
        })
    }

    /// Returns the source with all messages, for display.
    pub fn source(&self) -> Source {
        let messages = self.distinct().map(|d| Message {
            line: d.line,
            column: d.column,
            length: d.length,
            text: d.message,
        });
        Source {
            title: format!("{} is not valid {}", self.file, self.language),
            file: self.file.to_string(),
            text: self.source_text.to_string(),
            messages: messages.collect(),
            help: self.help.clone(),
        }
    }
}

impl fmt::Debug for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.cause {
            Some(cause) => write!(f, "{cause:?}"),
            None => write!(f, "{}", self.source()),
        }
    }
}

impl From<CompileError> for Error {
    fn from(e: CompileError) -> Self {
        let source = Some(Arc::new(e.source()));
        if let Some(cause) = e.cause {
            return *cause;
        }
        let place = Place {
            file: Some(e.file.to_string()),
            line: (e.line > 0).then_some(e.line),
            column: (e.line > 0 && e.column > 0).then_some(e.column),
            source,
            ..Place::default()
        };
        Error::invalid(e.message).at(place)
    }
}

/// Longest accepted GLSL source, in bytes. No real shader is longer, and the compiler recurses over the source.
pub(crate) const MAX_SOURCE_BYTES: usize = 4 << 20;

/// Compiles a source of any language to SPIR-V. GLSL is compiled for `stage`, WGSL with all its entry points; SPIR-V
/// text is assembled and a SPIR-V binary is returned as it is.
pub fn compile(
    source: &[u8],
    language: Language,
    stage: Stage,
    options: &Options,
) -> Result<Vec<u32>, CompileError> {
    let text = || text_of(source, language, options);
    match language {
        Language::Glsl => compile_glsl(text()?, stage, options),
        Language::Wgsl => compile_wgsl(text()?, options),
        Language::Agsl => compile_agsl(text()?, options),
        Language::Spirv => load_spirv(source, options),
    }
}

/// The text of a source file, as [`files::decoded`] reads it.
pub fn text_of<'a>(source: &'a [u8], language: Language, options: &Options) -> Result<&'a str, CompileError> {
    files::decoded(source).map_err(|why| CompileError::new(language, &options.file, "", why))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In every language, a byte order mark is not part of a text, and bytes that are not UTF-8 are named.
    #[test]
    fn sources_are_texts() {
        let sources = [
            #[cfg(feature = "glsl")]
            (Language::Glsl, "#version 450\nvoid main() {}"),
            (Language::Wgsl, "@fragment fn main() {}"),
            (Language::Agsl, "half4 main(float2 p) { return half4(1); }"),
            (Language::Spirv, "OpCapability Shader\n%x = OpTypeVoid\n"),
        ];
        for (language, source) in sources {
            let compiled = |bytes: &[u8]| compile(bytes, language, Stage::Fragment, &Options::named("x"));
            let marked = format!("\u{feff}{source}");
            assert_eq!(
                compiled(marked.as_bytes()).unwrap(),
                compiled(source.as_bytes()).unwrap(),
                "{language}"
            );
            let bytes = [source.as_bytes(), b"\xff"].concat();
            let error = compiled(&bytes).unwrap_err().message;
            assert!(error.contains(&format!("byte {} is not UTF-8", source.len())), "{language}: {error}");
        }
    }

    /// The limit is named, not a bracket that the parser did not reach.
    #[test]
    fn nesting_has_a_limit_that_is_named() {
        let nest = |n: usize| {
            let (open, close) = ("(".repeat(n), ")".repeat(n));
            [
                (Language::Agsl, format!("half4 main(float2 p) {{ return half4({open}1{close}); }}")),
                (Language::Wgsl, format!("[[stage(compute)]] fn main() {{ var a : i32 = {open}1{close}; }}")),
            ]
        };
        for (language, source) in nest(1000) {
            let error = compile(source.as_bytes(), language, Stage::Fragment, &Options::named("x"));
            let error = error.unwrap_err();
            assert_eq!(error.diagnostics().count(), 1, "{language}: {error:?}");
            assert!(error.message.contains("nested deeper than"), "{language}: {error}");
        }
    }

    #[test]
    fn extensions() {
        assert_eq!(Language::of_path(Path::new("a/b.FRAG")), Some(Language::Glsl));
        assert_eq!(Language::of_path(Path::new("a.wgsl")), Some(Language::Wgsl));
        assert_eq!(Language::of_path(Path::new("a.png")), None);
        assert_eq!(stage_of_path(Path::new("a.comp")), Some(Stage::Compute));
        assert_eq!(stage_of_path(Path::new("a.mesh.glsl")), Some(Stage::Mesh));
        assert_eq!(Language::of_path(Path::new("a.task")), Some(Language::Glsl));
        assert_eq!(stage_of_path(Path::new("a.vert.glsl")), Some(Stage::Vertex));
        assert_eq!(stage_of_path(Path::new("a.glsl")), None);
    }
}

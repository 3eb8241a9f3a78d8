//! Compilation of GLSL: options for glslang, translation of its messages, and the cache in front of it.
//!
//! `glslang.rs` owns the calls into glslang; this module has no `unsafe` code.

use super::comments::without_comments;
use super::includes::Expanded;
use super::shadertoy::{PassKind, ShadertoyPass};
use super::{CompileError, Language, Options, Shadertoy, Stage};

/// Compiles GLSL for Vulkan to SPIR-V; the entry point is `main`.
///
/// A source without `#version` is read as `#version 450`. `#include` finds files by [`Options::includes`]. The result
/// comes from a cache when the same source was compiled before with the same options.
///
/// ```
/// # #[cfg(feature = "glsl")] {
/// use quadrille_languages::{Options, Stage, compile_glsl};
/// let source = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }";
/// let words = compile_glsl(source, Stage::Fragment, &Options::default())?;
/// assert_eq!(words[0], 0x0723_0203);
/// # }
/// # Ok::<(), quadrille_languages::CompileError>(())
/// ```
#[cfg(not(feature = "glsl"))]
pub fn compile_glsl(source: &str, stage: Stage, options: &Options) -> Result<Vec<u32>, CompileError> {
    let _ = stage;
    Err(CompileError::new(
        Language::Glsl,
        &options.file,
        source,
        "this build of Quadrille has no GLSL compiler",
    )
    .with_help("build with the feature `glsl`, or compile the shader to SPIR-V"))
}

/// Compiles GLSL for Vulkan to SPIR-V; the entry point is `main`.
///
/// A source without `#version` is read as `#version 450`. `#include` finds files by [`Options::includes`]. The result
/// comes from a cache when the same source was compiled before with the same options.
///
/// ```
/// # #[cfg(feature = "glsl")] {
/// use quadrille_languages::{Options, Stage, compile_glsl};
/// let source = "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(1); }";
/// let words = compile_glsl(source, Stage::Fragment, &Options::default())?;
/// assert_eq!(words[0], 0x0723_0203);
/// # }
/// # Ok::<(), quadrille_languages::CompileError>(())
/// ```
#[cfg(feature = "glsl")]
pub fn compile_glsl(source: &str, stage: Stage, options: &Options) -> Result<Vec<u32>, CompileError> {
    let expanded = super::includes::expand(source, options)?;
    if let Some(error) = other_pass(&expanded.text, options) {
        return Err(error);
    }
    by_lines_of_files(&expanded, options, |expanded| enabled::compile_text(expanded, stage, options))
}

/// Compiles a text with `compile`. Its errors have the lines of the user's files, which a `#line` of the user renumbers:
/// they are those of the text without it. The module, and `__LINE__`, have the numbers of `#line`; the module has those
/// of the files if the options ask for them and the program does not depend on them.
fn by_lines_of_files(
    expanded: &Expanded,
    options: &Options,
    compile: impl Fn(&Expanded) -> Result<Vec<u32>, CompileError>,
) -> Result<Vec<u32>, CompileError> {
    let Some(unnumbered) = expanded.unnumbered() else { return compile(expanded) };
    match compile(expanded) {
        // The directives are right, so that nothing but places changes without them.
        Ok(words) if options.physical_lines && !asks_for_lines(expanded, options) => {
            Ok(compile(&unnumbered).unwrap_or(words))
        }
        Ok(words) => Ok(words),
        // The source is not at fault for an exhausted limit.
        Err(error) if error.cause.is_some() => Err(error),
        // A text without errors depends on `__LINE__`.
        Err(error) => Err(compile(&unnumbered).err().unwrap_or(error)),
    }
}

/// `true` if a text may depend on numbers of lines and of sources: by their macros, whose names `##` can make. Comments often
/// have rows of `#`.
fn asks_for_lines(expanded: &Expanded, options: &Options) -> bool {
    let code = without_comments(&expanded.text);
    let names = |text: &str| ["__LINE__", "__FILE__"].iter().any(|name| text.contains(name));
    let defined = |value: &str| names(value) || value.contains("##");
    names(&expanded.text) || code.contains("##") || options.defines.iter().any(|(_, value)| defined(value))
}

/// Compiles a Shadertoy source ([`super::is_shadertoy`]) after adding Shadertoy's declarations.
///
/// Messages refer to the source as the user wrote it. [`Shadertoy`] describes the inputs of the module.
pub fn compile_shadertoy(source: &str, options: &Options) -> Result<Vec<u32>, CompileError> {
    let expanded = super::includes::expand(source, options)?;
    by_lines_of_files(&expanded, options, |expanded| {
        let Some(toy) = super::wrap_shadertoy(&expanded.text) else {
            if let Some(error) = other_pass(&expanded.text, options) {
                return Err(error);
            }
            let message = "no `void mainImage(out vec4 fragColor, in vec2 fragCoord)`, or also a `main`";
            return Err(CompileError::new(Language::Glsl, &options.file, source, message));
        };
        compile_toy(toy, expanded, options)
    })
}

/// Compiles a wrapped Shadertoy, which was made from the user's files in `shown`.
fn compile_toy(toy: Shadertoy, shown: &Expanded, options: &Options) -> Result<Vec<u32>, CompileError> {
    #[cfg(feature = "glsl")]
    {
        enabled::compile_toy(toy, shown, options)
    }
    #[cfg(not(feature = "glsl"))]
    {
        let _ = shown;
        compile_glsl(&toy.source, Shadertoy::STAGE, options)
    }
}

/// Compiles one pass of a Shadertoy. Messages name the text that they are about and use its line numbers.
pub fn compile_shadertoy_pass(pass: &ShadertoyPass<'_>, options: &Options) -> Result<Vec<u32>, CompileError> {
    let options = Options { file: pass.source.name.clone(), ..options.clone() };
    let text = pass.source.text.trim_start_matches('\u{feff}');
    let expanded = super::includes::expand_after(pass.common, text, &options)?;
    by_lines_of_files(&expanded, &options, |expanded| match pass.wrap(&expanded.text) {
        Some(toy) => compile_toy(toy, expanded, &options),
        None => Err(no_entry(pass, &options)),
    })
}

/// Returns the error for a pass without its entry function.
fn no_entry(pass: &ShadertoyPass<'_>, options: &Options) -> CompileError {
    let message = format!("no `{}`, or also a `main`", pass.function());
    let error = CompileError::new(Language::Glsl, &options.file, &pass.source.text, message);
    let declaration = match pass.kind {
        PassKind::Image | PassKind::Buffer => "void mainImage(out vec4 fragColor, in vec2 fragCoord)",
        PassKind::Cube => {
            "void mainCubemap(out vec4 fragColor, in vec2 fragCoord, in vec3 rayOri, in vec3 rayDir)"
        }
        PassKind::Sound => "vec2 mainSound(in int samp, float time)",
    };
    error.with_help(format!("the entry function is `{declaration}`"))
}

/// Returns the error for a source that is a sound or cube map pass of Shadertoy.
fn other_pass(source: &str, options: &Options) -> Option<CompileError> {
    let name = super::shadertoy::other_pass(source)?;
    let message = format!("`{name}` does not draw a Shadertoy picture: `mainImage` does");
    let error = CompileError::new(Language::Glsl, &options.file, source, message);
    Some(error.with_help(match name {
        "mainSound" => "render the sound: `quadrille render FILE -o NAME.wav`",
        "mainCubemap" => "a cube map is part of a folder, as cube_a.glsl, with an image.glsl that shows it",
        _ => "add a `void mainImage(out vec4 fragColor, in vec2 fragCoord)`",
    }))
}

#[cfg(feature = "glsl")]
mod enabled {
    use super::super::Origin;
    use super::super::comments::without_comments;
    use super::super::includes::{Expanded, Located};
    use super::super::legacy::{self, Rewritten, restore};
    use super::super::{Diagnostic, MAX_SOURCE_BYTES, cache, glslang, macros, stack, tokens};
    use super::{CompileError, Language, Options, Shadertoy, Stage};

    /// Compiles a text other than a Shadertoy.
    pub(super) fn compile_text(
        expanded: &Expanded,
        stage: Stage,
        options: &Options,
    ) -> Result<Vec<u32>, CompileError> {
        let header = legacy::after_header(&without_comments(&expanded.text));
        let text = expanded.with_extension(expanded.text.clone(), header);
        let graphics = matches!(stage, Stage::Vertex | Stage::Fragment);
        let written = match options.relaxed && graphics {
            true => legacy::modern(&text, stage, options.origin == Origin::LowerLeft),
            false => Rewritten { source: text, words: Vec::new() },
        };
        compile(&written, expanded, stage, options)
    }

    /// Compiles a wrapped Shadertoy.
    pub(super) fn compile_toy(
        toy: Shadertoy,
        shown: &Expanded,
        options: &Options,
    ) -> Result<Vec<u32>, CompileError> {
        // Insert the extension after the `#version` line.
        let first = toy.source.find('\n').map_or(0, |at| at + 1);
        let source = shown.with_extension(toy.source, first);
        let written = Rewritten { source, words: toy.renamed };
        let words = compile(&written, shown, Shadertoy::STAGE, options);
        words.map(|words| super::super::spirv::without_lines_of_entry(&words))
    }

    /// Compiles `written`, which was made from the user's files in `shown` and has the same line numbers.
    pub(super) fn compile(
        written: &Rewritten,
        shown: &Expanded,
        stage: Stage,
        options: &Options,
    ) -> Result<Vec<u32>, CompileError> {
        let error =
            |message: String| CompileError::new(Language::Glsl, &options.file, shown.source(0), message);
        let escaped = escapes(&written.source);
        let source = escaped.as_str();
        if source.len() > MAX_SOURCE_BYTES {
            return Err(error(format!("the source has more than {MAX_SOURCE_BYTES} bytes")));
        }
        if let Some(at) = source.bytes().position(|b| b == 0) {
            return Err(error(format!("the source contains a zero byte at offset {at}")));
        }
        let predefined = |names: &[String]| glslang::predefined(source, names, stage, options);
        let too_long = || macros::too_long(source, &options.defines, predefined);
        let found = stack::on_large_stack(0, too_long);
        let found = found.map_err(|e| CompileError::because(Language::Glsl, &options.file, e))?;
        if let Some((line, message)) = found {
            let (file, line) = shown.place(source, line);
            let diagnostic = Diagnostic { line, column: 0, length: 0, message };
            return Err(shown.error(vec![Located { file, diagnostic }], None, ""));
        }

        let key = key(source, stage, options);
        let disk = options.disk_cache && quadrille_jit::env::cache();
        if let Some(words) = cache::get(&key, disk) {
            return Ok(restore(words.to_vec(), &written.words));
        }
        let compiled = glslang::compile(source, stage, options);
        let compiled = compiled.map_err(|e| CompileError::because(Language::Glsl, &options.file, e))?;
        let words = compiled.map_err(|log| {
            let (diagnostics, hint) = diagnostics(&written.undo(&log), shown);
            let help = hint.or_else(|| help(&diagnostics));
            let fallback =
                log.lines().find(|l| !l.trim().is_empty()).unwrap_or("the source does not compile");
            shown.error(diagnostics, help, fallback)
        })?;
        cache::put(&key, &words, disk);
        Ok(restore(words, &written.words))
    }

    /// Cache key: everything that the compiled words depend on.
    fn key(source: &str, stage: Stage, options: &Options) -> Vec<u8> {
        let mut key = Vec::with_capacity(source.len() + 128);
        let mut push = |part: &[u8]| {
            key.extend((part.len() as u32).to_le_bytes());
            key.extend(part);
        };
        push(glslang::version().as_bytes());
        push(&[stage as u8, options.spirv.0, options.spirv.1, options.debug.into(), options.relaxed.into()]);
        push(&[(options.origin == Origin::LowerLeft).into()]);
        push(&options.loose_set.to_le_bytes());
        push(if options.debug { options.file.as_bytes() } else { b"" });
        for (name, value) in &options.defines {
            push(name.as_bytes());
            push(value.as_bytes());
        }
        push(source.as_bytes());
        key
    }

    /// Parses the messages in glslang's log: `ERROR: <string>:<line>[:<column>]: <message>`.
    ///
    /// Warnings and the closing error count are dropped. glslang does not report the column but names the token, so the
    /// token's first occurrence in the line becomes the column.
    ///
    /// Also returns the help text of the first failed `#include`.
    fn diagnostics(log: &str, shown: &Expanded) -> (Vec<Located>, Option<String>) {
        let mut found: Vec<Located> = Vec::new();
        let (mut in_error, mut hint) = (false, None);
        for line in log.lines() {
            let Some(message) = line.trim().strip_prefix("ERROR: ") else {
                // An indented line continues the message before it, for example with the call chain of a recursion.
                if let Some(last) = found.last_mut().filter(|_| in_error && line.starts_with([' ', '\t'])) {
                    last.diagnostic.message += &format!(" {}", unmangled(line.trim()));
                }
                continue;
            };
            in_error =
                !(message.contains("compilation errors.") || message.contains("compilation terminated"));
            if in_error {
                let mut located = located(message, shown);
                if let Some((problem, help)) = shown.problem(&located.diagnostic.message) {
                    located.diagnostic.message = problem;
                    hint = hint.or(help);
                }
                found.push(located);
            }
        }
        found.dedup();
        (found, hint)
    }

    /// Turns `f(vf2;f1; calling g(` into `f calling g`: removes the parameter types that glslang appends to names.
    fn unmangled(text: &str) -> String {
        let name = |word: &str| word.split('(').next().unwrap_or(word).to_owned();
        text.split_whitespace().map(name).collect::<Vec<_>>().join(" ")
    }

    /// Replaces escapes in strings, which glslang's scanner does not know. Each becomes a character of the same length,
    /// which printing turns back ([`quadrille_jit::printf::escape`]).
    fn escapes(source: &str) -> String {
        if !source.contains('"') || !source.contains('\\') {
            return source.to_owned();
        }
        let mut out = String::with_capacity(source.len());
        let (mut inside, mut chars) = (false, source.chars().peekable());
        while let Some(c) = chars.next() {
            match c {
                '"' | '\n' => inside = c == '"' && !inside,
                '\\' if inside => {
                    if let Some(escape) = chars.peek().and_then(|next| quadrille_jit::printf::escape(*next)) {
                        chars.next();
                        out.push(escape);
                        continue;
                    }
                }
                _ => {}
            }
            out.push(c);
        }
        out
    }

    /// Parses a log message, `FILE:LINE: ...` or `FILE:LINE:COLUMN: ...`, where FILE is `0` or a file name.
    fn located(message: &str, shown: &Expanded) -> Located {
        let nowhere = |file: usize, m: &str| {
            let diagnostic = Diagnostic { line: 0, column: 0, length: 0, message: tidy(m) };
            Located { file, diagnostic }
        };
        let Some((file, after)) = shown.split_file(message) else { return nowhere(0, message) };
        let Some((place, rest)) = after.split_once(": ") else { return nowhere(file, message) };
        let (line, column) = place.split_once(':').unwrap_or((place, "0"));
        let Some((line, column)) = line.parse::<u32>().ok().zip(column.parse::<u32>().ok()) else {
            return nowhere(file, message);
        };
        let lines = || (1u32..).zip(shown.source(file).lines());
        let (mut place, mut column) = (lines().find(|(number, _)| *number == line), column);
        if place.is_none() && rest.contains("unexpected end of file") {
            (place, column) = (lines().last(), u32::MAX);
        }
        let Some((line, text)) = place else { return nowhere(file, rest) };
        let token = rest.strip_prefix('\'').and_then(|r| r.split_once('\'')).map_or("", |(t, _)| t.trim());
        let place = (!token.is_empty()).then(|| find_token(text, token)).flatten();
        let (column, length) = match place {
            _ if token == "#error" => {
                (text.find('#').map_or(1, |at| at as u32 + 1), text.trim().len() as u32)
            }
            Some(at) => (at as u32 + 1, token.len() as u32),
            None => {
                // The first byte of the character in which the column is.
                let starts = text.char_indices().map(|(at, _)| at as u32 + 1);
                (starts.take_while(|start| *start <= column).last().unwrap_or(0), 0)
            }
        };
        Located { file, diagnostic: Diagnostic { line, column, length, message: tidy(rest) } }
    }

    /// Returns the first position of `token` in `line` that is not part of a longer word.
    fn find_token(line: &str, token: &str) -> Option<usize> {
        let word = |b: Option<&u8>| b.is_some_and(|b| b.is_ascii_alphanumeric() || *b == b'_');
        let bytes = line.as_bytes();
        let is_word = word(token.as_bytes().first());
        line.match_indices(token).map(|(at, _)| at).find(|&at| {
            let before = at.checked_sub(1).and_then(|n| bytes.get(n));
            !is_word || !(word(before) || word(bytes.get(at + token.len())))
        })
    }

    /// Rewrites `'x' : undeclared identifier` as `'x': undeclared identifier`.
    fn tidy(message: &str) -> String {
        let message = message.trim().replacen("' : ", "': ", 1);
        tokens::written(message.strip_prefix("'': ").map_or(&*message, str::trim_start))
    }

    /// Beginnings of the names that OpenGL has for its fixed functions.
    const FIXED: &[&str] = &[
        "ftransform",
        "gl_Color",
        "gl_FrontColor",
        "gl_Light",
        "gl_ModelView",
        "gl_MultiTexCoord",
        "gl_Normal",
        "gl_Projection",
        "gl_TexCoord",
        "gl_Vertex'",
    ];

    fn help(diagnostics: &[Located]) -> Option<String> {
        let all = |needle: &str| diagnostics.iter().any(|d| d.diagnostic.message.contains(needle));
        if all("non-opaque uniforms outside a block") {
            Some("Vulkan has no loose uniforms: put them in a block, `layout(binding = 0) uniform Inputs { ... };`".into())
        } else if all("SPIR-V requires location for user input/output") {
            Some("give every `in` and `out` a `layout(location = N)`".into())
        } else if all("gl_FragColor") {
            Some("declare an output: `layout(location = 0) out vec4 color;`".into())
        } else if all("'sampler/image': cannot construct this type") {
            Some("`texture2D` and the like are functions up to version 1.30 only: call `texture`".into())
        } else if FIXED.iter().any(|name| all(&format!("'{name}"))) {
            Some("OpenGL's fixed functions are not available: declare inputs, outputs and uniforms".into())
        } else {
            None
        }
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        #[test]
        fn logs() {
            let source = "#version 450\nvoid main() { x = y; }\n";
            let log = "ERROR: 0:2: 'y' : undeclared identifier \nERROR: 0:2:15: '' :  syntax error\n\
                       ERROR: 2 compilation errors.  No code generated.\n";
            let shown = crate::includes::expand(source, &Options::default()).unwrap();
            let found: Vec<Diagnostic> =
                diagnostics(log, &shown).0.into_iter().map(|l| l.diagnostic).collect();
            assert_eq!(found.len(), 2);
            assert_eq!((found[0].line, found[0].column, found[0].length), (2, 19, 1));
            assert_eq!(found[0].message, "'y': undeclared identifier");
            assert_eq!((found[1].line, found[1].column), (2, 15));
        }
    }
}

#[cfg(all(test, feature = "glsl"))]
mod tests {
    use super::*;

    const FRAGMENT: &str =
        "#version 450\nlayout(location = 0) out vec4 c;\nvoid main() {\n  c = vec4(1);\n}\n";

    fn opcodes(words: &[u32]) -> Vec<u16> {
        let mut at = 5;
        let mut all = Vec::new();
        while at < words.len() {
            all.push(words[at] as u16);
            at += (words[at] >> 16).max(1) as usize;
        }
        all
    }

    fn uncached() -> Options {
        Options { disk_cache: false, ..Options::named("a.frag") }
    }

    #[test]
    fn lines_are_kept() {
        let words = compile_glsl(FRAGMENT, Stage::Fragment, &uncached()).unwrap();
        assert_eq!(&words[..2], &[0x0723_0203, 0x0001_0300]);
        assert!(opcodes(&words).contains(&8), "OpLine");
        let bare = Options { debug: false, ..uncached() };
        assert!(!opcodes(&compile_glsl(FRAGMENT, Stage::Fragment, &bare).unwrap()).contains(&8));
        // The second compilation is served from memory.
        assert_eq!(compile_glsl(FRAGMENT, Stage::Fragment, &uncached()).unwrap(), words);
    }

    #[test]
    fn errors_have_places() {
        let source = FRAGMENT.replace("vec4(1)", "vec4(undefined_name)");
        let error = compile_glsl(&source, Stage::Fragment, &uncached()).unwrap_err();
        assert_eq!((error.line, error.column), (4, 12), "{error}");
        assert!(error.message.contains("undefined_name"), "{error}");
        for bad in [
            "",
            "void main",
            "#version 9000\nvoid main() {}",
            "\u{fffd}",
            "#include \"x\"\nvoid main() {}",
            "a\0b",
        ] {
            assert!(compile_glsl(bad, Stage::Fragment, &uncached()).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn syntax_errors_have_tokens_and_a_place() {
        let error =
            compile_glsl("void main() {\n  int a = 1\n}\n", Stage::Fragment, &uncached()).unwrap_err();
        assert_eq!((error.line, error.column), (3, 1), "{error}");
        assert_eq!(error.message, "syntax error, unexpected `}`, expecting `,` or `;`");
        let error = compile_glsl("void main() {\n  int a;\n", Stage::Fragment, &uncached()).unwrap_err();
        assert_eq!((error.line, error.column), (2, 8), "{error}");
        assert_eq!(error.message, "syntax error, unexpected end of file");
        // The last character has two bytes.
        let source = "void main() {\n  int a; // \u{e9}\n";
        let error = compile_glsl(source, Stage::Fragment, &uncached()).unwrap_err();
        assert_eq!((error.line, error.column), (2, 13), "{error}");
    }

    /// Spec: GLSL 4.60, 3.3 Preprocessor: `#line` numbers the lines that follow, for `__LINE__` too.
    #[test]
    fn errors_have_the_lines_of_the_file_whatever_line_says() {
        for line in
            ["#line 1", "#line 100", "# line 100 7 // seven", "#line 100 /* begins", "#line 4294967295"]
        {
            let end = if line.contains("/*") { "*/" } else { "" };
            let source = FRAGMENT.replace("void main", &format!("{line}\n{end}\nvoid main"));
            let error =
                compile_glsl(&source.replace("(1)", "(undefined_name)"), Stage::Fragment, &uncached());
            let error = error.unwrap_err();
            assert_eq!((error.line, error.column), (6, 12), "{line}: {error:?}");
        }
        let source = FRAGMENT.replace("void main", "#line 70\n#if __LINE__ != 70\n#error\n#endif\nvoid main");
        compile_glsl(&source, Stage::Fragment, &uncached()).unwrap();
        let toy = "#line 50\nvoid mainImage(out vec4 c, vec2 p) {\n c = vec4(undefined_name);\n}";
        let error = compile_shadertoy(toy, &uncached()).unwrap_err();
        assert_eq!((error.line, error.column), (3, 11), "{error:?}");
        // The macro whose expansion is too long is used in line 5.
        let long = format!(
            "#version 450\n#define A(x) x x x x x x x x\n#line 90\n\nfloat a = {}1{};\n",
            "A(".repeat(30),
            ")".repeat(30)
        );
        let error = compile_glsl(&long, Stage::Fragment, &uncached()).unwrap_err();
        assert_eq!(error.line, 5, "{error:?}");
    }

    #[test]
    fn lines_are_those_of_the_file_if_asked() {
        let lines = |source: &str, physical_lines: bool| {
            let options = Options { physical_lines, ..uncached() };
            let words = compile_glsl(source, Stage::Fragment, &options).unwrap();
            let (mut at, mut lines) = (5, Vec::new());
            while at < words.len() {
                // OpLine: file, line, column.
                lines.extend((words[at] as u16 == 8).then(|| words[at + 2]));
                at += (words[at] >> 16).max(1) as usize;
            }
            lines
        };
        let source = FRAGMENT.replace("void main", "#line 70\nvoid main");
        assert!(lines(&source, false).contains(&71));
        let all = lines(&source, true);
        assert!(all.contains(&5) && all.iter().all(|line| *line <= 6), "{all:?}");
        // A row of `#` in a comment pastes no name together.
        let banner = source.replace("#line", "//////#####//////\n#line");
        let all = lines(&banner, true);
        assert!(all.contains(&6) && all.iter().all(|line| *line <= 7), "{all:?}");
        let pasted = source.replace("#line", "#define LINE __LI ## NE__\n#line");
        assert!(lines(&pasted, true).contains(&71));
        // The program depends on the number.
        let source = source.replace("vec4(1)", "vec4(__LINE__)");
        assert!(lines(&source, true).contains(&71));
        // A wrong directive stays an error.
        let wrong = FRAGMENT.replace("void main", "#line 1 2 3\nvoid main");
        let options = Options { physical_lines: true, ..uncached() };
        assert!(compile_glsl(&wrong, Stage::Fragment, &options).is_err());
    }

    #[test]
    fn defines_and_stages() {
        let source = "layout(local_size_x = N) in;\nlayout(binding = 0) buffer B { uint v[]; };\n\
                      void main() { v[gl_GlobalInvocationID.x] = N; }";
        let mut options = uncached();
        assert!(compile_glsl(source, Stage::Compute, &options).is_err());
        options.defines.push(("N".into(), "64".into()));
        compile_glsl(source, Stage::Compute, &options).unwrap();
        assert!(compile_glsl(source, Stage::Vertex, &options).is_err());
    }

    #[test]
    fn loose_uniforms_when_asked() {
        let source = "uniform float time;\nlayout(location = 0) out vec4 c;\nvoid main() { c = vec4(time); }";
        let error = compile_glsl(source, Stage::Fragment, &uncached()).unwrap_err();
        assert!(error.help.is_some(), "{error}");
        let relaxed = Options { relaxed: true, ..uncached() };
        compile_glsl(source, Stage::Fragment, &relaxed).unwrap();
    }

    #[test]
    fn deep_nesting_is_no_crash() {
        let sum = "1.0+".repeat(100_000) + "1.0";
        let source = format!("layout(location = 0) out vec4 c;\nvoid main() {{ c = vec4({sum}); }}");
        let _ = compile_glsl(&source, Stage::Fragment, &uncached());
        let nested = "(".repeat(20_000) + "1.0" + &")".repeat(20_000);
        let source = format!("layout(location = 0) out vec4 c;\nvoid main() {{ c = vec4({nested}); }}");
        let _ = compile_glsl(&source, Stage::Fragment, &uncached());
    }

    #[test]
    fn old_functions_and_variables_get_help() {
        for (body, help) in [
            ("texture2D(t, vec2(0))", Some("call `texture`")),
            ("gl_TexCoord[0]", Some("declare inputs")),
            ("gl_ModelViewMatrix[0]", Some("declare inputs")),
            ("gl_Other", None),
        ] {
            let source = format!(
                "#version 450\nlayout(binding = 0) uniform sampler2D t;\n\
                 layout(location = 0) out vec4 c;\nvoid main() {{ c = {body}; }}\n"
            );
            let error = compile_glsl(&source, Stage::Fragment, &uncached()).unwrap_err();
            let found = error.help.as_deref();
            assert!(help.map_or(found.is_none(), |h| found.is_some_and(|f| f.contains(h))), "{error:?}");
        }
    }
}

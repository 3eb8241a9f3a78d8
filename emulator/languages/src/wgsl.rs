//! Compiles WGSL with naga; the front end `wgsl2021` compiles text of the January 2021 draft.
//!
//! All entry points of the source go into one module. Clip space is WebGPU's: naga flips the `y` of vertex positions,
//! so that a WGSL vertex shader draws upright with an ordinary viewport. naga inserts no bounds checks, because every
//! access is checked at run time.

mod overrides;

use std::borrow::Cow;

use super::{CompileError, Diagnostic, Language, Options};

/// Longest accepted source, in bytes. naga cannot be interrupted.
const MAX_BYTES: usize = 1 << 20;
/// Longest accepted declaration (a function includes its body), in bytes. naga's compile time is quadratic in the
/// length of a declaration: a few seconds for this many bytes.
const MAX_DECLARATION_BYTES: usize = 256 << 10;

/// Compiles WGSL to SPIR-V with all its entry points.
///
/// ```
/// use quadrille_languages::{Options, compile_wgsl};
/// let words = compile_wgsl("@compute @workgroup_size(1) fn main() {}", &Options::default())?;
/// assert_eq!(words[0], 0x0723_0203);
/// # Ok::<(), quadrille_languages::CompileError>(())
/// ```
pub fn compile_wgsl(source: &str, options: &Options) -> Result<Vec<u32>, CompileError> {
    let source = &*crate::with_line_feeds(source);
    check_length(source, options)?;
    super::stack::on_large_stack(source.len(), || compile(source, options))
        .unwrap_or_else(|e| Err(CompileError::because(Language::Wgsl, &options.file, e)))
}

/// Refuses sources that would take too long.
fn check_length(source: &str, options: &Options) -> Result<(), CompileError> {
    if source.len() > MAX_BYTES {
        let message = format!("the source has more than {MAX_BYTES} bytes");
        return Err(CompileError::new(Language::Wgsl, &options.file, "", message));
    }
    if let Some(line) = long_declaration(source.as_bytes(), MAX_DECLARATION_BYTES) {
        let message = format!("a declaration has more than {MAX_DECLARATION_BYTES} bytes");
        let place = Diagnostic { line, column: 0, length: 0, message };
        return Err(CompileError::from_diagnostics(Language::Wgsl, &options.file, source, vec![place], ""));
    }
    Ok(())
}

/// Translates WGSL of the January 2021 draft into today's WGSL. A source in today's WGSL is an error.
pub fn translate_wgsl(source: &str, options: &Options) -> Result<String, CompileError> {
    let source = &*crate::with_line_feeds(source);
    check_length(source, options)?;
    let translate = || {
        if super::wgsl2021::is_wgsl_2021(source) {
            return super::wgsl2021::translate(source, options);
        }
        let message = "the source has nothing that only the January 2021 draft has";
        Err(CompileError::new(Language::Wgsl, &options.file, source, message))
    };
    super::stack::on_large_stack(source.len(), translate)
        .unwrap_or_else(|e| Err(CompileError::because(Language::Wgsl, &options.file, e)))
}

/// Returns the first line of a declaration of more than `most` bytes, not counting comments and blanks.
fn long_declaration(source: &[u8], most: usize) -> Option<u32> {
    let (mut line, mut first, mut length) = (1, 1, 0);
    let (mut braces, mut comments, mut to_end_of_line) = (0u32, 0u32, false);
    let mut at = 0;
    while at < source.len() {
        let pair = source.get(at..at + 2).unwrap_or(&[]);
        let c = source[at];
        at += 1;
        if c == b'\n' {
            (line, to_end_of_line) = (line + 1, false);
        }
        if to_end_of_line || c.is_ascii_whitespace() {
            continue;
        }
        if pair == b"/*" || (pair == b"*/" && comments > 0) {
            comments = if pair == b"/*" { comments + 1 } else { comments - 1 };
            at += 1;
        } else if comments > 0 {
        } else if pair == b"//" {
            to_end_of_line = true;
        } else {
            if length == 0 {
                first = line;
            }
            length += 1;
            match c {
                b'{' => braces += 1,
                b'}' => braces = braces.saturating_sub(1),
                _ => {}
            }
            if length > most {
                return Some(first);
            }
            if braces == 0 && matches!(c, b'}' | b';') {
                length = 0;
            }
        }
    }
    None
}

fn compile(source: &str, options: &Options) -> Result<Vec<u32>, CompileError> {
    match super::wgsl2021::is_wgsl_2021(source) {
        true => return super::wgsl2021::compile(source, options),
        // Today's WGSL is not what the draft allows, except for a text that is both.
        false if options.strict => {
            let help = "strictly, only WGSL as drafted in January 2021 is accepted";
            return super::wgsl2021::compile(source, options).map_err(|e| e.with_help(help));
        }
        false => {}
    }
    let error = |diagnostics, help: Option<String>| {
        let mut error = CompileError::from_diagnostics(
            Language::Wgsl,
            &options.file,
            source,
            diagnostics,
            "the source does not compile",
        );
        error.help = help;
        error
    };

    let today = todays_attributes(source);
    let module = naga::front::wgsl::parse_str(&today).map_err(|e| {
        let mut diagnostics = Vec::new();
        for (span, label) in e.labels() {
            // The first label gives the place; its text is only appended to the message.
            let is_told = label == "see msg" || e.message().contains(label);
            let message = match (diagnostics.is_empty(), is_told) {
                (true, true) => e.message().to_owned(),
                (true, false) => format!("{}: {label}", e.message()),
                (false, _) => label.to_owned(),
            };
            diagnostics.push(super::parts::finish::at(span, source, message));
        }
        if diagnostics.is_empty() {
            diagnostics.push(Diagnostic { line: 0, column: 0, length: 0, message: e.message().to_owned() });
        }
        error(diagnostics, help(&e.notes().collect::<Vec<_>>()))
    })?;

    let module = overrides::resolved(module, source, options)?;
    super::parts::finish::spirv(&module, Language::Wgsl, source, options)
}

/// Joins naga's notes; the types that a function allows become a list of those that WGSL has.
fn help(notes: &[&str]) -> Option<String> {
    const OTHERS: [&str; 6] = ["{", "f64", "i16", "u16", "i64", "u64"];
    let (mut out, mut listed) = (String::new(), false);
    for (n, note) in notes.iter().enumerate() {
        let ty = note.strip_prefix("allowed type: ");
        if notes[..n].contains(note) || ty.is_some_and(|ty| OTHERS.iter().any(|other| ty.contains(other))) {
            continue;
        }
        let between = match ty {
            _ if out.is_empty() => "",
            Some(_) if listed => ", ",
            Some(_) if out.ends_with(':') => " ",
            None if note.starts_with('(') => " ",
            Some(_) | None => "; ",
        };
        listed = ty.is_some();
        out = out + between + ty.unwrap_or(note);
    }
    (!out.is_empty()).then_some(out)
}

/// Replaces the stage attributes of 2022, such as `@stage(fragment)`, by today's `@fragment`, with the same number of
/// bytes.
fn todays_attributes(source: &str) -> Cow<'_, str> {
    const STAGES: [&str; 3] = ["vertex", "fragment", "compute"];
    if !source.contains("@stage") {
        return Cow::Borrowed(source);
    }
    let mut out = source.to_owned();
    for (at, attribute) in source.match_indices("@stage") {
        let rest = source[at + attribute.len()..].trim_start();
        let named = rest.strip_prefix('(').and_then(|rest| rest.split_once(')'));
        let Some((stage, after)) = named.filter(|(stage, _)| STAGES.contains(&stage.trim())) else {
            continue;
        };
        let end = source.len() - after.len();
        let old = &source[at..end];
        // Line breaks inside the attribute stay.
        let blank: String =
            old.chars().skip(1 + stage.trim().len()).map(|c| if c == '\n' { c } else { ' ' }).collect();
        out.replace_range(at..end, &format!("@{}{blank}", stage.trim()));
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use ::spirv::Op;

    use super::*;
    use crate::spirv::instructions;

    #[test]
    fn all_entry_points_and_lines() {
        let source = "@vertex fn vs() -> @builtin(position) vec4f { return vec4f(0.0); }\n\
                      @fragment fn fs() -> @location(0) vec4f { return vec4f(1.0); }\n";
        let words = compile_wgsl(source, &Options::default()).unwrap();
        assert_eq!(words[0], 0x0723_0203);
        assert_eq!(words[1], 0x0001_0300);
        let count = |op| instructions(&words).filter(|i| i.0 == Some(op)).count();
        assert_eq!(count(Op::EntryPoint), 2);
        assert!(count(Op::Line) > 0);
    }

    #[test]
    fn stages_of_2022() {
        let old = "@stage(vertex)\nfn v() -> @builtin(position) vec4<f32> { return vec4<f32>(0.0); }\n\
            @stage( fragment ) fn f() -> @location(0) vec4<f32> { return vec4<f32>(1.0); }\n\
            @stage(compute) @workgroup_size(1) fn c() {}\n";
        let today = todays_attributes(old);
        assert_eq!(today.len(), old.len());
        // `@stage( fragment )` and the blank after it are 19 characters; `@fragment` is 9.
        let fragment = format!("\n@fragment{}fn f()", " ".repeat(10));
        assert!(today.starts_with("@vertex       \nfn v()") && today.contains(&fragment), "{today}");
        // Compares modules without OpSource, which holds the text as written.
        let compiled = |source: &str| {
            let words = compile_wgsl(source, &Options::default()).unwrap();
            let kept = instructions(&words).filter(|i| i.0 != Some(Op::Source));
            kept.flat_map(|(_, instruction)| instruction.to_vec()).collect::<Vec<u32>>()
        };
        assert_eq!(compiled(old), compiled(&today));
        assert!(compile_wgsl("@stage(ray) fn f() {}", &Options::default()).is_err());
    }

    #[test]
    fn strictly_only_the_draft_is_accepted() {
        let strict = Options { strict: true, ..Options::named("a.wgsl") };
        let todays = "@compute @workgroup_size(1) fn main() { let v = vec3u(1); }";
        assert!(compile_wgsl(todays, &Options::default()).is_ok());
        let error = compile_wgsl(todays, &strict).unwrap_err();
        assert!(error.line == 1 && error.help.is_some_and(|help| help.contains("January 2021")));
        let drafted = "[[stage(compute), workgroup_size(1)]] fn main() -> void { return; }";
        assert!(compile_wgsl(drafted, &strict).is_ok());
    }

    #[test]
    fn external_textures_are_unsupported_and_have_their_line() {
        let source = "@group(0) @binding(0) var s: sampler;\n@group(0) @binding(1) var video: texture_external;\n\
            @fragment fn f() -> @location(0) vec4f { return textureSampleBaseClampToEdge(video, s, vec2f(0.5)); }\n";
        let error = compile_wgsl(source, &Options::named("video.wgsl")).unwrap_err();
        assert_eq!(error.line, 2, "{error}");
        assert!(error.message.contains("`texture_external`"), "{error}");
        let error = crate::Error::from(error);
        assert!(matches!(error, crate::Error::Unsupported { .. }), "{error:?}");
    }

    #[test]
    fn syntax_error_has_its_place() {
        let error = compile_wgsl("fn f() {\n  let x = ;\n}\n", &Options::named("a.wgsl")).unwrap_err();
        assert_eq!((error.line, error.column), (2, 11));
        assert_eq!(&*error.file, "a.wgsl");
    }

    #[test]
    fn allowed_types_are_those_of_the_language() {
        let error = compile_wgsl("fn f() -> f32 { return sin(1u); }", &Options::default()).unwrap_err();
        let types = "f32, f16, vec2<f32>, vec2<f16>, vec3<f32>, vec3<f16>, vec4<f32>, vec4<f16>";
        let expected = format!("`sin` accepts the following types for argument #1: {types}");
        assert_eq!(error.help.as_deref(), Some(expected.as_str()), "{error}");
    }

    #[test]
    fn lengths_of_declarations() {
        let source = b"// fn { { {\nconst a = 1;\n\nfn f() { if true { a; } }\n/* ; { /* */ long comment */ fn g() {}\n";
        let longest = "fnf(){iftrue{a;}}".len();
        assert_eq!(long_declaration(source, longest), None);
        assert_eq!(long_declaration(source, longest - 1), Some(4));
        let sum = format!("fn f() -> i32 {{ return 1{}; }}", "+1".repeat(200_000));
        let error = compile_wgsl(&sum, &Options::default()).unwrap_err();
        assert!(error.message.contains("declaration") && error.line == 1, "{error}");
    }

    #[test]
    fn type_error_has_its_place() {
        let error =
            compile_wgsl("fn f() -> f32 {\n  return vec2f(1.0);\n}\n", &Options::default()).unwrap_err();
        assert_eq!(error.line, 2, "{error}");
        assert!(!error.message.is_empty());
    }
}

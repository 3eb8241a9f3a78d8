//! Assertions inside shaders: declarations that sources get, and reports of failures.
//!
//! In GLSL `#include "quadrille/assert.glsl"` declares `ASSERT(condition)`. WGSL sources that call
//! `quadrille_assert(invocation, condition)` get its declaration. Failures are rows of a storage buffer, which a
//! [`ShaderTest`](super::ShaderTest) binds and reads automatically.

use std::sync::Arc;

use quadrille_jit::ir::{Binding, Stage};
use quadrille_languages::Includes;

use crate::error::{Error, Message, Place, Result, Source};

/// File name in the `#include`.
const INCLUDE: &str = "quadrille/assert.glsl";
const GLSL: &str = include_str!("assert.glsl");
const WGSL: &str = include_str!("assert.wgsl");
/// Start of a call in WGSL.
const CALL: &str = "quadrille_assert(";
/// Name of the buffer in both languages.
const BUFFER: &str = "quadrille_failures";
/// Largest number of stored failures; further ones are only counted.
const ROWS: usize = 1024;
/// Size of the buffer in bytes: the count, and rows of four words.
pub(super) const BYTES: u64 = 16 + 16 * ROWS as u64;
/// Number of invocations listed in an error.
const SHOWN: usize = 4;

/// True for the buffer of failures.
pub(super) fn is_buffer(binding: &Binding) -> bool {
    binding.name == BUFFER
}

/// Adds the include for GLSL of a stage to the other includes.
pub(super) fn includes(stage: Stage, others: Includes) -> Includes {
    let invocation = match stage {
        Stage::Compute | Stage::Task | Stage::Mesh => "gl_GlobalInvocationID",
        Stage::Fragment => "uvec3(gl_FragCoord.xy, 0)",
        Stage::Vertex => "uvec3(gl_VertexIndex, gl_InstanceIndex, 0)",
        Stage::TessellationControl => "uvec3(gl_PrimitiveID, gl_InvocationID, 0)",
        Stage::TessellationEvaluation => "uvec3(gl_PrimitiveID, 0, 0)",
        Stage::Geometry => "uvec3(gl_PrimitiveIDIn, gl_InvocationID, 0)",
        Stage::RayGeneration
        | Stage::Intersection
        | Stage::AnyHit
        | Stage::ClosestHit
        | Stage::Miss
        | Stage::Callable => "gl_LaunchIDEXT",
    };
    let text = format!("#ifndef ASSERT_INVOCATION\n#define ASSERT_INVOCATION {invocation}\n#endif\n{GLSL}");
    others.and_file(INCLUDE, text)
}

/// Adds the function and the line numbers of its calls to WGSL that calls it. Lines do not move.
pub(super) fn wgsl(source: &str) -> String {
    if !source.contains(CALL) {
        return source.to_owned();
    }
    let numbered = source.split_inclusive('\n').enumerate().map(|(n, line)| {
        let call = format!("{CALL}{}u, ", n + 1);
        line.replace(CALL, &call)
    });
    numbered.collect::<String>() + "\n" + WGSL
}

/// An assertion that failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Failure {
    line: u32,
    /// Last dimension first, so that rows sort in the order of the grid.
    invocation: [u32; 3],
}

/// Returns `Invalid`, with lines and invocations, if the buffer has failures.
pub(super) fn check(words: &[u32], file: &str, text: &str) -> Result<()> {
    let (head, rows) = words.split_at(4.min(words.len()));
    let count = head.first().copied().unwrap_or(0) as usize;
    if count == 0 {
        return Ok(());
    }
    let rows = rows.as_chunks::<4>().0.iter().take(count);
    let mut failures: Vec<Failure> =
        rows.map(|[line, x, y, z]| Failure { line: *line, invocation: [*z, *y, *x] }).collect();
    failures.sort_unstable();
    let messages: Vec<Message> = failures
        .chunk_by(|a, b| a.line == b.line)
        .map(|of_line| Message { line: of_line[0].line, text: invocations(of_line), ..Message::default() })
        .collect();
    let line = messages.first().map(|m| m.line);
    let kept = if count > failures.len() {
        format!(" ({} of them are shown)", failures.len())
    } else {
        String::new()
    };
    let noun = if count == 1 { "invocation" } else { "invocations" };
    let title = format!("assertion failed in {count} {noun}{kept}");
    let of_line = messages.first().map_or(String::new(), |m| format!(": {}", m.text));
    let (file, text) = (file.to_owned(), text.to_owned());
    let message = format!("{title}{of_line}");
    let source = Source { title, file: file.clone(), text, messages, help: None };
    Err(Error::invalid(message).at(Place {
        file: Some(file),
        line,
        source: Some(Arc::new(source)),
        ..Place::default()
    }))
}

/// Formats `invocations (0, 0, 0), (1, 0, 0) and 6 more`.
fn invocations(failures: &[Failure]) -> String {
    let all: Vec<String> = failures
        .iter()
        .take(SHOWN)
        .map(|f| format!("({}, {}, {})", f.invocation[2], f.invocation[1], f.invocation[0]))
        .collect();
    let more = match failures.len() - all.len() {
        0 => String::new(),
        n => format!(" and {n} more"),
    };
    let noun = if failures.len() == 1 { "invocation" } else { "invocations" };
    format!("{noun} {}{more}", all.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_get_their_lines() {
        let source = "fn f() {\n  quadrille_assert(id, a);\n}";
        let text = wgsl(source);
        assert!(text.starts_with("fn f() {\n  quadrille_assert(2u, id, a);\n}\n"), "{text}");
        assert_eq!(wgsl("fn f() {}"), "fn f() {}");
    }

    #[test]
    fn failures_by_line_and_invocation() {
        let text = "a\nb\nc\n";
        assert!(check(&[0; 8], "x.comp", text).is_ok());
        let words = [3, 0, 0, 0, 3, 5, 0, 0, 2, 1, 0, 0, 3, 4, 0, 0, 9, 9, 9, 9];
        let e = check(&words, "x.comp", text).unwrap_err();
        let expected = "invalid: assertion failed in 3 invocations: invocation (1, 0, 0), from x.comp:2";
        assert_eq!(e.to_string(), expected);
        let all = format!("{e:?}");
        assert!(all.contains("3 | c") && all.contains("invocations (4, 0, 0), (5, 0, 0)"), "{all}");
        let e = check(&[7, 0, 0, 0, 1, 0, 0, 0], "x.comp", text).unwrap_err();
        assert!(e.to_string().contains("7 invocations (1 of them are shown)"), "{e}");
    }
}

//! WGSL as drafted in January 2021: damaged shaders give only errors, with a place and in our own words.

use quadrille::frontend::{CompileError, Options, compile_wgsl, translate_wgsl};
use quadrille_conformance::filetest;

/// Damaged variants per shader.
const VARIANTS: u64 = 10;

/// Tokens to insert.
const STRAY: [&str; 16] = [
    "[[",
    "]]",
    "(",
    ")",
    "{",
    "}",
    ";",
    "vec3<f32>",
    "-",
    "1.5",
    "4294967296u",
    "fn",
    "return",
    "@",
    "\u{e9}",
    "a.b",
];

/// SplitMix64.
fn next(state: &mut u64) -> usize {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((z ^ (z >> 31)) >> 16) as usize
}

/// Start and end of the words and signs of a text, without comments.
fn tokens(text: &str) -> Vec<(usize, usize)> {
    let bytes = text.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let word = |c: &u8| c.is_ascii_alphanumeric() || *c == b'_' || *c == b'.';
        let length = match bytes[at] {
            b'/' if bytes.get(at + 1) == Some(&b'/') => {
                at += bytes[at..].iter().take_while(|c| **c != b'\n').count();
                continue;
            }
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            c if word(&c) => bytes[at..].iter().take_while(|c| word(c)).count(),
            _ => 1,
        };
        tokens.push((at, at + length));
        at += length;
    }
    tokens
}

/// Damages a text: removes, doubles or replaces a token, or cuts the text off after it.
fn damaged(text: &str, seed: u64) -> String {
    let mut state = seed;
    let tokens = tokens(text);
    let (start, end) = tokens[next(&mut state) % tokens.len()];
    let (from, to) = tokens[next(&mut state) % tokens.len()];
    let stray = STRAY[next(&mut state) % STRAY.len()];
    match next(&mut state) % 6 {
        0 => format!("{}{}", &text[..start], &text[end..]),
        1 => format!("{} {}", &text[..end], &text[start..]),
        2 => format!("{} {} {}", &text[..start], &text[from..to], &text[end..]),
        3 => format!("{} {stray} {}", &text[..start], &text[end..]),
        4 => format!("{} {stray} {}", &text[..start], &text[start..]),
        _ => text[..start].to_owned(),
    }
}

/// True if the error contains words of another compiler's messages.
fn is_foreign(error: &CompileError) -> bool {
    error
        .diagnostics()
        .any(|d| ["[0]", "[1]", "[2]", "Expression", "Handle", "naga"].iter().any(|w| d.message.contains(w)))
}

#[test]
fn damaged_shaders_are_errors_with_a_place() {
    let (mut all, mut wrong) = (0, Vec::new());
    let mut refused = 0;
    for file in filetest::all().iter().filter(|f| f.is_wgsl()) {
        let name =
            file.name.as_bytes().iter().fold(0u64, |h, b| h.wrapping_mul(31).wrapping_add(u64::from(*b)));
        for variant in 0..VARIANTS {
            let text = damaged(file.text().trim_start(), name.wrapping_add(variant << 32));
            for strict in [true, false] {
                all += 1;
                let options = Options { strict, debug: false, ..Options::named(&file.name) };
                let mut check = |error: CompileError| {
                    let placed =
                        error.line > 0 && error.column > 0 && error.diagnostics().all(|d| d.line > 0);
                    if !placed || error.cause.is_some() || is_foreign(&error) {
                        wrong.push(format!("{error:?}\n{text}\n"));
                    }
                };
                match compile_wgsl(&text, &options) {
                    Err(error) => {
                        refused += 1;
                        // A text without syntax of the draft is current WGSL, for which another front end reports
                        // errors.
                        let old = !matches!(translate_wgsl(&text, &options), Err(e) if e.line == 0);
                        if old {
                            check(error);
                        }
                    }
                    Ok(_) => {
                        if let Err(error) = translate_wgsl(&text, &options)
                            && error.line > 0
                        {
                            check(error);
                        }
                    }
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{} of {all}:\n{}", wrong.len(), wrong[..wrong.len().min(12)].join("\n"));
    assert!(refused * 2 > all, "{refused} of {all} are errors");
}

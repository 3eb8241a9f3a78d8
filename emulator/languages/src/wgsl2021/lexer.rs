//! Splits text into tokens, and decides which version of WGSL a text is.
//!
//! `[[`, `]]`, `>>` and `>=` stay single characters here, because `a[b[0]]` and `ptr<function, vec2<f32>>` need them
//! separate; the parser joins adjacent characters. It also joins a leading minus, which is an operator here.

use super::super::parts::cursor::Token;
use super::super::parts::report::Report;
use super::super::parts::source::Span;

/// Kind of a token; punctuation includes its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Tok {
    /// An identifier or a keyword; the parser distinguishes them by context.
    Word,
    /// A number without a decimal point or exponent.
    Int,
    /// An integer with the suffix `u`.
    Uint,
    Float,
    Text,
    P(&'static str),
    End,
}

/// Punctuation, longest first.
const PUNCTUATION: [&str; 29] = [
    "->", "&&", "||", "==", "!=", "<<", "<=", "(", ")", "[", "]", "{", "}", "<", ">", ":", ";", ",", ".",
    "=", "+", "-", "*", "/", "%", "!", "~", "&", "|",
];

/// Splits a text into tokens. With `strict`, only `//` comments are allowed, as in the draft; otherwise `/* */` and `#`
/// too.
pub(super) fn tokens(source: &str, strict: bool, report: &mut Report) -> Vec<Token<Tok>> {
    let bytes = source.as_bytes();
    let mut tokens = Vec::new();
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let from = at;
        let kind = match rest[0] {
            c if c.is_ascii_whitespace() => {
                at += 1;
                continue;
            }
            b'/' if rest.starts_with(b"//") => {
                at += line(rest);
                continue;
            }
            b'#' if !strict => {
                at += line(rest);
                continue;
            }
            b'/' if rest.starts_with(b"/*") => {
                at += block(rest);
                if strict {
                    report
                        .error(Span::new(from, at), "comments begin with `//`; other kinds are not allowed");
                }
                continue;
            }
            c if c.is_ascii_alphabetic() || c == b'_' => {
                at += rest.iter().take_while(|c| c.is_ascii_alphanumeric() || **c == b'_').count();
                if c == b'_' && strict {
                    report.error(Span::new(from, at), "an identifier begins with a letter");
                }
                Tok::Word
            }
            b'"' => {
                let end = rest[1..].iter().position(|c| *c == b'"');
                at += end.map_or(rest.len(), |end| end + 2);
                if end.is_none() {
                    report.error(Span::new(from, from + 1), "the string has no end");
                }
                Tok::Text
            }
            c if c.is_ascii_digit() || (c == b'.' && rest.get(1).is_some_and(u8::is_ascii_digit)) => {
                let (kind, length) = number(rest);
                at += length;
                kind
            }
            b'^' => {
                at += 1;
                Tok::P("^")
            }
            _ => match PUNCTUATION.iter().find(|p| rest.starts_with(p.as_bytes())) {
                Some(p) => {
                    at += p.len();
                    Tok::P(p)
                }
                None => {
                    at += unexpected(source, at, report);
                    if report.full() {
                        break;
                    }
                    continue;
                }
            },
        };
        tokens.push(Token { kind, span: Span::new(from, at) });
    }
    tokens
}

/// Reports the character at a place, and returns its number of bytes.
fn unexpected(source: &str, at: usize, report: &mut Report) -> usize {
    let c = source.get(at..).and_then(|rest| rest.chars().next()).unwrap_or(' ');
    report.error(Span::new(at, at + c.len_utf8()), format!("unexpected character {c:?}"));
    c.len_utf8()
}

/// Returns the number of bytes up to the end of the line.
fn line(rest: &[u8]) -> usize {
    rest.iter().take_while(|c| **c != b'\n').count()
}

/// Returns the length of a block comment with nested comments; an unterminated comment extends to the end of the text.
fn block(rest: &[u8]) -> usize {
    let (mut at, mut depth) = (0, 0usize);
    while at < rest.len() {
        match &rest[at..] {
            [b'/', b'*', ..] => (at, depth) = (at + 2, depth + 1),
            [b'*', b'/', ..] => (at, depth) = (at + 2, depth - 1),
            _ => at += 1,
        }
        if depth == 0 {
            break;
        }
    }
    at
}

/// Returns the kind and length of a number with any characters attached to it. The parser checks that it is well
/// formed.
fn number(rest: &[u8]) -> (Tok, usize) {
    let digits = |from: usize| rest[from..].iter().take_while(|c| c.is_ascii_digit()).count();
    if rest.starts_with(b"0x") || rest.starts_with(b"0X") {
        let n = 2 + rest[2..].iter().take_while(|c| c.is_ascii_hexdigit()).count();
        return if rest.get(n) == Some(&b'u') { (Tok::Uint, n + 1) } else { (Tok::Int, n) };
    }
    let mut n = digits(0);
    let mut kind = Tok::Int;
    if rest.get(n) == Some(&b'.') {
        kind = Tok::Float;
        n += 1 + digits(n + 1);
    }
    if matches!(rest.get(n), Some(b'e' | b'E')) {
        let sign = usize::from(matches!(rest.get(n + 1), Some(b'+' | b'-')));
        let exponent = digits((n + 1 + sign).min(rest.len()));
        if exponent > 0 {
            kind = Tok::Float;
            n += 1 + sign + exponent;
        }
    }
    match rest.get(n) {
        Some(b'u') if kind == Tok::Int => (Tok::Uint, n + 1),
        Some(b'f') => (Tok::Float, n + 1),
        _ => (kind, n),
    }
}

/// True if a text is WGSL as drafted in January 2021 and not today's WGSL. Such a text has constructs that only the
/// draft has: attributes in double brackets, `-> void`, variables in the classes `in` and `out`, `elseif`,
/// `fallthrough`, `type` declarations, or members that end with a semicolon.
pub fn is_wgsl_2021(source: &str) -> bool {
    let tokens = tokens(source, false, &mut Report::default());
    let text = |i: usize| tokens.get(i).map_or("", |t| t.span.of(source));
    let touch = |i: usize| tokens.get(i + 1).is_some_and(|next| next.span.start == tokens[i].span.end);
    let mut in_struct = false;
    for i in 0..tokens.len() {
        let old = match text(i) {
            "[" => text(i + 1) == "[" && touch(i),
            "->" => text(i + 1) == "void",
            "var" => text(i + 1) == "<" && matches!(text(i + 2), "in" | "out"),
            "elseif" => i > 0 && text(i - 1) == "}",
            "fallthrough" => text(i + 1) == ";",
            "type" => tokens.get(i + 1).is_some_and(|t| t.kind == Tok::Word) && text(i + 2) == "=",
            ";" => in_struct,
            _ => false,
        };
        if old {
            return true;
        }
        match text(i) {
            "struct" => in_struct = true,
            "}" | "fn" | "var" | "const" | "let" => in_struct = false,
            _ => {}
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<(Tok, &str)> {
        let mut report = Report::default();
        let tokens = tokens(source, true, &mut report);
        assert!(report.is_empty());
        tokens.iter().map(|t| (t.kind, t.span.of(source))).collect()
    }

    #[test]
    fn numbers() {
        use Tok::{Float, Int, Uint};
        for (text, kind) in [
            ("0", Int),
            ("12u", Uint),
            ("0x1fu", Uint),
            ("0xE5", Int),
            ("1.", Float),
            (".5", Float),
            ("1.5e-3", Float),
            ("2e5", Float),
        ] {
            assert_eq!(kinds(text), [(kind, text)]);
        }
    }

    #[test]
    fn words_and_punctuation_up_to_the_end_of_a_line() {
        use Tok::{P, Word};
        assert_eq!(
            kinds("[[a]] x>>y // not this\n^"),
            [
                (P("["), "["),
                (P("["), "["),
                (Word, "a"),
                (P("]"), "]"),
                (P("]"), "]"),
                (Word, "x"),
                (P(">"), ">"),
                (P(">"), ">"),
                (Word, "y"),
                (P("^"), "^"),
            ]
        );
    }

    #[test]
    fn the_two_languages_are_told_apart() {
        for old in [
            "[[stage(fragment)]] fn main() -> void {}",
            "fn f() -> void {}",
            "var<in> a : f32;",
            "fn f() { if (a) {} elseif (b) {} }",
            "type A = f32;",
            "struct S { a : f32; };",
        ] {
            assert!(is_wgsl_2021(old), "{old}");
        }
        for new in [
            "@fragment fn main() {}",
            "// [[block]]\nstruct S { a : f32, };\nfn f() { let x = a[b[0]]; }",
            "/* -> void */ alias A = f32;",
            "fn f() { let elseif = 1; let in = elseif; }",
            "",
        ] {
            assert!(!is_wgsl_2021(new), "{new}");
        }
    }
}

//! Splits AGSL text into tokens. Comments and blanks are dropped; keywords are not distinguished from other words.

use crate::parts::cursor::Token;
use crate::parts::report::Report;
use crate::parts::source::Span;

/// Kind of a token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    /// An identifier or keyword; after a `.` also a word that begins with a digit, as in `c.0rg`.
    Word,
    /// A decimal, octal or hexadecimal integer.
    Int(i64),
    /// A number with a decimal point or an exponent.
    Float(f32),
    /// An operator or a bracket.
    Symbol(&'static str),
    /// The end of the source.
    End,
}

/// Symbols, longest first, so that `<=` is not read as `<`.
const SYMBOLS: &[&str] = &[
    "<<=", ">>=", "++", "--", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<=", ">=", "==", "!=", "&&",
    "||", "^^", "<<", ">>", "(", ")", "[", "]", "{", "}", ".", ",", ";", ":", "?", "=", "+", "-", "*", "/",
    "%", "<", ">", "!", "&", "|", "^", "~",
];

/// Splits the source into tokens. Invalid characters are reported and dropped.
pub(super) fn lex(source: &str, report: &mut Report) -> Vec<Token<Kind>> {
    let mut lexer = Lexer { source, at: 0, report };
    let mut tokens: Vec<Token<Kind>> = Vec::new();
    loop {
        lexer.skip_blanks();
        let start = lexer.at;
        let after_dot = tokens.last().is_some_and(|t| t.kind == Kind::Symbol("."));
        let Some(kind) = lexer.token(after_dot) else { continue };
        if kind == Kind::End {
            return tokens;
        }
        tokens.push(Token { kind, span: Span::new(start, lexer.at) });
    }
}

struct Lexer<'a> {
    source: &'a str,
    at: usize,
    report: &'a mut Report,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.source[self.at..]
    }

    fn skip_blanks(&mut self) {
        loop {
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start().len();
            if blank > 0 {
                self.at += blank;
            } else if rest.starts_with("//") {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(inside) = rest.strip_prefix("/*") {
                match inside.find("*/") {
                    Some(length) => self.at += length + 4,
                    None => {
                        let start = self.at;
                        self.at = self.source.len();
                        self.report.error(Span::new(start, start + 2), "this comment has no end");
                    }
                }
            } else {
                return;
            }
        }
    }

    /// Returns the next token; `None` after invalid characters.
    fn token(&mut self, after_dot: bool) -> Option<Kind> {
        let start = self.at;
        let Some(first) = self.rest().chars().next() else { return Some(Kind::End) };
        let word = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let length_of_word = || self.rest().find(|c| !word(c)).unwrap_or(self.rest().len());
        if first.is_ascii_alphabetic() || first == '_' || (after_dot && first.is_ascii_digit()) {
            self.at += length_of_word();
            return Some(Kind::Word);
        }
        let next_is_digit = self.rest().chars().nth(1).is_some_and(|c| c.is_ascii_digit());
        if first.is_ascii_digit() || (first == '.' && next_is_digit && !self.ends_operand()) {
            return self.number();
        }
        if let Some(symbol) = SYMBOLS.iter().find(|s| self.rest().starts_with(**s)) {
            self.at += symbol.len();
            return Some(Kind::Symbol(symbol));
        }
        let message = match first {
            '#' => {
                self.at += self.rest().find('\n').unwrap_or(self.rest().len());
                "AGSL has no preprocessor: `#` lines are not allowed".to_owned()
            }
            '$' => {
                self.at += 1;
                self.at += self.rest().find(|c| !word(c)).unwrap_or(self.rest().len());
                "names that begin with `$` are reserved".to_owned()
            }
            other => {
                self.at += other.len_utf8();
                format!("`{}` is not a character of AGSL", other.escape_debug())
            }
        };
        self.report.error(Span::new(start, self.at), message);
        None
    }

    /// True if a swizzle may follow the last token, so that `.0` is a swizzle and not a number.
    fn ends_operand(&self) -> bool {
        let before = &self.source[..self.at];
        let keyword = before
            .strip_suffix("return")
            .is_some_and(|rest| !rest.ends_with(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        let before = before.bytes().next_back().filter(|_| !keyword);
        before.is_some_and(|c| c.is_ascii_alphanumeric() || matches!(c, b'_' | b')' | b']'))
    }

    fn number(&mut self) -> Option<Kind> {
        let start = self.at;
        let rest = self.rest();
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let (length, kind) = if rest.starts_with("0x") || rest.starts_with("0X") {
            let length = rest[2..].bytes().take_while(u8::is_ascii_hexdigit).count();
            // As an `int`, a hexadecimal literal may give the bits of a negative number.
            (length + 2, u32::from_str_radix(&rest[2..2 + length], 16).ok().map(|n| Kind::Int(n.into())))
        } else {
            let mut length = digits(rest);
            let whole = length;
            if rest[length..].starts_with('.') {
                length += 1 + digits(&rest[length + 1..]);
            }
            if rest[length..].starts_with(['e', 'E']) {
                let sign = usize::from(rest[length + 1..].starts_with(['+', '-']));
                let exponent = digits(&rest[length + 1 + sign..]);
                length += if exponent > 0 { 1 + sign + exponent } else { 0 };
            }
            let text = &rest[..length];
            let kind = if length > whole {
                text.parse().ok().filter(|v: &f32| v.is_finite()).map(Kind::Float)
            } else if whole > 1 && text.starts_with('0') {
                u32::from_str_radix(text, 8).ok().map(|n| Kind::Int(n.into()))
            } else {
                // The largest literal is 2147483648, for `-2147483648`.
                text.parse::<u32>().ok().filter(|n| *n <= 1 << 31).map(|n| Kind::Int(n.into()))
            };
            (length, kind)
        };
        let tail = rest[length..].find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'));
        let tail = tail.unwrap_or(rest.len() - length);
        self.at += length + tail;
        let text = &self.source[start..self.at];
        if tail > 0 {
            let message = format!("`{text}` is not a number: numbers of AGSL have no suffix");
            self.report.error(Span::new(start, self.at), message);
        } else if kind.is_none() {
            let message = match text.bytes().all(|b| b.is_ascii_digit()) && !text.starts_with('0') {
                true => format!(
                    "`{text}` is above 2147483647, the largest integer of 32 bits; a float has a point, as in {text}.0"
                ),
                false => format!("`{text}` is not a number that 32 bits hold"),
            };
            self.report.error(Span::new(start, self.at), message);
        }
        // After an invalid number, continue as if it were valid.
        Some(kind.unwrap_or(Kind::Int(0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(source: &str) -> Vec<Kind> {
        let mut report = Report::default();
        let tokens = lex(source, &mut report);
        assert!(report.is_empty(), "{source}");
        tokens.iter().map(|t| t.kind).collect()
    }

    #[test]
    fn numbers_and_swizzles() {
        use Kind::{Float, Int, Symbol, Word};
        assert_eq!(
            kinds("0x1F 017 10 .5 1. 2e3"),
            [Int(31), Int(15), Int(10), Float(0.5), Float(1.0), Float(2000.0)]
        );
        assert_eq!(kinds("return.5"), [Word, Float(0.5)]);
        assert_eq!(kinds("no_return.r"), [Word, Symbol("."), Word]);
        assert_eq!(kinds("c.0rg1"), [Word, Symbol("."), Word]);
        assert_eq!(
            kinds("f(x).00ra /* . */ + .5 // end"),
            [Word, Symbol("("), Word, Symbol(")"), Symbol("."), Word, Symbol("+"), Float(0.5)]
        );
        assert_eq!(kinds("a<=b^^c"), [Word, Symbol("<="), Word, Symbol("^^"), Word]);
    }

    #[test]
    fn what_is_no_token() {
        for (source, text) in [
            ("#version 300 es", "preprocessor"),
            ("$half4 x", "reserved"),
            ("1.0f", "suffix"),
            ("4294967296", "32 bits"),
            ("3000000000", "as in 3000000000.0"),
            ("0x1FFFFFFFF", "not a number that 32 bits hold"),
            ("/* open", "no end"),
            ("a @ b", "not a character"),
            ("1e99", "32 bits"),
        ] {
            let mut report = Report::default();
            lex(source, &mut report);
            let error = report.into_error(crate::Language::Agsl, "a.agsl", source);
            assert!(error.message.contains(text), "{source}: {error}");
        }
    }
}

//! Splits both languages into tokens: words, numbers, strings, and line ends.

use crate::layout::Value;

/// A syntax error at a place of the text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Problem {
    /// Byte offset in the text.
    pub start: usize,
    /// Length in bytes.
    pub length: usize,
    /// Text of the message.
    pub message: String,
}

/// Result of a parsing function.
pub type Parse<T> = Result<T, Problem>;

/// Kind of a token.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// Anything of no other kind; also a single comma or parenthesis.
    Word,
    /// A string between quotation marks.
    Text(String),
    /// A decimal integer; negative numbers in two's complement.
    Int(u64),
    /// A hexadecimal integer.
    Hex(u64),
    /// A number with a decimal point or an exponent, or `NaN`.
    Float(f64),
    /// End of a line.
    EndOfLine,
    /// End of the script.
    End,
}

/// A token with its text and place.
#[derive(Clone, Debug, PartialEq)]
pub struct Token<'t> {
    /// Kind of the token.
    pub kind: Kind,
    /// Text of the token.
    pub text: &'t str,
    /// Byte offset in the text.
    pub start: usize,
}

impl Token<'_> {
    /// True for the end of a line or of the script.
    pub fn is_end(&self) -> bool {
        matches!(self.kind, Kind::EndOfLine | Kind::End)
    }

    /// True if the token is this word.
    pub fn is(&self, word: &str) -> bool {
        self.kind == Kind::Word && self.text == word
    }

    /// Creates an error about this token.
    pub fn problem(&self, message: impl Into<String>) -> Problem {
        Problem { start: self.start, length: self.text.len(), message: message.into() }
    }

    /// Creates an error that names the expected text, `what`.
    pub fn wanted(&self, what: &str) -> Problem {
        let found = match self.kind {
            Kind::EndOfLine => "the line ends".into(),
            Kind::End => "the script ends".into(),
            _ => format!("`{}` stands", self.text),
        };
        self.problem(format!("{found} where {what} should be"))
    }

    /// Returns the number as a float.
    pub fn as_float(&self) -> Option<f64> {
        match self.kind {
            Kind::Float(v) => Some(v),
            Kind::Int(v) if self.text.starts_with('-') => Some(v as i64 as f64),
            Kind::Int(v) | Kind::Hex(v) => Some(v as f64),
            _ => None,
        }
    }

    /// Returns the number as an integer.
    pub fn as_int(&self) -> Option<u64> {
        match self.kind {
            Kind::Int(v) | Kind::Hex(v) => Some(v),
            _ => None,
        }
    }

    /// Returns the number as a 32-bit unsigned integer.
    pub fn as_u32(&self) -> Option<u32> {
        self.as_int().filter(|_| !self.text.starts_with('-')).and_then(|v| v.try_into().ok())
    }

    /// Returns the number as an integer, without its fraction and within 64 bits, and as a float.
    pub fn as_both(&self) -> Option<(u64, f64)> {
        let float = self.as_float()?;
        let rounded = if float < 0.0 { float as i64 as u64 } else { float as u64 };
        Some((self.as_int().unwrap_or(rounded), float))
    }

    /// Returns the number as the value of a component.
    pub fn as_value(&self, float: bool) -> Option<Value> {
        if float { self.as_float().map(Value::Float) } else { self.as_int().map(Value::Int) }
    }
}

/// Reads a text token by token.
#[derive(Clone, Debug)]
pub struct Lexer<'t> {
    text: &'t str,
    pos: usize,
    end: usize,
    line: u32,
}

impl<'t> Lexer<'t> {
    /// Creates a lexer for a whole text.
    pub fn new(text: &'t str) -> Self {
        Lexer { text, pos: 0, end: text.len(), line: 1 }
    }

    /// Creates a lexer for a part of a text, whose first line has the number `line`.
    pub fn within(text: &'t str, range: std::ops::Range<usize>, line: u32) -> Self {
        Lexer { text, pos: range.start, end: range.end, line }
    }

    /// Returns a part of the text.
    pub fn slice(&self, start: usize, end: usize) -> &'t str {
        self.text.get(start..end).unwrap_or_default()
    }

    /// Returns the byte offset and length of a line by its number.
    pub fn line_span(&self, line: u32) -> (usize, usize) {
        let mut start = 0;
        for (n, text) in (1..).zip(self.text.split('\n')) {
            if n == line {
                return (start, text.trim_end().len());
            }
            start += text.len() + 1;
        }
        (self.text.len(), 0)
    }

    /// Returns the byte offset and length of the line around a byte offset.
    pub fn line_span_at(&self, at: usize) -> (usize, usize) {
        let start = self.text[..at].rfind('\n').map_or(0, |n| n + 1);
        (start, self.text[start..].find('\n').unwrap_or(self.text.len() - start))
    }

    /// Number of the current line, from 1.
    pub fn line(&self) -> u32 {
        self.line
    }

    fn skip_blanks(&mut self) {
        let bytes = &self.text.as_bytes()[..self.end];
        loop {
            match bytes.get(self.pos) {
                Some(b' ' | b'\t' | b'\r' | 0x0c | 0) => self.pos += 1,
                Some(b'#') => {
                    let comment = bytes[self.pos..].iter().position(|&b| b == b'\n');
                    self.pos = comment.map_or(self.end, |n| self.pos + n);
                }
                // A backslash continues the line.
                Some(b'\\') if bytes[self.pos..].starts_with(b"\\\n") => {
                    self.pos += 2;
                    self.line += 1;
                }
                Some(b'\\') if bytes[self.pos..].starts_with(b"\\\r\n") => {
                    self.pos += 3;
                    self.line += 1;
                }
                _ => return,
            }
        }
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Token<'t> {
        self.skip_blanks();
        let start = self.pos;
        let rest = &self.text[start..self.end];
        let Some(first) = rest.bytes().next() else {
            return Token { kind: Kind::End, text: "", start };
        };
        if first == b'\n' {
            self.pos += 1;
            self.line += 1;
            return Token { kind: Kind::EndOfLine, text: "", start };
        }
        if first == b'"' {
            return self.quoted(start, rest);
        }
        let length = match rest.find([' ', '\t', '\r', '\n', ',', '(', ')']) {
            Some(0) => 1,
            length => length.unwrap_or(rest.len()),
        };
        let (kind, length) = number(&rest[..length]).unwrap_or((Kind::Word, length));
        self.pos += length;
        Token { kind, text: &rest[..length], start }
    }

    fn quoted(&mut self, start: usize, rest: &'t str) -> Token<'t> {
        let mut text = String::new();
        let mut chars = rest.char_indices().skip(1);
        let mut length = rest.len();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    length = at + 1;
                    break;
                }
                '\\' => text.extend(chars.next().map(|(_, c)| match c {
                    'a' => '\x07',
                    'b' => '\x08',
                    't' => '\t',
                    'n' => '\n',
                    'v' => '\x0b',
                    'f' => '\x0c',
                    'r' => '\r',
                    c => c,
                })),
                c => text.push(c),
            }
        }
        self.line += rest[..length].matches('\n').count() as u32;
        self.pos += length;
        Token { kind: Kind::Text(text), text: &rest[..length], start }
    }

    /// Returns the next token without taking it.
    pub fn peek(&self) -> Token<'t> {
        self.clone().next()
    }

    /// Skips the rest of the line.
    pub fn skip_line(&mut self) {
        while !self.next().is_end() {}
    }

    /// Takes the lines up to an `END` line and that line. Returns them without the `END` line, and the number of the
    /// first; `None` if there is no `END`.
    pub fn block(&mut self) -> Option<(&'t str, u32)> {
        let (start, line) = (self.pos, self.line);
        let rest = &self.text[start..self.end];
        let ends = |l: &str| {
            let after = l.trim_start().strip_prefix("END");
            after.is_some_and(|after| after.is_empty() || after.starts_with([' ', '\t', '\r', '#']))
        };
        let mut at = 0;
        for (n, text) in rest.split('\n').enumerate() {
            if ends(text) {
                self.pos = start + at + text.find("END")? + 3;
                self.line = line + n as u32;
                return Some((&rest[..at], line));
            }
            at += text.len() + 1;
        }
        None
    }
}

/// Parses a number at the start of a word, and returns it with its length.
fn number(word: &str) -> Option<(Kind, usize)> {
    if word.eq_ignore_ascii_case("nan") {
        return Some((Kind::Float(f64::NAN), word.len()));
    }
    if let Some(digits) = word.strip_prefix("0x").filter(|d| d.starts_with(|c: char| c.is_ascii_hexdigit())) {
        let n = digits.find(|c: char| !c.is_ascii_hexdigit()).unwrap_or(digits.len());
        return u64::from_str_radix(&digits[..n], 16).ok().map(|v| (Kind::Hex(v), n + 2));
    }
    let sign = usize::from(word.starts_with('-'));
    let digits = |from: usize| word[from..].bytes().take_while(u8::is_ascii_digit).count();
    let whole = digits(sign);
    let mut end = sign + whole;
    let mut is_float = false;
    if word[end..].starts_with('.') && (whole > 0 || digits(end + 1) > 0) {
        is_float = true;
        end += 1 + digits(end + 1);
    } else if whole == 0 {
        return None;
    }
    if word[end..].starts_with(['e', 'E']) {
        let sign = usize::from(word[end + 1..].starts_with(['+', '-']));
        let exponent = digits(end + 1 + sign);
        if exponent > 0 {
            is_float = true;
            end += 1 + sign + exponent;
        }
    }
    if is_float {
        return word[..end].parse().ok().map(|v| (Kind::Float(v), end));
    }
    let magnitude: u64 = word[sign..end].parse().ok()?;
    if sign == 1 && magnitude > 1 << 63 {
        return None;
    }
    Some((Kind::Int(if sign == 1 { magnitude.wrapping_neg() } else { magnitude }), end))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn kinds(text: &str) -> Vec<Kind> {
        let mut lexer = Lexer::new(text);
        let mut list = Vec::new();
        loop {
            let token = lexer.next();
            if token.kind == Kind::End {
                return list;
            }
            list.push(token.kind);
        }
    }

    #[test]
    fn numbers() {
        use Kind::{Float, Hex, Int, Word};
        assert_eq!(kinds("1 -1 0x1F .5 -2.5e1"), [Int(1), Int(u64::MAX), Hex(31), Float(0.5), Float(-25.0)]);
        assert_eq!(kinds("0:1 5% 3/R8 -x - ."), [Int(0), Word, Int(5), Word, Int(3), Word, Word, Word, Word]);
        assert!(matches!(kinds("nAn")[..], [Float(v)] if v.is_nan()));
        assert_eq!(kinds("99999999999999999999"), [Word]);
        // The least number of 64 bits, and one less, which would become positive.
        assert_eq!(kinds("-9223372036854775808 -9223372036854775809"), [Int(1 << 63), Word]);
    }

    #[test]
    fn lines_comments_and_continuations() {
        let mut lexer = Lexer::new("A # x\n B \\\n C\n(1,2)");
        let texts: Vec<(&str, u32)> = std::iter::from_fn(|| {
            let token = lexer.next();
            (token.kind != Kind::End).then(|| (token.text, lexer.line()))
        })
        .collect();
        assert_eq!(
            texts,
            [
                ("A", 1),
                ("", 2),
                ("B", 2),
                ("C", 3),
                ("", 4),
                ("(", 4),
                ("1", 4),
                (",", 4),
                ("2", 4),
                (")", 4)
            ]
        );
    }

    #[test]
    fn strings_and_blocks() {
        assert_eq!(kinds(r#""a \"b\" c" d"#), [Kind::Text("a \"b\" c".into()), Kind::Word]);
        let mut lexer = Lexer::new("S\nENDLESS;\n  x END\n END # s\nnext");
        lexer.next();
        lexer.next();
        assert_eq!(lexer.block(), Some(("ENDLESS;\n  x END\n", 2)));
        assert!(lexer.next().is_end());
        assert_eq!((lexer.next().text, lexer.line()), ("next", 5));
        assert_eq!(lexer.block(), None);
    }
}

//! Tokens of a GLSL text, as the compiler's preprocessor splits it: comments and continued lines are gone. Spec: GLSL 4.60, 3.3,
//! 3.4 and 3.7.

use rustc_hash::FxHashMap;

/// The text of a token: an index into [`Names`].
pub(super) type Name = u32;

/// Names of tokens that the preprocessor treats specially, in the order of their indices.
pub(super) mod names {
    use super::Name;

    pub const NEW_LINE: Name = 0;
    /// The end of the text.
    pub const END: Name = 1;
    /// The end of an argument that is expanded by itself.
    pub const MARK: Name = 2;
    /// `##` in the body of a macro.
    pub const PASTE: Name = 3;
    pub const HASH: Name = 4;
    pub const OPEN: Name = 5;
    pub const CLOSE: Name = 6;
    pub const COMMA: Name = 7;
    pub const ZERO: Name = 8;
    pub const LINE: Name = 9;
    pub const FILE: Name = 10;
    pub const VERSION: Name = 11;
    pub const DEFINED: Name = 12;
    pub const OPEN_BRACE: Name = 13;
    pub const CLOSE_BRACE: Name = 14;
    pub(super) const ALL: [&str; 15] = [
        "\n",
        "",
        "\0",
        "##",
        "#",
        "(",
        ")",
        ",",
        "0",
        "__LINE__",
        "__FILE__",
        "__VERSION__",
        "defined",
        "{",
        "}",
    ];
}

/// Longest name in bytes: the compiler drops what follows.
pub(super) const LONGEST: usize = 1024;

/// First character of the text of a string; its contents follow.
const STRING: char = '"';
/// First characters of the marks before and behind a parameter of which `#` makes a string; the name of the parameter follows.
const MADE_STRING: [char; 2] = ['\u{1}', '\u{2}'];

/// Texts of tokens.
pub(super) struct Names {
    list: Vec<Box<str>>,
    of: FxHashMap<Box<str>, Name>,
}

impl Names {
    pub fn new() -> Names {
        let mut all = Names { list: Vec::new(), of: FxHashMap::default() };
        for name in names::ALL {
            all.of(name);
        }
        all
    }

    /// Index of a text.
    pub fn of(&mut self, text: &str) -> Name {
        if let Some(name) = self.of.get(text) {
            return *name;
        }
        let name = self.list.len() as Name;
        self.list.push(text.into());
        self.of.insert(text.into(), name);
        name
    }

    pub fn text(&self, name: Name) -> &str {
        self.list.get(name as usize).map_or("", |text| text)
    }

    /// True for identifiers and keywords.
    pub fn is_identifier(&self, name: Name) -> bool {
        self.text(name).starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
    }

    /// True for numbers, also those below 0 that `__LINE__` and `__FILE__` may be.
    fn is_number(&self, name: Name) -> bool {
        self.text(name).trim_start_matches(['.', '-']).starts_with(|c: char| c.is_ascii_digit())
    }

    pub fn is_string(&self, name: Name) -> bool {
        self.text(name).starts_with(STRING)
    }

    /// True for tokens that belong to a name behind which they stand without a blank.
    pub fn is_word(&self, name: Name) -> bool {
        self.is_identifier(name) || self.is_number(name) || self.is_string(name)
    }

    /// The marks before and behind a parameter of which `#` makes a string.
    pub fn marks_of_string(&mut self, parameter: Name) -> [Name; 2] {
        MADE_STRING.map(|first| {
            let text = format!("{first}{}", self.text(parameter));
            self.of(&text)
        })
    }

    /// True for a mark that is behind the parameter.
    pub fn ends_string(&self, name: Name) -> bool {
        self.text(name).starts_with(MADE_STRING[1])
    }

    pub fn is_mark_of_string(&self, name: Name) -> bool {
        let text = self.text(name);
        text.len() > 1 && text.starts_with(MADE_STRING)
    }

    /// The text that `##` appends to a name for a token: the contents of strings, and nothing for operators.
    pub fn appended(&self, name: Name) -> &str {
        let text = self.text(name);
        if self.is_string(name) || self.is_mark_of_string(name) {
            &text[1..]
        } else if self.is_word(name) {
            text
        } else {
            ""
        }
    }

    /// Value of an integer without a suffix, in 32 bits.
    pub fn integer(&self, name: Name) -> Option<i32> {
        // `__FILE__` ends in a quotation mark if the file has a name.
        let text = self.text(name).trim_end_matches('"');
        if text.starts_with('-') {
            return text.parse().ok();
        }
        let (digits, radix) = match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
            Some(digits) => (digits, 16),
            None if text.starts_with('0') => (text, 8),
            None => (text, 10),
        };
        u32::from_str_radix(digits, radix).ok().map(|value| value as i32)
    }
}

/// A token.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Token {
    pub name: Name,
    /// Line of the text, from 1.
    pub line: u32,
    /// True behind a blank or a comment.
    pub space: bool,
    /// True if the token is not expanded again.
    pub done: bool,
    /// Line that `__LINE__` in an argument stands for; 0 for none.
    pub number: i32,
}

/// Splits a text into tokens.
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// Line of the next character, from 1.
    pub line: u32,
    /// True if a backslash continues a `//` comment, as from version 4.20 on.
    pub continues: bool,
    /// True if strings have escape sequences, as everywhere but behind `#line`.
    pub escapes: bool,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, continues: bool) -> Scanner<'a> {
        Scanner { text: text.as_bytes(), at: 0, line: 1, continues, escapes: true }
    }

    /// Ends the text here, as the compiler does at an error.
    pub fn stop(&mut self) {
        self.at = self.text.len();
    }

    /// Takes the next character: a line feed for each kind of line end, `None` at the end of the text.
    fn take(&mut self, in_comment: bool) -> Option<u8> {
        loop {
            let c = *self.text.get(self.at)?;
            self.at += 1;
            let ends = matches!(self.text.get(self.at), Some(b'\n' | b'\r'));
            if c == b'\\' && ends && (self.continues || !in_comment) {
                self.line_end();
                continue;
            }
            if matches!(c, b'\n' | b'\r') {
                self.at -= 1;
                self.line_end();
                return Some(b'\n');
            }
            return Some(c);
        }
    }

    /// The text with continued lines joined.
    pub fn joined(text: &'a str) -> String {
        let mut scanner = Scanner::new(text, true);
        let mut joined = String::with_capacity(text.len());
        while let Some(c) = scanner.take(true) {
            joined.push(if c.is_ascii() { c as char } else { '?' });
        }
        joined
    }

    /// Skips a line end. The compiler counts line feeds.
    fn line_end(&mut self) {
        let both = self.text[self.at..].starts_with(b"\r\n");
        self.line += u32::from(both || self.text[self.at] == b'\n');
        self.at += 1 + usize::from(both);
    }

    /// The next character, which is not taken. Continued lines before it are, so that `__LINE__` is as in the compiler.
    fn peek(&mut self) -> Option<u8> {
        loop {
            let c = *self.text.get(self.at)?;
            let ends = matches!(self.text.get(self.at + 1), Some(b'\n' | b'\r'));
            if c != b'\\' || !ends {
                return Some(if c == b'\r' { b'\n' } else { c });
            }
            self.at += 1;
            self.line_end();
        }
    }

    /// Takes the next character if it is one of `wanted`.
    fn take_if(&mut self, out: &mut String, wanted: impl Fn(u8) -> bool) -> bool {
        match self.peek() {
            Some(c) if c.is_ascii() && wanted(c) => {
                self.take(false);
                out.push(c as char);
                true
            }
            _ => false,
        }
    }

    fn take_while(&mut self, out: &mut String, wanted: impl Fn(u8) -> bool) {
        while self.take_if(out, &wanted) {}
    }

    /// The next token.
    pub fn next(&mut self, names: &mut Names) -> Token {
        let mut space = false;
        loop {
            let line = self.line;
            let token = |name| Token { name, line, space, done: false, number: 0 };
            let Some(c) = self.take(false) else { return token(names::END) };
            // The compiler reads ahead here.
            let next = if matches!(c, b'/' | b'.') { self.peek() } else { None };
            let mut text = String::new();
            match (c, next) {
                (b' ' | b'\t', _) => space = true,
                (b'/', Some(b'/')) => {
                    return Token {
                        name: if self.line_comment() { names::NEW_LINE } else { names::END },
                        ..token(0)
                    };
                }
                (b'/', Some(b'*')) => {
                    if !self.block_comment() {
                        return token(names::END);
                    }
                    space = true;
                }
                (b'"', _) => {
                    let text = self.string();
                    return token(names.of(&text));
                }
                _ if c.is_ascii_alphabetic() || c == b'_' => {
                    text.push(c as char);
                    self.take_while(&mut text, |c| c.is_ascii_alphanumeric() || c == b'_');
                    text.truncate(LONGEST);
                    return token(names.of(&text));
                }
                _ if c.is_ascii_digit() || (c == b'.' && next.is_some_and(|c| c.is_ascii_digit())) => {
                    self.number(c, &mut text);
                    text.truncate(LONGEST);
                    return token(names.of(&text));
                }
                _ => {
                    text.push(if c.is_ascii() { c as char } else { '?' });
                    self.operator(c, &mut text);
                    return token(names.of(&text));
                }
            }
        }
    }

    /// Skips to behind the end of the line; returns false at the end of the text.
    fn line_comment(&mut self) -> bool {
        loop {
            match self.take(true) {
                Some(b'\n') => return true,
                Some(_) => {}
                None => return false,
            }
        }
    }

    /// Skips to behind `*/`; returns false at the end of the text.
    fn block_comment(&mut self) -> bool {
        self.take(false);
        let mut last = 0;
        while let Some(c) = self.take(false) {
            if last == b'*' && c == b'/' {
                return true;
            }
            last = c;
        }
        false
    }

    /// Takes a string behind its quotation mark, which is the first character of the result.
    fn string(&mut self) -> String {
        let (mut text, mut length, mut ends) = (String::from(STRING), 0, false);
        while let Some(c) = self.peek() {
            if c == b'\n' {
                break;
            }
            self.take(false);
            if c == b'"' {
                break;
            }
            let c = if c == b'\\' && self.escapes && length < LONGEST { self.escaped() } else { c };
            // A zero ends the text for the compiler, too.
            ends |= c == 0 || length >= LONGEST;
            if !ends {
                text.push(if c.is_ascii() { c as char } else { '?' });
            }
            length += 1;
        }
        text
    }

    /// Takes the rest of an escape sequence; a backslash if it is an error.
    fn escaped(&mut self) -> u8 {
        let Some(c) = self.peek().filter(|c| *c != b'\n') else { return b'\\' };
        self.take(false);
        match c {
            b'\'' | b'"' | b'?' | b'\\' => c,
            b'a' => 7,
            b'b' => 8,
            b't' => b'\t',
            b'n' => b'\n',
            b'v' => 11,
            b'f' => 12,
            b'r' => b'\r',
            b'x' => self.digits(0, 16, usize::MAX),
            b'0'..=b'7' => self.digits(c - b'0', 8, 2),
            _ => b'\\',
        }
    }

    /// Takes at most `most` digits behind those that made `value`.
    fn digits(&mut self, mut value: u8, radix: u32, most: usize) -> u8 {
        for _ in 0..most {
            let Some(digit) = self.peek().and_then(|c| char::from(c).to_digit(radix)) else { break };
            self.take(false);
            value = value.wrapping_mul(radix as u8).wrapping_add(digit as u8);
        }
        value
    }

    /// Takes a number whose first character is `c`. Letters other than a suffix are another token.
    fn number(&mut self, c: u8, text: &mut String) {
        text.push(c as char);
        let digit = |c: u8| c.is_ascii_digit();
        let mut float = c == b'.';
        if c == b'0' && self.take_if(text, |c| matches!(c, b'x' | b'X')) {
            self.take_while(text, |c| c.is_ascii_hexdigit());
            self.integer_suffix(text);
            return;
        }
        self.take_while(text, digit);
        float |= !float && self.take_if(text, |c| c == b'.');
        self.take_while(text, digit);
        if self.take_if(text, |c| matches!(c, b'e' | b'E')) {
            float = true;
            self.take_if(text, |c| matches!(c, b'+' | b'-'));
            self.take_while(text, digit);
        }
        let (at, line, length) = (self.at, self.line, text.len());
        // A suffix of `double` follows a point or an exponent only.
        if self.take_if(text, |c| matches!(c, b'h' | b'H') || (float && matches!(c, b'l' | b'L'))) {
            if self.take_if(text, |c| matches!(c, b'f' | b'F')) {
                return;
            }
            (self.at, self.line) = (at, line);
            text.truncate(length);
        }
        if !self.take_if(text, |c| matches!(c, b'f' | b'F')) && !float {
            self.integer_suffix(text);
        }
    }

    /// Takes `u`, `ul`, `us`, `l` or `s`.
    fn integer_suffix(&mut self, text: &mut String) {
        if self.take_if(text, |c| matches!(c, b'u' | b'U')) {
            self.take_if(text, |c| matches!(c, b'l' | b'L'));
            self.take_if(text, |c| matches!(c, b's' | b'S'));
        } else {
            self.take_if(text, |c| matches!(c, b'l' | b'L' | b's' | b'S'));
        }
    }

    /// Takes the rest of an operator that begins with `c`.
    fn operator(&mut self, c: u8, text: &mut String) {
        let second: &[u8] = match c {
            b'&' | b'|' | b'^' | b'<' | b'>' | b'+' | b'-' => &[c, b'='],
            b'=' | b'!' | b'*' | b'/' | b'%' => b"=",
            b':' => b":",
            _ => return,
        };
        let shifts = self.take_if(text, |c| second.contains(&c)) && matches!(text.as_str(), "<<" | ">>");
        if shifts {
            self.take_if(text, |c| c == b'=');
        }
    }
}

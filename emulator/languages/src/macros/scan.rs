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
    pub(super) const ALL: [&str; 13] =
        ["\n", "", "\0", "##", "#", "(", ")", ",", "0", "__LINE__", "__FILE__", "__VERSION__", "defined"];
}

/// Longest name in bytes: the compiler drops what follows.
pub(super) const LONGEST: usize = 1024;

/// Text of every string.
pub(super) const STRING: &str = "\"\"";

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

    /// True for numbers.
    pub fn is_number(&self, name: Name) -> bool {
        self.text(name).trim_start_matches('.').starts_with(|c: char| c.is_ascii_digit())
    }

    /// Value of an integer without a suffix, in 32 bits.
    pub fn integer(&self, name: Name) -> Option<i32> {
        let text = self.text(name);
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
}

/// Splits a text into tokens.
pub(super) struct Scanner<'a> {
    text: &'a [u8],
    at: usize,
    /// Line of the next character, from 1.
    pub line: u32,
    /// True if a backslash continues a `//` comment, as from version 4.20 on.
    continues: bool,
}

impl<'a> Scanner<'a> {
    pub fn new(text: &'a str, continues: bool) -> Scanner<'a> {
        Scanner { text: text.as_bytes(), at: 0, line: 1, continues }
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

    /// Skips a line end.
    fn line_end(&mut self) {
        let both = self.text[self.at..].starts_with(b"\r\n");
        self.at += 1 + usize::from(both);
        self.line += 1;
    }

    /// The next character, which is not taken.
    fn peek(&mut self) -> Option<u8> {
        let (at, line) = (self.at, self.line);
        let next = self.take(false);
        (self.at, self.line) = (at, line);
        next
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
            let token = |name| Token { name, line, space, done: false };
            let Some(c) = self.take(false) else { return token(names::END) };
            let next = self.peek();
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
                    self.string();
                    return token(names.of(STRING));
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

    /// Skips to behind a quotation mark, or to the end of the line.
    fn string(&mut self) {
        let mut length = 0;
        while let Some(c) = self.peek() {
            if c == b'\n' {
                return;
            }
            self.take(false);
            if c == b'"' {
                return;
            }
            if c == b'\\' && length < LONGEST && self.peek() != Some(b'\n') {
                self.take(false);
            }
            length += 1;
        }
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
            _ => &[],
        };
        let shifts = self.take_if(text, |c| second.contains(&c)) && matches!(text.as_str(), "<<" | ">>");
        if shifts {
            self.take_if(text, |c| c == b'=');
        }
    }
}

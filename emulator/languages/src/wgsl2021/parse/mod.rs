//! Parses tokens into a syntax tree by the draft's grammar.
//!
//! After an error the parser continues at the next statement or declaration. In lenient mode it also accepts constructs
//! of 2021 that the draft lacks: see [`super`].

mod declarations;
mod expressions;
mod statements;
mod types;

use super::super::parts::cursor::{Cursor, Token};
use super::super::parts::report::Report;
use super::super::parts::source::Span;
use super::lexer::Tok;
use super::tree::{ExprId, ExprKind, Expression, Literal, Name, Tree};

/// A failed parse; the report has the reason.
pub(super) struct Failed;
type Parse<T> = Result<T, Failed>;

/// Keywords and reserved words of the draft that no declaration may take as its name.
const KEYWORDS: &str = " array bool f32 i32 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 ptr sampler \
    sampler_comparison struct texture_1d texture_1d_array texture_2d texture_2d_array texture_3d texture_cube \
    texture_cube_array texture_multisampled_2d texture_storage_1d texture_storage_1d_array texture_storage_2d \
    texture_storage_2d_array texture_storage_3d texture_depth_2d texture_depth_2d_array texture_depth_cube \
    texture_depth_cube_array u32 vec2 vec3 vec4 void bitcast block break case const continue continuing default \
    discard else elseif fallthrough false fn for function if in loop out private return storage switch true type \
    uniform var workgroup r8unorm r8snorm r8uint r8sint r16uint r16sint r16float rg8unorm rg8snorm rg8uint rg8sint \
    r32uint r32sint r32float rg16uint rg16sint rg16float rgba8unorm rgba8unorm_srgb rgba8snorm rgba8uint rgba8sint \
    bgra8unorm bgra8unorm_srgb rgb10a2unorm rg11b10float rg32uint rg32sint rg32float rgba16uint rgba16sint \
    rgba16float rgba32uint rgba32sint rgba32float asm bf16 do enum f16 f64 i8 i16 i64 let typedef u8 u16 u64 unless \
    using while regardless premerge handle ";

/// Words that begin a statement or end an expression, so that no source can use them as names.
const NEVER_NAMES: &str = " struct break case const continue default discard else elseif fallthrough false fn for if loop return switch \
     true type var ";

fn is_in(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|w| w == word)
}

pub(super) struct Parser<'s, 'r> {
    cursor: Cursor<'s, Tok>,
    tree: Tree<'s>,
    report: &'r mut Report,
    strict: bool,
}

/// Parses a module. After errors the tree has everything that could be parsed.
pub(super) fn parse<'s>(
    source: &'s str,
    tokens: &'s [Token<Tok>],
    strict: bool,
    report: &mut Report,
) -> Tree<'s> {
    let cursor = Cursor::new(source, tokens, Tok::End);
    let mut parser = Parser { cursor, tree: Tree::default(), report, strict };
    parser.module();
    parser.tree
}

impl<'s> Parser<'s, '_> {
    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Parse<T> {
        self.report.error(span, message);
        Err(Failed)
    }

    /// In strict mode, reports a construct that only the letter of the draft forbids.
    fn strictly(&mut self, span: Span, message: impl Into<String>) {
        if self.strict {
            self.report.error(span, message);
        }
    }

    /// Describes the next token for messages.
    fn found(&self) -> String {
        match self.cursor.peek() {
            Tok::End => "the end of the source".into(),
            _ => format!("`{}`", self.cursor.text()),
        }
    }

    fn at(&self, text: &'static str) -> bool {
        self.cursor.peek() == Tok::P(text)
    }

    fn at_word(&self, word: &str) -> bool {
        self.cursor.peek() == Tok::Word && self.cursor.text() == word
    }

    fn eat(&mut self, text: &'static str) -> bool {
        self.cursor.eat(Tok::P(text))
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is = self.at_word(word);
        if is {
            self.cursor.next();
        }
        is
    }

    fn expect(&mut self, text: &'static str, after: &str) -> Parse<Span> {
        if self.at(text) {
            return Ok(self.cursor.next().span);
        }
        // A token missing at the end of a line is reported there.
        let here = self.cursor.here();
        let last = self.cursor.last();
        let line_ends = last.end > 0
            && self
                .cursor
                .source
                .get(last.end as usize..here.start as usize)
                .is_some_and(|s| s.contains('\n'));
        let place = if line_ends { Span { start: last.end.saturating_sub(1), end: last.end } } else { here };
        let found = self.found();
        self.error(place, format!("expected `{text}` {after}, found {found}"))
    }

    /// True if the next two tokens are these and are adjacent.
    fn at_pair(&self, first: &'static str, second: &'static str) -> bool {
        self.at(first) && self.cursor.peek_at(1) == Tok::P(second) && self.touching()
    }

    /// True if nothing stands between the next token and the one after it.
    fn touching(&self) -> bool {
        let end = self.cursor.here().end as usize;
        self.cursor.source.as_bytes().get(end).is_some_and(|c| !c.is_ascii_whitespace() && *c != b'/')
    }

    /// Parses the name in a declaration.
    fn name(&mut self, of: &str) -> Parse<Name<'s>> {
        let name = Name { text: self.cursor.text(), span: self.cursor.here() };
        if self.cursor.peek() != Tok::Word || is_in(NEVER_NAMES, name.text) {
            let found = self.found();
            return self.error(name.span, format!("expected the name of {of}, found {found}"));
        }
        if is_in(KEYWORDS, name.text) {
            self.strictly(name.span, format!("`{}` is a keyword and cannot be the name of {of}", name.text));
        }
        self.cursor.next();
        Ok(name)
    }

    /// Returns the declared name if a declaration with a name begins at `position`.
    fn declared_at(&mut self, position: usize) -> Option<Name<'s>> {
        let now = self.cursor.position();
        self.cursor.back_to(position);
        while self.at_pair("[", "[") {
            while !matches!(self.cursor.peek(), Tok::P("]") | Tok::End) {
                self.cursor.next();
            }
            self.eat("]");
            self.eat("]");
        }
        let mut name = None;
        if self.cursor.peek() == Tok::Word
            && matches!(self.cursor.text(), "var" | "const" | "let" | "type" | "struct" | "fn")
        {
            self.cursor.next();
            if self.eat("<") {
                while !self.eat(">") && self.cursor.peek() == Tok::Word {
                    self.cursor.next();
                }
            }
            if self.cursor.peek() == Tok::Word {
                name = Some(Name { text: self.cursor.text(), span: self.cursor.here() });
            }
        }
        self.cursor.back_to(now);
        name
    }

    fn add(&mut self, span: Span, kind: ExprKind<'s>) -> ExprId {
        let id = ExprId(u32::try_from(self.tree.expressions.len()).unwrap_or(u32::MAX));
        self.tree.expressions.push(Expression { span, kind });
        id
    }

    fn at_literal(&self) -> bool {
        matches!(self.cursor.peek(), Tok::Int | Tok::Uint | Tok::Float)
            || self.at_word("true")
            || self.at_word("false")
            || (self.at("-")
                && matches!(self.cursor.peek_at(1), Tok::Int | Tok::Uint | Tok::Float)
                && self.touching())
    }

    /// Parses a literal, with an adjacent leading minus.
    fn literal(&mut self) -> Parse<(Literal, Span)> {
        let start = self.cursor.here();
        let minus = self.eat("-");
        let token = self.cursor.next();
        let text = token.span.of(self.cursor.source);
        let span = start.to(token.span);
        let integer_digits = text.trim_end_matches('u');
        let is_integer = matches!(token.kind, Tok::Int | Tok::Uint);
        if is_integer && integer_digits.len() > 1 && text.starts_with('0') && !text.starts_with("0x") {
            self.strictly(
                span,
                "an integer literal has no leading zeros, and begins with `0x` in hexadecimal",
            );
        }
        let sticking = self.cursor.peek() == Tok::Word && self.cursor.here().start == span.end;
        let value = match token.kind {
            Tok::Word if text == "true" => Some(Literal::Bool(true)),
            Tok::Word if text == "false" => Some(Literal::Bool(false)),
            _ if sticking => None,
            Tok::Int => integer(text, minus).and_then(|n| i32::try_from(n).ok()).map(Literal::I32),
            Tok::Uint => integer(text.trim_end_matches('u'), false)
                .and_then(|n| u32::try_from(n).ok())
                .filter(|_| !minus)
                .map(Literal::U32),
            Tok::Float => self.float(text, span, minus),
            _ => {
                self.cursor.back_to(self.cursor.position().saturating_sub(1));
                let found = self.found();
                return self.error(span, format!("expected a literal, found {found}"));
            }
        };
        match value {
            Some(value) => Ok((value, span)),
            None => {
                let whole = if sticking { span.to(self.cursor.here()) } else { span };
                let text = whole.of(self.cursor.source);
                self.error(whole, format!("`{text}` is not a number that a literal can express"))
            }
        }
    }

    fn float(&mut self, text: &str, span: Span, minus: bool) -> Option<Literal> {
        if text.ends_with('f') {
            self.strictly(span, "a float literal has no suffix");
        } else if !text.contains('.') {
            self.strictly(span, "a float literal has a point");
        }
        let value: f32 = text.trim_end_matches('f').parse().ok()?;
        value.is_finite().then_some(Literal::F32(if minus { -value } else { value }))
    }
}

/// Returns the value of an integer literal.
fn integer(text: &str, minus: bool) -> Option<i64> {
    let hexadecimal = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let value = match hexadecimal {
        Some(digits) => i64::from_str_radix(digits, 16).ok()?,
        None => text.parse().ok()?,
    };
    Some(if minus { -value } else { value })
}

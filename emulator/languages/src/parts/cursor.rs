//! Tokens, and a parser's position in the token list.

use super::report::Report;
use super::source::Span;

/// Largest nesting depth of expressions and statements, which bounds the parsers' recursion.
const MAX_NESTING: u32 = 400;

/// A token: its kind and its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Token<K> {
    pub kind: K,
    pub span: Span,
}

/// A parser's position in a list of tokens. Past the last token it yields `end` forever.
pub(crate) struct Cursor<'a, K> {
    pub source: &'a str,
    tokens: &'a [Token<K>],
    end: Token<K>,
    at: usize,
    depth: u32,
}

impl<'a, K: Copy + PartialEq> Cursor<'a, K> {
    pub fn new(source: &'a str, tokens: &'a [Token<K>], end: K) -> Self {
        let end = Token { kind: end, span: Span::new(source.len(), source.len()) };
        Cursor { source, tokens, end, at: 0, depth: 0 }
    }

    /// Kind of the next token.
    pub fn peek(&self) -> K {
        self.peek_at(0)
    }

    /// Kind of the token `n` positions after the next one.
    pub fn peek_at(&self, n: usize) -> K {
        self.tokens.get(self.at + n).unwrap_or(&self.end).kind
    }

    /// Takes the next token.
    pub fn next(&mut self) -> Token<K> {
        let token = *self.tokens.get(self.at).unwrap_or(&self.end);
        self.at = (self.at + 1).min(self.tokens.len());
        token
    }

    /// Takes the next token if it is a `kind`.
    pub fn eat(&mut self, kind: K) -> bool {
        let is = self.peek() == kind;
        if is {
            self.next();
        }
        is
    }

    /// Span of the next token.
    pub fn here(&self) -> Span {
        self.tokens.get(self.at).unwrap_or(&self.end).span
    }

    /// Span of the token taken last.
    pub fn last(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(Span::default(), |t| t.span)
    }

    /// Text of the next token.
    pub fn text(&self) -> &'a str {
        self.here().of(self.source)
    }

    /// Number of tokens taken. [`Cursor::back_to`] accepts it, and loops compare it to detect a lack of progress.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Returns to an earlier position of the cursor.
    pub fn back_to(&mut self, position: usize) {
        self.at = position.min(self.tokens.len());
    }

    /// Enters one level of nesting. Returns false, with an error reported, if the nesting is too deep; the parser then
    /// gives up.
    pub fn enter(&mut self, report: &mut Report) -> bool {
        self.depth += 1;
        let deep = self.depth > MAX_NESTING;
        if deep {
            report.last_error(self.here(), format!("nested deeper than {MAX_NESTING} levels"));
            self.at = self.tokens.len();
        }
        !deep
    }

    /// Leaves a level that [`Cursor::enter`] entered, whatever `enter` returned.
    pub fn leave(&mut self) {
        self.depth = self.depth.saturating_sub(1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cursor_ends_and_goes_no_deeper_than_it_may() {
        let tokens: Vec<Token<u8>> =
            (0..3).map(|i| Token { kind: i, span: Span::new(i.into(), 9) }).collect();
        let mut cursor = Cursor::new("012", &tokens, 99);
        assert!(cursor.eat(0) && !cursor.eat(0));
        assert_eq!((cursor.peek_at(1), cursor.peek_at(2)), (2, 99));
        (0..9).for_each(|_| {
            let _ = cursor.next();
        });
        assert_eq!((cursor.peek(), cursor.position()), (99, 3));

        cursor.back_to(1);
        let mut report = Report::default();
        assert_eq!((0..MAX_NESTING + 1).filter(|_| cursor.enter(&mut report)).count() as u32, MAX_NESTING);
        assert!(!report.is_empty());
        assert_eq!(cursor.peek(), 99);
    }
}

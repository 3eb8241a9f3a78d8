//! Tokens, and a parser's place among them.

use super::report::Report;
use super::source::Span;

/// How deep expressions and statements may be nested in each other. Parsers recurse no deeper.
const MAX_NESTING: u32 = 400;

/// A token: what it is, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::frontend) struct Token<K> {
    pub kind: K,
    pub span: Span,
}

/// A parser's place in a list of tokens. Past the last token, `end` is seen for ever.
pub(in crate::frontend) struct Cursor<'a, K> {
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

    /// The next token.
    pub fn peek(&self) -> K {
        self.peek_at(0)
    }

    /// The token `n` after the next one.
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

    /// Place of the next token.
    pub fn here(&self) -> Span {
        self.tokens.get(self.at).unwrap_or(&self.end).span
    }

    /// Place of the token that was taken last.
    pub fn last(&self) -> Span {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or(Span::default(), |t| t.span)
    }

    /// Text of the next token.
    pub fn text(&self) -> &'a str {
        self.here().of(self.source)
    }

    /// How many tokens have been taken; grows with each. For [`Cursor::back_to`], and to see that a loop moves on.
    pub fn position(&self) -> usize {
        self.at
    }

    /// Goes back to a position where the cursor was.
    pub fn back_to(&mut self, position: usize) {
        self.at = position.min(self.tokens.len());
    }

    /// Goes one level of nesting deeper; false, with an error, where that is too deep: then the parser gives up.
    pub fn enter(&mut self, report: &mut Report) -> bool {
        self.depth += 1;
        let deep = self.depth > MAX_NESTING;
        if deep {
            report.error(self.here(), format!("nested deeper than {MAX_NESTING} levels"));
            self.at = self.tokens.len();
        }
        !deep
    }

    /// Comes back from a level that [`Cursor::enter`] went to, whatever it answered.
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

//! Ends of lines.

use std::borrow::Cow;

/// Returns a text whose lines end in a line feed, or in a carriage return and a line feed, so that line feeds count its lines. Other
/// ends, a carriage return alone or behind the line feed, become one of these; columns do not move. Spec: GLSL 4.60, 3.2: a
/// carriage return, a line feed, and both together end one line.
pub fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if !text.contains('\r') {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek().copied()) {
            ('\r', Some('\n')) | ('\n', Some('\r')) => {
                chars.next();
                out.push_str("\r\n");
            }
            ('\r', _) => out.push('\n'),
            _ => out.push(c),
        }
    }
    Cow::Owned(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_end_in_one_way() {
        for (text, expected) in [
            ("a\nb\n\nc", "a\nb\n\nc"),
            ("a\r\nb\r\n\r\nc", "a\r\nb\r\n\r\nc"),
            ("a\rb\r\rc\r", "a\nb\n\nc\n"),
            ("a\n\rb\n\r\n\rc", "a\r\nb\r\n\r\nc"),
            ("a\n\r\nb\r\n\rc", "a\r\n\nb\r\n\nc"),
        ] {
            assert_eq!(with_line_feeds(text), expected, "{text:?}");
        }
        assert!(matches!(with_line_feeds("a\nb"), Cow::Borrowed(_)));
    }
}

//! Removes comments from GLSL text, for code that inspects the source before the compiler does.

use super::version::profile;

/// Returns the source with its comments replaced by blanks; lines and columns do not move. Strings have no comments. Spec:
/// GL_EXT_debug_printf, string literals; GL_GOOGLE_include_directive.
pub(super) fn without_comments(source: &str) -> String {
    let out = blanked(source, true);
    // As for the compiler, comments before `#version` are continued in every version.
    let continued = profile(&out).is_none_or(|p| p.number >= if p.es { 300 } else { 420 });
    if continued || !source.contains('\\') { out } else { blanked(source, false) }
}

/// Replaces comments by blanks. If `continued`, a `//` comment goes on behind a line that ends in a backslash. Spec: GLSL 4.60, 3.4;
/// GLSL 4.20 and GLSL ES 3.00 introduced the continuation of lines.
fn blanked(source: &str, continued: bool) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    let (mut line, mut block, mut string) = (false, false, false);
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if c == '\n' {
            line = line && continued && ends_in_backslash(&source[..out.len()]);
            string = false;
            out.push('\n');
        } else if string {
            out.push(c);
            string = c != '"';
            // Escapes a quotation mark, or continues the string in the next line.
            if c == '\\' {
                let escaped = chars.next();
                out.extend(escaped);
                out.extend(chars.next_if(|c| escaped == Some('\r') && *c == '\n'));
            }
        } else if line {
            blank(&mut out, c);
        } else if block {
            blank(&mut out, c);
            if c == '*' && next == Some('/') {
                chars.next();
                out.push(' ');
                block = false;
            }
        } else if c == '/' && matches!(next, Some('/' | '*')) {
            line = next == Some('/');
            block = !line;
            chars.next();
            out.push_str("  ");
        } else {
            string = c == '"';
            out.push(c);
        }
    }
    out
}

/// True for a text that ends in a backslash, which may stand before the first character of a line end of two.
fn ends_in_backslash(text: &str) -> bool {
    text.strip_suffix('\r').unwrap_or(text).ends_with('\\')
}

fn blank(out: &mut String, c: char) {
    for _ in 0..c.len_utf8() {
        out.push(' ');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_have_no_comments() {
        for (source, expected) in [
            ("a // \"b\n\"c\"", "a      \n\"c\""),
            ("a(\"/*\"); /* b */ c", "a(\"/*\");         c"),
            ("\"//\" // \"", "\"//\"     "),
            (r#"a("\"//", b)"#, r#"a("\"//", b)"#),
            (r#"a("\\") // b"#, r#"a("\\")     "#),
            // A string ends with its line.
            ("\"a\n/* b */", "\"a\n       "),
            // It goes on in the next line behind a backslash.
            ("\"a\\\n/*\" // b", "\"a\\\n/*\"     "),
            ("\"a\\\r\n/*\" // b", "\"a\\\r\n/*\"     "),
        ] {
            assert_eq!(without_comments(source), expected, "{source}");
        }
    }

    /// Spec: GLSL 4.60, 3.4: a `//` comment that ends in a backslash includes the next line.
    #[test]
    fn comments_are_continued() {
        for (source, expected) in [
            ("a // \\\n/* b\nc", "a     \n    \nc"),
            ("a // \\\r\n#include\r\nc", "a      \n         \nc"),
            ("// \u{e9}\\\n\\\nb\nc", "      \n \n \nc"),
            ("// \\ \nb", "     \nb"),
            ("/* \\\n*/ b", "    \n   b"),
            ("#version 420\n// \\\nb", "#version 420\n    \n "),
            ("#version 300 es\n// \\\nb", "#version 300 es\n    \n "),
            ("#version 330\n// \\\nb", "#version 330\n    \nb"),
            ("#version 100\n// \\\nb", "#version 100\n    \nb"),
        ] {
            assert_eq!(without_comments(source), expected, "{source}");
        }
    }
}

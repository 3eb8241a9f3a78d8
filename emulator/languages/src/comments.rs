//! Removes comments from GLSL text, for code that inspects the source before the compiler does.

/// Returns the source with its comments replaced by blanks; lines and columns do not move. Strings have no comments. Spec:
/// GL_EXT_debug_printf, string literals; GL_GOOGLE_include_directive.
pub(super) fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    let (mut line, mut block, mut string) = (false, false, false);
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if c == '\n' {
            (line, string) = (false, false);
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
}

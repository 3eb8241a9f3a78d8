//! Removes comments from GLSL text, for code that inspects the source before the compiler does.

/// Returns the source with its comments replaced by blanks; lines and columns do not move.
pub(super) fn without_comments(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut chars = source.chars().peekable();
    let (mut line, mut block) = (false, false);
    while let Some(c) = chars.next() {
        let next = chars.peek().copied();
        if c == '\n' {
            line = false;
            out.push('\n');
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

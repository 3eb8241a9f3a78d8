//! Text for people: text from sources, names and shaders must not control a terminal.
//!
//! [`plain`] is the only function that decides which characters pass. Everything that writes text for people calls it,
//! both for terminals and for reports that may be shown in one; colours are added afterwards. Leaves the choice of text
//! and destination to its callers.

use std::borrow::Cow;
use std::fmt;

/// Replaces characters that a terminal would interpret by their number, as in `<U+001B>`: control characters except
/// line ends and tabs, and characters that change the writing direction.
pub fn plain(text: &str) -> Cow<'_, str> {
    if !text.contains(is_obeyed) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        if is_obeyed(c) {
            out.push_str(&format!("<U+{:04X}>", c as u32));
        } else {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

fn is_obeyed(c: char) -> bool {
    let direction = ['\u{61c}', '\u{200e}', '\u{200f}'].contains(&c)
        || ('\u{202a}'..='\u{202e}').contains(&c)
        || ('\u{2066}'..='\u{2069}').contains(&c);
    (c.is_control() && c != '\n' && c != '\t') || direction
}

/// Writes a line to standard error, filtered by [`plain`]. If standard error is closed or full, only the line is lost.
pub fn to_stderr(line: fmt::Arguments<'_>) {
    use std::io::Write;
    let _ = writeln!(std::io::stderr(), "{}", plain(&line.to_string()));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_control_passes() {
        let text = "a\tb\n\u{e4} \u{1f600}";
        assert!(matches!(plain(text), Cow::Borrowed(t) if t == text));
        assert_eq!(plain("\x1b[31m\r\u{7}\0"), "<U+001B>[31m<U+000D><U+0007><U+0000>");
        // C1 contains another control sequence introducer.
        assert_eq!(plain("\u{9b}2J\u{7f}"), "<U+009B>2J<U+007F>");
        assert_eq!(plain("a\u{202e}b\u{2066}"), "a<U+202E>b<U+2066>");
        for n in 0..0x3000 {
            let Some(c) = char::from_u32(n) else { continue };
            let passed = plain(&c.to_string()).contains(c);
            let is_control = c.is_ascii_control() || ('\u{80}'..='\u{9f}').contains(&c);
            assert!(!passed || !is_control || c == '\n' || c == '\t', "{n:x}");
        }
    }
}

//! Messages with excerpts of the source lines that they refer to, as failing tests print them.
//!
//! Errors carry a [`Source`] if its text is known. [`shown`] formats a line: bounded in length, and without terminal
//! control characters. Leaves the parsing of source languages to the front ends.

use std::fmt;

use crate::terminal::plain;

/// One compiler message about one location in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Line, from 1; 0 if the message has no line.
    pub line: u32,
    /// Column in bytes, from 1; 0 if unknown.
    pub column: u32,
    /// Length in bytes of the faulty text; 0 if unknown.
    pub length: u32,
    /// Text of the message.
    pub text: String,
}

/// A source with all its messages.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// Summary of all messages: `blur.wgsl is not valid WGSL`.
    pub title: String,
    /// Name of the source.
    pub file: String,
    /// Text of the source.
    pub text: String,
    /// Messages about lines of the source.
    pub messages: Vec<Message>,
    /// Suggestion for a correction.
    pub help: Option<String>,
}

/// Maximum number of characters of a line that are shown.
const WIDEST: usize = 400;
/// Maximum number of characters before the marked text, in a line that is cut.
const BEFORE: usize = 80;
/// Replacement for the parts of a line that are cut.
const CUT: char = '\u{2026}';

/// A line for display, with the byte range of its marked text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Displayed text.
    pub text: String,
    /// Start of the marked text, in bytes.
    pub start: usize,
    /// End of the marked text, in bytes.
    pub end: usize,
}

/// Formats a line for display: a long line is cut around the marked text, from `start` to `end`, and control characters
/// are replaced by their numbers.
pub fn shown(line: &str, start: usize, end: usize) -> Shown {
    let floor = |at: usize| (0..=at.min(line.len())).rev().find(|at| line.is_char_boundary(*at)).unwrap_or(0);
    let (start, end) = (floor(start), floor(end.max(start)));
    let (mut from, mut to) = (0, line.len());
    // A line of at most `WIDEST` bytes has at most `WIDEST` characters.
    if line.len() > WIDEST && line.chars().nth(WIDEST).is_some() {
        let before = line[..start].char_indices().rev().nth(BEFORE - 1);
        from = before.map_or(0, |(at, _)| at);
        to = line[from..].char_indices().nth(WIDEST).map_or(line.len(), |(at, _)| from + at);
    }
    let part = |from: usize, to: usize| plain(line.get(from..to).unwrap_or_default());
    let mut text = String::new();
    text.extend((from > 0).then_some(CUT));
    text.push_str(&part(from, start));
    let first = text.len();
    text.push_str(&part(start, end.min(to)));
    let last = text.len();
    text.push_str(&part(end.min(to), to));
    text.extend((to < line.len()).then_some(CUT));
    Shown { text, start: first, end: last }
}

impl fmt::Display for Source {
    /// Writes the title, and each message with its line and a mark under the faulty text.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&plain(&self.title))?;
        let widest = self.messages.iter().map(|m| m.line).max().unwrap_or(0);
        let pad = " ".repeat(widest.to_string().len());
        for m in &self.messages {
            let line = (m.line as usize).checked_sub(1).and_then(|n| self.text.lines().nth(n));
            let Some(line) = line else {
                if !m.text.is_empty() {
                    write!(f, ": {}", plain(&m.text))?;
                }
                continue;
            };
            let indent = line.len() - line.trim_start().len();
            let (start, length) = match m.column {
                // Without a column, mark the whole line.
                0 => (indent, line.trim().len()),
                column => ((column as usize - 1).min(line.len()), m.length as usize),
            };
            write!(f, "\n{pad} --> {}:{}:{}", plain(&self.file), m.line, start + 1)?;
            let Shown { text: line, start, end } =
                shown(line.trim_end(), start, start.saturating_add(length));
            // Tabs are shown as one blank, so that the mark stays aligned with the text.
            write!(f, "\n{pad} |\n{:>w$} | {}", m.line, line.replace('\t', " "), w = pad.len())?;
            let before = line[..start].chars().count();
            let marked = line[start..end].chars().count().max(1);
            let text = plain(&m.text).replace('\n', &format!("\n{pad} | {}", " ".repeat(before)));
            write!(f, "\n{pad} | {}{}", " ".repeat(before), "^".repeat(marked))?;
            if !text.is_empty() {
                write!(f, " {text}")?;
            }
        }
        if let Some(help) = &self.help {
            write!(f, "\n{pad} = help: {}", plain(help))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_message_shows_its_line() {
        let source = Source {
            title: "a.wgsl is not valid WGSL".into(),
            file: "a.wgsl".into(),
            text: "fn f() {\n\tlet ü = y;\n}\n".into(),
            messages: vec![
                Message { line: 2, column: 11, length: 1, text: "no `y`".into() },
                Message { line: 3, column: 0, length: 0, text: "no result".into() },
            ],
            help: Some("declare it".into()),
        };
        let expected = "\
a.wgsl is not valid WGSL
  --> a.wgsl:2:11
  |
2 |  let ü = y;
  |          ^ no `y`
  --> a.wgsl:3:1
  |
3 | }
  | ^ no result
  = help: declare it";
        assert_eq!(source.to_string(), expected);
        // A line longer than the maximum padding of a format string, with terminal control characters.
        let long = format!("{}\u{1b}[31m\u{e4}ab{}", "x".repeat(100_000), "y".repeat(100_000));
        let message = Message { line: 1, column: 100_008, length: 1, text: "\r".into() };
        let source = Source { text: long, messages: vec![message], ..source };
        let text = source.to_string();
        let (shown, mark) = text.split_once(" | ").unwrap().1.split_once('\n').unwrap();
        assert_eq!(shown.chars().count(), 1 + WIDEST + "<U+001B>".len() - 1 + 1);
        assert!(
            shown.starts_with("\u{2026}xxx")
                && shown.contains("x<U+001B>[31m\u{e4}ab")
                && shown.ends_with("y\u{2026}")
        );
        let column = mark.lines().next().unwrap().split_once(" | ").unwrap().1.find('^').unwrap();
        assert_eq!(shown.chars().nth(column), Some('a'));
        assert!(text.contains("a.wgsl:1:100008") && text.contains("^ <U+000D>"), "{text}");

        let nowhere = Message { line: 9, text: "too long".into(), ..Message::default() };
        let source = Source { messages: vec![nowhere], help: None, ..source };
        assert_eq!(source.to_string(), "a.wgsl is not valid WGSL: too long");
    }
}

//! Messages with the lines of source that they are about: how errors look where a test prints them.
//!
//! Errors carry a [`Source`] where the text is known. Nothing here knows a language.

use std::fmt;

/// One message of a compiler about one place in a source.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Message {
    /// Line, from 1; 0 if the message is about no line.
    pub line: u32,
    /// Column in bytes, from 1; 0 if unknown.
    pub column: u32,
    /// Length in bytes of what is wrong; 0 if unknown.
    pub length: u32,
    /// What is wrong.
    pub text: String,
}

/// A source with all that is wrong with it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Source {
    /// What is wrong as a whole: `blur.wgsl is not valid WGSL`.
    pub title: String,
    /// Name of the source.
    pub file: String,
    /// Its text.
    pub text: String,
    /// Messages about its lines.
    pub messages: Vec<Message>,
    /// What to do about it.
    pub help: Option<String>,
}

impl fmt::Display for Source {
    /// Title, and each message with its line and a mark under what is wrong.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.title)?;
        let widest = self.messages.iter().map(|m| m.line).max().unwrap_or(0);
        let pad = " ".repeat(widest.to_string().len());
        for m in &self.messages {
            let line = (m.line as usize).checked_sub(1).and_then(|n| self.text.lines().nth(n));
            let Some(line) = line else {
                if !m.text.is_empty() {
                    write!(f, ": {}", m.text)?;
                }
                continue;
            };
            let indent = line.len() - line.trim_start().len();
            let (start, length) = match m.column {
                // The whole line.
                0 => (indent, line.trim().len()),
                column => ((column as usize - 1).min(line.len()), m.length as usize),
            };
            write!(f, "\n{pad} --> {}:{}:{}", self.file, m.line, start + 1)?;
            // Tabs are shown as one blank, so that the mark stands below what is wrong.
            write!(f, "\n{pad} |\n{:>w$} | {}", m.line, line.trim_end().replace('\t', " "), w = pad.len())?;
            let before = columns(line, 0, start);
            let marked = columns(line, start, start.saturating_add(length)).max(1);
            let text = m.text.replace('\n', &format!("\n{pad} | {}", " ".repeat(before)));
            write!(f, "\n{pad} | {}{}", " ".repeat(before), "^".repeat(marked))?;
            if !text.is_empty() {
                write!(f, " {text}")?;
            }
        }
        if let Some(help) = &self.help {
            write!(f, "\n{pad} = help: {help}")?;
        }
        Ok(())
    }
}

/// Characters between two bytes of a line.
fn columns(line: &str, from: usize, to: usize) -> usize {
    line.char_indices().filter(|(at, _)| (from..to).contains(at)).count()
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
        let nowhere = Message { line: 9, text: "too long".into(), ..Message::default() };
        let source = Source { messages: vec![nowhere], help: None, ..source };
        assert_eq!(source.to_string(), "a.wgsl is not valid WGSL: too long");
    }
}

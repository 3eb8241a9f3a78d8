//! A trace event: a line of text, fields, details, and pictures.

use std::collections::BTreeMap;
use std::fmt::{self, Write as _};

use super::level::Level;
use super::picture::Shot;

/// Value of a field.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Field {
    Nothing,
    Number(u64),
    Text(String),
    List(Vec<Field>),
}

impl From<u64> for Field {
    fn from(value: u64) -> Field {
        Field::Number(value)
    }
}

impl From<u32> for Field {
    fn from(value: u32) -> Field {
        Field::Number(value.into())
    }
}

impl From<usize> for Field {
    fn from(value: usize) -> Field {
        Field::Number(value as u64)
    }
}

impl From<&str> for Field {
    fn from(value: &str) -> Field {
        Field::Text(value.into())
    }
}

impl From<String> for Field {
    fn from(value: String) -> Field {
        Field::Text(value)
    }
}

impl<T: Into<Field>> From<Option<T>> for Field {
    fn from(value: Option<T>) -> Field {
        value.map_or(Field::Nothing, T::into)
    }
}

impl<T: Into<Field>> From<Vec<T>> for Field {
    fn from(value: Vec<T>) -> Field {
        Field::List(value.into_iter().map(T::into).collect())
    }
}

impl<T: Into<Field>, const N: usize> From<[T; N]> for Field {
    fn from(value: [T; N]) -> Field {
        Field::List(value.into_iter().map(T::into).collect())
    }
}

impl fmt::Display for Field {
    /// Formats the value as JSON.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Field::Nothing => f.write_str("null"),
            Field::Number(value) => write!(f, "{value}"),
            Field::Text(text) => quoted(text, f),
            Field::List(list) => {
                for (i, value) in list.iter().enumerate() {
                    write!(f, "{}{value}", if i == 0 { "[" } else { "," })?;
                }
                f.write_str(if list.is_empty() { "[]" } else { "]" })
            }
        }
    }
}

/// Writes a string of JSON.
fn quoted(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' | '\\' => write!(f, "\\{c}")?,
            c if c < ' ' => write!(f, "\\u{:04x}", u32::from(c))?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

/// A traced event.
pub(crate) struct Event {
    /// One of [`super::TARGETS`].
    pub target: &'static str,
    pub level: Level,
    /// Numbers of the frame and the submission of the event; 0 if it belongs to none.
    pub frame: u64,
    pub submit: u64,
    /// Number of enclosing command lists, labels and passes.
    pub depth: usize,
    /// Line of text for people.
    pub message: String,
    /// The same information for programs.
    pub fields: BTreeMap<&'static str, Field>,
    /// Details shown at level debug, by heading.
    pub details: Vec<(&'static str, Vec<String>)>,
    pub shots: Vec<Shot>,
    /// Time since the start of the trace; set when the event is written.
    pub seconds: f64,
}

impl Event {
    pub fn new(target: &'static str, message: String) -> Self {
        Event {
            target,
            level: Level::Info,
            frame: 0,
            submit: 0,
            depth: 0,
            message,
            fields: BTreeMap::new(),
            details: Vec::new(),
            shots: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Adds a field.
    pub fn with(mut self, name: &'static str, value: impl Into<Field>) -> Self {
        self.fields.insert(name, value.into());
        self
    }

    /// Adds details under a heading; empty details are skipped.
    pub fn detail(&mut self, heading: &'static str, lines: Vec<String>) {
        if !lines.is_empty() {
            self.details.push((heading, lines));
        }
    }

    /// Formats the event as lines of text for people.
    pub fn text(&self, pictures: &[String]) -> String {
        let indent = "  ".repeat(self.depth);
        let (level, seconds, target, message) =
            (self.level.name().to_uppercase(), self.seconds, self.target, &self.message);
        let mut text = format!("{seconds:>11.6} {level:<5} {target:<8} {indent}{message}\n");
        let margin = format!("{:>11} {:<5} {:<8} {indent}  ", "", "", "");
        for (heading, lines) in &self.details {
            for line in lines {
                text += &format!("{margin}{heading}: {line}\n");
            }
        }
        for picture in pictures {
            text += &format!("{margin}picture: {picture}\n");
        }
        text
    }

    /// Formats the event as a line of JSON for programs.
    pub fn json(&self, pictures: &[String]) -> String {
        let object = |members: Vec<String>| format!("{{{}}}", members.join(","));
        let member = |name: &str, value: &str| format!("{}:{value}", Field::from(name));
        let fields = self.fields.iter().map(|(name, value)| member(name, &value.to_string())).collect();
        let mut line = vec![
            member("seconds", &self.seconds.to_string()),
            member("frame", &self.frame.to_string()),
            member("submit", &self.submit.to_string()),
            member("depth", &self.depth.to_string()),
            member("level", &Field::from(self.level.name()).to_string()),
            member("target", &Field::from(self.target).to_string()),
            member("message", &Field::from(&*self.message).to_string()),
            member("fields", &object(fields)),
        ];
        if !self.details.is_empty() {
            let details = self.details.iter();
            let details = details.map(|(name, lines)| member(name, &Field::from(lines.clone()).to_string()));
            line.push(member("details", &object(details.collect())));
        }
        if !pictures.is_empty() {
            line.push(member("pictures", &Field::from(pictures.to_vec()).to_string()));
        }
        object(line) + "\n"
    }
}

/// Formats `SomeName` as `some name`, to use identifiers of the API in lines.
pub(crate) fn words(name: impl fmt::Debug) -> String {
    let name = format!("{name:?}");
    let mut text = String::with_capacity(name.len() + 4);
    let mut before = ' ';
    for c in name.chars() {
        if c.is_uppercase() && before.is_lowercase() {
            text.push(' ');
        }
        text.extend(c.to_lowercase());
        before = c;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn events_are_lines_and_objects() {
        let event = Event::new("draw", "3 vertices".into()).with("count", 3u32);
        let event = event.with("groups", [1u32, 2]).with("name", None::<&str>);
        let mut event = event.with("text", "\"\\\n\u{7f}é");
        event.depth = 1;
        event.detail("state", vec!["cull back".into(), "depth less".into()]);
        event.detail("push", Vec::new());
        assert_eq!(
            event.text(&["a.png".into()]),
            "   0.000000 INFO  draw       3 vertices\n\
             \x20                              state: cull back\n\
             \x20                              state: depth less\n\
             \x20                              picture: a.png\n"
        );
        let json: Value = serde_json::from_str(&event.json(&["a.png".into()])).unwrap();
        assert_eq!(
            json["fields"],
            json!({ "count": 3, "groups": [1, 2], "name": null, "text": "\"\\\n\u{7f}é" })
        );
        assert_eq!(json["details"], json!({"state": ["cull back", "depth less"]}));
        assert_eq!((&json["level"], &json["pictures"]), (&json!("info"), &json!(["a.png"])));
        assert_eq!(words(quadrille_raster::state::Topology::TriangleList), "triangle list");
    }
}

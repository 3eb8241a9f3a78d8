//! A trace event: a line of text, fields, details, and pictures.

use serde_json::{Map, Value, json};
use tracing::Level;

use super::picture::Shot;

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
    pub fields: Map<String, Value>,
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
            level: Level::INFO,
            frame: 0,
            submit: 0,
            depth: 0,
            message,
            fields: Map::new(),
            details: Vec::new(),
            shots: Vec::new(),
            seconds: 0.0,
        }
    }

    /// Adds a field.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(name.into(), value.into());
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
        let (level, seconds, target, message) = (self.level, self.seconds, self.target, &self.message);
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
        let mut line = json!({
            "seconds": self.seconds,
            "frame": self.frame,
            "submit": self.submit,
            "depth": self.depth,
            "level": self.level.as_str().to_lowercase(),
            "target": self.target,
            "message": self.message,
            "fields": self.fields,
        });
        if !self.details.is_empty() {
            let details = self.details.iter().map(|(k, lines)| ((*k).to_owned(), json!(lines)));
            line["details"] = Value::Object(details.collect());
        }
        if !pictures.is_empty() {
            line["pictures"] = json!(pictures);
        }
        format!("{line}\n")
    }
}

/// Formats `SomeName` as `some name`, to use identifiers of the API in lines.
pub(crate) fn words(name: impl std::fmt::Debug) -> String {
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

    #[test]
    fn events_are_lines_and_objects() {
        let mut event = Event::new("draw", "3 vertices".into()).with("count", 3);
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
        assert_eq!(json["fields"]["count"], 3);
        assert_eq!(json["details"], json!({"state": ["cull back", "depth less"]}));
        assert_eq!((&json["level"], &json["pictures"]), (&json!("info"), &json!(["a.png"])));
        assert_eq!(words(quadrille_raster::state::Topology::TriangleList), "triangle list");
    }
}

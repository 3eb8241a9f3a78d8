//! Names of numbered files.

use std::ops::Range;
use std::path::{Path, PathBuf};

/// Names of the pictures.
pub(super) struct Names {
    before: String,
    after: String,
    /// Minimum number of digits; `None` if the name has no number.
    digits: Option<usize>,
}

impl Names {
    /// `a%03d.png` is numbered in its own format, `a.png` becomes `a_0000.png`; without frames the name is unchanged.
    pub fn new(output: &Path, frames: Option<&Range<u32>>) -> Names {
        let text = output.to_string_lossy().into_owned();
        let Some(frames) = frames else { return Names { before: text, after: String::new(), digits: None } };
        if let Some((before, digits, after)) = printf_number(&text) {
            return Names { before: before.into(), after: after.into(), digits: Some(digits) };
        }
        let extension = output.extension().map_or(String::new(), |e| format!(".{}", e.to_string_lossy()));
        let stem = text.strip_suffix(&extension).unwrap_or(&text);
        let digits = frames.end.saturating_sub(1).to_string().len().max(4);
        Names { before: format!("{stem}_"), after: extension, digits: Some(digits) }
    }

    /// The file of a frame.
    pub fn of(&self, frame: u32) -> PathBuf {
        match self.digits {
            Some(digits) => format!("{}{frame:0digits$}{}", self.before, self.after).into(),
            None => self.before.clone().into(),
        }
    }
}

/// True if a name has a placeholder for a number.
pub(super) fn has_number(output: &Path) -> bool {
    printf_number(&output.to_string_lossy()).is_some()
}

/// Finds `%d`, `%4d` or `%04d`; returns the text before, the digits, and the text after.
fn printf_number(text: &str) -> Option<(&str, usize, &str)> {
    text.match_indices('%').find_map(|(at, _)| {
        let rest = &text[at + 1..];
        let end = rest.find(|c: char| !c.is_ascii_digit())?;
        let after = rest[end..].strip_prefix('d')?;
        let digits = if end == 0 { 1 } else { rest[..end].parse().ok().filter(|n| *n <= 20)? };
        Some((&text[..at], digits, after))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let name = |output: &str, frames: Option<Range<u32>>, frame| {
            Names::new(Path::new(output), frames.as_ref()).of(frame).to_string_lossy().into_owned()
        };
        assert_eq!(name("a.png", None, 0), "a.png");
        assert_eq!(name("a%d.png", None, 0), "a%d.png");
        assert_eq!(name("a%d.png", Some(0..20), 12), "a12.png");
        assert_eq!(name("a%03d.png", Some(0..20), 12), "a012.png");
        assert_eq!(name("100%/a.png", Some(0..20), 12), "100%/a_0012.png");
        assert_eq!(name("a%99999999999999999999d.png", Some(0..2), 1), "a%99999999999999999999d_0001.png");
    }
}

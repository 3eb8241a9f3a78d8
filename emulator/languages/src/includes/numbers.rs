//! Numbers of lines that `#line` gives, which count on behind included files.

use super::conditions::{Conditions, Step};

/// A `#line` of the user with a number, which counts until the next one in its file.
#[derive(Clone, Debug)]
pub(super) struct Numbering {
    /// The line of the directive in its file.
    at: u32,
    /// The number in it.
    number: u32,
    /// Text after the number: nothing, or the number or the name of a source.
    source: String,
}

impl Numbering {
    /// Reads what follows `#line` in line `at`; `None` unless it is a decimal number, with a source or without.
    fn of(at: u32, rest: &str) -> Option<Numbering> {
        let rest = rest.trim();
        let (digits, source) = rest.split_at(rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len()));
        let is_octal = digits.len() > 1 && digits.starts_with('0');
        let name = source.trim();
        let is_name = name.len() > 1 && name.starts_with('"') && name.ends_with('"');
        let is_source = name.is_empty()
            || source.starts_with(char::is_whitespace)
                && (is_name || name.bytes().all(|b| b.is_ascii_digit()));
        let number = digits.parse().ok().filter(|_| !is_octal && is_source)?;
        Some(Numbering { at, number, source: source.to_owned() })
    }

    /// The directive that gives the line after `line` of the file the number that it has by this one.
    pub fn after(&self, line: u32) -> Option<String> {
        let number = self.number.checked_add(line.checked_sub(self.at)?)?;
        Some(format!("#line {number}{}", self.source))
    }
}

/// The `#line` directives of a file so far, and which one counts. If that depends on conditions, none does.
#[derive(Debug, Default)]
pub(super) struct Numberings {
    all: Vec<Numbering>,
    /// The one that counts in the current line, by index.
    now: Option<usize>,
    /// Open conditions, outermost first.
    open: Vec<Condition>,
}

/// A condition from `#if` to `#endif`.
#[derive(Debug)]
struct Condition {
    /// The number that counts before the condition, and at the beginning of each branch.
    before: Option<usize>,
    /// The numbers that count at the ends of the branches so far that may be compiled.
    ends: Vec<Option<usize>>,
    /// True if one of the branches so far is certainly compiled.
    complete: bool,
}

impl Numberings {
    /// The one that counts in the current line.
    pub fn current(&self) -> Option<&Numbering> {
        self.now.and_then(|at| self.all.get(at))
    }

    /// Takes note of a directive in line `at`, with its name and the text after it; `conditions` are those before it.
    pub fn directive(&mut self, at: u32, (name, rest): (&str, &str), conditions: &Conditions) {
        if name == "line" && !conditions.is_dead() {
            self.now = Numbering::of(at, rest).map(|numbering| {
                self.all.push(numbering);
                self.all.len() - 1
            });
        }
        let Some(step) = Step::of(name) else { return };
        if step == Step::Open {
            return self.open.push(Condition { before: self.now, ends: Vec::new(), complete: false });
        }
        let Some(mut condition) = self.open.pop() else { return };
        condition.leave(self.now, conditions);
        if step == Step::Close {
            self.now = condition.after();
        } else {
            condition.complete |= step == Step::Else;
            self.now = condition.before;
            self.open.push(condition);
        }
    }
}

impl Condition {
    /// Ends a branch, at whose end this one counts.
    fn leave(&mut self, now: Option<usize>, conditions: &Conditions) {
        if !conditions.is_dead() {
            self.ends.push(now);
        }
        self.complete |= conditions.is_sure();
    }

    /// The number that counts after the condition: that at the end of each branch.
    fn after(mut self) -> Option<usize> {
        if !self.complete {
            self.ends.push(self.before);
        }
        let first = self.ends.first().copied().flatten();
        first.filter(|_| self.ends.iter().all(|end| *end == first))
    }
}

//! Tracks macros that are certainly defined and `#if` branches that are certainly not taken, line by line.

use std::collections::HashSet;

use super::super::comments::without_comments;

/// A branch between `#if` and `#endif`, or the whole text.
#[derive(Debug, Default)]
struct Region {
    /// Macros that are certainly defined if this branch is taken.
    defined: HashSet<String>,
    /// True if the branch is certainly not taken.
    dead: bool,
    /// True if this branch or an earlier one is certainly taken, so that later branches are not.
    sure: bool,
    /// The macro `X` of `#ifndef X`, until `#else`.
    unless: Option<String>,
    /// True if the macro in `unless` is defined after `#endif` in any case.
    guards: bool,
    /// True if the branch is taken whenever the region around it is; its definitions then outlive it.
    stays: bool,
}

/// Effect of a conditional directive on the innermost condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// `#if`, `#ifdef` or `#ifndef`: opens a condition, with its first branch.
    Open,
    /// `#elif`: begins a branch behind another one.
    Elif,
    /// `#else`: begins the last branch.
    Else,
    /// `#endif`: closes the condition.
    Close,
}

impl Step {
    /// The step of a directive; `None` for directives that are not conditional.
    pub fn of(directive: &str) -> Option<Step> {
        match directive {
            "if" | "ifdef" | "ifndef" => Some(Step::Open),
            "elif" => Some(Step::Elif),
            "else" => Some(Step::Else),
            "endif" => Some(Step::Close),
            _ => None,
        }
    }
}

/// Conditions and macros of the lines read so far.
#[derive(Debug)]
pub(super) struct Conditions {
    /// Open regions, outermost first; the first is the whole text.
    regions: Vec<Region>,
    /// Macros that were ever defined.
    ever: HashSet<String>,
}

impl Conditions {
    /// Starts a text with the macros in `given` already defined.
    pub fn new(given: HashSet<String>) -> Conditions {
        let ever = given.clone();
        Conditions { regions: vec![Region { defined: given, ..Region::default() }], ever }
    }

    /// True if the current line is certainly not compiled.
    pub fn is_dead(&self) -> bool {
        self.regions.iter().any(|r| r.dead)
    }

    /// True if the current branch of the innermost condition, or an earlier one, is certainly compiled.
    pub fn is_sure(&self) -> bool {
        self.regions.last().is_some_and(|r| r.sure)
    }

    /// True if the macro is certainly defined.
    pub fn is_defined(&self, name: &str) -> bool {
        self.regions.iter().any(|r| r.defined.contains(name))
    }

    /// Records the definition of a macro on the current line.
    pub fn define(&mut self, name: String) {
        if self.is_dead() {
            return;
        }
        self.ever.insert(name.clone());
        if let Some(region) = self.regions.last_mut() {
            region.guards |= region.unless.as_ref() == Some(&name);
            region.defined.insert(name);
        }
    }

    /// Processes a directive; `rest` is the text after its name.
    pub fn directive(&mut self, directive: &str, rest: &str) {
        match directive {
            "define" => self.define(word(rest).0.to_owned()),
            "undef" => self.regions.iter_mut().for_each(|r| {
                r.defined.remove(word(rest).0);
                r.guards &= r.unless.as_deref() != Some(word(rest).0);
            }),
            "ifdef" | "ifndef" | "if" => {
                let test = match directive {
                    "ifdef" => Test::Defined(word(rest).0),
                    "ifndef" => Test::NotDefined(word(rest).0),
                    _ => test(rest),
                };
                let region = self.region(test);
                self.regions.push(region);
            }
            // The region of the whole text stays open.
            "elif" | "else" | "endif" if self.regions.len() > 1 => {
                let Some(mut last) = self.regions.pop() else { return };
                if last.stays && !last.dead {
                    std::mem::take(&mut last.defined).into_iter().for_each(|name| self.define(name));
                }
                if directive == "endif" {
                    if let Some(name) = last.unless.filter(|_| last.guards) {
                        self.define(name);
                    }
                    return;
                }
                let mut next = match directive {
                    "elif" => self.region(test(rest)),
                    _ => Region::default(),
                };
                next.dead |= last.sure;
                next.sure |= last.sure;
                next.stays = false;
                if directive == "else"
                    && let Some(name) = last.unless
                {
                    // The macro is undefined only in the branch before, so in this branch it is defined.
                    next.defined.insert(name.clone());
                    (next.unless, next.guards) = (Some(name), last.guards);
                } else {
                    next.unless = None;
                }
                self.regions.push(next);
            }
            _ => {}
        }
    }

    fn region(&self, test: Test<'_>) -> Region {
        let mut region = Region::default();
        match test {
            Test::Always => (region.sure, region.stays) = (true, true),
            Test::Never => region.dead = true,
            Test::Defined(name) => {
                region.sure = self.is_defined(name);
                region.defined.insert(name.to_owned());
            }
            Test::NotDefined(name) => {
                region.dead = self.is_defined(name);
                region.stays = !self.ever.contains(name) && !may_be_predefined(name);
                region.unless = Some(name.to_owned());
            }
            Test::Unknown => {}
        }
        region
    }
}

/// True for names that the compiler or a common text may have defined.
fn may_be_predefined(name: &str) -> bool {
    name.starts_with("GL_")
        || name.contains("__")
        || matches!(name, "VULKAN" | "HW_PERFORMANCE" | "iGlobalTime")
}

/// A condition, as far as this module understands conditions.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Test<'a> {
    Always,
    Never,
    Defined(&'a str),
    NotDefined(&'a str),
    Unknown,
}

fn test(text: &str) -> Test<'_> {
    match text.trim() {
        "0" => Test::Never,
        "1" => Test::Always,
        text => match text.strip_prefix('!') {
            Some(rest) => defined(rest).map_or(Test::Unknown, Test::NotDefined),
            None => defined(text).map_or(Test::Unknown, Test::Defined),
        },
    }
}

/// Returns the name in `defined NAME` or `defined(NAME)`.
fn defined(text: &str) -> Option<&str> {
    let rest = text.trim().strip_prefix("defined")?;
    let inside = match rest.trim_start().strip_prefix('(') {
        Some(inside) => inside.strip_suffix(')')?.trim(),
        None => rest.strip_prefix(char::is_whitespace)?.trim(),
    };
    let (name, after) = word(inside);
    (!name.is_empty() && after.is_empty()).then_some(name)
}

/// Splits a text into its first identifier, which may be empty, and the rest.
pub(super) fn word(text: &str) -> (&str, &str) {
    let end = text.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).unwrap_or(text.len());
    text.split_at(end)
}

/// Returns the macro of an include guard around the whole file: `#ifndef X`, `#define X` first, and `#endif` last.
pub(super) fn guard(text: &str) -> Option<String> {
    let blank = without_comments(text);
    let mut lines = blank.lines().map(str::trim).filter(|l| !l.is_empty());
    let directive = |line: &'_ str, name: &str| -> Option<String> {
        let (word_, rest) = word(line.strip_prefix('#')?.trim_start());
        (word_ == name).then(|| rest.trim().to_owned())
    };
    let first = lines.next()?;
    let name = directive(first, "ifndef").or_else(|| match test(&directive(first, "if")?) {
        Test::NotDefined(name) => Some(name.to_owned()),
        _ => None,
    })?;
    let defined = directive(lines.next()?, "define")?;
    let mut depth = 1;
    let rest: Vec<&str> = lines.collect();
    for (n, line) in rest.iter().enumerate() {
        let Some(after) = line.strip_prefix('#') else { continue };
        match Step::of(word(after.trim_start()).0) {
            Some(Step::Open) => depth += 1,
            Some(Step::Close) => depth -= 1,
            // The guard has a second branch.
            Some(Step::Elif | Step::Else) if depth == 1 => return None,
            Some(Step::Elif | Step::Else) | None => {}
        }
        if depth == 0 && n + 1 < rest.len() {
            return None;
        }
    }
    (depth == 0 && word(&defined).0 == name).then_some(name)
}

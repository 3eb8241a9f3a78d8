//! Expands a source and its included files to one text, and maps messages back to files and lines.

use std::collections::HashSet;
use std::ops::Range;

use super::super::comments::without_comments;
use super::super::lines::with_line_feeds;
use super::super::{CompileError, Diagnostic, Language, MAX_SOURCE_BYTES, Options, SourceText};
use super::conditions::{Conditions, guard, word};
use super::numbers::{Numbering, Numberings};
use super::{IncludeRequest, Includes, Problem};

/// Largest nesting depth of included files.
const MAX_DEPTH: usize = 64;
/// Largest number of inclusions per source, repeated ones counted.
pub(super) const MAX_INCLUSIONS: usize = 10_000;
/// Largest number of bytes read from files per source, repeated reads counted.
pub(super) const MAX_READ: usize = 16 * MAX_SOURCE_BYTES;
/// Precedes the number of a problem in an `#error`.
const MARK: &str = "quadrille_include_";
/// Extension that allows file names in `#line`.
const LINE_EXTENSION: &str = "#extension GL_GOOGLE_cpp_style_line_directive : enable\n";

/// A source or included file.
#[derive(Clone, Debug)]
struct SourceFile {
    name: String,
    text: String,
    /// Macro of the include guard around the whole file.
    guard: Option<String>,
    /// File and line of the first `#include` of this file.
    by: Option<(usize, u32)>,
}

/// A source with its included files.
#[derive(Clone, Debug)]
pub struct Expanded {
    /// The combined text; identical to the source if it includes nothing.
    pub text: String,
    /// Files, the source first.
    files: Vec<SourceFile>,
    pub(super) problems: Vec<Problem>,
    /// Number in `#line` that makes the next line the first: 0 before version 3.30, otherwise 1.
    first_line: u32,
    /// `#line` directives of the user in `text`, and those that continue their numbers, in bytes, ascending.
    numbered: Vec<Range<usize>>,
}

/// A message about one line of one file.
#[derive(Clone, Debug, PartialEq)]
pub struct Located {
    pub file: usize,
    pub diagnostic: Diagnostic,
}

/// Replaces every `#include` in `source` by the file that it names.
pub fn expand(source: &str, options: &Options) -> Result<Expanded, CompileError> {
    expand_after(None, source, options)
}

/// Like [`expand`], with another text before the source.
pub fn expand_after(
    common: Option<&SourceText>,
    source: &str,
    options: &Options,
) -> Result<Expanded, CompileError> {
    let source = &*with_line_feeds(source);
    let main = SourceFile { name: options.file.clone(), text: source.to_owned(), guard: None, by: None };
    let version = super::super::legacy::version_number(source).unwrap_or(450);
    // Version 130 of OpenGL is compiled as 450.
    let first_line = if (130 + u32::from(options.relaxed)..300).contains(&version) { 0 } else { 1 };
    let mut all = Expanded {
        text: String::new(),
        files: vec![main],
        problems: Vec::new(),
        first_line,
        numbered: Vec::new(),
    };
    if let Some(common) = common {
        let text = with_line_feeds(common.text.trim_start_matches('\u{feff}')).into_owned();
        all.files.push(SourceFile { name: common.name.clone(), text, guard: None, by: None });
    } else if !source.contains("include") && !source.contains("line") {
        all.text = source.to_owned();
        return Ok(all);
    }
    all.files[0].guard = guard(source);
    let given = options.defines.iter().map(|(name, _)| name.clone()).collect();
    let mut expander = Expander {
        includes: &options.includes,
        all,
        conditions: Conditions::new(given),
        stack: vec![0],
        inclusions: 0,
        read: 0,
        once: HashSet::new(),
    };
    match expander.all_files() {
        Ok(()) => Ok(expander.all),
        Err((line, problem)) => {
            let file = expander.stack.last().copied().unwrap_or(0);
            let diagnostic = Diagnostic { line, column: 1, length: 0, message: problem.message };
            Err(expander.all.error(vec![Located { file, diagnostic }], problem.help, ""))
        }
    }
}

impl Expanded {
    /// True if there are files besides the source.
    fn has_files(&self) -> bool {
        self.files.len() > 1
    }

    /// The same with blanks in place of the user's `#line` directives, so that each line has the number that it has in
    /// its file; `None` if there are no such directives.
    pub fn unnumbered(&self) -> Option<Expanded> {
        if self.numbered.is_empty() {
            return None;
        }
        let mut all = Expanded { numbered: Vec::new(), ..self.clone() };
        for range in &self.numbered {
            all.text.replace_range(range.clone(), &" ".repeat(range.len()));
        }
        Some(all)
    }

    /// Inserts the extension for file names in `#line` at byte `at`, if the text has several files.
    pub fn with_extension(&self, text: String, at: usize) -> String {
        if !self.has_files() {
            return text;
        }
        let line = text[..at].matches('\n').count() + self.first_line as usize;
        let new_line = if at > 0 && !text[..at].ends_with('\n') { "\n" } else { "" };
        format!("{}{new_line}{LINE_EXTENSION}#line {line}\n{}", &text[..at], &text[at..])
    }

    /// Returns the text of a file as the user wrote it.
    pub fn source(&self, file: usize) -> &str {
        self.files.get(file).map_or("", |f| &f.text)
    }

    /// Splits a compiler message into the file at its start and the text after the colon.
    pub fn split_file<'m>(&self, message: &'m str) -> Option<(usize, &'m str)> {
        let begins = |name: &str| {
            let rest = message.strip_prefix(name)?.strip_prefix(':')?;
            rest.starts_with(|c: char| c.is_ascii_digit()).then_some(rest)
        };
        let named = self.files.iter().enumerate().filter_map(|(n, f)| Some((n, begins(&quotable(&f.name))?)));
        // If several names match, the longest is the right one.
        let named = named.max_by_key(|(_, rest)| std::cmp::Reverse(rest.len()));
        named.filter(|_| self.has_files()).or_else(|| Some((0, begins("0")?)))
    }

    /// Returns the problem whose number the message contains, and its help text.
    pub fn problem(&self, message: &str) -> Option<(String, Option<String>)> {
        let (_, rest) = message.split_once(MARK)?;
        let number = rest.split(|c: char| !c.is_ascii_digit()).next()?.parse::<usize>().ok()?;
        self.problems.get(number).map(|p| (p.message.clone(), p.help.clone()))
    }

    /// Maps a line of `text` to a file and line by its `#line` directives. `text` may contain more than this text.
    pub fn place(&self, text: &str, line: u32) -> (usize, u32) {
        let (mut file, mut next) = (0, 1u32);
        for whole in without_comments(text).lines().take((line as usize).saturating_sub(1)) {
            next = next.saturating_add(1);
            let rest = whole.trim_start().strip_prefix('#').map(str::trim_start);
            let Some(rest) = rest.and_then(|r| r.strip_prefix("line")) else { continue };
            let (number, name) = rest.trim().split_once(' ').unwrap_or((rest.trim(), ""));
            next = number.parse::<u32>().map_or(next, |n| n.saturating_add(1 - self.first_line));
            let name = name.trim().trim_matches('"');
            file = self.files.iter().position(|f| quotable(&f.name) == name).unwrap_or(file);
        }
        (file, next)
    }

    /// Combines messages into an error about the file of the first; messages about other files name these.
    pub fn error(&self, messages: Vec<Located>, help: Option<String>, fallback: &str) -> CompileError {
        let about = messages.first().map_or(0, |m| m.file);
        let own = messages.into_iter().map(|Located { file, diagnostic }| match file == about {
            true => diagnostic,
            false => {
                let message =
                    format!("{}:{}: {}", self.files[file].name, diagnostic.line, diagnostic.message);
                Diagnostic { line: 0, column: 0, length: 0, message }
            }
        });
        let file = &self.files[about];
        let mut error =
            CompileError::from_diagnostics(Language::Glsl, &file.name, &file.text, own.collect(), fallback);
        let chain = self.chain(about);
        error.help = match (help, chain) {
            (Some(help), Some(chain)) => Some(format!("{help}; {chain}")),
            (help, chain) => help.or(chain),
        };
        error
    }

    /// Describes the inclusions: `b.glsl is included by a.frag:2, that by main:1`; `None` for the source itself.
    fn chain(&self, file: usize) -> Option<String> {
        let (by, line) = self.files.get(file)?.by?;
        let mut text = format!("{} is included by {}:{line}", self.files[file].name, self.files[by].name);
        let mut above = self.files[by].by;
        while let Some((by, line)) = above {
            text += &format!(", that by {}:{line}", self.files[by].name);
            above = self.files[by].by;
        }
        Some(text)
    }
}

/// Replaces characters that cannot stand in the file name of a `#line`.
fn quotable(name: &str) -> String {
    name.chars().map(|c| if c == '"' || c == '\\' || c.is_control() { '_' } else { c }).collect()
}

struct Expander<'a> {
    includes: &'a Includes,
    all: Expanded,
    conditions: Conditions,
    /// Files being read, the source first.
    stack: Vec<usize>,
    inclusions: usize,
    /// Bytes read so far.
    read: usize,
    /// Files that contain `#pragma once`.
    once: HashSet<usize>,
}

impl Expander<'_> {
    /// Appends the common text, if there is one, and the source.
    fn all_files(&mut self) -> Result<(), (u32, Problem)> {
        let (first, count) = (self.all.first_line, self.all.files.len());
        for index in (0..count).rev() {
            if count > 1 {
                let name = quotable(&self.all.files[index].name);
                self.all.text.push_str(&format!("#line {first} \"{name}\"\n"));
            }
            self.stack = vec![index];
            self.file(index)?;
            if !self.all.text.ends_with('\n') && index > 0 {
                self.all.text.push('\n');
            }
        }
        Ok(())
    }

    /// Appends a file. After an error, the offending file is on top of the stack, and the error has its line.
    fn file(&mut self, index: usize) -> Result<(), (u32, Problem)> {
        let text = self.all.files[index].text.clone();
        let blank = without_comments(&text);
        let (mut at, mut numbers) = (0, false);
        let mut numberings = Numberings::default();
        for (n, line) in blank.split_inclusive('\n').enumerate() {
            let number = n as u32 + 1;
            let raw = &text[at..at + line.len()];
            at += line.len();
            // A backslash continues `#line` in the next line, which is then no directive of its own.
            let directive = line.trim_start().strip_prefix('#').filter(|_| !numbers);
            let directive = directive.map(str::trim_start).map(word);
            let start = self.all.text.len();
            numbers = numbers || matches!(directive, Some(("line", _)));
            if numbers && !line.trim().is_empty() {
                let first = line.len() - line.trim_start().len();
                self.all.numbered.push(start + first..start + line.trim_end().len());
            }
            numbers = numbers && line.trim_end().ends_with('\\');
            match directive {
                Some(("include", rest)) if !self.conditions.is_dead() => {
                    // Take the name from the original line: comment characters inside a name are part of it.
                    let name = &raw[line.len() - rest.len()..];
                    self.include(index, number, name, numberings.current())?;
                }
                Some(("include", _)) => self.all.text.push('\n'),
                Some((name, rest)) => {
                    self.all.text.push_str(raw);
                    numberings.directive(number, (name, rest), &self.conditions);
                    self.conditions.directive(name, rest.trim());
                }
                None => self.all.text.push_str(raw),
            }
            if self.all.text.len() > MAX_SOURCE_BYTES {
                let message =
                    format!("the source has more than {MAX_SOURCE_BYTES} bytes with what it includes");
                return Err((number, Problem { message, help: None }));
            }
        }
        Ok(())
    }

    /// Handles an `#include` of `file` at `line`, whose lines `numbering` numbers. A failed inclusion becomes an `#error`
    /// in the text; this function returns an error only if a limit is exceeded.
    fn include(
        &mut self,
        file: usize,
        line: u32,
        rest: &str,
        numbering: Option<&Numbering>,
    ) -> Result<(), (u32, Problem)> {
        self.inclusions += 1;
        if self.inclusions > MAX_INCLUSIONS {
            let message = format!("more than {MAX_INCLUSIONS} inclusions");
            return Err((line, Problem { message, help: None }));
        }
        let included = match self.open(file, line, rest) {
            Ok(Some(included)) => included,
            Ok(None) => {
                self.all.text.push('\n');
                return Ok(());
            }
            Err(problem) => {
                let number = self.all.problems.len();
                self.all.text.push_str(&format!("#error {MARK}{number}\n"));
                self.all.problems.push(problem);
                return Ok(());
            }
        };
        let name = quotable(&self.all.files[included].name);
        let once = self.once.contains(&included).then(|| once_macro(included));
        if let Some(once) = &once {
            self.all.text.push_str(&format!("#ifndef {once}\n#define {once}\n"));
        }
        self.all.text.push_str(&format!("#line {} \"{name}\"\n", self.all.first_line));
        self.stack.push(included);
        self.file(included)?;
        self.stack.pop();
        if !self.all.text.ends_with('\n') {
            self.all.text.push('\n');
        }
        if let Some(once) = once {
            self.all.text.push_str("#endif\n");
            self.conditions.define(once);
        }
        let name = quotable(&self.all.files[file].name);
        let number = line + self.all.first_line;
        let Some(directive) = numbering.and_then(|numbering| numbering.after(line)) else {
            self.all.text.push_str(&format!("#line {number} \"{name}\"\n"));
            return Ok(());
        };
        // The directive is in the line before the next one of the file.
        self.all.text.push_str(&format!("#line {} \"{name}\"\n", number - 1));
        let start = self.all.text.len();
        self.all.numbered.push(start..start + directive.len());
        self.all.text.push_str(&directive);
        self.all.text.push('\n');
        Ok(())
    }

    /// Returns the file that an `#include` names; `None` if it was included before and guards itself.
    fn open(&mut self, file: usize, line: u32, rest: &str) -> Result<Option<usize>, Problem> {
        let (name, angled) = header_name(rest)?;
        let (includer, source) = (&self.all.files[file].name, &self.all.files[0].name);
        let request = IncludeRequest { name, includer, angled, source };
        if self.read > MAX_READ {
            let message =
                format!("`{name}`: more than {MAX_READ} bytes are included, skipped text counted too");
            return Err(Problem { message, help: None });
        }
        let found = self.includes.find(&request)?;
        self.read = self.read.saturating_add(found.text.len());
        let known = self.all.files.iter().position(|f| f.name == found.name);
        let index = known.unwrap_or_else(|| {
            let text = with_line_feeds(&found.text).into_owned();
            let blank = without_comments(&text);
            let pragma = |l: &str| l.split_whitespace().collect::<String>() == "#pragmaonce";
            if blank.lines().any(pragma) {
                self.once.insert(self.all.files.len());
            }
            let (by, guard) = (Some((file, line)), guard(&text));
            self.all.files.push(SourceFile { name: found.name, text, guard, by });
            self.all.files.len() - 1
        });
        let guarded = self.once.contains(&index) && self.conditions.is_defined(&once_macro(index))
            || self.all.files[index].guard.as_ref().is_some_and(|name| self.conditions.is_defined(name));
        let is_open = self.stack.contains(&index);
        if guarded || (is_open && self.once.contains(&index)) {
            return Ok(None);
        }
        let names = || self.stack.iter().map(|f| self.all.files[*f].name.as_str()).collect::<Vec<_>>();
        if is_open {
            let from = self.stack.iter().position(|f| *f == index).unwrap_or(0);
            let mut circle = names().split_off(from);
            circle.push(&self.all.files[index].name);
            let message = format!("`{name}` includes itself: {}", circle.join(" -> "));
            let help = Some("`#pragma once` at its beginning prevents that".into());
            return Err(Problem { message, help });
        }
        if self.stack.len() > MAX_DEPTH {
            let message = format!("`{name}` is included through more than {MAX_DEPTH} files");
            return Err(Problem { message, help: None });
        }
        Ok(Some(index))
    }
}

/// Returns the name in `"name"` or `<name>`, and `true` for angle brackets.
fn header_name(text: &str) -> Result<(&str, bool), Problem> {
    let text = text.trim();
    let between = |open: char, close: char| text.strip_prefix(open)?.split_once(close);
    let found = between('"', '"').map(|f| (f, false)).or_else(|| between('<', '>').map(|f| (f, true)));
    match found {
        Some(((name, after), angled))
            if !name.trim().is_empty() && without_comments(after).trim().is_empty() =>
        {
            Ok((name.trim(), angled))
        }
        _ => {
            let message = "`#include` requires \"FILE\" or <FILE>, and nothing after it".to_owned();
            Err(Problem { message, help: None })
        }
    }
}

/// Name of the macro that implements `#pragma once` for a file.
fn once_macro(file: usize) -> String {
    format!("INCLUDED_ONCE_{file}")
}

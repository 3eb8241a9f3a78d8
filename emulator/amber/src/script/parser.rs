//! Shared parts of both parsers: tokens with error messages for unexpected text, and declared names.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use crate::layout::{DataType, Layout, Value};
use crate::script::lexer::{Kind, Lexer, Parse, Problem, Token};
use crate::script::model::{BufferId, Model, PipelineId, SamplerId, ShaderId};
use crate::script::names::{Names, find};

/// Largest number of errors that are listed.
pub const MAX_PROBLEMS: usize = 20;

/// State of a parser.
pub struct Parser<'t> {
    /// Lexer at the current position.
    pub lexer: Lexer<'t>,
    /// Model built so far.
    pub model: Model,
    /// Errors found so far.
    pub problems: Vec<Problem>,
    /// Declared shaders by name.
    pub shaders: HashMap<String, ShaderId>,
    /// Declared buffers and images by name.
    pub buffers: HashMap<String, BufferId>,
    /// Declared samplers by name.
    pub samplers: HashMap<String, SamplerId>,
    /// Declared pipelines by name.
    pub pipelines: HashMap<String, PipelineId>,
    /// Names with invalid declarations; uses of these names report no further errors.
    pub broken: HashSet<String>,
    /// Declared structures by name.
    pub types: HashMap<String, DataType>,
}

impl<'t> Parser<'t> {
    /// Creates a parser at the start of a text.
    pub fn new(text: &'t str) -> Self {
        Parser {
            lexer: Lexer::new(text),
            model: Model::default(),
            problems: Vec::new(),
            shaders: HashMap::new(),
            buffers: HashMap::new(),
            samplers: HashMap::new(),
            pipelines: HashMap::new(),
            broken: HashSet::new(),
            types: HashMap::new(),
        }
    }

    /// Records the error of a line and continues with the next line.
    pub fn recover(&mut self, result: Parse<()>) {
        if let Err(problem) = result {
            let here = self.lexer.peek().start;
            // The line may have ended already.
            if !self.text_between(problem.start, here).contains('\n') {
                self.lexer.skip_line();
            }
            let told = self.lexer.slice(problem.start, problem.start + problem.length);
            if !(problem.message.starts_with(UNKNOWN) && self.broken.contains(told)) {
                self.problems.push(problem);
            }
        }
    }

    fn text_between(&self, start: usize, end: usize) -> &'t str {
        self.lexer.slice(start.min(end), end)
    }

    /// True if there are too many errors to continue.
    pub fn gives_up(&self) -> bool {
        self.problems.len() >= MAX_PROBLEMS
    }

    /// Takes the next token if it is this word.
    pub fn takes(&mut self, word: &str) -> bool {
        let found = self.lexer.peek().is(word);
        if found {
            self.lexer.next();
        }
        found
    }

    /// Takes the next token, which must be this word.
    pub fn expect(&mut self, word: &str) -> Parse<()> {
        let token = self.lexer.next();
        if token.is(word) { Ok(()) } else { Err(token.wanted(&format!("`{word}`"))) }
    }

    /// Takes the next token, which must be a word.
    pub fn word(&mut self, what: &str) -> Parse<Token<'t>> {
        let token = self.lexer.next();
        if token.kind == Kind::Word { Ok(token) } else { Err(token.wanted(what)) }
    }

    /// Takes the next token, which must be a word or a string.
    pub fn path(&mut self, what: &str) -> Parse<String> {
        let token = self.lexer.next();
        match token.kind {
            Kind::Text(text) => Ok(text),
            Kind::Word => Ok(token.text.into()),
            _ => Err(token.wanted(what)),
        }
    }

    /// Takes the next token, which must be a 32-bit unsigned integer.
    pub fn uint(&mut self, what: &str) -> Parse<u32> {
        let token = self.lexer.next();
        token.as_u32().ok_or_else(|| token.wanted(what))
    }

    /// Takes the next token, which must be a number.
    pub fn float(&mut self, what: &str) -> Parse<f64> {
        let token = self.lexer.next();
        token.as_float().ok_or_else(|| token.wanted(what))
    }

    /// Takes the next token, which must be one of these words.
    pub fn choice<T: Copy>(&mut self, names: &Names<T>, what: &str) -> Parse<T> {
        let token = self.word(what)?;
        find(names, token.text).ok_or_else(|| {
            let all: Vec<&str> = names.iter().map(|(n, _)| *n).collect();
            let all = if all.len() > 12 { String::new() } else { format!(": {}", all.join(", ")) };
            token.problem(format!("`{}` is not {what}{all}", token.text))
        })
    }

    /// Takes the end of the line, which must come next.
    pub fn end(&mut self) -> Parse<()> {
        let token = self.lexer.next();
        if token.is_end() { Ok(()) } else { Err(token.wanted("the end of the line")) }
    }

    /// Parses values up to the end of the line, in the types of a layout.
    pub fn values(&mut self, layout: &Layout) -> Parse<Vec<Value>> {
        let mut values = Vec::new();
        loop {
            let token = self.lexer.next();
            if token.is_end() {
                break;
            }
            values.push(self.value(layout, values.len(), &token)?);
        }
        if values.is_empty() {
            return Err(self.lexer.peek().problem("values are missing"));
        }
        Ok(values)
    }

    /// Parses a value for component number `index`.
    pub fn value(&self, layout: &Layout, index: usize, token: &Token<'_>) -> Parse<Value> {
        let float = layout.number(index).is_float();
        token.as_value(float).ok_or_else(|| token.wanted(if float { "a number" } else { "an integer" }))
    }

    /// Takes the next token, which must be the name of a buffer.
    pub fn buffer(&mut self) -> Parse<BufferId> {
        let token = self.word("the name of a buffer")?;
        known(&self.buffers, &token, "buffer")
    }

    /// Takes the next token, which must be the name of a pipeline.
    pub fn pipeline(&mut self) -> Parse<PipelineId> {
        let token = self.word("the name of a pipeline")?;
        known(&self.pipelines, &token, "pipeline")
    }
}

/// Start of the message about an undeclared name.
const UNKNOWN: &str = "there is no ";

/// Returns the declaration of a name.
pub fn known<T: Copy>(names: &HashMap<String, T>, token: &Token<'_>, what: &str) -> Parse<T> {
    let found = names.get(token.text).copied();
    found.ok_or_else(|| token.problem(format!("{UNKNOWN}{what} `{}`", token.text)))
}

/// Declares a name.
pub fn declare<K: Eq + Hash, T>(names: &mut HashMap<K, T>, name: K, id: T, token: &Token<'_>) -> Parse<()> {
    if names.contains_key(&name) {
        return Err(token.problem(format!("`{}` is declared twice", token.text)));
    }
    names.insert(name, id);
    Ok(())
}

//! Parses tokens into the syntax tree. After an error the parser continues with the next statement or declaration, so
//! that one report has several errors.

mod expressions;
mod statements;

use super::lexer::Kind;
use super::syntax::{Declarator, Direction, ExprId, Item, Parameter, Qualifier, Tree, TypeName, Variables};
use crate::parts::cursor::{Cursor, Token};
use crate::parts::report::Report;
use crate::parts::source::Span;

/// Marks an error that has been reported; the parser then looks for the next place to continue.
struct Reported;
type Parsed<T> = Result<T, Reported>;

/// Words that cannot be names.
const KEYWORDS: &[&str] = &[
    "const",
    "uniform",
    "in",
    "out",
    "inout",
    "highp",
    "mediump",
    "lowp",
    "precision",
    "struct",
    "if",
    "else",
    "for",
    "while",
    "do",
    "switch",
    "case",
    "default",
    "break",
    "continue",
    "return",
    "discard",
    "true",
    "false",
    "layout",
    "void",
    "attribute",
    "varying",
    "buffer",
    "invariant",
];

/// Parses a source. Errors go to the report; the tree has everything that could be parsed.
pub(super) fn parse(source: &str, tokens: &[Token<Kind>], report: &mut Report) -> Tree {
    let mut parser = Parser { cursor: Cursor::new(source, tokens, Kind::End), tree: Tree::default(), report };
    parser.items();
    parser.tree
}

struct Parser<'a, 'r> {
    cursor: Cursor<'a, Kind>,
    tree: Tree,
    report: &'r mut Report,
}

impl<'a> Parser<'a, '_> {
    // Tokens.

    fn at(&self, symbol: &'static str) -> bool {
        self.cursor.peek() == Kind::Symbol(symbol)
    }

    fn eat(&mut self, symbol: &'static str) -> bool {
        self.cursor.eat(Kind::Symbol(symbol))
    }

    /// The text of the next token if it is a word.
    fn word(&self) -> &'a str {
        if self.cursor.peek() == Kind::Word { self.cursor.text() } else { "" }
    }

    fn at_word(&self, word: &str) -> bool {
        self.word() == word
    }

    fn eat_word(&mut self, word: &str) -> bool {
        let is = self.at_word(word);
        if is {
            self.cursor.next();
        }
        is
    }

    fn error<T>(&mut self, span: Span, message: impl Into<String>) -> Parsed<T> {
        self.report.error(span, message);
        Err(Reported)
    }

    /// Describes the next token for messages, as in `found ';'`.
    fn found(&self) -> String {
        match self.cursor.peek() {
            Kind::End => "the source ends".into(),
            _ => format!("found `{}`", self.cursor.text()),
        }
    }

    fn expect(&mut self, symbol: &'static str, after: &str) -> Parsed<Span> {
        if self.eat(symbol) {
            return Ok(self.cursor.last());
        }
        let message = format!("expected `{symbol}` {after}, but {}", self.found());
        self.error(self.cursor.here(), message)
    }

    /// Parses a name that is not a keyword.
    fn name(&mut self, what: &str) -> Parsed<Span> {
        let here = self.cursor.here();
        let word = self.word();
        if word.is_empty() {
            let message = format!("expected {what}, but {}", self.found());
            return self.error(here, message);
        }
        if KEYWORDS.contains(&word) {
            let message = format!("expected {what}, but `{word}` is a keyword");
            return self.error(here, message);
        }
        if word.starts_with("gl_") || word.starts_with("sk_") {
            let message = format!("`{word}`: names that begin with `gl_` and `sk_` are reserved");
            self.report.error(here, message);
        }
        self.cursor.next();
        Ok(here)
    }

    /// Skips the rest of an invalid statement: past the next `;`, or up to a `}`, at this depth of braces.
    fn skip_statement(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.cursor.peek() {
                Kind::End => return,
                Kind::Symbol("{") => depth += 1,
                Kind::Symbol("}") if depth == 0 => return,
                Kind::Symbol("}") => {
                    depth -= 1;
                    if depth == 0 {
                        self.cursor.next();
                        return;
                    }
                }
                Kind::Symbol(";") if depth == 0 => {
                    self.cursor.next();
                    return;
                }
                _ => {}
            }
            self.cursor.next();
        }
    }

    // Declarations.

    fn items(&mut self) {
        while self.cursor.peek() != Kind::End && !self.report.full() {
            let before = self.cursor.position();
            if self.eat(";") {
                continue;
            }
            if self.item().is_err() {
                self.skip_statement();
                // Skip an unmatched brace, which would otherwise stop progress.
                if self.at("}") || self.cursor.position() == before {
                    self.cursor.next();
                }
            }
        }
    }

    fn item(&mut self) -> Parsed<()> {
        let here = self.cursor.here();
        if self.at("}") {
            return self.error(here, "`}` without a `{`");
        }
        if self.eat_word("precision") {
            return self.precision();
        }
        if self.at_word("struct") {
            let item = self.structure()?;
            self.tree.items.push(item);
            return Ok(());
        }
        for word in ["in", "out", "inout", "varying", "attribute"] {
            if self.at_word(word) {
                let message = format!("AGSL has no `{word}` variables: use a `uniform`");
                return self.error(here, message);
            }
        }
        let color = self.layout()?;
        let qualifier = match self.word() {
            "const" => Qualifier::Const,
            "uniform" => Qualifier::Uniform,
            _ => Qualifier::None,
        };
        if qualifier != Qualifier::None {
            self.cursor.next();
        }
        // `layout(color)` may also follow `uniform`.
        let color = color.or(self.layout()?);
        let ty = self.type_name()?;
        let name = self.name("a name")?;
        if self.at("(") {
            if qualifier != Qualifier::None || color.is_some() {
                self.report.error(here, "a function takes no `const`, `uniform` or `layout`");
            }
            return self.function(ty, name);
        }
        let names = self.declarators(name)?;
        self.tree.items.push(Item::Variables(Variables { qualifier, color, ty, names }));
        Ok(())
    }

    /// Parses `precision mediump float;`.
    fn precision(&mut self) -> Parsed<()> {
        if !matches!(self.word(), "highp" | "mediump" | "lowp") {
            let message = format!("expected `highp`, `mediump` or `lowp`, but {}", self.found());
            return self.error(self.cursor.here(), message);
        }
        self.cursor.next();
        if !matches!(self.word(), "int" | "float") {
            let message = format!("a precision is set for `int` or `float`, but {}", self.found());
            return self.error(self.cursor.here(), message);
        }
        self.cursor.next();
        self.expect(";", "after the precision").map(drop)
    }

    /// Parses `layout(color)`.
    fn layout(&mut self) -> Parsed<Option<Span>> {
        if !self.eat_word("layout") {
            return Ok(None);
        }
        let start = self.cursor.last();
        self.expect("(", "after `layout`")?;
        let here = self.cursor.here();
        if !self.eat_word("color") {
            let message = format!("the only layout of AGSL is `color`, but {}", self.found());
            return self.error(here, message);
        }
        self.expect(")", "after `color`")?;
        Ok(Some(start.to(self.cursor.last())))
    }

    fn type_name(&mut self) -> Parsed<TypeName> {
        let mut low = None;
        while let "highp" | "mediump" | "lowp" = self.word() {
            low = Some(!self.at_word("highp"));
            self.cursor.next();
        }
        let here = self.cursor.here();
        let name = if self.eat_word("void") { here } else { self.name("a type")? };
        let array = if self.at("[") { Some(self.array_size()?) } else { None };
        Ok(TypeName { name, low, array })
    }

    /// Parses an array size such as `[10]`.
    fn array_size(&mut self) -> Parsed<ExprId> {
        let open = self.expect("[", "")?;
        if self.at("]") {
            return self.error(open.to(self.cursor.here()), "an array needs an explicit size");
        }
        let size = self.assignment()?;
        self.expect("]", "after the size of an array")?;
        if self.at("[") {
            return self.error(self.cursor.here(), "arrays have one dimension");
        }
        Ok(size)
    }

    /// Parses the rest of `float a = 1, b[3];` after the first name.
    fn declarators(&mut self, first: Span) -> Parsed<Vec<Declarator>> {
        let mut names = Vec::new();
        let mut name = first;
        loop {
            let array = if self.at("[") { Some(self.array_size()?) } else { None };
            let init = if self.eat("=") { Some(self.assignment()?) } else { None };
            names.push(Declarator { name, array, init });
            if !self.eat(",") {
                break;
            }
            name = self.name("a name")?;
        }
        self.expect(";", "after a declaration")?;
        Ok(names)
    }

    fn structure(&mut self) -> Parsed<Item> {
        self.cursor.next();
        let name = self.name("a name of the structure")?;
        self.expect("{", "after the name of a structure")?;
        let mut fields = Vec::new();
        while !self.at("}") {
            let ty = self.type_name()?;
            let field = self.name("a name of a member")?;
            let names = self.declarators(field)?;
            fields.push(Variables { qualifier: Qualifier::None, color: None, ty, names });
        }
        self.cursor.next();
        let variables = if self.eat(";") {
            Vec::new()
        } else {
            let first = self.name("`;` or a variable")?;
            self.declarators(first)?
        };
        Ok(Item::Struct { name, fields, variables })
    }

    fn function(&mut self, result: TypeName, name: Span) -> Parsed<()> {
        self.expect("(", "")?;
        let mut parameters = Vec::new();
        if self.at_word("void") && self.cursor.peek_at(1) == Kind::Symbol(")") {
            self.cursor.next();
        }
        while !self.at(")") {
            parameters.push(self.parameter()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")", "after the parameters")?;
        let body = if self.eat(";") {
            None
        } else {
            if !self.at("{") {
                let message = format!("expected `{{` or `;` after the parameters, but {}", self.found());
                return self.error(self.cursor.here(), message);
            }
            Some(self.block()?)
        };
        self.tree.items.push(Item::Function { result, name, parameters, body });
        Ok(())
    }

    fn parameter(&mut self) -> Parsed<Parameter> {
        let (mut direction, mut constant) = (Direction::In, false);
        loop {
            match self.word() {
                "const" => constant = true,
                "in" => direction = Direction::In,
                "out" => direction = Direction::Out,
                "inout" => direction = Direction::InOut,
                _ => break,
            }
            self.cursor.next();
        }
        let ty = self.type_name()?;
        let name =
            if self.at(",") || self.at(")") { None } else { Some(self.name("a name of the parameter")?) };
        let array = if self.at("[") { Some(self.array_size()?) } else { None };
        Ok(Parameter { direction, constant, ty, name, array })
    }
}

//! Parses declarations outside functions.

use super::super::tree::{Attribute, Declaration, Function, Name, Typed};
use super::{Parse, Parser};
use crate::wgsl2021::lexer::Tok;

impl<'s> Parser<'s, '_> {
    pub(super) fn module(&mut self) {
        while self.cursor.peek() != Tok::End && !self.report.full() {
            if self.eat(";") {
                continue;
            }
            let from = self.cursor.position();
            if self.declaration().is_err() {
                if let Some(name) = self.declared_at(from) {
                    self.tree.declarations.push(Declaration::Broken(name));
                }
                self.skip_declaration(from);
            }
        }
    }

    /// After an error, skips to the next declaration at module scope.
    fn skip_declaration(&mut self, from: usize) {
        let mut depth = 0u32;
        if self.cursor.position() == from {
            self.cursor.next();
        }
        loop {
            match self.cursor.peek() {
                Tok::End => return,
                Tok::P("{") => depth += 1,
                Tok::P("}") => depth = depth.saturating_sub(1),
                Tok::Word
                    if self.at_start_of_line()
                        && matches!(self.cursor.text(), "fn" | "struct" | "type" | "import") =>
                {
                    return;
                }
                Tok::Word
                    if depth == 0
                        && matches!(self.cursor.text(), "fn" | "struct" | "type" | "var" | "const") =>
                {
                    return;
                }
                Tok::P("[") if self.at_pair("[", "[") && self.at_start_of_line() => return,
                _ => {}
            }
            self.cursor.next();
        }
    }

    fn at_start_of_line(&self) -> bool {
        let start = self.cursor.here().start as usize;
        start == 0 || self.cursor.source.as_bytes().get(start - 1) == Some(&b'\n')
    }

    fn declaration(&mut self) -> Parse<()> {
        let attributes = self.attributes()?;
        let word = if self.cursor.peek() == Tok::Word { self.cursor.text() } else { "" };
        let start = self.cursor.here();
        if matches!(word, "type" | "import")
            && let Some(first) = attributes.first()
        {
            self.report.error(first.name.span, format!("`{word}` takes no attributes"));
        }
        let declaration = match word {
            "var" => self.global_var(attributes)?,
            "const" | "let" => {
                if word == "let" {
                    self.strictly(start, "constants are declared with `const`");
                }
                self.cursor.next();
                let constant = self.typed("a constant", false)?;
                let init = if self.eat("=") { Some(self.expression()?) } else { None };
                self.expect(";", "after the constant")?;
                Declaration::Const { attributes, constant, init }
            }
            "struct" => {
                self.cursor.next();
                let name = self.name("a structure")?;
                let members = self.members()?;
                self.semicolon_after_struct()?;
                Declaration::Struct { attributes, name, members }
            }
            "type" | "alias" => self.alias()?,
            "fn" => Declaration::Function(self.function(attributes)?),
            "import" if !self.strict => {
                while !matches!(self.cursor.peek(), Tok::P(";") | Tok::End) {
                    self.cursor.next();
                }
                return Ok(());
            }
            _ => {
                let (here, found) = (self.cursor.here(), self.found());
                return self.error(
                    here,
                    format!("expected `var`, `const`, `type`, `struct` or `fn`, found {found}"),
                );
            }
        };
        self.tree.declarations.push(declaration);
        Ok(())
    }

    fn semicolon_after_struct(&mut self) -> Parse<()> {
        if self.eat(";") || !self.strict {
            return Ok(());
        }
        self.expect(";", "after the structure").map(|_| ())
    }

    fn alias(&mut self) -> Parse<Declaration<'s>> {
        self.cursor.next();
        let name = self.name("a type")?;
        self.expect("=", "before the type")?;
        let attributes = if self.strict { Vec::new() } else { self.attributes()? };
        if self.at_word("struct") && !self.strict {
            // The oldest sources have `type S = struct { ... };`.
            self.cursor.next();
            let members = self.members()?;
            self.semicolon_after_struct()?;
            return Ok(Declaration::Struct { attributes, name, members });
        }
        let mut ty = self.type_decl()?;
        ty.attributes.splice(0..0, attributes);
        self.expect(";", "after the type")?;
        Ok(Declaration::Alias { name, ty })
    }

    /// Parses `{ attributes name : type; ... }`.
    fn members(&mut self) -> Parse<Vec<Typed<'s>>> {
        self.expect("{", "before the members")?;
        let mut members = Vec::new();
        while !self.at("}") {
            members.push(self.typed("a member", true)?);
            if !self.strict && self.eat(",") {
                continue;
            }
            if self.at("}") && !self.strict {
                break;
            }
            self.expect(";", "after the member")?;
        }
        self.expect("}", "after the members")?;
        Ok(members)
    }

    /// Parses `<class>` or, as in later drafts, `<class, access>`.
    pub(super) fn class(&mut self) -> Parse<(Option<Name<'s>>, Option<Name<'s>>)> {
        if !self.eat("<") {
            return Ok((None, None));
        }
        let mut words = Vec::new();
        loop {
            let name = Name { text: self.cursor.text(), span: self.cursor.here() };
            if self.cursor.peek() != Tok::Word {
                let found = self.found();
                return self.error(name.span, format!("expected a storage class, found {found}"));
            }
            self.cursor.next();
            words.push(name);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(">", "after the storage class")?;
        if let Some(access) = words.get(1) {
            self.strictly(access.span, "the access is an attribute of the type: `[[access(read)]]`");
        }
        Ok((words.first().copied(), words.get(1).copied()))
    }

    fn global_var(&mut self, attributes: Vec<Attribute<'s>>) -> Parse<Declaration<'s>> {
        self.cursor.next();
        let (class, access) = self.class()?;
        let variable = self.typed("a variable", true)?;
        let init = if self.eat("=") { Some(self.expression()?) } else { None };
        self.expect(";", "after the variable")?;
        Ok(Declaration::Var { attributes, variable, class, access, init })
    }

    fn function(&mut self, attributes: Vec<Attribute<'s>>) -> Parse<Function<'s>> {
        self.cursor.next();
        let name = self.name("a function")?;
        self.expect("(", "before the parameters")?;
        let mut parameters = Vec::new();
        while !self.at(")") {
            let parameter = self.typed("a parameter", true)?;
            if let Some(first) = parameter.attributes.first() {
                let span = first.name.span;
                self.strictly(
                    span,
                    "a parameter takes no attributes: inputs are variables of the class `in`",
                );
            }
            parameters.push(parameter);
            if !self.eat(",") {
                break;
            }
            if self.at(")") {
                let here = self.cursor.here();
                self.strictly(here, "expected a parameter after the comma");
            }
        }
        let close = self.expect(")", "after the parameters")?;
        let mut result_attributes = Vec::new();
        let mut result = None;
        if self.eat("->") {
            result_attributes = self.attributes()?;
            if let Some(first) = result_attributes.first() {
                let span = first.name.span;
                self.strictly(span, "a result takes no attributes: outputs are variables of the class `out`");
            }
            if !self.eat_word("void") {
                result = Some(self.type_decl()?);
            }
        } else {
            self.strictly(close, format!("the result of `{}` is missing: write `-> void`", name.text));
        }
        let body = self.block()?;
        let end = self.cursor.last();
        Ok(Function { attributes, name, parameters, result_attributes, result, body, end })
    }
}

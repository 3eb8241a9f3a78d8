//! Parses statements.

use super::super::tree::{Block, Case, Statement, StatementKind};
use super::{Parse, Parser};
use crate::parts::source::Span;
use crate::wgsl2021::lexer::Tok;

/// Largest number of clauses of one `if`; each is nested in the one before when it is lowered.
const MAX_CLAUSES: usize = 400;

impl<'s> Parser<'s, '_> {
    /// Parses `{ statements }`.
    pub(super) fn block(&mut self) -> Parse<Block<'s>> {
        self.expect("{", "before the statements")?;
        let entered = self.cursor.enter(self.report);
        let mut statements = Vec::new();
        while entered && !self.at("}") && self.cursor.peek() != Tok::End && !self.report.full() {
            self.statement_or_skip(&mut statements);
        }
        self.cursor.leave();
        self.expect("}", "after the statements")?;
        Ok(Block { statements })
    }

    /// Parses a statement; after an error, skips to the next one.
    fn statement_or_skip(&mut self, statements: &mut Vec<Statement<'s>>) {
        let from = self.cursor.position();
        match self.statement() {
            Ok(Some(statement)) => statements.push(statement),
            Ok(None) => {}
            Err(_) => {
                if let Some(name) = self.declared_at(from) {
                    statements.push(Statement { span: name.span, kind: StatementKind::Broken(name) });
                }
                if self.cursor.position() == from {
                    self.cursor.next();
                }
                self.skip_statement();
            }
        }
    }

    /// After an error, skips past the next semicolon of this block, or up to the end of the block.
    fn skip_statement(&mut self) {
        let mut depth = 0u32;
        loop {
            match self.cursor.peek() {
                Tok::End => return,
                Tok::P("{") => depth += 1,
                Tok::P("}") if depth == 0 => return,
                Tok::P("}") => {
                    depth -= 1;
                    if depth == 0 {
                        self.cursor.next();
                        return;
                    }
                }
                Tok::P(";") if depth == 0 => {
                    self.cursor.next();
                    return;
                }
                // A declaration follows, so the brace that ends the block is missing.
                Tok::Word if depth == 0 && matches!(self.cursor.text(), "fn" | "struct") => return,
                _ => {}
            }
            self.cursor.next();
        }
    }

    /// Parses a statement with its semicolon; `None` for an empty one.
    fn statement(&mut self) -> Parse<Option<Statement<'s>>> {
        if self.eat(";") {
            return Ok(None);
        }
        let start = self.cursor.here();
        let word = if self.cursor.peek() == Tok::Word { self.cursor.text() } else { "" };
        let kind = match word {
            _ if self.at("{") => StatementKind::Block(self.block()?),
            "if" => self.if_statement()?,
            "switch" => self.switch()?,
            "loop" => self.loop_statement()?,
            "for" => self.for_statement()?,
            "fallthrough" => {
                return self.error(start, "`fallthrough` comes last in a case");
            }
            "continuing" if self.cursor.peek_at(1) == Tok::P("{") => {
                return self.error(start, "`continuing` comes last in a loop");
            }
            _ => {
                let kind = self.simple(word)?;
                self.expect(";", "after the statement")?;
                kind
            }
        };
        Ok(Some(Statement { span: start.to(self.cursor.last()), kind }))
    }

    /// Parses a statement that ends with a semicolon, but not the semicolon.
    fn simple(&mut self, word: &str) -> Parse<StatementKind<'s>> {
        let here = self.cursor.here();
        Ok(match word {
            "var" => {
                self.cursor.next();
                let (class, _) = self.class()?;
                let variable = self.typed("a variable", false)?;
                let init = if self.eat("=") { Some(self.expression()?) } else { None };
                StatementKind::Var { variable, class, init }
            }
            "const" | "let" => {
                if word == "let" {
                    self.strictly(here, "constants are declared with `const`");
                }
                self.cursor.next();
                let constant = self.typed("a constant", false)?;
                self.expect("=", "before the constant's value")?;
                let init = self.expression()?;
                StatementKind::Const { constant, init }
            }
            "break" => {
                self.cursor.next();
                if self.at_word("if") && !self.strict {
                    // An example in the draft has `break if (c);`.
                    return self.break_if(here);
                }
                StatementKind::Break
            }
            "continue" => {
                self.cursor.next();
                StatementKind::Continue
            }
            "discard" => {
                self.cursor.next();
                StatementKind::Discard
            }
            "return" => {
                self.cursor.next();
                StatementKind::Return(if self.at(";") { None } else { Some(self.expression()?) })
            }
            _ => self.assignment_or_call()?,
        })
    }

    fn break_if(&mut self, start: Span) -> Parse<StatementKind<'s>> {
        self.cursor.next();
        let condition = self.expression()?;
        let span = start.to(self.tree.span(condition));
        let body = Block { statements: vec![Statement { span, kind: StatementKind::Break }] };
        Ok(StatementKind::If { clauses: vec![(condition, body)], otherwise: None })
    }

    fn assignment_or_call(&mut self) -> Parse<StatementKind<'s>> {
        let here = self.cursor.here();
        let follows = self.at("*") && !self.strict;
        let to = if follows { self.expression()? } else { self.singular()? };
        if self.eat("=") {
            let value = self.expression()?;
            return Ok(StatementKind::Assign { to, value });
        }
        if let super::ExprKind::Call(..) = self.tree.get(to).kind {
            return Ok(StatementKind::Call(to));
        }
        let found = self.found();
        self.error(here.to(self.cursor.here()), format!("expected a statement: `=` or a call, found {found}"))
    }

    /// Parses `( expression )`; in lenient mode the parentheses are optional.
    fn condition(&mut self, of: &str) -> Parse<super::ExprId> {
        if !self.at("(") {
            let (here, found) = (self.cursor.here(), self.found());
            if self.strict {
                return self.error(here, format!("expected `(` after `{of}`, found {found}"));
            }
        }
        if !self.strict {
            return self.expression();
        }
        self.expect("(", &format!("after `{of}`"))?;
        let condition = self.expression()?;
        self.expect(")", "after the condition")?;
        Ok(condition)
    }

    fn if_statement(&mut self) -> Parse<StatementKind<'s>> {
        let mut clauses = Vec::new();
        let mut otherwise = None;
        self.cursor.next();
        let condition = self.condition("if")?;
        clauses.push((condition, self.block()?));
        loop {
            let here = self.cursor.here();
            let again = if self.eat_word("elseif") {
                true
            } else if self.at_word("else") {
                self.cursor.next();
                let again = self.at_word("if");
                if again {
                    self.strictly(here, "`else if` is written `elseif`");
                    self.cursor.next();
                }
                again
            } else {
                break;
            };
            if clauses.len() >= MAX_CLAUSES {
                return self.error(here, format!("an `if` has at most {MAX_CLAUSES} clauses"));
            }
            if again {
                let condition = self.condition("elseif")?;
                clauses.push((condition, self.block()?));
            } else {
                otherwise = Some(self.block()?);
                break;
            }
        }
        Ok(StatementKind::If { clauses, otherwise })
    }

    fn switch(&mut self) -> Parse<StatementKind<'s>> {
        self.cursor.next();
        let selector = self.condition("switch")?;
        self.expect("{", "before the cases")?;
        let mut cases = Vec::new();
        while !self.at("}") {
            cases.push(self.case()?);
        }
        self.expect("}", "after the cases")?;
        Ok(StatementKind::Switch { selector, cases })
    }

    fn case(&mut self) -> Parse<Case<'s>> {
        let start = self.cursor.here();
        let mut selectors = Vec::new();
        let is_default = self.eat_word("default");
        if !is_default {
            if !self.eat_word("case") {
                let found = self.found();
                return self.error(start, format!("expected `case` or `default`, found {found}"));
            }
            loop {
                let value = self.expression()?;
                let span = self.tree.span(value);
                match self.as_literal(value) {
                    Some(literal) => selectors.push((literal, span)),
                    None => return self.error(span, "a case has literals"),
                }
                if !self.eat(",") || ((self.at(":") || self.at("{")) && !self.strict) {
                    break;
                }
            }
        }
        if self.strict || self.at(":") {
            self.expect(":", "after the case")?;
        }
        self.expect("{", "before the statements of the case")?;
        let entered = self.cursor.enter(self.report);
        let mut statements = Vec::new();
        let mut fallthrough = None;
        while entered && !self.at("}") && self.cursor.peek() != Tok::End && !self.report.full() {
            if self.at_word("fallthrough") {
                fallthrough = Some(self.cursor.next().span);
                self.expect(";", "after `fallthrough`")?;
                break;
            }
            self.statement_or_skip(&mut statements);
        }
        self.cursor.leave();
        let end = self.expect("}", "after the statements of the case")?;
        let body = Block { statements };
        Ok(Case { span: start.to(end), selectors, is_default, body, fallthrough })
    }

    fn loop_statement(&mut self) -> Parse<StatementKind<'s>> {
        self.cursor.next();
        self.expect("{", "before the loop's statements")?;
        let entered = self.cursor.enter(self.report);
        let mut statements = Vec::new();
        let mut continuing = None;
        while entered && !self.at("}") && self.cursor.peek() != Tok::End && !self.report.full() {
            if self.at_word("continuing") && self.cursor.peek_at(1) == Tok::P("{") {
                self.cursor.next();
                continuing = Some(self.block());
                break;
            }
            self.statement_or_skip(&mut statements);
        }
        self.cursor.leave();
        let continuing = continuing.transpose()?;
        self.expect("}", "after the loop's statements")?;
        let body = Block { statements };
        Ok(StatementKind::Loop { body, continuing })
    }

    fn for_statement(&mut self) -> Parse<StatementKind<'s>> {
        self.cursor.next();
        self.expect("(", "after `for`")?;
        let init = if self.at(";") { None } else { Some(Box::new(self.clause()?)) };
        self.expect(";", "after the first clause")?;
        let condition = if self.at(";") { None } else { Some(self.expression()?) };
        self.expect(";", "after the condition")?;
        let update = if self.at(")") { None } else { Some(Box::new(self.clause()?)) };
        self.expect(")", "after the last clause")?;
        let body = self.block()?;
        Ok(StatementKind::For { init, condition, update, body })
    }

    /// Parses the first or last clause of a `for` header.
    fn clause(&mut self) -> Parse<Statement<'s>> {
        let start = self.cursor.here();
        let word = if self.cursor.peek() == Tok::Word { self.cursor.text() } else { "" };
        let kind = match word {
            "break" | "continue" | "return" | "discard" => {
                return self.error(start, format!("`{word}` is not a clause of a `for`"));
            }
            _ => self.simple(word)?,
        };
        Ok(Statement { span: start.to(self.cursor.last()), kind })
    }
}

//! Parses statements.

use super::super::lexer::Kind;
use super::super::syntax::{Case, Qualifier, Stmt, StmtId, Variables};
use super::{KEYWORDS, Parsed, Parser, Reported};

impl Parser<'_, '_> {
    /// Parses `{ ... }`; errors inside are reported and skipped.
    pub(super) fn block(&mut self) -> Parsed<StmtId> {
        let open = self.expect("{", "")?;
        let entered = self.cursor.enter(self.report);
        let body = if entered { self.statements() } else { Vec::new() };
        self.cursor.leave();
        if !entered {
            return Err(Reported);
        }
        if !self.eat("}") && !self.report.full() {
            return self.error(open, "this `{` has no `}`");
        }
        Ok(self.tree.stmt(Stmt::Block(body), open.to(self.cursor.last())))
    }

    /// Parses statements up to a `}`, a `case` or a `default`.
    fn statements(&mut self) -> Vec<StmtId> {
        let mut list = Vec::new();
        while self.cursor.peek() != Kind::End && !self.at("}") && !matches!(self.word(), "case" | "default") {
            let before = self.cursor.position();
            match self.statement() {
                Ok(stmt) => list.push(stmt),
                Err(Reported) => {
                    self.skip_statement();
                    if self.cursor.position() == before && !self.at("}") {
                        self.cursor.next();
                    }
                }
            }
            if self.report.full() {
                break;
            }
        }
        list
    }

    fn statement(&mut self) -> Parsed<StmtId> {
        if !self.cursor.enter(self.report) {
            self.cursor.leave();
            return Err(Reported);
        }
        let stmt = self.statement_inside();
        self.cursor.leave();
        stmt
    }

    fn statement_inside(&mut self) -> Parsed<StmtId> {
        let start = self.cursor.here();
        let stmt = match self.word() {
            "if" => self.if_statement()?,
            "for" => self.for_statement()?,
            "switch" => self.switch_statement()?,
            "break" => self.jump(Stmt::Break)?,
            "continue" => self.jump(Stmt::Continue)?,
            "return" => {
                self.cursor.next();
                let value = if self.at(";") { None } else { Some(self.expression()?) };
                self.expect(";", "after `return`")?;
                Stmt::Return(value)
            }
            "discard" => return self.error(start, "`discard` is not allowed in AGSL: return half4(0)"),
            word @ ("while" | "do") => {
                let message = format!("AGSL has no `{word}` loops: use a `for` with constant bounds");
                return self.error(start, message);
            }
            "struct" => return self.error(start, "structures are declared outside of functions"),
            "uniform" | "layout" => return self.error(start, "uniforms are declared outside of functions"),
            "precision" => {
                self.cursor.next();
                self.precision()?;
                Stmt::Empty
            }
            _ if self.at("{") => return self.block(),
            _ if self.eat(";") => Stmt::Empty,
            _ if self.at_declaration() => Stmt::Declare(self.declaration()?),
            _ => {
                let value = self.expression()?;
                self.expect(";", "after an expression")?;
                Stmt::Expr(value)
            }
        };
        Ok(self.tree.stmt(stmt, start.to(self.cursor.last())))
    }

    fn jump(&mut self, stmt: Stmt) -> Parsed<Stmt> {
        self.cursor.next();
        self.expect(";", "after a jump")?;
        Ok(stmt)
    }

    /// True if a declaration follows: `const`, a precision, or a type (which may have a size) and a name.
    fn at_declaration(&self) -> bool {
        if matches!(self.word(), "const" | "highp" | "mediump" | "lowp") {
            return true;
        }
        if self.cursor.peek() != Kind::Word || KEYWORDS.contains(&self.word()) {
            return false;
        }
        match self.cursor.peek_at(1) {
            Kind::Word => true,
            Kind::Symbol("[") => {
                let close =
                    (2..64).find(|n| matches!(self.cursor.peek_at(*n), Kind::Symbol("]" | ";") | Kind::End));
                close.is_some_and(|n| {
                    self.cursor.peek_at(n) == Kind::Symbol("]") && self.cursor.peek_at(n + 1) == Kind::Word
                })
            }
            _ => false,
        }
    }

    fn declaration(&mut self) -> Parsed<Variables> {
        let qualifier = if self.eat_word("const") { Qualifier::Const } else { Qualifier::None };
        let ty = self.type_name()?;
        let name = self.name("a name")?;
        let names = self.declarators(name)?;
        Ok(Variables { qualifier, color: None, ty, names })
    }

    /// Parses the body of an `if` or a loop. A declaration is an error there, because it would have no scope.
    fn governed(&mut self) -> Parsed<StmtId> {
        if self.at_declaration() {
            let here = self.cursor.here();
            self.report.error(here, "a declaration must be in braces here");
        }
        self.statement()
    }

    fn if_statement(&mut self) -> Parsed<Stmt> {
        self.cursor.next();
        self.expect("(", "after `if`")?;
        let condition = self.expression()?;
        self.expect(")", "after a condition")?;
        let yes = self.governed()?;
        let no = if self.eat_word("else") { Some(self.governed()?) } else { None };
        Ok(Stmt::If(condition, yes, no))
    }

    fn for_statement(&mut self) -> Parsed<Stmt> {
        self.cursor.next();
        self.expect("(", "after `for`")?;
        let start = self.cursor.here();
        let init = if self.eat(";") {
            None
        } else {
            let stmt = if self.at_declaration() {
                Stmt::Declare(self.declaration()?)
            } else {
                let value = self.expression()?;
                self.expect(";", "after the first part of a `for`")?;
                Stmt::Expr(value)
            };
            Some(self.tree.stmt(stmt, start.to(self.cursor.last())))
        };
        let test = if self.at(";") { None } else { Some(self.expression()?) };
        self.expect(";", "after the condition of a `for`")?;
        let next = if self.at(")") { None } else { Some(self.expression()?) };
        self.expect(")", "after the last part of a `for`")?;
        let body = self.governed()?;
        Ok(Stmt::For { init, test, next, body })
    }

    fn switch_statement(&mut self) -> Parsed<Stmt> {
        self.cursor.next();
        self.expect("(", "after `switch`")?;
        let value = self.expression()?;
        self.expect(")", "after the value of a `switch`")?;
        let open = self.expect("{", "after `switch (...)`")?;
        let mut cases = Vec::new();
        while !self.at("}") {
            let span = self.cursor.here();
            let value = if self.eat_word("case") {
                Some(self.select()?)
            } else if self.eat_word("default") {
                None
            } else if self.cursor.peek() == Kind::End {
                return self.error(open, "this `{` has no `}`");
            } else {
                let message = format!("expected `case` or `default`, but {}", self.found());
                return self.error(span, message);
            };
            self.expect(":", "after a `case`")?;
            let body = self.statements();
            cases.push(Case { span, value, body });
            if self.report.full() {
                return Err(Reported);
            }
        }
        self.cursor.next();
        Ok(Stmt::Switch(value, cases))
    }
}

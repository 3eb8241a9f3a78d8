//! Parses expressions by operator precedence.

use super::super::lexer::Kind;
use super::super::syntax::{BinaryOp, Expr, ExprId, UnaryOp};
use super::{Parsed, Parser, Reported};

impl Parser<'_, '_> {
    pub(super) fn expression(&mut self) -> Parsed<ExprId> {
        let mut left = self.assignment()?;
        while self.eat(",") {
            let right = self.assignment()?;
            left = self.join(left, right, Expr::Comma(left, right));
        }
        Ok(left)
    }

    /// Adds an expression that spans from `first` to `last`.
    fn join(&mut self, first: ExprId, last: ExprId, expr: Expr) -> ExprId {
        let span = self.tree.span(first).to(self.tree.span(last));
        self.tree.expr(expr, span)
    }

    pub(super) fn assignment(&mut self) -> Parsed<ExprId> {
        if !self.cursor.enter(self.report) {
            self.cursor.leave();
            return Err(Reported);
        }
        let value = self.assignment_inside();
        self.cursor.leave();
        value
    }

    fn assignment_inside(&mut self) -> Parsed<ExprId> {
        let target = self.select()?;
        let Kind::Symbol(symbol) = self.cursor.peek() else { return Ok(target) };
        let op = match symbol {
            "=" => None,
            "+=" => Some(BinaryOp::Add),
            "-=" => Some(BinaryOp::Sub),
            "*=" => Some(BinaryOp::Mul),
            "/=" => Some(BinaryOp::Div),
            "%=" | "&=" | "|=" | "^=" | "<<=" | ">>=" => {
                return self.error(self.cursor.here(), format!("AGSL has no operator `{symbol}`"));
            }
            _ => return Ok(target),
        };
        self.cursor.next();
        let value = self.assignment()?;
        Ok(self.join(target, value, Expr::Assign(op, target, value)))
    }

    pub(super) fn select(&mut self) -> Parsed<ExprId> {
        let condition = self.binary(0)?;
        if !self.eat("?") {
            return Ok(condition);
        }
        let yes = self.assignment()?;
        self.expect(":", "between the values of `?`")?;
        let no = self.assignment()?;
        Ok(self.join(condition, no, Expr::Select(condition, yes, no)))
    }

    /// Returns the next binary operator and its precedence; a higher number binds more tightly.
    fn operator(&mut self) -> Parsed<Option<(BinaryOp, u8)>> {
        let Kind::Symbol(symbol) = self.cursor.peek() else { return Ok(None) };
        Ok(Some(match symbol {
            "||" => (BinaryOp::Or, 1),
            "^^" => (BinaryOp::Xor, 2),
            "&&" => (BinaryOp::And, 3),
            "==" => (BinaryOp::Equal, 4),
            "!=" => (BinaryOp::NotEqual, 4),
            "<" => (BinaryOp::Less, 5),
            ">" => (BinaryOp::Greater, 5),
            "<=" => (BinaryOp::LessEqual, 5),
            ">=" => (BinaryOp::GreaterEqual, 5),
            "+" => (BinaryOp::Add, 6),
            "-" => (BinaryOp::Sub, 6),
            "*" => (BinaryOp::Mul, 7),
            "/" => (BinaryOp::Div, 7),
            "%" => {
                return self.error(self.cursor.here(), "AGSL has no operator `%`: use mod(x, y)");
            }
            "&" | "|" | "^" | "<<" | ">>" => {
                return self.error(self.cursor.here(), format!("AGSL has no operator `{symbol}` on bits"));
            }
            _ => return Ok(None),
        }))
    }

    /// Parses operators with a precedence above `least`, from left to right.
    fn binary(&mut self, least: u8) -> Parsed<ExprId> {
        let mut left = self.unary()?;
        while let Some((op, rank)) = self.operator()? {
            if rank <= least {
                break;
            }
            self.cursor.next();
            let right = self.binary(rank)?;
            left = self.join(left, right, Expr::Binary(op, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parsed<ExprId> {
        let start = self.cursor.here();
        let Kind::Symbol(symbol @ ("+" | "-" | "!" | "++" | "--" | "~")) = self.cursor.peek() else {
            return self.postfix();
        };
        if symbol == "~" {
            return self.error(start, "AGSL has no operator `~` on bits");
        }
        self.cursor.next();
        if !self.cursor.enter(self.report) {
            self.cursor.leave();
            return Err(Reported);
        }
        let operand = self.unary();
        self.cursor.leave();
        let operand = operand?;
        let expr = match symbol {
            "+" => Expr::Unary(UnaryOp::Plus, operand),
            "-" => Expr::Unary(UnaryOp::Minus, operand),
            "!" => Expr::Unary(UnaryOp::Not, operand),
            _ => Expr::Step { target: operand, up: symbol == "++", prefix: true },
        };
        let span = start.to(self.tree.span(operand));
        Ok(self.tree.expr(expr, span))
    }

    fn postfix(&mut self) -> Parsed<ExprId> {
        let mut value = self.primary()?;
        loop {
            let start = self.tree.span(value);
            let expr = if self.eat("[") {
                let index = self.expression()?;
                self.expect("]", "after an index")?;
                Expr::Index(value, index)
            } else if self.eat(".") {
                let name = self.cursor.here();
                if self.cursor.peek() != Kind::Word {
                    let message = format!("expected a member or a swizzle after `.`, but {}", self.found());
                    return self.error(name, message);
                }
                self.cursor.next();
                if self.eat("(") {
                    Expr::Method(value, name, self.arguments()?)
                } else {
                    Expr::Field(value, name)
                }
            } else if self.at("++") || self.at("--") {
                let up = self.at("++");
                self.cursor.next();
                Expr::Step { target: value, up, prefix: false }
            } else {
                return Ok(value);
            };
            let span = start.to(self.cursor.last());
            value = self.tree.expr(expr, span);
        }
    }

    /// Parses arguments and the `)` after them.
    fn arguments(&mut self) -> Parsed<Vec<ExprId>> {
        let mut list = Vec::new();
        if self.eat(")") {
            return Ok(list);
        }
        if self.at_word("void") && self.cursor.peek_at(1) == Kind::Symbol(")") {
            self.cursor.next();
            self.cursor.next();
            return Ok(list);
        }
        loop {
            list.push(self.assignment()?);
            if !self.eat(",") {
                break;
            }
        }
        self.expect(")", "after the arguments")?;
        Ok(list)
    }

    fn primary(&mut self) -> Parsed<ExprId> {
        let span = self.cursor.here();
        let expr = match self.cursor.peek() {
            Kind::Int(n) => Expr::Int(n),
            Kind::Float(v) => Expr::Float(v),
            Kind::Word if matches!(self.word(), "true" | "false") => Expr::Bool(self.at_word("true")),
            Kind::Symbol("(") => {
                self.cursor.next();
                let inner = self.expression()?;
                self.expect(")", "after an expression in parentheses")?;
                return Ok(inner);
            }
            Kind::Word => {
                let name = self.name("an expression")?;
                if !self.eat("(") {
                    return Ok(self.tree.expr(Expr::Name, name));
                }
                let arguments = self.arguments()?;
                let span = span.to(self.cursor.last());
                return Ok(self.tree.expr(Expr::Call(name, arguments), span));
            }
            _ => {
                let message = format!("expected an expression, but {}", self.found());
                return self.error(span, message);
            }
        };
        self.cursor.next();
        Ok(self.tree.expr(expr, span))
    }
}

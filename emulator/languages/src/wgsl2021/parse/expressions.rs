//! Parses expressions. All of the draft's binary operators associate to the left.

use super::super::tree::{Binary, ExprId, ExprKind, Literal, Name, Unary};
use super::{Parse, Parser, is_in};
use crate::wgsl2021::lexer::Tok;

/// Types that may begin an expression; their parts follow in parentheses.
const BUILT_IN_TYPES: &str = " array bool f32 i32 u32 mat2x2 mat2x3 mat2x4 mat3x2 mat3x3 mat3x4 mat4x2 mat4x3 mat4x4 \
     vec2 vec3 vec4 ";

/// Precedence of a binary operator; the lowest is 1.
fn level(op: Binary) -> u32 {
    match op {
        Binary::OrElse => 1,
        Binary::AndThen => 2,
        Binary::Or => 3,
        Binary::Xor => 4,
        Binary::And => 5,
        Binary::Equal | Binary::NotEqual => 6,
        Binary::Less | Binary::LessEqual | Binary::Greater | Binary::GreaterEqual => 7,
        Binary::ShiftLeft | Binary::ShiftRight => 8,
        Binary::Add | Binary::Subtract => 9,
        Binary::Multiply | Binary::Divide | Binary::Remainder => 10,
    }
}

impl<'s> Parser<'s, '_> {
    pub(super) fn expression(&mut self) -> Parse<ExprId> {
        let entered = self.cursor.enter(self.report);
        let expression = if entered { self.binary(1) } else { Err(super::Failed) };
        self.cursor.leave();
        expression
    }

    /// Returns the next binary operator and its number of tokens.
    fn operator(&self) -> Option<(Binary, usize)> {
        let Tok::P(text) = self.cursor.peek() else { return None };
        let one = match text {
            "||" => Binary::OrElse,
            "&&" => Binary::AndThen,
            "|" => Binary::Or,
            "^" => Binary::Xor,
            "&" => Binary::And,
            "==" => Binary::Equal,
            "!=" => Binary::NotEqual,
            "<" => Binary::Less,
            "<=" => Binary::LessEqual,
            "<<" => Binary::ShiftLeft,
            "+" => Binary::Add,
            "-" => Binary::Subtract,
            "*" => Binary::Multiply,
            "/" => Binary::Divide,
            "%" => Binary::Remainder,
            ">" if self.at_pair(">", ">") => return Some((Binary::ShiftRight, 2)),
            ">" if self.at_pair(">", "==") || self.at_pair(">", "=") => {
                return Some((Binary::GreaterEqual, 2));
            }
            ">" => Binary::Greater,
            _ => return None,
        };
        Some((one, 1))
    }

    /// Parses operators with a precedence of at least `least`.
    fn binary(&mut self, least: u32) -> Parse<ExprId> {
        let mut left = self.unary()?;
        while let Some((op, tokens)) = self.operator() {
            if level(op) < least {
                break;
            }
            if op == Binary::Subtract && self.at_literal() {
                let span = self.cursor.here();
                self.strictly(span, "a minus that touches a number is part of it: put a space between them");
            }
            for _ in 0..tokens {
                self.cursor.next();
            }
            let right = self.binary(level(op) + 1)?;
            let span = self.tree.span(left).to(self.tree.span(right));
            left = self.add(span, ExprKind::Binary(op, left, right));
        }
        Ok(left)
    }

    fn unary(&mut self) -> Parse<ExprId> {
        let start = self.cursor.here();
        if self.at("-") && self.at_literal() {
            let (literal, span) = self.literal()?;
            let literal = self.add(span, ExprKind::Literal(literal));
            return self.postfix(literal);
        }
        let op = match self.cursor.peek() {
            Tok::P("-") => Unary::Minus,
            Tok::P("!") => Unary::Not,
            Tok::P("~") => Unary::Complement,
            Tok::P("&") => Unary::AddressOf,
            Tok::P("*") => Unary::Follow,
            _ => return self.singular(),
        };
        if matches!(op, Unary::AddressOf | Unary::Follow) {
            self.strictly(
                start,
                "there is no such operator: pointers are created and dereferenced implicitly",
            );
        }
        self.cursor.next();
        let entered = self.cursor.enter(self.report);
        let operand = if entered { self.unary() } else { Err(super::Failed) };
        self.cursor.leave();
        let operand = operand?;
        let span = start.to(self.tree.span(operand));
        Ok(self.add(span, ExprKind::Unary(op, operand)))
    }

    /// Parses a primary expression with the indices and members that follow.
    pub(super) fn singular(&mut self) -> Parse<ExprId> {
        let primary = self.primary()?;
        self.postfix(primary)
    }

    fn postfix(&mut self, mut base: ExprId) -> Parse<ExprId> {
        loop {
            let start = self.tree.span(base);
            if self.at("[") && !self.at_pair("[", "[") {
                self.cursor.next();
                let index = self.expression()?;
                let end = self.expect("]", "after the index")?;
                base = self.add(start.to(end), ExprKind::Index(base, index));
            } else if self.eat(".") {
                let name = Name { text: self.cursor.text(), span: self.cursor.here() };
                if self.cursor.peek() != Tok::Word {
                    let found = self.found();
                    return self
                        .error(name.span, format!("expected a member after the point, found {found}"));
                }
                self.cursor.next();
                base = self.add(start.to(name.span), ExprKind::Member(base, name));
            } else {
                return Ok(base);
            }
        }
    }

    fn primary(&mut self) -> Parse<ExprId> {
        let start = self.cursor.here();
        if self.at_literal() {
            let (literal, span) = self.literal()?;
            return Ok(self.add(span, ExprKind::Literal(literal)));
        }
        if self.eat("(") {
            let inner = self.expression()?;
            self.expect(")", "after the expression")?;
            return Ok(inner);
        }
        if self.cursor.peek() != Tok::Word && !self.at_pair("[", "[") {
            let found = self.found();
            return self.error(start, format!("expected an expression, found {found}"));
        }
        let word = self.cursor.text();
        if word == "bitcast" {
            self.cursor.next();
            self.expect("<", "after `bitcast`")?;
            let ty = self.type_decl()?;
            self.expect(">", "after the type")?;
            self.expect("(", "before the value")?;
            let value = self.expression()?;
            let end = self.expect(")", "after the value")?;
            return Ok(self.add(start.to(end), ExprKind::Bitcast(ty, value)));
        }
        let constructs = is_in(BUILT_IN_TYPES, word)
            && (matches!(self.cursor.peek_at(1), Tok::P("(")) || self.cursor.peek_at(1) == Tok::P("<"));
        if constructs || self.at_pair("[", "[") {
            let ty = self.type_decl()?;
            let parts = self.arguments("the type")?;
            let span = start.to(self.cursor.last());
            return Ok(self.add(span, ExprKind::Construct(ty, parts)));
        }
        if is_in(super::NEVER_NAMES, word) {
            return self.error(start, format!("expected an expression, found `{word}`"));
        }
        self.cursor.next();
        if !self.at("(") {
            return Ok(self.add(start, ExprKind::Name(word)));
        }
        let name = Name { text: word, span: start };
        let arguments = self.arguments("the function")?;
        self.note_call(word, &arguments);
        let span = start.to(self.cursor.last());
        Ok(self.add(span, ExprKind::Call(name, arguments)))
    }

    /// Records facts about calls that must be known before functions are lowered.
    fn note_call(&mut self, function: &str, arguments: &[ExprId]) {
        if function == "textureSampleCompare"
            && let Some(sampler) = arguments.get(1)
            && let ExprKind::Name(sampler) = self.tree.get(*sampler).kind
        {
            self.tree.compared.push(sampler);
        }
        if matches!(function, "textureSample" | "textureSampleBias" | "textureSampleCompare")
            || function.starts_with("dpd")
            || function.starts_with("fwidth")
        {
            self.tree.takes_derivatives = true;
        }
    }

    fn arguments(&mut self, of: &str) -> Parse<Vec<ExprId>> {
        self.expect("(", &format!("after {of}"))?;
        let mut arguments = Vec::new();
        while !self.at(")") {
            arguments.push(self.expression()?);
            if !self.eat(",") {
                break;
            }
            if self.at(")") {
                let here = self.cursor.here();
                self.strictly(here, "expected an argument after the comma");
            }
        }
        self.expect(")", "after the arguments")?;
        Ok(arguments)
    }

    /// Returns the literal if the expression is one.
    pub(super) fn as_literal(&self, id: ExprId) -> Option<Literal> {
        match self.tree.get(id).kind {
            ExprKind::Literal(literal) => Some(literal),
            _ => None,
        }
    }
}

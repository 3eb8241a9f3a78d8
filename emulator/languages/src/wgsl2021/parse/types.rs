//! Parses attributes and types.

use super::super::tree::{Argument, Attribute, Name, TypeArgument, TypeDecl, Typed};
use super::{Parse, Parser};
use crate::wgsl2021::lexer::Tok;

impl<'s> Parser<'s, '_> {
    /// Parses any number of attribute lists in double brackets.
    pub(super) fn attributes(&mut self) -> Parse<Vec<Attribute<'s>>> {
        let mut attributes = Vec::new();
        while self.at_pair("[", "[") {
            let start = self.cursor.next().span;
            self.cursor.next();
            if self.at_pair("]", "]") {
                self.strictly(start, "a list of attributes has at least one");
            }
            while !self.at("]") {
                attributes.push(self.attribute()?);
                if !self.eat(",") {
                    break;
                }
            }
            let close = self.cursor.here();
            if !self.at_pair("]", "]") {
                let found = self.found();
                return self.error(close, format!("expected `]]` after the attributes, found {found}"));
            }
            self.cursor.next();
            self.cursor.next();
        }
        Ok(attributes)
    }

    fn attribute(&mut self) -> Parse<Attribute<'s>> {
        let name = Name { text: self.cursor.text(), span: self.cursor.here() };
        if self.cursor.peek() != Tok::Word {
            let found = self.found();
            return self.error(name.span, format!("expected the name of an attribute, found {found}"));
        }
        self.cursor.next();
        let mut arguments = Vec::new();
        if self.eat("(") {
            loop {
                arguments.push(self.attribute_argument()?);
                if !self.eat(",") {
                    break;
                }
            }
            self.expect(")", "after the attribute's arguments")?;
        } else if !self.strict && self.at_literal() {
            // The oldest sources have `stride 16`.
            arguments.push(self.attribute_argument()?);
        }
        Ok(Attribute { name, arguments })
    }

    fn attribute_argument(&mut self) -> Parse<Argument<'s>> {
        if self.cursor.peek() == Tok::Word {
            let name = Name { text: self.cursor.text(), span: self.cursor.here() };
            self.cursor.next();
            return Ok(Argument::Word(name));
        }
        let (literal, span) = self.literal()?;
        Ok(Argument::Literal(literal, span))
    }

    /// Parses `attributes name : attributes type`. In lenient mode the name may have attributes, and the type may be
    /// missing unless `must` is true.
    pub(super) fn typed(&mut self, of: &str, must: bool) -> Parse<Typed<'s>> {
        let attributes = self.attributes()?;
        let name = self.name(of)?;
        if !self.at(":") && !must {
            self.strictly(name.span, format!("the type of `{}` is missing", name.text));
            if !self.strict {
                return Ok(Typed { attributes, name, ty: None });
            }
        }
        self.expect(":", "before the type")?;
        let ty = Some(self.type_decl()?);
        Ok(Typed { attributes, name, ty })
    }

    pub(super) fn type_decl(&mut self) -> Parse<TypeDecl<'s>> {
        let entered = self.cursor.enter(self.report);
        let ty = if entered { self.type_inside() } else { Err(super::Failed) };
        self.cursor.leave();
        ty
    }

    fn type_inside(&mut self) -> Parse<TypeDecl<'s>> {
        let start = self.cursor.here();
        let attributes = self.attributes()?;
        let name = self.cursor.text();
        if self.cursor.peek() != Tok::Word {
            let (here, found) = (self.cursor.here(), self.found());
            return self.error(here, format!("expected a type, found {found}"));
        }
        let mut span = start.to(self.cursor.next().span);
        let mut arguments = Vec::new();
        if self.eat("<") {
            loop {
                arguments.push(if self.at_literal() {
                    let (literal, span) = self.literal()?;
                    TypeArgument::Count(literal, span)
                } else {
                    TypeArgument::Type(self.type_decl()?)
                });
                if !self.eat(",") {
                    break;
                }
            }
            span = span.to(self.expect(">", "after the type's arguments")?);
        }
        Ok(TypeDecl { span, attributes, name, arguments })
    }
}

//! Attributes: checks where they are allowed, and reads their arguments.

use super::super::tree::{Argument, Attribute, Literal};
use super::{Lower, Lowered};

impl<'s> Lower<'s, '_> {
    /// Reports attributes that are not allowed here, and duplicates.
    pub(super) fn check_attributes(&mut self, attributes: &[Attribute<'s>], known: &[&str], of: &str) {
        for (i, attribute) in attributes.iter().enumerate() {
            let name = attribute.name;
            if !known.contains(&name.text) {
                self.report.error(name.span, format!("`{}` is not an attribute of {of}", name.text));
            } else if attributes[..i].iter().any(|other| other.name.text == name.text) {
                self.report.error(name.span, format!("the attribute `{}` is given twice", name.text));
            }
        }
    }

    /// Returns the only argument of an attribute, a number from `least` to the largest i32.
    pub(super) fn number(
        &mut self,
        attributes: &[Attribute<'s>],
        name: &str,
        least: u32,
    ) -> Lowered<Option<u32>> {
        let Some(attribute) = attributes.iter().find(|a| a.name.text == name) else { return Ok(None) };
        let number = match attribute.arguments.as_slice() {
            [Argument::Literal(Literal::I32(n), _)] => u32::try_from(*n).ok(),
            [Argument::Literal(Literal::U32(n), _)] if !self.settings.strict => Some(*n),
            _ => None,
        };
        match number.filter(|n| *n >= least) {
            Some(n) => Ok(Some(n)),
            None => {
                let message = format!("`{name}` takes one integer literal that is at least {least}");
                self.error(attribute.name.span, message)
            }
        }
    }

    /// Returns the only argument of an attribute, a word.
    pub(super) fn word(
        &mut self,
        attributes: &[Attribute<'s>],
        name: &str,
    ) -> Lowered<Option<super::Name<'s>>> {
        let Some(attribute) = attributes.iter().find(|a| a.name.text == name) else { return Ok(None) };
        match attribute.arguments.as_slice() {
            [Argument::Word(word)] => Ok(Some(*word)),
            _ => self.error(attribute.name.span, format!("`{name}` takes one name")),
        }
    }

    /// True if an attribute without arguments is present.
    pub(super) fn flag(&mut self, attributes: &[Attribute<'s>], name: &str) -> bool {
        let Some(attribute) = attributes.iter().find(|a| a.name.text == name) else { return false };
        if !attribute.arguments.is_empty() {
            self.report.error(attribute.name.span, format!("`{name}` takes no argument"));
        }
        true
    }
}

//! Loops and switches around a statement: what may leave them from where.

use super::super::super::parts::source::Span;
use super::super::tree::{Block, StatementKind};
use super::{Lower, Lowered};

/// A loop or switch that is being translated.
#[derive(Clone, Debug, Default)]
pub(super) struct Construct {
    pub is_loop: bool,
    /// Something leaves it by `break`.
    pub breaks: bool,
    /// Something went to `continuing` before here.
    pub continued: bool,
    /// Its `continuing` is being translated.
    pub in_continuing: bool,
    /// Blocks around its body's statements.
    pub depth: usize,
    /// Names in its body that were declared after a `continue`.
    pub bypassed: Vec<String>,
}

/// The condition on which a `continuing` ends the loop, where its last statement is such a one: the condition, and
/// whether it ends where that is true.
pub(super) fn break_if(continuing: &Block<'_>) -> Option<(super::super::tree::ExprId, bool)> {
    let is_break = |block: &Block<'_>| matches!(block.statements.as_slice(), [only] if matches!(only.kind, StatementKind::Break));
    match &continuing.statements.last()?.kind {
        StatementKind::If { clauses, otherwise } => match (clauses.as_slice(), otherwise) {
            ([(condition, then)], None) if is_break(then) => Some((*condition, true)),
            ([(condition, then)], Some(otherwise)) if is_break(then) && otherwise.statements.is_empty() => {
                Some((*condition, true))
            }
            ([(condition, then)], Some(otherwise)) if then.statements.is_empty() && is_break(otherwise) => {
                Some((*condition, false))
            }
            _ => None,
        },
        _ => None,
    }
}

impl Lower<'_, '_> {
    pub(super) fn break_out(&mut self, span: Span) -> Lowered<()> {
        match self.current.constructs.last_mut() {
            None => self.error(span, "`break` is in no loop or switch"),
            Some(construct) if construct.is_loop && construct.in_continuing => self.error(
                span,
                "a `continuing` ends its loop by `if (c) { break; }` as its last statement alone",
            ),
            Some(construct) => {
                construct.breaks = true;
                Ok(())
            }
        }
    }

    pub(super) fn continue_on(&mut self, span: Span) -> Lowered<()> {
        match self.current.constructs.iter_mut().rfind(|c| c.is_loop) {
            None => self.error(span, "`continue` is in no loop"),
            Some(construct) if construct.in_continuing => {
                self.error(span, "a `continue` cannot go to the `continuing` that it is in")
            }
            Some(construct) => {
                construct.continued = true;
                Ok(())
            }
        }
    }

    /// Notes a `return` or `discard` inside of a `continuing`.
    pub(super) fn leave(&mut self, what: &str, span: Span) -> Lowered<()> {
        if self.current.constructs.iter().any(|c| c.in_continuing) {
            return self.error(span, format!("`{what}` is in a `continuing`"));
        }
        Ok(())
    }

    /// A variable or constant has been declared: a `continuing` cannot use what a `continue` passes by.
    pub(super) fn note_declaration(&mut self, name: &str) {
        let depth = self.current.depth;
        if let Some(construct) = self.current.constructs.last_mut()
            && construct.is_loop
            && construct.continued
            && !construct.in_continuing
            && construct.depth == depth
        {
            construct.bypassed.push(name.to_owned());
        }
    }

    pub(super) fn is_bypassed(&self, name: &str) -> bool {
        self.current.constructs.iter().any(|c| c.in_continuing && c.bypassed.iter().any(|n| n == name))
    }
}

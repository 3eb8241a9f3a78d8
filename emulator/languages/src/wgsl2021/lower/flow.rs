//! Tracks the loops and switches around a statement, and the jumps that are allowed out of them.

use super::super::super::parts::source::Span;
use super::super::tree::{Block, StatementKind};
use super::{Lower, Lowered};

/// A loop or switch that is being lowered.
#[derive(Clone, Debug, Default)]
pub(super) struct Construct {
    pub is_loop: bool,
    /// True if a `break` leaves it.
    pub breaks: bool,
    /// True if an earlier statement continues to its `continuing` block.
    pub continued: bool,
    /// True while its `continuing` block is being lowered.
    pub in_continuing: bool,
    /// Nesting depth of the statements in its body.
    pub depth: usize,
    /// Names declared in its body after a `continue`.
    pub bypassed: Vec<String>,
}

/// If the last statement of a `continuing` is a conditional `break`, returns its condition and the value of the
/// condition that ends the loop.
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

    /// Reports a `return` or `discard` inside a `continuing`.
    pub(super) fn leave(&mut self, what: &str, span: Span) -> Lowered<()> {
        if self.current.constructs.iter().any(|c| c.in_continuing) {
            return self.error(span, format!("`{what}` is in a `continuing`"));
        }
        Ok(())
    }

    /// Records a declaration. A `continuing` cannot use a name that a `continue` skips.
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

    /// Reports a name that is used in a `continuing`, and that a `continue` passes by.
    pub(super) fn check_bypassed(&mut self, name: &str, span: Span) -> Lowered<()> {
        let bypassed =
            self.current.constructs.iter().any(|c| c.in_continuing && c.bypassed.iter().any(|n| n == name));
        if bypassed {
            let message = format!(
                "a `continue` before the declaration of `{name}` passes it by, and it is used in `continuing`"
            );
            return self.error(span, message);
        }
        Ok(())
    }
}

//! Exits of a region, found on the construct tree; emits no code.

use crate::ir::{End, If, Label, Node, Region, Value};

/// Returns true if control may leave a region other than at its end.
pub(super) fn may_leave(region: &Region, inner: &mut Vec<Label>) -> bool {
    let nested = region.nodes.iter().any(|n| {
        let (label, body) = match n {
            Node::Inst(_) => return false,
            Node::If(n) => return may_leave(&n.then, inner) || may_leave(&n.els, inner),
            Node::Block(n) => (n.label, &n.body),
            Node::Loop(n) => (n.label, &n.body),
        };
        inner.push(label);
        let leaves = may_leave(body, inner);
        inner.pop();
        leaves
    });
    nested
        || match &region.end {
            End::Yield(_) => false,
            End::Break(l, _) => !inner.contains(l),
            End::Return | End::Kill | End::Unreachable => true,
        }
}

pub(super) fn node_may_leave(node: &Node) -> bool {
    let mut inner = Vec::new();
    match node {
        Node::Inst(_) => false,
        Node::If(n) => may_leave(&n.then, &mut inner) || may_leave(&n.els, &mut inner),
        Node::Block(n) => {
            inner.push(n.label);
            may_leave(&n.body, &mut inner)
        }
        Node::Loop(n) => {
            inner.push(n.label);
            may_leave(&n.body, &mut inner)
        }
    }
}

/// Calls `f` with the values of each `Break` to a label.
pub(super) fn each_break<'a>(region: &'a Region, label: Label, f: &mut impl FnMut(&'a [Value])) {
    for node in &region.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(n) => {
                each_break(&n.then, label, f);
                each_break(&n.els, label, f);
            }
            Node::Block(n) => each_break(&n.body, label, f),
            Node::Loop(n) => each_break(&n.body, label, f),
        }
    }
    if let End::Break(l, args) = &region.end
        && *l == label
    {
        f(args);
    }
}

/// Returns `Some` if the only effect of a selection is that some lanes leave; the value is true if they leave in the
/// first arm.
pub(super) fn is_guard(n: &If) -> Option<bool> {
    let empty = n.results.is_empty() && n.then.nodes.is_empty() && n.els.nodes.is_empty();
    let leaves = |r: &Region| !matches!(r.end, End::Yield(_));
    match (leaves(&n.then), leaves(&n.els)) {
        (true, false) if empty => Some(true),
        (false, true) if empty => Some(false),
        _ => None,
    }
}

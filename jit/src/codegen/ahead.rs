//! What may be read ahead of where it stands.
//!
//! Uniform loads from memory that nothing writes are made once per call or workgroup (`stage`), before it is
//! known whether an invocation comes to them. That is safe where the descriptor is valid: all are, but those of
//! partially bound bindings only if an invocation uses them. Here those are found which every call uses for sure.
//! Records of descriptors are no matter of this: they can always be read.
//!
//! Spec: Vulkan, VK_DESCRIPTOR_BINDING_PARTIALLY_BOUND_BIT ("dynamically used").

use rustc_hash::FxHashSet;

use crate::ir::{Node, Op, Region, Value};
use crate::passes::uniformity::node_exits;

/// The buffers that every call reads by its own, whatever its data.
pub(super) fn certain(body: &Region) -> FxHashSet<Value> {
    let mut found = FxHashSet::default();
    walk(body, &mut found);
    found
}

/// Adds the buffers that are read before some lanes may be away, and before a loop, which need not end; false
/// if that is not the whole region.
fn walk(region: &Region, found: &mut FxHashSet<Value>) -> bool {
    region.nodes.iter().all(|node| match node {
        Node::Inst(i) => {
            if i.op == Op::LoadBuffer {
                found.insert(i.args[0]);
            }
            true
        }
        Node::If(n) => !leaves(node) && !has_loop(&n.then) && !has_loop(&n.els),
        Node::Block(n) => {
            walk(&n.body, found);
            !leaves(node) && !has_loop(&n.body)
        }
        Node::Loop(n) => {
            walk(&n.body, found);
            false
        }
    })
}

/// Whether lanes may go from a node to elsewhere than its end.
fn leaves(node: &Node) -> bool {
    let mut exits = Vec::new();
    node_exits(node, &mut Vec::new(), &mut exits);
    !exits.is_empty()
}

pub(super) fn has_loop(r: &Region) -> bool {
    r.nodes.iter().any(|n| match n {
        Node::Inst(_) => false,
        Node::If(n) => has_loop(&n.then) || has_loop(&n.els),
        Node::Block(n) => has_loop(&n.body),
        Node::Loop(_) => true,
    })
}

//! Parents of nodes, and the roots of the displayed scene.
//!
//! The specification allows one parent per node. Files with several exist, and other loaders accept them: such a node
//! is placed below each parent, as a copy that shares its animation.

use quadrille::{Error, Result};

use super::access::at;
use super::{Loader, within};
use crate::model::Node;

/// Maximum number of copies. In a small file, every node could double the number of placements.
const MAX_COPIES: usize = 1 << 16;

/// Sets the parents and children of nodes, which are the children as the file lists them, and appends copies.
pub fn link(nodes: &mut Vec<Node>, loader: &mut Loader) -> Result<()> {
    let count = nodes.len();
    let mut parents = vec![0usize; count];
    let mut last = vec![None; count];
    let mut listed: Vec<Vec<usize>> = Vec::with_capacity(count);
    for parent in 0..count {
        let mut children = std::mem::take(&mut nodes[parent].children);
        for child in &children {
            at(nodes, *child, "node").map_err(|e| within(format!("nodes[{parent}]: children"), e))?;
        }
        let all = children.len();
        children.retain(|child| last[*child].replace(parent) != Some(parent));
        if children.len() < all {
            loader.warn(format!("node {parent} lists a child more than once"));
        }
        children.iter().for_each(|child| parents[*child] += 1);
        listed.push(children);
    }
    without_cycles(&listed, &parents)?;
    for node in (0..count).filter(|node| parents[*node] > 1) {
        let parents = parents[node];
        loader.warn(format!("node {node} has {parents} parents; it is placed below each"));
    }
    place(nodes, &listed, &parents, loader)
}

/// Checks that no node is below itself.
fn without_cycles(children: &[Vec<usize>], parents: &[usize]) -> Result<()> {
    let mut left = parents.to_vec();
    let mut open: Vec<usize> = (0..left.len()).filter(|n| left[*n] == 0).collect();
    while let Some(node) = open.pop() {
        for child in &children[node] {
            left[*child] -= 1;
            if left[*child] == 0 {
                open.push(*child);
            }
        }
    }
    match left.iter().position(|left| *left > 0) {
        Some(node) => Err(Error::invalid(format!("node {node} is below itself"))),
        None => Ok(()),
    }
}

/// Walks from the roots, in order. The first placement of a node is the node itself.
fn place(nodes: &mut Vec<Node>, children: &[Vec<usize>], parents: &[usize], loader: &Loader) -> Result<()> {
    let count = nodes.len();
    let mut met = vec![false; count];
    let mut open: Vec<(usize, Option<usize>)> =
        (0..count).rev().filter(|n| parents[*n] == 0).map(|root| (root, None)).collect();
    while let Some((node, parent)) = open.pop() {
        let mut placed = node;
        if std::mem::replace(&mut met[node], true) {
            placed = nodes.len();
            if placed - count == MAX_COPIES {
                return Err(Error::Limit(format!(
                    "nodes with several parents are placed more than {MAX_COPIES} times"
                )));
            }
            let weights = nodes[node].weights.as_ref().map_or(0, Vec::len);
            loader.data.budget.take((size_of::<Node>() + nodes[node].name.len() + 4 * weights) as u64)?;
            nodes.push(Node { copy_of: Some(node), children: Vec::new(), ..nodes[node].clone() });
        }
        nodes[placed].parent = parent;
        if let Some(parent) = parent {
            nodes[parent].children.push(placed);
        }
        open.extend(children[node].iter().rev().map(|child| (*child, Some(placed))));
    }
    Ok(())
}

/// Roots of the displayed scene, which lists valid nodes. A node whose parent is displayed is not a root.
pub fn roots(nodes: &[Node], listed: &[usize], loader: &mut Loader) -> Vec<usize> {
    let mut is_listed = vec![false; nodes.len()];
    let mut roots = Vec::new();
    for &node in listed {
        if std::mem::replace(&mut is_listed[node], true) {
            loader.warn(format!("node {node} is twice in the scene"));
        } else {
            roots.push(node);
        }
    }
    // Nodes below listed ones; each is visited once.
    let mut below = vec![false; nodes.len()];
    let mut open = roots.clone();
    while let Some(node) = open.pop() {
        for &child in &nodes[node].children {
            if !std::mem::replace(&mut below[child], true) {
                open.push(child);
            }
        }
    }
    roots.retain(|&root| {
        if let Some(parent) = nodes[root].parent {
            loader.warn(format!("node {root} of the scene is a child of node {parent}"));
        }
        !below[root]
    });
    roots
}

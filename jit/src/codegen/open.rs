//! Counts the vectors that open constructs carry, a limit that is known before code is generated.

use crate::ir::{Node, Region, Shader, Value};

/// Limit on the vectors that open constructs carry together: a Cranelift block takes at most 65,535 parameters.
pub(super) const MOST: usize = 60_000;

/// Maximum number of vectors that the results and parameters of nested constructs take together.
pub(super) fn vectors(shader: &Shader, region: &Region, lanes: u32) -> usize {
    let of_value = |v: Value| lanes as usize / if crate::lane::is_wide(shader.ty(v)) { 2 } else { 4 };
    let of = |node: &Node| match node {
        Node::Inst(_) => 0,
        Node::If(n) => {
            let inner = [&n.then, &n.els].map(|r| vectors(shader, r, lanes));
            n.results.iter().map(|&v| of_value(v)).sum::<usize>() + inner[0].max(inner[1])
        }
        Node::Block(n) => {
            n.results.iter().map(|&v| of_value(v)).sum::<usize>() + vectors(shader, &n.body, lanes)
        }
        Node::Loop(n) => {
            let params = n.params.iter().map(|p| of_value(p.0)).sum::<usize>();
            let results = n.results.iter().map(|&v| of_value(v)).sum::<usize>();
            params + results + vectors(shader, &n.body, lanes)
        }
    };
    region.nodes.iter().map(of).max().unwrap_or(0)
}

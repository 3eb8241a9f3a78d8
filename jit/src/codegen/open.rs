//! Counts vectors before code is generated: those that open constructs carry, and all.

use crate::budget;
use crate::ir::{Insts, Node, Region, Shader, Value};
use crate::passes::uniformity::Uniformity;

/// Limit on the vectors that open constructs carry together: a Cranelift block takes at most 65,535 parameters.
pub(super) const MOST: usize = 60_000;

/// Vectors of 128 bits that a varying value takes.
fn of_value(shader: &Shader, v: Value, lanes: u32) -> usize {
    lanes as usize / if crate::lane::is_wide(shader.ty(v)) { 2 } else { 4 }
}

/// True if code of the first tier surely has more vectors than fit on the stack ([`budget::is_deep`]). Values of the code that
/// are not results of instructions are left out, so functions that are a little too deep are not noticed.
pub(super) fn is_deep(shader: &Shader, insts: &Insts<'_>, u: &Uniformity, lanes: u32) -> bool {
    let results = insts.iter().flat_map(|i| &i.results).filter(|r| u.varying[r.0 as usize]);
    let count: usize = results.map(|&r| of_value(shader, r, lanes)).sum();
    budget::is_deep(count)
}

/// Maximum number of vectors that the results and parameters of nested constructs take together.
pub(super) fn vectors(shader: &Shader, region: &Region, lanes: u32) -> usize {
    let of_value = |v: Value| of_value(shader, v, lanes);
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

//! Active loops of a lane group and their iteration counts, for the message of a cut recording.

use std::collections::HashMap;

use quadrille_jit::ir::debug::Debug;
use quadrille_jit::ir::{Inst, Loop, Node, Region, Shader, Src};

/// Iteration count of each loop since its entry.
pub struct Rounds {
    /// By the address of the loop, which does not move.
    counts: HashMap<usize, u64>,
    /// Inner loops of each loop.
    inner: HashMap<usize, Vec<usize>>,
}

fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of) as usize
}

/// Calls `each` for every node of a region, with the enclosing loops.
fn walk<'s>(region: &'s Region, around: &mut Vec<&'s Loop>, each: &mut impl FnMut(&'s Node, &[&'s Loop])) {
    for node in &region.nodes {
        each(node, around);
        match node {
            Node::Inst(_) => {}
            Node::If(node) => {
                walk(&node.then, around, each);
                walk(&node.els, around, each);
            }
            Node::Block(node) => walk(&node.body, around, each),
            Node::Loop(node) => {
                around.push(node);
                walk(&node.body, around, each);
                around.pop();
            }
        }
    }
}

impl Rounds {
    /// Starts for a shader of which nothing has run.
    pub fn of(shader: &Shader) -> Rounds {
        let mut inner: HashMap<usize, Vec<usize>> = HashMap::new();
        walk(&shader.body, &mut Vec::new(), &mut |node, around| {
            if let Node::Loop(node) = node {
                for outer in around {
                    inner.entry(address(*outer)).or_default().push(address(&**node));
                }
            }
        });
        Rounds { counts: HashMap::new(), inner }
    }

    /// Begins an iteration of a loop, and resets its inner loops.
    pub fn begin(&mut self, node: &Loop) {
        let of = address(node);
        *self.counts.entry(of).or_default() += 1;
        for inner in self.inner.get(&of).into_iter().flatten() {
            self.counts.remove(inner);
        }
    }

    /// Of the loops around an instruction, the one with the most iterations, with their number.
    fn longest(&self, shader: &Shader, inst: usize) -> Option<(u64, Src)> {
        let mut found = None;
        walk(&shader.body, &mut Vec::new(), &mut |node, around| {
            if let Node::Inst(i) = node
                && address::<Inst>(i) == inst
            {
                let counted = around.iter().map(|l| (self.counts.get(&address(*l)).copied(), l.src));
                found = counted.max_by_key(|(rounds, _)| *rounds);
            }
        });
        found.and_then(|(rounds, src)| Some((rounds?, src)))
    }

    /// Returns `: in iteration 70 of the loop at a.comp:4` if the instruction at this address is in a loop.
    pub fn text(&self, shader: &Shader, debug: &Debug, inst: usize) -> String {
        let Some((rounds, src)) = self.longest(shader, inst) else { return String::new() };
        let place = debug.places.get(src.place as usize).filter(|p| p.line > 0);
        let at = place.map_or_else(String::new, |p| {
            let file = debug.files.get(p.file as usize).map_or("", |f| &f.name);
            format!(" at {file}:{}", p.line)
        });
        format!(": in iteration {rounds} of the loop{at}")
    }
}

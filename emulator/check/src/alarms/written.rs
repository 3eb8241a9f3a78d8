//! Determines from the tree of constructs which variables may be read before they are written, and whether an
//! invocation may end before it has written all outputs.

use quadrille_jit::ir::{
    BuiltIn, End, Imm, Inst, Label, Node, Note, Op, Region, Shader, Slot, Var, each_inst,
};

/// Largest number of scalars of a variable that is followed at run time.
const MAX_SCALARS: usize = 1024;

/// True for each scalar that has been written on every path to the current place.
type Written = Vec<bool>;

struct Survey {
    /// First scalar of each variable, and the total number of scalars. Outputs follow the variables.
    first: Vec<usize>,
    /// True if an invocation may end before it has written an output.
    outputs: bool,
    /// True for each variable with a scalar that may be read before it is written.
    doubtful: Vec<bool>,
    /// Enclosing constructs, each with the scalars written at all exits from it so far.
    around: Vec<(Label, Option<Written>)>,
}

/// Returns for each variable whether a scalar of it may be read before it is written. Returns `None` if such a variable
/// has too many scalars, or if an output may stay unwritten.
pub fn doubtful(shader: &Shader) -> Option<Vec<bool>> {
    let mut first = vec![0];
    for var in &shader.vars {
        first.push(first.last().copied().unwrap_or(0) + var.elems.len());
    }
    let n = first.last().copied().unwrap_or(0);
    let doubtful = vec![false; shader.vars.len()];
    let mut survey = Survey { first, outputs: false, doubtful, around: Vec::new() };
    // These outputs are optional.
    let optional = |slot| {
        use BuiltIn::{ClipDistance, CullDistance, PointSize};
        matches!(slot, Slot::BuiltIn(ClipDistance | CullDistance | PointSize, _))
    };
    let outputs = shader.outputs.iter().map(|o| optional(o.slot));
    survey.region(&shader.body, Some(std::iter::repeat_n(false, n).chain(outputs).collect()));
    if survey.outputs {
        return None;
    }
    let large = |(var, &doubt): (usize, &bool)| doubt && shader.vars[var].elems.len() > MAX_SCALARS;
    (!survey.doubtful.iter().enumerate().any(large)).then_some(survey.doubtful)
}

/// Returns the scalars written on both paths; an unreachable path (`None`) does not count.
fn both(a: Option<Written>, b: Option<Written>) -> Option<Written> {
    match (a, b) {
        (Some(a), Some(b)) => Some(a.into_iter().zip(b).map(|(a, b)| a && b).collect()),
        (a, b) => a.or(b),
    }
}

impl Survey {
    fn scalars(&self, var: Var) -> std::ops::Range<usize> {
        self.first[var.0 as usize]..self.first[var.0 as usize + 1]
    }

    /// Analyzes a region, and returns the scalars that have been written where it yields; `None` if that is
    /// unreachable.
    fn region(&mut self, region: &Region, mut written: Option<Written>) -> Option<Written> {
        for node in &region.nodes {
            written = match node {
                Node::Inst(inst) => {
                    if let Some(written) = &mut written {
                        self.inst(inst, written);
                    }
                    written
                }
                Node::If(node) => {
                    let then = self.region(&node.then, written.clone());
                    let els = self.region(&node.els, written);
                    both(then, els)
                }
                Node::Block(node) => {
                    self.around.push((node.label, None));
                    let end = self.region(&node.body, written);
                    both(end, self.around.pop().and_then(|a| a.1))
                }
                Node::Loop(node) => {
                    // Scalars that the body forgets are unwritten in the next iteration.
                    if let Some(written) = &mut written {
                        each_inst(&node.body, &mut |inst| self.forget(inst, written));
                    }
                    self.around.push((node.label, None));
                    self.region(&node.body, written);
                    self.around.pop().and_then(|a| a.1)
                }
            };
        }
        match &region.end {
            End::Yield(_) => written,
            End::Break(label, _) => {
                if let Some(at) = self.around.iter_mut().rev().find(|a| a.0 == *label) {
                    at.1 = both(at.1.take(), written);
                }
                None
            }
            End::Return => {
                let outputs = self.first.last().copied().unwrap_or(0);
                self.outputs |= written.is_some_and(|written| written[outputs..].contains(&false));
                None
            }
            End::Kill | End::Unreachable => None,
        }
    }

    fn forget(&self, inst: &Inst, written: &mut Written) {
        if let Imm::Note(Note::Fresh(var)) = inst.imm {
            written[self.scalars(var)].fill(false);
        }
    }

    fn inst(&mut self, inst: &Inst, written: &mut Written) {
        self.forget(inst, written);
        match (inst.op, &inst.imm) {
            (Op::Note, &Imm::Note(Note::Zeros(var))) => written[self.scalars(var)].fill(true),
            (Op::VarSet, &Imm::Var { var, elem }) => {
                if let Some(at) = written[self.scalars(var)].get_mut(elem as usize) {
                    *at = true;
                }
            }
            (Op::StoreOutput, &Imm::Slot(output)) => {
                let outputs = self.first.last().copied().unwrap_or(0);
                if let Some(at) = written.get_mut(outputs + output as usize) {
                    *at = true;
                }
            }
            (Op::VarGet, &Imm::Var { var, elem }) => {
                let known = written[self.scalars(var)].get(elem as usize).copied().unwrap_or(true);
                self.doubtful[var.0 as usize] |= !known;
            }
            (Op::VarGetDyn, &Imm::Var { var, .. }) => {
                let known = written[self.scalars(var)].iter().all(|&w| w);
                self.doubtful[var.0 as usize] |= !known;
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_jit::ir::{If, Src, StageKind, Ty, VarDecl};

    fn access(op: Op, var: u32, value: quadrille_jit::ir::Value) -> Node {
        let list = [value].into_iter().collect();
        let none = Default::default();
        let (args, results) = if op == Op::VarSet { (list, none) } else { (none, list) };
        Node::Inst(Inst { op, args, results, imm: Imm::Var { var: Var(var), elem: 0 }, src: Src::default() })
    }

    #[test]
    fn both_arms_have_to_write() {
        let mut shader = Shader::empty(StageKind::default(), "main");
        shader.vars = vec![VarDecl { elems: vec![Ty::F32], name: String::new() }; 2];
        let v = shader.new_value(Ty::F32);
        let cond = shader.new_value(Ty::Bool);
        let arm = |vars: &[u32]| Region {
            nodes: vars.iter().map(|&var| access(Op::VarSet, var, v)).collect(),
            end: End::Yield(Vec::new()),
        };
        let node = If { cond, then: arm(&[0, 1]), els: arm(&[1]), results: Vec::new(), src: Src::default() };
        shader.body.nodes =
            vec![Node::If(Box::new(node)), access(Op::VarGet, 0, v), access(Op::VarGet, 1, v)];
        assert_eq!(doubtful(&shader), Some(vec![true, false]));
        // An arm that does not return does not count.
        let Node::If(node) = &mut shader.body.nodes[0] else { unreachable!() };
        node.els.end = End::Return;
        assert_eq!(doubtful(&shader), Some(vec![false, false]));
    }
}

//! Variables of a few scalars that are indexed dynamically: each access becomes selections between all of them, so that
//! [`super::promote`] makes them values. A few selections are faster than to store the scalars and to gather from them.

use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::{Imm, Inst, Node, Op, Region, Shader, Src, Ty, Value, Var};

/// Maximum number of scalars of such a variable.
const FEW: usize = 4;

/// Replaces the dynamic accesses to small variables in the whole body; returns true if there was one.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn few(shader: &mut Shader) -> Result<bool> {
    let is_small = |elems: &[Ty]| (1..=FEW).contains(&elems.len()) && elems.iter().all(|ty| *ty == elems[0]);
    let small: Vec<Option<Ty>> = shader.vars.iter().map(|v| is_small(&v.elems).then(|| v.elems[0])).collect();
    if small.iter().all(Option::is_none) {
        return Ok(false);
    }
    let mut body = std::mem::take(&mut shader.body);
    let mut f = Few { shader, small, changed: false };
    let result = f.region(&mut body);
    let changed = f.changed;
    shader.body = body;
    result.map(|()| changed)
}

struct Few<'a> {
    shader: &'a mut Shader,
    /// Type of the scalars of each small variable.
    small: Vec<Option<Ty>>,
    changed: bool,
}

impl Few<'_> {
    fn region(&mut self, r: &mut Region) -> Result<()> {
        let mut out = Vec::with_capacity(r.nodes.len());
        for mut node in std::mem::take(&mut r.nodes) {
            crate::budget::work(1)?;
            if let Node::Inst(i) = &node
                && let Some(selected) = self.selected(i)
            {
                out.extend(selected.into_iter().map(Node::Inst));
                self.changed = true;
                continue;
            }
            node.regions_mut().into_iter().try_for_each(|inner| self.region(inner))?;
            out.push(node);
        }
        r.nodes = out;
        Ok(())
    }

    /// The instructions for a dynamic access to a small variable.
    fn selected(&mut self, i: &Inst) -> Option<Vec<Inst>> {
        let (Op::VarGetDyn | Op::VarSetDyn, &Imm::Var { var, elem }) = (i.op, &i.imm) else { return None };
        let ty = self.small[var.0 as usize]?;
        let count = self.shader.vars[var.0 as usize].elems.len() as u32;
        let mut made = Made { shader: self.shader, src: i.src, out: Vec::new() };
        match (i.op, &i.args[..], &i.results[..]) {
            (Op::VarGetDyn, &[index], &[result]) if made.shader.ty(result) == ty => {
                let mut value = made.add(Op::Const, &[], Imm::Bits(0), ty);
                for k in elem..count {
                    let (is, of) = (made.is(index, k - elem), made.get(var, k, ty));
                    value = made.add(Op::Select, &[is, of, value], Imm::None, ty);
                }
                // The last selection defines the result.
                made.out.last_mut()?.results = SmallVec::from_slice(&[result]);
            }
            (Op::VarSetDyn, &[index, value], []) if made.shader.ty(value) == ty => {
                for k in elem..count {
                    let (is, before) = (made.is(index, k - elem), made.get(var, k, ty));
                    let after = made.add(Op::Select, &[is, value, before], Imm::None, ty);
                    made.push(Op::VarSet, &[after], Imm::Var { var, elem: k }, &[]);
                }
            }
            _ => return None,
        }
        Some(made.out)
    }
}

/// Instructions that replace another.
struct Made<'a> {
    shader: &'a mut Shader,
    src: Src,
    out: Vec<Inst>,
}

impl Made<'_> {
    fn push(&mut self, op: Op, args: &[Value], imm: Imm, results: &[Value]) {
        self.out.push(Inst { op, args: args.into(), imm, results: results.into(), src: self.src });
    }

    fn add(&mut self, op: Op, args: &[Value], imm: Imm, ty: Ty) -> Value {
        self.shader.values.push(ty);
        let result = Value(self.shader.values.len() as u32 - 1);
        self.push(op, args, imm, &[result]);
        result
    }

    /// True where an index is a number.
    fn is(&mut self, index: Value, k: u32) -> Value {
        let k = self.add(Op::Const, &[], Imm::Bits(u64::from(k)), Ty::I32);
        self.add(Op::IEq, &[index, k], Imm::None, Ty::Bool)
    }

    fn get(&mut self, var: Var, elem: u32, ty: Ty) -> Value {
        self.add(Op::VarGet, &[], Imm::Var { var, elem }, ty)
    }
}

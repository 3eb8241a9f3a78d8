//! OpenCL.std, one function per instruction that is not one operation per component; the table is in
//! [`crate::spirv::ops`]. Spec: OpenCL Extended Instruction Set, version 1.0.
//!
//! * `common`: common, geometric and relational functions.
//! * `integer`: integers. `memory`: vector loads and stores, printf.
//! * `exact`: exact functions of floats. `math`: powers, logarithms, trigonometry; `gamma`: error and gamma functions.
//! * `double`: exponential, logarithm and sine in 64 bits, from which the functions of narrower floats are made, so that
//!   their error is about half a unit in the last place.

pub mod common;
mod double;
pub mod exact;
pub mod gamma;
pub mod integer;
pub mod math;
pub mod memory;

use super::glsl::{each, operands_of, store_second};
use super::place::Place;
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{self, End, Imm, Node, Op, Region, Ty, Value};
use crate::spirv::types::Type;

/// Checks that all operands are integers of one type.
fn need_ints(lower: &mut Lower<'_>, operands: &[u32]) -> Result<()> {
    need(lower, operands, "integers", Ty::is_int)
}

/// Checks that all operands are floats of one type.
fn need_floats(lower: &mut Lower<'_>, operands: &[u32]) -> Result<()> {
    need(lower, operands, "floats", Ty::is_float)
}

fn need(lower: &mut Lower<'_>, operands: &[u32], what: &str, test: fn(Ty) -> bool) -> Result<()> {
    let mut first = None;
    for &id in operands {
        let list = lower.scalars(id)?;
        let ty = lower.first_ty(&list)?;
        if !test(ty) || *first.get_or_insert(ty) != ty {
            return Err(Error::invalid(format!("operands are not {what} of one type")));
        }
    }
    Ok(())
}

/// The place that an operand points to.
fn target(lower: &mut Lower<'_>, operands: &[u32], i: usize) -> Result<Place> {
    let id = lower.id_at(operands, i)?;
    match lower.module.ty(lower.module.type_of(id)?)? {
        Type::Address { .. } | Type::Pointer { .. } => lower.place(id),
        _ => Err(Error::invalid(format!("operand %{id} is not a pointer"))),
    }
}

impl Lower<'_> {
    /// Repeats `body` on a list of values while `more` holds for them. Returns the last values.
    fn repeat(
        &mut self,
        start: &[Value],
        more: &mut dyn FnMut(&mut Self, &[Value]) -> Value,
        body: &mut dyn FnMut(&mut Self, &[Value]) -> Scalars,
    ) -> Scalars {
        let tys: Vec<Ty> = start.iter().map(|&v| self.ty(v)).collect();
        let var = self.new_var(tys.clone(), "");
        let set = |lower: &mut Self, list: &[Value]| {
            for (i, &v) in list.iter().enumerate() {
                lower.emit(Op::VarSet, &[v], Imm::Var { var, elem: i as u32 }, &[]);
            }
        };
        let get = |lower: &mut Self| -> Scalars {
            tys.iter().enumerate().map(|(i, &ty)| lower.get_var(var, i as u32, ty)).collect()
        };
        set(self, start);
        let (label, src) = (self.new_label(), self.src);
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.loop_depth += 1;
        let now = get(self);
        let goes_on = more(self, &now);
        let leaves = self.breaks(label);
        self.push_if(goes_on, Region::default(), Region { nodes: Vec::new(), end: leaves });
        let next = body(self, &now);
        set(self, &next);
        self.loop_depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        self.forget();
        let body = Region { nodes, end: End::Yield(Vec::new()) };
        let node = ir::Loop { label, params: Vec::new(), body, results: Vec::new(), src };
        self.cur.push(Node::Loop(Box::new(node)));
        get(self)
    }

    pub(super) fn select(&mut self, cond: Value, a: Value, b: Value) -> Value {
        let ty = self.ty(a);
        self.op(Op::Select, ty, &[cond, a, b])
    }
}

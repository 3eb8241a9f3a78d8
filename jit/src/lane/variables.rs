//! Variables: state that crosses branches. Owns their registers and their reuse; how a value lies in vectors is the
//! business of the lane builder itself.

use cranelift_codegen::ir::{Type, types};
use cranelift_frontend::Variable;
use quadrille_wide::intrinsics::Intrinsic;
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::{Lane, LaneBuilder, Parts, Vecs, scalar_type};
use crate::ir::Ty;

/// A mutable variable, for state that crosses branches.
#[derive(Clone, Debug)]
pub struct LaneVar {
    ty: Ty,
    uniform: bool,
    /// `true` if the vectors hold the low bytes of the lanes.
    bytes: bool,
    vars: SmallVec<[Variable; 4]>,
}

impl LaneVar {
    /// Type of the variable's value.
    pub fn ty(&self) -> Ty {
        self.ty
    }

    /// True if the variable holds one scalar for the group.
    pub fn is_uniform(&self) -> bool {
        self.uniform
    }
}

/// Released variables. Cranelift keeps a list of blocks per variable that reaches to the last block that sets it.
/// Without reuse, many variables in many blocks would take quadratic space.
#[derive(Default)]
pub(super) struct Variables {
    free: FxHashMap<Type, Vec<Variable>>,
}

impl LaneBuilder<'_> {
    /// Declares a mutable variable, which must be set before it is read on every path.
    pub fn declare(&mut self, ty: Ty, uniform: bool) -> LaneVar {
        self.declare_as(ty, uniform, false)
    }

    /// Declares a variable for values of type I8 in which [`Self::has_byte_rows`] keeps bytes.
    pub(crate) fn declare_bytes(&mut self) -> LaneVar {
        self.declare_as(Ty::I8, false, self.has_byte_rows())
    }

    fn declare_as(&mut self, ty: Ty, uniform: bool, bytes: bool) -> LaneVar {
        let mut var = LaneVar { ty, uniform, bytes, vars: SmallVec::new() };
        let (t, n) = (self.variable_type(&var), if uniform { 1 } else { self.n_vecs(ty) });
        let free = self.variables.free.entry(t).or_default();
        var.vars.extend((0..n).map(|_| free.pop().unwrap_or_else(|| self.fb.declare_var(t))));
        var
    }

    /// Type of each of a variable's registers.
    fn variable_type(&self, var: &LaneVar) -> Type {
        match (var.uniform, var.bytes) {
            (true, _) => scalar_type(var.ty),
            (false, true) => types::I8X16,
            (false, false) => self.vector_type(var.ty),
        }
    }

    /// Releases a variable for reuse by [`Self::declare`]. The caller must not use it any more.
    pub fn release(&mut self, var: LaneVar) {
        let t = self.variable_type(&var);
        self.variables.free.entry(t).or_default().extend(var.vars);
    }

    /// Reads a variable for the last time, and releases it.
    pub(crate) fn take(&mut self, var: LaneVar) -> Lane {
        let v = self.get(&var);
        self.release(var);
        v
    }

    /// Sets a variable. A uniform variable accepts only uniform values.
    pub fn set(&mut self, var: &LaneVar, value: Lane) {
        debug_assert_eq!(self.ty(value), var.ty);
        if var.uniform {
            let v = self.scalar(value);
            self.fb.def_var(var.vars[0], v);
        } else {
            for (i, v) in self.vecs(value).into_iter().enumerate() {
                let v = if var.bytes { self.bytes_of(v) } else { v };
                self.fb.def_var(var.vars[i], v);
            }
        }
    }

    /// Reads a variable.
    pub fn get(&mut self, var: &LaneVar) -> Lane {
        if var.uniform {
            let v = self.fb.use_var(var.vars[0]);
            self.push(var.ty, Parts::Uniform(v))
        } else {
            let mut v: Vecs = var.vars.iter().map(|&x| self.fb.use_var(x)).collect();
            if var.bytes {
                let words = self.int_vector();
                v.iter_mut().for_each(|v| *v = self.intrinsic(Intrinsic::WidenUnsigned, &[*v], words));
            }
            self.push(var.ty, Parts::Varying(v))
        }
    }
}

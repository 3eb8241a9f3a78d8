//! Private variables that stayed in memory: rows of the group's frame.

use crate::codegen::Gen;
use crate::ir::{Imm, Inst, Op, Ty, Var};
use crate::lane::{ICmp, Lane, is_wide};
use crate::{Error, Result};

/// Maximum size of a group's private variables in memory, in bytes.
const MAX_FRAME: u64 = 128 << 20;

impl Gen<'_, '_, '_> {
    pub(in crate::codegen) fn place_private_variables(&mut self) -> Result<()> {
        let mut used = vec![false; self.shader.vars.len()];
        for i in self.insts.iter() {
            if let Imm::Var { var, .. } = &i.imm {
                used[var.0 as usize] = true;
            }
        }
        let mut bytes = 0u64;
        for (k, var) in self.shader.vars.iter().enumerate() {
            if used[k] {
                self.var_at[k] = Some(bytes as u32);
                bytes += u64::from(self.row_of(Var(k as u32))) * var.elems.len().max(1) as u64;
            }
            if bytes > MAX_FRAME {
                return Err(Error::Limit(format!(
                    "private variables of one group take over {MAX_FRAME} bytes"
                )));
            }
        }
        self.frame_bytes = (bytes as u32).next_multiple_of(64);
        Ok(())
    }

    /// Bytes per row of an element.
    fn row_of(&self, var: Var) -> u32 {
        let wide = self.shader.vars[var.0 as usize].elems.iter().any(|&t| is_wide(t));
        self.b.lanes() * if wide { 8 } else { 4 }
    }

    fn row_load(&mut self, ty: Ty, at: Lane, offset: i32) -> Lane {
        if is_wide(ty) {
            return self.b.load_row(ty, at, offset);
        }
        // Rows hold values in the format of registers.
        if ty == Ty::F16 {
            let w = self.b.load_row(Ty::F32, at, offset);
            return self.b.retype(w, Ty::F16);
        }
        let w = self.b.load_row(Ty::I32, at, offset);
        if ty == Ty::Bool {
            let zero = self.b.u32(0);
            return self.b.icmp(ICmp::Ne, w, zero);
        }
        self.b.word_to(w, ty)
    }

    fn row_store(&mut self, v: Lane, at: Lane, offset: i32) {
        self.b.store_row(v, at, offset);
    }

    /// Byte offset of a variable in the frame.
    pub(in crate::codegen) fn variable_at(&self, var: Var) -> Result<u32> {
        self.var_at[var.0 as usize].ok_or_else(|| Error::Internal("variable without a place".into()))
    }

    pub(in crate::codegen) fn access_variable(&mut self, i: &Inst) -> Result<()> {
        let Imm::Var { var, elem } = i.imm else {
            return Err(Error::Internal(format!("malformed {}", i.op.name())));
        };
        let n = self.shader.vars[var.0 as usize].elems.len() as u32;
        let row = self.row_of(var);
        let base = self.variable_at(var)?;
        let frame = self.env.frame;
        match i.op {
            Op::VarGet => {
                let ty = self.shader.ty(i.results[0]);
                let v = self.row_load(ty, frame, (base + elem * row) as i32);
                self.def(i.results[0], v);
            }
            Op::VarSet => {
                let v = self.val(i.args[0])?;
                let at = (base + elem * row) as i32;
                let v = self.merge_row(v, frame, at);
                self.row_store(v, frame, at);
            }
            Op::VarGetDyn => {
                let ty = self.shader.ty(i.results[0]);
                let index = self.val(i.args[0])?;
                let (safe, ok) = self.element(index, elem, n);
                let at = self.b.offset(frame, i64::from(base));
                let v = self.element_load(ty, at, safe, row);
                let zero = self.b.bits(ty, 0);
                let v = self.b.select(ok, v, zero);
                let v = self.b.splat(v);
                self.def(i.results[0], v);
            }
            Op::VarSetDyn => {
                let index = self.val(i.args[0])?;
                let v = self.val(i.args[1])?;
                let element = self.element(index, elem, n);
                let at = self.b.offset(frame, i64::from(base));
                self.element_store(v, at, element, row);
            }
            _ => {}
        }
        Ok(())
    }

    /// Loads an element of the variable at `at`, whose elements are `row` bytes apart.
    fn element_load(&mut self, ty: Ty, at: Lane, element: Lane, row: u32) -> Lane {
        if self.b.is_uniform(element) {
            let at = self.b.index(at, element, row);
            return self.row_load(ty, at, 0);
        }
        let offset = self.lane_offset(element, row, ty);
        let held = match ty {
            Ty::Bool | Ty::I8 | Ty::I16 => Ty::I32,
            Ty::F16 => Ty::F32,
            _ => ty,
        };
        let v = self.b.gather_access(held, at, offset, false);
        if ty == Ty::Bool {
            let zero = self.b.u32(0);
            return self.b.icmp(ICmp::Ne, v, zero);
        }
        self.b.retype(v, ty)
    }

    /// Stores to an element of the variable at `at`, whose elements are `row` bytes apart, in active lanes whose index
    /// is `ok`.
    fn element_store(&mut self, v: Lane, at: Lane, (element, ok): (Lane, Lane), row: u32) {
        if self.b.is_uniform(element) {
            let at = self.b.index(at, element, row);
            let merged = self.merge_row(v, at, 0);
            let any = self.b.any(ok);
            let merged = self.b.splat(merged);
            self.b.if_(any, |l| l.store_row(merged, at, 0));
            return;
        }
        let ty = self.b.ty(v);
        let offset = self.lane_offset(element, row, ty);
        let m = self.mask();
        let m = self.b.and(m, ok);
        let v = self.b.splat(v);
        let held = match ty {
            Ty::Bool | Ty::I8 | Ty::I16 => self.b.retype(v, Ty::I32),
            Ty::F16 => self.b.retype(v, Ty::F32),
            _ => v,
        };
        let m = self.b.splat(m);
        self.b.scatter(&[(held, 0)], at, offset, m);
    }

    /// The value in active lanes, the contents of memory in all others.
    fn merge_row(&mut self, v: Lane, at: Lane, offset: i32) -> Lane {
        let m = self.mask();
        if self.b.as_const(m) == Some(1) {
            return self.b.splat(v);
        }
        let ty = self.b.ty(v);
        let old = self.b.load_row(ty, at, offset);
        self.b.select(m, v, old)
    }

    /// The element's index, clamped to the variable, and whether it was in range.
    fn element(&mut self, index: Lane, elem: u32, n: u32) -> (Lane, Lane) {
        let index = if self.b.is_uniform(index) { index } else { self.b.splat(index) };
        let last = self.b.u32(n.saturating_sub(1).saturating_sub(elem));
        let safe = self.b.umin(index, last);
        let ok = self.b.icmp(ICmp::Eq, safe, index);
        let e = self.b.u32(elem);
        (self.b.iadd(safe, e), ok)
    }

    /// Byte offset of each lane's scalar in its element's row.
    fn lane_offset(&mut self, element: Lane, row: u32, ty: Ty) -> Lane {
        let row = self.b.u32(row);
        let at = self.b.imul(element, row);
        let width = self.b.u32(if is_wide(ty) { 8 } else { 4 });
        let lane = self.b.lane_index();
        let lane = self.b.imul(lane, width);
        let lane = self.b.splat(lane);
        self.b.iadd(at, lane)
    }
}

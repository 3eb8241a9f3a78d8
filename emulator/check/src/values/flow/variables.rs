//! Undefined values in variables and outputs.

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{Inst, Var};

use super::Values;
use crate::values::surface::Surface;

impl Values {
    /// Reads an element of a variable.
    pub(super) fn get(&mut self, at: &View<'_>, inst: &Inst, var: Var, elem: u32) {
        let (active, result) = (at.active(), inst.results[0]);
        let shadow = &mut self.group(at).shadow;
        let mask = shadow.var_mask(var, u64::from(elem)) & active;
        if mask | shadow.mask(result) & active != 0 {
            for l in lanes(active) {
                let taint = shadow.var(var, u64::from(elem), l);
                shadow.set(result, l, taint);
            }
        }
    }

    /// Writes an element of a variable.
    pub(super) fn set(&mut self, at: &View<'_>, inst: &Inst, var: Var, elem: u32) {
        let shadow = &mut self.group(at).shadow;
        let mask = shadow.var_mask(var, u64::from(elem)) | shadow.mask(inst.args[0]);
        for l in lanes(mask & at.active()) {
            let taint = shadow.get(inst.args[0], l);
            shadow.set_var(var, u64::from(elem), l, taint);
        }
    }

    /// Reads an element that is known only at run time, counted from `elem`.
    pub(super) fn get_element(&mut self, at: &View<'_>, inst: &Inst, var: Var, elem: u32) {
        self.surface_all(at, inst, &inst.args[..1], &Surface::Addresses("an index"));
        let (active, row) = (at.active(), at.row(inst.args[0]));
        let shadow = &mut self.group(at).shadow;
        shadow.clear(inst.results[0], active);
        if shadow.any_of_var(var) {
            for l in lanes(active) {
                let taint = shadow.var(var, u64::from(elem) + row[l], l);
                shadow.set(inst.results[0], l, taint);
            }
        }
    }

    /// Writes an element that is known only at run time, counted from `elem`.
    pub(super) fn set_element(&mut self, at: &View<'_>, inst: &Inst, var: Var, elem: u32) {
        self.surface_all(at, inst, &inst.args[..1], &Surface::Addresses("an index"));
        let (active, row) = (at.active(), at.row(inst.args[0]));
        let shadow = &mut self.group(at).shadow;
        if shadow.any_of_var(var) || shadow.mask(inst.args[1]) & active != 0 {
            for l in lanes(active) {
                let taint = shadow.get(inst.args[1], l);
                shadow.set_var(var, u64::from(elem) + row[l], l, taint);
            }
        }
    }

    /// Writes an output, whose last value surfaces when the lane group ends.
    pub(super) fn store(&mut self, at: &View<'_>, inst: &Inst, output: u32) {
        let (active, output) = (at.active(), output as usize);
        let shadow = &mut self.group(at).shadow;
        let mask = shadow.mask(inst.args[0]) | shadow.output_mask(output);
        for l in lanes(mask & active) {
            let taint = shadow.get(inst.args[0], l);
            shadow.set_output(output, l, taint);
        }
        if mask & active != 0 {
            self.stores.insert(output, inst.src);
        }
    }
}

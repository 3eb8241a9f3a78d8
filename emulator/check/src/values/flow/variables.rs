//! Undefined values in variables and outputs.

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::debug::{Class, Home};
use quadrille_jit::ir::{Inst, Shader, Src, Value, Var};
use rustc_hash::FxHashMap;

use super::Values;
use crate::values::surface::Surface;

/// Places of the last writes of undefined values, for each lane.
#[derive(Default)]
pub(super) struct Places {
    /// Place at which each scalar of a variable was written.
    sets: FxHashMap<(Var, u32, usize), Src>,
    /// Places at which each value was read from a variable, and at which the variable had been written.
    gets: FxHashMap<(Value, usize), (Src, Src)>,
    /// Place at which each output was written.
    stores: FxHashMap<(usize, usize), Src>,
}

impl Places {
    /// Forgets all places.
    pub(super) fn clear(&mut self) {
        self.sets.clear();
        self.gets.clear();
        self.stores.clear();
    }

    /// Returns the place at which an output was written in a lane.
    pub(super) fn store(&self, output: usize, lane: usize) -> Src {
        self.stores.get(&(output, lane)).copied().unwrap_or_default()
    }

    /// Returns the place at which an output is written. An output is a variable that is copied when the invocation ends,
    /// where no line is: the place is that of the last write of the variable, its `home`. The copy does not read the
    /// variable if its value is known.
    fn copy(&self, inst: &Inst, home: Option<(Var, u32)>, lane: usize) -> Src {
        match self.gets.get(&(inst.args[0], lane)) {
            Some(&(read, written)) if read == inst.src => written,
            Some(_) | None if inst.src.line != 0 => inst.src,
            Some(_) | None => {
                let written = home.and_then(|(var, elem)| self.sets.get(&(var, elem, lane)));
                written.copied().unwrap_or(inst.src)
            }
        }
    }
}

/// Returns the scalar of a variable that is copied to an output.
fn home(shader: &Shader, output: usize) -> Option<(Var, u32)> {
    let slot = shader.outputs.get(output)?.slot;
    let variables = shader.debug.iter().flat_map(|d| &d.variables).filter(|v| v.class == Class::Output);
    let mut leaves = variables.filter_map(|v| Some((v, v.slots.iter().position(|&s| s == slot)?)));
    let (variable, leaf) = leaves.next()?;
    match &variable.home {
        &Home::Var { var, elem, .. } => Some((var, elem.saturating_add(leaf as u32))),
        Home::Values(_) | Home::Memory { .. } | Home::Pointer { .. } | Home::Inputs | Home::Elsewhere => None,
    }
}

impl Values {
    /// Reads an element of a variable.
    pub(super) fn get(&mut self, at: &View<'_>, inst: &Inst, var: Var, elem: u32) {
        let (active, result) = (at.active(), inst.results[0]);
        let group = self.group(at);
        let (shadow, places) = (&mut group.shadow, &mut group.places);
        let mask = shadow.var_mask(var, u64::from(elem)) & active;
        if mask | shadow.mask(result) & active != 0 {
            for l in lanes(active) {
                let taint = shadow.var(var, u64::from(elem), l);
                shadow.set(result, l, taint);
                if let Some(&written) = places.sets.get(&(var, elem, l)).filter(|_| taint.is_set()) {
                    places.gets.insert((result, l), (inst.src, written));
                }
            }
        }
    }

    /// Writes an element of a variable.
    pub(super) fn set(&mut self, at: &View<'_>, inst: &Inst, var: Var, elem: u32) {
        let group = self.group(at);
        let mask = group.shadow.var_mask(var, u64::from(elem)) | group.shadow.mask(inst.args[0]);
        for l in lanes(mask & at.active()) {
            let taint = group.shadow.get(inst.args[0], l);
            group.shadow.set_var(var, u64::from(elem), l, taint);
            if taint.is_set() {
                group.places.sets.insert((var, elem, l), inst.src);
            }
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
        let group = self.group(at);
        let (shadow, places) = (&mut group.shadow, &mut group.places);
        if shadow.any_of_var(var) || shadow.mask(inst.args[1]) & active != 0 {
            for l in lanes(active) {
                let (taint, elem) = (shadow.get(inst.args[1], l), u64::from(elem) + row[l]);
                shadow.set_var(var, elem, l, taint);
                if let Some(elem) = u32::try_from(elem).ok().filter(|_| taint.is_set()) {
                    places.sets.insert((var, elem, l), inst.src);
                }
            }
        }
    }

    /// Writes an output, whose last value surfaces when the lane group ends.
    pub(super) fn store(&mut self, at: &View<'_>, inst: &Inst, output: u32) {
        let (active, output) = (at.active(), output as usize);
        let group = self.group(at);
        let mask = (group.shadow.mask(inst.args[0]) | group.shadow.output_mask(output)) & active;
        let home = if mask == 0 { None } else { home(at.shader(), output) };
        for l in lanes(mask) {
            let taint = group.shadow.get(inst.args[0], l);
            group.shadow.set_output(output, l, taint);
            let place = group.places.copy(inst, home, l);
            group.places.stores.insert((output, l), place);
        }
    }
}

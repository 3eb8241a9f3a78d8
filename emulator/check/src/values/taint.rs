//! Tracks which values of a lane group are undefined, and why, in a shadow of the interpreter's rows.

use quadrille_jit::interp::watch::lanes;
use quadrille_jit::ir::{Shader, Value, Var};

/// Reason why a value is undefined: 0 if it is defined, else the number of its origin and a flag for values that stay
/// undefined even if they become finite again.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Taint(u32);

impl Taint {
    const HARD: u32 = 1 << 31;

    /// Creates a taint with this origin. A `hard` taint applies to any value; a soft one marks a NaN or an infinity, or
    /// a value made from one.
    pub fn new(origin: usize, hard: bool) -> Taint {
        Taint((origin as u32 + 1) & !Self::HARD | if hard { Self::HARD } else { 0 })
    }

    /// True if the value is undefined.
    pub fn is_set(self) -> bool {
        self.0 != 0
    }

    /// True if the value is undefined whatever its bits are.
    pub fn is_hard(self) -> bool {
        self.0 & Self::HARD != 0
    }

    /// Index of its origin.
    pub fn origin(self) -> usize {
        ((self.0 & !Self::HARD) as usize).saturating_sub(1)
    }

    /// Returns the taint as a hard one, if it is set.
    pub fn hardened(self) -> Taint {
        if self.is_set() { Taint(self.0 | Self::HARD) } else { self }
    }
}

/// Shadow of a list of rows. Most rows have no tainted lane and cost only a mask.
#[derive(Clone, Debug, Default)]
struct Rows {
    masks: Vec<u32>,
    taints: Vec<Taint>,
    lanes: usize,
}

impl Rows {
    fn new(rows: usize, lanes: usize) -> Rows {
        Rows { masks: vec![0; rows], taints: vec![Taint::default(); rows * lanes], lanes }
    }

    fn mask(&self, row: usize) -> u32 {
        self.masks.get(row).copied().unwrap_or(0)
    }

    fn get(&self, row: usize, lane: usize) -> Taint {
        if self.mask(row) >> lane & 1 == 0 {
            return Taint::default();
        }
        self.taints.get(row * self.lanes + lane).copied().unwrap_or_default()
    }

    fn set(&mut self, row: usize, lane: usize, taint: Taint) {
        let Some(mask) = self.masks.get_mut(row) else { return };
        if taint.is_set() {
            *mask |= 1 << lane;
            self.taints[row * self.lanes + lane] = taint;
        } else {
            *mask &= !(1 << lane);
        }
    }

    fn clear(&mut self, row: usize, lanes: u32) {
        if let Some(mask) = self.masks.get_mut(row) {
            *mask &= !lanes;
        }
    }
}

/// The shadow of a lane group.
#[derive(Clone, Debug, Default)]
pub struct Shadow {
    values: Rows,
    vars: Rows,
    /// First scalar of each variable.
    first: Vec<usize>,
    outputs: Rows,
}

impl Shadow {
    /// Creates a shadow without taints.
    pub fn new(shader: &Shader, lanes: usize) -> Shadow {
        let mut n = 0;
        let first = shader.vars.iter().map(|v| {
            n += v.elems.len();
            n - v.elems.len()
        });
        let first = first.collect();
        let (values, outputs) = (shader.values.len(), shader.outputs.len());
        Shadow {
            values: Rows::new(values, lanes),
            vars: Rows::new(n, lanes),
            first,
            outputs: Rows::new(outputs, lanes),
        }
    }

    /// Clears all taints, except those of values that are the same for the whole shader.
    pub fn restart(&mut self) {
        self.values.masks.fill(0);
        self.vars.masks.fill(0);
        self.outputs.masks.fill(0);
    }

    /// Returns the lanes in which a value is tainted.
    pub fn mask(&self, v: Value) -> u32 {
        self.values.mask(v.0 as usize)
    }

    /// Returns the taint of a value in a lane.
    pub fn get(&self, v: Value, lane: usize) -> Taint {
        self.values.get(v.0 as usize, lane)
    }

    /// Sets the taint of a value in a lane.
    pub fn set(&mut self, v: Value, lane: usize, taint: Taint) {
        self.values.set(v.0 as usize, lane, taint);
    }

    /// Clears the taint of a value in these lanes.
    pub fn clear(&mut self, v: Value, lanes: u32) {
        self.values.clear(v.0 as usize, lanes);
    }

    /// Copies the taints of values in these lanes, all simultaneously.
    pub fn copy(&mut self, from: &[Value], to: &[Value], active: u32) {
        if from.iter().chain(to).all(|&v| self.mask(v) & active == 0) {
            return;
        }
        let read: Vec<Vec<Taint>> =
            from.iter().map(|&v| lanes(active).map(|l| self.get(v, l)).collect()).collect();
        for (&v, row) in to.iter().zip(&read) {
            for (l, &taint) in lanes(active).zip(row) {
                self.set(v, l, taint);
            }
        }
    }

    fn var_row(&self, var: Var, elem: u64) -> Option<usize> {
        let first = *self.first.get(var.0 as usize)?;
        let end = self.first.get(var.0 as usize + 1).copied().unwrap_or(self.vars.masks.len());
        let row = first.checked_add(usize::try_from(elem).ok()?)?;
        (row < end).then_some(row)
    }

    /// Returns the taint of an element of a variable in a lane.
    pub fn var(&self, var: Var, elem: u64, lane: usize) -> Taint {
        self.var_row(var, elem).map_or_else(Taint::default, |row| self.vars.get(row, lane))
    }

    /// Sets the taint of an element of a variable in a lane.
    pub fn set_var(&mut self, var: Var, elem: u64, lane: usize, taint: Taint) {
        if let Some(row) = self.var_row(var, elem) {
            self.vars.set(row, lane, taint);
        }
    }

    /// Returns the lanes in which an element of a variable is tainted.
    pub fn var_mask(&self, var: Var, elem: u64) -> u32 {
        self.var_row(var, elem).map_or(0, |row| self.vars.mask(row))
    }

    /// True if any element of a variable is tainted.
    pub fn any_of_var(&self, var: Var) -> bool {
        let first = self.first.get(var.0 as usize).copied().unwrap_or(0);
        let end = self.first.get(var.0 as usize + 1).copied().unwrap_or(self.vars.masks.len());
        self.vars.masks.get(first..end).is_some_and(|masks| masks.iter().any(|&m| m != 0))
    }

    /// Returns the taint of an output in a lane.
    pub fn output(&self, output: usize, lane: usize) -> Taint {
        self.outputs.get(output, lane)
    }

    /// Sets the taint of an output in a lane.
    pub fn set_output(&mut self, output: usize, lane: usize, taint: Taint) {
        self.outputs.set(output, lane, taint);
    }

    /// Returns the lanes in which an output is tainted.
    pub fn output_mask(&self, output: usize) -> u32 {
        self.outputs.mask(output)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use quadrille_jit::ir::{StageKind, Ty, VarDecl};

    #[test]
    fn taints_are_what_they_were_made_of() {
        assert!(!Taint::default().is_set() && !Taint::default().hardened().is_set());
        let soft = Taint::new(5, false);
        assert!(soft.is_set() && !soft.is_hard() && soft.origin() == 5);
        let hard = soft.hardened();
        assert!(hard.is_hard() && hard.origin() == 5 && hard == Taint::new(5, true));
        assert!(Taint::new(0, false).is_set());
    }

    #[test]
    fn shadows_follow_copies_and_variables() {
        let mut shader = Shader::empty(StageKind::default(), "main");
        let (a, b) = (shader.new_value(Ty::F32), shader.new_value(Ty::F32));
        let decl = |n| VarDecl { elems: vec![Ty::F32; n], name: String::new() };
        shader.vars = vec![decl(2), decl(3)];
        let mut shadow = Shadow::new(&shader, 8);
        let taint = Taint::new(1, false);
        shadow.set(a, 3, taint);
        assert_eq!((shadow.mask(a), shadow.get(a, 3), shadow.get(a, 2)), (8, taint, Taint::default()));
        // A simultaneous swap.
        shadow.copy(&[a, b], &[b, a], 0xff);
        assert_eq!((shadow.mask(a), shadow.mask(b)), (0, 8));
        shadow.copy(&[a], &[b], 0xf0);
        assert_eq!(shadow.mask(b), 8);
        shadow.set_var(Var(1), 2, 0, taint);
        shadow.set_var(Var(0), 2, 0, taint);
        assert_eq!((shadow.var(Var(1), 2, 0), shadow.var(Var(1), 0, 0)), (taint, Taint::default()));
        assert!(shadow.any_of_var(Var(1)) && !shadow.any_of_var(Var(0)));
        shadow.restart();
        assert!(!shadow.any_of_var(Var(1)) && shadow.mask(b) == 0);
    }
}

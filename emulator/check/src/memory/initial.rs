//! What nobody wrote: variables and workgroup memory. What is read of them is undefined, which is no mistake before
//! it surfaces: copies of structures take along what was never set.

use quadrille_jit::interp::watch::{AccessKind, MemoryAccess, Space, View, lanes};
use quadrille_jit::ir::{AtomicOp, Imm, Inst, Note, Op, Shader, Value, Var};

use super::{Memory, names};
use crate::kind::Kind;
use crate::values::Values;

/// What has been written so far.
#[derive(Default)]
pub struct Initial {
    /// First scalar of each variable.
    first: Vec<usize>,
    /// Of each lane group, lanes in which each scalar of variables has been written.
    groups: Vec<Vec<u32>>,
    /// Bytes of workgroup memory that have been written.
    shared: Vec<bool>,
    /// Results of the load at hand that nobody wrote.
    unwritten: Vec<(Value, u32, String)>,
}

impl Initial {
    /// A unit begins: workgroup memory is new.
    pub fn unit(&mut self) {
        self.shared.fill(false);
    }

    /// A lane group begins: its variables are new.
    pub fn start(&mut self, at: &View<'_>) {
        let shader = at.shader();
        if self.first.is_empty() {
            let mut n = 0;
            for var in &shader.vars {
                self.first.push(n);
                n += var.elems.len();
            }
            self.first.push(n);
            self.shared = vec![false; shader.shared_size as usize];
        }
        let number = at.group() as usize;
        if self.groups.len() <= number {
            self.groups.resize_with(number + 1, Vec::new);
        }
        let n = self.first.last().copied().unwrap_or(0);
        self.groups[number].clear();
        self.groups[number].resize(n, 0);
    }

    fn scalars(&self, var: Var) -> std::ops::Range<usize> {
        let at = |i: usize| self.first.get(i).copied().unwrap_or(0);
        at(var.0 as usize)..at(var.0 as usize + 1)
    }

    /// The mask of a scalar of a variable.
    fn mask(&mut self, at: &View<'_>, var: Var, elem: u64) -> Option<&mut u32> {
        let scalars = self.scalars(var);
        let scalar = scalars.start.checked_add(usize::try_from(elem).ok()?)?;
        self.groups.get_mut(at.group() as usize)?.get_mut(scalar).filter(|_| scalar < scalars.end)
    }

    /// What the module says of variables.
    pub fn note(&mut self, at: &View<'_>, note: Note) {
        let scalars = match note {
            Note::Fresh(var) | Note::Zeros(var) => self.scalars(var),
            Note::SharedZeros { offset, size } => return self.write_shared(u64::from(offset), size),
            _ => return,
        };
        let Some(group) = self.groups.get_mut(at.group() as usize) else { return };
        for mask in group.get_mut(scalars).unwrap_or_default() {
            match note {
                Note::Fresh(_) => *mask &= !at.active(),
                _ => *mask |= at.active(),
            }
        }
    }

    fn write_shared(&mut self, offset: u64, bytes: u32) {
        let from = offset.min(self.shared.len() as u64) as usize;
        let to = (from + bytes as usize).min(self.shared.len());
        self.shared[from..to].fill(true);
    }

    fn is_written(&self, offset: u64, bytes: u32) -> bool {
        let from = offset.min(self.shared.len() as u64) as usize;
        let to = (from + bytes as usize).min(self.shared.len());
        self.shared[from..to].iter().all(|&b| b)
    }

    /// Results of a load that nobody wrote are undefined.
    pub fn poison(&mut self, at: &View<'_>, inst: &Inst, values: &mut Values) {
        for (value, mask, name) in std::mem::take(&mut self.unwritten) {
            let message = format!("`{name}` is read, and nothing has been written there");
            let report = Memory::report(at, inst, Kind::UninitializedWorkgroup, message).about(name);
            values.poison(at, inst, value, mask, &report);
        }
    }
}

impl Memory {
    /// An instruction has accessed a variable.
    pub(super) fn variable(&mut self, at: &View<'_>, inst: &Inst, values: &mut Values) {
        let &Imm::Var { var, elem } = &inst.imm else { return };
        let active = at.active();
        let dynamic = matches!(inst.op, Op::VarGetDyn | Op::VarSetDyn);
        let place = |l: usize| match dynamic {
            true => u64::from(elem) + at.row(inst.args[0])[l],
            false => u64::from(elem),
        };
        if matches!(inst.op, Op::VarSet | Op::VarSetDyn) {
            if !dynamic {
                if let Some(mask) = self.initial.mask(at, var, u64::from(elem)) {
                    *mask |= active;
                }
                return;
            }
            for l in lanes(active) {
                if let Some(mask) = self.initial.mask(at, var, place(l)) {
                    *mask |= 1 << l;
                }
            }
            return;
        }
        let mut unwritten = 0;
        if dynamic {
            for l in lanes(active) {
                let written = self.initial.mask(at, var, place(l)).is_none_or(|m| *m >> l & 1 == 1);
                unwritten |= u32::from(!written) << l;
            }
        } else if let Some(mask) = self.initial.mask(at, var, u64::from(elem)) {
            unwritten = active & !*mask;
        }
        // What was copied there undefined is undefined for its own reason.
        unwritten &= !values.undefined(at, inst.results[0]);
        if unwritten != 0 {
            let lane = unwritten.trailing_zeros() as usize;
            let name = variable_name(at.shader(), var, place(lane) as u32);
            let message = format!("{name} is read before anything is written to it");
            let report = Self::report(at, inst, Kind::UninitializedVariable, message).about(name);
            values.poison(at, inst, inst.results[0], unwritten, &report);
        }
    }

    /// An instruction has accessed memory: of workgroup memory it is noted what is written.
    pub(super) fn initial_access(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {
        if access.space != Space::Workgroup {
            return;
        }
        let reads = !matches!(
            access.kind,
            AccessKind::Write | AccessKind::Atomic(AtomicOp::Store | AtomicOp::Exchange)
        );
        let writes = !matches!(access.kind, AccessKind::Read | AccessKind::Atomic(AtomicOp::Load));
        let atomic = matches!(access.kind, AccessKind::Atomic(_));
        for touch in access.touches().filter(|t| t.inside) {
            if reads && !self.initial.is_written(touch.offset, touch.bytes) {
                let names = self.names.clone();
                let name = names.member(at, inst, access, &touch).unwrap_or("workgroup memory".into());
                if atomic {
                    let kind = Kind::UninitializedWorkgroup;
                    let key = (std::ptr::from_ref(inst).addr(), 0, kind);
                    self.pending.add(at, touch.lane, key, || {
                        let message =
                            format!("`{name}` is read by an atomic, and nothing has been written there");
                        Self::report(at, inst, kind, message).about(name)
                    });
                } else {
                    let value = access.values[touch.scalar];
                    let known = self.initial.unwritten.iter_mut().find(|u| u.0 == value);
                    match known {
                        Some(known) => known.1 |= 1 << touch.lane,
                        None => self.initial.unwritten.push((value, 1 << touch.lane, name)),
                    }
                }
            }
            if writes {
                self.initial.write_shared(touch.offset, touch.bytes);
            }
        }
    }
}

fn variable_name(shader: &Shader, var: Var, elem: u32) -> String {
    match names::variable(shader, var, elem) {
        name if name.is_empty() => "a variable".into(),
        name => format!("`{name}`"),
    }
}

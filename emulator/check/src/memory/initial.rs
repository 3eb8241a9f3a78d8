//! Tracks unwritten variables, workgroup memory, buffers and images. Values read from these are undefined, which is an
//! error only if they surface: copies of structures include unset members.

use std::sync::Arc;

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::interp::watch::Texels;
use quadrille_jit::interp::watch::{
    AccessKind, MemoryAccess, Range, Space, Touch, View, end_of_access, lanes,
};
use quadrille_jit::ir::{AtomicOp, ImageDim, ImageOp, ImageOpKind, Imm, Inst, LodMode, Note, Op, Value, Var};
use rustc_hash::FxHashSet;

use super::bounds::key;
use super::{Memory, names};
use crate::crossing::{Crosses, frames};
use crate::kind::Kind;
use crate::place;
use crate::report::{Report, root};
use crate::values::Values;

/// State of what has been written.
#[derive(Default)]
pub struct Initial {
    /// First scalar of each variable.
    first: Vec<usize>,
    /// For each lane group and scalar: lanes in which it has been written.
    groups: Vec<Vec<u32>>,
    /// Addresses of texel records of the views that show some written memory.
    shown: FxHashSet<usize>,
    /// True for each byte of workgroup memory that has been written.
    shared: Vec<bool>,
    /// Unwritten results of the current load.
    unwritten: Vec<Unwritten>,
}

/// An unwritten result of a load.
struct Unwritten {
    value: Value,
    lanes: u32,
    kind: Kind,
    /// Name of the accessed part, and of its variable.
    name: String,
    variable: String,
}

impl Initial {
    /// Starts a unit with fresh workgroup memory.
    pub fn unit(&mut self) {
        self.shared.fill(false);
    }

    /// Starts a lane group with fresh variables.
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

    /// Returns the lane mask of a scalar of a variable.
    fn mask(&mut self, at: &View<'_>, var: Var, elem: u64) -> Option<&mut u32> {
        let scalars = self.scalars(var);
        let scalar = scalars.start.checked_add(usize::try_from(elem).ok()?)?;
        self.groups.get_mut(at.group() as usize)?.get_mut(scalar).filter(|_| scalar < scalars.end)
    }

    /// Returns the lanes in which a scalar of a variable has been written.
    pub fn written(&self, at: &View<'_>, var: Var, elem: u32) -> u32 {
        let scalar = self.scalars(var).start + elem as usize;
        self.groups.get(at.group() as usize).and_then(|g| g.get(scalar)).copied().unwrap_or(u32::MAX)
    }

    /// Marks a scalar of a variable as unwritten in these lanes.
    pub fn unwrite(&mut self, at: &View<'_>, var: Var, elem: u32, lanes: u32) {
        if let Some(mask) = self.mask(at, var, u64::from(elem)) {
            *mask &= !lanes;
        }
    }

    /// Processes a note about variables.
    pub fn note(&mut self, at: &View<'_>, note: Note) {
        let (var, is_written) = match note {
            Note::Fresh(var) => (var, false),
            Note::Zeros(var) => (var, true),
            Note::SharedZeros { offset, size } => return self.write_shared(u64::from(offset), size),
            // Values and control flow, and the order and the operands of accesses.
            Note::Partial(_)
            | Note::Undef
            | Note::Index { .. }
            | Note::UniformIndex
            | Note::MaximallyReconverges
            | Note::Order(_)
            | Note::Operands(_)
            | Note::Interlock { .. }
            | Note::Aligned(_)
            | Note::GroupCopy
            | Note::GroupWait
            | Note::Copied
            | Note::Cooperates { .. }
            | Note::Private { .. }
            | Note::Leaves => return,
        };
        let scalars = self.scalars(var);
        let Some(group) = self.groups.get_mut(at.group() as usize) else { return };
        for mask in group.get_mut(scalars).unwrap_or_default() {
            match is_written {
                true => *mask |= at.active(),
                false => *mask &= !at.active(),
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

    /// Marks the unwritten results of a load as undefined.
    pub fn poison(&mut self, at: &View<'_>, inst: &Inst, values: &mut Values) {
        for Unwritten { value, lanes, kind, name, variable } in self.unwritten.drain(..) {
            let message = match kind {
                Kind::UnsetPushConstant => format!("{name} is read, but no command has set it"),
                _ => format!("{name} is read, but nothing has been written there"),
            };
            let report = place::report_op(at, inst, kind, message).about(variable);
            values.poison(at, inst, value, lanes, &report);
        }
    }
}

impl Memory {
    /// Called after an instruction has accessed a variable.
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
        // A value that is only copied to an output, or passed to a shader, matters only if it is read there.
        let copied = inst.results[0];
        if self.outputs.copies.contains(&copied) || self.crossing.passes(copied) {
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
        // If the stored value was undefined, it has another cause.
        unwritten &= !values.undefined(at, inst.results[0]);
        if unwritten != 0 {
            let lane = unwritten.trailing_zeros() as usize;
            let name = self.variable_name(at, var, place(lane) as u32, lane);
            let (kind, why) = match self.crossing.crosses(var) {
                None => (Kind::UninitializedVariable, "before anything is written to it"),
                Some(Crosses::Payload) => (Kind::UnwrittenPayload, "but no shader has written it"),
                Some(Crosses::Attribute) => {
                    (Kind::UnwrittenHitAttribute, "but the intersection shader has not written it")
                }
            };
            let comma = if kind == Kind::UninitializedVariable { "" } else { "," };
            let report = place::report_op(at, inst, kind, format!("{name} is read{comma} {why}"));
            let caller = frames::caller().filter(|_| kind != Kind::UninitializedVariable);
            let report = caller.into_iter().fold(report.about(name.trim_matches('`')), Report::other);
            values.poison(at, inst, inst.results[0], unwritten, &report);
        }
    }

    /// Names a scalar of a variable that a lane has not written. The name is that of the whole variable if none of it
    /// has been written and it is not an array.
    fn variable_name(&mut self, at: &View<'_>, var: Var, elem: u32, lane: usize) -> String {
        let name = names::variable(at.shader(), var, elem);
        if name.is_empty() {
            return "a variable".into();
        }
        let n = self.initial.scalars(var).len() as u32;
        let none = (0..n).all(|elem| self.initial.written(at, var, elem) >> lane & 1 == 0);
        match none && !name.contains('[') {
            true => format!("`{}`", root(&name)),
            false => format!("`{name}`"),
        }
    }

    /// Called after a memory access: marks written bytes, and finds unwritten ones.
    pub(super) fn initial_access(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {
        let reads = reads(access.kind);
        let writes = !matches!(access.kind, AccessKind::Read | AccessKind::Atomic(AtomicOp::Load));
        for touch in access.touches().filter(|t| t.inside) {
            let bytes = Range { base: touch.range.base.wrapping_add(touch.offset), size: touch.bytes.into() };
            let shared = access.space == Space::Workgroup;
            if reads {
                let push = at.push_constants();
                let (kind, written) = match shared {
                    true => {
                        (Kind::UninitializedWorkgroup, self.initial.is_written(touch.offset, touch.bytes))
                    }
                    false if push.size != 0 && push.base == touch.range.base => {
                        let end = end_of_access(touch.offset, touch.bytes);
                        (Kind::UnsetPushConstant, end <= u64::from(self.pushed))
                    }
                    false => (Kind::UninitializedBuffer, self.lookup.has_all(bytes)),
                };
                if !written {
                    self.unwritten(at, inst, access, (&touch, kind));
                }
            }
            match shared {
                true if writes => self.initial.write_shared(touch.offset, touch.bytes),
                false if writes => self.lookup.mark(bytes),
                _ => {}
            }
        }
    }

    /// Records a read of unwritten memory.
    fn unwritten(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        access: &MemoryAccess<'_>,
        (touch, kind): (&Touch, Kind),
    ) {
        // Accesses with an index out of bounds have been reported once.
        if self.has_bad_index(at, inst, touch.lane) {
            return;
        }
        let value = access.values.get(touch.scalar).copied();
        let atomic = matches!(access.kind, AccessKind::Atomic(_));
        if let Some(known) = self.initial.unwritten.iter_mut().find(|u| !atomic && Some(u.value) == value) {
            known.lanes |= 1 << touch.lane;
            return;
        }
        let names = self.names.clone();
        let (name, variable) = match names.member(at, inst, access, touch) {
            Some(name) => (format!("`{name}`"), name),
            None if access.space == Space::Workgroup => {
                ("workgroup memory".into(), "workgroup memory".into())
            }
            None => {
                let what = names.memory(at, inst, access, touch);
                (format!("{what} at byte {}", touch.offset), what)
            }
        };
        match value {
            Some(value) if !atomic => {
                let lanes = 1 << touch.lane;
                self.initial.unwritten.push(Unwritten { value, lanes, kind, name, variable });
            }
            _ => {
                let key = key(at, inst, Some(&variable), kind);
                self.pending.add(at, touch.lane, key, || {
                    let message = format!("{name} is read by an atomic, but nothing has been written there");
                    place::report_op(at, inst, kind, message).about(variable)
                });
            }
        }
    }

    /// Called after an instruction has accessed texels. A sampler may read any texel, so the access is valid if
    /// anything that the view shows has been written.
    pub(super) fn initial_image(&mut self, at: &View<'_>, inst: &Inst, op: &ImageOp, args: &ImageArgs) {
        let access = match op.kind {
            ImageOpKind::Fetch | ImageOpKind::Read | ImageOpKind::Sample | ImageOpKind::Gather => {
                AccessKind::Read
            }
            ImageOpKind::Write => AccessKind::Write,
            ImageOpKind::Atomic(op) => AccessKind::Atomic(op),
            _ => return,
        };
        let Some(texels) = self.lookup.view(args.view.addr() as u64) else { return };
        let whole =
            matches!(op.kind, ImageOpKind::Sample | ImageOpKind::Gather) || op.dim == ImageDim::SubpassData;
        let mut unwritten = 0;
        if whole {
            unwritten = if self.shows_anything(&texels) { 0 } else { args.mask };
        }
        for lane in lanes(if whole { 0 } else { args.mask }) {
            let Some(bytes) = texel(&texels, op, args, lane) else { continue };
            if reads(access) && !self.lookup.has_all(bytes) {
                unwritten |= 1 << lane;
            }
            if access != AccessKind::Read {
                self.lookup.mark(bytes);
            }
        }
        if unwritten == 0 {
            return;
        }
        let lane = unwritten.trailing_zeros() as usize;
        let kind = Kind::UninitializedImage;
        let what = self.names.resource("image", inst.args[0], at, lane);
        if access == AccessKind::Read {
            let name = if whole { what.clone() } else { format!("{} of {what}", place(op, args, lane)) };
            let all = inst.results.iter().map(|&value| Unwritten {
                value,
                lanes: unwritten,
                kind,
                name: name.clone(),
                variable: what.clone(),
            });
            self.initial.unwritten.extend(all);
            return;
        }
        let told = unwritten & !at.helpers();
        for lane in lanes(told) {
            self.pending.add(at, lane, key(at, inst, Some(&what), kind), || {
                let texel = place(op, args, lane);
                let message =
                    format!("{texel} of {what} is read by an atomic, but nothing has been written there");
                place::report_op(at, inst, kind, message).about(what.clone())
            });
        }
    }

    /// True if anything that a view shows has been written.
    fn shows_anything(&mut self, texels: &Arc<Texels>) -> bool {
        let record = Arc::as_ptr(texels).addr();
        if self.initial.shown.contains(&record) {
            return true;
        }
        let any = texels.parts().any(|part| self.lookup.has_any(part));
        if any {
            self.initial.shown.insert(record);
        }
        any
    }
}

/// True if an access reads the previous contents.
fn reads(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Write | AccessKind::Atomic(AtomicOp::Store | AtomicOp::Exchange))
}

/// Returns the coordinates of a single texel in a lane, the layer last, and the number of coordinates.
fn coordinates(op: &ImageOp, args: &ImageArgs, lane: usize) -> ([u32; 4], usize) {
    let n = op.dim.coords() as usize;
    let moved = |c: usize| if op.offset && c < n { args.offset[c][lane] } else { 0 };
    (std::array::from_fn(|c| args.coord[c][lane].wrapping_add(moved(c))), n + usize::from(op.arrayed))
}

/// Returns the bytes of the texel that a lane accesses, if it exists.
pub fn texel(texels: &Texels, op: &ImageOp, args: &ImageArgs, lane: usize) -> Option<Range> {
    let (at, _) = coordinates(op, args, lane);
    let level = if op.lod == LodMode::Explicit { args.lod[lane] } else { 0 };
    let sample = if op.multisampled { args.sample[lane] } else { 0 };
    let (layer, [x, y, z]) = match op.dim {
        ImageDim::D1 | ImageDim::Buffer => (if op.arrayed { at[1] } else { 0 }, [at[0], 0, 0]),
        ImageDim::D2 | ImageDim::SubpassData => (if op.arrayed { at[2] } else { 0 }, [at[0], at[1], 0]),
        ImageDim::Cube => (at[2], [at[0], at[1], 0]),
        ImageDim::D3 => (0, [at[0], at[1], at[2]]),
    };
    texels.texel(level, layer, [x, y, z], sample)
}

/// Names a texel by its coordinates.
fn place(op: &ImageOp, args: &ImageArgs, lane: usize) -> String {
    let (at, n) = coordinates(op, args, lane);
    let list: Vec<String> = at[..n.min(4)].iter().map(u32::to_string).collect();
    format!("texel ({})", list.join(", "))
}

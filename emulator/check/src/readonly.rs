//! Finds writes to resources and members that the module declares as not written. GLSL compilers refuse such writes,
//! but SPIR-V can contain them.

use std::collections::BTreeMap;

use quadrille_jit::interp::watch::{AccessKind, MemoryAccess, View};
use quadrille_jit::ir::{AtomicOp, ImageOp, ImageOpKind, Inst, Shader};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::kind::Kind;
use crate::memory::{Memory, key};
use crate::pending::Pending;

// Numbers of SPIR-V instructions and decorations.
const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_RUNTIME_ARRAY: u32 = 29;
const OP_TYPE_POINTER: u32 = 32;
const OP_FUNCTION: u32 = 54;
const OP_VARIABLE: u32 = 59;
const OP_DECORATE: u32 = 71;
const OP_MEMBER_DECORATE: u32 = 72;
const NON_WRITABLE: u32 = 24;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;
const OFFSET: u32 = 35;

/// Read-only part of a binding.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Part {
    All,
    /// Offsets of members, with `true` for read-only ones.
    Members(BTreeMap<u64, bool>),
}

/// Read-only parts of a shader's resources, as its module declares them.
#[derive(Debug, Default)]
pub struct ReadOnly(FxHashMap<(u32, u32), Part>);

impl ReadOnly {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> ReadOnly {
        shader.debug.as_ref().map_or_else(ReadOnly::default, |debug| ReadOnly::of_words(&debug.words))
    }

    /// Analyzes a valid module.
    fn of_words(words: &[u32]) -> ReadOnly {
        let (mut sets, mut bindings) = (FxHashMap::default(), FxHashMap::default());
        let mut non_writable = FxHashSet::default();
        let mut members: FxHashMap<u32, FxHashMap<u32, (u64, bool)>> = FxHashMap::default();
        let (mut inner, mut variables) = (FxHashMap::default(), Vec::new());
        let mut rest = words.get(5..).unwrap_or_default();
        while let Some(&first) = rest.first() {
            let (inst, after) = rest.split_at(((first >> 16) as usize).clamp(1, rest.len()));
            rest = after;
            match (first & 0xffff, inst.get(1..).unwrap_or_default()) {
                (OP_FUNCTION, _) => break,
                (OP_DECORATE, &[id, NON_WRITABLE]) => drop(non_writable.insert(id)),
                (OP_DECORATE, &[id, BINDING, n]) => drop(bindings.insert(id, n)),
                (OP_DECORATE, &[id, DESCRIPTOR_SET, n]) => drop(sets.insert(id, n)),
                (OP_MEMBER_DECORATE, &[id, member, NON_WRITABLE]) => {
                    members.entry(id).or_default().entry(member).or_default().1 = true;
                }
                (OP_MEMBER_DECORATE, &[id, member, OFFSET, at]) => {
                    members.entry(id).or_default().entry(member).or_default().0 = at.into();
                }
                (OP_TYPE_ARRAY | OP_TYPE_RUNTIME_ARRAY, &[id, of, ..]) | (OP_TYPE_POINTER, &[id, _, of]) => {
                    inner.insert(id, of);
                }
                (OP_VARIABLE, &[ty, id, ..]) => variables.push((id, ty)),
                _ => {}
            }
        }
        let mut found: FxHashMap<(u32, u32), Option<Part>> = FxHashMap::default();
        for (id, mut ty) in variables {
            let (Some(&set), Some(&binding)) = (sets.get(&id), bindings.get(&id)) else { continue };
            // A type can only refer to earlier types.
            while let Some(&of) = inner.get(&ty) {
                ty = of;
            }
            let part = match (non_writable.contains(&id), members.get(&ty)) {
                (true, _) => Some(Part::All),
                (false, Some(members)) if members.values().any(|m| m.1) => {
                    Some(Part::Members(members.values().copied().collect()))
                }
                (false, _) => None,
            };
            // If another variable of the binding may write a part, that part is not read-only.
            let known = found.entry((set, binding)).or_insert_with(|| part.clone());
            if *known != part {
                *known = None;
            }
        }
        ReadOnly(found.into_iter().filter_map(|(at, part)| Some((at, part?))).collect())
    }

    fn holds(&self, set: u32, binding: u32, offset: u64) -> bool {
        match self.0.get(&(set, binding)) {
            None => false,
            Some(Part::All) => true,
            Some(Part::Members(members)) => members.range(..=offset).next_back().is_some_and(|m| *m.1),
        }
    }
}

fn writes(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Read | AccessKind::Atomic(AtomicOp::Load))
}

/// Checks a buffer access; errors go to `pending`.
pub fn buffer(
    pending: &mut Pending,
    (memory, only): (&Memory, &ReadOnly),
    at: &View<'_>,
    inst: &Inst,
    access: &MemoryAccess<'_>,
) {
    let (false, true, Some(&handle)) = (only.0.is_empty(), writes(access.kind), inst.args.first()) else {
        return;
    };
    for touch in access.touches().filter(|t| t.scalar == 0) {
        let Some((set, binding, _)) = memory.names().binding(handle, at, touch.lane) else { continue };
        if only.holds(set, binding, touch.offset) {
            let what = memory.names().memory(at, inst, access, &touch);
            report(pending, at, inst, touch.lane, what);
        }
    }
}

/// Checks an image access; errors go to `pending`.
pub fn image(
    pending: &mut Pending,
    (memory, only): (&Memory, &ReadOnly),
    at: &View<'_>,
    inst: &Inst,
    (op, lanes): (&ImageOp, u32),
) {
    let writes = match op.kind {
        ImageOpKind::Write => true,
        ImageOpKind::Atomic(op) => op != AtomicOp::Load,
        _ => false,
    };
    let (false, true, Some(&handle)) = (only.0.is_empty(), writes, inst.args.first()) else { return };
    for lane in quadrille_jit::interp::watch::lanes(lanes & !at.helpers()) {
        let Some((set, binding, _)) = memory.names().binding(handle, at, lane) else { continue };
        if only.holds(set, binding, 0) {
            let what = memory.names().resource("image", handle, at, lane);
            report(pending, at, inst, lane, what);
        }
    }
}

fn report(pending: &mut Pending, at: &View<'_>, inst: &Inst, lane: usize, what: String) {
    let key = key(at, inst, Some(&what), Kind::ReadOnlyWritten);
    pending.add(at, lane, key, || {
        let message = format!("{what} is written, but the shader declares it as read-only");
        Memory::report(at, inst, Kind::ReadOnlyWritten, message).about(what)
    });
}

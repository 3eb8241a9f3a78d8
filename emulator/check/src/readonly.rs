//! Finds writes to resources and members that the module declares as not written. GLSL compilers refuse such writes,
//! but SPIR-V can contain them.

use quadrille_jit::interp::watch::{AccessKind, MemoryAccess, View};
use quadrille_jit::ir::{AtomicOp, ImageOp, ImageOpKind, Inst, Shader};
use rustc_hash::FxHashMap;

use crate::decorations::{self, NON_WRITABLE, Part};
use crate::kind::Kind;
use crate::memory::{Memory, key};
use crate::pending::Pending;

/// Read-only parts of a shader's resources, as its module declares them.
#[derive(Debug, Default)]
pub struct ReadOnly(FxHashMap<(u32, u32), Part>);

impl ReadOnly {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> ReadOnly {
        let words = shader.debug.as_ref().map_or(&[][..], |debug| &debug.words);
        let mut found: FxHashMap<(u32, u32), Option<Part>> = FxHashMap::default();
        for (_, binding, part) in decorations::bound(words, NON_WRITABLE) {
            // A binding counts as writable if its variables have different declarations.
            let known = found.entry(binding).or_insert_with(|| part.clone());
            if *known != part {
                *known = None;
            }
        }
        ReadOnly(found.into_iter().filter_map(|(at, part)| Some((at, part?))).collect())
    }

    fn holds(&self, set: u32, binding: u32, offset: u64) -> bool {
        self.0.get(&(set, binding)).is_some_and(|part| part.holds(offset))
    }
}

/// Returns `true` if an access writes.
pub fn writes(kind: AccessKind) -> bool {
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

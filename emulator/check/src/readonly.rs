//! Finds writes to resources and members that the module declares as not written, reads of those that it declares as not
//! read, and accesses to buffers that the host has made read-only or write-only. GLSL compilers refuse most accesses of the
//! first sorts, but SPIR-V can contain them.

use std::collections::BTreeMap;
use std::sync::{Arc, PoisonError, RwLock};

use quadrille_jit::interp::watch::{AccessKind, MemoryAccess, Range, Space, Touch, View, lanes};
use quadrille_jit::ir::{AtomicOp, ImageOp, ImageOpKind, Inst, Shader, Value};
use rustc_hash::FxHashMap;

use crate::decorations::{self, NON_READABLE, NON_WRITABLE, Part};
use crate::events::Limit;
use crate::kind::Kind;
use crate::memory::{Memory, key};
use crate::pending::{Key, Pending};
use crate::place;
use crate::report::Report;

/// Read-only and write-only parts of a shader's resources, as its module declares them.
#[derive(Debug, Default)]
pub struct Declared {
    read_only: Parts,
    write_only: Parts,
}

impl Declared {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Declared {
        let words = shader.debug.as_ref().map_or(&[][..], |debug| &debug.words);
        let of = |decoration| Parts::of(words, decoration);
        Declared { read_only: of(NON_WRITABLE), write_only: of(NON_READABLE) }
    }

    /// `true` if a part of a resource is write-only.
    pub fn has_write_only(&self) -> bool {
        !self.write_only.0.is_empty()
    }
}

/// Parts of resources, by set and binding.
#[derive(Debug, Default)]
struct Parts(FxHashMap<(u32, u32), Part>);

impl Parts {
    /// The parts of a module's resources that have a decoration.
    fn of(words: &[u32], decoration: u32) -> Parts {
        let mut found: FxHashMap<(u32, u32), Option<Part>> = FxHashMap::default();
        for (_, binding, part) in decorations::bound(words, decoration) {
            // A binding counts as undecorated if its variables have different declarations.
            let known = found.entry(binding).or_insert_with(|| part.clone());
            if *known != part {
                *known = None;
            }
        }
        Parts(found.into_iter().filter_map(|(at, part)| Some((at, part?))).collect())
    }

    fn holds(&self, set: u32, binding: u32, offset: u64) -> bool {
        self.0.get(&(set, binding)).is_some_and(|part| part.holds(offset))
    }
}

/// Buffers that shaders may only read or only write, by the address of their first byte.
#[derive(Debug, Default)]
pub struct Limits(RwLock<BTreeMap<u64, (u64, Limit)>>);

impl Limits {
    /// Sets what shaders may do with the bytes of a buffer.
    pub fn told(&self, range: Range, limit: Limit) {
        // A panic in another thread leaves the map consistent.
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        match limit {
            Limit::None => all.remove(&range.base),
            Limit::ReadOnly | Limit::WriteOnly => all.insert(range.base, (range.size, limit)),
        };
    }

    /// Forgets freed memory.
    pub fn gone(&self, range: Range) {
        let mut all = self.0.write().unwrap_or_else(PoisonError::into_inner);
        all.retain(|&base, _| base < range.base || base - range.base >= range.size);
    }

    /// `true` if a buffer is limited.
    pub fn any(&self) -> bool {
        !self.0.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    fn of(&self, address: u64) -> Limit {
        let all = self.0.read().unwrap_or_else(PoisonError::into_inner);
        let below = all.range(..=address).next_back();
        below
            .filter(|&(base, &(size, _))| address - base < size)
            .map_or(Limit::None, |(_, &(_, limit))| limit)
    }
}

/// Accesses of a call to buffers that the host has limited, and reads of buffers that the shader declares as write-only.
pub struct Limited {
    limits: Arc<Limits>,
    /// Reads of write-only buffers by each lane group and lane.
    reads: FxHashMap<(u32, usize), Vec<Read>>,
}

/// A read of a scalar in a write-only buffer.
struct Read {
    value: Value,
    address: u64,
    key: Key,
    report: Report,
}

impl Limited {
    /// Creates the checks of a call.
    pub fn new(limits: &Arc<Limits>) -> Limited {
        Limited { limits: limits.clone(), reads: FxHashMap::default() }
    }

    /// Checks an access to a buffer. Reads of write-only buffers are kept until the lane group ends: compilers write a
    /// component of a vector by reading the vector and writing it back.
    pub fn access(
        &mut self,
        pending: &mut Pending,
        (memory, declared): (&Memory, &Declared),
        at: &View<'_>,
        inst: &Inst,
        access: &MemoryAccess<'_>,
    ) {
        let write_only = &declared.write_only;
        if access.space != Space::Buffer || !self.limits.any() && !declared.has_write_only() {
            return;
        }
        let is_declared = |touch: &Touch| {
            let handle = inst.args.first().filter(|_| declared.has_write_only());
            let binding = handle.and_then(|&handle| memory.names().binding(handle, at, touch.lane));
            binding.is_some_and(|(set, binding, _)| write_only.holds(set, binding, touch.offset))
        };
        let mut back = 0u32;
        for touch in access.touches().filter(|t| t.inside) {
            let address = touch.range.base.wrapping_add(touch.offset);
            let value = access.values[touch.scalar];
            let by_shader = is_declared(&touch);
            let limit = if by_shader { Limit::WriteOnly } else { self.limits.of(address) };
            let reads = !matches!(access.kind, AccessKind::Write | AccessKind::Atomic(AtomicOp::Store));
            let (kind, does, only) = match limit {
                Limit::ReadOnly if writes(access.kind) => (Kind::ReadOnlyWritten, "written", "read"),
                Limit::WriteOnly if reads => (Kind::WriteOnlyRead, "read", "write"),
                Limit::WriteOnly => {
                    let known = self.reads.get(&(at.group(), touch.lane));
                    let same = |read: &Read| read.value == value && read.address == address;
                    back |= u32::from(known.is_some_and(|all| all.iter().any(same))) << touch.lane;
                    continue;
                }
                Limit::None | Limit::ReadOnly => continue,
            };
            let what = memory.names().memory(at, inst, access, &touch);
            let key = key(at, inst, Some(&what), kind);
            let message = match by_shader {
                true => unreadable(&what),
                false => format!("{what} is {does}, but the host lets the kernel only {only} it"),
            };
            let report = place::report_op(at, inst, kind, message).about(what);
            match access.kind {
                AccessKind::Read => {
                    let reads = self.reads.entry((at.group(), touch.lane)).or_default();
                    reads.push(Read { value, address, key, report });
                }
                _ => pending.add(at, touch.lane, key, || report),
            }
        }
        for touch in access.touches().filter(|t| t.inside && back >> t.lane & 1 == 1) {
            let address = touch.range.base.wrapping_add(touch.offset);
            if let Some(reads) = self.reads.get_mut(&(at.group(), touch.lane)) {
                reads.retain(|read| read.address != address);
            }
        }
    }

    /// Reports the reads of a lane group that has ended.
    pub fn finish(&mut self, pending: &mut Pending, at: &View<'_>) {
        for lane in lanes(at.full()) {
            for read in self.reads.remove(&(at.group(), lane)).into_iter().flatten() {
                pending.add(at, lane, read.key, || read.report);
            }
        }
    }
}

/// Returns `true` if an access writes.
pub fn writes(kind: AccessKind) -> bool {
    !matches!(kind, AccessKind::Read | AccessKind::Atomic(AtomicOp::Load))
}

/// Checks a buffer access; errors go to `pending`.
pub fn buffer(
    pending: &mut Pending,
    (memory, declared): (&Memory, &Declared),
    at: &View<'_>,
    inst: &Inst,
    access: &MemoryAccess<'_>,
) {
    let only = &declared.read_only;
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
    (memory, declared): (&Memory, &Declared),
    at: &View<'_>,
    inst: &Inst,
    (op, mask): (&ImageOp, u32),
) {
    let (reads, writes) = match op.kind {
        ImageOpKind::Write => (false, true),
        ImageOpKind::Read => (true, false),
        ImageOpKind::Atomic(op) => (op != AtomicOp::Store, op != AtomicOp::Load),
        _ => (false, false),
    };
    let (read_only, write_only) = (&declared.read_only, &declared.write_only);
    let concerns = reads && declared.has_write_only() || writes && !read_only.0.is_empty();
    let Some(&handle) = inst.args.first().filter(|_| concerns) else { return };
    for lane in lanes(mask & !at.helpers()) {
        let Some((set, binding, _)) = memory.names().binding(handle, at, lane) else { continue };
        let what = || memory.names().resource("image", handle, at, lane);
        if writes && read_only.holds(set, binding, 0) {
            report(pending, at, inst, lane, what());
        }
        if reads && write_only.holds(set, binding, 0) {
            let what = what();
            let key = key(at, inst, Some(&what), Kind::WriteOnlyRead);
            pending.add(at, lane, key, || {
                place::report_op(at, inst, Kind::WriteOnlyRead, unreadable(&what)).about(what)
            });
        }
    }
}

/// Message for a read of a resource that the shader declares as write-only.
fn unreadable(what: &str) -> String {
    format!("{what} is read, but the shader declares it as write-only")
}

fn report(pending: &mut Pending, at: &View<'_>, inst: &Inst, lane: usize, what: String) {
    let key = key(at, inst, Some(&what), Kind::ReadOnlyWritten);
    pending.add(at, lane, key, || {
        let message = format!("{what} is written, but the shader declares it as read-only");
        place::report_op(at, inst, Kind::ReadOnlyWritten, message).about(what)
    });
}

//! Finds aliases of variables that the module declares as `restrict`.
//!
//! Compares the accesses of one shader within one dispatch or draw. Sampled reads are not checked.

use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, PoisonError};

use quadrille_jit::abi::ImageArgs;
use quadrille_jit::interp::watch::{MemoryAccess, Range, Space, View, lanes};
use quadrille_jit::ir::{AtomicOp, ImageOp, ImageOpKind, Inst, Shader};
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};

use crate::decorations::{self, Part, RESTRICT, RESTRICT_POINTER, Through};
use crate::kind::Kind;
use crate::memory::{self, Memory, words};
use crate::pending::{Pending, Where};
use crate::place;
use crate::readonly::writes;
use crate::report::{Frame, Invocation, Other, Report, root};

/// Aliasing decorations of a shader's variables.
#[derive(Debug, Default)]
pub struct Restrict {
    parts: FxHashMap<u32, Part>,
    pointers: FxHashSet<u32>,
    accesses: FxHashMap<u32, Through>,
    /// Variable of each binding; `None` if several variables share the binding.
    bindings: FxHashMap<(u32, u32), Option<u32>>,
}

impl Restrict {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Restrict {
        let words = shader.debug.as_ref().map_or(&[][..], |debug| &debug.words);
        let bound = decorations::bound(words, RESTRICT);
        let pointers = decorations::ids(words, RESTRICT_POINTER);
        if pointers.is_empty() && bound.iter().all(|(_, _, part)| part.is_none()) {
            return Restrict::default();
        }
        let mut bindings: FxHashMap<(u32, u32), Option<u32>> = FxHashMap::default();
        for &(id, binding, _) in &bound {
            bindings.entry(binding).and_modify(|of| *of = None).or_insert(Some(id));
        }
        let parts = bound.into_iter().filter_map(|(id, _, part)| Some((id, part?))).collect();
        Restrict { parts, pointers, accesses: decorations::accesses(words), bindings }
    }

    /// Returns `true` if no variable is declared as `restrict`.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.pointers.is_empty()
    }

    /// Returns the variable through which an instruction accesses memory, and the function call that contains the
    /// instruction.
    fn through(
        &self,
        at: &View<'_>,
        inst: &Inst,
        binding: Option<(u32, u32, u32)>,
    ) -> Option<(Through, u32)> {
        let place = at.shader().debug.as_ref().and_then(|d| d.place(inst.src));
        let known = place.and_then(|place| self.accesses.get(&place.word)).copied();
        let by_binding = || {
            let (set, number, _) = binding?;
            self.bindings.get(&(set, number)).copied().flatten().map(Through::Variable)
        };
        Some((known.or_else(by_binding)?, place.map_or(0, |place| place.call)))
    }

    /// Returns `true` if the byte at an offset from the start of a variable is declared as `restrict`.
    fn says(&self, by: Through, offset: u64) -> bool {
        match by {
            Through::Variable(id) => self.parts.get(&id).is_some_and(|part| part.holds(offset)),
            Through::Pointer(id) => self.pointers.contains(&id),
        }
    }
}

/// Maximum number of words that are tracked; accesses to further words are not checked.
const MAX_WORDS: usize = 1 << 22;

/// Accesses of the current dispatch or draw, by shader and word.
#[derive(Debug, Default)]
pub struct Shared(Mutex<FxHashMap<(usize, u64), Vec<Touch>>>);

/// Accesses to a word through one variable.
#[derive(Debug)]
struct Touch {
    by: Through,
    call: u32,
    says: bool,
    /// Masks of the bytes that were read and written.
    bytes: [u8; 2],
    seen: Arc<Seen>,
}

/// The first of these accesses, for reports.
#[derive(Debug)]
struct Seen {
    what: String,
    does: &'static str,
    at: Frame,
    who: Invocation,
}

impl Shared {
    /// Forgets all accesses, at the start of a dispatch or draw.
    pub fn next_step(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Records an access. Returns an earlier access to the same bytes that violates a `restrict` declaration.
    fn put(
        &self,
        (shader, bytes): (usize, Range),
        (by, call, says): (Through, u32, bool),
        wrote: bool,
        seen: &dyn Fn() -> Arc<Seen>,
    ) -> Option<Arc<Seen>> {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut met = None;
        for (word, mask) in words(bytes.base, bytes.size as u32) {
            if all.len() >= MAX_WORDS && !all.contains_key(&(shader, word)) {
                continue;
            }
            let list = all.entry((shader, word)).or_default();
            let meets = |t: &&Touch| {
                let before = t.bytes[1] | if wrote { t.bytes[0] } else { 0 };
                // Pointers that are passed to another function belong to a different scope.
                let apart = matches!((t.by, by), (Through::Pointer(_), _) | (_, Through::Pointer(_)));
                t.by != by && before & mask != 0 && (t.says || says) && (!apart || t.call == call)
            };
            met = met.or_else(|| list.iter().find(meets).map(|t| t.seen.clone()));
            match list.iter_mut().find(|t| (t.by, t.call, t.says) == (by, call, says)) {
                Some(known) => known.bytes[usize::from(wrote)] |= mask,
                None => {
                    let bytes = if wrote { [0, mask] } else { [mask, 0] };
                    list.push(Touch { by, call, says, bytes, seen: seen() });
                }
            }
        }
        met
    }
}

/// Checks the memory accesses of a call.
pub struct Aliases {
    pending: Pending,
    says: Arc<Restrict>,
    shared: Arc<Shared>,
}

impl Aliases {
    /// Creates the check for a call.
    pub fn new(pending: Pending, says: &Arc<Restrict>, shared: &Arc<Shared>) -> Aliases {
        Aliases { pending, says: says.clone(), shared: shared.clone() }
    }

    /// Checks an instruction's access to memory.
    pub fn memory(&mut self, names: &memory::Names, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {
        if self.says.is_empty() || access.space == Space::Workgroup {
            return;
        }
        let wrote = writes(access.kind);
        for touch in access.touches().filter(|t| t.inside && at.helpers() >> t.lane & 1 == 0) {
            let binding = inst.args.first().and_then(|&handle| names.binding(handle, at, touch.lane));
            let Some((by, call)) = self.says.through(at, inst, binding) else { continue };
            let what = || {
                let member = names.member(at, inst, access, &touch).map(|name| format!("`{name}`"));
                member.unwrap_or_else(|| names.memory(at, inst, access, &touch))
            };
            let bytes = Range { base: touch.range.base.wrapping_add(touch.offset), size: touch.bytes.into() };
            let by = (by, call, self.says.says(by, touch.offset));
            self.look((at, touch.lane), inst, by, (&what, wrote), bytes);
        }
    }

    /// Checks an instruction's access to single texels; `memory` resolves their addresses.
    pub fn image(
        &mut self,
        memory: &mut Memory,
        at: &View<'_>,
        inst: &Inst,
        (op, args): (&ImageOp, &ImageArgs),
    ) {
        let wrote = match op.kind {
            ImageOpKind::Write => true,
            ImageOpKind::Atomic(op) => op != AtomicOp::Load,
            ImageOpKind::Read | ImageOpKind::Fetch => false,
            _ => return,
        };
        if self.says.is_empty() {
            return;
        }
        for lane in lanes(args.mask & !at.helpers()) {
            let Some(bytes) = memory.texel(op, args, lane) else { continue };
            let binding = inst.args.first().and_then(|&handle| memory.names().binding(handle, at, lane));
            let Some((by, call)) = self.says.through(at, inst, binding) else { continue };
            let what = || memory.names().resource("image", inst.args[0], at, lane);
            let by = (by, call, self.says.says(by, 0));
            self.look((at, lane), inst, by, (&what, wrote), bytes);
        }
    }

    fn look(
        &mut self,
        (at, lane): (&View<'_>, usize),
        inst: &Inst,
        by: (Through, u32, bool),
        (what, wrote): (&dyn Fn() -> String, bool),
        bytes: Range,
    ) {
        let step = self.pending.session().step();
        let seen = || {
            let (frame, _) = place::frames(at.shader(), inst.src, inst.op.name());
            let does = if wrote { "written" } else { "read" };
            Arc::new(Seen { what: what(), does, at: frame, who: place::who(at, lane, step) })
        };
        let shader = std::ptr::from_ref(at.shader()).addr();
        let Some(before) = self.shared.put((shader, bytes), by, wrote, &seen) else { return };
        let now = seen();
        // Each pair of places gets one report, at the lower place, whichever access came second.
        let (one, two) = if before.at < now.at { (before, now) } else { (now, before) };
        let mut hasher = FxHasher::default();
        // Accesses to the same variable on the same line count as one.
        for Seen { what, at, .. } in [&*one, &*two] {
            let id = if at.line == 0 { at.id } else { 0 };
            (&at.file, at.line, &at.function, id, root(what)).hash(&mut hasher);
        }
        let key = (Where::Shader, hasher.finish(), Kind::RestrictAliased);
        self.pending.add_as((at, lane, place::order(at, lane)), key, || {
            let message = format!(
                "{} is {} here, {} leads to the same bytes and is {}, and the shader declares one of them as restrict",
                one.what, one.does, two.what, two.does
            );
            let other = Other {
                what: format!("{} there", two.does),
                at: two.at.clone(),
                invocation: Some(two.who.clone()),
            };
            let report = Report::new(Kind::RestrictAliased, message).at(one.at.clone());
            report.about(one.what.trim_matches('`')).by(one.who.clone()).other(other)
        });
    }
}

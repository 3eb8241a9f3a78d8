//! Variables that a module says nothing else leads to (`restrict`), and memory that something else leads to all the same.
//!
//! Accesses of one shader in one dispatch or draw are looked at. What samplers read is not.

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

/// What a shader says of its variables.
#[derive(Debug, Default)]
pub struct Restrict {
    parts: FxHashMap<u32, Part>,
    pointers: FxHashSet<u32>,
    accesses: FxHashMap<u32, Through>,
    /// The variable of a binding that has one only.
    bindings: FxHashMap<(u32, u32), Option<u32>>,
}

impl Restrict {
    /// Of a shader.
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

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.pointers.is_empty()
    }

    /// What an instruction goes through, and the call that it is in.
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

    /// Whether nothing else leads to what is accessed, at an offset from the start of a variable.
    fn says(&self, by: Through, offset: u64) -> bool {
        match by {
            Through::Variable(id) => self.parts.get(&id).is_some_and(|part| part.holds(offset)),
            Through::Pointer(id) => self.pointers.contains(&id),
        }
    }
}

/// Most words that are kept: what is accessed beyond is not looked at.
const MAX_WORDS: usize = 1 << 22;

/// Who has accessed which word of the dispatch or draw that is running, by shader.
#[derive(Debug, Default)]
pub struct Shared(Mutex<FxHashMap<(usize, u64), Vec<Touch>>>);

/// Accesses to a word through one variable.
#[derive(Debug)]
struct Touch {
    by: Through,
    call: u32,
    says: bool,
    /// Bytes that are read, and written.
    bytes: [u8; 2],
    seen: Arc<Seen>,
}

/// The access that came first.
#[derive(Debug)]
struct Seen {
    what: String,
    does: &'static str,
    at: Frame,
    who: Invocation,
}

impl Shared {
    /// The next dispatch or draw begins.
    pub fn next_step(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// Notes an access, and gives one before that the module says there is none of.
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
                // What functions do with addresses that are handed on to them is in another scope.
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

/// Those who look at what a call does.
pub struct Aliases {
    pending: Pending,
    says: Arc<Restrict>,
    shared: Arc<Shared>,
}

impl Aliases {
    /// Of a call.
    pub fn new(pending: Pending, says: &Arc<Restrict>, shared: &Arc<Shared>) -> Aliases {
        Aliases { pending, says: says.clone(), shared: shared.clone() }
    }

    /// An instruction has accessed memory.
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

    /// An instruction has accessed single texels; `memory` knows where they are.
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
        // One report for two places, whichever access came second: it is at the first of them.
        let (one, two) = if before.at < now.at { (before, now) } else { (now, before) };
        let mut hasher = FxHasher::default();
        // What is done to a variable on a line is one.
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

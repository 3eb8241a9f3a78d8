//! Values of the author's variables at a step: finds their storage, and formats them in the notation of the languages.

use std::collections::{BTreeSet, HashMap};

use quadrille_jit::interp::watch::end_of_access;
use quadrille_jit::ir::debug::{
    Class, Home, Place, PointerMemory, Space, TypeKind, Variable, component_name, join,
};
use quadrille_jit::ir::{Value, Var};

use crate::number::{encoded_text, scalar_text};
use crate::recording::{Change, Cursor, Recording};

/// Text for a variable that was not set, and for memory that was not accessed.
const UNSET: &str = "not set";
const UNKNOWN: &str = "not accessed";
/// Maximum number of slots of a watched part.
pub(crate) const MAX_WATCHED: usize = 1 << 16;

/// The state at a step, in one lane.
#[derive(Clone, Copy)]
pub struct At<'a> {
    /// The recording.
    pub recording: &'a Recording,
    /// Position in the recording.
    pub cursor: &'a Cursor,
    /// The lane.
    pub lane: usize,
}

/// A part of a variable: a member, an element, a component, or the whole.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Index of the variable.
    pub variable: usize,
    /// Path in the notation of the source.
    pub path: String,
    /// Index of its type.
    pub ty: u32,
    /// Offset from the start of the variable, in the units of its type.
    pub offset: u32,
    /// Index of its first leaf.
    pub leaf: u32,
    /// Index in an array of descriptors; `None` for the array as a whole, and for everything else.
    pub element: Option<u32>,
}

impl Part {
    /// The last name of the path: a member or an element without what it is of.
    pub(crate) fn last_name(&self) -> &str {
        match self.path.rfind(['.', '[']) {
            Some(at) if !self.path.starts_with('(') => self.path[at..].trim_start_matches('.'),
            _ => &self.path,
        }
    }
}

/// A scalar at a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Bits {
    /// Its bits.
    Known(u64),
    /// A variable that was not set: it is zero here, and undefined by the specifications.
    Unset,
    /// Memory that this lane group has not accessed yet, or an object that cannot be inspected.
    Unknown,
}

/// Bits of a slot that are bits of a scalar.
#[derive(Clone, Copy)]
struct Piece {
    /// First slot of the object, by which the recording knows when it was first set.
    object: u32,
    /// Slot of the lane.
    slot: u32,
    /// First bit in the slot, and in the scalar.
    from: u32,
    to: u32,
    /// Number of bits, at least 1.
    bits: u32,
}

impl Piece {
    /// A scalar that has a slot for itself.
    fn whole(object: u32, slot: u32) -> Piece {
        Piece { object, slot, from: 0, to: 0, bits: 64 }
    }

    fn mask(self) -> u64 {
        u64::MAX >> (64 - self.bits)
    }
}

/// Bits of the state on which a part depends, by slot.
#[derive(Debug, Default)]
pub(crate) struct Watched(HashMap<u32, u64>);

impl Watched {
    /// Number of slots.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// True if one of the changes is to these bits.
    pub fn is_changed_by(&self, changes: &[Change]) -> bool {
        changes.iter().any(|c| self.0.get(&c.slot).is_some_and(|mask| c.bits() & mask != 0))
    }
}

impl<'a> At<'a> {
    /// Variables that are visible in a call that has reached a place, the innermost first; of several with the same
    /// name, the last one. Module-scope variables are not included.
    pub fn visible(&self, call: u32, place: u32) -> Vec<usize> {
        let mut out: Vec<usize> = Vec::new();
        let all = &self.recording.debug.variables;
        for (i, v) in all.iter().enumerate().rev() {
            let here = v.call == Some(call) && v.from <= place && !v.artificial && !v.name.is_empty();
            if here && self.is_computed(v) && !out.iter().any(|&o| all[o].name == v.name) {
                out.push(i);
            }
        }
        out.reverse();
        out
    }

    /// Module-scope variables of some classes.
    pub fn globals(&self, classes: &[Class]) -> Vec<usize> {
        let all = self.recording.debug.variables.iter().enumerate();
        all.filter(|(_, v)| v.call.is_none() && classes.contains(&v.class)).map(|(i, _)| i).collect()
    }

    /// Finds a variable by its name: first in the call, then in the module, including members of blocks without a name.
    pub fn find(&self, call: u32, place: u32, name: &str) -> Option<Part> {
        let r = self.recording;
        let all = &r.debug.variables;
        let local = self.visible(call, place).into_iter().find(|&i| all[i].name == name);
        let global = || all.iter().position(|v| v.call.is_none() && v.name == name);
        if let Some(i) = local.or_else(global) {
            return Some(self.whole(i));
        }
        let blocks = (0..all.len()).filter(|&i| all[i].call.is_none() && all[i].name.is_empty());
        blocks.map(|i| self.whole(i)).flat_map(|whole| self.parts(&whole)).find(|p| p.path == name)
    }

    /// A variable as a whole. A variable without a name is called by its class, unless it is a block, whose members are
    /// named directly.
    pub fn whole(&self, variable: usize) -> Part {
        let debug = &self.recording.debug;
        let v = &debug.variables[variable];
        let block = matches!(debug.types.get(v.ty as usize).map(|t| &t.kind), Some(TypeKind::Struct { .. }));
        let path = match v.class {
            _ if !v.name.is_empty() || block => v.name.clone(),
            Class::Input => "(input)".to_owned(),
            Class::Output => "(output)".to_owned(),
            _ => "(unnamed)".to_owned(),
        };
        let part = Part { variable, path, ty: v.ty, offset: 0, leaf: 0, element: None };
        match debug.wrapped(v.ty) {
            // An element of an array of descriptors is selected first.
            Some(only) if !part.path.is_empty() && self.descriptors(&part).is_none() => {
                Part { ty: only.ty, offset: only.offset, ..part }
            }
            _ => part,
        }
    }

    /// The parts of a part. For an array of unknown length, the elements that were accessed.
    pub fn parts(&self, part: &Part) -> Vec<Part> {
        self.parts_until(part, self.cursor.at())
    }

    /// The parts of a part, with the elements that were accessed before a step.
    fn parts_until(&self, part: &Part, step: usize) -> Vec<Part> {
        let debug = &self.recording.debug;
        if let Some(space) = self.descriptors(part) {
            let recording = self.recording;
            let known = |slot: u32| recording.known_bytes(slot, step).next().is_some();
            let known = recording.memory.iter().filter(|(_, slot)| known(**slot));
            let elements: BTreeSet<u32> =
                known.filter(|((s, ..), _)| *s == space).map(|((_, i, _), _)| *i).collect();
            return elements.into_iter().map(|i| element(part, i)).collect();
        }
        let mut leaf = part.leaf;
        let make = |(name, offset, ty): &(String, u32, u32)| {
            let made = Part {
                variable: part.variable,
                path: join(&part.path, name),
                ty: *ty,
                offset: part.offset.saturating_add(*offset),
                leaf,
                element: part.element,
            };
            leaf = leaf.saturating_add(self.leaves(*ty));
            made
        };
        if let Some(TypeKind::Array { elem, n: 0, stride, .. }) =
            debug.types.get(part.ty as usize).map(|t| &t.kind)
        {
            let touched = self.touched(part, 0, *stride, step);
            let list: Vec<_> =
                touched.iter().map(|i| (format!("[{i}]"), i.saturating_mul(*stride), *elem)).collect();
            return list.iter().map(make).collect();
        }
        debug.parts(part.ty).iter().map(make).collect()
    }

    /// Some of the parts of a part: the number of the first one, and how many at most. Other elements of an array take no
    /// time.
    pub fn some_parts(&self, part: &Part, [start, count]: [usize; 2]) -> Vec<Part> {
        match self.recording.debug.types.get(part.ty as usize).map(|t| &t.kind) {
            Some(&TypeKind::Array { n: n @ 1.., .. }) => {
                let end = start.saturating_add(count).min(n as usize);
                (start..end).filter_map(|i| self.part(part, &format!("[{i}]"))).collect()
            }
            _ => self.parts(part).into_iter().skip(start).take(count).collect(),
        }
    }

    /// The first parts of a part, at most `most`, and the number of all.
    fn first_parts(&self, part: &Part, most: usize) -> (Vec<Part>, usize) {
        if let Some(&TypeKind::Array { n: n @ 1.., .. }) =
            self.recording.debug.types.get(part.ty as usize).map(|t| &t.kind)
        {
            return (self.some_parts(part, [0, most]), n as usize);
        }
        let mut parts = self.parts(part);
        let count = parts.len();
        parts.truncate(most);
        (parts, count)
    }

    /// The part of a part with this suffix: `.x`, `[3]`. An array of unknown length has an element at every index.
    pub fn part(&self, part: &Part, name: &str) -> Option<Part> {
        if self.descriptors(part).is_some() {
            return Some(element(part, name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?));
        }
        let of = self.recording.debug.types.get(part.ty as usize);
        if let Some(TypeKind::Array { elem, n, stride, .. }) = of.map(|t| &t.kind) {
            let index: u32 = name.strip_prefix('[')?.strip_suffix(']')?.parse().ok()?;
            let offset = part.offset.checked_add(index.checked_mul(*stride)?)?;
            let leaf = part.leaf.checked_add(index.checked_mul(self.leaves(*elem))?)?;
            let inside = *n == 0 || index < *n;
            let path = format!("{}{name}", part.path);
            return inside.then_some(Part { path, ty: *elem, offset, leaf, ..*part });
        }
        // The first four components have three names each.
        let component = |n: u32, name: &str| match name.strip_prefix('.') {
            Some(c) => {
                let letter = |names: &&str| names.find(c).filter(|_| c.len() == 1);
                let i = ["xyzw", "rgba", "stpq"].iter().find_map(letter)?;
                Some(component_name(n, i as u32))
            }
            None => Some(name.to_owned()),
        };
        let name = match of.map(|t| &t.kind) {
            Some(TypeKind::Vector { n, .. }) => component(*n, name)?,
            _ => name.to_owned(),
        };
        let path = join(&part.path, &name);
        self.parts(part).into_iter().find(|p| p.path == path)
    }

    /// The memory of an array of blocks, if the part is such an array as a whole.
    fn descriptors(&self, part: &Part) -> Option<Space> {
        let debug = &self.recording.debug;
        let Home::Memory { space, array: true, .. } = debug.variables[part.variable].home else {
            return None;
        };
        let block = matches!(debug.types.get(part.ty as usize)?.kind, TypeKind::Struct { .. });
        (block && part.element.is_none()).then_some(space)
    }

    /// Number of leaves of a type; 0 for an array of unknown length.
    fn leaves(&self, ty: u32) -> u32 {
        self.recording.leaves.get(ty as usize).map_or(1, |leaves| leaves.count)
    }

    /// True if the type of a part has scalars.
    pub(crate) fn has_scalars(&self, part: &Part) -> bool {
        self.recording.leaves.get(part.ty as usize).is_none_or(|leaves| leaves.scalars)
    }

    /// Indices of the elements of an array in memory that were accessed before a step; `n` is its length, 0 if unknown.
    fn touched(&self, part: &Part, n: u32, stride: u32, step: usize) -> Vec<u32> {
        let Some((space, first)) = self.start(part) else { return Vec::new() };
        // Other buffers follow at higher addresses.
        let end = match space {
            Space::Address => self.end_of_range(first),
            Space::Binding { .. } | Space::Push | Space::Shared | Space::Payload => u64::MAX,
        };
        let length = if n == 0 { u64::MAX } else { u64::from(n) * u64::from(stride) };
        let end = end.min(first.saturating_add(length));
        let here = (space, part.element.unwrap_or(0));
        let words = self.recording.memory.iter().filter(|((s, element, _), _)| (*s, *element) == here);
        let mut out: Vec<u32> = words
            .flat_map(|((_, _, word), slot)| {
                self.recording.known_bytes(*slot, step).map(move |byte| word + u64::from(byte))
            })
            .filter(|at| (first..end).contains(at))
            .map(|at| ((at - first) / u64::from(stride.max(1))) as u32)
            .collect();
        out.sort_unstable();
        out.dedup();
        out
    }

    /// Space and offset at which a part begins, wherever its indices and pointers lead now; `None` for a part that is not in
    /// memory, and before they are computed.
    fn start(&self, part: &Part) -> Option<(Space, u64)> {
        match &self.recording.debug.variables[part.variable].home {
            Home::Memory { space, offset, indices, array } => {
                // Indices of a descriptor array select the descriptor; other indices are offsets in memory.
                let moved = if *array { 0 } else { self.behind(indices)? };
                Some((*space, end_of_access(u64::from(*offset), part.offset).wrapping_add(moved)))
            }
            Home::Pointer { memory, parts, offset } => self.target(part, *memory, parts, *offset),
            Home::Var { .. } | Home::Values(_) | Home::Inputs | Home::Elsewhere => None,
        }
    }

    /// End of the range of device memory that begins at an address or contains it; the address itself if there is none.
    fn end_of_range(&self, address: u64) -> u64 {
        let next = self.recording.ranges.range(address.saturating_add(1)..).next();
        next.filter(|(_, first)| **first <= address).map_or(address, |(end, _)| *end)
    }

    /// Space and offset of a part of memory that a pointer leads to; `None` for private memory, and before the pointer
    /// is computed.
    fn target(
        &self,
        part: &Part,
        memory: PointerMemory,
        parts: &[Value],
        offset: u32,
    ) -> Option<(Space, u64)> {
        if !parts.iter().all(|&v| self.is_value_known(v)) {
            return None;
        }
        let start = end_of_access(u64::from(offset), part.offset);
        let sum = parts.iter().fold(start, |sum, &v| sum.wrapping_add(self.value(v)));
        match memory {
            PointerMemory::Device => Some((Space::Address, sum)),
            PointerMemory::Workgroup => Some((Space::Shared, u64::from(sum as u32))),
            PointerMemory::Private(_) => None,
        }
    }

    /// The pieces of a scalar at a byte of memory, which consists of words. `slot_of` has the object of a word, and the slot
    /// of the lane.
    fn words(&self, part: &Part, at: u64, slot_of: impl Fn(u64) -> Option<(u32, u32)>) -> Option<Vec<Piece>> {
        let types = &self.recording.debug.types;
        let TypeKind::Scalar { ty, .. } = &types.get(part.ty as usize)?.kind else { return None };
        let end = at.checked_add(ty.bytes().clamp(1, 8).into())?;
        let piece = |word: u64| {
            let (object, slot) = slot_of(word)?;
            let (first, last) = (at.max(word * 4), end.min((word * 4).saturating_add(4)));
            let bits = |bytes: u64| 8 * bytes as u32;
            Some(Piece {
                object,
                slot,
                from: bits(first - word * 4),
                to: bits(first - at),
                bits: bits(last - first),
            })
        };
        (at / 4..end.div_ceil(4)).map(piece).collect()
    }

    /// The pieces of a scalar in private memory.
    fn private(&self, part: &Part, var: Var, parts: &[Value], offset: u32) -> Option<Vec<Piece>> {
        let r = self.recording;
        if !parts.iter().all(|&v| self.is_value_known(v)) {
            return None;
        }
        let start = offset.wrapping_add(part.offset);
        let at = parts.iter().fold(start, |sum, &v| sum.wrapping_add(self.value(v) as u32));
        self.words(part, at.into(), |word| {
            let object = r.var_slot(var, u32::try_from(word).ok()?)?;
            Some((object, object + self.lane as u32))
        })
    }

    /// The pieces of a scalar, wherever its indices and pointers lead now. Its value and its changes are found here
    /// alone. `None` if it is in no slot: inputs, memory that is never accessed, pointers that are not computed yet.
    fn pieces(&self, part: &Part) -> Option<Vec<Piece>> {
        let r = self.recording;
        let of_lane = |object: u32| vec![Piece::whole(object, object + self.lane as u32)];
        match &r.debug.variables[part.variable].home {
            Home::Var { var, elem, indices } => {
                let at = elem.wrapping_add(part.offset).wrapping_add(self.behind(indices)? as u32);
                r.var_slot(*var, at).map(of_lane)
            }
            Home::Values(values) => values.get(part.leaf as usize).map(|&value| of_lane(r.value_slot(value))),
            Home::Pointer { memory: PointerMemory::Private(var), parts, offset } => {
                self.private(part, *var, parts, *offset)
            }
            Home::Memory { .. } | Home::Pointer { .. } => {
                let (space, at) = self.start(part)?;
                let slot = |word: u64| r.memory.get(&(space, part.element.unwrap_or(0), word * 4)).copied();
                self.words(part, at, |word| slot(word).map(|slot| (slot, slot)))
            }
            Home::Inputs | Home::Elsewhere => None,
        }
    }

    /// True if a value without a variable has been computed.
    fn is_computed(&self, v: &Variable) -> bool {
        match &v.home {
            Home::Values(values) | Home::Pointer { parts: values, .. } => {
                values.iter().all(|&x| self.is_value_known(x))
            }
            Home::Var { .. } | Home::Memory { .. } | Home::Inputs | Home::Elsewhere => true,
        }
    }

    fn is_piece_known(&self, p: &Piece) -> bool {
        let (r, at) = (self.recording, self.cursor.at());
        if !r.bytes.contains_key(&p.object) {
            return r.is_known(p.object, at);
        }
        let known =
            r.known_bytes(p.object, at).filter(|byte| (p.from..p.from + p.bits).contains(&(8 * byte)));
        known.count() as u32 * 8 == p.bits
    }

    fn is_value_known(&self, v: Value) -> bool {
        self.recording.is_known(self.recording.value_slot(v), self.cursor.at())
    }

    /// A value in the lane.
    fn value(&self, v: Value) -> u64 {
        self.cursor.bits(self.recording.value_slot(v) + self.lane as u32)
    }

    /// Scalars or bytes that indices lead to; `None` before they are computed.
    fn behind(&self, indices: &[(Value, u32)]) -> Option<u64> {
        indices.iter().try_fold(0u64, |sum, &(i, stride)| {
            let moved = || sum.wrapping_add(self.value(i).wrapping_mul(u64::from(stride)));
            self.is_value_known(i).then(moved)
        })
    }

    /// The scalar of a part that has no parts itself.
    pub fn scalar(&self, part: &Part) -> Bits {
        let r = self.recording;
        let v = &r.debug.variables[part.variable];
        if v.home == Home::Inputs {
            let slot = v.slots.get(part.leaf as usize);
            let row = slot.and_then(|s| r.inputs.get(s));
            return row.and_then(|row| row.get(self.lane)).map_or(Bits::Unknown, |&b| Bits::Known(b));
        }
        let Some(pieces) = self.pieces(part) else { return Bits::Unknown };
        if pieces.iter().all(|p| self.is_piece_known(p)) {
            let bits = |p: &Piece| (self.cursor.bits(p.slot) >> p.from & p.mask()) << p.to;
            return Bits::Known(pieces.iter().map(bits).fold(0, |all, bits| all | bits));
        }
        match v.home {
            Home::Var { .. } | Home::Pointer { memory: PointerMemory::Private(_), .. } => Bits::Unset,
            Home::Pointer { memory: PointerMemory::Device | PointerMemory::Workgroup, .. }
            | Home::Values(_)
            | Home::Memory { .. }
            | Home::Inputs
            | Home::Elsewhere => Bits::Unknown,
        }
    }

    /// The bits of the state on which a part depends, with all elements that the recording accesses of arrays of unknown
    /// length. The search ends behind [`MAX_WATCHED`] slots.
    pub(crate) fn watched(&self, part: &Part) -> Watched {
        let mut out = Watched::default();
        self.each_scalar(part, &mut |scalar| {
            for piece in self.pieces(scalar).into_iter().flatten() {
                *out.0.entry(piece.slot).or_default() |= piece.mask() << piece.from;
            }
            out.0.len() <= MAX_WATCHED
        });
        out
    }

    /// Calls `f` with every scalar of a part, until it returns false; of an array in memory with more elements than the
    /// recording accesses scalars, with those that it accesses.
    fn each_scalar(&self, part: &Part, f: &mut impl FnMut(&Part) -> bool) -> bool {
        if !self.has_scalars(part) {
            return true;
        }
        let r = self.recording;
        match r.debug.types.get(part.ty as usize).map(|t| &t.kind) {
            Some(TypeKind::Scalar { .. }) => f(part),
            Some(&TypeKind::Array { n, stride, .. })
                if n as usize > r.memory.len() && self.start(part).is_some() =>
            {
                let touched = self.touched(part, n, stride, r.len());
                let mut elements = touched.iter().filter_map(|i| self.part(part, &format!("[{i}]")));
                elements.all(|p| self.each_scalar(&p, f))
            }
            _ => self.parts_until(part, r.len()).iter().all(|p| self.each_scalar(p, f)),
        }
    }

    /// Formats a part in the notation of the languages: `vec3(1.0, 2.0, 3.0)`, `{pos: …, n: 3}`.
    pub fn show(&self, part: &Part) -> String {
        self.show_to(part, 0)
    }

    fn show_to(&self, part: &Part, depth: u32) -> String {
        const MOST: usize = 16;
        let debug = &self.recording.debug;
        let Some(ty) = debug.types.get(part.ty as usize) else { return "?".into() };
        let list = |open: &str, close: &str, named: bool| {
            let (parts, count) = self.first_parts(part, MOST);
            if depth > 4 && !parts.is_empty() {
                return format!("{open}…{close}");
            }
            let mut texts: Vec<String> = parts.iter().map(|p| self.show_to(p, depth + 1)).collect();
            // If all parts are equally unknown, they are not listed.
            if let Some(first) = texts.first().filter(|&t| [UNSET, UNKNOWN].contains(&t.as_str()))
                && texts.iter().all(|t| t == first)
            {
                return first.clone();
            }
            for (text, p) in texts.iter_mut().zip(&parts) {
                let name = p.path.strip_prefix(&part.path).unwrap_or(&p.path).trim_start_matches('.');
                if named && !name.is_empty() {
                    *text = format!("{name}: {text}");
                }
            }
            if count > MOST {
                texts.push(format!("… {} more", count - MOST));
            }
            format!("{open}{}{close}", texts.join(", "))
        };
        if self.descriptors(part).is_some() {
            return list("[", "]", true);
        }
        match &ty.kind {
            TypeKind::Scalar { ty, signed, encoding } => match self.scalar(part) {
                Bits::Known(bits) => match encoding {
                    Some(name) => encoded_text(name, bits),
                    None => scalar_text(*ty, *signed, bits),
                },
                Bits::Unset => UNSET.into(),
                Bits::Unknown => UNKNOWN.into(),
            },
            TypeKind::Vector { .. } | TypeKind::Matrix { .. } => {
                list(&format!("{}(", debug.type_name(part.ty)), ")", false)
            }
            TypeKind::Array { n: 0, .. } => list("[", "]", true),
            TypeKind::Array { matrix, .. } => {
                list(&format!("{}[", matrix.as_deref().unwrap_or_default()), "]", false)
            }
            TypeKind::Struct { .. } => list("{", "}", true),
            TypeKind::Opaque(name) => format!("<{name}>"),
        }
    }

    /// Calls and places of the stack at the next step, the innermost first.
    pub fn stack(&self) -> Vec<(u32, Place, u32)> {
        let r = self.recording;
        let at = self.cursor.at();
        // The current place of the lane, or its last one.
        let mine = |s: &&crate::recording::Step| s.active >> self.lane & 1 == 1 && s.place != 0;
        let next = r.steps.get(at).filter(|s| mine(s));
        let step = next.or_else(|| r.steps[..at.min(r.len())].iter().rev().find(mine));
        let step = step.or_else(|| r.steps.iter().find(mine));
        let Some(step) = step else { return Vec::new() };
        let list = r.debug.stack(step.place);
        list.into_iter().map(|(call, place)| (call, r.debug.places[place as usize], place)).collect()
    }
}

/// An element of an array of descriptors.
fn element(array: &Part, i: u32) -> Part {
    Part { path: format!("{}[{i}]", array.path), element: Some(i), ..*array }
}

//! Variables of a module with a decoration, and the variable that an instruction accesses.
//!
//! This file reads the words of a valid module. `readonly` uses it for bindings that are not writable or not readable, `restrict`
//! for variables without aliases.

use std::collections::BTreeMap;

use rustc_hash::{FxHashMap, FxHashSet};

// SPIR-V opcodes.
const OP_TYPE_ARRAY: u32 = 28;
const OP_TYPE_RUNTIME_ARRAY: u32 = 29;
const OP_TYPE_POINTER: u32 = 32;
const OP_FUNCTION: u32 = 54;
const OP_VARIABLE: u32 = 59;
const OP_TEXEL_POINTER: u32 = 60;
const OP_LOAD: u32 = 61;
const OP_STORE: u32 = 62;
const OP_ACCESS_CHAIN: u32 = 65;
const OP_IN_BOUNDS_ACCESS_CHAIN: u32 = 66;
const OP_DECORATE: u32 = 71;
const OP_MEMBER_DECORATE: u32 = 72;
const OP_COPY_OBJECT: u32 = 83;
const OP_IMAGE_FETCH: u32 = 95;
const OP_IMAGE_READ: u32 = 98;
const OP_IMAGE_WRITE: u32 = 99;
const OP_IMAGE: u32 = 100;
const OP_ATOMIC_LOAD: u32 = 227;
const OP_ATOMIC_STORE: u32 = 228;
const OP_ATOMIC_XOR: u32 = 242;
// SPIR-V decorations.
pub const RESTRICT: u32 = 19;
pub const NON_WRITABLE: u32 = 24;
pub const NON_READABLE: u32 = 25;
pub const RESTRICT_POINTER: u32 = 5355;
const BINDING: u32 = 33;
const DESCRIPTOR_SET: u32 = 34;
const OFFSET: u32 = 35;

/// Part of a variable that has a decoration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Part {
    /// The whole variable.
    All,
    /// For each member, the offset of its first byte, and `true` if it has the decoration.
    Members(BTreeMap<u64, bool>),
}

impl Part {
    /// Returns `true` if the byte at an offset has the decoration.
    pub fn holds(&self, offset: u64) -> bool {
        match self {
            Part::All => true,
            Part::Members(members) => members.range(..=offset).next_back().is_some_and(|m| *m.1),
        }
    }
}

/// Returns the instructions: position in the module, opcode, operands.
fn instructions(words: &[u32]) -> impl Iterator<Item = (usize, u32, &[u32])> {
    let mut at = 5;
    std::iter::from_fn(move || {
        let &first = words.get(at)?;
        let end = (at + ((first >> 16) as usize).max(1)).min(words.len());
        let inst = (at, first & 0xffff, &words[at + 1..end]);
        at = end;
        Some(inst)
    })
}

/// Variables with a set and a binding, and the part of each that has a decoration.
pub type Bound = Vec<(u32, (u32, u32), Option<Part>)>;

/// Returns the variables of a module that have a set and a binding, with the part of each that has a decoration.
pub fn bound(words: &[u32], decoration: u32) -> Bound {
    let (mut sets, mut bindings) = (FxHashMap::default(), FxHashMap::default());
    let mut decorated = FxHashSet::default();
    let mut members: FxHashMap<u32, FxHashMap<u32, (u64, bool)>> = FxHashMap::default();
    let (mut inner, mut variables) = (FxHashMap::default(), Vec::new());
    for (_, op, operands) in instructions(words) {
        match (op, operands) {
            (OP_FUNCTION, _) => break,
            (OP_DECORATE, &[id, BINDING, n]) => drop(bindings.insert(id, n)),
            (OP_DECORATE, &[id, DESCRIPTOR_SET, n]) => drop(sets.insert(id, n)),
            (OP_DECORATE, &[id, of]) if of == decoration => drop(decorated.insert(id)),
            (OP_MEMBER_DECORATE, &[id, member, OFFSET, at]) => {
                members.entry(id).or_default().entry(member).or_default().0 = at.into();
            }
            (OP_MEMBER_DECORATE, &[id, member, of]) if of == decoration => {
                members.entry(id).or_default().entry(member).or_default().1 = true;
            }
            (OP_TYPE_ARRAY | OP_TYPE_RUNTIME_ARRAY, &[id, of, ..]) | (OP_TYPE_POINTER, &[id, _, of]) => {
                inner.insert(id, of);
            }
            (OP_VARIABLE, &[ty, id, ..]) => variables.push((id, ty)),
            _ => {}
        }
    }
    let part = |id: u32, mut ty: u32| {
        // Types refer only to earlier types, so this loop ends.
        while let Some(&of) = inner.get(&ty) {
            ty = of;
        }
        match (decorated.contains(&id), members.get(&ty)) {
            (true, _) => Some(Part::All),
            (false, Some(members)) if members.values().any(|m| m.1) => {
                Some(Part::Members(members.values().copied().collect()))
            }
            (false, _) => None,
        }
    };
    let of = |&(id, ty): &(u32, u32)| Some((id, (*sets.get(&id)?, *bindings.get(&id)?), part(id, ty)));
    variables.iter().filter_map(of).collect()
}

/// Returns the ids that have a decoration.
pub fn ids(words: &[u32], decoration: u32) -> FxHashSet<u32> {
    let of = instructions(words).take_while(|(_, op, _)| *op != OP_FUNCTION);
    of.filter_map(|(_, op, operands)| match (op, operands) {
        (OP_DECORATE, &[id, of]) if of == decoration => Some(id),
        _ => None,
    })
    .collect()
}

/// Path of an access.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Through {
    /// Directly through the variable of the memory or image.
    Variable(u32),
    /// Through an address that the variable holds.
    Pointer(u32),
}

/// Returns the path of each instruction that accesses memory or an image through a variable, by the position of the
/// instruction in the module.
pub fn accesses(words: &[u32]) -> FxHashMap<u32, Through> {
    // For each id, the variable that it is derived from, and the number of loads in between.
    let (mut roots, mut found) = (FxHashMap::default(), FxHashMap::default());
    for (at, op, operands) in instructions(words) {
        let at = at as u32;
        match (op, operands) {
            (OP_VARIABLE, &[_, id, ..]) => drop(roots.insert(id, (id, 0))),
            (
                OP_ACCESS_CHAIN | OP_IN_BOUNDS_ACCESS_CHAIN | OP_TEXEL_POINTER | OP_COPY_OBJECT | OP_IMAGE,
                &[_, id, from, ..],
            ) => {
                roots.get(&from).copied().map(|root| roots.insert(id, root));
            }
            (OP_LOAD, &[_, id, from, ..]) => {
                let Some(&(root, loads)) = roots.get(&from) else { continue };
                roots.insert(id, (root, loads + 1));
                found.extend(through(root, loads).map(|by| (at, by)));
            }
            (OP_STORE | OP_ATOMIC_STORE, &[from, ..])
            | (OP_ATOMIC_LOAD..=OP_ATOMIC_XOR, &[_, _, from, ..]) => {
                found.extend(roots.get(&from).and_then(|&(root, n)| Some((at, through(root, n)?))));
            }
            // These instructions take a loaded image, so one load is not counted.
            (OP_IMAGE_FETCH | OP_IMAGE_READ, &[_, _, from, ..]) | (OP_IMAGE_WRITE, &[from, ..]) => {
                let by = |&(root, n): &(u32, u32)| Some((at, through(root, n.checked_sub(1)?)?));
                found.extend(roots.get(&from).and_then(by));
            }
            _ => {}
        }
    }
    found
}

fn through(root: u32, loads: u32) -> Option<Through> {
    match loads {
        0 => Some(Through::Variable(root)),
        1 => Some(Through::Pointer(root)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Encodes an instruction.
    fn inst(op: u32, operands: &[u32]) -> Vec<u32> {
        [&[(operands.len() as u32 + 1) << 16 | op], operands].concat()
    }

    #[test]
    fn accesses_go_through_variables_and_the_pointers_that_they_hold() {
        let list = [
            inst(OP_VARIABLE, &[1, 10, 12]),
            inst(OP_ACCESS_CHAIN, &[2, 11, 10, 5]),
            inst(OP_LOAD, &[3, 12, 11]),
            inst(OP_ACCESS_CHAIN, &[2, 13, 12, 5]),
            inst(OP_STORE, &[13, 6]),
            inst(OP_IMAGE_WRITE, &[12, 6, 6]),
            inst(OP_STORE, &[99, 6]),
        ];
        let mut words = vec![0; 5];
        let mut places = Vec::new();
        for inst in &list {
            places.push(words.len() as u32);
            words.extend(inst);
        }
        let found = accesses(&words);
        let at = |n: usize| found.get(&places[n]).copied();
        assert_eq!([at(0), at(1), at(3)], [None; 3]);
        assert_eq!((at(2), at(4)), (Some(Through::Variable(10)), Some(Through::Pointer(10))));
        assert_eq!((at(5), at(6)), (Some(Through::Variable(10)), None));
    }
}

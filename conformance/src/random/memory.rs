//! Buffers, variables, arrays, structures, workgroup memory, atomics.

use std::fmt::Write;

use super::{ARRAY, B, F, Generator, INPUTS, RECORDS, SHARED, Ty, U, full};
use crate::value::{Scalar, Type};

/// A structure in buffers. Its first member is a word.
#[derive(Default)]
pub struct Record {
    /// Members: type, number of elements if it is an array (otherwise 0), byte offset.
    pub members: Vec<(Ty, u32, u32)>,
    /// Size in bytes.
    pub bytes: usize,
    /// The type with offsets, and without offsets for variables.
    laid: String,
    plain: String,
}

impl Generator {
    /// Declares the memory of a module.
    pub fn memory(&mut self) {
        self.input = self.m.words_buffer(0);
        self.out = self.m.words_buffer(1);
        self.counter = self.m.words_buffer(2);
        self.block = self.m.uniform_buffer(3, INPUTS as u32 / 4);
        self.make_record();
        self.records = self.records_buffer(4);
        self.own = self.records_buffer(5);
        self.bounds_memory();
        for _ in 0..self.r.below(3) {
            let ty = self.random_ty();
            let init = self.constant(ty);
            let id = self.ty(ty);
            let pointer = self.m.pointer("Private", &id);
            let v = self.m.unique(&format!("OpVariable {pointer} Private {init}"));
            self.globals.push((v, ty, "Private"));
        }
        if self.r.one_in(2) {
            let plain = self.record.plain.clone();
            let null = self.m.global(&format!("OpConstantNull {plain}"));
            let pointer = self.m.pointer("Private", &plain);
            let v = self.m.unique(&format!("OpVariable {pointer} Private {null}"));
            self.structures.push((v, "Private"));
        }
        if self.fragment {
            for (location, (ty, flat)) in
                [((F, 4), false), ((F, 2), true), ((U, 2), true)].into_iter().enumerate()
            {
                let v = self.m.location("Input", location as u32, &full(ty), flat);
                self.inputs.push((v, ty));
            }
            return;
        }
        if let Some(shape) = self.shape {
            return self.ports(shape);
        }
        if !self.small {
            self.workgroup_memory();
        }
    }

    /// Declares workgroup memory as one variable, which fixes the order of the arrays. Arrays with accesses out of
    /// range come last.
    fn workgroup_memory(&mut self) {
        let mut list = vec![(U, 1)];
        if self.r.one_in(2) {
            list.push(self.random_ty());
        }
        list.retain(|t| t.0 != B);
        let mut members = vec![self.m.scalar(U)];
        for &ty in &list {
            let (id, n) = (self.ty(ty), self.m.u32(SHARED));
            members.push(self.m.global(&format!("OpTypeArray {id} {n}")));
        }
        let (n, array) = self.bounds_arrays();
        members.extend(vec![array; n]);
        let block = self.m.unique(&format!("OpTypeStruct {}", members.join(" ")));
        let pointer = self.m.pointer("Workgroup", &block);
        let v = self.m.unique(&format!("OpVariable {pointer} Workgroup"));
        let mut places = (0..members.len() as u32).map(|k| format!("{v} {}", self.m.u32(k)));
        self.tally = places.next().unwrap_or_default();
        self.shared = places.by_ref().take(list.len()).zip(list).collect();
        self.places.arrays = places.collect();
    }

    /// Chooses the members of the record and their offsets as in std430; long vectors are aligned like
    /// their components.
    fn make_record(&mut self) {
        let mut members = vec![((U, 1), 0, 0)];
        for _ in 0..self.r.below(4) + 1 {
            let ty = self.random_ty();
            if ty.0 != B {
                let elements = if self.r.one_in(3) { self.r.below(4) as u32 + 2 } else { 0 };
                members.push((ty, elements, 0));
            }
        }
        let (mut at, mut most, mut ids, mut plain) = (0u32, 4, Vec::new(), Vec::new());
        for (ty, elements, offset) in &mut members {
            let size = ty.0.bits() / 8;
            match size {
                1 => {
                    self.m.capability("StorageBuffer8BitAccess");
                    self.m.extension("SPV_KHR_8bit_storage");
                }
                2 => {
                    self.m.capability("StorageBuffer16BitAccess");
                    self.m.extension("SPV_KHR_16bit_storage");
                }
                _ => {}
            }
            let align = size
                * match ty.1 {
                    n @ (1 | 2 | 4) => n,
                    3 => 4,
                    _ => 1,
                };
            let stride = (size * ty.1).next_multiple_of(align);
            at = at.next_multiple_of(align);
            *offset = at;
            most = most.max(align);
            at += if *elements == 0 { size * ty.1 } else { stride * *elements };
            let id = self.m.ty(&full(*ty));
            if *elements == 0 {
                ids.push(id.clone());
                plain.push(id);
            } else {
                let n = self.m.u32(*elements);
                let array = self.m.unique(&format!("OpTypeArray {id} {n}"));
                self.m.decorate(&format!("{array} ArrayStride {stride}"));
                ids.push(array);
                plain.push(self.m.global(&format!("OpTypeArray {id} {n}")));
            }
        }
        let bytes = at.next_multiple_of(most.max(4)) as usize;
        let laid = self.m.unique(&format!("OpTypeStruct {}", ids.join(" ")));
        for (k, (_, _, offset)) in members.iter().enumerate() {
            self.m.decorate_member(&format!("{laid} {k} Offset {offset}"));
        }
        let plain = self.m.unique(&format!("OpTypeStruct {}", plain.join(" ")));
        self.record = Record { members, bytes, laid, plain };
    }

    fn records_buffer(&mut self, binding: u32) -> String {
        let (laid, bytes) = (self.record.laid.clone(), self.record.bytes);
        let array = self.m.unique(&format!("OpTypeRuntimeArray {laid}"));
        self.m.decorate(&format!("{array} ArrayStride {bytes}"));
        let block = self.m.unique(&format!("OpTypeStruct {array}"));
        self.m.decorate(&format!("{block} Block"));
        self.m.decorate_member(&format!("{block} 0 Offset 0"));
        let pointer = self.m.pointer("StorageBuffer", &block);
        let variable = self.m.unique(&format!("OpVariable {pointer} StorageBuffer"));
        self.m.decorate(&format!("{variable} DescriptorSet 0"));
        self.m.decorate(&format!("{variable} Binding {binding}"));
        variable
    }

    /// Chooses a member with components of this type, if there is one.
    fn member(&mut self, ty: Ty) -> Option<usize> {
        let list: Vec<usize> =
            (0..self.record.members.len()).filter(|&k| self.record.members[k].0 == ty).collect();
        if list.is_empty() { None } else { Some(*self.r.pick(&list)) }
    }

    /// Makes an index that is mostly below `n`.
    pub(super) fn index(&mut self, n: u32, depth: u32) -> String {
        if self.r.one_in(3) {
            let k = self.r.below(n as usize) as u32;
            return self.m.u32(k);
        }
        let word = self.m.scalar(U);
        let i = self.expression((U, 1), depth + 1);
        match self.r.below(8) {
            0 => i,
            1..=4 => {
                let n = self.m.u32(n);
                self.m.push(&format!("OpUMod {word} {i} {n}"))
            }
            _ => {
                let mask = self.m.u32(n.next_power_of_two() - 1);
                self.m.push(&format!("OpBitwiseAnd {word} {i} {mask}"))
            }
        }
    }

    /// Makes a pointer to a member (or an element of it) of a record in a buffer or a variable. Indices into the
    /// invocations' own records stay in range, because other invocations' records follow.
    fn member_pointer(&mut self, root: &str, class: &str, first: &[String], k: usize, depth: u32) -> String {
        let (ty, elements, _) = self.record.members[k];
        let id = self.ty(ty);
        let pointer = self.m.pointer(class, &id);
        let mut path: Vec<String> = first.to_vec();
        path.push(self.m.u32(k as u32));
        if elements > 0 {
            let mut i = self.index(elements, depth);
            if root == self.own {
                let (word, n) = (self.m.scalar(U), self.m.u32(elements));
                i = self.m.push(&format!("OpUMod {word} {i} {n}"));
            }
            path.push(i);
        }
        self.m.push(&format!("OpAccessChain {pointer} {root} {}", path.join(" ")))
    }

    /// Loads a value of a type from a record.
    pub fn load_member(&mut self, ty: Ty, depth: u32) -> Option<String> {
        let k = self.member(ty)?;
        let id = self.ty(ty);
        let zero = self.m.u32(0);
        let p = match self.r.below(3) {
            0 if !self.structures.is_empty() => {
                let (v, class) = self.r.pick(&self.structures).clone();
                self.member_pointer(&v, class, &[], k, depth)
            }
            // Only `main` knows the invocation.
            1 if !self.id.is_empty() => {
                let (own, i) = (self.own.clone(), self.id.clone());
                self.member_pointer(&own, "StorageBuffer", &[zero, i], k, depth)
            }
            _ => {
                let i = self.index(RECORDS as u32, depth);
                let records = self.records.clone();
                self.member_pointer(&records, "StorageBuffer", &[zero, i], k, depth)
            }
        };
        Some(self.m.push(&format!("OpLoad {id} {p}")))
    }

    /// Stores to a member of the invocation's own record or of a structure variable.
    pub fn store_member(&mut self) {
        let k = self.r.below(self.record.members.len());
        let ty = self.record.members[k].0;
        let e = self.expression(ty, 0);
        let to_variable = !self.structures.is_empty() && self.r.one_in(2) || self.id.is_empty();
        if to_variable {
            if self.structures.is_empty() {
                return;
            }
            let (v, class) = self.r.pick(&self.structures).clone();
            let p = self.member_pointer(&v, class, &[], k, 0);
            self.m.push_only(&format!("OpStore {p} {e}"));
            return;
        }
        let e = self.without_nan(&e, ty);
        let (zero, own, i) = (self.m.u32(0), self.own.clone(), self.id.clone());
        let p = self.member_pointer(&own, "StorageBuffer", &[zero, i], k, 0);
        self.m.push_only(&format!("OpStore {p} {e}"));
    }

    /// Copies a structure variable to another, loads and changes it, or constructs it.
    pub fn copy_structure(&mut self) {
        if self.structures.is_empty() {
            return;
        }
        let (to, _) = self.r.pick(&self.structures).clone();
        let (from, _) = self.r.pick(&self.structures).clone();
        let plain = self.record.plain.clone();
        if self.r.one_in(3) && to != from {
            self.m.push_only(&format!("OpCopyMemory {to} {from}"));
            return;
        }
        let all = self.m.push(&format!("OpLoad {plain} {from}"));
        let k = self.r.below(self.record.members.len());
        let (ty, elements, _) = self.record.members[k];
        let e = self.expression(ty, 1);
        let mut path = k.to_string();
        if elements > 0 {
            let _ = write!(path, " {}", self.r.below(elements as usize));
        }
        let all = self.m.push(&format!("OpCompositeInsert {plain} {e} {all} {path}"));
        self.m.push_only(&format!("OpStore {to} {all}"));
    }

    /// Loads a word from a dynamic or constant index of a buffer, block or array.
    pub fn load_word(&mut self, depth: u32) -> String {
        let word = self.m.scalar(U);
        let zero = self.m.u32(0);
        match self.r.below(5) {
            0 | 1 => {
                let pointer = self.m.pointer("StorageBuffer", &word);
                let index = self.index(INPUTS as u32, depth);
                let input = self.input.clone();
                let p = self.m.push(&format!("OpAccessChain {pointer} {input} {zero} {index}"));
                self.m.push(&format!("OpLoad {word} {p}"))
            }
            2 | 3 => {
                let pointer = self.m.pointer("Uniform", &word);
                let (i, c) = (self.r.below(INPUTS / 4) as u32, self.r.below(4) as u32);
                let (i, c) = match self.r.one_in(4) {
                    true => (self.index(INPUTS as u32 / 4, depth), self.index(4, depth)),
                    false => (self.m.u32(i), self.m.u32(c)),
                };
                let block = self.block.clone();
                let p = self.m.push(&format!("OpAccessChain {pointer} {block} {zero} {i} {c}"));
                self.m.push(&format!("OpLoad {word} {p}"))
            }
            _ => match self.arrays.is_empty() {
                true => self.m.u32(5),
                false => {
                    let p = self.element(depth);
                    self.m.push(&format!("OpLoad {word} {p}"))
                }
            },
        }
    }

    /// Makes a pointer to an element of a private array, mostly in range.
    pub fn element(&mut self, depth: u32) -> String {
        let word = self.m.scalar(U);
        let (array, class) = self.r.pick(&self.arrays).clone();
        let pointer = self.m.pointer(class, &word);
        let index = self.index(ARRAY, depth);
        self.m.push(&format!("OpAccessChain {pointer} {array} {index}"))
    }

    /// Replaces NaNs, whose bits are not part of the contract, by zero.
    pub fn without_nan(&mut self, id: &str, (s, n): Ty) -> String {
        if !matches!(s, Scalar::Float(_)) {
            return id.into();
        }
        let (ty, b) = (self.ty((s, n)), self.ty((B, n)));
        let zero = self.m.composite(&full((s, n)), &mut [0; 4].iter());
        let nan = self.m.push(&format!("OpIsNan {b} {id}"));
        self.m.push(&format!("OpSelect {ty} {nan} {zero} {id}"))
    }

    /// Returns the bits of a float, with zero for NaN.
    pub fn observe(&mut self, id: &str, s: Scalar) -> String {
        let clean = self.without_nan(id, (s, 1));
        let bits = self.m.scalar(Scalar::Int(s.bits(), false));
        self.m.push(&format!("OpBitcast {bits} {clean}"))
    }

    /// Declares initialized local variables, arrays and structures in `m.variables`.
    pub fn locals(&mut self) {
        let n = self.r.below(4) + 3;
        let mut stores = Vec::new();
        for k in 0..n {
            let ty = if k == 0 { (U, 1) } else { self.random_ty() };
            let id = self.ty(ty);
            let pointer = self.m.pointer("Function", &id);
            let v = self.m.fresh();
            let init = self.constant(ty);
            match self.r.one_in(3) {
                true => {
                    let _ = writeln!(self.m.variables, "{v} = OpVariable {pointer} Function {init}");
                }
                false => {
                    let _ = writeln!(self.m.variables, "{v} = OpVariable {pointer} Function");
                    stores.push(format!("OpStore {v} {init}"));
                }
            }
            self.variables.push((v, ty, "Function"));
        }
        self.variables.extend(self.globals.iter().cloned());
        if self.r.one_in(2) {
            let word = self.m.scalar(U);
            let size = self.m.u32(ARRAY);
            let array = self.m.global(&format!("OpTypeArray {word} {size}"));
            let pointer = self.m.pointer("Function", &array);
            let v = self.m.fresh();
            let _ = writeln!(self.m.variables, "{v} = OpVariable {pointer} Function");
            let element = self.m.pointer("Function", &word);
            for k in 0..ARRAY {
                let k_id = self.m.u32(k);
                let p = self.m.push(&format!("OpAccessChain {element} {v} {k_id}"));
                self.m.push_only(&format!("OpStore {p} {k_id}"));
            }
            self.arrays.push((v, "Function"));
        }
        if self.r.one_in(3) {
            let plain = self.record.plain.clone();
            let null = self.m.global(&format!("OpConstantNull {plain}"));
            let pointer = self.m.pointer("Function", &plain);
            let v = self.m.fresh();
            let _ = writeln!(self.m.variables, "{v} = OpVariable {pointer} Function {null}");
            self.structures.push((v, "Function"));
        }
        for s in stores {
            self.m.push_only(&s);
        }
    }

    /// Makes a workgroup barrier.
    pub fn barrier(&mut self) {
        let (scope, semantics) = (self.m.u32(2), self.m.u32(0x108));
        self.m.push_only(&format!("OpControlBarrier {scope} {scope} {semantics}"));
    }

    /// Each invocation stores a value; after a barrier, each loads the value of another.
    pub fn exchange(&mut self) {
        if self.shape.is_some() {
            return self.exchange_outputs();
        }
        if self.ordered && self.r.one_in(3) {
            return self.take_turns();
        }
        let (shared, ty) = self.r.pick(&self.shared).clone();
        let (id, word) = (self.ty(ty), self.m.scalar(U));
        let pointer = self.m.pointer("Workgroup", &id);
        let index = self.local_index.clone();
        let e = self.expression(ty, 0);
        let p = self.m.push(&format!("OpAccessChain {pointer} {shared} {index}"));
        self.m.push_only(&format!("OpStore {p} {e}"));
        self.barrier();
        // The index stays below the size of the workgroup, because only these elements were written.
        let size = self.m.local_size();
        let i = self.expression((U, 1), 0);
        let n = self.m.u32(size);
        let i = self.m.push(&format!("OpUMod {word} {i} {n}"));
        let p = self.m.push(&format!("OpAccessChain {pointer} {shared} {i}"));
        let v = self.m.push(&format!("OpLoad {id} {p}"));
        self.values.push((v, ty));
        self.barrier();
    }

    /// Makes atomics on workgroup memory between barriers.
    fn take_turns(&mut self) {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("Workgroup", &word);
        let place = self.tally.clone();
        let tally = self.m.push(&format!("OpAccessChain {pointer} {place}"));
        let start = self.r.below(100) as u32;
        let start = self.m.u32(start);
        // All invocations store the same value.
        self.m.push_only(&format!("OpStore {tally} {start}"));
        self.barrier();
        let v = self.atomic(&tally);
        self.values.push((v, (U, 1)));
        self.barrier();
        let v = self.m.push(&format!("OpLoad {word} {tally}"));
        self.values.push((v, (U, 1)));
        self.barrier();
    }

    /// Makes a random atomic on a word.
    fn atomic(&mut self, p: &str) -> String {
        let word = self.m.scalar(U);
        let (scope, none) = (self.m.u32(1), self.m.u32(0));
        let e = self.expression((U, 1), 1);
        match self.r.below(12) {
            0 => self.m.push(&format!("OpAtomicIIncrement {word} {p} {scope} {none}")),
            1 => self.m.push(&format!("OpAtomicIDecrement {word} {p} {scope} {none}")),
            2 => {
                let c = self.expression((U, 1), 1);
                self.m.push(&format!("OpAtomicCompareExchange {word} {p} {scope} {none} {none} {e} {c}"))
            }
            3 => {
                self.m.push_only(&format!("OpAtomicStore {p} {scope} {none} {e}"));
                self.m.push(&format!("OpAtomicLoad {word} {p} {scope} {none}"))
            }
            _ => {
                let list = [
                    "OpAtomicIAdd",
                    "OpAtomicISub",
                    "OpAtomicSMin",
                    "OpAtomicUMin",
                    "OpAtomicSMax",
                    "OpAtomicUMax",
                    "OpAtomicAnd",
                    "OpAtomicOr",
                    "OpAtomicXor",
                    "OpAtomicExchange",
                ];
                let name = *self.r.pick(&list);
                self.m.push(&format!("{name} {word} {p} {scope} {none} {e}"))
            }
        }
    }

    /// Makes an atomic on a buffer. Unless the order may affect the results, the operation does not depend on it.
    pub fn count(&mut self) {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("StorageBuffer", &word);
        let zero = self.m.u32(0);
        let counter = self.counter.clone();
        let at = match self.r.one_in(3) {
            true => self.index(16, 1),
            false => {
                let k = self.r.below(16) as u32;
                self.m.u32(k)
            }
        };
        let p = self.m.push(&format!("OpAccessChain {pointer} {counter} {zero} {at}"));
        if self.ordered {
            let v = self.atomic(&p);
            self.values.push((v, (U, 1)));
            return;
        }
        let e = self.expression((U, 1), 1);
        let scope = self.m.u32(1);
        self.m.push(&format!("OpAtomicIAdd {word} {p} {scope} {zero} {e}"));
    }

    /// Stores the values of all variables in the invocation's words.
    pub fn results(&mut self) {
        if self.id.is_empty() {
            return;
        }
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("StorageBuffer", &word);
        let (zero, slots) = (self.m.u32(0), self.m.u32(super::SLOTS as u32));
        let id = self.id.clone();
        let base = self.m.push(&format!("OpIMul {word} {id} {slots}"));
        let mut words = Vec::new();
        for (v, ty, _) in self.variables.clone() {
            let id = self.ty(ty);
            let value = self.m.push(&format!("OpLoad {id} {v}"));
            for k in 0..ty.1 {
                let scalar = self.m.scalar(ty.0);
                let part = match ty.1 {
                    1 => value.clone(),
                    _ => self.m.push(&format!("OpCompositeExtract {scalar} {value} {k}")),
                };
                words.push(self.to_word(&part, ty.0));
            }
        }
        words.extend(self.small_words());
        for (k, w) in words.iter().enumerate() {
            // Several values share a slot if there are more values than slots.
            let slot = self.m.u32((k % super::SLOTS) as u32);
            let at = self.m.push(&format!("OpIAdd {word} {base} {slot}"));
            let out = self.out.clone();
            let p = self.m.push(&format!("OpAccessChain {pointer} {out} {zero} {at}"));
            let old = self.m.push(&format!("OpLoad {word} {p}"));
            let odd = self.m.u32(0x9e37_79b1);
            let old = self.m.push(&format!("OpIMul {word} {old} {odd}"));
            let mixed = self.m.push(&format!("OpBitwiseXor {word} {old} {w}"));
            self.m.push_only(&format!("OpStore {p} {mixed}"));
        }
    }

    /// Returns a word that depends on all bits of a scalar.
    pub(super) fn to_word(&mut self, part: &str, s: Scalar) -> String {
        let word = self.m.scalar(U);
        match s {
            Scalar::Float(bits) => {
                let id = self.observe(part, s);
                self.to_word(&id, Scalar::Int(bits, false))
            }
            B => {
                let (one, zero) = (self.m.u32(1), self.m.u32(0));
                self.m.push(&format!("OpSelect {word} {part} {one} {zero}"))
            }
            U => part.into(),
            Scalar::Int(64, _) => {
                let pair = self.m.ty(&Type::Vector(U, 2));
                let pair = self.m.push(&format!("OpBitcast {pair} {part}"));
                let (low, high) = (
                    self.m.push(&format!("OpCompositeExtract {word} {pair} 0")),
                    self.m.push(&format!("OpCompositeExtract {word} {pair} 1")),
                );
                let odd = self.m.u32(0x85eb_ca6b);
                let high = self.m.push(&format!("OpIMul {word} {high} {odd}"));
                self.m.push(&format!("OpBitwiseXor {word} {low} {high}"))
            }
            Scalar::Int(32, _) => self.m.push(&format!("OpBitcast {word} {part}")),
            Scalar::Int(..) => self.m.push(&format!("OpUConvert {word} {part}")),
        }
    }
}

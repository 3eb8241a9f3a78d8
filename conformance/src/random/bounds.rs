//! Accesses that invite a compiler to reason about bounds: counters that wrap, signed and unsigned guards on counters,
//! shifts by any amount, clamps, remainders, indices of all widths, strides and member offsets near 2^31 and 2^32,
//! device addresses.
//!
//! Reads out of range return zero and writes out of range are dropped, so that every module has one result. Workgroup
//! memory is the exception: only its end is a bound, so an index past the end of an array reaches the memory after the
//! array. The arrays of this module are therefore the last in workgroup memory, and each module accesses all of them in
//! one way. It fills them at the start and then only reads, or only adds and reads at the end, or writes the same value
//! everywhere and reads at the end.

use super::{ARRAY, B, Exits, Generator, I, INPUTS, U};
use crate::text::GLSL;
use crate::value::{Scalar, Type};

/// Elements of the workgroup arrays of this module.
const SIZE: u32 = 64;
/// Words of the buffer with very large strides and offsets.
pub(super) const FAR_WORDS: usize = 32;
/// Binding of this buffer, and its index among the buffers.
pub(super) const FAR: u32 = 6;

/// Steps of counters.
const STEPS: [u32; 14] =
    [1, 1, 1, 2, 3, 7, 0xff, 0xffff, 0x1_0000, 0x1000_0000, 0x7fff_ffff, 0x8000_0000, 0xffff_0001, u32::MAX];
/// First values of counters.
const STARTS: [u32; 12] =
    [0, 0, 0, 1, 5, SIZE - 1, SIZE, 0x7fff_fff0, 0x8000_0000, 0xffff_ff00, 0xffff_fff8, u32::MAX];
/// Limits in guards and clamps.
const LIMITS: [u32; 18] = [
    0,
    1,
    2,
    7,
    8,
    15,
    16,
    31,
    SIZE - 1,
    SIZE - 1,
    SIZE,
    SIZE,
    SIZE + 1,
    255,
    0x7fff_ffff,
    0x8000_0000,
    0x8000_0001,
    u32::MAX,
];
/// Large offsets within a device address.
const OFFSETS: [u64; 10] = [
    0,
    4,
    60,
    0x7fff_fffc,
    0x8000_0000,
    0xffff_fffc,
    0x1_0000_0000,
    0x1_0000_0004,
    0x7f_ffff_fffc,
    0xffff_ffff_ffff_fffc,
];

/// The single use of a module's workgroup arrays.
#[derive(Clone, Copy, Default, PartialEq, Eq)]
enum Use {
    /// Filled at the start, then only read.
    #[default]
    Read,
    /// Only added to; read at the end.
    Add,
    /// All invocations write the same value; read at the end.
    Mark,
}

/// Memory for the accesses of this module.
#[derive(Default)]
pub struct Places {
    /// Workgroup arrays: variable and member. Empty in fragment modules. Only other arrays of the list follow the first
    /// one in memory.
    pub(super) arrays: Vec<String>,
    usage: Use,
    /// Views of the far buffer: an array with a large stride, and a structure with members far apart.
    array: String,
    members: String,
    member_count: u32,
    /// Counters of the enclosing loops.
    counters: Vec<(String, Scalar)>,
}

impl Generator {
    /// Chooses the number of workgroup arrays, and returns it with their type.
    pub fn bounds_arrays(&mut self) -> (usize, String) {
        self.places.usage = *self.r.pick(&[Use::Read, Use::Read, Use::Add, Use::Mark]);
        let (word, n) = (self.m.scalar(U), self.m.u32(SIZE));
        (self.r.below(3) + 1, self.m.global(&format!("OpTypeArray {word} {n}")))
    }

    /// Declares the views of the far buffer.
    pub fn bounds_memory(&mut self) {
        let word = self.m.scalar(U);
        let stride = *self.r.pick(&[0x1000_0000u32, 0x2000_0000, 0x4000_0000, 0x8000_0000, 0xc000_0000, 12]);
        let array = self.m.unique(&format!("OpTypeRuntimeArray {word}"));
        self.m.decorate(&format!("{array} ArrayStride {stride}"));
        self.places.array = self.far_view(&[array], &[0]);
        let offsets = *self.r.pick(&[
            [0u32, 0x7fff_fffc, 0x8000_0000, 0xffff_ff00],
            [4, 124, 128, 0x8000_0004],
            [0, 64, 0xffff_fe00, 0xffff_0000],
        ]);
        self.places.members = self.far_view(&[word.clone(), word.clone(), word.clone(), word], &offsets);
        self.places.member_count = offsets.len() as u32;
    }

    /// Declares a variable for the far buffer with these members.
    fn far_view(&mut self, members: &[String], offsets: &[u32]) -> String {
        let block = self.m.unique(&format!("OpTypeStruct {}", members.join(" ")));
        self.m.decorate(&format!("{block} Block"));
        for (k, offset) in offsets.iter().enumerate() {
            self.m.decorate_member(&format!("{block} {k} Offset {offset}"));
        }
        let pointer = self.m.pointer("StorageBuffer", &block);
        let v = self.m.unique(&format!("OpVariable {pointer} StorageBuffer"));
        self.m.decorate(&format!("{v} DescriptorSet 0"));
        self.m.decorate(&format!("{v} Binding {FAR}"));
        v
    }

    /// Fills the arrays if the module only reads them; must be in uniform control flow.
    pub fn fill_arrays(&mut self) {
        if self.places.usage != Use::Read {
            return;
        }
        let (word, index) = (self.m.scalar(U), self.local_index.clone());
        let pointer = self.m.pointer("Workgroup", &word);
        let seven = self.m.u32(7);
        let v = self.m.push(&format!("OpIMul {word} {index} {seven}"));
        for (k, array) in self.places.arrays.clone().into_iter().enumerate() {
            let k = self.m.u32(1000 * k as u32 + 7);
            let v = self.m.push(&format!("OpIAdd {word} {v} {k}"));
            // The index is in range: workgroups are no larger than the arrays.
            let p = self.m.push(&format!("OpAccessChain {pointer} {array} {index}"));
            self.m.push_only(&format!("OpStore {p} {v}"));
        }
        self.barrier();
    }

    /// Reads the sums or the written values; must be in uniform control flow.
    pub fn read_arrays(&mut self) {
        if self.places.usage == Use::Read {
            return;
        }
        self.barrier();
        let (word, index) = (self.m.scalar(U), self.local_index.clone());
        let pointer = self.m.pointer("Workgroup", &word);
        for array in self.places.arrays.clone() {
            let p = self.m.push(&format!("OpAccessChain {pointer} {array} {index}"));
            let v = self.m.push(&format!("OpLoad {word} {p}"));
            self.mix(&v);
        }
        // The barrier keeps later additions out of these reads.
        self.barrier();
    }

    /// Mixes a word into a variable that contributes to the results.
    fn mix(&mut self, v: &str) {
        let Some((sum, ..)) = self.variables.iter().find(|v| v.1 == (U, 1)).cloned() else { return };
        let word = self.m.scalar(U);
        let old = self.m.push(&format!("OpLoad {word} {sum}"));
        let odd = self.m.u32(0x0100_0193);
        let old = self.m.push(&format!("OpIMul {word} {old} {odd}"));
        let new = self.m.push(&format!("OpIAdd {word} {old} {v}"));
        self.m.push_only(&format!("OpStore {sum} {new}"));
    }

    fn limit(&mut self) -> String {
        let k = *self.r.pick(&LIMITS);
        self.m.u32(k)
    }

    fn int(&mut self, s: Scalar, bits: u64) -> String {
        self.m.composite(&Type::Scalar(s), &mut [bits & s.mask()].iter())
    }

    /// Returns a word that is uniform over the dispatch.
    pub fn uniform_word(&mut self) -> String {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("Uniform", &word);
        let (i, c) = (self.r.below(INPUTS / 4) as u32, self.r.below(4) as u32);
        let (zero, i, c) = (self.m.u32(0), self.m.u32(i), self.m.u32(c));
        let block = self.block.clone();
        let p = self.m.push(&format!("OpAccessChain {pointer} {block} {zero} {i} {c}"));
        self.m.push(&format!("OpLoad {word} {p}"))
    }

    /// Returns a word from which an index is made.
    fn base(&mut self, depth: u32) -> String {
        let word = self.m.scalar(U);
        match self.r.below(6) {
            0 | 1 if !self.places.counters.is_empty() => {
                let (v, s) = self.r.pick(&self.places.counters).clone();
                if s == U { v } else { self.m.push(&format!("OpBitcast {word} {v}")) }
            }
            0..=2 if !self.local_index.is_empty() => self.local_index.clone(),
            3 => self.uniform_word(),
            _ => self.expression((U, 1), depth + 2),
        }
    }

    /// Returns a shift amount of up to twice the width.
    fn shift_amount(&mut self, depth: u32) -> String {
        if self.r.one_in(3) {
            let (word, e) = (self.m.scalar(U), self.base(depth));
            let mask = self.m.u32(63);
            return self.m.push(&format!("OpBitwiseAnd {word} {e} {mask}"));
        }
        let k = self.r.below(64) as u32;
        self.m.u32(k)
    }

    /// Returns an index of some integer type.
    fn shaped(&mut self, depth: u32) -> String {
        let word = self.m.scalar(U);
        if !self.places.counters.is_empty() && self.r.one_in(3) {
            return self.r.pick(&self.places.counters).0.clone();
        }
        let e = self.base(depth);
        match self.r.below(14) {
            0 | 1 => {
                let k = self.limit();
                self.m.push(&format!("OpBitwiseAnd {word} {e} {k}"))
            }
            2 => {
                let k = *self.r.pick(&[1, 3, SIZE - 1, SIZE, SIZE + 1, 100]);
                let k = self.m.u32(k);
                self.m.push(&format!("OpUMod {word} {e} {k}"))
            }
            3 => {
                let k = self.limit();
                self.m.push(&format!("OpExtInst {word} {GLSL} UMin {e} {k}"))
            }
            4 => self.clamped(&e),
            5 | 6 => {
                let n = self.shift_amount(depth);
                let name = *self.r.pick(&["OpShiftLeftLogical", "OpShiftLeftLogical", "OpShiftRightLogical"]);
                self.m.push(&format!("{name} {word} {e} {n}"))
            }
            7 => {
                let k = *self.r.pick(&[1, SIZE - 8, 0x7fff_ffff, 0x8000_0000, 0xffff_ffc0, u32::MAX]);
                let k = self.m.u32(k);
                let name = *self.r.pick(&["OpIAdd", "OpISub"]);
                self.m.push(&format!("{name} {word} {e} {k}"))
            }
            8 => {
                let k = *self.r.pick(&[2, 3, 8, 0x1_0000, 0x1000_0000, 0x4000_0001]);
                let k = self.m.u32(k);
                self.m.push(&format!("OpIMul {word} {e} {k}"))
            }
            9 => {
                let (c, k, l) = (self.expression((B, 1), depth + 2), self.limit(), self.limit());
                let small = self.m.push(&format!("OpBitwiseAnd {word} {e} {l}"));
                self.m.push(&format!("OpSelect {word} {c} {small} {k}"))
            }
            10 => {
                let (f, k, l) = (self.base(depth), self.limit(), self.limit());
                let (x, y) = (
                    self.m.push(&format!("OpBitwiseAnd {word} {e} {k}")),
                    self.m.push(&format!("OpBitwiseAnd {word} {f} {l}")),
                );
                let name = *self.r.pick(&["OpBitwiseOr", "OpBitwiseXor", "OpIAdd", "OpIMul"]);
                self.m.push(&format!("{name} {word} {x} {y}"))
            }
            11 => self.of_other_width(&e),
            12 => {
                let k = *self.r.pick(&[1, 0x0400_0000, 0x0800_0000, 0x8000_0000]);
                let k = self.m.u32(k);
                self.m.push(&format!("OpUDiv {word} {e} {k}"))
            }
            _ => e,
        }
    }

    /// Clamps a word as signed or unsigned, or by a minimum and a maximum.
    fn clamped(&mut self, e: &str) -> String {
        let (word, int) = (self.m.scalar(U), self.m.scalar(I));
        let lows = [0u32, 0, 1, 5];
        let highs = [SIZE - 1, SIZE - 1, SIZE, 7, 0x7fff_ffff];
        let (low, high) = (*self.r.pick(&lows), *self.r.pick(&highs));
        if self.r.one_in(3) {
            let (low, high) = (self.m.u32(low), self.m.u32(high));
            return self.m.push(&format!("OpExtInst {word} {GLSL} UClamp {e} {low} {high}"));
        }
        // A negative lower limit makes the clamp useless as a bound.
        let low = if self.r.one_in(4) { u32::MAX - low } else { low };
        let (low, high) = (self.int(I, u64::from(low)), self.int(I, u64::from(high)));
        let e = self.m.push(&format!("OpBitcast {int} {e}"));
        match self.r.below(3) {
            0 => self.m.push(&format!("OpExtInst {int} {GLSL} SClamp {e} {low} {high}")),
            1 => self.m.push(&format!("OpExtInst {int} {GLSL} SMin {e} {high}")),
            _ => {
                let e = self.m.push(&format!("OpExtInst {int} {GLSL} SMin {e} {high}"));
                self.m.push(&format!("OpExtInst {int} {GLSL} SMax {e} {low}"))
            }
        }
    }

    /// Converts a word to 8, 16 or 64 bits and applies an operation there.
    fn of_other_width(&mut self, e: &str) -> String {
        let s = Scalar::Int(*self.r.pick(&[8, 16, 64]), self.r.one_in(2));
        let id = self.m.scalar(s);
        let Scalar::Int(bits, signed) = s else { return e.into() };
        let name = if signed { "OpSConvert" } else { "OpUConvert" };
        let e = if signed {
            let int = self.m.scalar(I);
            self.m.push(&format!("OpBitcast {int} {e}"))
        } else {
            e.into()
        };
        let x = self.m.push(&format!("{name} {id} {e}"));
        let k = u64::from(*self.r.pick(&[1, 7, SIZE - 1, SIZE, 100]));
        match self.r.below(6) {
            0 => {
                let k = self.int(s, k);
                self.m.push(&format!("OpBitwiseAnd {id} {x} {k}"))
            }
            1 => {
                let (k, name) = (self.int(s, k), if signed { "SMin" } else { "UMin" });
                self.m.push(&format!("OpExtInst {id} {GLSL} {name} {x} {k}"))
            }
            2 => {
                let n = self.r.below(64) as u32;
                let n = self.m.u32(n % bits);
                self.m.push(&format!("OpShiftLeftLogical {id} {x} {n}"))
            }
            3 => {
                let k = *self.r.pick(&[0x80, 0x8000, 0x8000_0000, 0x1_0000_0000]);
                let k = self.int(s, k);
                self.m.push(&format!("OpIAdd {id} {x} {k}"))
            }
            4 if !signed => {
                let k = self.int(s, k);
                self.m.push(&format!("OpUMod {id} {x} {k}"))
            }
            _ => x,
        }
    }

    /// Reads a word and mixes it into the results.
    fn read(&mut self, class: &str, path: &str) {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer(class, &word);
        let p = self.m.push(&format!("OpAccessChain {pointer} {path}"));
        let v = self.m.push(&format!("OpLoad {word} {p}"));
        self.mix(&v);
    }

    /// Accesses a workgroup array at an index, in the module's single way.
    fn touch_group(&mut self, index: &str, depth: u32) {
        let word = self.m.scalar(U);
        let array = self.r.pick(&self.places.arrays).clone();
        if self.places.usage == Use::Read {
            return self.read("Workgroup", &format!("{array} {index}"));
        }
        let (zero, one, scope) = (self.m.u32(0), self.m.u32(1), self.m.u32(2));
        let pointer = self.m.pointer("Workgroup", &word);
        let p = self.m.push(&format!("OpAccessChain {pointer} {array} {index}"));
        if self.places.usage == Use::Mark {
            self.m.push_only(&format!("OpStore {p} {one}"));
            return;
        }
        let v = self.base(depth);
        let name = *self.r.pick(&["OpAtomicIAdd", "OpAtomicIAdd", "OpAtomicISub"]);
        self.m.push(&format!("{name} {word} {p} {scope} {zero} {v}"));
    }

    /// Makes an access with such an index.
    pub fn touch(&mut self, depth: u32) {
        let word = self.m.scalar(U);
        let (zero, one) = (self.m.u32(0), self.m.u32(1));
        let index = self.shaped(depth);
        match self.r.below(12) {
            0..=6 if !self.places.arrays.is_empty() => self.touch_group(&index, depth),
            7 if !self.arrays.is_empty() => {
                let (array, class) = self.r.pick(&self.arrays).clone();
                if self.r.one_in(2) {
                    return self.read(class, &format!("{array} {index}"));
                }
                let pointer = self.m.pointer(class, &word);
                let p = self.m.push(&format!("OpAccessChain {pointer} {array} {index}"));
                let v = self.base(depth);
                self.m.push_only(&format!("OpStore {p} {v}"));
            }
            8 => {
                let path = format!("{} {zero} {index}", self.places.array);
                self.read("StorageBuffer", &path);
            }
            9 if self.r.one_in(2) => {
                let k = self.r.below(self.places.member_count as usize) as u32;
                let k = self.m.u32(k);
                let path = format!("{} {k}", self.places.members);
                self.read("StorageBuffer", &path);
            }
            9 => self.read_address(depth),
            10 => {
                // The order of the additions does not affect the counters.
                let pointer = self.m.pointer("StorageBuffer", &word);
                let counter = self.counter.clone();
                let p = self.m.push(&format!("OpAccessChain {pointer} {counter} {zero} {index}"));
                if self.ordered {
                    return;
                }
                self.m.push(&format!("OpAtomicIAdd {word} {p} {one} {zero} {one}"));
            }
            _ => {
                let path = format!("{} {zero} {index}", self.input);
                self.read("StorageBuffer", &path);
            }
        }
    }

    /// Reads a word at a device address, mostly in one of the two read-only buffers.
    fn read_address(&mut self, depth: u32) {
        let word = self.m.scalar(U);
        let wide = Scalar::Int(64, false);
        let id = self.m.scalar(wide);
        self.m.addresses();
        let number = u64::from(*self.r.pick(&[1, 1, FAR + 1, FAR + 1, 0, 99]));
        let offset = *self.r.pick(&OFFSETS);
        let (slot, offset) = (self.int(wide, number << 40), self.int(wide, offset));
        let e = self.base(depth);
        let e = self.m.push(&format!("OpUConvert {id} {e}"));
        let k = *self.r.pick(&[4u64, 8, 0x4000_0000, 0x1_0000_0000, 0]);
        let k = self.int(wide, k);
        let step = self.m.push(&format!("OpIMul {id} {e} {k}"));
        let at = self.m.push(&format!("OpIAdd {id} {offset} {step}"));
        // Keeps the address in this buffer: other buffers may be written meanwhile.
        let whole = self.int(wide, (1 << 40) - 4);
        let at = self.m.push(&format!("OpBitwiseAnd {id} {at} {whole}"));
        let at = self.m.push(&format!("OpIAdd {id} {slot} {at}"));
        let pointer = self.m.pointer("PhysicalStorageBuffer", &word);
        let p = self.m.push(&format!("OpConvertUToPtr {pointer} {at}"));
        let v = self.m.push(&format!("OpLoad {word} {p} Aligned 4"));
        self.mix(&v);
    }

    /// Returns the first value of an arbitrary counter.
    fn first(&mut self, s: Scalar, depth: u32) -> String {
        match self.r.below(4) {
            0 => {
                let id = self.m.scalar(s);
                let w = if self.r.one_in(3) { self.base(depth) } else { self.uniform_word() };
                if s == U { w } else { self.m.push(&format!("OpBitcast {id} {w}")) }
            }
            _ => {
                let k = *self.r.pick(&STARTS);
                self.int(s, u64::from(k))
            }
        }
    }

    /// Makes a loop with an arbitrary counter, a second counter that ends the loop, and guards in between.
    pub fn wrapping(&mut self, exits: &Exits, depth: u32) {
        let s = if self.r.one_in(2) { I } else { U };
        let (id, word, b) = (self.m.scalar(s), self.m.scalar(U), self.m.scalar(B));
        let [head, test, body, next, merge, p, p_next, n, n_next] = std::array::from_fn(|_| self.m.fresh());
        let turns = *self.r.pick(if depth > 0 { &[2, 3, 5] } else { &[3, 5, 9, 20] });
        let first = self.first(s, depth);
        let step = *self.r.pick(&STEPS);
        let step = self.int(s, u64::from(step));
        let (zero, one, turns) = (self.m.u32(0), self.m.u32(1), self.m.u32(turns));
        let before = self.current.clone();
        let known = self.values.len();
        self.m.push_only(&format!("OpBranch {head}"));
        self.label(&head);
        self.m.push_only(&format!("{p} = OpPhi {id} {first} {before} {p_next} {next}"));
        self.m.push_only(&format!("{n} = OpPhi {word} {zero} {before} {n_next} {next}"));
        self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
        self.m.push_only(&format!("OpBranch {test}"));
        self.label(&test);
        self.places.counters.push((p.clone(), s));
        // The test of the number of iterations is first, after a guard with a single exit, or at the end.
        let place = self.r.below(3);
        if place == 1 {
            self.guard(&p, s, None, &merge);
        }
        if place < 2 {
            let c = self.m.push(&format!("OpULessThan {b} {n} {turns}"));
            self.m.push_only(&format!("OpBranchConditional {c} {body} {merge}"));
            self.label(&body);
        }
        for _ in 0..self.r.below(3) {
            self.guard(&p, s, Some(&next), &merge);
        }
        for _ in 0..self.r.below(3) + 1 {
            self.touch(depth);
        }
        let around = Some((merge.clone(), next.clone()));
        let inner = Exits { around, switch: None, returns: exits.returns, uniform: false };
        let ended = match self.r.below(4) {
            0 if depth < 2 => {
                self.wrapping(&inner, depth + 1);
                false
            }
            1 if depth < 3 => self.statements(&inner, depth + 1),
            _ => false,
        };
        if !ended {
            self.m.push_only(&format!("OpBranch {next}"));
        }
        self.places.counters.pop();
        self.values.truncate(known);
        self.label(&next);
        let name = if self.r.one_in(4) { "OpISub" } else { "OpIAdd" };
        self.m.push_only(&format!("{p_next} = {name} {id} {p} {step}"));
        self.m.push_only(&format!("{n_next} = OpIAdd {word} {n} {one}"));
        if place == 2 {
            let c = self.m.push(&format!("OpULessThan {b} {n_next} {turns}"));
            self.m.push_only(&format!("OpBranchConditional {c} {head} {merge}"));
        } else {
            self.m.push_only(&format!("OpBranch {head}"));
        }
        self.label(&merge);
    }

    /// Compares a counter (or another value) and leaves on one side: continues the loop, breaks out of it, or either.
    fn guard(&mut self, p: &str, s: Scalar, next: Option<&String>, merge: &String) {
        let b = self.m.scalar(B);
        let names = match self.r.one_in(2) {
            true => ["OpSLessThan", "OpSLessThanEqual", "OpSGreaterThan", "OpSGreaterThanEqual"],
            false => ["OpULessThan", "OpULessThanEqual", "OpUGreaterThan", "OpUGreaterThanEqual"],
        };
        let name = *self.r.pick(&names);
        let k = *self.r.pick(&LIMITS);
        let k = self.int(s, u64::from(k));
        let c = match self.r.one_in(4) {
            true => self.m.push(&format!("{name} {b} {k} {p}")),
            false => self.m.push(&format!("{name} {b} {p} {k}")),
        };
        let c = match self.r.below(6) {
            0 => {
                let d = self.expression((B, 1), 3);
                let name = *self.r.pick(&["OpLogicalAnd", "OpLogicalOr"]);
                self.m.push(&format!("{name} {b} {c} {d}"))
            }
            1 => self.m.push(&format!("OpLogicalNot {b} {c}")),
            _ => c,
        };
        let (on, skip) = (self.m.fresh(), self.m.fresh());
        self.m.push_only(&format!("OpSelectionMerge {on} None"));
        match self.r.one_in(2) {
            true => self.m.push_only(&format!("OpBranchConditional {c} {on} {skip}")),
            false => self.m.push_only(&format!("OpBranchConditional {c} {skip} {on}")),
        }
        self.label(&skip);
        match (next, self.r.below(4)) {
            (Some(next), 0) => {
                let d = self.expression((B, 1), 3);
                self.m.push_only(&format!("OpBranchConditional {d} {next} {merge}"));
            }
            (Some(next), 1 | 2) => self.m.push_only(&format!("OpBranch {next}")),
            _ => self.m.push_only(&format!("OpBranch {merge}")),
        }
        self.label(&on);
    }
}

// Workgroups fill at most the array, and private arrays are smaller.
const _: () = assert!(SIZE >= 64 && ARRAY < SIZE);

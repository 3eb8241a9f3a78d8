//! Accesses at offsets around 2^31 and beyond 2^32, by constants and by indices of every type. Each access reaches the
//! byte that the specification defines or has no effect, in the interpreter and in generated code.
#![expect(unsafe_code, reason = "calls lane functions")]

use std::collections::BTreeMap;
use std::sync::Arc;

use quadrille_jit::abi::{
    ADDRESS_REACH, ADDRESS_SHIFT, BindingLayout, Ctx, DESCRIPTOR_BYTES, DONE, Descriptor, Layout,
};
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{self, CompileOptions, NoImageOps};
use quadrille_jit::ir::Stage;
use quadrille_jit::spirv::{Lowering, Module, asm};
use quadrille_jit::sys::memory::{self, Backing};
use quadrille_jit::{CpuLevel, Tier, interp};

const G2: u64 = 1 << 31;
const G4: u64 = 1 << 32;
/// Number of bytes before and after the buffer under test: more than the error of any wrong offset.
const MARGIN: u64 = G4 + (1 << 20);
/// Number of invocations.
const N: u64 = 8;

/// Operation of an access.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Access {
    Load,
    Store,
    Add,
}

/// Indexing of an access: a member, or elements of an array at the end of the block.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Index {
    None,
    /// A constant of the module: the index of the first invocation.
    Constant,
    /// All invocations use the index of the first.
    Uniform,
    /// The index of the first invocation plus the invocation number.
    Rising,
    /// Each invocation has a separate index.
    Any,
}

#[derive(Clone, Debug)]
struct Case {
    access: Access,
    /// Offset of the accessed member.
    offset: u32,
    index: Index,
    /// Type of the index: "u32", "i32", "u64" or "i64".
    ty: &'static str,
    stride: u32,
    /// Offset of the accessed member in an element of the array.
    part: u32,
    by_address: bool,
    /// Offset of the address in the buffer.
    start: u64,
    /// 64-bit indexing, where indices are signed.
    wide_indexing: bool,
    size: u64,
    /// The index of each invocation, as 64 bits.
    indices: [i64; N as usize],
}

/// A load of a word near the start, by no index.
const BASE: Case = Case {
    access: Access::Load,
    offset: 64,
    index: Index::None,
    ty: "u32",
    stride: 4,
    part: 0,
    by_address: false,
    start: 0,
    wide_indexing: false,
    size: G2,
    indices: [0; N as usize],
};

impl Case {
    fn text(&self) -> String {
        let (wide, signed) = (self.ty.ends_with("64"), u32::from(self.ty.starts_with('i')));
        let bits = if wide { 64 } else { 32 };
        let class = if self.by_address { "PhysicalStorageBuffer" } else { "StorageBuffer" };
        let aligned = if self.by_address { "Aligned 4" } else { "" };
        let element = if self.index == Index::None { "%u" } else { "%array" };
        let index = match self.index {
            Index::None | Index::Constant => String::new(),
            Index::Uniform => "%at = OpAccessChain %p_index %params %c0 %c0\n%i = OpLoad %index %at\n".into(),
            Index::Any => "%at = OpAccessChain %p_index %params %c0 %lane\n%i = OpLoad %index %at\n".into(),
            Index::Rising => "%at = OpAccessChain %p_index %params %c0 %c0\n%i0 = OpLoad %index %at\n\
                %lane_index = LANE\n%i = OpIAdd %index %i0 %lane_index\n"
                .replace("LANE", if wide { "OpUConvert %index %lane" } else { "OpBitcast %index %lane" }),
        };
        let i = if self.index == Index::None { "" } else { "%i %c0" };
        let place = match self.by_address {
            true => format!(
                "%ap = OpAccessChain %p_address %address %c0\n%a = OpLoad %u64 %ap\n\
                 %b = OpConvertUToPtr %p_block %a\n%q = OpAccessChain %p_u %b %c1 {i}\n"
            ),
            false => format!("%q = OpAccessChain %p_u %target %c1 {i}\n"),
        };
        let access = match self.access {
            Access::Load => format!("%v = OpLoad %u %q {aligned}\nOpStore %o %v\n"),
            Access::Store => format!("OpStore %q %value {aligned}\n"),
            Access::Add => "%v = OpAtomicIAdd %u %q %c1 %c0 %c1\nOpStore %o %v\n".into(),
        };
        format!(
            "OpCapability Shader\nOpCapability Int64\nOpCapability PhysicalStorageBufferAddresses\n\
             OpExtension \"SPV_KHR_physical_storage_buffer\"\n\
             OpMemoryModel PhysicalStorageBuffer64 GLSL450\n\
             OpEntryPoint GLCompute %main \"main\" %local\nOpExecutionMode %main LocalSize {N} 1 1\n\
             OpDecorate %local BuiltIn LocalInvocationIndex\n\
             OpDecorate %params DescriptorSet 0\nOpDecorate %params Binding 0\n\
             OpDecorate %target DescriptorSet 0\nOpDecorate %target Binding 1\n\
             OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 2\n\
             OpDecorate %address DescriptorSet 0\nOpDecorate %address Binding 3\n\
             OpDecorate %block Block\nOpMemberDecorate %block 0 Offset 0\nOpMemberDecorate %block 1 Offset {offset}\n\
             OpDecorate %array ArrayStride {stride}\nOpMemberDecorate %part 0 Offset {part}\n\
             OpDecorate %indices ArrayStride {index_stride}\nOpDecorate %words ArrayStride 4\n\
             OpDecorate %params_block Block\nOpMemberDecorate %params_block 0 Offset 0\n\
             OpDecorate %out_block Block\nOpMemberDecorate %out_block 0 Offset 0\n\
             OpDecorate %address_block Block\nOpMemberDecorate %address_block 0 Offset 0\n\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%u64 = OpTypeInt 64 0\n\
             {int_types}%c0 = OpConstant %u 0\n%c1 = OpConstant %u 1\n%value = OpConstant %u 0x41414141\n\
             {constant}%part = OpTypeStruct %u\n%array = OpTypeRuntimeArray %part\n\
             %indices = OpTypeRuntimeArray %index\n%words = OpTypeRuntimeArray %u\n\
             %block = OpTypeStruct %u {element}\n%params_block = OpTypeStruct %indices\n\
             %out_block = OpTypeStruct %words\n%address_block = OpTypeStruct %u64\n\
             %p_block = OpTypePointer {class} %block\n%p_u = OpTypePointer {class} %u\n\
             %s_block = OpTypePointer StorageBuffer %block\n%target = OpVariable %s_block StorageBuffer\n\
             %p_params = OpTypePointer StorageBuffer %params_block\n%params = OpVariable %p_params StorageBuffer\n\
             %p_index = OpTypePointer StorageBuffer %index\n\
             %p_out = OpTypePointer StorageBuffer %out_block\n%out = OpVariable %p_out StorageBuffer\n\
             %p_word = OpTypePointer StorageBuffer %u\n\
             %p_address_block = OpTypePointer StorageBuffer %address_block\n\
             %address = OpVariable %p_address_block StorageBuffer\n\
             %p_address = OpTypePointer StorageBuffer %u64\n\
             %p_in = OpTypePointer Input %u\n%local = OpVariable %p_in Input\n\
             %main = OpFunction %void None %fn\n%l = OpLabel\n%lane = OpLoad %u %local\n\
             %o = OpAccessChain %p_word %out %c0 %lane\n{index}{place}{access}OpReturn\nOpFunctionEnd\n",
            offset = self.offset,
            stride = self.stride,
            part = self.part,
            constant = match self.index {
                Index::Constant if wide => format!("%i = OpConstant %index {}\n", self.indices[0]),
                Index::Constant => format!("%i = OpConstant %index {}\n", self.indices[0] as u32),
                _ => String::new(),
            },
            index_stride = bits / 8,
            int_types = match (bits, signed) {
                (32, 0) => String::new(),
                (64, 0) => String::new(),
                _ => format!("%index = OpTypeInt {bits} {signed}\n"),
            },
        )
        .replace("%index ", if signed == 1 { "%index " } else if wide { "%u64 " } else { "%u " })
        .replace("%index\n", if signed == 1 { "%index\n" } else if wide { "%u64\n" } else { "%u\n" })
    }

    fn index_of(&self, lane: usize) -> i64 {
        match self.index {
            Index::None => 0,
            Index::Uniform | Index::Constant if self.is_signed() && self.ty.ends_with("32") => {
                self.extended(self.indices[0] as u32)
            }
            Index::Uniform | Index::Constant => self.indices[0],
            Index::Rising if self.ty.ends_with("64") => self.indices[0].wrapping_add(lane as i64),
            Index::Rising => self.extended((self.indices[0] as u32).wrapping_add(lane as u32)),
            Index::Any if self.ty.ends_with("64") => self.indices[lane],
            Index::Any => self.extended(self.indices[lane] as u32),
        }
    }

    /// An index of 32 bits.
    fn extended(&self, index: u32) -> i64 {
        if self.is_signed() { i64::from(index.cast_signed()) } else { i64::from(index) }
    }

    /// `true` if indices of 32 bits may be negative: with 64-bit indexing, and those of signed types behind addresses.
    fn is_signed(&self) -> bool {
        self.wide_indexing || self.by_address && self.ty == "i32"
    }

    /// `true` if an index of 32 bits with a sign is added to the offset from the address, as far as a single address reaches.
    fn is_around(&self) -> bool {
        let dynamic = !matches!(self.index, Index::None | Index::Constant);
        self.by_address && self.ty == "i32" && !self.wide_indexing && dynamic && self.stride < 256
    }

    /// Offset of an invocation's access from the start of the buffer, if the access has an effect.
    fn position(&self, lane: usize) -> Option<u64> {
        let index = self.index_of(lane);
        let step = i128::from(index) * i128::from(self.stride);
        let at = i128::from(self.start) + i128::from(self.offset) + step + i128::from(self.part);
        if self.is_around() {
            // The offset counts from a place at most 2 GiB before the address.
            let first = i128::from(self.start.saturating_sub(G2));
            let element = at - i128::from(self.part) - first;
            let reached = element >= 0 && at - first + 4 <= i128::from(ADDRESS_REACH);
            return (reached && at + 4 <= i128::from(self.size)).then_some(at as u64);
        }
        let near = self.offset < 1 << 30;
        // The offset of the array is added to the address together with a negative index, that of a member behind it is not.
        let follows = index >= 0 || self.by_address && at >= i128::from(self.part);
        let inside = follows && at + 4 <= i128::from(self.size);
        // Only accesses with unsigned indices of 32 bits, without 64-bit indexing, are limited to the reach of a single
        // address.
        let from = if near { at } else { step };
        let free = !self.by_address || self.is_signed() || self.ty.ends_with("64");
        let reached = free || from + 4 <= i128::from(ADDRESS_REACH);
        (inside && reached).then_some(at as u64)
    }

    /// Offsets from the start of the buffer that an access might reach, correctly or by mistake.
    fn probes(&self) -> Vec<i64> {
        let mut all = vec![-4, 0, self.size as i64];
        for lane in 0..N as usize {
            let step = i128::from(self.index_of(lane)).wrapping_mul(i128::from(self.stride));
            let at = i128::from(self.start) + step + i128::from(self.offset) + i128::from(self.part);
            let cut = |x: i128| i128::from(x as u32);
            let signed = |x: i128| i128::from(x as u32 as i32);
            for p in [
                at,
                cut(at),
                signed(at),
                at - i128::from(G4),
                signed(i128::from(self.offset)) + step,
                signed(i128::from(self.offset)) + cut(step),
                i128::from(self.offset) + cut(step),
                i128::from(self.offset) + signed(step),
                i128::from(u32::MAX / self.stride * self.stride),
                i128::from(u32::MAX / self.stride * self.stride) + i128::from(self.offset),
            ] {
                let aligned = p.rem_euclid(4) == 0;
                if aligned && p >= -i128::from(MARGIN) && p + 4 <= i128::from(self.size + MARGIN) {
                    all.push(p as i64);
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }
}

/// The buffer under test between canaries: a large address range, of which only a few pages are touched.
struct Sandwich {
    base: *mut u8,
    len: usize,
}

impl Sandwich {
    fn new(size: u64) -> Self {
        let len = (size + 2 * MARGIN) as usize;
        Sandwich { base: memory::map(len, Backing::Untouched).unwrap(), len }
    }
    fn buffer(&self) -> *mut u8 {
        self.base.wrapping_add(MARGIN as usize)
    }
    fn at(&self, at: i64) -> *mut u32 {
        let at = (MARGIN as i64 + at) as usize;
        assert!(at + 4 <= self.len);
        self.base.wrapping_add(at).cast()
    }
    fn put(&mut self, at: i64, word: u32) {
        // SAFETY: `at` returns addresses within the mapping of `len` bytes, and callers pass offsets within the
        // margins.
        unsafe { self.at(at).write_unaligned(word) }
    }
    fn get(&self, at: i64) -> u32 {
        // SAFETY: `at` returns addresses within the mapping of `len` bytes, and callers pass offsets within the
        // margins.
        unsafe { self.at(at).read_unaligned() }
    }
}

impl Drop for Sandwich {
    fn drop(&mut self) {
        // SAFETY: `new` created the mapping of `len` bytes, and nothing uses it after the drop.
        let _ = unsafe { memory::unmap(self.base, self.len) };
    }
}

/// Runs one workgroup: parameters, target and results at bindings 0 to 2, an address at binding 3.
fn run(f: &LaneFn, case: &Case, target: *mut u8) -> Vec<u32> {
    let mut params = match case.ty.ends_with("64") {
        true => case.indices.iter().flat_map(|i| [*i as u32, (*i >> 32) as u32]).collect::<Vec<u32>>(),
        false => case.indices.iter().map(|i| *i as u32).collect(),
    };
    let mut out = [0xdddd_ddddu32; N as usize].to_vec();
    let address = (1 << ADDRESS_SHIFT) + case.start;
    let mut address = vec![address as u32, (address >> 32) as u32];
    let of = |v: &mut Vec<u32>| {
        let size = v.len() as u64 * 4;
        v.resize(v.len() + 16, 0);
        Descriptor { ptr: v.as_mut_ptr() as u64, size }
    };
    let there = Descriptor { ptr: target as u64, size: case.size };
    let zeros = [0u64; 8];
    let null = Descriptor { ptr: zeros.as_ptr() as u64, size: 0 };
    let set = [of(&mut params), if case.by_address { null } else { there }, of(&mut out), of(&mut address)];
    let table = [null, there, null];
    let mut scratch = vec![[0u128; 4]; f.meta().scratch_bytes / 64 + 1];
    let stop = 0u32;
    // SAFETY: `Ctx` consists of integers, floats and raw pointers, for which all zeros is a valid value.
    let mut ctx: Ctx = unsafe { std::mem::zeroed() };
    ctx.sets[0] = set.as_ptr().cast();
    ctx.addresses = table.as_ptr();
    ctx.address_slots = 2;
    ctx.scratch = scratch.as_mut_ptr().cast();
    ctx.stop = &raw const stop;
    ctx.num_workgroups = [1; 3];
    // SAFETY: buffers, set, table and scratch live until the call returns and have the sizes in `f.meta()`.
    assert_eq!(unsafe { f.call(&mut ctx, 0, 1) }, DONE);
    out.truncate(N as usize);
    out
}

fn check(case: &Case, memory: &mut Sandwich) {
    let words = asm::assemble(&case.text()).unwrap_or_else(|e| panic!("{e}\n{}", case.text()));
    let module = Module::parse(&words).unwrap_or_else(|e| panic!("{e}"));
    let how = Lowering { wide_indexing: case.wide_indexing, ..Lowering::default() };
    let shader = Arc::new(module.lower_as("main", Stage::Compute, &how).unwrap_or_else(|e| panic!("{e}")));
    let layout =
        Layout { bindings: (0..4).map(|b| BindingLayout::new(0, b, b * DESCRIPTOR_BYTES, 1)).collect() };
    let mut ways = Vec::new();
    for lanes in [4, 8] {
        ways.push(("interpreter", interp::build(shader.clone(), &layout, lanes, &NoImageOps).unwrap()));
        for (name, tier) in [("first tier", Tier::First), ("second tier", Tier::Optimized)] {
            let (layout, cpu) = (&layout, CpuLevel::current());
            let opts = CompileOptions { lanes, tier, layout, cpu, image_ops: &NoImageOps, missing: false };
            ways.push((name, codegen::compile(&shader, &opts).unwrap_or_else(|e| panic!("{e}"))));
        }
    }
    let probes = case.probes();
    for (name, f) in ways {
        let mut want_memory: BTreeMap<i64, u32> = BTreeMap::new();
        for (k, &at) in probes.iter().enumerate() {
            want_memory.insert(at, 0x1000_0000 + k as u32 * 16);
        }
        want_memory.iter().for_each(|(&at, &word)| memory.put(at, word));
        let mut want_out = vec![0xdddd_ddddu32; N as usize];
        for (lane, out) in want_out.iter_mut().enumerate() {
            let word = case.position(lane).and_then(|at| want_memory.get_mut(&(at as i64)));
            match (case.access, word) {
                (Access::Load, word) => *out = word.map_or(0, |w| *w),
                (Access::Store, Some(word)) => *word = 0x4141_4141,
                (Access::Add, Some(word)) => {
                    *out = *word;
                    *word += 1;
                }
                (Access::Add, None) => *out = 0,
                (Access::Store, None) => {}
            }
        }
        let got = run(&f, case, memory.buffer());
        assert_eq!(got, want_out, "results, {name}, {} lanes: {case:?}", f.meta().lanes);
        for (&at, &word) in &want_memory {
            let found = memory.get(at);
            assert_eq!(found, word, "memory at {at:#x}, {name}, {} lanes: {case:?}", f.meta().lanes);
        }
    }
}

const ACCESSES: [Access; 3] = [Access::Load, Access::Store, Access::Add];

/// The offsets under test and their neighbours.
fn edges() -> [u64; 5] {
    [G2 - 4, G2, G4 - 4, G4, 2 * G4]
}

#[test]
fn members_far_from_the_start() {
    for (by_address, size) in [(false, G2), (false, ADDRESS_REACH), (true, G2 + 16), (true, 2 * G4 + 64)] {
        let mut memory = Sandwich::new(size);
        // No block of 2^32 bytes is tested, since such a block is refused.
        for offset in [G2 - 4, G2, G2 + 12, G4 - (1 << 16) - 4, G4 - 8] {
            for access in ACCESSES {
                let case = Case { access, offset: offset as u32, by_address, size, ..BASE };
                check(&case, &mut memory);
            }
        }
    }
}

/// Indices whose elements lie around an offset.
fn around(edge: u64, stride: u32) -> [i64; N as usize] {
    let at = (edge / u64::from(stride)) as i64;
    [at, at - 1, at + 1, 0, at + 2, 1, at - 2, -1]
}

fn indexed(ty: &'static str, strides: &[u32], offsets: &[u32]) {
    let places = [(false, G2), (false, ADDRESS_REACH), (true, 2 * G4 + 64)];
    indexed_in(false, &places, ty, strides, offsets);
}

fn indexed_in(
    wide_indexing: bool,
    places: &[(bool, u64)],
    ty: &'static str,
    strides: &[u32],
    offsets: &[u32],
) {
    for &(by_address, size) in places {
        let mut memory = Sandwich::new(size);
        for &stride in strides {
            for edge in edges() {
                for index in [Index::Uniform, Index::Rising, Index::Any] {
                    for (k, access) in ACCESSES.into_iter().enumerate() {
                        let offset = offsets[k % offsets.len()];
                        let indices = around(edge, stride);
                        let case = Case {
                            access,
                            offset,
                            index,
                            ty,
                            stride,
                            by_address,
                            wide_indexing,
                            size,
                            indices,
                            ..BASE
                        };
                        check(&case, &mut memory);
                    }
                }
            }
        }
    }
}

/// Signed indices of 32 bits lead to what is before and behind an address in the middle of a buffer.
#[test]
fn signed_indices_around_an_address() {
    let size = 2 * G4 + 64;
    let mut memory = Sandwich::new(size);
    for start in [0, 64, G2 - 8, G2, G2 + 64, G4 + 64] {
        for (stride, part) in [(4, 0), (12, 8), (255 / 4 * 4, 4)] {
            let end = (G2 / u64::from(stride)) as i64;
            for indices in [
                [-1, -5, 0, 3, -2, 1, -16, -17],
                [-end, -end - 1, -end - 2, 1 - end, end - 40, end, end + 2, end + 20],
                [i64::from(i32::MIN), i64::from(i32::MAX), 0, 7, -end, end, -3, 3],
            ] {
                for index in [Index::Uniform, Index::Rising, Index::Any] {
                    for (access, offset) in ACCESSES.into_iter().zip([4, 64, 8]) {
                        let at = Case { access, offset, index, ty: "i32", stride, part, indices, ..BASE };
                        check(&Case { by_address: true, start, size, ..at }, &mut memory);
                    }
                }
            }
        }
    }
}

/// Indices with 64-bit indexing, in ranges of 2 GiB and of more than 8 GiB.
fn indexed_widely(ty: &'static str, strides: &[u32], offsets: &[u32]) {
    let places = [(false, G2), (false, 2 * G4 + 64), (true, 2 * G4 + 64)];
    indexed_in(true, &places, ty, strides, offsets);
}

#[test]
fn indices_of_32_bits_with_64_bit_indexing() {
    indexed_widely("i32", &[4, 12], &[4]);
    indexed_widely("u32", &[4], &[8]);
}

#[test]
fn indices_of_64_bits_with_64_bit_indexing() {
    indexed_widely("u64", &[4], &[4]);
    indexed_widely("i64", &[20], &[8]);
}

#[test]
fn large_strides_with_64_bit_indexing() {
    indexed_widely("i32", &[1 << 16, (1 << 25) + 4, G2 as u32, u32::MAX - 3], &[4]);
    indexed_widely("i64", &[(1 << 16) + 4, u32::MAX - 3], &[(G2 - 16) as u32, G2 as u32]);
}

/// Indices whose products with the stride pass 2^64, or lie before the buffer, select nothing.
#[test]
fn indices_beyond_every_buffer() {
    let mut memory = Sandwich::new(2 * G4);
    let far = [1 << 62, (1 << 62) + 1, i64::MIN, -1, (1 << 62) - 1, i64::MAX, 3, 1 << 38];
    for first in 0..far.len() {
        let mut indices = far;
        indices.rotate_left(first);
        for index in [Index::Uniform, Index::Rising, Index::Any] {
            for access in ACCESSES {
                let case =
                    Case { access, index, ty: "i64", wide_indexing: true, size: 2 * G4, indices, ..BASE };
                check(&case, &mut memory);
            }
        }
    }
}

/// Elements at constant indices begin before 2^31 or 2^32, and their members lie before or after.
#[test]
fn members_behind_constant_indices() {
    let places = [(false, false, ADDRESS_REACH), (true, false, 2 * G4 + 64), (true, true, 2 * G4 + 64)];
    for (wide_indexing, by_address, size) in places {
        let mut memory = Sandwich::new(size);
        for edge in [G2, G4] {
            for index in [edge / 48 - 1, edge / 48, edge / 48 + 1] {
                for (k, part) in [0, 4, 20, 32, 44].into_iter().enumerate() {
                    let (index, ty, indices) =
                        (Index::Constant, ["u32", "i64"][k % 2], [index as i64; N as usize]);
                    let access = ACCESSES[k % 3];
                    let case = Case {
                        access,
                        offset: 4,
                        index,
                        ty,
                        stride: 48,
                        part,
                        by_address,
                        wide_indexing,
                        size,
                        indices,
                        ..BASE
                    };
                    check(&case, &mut memory);
                }
            }
        }
    }
}

#[test]
fn unsigned_indices() {
    indexed("u32", &[4, 12], &[4]);
}

#[test]
fn signed_indices() {
    indexed("i32", &[4], &[4, 1 << 20]);
}

#[test]
fn wide_indices() {
    indexed("u64", &[4], &[4]);
    indexed("i64", &[20], &[8]);
}

#[test]
fn large_strides() {
    indexed("u32", &[1 << 16, (1 << 16) + 4, (1 << 25) + 4, G2 as u32, u32::MAX - 3], &[4]);
}

#[test]
fn far_members_with_indices() {
    indexed("u32", &[4], &[(G2 - 16) as u32, G2 as u32]);
}

/// Negative indices select what is before the array: in a block at an address its other members. Other accesses have no effect.
#[test]
fn negative_indices() {
    let plain = [("i32", false), ("i32", true), ("i64", false)].map(|(ty, address)| (ty, address, false));
    let wide = [("i32", false, true), ("i32", true, true), ("i64", false, true), ("u32", false, true)];
    for (ty, by_address, wide_indexing) in plain.into_iter().chain(wide) {
        let size = G2;
        let mut memory = Sandwich::new(size);
        for index in [Index::Uniform, Index::Rising, Index::Any] {
            for access in ACCESSES {
                let indices = [-100, -1, -(1 << 29), -(1 << 30), i64::from(i32::MIN), -2, -3, -4];
                let case = Case { access, index, ty, by_address, wide_indexing, size, indices, ..BASE };
                check(&case, &mut memory);
            }
        }
    }
}

//! Handles: a descriptor in writable memory refers to the resource with its slot, generation and kind, or to nothing.
//! The tests cover sets with handles and descriptor heaps, with invocations that use the descriptor and invocations
//! that do not.
#![expect(unsafe_code, reason = "calls lane functions")]

use std::sync::Arc;

use quadrille_jit::abi::{
    BindingLayout, Ctx, DESCRIPTOR_BYTES, DONE, Descriptor, DescriptorForm, Layout, Plane, Primitive,
    ResourceEntry, Stamp, null_buffer,
};
use quadrille_jit::call::LaneFn;
use quadrille_jit::codegen::{self, CompileOptions, NoImageOps};
use quadrille_jit::handle::{Handle, HandleKind, HandleRecord};
use quadrille_jit::ir::Stage;
use quadrille_jit::spirv::heap::{DescriptorSource, HeapPlace, Mapping, ResourceTypes, Source};
use quadrille_jit::spirv::{Lowering, Module, asm};
use quadrille_jit::{CpuLevel, Tier, interp};

/// A descriptor of unmapped memory: reading it ends the process.
const GONE: Descriptor = Descriptor { ptr: 1 << 12, size: 1 << 16 };

/// Bytes of a buffer before the range that a handle describes.
const BEFORE: u64 = 16;

/// Representations of the bindings of a set.
const FORMS: [DescriptorForm; 2] = [DescriptorForm::Resolved, DescriptorForm::Handles];

/// A variant in which a shader runs.
struct Way {
    name: String,
    f: LaneFn,
    /// `true` if the descriptors are consecutive in the resource heap.
    heap: bool,
}

/// State of the slot that the handle of the uniform block names.
#[derive(Clone, Copy)]
enum Found {
    /// The slot holds the handle's buffer.
    Buffer(Descriptor),
    /// The slot holds the entry of a destroyed buffer.
    Gone,
    /// The slot holds a view.
    View,
    /// The slot holds a later buffer.
    Later,
    /// The slot does not exist.
    Nothing,
    /// The set ends before the handle.
    BeyondSet,
}

/// Every variant in which a shader runs whose binding 1 is a handle, or whose bindings are in a heap.
fn ways(text: &str, stage: Stage) -> Vec<Way> {
    let words = asm::assemble(text).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let module = Module::parse(&words).unwrap_or_else(|e| panic!("{e}"));
    let place = HeapPlace { array_stride: DESCRIPTOR_BYTES, ..HeapPlace::default() };
    let source = DescriptorSource { place, sampler: place, combined_index: false, embedded: None };
    let mapping = Mapping {
        set: 0,
        first_binding: 0,
        binding_count: 2,
        resources: ResourceTypes(!0),
        source: Source::Descriptor(source),
    };
    let binding =
        |b| BindingLayout { form: FORMS[b as usize], ..BindingLayout::new(0, b, b * DESCRIPTOR_BYTES, 1) };
    let layout = Layout { bindings: (0..2).map(binding).collect() };
    let mut all = Vec::new();
    for (heap, lanes) in [(false, 4), (false, 8), (false, 16), (true, 4), (true, 8), (true, 16)] {
        let mappings = heap.then_some(std::slice::from_ref(&mapping));
        let how = Lowering { mappings, ..Lowering::default() };
        let shader = Arc::new(module.lower_as("main", stage, &how).unwrap_or_else(|e| panic!("{e}")));
        let what = if heap { "heap" } else { "set" };
        let slow = interp::build(shader.clone(), &layout, lanes, &NoImageOps);
        let f = slow.unwrap_or_else(|e| panic!("{e}"));
        all.push(Way { name: format!("interpreter, {lanes} lanes, {what}"), f, heap });
        for tier in [Tier::First, Tier::Optimized] {
            let (layout, cpu) = (&layout, CpuLevel::current());
            let opts = CompileOptions { lanes, tier, layout, cpu, image_ops: &NoImageOps, missing: false };
            let f = codegen::compile(&shader, &opts).unwrap_or_else(|e| panic!("{e}"));
            all.push(Way { name: format!("{tier:?}, {lanes} lanes, {what}"), f, heap });
        }
    }
    all
}

fn empty() -> Ctx {
    // SAFETY: `Ctx` consists of integers, floats and raw pointers, for which all zeros is a valid value.
    let zero: Ctx = unsafe { std::mem::zeroed() };
    // No buffer has a device address.
    Ctx { addresses: null_buffer(), ..zero }
}

/// Descriptors of two bindings, a heap that contains them, and the resource table.
struct Bound {
    table: [ResourceEntry; 4],
    _heap: Box<[[u64; 2]; 4]>,
    set: Box<[[u64; 2]; 4]>,
    bytes: u32,
    slots: u32,
}

impl Bound {
    /// A storage buffer at binding 0, and at binding 1 a handle whose slot is in the state `found`.
    fn new(out: Descriptor, found: Found, in_heap: bool) -> Bound {
        let entry = |key, Descriptor { ptr, size }| ResourceEntry { state: key | size, ptr };
        let [of_out, of_block] = [1, 2].map(|slot| Handle::new(HandleKind::Buffer, slot, 1));
        let key = of_block.key(HandleKind::Buffer);
        let null = entry(0, *null_buffer());
        let second = match found {
            // The block begins inside of its buffer, and ends before it.
            Found::Buffer(Descriptor { ptr, size }) => {
                entry(key, Descriptor { ptr: ptr - BEFORE, size: BEFORE + size + 4 })
            }
            Found::Gone | Found::BeyondSet => entry(0, GONE),
            Found::View => entry(of_block.key(HandleKind::Image), GONE),
            Found::Later => entry(Handle::new(HandleKind::Buffer, 2, 2).key(HandleKind::Buffer), GONE),
            Found::Nothing => entry(key, GONE),
        };
        let slots = if matches!(found, Found::Nothing) { 2 } else { 3 };
        let second = if slots == 2 { null } else { second };
        let table = [null, entry(of_out.key(HandleKind::Buffer), out), second, null];
        let range = |handle, offset, size| {
            let record = HandleRecord::of_range(handle, offset, size);
            [record.handle.0, record.range]
        };
        let heap = Box::new([range(of_out, 0, out.size), range(of_block, BEFORE, 64), [0; 2], [0; 2]]);
        // For `BeyondSet`, a handle that would be valid lies past the end of the bound memory.
        let beyond = matches!(found, Found::BeyondSet);
        let bytes = if beyond { 16 } else { 32 };
        let mut set = Box::new([[out.ptr, out.size], heap[1], [0; 2], [0; 2]]);
        if in_heap {
            set[0] = [heap.as_ptr() as u64, bytes.into()];
        }
        Bound { table, _heap: heap, set, bytes, slots }
    }

    /// Binds set 0 and the resource table to a context.
    fn bind(&self, ctx: &mut Ctx) {
        ctx.sets[0] = self.set.as_ptr().cast();
        ctx.set_bytes[0] = self.bytes;
        (ctx.resources, ctx.resource_slots) = (self.table.as_ptr(), self.slots);
    }
}

/// A shader with a uniform block of four words at binding 1, 16 result words at binding 0, and a push constant.
fn compute_text(body: &str) -> String {
    format!(
        "OpCapability Shader\nOpMemoryModel Logical GLSL450\nOpEntryPoint GLCompute %main \"main\" %local\n\
         OpExecutionMode %main LocalSize 16 1 1\nOpDecorate %local BuiltIn LocalInvocationIndex\n\
         OpDecorate %out DescriptorSet 0\nOpDecorate %out Binding 0\n\
         OpDecorate %ubo DescriptorSet 0\nOpDecorate %ubo Binding 1\n\
         OpDecorate %words ArrayStride 4\nOpDecorate %four ArrayStride 16\n\
         OpDecorate %out_block Block\nOpMemberDecorate %out_block 0 Offset 0\n\
         OpDecorate %ubo_block Block\nOpMemberDecorate %ubo_block 0 Offset 0\n\
         OpDecorate %push_block Block\nOpMemberDecorate %push_block 0 Offset 0\n\
         %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%bool = OpTypeBool\n\
         %c0 = OpConstant %u 0\n%c1 = OpConstant %u 1\n%c2 = OpConstant %u 2\n%c4 = OpConstant %u 4\n\
         %words = OpTypeRuntimeArray %u\n%four = OpTypeArray %u %c4\n\
         %out_block = OpTypeStruct %words\n%ubo_block = OpTypeStruct %four\n%push_block = OpTypeStruct %u\n\
         %p_out = OpTypePointer StorageBuffer %out_block\n%out = OpVariable %p_out StorageBuffer\n\
         %p_word = OpTypePointer StorageBuffer %u\n\
         %p_ubo = OpTypePointer Uniform %ubo_block\n%ubo = OpVariable %p_ubo Uniform\n\
         %p_uu = OpTypePointer Uniform %u\n\
         %p_push = OpTypePointer PushConstant %push_block\n%push = OpVariable %p_push PushConstant\n\
         %p_pu = OpTypePointer PushConstant %u\n\
         %p_in = OpTypePointer Input %u\n%local = OpVariable %p_in Input\n\
         %main = OpFunction %void None %fn\n%entry = OpLabel\n%lane = OpLoad %u %local\n\
         %pp = OpAccessChain %p_pu %push %c0\n%pushed = OpLoad %u %pp\n\
         %o = OpAccessChain %p_word %out %c0 %lane\n\
         %x0 = OpAccessChain %p_uu %ubo %c0 %c0\n%x1 = OpAccessChain %p_uu %ubo %c0 %c1\n{body}OpFunctionEnd\n"
    )
}

fn dispatch(way: &Way, block: Found, pushed: u32) -> Vec<u32> {
    let f = &way.f;
    let mut out = [7u32; 32];
    let set = Bound::new(Descriptor { ptr: out.as_mut_ptr() as u64, size: 64 }, block, way.heap);
    let mut push = [0u32; 64];
    push[0] = pushed;
    let mut scratch = vec![[0u128; 4]; f.meta().scratch_bytes / 64 + 1];
    let stop = 0u32;
    let mut ctx = empty();
    set.bind(&mut ctx);
    ctx.push = push.as_ptr().cast();
    ctx.scratch = scratch.as_mut_ptr().cast();
    ctx.stop = &raw const stop;
    ctx.num_workgroups = [1; 3];
    // SAFETY: `ctx` was filled with set, table, push constants and scratch that live until the call returns, and
    // entries with the shader's keys point to live buffers.
    assert_eq!(unsafe { f.call(&mut ctx, 0, 1) }, DONE);
    out[..16].to_vec()
}

/// Pushes 0, with which no lane uses the uniform block, and 2, with which at least some lanes use it. A handle without
/// a resource reads zero.
fn check(body: &str, unused: impl Fn(u32) -> u32, used: impl Fn(u32) -> u32) {
    let mut words = [0u32; 32];
    (words[0], words[4], words[8]) = (100, 101, 102);
    let there = Descriptor { ptr: words.as_ptr() as u64, size: 64 };
    for way in ways(&compute_text(body), Stage::Compute) {
        let row = |of: &dyn Fn(u32) -> u32| (0..16).map(of).collect::<Vec<_>>();
        let nothing = |lane| if used(lane) >= 100 { 0 } else { used(lane) };
        assert_eq!(dispatch(&way, Found::Buffer(there), 2), row(&used), "{}", way.name);
        for block in [Found::Gone, Found::View, Found::Later, Found::Nothing, Found::BeyondSet] {
            assert_eq!(dispatch(&way, block, 0), row(&unused), "{}", way.name);
            assert_eq!(dispatch(&way, block, 2), row(&nothing), "{}", way.name);
        }
    }
}

#[test]
fn behind_a_uniform_branch() {
    check(
        "OpStore %o %c1\n%c = OpINotEqual %bool %pushed %c0\nOpSelectionMerge %after None\n\
         OpBranchConditional %c %then %after\n%then = OpLabel\n%r = OpLoad %u %x0\nOpStore %o %r\n\
         OpBranch %after\n%after = OpLabel\nOpReturn\n",
        |_| 1,
        |_| 100,
    );
}

#[test]
fn behind_a_branch_of_some_lanes() {
    check(
        "OpStore %o %c1\n%c = OpULessThan %bool %lane %pushed\nOpSelectionMerge %after None\n\
         OpBranchConditional %c %then %after\n%then = OpLabel\n%x = OpAccessChain %p_uu %ubo %c0 %lane\n\
         %r = OpLoad %u %x\nOpStore %o %r\nOpBranch %after\n%after = OpLabel\nOpReturn\n",
        |_| 1,
        |lane| if lane < 2 { 100 + lane } else { 1 },
    );
}

#[test]
fn after_an_early_return() {
    check(
        "OpStore %o %c1\n%c = OpUGreaterThanEqual %bool %lane %pushed\nOpSelectionMerge %after None\n\
         OpBranchConditional %c %then %after\n%then = OpLabel\nOpReturn\n%after = OpLabel\n\
         %r = OpLoad %u %x1\nOpStore %o %r\nOpReturn\n",
        |_| 1,
        |lane| if lane < 2 { 101 } else { 1 },
    );
}

#[test]
fn in_a_loop_without_turns() {
    check(
        "OpStore %o %c1\nOpBranch %head\n%head = OpLabel\n%i = OpPhi %u %c0 %entry %next %go_on\n\
         OpLoopMerge %done %go_on None\nOpBranch %test\n%test = OpLabel\n%c = OpULessThan %bool %i %pushed\n\
         OpBranchConditional %c %turn %done\n%turn = OpLabel\n%r = OpLoad %u %x1\nOpStore %o %r\n\
         OpBranch %go_on\n%go_on = OpLabel\n%next = OpIAdd %u %i %c1\nOpBranch %head\n\
         %done = OpLabel\nOpReturn\n",
        |_| 1,
        |_| 101,
    );
}

/// A block that is certainly read may be read at any time.
#[test]
fn behind_a_use_that_is_certain() {
    let body = "%s = OpLoad %u %x0\nOpStore %o %s\n%c = OpULessThan %bool %lane %pushed\n\
         OpSelectionMerge %after None\nOpBranchConditional %c %then %after\n%then = OpLabel\n\
         %r = OpLoad %u %x1\nOpStore %o %r\nOpBranch %after\n%after = OpLabel\nOpReturn\n";
    let mut words = [0u32; 32];
    (words[0], words[4]) = (100, 101);
    let there = Descriptor { ptr: words.as_ptr() as u64, size: 64 };
    for way in ways(&compute_text(body), Stage::Compute) {
        assert_eq!(dispatch(&way, Found::Buffer(there), 0), [100; 16], "{}", way.name);
        let want: Vec<u32> = (0..16).map(|lane| if lane < 3 { 101 } else { 100 }).collect();
        assert_eq!(dispatch(&way, Found::Buffer(there), 3), want, "{}", way.name);
    }
}

/// In quads without a covered lane, the lanes of a stamp are not invocations. With derivatives, the uncovered lanes of
/// the other quads are helper invocations.
#[test]
fn not_for_pixels_that_are_not_covered() {
    for derivative in ["%d = OpFSub %f %x %x\n", "%d = OpDPdx %f %x\n"] {
        let text = format!(
            "OpCapability Shader\nOpMemoryModel Logical GLSL450\n\
             OpEntryPoint Fragment %main \"main\" %coord %out\nOpExecutionMode %main OriginUpperLeft\n\
             OpDecorate %coord BuiltIn FragCoord\nOpDecorate %out Location 0\n\
             OpDecorate %ubo DescriptorSet 0\nOpDecorate %ubo Binding 1\n\
             OpDecorate %ubo_block Block\nOpMemberDecorate %ubo_block 0 Offset 0\n\
             %void = OpTypeVoid\n%fn = OpTypeFunction %void\n%f = OpTypeFloat 32\n%bool = OpTypeBool\n\
             %v4 = OpTypeVector %f 4\n%s = OpTypeInt 32 1\n%i0 = OpConstant %s 0\n%two = OpConstant %f 2\n\
             %one = OpConstant %f 1\n\
             %ubo_block = OpTypeStruct %f\n%p_ubo = OpTypePointer Uniform %ubo_block\n\
             %ubo = OpVariable %p_ubo Uniform\n%p_uf = OpTypePointer Uniform %f\n\
             %p_coord = OpTypePointer Input %v4\n%coord = OpVariable %p_coord Input\n\
             %p_out = OpTypePointer Output %f\n%out = OpVariable %p_out Output\n\
             %main = OpFunction %void None %fn\n%entry = OpLabel\n%at = OpLoad %v4 %coord\n\
             %x = OpCompositeExtract %f %at 0\n{derivative}\
             %c = OpFOrdGreaterThan %bool %x %two\nOpSelectionMerge %after None\n\
             OpBranchConditional %c %then %after\n%then = OpLabel\n%q = OpAccessChain %p_uf %ubo %i0\n\
             %r = OpLoad %f %q\nOpBranch %after\n%after = OpLabel\n%v = OpPhi %f %one %entry %r %then\n\
             %w = OpFAdd %f %v %d\nOpStore %out %w\nOpReturn\nOpFunctionEnd\n"
        );
        for Way { name, f, heap } in ways(&text, Stage::Fragment) {
            let lanes = f.meta().lanes as usize;
            if lanes == 4 {
                // The stamp is a single quad.
                continue;
            }
            let set = Bound::new(GONE, Found::Gone, heap);
            let flat = Plane { a0: 1.0, dadx: 0.0, dady: 0.0 };
            let primitive = Primitive {
                origin: [0.0; 2],
                z: flat,
                inv_w: flat,
                inputs: std::ptr::null(),
                front_facing: 1,
                primitive_id: 0,
                layer: 0,
                viewport_index: 0,
            };
            // Covers one pixel of the first quad, whose pixels end at x = 2.
            let stamps = [Stamp { x: 0, y: 0, mask: 1 }];
            let mut masks = [0u32; 4];
            let mut output = vec![0u32; 64];
            let mut scratch = vec![[0u128; 4]; f.meta().scratch_bytes / 64 + 1];
            let positions = [[0.5f32; 2]; 17];
            let stop = 0u32;
            let mut ctx = empty();
            set.bind(&mut ctx);
            ctx.scratch = scratch.as_mut_ptr().cast();
            ctx.stop = &raw const stop;
            ctx.stamps = stamps.as_ptr();
            ctx.primitive = &raw const primitive;
            ctx.out_masks = masks.as_mut_ptr();
            ctx.output = output.as_mut_ptr().cast();
            ctx.sample_count = 1;
            ctx.sample_positions = positions.as_ptr();
            ctx.pixel_offset = [0.5; 2];
            // SAFETY: `ctx` was filled with set, table, stamps, primitive, outputs and scratch that live until the call
            // returns, and entries with the shader's keys point to live buffers.
            assert_eq!(unsafe { f.call(&mut ctx, 0, 1) }, DONE, "{name}");
            let want = if derivative.contains("OpDPdx") { 2.0 } else { 1.0 };
            assert_eq!((masks[0], f32::from_bits(output[0])), (1, want), "{name}");
        }
    }
}

//! Kernels: OpenCL's entry points, each compiled and interpreted, with results from closed forms.

use quadrille::apps::kernel::{Kernel, KernelDesc, Range};
use quadrille::frontend::{self, Language, Options, Stage};
use quadrille::{Device, DeviceOptions};

#[path = "kernels/images.rs"]
mod images;
#[path = "kernels/imports.rs"]
mod imports;
#[path = "kernels/indices.rs"]
mod indices;
#[path = "kernels/launches.rs"]
mod launches;
#[path = "kernels/memory.rs"]
mod memory;
#[path = "kernels/modules.rs"]
mod modules;
#[path = "kernels/streams.rs"]
mod streams;

/// The types and instructions that most kernels begin with.
const HEAD: &str = include_str!("kernels/head.spvasm");

/// A module of kernels: `%main` takes what `types` names, and `body` follows its parameters.
fn module(parameters: &[(&str, &str)], globals: &str, body: &str) -> Vec<u32> {
    module_with("", parameters, globals, body)
}

fn module_with(decorations: &str, parameters: &[(&str, &str)], globals: &str, body: &str) -> Vec<u32> {
    let types: String = parameters.iter().map(|(ty, _)| format!(" {ty}")).collect();
    let names: String =
        parameters.iter().map(|(ty, name)| format!("{name} = OpFunctionParameter {ty}\n")).collect();
    let head = HEAD.replace("; decorations", decorations);
    words(&format!(
        "{head}\n{globals}\n%main_type = OpTypeFunction %void{types}\n\
         %main = OpFunction %void None %main_type\n{names}{body}\nOpFunctionEnd\n"
    ))
}

fn words(text: &str) -> Vec<u32> {
    let options = Options::named("kernel.spvasm");
    frontend::compile(text.as_bytes(), Language::Spirv, Stage::Compute, &options)
        .unwrap_or_else(|e| panic!("{e}\n{text}"))
}

/// Runs `test` with compiled code and with the interpreter, in several sizes of lane groups.
fn in_every_way(words: &[u32], test: impl Fn(&mut Kernel)) {
    for (interp, lanes) in [(false, 8), (true, 8), (false, 4), (false, 16)] {
        let device = Device::new(DeviceOptions { interp, lanes, ..DeviceOptions::default() }).unwrap();
        let mut kernel = Kernel::new(&device, &KernelDesc { words, ..KernelDesc::default() })
            .unwrap_or_else(|e| panic!("{e}"));
        test(&mut kernel);
    }
}

fn range(x: u32, local: u32) -> Range {
    Range { global: [x, 1, 1], local: Some([local, 1, 1]), ..Range::default() }
}

/// The global id in dimension 0 as `%i`.
const ID: &str = "%entry = OpLabel\n%ids = OpLoad %v3u64 %gid\n%i = OpCompositeExtract %u64 %ids 0\n";

#[test]
fn vectors_are_added_and_scaled() {
    let parameters = [("%gf", "%a"), ("%gf", "%b"), ("%f32", "%k")];
    let body = format!(
        "{ID}%pa = OpInBoundsPtrAccessChain %gf %a %i
        %pb = OpInBoundsPtrAccessChain %gf %b %i
        %x = OpLoad %f32 %pa Aligned 4
        %y = OpFMul %f32 %x %k
        OpStore %pb %y Aligned 4
        OpReturn"
    );
    in_every_way(&module(&parameters, "", &body), |kernel| {
        let a: Vec<f32> = (0..100).map(|i| i as f32).collect();
        kernel.set_buffer(0, &a).unwrap();
        kernel.set_buffer(1, &[0f32; 100]).unwrap();
        kernel.set_value(2, &3f32.to_le_bytes()).unwrap();
        kernel.launch(&range(100, 20)).unwrap();
        let want: Vec<f32> = a.iter().map(|x| 3.0 * x).collect();
        assert_eq!(kernel.read::<f32>(1).unwrap(), want);
    });
}

/// Loops, conditions and a switch without merge instructions: the number of steps of the Collatz sequence, in which
/// multiples of 5 are counted apart.
#[test]
fn control_flow_needs_no_merge_instructions() {
    let body = format!(
        "{ID}%n0 = OpUConvert %u32 %i
        %start = OpIAdd %u32 %n0 %u1
        OpBranch %head
        %head = OpLabel
        %n = OpPhi %u32 %start %entry %next %latch
        %count = OpPhi %u32 %u0 %entry %more %latch
        %fives = OpPhi %u32 %u0 %entry %fives_next %latch
        %done = OpIEqual %bool %n %u1
        OpBranchConditional %done %exit %work
        %work = OpLabel
        %bit = OpBitwiseAnd %u32 %n %u1
        OpSwitch %bit %odd 0 %even
        %even = OpLabel
        %half = OpShiftRightLogical %u32 %n %u1
        OpBranch %joined
        %odd = OpLabel
        %triple = OpIMul %u32 %n %u3
        %up = OpIAdd %u32 %triple %u1
        OpBranch %joined
        %joined = OpLabel
        %next = OpPhi %u32 %half %even %up %odd
        %rest = OpUMod %u32 %next %u5
        %is_five = OpIEqual %bool %rest %u0
        OpBranchConditional %is_five %five %latch
        %five = OpLabel
        %one_more = OpIAdd %u32 %fives %u1
        %far = OpUGreaterThan %bool %one_more %u3
        OpBranchConditional %far %early %latch
        %latch = OpLabel
        %fives_next = OpPhi %u32 %fives %joined %one_more %five
        %more = OpIAdd %u32 %count %u1
        OpBranch %head
        %early = OpLabel
        %marked = OpIAdd %u32 %count %u1000
        OpBranch %exit
        %exit = OpLabel
        %result = OpPhi %u32 %count %head %marked %early
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %result Aligned 4
        OpReturn"
    );
    let collatz = |start: u32| {
        let (mut n, mut count, mut fives) = (start, 0, 0);
        while n != 1 {
            n = if n % 2 == 0 { n / 2 } else { 3 * n + 1 };
            if n % 5 == 0 {
                fives += 1;
                if fives > 3 {
                    return count + 1000;
                }
            }
            count += 1;
        }
        count
    };
    in_every_way(&module(&[("%gu", "%out")], "", &body), |kernel| {
        kernel.set_buffer(0, &[0u32; 64]).unwrap();
        kernel.launch(&range(64, 16)).unwrap();
        let want: Vec<u32> = (1..=64).map(collatz).collect();
        assert_eq!(kernel.read::<u32>(0).unwrap(), want);
    });
}

/// A workgroup reverses its part in workgroup memory, an argument; the barrier is that of the workgroup.
#[test]
fn workgroup_memory_is_an_argument() {
    let body = "%entry = OpLabel
        %ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %locals = OpLoad %v3u64 %lid
        %l = OpCompositeExtract %u64 %locals 0
        %sizes = OpLoad %v3u64 %wgs
        %size = OpCompositeExtract %u64 %sizes 0
        %p = OpInBoundsPtrAccessChain %gu %a %i
        %x = OpLoad %u32 %p Aligned 4
        %mine = OpInBoundsPtrAccessChain %wu %tile %l
        OpStore %mine %x Aligned 4
        OpControlBarrier %u2 %u2 %u272
        %last = OpISub %u64 %size %l1
        %other = OpISub %u64 %last %l
        %theirs = OpInBoundsPtrAccessChain %wu %tile %other
        %y = OpLoad %u32 %theirs Aligned 4
        OpStore %p %y Aligned 4
        OpReturn";
    in_every_way(&module(&[("%gu", "%a"), ("%wu", "%tile")], "", body), |kernel| {
        let a: Vec<u32> = (0..96).collect();
        kernel.set_buffer(0, &a).unwrap();
        kernel.set_local(1, 32 * 4).unwrap();
        kernel.launch(&range(96, 32)).unwrap();
        let want: Vec<u32> = (0..96).map(|i| i / 32 * 32 + 31 - i % 32).collect();
        assert_eq!(kernel.read::<u32>(0).unwrap(), want);
    });
}

/// A private array of bytes, written as bytes and read as words, also through a generic pointer.
#[test]
fn private_memory_has_bytes() {
    let globals = "%array = OpTypeArray %u8 %u8len
        %u512 = OpConstant %u32 512
        %pa = OpTypePointer Function %array
        %pb = OpTypePointer Function %u8
        %pw = OpTypePointer Function %u32
        %genericw = OpTypePointer Generic %u32";
    let body = "%entry = OpLabel
        %v = OpVariable %pa Function
        %ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %bytes = OpBitcast %pb %v
        OpLifetimeStart %bytes 8
        OpBranch %head
        %head = OpLabel
        %k = OpPhi %u64 %l0 %entry %k1 %head
        %at = OpInBoundsPtrAccessChain %pb %bytes %k
        %sum = OpIAdd %u64 %k %i
        %byte = OpUConvert %u8 %sum
        OpStore %at %byte Aligned 1
        %k1 = OpIAdd %u64 %k %l1
        %on = OpULessThan %bool %k1 %l8
        OpBranchConditional %on %head %exit
        %exit = OpLabel
        %word = OpBitcast %pw %v
        %second = OpInBoundsPtrAccessChain %pw %word %l1
        %g = OpPtrCastToGeneric %genericw %second
        %back = OpGenericCastToPtrExplicit %pw %g Function
        %x = OpLoad %u32 %g Aligned 4
        %same = OpLoad %u32 %back Aligned 4
        %equal = OpIEqual %bool %x %same
        %wrong = OpGenericCastToPtrExplicit %gu %g CrossWorkgroup
        %wrong_bits = OpConvertPtrToU %u64 %wrong
        %null = OpIEqual %bool %wrong_bits %l0
        %plain = OpGenericCastToPtr %pw %g
        %third = OpLoad %u32 %plain Aligned 4
        %equal3 = OpIEqual %bool %third %same
        %g_out = OpPtrCastToGeneric %genericw %out
        %chosen = OpSelect %genericw %null %g_out %g
        %semantics = OpGenericPtrMemSemantics %u32 %chosen
        %cross = OpIEqual %bool %semantics %u512
        %both = OpLogicalAnd %bool %equal %null
        %three = OpLogicalAnd %bool %both %equal3
        %four = OpLogicalAnd %bool %three %cross
        OpLifetimeStop %bytes 8
        %result = OpSelect %u32 %four %x %u0
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %result Aligned 4
        OpReturn";
    in_every_way(&module(&[("%gu", "%out")], globals, body), |kernel| {
        kernel.set_buffer(0, &[0u32; 16]).unwrap();
        kernel.launch(&range(16, 16)).unwrap();
        let want: Vec<u32> = (0..16u8).map(|i| u32::from_le_bytes([i + 4, i + 5, i + 6, i + 7])).collect();
        assert_eq!(kernel.read::<u32>(0).unwrap(), want);
    });
}

/// The built-ins of kernels, with an offset.
#[test]
fn built_ins_know_the_launch() {
    let body = "%entry = OpLabel
        %ids = OpLoad %v3u64 %gid
        %x = OpCompositeExtract %u64 %ids 0
        %y = OpCompositeExtract %u64 %ids 1
        %sizes = OpLoad %v3u64 %gsize
        %width = OpCompositeExtract %u64 %sizes 0
        %height = OpCompositeExtract %u64 %sizes 1
        %offsets = OpLoad %v3u64 %goffset
        %ox = OpCompositeExtract %u64 %offsets 0
        %linear = OpLoad %u64 %glinear
        %dim = OpLoad %u32 %wdim
        %dim64 = OpUConvert %u64 %dim
        %enqueued = OpLoad %v3u64 %ews
        %ex = OpCompositeExtract %u64 %enqueued 0
        %six = OpIMul %u64 %linear %l8
        %p0 = OpInBoundsPtrAccessChain %gl %out %six
        OpStore %p0 %x Aligned 8
        %p1 = OpInBoundsPtrAccessChain %gl %p0 %l1
        OpStore %p1 %y Aligned 8
        %p2 = OpInBoundsPtrAccessChain %gl %p1 %l1
        OpStore %p2 %width Aligned 8
        %p3 = OpInBoundsPtrAccessChain %gl %p2 %l1
        OpStore %p3 %height Aligned 8
        %p4 = OpInBoundsPtrAccessChain %gl %p3 %l1
        OpStore %p4 %ox Aligned 8
        %p5 = OpInBoundsPtrAccessChain %gl %p4 %l1
        OpStore %p5 %dim64 Aligned 8
        %p6 = OpInBoundsPtrAccessChain %gl %p5 %l1
        OpStore %p6 %ex Aligned 8
        OpReturn";
    in_every_way(&module(&[("%gl", "%out")], "", body), |kernel| {
        kernel.set_buffer(0, &[0u64; 6 * 4 * 8]).unwrap();
        let range = Range { global: [6, 4, 1], local: Some([3, 2, 1]), offset: [10, 20, 0], dimensions: 2 };
        kernel.launch(&range).unwrap();
        let out = kernel.read::<u64>(0).unwrap();
        for (n, item) in out.chunks(8).enumerate() {
            let (x, y) = (n as u64 % 6, n as u64 / 6);
            assert_eq!(item, [x + 10, y + 20, 6, 4, 10, 2, 3, 0]);
        }
    });
}

/// A function with a table in constant memory of the module.
#[test]
fn constants_of_the_module_have_addresses() {
    let globals = "%table_type = OpTypeArray %u32 %u4
        %pt = OpTypePointer UniformConstant %table_type
        %pc = OpTypePointer UniformConstant %u32
        %values = OpConstantComposite %table_type %u5 %u3 %u2 %u1
        %table = OpVariable %pt UniformConstant %values";
    let body = format!(
        "{ID}%low = OpBitwiseAnd %u64 %i %l3
        %c = OpInBoundsAccessChain %pc %table %low
        %x = OpLoad %u32 %c Aligned 4
        %p = OpInBoundsPtrAccessChain %gu %out %i
        OpStore %p %x Aligned 4
        OpReturn"
    );
    in_every_way(&module(&[("%gu", "%out")], globals, &body), |kernel| {
        kernel.set_buffer(0, &[0u32; 8]).unwrap();
        kernel.launch(&range(8, 4)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [5, 3, 2, 1, 5, 3, 2, 1]);
    });
}

/// Reductions and scans of a workgroup of 24 invocations.
#[test]
fn groups_reduce_and_scan() {
    let body = format!(
        "{ID}%n = OpUConvert %u32 %i
        %v = OpIAdd %u32 %n %u1
        %sum = OpGroupIAdd %u32 %u2 Reduce %v
        %before = OpGroupIAdd %u32 %u2 ExclusiveScan %v
        %most = OpGroupUMax %u32 %u2 InclusiveScan %v
        %third = OpGroupBroadcast %u32 %u2 %v %l3
        %big = OpUGreaterThan %bool %v %u0
        %all = OpGroupAll %bool %u2 %big
        %is_last = OpUGreaterThan %bool %v %u23
        %any = OpGroupAny %bool %u2 %is_last
        %every = OpGroupAll %bool %u2 %is_last
        %none = OpLogicalNot %bool %every
        %fs = OpConvertUToF %f32 %v
        %fsum = OpGroupFAdd %f32 %u2 Reduce %fs
        %fmin = OpGroupFMin %f32 %u2 Reduce %fs
        %fmax = OpGroupFMax %f32 %u2 Reduce %fs
        %ends = OpFAdd %f32 %fmin %fmax
        %ends12 = OpFMul %f32 %ends %twelve
        %sums = OpFOrdEqual %bool %fsum %ends12
        %minus = OpSNegate %u32 %v
        %smin = OpGroupSMin %u32 %u2 Reduce %minus
        %smax = OpGroupSMax %u32 %u2 Reduce %minus
        %umin = OpGroupUMin %u32 %u2 Reduce %v
        %total = OpIAdd %u32 %smin %u24
        %total2 = OpIAdd %u32 %total %smax
        %total3 = OpIAdd %u32 %total2 %umin
        %zero = OpIEqual %bool %total3 %u0
        %t1 = OpLogicalAnd %bool %all %any
        %t2 = OpLogicalAnd %bool %t1 %none
        %t3 = OpLogicalAnd %bool %t2 %sums
        %t4 = OpLogicalAnd %bool %t3 %zero
        %a = OpSelect %u32 %t4 %sum %u0
        %p = OpInBoundsPtrAccessChain %gu %out %i
        %x = OpIMul %u32 %before %u1000
        %y = OpIAdd %u32 %x %a
        %z = OpIMul %u32 %most %third
        %w = OpIAdd %u32 %y %z
        OpStore %p %w Aligned 4
        OpReturn"
    );
    let globals = "%u23 = OpConstant %u32 23\n%u24 = OpConstant %u32 24\n%twelve = OpConstant %f32 12";
    in_every_way(&module(&[("%gu", "%out")], globals, &body), |kernel| {
        kernel.set_buffer(0, &[0u32; 24]).unwrap();
        kernel.launch(&range(24, 24)).unwrap();
        let want: Vec<u32> = (0..24).map(|i| i * (i + 1) / 2 * 1000 + 300 + (i + 1) * 4).collect();
        assert_eq!(kernel.read::<u32>(0).unwrap(), want);
    });
}

/// Vectors of 8 and 16 components, loaded and stored whole.
#[test]
fn vectors_have_up_to_16_components() {
    let globals = "%v16 = OpTypeVector %f32 16\n%v8 = OpTypeVector %f32 8";
    let body = format!(
        "{ID}%x = OpExtInst %v16 %cl vloadn %i %a 16
        %y = OpFAdd %v16 %x %x
        %half = OpVectorShuffle %v8 %y %y 15 14 13 12 11 10 9 8
        %unused = OpExtInst %void %cl vstoren %half %i %b
        OpReturn"
    );
    in_every_way(&module(&[("%gf", "%a"), ("%gf", "%b")], globals, &body), |kernel| {
        let a: Vec<f32> = (0..64).map(|i| i as f32).collect();
        kernel.set_buffer(0, &a).unwrap();
        kernel.set_buffer(1, &[0f32; 32]).unwrap();
        kernel.launch(&range(4, 4)).unwrap();
        let want: Vec<f32> =
            (0..4).flat_map(|i| (0..8).map(move |k| 2.0 * (16 * i + 15 - k) as f32)).collect();
        assert_eq!(kernel.read::<f32>(1).unwrap(), want);
    });
}

/// Functions with a second result behind a pointer.
#[test]
fn functions_store_second_results() {
    let globals = "%pf = OpTypePointer Function %f32\n%pi = OpTypePointer Function %u32";
    let body = "%entry = OpLabel
        %f = OpVariable %pf Function
        %n = OpVariable %pi Function
        %ids = OpLoad %v3u64 %gid
        %i = OpCompositeExtract %u64 %ids 0
        %pa = OpInBoundsPtrAccessChain %gf %a %i
        %x = OpLoad %f32 %pa Aligned 4
        %at = OpIMul %u64 %i %l8
        %q0 = OpInBoundsPtrAccessChain %gf %b %at
        %r0 = OpExtInst %f32 %cl fract %x %f
        OpStore %q0 %r0 Aligned 4
        %s0 = OpLoad %f32 %f Aligned 4
        %q1 = OpInBoundsPtrAccessChain %gf %q0 %l1
        OpStore %q1 %s0 Aligned 4
        %r1 = OpExtInst %f32 %cl modf %x %f
        %q2 = OpInBoundsPtrAccessChain %gf %q1 %l1
        OpStore %q2 %r1 Aligned 4
        %r2 = OpExtInst %f32 %cl frexp %x %n
        %q3 = OpInBoundsPtrAccessChain %gf %q2 %l1
        OpStore %q3 %r2 Aligned 4
        %s2 = OpLoad %u32 %n Aligned 4
        %t2 = OpConvertSToF %f32 %s2
        %q4 = OpInBoundsPtrAccessChain %gf %q3 %l1
        OpStore %q4 %t2 Aligned 4
        %r3 = OpExtInst %f32 %cl remquo %x %two %n
        %q5 = OpInBoundsPtrAccessChain %gf %q4 %l1
        OpStore %q5 %r3 Aligned 4
        %s3 = OpLoad %u32 %n Aligned 4
        %t3 = OpConvertSToF %f32 %s3
        %q6 = OpInBoundsPtrAccessChain %gf %q5 %l1
        OpStore %q6 %t3 Aligned 4
        %r5 = OpExtInst %f32 %cl sincos %x %f
        %c5 = OpLoad %f32 %f Aligned 4
        %ss = OpFMul %f32 %r5 %r5
        %cc = OpFMul %f32 %c5 %c5
        %ones = OpFAdd %f32 %ss %cc
        %unit = OpExtInst %f32 %cl rint %ones
        %r4 = OpExtInst %f32 %cl lgamma_r %x %n
        %s4 = OpLoad %u32 %n Aligned 4
        %t40 = OpConvertSToF %f32 %s4
        %t4 = OpFMul %f32 %t40 %unit
        %q7 = OpInBoundsPtrAccessChain %gf %q6 %l1
        OpStore %q7 %t4 Aligned 4
        OpReturn";
    in_every_way(&module(&[("%gf", "%a"), ("%gf", "%b")], globals, body), |kernel| {
        kernel.set_buffer(0, &[5.5f32, -5.25, 7.0]).unwrap();
        kernel.set_buffer(1, &[0f32; 24]).unwrap();
        kernel.launch(&range(3, 1)).unwrap();
        let out = kernel.read::<f32>(1).unwrap();
        assert_eq!(out[..8], [0.5, 5.0, 0.5, 0.6875, 3.0, -0.5, 3.0, 1.0]);
        assert_eq!(out[8..16], [0.75, -6.0, -0.25, -0.65625, 3.0, 0.75, -3.0, 1.0]);
        assert_eq!(out[16..], [0.0, 7.0, 0.0, 0.875, 3.0, -1.0, 4.0, 1.0]);
    });
}

/// Halves in memory, with every rounding mode.
#[test]
fn halves_are_rounded_as_asked() {
    let globals = "%ph = OpTypePointer CrossWorkgroup %f16
        %v3f32 = OpTypeVector %f32 3
        %four = OpConstant %f32 4
        %l2 = OpConstant %u64 2";
    let body = format!(
        "{ID}%pa = OpInBoundsPtrAccessChain %gf %a %i
        %x = OpLoad %f32 %pa Aligned 4
        %h = OpIMul %u64 %i %l4
        %h1 = OpIAdd %u64 %h %l1
        %h2 = OpIAdd %u64 %h1 %l1
        %h3 = OpIAdd %u64 %h2 %l1
        %s0 = OpExtInst %void %cl vstore_half_r %x %h %halves RTE
        %s1 = OpExtInst %void %cl vstore_half_r %x %h1 %halves RTZ
        %s2 = OpExtInst %void %cl vstore_half_r %x %h2 %halves RTP
        %s3 = OpExtInst %void %cl vstore_half_r %x %h3 %halves RTN
        %back = OpExtInst %f32 %cl vload_half %h2 %halves
        OpStore %pa %back Aligned 4
        %v3 = OpCompositeConstruct %v3f32 %x %back %two
        %s4 = OpExtInst %void %cl vstore_half %x %l0 %more
        %s5 = OpExtInst %void %cl vstore_halfn %v3 %l1 %more
        %s6 = OpExtInst %void %cl vstorea_halfn %v3 %l2 %more
        %s7 = OpExtInst %void %cl vstore_halfn_r %v3 %l4 %more RTP
        %s8 = OpExtInst %void %cl vstorea_halfn_r %v3 %l4 %more RTP
        %n3 = OpExtInst %v3f32 %cl vload_halfn %l1 %more 3
        %a3 = OpExtInst %v3f32 %cl vloada_halfn %l2 %more 3
        %n = OpCompositeExtract %f32 %n3 2
        %al = OpCompositeExtract %f32 %a3 2
        %product = OpFMul %f32 %n %al
        %nothing = OpFOrdNotEqual %bool %product %four
        OpBranchConditional %nothing %bad %good
        %bad = OpLabel
        OpStore %pa %two Aligned 4
        OpBranch %good
        %good = OpLabel
        OpReturn"
    );
    in_every_way(&module(&[("%gf", "%a"), ("%ph", "%halves"), ("%ph", "%more")], globals, &body), |kernel| {
        // Between 1 and the next f16, 1 + 2^-10.
        let x = 1.0 + 2f32.powi(-12);
        kernel.set_buffer(0, &[x, -x]).unwrap();
        kernel.set_buffer(1, &[0u16; 8]).unwrap();
        kernel.set_buffer(2, &[0u16; 24]).unwrap();
        kernel.launch(&range(2, 1)).unwrap();
        let halves = kernel.read::<u16>(1).unwrap();
        assert_eq!(halves, [0x3c00, 0x3c00, 0x3c01, 0x3c00, 0xbc00, 0xbc00, 0xbc00, 0xbc01]);
        assert_eq!(kernel.read::<f32>(0).unwrap(), [1.0 + 2f32.powi(-10), -1.0]);
        let more = kernel.read::<u16>(2).unwrap();
        // Every invocation stores these components.
        assert_eq!((more[5], more[10], more[14], more[18]), (0x4000, 0x4000, 0x4000, 0x4000));
    });
}

/// Copies by the workgroup into its memory and back.
#[test]
fn groups_copy_asynchronously() {
    let globals = "%event = OpTypeEvent
        %events = OpTypePointer Function %event
        %none = OpConstantNull %event";
    let body = "%entry = OpLabel
        %list = OpVariable %events Function
        %locals = OpLoad %v3u64 %lid
        %l = OpCompositeExtract %u64 %locals 0
        %e1 = OpGroupAsyncCopy %event %u2 %tile %a %l8 %l1 %none
        OpStore %list %e1
        OpGroupWaitEvents %u2 %u1 %list
        %mine = OpInBoundsPtrAccessChain %wu %tile %l
        %x = OpLoad %u32 %mine Aligned 4
        %y = OpIMul %u32 %x %u5
        OpStore %mine %y Aligned 4
        OpControlBarrier %u2 %u2 %u272
        %e2 = OpGroupAsyncCopy %event %u2 %b %tile %l8 %l1 %e1
        OpReturn";
    in_every_way(&module(&[("%gu", "%a"), ("%gu", "%b"), ("%wu", "%tile")], globals, body), |kernel| {
        kernel.set_buffer(0, &[1u32, 2, 3, 4, 5, 6, 7, 8]).unwrap();
        kernel.set_buffer(1, &[0u32; 8]).unwrap();
        kernel.set_local(2, 32).unwrap();
        kernel.launch(&range(8, 8)).unwrap();
        assert_eq!(kernel.read::<u32>(1).unwrap(), [5, 10, 15, 20, 25, 30, 35, 40]);
    });
}

/// Atomics on buffers and, through generic pointers, on workgroup memory; flags.
#[test]
fn atomics_count() {
    let globals = "%genericu = OpTypePointer Generic %u32";
    let body = format!(
        "{ID}%n = OpUConvert %u32 %i
        %odd = OpBitwiseAnd %u32 %n %u1
        %is_odd = OpINotEqual %bool %odd %u0
        %g1 = OpPtrCastToGeneric %genericu %out
        %g2 = OpPtrCastToGeneric %genericu %tile
        %where = OpSelect %genericu %is_odd %g1 %g2
        %old = OpAtomicIAdd %u32 %where %u1 %u0 %u3
        OpControlBarrier %u2 %u2 %u272
        %shared = OpAtomicLoad %u32 %tile %u1 %u0
        %p1 = OpInBoundsPtrAccessChain %gu %out %l1
        OpStore %p1 %shared Aligned 4
        %p2 = OpInBoundsPtrAccessChain %gu %p1 %l1
        %set = OpAtomicFlagTestAndSet %bool %p2 %u1 %u0
        %first = OpSelect %u32 %set %u0 %u1
        %p3 = OpInBoundsPtrAccessChain %gu %p2 %l1
        %count = OpAtomicIAdd %u32 %p3 %u1 %u0 %first
        %p4 = OpInBoundsPtrAccessChain %gu %p3 %l1
        %swapped = OpAtomicCompareExchangeWeak %u32 %p4 %u1 %u0 %u0 %u5 %u0
        OpControlBarrier %u2 %u2 %u272
        OpAtomicFlagClear %p2 %u1 %u0
        OpReturn"
    );
    in_every_way(&module(&[("%gu", "%out"), ("%wu", "%tile")], globals, &body), |kernel| {
        kernel.set_buffer(0, &[0u32; 5]).unwrap();
        kernel.set_local(1, 4).unwrap();
        kernel.launch(&range(16, 16)).unwrap();
        assert_eq!(kernel.read::<u32>(0).unwrap(), [24, 24, 0, 1, 5]);
    });
}

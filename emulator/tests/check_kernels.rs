//! Mistakes in kernels of OpenCL that checks must find, each beside a correct kernel that differs in one thing.

use crate::checks::{device, shown};
use quadrille::Format;
use quadrille::apps::kernel::{Kernel, KernelDesc, KernelImage, Limit, Range};
use quadrille::frontend::{self, Language, Options, Stage};

/// Kinds of the reports on one workgroup of four invocations. `%a` and `%b` are buffers of words, `%tile` is workgroup
/// memory; `%n` is the local id, and `%mine` the invocation's own word of `%a`. `set` sets the buffers.
fn found_with(globals: &str, body: &str, set: impl Fn(&mut Kernel)) -> Vec<String> {
    let head = include_str!("kernels/head.spvasm");
    let text = format!(
        "{head}
        %event = OpTypeEvent
        %events = OpTypePointer Function %event
        %none = OpConstantNull %event
        %array = OpTypeArray %u32 %u4
        %parray = OpTypePointer Function %array
        %pu = OpTypePointer Function %u32
        %pb = OpTypePointer Function %u8
        %b1 = OpConstant %u8 1
        %u7 = OpConstant %u32 7
        %u528 = OpConstant %u32 528
        {globals}
        %main_type = OpTypeFunction %void %gu %gu %wu
        %main = OpFunction %void None %main_type
        %a = OpFunctionParameter %gu
        %b = OpFunctionParameter %gu
        %tile = OpFunctionParameter %wu
        %entry = OpLabel
        %own = OpVariable %parray Function
        %list = OpVariable %events Function
        %locals = OpLoad %v3u64 %lid
        %l = OpCompositeExtract %u64 %locals 0
        %n = OpUConvert %u32 %l
        %mine = OpInBoundsPtrAccessChain %gu %a %l
        %tile_mine = OpInBoundsPtrAccessChain %wu %tile %l
        %b_mine = OpInBoundsPtrAccessChain %gu %b %l
        {body}
        OpReturn
        OpFunctionEnd
"
    );
    let options = Options::named("kernel.spvasm");
    let words = frontend::compile(text.as_bytes(), Language::Spirv, Stage::Compute, &options)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (session, device) = device();
    let mut kernel = Kernel::new(&device, &KernelDesc { words: &words, ..KernelDesc::default() }).unwrap();
    kernel.set_local(2, 16).unwrap();
    set(&mut kernel);
    let range = Range { global: [4, 1, 1], local: Some([4, 1, 1]), ..Range::default() };
    kernel.launch(&range).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let reports = session.reports.take();
    println!("{}", shown(&reports));
    let mut kinds: Vec<String> = reports.iter().map(|r| r.kind.to_string()).collect();
    kinds.dedup();
    kinds
}

/// Like [`found_with`], with the words 5 to 8 in both buffers.
fn found(globals: &str, body: &str) -> Vec<String> {
    found_with(globals, body, |kernel| {
        kernel.set_buffer(0, &[5u32, 6, 7, 8]).unwrap();
        kernel.set_buffer(1, &[5u32, 6, 7, 8]).unwrap();
    })
}

const NONE: [&str; 0] = [];

/// A block that only invocation 0 executes.
fn first_only(block: &str) -> String {
    format!(
        "%first = OpIEqual %bool %n %u0
        OpBranchConditional %first %then %join
        %then = OpLabel
        {block}
        OpBranch %join
        %join = OpLabel"
    )
}

/// The atomic access of an invocation does not hide its own earlier store from the atomic accesses of others.
#[test]
fn atomics_do_not_hide_stores() {
    let body = |between: &str| {
        let store = first_only("OpStore %a %u0 Aligned 4");
        format!("{store}\n{between}\n%old = OpAtomicIAdd %u32 %a %u1 %u0 %u1")
    };
    assert_eq!(found("", &body("")), ["race-buffer"]);
    assert_eq!(found("", &body("OpControlBarrier %u2 %u2 %u528")), NONE);
    // A load by the invocation that was last to access the word atomically.
    let body = |between: &str| {
        let load = first_only("%x = OpLoad %u32 %a Aligned 4\nOpStore %b %x Aligned 4");
        format!("%old = OpAtomicIAdd %u32 %a %u1 %u0 %u1\n{between}\n{load}")
    };
    assert_eq!(found("", &body("")), ["race-buffer"]);
    assert_eq!(found("", &body("OpControlBarrier %u2 %u2 %u528")), NONE);
}

/// A comparison that fails only reads.
#[test]
fn failed_comparisons_write_nothing() {
    let body = |comparator: &str| {
        format!(
            "%x = OpLoad %u32 %a Aligned 4
            OpStore %b_mine %x Aligned 4
            %old = OpAtomicCompareExchange %u32 %a %u1 %u0 %u0 %u1000 {comparator}"
        )
    };
    assert_eq!(found("", &body("%u7")), NONE);
    // The first word is 5.
    assert_eq!(found("", &body("%u5")), ["race-buffer"]);
}

/// Accesses need the alignment that they state.
#[test]
fn alignment_is_what_accesses_state() {
    let globals = "%gb = OpTypePointer CrossWorkgroup %u8";
    let body = |aligned: u32| {
        format!(
            "%bytes = OpBitcast %gb %a
            %odd = OpInBoundsPtrAccessChain %gb %bytes %l1
            %word = OpBitcast %gu %odd
            %x = OpLoad %u32 %word Aligned {aligned}
            OpStore %b_mine %x Aligned 4"
        )
    };
    assert_eq!(found(globals, &body(4)), ["misaligned-access"]);
    assert_eq!(found(globals, &body(1)), NONE);
}

/// Bytes of private memory that pointers lead to, beside other bytes of the same word.
#[test]
fn bytes_of_private_memory_begin_undefined() {
    let body = |written: &str| {
        format!(
            "%bytes = OpBitcast %pb %own
            %second = OpInBoundsPtrAccessChain %pb %bytes %l1
            OpStore {written} %b1 Aligned 1
            %byte = OpLoad %u8 %second Aligned 1
            %x = OpUConvert %u32 %byte
            OpStore %mine %x Aligned 4"
        )
    };
    assert_eq!(found("", &body("%bytes")), ["uninitialized-variable"]);
    assert_eq!(found("", &body("%second")), NONE);
    // By an index that only the launch knows, in an array of which other elements are written.
    let body = |read: &str| {
        format!(
            "%e = OpInBoundsPtrAccessChain %pu %own %l0 %l
            OpStore %e %n Aligned 4
            %r = OpInBoundsPtrAccessChain %pu %own %l0 {read}
            %x = OpLoad %u32 %r Aligned 4
            OpStore %mine %x Aligned 4"
        )
    };
    assert_eq!(found("", &body("%l1")), ["uninitialized-variable"]);
    assert_eq!(found("", &body("%l")), NONE);
}

/// A structure is copied with its padding. Members that nothing has written stay undefined in the copy.
#[test]
fn copies_of_structures_keep_what_is_undefined() {
    let globals = "%s = OpTypeStruct %u8 %u32
        %ps = OpTypePointer Function %s";
    let body = |member: &str| {
        format!(
            "%from = OpBitcast %ps %own
            %to_words = OpInBoundsPtrAccessChain %pu %own %l0 %l2
            %to = OpBitcast %ps %to_words
            %narrow = OpInBoundsAccessChain %pb %from %u0
            OpStore %narrow %b1 Aligned 1
            {member}
            OpCopyMemorySized %to %from %l8 Aligned 4
            %w = OpInBoundsAccessChain %pu %to %u1
            %c = OpInBoundsAccessChain %pb %to %u0
            %word = OpLoad %u32 %w Aligned 4
            %byte = OpLoad %u8 %c Aligned 1
            %wide = OpUConvert %u32 %byte
            %x = OpIAdd %u32 %word %wide
            OpStore %mine %x Aligned 4"
        )
    };
    let globals = format!("{globals}\n%l2 = OpConstant %u64 2");
    assert_eq!(found(&globals, &body("")), ["uninitialized-variable"]);
    let set = "%wide_member = OpInBoundsAccessChain %pu %from %u1\nOpStore %wide_member %n Aligned 4";
    assert_eq!(found(&globals, &body(set)), NONE);
}

const COPY: &str = "%e = OpGroupAsyncCopy %event %u2 %tile %a %l4 %l1 %none\nOpStore %list %e";
const WAIT: &str = "OpGroupWaitEvents %u2 %u1 %list";
const USE: &str = "%x = OpLoad %u32 %tile_mine Aligned 4\nOpStore %b_mine %x Aligned 4";

/// All invocations of a workgroup reach the same copies with the same operands.
#[test]
fn copies_are_those_of_a_workgroup() {
    assert_eq!(found("", &[COPY, WAIT, USE].join("\n")), NONE);
    let again = "%e2 = OpGroupAsyncCopy %event %u2 %tile %a %l1 %l1 %e";
    let one = [COPY, &first_only(again), WAIT, USE].join("\n");
    assert!(found("", &one).contains(&"copy-divergent".to_owned()));
    let all = [COPY, again, WAIT, USE].join("\n");
    assert_eq!(found("", &all), NONE);
    let other = [&COPY.replace("%l4", "%l"), WAIT, USE].join("\n");
    assert!(found("", &other).contains(&"copy-divergent".to_owned()));
}

/// A wait needs events of copies, and each copy needs a wait.
#[test]
fn events_come_from_copies_and_are_awaited() {
    let null = "OpStore %list %none\nOpGroupWaitEvents %u2 %u1 %list";
    assert_eq!(found("", null), ["event-invalid"]);
    assert!(found("", &[COPY, null, USE].join("\n")).contains(&"copy-unwaited".to_owned()));
    // Each invocation waits for another one of two copies.
    let globals = "%two_events = OpTypeArray %event %u2
        %ptwo = OpTypePointer Function %two_events";
    let body = |index: &str| {
        format!(
            "%own_events = OpBitcast %ptwo %own
            %e1 = OpGroupAsyncCopy %event %u2 %tile %a %l1 %l1 %none
            %e2 = OpGroupAsyncCopy %event %u2 %tile %a %l1 %l1 %none
            %at1 = OpInBoundsAccessChain %events %own_events %u0
            %at2 = OpInBoundsAccessChain %events %own_events %u1
            OpStore %at1 %e1
            OpStore %at2 %e2
            %half = OpBitwiseAnd %u64 %l {index}
            %at = OpInBoundsPtrAccessChain %events %at1 %half
            OpGroupWaitEvents %u2 %u1 %at
            OpGroupWaitEvents %u2 %u2 %at1"
        )
    };
    assert_eq!(found(globals, &body("%l0")), NONE);
    assert!(found(globals, &body("%l1")).contains(&"copy-divergent".to_owned()));
}

const TO_B: &str = "%x = OpLoad %u32 %mine Aligned 4\nOpStore %b_mine %x Aligned 4";

/// A buffer without contents.
#[test]
fn unwritten_buffers_are_undefined() {
    let found = |first: &str| {
        found_with("", &[first, TO_B].join("\n"), |kernel| {
            kernel.set_unwritten(0, 16).unwrap();
            kernel.set_buffer(1, &[0u32; 4]).unwrap();
        })
    };
    assert_eq!(found(""), ["uninitialized-buffer"]);
    assert_eq!(found("OpStore %mine %n Aligned 4"), NONE);
}

/// Buffers that the host lets the kernel only read, or only write.
#[test]
fn buffers_are_limited_by_the_host() {
    let found = |limits: [Limit; 2]| {
        found_with("", TO_B, |kernel| {
            for (i, limit) in limits.into_iter().enumerate() {
                kernel.set_buffer(i, &[1u32; 4]).unwrap();
                kernel.limit_access(i, limit).unwrap();
            }
        })
    };
    assert_eq!(found([Limit::ReadOnly, Limit::WriteOnly]), NONE);
    assert_eq!(found([Limit::WriteOnly, Limit::None]), ["writeonly-read"]);
    assert_eq!(found([Limit::None, Limit::ReadOnly]), ["readonly-written"]);
    // A component of a vector is written: the others are read and written back.
    let globals = "%v4 = OpTypeVector %u32 4\n%gv = OpTypePointer CrossWorkgroup %v4";
    let body = first_only(
        "%vector = OpBitcast %gv %a
        %before = OpLoad %v4 %vector Aligned 16
        %after = OpCompositeInsert %v4 %n %before 0
        OpStore %vector %after Aligned 16",
    );
    let component = found_with(globals, &body, |kernel| {
        kernel.set_buffer(0, &[5u32, 6, 7, 8]).unwrap();
        kernel.set_buffer(1, &[0u32; 4]).unwrap();
        kernel.limit_access(0, Limit::WriteOnly).unwrap();
    });
    assert_eq!(component, NONE);
    // Text of the command.
    let text = found_with("", TO_B, |kernel| {
        let mut none = |_: &str| Err("no file".to_owned());
        kernel.set_text(0, "wo:u32:1*4", &mut none).unwrap();
        // However many prefixes there are, none of them is on the stack.
        for more in ["ro:wo:undef:16".to_owned(), "ro:".repeat(1 << 20)] {
            let message = kernel.set_text(1, &more, &mut none).unwrap_err();
            assert!(message.contains("a buffer has one of them") && message.len() < 100);
        }
        kernel.set_text(1, "ro:undef:16", &mut none).unwrap();
    });
    assert_eq!(text.len(), 2, "{text:?}");
}

/// Kinds of the reports on a kernel of four invocations with an image to read, of four texels and two layers, and one to write,
/// of four texels. `%x` is the local id.
fn found_in_images(body: &str, texels: Option<&[u8]>) -> Vec<String> {
    let head = include_str!("kernels/head.spvasm");
    let text = format!(
        "{head}
        %v2 = OpTypeVector %u32 2
        %v4 = OpTypeVector %f32 4
        %from = OpTypeImage %void 1D 0 1 0 0 Unknown ReadOnly
        %to = OpTypeImage %void 1D 0 0 0 0 Unknown WriteOnly
        %sampler = OpTypeSampler
        %sampled = OpTypeSampledImage %from
        %edge = OpConstantSampler %sampler ClampToEdge 0 Nearest
        %f0 = OpConstant %f32 0
        %main_type = OpTypeFunction %void %from %to
        %main = OpFunction %void None %main_type
        %a = OpFunctionParameter %from
        %b = OpFunctionParameter %to
        %entry = OpLabel
        %locals = OpLoad %v3u64 %lid
        %l = OpCompositeExtract %u64 %locals 0
        %x = OpUConvert %u32 %l
        %at = OpCompositeConstruct %v2 %x %u1
        %both = OpSampledImage %sampled %a %edge
        {body}
        OpReturn
        OpFunctionEnd
"
    );
    let options = Options::named("kernel.spvasm");
    let words = frontend::compile(text.as_bytes(), Language::Spirv, Stage::Compute, &options)
        .unwrap_or_else(|e| panic!("{e}\n{text}"));
    let (session, device) = device();
    let mut kernel = Kernel::new(&device, &KernelDesc { words: &words, ..KernelDesc::default() }).unwrap();
    let of = |texels| KernelImage { texels, ..KernelImage::new(Format::R32_SFLOAT, [4, 1, 1], &[]) };
    kernel.set_image(0, &KernelImage { layers: 2, ..of(texels) }).unwrap();
    kernel.set_image(1, &of(Some(&[0; 16]))).unwrap();
    let range = Range { global: [4, 1, 1], local: Some([4, 1, 1]), ..Range::default() };
    kernel.launch(&range).unwrap_or_else(|e| panic!("{e}\n{text}"));
    let reports = session.reports.take();
    println!("{}", shown(&reports));
    let mut kinds: Vec<String> = reports.iter().map(|r| r.kind.to_string()).collect();
    kinds.dedup();
    kinds
}

/// Texels outside of an image, texels without contents and races for a texel; samplers reach outside on purpose, and by texel
/// also reach layers.
#[test]
fn accesses_to_images() {
    let texels = Some(&[7; 32][..]);
    let copy = "%t = OpImageRead %v4 %a %at\nOpImageWrite %b %x %t";
    assert_eq!(found_in_images(copy, texels), NONE);
    assert_eq!(found_in_images(copy, None), ["uninitialized-image"]);
    let past = "%next = OpIAdd %u32 %x %u1\n%t = OpImageRead %v4 %a %at\nOpImageWrite %b %next %t";
    assert_eq!(found_in_images(past, texels), ["texel-out-of-bounds"]);
    let third = "%far = OpCompositeConstruct %v2 %x %u2\n%t = OpImageRead %v4 %a %far\nOpImageWrite %b %x %t";
    assert_eq!(found_in_images(third, texels), ["texel-out-of-bounds"]);
    let same =
        "%f = OpConvertUToF %f32 %x\n%t = OpCompositeConstruct %v4 %f %f %f %f\nOpImageWrite %b %u0 %t";
    assert_eq!(found_in_images(same, texels), ["race-image"]);
    let sampled = "%past = OpIAdd %u32 %x %u3\n%out = OpCompositeConstruct %v2 %past %u1
        %t = OpImageSampleExplicitLod %v4 %both %out Lod %f0\nOpImageWrite %b %x %t";
    assert_eq!(found_in_images(sampled, texels), NONE);
}

//! Checked memory of modules that declare the Vulkan memory model: sufficient synchronization of two accesses is
//! silent, and removing any part of it is reported. Spec: Vulkan, appendix "Memory Model", Location-Ordered.
#![cfg(feature = "glsl")]

use quadrille::check::{Kind, Session, watching};
use quadrille::{Device, DeviceOptions, Format, ShaderTest};
use std::sync::Arc;

const UNORDERED: &[Kind] = &[Kind::RaceWorkgroup, Kind::RaceBuffer, Kind::RaceImage];
const PRIVATE: &[Kind] = &[Kind::RacePrivate];
const UNSEEN: &[Kind] = &[Kind::RaceVisibility];
const SILENT: &[Kind] = &[];

/// Findings in a test of two workgroups with buffers, and with an image if there is one.
fn found_in(test: impl FnOnce() -> ShaderTest, bound: [bool; 4]) -> Vec<(Kind, String)> {
    let session = Arc::new(Session::default());
    let device = DeviceOptions { watch: Some(watching(&session)), ..DeviceOptions::default() };
    let mut test = test().on(&Device::new(device).unwrap()).loose();
    for (binding, _) in bound.iter().enumerate().filter(|b| *b.1) {
        test = match binding {
            3 => test.bind_image(0, 3, Format::R32_UINT, (32, 1), &[0u32; 32]),
            _ => test.bind(0, binding as u32, &[0u32; 64]),
        };
    }
    test.dispatch([2, 1, 1]).unwrap();
    session.reports.found().into_iter().map(|r| (r.kind, r.message)).collect()
}

/// Findings in a GLSL shader: 16 invocations in two subgroups, qualifier `with` for a buffer `a` and an image `t`, and
/// a body of `main`.
fn found(head: &str, with: &str, body: &str) -> Vec<(Kind, String)> {
    let source = format!(
        "#version 450
        {head}
        #extension GL_KHR_memory_scope_semantics : enable
        #extension GL_KHR_shader_subgroup_basic : enable
        layout(local_size_x = 16) in;
        layout(set = 0, binding = 0) {with} buffer A {{ uint a[]; }};
        layout(set = 0, binding = 1) buffer B {{ uint b[]; }};
        layout(set = 0, binding = 2) buffer C {{ uint c[]; }};
        layout(set = 0, binding = 3, r32ui) {with} uniform uimage2D t;
        shared uint flag;
        shared bool last;
        uint i = gl_LocalInvocationIndex;
        uint g = gl_GlobalInvocationID.x;
        #define DEVICE gl_ScopeDevice
        #define FAMILY gl_ScopeQueueFamily
        #define WORKGROUP gl_ScopeWorkgroup
        #define SUBGROUP gl_ScopeSubgroup
        #define INVOCATION gl_ScopeInvocation
        #define BUFFER gl_StorageSemanticsBuffer
        #define SHARED gl_StorageSemanticsShared
        #define IMAGE gl_StorageSemanticsImage
        #define ACQUIRE gl_SemanticsAcquire
        #define RELEASE gl_SemanticsRelease
        #define BOTH gl_SemanticsAcquireRelease
        #define AVAILABLE gl_SemanticsMakeAvailable
        #define VISIBLE gl_SemanticsMakeVisible
        void main() {{ {body} }}"
    );
    let uses = |name: &str| body.contains(&format!("{name}["));
    let bound = [uses("a"), uses("b"), uses("c"), body.contains("(t, ")];
    found_in(|| ShaderTest::glsl(&source).unwrap(), bound)
}

const MODEL: &str = "#pragma use_vulkan_memory_model";

/// Checks that there are findings, all of the expected kinds, or no findings if `kinds` is empty.
#[track_caller]
fn expect(found: &[(Kind, String)], kinds: &[Kind], about: &str) {
    let all = found.iter().all(|(kind, _)| kinds.contains(kind));
    assert!(all && found.is_empty() == kinds.is_empty(), "{about}\n{found:#?}");
}

#[track_caller]
fn check(with: &str, body: &str, kinds: &[Kind]) {
    expect(&found(MODEL, with, body), kinds, &format!("{with}: {body}"));
}

/// Control barriers between a write and a read of non-private memory. Rows: memory scope, storage semantics, other
/// semantics, and the findings between invocations of a workgroup and of a subgroup.
const BARRIERS: &[(&str, &str, &str, &[Kind], &[Kind])] = &[
    ("WORKGROUP", "STORAGE", "BOTH | AVAILABLE | VISIBLE", SILENT, SILENT),
    ("FAMILY", "STORAGE", "BOTH | AVAILABLE | VISIBLE", SILENT, SILENT),
    ("DEVICE", "STORAGE", "BOTH | AVAILABLE | VISIBLE", SILENT, SILENT),
    ("SUBGROUP", "STORAGE", "BOTH | AVAILABLE | VISIBLE", UNORDERED, SILENT),
    ("INVOCATION", "0", "0", UNORDERED, UNORDERED),
    ("WORKGROUP", "STORAGE", "BOTH | AVAILABLE", UNSEEN, UNSEEN),
    ("WORKGROUP", "STORAGE", "BOTH | VISIBLE", UNSEEN, UNSEEN),
    ("WORKGROUP", "STORAGE", "BOTH", UNSEEN, UNSEEN),
    ("WORKGROUP", "STORAGE", "RELEASE | AVAILABLE", UNORDERED, UNORDERED),
    ("WORKGROUP", "STORAGE", "ACQUIRE | VISIBLE", UNORDERED, UNORDERED),
    ("WORKGROUP", "SHARED", "BOTH | AVAILABLE | VISIBLE", UNORDERED, UNORDERED),
];

#[test]
fn control_barriers_order_buffers_and_images() {
    for &(scope, storage, semantics, workgroup, subgroup) in BARRIERS {
        for (write, read, own) in
            [("a[g] = g;", "b[g] = a[PARTNER];", "BUFFER"), ("WRITE", "b[g] = READ;", "IMAGE")]
        {
            for (partner, kinds) in [("g ^ 8", workgroup), ("g ^ 1", subgroup)] {
                let body =
                    format!("{write} controlBarrier(WORKGROUP, {scope}, {storage}, {semantics}); {read}");
                let body = body.replace("WRITE", "imageStore(t, ivec2(g, 0), uvec4(g));");
                let body = body.replace("READ", "imageLoad(t, ivec2(PARTNER, 0)).x");
                let body = body.replace("STORAGE", own).replace("PARTNER", partner);
                check("nonprivate", &body, kinds);
            }
        }
    }
}

#[test]
fn accesses_make_available_and_visible_themselves() {
    let body = |partner| {
        format!("a[g] = g; controlBarrier(WORKGROUP, WORKGROUP, BUFFER, BOTH); b[g] = a[{partner}];")
    };
    for (with, workgroup, subgroup) in [
        ("devicecoherent", SILENT, SILENT),
        ("queuefamilycoherent", SILENT, SILENT),
        ("coherent", SILENT, SILENT),
        ("workgroupcoherent", SILENT, SILENT),
        ("subgroupcoherent", UNSEEN, SILENT),
        ("nonprivate", UNSEEN, UNSEEN),
        ("", PRIVATE, PRIVATE),
    ] {
        check(with, &body("g ^ 8"), workgroup);
        check(with, &body("g ^ 1"), subgroup);
    }
    // Shared variables are coherent within the workgroup.
    check("", "if (i == 0) last = g > 99; barrier(); if (last) b[g] = 1;", SILENT);
    // Memory that no other invocation accesses may be private.
    check("", "a[g] = g; controlBarrier(WORKGROUP, WORKGROUP, BUFFER, BOTH); b[g] = a[g];", SILENT);
    // A private and a non-private access.
    let body = "c[g] = g; controlBarrier(WORKGROUP, WORKGROUP, BUFFER, BOTH | AVAILABLE | VISIBLE); a[g] = c[g ^ 8];";
    check("nonprivate", body, PRIVATE);
}

#[test]
fn fences_stand_on_their_side_of_a_barrier() {
    let body = |first: &str, second: &str| {
        format!("a[g] = g; {first} controlBarrier(WORKGROUP, INVOCATION, 0, 0); {second} b[g] = a[g ^ 8];")
    };
    let release = "memoryBarrier(WORKGROUP, BUFFER, RELEASE | AVAILABLE);";
    let acquire = "memoryBarrier(WORKGROUP, BUFFER, ACQUIRE | VISIBLE);";
    let (bare_release, bare_acquire) =
        ("memoryBarrier(WORKGROUP, BUFFER, RELEASE);", "memoryBarrier(WORKGROUP, BUFFER, ACQUIRE);");
    for (first, second, kinds) in [
        (release, acquire, SILENT),
        (release, "", UNORDERED),
        ("", acquire, UNORDERED),
        (acquire, release, UNORDERED),
        (bare_release, acquire, UNSEEN),
        (release, bare_acquire, UNSEEN),
    ] {
        check("nonprivate", &body(first, second), kinds);
        // Without a control barrier, there is no order.
        check("nonprivate", &format!("a[g] = g; {first} {second} b[g] = a[g ^ 8];"), UNORDERED);
    }
}

#[test]
fn barriers_of_the_subgroup_order_the_subgroup() {
    let body = |scope: &str, semantics: &str, partner: &str| {
        format!("a[g] = g; controlBarrier(SUBGROUP, {scope}, BUFFER, {semantics}); b[g] = a[{partner}];")
    };
    let all = "BOTH | AVAILABLE | VISIBLE";
    check("nonprivate", &body("SUBGROUP", all, "g ^ 1"), SILENT);
    check("nonprivate", &body("WORKGROUP", all, "g ^ 1"), SILENT);
    check("nonprivate", &body("SUBGROUP", all, "g ^ 8"), UNORDERED);
    check("nonprivate", &body("DEVICE", all, "g ^ 8"), UNORDERED);
    check("nonprivate", &body("SUBGROUP", "BOTH | AVAILABLE", "g ^ 1"), UNSEEN);
    check("nonprivate", &body("SUBGROUP", "BOTH | VISIBLE", "g ^ 1"), UNSEEN);
    check("subgroupcoherent", &body("SUBGROUP", "BOTH", "g ^ 1"), SILENT);
    check("", &body("SUBGROUP", all, "g ^ 1"), PRIVATE);
}

#[test]
fn writes_want_availability_and_reads_before_them_nothing() {
    let after_read = |semantics: &str| {
        format!("uint x = a[g ^ 8]; controlBarrier(WORKGROUP, WORKGROUP, BUFFER, {semantics}); a[g] = x + 1;")
    };
    check("nonprivate", &after_read("BOTH"), SILENT);
    check("nonprivate", &after_read("RELEASE"), UNORDERED);
    check("", &after_read("BOTH | AVAILABLE | VISIBLE"), PRIVATE);
    let after_write = |semantics: &str| {
        format!("a[g] = g; controlBarrier(WORKGROUP, WORKGROUP, BUFFER, {semantics}); a[g ^ 8] = 1000 + g;")
    };
    check("nonprivate", &after_write("BOTH | AVAILABLE"), SILENT);
    check("nonprivate", &after_write("BOTH | VISIBLE"), UNSEEN);
    check("workgroupcoherent", &after_write("BOTH"), SILENT);
    check("subgroupcoherent", &after_write("BOTH"), UNSEEN);
}

/// Messages from one invocation to another in a different subgroup of its workgroup. Rows: the scope, and storage and
/// semantics of release and acquire.
const MESSAGES: &[(&str, [&str; 2], [&str; 2], &[Kind])] = &[
    ("WORKGROUP", ["BUFFER", "RELEASE | AVAILABLE"], ["BUFFER", "ACQUIRE | VISIBLE"], SILENT),
    ("DEVICE", ["BUFFER", "RELEASE | AVAILABLE"], ["BUFFER", "ACQUIRE | VISIBLE"], SILENT),
    ("SUBGROUP", ["BUFFER", "RELEASE | AVAILABLE"], ["BUFFER", "ACQUIRE | VISIBLE"], UNORDERED),
    ("WORKGROUP", ["BUFFER", "RELEASE"], ["BUFFER", "ACQUIRE | VISIBLE"], UNSEEN),
    ("WORKGROUP", ["BUFFER", "RELEASE | AVAILABLE"], ["BUFFER", "ACQUIRE"], UNSEEN),
    ("WORKGROUP", ["SHARED", "RELEASE | AVAILABLE"], ["BUFFER", "ACQUIRE | VISIBLE"], UNORDERED),
    ("WORKGROUP", ["BUFFER", "RELEASE | AVAILABLE"], ["SHARED", "ACQUIRE | VISIBLE"], UNORDERED),
];

#[test]
fn atomics_pass_messages() {
    let start = "if (i == 0) flag = 0; barrier();";
    let own = |scope: &str, release: &str, acquire: &str| {
        format!(
            "{start} if (i == 3) {{ a[g] = 5; atomicStore(flag, 1u, {scope}, {release}); }}
            if (i == 12 && atomicLoad(flag, {scope}, {acquire}) == 1) b[g] = a[g - 9];"
        )
    };
    let fenced = |scope: &str, release: &str, acquire: &str| {
        format!(
            "{start} if (i == 3) {{
                a[g] = 5; memoryBarrier({scope}, {release}); atomicStore(flag, 1u, {scope}, 0, 0);
            }}
            if (i == 12 && atomicLoad(flag, {scope}, 0, 0) == 1) {{
                memoryBarrier({scope}, {acquire}); b[g] = a[g - 9];
            }}"
        )
    };
    for &(scope, release, acquire, kinds) in MESSAGES {
        check("nonprivate", &own(scope, &release.join(", "), &acquire.join(", ")), kinds);
        // Fences also name the storage class of the atomic.
        let [release, acquire] = [release, acquire].map(|s| s.join(" | SHARED, "));
        check("nonprivate", &fenced(scope, &release, &acquire), kinds);
    }
    let (release, acquire) = ("BUFFER, RELEASE | AVAILABLE", "BUFFER, ACQUIRE | VISIBLE");
    check("nonprivate", &own("WORKGROUP", "0, 0", acquire), UNORDERED);
    check("nonprivate", &own("WORKGROUP", release, "0, 0"), UNORDERED);
    check("nonprivate", &fenced("WORKGROUP", release, "BUFFER | SHARED, ACQUIRE | VISIBLE"), UNORDERED);
    check("nonprivate", &fenced("WORKGROUP", "BUFFER | SHARED, RELEASE | AVAILABLE", acquire), UNORDERED);
    check("workgroupcoherent", &own("WORKGROUP", "BUFFER, RELEASE", "BUFFER, ACQUIRE"), SILENT);
    check("", &own("WORKGROUP", release, acquire), PRIVATE);
    // A release also covers the atomic's own memory: an invocation that acquires it may write that memory
    // non-atomically.
    let body = |release: &str| {
        format!(
            "if (i == 3) atomicStore(a[g / 16], 1u, WORKGROUP, {release});
            if (i == 12 && atomicLoad(a[g / 16], WORKGROUP, BUFFER, ACQUIRE) == 1) a[g / 16] = 2;"
        )
    };
    check("nonprivate", &body("BUFFER, RELEASE"), SILENT);
    check("nonprivate", &body("0, 0"), UNORDERED);
    // A write after a read needs neither availability nor visibility.
    let body = |release: &str| {
        format!(
            "{start} if (i == 3) {{ b[g] = a[g + 9]; atomicStore(flag, 1u, WORKGROUP, {release}); }}
            if (i == 12 && atomicLoad(flag, WORKGROUP, BUFFER, ACQUIRE) == 1) a[g] = 7;"
        )
    };
    check("nonprivate", &body("BUFFER, RELEASE"), SILENT);
    check("nonprivate", &body("0, 0"), UNORDERED);
    check("", &body("BUFFER, RELEASE"), PRIVATE);
}

#[test]
fn atomics_are_atomic_within_their_scopes() {
    let add = |scope: &str| format!("atomicAdd(c[0], 1u, {scope}, 0, 0);");
    check("", &add("DEVICE"), SILENT);
    check("", &add("FAMILY"), SILENT);
    check("", &add("WORKGROUP"), UNORDERED);
    check("", &add("WORKGROUP").replace("c[0]", "c[g / 16]"), SILENT);
    check("", &add("SUBGROUP").replace("c[0]", "c[g / 16]"), UNORDERED);
    check("", &add("SUBGROUP").replace("c[0]", "c[g / 8]"), SILENT);
}

/// The last workgroup reads data that all workgroups have written: invocation 0 of each releases and acquires.
fn last(scope: &str, first: &str, release: &str, acquire: &str, second: &str) -> String {
    format!(
        "a[g] = g + 1; controlBarrier(WORKGROUP, WORKGROUP, BUFFER | SHARED, {first});
        if (i == 0) {{
            memoryBarrier({scope}, BUFFER, {release});
            bool l = atomicAdd(c[0], 1u, {scope}, 0, 0) == 1;
            memoryBarrier({scope}, BUFFER, {acquire});
            last = l;
        }}
        controlBarrier(WORKGROUP, WORKGROUP, BUFFER | SHARED, {second});
        if (last) b[g] = a[g ^ 16];"
    )
}

#[test]
fn availability_and_visibility_are_passed_on() {
    let (release, acquire) = ("RELEASE | AVAILABLE", "ACQUIRE | VISIBLE");
    let all = "BOTH | AVAILABLE | VISIBLE";
    for scope in ["DEVICE", "FAMILY"] {
        check("nonprivate", &last(scope, all, release, acquire, all), SILENT);
        check("workgroupcoherent", &last(scope, "BOTH", release, acquire, "BOTH"), SILENT);
        check("coherent", &last(scope, "BOTH", "RELEASE", "ACQUIRE", "BOTH"), SILENT);
        // Each link of the chain is removed in turn.
        for (with, body) in [
            ("nonprivate", last(scope, "BOTH | VISIBLE", release, acquire, all)),
            ("nonprivate", last(scope, all, "RELEASE", acquire, all)),
            ("nonprivate", last(scope, all, release, "ACQUIRE", all)),
            ("nonprivate", last(scope, all, release, acquire, "BOTH | AVAILABLE")),
            ("workgroupcoherent", last(scope, "BOTH", "RELEASE", acquire, "BOTH")),
            ("workgroupcoherent", last(scope, "BOTH", release, "ACQUIRE", "BOTH")),
        ] {
            check(with, &body, UNSEEN);
        }
        check("nonprivate", &last(scope, "ACQUIRE | VISIBLE", release, acquire, all), UNORDERED);
        check("nonprivate", &last(scope, all, release, acquire, "RELEASE | AVAILABLE"), UNORDERED);
        check("", &last(scope, all, release, acquire, all), PRIVATE);
    }
    // A scope that does not include the other workgroup.
    check("nonprivate", &last("WORKGROUP", all, release, acquire, all), UNORDERED);
}

#[test]
fn other_modules_are_as_they_were() {
    // GLSL450: a barrier with semantics is sufficient, regardless of the buffer's qualifiers.
    let body = "a[g] = g; memoryBarrierBuffer(); barrier(); b[g] = a[g ^ 8];";
    expect(&found("", "", body), SILENT, body);
    expect(&found("", "coherent", body), SILENT, body);
    let body = "a[g] = g; barrier(); b[g] = a[g ^ 8];";
    expect(&found("", "coherent", body), UNORDERED, body);
}

/// Findings in a module whose 16 invocations each write to memory of a storage class and read the word that the
/// invocation 8 further on wrote. Arguments: memory operands of the store, the instructions in between, and the reading
/// instructions. `%n2` is the constant 2.
fn module(class: &str, store: &str, between: &str, read: &str) -> String {
    let text = format!("{store} {between} {read} %n0 %n8");
    let mut numbers: Vec<&str> = text.split_whitespace().filter(|w| w.starts_with("%n")).collect();
    numbers.sort_unstable();
    numbers.dedup();
    let constants = numbers.iter().map(|n| format!("{n} = OpConstant %u32 {}\n", &n[2..]));
    let constants = constants.collect::<String>();
    let shared = class == "Workgroup";
    let decorations = "OpDecorate %memory DescriptorSet 0\nOpDecorate %memory Binding 0";
    let [pointee, first, decorations] = match shared {
        true => ["%array", "", ""],
        false => ["%block", "%n0", decorations],
    };
    // Each type is declared once.
    let [buffer, word] = if shared { ["%p_buffer", "%p_word"] } else { ["%p_memory", "%p_u32"] };
    let others = "%p_buffer = OpTypePointer StorageBuffer %block\n%p_word = OpTypePointer StorageBuffer %u32";
    let others = if shared { others } else { "" };
    format!(
        "; Version: 1.5
        OpCapability Shader
        OpCapability VulkanMemoryModel
        OpCapability VulkanMemoryModelDeviceScope
        OpMemoryModel Logical Vulkan
        OpEntryPoint GLCompute %main \"main\" %memory %out %local %global
        OpExecutionMode %main LocalSize 16 1 1
        OpDecorate %local BuiltIn LocalInvocationIndex
        OpDecorate %global BuiltIn GlobalInvocationId
        OpDecorate %stepped ArrayStride 4
        OpDecorate %block Block
        OpMemberDecorate %block 0 Offset 0
        {decorations}
        OpDecorate %out DescriptorSet 0
        OpDecorate %out Binding 1
        %void = OpTypeVoid
        %fn = OpTypeFunction %void
        %u32 = OpTypeInt 32 0
        %uvec3 = OpTypeVector %u32 3
        %len = OpConstant %u32 64
        {constants}
        %array = OpTypeArray %u32 %len
        %stepped = OpTypeRuntimeArray %u32
        %block = OpTypeStruct %stepped
        %p_memory = OpTypePointer {class} {pointee}
        %p_u32 = OpTypePointer {class} %u32
        {others}
        %p_local = OpTypePointer Input %u32
        %p_global = OpTypePointer Input %uvec3
        %memory = OpVariable %p_memory {class}
        %out = OpVariable {buffer} StorageBuffer
        %local = OpVariable %p_local Input
        %global = OpVariable %p_global Input
        %main = OpFunction %void None %fn
        %entry = OpLabel
        %i = OpLoad %u32 %local
        %id = OpLoad %uvec3 %global
        %g = OpCompositeExtract %u32 %id 0
        %at = OpAccessChain %p_u32 %memory {first} %g
        OpStore %at %i {store}
        {between}
        %other = OpBitwiseXor %u32 %g %n8
        %from = OpAccessChain %p_u32 %memory {first} %other
        %to = OpAccessChain {word} %out %n0 %g
        {read}
        OpReturn
        OpFunctionEnd"
    )
}

#[test]
fn memory_operands_and_semantics_of_modules() {
    let private = "None";
    let shared = "NonPrivatePointer";
    let available = |scope: u32| format!("MakePointerAvailable|NonPrivatePointer %n{scope}");
    let visible = |scope: u32| format!("MakePointerVisible|NonPrivatePointer %n{scope}");
    let load = |operands: &str| format!("%value = OpLoad %u32 %from {operands}\nOpStore %to %value");
    let copy = |operands: &str| format!("OpCopyMemory %to %from {operands}");
    for (class, storage, unordered) in
        [("Workgroup", 0x100, Kind::RaceWorkgroup), ("StorageBuffer", 0x40, Kind::RaceBuffer)]
    {
        // 8: acquire and release; 0x2000: make available; 0x4000: make visible.
        let barrier =
            |scope: u32, semantics: u32| format!("OpControlBarrier %n2 %n{scope} %n{}", storage | semantics);
        let find = |store: &str, between: &str, read: &str, kinds: &[Kind]| {
            let text = module(class, store, between, read);
            let bound = [class != "Workgroup", true, false, false];
            let found = found_in(|| ShaderTest::spirv_text(&text).unwrap(), bound);
            expect(&found, kinds, &format!("{class}: {store}; {between}; {read}"));
        };
        find(shared, &barrier(2, 0x6008), &load(shared), SILENT);
        find(shared, &barrier(2, 0x4008), &load(shared), UNSEEN);
        find(shared, &barrier(2, 0x2008), &load(shared), UNSEEN);
        find(shared, &barrier(3, 0x6008), &load(shared), &[unordered]);
        find(private, &barrier(2, 0x6008), &load(shared), PRIVATE);
        find(shared, &barrier(2, 0x6008), &load(private), PRIVATE);
        find(&available(2), &barrier(2, 8), &load(&visible(2)), SILENT);
        find(&available(1), &barrier(2, 8), &load(&visible(5)), SILENT);
        find(&available(2), &barrier(2, 0x4008), &load(shared), SILENT);
        find(shared, &barrier(2, 0x2008), &load(&visible(2)), SILENT);
        find(&available(3), &barrier(2, 8), &load(&visible(2)), UNSEEN);
        find(&available(2), &barrier(2, 8), &load(&visible(3)), UNSEEN);
        // The operand words of other memory operands come first.
        let aligned =
            |words: String| words.replace("MakePointer", "Aligned|MakePointer").replace(" %", " 4 %");
        find(&aligned(available(2)), &barrier(2, 8), &load(&aligned(visible(2))), SILENT);
        // Copies: operands for the write, then for the read, or a single set for both.
        let both = format!("Aligned 4 {}", aligned(visible(2)));
        find(&available(2), &barrier(2, 8), &copy(&both), SILENT);
        find(&available(2), &barrier(2, 8), &copy(shared), UNSEEN);
        find(&available(2), &barrier(2, 0x4008), &copy(shared), SILENT);
        find(&available(2), &barrier(2, 0x4008), &copy("NonPrivatePointer None"), PRIVATE);
    }
}

#[test]
fn reports_say_what_is_missing() {
    let say = |with: &str, semantics: &str| {
        let body =
            format!("a[g] = g; controlBarrier(WORKGROUP, WORKGROUP, BUFFER, {semantics}); b[g] = a[g ^ 8];");
        let found = found(MODEL, with, &body);
        assert_eq!(found.len(), 1, "{found:#?}");
        found[0].1.clone()
    };
    let message = say("nonprivate", "BOTH | VISIBLE");
    assert!(message.contains("`a[") && message.contains("not made available to the workgroup"), "{message}");
    let message = say("nonprivate", "BOTH | AVAILABLE");
    assert!(message.contains("`a[") && message.contains("not made visible"), "{message}");
    let message = say("", "BOTH | AVAILABLE | VISIBLE");
    assert!(message.contains("`a[") && message.contains("NonPrivatePointer"), "{message}");
}

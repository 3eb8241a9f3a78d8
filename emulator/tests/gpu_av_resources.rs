//! Cases of GPU-assisted validation of the Vulkan validation layers that concern descriptors, addresses and draw
//! inputs, applied to `quadrille check`. The shaders are original, with the same errors, under the case names of the
//! layers. Cases that concern only shaders are in `gpu_av`.
//!
//! Not covered: repetitions through another front end, in a pipeline library, as a shader object, in a secondary
//! command buffer or for another stage; sets whose resources were destroyed; unwritten samplers; descriptor buffers,
//! whose contents the application controls completely; limits of the layers' instrumentation; ray tracing; cooperative
//! matrices.
#![cfg(feature = "glsl")]

use crate::checks;
use crate::checks::descriptors::World;
use quadrille::DescriptorKind as K;
use quadrille::*;

const MISSING: &[&str] = &["missing-descriptor"];
const INDEX: &[&str] = &["index-out-of-range"];
const NONE: &[&str] = &[];

/// A case: name, expected findings, kinds of the bindings (four elements each), elements that are written, value of
/// `at`, declarations, and the access.
type Case = (
    &'static str,
    &'static [&'static str],
    &'static [K],
    &'static [(u32, u32)],
    u32,
    &'static str,
    &'static str,
);

const BUFFERS: &str = "layout(set = 0, binding = 0) buffer B { uint n; } b[4];";
const UNSIZED: &str = "layout(set = 0, binding = 0) buffer B { uint n; } b[];";
const TEXTURES: &str = "layout(set = 0, binding = 0) uniform sampler2D t[4];";
const UNSIZED_TEXTURES: &str = "layout(set = 0, binding = 0) uniform sampler2D t[];";
const TEXELS: &str = "layout(set = 0, binding = 0) uniform samplerBuffer t[4];";
const IMAGES: &str = "layout(set = 0, binding = 0, rgba8) uniform image2D t[4];";
const UNSIZED_IMAGES: &str = "layout(set = 0, binding = 0, rgba8) uniform image2D t[];";
const COUNTERS: &str = "layout(set = 0, binding = 0, r32ui) uniform uimage2D t[4];";
const UNSIZED_COUNTERS: &str = "layout(set = 0, binding = 0, r32ui) uniform uimage2D t[];";
const ALL: &[(u32, u32)] = &[(0, 0), (0, 1), (0, 2), (0, 3)];
const FIRST: &[(u32, u32)] = &[(0, 0)];
const TWO: &[K] = &[K::StorageBuffer, K::StorageBuffer];
const PAIR: &str = "layout(set = 0, binding = 0) buffer B { uint n; } b[4];
    layout(set = 0, binding = 1) buffer C { uint m; } c[4];";
const SAMPLE: &str = "result = uint(textureLod(t[at], vec2(0), 0).x);";
const COUNT: &str = "imageAtomicAdd(t[at], ivec2(0), 1u);";
const STORE: &str = "imageStore(t[at], ivec2(0), vec4(1));";

const INDEXING: &[Case] = &[
    ("ArrayOOBBuffer", INDEX, &[K::StorageBuffer], ALL, 25, BUFFERS, "result = b[at].n;"),
    ("ArrayOOBCompute", INDEX, &[K::StorageBuffer], ALL, 5, BUFFERS, "b[at].n = 1;"),
    ("ArrayOOBRuntime", MISSING, &[K::CombinedImageSampler], ALL, 5, UNSIZED_TEXTURES, SAMPLE),
    (
        "ArrayOOBVariableDescriptorCountAllocate",
        MISSING,
        &[K::StorageBuffer],
        ALL,
        5,
        UNSIZED,
        "result = b[at].n;",
    ),
    (
        "ArrayOOBVariableDescriptorCountAllocateUninitialized",
        MISSING,
        &[K::StorageBuffer],
        FIRST,
        1,
        UNSIZED,
        "result = b[at].n;",
    ),
    ("UpdateAfterBind", MISSING, &[K::StorageBuffer], FIRST, 2, BUFFERS, "b[at].n = 0x42;"),
    ("BasicHLSLRuntimeArray", MISSING, &[K::CombinedImageSampler], FIRST, 2, UNSIZED_TEXTURES, SAMPLE),
    ("PushConstant", MISSING, &[K::StorageBuffer], FIRST, 3, BUFFERS, "result = b[at].n;"),
    (
        "MultipleIndexes",
        MISSING,
        &[K::StorageBuffer],
        FIRST,
        1,
        BUFFERS,
        "b[0].n = 1; result = b[at + b[0].n].n;",
    ),
    (
        "MultipleOOBTypesInOneCmdBuffer",
        &["buffer-out-of-bounds", "missing-descriptor"],
        &[K::StorageBuffer],
        FIRST,
        2,
        "layout(set = 0, binding = 0) buffer B { uint n[]; } b[4];",
        "result = b[at].n[0]; b[0].n[16] = 1;",
    ),
    ("BindingOOB", MISSING, TWO, FIRST, 0, PAIR, "result = b[0].n + c[0].m;"),
    ("MiddleBindingOOB", INDEX, TWO, &[(0, 0), (1, 0)], 8, PAIR, "result = c[0].m + b[at].n;"),
    (
        "MultipleBoundDescriptorsUpdateAfterBindFirst",
        MISSING,
        TWO,
        &[(1, 0)],
        0,
        PAIR,
        "result = c[0].m + b[0].n;",
    ),
    (
        "MultipleBoundDescriptorsUpdateAfterBindLast",
        MISSING,
        TWO,
        FIRST,
        0,
        PAIR,
        "result = b[0].n + c[0].m;",
    ),
    (
        "SpecConstantPartiallyBound",
        MISSING,
        &[K::StorageBuffer],
        FIRST,
        0,
        "layout(constant_id = 0) const uint I = 1; layout(set = 0, binding = 0) buffer B { uint n; } b[4];",
        "result = b[I].n;",
    ),
    ("PartiallyBoundNoArray", MISSING, &[K::StorageBuffer], &[], 0, BUFFERS, "b[0].n = 1;"),
    (
        "TexelFetch",
        MISSING,
        &[K::CombinedImageSampler],
        FIRST,
        1,
        TEXTURES,
        "result = uint(texelFetch(t[at], ivec2(0), 0).x);",
    ),
    (
        "TexelFetchTexelBuffer",
        MISSING,
        &[K::UniformTexelBuffer],
        FIRST,
        1,
        TEXELS,
        "result = uint(texelFetch(t[at], 0).x);",
    ),
    (
        "TexelFetchConstantArrayOOB",
        INDEX,
        &[K::CombinedImageSampler],
        ALL,
        4,
        TEXTURES,
        "result = uint(texelFetch(t[at], ivec2(0), 0).x);",
    ),
    (
        "TexelFetchNested",
        MISSING,
        &[K::CombinedImageSampler],
        FIRST,
        1,
        TEXTURES,
        "ivec2 p = ivec2(texelFetch(t[0], ivec2(0), 0).xy); result = uint(texelFetch(t[at], p, 0).x);",
    ),
    ("AtomicImagePartiallyBound", MISSING, &[K::StorageImage], FIRST, 1, COUNTERS, COUNT),
    ("AtomicImageRuntimeArray", MISSING, &[K::StorageImage], FIRST, 5, UNSIZED_COUNTERS, COUNT),
    ("AtomicBufferPartiallyBound", MISSING, &[K::StorageBuffer], FIRST, 1, BUFFERS, "atomicAdd(b[at].n, 1);"),
    ("AtomicBufferRuntimeArray", MISSING, &[K::StorageBuffer], FIRST, 5, UNSIZED, "atomicAdd(b[at].n, 1);"),
    (
        "AtomicBufferOOB",
        &["buffer-out-of-bounds"],
        &[K::StorageBuffer],
        FIRST,
        64,
        "layout(set = 0, binding = 0) buffer B { uint n[]; } b[4];",
        "atomicAdd(b[0].n[at], 1);",
    ),
    ("StorageImagePartiallyBound", MISSING, &[K::StorageImage], FIRST, 1, IMAGES, STORE),
    ("StorageImageRuntimeArray", MISSING, &[K::StorageImage], FIRST, 5, UNSIZED_IMAGES, STORE),
    (
        "MultipleAccessChains",
        MISSING,
        &[K::StorageBuffer],
        FIRST,
        1,
        UNSIZED,
        "uint x = b[0].n; result = x + b[at].n;",
    ),
    // Correct code without findings.
    ("positive Basic", NONE, &[K::StorageBuffer], ALL, 3, BUFFERS, "result = b[at].n;"),
    ("positive BasicHLSLRuntimeArray", NONE, &[K::CombinedImageSampler], ALL, 3, UNSIZED_TEXTURES, SAMPLE),
    ("positive BindingUnusedPipeline", NONE, TWO, FIRST, 0, PAIR, "result = b[0].n;"),
    (
        "positive BindingPartiallyBound",
        NONE,
        &[K::StorageBuffer],
        FIRST,
        0,
        BUFFERS,
        "if (at > 0) result = b[at].n;",
    ),
    (
        "positive MultipleBoundDescriptorsUpdateAfterBind",
        NONE,
        TWO,
        &[(0, 0), (1, 0)],
        0,
        PAIR,
        "result = b[0].n + c[0].m;",
    ),
    (
        "positive MultipleUnusedBoundDescriptorsUpdateAfterBind",
        NONE,
        TWO,
        &[(1, 2)],
        2,
        PAIR,
        "result = c[at].m;",
    ),
    (
        "positive TexelFetch",
        NONE,
        &[K::CombinedImageSampler],
        FIRST,
        0,
        TEXTURES,
        "result = uint(texelFetch(t[at], ivec2(0), 0).x);",
    ),
    ("positive AtomicBuffer", NONE, &[K::StorageBuffer], FIRST, 0, BUFFERS, "atomicAdd(b[at].n, 1);"),
    ("positive StorageImage", NONE, &[K::StorageImage], FIRST, 0, IMAGES, STORE),
    (
        "positive BranchConditonalPostDominate",
        NONE,
        TWO,
        FIRST,
        1,
        PAIR,
        "if (at == 0) result = c[at].m; else result = b[0].n;",
    ),
];

#[test]
fn cases_of_descriptor_indexing() {
    let mut wrong = Vec::new();
    for &(name, finds, kinds, written, at, declarations, access) in INDEXING {
        let world = World::new(kinds).unwrap();
        written.iter().for_each(|&(binding, element)| world.write(binding as usize, element).unwrap());
        world.results.write(0, &[at]).unwrap();
        let found = world.run(declarations, access).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut kinds: Vec<&str> = found.iter().filter_map(|f| f.split(':').next()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds != finds {
            wrong.push(format!("{name}: {found:?}, not {finds:?}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const OUT: &[&str] = &["buffer-out-of-bounds"];
const BAD: &[&str] = &["address-out-of-bounds"];
const ODD: &[&str] = &["misaligned-access"];

/// A case: name, expected findings, size of the buffer in bytes, bytes added to its address, declarations of
/// references, and the access through `p`.
type Address = (&'static str, &'static [&'static str], usize, i64, &'static str, &'static str);

const WORD: &str = "layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uint n; };";
const WORDS: &str = "layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uint n[]; };";
const LIST: &str = "layout(buffer_reference) buffer R;
    layout(buffer_reference, std430, buffer_reference_align = 8) buffer R { uint n; R next; };";

const ADDRESSES: &[Address] = &[
    ("ReadBeforePointerPushConstant", BAD, 16, -16, WORD, "uint x = p.n; p.n = x;"),
    ("ReadAfterPointerPushConstant", BAD, 16, 16, WORD, "p.n = p.n + 1;"),
    (
        "UVec3Array",
        OUT,
        56,
        0,
        "layout(buffer_reference, scalar, buffer_reference_align = 4) buffer R { uvec3 n[]; };",
        "p.n[4] = uvec3(1);",
    ),
    (
        "ArrayOfStruct",
        OUT,
        60,
        0,
        "struct S { uint a, b, c, d; }; layout(buffer_reference, std430) buffer R { S s[]; };",
        "p.s[3].d = 1;",
    ),
    (
        "StoreStd140",
        OUT,
        32,
        0,
        "layout(buffer_reference, std140) buffer R { uint a; uint n[4]; };",
        "p.n[1] = 1;",
    ),
    (
        "StoreStd430",
        OUT,
        20,
        0,
        "layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uint a; uint n[4]; uint e; };",
        "p.e = 1;",
    ),
    (
        "StoreScalarBlockLayout",
        OUT,
        16,
        0,
        "layout(buffer_reference, scalar, buffer_reference_align = 4) buffer R { uint a; vec4 b; };",
        "p.b = vec4(1);",
    ),
    (
        "StoreScalarBlockLayoutFront",
        BAD,
        16,
        -4,
        "layout(buffer_reference, scalar, buffer_reference_align = 4) buffer R { uint a; uint b; };",
        "p.a = 1;",
    ),
    ("StoreStd430LinkedList", BAD, 16, 0, LIST, "p.next.n = 1;"),
    ("ProxyStructLoadBadAddress", BAD, 16, 77 << 40, WORD, "uint x = p.n; at = x;"),
    ("StoreAlignment", ODD, 16, 2, WORD, "p.n = 1;"),
    ("LoadAlignment", ODD, 16, 2, WORD, "at = p.n;"),
    (
        "NonStructPointer",
        OUT,
        16,
        12,
        "layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uvec2 n; };",
        "at = p.n.y;",
    ),
    ("MultipleAccessChains", OUT, 16, 0, WORDS, "uint i = 3; at = p.n[i] + p.n[i + 1];"),
    ("AtomicLoad", BAD, 16, 16, WORD, "at = atomicAdd(p.n, 0);"),
    ("AtomicExchange", BAD, 16, 16, WORD, "atomicExchange(p.n, 1);"),
    ("AtomicAddPointerOperand", BAD, 16, 16, WORD, "atomicAdd(p.n, 1);"),
    ("AtomicsMaxMin", BAD, 16, 16, WORD, "atomicMax(p.n, 1);"),
    ("PointerChainFirstInvalid", BAD, 16, 77 << 40, LIST, "p.next.next.n = 1;"),
    ("PointerChainLastInvalid", BAD, 16, 0, LIST, "p.next.n = 1;"),
    (
        "positive StoreStd430",
        NONE,
        24,
        0,
        "layout(buffer_reference, std430, buffer_reference_align = 4) buffer R { uint a; uint n[4]; uint e; };",
        "p.e = 1;",
    ),
    (
        "positive UVec3Array",
        NONE,
        60,
        0,
        "layout(buffer_reference, scalar, buffer_reference_align = 4) buffer R { uvec3 n[]; };",
        "p.n[4] = uvec3(1);",
    ),
    ("positive StoreExplicitOffset", NONE, 16, 8, WORDS, "p.n[1] = 1;"),
    ("positive Atomics", NONE, 16, 12, WORD, "atomicAdd(p.n, 1);"),
    ("positive MultipleAccessChains", NONE, 20, 0, WORDS, "uint i = 3; at = p.n[i] + p.n[i + 1];"),
    ("positive StoreStd430LinkedList", NONE, 16, 0, LIST, "R q = R(p); q.n = 1; p.next = q; p.next.n = 2;"),
];

#[test]
fn cases_of_buffer_device_addresses() {
    let mut wrong = Vec::new();
    for &(name, finds, bytes, added, declarations, access) in ADDRESSES {
        let (session, device) = checks::device();
        let usage = BufferUsage::SHADER_DEVICE_ADDRESS;
        let buffer = device.create_buffer_with(&vec![0u8; bytes], usage).unwrap();
        let results = device.create_buffer_with(&[0u32; 1], BufferUsage::STORAGE).unwrap();
        let source = format!(
            "#version 450\n#extension GL_EXT_buffer_reference : require\n#extension GL_EXT_scalar_block_layout : require
             {declarations}\nlayout(push_constant) uniform P {{ R p; }};
             layout(set = 0, binding = 0) buffer Results {{ uint at; }};\nvoid main() {{ {access} }}"
        );
        let run = || -> Result<()> {
            let words = frontend::compile_glsl(&source, Stage::Compute, &frontend::Options::default())?;
            let stage = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Compute)?;
            let bindings = [DescriptorBinding::new(0, K::StorageBuffer)];
            let sets = device.create_descriptor_set_layout(&bindings)?;
            let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 8)?;
            let set = device.create_descriptor_set(&sets)?;
            set.write_buffer(0, &results)?;
            let desc = ComputePipelineDesc { stage, layout: layout.clone() };
            let pipeline = device.create_compute_pipeline(&desc)?;
            let mut c = device.create_command_buffer();
            c.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set);
            let address = buffer.device_address()?.wrapping_add_signed(added);
            c.push_constants(0, &[address]).dispatch(1, 1, 1);
            c.end()?;
            device.queue().run(&c)
        };
        run().unwrap_or_else(|e| panic!("{name}: {e}"));
        let found = session.reports.take();
        let mut kinds: Vec<&str> = found.iter().map(|r| r.kind.id()).collect();
        kinds.sort_unstable();
        kinds.dedup();
        if kinds != finds {
            wrong.push(format!("{name}: {}, not {finds:?}", checks::shown(&found)));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

const VERTEX: &str = "#version 450
layout(location = 0) in vec4 position; layout(location = 1) in float size;
void main() { gl_Position = position * size; }";
const FRAGMENT: &str = "#version 450
layout(location = 0) out vec4 c;
void main() { c = vec4(1); }";

/// Findings when `vertices` vertices are drawn from vertex buffers that hold `sizes` vertices.
fn drawn(vertices: u32, sizes: usize, indices: Option<&[u32]>, instances: u32) -> Vec<String> {
    drawn_with(vertices, sizes, indices, instances, |_| ())
}

/// Like [`drawn`], with changed state.
fn drawn_with(
    vertices: u32,
    sizes: usize,
    indices: Option<&[u32]>,
    instances: u32,
    change: impl Fn(&mut DrawStateDesc),
) -> Vec<String> {
    let positions = vec![[0.5f32; 4]; 4];
    let mut test =
        ShaderTest::glsl_fragment(FRAGMENT).unwrap().vertex_glsl(VERTEX, vertices).unwrap().loose();
    test = test.attribute(0, Format::R32G32B32A32_SFLOAT, &positions);
    test = test.attribute(1, Format::R32_SFLOAT, &vec![1.0f32; sizes]).instances(instances);
    if let Some(indices) = indices {
        test = test.indices(indices);
    }
    test = test.state(move |state, _| change(state));
    let found = checks::check(test, |t| t.draw(4, 4));
    found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect()
}

/// Vertices past the end of their buffers, without and with an index buffer.
#[test]
fn cases_of_vertex_attribute_fetch() {
    assert_eq!(drawn(3, 3, None, 1), [""; 0], "positive VertexIndex");
    let size = |vertex: u32, end: u32| {
        let text = "attribute-out-of-bounds: `size` (location 1) of vertex";
        vec![format!("{text} {vertex} ends at byte {end} of a vertex buffer of 8 bytes")]
    };
    assert_eq!(drawn(3, 2, None, 1), size(2, 12), "by number");
    assert_eq!(drawn(3, 2, Some(&[0, 1, 3]), 1), size(3, 16), "DrawBadVertexIndex32");
    assert_eq!(drawn(3, 2, Some(&[0, 1, 1]), 1), [""; 0], "positive BadVertexIndex");
    let both = drawn(3, 2, Some(&[0, 1, 9]), 1);
    assert_eq!(both.len(), 2, "both attributes: {both:#?}");
    // The maximum index is a vertex, unless primitive restart is enabled.
    let last = [0, 1, u32::MAX];
    assert_eq!(drawn(3, 2, Some(&last), 1).len(), 2, "the greatest index");
    let restarts = |state: &mut DrawStateDesc| {
        (state.primitive_restart, state.topology) = (true, Topology::TriangleStrip);
    };
    assert_eq!(drawn_with(3, 2, Some(&last), 1, restarts), [""; 0], "an index that restarts");
    assert_eq!(drawn(3, 4, None, 5), [""; 0], "positive InstanceIndex");
}

/// Index buffers that are too short for the draw, and counts of indirect commands.
#[test]
fn cases_of_index_and_indirect_buffers() {
    let (session, device) = checks::device();
    let compile = |source: &str, stage| {
        let words = frontend::compile_glsl(source, stage, &frontend::Options::default()).unwrap();
        ShaderStage::new(&device.create_shader_module(&words).unwrap(), "main")
    };
    let layout = device.create_pipeline_layout(&[], 0).unwrap();
    let vertex =
        compile("#version 450\nvoid main() { gl_Position = vec4(gl_VertexIndex, 0, 0, 1); }", Stage::Vertex);
    let fragment = compile(FRAGMENT, Stage::Fragment);
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    desc.state.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
    let pipeline = device.create_graphics_pipeline(&desc).unwrap();
    let usage = ImageUsage::COLOR_ATTACHMENT;
    let image = device.create_bound_image(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4, usage)).unwrap();
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(Format::R8G8B8A8_UNORM)).unwrap();
    let indices = device.create_buffer_with(&[0u32, 1, 2, 0, 1], BufferUsage::INDEX).unwrap();
    let parameters = device.create_buffer_with(&[3u32, 1, 3, 0, 0], BufferUsage::INDIRECT).unwrap();
    let draw = |record: &dyn Fn(&mut CommandBuffer)| {
        let mut c = device.create_command_buffer();
        let color = Some(RenderingAttachment::clear(&view, [0.0; 4]));
        let area = Rect::of_size(4, 4);
        c.begin_rendering(&RenderingInfo { area, colors: vec![color], ..RenderingInfo::default() });
        c.bind_graphics_pipeline(&pipeline).set_size(4, 4);
        c.bind_index_buffer(&indices, 0, IndexType::U32);
        record(&mut c);
        c.end_rendering().end().unwrap();
        device.queue().run(&c).unwrap();
        let found = session.reports.take();
        found.iter().map(|r| format!("{}: {}", r.kind, r.message)).collect::<Vec<_>>()
    };
    let past = |first: u32, end: u32| {
        vec![format!(
            "index-buffer-out-of-bounds: indices {first}..{end} are drawn from an index buffer of 5 indices"
        )]
    };
    assert_eq!(
        draw(&|c| {
            c.draw_indexed(5, 1, 0, 0, 0);
        }),
        [""; 0],
        "positive VertexIndex"
    );
    assert_eq!(
        draw(&|c| {
            c.draw_indexed(6, 1, 0, 0, 0);
        }),
        past(0, 6),
        "IndexBufferOOB"
    );
    assert_eq!(
        draw(&|c| {
            c.draw_indexed(3, 1, 4, 0, 0);
        }),
        past(4, 7),
        "IndexBufferOOB2"
    );
    let indirect = draw(&|c| {
        c.draw_indirect(true, &parameters, 0, None, 1, 20);
    });
    assert_eq!(indirect, past(3, 6), "IndexBufferOOB, indirect");
}

/// Workgroup counts in an indirect buffer must be within the limits.
#[test]
fn cases_of_indirect_dispatches() {
    let (session, device) = checks::device();
    let source = "#version 450\nvoid main() { }";
    let words = frontend::compile_glsl(source, Stage::Compute, &frontend::Options::default()).unwrap();
    let stage = ShaderStage::only(&device.create_shader_module(&words).unwrap(), Stage::Compute).unwrap();
    let layout = device.create_pipeline_layout(&[], 0).unwrap();
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout }).unwrap();
    let most = device.limits().max_compute_work_group_count;
    let run = |groups: [u32; 3]| {
        let parameters = device.create_buffer_with(&groups, BufferUsage::INDIRECT).unwrap();
        let mut c = device.create_command_buffer();
        c.bind_compute_pipeline(&pipeline).dispatch_indirect(&parameters, 0).end().unwrap();
        device.queue().run(&c).unwrap();
        checks::kinds(&session.reports.take())
    };
    assert_eq!(run([1, 0, most[2]]), [""; 0]);
    assert_eq!(run([0, 1, most[2] + 1]).len(), 1, "DispatchWorkgroupSize");
}

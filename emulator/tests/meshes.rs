//! Task and mesh stages through the full API, on GLSL shaders (feature `glsl`).

#![cfg(feature = "glsl")]

use quadrille::frontend::{Options, compile_glsl};
use quadrille::*;

const HEAD: &str = "#version 460\n#extension GL_EXT_mesh_shader : require\n";

/// Squares of a grid: x and y are the workgroup ids; p is the number of the task workgroup, and a number from the
/// payload.
const MESH: &str = "
    struct T { uint row; uint n[3]; };
    taskPayloadSharedEXT T t;
    layout(local_size_x = 4) in;
    layout(triangles, max_vertices = 4, max_primitives = 2) out;
    layout(location = 0) perprimitiveEXT out uvec2 square[];
    void main() {
        uint i = gl_LocalInvocationIndex, x = gl_WorkGroupID.x;
        SetMeshOutputsEXT(4, 2);
        vec2 at = vec2(x + (i & 1), t.row + (i >> 1)) / 4.0 - 1.0;
        gl_MeshVerticesEXT[i].gl_Position = vec4(at, 0, 1);
        if (i < 2) {
            gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1, i + 2);
            square[i] = uvec2(x + 1, t.n[x % 3]);
        }
    }";
const TASK: &str = "
    struct T { uint row; uint n[3]; };
    taskPayloadSharedEXT T t;
    layout(local_size_x = 3) in;
    void main() {
        uint i = gl_LocalInvocationIndex;
        t.n[i] = 10 * gl_WorkGroupID.x + i;
        if (i == 0) t.row = gl_WorkGroupID.x;
        EmitMeshTasksEXT(gl_WorkGroupID.x, 1, 1);
    }";
const FRAGMENT: &str = "
    layout(location = 0) perprimitiveEXT in flat uvec2 square;
    layout(location = 0) out uvec2 color;
    void main() { color = square; }";

fn source(text: &str) -> String {
    format!("{HEAD}{text}")
}

/// Row r of the grid has the first r squares; each square contains its task workgroup and its own number.
#[test]
fn task_workgroups_hand_payloads_on_and_fragments_see_their_primitive() {
    for interp in [false, true] {
        let device = Device::new(DeviceOptions { interp, threads: 2, ..DeviceOptions::default() }).unwrap();
        for lanes in [4, 8, 16, 32] {
            let run = ShaderTest::glsl_fragment(&source(FRAGMENT))
                .and_then(|t| t.stage_glsl(Stage::Mesh, &source(MESH)))
                .and_then(|t| t.stage_glsl(Stage::Task, &source(TASK)))
                .and_then(|t| {
                    let t = t.on(&device).lanes(lanes).workgroups([8, 1, 1]);
                    t.target(Format::R32G32_UINT).draw(16, 16)
                });
            let texels: Vec<[u32; 2]> = run.unwrap().read_target().unwrap();
            for (at, texel) in texels.iter().enumerate() {
                let (x, y) = (at as u32 % 16 / 2, at as u32 / 32);
                let expected = if x < y { [x + 1, 10 * y + x % 3] } else { [0, 0] };
                assert_eq!(*texel, expected, "{x} {y}, {lanes} lanes, interpreted: {interp}");
            }
        }
    }
}

/// A module whose negations are replaced by derivatives of this opcode, with linear quads of four invocations: glslang
/// does not support derivatives in these stages.
fn with_derivatives(stage: Stage, text: &str, opcode: u32) -> Vec<u32> {
    const CAPABILITY: [u32; 2] = [2 << 16 | 17, 5350];
    let words = compile_glsl(&source(text), stage, &Options::default()).unwrap();
    let mut out = words[..5].to_vec();
    out.extend(CAPABILITY);
    let mut rest = &words[5..];
    while let [first, ..] = rest {
        let (inst, next) = rest.split_at((first >> 16) as usize);
        match first & 0xffff {
            // The OpExtInstImport instructions come after the extensions.
            11 => {
                let name = b"SPV_KHR_compute_shader_derivatives\0\0";
                out.push(10 << 16 | 10);
                out.extend(name.chunks(4).map(|c| u32::from_le_bytes([c[0], c[1], c[2], c[3]])));
                out.extend(inst);
            }
            // OpEntryPoint: add DerivativeGroupLinearKHR.
            15 => {
                out.extend(inst);
                out.extend([3 << 16 | 16, inst[2], 5290]);
            }
            // OpFNegate.
            127 => {
                out.push(4 << 16 | opcode);
                out.extend(&inst[1..]);
            }
            _ => out.extend(inst),
        }
        rest = next;
    }
    out
}

/// Quads of task and mesh shaders have derivatives. The squares of the invocation ids are 0, 1, 4 and 9. Spec:
/// SPV_KHR_compute_shader_derivatives, `DerivativeGroupLinearKHR`.
#[test]
fn quads_of_tasks_and_meshes_have_derivatives() {
    const HEAD: &str = "layout(local_size_x = 4) in;
        struct T { float d[4]; };
        taskPayloadSharedEXT T t;";
    let task = "void main() {
        uint i = gl_LocalInvocationIndex;
        t.d[i] = -float(i * i);
        EmitMeshTasksEXT(1, 1, 1);
    }";
    let mesh = "layout(triangles, max_vertices = 4, max_primitives = 2) out;
    layout(location = 0) perprimitiveEXT out uvec2 square[];
    void main() {
        uint i = gl_LocalInvocationIndex;
        float down = -float(i * i);
        SetMeshOutputsEXT(4, 2);
        gl_MeshVerticesEXT[i].gl_Position = vec4(2.0 * vec2(i & 1, i >> 1) - 1.0, 0, 1);
        if (i < 2) {
            gl_PrimitiveTriangleIndicesEXT[i] = uvec3(i, i + 1, i + 2);
            square[i] = uvec2(10.0 * t.d[0] + t.d[3], down);
        }
    }";
    let options = Options::default();
    // OpDPdxFine and OpDPdyFine.
    let task = with_derivatives(Stage::Task, &format!("{HEAD}{task}"), 210);
    let mesh = with_derivatives(Stage::Mesh, &format!("{HEAD}{mesh}"), 211);
    for interp in [false, true] {
        let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() }).unwrap();
        let run = ShaderTest::glsl_fragment(&source(FRAGMENT))
            .and_then(|t| t.stage_source(Stage::Mesh, "mesh.spv", bytemuck::cast_slice(&mesh), &options))
            .and_then(|t| t.stage_source(Stage::Task, "task.spv", bytemuck::cast_slice(&task), &options))
            .and_then(|t| t.on(&device).workgroups([1, 1, 1]).target(Format::R32G32_UINT).draw(8, 8));
        let texels: Vec<[u32; 2]> = run.unwrap().read_target().unwrap();
        assert_eq!([texels[0], texels[63]], [[15, 4], [15, 8]], "interpreted: {interp}");
    }
}

/// Peak memory of the process, in bytes.
fn peak_memory() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).unwrap();
    line.split_whitespace().next().unwrap().parse::<u64>().unwrap() * 1024
}

/// 64 task workgroups emit 1,024 mesh workgroups each, and every mesh workgroup outputs 160 points.
#[test]
fn ten_million_primitives_take_bounded_memory() {
    let task = "
        taskPayloadSharedEXT uint first;
        layout(local_size_x = 1) in;
        void main() { first = gl_WorkGroupID.x * 1024; EmitMeshTasksEXT(64, 16, 1); }";
    let mesh = "
        taskPayloadSharedEXT uint first;
        layout(local_size_x = 32) in;
        layout(points, max_vertices = 160, max_primitives = 160) out;
        void main() {
            SetMeshOutputsEXT(160, 160);
            uint group = first + gl_WorkGroupID.y * 64 + gl_WorkGroupID.x;
            for (uint k = gl_LocalInvocationIndex; k < 160; k += 32) {
                uint n = (group * 160 + k) % 4096;
                gl_MeshVerticesEXT[k].gl_Position = vec4((vec2(n % 64, n / 64) + 0.5) / 32.0 - 1.0, 0, 1);
                gl_MeshVerticesEXT[k].gl_PointSize = 1.0;
                gl_PrimitivePointIndicesEXT[k] = k;
            }
        }";
    let fragment = "#version 450
        layout(location = 0) out float color;
        void main() { color = 1.0; }";
    let device = Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() }).unwrap();
    let one = BlendEquation { src: BlendFactor::One, dst: BlendFactor::One, op: BlendOp::Add };
    let before = peak_memory();
    let run = ShaderTest::glsl_fragment(fragment)
        .and_then(|t| t.stage_glsl(Stage::Task, &source(task)))
        .and_then(|t| t.stage_glsl(Stage::Mesh, &source(mesh)))
        .and_then(|t| {
            let t = t.on(&device).workgroups([64, 1, 1]).target(Format::R32_SFLOAT);
            t.blend(BlendState { enable: true, equations: [one; 2], write_mask: 1 }).draw(64, 64)
        });
    let texels: Vec<f32> = run.unwrap().read_target().unwrap();
    assert!(texels.iter().all(|t| *t == 2560.0), "{:?}", &texels[..8]);
    let taken = peak_memory().saturating_sub(before);
    assert!(taken < 512 << 20, "{} MiB", taken >> 20);
}

/// Endless workgroups, and an excessive number of workgroups.
#[test]
fn draws_of_meshes_end_with_their_budget() {
    let forever = MESH.replace("SetMesh", "while (p.x == 0) {} SetMesh");
    let forever =
        forever.replace("layout(local", "layout(push_constant) uniform P { uvec4 p; };\nlayout(local");
    let many = TASK.replace("(gl_WorkGroupID.x, 1, 1)", "(1024, 1024, 4)");
    let nothing = "layout(local_size_x = 1) in; layout(points, max_vertices = 1, max_primitives = 1) out;
        struct T { uint row; uint n[3]; };
        taskPayloadSharedEXT T t;
        void main() { SetMeshOutputsEXT(0, t.row & 0); }";
    assert!(forever != MESH && many != TASK);
    for (task, mesh) in [(TASK, forever.as_str()), (&many, nothing)] {
        let budget = std::time::Duration::from_millis(200);
        let options = DeviceOptions { threads: 2, budget, ..DeviceOptions::default() };
        let device = Device::new(options).unwrap();
        let start = std::time::Instant::now();
        let done = ShaderTest::glsl_fragment("#version 450\nvoid main() {}")
            .and_then(|t| t.stage_glsl(Stage::Task, &source(task)))
            .and_then(|t| t.stage_glsl(Stage::Mesh, &source(mesh)))
            // Only one of the two variants uses push constants.
            .and_then(|t| t.on(&device).loose().push(&[0u32; 4]).workgroups([2048, 2048, 1]).draw(16, 16));
        assert!(matches!(done.map(|_| ()), Err(Error::DeviceLost(_))));
        // A busy machine may take longer than the budget.
        assert!(start.elapsed() < std::time::Duration::from_secs(60), "stopped after {:?}", start.elapsed());
    }
}

struct Bench {
    device: Device,
    layout: PipelineLayout,
    view: ImageView,
}

impl Bench {
    fn new() -> Bench {
        let device = Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() }).unwrap();
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let format = Format::R32G32_UINT;
        let usage = ImageUsage::COLOR_ATTACHMENT;
        let image = device.create_bound_image(ImageDesc::new_2d(format, 16, 16, usage)).unwrap();
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format)).unwrap();
        Bench { device, layout, view }
    }

    fn stage(&self, stage: Stage, text: &str) -> ShaderStage {
        let source = if stage == Stage::Vertex { text.to_owned() } else { source(text) };
        let words = compile_glsl(&source, stage, &Options::named("test.glsl")).unwrap();
        ShaderStage::only(&self.device.create_shader_module(&words).unwrap(), stage).unwrap()
    }

    fn vertex(&self) -> ShaderStage {
        self.stage(Stage::Vertex, "#version 450\nvoid main() { gl_Position = vec4(0); }")
    }

    /// A pipeline with a mesh stage and, if `task` is set, a task stage.
    fn desc(&self, task: bool) -> GraphicsPipelineDesc {
        let (mesh, fragment) = (self.stage(Stage::Mesh, MESH), self.stage(Stage::Fragment, FRAGMENT));
        let mut desc = GraphicsPipelineDesc::mesh(&self.layout, mesh, Some(fragment));
        desc.task = task.then(|| self.stage(Stage::Task, TASK));
        desc.state.color_formats = vec![Some(Format::R32G32_UINT)];
        desc
    }

    /// Records commands in a render pass with this pipeline, and returns the result of recording.
    fn record(&self, desc: &GraphicsPipelineDesc, f: impl FnOnce(&mut CommandBuffer)) -> Result<()> {
        let pipeline = self.device.create_graphics_pipeline(desc)?;
        let color = Some(RenderingAttachment::clear(&self.view, [0.0; 4]));
        let info =
            RenderingInfo { area: Rect::of_size(16, 16), colors: vec![color], ..RenderingInfo::default() };
        let mut commands = self.device.create_command_buffer();
        commands.begin_rendering(&info).bind_graphics_pipeline(&pipeline).set_size(16, 16);
        f(&mut commands);
        commands.end_rendering().end()?;
        self.device.queue().run(&commands)
    }
}

fn invalid<T: std::fmt::Debug>(what: &str, done: Result<T>) {
    assert!(matches!(done, Err(Error::Invalid { .. })), "{what}: {done:?}");
}

fn limit<T: std::fmt::Debug>(what: &str, done: Result<T>) {
    assert!(matches!(done, Err(Error::Limit(_))), "{what}: {done:?}");
}

/// Spec: Vulkan, VkGraphicsPipelineCreateInfo, valid usage of pStages.
#[test]
fn stages_that_do_not_go_together_are_refused() {
    let bench = Bench::new();
    let make = |edit: &dyn Fn(&mut GraphicsPipelineDesc)| {
        let mut desc = bench.desc(true);
        edit(&mut desc);
        bench.device.create_graphics_pipeline(&desc)
    };
    make(&|_| {}).unwrap();
    // Vertex input and topology are ignored, whether dynamic or not.
    make(&|d| {
        d.state.topology = Topology::PatchList;
        d.state.vertex_attributes =
            vec![VertexAttribute { location: 99, binding: 7, format: Format::R32_SFLOAT, offset: 0 }];
    })
    .unwrap();
    make(&|d| d.dynamic |= DynamicStates::VERTEX_INPUT | DynamicStates::PRIMITIVE_TOPOLOGY).unwrap();
    invalid("both", make(&|d| d.vertex = Some(bench.vertex())));
    invalid("neither", make(&|d| d.mesh = None));
    invalid("task alone", make(&|d| (d.mesh, d.vertex) = (None, Some(bench.vertex()))));
    invalid("geometry", make(&|d| d.geometry = Some(bench.vertex())));
    invalid("another stage", make(&|d| d.mesh = Some(bench.stage(Stage::Task, TASK))));
    let floats = FRAGMENT.replace("flat uvec2 square", "vec2 square").replace("= square", "= uvec2(square)");
    invalid("types", make(&|d| d.fragment = Some(bench.stage(Stage::Fragment, &floats))));
}

/// Spec: Vulkan, valid usage of vkCmdDrawMeshTasksEXT and related commands.
#[test]
fn draws_and_pipelines_go_together() {
    let bench = Bench::new();
    let usage = BufferUsage::INDIRECT | BufferUsage::TRANSFER_DST;
    let buffer = |usage| bench.device.create_bound_buffer(BufferDesc { size: 64, usage }).unwrap();
    let (parameters, other) = (buffer(usage), buffer(BufferUsage::VERTEX));
    for task in [false, true] {
        let desc = bench.desc(task);
        let record = |f: &dyn Fn(&mut CommandBuffer)| bench.record(&desc, |c| f(c));
        record(&|c| _ = c.draw_mesh_tasks([1, 2, 3])).unwrap();
        record(&|c| _ = c.draw_mesh_tasks([65535, 0, 65535])).unwrap();
        record(&|c| _ = c.draw_mesh_tasks_indirect(&parameters, 0, 2, 12)).unwrap();
        record(&|c| _ = c.draw_mesh_tasks_indirect(&parameters, 0, 1, 0)).unwrap();
        record(&|c| _ = c.draw_mesh_tasks_indirect_count(&parameters, 4, (&parameters, 0), 3, 16)).unwrap();
        invalid("vertices", record(&|c| _ = c.draw(3, 1, 0, 0)));
        invalid("indirect vertices", record(&|c| _ = c.draw_indirect(false, &parameters, 0, None, 1, 16)));
        invalid("stride", record(&|c| _ = c.draw_mesh_tasks_indirect(&parameters, 0, 2, 8)));
        invalid("not in words", record(&|c| _ = c.draw_mesh_tasks_indirect(&parameters, 0, 2, 14)));
        invalid("usage", record(&|c| _ = c.draw_mesh_tasks_indirect(&other, 0, 1, 12)));
        invalid(
            "count",
            record(&|c| _ = c.draw_mesh_tasks_indirect_count(&parameters, 0, (&other, 0), 1, 12)),
        );
        limit("in a direction", record(&|c| _ = c.draw_mesh_tasks([65536, 1, 1])));
        limit("in all", record(&|c| _ = c.draw_mesh_tasks([2048, 2049, 1])));
        invalid("feedback", record(&|c| _ = c.begin_transform_feedback(0, &[]).draw_mesh_tasks([1, 1, 1])));
    }
    let mut plain = GraphicsPipelineDesc::new(&bench.layout, bench.vertex(), None);
    plain.state.color_formats = vec![Some(Format::R32G32_UINT)];
    bench.record(&plain, |c| _ = c.draw(3, 1, 0, 0)).unwrap();
    invalid("meshes", bench.record(&plain, |c| _ = c.draw_mesh_tasks([1, 1, 1])));
    invalid("indirect", bench.record(&plain, |c| _ = c.draw_mesh_tasks_indirect(&parameters, 0, 1, 12)));
}

/// Spec: Vulkan, VkPhysicalDeviceMeshShaderPropertiesEXT.
#[test]
fn shaders_past_the_limits_are_refused() {
    let bench = Bench::new();
    let with = |text: &str| {
        let mut desc = bench.desc(false);
        desc.fragment = None;
        desc.mesh = Some(bench.stage(Stage::Mesh, text));
        bench.device.create_graphics_pipeline(&desc)
    };
    with(MESH).unwrap();
    let outputs = |n: u32| {
        MESH.replace("uvec2 square[]", &format!("uvec2 square[][{n}]"))
            .replace("square[i] =", "square[i][0] =")
    };
    with(&outputs(32)).unwrap();
    let refused = |words: &str, text: &str| {
        assert_ne!(text, MESH);
        let e = with(text).expect_err(words);
        assert!(matches!(&e, Error::Limit(m) if m.contains(words)), "{words}: {e}");
    };
    let shared = |bytes: u32| {
        let text = MESH.replace("layout(local", &format!("shared uint s[{}];\nlayout(local", bytes / 4));
        text.replace("SetMesh", "s[i] = x; barrier(); SetMesh")
    };
    with(&shared(32768)).unwrap();
    refused("bytes of workgroup memory", &shared(32772));
    let more = |vertices: u32, primitives: u32| {
        let head = format!("max_vertices = {vertices}, max_primitives = {primitives}");
        MESH.replace("max_vertices = 4, max_primitives = 2", &head)
    };
    with(&more(256, 256)).unwrap();
    let wide = outputs(32).replace("max_primitives = 2", "max_primitives = 128");
    refused("bytes of output", &wide);
}

/// Per-primitive outputs of 16 bits reach the fragment stage unchanged.
#[test]
fn outputs_of_primitives_of_16_bits_keep_their_values() {
    const EXT: &str = "#extension GL_EXT_shader_explicit_arithmetic_types : require\n";
    let types = ["float16_t", "f16vec2", "f16vec3", "f16vec4", "int16_t", "i16vec2", "i16vec3", "i16vec4"];
    for interp in [false, true] {
        let device = Device::new(DeviceOptions { interp, ..DeviceOptions::default() }).unwrap();
        for ty in types {
            let value = |k: &str| format!("{ty}({k})");
            let mesh = format!(
                "{EXT}layout(local_size_x = 1) in;
                layout(triangles, max_vertices = 4, max_primitives = 2) out;
                layout(location = 2) perprimitiveEXT out {ty} o[];
                layout(binding = 0) buffer B {{ float b[]; }};
                void main() {{
                    SetMeshOutputsEXT(4, 2);
                    for (int i = 0; i < 4; i++)
                        gl_MeshVerticesEXT[i].gl_Position = vec4(vec2(i & 1, i >> 1) * 2.0 - 1.0, 0, 1);
                    gl_PrimitiveTriangleIndicesEXT[0] = uvec3(0, 1, 2);
                    gl_PrimitiveTriangleIndicesEXT[1] = uvec3(2, 3, 1);
                    o[0] = {};
                    o[1] = {};
                }}",
                value("b[0]"),
                value("b[1]")
            );
            let fragment = format!(
                "{EXT}layout(location = 2) perprimitiveEXT in flat {ty} o;
                layout(binding = 0) buffer B {{ float b[]; }};
                layout(location = 0) out vec4 color;
                void main() {{ color = vec4(o == {ty}(b[0]), o == {ty}(b[1]), 0, 1); }}"
            );
            let run = ShaderTest::glsl_fragment(&source(&fragment))
                .and_then(|t| t.stage_glsl(Stage::Mesh, &source(&mesh)))
                .and_then(|t| {
                    let t = t.bind(0, 0, &[1241f32, 1211.0]).on(&device).workgroups([1, 1, 1]);
                    t.target(Format::R32G32B32A32_SFLOAT).draw(4, 4)
                });
            let texels: Vec<[f32; 4]> = run.unwrap().read_target().unwrap();
            let [first, last] = [texels[0], texels[15]];
            assert_eq!(
                [first, last],
                [[1.0, 0.0, 0.0, 1.0], [0.0, 1.0, 0.0, 1.0]],
                "{ty}, interpreted: {interp}"
            );
        }
    }
}

//! Random shaders of rays: ray queries in compute shaders, and ray tracing pipelines, in a fixed scene.
//!
//! Queries execute operations in any order, also in states in which an operation has no meaning: such results have one
//! value, too. Each invocation mixes all results into words of its own, so that results do not depend on the size of
//! lane groups. NaNs are mixed as one value.

use std::fmt::Write;

use quadrille::frontend::{Options, compile_glsl};
use quadrille::{
    BindPoint, BufferUsage, DescriptorBinding, DescriptorKind, Device, RayTracingPipelineDesc, Region,
    Resource, ShaderBindingTables, ShaderGroup, ShaderStage, ShaderTest,
};
use quadrille_jit::ir::Stage;

use super::Random;
use crate::program::{Instance, Scene, Shape};

/// Invocations of a module.
const INVOCATIONS: u32 = 64;
/// Words that each invocation writes.
const WORDS: u32 = 2;

/// The scene: triangles that are opaque and others that are not, boxes, and nothing.
fn scene() -> Scene {
    let triangle = |x: f32, z: f32| vec![x, 0.0, z, x + 1.0, 0.0, z, x, 1.0, z];
    let all = |zs: &[f32]| zs.iter().flat_map(|&z| triangle(0.0, z)).collect::<Vec<f32>>();
    let boxes = vec![0.0, 0.0, 0.0, 1.0, 1.0, 1.0, 0.25, 0.25, -2.0, 0.75, 0.75, -1.0];
    Scene {
        place: (0, 0),
        instances: vec![
            Instance { shape: Shape::Triangles, opaque: true, floats: all(&[0.0, 0.5]) },
            Instance { shape: Shape::Triangles, opaque: false, floats: all(&[-1.0, 0.0, 0.5]) },
            Instance { shape: Shape::Boxes, opaque: false, floats: boxes.clone() },
            Instance { shape: Shape::Boxes, opaque: true, floats: boxes },
        ],
    }
}

/// Functions of all shaders: mixing of results, and random numbers of the invocation.
const COMMON: &str = "
    uint sum = 0u, seed = 0u;
    void mix_in(uint x) { sum = (sum ^ x) * 0x9e3779b1u; sum ^= sum >> 15; }
    void mix_in(float x) { mix_in(isnan(x) ? 0x7fc00000u : floatBitsToUint(x)); }
    void mix_in(vec2 v) { mix_in(v.x); mix_in(v.y); }
    void mix_in(vec3 v) { mix_in(v.xy); mix_in(v.z); }
    void mix_in(mat4x3 m) { for (int c = 0; c < 4; c++) mix_in(m[c]); }
    void mix_in(bool b) { mix_in(b ? 1u : 0u); }
    uint random() { seed = seed * 747796405u + 2891336453u; return ((seed >> ((seed >> 28) + 4u)) ^ seed) * 277803737u; }
    float unit() { return float(random() >> 8) / 16777216.0; }
    vec3 place() { return vec3(unit() * 14.0 - 0.5, unit() * 1.4 - 0.2, 2.0 + unit()); }
    vec3 toward() { return vec3(unit() * 0.4 - 0.2, unit() * 0.4 - 0.2, -1.0 - unit()); }
    ";

/// Flags of rays; several are none that exclude others.
const FLAGS: [u32; 10] = [0, 0, 0, 1, 2, 4, 0x10, 0x40, 0x80, 0x200];

/// Reads of an intersection.
const GETTERS: [&str; 14] = [
    "rayQueryGetIntersectionTypeEXT($, @)",
    "rayQueryGetIntersectionTEXT($, @)",
    "uint(rayQueryGetIntersectionInstanceCustomIndexEXT($, @))",
    "uint(rayQueryGetIntersectionInstanceIdEXT($, @))",
    "rayQueryGetIntersectionInstanceShaderBindingTableRecordOffsetEXT($, @)",
    "uint(rayQueryGetIntersectionGeometryIndexEXT($, @))",
    "uint(rayQueryGetIntersectionPrimitiveIndexEXT($, @))",
    "rayQueryGetIntersectionBarycentricsEXT($, @)",
    "rayQueryGetIntersectionFrontFaceEXT($, @)",
    "rayQueryGetIntersectionObjectRayDirectionEXT($, @)",
    "rayQueryGetIntersectionObjectRayOriginEXT($, @)",
    "rayQueryGetIntersectionObjectToWorldEXT($, @)",
    "rayQueryGetIntersectionWorldToObjectEXT($, @)",
    "rayQueryGetIntersectionCandidateAABBOpaqueEXT($)",
];

/// Reads of the ray.
const OF_RAY: [&str; 4] = [
    "rayQueryGetRayTMinEXT($)",
    "rayQueryGetRayFlagsEXT($)",
    "rayQueryGetWorldRayDirectionEXT($)",
    "rayQueryGetWorldRayOriginEXT($)",
];

/// Writer of a compute shader with ray queries.
struct Queries {
    r: Random,
    text: String,
    /// Number of statements left.
    left: usize,
}

impl Queries {
    /// A query, alone or in an array, with an index that is known or not.
    fn query(&mut self) -> String {
        let known = self.r.below(3);
        self.r.pick(&["one".to_owned(), format!("many[{known}]"), "many[random() % 3u]".into()]).clone()
    }

    fn committed(&mut self) -> &'static str {
        if self.r.one_in(2) { "true" } else { "false" }
    }

    fn initialize(&mut self, q: &str) {
        let (flags, mask) = (*self.r.pick(&FLAGS), *self.r.pick(&["0xff", "0xff", "0x0f", "random()"]));
        let (least, most) =
            (*self.r.pick(&["0.0", "unit()", "2.0"]), *self.r.pick(&["100.0", "unit() * 4.0"]));
        let _ = writeln!(
            self.text,
            "rayQueryInitializeEXT({q}, scene, {flags}u, {mask}, place(), {least}, toward(), {most});"
        );
    }

    fn statements(&mut self, depth: usize) {
        for _ in 0..self.r.below(6) + 1 {
            if self.left == 0 {
                return;
            }
            self.left -= 1;
            self.statement(depth);
        }
    }

    fn statement(&mut self, depth: usize) {
        // With an index of its own for each mention, several operations would be on several queries.
        let q = match self.query() {
            q if q.contains("random") => {
                self.text += "at = random() % 3u;\n";
                "many[at]".into()
            }
            q => q,
        };
        match self.r.below(if depth < 3 { 12 } else { 8 }) {
            0 => self.initialize(&q),
            1 => self.text += &format!("mix_in(rayQueryProceedEXT({q}));\n"),
            2 => self.text += &format!("rayQueryConfirmIntersectionEXT({q});\n"),
            3 => self.text += &format!("rayQueryGenerateIntersectionEXT({q}, unit() * 4.0);\n"),
            4 => {
                let read = self.r.pick(&OF_RAY).replace('$', &q);
                self.text += &format!("mix_in({read});\n");
            }
            5..=7 => {
                let read = *self.r.pick(&GETTERS);
                let committed = self.committed();
                let read = read.replace('$', &q).replace('@', committed);
                self.text += &format!("mix_in({read});\n");
            }
            8 => {
                self.text += "if (random() % 3u == 0u) {\n";
                self.statements(depth + 1);
                self.text += "} else {\n";
                self.statements(depth + 1);
                self.text += "}\n";
            }
            9 => {
                // Loops end: queries do, and so do counters.
                let counter = format!("i{}", self.text.len());
                self.text +=
                    &format!("for (uint {counter} = random() % 4u; {counter} > 0u; {counter}--) {{\n");
                self.statements(depth + 1);
                self.text += "}\n";
            }
            10 => {
                self.initialize(&q);
                self.text += &format!("while (rayQueryProceedEXT({q})) {{\n");
                let act = *self.r.pick(&[
                    "rayQueryConfirmIntersectionEXT($);",
                    "if (rayQueryGetIntersectionTypeEXT($, false) == 1u) rayQueryGenerateIntersectionEXT($, 1.0 + unit() * 3.0);",
                    "if (random() % 2u == 0u) rayQueryConfirmIntersectionEXT($); else rayQueryTerminateEXT($);",
                    "",
                ]);
                self.text += &act.replace('$', &q);
                let read = self.r.pick(&GETTERS[1..7]).replace('$', &q).replace('@', "false");
                self.text += &format!("\nmix_in({read});\n}}\n");
            }
            _ => self.text += &format!("rayQueryTerminateEXT({q});\n"),
        }
    }
}

/// A compute shader with ray queries, in GLSL.
pub fn queries(seed: u64) -> String {
    let mut q = Queries { r: Random::new(seed), text: String::new(), left: 40 };
    q.initialize("one");
    (0..3).for_each(|k| q.initialize(&format!("many[{k}]")));
    while q.left > 0 {
        q.statements(0);
    }
    let body = q.text;
    format!(
        "#version 460
        #extension GL_EXT_ray_query : require
        layout(local_size_x = {INVOCATIONS}) in;
        layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
        layout(set = 0, binding = 1) buffer Out {{ uint results[]; }};
        rayQueryEXT one, many[3];
        uint at;
        {COMMON}
        void main() {{
        seed = gl_GlobalInvocationID.x * 7919u + {seed}u;
        {body}
        results[gl_GlobalInvocationID.x * {WORDS}u] = sum;
        results[gl_GlobalInvocationID.x * {WORDS}u + 1u] = seed;
        }}",
        seed = seed as u32
    )
}

/// Runs a module of [`queries`] on a device with lane groups of this size.
///
/// # Errors
/// The errors of the front end and of the device.
pub fn run_queries(source: &str, device: &Device, lanes: u32) -> Result<Vec<u32>, quadrille::Error> {
    let scene = scene().build(device, 1)?;
    let test = ShaderTest::glsl(source)?.on(device).lanes(lanes).structure(0, 0, &scene);
    let run = test.bind_zeros::<u32>(0, 1, (INVOCATIONS * WORDS) as usize).dispatch([1, 1, 1])?;
    run.read(0, 1)
}

/// The stages of random pipelines, in order: the first is the ray generation shader.
const STAGES: [Stage; 8] = [
    Stage::RayGeneration,
    Stage::Miss,
    Stage::Miss,
    Stage::ClosestHit,
    Stage::AnyHit,
    Stage::Intersection,
    Stage::Callable,
    Stage::Callable,
];

/// Statement of a shader of a stage. `$` is what it exchanges with others.
fn line(r: &mut Random, stage: Stage) -> String {
    let trace = |r: &mut Random, out: &str| {
        let (flags, miss) = (*r.pick(&FLAGS), r.below(3));
        format!(
            "{out} = uvec4($.wxy, random()); traceRayEXT(scene, {flags}u, 0xff, {}, {}, {miss}, place(), unit(), toward(), 50.0, 1); $ ^= {out};",
            r.below(2),
            r.below(3),
        )
    };
    let hit = matches!(stage, Stage::ClosestHit | Stage::AnyHit | Stage::Intersection);
    match r.below(9) {
        0 if stage.traces() => trace(r, "out_payload"),
        1 if stage.executes_callables() => {
            format!("out_data = $.zyxw; if (random() % 2u == 0u) executeCallableEXT({}, 2); $ += out_data;", r.below(3))
        }
        2 if stage == Stage::Intersection => {
            let kind = r.below(128);
            format!("hit_data = vec2(unit(), unit()); mix_in(reportIntersectionEXT(unit() * 4.0, {kind}u)); mix_in(gl_RayTmaxEXT);")
        }
        3 if stage == Stage::AnyHit && r.one_in(2) => "if (random() % 3u == 0u) ignoreIntersectionEXT;".into(),
        3 if stage == Stage::AnyHit => "if (random() % 4u == 0u) terminateRayEXT;".into(),
        4 if hit => (*r.pick(&[
            "mix_in(uint(gl_PrimitiveID + gl_InstanceID * 3 + gl_InstanceCustomIndexEXT + gl_GeometryIndexEXT));",
            "mix_in(gl_ObjectRayOriginEXT); mix_in(gl_ObjectRayDirectionEXT);",
            "mix_in(gl_ObjectToWorldEXT); mix_in(gl_WorldToObjectEXT);",
        ]))
        .into(),
        5 if matches!(stage, Stage::ClosestHit | Stage::AnyHit) => {
            "mix_in(gl_HitKindEXT); mix_in(gl_HitTEXT); mix_in(hit_data);".into()
        }
        6 if hit || stage == Stage::Miss => {
            "mix_in(gl_WorldRayOriginEXT); mix_in(gl_WorldRayDirectionEXT); mix_in(gl_RayTminEXT); mix_in(gl_IncomingRayFlagsEXT);".into()
        }
        7 => "if (random() % 2u == 0u) $.x += $.w * 3u; else $.yz = $.zy + 1u;".into(),
        _ => format!("$ = $ * {}u + uvec4(sum, seed, 1u, 2u); mix_in($.w);", r.below(9) + 1),
    }
}

/// The shaders of a random pipeline, in GLSL, in the order of [`STAGES`].
pub fn pipeline(seed: u64) -> Vec<String> {
    let shader = |(k, &stage): (usize, &Stage)| {
        let mut r = Random::new(seed).fork(k as u64);
        let mut body = String::new();
        for _ in 0..r.below(8) + 2 {
            body += &line(&mut r, stage);
            body.push('\n');
        }
        let (given, name) = match stage {
            Stage::Miss | Stage::ClosestHit | Stage::AnyHit => {
                ("layout(location = 0) rayPayloadInEXT uvec4 given;", "given")
            }
            Stage::Callable => ("layout(location = 0) callableDataInEXT uvec4 given;", "given"),
            _ => ("uvec4 given = uvec4(0u);", "given"),
        };
        let body = body.replace('$', name);
        let traces =
            if stage.traces() { "layout(location = 1) rayPayloadEXT uvec4 out_payload;" } else { "" };
        let calls = if stage.executes_callables() {
            "layout(location = 2) callableDataEXT uvec4 out_data;"
        } else {
            ""
        };
        let hit = matches!(stage, Stage::ClosestHit | Stage::AnyHit | Stage::Intersection);
        let attribute = if hit { "hitAttributeEXT vec2 hit_data;" } else { "" };
        let start = match stage {
            Stage::RayGeneration => format!("given = uvec4(gl_LaunchIDEXT, {}u);", seed as u32),
            _ => String::new(),
        };
        // Any-hit shaders keep what they changed, also where they end early.
        let end = match stage {
            Stage::RayGeneration => format!(
                "mix_in(given.x); mix_in(given.y); mix_in(given.z); mix_in(given.w);
                results[gl_LaunchIDEXT.x * {WORDS}u] = sum; results[gl_LaunchIDEXT.x * {WORDS}u + 1u] = seed;"
            ),
            Stage::Intersection => String::new(),
            _ => "given.w ^= sum;".into(),
        };
        format!(
            "#version 460
            #extension GL_EXT_ray_tracing : require
            layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
            layout(set = 0, binding = 1) buffer Out {{ uint results[]; }};
            {given} {traces} {calls} {attribute} {COMMON}
            void main() {{ {start}
            seed = given.w ^ (given.x * {salt}u) ^ gl_LaunchIDEXT.x;
            {body} {end} }}",
            salt = 2 * k + 1,
        )
    };
    STAGES.iter().enumerate().map(shader).collect()
}

/// Runs a [`pipeline`] on a device.
///
/// # Errors
/// The errors of the front end and of the device.
pub fn run_pipeline(shaders: &[String], device: &Device) -> Result<Vec<u32>, quadrille::Error> {
    let mut stages = Vec::new();
    for (&stage, source) in STAGES.iter().zip(shaders) {
        let words = compile_glsl(source, stage, &Options::default())?;
        stages.push((stage, ShaderStage::only(&device.create_shader_module(&words)?, stage)?));
    }
    let bindings = [
        DescriptorBinding::new(0, DescriptorKind::AccelerationStructure),
        DescriptorBinding::new(1, DescriptorKind::StorageBuffer),
    ];
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    // Raygen, two miss, a group of triangles, one of boxes, two callable shaders.
    let triangles = ShaderGroup::Triangles { closest_hit: Some(3), any_hit: Some(4) };
    let boxes = ShaderGroup::Procedural { intersection: 5, closest_hit: Some(3), any_hit: Some(4) };
    let general = [0, 1, 2, 6, 7].map(ShaderGroup::General);
    let desc = RayTracingPipelineDesc {
        stages,
        groups: general.into_iter().chain([triangles, boxes]).collect(),
        max_recursion_depth: 3,
        ..RayTracingPipelineDesc::new(&layout)
    };
    let pipeline = device.create_ray_tracing_pipeline(&desc)?;
    let mut bytes = Vec::new();
    let mut table = |groups: &[u32]| -> Result<Region, quadrille::Error> {
        let start = bytes.len() as u64;
        for &group in groups {
            bytes.extend(pipeline.group_handle(group)?);
            bytes.resize(bytes.len() + 32, 0);
        }
        Ok(Region { address: start, stride: 64, size: bytes.len() as u64 - start })
    };
    // Instance k selects record k + 1 and those after it, for triangles or boxes.
    let hit = [5, 5, 5, 6, 6, 6, 5, 6];
    let mut tables = ShaderBindingTables {
        raygen: table(&[0])?,
        miss: table(&[1, 2])?,
        hit: table(&hit)?,
        callable: table(&[3, 4])?,
    };
    let usage = BufferUsage::SHADER_BINDING_TABLE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let memory = device.create_buffer_with(&bytes, usage)?;
    for region in [&mut tables.raygen, &mut tables.miss, &mut tables.hit, &mut tables.callable] {
        region.address += memory.device_address()?;
    }
    let out = device.create_buffer_with(&vec![0u32; (INVOCATIONS * WORDS) as usize], BufferUsage::STORAGE)?;
    let set = device.create_descriptor_set(&set_layout)?;
    let scene = scene().build(device, 1)?;
    set.write(0, 0, Resource::Structure(&scene))?;
    set.write(1, 0, Resource::Buffer { buffer: &out, offset: 0, range: None })?;
    let mut commands = device.create_command_buffer();
    commands.bind_ray_tracing_pipeline(&pipeline);
    commands.bind_descriptor_sets(BindPoint::RayTracing, &layout, 0, &[&set], &[]);
    commands.trace_rays(&tables, [INVOCATIONS, 1, 1]).end()?;
    device.queue().run(&commands)?;
    out.read(0, (INVOCATIONS * WORDS) as usize)
}

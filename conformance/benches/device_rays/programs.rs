//! Shaders that trace rays from a buffer, as a compute shader with ray queries and as a ray tracing pipeline.

use std::ops::Range;

use ash::vk;
use quadrille::frontend::{Options, Stage, compile_glsl};

use super::device::{Buffer, Gpu};
use super::structures::{GEOMETRIES, Structure};

/// Means by which rays are traced.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Query,
    Pipeline,
}

impl Kind {
    pub fn name(self) -> &'static str {
        match self {
            Kind::Query => "query",
            Kind::Pipeline => "pipeline",
        }
    }
}

/// Intersections that rays look for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// The closest one of opaque triangles.
    Closest,
    /// Any one of opaque triangles.
    Any,
    /// The closest one, of triangles with holes that a shader cuts.
    Alpha,
    /// The closest one with a sphere.
    Spheres,
}

/// Declarations of all shaders.
const HEADER: &str = "#version 460
    #extension GL_EXT_ray_query : enable
    #extension GL_EXT_ray_tracing : enable
    layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
    layout(set = 0, binding = 1, std430) readonly buffer Rays { vec4 rays[]; };
    layout(set = 0, binding = 2, std430) writeonly buffer Hits { vec2 hits[]; };
    layout(set = 0, binding = 3, std430) readonly buffer Spheres { vec4 spheres[]; };
    bool solid(vec2 b) { return fract(b.x * 7.0 + b.y * 13.0) < 0.5; }
    float of_sphere(vec4 s, vec3 o, vec3 d, float near) {
        vec3 oc = o - s.xyz;
        float a = dot(d, d), b = dot(oc, d), q = b * b - a * (dot(oc, oc) - s.w * s.w);
        if (q < 0.0) return -1.0;
        float t = (-b - sqrt(q)) / a;
        return t > near ? t : (-b + sqrt(q)) / a;
    }
";

/// A compute shader whose queries look at candidates by `CANDIDATE`.
const QUERY: &str = "
    layout(local_size_x = 64) in;
    void main() {
        uint i = gl_GlobalInvocationID.x;
        if (2 * i >= rays.length()) return;
        vec4 o = rays[2 * i], d = rays[2 * i + 1];
        rayQueryEXT q;
        rayQueryInitializeEXT(q, scene, FLAGS, 0xff, o.xyz, o.w, d.xyz, d.w);
        while (rayQueryProceedEXT(q)) { CANDIDATE }
        vec2 hit = vec2(-1.0, 0.0);
        if (rayQueryGetIntersectionTypeEXT(q, true) != gl_RayQueryCommittedIntersectionNoneEXT) {
            hit = vec2(rayQueryGetIntersectionTEXT(q, true), rayQueryGetIntersectionGeometryIndexEXT(q, true));
        }
        hits[i] = hit;
    }";
const RAYGEN: &str = "
    layout(location = 0) rayPayloadEXT vec2 hit;
    void main() {
        uint i = gl_LaunchIDEXT.x;
        vec4 o = rays[2 * i], d = rays[2 * i + 1];
        hit = vec2(-1.0, 0.0);
        traceRayEXT(scene, FLAGS, 0xff, 0, 1, 0, o.xyz, o.w, d.xyz, d.w, 0);
        hits[i] = hit;
    }";
const MISS: &str = "layout(location = 0) rayPayloadInEXT vec2 hit; void main() { hit.x = -1.0; }";
/// The closest hit of a geometry, whose shader is its own.
const CLOSEST_HIT: &str = "
    layout(constant_id = 0) const float GROUP = 0.0;
    layout(location = 0) rayPayloadInEXT vec2 hit;
    void main() { hit = vec2(gl_HitTEXT, GROUP); }";
const ANY_HIT: &str = "
    hitAttributeEXT vec2 b;
    void main() { if (!solid(b)) ignoreIntersectionEXT; }";
/// `FIRST` is the number of primitives of a geometry.
const INTERSECTION: &str = "
    layout(constant_id = 0) const float GROUP = 0.0;
    void main() {
        vec4 s = spheres[FIRST * gl_GeometryIndexEXT + gl_PrimitiveID];
        float t = of_sphere(s, gl_ObjectRayOriginEXT, gl_ObjectRayDirectionEXT, gl_RayTminEXT);
        if (t > gl_RayTminEXT) reportIntersectionEXT(t, 0u);
    }";
const ALPHA_CANDIDATE: &str =
    "if (solid(rayQueryGetIntersectionBarycentricsEXT(q, false))) rayQueryConfirmIntersectionEXT(q);";
const SPHERE_CANDIDATE: &str = "
    vec4 s = spheres[FIRST * rayQueryGetIntersectionGeometryIndexEXT(q, false)
        + rayQueryGetIntersectionPrimitiveIndexEXT(q, false)];
    float t = of_sphere(s, o.xyz, d.xyz, o.w);
    if (t > o.w && t < rayQueryGetIntersectionTEXT(q, true)) rayQueryGenerateIntersectionEXT(q, t);";

impl What {
    fn flags(self) -> &'static str {
        match self {
            What::Closest => "gl_RayFlagsOpaqueEXT",
            What::Any => "gl_RayFlagsOpaqueEXT | gl_RayFlagsTerminateOnFirstHitEXT",
            What::Alpha | What::Spheres => "gl_RayFlagsNoneEXT",
        }
    }

    fn candidate(self) -> &'static str {
        match self {
            What::Closest | What::Any => "",
            What::Alpha => ALPHA_CANDIDATE,
            What::Spheres => SPHERE_CANDIDATE,
        }
    }
}

/// A pipeline with its layout; a ray tracing pipeline also has a shader binding table.
pub struct Program {
    kind: Kind,
    what: What,
    set: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
}

impl Program {
    /// `None` if the driver cannot trace rays in this way.
    pub fn new(gpu: &Gpu, kind: Kind, what: What) -> Option<Program> {
        match kind {
            Kind::Query if !gpu.queries => return None,
            Kind::Pipeline if gpu.pipelines.is_none() => return None,
            Kind::Query | Kind::Pipeline => {}
        }
        let stages = match kind {
            Kind::Query => vk::ShaderStageFlags::COMPUTE,
            Kind::Pipeline => vk::ShaderStageFlags::RAYGEN_KHR | vk::ShaderStageFlags::INTERSECTION_KHR,
        };
        let bindings: Vec<_> = (0..4)
            .map(|binding| {
                vk::DescriptorSetLayoutBinding::default()
                    .binding(binding)
                    .descriptor_type(descriptor_type(binding))
                    .descriptor_count(1)
                    .stage_flags(stages)
            })
            .collect();
        let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
        // SAFETY: valid usage of Vulkan: the structures and handles are live.
        unsafe {
            let set = gpu.device.create_descriptor_set_layout(&info, None).expect("a layout");
            let sets = [set];
            let info = vk::PipelineLayoutCreateInfo::default().set_layouts(&sets);
            let layout = gpu.device.create_pipeline_layout(&info, None).expect("a layout");
            Some(Program { kind, what, set, layout })
        }
    }

    /// Records a trace of `count` rays from the first buffer, with hits in the second.
    pub fn record(
        &self,
        gpu: &Gpu,
        scene: &Structure,
        buffers: [&Buffer; 2],
        count: u32,
    ) -> vk::CommandBuffer {
        let set = self.descriptors(gpu, scene, buffers);
        let first = scene.spheres.read::<[f32; 4]>().len().div_ceil(GEOMETRIES);
        let bind = |list, point, pipeline| {
            // SAFETY: valid usage of Vulkan: all handles are live until the process ends.
            unsafe {
                gpu.device.cmd_bind_pipeline(list, point, pipeline);
                gpu.device.cmd_bind_descriptor_sets(list, point, self.layout, 0, &[set], &[]);
            }
        };
        match self.kind {
            Kind::Query => {
                let pipeline = self.compute(gpu, first);
                gpu.record(|list| {
                    bind(list, vk::PipelineBindPoint::COMPUTE, pipeline);
                    // SAFETY: the pipeline and its set are bound, and the shader tests the number of rays.
                    unsafe { gpu.device.cmd_dispatch(list, count.div_ceil(64), 1, 1) };
                })
            }
            Kind::Pipeline => {
                let commands = commands(gpu);
                let pipeline = self.ray_tracing(gpu, &self.shaders(gpu, first), 0..GEOMETRIES);
                let [raygen, miss, hit] = tables(gpu, commands, pipeline);
                let none = vk::StridedDeviceAddressRegionKHR::default();
                gpu.record(|list| {
                    bind(list, vk::PipelineBindPoint::RAY_TRACING_KHR, pipeline);
                    // SAFETY: the pipeline and its set are bound, and its shader binding table lives until the process ends.
                    unsafe { commands.cmd_trace_rays(list, &raygen, &miss, &hit, &none, count, 1, 1) };
                })
            }
        }
    }

    fn descriptors(&self, gpu: &Gpu, scene: &Structure, [rays, hits]: [&Buffer; 2]) -> vk::DescriptorSet {
        let size = |ty, n| vk::DescriptorPoolSize::default().ty(ty).descriptor_count(n);
        let sizes = [
            size(vk::DescriptorType::ACCELERATION_STRUCTURE_KHR, 1),
            size(vk::DescriptorType::STORAGE_BUFFER, 3),
        ];
        let info = vk::DescriptorPoolCreateInfo::default().max_sets(1).pool_sizes(&sizes);
        let layouts = [self.set];
        let structures = [scene.handle];
        let mut of_scene =
            vk::WriteDescriptorSetAccelerationStructureKHR::default().acceleration_structures(&structures);
        let whole = |b: &Buffer| [vk::DescriptorBufferInfo::default().buffer(b.buffer).range(vk::WHOLE_SIZE)];
        let buffers = [whole(rays), whole(hits), whole(&scene.spheres)];
        // SAFETY: valid usage of Vulkan: the structures and handles are live.
        unsafe {
            let pool = gpu.device.create_descriptor_pool(&info, None).expect("a pool");
            let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
            let set = gpu.device.allocate_descriptor_sets(&info).expect("a set")[0];
            let write = |binding: u32| {
                vk::WriteDescriptorSet::default()
                    .dst_set(set)
                    .dst_binding(binding)
                    .descriptor_type(descriptor_type(binding))
                    .descriptor_count(1)
            };
            let mut writes = vec![write(0).push_next(&mut of_scene)];
            writes.extend((1..).zip(&buffers).map(|(binding, info)| write(binding).buffer_info(info)));
            gpu.device.update_descriptor_sets(&writes, &[]);
            set
        }
    }

    fn module(&self, gpu: &Gpu, stage: Stage, body: &str, first: usize) -> vk::ShaderModule {
        let text = format!("{HEADER}{body}")
            .replace("CANDIDATE", self.what.candidate())
            .replace("FLAGS", self.what.flags())
            .replace("FIRST", &first.to_string());
        let options = Options { spirv: (1, 4), ..Options::default() };
        let words = compile_glsl(&text, stage, &options).expect("the shader is valid");
        let info = vk::ShaderModuleCreateInfo::default().code(&words);
        // SAFETY: the words are a valid module for the features of the device.
        unsafe { gpu.device.create_shader_module(&info, None) }.expect("a module")
    }

    fn compute(&self, gpu: &Gpu, first: usize) -> vk::Pipeline {
        let module = self.module(gpu, Stage::Compute, QUERY, first);
        let stage = stage(vk::ShaderStageFlags::COMPUTE, module);
        let info = vk::ComputePipelineCreateInfo::default().stage(stage).layout(self.layout);
        // SAFETY: valid usage of Vulkan: the handles are live.
        let made = unsafe { gpu.device.create_compute_pipelines(vk::PipelineCache::null(), &[info], None) };
        made.expect("a pipeline")[0]
    }

    /// Shaders of a ray tracing pipeline. `first` is the number of primitives of a geometry.
    fn shaders(&self, gpu: &Gpu, first: usize) -> Shaders {
        let of = |stage, body| self.module(gpu, stage, body, first);
        Shaders {
            raygen: of(Stage::RayGeneration, RAYGEN),
            miss: of(Stage::Miss, MISS),
            closest_hit: of(Stage::ClosestHit, CLOSEST_HIT),
            any_hit: (self.what == What::Alpha).then(|| of(Stage::AnyHit, ANY_HIT)),
            intersection: (self.what == What::Spheres).then(|| of(Stage::Intersection, INTERSECTION)),
        }
    }

    /// Groups: ray generation, miss, and a hit group for each number, whose closest hit shader is its own.
    fn ray_tracing(&self, gpu: &Gpu, shaders: &Shaders, numbers: Range<usize>) -> vk::Pipeline {
        use vk::ShaderStageFlags as S;
        let entry = [vk::SpecializationMapEntry { constant_id: 0, offset: 0, size: 4 }];
        let values: Vec<[u8; 4]> = numbers.map(|g| (g as f32).to_ne_bytes()).collect();
        let constants: Vec<_> = values
            .iter()
            .map(|value| vk::SpecializationInfo::default().map_entries(&entry).data(value))
            .collect();
        let mut stages = vec![stage(S::RAYGEN_KHR, shaders.raygen), stage(S::MISS_KHR, shaders.miss)];
        let mut also = |of: S, module: Option<vk::ShaderModule>| {
            module.map_or(vk::SHADER_UNUSED_KHR, |module| {
                stages.push(stage(of, module));
                stages.len() as u32 - 1
            })
        };
        let any_hit = also(S::ANY_HIT_KHR, shaders.any_hit);
        let intersection = also(S::INTERSECTION_KHR, shaders.intersection);
        let group = |ty, any_hit, intersection| {
            vk::RayTracingShaderGroupCreateInfoKHR::default()
                .ty(ty)
                .general_shader(vk::SHADER_UNUSED_KHR)
                .closest_hit_shader(vk::SHADER_UNUSED_KHR)
                .any_hit_shader(any_hit)
                .intersection_shader(intersection)
        };
        let unused = vk::SHADER_UNUSED_KHR;
        let general = group(vk::RayTracingShaderGroupTypeKHR::GENERAL, unused, unused);
        let kind = match self.what {
            What::Spheres => vk::RayTracingShaderGroupTypeKHR::PROCEDURAL_HIT_GROUP,
            What::Closest | What::Any | What::Alpha => vk::RayTracingShaderGroupTypeKHR::TRIANGLES_HIT_GROUP,
        };
        let hit_group = group(kind, any_hit, intersection);
        let mut groups = vec![general.general_shader(0), general.general_shader(1)];
        for constants in &constants {
            groups.push(hit_group.closest_hit_shader(stages.len() as u32));
            stages.push(stage(S::CLOSEST_HIT_KHR, shaders.closest_hit).specialization_info(constants));
        }
        let info = vk::RayTracingPipelineCreateInfoKHR::default()
            .stages(&stages)
            .groups(&groups)
            .max_pipeline_ray_recursion_depth(1)
            .layout(self.layout);
        let (none, cache) = (vk::DeferredOperationKHR::null(), vk::PipelineCache::null());
        // SAFETY: valid usage of Vulkan: the structures and handles are live.
        let made = unsafe { commands(gpu).create_ray_tracing_pipelines(none, cache, &[info], None) };
        made.expect("a pipeline")[0]
    }

    /// A function that creates and destroys a pipeline of `count` hit groups, whose shaders are new at each call.
    pub fn creation<'g>(&'g self, gpu: &'g Gpu, count: usize) -> impl FnMut() + 'g {
        let shaders = self.shaders(gpu, 1);
        let mut next = 0;
        move || {
            let pipeline = self.ray_tracing(gpu, &shaders, next..next + count);
            // SAFETY: the pipeline was created above, and no command uses it.
            unsafe { gpu.device.destroy_pipeline(pipeline, None) };
            next += count;
        }
    }
}

/// Shaders of a ray tracing pipeline.
struct Shaders {
    raygen: vk::ShaderModule,
    miss: vk::ShaderModule,
    closest_hit: vk::ShaderModule,
    any_hit: Option<vk::ShaderModule>,
    intersection: Option<vk::ShaderModule>,
}

/// The commands of ray tracing pipelines.
fn commands(gpu: &Gpu) -> &ash::khr::ray_tracing_pipeline::Device {
    gpu.pipelines.as_ref().expect("Program::new tests this")
}

fn descriptor_type(binding: u32) -> vk::DescriptorType {
    match binding {
        0 => vk::DescriptorType::ACCELERATION_STRUCTURE_KHR,
        _ => vk::DescriptorType::STORAGE_BUFFER,
    }
}

fn stage<'a>(of: vk::ShaderStageFlags, module: vk::ShaderModule) -> vk::PipelineShaderStageCreateInfo<'a> {
    vk::PipelineShaderStageCreateInfo::default().stage(of).module(module).name(c"main")
}

/// Shader binding tables of a pipeline: ray generation, miss, hit. Their memory lives until the process ends.
fn tables(
    gpu: &Gpu,
    commands: &ash::khr::ray_tracing_pipeline::Device,
    pipeline: vk::Pipeline,
) -> [vk::StridedDeviceAddressRegionKHR; 3] {
    let sizes = gpu.tables();
    let (handle, groups) = (sizes.shader_group_handle_size as usize, GEOMETRIES + 2);
    let stride = handle.next_multiple_of(sizes.shader_group_handle_alignment as usize);
    let base = sizes.shader_group_base_alignment as usize;
    // SAFETY: the pipeline has this number of groups.
    let handles =
        unsafe { commands.get_ray_tracing_shader_group_handles(pipeline, 0, groups as u32, groups * handle) };
    let handles = handles.expect("handles");
    let apart = stride.next_multiple_of(base);
    let table: &'static Buffer =
        Box::leak(Box::new(gpu.buffer((base + 2 * apart + GEOMETRIES * stride) as u64)));
    let from = table.address.next_multiple_of(base as u64);
    let skipped = (from - table.address) as usize;
    for (group, bytes) in handles.chunks_exact(handle).enumerate() {
        let at = if group < 2 { group * apart } else { 2 * apart + (group - 2) * stride };
        table.write(skipped + at, bytes);
    }
    let region = |at: usize, stride: usize, size: usize| vk::StridedDeviceAddressRegionKHR {
        device_address: from + at as u64,
        stride: stride as u64,
        size: size as u64,
    };
    [region(0, apart, apart), region(apart, stride, stride), region(2 * apart, stride, GEOMETRIES * stride)]
}

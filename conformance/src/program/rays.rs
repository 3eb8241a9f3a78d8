//! Programs of rays: acceleration structures that a file describes, and ray tracing pipelines of the entry points of one
//! module.

use quadrille::rays::{
    AccelerationStructure, AccelerationStructureDesc, BuildRange, GeometryData, Indices, StructureBuild,
    StructureGeometry,
};
use quadrille::{
    BindPoint, Buffer, BufferDesc, BufferUsage, BuildFlags, DescriptorBinding, DescriptorKind, Device,
    DeviceOptions, Format, GeometryFlags, RayTracingPipeline, RayTracingPipelineDesc, Region, Resource,
    ShaderBindingTables, ShaderGroup, ShaderStage,
};
use quadrille_jit::ir::Stage;
use quadrille_jit::spirv;

use super::{At, Effort, Program};
use crate::images::{self, Way};
use crate::table::Counts;

/// Geometry of an instance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shape {
    Triangles,
    Boxes,
}

/// An instance of a bottom level of one geometry. Instance k has the custom index 10 + k and lies 4 k to the right of its
/// geometry.
#[derive(Clone, Debug)]
pub(crate) struct Instance {
    pub shape: Shape,
    pub opaque: bool,
    /// Three positions for each triangle; minimum and maximum of each box.
    pub floats: Vec<f32>,
}

/// An acceleration structure of a program.
#[derive(Clone, Debug)]
pub(crate) struct Scene {
    /// Set and binding.
    pub place: (u32, u32),
    pub instances: Vec<Instance>,
}

/// Usage of buffers with geometry.
const INPUT: BufferUsage =
    BufferUsage(BufferUsage::ACCELERATION_STRUCTURE_BUILD_INPUT.0 | BufferUsage::SHADER_DEVICE_ADDRESS.0);
/// Depth of nested traces in pipelines.
const DEPTH: u32 = 4;
/// Bytes of data in a shader record, after the handle: the words 100, 101, ... of all records, in order.
const RECORD_WORDS: u32 = 8;

fn text(e: quadrille::Error) -> String {
    e.to_string()
}

/// Builds a structure of one geometry.
fn build(
    device: &Device,
    geometry: StructureGeometry,
    count: u32,
) -> Result<AccelerationStructure, quadrille::Error> {
    let size = device.acceleration_structure_sizes(&[(geometry, count)]).structure;
    let usage = BufferUsage::ACCELERATION_STRUCTURE_STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let buffer = device.create_bound_buffer(BufferDesc { size, usage })?;
    let desc = AccelerationStructureDesc { buffer: &buffer, offset: 0, size };
    let dst = device.create_acceleration_structure(&desc)?;
    let range = BuildRange { primitive_count: count, ..BuildRange::default() };
    let geometries = vec![(geometry, range)];
    let build = StructureBuild { flags: BuildFlags::NONE, update: None, dst: dst.clone(), geometries };
    let mut commands = device.create_command_buffer();
    commands.build_acceleration_structures(&[build]).end()?;
    device.queue().run(&commands)?;
    Ok(dst)
}

impl Instance {
    fn bottom(&self, device: &Device) -> Result<AccelerationStructure, quadrille::Error> {
        let buffer = device.create_buffer_with(&self.floats, INPUT)?;
        let at = buffer.device_address()?;
        let (data, each) = match self.shape {
            Shape::Triangles => {
                let data = GeometryData::Triangles {
                    format: Format::R32G32B32_SFLOAT,
                    vertices: at,
                    stride: 12,
                    max_vertex: (self.floats.len() / 3) as u32 - 1,
                    indices: Indices::None,
                    transform: 0,
                };
                (data, 9)
            }
            Shape::Boxes => (GeometryData::Aabbs { data: at, stride: 24 }, 6),
        };
        let flags = if self.opaque { GeometryFlags::OPAQUE } else { GeometryFlags::NONE };
        build(device, StructureGeometry::new(data, flags), (self.floats.len() / each) as u32)
    }
}

impl Scene {
    /// Builds the structure on a device. Instance k has the record offset `offset` (k + 1).
    pub fn build(&self, device: &Device, offset: u32) -> Result<AccelerationStructure, quadrille::Error> {
        let mut words: Vec<u32> = Vec::new();
        let mut bottoms = Vec::new();
        for (k, instance) in (0..).zip(&self.instances) {
            let bottom = instance.bottom(device)?;
            let (one, x) = (1.0f32.to_bits(), (4.0 * k as f32).to_bits());
            words.extend([one, 0, 0, x, 0, one, 0, 0, 0, 0, one, 0, (10 + k) | 0xff << 24, offset * (k + 1)]);
            words.extend([bottom.device_address() as u32, (bottom.device_address() >> 32) as u32]);
            bottoms.push(bottom);
        }
        let buffer = device.create_buffer_with(&words, INPUT)?;
        let data = GeometryData::Instances { data: buffer.device_address()?, pointers: false };
        build(device, StructureGeometry::new(data, GeometryFlags::NONE), bottoms.len() as u32)
    }
}

/// A device as one of [`images::ways`], with this lane group size.
pub(super) fn with_lanes(way: &Way, lanes: u32) -> Result<Device, String> {
    Device::new(DeviceOptions { lanes, ..way.device.options().clone() }).map_err(text)
}

/// Runs a ray tracing pipeline in every variant, and compares the results: the bytes of each expected buffer.
pub(super) fn trace(
    program: &Program,
    words: &[u32],
    size: [u32; 3],
    effort: Effort,
    counts: &mut Counts,
) -> Result<Vec<(String, Vec<Vec<u8>>)>, String> {
    let own;
    let ways = match effort {
        Effort::Full => images::ways_at(&[8, 4, 16, 32], words),
        Effort::Interpreter | Effort::Checked => {
            own = images::interpreter()?;
            vec![(&own, 8)]
        }
    };
    counts.modules += 1;
    let mut results = Vec::new();
    for (way, lanes) in ways {
        let device = with_lanes(way, lanes)?;
        let name = format!("S = {lanes}, {}", way.name);
        let got = traced(program, words, size, &device).map_err(|e| format!("{name}: {e}"))?;
        counts.runs += 1;
        results.push((name, got));
    }
    Ok(results)
}

/// The shader groups of a module's entry points: the general ones, then a hit group of the others if there are any.
fn groups(stages: &[Stage]) -> Vec<ShaderGroup> {
    let is_general = |s: &Stage| matches!(s, Stage::RayGeneration | Stage::Miss | Stage::Callable);
    let general = (0..stages.len()).filter(|&k| is_general(&stages[k])).map(ShaderGroup::General);
    let of = |stage| stages.iter().position(|&s| s == stage);
    let [closest_hit, any_hit] = [Stage::ClosestHit, Stage::AnyHit].map(of);
    let hit = match of(Stage::Intersection) {
        Some(intersection) => Some(ShaderGroup::Procedural { intersection, closest_hit, any_hit }),
        None if closest_hit.or(any_hit).is_some() => Some(ShaderGroup::Triangles { closest_hit, any_hit }),
        None => None,
    };
    general.chain(hit).collect()
}

/// Shader binding tables: a record for each general group in the table of its stage, and one for the hit group.
fn tables(
    device: &Device,
    pipeline: &RayTracingPipeline,
    stages: &[Stage],
    groups: &[ShaderGroup],
) -> Result<(ShaderBindingTables, Buffer), quadrille::Error> {
    let stride = 64u64;
    let mut bytes = Vec::new();
    let mut word = 100u32;
    let mut table = |is: &dyn Fn(&ShaderGroup) -> bool| -> Result<Region, quadrille::Error> {
        let start = bytes.len() as u64;
        for (k, _) in groups.iter().enumerate().filter(|(_, group)| is(group)) {
            bytes.extend(pipeline.group_handle(k as u32)?);
            for _ in 0..RECORD_WORDS {
                bytes.extend(word.to_le_bytes());
                word += 1;
            }
        }
        Ok(Region { address: start, stride, size: bytes.len() as u64 - start })
    };
    let of = |stage: Stage| move |group: &ShaderGroup| matches!(group, ShaderGroup::General(k) if stages[*k] == stage);
    let mut tables = ShaderBindingTables {
        raygen: table(&of(Stage::RayGeneration))?,
        miss: table(&of(Stage::Miss))?,
        hit: table(&|group| !matches!(group, ShaderGroup::General(_)))?,
        callable: table(&of(Stage::Callable))?,
    };
    tables.raygen.size = stride;
    let usage = BufferUsage::SHADER_BINDING_TABLE | BufferUsage::SHADER_DEVICE_ADDRESS;
    let memory = device.create_buffer_with(&bytes, usage)?;
    let base = memory.device_address()?;
    for region in [&mut tables.raygen, &mut tables.miss, &mut tables.hit, &mut tables.callable] {
        region.address = if region.size == 0 { 0 } else { base + region.address };
    }
    Ok((tables, memory))
}

/// Runs a pipeline on a device. Returns the bytes of the buffers that are expected.
fn traced(program: &Program, words: &[u32], size: [u32; 3], device: &Device) -> Result<Vec<Vec<u8>>, String> {
    let module = spirv::Module::parse(words).map_err(text)?;
    let stages: Vec<Stage> = module.entry_points().iter().map(|e| e.stage).collect();
    let names: Vec<String> = module.entry_points().iter().map(|e| e.name.clone()).collect();
    let run = || -> Result<Vec<Buffer>, quadrille::Error> {
        let module = device.create_shader_module(words)?;
        let mut bindings: Vec<DescriptorBinding> = program
            .buffers
            .iter()
            .map(|b| DescriptorBinding::new(b.binding, DescriptorKind::StorageBuffer))
            .collect();
        let structure = |s: &Scene| DescriptorBinding::new(s.place.1, DescriptorKind::AccelerationStructure);
        bindings.extend(program.scenes.iter().map(structure));
        let set_layout = device.create_descriptor_set_layout(&bindings)?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
        let stage = |(name, &stage): (&String, &Stage)| (stage, ShaderStage::new(&module, name));
        let groups = groups(&stages);
        let desc = RayTracingPipelineDesc {
            stages: names.iter().zip(&stages).map(stage).collect(),
            groups: groups.clone(),
            max_recursion_depth: DEPTH,
            ..RayTracingPipelineDesc::new(&layout)
        };
        let pipeline = device.create_ray_tracing_pipeline(&desc)?;
        let (tables, _memory) = tables(device, &pipeline, &stages, &groups)?;
        let set = device.create_descriptor_set(&set_layout)?;
        let usage = BufferUsage::STORAGE;
        let buffers: Vec<Buffer> = program
            .buffers
            .iter()
            .map(|b| device.create_buffer_with(&b.bytes, usage))
            .collect::<Result<_, _>>()?;
        for (b, buffer) in program.buffers.iter().zip(&buffers) {
            set.write(b.binding, 0, Resource::Buffer { buffer, offset: 0, range: None })?;
        }
        for scene in &program.scenes {
            set.write(scene.place.1, 0, Resource::Structure(&scene.build(device, 0)?))?;
        }
        let mut commands = device.create_command_buffer();
        commands.bind_ray_tracing_pipeline(&pipeline);
        commands.bind_descriptor_sets(BindPoint::RayTracing, &layout, 0, &[&set], &[]);
        commands.trace_rays(&tables, size).end()?;
        device.queue().run(&commands)?;
        Ok(buffers)
    };
    let buffers = run().map_err(text)?;
    let bytes = |e: &super::Expect| match e.at {
        At::Buffer(set, binding, 0, _) => {
            let is = |b: &crate::lanes::Buffer| (b.set, b.binding) == (set, binding);
            let at = program.buffers.iter().position(is);
            let at = at.ok_or_else(|| format!("nothing is bound to {set}.{binding}"))?;
            buffers[at].read(0, program.buffers[at].bytes.len()).map_err(text)
        }
        _ => Err(format!("line {}: pipelines of rays have buffers only", e.line)),
    };
    program.expects.iter().map(bytes).collect()
}

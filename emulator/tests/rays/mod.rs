//! Programs of ray tracing pipelines for tests: shaders, groups, shader binding tables and a scene.

mod hostile;
mod structures;

use quadrille::frontend::{Options, compile_glsl};
use quadrille::rays::{AccelerationStructure, BuildRange, GeometryData, Indices};
use quadrille::*;

pub use structures::{INPUT, build};

/// Devices whose results must be equal: interpreted and compiled, with one and several threads, in both tiers with vectors
/// of each width of the host, and with lane groups of each size; with proofs that are checked.
pub fn devices() -> Vec<Device> {
    let new = |options| Device::new(options).unwrap();
    let mut list = vec![new(DeviceOptions { interp: true, ..DeviceOptions::default() })];
    for threads in [1, 4] {
        list.push(new(DeviceOptions { threads, ..DeviceOptions::default() }));
    }
    for lanes in [4, 16, 32] {
        list.push(new(DeviceOptions { lanes, ..DeviceOptions::default() }));
    }
    list.push(new(DeviceOptions { check_proofs: true, ..DeviceOptions::default() }));
    list.push(new(DeviceOptions { check_proofs: true, interp: true, ..DeviceOptions::default() }));
    let mut levels = vec![CpuLevel::V2, CpuLevel::current()];
    levels.dedup();
    for cpu in levels {
        list.push(new(DeviceOptions { cpu, opt: Opt::Speed, ..DeviceOptions::default() }));
    }
    list
}

/// A bottom level of one geometry for each list of triangles.
pub fn triangles(device: &Device, lists: &[Vec<[[f32; 3]; 3]>], opaque: bool) -> AccelerationStructure {
    let buffers: Vec<_> = lists.iter().map(|list| device.create_buffer_with(list, INPUT).unwrap()).collect();
    let geometries: Vec<_> = lists
        .iter()
        .zip(&buffers)
        .map(|(list, buffer)| {
            let data = GeometryData::Triangles {
                format: Format::R32G32B32_SFLOAT,
                vertices: buffer.device_address().unwrap(),
                stride: 12,
                max_vertex: 3 * list.len() as u32 - 1,
                indices: Indices::None,
                transform: 0,
            };
            (data, BuildRange { primitive_count: list.len() as u32, ..BuildRange::default() })
        })
        .collect();
    build(device, &geometries, if opaque { GeometryFlags::OPAQUE } else { GeometryFlags(0) })
}

/// A bottom level of boxes.
pub fn boxes(device: &Device, list: &[[f32; 6]], opaque: bool) -> AccelerationStructure {
    let buffer = device.create_buffer_with(list, INPUT).unwrap();
    let data = GeometryData::Aabbs { data: buffer.device_address().unwrap(), stride: 24 };
    let range = BuildRange { primitive_count: list.len() as u32, ..BuildRange::default() };
    build(device, &[(data, range)], if opaque { GeometryFlags::OPAQUE } else { GeometryFlags(0) })
}

/// An instance of a bottom level.
pub struct Placed {
    pub of: AccelerationStructure,
    /// Scale and translation.
    pub scale: f32,
    pub at: [f32; 3],
    pub custom_index: u32,
    pub record_offset: u32,
}

impl Placed {
    pub fn new(of: AccelerationStructure) -> Placed {
        Placed { of, scale: 1.0, at: [0.0; 3], custom_index: 0, record_offset: 0 }
    }
}

/// A top level.
pub fn scene(device: &Device, list: &[Placed]) -> AccelerationStructure {
    let instances: Vec<[u32; 16]> = list
        .iter()
        .map(|p| {
            let mut words = [0; 16];
            for row in 0..3 {
                words[row * 4 + row] = p.scale.to_bits();
                words[row * 4 + 3] = p.at[row].to_bits();
            }
            let of = p.of.device_address();
            words[12..].copy_from_slice(&[
                p.custom_index | 0xff << 24,
                p.record_offset,
                of as u32,
                (of >> 32) as u32,
            ]);
            words
        })
        .collect();
    // Buffers are not empty.
    let held = if instances.is_empty() { &[[0; 16]] } else { &instances[..] };
    let buffer = device.create_buffer_with(held, INPUT).unwrap();
    let data = GeometryData::Instances { data: buffer.device_address().unwrap(), pointers: false };
    let range = BuildRange { primitive_count: list.len() as u32, ..BuildRange::default() };
    build(device, &[(data, range)], GeometryFlags(0))
}

/// A record: a shader group, or `None` for null, and the data behind the handle.
pub type Record = (Option<u32>, Vec<u32>);

/// A program with its shader binding tables.
pub struct Program<'a> {
    pub shaders: &'a [(Stage, &'a str)],
    /// Subgroup size of a stage, if it is not the device's.
    pub lanes: Option<(Stage, u32)>,
    pub groups: &'a [ShaderGroup],
    pub depth: u32,
    pub raygen: Record,
    pub miss: Vec<Record>,
    pub hit: Vec<Record>,
    pub callable: Vec<Record>,
    /// Push constants.
    pub push: Vec<u32>,
    pub size: [u32; 3],
    /// Size of the storage buffer at set 0, binding 1, in words.
    pub words: usize,
}

/// Declarations in front of each shader.
const HEADER: &str = "
    #version 460
    #extension GL_EXT_ray_tracing : require
    #extension GL_EXT_ray_tracing_position_fetch : enable
    #extension GL_EXT_ray_cull_mask : enable
    #extension GL_EXT_ray_query : enable
    #extension GL_EXT_shader_invocation_reorder : enable
    #extension GL_EXT_shader_explicit_arithmetic_types : enable
    #extension GL_EXT_buffer_reference : enable
    #extension GL_EXT_buffer_reference_uvec2 : enable
    layout(set = 0, binding = 0) uniform accelerationStructureEXT scene;
    layout(set = 0, binding = 1) buffer Out { uint results[]; };
    void put(uint at, float x) { results[at] = floatBitsToUint(x); }
    #line 1
    ";

impl Default for Program<'_> {
    fn default() -> Self {
        Program {
            shaders: &[],
            lanes: None,
            groups: &[],
            depth: 1,
            raygen: (Some(0), Vec::new()),
            miss: Vec::new(),
            hit: Vec::new(),
            callable: Vec::new(),
            push: Vec::new(),
            size: [1; 3],
            words: 64,
        }
    }
}

/// A program on a device, ready to be traced.
pub struct Ready {
    pub device: Device,
    pub pipeline: RayTracingPipeline,
    pub tables: ShaderBindingTables,
    /// The shader binding tables.
    pub memory: Buffer,
    pub layout: PipelineLayout,
    pub set: DescriptorSet,
    pub out: Buffer,
}

impl Program<'_> {
    /// The stages of the pipeline.
    pub fn stages(&self, device: &Device) -> Vec<(Stage, ShaderStage)> {
        let stage = |&(stage, source): &(Stage, &str)| {
            let words = compile_glsl(&format!("{HEADER}{source}"), stage, &Options::named("test.glsl"));
            let module = device.create_shader_module(&words.unwrap_or_else(|e| panic!("{e}"))).unwrap();
            let lanes = self.lanes.filter(|(of, _)| *of == stage).map(|(_, lanes)| lanes);
            (stage, ShaderStage { lanes, ..ShaderStage::only(&module, stage).unwrap() })
        };
        self.shaders.iter().map(stage).collect()
    }

    /// Layout of set 0: the scene and the results.
    pub fn layout(device: &Device) -> PipelineLayout {
        let bindings = [
            DescriptorBinding::new(0, DescriptorKind::AccelerationStructure),
            DescriptorBinding::new(1, DescriptorKind::StorageBuffer),
        ];
        let set = device.create_descriptor_set_layout(&bindings).unwrap();
        device.create_pipeline_layout(&[set], 128).unwrap()
    }

    /// Creates the pipeline and its tables.
    pub fn ready(&self, device: &Device, scene: &AccelerationStructure) -> Ready {
        let layout = Program::layout(device);
        let desc = RayTracingPipelineDesc {
            stages: self.stages(device),
            groups: self.groups.to_vec(),
            max_recursion_depth: self.depth,
            ..RayTracingPipelineDesc::new(&layout)
        };
        self.ready_with(device, scene, device.create_ray_tracing_pipeline(&desc).unwrap())
    }

    /// Creates the tables of a pipeline.
    pub fn ready_with(
        &self,
        device: &Device,
        scene: &AccelerationStructure,
        pipeline: RayTracingPipeline,
    ) -> Ready {
        let layout = pipeline.layout().clone();
        let mut bytes: Vec<u8> = Vec::new();
        let mut table = |records: &[Record]| {
            let data = records.iter().map(|r| r.1.len()).max().unwrap_or(0);
            let stride = (32 + 4 * data).next_multiple_of(32);
            bytes.resize(bytes.len().next_multiple_of(64), 0);
            let start = bytes.len();
            for (k, (group, data)) in records.iter().enumerate() {
                bytes.extend(group.map_or([0; 32], |group| pipeline.group_handle(group).unwrap()));
                bytes.extend(data.iter().flat_map(|word| word.to_le_bytes()));
                bytes.resize(start + (k + 1) * stride, 0);
            }
            Region { address: start as u64, stride: stride as u64, size: (stride * records.len()) as u64 }
        };
        let mut tables = ShaderBindingTables {
            raygen: table(std::slice::from_ref(&self.raygen)),
            miss: table(&self.miss),
            hit: table(&self.hit),
            callable: table(&self.callable),
        };
        bytes.resize(bytes.len().next_multiple_of(16), 0);
        let usage = BufferUsage::SHADER_BINDING_TABLE | BufferUsage::SHADER_DEVICE_ADDRESS;
        let memory = device.create_buffer_with(&bytes, usage).unwrap();
        let base = memory.device_address().unwrap();
        for region in [&mut tables.raygen, &mut tables.miss, &mut tables.hit, &mut tables.callable] {
            region.address += base;
        }
        let out = device
            .create_buffer_with(
                &vec![0u32; self.words],
                BufferUsage::STORAGE | BufferUsage::SHADER_DEVICE_ADDRESS,
            )
            .unwrap();
        let set = device.create_descriptor_set(&layout.sets()[0]).unwrap();
        set.write(0, 0, Resource::Structure(scene)).unwrap();
        set.write(1, 0, Resource::Buffer { buffer: &out, offset: 0, range: None }).unwrap();
        Ready { device: device.clone(), pipeline, tables, memory, layout, set, out }
    }

    /// Traces the rays of the program, and returns the words of the storage buffer.
    pub fn run(&self, device: &Device, scene: &AccelerationStructure) -> Vec<u32> {
        let ready = self.ready(device, scene);
        ready.run(&self.push, |commands| {
            commands.trace_rays(&ready.tables, self.size);
        });
        ready.results(self.words)
    }

    /// Results on all devices, which must be equal.
    pub fn everywhere(&self, scene: impl Fn(&Device) -> AccelerationStructure) -> Vec<u32> {
        let mut results = devices().into_iter().map(|device| self.run(&device, &scene(&device)));
        let first = results.next().unwrap();
        for (k, other) in results.enumerate() {
            assert_eq!(first, other, "device {} against the interpreter", k + 1);
        }
        first
    }
}

impl Ready {
    /// Runs commands with the pipeline bound.
    pub fn run(&self, push: &[u32], record: impl FnOnce(&mut CommandBuffer)) {
        self.try_run(push, record).unwrap();
    }

    /// As [`Ready::run`], with the error of the submission.
    pub fn try_run(&self, push: &[u32], record: impl FnOnce(&mut CommandBuffer)) -> Result<()> {
        let mut commands = self.device.create_command_buffer();
        commands.bind_ray_tracing_pipeline(&self.pipeline);
        commands.bind_descriptor_sets(BindPoint::RayTracing, &self.layout, 0, &[&self.set], &[]);
        if !push.is_empty() {
            commands.push_constants(0, push);
        }
        record(&mut commands);
        commands.end()?;
        self.device.queue().run(&commands)
    }

    /// The first words of the storage buffer.
    pub fn results(&self, words: usize) -> Vec<u32> {
        self.out.read(0, words).unwrap()
    }
}

/// Words as floats.
pub fn floats(words: &[u32]) -> Vec<f32> {
    words.iter().map(|&word| f32::from_bits(word)).collect()
}

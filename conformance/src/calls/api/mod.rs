//! Random programs against the safe Rust API.
//!
//! * [`objects`]: creates, binds and fills objects.
//! * [`record`]: records commands, with their effects on the model. `scope`: rendering; `passes`: render passes.
//! * [`queue`]: submits, waits, drops and compares; also passes objects of another device.
//! * [`rays`]: acceleration structures, and rays in them. `tracing`: ray tracing pipelines.
//! * [`kinds`]: the table of the kinds of objects that programs create.
//! * [`scarce`]: the same programs on a host where a request for memory fails.
//!
//! A find is a crash, a hang, an `Internal` error, a lost device, bytes that differ from the model, an accepted object
//! of another device, or two devices with different results.

mod images;
pub mod kinds;
mod objects;
mod passes;
mod pipelines;
mod queue;
mod rays;
mod record;
pub mod scarce;
mod scope;
mod sets;
mod tracing;

use std::hash::{DefaultHasher, Hash, Hasher};
use std::time::Duration;

use quadrille::*;
use quadrille_jit::reserve;

use super::Tally;
use super::kernels::KERNELS;
use super::model::{Bytes, Effect, Range};
use super::shaders::Later;
use super::structures::Structures;
use crate::random::Random;

/// Maximum number of objects of a kind.
const MOST: usize = 24;

/// Parameters of a random program.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// Number of steps of the program.
    pub steps: usize,
    /// Number of programs that share a device, each on its own thread.
    pub threads: usize,
    /// `true` allows races and more invalid calls; results are not compared.
    pub wild: bool,
    /// `true` if a request for memory fails: calls may return `OutOfMemory`, and submissions may lose the device for it.
    pub scarce: bool,
}

impl Plan {
    /// Returns the plan that long runs use for a seed: every fourth is wild, every third has several threads.
    pub fn of_seed(seed: u64) -> Plan {
        Plan {
            steps: 40 + seed as usize % 5 * 20,
            threads: if seed % 3 == 1 { 3 } else { 1 },
            wild: seed % 4 == 3,
            scarce: false,
        }
    }
}

/// A buffer and the range of memory that it is bound to.
#[derive(Clone)]
struct Buf {
    buffer: Buffer,
    range: Range,
}

/// An image view and its image.
#[derive(Clone)]
struct Seen {
    view: ImageView,
    image: Image,
}

/// A buffer view and its range.
#[derive(Clone)]
struct TexelView {
    view: BufferView,
    range: Range,
}

/// A descriptor set and the resources of its bindings; see [`super::kernels`].
#[derive(Clone)]
struct Set {
    set: DescriptorSet,
    /// Index of the layout.
    layout: usize,
    buffers: [Option<Range>; 3],
    /// Ends of the buffers bound to the storage bindings; dynamic offsets stay below them.
    ends: [usize; 3],
    uniform: Option<Range>,
    /// Contents of the inline uniform block, in layouts with such a block instead of a uniform buffer.
    inline: Vec<u8>,
    texels: Option<Range>,
    storage: Option<Image>,
    sampled: Option<Image>,
    /// `true` if recorded commands use the set.
    recorded: bool,
}

/// Attachments of one rendering scope.
#[derive(Clone)]
struct Target {
    colors: Vec<Seen>,
    resolve: Option<Seen>,
    depth: Option<Seen>,
    /// Fragment density map.
    density: Option<Seen>,
    /// A render pass with such attachments, and its framebuffer.
    pass: Option<(RenderPass, Framebuffer)>,
    size: [u32; 2],
    samples: u32,
}

/// Properties that a pipeline and its target must share: colour formats, depth format, sample count.
type TargetKey = (Vec<Format>, Option<Format>, u32);

/// A graphics pipeline, the target that it fits, and its effects besides drawing.
#[derive(Clone)]
struct Pipeline {
    pipeline: GraphicsPipeline,
    formats: TargetKey,
    layout: usize,
    attributes: bool,
    samples_image: bool,
    stores: bool,
    later: Later,
    dynamic: DynamicStates,
}

/// A shader object of a kernel, for sets of a layout; both by index.
struct Object {
    object: ShaderObject,
    kernel: usize,
    layout: usize,
}

/// A recorded command buffer.
struct Recorded {
    commands: CommandBuffer,
    effects: Vec<Effect>,
    /// Buffers that the commands access by address; recording does not keep them alive.
    reaches: Vec<Buffer>,
    /// Numbers of the acceleration structures that the commands name, also by address.
    levels: Vec<usize>,
    /// Formats of the scope that must execute a secondary command buffer.
    inside: Option<TargetKey>,
}

/// Objects of another device.
struct Foreign {
    device: Device,
    buffer: Buffer,
    view: ImageView,
    sampler: Sampler,
    set_layout: DescriptorSetLayout,
    layout: PipelineLayout,
    set: DescriptorSet,
    commands: CommandBuffer,
    semaphore: Semaphore,
    memory: Memory,
}

/// A set layout and the pipelines that use it.
#[derive(Clone)]
struct Layout {
    set: DescriptorSetLayout,
    layout: PipelineLayout,
    /// Number of dynamic offsets of a set.
    dynamic: usize,
    kernels: Vec<ComputePipeline>,
}

/// State that all programs of a device share.
struct Shared {
    device: Device,
    layouts: Vec<Layout>,
    /// Traces rays with queries.
    query: ComputePipeline,
    foreign: Foreign,
}

/// A running program.
struct World<'s> {
    shared: &'s Shared,
    r: Random,
    wild: bool,
    /// `true` if programs on other threads use the device.
    shares: bool,
    /// `true` if the next call must be wrong in some way.
    spoil: bool,
    tally: Tally,
    failure: Option<String>,
    /// `true` after the device was lost for a reason that the program allows, after which it stops: a draw of a wild
    /// program exceeded the budget, or memory is scarce and missed a submission.
    lost: bool,
    /// `true` if a request for memory fails.
    scarce: bool,
    /// `true` if a call returned `OutOfMemory` in such a program.
    reported: bool,
    memories: Vec<Option<Memory>>,
    model: Vec<Bytes>,
    buffers: Vec<Buf>,
    /// Buffers that submissions may reach by address.
    reached: Vec<Buffer>,
    images: Vec<Image>,
    views: Vec<Seen>,
    texel_views: Vec<TexelView>,
    samplers: Vec<Sampler>,
    sets: Vec<Set>,
    targets: Vec<Target>,
    pipelines: Vec<Pipeline>,
    objects: Vec<Object>,
    queries: Vec<QueryPool>,
    /// Acceleration structures.
    levels: Vec<rays::Level>,
    structures: Structures,
    tracers: Vec<tracing::Tracer>,
    recorded: Vec<Recorded>,
    events: Vec<Event>,
    binary: Vec<(Semaphore, bool)>,
    timeline: Option<(Semaphore, u64)>,
    fences: Vec<Fence>,
    /// `true` if a submission may not have completed.
    busy: bool,
}

const ALL_BUFFER_USAGES: BufferUsage = BufferUsage(0x2_19ff);

/// Returns the bindings of a set layout; see [`super::kernels`].
fn bindings(dynamic: bool) -> Vec<DescriptorBinding> {
    let storage = if dynamic { DescriptorKind::StorageBufferDynamic } else { DescriptorKind::StorageBuffer };
    let uniform = if dynamic { DescriptorKind::InlineUniformBlock } else { DescriptorKind::UniformBuffer };
    let kinds = [
        storage,
        storage,
        storage,
        uniform,
        DescriptorKind::UniformTexelBuffer,
        DescriptorKind::StorageImage,
        DescriptorKind::CombinedImageSampler,
    ];
    let mut bindings: Vec<_> = (0..).zip(kinds).map(|(i, kind)| DescriptorBinding::new(i, kind)).collect();
    if dynamic {
        bindings[3].count = 64;
    }
    bindings
}

impl Shared {
    fn new(options: &DeviceOptions) -> Result<Shared> {
        let device = Device::new(options.clone())?;
        let mut layouts = Vec::new();
        for dynamic in [false, true] {
            let bindings = bindings(dynamic);
            let set = device.create_descriptor_set_layout(&bindings)?;
            let layout = device.create_pipeline_layout(std::slice::from_ref(&set), 16)?;
            let kernel = |k: super::kernels::Kernel| {
                let stage = ShaderStage::new(&device.create_shader_module(k.words())?, "main");
                device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })
            };
            let kernels = KERNELS.into_iter().map(kernel).collect::<Result<_>>()?;
            layouts.push(Layout { set, layout, dynamic: if dynamic { 3 } else { 0 }, kernels });
        }
        let query = rays::query(&device)?;
        Ok(Shared { device, layouts, query, foreign: Foreign::new()? })
    }
}

impl Foreign {
    fn new() -> Result<Foreign> {
        let device =
            Device::new(DeviceOptions { threads: 1, heap_bytes: 1 << 20, ..DeviceOptions::default() })?;
        let usage = ImageUsage(0x9f);
        let image = device.create_bound_image(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 8, 8, usage))?;
        let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
        let set_layout = device.create_descriptor_set_layout(&[binding])?;
        let mut commands = device.create_command_buffer();
        commands.end()?;
        Ok(Foreign {
            buffer: device.create_bound_buffer(BufferDesc { size: 256, usage: ALL_BUFFER_USAGES })?,
            view: device.create_image_view(&image, ImageViewDesc::new_2d(Format::R8G8B8A8_UNORM))?,
            sampler: device.create_sampler(SamplerDesc::default())?,
            layout: device.create_pipeline_layout(std::slice::from_ref(&set_layout), 16)?,
            set: device.create_descriptor_set(&set_layout)?,
            set_layout,
            commands,
            semaphore: device.create_semaphore(),
            memory: device.allocate(4096)?,
            device,
        })
    }
}

impl<'s> World<'s> {
    fn new(shared: &'s Shared, r: Random, plan: Plan) -> World<'s> {
        World {
            shared,
            r,
            wild: plan.wild,
            shares: plan.threads > 1,
            spoil: false,
            tally: Tally { programs: 1, ..Tally::default() },
            failure: None,
            lost: false,
            scarce: plan.scarce,
            reported: false,
            memories: Vec::new(),
            model: Vec::new(),
            buffers: Vec::new(),
            reached: Vec::new(),
            images: Vec::new(),
            views: Vec::new(),
            texel_views: Vec::new(),
            samplers: Vec::new(),
            sets: Vec::new(),
            targets: Vec::new(),
            pipelines: Vec::new(),
            objects: Vec::new(),
            queries: Vec::new(),
            levels: Vec::new(),
            structures: Structures::default(),
            tracers: Vec::new(),
            recorded: Vec::new(),
            events: Vec::new(),
            binary: Vec::new(),
            timeline: None,
            fences: Vec::new(),
            busy: false,
        }
    }

    fn device(&self) -> &'s Device {
        &self.shared.device
    }

    fn fail(&mut self, text: String) {
        self.failure.get_or_insert(text);
    }

    /// Counts a call and returns its value. An internal error or a lost device is a find.
    fn judge<T>(&mut self, kind: &'static str, result: Result<T>) -> Option<T> {
        self.tally.count(kind, result.is_ok(), 1);
        match result {
            Ok(value) => Some(value),
            Err(e) => {
                match &e {
                    _ if self.scarce && reserve::is_simulated(&e) => {
                        self.reported = true;
                        // A submission that found no memory loses the device, with this error.
                        self.lost |= self.device().check_lost().is_err();
                    }
                    // In a wild program, indirect draws may read arbitrary counts.
                    Error::DeviceLost(text) if self.wild && text.contains("QUADRILLE_BUDGET") => {
                        self.lost = true
                    }
                    Error::Internal(_) | Error::DeviceLost(_) => self.fail(format!("{kind}: {e}")),
                    _ => {}
                }
                None
            }
        }
    }

    /// Returns a number, or a wrong one in place of it if the call must be wrong.
    fn num(&mut self, good: u64) -> u64 {
        if self.spoil { spoiled(&mut self.r, good) } else { good }
    }

    fn num32(&mut self, good: u32) -> u32 {
        self.num(good.into()) as u32
    }

    /// Runs the steps of a program, compares everything, and returns a digest of all contents.
    fn run(&mut self, steps: usize) -> u64 {
        for _ in 0..4 {
            self.make_buffer();
        }
        self.make_image();
        self.make_target();
        self.make_sampler();
        self.make_set();
        self.make_levels();
        if self.r.one_in(2) {
            self.make_tracer();
            self.make_object();
            self.make_pass();
        }
        for _ in 0..steps {
            if self.failure.is_some() || self.lost || self.r.is_used_up() {
                break;
            }
            self.spoil = self.r.one_in(if self.wild { 6 } else { 14 });
            self.step();
        }
        self.spoil = false;
        self.finish()
    }

    fn step(&mut self) {
        match self.r.below(72) {
            0..4 => self.make_buffer(),
            4..6 => self.make_image(),
            6..9 => self.make_view(),
            9..11 => self.make_texel_view(),
            11 => self.make_sampler(),
            12..16 => self.make_set(),
            16..20 => self.write_set(),
            20..22 => self.make_target(),
            22..25 => self.make_pipeline(),
            25 => self.make_queries(),
            26..30 => self.write_buffer(),
            30..33 => self.read_buffer(),
            33..36 => self.host_image(),
            36..49 => self.record_some(),
            49..57 => self.submit(),
            57..59 => self.wait(),
            59..61 => self.forget(),
            61 => self.foreign(),
            62 => self.make_module(),
            63..65 => self.make_levels(),
            65..69 => self.churn(),
            69 => self.make_tracer(),
            70 => self.make_object(),
            71 => self.make_pass(),
            _ => self.limits(),
        }
    }
}

/// Returns a number near the good one, or near the limits of the integer types.
fn spoiled(r: &mut Random, good: u64) -> u64 {
    match r.below(24) {
        0 => 0,
        1 => good.wrapping_add(1),
        2 => good.wrapping_mul(2),
        3 => 0x7fff_ffff,
        4 => 0xffff_ffff,
        5 => 1 << 32,
        6 => u64::MAX,
        7 => u64::MAX - 3,
        8 => good.wrapping_sub(1),
        _ => good,
    }
}

/// Time limit for a submission of a wild program.
const WILD_BUDGET: Duration = Duration::from_secs(5);

/// Returns the options of two devices whose results must agree.
fn options(seed: u64) -> [DeviceOptions; 2] {
    let base = DeviceOptions {
        heap_bytes: 256 << 20,
        budget: Duration::from_secs(60),
        order: Order::Strict,
        ..DeviceOptions::default()
    };
    let lanes = [8, 4, 16, 32][seed as usize % 4];
    let first = DeviceOptions { threads: 1, opt: Opt::None, interp: seed % 16 == 5, lanes, ..base.clone() };
    let opt = if seed.is_multiple_of(2) { Opt::Auto } else { Opt::Speed };
    [first, DeviceOptions { threads: 3, opt, interp: false, lanes, ..base }]
}

/// Results of a program.
#[derive(Debug)]
struct Ended {
    /// Digest of all contents.
    digest: u64,
    /// `true` if a call reported the request for memory that a test made fail.
    reported: bool,
}

/// Runs a program on one device.
fn run_on(options: &DeviceOptions, r: &Random, plan: Plan, tally: &mut Tally) -> Result<Ended, String> {
    let shared = Shared::new(options).map_err(|e| format!("device: {e}"))?;
    run_in(&shared, r, plan, tally)
}

/// Runs a program on each thread of the plan.
fn run_in(shared: &Shared, r: &Random, plan: Plan, tally: &mut Tally) -> Result<Ended, String> {
    let one = |mut r: Random, of: u64| {
        if of > 0 {
            r = r.fork(of);
        }
        let mut world = World::new(shared, r, plan);
        match reserve::guard("a call panicked", || Ok(world.run(plan.steps))) {
            Ok(digest) => (digest, std::mem::take(&mut world.tally), world.failure.take(), world.reported),
            Err(e) => (0, Tally::default(), Some(format!("a panic: {e}")), false),
        }
    };
    let results: Vec<_> = if plan.threads == 1 {
        vec![one(r.clone(), 0)]
    } else {
        std::thread::scope(|s| {
            let one = &one;
            let all: Vec<_> =
                (1..=plan.threads as u64).map(|of| s.spawn(move || one(r.clone(), of))).collect();
            let lost = |_| (0, Tally::default(), Some("a thread panicked".into()), false);
            all.into_iter().map(|t| t.join().unwrap_or_else(lost)).collect()
        })
    };
    let (mut hash, mut reported) = (DefaultHasher::new(), false);
    for (digest, of, failure, told) in results {
        tally.add(&of);
        digest.hash(&mut hash);
        reported |= told;
        if let Some(failure) = failure {
            return Err(failure);
        }
    }
    Ok(Ended { digest: hash.finish(), reported })
}

/// Runs a program: a wild one on one device, others on two devices, whose results must be the same.
///
/// # Errors
/// Description of a find.
pub fn check(r: &Random, seed: u64, plan: Plan, tally: &mut Tally) -> Result<(), String> {
    let [first, second] = options(seed);
    if plan.wild {
        let second = DeviceOptions { budget: WILD_BUDGET, ..second };
        return run_on(&second, r, plan, tally).map(|_| ());
    }
    let (mut a, mut b) = (Tally::default(), Tally::default());
    let one = run_on(&first, r, plan, &mut a);
    let two = run_on(&second, r, plan, &mut b);
    tally.add(&a);
    tally.add(&b);
    if one?.digest != two?.digest {
        return Err(format!("results differ between {first:?} and {second:?}"));
    }
    if a.calls != b.calls {
        return Err(format!("devices accept different calls:\n{}\n{}", a.table(), b.table()));
    }
    Ok(())
}

/// Runs the program of a seed.
///
/// # Errors
/// Description of a find.
pub fn check_seed(seed: u64, tally: &mut Tally) -> Result<(), String> {
    check(&Random::new(seed ^ 0x6170_6900), seed, Plan::of_seed(seed), tally)
}

/// Runs the program that a fuzzer's bytes select.
///
/// # Errors
/// Description of a find.
pub fn check_bytes(bytes: &[u8], tally: &mut Tally) -> Result<(), String> {
    let Some((&first, rest)) = bytes.split_first().filter(|(_, rest)| !rest.is_empty()) else {
        return Ok(());
    };
    let plan = Plan { steps: 200, threads: 1, wild: first & 1 == 1, scarce: false };
    check(&Random::from_bytes(rest), u64::from(first >> 1), plan, tally)
}

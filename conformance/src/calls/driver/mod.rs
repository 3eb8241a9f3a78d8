//! Random programs against the Vulkan driver, of valid usage only.
//!
//! * [`client`]: instance, device, extensions. `layouts`: set layouts, kernels and shaders of all programs.
//! * `objects`: memory and resources, of `formats`. `sets`: descriptors. `pipelines`: for drawing.
//! * `record`: command buffers with their effects on the model. `copies`: transfers. `scope`: rendering.
//! * `queue`: submissions, waits, comparisons, and the end of objects at every legal moment.
//!
//! Valid usage is kept by what the generator knows: who uses an object, when that was submitted last, and what
//! it waited for. Between two commands that touch memory there is a full barrier, and images stay in the
//! general layout. What is found: a crash or a hang, an error code, bytes other than the model's, two runs
//! of one program that differ.

pub mod client;
mod copies;
mod formats;
mod layouts;
mod objects;
mod pipelines;
mod queue;
mod record;
mod scope;
mod sets;

use ash::vk;
use client::Client;

use super::Tally;
use super::model::{Bytes, Effect, Range};
use super::shaders::Later;
use crate::random::Random;

/// A number for an object that no other object of the program has.
type Uid = u64;

/// What is to be destroyed some time: nothing uses it any more.
enum Garbage {
    Buffer(vk::Buffer),
    Image(vk::Image),
    View(vk::ImageView),
    TexelView(vk::BufferView),
}

/// Memory that resources are bound to, mapped.
struct Mem {
    uid: Uid,
    memory: vk::DeviceMemory,
    mapped: *mut u8,
    /// Its number in the model.
    number: usize,
    size: usize,
    /// Resources that are bound to it.
    bound: Vec<Uid>,
}

// SAFETY: the mapped address is only used while no submission uses the memory, by the thread of the program.
#[expect(unsafe_code, reason = "an address of mapped memory")]
unsafe impl Send for Mem {}
// SAFETY: the mapped address is only used while no submission uses the memory, by the thread of the program.
#[expect(unsafe_code, reason = "an address of mapped memory")]
unsafe impl Sync for Mem {}

#[derive(Clone, Copy)]
struct Buf {
    uid: Uid,
    buffer: vk::Buffer,
    range: Range,
    memory: Uid,
    address: u64,
}

#[derive(Clone, Copy)]
struct Img {
    uid: Uid,
    image: vk::Image,
    memory: Uid,
    ty: vk::ImageType,
    format: vk::Format,
    extent: [u32; 3],
    levels: u32,
    layers: u32,
    samples: u32,
    usage: vk::ImageUsageFlags,
}

#[derive(Clone, Copy)]
struct View {
    uid: Uid,
    view: vk::ImageView,
    image: Uid,
    /// Of one level and layer, all aspects: for attachments.
    attachment: bool,
    /// A 2D view that the kernels' combined image may be, or their storage image.
    sampled: bool,
    storage: bool,
}

#[derive(Clone, Copy)]
struct TexelView {
    uid: Uid,
    view: vk::BufferView,
    buffer: Uid,
    range: Range,
}

/// What a binding of a set refers to.
#[derive(Clone, Default)]
struct Bound {
    /// Objects that must be alive when a shader uses the binding.
    uids: Vec<Uid>,
    range: Option<Range>,
    /// End of the buffer, for dynamic offsets.
    end: usize,
    image: Option<Uid>,
    /// Something was written since the set was allocated.
    written: bool,
}

#[derive(Clone)]
struct Set {
    uid: Uid,
    set: vk::DescriptorSet,
    pool: usize,
    layout: usize,
    bindings: [Bound; 7],
    inline: Vec<u8>,
}

/// Kinds of set layouts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Dynamic storage buffers and an inline uniform block.
    Dynamic,
    /// Partially bound, updated after binding.
    Late,
    /// Mutable descriptors.
    Mutable,
    /// Pushed.
    Push,
}

const KINDS: [Kind; 5] = [Kind::Plain, Kind::Dynamic, Kind::Late, Kind::Mutable, Kind::Push];

struct Layout {
    kind: Kind,
    set: vk::DescriptorSetLayout,
    layout: vk::PipelineLayout,
    kernels: Vec<vk::Pipeline>,
}

struct Pool {
    pool: vk::DescriptorPool,
}

/// Attachments that are used together.
#[derive(Clone)]
struct Target {
    colors: Vec<View>,
    resolve: Option<View>,
    depth: Option<View>,
    formats: TargetKey,
    size: [u32; 2],
}

/// What a pipeline has to agree with a target on: formats of colours and of depth, samples.
type TargetKey = (Vec<vk::Format>, Option<vk::Format>, u32);

#[derive(Clone)]
struct Pipeline {
    uid: Uid,
    pipeline: vk::Pipeline,
    formats: TargetKey,
    layout: usize,
    attributes: bool,
    /// Bytes from vertex to vertex.
    stride: u32,
    samples_image: bool,
    stores: bool,
    later: Later,
}

#[derive(Clone, Copy)]
struct Queries {
    uid: Uid,
    pool: vk::QueryPool,
    kind: vk::QueryType,
    count: u32,
    values: u32,
}

/// A recorded command buffer.
struct Recorded {
    uid: Uid,
    commands: vk::CommandBuffer,
    /// Index of the command pool.
    pool: usize,
    effects: Vec<Effect>,
    /// Objects that must live as long as it may be submitted.
    uses: Vec<Uid>,
    /// Sets that it binds, and the bindings that its shaders use: those must stay valid.
    statics: Vec<(Uid, [bool; 7])>,
    /// Number of its last submission.
    submitted: u64,
    inside: Option<TargetKey>,
    secondary: bool,
}

/// What all programs of a client share.
pub struct Shared {
    client: Client,
    layouts: Vec<Layout>,
    shaders: std::sync::Mutex<std::collections::HashMap<String, vk::ShaderModule>>,
}

/// A program that runs.
struct World<'s> {
    shared: &'s Shared,
    r: Random,
    tally: Tally,
    failure: Option<String>,
    next: Uid,
    model: Vec<Bytes>,
    memories: Vec<Mem>,
    garbage: Vec<Garbage>,
    buffers: Vec<Buf>,
    images: Vec<Img>,
    views: Vec<View>,
    texel_views: Vec<TexelView>,
    samplers: Vec<(Uid, vk::Sampler)>,
    pools: Vec<Pool>,
    sets: Vec<Set>,
    targets: Vec<Target>,
    pipelines: Vec<Pipeline>,
    queries: Vec<Queries>,
    events: Vec<(Uid, vk::Event)>,
    /// Command pools; each thread records with one of its own.
    command_pools: Vec<vk::CommandPool>,
    recorded: Vec<Recorded>,
    /// Counts submissions.
    done: vk::Semaphore,
    submitted: u64,
    waited: u64,
    /// Signaled by the host.
    host: vk::Semaphore,
    host_value: u64,
    binary: vk::Semaphore,
    binary_signaled: bool,
}

impl World<'_> {
    fn uid(&mut self) -> Uid {
        self.next += 1;
        self.next
    }

    fn fail(&mut self, text: String) {
        self.failure.get_or_insert(text);
    }

    /// Counts a call; valid usage has no errors but that memory has run out.
    fn judge<T>(&mut self, kind: &'static str, result: ash::prelude::VkResult<T>) -> Option<T> {
        self.tally.count(kind, result.is_ok(), 1);
        match result {
            Ok(value) => Some(value),
            Err(e) => {
                self.fail(format!("{kind}: {e}"));
                None
            }
        }
    }

    fn index(&mut self, len: usize) -> Option<usize> {
        if len == 0 { None } else { Some(self.r.below(len)) }
    }

    fn run(&mut self, steps: usize) -> u64 {
        for _ in 0..4 {
            self.make_buffer();
        }
        self.make_image();
        self.make_target();
        self.make_sampler();
        self.make_set();
        for _ in 0..steps {
            if self.failure.is_some() || self.r.is_used_up() {
                break;
            }
            self.step();
        }
        self.finish()
    }

    fn step(&mut self) {
        match self.r.below(60) {
            0..4 => self.make_buffer(),
            4..6 => self.make_image(),
            6..9 => self.make_view(),
            9..11 => self.make_texel_view(),
            11 => self.make_sampler(),
            12..16 => self.make_set(),
            16..19 => self.write_set(),
            19..21 => self.make_target(),
            21..24 => self.make_pipeline(),
            24 => self.make_queries(),
            25..29 => self.host_write(),
            29..32 => self.host_read(),
            32..44 => self.record_some(),
            44..52 => self.submit(),
            52..54 => self.wait_all(),
            54..59 => self.destroy_one(),
            _ => self.reset_commands(),
        }
    }
}

/// The program of a seed, run twice: its results must be the same.
///
/// # Errors
/// What was found.
pub fn check_seed(shared: &Shared, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let r = Random::new(seed ^ 0x7664_7200);
    check(shared, &r, 40 + seed as usize % 5 * 20, tally)
}

/// The program that a fuzzer's bytes make.
///
/// # Errors
/// What was found.
pub fn check_bytes(shared: &Shared, bytes: &[u8], tally: &mut Tally) -> Result<(), String> {
    if bytes.is_empty() { Ok(()) } else { check(shared, &Random::from_bytes(bytes), 200, tally) }
}

fn check(shared: &Shared, r: &Random, steps: usize, tally: &mut Tally) -> Result<(), String> {
    let mut digests = [0; 2];
    for digest in &mut digests {
        let mut world = World::new(shared, r.clone())?;
        *digest = world.run(steps);
        tally.add(&world.tally);
        if let Some(failure) = world.failure.take() {
            return Err(failure);
        }
    }
    if digests[0] != digests[1] {
        return Err("two runs differ".into());
    }
    Ok(())
}

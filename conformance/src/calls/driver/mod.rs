//! Random programs of valid usage against the Vulkan driver.
//!
//! * [`client`]: instance, device, extensions. `layouts`: set layouts, kernels and shaders of all programs.
//! * `objects`: memory and resources, with the `formats` of images. `sets`: descriptors. `pipelines`: for drawing.
//! * `rays`: acceleration structures, shader binding tables and traces. `micromaps`: those of random scenes.
//! * `density`: fragment density maps, and ends of the scopes that have one.
//! * `tools`: extensions for tools. `counters`: performance queries around a shader of new extensions.
//! * `placed`: maps at addresses of the program. `resolves`: custom resolves. `presentations`: times of presentations.
//! * `aborts`: shaders that lose a device.
//! * `record`: command buffers with their effects on the model. `copies`: transfers. `scope`: rendering.
//! * `queue`: submissions, waits, comparisons, and destruction of objects whenever Vulkan allows it.
//! * [`scarce`]: the same programs on a host where a request for memory fails.
//!
//! The generator keeps usage valid. It tracks the users of each object, their last submission, and the semaphores that
//! this submission waited for. A full barrier separates any two commands that access memory, and images stay in the
//! general layout. A find is a crash, a hang, an error code, bytes that differ from the model, or two runs of one
//! program with different results.

mod aborts;
pub mod client;
mod copies;
mod counters;
mod density;
mod formats;
mod layouts;
mod micromaps;
mod objects;
mod pipelines;
mod placed;
mod presentations;
mod queue;
mod rays;
mod record;
mod resolves;
pub mod scarce;
mod scope;
mod sets;
mod tools;

use ash::vk;
use client::Client;

use super::Tally;
use super::model::{Bytes, Effect, Range};
use super::shaders::Later;
use crate::random::Random;

/// Identifies an object of a program; never reused.
type Uid = u64;

/// Value of `number` for memory that the model does not track.
const UNFOLLOWED: usize = usize::MAX;

/// An object that nothing uses any more, and that will be destroyed at a random time.
enum Garbage {
    Buffer(vk::Buffer),
    Image(vk::Image),
    View(vk::ImageView),
    TexelView(vk::BufferView),
}

/// A mapped allocation, and the resources bound to it.
struct Mem {
    uid: Uid,
    memory: vk::DeviceMemory,
    mapped: *mut u8,
    /// Addresses of the map, if the program has chosen them.
    place: Option<placed::Place>,
    /// Index of the allocation in the model.
    number: usize,
    size: usize,
    /// Resources bound to the allocation.
    bound: Vec<Uid>,
}

// SAFETY: only the program's thread uses the mapped address, and only while no submission uses the memory.
#[expect(unsafe_code, reason = "an address of mapped memory")]
unsafe impl Send for Mem {}
// SAFETY: only the program's thread uses the mapped address, and only while no submission uses the memory.
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
    /// `true` for a view of one level and layer with all aspects, as attachments require.
    attachment: bool,
    /// `true` for a 2D view that fits the binding of the combined image sampler; `storage` likewise for the storage
    /// image.
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

/// Resources that a binding of a set refers to.
#[derive(Clone, Default)]
struct Bound {
    /// Objects that must be alive when a shader uses the binding.
    uids: Vec<Uid>,
    range: Option<Range>,
    /// Offset of the end of the buffer, which limits dynamic offsets.
    end: usize,
    image: Option<Uid>,
    /// `true` if the binding was written since the set was allocated.
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

/// Kind of a set layout.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Plain,
    /// Dynamic storage buffers and an inline uniform block.
    Dynamic,
    /// Partially bound and update-after-bind.
    Late,
    /// Mutable descriptors.
    Mutable,
    /// Push descriptors.
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

/// Attachments of one rendering scope.
#[derive(Clone)]
struct Target {
    colors: Vec<View>,
    resolve: Option<View>,
    depth: Option<View>,
    /// Fragment density map; its scopes may have it.
    density: Option<View>,
    formats: TargetKey,
    size: [u32; 2],
}

impl Target {
    /// Returns all attachments.
    fn views(&self) -> impl Iterator<Item = &View> {
        self.colors.iter().chain(&self.resolve).chain(&self.depth).chain(&self.density)
    }
}

/// Properties that a pipeline and its target must share: colour formats, depth format, sample count, and whether there may
/// be a fragment density map.
type TargetKey = (Vec<vk::Format>, Option<vk::Format>, u32, bool);

#[derive(Clone)]
struct Pipeline {
    uid: Uid,
    pipeline: vk::Pipeline,
    formats: TargetKey,
    layout: usize,
    attributes: bool,
    /// Distance between two vertices, in bytes.
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
    /// Objects that must live as long as the command buffer may be submitted.
    uses: Vec<Uid>,
    /// Descriptor sets that the commands bind, with the bindings that shaders use, which must stay valid.
    statics: Vec<(Uid, [bool; 7])>,
    /// Number of the last submission of the command buffer.
    submitted: u64,
    inside: Option<TargetKey>,
    secondary: bool,
}

/// State that all programs of a client share.
pub struct Shared {
    client: Client,
    layouts: Vec<Layout>,
    shaders: std::sync::Mutex<std::collections::HashMap<String, vk::ShaderModule>>,
    tracing: std::sync::OnceLock<rays::Tracing>,
}

/// A running program.
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
    scenes: Vec<rays::Scene>,
    events: Vec<(Uid, vk::Event)>,
    /// Command pools, one per recording thread.
    command_pools: Vec<vk::CommandPool>,
    recorded: Vec<Recorded>,
    /// Timeline semaphore that counts completed submissions.
    done: vk::Semaphore,
    submitted: u64,
    waited: u64,
    /// Timeline semaphore that the host signals.
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

    /// Counts a call and returns its value. Any error of the driver is a find, because the usage is valid.
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
        self.make_scene();
        for _ in 0..steps {
            if self.failure.is_some() || self.r.is_used_up() {
                break;
            }
            self.step();
        }
        self.finish()
    }

    fn step(&mut self) {
        match self.r.below(65) {
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
            59..61 => self.make_scene(),
            61..64 => self.tool(),
            _ => self.reset_commands(),
        }
    }
}

/// Runs the program of a seed twice; both runs must have the same results.
///
/// # Errors
/// Description of a find.
pub fn check_seed(shared: &Shared, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let (r, steps) = program_of(seed);
    check(shared, &r, steps, tally)
}

/// The choices of the program of a seed, and its number of steps.
fn program_of(seed: u64) -> (Random, usize) {
    (Random::new(seed ^ 0x7664_7200), 40 + seed as usize % 5 * 20)
}

/// Runs the program that a fuzzer's bytes select.
///
/// # Errors
/// Description of a find.
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

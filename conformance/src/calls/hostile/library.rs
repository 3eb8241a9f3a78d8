//! Hostile descriptors through the Rust API: in a descriptor buffer and in a partially bound set.

use std::sync::atomic::{AtomicBool, Ordering};

use quadrille::*;

use super::{FIRST, LANES, SLOTS, STEPS, WORDS, judge_found, judge_named, judge_unnamed, shader, steps};
use crate::calls::Tally;
use crate::random::Random;

/// Kinds of the descriptor arrays.
const KINDS: [DescriptorKind; super::KINDS] = [
    DescriptorKind::StorageBuffer,
    DescriptorKind::UniformBuffer,
    DescriptorKind::SampledImage,
    DescriptorKind::StorageImage,
    DescriptorKind::UniformTexelBuffer,
    DescriptorKind::Sampler,
];

/// Names of the words of live resources that shaders found: through a descriptor buffer, and through a set.
pub const FOUND: [&str; 2] = ["word found by a buffer", "word found by a set"];

/// The words of a descriptor.
type Words = [u64; DESCRIPTOR_BYTES / 8];

/// A resource that holds the same value in all words.
enum Thing {
    Buffer(Buffer, BufferView),
    Image(ImageView),
}

struct World {
    device: Device,
    sets: [DescriptorSetLayout; 2],
    layouts: [PipelineLayout; 2],
    /// Pipelines by set layout, then with the same index for all invocations or one for each.
    pipelines: [[ComputePipeline; 2]; 2],
    pool: DescriptorPool,
    sampler: Sampler,
    results: Buffer,
    steps: Buffer,
    /// Resources with descriptors, and their words.
    named: Vec<(u32, Thing)>,
    /// Buffers that never had a descriptor, and their words.
    unnamed: Vec<(u32, Buffer)>,
    /// Words of all descriptors so far, including those of destroyed resources.
    given: Vec<Words>,
    next: u32,
}

fn make_layout(device: &Device, in_buffers: bool) -> Result<DescriptorSetLayout> {
    let fixed = [0, 1].map(|n| DescriptorBinding::new(n, DescriptorKind::StorageBuffer));
    let arrays = KINDS.iter().enumerate().map(|(i, &kind)| DescriptorBinding {
        count: SLOTS,
        partially_bound: true,
        ..DescriptorBinding::new(i as u32 + FIRST, kind)
    });
    let bindings: Vec<_> = fixed.into_iter().chain(arrays).collect();
    match in_buffers {
        true => device.create_descriptor_set_layout_in_buffers(&bindings),
        false => device.create_descriptor_set_layout(&bindings),
    }
}

impl World {
    fn new(r: &mut Random) -> Result<World> {
        let lanes = *r.pick(&[4, 8, 16, 32]);
        let (interp, threads) = (r.one_in(6), 1 + r.below(3));
        let device = Device::new(DeviceOptions { lanes, interp, threads, ..DeviceOptions::default() })?;
        let sets = [make_layout(&device, true)?, make_layout(&device, false)?];
        let layout = |set: &DescriptorSetLayout| device.create_pipeline_layout(std::slice::from_ref(set), 0);
        let layouts = [layout(&sets[0])?, layout(&sets[1])?];
        let pipeline = |layout: &PipelineLayout, same: bool| {
            let words = shader(same, false)?;
            let stage = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Compute)?;
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })
        };
        let both = |layout: &PipelineLayout| -> Result<_> {
            Ok([pipeline(layout, true)?, pipeline(layout, false)?])
        };
        let storage = |words: usize| {
            device.create_bound_buffer(BufferDesc { size: 4 * words as u64, usage: BufferUsage::STORAGE })
        };
        Ok(World {
            pipelines: [both(&layouts[0])?, both(&layouts[1])?],
            pool: device.create_descriptor_pool(8),
            sampler: device.create_sampler(SamplerDesc::default())?,
            results: storage(LANES * STEPS)?,
            steps: storage(4 * LANES * STEPS)?,
            named: Vec::new(),
            unnamed: Vec::new(),
            given: Vec::new(),
            next: 0,
            device,
            sets,
            layouts,
        })
    }

    fn buffer(&self, word: u32) -> Result<Buffer> {
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM | BufferUsage::UNIFORM_TEXEL;
        self.device.create_buffer_with(&[word; WORDS], usage)
    }

    /// Creates a resource with a new word. Descriptors refer to only some of the resources.
    fn make(&mut self, r: &mut Random) -> Result<()> {
        self.next += 1;
        let word = 0xb000_0000 + self.next;
        match r.below(4) {
            0 => self.unnamed.push((word, self.buffer(word)?)),
            1 | 2 => {
                let buffer = self.buffer(word)?;
                let desc = BufferViewDesc { format: Format::R32_UINT, offset: 0, range: None };
                let view = self.device.create_buffer_view(&buffer, desc)?;
                self.named.push((word, Thing::Buffer(buffer, view)));
            }
            _ => {
                let usage = ImageUsage::SAMPLED | ImageUsage::STORAGE;
                let desc = ImageDesc::new_2d(Format::R32_UINT, 8, 8, usage);
                let image = self.device.create_bound_image(desc)?;
                let texels = [word; WORDS].map(u32::to_ne_bytes);
                image.write_level(Aspects::COLOR, 0, texels.as_flattened())?;
                let view = self.device.create_image_view(&image, ImageViewDesc::new_2d(Format::R32_UINT))?;
                self.named.push((word, Thing::Image(view)));
            }
        }
        Ok(())
    }

    /// Returns a live resource for a descriptor of a kind.
    fn resource(&self, r: &mut Random, kind: DescriptorKind) -> Resource<'_> {
        use DescriptorKind as K;
        let of_image = matches!(kind, K::SampledImage | K::StorageImage);
        let fits = |thing: &&(u32, Thing)| matches!(thing.1, Thing::Image(..)) == of_image;
        let all: Vec<_> = self.named.iter().filter(fits).collect();
        match kind {
            K::Sampler => Resource::Sampler(&self.sampler),
            _ if all.is_empty() => Resource::Null,
            _ => match (&r.pick(&all).1, kind) {
                (Thing::Buffer(_, view), K::UniformTexelBuffer) => Resource::TexelBuffer(view),
                (Thing::Buffer(buffer, _), _) => {
                    let offset = 16 * r.below(4) as u64;
                    let range = r.one_in(2).then(|| 4 * (1 + r.below(WORDS - 16)) as u64);
                    Resource::Buffer { buffer, offset, range }
                }
                (Thing::Image(view), _) => Resource::Image(view),
            },
        }
    }

    /// Returns the words of a descriptor: of a live or destroyed resource, with a flipped bit or the range of another one, or
    /// random.
    fn words(&mut self, r: &mut Random) -> Result<Words> {
        match r.below(5) {
            0 => return Ok([r.bits(), r.bits()]),
            1 if !self.given.is_empty() => return Ok(*r.pick(&self.given)),
            2 if !self.given.is_empty() => {
                let mut words = *r.pick(&self.given);
                words[r.below(2)] ^= 1 << r.below(64);
                return Ok(words);
            }
            3 if !self.given.is_empty() => return Ok([r.pick(&self.given)[0], r.pick(&self.given)[1]]),
            _ => {}
        }
        let kind = *r.pick(&KINDS);
        let resource = self.resource(r, kind);
        let bytes = self.device.descriptor_data(kind, resource)?;
        let (handle, range) = bytes.split_at(8);
        let words = [handle, range].map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default()));
        self.given.push(words);
        Ok(words)
    }

    fn of_buffer(&self, buffer: &Buffer) -> Result<[u8; DESCRIPTOR_BYTES]> {
        let resource = Resource::Buffer { buffer, offset: 0, range: None };
        self.device.descriptor_data(DescriptorKind::StorageBuffer, resource)
    }

    /// Returns the byte offset of a random array element in a descriptor buffer.
    fn place(&self, r: &mut Random) -> u64 {
        let binding = FIRST + r.below(KINDS.len()) as u32;
        let first = self.sets[0].binding_offset(binding).unwrap_or_default();
        first + DESCRIPTOR_BYTES as u64 * r.below(SLOTS as usize) as u64
    }

    /// Runs shaders with a set, while another thread writes words into a descriptor buffer; returns the steps of the
    /// shaders.
    fn run(
        &self,
        r: &mut Random,
        which: usize,
        bind: impl FnOnce(&mut CommandBuffer),
        (buffer, writes): (&Buffer, &[(u64, Words)]),
    ) -> Result<Vec<u32>> {
        let steps = steps(r);
        self.steps.write(0, &steps)?;
        self.results.write(0, &vec![0u32; LANES * STEPS])?;
        let mut commands = self.device.create_command_buffer();
        commands.bind_compute_pipeline(&self.pipelines[which][r.below(2)]);
        bind(&mut commands);
        commands.dispatch(1, 1, 1).end()?;
        let done = AtomicBool::new(writes.is_empty());
        std::thread::scope(|scope| {
            let writer = scope.spawn(|| {
                while !done.load(Ordering::Relaxed) {
                    writes.iter().try_for_each(|(at, words)| buffer.write(*at, words))?;
                }
                Ok(())
            });
            let ran = self.device.queue().run(&commands);
            done.store(true, Ordering::Relaxed);
            let wrote: Result<()> = writer.join().map_err(|_| Error::Internal("the writer panics".into()))?;
            ran.and(wrote)
        })?;
        Ok(steps)
    }

    /// Compares the words that shaders found, and those in resources.
    fn check(&self, which: usize, steps: &[u32], tally: &mut Tally) -> std::result::Result<(), String> {
        let text = |e: Error| e.to_string();
        let found = self.results.read_all::<u32>().map_err(text)?;
        tally.compared += 4 * found.len() as u64;
        let named = judge_found(&found, steps, |word| self.named.iter().any(|(of, _)| *of == word))?;
        tally.count(FOUND[which], true, named);
        for (word, buffer) in &self.unnamed {
            let held = buffer.read_all::<u32>().map_err(text)?;
            tally.compared += 4 * held.len() as u64;
            judge_unnamed(*word, &held)?;
        }
        for (word, thing) in &self.named {
            let Thing::Buffer(buffer, _) = thing else { continue };
            let held = buffer.read_all::<u32>().map_err(text)?;
            tally.compared += 4 * held.len() as u64;
            judge_named(*word, &held)?;
        }
        Ok(())
    }
}

/// Runs the program of a seed.
///
/// # Errors
/// Description of a find.
pub fn check_seed(seed: u64, tally: &mut Tally) -> std::result::Result<(), String> {
    let mut r = Random::new(seed);
    let text = |e: Error| e.to_string();
    let mut world = World::new(&mut r).map_err(text)?;
    tally.programs += 1;
    program(&mut world, &mut r, tally)
}

#[expect(unsafe_code, reason = "sets of a pool, which keep nothing alive")]
fn program(w: &mut World, r: &mut Random, tally: &mut Tally) -> std::result::Result<(), String> {
    let text = |e: Error| e.to_string();
    let size = w.sets[0].bytes();
    let usage = BufferUsage::STORAGE;
    let in_buffer = w.device.create_bound_buffer(BufferDesc { size, usage }).map_err(text)?;
    // SAFETY: the arrays are partially bound, and the resources of the two other descriptors live as long as the set.
    let set = unsafe { w.pool.allocate(&w.sets[1]) }.map_err(text)?;
    for (binding, buffer) in [(0, &w.results), (1, &w.steps)] {
        set.write_buffer(binding, buffer).map_err(text)?;
        let at = w.sets[0].binding_offset(binding).unwrap_or_default();
        in_buffer.write(at, &w.of_buffer(buffer).map_err(text)?).map_err(text)?;
    }
    for _ in 0..40 {
        match r.below(8) {
            0 | 1 => w.make(r).map_err(text)?,
            2 if !w.named.is_empty() => drop(w.named.swap_remove(r.below(w.named.len()))),
            2 if !w.unnamed.is_empty() => drop(w.unnamed.swap_remove(r.below(w.unnamed.len()))),
            2..=4 => {
                for _ in 0..8 {
                    let (at, words) = (w.place(r), w.words(r).map_err(text)?);
                    in_buffer.write(at, &words).map_err(text)?;
                    let (n, element) = (r.below(KINDS.len()), r.below(SLOTS as usize) as u32);
                    set.write(n as u32 + FIRST, element, w.resource(r, KINDS[n])).map_err(text)?;
                    tally.count("write of a descriptor", true, 2);
                }
            }
            _ => {
                let which = r.below(2);
                let n = if which == 0 && r.one_in(2) { 1 + r.below(4) } else { 0 };
                let writes: Result<Vec<(u64, Words)>> =
                    (0..n).map(|_| Ok((w.place(r), w.words(r)?))).collect();
                let bind = |commands: &mut CommandBuffer| {
                    let (point, layout) = (BindPoint::Compute, &w.layouts[which]);
                    match which {
                        0 => commands.bind_set_in_buffer(point, layout, 0, (&in_buffer, 0)),
                        _ => commands.bind_compute_set(layout, 0, &set),
                    };
                };
                let steps = w.run(r, which, bind, (&in_buffer, &writes.map_err(text)?)).map_err(text)?;
                tally.submissions += 1;
                tally.count("dispatch", true, 1);
                w.check(which, &steps, tally)?;
            }
        }
    }
    Ok(())
}

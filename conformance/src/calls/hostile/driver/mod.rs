//! Hostile descriptors through Vulkan: in sets of pools, mutable or not, in descriptor buffers and in heaps. Resources
//! are also destroyed while submissions run that could access them.
//!
//! A resource lies in a piece of shared memory or has its own memory. Each free piece of the shared memory holds a
//! distinct word.
//!
//! This file owns the program: resources and descriptors that it creates and destroys. `client`: the instance, the
//! device, the pipelines. `objects`: Vulkan objects and memory. `dispatch`: submissions and their results.
#![expect(unsafe_code, reason = "a Vulkan client")]

mod client;
mod dispatch;
mod objects;

use std::sync::{Mutex, PoisonError};

use ash::vk;

use super::{KINDS, LANES, SLOTS, STEPS, VIEW, WORDS};
use crate::calls::Tally;
use crate::calls::heaps::{DESCRIPTOR, HEAP_USAGE, Range, Resource, WHOLE};
use crate::random::Random;
pub use client::FOUND;
use client::{Client, HEAP_STRIDE, SAMPLER, TYPES, Way, text};
use objects::{
    Described, FORMAT, Mapped, Object, PIECE, PIECES, Place, Thing, Words, Write, address_of, allocate, end,
    mapped, new_buffer, new_image, sets, update,
};

/// Size of a buffer of descriptors, in bytes.
const TABLE: u64 = 4096;

/// A running program.
struct World<'c> {
    c: &'c Client,
    r: Random,
    pool: vk::CommandPool,
    commands: vk::CommandBuffer,
    shared: Mapped,
    /// Words that fill the free pieces of the shared memory; `None` for pieces in use.
    free: Vec<Option<u32>>,
    things: Vec<Thing>,
    /// Words of all descriptors so far, including those of destroyed resources.
    given: Vec<Described>,
    next: u32,
    results: Mapped,
    steps: Mapped,
    /// Buffer of indices, which no descriptor refers to.
    indices: Mapped,
    index_words: Vec<u32>,
    /// Two descriptor buffers, the heap of resources, the heap of samplers.
    tables: [Mapped; 4],
    descriptors: vk::DescriptorPool,
    sets: [vk::DescriptorSet; 2],
}

/// The device of all programs. One program runs at a time, because a forged descriptor may refer to resources of any
/// program.
pub struct Shared(Mutex<Client>);

impl Shared {
    /// Creates a device of the first physical device of the entry.
    ///
    /// # Errors
    /// An error of the driver.
    pub fn new(entry: ash::Entry) -> Result<Shared, String> {
        Ok(Shared(Mutex::new(Client::new(entry)?)))
    }
}

/// Runs the program of a seed.
///
/// # Errors
/// Description of a wrong word or result code.
pub fn check_seed(shared: &Shared, seed: u64, tally: &mut Tally) -> Result<(), String> {
    let client = shared.0.lock().unwrap_or_else(PoisonError::into_inner);
    let mut world = World::new(&client, Random::new(seed ^ 0x6874_6c00))?;
    tally.programs += 1;
    world.run(tally)
}

impl<'c> World<'c> {
    fn new(c: &'c Client, r: Random) -> Result<World<'c>, String> {
        use vk::BufferUsageFlags as U;
        let resources = U::RESOURCE_DESCRIPTOR_BUFFER_EXT | U::SAMPLER_DESCRIPTOR_BUFFER_EXT;
        let piece_bytes = 4 * (PIECE * PIECES) as u64;
        // SAFETY: the client's device is live, and the lock gives this program the only access.
        let mut world = unsafe {
            let pool =
                c.device.create_command_pool(&vk::CommandPoolCreateInfo::default(), None).map_err(text)?;
            let info = vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(1);
            let (descriptors, sets) = sets(c)?;
            World {
                commands: c.device.allocate_command_buffers(&info).map_err(text)?[0],
                pool,
                shared: mapped(c, piece_bytes, U::STORAGE_BUFFER)?,
                free: Vec::new(),
                things: Vec::new(),
                given: Vec::new(),
                next: 0,
                results: mapped(c, 4 * (LANES * STEPS) as u64, U::STORAGE_BUFFER)?,
                steps: mapped(c, 16 * (LANES * STEPS) as u64, U::STORAGE_BUFFER)?,
                indices: mapped(c, 4 * WORDS as u64, U::STORAGE_BUFFER)?,
                index_words: Vec::new(),
                tables: [
                    mapped(c, TABLE, resources)?,
                    mapped(c, TABLE, resources)?,
                    mapped(c, TABLE, HEAP_USAGE)?,
                    mapped(c, TABLE, HEAP_USAGE)?,
                ],
                descriptors,
                sets,
                c,
                r,
            }
        };
        world.free = (0..PIECES).map(|i| Some(world.release(i))).collect();
        let index =
            |r: &mut Random| if r.one_in(4) { r.bits() as u32 } else { r.below(SLOTS as usize) as u32 };
        world.index_words = (0..WORDS).map(|_| index(&mut world.r)).collect();
        world.indices.words.write(&world.index_words);
        world.begin()?;
        Ok(world)
    }

    /// Returns a new word.
    fn word(&mut self) -> u32 {
        self.next += 1;
        0xb000_0000 + self.next
    }

    /// Fills a free piece with a new word and returns it.
    fn release(&mut self, piece: usize) -> u32 {
        let word = self.word();
        self.shared.words.part(piece * PIECE, PIECE).fill(word);
        word
    }

    /// Writes the descriptors of the results and the steps, and the samplers of the heap.
    fn begin(&mut self) -> Result<(), String> {
        let fixed = [
            (0, self.results.buffer, self.results.address, self.results.words.n),
            (1, self.steps.buffer, self.steps.address, self.steps.words.n),
        ];
        for (binding, buffer, address, words) in fixed {
            let object = Some(Object::Buffer { buffer, texels: vk::BufferView::null(), address });
            let range = Range { address, size: 4 * words as u64 };
            for set in self.sets {
                let whole = vk::WHOLE_SIZE;
                let write = Write { set, binding, element: 0, kind: 0, object, offset: 0, range: whole };
                // SAFETY: the object is live, and nothing is in flight.
                unsafe { update(&self.c.device, &write) };
            }
            for table in 0..2 {
                let word = self.described(0, Resource::Buffer(range), false)?;
                let at = self.place_of(table, binding, 0);
                self.tables[table].words.put(at, word);
            }
            let word = self.described(0, Resource::Buffer(range), true)?;
            self.tables[2].words.put(u64::from(binding * HEAP_STRIDE), word);
        }
        for element in 0..SLOTS {
            let sampler = self.described(SAMPLER, Resource::Null, true)?;
            self.tables[3].words.put(u64::from(element) * DESCRIPTOR, sampler);
        }
        Ok(())
    }

    /// Returns the offset of a descriptor in a table.
    fn place_of(&self, table: usize, binding: u32, element: u32) -> u64 {
        let first = match table {
            0 | 1 => {
                let set = self.c.ways.iter().find(|b| b.way == Way::Buffer(table == 1)).map(|b| b.set);
                // SAFETY: the client keeps the layout alive.
                unsafe {
                    let set = set.unwrap_or_default();
                    self.c.buffers.get_descriptor_set_layout_binding_offset(set, binding)
                }
            }
            2 => u64::from(binding * HEAP_STRIDE),
            _ => 0,
        };
        first + u64::from(element) * DESCRIPTOR
    }

    /// Returns the words of the descriptor of a live resource, from the commands of heaps or of descriptor buffers.
    fn described(&self, kind: usize, resource: Resource, by_heaps: bool) -> Result<Described, String> {
        let (c, ty) = (self.c, TYPES[kind]);
        let mut bytes = [0; DESCRIPTOR as usize];
        // SAFETY: the resource is live and belongs to this device: it comes from `any_words`, which picks live ones, or
        // from `begin`.
        unsafe {
            if by_heaps {
                bytes = match kind {
                    SAMPLER => c.heaps.sampler(&vk::SamplerCreateInfo::default()),
                    _ => c.heaps.descriptor(ty, resource),
                }
                .map_err(text)?;
            } else {
                let (mut memory, mut image) =
                    (vk::DescriptorAddressInfoEXT::default(), vk::DescriptorImageInfo::default());
                match resource {
                    Resource::Null => {}
                    Resource::Buffer(range) => memory = memory.address(range.address).range(range.size),
                    Resource::Texels(range, format) => {
                        memory = memory.address(range.address).range(range.size).format(format);
                    }
                    Resource::Image { view, .. } => {
                        image = image.image_view(view).image_layout(vk::ImageLayout::GENERAL);
                    }
                }
                let data = match TYPES[kind] {
                    vk::DescriptorType::SAMPLER => vk::DescriptorDataEXT { p_sampler: &c.sampler },
                    vk::DescriptorType::SAMPLED_IMAGE | vk::DescriptorType::STORAGE_IMAGE => {
                        vk::DescriptorDataEXT { p_sampled_image: &image }
                    }
                    _ if memory.address == 0 => vk::DescriptorDataEXT { p_storage_buffer: std::ptr::null() },
                    _ => vk::DescriptorDataEXT { p_storage_buffer: &memory },
                };
                let info = vk::DescriptorGetInfoEXT { ty, data, ..Default::default() };
                c.buffers.get_descriptor(&info, &mut bytes);
            }
        }
        let (handle, range) = bytes.split_at(8);
        Ok([handle, range].map(|word| u64::from_ne_bytes(word.try_into().unwrap_or_default())))
    }

    /// Returns a live object for a descriptor of a kind.
    fn object(&mut self, kind: usize) -> Option<Object> {
        let ty = TYPES[kind];
        let of_image = matches!(ty, vk::DescriptorType::SAMPLED_IMAGE | vk::DescriptorType::STORAGE_IMAGE);
        let fits = |t: &&Thing| t.named && matches!(t.object, Object::Image { .. }) == of_image;
        let all: Vec<Object> = self.things.iter().filter(fits).map(|t| t.object).collect();
        if all.is_empty() || self.r.one_in(12) { None } else { Some(*self.r.pick(&all)) }
    }

    /// Returns a random part of a buffer: offset and size in bytes.
    fn part(&mut self) -> (u64, u64) {
        let offset = (4 * VIEW * self.r.below(4)) as u64;
        let all = 4 * WORDS as u64 - offset;
        (offset, if self.r.one_in(2) { all } else { 4 * (1 + self.r.below(all as usize / 4)) as u64 })
    }

    /// Returns the words of a descriptor: of a live resource, often of the kind that the place is for, of a destroyed one, with
    /// a flipped bit or the range of another one, or random.
    fn any_words(&mut self, wanted: usize) -> Result<Described, String> {
        match self.r.below(8) {
            0 => return Ok([self.r.bits(), self.r.bits()]),
            1 if !self.given.is_empty() => return Ok(*self.r.pick(&self.given)),
            2 if !self.given.is_empty() => {
                let mut words = *self.r.pick(&self.given);
                words[self.r.below(2)] ^= 1 << self.r.below(64);
                return Ok(words);
            }
            3 if !self.given.is_empty() => {
                let [handle, range] = [self.r.pick(&self.given)[0], self.r.pick(&self.given)[1]];
                return Ok([handle, range]);
            }
            _ => {}
        }
        let kind = if self.r.one_in(2) { wanted } else { self.r.below(KINDS) };
        let (offset, size) = self.part();
        let resource = match self.object(kind) {
            None => Resource::Null,
            Some(Object::Buffer { address, .. }) => {
                let range = Range { address: address + offset, size };
                match TYPES[kind] {
                    vk::DescriptorType::UNIFORM_TEXEL_BUFFER => Resource::Texels(range, FORMAT),
                    _ => Resource::Buffer(range),
                }
            }
            Some(Object::Image { image, view }) => Resource::Image { image, view, format: FORMAT },
        };
        let by_heaps = self.r.one_in(2);
        let words = self.described(kind, resource, by_heaps)?;
        self.given.push(words);
        Ok(words)
    }

    /// Returns the words of a descriptor and a place for them in a table.
    fn any_put(&mut self) -> Result<(Words, u64, Described), String> {
        let (table, kind, element) = (self.r.below(4), self.r.below(KINDS), self.r.below(SLOTS as usize));
        let way = if table < 2 { Way::Buffer(table == 1) } else { Way::Heap(0) };
        let at = self.place_of(table, way.binding(kind), element as u32);
        Ok((self.tables[table].words, at, self.any_words(kind)?))
    }

    /// Returns a random descriptor write for a set.
    fn any_write(&mut self) -> Write {
        let (which, kind, element) = (self.r.below(2), self.r.below(SAMPLER), self.r.below(SLOTS as usize));
        let (offset, range) = self.part();
        Write {
            set: self.sets[which],
            binding: Way::Pool(which == 1).binding(kind),
            element: element as u32,
            kind,
            object: self.object(kind),
            offset,
            range,
        }
    }

    /// Creates a resource with a new word. Descriptors refer to only some of the resources.
    fn make(&mut self) -> Result<(), String> {
        let (word, named, is_image) = (self.word(), !self.r.one_in(4), self.r.one_in(3));
        let (c, d) = (self.c, &self.c.device);
        // SAFETY: the device is live, sizes and usages are valid, and nothing is in flight.
        unsafe {
            let (buffer, image, need) = match is_image {
                true => {
                    let (image, need) = new_image(c)?;
                    (vk::Buffer::null(), image, need)
                }
                false => {
                    use vk::BufferUsageFlags as U;
                    let usage = U::STORAGE_BUFFER | U::UNIFORM_BUFFER | U::UNIFORM_TEXEL_BUFFER;
                    let (buffer, need) = new_buffer(c, 4 * WORDS as u64, usage)?;
                    (buffer, vk::Image::null(), need)
                }
            };
            let piece = (0..PIECES).find(|i| self.free[*i].is_some());
            let bytes = 4 * PIECE as u64;
            let piece = piece.filter(|_| need.size <= bytes && bytes.is_multiple_of(need.alignment));
            let place = match piece.filter(|_| self.r.one_in(2)) {
                Some(piece) => {
                    self.free[piece] = None;
                    Place::Piece(piece)
                }
                None => {
                    let (memory, words) = allocate(c, need)?;
                    Place::Own(memory, words)
                }
            };
            self.words_of(place).fill(word);
            let (memory, offset) = match place {
                Place::Piece(piece) => (self.shared.memory, bytes * piece as u64),
                Place::Own(memory, _) => (memory, 0),
            };
            let object = match is_image {
                true => {
                    d.bind_image_memory(image, memory, offset).map_err(text)?;
                    let info = vk::ImageViewCreateInfo::default().image(image).format(FORMAT);
                    let info = info.view_type(vk::ImageViewType::TYPE_2D).subresource_range(WHOLE);
                    let view = d.create_image_view(&info, None).map_err(text)?;
                    Object::Image { image, view }
                }
                false => {
                    d.bind_buffer_memory(buffer, memory, offset).map_err(text)?;
                    let info = vk::BufferViewCreateInfo::default().buffer(buffer).format(FORMAT);
                    let texels = d.create_buffer_view(&info.range(vk::WHOLE_SIZE), None).map_err(text)?;
                    Object::Buffer { buffer, texels, address: address_of(c, buffer) }
                }
            };
            self.things.push(Thing { word, named, object, place });
            if is_image { self.clear(image, word) } else { Ok(()) }
        }
    }

    fn words_of(&self, place: Place) -> Words {
        match place {
            Place::Piece(piece) => self.shared.words.part(piece * PIECE, PIECE),
            Place::Own(_, words) => words,
        }
    }

    /// Fills the texels of a new image with a word.
    ///
    /// # Safety
    /// The image must be live and bound to memory, and nothing may be in flight.
    unsafe fn clear(&self, image: vk::Image, word: u32) -> Result<(), String> {
        let color = vk::ClearColorValue { uint32: [word; 4] };
        let layout = vk::ImageLayout::GENERAL;
        let to_general = vk::ImageMemoryBarrier::default()
            .dst_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .new_layout(layout)
            .image(image)
            .subresource_range(WHOLE);
        let (from, to) = (vk::PipelineStageFlags::TOP_OF_PIPE, vk::PipelineStageFlags::ALL_COMMANDS);
        // SAFETY: the caller passes a live image with the transfer usage, and the command buffer is idle.
        unsafe {
            self.record(|d, cmd| {
                d.cmd_pipeline_barrier(cmd, from, to, vk::DependencyFlags::empty(), &[], &[], &[to_general]);
                d.cmd_clear_color_image(cmd, image, layout, &color, &[WHOLE]);
            })?;
            self.submit()
        }
    }

    /// Records the commands of `body`, followed by a barrier.
    ///
    /// # Safety
    /// The command buffer must be idle, and `body` must record only valid commands.
    unsafe fn record(&self, body: impl FnOnce(&ash::Device, vk::CommandBuffer)) -> Result<(), String> {
        let (d, cmd) = (&self.c.device, self.commands);
        let once = vk::CommandBufferUsageFlags::ONE_TIME_SUBMIT;
        let all = vk::PipelineStageFlags::ALL_COMMANDS;
        let done = vk::MemoryBarrier::default()
            .src_access_mask(vk::AccessFlags::MEMORY_WRITE)
            .dst_access_mask(vk::AccessFlags::HOST_READ | vk::AccessFlags::MEMORY_READ);
        // SAFETY: the caller promises an idle command buffer and valid commands, and only this program uses the pool.
        unsafe {
            d.reset_command_pool(self.pool, vk::CommandPoolResetFlags::empty()).map_err(text)?;
            d.begin_command_buffer(cmd, &vk::CommandBufferBeginInfo::default().flags(once)).map_err(text)?;
            body(d, cmd);
            let to = all | vk::PipelineStageFlags::HOST;
            d.cmd_pipeline_barrier(cmd, all, to, vk::DependencyFlags::empty(), &[done], &[], &[]);
            d.end_command_buffer(cmd).map_err(text)
        }
    }

    fn submit(&self) -> Result<(), String> {
        let all = [self.commands];
        let submit = [vk::SubmitInfo::default().command_buffers(&all)];
        // SAFETY: the commands use live objects of this device, and the lock of [`Shared`] keeps other programs off the
        // queue.
        unsafe {
            self.c.device.queue_submit(self.c.queue, &submit, vk::Fence::null()).map_err(text)?;
            self.c.device.queue_wait_idle(self.c.queue).map_err(text)
        }
    }
}

impl World<'_> {
    fn run(&mut self, tally: &mut Tally) -> Result<(), String> {
        // Shaders find something from the first dispatch on.
        for _ in 0..8 {
            self.make()?;
        }
        for _ in 0..128 {
            let (words, at, descriptor) = self.any_put()?;
            words.put(at, descriptor);
        }
        for _ in 0..60 {
            match self.r.below(8) {
                0 | 1 => self.make()?,
                2 if !self.things.is_empty() => {
                    let thing = self.things.swap_remove(self.r.below(self.things.len()));
                    // SAFETY: nothing is in flight, and `thing` has left the list of resources.
                    unsafe { end(&self.c.device, &thing) };
                    self.forget(&thing);
                }
                2..=4 => {
                    for _ in 0..8 {
                        let ((words, at, descriptor), write) = (self.any_put()?, self.any_write());
                        words.put(at, descriptor);
                        // SAFETY: nothing is in flight, and the object is live.
                        unsafe { update(&self.c.device, &write) };
                    }
                    tally.count("write of a descriptor", true, 16);
                }
                _ => self.dispatch(tally)?,
            }
        }
        Ok(())
    }

    /// Returns the piece of a destroyed resource to the free pieces.
    fn forget(&mut self, thing: &Thing) {
        if let Place::Piece(piece) = thing.place {
            self.free[piece] = Some(self.release(piece));
        }
    }
}

impl Drop for World<'_> {
    fn drop(&mut self) {
        let d = &self.c.device;
        // SAFETY: the wait below ends all submissions, and each object is destroyed once.
        unsafe {
            // After an error, a submission may still be running.
            let _ = d.device_wait_idle();
            self.things.iter().for_each(|thing| end(d, thing));
            let own = [&self.shared, &self.results, &self.steps, &self.indices];
            for mapped in own.into_iter().chain(&self.tables) {
                d.destroy_buffer(mapped.buffer, None);
                d.free_memory(mapped.memory, None);
            }
            d.destroy_descriptor_pool(self.descriptors, None);
            d.destroy_command_pool(self.pool, None);
        }
    }
}

//! Vulkan objects of hostile programs and their memory.
#![expect(unsafe_code, reason = "a Vulkan client")]

use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};

use ash::vk;

use super::super::{FIRST, SLOTS, WORDS};
use super::client::{Client, SAMPLER, TYPES, Way, text};
use crate::calls::heaps::DESCRIPTOR;

/// Size of a piece of the shared memory, in words.
pub(super) const PIECE: usize = 256;
pub(super) const PIECES: usize = 48;
pub(super) const FORMAT: vk::Format = vk::Format::R32_UINT;

/// The words of a descriptor.
pub(super) type Described = [u64; DESCRIPTOR as usize / 8];

/// Mapped words, which shaders and threads may write at any time.
#[derive(Clone, Copy)]
pub(super) struct Words {
    pub at: *mut u32,
    pub n: usize,
}

// SAFETY: every access is atomic, and the program frees the memory only after all users of the words have ended.
unsafe impl Send for Words {}
// SAFETY: every access is atomic, and the program frees the memory only after all users of the words have ended.
unsafe impl Sync for Words {}

impl Words {
    pub fn part(self, first: usize, n: usize) -> Words {
        assert!(first + n <= self.n);
        // SAFETY: `first + n` words lie within the words of `self`.
        Words { at: unsafe { self.at.add(first) }, n }
    }

    pub fn word(&self, i: usize) -> &AtomicU32 {
        assert!(i < self.n);
        // SAFETY: word `i` lies within the mapping, and the mapping is aligned.
        unsafe { AtomicU32::from_ptr(self.at.add(i)) }
    }

    pub fn fill(self, word: u32) {
        (0..self.n).for_each(|i| self.word(i).store(word, Ordering::Relaxed));
    }

    pub fn write(self, words: &[u32]) {
        words.iter().enumerate().for_each(|(i, w)| self.word(i).store(*w, Ordering::Relaxed));
    }

    pub fn read(self) -> Vec<u32> {
        (0..self.n).map(|i| self.word(i).load(Ordering::Relaxed)).collect()
    }

    /// Writes the words of a descriptor, each of 8 bytes at once, at an offset that is a multiple of 8 bytes.
    pub fn put(self, at: u64, descriptor: Described) {
        let i = at as usize / 4;
        assert!(at.is_multiple_of(8) && i + 2 * descriptor.len() <= self.n);
        for (k, word) in descriptor.into_iter().enumerate() {
            // SAFETY: all words lie within the mapping, and the address of the first is a multiple of 8.
            unsafe { AtomicU64::from_ptr(self.at.add(i + 2 * k).cast()) }.store(word, Ordering::Relaxed);
        }
    }
}

pub(super) struct Mapped {
    pub buffer: vk::Buffer,
    pub memory: vk::DeviceMemory,
    pub words: Words,
    pub address: u64,
}

/// Object that a descriptor refers to.
#[derive(Clone, Copy)]
pub(super) enum Object {
    Buffer { buffer: vk::Buffer, texels: vk::BufferView, address: u64 },
    Image { image: vk::Image, view: vk::ImageView },
}

#[derive(Clone, Copy)]
pub(super) enum Place {
    /// A piece of the shared memory.
    Piece(usize),
    Own(vk::DeviceMemory, Words),
}

/// A resource, and the value that all its words have.
#[derive(Clone, Copy)]
pub(super) struct Thing {
    pub word: u32,
    pub named: bool,
    pub object: Object,
    pub place: Place,
}

/// A descriptor write to a set of a pool.
#[derive(Clone, Copy)]
pub(super) struct Write {
    pub set: vk::DescriptorSet,
    pub binding: u32,
    pub element: u32,
    pub kind: usize,
    pub object: Option<Object>,
    /// Offset of the range in the buffer, in bytes.
    pub offset: u64,
    pub range: u64,
}

/// Allocates and maps memory for an object.
///
/// # Safety
/// `need` must be the requirements of an object of the client's device.
pub(super) unsafe fn allocate(
    c: &Client,
    need: vk::MemoryRequirements,
) -> Result<(vk::DeviceMemory, Words), String> {
    // SAFETY: the caller passes a live device and the object's requirements; the structures outlive the calls.
    unsafe {
        let kinds = c.instance.get_physical_device_memory_properties(c.physical);
        let wanted = vk::MemoryPropertyFlags::HOST_VISIBLE | vk::MemoryPropertyFlags::HOST_COHERENT;
        let fits = |i: &u32| {
            need.memory_type_bits >> i & 1 != 0
                && kinds.memory_types[*i as usize].property_flags.contains(wanted)
        };
        let kind = (0..kinds.memory_type_count).find(fits).ok_or("no memory that can be mapped")?;
        let mut flags = vk::MemoryAllocateFlagsInfo::default().flags(vk::MemoryAllocateFlags::DEVICE_ADDRESS);
        let info = vk::MemoryAllocateInfo::default().allocation_size(need.size).memory_type_index(kind);
        let memory = c.device.allocate_memory(&info.push_next(&mut flags), None).map_err(text)?;
        let at = c.device.map_memory(memory, 0, vk::WHOLE_SIZE, vk::MemoryMapFlags::empty());
        Ok((memory, Words { at: at.map_err(text)?.cast(), n: need.size as usize / 4 }))
    }
}

/// Creates a buffer, and returns it with its memory requirements.
///
/// # Safety
/// The size must be nonzero, and the usage supported by the client's device.
pub(super) unsafe fn new_buffer(
    c: &Client,
    size: u64,
    usage: vk::BufferUsageFlags,
) -> Result<(vk::Buffer, vk::MemoryRequirements), String> {
    let usage = usage | vk::BufferUsageFlags::SHADER_DEVICE_ADDRESS;
    let info = vk::BufferCreateInfo::default().size(size).usage(usage);
    // SAFETY: the caller passes a live device, and size and usage are valid.
    unsafe {
        let buffer = c.device.create_buffer(&info, None).map_err(text)?;
        Ok((buffer, c.device.get_buffer_memory_requirements(buffer)))
    }
}

/// Returns the device address of a buffer.
///
/// # Safety
/// The buffer must be live, bound to memory, and created by [`new_buffer`].
pub(super) unsafe fn address_of(c: &Client, buffer: vk::Buffer) -> u64 {
    let info = vk::BufferDeviceAddressInfo::default().buffer(buffer);
    // SAFETY: the buffer is bound to memory, and was created with the device address usage.
    unsafe { c.device.get_buffer_device_address(&info) }
}

/// Creates a buffer in mapped memory.
///
/// # Safety
/// The conditions of [`new_buffer`] must hold.
pub(super) unsafe fn mapped(c: &Client, size: u64, usage: vk::BufferUsageFlags) -> Result<Mapped, String> {
    // SAFETY: the caller passes a live device and a live object; the parameters are valid for it.
    unsafe {
        let (buffer, need) = new_buffer(c, size, usage)?;
        let (memory, words) = allocate(c, need)?;
        c.device.bind_buffer_memory(buffer, memory, 0).map_err(text)?;
        Ok(Mapped { buffer, memory, words: words.part(0, size as usize / 4), address: address_of(c, buffer) })
    }
}

/// Creates a pool and a set for each way that uses sets.
///
/// # Safety
/// The layouts of the client must be live.
pub(super) unsafe fn sets(c: &Client) -> Result<(vk::DescriptorPool, [vk::DescriptorSet; 2]), String> {
    let size = |ty, n| vk::DescriptorPoolSize { ty, descriptor_count: n };
    let mut sizes: Vec<_> = TYPES.iter().map(|ty| size(*ty, 2 * SLOTS)).collect();
    sizes.push(size(vk::DescriptorType::STORAGE_BUFFER, 2 * FIRST));
    sizes.push(size(vk::DescriptorType::MUTABLE_EXT, SLOTS));
    let mut lists = vec![vk::MutableDescriptorTypeListEXT::default(); sizes.len()];
    lists[sizes.len() - 1] = lists[0].descriptor_types(&TYPES[..SAMPLER]);
    let mut lists = vk::MutableDescriptorTypeCreateInfoEXT::default().mutable_descriptor_type_lists(&lists);
    let info = vk::DescriptorPoolCreateInfo::default()
        .flags(vk::DescriptorPoolCreateFlags::UPDATE_AFTER_BIND)
        .max_sets(2)
        .pool_sizes(&sizes)
        .push_next(&mut lists);
    let of_pools = c.ways.iter().filter(|bound| matches!(bound.way, Way::Pool(_)));
    let layouts: Vec<_> = of_pools.map(|bound| bound.set).collect();
    // SAFETY: the layouts of the client are live, and the structures live until the calls return.
    unsafe {
        let pool = c.device.create_descriptor_pool(&info, None).map_err(text)?;
        let info = vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
        let sets = c.device.allocate_descriptor_sets(&info).map_err(text)?;
        Ok((pool, sets.try_into().map_err(|_| "not two sets")?))
    }
}

/// Writes a descriptor of a set.
///
/// # Safety
/// The set and the object must be live, and no other thread may update the set.
pub(super) unsafe fn update(d: &ash::Device, w: &Write) {
    let (mut buffer, mut image) =
        (vk::DescriptorBufferInfo::default().range(vk::WHOLE_SIZE), vk::DescriptorImageInfo::default());
    let mut view = vk::BufferView::null();
    match w.object {
        Some(Object::Buffer { buffer: of, texels, .. }) => {
            buffer = vk::DescriptorBufferInfo { buffer: of, offset: w.offset, range: w.range };
            view = texels;
        }
        Some(Object::Image { view, .. }) => {
            image = image.image_view(view).image_layout(vk::ImageLayout::GENERAL);
        }
        None => {}
    }
    let (buffer, image, view) = ([buffer], [image], [view]);
    let write = vk::WriteDescriptorSet::default()
        .dst_set(w.set)
        .dst_binding(w.binding)
        .dst_array_element(w.element)
        .descriptor_type(TYPES[w.kind]);
    let write = match TYPES[w.kind] {
        vk::DescriptorType::STORAGE_BUFFER | vk::DescriptorType::UNIFORM_BUFFER => write.buffer_info(&buffer),
        vk::DescriptorType::UNIFORM_TEXEL_BUFFER => write.texel_buffer_view(&view),
        _ => write.image_info(&image),
    };
    // SAFETY: the caller passes a live object, and no other thread updates the set.
    unsafe { d.update_descriptor_sets(&[write], &[]) };
}

/// Destroys a resource, and frees its memory if it has its own.
///
/// # Safety
/// No unfinished submission may access the resource, except through stale descriptors.
pub(super) unsafe fn end(d: &ash::Device, thing: &Thing) {
    // SAFETY: the caller gives up the object; an unfinished submission may access it only through stale descriptors,
    // which valid usage permits.
    unsafe {
        match thing.object {
            Object::Buffer { buffer, texels, .. } => {
                d.destroy_buffer_view(texels, None);
                d.destroy_buffer(buffer, None);
            }
            Object::Image { image, view } => {
                d.destroy_image_view(view, None);
                d.destroy_image(image, None);
            }
        }
        if let Place::Own(memory, _) = thing.place {
            d.free_memory(memory, None);
        }
    }
}

/// Creates an image with as many texels as a buffer has words.
///
/// # Safety
/// The client's device must be live.
pub(super) unsafe fn new_image(c: &Client) -> Result<(vk::Image, vk::MemoryRequirements), String> {
    use vk::ImageUsageFlags as U;
    let info = vk::ImageCreateInfo::default()
        .image_type(vk::ImageType::TYPE_2D)
        .format(FORMAT)
        .extent(vk::Extent3D { width: 8, height: (WORDS / 8) as u32, depth: 1 })
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(U::SAMPLED | U::STORAGE | U::TRANSFER_DST);
    // SAFETY: the client's device is live, and it supports images of this format and usage.
    unsafe {
        let image = c.device.create_image(&info, None).map_err(text)?;
        Ok((image, c.device.get_image_memory_requirements(image)))
    }
}

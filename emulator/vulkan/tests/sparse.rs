//! Sparse buffers and images: memory is bound and unbound in pieces.

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::Gpu;
use crate::common::bench::{Bench, Draw, When};
use crate::common::sparse::{
    COPIES, Kernel, PAGE, SIZE, TEXELS, barrier, bind, bind_blocks, bind_buffer, block, download, gpu, image,
    memory, piece, sparse_buffer_with, texels, upload,
};
use ash::vk;

/// A piece shows the contents of its memory, wherever it is bound. Spec: Vulkan, "Sparse Buffers".
#[test]
fn a_buffer_shows_the_pieces_that_are_bound() {
    let gpu = gpu();
    let flags = vk::BufferCreateFlags::SPARSE_BINDING | vk::BufferCreateFlags::SPARSE_RESIDENCY;
    let info = vk::BufferCreateInfo::default().flags(flags).size(4 * PAGE - 100).usage(COPIES);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let buffer = gpu.device.create_buffer(&info, None).unwrap();
        let need = gpu.device.get_buffer_memory_requirements(buffer);
        assert_eq!((need.size, need.alignment), (4 * PAGE, PAGE));
        let memory = memory(&gpu, need, 3);
        let map = |binds: &[vk::SparseMemoryBind]| {
            let buffers = [vk::SparseBufferMemoryBindInfo::default().buffer(buffer).binds(binds)];
            bind(&gpu, vk::BindSparseInfo::default().buffer_binds(&buffers));
        };
        map(&[piece(0, memory, 2), piece(3, memory, 0)]);
        let d = &gpu.device;
        gpu.run(|c| {
            d.cmd_fill_buffer(c, buffer, 0, PAGE, 1);
            d.cmd_fill_buffer(c, buffer, 3 * PAGE, PAGE - 100, 2);
        });
        let at = d.map_memory(memory, 0, vk::WHOLE_SIZE, Default::default()).unwrap().cast::<u32>();
        let word = |page: u64| at.add((page * PAGE / 4) as usize).read();
        assert_eq!([word(0), word(1), word(2)], [2, 0, 1]);
        // The pieces are rebound in another order and keep their contents; the middle is unbound.
        map(&[piece(3, memory, 2), piece(0, memory, 0), piece(1, memory, 1)]);
        map(&[piece(1, vk::DeviceMemory::null(), 0)]);
        let out = gpu.buffer(4 * PAGE, COPIES);
        let region = [vk::BufferCopy { src_offset: 0, dst_offset: 0, size: 4 * PAGE - 100 }];
        gpu.run(|c| d.cmd_copy_buffer(c, buffer, out.buffer, &region));
        let words = out.read::<u32>();
        assert_eq!([0, 3].map(|page| words[page * PAGE as usize / 4]), [2, 1]);
        // Freed memory may still be bound.
        d.free_memory(memory, None);
        gpu.run(|c| d.cmd_fill_buffer(c, buffer, 0, 4 * PAGE - 100, 7));
        d.destroy_buffer(buffer, None);
        out.destroy(&gpu);
    }
}

/// Spec: Vulkan, "Sparse Partially-Resident Images", "Standard Sparse Image Block Shapes".
#[test]
fn blocks_keep_their_texels_with_their_memory() {
    let gpu = gpu();
    let (one, two) = (image(&gpu), image(&gpu));
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let need = gpu.device.get_image_memory_requirements(one);
        let sparse = gpu.device.get_image_sparse_memory_requirements(one);
        let blocks = sparse[0].format_properties.image_granularity;
        assert_eq!((blocks.width, blocks.height, blocks.depth), (128, 128, 1));
        assert_eq!((sparse.len(), sparse[0].image_mip_tail_first_lod), (1, 2));
        assert_eq!(need.size, 5 * PAGE + sparse[0].image_mip_tail_size);
        let memory = memory(&gpu, need, 4);
        let all =
            [block(0, 0, memory, 0), block(1, 0, memory, 1), block(0, 1, memory, 2), block(1, 1, memory, 3)];
        bind_blocks(&gpu, one, &all);
        let texels: Vec<u32> = (0..SIZE * SIZE).collect();
        let from = gpu.buffer(u64::from(SIZE * SIZE * 4), COPIES);
        from.write(&texels);
        upload(&gpu, &from, one);
        assert_eq!(download(&gpu, one), texels);
        // Two blocks are swapped in one batch.
        bind_blocks(&gpu, one, &[block(0, 0, memory, 3), block(1, 1, memory, 0)]);
        let swapped = download(&gpu, one);
        let at = |x: usize, y: usize| y * SIZE as usize + x;
        assert_eq!(swapped[at(5, 7)], texels[at(128 + 5, 128 + 7)]);
        assert_eq!(swapped[at(200, 255)], texels[at(72, 127)]);
        assert_eq!(swapped[at(200, 7)], texels[at(200, 7)]);
        // One block is moved to another image.
        bind_blocks(&gpu, one, &[block(1, 0, vk::DeviceMemory::null(), 0)]);
        bind_blocks(&gpu, two, &[block(0, 1, memory, 1)]);
        assert_eq!(download(&gpu, two)[at(3, 128 + 9)], texels[at(128 + 3, 9)]);
        from.destroy(&gpu);
        gpu.device.destroy_image(one, None);
        gpu.device.destroy_image(two, None);
        gpu.device.free_memory(memory, None);
    }
}

/// Residency codes are correct. Spec: SPIR-V, OpImageSparseFetch and OpImageSparseTexelsResident.
#[test]
fn shaders_are_told_which_texels_are_there() {
    let gpu = gpu();
    let d = &gpu.device;
    let image = image(&gpu);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let need = d.get_image_memory_requirements(image);
        let memory = memory(&gpu, need, 1);
        bind_blocks(&gpu, image, &[block(1, 0, memory, 0)]);
        let from = gpu.buffer(u64::from(SIZE * SIZE * 4), COPIES);
        from.write(&vec![9u32; (SIZE * SIZE) as usize]);
        // Writes to unbound texels are not visible.
        upload(&gpu, &from, image);
        let out = gpu.buffer(u64::from(SIZE) * 8, vk::BufferUsageFlags::STORAGE_BUFFER);
        let shader = include_str!("shaders/residency.comp.spvasm");
        let kernel = Kernel::new(&gpu, shader, vk::DescriptorType::SAMPLED_IMAGE, image, out.buffer);
        gpu.run(|c| kernel.dispatch(&gpu, c, [SIZE / 8, 1]));
        // For each texel of row 0: residency, and value.
        let words = out.read::<[u32; 2]>();
        for (x, told) in words.iter().enumerate() {
            assert_eq!(*told, if x >= 128 { [1, 9] } else { [0, 0] }, "texel {x}");
        }
        kernel.destroy(&gpu);
        d.destroy_image(image, None);
        d.free_memory(memory, None);
        from.destroy(&gpu);
        out.destroy(&gpu);
    }
}

/// Invalid pieces, and memory of the wrong kind, are refused at submission.
#[test]
fn pieces_that_do_not_fit_are_refused() {
    let gpu = gpu();
    let flags = vk::BufferCreateFlags::SPARSE_BINDING;
    let info = vk::BufferCreateInfo::default().flags(flags).size(2 * PAGE).usage(COPIES);
    // SAFETY: the calls are invalid usage, which the driver checks.
    unsafe {
        let buffer = gpu.device.create_buffer(&info, None).unwrap();
        let need = gpu.device.get_buffer_memory_requirements(buffer);
        let memory = memory(&gpu, need, 1);
        let ordinary = vk::MemoryAllocateInfo::default().allocation_size(PAGE);
        let ordinary = gpu.device.allocate_memory(&ordinary, None).unwrap();
        for wrong in
            [piece(2, memory, 0), piece(0, memory, 1), piece(0, ordinary, 0), piece(0, memory, 0).size(0)]
        {
            let list = [wrong];
            let buffers = [vk::SparseBufferMemoryBindInfo::default().buffer(buffer).binds(&list)];
            let info = vk::BindSparseInfo::default().buffer_binds(&buffers);
            assert!(gpu.device.queue_bind_sparse(gpu.queue, &[info], vk::Fence::null()).is_err());
        }
        gpu.device.destroy_buffer(buffer, None);
        gpu.device.free_memory(memory, None);
        gpu.device.free_memory(ordinary, None);
    }
}

/// Stores and atomics to unbound texels do nothing, and loads return zero.
#[test]
fn shaders_leave_nothing_where_nothing_is_bound() {
    let gpu = gpu();
    let image = image(&gpu);
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    let need = unsafe { gpu.device.get_image_memory_requirements(image) };
    let memory = memory(&gpu, need, 1);
    bind_blocks(&gpu, image, &[block(1, 0, memory, 0)]);
    let is_there = |i: usize| i as u32 % SIZE >= 128 && (i as u32) < 128 * SIZE;
    let kind = vk::DescriptorType::STORAGE_IMAGE;
    let from = texels(&gpu, |i| i + 1);
    let store = Kernel::new(&gpu, include_str!("shaders/store.comp.spvasm"), kind, image, from.buffer);
    let to = texels(&gpu, |_| 3);
    let load = Kernel::new(&gpu, include_str!("shaders/load.comp.spvasm"), kind, image, to.buffer);
    let pairs = gpu.buffer(TEXELS as u64 * 8, vk::BufferUsageFlags::STORAGE_BUFFER);
    let count = Kernel::new(&gpu, include_str!("shaders/count.comp.spvasm"), kind, image, pairs.buffer);
    gpu.run(|c| {
        store.dispatch(&gpu, c, [SIZE / 8; 2]);
        barrier(&gpu, c);
        load.dispatch(&gpu, c, [SIZE / 8; 2]);
        barrier(&gpu, c);
        count.dispatch(&gpu, c, [SIZE / 8; 2]);
    });
    let loaded: Vec<u32> = to.read();
    let counted: Vec<[u32; 2]> = pairs.read();
    let last = download(&gpu, image);
    for i in 0..TEXELS {
        let value = |add| if is_there(i) { i as u32 + 1 + add } else { 0 };
        assert_eq!(
            (loaded[i], counted[i], last[i]),
            (value(0), [value(5), value(10)], value(10)),
            "texel {i}"
        );
    }
    [store, load, count].into_iter().for_each(|kernel| kernel.destroy(&gpu));
    [from, to, pairs].into_iter().for_each(|buffer| buffer.destroy(&gpu));
    // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_image(image, None);
        gpu.device.free_memory(memory, None);
    }
}

/// Initial words of the bound pages of a [`Gap`].
const UNTOUCHED: u32 = 0xeeee_eeee;

/// A buffer of three pages, of which the middle one is unbound.
struct Gap {
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

impl Gap {
    fn new(gpu: &Gpu, usage: vk::BufferUsageFlags) -> Gap {
        let buffer = sparse_buffer_with(gpu, 3 * PAGE, vk::BufferCreateFlags::empty(), usage);
        // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
        let memory = memory(gpu, unsafe { gpu.device.get_buffer_memory_requirements(buffer) }, 3);
        bind_buffer(gpu, buffer, &[piece(0, memory, 0), piece(2, memory, 2)]);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        gpu.run(|c| unsafe { gpu.device.cmd_fill_buffer(c, buffer, 0, vk::WHOLE_SIZE, UNTOUCHED) });
        Gap { buffer, memory }
    }

    fn words(&self, gpu: &Gpu) -> Vec<u32> {
        let out = gpu.buffer(3 * PAGE, COPIES);
        let region = [vk::BufferCopy { src_offset: 0, dst_offset: 0, size: 3 * PAGE }];
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        gpu.run(|c| unsafe { gpu.device.cmd_copy_buffer(c, self.buffer, out.buffer, &region) });
        let words = out.read();
        out.destroy(gpu);
        words
    }

    /// Checks each word, with zeros in the unbound page. Then binds memory to that page and checks that earlier writes
    /// to it are not visible.
    fn check(&self, gpu: &Gpu, written: impl Fn(usize) -> Option<u32>) {
        let page = PAGE as usize / 4;
        for (i, word) in self.words(gpu).into_iter().enumerate() {
            let there = i / page != 1;
            assert_eq!(word, if there { written(i).unwrap_or(UNTOUCHED) } else { 0 }, "word {i}");
        }
        bind_buffer(gpu, self.buffer, &[piece(1, self.memory, 1)]);
        assert!(self.words(gpu)[page..2 * page].iter().all(|word| *word == 0));
    }

    fn destroy(self, gpu: &Gpu) {
        // SAFETY: the commands that use the buffer are done, and it is not used afterwards.
        unsafe {
            gpu.device.destroy_buffer(self.buffer, None);
            gpu.device.free_memory(self.memory, None);
        }
    }
}

/// At both ends of the unbound page, a result and its availability lie in different pages.
#[test]
fn results_of_queries_go_where_memory_is() {
    const N: u32 = 47;
    const AT: u64 = 4088;
    const STRIDE: u64 = 4096;
    let gpu = gpu();
    let d = &gpu.device;
    let gap = Gap::new(&gpu, vk::BufferUsageFlags::empty());
    let info = vk::QueryPoolCreateInfo::default().query_type(vk::QueryType::TIMESTAMP).query_count(N);
    let flags = vk::QueryResultFlags::TYPE_64 | vk::QueryResultFlags::WITH_AVAILABILITY;
    let mut told = vec![[0u64; 2]; N as usize];
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let pool = d.create_query_pool(&info, None).unwrap();
        gpu.run(|c| {
            d.cmd_reset_query_pool(c, pool, 0, N);
            // One query is not available.
            (0..N).filter(|i| *i != 3).for_each(|i| {
                d.cmd_write_timestamp(c, vk::PipelineStageFlags::ALL_COMMANDS, pool, i);
            });
            d.cmd_copy_query_pool_results(c, pool, 0, N, gap.buffer, AT, STRIDE, flags);
        });
        let code = d.get_query_pool_results(pool, 0, &mut told, flags);
        assert_eq!(code, Err(vk::Result::NOT_READY));
        d.destroy_query_pool(pool, None);
    }
    assert!((0..).zip(&told).all(|(i, [time, there])| (*time > 0, *there) == (i != 3, u64::from(i != 3))));
    gap.check(&gpu, |word| {
        let (at, stride) = ((word as u64 * 4).checked_sub(AT)?, STRIDE);
        let (query, byte) = ((at / stride) as usize, at % stride);
        let value = *told.get(query)?.get(byte as usize / 8)?;
        // An unavailable result is not written.
        let half = (value >> (byte % 8 * 8)) as u32;
        (query != 3 || byte >= 8).then_some(half)
    });
    gap.destroy(&gpu);
}

/// Captures vertices of 20 bytes, which straddle pages, and of 16 bytes. One counter lies before the unbound page, the
/// other in it.
#[test]
fn vertices_are_captured_where_memory_is() {
    use vk::BufferUsageFlags as Usage;
    const VERTICES: u32 = 9828;
    let bench = Bench::with(|features| features.sparse_binding(true).sparse_residency_buffer(true));
    let gpu = &bench.gpu;
    let captured = [(); 2].map(|()| Gap::new(gpu, Usage::TRANSFORM_FEEDBACK_BUFFER_EXT));
    let counters = Gap::new(gpu, Usage::TRANSFORM_FEEDBACK_COUNTER_BUFFER_EXT);
    let commands = ash::ext::transform_feedback::Device::new(&gpu.instance, &gpu.device);
    let shaders = [
        (vk::ShaderStageFlags::VERTEX, include_str!("shaders/captured.vert.spvasm")),
        (vk::ShaderStageFlags::FRAGMENT, include_str!("shaders/color.frag.spvasm")),
    ];
    let topology = vk::PrimitiveTopology::TRIANGLE_LIST;
    let draw = Draw { shaders: &shaders, topology, vertices: VERTICES, ..Draw::default() };
    let (to, zeros, whole) = ([captured[0].buffer, captured[1].buffer], [0; 2], std::ptr::null());
    let (of, at) = ([counters.buffer; 2], [PAGE - 4, PAGE]);
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    bench.draw_with(&draw, |cmd, when| unsafe {
        let fp = commands.fp();
        let none = std::ptr::null();
        match when {
            When::Before => {
                let bind = fp.cmd_bind_transform_feedback_buffers_ext;
                bind(cmd, 0, 2, to.as_ptr(), zeros.as_ptr(), whole);
            }
            When::Begin => (fp.cmd_begin_transform_feedback_ext)(cmd, 0, 0, none, std::ptr::null()),
            When::End => (fp.cmd_end_transform_feedback_ext)(cmd, 0, 2, of.as_ptr(), at.as_ptr()),
            When::After => {}
        }
    });
    let vertex = |word: usize, words: usize| Some((word / words) as u32).filter(|v| *v < VERTICES);
    captured[0].check(gpu, |word| {
        let numbers = [UNTOUCHED, (vertex(word, 5)? as f32).to_bits(), 0, 0.5f32.to_bits(), 1f32.to_bits()];
        Some(numbers[word % 5])
    });
    captured[1].check(gpu, |word| {
        let place = |bit: u32| (bit as f32 * 2.0 - 1.0).to_bits();
        let v = vertex(word, 4)?;
        Some([place(v & 1), place(v >> 1), 0, 1f32.to_bits()][word % 4])
    });
    counters.check(gpu, |word| (word == PAGE as usize / 4 - 1).then_some(VERTICES * 20));
    captured.into_iter().chain([counters]).for_each(|gap| gap.destroy(gpu));
}

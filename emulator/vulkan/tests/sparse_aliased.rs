//! Memory bound to several places of sparse resources: texels written in one place are visible in the others. Spec:
//! Vulkan, "Sparse Memory Aliasing".

#![expect(unsafe_code, reason = "a Vulkan client")]

use crate::common::sparse::{
    COPIES, Kernel, PAGE, SIZE, TEXELS, barrier, bind_blocks, bind_buffer, bind_opaque, block, block_of,
    cmd_download, cmd_upload, download, download_level, extent, gpu, gpu_with, image_with, layers, memory,
    piece, sparse_buffer, texels, upload, view,
};
use crate::common::{self, Gpu};
use ash::vk;

/// Width and height of a block in texels, and number of texels of a block.
const BLOCK: usize = 128;
const WORDS: usize = BLOCK * BLOCK;

fn aliased(gpu: &Gpu) -> vk::Image {
    image_with(gpu, vk::ImageCreateFlags::SPARSE_ALIASED, vk::Format::R32_UINT)
}

fn memory_of(gpu: &Gpu, image: vk::Image, pages: u64) -> vk::DeviceMemory {
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the call.
    memory(gpu, unsafe { gpu.device.get_image_memory_requirements(image) }, pages)
}

/// Binds the four blocks of level 0 to pages of a memory.
fn bind_all(gpu: &Gpu, image: vk::Image, memory: vk::DeviceMemory, pages: [u64; 4]) {
    let at = [(0, 0), (1, 0), (0, 1), (1, 1)];
    let binds: Vec<_> = at.iter().zip(pages).map(|(&(x, y), page)| block(x, y, memory, page)).collect();
    bind_blocks(gpu, image, &binds);
}

/// Returns the texels of an image whose blocks are bound to pages `ours`, given those of an image with pages `theirs`.
fn seen(texels: &[u32], theirs: [u64; 4], ours: [u64; 4]) -> Vec<u32> {
    let place = |block: usize, i: usize| {
        let (x, y) = (block % 2 * BLOCK + i % BLOCK, block / 2 * BLOCK + i / BLOCK);
        y * SIZE as usize + x
    };
    let mut out = vec![0; TEXELS];
    for (block, page) in ours.iter().enumerate() {
        let other = theirs.iter().position(|p| p == page).unwrap();
        (0..WORDS).for_each(|i| out[place(block, i)] = texels[place(other, i)]);
    }
    out
}

const ONE: [u64; 4] = [0, 1, 2, 3];
const TWO: [u64; 4] = [3, 1, 0, 2];

/// Creates two images with the same memory, whose blocks have a different order.
fn two(gpu: &Gpu) -> (vk::Image, vk::Image, vk::DeviceMemory) {
    let (one, two) = (aliased(gpu), aliased(gpu));
    let memory = memory_of(gpu, one, 4);
    bind_all(gpu, one, memory, ONE);
    bind_all(gpu, two, memory, TWO);
    (one, two, memory)
}

fn destroy(gpu: &Gpu, images: &[vk::Image], memory: vk::DeviceMemory) {
    // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
    unsafe {
        images.iter().for_each(|image| gpu.device.destroy_image(*image, None));
        gpu.device.free_memory(memory, None);
    }
}

#[test]
fn aliasing_is_offered() {
    let gpu = gpu();
    let flags = vk::ImageCreateFlags::SPARSE_BINDING
        | vk::ImageCreateFlags::SPARSE_RESIDENCY
        | vk::ImageCreateFlags::SPARSE_ALIASED;
    // SAFETY: valid usage of Vulkan: the handles and the output structures are live during the calls.
    unsafe {
        assert_eq!(
            gpu.instance.get_physical_device_features(gpu.physical).sparse_residency_aliased,
            vk::TRUE
        );
        let offered = gpu.instance.get_physical_device_image_format_properties(
            gpu.physical,
            vk::Format::R8G8B8A8_UNORM,
            vk::ImageType::TYPE_2D,
            vk::ImageTiling::OPTIMAL,
            vk::ImageUsageFlags::SAMPLED,
            flags,
        );
        assert!(offered.is_ok());
    }
}

/// Copies of one command buffer see each other's texels, with barriers between the commands.
#[test]
fn copies_to_one_image_are_seen_in_the_other() {
    let gpu = gpu();
    let (one, two, memory) = two(&gpu);
    let (from, to) = (texels(&gpu, |i| i + 1), [(); 2].map(|()| texels(&gpu, |_| 0)));
    gpu.run(|c| {
        cmd_upload(&gpu, c, &from, one, 0);
        barrier(&gpu, c);
        cmd_download(&gpu, c, two, to[0].buffer, 0);
        // A part is overwritten through the other image.
        let region = vk::ImageCopy::default()
            .src_subresource(layers(0))
            .dst_subresource(layers(0))
            .dst_offset(vk::Offset3D { x: 120, y: 7, z: 0 })
            .extent(vk::Extent3D { width: 16, height: 1, depth: 1 });
        let layout = vk::ImageLayout::GENERAL;
        barrier(&gpu, c);
        // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the command are live.
        unsafe { gpu.device.cmd_copy_image(c, one, layout, two, layout, &[region]) };
        barrier(&gpu, c);
        cmd_download(&gpu, c, one, to[1].buffer, 0);
    });
    let first: Vec<u32> = (1..=TEXELS as u32).collect();
    let mut second = seen(&first, ONE, TWO);
    assert!(to[0].read::<u32>() == second, "after the first copy");
    second[7 * SIZE as usize + 120..][..16].copy_from_slice(&first[..16]);
    assert!(to[1].read::<u32>() == seen(&second, TWO, ONE), "after the second");
    [from].into_iter().chain(to).for_each(|b| b.destroy(&gpu));
    destroy(&gpu, &[one, two], memory);
}

#[test]
fn shaders_store_in_one_image_and_load_from_the_other() {
    let gpu = gpu();
    let (one, two, memory) = two(&gpu);
    let (from, to) = (texels(&gpu, |i| i ^ 0x5555), texels(&gpu, |_| 0));
    let kind = vk::DescriptorType::STORAGE_IMAGE;
    let store = Kernel::new(&gpu, include_str!("shaders/store.comp.spvasm"), kind, two, from.buffer);
    let load = Kernel::new(&gpu, include_str!("shaders/load.comp.spvasm"), kind, one, to.buffer);
    gpu.run(|c| {
        store.dispatch(&gpu, c, [SIZE / 8; 2]);
        barrier(&gpu, c);
        load.dispatch(&gpu, c, [SIZE / 8; 2]);
    });
    assert!(to.read::<u32>() == seen(&from.read::<u32>(), TWO, ONE));
    store.destroy(&gpu);
    load.destroy(&gpu);
    from.destroy(&gpu);
    to.destroy(&gpu);
    destroy(&gpu, &[one, two], memory);
}

/// Clears by a command, by a load operation and within a rendering scope reach both images.
#[test]
fn clears_and_attachments_are_seen_in_the_other_image() {
    let gpu = gpu();
    let (one, two, memory) = two(&gpu);
    let of_two = view(&gpu, two, vk::Format::R32_UINT);
    let rendering = ash::khr::dynamic_rendering::Device::new(&gpu.instance, &gpu.device);
    let rect = |x, y, width, height| vk::Rect2D {
        offset: vk::Offset2D { x, y },
        extent: vk::Extent2D { width, height },
    };
    let value = |v| vk::ClearValue { color: vk::ClearColorValue { uint32: [v; 4] } };
    let attachment = [vk::RenderingAttachmentInfo::default()
        .image_view(of_two)
        .image_layout(vk::ImageLayout::GENERAL)
        .load_op(vk::AttachmentLoadOp::CLEAR)
        .store_op(vk::AttachmentStoreOp::STORE)
        .clear_value(value(8))];
    let info = vk::RenderingInfo::default()
        .render_area(rect(100, 0, 100, 200))
        .layer_count(1)
        .color_attachments(&attachment);
    let clear = vk::ClearAttachment {
        aspect_mask: vk::ImageAspectFlags::COLOR,
        color_attachment: 0,
        clear_value: value(9),
    };
    let inside = vk::ClearRect { rect: rect(150, 10, 3, 4), base_array_layer: 0, layer_count: 1 };
    let out = texels(&gpu, |_| 0);
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    gpu.run(|c| unsafe {
        let colour = vk::ClearColorValue { uint32: [7; 4] };
        gpu.device.cmd_clear_color_image(c, one, vk::ImageLayout::GENERAL, &colour, &[common::WHOLE]);
        barrier(&gpu, c);
        rendering.cmd_begin_rendering(c, &info);
        gpu.device.cmd_clear_attachments(c, &[clear], &[inside]);
        rendering.cmd_end_rendering(c);
        barrier(&gpu, c);
        cmd_download(&gpu, c, one, out.buffer, 0);
    });
    let in_two: Vec<u32> = (0..TEXELS as u32)
        .map(|i| match (i % SIZE, i / SIZE) {
            (150..153, 10..14) => 9,
            (100..200, 0..200) => 8,
            _ => 7,
        })
        .collect();
    assert!(out.read::<u32>() == seen(&in_two, TWO, ONE));
    out.destroy(&gpu);
    // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
    unsafe { gpu.device.destroy_image_view(of_two, None) };
    destroy(&gpu, &[one, two], memory);
}

/// The rows of a block are consecutive in its page: buffers read and write them.
#[test]
fn images_and_buffers_share_pages() {
    let gpu = gpu();
    let (image, buffer) =
        (aliased(&gpu), sparse_buffer(&gpu, 2 * PAGE, vk::BufferCreateFlags::SPARSE_ALIASED));
    let memory = memory_of(&gpu, image, 2);
    let (from, out) = (texels(&gpu, |i| i), gpu.buffer(2 * PAGE, COPIES));
    bind_blocks(&gpu, image, &[block(1, 1, memory, 1)]);
    upload(&gpu, &from, image);
    bind_buffer(&gpu, buffer, &[piece(0, memory, 0), piece(1, memory, 1)]);
    let d = &gpu.device;
    let place = |i: usize| (BLOCK + i / BLOCK) * SIZE as usize + BLOCK + i % BLOCK;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        gpu.run(|c| {
            d.cmd_copy_buffer(
                c,
                buffer,
                out.buffer,
                &[vk::BufferCopy { size: 2 * PAGE, ..Default::default() }],
            );
            barrier(&gpu, c);
            d.cmd_fill_buffer(c, buffer, PAGE + 4 * 200, 4 * 100, 77);
        });
        let words = out.read::<u32>();
        assert!((0..WORDS).all(|i| words[WORDS + i] as usize == place(i)), "the buffer sees the image");
        let texels = download(&gpu, image);
        let expected = |i: usize| if (200..300).contains(&i) { 77 } else { place(i) as u32 };
        assert!((0..WORDS).all(|i| texels[place(i)] == expected(i)), "the image sees the buffer");
        d.destroy_buffer(buffer, None);
    }
    from.destroy(&gpu);
    out.destroy(&gpu);
    destroy(&gpu, &[image], memory);
}

/// Pages that are rebound elsewhere, also to later images, keep the last texels written to them.
#[test]
fn pages_keep_their_texels_when_they_are_bound_elsewhere() {
    let gpu = gpu();
    let (one, two, memory) = two(&gpu);
    let from = texels(&gpu, |i| 3 * i);
    upload(&gpu, &from, two);
    // One image alone has the page, writes it, and then shares it again.
    bind_blocks(&gpu, one, &[block(0, 0, vk::DeviceMemory::null(), 0)]);
    let more = texels(&gpu, |i| 5 * i);
    upload(&gpu, &more, two);
    bind_blocks(&gpu, one, &[block(0, 0, memory, 0)]);
    let written: Vec<u32> = more.read();
    assert!(download(&gpu, one) == seen(&written, TWO, ONE), "bound again");
    // Both are rebound in one batch.
    bind_all(&gpu, one, memory, TWO);
    assert!(download(&gpu, one) == written, "bound elsewhere");
    upload(&gpu, &from, one);
    // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
    unsafe {
        gpu.device.destroy_image(one, None);
        gpu.device.destroy_image(two, None);
    }
    let third = aliased(&gpu);
    bind_all(&gpu, third, memory, ONE);
    assert!(download(&gpu, third) == seen(&from.read::<u32>(), TWO, ONE), "in an image that came later");
    from.destroy(&gpu);
    more.destroy(&gpu);
    destroy(&gpu, &[third], memory);
}

/// One page is bound to two blocks of an image, and to a block of another level.
#[test]
fn blocks_of_one_image_share_a_page() {
    let gpu = gpu();
    let image = aliased(&gpu);
    let memory = memory_of(&gpu, image, 1);
    bind_blocks(&gpu, image, &[block(0, 0, memory, 0), block(1, 1, memory, 0), block_of(1, 0, 0, memory, 0)]);
    let from = texels(&gpu, |i| i);
    let row = |x, y, to_level, to_x, to_y| {
        vk::ImageCopy::default()
            .src_subresource(layers(0))
            .src_offset(vk::Offset3D { x, y, z: 0 })
            .dst_subresource(layers(to_level))
            .dst_offset(vk::Offset3D { x: to_x, y: to_y, z: 0 })
            .extent(vk::Extent3D { width: 128, height: 1, depth: 1 })
    };
    let copy = vk::BufferImageCopy::default()
        .buffer_row_length(SIZE)
        .image_subresource(layers(1))
        .image_extent(extent(1));
    let layout = vk::ImageLayout::GENERAL;
    // SAFETY: valid usage of Vulkan: recording has begun, and all objects in the commands are live.
    gpu.run(|c| unsafe {
        gpu.device.cmd_copy_buffer_to_image(c, from.buffer, image, layout, &[copy]);
        barrier(&gpu, c);
        // Row 3 of the second block is copied to row 4 of the first.
        gpu.device.cmd_copy_image(c, image, layout, image, layout, &[row(128, 131, 0, 0, 4)]);
        barrier(&gpu, c);
        gpu.device.cmd_copy_image(c, image, layout, image, layout, &[row(0, 4, 1, 0, 5)]);
    });
    let value = |x: usize, y: usize| ((if y == 4 || y == 5 { 3 } else { y }) * SIZE as usize + x) as u32;
    let (level, small) = (download(&gpu, image), download_level(&gpu, image, 1));
    for (x, y) in (0..WORDS).map(|i| (i % BLOCK, i / BLOCK)) {
        let [first, second] = [(x, y), (x + BLOCK, y + BLOCK)].map(|(x, y)| level[y * SIZE as usize + x]);
        assert_eq!([first, second, small[y * BLOCK + x]], [value(x, y); 3], "texel {x}, {y}");
    }
    from.destroy(&gpu);
    destroy(&gpu, &[image], memory);
}

/// Two images share the pages of their mip tails; two images bound as a whole share all pages.
#[test]
fn tails_and_opaque_images_share_memory() {
    let gpu = gpu();
    let d = &gpu.device;
    let tailed = [aliased(&gpu), aliased(&gpu)];
    let info = vk::ImageCreateInfo::default()
        .flags(vk::ImageCreateFlags::SPARSE_BINDING | vk::ImageCreateFlags::SPARSE_ALIASED)
        .image_type(vk::ImageType::TYPE_2D)
        .format(vk::Format::R32_UINT)
        .extent(extent(0))
        .mip_levels(1)
        .array_layers(1)
        .samples(vk::SampleCountFlags::TYPE_1)
        .usage(vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST);
    let from = texels(&gpu, |i| i + 9);
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        let tail = d.get_image_sparse_memory_requirements(tailed[0])[0];
        let pages = tail.image_mip_tail_size / PAGE;
        let first = tail.image_mip_tail_offset / PAGE;
        let memory = memory_of(&gpu, tailed[0], pages);
        for image in tailed {
            let binds: Vec<_> = (0..pages).map(|i| piece(first + i, memory, i)).collect();
            bind_opaque(&gpu, image, &binds);
        }
        gpu.run(|c| cmd_upload(&gpu, c, &from, tailed[0], 2));
        assert_eq!(download_level(&gpu, tailed[1], 2), (9..9 + 64 * 64).collect::<Vec<u32>>());
        destroy(&gpu, &tailed, memory);

        let whole = [(); 2].map(|()| d.create_image(&info, None).unwrap());
        let pages = d.get_image_memory_requirements(whole[0]).size / PAGE;
        let memory = memory_of(&gpu, whole[0], pages);
        for image in whole {
            bind_opaque(&gpu, image, &(0..pages).map(|i| piece(i, memory, i)).collect::<Vec<_>>());
        }
        upload(&gpu, &from, whole[0]);
        assert!(download(&gpu, whole[1]) == from.read::<u32>());
        destroy(&gpu, &whole, memory);
    }
    from.destroy(&gpu);
}

/// Submits commands to a queue, after the first semaphore and before the second.
fn submit(
    gpu: &Gpu,
    queue: vk::Queue,
    [wait, signal]: [Option<vk::Semaphore>; 2],
    record: impl FnOnce(vk::CommandBuffer),
) {
    let d = &gpu.device;
    let info = vk::CommandBufferAllocateInfo::default().command_pool(gpu.pool).command_buffer_count(1);
    // SAFETY: valid usage of Vulkan: the command buffers are freed with their pool.
    unsafe {
        let cmd = d.allocate_command_buffers(&info).unwrap();
        d.begin_command_buffer(cmd[0], &Default::default()).unwrap();
        record(cmd[0]);
        d.end_command_buffer(cmd[0]).unwrap();
        let stages = [vk::PipelineStageFlags::ALL_COMMANDS];
        let info = vk::SubmitInfo::default()
            .command_buffers(&cmd)
            .wait_semaphores(wait.as_slice())
            .wait_dst_stage_mask(&stages[..wait.as_slice().len()])
            .signal_semaphores(signal.as_slice());
        d.queue_submit(queue, &[info], vk::Fence::null()).unwrap();
    }
}

/// One queue writes an image, the other one writes through its alias, and the first one reads. Then both write
/// different blocks without synchronization.
#[test]
fn queues_take_turns_with_images_that_share_memory() {
    let (gpu, queues) = gpu_with(2);
    let d = &gpu.device;
    let (one, two, memory) = two(&gpu);
    let (from, to) = (texels(&gpu, |i| i + 1), [(); 4].map(|()| texels(&gpu, |_| 0)));
    let stored = texels(&gpu, |i| i ^ 0xaaaa_0000);
    let kind = vk::DescriptorType::STORAGE_IMAGE;
    let load = Kernel::new(&gpu, include_str!("shaders/load.comp.spvasm"), kind, two, to[0].buffer);
    let store = Kernel::new(&gpu, include_str!("shaders/store.comp.spvasm"), kind, two, stored.buffer);
    // SAFETY: valid usage of Vulkan: the create info and all objects in it are live during the call.
    let semaphores = [(); 3].map(|()| unsafe { d.create_semaphore(&Default::default(), None) }.unwrap());
    let [first, second, third] = semaphores.map(Some);
    submit(&gpu, queues[0], [None, first], |c| cmd_upload(&gpu, c, &from, one, 0));
    submit(&gpu, queues[1], [first, second], |c| {
        load.dispatch(&gpu, c, [SIZE / 8; 2]);
        barrier(&gpu, c);
        store.dispatch(&gpu, c, [SIZE / 8; 2]);
    });
    submit(&gpu, queues[0], [second, third], |c| cmd_download(&gpu, c, one, to[1].buffer, 0));
    // A column of blocks, or its first block, from the start of the buffer.
    let half = |x: i32, height| {
        [vk::BufferImageCopy::default()
            .buffer_row_length(SIZE)
            .image_subresource(layers(0))
            .image_offset(vk::Offset3D { x, y: 0, z: 0 })
            .image_extent(vk::Extent3D { width: BLOCK as u32, height, depth: 1 })]
    };
    let layout = vk::ImageLayout::GENERAL;
    // SAFETY: valid usage of Vulkan: all objects belong to this device and are live while the calls use them.
    unsafe {
        submit(&gpu, queues[1], [third, None], |_| ());
        d.device_wait_idle().unwrap();
        submit(&gpu, queues[1], [None; 2], |c| {
            // The left half of the second image: pages 3 and 0.
            d.cmd_copy_buffer_to_image(c, from.buffer, two, layout, &half(0, SIZE));
        });
        submit(&gpu, queues[0], [None; 2], |c| {
            // The upper right block of the first image: page 1.
            d.cmd_copy_buffer_to_image(c, from.buffer, one, layout, &half(BLOCK as i32, BLOCK as u32));
        });
        d.device_wait_idle().unwrap();
    }
    submit(&gpu, queues[1], [None; 2], |c| cmd_download(&gpu, c, one, to[2].buffer, 0));
    submit(&gpu, queues[0], [None; 2], |c| cmd_download(&gpu, c, two, to[3].buffer, 0));
    // SAFETY: valid usage of Vulkan: the objects to wait for are live.
    unsafe { d.device_wait_idle().unwrap() };
    let (uploaded, stored_texels) = (from.read::<u32>(), stored.read::<u32>());
    assert!(to[0].read::<u32>() == seen(&uploaded, ONE, TWO), "loaded on the second queue");
    assert!(to[1].read::<u32>() == seen(&stored_texels, TWO, ONE), "read on the first queue");
    let mut last = stored_texels;
    for (i, texel) in last.iter_mut().enumerate() {
        let (x, y) = (i % SIZE as usize, i / SIZE as usize);
        // Page 1 is the upper right block of both images.
        if x < BLOCK {
            *texel = uploaded[y * SIZE as usize + x];
        } else if y < BLOCK {
            *texel = uploaded[y * SIZE as usize + x - BLOCK];
        }
    }
    assert!(to[2].read::<u32>() == seen(&last, TWO, ONE), "the first image at last");
    assert!(to[3].read::<u32>() == last, "the second image at last");
    [load, store].into_iter().for_each(|kernel| kernel.destroy(&gpu));
    [from, stored].into_iter().chain(to).for_each(|buffer| buffer.destroy(&gpu));
    // SAFETY: valid usage of Vulkan: submitted work is done, and the objects are not used afterwards.
    semaphores.iter().for_each(|&semaphore| unsafe { d.destroy_semaphore(semaphore, None) });
    destroy(&gpu, &[one, two], memory);
}

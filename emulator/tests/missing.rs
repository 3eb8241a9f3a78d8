//! Sparse images with unbound blocks: writes to unbound blocks are dropped, and reads return zero. Spec: Vulkan,
//! "Accessing Unbound Regions" (residencyNonResidentStrict). Also images that share pages with other resources.

mod pages;

#[cfg(target_os = "linux")]
use pages::peak;
use pages::{bind, device};
use quadrille::*;

/// Side length of each image in texels: two blocks.
const SIZE: u32 = 256;
const N: usize = (SIZE * SIZE) as usize;

fn sparse(device: &Device, desc: ImageDesc) -> Result<Image> {
    let flags = ImageFlags { sparse_binding: true, sparse_residency: true, ..ImageFlags::default() };
    device.create_image(ImageDesc { flags, ..desc })
}

const USAGE: ImageUsage = ImageUsage(0x1 | 0x2 | 0x4 | 0x8);

/// Binds memory to the block with this corner.
fn one_block(device: &Device, image: &Image, [x, y]: [u32; 2]) -> Result<()> {
    let memory = device.allocate_shared(SPARSE_PAGE)?;
    let (offset, extent) = ([x, y, 0], [128, 128, 1]);
    bind(device, SparsePart::Blocks { image, level: 0, layer: 0, offset, extent }, Some((&memory, 0)))
}

/// An image with memory bound only to the upper right of its four blocks.
fn quarter(device: &Device, format: Format, usage: ImageUsage) -> Result<Image> {
    let image = sparse(device, ImageDesc::new_2d(format, SIZE, SIZE, usage))?;
    one_block(device, &image, [128, 0])?;
    Ok(image)
}

fn is_there(i: usize) -> bool {
    i % SIZE as usize >= 128 && i / (SIZE as usize) < 128
}

/// Runs commands, and checks that bound texels hold `expected`, and unbound texels 0.
fn check(
    device: &Device,
    image: &Image,
    expected: impl Fn(usize) -> u32,
    what: &str,
    record: impl FnOnce(&mut CommandBuffer),
) -> Result<()> {
    let usage = BufferUsage::TRANSFER_DST;
    let out = device.create_buffer_with(&vec![!0u32; N], usage)?;
    let mut commands = device.create_command_buffer();
    record(&mut commands);
    commands.copy_image_to_buffer(image, &out, &[BufferImageCopy::whole([SIZE, SIZE, 1])]).end()?;
    device.queue().run(&commands)?;
    for (i, &texel) in out.read_all::<u32>()?.iter().enumerate() {
        assert_eq!(texel, if is_there(i) { expected(i) } else { 0 }, "{what}: texel {i}");
    }
    Ok(())
}

#[test]
fn transfers_leave_nothing_where_nothing_is_bound() -> Result<()> {
    let device = device()?;
    let format = Format::R32_UINT;
    let image = quarter(&device, format, USAGE)?;
    let values: Vec<u32> = (1..=N as u32).collect();
    let value = |add: u32| move |i: usize| i as u32 + 1 + add;
    let buffer = |add| {
        let values: Vec<u32> = values.iter().map(|v| v + add).collect();
        device.create_buffer_with(&values, BufferUsage::TRANSFER_SRC)
    };
    let whole = [BufferImageCopy::whole([SIZE, SIZE, 1])];
    let other = device.create_bound_image(ImageDesc::new_2d(format, SIZE, SIZE, USAGE))?;
    let fill = |c: &mut CommandBuffer, add| -> Result<()> {
        c.copy_buffer_to_image(&buffer(add)?, &other, &whole);
        Ok(())
    };
    let from = buffer(0)?;
    check(&device, &image, value(0), "from a buffer", |c| {
        c.copy_buffer_to_image(&from, &image, &whole);
    })?;
    let from = buffer(1)?;
    let (src, dst) = (SubresourceLayers::COLOR, SubresourceLayers::COLOR);
    let extent = [SIZE, SIZE, 1];
    check(&device, &image, value(1), "from an image", |c| {
        c.copy_buffer_to_image(&from, &other, &whole);
        let copy = ImageCopy { src, src_offset: [0; 3], dst, dst_offset: [0; 3], extent };
        c.copy_image(&other, &image, &[copy]);
    })?;
    check(&device, &image, value(2), "a blit in reverse", |c| {
        fill(c, 2).unwrap();
        let all = [[0; 3], [SIZE as i32, SIZE as i32, 1]];
        let turned = [all[1], all[0]].map(|[x, y, z]| [x, y, 1 - z]);
        let turn = |offsets| ImageBlit { src, src_offsets: offsets, dst, dst_offsets: offsets };
        c.blit_image(&other, &image, &[turn(turned)], false);
    })?;
    check(
        &device,
        &image,
        |_| 77,
        "a clear",
        |c| {
            c.clear_color_image(&image, [77; 4], &[SubresourceRange::all(Aspects::COLOR)]);
        },
    )?;
    // Copies by the host; reads of unbound texels return zero too.
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    device.copy_bytes_to_image(&bytes, &image, &whole[0])?;
    let mut read = vec![1; bytes.len()];
    device.copy_image_to_bytes(&image, &mut read, &whole[0])?;
    let texels = read.chunks_exact(4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]));
    assert!(texels.enumerate().all(|(i, v)| v == if is_there(i) { values[i] } else { 0 }), "by the host");
    image.write_level(Aspects::COLOR, 0, &bytes)?;
    check(&device, &image, value(0), "a whole level by the host", |_| {})
}

#[test]
fn resolves_leave_nothing_where_nothing_is_bound() -> Result<()> {
    let device = device()?;
    let format = Format::R8G8B8A8_UNORM;
    let usage = USAGE | ImageUsage::COLOR_ATTACHMENT;
    let image = quarter(&device, format, usage)?;
    let many = ImageDesc { samples: 4, ..ImageDesc::new_2d(format, SIZE, SIZE, usage) };
    let many = device.create_bound_image(many)?;
    let color = |v: f32| [v.to_bits(); 4];
    check(
        &device,
        &image,
        |_| 0x3333_3333,
        "a resolve",
        |c| {
            c.clear_color_image(&many, color(0.2), &[SubresourceRange::all(Aspects::COLOR)]);
            let (src, dst) = (SubresourceLayers::COLOR, SubresourceLayers::COLOR);
            let extent = [SIZE, SIZE, 1];
            let all = ImageResolve { src, src_offset: [0; 3], dst, dst_offset: [0; 3], extent };
            c.resolve_image(&many, &image, &[all]);
        },
    )?;
    let [many, view] = [&many, &image].map(|i| device.create_image_view(i, ImageViewDesc::new_2d(format)));
    let (many, view) = (many?, view?);
    check(
        &device,
        &image,
        |_| 0x6666_6666,
        "at the end of a scope",
        |c| {
            let a =
                RenderingAttachment { resolve: Some(view), ..RenderingAttachment::clear(&many, [0.4; 4]) };
            c.begin_rendering(&RenderingInfo::of_color(SIZE, SIZE, a)).end_rendering();
        },
    )
}

/// Triangles that cover the image, one behind another, each adding a quarter of white.
fn pipeline(device: &Device, edit: impl Fn(&mut GraphicsPipelineDesc)) -> Result<GraphicsPipeline> {
    let source = "
        @vertex fn vs(@builtin(vertex_index) v: u32, @builtin(instance_index) i: u32) -> @builtin(position) vec4<f32> {
            let p = vec2(f32(v & 1u), f32(v >> 1u)) * 4.0 - 1.0;
            return vec4(p, 0.5 - 0.125 * f32(i), 1.0);
        }
        @fragment fn fs() -> @location(0) vec4<f32> { return vec4(0.2); }";
    let module = device.create_shader_module(&frontend::compile_wgsl(source, &Default::default())?)?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let [vertex, fragment] = [Stage::Vertex, Stage::Fragment].map(|s| ShaderStage::only(&module, s));
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex?, Some(fragment?));
    let add = BlendEquation { src: BlendFactor::One, dst: BlendFactor::One, op: BlendOp::Add };
    desc.state.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
    desc.state.blend = vec![BlendState { enable: true, equations: [add; 2], write_mask: 15 }];
    edit(&mut desc);
    device.create_graphics_pipeline(&desc)
}

#[test]
fn attachments_keep_nothing_where_nothing_is_bound() -> Result<()> {
    let device = device()?;
    let format = Format::R8G8B8A8_UNORM;
    let image = quarter(&device, format, USAGE | ImageUsage::COLOR_ATTACHMENT)?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let pipeline = pipeline(&device, |_| {})?;
    let clear = RenderingInfo::of_color(SIZE, SIZE, RenderingAttachment::clear(&view, [0.2; 4]));
    check(
        &device,
        &image,
        |_| 0x3333_3333,
        "a load operation",
        |c| {
            c.begin_rendering(&clear).end_rendering();
        },
    )?;
    check(
        &device,
        &image,
        |_| 0x9999_9999,
        "draws",
        |c| {
            c.begin_rendering(&clear).bind_graphics_pipeline(&pipeline).set_size(SIZE, SIZE).draw(3, 2, 0, 0);
            c.end_rendering();
        },
    )?;
    check(
        &device,
        &image,
        |_| 0xff66_33cc,
        "a clear in a scope",
        |c| {
            let rect = ClearRect { rect: Rect::of_size(SIZE, SIZE), base_layer: 0, layers: 1 };
            let color = [0.8f32, 0.2, 0.4, 1.0].map(f32::to_bits);
            c.begin_rendering(&clear).clear_attachments(&[ClearAttachment::Color(0, color)], &[rect]);
            c.end_rendering();
        },
    )
}

/// The depth that a primitive writes to an unbound block is not visible to the next primitive, in the same draw or in
/// another.
#[test]
fn depth_is_zero_where_nothing_is_bound() -> Result<()> {
    let device = device()?;
    let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT;
    let depth = quarter(&device, Format::D32_SFLOAT, usage)?;
    let depth = device.create_image_view(&depth, ImageViewDesc::new_2d(Format::D32_SFLOAT))?;
    let color = Format::R8G8B8A8_UNORM;
    let image = device.create_bound_image(ImageDesc::new_2d(
        color,
        SIZE,
        SIZE,
        ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC,
    ))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(color))?;
    // Clear value, comparison, and the number of visible primitives, of three, in bound and in unbound blocks.
    for (value, compare, there, elsewhere) in
        [(0.0, CompareOp::Greater, 1, 3), (1.0, CompareOp::Less, 3, 0), (1.0, CompareOp::Greater, 0, 3)]
    {
        let pipeline = pipeline(&device, |d| {
            d.state.depth_format = Some(Format::D32_SFLOAT);
            d.state.depth = DepthState { test: true, write: true, compare, bounds: false };
        })?;
        let info = RenderingInfo {
            depth: Some(RenderingAttachment::clear_depth(&depth, value)),
            ..RenderingInfo::of_color(SIZE, SIZE, RenderingAttachment::clear(&view, [0.0; 4]))
        };
        let mut commands = device.create_command_buffer();
        commands.begin_rendering(&info).bind_graphics_pipeline(&pipeline).set_size(SIZE, SIZE);
        commands.draw(3, 2, 0, 0).draw(3, 1, 0, 2).end_rendering().end()?;
        device.queue().run(&commands)?;
        for (i, texel) in image.read_level(Aspects::COLOR, 0)?.chunks_exact(4).enumerate() {
            let seen = if is_there(i) { there } else { elsewhere };
            assert_eq!(texel, [51 * seen; 4], "{compare:?}, pixel {i}");
        }
    }
    Ok(())
}

/// A level smaller than a block in one direction belongs to the mip tail. One page of the tail is bound: as many texels
/// as it has bytes for are present, and copies to and from the image agree on them.
#[test]
fn a_page_of_the_tail_is_there() -> Result<()> {
    let device = device()?;
    let extent = [2000, 100, 1];
    let desc = ImageDesc::new_2d(Format::R32_UINT, extent[0], extent[1], USAGE);
    let image = sparse(&device, desc)?;
    let memory = device.allocate_shared(SPARSE_PAGE)?;
    bind(&device, SparsePart::Opaque(&image, SPARSE_PAGE..2 * SPARSE_PAGE), Some((&memory, 0)))?;
    let n = (extent[0] * extent[1]) as usize;
    let ones = device.create_buffer_with(&vec![1u32; n], BufferUsage::TRANSFER_SRC)?;
    let out = device.create_buffer_with(&vec![2u32; n], BufferUsage::TRANSFER_DST)?;
    let whole = [BufferImageCopy::whole(extent)];
    let mut commands = device.create_command_buffer();
    commands.copy_buffer_to_image(&ones, &image, &whole).copy_image_to_buffer(&image, &out, &whole).end()?;
    device.queue().run(&commands)?;
    let texels = out.read_all::<u32>()?;
    assert!(texels.iter().all(|t| *t < 2));
    assert_eq!(texels.iter().filter(|t| **t == 1).count(), SPARSE_PAGE as usize / 4);
    Ok(())
}

/// Blocks of a 3D image are smaller than tiles; in the rendered slices, bound and unbound blocks alternate.
#[test]
fn slices_keep_nothing_where_nothing_is_bound() -> Result<()> {
    let device = device()?;
    let format = Format::R8G8B8A8_UNORM;
    let usage = USAGE | ImageUsage::COLOR_ATTACHMENT;
    let extent = [96, 64, 32];
    let desc = ImageDesc {
        image_type: ImageType::D3,
        extent,
        ..ImageDesc::new_2d(format, extent[0], extent[1], usage)
    };
    let image = sparse(&device, desc)?;
    let blocks = [[0, 0, 0], [64, 0, 0], [32, 32, 16], [64, 32, 16]];
    let memory = device.allocate_shared(4 * SPARSE_PAGE)?;
    for (i, offset) in blocks.into_iter().enumerate() {
        let part = SparsePart::Blocks { image: &image, level: 0, layer: 0, offset, extent: [32, 32, 16] };
        bind(&device, part, Some((&memory, i as u64 * SPARSE_PAGE)))?;
    }
    let dim = ViewDim::D2Array;
    let slices = ImageViewDesc { dim, base_layer: 8, layers: 16, ..ImageViewDesc::new_2d(format) };
    let view = device.create_image_view(&image, slices)?;
    let pipeline = pipeline(&device, |_| {})?;
    let out = device.create_buffer_with(&vec![1u32; 96 * 64 * 32], BufferUsage::TRANSFER_DST)?;
    let color = RenderingAttachment::clear(&view, [0.2; 4]);
    let info = RenderingInfo { layers: 16, ..RenderingInfo::of_color(96, 64, color) };
    let mut commands = device.create_command_buffer();
    commands.begin_rendering(&info).bind_graphics_pipeline(&pipeline).set_size(96, 64).draw(3, 2, 0, 0);
    commands.end_rendering().copy_image_to_buffer(&image, &out, &[BufferImageCopy::whole(extent)]).end()?;
    device.queue().run(&commands)?;
    for (i, texel) in out.read_all::<u32>()?.into_iter().enumerate() {
        let (x, y, z) = (i as u32 % 96, i as u32 / 96 % 64, i as u32 / (96 * 64));
        let expected = match z {
            _ if !blocks.contains(&[x / 32 * 32, y / 32 * 32, z / 16 * 16]) => 0,
            // Draws go to the first layer.
            8 => 0x9999_9999,
            9..24 => 0x3333_3333,
            _ => 0,
        };
        assert_eq!(texel, expected, "texel {x}, {y}, {z}");
    }
    Ok(())
}

/// An image that may share pages of memory with other resources.
fn aliased(device: &Device, desc: ImageDesc) -> Result<Image> {
    let flags = ImageFlags {
        sparse_binding: true,
        sparse_residency: true,
        sparse_aliased: true,
        ..ImageFlags::default()
    };
    device.create_image(ImageDesc { flags, ..desc })
}

/// Images of different sizes, layer counts and view types that share pages: the texels of a block have the same order
/// in each, also at edges. The host copies the data.
#[test]
fn images_of_other_sizes_share_pages() -> Result<()> {
    let device = device()?;
    let format = Format::R32_UINT;
    let small = aliased(&device, ImageDesc::new_2d(format, 200, 150, USAGE))?;
    let large = aliased(&device, ImageDesc { layers: 2, ..ImageDesc::new_2d(format, 256, 256, USAGE) })?;
    let memory = device.allocate_shared(SPARSE_PAGE)?;
    let extent = [72, 22, 1];
    let at = |image, layer, offset, extent| SparsePart::Blocks { image, level: 0, layer, offset, extent };
    bind(&device, at(&small, 0, [128, 128, 0], extent), Some((&memory, 0)))?;
    bind(&device, at(&large, 1, [128, 0, 0], [128, 128, 1]), Some((&memory, 0)))?;
    let place = |layer| SubresourceLayers { base_layer: layer, ..SubresourceLayers::COLOR };
    let region = |layer, offset, extent| BufferImageCopy {
        subresource: place(layer),
        offset,
        ..BufferImageCopy::whole(extent)
    };
    let values: Vec<u32> = (1..=72 * 22).collect();
    let bytes: Vec<u8> = values.iter().flat_map(|v| v.to_ne_bytes()).collect();
    device.copy_bytes_to_image(&bytes, &small, &region(0, [128, 128, 0], extent))?;
    let mut read = vec![1u8; 128 * 128 * 4];
    device.copy_image_to_bytes(&large, &mut read, &region(1, [128, 0, 0], [128, 128, 1]))?;
    for (i, b) in read.chunks_exact(4).enumerate() {
        let (x, y) = (i % 128, i / 128);
        let expected = if x < 72 && y < 22 { values[y * 72 + x] } else { 0 };
        assert_eq!(u32::from_ne_bytes([b[0], b[1], b[2], b[3]]), expected, "texel {x}, {y}");
    }
    // Copy back a whole layer.
    let more: Vec<u8> = (0..256 * 256u32).flat_map(|v| v.to_ne_bytes()).collect();
    large.write_layer(Aspects::COLOR, 0, 1, &more)?;
    let mut read = vec![1u8; bytes.len()];
    device.copy_image_to_bytes(&small, &mut read, &region(0, [128, 128, 0], extent))?;
    let texels = read.chunks_exact(4).map(|b| u32::from_ne_bytes([b[0], b[1], b[2], b[3]]));
    assert!(texels.enumerate().all(|(i, v)| v as usize == i / 72 * 256 + 128 + i % 72));
    Ok(())
}

/// When an event is set, what the draws before it wrote is also in the other resource with the same memory. Spec: Vulkan,
/// vkCmdSetEvent, "Sparse Memory Aliasing".
#[test]
fn events_follow_the_texels_of_shared_pages() -> Result<()> {
    let device = device()?;
    let format = Format::R8G8B8A8_UNORM;
    let usage = USAGE | ImageUsage::COLOR_ATTACHMENT;
    let image = aliased(&device, ImageDesc::new_2d(format, SIZE, SIZE, usage))?;
    let size = 4 * SPARSE_PAGE;
    let buffer = device.create_sparse_buffer(BufferDesc { size, usage: BufferUsage::TRANSFER_SRC })?;
    let memory = device.allocate_shared(size)?;
    let (offset, extent) = ([0; 3], [SIZE, SIZE, 1]);
    let blocks = SparsePart::Blocks { image: &image, level: 0, layer: 0, offset, extent };
    bind(&device, blocks, Some((&memory, 0)))?;
    bind(&device, SparsePart::Buffer(&buffer, 0..size), Some((&memory, 0)))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let clear = RenderingInfo::of_color(SIZE, SIZE, RenderingAttachment::clear(&view, [0.2; 4]));
    let (pipeline, event) = (pipeline(&device, |_| {})?, device.create_event());
    let mut commands = device.create_command_buffer();
    commands.begin_rendering(&clear).bind_graphics_pipeline(&pipeline).set_size(SIZE, SIZE).draw(3, 1, 0, 0);
    commands.set_event(&event).end_rendering().end()?;
    let start = std::sync::Barrier::new(2);
    let seen = std::thread::scope(|threads| {
        let host = threads.spawn(|| {
            start.wait();
            while !event.status()? {
                std::hint::spin_loop();
            }
            buffer.read_all::<u32>()
        });
        start.wait();
        let ran = device.queue().run(&commands);
        // The other thread also ends if the commands fail.
        event.set();
        ran.and(host.join().expect("no panic"))
    })?;
    assert!(seen.iter().all(|&texel| texel == 0x6666_6666), "{:x}", seen[0]);
    Ok(())
}

/// Side length of images of one gigabyte, in texels.
#[cfg(target_os = "linux")]
const LARGE: u32 = 16384;

/// An image of one gigabyte with one bound block in its middle: transfers to unbound blocks take no host memory.
#[test]
#[cfg(target_os = "linux")]
fn transfers_take_no_memory_where_nothing_is_bound() -> Result<()> {
    let device = device()?;
    let image = sparse(&device, ImageDesc::new_2d(Format::R8G8B8A8_UNORM, LARGE, LARGE, USAGE))?;
    let other = sparse(&device, ImageDesc::new_2d(Format::R8G8B8A8_UNORM, LARGE, LARGE, USAGE))?;
    one_block(&device, &image, [LARGE / 2, LARGE / 2])?;
    let out =
        device.create_bound_buffer(BufferDesc { size: 132 * 132 * 4, usage: BufferUsage::TRANSFER_DST })?;
    let color = SubresourceLayers::COLOR;
    let corner = (LARGE / 2 - 2) as i32;
    let around = BufferImageCopy {
        offset: [corner, corner, 0],
        extent: [132, 132, 1],
        ..BufferImageCopy::whole([132, 132, 1])
    };
    // Two texels around the block are checked too.
    let check = |what: &str, expected: u32, record: &dyn Fn(&mut CommandBuffer)| -> Result<()> {
        let before = peak();
        let mut commands = device.create_command_buffer();
        record(&mut commands);
        commands.copy_image_to_buffer(&image, &out, &[around]).end()?;
        device.queue().run(&commands)?;
        assert!(peak() < before + (128 << 20), "{what}: {} MiB", (peak() - before) >> 20);
        for (i, &texel) in out.read_all::<u32>()?.iter().enumerate() {
            let there = [i % 132, i / 132].iter().all(|v| (2..130).contains(v));
            assert_eq!(texel, if there { expected } else { 0 }, "{what}: texel {i}");
        }
        Ok(())
    };
    let all = [SubresourceRange::all(Aspects::COLOR)];
    let value = |v: f32| [v.to_bits(); 4];
    check("a clear", 0xffff_ffff, &|c| _ = c.clear_color_image(&image, value(1.0), &all))?;
    let whole = [[0; 3], [LARGE as i32, LARGE as i32, 1]];
    let blit = ImageBlit { src: color, src_offsets: whole, dst: color, dst_offsets: whole };
    check("a blit", 0, &|c| {
        c.clear_color_image(&image, value(1.0), &all).blit_image(&other, &image, &[blit], false);
    })?;
    check("a copy", 0, &|c| {
        let extent = [LARGE, LARGE, 1];
        let copy = ImageCopy { src: color, src_offset: [0; 3], dst: color, dst_offset: [0; 3], extent };
        c.clear_color_image(&image, value(1.0), &all).copy_image(&other, &image, &[copy]);
    })
}

/// The same for attachments of a quarter of the size: only the block in the middle keeps the results of clears and
/// draws.
#[test]
#[cfg(target_os = "linux")]
fn rendering_takes_no_memory_where_nothing_is_bound() -> Result<()> {
    const SIDE: u32 = LARGE / 2;
    let device = device()?;
    let format = Format::R8G8B8A8_UNORM;
    let image = sparse(&device, ImageDesc::new_2d(format, SIDE, SIDE, USAGE | ImageUsage::COLOR_ATTACHMENT))?;
    one_block(&device, &image, [SIDE / 2, SIDE / 2])?;
    let shader = "
        @vertex fn corners(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
            return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
        }
        @fragment fn green() -> @location(0) vec4f { return vec4f(0.0, 1.0, 0.0, 1.0); }";
    let module = device
        .create_shader_module(&frontend::compile_wgsl(shader, &frontend::Options::named("large")).unwrap())?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let stage = |name| ShaderStage::new(&module, name);
    let mut desc = GraphicsPipelineDesc::new(&layout, stage("corners"), Some(stage("green")));
    desc.state.color_formats = vec![Some(format)];
    let pipeline = device.create_graphics_pipeline(&desc)?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let area = Rect::of_size(SIDE, SIDE);
    let value = |v: f32| [v.to_bits(); 4];
    let out =
        device.create_bound_buffer(BufferDesc { size: 132 * 132 * 4, usage: BufferUsage::TRANSFER_DST })?;
    let corner = (SIDE / 2 - 2) as i32;
    let around = BufferImageCopy {
        offset: [corner, corner, 0],
        extent: [132, 132, 1],
        ..BufferImageCopy::whole([132, 132, 1])
    };
    for (what, expected) in [("a load", 0xffff_ffffu32), ("a clear", 0), ("a draw", 0xff00_ff00)] {
        let before = peak();
        let colors = vec![Some(RenderingAttachment::clear(&view, [1.0; 4]))];
        let info = RenderingInfo { area, colors, ..RenderingInfo::default() };
        let mut commands = device.create_command_buffer();
        commands.begin_rendering(&info);
        match what {
            "a clear" => {
                let rect = ClearRect { rect: area, base_layer: 0, layers: 1 };
                commands.clear_attachments(&[ClearAttachment::Color(0, value(0.0))], &[rect]);
            }
            "a draw" => {
                commands.bind_graphics_pipeline(&pipeline).set_size(SIDE, SIDE).draw(3, 1, 0, 0);
            }
            _ => {}
        }
        commands.end_rendering().copy_image_to_buffer(&image, &out, &[around]).end()?;
        device.queue().run(&commands)?;
        assert!(peak() < before + (100 << 20), "{what}: {} MiB", (peak() - before) >> 20);
        for (i, &texel) in out.read_all::<u32>()?.iter().enumerate() {
            let there = [i % 132, i / 132].iter().all(|v| (2..130).contains(v));
            assert_eq!(texel, if there { expected } else { 0 }, "{what}: texel {i}");
        }
    }
    Ok(())
}

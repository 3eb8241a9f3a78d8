//! Calls with random and hostile arguments: they return errors or draw arbitrary images, and have no other effect.

use std::time::Duration;

use quadrille::*;

/// Marsaglia's xorshift generator, with the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }
    fn word(&mut self) -> u32 {
        match self.below(8) {
            0 => 0,
            1 => u32::MAX,
            2 => self.next() as u32,
            3 => 1 << self.below(32),
            _ => self.below(40) as u32,
        }
    }
    fn float(&mut self) -> f32 {
        match self.below(8) {
            0 => f32::NAN,
            1 => f32::INFINITY,
            2 => -0.0,
            3 => f32::from_bits(self.next() as u32),
            _ => self.below(200) as f32 * 0.5 - 20.0,
        }
    }
    fn rect(&mut self) -> Rect {
        let [x, y, width, height] = [0; 4].map(|_| self.word());
        Rect { x: x as i32, y: y as i32, width, height }
    }
    fn viewport(&mut self) -> Viewport {
        let [x, y, width, height, min_depth, max_depth] = [0; 6].map(|_| self.float());
        Viewport { x, y, width, height, min_depth, max_depth }
    }
    fn bool(&mut self) -> bool {
        self.below(2) == 0
    }
}

const SHADER: &str = "
    @group(0) @binding(0) var<storage, read_write> data: array<u32>;
    struct V { @builtin(position) p: vec4<f32>, @location(0) c: vec4<f32> }
    @vertex fn vs(@location(0) p: vec4<f32>, @location(1) c: vec4<f32>) -> V { return V(p, c); }
    @fragment fn fs(v: V) -> @location(0) vec4<f32> {
        data[u32(v.c.x)] = u32(v.c.y);
        return v.c + vec4(dpdx(v.c.y));
    }
    @compute @workgroup_size(8) fn main(@builtin(global_invocation_id) id: vec3<u32>) {
        let at = data[id.x];
        data[at] = data[id.x * 0x10001u + at] + id.y;
    }";

struct World {
    device: Device,
    buffer: Buffer,
    images: Vec<Image>,
    views: Vec<ImageView>,
    layout: PipelineLayout,
    set: DescriptorSet,
    compute: ComputePipeline,
    graphics: Vec<GraphicsPipeline>,
    queries: QueryPool,
}

fn world(threads: usize) -> Result<World> {
    let budget = Duration::from_millis(60);
    let device = Device::new(DeviceOptions { threads, budget, ..DeviceOptions::default() })?;
    let buffer = device.create_bound_buffer(BufferDesc { size: 4096, usage: BufferUsage(0x1ff) })?;
    let words = frontend::compile_wgsl(SHADER, &frontend::Options::default())?;
    let module = device.create_shader_module(&words)?;
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let set_layout = device.create_descriptor_set_layout(&[binding])?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, &buffer)?;
    let stage = ShaderStage::new(&module, "main");
    let compute = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let formats = [Format::R8G8B8A8_UNORM, Format::R32G32B32A32_SFLOAT, Format::R32_SFLOAT];
    let mut graphics = Vec::new();
    for (format, topology) in [
        (formats[0], Topology::TriangleList),
        (formats[1], Topology::TriangleStrip),
        (formats[2], Topology::TriangleFan),
    ] {
        let fragment = ShaderStage::new(&module, "fs");
        let mut desc = GraphicsPipelineDesc::new(&layout, ShaderStage::new(&module, "vs"), Some(fragment));
        desc.state.color_formats = vec![Some(format)];
        desc.state.topology = topology;
        desc.state.primitive_restart = topology != Topology::TriangleList;
        desc.state.vertex_bindings = vec![VertexBinding { stride: 12, ..VertexBinding::default() }];
        desc.state.vertex_attributes = vec![
            VertexAttribute { location: 0, binding: 0, format: Format::R32G32B32A32_SFLOAT, offset: 0 },
            VertexAttribute { location: 1, binding: 0, format: Format::R16G16B16A16_SFLOAT, offset: 4 },
        ];
        graphics.push(device.create_graphics_pipeline(&desc)?);
    }
    let (mut images, mut views) = (Vec::new(), Vec::new());
    for format in formats {
        let usage = ImageUsage(0x1 | 0x2 | 0x4 | 0x10);
        let desc = ImageDesc { layers: 2, levels: 3, ..ImageDesc::new_2d(format, 20, 13, usage) };
        let image = device.create_bound_image(desc)?;
        views.push(device.create_image_view(&image, ImageViewDesc::new_2d(format))?);
        images.push(image);
    }
    let queries = device.create_query_pool(QueryKind::Occlusion, 4)?;
    Ok(World { device, buffer, images, views, layout, set, compute, graphics, queries })
}

/// Records one command with random arguments.
fn command(w: &World, r: &mut Random, c: &mut CommandBuffer) {
    let layers = |r: &mut Random| SubresourceLayers {
        aspects: Aspects(if r.below(8) == 0 { r.word() } else { 1 }),
        level: r.below(9) as u32 / 4,
        base_layer: r.below(9) as u32 / 4,
        layers: 1 + u32::from(r.below(5) == 0),
    };
    let offset =
        |r: &mut Random| [r.below(20) as i32 - 1, r.below(13) as i32 - 1, i32::from(r.below(9) == 0)];
    let extent = |r: &mut Random| [r.below(9) as u32, r.below(7) as u32, 1 + u32::from(r.below(9) == 0)];
    let pick = |r: &mut Random| r.below(w.images.len() as u64) as usize;
    match r.below(12) {
        0 => {
            c.bind_compute_pipeline(&w.compute)
                .bind_compute_set(&w.layout, u32::from(r.below(9) == 0), &w.set)
                .dispatch_base(
                    [r.word() % 70000, 0, 0],
                    [r.below(60) as u32, r.below(3) as u32, r.word().min(2)],
                );
        }
        1 => {
            c.bind_compute_pipeline(&w.compute).bind_compute_set(&w.layout, 0, &w.set);
            c.dispatch_indirect(&w.buffer, u64::from(r.word()));
        }
        2 => {
            let region = BufferCopy {
                src_offset: r.word().into(),
                dst_offset: r.word().into(),
                size: r.word().into(),
            };
            c.copy_buffer(&w.buffer, &w.buffer, &[region]);
        }
        3 => {
            let region = ImageCopy {
                src: layers(r),
                src_offset: offset(r),
                dst: layers(r),
                dst_offset: offset(r),
                extent: extent(r),
            };
            c.copy_image(&w.images[pick(r)], &w.images[pick(r)], &[region]);
        }
        4 => {
            let region = BufferImageCopy {
                buffer_offset: r.word().into(),
                row_length: r.word() % 50,
                image_height: r.word() % 50,
                subresource: layers(r),
                offset: offset(r),
                extent: extent(r),
            };
            if r.bool() {
                c.copy_buffer_to_image(&w.buffer, &w.images[pick(r)], &[region]);
            } else {
                c.copy_image_to_buffer(&w.images[pick(r)], &w.buffer, &[region]);
            }
        }
        5 => {
            let region = ImageBlit {
                src: layers(r),
                src_offsets: [offset(r), offset(r)],
                dst: layers(r),
                dst_offsets: [offset(r), offset(r)],
            };
            c.blit_image(&w.images[pick(r)], &w.images[pick(r)], &[region], r.bool());
        }
        6 => {
            let range = SubresourceRange {
                aspects: Aspects(1),
                base_level: r.below(4) as u32,
                levels: r.word(),
                base_layer: r.below(3) as u32,
                layers: r.word(),
            };
            c.clear_color_image(&w.images[pick(r)], [0; 4].map(|_| r.float().to_bits()), &[range]);
        }
        7 => {
            let size = if r.bool() { None } else { Some(u64::from(r.word())) };
            c.fill_buffer(&w.buffer, u64::from(r.word()), size, r.float().to_bits());
        }
        _ => draws(w, r, c),
    }
}

fn draws(w: &World, r: &mut Random, c: &mut CommandBuffer) {
    let target = r.below(3) as usize;
    let color = RenderingAttachment::clear(&w.views[target], [0; 4].map(|_| r.float()));
    let area = if r.bool() { Rect::of_size(20, 13) } else { r.rect() };
    c.begin_rendering(&RenderingInfo {
        area,
        layers: 1,
        colors: vec![Some(color)],
        ..RenderingInfo::default()
    })
    .bind_graphics_set(&w.layout, 0, &w.set);
    for _ in 0..r.below(6) {
        let pipeline = if r.below(40) == 0 { r.below(3) as usize } else { target };
        c.bind_graphics_pipeline(&w.graphics[pipeline])
            .set_viewports(0, &[if r.bool() { Viewport::of_size(20, 13) } else { r.viewport() }])
            .set_scissors(0, &[if r.bool() { Rect::of_size(20, 13) } else { r.rect() }])
            .bind_vertex_buffers(0, &[(&w.buffer, r.below(4100))])
            .bind_index_buffer(
                &w.buffer,
                r.below(4096),
                if r.bool() { IndexType::U16 } else { IndexType::U32 },
            );
        let (count, instances) = (r.word() % 3000, r.word() % 9);
        match r.below(5) {
            0 => c.draw(count, instances, r.word(), r.word()),
            1 => c.draw_indexed(count, instances, r.word(), r.word() as i32, r.word()),
            2 => {
                let rect = ClearRect { rect: r.rect(), base_layer: r.word(), layers: r.word() };
                c.clear_attachments(&[ClearAttachment::Color(r.word(), [r.float().to_bits(); 4])], &[rect])
            }
            3 => c
                .begin_query(&w.queries, r.below(5) as u32)
                .draw(3, 1, 0, 0)
                .end_query(&w.queries, r.below(4) as u32),
            _ => c.draw(3 + count % 9, 1, 0, 0),
        };
    }
    c.end_rendering();
}

#[test]
fn random_commands_do_no_harm() -> Result<()> {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let (mut ran, mut refused) = (0, 0);
    for threads in [1, 2] {
        let mut w = world(threads)?;
        for _ in 0..600 {
            let noise: Vec<u32> = (0..1024).map(|_| random.float().to_bits()).collect();
            w.buffer.write(0, &noise)?;
            let mut commands = w.device.create_command_buffer();
            command(&w, &mut random, &mut commands);
            let Err(e) = commands.end().and_then(|()| w.device.queue().run(&commands)) else {
                ran += 1;
                continue;
            };
            refused += 1;
            assert!(!matches!(e, Error::Internal(_)), "{e}");
            if w.device.check_lost().is_err() {
                assert!(matches!(e, Error::DeviceLost(_) | Error::Limit(_)), "lost by {e}");
                w = world(threads)?;
            }
        }
    }
    assert!(ran > 200 && refused > 200, "{ran} ran, {refused} were refused");
    Ok(())
}

/// Modules of random words, and valid modules with random words in them.
#[test]
fn damaged_modules_do_no_harm() -> Result<()> {
    let budget = Duration::from_millis(200);
    let mut device = Device::new(DeviceOptions { threads: 1, budget, ..DeviceOptions::default() })?;
    let words = frontend::compile_wgsl(SHADER, &frontend::Options::default())?;
    let mut random = Random(12345);
    for i in 0..600 {
        let mut damaged = words.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len() as u64 - 5) as usize + 5;
            damaged[at] = if random.bool() { random.word() } else { damaged[at] ^ (1 << random.below(32)) };
        }
        if i % 10 == 0 {
            damaged.truncate(random.below(damaged.len() as u64) as usize);
        }
        let run = ShaderTest::spirv(&damaged).on(&device).bind(0, 0, &[1u32; 64]).dispatch([2, 1, 1]);
        if let Err(e) = run {
            assert!(!matches!(e, Error::Internal(_)), "module {i}: {e}");
        }
        if device.check_lost().is_err() {
            device = Device::new(DeviceOptions { threads: 1, budget, ..DeviceOptions::default() })?;
        }
    }
    Ok(())
}

/// A strip is split into two units of work. The vertex stage of the first lets the strip restart at the last positions of
/// the first unit, which triangles of the second reach back to.
#[cfg(feature = "glsl")]
#[test]
fn indices_that_shaders_change_during_the_draw_do_no_harm() -> Result<()> {
    const UNIT: usize = 6144;
    const VERTEX: &str = "#version 460
        layout(set = 0, binding = 0) buffer Indices { uint at[]; };
        void main() {
            if (gl_VertexIndex == 0) at[6142] = at[6143] = 0xffffffffu;
            gl_Position = vec4(gl_VertexIndex & 1, gl_VertexIndex >> 1, 0.5, 1.0);
        }";
    const FRAGMENT: &str = "#version 460
        layout(location = 0) out vec4 color;
        void main() { color = vec4(1.0); }";
    let device = Device::new(DeviceOptions { threads: 1, ..DeviceOptions::default() })?;
    let stage = |source, stage| {
        let words = frontend::compile_glsl(source, stage, &frontend::Options::default())?;
        ShaderStage::only(&device.create_shader_module(&words)?, stage)
    };
    let indices: Vec<u32> = (0..UNIT as u32 + 6).map(|i| i % 3).collect();
    let indices = device.create_buffer_with(&indices, BufferUsage::INDEX | BufferUsage::STORAGE)?;
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let set_layout = device.create_descriptor_set_layout(&[binding])?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, &indices)?;
    let format = Format::R8G8B8A8_UNORM;
    let image = device.create_bound_image(ImageDesc::new_2d(format, 16, 16, ImageUsage::COLOR_ATTACHMENT))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let fragment = stage(FRAGMENT, Stage::Fragment)?;
    let mut desc = GraphicsPipelineDesc::new(&layout, stage(VERTEX, Stage::Vertex)?, Some(fragment));
    desc.state.color_formats = vec![Some(format)];
    desc.state.topology = Topology::TriangleStrip;
    desc.state.primitive_restart = true;
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&RenderingInfo {
            area: Rect::of_size(16, 16),
            colors: vec![Some(RenderingAttachment::clear(&view, [0.0; 4]))],
            ..RenderingInfo::default()
        })
        .bind_graphics_pipeline(&device.create_graphics_pipeline(&desc)?)
        .bind_graphics_set(&layout, 0, &set)
        .set_size(16, 16)
        .bind_index_buffer(&indices, 0, IndexType::U32)
        .draw_indexed(UNIT as u32 + 6, 1, 0, 0, 0)
        .end_rendering()
        .end()?;
    device.queue().run(&commands)?;
    assert_eq!(indices.read_all::<u32>()?[UNIT - 2..UNIT], [u32::MAX; 2]);
    Ok(())
}

//! Drawing through the full API.

use quadrille::{
    AttachmentDesc, AttachmentLoad, BeginRenderPass, BufferDesc, BufferImageCopy, BufferUsage, Device,
    DeviceOptions, Format, FramebufferDesc, GraphicsPipelineDesc, ImageDesc, ImageUsage, ImageViewDesc,
    Picture, Rect, RenderPassDesc, RenderingAttachment, RenderingInfo, Result, ShaderStage, ShaderTest,
    Stage, SubpassDesc, Tolerance, VertexAttribute, VertexBinding, VertexRate, frontend,
};

const TRIANGLE: &str = "
    struct V { @builtin(position) p: vec4<f32>, @location(0) color: vec3<f32> }
    @vertex fn vs(@location(0) p: vec2<f32>, @location(1) color: vec3<f32>) -> V {
        return V(vec4(p, 0.0, 1.0), color);
    }
    @fragment fn fs(v: V) -> @location(0) vec4<f32> { return vec4(v.color, 1.0); }";

/// Draws a triangle with a vertex buffer, in a render pass or with dynamic rendering, and reads it back by a copy.
fn triangle(threads: usize, render_pass: bool) -> Result<Picture> {
    let device = Device::new(DeviceOptions { threads, ..DeviceOptions::default() })?;
    let (width, height, format) = (200u32, 120u32, Format::R8G8B8A8_UNORM);
    let words = frontend::compile_wgsl(TRIANGLE, &frontend::Options::default())?;
    let module = device.create_shader_module(&words)?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let vertex = ShaderStage::only(&module, Stage::Vertex)?;
    let fragment = ShaderStage::only(&module, Stage::Fragment)?;
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    desc.state.color_formats = vec![Some(format)];
    desc.state.vertex_bindings = vec![VertexBinding { binding: 0, stride: 20, rate: VertexRate::Vertex }];
    desc.state.vertex_attributes = vec![
        VertexAttribute { location: 0, binding: 0, format: Format::R32G32_SFLOAT, offset: 0 },
        VertexAttribute { location: 1, binding: 0, format: Format::R32G32B32_SFLOAT, offset: 8 },
    ];
    let pipeline = device.create_graphics_pipeline(&desc)?;
    #[rustfmt::skip]
    let vertices = [
        -1.0f32, -1.0, 1.0, 0.0, 0.0,
        1.0, -1.0, 0.0, 1.0, 0.0,
        -1.0, 1.0, 0.0, 0.0, 1.0,
    ];
    let vertices = device.create_buffer_with(&vertices, BufferUsage::VERTEX)?;
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let image = device.create_bound_image(ImageDesc::new_2d(format, width, height, usage))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let size = u64::from(width * height * 4);
    let back = device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::TRANSFER_DST })?;

    let area = Rect::of_size(width, height);
    let mut commands = device.create_command_buffer();
    if render_pass {
        let attachment = AttachmentDesc {
            format,
            samples: 1,
            load: AttachmentLoad::Clear,
            stencil_load: AttachmentLoad::DontCare,
        };
        let subpass = SubpassDesc { colors: vec![Some(0)], ..SubpassDesc::default() };
        let render_pass = device.create_render_pass(&RenderPassDesc {
            attachments: vec![attachment],
            subpasses: vec![subpass],
            density_map: None,
            density_by_layer: false,
        })?;
        let framebuffer = device.create_framebuffer(&FramebufferDesc {
            views: vec![view.clone()],
            width,
            height,
            layers: 1,
        })?;
        let clears = vec![[0.0f32, 0.0, 0.0, 1.0].map(f32::to_bits)];
        let begin = BeginRenderPass { render_pass, framebuffer, views: Vec::new(), area, clears };
        commands.begin_render_pass(&begin);
    } else {
        let color = RenderingAttachment::clear(&view, [0.0, 0.0, 0.0, 1.0]);
        let info = RenderingInfo { area, colors: vec![Some(color)], ..RenderingInfo::default() };
        commands.begin_rendering(&info);
    }
    commands
        .bind_graphics_pipeline(&pipeline)
        .set_size(width, height)
        .bind_vertex_buffers(0, &[(&vertices, 0)])
        .draw(3, 1, 0, 0);
    if render_pass {
        commands.end_render_pass();
    } else {
        commands.end_rendering();
    }
    commands.copy_image_to_buffer(&image, &back, &[BufferImageCopy::whole([width, height, 1])]).end()?;
    device.queue().run(&commands)?;
    Picture::from_bytes(width, height, &back.read_all::<u8>()?)
}

#[test]
fn triangle_is_where_it_should_be() -> Result<()> {
    let picture = triangle(1, false)?;
    // The corners: red at the lower left (up is +y in WGSL), green at the lower right, blue at the top.
    assert_eq!(picture.pixel(0, 0)[2], 254, "{:?}", picture.pixel(0, 0));
    assert!(picture.pixel(0, 119)[0] >= 253);
    assert!(picture.pixel(198, 119)[1] >= 252);
    // Pixels beyond the diagonal are not drawn.
    assert_eq!(picture.pixel(199, 0), [0, 0, 0, 255]);
    assert_eq!(picture.pixel(110, 60), [0, 0, 0, 255]);
    // Inside the triangle, the components add up to one.
    for (x, y) in [(20, 60), (50, 80), (100, 110)] {
        let [r, g, b, a] = picture.pixel(x, y);
        let sum = u32::from(r) + u32::from(g) + u32::from(b);
        assert!((254..=256).contains(&sum) && a == 255, "({x}, {y}): {r} {g} {b}");
    }
    Ok(())
}

#[test]
fn render_pass_and_dynamic_rendering_give_the_same() -> Result<()> {
    triangle(2, true)?.compare(&triangle(2, false)?, Tolerance::EXACT, None).expect("same picture");
    Ok(())
}

#[test]
fn the_same_with_any_number_of_threads() -> Result<()> {
    let one = triangle(1, false)?;
    for threads in [1, 2, 7] {
        triangle(threads, false)?.compare(&one, Tolerance::EXACT, None).expect("same picture");
    }
    Ok(())
}

/// A fragment shader that covers the image, with a uniform block and the position.
#[test]
fn fragment_test_is_short() -> Result<()> {
    let source = "
        @group(0) @binding(0) var<uniform> scale: vec4<f32>;
        @fragment fn main(@builtin(position) p: vec4<f32>) -> @location(0) vec4<f32> {
            return vec4(p.xy * scale.xy, 0.0, 1.0);
        }";
    let picture =
        ShaderTest::wgsl(source)?.bind(0, 0, &[1.0f32 / 64.0, 1.0 / 32.0, 0.0, 0.0]).draw(64, 32)?;
    let picture = picture.picture()?;
    for (x, y) in [(0, 0), (63, 0), (0, 31), (17, 9)] {
        let want = |v: u32, n: f32| ((v as f32 + 0.5) / n * 255.0).round_ties_even() as u8;
        assert_eq!(picture.pixel(x, y), [want(x, 64.0), want(y, 32.0), 0, 255]);
    }
    Ok(())
}

/// Basic Polygon Rasterization: a triangle is front-facing by the sign of its area. A picture shows its front, as a
/// quadrilateral of OpenGL or WebGPU does that is drawn over a window with the default winding.
#[test]
fn the_triangle_of_a_picture_is_a_front_face() -> Result<()> {
    let faces = "
        @fragment fn main(@builtin(front_facing) front: bool) -> @location(0) vec4f {
            return select(vec4f(1.0, 0.0, 0.0, 1.0), vec4f(0.0, 1.0, 0.0, 1.0), front);
        }";
    let picture = ShaderTest::wgsl(faces)?.draw(3, 5)?.picture()?;
    picture.compare(&Picture::filled(3, 5, [0, 255, 0, 255])?, Tolerance::EXACT, None).expect("a front face");
    Ok(())
}

/// Stores and atomics of fragments run once per covered pixel, never in helper invocations or after a discard, and in
/// order if a result is used.
#[test]
fn fragments_write_memory() -> Result<()> {
    let vertex = "
        struct V { @builtin(position) p: vec4<f32>, @location(0) x: f32 }
        @vertex fn main(@builtin(vertex_index) i: u32) -> V {
            let x = f32(i % 2u) * 2.0 - 1.0;
            let y = f32(i / 2u) * 2.0 - 1.0;
            return V(vec4(x, y, 0.0, 1.0), x);
        }";
    let fragment = "
        @group(0) @binding(0) var<storage, read_write> count: array<atomic<u32>>;
        @group(0) @binding(1) var<storage, read_write> order: array<u32>;
        @fragment fn main(@builtin(position) p: vec4<f32>, @location(0) x: f32) -> @location(0) vec4<f32> {
            let d = dpdx(x);
            if (p.x < 4.0) { discard; }
            let n = atomicAdd(&count[0], 1u);
            order[n] = u32(p.y) * 32u + u32(p.x) + 1u;
            return vec4(f32(n), d, 0.0, 1.0);
        }";
    let mut first = None;
    for threads in [1, 2, 7] {
        let device = Device::new(DeviceOptions { threads, ..DeviceOptions::default() })?;
        let run = ShaderTest::wgsl(fragment)?
            .vertex_wgsl(vertex, 3)?
            .bind(0, 0, &[0u32])
            .bind_zeros::<u32>(0, 1, 1024)
            .target(Format::R32G32B32A32_SFLOAT)
            .clear([-1.0; 4])
            .on(&device)
            .draw(32, 32)?;
        let count = run.read::<u32>(0, 0)?[0];
        let order = run.read::<u32>(0, 1)?;
        let pixels = run.read_target::<[f32; 4]>()?;
        let shaded = pixels.iter().filter(|p| p[0] >= 0.0).count() as u32;
        assert_eq!(count, shaded);
        assert!(shaded > 350 && shaded < 512, "{shaded}");
        for (n, at) in order[..count as usize].iter().enumerate() {
            assert_eq!(pixels[*at as usize - 1][0], n as f32);
        }
        assert!(*first.get_or_insert_with(|| order.clone()) == order);
    }
    Ok(())
}

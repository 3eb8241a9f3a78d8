//! Commands within rendering: dynamic state, cleared attachments, queries and timestamps.

use super::*;

/// A pipeline with a triangle that covers the image and a fragment shader without bindings.
fn full(
    device: &Device,
    fragment: &str,
    edit: impl Fn(&mut GraphicsPipelineDesc),
) -> Result<GraphicsPipeline> {
    let vertex = device.create_shader_module(fullscreen::vertex_words()?)?;
    let fragment = module(device, fragment)?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let mut desc = GraphicsPipelineDesc::new(
        &layout,
        ShaderStage::only(&vertex, Stage::Vertex)?,
        Some(ShaderStage::only(&fragment, Stage::Fragment)?),
    );
    desc.state.color_formats = vec![Some(Format::R8G8B8A8_UNORM)];
    edit(&mut desc);
    device.create_graphics_pipeline(&desc)
}

const WHITE: &str = "@fragment fn main() -> @location(0) vec4<f32> { return vec4(1.0); }";

#[test]
fn scissor_clear_attachments_occlusion_and_indirect_draws() -> Result<()> {
    let device = device()?;
    let pipeline = full(&device, WHITE, |_| ())?;
    let (image, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
    let pool = device.create_query_pool(QueryKind::Occlusion, 2)?;
    let args = device.create_buffer_with(&[9u32, 3, 1, 0, 0, 3, 0, 0, 0], BufferUsage::INDIRECT)?;
    let count = device.create_buffer_with(&[1u32], BufferUsage::INDIRECT)?;
    let results = device.create_bound_buffer(BufferDesc { size: 32, usage: ALL })?;
    let area = Rect::of_size(16, 8);
    let info = RenderingInfo {
        area,
        colors: vec![Some(RenderingAttachment::clear(&view, [0.0, 0.0, 0.0, 1.0]))],
        ..RenderingInfo::default()
    };
    let mut commands = device.create_command_buffer();
    commands
        .reset_query_pool(&pool, 0, 2)
        .begin_rendering(&info)
        .bind_graphics_pipeline(&pipeline)
        .set_size(16, 8)
        .set_scissors(0, &[Rect { x: 2, y: 1, width: 5, height: 4 }])
        .begin_query(&pool, 0)
        .draw_indirect(false, &args, 4, Some((&count, 0)), 2, 16)
        .end_query(&pool, 0)
        .clear_attachments(
            &[ClearAttachment::Color(0, [0.0f32, 1.0, 0.0, 1.0].map(f32::to_bits))],
            &[ClearRect { rect: Rect { x: 4, y: 2, width: 2, height: 1 }, base_layer: 0, layers: 1 }],
        )
        .set_scissors(0, &[Rect { x: 15, y: 7, width: 50, height: 50 }])
        .begin_query(&pool, 1)
        .draw(3, 1, 0, 0)
        .end_query(&pool, 1)
        .end_rendering()
        .copy_query_pool_results((&pool, 0, 2), (&results, 0, 16), [true, true, false]);
    commands.end()?;
    device.queue().run(&commands)?;
    assert_eq!(results.read_all::<u64>()?, [20, 1, 1, 1]);
    assert_eq!((pool.result(0), pool.result(1)), (Some(20), Some(1)));
    let picture = Picture::from_bytes(16, 8, &image.read_level(Aspects::COLOR, 0)?)?;
    for y in 0..8 {
        for x in 0..16 {
            let want = match (x, y) {
                (4..6, 2) => [0, 255, 0, 255],
                (2..7, 1..5) | (15, 7) => [255; 4],
                _ => [0, 0, 0, 255],
            };
            assert_eq!(picture.pixel(x, y), want, "({x}, {y})");
        }
    }
    Ok(())
}

/// The draw takes most of the time between the first and the last timestamp, and it lies between the first two.
#[test]
fn timestamps_within_rendering_are_after_the_draws_before_them() -> Result<()> {
    let device = device()?;
    let slow = "
        @fragment fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
            var x = at.x / 16.0;
            for (var i = 0; i < 20000; i++) { x = fract(x * 3.7 + at.y); }
            return vec4(x, 0.0, 0.0, 1.0);
        }";
    let pipeline = full(&device, slow, |_| ())?;
    let (_, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
    let pool = device.create_query_pool(QueryKind::Timestamp, 3)?;
    let info = RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4]));
    let mut commands = device.create_command_buffer();
    commands
        .reset_query_pool(&pool, 0, 3)
        .begin_rendering(&info)
        .bind_graphics_pipeline(&pipeline)
        .set_size(16, 8)
        .write_timestamp(&pool, 0)
        .draw(3, 1, 0, 0)
        .write_timestamp(&pool, 1)
        .end_rendering()
        .write_timestamp(&pool, 2);
    commands.end()?;
    device.queue().run(&commands)?;
    let [Some(before), Some(after), Some(end)] = [0, 1, 2].map(|i| pool.result(i)) else {
        panic!("no results")
    };
    assert!(after - before > end - after, "{} ns within, {} ns behind", after - before, end - after);
    Ok(())
}

#[test]
fn depth_test_with_dynamic_state() -> Result<()> {
    let device = device()?;
    let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let (image, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
    let (depth_image, depth) = target(&device, Format::D32_SFLOAT, usage)?;
    let dynamic = DynamicStates::DEPTH_TEST_ENABLE
        | DynamicStates::DEPTH_WRITE_ENABLE
        | DynamicStates::DEPTH_COMPARE_OP
        | DynamicStates::CULL_MODE
        | DynamicStates::VIEWPORT_WITH_COUNT
        | DynamicStates::SCISSOR_WITH_COUNT;
    let pipeline = full(&device, WHITE, |d| {
        d.state.depth_format = Some(Format::D32_SFLOAT);
        d.dynamic = dynamic;
    })?;
    let info = RenderingInfo {
        depth: Some(RenderingAttachment::clear_depth(&depth, 0.5)),
        ..RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4]))
    };
    let at_depth = |z| Viewport { min_depth: z, max_depth: z, ..Viewport::of_size(16, 8) };
    let part = |x, width| [Rect { x, y: 0, width, height: 8 }];
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&info)
        .bind_graphics_pipeline(&pipeline)
        .set_depth_test_enable(true)
        .set_depth_write_enable(true)
        .set_depth_compare_op(CompareOp::Less)
        .set_cull_mode(CullMode::default())
        .set_viewports_with_count(&[at_depth(0.25)])
        .set_scissors_with_count(&part(0, 4))
        .draw(3, 1, 0, 0)
        .set_viewports_with_count(&[at_depth(0.75)])
        .set_scissors_with_count(&part(4, 4))
        .draw(3, 1, 0, 0)
        .set_depth_compare_op(CompareOp::Greater)
        .set_scissors_with_count(&part(8, 4))
        .draw(3, 1, 0, 0)
        .set_cull_mode(CullMode { front: true, back: true })
        .set_scissors_with_count(&part(12, 4))
        .draw(3, 1, 0, 0)
        .end_rendering();
    commands.end()?;
    device.queue().run(&commands)?;
    let color = image.read_level(Aspects::COLOR, 0)?;
    let depth: Vec<f32> = bytemuck::pod_collect_to_vec(&depth_image.read_level(Aspects::DEPTH, 0)?);
    for x in 0..16usize {
        let (c, d) = match x / 4 {
            0 => (255, 0.25),
            2 => (255, 0.75),
            _ => (0, 0.5),
        };
        assert_eq!((color[x * 4], depth[x]), (c, d), "column {x}");
    }
    Ok(())
}

/// depthClamp: fragments outside the depth range of the view volume are drawn with clamped depth.
#[test]
fn depth_clamp() -> Result<()> {
    let device = device()?;
    let vertex = "
        @vertex fn main(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
            let x = f32((i << 1u) & 2u) * 2.0 - 1.0;
            return vec4(x, f32(i & 2u) * 2.0 - 1.0, x * 2.0 + 0.5, 1.0);
        }";
    let vertex = ShaderStage::only(&module(&device, vertex)?, Stage::Vertex)?;
    let mut rows = Vec::new();
    for clamp in [false, true] {
        let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT | ImageUsage::TRANSFER_SRC;
        let (_, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
        let (depth_image, depth) = target(&device, Format::D32_SFLOAT, usage)?;
        let pipeline = full(&device, WHITE, |d| {
            d.vertex = Some(vertex.clone());
            d.state.depth_format = Some(Format::D32_SFLOAT);
            d.state.depth = DepthState { test: true, write: true, ..DepthState::default() };
            d.state.depth_clamp = clamp;
        })?;
        let info = RenderingInfo {
            depth: Some(RenderingAttachment::clear_depth(&depth, 0.125)),
            ..RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4]))
        };
        let mut commands = device.create_command_buffer();
        let viewport = Viewport { min_depth: 0.25, max_depth: 0.75, ..Viewport::of_size(16, 8) };
        commands
            .begin_rendering(&info)
            .bind_graphics_pipeline(&pipeline)
            .set_size(16, 8)
            .set_viewports(0, &[viewport])
            .draw(3, 1, 0, 0)
            .end_rendering();
        commands.end()?;
        device.queue().run(&commands)?;
        let depth: Vec<f32> = bytemuck::pod_collect_to_vec(&depth_image.read_level(Aspects::DEPTH, 0)?);
        rows.push(depth[..16].to_vec());
    }
    for x in 0..16 {
        // Clip-space x at the pixel's centre; z / w goes from -1.5 to 2.5.
        let z = ((x as f32 + 0.5) / 8.0 - 1.0) * 2.0 + 0.5;
        let inside = (0.0..=1.0).contains(&z);
        let want = 0.25 + z.clamp(0.0, 1.0) * 0.5;
        let close = |a: f32, b: f32| (a - b).abs() < 1e-5;
        assert!(close(rows[0][x], if inside { want } else { 0.125 }), "clipped, {x}: {}", rows[0][x]);
        assert!(close(rows[1][x], want), "clamped, {x}: {}", rows[1][x]);
    }
    Ok(())
}

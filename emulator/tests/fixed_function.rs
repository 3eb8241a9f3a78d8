//! Fragment operations, queries and dynamic state through commands.

use quadrille::*;

const ATTACHMENT: ImageUsage = ImageUsage(0x1 | 0x2 | 0x10);

fn device() -> Result<Device> {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })
}

/// A pipeline with a white triangle that covers the image.
fn white(device: &Device, edit: impl Fn(&mut GraphicsPipelineDesc)) -> Result<GraphicsPipeline> {
    let source = "@fragment fn main() -> @location(0) vec4<f32> { return vec4(1.0); }";
    let vertex = device.create_shader_module(fullscreen::vertex_words()?)?;
    let fragment =
        device.create_shader_module(&frontend::compile_wgsl(source, &frontend::Options::default())?)?;
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

fn target(device: &Device, format: Format, usage: ImageUsage) -> Result<(Image, ImageView)> {
    let image = device.create_bound_image(ImageDesc::new_2d(format, 16, 8, usage))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    Ok((image, view))
}

fn strip(x: i32) -> [Rect; 1] {
    [Rect { x, y: 0, width: 4, height: 8 }]
}

/// Stencil of a combined format: each strip of the image is drawn with other dynamic values. Depth and stencil are read
/// back as separate planes.
#[test]
fn stencil_with_dynamic_masks_and_operations() -> Result<()> {
    let device = device()?;
    let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    for format in [Format::D24_UNORM_S8_UINT, Format::D32_SFLOAT_S8_UINT, Format::S8_UINT] {
        let (image, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
        let (planes, both) = target(&device, format, usage)?;
        let pipeline = white(&device, |d| {
            d.state.stencil_format = Some(format);
            d.dynamic = d.dynamic
                | DynamicStates::STENCIL_TEST_ENABLE
                | DynamicStates::STENCIL_OP
                | DynamicStates::STENCIL_REFERENCE
                | DynamicStates::STENCIL_COMPARE_MASK
                | DynamicStates::STENCIL_WRITE_MASK;
        })?;
        let info = RenderingInfo {
            stencil: Some(RenderingAttachment::clear_stencil(&both, 0x35)),
            ..RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4]))
        };
        let face = |compare, fail, pass| StencilFace { compare, fail, pass, depth_fail: StencilOp::Zero };
        let mut commands = device.create_command_buffer();
        commands
            .begin_rendering(&info)
            .bind_graphics_pipeline(&pipeline)
            .set_size(16, 8)
            .set_stencil_test_enable(true)
            .set_stencil_compare_mask(true, true, 0x0f)
            .set_stencil_write_mask(true, true, 0xff)
            .set_stencil_reference(true, true, 0xf5)
            .set_stencil_op(true, true, face(CompareOp::Equal, StencilOp::Zero, StencilOp::IncrementAndWrap))
            .set_scissors(0, &strip(0))
            .draw(3, 1, 0, 0)
            .set_stencil_write_mask(true, true, 0xf0)
            .set_stencil_op(true, true, face(CompareOp::NotEqual, StencilOp::Replace, StencilOp::Keep))
            .set_scissors(0, &strip(4))
            .draw(3, 1, 0, 0)
            .set_stencil_test_enable(false)
            .set_scissors(0, &strip(8))
            .draw(3, 1, 0, 0)
            .end_rendering();
        commands.end()?;
        device.queue().run(&commands)?;
        let (color, stencil) =
            (image.read_level(Aspects::COLOR, 0)?, planes.read_level(Aspects::STENCIL, 0)?);
        // 0x35 passes and becomes 0x36; then the test fails, and the upper half is that of 0xf5.
        let want = [(255, 0x36), (0, 0xf5), (255, 0x35), (0, 0x35)];
        for x in 0..16 {
            assert_eq!((color[x * 4], stencil[x]), want[x / 4], "{format:?}, column {x}");
        }
    }
    Ok(())
}

#[test]
fn statistics_count_and_conditions_hold() -> Result<()> {
    let device = device()?;
    let (image, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
    let pipeline = white(&device, |_| ())?;
    // Statistics: input vertices and primitives, vertex invocations, clipping in and out, fragment invocations.
    let pool = device.create_query_pool(QueryKind::PipelineStatistics(0b1110_0111), 1)?;
    let condition = device.create_buffer_with(&[0u32, 7], BufferUsage::TRANSFER_SRC)?;
    let info = RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4]));
    let mut commands = device.create_command_buffer();
    commands
        .reset_query_pool(&pool, 0, 1)
        .begin_rendering(&info)
        .bind_graphics_pipeline(&pipeline)
        .set_size(16, 8)
        .set_scissors(0, &strip(0))
        .draw(3, 1, 0, 0)
        .begin_query(&pool, 0);
    for (x, offset, inverted) in [(4, 0, false), (8, 4, false), (12, 0, true)] {
        commands
            .set_scissors(0, &strip(x))
            .begin_conditional_rendering(&condition, offset, inverted)
            .draw(3, 1, 0, 0)
            .end_conditional_rendering();
    }
    commands.end_query(&pool, 0).end_rendering();
    commands.end()?;
    device.queue().run(&commands)?;
    let color = image.read_level(Aspects::COLOR, 0)?;
    let columns: Vec<u8> = (0..4).map(|i| color[i * 16]).collect();
    assert_eq!(columns, [255, 0, 255, 255]);
    assert_eq!(pool.results(0), Some(vec![6, 2, 6, 2, 2, 64]));
    Ok(())
}

/// Dynamic state replaces the values of the pipeline.
#[test]
fn blending_and_logic_operations_are_dynamic() -> Result<()> {
    let device = device()?;
    let (image, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
    let pipeline = white(&device, |d| {
        d.dynamic = d.dynamic
            | DynamicStates::LOGIC_OP
            | DynamicStates::LOGIC_OP_ENABLE
            | DynamicStates::COLOR_BLEND_ENABLE
            | DynamicStates::COLOR_BLEND_EQUATION
            | DynamicStates::COLOR_WRITE_MASK
            | DynamicStates::COLOR_WRITE_ENABLE;
    })?;
    let info = RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.2; 4]));
    let half = BlendEquation { src: BlendFactor::Zero, dst: BlendFactor::One, op: BlendOp::Subtract };
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&info)
        .bind_graphics_pipeline(&pipeline)
        .set_size(16, 8)
        .set_logic_op(LogicOp::Xor)
        .set_logic_op_enable(false)
        .set_color_blend_enable(0, &[false])
        .set_color_blend_equations(0, &[[half; 2]])
        .set_color_write_masks(0, &[0b0001])
        .set_color_write_enable(&[true])
        .set_scissors(0, &strip(0))
        .draw(3, 1, 0, 0)
        .set_color_blend_enable(0, &[true])
        .set_scissors(0, &strip(4))
        .draw(3, 1, 0, 0)
        .set_logic_op_enable(true)
        .set_scissors(0, &strip(8))
        .draw(3, 1, 0, 0)
        .set_color_write_enable(&[false])
        .set_scissors(0, &strip(12))
        .draw(3, 1, 0, 0)
        .end_rendering();
    commands.end()?;
    device.queue().run(&commands)?;
    let color = image.read_level(Aspects::COLOR, 0)?;
    let columns: Vec<[u8; 2]> = (0..4).map(|i| [color[i * 16], color[i * 16 + 1]]).collect();
    // Replaced; 0 - 0.2; 51 xor 255; kept.
    assert_eq!(columns, [[255, 51], [0, 51], [204, 51], [51, 51]]);
    Ok(())
}

/// An edge in the middle of a pixel covers the samples to its right. Spec: Vulkan, "Custom Sample Locations".
#[test]
fn samples_are_where_the_draw_says() -> Result<()> {
    let device = device()?;
    let format = Format::R8G8B8A8_UNORM;
    let many = ImageDesc { samples: 2, ..ImageDesc::new_2d(format, 16, 8, ATTACHMENT) };
    let many = device.create_bound_image(many)?;
    let many = device.create_image_view(&many, ImageViewDesc::new_2d(format))?;
    let (image, view) = target(&device, format, ATTACHMENT)?;
    let pipeline = white(&device, |desc| {
        desc.state.samples = 2;
        desc.dynamic |= DynamicStates::SAMPLE_LOCATIONS | DynamicStates::SAMPLE_LOCATIONS_ENABLE;
    })?;
    let pixels =
        device.create_bound_buffer(BufferDesc { size: 16 * 8 * 4, usage: BufferUsage::TRANSFER_DST })?;
    for (locations, covered) in [
        (Some([[0.25, 0.5], [0.4375, 0.0]]), 0),
        (Some([[0.5625, 0.0], [0.9375, 0.9375]]), 255),
        (Some([[0.0, 0.0], [0.75, 0.25]]), 128),
        // The standard locations: three quarters and one quarter.
        (None, 128),
    ] {
        let mut commands = device.create_command_buffer();
        let color = RenderingAttachment {
            resolve: Some(view.clone()),
            ..RenderingAttachment::clear(&many, [0.0; 4])
        };
        let area = Rect::of_size(16, 8);
        commands
            .begin_rendering(&RenderingInfo { area, colors: vec![Some(color)], ..Default::default() })
            .bind_graphics_pipeline(&pipeline)
            .set_viewports(0, &[Viewport { x: 8.5, ..Viewport::of_size(100, 8) }])
            .set_scissors(0, &[area])
            .set_sample_locations_enable(locations.is_some())
            .set_sample_locations(locations.as_ref().map_or(&[][..], |l| &l[..]))
            .draw(3, 1, 0, 0)
            .end_rendering()
            .copy_image_to_buffer(&image, &pixels, &[BufferImageCopy::whole([16, 8, 1])])
            .end()?;
        device.queue().run(&commands)?;
        for (i, pixel) in pixels.read_all::<[u8; 4]>()?.iter().enumerate() {
            let wanted = match i % 16 {
                0..8 => 0,
                8 => covered,
                _ => 255,
            };
            assert_eq!(pixel[0], wanted, "pixel {i}, {locations:?}");
        }
    }
    Ok(())
}

/// Only the vertex buffers of attributes that the shader reads must be bound. Spec: Vulkan, VUID-vkCmdDraw-None-04007.
#[test]
fn vertex_buffers_that_nothing_reads_may_be_unbound() -> Result<()> {
    let device = device()?;
    let (image, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
    let reads = "@vertex fn main(@builtin(vertex_index) i: u32, @location(1) along: f32) -> @builtin(position) vec4<f32> {
        return vec4(f32(i & 1) * 4 - 1 + along, f32(i & 2) * 2 - 1, 0, 1);
    }";
    let reads =
        device.create_shader_module(&frontend::compile_wgsl(reads, &frontend::Options::default())?)?;
    let layout = |d: &mut GraphicsPipelineDesc| {
        let at = |binding| VertexBinding { binding, stride: 4, ..Default::default() };
        d.state.vertex_bindings = vec![at(0), at(1)];
        let of =
            |binding| VertexAttribute { location: binding, binding, format: Format::R32_SFLOAT, offset: 0 };
        d.state.vertex_attributes = vec![of(0), of(1)];
    };
    let neither = white(&device, layout)?;
    let second = white(&device, |d| {
        layout(d);
        d.vertex = ShaderStage::only(&reads, Stage::Vertex).ok();
    })?;
    let zeros = device.create_buffer_with(&[0f32; 3], BufferUsage::VERTEX)?;
    for (pipeline, bound, works) in
        [(&neither, None, true), (&second, None, false), (&second, Some(0), false), (&second, Some(1), true)]
    {
        let mut commands = device.create_command_buffer();
        commands
            .begin_rendering(&RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4])))
            .bind_graphics_pipeline(pipeline)
            .set_size(16, 8);
        if let Some(binding) = bound {
            commands.bind_vertex_buffers(binding, &[(&zeros, 0)]);
        }
        let ended = commands.draw(3, 1, 0, 0).end_rendering().end();
        match works {
            true => {
                device.queue().run(&commands)?;
                assert!(image.read_level(Aspects::COLOR, 0)?.iter().all(|&byte| byte == 255), "{bound:?}");
            }
            false => {
                assert!(ended.unwrap_err().to_string().contains("draw without vertex buffer 1"), "{bound:?}")
            }
        }
    }
    Ok(())
}

/// Reads the first attachment by VK_EXT_shader_tile_image, and writes 1 less its value.
const INVERT: &str = "
               OpCapability Shader
               OpCapability TileImageColorReadAccessEXT
               OpExtension \"SPV_EXT_shader_tile_image\"
               OpMemoryModel Logical GLSL450
               OpEntryPoint Fragment %main \"main\" %color
               OpExecutionMode %main OriginUpperLeft
               OpExecutionMode %main NonCoherentColorAttachmentReadEXT
               OpDecorate %tile Location 0
               OpDecorate %color Location 0
       %void = OpTypeVoid
         %fn = OpTypeFunction %void
      %float = OpTypeFloat 32
    %v4float = OpTypeVector %float 4
      %image = OpTypeImage %float TileImageDataEXT 0 0 0 2 Unknown
   %of_image = OpTypePointer TileImageEXT %image
       %tile = OpVariable %of_image TileImageEXT
  %of_output = OpTypePointer Output %v4float
      %color = OpVariable %of_output Output
        %one = OpConstant %float 1
       %ones = OpConstantComposite %v4float %one %one %one %one
       %main = OpFunction %void None %fn
      %begin = OpLabel
     %loaded = OpLoad %image %tile
       %read = OpColorAttachmentReadEXT %v4float %loaded
     %result = OpFSub %v4float %ones %read
               OpStore %color %result
               OpReturn
               OpFunctionEnd";

/// A draw that covers whole tiles and reads them does not hide the clear and the draws before it.
#[test]
fn draws_that_read_whole_tiles_hide_nothing() -> Result<()> {
    const SIDE: u32 = 128;
    let device = device()?;
    let color = Format::R8G8B8A8_UNORM;
    let image = device.create_bound_image(ImageDesc::new_2d(color, SIDE, SIDE, ATTACHMENT))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(color))?;
    let fill = white(&device, |_| ())?;
    let words = frontend::load_spirv(INVERT.as_bytes(), &frontend::Options::default())?;
    let fragment = device.create_shader_module(&words)?;
    let invert = white(&device, |d| d.fragment = ShaderStage::only(&fragment, Stage::Fragment).ok())?;
    let area = [Rect { x: 0, y: 0, width: SIDE, height: 70 }];
    let clear = RenderingAttachment::clear(&view, [0.2, 0.4, 0.6, 0.8]);
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&RenderingInfo::of_color(SIDE, SIDE, clear))
        .bind_graphics_pipeline(&fill)
        .set_size(SIDE, SIDE)
        .set_scissors(0, &area)
        .draw(3, 1, 0, 0)
        .bind_graphics_pipeline(&invert)
        .set_size(SIDE, SIDE)
        .draw(3, 1, 0, 0)
        .end_rendering();
    commands.end()?;
    device.queue().run(&commands)?;
    for (i, texel) in image.read_level(Aspects::COLOR, 0)?.chunks_exact(4).enumerate() {
        let wanted = if i < (SIDE * 70) as usize { [0; 4] } else { [204, 153, 102, 51] };
        assert_eq!(texel, wanted, "texel {i}");
    }
    Ok(())
}

/// Fragments that read tile images are single pixels at any shading rate. Spec: Vulkan,
/// primsrast-fragment-shading-rate-combining.
#[test]
fn tile_images_are_read_pixel_by_pixel() -> Result<()> {
    let device = device()?;
    let (image, view) = target(&device, Format::R8G8B8A8_UNORM, ATTACHMENT)?;
    let words = frontend::load_spirv(INVERT.as_bytes(), &frontend::Options::default())?;
    let fragment = device.create_shader_module(&words)?;
    let invert = white(&device, |d| {
        d.fragment = ShaderStage::only(&fragment, Stage::Fragment).ok();
        d.fixed.shading_rate = ShadingRate { size: [4, 2], ..ShadingRate::default() };
    })?;
    let column = |x| ClearRect { rect: Rect { x, y: 0, width: 1, height: 8 }, base_layer: 0, layers: 1 };
    let odd: Vec<ClearRect> = (0..8).map(|i| column(2 * i + 1)).collect();
    let mut commands = device.create_command_buffer();
    commands
        .begin_rendering(&RenderingInfo::of_color(16, 8, RenderingAttachment::clear(&view, [0.0; 4])))
        .clear_attachments(&[ClearAttachment::Color(0, [1.0f32.to_bits(); 4])], &odd)
        .bind_graphics_pipeline(&invert)
        .set_size(16, 8)
        .draw(3, 1, 0, 0)
        .end_rendering();
    commands.end()?;
    device.queue().run(&commands)?;
    for (i, texel) in image.read_level(Aspects::COLOR, 0)?.chunks_exact(4).enumerate() {
        assert_eq!(texel, [if i % 2 == 0 { 255 } else { 0 }; 4], "texel {i}");
    }
    Ok(())
}

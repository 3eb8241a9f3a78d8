//! Multisampled rendering to single-sampled attachments has the same result as a multisampled image that is cleared or
//! loaded before and resolved afterwards. Spec: VK_EXT_multisampled_render_to_single_sampled.

use quadrille::{
    Aspects, AttachmentDesc, AttachmentLoad, BeginRenderPass, ClearAttachment, ClearRect, CompareOp, Device,
    DeviceOptions, Format, FramebufferDesc, GraphicsPipeline, GraphicsPipelineDesc, Image, ImageDesc,
    ImageUsage, ImageView, ImageViewDesc, Rect, RenderPassDesc, RenderingAttachment, RenderingInfo,
    ResolveMode, Result, ShaderStage, Stage, StoreOp, SubpassDesc, frontend,
};

/// A triangle whose long edge crosses pixels, at depths from 0 to 1.
const TRIANGLE: &str = "
    @vertex fn vs(@builtin(vertex_index) i: u32) -> @builtin(position) vec4<f32> {
        let p = vec2(f32(i & 1), f32(i >> 1));
        return vec4(p * vec2(1.9, 1.7) - 1.0, p.x * 0.9, 1.0);
    }
    @fragment fn fs() -> @location(0) vec4<f32> { return vec4(0.3, 1.0, 0.1, 1.0); }";

const SIZE: u32 = 70;
const COLOR: Format = Format::R8G8B8A8_UNORM;
const DEPTH: Format = Format::D32_SFLOAT;
const BLUE: [f32; 4] = [0.2, 0.0, 0.8, 1.0];

fn image(device: &Device, format: Format, samples: u32) -> Result<(Image, ImageView)> {
    let usage = match format {
        DEPTH => ImageUsage::DEPTH_STENCIL_ATTACHMENT,
        _ => ImageUsage::COLOR_ATTACHMENT,
    };
    let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, SIZE, SIZE, usage) };
    let image = device.create_bound_image(desc)?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    Ok((image, view))
}

fn pipeline(device: &Device, samples: u32) -> Result<GraphicsPipeline> {
    let words = frontend::compile_wgsl(TRIANGLE, &frontend::Options::default())?;
    let module = device.create_shader_module(&words)?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let fragment = Some(ShaderStage::only(&module, Stage::Fragment)?);
    let mut desc = GraphicsPipelineDesc::new(&layout, ShaderStage::only(&module, Stage::Vertex)?, fragment);
    desc.state.color_formats = vec![Some(COLOR)];
    desc.state.depth_format = Some(DEPTH);
    desc.state.depth.test = true;
    desc.state.depth.write = true;
    desc.state.depth.compare = CompareOp::Less;
    desc.state.samples = samples;
    device.create_graphics_pipeline(&desc)
}

fn info(color: RenderingAttachment, depth: RenderingAttachment) -> RenderingInfo {
    let (area, colors) = (Rect { x: 3, y: 2, width: 64, height: 66 }, vec![Some(color)]);
    RenderingInfo { area, colors, depth: Some(depth), ..RenderingInfo::default() }
}

/// Returns colour and depth after the render passes.
fn run(
    device: &Device,
    pipeline: &GraphicsPipeline,
    images: [&Image; 2],
    scopes: &[(RenderingInfo, u32)],
) -> Result<[Vec<u8>; 2]> {
    let mut commands = device.create_command_buffer();
    for (info, draws) in scopes {
        commands.begin_rendering(info).bind_graphics_pipeline(pipeline).set_size(SIZE, SIZE);
        commands.draw(3 * draws, 1, 0, 0).end_rendering();
    }
    commands.end()?;
    device.queue().run(&commands)?;
    Ok([images[0].read_level(Aspects::COLOR, 0)?, images[1].read_level(Aspects::DEPTH, 0)?])
}

fn resolved(a: RenderingAttachment, to: &ImageView, resolve_mode: ResolveMode) -> RenderingAttachment {
    RenderingAttachment { resolve: Some(to.clone()), resolve_mode, ..a }
}

/// The reference: multisampled images that are cleared and resolved explicitly.
fn by_hand(device: &Device, samples: u32, mode: ResolveMode) -> Result<[Vec<u8>; 2]> {
    let (color, color_view) = image(device, COLOR, 1)?;
    let (depth, depth_view) = image(device, DEPTH, 1)?;
    let many = [image(device, COLOR, samples)?.1, image(device, DEPTH, samples)?.1];
    let scope = info(
        resolved(RenderingAttachment::clear(&many[0], BLUE), &color_view, ResolveMode::Average),
        resolved(RenderingAttachment::clear_depth(&many[1], 0.5), &depth_view, mode),
    );
    run(device, &pipeline(device, samples)?, [&color, &depth], &[(scope, 1)])
}

#[test]
fn samples_are_made_and_resolved() -> Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    for (samples, mode) in [(2, ResolveMode::SampleZero), (4, ResolveMode::Max), (8, ResolveMode::Min)] {
        let wanted = by_hand(&device, samples, mode)?;
        let one_sample = by_hand(&device, 1, mode);
        assert!(one_sample.is_err() || one_sample? != wanted, "no pixel is partly covered");
        let (color, color_view) = image(&device, COLOR, 1)?;
        let (depth, depth_view) = image(&device, DEPTH, 1)?;
        let pipeline = pipeline(&device, samples)?;
        let scope = |color: RenderingAttachment, depth: RenderingAttachment| RenderingInfo {
            single_sampled_as: samples,
            ..info(color, RenderingAttachment { resolve_mode: mode, ..depth })
        };
        let clear = || {
            scope(
                RenderingAttachment::clear(&color_view, BLUE),
                RenderingAttachment::clear_depth(&depth_view, 0.5),
            )
        };
        let load = || scope(RenderingAttachment::load(&color_view), RenderingAttachment::load(&depth_view));
        let images = [&color, &depth];
        let at_once = run(&device, &pipeline, images, &[(clear(), 1)])?;
        assert_eq!(at_once, wanted, "{samples} samples, cleared");
        // Loading copies the contents to every sample; a render pass without draws changes nothing.
        let loaded = run(&device, &pipeline, images, &[(clear(), 0), (load(), 1), (load(), 0)])?;
        assert_eq!(loaded, wanted, "{samples} samples, loaded");
        // Without a store operation nothing is stored; the samples of a suspended render pass last until it resumes.
        let mut lost = clear();
        lost.colors = vec![Some(RenderingAttachment::clear(&color_view, [1.0; 4]))];
        lost.colors.iter_mut().flatten().chain(&mut lost.depth).for_each(|a| a.store = StoreOp::DontCare);
        let suspended = run(&device, &pipeline, images, &[(lost, 0)])?;
        assert_eq!(suspended, wanted, "{samples} samples, not stored");
        let resumed = RenderingInfo { resuming: true, ..load() };
        let [color, _] = run(&device, &pipeline, images, &[(resumed, 0)])?;
        let pixel = |x: u32, y: u32| color[(y * SIZE + x) as usize * 4];
        assert_eq!([pixel(3, 2), pixel(66, 67), pixel(2, 2), pixel(67, 67)], [255, 255, 0, 0]);
    }
    Ok(())
}

#[test]
fn subpasses_and_clears_of_attachments() -> Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    let (samples, mode) = (4, ResolveMode::SampleZero);
    let (color, color_view) = image(&device, COLOR, 1)?;
    let (depth, depth_view) = image(&device, DEPTH, 1)?;
    let attachment = |format, load| AttachmentDesc { format, samples: 1, load, stencil_load: load };
    let subpass = SubpassDesc {
        colors: vec![Some(0)],
        depth_stencil: Some(1),
        depth_stencil_modes: [Some(mode), None],
        single_sampled_as: samples,
        ..SubpassDesc::default()
    };
    let pass = device.create_render_pass(&RenderPassDesc {
        attachments: vec![attachment(COLOR, AttachmentLoad::Load), attachment(DEPTH, AttachmentLoad::Clear)],
        subpasses: vec![subpass.clone(), subpass],
        density_map: None,
        density_by_layer: false,
    })?;
    assert_eq!(pass.formats(1)?.samples, samples);
    let views = vec![color_view, depth_view];
    let framebuffer =
        device.create_framebuffer(&FramebufferDesc { views, width: SIZE, height: SIZE, layers: 1 })?;
    let area = Rect { x: 3, y: 2, width: 64, height: 66 };
    let clears = vec![[0; 4], [0.5f32.to_bits(), 0, 0, 0]];
    let begin = BeginRenderPass { render_pass: pass, framebuffer, views: Vec::new(), area, clears };
    let mut commands = device.create_command_buffer();
    commands
        .begin_render_pass(&begin)
        .clear_attachments(
            &[ClearAttachment::Color(0, BLUE.map(f32::to_bits))],
            &[ClearRect { rect: Rect::of_size(SIZE, SIZE), base_layer: 0, layers: 1 }],
        )
        .next_subpass()
        .bind_graphics_pipeline(&pipeline(&device, samples)?)
        .set_size(SIZE, SIZE)
        .draw(3, 1, 0, 0)
        .end_render_pass()
        .end()?;
    device.queue().run(&commands)?;
    let got = [color.read_level(Aspects::COLOR, 0)?, depth.read_level(Aspects::DEPTH, 0)?];
    assert!(got == by_hand(&device, samples, mode)?);
    Ok(())
}

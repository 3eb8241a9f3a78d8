//! Command buffers as wholes: errors of recording, secondary command buffers and generated commands in scopes, and events.

use std::sync::{Arc, Mutex};

use quadrille::*;

fn device() -> Result<Device> {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })
}

const FORMAT: Format = Format::R8G8B8A8_UNORM;
/// Width and height of attachments, in pixels.
const SIDE: u32 = 8;

/// A view of a new colour attachment.
fn target(device: &Device, format: Format) -> Result<ImageView> {
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let image = device.create_bound_image(ImageDesc::new_2d(format, SIDE, SIDE, usage))?;
    device.create_image_view(&image, ImageViewDesc::new_2d(format))
}

/// A scope that clears a colour attachment to zero.
fn scope(view: &ImageView) -> RenderingInfo {
    let colors = vec![Some(RenderingAttachment::clear(view, [0.0; 4]))];
    RenderingInfo { area: Rect::of_size(SIDE, SIDE), colors, ..RenderingInfo::default() }
}

/// A pipeline with a triangle that covers attachments of this format in white.
fn white(device: &Device, format: Format) -> Result<GraphicsPipeline> {
    let text = "@fragment fn main() -> @location(0) vec4f { return vec4f(1.0); }";
    let words = frontend::compile_wgsl(text, &frontend::Options::default())?;
    let fragment = ShaderStage::only(&device.create_shader_module(&words)?, Stage::Fragment)?;
    let vertex = device.create_shader_module(fullscreen::vertex_words()?)?;
    let vertex = ShaderStage::only(&vertex, Stage::Vertex)?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
    desc.state.color_formats = vec![Some(format)];
    device.create_graphics_pipeline(&desc)
}

/// Draws with a pipeline in the scope of another command buffer.
fn draw_inside(commands: &mut CommandBuffer, pipeline: &GraphicsPipeline) {
    commands.begin_inside(TargetFormats::default());
    commands.bind_graphics_pipeline(pipeline).set_size(SIDE, SIDE).draw(3, 1, 0, 0);
}

fn record(device: &Device, how: impl FnOnce(&mut CommandBuffer)) -> Result<CommandBuffer> {
    let mut commands = device.create_command_buffer();
    how(&mut commands);
    commands.end()?;
    Ok(commands)
}

fn is_refused(outcome: &Result<()>) -> bool {
    matches!(outcome, Err(Error::Invalid { .. }))
}

/// A command after the end of recording is an error, which lasts until recording begins again.
#[test]
fn a_command_after_the_end_is_not_lost() -> Result<()> {
    let device = device()?;
    let buffer = device.create_bound_buffer(BufferDesc { size: 16, usage: BufferUsage::TRANSFER_DST })?;
    let mut commands = device.create_command_buffer();
    commands.fill_buffer(&buffer, 0, None, 7).end()?;
    commands.fill_buffer(&buffer, 0, None, 8);
    assert!(is_refused(&commands.end()));
    assert!(is_refused(&device.queue().run(&commands)));
    let mut outer = device.create_command_buffer();
    assert!(is_refused(&outer.execute_commands(&[&commands]).end()));
    assert_eq!(buffer.read_all::<u32>()?, [0; 4]);
    commands.begin().fill_buffer(&buffer, 0, None, 9).end()?;
    device.queue().run(&commands)?;
    assert_eq!(buffer.read_all::<u32>()?, [9; 4]);
    Ok(())
}

/// A vertex shader that prints.
const PRINTS: &str = "OpCapability Shader
    OpExtension \"SPV_KHR_non_semantic_info\"
    %print = OpExtInstImport \"NonSemantic.DebugPrintf\"
    OpMemoryModel Logical GLSL450
    OpEntryPoint Vertex %main \"main\" %position
    %text = OpString \"x\"
    OpDecorate %position BuiltIn Position
    %void = OpTypeVoid
    %fn = OpTypeFunction %void
    %float = OpTypeFloat 32
    %vec4 = OpTypeVector %float 4
    %pointer = OpTypePointer Output %vec4
    %position = OpVariable %pointer Output
    %zero = OpConstantNull %vec4
    %main = OpFunction %void None %fn
    %l = OpLabel
    OpStore %position %zero
    %p = OpExtInst %void %print 1 %text
    OpReturn
    OpFunctionEnd";

/// Events are set and reset after the draws before them, also within a scope. Spec: Vulkan, vkCmdSetEvent.
#[test]
fn events_wait_for_the_draws_before_them() -> Result<()> {
    let device = device()?;
    let words = frontend::load_spirv(PRINTS.as_bytes(), &frontend::Options::default())?;
    let vertex = ShaderStage::new(&device.create_shader_module(&words)?, "main");
    let layout = device.create_pipeline_layout(&[], 0)?;
    let mut desc = GraphicsPipelineDesc::new(&layout, vertex, None);
    desc.state.color_formats = vec![Some(FORMAT)];
    let pipeline = device.create_graphics_pipeline(&desc)?;
    let (set, reset) = (device.create_event(), device.create_event());
    let told = Arc::new(Mutex::new(Vec::new()));
    let (to, events) = (told.clone(), [set.clone(), reset.clone()]);
    device.set_print_sink(Some(Arc::new(move |_: &str| {
        to.lock().unwrap().push(events.each_ref().map(|event| event.status().unwrap()));
    })));
    let mut commands = device.create_command_buffer();
    commands.set_event(&reset).begin_rendering(&scope(&target(&device, FORMAT)?));
    commands.bind_graphics_pipeline(&pipeline).set_size(SIDE, SIDE).draw(3, 1, 0, 0);
    commands.set_event(&set).reset_event(&reset).end_rendering().end()?;
    device.queue().run(&commands)?;
    device.set_print_sink(None);
    assert_eq!(*told.lock().unwrap(), [[false, true]; 3]);
    assert_eq!((set.status()?, reset.status()?), (true, false));
    Ok(())
}

/// Draws of secondary command buffers must be inside of a scope, copies and scopes outside: recording refuses other places.
/// Spec: Vulkan, vkCmdExecuteCommands, and vkCmdEndRendering for scopes that another command buffer has begun.
#[test]
fn secondary_command_buffers_run_where_their_commands_can() -> Result<()> {
    let device = device()?;
    let (view, pipeline, event) = (target(&device, FORMAT)?, white(&device, FORMAT)?, device.create_event());
    let buffer = device.create_bound_buffer(BufferDesc { size: 16, usage: BufferUsage::TRANSFER_DST })?;
    let info = scope(&view);
    let draws = record(&device, |c| draw_inside(c, &pipeline))?;
    let nested = record(&device, |c| {
        c.begin_inside(TargetFormats::default()).execute_commands(&[&draws]);
    })?;
    let copies = record(&device, |c| _ = c.fill_buffer(&buffer, 0, None, 7))?;
    let passes = record(&device, |c| _ = c.begin_rendering(&info).end_rendering())?;
    let open = record(&device, |c| _ = c.begin_rendering(&info))?;
    let neither = record(&device, |c| _ = c.set_event(&event))?;
    // Name, command buffer, and validity outside and inside of a scope.
    for (name, secondary, outside, inside) in [
        ("draws", &draws, false, true),
        ("nested draws", &nested, false, true),
        ("copies", &copies, true, false),
        ("passes", &passes, true, false),
        ("an open pass", &open, false, false),
        ("neither", &neither, true, true),
    ] {
        let around = record(&device, |c| _ = c.execute_commands(&[secondary]));
        assert_eq!(around.is_ok(), outside, "{name} outside: {around:?}");
        around.iter().try_for_each(|c| device.queue().run(c))?;
        let around =
            record(&device, |c| _ = c.begin_rendering(&info).execute_commands(&[secondary]).end_rendering());
        assert_eq!(around.is_ok(), inside, "{name} inside: {around:?}");
        around.iter().try_for_each(|c| device.queue().run(c))?;
        let color: u8 = if name.ends_with("draws") { 255 } else { 0 };
        if around.is_ok() {
            assert_eq!(view.image().read_level(Aspects::COLOR, 0)?, [color; (4 * SIDE * SIDE) as usize]);
        }
    }
    let ends = record(&device, |c| _ = c.begin_inside(TargetFormats::default()).end_rendering());
    assert!(is_refused(&ends.map(drop)));
    Ok(())
}

/// Draws of secondary command buffers suit the attachments of the scope that executes them, at any depth. Spec: Vulkan,
/// valid usage of vkCmdExecuteCommands.
#[test]
fn draws_of_secondary_command_buffers_suit_the_scope() -> Result<()> {
    let device = device()?;
    let [view, wrong] = [FORMAT, Format::R32G32B32A32_SFLOAT].map(|format| target(&device, format));
    let (view, wrong, pipeline) = (view?, wrong?, white(&device, FORMAT)?);
    let draws = record(&device, |c| draw_inside(c, &pipeline))?;
    let nested = record(&device, |c| {
        c.begin_inside(TargetFormats::default()).execute_commands(&[&draws, &draws]);
    })?;
    for secondary in [&draws, &nested] {
        let execute = |c: &mut CommandBuffer, view: &ImageView| {
            c.begin_rendering(&scope(view)).execute_commands(&[secondary]).end_rendering();
        };
        let refused = record(&device, |c| execute(c, &wrong));
        assert!(is_refused(&refused.map(drop)));
        let commands = record(&device, |c| execute(c, &view))?;
        device.queue().run(&commands)?;
        assert_eq!(view.image().read_level(Aspects::COLOR, 0)?, [255u8; (4 * SIDE * SIDE) as usize]);
    }
    Ok(())
}

/// A generated draw whose pipeline does not suit the attachments is skipped, like any sequence that no valid program writes.
#[test]
fn generated_draws_that_do_not_suit_the_scope_are_skipped() -> Result<()> {
    let device = device()?;
    let view = target(&device, FORMAT)?;
    let set = ExecutionSet::new(2)?;
    set.write(0, Executable::Graphics(white(&device, Format::R32G32B32A32_SFLOAT)?))?;
    set.write(1, Executable::Graphics(white(&device, FORMAT)?))?;
    let layout = GeneratedLayout::new(20, &[(Token::Pipeline, 0), (Token::Draw, 4)])?;
    let words = [[0u32, 3, 1, 0, 0], [1, 3, 1, 0, 0]];
    let sequences = device.create_buffer_with(words.as_flattened(), BufferUsage::INDIRECT)?;
    for (max_sequences, color) in [(1, 0u8), (2, 255)] {
        let generated = GeneratedCommands {
            layout: &layout,
            set: Some(&set),
            sequences: (&sequences, 0),
            max_sequences,
            count: None,
            max_draws: 1,
        };
        let commands = record(&device, |c| {
            c.begin_rendering(&scope(&view)).set_size(SIDE, SIDE);
            c.execute_generated_commands(&generated).end_rendering();
        })?;
        device.queue().run(&commands)?;
        assert_eq!(view.image().read_level(Aspects::COLOR, 0)?, [color; (4 * SIDE * SIDE) as usize]);
    }
    Ok(())
}

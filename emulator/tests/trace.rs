//! Traces: events of command buffers, and pictures of draws; tracing does not change the results.

use std::path::{Path, PathBuf};

use quadrille::trace::{Trace, TraceLines, TraceOptions, TracePictures};
use quadrille::*;
use serde_json::Value;

const SHADER: &str = "
    struct Push { color: vec4f }
    @group(0) @binding(0) var<storage, read_write> data: array<u32>;
    @group(0) @binding(1) var<uniform> tint: vec4f;
    @vertex fn corner(@builtin(vertex_index) i: u32, @builtin(instance_index) n: u32) -> @builtin(position) vec4f {
        let x = f32(i % 2u) * f32(2u - n) - 1.0;
        return vec4f(x, f32(i / 2u) * 2.0 - 1.0, 0.25 + 0.5 * f32(n), 1.0);
    }
    @fragment fn colored() -> @location(0) vec4f { return tint; }
    @compute @workgroup_size(4) fn count(@builtin(global_invocation_id) id: vec3u) { data[id.x] += id.x; }";

struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Folder {
        let path = std::env::temp_dir().join(format!("quadrille-trace-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        Folder(path)
    }
    fn events(&self) -> Vec<Value> {
        let text = std::fs::read_to_string(self.0.join("trace.jsonl")).unwrap();
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn options(folder: &Folder, filter: &str) -> TraceOptions {
    TraceOptions {
        filter: filter.parse().unwrap(),
        lines: TraceLines::Nowhere,
        folder: Some(folder.0.clone()),
        pictures: TracePictures::Draw,
        ..TraceOptions::default()
    }
}

/// Draws one colour over everything and another over the left half, dispatches and copies. Returns the results.
fn work(device: &Device) -> Result<(Vec<u8>, Vec<u32>)> {
    let words = frontend::compile_wgsl(SHADER, &frontend::Options::default())?;
    let module = device.create_shader_module(&words)?;
    let bindings = [
        DescriptorBinding::new(0, DescriptorKind::StorageBuffer),
        DescriptorBinding::new(1, DescriptorKind::UniformBufferDynamic),
    ];
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let stage = |entry: &str| ShaderStage::new(&module, entry);
    let compute = device
        .create_compute_pipeline(&ComputePipelineDesc { stage: stage("count"), layout: layout.clone() })?;
    let (color, depth) = (Format::R8G8B8A8_UNORM, Format::D32_SFLOAT);
    let mut desc = GraphicsPipelineDesc::new(&layout, stage("corner"), Some(stage("colored")));
    desc.state.topology = Topology::TriangleStrip;
    desc.state.color_formats = vec![Some(color)];
    desc.state.depth_format = Some(depth);
    desc.state.depth = DepthState { test: true, write: true, compare: CompareOp::Always, bounds: false };
    let graphics = device.create_graphics_pipeline(&desc)?;
    let mut colors = [0.0f32; 128];
    colors[..4].copy_from_slice(&[1.0, 0.0, 0.0, 1.0]);
    colors[64..68].copy_from_slice(&[0.0, 0.0, 1.0, 1.0]);
    let colors = device.create_buffer_with(&colors, BufferUsage::UNIFORM)?;
    let data = device.create_buffer_with(&[7u32; 8], BufferUsage::STORAGE)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, &data)?;
    set.write(1, 0, Resource::Buffer { buffer: &colors, offset: 0, range: Some(16) })?;
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let image = device.create_bound_image(ImageDesc::new_2d(color, 8, 4, usage))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(color))?;
    let usage = ImageUsage::DEPTH_STENCIL_ATTACHMENT;
    let deep = device.create_bound_image(ImageDesc::new_2d(depth, 8, 4, usage))?;
    let deep = device
        .create_image_view(&deep, ImageViewDesc { aspect: Aspects::DEPTH, ..ImageViewDesc::new_2d(depth) })?;
    let usage = BufferUsage::TRANSFER_DST;
    let back = device.create_bound_buffer(BufferDesc { size: 8 * 4 * 4, usage })?;
    device.set_name(&colors, "colours");
    device.set_name(&graphics, "corners");
    device.set_name(&image, "picture");

    let mut commands = device.create_command_buffer();
    commands.set_name("everything").begin_label("count");
    commands.bind_compute_pipeline(&compute);
    commands
        .bind_descriptor_sets(BindPoint::Compute, &layout, 0, &[&set], &[0])
        .dispatch(2, 1, 1)
        .end_label();
    let dependency =
        Dependency { src_stages: 1 << 11, src_access: 1 << 34, dst_stages: 1 << 7, dst_access: 1 << 33 };
    commands.pipeline_barriers(&[Barrier { dependency, of: BarrierOf::Memory }]);
    commands.begin_label("draw").begin_rendering(&RenderingInfo {
        area: Rect::of_size(8, 4),
        colors: vec![Some(RenderingAttachment::clear(&view, [0.0, 1.0, 0.0, 1.0]))],
        depth: Some(RenderingAttachment::clear_depth(&deep, 1.0)),
        ..RenderingInfo::default()
    });
    commands.bind_graphics_pipeline(&graphics).set_size(8, 4);
    for instance in [0, 1] {
        commands.bind_descriptor_sets(BindPoint::Graphics, &layout, 0, &[&set], &[instance * 256]);
        commands.draw(4, 1, 0, instance);
    }
    commands.end_rendering().end_label();
    commands.copy_image_to_buffer(&image, &back, &[BufferImageCopy::whole([8, 4, 1])]).end()?;
    device.queue().run(&commands)?;
    Ok((back.read_all()?, data.read_all()?))
}

fn device(trace: Option<Trace>) -> Device {
    Device::new(DeviceOptions { threads: 2, trace, ..DeviceOptions::default() }).unwrap()
}

fn picture(folder: &Path, name: &Value) -> ::image::RgbImage {
    ::image::open(folder.join(name.as_str().unwrap())).unwrap().into_rgb8()
}

#[test]
fn everything_is_told_and_nothing_changes() {
    let folder = Folder::new("all");
    let trace = Trace::new(options(&folder, "debug")).unwrap();
    assert_eq!(work(&device(Some(trace))).unwrap(), work(&device(None)).unwrap());

    let events = folder.events();
    let targets: Vec<_> = events.iter().map(|e| e["target"].as_str().unwrap()).collect();
    let expected = [
        "submit", "commands", "label", "dispatch", "label", "barrier", "label", "pass", "draw", "draw",
        "pass", "label", "transfer",
    ];
    assert_eq!(targets, expected);
    let message = |i: usize| events[i]["message"].as_str().unwrap();
    assert_eq!(message(1), "command buffer \"everything\": 11 commands");
    assert_eq!((message(2), message(6)), ("\"count\"", "\"draw\""));
    assert_eq!(
        message(3),
        "dispatch 2x1x1 workgroups of 4x1x1 by compute pipeline 1 (count of shader module 1)"
    );
    assert_eq!(
        message(5),
        "memory: COMPUTE_SHADER [SHADER_STORAGE_WRITE] -> FRAGMENT_SHADER [SHADER_STORAGE_READ]"
    );
    assert!(message(7).starts_with("pass of 8x4 at 0, 0; color0: image view 1 (image 1 \"picture\""));
    assert!(message(7).contains("cleared to 0, 1, 0, 1; depth:"));
    assert!(message(8).starts_with("draw 4 vertices by graphics pipeline 1 \"corners\" (vertex corner of"));
    assert_eq!(message(12), "copy image 1 \"picture\" to buffer 3");
    // Pictures after each draw: red over everything, then blue over the left half.
    let shots = |i: usize| (&events[i]["pictures"][0], &events[i]["pictures"][1]);
    let (color, depth) = shots(8);
    assert!(picture(&folder.0, color).pixels().all(|p| p.0 == [255, 0, 0]));
    assert_eq!(picture(&folder.0, depth).dimensions(), (8, 4));
    for event in [9, 10] {
        let (color, depth) = shots(event);
        for (x, _, pixel) in picture(&folder.0, color).enumerate_pixels() {
            assert_eq!(pixel.0, if x < 4 { [0, 0, 255] } else { [255, 0, 0] });
        }
        // Depth from 0.25 to 0.75.
        for (x, _, pixel) in picture(&folder.0, depth).enumerate_pixels() {
            assert_eq!(pixel.0, if x < 4 { [255; 3] } else { [0; 3] });
        }
    }
    // State and descriptors of the event.
    let details = &events[9]["details"];
    let has = |heading: &str, text: &str| {
        let lines = details[heading].as_array().unwrap();
        assert!(lines.iter().any(|l| l.as_str().unwrap().contains(text)), "{heading} {text}: {lines:?}");
    };
    has("state", "topology triangle strip");
    has("state", "depth test always, written");
    has("state", "viewport 0: 8x4");
    has("descriptor", "0.1 tint: uniform buffer dynamic: buffer 1 \"colours\" + 0 + dynamic 256, 16 bytes");
    // The page contains everything, and loads nothing from elsewhere.
    let page = std::fs::read_to_string(folder.0.join("index.html")).unwrap();
    assert_eq!(page.matches("<section").count(), events.len());
    assert_eq!(page.matches("<img loading").count(), 6);
    assert!(page.contains("src=\"data:image/png;base64,") && !page.contains("http"));
}

#[test]
fn filters_and_frames_choose() {
    let folder = Folder::new("some");
    // Its folder is made, too.
    let logs = folder.0.with_extension("logs");
    let file = logs.join("trace.log");
    let trace = Trace::new(TraceOptions {
        lines: TraceLines::File(file.clone()),
        frames: 1..2,
        folder: None,
        ..options(&folder, "draw,dispatch=off,barrier=info")
    });
    let device = device(Some(trace.unwrap()));
    for _ in 0..3 {
        work(&device).unwrap();
        device.end_frame();
    }
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::remove_dir_all(logs).unwrap();
    let starts: Vec<_> = text.lines().filter(|l| !l.starts_with("    ")).collect();
    assert!(text.contains("state: depth test always"), "{text}");
    let events: Vec<_> = text.lines().filter(|l| l.contains(" INFO ")).collect();
    assert_eq!(events.len(), 3, "{text}");
    assert!(events[0].contains(" barrier ") && events[1].contains(" draw "), "{starts:?}");
    assert!(!folder.0.exists());
}

/// A second trace of the same folder uses a subfolder.
#[test]
fn folders_are_taken_once() {
    let folder = Folder::new("twice");
    let first = Trace::new(options(&folder, "info")).unwrap();
    let second = Trace::new(options(&folder, "info")).unwrap();
    assert_eq!((first.folder(), second.folder()), (Some(folder.0.clone()), Some(folder.0.join("2"))));
    // A file cannot serve as the folder.
    std::fs::write(folder.0.join("file"), "").unwrap();
    let wrong = TraceOptions { folder: Some(folder.0.join("file")), ..options(&folder, "info") };
    assert!(matches!(Trace::new(wrong), Err(Error::Invalid { .. })));
}

/// Pages are decompressed from and to parts of buffers; those with regions in memory are counted there.
#[test]
fn decompressions_have_their_buffers() {
    let folder = Folder::new("decompression");
    let device = device(Some(Trace::new(options(&folder, "transfer")).unwrap()));
    let usage = BufferUsage::SHADER_DEVICE_ADDRESS | BufferUsage::INDIRECT;
    let memory = device.create_bound_buffer(BufferDesc { size: 256, usage }).unwrap();
    device.set_name(&memory, "memory");
    let address = memory.device_address().unwrap();
    let region = |src, dst| DecompressRegion {
        src_address: address + src,
        dst_address: address + dst,
        compressed_size: 8,
        decompressed_size: 16,
    };
    memory.write(128, &[2u32]).unwrap();
    let mut commands = device.create_command_buffer();
    commands.decompress_memory(&[region(0, 64), region(16, 80)]);
    commands.decompress_memory_indirect_count((&memory, 192), (&memory, 128), 5, 32, false).end().unwrap();
    device.queue().run(&commands).unwrap();
    let events = folder.events();
    let messages: Vec<_> = events.iter().map(|e| e["message"].as_str().unwrap()).collect();
    let [direct, indirect] = messages.as_slice() else { panic!("{messages:?}") };
    assert_eq!(*direct, "decompress 2 pages");
    let [from, to] = ["16, 8 bytes", "80, 16 bytes"].map(|part| format!("\"memory\" + {part}"));
    let text = events[0].to_string().replace("\\\"", "\"");
    assert!(text.contains(&from) && text.contains(&to), "{text}");
    assert!(indirect.starts_with("decompress 2 pages (regions in buffer"), "{indirect}");
}

/// An inline uniform block has no buffer, but a size: that of its binding.
#[test]
fn inline_uniform_blocks_have_their_size() {
    let folder = Folder::new("inline");
    let device = device(Some(Trace::new(options(&folder, "debug")).unwrap()));
    let text = "@group(0) @binding(0) var<uniform> tint: vec4u;
        @compute @workgroup_size(1) fn main() { if (tint.x == 1u) { return; } }";
    let words = frontend::compile_wgsl(text, &frontend::Options::default()).unwrap();
    let stage = ShaderStage::only(&device.create_shader_module(&words).unwrap(), Stage::Compute).unwrap();
    let inline = DescriptorKind::InlineUniformBlock;
    let binding = DescriptorBinding { count: 48, ..DescriptorBinding::new(0, inline) };
    let sets = device.create_descriptor_set_layout(&[binding]).unwrap();
    let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 0).unwrap();
    let desc = ComputePipelineDesc { stage, layout: layout.clone() };
    let pipeline = device.create_compute_pipeline(&desc).unwrap();
    let set = device.create_descriptor_set(&sets).unwrap();
    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(1, 1, 1);
    commands.end().unwrap();
    device.queue().run(&commands).unwrap();
    let events = folder.events();
    let dispatch = events.iter().find(|event| event["target"] == "dispatch").unwrap();
    let lines = dispatch["details"]["descriptor"].to_string();
    assert!(lines.contains("0.0 tint: inline uniform block, 48 bytes"), "{lines}");
}

/// An indirect dispatch is shown with the parameters that it used, also if it overwrites them.
#[test]
fn indirect_dispatches_have_the_parameters_that_they_use() {
    let folder = Folder::new("overwritten");
    let device = device(Some(Trace::new(options(&folder, "debug")).unwrap()));
    let text = "@group(0) @binding(0) var<storage, read_write> groups: array<u32, 3>;
        @compute @workgroup_size(1) fn main() { groups[0] = 9u; }";
    let words = frontend::compile_wgsl(text, &frontend::Options::default()).unwrap();
    let stage = ShaderStage::only(&device.create_shader_module(&words).unwrap(), Stage::Compute).unwrap();
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let sets = device.create_descriptor_set_layout(&[binding]).unwrap();
    let layout = device.create_pipeline_layout(std::slice::from_ref(&sets), 0).unwrap();
    let desc = ComputePipelineDesc { stage, layout: layout.clone() };
    let pipeline = device.create_compute_pipeline(&desc).unwrap();
    let usage = BufferUsage::STORAGE | BufferUsage::INDIRECT;
    let groups = device.create_buffer_with(&[2u32, 1, 1], usage).unwrap();
    let set = device.create_descriptor_set(&sets).unwrap();
    set.write_buffer(0, &groups).unwrap();
    let mut commands = device.create_command_buffer();
    commands
        .bind_compute_pipeline(&pipeline)
        .bind_compute_set(&layout, 0, &set)
        .dispatch_indirect(&groups, 0);
    commands.end().unwrap();
    device.queue().run(&commands).unwrap();
    assert_eq!(groups.read::<u32>(0, 3).unwrap(), [9, 1, 1]);
    let events = folder.events();
    let dispatch = events.iter().find(|event| event["target"] == "dispatch").unwrap();
    let message = dispatch["message"].to_string();
    assert!(message.contains("dispatch 2x1x1 workgroups"), "{message}");
}

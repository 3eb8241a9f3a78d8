//! Endless work of every kind ends in `DeviceLost`. Further tests cover what counts towards a budget, and the state
//! after a loss.

use std::time::{Duration, Instant};

use quadrille::*;

const WGSL: &str = "
    @vertex fn corners(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
        return vec4f(f32(i & 1u) * 0.01, f32(i & 2u) * 0.01, 0.0, 1.0);
    }
    @vertex fn slow(@builtin(instance_index) n: u32) -> @builtin(position) vec4f {
        var x = 1u;
        for (var i = 0u; i < n; i++) { x = x * 3u + i; }
        return vec4f(f32(x & 1u), 0.0, 0.0, 1.0);
    }
    @fragment fn white() -> @location(0) vec4f { return vec4f(1.0); }
    @group(0) @binding(0) var<storage, read_write> data: array<u32>;
    @compute @workgroup_size(1) fn forever() {
        loop { if (data[0] == 7u) { break; } }
    }";

fn device(budget: Duration) -> Device {
    Device::new(DeviceOptions { threads: 2, budget, ..Default::default() }).unwrap()
}

fn module(device: &Device) -> ShaderModule {
    let words = frontend::compile_wgsl(WGSL, &frontend::Options::named("budget")).unwrap();
    device.create_shader_module(&words).unwrap()
}

/// Runs the draws that `draw` records in a render pass of 64x64 pixels.
fn render(device: &Device, topology: Topology, draw: impl FnOnce(&mut CommandBuffer)) -> Result<()> {
    render_by(device, "corners", topology, draw)
}

/// Like [`render`], with this vertex shader.
fn render_by(
    device: &Device,
    vertex: &str,
    topology: Topology,
    draw: impl FnOnce(&mut CommandBuffer),
) -> Result<()> {
    let module = module(device);
    let format = Format::R8G8B8A8_UNORM;
    let image = device.create_bound_image(ImageDesc::new_2d(format, 64, 64, ImageUsage::COLOR_ATTACHMENT))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    let layout = device.create_pipeline_layout(&[], 0)?;
    let stage = |name| ShaderStage::new(&module, name);
    let mut desc = GraphicsPipelineDesc::new(&layout, stage(vertex), Some(stage("white")));
    desc.state.color_formats = vec![Some(format)];
    desc.state.topology = topology;
    desc.state.primitive_restart = topology == Topology::TriangleStrip;
    let pipeline = device.create_graphics_pipeline(&desc)?;
    let color = Some(RenderingAttachment::clear(&view, [0.0; 4]));
    let info = RenderingInfo { area: Rect::of_size(64, 64), colors: vec![color], ..RenderingInfo::default() };
    device.set_name(&pipeline, "sheet");
    let mut commands = device.create_command_buffer();
    commands.set_name("evening");
    commands.begin_rendering(&info).bind_graphics_pipeline(&pipeline).set_size(64, 64);
    draw(&mut commands);
    commands.end_rendering().end()?;
    device.queue().run(&commands)
}

/// Checks that the device was lost because of a budget of 200 ms. The message names `name` or, for draws, the stage
/// that was running, with the pipeline and the command buffer. A busy machine may take longer.
fn assert_lost(outcome: Result<()>, start: Instant, name: &str) {
    let e = outcome.unwrap_err();
    let names = |m: &str| match name {
        "corners" => {
            let ran = m.contains("`corners`") || m.contains("`white`");
            ran && m.contains("graphics pipeline \"sheet\"") && m.ends_with("command buffer \"evening\"")
        }
        _ => m.contains(name),
    };
    assert!(matches!(&e, Error::DeviceLost(m) if names(m)), "{e}");
    assert!(start.elapsed() < Duration::from_secs(60), "stopped after {:?}", start.elapsed());
}

const BUDGET: Duration = Duration::from_millis(200);

/// Three pipelines whose entry points have the same name: the error names the one that did not end.
#[test]
fn a_pipeline_is_not_mistaken_for_its_namesakes() -> Result<()> {
    for endless in ["slow", "dispatch"] {
        let device = device(BUDGET);
        let never = "loop { if (p.x < -1.0) { break; } }";
        let [calm, slow, compute] = [("@fragment", ""), ("@fragment", never), ("@compute", never)]
            .map(|(stage, body)| match stage {
                "@fragment" => format!(
                    "@vertex fn cover(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {{
                        return vec4f(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0);
                    }}
                    @fragment fn same(@builtin(position) p: vec4f) -> @location(0) vec4f {{ {body} return p; }}"
                ),
                _ => format!(
                    "@compute @workgroup_size(1) fn same(@builtin(global_invocation_id) id: vec3u) {{
                        let p = vec4f(vec3f(id), 0.0); {body}
                    }}"
                ),
            })
            .map(|text| frontend::compile_wgsl(&text, &frontend::Options::named("namesakes")).unwrap());
        let layout = device.create_pipeline_layout(&[], 0)?;
        let format = Format::R8G8B8A8_UNORM;
        let graphics = |words: &[u32], name: &str| {
            let module = device.create_shader_module(words)?;
            let [vertex, fragment] = ["cover", "same"].map(|name| ShaderStage::new(&module, name));
            let mut desc = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
            desc.state.color_formats = vec![Some(format)];
            let pipeline = device.create_graphics_pipeline(&desc)?;
            device.set_name(&pipeline, name);
            Ok::<_, Error>(pipeline)
        };
        let (calm, slow) = (graphics(&calm, "calm")?, graphics(&slow, "slow")?);
        let stage = ShaderStage::new(&device.create_shader_module(&compute)?, "same");
        let dispatch =
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
        device.set_name(&dispatch, "dispatch");

        let desc = ImageDesc::new_2d(format, 64, 64, ImageUsage::COLOR_ATTACHMENT);
        let view =
            device.create_image_view(&device.create_bound_image(desc)?, ImageViewDesc::new_2d(format))?;
        let colors = vec![Some(RenderingAttachment::clear(&view, [0.0; 4]))];
        let info = RenderingInfo { area: Rect::of_size(64, 64), colors, ..RenderingInfo::default() };
        let mut c = device.create_command_buffer();
        c.begin_rendering(&info).bind_graphics_pipeline(&calm).set_size(64, 64).draw(3, 1, 0, 0);
        if endless == "slow" {
            c.bind_graphics_pipeline(&slow).draw(3, 1, 0, 0);
        }
        c.end_rendering().bind_compute_pipeline(&dispatch).dispatch(1, 1, 1).end()?;
        let e = device.queue().run(&c).unwrap_err().to_string();
        assert!(e.contains("entry point `same`"), "{e}");
        let named: Vec<&str> = ["calm", "slow", "dispatch"].into_iter().filter(|n| e.contains(n)).collect();
        assert_eq!(named, [endless], "{e}");
    }
    Ok(())
}

#[test]
fn a_draw_of_all_vertices_ends_with_its_budget() {
    for topology in [Topology::TriangleList, Topology::PointList] {
        let start = Instant::now();
        assert_lost(render(&device(BUDGET), topology, |c| _ = c.draw(u32::MAX, 1, 0, 0)), start, "corners");
    }
}

#[test]
fn a_draw_of_all_instances_ends_with_its_budget() {
    for (vertices, instances) in [(3, u32::MAX), (u32::MAX, u32::MAX), (1 << 31, 1 << 31), (9000, u32::MAX)] {
        let start = Instant::now();
        let draw = |c: &mut CommandBuffer| _ = c.draw(vertices, instances, 0, 0);
        assert_lost(render(&device(BUDGET), Topology::TriangleList, draw), start, "corners");
    }
}

#[test]
fn an_indexed_draw_with_restarts_ends_with_its_budget() {
    let device = device(BUDGET);
    let start = Instant::now();
    let indices = device.create_buffer_with(&[0u32, 1, 2, u32::MAX], BufferUsage::INDEX).unwrap();
    let draw = |c: &mut CommandBuffer| {
        c.bind_index_buffer(&indices, 0, IndexType::U32).draw_indexed(u32::MAX, 2, 0, 0, 0);
    };
    assert_lost(render(&device, Topology::TriangleStrip, draw), start, "corners");
}

/// The draws of an indirect command share a budget, although each draw alone would stay within it.
#[test]
fn indirect_draws_share_a_budget() {
    let device = device(BUDGET);
    let start = Instant::now();
    let draws: Vec<[u32; 4]> = vec![[30_000, 100, 0, 0]; 10_000];
    let draws = device.create_buffer_with(draws.as_flattened(), BufferUsage::INDIRECT).unwrap();
    let draw = |c: &mut CommandBuffer| _ = c.draw_indirect(false, &draws, 0, None, 10_000, 16);
    assert_lost(render(&device, Topology::TriangleList, draw), start, "corners");
}

/// Draws of nothing run no shader, but an indirect command can have billions of them.
#[test]
fn indirect_draws_of_nothing_end_with_their_budget() {
    let device = device(Duration::from_millis(20));
    let desc = BufferDesc { size: 1 << 30, usage: BufferUsage::INDIRECT };
    let zeros = device.create_bound_buffer(desc).unwrap();
    let start = Instant::now();
    let draw = |c: &mut CommandBuffer| _ = c.draw_indirect(false, &zeros, 0, None, u32::MAX, 16);
    assert_lost(render(&device, Topology::TriangleList, draw), start, "corners");
}

/// Each draw of a pass has a separate budget: together, the draws take several budgets.
#[test]
fn draws_that_keep_to_their_budget_are_not_added_up() {
    let device = device(Duration::from_millis(1500));
    let timed = Instant::now();
    render(&device, Topology::TriangleList, |c| _ = c.draw(600_000, 1, 0, 0)).unwrap();
    // Enough draws to take twice the budget on this machine, 200 at most.
    let n = (3.0 / timed.elapsed().as_secs_f64()).clamp(2.0, 200.0) as u32;
    render(&device, Topology::TriangleList, |c| (0..n).for_each(|_| _ = c.draw(600_000, 1, 0, 0))).unwrap();
}

/// Draws that still wait when a command of draws of nothing comes have a budget of their own.
#[test]
fn draws_of_nothing_use_nothing_of_the_budget_of_earlier_draws() {
    let device = device(Duration::from_secs(1));
    let desc = BufferDesc { size: 1 << 30, usage: BufferUsage::INDIRECT };
    let zeros = device.create_bound_buffer(desc).unwrap();
    let slow = |c: &mut CommandBuffer, n: u32| _ = c.draw(3, 1, 0, n);
    let nothing = |c: &mut CommandBuffer, n: u32| _ = c.draw_indirect(false, &zeros, 0, None, n, 16);
    let run = |draw: &dyn Fn(&mut CommandBuffer)| {
        let start = Instant::now();
        render_by(&device, "slow", Topology::TriangleList, draw).unwrap();
        start.elapsed().as_secs_f64()
    };
    // The first run also compiles.
    let [_, rest] = [(); 2].map(|()| run(&|c| slow(c, 1)));
    // The number with which the draws take 65 hundredths of the budget on this machine.
    let fitting = |draw: &dyn Fn(&mut CommandBuffer, u32)| {
        let (mut n, mut took) = (1 << 15, 0.0);
        while took < 0.1 {
            n *= 2;
            took = run(&|c| draw(c, n)) - rest;
        }
        (f64::from(n) * 0.65 / took) as u32
    };
    let (many, more) = (fitting(&slow), fitting(&nothing));
    run(&|c| {
        slow(c, many);
        nothing(c, more);
    });
}

#[test]
fn a_copy_of_many_regions_ends_with_its_budget() {
    let device = device(BUDGET);
    let usage = BufferUsage(BufferUsage::TRANSFER_SRC.0 | BufferUsage::TRANSFER_DST.0);
    let buffer = device.create_bound_buffer(BufferDesc { size: 32 << 20, usage }).unwrap();
    let region = BufferCopy { src_offset: 0, dst_offset: 16 << 20, size: 16 << 20 };
    let mut commands = device.create_command_buffer();
    commands.copy_buffer(&buffer, &buffer, &vec![region; 100_000]).end().unwrap();
    let start = Instant::now();
    assert_lost(device.queue().run(&commands), start, "copy_buffer");
}

/// A single region may be larger than memory; here, images and buffers without memory have such regions.
#[test]
fn a_region_of_any_size_ends_with_its_budget() {
    let usage = ImageUsage(ImageUsage::TRANSFER_SRC.0 | ImageUsage::TRANSFER_DST.0);
    let flags = ImageFlags { sparse_binding: true, sparse_residency: true, ..ImageFlags::default() };
    let (size, budget) = (16384, Duration::from_millis(20));
    let corners = |n: i32| [[0; 3], [n, n, 1]];
    let (src, dst) = (SubresourceLayers::COLOR, SubresourceLayers::COLOR);
    let blit = ImageBlit { src, src_offsets: corners(8), dst, dst_offsets: corners(size) };
    let make = |device: &Device, n: i32, format: Format| {
        let desc = ImageDesc::new_2d(format, n as u32, n as u32, usage);
        match n == size {
            true => device.create_image(ImageDesc { flags, ..desc }).unwrap(),
            false => device.create_bound_image(desc).unwrap(),
        }
    };
    for threads in [1, 2] {
        let device = Device::new(DeviceOptions { threads, budget, ..Default::default() }).unwrap();
        let small = make(&device, 8, Format::R8G8B8A8_UNORM);
        let large = make(&device, size, Format::R32G32B32A32_SFLOAT);
        let mut commands = device.create_command_buffer();
        commands.blit_image(&small, &large, &[blit], true).end().unwrap();
        let start = Instant::now();
        assert_lost(
            device.queue().run(&commands),
            start,
            "`blit_image` did not end within its budget of 0.02 s",
        );
        // The whole region would take any processor several seconds.
        let took = start.elapsed();
        assert!(took < Duration::from_secs(10), "{took:?}");
    }
}

/// A copy whose parameters are in memory stops as well, also in the middle of the last one.
#[test]
fn an_indirect_copy_ends_with_its_budget() {
    let device = device(Duration::from_millis(1));
    let usage = BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST | BufferUsage::SHADER_DEVICE_ADDRESS;
    let size = 256 << 20;
    let [src, dst] = [(); 2].map(|()| device.create_bound_buffer(BufferDesc { size, usage }).unwrap());
    let words = [src.device_address().unwrap(), dst.device_address().unwrap(), size];
    let parameters = device.create_buffer_with(&words, BufferUsage::INDIRECT).unwrap();
    let mut commands = device.create_command_buffer();
    commands.copy_memory_indirect((&parameters, 0), 24, 1).end().unwrap();
    let start = Instant::now();
    assert_lost(device.queue().run(&commands), start, "copy_indirect");
}

/// The cost of recorded work is added up without overflow, and an invalid region is an `Invalid` error.
#[test]
fn regions_of_any_size_are_judged() {
    let device = device(BUDGET);
    let format = Format::R8G8B8A8_UNORM;
    let usage = ImageUsage(ImageUsage::TRANSFER_SRC.0 | ImageUsage::TRANSFER_DST.0);
    let image = device.create_bound_image(ImageDesc::new_2d(format, 8, 8, usage)).unwrap();
    let region = ImageCopy {
        src: SubresourceLayers::COLOR,
        src_offset: [0; 3],
        dst: SubresourceLayers::COLOR,
        dst_offset: [0; 3],
        extent: [u32::MAX; 3],
    };
    let mut commands = device.create_command_buffer();
    let e = commands.copy_image(&image, &image, &[region; 2]).end().unwrap_err();
    assert!(matches!(e, Error::Invalid { .. }), "{e}");
}

/// A dispatch of 2^54 workgroups, which is within the limit of each dimension, ends with its budget.
#[test]
fn a_dispatch_of_all_workgroups_ends_with_its_budget() {
    for indirect in [false, true] {
        let device = device(BUDGET);
        let groups = LIMITS.max_compute_work_group_count;
        let words = frontend::compile_wgsl(
            "@compute @workgroup_size(1) fn nothing() {}",
            &frontend::Options::named("nothing.wgsl"),
        )
        .unwrap();
        let module = device.create_shader_module(&words).unwrap();
        let layout = device.create_pipeline_layout(&[], 0).unwrap();
        let desc = ComputePipelineDesc { stage: ShaderStage::new(&module, "nothing"), layout };
        let pipeline = device.create_compute_pipeline(&desc).unwrap();
        let parameters = device.create_buffer_with(&groups, BufferUsage::INDIRECT).unwrap();
        let mut commands = device.create_command_buffer();
        commands.bind_compute_pipeline(&pipeline);
        match indirect {
            true => commands.dispatch_indirect(&parameters, 0),
            false => commands.dispatch(groups[0], groups[1], groups[2]),
        };
        commands.end().unwrap();
        let start = Instant::now();
        assert_lost(device.queue().run(&commands), start, "`nothing`");
    }
}

#[test]
fn nothing_runs_on_a_lost_device() {
    let device = device(BUDGET);
    let module = module(&device);
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let set_layout = device.create_descriptor_set_layout(&[binding]).unwrap();
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0).unwrap();
    let stage = ShaderStage::new(&module, "forever");
    let desc = ComputePipelineDesc { stage, layout: layout.clone() };
    let pipeline = device.create_compute_pipeline(&desc).unwrap();
    let usage = BufferUsage(BufferUsage::STORAGE.0 | BufferUsage::TRANSFER_DST.0);
    let [first, second] =
        [16, 1 << 20].map(|size| device.create_bound_buffer(BufferDesc { size, usage }).unwrap());
    let set = device.create_descriptor_set(&set_layout).unwrap();
    set.write_buffer(0, &first).unwrap();
    let mut endless = device.create_command_buffer();
    endless.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set);
    // So many workgroups that the executor runs them.
    endless.dispatch(1 << 15, 4, 1).end().unwrap();
    let mut fill = device.create_command_buffer();
    fill.fill_buffer(&second, 0, None, 7).end().unwrap();
    let queue = device.queue();
    queue.submit(&[Submit { commands: &[&endless], ..Submit::default() }], None).unwrap();
    let submitted = queue.submit(&[Submit { commands: &[&fill], ..Submit::default() }], None);
    let e = queue.wait_idle().unwrap_err();
    assert!(matches!(&e, Error::DeviceLost(m) if m.contains("forever")), "{e}");
    // On a busy machine, the device may be lost before the second submission.
    if let Err(lost) = submitted {
        assert_eq!(lost.to_string(), e.to_string());
    }
    assert_eq!(second.read::<u32>(0, 1).unwrap(), [0]);
}

/// A device with a budget is refused if no watchdog thread can start. A device without a budget needs no thread.
#[cfg(unix)]
#[test]
fn without_a_watchdog_no_device_has_a_budget() {
    if env::TEST_CHILD.get().is_none() {
        let test = "without_a_watchdog_no_device_has_a_budget";
        let mut child = std::process::Command::new(std::env::current_exe().unwrap());
        let out =
            child.args(["--exact", test, "--nocapture"]).env(env::TEST_CHILD.name, "1").output().unwrap();
        let text = [out.stdout, out.stderr].map(|text| String::from_utf8_lossy(&text).into_owned()).concat();
        assert!(out.status.success() && text.contains("1 passed"), "{text}");
        return;
    }
    let words = frontend::compile_wgsl(
        "@group(0) @binding(0) var<storage, read_write> data: array<u32>;
         @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
             for (var i = 0u; i < 100u; i++) { data[id.x] += id.x; }
         }",
        &frontend::Options::named("sum"),
    )
    .unwrap();
    // From here on, this process cannot create threads; the limit does not apply to the superuser.
    let none = rustix::process::Rlimit { current: Some(0), maximum: Some(0) };
    rustix::process::setrlimit(rustix::process::Resource::Nproc, none).unwrap();
    if rustix::process::getuid().is_root() {
        rustix::thread::set_thread_uid(rustix::process::Uid::from_raw(65534)).unwrap();
    }
    assert!(std::thread::Builder::new().spawn(|| ()).is_err(), "threads start all the same");

    let e = Device::new(DeviceOptions { threads: 2, budget: BUDGET, ..Default::default() }).unwrap_err();
    assert!(matches!(&e, Error::OutOfMemory(m) if m.contains("watchdog")), "{e}");
    let device =
        Device::new(DeviceOptions { threads: 2, budget: Duration::ZERO, ..Default::default() }).unwrap();
    let mut run = apps::compute::Compute::new(
        &device,
        &apps::compute::ComputeDesc { words: &words, entry: None, specialization: &[], push: &[] },
    )
    .unwrap();
    run.bind(0, 0, &[0; 4 << 16]).unwrap();
    run.dispatch([1 << 10, 1, 1]).unwrap();
    let data = run.read(0, 0).unwrap();
    let word = |i: usize| u32::from_le_bytes(data[4 * i..][..4].try_into().unwrap());
    assert!((0..1 << 16).all(|i| word(i) == 100 * i as u32));
}

//! Commands other than plain draws and dispatches: buffers and images, secondary command buffers, synchronization, descriptors.
//! Commands within rendering are in `commands/rendering.rs`.

#[path = "commands/rendering.rs"]
mod rendering;

use std::time::Duration;

use quadrille::*;

fn device() -> Result<Device> {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })
}

fn module(device: &Device, source: &str) -> Result<ShaderModule> {
    let words = frontend::compile_wgsl(source, &frontend::Options::default())?;
    device.create_shader_module(&words)
}

const ALL: BufferUsage = BufferUsage(0x1ff);
const ATTACHMENT: ImageUsage = ImageUsage(0x1 | 0x2 | 0x10);

/// A compute pipeline with one storage buffer at binding 0.
fn on_buffer(device: &Device, source: &str, buffer: &Buffer) -> Result<(ComputePipeline, DescriptorSet)> {
    let bindings = [DescriptorBinding::new(0, DescriptorKind::StorageBuffer)];
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 16)?;
    let stage = ShaderStage::only(&module(device, source)?, Stage::Compute)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, buffer)?;
    Ok((device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?, set))
}

const COUNT: &str = "
    @group(0) @binding(0) var<storage, read_write> out: array<u32>;
    @compute @workgroup_size(4) fn main(@builtin(global_invocation_id) id: vec3<u32>,
                                        @builtin(num_workgroups) n: vec3<u32>) {
        out[id.x] = out[id.x] * 10u + n.x;
    }";

#[test]
fn buffers_fill_update_copy_and_dispatch_indirect() -> Result<()> {
    let device = device()?;
    let buffer = device.create_bound_buffer(BufferDesc { size: 64, usage: ALL })?;
    let args = device.create_bound_buffer(BufferDesc { size: 32, usage: ALL })?;
    let (pipeline, set) = on_buffer(&device, COUNT, &buffer)?;
    let mut commands = device.create_command_buffer();
    commands
        .fill_buffer(&buffer, 0, None, 3)
        .update_buffer(&args, 4, &[2u32, 1, 1])
        .bind_compute_pipeline(&pipeline)
        .bind_compute_set(pipeline.layout(), 0, &set)
        .dispatch_indirect(&args, 4)
        .dispatch(1, 1, 1)
        .copy_buffer(&buffer, &args, &[BufferCopy { src_offset: 12, dst_offset: 0, size: 8 }])
        .dispatch_base([1, 0, 0], [2, 1, 1]);
    commands.end()?;
    device.queue().run(&commands)?;
    let out = buffer.read_all::<u32>()?;
    assert_eq!(out[..4], [321; 4]);
    assert_eq!(out[4..8], [322; 4]);
    assert_eq!(out[8..12], [32; 4]);
    assert_eq!(out[12..], [3; 4]);
    assert_eq!(args.read::<u32>(0, 2)?, [321, 32]);
    Ok(())
}

/// A new recording drops the previous commands; submissions that still run keep theirs.
#[test]
fn command_buffers_are_recorded_again_and_again() -> Result<()> {
    let device = device()?;
    let [first, second] = [[1u32; 16], [2; 16]].map(|words| device.create_buffer_with(&words, ALL));
    let (first, second) = (first?, second?);
    let (pipeline, set) = on_buffer(&device, COUNT, &first)?;
    let copy = |from: u64, to: u64| BufferCopy { src_offset: from, dst_offset: to, size: 8 };
    let mut commands = device.create_command_buffer();
    let submit = |commands: &CommandBuffer| {
        device.queue().submit(&[Submit { commands: &[commands], ..Submit::default() }], None)
    };
    commands.bind_compute_pipeline(&pipeline).bind_compute_set(pipeline.layout(), 0, &set).dispatch(4, 1, 1);
    commands.update_buffer(&second, 0, &[7u32; 4]).copy_buffer(&second, &first, &[copy(0, 0), copy(0, 32)]);
    commands.end()?;
    submit(&commands)?;
    // The previous commands may still be running.
    commands.begin().update_buffer(&second, 16, &[9u32, 8]);
    commands.copy_buffer(&second, &first, &[copy(16, 8)]).end()?;
    submit(&commands)?;
    device.queue().wait_idle()?;
    let now: Vec<u32> = first.read(0, 16)?;
    assert_eq!(now, [7, 7, 9, 8, 14, 14, 14, 14, 7, 7, 14, 14, 14, 14, 14, 14]);
    assert_eq!(second.read::<u32>(0, 7)?, [7, 7, 7, 7, 9, 8, 2]);
    // A dispatch without a pipeline is an error; an empty recording is valid; `trim` releases unused memory.
    assert!(commands.begin().dispatch(1, 1, 1).end().is_err());
    commands.begin().trim();
    commands.begin().end()?;
    assert_eq!(format!("{commands:?}"), "CommandBuffer(0 commands)");
    device.queue().run(&commands)?;
    commands.begin().fill_buffer(&first, 0, Some(4), 5).end()?;
    device.queue().run(&commands)?;
    assert_eq!(first.read::<u32>(0, 3)?, [5, 7, 9]);
    Ok(())
}

/// Push constants, sets, pipelines and dynamic state do not survive a new recording.
#[test]
fn command_buffers_begin_without_state() -> Result<()> {
    let source = "
        struct P { add: array<vec4<u32>, 2> }
        var<immediate> p: P;
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1) fn main() { out[0] = 1u + p.add[0].x + p.add[1].w; }";
    let device = device()?;
    let buffer = device.create_bound_buffer(BufferDesc { size: 16, usage: ALL })?;
    let bindings = [DescriptorBinding::new(0, DescriptorKind::StorageBuffer)];
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 32)?;
    let stage = ShaderStage::only(&module(&device, source)?, Stage::Compute)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, &buffer)?;
    let mut commands = device.create_command_buffer();
    let mut record = |pushed: &[u32], bound: bool| {
        commands.begin().bind_compute_pipeline(&pipeline).push_constants(0, pushed);
        if bound {
            commands.bind_compute_set(pipeline.layout(), 0, &set);
        }
        commands.dispatch(1, 1, 1).end()?;
        device.queue().run(&commands)?;
        Ok(buffer.read::<u32>(0, 1)?[0])
    };
    assert_eq!(record(&[10, 0, 0, 0, 0, 0, 0, 100], true)?, 111);
    assert_eq!(record(&[20], true)?, 21);
    assert_eq!(record(&[], true)?, 1);
    let unbound: Result<u32> = record(&[], false);
    assert!(matches!(unbound, Err(Error::Invalid { .. })));
    assert_eq!(record(&[3], true)?, 4);
    assert!(commands.begin().dispatch(1, 1, 1).end().is_err());
    Ok(())
}

#[test]
fn secondary_command_buffers_and_push_constants() -> Result<()> {
    let source = "
        struct P { add: u32, at: u32 }
        var<immediate> p: P;
        @group(0) @binding(0) var<storage, read_write> out: array<u32>;
        @compute @workgroup_size(1) fn main() { out[p.at] += p.add; }";
    let device = device()?;
    let buffer = device.create_bound_buffer(BufferDesc { size: 16, usage: ALL })?;
    let (pipeline, set) = on_buffer(&device, source, &buffer)?;
    let mut inner = device.create_command_buffer();
    inner
        .bind_compute_pipeline(&pipeline)
        .bind_compute_set(pipeline.layout(), 0, &set)
        .push_constants(0, &[5u32, 0])
        .dispatch(1, 1, 1)
        .push_constants(4, &[2u32])
        .dispatch(1, 1, 1);
    inner.end()?;
    let mut outer = device.create_command_buffer();
    outer.execute_commands(&[&inner, &inner]).end()?;
    device.queue().run(&outer)?;
    assert_eq!(buffer.read_all::<u32>()?, [10, 0, 10, 0]);
    Ok(())
}

#[test]
fn semaphores_events_and_timestamps_order_submissions() -> Result<()> {
    let device = device()?;
    let queue = device.queue();
    let buffer = device.create_bound_buffer(BufferDesc { size: 64, usage: ALL })?;
    let (pipeline, set) = on_buffer(&device, COUNT, &buffer)?;
    let (event, pool) = (device.create_event(), device.create_query_pool(QueryKind::Timestamp, 2)?);
    let mut commands = device.create_command_buffer();
    commands
        .reset_query_pool(&pool, 0, 2)
        .write_timestamp(&pool, 0)
        .wait_events(&[&event])
        .bind_compute_pipeline(&pipeline)
        .bind_compute_set(pipeline.layout(), 0, &set)
        .dispatch(1, 1, 1)
        .write_timestamp(&pool, 1);
    commands.end()?;
    let (go, done) = (device.create_timeline_semaphore(0), device.create_semaphore());
    let first = Submit { waits: &[(&go, 5)], commands: &[&commands], signals: &[(&done, 0)] };
    let fence = device.create_fence(false);
    queue.submit(&[first], None)?;
    queue.submit(&[Submit { waits: &[(&done, 0)], ..Submit::default() }], Some(&fence))?;
    assert!(!fence.wait(Some(Duration::from_millis(5)))?);
    // A descriptor set in use cannot be written.
    assert!(set.write_buffer(0, &buffer).is_err());
    go.signal(5);
    assert!(!fence.wait(Some(Duration::from_millis(5)))?);
    event.set();
    assert!(fence.wait(None)?);
    assert_eq!(buffer.read::<u32>(0, 4)?, [1; 4]);
    assert_eq!(done.value()?, 0);
    assert!(pool.result(1) >= pool.result(0) && pool.result(0).is_some());
    set.write_buffer(0, &buffer)?;
    Ok(())
}

/// The status of a fence can be had with patience: it is the answer as soon as the fence is signaled, by whoever does it.
#[test]
fn a_fence_is_waited_for_with_patience() -> Result<()> {
    let device = device()?;
    let (fence, event) = (device.create_fence(false), device.create_event());
    let mut commands = device.create_command_buffer();
    commands.wait_events(&[&event]);
    commands.end()?;
    device.queue().submit(&[Submit { commands: &[&commands], ..Submit::default() }], Some(&fence))?;
    assert!(!fence.status_within(Duration::ZERO)?);
    assert!(!fence.status_within(Duration::from_millis(1))?);
    std::thread::scope(|s| {
        s.spawn(|| {
            std::thread::sleep(Duration::from_millis(20));
            event.set();
        });
        assert!(fence.status_within(Duration::from_secs(600))?);
        assert!(fence.status_within(Duration::ZERO)?);
        Ok(())
    })
}

/// Sets keep the resources alive that were written to them, and the device is destroyed last.
#[test]
fn objects_may_be_dropped_in_any_order() -> Result<()> {
    let buffer;
    {
        let device = device()?;
        buffer = device.create_bound_buffer(BufferDesc { size: 64, usage: ALL })?;
        let (pipeline, set) = on_buffer(&device, COUNT, &buffer)?;
        let mut commands = device.create_command_buffer();
        commands
            .bind_compute_pipeline(&pipeline)
            .bind_compute_set(pipeline.layout(), 0, &set)
            .dispatch(4, 1, 1);
        commands.end()?;
        let queue = device.queue();
        drop((pipeline, set, device));
        for _ in 0..3 {
            queue.submit(&[Submit { commands: &[&commands], ..Submit::default() }], None)?;
        }
        drop(commands);
        queue.wait_idle()?;
    }
    assert_eq!(buffer.read_all::<u32>()?, [444; 16]);
    Ok(())
}

fn target(device: &Device, format: Format, usage: ImageUsage) -> Result<(Image, ImageView)> {
    let image = device.create_bound_image(ImageDesc::new_2d(format, 16, 8, usage))?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
    Ok((image, view))
}

/// Copies, blits and clears of images through commands; invalid regions are refused at recording.
#[test]
fn image_transfers() -> Result<()> {
    let device = device()?;
    let format = Format::R8G8B8A8_UNORM;
    let (a, _) = target(&device, format, ATTACHMENT)?;
    let desc = ImageDesc { levels: 2, ..ImageDesc::new_2d(format, 8, 4, ATTACHMENT) };
    let b = device.create_bound_image(desc)?;
    let half = SubresourceLayers { level: 1, ..SubresourceLayers::COLOR };
    let mut commands = device.create_command_buffer();
    commands
        .clear_color_image(
            &a,
            [1.0f32, 0.0, 0.0, 1.0].map(f32::to_bits),
            &[SubresourceRange::all(Aspects::COLOR)],
        )
        .copy_image(
            &a,
            &b,
            &[ImageCopy {
                src: SubresourceLayers::COLOR,
                src_offset: [3, 3, 0],
                dst: SubresourceLayers::COLOR,
                dst_offset: [4, 0, 0],
                extent: [4, 4, 1],
            }],
        )
        .blit_image(
            &b,
            &b,
            &[ImageBlit {
                src: SubresourceLayers::COLOR,
                src_offsets: [[0; 3], [8, 4, 1]],
                dst: half,
                dst_offsets: [[0; 3], [4, 2, 1]],
            }],
            true,
        );
    commands.end()?;
    device.queue().run(&commands)?;
    let level = Picture::from_bytes(4, 2, &b.read_level(Aspects::COLOR, 1)?)?;
    assert_eq!((level.pixel(1, 1), level.pixel(2, 0)), ([0; 4], [255, 0, 0, 255]));

    let back = device.create_bound_buffer(BufferDesc { size: 16, usage: ALL })?;
    let mut commands = device.create_command_buffer();
    commands.copy_image_to_buffer(&a, &back, &[BufferImageCopy::whole([16, 8, 1])]);
    assert!(matches!(commands.end(), Err(Error::Invalid { .. })));
    Ok(())
}

#[test]
fn storage_images_and_texel_fetches() -> Result<()> {
    let source = "
        @group(0) @binding(0) var src: texture_2d<f32>;
        @group(0) @binding(1) var dst: texture_storage_2d<rgba32float, write>;
        @compute @workgroup_size(4, 4)
        fn main(@builtin(global_invocation_id) id: vec3<u32>) {
            let size = textureDimensions(src);
            let c = textureLoad(src, vec2<i32>(id.xy), 0);
            textureStore(dst, vec2<i32>(id.yx), vec4(c.rgb, f32(size.x)));
        }";
    let mut picture = Picture::filled(8, 4, [0; 4])?;
    for (i, p) in picture.pixels.iter_mut().enumerate() {
        *p = [i as u8, 255 - i as u8, 7, 0];
    }
    let run = ShaderTest::wgsl(source)?
        .bind_picture(0, 0, &picture)
        .bind_image(0, 1, Format::R32G32B32A32_SFLOAT, (4, 8), &[[0f32; 4]; 32])
        .dispatch([2, 1, 1])?;
    let out: Vec<[f32; 4]> = run.read_image(0, 1)?;
    for (x, y) in [(0usize, 0usize), (7, 3), (5, 1)] {
        let i = (y * 8 + x) as f32;
        let want = [i / 255.0, (255.0 - i) / 255.0, 7.0 / 255.0, 8.0];
        assert_eq!(out[x * 4 + y], want);
    }
    Ok(())
}

#[test]
fn memory_runs_out_as_an_error() -> Result<()> {
    let device = Device::new(DeviceOptions { heap_bytes: 1 << 20, ..DeviceOptions::default() })?;
    let all = device.allocate(1 << 20)?;
    assert!(matches!(device.allocate(1), Err(Error::OutOfMemory(_))));
    assert!(matches!(device.allocate(u64::MAX), Err(Error::Limit(_) | Error::OutOfMemory(_))));
    drop(all);
    assert_eq!(device.heap_used(), 0);
    device.allocate(1 << 19).map(drop)
}

/// Null images and samplers read zero; objects of another device are refused.
#[test]
fn null_images_and_other_devices() -> Result<()> {
    let source = "
        @group(0) @binding(0) var t: texture_2d<f32>;
        @group(0) @binding(1) var s: sampler;
        @group(0) @binding(2) var i: texture_storage_2d<rgba8unorm, write>;
        @group(0) @binding(3) var<storage, read_write> out: array<f32>;
        @compute @workgroup_size(1) fn main() {
            let c = textureSampleLevel(t, s, vec2(0.5), 1.0);
            let d = textureLoad(t, vec2(3), 0);
            textureStore(i, vec2(0), c);
            out[0] = c.x + c.w + d.w;
            out[1] = f32(textureDimensions(t).x);
        }";
    let (device, other) = (device()?, device()?);
    use DescriptorKind as K;
    let bindings = [K::SampledImage, K::Sampler, K::StorageImage, K::StorageBuffer];
    let bindings: Vec<_> = (0..4).map(|i| DescriptorBinding::new(i, bindings[i as usize])).collect();
    let set_layout = device.create_descriptor_set_layout(&bindings)?;
    let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
    let stage = ShaderStage::only(&module(&device, source)?, Stage::Compute)?;
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let out = device.create_buffer_with(&[1.0f32; 2], BufferUsage::STORAGE)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(3, &out)?;
    let run = |set: &DescriptorSet| -> Result<Vec<f32>> {
        let mut commands = device.create_command_buffer();
        commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, set).dispatch(1, 1, 1);
        commands.end()?;
        device.queue().run(&commands)?;
        out.read_all()
    };
    assert_eq!(run(&set)?, [0.0, 0.0]);
    let sampler = device.create_sampler(SamplerDesc::default())?;
    set.write(1, 0, Resource::Sampler(&sampler))?;
    assert_eq!(run(&set)?, [0.0, 0.0]);
    set.write(1, 0, Resource::Null)?;
    let image = device.create_bound_image(ImageDesc::new_2d(Format::R8_UNORM, 5, 5, ImageUsage::SAMPLED))?;
    image.write_level(Aspects::COLOR, 0, &[255; 25])?;
    let view = device.create_image_view(&image, ImageViewDesc::new_2d(Format::R8_UNORM))?;
    set.write(0, 0, Resource::Image(&view))?;
    assert_eq!(run(&set)?[1], 5.0);

    let foreign = other.create_sampler(SamplerDesc::default())?;
    assert!(set.write(1, 0, Resource::Sampler(&foreign)).is_err());
    assert!(other.create_image_view(&image, ImageViewDesc::new_2d(Format::R8_UNORM)).is_err());
    let mut commands = other.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline);
    assert!(commands.end().is_err());
    commands.begin().bind_compute_set(&layout, 0, &set);
    assert!(commands.end().is_err());
    Ok(())
}

/// Pipelines with a common layout whose shaders use different sets: an unbound set is an error.
#[test]
fn unbound_sets_are_noticed() -> Result<()> {
    let device = device()?;
    let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
    let set_layout = device.create_descriptor_set_layout(&[binding])?;
    let layout = device.create_pipeline_layout(&[set_layout.clone(), set_layout.clone()], 0)?;
    let pipeline = |set: u32| -> Result<ComputePipeline> {
        let source = format!(
            "@group({set}) @binding(0) var<storage, read_write> out: array<u32>;
            @compute @workgroup_size(1) fn main() {{ out[0] += {set}u + 1u; }}"
        );
        let stage = ShaderStage::only(&module(&device, &source)?, Stage::Compute)?;
        device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })
    };
    let (first, second) = (pipeline(0)?, pipeline(1)?);
    let buffer = device.create_bound_buffer(BufferDesc { size: 4, usage: ALL })?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, &buffer)?;
    let mut commands = device.create_command_buffer();
    commands.bind_compute_set(&layout, 0, &set).bind_compute_pipeline(&first).dispatch(1, 1, 1);
    commands.bind_compute_pipeline(&second).dispatch(1, 1, 1);
    assert!(matches!(commands.end(), Err(Error::Invalid { .. })));
    commands.begin().bind_compute_set(&layout, 0, &set).bind_compute_pipeline(&first).dispatch(1, 1, 1);
    commands.bind_compute_set(&layout, 1, &set).bind_compute_pipeline(&second).dispatch(1, 1, 1);
    commands.end()?;
    device.queue().run(&commands)?;
    assert_eq!(buffer.read_all::<u32>()?, [3]);
    Ok(())
}

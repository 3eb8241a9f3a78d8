//! Incompatible or destroyed objects: objects of two devices, excessive nesting, freed memory.

use std::time::Duration;

use quadrille::*;

fn device() -> Result<Device> {
    Device::new(DeviceOptions { threads: 2, ..DeviceOptions::default() })
}

const ALL: BufferUsage = BufferUsage(0x1ff);
const FORMAT: Format = Format::R8G8B8A8_UNORM;
const SHADER: &str = "
    @group(0) @binding(0) var<storage, read_write> data: array<u32>;
    @compute @workgroup_size(1) fn compute() { data[0] += 1u; }
    @vertex fn vertex() -> @builtin(position) vec4f { return vec4f(0); }
    @fragment fn fragment() -> @location(0) vec4f { return vec4f(1); }";

/// One object of each kind.
struct Objects {
    device: Device,
    memory: Memory,
    buffer: Buffer,
    image: Image,
    view: ImageView,
    texels: BufferView,
    sampler: Sampler,
    set_layout: DescriptorSetLayout,
    set: DescriptorSet,
    pool: DescriptorPool,
    layout: PipelineLayout,
    module: ShaderModule,
    compute: ComputePipeline,
    graphics: GraphicsPipeline,
    render_pass: RenderPass,
    framebuffer: Framebuffer,
    queries: QueryPool,
    fence: Fence,
    semaphore: Semaphore,
    event: Event,
    commands: CommandBuffer,
}

const KINDS: [DescriptorKind; 5] = [
    DescriptorKind::StorageBuffer,
    DescriptorKind::SampledImage,
    DescriptorKind::Sampler,
    DescriptorKind::CombinedImageSampler,
    DescriptorKind::UniformTexelBuffer,
];

fn image_desc() -> ImageDesc {
    ImageDesc::new_2d(FORMAT, 4, 4, ImageUsage(0x1 | 0x2 | 0x4 | 0x10))
}

fn stage(module: &ShaderModule, stage: Stage) -> ShaderStage {
    ShaderStage::only(module, stage).unwrap()
}

fn rendering(view: &ImageView) -> RenderingInfo {
    let colors = vec![Some(RenderingAttachment::clear(view, [0.0; 4]))];
    RenderingInfo { area: Rect::of_size(4, 4), colors, ..RenderingInfo::default() }
}

impl Objects {
    fn new() -> Result<Objects> {
        let device = device()?;
        let buffer = device.create_bound_buffer(BufferDesc { size: 256, usage: ALL })?;
        let image = device.create_bound_image(image_desc())?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(FORMAT))?;
        let texels =
            device.create_buffer_view(&buffer, BufferViewDesc { format: FORMAT, offset: 0, range: None })?;
        let bindings: Vec<_> =
            KINDS.iter().enumerate().map(|(i, kind)| DescriptorBinding::new(i as u32, *kind)).collect();
        let set_layout = device.create_descriptor_set_layout(&bindings)?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
        let words = frontend::compile_wgsl(SHADER, &frontend::Options::default())?;
        let module = device.create_shader_module(&words)?;
        let compute = ComputePipelineDesc { stage: stage(&module, Stage::Compute), layout: layout.clone() };
        let [vertex, fragment] = [Stage::Vertex, Stage::Fragment].map(|s| stage(&module, s));
        let mut graphics = GraphicsPipelineDesc::new(&layout, vertex, Some(fragment));
        graphics.state.color_formats = vec![Some(FORMAT)];
        let attachment = AttachmentDesc {
            format: FORMAT,
            samples: 1,
            load: AttachmentLoad::Clear,
            stencil_load: AttachmentLoad::DontCare,
        };
        let subpass = SubpassDesc { colors: vec![Some(0)], ..SubpassDesc::default() };
        let (attachments, subpasses) = (vec![attachment], vec![subpass]);
        let pass = RenderPassDesc { attachments, subpasses, ..RenderPassDesc::default() };
        let framebuffer = FramebufferDesc { views: vec![view.clone()], width: 4, height: 4, layers: 1 };
        let mut commands = device.create_command_buffer();
        commands.end()?;
        Ok(Objects {
            memory: device.allocate(4096)?,
            sampler: device.create_sampler(SamplerDesc::default())?,
            set: device.create_descriptor_set(&set_layout)?,
            pool: device.create_descriptor_pool(8),
            compute: device.create_compute_pipeline(&compute)?,
            graphics: device.create_graphics_pipeline(&graphics)?,
            render_pass: device.create_render_pass(&pass)?,
            framebuffer: device.create_framebuffer(&framebuffer)?,
            queries: device.create_query_pool(QueryKind::Timestamp, 4)?,
            fence: device.create_fence(true),
            semaphore: device.create_semaphore(),
            event: device.create_event(),
            device,
            buffer,
            image,
            view,
            texels,
            set_layout,
            layout,
            module,
            commands,
        })
    }

    /// Records commands on this device.
    fn record(&self, f: impl FnOnce(&mut CommandBuffer)) -> Result<()> {
        let mut commands = self.device.create_command_buffer();
        f(&mut commands);
        commands.end()
    }

    /// Records commands in a render pass.
    fn render(&self, f: impl FnOnce(&mut CommandBuffer)) -> Result<()> {
        self.record(|c| {
            c.begin_rendering(&rendering(&self.view)).set_size(4, 4);
            f(c);
            c.end_rendering();
        })
    }
}

/// Calls that take objects of `a` and of `b`; each must succeed if both belong to one device.
fn calls(a: &mut Objects, b: &Objects) -> Vec<(&'static str, Result<()>)> {
    let buffer = || a.device.create_buffer(BufferDesc { size: 64, usage: ALL });
    let pass = |render_pass: &RenderPass, framebuffer: &Framebuffer, views: &[&ImageView]| BeginRenderPass {
        render_pass: render_pass.clone(),
        framebuffer: framebuffer.clone(),
        views: views.iter().map(|v| (*v).clone()).collect(),
        area: Rect::of_size(4, 4),
        clears: vec![[0; 4]],
    };
    let mut immutable = DescriptorBinding::new(0, DescriptorKind::Sampler);
    immutable.immutable_samplers = vec![b.sampler];
    let graphics = |vertex: &Objects, fragment: &Objects, layout: &PipelineLayout, discard: bool| {
        let fragment = stage(&fragment.module, Stage::Fragment);
        let vertex = stage(&vertex.module, Stage::Vertex);
        let mut desc = GraphicsPipelineDesc::new(layout, vertex, Some(fragment));
        desc.state.color_formats = vec![Some(FORMAT)];
        desc.state.rasterizer_discard = discard;
        a.device.create_graphics_pipeline(&desc).map(drop)
    };
    let resolve = |b: &Objects| {
        let mut info = rendering(&a.view);
        info.colors[0].as_mut().unwrap().resolve = Some(b.view.clone());
        // A single-sampled attachment cannot be resolved, so any error except that of two devices counts as success.
        match a.record(|c| {
            c.begin_rendering(&info).end_rendering();
        }) {
            Err(Error::Invalid { message, .. }) if message.contains("devices") => {
                Err(Error::invalid(message))
            }
            _ => Ok(()),
        }
    };
    let [src, dst] = [0, 128].map(|at| BufferCopy { src_offset: at, dst_offset: 128 - at, size: 4 });
    let texels = BufferImageCopy::whole([4, 4, 1]);
    let range =
        SubresourceRange { aspects: Aspects::COLOR, base_level: 0, levels: 1, base_layer: 0, layers: 1 };
    let submit = |submit: Submit<'_>, fence: Option<&Fence>| {
        a.device.queue().submit(&[submit], fence).and_then(|()| a.device.wait_idle())
    };
    let soon = Some(Duration::from_secs(10));
    let write = |binding, resource| a.set.write(binding, 0, resource);
    let mut bytes = [0; 64];
    let list = vec![
        ("bind buffer", buffer().and_then(|buffer| buffer.bind(&b.memory, 0))),
        ("bind image", a.device.create_image(image_desc()).and_then(|image| image.bind(&b.memory, 0))),
        ("image view", a.device.create_image_view(&b.image, ImageViewDesc::new_2d(FORMAT)).map(drop)),
        (
            "buffer view",
            a.device
                .create_buffer_view(&b.buffer, BufferViewDesc { format: FORMAT, offset: 0, range: None })
                .map(drop),
        ),
        ("host copy in", a.device.copy_bytes_to_image(&[0; 64], &b.image, &texels)),
        ("host copy out", a.device.copy_image_to_bytes(&b.image, &mut bytes, &texels)),
        ("host copy from", a.device.copy_image_on_host(&b.image, &a.image, &[])),
        ("host copy to", a.device.copy_image_on_host(&a.image, &b.image, &[])),
        ("immutable sampler", a.device.create_descriptor_set_layout(&[immutable]).map(drop)),
        ("set", a.device.create_descriptor_set(&b.set_layout).map(drop)),
        (
            "pipeline layout",
            a.device.create_pipeline_layout(std::slice::from_ref(&b.set_layout), 0).map(drop),
        ),
        ("write buffer", write(0, Resource::Buffer { buffer: &b.buffer, offset: 0, range: None })),
        ("write image", write(1, Resource::Image(&b.view))),
        ("write sampler", write(2, Resource::Sampler(&b.sampler))),
        ("write combined, view", write(3, Resource::Combined(&b.view, &a.sampler))),
        ("write combined, sampler", write(3, Resource::Combined(&a.view, &b.sampler))),
        ("write texels", write(4, Resource::TexelBuffer(&b.texels))),
        ("reflect", a.device.reflect(&stage(&b.module, Stage::Compute), Stage::Compute).map(drop)),
        (
            "compute stage",
            a.device
                .create_compute_pipeline(&ComputePipelineDesc {
                    stage: stage(&b.module, Stage::Compute),
                    layout: a.layout.clone(),
                })
                .map(drop),
        ),
        (
            "compute layout",
            a.device
                .create_compute_pipeline(&ComputePipelineDesc {
                    stage: stage(&a.module, Stage::Compute),
                    layout: b.layout.clone(),
                })
                .map(drop),
        ),
        ("vertex stage", graphics(b, a, &a.layout, false)),
        ("fragment stage", graphics(a, b, &a.layout, false)),
        ("ignored fragment stage", graphics(a, b, &a.layout, true)),
        ("graphics layout", graphics(a, a, &b.layout, false)),
        (
            "framebuffer",
            a.device
                .create_framebuffer(&FramebufferDesc {
                    views: vec![b.view.clone()],
                    width: 4,
                    height: 4,
                    layers: 1,
                })
                .map(drop),
        ),
        ("wait fence", Fence::wait_many(&a.device, &[&b.fence], true, soon).map(drop)),
        (
            "wait semaphore",
            Semaphore::wait_many(&a.device, &[(&b.semaphore, 0)], true, Some(Duration::ZERO)).map(drop),
        ),
        ("submit commands", submit(Submit { commands: &[&b.commands], ..Submit::default() }, None)),
        ("submit signal", submit(Submit { signals: &[(&b.semaphore, 1)], ..Submit::default() }, None)),
        ("submit wait", submit(Submit { waits: &[(&b.semaphore, 1)], ..Submit::default() }, None)),
        ("submit fence", submit(Submit::default(), Some(&b.fence))),
        ("bind compute pipeline", a.record(|c| done(c.bind_compute_pipeline(&b.compute)))),
        ("bind graphics pipeline", a.record(|c| done(c.bind_graphics_pipeline(&b.graphics)))),
        ("bind set", a.record(|c| done(c.bind_compute_set(&a.layout, 0, &b.set)))),
        ("bind set, layout", a.record(|c| done(c.bind_compute_set(&b.layout, 0, &a.set)))),
        ("bind vertex buffer", a.record(|c| done(c.bind_vertex_buffers(0, &[(&b.buffer, 0)])))),
        ("bind index buffer", a.record(|c| done(c.bind_index_buffer(&b.buffer, 0, IndexType::U32)))),
        (
            "dispatch indirect",
            a.record(|c| {
                c.bind_compute_pipeline(&a.compute).bind_compute_set(&a.layout, 0, &a.set);
                c.dispatch_indirect(&b.buffer, 0);
            }),
        ),
        (
            "draw indirect",
            a.render(|c| {
                c.bind_graphics_pipeline(&a.graphics).draw_indirect(false, &b.buffer, 0, None, 1, 16);
            }),
        ),
        (
            "draw indirect count",
            a.render(|c| {
                let count = Some((&b.buffer, 0));
                c.bind_graphics_pipeline(&a.graphics).draw_indirect(false, &a.buffer, 0, count, 1, 16);
            }),
        ),
        ("copy from buffer", a.record(|c| done(c.copy_buffer(&b.buffer, &a.buffer, &[src])))),
        ("copy to buffer", a.record(|c| done(c.copy_buffer(&a.buffer, &b.buffer, &[dst])))),
        ("copy from image", a.record(|c| done(c.copy_image_to_buffer(&b.image, &a.buffer, &[texels])))),
        ("copy to image", a.record(|c| done(c.copy_buffer_to_image(&a.buffer, &b.image, &[texels])))),
        ("copy image", a.record(|c| done(c.copy_image(&a.image, &b.image, &[])))),
        ("blit", a.record(|c| done(c.blit_image(&b.image, &a.image, &[], false)))),
        ("fill", a.record(|c| done(c.fill_buffer(&b.buffer, 0, None, 1)))),
        ("update", a.record(|c| done(c.update_buffer(&b.buffer, 0, &[1u32])))),
        ("clear", a.record(|c| done(c.clear_color_image(&b.image, [0; 4], &[range])))),
        ("render", a.record(|c| done(c.begin_rendering(&rendering(&b.view)).end_rendering()))),
        ("resolve", resolve(b)),
        (
            "begin render pass",
            a.record(|c| {
                c.begin_render_pass(&pass(&b.render_pass, &a.framebuffer, &[])).end_render_pass();
            }),
        ),
        (
            "begin framebuffer",
            a.record(|c| {
                c.begin_render_pass(&pass(&a.render_pass, &b.framebuffer, &[])).end_render_pass();
            }),
        ),
        (
            "begin with views",
            a.record(|c| {
                c.begin_render_pass(&pass(&a.render_pass, &a.framebuffer, &[&b.view])).end_render_pass();
            }),
        ),
        ("reset queries", a.record(|c| done(c.reset_query_pool(&b.queries, 0, 1)))),
        ("write timestamp", a.record(|c| done(c.write_timestamp(&b.queries, 0)))),
        (
            "copy queries",
            a.record(|c| {
                c.copy_query_pool_results((&b.queries, 0, 1), (&a.buffer, 0, 8), [false; 3]);
            }),
        ),
        (
            "copy queries to",
            a.record(|c| {
                c.copy_query_pool_results((&a.queries, 0, 1), (&b.buffer, 0, 8), [false; 3]);
            }),
        ),
        ("conditional", a.record(|c| done(c.begin_conditional_rendering(&b.buffer, 0, false)))),
        ("set event", a.record(|c| done(c.set_event(&b.event)))),
        ("reset event", a.record(|c| done(c.reset_event(&b.event)))),
        ("wait event", a.record(|c| done(c.wait_events(&[&b.event])))),
        ("execute", a.record(|c| done(c.execute_commands(&[&b.commands])))),
    ];
    let mut list = list;
    // SAFETY: the allocated set is dropped without being written or used.
    #[expect(unsafe_code, reason = "allocates a set from a pool")]
    let allocated = unsafe { a.pool.allocate(&b.set_layout) };
    list.push(("allocate", allocated.map(drop)));
    list
}

/// Ends a call chain whose result is not needed.
fn done(_: &mut CommandBuffer) {}

/// Every call that takes two objects refuses objects of two devices, and names them.
#[test]
fn objects_of_two_devices_do_not_mix() -> Result<()> {
    let [mut a, b] = [Objects::new()?, Objects::new()?];
    for (name, result) in calls(&mut a, &b) {
        match result {
            Err(Error::Invalid { message, .. }) => {
                assert!(message.ends_with("belong to different devices"), "{name}: {message}");
            }
            other => panic!("{name}: {other:?}"),
        }
    }
    // The same calls succeed on one device, so the errors were due to the devices.
    let mut same = Objects::new()?;
    let other = Objects { device: same.device.clone(), ..Objects::of(&same)? };
    for (name, result) in calls(&mut same, &other) {
        assert!(result.is_ok(), "{name}: {result:?}");
    }
    Ok(())
}

impl Objects {
    /// Copies the handles of all objects.
    fn of(a: &Objects) -> Result<Objects> {
        let mut commands = a.device.create_command_buffer();
        commands.end()?;
        Ok(Objects {
            device: a.device.clone(),
            memory: a.memory.clone(),
            buffer: a.buffer.clone(),
            image: a.image.clone(),
            view: a.view.clone(),
            texels: a.texels.clone(),
            sampler: a.sampler,
            set_layout: a.set_layout.clone(),
            set: a.set.clone(),
            pool: a.device.create_descriptor_pool(8),
            layout: a.layout.clone(),
            module: a.module.clone(),
            compute: a.compute.clone(),
            graphics: a.graphics.clone(),
            render_pass: a.render_pass.clone(),
            framebuffer: a.framebuffer.clone(),
            queries: a.queries.clone(),
            fence: a.fence.clone(),
            semaphore: a.semaphore.clone(),
            event: a.event.clone(),
            commands,
        })
    }
}

/// A command buffer that executes `inner` `times` times.
fn around(device: &Device, inner: &CommandBuffer, times: usize) -> Result<CommandBuffer> {
    let mut outer = device.create_command_buffer();
    outer.execute_commands(&vec![inner; times]);
    outer.end()?;
    Ok(outer)
}

/// Secondary command buffers run in order up to the nesting limit, and no deeper.
#[test]
fn nesting_has_a_limit() -> Result<()> {
    let device = device()?;
    let buffer = device.create_bound_buffer(BufferDesc { size: 1024, usage: ALL })?;
    let mut commands = device.create_command_buffer();
    commands.fill_buffer(&buffer, 0, None, 1);
    commands.end()?;
    let limit = LIMITS.max_command_buffer_nesting_level;
    for level in 0..limit {
        // Each level doubles one more word: nested commands run before the commands after them.
        let mut outer = device.create_command_buffer();
        let at = u64::from(level) * 4;
        let copy = BufferCopy { src_offset: at, dst_offset: at + 512, size: 4 };
        outer.execute_commands(&[&commands]).copy_buffer(&buffer, &buffer, &[copy]);
        outer.fill_buffer(&buffer, at, Some(4), level + 2);
        outer.end()?;
        commands = outer;
    }
    // A stack too small for deep recursion.
    let small = std::thread::Builder::new().stack_size(128 << 10);
    let (queue, run) = (device.queue(), commands);
    let run = small.spawn(move || queue.run(&run).map(|()| run)).unwrap().join().unwrap()?;
    let words = buffer.read_all::<u32>()?;
    for level in 0..limit as usize {
        assert_eq!((words[level], words[level + 128]), (level as u32 + 2, 1), "level {level}");
    }
    let deeper = around(&device, &run, 1);
    assert!(matches!(&deeper, Err(Error::Limit(m)) if m.contains("nesting")), "{deeper:?}");
    Ok(())
}

/// A few command buffers that execute each other many times are refused, since they would run forever.
#[test]
fn commands_of_nested_command_buffers_are_counted() -> Result<()> {
    let device = device()?;
    let mut commands = device.create_command_buffer();
    commands.end()?;
    for _ in 0..8 {
        match around(&device, &commands, 100) {
            Ok(outer) => commands = outer,
            Err(Error::Limit(m)) => {
                assert!(m.contains("secondary"), "{m}");
                return Ok(());
            }
            Err(e) => return Err(e),
        }
    }
    panic!("10^16 commands were accepted");
}

/// Memory is freed while a command buffer, a set and a view refer to it: the heap regains the memory, new objects
/// cannot use it, and recorded commands read zeros.
#[test]
fn freed_memory_is_given_back_and_reads_zero() -> Result<()> {
    let size = 1 << 20;
    let device = Device::new(DeviceOptions { heap_bytes: 2 * size, ..DeviceOptions::default() })?;
    let memory = device.allocate(size)?;
    let buffer = device.create_buffer(BufferDesc { size, usage: ALL })?;
    buffer.bind(&memory, 0)?;
    buffer.write(0, &[7u32; 16])?;
    let out = device.create_bound_buffer(BufferDesc { size: 64, usage: ALL })?;
    let mut commands = device.create_command_buffer();
    let copy = BufferCopy { src_offset: 0, dst_offset: 0, size: 64 };
    commands.copy_buffer(&buffer, &out, &[copy]).fill_buffer(&buffer, 64, Some(4), 9);
    commands.end()?;
    device.queue().run(&commands)?;
    assert_eq!(out.read_all::<u32>()?, [7; 16]);

    memory.free();
    memory.free();
    assert_eq!(device.heap_used(), 64);
    // The whole memory can be allocated again.
    let again = device.create_bound_buffer(BufferDesc { size, usage: ALL })?;
    again.write(0, &[5u32; 16])?;
    device.queue().run(&commands)?;
    if cfg!(target_os = "linux") {
        assert_eq!(out.read_all::<u32>()?, [0; 16]);
    }
    assert_eq!(again.read::<u32>(0, 17)?, [[5; 16].as_slice(), &[0]].concat());

    let mut refused = device.create_command_buffer();
    refused.copy_buffer(&buffer, &out, &[copy]);
    assert!(matches!(refused.end(), Err(Error::Invalid { message, .. }) if message.contains("freed")));
    let view = BufferViewDesc { format: FORMAT, offset: 0, range: None };
    assert!(device.create_buffer_view(&buffer, view).is_err());
    let other = device.create_buffer(BufferDesc { size: 64, usage: ALL })?;
    assert!(other.bind(&memory, 0).is_err());
    let (used, _) = (device.heap_used(), drop((memory, buffer, commands, refused)));
    assert_eq!(device.heap_used(), used);
    Ok(())
}

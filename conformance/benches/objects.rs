//! Cost of recording and of descriptor sets, per object or command, also for large numbers.
//!
//! Figures are nanoseconds of CPU time of the working threads, so that other programs on the machine have little
//! influence. Each row is the minimum of several rounds.
//!
//! - `record/*`: commands recorded on one thread, and on two at once that share the device, the pipeline, the set and
//!   the buffers. A command is a bind of a set, push constants and a dispatch or draw, or a copy between buffers.
//! - `driver/*`: commands recorded through the driver, 20 per command buffer, whose memory is reused; an empty command
//!   buffer, begun and ended; and a reset of a command buffer with commands.
//! - `sets/*`: descriptor sets of one storage buffer through the driver, allocated one by one, written, and freed with
//!   their pool or one by one.
//! - `modules`: resident memory that remains after making and dropping distinct modules one after another.

#![expect(unsafe_code, reason = "calls Vulkan commands")]

use std::hint::black_box;
use std::sync::Barrier;

use ash::vk;
use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    BufferCopy, BufferUsage, CommandBuffer, ComputePipeline, ComputePipelineDesc, DescriptorBinding,
    DescriptorKind, Device, DeviceOptions, Format, GraphicsPipeline, GraphicsPipelineDesc, ImageDesc,
    ImageUsage, ImageViewDesc, PipelineLayout, RenderingAttachment, RenderingInfo, ShaderStage, Stage,
};
use quadrille_jit::sys::clock::thread_cpu;

const SHADER: &str = "
struct Push { factor: f32 }
var<immediate> push: Push;
@group(0) @binding(0) var<storage, read_write> data: array<f32>;

@compute @workgroup_size(64)
fn scale(@builtin(global_invocation_id) id: vec3u) {
    data[id.x] *= push.factor;
}

@vertex
fn vertex(@builtin(vertex_index) i: u32) -> @builtin(position) vec4f {
    return vec4f(data[i], push.factor, 0.0, 1.0);
}

@fragment
fn fragment() -> @location(0) vec4f {
    return vec4f(1.0);
}";

/// Commands per round, and rounds per row.
const COMMANDS: u32 = 20_000;
const ROUNDS: usize = 15;

/// CPU time of this thread in nanoseconds.
fn cpu_ns() -> u64 {
    thread_cpu().as_nanos() as u64
}

struct Shared {
    device: Device,
    layout: PipelineLayout,
    set: quadrille::DescriptorSet,
    compute: ComputePipeline,
    graphics: GraphicsPipeline,
    rendering: RenderingInfo,
    buffers: [quadrille::Buffer; 2],
}

impl Shared {
    fn new() -> quadrille::Result<Shared> {
        let device = Device::new(DeviceOptions::default())?;
        let words = compile_wgsl(SHADER, &Options::named("objects.wgsl")).expect("the shader is valid");
        let module = device.create_shader_module(&words)?;
        let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
        let set_layout = device.create_descriptor_set_layout(&[binding])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 16)?;
        let stage = ShaderStage::only(&module, Stage::Compute)?;
        let compute =
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
        let fragment = ShaderStage::only(&module, Stage::Fragment)?;
        let mut desc =
            GraphicsPipelineDesc::new(&layout, ShaderStage::only(&module, Stage::Vertex)?, Some(fragment));
        let format = Format::R8G8B8A8_UNORM;
        desc.state.color_formats = vec![Some(format)];
        let graphics = device.create_graphics_pipeline(&desc)?;
        let usage = BufferUsage::STORAGE | BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST;
        let buffers = [0, 1].map(|_| device.create_buffer_with(&[1f32; 64], usage));
        let [a, b] = buffers;
        let buffers = [a?, b?];
        let set = device.create_descriptor_set(&set_layout)?;
        set.write_buffer(0, &buffers[0])?;
        let image =
            device.create_bound_image(ImageDesc::new_2d(format, 16, 16, ImageUsage::COLOR_ATTACHMENT))?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
        let rendering = RenderingInfo {
            area: quadrille::Rect::of_size(16, 16),
            colors: vec![Some(RenderingAttachment::clear(&view, [0.0; 4]))],
            ..Default::default()
        };
        Ok(Shared { device, layout, set, compute, graphics, rendering, buffers })
    }

    fn dispatches(&self, c: &mut CommandBuffer) {
        for i in 0..COMMANDS {
            c.bind_compute_pipeline(&self.compute)
                .bind_compute_set(&self.layout, 0, &self.set)
                .push_constants(0, &[i])
                .dispatch(1, 1, 1);
        }
    }

    fn draws(&self, c: &mut CommandBuffer) {
        c.begin_rendering(&self.rendering).set_size(16, 16);
        for i in 0..COMMANDS {
            c.bind_graphics_pipeline(&self.graphics)
                .bind_graphics_set(&self.layout, 0, &self.set)
                .push_constants(0, &[i])
                .draw(3, 1, 0, 0);
        }
        c.end_rendering();
    }

    fn scissors(&self, c: &mut CommandBuffer) {
        c.begin_rendering(&self.rendering).set_size(16, 16).bind_graphics_pipeline(&self.graphics);
        c.bind_graphics_set(&self.layout, 0, &self.set);
        for i in 0..COMMANDS {
            c.set_scissors(0, &[quadrille::Rect { x: 0, y: 0, width: 1 + i % 16, height: 16 }])
                .draw(3, 1, 0, 0);
        }
        c.end_rendering();
    }

    fn plain_draws(&self, c: &mut CommandBuffer) {
        c.begin_rendering(&self.rendering).set_size(16, 16).bind_graphics_pipeline(&self.graphics);
        c.bind_graphics_set(&self.layout, 0, &self.set);
        for i in 0..COMMANDS {
            c.draw(3, 1, i, 0);
        }
        c.end_rendering();
    }

    fn copies(&self, c: &mut CommandBuffer) {
        let region = BufferCopy { src_offset: 0, dst_offset: 0, size: 4 };
        for _ in 0..COMMANDS {
            c.copy_buffer(&self.buffers[0], &self.buffers[1], &[region]);
        }
    }

    /// Nanoseconds of CPU time per command on `threads` threads, for recording and dropping.
    fn record(&self, threads: usize, record: fn(&Shared, &mut CommandBuffer)) -> f64 {
        let mut best = f64::MAX;
        for _ in 0..ROUNDS {
            let barrier = Barrier::new(threads);
            let work = || {
                barrier.wait();
                let start = cpu_ns();
                let mut commands = self.device.create_command_buffer();
                record(self, &mut commands);
                commands.end().expect("the commands are recorded");
                drop(black_box(commands));
                cpu_ns() - start
            };
            let total: u64 = std::thread::scope(|s| {
                let all: Vec<_> = (0..threads).map(|_| s.spawn(work)).collect();
                all.into_iter().map(|t| t.join().expect("the thread records")).sum()
            });
            best = best.min(total as f64 / threads as f64 / f64::from(COMMANDS));
        }
        best
    }
}

fn record() -> quadrille::Result<()> {
    let shared = Shared::new()?;
    type Row = (&'static str, fn(&Shared, &mut CommandBuffer));
    let rows: [Row; 5] = [
        ("record/dispatch", Shared::dispatches),
        ("record/draw", Shared::draws),
        ("record/draw, other scissor", Shared::scissors),
        ("record/draw, same state", Shared::plain_draws),
        ("record/copy", Shared::copies),
    ];
    for (name, f) in rows {
        let [one, two] = [1, 2].map(|threads| shared.record(threads, f));
        println!("{name:<32} {one:7.1} ns a command on one thread, {two:7.1} on two");
    }
    Ok(())
}

/// A device of the driver with the objects that a descriptor set needs.
struct Driver {
    instance: ash::Instance,
    device: ash::Device,
    set_layout: vk::DescriptorSetLayout,
    buffer: vk::Buffer,
    memory: vk::DeviceMemory,
}

impl Driver {
    fn new() -> Result<Driver, vk::Result> {
        let entry = vk_quadrille::entry();
        // SAFETY: every handle is made right here from our own `entry` and lives until `destroy`; the structures
        // outlive the calls.
        unsafe {
            let instance = entry.create_instance(&vk::InstanceCreateInfo::default(), None)?;
            let physical = instance.enumerate_physical_devices()?[0];
            let queues = [vk::DeviceQueueCreateInfo::default().queue_priorities(&[1.0])];
            let info = vk::DeviceCreateInfo::default().queue_create_infos(&queues);
            let device = instance.create_device(physical, &info, None)?;
            let bindings = [vk::DescriptorSetLayoutBinding::default()
                .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                .descriptor_count(1)
                .stage_flags(vk::ShaderStageFlags::COMPUTE)];
            let info = vk::DescriptorSetLayoutCreateInfo::default().bindings(&bindings);
            let set_layout = device.create_descriptor_set_layout(&info, None)?;
            let info = vk::BufferCreateInfo::default().size(4096).usage(
                vk::BufferUsageFlags::STORAGE_BUFFER
                    | vk::BufferUsageFlags::TRANSFER_SRC
                    | vk::BufferUsageFlags::TRANSFER_DST,
            );
            let buffer = device.create_buffer(&info, None)?;
            let info = vk::MemoryAllocateInfo::default().allocation_size(4096);
            let memory = device.allocate_memory(&info, None)?;
            device.bind_buffer_memory(buffer, memory, 0)?;
            Ok(Driver { instance, device, set_layout, buffer, memory })
        }
    }

    /// Nanoseconds of CPU time per set to allocate, write and free it, with the pool or, if `each`, one by one.
    fn sets(&self, n: u32, each: bool) -> Result<[f64; 3], vk::Result> {
        let d = &self.device;
        let sizes = [vk::DescriptorPoolSize { ty: vk::DescriptorType::STORAGE_BUFFER, descriptor_count: n }];
        let info = vk::DescriptorPoolCreateInfo::default()
            .flags(vk::DescriptorPoolCreateFlags::FREE_DESCRIPTOR_SET)
            .max_sets(n)
            .pool_sizes(&sizes);
        let mut best = [f64::MAX; 3];
        for _ in 0..(3_000_000 / n).clamp(2, 50) {
            // SAFETY: all handles belong to `self` or are made right here; the pool has room for the sets, which are
            // not in use when freed; the structures outlive the calls.
            unsafe {
                let mut times = [cpu_ns(), 0, 0, 0];
                let pool = d.create_descriptor_pool(&info, None)?;
                let layouts = [self.set_layout];
                let info =
                    vk::DescriptorSetAllocateInfo::default().descriptor_pool(pool).set_layouts(&layouts);
                let mut sets = Vec::with_capacity(n as usize);
                for _ in 0..n {
                    let mut set = vk::DescriptorSet::null();
                    (d.fp_v1_0().allocate_descriptor_sets)(d.handle(), &info, &mut set).result()?;
                    sets.push(set);
                }
                times[1] = cpu_ns();
                let buffers =
                    [vk::DescriptorBufferInfo { buffer: self.buffer, offset: 0, range: vk::WHOLE_SIZE }];
                for &set in &sets {
                    let write = vk::WriteDescriptorSet::default()
                        .dst_set(set)
                        .descriptor_type(vk::DescriptorType::STORAGE_BUFFER)
                        .buffer_info(&buffers);
                    d.update_descriptor_sets(&[write], &[]);
                }
                times[2] = cpu_ns();
                if each {
                    for set in sets {
                        d.free_descriptor_sets(pool, &[set])?;
                    }
                }
                d.destroy_descriptor_pool(pool, None);
                times[3] = cpu_ns();
                for (i, best) in best.iter_mut().enumerate() {
                    *best = best.min((times[i + 1] - times[i]) as f64 / f64::from(n));
                }
            }
        }
        Ok(best)
    }

    fn destroy(self) {
        // SAFETY: nothing was submitted, and `self` owns these objects, whose last use this is.
        unsafe {
            self.device.destroy_buffer(self.buffer, None);
            self.device.free_memory(self.memory, None);
            self.device.destroy_descriptor_set_layout(self.set_layout, None);
            self.device.destroy_device(None);
            self.instance.destroy_instance(None);
        }
    }
}

fn sets() -> Result<(), vk::Result> {
    let driver = Driver::new()?;
    for (name, each) in [("sets, with the pool", false), ("sets, one by one", true)] {
        for n in [10_000, 100_000, 1_000_000] {
            let [allocate, write, free] = driver.sets(n, each)?;
            let sum = allocate + write + free;
            println!(
                "{:<32} {sum:7.1} ns a set: {allocate:.1} allocated, {write:.1} written, {free:.1} freed",
                format!("{name}/{n}")
            );
        }
    }
    driver.destroy();
    Ok(())
}

/// Command buffers per round of the driver's rows, and commands per command buffer.
const BUFFERS: u32 = 64;
const EACH: u32 = 20;

/// Records one command of a row, given its number.
type Body<'a> = &'a dyn Fn(&ash::Device, vk::CommandBuffer, u32);

impl Driver {
    /// Creates an image of 16x16 texels for transfers.
    fn image(&self) -> Result<(vk::Image, vk::DeviceMemory), vk::Result> {
        let info = vk::ImageCreateInfo::default()
            .image_type(vk::ImageType::TYPE_2D)
            .format(vk::Format::R8G8B8A8_UNORM)
            .extent(vk::Extent3D { width: 16, height: 16, depth: 1 })
            .mip_levels(1)
            .array_layers(1)
            .samples(vk::SampleCountFlags::TYPE_1)
            .usage(vk::ImageUsageFlags::TRANSFER_SRC | vk::ImageUsageFlags::TRANSFER_DST);
        // SAFETY: the handles are made right here from the live device, with memory as the image requires.
        unsafe {
            let image = self.device.create_image(&info, None)?;
            let size = self.device.get_image_memory_requirements(image).size;
            let info = vk::MemoryAllocateInfo::default().allocation_size(size);
            let memory = self.device.allocate_memory(&info, None)?;
            self.device.bind_image_memory(image, memory, 0)?;
            Ok((image, memory))
        }
    }

    /// Nanoseconds of CPU time of an empty begin and end, of a command of each row, and of a reset of a command buffer
    /// with commands.
    fn recorded(&self, rows: &[Body<'_>]) -> Result<(f64, Vec<f64>, f64), vk::Result> {
        let d = &self.device;
        let flags = vk::CommandPoolCreateFlags::RESET_COMMAND_BUFFER;
        let begin = vk::CommandBufferBeginInfo::default();
        let (mut pair, mut reset, mut best) = (f64::MAX, f64::MAX, vec![f64::MAX; rows.len()]);
        let least = |best: &mut f64, start: u64, n: u32| {
            *best = best.min((cpu_ns() - start) as f64 / f64::from(n));
        };
        // SAFETY: the pool and the command buffers are made right here and never submitted; each is recorded between
        // its begin and end, and freed with the pool.
        unsafe {
            let pool = d.create_command_pool(&vk::CommandPoolCreateInfo::default().flags(flags), None)?;
            let info =
                vk::CommandBufferAllocateInfo::default().command_pool(pool).command_buffer_count(BUFFERS);
            let buffers = d.allocate_command_buffers(&info)?;
            for _ in 0..ROUNDS * 20 {
                let start = cpu_ns();
                for &buffer in &buffers {
                    d.begin_command_buffer(buffer, &begin)?;
                    d.end_command_buffer(buffer)?;
                }
                least(&mut pair, start, BUFFERS);
                for (row, best) in rows.iter().zip(&mut best) {
                    for &buffer in &buffers {
                        d.begin_command_buffer(buffer, &begin)?;
                    }
                    let start = cpu_ns();
                    for &buffer in &buffers {
                        (0..EACH).for_each(|i| row(d, buffer, i));
                    }
                    least(best, start, BUFFERS * EACH);
                    for &buffer in &buffers {
                        d.end_command_buffer(buffer)?;
                    }
                }
                let start = cpu_ns();
                for &buffer in &buffers {
                    d.reset_command_buffer(buffer, vk::CommandBufferResetFlags::empty())?;
                }
                least(&mut reset, start, BUFFERS);
            }
            d.destroy_command_pool(pool, None);
        }
        Ok((pair, best, reset))
    }
}

fn driver() -> Result<(), vk::Result> {
    let driver = Driver::new()?;
    let (image, memory) = driver.image()?;
    let buffer = driver.buffer;
    let layers =
        vk::ImageSubresourceLayers::default().aspect_mask(vk::ImageAspectFlags::COLOR).layer_count(1);
    let extent = vk::Extent3D { width: 16, height: 16, depth: 1 };
    let texels = [vk::BufferImageCopy::default().image_subresource(layers).image_extent(extent)];
    let region = [vk::BufferCopy { src_offset: 0, dst_offset: 2048, size: 256 }];
    let viewport = [vk::Viewport { width: 16.0, height: 16.0, max_depth: 1.0, ..Default::default() }];
    let general = vk::ImageLayout::GENERAL;
    // SAFETY: the commands get a recording command buffer and objects of the same device, which live until after
    // `recorded`.
    let rows: [(&str, Body<'_>); 5] = unsafe {
        [
            ("fill", &|d, c, i| d.cmd_fill_buffer(c, buffer, 0, 256, i)),
            ("copy", &|d, c, _| d.cmd_copy_buffer(c, buffer, buffer, &region)),
            ("update, 256 bytes", &|d, c, i| d.cmd_update_buffer(c, buffer, 0, &[i as u8; 256])),
            ("copy to an image", &|d, c, _| d.cmd_copy_buffer_to_image(c, buffer, image, general, &texels)),
            ("viewport", &|d, c, _| d.cmd_set_viewport(c, 0, &viewport)),
        ]
    };
    let (pair, commands, reset) = driver.recorded(&rows.map(|(_, row)| row))?;
    let line = |name: &str, ns: f64, of: &str| println!("{:<32} {ns:7.1} ns {of}", format!("driver/{name}"));
    line("begin and end", pair, "a command buffer");
    rows.iter().zip(commands).for_each(|((name, _), ns)| line(name, ns, "a command"));
    line("reset", reset, "a command buffer of 20 commands");
    // SAFETY: nothing was submitted, and no command buffer is left that names the image.
    unsafe {
        driver.device.destroy_image(image, None);
        driver.device.free_memory(memory, None);
    }
    driver.destroy();
    Ok(())
}

/// Resident memory in KiB; 0 if the system does not report it.
fn resident_kib() -> u64 {
    let pages = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    pages.split(' ').nth(1).and_then(|n| n.parse::<u64>().ok()).unwrap_or(0) * 4
}

fn modules() -> quadrille::Result<()> {
    let device = Device::new(DeviceOptions::default())?;
    // The only literal is a constant that distinguishes the modules.
    let words = compile_wgsl(
        "@compute @workgroup_size(1) fn main() { var x = 123456789u; x += 1u; }",
        &Options::named("module.wgsl"),
    )
    .expect("the shader is valid");
    let at = words.iter().position(|w| *w == 123_456_789).expect("the literal is in the module");
    let (start, before) = (cpu_ns(), resident_kib());
    let n = 100_000;
    for i in 0..n {
        let mut words = words.clone();
        words[at] = i;
        black_box(device.create_shader_module(&words)?);
    }
    let ns = (cpu_ns() - start) as f64 / f64::from(n);
    let left = resident_kib().saturating_sub(before);
    println!("{:<32} {ns:7.1} ns a module, {left} KiB left behind by {n}", "modules");
    Ok(())
}

fn main() {
    // Like Criterion, this runs nothing for `cargo test --benches`.
    let args: Vec<String> = std::env::args().skip(1).collect();
    if args.iter().any(|a| a == "--test") || !args.iter().any(|a| a == "--bench") {
        return;
    }
    let wanted = |name: &str| {
        let mut filters = args.iter().filter(|a| !a.starts_with('-')).peekable();
        filters.peek().is_none() || filters.any(|f| name.contains(f.as_str()))
    };
    // This row is the first, before other rows leave memory for reuse.
    if wanted("modules") {
        modules().expect("the modules are made");
    }
    if wanted("record") {
        record().expect("the commands are recorded");
    }
    if wanted("driver") {
        driver().expect("the driver works");
    }
    if wanted("sets") {
        sets().expect("the driver works");
    }
}

//! Threads on busy processors: frames and dispatches per second beside processes that compute endlessly.
//!
//! `cargo bench -p quadrille-conformance --features benchmarks --bench busy [-- ROUNDS]`. There are none of these processes, as many as
//! processors, and twice as many. Short runs of every number of threads take turns. The benchmark prints medians, and
//! the median of each round's ratio to one thread. More threads should help, and must not harm.
//!
//! The processes are children of this one: they end with it, and after five minutes at the latest.

use std::io::Read;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use quadrille::env::TEST_CHILD;
use quadrille::{
    BufferDesc, BufferUsage, CommandBuffer, ComputePipelineDesc, DescriptorBinding, DescriptorKind, Device,
    DeviceOptions, Format, GraphicsPipelineDesc, ImageDesc, ImageUsage, ImageViewDesc, Opt,
    RenderingAttachment, RenderingInfo, Result, ShaderStage, frontend,
};

/// A field of triangles with some arithmetic per pixel, and a dispatch with the same arithmetic.
const SHADERS: &str = "
    struct V { @builtin(position) p: vec4f, @location(0) c: vec2f }
    @vertex fn vs(@builtin(vertex_index) i: u32) -> V {
        let cell = i / 3u;
        let corner = vec2f(f32(i % 3u == 1u), f32(i % 3u == 2u));
        let at = (vec2f(f32(cell % 32u), f32(cell / 32u % 32u)) + corner * 1.5) / 16.0 - 1.0;
        return V(vec4f(at, 0.5, 1.0), at);
    }
    fn work(c: vec2f, n: u32) -> vec4f {
        var v = vec4f(c, c.yx);
        for (var i = 0u; i < n; i++) { v = v.yzwx * 0.75 + fract(v * 3.0); }
        return v;
    }
    @fragment fn fs(v: V) -> @location(0) vec4f { return work(v.c, 8u); }
    @group(0) @binding(0) var<storage, read_write> data: array<vec4f>;
    @compute @workgroup_size(64) fn main(@builtin(global_invocation_id) id: vec3u) {
        data[id.x] = work(vec2f(id.xy), 64u);
    }";

/// Work of one submission.
#[derive(Clone, Copy)]
enum Work {
    Frame { size: u32, triangles: u32 },
    Dispatch { groups: u32 },
}

const WORKS: [(&str, Work); 4] = [
    ("small frame", Work::Frame { size: 256, triangles: 1024 }),
    ("medium frame", Work::Frame { size: 1024, triangles: 8192 }),
    ("small dispatch", Work::Dispatch { groups: 64 }),
    ("medium dispatch", Work::Dispatch { groups: 2048 }),
];

/// A device with a number of threads, and its work.
struct Subject {
    device: Device,
    works: Vec<CommandBuffer>,
}

fn subject(threads: usize) -> Result<Subject> {
    let options = DeviceOptions { threads, opt: Opt::Speed, interp: false, ..DeviceOptions::default() };
    let device = Device::new(options)?;
    let works = WORKS.iter().map(|(_, work)| record(&device, *work)).collect::<Result<_>>()?;
    Ok(Subject { device, works })
}

fn record(device: &Device, work: Work) -> Result<CommandBuffer> {
    let words = frontend::compile_wgsl(SHADERS, &frontend::Options::named("busy"))?;
    let module = device.create_shader_module(&words)?;
    let mut commands = device.create_command_buffer();
    match work {
        Work::Frame { size, triangles } => {
            let format = Format::R8G8B8A8_UNORM;
            let desc = ImageDesc::new_2d(format, size, size, ImageUsage::COLOR_ATTACHMENT);
            let view =
                device.create_image_view(&device.create_bound_image(desc)?, ImageViewDesc::new_2d(format))?;
            let layout = device.create_pipeline_layout(&[], 0)?;
            let fragment = Some(ShaderStage::new(&module, "fs"));
            let mut desc = GraphicsPipelineDesc::new(&layout, ShaderStage::new(&module, "vs"), fragment);
            desc.state.color_formats = vec![Some(format)];
            let pipeline = device.create_graphics_pipeline(&desc)?;
            let color = Some(RenderingAttachment::clear(&view, [0.0; 4]));
            let mut info = RenderingInfo { colors: vec![color], ..RenderingInfo::default() };
            (info.area.width, info.area.height) = (size, size);
            commands.begin_rendering(&info).bind_graphics_pipeline(&pipeline).set_size(size, size);
            commands.draw(triangles * 3, 1, 0, 0).end_rendering().end()?;
        }
        Work::Dispatch { groups } => {
            let binding = DescriptorBinding::new(0, DescriptorKind::StorageBuffer);
            let set_layout = device.create_descriptor_set_layout(&[binding])?;
            let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
            let stage = ShaderStage::new(&module, "main");
            let desc = ComputePipelineDesc { stage, layout: layout.clone() };
            let pipeline = device.create_compute_pipeline(&desc)?;
            let desc = BufferDesc { size: u64::from(groups) * 64 * 16, usage: BufferUsage::STORAGE };
            let set = device.create_descriptor_set(&set_layout)?;
            set.write_buffer(0, &device.create_bound_buffer(desc)?)?;
            commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set);
            commands.dispatch(groups, 1, 1).end()?;
        }
    }
    Ok(commands)
}

/// Submissions per second, over at least `time`.
fn rate(device: &Device, commands: &CommandBuffer, time: Duration) -> Result<f64> {
    let queue = device.queue();
    let start = Instant::now();
    let mut n = 0;
    while start.elapsed() < time {
        queue.run(commands)?;
        n += 1;
    }
    Ok(f64::from(n) / start.elapsed().as_secs_f64())
}

fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}

/// Processes that compute endlessly, until dropped.
struct Spinners(Vec<Child>);

impl Spinners {
    fn start(n: usize) -> std::io::Result<Self> {
        let mut all = Spinners(Vec::new());
        for _ in 0..n {
            let mut command = Command::new(std::env::current_exe()?);
            all.0.push(command.env(TEST_CHILD.name, "1").stdin(Stdio::piped()).spawn()?);
        }
        std::thread::sleep(Duration::from_millis(200));
        Ok(all)
    }
}

impl Drop for Spinners {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Computes until the parent has ended, or for five minutes.
fn spin() {
    std::thread::spawn(|| {
        let _ = std::io::stdin().read(&mut [0]);
        std::process::exit(0);
    });
    let start = Instant::now();
    while start.elapsed() < Duration::from_secs(300) {
        (0..10_000).for_each(|i| _ = std::hint::black_box(i));
    }
}

/// Processes that run or wait for a processor, over the last minute.
fn load() -> String {
    let text = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    text.split(' ').next().unwrap_or("?").to_string()
}

fn main() -> std::result::Result<(), Box<dyn std::error::Error>> {
    // A child computes endlessly.
    if TEST_CHILD.get().is_some() {
        spin();
        return Ok(());
    }
    let rounds = std::env::args().skip(1).find_map(|a| a.parse().ok()).unwrap_or(15);
    let processors = std::thread::available_parallelism()?.get();
    let mut threads = vec![1, processors.max(2)];
    if processors > 3 {
        threads.insert(1, processors / 2);
    }
    let subjects = threads.iter().map(|&n| subject(n)).collect::<Result<Vec<_>>>()?;
    println!("{processors} processors, load {}, {rounds} rounds", load());
    print!("{:<16} {:>8}", "work", "spinners");
    threads.iter().for_each(|n| print!(" {:>12}", format!("{n} thr. 1/s")));
    threads[1..].iter().for_each(|n| print!(" {:>8}", format!("{n} : 1")));
    println!();
    for spinners in [0, processors, 2 * processors] {
        let _spinners = Spinners::start(spinners)?;
        for (w, (name, _)) in WORKS.iter().enumerate() {
            let mut rates = vec![Vec::new(); threads.len()];
            for round in 0..=rounds {
                for (subject, rates) in subjects.iter().zip(&mut rates) {
                    let time = Duration::from_millis(if round == 0 { 20 } else { 150 });
                    let rate = rate(&subject.device, &subject.works[w], time)?;
                    // The first round warms up.
                    if round > 0 {
                        rates.push(rate);
                    }
                }
            }
            let ratios = |rates: &[f64], ones: &[f64]| rates.iter().zip(ones).map(|(a, b)| a / b).collect();
            let ratios: Vec<f64> = rates[1..].iter().map(|r| median(ratios(r, &rates[0]))).collect();
            print!("{name:<16} {spinners:>8}");
            rates.iter().for_each(|r| print!(" {:>12.0}", median(r.clone())));
            ratios.iter().for_each(|r| print!(" {r:>8.2}"));
            println!();
        }
    }
    println!("load {}", load());
    Ok(())
}

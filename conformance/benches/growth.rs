//! Cost by amount of work: time per pixel, triangle, texel, invocation and draw, from 64 to 64 million of them.
//!
//! `cargo bench -p quadrille-conformance --features benchmarks --bench growth [-- --plot FILE.svg] [--most N]`. Each amount of work is
//! recorded once, and submitted with a wait repeatedly for a fifth of a second; the shortest time counts. This is done
//! with one thread, then with two (or all, if there are fewer). Prints a table; `--plot` also draws plots.
//!
//! Each line of a plot should fall and then be flat. A cost that grows with the amount rises; a second thread that does
//! not help leaves its line unchanged.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use plotters::prelude::*;
use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    AddressMode, Aspects, BufferDesc, BufferUsage, CommandBuffer, ComputePipelineDesc, DescriptorBinding,
    DescriptorKind, Device, DeviceOptions, Format, GraphicsPipelineDesc, ImageDesc, ImageUsage,
    ImageViewDesc, Opt, Rect, RenderingAttachment, RenderingInfo, Resource, Result, SamplerDesc, ShaderStage,
};

const SHADERS: &str = "
    struct Out { @builtin(position) position: vec4f, @location(0) uv: vec2f }

    // One triangle over the whole picture.
    @vertex fn cover(@builtin(vertex_index) i: u32) -> Out {
        let uv = vec2f(f32(i & 1u), f32(i >> 1u)) * 2.0;
        return Out(vec4f(uv * 2.0 - 1.0, 0.5, 1.0), uv);
    }
    // Triangles of half a pixel each, which cover a picture of 1024 x 1024 again and again.
    @vertex fn grid(@builtin(vertex_index) i: u32) -> Out {
        let triangle = i / 3u;
        let corner = vec2f(f32(i % 3u == 1u), f32(i % 3u == 2u));
        let uv = (vec2f(f32(triangle % 1024u), f32(triangle / 1024u % 1024u)) + corner) / 1024.0;
        return Out(vec4f(uv * 2.0 - 1.0, 0.5, 1.0), uv);
    }
    @fragment fn plain(@location(0) uv: vec2f) -> @location(0) vec4f { return vec4f(uv, 0.5, 1.0); }

    @group(0) @binding(0) var picture: texture_2d<f32>;
    @group(0) @binding(1) var sampler_: sampler;
    @fragment fn textured(@location(0) uv: vec2f) -> @location(0) vec4f {
        return textureSample(picture, sampler_, uv * 3.0);
    }

    @group(0) @binding(2) var<storage, read_write> data: array<f32>;
    @compute @workgroup_size(64)
    fn main(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
        let i = id.x + id.y * groups.x * 64u;
        var x = f32(i);
        for (var k = 0u; k < 16u; k++) { x = x * 0.75 + 0.5; }
        data[i % arrayLength(&data)] = x;
    }";

/// Kind of work.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Work {
    Pixels,
    Triangles,
    Texels,
    Invocations,
    Draws,
}

/// Names of the kinds, in the singular.
const WORKS: [(&str, Work); 5] = [
    ("pixel", Work::Pixels),
    ("triangle", Work::Triangles),
    ("texel", Work::Texels),
    ("invocation", Work::Invocations),
    ("draw", Work::Draws),
];

/// 64, 256, ... 64 Mi.
const AMOUNTS: u32 = 11;
/// Maximum number of recorded draws; more draws submit the same command buffer several times.
const DRAWS_RECORDED: u32 = 1 << 18;
const COLOR: Format = Format::R8G8B8A8_UNORM;

fn amount(step: u32) -> u32 {
    64 << (2 * step)
}

struct Subject {
    device: Device,
    module: quadrille::ShaderModule,
}

impl Subject {
    fn new(threads: usize) -> Result<Self> {
        let options = DeviceOptions { threads, opt: Opt::Speed, interp: false, ..DeviceOptions::default() };
        let device = Device::new(options)?;
        let words = compile_wgsl(SHADERS, &Options::named("growth.wgsl"))?;
        let module = device.create_shader_module(&words)?;
        Ok(Self { device, module })
    }

    /// Records the commands, and returns them with the number of submissions.
    fn record(&self, work: Work, amount: u32) -> Result<(CommandBuffer, u32)> {
        match work {
            Work::Invocations => Ok((self.dispatch(amount)?, 1)),
            Work::Pixels | Work::Texels => {
                // 8 x 8, 16 x 16, ... 8192 x 8192.
                let side = amount.isqrt();
                let fragment = if work == Work::Texels { "textured" } else { "plain" };
                Ok((self.pass(side, "cover", fragment, |c| _ = c.draw(3, 1, 0, 0))?, 1))
            }
            Work::Triangles => {
                Ok((self.pass(1024, "grid", "plain", |c| _ = c.draw(3 * amount, 1, 0, 0))?, 1))
            }
            Work::Draws => {
                let recorded = amount.min(DRAWS_RECORDED);
                let commands = self.pass(1024, "grid", "plain", |c| {
                    for i in 0..recorded {
                        c.draw(3, 1, 3 * i, 0);
                    }
                })?;
                Ok((commands, amount / recorded))
            }
        }
    }

    fn dispatch(&self, amount: u32) -> Result<CommandBuffer> {
        let layout = self
            .device
            .create_descriptor_set_layout(&[DescriptorBinding::new(2, DescriptorKind::StorageBuffer)])?;
        let pipelines = self.device.create_pipeline_layout(std::slice::from_ref(&layout), 0)?;
        let bytes = u64::from(amount.min(1 << 20)) * 4;
        let buffer =
            self.device.create_bound_buffer(BufferDesc { size: bytes, usage: BufferUsage::STORAGE })?;
        let set = self.device.create_descriptor_set(&layout)?;
        set.write(2, 0, Resource::Buffer { buffer: &buffer, offset: 0, range: None })?;
        let stage = ShaderStage::new(&self.module, "main");
        let pipeline =
            self.device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: pipelines.clone() })?;
        let mut commands = self.device.create_command_buffer();
        let groups = amount / 64;
        commands.bind_compute_pipeline(&pipeline).bind_compute_set(&pipelines, 0, &set);
        commands.dispatch(groups.min(1024), groups.div_ceil(1024), 1).end()?;
        Ok(commands)
    }

    /// A pass over a picture of `side` x `side`.
    fn pass(
        &self,
        side: u32,
        vertex: &str,
        fragment: &str,
        draw: impl FnOnce(&mut CommandBuffer),
    ) -> Result<CommandBuffer> {
        let device = &self.device;
        let set_layout = device.create_descriptor_set_layout(&[
            DescriptorBinding::new(0, DescriptorKind::SampledImage),
            DescriptorBinding::new(1, DescriptorKind::Sampler),
        ])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?;
        let texture = device.create_bound_image(ImageDesc::new_2d(COLOR, 256, 256, ImageUsage::SAMPLED))?;
        texture.write_level(
            Aspects::COLOR,
            0,
            &(0..256 * 256 * 4u32).map(|i| i as u8).collect::<Vec<_>>(),
        )?;
        let set = device.create_descriptor_set(&set_layout)?;
        set.write(0, 0, Resource::Image(&device.create_image_view(&texture, ImageViewDesc::new_2d(COLOR))?))?;
        set.write(
            1,
            0,
            Resource::Sampler(&device.create_sampler(SamplerDesc::linear(AddressMode::Repeat))?),
        )?;

        let stage = |name: &str| ShaderStage::new(&self.module, name);
        let mut desc = GraphicsPipelineDesc::new(&layout, stage(vertex), Some(stage(fragment)));
        desc.state.color_formats = vec![Some(COLOR)];
        let pipeline = device.create_graphics_pipeline(&desc)?;
        let picture =
            device.create_bound_image(ImageDesc::new_2d(COLOR, side, side, ImageUsage::COLOR_ATTACHMENT))?;
        let view = device.create_image_view(&picture, ImageViewDesc::new_2d(COLOR))?;
        let info = RenderingInfo {
            area: Rect { x: 0, y: 0, width: side, height: side },
            colors: vec![Some(RenderingAttachment::clear(&view, [0.0; 4]))],
            ..Default::default()
        };
        let mut commands = device.create_command_buffer();
        commands.begin_rendering(&info).set_size(side, side).bind_graphics_pipeline(&pipeline);
        commands.bind_graphics_set(&layout, 0, &set);
        draw(&mut commands);
        commands.end_rendering().end()?;
        Ok(commands)
    }

    /// Nanoseconds per item of work.
    fn measure(&self, work: Work, amount: u32) -> Result<f64> {
        let (commands, times) = self.record(work, amount)?;
        let queue = self.device.queue();
        let once = || (0..times).try_for_each(|_| queue.run(&commands));
        let (begin, mut best) = (Instant::now(), Duration::MAX);
        let mut rounds = 0;
        // The first round may still run code of the first tier.
        while rounds < 2 || begin.elapsed() < Duration::from_millis(200) {
            let start = Instant::now();
            once()?;
            best = best.min(start.elapsed());
            rounds += 1;
        }
        Ok(best.as_secs_f64() * 1e9 / f64::from(amount))
    }
}

/// One line of a plot: the cost by amount.
struct Line {
    work: usize,
    threads: usize,
    costs: Vec<f64>,
}

fn main() {
    let args: Vec<String> = std::env::args().collect();
    let after = |name: &str| args.iter().position(|a| a == name).and_then(|i| args.get(i + 1));
    let plot = after("--plot").map(PathBuf::from);
    let most: u32 = after("--most").map_or(u32::MAX, |n| n.parse().expect("--most takes a number"));
    let steps: Vec<u32> = (0..AMOUNTS).filter(|s| amount(*s) <= most).collect();
    let threads = std::thread::available_parallelism().map_or(1, |n| n.get().min(2));

    let mut lines = Vec::new();
    for threads in 1..=threads {
        let subject = Subject::new(threads).expect("the device is created");
        for (number, (name, work)) in WORKS.iter().enumerate() {
            let costs = steps.iter().map(|step| {
                let cost = subject.measure(*work, amount(*step)).expect("the work is done");
                eprintln!("{name}, {threads} thread(s), {}: {cost:.3} ns", amount(*step));
                cost
            });
            lines.push(Line { work: number, threads, costs: costs.collect() });
        }
    }
    print(&lines, &steps);
    if let Some(file) = plot {
        draw(&lines, &steps, &file).expect("the plots are written");
    }
}

/// Prints the table: nanoseconds per item, by amount.
fn print(lines: &[Line], steps: &[u32]) {
    let names: Vec<String> = lines.iter().map(|l| format!("{}, {}", WORKS[l.work].0, l.threads)).collect();
    println!("| amount | {} |\n|---:|{}", names.join(" | "), "---:|".repeat(names.len()));
    for (i, step) in steps.iter().enumerate() {
        let cells: Vec<String> = lines.iter().map(|l| format!("{:.2}", l.costs[i])).collect();
        println!("| {} | {} |", amount(*step), cells.join(" | "));
    }
}

/// Draws the plots, one for each kind of work, with logarithmic axes.
fn draw(
    lines: &[Line],
    steps: &[u32],
    file: &std::path::Path,
) -> std::result::Result<(), Box<dyn std::error::Error>> {
    let page = SVGBackend::new(file, (960, 960)).into_drawing_area();
    page.fill(&WHITE)?;
    let amounts = || steps.iter().map(|s| f64::from(amount(*s)));
    let last = amounts().next_back().ok_or("there is nothing to plot")?;
    for (number, area) in page.split_evenly((3, 2)).iter().enumerate().take(WORKS.len()) {
        let of_work = || lines.iter().filter(|l| l.work == number);
        let all = || of_work().flat_map(|l| l.costs.iter().copied());
        let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(0.0, f64::max));
        let mut chart = ChartBuilder::on(area)
            .caption(format!("ns per {}", WORKS[number].0), ("sans-serif", 18))
            .margin(10)
            .x_label_area_size(30)
            .y_label_area_size(60)
            .build_cartesian_2d((64.0..last).log_scale(), (low / 2.0..high * 2.0).log_scale())?;
        chart
            .configure_mesh()
            .light_line_style(WHITE)
            .y_labels(5)
            .x_label_formatter(&|x| short(*x))
            .y_label_formatter(&|y| short(*y))
            .draw()?;
        for line in of_work() {
            let color = if line.threads == 1 { BLUE } else { RED };
            let points: Vec<(f64, f64)> = amounts().zip(line.costs.iter().copied()).collect();
            chart
                .draw_series(LineSeries::new(points.iter().copied(), color.stroke_width(2)).point_size(3))?
                .label(format!("{} thread{}", line.threads, if line.threads == 1 { "" } else { "s" }))
                .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], color.stroke_width(2)));
        }
        chart.configure_series_labels().background_style(WHITE.mix(0.8)).border_style(BLACK).draw()?;
    }
    page.present()?;
    Ok(())
}

/// Formats a power of ten or two in few characters.
fn short(x: f64) -> String {
    match x {
        x if x >= 1e6 => format!("{:.0} M", x / 1e6),
        x if x >= 1e3 => format!("{:.0} k", x / 1e3),
        x if x >= 1.0 => format!("{x:.0}"),
        x => format!("{x:.3}"),
    }
}

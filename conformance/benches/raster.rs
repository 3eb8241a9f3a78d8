//! The rasterizer, texturing and transfers through the device, on all processors.
//!
//! - `vertex/*`: vertices per second, with all triangles culled. `triangle/*`: small triangles per second.
//! - `amplified/*`: triangles per second that tessellation and geometry shaders make.
//! - `fill/*`: pixels per second of triangles that cover a picture of 1920x1080, in 16 layers.
//! - `filter/*`, `format/*`: samples per second over a full screen.
//! - `transfer/*`, `blit/*`: bytes written per second; `memory/*`: the same for a plain copy and a plain fill.

use criterion::{
    BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main, measurement::WallTime,
};
use quadrille::frontend::{Options, compile_glsl, compile_wgsl};
use quadrille::{
    AddressMode, Aspects, BlendState, BufferCopy, BufferImageCopy, BufferUsage, CommandBuffer, CompareOp,
    CullMode, DepthState, DescriptorBinding, DescriptorKind, Device, DeviceOptions, Filter, Format,
    GraphicsPipeline, GraphicsPipelineDesc, ImageBlit, ImageCopy, ImageDesc, ImageUsage, ImageView,
    ImageViewDesc, Opt, PipelineLayout, Rect, RenderingAttachment, RenderingInfo, Resource, SamplerDesc,
    ShaderStage, Stage, SubresourceLayers, Topology,
};

const SHADER: &str = "
struct Out {
    @builtin(position) position: vec4f,
    @location(0) uv: vec2f,
}
struct Push { first_depth: f32, step: f32, alpha: f32, scale: f32 }
var<immediate> push: Push;

// Each instance covers the picture with two triangles at its own depth.
@vertex
fn cover(@builtin(vertex_index) i: u32, @builtin(instance_index) layer: u32) -> Out {
    let uv = vec2f(f32(i % 2u), f32((i / 2u) % 2u));
    return Out(vec4f(uv * 2.0 - 1.0, push.first_depth + push.step * f32(layer), 1.0), uv);
}

// A grid with 1000 squares per row, each of two triangles.
@vertex
fn grid(@builtin(vertex_index) i: u32) -> Out {
    let corner = array<vec2f, 6>(vec2f(0, 0), vec2f(1, 0), vec2f(0, 1), vec2f(0, 1), vec2f(1, 0), vec2f(1, 1));
    let square = i / 6u;
    let at = vec2f(f32(square % 1000u), f32(square / 1000u)) + corner[i % 6u];
    let uv = at / 1000.0;
    return Out(vec4f(uv * 2.0 - 1.0, 0.5, push.scale), uv);
}

@fragment
fn plain(@location(0) uv: vec2f) -> @location(0) vec4f {
    return vec4f(uv, 0.5, push.alpha);
}

@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var sampler_: sampler;

@fragment
fn textured(@location(0) uv: vec2f) -> @location(0) vec4f {
    return textureSample(picture, sampler_, uv * push.scale);
}

@fragment
fn gathered(@location(0) uv: vec2f) -> @location(0) vec4f {
    return textureGather(0, picture, sampler_, uv * push.scale);
}";

const SIZE: (u32, u32) = (1920, 1080);
const COLOR: Format = Format::R8G8B8A8_UNORM;
const DEPTH: Format = Format::D32_SFLOAT;

struct Bench {
    device: Device,
    module: quadrille::ShaderModule,
    set_layout: quadrille::DescriptorSetLayout,
    layout: PipelineLayout,
}

impl Bench {
    fn new() -> quadrille::Result<Bench> {
        let options = DeviceOptions { opt: Opt::Speed, interp: false, ..DeviceOptions::default() };
        let device = Device::new(options)?;
        let words = compile_wgsl(SHADER, &Options::named("raster.wgsl")).expect("the shader is valid");
        let module = device.create_shader_module(&words)?;
        let set_layout = device.create_descriptor_set_layout(&[
            DescriptorBinding::new(0, DescriptorKind::SampledImage),
            DescriptorBinding::new(1, DescriptorKind::Sampler),
        ])?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 16)?;
        Ok(Bench { device, module, set_layout, layout })
    }

    fn attachment(&self, format: Format, samples: u32) -> quadrille::Result<ImageView> {
        let usage =
            if format == DEPTH { ImageUsage::DEPTH_STENCIL_ATTACHMENT } else { ImageUsage::COLOR_ATTACHMENT };
        let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, SIZE.0, SIZE.1, usage) };
        self.device.create_image_view(&self.device.create_bound_image(desc)?, ImageViewDesc::new_2d(format))
    }

    fn pipeline(
        &self,
        vertex: &str,
        fragment: &str,
        edit: impl FnOnce(&mut GraphicsPipelineDesc),
    ) -> quadrille::Result<GraphicsPipeline> {
        let stage = |name: &str| ShaderStage::new(&self.module, name);
        let mut desc = GraphicsPipelineDesc::new(&self.layout, stage(vertex), Some(stage(fragment)));
        desc.state.color_formats = vec![Some(COLOR)];
        edit(&mut desc);
        self.device.create_graphics_pipeline(&desc)
    }

    /// Commands of a pass over a whole picture.
    fn pass(
        &self,
        color: &ImageView,
        depth: Option<&ImageView>,
        record: impl FnOnce(&mut CommandBuffer),
    ) -> quadrille::Result<CommandBuffer> {
        let info = RenderingInfo {
            area: Rect { x: 0, y: 0, width: SIZE.0, height: SIZE.1 },
            colors: vec![Some(RenderingAttachment::clear(color, [0.0; 4]))],
            depth: depth.map(|d| RenderingAttachment::clear_depth(d, 1.0)),
            ..Default::default()
        };
        let mut commands = self.device.create_command_buffer();
        commands.begin_rendering(&info).set_size(SIZE.0, SIZE.1);
        record(&mut commands);
        commands.end_rendering().end()?;
        Ok(commands)
    }

    fn run(&self, group: &mut BenchmarkGroup<'_, WallTime>, name: &str, commands: &CommandBuffer) {
        let queue = self.device.queue();
        queue.run(commands).expect("the commands run");
        group.bench_function(name, |b| b.iter(|| queue.run(commands).expect("the commands run")));
    }
}

fn with_depth(desc: &mut GraphicsPipelineDesc) {
    desc.state.depth_format = Some(DEPTH);
    desc.state.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
}

fn geometry(c: &mut Criterion) {
    let bench = Bench::new().expect("the device is created");
    let color = bench.attachment(COLOR, 1).expect("the image is created");
    let squares = 250_000u32;
    let draw = |commands: &mut CommandBuffer, pipeline: &GraphicsPipeline, scale: f32| {
        commands.bind_graphics_pipeline(pipeline).push_constants(0, &[0.0f32, 0.0, 1.0, scale]);
        commands.draw(squares * 6, 1, 0, 0);
    };
    let mut group = c.benchmark_group("vertex");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(squares) * 6));
    let culled = bench.pipeline("grid", "plain", |d| d.state.cull = CullMode { front: true, back: true });
    let culled = culled.expect("the pipeline is created");
    let commands = bench.pass(&color, None, |c| draw(c, &culled, 1.0)).expect("the pass is recorded");
    bench.run(&mut group, "all culled", &commands);
    group.finish();

    let mut group = c.benchmark_group("triangle");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(squares) * 2));
    let pipeline = bench.pipeline("grid", "plain", |_| {}).expect("the pipeline is created");
    for (name, scale) in [("of 1 pixel", 1.0), ("under a sample", 4.0)] {
        let commands = bench.pass(&color, None, |c| draw(c, &pipeline, scale)).expect("the pass is recorded");
        bench.run(&mut group, name, &commands);
    }
    group.finish();
}

const PATCH: &str = "#version 450
void main() {
    vec2 at = vec2((gl_VertexIndex / 4) % 64, gl_VertexIndex / 256);
    vec2 corner = vec2(gl_VertexIndex % 2, (gl_VertexIndex % 4) / 2);
    gl_Position = vec4((at + corner) / 32.0 - 1.0, 0.5, 1.0);
}";
const CONTROL: &str = "#version 450
layout(vertices = 4) out;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter = float[4](8.0, 8.0, 8.0, 8.0);
    gl_TessLevelInner = float[2](8.0, 8.0);
}";
const EVALUATION: &str = "#version 450
layout(quads, equal_spacing) in;
layout(location = 0) out vec2 uv;
void main() {
    vec4 low = mix(gl_in[0].gl_Position, gl_in[1].gl_Position, gl_TessCoord.x);
    vec4 high = mix(gl_in[2].gl_Position, gl_in[3].gl_Position, gl_TessCoord.x);
    gl_Position = mix(low, high, gl_TessCoord.y);
    uv = gl_TessCoord.xy;
}";
const POINT: &str = "#version 450
void main() {
    uint n = uint(gl_VertexIndex);
    vec2 at = vec2(uvec2(n * 40503u, n * 30011u) % 65521u) / 65521.0;
    gl_Position = vec4(at * 2.0 - 1.0, 0.5, 1.0);
}";
const SQUARES: &str = "#version 450
layout(points) in;
layout(triangle_strip, max_vertices = 4) out;
layout(location = 0) out vec2 uv;
void main() {
    for (int i = 0; i < 4; i++) {
        vec2 corner = vec2(i % 2, i / 2);
        gl_Position = gl_in[0].gl_Position + vec4(corner * 0.003, 0.0, 0.0);
        uv = corner;
        EmitVertex();
    }
}";

/// Stages that generate primitives.
fn amplified(c: &mut Criterion) {
    let bench = Bench::new().expect("the device is created");
    let color = bench.attachment(COLOR, 1).expect("the image is created");
    let stage = |text: &str, stage: Stage| {
        let words = compile_glsl(text, stage, &Options::named("raster.glsl")).expect("the shader is valid");
        ShaderStage::new(&bench.device.create_shader_module(&words).expect("the module is created"), "main")
    };
    let patches = bench.pipeline("cover", "plain", |d| {
        d.vertex = Some(stage(PATCH, Stage::Vertex));
        d.tessellation_control = Some(stage(CONTROL, Stage::TessellationControl));
        d.tessellation_evaluation = Some(stage(EVALUATION, Stage::TessellationEvaluation));
        d.state.topology = Topology::PatchList;
        d.fixed.patch_control_points = 4;
    });
    let points = bench.pipeline("cover", "plain", |d| {
        d.vertex = Some(stage(POINT, Stage::Vertex));
        d.geometry = Some(stage(SQUARES, Stage::Geometry));
        d.state.topology = Topology::PointList;
    });
    let mut group = c.benchmark_group("amplified");
    // Name, pipeline, vertices, triangles.
    for (name, pipeline, vertices, triangles) in [
        ("patches of 8 x 8 squares", patches, 4 * 64 * 64, 2 * 64 * 64 * 64),
        ("points to squares", points, 100_000, 200_000),
    ] {
        let pipeline = pipeline.expect("the pipeline is created");
        group.sample_size(10).throughput(Throughput::Elements(triangles));
        let commands = bench.pass(&color, None, |c| {
            c.bind_graphics_pipeline(&pipeline).push_constants(0, &[0.0f32, 0.0, 1.0, 1.0]);
            c.draw(vertices, 1, 0, 0);
        });
        bench.run(&mut group, name, &commands.expect("the pass is recorded"));
    }
    group.finish();
}

fn fill(c: &mut Criterion) {
    let layers = 16;
    let bench = Bench::new().expect("the device is created");
    let mut group = c.benchmark_group("fill");
    group
        .sample_size(10)
        .throughput(Throughput::Elements(u64::from(SIZE.0) * u64::from(SIZE.1) * u64::from(layers)));
    // Name, samples, depth of the first layer and step (step 0: no depth test), blending.
    let cases: [(&str, u32, f32, f32, bool); 6] = [
        ("opaque, hidden by the last", 1, 0.5, 0.0, false),
        ("depth, front first", 1, 0.1, 0.05, false),
        ("depth, back first", 1, 0.9, -0.05, false),
        ("blend", 1, 0.5, 0.0, true),
        ("4 samples", 4, 0.5, 0.0, true),
        ("4 samples, depth, back first", 4, 0.9, -0.05, false),
    ];
    for (name, samples, first, step, blend) in cases {
        let color = bench.attachment(COLOR, samples).expect("the image is created");
        let depth = (step != 0.0).then(|| bench.attachment(DEPTH, samples).expect("the image is created"));
        let pipeline = bench.pipeline("cover", "plain", |d| {
            d.state.samples = samples;
            if step != 0.0 {
                with_depth(d);
            }
            if blend {
                d.state.blend = vec![BlendState::source_over()];
            }
        });
        let pipeline = pipeline.expect("the pipeline is created");
        let commands = bench.pass(&color, depth.as_ref(), |c| {
            c.bind_graphics_pipeline(&pipeline).push_constants(0, &[first, step, 0.25, 1.0]);
            for layer in 0..layers {
                c.draw(3, 1, 0, layer).draw(3, 1, 1, layer);
            }
        });
        bench.run(&mut group, name, &commands.expect("the pass is recorded"));
    }
    group.finish();
}

/// A pass that samples a texture of 512x512, repeated `scale` times over the picture.
fn sampled(
    bench: &Bench,
    format: Format,
    sampler: SamplerDesc,
    fragment: &str,
    scale: f32,
) -> quadrille::Result<CommandBuffer> {
    let levels = 10;
    let desc = ImageDesc { levels, ..ImageDesc::new_2d(format, 512, 512, ImageUsage::SAMPLED) };
    let image = bench.device.create_bound_image(desc)?;
    let mut word = 1u32;
    for level in 0..levels {
        let size = image.read_level(Aspects::COLOR, level)?.len();
        let bytes: Vec<u8> = (0..size)
            .map(|i| {
                word = word.wrapping_mul(747_796_405).wrapping_add(2_891_336_453);
                // No NaN and no infinity in 16- and 32-bit float formats.
                if i % 2 == 1 { 0x30 | (word >> 28) as u8 } else { (word >> 24) as u8 }
            })
            .collect();
        image.write_level(Aspects::COLOR, level, &bytes)?;
    }
    let view =
        bench.device.create_image_view(&image, ImageViewDesc { levels, ..ImageViewDesc::new_2d(format) })?;
    let set = bench.device.create_descriptor_set(&bench.set_layout)?;
    set.write(0, 0, Resource::Image(&view))?;
    set.write(1, 0, Resource::Sampler(&bench.device.create_sampler(sampler)?))?;
    let pipeline = bench.pipeline("cover", fragment, |_| {})?;
    let color = bench.attachment(COLOR, 1)?;
    bench.pass(&color, None, |c| {
        c.bind_graphics_pipeline(&pipeline)
            .bind_graphics_set(&bench.layout, 0, &set)
            .push_constants(0, &[0.5f32, 0.0, 1.0, scale])
            .draw(3, 1, 0, 0)
            .draw(3, 1, 1, 0);
    })
}

fn textures(c: &mut Criterion) {
    let bench = Bench::new().expect("the device is created");
    let mut group = c.benchmark_group("filter");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(SIZE.0) * u64::from(SIZE.1)));
    let nearest = SamplerDesc::nearest(AddressMode::Repeat);
    let linear = SamplerDesc::linear(AddressMode::Repeat);
    let bilinear = SamplerDesc { mipmap_mode: Filter::Nearest, ..linear };
    let aniso = SamplerDesc { anisotropy: Some(16f32.to_bits()), ..linear };
    for (name, sampler, fragment, scale) in [
        ("nearest", nearest, "textured", 2.0),
        ("bilinear", bilinear, "textured", 2.0),
        ("trilinear", linear, "textured", 6.5),
        ("anisotropic 16", aniso, "textured", 6.5),
        ("gather", nearest, "gathered", 2.0),
    ] {
        let commands = sampled(&bench, COLOR, sampler, fragment, scale).expect("the pass is recorded");
        bench.run(&mut group, name, &commands);
    }
    group.finish();
    let mut group = c.benchmark_group("format");
    group.sample_size(10).throughput(Throughput::Elements(u64::from(SIZE.0) * u64::from(SIZE.1)));
    for format in [
        Format::R8_UNORM,
        Format::R8G8B8A8_UNORM,
        Format::R8G8B8A8_SRGB,
        Format::B10G11R11_UFLOAT_PACK32,
        Format::R16G16B16A16_SFLOAT,
        Format::R32_SFLOAT,
        Format::R32G32B32A32_SFLOAT,
        Format::BC1_RGBA_UNORM_BLOCK,
        Format::BC7_UNORM_BLOCK,
    ] {
        let commands = sampled(&bench, format, bilinear, "textured", 2.0).expect("the pass is recorded");
        bench.run(&mut group, format.name(), &commands);
    }
    group.finish();
}

fn transfers(c: &mut Criterion) {
    let bench = Bench::new().expect("the device is created");
    let device = &bench.device;
    let bytes = u64::from(SIZE.0) * u64::from(SIZE.1) * 4;
    let mut group = c.benchmark_group("memory");
    group.sample_size(10).throughput(Throughput::Bytes(bytes));
    let (source, mut target) = (vec![1u8; bytes as usize], vec![0u8; bytes as usize]);
    group.bench_function("copy", |b| {
        b.iter(|| std::hint::black_box(&mut target).copy_from_slice(std::hint::black_box(&source)));
    });
    group.bench_function("fill", |b| b.iter(|| std::hint::black_box(&mut target).fill(7)));
    group.finish();

    let mut group = c.benchmark_group("transfer");
    group.sample_size(10).throughput(Throughput::Bytes(bytes));
    let usage = ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST | ImageUsage::COLOR_ATTACHMENT;
    let image = |format| device.create_bound_image(ImageDesc::new_2d(format, SIZE.0, SIZE.1, usage));
    let one = image(COLOR).expect("the image is created");
    let two = image(COLOR).expect("the image is created");
    let buffer = device.create_buffer_with(&source, BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST);
    let buffer = buffer.expect("the buffer is created");
    let other = device.create_buffer_with(&source, BufferUsage::TRANSFER_SRC | BufferUsage::TRANSFER_DST);
    let other = other.expect("the buffer is created");
    let whole = SubresourceLayers::COLOR;
    let extent = [SIZE.0, SIZE.1, 1];
    let record = |f: &dyn Fn(&mut CommandBuffer)| {
        let mut commands = device.create_command_buffer();
        f(&mut commands);
        commands.end().expect("the commands are recorded");
        commands
    };
    let region = BufferImageCopy::whole(extent);
    let copy = ImageCopy { src: whole, src_offset: [0; 3], dst: whole, dst_offset: [0; 3], extent };
    let half = [[0, 0, 0], [SIZE.0 as i32 / 2, SIZE.1 as i32 / 2, 1]];
    let full = [[0, 0, 0], [SIZE.0 as i32, SIZE.1 as i32, 1]];
    let blit = ImageBlit { src: whole, src_offsets: half, dst: whole, dst_offsets: full };
    let color = device.create_image_view(&one, ImageViewDesc::new_2d(COLOR)).expect("the view is created");
    let clear = bench.pass(&color, None, |_| {}).expect("the pass is recorded");
    let all: [(&str, CommandBuffer); 7] = [
        (
            "fill buffer",
            record(&|c| {
                c.fill_buffer(&buffer, 0, None, 7);
            }),
        ),
        (
            "copy buffer",
            record(&|c| {
                c.copy_buffer(&buffer, &other, &[BufferCopy { src_offset: 0, dst_offset: 0, size: bytes }]);
            }),
        ),
        (
            "buffer to image",
            record(&|c| {
                c.copy_buffer_to_image(&buffer, &one, &[region]);
            }),
        ),
        (
            "image to buffer",
            record(&|c| {
                c.copy_image_to_buffer(&one, &buffer, &[region]);
            }),
        ),
        (
            "image to image",
            record(&|c| {
                c.copy_image(&one, &two, &[copy]);
            }),
        ),
        (
            "blit, linear, twice the size",
            record(&|c| {
                c.blit_image(&one, &two, &[blit], true);
            }),
        ),
        ("clear attachment", clear),
    ];
    for (name, commands) in &all {
        bench.run(&mut group, name, commands);
    }
    group.finish();
}

/// Blits to a whole picture; the throughput counts written bytes.
fn blits(c: &mut Criterion) {
    const HALF: Format = Format::R16G16B16A16_SFLOAT;
    const SRGB: Format = Format::R8G8B8A8_SRGB;
    let bench = Bench::new().expect("the device is created");
    let device = &bench.device;
    let mut group = c.benchmark_group("blit");
    let usage = ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST;
    let corners = |w: u32, h: u32| [[0, 0, 0], [w as i32, h as i32, 1]];
    for (name, from, to, [w, h], linear) in [
        ("RGBA8, nearest, same size", COLOR, COLOR, [SIZE.0, SIZE.1], false),
        ("RGBA8, nearest, from half the size", COLOR, COLOR, [SIZE.0 / 2, SIZE.1 / 2], false),
        ("RGBA8, linear, from half the size", COLOR, COLOR, [SIZE.0 / 2, SIZE.1 / 2], true),
        ("RGBA8, linear, from twice the size", COLOR, COLOR, [SIZE.0 * 2, SIZE.1 * 2], true),
        ("RGBA8 to RGBA16F, nearest, same size", COLOR, HALF, [SIZE.0, SIZE.1], false),
        ("RGBA16F to RGBA8, nearest, same size", HALF, COLOR, [SIZE.0, SIZE.1], false),
        ("sRGB, linear, from twice the size", SRGB, SRGB, [SIZE.0 * 2, SIZE.1 * 2], true),
        ("RGBA16F, linear, from half the size", HALF, HALF, [SIZE.0 / 2, SIZE.1 / 2], true),
    ] {
        let bytes = SIZE.0 * SIZE.1 * to.bytes();
        group.sample_size(10).throughput(Throughput::Bytes(bytes.into()));
        let image = |format, w, h| {
            let image = device.create_bound_image(ImageDesc::new_2d(format, w, h, usage));
            image.expect("the image is created")
        };
        let (source, target) = (image(from, w, h), image(to, SIZE.0, SIZE.1));
        let whole = SubresourceLayers::COLOR;
        let (src_offsets, dst_offsets) = (corners(w, h), corners(SIZE.0, SIZE.1));
        let blit = ImageBlit { src: whole, src_offsets, dst: whole, dst_offsets };
        let mut commands = device.create_command_buffer();
        commands.blit_image(&source, &target, &[blit], linear).end().expect("the commands are recorded");
        bench.run(&mut group, name, &commands);
    }
    let (side, levels) = (2048u32, 12);
    let desc = ImageDesc { levels, ..ImageDesc::new_2d(COLOR, side, side, usage) };
    let image = device.create_bound_image(desc).expect("the image is created");
    let mut commands = device.create_command_buffer();
    for level in 1..levels {
        let at = |level: u32| SubresourceLayers { level, ..SubresourceLayers::COLOR };
        let blit = ImageBlit {
            src: at(level - 1),
            src_offsets: corners(side >> (level - 1), side >> (level - 1)),
            dst: at(level),
            dst_offsets: corners(side >> level, side >> level),
        };
        commands.blit_image(&image, &image, &[blit], true);
    }
    commands.end().expect("the commands are recorded");
    let bytes: u32 = (1..levels).map(|l| (side >> l) * (side >> l) * COLOR.bytes()).sum();
    group.throughput(Throughput::Bytes(bytes.into()));
    bench.run(&mut group, "RGBA8, linear, chain of levels", &commands);
    group.finish();
}

criterion_group!(benches, geometry, amplified, fill, textures, transfers, blits);
criterion_main!(benches);

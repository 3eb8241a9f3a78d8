//! Checks that all configurations give the same bytes.
//!
//! Through the `quadrille` API, the kernels and pictures of the benchmarks and all of fixed function run twice with 1,
//! 2 and 7 threads, in both tiers, at every host level. Through the driver, the same kernels and every scene run with
//! other numbers of threads and lanes, orders of tiles, tiers and host levels, and in the interpreter.

use std::path::Path;

use quadrille::apps::compute::{Compute, ComputeDesc};
use quadrille::frontend::{Options, compile_wgsl};
use quadrille::{
    AddressMode, Aspects, BlendState, BufferUsage, CompareOp, CpuLevel, DepthState, DescriptorBinding,
    DescriptorKind, Device, DeviceOptions, Format, GraphicsPipeline, GraphicsPipelineDesc, Image, ImageDesc,
    ImageUsage, ImageView, ImageViewDesc, Opt, PipelineLayout, Rect, RenderingAttachment, RenderingInfo,
    Resource, Result, SamplerDesc, ShaderStage, ShaderTest, VertexAttribute, VertexBinding, VertexRate,
    testing,
};
use quadrille_conformance::assets;
use quadrille_conformance::lanes::Buffer;
use quadrille_conformance::oracle::wire::{Answer, Case};
use quadrille_conformance::oracle::{self, Driver};

/// All devices that must give the same bytes, with their names.
fn devices() -> Vec<(String, Device)> {
    let base = DeviceOptions { interp: false, ..DeviceOptions::default() };
    let mut list = Vec::new();
    for opt in [Opt::None, Opt::Speed] {
        for threads in [1, 2, 7] {
            list.push(DeviceOptions { threads, opt, cpu: CpuLevel::host(), ..base.clone() });
        }
        for cpu in testing::cpu_levels().into_iter().filter(|c| *c < CpuLevel::host()) {
            list.push(DeviceOptions { threads: 2, opt, cpu, ..base.clone() });
        }
    }
    let name = |o: &DeviceOptions| format!("{} threads, {:?}, {:?}", o.threads, o.opt, o.cpu);
    list.into_iter().map(|o| (name(&o), Device::new(o).expect("the options are valid"))).collect()
}

/// Runs `f` twice on every device and compares with the first result.
fn same(what: &str, devices: &[(String, Device)], f: impl Fn(&Device) -> Result<Vec<u8>>) {
    let mut first: Option<Vec<u8>> = None;
    for (name, device) in devices {
        for _ in 0..2 {
            let got = f(device).unwrap_or_else(|e| panic!("{what}, {name}: {e}"));
            assert!(got.iter().any(|b| *b != got[0]), "{what}, {name}: all bytes are the same");
            let first = first.get_or_insert_with(|| got.clone());
            assert_eq!(got.len(), first.len(), "{what}, {name}: another number of bytes");
            if let Some(i) = (0..got.len()).find(|&i| got[i] != first[i]) {
                panic!("{what}, {name}: byte {i} is {}, on the first device {}", got[i], first[i]);
            }
        }
    }
}

/// Number of invocations of each kernel.
const INVOCATIONS: u32 = 4096;

/// Initial contents of each buffer of a kernel.
fn numbers() -> Vec<u8> {
    (0..INVOCATIONS).flat_map(|i| (i as f32 / 512.0 - 1.0).to_bits().to_le_bytes()).collect()
}

/// Runs a kernel through the library and returns the contents of its output and its binding numbers.
fn kernel(device: &Device, words: &[u32]) -> Result<(Vec<u8>, Vec<u32>)> {
    let mut run = Compute::new(device, &ComputeDesc { words, entry: None, specialization: &[], push: &[] })?;
    let bindings: Vec<u32> = run.unbound().map(|b| b.binding).collect();
    for &binding in &bindings {
        run.bind(0, binding, &numbers())?;
    }
    run.dispatch([INVOCATIONS / 64, 1, 1])?;
    Ok((run.read(0, 1)?, bindings))
}

#[test]
fn kernels() {
    let devices = devices();
    for (name, bytes) in assets::KERNELS {
        let words = assets::words(bytes);
        same(name, &devices, |device| Ok(kernel(device, &words)?.0));
    }
}

/// The same modules with the same inputs give the same results through the driver as through the library.
#[test]
fn kernels_through_the_driver() {
    let device = Device::new(DeviceOptions { interp: false, ..DeviceOptions::default() }).unwrap();
    let (mut expected, mut cases) = (Vec::new(), Vec::new());
    for (_, bytes) in assets::KERNELS {
        let words = assets::words(bytes);
        let (output, bindings) = kernel(&device, &words).unwrap();
        let buffer = |&binding: &u32| (Buffer { set: 0, binding, bytes: numbers() }, false);
        let output_at = bindings.iter().position(|b| *b == 1).unwrap();
        let buffers = bindings.iter().map(buffer).collect();
        expected.push((output_at, output));
        cases.push(Case { words, buffers, groups: [INVOCATIONS / 64, 1, 1], ..Case::default() });
    }
    let program = Path::new(env!("CARGO_BIN_EXE_quadrille-conformance"));
    for options in RUNS {
        let names: Vec<String> = options.iter().map(|(name, _)| format!("QUADRILLE_{name}")).collect();
        let variables: Vec<_> =
            names.iter().zip(options).map(|(n, (_, value))| (n.as_str(), *value)).collect();
        let heard = oracle::ask(program, Driver::Own(&variables), &cases).unwrap();
        for (((name, _), (at, output)), answer) in assets::KERNELS.iter().zip(&expected).zip(&heard.answers) {
            let Answer::Done(buffers) = answer else { panic!("{name}, {options:?}: {answer:?}") };
            assert!(buffers[*at] == *output, "{name}, {options:?}: not the bytes of the library");
        }
    }
}

#[test]
fn pictures() {
    let (width, height) = (96, 54);
    let devices = devices();
    for (name, bytes) in assets::COMPILE {
        let words = assets::words(bytes);
        same(name, &devices, |device| {
            let test = ShaderTest::spirv(&words).on(device).target(Format::R8G8B8A8_UNORM);
            let lights: Vec<f32> = (0..68).map(|i| (i % 7) as f32 * 0.25 + 0.1).collect();
            let test = match *name {
                "large" => test.bind(0, 0, &lights),
                "small" => test.push(&[1.5f32]),
                _ => test.push(&[width as f32, height as f32, 1.5]),
            };
            test.draw(width, height)?.read_target()
        });
    }
}

/// A scene that uses all of fixed function: vertex fetch, depth test, sampling, blending.
const FIXED_FUNCTION: &str = "
struct Out { @builtin(position) position: vec4f, @location(0) color: vec4f, @location(1) uv: vec2f }
@vertex fn vs(@location(0) p: vec3f, @location(1) color: vec4f, @location(2) uv: vec2f) -> Out {
    return Out(vec4f(p, 1.0), color, uv);
}
@group(0) @binding(0) var picture: texture_2d<f32>;
@group(0) @binding(1) var sampler_: sampler;
@fragment fn fs(i: Out) -> @location(0) vec4f {
    return textureSample(picture, sampler_, i.uv) * 0.75 + i.color * 0.25;
}";

/// Formats and state with which a picture of the scene is drawn.
#[derive(Clone, Copy, Debug)]
struct Scene {
    target: Format,
    texture: Format,
    samples: u32,
    blend: bool,
    depth: bool,
}

const SCENES: [Scene; 6] = {
    let plain = Scene {
        target: Format::R8G8B8A8_UNORM,
        texture: Format::R8G8B8A8_UNORM,
        samples: 1,
        blend: false,
        depth: true,
    };
    [
        plain,
        Scene { blend: true, depth: false, ..plain },
        Scene { blend: true, samples: 4, ..plain },
        Scene {
            target: Format::A2B10G10R10_UNORM_PACK32,
            texture: Format::R8G8B8A8_SRGB,
            blend: true,
            ..plain
        },
        Scene {
            target: Format::R16G16B16A16_SFLOAT,
            texture: Format::R16G16B16A16_SFLOAT,
            blend: true,
            ..plain
        },
        Scene { target: Format::R8G8B8A8_SRGB, texture: Format::R32G32B32A32_SFLOAT, samples: 4, ..plain },
    ]
};

/// Returns bytes with a pattern that contains no NaN or infinity as floats.
fn pattern(n: usize) -> Vec<u8> {
    let byte = |i: usize| (i as u32).wrapping_mul(2_654_435_761).to_le_bytes()[3];
    (0..n).map(|i| if i % 2 == 1 { 0x30 | byte(i) >> 4 } else { byte(i) }).collect()
}

impl Scene {
    const SIZE: (u32, u32) = (150, 100);
    const DEPTH: Format = Format::D32_SFLOAT;
    const TRIANGLES: u32 = 40;

    fn vertices() -> Vec<u8> {
        let mut bytes = Vec::new();
        for i in 0..3 * Scene::TRIANGLES {
            let (t, angle) = (i / 3, i as f32 * 2.1 + (i / 3) as f32 * 0.7);
            let r = 0.2 + 0.03 * t as f32;
            let depth = (t * 7 % Scene::TRIANGLES) as f32 / Scene::TRIANGLES as f32;
            let position = [angle.cos() * r, angle.sin() * r, depth];
            bytes.extend(position.iter().flat_map(|v| v.to_le_bytes()));
            bytes.extend([i * 37, i * 91, i * 13, 60 + t * 4].map(|v| v as u8));
            bytes.extend([i * 9000, i * 7001].map(|v| v as u16).iter().flat_map(|v| v.to_le_bytes()));
        }
        bytes
    }

    fn image(
        &self,
        device: &Device,
        format: Format,
        samples: u32,
        size: (u32, u32),
    ) -> Result<(Image, ImageView)> {
        let usage = match format {
            Scene::DEPTH => ImageUsage::DEPTH_STENCIL_ATTACHMENT,
            _ if size == Scene::SIZE => ImageUsage::COLOR_ATTACHMENT,
            _ => ImageUsage::SAMPLED,
        };
        let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, size.0, size.1, usage) };
        let image = device.create_bound_image(desc)?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(format))?;
        Ok((image, view))
    }

    fn pipeline(&self, device: &Device, layout: &PipelineLayout) -> Result<GraphicsPipeline> {
        let words = compile_wgsl(FIXED_FUNCTION, &Options::named("fixed_function.wgsl"))
            .expect("the shader is valid");
        let module = device.create_shader_module(&words)?;
        let (vertex, fragment) = (ShaderStage::new(&module, "vs"), ShaderStage::new(&module, "fs"));
        let mut desc = GraphicsPipelineDesc::new(layout, vertex, Some(fragment));
        let state = &mut desc.state;
        state.color_formats = vec![Some(self.target)];
        state.samples = self.samples;
        state.vertex_bindings = vec![VertexBinding { binding: 0, stride: 20, rate: VertexRate::Vertex }];
        let attribute = |location, format, offset| VertexAttribute { location, binding: 0, format, offset };
        state.vertex_attributes = vec![
            attribute(0, Format::R32G32B32_SFLOAT, 0),
            attribute(1, Format::R8G8B8A8_UNORM, 12),
            attribute(2, Format::R16G16_UNORM, 16),
        ];
        if self.blend {
            state.blend = vec![BlendState::source_over()];
        }
        if self.depth {
            state.depth_format = Some(Scene::DEPTH);
            state.depth = DepthState { test: true, write: true, compare: CompareOp::Less, bounds: false };
        }
        device.create_graphics_pipeline(&desc)
    }

    fn draw(&self, device: &Device) -> Result<Vec<u8>> {
        let (texture, texture_view) = self.image(device, self.texture, 1, (32, 32))?;
        let n = texture.read_level(Aspects::COLOR, 0)?.len();
        texture.write_level(Aspects::COLOR, 0, &pattern(n))?;
        let set_layout = device.create_descriptor_set_layout(&[
            DescriptorBinding::new(0, DescriptorKind::SampledImage),
            DescriptorBinding::new(1, DescriptorKind::Sampler),
        ])?;
        let set = device.create_descriptor_set(&set_layout)?;
        set.write(0, 0, Resource::Image(&texture_view))?;
        let sampler = device.create_sampler(SamplerDesc::linear(AddressMode::Repeat))?;
        set.write(1, 0, Resource::Sampler(&sampler))?;
        let layout = device.create_pipeline_layout(&[set_layout], 0)?;
        let pipeline = self.pipeline(device, &layout)?;
        let vertices = device.create_buffer_with(&Scene::vertices(), BufferUsage::VERTEX)?;
        let (_, color) = self.image(device, self.target, self.samples, Scene::SIZE)?;
        let (resolved, resolved_view) = self.image(device, self.target, 1, Scene::SIZE)?;
        let (_, depth) = self.image(device, Scene::DEPTH, self.samples, Scene::SIZE)?;
        let attachment = match self.samples {
            1 => RenderingAttachment::clear(&resolved_view, [0.1, 0.2, 0.3, 1.0]),
            _ => RenderingAttachment {
                resolve: Some(resolved_view.clone()),
                ..RenderingAttachment::clear(&color, [0.1, 0.2, 0.3, 1.0])
            },
        };
        let info = RenderingInfo {
            area: Rect::of_size(Scene::SIZE.0, Scene::SIZE.1),
            colors: vec![Some(attachment)],
            depth: self.depth.then(|| RenderingAttachment::clear_depth(&depth, 1.0)),
            ..Default::default()
        };
        let mut commands = device.create_command_buffer();
        commands
            .begin_rendering(&info)
            .set_size(Scene::SIZE.0, Scene::SIZE.1)
            .bind_graphics_pipeline(&pipeline)
            .bind_graphics_set(&layout, 0, &set)
            .bind_vertex_buffers(0, &[(&vertices, 0)])
            .draw(3 * Scene::TRIANGLES, 1, 0, 0)
            .end_rendering()
            .end()?;
        device.queue().run(&commands)?;
        resolved.read_level(Aspects::COLOR, 0)
    }
}

/// Vertex fetch, output merge and sampling use the instructions of the device's host level, and give the same bytes at
/// every level.
#[test]
fn fixed_function() {
    let devices = devices();
    for scene in SCENES {
        same(&format!("{scene:?}"), &devices, |device| scene.draw(device));
    }
    for (name, device) in &devices {
        let cpu = device.options().cpu;
        // Sampling is compiled in the background.
        let kinds = ["vertex fetch", "output merge", "sampling"];
        let has = |kind: &str| device.compiled_kernels().iter().any(|k| k.kind == kind);
        let start = std::time::Instant::now();
        while !kinds.iter().all(|k| has(k)) {
            assert!(start.elapsed().as_secs() < 100, "{name}: {:?}", device.compiled_kernels());
            std::thread::sleep(std::time::Duration::from_millis(5));
        }
        for kernel in device.compiled_kernels() {
            assert_eq!(kernel.cpu, cpu, "{name}: {kernel:?}");
            assert!(cpu > CpuLevel::V2 || !kernel.by_hand, "{name}: {kernel:?}");
        }
    }
}

/// Settings of the driver by environment variables; each run has its own process.
const RUNS: [&[(&str, &str)]; 8] = [
    &[("THREADS", "1"), ("OPT", "none")],
    &[("THREADS", "2"), ("OPT", "speed"), ("PARTS", "backwards")],
    &[("THREADS", "5"), ("CPU", "v2")],
    &[("THREADS", "5"), ("CPU", "v3"), ("LANES", "4"), ("PARTS", "backwards")],
    &[("THREADS", "2"), ("LANES", "16")],
    &[("THREADS", "5"), ("LANES", "32"), ("OPT", "speed"), ("PROOFS", "check")],
    &[("THREADS", "2"), ("ORDER", "relaxed"), ("CPU", "v2"), ("OPT", "speed")],
    &[("THREADS", "2"), ("INTERP", "1"), ("PROOFS", "check")],
];

#[test]
fn scenes() {
    let run = |options: &[(&str, &str)]| {
        let mut command = std::process::Command::new(env!("CARGO_BIN_EXE_quadrille-conformance"));
        command.args(["scenes", "--check"]);
        for (name, value) in options {
            command.env(format!("QUADRILLE_{name}"), value);
        }
        let out = command.output().expect("the program of this package runs");
        let text = String::from_utf8_lossy(&out.stdout) + String::from_utf8_lossy(&out.stderr);
        assert!(out.status.success(), "{options:?}: {text}");
    };
    // Two runs at a time, because most of a run is compilation on one thread.
    std::thread::scope(|s| {
        let halves = RUNS.split_at(RUNS.len() / 2);
        s.spawn(move || halves.0.iter().for_each(|o| run(o)));
        s.spawn(move || halves.1.iter().for_each(|o| run(o)));
    });
}

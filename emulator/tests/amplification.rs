//! Draws that amplify a small input: bounded memory, primitives in order, one run per invocation, and no overflow.

use std::sync::{Mutex, MutexGuard, PoisonError};

use quadrille::*;

macro_rules! shader {
    ($name:literal) => {
        include_str!(concat!("shaders/", $name, ".spvasm"))
    };
    (driver $name:literal) => {
        include_str!(concat!("../vulkan/tests/shaders/", $name, ".spvasm"))
    };
}

/// Statistics bits: input vertices and primitives, geometry invocations and primitives, control patches, evaluation
/// invocations.
const STATISTICS: u32 = 0b011_0001_1011;

const FORMAT: Format = Format::R32G32B32A32_SFLOAT;
const SIZE: u32 = 64;

/// Lets one test run at a time, so that it measures only its own memory.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Value of a line of the process status, in KiB.
fn status(line: &str) -> u64 {
    let text = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = text.lines().find(|l| l.starts_with(line)).unwrap();
    line.split_whitespace().nth(1).unwrap().parse().unwrap()
}

/// Peak growth of the process memory during a call, in MiB.
fn growth<R>(f: impl FnOnce() -> R) -> (R, u64) {
    // Resets the peak.
    std::fs::write("/proc/self/clear_refs", "5").unwrap();
    let before = status("VmRSS");
    let result = f();
    (result, status("VmHWM").saturating_sub(before) / 1024)
}

struct Bench {
    device: Device,
    layout: PipelineLayout,
    runs: Buffer,
    sets: DescriptorSet,
}

/// Result of a draw.
#[derive(Debug, PartialEq)]
struct Drawn {
    pixels: Vec<[f32; 4]>,
    statistics: Vec<u64>,
    generated: u64,
    /// Invocation counts of the shaders.
    runs: Vec<u32>,
}

impl Bench {
    fn new(threads: usize) -> Result<Bench> {
        let device = Device::new(DeviceOptions { threads, ..DeviceOptions::default() })?;
        let bindings = [DescriptorBinding::new(0, DescriptorKind::StorageBuffer)];
        let set_layout = device.create_descriptor_set_layout(&bindings)?;
        let layout = device.create_pipeline_layout(std::slice::from_ref(&set_layout), 24)?;
        let runs = device.create_buffer_with(&[0u32; 2], BufferUsage::STORAGE)?;
        let sets = device.create_descriptor_set(&set_layout)?;
        sets.write_buffer(0, &runs)?;
        Ok(Bench { device, layout, runs, sets })
    }

    fn stage(&self, text: &str) -> Result<ShaderStage> {
        let words = frontend::load_spirv(text.as_bytes(), &frontend::Options::default())?;
        Ok(ShaderStage::new(&self.device.create_shader_module(&words)?, "main"))
    }

    fn desc(&self, vertex: &str, topology: Topology) -> Result<GraphicsPipelineDesc> {
        let fragment = self.stage(shader!(driver "color.frag"))?;
        let mut desc = GraphicsPipelineDesc::new(&self.layout, self.stage(vertex)?, Some(fragment));
        desc.state.color_formats = vec![Some(FORMAT)];
        desc.state.topology = topology;
        Ok(desc)
    }

    /// Patches of four vertices, tessellated according to push constants.
    fn tessellated(&self, evaluation: &str) -> Result<GraphicsPipelineDesc> {
        let mut desc = self.desc(shader!(driver "patch.vert"), Topology::PatchList)?;
        desc.tessellation_control = Some(self.stage(shader!(driver "levels.tesc"))?);
        desc.tessellation_evaluation = Some(self.stage(evaluation)?);
        desc.fixed.patch_control_points = 4;
        Ok(desc)
    }

    fn draw(&self, desc: &GraphicsPipelineDesc, vertices: u32, instances: u32) -> Result<Drawn> {
        let device = &self.device;
        let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
        let image = device.create_bound_image(ImageDesc::new_2d(FORMAT, SIZE, SIZE, usage))?;
        let view = device.create_image_view(&image, ImageViewDesc::new_2d(FORMAT))?;
        let pipeline = device.create_graphics_pipeline(desc)?;
        let statistics = device.create_query_pool(QueryKind::PipelineStatistics(STATISTICS), 1)?;
        let generated = device.create_query_pool(QueryKind::PrimitivesGenerated, 1)?;
        self.runs.write(0, &[0u32; 2])?;
        let mut commands = device.create_command_buffer();
        commands
            .reset_query_pool(&statistics, 0, 1)
            .reset_query_pool(&generated, 0, 1)
            .begin_rendering(&RenderingInfo {
                area: Rect::of_size(SIZE, SIZE),
                colors: vec![Some(RenderingAttachment::clear(&view, [0.0; 4]))],
                ..RenderingInfo::default()
            })
            .bind_graphics_pipeline(&pipeline)
            .bind_descriptor_sets(BindPoint::Graphics, &self.layout, 0, &[&self.sets], &[])
            .set_size(SIZE, SIZE)
            .push_constants(0, &[64.0f32; 6])
            .begin_query(&statistics, 0)
            .begin_query(&generated, 0)
            .draw(vertices, instances, 0, 0)
            .end_query(&generated, 0)
            .end_query(&statistics, 0)
            .end_rendering();
        commands.end()?;
        device.queue().run(&commands)?;
        let texels = image.read_level(Aspects::COLOR, 0)?;
        let float = |b: &[u8]| f32::from_le_bytes([b[0], b[1], b[2], b[3]]);
        let pixel = |b: &[u8]| [0, 4, 8, 12].map(|at| float(&b[at..]));
        Ok(Drawn {
            pixels: texels.chunks_exact(16).map(pixel).collect(),
            statistics: statistics.results(0).unwrap(),
            generated: generated.result(0).unwrap(),
            runs: self.runs.read_all()?,
        })
    }
}

/// Number of points, and of triangles, of a quad tessellated at level 64.
const POINTS: u64 = 65 * 65;
const TRIANGLES: u64 = 2 * 64 * 64;

/// More than a hundred million invocations of the evaluation stage, and more than 2^27 triangles.
#[test]
fn a_hundred_million_vertices_of_patches() -> Result<()> {
    let _alone = alone();
    for threads in [1, 2] {
        let bench = Bench::new(threads)?;
        let mut desc = bench.tessellated(shader!(driver "quad.tese"))?;
        desc.state.rasterizer_discard = true;
        let n = 23_700;
        let (drawn, mib) = growth(|| bench.draw(&desc, 4, n as u32));
        let drawn = drawn?;
        assert_eq!(drawn.statistics, [4 * n, n, 0, 0, n, n * POINTS]);
        assert!(n * POINTS > 100_000_000);
        assert_eq!(drawn.generated, n * TRIANGLES);
        assert!(mib < 256, "{mib} MiB");
    }
    Ok(())
}

/// More than a hundred million vertices from a geometry stage that emits the maximum number of components, in the
/// maximum number of invocations per point.
#[test]
fn a_hundred_million_vertices_of_geometry() -> Result<()> {
    let _alone = alone();
    for threads in [1, 2] {
        let bench = Bench::new(threads)?;
        let mut desc = bench.desc(shader!(driver "nothing.vert"), Topology::PointList)?;
        desc.geometry = Some(bench.stage(shader!("fountain.geom"))?);
        desc.state.rasterizer_discard = true;
        let n = 12_208;
        let (drawn, mib) = growth(|| bench.draw(&desc, n as u32, 1));
        let drawn = drawn?;
        assert!(n * 32 * 256 > 100_000_000);
        assert_eq!(drawn.statistics, [n, n, 32 * n, 32 * n * 254, 0, 0]);
        assert_eq!(drawn.generated, 32 * n * 254);
        assert!(mib < 256, "{mib} MiB");
    }
    Ok(())
}

/// An evaluation stage that stores, and a geometry stage that emits 66 triangles for each of its triangles. Every
/// invocation runs once, and the last primitive of the last patch is on top.
#[test]
fn patches_divided_among_geometry_are_evaluated_once_and_stay_in_order() -> Result<()> {
    let _alone = alone();
    let n = 8;
    let mut first = None;
    for threads in [1, 2] {
        let bench = Bench::new(threads)?;
        let mut desc = bench.tessellated(shader!("counted.tese"))?;
        desc.geometry = Some(bench.stage(shader!("amplify.geom"))?);
        let (drawn, mib) = growth(|| bench.draw(&desc, 4 * n as u32, 1));
        let drawn = drawn?;
        let emitted = n * TRIANGLES * 2 * 33;
        assert_eq!(drawn.statistics, [4 * n, n, n * TRIANGLES * 2, emitted, n, n * POINTS]);
        assert_eq!(drawn.generated, emitted);
        assert_eq!(drawn.runs, [(n * POINTS) as u32, (n * TRIANGLES * 2) as u32]);
        assert!(drawn.pixels.iter().all(|&p| p == [n as f32, 1.0, 32.0, 1.0]), "{:?}", drawn.pixels[0]);
        assert!(mib < 256, "{mib} MiB");
        assert_eq!(first.get_or_insert_with(|| drawn.pixels.clone()), &drawn.pixels);
    }
    Ok(())
}

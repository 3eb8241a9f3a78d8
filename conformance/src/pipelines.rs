//! Random pipelines on devices that must agree: the interpreter, both tiers, lane group sizes, host levels, threads.
//! The results of transform feedback, their amounts, and the stages' buffers are compared.

use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use quadrille::*;

use crate::random::pipeline::{self, Part, Pipeline};
use crate::tools;

/// Bytes of each transform feedback buffer.
const ROOM: u64 = 256 << 10;
/// Number of buffers of a stage.
const BINDINGS: u32 = 7;
/// Binding of the uniform buffer among them.
const UNIFORM: u32 = 3;

/// Counts of a run.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Number of pipelines.
    pub pipelines: u64,
    /// Draws of one pipeline with one input set on one device.
    pub executions: u64,
    /// Vertices that transform feedback captured on the first device.
    pub vertices: u64,
}

/// Devices that must agree, the interpreter first. They are created once.
fn ways() -> &'static [(String, Device)] {
    static WAYS: OnceLock<Vec<(String, Device)>> = OnceLock::new();
    WAYS.get_or_init(|| {
        let base = DeviceOptions {
            threads: 1,
            interp: false,
            opt: Opt::None,
            lanes: 8,
            budget: Duration::from_secs(60),
            ..DeviceOptions::default()
        };
        let host = CpuLevel::host();
        [
            DeviceOptions { interp: true, ..base.clone() },
            DeviceOptions { opt: Opt::Speed, cpu: host, threads: 3, ..base.clone() },
            DeviceOptions { cpu: CpuLevel::V2, lanes: 4, threads: 2, ..base.clone() },
            DeviceOptions { opt: Opt::Speed, cpu: CpuLevel::V2, lanes: 16, ..base.clone() },
            DeviceOptions { cpu: host, lanes: 32, threads: 3, ..base.clone() },
            DeviceOptions { opt: Opt::Speed, cpu: host, lanes: 4, check_proofs: true, ..base },
        ]
        .into_iter()
        .map(|o| (format!("{o:?}"), Device::new(o).expect("the options are valid")))
        .collect()
    })
}

/// A pipeline on one device, with its buffers.
struct Run {
    device: Device,
    pipeline: GraphicsPipeline,
    layout: PipelineLayout,
    sets: Vec<DescriptorSet>,
    /// Buffers by stage.
    buffers: Vec<Vec<Buffer>>,
    captured: Vec<Buffer>,
    counters: Buffer,
}

const EVERYTHING: BufferUsage = BufferUsage(0x1833);

impl Run {
    fn new(device: &Device, made: &Pipeline, words: &[Vec<u32>]) -> Result<Run> {
        let kind =
            |b| if b == UNIFORM { DescriptorKind::UniformBuffer } else { DescriptorKind::StorageBuffer };
        let bindings: Vec<_> = (0..BINDINGS).map(|b| DescriptorBinding::new(b, kind(b))).collect();
        let set_layout = device.create_descriptor_set_layout(&bindings)?;
        let layout = device.create_pipeline_layout(&vec![set_layout.clone(); made.parts.len()], 0)?;
        let stage = |wanted: Stage| {
            let at = made.parts.iter().position(|p| p.stage == wanted)?;
            Some(device.create_shader_module(&words[at]).map(|m| ShaderStage::new(&m, "main")))
        };
        let vertex = stage(Stage::Vertex).ok_or_else(|| Error::invalid("no vertex stage"))??;
        let mut desc = GraphicsPipelineDesc::new(&layout, vertex, None);
        desc.tessellation_control = stage(Stage::TessellationControl).transpose()?;
        desc.tessellation_evaluation = stage(Stage::TessellationEvaluation).transpose()?;
        desc.geometry = stage(Stage::Geometry).transpose()?;
        desc.state.topology = made.topology;
        desc.state.rasterizer_discard = true;
        desc.fixed.patch_control_points = made.patch;
        let pipeline = device.create_graphics_pipeline(&desc)?;
        let make = |size: u64| device.create_bound_buffer(BufferDesc { size, usage: EVERYTHING });
        let (mut sets, mut buffers) = (Vec::new(), Vec::new());
        for part in 0..made.parts.len() {
            let set = device.create_descriptor_set(&set_layout)?;
            let mut own = Vec::new();
            for (binding, bytes) in (0..).zip(made.buffers(part, 0)) {
                let buffer = make(bytes.len() as u64)?;
                set.write(binding, 0, Resource::Buffer { buffer: &buffer, offset: 0, range: None })?;
                own.push(buffer);
            }
            sets.push(set);
            buffers.push(own);
        }
        let captured = (0..4).map(|_| make(ROOM)).collect::<Result<_>>()?;
        let counters = make(16)?;
        Ok(Run { device: device.clone(), pipeline, layout, sets, buffers, captured, counters })
    }

    /// Draws with input set `k`, and returns the counters, the captured data and the buffers of the stages.
    fn draw(&self, made: &Pipeline, k: u64) -> Result<Vec<Vec<u8>>> {
        for (part, own) in self.buffers.iter().enumerate() {
            for (buffer, bytes) in own.iter().zip(made.buffers(part, k)) {
                buffer.write(0, &bytes)?;
            }
        }
        let sets: Vec<&DescriptorSet> = self.sets.iter().collect();
        let bound: Vec<_> = self.captured.iter().map(|b| (b, 0, None)).collect();
        let counters: Vec<_> = (0..4).map(|n| Some((&self.counters, 4 * n))).collect();
        let mut c = self.device.create_command_buffer();
        c.bind_transform_feedback_buffers(0, &bound);
        c.begin_rendering(&RenderingInfo {
            area: Rect::of_size(8, 8),
            layers: 1,
            ..RenderingInfo::default()
        });
        c.bind_graphics_pipeline(&self.pipeline);
        c.bind_descriptor_sets(BindPoint::Graphics, &self.layout, 0, &sets, &[]);
        c.set_size(8, 8);
        c.begin_transform_feedback(0, &[]);
        c.draw(made.vertices, made.instances, 0, 0);
        c.end_transform_feedback(0, &counters);
        c.end_rendering();
        c.end()?;
        let fence = self.device.create_fence(false);
        self.device.queue().submit(&[Submit { waits: &[], commands: &[&c], signals: &[] }], Some(&fence))?;
        if !fence.wait(Some(Duration::from_secs(120)))? {
            return Err(Error::DeviceLost("a draw takes more than two minutes".into()));
        }
        let ends = self.counters.read_all::<u32>()?;
        let mut all = vec![ends.iter().flat_map(|e| e.to_le_bytes()).collect()];
        for (buffer, end) in self.captured.iter().zip(&ends) {
            all.push(buffer.read::<u8>(0, (*end as usize).min(ROOM as usize))?);
        }
        for own in &self.buffers {
            for buffer in own {
                all.push(buffer.read_all()?);
            }
        }
        Ok(all)
    }
}

/// Runs the pipeline with `inputs` input sets on every device.
///
/// # Errors
/// The first disagreement, or the reason why the pipeline does not run.
pub fn check(made: &Pipeline, inputs: u64, tally: &mut Tally) -> std::result::Result<(), String> {
    // The devices are shared: the lock keeps draws of different pipelines apart.
    static ONE: Mutex<()> = Mutex::new(());
    let _one = ONE.lock().unwrap_or_else(|e| e.into_inner());
    let assemble = |p: &Part| tools::assemble(&p.text, false).map_err(|e| format!("{:?}: {e}", p.stage));
    let words = made.parts.iter().map(assemble).collect::<std::result::Result<Vec<_>, _>>()?;
    let mut runs = Vec::new();
    for (name, device) in ways() {
        runs.push((name, Run::new(device, made, &words).map_err(|e| format!("{name}: {e}"))?));
    }
    tally.pipelines += 1;
    for k in 0..inputs {
        let mut first: Option<Vec<Vec<u8>>> = None;
        for (name, run) in &runs {
            let found = run.draw(made, k).map_err(|e| format!("input {k}, {name}: {e}"))?;
            tally.executions += 1;
            let Some(expected) = &first else {
                let bytes = found[1..5].iter().zip(made.strides).filter(|(_, stride)| *stride > 0);
                tally.vertices += bytes.map(|(b, stride)| b.len() as u64 / u64::from(stride)).sum::<u64>();
                first = Some(found);
                continue;
            };
            if let Some(at) = (0..found.len()).find(|&i| found[i] != expected[i]) {
                let byte = found[at].iter().zip(&expected[at]).position(|(a, b)| a != b);
                let place = match at {
                    0 => "the counters".into(),
                    1..5 => format!("what stream {} captures (stride {})", at - 1, made.strides[at - 1]),
                    _ => format!("set {}, binding {}", (at - 5) / 7, (at - 5) % 7),
                };
                return Err(format!(
                    "input {k}, {name}: {place} differs from the interpreter at byte {byte:?}"
                ));
            }
        }
    }
    Ok(())
}

/// Finds the smallest number of statements per stage for which [`check`] fails, and returns it with the failure.
pub fn shortest(seed: u64, inputs: u64) -> (usize, String) {
    let mut tally = Tally::default();
    let mut wrong = |n: usize| check(&pipeline::make(seed, n), inputs, &mut tally).err();
    (0..60).find_map(|n| Some((n, wrong(n)?))).unwrap_or_else(|| (usize::MAX, String::new()))
}

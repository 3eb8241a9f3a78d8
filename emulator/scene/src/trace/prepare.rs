//! Tables that depend on the environment alone: the cells by which its directions are sampled, and albedos.

use bytemuck::{Pod, Zeroable};
use quadrille::{
    Buffer, BufferDesc, BufferUsage, ComputePipelineDesc, DescriptorKind, Device, ImageView, Resource,
    Result, Sampler, ShaderModule, ShaderStage,
};

use super::shaders;
use crate::draw::{Environment, Options, gpu};

/// Side of the table of albedos, as in `facets.wgsl`.
const TABLE_SIDE: u32 = 64;
/// Columns and rows of the table of kept samples, as in `facets.wgsl`.
const KEPT: (u32, u32) = (32, 32 * 16);
/// Samples per element of the tables.
const TABLE_SAMPLES: u32 = 1024;
const KEPT_SAMPLES: u32 = 256;
/// Columns and rows of the table of anisotropic albedos, as in `facets.wgsl`.
const STRETCHED: (u32, u32) = (16 * 8, 16 * 8);
const STRETCHED_SAMPLES: u32 = 256;
/// Maximum number of columns of cells; there are at most half as many rows.
const MAX_COLUMNS: u32 = 1024;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Task {
    columns: u32,
    rows: u32,
    points: u32,
    samples: u32,
}

/// The tables on the device.
pub(super) struct Prepared {
    pub columns: u32,
    pub rows: u32,
    /// False if the environment is black.
    pub bright: bool,
    pub cells: Buffer,
    pub albedos: Buffer,
}

impl Prepared {
    /// `anisotropic` is true if a material needs the table of anisotropic albedos.
    pub fn new(
        device: &Device,
        options: &Options,
        panorama: &ImageView,
        sampler: &Sampler,
        anisotropic: bool,
    ) -> Result<Self> {
        let environment = &options.environment;
        let (columns, rows, points) = match environment {
            Environment::Sky => (128, 64, 2),
            Environment::Uniform(_) => (32, 16, 1),
            Environment::Panorama(p) => {
                let columns = p.width.clamp(8, MAX_COLUMNS);
                let rows = p.height.clamp(4, MAX_COLUMNS / 2);
                (columns, rows, p.width.div_ceil(columns).max(p.height.div_ceil(rows)).clamp(2, 8))
            }
        };
        let weights = Task { columns, rows, points, samples: 0 };
        let coarse = if options.draft_environment { 64 } else { 1 };
        let module = shaders::prepare(device, matches!(environment, Environment::Sky))?;
        let run = |entry, task| run(device, &module, entry, task, panorama, sampler);
        let weights = run("weigh", weights)?;
        let weights: Vec<f64> = weights.iter().map(|w| f64::from(w[0])).collect();
        let measure =
            Task { columns: TABLE_SIDE, rows: TABLE_SIDE, points: 0, samples: TABLE_SAMPLES / coarse };
        let kept = Task { columns: KEPT.0, rows: KEPT.1, points: 0, samples: KEPT_SAMPLES / coarse };
        let mut albedos = [run("measure", measure)?, run("keep", kept)?].concat();
        if anisotropic {
            let (columns, rows) = STRETCHED;
            let samples = STRETCHED_SAMPLES / coarse;
            albedos.extend(run("measure_stretched", Task { columns, rows, points: 0, samples })?);
        }
        let cells = cells(&weights, columns as usize, rows as usize);
        Ok(Prepared {
            columns,
            rows,
            bright: is_bright(environment),
            cells: device.create_buffer_with(&cells, BufferUsage::STORAGE)?,
            albedos: device.create_buffer_with(&albedos, BufferUsage::STORAGE)?,
        })
    }
}

/// False if the environment is black. The weights of cells do not tell: in very large panoramas, their points miss texels.
fn is_bright(environment: &Environment) -> bool {
    let lit = |color: &[f32; 3]| color.iter().any(|c| *c > 0.0);
    match environment {
        Environment::Sky => true,
        Environment::Uniform(color) => lit(color),
        Environment::Panorama(panorama) => panorama.texels.iter().any(lit),
    }
}

/// Sums of the rows' probabilities, sums of the cells' probabilities within each row, and densities relative to the
/// mean. Light is interpolated between texels, so that a cell counts with its neighbours.
fn cells(weights: &[f64], columns: usize, rows: usize) -> Vec<f32> {
    let mut spread = Vec::with_capacity(weights.len());
    for row in 0..rows {
        for column in 0..columns {
            let at = |dx: usize, dy: usize| {
                let y = (row + dy).saturating_sub(1).min(rows - 1);
                weights[y * columns + (column + columns + dx - 1) % columns]
            };
            let around: f64 = (0..9).map(|i| at(i % 3, i / 3)).sum();
            spread.push(0.5 * weights[row * columns + column] + around / 18.0);
        }
    }
    let total: f64 = spread.iter().sum();
    let total = if total > 0.0 { total } else { 1.0 };
    let sums_of = |parts: &mut dyn Iterator<Item = f64>, all: f64| -> Vec<f32> {
        let mut sum = 0.0;
        let mut list: Vec<f32> = parts
            .map(|part| {
                sum += part;
                if all > 0.0 { (sum / all) as f32 } else { 1.0 }
            })
            .collect();
        if let Some(last) = list.last_mut() {
            *last = 1.0;
        }
        list
    };
    let of_rows: Vec<f64> = spread.chunks_exact(columns).map(|row| row.iter().sum()).collect();
    let mut all = sums_of(&mut of_rows.iter().copied(), total);
    for (row, of_row) in spread.chunks_exact(columns).zip(&of_rows) {
        all.extend(sums_of(&mut row.iter().copied(), *of_row));
    }
    // Densities follow the rounded sums, which decide about samples.
    let step = |sums: &[f32], i: usize| f64::from(sums[i]) - if i > 0 { f64::from(sums[i - 1]) } else { 0.0 };
    let densities: Vec<f32> = (0..columns * rows)
        .map(|i| {
            let in_row = &all[rows + i / columns * columns..][..columns];
            (step(&all[..rows], i / columns) * step(in_row, i % columns) * spread.len() as f64) as f32
        })
        .collect();
    all.extend(densities);
    all
}

/// Runs an entry point over all elements of a table.
fn run(
    device: &Device,
    module: &ShaderModule,
    entry: &str,
    task: Task,
    panorama: &ImageView,
    sampler: &Sampler,
) -> Result<Vec<[f32; 4]>> {
    let size = u64::from(task.columns) * u64::from(task.rows) * 16;
    let results = device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::STORAGE })?;
    let kinds = [
        DescriptorKind::UniformBuffer,
        DescriptorKind::StorageBuffer,
        DescriptorKind::SampledImage,
        DescriptorKind::Sampler,
    ];
    let set_layout = gpu::set_layout(device, &kinds)?;
    let set = device.create_descriptor_set(&set_layout)?;
    set.write_buffer(0, &device.create_buffer_with(&[task], BufferUsage::UNIFORM)?)?;
    set.write_buffer(1, &results)?;
    set.write(2, 0, Resource::Image(panorama))?;
    set.write(3, 0, Resource::Sampler(sampler))?;
    let layout = device.create_pipeline_layout(&[set_layout], 0)?;
    let stage = ShaderStage::new(module, entry);
    let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
    let mut commands = device.create_command_buffer();
    commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(
        task.columns.div_ceil(8),
        task.rows.div_ceil(8),
        1,
    );
    commands.end()?;
    device.queue().run(&commands)?;
    results.read_all()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cells_of_equal_weight_are_equally_probable() {
        let table = cells(&[2.0; 8], 4, 2);
        assert_eq!(table[..2], [0.5, 1.0]);
        assert_eq!(table[2..10], [0.25, 0.5, 0.75, 1.0, 0.25, 0.5, 0.75, 1.0]);
        assert!(table[10..].iter().all(|d| (d - 1.0).abs() < 1e-6), "{table:?}");
    }

    /// A bright cell lends probability to its neighbours; sums end at 1, and densities have the mean 1.
    #[test]
    fn a_bright_cell_is_more_probable() {
        let mut weights = [0.0; 32];
        weights[9] = 1.0;
        let table = cells(&weights, 8, 4);
        let densities = &table[4 + 32..];
        assert!((densities.iter().sum::<f32>() - 32.0).abs() < 1e-4);
        assert!(densities[9] > densities[8] && densities[8] > 0.0 && densities[31] == 0.0);
        assert!(table[3] == 1.0 && table[4..36].chunks(8).all(|row| row[7] == 1.0));
    }
}

//! Samples in dispatches that end soon, whatever the size of the picture.

use std::cell::OnceCell;
use std::time::{Duration, Instant};

use bytemuck::{Pod, Zeroable};
use quadrille::{
    Buffer, BufferDesc, BufferUsage, ComputePipeline, ComputePipelineDesc, DescriptorKind, DescriptorSet,
    Device, PipelineLayout, Result, ShaderModule, ShaderStage,
};

use super::geometry::Placed;
use super::sums;
use super::view::ViewUniform;
use super::{Options, shaders};
use crate::draw::{Picture, gpu};

/// Side of the tiles that a dispatch computes, in pixels; a multiple of the side of a workgroup.
const TILE: u32 = 64;
/// Side of a workgroup.
const GROUP: u32 = 8;
/// Time that a dispatch should take.
const SOON: Duration = Duration::from_millis(250);
/// Maximum number of samples of a pixel in a dispatch.
const MOST: u32 = 64;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Job {
    x: u32,
    y: u32,
    first: u32,
    samples: u32,
}

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Plate {
    width: u32,
    height: u32,
    samples: u32,
    exposure: f32,
    transparent: u32,
    pad: [u32; 3],
}

/// State of a picture after a pass over all of its pixels.
pub struct Progress<'a> {
    /// Number of samples per pixel that were added.
    pub done: u32,
    sums: &'a Buffer,
    samples: u32,
    failed: Option<quadrille::Error>,
}

impl<'a> Progress<'a> {
    pub(super) fn new(done: u32, sums: &'a Buffer, samples: u32) -> Self {
        Progress { done, sums, samples, failed: None }
    }

    /// Estimate of the remaining noise; see [`Sums::noise`](super::Sums::noise).
    pub fn noise(&mut self) -> f64 {
        match self.sums.read_all() {
            Ok(words) => sums::noise(&words, self.samples),
            Err(error) => {
                self.failed = Some(error);
                f64::INFINITY
            }
        }
    }

    /// The failure of `noise`, if any.
    pub(super) fn error(self) -> Result<()> {
        self.failed.map_or(Ok(()), Err)
    }
}

/// The pipeline of paths with its descriptors.
pub(super) struct Machine {
    pub set: DescriptorSet,
    pub view: Buffer,
    job: Buffer,
    module: ShaderModule,
    layout: PipelineLayout,
    pipeline: ComputePipeline,
    /// The pipeline of names, made at first use.
    names: OnceCell<ComputePipeline>,
    width: u32,
    height: u32,
    /// Number of samples in the next pass.
    next: u32,
    /// Objects that the descriptors use.
    placed: Option<Placed>,
}

impl Machine {
    /// `present` are the features of all instances.
    pub fn new(device: &Device, sky: bool, present: u32, options: &Options) -> Result<Self> {
        use DescriptorKind::{AccelerationStructure, SampledImage, Sampler, StorageBuffer, UniformBuffer};
        let mut kinds = vec![AccelerationStructure, UniformBuffer, UniformBuffer];
        kinds.extend([StorageBuffer; 9]);
        kinds.extend([SampledImage, Sampler, StorageBuffer, StorageBuffer, StorageBuffer]);
        let set_layout = gpu::set_layout(device, &kinds)?;
        let set = device.create_descriptor_set(&set_layout)?;
        let uniform = |size: usize| {
            device.create_bound_buffer(BufferDesc { size: size as u64, usage: BufferUsage::UNIFORM })
        };
        let (view, job) = (uniform(size_of::<ViewUniform>())?, uniform(size_of::<Job>())?);
        set.write_buffer(1, &view)?;
        set.write_buffer(2, &job)?;
        let layout = device.create_pipeline_layout(&[set_layout], 0)?;
        let module = shaders::path(device, sky, present)?;
        let stage = ShaderStage::new(&module, "accumulate");
        let pipeline =
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
        let (width, height) = (options.draw.width, options.draw.height);
        let names = OnceCell::new();
        Ok(Machine { set, view, job, module, layout, pipeline, names, width, height, next: 1, placed: None })
    }

    /// Keeps the objects of a frame while the descriptors use them.
    pub fn keep(&mut self, placed: Placed) {
        self.placed = Some(placed);
        self.next = 1;
    }

    /// Number of samples of the next pass, of those that remain.
    pub fn pass(&self, remaining: u32) -> u32 {
        self.next.min(remaining)
    }

    /// Traces samples of all pixels, in tiles.
    pub fn run(&mut self, device: &Device, first: u32, samples: u32) -> Result<()> {
        let mut commands = device.create_command_buffer();
        let groups = TILE / GROUP;
        commands
            .bind_compute_pipeline(&self.pipeline)
            .bind_compute_set(&self.layout, 0, &self.set)
            .dispatch(groups, groups, 1);
        commands.end()?;
        let mut longest = Duration::ZERO;
        for y in (0..self.height).step_by(TILE as usize) {
            for x in (0..self.width).step_by(TILE as usize) {
                self.job.write(0, &[Job { x, y, first, samples }])?;
                let start = Instant::now();
                device.queue().run(&commands)?;
                longest = longest.max(start.elapsed());
            }
        }
        // The first pass includes compilation.
        if longest * 2 <= SOON {
            self.next = (samples * 2).min(MOST);
        } else if longest > SOON && first > 0 {
            self.next = (samples / 2).max(1);
        }
        Ok(())
    }

    /// Finds the names of what each pixel shows.
    pub fn identify(&self, device: &Device) -> Result<()> {
        let pipeline = match self.names.get() {
            Some(pipeline) => pipeline.clone(),
            None => {
                let stage = ShaderStage::new(&self.module, "identify");
                let desc = ComputePipelineDesc { stage, layout: self.layout.clone() };
                let made = device.create_compute_pipeline(&desc)?;
                self.names.get_or_init(|| made).clone()
            }
        };
        let mut commands = device.create_command_buffer();
        commands.bind_compute_pipeline(&pipeline).bind_compute_set(&self.layout, 0, &self.set).dispatch(
            TILE / GROUP,
            TILE / GROUP,
            1,
        );
        commands.end()?;
        for y in (0..self.height).step_by(TILE as usize) {
            for x in (0..self.width).step_by(TILE as usize) {
                self.job.write(0, &[Job { x, y, first: 0, samples: 0 }])?;
                device.queue().run(&commands)?;
            }
        }
        Ok(())
    }

    /// Makes the picture of sums.
    pub fn develop(
        &self,
        device: &Device,
        sums: &Buffer,
        [width, height]: [u32; 2],
        samples: u32,
        exposure: f32,
        transparent: bool,
    ) -> Result<Picture> {
        use DescriptorKind::{StorageBuffer, UniformBuffer};
        let n = u64::from(width) * u64::from(height);
        let storage = |size| device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::STORAGE });
        let (pixels, light) = (storage(n * 4)?, storage(n * 16)?);
        let set_layout =
            gpu::set_layout(device, &[UniformBuffer, StorageBuffer, StorageBuffer, StorageBuffer])?;
        let set = device.create_descriptor_set(&set_layout)?;
        let (samples, transparent) = (samples.max(1), u32::from(transparent));
        let plate = Plate { width, height, samples, exposure, transparent, pad: [0; 3] };
        set.write_buffer(0, &device.create_buffer_with(&[plate], BufferUsage::UNIFORM)?)?;
        set.write_buffer(1, sums)?;
        set.write_buffer(2, &pixels)?;
        set.write_buffer(3, &light)?;
        let layout = device.create_pipeline_layout(&[set_layout], 0)?;
        let stage = ShaderStage::new(&shaders::develop(device)?, "develop");
        let pipeline =
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
        let mut commands = device.create_command_buffer();
        commands.bind_compute_pipeline(&pipeline).bind_compute_set(&layout, 0, &set).dispatch(
            width.div_ceil(GROUP),
            height.div_ceil(GROUP),
            1,
        );
        commands.end()?;
        device.queue().run(&commands)?;
        Ok(Picture { width, height, pixels: pixels.read_all()?, light: light.read_all()? })
    }
}

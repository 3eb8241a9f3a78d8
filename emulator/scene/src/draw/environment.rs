//! The environment, which surrounds and lights a scene: a panorama, one colour, or the built-in sky.
//!
//! It is prepared once per scene on the device. The results are a cube map whose levels contain the reflection of GGX
//! with increasing roughness (Karis, "Real Shading in Unreal Engine 4"), a similar one for sheen, a small cube map of
//! the irradiance of matt surfaces, and a table of albedos.

use bytemuck::{Pod, Zeroable};
use quadrille::{
    Aspects, BufferUsage, CommandBuffer, ComputePipeline, ComputePipelineDesc, DescriptorKind, DescriptorSet,
    DescriptorSetLayout, Device, Error, Format, ImageDesc, ImageUsage, ImageView, PipelineLayout, Resource,
    Result, Sampler, ShaderModule, ShaderStage, ViewDim,
};

use super::gpu::{self, Target};
use super::{Options, shaders};
use crate::model::Panorama;

/// The surroundings of a scene.
#[derive(Clone, Debug, Default)]
pub enum Environment {
    /// A clear day. Scenes without lights of their own also have its sun, with shadows.
    #[default]
    Sky,
    /// The same light from every direction.
    Uniform([f32; 3]),
    /// A picture of all directions, with +X at its middle.
    Panorama(Panorama),
}

/// Number of roughness levels; the first is a mirror.
const LEVELS: u32 = 6;

/// Resolution of the prepared environment.
struct Detail {
    /// Side of the cube's faces at roughness 0 for a panorama.
    side: u32,
    /// Side of the cube's faces at roughness 0 for the sky, which has no detail.
    sky_side: u32,
    /// Side of the irradiance cube's faces, and of the level from which they are made.
    diffuse_side: u32,
    /// Side of the albedo table.
    table_side: u32,
    /// Samples per texel of the cubes.
    samples: u32,
    /// Samples per texel of the table.
    table_samples: u32,
}

const FULL: Detail =
    Detail { side: 256, sky_side: 128, diffuse_side: 16, table_side: 64, samples: 48, table_samples: 128 };
/// A hundredth of the work; every level of the cubes still has texels.
const DRAFT: Detail =
    Detail { side: 32, sky_side: 32, diffuse_side: 4, table_side: 16, samples: 8, table_samples: 16 };

const FORMAT: Format = Format::R32G32B32A32_SFLOAT;

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Job {
    side: u32,
    source_side: u32,
    samples: u32,
    roughness: f32,
}

/// The prepared environment on the device.
pub(super) struct Prepared {
    pub specular: Target,
    pub diffuse: Target,
    pub sheen: Target,
    pub table: Target,
    pub panorama: Target,
    /// True if shaders compute the sky instead of reading the panorama.
    pub sky: bool,
}

impl Prepared {
    /// Last level of the cubes, for roughness 1.
    pub const LAST_LEVEL: u32 = LEVELS - 1;

    /// Prepares the environment of the options, and the sheen cube only if the scene uses sheen.
    pub fn new(device: &Device, options: &Options, sheen: bool) -> Result<Self> {
        let environment = &options.environment;
        let sky = matches!(environment, Environment::Sky);
        let panorama = panorama_of(device, environment)?;
        let detail = if options.draft_environment { &DRAFT } else { &FULL };
        let Detail { diffuse_side, table_side, samples, table_samples, .. } = *detail;
        let side = if panorama.image.desc().extent[0] == 1 { detail.sky_side } else { detail.side };
        let source = cube(
            device,
            side,
            gpu::levels_of(side, side),
            ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST,
        )?;
        let specular = cube(device, side, LEVELS, ImageUsage::SAMPLED)?;
        let diffuse = cube(device, diffuse_side, 1, ImageUsage::SAMPLED)?;
        let sheen_side = if sheen { detail.sky_side } else { 1 };
        let sheen_cube = cube(device, sheen_side, if sheen { LEVELS } else { 1 }, ImageUsage::SAMPLED)?;
        let usage = ImageUsage::STORAGE | ImageUsage::SAMPLED;
        let table = Target::flat(device, FORMAT, [table_side, table_side], 1, usage)?;

        let mut jobs = Jobs::new(device, &panorama, &source, &table, sky)?;
        let face = |target: &Target, level| target.part(device, ViewDim::D2Array, level, 0..6);
        jobs.run("fill", &face(&source, 0)?, Job { side, source_side: 0, samples: 0, roughness: 0.0 })?;
        gpu::record_levels(&mut jobs.commands, &source.image);
        jobs.run("fill", &face(&specular, 0)?, Job { side, source_side: 0, samples: 0, roughness: 0.0 })?;
        for level in 1..LEVELS {
            let roughness = level as f32 / Self::LAST_LEVEL as f32;
            let job = Job { side: side >> level, source_side: side, samples, roughness };
            jobs.run("specular", &face(&specular, level)?, job)?;
        }
        if sheen {
            for level in 0..LEVELS {
                let roughness = (level as f32 / Self::LAST_LEVEL as f32).max(0.05);
                // The first levels use the same number of samples as the others.
                let job = Job { side: sheen_side >> level, source_side: side, samples, roughness };
                jobs.run("sheen", &face(&sheen_cube, level)?, job)?;
            }
        }
        let job = Job { side: diffuse_side, source_side: diffuse_side, samples: 0, roughness: 0.0 };
        jobs.run("diffuse", &face(&diffuse, 0)?, job)?;
        let job = Job { side: table_side, source_side: 0, samples: table_samples, roughness: 0.0 };
        jobs.run("albedos", &face(&diffuse, 0)?, job)?;
        jobs.commands.end()?;
        device.queue().run(&jobs.commands)?;
        Ok(Prepared { specular, diffuse, sheen: sheen_cube, table, panorama, sky })
    }
}

fn cube(device: &Device, side: u32, levels: u32, usage: ImageUsage) -> Result<Target> {
    let usage = usage | ImageUsage::STORAGE | ImageUsage::SAMPLED;
    let desc = ImageDesc { levels, layers: 6, ..ImageDesc::new_2d(FORMAT, side, side, usage) };
    Target::new(device, desc, ViewDim::Cube)
}

/// The panorama with its smaller levels; one texel if there is no panorama.
pub(crate) fn panorama_of(device: &Device, environment: &Environment) -> Result<Target> {
    let one;
    let panorama = match environment {
        Environment::Panorama(panorama) => panorama,
        Environment::Uniform(color) => {
            one = Panorama { width: 1, height: 1, texels: vec![*color] };
            &one
        }
        Environment::Sky => {
            one = Panorama { width: 1, height: 1, texels: vec![[0.0; 3]] };
            &one
        }
    };
    let Panorama { width, height, texels } = panorama;
    if *width == 0 || *height == 0 || texels.len() as u64 != u64::from(*width) * u64::from(*height) {
        return Err(Error::invalid(format!("a panorama of {width}x{height} with {} texels", texels.len())));
    }
    let usage = ImageUsage::SAMPLED | ImageUsage::TRANSFER_SRC | ImageUsage::TRANSFER_DST;
    let levels = gpu::levels_of(*width, *height);
    let target = Target::new(
        device,
        ImageDesc { levels, ..ImageDesc::new_2d(FORMAT, *width, *height, usage) },
        ViewDim::D2,
    )?;
    // NaN becomes black, and values are limited to what the shaders can add up.
    let clean = |c: f32| if c.is_nan() { 0.0 } else { c.clamp(0.0, 1e6) };
    let words: Vec<[f32; 4]> = texels.iter().map(|&[r, g, b]| [clean(r), clean(g), clean(b), 1.0]).collect();
    target.image.write_level(Aspects::COLOR, 0, bytemuck::cast_slice(&words))?;
    let mut commands = device.create_command_buffer();
    gpu::record_levels(&mut commands, &target.image);
    commands.end()?;
    device.queue().run(&commands)?;
    Ok(target)
}

/// Dispatches that prepare the environment.
struct Jobs<'a> {
    device: &'a Device,
    module: ShaderModule,
    layout: PipelineLayout,
    set_layout: DescriptorSetLayout,
    sampler: Sampler,
    panorama_sampler: Sampler,
    panorama: &'a ImageView,
    source: &'a ImageView,
    table: &'a ImageView,
    commands: CommandBuffer,
    sets: Vec<DescriptorSet>,
    pipelines: Vec<(&'static str, ComputePipeline)>,
}

impl<'a> Jobs<'a> {
    fn new(
        device: &'a Device,
        panorama: &'a Target,
        source: &'a Target,
        table: &'a Target,
        sky: bool,
    ) -> Result<Self> {
        use DescriptorKind::{SampledImage, Sampler, StorageImage, UniformBuffer};
        let kinds = [UniformBuffer, SampledImage, Sampler, StorageImage, StorageImage, SampledImage, Sampler];
        let set_layout = gpu::set_layout(device, &kinds)?;
        Ok(Jobs {
            device,
            module: shaders::prefilter(device, sky)?,
            layout: device.create_pipeline_layout(std::slice::from_ref(&set_layout), 0)?,
            set_layout,
            sampler: gpu::smooth_sampler(device)?,
            panorama_sampler: gpu::panorama_sampler(device)?,
            panorama: &panorama.view,
            source: &source.view,
            table: &table.view,
            commands: device.create_command_buffer(),
            sets: Vec::new(),
            pipelines: Vec::new(),
        })
    }

    /// Records a dispatch of an entry point that fills `faces`.
    fn run(&mut self, entry: &'static str, faces: &ImageView, job: Job) -> Result<()> {
        let known = self.pipelines.iter().find(|(name, _)| *name == entry);
        let pipeline = match known {
            Some((_, pipeline)) => pipeline.clone(),
            None => {
                let stage = ShaderStage::new(&self.module, entry);
                let desc = ComputePipelineDesc { stage, layout: self.layout.clone() };
                let pipeline = self.device.create_compute_pipeline(&desc)?;
                self.pipelines.push((entry, pipeline.clone()));
                pipeline
            }
        };
        let set = self.device.create_descriptor_set(&self.set_layout)?;
        set.write_buffer(0, &self.device.create_buffer_with(&[job], BufferUsage::UNIFORM)?)?;
        set.write(1, 0, Resource::Image(self.source))?;
        set.write(2, 0, Resource::Sampler(&self.sampler))?;
        set.write(3, 0, Resource::Image(faces))?;
        set.write(4, 0, Resource::Image(self.table))?;
        set.write(5, 0, Resource::Image(self.panorama))?;
        set.write(6, 0, Resource::Sampler(&self.panorama_sampler))?;
        let groups = job.side.div_ceil(8);
        let layers = if entry == "albedos" { 1 } else { 6 };
        self.commands
            .bind_compute_pipeline(&pipeline)
            .bind_compute_set(&self.layout, 0, &set)
            .dispatch(groups, groups, layers);
        self.sets.push(set);
        Ok(())
    }
}

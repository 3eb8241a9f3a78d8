//! From samples of light to a picture: tone mapping as Khronos PBR Neutral, sRGB.

use bytemuck::{Pod, Zeroable};
use quadrille::{
    Buffer, BufferDesc, BufferUsage, CommandBuffer, ComputePipeline, ComputePipelineDesc, DescriptorKind,
    DescriptorSet, Device, ImageView, PipelineLayout, Resource, Result, ShaderStage,
};

use super::{Picture, gpu, shaders};

#[repr(C)]
#[derive(Clone, Copy, Pod, Zeroable)]
struct Output {
    width: u32,
    height: u32,
    samples: u32,
    exposure: f32,
    transparent: u32,
    pad: [u32; 3],
}

/// Converts one image of samples to pixels.
pub(super) struct Tone {
    output: Output,
    uniform: Buffer,
    coverage: Buffer,
    pipeline: ComputePipeline,
    layout: PipelineLayout,
    set: DescriptorSet,
    pixels: Buffer,
    light: Buffer,
}

impl Tone {
    /// `transparent` is true if [`Tone::cover`] will be called.
    pub fn new(device: &Device, samples: &ImageView, transparent: bool) -> Result<Self> {
        use DescriptorKind::{SampledImage, StorageBuffer, UniformBuffer};
        let desc = samples.image().desc();
        let [width, height, _] = desc.extent;
        let output =
            Output { width, height, samples: desc.samples, exposure: 1.0, transparent: 0, pad: [0; 3] };
        let n = u64::from(width) * u64::from(height);
        let storage = |size| device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::STORAGE });
        let (pixels, light) = (storage(n * 4)?, storage(n * 16)?);
        let coverage = storage(if transparent { n * 4 } else { 16 })?;
        let kinds = [UniformBuffer, SampledImage, StorageBuffer, StorageBuffer, StorageBuffer];
        let set_layout = gpu::set_layout(device, &kinds)?;
        let set = device.create_descriptor_set(&set_layout)?;
        let uniform = device.create_buffer_with(&[output], BufferUsage::UNIFORM)?;
        set.write_buffer(0, &uniform)?;
        set.write(1, 0, Resource::Image(samples))?;
        set.write_buffer(2, &pixels)?;
        set.write_buffer(3, &light)?;
        set.write_buffer(4, &coverage)?;
        let layout = device.create_pipeline_layout(&[set_layout], 0)?;
        let entry = if desc.samples > 1 { "tone_multiple" } else { "tone_single" };
        let stage = ShaderStage::new(&shaders::tone(device)?, entry);
        let pipeline =
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
        Ok(Tone { output, uniform, coverage, pipeline, layout, set, pixels, light })
    }

    /// Sets the factor of light, and whether pixels have the alpha of [`Tone::cover`].
    pub fn set(&mut self, exposure: f32, transparent: bool) -> Result<()> {
        self.output = Output { exposure, transparent: u32::from(transparent), ..self.output };
        self.uniform.write(0, &[self.output])
    }

    /// Sets the covered part of each pixel.
    pub fn cover(&self, coverage: &[f32]) -> Result<()> {
        self.coverage.write(0, coverage)
    }

    pub fn record(&self, commands: &mut CommandBuffer) {
        commands.bind_compute_pipeline(&self.pipeline).bind_compute_set(&self.layout, 0, &self.set).dispatch(
            self.output.width.div_ceil(8),
            self.output.height.div_ceil(8),
            1,
        );
    }

    /// Reads the result.
    pub fn read(&self) -> Result<Picture> {
        Ok(Picture {
            width: self.output.width,
            height: self.output.height,
            pixels: self.pixels.read_all::<u8>()?,
            light: self.light.read_all::<[f32; 4]>()?,
        })
    }
}

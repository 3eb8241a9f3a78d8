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
}

/// Converts one image of samples to pixels.
pub(super) struct Tone {
    output: Output,
    pipeline: ComputePipeline,
    layout: PipelineLayout,
    set: DescriptorSet,
    pixels: Buffer,
    light: Buffer,
}

impl Tone {
    pub fn new(device: &Device, samples: &ImageView, exposure: f32) -> Result<Self> {
        use DescriptorKind::{SampledImage, StorageBuffer, UniformBuffer};
        let desc = samples.image().desc();
        let [width, height, _] = desc.extent;
        let output = Output { width, height, samples: desc.samples, exposure };
        let n = u64::from(width) * u64::from(height);
        let storage = |size| device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::STORAGE });
        let (pixels, light) = (storage(n * 4)?, storage(n * 16)?);
        let set_layout =
            gpu::set_layout(device, &[UniformBuffer, SampledImage, StorageBuffer, StorageBuffer])?;
        let set = device.create_descriptor_set(&set_layout)?;
        set.write_buffer(0, &device.create_buffer_with(&[output], BufferUsage::UNIFORM)?)?;
        set.write(1, 0, Resource::Image(samples))?;
        set.write_buffer(2, &pixels)?;
        set.write_buffer(3, &light)?;
        let layout = device.create_pipeline_layout(&[set_layout], 0)?;
        let entry = if desc.samples > 1 { "tone_multiple" } else { "tone_single" };
        let stage = ShaderStage::new(&shaders::tone(device)?, entry);
        let pipeline =
            device.create_compute_pipeline(&ComputePipelineDesc { stage, layout: layout.clone() })?;
        Ok(Tone { output, pipeline, layout, set, pixels, light })
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

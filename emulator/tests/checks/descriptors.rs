//! A checked device with a descriptor set, and shaders that access its descriptors.

use std::sync::Arc;

use quadrille::DescriptorKind as K;
use quadrille::*;
use quadrille_check::Session;

/// A descriptor set whose bindings have one kind and four elements each; the last binding is a buffer of results.
pub struct World {
    pub session: Arc<Session>,
    pub device: Device,
    pub buffer: Buffer,
    pub view: ImageView,
    texels: BufferView,
    sampler: Sampler,
    pub results: Buffer,
    kinds: Vec<K>,
    layout: PipelineLayout,
    pub set: DescriptorSet,
}

impl World {
    /// Creates a set with bindings of these kinds, followed by the results.
    pub fn new(kinds: &[K]) -> Result<World> {
        let (session, device) = super::device();
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM | BufferUsage::UNIFORM_TEXEL;
        let buffer = device.create_buffer_with(&[7u32; 16], usage)?;
        let usage = ImageUsage::STORAGE | ImageUsage::SAMPLED;
        let image = device.create_bound_image(ImageDesc::new_2d(Format::R8G8B8A8_UNORM, 4, 4, usage))?;
        image.write_level(Aspects::COLOR, 0, &[0x51; 64])?;
        let of_bytes = BufferViewDesc { format: Format::R8G8B8A8_UNORM, offset: 0, range: None };
        let mut bindings: Vec<DescriptorBinding> = (0..)
            .zip(kinds)
            .map(|(i, &kind)| DescriptorBinding { count: 4, ..DescriptorBinding::new(i, kind) })
            .collect();
        bindings.push(DescriptorBinding::new(kinds.len() as u32, K::StorageBuffer));
        let sets = device.create_descriptor_set_layout(&bindings)?;
        let set = device.create_descriptor_set(&sets)?;
        let results = device.create_buffer_with(&[0u32; 4], BufferUsage::STORAGE)?;
        set.write_buffer(kinds.len() as u32, &results)?;
        Ok(World {
            view: device.create_image_view(&image, ImageViewDesc::new_2d(Format::R8G8B8A8_UNORM))?,
            texels: device.create_buffer_view(&buffer, of_bytes)?,
            sampler: device.create_sampler(SamplerDesc::default())?,
            layout: device.create_pipeline_layout(std::slice::from_ref(&sets), 0)?,
            kinds: kinds.to_vec(),
            session,
            device,
            buffer,
            results,
            set,
        })
    }

    /// A resource that suits a binding.
    fn resource(&self, binding: usize) -> Resource<'_> {
        match self.kinds[binding] {
            K::StorageBuffer | K::UniformBuffer => {
                Resource::Buffer { buffer: &self.buffer, offset: 0, range: None }
            }
            K::UniformTexelBuffer => Resource::TexelBuffer(&self.texels),
            K::CombinedImageSampler => Resource::Combined(&self.view, &self.sampler),
            _ => Resource::Image(&self.view),
        }
    }

    /// Writes an element of a binding.
    pub fn write(&self, binding: usize, element: u32) -> Result<()> {
        self.set.write(binding as u32, element, self.resource(binding))
    }

    /// `kind: message` of each finding when a shader runs once.
    pub fn run(&self, declarations: &str, access: &str) -> Result<Vec<String>> {
        let source = format!(
            "#version 450\n#extension GL_EXT_nonuniform_qualifier : require\n{declarations}
             layout(set = 0, binding = {}) buffer R {{ uint at; uint result; }};
             void main() {{ {access} }}",
            self.kinds.len()
        );
        let words = frontend::compile_glsl(&source, Stage::Compute, &frontend::Options::default())?;
        let module = self.device.create_shader_module(&words)?;
        let desc =
            ComputePipelineDesc { stage: ShaderStage::new(&module, "main"), layout: self.layout.clone() };
        let pipeline = self.device.create_compute_pipeline(&desc)?;
        let mut c = self.device.create_command_buffer();
        c.bind_compute_pipeline(&pipeline).bind_compute_set(&self.layout, 0, &self.set);
        c.dispatch(1, 1, 1).end()?;
        self.device.queue().run(&c)?;
        Ok(self.session.reports.take().iter().map(|r| format!("{}: {}", r.kind, r.message)).collect())
    }
}

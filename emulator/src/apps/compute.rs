//! One compute shader on buffers and pictures, bound by number: what `quadrille run` does.
//!
//! The interface is the shader's own; see [`crate`] for devices, pipelines and command buffers.

use std::collections::BTreeMap;

use image::RgbaImage;
use quadrille_jit::ir::{self, ResourceKind, Stage};

use super::binding::{Interface, describe, kind_name};
use super::texture::{picture_of, sampler, storage, texture};
use crate::{
    BindPoint, Buffer, BufferDesc, BufferUsage, ComputePipeline, ComputePipelineDesc, Device, Error, Image,
    ImageView, Resource, Result, ShaderStage,
};

/// What a [`Compute`] is made of.
#[derive(Clone, Debug)]
pub struct ComputeDesc<'a> {
    /// SPIR-V.
    pub words: &'a [u32],
    /// Entry point; `None` takes the only compute entry point.
    pub entry: Option<&'a str>,
    /// Specialization constants as text, by id; see [`super::parse_specialization`].
    pub specialization: &'a [(u32, &'a str)],
    /// Push constants; missing bytes are zero.
    pub push: &'a [u8],
}

/// What is bound.
enum Bound {
    Buffer(Buffer, usize),
    /// Read only.
    Texture(ImageView),
    Storage(Image),
}

/// A compute shader with what is bound to it.
pub struct Compute {
    device: Device,
    pipeline: ComputePipeline,
    interface: Interface,
    push: Vec<u8>,
    bound: BTreeMap<(u32, u32), Bound>,
}

impl Compute {
    /// Compiles the shader.
    ///
    /// # Errors
    /// Those of modules and pipelines; `Invalid` if there is no such entry point, or if the push
    /// constants are more than the shader has.
    pub fn new(device: &Device, desc: &ComputeDesc<'_>) -> Result<Compute> {
        let module = device.create_shader_module(desc.words)?;
        let spec = super::parse_specialization(module.module(), desc.specialization)?;
        let entry = match desc.entry {
            Some(name) => name,
            None => module.only_entry(Stage::Compute)?,
        };
        let shader = module.module().lower(entry, Stage::Compute, &spec)?;
        if desc.push.len() > shader.push_size as usize {
            return Err(Error::invalid(format!(
                "{} bytes of push constants for a shader that has {}",
                desc.push.len(),
                shader.push_size
            )));
        }
        let mut push = desc.push.to_vec();
        push.resize(shader.push_size as usize, 0);
        let interface = Interface::new(device, &shader)?;
        let stage = ShaderStage { spec, ..ShaderStage::new(&module, entry) };
        let layout = interface.layout.clone();
        let pipeline = device.create_compute_pipeline(&ComputePipelineDesc { stage, layout })?;
        let sampler = sampler(device)?;
        for b in shader.bindings.iter().filter(|b| b.kind == ResourceKind::Sampler) {
            interface.write(b, Resource::Sampler(&sampler))?;
        }
        Ok(Compute { device: device.clone(), pipeline, interface, push, bound: BTreeMap::new() })
    }

    /// The shader: workgroup size, bindings.
    pub fn shader(&self) -> &ir::Shader {
        self.pipeline.shader()
    }

    /// The binding, if the shader uses it.
    fn binding(&self, set: u32, binding: u32) -> Result<&ir::Binding> {
        let all = &self.pipeline.shader().bindings;
        all.iter().find(|b| (b.set, b.binding) == (set, binding)).ok_or_else(|| {
            let all: Vec<String> = all.iter().map(describe).collect();
            let there = if all.is_empty() { "nothing".into() } else { all.join("; ") };
            Error::invalid(format!("the shader does not use set {set}, binding {binding}; it uses: {there}"))
        })
    }

    /// True if the binding wants a picture and not bytes.
    pub fn is_image(&self, set: u32, binding: u32) -> Result<bool> {
        use ResourceKind::*;
        Ok(matches!(self.binding(set, binding)?.kind, SampledImage | CombinedImageSampler | StorageImage))
    }

    /// Makes a buffer with these contents and binds it.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding, if it is no buffer, or if its block is larger.
    pub fn bind(&mut self, set: u32, binding: u32, contents: &[u8]) -> Result<()> {
        let b = self.binding(set, binding)?;
        if !matches!(b.kind, ResourceKind::UniformBuffer | ResourceKind::StorageBuffer) {
            let what = kind_name(b.kind);
            return Err(Error::invalid(format!("a buffer for the {what} at {}", describe(b))));
        }
        if contents.len() < b.size as usize {
            return Err(Error::invalid(format!(
                "{} bytes for the {} at {}, whose block has {}",
                contents.len(),
                kind_name(b.kind),
                describe(b),
                b.size
            )));
        }
        // Words are whole; an empty list still has a buffer.
        let size = (contents.len() as u64).next_multiple_of(4).max(4);
        let usage = BufferUsage::STORAGE | BufferUsage::UNIFORM;
        let buffer = self.device.create_bound_buffer(BufferDesc { size, usage })?;
        buffer.write(0, contents)?;
        let range = Some((contents.len() as u64).max(1));
        self.interface.write(b, Resource::Buffer { buffer: &buffer, offset: 0, range })?;
        self.bound.insert((set, binding), Bound::Buffer(buffer, contents.len()));
        Ok(())
    }

    /// Makes an image of this picture, `R8G8B8A8_UNORM`, and binds it. Storage images have one level,
    /// textures all.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding or if it is no image.
    pub fn bind_picture(&mut self, set: u32, binding: u32, picture: &RgbaImage) -> Result<()> {
        let b = self.binding(set, binding)?;
        let bound = match b.kind {
            ResourceKind::StorageImage => {
                let (image, view) = storage(&self.device, picture)?;
                self.interface.write(b, Resource::Image(&view))?;
                Bound::Storage(image)
            }
            ResourceKind::SampledImage => {
                let view = texture(&self.device, picture, false)?;
                self.interface.write(b, Resource::Image(&view))?;
                Bound::Texture(view)
            }
            ResourceKind::CombinedImageSampler => {
                let view = texture(&self.device, picture, false)?;
                self.interface.write(b, Resource::Combined(&view, &sampler(&self.device)?))?;
                Bound::Texture(view)
            }
            kind => {
                return Err(Error::invalid(format!(
                    "a picture for the {} at {}",
                    kind_name(kind),
                    describe(b)
                )));
            }
        };
        self.bound.insert((set, binding), bound);
        Ok(())
    }

    /// Bindings that the shader uses and that have nothing bound; samplers have one always.
    pub fn unbound(&self) -> impl Iterator<Item = &ir::Binding> {
        let free = |b: &&ir::Binding| {
            b.kind != ResourceKind::Sampler && !self.bound.contains_key(&(b.set, b.binding))
        };
        self.shader().bindings.iter().filter(free)
    }

    /// Runs the shader with so many workgroups and waits for it.
    pub fn dispatch(&mut self, groups: [u32; 3]) -> Result<()> {
        let mut commands = self.device.create_command_buffer();
        commands.bind_compute_pipeline(&self.pipeline);
        self.interface.bind(&mut commands, BindPoint::Compute);
        let [x, y, z] = groups;
        commands.push_constants(0, &self.push).dispatch(x, y, z).end()?;
        self.device.queue().run(&commands)
    }

    /// The contents of a bound buffer, or the pixels of a bound storage image.
    pub fn read(&self, set: u32, binding: u32) -> Result<Vec<u8>> {
        match self.bound.get(&(set, binding)) {
            Some(Bound::Buffer(buffer, len)) => buffer.read(0, *len),
            _ => Ok(self.read_picture(set, binding)?.into_raw()),
        }
    }

    /// The pixels of a bound image.
    pub fn read_picture(&self, set: u32, binding: u32) -> Result<RgbaImage> {
        match self.bound.get(&(set, binding)) {
            Some(Bound::Storage(image)) => picture_of(image),
            Some(Bound::Texture(view)) => picture_of(view.image()),
            Some(Bound::Buffer(..)) => {
                Err(Error::invalid(format!("set {set}, binding {binding} is no image")))
            }
            None => Err(Error::invalid(format!("nothing is bound to set {set}, binding {binding}"))),
        }
    }
}

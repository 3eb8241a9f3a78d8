//! One compute shader on buffers, bound by number: what `quadrille run` does.
//!
//! The interface is the shader's own; see [`crate`] for devices, pipelines and command buffers.

use std::collections::BTreeMap;

use quadrille_jit::ir::{self, ResourceKind, Stage};

use super::binding::{Interface, describe, kind_name};
use crate::{
    BindPoint, Buffer, BufferDesc, BufferUsage, ComputePipeline, ComputePipelineDesc, Device, Error,
    Resource, Result, ShaderStage,
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

/// A compute shader with its buffers.
pub struct Compute {
    device: Device,
    pipeline: ComputePipeline,
    interface: Interface,
    push: Vec<u8>,
    buffers: BTreeMap<(u32, u32), (Buffer, usize)>,
}

impl Compute {
    /// Compiles the shader.
    ///
    /// # Errors
    /// Those of modules and pipelines; `Invalid` if there is no such entry point, if the push constants
    /// are more than the shader has, or if it uses more than buffers.
    pub fn new(device: &Device, desc: &ComputeDesc<'_>) -> Result<Compute> {
        let module = device.create_shader_module(desc.words)?;
        let spec = super::parse_specialization(module.module(), desc.specialization)?;
        let entry = match desc.entry {
            Some(name) => name,
            None => module.only_entry(Stage::Compute)?,
        };
        let shader = module.module().lower(entry, Stage::Compute, &spec)?;
        for b in &shader.bindings {
            if !matches!(b.kind, ResourceKind::UniformBuffer | ResourceKind::StorageBuffer) {
                return Err(Error::unsupported(format!(
                    "a {} ({}): only buffers are bound here",
                    kind_name(b.kind),
                    describe(b)
                )));
            }
        }
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
        Ok(Compute { device: device.clone(), pipeline, interface, push, buffers: BTreeMap::new() })
    }

    /// The shader: workgroup size, bindings.
    pub fn shader(&self) -> &ir::Shader {
        self.pipeline.shader()
    }

    /// Makes a buffer with these contents and binds it.
    ///
    /// # Errors
    /// `Invalid` if the shader does not use the binding, or if the buffer is too small for its block.
    pub fn bind(&mut self, set: u32, binding: u32, contents: &[u8]) -> Result<()> {
        let shader = self.pipeline.shader();
        let Some(b) = shader.bindings.iter().find(|b| (b.set, b.binding) == (set, binding)) else {
            let all: Vec<String> = shader.bindings.iter().map(describe).collect();
            let there = if all.is_empty() { "nothing".into() } else { all.join("; ") };
            return Err(Error::invalid(format!(
                "the shader does not use set {set}, binding {binding}; it uses: {there}"
            )));
        };
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
        self.buffers.insert((set, binding), (buffer, contents.len()));
        Ok(())
    }

    /// Bindings that the shader uses and that have no buffer.
    pub fn unbound(&self) -> impl Iterator<Item = &ir::Binding> {
        self.shader().bindings.iter().filter(|b| !self.buffers.contains_key(&(b.set, b.binding)))
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

    /// The contents of a bound buffer.
    pub fn read(&self, set: u32, binding: u32) -> Result<Vec<u8>> {
        let (buffer, len) = self
            .buffers
            .get(&(set, binding))
            .ok_or_else(|| Error::invalid(format!("nothing is bound to set {set}, binding {binding}")))?;
        buffer.read(0, *len)
    }
}

//! A compiled pass with its textures bound.

use quadrille_jit::ir::{Binding, ResourceKind, Stage};
use quadrille_jit::reserve;

use super::project::{Channel, ChannelFilter, ChannelInput, ChannelSampler, ChannelWrap, Pass, PassId};
use super::textures::{Texture, sampler};
use super::{ShadertoyError, ShadertoyProject};
use crate::apps::binding::Interface;
use crate::apps::inputs::Inputs;
use crate::data::fit::{describe, kind_name};
use crate::frontend::{Options, Shadertoy, ShadertoyPass, compile_shadertoy_pass};
use crate::{
    BindPoint, Buffer, BufferDesc, BufferUsage, CommandBuffer, Device, Error, Format, GraphicsPipeline,
    GraphicsPipelineDesc, ImageView, Rect, RenderingAttachment, RenderingInfo, Resource, Result, Shader,
    ShaderModule, ShaderStage,
};

/// The shader of a pass.
pub(super) struct Compiled {
    pub id: PassId,
    name: String,
    module: ShaderModule,
    shader: Shader,
    /// Channels of the pass; `None` for those that the shader does not sample.
    channels: [Option<Channel>; 4],
}

impl Compiled {
    pub fn new(
        device: &Device,
        project: &ShadertoyProject,
        pass: &Pass,
        options: &Options,
    ) -> Result<Compiled, ShadertoyError> {
        let text = ShadertoyPass {
            kind: pass.id.kind(),
            channels: pass
                .channels
                .each_ref()
                .map(|c| c.as_ref().map_or_else(Default::default, |c| c.input.dim())),
            common: project.common.as_ref(),
            source: &pass.source,
        };
        let words = compile_shadertoy_pass(&text, options)?;
        let name = pass.id.name().to_owned();
        let module = device.create_shader_module(&words).map_err(|e| about(e, &name))?;
        let shader = module.module().lower("main", Stage::Fragment, &[]).map_err(|e| about(e, &name))?;
        let sampled = |n: usize| shader.bindings.iter().any(|b| channel_of(b) == Some(n));
        let mut channels = pass.channels.clone();
        for (n, channel) in channels.iter_mut().enumerate() {
            *channel = channel.take().filter(|_| sampled(n));
        }
        Ok(Compiled { id: pass.id, name, module, shader, channels })
    }

    /// True if the pass renders the same in every frame, because it reads no uniforms and no pass.
    pub fn is_constant(&self) -> bool {
        let is_told = self.shader.bindings.iter().any(|b| b.kind == ResourceKind::UniformBuffer);
        !is_told && self.reads().next().is_none()
    }

    /// Yields the passes that the channels show, which may include this pass, with the channels' filters.
    pub fn reads(&self) -> impl Iterator<Item = (PassId, ChannelFilter)> + '_ {
        self.channels.iter().flatten().filter_map(|c| match c.input {
            ChannelInput::Pass(id) => Some((id, c.sampler.filter)),
            _ => None,
        })
    }
}

/// Returns the channel number of a binding.
fn channel_of(binding: &Binding) -> Option<usize> {
    let number = binding.binding.checked_sub(Shadertoy::CHANNEL_BINDING)?;
    (binding.set == 0 && number < 4).then_some(number as usize)
}

/// Adds the name of the pass to an error.
pub(super) fn about(error: Error, pass: &str) -> Error {
    match error {
        Error::Invalid { message, place } => Error::Invalid { message: format!("{pass}: {message}"), place },
        Error::Unsupported { what, place } => Error::Unsupported { what: format!("{pass}: {what}"), place },
        Error::Limit(text) => Error::Limit(format!("{pass}: {text}")),
        Error::DeviceLost(text) => Error::DeviceLost(format!("{pass}: {text}")),
        Error::ChecksFailed(text) => Error::ChecksFailed(format!("{pass}: {text}")),
        Error::Aborted { text, message } => Error::Aborted { text: format!("{pass}: {text}"), message },
        e @ (Error::OutOfMemory(_) | Error::Internal(_)) => e,
    }
}

/// Textures of another pass in even and odd frames, as its readers see them.
pub(super) type Shown = [Texture; 2];

/// A pass that is ready to run.
pub(super) struct Program {
    pub id: PassId,
    name: String,
    pipeline: GraphicsPipeline,
    /// Descriptors for even and odd frames.
    interfaces: [Interface; 2],
    block: Option<Buffer>,
    push: bool,
    channel_resolution: [[f32; 3]; 4],
    /// True for channels with media that play, whose time advances.
    plays: [bool; 4],
    /// Keeps the textures alive that descriptors refer to.
    _kept: Vec<Texture>,
}

impl Program {
    /// Binds the textures; `shown` returns the textures of each pass that is read, in even and odd frames.
    pub fn new(
        device: &Device,
        compiled: &Compiled,
        format: Format,
        samples: u32,
        shown: impl Fn(PassId) -> Option<Shown>,
    ) -> Result<Program> {
        let named = |e| about(e, &compiled.name);
        let shader = &compiled.shader;
        let interfaces =
            [Interface::new(device, shader).map_err(named)?, Interface::new(device, shader).map_err(named)?];
        let mut program = Program {
            id: compiled.id,
            name: compiled.name.clone(),
            pipeline: pipeline(device, compiled, &interfaces[0], format, samples).map_err(named)?,
            interfaces,
            block: None,
            push: shader.push_size > 0,
            channel_resolution: [[0.0; 3]; 4],
            plays: [false; 4],
            _kept: Vec::new(),
        };
        for binding in &shader.bindings {
            program.bind(device, compiled, binding, &shown).map_err(named)?;
        }
        Ok(program)
    }

    fn bind(
        &mut self,
        device: &Device,
        compiled: &Compiled,
        binding: &Binding,
        shown: &impl Fn(PassId) -> Option<Shown>,
    ) -> Result<()> {
        match (binding.kind, channel_of(binding)) {
            (ResourceKind::UniformBuffer, None) if (binding.set, binding.binding) == (0, 0) => {
                let size = Shadertoy::BLOCK_BYTES.max(binding.size as usize) as u64;
                let buffer = device.create_bound_buffer(BufferDesc { size, usage: BufferUsage::UNIFORM })?;
                for interface in &self.interfaces {
                    interface.write(binding, Resource::Buffer { buffer: &buffer, offset: 0, range: None })?;
                }
                self.block = Some(buffer);
                Ok(())
            }
            (ResourceKind::CombinedImageSampler, Some(n)) => {
                let nothing = ChannelSampler {
                    filter: ChannelFilter::Nearest,
                    wrap: ChannelWrap::Clamp,
                    vflip: false,
                    srgb: false,
                };
                let channel = compiled.channels[n].as_ref();
                let settings = channel.map_or(nothing, |c| c.sampler);
                let textures = match channel {
                    None => [Texture::nothing(device)?, Texture::nothing(device)?],
                    Some(Channel { input: ChannelInput::Pass(id), .. }) => shown(*id)
                        .ok_or_else(|| Error::unsupported(format!("iChannel{n} shows {}", id.name())))?,
                    Some(channel) => {
                        let texture = Texture::of_channel(device, channel)?;
                        [texture.clone(), texture]
                    }
                };
                let sampler = sampler(device, &settings)?;
                for (interface, texture) in self.interfaces.iter().zip(&textures) {
                    let view = texture.view(settings.filter);
                    interface.write(binding, Resource::Combined(view, &sampler))?;
                }
                if let Some(channel) = channel {
                    self.channel_resolution[n] = textures[0].resolution();
                    self.plays[n] = matches!(channel.input, ChannelInput::Silence | ChannelInput::Black);
                }
                self._kept.extend(textures);
                Ok(())
            }
            (kind, _) => {
                let what = format!("a {} ({}) in a Shadertoy", kind_name(kind), describe(binding));
                Err(Error::unsupported(what))
            }
        }
    }

    /// Fills the uniforms for this frame and a target of this size.
    pub fn tell(&self, inputs: &Inputs, size: [u32; 2]) -> Result<()> {
        let Some(block) = &self.block else { return Ok(()) };
        let mut inputs = Inputs {
            resolution: [size[0] as f32, size[1] as f32, 1.0],
            channel_resolution: self.channel_resolution,
            ..inputs.clone()
        };
        inputs.channel_time = self.plays.map(|plays| if plays { inputs.time } else { 0.0 });
        let mut bytes = reserve::zeroed(block.size() as usize)?;
        let told = inputs.shadertoy_block();
        bytes[..told.len()].copy_from_slice(&told);
        block.write(0, &bytes)
    }

    /// Records a draw that covers a whole view.
    pub fn draw(
        &self,
        commands: &mut CommandBuffer,
        (view, resolve): (&ImageView, Option<&ImageView>),
        number: i32,
        frame: usize,
    ) {
        let [width, height] = view.size();
        let area = Rect { x: 0, y: 0, width, height };
        let color = RenderingAttachment {
            resolve: resolve.cloned(),
            ..RenderingAttachment::clear(view, [0.0, 0.0, 0.0, 1.0])
        };
        commands.begin_rendering(&RenderingInfo { area, colors: vec![Some(color)], ..Default::default() });
        commands.bind_graphics_pipeline(&self.pipeline);
        self.interfaces[frame % 2].bind(commands, BindPoint::Graphics);
        if self.push {
            commands.push_constants(0, &[number]);
        }
        commands.set_size(width, height).draw(3, 1, 0, 0).end_rendering().pipeline_barrier();
    }

    /// Adds the name of the pass to an error.
    pub fn error(&self, error: Error) -> Error {
        about(error, &self.name)
    }
}

fn pipeline(
    device: &Device,
    compiled: &Compiled,
    interface: &Interface,
    format: Format,
    samples: u32,
) -> Result<GraphicsPipeline> {
    let vertex = device.create_shader_module(crate::frontend::fullscreen::vertex_words()?)?;
    let vertex = ShaderStage::only(&vertex, Stage::Vertex)?;
    let fragment = ShaderStage::new(&compiled.module, "main");
    let mut desc = GraphicsPipelineDesc::new(&interface.layout, vertex, Some(fragment));
    desc.state.color_formats = vec![Some(format)];
    desc.state.samples = samples;
    desc.state.sample_shading = samples > 1;
    device.create_graphics_pipeline(&desc)
}

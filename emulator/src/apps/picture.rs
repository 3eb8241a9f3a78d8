//! A fragment shader over a whole picture: what `quadrille render` does.
//!
//! One triangle covers the picture. The shader's uniform blocks and push constants are filled from
//! [`Inputs`] by the names of their members, its textures are given in ascending order of set and
//! binding, its samplers repeat and filter linearly. A `vec2` input at location 0 runs from 0 to 1
//! over the picture, from the top left.

use image::RgbaImage;
use quadrille_jit::ir::{ResourceKind, Stage};
use quadrille_jit::reserve;
use quadrille_jit::spirv::reflect::{BlockInfo, reflect};

use super::binding::{Interface, describe, kind_name, members};
use super::inputs::Inputs;
use super::texture::{FORMAT, picture_of, reverse_rows, sampler, texture};
use crate::frontend::Shadertoy;
use crate::{
    BindPoint, Buffer, BufferDesc, BufferUsage, Device, Error, GraphicsPipeline, GraphicsPipelineDesc, Image,
    ImageDesc, ImageUsage, ImageView, ImageViewDesc, Rect, RenderingAttachment, RenderingInfo, Resource,
    Result, ShaderStage,
};

/// What a [`Renderer`] is made of.
#[derive(Clone, Debug)]
pub struct RendererDesc<'a> {
    /// SPIR-V with a fragment entry point.
    pub words: &'a [u32],
    /// Entry point; `None` takes the only fragment entry point.
    pub entry: Option<&'a str>,
    /// Specialization constants as text, by id; see [`super::parse_specialization`].
    pub specialization: &'a [(u32, &'a str)],
    /// The words come from [`compile_shadertoy`](crate::frontend::compile_shadertoy).
    pub shadertoy: bool,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Samples per pixel, each shaded; the picture is their average. 0 counts as 1.
    pub samples: u32,
    /// Pictures for the shader's textures, in ascending order of set and binding.
    pub textures: &'a [RgbaImage],
}

/// A uniform block of the shader.
struct Uniform {
    buffer: Buffer,
    size: usize,
    block: Option<BlockInfo>,
}

/// A fragment shader, ready to render frames.
pub struct Renderer {
    device: Device,
    pipeline: GraphicsPipeline,
    interface: Interface,
    uniforms: Vec<Uniform>,
    push: Option<(usize, Option<BlockInfo>)>,
    target: Image,
    view: ImageView,
    /// Where the average of several samples goes.
    resolve: Option<ImageView>,
    shadertoy: bool,
    size: (u32, u32),
    texture_sizes: Vec<[f32; 3]>,
    /// What descriptors refer to.
    _textures: Vec<ImageView>,
}

impl Renderer {
    /// Compiles the shader and binds what it asks for.
    ///
    /// # Errors
    /// Those of modules and pipelines; `Invalid` if there is no such entry point or if a texture is
    /// missing, `Unsupported` for resources that a picture has no answer to.
    pub fn new(device: &Device, desc: &RendererDesc<'_>) -> Result<Renderer> {
        let module = device.create_shader_module(desc.words)?;
        let spec = super::parse_specialization(module.module(), desc.specialization)?;
        let entry = match desc.entry {
            Some(name) => name,
            None => module.only_entry(Stage::Fragment)?,
        };
        let shader = module.module().lower(entry, Stage::Fragment, &spec)?;
        let interface = Interface::new(device, &shader)?;
        let reflection = reflect(module.module())?;
        let reflected =
            reflection.entry_points.iter().find(|e| e.name == entry && e.stage == Stage::Fragment);
        let resource =
            |set, binding| reflected?.bindings.iter().find(|r| (r.set, r.binding) == (set, binding));
        let color = reflected.and_then(|e| e.outputs.iter().find(|v| v.location == Some(0)));
        if let Some(color) = color.filter(|v| v.ty.starts_with('i') || v.ty.starts_with('u')) {
            return Err(Error::invalid(format!(
                "the output at location 0 is {}, but the colour of a picture is a float or a vector of floats",
                color.ty
            )));
        }

        let sampler = sampler(device)?;
        let views =
            desc.textures.iter().map(|t| texture(device, t, desc.shadertoy)).collect::<Result<Vec<_>>>()?;
        let mut bindings = shader.bindings.clone();
        bindings.sort_by_key(|b| (b.set, b.binding));
        let mut next_texture = 0;
        let mut uniforms = Vec::new();
        let mut kept = Vec::new();
        for b in &bindings {
            match b.kind {
                ResourceKind::UniformBuffer | ResourceKind::StorageBuffer => {
                    let size = (b.size as usize).next_multiple_of(4).max(4);
                    let usage = BufferUsage::UNIFORM | BufferUsage::STORAGE;
                    let buffer = device.create_bound_buffer(BufferDesc { size: size as u64, usage })?;
                    interface.write(b, Resource::Buffer { buffer: &buffer, offset: 0, range: None })?;
                    let uniform = b.kind == ResourceKind::UniformBuffer;
                    let block =
                        if uniform { resource(b.set, b.binding).and_then(|r| r.block.clone()) } else { None };
                    uniforms.push(Uniform { buffer, size, block });
                }
                ResourceKind::Sampler => interface.write(b, Resource::Sampler(&sampler))?,
                ResourceKind::SampledImage | ResourceKind::CombinedImageSampler => {
                    let ty = resource(b.set, b.binding).map_or("", |r| r.ty.as_str());
                    if !matches!(ty, "sampler2D" | "texture2D" | "") {
                        let what = format!("a {ty} ({}) in a picture: textures are 2D", describe(b));
                        return Err(Error::unsupported(what));
                    }
                    // Channels have numbers of their own, used or not.
                    let index = match desc.shadertoy {
                        true => b.binding.wrapping_sub(Shadertoy::CHANNEL_BINDING) as usize,
                        false => next_texture,
                    };
                    next_texture += 1;
                    let view = match views.get(index) {
                        Some(view) => view.clone(),
                        None if desc.shadertoy => texture(device, &RgbaImage::new(1, 1), false)?,
                        None => {
                            return Err(Error::invalid(format!(
                                "the shader has more textures than pictures were given: none for the {} at {}",
                                kind_name(b.kind),
                                describe(b)
                            )));
                        }
                    };
                    let bound = match b.kind {
                        ResourceKind::SampledImage => Resource::Image(&view),
                        _ => Resource::Combined(&view, &sampler),
                    };
                    interface.write(b, bound)?;
                    kept.push(view);
                }
                kind => {
                    let what = format!("a {} ({}) in a picture", kind_name(kind), describe(b));
                    return Err(Error::unsupported(what));
                }
            }
        }
        let push_block = reflected.and_then(|e| e.push_constants.clone());
        let push = (shader.push_size > 0).then_some((shader.push_size as usize, push_block));

        let vertex = device.create_shader_module(crate::fullscreen::vertex_words()?)?;
        let vertex = ShaderStage::only(&vertex, Stage::Vertex)?;
        let fragment = ShaderStage { spec, ..ShaderStage::new(&module, entry) };
        let mut pipeline = GraphicsPipelineDesc::new(&interface.layout, vertex, Some(fragment));
        pipeline.state.color_formats = vec![Some(FORMAT)];
        pipeline.state.samples = desc.samples.max(1);
        pipeline.state.sample_shading = desc.samples > 1;
        let pipeline = device.create_graphics_pipeline(&pipeline)?;

        let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
        let target = device.create_bound_image(ImageDesc::new_2d(FORMAT, desc.width, desc.height, usage))?;
        let mut view = device.create_image_view(&target, ImageViewDesc::new_2d(FORMAT))?;
        let mut resolve = None;
        if desc.samples > 1 {
            let several = ImageDesc::new_2d(FORMAT, desc.width, desc.height, usage);
            let several = device.create_bound_image(ImageDesc { samples: desc.samples, ..several })?;
            let several = device.create_image_view(&several, ImageViewDesc::new_2d(FORMAT))?;
            resolve = Some(std::mem::replace(&mut view, several));
        }
        Ok(Renderer {
            device: device.clone(),
            pipeline,
            interface,
            uniforms,
            push,
            target,
            view,
            resolve,
            shadertoy: desc.shadertoy,
            size: (desc.width, desc.height),
            texture_sizes: desc.textures.iter().map(|t| [t.width() as f32, t.height() as f32, 1.0]).collect(),
            _textures: kept,
        })
    }

    /// Renders one frame. `inputs.channel_resolution` is filled in from the textures.
    pub fn render(&mut self, inputs: &Inputs) -> Result<RgbaImage> {
        let mut inputs = inputs.clone();
        for (to, from) in inputs.channel_resolution.iter_mut().zip(&self.texture_sizes) {
            *to = *from;
        }
        for uniform in &self.uniforms {
            uniform.buffer.write(0, &self.fill(&inputs, uniform.block.as_ref(), uniform.size)?)?;
        }

        let (width, height) = self.size;
        let mut commands = self.device.create_command_buffer();
        let area = Rect { x: 0, y: 0, width, height };
        let color = RenderingAttachment::clear(&self.view, [0.0, 0.0, 0.0, 1.0]);
        let color = RenderingAttachment { resolve: self.resolve.clone(), ..color };
        commands.begin_rendering(&RenderingInfo { area, colors: vec![Some(color)], ..Default::default() });
        commands.bind_graphics_pipeline(&self.pipeline);
        self.interface.bind(&mut commands, BindPoint::Graphics);
        if let Some((size, block)) = &self.push {
            commands.push_constants(0, &self.fill(&inputs, block.as_ref(), *size)?);
        }
        commands.set_size(width, height).draw(3, 1, 0, 0).end_rendering().end()?;
        self.device.queue().run(&commands)?;

        let mut pixels = picture_of(&self.target)?;
        if self.shadertoy && Shadertoy::ROWS_FROM_BOTTOM {
            reverse_rows(&mut pixels, 4 * width as usize);
        }
        Ok(pixels)
    }

    fn fill(&self, inputs: &Inputs, block: Option<&BlockInfo>, size: usize) -> Result<Vec<u8>> {
        if self.shadertoy {
            let mut bytes = inputs.shadertoy_block().to_vec();
            bytes.truncate(size);
            let more = size - bytes.len();
            reserve::more_room(&mut bytes, more)?;
            bytes.resize(size, 0);
            return Ok(bytes);
        }
        match block {
            Some(block) => inputs.fill(&members(block), size),
            None => reserve::zeroed(size),
        }
    }
}

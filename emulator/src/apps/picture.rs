//! A fragment shader over a whole picture: what `quadrille render` does.
//!
//! One triangle covers the picture. The shader's uniform blocks and push constants are filled from
//! [`Inputs`] by the names of their members, then from values given by name; its textures are given by name, or in
//! ascending order of set and binding; samplers repeat and filter linearly unless the texture says otherwise. A
//! `vec2` input at location 0 runs from 0 to 1 over the picture, from the top left. What the shader asks for in vain,
//! and what is given in vain, is a warning.

use image::RgbaImage;
use quadrille_jit::ir::{Binding, ResourceKind, Shader, Stage};
use quadrille_jit::reserve;
use quadrille_jit::spirv::reflect::{EntryInfo, Reflection, Variable, reflect};

use super::binding::{Interface, describe, kind_name, members};
use super::inputs::Inputs;
use super::texture::{FORMAT, picture_of, premultiplied, reverse_rows, sampler, texture, unpremultiply};
use super::uniforms::{self, Block, GivenUniform};
use crate::frontend::Shadertoy;
use crate::{
    BindPoint, Buffer, BufferDesc, BufferUsage, Device, Error, GraphicsPipeline, GraphicsPipelineDesc, Image,
    ImageDesc, ImageUsage, ImageView, ImageViewDesc, Rect, RenderingAttachment, RenderingInfo, Resource,
    Result, Sampler, SamplerDesc, ShaderStage,
};

/// A picture for the texture of a name.
#[derive(Clone, Copy, Debug)]
pub struct NamedTexture<'a> {
    /// The texture's name in the shader.
    pub name: &'a str,
    /// The picture.
    pub picture: &'a RgbaImage,
    /// How it is sampled; `None` repeats and filters linearly.
    pub sampler: Option<SamplerDesc>,
    /// Data that are no colours: never premultiplied.
    pub raw: bool,
}

/// What a [`Renderer`] is made of.
#[derive(Clone, Debug, Default)]
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
    /// Pictures for the textures that `named` leaves, in ascending order of set and binding.
    pub textures: &'a [RgbaImage],
    /// Pictures for textures by name.
    pub named: &'a [NamedTexture<'a>],
    /// Values for uniforms by name, see [`super::uniforms`].
    pub uniforms: &'a [GivenUniform<'a>],
    /// Colours are premultiplied inside of the shader, as those of AGSL are: pictures are multiplied by their alpha
    /// when they are loaded, and the result is divided by it.
    pub premultiplied: bool,
}

/// A uniform block of the shader.
struct Uniform {
    buffer: Buffer,
    size: usize,
    block: Option<Block>,
}

/// A uniform and its value.
#[derive(Clone, Debug, PartialEq)]
pub struct UniformValue {
    /// Name, as values are given by.
    pub name: String,
    /// Type, in the words of GLSL.
    pub ty: String,
    /// `set 0, binding 1` or `push constants`.
    pub place: String,
    /// Byte there.
    pub offset: usize,
    /// The value, a number for each component.
    pub value: String,
    /// Where it is from.
    pub from: ValueFrom,
}

/// Where the value of a uniform is from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFrom {
    /// It was given by name.
    Given,
    /// It is one of the [`Inputs`].
    Inputs,
    /// Nothing has it: it is 0.
    Nothing,
}

/// A fragment shader, ready to render frames.
pub struct Renderer {
    device: Device,
    pipeline: GraphicsPipeline,
    interface: Interface,
    uniforms: Vec<Uniform>,
    push: Option<(usize, Option<Block>)>,
    target: Image,
    view: ImageView,
    /// Where the average of several samples goes.
    resolve: Option<ImageView>,
    shadertoy: bool,
    premultiplied: bool,
    /// Names and values of uniforms.
    given: Vec<(String, String)>,
    warnings: Vec<String>,
    size: (u32, u32),
    texture_sizes: Vec<[f32; 3]>,
    /// What descriptors refer to.
    _textures: Vec<ImageView>,
}

impl Renderer {
    /// Compiles the shader and binds what it asks for.
    ///
    /// # Errors
    /// Those of modules and pipelines; `Invalid` if there is no such entry point or if a uniform does not take
    /// the value given, `Unsupported` for resources that a picture has no answer to.
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
        let color = reflected.and_then(|e| e.outputs.iter().find(|v| v.location == Some(0)));
        if let Some(color) = color.filter(|v| v.ty.starts_with('i') || v.ty.starts_with('u')) {
            return Err(Error::invalid(format!(
                "the output at location 0 is {}, but the colour of a picture is a float or a vector of floats",
                color.ty
            )));
        }

        let mut textures = Textures::new(device, desc)?;
        let uniforms = bind(device, &interface, &shader, reflected, &mut textures)?;
        let push_block = reflected.and_then(|e| e.push_constants.as_ref()).map(Block::push);
        let blocks: Vec<Block> =
            uniforms.iter().filter_map(|u| u.block.clone()).chain(push_block.clone()).collect();
        let push = (shader.push_size > 0).then_some((shader.push_size as usize, push_block));
        let mut warnings = textures.warnings();
        if let Some(reflected) = reflected {
            warnings.extend(unfed_inputs(reflected));
        }
        let known = |block: &Block, _: &str| is_shadertoys(desc.shadertoy, block);
        warnings.extend(uniforms::check(&blocks, desc.uniforms, known)?);
        warnings.extend(unused_stages(&reflection, entry));

        let vertex = device.create_shader_module(crate::fullscreen::vertex_words()?)?;
        let vertex = ShaderStage::only(&vertex, Stage::Vertex)?;
        let fragment = ShaderStage { spec, ..ShaderStage::new(&module, entry) };
        let mut pipeline = GraphicsPipelineDesc::new(&interface.layout, vertex, Some(fragment));
        pipeline.state.color_formats = vec![Some(FORMAT)];
        pipeline.state.samples = desc.samples.max(1);
        pipeline.state.sample_shading = desc.samples > 1;
        let pipeline = device.create_graphics_pipeline(&pipeline)?;

        let (target, view, resolve) = target(device, desc)?;
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
            premultiplied: desc.premultiplied,
            given: desc.uniforms.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            warnings,
            size: (desc.width, desc.height),
            texture_sizes: desc.textures.iter().map(|t| [t.width() as f32, t.height() as f32, 1.0]).collect(),
            _textures: textures.kept,
        })
    }

    /// What the shader asks for in vain, and what was given in vain.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
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
        if self.premultiplied {
            unpremultiply(&mut pixels);
        }
        if self.shadertoy && Shadertoy::ROWS_FROM_BOTTOM {
            reverse_rows(&mut pixels, 4 * width as usize);
        }
        Ok(pixels)
    }

    /// The uniforms with the values that they have in a frame.
    pub fn uniform_values(&self, inputs: &Inputs) -> Result<Vec<UniformValue>> {
        let given = self.given();
        let buffers = self.uniforms.iter().map(|u| (u.block.as_ref(), u.size));
        let push = self.push.iter().map(|(size, block)| (block.as_ref(), *size));
        let mut out = Vec::new();
        for (block, size) in buffers.chain(push) {
            let Some(block) = block else { continue };
            let bytes = self.fill(inputs, Some(block), size)?;
            for leaf in uniforms::leaves(block) {
                let Some(value) = uniforms::show(block, &leaf, &bytes) else { continue };
                let from = match () {
                    _ if uniforms::is_given(block, &leaf, &given) => ValueFrom::Given,
                    _ if is_shadertoys(self.shadertoy, block) => ValueFrom::Inputs,
                    _ if Inputs::knows(&leaf.name) => ValueFrom::Inputs,
                    _ => ValueFrom::Nothing,
                };
                let (name, ty, offset) = (leaf.name, leaf.ty, leaf.offset);
                out.push(UniformValue { name, ty, place: block.place(), offset, value, from });
            }
        }
        Ok(out)
    }

    fn given(&self) -> Vec<GivenUniform<'_>> {
        self.given.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
    }

    fn fill(&self, inputs: &Inputs, block: Option<&Block>, size: usize) -> Result<Vec<u8>> {
        let Some(block) = block else { return reserve::zeroed(size) };
        let mut bytes = if is_shadertoys(self.shadertoy, block) {
            let mut bytes = inputs.shadertoy_block().to_vec();
            bytes.truncate(size);
            let more = size - bytes.len();
            reserve::more_room(&mut bytes, more)?;
            bytes.resize(size, 0);
            bytes
        } else {
            inputs.fill(&members(&block.info), size)?
        };
        uniforms::fill(block, &self.given(), &mut [], &mut bytes)?;
        Ok(bytes)
    }
}

/// True for the block that Shadertoy's declarations have.
fn is_shadertoys(shadertoy: bool, block: &Block) -> bool {
    shadertoy && block.at == Some((0, 0))
}

/// Binds what a shader asks for; its uniform and storage buffers.
fn bind(
    device: &Device,
    interface: &Interface,
    shader: &Shader,
    reflected: Option<&EntryInfo>,
    textures: &mut Textures<'_>,
) -> Result<Vec<Uniform>> {
    let resource =
        |b: &Binding| reflected?.bindings.iter().find(|r| (r.set, r.binding) == (b.set, b.binding));
    let mut bindings = shader.bindings.clone();
    bindings.sort_by_key(|b| (b.set, b.binding));
    let mut uniforms = Vec::new();
    for b in &bindings {
        match b.kind {
            ResourceKind::UniformBuffer | ResourceKind::StorageBuffer => {
                let size = (b.size as usize).next_multiple_of(4).max(4);
                let usage = BufferUsage::UNIFORM | BufferUsage::STORAGE;
                let buffer = device.create_bound_buffer(BufferDesc { size: size as u64, usage })?;
                interface.write(b, Resource::Buffer { buffer: &buffer, offset: 0, range: None })?;
                let uniform = b.kind == ResourceKind::UniformBuffer;
                let block = if uniform { resource(b).and_then(Block::of) } else { None };
                uniforms.push(Uniform { buffer, size, block });
            }
            ResourceKind::Sampler => {
                let sampler = textures.sampler_for(b.name.strip_suffix("_sampler").unwrap_or(&b.name));
                interface.write(b, Resource::Sampler(&sampler))?;
            }
            ResourceKind::SampledImage | ResourceKind::CombinedImageSampler => {
                let ty = resource(b).map_or("", |r| r.ty.as_str());
                if !matches!(ty, "sampler2D" | "texture2D" | "") {
                    let what = format!("a {ty} ({}) in a picture: textures are 2D", describe(b));
                    return Err(Error::unsupported(what));
                }
                let view = textures.take(b)?;
                let sampler = textures.sampler_for(&b.name);
                let bound = match b.kind {
                    ResourceKind::SampledImage => Resource::Image(&view),
                    _ => Resource::Combined(&view, &sampler),
                };
                interface.write(b, bound)?;
            }
            kind => {
                let what = format!("a {} ({}) in a picture", kind_name(kind), describe(b));
                return Err(Error::unsupported(what));
            }
        }
    }
    Ok(uniforms)
}

/// What is drawn to: the picture, the view that is drawn to, and where the average of several samples goes.
fn target(device: &Device, desc: &RendererDesc<'_>) -> Result<(Image, ImageView, Option<ImageView>)> {
    let usage = ImageUsage::COLOR_ATTACHMENT | ImageUsage::TRANSFER_SRC;
    let one = ImageDesc::new_2d(FORMAT, desc.width, desc.height, usage);
    let target = device.create_bound_image(one)?;
    let view = device.create_image_view(&target, ImageViewDesc::new_2d(FORMAT))?;
    if desc.samples <= 1 {
        return Ok((target, view, None));
    }
    let several = device.create_bound_image(ImageDesc { samples: desc.samples, ..one })?;
    let several = device.create_image_view(&several, ImageViewDesc::new_2d(FORMAT))?;
    Ok((target, several, Some(view)))
}

/// Stages of the module that a picture has no use for.
fn unused_stages(reflection: &Reflection, entry: &str) -> Vec<String> {
    let unused = reflection.entry_points.iter();
    let unused = unused.filter(|e| !matches!(e.stage, Stage::Fragment | Stage::Compute));
    let warning = |e: &EntryInfo| {
        let stage = e.stage.name();
        format!("the {stage} shader `{}` is not used: `{entry}` is drawn over the whole picture", e.name)
    };
    unused.map(warning).collect()
}

/// The pictures that were given, and which of them textures have taken.
struct Textures<'a> {
    device: &'a Device,
    desc: &'a RendererDesc<'a>,
    /// Samplers of `desc.named`.
    samplers: Vec<Sampler>,
    /// For textures without one.
    sampler: Sampler,
    next: usize,
    positional: Vec<bool>,
    named: Vec<bool>,
    missing: Vec<String>,
    /// What descriptors refer to.
    kept: Vec<ImageView>,
}

impl<'a> Textures<'a> {
    fn new(device: &'a Device, desc: &'a RendererDesc<'a>) -> Result<Self> {
        let of = |named: &NamedTexture<'_>| match named.sampler {
            Some(desc) => device.create_sampler(desc),
            None => sampler(device),
        };
        Ok(Textures {
            device,
            desc,
            samplers: desc.named.iter().map(of).collect::<Result<_>>()?,
            sampler: sampler(device)?,
            next: 0,
            positional: vec![false; desc.textures.len()],
            named: vec![false; desc.named.len()],
            missing: Vec::new(),
            kept: Vec::new(),
        })
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.desc.named.iter().position(|named| named.name == name)
    }

    fn sampler_for(&self, name: &str) -> Sampler {
        *self.named(name).and_then(|at| self.samplers.get(at)).unwrap_or(&self.sampler)
    }

    /// The picture for a texture: by name, else the next; without any, one transparent texel.
    fn take(&mut self, b: &Binding) -> Result<ImageView> {
        let view = match self.named(&b.name) {
            Some(at) => {
                self.named[at] = true;
                let named = &self.desc.named[at];
                self.upload(named.picture, named.raw)?
            }
            None => {
                // Channels have numbers of their own, used or not.
                let index = match self.desc.shadertoy {
                    true => b.binding.wrapping_sub(Shadertoy::CHANNEL_BINDING) as usize,
                    false => self.next,
                };
                self.next += 1;
                match self.desc.textures.get(index) {
                    Some(picture) => {
                        self.positional[index] = true;
                        self.upload(picture, false)?
                    }
                    None => {
                        self.missing.push(format!(
                            "no picture is given for the {} at {}: it is transparent black",
                            kind_name(b.kind),
                            describe(b)
                        ));
                        texture(self.device, &RgbaImage::new(1, 1), false)?
                    }
                }
            }
        };
        self.kept.push(view.clone());
        Ok(view)
    }

    fn upload(&self, picture: &RgbaImage, raw: bool) -> Result<ImageView> {
        match self.desc.premultiplied && !raw {
            true => texture(self.device, &premultiplied(picture), false),
            false => texture(self.device, picture, self.desc.shadertoy),
        }
    }

    /// Textures without a picture, and pictures without a texture.
    fn warnings(&self) -> Vec<String> {
        let mut out = self.missing.clone();
        let total = self.positional.len();
        for (at, _) in self.positional.iter().enumerate().filter(|(_, used)| !**used) {
            out.push(format!("picture {} of {total} is not used: the shader has no texture for it", at + 1));
        }
        for (named, _) in self.desc.named.iter().zip(&self.named).filter(|(_, used)| !**used) {
            out.push(format!(
                "the picture for `{}` is not used: the shader has no texture of that name",
                named.name
            ));
        }
        out
    }
}

/// Inputs of a fragment shader that no vertex shader puts out.
fn unfed_inputs(entry: &EntryInfo) -> Vec<String> {
    let is_unfed = |v: &&Variable| match (v.location, v.ty.as_str()) {
        (Some(0), "vec2") | (None, _) => false,
        (Some(_), _) => v.builtin.is_none(),
    };
    let warning = |v: &Variable| {
        let name = if v.name.is_empty() { String::new() } else { format!(" `{}`", v.name) };
        let location = v.location.unwrap_or(0);
        format!("the input{name} at location {location} gets no value: it is 0, as there is no vertex shader")
    };
    entry.inputs.iter().filter(is_unfed).map(warning).collect()
}

//! Renders a fragment shader over a whole picture, as `quadrille render` does.
//!
//! One triangle covers the picture. The shader's uniform blocks and push constants are filled from [`Inputs`] by the
//! names of their members, then from values given by name. Textures are assigned by name, or in ascending order of set
//! and binding. Samplers repeat and filter linearly unless the texture has its own sampler. A `vec2` input at location
//! 0 runs from 0 to 1 over the picture, from its origin. Missing and unused inputs cause warnings. A colour without alpha
//! is opaque.
//!
//! Rows of the framebuffer are counted from the picture's origin ([`Origin`]). For the lower left corner, the renderer
//! reverses the rows of the result and those of pictures that become textures. The shader sees unchanged coordinates:
//! `gl_FragCoord.y` grows upwards, and derivatives have the corresponding signs.

mod textures;

use image::{DynamicImage, RgbaImage};
use quadrille_jit::ir::{Binding, ResourceKind, Shader, Stage};
use quadrille_jit::reserve;
use quadrille_jit::spirv::Module;
use quadrille_jit::spirv::reflect::{self, EntryInfo, Reflection, Variable};

use super::binding::{Interface, members, merged};
use super::inputs::Inputs;
use super::mesh::{Geometry, GeometryDesc};
use super::texture::{FORMAT, picture_of, refusal, reverse_rows, unpremultiply};
use super::uniforms::{self, Block, GivenUniform, Leaf};
use crate::data::fit::{describe, kind_name};
use textures::Textures;

use crate::frontend::Origin;
use crate::{
    BindPoint, BlendState, Buffer, BufferDesc, BufferUsage, Device, Error, GraphicsPipeline,
    GraphicsPipelineDesc, Image, ImageDesc, ImageUsage, ImageView, ImageViewDesc, Rect, RenderingAttachment,
    RenderingInfo, Resource, Result, SamplerDesc, ShaderStage,
};

/// A picture for the texture with a given name.
#[derive(Clone, Copy, Debug)]
pub struct NamedTexture<'a> {
    /// The texture's name in the shader.
    pub name: &'a str,
    /// The picture.
    pub picture: &'a DynamicImage,
    /// Sampler of the texture; `None` repeats and filters linearly.
    pub sampler: Option<SamplerDesc>,
    /// True if the texels are data and not colours; they are never premultiplied.
    pub raw: bool,
}

/// Parameters for creating a [`Renderer`].
#[derive(Clone, Debug, Default)]
pub struct RendererDesc<'a> {
    /// SPIR-V with a fragment entry point.
    pub words: &'a [u32],
    /// Entry point; `None` selects the only fragment entry point.
    pub entry: Option<&'a str>,
    /// Specialization constants as text, by id; see [`super::parse_specialization`].
    pub specialization: &'a [(u32, &'a str)],
    /// True if the words come from [`compile_shadertoy`](crate::frontend::compile_shadertoy).
    pub shadertoy: bool,
    /// Coordinate origin, as returned by [`crate::frontend::origin_of`]; `None` is the lower left corner for a
    /// Shadertoy and the upper left corner otherwise.
    pub origin: Option<Origin>,
    /// Width in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Samples per pixel, each shaded; the picture is their average. 0 counts as 1.
    pub samples: u32,
    /// Pictures for the textures that are not in `named`, in ascending order of set and binding.
    pub textures: &'a [DynamicImage],
    /// Pictures for textures by name.
    pub named: &'a [NamedTexture<'a>],
    /// Values for uniforms by name, see [`super::uniforms`].
    pub uniforms: &'a [GivenUniform<'a>],
    /// Values for uniforms that have no other value, such as [`crate::frontend::initial_values`].
    pub initial: &'a [GivenUniform<'a>],
    /// True if the shader works with premultiplied colours, as AGSL does: pictures are multiplied by their alpha when
    /// they are loaded, and the result is divided by its alpha.
    pub premultiplied: bool,
    /// A vertex shader and its shape; `None` draws a triangle that covers the picture.
    pub geometry: Option<GeometryDesc<'a>>,
}

impl RendererDesc<'_> {
    /// Coordinate origin of the picture.
    fn origin(&self) -> Origin {
        let own = if self.shadertoy { Origin::LowerLeft } else { Origin::UpperLeft };
        self.origin.unwrap_or(own)
    }
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
    /// Name by which the user sets the uniform.
    pub name: String,
    /// Type in GLSL notation.
    pub ty: String,
    /// `set 0, binding 1` or `push constants`.
    pub place: String,
    /// Offset in the block, in bytes.
    pub offset: usize,
    /// Value, one number per component.
    pub value: String,
    /// Source of the value.
    pub from: ValueFrom,
}

/// Source of a uniform's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValueFrom {
    /// Given by name.
    Given,
    /// One of the [`Inputs`].
    Inputs,
    /// Initial value in the shader.
    Initial,
    /// None: the value is 0.
    Nothing,
}

/// A fragment shader that is ready to render frames.
pub struct Renderer {
    device: Device,
    pipeline: GraphicsPipeline,
    interface: Interface,
    uniforms: Vec<Uniform>,
    push: Option<(usize, Vec<Block>)>,
    geometry: Option<Geometry>,
    target: Image,
    view: ImageView,
    /// Resolve target of the multisampled image.
    resolve: Option<ImageView>,
    shadertoy: bool,
    origin: Origin,
    premultiplied: bool,
    /// Names and values of uniforms given by the user.
    given: Vec<(String, String)>,
    /// Initial values of uniforms that are neither given nor inputs.
    initial: Vec<(String, String)>,
    warnings: Vec<String>,
    size: (u32, u32),
    /// Region to draw; `None` for the whole picture.
    only: Option<Rect>,
    texture_sizes: Vec<[f32; 3]>,
    /// Keeps the textures alive that descriptors refer to.
    _textures: Vec<ImageView>,
}

impl Renderer {
    /// Compiles the shader and binds its resources.
    ///
    /// # Errors
    /// Those of modules and pipelines; `Invalid` if there is no such entry point or if a value does not fit its
    /// uniform, `Unsupported` for kinds of resources that a picture cannot supply.
    pub fn new(device: &Device, desc: &RendererDesc<'_>) -> Result<Renderer> {
        let (stages, reflection) = Stages::new(device, desc)?;
        refuse_integers(&stages)?;
        let bindings = merged(stages.all().map(|s| &s.shader))?;
        let push_size = stages.all().map(|s| s.shader.push_size).max().unwrap_or(0);
        let interface = Interface::of(device, &bindings, push_size)?;
        let mut textures = Textures::new(device, desc)?;
        let uniforms = bind(device, &interface, &bindings, &stages.resources(), &mut textures)?;
        let push_blocks: Vec<Block> =
            stages.all().filter_map(|s| s.info.push_constants.as_ref()).map(Block::push).collect();
        let blocks: Vec<Block> =
            uniforms.iter().filter_map(|u| u.block.clone()).chain(push_blocks.iter().cloned()).collect();
        let push = (push_size > 0).then_some((push_size as usize, push_blocks));

        let size = (desc.width, desc.height);
        let geometry = match (&desc.geometry, &stages.vertex) {
            (Some(desc_), Some(vertex)) => {
                Some(Geometry::new(device, desc_, &vertex.info, size, desc.samples, desc.origin())?)
            }
            _ => None,
        };
        let mut warnings = textures.warnings();
        warnings.extend(without_data(&bindings));
        warnings.extend(without_color(&stages.fragment.info));
        warnings.extend(geometry.iter().flat_map(|g| g.warnings.clone()));
        warnings.extend(unfed_inputs(&stages.fragment.info, stages.vertex.as_ref().map(|v| &v.info)));
        let told =
            |name: &str| Inputs::knows(name) || geometry.as_ref().is_some_and(|g| g.camera.knows(name));
        let initial: Vec<GivenUniform<'_>> = desc.initial.iter().filter(|i| !told(i.0)).copied().collect();
        let known = |block: &Block, leaf: &Leaf| {
            is_shadertoys(desc.shadertoy, block)
                || is_cameras(geometry.as_ref(), block, leaf)
                || uniforms::is_given(block, leaf, &initial)
        };
        warnings.extend(uniforms::check(&blocks, desc.uniforms, known)?);
        if geometry.is_none() {
            warnings.extend(unused_stages(&reflection, &stages.fragment.info.name));
        }

        let pipeline = pipeline(device, &interface, stages, geometry.as_ref(), desc.samples)?;
        let (target, view, resolve) = target(device, desc)?;
        Ok(Renderer {
            device: device.clone(),
            pipeline,
            interface,
            uniforms,
            push,
            geometry,
            target,
            view,
            resolve,
            shadertoy: desc.shadertoy,
            origin: desc.origin(),
            premultiplied: desc.premultiplied,
            given: desc.uniforms.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            initial: initial.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect(),
            warnings,
            size,
            only: None,
            texture_sizes: desc.textures.iter().map(|t| [t.width() as f32, t.height() as f32, 1.0]).collect(),
            _textures: textures.kept,
        })
    }

    /// Restricts later draws to a region, in framebuffer coordinates; `None` draws the whole picture.
    pub fn draw_only(&mut self, area: Option<Rect>) {
        self.only = area;
    }

    /// Inputs that the shader expects but did not get, and given inputs that it does not use.
    pub fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Renders one frame. `inputs.channel_resolution` is replaced by the sizes of the textures.
    ///
    /// # Errors
    /// `Invalid` for inputs that are not finite and for values that do not fit their uniforms; those of
    /// [`Queue::run`](crate::Queue::run).
    pub fn render(&mut self, inputs: &Inputs) -> Result<RgbaImage> {
        inputs.check()?;
        let mut inputs = inputs.clone();
        for (to, from) in inputs.channel_resolution.iter_mut().zip(&self.texture_sizes) {
            *to = *from;
        }
        for uniform in &self.uniforms {
            let blocks = uniform.block.as_slice();
            uniform.buffer.write(0, &self.fill(&inputs, blocks, uniform.size)?)?;
        }

        let (width, height) = self.size;
        let mut commands = self.device.create_command_buffer();
        let area = Rect { x: 0, y: 0, width, height };
        let background = self.geometry.as_ref().map_or([0.0, 0.0, 0.0, 1.0], |g| g.background);
        let color = RenderingAttachment::clear(&self.view, background);
        let color = RenderingAttachment { resolve: self.resolve.clone(), ..color };
        let depth = self.geometry.as_ref().map(|g| RenderingAttachment::clear_depth(&g.depth, 1.0));
        commands.begin_rendering(&RenderingInfo {
            area,
            colors: vec![Some(color)],
            depth,
            ..Default::default()
        });
        commands.bind_graphics_pipeline(&self.pipeline);
        self.interface.bind(&mut commands, BindPoint::Graphics);
        if let Some((size, blocks)) = &self.push {
            commands.push_constants(0, &self.fill(&inputs, blocks, *size)?);
        }
        commands.set_size(width, height);
        if let Some(area) = self.only {
            commands.set_scissors(0, &[area]);
        }
        match &self.geometry {
            Some(geometry) => geometry.draw(&mut commands),
            None => {
                commands.draw(3, 1, 0, 0);
            }
        }
        commands.end_rendering().end()?;
        self.device.queue().run(&commands)?;

        let mut pixels = picture_of(&self.target)?;
        if self.premultiplied {
            unpremultiply(&mut pixels);
        }
        if self.origin == Origin::LowerLeft {
            reverse_rows(&mut pixels, 4 * width as usize);
        }
        Ok(pixels)
    }

    /// Returns the uniforms with their values in a frame.
    ///
    /// # Errors
    /// `Invalid` for values that do not fit their uniforms, `OutOfMemory` if the host lacks memory for the values.
    pub fn uniform_values(&self, inputs: &Inputs) -> Result<Vec<UniformValue>> {
        let (given, initial) = (pairs(&self.given), pairs(&self.initial));
        let buffers = self.uniforms.iter().flat_map(|u| u.block.iter().map(|b| (b, u.size)));
        let push = self.push.iter().flat_map(|(size, blocks)| blocks.iter().map(|b| (b, *size)));
        let mut out = Vec::new();
        for (block, size) in buffers.chain(push) {
            let bytes = self.fill(inputs, std::slice::from_ref(block), size)?;
            for leaf in uniforms::leaves(block) {
                let Some(value) = uniforms::show(block, &leaf, &bytes) else { continue };
                let from = match () {
                    _ if uniforms::is_given(block, &leaf, &given) => ValueFrom::Given,
                    _ if is_shadertoys(self.shadertoy, block) => ValueFrom::Inputs,
                    _ if Inputs::knows(&leaf.name) => ValueFrom::Inputs,
                    _ if is_cameras(self.geometry.as_ref(), block, &leaf) => ValueFrom::Inputs,
                    _ if uniforms::is_given(block, &leaf, &initial) => ValueFrom::Initial,
                    _ => ValueFrom::Nothing,
                };
                let (name, ty, offset) = (leaf.name, leaf.ty, leaf.offset);
                out.push(UniformValue { name, ty, place: block.place(), offset, value, from });
            }
        }
        Ok(out)
    }

    /// Returns the bytes of a buffer or of the push constants. Stages may describe them by different blocks.
    fn fill(&self, inputs: &Inputs, blocks: &[Block], size: usize) -> Result<Vec<u8>> {
        let mut all = reserve::zeroed(size)?;
        for block in blocks {
            let mut bytes = reserve::zeroed(size)?;
            if is_shadertoys(self.shadertoy, block) {
                bytes.iter_mut().zip(inputs.shadertoy_block()).for_each(|(to, from)| *to = from);
            } else {
                bytes = inputs.fill(&members(&block.info), size)?;
            }
            if let Some(geometry) = &self.geometry {
                geometry.camera.fill(block, &mut bytes);
            }
            uniforms::fill(block, &pairs(&self.initial), &mut [], &mut bytes)?;
            uniforms::fill(block, &pairs(&self.given), &mut [], &mut bytes)?;
            all.iter_mut().zip(bytes).for_each(|(to, from)| *to |= from);
        }
        Ok(all)
    }
}

fn pairs(all: &[(String, String)]) -> Vec<GivenUniform<'_>> {
    all.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}

/// A pipeline stage and its reflected interface.
struct StageInfo {
    stage: ShaderStage,
    shader: Shader,
    info: EntryInfo,
}

impl StageInfo {
    /// Creates the stage, and returns the reflection of its module too.
    fn new(
        device: &Device,
        words: &[u32],
        entry: Option<&str>,
        stage: Stage,
        spec: &[(u32, &str)],
    ) -> Result<(StageInfo, Reflection)> {
        let module = device.create_shader_module(words)?;
        let spec = super::parse_specialization(module.module(), spec)?;
        let entry = match entry {
            Some(name) => name,
            None => module.only_entry(stage)?,
        };
        let shader = module.module().lower(entry, stage, &spec)?;
        let reflection = reflect::reflect(module.module())?;
        let info = reflection.entry_points.iter().find(|e| e.name == entry && e.stage == stage).cloned();
        let info = info.ok_or_else(|| Error::invalid(format!("there is no entry point `{entry}`")))?;
        let stage = ShaderStage { spec, ..ShaderStage::new(&module, entry) };
        Ok((StageInfo { stage, shader, info }, reflection))
    }
}

/// Stages of the pipeline.
struct Stages {
    fragment: StageInfo,
    /// `None` for the built-in triangle that covers the picture.
    vertex: Option<StageInfo>,
}

impl Stages {
    /// Creates the stages, and returns the reflection of the fragment shader's module too.
    fn new(device: &Device, desc: &RendererDesc<'_>) -> Result<(Stages, Reflection)> {
        let ids = |words: &[u32]| -> Result<Vec<u32>> {
            Ok(Module::parse(words)?.spec_constants().iter().map(|c| c.spec_id).collect())
        };
        let vertex_ids = desc.geometry.as_ref().map_or(Ok(Vec::new()), |g| ids(g.words))?;
        // Constants that the vertex shader lacks go to the fragment shader, which reports unknown ids.
        let of_vertex = |(id, _): &&(u32, &str)| vertex_ids.contains(id);
        let for_vertex: Vec<(u32, &str)> = desc.specialization.iter().filter(of_vertex).copied().collect();
        let fragment_ids = if for_vertex.is_empty() { Vec::new() } else { ids(desc.words)? };
        let of_fragment = |given: &&(u32, &str)| !of_vertex(given) || fragment_ids.contains(&given.0);
        let for_fragment: Vec<(u32, &str)> =
            desc.specialization.iter().filter(of_fragment).copied().collect();
        let (fragment, reflection) =
            StageInfo::new(device, desc.words, desc.entry, Stage::Fragment, &for_fragment)?;
        let vertex = desc
            .geometry
            .as_ref()
            .map(|g| StageInfo::new(device, g.words, g.entry, Stage::Vertex, &for_vertex));
        Ok((Stages { fragment, vertex: vertex.transpose()?.map(|(vertex, _)| vertex) }, reflection))
    }

    fn all(&self) -> impl Iterator<Item = &StageInfo> {
        std::iter::once(&self.fragment).chain(&self.vertex)
    }

    /// Returns the resources of all stages; if two stages have a block at the same binding, the larger one counts.
    fn resources(&self) -> Vec<reflect::Resource> {
        let mut all: Vec<reflect::Resource> = self.all().flat_map(|s| s.info.bindings.clone()).collect();
        let size = |r: &reflect::Resource| r.block.as_ref().map_or(0, |b| b.size);
        all.sort_by_key(|r| (r.set, r.binding, std::cmp::Reverse(size(r))));
        all.dedup_by_key(|r| (r.set, r.binding));
        all
    }
}

/// True for a uniform whose value comes from the geometry's camera.
fn is_cameras(geometry: Option<&Geometry>, block: &Block, leaf: &Leaf) -> bool {
    geometry.is_some_and(|g| g.camera.fill(block, &mut []).contains(leaf))
}

/// True for the uniform block of Shadertoy's declarations.
fn is_shadertoys(shadertoy: bool, block: &Block) -> bool {
    shadertoy && block.at == Some((0, 0))
}

/// Binds the shader's resources, and returns its uniform and storage buffers.
fn bind(
    device: &Device,
    interface: &Interface,
    bindings: &[Binding],
    resources: &[reflect::Resource],
    textures: &mut Textures<'_>,
) -> Result<Vec<Uniform>> {
    let resource = |b: &Binding| resources.iter().find(|r| (r.set, r.binding) == (b.set, b.binding));
    let mut uniforms = Vec::new();
    for b in bindings {
        match b.kind {
            ResourceKind::UniformBuffer | ResourceKind::StorageBuffer => {
                let size = (b.size as usize).next_multiple_of(4).max(4);
                let usage = BufferUsage::UNIFORM | BufferUsage::STORAGE;
                let buffer = device.create_bound_buffer(BufferDesc { size: size as u64, usage })?;
                // Members without a value stay zero.
                buffer.keep_zeros();
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
                    let what = format!("a {ty} ({}) in a picture: {}", describe(b), refusal(ty));
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

/// Returns `Invalid` if the colour of the picture is an integer.
fn refuse_integers(stages: &Stages) -> Result<()> {
    let color = stages.fragment.info.outputs.iter().find(|v| v.location == Some(0));
    match color.filter(|color| color.ty.starts_with(['i', 'u'])) {
        Some(color) => Err(Error::invalid(format!(
            "the output at location 0 is {}, but the colour of a picture is a float or a vector of floats",
            color.ty
        ))),
        None => Ok(()),
    }
}

/// Creates the pipeline; without a vertex stage, a triangle covers the picture.
fn pipeline(
    device: &Device,
    interface: &Interface,
    stages: Stages,
    geometry: Option<&Geometry>,
    samples: u32,
) -> Result<GraphicsPipeline> {
    let vertex = match stages.vertex {
        Some(vertex) => vertex.stage,
        None => ShaderStage::only(
            &device.create_shader_module(crate::frontend::fullscreen::vertex_words()?)?,
            Stage::Vertex,
        )?,
    };
    let mut desc = GraphicsPipelineDesc::new(&interface.layout, vertex, Some(stages.fragment.stage));
    desc.state.color_formats = vec![Some(FORMAT)];
    desc.state.samples = samples.max(1);
    desc.state.sample_shading = samples > 1;
    if !stages.fragment.info.outputs.iter().any(writes_alpha) {
        desc.state.blend = vec![BlendState { write_mask: 0b0111, ..BlendState::default() }];
    }
    if let Some(geometry) = geometry {
        geometry.describe(&mut desc);
    }
    device.create_graphics_pipeline(&desc)
}

/// True if an output has the alpha of the picture. A colour of fewer components leaves the alpha undefined (Fragment
/// Output Interface), and a window shows it all the same: the picture keeps the alpha of its background.
fn writes_alpha(output: &Variable) -> bool {
    let components = match (output.ty.as_str(), output.ty.split_once("vec")) {
        ("float" | "float16_t", _) => 1,
        (_, Some((_, rest))) => rest.chars().next().and_then(|n| n.to_digit(10)).unwrap_or(4),
        (_, None) => 4,
    };
    output.location == Some(0) && output.component + components > 3
}

/// Creates the render target: its image, the view to draw to, and the resolve target for several samples.
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

/// Warns about entry points of stages that a picture does not use.
fn unused_stages(reflection: &Reflection, entry: &str) -> Vec<String> {
    let unused = reflection.entry_points.iter();
    let unused = unused.filter(|e| !matches!(e.stage, Stage::Fragment | Stage::Compute));
    let warning = |e: &EntryInfo| {
        let stage = e.stage.name();
        format!("the {stage} shader `{}` is not used: `{entry}` is drawn over the whole picture", e.name)
    };
    unused.map(warning).collect()
}

/// Warns about storage buffers that only feed the shader, since a picture has no data for them.
fn without_data(bindings: &[Binding]) -> impl Iterator<Item = String> {
    let idle = |b: &&Binding| b.kind == ResourceKind::StorageBuffer && !b.written;
    bindings.iter().filter(idle).map(|b| {
        format!("no data is given for the {} at {}: it contains zeros", kind_name(b.kind), describe(b))
    })
}

/// Warns about a fragment shader that has no colour for the picture.
fn without_color(fragment: &EntryInfo) -> Option<String> {
    let has_color = fragment.outputs.iter().any(|v| v.location == Some(0));
    (!has_color).then(|| "the fragment shader has no output at location 0: it draws no colour".to_owned())
}

/// Warns about inputs of a fragment shader that no vertex shader writes.
fn unfed_inputs(entry: &EntryInfo, vertex: Option<&EntryInfo>) -> Vec<String> {
    let is_unfed = |v: &&Variable| match (vertex, v.location, v.ty.as_str()) {
        (_, None, _) => false,
        (None, Some(0), "vec2") => false,
        (Some(vertex), Some(_), _) if vertex.outputs.iter().any(|o| o.location == v.location) => false,
        _ => v.builtin.is_none(),
    };
    let why = if vertex.is_some() { "no vertex output is there" } else { "there is no vertex shader" };
    let warning = |v: &Variable| {
        let name = if v.name.is_empty() { String::new() } else { format!(" `{}`", v.name) };
        let location = v.location.unwrap_or(0);
        format!("the input{name} at location {location} gets no value: it is 0, as {why}")
    };
    entry.inputs.iter().filter(is_unfed).map(warning).collect()
}

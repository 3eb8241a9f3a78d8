//! Renders frames of a Shadertoy.

use std::collections::BTreeMap;

use image::RgbaImage;

use super::pass::{Compiled, Program, Shown};
use super::project::{ChannelFilter, PassId, ShadertoyProject};
use super::textures::Texture;
use super::{ShadertoyError, pass};
use crate::apps::inputs::Inputs;
use crate::apps::texture::{FORMAT, picture_of, reverse_rows};
use crate::frontend::{ChannelDim, Options, ShadertoyPass};
use crate::{Device, Error, Format, Image, ImageDesc, ImageUsage, ImageView, ImageViewDesc, Result};

/// Parameters for creating a [`Renderer`].
#[derive(Clone, Debug)]
pub struct RendererDesc {
    /// Width of the picture and the buffers, in pixels.
    pub width: u32,
    /// Height in pixels.
    pub height: u32,
    /// Samples per pixel of the picture, each shaded; buffers have one.
    pub samples: u32,
    /// Side of the faces of a cube map: [`ShadertoyPass::CUBE_SIDE`] on the site.
    pub cube_side: u32,
    /// Macros and includes for the compilation.
    pub options: Options,
}

impl RendererDesc {
    /// Returns a description with one sample per pixel, and cube maps as on the site.
    pub fn new(width: u32, height: u32) -> RendererDesc {
        let cube_side = ShadertoyPass::CUBE_SIDE;
        RendererDesc { width, height, samples: 1, cube_side, options: Options::default() }
    }
}

/// Render targets of a pass.
struct Buffer {
    /// Targets of even and odd frames; the same texture twice if the pass is constant.
    textures: [Texture; 2],
    /// Views of the layers of each texture.
    attachments: [Vec<ImageView>; 2],
    /// True if a pass samples smaller levels.
    mips: bool,
    /// True if the pass is drawn only once.
    is_constant: bool,
}

/// A Shadertoy that is ready to draw consecutive frames.
pub struct Renderer {
    device: Device,
    size: [u32; 2],
    programs: Vec<Program>,
    buffers: BTreeMap<PassId, Buffer>,
    target: Image,
    view: ImageView,
    /// Resolve target of the multisampled image.
    resolve: Option<ImageView>,
    feeds_back: bool,
    /// Number of frames drawn; its parity selects the textures to draw to.
    frames: usize,
}

impl Renderer {
    /// Compiles the passes and creates their render targets; all buffers are zero.
    ///
    /// # Errors
    /// `Invalid` for a Shadertoy without a picture; those of compiling a pass, of creating its pipeline and images, and
    /// of [`Queue::run`](crate::Queue::run).
    pub fn new(
        device: &Device,
        project: &ShadertoyProject,
        desc: &RendererDesc,
    ) -> Result<Renderer, ShadertoyError> {
        if project.pass(PassId::Image).is_none() {
            return Err(Error::invalid(format!("{}: there is no picture, only sound", project.name)).into());
        }
        let drawn = project.passes.iter().filter(|p| p.id != PassId::Sound);
        let compiled: Vec<Compiled> = drawn
            .map(|pass| Compiled::new(device, project, pass, &desc.options))
            .collect::<Result<_, _>>()?;
        let feeds_back = compiled.iter().any(|pass| pass.reads().any(|(read, _)| read >= pass.id));

        let mut buffers = BTreeMap::new();
        for pass in compiled.iter().filter(|p| p.id != PassId::Image) {
            let reads = compiled.iter().flat_map(Compiled::reads);
            let mips = reads.into_iter().any(|r| r == (pass.id, ChannelFilter::Mipmap));
            let buffer = buffer(device, pass, desc, mips);
            buffers.insert(pass.id, buffer.map_err(|e| pass::about(e, pass.id.name()))?);
        }
        let mut commands = device.create_command_buffer();
        buffers.values().flat_map(|b| &b.textures).for_each(|t| t.record_clear(&mut commands));
        commands.end()?;
        device.queue().run(&commands)?;

        let mut programs = Vec::new();
        for pass in &compiled {
            let (format, samples) = match pass.id {
                PassId::Image => (FORMAT, desc.samples.max(1)),
                id => (format_of(id), 1),
            };
            // Frame n draws to texture n % 2. An earlier pass has already drawn this frame; a later one still has the
            // frame before.
            let shown = |read: PassId| -> Option<Shown> {
                let [even, odd] = buffers.get(&read)?.textures.each_ref().map(Texture::clone);
                Some(if read < pass.id { [even, odd] } else { [odd, even] })
            };
            programs.push(Program::new(device, pass, format, samples, shown)?);
        }
        let (target, view, resolve) = target(device, desc)?;
        let (device, size) = (device.clone(), [desc.width, desc.height]);
        Ok(Renderer { device, size, programs, buffers, target, view, resolve, feeds_back, frames: 0 })
    }

    /// True if a frame depends on earlier frames.
    pub fn feeds_back(&self) -> bool {
        self.feeds_back
    }

    /// Draws the buffers of a frame without its picture, to skip to a later frame.
    ///
    /// # Errors
    /// `Invalid` for inputs that are not finite; those of [`Queue::run`](crate::Queue::run), which name the pass.
    pub fn advance(&mut self, inputs: &Inputs) -> Result<()> {
        self.run(inputs, false)
    }

    /// Draws the next frame. Channel resolutions and times in `inputs` are replaced.
    ///
    /// # Errors
    /// Those of [`advance`](Self::advance).
    pub fn render(&mut self, inputs: &Inputs) -> Result<RgbaImage> {
        self.run(inputs, true)?;
        let mut pixels = picture_of(&self.target)?;
        reverse_rows(&mut pixels, 4 * self.size[0] as usize);
        Ok(pixels)
    }

    /// Returns the texels of a buffer after the last frame, rows from the bottom, for tests and other programs.
    ///
    /// # Errors
    /// `OutOfMemory` if the host lacks memory for the texels.
    pub fn buffer(&self, id: PassId) -> Result<Option<Vec<[f32; 4]>>> {
        let Some(buffer) = self.buffers.get(&id).filter(|_| matches!(id, PassId::Buffer(_))) else {
            return Ok(None);
        };
        let bytes = buffer.textures[(self.frames + 1) % 2].read()?;
        let texel = |b: &[u8]| -> [f32; 4] {
            std::array::from_fn(|c| f32::from_le_bytes([b[4 * c], b[4 * c + 1], b[4 * c + 2], b[4 * c + 3]]))
        };
        Ok(Some(bytes.chunks_exact(16).map(texel).collect()))
    }

    fn run(&mut self, inputs: &Inputs, picture: bool) -> Result<()> {
        inputs.check()?;
        // Submit each pass separately: an error then names its pass, and each pass has its own time budget.
        for program in self.programs.iter().filter(|p| picture || p.id != PassId::Image) {
            let mut commands = self.device.create_command_buffer();
            match self.buffers.get(&program.id) {
                Some(buffer) if buffer.is_constant && self.frames > 0 => continue,
                Some(buffer) => {
                    let (texture, layers) =
                        (&buffer.textures[self.frames % 2], &buffer.attachments[self.frames % 2]);
                    let size = layers.first().map_or(self.size, ImageView::size);
                    program.tell(inputs, size)?;
                    for (n, layer) in layers.iter().enumerate() {
                        program.draw(&mut commands, (layer, None), n as i32, self.frames);
                    }
                    if buffer.mips {
                        texture.record_mips(&mut commands);
                    }
                }
                None => {
                    program.tell(inputs, self.size)?;
                    program.draw(&mut commands, (&self.view, self.resolve.as_ref()), 0, self.frames);
                }
            }
            let done = commands.end().and_then(|()| self.device.queue().run(&commands));
            done.map_err(|e| program.error(e))?;
        }
        self.frames += 1;
        Ok(())
    }
}

fn format_of(id: PassId) -> Format {
    if id == PassId::Cube { Format::R16G16B16A16_SFLOAT } else { Format::R32G32B32A32_SFLOAT }
}

fn buffer(device: &Device, pass: &Compiled, desc: &RendererDesc, mips: bool) -> Result<Buffer> {
    let (id, is_constant) = (pass.id, pass.is_constant());
    let (dim, [width, height]) = match id {
        PassId::Cube => (ChannelDim::Cube, [desc.cube_side; 2]),
        _ => (ChannelDim::D2, [desc.width, desc.height]),
    };
    let texture = || -> Result<Texture> {
        let extent = [width, height, 1];
        let usage = ImageUsage::COLOR_ATTACHMENT;
        let texture = Texture::new(device, dim, format_of(id), extent, mips, usage)?;
        // Buffers are black before the first frame.
        texture.keep_zeros();
        Ok(texture)
    };
    let layers = |texture: &Texture| -> Result<Vec<ImageView>> {
        let count = if texture.dim() == ChannelDim::Cube { 6 } else { 1 };
        (0..count).map(|layer| texture.attachment(device, layer)).collect()
    };
    let first = texture()?;
    let textures = [first.clone(), if is_constant { first } else { texture()? }];
    let attachments = [layers(&textures[0])?, layers(&textures[1])?];
    Ok(Buffer { textures, attachments, mips, is_constant })
}

/// Creates the picture's image, the view to draw to, and the resolve target for several samples.
fn target(device: &Device, desc: &RendererDesc) -> Result<(Image, ImageView, Option<ImageView>)> {
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

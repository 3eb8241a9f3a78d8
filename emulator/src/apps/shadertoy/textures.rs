//! Device images for the inputs of channels and the render targets of passes.

use super::project::{Channel, ChannelFilter, ChannelInput, ChannelSampler, ChannelWrap, Volume};
use crate::apps::texture::reverse_rows;
use crate::frontend::ChannelDim;
use crate::{
    AddressMode, Aspects, BufferImageCopy, BufferUsage, CommandBuffer, Device, Filter, Format, Image,
    ImageBlit, ImageDesc, ImageType, ImageUsage, ImageView, ImageViewDesc, Result, Sampler, SamplerDesc,
    SubresourceLayers, SubresourceRange, ViewDim,
};

/// An image that shaders sample.
#[derive(Clone, Debug)]
pub(super) struct Texture {
    image: Image,
    dim: ChannelDim,
    levels: u32,
    /// View of the largest level.
    first: ImageView,
    all: ImageView,
}

impl Texture {
    /// Creates an image of this size, with smaller levels if `mips`.
    pub fn new(
        device: &Device,
        dim: ChannelDim,
        format: Format,
        extent: [u32; 3],
        mips: bool,
        usage: ImageUsage,
    ) -> Result<Texture> {
        let longest = extent.into_iter().max().unwrap_or(1).max(1);
        let levels = if mips { longest.ilog2() + 1 } else { 1 };
        let usage = usage | ImageUsage::SAMPLED | ImageUsage::TRANSFER_DST | ImageUsage::TRANSFER_SRC;
        let [width, height, _] = extent;
        let desc = ImageDesc {
            image_type: if dim == ChannelDim::D3 { ImageType::D3 } else { ImageType::D2 },
            extent,
            levels,
            layers: if dim == ChannelDim::Cube { 6 } else { 1 },
            ..ImageDesc::new_2d(format, width, height, usage)
        };
        let image = device.create_bound_image(desc)?;
        let view = |levels: u32| {
            let desc = ImageViewDesc {
                dim: match dim {
                    ChannelDim::D2 => ViewDim::D2,
                    ChannelDim::Cube => ViewDim::Cube,
                    ChannelDim::D3 => ViewDim::D3,
                },
                levels,
                layers: image.desc().layers,
                ..ImageViewDesc::new_2d(format)
            };
            device.create_image_view(&image, desc)
        };
        Ok(Texture { first: view(1)?, all: view(levels)?, dim, levels, image })
    }

    /// Creates the texture for a channel that does not show a pass.
    pub fn of_channel(device: &Device, channel: &Channel) -> Result<Texture> {
        let mips = channel.sampler.filter == ChannelFilter::Mipmap;
        let (vflip, format) = match channel.sampler.srgb {
            true => (channel.sampler.vflip, Format::R8G8B8A8_SRGB),
            false => (channel.sampler.vflip, Format::R8G8B8A8_UNORM),
        };
        match &channel.input {
            ChannelInput::Picture(picture) => {
                let (width, height) = picture.dimensions();
                let mut texels = picture.as_raw().clone();
                if vflip {
                    reverse_rows(&mut texels, 4 * width as usize);
                }
                Texture::filled(device, ChannelDim::D2, format, [width, height, 1], mips, &texels)
            }
            ChannelInput::Faces(faces) => {
                let side = faces[0].width();
                // A vertical flip exchanges the top and bottom faces.
                let order = if vflip { [0, 1, 3, 2, 4, 5] } else { [0, 1, 2, 3, 4, 5] };
                let mut texels = Vec::new();
                for face in order {
                    let mut rows = faces[face].as_raw().clone();
                    if vflip {
                        reverse_rows(&mut rows, 4 * side as usize);
                    }
                    texels.extend(rows);
                }
                Texture::filled(device, ChannelDim::Cube, format, [side, side, 1], mips, &texels)
            }
            ChannelInput::Volume(volume) => {
                let Volume { size, float, texels } = &**volume;
                let format = if *float { Format::R32G32B32A32_SFLOAT } else { format };
                let turned = vflip.then(|| {
                    let mut texels = texels.clone();
                    let row = size[0] as usize * if *float { 16 } else { 4 };
                    texels.chunks_mut(row * size[1] as usize).for_each(|slice| reverse_rows(slice, row));
                    texels
                });
                let texels = turned.as_ref().unwrap_or(texels);
                Texture::filled(device, ChannelDim::D3, format, *size, mips, texels)
            }
            // One row each for keys that are down, keys just pressed, and keys that are toggled on.
            ChannelInput::Keyboard => {
                let texels = vec![0; 4 * 256 * 3];
                Texture::filled(device, ChannelDim::D2, format, [256, 3, 1], mips, &texels)
            }
            // The first row has the frequencies, the second the wave, whose zero level is 128.
            ChannelInput::Silence => {
                let texels = [[0, 0, 0, 255]; 512].into_iter().chain([[128, 0, 0, 255]; 512]);
                let texels: Vec<u8> = texels.flatten().collect();
                Texture::filled(device, ChannelDim::D2, Format::R8G8B8A8_UNORM, [512, 2, 1], mips, &texels)
            }
            ChannelInput::Black | ChannelInput::Pass(_) => {
                Texture::filled(device, ChannelDim::D2, format, [1, 1, 1], false, &[0, 0, 0, 255])
            }
        }
    }

    /// Creates one transparent texel, for a channel without an input.
    pub fn nothing(device: &Device) -> Result<Texture> {
        Texture::filled(device, ChannelDim::D2, Format::R8G8B8A8_UNORM, [1, 1, 1], false, &[0; 4])
    }

    fn filled(
        device: &Device,
        dim: ChannelDim,
        format: Format,
        extent: [u32; 3],
        mips: bool,
        texels: &[u8],
    ) -> Result<Texture> {
        let texture = Texture::new(device, dim, format, extent, mips, ImageUsage::SAMPLED)?;
        let buffer = device.create_buffer_with(texels, BufferUsage::TRANSFER_SRC)?;
        let whole = BufferImageCopy::whole(extent);
        let subresource = SubresourceLayers { layers: texture.image.desc().layers, ..whole.subresource };
        let mut commands = device.create_command_buffer();
        commands.copy_buffer_to_image(&buffer, &texture.image, &[BufferImageCopy { subresource, ..whole }]);
        texture.record_mips(&mut commands);
        commands.end()?;
        device.queue().run(&commands)?;
        Ok(texture)
    }

    /// Records the generation of the mip levels. Each texel is the mean of 2x2 texels of the level before, if its sides
    /// are even.
    pub fn record_mips(&self, commands: &mut CommandBuffer) {
        let layers = self.image.desc().layers;
        let side = |level: u32| self.image.desc().extent.map(|n| (n >> level).max(1) as i32);
        for level in 1..self.levels {
            let of = |level| SubresourceLayers { level, layers, ..SubresourceLayers::COLOR };
            let blit = ImageBlit {
                src: of(level - 1),
                src_offsets: [[0; 3], side(level - 1)],
                dst: of(level),
                dst_offsets: [[0; 3], side(level)],
            };
            commands.pipeline_barrier().blit_image(&self.image, &self.image, &[blit], true);
        }
        commands.pipeline_barrier();
    }

    /// Records a clear of all texels to 0.
    pub fn record_clear(&self, commands: &mut CommandBuffer) {
        let all = SubresourceRange {
            aspects: Aspects::COLOR,
            base_level: 0,
            levels: u32::MAX,
            base_layer: 0,
            layers: u32::MAX,
        };
        commands.clear_color_image(&self.image, [0; 4], &[all]);
    }

    /// Returns the view for a sampler with this filter.
    pub fn view(&self, filter: ChannelFilter) -> &ImageView {
        if filter == ChannelFilter::Mipmap { &self.all } else { &self.first }
    }

    /// Creates a view of one layer, to draw to.
    pub fn attachment(&self, device: &Device, layer: u32) -> Result<ImageView> {
        let desc = ImageViewDesc { base_layer: layer, ..ImageViewDesc::new_2d(self.image.format()) };
        device.create_image_view(&self.image, desc)
    }

    /// Declares that the initial zeros are intended contents.
    pub fn keep_zeros(&self) {
        self.image.keep_zeros();
    }

    /// Sampler type of the texture in the shader.
    pub fn dim(&self) -> ChannelDim {
        self.dim
    }

    /// Value for `iChannelResolution`.
    pub fn resolution(&self) -> [f32; 3] {
        self.image.desc().extent.map(|n| n as f32)
    }

    /// Reads the largest level of the first layer.
    pub fn read(&self) -> Result<Vec<u8>> {
        self.image.read_level(Aspects::COLOR, 0)
    }
}

/// Creates the sampler of a channel.
pub(super) fn sampler(device: &Device, settings: &ChannelSampler) -> Result<Sampler> {
    let filter = match settings.filter {
        ChannelFilter::Nearest => Filter::Nearest,
        ChannelFilter::Linear | ChannelFilter::Mipmap => Filter::Linear,
    };
    let address = match settings.wrap {
        ChannelWrap::Clamp => AddressMode::ClampToEdge,
        ChannelWrap::Repeat => AddressMode::Repeat,
    };
    device.create_sampler(SamplerDesc {
        mag_filter: filter,
        min_filter: filter,
        mipmap_mode: filter,
        address: [address; 3],
        ..SamplerDesc::default()
    })
}

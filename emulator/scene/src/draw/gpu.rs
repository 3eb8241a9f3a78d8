//! Helpers that create device objects for the passes of a scene.

use quadrille::{
    AddressMode, Aspects, Buffer, BufferDesc, BufferUsage, CommandBuffer, DescriptorBinding, DescriptorKind,
    DescriptorSetLayout, Device, Format, Image, ImageBlit, ImageDesc, ImageUsage, ImageView, ImageViewDesc,
    Result, Sampler, SamplerDesc, SubresourceLayers, ViewDim,
};

/// An image with a view of the whole image.
pub(crate) struct Target {
    pub image: Image,
    pub view: ImageView,
}

impl Target {
    /// A 2D image with one level.
    pub fn flat(
        device: &Device,
        format: Format,
        size: [u32; 2],
        samples: u32,
        usage: ImageUsage,
    ) -> Result<Self> {
        let desc = ImageDesc { samples, ..ImageDesc::new_2d(format, size[0], size[1], usage) };
        Target::new(device, desc, ViewDim::D2)
    }

    pub fn new(device: &Device, desc: ImageDesc, dim: ViewDim) -> Result<Self> {
        let aspect = if desc.usage.intersects(ImageUsage::DEPTH_STENCIL_ATTACHMENT) {
            Aspects::DEPTH
        } else {
            Aspects::COLOR
        };
        let view = ImageViewDesc {
            dim,
            aspect,
            levels: desc.levels,
            layers: desc.layers,
            ..ImageViewDesc::new_2d(desc.format)
        };
        let image = device.create_bound_image(desc)?;
        let view = device.create_image_view(&image, view)?;
        Ok(Target { image, view })
    }

    /// A view of one level and some layers.
    pub fn part(
        &self,
        device: &Device,
        dim: ViewDim,
        level: u32,
        layers: std::ops::Range<u32>,
    ) -> Result<ImageView> {
        let desc = ImageViewDesc {
            dim,
            aspect: self.view.desc().aspect,
            base_level: level,
            levels: 1,
            base_layer: layers.start,
            layers: layers.end - layers.start,
            ..ImageViewDesc::new_2d(self.image.format())
        };
        device.create_image_view(&self.image, desc)
    }
}

/// Number of levels down to one texel.
pub(crate) fn levels_of(width: u32, height: u32) -> u32 {
    width.max(height).ilog2() + 1
}

/// Records commands that make each level the average of the level before.
pub(crate) fn record_levels(commands: &mut CommandBuffer, image: &Image) {
    let desc = *image.desc();
    let [w, h, _] = desc.extent;
    let corners = |level: u32| [[0; 3], [(w >> level).max(1) as i32, (h >> level).max(1) as i32, 1]];
    let layers =
        |level| SubresourceLayers { aspects: Aspects::COLOR, level, base_layer: 0, layers: desc.layers };
    for level in 1..desc.levels {
        let blit = ImageBlit {
            src: layers(level - 1),
            src_offsets: corners(level - 1),
            dst: layers(level),
            dst_offsets: corners(level),
        };
        commands.blit_image(image, image, &[blit], true);
    }
}

/// A sampler with linear filters and clamped coordinates.
pub(crate) fn smooth_sampler(device: &Device) -> Result<Sampler> {
    device.create_sampler(SamplerDesc::linear(AddressMode::ClampToEdge))
}

/// A sampler with linear filters that repeats around the horizon.
pub(crate) fn panorama_sampler(device: &Device) -> Result<Sampler> {
    let address = [AddressMode::Repeat, AddressMode::ClampToEdge, AddressMode::ClampToEdge];
    device.create_sampler(SamplerDesc { address, ..SamplerDesc::linear(AddressMode::ClampToEdge) })
}

/// A descriptor set layout with these kinds at bindings 0, 1, ...
pub(crate) fn set_layout(device: &Device, kinds: &[DescriptorKind]) -> Result<DescriptorSetLayout> {
    let bindings: Vec<_> = (0..).zip(kinds).map(|(i, kind)| DescriptorBinding::new(i, *kind)).collect();
    device.create_descriptor_set_layout(&bindings)
}

/// A buffer with these elements, or with one zero element if there are none.
pub(crate) fn buffer_of<T: bytemuck::Pod>(device: &Device, data: &[T], usage: BufferUsage) -> Result<Buffer> {
    if data.is_empty() {
        return device.create_bound_buffer(BufferDesc { size: size_of::<T>().max(16) as u64, usage });
    }
    device.create_buffer_with(data, usage)
}

/// A buffer that grows with its contents.
pub(crate) struct Growing {
    usage: BufferUsage,
    pub buffer: Buffer,
}

impl Growing {
    pub fn new(device: &Device, usage: BufferUsage) -> Result<Self> {
        Ok(Growing { usage, buffer: device.create_bound_buffer(BufferDesc { size: 256, usage })? })
    }

    /// Replaces the contents; returns true if it allocated a new buffer.
    pub fn put<T: bytemuck::Pod>(&mut self, device: &Device, data: &[T]) -> Result<bool> {
        let bytes = size_of_val(data) as u64;
        let grows = bytes > self.buffer.size();
        if grows {
            let size = bytes.next_power_of_two();
            self.buffer = device.create_bound_buffer(BufferDesc { size, usage: self.usage })?;
        }
        self.buffer.write(0, data)?;
        Ok(grows)
    }
}

//! Descriptions of images and passes of scenes.

use ash::vk;

use super::SIZE;

/// The format of the picture.
pub const RGBA8: vk::Format = vk::Format::R8G8B8A8_UNORM;

/// Description of an image.
#[derive(Clone, Copy)]
pub struct Of {
    /// Format.
    pub format: vk::Format,
    /// Dimensionality.
    pub ty: vk::ImageType,
    /// Width, height and depth.
    pub size: [u32; 3],
    /// Levels.
    pub levels: u32,
    /// Layers.
    pub layers: u32,
    /// Samples.
    pub samples: u32,
    /// Usages, in addition to transfers, which are always allowed.
    pub usage: vk::ImageUsageFlags,
    /// Flags.
    pub flags: vk::ImageCreateFlags,
}

impl Of {
    /// A 2D image with one level, layer and sample.
    pub fn new(format: vk::Format, width: u32, height: u32, usage: vk::ImageUsageFlags) -> Of {
        Of {
            format,
            ty: vk::ImageType::TYPE_2D,
            size: [width, height, 1],
            levels: 1,
            layers: 1,
            samples: 1,
            usage,
            flags: vk::ImageCreateFlags::empty(),
        }
    }

    /// A colour attachment of the size of the picture that can also be sampled.
    pub fn target(format: vk::Format) -> Of {
        use vk::ImageUsageFlags as U;
        Of::new(format, SIZE, SIZE, U::COLOR_ATTACHMENT | U::SAMPLED)
    }

    /// A depth or stencil attachment of the size of the picture that can also be sampled.
    pub fn depth(format: vk::Format) -> Of {
        use vk::ImageUsageFlags as U;
        Of::new(format, SIZE, SIZE, U::DEPTH_STENCIL_ATTACHMENT | U::SAMPLED)
    }

    /// A sampled 2D image.
    pub fn texture(format: vk::Format, width: u32, height: u32) -> Of {
        Of::new(format, width, height, vk::ImageUsageFlags::SAMPLED)
    }
}

/// An image with memory.
#[derive(Clone, Copy)]
pub struct Image {
    /// Handle.
    pub image: vk::Image,
    /// Description.
    pub of: Of,
}

/// Aspects of a format.
pub fn aspects(format: vk::Format) -> vk::ImageAspectFlags {
    use vk::Format as F;
    use vk::ImageAspectFlags as A;
    match format {
        F::D16_UNORM | F::D32_SFLOAT | F::X8_D24_UNORM_PACK32 => A::DEPTH,
        F::D16_UNORM_S8_UINT | F::D24_UNORM_S8_UINT | F::D32_SFLOAT_S8_UINT => A::DEPTH | A::STENCIL,
        F::S8_UINT => A::STENCIL,
        _ => A::COLOR,
    }
}

/// An attachment of a pass.
#[derive(Clone, Copy)]
pub struct Target {
    /// View.
    pub view: vk::ImageView,
    /// Format.
    pub format: vk::Format,
    /// Clear value; without one, the contents are loaded.
    pub clear: Option<vk::ClearValue>,
    /// Mode and destination of the resolve.
    pub resolve: Option<(vk::ResolveModeFlags, vk::ImageView)>,
}

/// Attachments of a pass.
#[derive(Clone)]
pub struct Pass {
    /// Colours.
    pub colors: Vec<Target>,
    /// Depth.
    pub depth: Option<Target>,
    /// Stencil.
    pub stencil: Option<Target>,
    /// Layers.
    pub layers: u32,
    /// View mask.
    pub views: u32,
    /// Width and height.
    pub size: [u32; 2],
}

/// A colour as a clear value.
pub fn rgba(float32: [f32; 4]) -> vk::ClearValue {
    vk::ClearValue { color: vk::ClearColorValue { float32 } }
}

/// Depth and stencil as a clear value.
pub fn zs(depth: f32, stencil: u32) -> vk::ClearValue {
    vk::ClearValue { depth_stencil: vk::ClearDepthStencilValue { depth, stencil } }
}

/// All levels and layers of an aspect.
pub fn whole(aspect_mask: vk::ImageAspectFlags) -> vk::ImageSubresourceRange {
    vk::ImageSubresourceRange {
        aspect_mask,
        base_mip_level: 0,
        level_count: vk::REMAINING_MIP_LEVELS,
        base_array_layer: 0,
        layer_count: vk::REMAINING_ARRAY_LAYERS,
    }
}

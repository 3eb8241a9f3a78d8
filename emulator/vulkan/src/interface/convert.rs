//! Conversions of the specification's enumerations to those of the device library. Tables are in the order of the
//! specification's values.

use ash::vk;
use quadrille::ir::Stage;
use quadrille::{AddressMode, Filter};
use quadrille::{
    AdvancedBlend, AdvancedOp, BindPoint, BlendFactor, BlendOp, BlendOverlap, CompareOp, ConservativeMode,
    CullMode, DepthBiasUnit, DomainOrigin, FrontFace, LineMode, LogicOp, PolygonMode, RateCombiner, Rect,
    ResolveMode, ShadingRate, StencilOp, Topology, Viewport,
};
use quadrille::{Aspects, SubresourceLayers, SubresourceRange};

use super::guard::VkResult;
use crate::newer::{DepthClampRangeEXT, USER_DEFINED_RANGE};

/// Returns entry `raw` of a table; a missing entry belongs to a feature that is not supported.
fn pick<T: Copy>(table: &[T], raw: i32) -> VkResult<T> {
    let found = usize::try_from(raw).ok().and_then(|i| table.get(i));
    found.copied().ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)
}

/// Converts a bind point. All others belong to features that are not supported.
pub fn bind_point(point: vk::PipelineBindPoint) -> BindPoint {
    match point {
        vk::PipelineBindPoint::COMPUTE => BindPoint::Compute,
        vk::PipelineBindPoint::RAY_TRACING_KHR => BindPoint::RayTracing,
        _ => BindPoint::Graphics,
    }
}

macro_rules! tables {
    ($($(#[$m:meta])* $name:ident: $vk:ty => $ty:ident [$($variant:ident),* $(,)?];)*) => {$(
        $(#[$m])*
        pub fn $name(v: $vk) -> VkResult<$ty> {
            pick(&[$($ty::$variant),*], v.as_raw())
        }
    )*};
}

tables! {
    compare_op: vk::CompareOp => CompareOp [
        Never, Less, Equal, LessOrEqual, Greater, NotEqual, GreaterOrEqual, Always,
    ];
    stencil_op: vk::StencilOp => StencilOp [
        Keep, Zero, Replace, IncrementAndClamp, DecrementAndClamp, Invert, IncrementAndWrap,
        DecrementAndWrap,
    ];
    blend_factor: vk::BlendFactor => BlendFactor [
        Zero, One, SrcColor, OneMinusSrcColor, DstColor, OneMinusDstColor, SrcAlpha, OneMinusSrcAlpha,
        DstAlpha, OneMinusDstAlpha, ConstantColor, OneMinusConstantColor, ConstantAlpha,
        OneMinusConstantAlpha, SrcAlphaSaturate, Src1Color, OneMinusSrc1Color, Src1Alpha,
        OneMinusSrc1Alpha,
    ];
    plain_blend_op: vk::BlendOp => BlendOp [Add, Subtract, ReverseSubtract, Min, Max];
    topology: vk::PrimitiveTopology => Topology [
        PointList, LineList, LineStrip, TriangleList, TriangleStrip, TriangleFan, LineListWithAdjacency,
        LineStripWithAdjacency, TriangleListWithAdjacency, TriangleStripWithAdjacency, PatchList,
    ];
    rate_combiner: vk::FragmentShadingRateCombinerOpKHR => RateCombiner [Keep, Replace, Min, Max, Mul];
    domain_origin: vk::TessellationDomainOrigin => DomainOrigin [UpperLeft, LowerLeft];
    front_face: vk::FrontFace => FrontFace [CounterClockwise, Clockwise];
    polygon_mode: vk::PolygonMode => PolygonMode [Fill, Line, Point];
    mipmap_mode: vk::SamplerMipmapMode => Filter [Nearest, Linear];
    address_mode: vk::SamplerAddressMode => AddressMode [
        Repeat, MirroredRepeat, ClampToEdge, ClampToBorder, MirrorClampToEdge,
    ];
}

/// Converts a fragment shading rate.
pub fn shading_rate(
    size: vk::Extent2D,
    combiners: [vk::FragmentShadingRateCombinerOpKHR; 2],
) -> VkResult<ShadingRate> {
    let [a, b] = combiners.map(rate_combiner);
    Ok(ShadingRate { size: [size.width, size.height], combiners: [a?, b?] })
}

/// Converts a blend operation; `advanced` has the other parameters of advanced ones.
pub fn blend_op(v: vk::BlendOp, advanced: AdvancedBlend) -> VkResult<BlendOp> {
    let number = v.as_raw().wrapping_sub(vk::BlendOp::ZERO_EXT.as_raw());
    match usize::try_from(number).ok().and_then(|i| AdvancedOp::ALL.get(i)) {
        Some(&op) => Ok(BlendOp::Advanced(AdvancedBlend { op, ..advanced })),
        None => plain_blend_op(v),
    }
}

/// Converts the parameters of advanced blend operations.
pub fn advanced_blend(src: vk::Bool32, dst: vk::Bool32, overlap: vk::BlendOverlapEXT) -> AdvancedBlend {
    AdvancedBlend {
        op: AdvancedOp::Src,
        src_premultiplied: src != 0,
        dst_premultiplied: dst != 0,
        overlap: match overlap {
            vk::BlendOverlapEXT::DISJOINT => BlendOverlap::Disjoint,
            vk::BlendOverlapEXT::CONJOINT => BlendOverlap::Conjoint,
            _ => BlendOverlap::Uncorrelated,
        },
    }
}

/// Returns the parameters of advanced blend operations when their structure is absent.
pub fn default_advanced() -> AdvancedBlend {
    advanced_blend(vk::TRUE, vk::TRUE, vk::BlendOverlapEXT::UNCORRELATED)
}

/// Converts a logic operation.
pub fn logic_op(v: vk::LogicOp) -> VkResult<LogicOp> {
    let op = u32::try_from(v.as_raw()).ok().and_then(LogicOp::from_vk);
    op.ok_or(vk::Result::ERROR_FEATURE_NOT_PRESENT)
}

/// Returns the unit that the constant factor of the depth bias multiplies.
///
/// # Safety
/// `next` starts a valid chain.
pub unsafe fn depth_bias_unit(next: *const std::ffi::c_void) -> DepthBiasUnit {
    use vk::DepthBiasRepresentationEXT as R;
    // SAFETY: the caller promises a valid chain.
    let info = unsafe { crate::interface::chain::find::<vk::DepthBiasRepresentationInfoEXT>(next) };
    match info.map(|i| i.depth_bias_representation) {
        Some(R::LEAST_REPRESENTABLE_VALUE_FORCE_UNORM) => DepthBiasUnit::ForceUnorm,
        Some(R::FLOAT) => DepthBiasUnit::Float,
        _ => DepthBiasUnit::Format,
    }
}

/// Converts a resolve mode; `None` does not resolve.
pub fn resolve_mode(v: vk::ResolveModeFlags) -> Option<ResolveMode> {
    use vk::ResolveModeFlags as R;
    let table = [
        (R::SAMPLE_ZERO, ResolveMode::SampleZero),
        (R::AVERAGE, ResolveMode::Average),
        (R::MIN, ResolveMode::Min),
        (R::MAX, ResolveMode::Max),
    ];
    table.iter().find(|(bit, _)| v.contains(*bit)).map(|(_, mode)| *mode)
}

/// Converts a line rasterization mode.
pub fn line_mode(v: vk::LineRasterizationModeKHR) -> VkResult<LineMode> {
    Ok(match v {
        vk::LineRasterizationModeKHR::DEFAULT | vk::LineRasterizationModeKHR::RECTANGULAR => {
            LineMode::Rectangular
        }
        vk::LineRasterizationModeKHR::BRESENHAM => LineMode::Bresenham,
        vk::LineRasterizationModeKHR::RECTANGULAR_SMOOTH => LineMode::RectangularSmooth,
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

/// Returns the bit of a stage.
pub fn stage_flag(stage: Stage) -> vk::ShaderStageFlags {
    use vk::ShaderStageFlags as F;
    match stage {
        Stage::Vertex => F::VERTEX,
        Stage::TessellationControl => F::TESSELLATION_CONTROL,
        Stage::TessellationEvaluation => F::TESSELLATION_EVALUATION,
        Stage::Geometry => F::GEOMETRY,
        Stage::Task => F::TASK_EXT,
        Stage::Mesh => F::MESH_EXT,
        Stage::Fragment => F::FRAGMENT,
        Stage::Compute => F::COMPUTE,
        Stage::RayGeneration => F::RAYGEN_KHR,
        Stage::Intersection => F::INTERSECTION_KHR,
        Stage::AnyHit => F::ANY_HIT_KHR,
        Stage::ClosestHit => F::CLOSEST_HIT_KHR,
        Stage::Miss => F::MISS_KHR,
        Stage::Callable => F::CALLABLE_KHR,
    }
}

/// Converts a conservative rasterization mode.
pub fn conservative_mode(v: vk::ConservativeRasterizationModeEXT) -> VkResult<ConservativeMode> {
    use vk::ConservativeRasterizationModeEXT as M;
    Ok(match v {
        M::DISABLED => ConservativeMode::Disabled,
        M::OVERESTIMATE => ConservativeMode::Overestimate,
        M::UNDERESTIMATE => ConservativeMode::Underestimate,
        _ => return Err(vk::Result::ERROR_FEATURE_NOT_PRESENT),
    })
}

/// Converts a depth clamp mode with its range; `None` is the range of the viewport.
///
/// # Safety
/// `range` is null or points to a range, or the mode does not need one.
pub unsafe fn depth_clamp_range(mode: i32, range: *const DepthClampRangeEXT) -> Option<[f32; 2]> {
    if mode != USER_DEFINED_RANGE {
        return None;
    }
    // SAFETY: the caller promises that the pointer is null or valid in this mode.
    let range = unsafe { range.as_ref() }?;
    Some([range.min_depth_clamp, range.max_depth_clamp])
}

/// Converts a filter.
pub fn filter(v: vk::Filter) -> VkResult<Filter> {
    match v {
        vk::Filter::CUBIC_EXT => Ok(Filter::Cubic),
        v => pick(&[Filter::Nearest, Filter::Linear], v.as_raw()),
    }
}

/// Converts a cull mode.
pub fn cull_mode(v: vk::CullModeFlags) -> CullMode {
    CullMode { front: v.contains(vk::CullModeFlags::FRONT), back: v.contains(vk::CullModeFlags::BACK) }
}

/// Converts a viewport.
pub fn viewport(v: &vk::Viewport) -> Viewport {
    Viewport {
        x: v.x,
        y: v.y,
        width: v.width,
        height: v.height,
        min_depth: v.min_depth,
        max_depth: v.max_depth,
    }
}

/// Converts a rectangle.
pub fn rect(r: &vk::Rect2D) -> Rect {
    Rect { x: r.offset.x, y: r.offset.y, width: r.extent.width, height: r.extent.height }
}

/// Converts aspects of an image.
pub fn aspects(v: vk::ImageAspectFlags) -> Aspects {
    Aspects(v.as_raw())
}

/// Converts an offset.
pub fn offset(o: vk::Offset3D) -> [i32; 3] {
    [o.x, o.y, o.z]
}

/// Converts an extent.
pub fn extent(e: vk::Extent3D) -> [u32; 3] {
    [e.width, e.height, e.depth]
}

/// Returns the sample locations within the pixel.
///
/// # Safety
/// The structure is valid.
pub unsafe fn sample_locations(info: &vk::SampleLocationsInfoEXT<'_>) -> Vec<[f32; 2]> {
    // SAFETY: the caller promises a valid structure, which has `sample_locations_count` locations for a grid of one
    // pixel.
    let all = unsafe { crate::interface::chain::slice(info.p_sample_locations, info.sample_locations_count) };
    all.iter().map(|l| [l.x, l.y]).collect()
}

/// Converts a sample count.
pub fn samples(s: vk::SampleCountFlags) -> u32 {
    s.as_raw()
}

/// Converts the layers of a subresource.
pub fn layers(s: &vk::ImageSubresourceLayers) -> SubresourceLayers {
    SubresourceLayers {
        aspects: aspects(s.aspect_mask),
        level: s.mip_level,
        base_layer: s.base_array_layer,
        layers: s.layer_count,
    }
}

/// Converts a subresource range.
pub fn range(r: &vk::ImageSubresourceRange) -> SubresourceRange {
    SubresourceRange {
        aspects: aspects(r.aspect_mask),
        base_level: r.base_mip_level,
        levels: r.level_count,
        base_layer: r.base_array_layer,
        layers: r.layer_count,
    }
}

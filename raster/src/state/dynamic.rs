//! State that changes from draw to draw without preparation. Prepared state is left to [`DrawState`](crate::DrawState).

use std::mem::swap;

use super::rasterization::LineStipple;
use super::shading_rate::ShadingRate;

/// A viewport. Spec: VkViewport; height may be negative.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Viewport {
    /// Left.
    pub x: f32,
    /// Top.
    pub y: f32,
    /// Width.
    pub width: f32,
    /// Height.
    pub height: f32,
    /// Depth of z = 0.
    pub min_depth: f32,
    /// Depth of z = w.
    pub max_depth: f32,
}

impl Viewport {
    /// A viewport of this size at the origin, with depth from 0 to 1.
    pub fn of_size(width: u32, height: u32) -> Self {
        Viewport { width: width as f32, height: height as f32, max_depth: 1.0, ..Viewport::default() }
    }
}

/// A rectangle of pixels.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Rect {
    /// Left.
    pub x: i32,
    /// Top.
    pub y: i32,
    /// Width.
    pub width: u32,
    /// Height.
    pub height: u32,
}

impl Rect {
    /// A rectangle of this size at the origin.
    pub fn of_size(width: u32, height: u32) -> Self {
        Rect { x: 0, y: 0, width, height }
    }
}

/// Rectangles in which fragments are kept or discarded. Spec: VkPipelineDiscardRectangleStateCreateInfoEXT.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiscardRectangles {
    /// `true` if the rectangles have an effect.
    pub enable: bool,
    /// `true` if pixels inside of a rectangle are discarded, instead of those outside of all rectangles.
    pub exclusive: bool,
    /// Number of the rectangles that are used, at most.
    pub count: u32,
    /// The rectangles.
    pub rects: Vec<Rect>,
}

impl Default for DiscardRectangles {
    fn default() -> Self {
        DiscardRectangles { enable: false, exclusive: false, count: u32::MAX, rects: Vec::new() }
    }
}

impl DiscardRectangles {
    /// The rectangles that are used; none if they have no effect.
    pub fn used(&self) -> &[Rect] {
        let count = if self.enable { self.rects.len().min(self.count as usize) } else { 0 };
        &self.rects[..count]
    }
}

/// Unit of the constant factor of the depth bias. Spec: VkDepthBiasRepresentationEXT.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum DepthBiasUnit {
    /// Smallest difference that the depth format resolves.
    #[default]
    Format,
    /// Like `Format`, but 2^-24 for float formats.
    ForceUnorm,
    /// One.
    Float,
}

/// Spec: vkCmdSetDepthBias.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct DepthBias {
    /// depthBiasConstantFactor.
    pub constant: f32,
    /// depthBiasClamp.
    pub clamp: f32,
    /// depthBiasSlopeFactor.
    pub slope: f32,
    /// Unit of the constant factor.
    pub unit: DepthBiasUnit,
}

/// Dynamic parts of a stencil face.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct StencilDynamic {
    /// Mask of the bits that are compared.
    pub compare_mask: u32,
    /// Mask of the bits that are written.
    pub write_mask: u32,
    /// Reference value.
    pub reference: u32,
}

/// State that needs no preparation.
#[derive(Clone, Debug, PartialEq)]
pub struct Dynamic {
    /// Viewports, by number.
    pub viewports: Vec<Viewport>,
    /// Scissors, by viewport number.
    pub scissors: Vec<Rect>,
    /// Number of control points of a patch.
    pub patch_control_points: u32,
    /// Blend constants.
    pub blend_constants: [f32; 4],
    /// Depth bias factors.
    pub depth_bias: DepthBias,
    /// Line width in pixels.
    pub line_width: f32,
    /// Line stipple.
    pub line_stipple: LineStipple,
    /// Depth bounds.
    pub depth_bounds: [f32; 2],
    /// Stencil masks and references of front and back faces.
    pub stencil: [StencilDynamic; 2],
    /// Sample locations within the pixel, for states with custom sample locations.
    pub sample_locations: Vec<[f32; 2]>,
    /// Fragment shading rate.
    pub shading_rate: ShadingRate,
    /// Rectangles in which fragments are kept or discarded.
    pub discard_rectangles: DiscardRectangles,
    /// Range to which depth is clamped, if it is not that of the viewport. Spec: VkDepthClampRangeEXT.
    pub depth_clamp_range: Option<[f32; 2]>,
    /// Distance in pixels by which polygons grow if their coverage is overestimated. Spec:
    /// extraPrimitiveOverestimationSize.
    pub overestimation: f32,
}

impl Dynamic {
    /// Resets to the default, but keeps the memory of lists.
    pub fn clear(&mut self) {
        let mut fresh = Dynamic::default();
        swap(&mut fresh.viewports, &mut self.viewports);
        swap(&mut fresh.scissors, &mut self.scissors);
        swap(&mut fresh.sample_locations, &mut self.sample_locations);
        swap(&mut fresh.discard_rectangles.rects, &mut self.discard_rectangles.rects);
        fresh.viewports.clear();
        fresh.scissors.clear();
        fresh.sample_locations.clear();
        fresh.discard_rectangles.rects.clear();
        *self = fresh;
    }
}

impl Default for Dynamic {
    fn default() -> Self {
        Dynamic {
            viewports: Vec::new(),
            scissors: Vec::new(),
            patch_control_points: 1,
            blend_constants: [0.0; 4],
            depth_bias: DepthBias::default(),
            line_width: 1.0,
            line_stipple: LineStipple::default(),
            depth_bounds: [0.0, 1.0],
            stencil: Default::default(),
            sample_locations: Vec::new(),
            shading_rate: ShadingRate::default(),
            discard_rectangles: DiscardRectangles::default(),
            depth_clamp_range: None,
            overestimation: 0.0,
        }
    }
}

impl Dynamic {
    /// Default state with one viewport and scissor of this size.
    pub fn of_size(width: u32, height: u32) -> Self {
        Dynamic {
            viewports: vec![Viewport::of_size(width, height)],
            scissors: vec![Rect::of_size(width, height)],
            ..Dynamic::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_cleared_is_the_default_with_its_room() {
        let mut state = Dynamic::default();
        state.viewports.push(Viewport::of_size(4, 4));
        state.scissors.push(Rect::of_size(4, 4));
        state.sample_locations.push([0.5; 2]);
        (state.patch_control_points, state.line_width, state.depth_bounds) = (3, 2.0, [0.25, 0.5]);
        state.stencil[1].reference = 7;
        state.clear();
        assert_eq!(state, Dynamic::default());
        assert!(state.viewports.capacity() > 0 && state.scissors.capacity() > 0);
    }
}

//! Recording of dynamic state.

use quadrille_jit::ir::MAX_STREAMS;
use quadrille_raster::state::{
    BlendEquation, BlendState, CompareOp, ConservativeMode, CullMode, DepthBias, DomainOrigin, DrawStateDesc,
    FrontFace, LineMode, LineStipple, LogicOp, PolygonMode, Rect, ShadingRate, StencilFace, Topology,
    VertexAttribute, VertexBinding, Viewport,
};

use super::record::CommandBuffer;
use super::state::State;
use crate::error::ensure;
use crate::limits::{LIMITS, at_most};
use crate::pipeline::{
    check_discard_rectangles, check_patch_control_points, check_shading_rate, check_vertex_input,
};

impl CommandBuffer {
    fn set(&mut self, f: impl FnOnce(&mut State)) -> &mut Self {
        self.step(|c| {
            f(&mut c.state);
            c.state.changed_dynamic();
            Ok(())
        })
    }

    fn set_prepared(&mut self, f: impl FnOnce(&mut DrawStateDesc)) -> &mut Self {
        self.step(|c| {
            f(c.state.prepared_for());
            Ok(())
        })
    }

    /// Sets viewports from number `first` on.
    pub fn set_viewports(&mut self, first: u32, viewports: &[Viewport]) -> &mut Self {
        self.step(|c| {
            at_most("viewports", u64::from(first) + viewports.len() as u64, LIMITS.max_viewports.into())?;
            put(&mut c.state.dynamic.viewports, first as usize, viewports);
            c.state.changed_dynamic();
            Ok(())
        })
    }

    /// Sets scissors from number `first` on.
    pub fn set_scissors(&mut self, first: u32, scissors: &[Rect]) -> &mut Self {
        self.step(|c| {
            at_most("scissors", u64::from(first) + scissors.len() as u64, LIMITS.max_viewports.into())?;
            put(&mut c.state.dynamic.scissors, first as usize, scissors);
            c.state.changed_dynamic();
            Ok(())
        })
    }

    /// Sets all viewports and their count.
    pub fn set_viewports_with_count(&mut self, viewports: &[Viewport]) -> &mut Self {
        self.set(|s| s.dynamic.viewports.clear()).set_viewports(0, viewports)
    }

    /// Sets all scissors and their count.
    pub fn set_scissors_with_count(&mut self, scissors: &[Rect]) -> &mut Self {
        self.set(|s| s.dynamic.scissors.clear()).set_scissors(0, scissors)
    }

    /// Sets one viewport and one scissor that cover an image of this size.
    pub fn set_size(&mut self, width: u32, height: u32) -> &mut Self {
        self.set_viewports(0, &[Viewport::of_size(width, height)])
            .set_scissors(0, &[Rect::of_size(width, height)])
    }

    /// Sets the number of control points of a patch.
    pub fn set_patch_control_points(&mut self, points: u32) -> &mut Self {
        self.step(|c| {
            check_patch_control_points(points)?;
            c.state.dynamic.patch_control_points = points;
            c.state.changed_dynamic();
            Ok(())
        })
    }
    /// Sets the origin of the tessellation domain.
    pub fn set_tessellation_domain_origin(&mut self, origin: DomainOrigin) -> &mut Self {
        self.set_prepared(|s| s.domain_origin = origin)
    }
    /// Sets the vertex stream of the last pre-rasterization stage that is rasterized.
    pub fn set_rasterization_stream(&mut self, stream: u32) -> &mut Self {
        self.step(|c| {
            ensure((stream as usize) < MAX_STREAMS, || format!("rasterization of stream {stream}"))?;
            c.state.prepared_for().rasterization_stream = stream;
            Ok(())
        })
    }
    /// Sets the number of pixels per fragment. Spec: Vulkan, vkCmdSetFragmentShadingRateKHR.
    pub fn set_fragment_shading_rate(&mut self, rate: ShadingRate) -> &mut Self {
        self.step(|c| {
            check_shading_rate(&rate)?;
            c.state.dynamic.shading_rate = rate;
            c.state.changed_dynamic();
            Ok(())
        })
    }
    /// Sets the width of lines.
    pub fn set_line_width(&mut self, width: f32) -> &mut Self {
        self.set(|s| s.dynamic.line_width = width)
    }
    /// Sets the stipple of lines.
    pub fn set_line_stipple(&mut self, stipple: LineStipple) -> &mut Self {
        self.set(|s| s.dynamic.line_stipple = stipple)
    }
    /// Sets the depth bias.
    pub fn set_depth_bias(&mut self, bias: DepthBias) -> &mut Self {
        self.set(|s| s.dynamic.depth_bias = bias)
    }
    /// Sets the blend constants.
    pub fn set_blend_constants(&mut self, constants: [f32; 4]) -> &mut Self {
        self.set(|s| s.dynamic.blend_constants = constants)
    }
    /// Sets the depth bounds.
    pub fn set_depth_bounds(&mut self, min: f32, max: f32) -> &mut Self {
        self.set(|s| s.dynamic.depth_bounds = [min, max])
    }
    /// Sets stencil compare masks of front and back faces.
    pub fn set_stencil_compare_mask(&mut self, front: bool, back: bool, mask: u32) -> &mut Self {
        self.set(|s| faces(&mut s.dynamic.stencil, front, back, |f| f.compare_mask = mask))
    }
    /// Sets stencil write masks of front and back faces.
    pub fn set_stencil_write_mask(&mut self, front: bool, back: bool, mask: u32) -> &mut Self {
        self.set(|s| faces(&mut s.dynamic.stencil, front, back, |f| f.write_mask = mask))
    }
    /// Sets stencil references of front and back faces.
    pub fn set_stencil_reference(&mut self, front: bool, back: bool, reference: u32) -> &mut Self {
        self.set(|s| faces(&mut s.dynamic.stencil, front, back, |f| f.reference = reference))
    }
    /// Sets the faces to cull.
    pub fn set_cull_mode(&mut self, cull: CullMode) -> &mut Self {
        self.set_prepared(|s| s.cull = cull)
    }
    /// Sets the winding order of front faces.
    pub fn set_front_face(&mut self, front_face: FrontFace) -> &mut Self {
        self.set_prepared(|s| s.front_face = front_face)
    }
    /// Sets the topology.
    pub fn set_primitive_topology(&mut self, topology: Topology) -> &mut Self {
        self.set_prepared(|s| s.topology = topology)
    }
    /// Enables or disables primitive restart.
    pub fn set_primitive_restart_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.primitive_restart = enable)
    }
    /// Sets the index that restarts primitives. It holds until the next index buffer is bound.
    /// Spec: Vulkan, vkCmdSetPrimitiveRestartIndexEXT.
    pub fn set_primitive_restart_index(&mut self, index: u32) -> &mut Self {
        self.step(|c| {
            c.state.set_restart_index(index);
            Ok(())
        })
    }
    /// Enables or disables rasterizer discard: `true` discards all primitives before rasterization.
    pub fn set_rasterizer_discard_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.rasterizer_discard = enable)
    }
    /// Enables or disables the depth bias.
    pub fn set_depth_bias_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.depth_bias = enable)
    }
    /// Enables or disables the depth test.
    pub fn set_depth_test_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.depth.test = enable)
    }
    /// Enables or disables depth writes.
    pub fn set_depth_write_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.depth.write = enable)
    }
    /// Sets the depth comparison.
    pub fn set_depth_compare_op(&mut self, compare: CompareOp) -> &mut Self {
        self.set_prepared(|s| s.depth.compare = compare)
    }
    /// Enables or disables the depth bounds test.
    pub fn set_depth_bounds_test_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.depth.bounds = enable)
    }
    /// Enables or disables the stencil test.
    pub fn set_stencil_test_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.stencil_test = enable)
    }
    /// Sets stencil operations of front and back faces.
    pub fn set_stencil_op(&mut self, front: bool, back: bool, face: StencilFace) -> &mut Self {
        self.set_prepared(|s| faces(&mut s.stencil, front, back, |f| *f = face))
    }
    /// Sets the logic operation.
    pub fn set_logic_op(&mut self, op: LogicOp) -> &mut Self {
        self.set_prepared(|s| s.logic_op = op)
    }
    /// Enables or disables the logic operation.
    pub fn set_logic_op_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.logic_op_enable = enable)
    }
    /// Enables or disables writes to each colour attachment.
    pub fn set_color_write_enable(&mut self, enable: &[bool]) -> &mut Self {
        self.set_prepared(|s| s.color_write_enable = enable.to_vec())
    }
    /// Sets vertex bindings, with their strides, and attributes.
    pub fn set_vertex_input(
        &mut self,
        bindings: &[VertexBinding],
        attributes: &[VertexAttribute],
    ) -> &mut Self {
        self.step(|c| {
            check_vertex_input(bindings, attributes)?;
            let s = c.state.prepared_for();
            s.vertex_input_later = false;
            s.vertex_bindings = bindings.to_vec();
            s.vertex_attributes = attributes.to_vec();
            for b in bindings {
                put(&mut s.vertex_strides, b.binding as usize, &[Some(b.stride)]);
            }
            Ok(())
        })
    }
    /// Enables or disables depth clamping.
    pub fn set_depth_clamp_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.depth_clamp = enable)
    }
    /// Sets the range to which depth is clamped; with `None`, that of the viewport.
    pub fn set_depth_clamp_range(&mut self, range: Option<[f32; 2]>) -> &mut Self {
        self.set(|s| s.dynamic.depth_clamp_range = range)
    }
    /// Sets discard rectangles from number `first` on.
    pub fn set_discard_rectangles(&mut self, first: u32, rects: &[Rect]) -> &mut Self {
        self.step(|c| {
            check_discard_rectangles(u64::from(first) + rects.len() as u64)?;
            put(&mut c.state.dynamic.discard_rectangles.rects, first as usize, rects);
            c.state.changed_dynamic();
            Ok(())
        })
    }
    /// Enables or disables discard rectangles.
    pub fn set_discard_rectangle_enable(&mut self, enable: bool) -> &mut Self {
        self.set(|s| s.dynamic.discard_rectangles.enable = enable)
    }
    /// Sets the discard rectangle mode: pixels inside of a rectangle are discarded if `exclusive`, else those outside of
    /// all rectangles.
    pub fn set_discard_rectangle_exclusive(&mut self, exclusive: bool) -> &mut Self {
        self.set(|s| s.dynamic.discard_rectangles.exclusive = exclusive)
    }
    /// Sets the coverage of pixels that polygons touch in part.
    pub fn set_conservative_rasterization_mode(&mut self, mode: ConservativeMode) -> &mut Self {
        self.set_prepared(|s| s.conservative = mode)
    }
    /// Sets the distance in pixels by which polygons grow if their coverage is overestimated.
    pub fn set_extra_primitive_overestimation_size(&mut self, size: f32) -> &mut Self {
        self.set(|s| s.dynamic.overestimation = size)
    }
    /// Enables or disables clipping of primitives to the depth range.
    pub fn set_depth_clip_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.depth_clip = Some(enable))
    }
    /// Sets the depth range of the view volume: -w to w if `enable`, else 0 to w.
    pub fn set_depth_clip_negative_one_to_one(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.negative_one_to_one = enable)
    }
    /// Sets the polygon mode: polygons are drawn filled, as lines or as points.
    pub fn set_polygon_mode(&mut self, mode: PolygonMode) -> &mut Self {
        self.set_prepared(|s| s.polygon_mode = mode)
    }
    /// Sets the number of samples.
    pub fn set_rasterization_samples(&mut self, samples: u32) -> &mut Self {
        self.set_prepared(|s| s.samples = samples)
    }
    /// Sets the rasterization mode of lines.
    pub fn set_line_rasterization_mode(&mut self, mode: LineMode) -> &mut Self {
        self.set_prepared(|s| s.line_mode = mode)
    }
    /// Enables or disables line stippling.
    pub fn set_line_stipple_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.line_stipple = enable)
    }
    /// Sets the provoking vertex: the last vertex of a primitive if `last`, else the first.
    pub fn set_provoking_vertex_last(&mut self, last: bool) -> &mut Self {
        self.set_prepared(|s| s.provoking_last = last)
    }
    /// Sets the sample locations within a pixel, in pixels, as multiples of 1/16.
    pub fn set_sample_locations(&mut self, locations: &[[f32; 2]]) -> &mut Self {
        self.set(|s| s.dynamic.sample_locations = locations.to_vec())
    }
    /// Enables or disables custom sample locations.
    pub fn set_sample_locations_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.sample_locations = enable)
    }
    /// Sets the sample mask: samples whose bit is 0 are never covered.
    pub fn set_sample_mask(&mut self, mask: u32) -> &mut Self {
        self.set_prepared(|s| s.sample_mask = Some(mask))
    }
    /// Enables or disables alpha to coverage.
    pub fn set_alpha_to_coverage_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.alpha_to_coverage = enable)
    }
    /// Enables or disables alpha to one.
    pub fn set_alpha_to_one_enable(&mut self, enable: bool) -> &mut Self {
        self.set_prepared(|s| s.alpha_to_one = enable)
    }
    /// Enables or disables blending for colour attachments from number `first` on.
    pub fn set_color_blend_enable(&mut self, first: u32, enable: &[bool]) -> &mut Self {
        self.attachments(first, enable, |b, enable| b.enable = enable)
    }
    /// Sets the blend equations of colour attachments from number `first` on: first for colour, then for alpha.
    pub fn set_color_blend_equations(&mut self, first: u32, equations: &[[BlendEquation; 2]]) -> &mut Self {
        self.attachments(first, equations, |b, equations| b.equations = equations)
    }
    /// Sets the write masks of colour attachments from number `first` on: the components that draws write.
    pub fn set_color_write_masks(&mut self, first: u32, masks: &[u8]) -> &mut Self {
        self.attachments(first, masks, |b, mask| b.write_mask = mask)
    }

    fn attachments<T: Copy>(
        &mut self,
        first: u32,
        values: &[T],
        set: impl Fn(&mut BlendState, T),
    ) -> &mut Self {
        self.step(|c| {
            let end = u64::from(first) + values.len() as u64;
            at_most("colour attachments", end, LIMITS.max_color_attachments.into())?;
            let blend = &mut c.state.prepared_for().blend;
            if blend.len() < end as usize {
                blend.resize(end as usize, BlendState { write_mask: 0, ..BlendState::default() });
            }
            blend[first as usize..].iter_mut().zip(values).for_each(|(b, v)| set(b, *v));
            Ok(())
        })
    }
}

pub(super) fn put<T: Clone + Default>(list: &mut Vec<T>, first: usize, values: &[T]) {
    if list.len() < first + values.len() {
        list.resize(first + values.len(), T::default());
    }
    list[first..first + values.len()].clone_from_slice(values);
}

fn faces<T>(both: &mut [T; 2], front: bool, back: bool, f: impl Fn(&mut T)) {
    if front {
        f(&mut both[0]);
    }
    if back {
        f(&mut both[1]);
    }
}

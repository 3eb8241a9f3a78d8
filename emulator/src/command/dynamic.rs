//! Recording of dynamic state.

use quadrille_raster::state::{
    CompareOp, CullMode, DepthBias, FrontFace, Rect, StencilFace, Topology, Viewport,
};

use super::record::CommandBuffer;
use super::state::{BindPoint, State};
use crate::limits::{LIMITS, at_most};
use crate::pipeline::Extended;

impl CommandBuffer {
    pub(super) fn extended(&mut self) -> &mut Extended {
        let default = || Extended::of(&Default::default());
        self.state.extended.get_or_insert_with(default)
    }

    fn set(&mut self, f: impl FnOnce(&mut State)) -> &mut Self {
        self.step(|c| {
            f(&mut c.state);
            c.state.changed(BindPoint::Graphics);
            Ok(())
        })
    }

    fn set_extended(&mut self, f: impl FnOnce(&mut Extended)) -> &mut Self {
        self.step(|c| {
            f(c.extended());
            c.state.changed(BindPoint::Graphics);
            Ok(())
        })
    }

    /// Sets viewports from number `first` on.
    pub fn set_viewports(&mut self, first: u32, viewports: &[Viewport]) -> &mut Self {
        self.step(|c| {
            at_most("viewports", u64::from(first) + viewports.len() as u64, LIMITS.max_viewports.into())?;
            put(&mut c.state.dynamic.viewports, first as usize, viewports);
            c.state.changed(BindPoint::Graphics);
            Ok(())
        })
    }

    /// Sets scissors from number `first` on.
    pub fn set_scissors(&mut self, first: u32, scissors: &[Rect]) -> &mut Self {
        self.step(|c| {
            at_most("scissors", u64::from(first) + scissors.len() as u64, LIMITS.max_viewports.into())?;
            put(&mut c.state.dynamic.scissors, first as usize, scissors);
            c.state.changed(BindPoint::Graphics);
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

    /// One viewport and scissor over a whole picture.
    pub fn set_size(&mut self, width: u32, height: u32) -> &mut Self {
        self.set_viewports(0, &[Viewport::of_size(width, height)])
            .set_scissors(0, &[Rect::of_size(width, height)])
    }

    /// Sets the width of lines.
    pub fn set_line_width(&mut self, width: f32) -> &mut Self {
        self.set(|s| s.dynamic.line_width = width)
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
    /// Sets which faces are dropped.
    pub fn set_cull_mode(&mut self, cull: CullMode) -> &mut Self {
        self.set_extended(|e| e.cull = cull)
    }
    /// Sets which winding is front.
    pub fn set_front_face(&mut self, front_face: FrontFace) -> &mut Self {
        self.set_extended(|e| e.front_face = front_face)
    }
    /// Sets the topology.
    pub fn set_primitive_topology(&mut self, topology: Topology) -> &mut Self {
        self.set_extended(|e| e.topology = topology)
    }
    /// Sets primitive restart.
    pub fn set_primitive_restart_enable(&mut self, enable: bool) -> &mut Self {
        self.set_extended(|e| e.restart = enable)
    }
    /// Sets whether nothing is rasterized.
    pub fn set_rasterizer_discard_enable(&mut self, enable: bool) -> &mut Self {
        self.set_extended(|e| e.discard = enable)
    }
    /// Sets whether the depth bias is applied.
    pub fn set_depth_bias_enable(&mut self, enable: bool) -> &mut Self {
        self.set_extended(|e| e.depth_bias = enable)
    }
    /// Sets the depth test.
    pub fn set_depth_test_enable(&mut self, enable: bool) -> &mut Self {
        self.set_extended(|e| e.depth_test = enable)
    }
    /// Sets depth writes.
    pub fn set_depth_write_enable(&mut self, enable: bool) -> &mut Self {
        self.set_extended(|e| e.depth_write = enable)
    }
    /// Sets the depth comparison.
    pub fn set_depth_compare_op(&mut self, compare: CompareOp) -> &mut Self {
        self.set_extended(|e| e.depth_compare = compare)
    }
    /// Sets the depth bounds test.
    pub fn set_depth_bounds_test_enable(&mut self, enable: bool) -> &mut Self {
        self.set_extended(|e| e.depth_bounds = enable)
    }
    /// Sets the stencil test.
    pub fn set_stencil_test_enable(&mut self, enable: bool) -> &mut Self {
        self.set_extended(|e| e.stencil_test = enable)
    }
    /// Sets stencil operations of front and back faces.
    pub fn set_stencil_op(&mut self, front: bool, back: bool, face: StencilFace) -> &mut Self {
        self.set_extended(|e| faces(&mut e.stencil, front, back, |f| *f = face))
    }
}

fn put<T: Clone + Default>(list: &mut Vec<T>, first: usize, values: &[T]) {
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

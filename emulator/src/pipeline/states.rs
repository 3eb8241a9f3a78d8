//! Table of the state of a graphics pipeline. Each row has the name of a dynamic state, the part of the pipeline that
//! it belongs to, and the fields that hold it.
//!
//! All code that copies state uses these rows: values that commands have set into the state of a pipeline, and the
//! state of pipeline libraries into that of the linked pipeline. Fields of [`DrawStateDesc`] and [`Dynamic`] without a
//! row are not pipeline state: they are interfaces of the shaders, or are set only by tests.

use quadrille_raster::state::{DrawStateDesc, Dynamic, VertexBinding};

use crate::flags::{PipelineParts, flags};

/// Fields of a state, with functions to copy and compare them.
#[derive(Clone, Copy)]
pub enum Fields {
    /// State that the rasterizer prepares for: other values need another prepared state.
    Prepared {
        /// Copies the values from the second argument to the first.
        copy: fn(&mut DrawStateDesc, &DrawStateDesc),
        /// Returns `true` if `copy` would change nothing.
        same: fn(&DrawStateDesc, &DrawStateDesc) -> bool,
    },
    /// State that the rasterizer takes per draw.
    PerDraw {
        /// Copies the values from the second argument to the first.
        copy: fn(&mut Dynamic, &Dynamic),
    },
}

/// A state with a name, or several unnamed states of the same part.
#[derive(Clone, Copy)]
pub struct StateRow {
    /// Name of the dynamic state flag; empty if the state cannot be dynamic.
    pub name: &'static str,
    /// Dynamic state flag.
    pub dynamic: DynamicStates,
    /// Value of VkDynamicState.
    pub number: Option<i32>,
    /// Part of the pipeline that contains the state.
    pub part: PipelineParts,
    /// Fields of the values; `None` if the state has no effect.
    pub fields: Option<Fields>,
}

/// Makes a function that copies places from its second argument to its first.
macro_rules! copy {
    ($ty:ty, |$s:ident| $($place:expr),+) => {
        |to: &mut $ty, from: &$ty| {
            $({
                let value = {
                    let $s = from;
                    Clone::clone(&$place)
                };
                let $s = &mut *to;
                $place = value;
            })+
        }
    };
}

macro_rules! fields {
    (prepared |$s:ident| $($place:expr),+) => {
        Some(Fields::Prepared {
            copy: copy!(DrawStateDesc, |$s| $($place),+),
            same: |to, from| {
                true $(&& {
                    let $s = to;
                    let is = &$place;
                    let $s = from;
                    *is == $place
                })+
            },
        })
    };
    // A field of each colour attachment of the pipeline, and the value for attachments that commands did not set.
    (attachments |$b:ident| $place:expr, $unset:expr) => {
        Some(Fields::Prepared {
            copy: |to, from| {
                for (i, $b) in to.blend.iter_mut().enumerate() {
                    let value = from.blend.get(i).map_or($unset, |$b| $place);
                    $place = value;
                }
            },
            same: |to, from| {
                let mut all = to.blend.iter().enumerate();
                all.all(|(i, $b)| $place == from.blend.get(i).map_or($unset, |$b| $place))
            },
        })
    };
    (per_draw |$s:ident| $($place:expr),+) => {
        Some(Fields::PerDraw { copy: copy!(Dynamic, |$s| $($place),+) })
    };
    (strides) => {
        Some(Fields::Prepared {
            copy: copy!(DrawStateDesc, |s| s.vertex_strides),
            // Only strides of bindings that exist are compared.
            same: |to, from| {
                let of = |b: &VertexBinding| from.vertex_strides.get(b.binding as usize).copied().flatten();
                to.vertex_bindings.iter().all(|b| to.stride(b) == of(b).unwrap_or(b.stride))
            },
        })
    };
    (nothing) => {
        None
    };
}

macro_rules! states {
    ($($part:ident {
        $($(#[$d:meta])* $name:ident[$number:literal] = $kind:ident $(|$s:ident| $($place:expr),+)?;)*
        $(_ = $fixed:ident |$f:ident| $($at:expr),+;)*
    })*) => {
        #[expect(non_camel_case_types, clippy::upper_case_acronyms, reason = "has the names of the flags")]
        enum Bit { $($($name,)*)* }

        flags! {
            /// State that commands set instead of the pipeline. Spec: Vulkan, VkDynamicState; the bit values are
            /// private to this crate.
            DynamicStates: u64 {
                $($($(#[$d])* $name = 1 << Bit::$name as u64;)*)*
            }
        }

        /// All states of a graphics pipeline.
        pub const STATES: &[StateRow] = &[$(
            $(StateRow {
                name: stringify!($name),
                dynamic: DynamicStates::$name,
                number: Some($number),
                part: PipelineParts::$part,
                fields: fields!($kind $(|$s| $($place),+)?),
            },)*
            $(StateRow {
                name: "",
                dynamic: DynamicStates::NONE,
                number: None,
                part: PipelineParts::$part,
                fields: fields!($fixed |$f| $($at),+),
            },)*
        )*];
    };
}

states! {
    VERTEX_INPUT {
        /// Vertex bindings, with their strides, and attributes.
        VERTEX_INPUT[1000352000] = prepared
            |s| s.vertex_input_later, s.vertex_bindings, s.vertex_attributes, s.vertex_strides;
        /// Strides of vertex bindings.
        VERTEX_INPUT_BINDING_STRIDE[1000267005] = strides;
        /// Topology.
        PRIMITIVE_TOPOLOGY[1000267002] = prepared |s| s.topology;
        /// Primitive restart.
        PRIMITIVE_RESTART_ENABLE[1000377004] = prepared |s| s.primitive_restart;
    }
    PRE_RASTERIZATION {
        /// Number of vertices of a patch.
        PATCH_CONTROL_POINTS[1000377000] = per_draw |d| d.patch_control_points;
        /// Origin of the tessellation domain.
        TESSELLATION_DOMAIN_ORIGIN[1000455002] = prepared |s| s.domain_origin;
        /// Viewports.
        VIEWPORT[0] = per_draw |d| d.viewports;
        /// Viewports with their count.
        VIEWPORT_WITH_COUNT[1000267003] = per_draw |d| d.viewports;
        /// Scissors.
        SCISSOR[1] = per_draw |d| d.scissors;
        /// Scissors with their count.
        SCISSOR_WITH_COUNT[1000267004] = per_draw |d| d.scissors;
        /// View volume with z from -w to w.
        DEPTH_CLIP_NEGATIVE_ONE_TO_ONE[1000455022] = prepared |s| s.negative_one_to_one;
        /// Rasterizer discard.
        RASTERIZER_DISCARD_ENABLE[1000377001] = prepared |s| s.rasterizer_discard;
        /// Vertex stream that is rasterized.
        RASTERIZATION_STREAM[1000455013] = prepared |s| s.rasterization_stream;
        /// Cull mode.
        CULL_MODE[1000267000] = prepared |s| s.cull;
        /// Front face.
        FRONT_FACE[1000267001] = prepared |s| s.front_face;
        /// Polygon mode.
        POLYGON_MODE[1000455004] = prepared |s| s.polygon_mode;
        /// Depth clamping.
        DEPTH_CLAMP_ENABLE[1000455003] = prepared |s| s.depth_clamp;
        /// Range to which depth is clamped instead of that of the viewport.
        DEPTH_CLAMP_RANGE[1000582000] = per_draw |d| d.depth_clamp_range;
        /// Depth clipping.
        DEPTH_CLIP_ENABLE[1000455016] = prepared |s| s.depth_clip;
        /// Depth bias enable.
        DEPTH_BIAS_ENABLE[1000377002] = prepared |s| s.depth_bias;
        /// Depth bias factors.
        DEPTH_BIAS[3] = per_draw |d| d.depth_bias;
        /// Line width.
        LINE_WIDTH[2] = per_draw |d| d.line_width;
        /// Line stipple.
        LINE_STIPPLE[1000259000] = per_draw |d| d.line_stipple;
        /// Line rasterization mode.
        LINE_RASTERIZATION_MODE[1000455020] = prepared |s| s.line_mode;
        /// Line stipple enable.
        LINE_STIPPLE_ENABLE[1000455021] = prepared |s| s.line_stipple;
        /// The vertex that flat inputs come from.
        PROVOKING_VERTEX_MODE[1000455019] = prepared |s| s.provoking_last;
        /// Fragment shading rate.
        FRAGMENT_SHADING_RATE[1000226000] = per_draw |d| d.shading_rate;
        /// Discard rectangles.
        DISCARD_RECTANGLE[1000099000] = per_draw |d| d.discard_rectangles.rects;
        /// Discard rectangles enable.
        DISCARD_RECTANGLE_ENABLE[1000099001] = per_draw |d| d.discard_rectangles.enable;
        /// Discard rectangle mode.
        DISCARD_RECTANGLE_MODE[1000099002] = per_draw |d| d.discard_rectangles.exclusive;
        /// Conservative rasterization mode.
        CONSERVATIVE_RASTERIZATION_MODE[1000455014] = prepared |s| s.conservative;
        /// Extra primitive overestimation size.
        EXTRA_PRIMITIVE_OVERESTIMATION_SIZE[1000455015] = per_draw |d| d.overestimation;
        _ = prepared |s| s.view_index_is_zero[0];
        _ = per_draw |d| d.discard_rectangles.count;
    }
    FRAGMENT_SHADER {
        /// Depth test enable.
        DEPTH_TEST_ENABLE[1000267006] = prepared |s| s.depth.test;
        /// Depth write enable.
        DEPTH_WRITE_ENABLE[1000267007] = prepared |s| s.depth.write;
        /// Depth comparison.
        DEPTH_COMPARE_OP[1000267008] = prepared |s| s.depth.compare;
        /// Depth bounds test enable.
        DEPTH_BOUNDS_TEST_ENABLE[1000267009] = prepared |s| s.depth.bounds;
        /// Depth bounds.
        DEPTH_BOUNDS[5] = per_draw |d| d.depth_bounds;
        /// Stencil test enable.
        STENCIL_TEST_ENABLE[1000267010] = prepared |s| s.stencil_test;
        /// Stencil operations.
        STENCIL_OP[1000267011] = prepared |s| s.stencil;
        /// Stencil compare masks.
        STENCIL_COMPARE_MASK[6] = per_draw |d| d.stencil[0].compare_mask, d.stencil[1].compare_mask;
        /// Stencil write masks.
        STENCIL_WRITE_MASK[7] = per_draw |d| d.stencil[0].write_mask, d.stencil[1].write_mask;
        /// Stencil references.
        STENCIL_REFERENCE[8] = per_draw |d| d.stencil[0].reference, d.stencil[1].reference;
        _ = prepared |s| s.view_index_is_zero[1], s.reads_in_order[0];
    }
    FRAGMENT_OUTPUT {
        /// Logic operation.
        LOGIC_OP[1000377003] = prepared |s| s.logic_op;
        /// Logic operation enable.
        LOGIC_OP_ENABLE[1000455009] = prepared |s| s.logic_op_enable;
        /// Blend enable, by attachment.
        COLOR_BLEND_ENABLE[1000455010] = attachments |b| b.enable, false;
        /// Blend equations, by attachment.
        COLOR_BLEND_EQUATION[1000455011] = attachments |b| b.equations, Default::default();
        /// Advanced blend equations, by attachment, which replace the others.
        COLOR_BLEND_ADVANCED[1000455018] = attachments |b| b.equations, Default::default();
        /// Write masks, by attachment.
        COLOR_WRITE_MASK[1000455012] = attachments |b| b.write_mask, 0;
        /// Colour write enables, by attachment.
        COLOR_WRITE_ENABLE[1000381000] = prepared |s| s.color_write_enable;
        /// Blend constants.
        BLEND_CONSTANTS[4] = per_draw |d| d.blend_constants;
        /// Rasterization samples.
        RASTERIZATION_SAMPLES[1000455005] = prepared |s| s.samples;
        /// Sample locations.
        SAMPLE_LOCATIONS[1000143000] = per_draw |d| d.sample_locations;
        /// Custom sample locations enable.
        SAMPLE_LOCATIONS_ENABLE[1000455017] = prepared |s| s.sample_locations;
        /// Sample mask.
        SAMPLE_MASK[1000455006] = prepared |s| s.sample_mask;
        /// Alpha to coverage.
        ALPHA_TO_COVERAGE_ENABLE[1000455007] = prepared |s| s.alpha_to_coverage;
        /// Alpha to one.
        ALPHA_TO_ONE_ENABLE[1000455008] = prepared |s| s.alpha_to_one;
        /// Attachments that are read while they are rendered to. No effect: such reads always work.
        ATTACHMENT_FEEDBACK_LOOP_ENABLE[1000524000] = nothing;
        _ = prepared
            |s| s.blend, s.color_formats, s.color_locations, s.depth_format, s.stencil_format, s.reads_in_order[1];
    }
}

impl StateRow {
    /// Copies the state from other values.
    pub fn copy(&self, to: (&mut DrawStateDesc, &mut Dynamic), from: (&DrawStateDesc, &Dynamic)) {
        match self.fields {
            Some(Fields::Prepared { copy, .. }) => copy(to.0, from.0),
            Some(Fields::PerDraw { copy }) => copy(to.1, from.1),
            None => {}
        }
    }
}

impl DynamicStates {
    /// Returns the dynamic states that belong to some parts of a pipeline.
    pub fn of(parts: PipelineParts) -> Self {
        let rows = STATES.iter().filter(|row| parts.contains(row.part));
        rows.fold(DynamicStates::NONE, |all, row| all | row.dynamic)
    }

    /// Returns the rows of these states, in table order.
    pub fn rows(self) -> impl Iterator<Item = &'static StateRow> {
        STATES.iter().filter(move |row| self.intersects(row.dynamic))
    }
}

#[cfg(test)]
mod tests {
    use quadrille_raster::state::{BlendState, CullMode, VertexRate};

    use super::*;

    /// A row copies the same fields that it compares.
    #[test]
    fn rows_copy_and_compare() {
        let of = |flag: DynamicStates| {
            let rows: Vec<_> = flag.rows().collect();
            assert_eq!(rows.len(), 1);
            match rows[0].fields {
                Some(Fields::Prepared { copy, same }) => (copy, same),
                _ => panic!("{} is not prepared", rows[0].name),
            }
        };
        let masked = |write_mask| BlendState { write_mask, ..BlendState::source_over() };
        let from = DrawStateDesc {
            cull: CullMode { front: true, back: false },
            sample_mask: Some(0),
            blend: vec![masked(3)],
            ..DrawStateDesc::default()
        };
        let mut to = DrawStateDesc { blend: vec![BlendState::default(); 2], ..DrawStateDesc::default() };
        for flag in [DynamicStates::CULL_MODE, DynamicStates::SAMPLE_MASK, DynamicStates::COLOR_WRITE_MASK] {
            let (copy, same) = of(flag);
            assert!(!same(&to, &from), "{flag:?}");
            copy(&mut to, &from);
            assert!(same(&to, &from), "{flag:?}");
        }
        assert_eq!(to.cull, from.cull);
        assert_eq!(to.sample_mask, Some(0));
        // Only the write masks are copied; an attachment without a value is not written.
        let kept = BlendState::default();
        assert_eq!(to.blend, [3, 0].map(|write_mask| BlendState { write_mask, ..kept }));
    }

    /// Dynamic vertex input includes the strides, which commands set with the vertex input or with the vertex buffers: the last one
    /// counts. Spec: Vulkan, vkCmdBindVertexBuffers3KHR and VUID-vkCmdDraw-None-13118.
    #[test]
    fn strides_are_those_of_the_last_command() {
        let binding = VertexBinding { binding: 0, stride: 16, rate: VertexRate::Vertex };
        let set = DrawStateDesc {
            vertex_bindings: vec![binding],
            vertex_strides: vec![Some(4)],
            ..DrawStateDesc::default()
        };
        for states in [
            DynamicStates::VERTEX_INPUT,
            DynamicStates::VERTEX_INPUT_BINDING_STRIDE,
            DynamicStates::VERTEX_INPUT | DynamicStates::VERTEX_INPUT_BINDING_STRIDE,
        ] {
            let mut to = DrawStateDesc { vertex_bindings: vec![binding], ..DrawStateDesc::default() };
            let mut dynamic = Dynamic::default();
            states.rows().for_each(|row| row.copy((&mut to, &mut dynamic), (&set, &Dynamic::default())));
            assert_eq!(to.stride(&binding), 4, "{states:?}");
        }
        let to = DrawStateDesc { vertex_bindings: vec![binding], ..DrawStateDesc::default() };
        assert_eq!(to.stride(&binding), 16);
    }

    /// Every state belongs to one part, and no two states have the same VkDynamicState value.
    #[test]
    fn states_are_told_apart() {
        let named: Vec<_> = STATES.iter().filter(|row| !row.dynamic.is_empty()).collect();
        for (i, row) in named.iter().enumerate() {
            assert_eq!(row.part.0.count_ones(), 1, "{}", row.name);
            assert!(named[..i].iter().all(|other| other.number != row.number), "{}", row.name);
            assert!(DynamicStates::of(row.part).contains(row.dynamic));
        }
        assert!(DynamicStates::of(PipelineParts::VERTEX_INPUT).contains(DynamicStates::VERTEX_INPUT));
        assert!(!DynamicStates::of(PipelineParts::FRAGMENT_OUTPUT).contains(DynamicStates::VERTEX_INPUT));
    }
}

//! Inputs and outputs of entry points, built-in or with a location.

use naga::{BuiltIn, Interpolation, Sampling, Scalar, ScalarKind, ShaderStage};

use super::super::super::parts::build::Ty;
use super::super::super::parts::source::Span;
use super::super::tree::{Attribute, Typed};
use super::{Lower, Lowered};

/// A built-in variable of the draft.
pub(super) struct Builtin {
    pub name: &'static str,
    pub stage: ShaderStage,
    /// True for an input, false for an output.
    pub input: bool,
    pub components: u32,
    pub scalar: Scalar,
    pub builtin: BuiltIn,
    /// True if the draft has it; otherwise only sources of 2021 use it.
    pub drafted: bool,
}

/// The variables in section 14 of the draft, then others that sources of 2021 use.
pub(super) const BUILTINS: [Builtin; 18] = {
    use BuiltIn as B;
    use ShaderStage::{Compute, Fragment, Vertex};
    const fn row(
        name: &'static str,
        stage: ShaderStage,
        input: bool,
        components: u32,
        scalar: Scalar,
        builtin: BuiltIn,
        drafted: bool,
    ) -> Builtin {
        Builtin { name, stage, input, components, scalar, builtin, drafted }
    }
    let position = B::Position { invariant: false };
    [
        row("vertex_index", Vertex, true, 1, Scalar::U32, B::VertexIndex, true),
        row("instance_index", Vertex, true, 1, Scalar::U32, B::InstanceIndex, true),
        row("position", Vertex, false, 4, Scalar::F32, position, true),
        row("frag_coord", Fragment, true, 4, Scalar::F32, position, true),
        row("front_facing", Fragment, true, 1, Scalar::BOOL, B::FrontFacing, true),
        row("frag_depth", Fragment, false, 1, Scalar::F32, B::FragDepth, true),
        row("local_invocation_id", Compute, true, 3, Scalar::U32, B::LocalInvocationId, true),
        row("local_invocation_index", Compute, true, 1, Scalar::U32, B::LocalInvocationIndex, true),
        row("global_invocation_id", Compute, true, 3, Scalar::U32, B::GlobalInvocationId, true),
        row("workgroup_id", Compute, true, 3, Scalar::U32, B::WorkGroupId, true),
        row("workgroup_size", Compute, true, 3, Scalar::U32, B::WorkGroupSize, true),
        row("sample_index", Fragment, true, 1, Scalar::U32, B::SampleIndex, true),
        row("sample_mask_in", Fragment, true, 1, Scalar::U32, B::SampleMask, true),
        row("sample_mask_out", Fragment, false, 1, Scalar::U32, B::SampleMask, true),
        row("position", Fragment, true, 4, Scalar::F32, position, false),
        row("sample_mask", Fragment, true, 1, Scalar::U32, B::SampleMask, false),
        row("sample_mask", Fragment, false, 1, Scalar::U32, B::SampleMask, false),
        row("num_workgroups", Compute, true, 3, Scalar::U32, B::NumWorkGroups, false),
    ]
};

/// Largest accepted location; no device has more.
const MAX_LOCATION: u32 = 1023;

/// An input or output, as its attributes describe it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Varying {
    /// Row number in [`BUILTINS`].
    Builtin(usize),
    Location(u32),
}

/// Returns the binding for a location: integers are flat, floats are interpolated.
pub(super) fn at_location(location: u32, kind: ScalarKind) -> naga::Binding {
    let float = kind == ScalarKind::Float;
    naga::Binding::Location {
        location,
        interpolation: Some(if float { Interpolation::Perspective } else { Interpolation::Flat }),
        sampling: float.then_some(Sampling::Center),
        blend_src: None,
        per_primitive: false,
    }
}

impl<'s> Lower<'s, '_> {
    /// Returns the input or output that the attributes of a variable, parameter, result or member declare. `input` is
    /// `None` if it is not yet known which of the two it is.
    pub(super) fn varying(
        &mut self,
        attributes: &[Attribute<'s>],
        ty: Ty,
        input: Option<bool>,
        stage: Option<ShaderStage>,
        span: Span,
    ) -> Lowered<Option<Varying>> {
        let location = self.number(attributes, "location", 0)?;
        let Some(word) = self.word(attributes, "builtin")? else {
            let Some(location) = location else { return Ok(None) };
            if location > MAX_LOCATION {
                return self.error(span, format!("locations go up to {MAX_LOCATION}"));
            }
            match self.b.components(ty) {
                Some((_, scalar)) if scalar.kind != ScalarKind::Bool => {}
                _ => {
                    let name = self.type_name(ty);
                    return self.error(span, format!("values of type `{name}` cannot be inputs or outputs"));
                }
            }
            return Ok(Some(Varying::Location(location)));
        };
        if location.is_some() {
            return self.error(word.span, "an input or output has a location or is built in, not both");
        }
        let strict = self.settings.strict;
        let named: Vec<usize> = (0..BUILTINS.len())
            .filter(|&i| BUILTINS[i].name == word.text && (BUILTINS[i].drafted || !strict))
            .collect();
        let Some(&first) = named.first() else {
            return self
                .error(word.span, format!("no input or output with the name `{}` is built in", word.text));
        };
        let wanted = named.into_iter().find(|&i| {
            input.is_none_or(|input| BUILTINS[i].input == input)
                && stage.is_none_or(|stage| BUILTINS[i].stage == stage)
        });
        let Some(found) = wanted else {
            let (what, class) = if BUILTINS[first].input { ("read", "in") } else { ("written", "out") };
            let stage = stage_name(BUILTINS[first].stage);
            return self.error(
                word.span,
                format!("`{}` is {what} in {stage} shaders: its class is `{class}`", word.text),
            );
        };
        let row = &BUILTINS[found];
        let right = self.b.vector(row.components, row.scalar);
        if right != ty {
            let (name, right) = (row.name, self.type_name(right));
            return self.error(span, format!("`{name}` is of type `{right}`"));
        }
        Ok(Some(Varying::Builtin(found)))
    }

    /// Returns the binding of a member of a structure that is an input or output of an entry point.
    pub(super) fn varying_of_member(&mut self, member: &Typed<'s>, ty: Ty) -> Lowered<Option<naga::Binding>> {
        let varying = self.varying(&member.attributes, ty, None, None, member.name.span)?;
        let Some(varying) = varying else { return Ok(None) };
        let flat = self
            .word(&member.attributes, "interpolate")
            .is_ok_and(|word| word.is_some_and(|w| w.text == "flat"));
        Ok(Some(self.binding(varying, ty, flat)))
    }

    pub(super) fn binding(&self, varying: Varying, ty: Ty, flat: bool) -> naga::Binding {
        match varying {
            Varying::Builtin(row) => naga::Binding::BuiltIn(BUILTINS[row].builtin),
            Varying::Location(location) => {
                let kind = self.b.components(ty).map_or(ScalarKind::Float, |(_, scalar)| scalar.kind);
                at_location(location, if flat { ScalarKind::Uint } else { kind })
            }
        }
    }
}

pub(super) fn stage_name(stage: ShaderStage) -> &'static str {
    match stage {
        ShaderStage::Vertex => "vertex",
        ShaderStage::Fragment => "fragment",
        _ => "compute",
    }
}

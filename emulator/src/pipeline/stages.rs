//! Stages before rasterization: valid combinations of stages, modes that stages declare for each other, and types of
//! their interfaces.
//!
//! The rasterizer finds the places of a stage's outputs among the inputs of the next.

use std::sync::Arc;

use quadrille_jit::ir::{GeometryInput, Interface, Stage, StageKind, TessellationModes};
use quadrille_raster::state::{DrawStateDesc, PreRasterStage, StageInfo, Topology};

use super::GraphicsPipelineDesc;
use crate::device::Device;
use crate::error::{Error, Result, ensure};
use crate::shader::Variant;

/// Returns `Invalid` if stages cannot be combined. Spec: Vulkan, VkGraphicsPipelineCreateInfo, valid usage of
/// `pStages`.
pub(super) fn check(desc: &GraphicsPipelineDesc) -> Result<()> {
    let later = [&desc.tessellation_control, &desc.tessellation_evaluation, &desc.geometry];
    let later = later.iter().any(|s| s.is_some());
    match (&desc.vertex, &desc.mesh) {
        (None, None) => Err(Error::invalid("a pipeline needs a vertex or a mesh stage")),
        (Some(_), Some(_)) => Err(Error::invalid("a pipeline cannot have both a vertex and a mesh stage")),
        (Some(_), None) => ensure(desc.task.is_none(), || "a task stage without a mesh stage".into()),
        (None, Some(_)) => ensure(!later, || "a mesh stage with tessellation or geometry stage".into()),
    }
}

/// Returns `Invalid` if a per-primitive input of the fragment stage has another type than the output of the mesh stage.
/// Spec: Vulkan, "Shader Interfaces", Interface Matching.
pub(super) fn check_per_primitive(state: &DrawStateDesc) -> Result<()> {
    match &state.fragment {
        Some(f) => same_types(&state.last().primitive_outputs, &f.inputs, &f.name),
        None => Ok(()),
    }
}

/// Returns the stages for the rasterizer. `Invalid` if they do not form a pipeline.
pub(super) fn linked(stages: &[Arc<Variant>]) -> Result<Vec<PreRasterStage>> {
    let of = |v: &Arc<Variant>| PreRasterStage { kind: v.shader.kind, info: StageInfo::from(&*v.shader) };
    let mut linked: Vec<PreRasterStage> = stages.iter().map(of).collect();
    let has = |stage| stages.iter().any(|v| v.shader.stage == stage);
    ensure(has(Stage::TessellationControl) == has(Stage::TessellationEvaluation), || {
        "a pipeline needs both tessellation stages or neither".into()
    })?;
    if let [_, control, evaluation, ..] = &mut linked[..]
        && let (StageKind::TessellationControl(c), StageKind::TessellationEvaluation(e)) =
            (&mut control.kind, &mut evaluation.kind)
    {
        let modes = agreed(*c, *e)?;
        (*c, *e) = (modes, modes);
    }
    for pair in linked.windows(2) {
        let [from, to] = [&pair[0].info, &pair[1].info];
        same_types(&from.outputs, &to.inputs, &to.name)?;
        same_types(&from.patch_outputs, &to.patch_inputs, &to.name)?;
    }
    Ok(linked)
}

/// Returns a topology that the stages accept: `asked` if they accept it. The topology of a pipeline is irrelevant where
/// commands set it.
pub(super) fn topology(stages: &[PreRasterStage], asked: Topology) -> Topology {
    match (&stages[1..], stages.last().map(|s| s.kind)) {
        ([control, ..], _) if matches!(control.kind, StageKind::TessellationControl(_)) => {
            Topology::PatchList
        }
        (_, Some(StageKind::Geometry(modes))) if asked.primitive() != Some(modes.input) => {
            match modes.input {
                GeometryInput::Points => Topology::PointList,
                GeometryInput::Lines => Topology::LineList,
                GeometryInput::LinesAdjacency => Topology::LineListWithAdjacency,
                GeometryInput::Triangles => Topology::TriangleList,
                GeometryInput::TrianglesAdjacency => Topology::TriangleListWithAdjacency,
            }
        }
        _ if asked == Topology::PatchList => Topology::default(),
        _ => asked,
    }
}

/// Returns the number of vertices of an output patch, if only the evaluation stage declares it.
pub(super) fn stated_by_evaluation(device: &Device, desc: &GraphicsPipelineDesc) -> Result<Option<u32>> {
    let (Some(control), Some(evaluation)) = (&desc.tessellation_control, &desc.tessellation_evaluation)
    else {
        return Ok(None);
    };
    let shaders = device.shaders();
    match shaders.lower(device, control, Stage::TessellationControl)?.kind {
        StageKind::TessellationControl(modes) if modes.output_vertices.is_none() => {}
        _ => return Ok(None),
    }
    match shaders.lower(device, evaluation, Stage::TessellationEvaluation)?.kind {
        StageKind::TessellationEvaluation(modes) => Ok(modes.output_vertices),
        _ => Ok(None),
    }
}

/// Merges the modes of both tessellation stages. `Invalid` if they contradict each other, or if a required mode is
/// missing. Spec: Vulkan, VkGraphicsPipelineCreateInfo, valid usage of `pStages`.
fn agreed(control: TessellationModes, evaluation: TessellationModes) -> Result<TessellationModes> {
    fn same<T: PartialEq>(what: &str, a: Option<T>, b: Option<T>) -> Result<()> {
        ensure(a.is_none() || b.is_none() || a == b, || {
            format!("the tessellation stages declare different {what}")
        })
    }
    same("output vertices", control.output_vertices, evaluation.output_vertices)?;
    same("domains", control.domain, evaluation.domain)?;
    same("spacings", control.spacing, evaluation.spacing)?;
    same("vertex orders", control.order, evaluation.order)?;
    let modes = control.merge(evaluation);
    ensure(modes.output_vertices.is_some(), || "no tessellation stage declares OutputVertices".into())?;
    ensure(modes.domain.is_some(), || "no tessellation stage declares Triangles, Quads or Isolines".into())?;
    Ok(modes)
}

/// Returns `Invalid` if an input has another type than the output at its location. An input without an output reads
/// zero. Spec: Vulkan, "Shader Interfaces", Interface Matching.
fn same_types(outputs: &[Interface], inputs: &[Interface], name: &str) -> Result<()> {
    for input in inputs {
        let output = outputs.iter().find(|o| o.slot == input.slot);
        if let Some(output) = output.filter(|o| o.ty != input.ty) {
            return Err(Error::invalid(format!(
                "`{name}` reads {:?} as {:?}, but the previous stage outputs {:?}",
                input.slot, input.ty, output.ty
            )));
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use quadrille_jit::ir::{Slot, Ty};

    use super::*;

    /// Matching of interfaces. Spec: Vulkan, "Shader Interfaces", Interface Matching.
    #[test]
    fn an_input_has_the_type_of_its_output() {
        let at =
            |location, component, ty| Interface::new(Slot::Location { location, component, index: 0 }, ty);
        let outputs = [at(0, 0, Ty::F32), at(0, 1, Ty::F32), at(1, 0, Ty::I32), at(2, 0, Ty::F64)];
        // Valid: fewer components, and inputs without an output.
        same_types(&outputs, &[at(0, 1, Ty::F32), at(2, 0, Ty::F64), at(3, 0, Ty::F32)], "main").unwrap();
        for (location, ty) in [(0, Ty::I32), (1, Ty::F32), (2, Ty::F32)] {
            let refused = same_types(&outputs, &[at(location, 0, ty)], "main");
            assert!(matches!(refused, Err(Error::Invalid { .. })), "{refused:?}");
        }
    }
}

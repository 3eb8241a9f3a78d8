//! Checks shaders against the device limits. Spec: Vulkan, "Limits".

use quadrille_jit::ir::{self, MAX_STREAMS, Stage, StageKind};

use crate::error::Result;
use crate::limits::{LIMITS, at_most};

/// Workgroup limits of a stage.
struct WorkgroupLimits {
    invocations: u32,
    size: [u32; 3],
    shared: u32,
    payload_and_shared: u32,
}

/// Returns `Limit` if `value` exceeds `limit`. The message is formatted only for an error.
fn most(shader: &ir::Shader, what: &str, value: u64, limit: u64) -> Result<()> {
    match value <= limit {
        true => Ok(()),
        false => at_most(&format!("`{}`: {what}", shader.name), value, limit),
    }
}

pub(crate) fn check_limits(shader: &ir::Shader) -> Result<()> {
    let l = &LIMITS;
    let limits = match shader.stage {
        Stage::Compute => WorkgroupLimits {
            invocations: l.max_compute_work_group_invocations,
            size: l.max_compute_work_group_size,
            shared: l.max_compute_shared_memory_size,
            payload_and_shared: l.max_compute_shared_memory_size,
        },
        Stage::Task => WorkgroupLimits {
            invocations: l.max_task_work_group_invocations,
            size: l.max_task_work_group_size,
            shared: l.max_task_shared_memory_size,
            payload_and_shared: l.max_task_payload_and_shared_memory_size,
        },
        Stage::Mesh => WorkgroupLimits {
            invocations: l.max_mesh_work_group_invocations,
            size: l.max_mesh_work_group_size,
            shared: l.max_mesh_shared_memory_size,
            payload_and_shared: l.max_mesh_payload_and_shared_memory_size,
        },
        _ => return check_interface_limits(shader),
    };
    let most = |what: &str, value: u64, limit: u32| most(shader, what, value, limit.into());
    let (shared, payload) = (u64::from(shader.shared_size), u64::from(shader.payload_size));
    most("bytes of workgroup memory", shared, limits.shared)?;
    most("bytes of payload", payload, l.max_task_payload_size)?;
    most("bytes of payload and workgroup memory", payload + shared, limits.payload_and_shared)?;
    for (axis, max) in shader.local_size.iter().zip(limits.size) {
        most("workgroup size", (*axis).into(), max)?;
    }
    let total = shader.local_size.iter().map(|n| u64::from(*n)).product();
    most("invocations of a workgroup", total, limits.invocations)?;
    check_interface_limits(shader)
}

/// Returns `Limit` if the named value exceeds its limit.
type Most<'a> = &'a dyn Fn(&str, u64, u32) -> Result<()>;

/// Number of 32-bit scalars of an interface, without built-ins; a 64-bit scalar counts as two.
fn words(list: &[ir::Interface]) -> u64 {
    let user = list.iter().filter(|i| matches!(i.slot, ir::Slot::Location { .. }));
    user.map(|i| if i.ty.bytes() == 8 { 2 } else { 1 }).sum()
}

/// Checks the scalars and bytes that a mesh shader outputs. Spec: Vulkan, "Mesh Shader Output".
fn check_mesh_limits(shader: &ir::Shader, modes: &ir::MeshModes, most: Most<'_>) -> Result<()> {
    let l = &LIMITS;
    most("output vertices", modes.max_vertices.into(), l.max_mesh_output_vertices)?;
    most("output primitives", modes.max_primitives.into(), l.max_mesh_output_primitives)?;
    let (vertex, primitive) = (words(&shader.outputs), words(&shader.primitive_outputs));
    most("output components", vertex + primitive, l.max_mesh_output_components)?;
    let scalars = |list: &[ir::Interface]| {
        let indices = [
            ir::BuiltIn::PrimitivePointIndices,
            ir::BuiltIn::PrimitiveLineIndices,
            ir::BuiltIn::PrimitiveTriangleIndices,
        ];
        // Each location and each built-in counts as four scalars.
        let mut counted: Vec<(Option<ir::BuiltIn>, u32)> = Vec::new();
        for i in list {
            let place = match i.slot {
                ir::Slot::Ray(_) => continue,
                ir::Slot::Location { location, .. } => (None, location),
                ir::Slot::BuiltIn(b, _) if indices.contains(&b) => continue,
                ir::Slot::BuiltIn(b, component) => (Some(b), component / 4),
            };
            if !counted.contains(&place) {
                counted.push(place);
            }
        }
        4 * counted.len() as u64
    };
    let bytes = 4
        * (scalars(&shader.outputs) * u64::from(modes.max_vertices)
            + scalars(&shader.primitive_outputs) * u64::from(modes.max_primitives));
    most("bytes of output", bytes, l.max_mesh_output_memory_size)?;
    let payload = u64::from(shader.payload_size);
    most("bytes of payload and output", payload + bytes, l.max_mesh_payload_and_output_memory_size)
}

/// Checks the number of scalars that a stage reads, writes, and outputs in total.
/// Spec: Vulkan, "Shader Interfaces", Location and Component Assignment; VkPhysicalDeviceLimits.
fn check_interface_limits(shader: &ir::Shader) -> Result<()> {
    let l = &LIMITS;
    let most = |what: &str, value: u64, limit: u32| most(shader, what, value, limit.into());
    let (inputs, outputs) = (words(&shader.inputs), words(&shader.outputs));
    let captured = |stream: Option<u32>| {
        let all =
            shader.xfb.outputs.iter().filter(move |o| {
                stream.is_none_or(|s| shader.xfb.streams.get(o.buffer as usize) == Some(&s))
            });
        all.map(|o| u64::from(o.offset) + 4)
    };
    for (stream, stride) in (0..).zip(shader.xfb.strides) {
        most("transform feedback stride", stride.into(), l.max_transform_feedback_buffer_data_stride)?;
        let bytes = captured(Some(stream)).count() as u64 * 4;
        most("captured bytes of a stream", bytes, l.max_transform_feedback_stream_data_size)?;
    }
    let end = captured(None).max().unwrap_or(0);
    most("captured bytes in a buffer", end, l.max_transform_feedback_buffer_data_size)?;
    match shader.kind {
        StageKind::TessellationControl(_) => {
            let (vertices, patch) = (shader.output_vertices(), words(&shader.patch_outputs));
            most("input components", inputs, l.max_tessellation_control_per_vertex_input_components)?;
            most("output components", outputs, l.max_tessellation_control_per_vertex_output_components)?;
            most("patch components", patch, l.max_tessellation_control_per_patch_output_components)?;
            most("output vertices", vertices.into(), l.max_tessellation_patch_size)?;
            let total = patch + outputs * u64::from(vertices);
            most("components of a patch", total, l.max_tessellation_control_total_output_components)
        }
        StageKind::TessellationEvaluation(_) => {
            most("input components", inputs, l.max_tessellation_evaluation_input_components)?;
            most("output components", outputs, l.max_tessellation_evaluation_output_components)
        }
        StageKind::Geometry(modes) => {
            most("input components", inputs, l.max_geometry_input_components)?;
            most("output components", outputs, l.max_geometry_output_components)?;
            most("output vertices", modes.max_vertices.into(), l.max_geometry_output_vertices)?;
            most("invocations", modes.invocations.into(), l.max_geometry_shader_invocations)?;
            // A vertex has only the outputs of its stream.
            let of_stream = |s| words(&shader.stream(s).copied().collect::<Vec<_>>());
            let most_words = (0..MAX_STREAMS as u32).map(of_stream).max().unwrap_or(0);
            let total = most_words * u64::from(modes.max_vertices);
            most("components of all vertices", total, l.max_geometry_total_output_components)
        }
        StageKind::Mesh(modes) => check_mesh_limits(shader, &modes, &most),
        StageKind::Vertex
        | StageKind::Task
        | StageKind::Fragment
        | StageKind::Compute
        | StageKind::RayGeneration
        | StageKind::Intersection
        | StageKind::AnyHit
        | StageKind::ClosestHit
        | StageKind::Miss
        | StageKind::Callable => Ok(()),
    }
}

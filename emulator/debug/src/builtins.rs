//! Built-in variables of GLSL: their values in each lane at the start of a recording.
//!
//! Modules declare the built-ins that they use, which are ordinary variables here. An expression may name all built-ins
//! of the stage, including undeclared ones.

use quadrille_jit::interp::watch::View;
use quadrille_jit::ir::{BuiltIn, Stage};

/// Scalar type of a built-in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scalar {
    Bool,
    Int,
    Uint,
    Float,
}

/// Stages that have a built-in.
type Of = &'static [Stage];

const WORKGROUPS: Of = &[Stage::Compute, Stage::Task, Stage::Mesh];
const VERTEX: Of = &[Stage::Vertex];
const DRAWN: Of = &[Stage::Vertex, Stage::Task, Stage::Mesh];
const POINT: Of = &[Stage::TessellationEvaluation];
const PATCHES: Of = &[Stage::TessellationControl, Stage::TessellationEvaluation];
const INVOCATIONS: Of = &[Stage::TessellationControl, Stage::Geometry];
const PRIMITIVES: Of = &[Stage::TessellationControl, Stage::TessellationEvaluation, Stage::Fragment];
const GEOMETRY: Of = &[Stage::Geometry];
const FRAGMENT: Of = &[Stage::Fragment];
const GRAPHICS: Of = &[
    Stage::Vertex,
    Stage::TessellationControl,
    Stage::TessellationEvaluation,
    Stage::Geometry,
    Stage::Mesh,
    Stage::Fragment,
];
const ALL: Of = &[
    Stage::Vertex,
    Stage::TessellationControl,
    Stage::TessellationEvaluation,
    Stage::Geometry,
    Stage::Task,
    Stage::Mesh,
    Stage::Fragment,
    Stage::Compute,
];

/// Name, built-in, scalar type, number of scalars, and stages. Spec: GLSL 4.60, 7.1; GL_KHR_vulkan_glsl;
/// GL_KHR_shader_subgroup. The table omits interpolated built-ins, arrays and the size of the workgroup.
const TABLE: &[(&str, BuiltIn, Scalar, u32, Of)] = {
    use BuiltIn::*;
    use Scalar::{Bool, Float, Int, Uint};
    &[
        ("gl_NumWorkGroups", NumWorkgroups, Uint, 3, WORKGROUPS),
        ("gl_WorkGroupID", WorkgroupId, Uint, 3, WORKGROUPS),
        ("gl_LocalInvocationID", LocalInvocationId, Uint, 3, WORKGROUPS),
        ("gl_GlobalInvocationID", GlobalInvocationId, Uint, 3, WORKGROUPS),
        ("gl_LocalInvocationIndex", LocalInvocationIndex, Uint, 1, WORKGROUPS),
        ("gl_SubgroupID", SubgroupId, Uint, 1, WORKGROUPS),
        ("gl_NumSubgroups", NumSubgroups, Uint, 1, WORKGROUPS),
        ("gl_SubgroupSize", SubgroupSize, Uint, 1, ALL),
        ("gl_SubgroupInvocationID", SubgroupLocalInvocationId, Uint, 1, ALL),
        ("gl_SubgroupEqMask", SubgroupEqMask, Uint, 4, ALL),
        ("gl_SubgroupGeMask", SubgroupGeMask, Uint, 4, ALL),
        ("gl_SubgroupGtMask", SubgroupGtMask, Uint, 4, ALL),
        ("gl_SubgroupLeMask", SubgroupLeMask, Uint, 4, ALL),
        ("gl_SubgroupLtMask", SubgroupLtMask, Uint, 4, ALL),
        ("gl_DeviceIndex", DeviceIndex, Int, 1, ALL),
        ("gl_ViewIndex", ViewIndex, Int, 1, GRAPHICS),
        ("gl_VertexIndex", VertexIndex, Int, 1, VERTEX),
        ("gl_InstanceIndex", InstanceIndex, Int, 1, VERTEX),
        ("gl_BaseVertex", BaseVertex, Int, 1, VERTEX),
        ("gl_BaseInstance", BaseInstance, Int, 1, VERTEX),
        ("gl_DrawID", DrawIndex, Int, 1, DRAWN),
        ("gl_InvocationID", InvocationId, Int, 1, INVOCATIONS),
        ("gl_PatchVerticesIn", PatchVertices, Int, 1, PATCHES),
        ("gl_TessCoord", TessCoord, Float, 3, POINT),
        ("gl_PrimitiveID", PrimitiveId, Int, 1, PRIMITIVES),
        ("gl_PrimitiveIDIn", PrimitiveId, Int, 1, GEOMETRY),
        ("gl_FragCoord", FragCoord, Float, 4, FRAGMENT),
        ("gl_FrontFacing", FrontFacing, Bool, 1, FRAGMENT),
        ("gl_HelperInvocation", HelperInvocation, Bool, 1, FRAGMENT),
        ("gl_SampleID", SampleId, Int, 1, FRAGMENT),
        ("gl_SamplePosition", SamplePosition, Float, 2, FRAGMENT),
        ("gl_Layer", Layer, Int, 1, FRAGMENT),
        ("gl_ViewportIndex", ViewportIndex, Int, 1, FRAGMENT),
    ]
};

impl Scalar {
    /// Name of the type with `n` components.
    fn type_of(self, n: u32) -> String {
        match (self, n) {
            (Scalar::Bool, 1) => "bool".into(),
            (Scalar::Int, 1) => "int".into(),
            (Scalar::Uint, 1) => "uint".into(),
            (Scalar::Float, 1) => "float".into(),
            (Scalar::Bool, n) => format!("bvec{n}"),
            (Scalar::Int, n) => format!("ivec{n}"),
            (Scalar::Uint, n) => format!("uvec{n}"),
            (Scalar::Float, n) => format!("vec{n}"),
        }
    }

    /// GLSL expression of a scalar with these bits.
    fn constant(self, bits: u64) -> String {
        match self {
            Scalar::Bool => (bits & 1 == 1).to_string(),
            Scalar::Int => format!("int({}u)", bits as u32),
            Scalar::Uint => format!("{}u", bits as u32),
            Scalar::Float => format!("uintBitsToFloat({}u)", bits as u32),
        }
    }
}

/// Values of a stage's built-ins in the lanes of a group.
#[derive(Debug, Default)]
pub struct BuiltIns {
    /// Indices of table rows, each with the scalars of each lane one after the other.
    rows: Vec<(usize, Vec<u64>)>,
    size: [u32; 3],
    has_size: bool,
}

impl BuiltIns {
    /// Reads the values at a place of the execution.
    pub fn at(at: &View<'_>) -> BuiltIns {
        let stage = at.shader().stage;
        let scalars = |builtin: BuiltIn, n: u32| -> Vec<u64> {
            let lanes = 0..at.lanes() as usize;
            lanes.flat_map(|lane| (0..n).map(move |c| at.builtin(builtin, c, lane))).collect()
        };
        let rows = TABLE.iter().enumerate().filter(|(_, row)| row.4.contains(&stage));
        BuiltIns {
            rows: rows.map(|(i, row)| (i, scalars(row.1, row.3))).collect(),
            size: at.shader().local_size,
            has_size: WORKGROUPS.contains(&stage),
        }
    }

    /// Looks up a built-in by its GLSL name, and returns its type and an expression of its value in a lane.
    pub fn find(&self, name: &str, lane: usize) -> Option<(String, String)> {
        if name == "gl_WorkGroupSize" && self.has_size {
            let [x, y, z] = self.size;
            return Some(("uvec3".into(), format!("uvec3({x}u, {y}u, {z}u)")));
        }
        let (row, scalars) = self.rows.iter().find(|(row, _)| TABLE[*row].0 == name)?;
        let (_, _, scalar, n, _) = TABLE[*row];
        let mine = scalars.chunks(n as usize).nth(lane)?;
        let constants: Vec<String> = mine.iter().map(|bits| scalar.constant(*bits)).collect();
        let ty = scalar.type_of(n);
        Some((ty.clone(), format!("{ty}({})", constants.join(", "))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_bits_of_each_lane() {
        let row = |name: &str| TABLE.iter().position(|row| row.0 == name).unwrap();
        let rows = vec![
            (row("gl_WorkGroupID"), vec![1, 2, 3, 4, 5, 6]),
            (row("gl_DrawID"), vec![u64::from(-7i32 as u32), 0]),
            (row("gl_FrontFacing"), vec![0, 1]),
        ];
        let all = BuiltIns { rows, size: [8, 4, 1], has_size: true };
        let text = |name, lane| all.find(name, lane).map(|(_, text)| text);
        assert_eq!(text("gl_WorkGroupID", 1).unwrap(), "uvec3(4u, 5u, 6u)");
        assert_eq!(text("gl_DrawID", 0).unwrap(), "int(int(4294967289u))");
        assert_eq!(text("gl_FrontFacing", 1).unwrap(), "bool(true)");
        assert_eq!(text("gl_WorkGroupSize", 0).unwrap(), "uvec3(8u, 4u, 1u)");
        assert_eq!((text("gl_DrawID", 2), text("gl_FragCoord", 0)), (None, None));
    }
}

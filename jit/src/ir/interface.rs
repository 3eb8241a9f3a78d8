//! What a shader takes from outside and puts out: built-ins, inputs and outputs, resources.

use super::Ty;

/// A built-in value that a stage reads as input.
///
/// Spec: SPIR-V, 3.21 BuiltIn; Vulkan, "Built-In Variables".
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[expect(missing_docs, reason = "the names are those of the SPIR-V specification")]
pub enum BuiltIn {
    // Vertex.
    VertexIndex,
    InstanceIndex,
    BaseVertex,
    BaseInstance,
    DrawIndex,
    // Any graphics stage.
    ViewIndex,
    PrimitiveId,
    Layer,
    ViewportIndex,
    DeviceIndex,
    // Outputs before rasterization, inputs where the spec says so.
    Position,
    PointSize,
    ClipDistance,
    CullDistance,
    PrimitiveShadingRate,
    // Fragment.
    FragCoord,
    FrontFacing,
    PointCoord,
    BaryCoord,
    BaryCoordNoPersp,
    SampleId,
    SamplePosition,
    SampleMask,
    ShadingRate,
    FragDepth,
    HelperInvocation,
    FragStencilRef,
    // Compute.
    NumWorkgroups,
    WorkgroupId,
    LocalInvocationId,
    GlobalInvocationId,
    LocalInvocationIndex,
    // Tessellation and geometry.
    PatchVertices,
    InvocationId,
    TessCoord,
    TessLevelOuter,
    TessLevelInner,
    // Mesh.
    PrimitivePointIndices,
    PrimitiveLineIndices,
    PrimitiveTriangleIndices,
    CullPrimitive,
    // Groups.
    SubgroupSize,
    SubgroupId,
    NumSubgroups,
    SubgroupLocalInvocationId,
    SubgroupEqMask,
    SubgroupGeMask,
    SubgroupGtMask,
    SubgroupLeMask,
    SubgroupLtMask,
}

impl BuiltIn {
    /// Fragment inputs that are interpolated like those with a location: they are in the list of inputs.
    pub fn is_interpolated(self) -> bool {
        matches!(self, BuiltIn::ClipDistance | BuiltIn::CullDistance | BuiltIn::PointCoord)
            || self.is_barycentric()
    }
    /// Weights of a primitive's vertices: may be asked for at centroids and samples.
    pub fn is_barycentric(self) -> bool {
        matches!(self, BuiltIn::BaryCoord | BuiltIn::BaryCoordNoPersp)
    }
    /// How such an input is interpolated.
    pub fn interpolation(self) -> Interpolation {
        match self {
            BuiltIn::PointCoord | BuiltIn::BaryCoordNoPersp => Interpolation::Linear,
            _ => Interpolation::Perspective,
        }
    }
    /// Of a vertex: the stages after the vertex stage find it in the records of their vertices.
    pub fn is_of_vertex(self) -> bool {
        use BuiltIn::*;
        matches!(self, Position | PointSize | ClipDistance | CullDistance)
    }
    /// Of a patch: the control stage writes it, the evaluation stage may read it.
    pub fn is_of_patch(self) -> bool {
        matches!(self, BuiltIn::TessLevelOuter | BuiltIn::TessLevelInner)
    }
    /// Of a primitive: the mesh stage writes it once for each, whatever its decorations say.
    pub fn is_of_primitive(self) -> bool {
        use BuiltIn::*;
        self.is_indices()
            || matches!(self, PrimitiveId | Layer | ViewportIndex | CullPrimitive | PrimitiveShadingRate)
    }
    /// Names the vertices of a primitive.
    pub fn is_indices(self) -> bool {
        use BuiltIn::*;
        matches!(self, PrimitivePointIndices | PrimitiveLineIndices | PrimitiveTriangleIndices)
    }
    /// Type of its components, and how many there are at most.
    pub fn shape(self) -> (Ty, u32) {
        use BuiltIn::*;
        match self {
            Position | FragCoord => (Ty::F32, 4),
            PointCoord | SamplePosition => (Ty::F32, 2),
            PointSize | FragDepth => (Ty::F32, 1),
            TessCoord | BaryCoord | BaryCoordNoPersp => (Ty::F32, 3),
            TessLevelOuter => (Ty::F32, 4),
            TessLevelInner => (Ty::F32, 2),
            ClipDistance | CullDistance => (Ty::F32, 8),
            FrontFacing | HelperInvocation | CullPrimitive => (Ty::Bool, 1),
            PrimitiveLineIndices => (Ty::I32, 2),
            PrimitiveTriangleIndices => (Ty::I32, 3),
            NumWorkgroups | WorkgroupId | LocalInvocationId | GlobalInvocationId => (Ty::I32, 3),
            SubgroupEqMask | SubgroupGeMask | SubgroupGtMask | SubgroupLeMask | SubgroupLtMask => {
                (Ty::I32, 4)
            }
            _ => (Ty::I32, 1),
        }
    }
}

/// How a fragment input is interpolated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Divided by w: `smooth`.
    #[default]
    Perspective,
    /// Linear in screen space: NoPerspective.
    Linear,
    /// Value of the provoking vertex.
    Flat,
}

/// Where a fragment input is sampled.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Sampling {
    /// At the pixel centre.
    #[default]
    Center,
    /// Inside the covered area.
    Centroid,
    /// At each sample (implies sample shading).
    Sample,
}

/// What an interface scalar is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// User-defined: location, component, and for outputs the dual-source index.
    Location {
        /// Location.
        location: u32,
        /// Component, 0 to 3.
        component: u32,
        /// Index decoration (0 or 1).
        index: u32,
    },
    /// Built-in, component or array element.
    BuiltIn(BuiltIn, u32),
}

/// One scalar of the stage's input or output interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interface {
    /// What it is.
    pub slot: Slot,
    /// Its type.
    pub ty: Ty,
    /// Fragment inputs: how it is interpolated.
    pub interpolation: Interpolation,
    /// Fragment inputs: where.
    pub sampling: Sampling,
    /// Geometry outputs: stream of the vertices that have it.
    pub stream: u32,
    /// Fragment inputs: of the primitive, not of its vertices; flat.
    pub per_primitive: bool,
    /// Fragment inputs: of this vertex of the primitive; flat.
    pub vertex: Option<u8>,
}

impl Interface {
    /// A scalar that is neither interpolated nor on another stream than the first.
    pub fn new(slot: Slot, ty: Ty) -> Interface {
        Interface {
            slot,
            ty,
            interpolation: Interpolation::default(),
            sampling: Sampling::default(),
            stream: 0,
            per_primitive: false,
            vertex: None,
        }
    }
}

/// Kind of resource behind a binding.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of Vulkan's descriptor types")]
pub enum ResourceKind {
    UniformBuffer,
    StorageBuffer,
    SampledImage,
    Sampler,
    CombinedImageSampler,
    StorageImage,
    UniformTexelBuffer,
    StorageTexelBuffer,
    InputAttachment,
}

/// A binding that the shader uses statically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Descriptor set.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// What must be bound.
    pub kind: ResourceKind,
    /// Array size; 0 for runtime arrays.
    pub count: u32,
    /// Name from OpName, for messages and reflection.
    pub name: String,
    /// Block size in bytes up to a runtime array (buffers only).
    pub size: u32,
    /// The shader writes to it.
    pub written: bool,
}

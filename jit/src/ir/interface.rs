//! The interface of a shader: built-ins, inputs and outputs, resources.

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
    // Outputs before rasterization; inputs where the specification allows it.
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
    FragSize,
    FragInvocationCount,
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
    // Ray tracing.
    LaunchId,
    LaunchSize,
    InstanceId,
    InstanceCustomIndex,
    GeometryIndex,
    WorldRayOrigin,
    WorldRayDirection,
    ObjectRayOrigin,
    ObjectRayDirection,
    RayTmin,
    RayTmax,
    IncomingRayFlags,
    CullMask,
    HitKind,
    ObjectToWorld,
    WorldToObject,
    HitTriangleVertexPositions,
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
    /// Returns true for fragment inputs that are interpolated like those with a location; they are in the list of
    /// inputs.
    pub fn is_interpolated(self) -> bool {
        matches!(self, BuiltIn::ClipDistance | BuiltIn::CullDistance | BuiltIn::PointCoord)
            || self.is_barycentric()
    }
    /// Returns true for the barycentric weights of a primitive's vertices, which may be evaluated at centroids and
    /// samples.
    pub fn is_barycentric(self) -> bool {
        matches!(self, BuiltIn::BaryCoord | BuiltIn::BaryCoordNoPersp)
    }
    /// Interpolation of such an input.
    pub fn interpolation(self) -> Interpolation {
        match self {
            BuiltIn::PointCoord | BuiltIn::BaryCoordNoPersp => Interpolation::Linear,
            _ => Interpolation::Perspective,
        }
    }
    /// Returns true if a built-in belongs to a vertex: the stages after the vertex stage read it from vertex records.
    pub fn is_of_vertex(self) -> bool {
        use BuiltIn::*;
        matches!(self, Position | PointSize | ClipDistance | CullDistance)
    }
    /// Returns true if a built-in belongs to a patch: the control stage writes it, and the evaluation stage may read
    /// it.
    pub fn is_of_patch(self) -> bool {
        matches!(self, BuiltIn::TessLevelOuter | BuiltIn::TessLevelInner)
    }
    /// Returns true if a built-in belongs to a primitive: the mesh stage writes it once per primitive, regardless of
    /// decorations.
    pub fn is_of_primitive(self) -> bool {
        use BuiltIn::*;
        self.is_indices()
            || matches!(self, PrimitiveId | Layer | ViewportIndex | CullPrimitive | PrimitiveShadingRate)
    }
    /// Returns true if a built-in holds the vertex indices of a primitive.
    pub fn is_indices(self) -> bool {
        use BuiltIn::*;
        matches!(self, PrimitivePointIndices | PrimitiveLineIndices | PrimitiveTriangleIndices)
    }
    /// Returns true for the built-ins of ray tracing stages; they are in the list of inputs.
    pub fn is_of_rays(self) -> bool {
        self == BuiltIn::PrimitiveId
            || (BuiltIn::LaunchId..=BuiltIn::HitTriangleVertexPositions).contains(&self)
    }
    /// Type of the components, and their maximum number.
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
            PrimitiveLineIndices | FragSize => (Ty::I32, 2),
            PrimitiveTriangleIndices => (Ty::I32, 3),
            NumWorkgroups | WorkgroupId | LocalInvocationId | GlobalInvocationId | LaunchId | LaunchSize => {
                (Ty::I32, 3)
            }
            WorldRayOrigin | WorldRayDirection | ObjectRayOrigin | ObjectRayDirection => (Ty::F32, 3),
            RayTmin | RayTmax => (Ty::F32, 1),
            ObjectToWorld | WorldToObject => (Ty::F32, 12),
            HitTriangleVertexPositions => (Ty::F32, 9),
            SubgroupEqMask | SubgroupGeMask | SubgroupGtMask | SubgroupLeMask | SubgroupLtMask => {
                (Ty::I32, 4)
            }
            _ => (Ty::I32, 1),
        }
    }
}

/// Interpolation of a fragment input.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Interpolation {
    /// Perspective-correct: `smooth`.
    #[default]
    Perspective,
    /// Linear in screen space: NoPerspective.
    Linear,
    /// Value of the provoking vertex.
    Flat,
}

/// Location at which a fragment input is evaluated.
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

/// Identity of an interface scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Slot {
    /// User-defined: location and component; for outputs also the dual-source index.
    Location {
        /// Location.
        location: u32,
        /// Component, 0 to 3.
        component: u32,
        /// Index decoration (0 or 1).
        index: u32,
    },
    /// A component or array element of a built-in.
    BuiltIn(BuiltIn, u32),
    /// A scalar that ray tracing stages exchange.
    Ray(RaySlot),
}

/// A scalar that ray tracing stages exchange. Words count from the start of the variable, 64-bit scalars as two.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum RaySlot {
    /// Word of the incoming payload or callable data: input and output.
    Payload(u32),
    /// Word of the hit attribute: input.
    Attribute(u32),
    /// Device address of the data in the shader record: input, I64.
    Record,
    /// End of an invocation of an any-hit shader, as [`HitEnd`](super::HitEnd) numbers it: output, I32.
    End,
}

/// One scalar of the stage's input or output interface.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Interface {
    /// Identity of the scalar.
    pub slot: Slot,
    /// Type of the scalar.
    pub ty: Ty,
    /// Fragment inputs: the interpolation.
    pub interpolation: Interpolation,
    /// Fragment inputs: the location of the evaluation.
    pub sampling: Sampling,
    /// Geometry outputs: the vertex stream.
    pub stream: u32,
    /// Fragment inputs: true if the value belongs to the primitive, not to its vertices; always flat.
    pub per_primitive: bool,
    /// Fragment inputs: the vertex of the primitive that the value is from; always flat.
    pub vertex: Option<u8>,
}

impl Interface {
    /// A scalar with default interpolation, on the first stream.
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

/// Number of the set that holds the attachments of the current pass, after those that a program binds; the caller of a
/// draw makes it. Fragment shaders read it through tile images. Spec: SPV_EXT_shader_tile_image.
pub const ATTACHMENT_SET: u32 = 8;
/// Binding of the colour attachments in [`ATTACHMENT_SET`], by location.
pub const COLOR_BINDING: u32 = 0;
/// Binding of the depth attachment, followed by the stencil attachment, in [`ATTACHMENT_SET`].
pub const DEPTH_STENCIL_BINDING: u32 = 1;

/// Kind of the resource at a binding.
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
    AccelerationStructure,
}

impl ResourceKind {
    /// Kind of the handles that refer to such a resource.
    pub fn handle(self) -> HandleKind {
        match self {
            // The descriptor of an acceleration structure is a buffer of 8 bytes that holds its device address.
            ResourceKind::UniformBuffer
            | ResourceKind::StorageBuffer
            | ResourceKind::AccelerationStructure => HandleKind::Buffer,
            ResourceKind::UniformTexelBuffer | ResourceKind::StorageTexelBuffer => HandleKind::TexelBuffer,
            ResourceKind::SampledImage
            | ResourceKind::Sampler
            | ResourceKind::CombinedImageSampler
            | ResourceKind::StorageImage
            | ResourceKind::InputAttachment => HandleKind::Image,
        }
    }
}

/// Kind of a resource that a [handle](crate::handle) refers to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum HandleKind {
    /// A range of a buffer.
    Buffer = 1,
    /// A view of an image. Handles of samplers alone count as images.
    Image = 2,
    /// A view of a buffer's texels.
    TexelBuffer = 3,
}

impl HandleKind {
    /// All kinds.
    pub const ALL: [HandleKind; 3] = [HandleKind::Buffer, HandleKind::Image, HandleKind::TexelBuffer];
}

/// A binding that the shader uses statically.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Binding {
    /// Descriptor set.
    pub set: u32,
    /// Binding number.
    pub binding: u32,
    /// Kind of the descriptor that must be bound.
    pub kind: ResourceKind,
    /// Array size; 0 for runtime arrays.
    pub count: u32,
    /// Name from OpName, for messages and reflection.
    pub name: String,
    /// Size of the block in bytes, without a runtime array at its end (buffers only).
    pub size: u32,
    /// True if the shader writes to the resource.
    pub written: bool,
}

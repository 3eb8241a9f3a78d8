//! Stages, their execution modes, and the decorations of transform feedback.

use super::BuiltIn;

/// Execution model of an entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of Vulkan's stages")]
pub enum Stage {
    Vertex,
    TessellationControl,
    TessellationEvaluation,
    Geometry,
    Task,
    Mesh,
    Fragment,
    Compute,
    RayGeneration,
    Intersection,
    AnyHit,
    ClosestHit,
    Miss,
    Callable,
}

impl Stage {
    /// Name of the stage in the Vulkan specification.
    pub fn name(self) -> &'static str {
        match self {
            Stage::Vertex => "vertex",
            Stage::TessellationControl => "tessellation control",
            Stage::TessellationEvaluation => "tessellation evaluation",
            Stage::Geometry => "geometry",
            Stage::Task => "task",
            Stage::Mesh => "mesh",
            Stage::Fragment => "fragment",
            Stage::Compute => "compute",
            Stage::RayGeneration => "ray generation",
            Stage::Intersection => "intersection",
            Stage::AnyHit => "any-hit",
            Stage::ClosestHit => "closest hit",
            Stage::Miss => "miss",
            Stage::Callable => "callable",
        }
    }
    /// Returns true for the stages of ray tracing pipelines.
    pub fn is_of_rays(self) -> bool {
        match self {
            Stage::RayGeneration
            | Stage::Intersection
            | Stage::AnyHit
            | Stage::ClosestHit
            | Stage::Miss
            | Stage::Callable => true,
            Stage::Vertex
            | Stage::TessellationControl
            | Stage::TessellationEvaluation
            | Stage::Geometry
            | Stage::Task
            | Stage::Mesh
            | Stage::Fragment
            | Stage::Compute => false,
        }
    }
    /// Returns true if invocations may trace rays. Spec: SPIR-V, OpTraceRayKHR.
    pub fn traces(self) -> bool {
        matches!(self, Stage::RayGeneration | Stage::ClosestHit | Stage::Miss)
    }
    /// Returns true if invocations may execute callable shaders. Spec: SPIR-V, OpExecuteCallableKHR.
    pub fn executes_callables(self) -> bool {
        self.traces() || self == Stage::Callable
    }
    /// Returns true if inputs belong to several vertices; each read names a vertex.
    pub fn reads_vertices(self) -> bool {
        matches!(self, Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry)
    }
    /// Returns true if invocations run together and may wait for each other.
    pub fn has_barriers(self) -> bool {
        self.has_workgroups() || self == Stage::TessellationControl
    }
    /// Returns true if invocations form workgroups, which share memory.
    pub fn has_workgroups(self) -> bool {
        matches!(self, Stage::Compute | Stage::Task | Stage::Mesh)
    }
    /// Returns true if outputs belong to several vertices; each store names a vertex, and outputs may be read back.
    pub fn writes_vertices(self) -> bool {
        matches!(self, Stage::TessellationControl | Stage::Mesh)
    }
}

/// Constraint on a FragDepth output.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the execution modes")]
pub enum DepthLayout {
    #[default]
    Any,
    Greater,
    Less,
    Unchanged,
}

/// A stage with its execution modes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of Vulkan's stages")]
pub enum StageKind {
    #[default]
    Vertex,
    TessellationControl(TessellationModes),
    TessellationEvaluation(TessellationModes),
    Geometry(GeometryModes),
    Task,
    Mesh(MeshModes),
    Fragment,
    Compute,
    RayGeneration,
    Intersection,
    AnyHit,
    ClosestHit,
    Miss,
    Callable,
}

impl StageKind {
    /// This stage with default modes.
    pub fn of(stage: Stage) -> StageKind {
        match stage {
            Stage::Vertex => StageKind::Vertex,
            Stage::TessellationControl => StageKind::TessellationControl(TessellationModes::default()),
            Stage::TessellationEvaluation => StageKind::TessellationEvaluation(TessellationModes::default()),
            Stage::Geometry => {
                StageKind::Geometry(GeometryModes { invocations: 1, ..GeometryModes::default() })
            }
            Stage::Task => StageKind::Task,
            Stage::Mesh => StageKind::Mesh(MeshModes::default()),
            Stage::Fragment => StageKind::Fragment,
            Stage::Compute => StageKind::Compute,
            Stage::RayGeneration => StageKind::RayGeneration,
            Stage::Intersection => StageKind::Intersection,
            Stage::AnyHit => StageKind::AnyHit,
            Stage::ClosestHit => StageKind::ClosestHit,
            Stage::Miss => StageKind::Miss,
            Stage::Callable => StageKind::Callable,
        }
    }

    /// The stage.
    pub fn stage(self) -> Stage {
        match self {
            StageKind::Vertex => Stage::Vertex,
            StageKind::TessellationControl(_) => Stage::TessellationControl,
            StageKind::TessellationEvaluation(_) => Stage::TessellationEvaluation,
            StageKind::Geometry(_) => Stage::Geometry,
            StageKind::Task => Stage::Task,
            StageKind::Mesh(_) => Stage::Mesh,
            StageKind::Fragment => Stage::Fragment,
            StageKind::Compute => Stage::Compute,
            StageKind::RayGeneration => Stage::RayGeneration,
            StageKind::Intersection => Stage::Intersection,
            StageKind::AnyHit => Stage::AnyHit,
            StageKind::ClosestHit => Stage::ClosestHit,
            StageKind::Miss => Stage::Miss,
            StageKind::Callable => Stage::Callable,
        }
    }
}

/// Tessellation modes, as one of the two stages declares them: each mode may be declared in either stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TessellationModes {
    /// OutputVertices: vertices of an output patch.
    pub output_vertices: Option<u32>,
    /// Triangles, Quads or Isolines.
    pub domain: Option<TessellationDomain>,
    /// SpacingEqual, SpacingFractionalEven or SpacingFractionalOdd.
    pub spacing: Option<TessellationSpacing>,
    /// VertexOrderCw or VertexOrderCcw.
    pub order: Option<VertexOrder>,
    /// PointMode.
    pub point_mode: bool,
}

impl TessellationModes {
    /// The modes of both stages together. If both declare a mode, they must agree, and that of `self` is used.
    pub fn merge(self, other: Self) -> Self {
        TessellationModes {
            output_vertices: self.output_vertices.or(other.output_vertices),
            domain: self.domain.or(other.domain),
            spacing: self.spacing.or(other.spacing),
            order: self.order.or(other.order),
            point_mode: self.point_mode || other.point_mode,
        }
    }
}

/// Subdivision of the domain. Spec: SPIR-V execution modes Triangles, Quads, Isolines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationDomain {
    /// A triangle with barycentric coordinates u, v, w.
    #[default]
    Triangles,
    /// A square with coordinates u, v, divided into triangles.
    Quads,
    /// A square, divided into lines along u.
    Isolines,
}

/// Spacing of segments. Spec: SPIR-V execution modes SpacingEqual, SpacingFractionalEven, SpacingFractionalOdd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationSpacing {
    /// Segments of equal length; their number is the level, rounded up.
    #[default]
    Equal,
    /// An even number of segments, two of which are shorter.
    FractionalEven,
    /// An odd number of segments, two of which are shorter.
    FractionalOdd,
}

/// Orientation of generated triangles in (u, v). Spec: SPIR-V execution modes VertexOrderCw, VertexOrderCcw.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the execution modes")]
pub enum VertexOrder {
    #[default]
    Cw,
    Ccw,
}

/// Modes of the geometry stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct GeometryModes {
    /// InputPoints, InputLines and so on.
    pub input: GeometryInput,
    /// OutputPoints, OutputLineStrip or OutputTriangleStrip.
    pub output: GeometryOutput,
    /// OutputVertices: maximum number of vertices that an invocation emits, on all streams together.
    pub max_vertices: u32,
    /// Number of invocations per primitive.
    pub invocations: u32,
}

impl GeometryModes {
    /// Maximum number of vertices that the invocations of a primitive emit together.
    pub fn emitted_at_most(&self) -> u32 {
        self.max_vertices.saturating_mul(self.invocations)
    }
}

/// Input primitives of the geometry stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the execution modes")]
pub enum GeometryInput {
    Points,
    Lines,
    LinesAdjacency,
    #[default]
    Triangles,
    TrianglesAdjacency,
}

impl GeometryInput {
    /// Number of vertices of a primitive.
    pub fn vertices(self) -> u32 {
        match self {
            GeometryInput::Points => 1,
            GeometryInput::Lines => 2,
            GeometryInput::LinesAdjacency => 4,
            GeometryInput::Triangles => 3,
            GeometryInput::TrianglesAdjacency => 6,
        }
    }
}

/// Output primitives of the geometry stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the execution modes")]
pub enum GeometryOutput {
    Points,
    LineStrip,
    #[default]
    TriangleStrip,
}

/// Modes of the mesh stage. For its workgroups, see compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MeshModes {
    /// OutputVertices: maximum number of vertices per workgroup.
    pub max_vertices: u32,
    /// OutputPrimitivesEXT: maximum number of primitives per workgroup.
    pub max_primitives: u32,
    /// OutputPoints, OutputLinesEXT or OutputTrianglesEXT.
    pub output: MeshOutput,
}

/// The output of a workgroup, as `Ctx::mesh_records` has it: two numbers, the vertices, the primitives.
impl MeshModes {
    /// Words before the vertices: the numbers of vertices and primitives.
    pub const HEAD: u32 = 2;

    /// First word of the primitives, behind vertices of so many words.
    pub fn primitives_at(self, vertex: u32) -> u32 {
        Self::HEAD + self.max_vertices * vertex
    }

    /// Words of the output, with so many for a vertex and for a primitive.
    pub fn output_words(self, vertex: u32, primitive: u32) -> u32 {
        self.primitives_at(vertex) + self.max_primitives * primitive
    }
}

/// Output primitives of the mesh stage.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the execution modes")]
pub enum MeshOutput {
    Points,
    Lines,
    #[default]
    Triangles,
}

impl MeshOutput {
    /// Number of vertices of a primitive.
    pub fn vertices(self) -> u32 {
        match self {
            MeshOutput::Points => 1,
            MeshOutput::Lines => 2,
            MeshOutput::Triangles => 3,
        }
    }
    /// The built-in output that holds the vertex indices of a primitive.
    pub fn indices(self) -> BuiltIn {
        match self {
            MeshOutput::Points => BuiltIn::PrimitivePointIndices,
            MeshOutput::Lines => BuiltIn::PrimitiveLineIndices,
            MeshOutput::Triangles => BuiltIn::PrimitiveTriangleIndices,
        }
    }
}

/// Maximum number of vertices, and of primitives, per workgroup of the mesh stage.
pub const MAX_MESH_OUTPUTS: u32 = 256;
/// Maximum size of a task workgroup's payload, in bytes.
pub const MAX_PAYLOAD_BYTES: u32 = 16 << 10;

/// Maximum number of vertices of a patch.
pub const MAX_PATCH_VERTICES: u32 = 32;
/// Maximum number of vertices that an invocation of the geometry stage emits.
pub const MAX_GEOMETRY_VERTICES: u32 = 1024;
/// Maximum number of geometry invocations per primitive.
pub const MAX_GEOMETRY_INVOCATIONS: u32 = 127;

/// Maximum number of transform feedback buffers, and of geometry streams.
pub const MAX_STREAMS: usize = 4;

/// A word of a record that transform feedback captures. Spec: SPIR-V decorations XfbBuffer, Offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct XfbOutput {
    /// Index of the word in the record of the buffer's stream.
    pub word: u32,
    /// Number of the buffer.
    pub buffer: u32,
    /// Offset in bytes from the vertex's position in the buffer.
    pub offset: u32,
}

/// Transform feedback of a stage.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Xfb {
    /// Words captured.
    pub outputs: Vec<XfbOutput>,
    /// Bytes per vertex, of each buffer.
    pub strides: [u32; MAX_STREAMS],
    /// Stream that each buffer captures.
    pub streams: [u32; MAX_STREAMS],
}

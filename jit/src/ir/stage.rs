//! Stages, and what execution modes say of them and of transform feedback.

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
}

impl Stage {
    /// As the Vulkan specification calls it.
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
        }
    }
    /// Inputs are those of several vertices: each is read at a vertex.
    pub fn reads_vertices(self) -> bool {
        matches!(self, Stage::TessellationControl | Stage::TessellationEvaluation | Stage::Geometry)
    }
    /// Invocations run together and may wait for each other.
    pub fn has_barriers(self) -> bool {
        self.has_workgroups() || self == Stage::TessellationControl
    }
    /// Invocations are those of workgroups, which share memory.
    pub fn has_workgroups(self) -> bool {
        matches!(self, Stage::Compute | Stage::Task | Stage::Mesh)
    }
    /// Outputs are those of several vertices: each is stored to a vertex, and may be read again.
    pub fn writes_vertices(self) -> bool {
        matches!(self, Stage::TessellationControl | Stage::Mesh)
    }
}

/// What a FragDepth output may do to depth.
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
}

impl StageKind {
    /// Of this stage, nothing said.
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
        }
    }
}

/// Modes of tessellation, as one of the two stages states them: each may stand in either.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct TessellationModes {
    /// OutputVertices: vertices of an output patch.
    pub output_vertices: Option<u32>,
    /// Triangles, Quads or Isolines.
    pub domain: Option<TessellationDomain>,
    /// SpacingEqual and its kin.
    pub spacing: Option<TessellationSpacing>,
    /// VertexOrderCw or VertexOrderCcw.
    pub order: Option<VertexOrder>,
    /// PointMode.
    pub point_mode: bool,
}

impl TessellationModes {
    /// The modes of both stages together; where both state one, they have to agree, and `self` holds.
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

/// Into what the domain is divided. Spec: SPIR-V execution modes Triangles, Quads, Isolines.
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

/// Spec: SPIR-V execution modes SpacingEqual, SpacingFractionalEven, SpacingFractionalOdd.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum TessellationSpacing {
    /// Segments of equal length, as many as the level rounded up.
    #[default]
    Equal,
    /// An even number of segments, of which two are shorter.
    FractionalEven,
    /// An odd number likewise.
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
    /// InputPoints and its kin.
    pub input: GeometryInput,
    /// OutputPoints and its kin.
    pub output: GeometryOutput,
    /// OutputVertices: vertices that an invocation emits at most, on all streams together.
    pub max_vertices: u32,
    /// Invocations.
    pub invocations: u32,
}

impl GeometryModes {
    /// Vertices that the invocations of a primitive emit at most.
    pub fn emitted_at_most(&self) -> u32 {
        self.max_vertices.saturating_mul(self.invocations)
    }
}

/// Primitives that the geometry stage takes.
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
    /// Vertices of a primitive.
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

/// Primitives that the geometry stage puts out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the execution modes")]
pub enum GeometryOutput {
    Points,
    LineStrip,
    #[default]
    TriangleStrip,
}

/// Modes of the mesh stage. Workgroups are as in compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MeshModes {
    /// OutputVertices: vertices of a workgroup at most.
    pub max_vertices: u32,
    /// OutputPrimitivesEXT: primitives of a workgroup at most.
    pub max_primitives: u32,
    /// OutputPoints and its kin.
    pub output: MeshOutput,
}

/// Primitives that the mesh stage puts out.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[expect(missing_docs, reason = "the names are those of the execution modes")]
pub enum MeshOutput {
    Points,
    Lines,
    #[default]
    Triangles,
}

impl MeshOutput {
    /// Vertices of a primitive.
    pub fn vertices(self) -> u32 {
        match self {
            MeshOutput::Points => 1,
            MeshOutput::Lines => 2,
            MeshOutput::Triangles => 3,
        }
    }
    /// The built-in output that names the vertices of a primitive.
    pub fn indices(self) -> BuiltIn {
        match self {
            MeshOutput::Points => BuiltIn::PrimitivePointIndices,
            MeshOutput::Lines => BuiltIn::PrimitiveLineIndices,
            MeshOutput::Triangles => BuiltIn::PrimitiveTriangleIndices,
        }
    }
}

/// Most vertices, and most primitives, of a workgroup of the mesh stage.
pub const MAX_MESH_OUTPUTS: u32 = 256;
/// Most bytes of a task workgroup's payload.
pub const MAX_PAYLOAD_BYTES: u32 = 16 << 10;

/// Most vertices of a patch.
pub const MAX_PATCH_VERTICES: u32 = 32;
/// Most vertices that an invocation of geometry emits.
pub const MAX_GEOMETRY_VERTICES: u32 = 1024;
/// Most invocations of geometry for a primitive.
pub const MAX_GEOMETRY_INVOCATIONS: u32 = 127;

/// Buffers of transform feedback, and streams of geometry.
pub const MAX_STREAMS: usize = 4;

/// A word of a record that transform feedback captures. Spec: SPIR-V decorations XfbBuffer, Offset.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct XfbOutput {
    /// In the record of the buffer's stream.
    pub word: u32,
    /// Number of the buffer.
    pub buffer: u32,
    /// Bytes from the vertex's place in the buffer.
    pub offset: u32,
}

/// What a stage says of transform feedback.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Xfb {
    /// Words captured.
    pub outputs: Vec<XfbOutput>,
    /// Bytes per vertex, of each buffer.
    pub strides: [u32; MAX_STREAMS],
    /// Stream that each buffer captures.
    pub streams: [u32; MAX_STREAMS],
}

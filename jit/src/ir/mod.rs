//! The shader IR, which represents a SPIR-V entry point while it is interpreted or compiled.
//!
//! A [`Shader`] is one entry point with all calls inlined. Its body is a tree of [`Region`]s, in which each [`Inst`]
//! computes scalar values in SSA form. The IR has no vectors, matrices, structs or arrays: the front end splits them
//! into scalars.
//!
//! # Control flow
//!
//! Three constructs, all structured, in the manner of WebAssembly:
//!
//! * [`If`]: runs one of two regions; each ends in [`End::Yield`], which sets the `results`.
//! * [`Block`]: runs its body once; `Yield` and [`End::Break`] to its label set the `results`.
//! * [`Loop`]: `Yield` at the end of the body is the back edge and sets the next `params`;
//!   `Break` to its label leaves the loop with the `results`.
//!
//! A SPIR-V loop is `Loop L { Block C { body } ; continuing }`, where `continue` is `Break(C)`. A switch is a `Block`
//! around a chain of `If`s. A function call is a `Block` around the callee's body, where `OpReturn` is a `Break`. A
//! `Break` may leave any number of levels at once.
//!
//! Invocations that leave a construct rejoin at its end (maximal reconvergence). After a construct, the active
//! invocations are those from before it, except those that broke to an outer label, returned or were terminated.
//!
//! # Rules (checked by [`verify`])
//!
//! 1. A value is defined once, before its uses, in the same region or in an enclosing one.
//! 2. `Yield`, `Break` and loop `init`s match the types and the number of results or params.
//! 3. A label is used only inside its construct.
//! 4. Argument and result types are those of the row of the [`Op`] (see [`op`]).
//! 5. Variables ([`Var`]) are invocation-private lists of scalars and start as zero.
//! 6. Base and size of a buffer come from the same look-up, on every path that values take (`provenance`).
//!
//! # Results that the specifications leave undefined
//!
//! `OpUndef` is zero. The documentation of each [`Op`] states the results outside its domain. Sign and payload of NaNs
//! are not part of the contract.

pub mod debug;
mod interface;
mod matrix;
mod note;
pub mod op;
pub mod operand;
mod provenance;
mod ray;
mod ray_call;
mod signature;
mod stage;
mod text;
mod verify;
mod walk;

pub use interface::{
    ATTACHMENT_SET, Binding, BuiltIn, COLOR_BINDING, DEPTH_STENCIL_BINDING, HandleKind, Interface,
    Interpolation, RaySlot, ResourceKind, Sampling, Slot,
};
pub use matrix::{MatrixOp, Steps, Tiles};
pub use note::{MemoryOperands, Note, Operands, Order, Partial, PrivateAccess};
pub use op::{Op, Sig};
pub use operand::{AtomicOp, GroupOp, ImageDim, ImageOp, ImageOpKind, LodMode};
pub use ray::RayOp;
pub use ray_call::{
    HIT_RESULTS, HIT_WORDS, HitEnd, HitQuery, MAX_ATTRIBUTE_WORDS, MAX_PAYLOAD_WORDS, RayCall, Report,
    hit_object,
};
pub use stage::{
    DepthLayout, GeometryInput, GeometryModes, GeometryOutput, MAX_GEOMETRY_INVOCATIONS,
    MAX_GEOMETRY_VERTICES, MAX_MESH_OUTPUTS, MAX_PATCH_VERTICES, MAX_PAYLOAD_BYTES, MAX_STREAMS, MeshModes,
    MeshOutput, Stage, StageKind, TessellationDomain, TessellationModes, TessellationSpacing, VertexOrder,
    Xfb, XfbOutput,
};
pub use verify::{verify, verify_at};
pub use walk::{Insts, each_inst};

pub use crate::ty::Ty;

use smallvec::SmallVec;

/// A scalar value: one number per invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// Identifies a [`Block`] or a [`Loop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// Identifies an invocation-private variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// Origin of an instruction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Src {
    /// SPIR-V result id (0: none).
    pub id: u32,
    /// Line in the source file, from OpLine or DebugLine (0: unknown).
    pub line: u32,
    /// Index into [`debug::Debug::places`] (0: none, or debug information was not requested).
    pub place: u32,
}

/// Static operand of an [`Op`].
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Imm {
    /// No static operand.
    None,
    /// Bits of a constant (floats by their encoding, bool 0 or 1), zero-extended.
    Bits(u64),
    /// Descriptor set and binding.
    Binding {
        /// Set number.
        set: u32,
        /// Binding number.
        binding: u32,
        /// Kind of the handles that are accepted.
        kind: HandleKind,
    },
    /// Kind of the handles that are accepted.
    Handle(HandleKind),
    /// Memory access: the results or stored values are scalars, `stride` bytes apart, the first one at byte `offset`
    /// plus the dynamic offset argument.
    Mem(Mem),
    /// Element `elem` of a variable; dynamic accesses add their index argument to it.
    Var {
        /// The variable.
        var: Var,
        /// Index of the scalar.
        elem: u32,
    },
    /// Element `elem` of a table of constants; the index argument is added to it.
    Table {
        /// Index into [`Shader::tables`].
        table: u32,
        /// Index of the scalar.
        elem: u32,
    },
    /// Stride of each argument of [`Op::Offset`], none zero.
    Strides(SmallVec<[u32; 4]>),
    /// Interface scalar: index into the list of [`Shader`] that the operation documents.
    Slot(u32),
    /// Vertex stream.
    Stream(u32),
    /// Component of a built-in input.
    BuiltIn(BuiltIn, u32),
    /// Image operation.
    Image(Box<ImageOp>),
    /// Operation of a ray query.
    Ray(RayOp),
    /// Call of other shaders of a ray tracing pipeline.
    Call(RayCall),
    /// Atomic operation on memory at `mem`.
    Atomic(AtomicOp, Mem),
    /// Operation across a group of invocations.
    Group(GroupOp),
    /// Operation on matrices.
    Matrix(MatrixOp),
    /// Format of a print ([`Op::Printf`]).
    Printf(std::sync::Arc<crate::printf::Format>),
    /// Part of the message of an abort ([`Op::Abort`]).
    Abort(std::sync::Arc<crate::abort::Part>),
    /// Note for observers ([`Op::Note`]).
    Note(Note),
    /// Input to evaluate, as an index into `inputs`, and the location ([`Op::Interpolate`]).
    Interp(u32, InterpAt),
}

/// Greatest stride of an [`Op::Offset`] with an argument of 64 bits: its indices of 32 bits then sum up without wrapping.
pub const MAX_WIDE_STRIDE: u32 = 1 << 24;

/// Maximum number of scalars of a load or store: host functions get the number as a byte.
pub const MAX_ACCESS: usize = u8::MAX as usize;

/// Static part of a memory access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mem {
    /// Byte offset added to the dynamic one.
    pub offset: u32,
    /// Bytes between consecutive scalars.
    pub stride: u32,
    /// True for accesses to buffers that are Volatile, Coherent, or made available or visible: they must not be forwarded or merged.
    pub ordered: bool,
}

/// Location at which `interpolateAt*` evaluates an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum InterpAt {
    /// Centroid of the covered samples.
    Centroid,
    /// Position of a sample (argument).
    Sample,
    /// Offset in pixels from the centre (two arguments).
    Offset,
}

/// One operation.
#[derive(Clone, Debug)]
pub struct Inst {
    /// The operation.
    pub op: Op,
    /// Arguments, as the row of `op` documents.
    pub args: SmallVec<[Value; 4]>,
    /// Results.
    pub results: SmallVec<[Value; 4]>,
    /// Static operands.
    pub imm: Imm,
    /// Origin.
    pub src: Src,
}

// Passes move lists of instructions, so a larger instruction slows every compilation.
const _: () = assert!(size_of::<Inst>() <= 96);

/// A straight list of nodes with one end.
#[derive(Clone, Debug)]
pub struct Region {
    /// Nodes, in execution order.
    pub nodes: Vec<Node>,
    /// End of the region, after the last node.
    pub end: End,
}

impl Default for Region {
    fn default() -> Self {
        Region { nodes: Vec::new(), end: End::Yield(Vec::new()) }
    }
}

/// Element of a [`Region`].
#[derive(Clone, Debug)]
pub enum Node {
    /// A computation.
    Inst(Inst),
    /// Two-way selection.
    If(Box<If>),
    /// Labelled body that runs once.
    Block(Box<Block>),
    /// Labelled body that repeats.
    Loop(Box<Loop>),
}

/// Two-way selection.
#[derive(Clone, Debug)]
pub struct If {
    /// Condition (Bool).
    pub cond: Value,
    /// Taken by invocations where `cond` holds.
    pub then: Region,
    /// Taken by the other invocations.
    pub els: Region,
    /// Values of the executed `Yield`.
    pub results: Vec<Value>,
    /// Origin of the branch.
    pub src: Src,
}

/// Labelled body that runs once.
#[derive(Clone, Debug)]
pub struct Block {
    /// Target of `Break`.
    pub label: Label,
    /// The body.
    pub body: Region,
    /// Values of the executed `Yield` or `Break`.
    pub results: Vec<Value>,
}

/// Labelled body that repeats until left.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Target of `Break`.
    pub label: Label,
    /// Loop-carried values, each with its initial value.
    pub params: Vec<(Value, Value)>,
    /// The body; its `Yield` sets the next params.
    pub body: Region,
    /// Values of the executed `Break`.
    pub results: Vec<Value>,
    /// Origin of the loop header.
    pub src: Src,
}

/// End of a region.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Leaves the enclosing construct at its end, or goes back to the start of the loop, with these values.
    Yield(Vec<Value>),
    /// Leaves the construct with this label, with these values.
    Break(Label, Vec<Value>),
    /// Ends the invocation; its outputs are those stored so far.
    Return,
    /// OpKill, OpTerminateInvocation: ends the invocation without outputs.
    Kill,
    /// OpUnreachable: same as `Return`.
    Unreachable,
}

/// An invocation-private variable: a list of scalars, initially zero.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    /// Type of each scalar, in the order of the composite's leaves.
    pub elems: Vec<Ty>,
    /// Name from OpName.
    pub name: String,
}

/// Constants in memory, read with [`Op::LoadConstant`]. The pass `passes::tables` creates tables; the front end does
/// not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Table {
    /// Type of each scalar.
    pub elems: Vec<Ty>,
    /// Bits of each scalar, as in [`Op::Const`].
    pub bits: Vec<u64>,
}

/// An entry point, ready to be interpreted, or to be optimized and compiled.
#[derive(Clone, Debug)]
pub struct Shader {
    /// Stage.
    pub stage: Stage,
    /// The stage with its execution modes.
    pub kind: StageKind,
    /// Name of the entry point.
    pub name: String,
    /// Type of each value.
    pub values: Vec<Ty>,
    /// Number of labels.
    pub n_labels: u32,
    /// Private variables.
    pub vars: Vec<VarDecl>,
    /// Tables of constants.
    pub tables: Vec<Table>,
    /// The body; its end is `Return`.
    pub body: Region,
    /// Inputs, read with [`Op::LoadInput`] (most built-ins with [`Op::BuiltIn`]). In stages that read several vertices,
    /// the inputs of one vertex.
    pub inputs: Vec<Interface>,
    /// Outputs of a vertex, stored with [`Op::StoreOutput`]; in geometry shaders with [`Op::EmitVertex`].
    pub outputs: Vec<Interface>,
    /// Evaluation: inputs of the patch, read with [`Op::LoadPatchInput`].
    pub patch_inputs: Vec<Interface>,
    /// Control: outputs of the patch, stored with [`Op::StorePatchOutput`].
    pub patch_outputs: Vec<Interface>,
    /// Mesh: outputs of a primitive, stored with [`Op::StorePrimitiveOutput`].
    pub primitive_outputs: Vec<Interface>,
    /// Outputs that transform feedback captures.
    pub xfb: Xfb,
    /// Number of ray queries of an invocation.
    pub ray_queries: u32,
    /// Bindings in use.
    pub bindings: Vec<Binding>,
    /// Bytes of push constants in use (end of the block).
    pub push_size: u32,
    /// Bytes of workgroup memory.
    pub shared_size: u32,
    /// Task and mesh: size of the declared payload, in bytes.
    pub payload_size: u32,
    /// Workgroup size.
    pub local_size: [u32; 3],
    /// True if the shader has EarlyFragmentTests.
    pub early_fragment_tests: bool,
    /// True if the shader has PostDepthCoverage: SampleMask is the coverage after early tests, not that of the
    /// primitive.
    pub post_depth_coverage: bool,
    /// DepthGreater, DepthLess or DepthUnchanged; meaningful if FragDepth is an output.
    pub depth_layout: DepthLayout,
    /// True if the shader has derivatives or an implicit lod: helper invocations must be kept alive.
    pub needs_quads: bool,
    /// True if the shader uses SampleId, SamplePosition or inputs decorated Sample: it runs once per sample.
    pub sample_shading: bool,
    /// True if an input is evaluated at the centroid.
    pub centroid: bool,
    /// True if the shader has kill, terminate or demote.
    pub discards: bool,
    /// True if the shader has stores to or atomics on buffers or images.
    pub writes_memory: bool,
    /// Fragment: true if the shader reads the depth or stencil attachment, or colour attachments, of the pass. They are the
    /// descriptors of [`ATTACHMENT_SET`], which `bindings` leaves out.
    pub reads_attachments: [bool; 2],
    /// Fragment: true for attachments (colour, depth, stencil) that are read without an order: NonCoherent modes.
    pub unordered_reads: [bool; 3],
    /// Fragment: true if lane groups are packed, with a separate primitive per quad; see [`crate::abi`].
    pub packed: bool,
    /// True if the shader has a control barrier.
    pub has_barrier: bool,
    /// True if an operation observes the subgroup, so that results may depend on its size.
    pub observes_subgroup: bool,
    /// Subgroup size for which the shader was lowered, if it has cooperative matrices: their scalars depend on it.
    pub subgroup_size: Option<u32>,
    /// True if descriptors are loaded from memory: descriptors that no invocation uses may be invalid.
    pub has_heaps: bool,
    /// True if the module declares the Vulkan memory model.
    pub vulkan_memory_model: bool,
    /// True if the entry point is a kernel of OpenCL.
    pub is_kernel: bool,
    /// Debug information, if requested.
    pub debug: Option<std::sync::Arc<debug::Debug>>,
}

impl Shader {
    /// A shader of this stage that does nothing.
    pub fn empty(kind: StageKind, name: &str) -> Shader {
        Shader {
            stage: kind.stage(),
            kind,
            name: name.to_owned(),
            values: Vec::new(),
            n_labels: 0,
            vars: Vec::new(),
            tables: Vec::new(),
            body: Region { nodes: Vec::new(), end: End::Return },
            inputs: Vec::new(),
            outputs: Vec::new(),
            patch_inputs: Vec::new(),
            patch_outputs: Vec::new(),
            primitive_outputs: Vec::new(),
            xfb: Xfb::default(),
            ray_queries: 0,
            bindings: Vec::new(),
            push_size: 0,
            shared_size: 0,
            payload_size: 0,
            local_size: [1; 3],
            early_fragment_tests: false,
            post_depth_coverage: false,
            depth_layout: DepthLayout::Any,
            needs_quads: false,
            sample_shading: false,
            centroid: false,
            discards: false,
            writes_memory: false,
            reads_attachments: [false; 2],
            unordered_reads: [false; 3],
            packed: false,
            has_barrier: false,
            observes_subgroup: false,
            subgroup_size: None,
            has_heaps: false,
            vulkan_memory_model: false,
            is_kernel: false,
            debug: None,
        }
    }
    /// Number of vertices of an output patch (control), and so of invocations per patch; 0 if the module does not state
    /// it.
    pub fn output_vertices(&self) -> u32 {
        match self.kind {
            StageKind::TessellationControl(modes) => modes.output_vertices.unwrap_or(0),
            _ => 0,
        }
    }
    /// The outputs of a stream, in the order of its records.
    pub fn stream(&self, stream: u32) -> impl Iterator<Item = &Interface> {
        self.outputs.iter().filter(move |o| o.stream == stream)
    }
    /// A new value of type `ty`.
    pub fn new_value(&mut self, ty: Ty) -> Value {
        self.values.push(ty);
        Value(self.values.len() as u32 - 1)
    }
    /// A new label.
    pub fn new_label(&mut self) -> Label {
        self.n_labels += 1;
        Label(self.n_labels - 1)
    }
    /// Type of a value.
    pub fn ty(&self, v: Value) -> Ty {
        self.values[v.0 as usize]
    }
}

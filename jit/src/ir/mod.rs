//! The shader IR: what a SPIR-V entry point becomes before it is interpreted or compiled.
//!
//! One [`Shader`] is one entry point with everything it calls inlined. Its body is a tree of
//! [`Region`]s; inside, each [`Inst`] computes scalar values in SSA form. Vectors, matrices,
//! structs and arrays do not exist here: the front end splits them into scalars.
//!
//! # Control flow
//!
//! Three constructs, all structured, in the manner of WebAssembly:
//!
//! * [`If`]: runs one of two regions; each ends in [`End::Yield`], which gives the `results`.
//! * [`Block`]: runs its body once; `Yield` and [`End::Break`] to its label give the `results`.
//! * [`Loop`]: `Yield` at the end of the body is the back edge and gives the next `params`;
//!   `Break` to its label leaves with the `results`.
//!
//! A SPIR-V loop is `Loop L { Block C { body } ; continuing }`, where `continue` is `Break(C)`.
//! A switch is a `Block` around a chain of `If`s. A function call is a `Block` around the
//! callee's body, where `OpReturn` is a `Break`. Any number of levels may be left at once.
//!
//! Invocations that leave a construct rejoin at its end (maximal reconvergence): after a
//! construct, the active invocations are those that were active before it, less those that broke
//! to an outer label, returned or were terminated.
//!
//! # Rules (checked by [`verify`])
//!
//! 1. A value is defined once, before its uses, in the same region or in an enclosing one.
//! 2. `Yield`, `Break` and loop `init`s match the types and the number of results or params.
//! 3. A label is used only inside its construct.
//! 4. Argument and result types are those of the row of the [`Op`] (see [`op`]).
//! 5. Variables ([`Var`]) are invocation-private lists of scalars and start as zero.
//! 6. Base and size of a buffer come from one look-up, on every way that values take (`provenance`).
//!
//! # Answers to undefined things
//!
//! `OpUndef` is zero. What each operation answers outside its domain is stated at its [`Op`].
//! NaN payloads and signs are not part of the contract.

pub mod debug;
mod interface;
mod note;
pub mod op;
mod provenance;
mod signature;
mod stage;
mod text;
mod verify;
mod walk;

pub use interface::{Binding, BuiltIn, Interface, Interpolation, ResourceKind, Sampling, Slot};
pub use note::{MemoryOperands, Note, Operands, Order, Partial};
pub use op::{AtomicOp, GroupOp, ImageDim, ImageOp, ImageOpKind, LodMode, Op, Sig};
pub use stage::{
    DepthLayout, GeometryInput, GeometryModes, GeometryOutput, MAX_GEOMETRY_INVOCATIONS,
    MAX_GEOMETRY_VERTICES, MAX_MESH_OUTPUTS, MAX_PATCH_VERTICES, MAX_PAYLOAD_BYTES, MAX_STREAMS, MeshModes,
    MeshOutput, Stage, StageKind, TessellationDomain, TessellationModes, TessellationSpacing, VertexOrder,
    Xfb, XfbOutput,
};
pub use verify::{verify, verify_at};
pub use walk::each_inst;

pub use crate::ty::Ty;

use smallvec::SmallVec;

/// A scalar value: one number per invocation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Value(pub u32);

/// Names a [`Block`] or a [`Loop`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Label(pub u32);

/// Names an invocation-private variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Var(pub u32);

/// Where an instruction came from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Src {
    /// SPIR-V result id (0: none).
    pub id: u32,
    /// Line in the source file, from OpLine or DebugLine (0: unknown).
    pub line: u32,
    /// Index into [`debug::Debug::places`] (0: none, or no debug information was asked for).
    pub place: u32,
}

/// What an [`Op`] needs to know besides its arguments.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Imm {
    /// Nothing.
    None,
    /// Bits of a constant (floats by their encoding, bool 0 or 1), zero-extended.
    Bits(u64),
    /// Descriptor set and binding.
    Binding {
        /// Set number.
        set: u32,
        /// Binding number.
        binding: u32,
    },
    /// Memory access: results or stored values are `n` scalars, `stride` bytes apart, the first
    /// at byte `offset` (added to the dynamic offset argument).
    Mem(Mem),
    /// Element `elem` of a variable; dynamic forms add their index argument to it.
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
    /// Interface scalar, index into the list of [`Shader`] that the operation names.
    Slot(u32),
    /// Stream of vertices.
    Stream(u32),
    /// Component of a built-in input.
    BuiltIn(BuiltIn, u32),
    /// Image operation.
    Image(Box<ImageOp>),
    /// Atomic operation on memory at `mem`.
    Atomic(AtomicOp, Mem),
    /// Operation across a group of invocations.
    Group(GroupOp),
    /// What is printed ([`Op::Printf`]).
    Printf(std::sync::Arc<crate::printf::Format>),
    /// What observers are told ([`Op::Note`]).
    Note(Note),
    /// How an input is evaluated ([`Op::Interpolate`]): index into `inputs`.
    Interp(u32, InterpAt),
}

/// Static part of a memory access.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Mem {
    /// Byte offset added to the dynamic one.
    pub offset: u32,
    /// Bytes between consecutive scalars.
    pub stride: u32,
    /// Volatile, Coherent or made available/visible: must not be forwarded or merged.
    pub ordered: bool,
}

/// Where `interpolateAt*` evaluates.
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
    /// What it does.
    pub op: Op,
    /// Arguments, as the row of `op` says.
    pub args: SmallVec<[Value; 4]>,
    /// Results.
    pub results: SmallVec<[Value; 4]>,
    /// Static operands.
    pub imm: Imm,
    /// Origin.
    pub src: Src,
}

// Passes move lists of instructions: one that grows costs every compilation.
const _: () = assert!(size_of::<Inst>() <= 96);

/// A straight list of nodes with one end.
#[derive(Clone, Debug)]
pub struct Region {
    /// In execution order.
    pub nodes: Vec<Node>,
    /// What happens after the last node.
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
    /// Taken by the others.
    pub els: Region,
    /// What the `Yield`s give.
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
    /// What `Yield` and `Break` give.
    pub results: Vec<Value>,
}

/// Labelled body that repeats until left.
#[derive(Clone, Debug)]
pub struct Loop {
    /// Target of `Break`.
    pub label: Label,
    /// Loop-carried values and their first value.
    pub params: Vec<(Value, Value)>,
    /// The body; its `Yield` gives the next params.
    pub body: Region,
    /// What `Break` gives.
    pub results: Vec<Value>,
    /// Origin of the loop header.
    pub src: Src,
}

/// How a region ends.
#[derive(Clone, Debug, PartialEq)]
pub enum End {
    /// Falls out of the enclosing construct (or back to the loop's start) with these values.
    Yield(Vec<Value>),
    /// Leaves the construct of this label with these values.
    Break(Label, Vec<Value>),
    /// The invocation is done: its outputs are those stored so far.
    Return,
    /// OpKill, OpTerminateInvocation: the invocation stops, without outputs.
    Kill,
    /// OpUnreachable: as `Return`.
    Unreachable,
}

/// An invocation-private variable: a list of scalars, zero at the start.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct VarDecl {
    /// Type of each scalar, in the order of the composite's leaves.
    pub elems: Vec<Ty>,
    /// Name from OpName.
    pub name: String,
}

/// Constants in memory, read with [`Op::LoadConstant`]. The front end makes none: see `passes::tables`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash)]
pub struct Table {
    /// Type of each scalar.
    pub elems: Vec<Ty>,
    /// Bits of each scalar, as those of [`Op::Const`].
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
    /// Inputs, each read with [`Op::LoadInput`] (built-ins with [`Op::BuiltIn`]). Where the stage reads
    /// several vertices, those of one.
    pub inputs: Vec<Interface>,
    /// Outputs, each stored with [`Op::StoreOutput`]; those of geometry with [`Op::EmitVertex`]. Of a vertex.
    pub outputs: Vec<Interface>,
    /// Evaluation: inputs of the patch, each read with [`Op::LoadPatchInput`].
    pub patch_inputs: Vec<Interface>,
    /// Control: outputs of the patch, each stored with [`Op::StorePatchOutput`].
    pub patch_outputs: Vec<Interface>,
    /// Mesh: outputs of a primitive, each stored with [`Op::StorePrimitiveOutput`].
    pub primitive_outputs: Vec<Interface>,
    /// What transform feedback captures of the outputs.
    pub xfb: Xfb,
    /// Bindings in use.
    pub bindings: Vec<Binding>,
    /// Bytes of push constants in use (end of the block).
    pub push_size: u32,
    /// Bytes of workgroup memory.
    pub shared_size: u32,
    /// Task and mesh: bytes of the payload that the shader declares.
    pub payload_size: u32,
    /// Workgroup size.
    pub local_size: [u32; 3],
    /// EarlyFragmentTests.
    pub early_fragment_tests: bool,
    /// PostDepthCoverage: SampleMask is what early tests leave, not what the primitive covers.
    pub post_depth_coverage: bool,
    /// DepthGreater and its kin; meaningful when FragDepth is an output.
    pub depth_layout: DepthLayout,
    /// Derivatives or implicit lod: helper invocations must be kept alive.
    pub needs_quads: bool,
    /// SampleId, SamplePosition or inputs decorated Sample are used: runs per sample.
    pub sample_shading: bool,
    /// Inputs are evaluated inside the covered area somewhere.
    pub centroid: bool,
    /// Kill, terminate or demote occurs.
    pub discards: bool,
    /// Stores or atomics to buffers or images occur.
    pub writes_memory: bool,
    /// Fragment: lane groups are packed, each quad is of a primitive of its own; see [`crate::abi`].
    pub packed: bool,
    /// A control barrier occurs.
    pub has_barrier: bool,
    /// An operation that observes the subgroup occurs: results may depend on its size.
    pub observes_subgroup: bool,
    /// Descriptors are loaded from memory: those that no invocation uses may be anything.
    pub has_heaps: bool,
    /// The module declares the Vulkan memory model.
    pub vulkan_memory_model: bool,
    /// What the author calls things, if it was asked for.
    pub debug: Option<std::sync::Arc<debug::Debug>>,
}

impl Shader {
    /// A shader that does nothing, of this stage.
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
            packed: false,
            has_barrier: false,
            observes_subgroup: false,
            has_heaps: false,
            vulkan_memory_model: false,
            debug: None,
        }
    }
    /// Vertices of an output patch (control), and so invocations of a patch; 0 if the module does not say.
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

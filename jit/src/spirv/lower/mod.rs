//! Lowering of an entry point to shader IR.
//!
//! [`Lower`] holds the state. Each family of instructions has a separate file that adds functions to it, and the table
//! in [`super::ops`] assigns a function to each instruction. All calls are inlined. Pointers are [`Place`]s as long as
//! they are known at compile time.
//!
//! * `control`: functions, blocks, structured control flow, OpPhi.
//! * `entry`, `modes`: an entry point and its execution modes; `inst`: instructions by their rows.
//! * `place`: compile-time pointers, access chains; `access`: loads and stores; `variable`: variables and the
//!   instructions that access them. `pointer`: pointers as values.
//! * `interface`: inputs, outputs, variables; `slots`: their interface scalars; `resource`: resources; `vertices`:
//!   per-vertex, per-primitive and per-patch variables; `geometry`: emitted vertices; `mesh`: outputs of task and mesh
//!   workgroups, payloads; `capture`: transform feedback; `quads`: ids of invocations that form quads.
//! * `heap`: resources in descriptor heaps. `ray`: ray queries. `ray_call`: ray tracing stages and their calls.
//! * `hit_object`: hit objects.
//! * `kernel`: arguments, pointers and private memory of kernels. `opencl`: OpenCL.std.
//! * `aggregate`: large aggregates, which stay in memory.
//! * `note`: notes for observers.
//! * `debug`: names and locations of the source.
//! * `scope`: values used outside of the construct that defines them.
//! * `cooperative`: cooperative matrices. `tiled`: their products in tiles. `elements`: functions of their elements.
//!   `tensor`: layouts and views of tensors, and the matrices in them. `small_float`: bfloat16 and floats of 4 to 8 bits.
//! * `convert`: conversions with rounding and saturation, as decorations ask for.
//! * `composite`, `arith`, `matrix`, `glsl`, `denorm`, `pack`, `image`, `atomic`, `group`: instructions.

mod abort;
mod access;
pub mod aggregate;
pub mod arith;
pub mod atomic;
pub mod attachment;
mod capture;
pub mod composite;
pub mod control;
pub mod convert;
pub mod cooperative;
pub mod copy;
mod debug;
pub mod denorm;
pub mod elements;
mod entry;
pub mod geometry;
pub mod glsl;
pub mod group;
pub mod heap;
pub mod hit_object;
pub mod image;
mod inst;
pub mod interface;
pub mod kernel;
pub mod matrix;
pub mod mesh;
mod modes;
mod note;
pub mod opencl;
pub mod pack;
pub mod place;
pub mod pointer;
mod quads;
pub mod ray;
pub mod ray_call;
pub mod resource;
mod scope;
mod slots;
pub mod small_float;
pub mod tensor;
mod tiled;
pub mod variable;
mod vertices;
mod wide;

pub use entry::{Beside, Lowering};
pub use slots::canonical_order;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};
use spirv::Op as SpvOp;

use super::heap::Mapping;
use super::module::{Inst, Module};
use super::sizes::Types;
use super::tables::DerivativeGroup;
use super::types::Type;
use crate::error::{Error, Result};
use crate::ir::{self, HandleKind, Imm, Node, Op, Shader, Src, Ty, Value, Var, VarDecl};
use crate::spirv::grammar;
pub use capture::MAX_STRIDE as MAX_FEEDBACK_STRIDE;
use place::Place;

/// Maximum number of resource variables of a shader.
pub const MAX_BINDINGS: usize = 1 << 14;
/// Maximum number of IR nodes of a shader.
pub const MAX_IR_NODES: usize = 2_000_000;
/// Maximum number of scalars of all variables of a shader, among them those of inlined calls and copies of aggregates.
const MAX_VAR_SCALARS: usize = 1 << 26;
/// Number of bytes of a name or text that count as an IR node, because inlined calls can copy a long one very often.
const TEXT_PER_NODE: usize = 64;
/// Number of scalars that count as an IR node where a value is kept once more, because a few words can keep
/// [`super::types::MAX_LEAVES`] of them.
const KEPT_PER_NODE: usize = 8;
/// Maximum nesting of control flow, inlined calls included.
pub const MAX_NESTING: u32 = 128;

/// Scalars of a composite value, in leaf order.
pub type Scalars = SmallVec<[Value; 4]>;

/// Value of a SPIR-V id.
#[derive(Clone, Debug)]
pub(super) enum Val {
    Scalars(Scalars),
    /// A pointer.
    Place(Place),
    /// A large aggregate, held in a private variable that nothing else writes.
    Memory(Place),
}

/// State of the lowering of one entry point.
pub struct Lower<'m> {
    pub(super) module: &'m Module,
    pub(super) types: Types<'m>,
    pub(super) shader: Shader,
    /// Mappings of resource variables to descriptor heaps, if the shader uses heaps.
    mappings: Option<&'m [Mapping]>,
    /// Nodes of the region that is being built.
    cur: Vec<Node>,
    /// Nodes at the start of the body: constants, descriptors, copies of inputs.
    prelude: Vec<Node>,
    /// Nodes between the prelude and the body: initializers of shared outputs.
    first: Vec<Node>,
    consts: FxHashMap<(Ty, u64), Value>,
    /// Values of the constants in `consts`.
    const_values: FxHashMap<Value, u64>,
    handles: FxHashMap<(Op, u32, u32, HandleKind, u32), Value>,
    /// Base and size of buffers, for handles whose parts have been emitted.
    parts: FxHashMap<Value, (Value, Value)>,
    /// `true` if any decoration is Volatile or Coherent; `None` until first needed.
    ordered_anywhere: Option<bool>,
    /// Binding that an image handle comes from; `None` for handles from a heap.
    image_bindings: FxHashMap<Value, Option<u32>>,
    globals: FxHashMap<u32, Val>,
    /// Known values of variables since the last construct, by element.
    known: FxHashMap<Var, Vec<Option<Value>>>,
    frames: Vec<control::Frame>,
    label_uses: Vec<u32>,
    src: Src,
    nodes: usize,
    /// Number of scalars of the variables.
    var_scalars: usize,
    /// Number of scalars of large aggregates that instructions have handled one by one; see [`aggregate`].
    apart: usize,
    depth: u32,
    loop_depth: u32,
    io: interface::Io,
    /// DenormPreserve for 32 bits; see [`denorm`].
    keeps_denorms: bool,
    /// `true` if SignedZeroInfNanPreserve applies, or float controls per instruction, which may request it.
    keeps_zeros: bool,
    /// Arrangement of compute invocations in quads, if they form quads.
    derivative_group: Option<DerivativeGroup>,
    /// `true` under execution mode Xfb.
    captures: bool,
    /// Invocation ids in quad order; created on first use.
    quad_ids: Option<quads::Ids>,
    /// Ray queries of the variables of functions.
    local_queries: ray::Locals,
    /// State of kernels.
    kernel: kernel::State,
    /// `true` if notes for observers are emitted.
    noted: bool,
    /// Memory semantics of the last first half of a split barrier.
    pub(super) arrived: u32,
    /// Memory operands of the current instruction.
    operands: ir::MemoryOperands,
    /// Alignment in bytes that the current instruction states for its accesses; 0 if it states none.
    said_aligned: u32,
    /// Debug information, if it is collected.
    debug: Option<Box<debug::Collect>>,
}

impl<'m> Lower<'m> {
    /// Counts work, so that no module can make lowering run without bound.
    pub(super) fn work(&mut self, n: usize) -> Result<()> {
        self.nodes += n;
        crate::budget::work(n)?;
        if self.nodes > MAX_IR_NODES {
            return Err(Error::Limit(format!("shader is larger than {MAX_IR_NODES} IR nodes")));
        }
        if self.var_scalars > MAX_VAR_SCALARS {
            return Err(Error::Limit(format!("variables have more than {MAX_VAR_SCALARS} scalars")));
        }
        Ok(())
    }

    /// Counts `n` scalars of a value that is kept once more as work. No node is made of them, but their list takes memory.
    pub(super) fn kept(&mut self, n: usize) -> Result<()> {
        self.work(n / KEPT_PER_NODE)
    }

    /// Counts the bytes of a text as work.
    pub(super) fn text_work(&mut self, bytes: usize) -> Result<()> {
        self.work(bytes / TEXT_PER_NODE)
    }

    // Emission.

    /// Emits an operation with results of the given types.
    pub(super) fn emit(&mut self, op: Op, args: &[Value], imm: Imm, tys: &[Ty]) -> Scalars {
        self.note_operands(op, &imm);
        self.nodes += 1;
        let results: Scalars = tys.iter().map(|&ty| self.shader.new_value(ty)).collect();
        let inst = ir::Inst { op, args: args.into(), results: results.clone(), imm, src: self.src };
        match (op, &inst.imm) {
            (Op::VarSet, Imm::Var { var, elem }) => self.note(*var, *elem, args[0]),
            (Op::VarSetDyn, Imm::Var { var, .. }) => {
                self.known.remove(var);
            }
            _ => {}
        }
        self.cur.push(Node::Inst(inst));
        results
    }

    fn note(&mut self, var: Var, elem: u32, v: Value) {
        // Observers of stages that exchange variables follow each access.
        if self.noted && self.shader.stage.is_of_rays() {
            return;
        }
        let known = self.known.entry(var).or_default();
        if known.len() <= elem as usize {
            known.resize(elem as usize + 1, None);
        }
        known[elem as usize] = Some(v);
    }

    /// Reads an element of a variable; within a construct, reuses the value that was last stored or read.
    pub(super) fn get_var(&mut self, var: Var, elem: u32, ty: Ty) -> Value {
        if let Some(&Some(v)) = self.known.get(&var).and_then(|k| k.get(elem as usize)) {
            return v;
        }
        let v = self.emit(Op::VarGet, &[], Imm::Var { var, elem }, &[ty])[0];
        self.note(var, elem, v);
        v
    }

    /// Forgets the known values of variables, since a construct begins or ends here.
    pub(super) fn forget(&mut self) {
        self.known.clear();
    }

    /// Emits a pure operation with one result.
    pub(super) fn op(&mut self, op: Op, ty: Ty, args: &[Value]) -> Value {
        self.emit(op, args, Imm::None, &[ty])[0]
    }

    /// Emits an operation at the start of the shader.
    pub(super) fn emit_first(&mut self, op: Op, args: &[Value], imm: Imm, tys: &[Ty]) -> Scalars {
        self.nodes += 1;
        let results: Scalars = tys.iter().map(|&ty| self.shader.new_value(ty)).collect();
        let src = Src { id: self.src.id, line: 0, place: 0 };
        let inst = ir::Inst { op, args: args.into(), results: results.clone(), imm, src };
        self.prelude.push(Node::Inst(inst));
        results
    }

    /// Returns the value of a constant, and emits the constant on first use.
    pub(super) fn constant(&mut self, ty: Ty, bits: u64) -> Value {
        if let Some(&v) = self.consts.get(&(ty, bits)) {
            return v;
        }
        let v = self.emit_first(Op::Const, &[], Imm::Bits(bits), &[ty])[0];
        self.consts.insert((ty, bits), v);
        self.const_values.insert(v, bits);
        v
    }

    /// `true` if a value is a constant of the module.
    pub(super) fn is_constant(&self, v: Value) -> bool {
        self.const_values.contains_key(&v)
    }

    /// The bits of a value that is a constant of the module.
    pub(super) fn known_bits(&self, v: Value) -> Option<u64> {
        self.const_values.get(&v).copied()
    }

    /// An I32 constant.
    pub(super) fn i32(&mut self, v: u32) -> Value {
        self.constant(Ty::I32, u64::from(v))
    }

    /// A floating-point constant of the given type.
    pub(super) fn float(&mut self, ty: Ty, v: f64) -> Value {
        let bits = match ty {
            Ty::F16 | Ty::F64 => crate::ops::value::from_f64(ty, v),
            _ => u64::from((v as f32).to_bits()),
        };
        self.constant(ty, bits)
    }

    /// Creates a private variable.
    pub(super) fn new_var(&mut self, elems: Vec<Ty>, name: &str) -> Var {
        self.var_scalars += elems.len();
        // Each inlined call of a function copies its names.
        self.nodes += name.len() / TEXT_PER_NODE;
        self.shader.vars.push(VarDecl { elems, name: name.to_owned() });
        Var(self.shader.vars.len() as u32 - 1)
    }

    /// Type of a value.
    pub(super) fn ty(&self, v: Value) -> Ty {
        self.shader.ty(v)
    }

    // Ids.

    /// Returns the value of an id.
    pub(super) fn val(&mut self, id: u32) -> Result<Val> {
        if let Some(val) = self.frames.last().and_then(|f| f.locals.get(&id)) {
            return Ok(val.clone());
        }
        if let Some(val) = self.globals.get(&id) {
            return Ok(val.clone());
        }
        let m = self.module;
        let Some(def) = m.def(id) else {
            return Err(Error::invalid(format!("id %{id} is not defined")));
        };
        let val = if def.op == SpvOp::ConstantSampler {
            self.literal_sampler(def)?
        } else if grammar::is_constant(def.op) || def.op == SpvOp::Undef {
            let null = match m.ty(def.ty)? {
                Type::Pointer { class: spirv::StorageClass::Workgroup, .. } => pointer::NULL_SHARED,
                _ => 0,
            };
            let bits = self.types.const_bits(id)?;
            let mut tys = Vec::new();
            self.types.leaf_types(def.ty, &mut tys)?;
            let noted = self.noted_undef(def.op, &tys, null);
            let scalar = |(&ty, &b): (&Ty, &u64)| match ty {
                Ty::Image => self.emit_first(Op::NullImage, &[], Imm::None, &[ty])[0],
                _ => self.constant(ty, b | null),
            };
            match noted {
                Some(val) => val,
                None => {
                    let mut scalars = tys.iter().zip(bits.iter()).map(scalar).collect();
                    if self.is_kernel() {
                        self.relocate(def.ty, &bits, &mut scalars)?;
                    }
                    Val::Scalars(scalars)
                }
            }
        } else if matches!(def.op, SpvOp::Variable | SpvOp::UntypedVariableKHR) && m.is_global(def) {
            Val::Place(self.global(def)?)
        } else {
            return Err(Error::invalid(format!("id %{id} is used where it is not defined")));
        };
        self.globals.insert(id, val.clone());
        Ok(val)
    }

    /// Returns the scalars of an id, for an instruction that emits nodes for each of them.
    pub(super) fn scalars(&mut self, id: u32) -> Result<Scalars> {
        let scalars = self.leaves_of(id)?;
        if scalars.len() as u32 > aggregate::MAX_SPLIT {
            self.take_apart(self.module.type_of(id)?, scalars.len())?;
        }
        Ok(scalars)
    }

    /// Returns the scalars of an id, for an instruction that only moves them.
    pub(super) fn leaves_of(&mut self, id: u32) -> Result<Scalars> {
        match self.val(id)? {
            Val::Scalars(s) => {
                // Count this as work: the scalars of an aggregate are copied each time.
                self.work(s.len() / 32)?;
                Ok(s)
            }
            Val::Place(p) => self.pointer_scalars(&p),
            Val::Memory(p) => {
                let n = self.types.leaves(p.ty)?;
                self.take_apart(p.ty, n as usize)?;
                self.load(&p)
            }
        }
    }

    /// Returns the only scalar of an id.
    pub(super) fn scalar(&mut self, id: u32) -> Result<Value> {
        match self.scalars(id)?[..] {
            [v] => Ok(v),
            _ => Err(Error::invalid(format!("operand %{id} is not a scalar"))),
        }
    }

    /// Returns operand `i` of a list of ids.
    pub(super) fn id_at(&self, operands: &[u32], i: usize) -> Result<u32> {
        operands.get(i).copied().ok_or_else(|| Error::invalid("operand is missing"))
    }

    /// Binds a result id.
    pub(super) fn define(&mut self, inst: &Inst, scalars: Scalars) -> Result<()> {
        // Undefined runtime arrays and pointers to variables have no scalars; no instruction can use them.
        let empty = inst.op == SpvOp::Undef && scalars.is_empty();
        if !empty && self.types.leaves(inst.ty)? as usize != scalars.len() {
            return Err(Error::invalid("result does not fit its type"));
        }
        // Only SPIR-V types distinguish images from samplers, so no instruction may convert between the two.
        use SpvOp as O;
        let handles = [O::Load, O::SampledImage, O::Image, O::CopyObject, O::CompositeExtract, O::Undef];
        if scalars.iter().any(|&v| self.ty(v) == Ty::Image) && !handles.contains(&inst.op) {
            return Err(Error::invalid("images and samplers cannot be made or moved by this instruction"));
        }
        if let [one] = scalars[..] {
            // Check the common case here, where it is cheap: later errors would be harder to read.
            if self.types.module.ty(inst.ty)?.scalar().is_some_and(|ty| ty != self.ty(one)) {
                return Err(Error::invalid("operands do not fit the result type"));
            }
        }
        self.bind(inst.id, Val::Scalars(scalars));
        Ok(())
    }

    /// Binds an id in the current function.
    pub(super) fn bind(&mut self, id: u32, val: Val) {
        if self.debug.is_some() {
            self.debug_bind(id, &val);
        }
        if let Some(frame) = self.frames.last_mut() {
            frame.locals.insert(id, val);
        }
    }

    /// Applies an operation to each component; an operand with one scalar is used for all components.
    pub(super) fn map(&mut self, op: Op, inst: &Inst, operands: &[u32], swap: bool) -> Result<Scalars> {
        let ty = self.types.component(inst.ty)?;
        let n = self.types.leaves(inst.ty)? as usize;
        let mut args: SmallVec<[Scalars; 4]> = SmallVec::new();
        for &id in operands {
            args.push(self.scalars(id)?);
        }
        if swap {
            args.reverse();
        }
        self.map_values(op, ty, n, &args)
    }

    /// Applies `op` to `n` components of `args`; see [`Lower::map`].
    pub(super) fn map_values(&mut self, op: Op, ty: Ty, n: usize, args: &[Scalars]) -> Result<Scalars> {
        let arity = match op.sig() {
            ir::op::Sig::Insert => 4,
            ir::op::Sig::TriF | ir::op::Sig::TriI | ir::op::Sig::Select | ir::op::Sig::Extract => 3,
            ir::op::Sig::BinF
            | ir::op::Sig::BinI
            | ir::op::Sig::BinBits
            | ir::op::Sig::CmpF
            | ir::op::Sig::CmpI
            | ir::op::Sig::Shift
            | ir::op::Sig::FI => 2,
            _ => 1,
        };
        if args.len() != arity || args.iter().any(|a| a.len() != n && a.len() != 1) {
            return Err(Error::invalid("operands do not fit the instruction"));
        }
        let mut out = Scalars::with_capacity(n);
        for i in 0..n {
            let each: Scalars = args.iter().map(|a| if a.len() == 1 { a[0] } else { a[i] }).collect();
            out.push(self.op(op, ty, &each));
        }
        Ok(out)
    }

    /// Wraps a single scalar in a list.
    pub(super) fn one(v: Value) -> Scalars {
        smallvec![v]
    }
}

/// Maximum number of invocations of a workgroup.
pub const MAX_LOCAL_INVOCATIONS: u32 = 1024;

//! A shader prepared for interpretation: rows of its values, descriptors and image operations of its instructions.

use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::memory::Views;
use crate::abi::{BindingLayout, EntryMeta, Layout, MAX_IMAGE_OPS, MAX_LANES, interface_words};
use crate::codegen::ImageOps;
use crate::ir::{
    ImageOp, Imm, Inst, Interface, MAX_STREAMS, Node, Op, Region, Shader, Stage, Ty, Value, Var,
};
use crate::{Error, Result};

/// Maximum number of scalars in private variables.
const MAX_VARS: u32 = 1 << 20;

/// Stack that the interpreter takes for a call, in bytes: several times what its functions need, in any build.
const STACK_BYTES: u32 = 64 << 10;

/// State that the calls of a lane function share.
pub(super) struct Program {
    pub shader: Arc<Shader>,
    pub lanes: u32,
    pub meta: EntryMeta,
    /// First row of each value; handles take two.
    rows: Vec<u32>,
    pub n_rows: usize,
    /// First scalar of each variable.
    vars: Vec<u32>,
    pub n_vars: usize,
    /// The claims to verify, if any.
    pub checks: Option<super::checks::Checks>,
    /// The watcher of the calls.
    pub watch: Option<Arc<dyn super::watch::Watch>>,
    bindings: FxHashMap<(u32, u32), BindingLayout>,
    image_ops: FxHashMap<ImageOp, u32>,
    /// Placeholder views.
    pub views: Views,
    /// First word of each input and output.
    pub input_words: Vec<u32>,
    pub output_words: Vec<u32>,
}

/// Number of rows of values of a type: handles are pairs of numbers.
pub(super) fn rows_of(ty: Ty) -> u32 {
    if matches!(ty, Ty::Buffer | Ty::Image) { 2 } else { 1 }
}

/// First word of each scalar of an interface.
fn words(list: &[Interface]) -> Vec<u32> {
    (0..list.len()).map(|i| interface_words(&list[..i])).collect()
}

impl Program {
    /// Checks everything that the interpreter relies on, and interns the image operations.
    pub fn new(shader: Arc<Shader>, layout: &Layout, lanes: u32, ops: &dyn ImageOps) -> Result<Program> {
        if !matches!(lanes, 4 | 8 | 16 | 32) || lanes as usize > MAX_LANES {
            return Err(Error::Internal(format!("a lane group of {lanes}")));
        }
        check_stage(&shader)?;
        shader.check_subgroup_size(lanes)?;
        let mut n_rows = 0;
        let mut rows = Vec::with_capacity(shader.values.len());
        for &ty in &shader.values {
            rows.push(n_rows);
            n_rows += rows_of(ty);
        }
        let mut n_vars = 0;
        let mut vars = Vec::with_capacity(shader.vars.len());
        for var in &shader.vars {
            vars.push(n_vars);
            let sum = u64::from(n_vars) + var.elems.len() as u64;
            n_vars = u32::try_from(sum).ok().filter(|&n| n <= MAX_VARS).ok_or_else(|| {
                Error::Limit(format!("private variables have more than {MAX_VARS} scalars"))
            })?;
        }
        let mut image_ops = FxHashMap::default();
        check(&shader, &shader.body, &mut |op| {
            if !image_ops.contains_key(op) {
                let number = ops.intern(op)?;
                if number as usize >= MAX_IMAGE_OPS {
                    return Err(Error::Limit("image operations of a device".into()));
                }
                image_ops.insert(*op, number);
            }
            Ok(())
        })?;
        let stack_bytes = if shader.stage.is_of_rays() { STACK_BYTES } else { 0 };
        let meta = EntryMeta { stack_bytes, ..EntryMeta::of(&shader, lanes) };
        Ok(Program {
            lanes,
            meta,
            rows,
            n_rows: n_rows as usize,
            vars,
            n_vars: n_vars as usize,
            checks: None,
            watch: None,
            bindings: layout.bindings.iter().map(|b| ((b.set, b.binding), b.clone())).collect(),
            image_ops,
            views: Views::of(ops),
            input_words: words(&shader.inputs),
            output_words: words(&shader.outputs),
            shader,
        })
    }

    /// Index of the first row of a value.
    pub fn row(&self, v: Value) -> usize {
        self.rows[v.0 as usize] as usize
    }

    /// Index of scalar `elem` of a variable, if the variable has it.
    pub fn var(&self, var: Var, elem: u32) -> Option<usize> {
        let n = self.shader.vars.get(var.0 as usize)?.elems.len();
        ((elem as usize) < n).then(|| self.vars[var.0 as usize] as usize + elem as usize)
    }

    /// Location of a binding's descriptors.
    pub fn binding(&self, set: u32, binding: u32) -> Option<&BindingLayout> {
        self.bindings.get(&(set, binding))
    }

    /// Number of an image operation.
    pub fn image_op(&self, op: &ImageOp) -> u32 {
        self.image_ops.get(op).copied().unwrap_or(0)
    }
}

/// Rejects a shader whose stage lacks required modes.
fn check_stage(shader: &Shader) -> Result<()> {
    if shader.stage == Stage::TessellationControl && shader.output_vertices() == 0 {
        return Err(Error::invalid(format!("'{}': no module declares OutputVertices", shader.name)));
    }
    Ok(())
}

/// Checks all instructions: every index is in range, and every operation has its static operand.
fn check(shader: &Shader, region: &Region, image: &mut dyn FnMut(&ImageOp) -> Result<()>) -> Result<()> {
    let known = |v: &Value| (v.0 as usize) < shader.values.len();
    for node in &region.nodes {
        match node {
            Node::Inst(inst) => {
                let broken = |what: &str| Err(Error::Internal(format!("{}: {what}", inst.op.name())));
                if !inst.args.iter().chain(&inst.results).all(known) {
                    return broken("unknown value");
                }
                if !has_operand(shader, inst) {
                    return broken("wrong static operand");
                }
                if let (Op::ImageOp | Op::ImageWrite, Imm::Image(op)) = (inst.op, &inst.imm) {
                    image(op)?;
                }
            }
            Node::If(n) => {
                check(shader, &n.then, image)?;
                check(shader, &n.els, image)?;
            }
            Node::Block(n) => check(shader, &n.body, image)?,
            Node::Loop(n) => check(shader, &n.body, image)?,
        }
    }
    Ok(())
}

/// True if an instruction has the static operand of its operation, with indices in range.
fn has_operand(shader: &Shader, inst: &Inst) -> bool {
    let slot = |list: &[Interface], i: u32| (i as usize) < list.len();
    match (inst.op, &inst.imm) {
        (Op::Const, Imm::Bits(_)) => true,
        (Op::LoadInput, Imm::Slot(i)) => slot(&shader.inputs, *i),
        (Op::LoadPatchInput, Imm::Slot(i)) => slot(&shader.patch_inputs, *i),
        (Op::StoreOutput | Op::LoadOutput, Imm::Slot(i)) => slot(&shader.outputs, *i),
        (Op::StorePatchOutput | Op::LoadPatchOutput, Imm::Slot(i)) => slot(&shader.patch_outputs, *i),
        (Op::StorePrimitiveOutput | Op::LoadPrimitiveOutput, Imm::Slot(i)) => {
            slot(&shader.primitive_outputs, *i)
        }
        (Op::EmitVertex | Op::EndPrimitive, Imm::Stream(s)) => (*s as usize) < MAX_STREAMS,
        (Op::Interpolate, Imm::Interp(i, _)) => slot(&shader.inputs, *i) && shader.stage == Stage::Fragment,
        (Op::BuiltIn, Imm::BuiltIn(..)) | (Op::Group, Imm::Group(_)) => true,
        // The shape also decides the numbers of arguments and results.
        (Op::Matrix, Imm::Matrix(op)) => shader.subgroup_size.is_some_and(|lanes| {
            let lanes = lanes.max(1) as usize;
            op.in_range()
                && inst.args.len() == op.elements().map(|n| n.div_ceil(lanes)).sum::<usize>()
                && inst.results.len() == op.results(lanes)
        }),
        (Op::VarGet | Op::VarSet | Op::VarGetDyn | Op::VarSetDyn, Imm::Var { var, .. }) => {
            (var.0 as usize) < shader.vars.len()
        }
        (Op::LoadConstant, Imm::Table { table, .. }) => (*table as usize) < shader.tables.len(),
        (Op::BufferDescriptor | Op::ImageDescriptor, Imm::Binding { .. }) => true,
        (Op::LoadBuffer | Op::StoreBuffer | Op::LoadShared | Op::StoreShared, Imm::Mem(_)) => true,
        (Op::AtomicBuffer | Op::AtomicShared, Imm::Atomic(..)) => true,
        (Op::Offset, Imm::Strides(s)) => s.len() == inst.args.len(),
        (Op::ImageOp | Op::ImageWrite, Imm::Image(_)) => true,
        (Op::RayStep | Op::RayGet, Imm::Ray(_)) | (Op::RayCall, Imm::Call(_)) => true,
        (op, _) => !takes_operand(op),
    }
}

/// True if an operation has a static operand.
fn takes_operand(op: Op) -> bool {
    matches!(
        op,
        Op::Const
            | Op::LoadInput
            | Op::LoadPatchInput
            | Op::StoreOutput
            | Op::LoadOutput
            | Op::StorePatchOutput
            | Op::LoadPatchOutput
            | Op::StorePrimitiveOutput
            | Op::LoadPrimitiveOutput
            | Op::EmitVertex
            | Op::EndPrimitive
            | Op::Interpolate
            | Op::BuiltIn
            | Op::Group
            | Op::Matrix
            | Op::VarGet
            | Op::VarSet
            | Op::VarGetDyn
            | Op::VarSetDyn
            | Op::LoadConstant
            | Op::Offset
            | Op::BufferDescriptor
            | Op::ImageDescriptor
            | Op::LoadBuffer
            | Op::StoreBuffer
            | Op::LoadShared
            | Op::StoreShared
            | Op::AtomicBuffer
            | Op::AtomicShared
            | Op::ImageOp
            | Op::ImageWrite
            | Op::RayStep
            | Op::RayGet
            | Op::RayCall
    )
}

//! Functions, blocks and structured control flow.
//!
//! Blocks are lowered along chains: a chain runs from a block to a branch that leaves it. Branches to the merge blocks,
//! continue targets and loop headers of the enclosing constructs are breaks to the label of an IR block or loop; all
//! other branches continue the chain. Breaks in tail position become yields and blocks without breaks dissolve, so that
//! plain ifs stay plain.
//!
//! OpPhi becomes a private variable, set on each edge and read at the top of the block. Every block of a function is
//! lowered at most once per call. This bounds the work and rejects unstructured control flow. Unreachable blocks are
//! not lowered.

mod call;
mod graph;
mod switch;

pub use call::call;

use rustc_hash::FxHashMap;
use spirv::Op as SpvOp;

use super::{Lower, MAX_NESTING, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{self, End, Imm, Label, Node, Op, Region, Ty, Value, Var};
use crate::spirv::module::{Block, Function, Inst, Merge};
use crate::spirv::sizes::is_pointer_value;
use crate::spirv::types::Type;
use crate::spirv::{grammar, newer};

/// A call that is being inlined.
pub struct Frame {
    function: u32,
    pub(super) locals: FxHashMap<u32, Val>,
    phis: FxHashMap<u32, (Var, usize)>,
    lowered: Vec<bool>,
    targets: Vec<(u32, Target)>,
    ret: Label,
    ret_var: Option<Var>,
    ret_values: Option<Scalars>,
    n_returns: u32,
}

/// Effect of a branch to a block of an enclosing construct.
#[derive(Clone, Copy)]
enum Target {
    /// Leaves the construct.
    Break(Label),
    /// Falls through to a later case: sets its flag, then leaves the current case.
    Case(Label, Var),
}

/// Continuation of a chain after a branch.
enum Next {
    Chain(u32),
    End(End),
}

pub(super) fn yields() -> End {
    End::Yield(Vec::new())
}

impl<'m> Lower<'m> {
    fn frame(&mut self) -> Result<&mut Frame> {
        self.frames.last_mut().ok_or_else(|| Error::Internal("no function is being lowered".into()))
    }

    pub(super) fn new_label(&mut self) -> Label {
        self.label_uses.push(0);
        Label(self.label_uses.len() as u32 - 1)
    }

    pub(super) fn breaks(&mut self, label: Label) -> End {
        self.label_uses[label.0 as usize] += 1;
        End::Break(label, Vec::new())
    }

    /// Ends the invocation, from any depth of calls: the outputs are those stored so far.
    pub(super) fn leave_shader(&mut self) -> Result<End> {
        let first = self.frames.first().map(|frame| frame.ret);
        let label = first.ok_or_else(|| Error::Internal("no function is being lowered".into()))?;
        Ok(self.breaks(label))
    }

    fn used(&self, label: Label) -> bool {
        self.label_uses[label.0 as usize] > 0
    }

    /// Lowers the chain of blocks that starts at `label`. `header` is the header of a loop that is already open.
    fn chain(&mut self, label: u32, header: Option<u32>) -> Result<End> {
        let m = self.module;
        let function = m.function(self.frame()?.function)?;
        if self.depth > MAX_NESTING {
            return Err(Error::Limit(format!("calls and control flow nested deeper than {MAX_NESTING}")));
        }
        let mut label = label;
        let mut open = header;
        loop {
            let block = self.enter(function, label)?;
            let next = match block.merge {
                Some(Merge::Loop(merge, cont)) if open != Some(label) => {
                    self.lower_loop(block, merge, cont)?
                }
                _ => {
                    let frame = self.frame()?;
                    let index = function.by_label[&label];
                    if std::mem::replace(&mut frame.lowered[index], true) {
                        return Err(m.invalid(
                            m.inst(block.end),
                            format!("block %{label} is reached in more than one way: control flow is not structured"),
                        ));
                    }
                    self.block_body(block)?;
                    let end = *m.inst(block.end);
                    self.src = self.origin(&end);
                    self.note_leaving(&end);
                    self.terminator(block, &end).map_err(|e| match e {
                        Error::Invalid { message, place } if place.word.is_none() => m.invalid(&end, message),
                        e => e,
                    })?
                }
            };
            open = None;
            match next {
                Next::Chain(to) => label = to,
                Next::End(end) => return Ok(end),
            }
        }
    }

    fn enter(&self, function: &'m Function, label: u32) -> Result<&'m Block> {
        match function.by_label.get(&label) {
            Some(&index) => Ok(&function.blocks[index]),
            None => Err(Error::invalid(format!("branch to %{label}, which is not a block of the function"))),
        }
    }

    fn block_body(&mut self, block: &Block) -> Result<()> {
        let m = self.module;
        let mut phis = true;
        for i in block.body.clone() {
            let inst = *m.inst(i);
            if inst.op == SpvOp::Phi {
                if !phis {
                    return Err(m.invalid(&inst, "OpPhi after other instructions"));
                }
                self.phi(&inst)?;
            } else {
                phis &= precedes_phis(inst.op);
                self.inst(&inst)?;
            }
        }
        Ok(())
    }

    /// Reads the variable of an OpPhi.
    fn phi(&mut self, inst: &Inst) -> Result<()> {
        self.src = self.origin(inst);
        let (var, _) = self.phi_var(inst)?;
        let tys = self.shader.vars[var.0 as usize].elems.clone();
        self.take_apart(inst.ty, tys.len())?;
        let mut scalars = Scalars::new();
        for (i, &ty) in tys.iter().enumerate() {
            scalars.push(self.get_var(var, i as u32, ty));
        }
        self.work(1)?;
        self.define(inst, scalars)
    }

    fn phi_var(&mut self, inst: &Inst) -> Result<(Var, usize)> {
        if let Some(&known) = self.frame()?.phis.get(&inst.id) {
            return Ok(known);
        }
        let m = self.module;
        let mut tys = Vec::new();
        self.types.leaf_types(inst.ty, &mut tys)?;
        if tys.contains(&Ty::Image) {
            return Err(m.invalid(inst, "OpPhi of images or samplers"));
        }
        let n = tys.len();
        let var = self.new_var(tys, m.name(inst.id));
        self.frame()?.phis.insert(inst.id, (var, n));
        Ok((var, n))
    }

    /// Sets the OpPhi variables of block `to` for the edge from block `from`.
    fn edge(&mut self, from: u32, to: u32) -> Result<()> {
        let m = self.module;
        let function = m.function(self.frame()?.function)?;
        let block = self.enter(function, to)?;
        let mut sets: Vec<(Var, Scalars)> = Vec::new();
        for i in block.body.clone() {
            let inst = m.inst(i);
            match inst.op {
                SpvOp::Phi => {}
                op if precedes_phis(op) => continue,
                _ => break,
            }
            let Some(pair) = m.operands(inst).chunks_exact(2).find(|p| p[1] == from) else {
                return Err(m.invalid(inst, format!("no value for the edge from block %{from}")));
            };
            let (var, n) = self.phi_var(inst)?;
            let scalars = self.scalars(pair[0])?;
            if scalars.len() != n {
                return Err(m.invalid(inst, "value does not fit the type"));
            }
            sets.push((var, scalars));
        }
        for (var, scalars) in sets {
            for (i, v) in scalars.into_iter().enumerate() {
                self.emit(Op::VarSet, &[v], Imm::Var { var, elem: i as u32 }, &[]);
            }
        }
        Ok(())
    }

    fn target(&mut self, block: u32) -> Result<Option<Target>> {
        Ok(self.frame()?.targets.iter().rev().find(|t| t.0 == block).map(|t| t.1))
    }

    fn leave(&mut self, target: Target) -> End {
        match target {
            Target::Break(label) => self.breaks(label),
            Target::Case(label, flag) => {
                let yes = self.constant(Ty::Bool, 1);
                self.emit(Op::VarSet, &[yes], Imm::Var { var: flag, elem: 0 }, &[]);
                self.breaks(label)
            }
        }
    }

    /// Branches from block `from` to block `to`.
    fn goto(&mut self, from: u32, to: u32) -> Result<Next> {
        self.edge(from, to)?;
        self.go_on(to)
    }

    /// Continues at block `to`, whose edge has already been lowered.
    fn go_on(&mut self, to: u32) -> Result<Next> {
        Ok(match self.target(to)? {
            Some(target) => Next::End(self.leave(target)),
            None => Next::Chain(to),
        })
    }

    /// Lowers the branch from `from` to `to` as a new region.
    fn arm(&mut self, from: u32, to: u32) -> Result<Region> {
        self.region_to(Some(from), to)
    }

    /// Lowers the chain from block `to` as a new region. Without `from`, the edge has already been lowered.
    fn region_to(&mut self, from: Option<u32>, to: u32) -> Result<Region> {
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.depth += 1;
        if let Some(from) = from {
            self.edge(from, to)?;
        }
        let end = match self.go_on(to)? {
            Next::End(end) => end,
            Next::Chain(block) => self.chain(block, None)?,
        };
        self.depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        Ok(Region { nodes, end })
    }

    pub(super) fn push_if(&mut self, cond: Value, then: Region, els: Region) {
        self.nodes += 1;
        self.forget();
        let node = ir::If { cond, then, els, results: Vec::new(), src: self.src };
        self.cur.push(Node::If(Box::new(node)));
    }

    /// Appends a region under a label to the current region. `reached` is `true` if control may arrive after it.
    /// Returns the end of the current region: `Yield` if it continues.
    fn wrap(&mut self, label: Label, mut region: Region, reached: bool) -> End {
        self.fix_tail(&mut region, label);
        if !self.used(label) {
            self.cur.append(&mut region.nodes);
            return if reached { region.end } else { end_of_dead(region.end) };
        }
        self.nodes += 1;
        self.forget();
        let block = ir::Block { label, body: region, results: Vec::new() };
        self.cur.push(Node::Block(Box::new(block)));
        yields()
    }

    /// Turns breaks to `label` in tail position into yields.
    fn fix_tail(&mut self, region: &mut Region, label: Label) {
        if region.end == End::Break(label, Vec::new()) {
            region.end = yields();
            self.label_uses[label.0 as usize] -= 1;
        }
        if region.end != yields() || !self.used(label) {
            return;
        }
        match region.nodes.last_mut() {
            Some(Node::If(node)) => {
                self.fix_tail(&mut node.then, label);
                self.fix_tail(&mut node.els, label);
            }
            Some(Node::Block(node)) => self.fix_tail(&mut node.body, label),
            _ => {}
        }
    }

    fn terminator(&mut self, block: &Block, inst: &Inst) -> Result<Next> {
        let m = self.module;
        let from = block.label;
        Ok(match inst.op {
            SpvOp::Branch => self.goto(from, m.operand(inst, 0)?)?,
            SpvOp::BranchConditional => {
                let cond = self.scalar(m.operand(inst, 0)?)?;
                let (yes, no) = (m.operand(inst, 1)?, m.operand(inst, 2)?);
                match block.merge {
                    Some(Merge::Selection(merge)) if yes == no => self.only_default(from, yes, merge)?,
                    _ if yes == no => self.goto(from, yes)?,
                    Some(Merge::Selection(merge)) => self.selection(from, cond, yes, no, merge)?,
                    _ => self.conditional(from, cond, yes, no)?,
                }
            }
            SpvOp::Switch => match block.merge {
                Some(Merge::Selection(merge)) => self.switch(from, inst, merge)?,
                _ => return Err(m.invalid(inst, "OpSwitch without a merge instruction")),
            },
            SpvOp::Return => {
                let ret = self.frame()?.ret;
                Next::End(self.breaks(ret))
            }
            SpvOp::ReturnValue => {
                let values = self.scalars(m.operand(inst, 0)?)?;
                let frame = self.frame()?;
                let (ret, var) = (frame.ret, frame.ret_var);
                frame.n_returns += 1;
                frame.ret_values = Some(values.clone());
                match var {
                    Some(var) if self.shader.vars[var.0 as usize].elems.len() == values.len() => {
                        for (i, &v) in values.iter().enumerate() {
                            self.emit(Op::VarSet, &[v], Imm::Var { var, elem: i as u32 }, &[]);
                        }
                    }
                    None if values.is_empty() => {}
                    _ => return Err(m.invalid(inst, "value does not fit the function's type")),
                }
                Next::End(self.breaks(ret))
            }
            SpvOp::Kill | SpvOp::TerminateInvocation => {
                if self.shader.stage != ir::Stage::Fragment {
                    return Err(m.invalid(inst, "only fragment shaders can end invocations this way"));
                }
                self.shader.discards = true;
                Next::End(End::Kill)
            }
            newer::ABORT => Next::End(self.abort(inst, m.operands(inst))?),
            SpvOp::EmitMeshTasksEXT => {
                self.emit_mesh_tasks(m.operands(inst))?;
                Next::End(End::Return)
            }
            SpvOp::IgnoreIntersectionKHR => Next::End(self.end_hit(ir::HitEnd::Ignore)?),
            SpvOp::TerminateRayKHR => Next::End(self.end_hit(ir::HitEnd::Terminate)?),
            SpvOp::Unreachable => Next::End(End::Unreachable),
            _ => return Err(m.unsupported(inst, format!("instruction {}", grammar::name_of(inst.op)))),
        })
    }

    /// A conditional branch without a merge instruction: at least one side leaves a construct.
    fn conditional(&mut self, from: u32, cond: Value, yes: u32, no: u32) -> Result<Next> {
        let then_leaves = self.target(yes)?.is_some();
        let else_leaves = self.target(no)?.is_some();
        let nothing = Region { nodes: Vec::new(), end: yields() };
        if else_leaves && !then_leaves {
            let els = self.arm(from, no)?;
            self.push_if(cond, nothing, els);
            self.goto(from, yes)
        } else {
            let then = self.arm(from, yes)?;
            self.push_if(cond, then, nothing);
            self.goto(from, no)
        }
    }

    fn selection(&mut self, from: u32, cond: Value, yes: u32, no: u32, merge: u32) -> Result<Next> {
        let label = self.new_label();
        let src = self.src;
        self.frame()?.targets.push((merge, Target::Break(label)));
        let then = self.arm(from, yes)?;
        let els = self.arm(from, no)?;
        self.frame()?.targets.pop();
        self.src = src;
        let reached = self.used(label);
        let saved = std::mem::take(&mut self.cur);
        self.push_if(cond, then, els);
        let nodes = std::mem::replace(&mut self.cur, saved);
        self.wrap(label, Region { nodes, end: yields() }, reached);
        if reached { self.go_on(merge) } else { Ok(Next::End(End::Unreachable)) }
    }

    fn lower_loop(&mut self, block: &Block, merge: u32, cont: u32) -> Result<Next> {
        let header = block.label;
        let (exit, next, back) = (self.new_label(), self.new_label(), self.new_label());
        let src = ir::Src { id: header, ..self.origin(self.module.inst(block.end)) };
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        self.depth += 1;
        self.loop_depth += 1;
        let frame = self.frame()?;
        frame.targets.push((merge, Target::Break(exit)));
        let single = cont == header;
        frame.targets.push((cont, Target::Break(if single { back } else { next })));
        // Lower the header itself while its loop is open: its label is not a target of its own branch.
        let body_end = self.chain(header, Some(header))?;
        self.frame()?.targets.pop();
        let nodes = std::mem::take(&mut self.cur);
        let body = Region { nodes, end: body_end };
        let end = if single {
            let reached = self.used(back);
            self.wrap(back, body, reached)
        } else {
            let reached = self.used(next);
            let end = self.wrap(next, body, reached);
            if reached && end == yields() {
                self.frame()?.targets.push((header, Target::Break(back)));
                let outer = std::mem::take(&mut self.cur);
                let cont_end = self.chain(cont, None)?;
                let nodes = std::mem::replace(&mut self.cur, outer);
                self.frame()?.targets.pop();
                let reached = self.used(back);
                self.wrap(back, Region { nodes, end: cont_end }, reached)
            } else {
                end
            }
        };
        self.frame()?.targets.pop();
        self.loop_depth -= 1;
        self.depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        self.forget();
        self.nodes += 1;
        self.cur.push(Node::Loop(Box::new(ir::Loop {
            label: exit,
            params: Vec::new(),
            body: Region { nodes, end },
            results: Vec::new(),
            src,
        })));
        if self.used(exit) { self.go_on(merge) } else { Ok(Next::End(End::Unreachable)) }
    }
}

/// End of a region that is followed by unreachable code.
fn end_of_dead(end: End) -> End {
    match end {
        End::Yield(_) => End::Unreachable,
        end => end,
    }
}

/// `true` for instructions that may stand among the OpPhis at the top of a block: debug information. Spec: SPIR-V, OpPhi;
/// OpenCL.DebugInfo.100, DebugScope.
fn precedes_phis(op: SpvOp) -> bool {
    matches!(op, SpvOp::Line | SpvOp::NoLine | SpvOp::ExtInst)
}

/// OpUndef inside a function.
pub fn undef(lower: &mut Lower<'_>, inst: &Inst, _: &[u32]) -> Result<Scalars> {
    match *lower.module.ty(inst.ty)? {
        // These values have no scalars: no instruction can use them.
        Type::RuntimeArray { .. } => return Ok(Scalars::new()),
        Type::Pointer { class, .. } if !is_pointer_value(class) => return Ok(Scalars::new()),
        _ => {}
    }
    let mut tys = Vec::new();
    lower.types.leaf_types(inst.ty, &mut tys)?;
    lower.kept(tys.len())?;
    let null = match lower.module.ty(inst.ty)? {
        Type::Pointer { class: spirv::StorageClass::Workgroup, .. } => super::pointer::NULL_SHARED,
        _ => 0,
    };
    if lower.noted {
        return Ok(lower.undefined(&tys, null));
    }
    Ok(tys
        .into_iter()
        .map(|ty| match ty {
            Ty::Image => lower.emit(Op::NullImage, &[], Imm::None, &[ty])[0],
            _ => lower.constant(ty, null),
        })
        .collect())
}

//! Functions, blocks and structured control flow.
//!
//! Blocks are lowered along chains: a chain runs from a block to a branch that leaves it. Branches
//! to the merge blocks, continue targets and loop headers of the enclosing constructs are breaks
//! to the label of an IR block or loop; branches to anything else carry the chain on. Breaks in
//! tail position become yields and blocks without breaks dissolve, so that plain ifs stay plain.
//!
//! OpPhi becomes a private variable, set on each edge and read at the top of the block. Every block
//! of a function is lowered at most once per call, which bounds the work and rejects control flow
//! that is not structured; blocks that cannot be reached are not lowered.

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op as SpvOp;

use super::{Lower, MAX_NESTING, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{self, End, Imm, Label, Node, Op, Region, Ty, Value, Var};
use crate::spirv::module::{Block, Function, Inst, Merge};
use crate::spirv::types::Type;

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

/// What a branch to a block of an enclosing construct does.
#[derive(Clone, Copy)]
enum Target {
    /// Leaves the construct.
    Break(Label),
    /// Falls through to a later case: sets the flag, then leaves the case.
    Case(Label, Var),
}

/// Where a chain goes on.
enum Next {
    Chain(u32),
    End(End),
}

fn yields() -> End {
    End::Yield(Vec::new())
}

impl<'m> Lower<'m> {
    fn frame(&mut self) -> Result<&mut Frame> {
        self.frames.last_mut().ok_or_else(|| Error::Internal("no function is being lowered".into()))
    }

    fn new_label(&mut self) -> Label {
        self.label_uses.push(0);
        Label(self.label_uses.len() as u32 - 1)
    }

    fn breaks(&mut self, label: Label) -> End {
        self.label_uses[label.0 as usize] += 1;
        End::Break(label, Vec::new())
    }

    fn used(&self, label: Label) -> bool {
        self.label_uses[label.0 as usize] > 0
    }

    /// Inlines a function; returns how its body ends. Return values are in the popped frame's
    /// stead bound by the caller through [`Lower::call`].
    pub(super) fn inline(&mut self, id: u32, args: Vec<Val>) -> Result<End> {
        self.inline_with(id, args).map(|(end, _)| end)
    }

    fn inline_with(&mut self, id: u32, args: Vec<Val>) -> Result<(End, Option<Scalars>)> {
        let m = self.m;
        let function = m.function(id)?;
        if self.frames.iter().any(|f| f.function == id) {
            return Err(Error::invalid(format!("function %{id} calls itself")));
        }
        if self.depth >= MAX_NESTING {
            return Err(Error::Limit(format!("calls and control flow nested deeper than {MAX_NESTING}")));
        }
        if args.len() != function.params.len() {
            return Err(Error::invalid(format!("function %{id} called with {} arguments", args.len())));
        }
        let mut locals = FxHashMap::default();
        for (&(param, ty), arg) in function.params.iter().zip(args) {
            let fits = match (&arg, m.ty(ty)?) {
                (Val::Place(_), Type::Pointer { .. }) => true,
                (Val::Scalars(s), Type::Pointer { .. }) => {
                    return Err(Error::unsupported(format!("pointer argument of {} scalars", s.len())));
                }
                (Val::Scalars(s), _) => self.t.leaves(ty)? as usize == s.len(),
                _ => false,
            };
            if !fits {
                return Err(Error::invalid(format!("argument does not fit parameter %{param}")));
            }
            locals.insert(param, arg);
        }
        let mut tys = Vec::new();
        if !matches!(m.ty(function.ret)?, Type::Void) {
            self.t.leaf_types(function.ret, &mut tys)?;
            if tys.contains(&Ty::Image) {
                return Err(Error::unsupported("functions that return images or samplers"));
            }
        }
        let ret = self.new_label();
        let ret_var = (!tys.is_empty()).then(|| self.new_var(tys.clone(), m.name(id)));
        self.frames.push(Frame {
            function: id,
            locals,
            phis: FxHashMap::default(),
            lowered: vec![false; function.blocks.len()],
            targets: Vec::new(),
            ret,
            ret_var,
            ret_values: None,
            n_returns: 0,
        });
        let saved = std::mem::take(&mut self.cur);
        self.depth += 1;
        let end = self.chain(function.blocks[0].label, None)?;
        self.depth -= 1;
        let nodes = std::mem::replace(&mut self.cur, saved);
        let returns = self.used(ret);
        // One return in tail position: its value is visible after the body has dissolved.
        let plain = end == End::Break(ret, Vec::new());
        let end = self.wrap(ret, Region { nodes, end }, returns);
        let frame = self.frames.pop();
        let mut values = None;
        if let (Some(frame), Some(var)) = (frame, ret_var) {
            values = Some(match frame.ret_values {
                Some(values) if plain && frame.n_returns == 1 => {
                    self.forget_return(var, values.len());
                    values
                }
                _ => {
                    let get = |(i, &ty): (usize, &Ty)| (i as u32, ty);
                    let list: Vec<_> = tys.iter().enumerate().map(get).collect();
                    list.into_iter()
                        .map(|(elem, ty)| self.emit(Op::VarGet, &[], Imm::Var { var, elem }, &[ty])[0])
                        .collect()
                }
            });
        }
        Ok((end, values))
    }

    /// Removes the stores of a return value that nobody reads through its variable: they are the
    /// last nodes.
    fn forget_return(&mut self, var: Var, n: usize) {
        for _ in 0..n {
            match self.cur.last() {
                Some(Node::Inst(inst))
                    if inst.op == Op::VarSet && matches!(inst.imm, Imm::Var { var: v, .. } if v == var) =>
                {
                    self.cur.pop();
                }
                _ => return,
            }
        }
    }

    /// Lowers the chain of blocks that starts at `label`. `header` names a loop header whose loop is
    /// already open.
    fn chain(&mut self, label: u32, header: Option<u32>) -> Result<End> {
        let m = self.m;
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
                    self.src = ir::Src { id: end.id, line: end.line };
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
        let m = self.m;
        let mut phis = true;
        for i in block.body.clone() {
            let inst = *m.inst(i);
            if inst.op == SpvOp::Phi {
                if !phis {
                    return Err(m.invalid(&inst, "OpPhi after other instructions"));
                }
                self.phi(&inst)?;
            } else {
                phis &= matches!(inst.op, SpvOp::Line | SpvOp::NoLine | SpvOp::ExtInst);
                self.inst(&inst)?;
            }
        }
        Ok(())
    }

    /// Reads the variable of an OpPhi.
    fn phi(&mut self, inst: &Inst) -> Result<()> {
        self.src = ir::Src { id: inst.id, line: inst.line };
        let (var, _) = self.phi_var(inst)?;
        let tys = self.sh.vars[var.0 as usize].elems.clone();
        let mut scalars = Scalars::new();
        for (i, &ty) in tys.iter().enumerate() {
            scalars.push(self.emit(Op::VarGet, &[], Imm::Var { var, elem: i as u32 }, &[ty])[0]);
        }
        self.work(1)?;
        self.define(inst, scalars)
    }

    fn phi_var(&mut self, inst: &Inst) -> Result<(Var, usize)> {
        if let Some(&known) = self.frame()?.phis.get(&inst.id) {
            return Ok(known);
        }
        let m = self.m;
        if matches!(m.ty(inst.ty)?, Type::Pointer { .. }) {
            return Err(m.unsupported(inst, "OpPhi of pointers"));
        }
        let mut tys = Vec::new();
        self.t.leaf_types(inst.ty, &mut tys)?;
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
        let m = self.m;
        let function = m.function(self.frame()?.function)?;
        let block = self.enter(function, to)?;
        let mut sets: Vec<(Var, Scalars)> = Vec::new();
        for i in block.body.clone() {
            let inst = m.inst(i);
            match inst.op {
                SpvOp::Phi => {}
                SpvOp::Line | SpvOp::NoLine => continue,
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

    /// Goes on at a block whose edge has been taken care of.
    fn go_on(&mut self, to: u32) -> Result<Next> {
        Ok(match self.target(to)? {
            Some(target) => Next::End(self.leave(target)),
            None => Next::Chain(to),
        })
    }

    /// A region that starts with the branch from `from` to `to`.
    fn arm(&mut self, from: u32, to: u32) -> Result<Region> {
        self.region_to(Some(from), to)
    }

    /// A region that starts at block `to`; without `from`, its edge has been taken care of.
    fn region_to(&mut self, from: Option<u32>, to: u32) -> Result<Region> {
        let saved = std::mem::take(&mut self.cur);
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

    fn push_if(&mut self, cond: Value, then: Region, els: Region) {
        self.nodes += 1;
        let node = ir::If { cond, then, els, results: Vec::new(), src: self.src };
        self.cur.push(Node::If(Box::new(node)));
    }

    /// Puts a region under a label into the current region. `reached`: control may arrive at what
    /// follows. Returns how the current region would end: `Yield` if it goes on.
    fn wrap(&mut self, label: Label, mut region: Region, reached: bool) -> End {
        self.fix_tail(&mut region, label);
        if !self.used(label) {
            self.cur.append(&mut region.nodes);
            return if reached { region.end } else { end_of_dead(region.end) };
        }
        self.nodes += 1;
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
        let m = self.m;
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
                    Some(var) if self.sh.vars[var.0 as usize].elems.len() == values.len() => {
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
                if self.sh.stage != ir::Stage::Fragment {
                    return Err(m.invalid(inst, "only fragment shaders can end invocations this way"));
                }
                self.sh.discards = true;
                Next::End(End::Kill)
            }
            SpvOp::Unreachable => Next::End(End::Unreachable),
            _ => return Err(m.unsupported(inst, format!("instruction Op{:?}", inst.op))),
        })
    }

    /// A conditional branch without a merge: leaves a construct on one side at least.
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
        let line = self.m.inst(block.end).line;
        let saved = std::mem::take(&mut self.cur);
        self.depth += 1;
        self.loop_depth += 1;
        let frame = self.frame()?;
        frame.targets.push((merge, Target::Break(exit)));
        let single = cont == header;
        frame.targets.push((cont, Target::Break(if single { back } else { next })));
        // The header itself, with the loop open: its label is not a target of its own branch.
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
        self.nodes += 1;
        self.cur.push(Node::Loop(Box::new(ir::Loop {
            label: exit,
            params: Vec::new(),
            body: Region { nodes, end },
            results: Vec::new(),
            src: ir::Src { id: header, line },
        })));
        if self.used(exit) { self.go_on(merge) } else { Ok(Next::End(End::Unreachable)) }
    }

    /// OpSwitch: a block around one `If` per target, in an order in which cases fall forward.
    fn switch(&mut self, from: u32, inst: &Inst, merge: u32) -> Result<Next> {
        let m = self.m;
        let src = self.src;
        let selector_id = m.operand(inst, 0)?;
        let selector = self.scalar(selector_id)?;
        let ty = self.ty(selector);
        if !ty.is_int() {
            return Err(m.invalid(inst, "selector is not an integer"));
        }
        let default = m.operand(inst, 1)?;
        let words = if ty == Ty::I64 { 3 } else { 2 };
        let pairs = m.operands_from(inst, 2);
        if !pairs.len().is_multiple_of(words) {
            return Err(m.invalid(inst, "a case lacks its label"));
        }
        // Distinct targets in order of appearance, each with its literals.
        let mut cases: Vec<(u32, Vec<u64>)> = Vec::new();
        let mut index: FxHashMap<u32, usize> = FxHashMap::default();
        let mut seen = FxHashSet::default();
        for pair in pairs.chunks_exact(words) {
            let high = if words == 3 { u64::from(pair[1]) << 32 } else { 0 };
            let literal = crate::spirv::consts::mask(ty, u64::from(pair[0]) | high);
            if !seen.insert(literal) {
                return Err(m.invalid(inst, format!("case {literal} appears twice")));
            }
            let target = pair[words - 1];
            let at = *index.entry(target).or_insert_with(|| {
                cases.push((target, Vec::new()));
                cases.len() - 1
            });
            cases[at].1.push(literal);
        }
        // Conditions, all before the first case.
        let mut any = None;
        let mut conds = Vec::new();
        for (target, literals) in &cases {
            let mut cond = None;
            for &literal in literals {
                let literal = self.constant(ty, literal);
                let hit = self.op(Op::IEq, Ty::Bool, &[selector, literal]);
                cond = Some(match cond {
                    Some(c) => self.op(Op::Or, Ty::Bool, &[c, hit]),
                    None => hit,
                });
            }
            let Some(cond) = cond else { continue };
            self.work(literals.len())?;
            if *target != default {
                any = Some(match any {
                    Some(a) => self.op(Op::Or, Ty::Bool, &[a, cond]),
                    None => cond,
                });
                conds.push((*target, cond));
            }
        }
        let Some(any) = any else {
            // Only the default.
            return self.only_default(from, default, merge);
        };
        let otherwise = self.op(Op::Not, Ty::Bool, &[any]);
        conds.push((default, otherwise));
        let (order, falls) = self.case_order(&conds.iter().map(|c| c.0).collect::<Vec<_>>(), merge)?;
        let mut flags: FxHashMap<u32, Var> = FxHashMap::default();
        for &target in &falls {
            let flag = self.new_var(vec![Ty::Bool], "fallthrough");
            let no = self.constant(Ty::Bool, 0);
            self.emit(Op::VarSet, &[no], Imm::Var { var: flag, elem: 0 }, &[]);
            flags.insert(target, flag);
            // The edge from here comes first: falling into the case sets the OpPhi again.
            self.edge(from, target)?;
        }
        let label = self.new_label();
        let saved = std::mem::take(&mut self.cur);
        self.frame()?.targets.push((merge, Target::Break(label)));
        for at in order {
            let (target, mut cond) = conds[at];
            if let Some(&flag) = flags.get(&target) {
                let fell = self.emit(Op::VarGet, &[], Imm::Var { var: flag, elem: 0 }, &[Ty::Bool])[0];
                cond = self.op(Op::Or, Ty::Bool, &[cond, fell]);
            }
            let out = self.new_label();
            let n_targets = self.frame()?.targets.len();
            for (&case, &flag) in &flags {
                if case != target {
                    self.frame()?.targets.push((case, Target::Case(out, flag)));
                }
            }
            let direct = (!flags.contains_key(&target)).then_some(from);
            let then = self.region_to(direct, target)?;
            self.frame()?.targets.truncate(n_targets);
            self.src = src;
            let inner = std::mem::take(&mut self.cur);
            let falls_through = self.used(out);
            let end = self.wrap(out, then, falls_through);
            let nodes = std::mem::replace(&mut self.cur, inner);
            self.push_if(cond, Region { nodes, end }, Region::default());
        }
        self.frame()?.targets.pop();
        let nodes = std::mem::replace(&mut self.cur, saved);
        let reached = self.used(label);
        self.wrap(label, Region { nodes, end: yields() }, reached);
        if reached { self.go_on(merge) } else { Ok(Next::End(End::Unreachable)) }
    }

    fn only_default(&mut self, from: u32, default: u32, merge: u32) -> Result<Next> {
        let label = self.new_label();
        self.frame()?.targets.push((merge, Target::Break(label)));
        let body = self.arm(from, default)?;
        self.frame()?.targets.pop();
        let reached = self.used(label);
        let end = self.wrap(label, body, reached);
        match end == yields() {
            true => self.go_on(merge),
            false => Ok(Next::End(end)),
        }
    }

    /// Orders switch targets so that each comes before those it falls through to; returns indices and
    /// the targets that are fallen into.
    fn case_order(&mut self, targets: &[u32], merge: u32) -> Result<(Vec<usize>, Vec<u32>)> {
        let m = self.m;
        let frame = self.frame()?;
        let outer: FxHashSet<u32> = frame.targets.iter().map(|t| t.0).collect();
        let function = m.function(frame.function)?;
        let index: FxHashMap<u32, usize> = targets.iter().enumerate().map(|(i, &t)| (t, i)).collect();
        let mut into: Vec<Vec<usize>> = vec![Vec::new(); targets.len()];
        let mut owner: FxHashMap<u32, usize> = FxHashMap::default();
        let mut falls = Vec::new();
        for (i, &start) in targets.iter().enumerate() {
            if start == merge || outer.contains(&start) {
                continue;
            }
            let mut stack = vec![start];
            while let Some(at) = stack.pop() {
                let Some(&b) = function.by_label.get(&at) else { continue };
                if owner.insert(at, i).is_some() {
                    continue;
                }
                self.work(1)?;
                let block = &function.blocks[b];
                let inst = m.inst(block.end);
                let mut go = |to: u32| {
                    if to == merge || outer.contains(&to) {
                        return;
                    }
                    match index.get(&to) {
                        Some(&j) if j != i => {
                            into[i].push(j);
                            if !falls.contains(&to) {
                                falls.push(to);
                            }
                        }
                        _ => stack.push(to),
                    }
                };
                match inst.op {
                    SpvOp::Branch => go(m.operand(inst, 0)?),
                    SpvOp::BranchConditional => {
                        go(m.operand(inst, 1)?);
                        go(m.operand(inst, 2)?);
                    }
                    SpvOp::Switch => {
                        // Literal widths do not matter here: labels are the operands that are blocks.
                        for &word in m.operands_from(inst, 1) {
                            if function.by_label.contains_key(&word) {
                                go(word);
                            }
                        }
                    }
                    _ => {}
                }
                if let Some(Merge::Selection(to) | Merge::Loop(to, _)) = block.merge {
                    go(to);
                }
            }
        }
        // Topological order, stable: smallest index first.
        let mut n_before = vec![0; targets.len()];
        for list in &mut into {
            list.sort_unstable();
            list.dedup();
            for &j in list.iter() {
                n_before[j] += 1;
            }
        }
        let mut order = Vec::new();
        let mut done = vec![false; targets.len()];
        while order.len() < targets.len() {
            let Some(i) = (0..targets.len()).find(|&i| !done[i] && n_before[i] == 0) else {
                return Err(Error::invalid("cases fall through in a circle"));
            };
            done[i] = true;
            order.push(i);
            for &j in &into[i] {
                n_before[j] -= 1;
            }
            self.work(targets.len() / 8)?;
        }
        Ok((order, falls))
    }
}

/// End of a region after which nothing comes.
fn end_of_dead(end: End) -> End {
    match end {
        End::Yield(_) => End::Unreachable,
        end => end,
    }
}

/// OpFunctionCall.
pub fn call<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<()> {
    let function = lower.id_at(operands, 0)?;
    let mut args = Vec::new();
    let params = &lower.m.function(function)?.params;
    for (i, &id) in operands[1..].iter().enumerate() {
        let val = lower.val(id)?;
        // A place carries its own type; shipped modules pass pointers whose types differ in decorations.
        let is_value = matches!(val, Val::Scalars(_));
        args.push(val);
        if is_value && params.get(i).is_some_and(|p| lower.m.type_of(id).is_ok_and(|ty| ty != p.1)) {
            return Err(Error::invalid(format!("argument %{id} has not the type of the parameter")));
        }
    }
    if lower.m.function(function)?.ret != inst.ty {
        return Err(Error::invalid("result type is not that of the function"));
    }
    let src = lower.src;
    let (end, values) = lower.inline_with(function, args)?;
    lower.src = src;
    if end != yields() {
        // The callee never returns: what follows is dead, but keeps its place behind a break.
        lower.dead_call(end);
    }
    match values {
        Some(values) => lower.define(inst, values),
        None => Ok(()),
    }
}

impl Lower<'_> {
    /// A call that does not return: the invocation ends here, what follows is unreachable.
    pub(super) fn dead_call(&mut self, end: End) {
        let yes = self.constant(Ty::Bool, 1);
        self.push_if(yes, Region { nodes: Vec::new(), end }, Region::default());
    }
}

/// OpReturn-like and merge instructions are no part of a block's body.
pub fn unexpected(_: &mut Lower<'_>, _: &Inst, _: &[u32]) -> Result<()> {
    Err(Error::invalid("this instruction is out of place in a block"))
}

/// OpUndef inside a function.
pub fn undef(lower: &mut Lower<'_>, inst: &Inst, _: &[u32]) -> Result<Scalars> {
    let mut tys = Vec::new();
    lower.t.leaf_types(inst.ty, &mut tys)?;
    if tys.contains(&Ty::Image) {
        return Err(Error::unsupported("undefined images and samplers"));
    }
    Ok(tys.into_iter().map(|ty| lower.constant(ty, 0)).collect())
}

//! Analyzes the control flow of a shader before it runs.

use quadrille_jit::ir::{
    AtomicOp, End, GroupOp, ImageOpKind, Imm, Inst, Label, Loop, Node, Note, Op, Region, ResourceKind,
    Shader, Value, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

use super::identity::address;
use super::sizes::Sizes;

/// State of a loop.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Variable scalars that its body sets. With the loop parameters they are the state passed between iterations.
    pub vars: Vec<(Var, u32)>,
}

/// Results of the analysis. Nodes and instructions are identified by their addresses.
#[derive(Debug, Default)]
pub struct Shape {
    /// Loops whose iterations depend only on the one before, because they neither write memory nor read memory that
    /// others may write.
    pub pure: FxHashMap<usize, Work>,
    /// Loop of each region end that closes a loop body.
    pub back_edges: FxHashMap<usize, usize>,
    /// Loop of each operation that depends on the active lanes, in an arm that leaves the loop.
    pub leaving: FxHashMap<usize, usize>,
    /// Loops around each control barrier and each operation on a matrix of the workgroup, the outermost first.
    pub around: FxHashMap<usize, Vec<usize>>,
    /// True if the module declares maximal reconvergence.
    pub reconverges: bool,
    /// Places where the shader assumes a subgroup size.
    pub sizes: Sizes,
}

/// Largest number of scalars that are compared between iterations.
const MAX_SCALARS: usize = 256;

impl Shape {
    /// Analyzes a shader.
    pub fn of(shader: &Shader) -> Shape {
        let mut shape = Shape { sizes: Sizes::of(shader), ..Shape::default() };
        let constant = Constant::of(shader);
        shape.region(shader, &constant, &shader.body, &mut Vec::new());
        shape
    }

    /// Analyzes a region. `loops` are the enclosing loops, each with the labels inside it that are in scope.
    fn region(&mut self, shader: &Shader, constant: &Constant, region: &Region, loops: &mut Vec<Around>) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    self.reconverges |= matches!(inst.imm, Imm::Note(Note::MaximallyReconverges));
                    if is_met(inst) {
                        self.around.insert(address(inst), loops.iter().map(|l| l.0).collect());
                    }
                }
                Node::If(node) => {
                    for arm in [&node.then, &node.els] {
                        if let Some((at, _)) = loops.last().filter(|(_, inside)| leaves(arm, inside)) {
                            self.mark(arm, *at);
                        }
                        self.region(shader, constant, arm, loops);
                    }
                }
                Node::Block(node) => {
                    if let Some((_, inside)) = loops.last_mut() {
                        inside.push(node.label);
                    }
                    self.region(shader, constant, &node.body, loops);
                    if let Some((_, inside)) = loops.last_mut() {
                        inside.pop();
                    }
                }
                Node::Loop(node) => {
                    self.back_edges.insert(address(&node.body.end), address(&**node));
                    if let Some(work) = work(shader, constant, node) {
                        self.pure.insert(address(&**node), work);
                    }
                    loops.push((address(&**node), Vec::new()));
                    self.region(shader, constant, &node.body, loops);
                    loops.pop();
                }
            }
        }
    }

    /// Records the operations of an arm that depend on the active lanes.
    fn mark(&mut self, arm: &Region, of: usize) {
        for node in &arm.nodes {
            if let Node::Inst(inst) = node
                && let Imm::Group(op) = &inst.imm
                && looks_at_active(*op)
            {
                self.leaving.insert(address(inst), of);
            }
        }
    }
}

/// True if all invocations of the workgroup must reach the instruction in the same iterations.
fn is_met(inst: &Inst) -> bool {
    let of_workgroup = matches!(inst.imm, Imm::Note(Note::Cooperates { of_workgroup: true }));
    inst.op == Op::ControlBarrier || of_workgroup
}

/// An enclosing loop, and the labels inside it that are in scope.
type Around = (usize, Vec<Label>);

/// True if the arm ends by leaving the innermost loop, which contains the labels `inside`.
fn leaves(arm: &Region, inside: &[Label]) -> bool {
    match &arm.end {
        End::Break(to, _) => !inside.contains(to),
        End::Return | End::Kill => true,
        _ => false,
    }
}

/// True if the result depends on the set of active lanes.
fn looks_at_active(op: GroupOp) -> bool {
    use GroupOp::{
        All, AllEqual, Any, Anywhere, Ballot, BroadcastFirst, Clustered, Elect, ExclusiveScan, InclusiveScan,
        Masked, Partition, Reduce,
    };
    matches!(
        op,
        Elect
            | All
            | Any
            | Anywhere
            | AllEqual
            | Ballot
            | BroadcastFirst
            | Reduce(_)
            | InclusiveScan(_)
            | ExclusiveScan(_)
            | Clustered(..)
            | Partition
            | Masked(_)
    )
}

/// Handles of buffers that the shader does not write.
struct Constant(FxHashSet<Value>);

impl Constant {
    fn of(shader: &Shader) -> Constant {
        let mut constant = FxHashSet::default();
        quadrille_jit::ir::each_inst(&shader.body, &mut |inst| {
            let read_only = match (inst.op, &inst.imm) {
                (Op::PushConstants, _) => true,
                (Op::BufferDescriptor, &Imm::Binding { set, binding, .. }) => {
                    let of = |b: &&quadrille_jit::ir::Binding| (b.set, b.binding) == (set, binding);
                    let mut known = shader.bindings.iter().filter(of);
                    known.all(|b| b.kind == ResourceKind::UniformBuffer || !b.written)
                }
                _ => false,
            };
            if read_only {
                constant.extend(inst.results.first());
            }
        });
        Constant(constant)
    }
}

/// Returns the state that a loop passes between iterations; `None` if its iterations depend on anything else.
fn work(shader: &Shader, constant: &Constant, node: &Loop) -> Option<Work> {
    let mut vars = FxHashSet::default();
    let mut pure = true;
    quadrille_jit::ir::each_inst(&node.body, &mut |inst| pure &= is_pure(constant, inst, &mut vars));
    let mut list = Vec::new();
    for var in vars {
        let n = shader.vars.get(var.0 as usize).map_or(0, |v| v.elems.len());
        if list.len() + n > MAX_SCALARS {
            return None;
        }
        list.extend((0..n as u32).map(|elem| (var, elem)));
    }
    pure.then_some(Work { vars: list })
}

/// True if an instruction neither writes memory nor reads memory that others may write.
fn is_pure(constant: &Constant, inst: &Inst, vars: &mut FxHashSet<Var>) -> bool {
    match (inst.op, &inst.imm) {
        (Op::VarSet | Op::VarSetDyn, Imm::Var { var, .. }) => {
            vars.insert(*var);
            true
        }
        (Op::VarGet | Op::VarGetDyn | Op::Note | Op::IsHelper, _) => true,
        (Op::LoadBuffer, Imm::Mem(mem)) => !mem.ordered && constant.0.contains(&inst.args[0]),
        (Op::ImageOp, Imm::Image(op)) => {
            !matches!(op.kind, ImageOpKind::Read | ImageOpKind::Atomic(AtomicOp::Load) | ImageOpKind::Write)
        }
        (op, _) => matches!(op.effect(), quadrille_jit::ir::op::Effect::Pure),
    }
}

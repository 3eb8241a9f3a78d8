//! What is known of a shader before it runs.

use quadrille_jit::ir::{
    AtomicOp, End, GroupOp, ImageOpKind, Imm, Inst, Label, Loop, Node, Note, Op, Region, ResourceKind,
    Shader, Value, Var,
};
use rustc_hash::{FxHashMap, FxHashSet};

/// What a loop works on.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Scalars of variables that its body sets: what a round leaves to the next one, besides params.
    pub vars: Vec<(Var, u32)>,
}

/// See the module. Nodes and instructions are named by their addresses.
#[derive(Debug, Default)]
pub struct Shape {
    /// Loops in which a round depends on the one before alone: they neither write memory nor read what others may
    /// write.
    pub pure: FxHashMap<usize, Work>,
    /// Ends of the bodies of loops: the loop.
    pub back_edges: FxHashMap<usize, usize>,
    /// Operations across the active lanes in arms that leave a loop, and that loop.
    pub leaving: FxHashMap<usize, usize>,
    /// The module says how invocations rejoin.
    pub reconverges: bool,
}

/// Most scalars that are compared from round to round.
const MAX_SCALARS: usize = 256;

/// Address of something that stays where it is.
pub fn address<T>(of: &T) -> usize {
    std::ptr::from_ref(of) as usize
}

impl Shape {
    /// Of a shader.
    pub fn of(shader: &Shader) -> Shape {
        let mut shape = Shape::default();
        let constant = Constant::of(shader);
        shape.region(shader, &constant, &shader.body, &mut Vec::new());
        shape
    }

    /// Looks through a region. `loops` are those around it, each with the labels inside of it that are in reach.
    fn region(&mut self, shader: &Shader, constant: &Constant, region: &Region, loops: &mut Vec<Around>) {
        for node in &region.nodes {
            match node {
                Node::Inst(inst) => {
                    self.reconverges |= matches!(inst.imm, Imm::Note(Note::MaximallyReconverges));
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

    /// Notes the operations of an arm that look at the active lanes.
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

/// A loop around a region, and the labels inside of it that are in reach.
type Around = (usize, Vec<Label>);

/// The arm ends by leaving the loop around it, inside of which these labels are.
fn leaves(arm: &Region, inside: &[Label]) -> bool {
    match &arm.end {
        End::Break(to, _) => !inside.contains(to),
        End::Return | End::Kill => true,
        _ => false,
    }
}

/// The result depends on which lanes are active.
fn looks_at_active(op: GroupOp) -> bool {
    use GroupOp::{
        All, AllEqual, Any, Ballot, BroadcastFirst, Clustered, Elect, ExclusiveScan, InclusiveScan, Masked,
        Partition, Reduce,
    };
    matches!(
        op,
        Elect
            | All
            | Any
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
                (Op::BufferDescriptor, &Imm::Binding { set, binding }) => {
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

/// What the rounds of a loop leave to each other, if that is all that they depend on.
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

/// An instruction that neither writes memory nor reads what others may write.
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

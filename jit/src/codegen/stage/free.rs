//! Number of invocations that run at once, in shaders that cannot observe it.
//!
//! A compute shader that cannot observe its lane groups gets as many lanes as the widest vectors hold. Some get several
//! vectors per value. In small loops with a dependency from one iteration to the next, this gives the processor
//! independent work. The shortest shaders would otherwise spend most of their time on per-group overhead. Only this
//! module estimates the cost of a loop iteration ([`Turn`]). The choice does not affect results.

use rustc_hash::FxHashMap;

use super::invocations;
use crate::Tier;
use crate::codegen::CompileOptions;
use crate::codegen::proven::straight;
use crate::ir::op::Effect;
use crate::ir::{End, Inst, Insts, Label, Loop, Node, Op, Region, Shader, Sig, Stage, Ty, Value};
use crate::lane::is_wide;
use crate::passes::uniformity::Uniformity;

/// Maximum number of lanes in groups whose size the shader cannot observe.
const MOST_FREE_LANES: u32 = 64;
/// Maximum for shaders that do more than compute and access buffers.
const MOST_LANES: u32 = crate::abi::MAX_LANES as u32;
/// Lanes of the widest vectors; groups with private variables in memory have no more.
pub(in crate::codegen) const MOST_VECTOR_LANES: u32 = 16;
/// Maximum size of a shader that gets several vectors per value, in instructions.
const MOST_INSTS: usize = 400;
/// Maximum work of a shader without loops that gets four vectors per value, and two.
const TINY: [u32; 2] = [24, 48];
/// Work of an operation that is slow or done lane by lane; exceeds both limits.
const LONG: u32 = 64;
/// Required speed of a loop with twice the vectors, in percent of its old speed: if all lanes leave it together, and if
/// they wait for the last lane.
const WORTH: [u32; 2] = [120, 140];

/// Returns true if groups of this size may be larger: the shader cannot observe it, and the invocations fill whole
/// groups.
pub(in crate::codegen) fn has_free_groups(shader: &Shader, lanes: u32) -> bool {
    shader.stage == Stage::Compute
        && lanes < MOST_VECTOR_LANES
        && invocations(shader).is_multiple_of(MOST_VECTOR_LANES)
        && !crate::passes::sees_group_size(shader)
}

/// Number of lanes per group for such a shader: as many as the widest vectors hold, or a multiple. It stays at that of
/// `opts` if the invocations of a larger group would no longer lie in one row of the workgroup, and loads would become
/// gathers. `u` is the uniformity for groups of `opts.lanes`.
pub(in crate::codegen) fn group_size(
    shader: &Shader,
    insts: &Insts<'_>,
    opts: &CompileOptions,
    u: &Uniformity,
) -> u32 {
    let in_row = |lanes: u32| shader.local_size[0].is_multiple_of(lanes);
    let bits = opts.cpu.vector_bits(opts.tier);
    let loads = insts.iter().any(|i| match i.op {
        Op::LoadBuffer => u.varying[i.args[1].0 as usize],
        Op::LoadShared => u.varying[i.args[0].0 as usize],
        _ => false,
    });
    let fits = |lanes: u32| in_row(lanes) || !in_row(opts.lanes) || !loads;
    let wide = bits >= 32 * MOST_VECTOR_LANES;
    let one = if wide && fits(MOST_VECTOR_LANES) { MOST_VECTOR_LANES } else { opts.lanes };
    if opts.tier != Tier::Optimized || bits != 32 * one {
        return one;
    }
    let most = if is_plain(shader, insts, u) { MOST_FREE_LANES } else { MOST_LANES };
    let registers = if wide { 32 } else { 16 };
    // Groups that wait at barriers keep their values in memory anyway, so more vectors gain nothing.
    let more = if shader.has_barrier { one } else { one * vectors(shader, insts, u, registers) };
    let whole = |lanes: &u32| invocations(shader).is_multiple_of(*lanes) && fits(*lanes) && *lanes <= most;
    std::iter::successors(Some(more), |n| Some(n / 2)).take_while(|n| *n > one).find(whole).unwrap_or(one)
}

/// Returns true if a shader of moderate size only computes with 32-bit values, and accesses workgroup memory and
/// buffers with uniform descriptors.
fn is_plain(shader: &Shader, insts: &Insts<'_>, u: &Uniformity) -> bool {
    insts.iter().count() <= MOST_INSTS
        && insts.iter().all(|i| {
            let plain = match i.op {
                Op::BufferDescriptor => !u.varying[i.results[0].0 as usize],
                Op::Offset | Op::BuiltIn | Op::PushConstants | Op::BufferSize | Op::LoadConstant => true,
                Op::LoadBuffer | Op::StoreBuffer | Op::LoadShared | Op::StoreShared => true,
                Op::MemoryBarrier => true,
                op => op.sig() != Sig::Free && op.effect() == Effect::Pure,
            };
            plain
                && i.results.iter().chain(&i.args).all(|v| match shader.ty(*v) {
                    Ty::Buffer => !u.varying[v.0 as usize],
                    ty => matches!(ty, Ty::Bool | Ty::I32 | Ty::F32),
                })
        })
}

/// Number of vectors per value for a shader, on a host with `registers` vector registers.
fn vectors(shader: &Shader, insts: &Insts<'_>, u: &Uniformity, registers: u32) -> u32 {
    if straight(&shader.body).is_some() {
        return match insts.iter().map(|i| size(i.op)).sum::<u32>() {
            n if n <= TINY[0] => 4,
            n if n <= TINY[1] => 2,
            _ => 1,
        };
    }
    let in_memory = [Op::VarGet, Op::VarSet, Op::VarGetDyn, Op::VarSetDyn, Op::RayStep, Op::RayGet];
    if insts.iter().count() > MOST_INSTS || in_memory.iter().any(|&op| insts.contain(op)) {
        return 1;
    }
    let mut all = Vec::new();
    innermost(&shader.body, &mut all);
    let of = |n: &&Loop| {
        let diverges = u.divergent_exit.get(&n.label).copied().unwrap_or(false);
        Turn::of(shader, u, n, diverges)
            .map_or(1, |turn| turn.vectors(registers, WORTH[usize::from(diverges)]))
    };
    all.iter().map(of).min().unwrap_or(1)
}

/// Finds the loops without inner loops.
fn innermost<'s>(region: &'s Region, found: &mut Vec<&'s Loop>) {
    for node in &region.nodes {
        match node {
            Node::Inst(_) => {}
            Node::If(n) => [&n.then, &n.els].into_iter().for_each(|r| innermost(r, found)),
            Node::Block(n) => innermost(&n.body, found),
            Node::Loop(n) => {
                let before = found.len();
                innermost(&n.body, found);
                if found.len() == before {
                    found.push(n);
                }
            }
        }
    }
}

/// Cost of an iteration of a loop, with one vector per value.
#[derive(Debug)]
struct Turn {
    /// Latency from an iteration's values to those of the next one, in cycles.
    chain: u32,
    /// Number of vector instructions.
    work: u32,
    /// Maximum number of vectors that are live at once.
    live: u32,
}

/// Vector instructions issued per cycle.
const PER_CYCLE: u32 = 2;
/// Cycles per iteration for scalar work: counting and the branch back.
const OVERHEAD: u32 = 1;
/// Registers reserved for values that this estimate does not count.
const SPARE: u32 = 4;

impl Turn {
    /// Returns `None` for a loop that does more than compute.
    fn of(shader: &Shader, u: &Uniformity, n: &Loop, diverges: bool) -> Option<Turn> {
        let mut walk = Walk::new(shader, u);
        n.params.iter().for_each(|p| walk.define(p.0, Some(0)));
        walk.region(&n.body)?;
        let End::Yield(next) = &n.body.end else { return None };
        let carried = n.params.iter().zip(next).filter(|(p, _)| u.varying[p.0.0 as usize]);
        let chain = carried.filter_map(|(_, v)| walk.ready(*v)).max()?;
        // Results that leaving lanes take with them, if lanes leave at different times.
        let taken = n.results.iter().filter(|r| diverges && u.varying[r.0 as usize]).count() as u32;
        let live = walk.most_live(n.params.iter().map(|p| p.0)) + taken;
        Some(Turn { chain, work: walk.work + taken, live })
    }

    /// Twice the number of cycles of an iteration, with this many vectors per value.
    fn time(&self, vectors: u32) -> u32 {
        (2 * self.chain).max(2 * vectors * self.work / PER_CYCLE) + 2 * OVERHEAD
    }

    /// Number of vectors per value, a power of two, up to which each doubling pays off.
    fn vectors(&self, registers: u32, worth: u32) -> u32 {
        let mut n = 1;
        while 2 * n * self.live + SPARE <= registers && 200 * self.time(n) >= worth * self.time(2 * n) {
            n *= 2;
        }
        n
    }
}

/// Traversal of the body of a loop.
struct Walk<'s> {
    shader: &'s Shader,
    uniformity: &'s Uniformity,
    work: u32,
    /// Number of nodes visited.
    at: u32,
    /// Cycle of the iteration at which a value is ready; `None` if it does not depend on the previous iteration.
    ready: FxHashMap<Value, Option<u32>>,
    /// Positions at which values are defined and last used; values from outside have no definition.
    made: FxHashMap<Value, u32>,
    used: FxHashMap<Value, u32>,
    /// For each inner construct: the cycle at which its results are ready.
    given: FxHashMap<Label, Option<u32>>,
}

impl<'s> Walk<'s> {
    fn new(shader: &'s Shader, u: &'s Uniformity) -> Walk<'s> {
        let (ready, made, used, given) = Default::default();
        Walk { shader, uniformity: u, work: 0, at: 0, ready, made, used, given }
    }

    fn ready(&self, v: Value) -> Option<u32> {
        self.ready.get(&v).copied().flatten()
    }

    fn define(&mut self, v: Value, ready: Option<u32>) {
        self.ready.insert(v, ready);
        self.made.insert(v, self.at);
    }

    /// Uses the values; returns the cycle at which all of them are ready.
    fn uses(&mut self, values: &[Value]) -> Option<u32> {
        values.iter().for_each(|&v| _ = self.used.insert(v, self.at));
        values.iter().filter_map(|&v| self.ready(v)).max()
    }

    fn region(&mut self, region: &Region) -> Option<()> {
        for node in &region.nodes {
            self.at += 1;
            match node {
                Node::Inst(i) => self.inst(i)?,
                Node::If(n) => {
                    let mut ready = self.uses(&[n.cond]);
                    for arm in [&n.then, &n.els] {
                        self.region(arm)?;
                        if let End::Yield(values) = &arm.end {
                            ready = ready.max(self.uses(values));
                        }
                    }
                    self.work += n.results.len() as u32;
                    n.results.iter().for_each(|&r| self.define(r, ready.map(|t| t + 1)));
                }
                Node::Block(n) => {
                    self.region(&n.body)?;
                    let mut ready = self.given.get(&n.label).copied().flatten();
                    if let End::Yield(values) = &n.body.end {
                        ready = ready.max(self.uses(values));
                    }
                    self.work += n.results.len() as u32;
                    n.results.iter().for_each(|&r| self.define(r, ready.map(|t| t + 1)));
                }
                Node::Loop(_) => return None,
            }
        }
        if let End::Break(label, values) = &region.end {
            let ready = self.uses(values);
            let given = self.given.entry(*label).or_default();
            *given = (*given).max(ready);
        }
        Some(())
    }

    fn inst(&mut self, i: &Inst) -> Option<()> {
        let ready = self.uses(&i.args);
        if i.results.iter().all(|r| !self.uniformity.varying[r.0 as usize]) && i.op.effect() == Effect::Pure {
            i.results.iter().for_each(|&r| self.define(r, None));
            return Some(());
        }
        let (latency, work) = cost(i.op)?;
        let wide = i.results.iter().any(|r| is_wide(self.shader.ty(*r)));
        self.work += if wide { 2 * work } else { work };
        i.results.iter().for_each(|&r| self.define(r, ready.map(|t| t + latency)));
        Some(())
    }

    /// Maximum number of vectors that are live at once. `stay` and values from outside are live to the end of the
    /// iteration.
    fn most_live(&mut self, stay: impl Iterator<Item = Value>) -> u32 {
        let end = self.at + 1;
        stay.for_each(|v| _ = self.used.insert(v, end));
        let mut change = vec![0i32; end as usize + 2];
        for (v, &last) in &self.used {
            let ty = self.shader.ty(*v);
            let constant = !self.uniformity.varying[v.0 as usize];
            if constant || ty == Ty::Bool || ty == Ty::Buffer || ty == Ty::Image {
                continue;
            }
            let vectors = if is_wide(ty) { 2 } else { 1 };
            let (from, to) = match self.made.get(v) {
                Some(&made) => (made, last),
                None => (0, end),
            };
            change[from as usize] += vectors;
            change[to as usize] -= vectors;
        }
        let mut live = 0;
        let at_each = change.into_iter().map(|c| {
            live += c;
            live
        });
        at_each.max().unwrap_or(0) as u32
    }
}

/// Latency of an operation on 32-bit floats and integers in cycles, and its number of instructions; `None` for
/// operations that do more than compute.
fn cost(op: Op) -> Option<(u32, u32)> {
    use Op::*;
    Some(match op {
        Const | Bitcast => (0, 0),
        FAdd | FSub | FMul | Fma | FFloor | FCeil | FTrunc | FRound | SToF => (4, 1),
        FNeg | FAbs | IAdd | ISub | INeg | And | Or | Xor | Not | Shl | ShrU | ShrS | Select => (1, 1),
        SMin | SMax | UMin | UMax | SAbs => (1, 1),
        IEq | INe | SLt | SLe | ULt | ULe => (3, 1),
        FOrdEq | FOrdNe | FOrdLt | FOrdLe | FUnordEq | FUnordNe | FUnordLt | FUnordLe | IsNan => (3, 1),
        FMin | FMax | NMin | NMax => (4, 2),
        IMul => (6, 2),
        FFract | IsInf | FSign | SSign => (8, 3),
        UToF | FToS | FToU => (10, 5),
        FDiv | FSqrt => (14, 10),
        FInvSqrt => (28, 20),
        Sin | Cos | Exp | Exp2 | Log | Log2 => (50, 20),
        _ => return None,
    })
}

/// Approximate number of instructions of an operation.
fn size(op: Op) -> u32 {
    use Op::*;
    match op {
        Offset | BuiltIn | BufferDescriptor | PushConstants | BufferSize => 1,
        LoadBuffer | StoreBuffer | LoadShared | StoreShared => 1,
        UDiv | UMod | SDiv | SRem | SMod => 20,
        op => cost(op).map_or(LONG, |c| c.1),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::CpuLevel;

    /// Number of lanes per group for a shader that copies words, with 8 requested.
    fn lanes(cpu: CpuLevel, tier: Tier, size: u32) -> u32 {
        let text = include_str!("../testdata/copy.spvasm");
        let text = text.replace("LocalSize 16 1 1", &format!("LocalSize {size} 1 1"));
        let words = crate::spirv::asm::assemble(&text).unwrap();
        let module = crate::spirv::Module::parse(&words).unwrap();
        let mut shader = module.lower("main", Stage::Compute, &[]).unwrap();
        crate::passes::optimize(&mut shader, Tier::Optimized).unwrap();
        let u = crate::passes::uniformity::analyse(&shader, 8).unwrap();
        let (layout, image_ops) = (crate::abi::Layout::default(), &crate::codegen::NoImageOps);
        let opts = CompileOptions { lanes: 8, tier, layout: &layout, cpu, image_ops, missing: false };
        if has_free_groups(&shader, 8) { group_size(&shader, &Insts::of(&shader.body), &opts, &u) } else { 8 }
    }

    #[test]
    fn short_shaders_get_several_vectors() {
        if CpuLevel::host() < CpuLevel::V4 {
            return;
        }
        let of = |size| [CpuLevel::V2, CpuLevel::V3, CpuLevel::V4].map(|c| lanes(c, Tier::Optimized, size));
        assert_eq!(of(64), [8, 32, 64]);
        // Groups are only enlarged if the workgroup fills whole groups.
        assert_eq!(of(32), [8, 32, 32]);
        assert_eq!(of(48), [8, 16, 16]);
        assert_eq!(of(24), [8, 8, 8]);
        assert_eq!(lanes(CpuLevel::V4, Tier::First, 64), 8);
    }

    #[test]
    fn chains_get_vectors_as_registers_last() {
        // Four sums, each of which depends on that of the previous iteration.
        let waits = Turn { chain: 4, work: 4, live: 4 };
        assert_eq!(waits.vectors(32, WORTH[0]), 2);
        assert_eq!(Turn { chain: 4, work: 1, live: 1 }.vectors(32, WORTH[0]), 8);
        // There are not enough registers for twice as many.
        assert_eq!(Turn { live: 15, ..waits }.vectors(32, WORTH[0]), 1);
        assert_eq!(waits.vectors(8, WORTH[0]), 1);
        // The iteration has enough independent work while the chain waits.
        assert_eq!(Turn { chain: 10, work: 40, live: 4 }.vectors(32, WORTH[0]), 1);
    }
}

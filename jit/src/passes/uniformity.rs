//! Finds the values that are equal in all active lanes of a group, and where control flow diverges.
//!
//! Sources that differ per lane make everything computed from them varying. A construct's result also varies if lanes
//! may leave the construct by different exits or in different iterations. For each open construct, the traversal tracks
//! whether some of the lanes that entered it are missing: parked at its end, or in the other arm of a selection.

use std::rc::Rc;

use rustc_hash::FxHashMap;

use crate::error::Result;
use crate::ir::{
    BuiltIn, End, GroupOp, Imm, Inst, Interpolation, Label, Node, Op, Region, Sampling, Shader, Stage, Value,
};

/// Result of the analysis.
#[derive(Clone, Debug)]
pub struct Uniformity {
    /// For each value: true if it differs between active lanes.
    pub varying: Vec<bool>,
    /// Labels whose construct some lanes may leave while others stay inside.
    pub divergent_exit: FxHashMap<Label, bool>,
}

/// Stands for the function in [`Uniformity::divergent_exit`]: some lanes may end before others.
pub const FUNCTION: Label = Label(u32::MAX);

/// Adds the labels of the enclosing constructs that `region` may leave for ([`FUNCTION`] for returns). Later iterations
/// of a loop run without the lanes that left in earlier ones.
pub fn outer_exits(region: &Region, inner: &mut Vec<Label>, out: &mut Vec<Label>) {
    for node in &region.nodes {
        node_exits(node, inner, out);
    }
    let label = match &region.end {
        End::Yield(_) => return,
        End::Break(label, _) => *label,
        End::Return | End::Kill | End::Unreachable => FUNCTION,
    };
    if !inner.contains(&label) && !out.contains(&label) {
        out.push(label);
    }
}

/// As [`outer_exits`], for one node.
pub fn node_exits(node: &Node, inner: &mut Vec<Label>, out: &mut Vec<Label>) {
    let (label, body) = match node {
        Node::Inst(_) => return,
        Node::If(n) => {
            outer_exits(&n.then, inner, out);
            return outer_exits(&n.els, inner, out);
        }
        Node::Block(n) => (n.label, &n.body),
        Node::Loop(n) => (n.label, &n.body),
    };
    inner.push(label);
    outer_exits(body, inner, out);
    inner.pop();
}

struct Walk<'a> {
    shader: &'a Shader,
    lanes: u32,
    u: Uniformity,
    changed: bool,
    /// Values that count lanes, each with the number of remainders behind it.
    indices: FxHashMap<Value, u32>,
    numbers: FxHashMap<Value, u64>,
    /// If true, all results and parameters of constructs count as varying, and all exits as divergent.
    given_up: bool,
    /// For each open construct, outermost first (0 is the function): true if lanes may be missing until its end.
    missing: Vec<bool>,
    depth_of: FxHashMap<Label, usize>,
    label_results: FxHashMap<Label, Rc<[Value]>>,
}

/// Maximum number of traversals. After that, all loop-carried values count as varying. A traversal carries variation
/// from one parameter to the next, so a long chain of parameters would need a traversal per link.
const MAX_WALKS: u32 = 64;

/// Analyses a shader for groups of `lanes` invocations.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn analyse(shader: &Shader, lanes: u32) -> Result<Uniformity> {
    analyse_in(shader, lanes, MAX_WALKS)
}

/// As [`analyse`], with at most `most` traversals.
fn analyse_in(shader: &Shader, lanes: u32, most: u32) -> Result<Uniformity> {
    let u = Uniformity { varying: vec![false; shader.values.len()], divergent_exit: FxHashMap::default() };
    let mut w = Walk {
        shader,
        lanes,
        u,
        changed: true,
        indices: FxHashMap::default(),
        numbers: FxHashMap::default(),
        given_up: false,
        missing: Vec::new(),
        depth_of: FxHashMap::default(),
        label_results: FxHashMap::default(),
    };
    w.find_indices();
    let mut walks = 0;
    while w.changed {
        w.changed = false;
        w.given_up = walks >= most;
        w.missing = vec![false];
        w.region(&shader.body, &[])?;
        walks += 1;
    }
    Ok(w.u)
}

/// Returns true if a built-in differs between the lanes of a group.
fn builtin_varies(shader: &Shader, lanes: u32, b: BuiltIn, component: u32) -> bool {
    use BuiltIn::*;
    match b {
        VertexIndex
        | InstanceIndex
        | FragCoord
        | PointCoord
        | BaryCoord
        | BaryCoordNoPersp
        | SampleMask
        | HelperInvocation
        | LocalInvocationIndex
        | SubgroupLocalInvocationId
        | SubgroupEqMask
        | SubgroupGeMask
        | SubgroupGtMask
        | SubgroupLeMask
        | SubgroupLtMask => {
            // z and w of FragCoord may be constant, but that is not worth detecting.
            true
        }
        LocalInvocationId | GlobalInvocationId => {
            let whole_rows = shader.local_size[0].is_multiple_of(lanes);
            component == 0 || !whole_rows
        }
        InvocationId | TessCoord => true,
        PatchVertices => false,
        FrontFacing | PrimitiveId | Layer | ViewportIndex if shader.packed => true,
        PrimitiveId => matches!(shader.stage, Stage::Vertex | Stage::Geometry),
        _ => {
            !shader.stage.has_workgroups()
                && shader.stage != Stage::Fragment
                && !matches!(b, BaseVertex | BaseInstance | DrawIndex | ViewIndex | SubgroupSize)
        }
    }
}

/// True for an index that advances by one from lane to lane, where its value in the first lane is a multiple of the number
/// of lanes.
pub(crate) fn counts_lanes(shader: &Shader, lanes: u32, i: &Inst) -> bool {
    let Imm::BuiltIn(b, c) = &i.imm else { return false };
    match b {
        BuiltIn::LocalInvocationIndex => true,
        BuiltIn::LocalInvocationId => *c == 0 && shader.local_size[0].is_multiple_of(lanes),
        _ => false,
    }
}

/// Remainders of remainders of an index that counts lanes, up to which they are known to count lanes, too.
pub(crate) const MOST_REMAINDERS: u32 = 3;

/// True if the result of an operation on an index that counts lanes, and a constant, counts lanes, too: the remainder by a
/// multiple of their number.
pub(crate) fn keeps_counting(lanes: u32, op: Op, constant: u64) -> bool {
    divisor(op, constant).is_some_and(|by| by.remainder && by.number.is_multiple_of(lanes))
}

/// Division by a constant that is not zero.
pub(crate) struct Division {
    pub number: u32,
    pub remainder: bool,
}

/// The division that an operation with a constant second argument of 32 bits is.
pub(crate) fn divisor(op: Op, constant: u64) -> Option<Division> {
    let constant = u32::try_from(constant).ok()?;
    let (number, remainder) = match op {
        Op::UDiv => (constant, false),
        Op::UMod => (constant, true),
        Op::ShrU => (1 << (constant % 32), false),
        Op::And => (constant.checked_add(1).filter(|n| n.is_power_of_two())?, true),
        _ => return None,
    };
    (number > 0).then_some(Division { number, remainder })
}

impl Walk<'_> {
    fn find_indices(&mut self) {
        if !self.shader.stage.has_workgroups() {
            return;
        }
        let (shader, lanes) = (self.shader, self.lanes);
        crate::ir::each_inst(&shader.body, &mut |i| {
            let counts = match (i.op, &i.imm, &i.args[..]) {
                (Op::Const, Imm::Bits(bits), _) => {
                    self.numbers.insert(i.results[0], *bits);
                    None
                }
                (Op::BuiltIn, ..) => counts_lanes(shader, lanes, i).then_some(0),
                (op, _, [index, number]) => self.indices.get(index).and_then(|&n| {
                    let counts = n < MOST_REMAINDERS
                        && self.numbers.get(number).is_some_and(|&n| keeps_counting(lanes, op, n));
                    counts.then_some(n + 1)
                }),
                _ => None,
            };
            if let Some(remainders) = counts {
                self.indices.extend(i.results.iter().map(|&v| (v, remainders)));
            }
        });
    }

    /// True for the number of the group, or of several: an index that counts lanes, divided by a multiple of their number.
    fn is_group_number(&self, i: &Inst) -> bool {
        let &[index, number] = &i.args[..] else { return false };
        let known = self.numbers.get(&number).and_then(|&n| divisor(i.op, n));
        self.indices.contains_key(&index)
            && known.is_some_and(|by| !by.remainder && by.number.is_multiple_of(self.lanes))
    }

    fn varies(&self, v: Value) -> bool {
        self.u.varying[v.0 as usize]
    }

    fn set(&mut self, v: Value, varying: bool) {
        if varying && !self.varies(v) {
            self.u.varying[v.0 as usize] = true;
            self.changed = true;
        }
    }

    fn inst(&mut self, i: &Inst) {
        let any = i.args.iter().any(|&a| self.varies(a));
        let varying = match (i.op, &i.imm) {
            (Op::BuiltIn, Imm::BuiltIn(b, c)) => builtin_varies(self.shader, self.lanes, *b, *c),
            (Op::UDiv | Op::ShrU, _) if self.is_group_number(i) => false,
            // In lockstep, lanes that load from the same vertex read the same value, unless each lane has its own
            // primitive.
            (Op::LoadInput, _) if self.shader.stage.reads_vertices() => {
                any || self.shader.stage == Stage::Geometry
            }
            (Op::LoadInput, Imm::Slot(s)) => {
                let input = &self.shader.inputs[*s as usize];
                let flat = input.interpolation == Interpolation::Flat && !self.shader.packed;
                !(self.shader.stage == Stage::Fragment && flat) || input.sampling == Sampling::Sample
            }
            (Op::Interpolate | Op::IsHelper | Op::VarGet | Op::VarGetDyn, _) => true,
            (Op::AtomicBuffer | Op::AtomicShared | Op::ImageWrite, _) => true,
            (Op::RayStep | Op::RayGet | Op::RayCall, _) => true,
            // Derivatives are 0 in lanes with an inactive partner, even for infinities.
            (Op::DdxFine | Op::DdyFine | Op::DdxCoarse | Op::DdyCoarse, _) => true,
            (Op::Group, Imm::Group(g)) => match g {
                GroupOp::All
                | GroupOp::Any
                | GroupOp::Anywhere
                | GroupOp::AllEqual
                | GroupOp::Ballot
                | GroupOp::BroadcastFirst
                | GroupOp::Reduce(_) => false,
                GroupOp::Broadcast => self.varies(i.args[1]),
                _ => true,
            },
            // Each scalar of a matrix holds other elements in other lanes.
            (Op::Matrix, _) => true,
            (Op::ImageOp, Imm::Image(op)) => {
                use crate::ir::ImageOpKind::*;
                any || !matches!(op.kind, QuerySize | QueryLevels | QuerySamples)
            }
            _ => any,
        };
        for &r in &i.results {
            self.set(r, varying);
        }
    }

    /// Analyses a region. `results`: the values that its `Yield` sets.
    fn region(&mut self, region: &Region, results: &[Value]) -> Result<()> {
        for node in &region.nodes {
            crate::budget::work(1)?;
            match node {
                Node::Inst(i) => self.inst(i),
                Node::If(n) => {
                    let diverges = self.varies(n.cond);
                    for arm in [&n.then, &n.els] {
                        self.missing.push(diverges);
                        self.region(arm, &n.results)?;
                        self.missing.pop();
                    }
                    if diverges || self.given_up {
                        // Equal values from both arms would still be uniform, but that is rare.
                        for &r in &n.results {
                            self.set(r, true);
                        }
                    }
                }
                Node::Block(n) => self.labelled(n.label, false, &n.body, &n.results, &n.results)?,
                Node::Loop(n) => {
                    for &(p, init) in &n.params {
                        self.set(p, self.given_up || self.varies(init));
                    }
                    let params: Vec<Value> = n.params.iter().map(|p| p.0).collect();
                    self.labelled(n.label, true, &n.body, &params, &n.results)?;
                }
            }
        }
        let here = self.missing.len();
        match &region.end {
            End::Yield(args) => {
                for (&r, &a) in results.iter().zip(args) {
                    self.set(r, self.varies(a));
                }
            }
            End::Break(label, args) => {
                let d = self.depth_of.get(label).copied().unwrap_or(0);
                self.leave(d, here);
                let results = self.label_results.get(label).cloned().unwrap_or_default();
                for (&r, &a) in results.iter().zip(args) {
                    self.set(r, self.varies(a));
                }
            }
            End::Return | End::Kill | End::Unreachable => self.leave(0, here),
        }
        Ok(())
    }

    /// Lanes leave for the end of the construct at depth `d`, and are missing for those that stay.
    fn leave(&mut self, d: usize, here: usize) {
        if self.missing[d + 1..here].iter().any(|&m| m) {
            self.missing[d] = true;
            if d == 0 && self.u.divergent_exit.insert(FUNCTION, true) != Some(true) {
                self.changed = true;
            }
        }
    }

    fn labelled(
        &mut self,
        label: Label,
        repeats: bool,
        body: &Region,
        yields: &[Value],
        results: &[Value],
    ) -> Result<()> {
        let depth = self.missing.len();
        self.depth_of.insert(label, depth);
        self.label_results.entry(label).or_insert_with(|| results.into());
        // Later iterations of a loop run without the lanes that left in earlier ones.
        let known = self.u.divergent_exit.get(&label).copied().unwrap_or(false);
        if repeats {
            let mut exits = Vec::new();
            outer_exits(body, &mut vec![label], &mut exits);
            for exit in exits {
                if self.u.divergent_exit.get(&exit).copied().unwrap_or(false) {
                    let d = self.depth_of.get(&exit).copied().unwrap_or(0);
                    self.missing[d] = true;
                }
            }
        }
        self.missing.push(repeats && known);
        self.region(body, yields)?;
        let divergent = self.missing.pop().unwrap_or(false) || self.given_up;
        if divergent {
            if self.u.divergent_exit.insert(label, true) != Some(true) {
                self.changed = true;
            }
            for &r in results {
                self.set(r, true);
            }
        }
        Ok(())
    }
}

//! Variables to SSA values.
//!
//! A variable that is never indexed dynamically becomes values: each construct that assigns one
//! of its scalars gets a result (and a loop a parameter) for it. [`super::dce`] removes those that
//! nobody reads.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::ir::{End, Imm, Inst, Label, Loop, Node, Op, Region, Shader, Src, Ty, Value, Var};

/// Index of a promoted scalar.
type Slot = u32;

struct Promote<'a> {
    shader: &'a mut Shader,
    /// First slot of each promoted variable.
    first: Vec<Option<Slot>>,
    slot_ty: Vec<Ty>,
    /// What stands for the result of a removed `VarGet`.
    subst: FxHashMap<Value, Value>,
    /// Slots that a label's results carry, appended to its `Break`s.
    label_slots: FxHashMap<Label, Vec<Slot>>,
}

/// Replaces variables by values where every access is static.
pub fn promote(shader: &mut Shader) {
    let mut dynamic = vec![false; shader.vars.len()];
    super::each_inst(&shader.body, &mut |i| {
        if let (Op::VarGetDyn | Op::VarSetDyn, Imm::Var { var, .. }) = (i.op, &i.imm) {
            dynamic[var.0 as usize] = true;
        }
    });
    let mut slot_ty = Vec::new();
    let first = shader
        .vars
        .iter()
        .zip(&dynamic)
        .map(|(v, &dynamic)| {
            if dynamic {
                return None;
            }
            let at = slot_ty.len() as Slot;
            slot_ty.extend(&v.elems);
            Some(at)
        })
        .collect();
    let mut body = std::mem::take(&mut shader.body);
    let mut p =
        Promote { shader, first, slot_ty, subst: FxHashMap::default(), label_slots: FxHashMap::default() };
    // Zero of each type, at the very start.
    let mut zeros = Vec::new();
    let mut by_ty: FxHashMap<Ty, Value> = FxHashMap::default();
    let mut env: Vec<Value> = Vec::with_capacity(p.slot_ty.len());
    for i in 0..p.slot_ty.len() {
        let ty = p.slot_ty[i];
        let v = *by_ty.entry(ty).or_insert_with(|| {
            let v = p.shader.new_value(ty);
            zeros.push(Node::Inst(Inst {
                op: Op::Const,
                args: SmallVec::new(),
                results: smallvec![v],
                imm: Imm::Bits(0),
                src: Src::default(),
            }));
            v
        });
        env.push(v);
    }
    p.region(&mut body, &mut env, &[]);
    zeros.append(&mut body.nodes);
    body.nodes = zeros;
    let subst = p.subst;
    super::map_uses(&mut body, &|v| subst.get(&v).copied().unwrap_or(v));
    shader.body = body;
}

impl Promote<'_> {
    fn slot(&self, var: Var, elem: u32) -> Option<Slot> {
        self.first[var.0 as usize].map(|s| s + elem)
    }

    /// Slots assigned anywhere inside, ascending.
    fn assigned(&self, regions: &[&Region]) -> Vec<Slot> {
        let mut out = Vec::new();
        for r in regions {
            super::each_inst(r, &mut |i| {
                if let (Op::VarSet, Imm::Var { var, elem }) = (i.op, &i.imm)
                    && let Some(s) = self.slot(*var, *elem)
                {
                    out.push(s);
                }
            });
        }
        out.sort_unstable();
        out.dedup();
        out
    }

    fn resolve(&self, v: Value) -> Value {
        self.subst.get(&v).copied().unwrap_or(v)
    }

    /// Rewrites a region; `yields` are the slots that its `Yield` carries.
    fn region(&mut self, region: &mut Region, env: &mut [Value], yields: &[Slot]) {
        let mut nodes = Vec::with_capacity(region.nodes.len());
        for mut node in std::mem::take(&mut region.nodes) {
            match &mut node {
                Node::Inst(i) => {
                    if let (Op::VarGet | Op::VarSet, Imm::Var { var, elem }) = (i.op, &i.imm)
                        && let Some(slot) = self.slot(*var, *elem)
                    {
                        if i.op == Op::VarGet {
                            self.subst.insert(i.results[0], env[slot as usize]);
                        } else {
                            env[slot as usize] = self.resolve(i.args[0]);
                        }
                        continue;
                    }
                }
                Node::If(n) => {
                    let slots = self.assigned(&[&n.then, &n.els]);
                    let mut env_then = env.to_vec();
                    self.region(&mut n.then, &mut env_then, &slots);
                    let mut env_els = env.to_vec();
                    self.region(&mut n.els, &mut env_els, &slots);
                    self.results(&slots, &mut n.results, env);
                }
                Node::Block(n) => {
                    let slots = self.assigned(&[&n.body]);
                    self.label_slots.insert(n.label, slots.clone());
                    let mut inner = env.to_vec();
                    self.region(&mut n.body, &mut inner, &slots);
                    self.results(&slots, &mut n.results, env);
                }
                Node::Loop(n) => {
                    let Loop { label, params, body, results, .. } = &mut **n;
                    let slots = self.assigned(&[body]);
                    self.label_slots.insert(*label, slots.clone());
                    let mut inner = env.to_vec();
                    for &s in &slots {
                        let p = self.shader.new_value(self.slot_ty[s as usize]);
                        params.push((p, env[s as usize]));
                        inner[s as usize] = p;
                    }
                    self.region(body, &mut inner, &slots);
                    self.results(&slots, results, env);
                }
            }
            nodes.push(node);
        }
        region.nodes = nodes;
        match &mut region.end {
            End::Yield(args) => args.extend(yields.iter().map(|&s| env[s as usize])),
            End::Break(l, args) => {
                if let Some(slots) = self.label_slots.get(l) {
                    args.extend(slots.iter().map(|&s| env[s as usize]));
                }
            }
            End::Return | End::Kill | End::Unreachable => {}
        }
    }

    fn results(&mut self, slots: &[Slot], results: &mut Vec<Value>, env: &mut [Value]) {
        for &s in slots {
            let v = self.shader.new_value(self.slot_ty[s as usize]);
            results.push(v);
            env[s as usize] = v;
        }
    }
}

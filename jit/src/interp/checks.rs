//! The claims about a program, indexed by the instruction that each is about.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use crate::claims::{Claims, Test};
use crate::ir::each_inst;
use crate::ir::{Inst, Value};

/// The claims about a program.
pub(super) struct Checks {
    pub claims: Arc<Claims>,
    /// Claims about each instruction, by its address in the shader.
    pub at: FxHashMap<usize, Vec<u32>>,
    /// Numbers of the instructions that define the operands of tests.
    pub needed: FxHashSet<u32>,
}

pub(super) fn address(inst: &Inst) -> usize {
    std::ptr::from_ref(inst).addr()
}

impl Checks {
    pub fn new(claims: Arc<Claims>) -> Checks {
        let mut insts: Vec<&Inst> = Vec::new();
        each_inst(&claims.shader.body, &mut |i| insts.push(i));
        let mut at: FxHashMap<usize, Vec<u32>> = FxHashMap::default();
        for (k, claim) in claims.list.iter().enumerate() {
            if let Some(inst) = insts.get(claim.at as usize) {
                at.entry(address(inst)).or_default().push(k as u32);
            }
        }
        let mut wanted: FxHashSet<Value> = claims.tests.iter().flat_map(values).collect();
        let mut needed = FxHashSet::default();
        for (k, inst) in insts.iter().enumerate().rev() {
            if inst.results.iter().any(|r| wanted.contains(r)) {
                needed.insert(k as u32);
                wanted.extend(&inst.args);
            }
        }
        Checks { at, needed, claims }
    }
}

/// Operands of a test.
fn values(test: &Test) -> Vec<Value> {
    match test {
        Test::Reaches { buffer, terms, .. } => terms.iter().map(|t| t.0.value).chain([*buffer]).collect(),
        Test::Keeps { line, other, .. } | Test::Below { line, other, .. } => vec![line.value, *other],
    }
}

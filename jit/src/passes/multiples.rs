//! Quotients and remainders, by a power of two, of `a + c` with a constant `c`: `a / k + c / k`, and `a % k + c % k`, if `a` is a
//! multiple of a power of two that is more than `c`. Shaders divide the indices of neighbouring elements, whose quotients are
//! neighbours, too; [`super::adjacent`] joins their loads then.

use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::Result;
use crate::ir::{Imm, Inst, Node, Op, Region, Shader, Ty, Value};

use super::zeros::low_zeros;

/// Splits quotients and remainders in the whole body; returns true if there was one.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn multiples(shader: &mut Shader) -> Result<bool> {
    let mut body = std::mem::take(&mut shader.body);
    let mut m = Multiples { values: &mut shader.values, facts: FxHashMap::default(), changed: false };
    let result = m.region(&mut body);
    let changed = m.changed;
    shader.body = body;
    result.map(|()| changed)
}

/// Facts about an I32.
#[derive(Clone, Copy, Default)]
struct Fact {
    constant: Option<u32>,
    /// Number of low bits that are zero.
    zeros: u32,
    /// The value as a sum with a constant.
    sum: Option<(Value, u32)>,
}

struct Multiples<'a> {
    values: &'a mut Vec<Ty>,
    facts: FxHashMap<Value, Fact>,
    changed: bool,
}

impl Multiples<'_> {
    fn region(&mut self, r: &mut Region) -> Result<()> {
        let mut out = Vec::with_capacity(r.nodes.len());
        for mut node in std::mem::take(&mut r.nodes) {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    if let Some(parts) = self.split(i) {
                        for part in &parts {
                            self.note(part);
                        }
                        out.extend(parts.into_iter().map(Node::Inst));
                        self.changed = true;
                        continue;
                    }
                    self.note(i);
                }
                _ => node.regions_mut().into_iter().try_for_each(|inner| self.region(inner))?,
            }
            out.push(node);
        }
        r.nodes = out;
        Ok(())
    }

    fn fact(&self, v: Value) -> Fact {
        self.facts.get(&v).copied().unwrap_or_default()
    }

    /// The power of two by which an instruction divides, as an exponent.
    fn exponent(&self, i: &Inst) -> Option<u32> {
        let by = self.fact(*i.args.get(1)?).constant?;
        match i.op {
            Op::UDiv | Op::UMod if by.is_power_of_two() => Some(by.trailing_zeros()),
            Op::ShrU if by < 32 => Some(by),
            _ => None,
        }
    }

    fn note(&mut self, i: &Inst) {
        let [result] = i.results[..] else { return };
        if self.values[result.0 as usize] != Ty::I32 {
            return;
        }
        // An offset may be saturated.
        if i.op == Op::Offset {
            return;
        }
        let constant = |v: Value| self.fact(v).constant;
        let zeros = low_zeros(i, |v| constant(v).map(u64::from), |v| self.fact(v).zeros);
        let fact = match (i.op, &i.imm) {
            (Op::Const, Imm::Bits(bits)) => Fact { constant: Some(*bits as u32), zeros, sum: None },
            (Op::IAdd, _) => {
                let sum = match (constant(i.args[0]), constant(i.args[1])) {
                    (_, Some(c)) => Some((i.args[0], c)),
                    (Some(c), _) => Some((i.args[1], c)),
                    _ => None,
                };
                Fact { constant: None, zeros, sum }
            }
            _ => Fact { zeros, ..Fact::default() },
        };
        self.facts.insert(result, fact);
    }

    /// The instructions that compute a quotient or remainder of a sum from that of its first term.
    fn split(&mut self, i: &Inst) -> Option<[Inst; 3]> {
        let exponent = self.exponent(i)?;
        let [result] = i.results[..] else { return None };
        let (a, c) = self.fact(i.args[0]).sum.filter(|_| self.values[result.0 as usize] == Ty::I32)?;
        let zeros = self.fact(a).zeros;
        // The sum has the bits of both, so it does not wrap.
        let apart = zeros >= 32 || u64::from(c) < 1 << zeros;
        if !apart || i.op != Op::UMod && zeros < exponent {
            return None;
        }
        let of_c = if i.op == Op::UMod { c & ((1 << exponent) - 1) } else { c >> exponent };
        let mut fresh = || {
            self.values.push(Ty::I32);
            Value(self.values.len() as u32 - 1)
        };
        let (first, second) = (fresh(), fresh());
        let inst = |op: Op, args: &[Value], imm: Imm, result: Value| Inst {
            op,
            args: args.into(),
            results: SmallVec::from_slice(&[result]),
            imm,
            src: i.src,
        };
        Some([
            inst(i.op, &[a, i.args[1]], i.imm.clone(), first),
            inst(Op::Const, &[], Imm::Bits(u64::from(of_c)), second),
            inst(Op::IAdd, &[first, second], Imm::None, result),
        ])
    }
}

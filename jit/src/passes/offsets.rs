//! States byte offsets of 64 bits as sums of indices of 32 bits, which the lane builder compiles to vector accesses.
//!
//! Pointers of kernels are numbers of 64 bits. An address that went through private memory is two words, which are joined
//! first; the start of its buffer and the offset from there are then known apart. All rewriting is exact modulo 2^64.
//! Shaders without such offsets are left alone.

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::error::Result;
use crate::ir::{Imm, Inst, MAX_WIDE_STRIDE, Node, Op, Region, Shader, Ty, Value};

/// Most arguments of a sum that is made; a longer sum is left as it is.
const MOST_TERMS: usize = 8;
/// Deepest chain of operations that is followed.
const DEPTH: u32 = 16;
/// The number that makes a signed number of 32 bits an unsigned one in the same order.
const SIGN: u64 = 1 << 31;

/// Rewrites the offsets of a shader in which variables are values. Returns true if it has any of 64 bits.
///
/// # Errors
/// `Limit` if the time budget is exhausted ([`crate::budget`]).
pub fn offsets(shader: &mut Shader) -> Result<bool> {
    let mut found = false;
    crate::ir::each_inst(&shader.body, &mut |i| found |= is_wide(shader, i));
    if !found {
        return Ok(false);
    }
    let mut body = std::mem::take(&mut shader.body);
    let mut pass = Offsets { shader, defs: FxHashMap::default(), subst: FxHashMap::default() };
    pass.region(&mut body)?;
    let subst = pass.subst;
    super::map_uses(&mut body, &|v| subst.get(&v).copied().unwrap_or(v));
    shader.body = body;
    Ok(true)
}

fn is_wide(shader: &Shader, i: &Inst) -> bool {
    i.op == Op::Offset && i.args.iter().any(|&a| shader.ty(a) == Ty::I64)
}

/// Definition of a value by an operation that the pass follows.
#[derive(Clone, Copy)]
enum Def {
    Const(u64),
    Op(Op, [Value; 2]),
}

struct Offsets<'a> {
    shader: &'a mut Shader,
    defs: FxHashMap<Value, Def>,
    subst: FxHashMap<Value, Value>,
}

/// A sum modulo 2^64.
#[derive(Default)]
struct Sum {
    constant: u64,
    terms: SmallVec<[(Value, u32); 4]>,
    /// Indices that are `value ^ 2^31`, in the order of `terms`.
    flipped: SmallVec<[bool; 4]>,
}

impl Sum {
    fn push(&mut self, index: Value, stride: u32, flipped: bool) {
        self.terms.push((index, stride));
        self.flipped.push(flipped);
    }
}

impl Offsets<'_> {
    fn region(&mut self, region: &mut Region) -> Result<()> {
        let nodes = std::mem::take(&mut region.nodes);
        region.nodes.reserve(nodes.len());
        for mut node in nodes {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    for a in &mut i.args {
                        *a = self.subst.get(a).copied().unwrap_or(*a);
                    }
                    self.inst(i, &mut region.nodes);
                }
                Node::If(n) => {
                    self.region(&mut n.then)?;
                    self.region(&mut n.els)?;
                }
                Node::Block(n) => self.region(&mut n.body)?,
                Node::Loop(n) => self.region(&mut n.body)?,
            }
            region.nodes.push(node);
        }
        Ok(())
    }

    /// Takes note of an instruction, rewrites it, and emits what it then needs to `before`.
    fn inst(&mut self, i: &mut Inst, before: &mut Vec<Node>) {
        if is_wide(self.shader, i) {
            self.offset(i, before);
            return;
        }
        let (&[result], Imm::None | Imm::Bits(_)) = (&i.results[..], &i.imm) else { return };
        if let Some(same) = self.same_as(i) {
            self.subst.insert(result, same);
            return;
        }
        let def = match (i.op, &i.imm, &i.args[..]) {
            (Op::Const, &Imm::Bits(bits), _) => Def::Const(bits),
            (Op::UConvert | Op::SConvert | Op::Bitcast, _, &[a]) => Def::Op(i.op, [a, a]),
            (Op::IAdd | Op::Shl | Op::IMul | Op::ShrU | Op::And | Op::Or, _, &[a, b]) => {
                Def::Op(i.op, [a, b])
            }
            _ => return,
        };
        self.defs.insert(result, def);
    }

    fn bits(&self, v: Value) -> Option<u64> {
        match self.defs.get(&v) {
            Some(&Def::Const(bits)) => Some(bits),
            _ => None,
        }
    }

    /// The arguments of the operation that defines a value, if it is `op`.
    fn of(&self, v: Value, op: Op) -> Option<[Value; 2]> {
        match self.defs.get(&v) {
            Some(&Def::Op(known, args)) if known == op => Some(args),
            _ => None,
        }
    }

    /// An earlier value that the result equals; turns the instruction into a constant if it is 0.
    fn same_as(&self, i: &mut Inst) -> Option<Value> {
        let result = self.shader.ty(i.results[0]);
        match (i.op, &i.args[..]) {
            (op @ (Op::UConvert | Op::Bitcast), &[a]) => {
                let [from, _] = self.of(a, op)?;
                // A number that is extended and cut again, and bits that are seen as another type and back.
                (self.shader.ty(from) == result && self.shader.ty(a).bits() >= result.bits()).then_some(from)
            }
            (Op::Or, &[low, high]) if result == Ty::I64 => self.joined(low, high),
            (Op::And, &[a, b]) if result == Ty::I64 => {
                let (mask, [_, inner]) = (self.bits(b)?, self.of(a, Op::And)?);
                let kept = self.bits(inner)?;
                if kept & mask == 0 {
                    (i.op, i.imm) = (Op::Const, Imm::Bits(0));
                    i.args.clear();
                }
                (kept & mask == kept).then_some(a)
            }
            _ => None,
        }
    }

    /// The number whose two words are joined.
    fn joined(&self, low: Value, high: Value) -> Option<Value> {
        let [high, by] = self.of(high, Op::Shl)?;
        let [[low, _], [high, _]] = [self.of(low, Op::UConvert)?, self.of(high, Op::UConvert)?];
        let [[whole, _], [shifted, _]] = [self.of(low, Op::UConvert)?, self.of(high, Op::UConvert)?];
        let [from, down] = self.of(shifted, Op::ShrU)?;
        let words = [low, high].iter().all(|&v| self.shader.ty(v) == Ty::I32);
        let halves = self.bits(by) == Some(32) && self.bits(down) == Some(32);
        (words && halves && from == whole && self.shader.ty(whole) == Ty::I64).then_some(whole)
    }

    /// Adds `v * factor` to a sum. `None` if a factor is too large or the sum too long.
    fn add(&self, v: Value, factor: u64, depth: u32, sum: &mut Sum) -> Option<()> {
        let stride = u32::try_from(factor).ok().filter(|s| (1..=MAX_WIDE_STRIDE).contains(s))?;
        let (terms, constant) = (sum.terms.len(), sum.constant);
        if depth > 0 && self.parts(v, factor, depth - 1, sum).is_some() {
            return Some(());
        }
        sum.terms.truncate(terms);
        sum.flipped.truncate(terms);
        sum.constant = constant;
        sum.push(v, stride, false);
        (sum.terms.len() < MOST_TERMS).then_some(())
    }

    /// Adds the parts of `v * factor`, if the operation that defines `v` has such.
    fn parts(&self, v: Value, factor: u64, depth: u32, sum: &mut Sum) -> Option<()> {
        let &Def::Op(op, [a, b]) = self.defs.get(&v)? else {
            sum.constant = sum.constant.wrapping_add(self.bits(v)?.wrapping_mul(factor));
            return Some(());
        };
        let stride = factor as u32;
        match op {
            Op::IAdd => {
                self.add(a, factor, depth, sum)?;
                self.add(b, factor, depth, sum)
            }
            Op::Shl => self.add(a, factor.checked_shl(self.bits(b)? as u32 & 63)?, depth, sum),
            Op::IMul => match (self.bits(a), self.bits(b)) {
                (Some(k), _) => self.add(b, factor.checked_mul(k)?, depth, sum),
                (_, Some(k)) => self.add(a, factor.checked_mul(k)?, depth, sum),
                _ => None,
            },
            Op::UConvert if self.shader.ty(a) == Ty::I32 => Some(sum.push(a, stride, false)),
            // A signed number is an unsigned one that is 2^31 greater, minus 2^31.
            Op::SConvert if self.shader.ty(a) == Ty::I32 => {
                sum.constant = sum.constant.wrapping_sub(factor.wrapping_mul(SIGN));
                Some(sum.push(a, stride, true))
            }
            _ => None,
        }
    }

    fn offset(&mut self, i: &mut Inst, before: &mut Vec<Node>) {
        let Imm::Strides(strides) = &i.imm else { return };
        let mut sum = Sum::default();
        for (&a, &stride) in i.args.iter().zip(strides) {
            let added = match self.shader.ty(a) {
                Ty::I64 => self.add(a, u64::from(stride), DEPTH, &mut sum),
                _ => Some(sum.push(a, stride, false)),
            };
            if added.is_none() {
                return;
            }
        }
        let mut emit = |op, args: SmallVec<[Value; 4]>, imm, ty| {
            let result = self.shader.new_value(ty);
            before.push(Node::Inst(Inst { op, args, results: smallvec![result], imm, src: i.src }));
            result
        };
        for (term, _) in sum.terms.iter_mut().zip(&sum.flipped).filter(|(_, flipped)| **flipped) {
            let sign = emit(Op::Const, smallvec![], Imm::Bits(SIGN), Ty::I32);
            term.0 = emit(Op::IAdd, smallvec![term.0, sign], Imm::None, Ty::I32);
        }
        if sum.constant != 0 || sum.terms.is_empty() {
            let ty = if sum.constant >> 32 == 0 { Ty::I32 } else { Ty::I64 };
            sum.terms.push((emit(Op::Const, smallvec![], Imm::Bits(sum.constant), ty), 1));
        }
        let (args, strides) = sum.terms.into_iter().unzip();
        (i.args, i.imm) = (args, Imm::Strides(strides));
    }
}

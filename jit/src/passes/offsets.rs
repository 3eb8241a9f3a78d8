//! States offsets of kernels as sums of indices of 32 bits, which the lane builder compiles to vector accesses.
//!
//! Pointers of kernels are numbers of 64 bits. An address that went through private memory is two words, which are joined
//! first. The start of the buffer of an address is traced back to the argument that it comes from ([`starts`]), so that one
//! look-up serves all lanes and iterations. Offsets are then split into indices and strides. All rewriting is exact: an
//! offset with an argument of 64 bits counts modulo 2^40, in which starts of buffers are 0. Shaders without such offsets are
//! left alone.

mod starts;

use rustc_hash::FxHashMap;
use smallvec::{SmallVec, smallvec};

use crate::abi::{ADDRESS_SHIFT, INSIDE};
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
    pass.region(&mut body, &mut Offsets::join_words)?;
    starts::trace(&body, &pass.defs, &mut pass.subst)?;
    pass.region(&mut body, &mut Offsets::split)?;
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

/// Definitions of values.
type Defs = FxHashMap<Value, Def>;

/// The bits of a constant.
fn bits(defs: &Defs, v: Value) -> Option<u64> {
    match defs.get(&v) {
        Some(&Def::Const(bits)) => Some(bits),
        _ => None,
    }
}

/// The arguments of the operation that defines a value, if it is `op`.
fn of(defs: &Defs, v: Value, op: Op) -> Option<[Value; 2]> {
    match defs.get(&v) {
        Some(&Def::Op(known, args)) if known == op => Some(args),
        _ => None,
    }
}

struct Offsets<'a> {
    shader: &'a mut Shader,
    defs: Defs,
    /// Earlier values that equal later ones.
    subst: FxHashMap<Value, Value>,
}

/// A sum modulo 2^40.
#[derive(Default)]
struct Sum {
    constant: u64,
    terms: SmallVec<[Term; 4]>,
}

#[derive(Clone, Copy)]
struct Term {
    index: Value,
    stride: u32,
    change: Change,
}

/// Change of an index before it is multiplied.
#[derive(Clone, Copy, PartialEq)]
enum Change {
    None,
    /// Plus 2^31, wrapping.
    Raised,
    /// Its negative, of 64 bits.
    Negated,
}

/// Visitor of instructions; it adds nodes that must precede an instruction to the list.
type Visit<'v, 'a> = &'v mut dyn FnMut(&mut Offsets<'a>, &mut Inst, &mut Vec<Node>);

impl<'a> Offsets<'a> {
    fn region(&mut self, region: &mut Region, visit: Visit<'_, 'a>) -> Result<()> {
        let nodes = std::mem::take(&mut region.nodes);
        region.nodes.reserve(nodes.len());
        for mut node in nodes {
            crate::budget::work(1)?;
            match &mut node {
                Node::Inst(i) => {
                    for a in &mut i.args {
                        *a = self.subst.get(a).copied().unwrap_or(*a);
                    }
                    visit(self, i, &mut region.nodes);
                }
                _ => node.regions_mut().into_iter().try_for_each(|inner| self.region(inner, visit))?,
            }
            region.nodes.push(node);
        }
        Ok(())
    }

    /// Takes note of a definition, or finds the earlier value that it equals.
    fn join_words(&mut self, i: &mut Inst, _: &mut Vec<Node>) {
        let (&[result], Imm::None | Imm::Bits(_)) = (&i.results[..], &i.imm) else { return };
        if let Some(same) = self.same_as(i) {
            self.subst.insert(result, same);
            return;
        }
        let def = match (i.op, &i.imm, &i.args[..]) {
            (Op::Const, &Imm::Bits(bits), _) => Def::Const(bits),
            (Op::UConvert | Op::SConvert | Op::Bitcast, _, &[a]) => Def::Op(i.op, [a, a]),
            (Op::IAdd | Op::ISub | Op::Shl | Op::IMul | Op::ShrU | Op::And | Op::Or, _, &[a, b]) => {
                Def::Op(i.op, [a, b])
            }
            _ => return,
        };
        self.defs.insert(result, def);
    }

    fn same_as(&self, i: &Inst) -> Option<Value> {
        let result = self.shader.ty(i.results[0]);
        match (i.op, &i.args[..]) {
            (op @ (Op::UConvert | Op::Bitcast), &[a]) => {
                let [from, _] = of(&self.defs, a, op)?;
                // A number that is extended and cut again, and bits that are seen as another type and back.
                (self.shader.ty(from) == result && self.shader.ty(a).bits() >= result.bits()).then_some(from)
            }
            (Op::Or, &[low, high]) if result == Ty::I64 => self.joined(low, high),
            _ => None,
        }
    }

    /// The number whose two words are joined.
    fn joined(&self, low: Value, high: Value) -> Option<Value> {
        let defs = &self.defs;
        let [high, by] = of(defs, high, Op::Shl)?;
        let [[low, _], [high, _]] = [of(defs, low, Op::UConvert)?, of(defs, high, Op::UConvert)?];
        let [[whole, _], [shifted, _]] = [of(defs, low, Op::UConvert)?, of(defs, high, Op::UConvert)?];
        let [from, down] = of(defs, shifted, Op::ShrU)?;
        let words = [low, high].iter().all(|&v| self.shader.ty(v) == Ty::I32);
        let halves = bits(defs, by) == Some(32) && bits(defs, down) == Some(32);
        (words && halves && from == whole && self.shader.ty(whole) == Ty::I64).then_some(whole)
    }

    /// Adds `v * factor` to a sum. `None` if a factor is too large or the sum too long.
    fn add(&self, v: Value, factor: u64, depth: u32, sum: &mut Sum) -> Option<()> {
        let stride = u32::try_from(factor).ok().filter(|s| (1..=MAX_WIDE_STRIDE).contains(s))?;
        let (terms, constant) = (sum.terms.len(), sum.constant);
        let v = self.subst.get(&v).copied().unwrap_or(v);
        if depth > 0 && self.parts(v, stride, depth - 1, sum).is_some() {
            return Some(());
        }
        sum.terms.truncate(terms);
        sum.constant = constant;
        sum.terms.push(Term { index: v, stride, change: Change::None });
        (sum.terms.len() < MOST_TERMS).then_some(())
    }

    /// Adds the parts of `v * stride`, if the operation that defines `v` has such.
    fn parts(&self, v: Value, stride: u32, depth: u32, sum: &mut Sum) -> Option<()> {
        let factor = u64::from(stride);
        let &Def::Op(op, [a, b]) = self.defs.get(&v)? else {
            sum.constant = sum.constant.wrapping_add(bits(&self.defs, v)?.wrapping_mul(factor));
            return Some(());
        };
        let (known_a, known_b) = (bits(&self.defs, a), bits(&self.defs, b));
        match op {
            Op::IAdd => {
                self.add(a, factor, depth, sum)?;
                self.add(b, factor, depth, sum)
            }
            Op::ISub => {
                match known_b {
                    Some(k) => sum.constant = sum.constant.wrapping_sub(k.wrapping_mul(factor)),
                    None => sum.terms.push(Term { index: b, stride, change: Change::Negated }),
                }
                self.add(a, factor, depth, sum)
            }
            Op::Shl => self.add(a, factor.checked_shl(known_b? as u32 & 63)?, depth, sum),
            Op::IMul => match (known_a, known_b) {
                (Some(k), _) => self.add(b, factor.checked_mul(k)?, depth, sum),
                (_, Some(k)) => self.add(a, factor.checked_mul(k)?, depth, sum),
                _ => None,
            },
            // The start of a buffer is a multiple of 2^40.
            Op::And if known_b? == !INSIDE => Some(()),
            Op::And if known_b? == INSIDE => self.add(a, factor, depth, sum),
            Op::UConvert if self.shader.ty(a) == Ty::I32 => {
                sum.terms.push(Term { index: a, stride, change: Change::None });
                Some(())
            }
            // A signed number is an unsigned one that is 2^31 greater, minus 2^31.
            Op::SConvert if self.shader.ty(a) == Ty::I32 => {
                sum.constant = sum.constant.wrapping_sub(factor.wrapping_mul(SIGN));
                sum.terms.push(Term { index: a, stride, change: Change::Raised });
                Some(())
            }
            _ => None,
        }
    }

    /// Splits an offset of 64 bits.
    fn split(&mut self, i: &mut Inst, before: &mut Vec<Node>) {
        let (true, Imm::Strides(strides)) = (is_wide(self.shader, i), &i.imm) else { return };
        let mut sum = Sum::default();
        for (&a, &stride) in i.args.iter().zip(strides) {
            let added = match self.shader.ty(a) {
                Ty::I64 => self.add(a, u64::from(stride), DEPTH, &mut sum),
                _ => {
                    sum.terms.push(Term { index: a, stride, change: Change::None });
                    Some(())
                }
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
        for term in &mut sum.terms {
            match term.change {
                Change::None => {}
                Change::Raised => {
                    let sign = emit(Op::Const, smallvec![], Imm::Bits(SIGN), Ty::I32);
                    term.index = emit(Op::IAdd, smallvec![term.index, sign], Imm::None, Ty::I32);
                }
                Change::Negated => {
                    let zero = emit(Op::Const, smallvec![], Imm::Bits(0), Ty::I64);
                    term.index = emit(Op::ISub, smallvec![zero, term.index], Imm::None, Ty::I64);
                }
            }
        }
        // The constant as a signed number of 40 bits.
        let unused = 64 - ADDRESS_SHIFT;
        let constant = ((sum.constant << unused) as i64 >> unused) as u64;
        let mut terms: SmallVec<[(Value, u32); 4]> = sum.terms.iter().map(|t| (t.index, t.stride)).collect();
        if constant != 0 || terms.is_empty() {
            let ty = if constant >> 32 == 0 { Ty::I32 } else { Ty::I64 };
            terms.push((emit(Op::Const, smallvec![], Imm::Bits(constant), ty), 1));
        }
        let (args, strides) = terms.into_iter().unzip();
        (i.args, i.imm) = (args, Imm::Strides(strides));
    }
}

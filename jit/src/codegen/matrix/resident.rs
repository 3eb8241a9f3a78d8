//! Matrices in memory: factors whose elements are stored where they are computed, and sums that a product replaces in a
//! private variable.
//!
//! A product reads its factors from memory. Elements that it alone uses, or that several products use, are stored once,
//! at their definition. If a product reads its sums from a private variable and writes the results to the same elements,
//! it works on the variable in place. Other operands are stored at the product, by the parent module.

use rustc_hash::{FxHashMap, FxHashSet};

use super::factors::{self, Loads};
use super::walk::{At, Origin, Walk};
use crate::ir::op::Effect;
use crate::ir::{Imm, Inst, MatrixOp, Node, Op, Shader, Ty, Value, Var};

/// Maximum size in bytes of the stored factors of a function, which are on its stack.
const MOST_BYTES: u32 = 32 << 10;

/// Elements of a factor in memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Form {
    /// 32 bits each. Integers are packed for the factor A.
    A,
    /// 32 bits each. Integers are packed for the factor B.
    B,
    /// Bytes, combined with this one by exclusive or.
    Bytes(u8),
}

/// A stored factor.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stored {
    /// Byte offset in the memory of all factors.
    pub at: u32,
    pub form: Form,
    /// Numbers of rows and columns.
    pub sides: [u8; 2],
    /// Number of scalars, and how many of them are still to be stored.
    scalars: u32,
    left: u32,
    /// `true` if the code that stores all scalars was emitted.
    complete: bool,
}

/// A row of a stored factor.
#[derive(Clone, Copy)]
pub(super) struct Row<'s> {
    /// Number of the factor.
    pub factor: usize,
    /// Number of the row.
    pub row: u32,
    /// Conversion of the scalar.
    pub conversion: Option<&'s Inst>,
}

/// Scalars of a factor, and numbers of rows and columns.
pub(super) type Key = (Box<[Value]>, Form, [u8; 2]);

/// A product whose factors are bytes: the host function and the forms of the factors.
#[derive(Clone, Copy)]
pub(super) struct Bytes {
    pub routine: *const u8,
    pub forms: [Form; 2],
}

/// Sums in a private variable.
#[derive(Clone, Debug)]
pub(super) struct Sums<'s> {
    pub var: Var,
    /// Number of the first element, without the dynamic index.
    pub elem: u32,
    pub index: Option<Value>,
    /// `true` if the elements are half floats.
    pub rounded: bool,
    /// Instructions that read and convert the sums, and convert and write the results, which the product replaces.
    pub reads: Vec<&'s Inst>,
    pub writes: Vec<&'s Inst>,
}

/// Two loads of bytes, of which each scalar of the second lies behind a scalar of the first, in memory and in a factor.
#[derive(Clone, Copy)]
pub(super) struct Halves<'s> {
    pub second: &'s Inst,
    /// Number of the factor.
    pub factor: usize,
}

/// Result of [`plan`].
#[derive(Default)]
pub(in crate::codegen) struct Resident<'s> {
    /// Stored factors by their scalars, and their total size in bytes.
    factors: FxHashMap<Key, usize>,
    pub(super) list: Vec<Stored>,
    pub(super) bytes: u32,
    /// Rows in which a scalar is stored.
    pub(super) rows: FxHashMap<Value, Vec<Row<'s>>>,
    /// Products whose factors are stored as bytes, by their first result.
    pub(super) bytes_of: FxHashMap<Value, Bytes>,
    /// Sums in place, by the first result of the product.
    pub(super) sums: FxHashMap<Value, Sums<'s>>,
    /// Loads that can be one, by the first result of the first.
    pub(super) halves: FxHashMap<Value, Halves<'s>>,
    /// First results of the second ones of them, while code for the first one has loaded them.
    pub(super) loaded: FxHashSet<Value>,
    /// Loads of factors of half floats, by the first result of the first.
    pub(super) loads: FxHashMap<Value, Loads<'s>>,
    /// First results of the instructions that the code of a first load replaces, while it does.
    covered: FxHashSet<Value>,
    /// Scalars that only pass between a product and a variable, so that their access and conversion is left to the product.
    passing: FxHashSet<Value>,
}

impl<'s> Resident<'s> {
    /// Byte offset of the factor, if all of its scalars are stored.
    pub(super) fn stored(&self, key: &Key) -> Option<u32> {
        let factor = &self.list[*self.factors.get(key)?];
        factor.complete.then_some(factor.at)
    }

    /// Notes that the code that stores one more scalar of a factor was emitted; returns `true` if it was the last.
    pub(super) fn note_stored(&mut self, number: usize) -> bool {
        let factor = &mut self.list[number];
        factor.left -= 1;
        let last = factor.left == 0;
        if last {
            (factor.left, factor.complete) = (factor.scalars, true);
        }
        last
    }

    /// `true` if a product accesses a variable itself, or a load fills a factor, and so replaces this access, load, transposition
    /// or conversion.
    pub(in crate::codegen) fn replaces(&self, i: &Inst) -> bool {
        let first = i.results.first();
        if first.is_some_and(|v| self.covered.contains(v)) {
            return true;
        }
        let scalar = first.or(i.args.last());
        i.op != Op::Matrix && !self.passing.is_empty() && scalar.is_some_and(|v| self.passing.contains(v))
    }

    /// The code of the first load replaces the other instructions.
    pub(super) fn take_over(&mut self, loads: &Loads) {
        self.covered.extend(loads.others());
    }

    /// The instructions of a factor are emitted one by one.
    pub(super) fn leave(&mut self, loads: &Loads) {
        loads.others().for_each(|v| {
            self.covered.remove(&v);
        });
    }
}

/// Finds the matrices that stay in memory. `stays` tells that a value has its definition where its instruction is, and no
/// barrier before its last use. `multiply_bytes` returns the host function for numbers of rows, columns and inner elements,
/// and signs of the factors.
pub(super) fn plan<'s>(
    shader: &'s Shader,
    lanes: u32,
    multiply_bytes: impl Fn([u8; 3], [bool; 2]) -> Option<*const u8>,
    stays: impl Fn(Value) -> bool,
) -> Resident<'s> {
    let mut plan = Resident::default();
    if shader.subgroup_size.is_none() {
        return plan;
    }
    let mut walk = Walk::of(shader);
    for (at, i) in std::mem::take(&mut walk.products) {
        let Imm::Matrix(op) = i.imm else { continue };
        let MatrixOp::MulAdd { rows, columns, inner, .. } = op else { continue };
        let mut rest = &i.args[..];
        let mut operands = op.elements().map(|n| {
            let (own, others) = rest.split_at(n.div_ceil(lanes as usize).min(rest.len()));
            rest = others;
            own
        });
        let (Some(a), Some(b), Some(c)) = (operands.next(), operands.next(), operands.next()) else {
            continue;
        };
        let factors = [(a, [rows, inner]), (b, [inner, columns])];
        let origins = factors.map(|(factor, _)| {
            let origins: Vec<_> = factor.iter().map(|&v| walk.origin(v)).collect();
            (walk.is_together(&origins) && origins.iter().all(|&(v, _)| stays(v))).then_some(origins)
        });
        let bytes = match &origins {
            [Some(a), Some(b)] if op.wraps() => walk.signs([a, b]).and_then(|signs| {
                let routine = multiply_bytes([rows, columns, inner], signs)?;
                Some(Bytes { routine, forms: forms(signs) })
            }),
            _ => None,
        };
        let forms = bytes.map_or([Form::A, Form::B], |bytes| bytes.forms);
        let stored = [0, 1].map(|k| {
            let (factor, sides) = factors[k];
            let origins = origins[k].as_ref()?;
            let number = plan.store((factor.into(), forms[k], sides), origins, lanes)?;
            if let Some(loads) = factors::find(&walk, number, sides, origins, lanes) {
                plan.loads.insert(loads.first(), loads);
            }
            Some(number)
        });
        if let Some(bytes) = bytes.filter(|_| stored.iter().all(Option::is_some)) {
            plan.bytes_of.insert(i.results[0], bytes);
        }
        if let Some(sums) = walk.sums(at, i, c).filter(|_| c.iter().all(|&v| stays(v))) {
            plan.passing.extend(sums.reads.iter().flat_map(|read| &read.results));
            plan.passing.extend(sums.writes.iter().filter_map(|write| write.args.last()));
            plan.passing.extend(sums.writes.iter().flat_map(|write| &write.results));
            plan.sums.insert(i.results[0], sums);
        }
    }
    plan.halves = walk.halves(&plan.rows, &plan.list, lanes);
    plan
}

/// Forms of the factors of a product of bytes. The instructions multiply an unsigned factor by a signed one, so that one of
/// two factors of the same kind is moved by 128, which flips the highest bit.
fn forms([a, b]: [bool; 2]) -> [Form; 2] {
    [Form::Bytes(if a == b { 0x80 } else { 0 }), Form::Bytes(0)]
}

impl<'s> Resident<'s> {
    /// Reserves memory for a factor, unless it has some, and returns its number. `None` if there is too little.
    fn store(&mut self, key: Key, origins: &[Origin<'s>], lanes: u32) -> Option<usize> {
        if let Some(&number) = self.factors.get(&key) {
            return Some(number);
        }
        let (scalars, form, sides) = (key.0.len() as u32, key.1, key.2);
        let bytes = (form.row_bytes(lanes) * scalars).next_multiple_of(64);
        if self.bytes + bytes > MOST_BYTES {
            return None;
        }
        let number = self.list.len();
        self.list.push(Stored { at: self.bytes, form, sides, scalars, left: scalars, complete: false });
        self.bytes += bytes;
        for (row, &(v, conversion)) in (0..).zip(origins) {
            self.rows.entry(v).or_default().push(Row { factor: number, row, conversion });
        }
        self.factors.insert(key, number);
        Some(number)
    }
}

impl Form {
    /// Bytes of one scalar of all lanes.
    pub(super) fn row_bytes(self, lanes: u32) -> u32 {
        match self {
            Form::A | Form::B => 4 * lanes,
            Form::Bytes(_) => lanes,
        }
    }
}

impl<'s> Walk<'s> {
    /// Pairs of loads of bytes of which both halves go to the same places of a factor. `rows` has the places of scalars.
    fn halves(
        &self,
        rows: &FxHashMap<Value, Vec<Row>>,
        factors: &[Stored],
        lanes: u32,
    ) -> FxHashMap<Value, Halves<'s>> {
        // The only place of a scalar: number of the factor, number of the scalar there.
        let place = |v: &Value| match rows.get(v)?[..] {
            [Row { factor, row, .. }] if matches!(factors[factor].form, Form::Bytes(_)) => {
                Some((factor, row))
            }
            _ => None,
        };
        let loads: FxHashMap<_, _> = rows
            .keys()
            .filter_map(|v| {
                let at = *self.defs.get(v)?;
                let Node::Inst(i) = self.regions[at.0].get(at.1)? else { return None };
                let Imm::Mem(mem) = i.imm else { return None };
                let is_load = matches!(i.op, Op::LoadBuffer | Op::LoadShared) && !mem.ordered;
                (is_load && i.results.first() == Some(v)).then_some((place(v)?, (at, i, mem)))
            })
            .collect();
        let mut found = FxHashMap::default();
        for (&(factor, row), &(at, first, mem)) in loads.iter().filter(|((_, row), _)| row % 2 == 0) {
            let Some(&(other_at, second, other)) = loads.get(&(factor, row + 1)) else { continue };
            let follows = at.0 == other_at.0
                && at.1 < other_at.1
                && self.regions[at.0][at.1..other_at.1]
                    .iter()
                    .all(|node| matches!(node, Node::Inst(i) if i.op.effect() != Effect::Write));
            let is_behind = (first.op, &first.args, first.results.len())
                == (second.op, &second.args, second.results.len())
                && (u64::from(mem.offset) + u64::from(lanes), mem.stride)
                    == (u64::from(other.offset), other.stride);
            let places = |i: &Inst| i.results.iter().map(place).collect::<Option<Vec<_>>>();
            let (Some(own), Some(others)) = (places(first), places(second)) else { continue };
            let side_by_side = own.iter().zip(&others).all(|(&(f, r), &o)| f == factor && o == (f, r + 1));
            if follows && is_behind && side_by_side {
                found.insert(first.results[0], Halves { second, factor });
            }
        }
        found
    }

    /// `true` for each factor whose elements are signed, if the elements of both are converted from bytes.
    fn signs(&self, factors: [&[Origin]; 2]) -> Option<[bool; 2]> {
        let sign = |&(v, conversion): &Origin| match conversion?.op {
            Op::SConvert if self.shader.ty(v) == Ty::I8 => Some(true),
            Op::UConvert if self.shader.ty(v) == Ty::I8 => Some(false),
            _ => None,
        };
        let same = |origins: &[Origin]| {
            let first = origins.first().and_then(sign)?;
            origins.iter().all(|o| sign(o) == Some(first)).then_some(first)
        };
        Some([same(factors[0])?, same(factors[1])?])
    }

    /// Instructions that read the sum `c` of the product at `at`: an access to a variable, and a conversion if it holds half
    /// floats.
    fn read(&self, c: Value, at: At) -> Option<(At, Option<At>)> {
        let place = (self.once(c, at.0)? == at).then_some(*self.defs.get(&c)?)?;
        let i = self.inst_at(place)?;
        if i.op != Op::FConvert || self.shader.ty(i.args[0]) != Ty::F16 {
            return Some((place, None));
        }
        let from = (self.once(i.args[0], at.0)? == place).then_some(*self.defs.get(&i.args[0])?)?;
        Some((from, Some(place)))
    }

    /// Instructions that write a result of a product in a region, as [`Self::read`] has them.
    fn written(&self, result: Value, region: usize) -> Option<(At, Option<At>)> {
        let place = self.once(result, region)?;
        let i = self.inst_at(place)?;
        if i.op != Op::FConvert || self.shader.ty(i.results[0]) != Ty::F16 {
            return Some((place, None));
        }
        Some((self.once(i.results[0], region)?, Some(place)))
    }

    /// The sums `c` of the product `i`, if they are elements of a variable that the results replace.
    fn sums(&self, at: At, i: &'s Inst, c: &[Value]) -> Option<Sums<'s>> {
        let (first, conversion) = self.read(*c.first()?, at)?;
        let access = self.inst_at(first)?;
        let Imm::Var { var, elem } = access.imm else { return None };
        let index = (access.op == Op::VarGetDyn).then(|| access.args[0]);
        let rounded = conversion.is_some();
        let mut sums = Sums { var, elem, index, rounded, reads: Vec::new(), writes: Vec::new() };
        let (mut first, mut last) = (at.1, at.1);
        for (k, (&c, &result)) in (0..).zip(c.iter().zip(&i.results)) {
            let (read, written) = (self.read(c, at)?, self.written(result, at.0)?);
            for (access, conversion) in [read, written] {
                if access.0 != at.0 || conversion.is_some() != rounded {
                    return None;
                }
                (first, last) = (first.min(access.1), last.max(access.1));
            }
            for ((place, _), ops) in
                [(read, [Op::VarGet, Op::VarGetDyn]), (written, [Op::VarSet, Op::VarSetDyn])]
            {
                let i = self.inst_at(place)?;
                let same = index.is_none_or(|index| i.args[0] == index)
                    && i.op == ops[usize::from(index.is_some())]
                    && matches!(i.imm, Imm::Var { var: v, elem: e } if (v, e) == (var, elem + k));
                if !same {
                    return None;
                }
            }
            sums.reads.extend([Some(read.0), read.1].into_iter().flatten().filter_map(|at| self.inst_at(at)));
            let writes = [written.1, Some(written.0)].into_iter().flatten();
            sums.writes.extend(writes.filter_map(|at| self.inst_at(at)));
        }
        let elems = &self.shader.vars[var.0 as usize].elems;
        let ty = if rounded { Ty::F16 } else { self.shader.ty(c[0]) };
        let fits = elems.get(elem as usize..)?.get(..c.len())?.iter().all(|&e| e == ty);
        let words =
            matches!(ty, Ty::F16 | Ty::F32 | Ty::I32) && !elems.iter().any(|&e| crate::lane::is_wide(e));
        let others = self.regions[at.0][first..=last].iter().filter(|node| match node {
            Node::Inst(i) if i.op == Op::ControlBarrier => true,
            Node::Inst(i) => matches!(i.imm, Imm::Var { var: other, .. } if other == var),
            Node::If(_) | Node::Block(_) | Node::Loop(_) => true,
        });
        (words && fits && others.count() == 2 * c.len()).then_some(sums)
    }
}

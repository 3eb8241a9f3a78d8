//! Factors of half floats that go from memory to where a product reads them, without values in between: a host function
//! converts, and transposes a matrix that is column-major.
//!
//! [`find`] needs loads of the same address that differ in their static offsets only, with nothing written between them,
//! whose results go nowhere else. Code that cannot tell that the whole matrix is in range loads each scalar as usual.

use super::walk::{Origin, Walk};
use crate::Result;
use crate::codegen::Gen;
use crate::codegen::memory::Shape;
use crate::ir::op::Effect;
use crate::ir::{Imm, Inst, MatrixOp, Mem, Node, Op, Ty, Value};
use crate::runtime::matrix;

/// Loads of a factor of half floats.
#[derive(Clone)]
pub(in crate::codegen) struct Loads<'s> {
    /// Number of the factor.
    pub factor: usize,
    /// The loads, and what becomes of their results: a transposition, and conversions in the order of the factor's scalars.
    loads: Vec<&'s Inst>,
    transposition: Option<&'s Inst>,
    conversions: Vec<&'s Inst>,
    /// Numbers of rows and columns in memory, offset of the first element, and distance of the rows in bytes.
    sides: [u8; 2],
    offset: u64,
    stride: u64,
    /// Numbers of the scalars of the matrix in memory that the results of all loads are.
    places: Vec<u32>,
}

impl<'s> Loads<'s> {
    /// Result that stands for the loads: the first one of the first load.
    pub fn first(&self) -> Value {
        self.loads[0].results[0]
    }

    /// First results of the instructions behind the first load that its code replaces.
    pub fn others(&self) -> impl Iterator<Item = Value> + '_ {
        let rest = self.loads[1..].iter().chain(&self.transposition).chain(&self.conversions);
        rest.map(|i| i.results[0])
    }
}

/// Finds the loads of a factor. `sides`: its numbers of rows and columns; `origins`: where its scalars come from.
pub(super) fn find<'s>(
    walk: &Walk<'s>,
    factor: usize,
    sides: [u8; 2],
    origins: &[Origin<'s>],
    lanes: u32,
) -> Option<Loads<'s>> {
    let conversions: Vec<_> = origins.iter().map(|o| o.1).collect::<Option<_>>()?;
    let alone = |v: Value| walk.shader.ty(v) == Ty::F16 && walk.uses.get(&v).is_some_and(|of| of.0 == 1);
    if !origins.iter().all(|o| alone(o.0)) || conversions.iter().any(|i| i.op != Op::FConvert) {
        return None;
    }
    let from: Vec<Value> = origins.iter().map(|o| o.0).collect();
    let last = walk.inst_at(*walk.defs.get(&from[0])?)?;
    let (scalars, sides, transposition) = match last.imm {
        Imm::Matrix(MatrixOp::Transpose { rows, columns }) if last.results[..] == from[..] => {
            (last.args.to_vec(), [rows, columns], Some(last))
        }
        _ => (from, sides, None),
    };
    let columns = u32::from(sides[1]);
    if columns < lanes || !scalars.iter().all(|&v| alone(v)) {
        return None;
    }
    let mut found = Loads {
        factor,
        loads: Vec::new(),
        transposition,
        conversions,
        sides,
        offset: 0,
        stride: 0,
        places: Vec::new(),
    };
    let offsets = scalars.iter().map(|&v| walk.loaded(v).map(|l| l.1)).collect::<Option<Vec<u64>>>()?;
    let per_row = (columns / lanes) as usize;
    found.offset = offsets[0];
    found.stride = offsets.get(per_row)?.checked_sub(found.offset)?;
    let regular = offsets.iter().enumerate().all(|(k, &offset)| {
        offset
            == found.offset
                + (k / per_row) as u64 * found.stride
                + 2 * (k % per_row) as u64 * u64::from(lanes)
    });
    found.loads = walk.of_one_line(&scalars, transposition)?;
    let all: Vec<Value> = found.loads.iter().flat_map(|i| i.results.iter().copied()).collect();
    let place = |v: &Value| scalars.iter().position(|s| s == v).map(|k| k as u32);
    found.places = all.iter().map(place).collect::<Option<_>>()?;
    regular.then_some(found)
}

impl<'s> Walk<'s> {
    /// The load of which a value is a result, and its static offset.
    fn loaded(&self, v: Value) -> Option<(&'s Inst, u64)> {
        let i = self.inst_at(*self.defs.get(&v)?)?;
        let Imm::Mem(Mem { offset, stride, ordered: false }) = i.imm else { return None };
        let k = i.results.iter().position(|&r| r == v)? as u64;
        let loads = matches!(i.op, Op::LoadBuffer | Op::LoadShared);
        loads.then_some((i, u64::from(offset) + k * u64::from(stride)))
    }

    /// The loads of scalars in the order of the program, if they are at the same address, and nothing from the first of them to
    /// the last, or to the transposition, writes memory.
    fn of_one_line(&self, scalars: &[Value], transposition: Option<&'s Inst>) -> Option<Vec<&'s Inst>> {
        let place = |v: &Value| self.defs.get(v).copied();
        let mut places = scalars.iter().map(place).collect::<Option<Vec<_>>>()?;
        places.sort_unstable();
        places.dedup();
        let (first, last) = (*places.first()?, *places.last()?);
        let end = match transposition {
            Some(i) => place(&i.results[0])?,
            None => last,
        };
        if first.0 != last.0 || first.0 != end.0 {
            return None;
        }
        let writes = |node: &Node| match node {
            Node::Inst(i) => i.op.effect() == Effect::Write,
            Node::If(_) | Node::Block(_) | Node::Loop(_) => true,
        };
        if self.regions[first.0].get(first.1..end.1)?.iter().any(writes) {
            return None;
        }
        let loads: Vec<_> = places.into_iter().map(|at| self.inst_at(at)).collect::<Option<_>>()?;
        let same = |i: &&&Inst| (i.op, &i.args) == (loads[0].op, &loads[0].args);
        (loads.iter().filter(same).count() == loads.len()).then_some(loads)
    }
}

impl Gen<'_, '_, '_> {
    /// Emits the first load of a factor, and with it all that becomes of the others. Returns `false` where each has to be
    /// loaded alone; then nothing is emitted.
    pub(in crate::codegen) fn load_factor(&mut self, i: &Inst) -> Result<bool> {
        let Some(found) = i.results.first().and_then(|r| self.matrices.loads.get(r)).cloned() else {
            return Ok(false);
        };
        let Some((b, offset, start)) = self.lines_at(i, 2)? else {
            self.matrices.leave(&found);
            return Ok(false);
        };
        if i.op == Op::LoadBuffer {
            let shape = Shape { ty: Ty::F16, n: i.results.len() as u32, mem: Self::mem_of(i)? };
            self.prefetch(b, i.args[1], shape)?;
        }
        let lanes = self.b.lanes();
        let at = self.matrices.list[found.factor].at;
        let [rows, columns] = found.sides.map(u64::from);
        let last_row = found.offset + (rows - 1) * found.stride;
        let in_range = self.affine_in_range(b, start, 2, last_row + 2 * (columns - u64::from(lanes) + 1));
        let mut made = Ok(());
        self.fast_if(
            &[in_range],
            |g| {
                let routine = matrix::load_halves(g.b.cpu(), found.transposition.is_some());
                let shape = matrix::packed([found.sides[0], found.sides[1], 0]);
                let from = g.b.iadd(b.base, start);
                let (from, to) = (g.b.offset(from, found.offset as i64), g.factor_at(at));
                let (f, shape) = (g.b.ptr(routine), g.b.i64(shape as i64));
                let stride = g.b.i64(found.stride as i64);
                g.b.call_values(f, &[from, to, shape, stride], None);
            },
            |g| made = g.load_factor_apart(&found, b, offset),
        );
        made?;
        for (row, conversion) in (0..).zip(&found.conversions) {
            self.matrices.note_stored(found.factor);
            let at = self.factor_at(at + 4 * lanes * row);
            let value = self.b.load_row(Ty::F32, at, 0);
            self.def_stored(conversion.results[0], value);
        }
        self.matrices.take_over(&found);
        Ok(true)
    }

    /// Loads a factor that is not in range as a whole.
    fn load_factor_apart(
        &mut self,
        found: &Loads,
        b: crate::codegen::Buffer,
        offset: crate::lane::Lane,
    ) -> Result<()> {
        let row = 4 * self.b.lanes();
        let factor = self.matrices.list[found.factor].at;
        let mark = self.b.mark_temporaries();
        let to = match found.transposition {
            Some(_) => self.b.temporary(row * found.places.len() as u32),
            None => self.factor_at(factor),
        };
        let mut places = found.places.iter();
        for i in &found.loads {
            let shape = Shape { ty: Ty::F16, n: i.results.len() as u32, mem: Self::mem_of(i)? };
            let values = self.load_by_helper(b, offset, shape);
            for (value, &place) in values.into_iter().zip(&mut places) {
                self.b.store_row(value, to, (row * place) as i32);
            }
        }
        if found.transposition.is_some() {
            let f = self.b.ptr(matrix::transpose(self.b.cpu()));
            let shape = matrix::packed([found.sides[0], found.sides[1], 0]);
            let (at, shape) = (self.factor_at(factor), self.b.i64(shape as i64));
            self.b.call_values(f, &[to, at, shape], None);
        }
        self.b.release_temporaries(mark);
        Ok(())
    }
}

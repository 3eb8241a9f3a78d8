//! Functions of the elements of cooperative matrices: conversions of their use, transposition, reductions, and calls for
//! each element. Leaves loads, stores and products to [`super::cooperative`], and tensors to [`super::tensor`].
//!
//! Reductions combine pairs of neighbours, then pairs of these results, and so on: a balanced tree over the columns, then
//! over the rows, whatever the subgroup size. Results left over at odd lengths follow at the end, the last one first.
//! Spec: SPV_NV_cooperative_matrix2, revision 2.

use spirv::{CooperativeMatrixReduce, CooperativeMatrixUse, Op as SpvOp};

use super::control::yields;
use super::{Lower, Scalars, Val, convert};
use crate::error::{Error, Result};
use crate::ir::{BuiltIn, Imm, MatrixOp, Op, Region, Steps, Ty, Value};
use crate::spirv::cooperative::Shape;
use crate::spirv::module::Inst;

/// Maximum number of scalars for which code is repeated. More scalars need a loop.
const UNROLLED: usize = 4;

impl Lower<'_> {
    /// Calls `body` for each scalar of an invocation, with its number (I32) and the corresponding scalars of `lists`, and
    /// returns the results, of type `ty`. Above [`UNROLLED`] scalars, `body` is the body of a loop.
    pub(super) fn each_scalar(
        &mut self,
        n: usize,
        lists: &[&Scalars],
        ty: Ty,
        mut body: impl FnMut(&mut Self, Value, &[Value]) -> Result<Value>,
    ) -> Result<Scalars> {
        if n <= UNROLLED {
            let mut out = Scalars::with_capacity(n);
            for i in 0..n {
                let (index, own): (_, Scalars) = (self.i32(i as u32), lists.iter().map(|l| l[i]).collect());
                out.push(body(self, index, &own)?);
            }
            return Ok(out);
        }
        let mut vars = Vec::with_capacity(lists.len());
        for list in lists {
            self.work(n)?;
            let elem = self.first_ty(list)?;
            let var = self.new_var(vec![elem; n], "");
            for (elem, &v) in list.iter().enumerate() {
                self.emit(Op::VarSet, &[v], Imm::Var { var, elem: elem as u32 }, &[]);
            }
            vars.push((var, elem));
        }
        let out = self.new_var(vec![ty; n], "");
        self.loop_depth += 1;
        self.counted(n as u32, |lower, index| {
            let element = |lower: &mut Self, (var, ty)| {
                lower.emit(Op::VarGetDyn, &[index], Imm::Var { var, elem: 0 }, &[ty])[0]
            };
            let own: Scalars = vars.iter().map(|&v| element(lower, v)).collect();
            let v = body(lower, index, &own)?;
            lower.emit(Op::VarSetDyn, &[index, v], Imm::Var { var: out, elem: 0 }, &[]);
            Ok(())
        })?;
        self.loop_depth -= 1;
        self.work(n)?;
        Ok((0..n as u32).map(|elem| self.get_var(out, elem, ty)).collect())
    }

    /// Emits code that only runs under a condition.
    pub(super) fn emit_if(&mut self, cond: Value, body: impl FnOnce(&mut Self) -> Result<()>) -> Result<()> {
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        let done = body(self);
        let nodes = std::mem::replace(&mut self.cur, saved);
        done?;
        self.push_if(cond, Region { nodes, end: yields() }, Region::default());
        Ok(())
    }

    /// Emits code that stores a matrix: once per scope instance.
    pub(super) fn by_owner(
        &mut self,
        shape: Shape,
        store: impl FnOnce(&mut Self) -> Result<()>,
    ) -> Result<()> {
        if !shape.of_workgroup {
            return store(self);
        }
        let number = self.emit(Op::BuiltIn, &[], Imm::BuiltIn(BuiltIn::SubgroupId, 0), &[Ty::I32])[0];
        let zero = self.i32(0);
        let first = self.op(Op::IEq, Ty::Bool, &[number, zero]);
        self.emit_if(first, store)
    }

    /// Row and column (I32) of the element that a scalar of the invocation is.
    pub(super) fn position(&mut self, shape: Shape, scalar: Value) -> [Value; 2] {
        let lane =
            self.emit(Op::BuiltIn, &[], Imm::BuiltIn(BuiltIn::SubgroupLocalInvocationId, 0), &[Ty::I32])[0];
        let lanes = self.i32(self.types.lanes.max(1));
        let first = self.op(Op::IMul, Ty::I32, &[scalar, lanes]);
        let at = self.op(Op::IAdd, Ty::I32, &[first, lane]);
        // The sides of tiles are powers of two.
        let [height, width] = shape.tiles.tile.map(|side| side as u32);
        let split = |lower: &mut Self, v: Value, side: u32| {
            let (shift, mask) = (lower.i32(side.trailing_zeros()), lower.i32(side - 1));
            [lower.op(Op::ShrU, Ty::I32, &[v, shift]), lower.op(Op::And, Ty::I32, &[v, mask])]
        };
        let [rows, column] = split(self, at, width);
        if shape.tiles.grid() == [1, 1] {
            return [rows, column];
        }
        let [tile, row] = split(self, rows, height);
        let across = self.i32(shape.tiles.grid()[1] as u32);
        let tile_row = self.op(Op::UDiv, Ty::I32, &[tile, across]);
        let tile_column = self.op(Op::UMod, Ty::I32, &[tile, across]);
        let join = |lower: &mut Self, tile: Value, side: u32, within: Value| {
            let side = lower.i32(side);
            let first = lower.op(Op::IMul, Ty::I32, &[tile, side]);
            lower.op(Op::IAdd, Ty::I32, &[first, within])
        };
        [join(self, tile_row, height, row), join(self, tile_column, width, column)]
    }

    /// Calls a function whose parameters and result have these types, and returns its value.
    pub(super) fn apply(&mut self, function: u32, ret: u32, args: Vec<(u32, Val)>) -> Result<Value> {
        let called = self.module.function(function)?;
        if called.ret != ret || !called.params.iter().map(|p| p.1).eq(args.iter().map(|a| a.0)) {
            return Err(Error::invalid(format!("types of function %{function} do not fit the instruction")));
        }
        let (end, values) = self.inline_with(function, args.into_iter().map(|a| a.1).collect())?;
        if end != yields() {
            self.dead_call(end);
        }
        match values.as_deref() {
            Some(&[v]) => Ok(v),
            _ => Err(Error::invalid(format!("function %{function} does not return a scalar"))),
        }
    }

    /// The elements of a matrix at regular distances; the result has the size `to`.
    fn pick(&mut self, x: &Grid, to: [u16; 2], row: Steps, column: Steps) -> Result<Grid> {
        let op = MatrixOp::Pick { from: x.size, to, row, column };
        let n = op.results(self.types.lanes.max(1) as usize);
        self.work(n)?;
        let tys = vec![self.first_ty(&x.scalars)?; n];
        let scalars = self.emit(Op::Matrix, &x.scalars, Imm::Matrix(op), &tys);
        Ok(Grid { scalars, size: to })
    }

    /// Combines the elements of two matrices of the same size.
    fn combine(&mut self, with: &Combine, x: &Grid, y: &Grid) -> Result<Grid> {
        let ty = self.first_ty(&x.scalars)?;
        let lists = [&x.scalars, &y.scalars];
        let scalars = self.each_scalar(x.scalars.len(), &lists, ty, |lower, _, own| {
            let arg = |v: Value| (with.elem, Val::Scalars(Lower::one(v)));
            lower.apply(with.function, with.elem, vec![arg(own[0]), arg(own[1])])
        })?;
        Ok(Grid { scalars, size: x.size })
    }

    /// Reduces the rows (`axis` 0) or columns (1) of a matrix to one.
    fn reduce_axis(&mut self, with: &Combine, mut x: Grid, axis: usize) -> Result<Grid> {
        let steps = |own: Steps| if axis == 0 { [own, Steps::ALL] } else { [Steps::ALL, own] };
        let mut rest = Vec::new();
        while x.size[axis] > 1 {
            let n = x.size[axis];
            let mut to = x.size;
            if n % 2 == 1 {
                to[axis] = 1;
                let [row, column] = steps(Steps::only(n - 1));
                rest.push(self.pick(&x, to, row, column)?);
            }
            to[axis] = n / 2;
            let [even, odd] = [steps(Steps::EVEN), steps(Steps::ODD)];
            let pair = [self.pick(&x, to, even[0], even[1])?, self.pick(&x, to, odd[0], odd[1])?];
            x = self.combine(with, &pair[0], &pair[1])?;
        }
        while let Some(last) = rest.pop() {
            x = self.combine(with, &x, &last)?;
        }
        Ok(x)
    }
}

/// A matrix of any size.
struct Grid {
    scalars: Scalars,
    /// Rows and columns.
    size: [u16; 2],
}

/// A function that combines elements.
struct Combine {
    function: u32,
    /// Type id of its parameters and result.
    elem: u32,
}

/// `true` if a matrix of `from` can become one of `to` that has a use as A or B.
fn changes_use(from: Shape, to: Shape) -> bool {
    from.usage == CooperativeMatrixUse::MatrixAccumulatorKHR as u32 && to.usage != from.usage
}

/// OpCooperativeMatrixConvertNV. The order of elements does not depend on the use.
pub fn convert<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let result = lower.types.cooperative(inst.ty)?;
    let (scalars, from) = lower.cooperative(lower.id_at(operands, 0)?)?;
    if !changes_use(from, result) || from != (Shape { usage: from.usage, ..result }) {
        return Err(Error::invalid(
            "must convert an accumulator to a matrix A or B of the same size and type",
        ));
    }
    Ok(scalars)
}

/// The conversion of the elements of a matrix to those of the result of `inst`, as its own instruction does it.
fn converted<'m>(
    lower: &mut Lower<'m>,
    inst: &Inst,
    operands: &'m [u32],
    [from, to]: [Shape; 2],
) -> Result<Scalars> {
    let signed = |lower: &Lower<'_>, shape: Shape| lower.types.is_signed(shape.elem_id);
    let as_op = |op| Inst { op, ..*inst };
    match [from, to].map(Shape::has_floats) {
        [true, true] => convert::float_to_float(lower, &as_op(SpvOp::FConvert), operands),
        [true, false] => {
            let op = if signed(lower, to) { SpvOp::ConvertFToS } else { SpvOp::ConvertFToU };
            convert::float_to_int(lower, &as_op(op), operands)
        }
        [false, true] => {
            let op = if signed(lower, from) { SpvOp::ConvertSToF } else { SpvOp::ConvertUToF };
            convert::int_to_float(lower, &as_op(op), operands)
        }
        [false, false] => {
            let op = if signed(lower, from) { SpvOp::SConvert } else { SpvOp::UConvert };
            convert::int_to_int(lower, &as_op(op), operands)
        }
    }
}

/// OpCooperativeMatrixTransposeNV. The component type may change, too.
pub fn transpose<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let result = lower.types.cooperative(inst.ty)?;
    let (mut scalars, from) = lower.cooperative(lower.id_at(operands, 0)?)?;
    let fits = result.usage == CooperativeMatrixUse::MatrixBKHR as u32
        && changes_use(from, result)
        && from.of_workgroup == result.of_workgroup
        && (from.rows, from.columns) == (result.columns, result.rows);
    if !fits {
        return Err(Error::invalid(
            "must transpose an accumulator to a matrix B of the same scope, with sizes exchanged",
        ));
    }
    if from.elem_id != result.elem_id {
        scalars = converted(lower, inst, operands, [from, result])?;
    }
    let ([height, width], [down, across]) = (from.tiles.tile, from.tiles.grid());
    let n = height * width / lower.types.lanes.max(1) as usize;
    let mut out = Scalars::with_capacity(scalars.len());
    for column in 0..across {
        for row in 0..down {
            let tile = &scalars[(row * across + column) * n..][..n];
            out.extend(lower.transposed(tile, height as u32, width as u32)?);
        }
    }
    Ok(out)
}

/// OpCooperativeMatrixReduceNV.
pub fn reduce<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    use CooperativeMatrixReduce as Mode;
    let result = lower.types.cooperative(inst.ty)?;
    let (scalars, from) = lower.cooperative(lower.id_at(operands, 0)?)?;
    let (mode, function) = (lower.id_at(operands, 1)?, lower.id_at(operands, 2)?);
    let accumulator = CooperativeMatrixUse::MatrixAccumulatorKHR as u32;
    let same = from.elem_id == result.elem_id && from.of_workgroup == result.of_workgroup;
    if !same || [from.usage, result.usage] != [accumulator; 2] {
        return Err(Error::invalid("must reduce an accumulator to an accumulator of the same type"));
    }
    let size = |shape: Shape| [shape.rows as u16, shape.columns as u16];
    let (source, target) = (size(from), size(result));
    let with = Combine { function, elem: from.elem_id };
    let mut x = Grid { scalars, size: source };
    let (by_row, by_column) = match Mode::from_bits(mode) {
        Some(Mode::ROW) if target[0] == source[0] => (true, false),
        Some(Mode::COLUMN) if target[1] == source[1] => (false, true),
        Some(both) if both == Mode::ROW | Mode::COLUMN => (true, true),
        Some(Mode::_2X2) if target == source.map(|n| n / 2) => {
            let mut picked = |row, column| lower.pick(&x, target, row, column);
            let (a, b) = (picked(Steps::EVEN, Steps::EVEN)?, picked(Steps::EVEN, Steps::ODD)?);
            let (c, d) = (picked(Steps::ODD, Steps::EVEN)?, picked(Steps::ODD, Steps::ODD)?);
            let (upper, lower_half) = (lower.combine(&with, &a, &b)?, lower.combine(&with, &c, &d)?);
            return Ok(lower.combine(&with, &upper, &lower_half)?.scalars);
        }
        Some(Mode::ROW | Mode::COLUMN | Mode::_2X2) => {
            return Err(Error::invalid("size of the result does not fit the reduction"));
        }
        _ => return Err(Error::invalid(format!("unknown reduction {mode:#x} of a matrix"))),
    };
    if by_row {
        x = lower.reduce_axis(&with, x, 1)?;
    }
    if by_column {
        x = lower.reduce_axis(&with, x, 0)?;
    }
    let steps = |reduced: bool| if reduced { Steps::only(0) } else { Steps::ALL };
    Ok(lower.pick(&x, target, steps(by_column), steps(by_row))?.scalars)
}

/// OpCooperativeMatrixPerElementOpNV.
pub fn per_element<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (matrix, function) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let m = lower.module;
    if m.type_of(matrix)? != inst.ty {
        return Err(Error::invalid("result type is not that of the matrix"));
    }
    let (scalars, shape) = lower.cooperative(matrix)?;
    let params = &m.function(function)?.params;
    // Row, column and element come first.
    let mut lists = vec![scalars];
    let mut others = Vec::new();
    for &id in &operands[2..] {
        let ty = m.type_of(id)?;
        let whole = params.get(3 + others.len()).is_some_and(|p| p.1 == ty);
        if !whole && let Ok(own) = lower.types.cooperative(ty) {
            if (own.rows, own.columns) != (shape.rows, shape.columns) {
                return Err(Error::invalid(format!("matrix %{id} has another size")));
            }
            others.push((own.elem_id, None));
            lists.push(lower.scalars(id)?);
        } else {
            others.push((ty, Some(lower.val(id)?)));
        }
    }
    let index_ty = |at: usize| match params.get(at) {
        Some(&(_, ty)) if lower.types.scalar(ty).is_ok_and(|ty| ty == Ty::I32) => Ok(ty),
        _ => Err(Error::invalid(format!("function %{function} does not take row and column first"))),
    };
    let index_tys = [index_ty(0)?, index_ty(1)?];
    let lists: Vec<&Scalars> = lists.iter().collect();
    lower.each_scalar(shape.scalars as usize, &lists, shape.elem, |lower, index, own| {
        let one = |v: Value| Val::Scalars(Lower::one(v));
        let at = lower.position(shape, index);
        let mut args: Vec<(u32, Val)> = index_tys.into_iter().zip(at.map(one)).collect();
        args.push((shape.elem_id, one(own[0])));
        let mut rest = own[1..].iter();
        for (ty, val) in &others {
            let val = val.clone().or_else(|| rest.next().map(|&v| one(v)));
            args.extend(val.map(|val| (*ty, val)));
        }
        lower.apply(function, shape.elem_id, args)
    })
}

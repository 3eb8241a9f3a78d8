//! Functions of the elements of cooperative matrices: conversions of their type and use, transposition, reductions, calls
//! for each element, and coordinates. Leaves loads, stores and products to [`super::cooperative`], and tensors to [`super::tensor`].
//!
//! Reductions combine pairs of neighbours, then pairs of these results, and so on: a balanced tree over the columns, then
//! over the rows, whatever the subgroup size. Results left over at odd lengths follow at the end, the last one first.
//! Spec: SPV_NV_cooperative_matrix2, revision 2; SPV_EXT_cooperative_matrix_maintenance1, revision 1.

use spirv::{CooperativeMatrixReduce, CooperativeMatrixUse, Op as SpvOp};

use super::control::yields;
use super::{Lower, Scalars, Val, convert};
use crate::error::{Error, Result};
use crate::ir::{BuiltIn, Imm, MatrixOp, Op, Region, Steps, Ty, Value};
use crate::spirv::cooperative::Shape;
use crate::spirv::module::Inst;
use crate::spirv::newer;
use crate::spirv::types::Type;

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

    /// The scalars of a matrix transposed, tile by tile.
    fn transposed_tiles(&mut self, scalars: &[Value], from: Shape) -> Result<Scalars> {
        let ([height, width], [down, across]) = (from.tiles.tile, from.tiles.grid());
        let n = height * width / self.types.lanes.max(1) as usize;
        let mut out = Scalars::with_capacity(scalars.len());
        for column in 0..across {
            for row in 0..down {
                let tile = &scalars[(row * across + column) * n..][..n];
                out.extend(self.transposed(tile, height as u32, width as u32)?);
            }
        }
        Ok(out)
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

/// A change of the use of a matrix.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Change {
    /// None.
    Same,
    /// From an accumulator to a matrix A or B.
    ToFactor,
    /// From a matrix A or B to an accumulator.
    ToSum,
    /// Between A and B, which no instruction does.
    Other,
}

impl Change {
    fn between(from: Shape, to: Shape) -> Change {
        let accumulator = CooperativeMatrixUse::MatrixAccumulatorKHR as u32;
        match [from.usage, to.usage].map(|usage| usage == accumulator) {
            _ if from.usage == to.usage => Change::Same,
            [true, _] => Change::ToFactor,
            [_, true] => Change::ToSum,
            [false, false] => Change::Other,
        }
    }
}

/// Checks scope, size and use of a matrix `from` and of the result `to` of its conversion, and transposes the scalars if a
/// decoration says so. Spec: SPV_EXT_cooperative_matrix_maintenance1.
fn changed(lower: &mut Lower<'_>, inst: &Inst, scalars: Scalars, [from, to]: [Shape; 2]) -> Result<Scalars> {
    let transposes = lower.module.deco(inst.id, newer::TRANSPOSE).is_some();
    let size = if transposes { (to.columns, to.rows) } else { (to.rows, to.columns) };
    if from.of_workgroup != to.of_workgroup || (from.rows, from.columns) != size {
        return Err(Error::invalid("scopes or sizes of the matrices do not fit each other"));
    }
    let both = lower.module.declares_newer(newer::MATRIX_CONVERSIONS_CAPABILITY);
    match Change::between(from, to) {
        Change::Same if !transposes => Ok(scalars),
        Change::ToFactor if transposes => lower.transposed_tiles(&scalars, from),
        Change::ToFactor => Ok(scalars),
        Change::ToSum if both && !transposes => Ok(scalars),
        _ if transposes => Err(Error::invalid("must transpose an accumulator to a matrix A or B")),
        _ if both => Err(Error::invalid("must convert between an accumulator and a matrix A or B")),
        _ => Err(Error::invalid("must convert an accumulator to a matrix A or B")),
    }
}

/// OpCooperativeMatrixConvertUseEXT, OpCooperativeMatrixConvertNV. The order of elements does not depend on the use.
pub fn convert<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let result = lower.types.cooperative(inst.ty)?;
    let (scalars, from) = lower.cooperative(lower.id_at(operands, 0)?)?;
    // Integers may differ in their signedness.
    if (from.elem, from.small) != (result.elem, result.small) || Change::between(from, result) == Change::Same
    {
        return Err(Error::invalid("must change the use of a matrix, and keep its component type"));
    }
    changed(lower, inst, scalars, [from, result])
}

/// A conversion of numbers; that of a matrix may change its use, too.
fn numbers<'m>(
    lower: &mut Lower<'m>,
    inst: &Inst,
    operands: &'m [u32],
    components: fn(&mut Lower<'m>, &Inst, &'m [u32]) -> Result<Scalars>,
) -> Result<Scalars> {
    let m = lower.module;
    let scalars = components(lower, inst, operands)?;
    let source = m.type_of(lower.id_at(operands, 0)?)?;
    let is_matrix = |ty| m.ty(ty).map(|ty| matches!(ty, Type::CooperativeMatrix(_)));
    if !is_matrix(inst.ty)? && !is_matrix(source)? {
        return Ok(scalars);
    }
    let shapes = [lower.types.cooperative(source)?, lower.types.cooperative(inst.ty)?];
    changed(lower, inst, scalars, shapes)
}

/// OpFConvert.
pub fn float_to_float<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    numbers(lower, inst, operands, convert::float_to_float)
}

/// OpConvertFToS, OpConvertFToU.
pub fn float_to_int<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    numbers(lower, inst, operands, convert::float_to_int)
}

/// OpConvertSToF, OpConvertUToF.
pub fn int_to_float<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    numbers(lower, inst, operands, convert::int_to_float)
}

/// OpSConvert, OpUConvert.
pub fn int_to_int<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    numbers(lower, inst, operands, convert::int_to_int)
}

/// OpCooperativeMatrixGetCoordinateEXT. Spec: SPV_EXT_cooperative_matrix_maintenance1.
pub fn coordinate<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let (matrix, index) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (_, shape) = lower.cooperative(matrix)?;
    if lower.types.leaves(inst.ty)? != 2 || lower.types.component(inst.ty)? != Ty::I32 {
        return Err(Error::invalid("result is not a vector of two 32-bit integers"));
    }
    let index = lower.scalar(index)?;
    if lower.ty(index) != Ty::I32 {
        return Err(Error::invalid("index is not a 32-bit integer"));
    }
    Ok(lower.position(shape, index).into_iter().collect())
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
        && Change::between(from, result) == Change::ToFactor
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
    lower.transposed_tiles(&scalars, from)
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

#[cfg(test)]
mod tests {
    use crate::spirv::{Module, asm};

    /// Lowers a module with these annotations and this code.
    fn lowered(capability: &str, annotations: &str, code: &str) -> crate::Result<()> {
        let text = format!(
            "OpCapability Shader
OpCapability Int8
OpCapability VulkanMemoryModel
OpCapability CooperativeMatrixKHR
OpCapability CooperativeMatrixGetCoordinateEXT
{capability}
OpMemoryModel Logical Vulkan
OpEntryPoint GLCompute %main \"main\"
OpExecutionMode %main LocalSize 32 1 1
{annotations}
%void = OpTypeVoid
%fn = OpTypeFunction %void
%f32 = OpTypeFloat 32
%u32 = OpTypeInt 32 0
%s32 = OpTypeInt 32 1
%u8 = OpTypeInt 8 0
%v2 = OpTypeVector %u32 2
%v3 = OpTypeVector %u32 3
%zero = OpConstant %u32 0
%one = OpConstant %u32 1
%two = OpConstant %u32 2
%three = OpConstant %u32 3
%eight = OpConstant %u32 8
%sixteen = OpConstant %u32 16
%float = OpConstant %f32 1
%byte = OpConstant %u8 1
%A = OpTypeCooperativeMatrixKHR %f32 %three %eight %sixteen %zero
%B = OpTypeCooperativeMatrixKHR %f32 %three %eight %sixteen %one
%C = OpTypeCooperativeMatrixKHR %f32 %three %eight %sixteen %two
%ints_A = OpTypeCooperativeMatrixKHR %u32 %three %eight %sixteen %zero
%signed_A = OpTypeCooperativeMatrixKHR %s32 %three %eight %sixteen %zero
%ints_C = OpTypeCooperativeMatrixKHR %u32 %three %eight %sixteen %two
%bytes_C = OpTypeCooperativeMatrixKHR %u8 %three %eight %sixteen %two
%whole_A = OpTypeCooperativeMatrixKHR %f32 %two %eight %sixteen %zero
%turned_A = OpTypeCooperativeMatrixKHR %f32 %three %sixteen %eight %zero
%turned_C = OpTypeCooperativeMatrixKHR %f32 %three %sixteen %eight %two
%a = OpConstantNull %A
%c = OpConstantNull %C
%ints_a = OpConstantNull %ints_A
%ints_c = OpConstantNull %ints_C
%bytes_c = OpConstantNull %bytes_C
%main = OpFunction %void None %fn
%entry = OpLabel
{code}
OpReturn
OpFunctionEnd
"
        );
        let words = asm::assemble(&text).unwrap_or_else(|e| panic!("{e}: {annotations} {code}"));
        Module::parse(&words)?.lower("main", crate::ir::Stage::Compute, &[]).map(drop)
    }

    const BOTH: &str = "OpCapability CooperativeMatrixConversionsEXT";
    const TO_FACTORS: &str = "OpCapability CooperativeMatrixConversionsNV";
    const TURNED: &str = "OpDecorate %x CooperativeMatrixTransposeEXT";

    #[test]
    fn conversions_that_the_extensions_have_are_accepted() {
        for (capability, annotations, code) in [
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %A %c"),
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %C %a"),
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %signed_A %ints_c"),
            (BOTH, "", "%x = OpConvertFToU %ints_C %a"),
            (BOTH, "", "%x = OpConvertFToU %ints_A %a"),
            (BOTH, TURNED, "%x = OpCooperativeMatrixConvertUseEXT %turned_A %c"),
            (BOTH, TURNED, "%x = OpConvertUToF %turned_A %ints_c"),
            (TO_FACTORS, "", "%x = OpCooperativeMatrixConvertUseEXT %A %c"),
            (TO_FACTORS, "", "%x = OpConvertUToF %B %ints_c"),
        ] {
            lowered(capability, annotations, code).unwrap_or_else(|e| panic!("{annotations} {code}: {e}"));
        }
        for (result, index) in [("%v2", "%three"), ("%v2", "%zero")] {
            lowered("", "", &format!("%x = OpCooperativeMatrixGetCoordinateEXT {result} %c {index}"))
                .unwrap();
        }
    }

    #[test]
    fn other_conversions_are_refused() {
        let decorates = "only for conversions of cooperative matrices";
        for (capability, annotations, code, message) in [
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %C %c", "must change the use"),
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %A %ints_c", "keep its component type"),
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %ints_A %bytes_c", "keep its component type"),
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %B %a", "between an accumulator and"),
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %turned_A %c", "scopes or sizes"),
            (BOTH, "", "%x = OpCooperativeMatrixConvertUseEXT %whole_A %c", "scopes or sizes"),
            (BOTH, "", "%x = OpConvertUToF %turned_C %ints_c", "scopes or sizes"),
            (BOTH, "", "%x = OpConvertUToF %B %ints_a", "between an accumulator and"),
            (BOTH, "", "%x = OpConvertUToF %f32 %ints_c", "not a cooperative matrix"),
            (BOTH, TURNED, "%x = OpCooperativeMatrixConvertUseEXT %A %c", "scopes or sizes"),
            (
                BOTH,
                TURNED,
                "%x = OpCooperativeMatrixConvertUseEXT %turned_C %a",
                "must transpose an accumulator",
            ),
            (BOTH, TURNED, "%x = OpConvertUToF %turned_C %ints_c", "must transpose an accumulator"),
            (BOTH, TURNED, "%x = OpFNegate %C %c", decorates),
            (BOTH, TURNED, "%x = OpConvertUToF %f32 %three", decorates),
            (TO_FACTORS, "", "%x = OpConvertUToF %C %ints_a", "must convert an accumulator"),
            (TO_FACTORS, "", "%x = OpCooperativeMatrixConvertUseEXT %C %a", "must convert an accumulator"),
            ("", "", "%x = OpCooperativeMatrixGetCoordinateEXT %v3 %c %one", "two 32-bit integers"),
            ("", "", "%x = OpCooperativeMatrixGetCoordinateEXT %u32 %c %one", "two 32-bit integers"),
            ("", "", "%x = OpCooperativeMatrixGetCoordinateEXT %v2 %c %float", "not a 32-bit integer"),
            ("", "", "%x = OpCooperativeMatrixGetCoordinateEXT %v2 %c %byte", "not a 32-bit integer"),
            ("", "", "%x = OpCooperativeMatrixGetCoordinateEXT %v2 %one %one", "not a cooperative matrix"),
        ] {
            let error = lowered(capability, annotations, code).expect_err(code).to_string();
            assert!(error.contains(message), "{annotations} {code}: {error}");
        }
    }
}

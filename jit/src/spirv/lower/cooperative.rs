//! Cooperative matrices. Lanes that hold elements of a row access consecutive memory. A column-major matrix is accessed as its transposed matrix. Spec: SPV_KHR_cooperative_matrix.

use spirv::{CooperativeMatrixLayout, CooperativeMatrixOperands, CooperativeMatrixUse, MemoryAccess};

use super::place::{Owner, Root, element};
use super::variable::said;
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{BuiltIn, GroupOp, Imm, MatrixOp, Mem, Op, Ty, Value};
use crate::spirv::cooperative::Shape;
use crate::spirv::grammar;
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// Distance between rows in memory.
#[derive(Clone, Copy)]
enum Stride {
    /// Known number of bytes.
    Bytes(u32),
    /// Number (I32) of units of so many bytes.
    Units(Value, u32),
}

/// Memory of a matrix, or of a tile of one, whose rows are contiguous.
#[derive(Clone, Copy)]
struct Rows {
    /// The buffer, with its owner; `None` for workgroup memory.
    buffer: Option<(Value, Owner)>,
    /// Static and dynamic parts of the byte offset of the first element.
    offset: u32,
    dynamic: Option<Value>,
    stride: Stride,
    /// First row and column in memory, and their numbers.
    first: [u32; 2],
    rows: u32,
    columns: u32,
    elem: Ty,
    ordered: bool,
    /// `true` if the offsets are sums of 64 bits.
    wide: bool,
    /// The address of the first element, if the offsets are sums of 64 bits that are added to it.
    address: Option<Value>,
    /// `true` if the matrix in memory is the transposed one.
    transposed: bool,
}

/// An access to some scalars of a matrix.
struct Access {
    /// The buffer; `None` for workgroup memory.
    buffer: Option<Value>,
    mem: Mem,
    /// Dynamic part of the byte offset.
    at: Value,
    /// Numbers of the scalars, in the order of the access.
    scalars: Vec<usize>,
}

impl Lower<'_> {
    /// The value of the first active invocation; the operands of matrix instructions are the same in all of them.
    fn of_group(&mut self, v: Value) -> Value {
        if self.is_constant(v) {
            return v;
        }
        let ty = self.ty(v);
        self.emit(Op::Group, &[v], Imm::Group(GroupOp::BroadcastFirst), &[ty])[0]
    }

    /// Reads the operands of a load or store, without the object: pointer, layout, stride, memory operands.
    fn matrix_rows(&mut self, shape: Shape, pointer: u32, operands: &[u32]) -> Result<Rows> {
        let mut place = self.place(pointer)?;
        let untyped = self.is_untyped(self.module.type_of(pointer)?);
        self.retype(&mut place, pointer, shape.elem_id)?;
        if !self.module.ty(place.ty)?.is_scalar() && !matches!(self.module.ty(place.ty)?, Type::Vector { .. })
        {
            return Err(Error::invalid("pointer to a matrix does not point to scalars or vectors"));
        }
        // Strides count bytes behind untyped pointers. Spec: SPV_KHR_untyped_pointers.
        let unit = if untyped { 1 } else { self.types.natural(place.ty)?.0 };
        if let Root::Address(address) = place.root {
            place.root = Root::Address(self.of_group(address));
        }
        let place = self.near(&place);
        let buffer = self.buffer_of(&place.root);
        if buffer.is_none() && !matches!(place.root, Root::Shared(_)) {
            return Err(Error::invalid("pointer to a matrix does not point to memory"));
        }
        let dynamic = self.dynamic_index(&place).map(|v| self.of_group(v));
        let layout = self.id_at(operands, 0)?;
        let transposed = match CooperativeMatrixLayout::from_u32(self.types.const_u32(layout)?) {
            Some(CooperativeMatrixLayout::RowMajorKHR) => false,
            Some(CooperativeMatrixLayout::ColumnMajorKHR) => true,
            Some(other) => return Err(Error::unsupported(format!("layout {other:?}"))),
            None => return Err(Error::invalid("unknown layout of a matrix")),
        };
        let stride = self.matrix_stride(operands, unit)?;
        let memory = operands.get(2..).unwrap_or_default();
        self.keep_operands(&said(memory).0);
        let (rows, columns) =
            if transposed { (shape.columns, shape.rows) } else { (shape.rows, shape.columns) };
        // Barriers order the accesses of other invocations, so that only volatile ones stay apart.
        let bits = MemoryAccess::from_bits_truncate(memory.first().copied().unwrap_or(0));
        let ordered = place.ordered || bits.contains(MemoryAccess::VOLATILE);
        let elem = shape.elem;
        let (offset, first) = (place.offset, [0; 2]);
        let address = match place.root {
            Root::Address(address) if self.types.wide_indexing => Some(address),
            _ => None,
        };
        let wide = address.is_some() || self.has_wide_offsets(&place);
        Ok(Rows {
            buffer,
            offset,
            dynamic,
            stride,
            first,
            rows,
            columns,
            elem,
            ordered,
            wide,
            address,
            transposed,
        })
    }

    fn matrix_stride(&mut self, operands: &[u32], unit: u32) -> Result<Stride> {
        let id = *operands.get(1).ok_or_else(|| Error::invalid("stride is missing"))?;
        let m = self.module;
        if m.def(id).is_some_and(|d| grammar::is_constant(d.op)) {
            let bytes = self.types.const_scalar(id)?.checked_mul(u64::from(unit));
            // The last row must be within reach of a static offset.
            if let Some(bytes) = bytes.and_then(|b| u32::try_from(b).ok()).filter(|&b| b < 1 << 21) {
                return Ok(Stride::Bytes(bytes));
            }
        }
        let stride = self.scalar(id)?;
        let stride = self.i32_of(stride, self.types.is_signed(m.type_of(id)?))?;
        Ok(Stride::Units(self.of_group(stride), unit))
    }

    /// Accesses that cover the scalars.
    fn matrix_accesses(&mut self, m: &Rows) -> Result<Vec<Access>> {
        let lanes = self.types.lanes.max(1);
        let size = m.elem.bytes();
        let lane =
            self.emit(Op::BuiltIn, &[], Imm::BuiltIn(BuiltIn::SubgroupLocalInvocationId, 0), &[Ty::I32])[0];
        // If a row is shorter than the group, the lanes of a scalar are in several rows.
        let (lane_row, lane_column) = if lanes > m.columns {
            let (shift, mask) = (self.i32(m.columns.trailing_zeros()), self.i32(m.columns - 1));
            (Some(self.op(Op::ShrU, Ty::I32, &[lane, shift])), self.op(Op::And, Ty::I32, &[lane, mask]))
        } else {
            (None, lane)
        };
        let n = m.rows * m.columns / lanes;
        self.work(4 * n as usize)?;
        // One access takes the scalars of all rows in the same columns, if the distance of the rows is known.
        let per_row = m.columns / lanes;
        let (count, distance) = match m.stride {
            Stride::Bytes(bytes) if lane_row.is_none() && bytes >= lanes * size => (m.rows, bytes),
            _ => (1, size),
        };
        let mut out = Vec::with_capacity(n as usize);
        for i in 0..n / count {
            let (row, column) = (m.first[0] + i * lanes / m.columns, m.first[1] + i * lanes % m.columns);
            let mut offset = element(m.offset, column, size)?;
            let mut terms: Vec<(Value, u32)> = m.dynamic.map(|v| (v, 1)).into_iter().collect();
            match (m.stride, lane_row) {
                (Stride::Bytes(bytes), _) => {
                    offset = element(offset, row, bytes)?;
                    terms.extend(lane_row.filter(|_| bytes > 0).map(|v| (v, bytes)));
                }
                (Stride::Units(stride, unit), None) if row > 0 => terms.push((stride, unit * row)),
                (Stride::Units(..), None) => {}
                (Stride::Units(stride, unit), Some(lane_row)) => {
                    let first = self.i32(row);
                    let row = self.op(Op::IAdd, Ty::I32, &[lane_row, first]);
                    let ty = if m.wide { Ty::I64 } else { Ty::I32 };
                    let [row, stride] = [row, stride].map(|v| match m.wide {
                        true => self.op(Op::UConvert, Ty::I64, &[v]),
                        false => v,
                    });
                    terms.push((self.op(Op::IMul, ty, &[row, stride]), unit));
                }
            }
            terms.push((lane_column, size));
            let (buffer, at) = self.matrix_place(m, terms);
            let mem = Mem { offset, stride: distance, ordered: m.ordered };
            let scalars = (0..count).map(|k| (i + k * per_row.max(1)) as usize).collect();
            out.push(Access { buffer, mem, at, scalars });
        }
        Ok(out)
    }

    /// Buffer of an access to a matrix, and the sum of these terms as the dynamic part of the offset.
    fn matrix_place(&mut self, m: &Rows, terms: Vec<(Value, u32)>) -> (Option<Value>, Value) {
        let buffer = m.buffer.map(|b| b.0);
        if let Some(address) = m.address {
            let offset = self.wide_sum(&terms);
            let root = Root::Address(self.op(Op::IAdd, Ty::I64, &[address, offset]));
            let buffer = self.buffer_of(&root).map(|b| b.0);
            return (buffer, self.i32(0));
        }
        if m.wide {
            return (buffer, self.wide_sum(&terms));
        }
        let (args, strides) = terms.into_iter().unzip::<_, _, Scalars, _>();
        (buffer, self.emit(Op::Offset, &args, Imm::Strides(strides), &[Ty::I32])[0])
    }

    pub(super) fn transposed(&mut self, scalars: &[Value], rows: u32, columns: u32) -> Result<Scalars> {
        let op = MatrixOp::Transpose { rows: rows as u8, columns: columns as u8 };
        let tys = vec![self.first_ty(scalars)?; scalars.len()];
        Ok(self.emit(Op::Matrix, scalars, Imm::Matrix(op), &tys))
    }

    /// Scalars of a matrix operand, and its shape.
    pub(super) fn cooperative(&mut self, id: u32) -> Result<(Scalars, Shape)> {
        let shape = self.types.cooperative(self.module.type_of(id)?)?;
        let scalars = self.scalars(id)?;
        if scalars.len() != shape.scalars as usize {
            return Err(Error::invalid(format!("operand %{id} does not fit its type")));
        }
        Ok((scalars, shape))
    }
}

/// Memory of each tile of a matrix, in the order of the tiles.
fn tiles(whole: &Rows, shape: Shape) -> Vec<Rows> {
    let [down, across] = shape.tiles.grid();
    let [height, width] = shape.tiles.tile.map(|side| side as u32);
    let tile = |at: usize| {
        let first = [(at / across) as u32 * height, (at % across) as u32 * width];
        match whole.transposed {
            true => Rows { first: [first[1], first[0]], rows: width, columns: height, ..*whole },
            false => Rows { first, rows: height, columns: width, ..*whole },
        }
    };
    (0..down * across).map(tile).collect()
}

/// OpCooperativeMatrixLoadKHR.
pub fn load<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let shape = lower.types.cooperative(inst.ty)?;
    let pointer = lower.id_at(operands, 0)?;
    let rows = lower.matrix_rows(shape, pointer, &operands[1..])?;
    let mut out = Scalars::with_capacity(shape.scalars as usize);
    for rows in tiles(&rows, shape) {
        let mut loaded: Vec<(usize, Value)> = Vec::new();
        for Access { buffer, mem, at, scalars } in lower.matrix_accesses(&rows)? {
            let tys = vec![rows.elem; scalars.len()];
            let values = match buffer {
                Some(handle) => lower.emit(Op::LoadBuffer, &[handle, at], Imm::Mem(mem), &tys),
                None => lower.emit(Op::LoadShared, &[at], Imm::Mem(mem), &tys),
            };
            loaded.extend(scalars.into_iter().zip(values));
        }
        loaded.sort_unstable_by_key(|l| l.0);
        let tile: Scalars = loaded.into_iter().map(|l| l.1).collect();
        out.extend(if rows.transposed { lower.transposed(&tile, rows.rows, rows.columns)? } else { tile });
    }
    Ok(out)
}

/// OpCooperativeMatrixStoreKHR.
pub fn store<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (pointer, object) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (scalars, shape) = lower.cooperative(object)?;
    let rows = lower.matrix_rows(shape, pointer, &operands[2..])?;
    if let Some((_, owner)) = rows.buffer {
        lower.mark_buffer_written(owner)?;
    }
    lower.by_owner(shape, |lower| store_tiles(lower, &scalars, tiles(&rows, shape)))
}

/// Stores the tiles of a matrix.
fn store_tiles(lower: &mut Lower<'_>, scalars: &[Value], tiles: Vec<Rows>) -> Result<()> {
    for (tile, rows) in scalars.chunks(scalars.len() / tiles.len()).zip(tiles) {
        let tile = match rows.transposed {
            true => lower.transposed(tile, rows.columns, rows.rows)?,
            false => Scalars::from_slice(tile),
        };
        for access in lower.matrix_accesses(&rows)? {
            let values = access.scalars.into_iter().map(|i| tile[i]);
            let target = access.buffer;
            let args: Scalars = target.into_iter().chain([access.at]).chain(values).collect();
            let op = if target.is_some() { Op::StoreBuffer } else { Op::StoreShared };
            lower.emit(op, &args, Imm::Mem(access.mem), &[]);
        }
    }
    Ok(())
}

/// OpCooperativeMatrixLengthKHR.
pub fn length<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let ty = lower.id_at(operands, 0)?;
    let n = lower.types.cooperative(ty)?.scalars;
    Ok(Lower::one(lower.i32(n)))
}

/// `true` if the uses and sizes of A, B, C and the result are those of a product.
fn fit([a, b, c, result]: &[Shape; 4]) -> bool {
    let uses = [CooperativeMatrixUse::MatrixAKHR, CooperativeMatrixUse::MatrixBKHR];
    [a.usage, b.usage] == uses.map(|usage| usage as u32)
        && [c.usage, result.usage] == [CooperativeMatrixUse::MatrixAccumulatorKHR as u32; 2]
        && (a.rows, b.columns) == (result.rows, result.columns)
        && (c.rows, c.columns) == (result.rows, result.columns)
        && a.columns == b.rows
        && [a, b, c].iter().all(|x| x.of_workgroup == result.of_workgroup)
}

/// OpCooperativeMatrixMulAddKHR. Elements are converted to 32 bits before, and results to their type after.
pub fn mul_add<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    use CooperativeMatrixOperands as Bits;
    let ids = [lower.id_at(operands, 0)?, lower.id_at(operands, 1)?, lower.id_at(operands, 2)?];
    let how = Bits::from_bits_truncate(operands.get(3).copied().unwrap_or(0));
    let result = lower.types.cooperative(inst.ty)?;
    let [(a, of_a), (b, of_b), (c, of_c)] =
        [lower.cooperative(ids[0])?, lower.cooperative(ids[1])?, lower.cooperative(ids[2])?];
    let shapes = [of_a, of_b, of_c, result];
    if !fit(&shapes) {
        return Err(Error::invalid("uses or sizes of the matrices do not fit each other"));
    }
    let elems = shapes.map(|s| s.elem);
    let saturates = how.contains(Bits::SATURATING_ACCUMULATION_KHR);
    let floats = shapes.iter().all(|s| s.elem.is_float() || s.small.is_some()) && !saturates;
    let integers = elems == [Ty::I8, Ty::I8, Ty::I32, Ty::I32] && shapes.iter().all(|s| s.small.is_none());
    if !floats && !integers {
        let [a, b, c, r] = elems;
        return Err(Error::unsupported(format!("product of matrices of {a} and {b}, plus {c}, as {r}")));
    }
    let signed =
        [Bits::MATRIX_A_SIGNED_COMPONENTS_KHR, Bits::MATRIX_B_SIGNED_COMPONENTS_KHR].map(|b| how.contains(b));
    let mut numbers = |scalars: Scalars, shape: Shape, signed| {
        lower.work(scalars.len())?;
        let number = |v| {
            if let Some(small) = shape.small {
                return lower.decoded(v, small);
            }
            match lower.ty(v) {
                Ty::F16 => lower.op(Op::FConvert, Ty::F32, &[v]),
                Ty::I8 if signed => lower.op(Op::SConvert, Ty::I32, &[v]),
                Ty::I8 => lower.op(Op::UConvert, Ty::I32, &[v]),
                _ => v,
            }
        };
        Ok(scalars.into_iter().map(number).collect::<Scalars>())
    };
    let (a, b) = (numbers(a, of_a, signed[0])?, numbers(b, of_b, signed[1])?);
    let c = numbers(c, of_c, false)?;
    let saturates = saturates.then(|| how.contains(Bits::MATRIX_RESULT_SIGNED_COMPONENTS_KHR));
    let sums = match [of_a, of_b, of_c].iter().all(|s| s.tiles.grid() == [1, 1]) {
        true => lower.tile_product([&a, &b, &c], [of_a, of_b, of_c].map(|s| s.tiles.tile), saturates),
        false => lower.tiled_product([&a, &b, &c], [of_a, of_b, of_c].map(|s| s.tiles), saturates)?,
    };
    if let Some(small) = result.small {
        return sums.into_iter().map(|v| lower.encoded(v, small, false)).collect();
    }
    if result.elem == Ty::F16 {
        return Ok(sums.into_iter().map(|v| lower.op(Op::FConvert, Ty::F16, &[v])).collect());
    }
    Ok(sums)
}

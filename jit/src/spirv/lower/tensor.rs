//! Tensor layouts, tensor views, and matrices that are loaded and stored through them.
//!
//! Layouts and views are words of the shader (see [`crate::spirv::tensor`]). A load or store computes the coordinates of
//! each element in a loop over the scalars of the invocation. Divisions by constants that change nothing are left out.
//! Spec: SPV_NV_tensor_addressing, revision 1; SPV_NV_cooperative_matrix2, revision 2, "Tensor Layout and View".

mod number;

use spirv::{MemoryAccess, TensorClampMode};

use super::place::{Place, Root};
use super::variable::said;
use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{Imm, Op, Ty, Value};
use crate::spirv::cooperative::{self, Shape, TensorOperands};
use crate::spirv::module::Inst;
use crate::spirv::tensor::{LayoutType, ViewType};
use crate::spirv::types::{MatrixLayout, Type};

use number::{Linear, Number};

/// State of a tensor layout.
struct Layout {
    ty: LayoutType,
    block: Scalars,
    dimension: Scalars,
    stride: Scalars,
    offset: Scalars,
    span: Scalars,
    clamp_value: Value,
}

impl Layout {
    fn words(self) -> Scalars {
        let parts = [self.block, self.dimension, self.stride, self.offset, self.span];
        parts.into_iter().flatten().chain([self.clamp_value]).collect()
    }
}

/// State of a tensor view.
struct View {
    ty: ViewType,
    dimension: Scalars,
    stride: Scalars,
    /// First row and number of rows, first column and number of columns.
    clip: Scalars,
}

impl View {
    fn words(self) -> Scalars {
        [self.dimension, self.stride, self.clip].into_iter().flatten().collect()
    }
}

/// An element in memory.
struct Spot {
    /// The element is outside of the clipped part of the matrix (Bool).
    clipped: Option<Value>,
    /// The element is outside of the tensor (Bool).
    outside: Option<Value>,
    /// Number of the element in memory.
    index: Value,
    /// Coordinates of its block, and in its block.
    block: Scalars,
    within: Scalars,
}

impl Lower<'_> {
    fn layout(&mut self, id: u32) -> Result<Layout> {
        let ty = self.types.tensor_layout(self.module.type_of(id)?)?;
        let words = self.scalars(id)?;
        let Some((&clamp_value, parts)) = words.split_last().filter(|w| w.1.len() == 5 * ty.dim) else {
            return Err(Error::invalid(format!("operand %{id} does not fit its type")));
        };
        let mut parts = parts.chunks_exact(ty.dim).map(Scalars::from_slice);
        let mut part = || parts.next().unwrap_or_default();
        Ok(Layout {
            ty,
            block: part(),
            dimension: part(),
            stride: part(),
            offset: part(),
            span: part(),
            clamp_value,
        })
    }

    fn view(&mut self, id: u32) -> Result<View> {
        let ty = self.types.tensor_view(self.module.type_of(id)?)?;
        let words = self.scalars(id)?;
        if words.len() != 2 * ty.dim + 4 {
            return Err(Error::invalid(format!("operand %{id} does not fit its type")));
        }
        let (own, clip) = words.split_at(2 * ty.dim);
        let (dimension, stride) = own.split_at(ty.dim);
        let (dimension, stride) = (Scalars::from_slice(dimension), Scalars::from_slice(stride));
        Ok(View { ty, dimension, stride, clip: Scalars::from_slice(clip) })
    }

    /// The operands after the layout or view: `n` integers of 32 bits.
    fn tensor_numbers(&mut self, operands: &[u32], n: usize) -> Result<Scalars> {
        if operands.len() != n + 1 {
            return Err(Error::invalid(format!("{} numbers, the type has {n}", operands.len().max(1) - 1)));
        }
        let mut out = Scalars::with_capacity(n);
        for &id in &operands[1..] {
            let v = self.scalar(id)?;
            if self.ty(v) != Ty::I32 {
                return Err(Error::invalid(format!("operand %{id} is not an integer of 32 bits")));
            }
            out.push(v);
        }
        Ok(out)
    }

    /// The layout that an instruction changes.
    fn changed_layout(&mut self, inst: &Inst, operands: &[u32]) -> Result<Layout> {
        let id = self.id_at(operands, 0)?;
        match self.module.type_of(id)? == inst.ty {
            true => self.layout(id),
            false => Err(Error::invalid("result type is not that of the tensor layout")),
        }
    }

    /// The view that an instruction changes.
    fn changed_view(&mut self, inst: &Inst, operands: &[u32]) -> Result<View> {
        let id = self.id_at(operands, 0)?;
        match self.module.type_of(id)? == inst.ty {
            true => self.view(id),
            false => Err(Error::invalid("result type is not that of the tensor view")),
        }
    }

    /// Number of an element of a matrix, in the order of the view, and the condition (Bool) that clips it.
    fn view_index(
        &mut self,
        layout: &Layout,
        view: &View,
        at: [Number; 2],
        width: u32,
    ) -> Result<(Linear, Option<Value>)> {
        let [row_offset, row_span, column_offset, column_span] = [0, 1, 2, 3].map(|i| view.clip[i]);
        let mut clipped = None;
        let mut within = [at[0]; 2];
        let sides = [(at[0], row_offset, row_span), (at[1], column_offset, column_span)];
        for (axis, (at, offset, span)) in sides.into_iter().enumerate() {
            let value = self.minus(at.value, offset);
            let (known, span_bits) = (self.known(offset) == Some(0), self.known(span));
            let inside = known && at.below.zip(span_bits).is_some_and(|(below, span)| below <= span);
            within[axis] = Number { value, below: at.below.filter(|_| known) };
            if !inside {
                let mut over = self.op(Op::ULe, Ty::Bool, &[span, value]);
                if !known {
                    let before = self.op(Op::ULt, Ty::Bool, &[at.value, offset]);
                    over = self.op(Op::Or, Ty::Bool, &[before, over]);
                }
                clipped = Some(match clipped {
                    Some(other) => self.op(Op::Or, Ty::Bool, &[other, over]),
                    None => over,
                });
                within[axis].below = at.below.zip(span_bits).map(|(below, span)| below.min(span));
            }
        }
        let most = self.i32(width);
        let width = match self.known(column_span) {
            Some(span) => self.i32((span as u32).min(width)),
            None => self.op(Op::UMin, Ty::I32, &[most, column_span]),
        };
        let mut linear = Linear { high: within[0], low: within[1], width };
        let dim = view.ty.dim;
        if !view.ty.has_dimensions && layout.ty.dim != dim {
            return Err(Error::invalid(
                "tensor view without dimensions must have those of the tensor layout",
            ));
        }
        let sizes = if view.ty.has_dimensions { &view.dimension } else { &layout.span };
        let zero = Number { value: self.i32(0), below: Some(1) };
        let mut coordinates = vec![zero; dim];
        for &i in view.ty.permutation.iter().rev() {
            (linear, coordinates[i]) = self.split(linear, sizes[i]);
        }
        let mut strides = view.stride.clone();
        if !view.ty.has_dimensions {
            strides[dim - 1] = self.i32(1);
            for i in (0..dim - 1).rev() {
                strides[i] = self.times(strides[i + 1], layout.span[i + 1]);
            }
        }
        // Two dimensions stay apart as long as the inner one is contiguous.
        if let [high, low] = coordinates[..]
            && self.known(strides[1]) == Some(1)
        {
            return Ok((Linear { high, low, width: strides[0] }, clipped));
        }
        let mut index = zero.value;
        for (coordinate, stride) in coordinates.iter().zip(strides) {
            let step = self.times(coordinate.value, stride);
            index = self.plus(index, step);
        }
        let one = self.i32(1);
        Ok((Linear { high: Number { value: index, below: None }, low: zero, width: one }, clipped))
    }

    /// A coordinate brought into the tensor by the clamp mode, or the condition (Bool) that it is outside.
    fn clamped(&mut self, mode: TensorClampMode, c: Number, size: Value) -> (Number, Option<Value>) {
        let free = Number { value: c.value, below: None };
        if c.below.zip(self.known(size)).is_some_and(|(below, size)| below <= size) {
            return (c, None);
        }
        let zero = self.i32(0);
        let value = match mode {
            TensorClampMode::Undefined => return (c, None),
            TensorClampMode::Constant => {
                let outside = self.op(Op::ULe, Ty::Bool, &[size, c.value]);
                return (free, Some(outside));
            }
            TensorClampMode::ClampToEdge => {
                let one = self.i32(1);
                let last = self.minus(size, one);
                let c = self.op(Op::SMax, Ty::I32, &[c.value, zero]);
                self.op(Op::SMin, Ty::I32, &[c, last])
            }
            TensorClampMode::Repeat => self.op(Op::SMod, Ty::I32, &[c.value, size]),
            TensorClampMode::RepeatMirrored => {
                let two = self.i32(2);
                let twice = self.times(size, two);
                let period = self.minus(twice, two);
                let c = self.op(Op::SMod, Ty::I32, &[c.value, period]);
                let mirrored = self.minus(period, c);
                let past = self.op(Op::SLe, Ty::Bool, &[size, c]);
                self.op(Op::Select, Ty::I32, &[past, mirrored, c])
            }
        };
        (Number { value, ..free }, None)
    }

    /// The place of the element of a matrix in the tensor.
    fn spot(
        &mut self,
        layout: &Layout,
        view: Option<&View>,
        shape: Shape,
        scalar: Value,
        stores: bool,
    ) -> Result<Spot> {
        let [row, column] = self.position(shape, scalar);
        let at = [(row, shape.rows), (column, shape.columns)]
            .map(|(value, below)| Number { value, below: Some(u64::from(below)) });
        let (mut linear, clipped) = match view {
            Some(view) => self.view_index(layout, view, at, shape.columns)?,
            None => (Linear { high: at[0], low: at[1], width: self.i32(shape.columns) }, None),
        };
        // Stores outside of the tensor are discarded in every mode but one.
        let mode = match layout.ty.clamp {
            TensorClampMode::Undefined => TensorClampMode::Undefined,
            _ if stores => TensorClampMode::Constant,
            mode => mode,
        };
        let mut outside = None;
        let (mut block, mut within) = (Scalars::new(), Scalars::new());
        for i in (0..layout.ty.dim).rev() {
            let (rest, mut coordinate) = self.split(linear, layout.span[i]);
            linear = rest;
            if self.known(layout.offset[i]) != Some(0) {
                let value = self.plus(coordinate.value, layout.offset[i]);
                coordinate = Number { value, below: None };
            }
            let (coordinate, over) = self.clamped(mode, coordinate, layout.dimension[i]);
            outside = match (outside, over) {
                (Some(a), Some(b)) => Some(self.op(Op::Or, Ty::Bool, &[a, b])),
                (a, b) => a.or(b),
            };
            let [quotient, rest] = self.divided(coordinate, layout.block[i]);
            block.push(quotient.value);
            within.push(rest.value);
        }
        block.reverse();
        within.reverse();
        let index = match self.types.wide_indexing {
            true => self.wide_linear(&block, &layout.stride),
            false => {
                let mut index = self.i32(0);
                for (&coordinate, &stride) in block.iter().zip(&layout.stride) {
                    let step = self.times(coordinate, stride);
                    index = self.plus(index, step);
                }
                index
            }
        };
        Ok(Spot { clipped, outside, index, block, within })
    }

    /// The place that a load or store starts from.
    fn tensor_base(&mut self, pointer: u32, memory: &[u32]) -> Result<Place> {
        let mut place = self.place(pointer)?;
        self.choose_buffer(&mut place)?;
        let mut place = self.near(&place).into_owned();
        if !matches!(place.root, Root::Buffer { .. } | Root::Address(_) | Root::Shared(_)) {
            return Err(Error::invalid("pointer to a matrix does not point to memory"));
        }
        self.keep_operands(&said(memory).0);
        let bits = MemoryAccess::from_bits_truncate(memory.first().copied().unwrap_or(0));
        place.ordered |= bits.contains(MemoryAccess::VOLATILE);
        Ok(place)
    }

    /// The sum (I64) of coordinates times strides, which does not wrap.
    fn wide_linear(&mut self, block: &[Value], strides: &[Value]) -> Value {
        let mut index = self.constant(Ty::I64, 0);
        for (&coordinate, &stride) in block.iter().zip(strides) {
            let [coordinate, stride] = [coordinate, stride].map(|v| self.op(Op::UConvert, Ty::I64, &[v]));
            let step = self.op(Op::IMul, Ty::I64, &[coordinate, stride]);
            index = self.op(Op::IAdd, Ty::I64, &[index, step]);
        }
        index
    }

    /// The place of number `index` in an array of values of `size` bytes.
    fn element_of(&mut self, base: &Place, index: Value, size: u32, ty: u32) -> Place {
        let mut place = self.nth_element(base, index, size);
        (place.ty, place.step, place.matrix) = (ty, 0, MatrixLayout::default());
        place
    }

    /// Type id and size in bytes of the blocks that a decode function reads, and its other parameter types.
    fn decoded_block(&mut self, function: u32, dim: usize) -> Result<(u32, u32, [u32; 3])> {
        let m = self.module;
        let fault = || Error::invalid(format!("function %{function} cannot decode elements of the tensor"));
        let &[pointer, block, within] = &m.function(function)?.params[..] else { return Err(fault()) };
        let &Type::Pointer { class: spirv::StorageClass::PhysicalStorageBuffer, pointee } = m.ty(pointer.1)?
        else {
            return Err(fault());
        };
        for (_, ty) in [block, within] {
            let mut tys = Vec::new();
            self.types.leaf_types(ty, &mut tys)?;
            if !matches!(m.ty(ty)?, Type::Array { .. }) || tys != vec![Ty::I32; dim] {
                return Err(fault());
            }
        }
        let size = self.types.explicit_size(pointee, MatrixLayout::default())?;
        let size = size.next_multiple_of(self.largest_scalar(pointee)?.max(1));
        Ok((pointee, size, [pointer.1, block.1, within.1]))
    }

    /// Size in bytes of the largest scalar in a type, to which the sizes of structures are rounded up.
    fn largest_scalar(&mut self, ty: u32) -> Result<u32> {
        let m = self.module;
        Ok(match m.ty(ty)? {
            Type::Struct { members } => {
                let mut most = 1;
                for &member in members {
                    most = most.max(self.largest_scalar(member)?);
                }
                most
            }
            Type::Array { elem, .. }
            | Type::RuntimeArray { elem }
            | Type::Vector { elem, .. }
            | Type::Matrix { elem, .. } => self.largest_scalar(*elem)?,
            Type::Pointer { .. } => 8,
            other => other.scalar().map_or(1, Ty::bytes),
        })
    }

    /// The number of `bits` as an element of a matrix.
    fn element_from(&mut self, bits: Value, ty: Ty) -> Value {
        match ty {
            Ty::F32 => self.op(Op::Bitcast, Ty::F32, &[bits]),
            Ty::F16 => {
                let half = self.op(Op::UConvert, Ty::I16, &[bits]);
                self.op(Op::Bitcast, Ty::F16, &[half])
            }
            Ty::I8 | Ty::I16 => self.op(Op::UConvert, ty, &[bits]),
            _ => bits,
        }
    }
}

/// OpCreateTensorLayoutNV.
pub fn create_layout<'m>(lower: &mut Lower<'m>, inst: &Inst, _: &'m [u32]) -> Result<Scalars> {
    let dim = lower.types.tensor_layout(inst.ty)?.dim;
    let (zero, one) = (lower.i32(0), lower.i32(1));
    Ok((0..5 * dim + 1).map(|i| if i < dim { one } else { zero }).collect())
}

/// OpTensorLayoutSetBlockSizeNV.
pub fn set_block_size<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let layout = lower.changed_layout(inst, operands)?;
    let block = lower.tensor_numbers(operands, layout.ty.dim)?;
    Ok(Layout { block, ..layout }.words())
}

/// OpTensorLayoutSetDimensionNV.
pub fn set_dimension<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let layout = lower.changed_layout(inst, operands)?;
    let dim = layout.ty.dim;
    let dimension = lower.tensor_numbers(operands, dim)?;
    let (zero, one) = (lower.i32(0), lower.i32(1));
    let mut stride: Scalars = (0..dim).map(|_| one).collect();
    for i in (0..dim - 1).rev() {
        let (n, block) = (Number { value: dimension[i + 1], below: None }, layout.block[i + 1]);
        let blocks = match lower.known(block) {
            Some(1) => n.value,
            // Rounded up, without a sum that may wrap.
            _ => {
                let [whole, rest] = lower.divided(n, block);
                let more = lower.op(Op::UMin, Ty::I32, &[rest.value, one]);
                lower.plus(whole.value, more)
            }
        };
        stride[i] = lower.times(stride[i + 1], blocks);
    }
    let offset = (0..dim).map(|_| zero).collect();
    Ok(Layout { span: dimension.clone(), dimension, stride, offset, ..layout }.words())
}

/// OpTensorLayoutSetStrideNV.
pub fn set_stride<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let layout = lower.changed_layout(inst, operands)?;
    let stride = lower.tensor_numbers(operands, layout.ty.dim)?;
    Ok(Layout { stride, ..layout }.words())
}

/// OpTensorLayoutSliceNV.
pub fn slice<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let layout = lower.changed_layout(inst, operands)?;
    let numbers = lower.tensor_numbers(operands, 2 * layout.ty.dim)?;
    let (mut offset, mut span) = (Scalars::new(), Scalars::new());
    for (pair, &old) in numbers.chunks_exact(2).zip(&layout.offset) {
        offset.push(lower.plus(old, pair[0]));
        span.push(pair[1]);
    }
    Ok(Layout { offset, span, ..layout }.words())
}

/// OpTensorLayoutSetClampValueNV.
pub fn set_clamp_value<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let layout = lower.changed_layout(inst, operands)?;
    let clamp_value = lower.tensor_numbers(operands, 1)?[0];
    Ok(Layout { clamp_value, ..layout }.words())
}

/// OpCreateTensorViewNV.
pub fn create_view<'m>(lower: &mut Lower<'m>, inst: &Inst, _: &'m [u32]) -> Result<Scalars> {
    let dim = lower.types.tensor_view(inst.ty)?.dim;
    let (zero, all) = (lower.i32(0), lower.i32(u32::MAX));
    let own = (0..2 * dim).map(|_| zero);
    Ok(own.chain([zero, all, zero, all]).collect())
}

/// OpTensorViewSetDimensionNV.
pub fn set_view_dimension<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let view = lower.changed_view(inst, operands)?;
    let dim = view.ty.dim;
    let dimension = lower.tensor_numbers(operands, dim)?;
    let one = lower.i32(1);
    let mut stride: Scalars = (0..dim).map(|_| one).collect();
    for i in (0..dim - 1).rev() {
        stride[i] = lower.times(stride[i + 1], dimension[i + 1]);
    }
    Ok(View { dimension, stride, ..view }.words())
}

/// OpTensorViewSetStrideNV.
pub fn set_view_stride<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let view = lower.changed_view(inst, operands)?;
    let stride = lower.tensor_numbers(operands, view.ty.dim)?;
    Ok(View { stride, ..view }.words())
}

/// OpTensorViewSetClipNV.
pub fn set_clip<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let view = lower.changed_view(inst, operands)?;
    let clip = lower.tensor_numbers(operands, 4)?;
    Ok(View { clip, ..view }.words())
}

/// Layout, view and other operands of a load or store.
fn addressing<'m>(
    lower: &mut Lower<'m>,
    operands: &'m [u32],
) -> Result<(Layout, Option<View>, TensorOperands<'m>)> {
    let layout = lower.layout(lower.id_at(operands, 2)?)?;
    let others = cooperative::tensor_operands(&operands[3..]);
    if others.unknown != 0 {
        return Err(Error::invalid(format!("unknown tensor addressing operands {:#x}", others.unknown)));
    }
    let view = others.view.map(|id| lower.view(id)).transpose()?;
    Ok((layout, view, others))
}

/// OpCooperativeMatrixLoadTensorNV.
pub fn load<'m>(lower: &mut Lower<'m>, inst: &Inst, operands: &'m [u32]) -> Result<Scalars> {
    let shape = lower.types.cooperative(inst.ty)?;
    let (pointer, object) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    if lower.module.type_of(object)? != inst.ty {
        return Err(Error::invalid("object does not have the result type"));
    }
    let (before, _) = lower.cooperative(object)?;
    let (layout, view, others) = addressing(lower, operands)?;
    let base = lower.tensor_base(pointer, others.memory)?;
    let decode = match others.decode {
        Some(_) if matches!(base.root, Root::Shared(_)) => {
            return Err(Error::invalid("a decode function needs a buffer"));
        }
        Some(function) => Some((function, lower.decoded_block(function, layout.ty.dim)?)),
        None => None,
    };
    let elem = shape.elem;
    lower.each_scalar(shape.scalars as usize, &[&before], elem, |lower, scalar, own| {
        let spot = lower.spot(&layout, view.as_ref(), shape, scalar, false)?;
        let mut default = own[0];
        if spot.outside.is_some() {
            let constant = lower.element_from(layout.clamp_value, elem);
            default = match spot.clipped {
                Some(clipped) => lower.op(Op::Select, elem, &[clipped, own[0], constant]),
                None => constant,
            };
        }
        let value = |lower: &mut Lower<'m>| match decode {
            None => {
                let place = lower.element_of(&base, spot.index, elem.bytes(), shape.elem_id);
                Ok(lower.load(&place)?[0])
            }
            Some((function, (pointee, size, params))) => {
                let place = lower.element_of(&base, spot.index, size, pointee);
                let args =
                    [Val::Place(place), Val::Scalars(spot.block.clone()), Val::Scalars(spot.within.clone())];
                lower.apply(function, shape.elem_id, params.into_iter().zip(args).collect())
            }
        };
        let skip = match (spot.clipped, spot.outside) {
            (Some(a), Some(b)) => Some(lower.op(Op::Or, Ty::Bool, &[a, b])),
            (a, b) => a.or(b),
        };
        let Some(skip) = skip else { return value(lower) };
        let out = lower.new_var(vec![elem], "");
        let imm = Imm::Var { var: out, elem: 0 };
        lower.emit(Op::VarSet, &[default], imm.clone(), &[]);
        let reads = lower.op(Op::Not, Ty::Bool, &[skip]);
        lower.emit_if(reads, |lower| {
            let v = value(lower)?;
            lower.emit(Op::VarSet, &[v], imm, &[]);
            Ok(())
        })?;
        Ok(lower.get_var(out, 0, elem))
    })
}

/// OpCooperativeMatrixStoreTensorNV.
pub fn store<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (pointer, object) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let (scalars, shape) = lower.cooperative(object)?;
    let (layout, view, others) = addressing(lower, operands)?;
    if others.decode.is_some() {
        return Err(Error::invalid("a store has no decode function"));
    }
    let base = lower.tensor_base(pointer, others.memory)?;
    let elem = shape.elem;
    let element = |lower: &mut Lower<'m>, scalar: Value, own: &[Value]| {
        let spot = lower.spot(&layout, view.as_ref(), shape, scalar, true)?;
        let place = lower.element_of(&base, spot.index, elem.bytes(), shape.elem_id);
        let skip = match (spot.clipped, spot.outside) {
            (Some(a), Some(b)) => Some(lower.op(Op::Or, Ty::Bool, &[a, b])),
            (a, b) => a.or(b),
        };
        let writes = skip.map(|skip| lower.op(Op::Not, Ty::Bool, &[skip]));
        match writes {
            None => lower.store(&place, own)?,
            Some(writes) => lower.emit_if(writes, |lower| lower.store(&place, own))?,
        }
        Ok(own[0])
    };
    lower.by_owner(shape, |lower| {
        lower.each_scalar(shape.scalars as usize, &[&scalars], elem, element).map(|_| ())
    })
}

//! Per-lane memory access with the host's own instructions: gathers, masked scatters and masked stores. The code that
//! computes addresses checks them.

use cranelift_codegen::ir::{InstBuilder, Type, Value, types};
use quadrille_wide::intrinsics::Intrinsic;

use super::shape::vector_of;
use super::{Lane, LaneBuilder, Parts, element_type, is_wide};
use crate::ir::Ty;

/// Returns true if memory holds the type in the same 32 or 64 bits as registers.
pub(super) fn has_words(ty: Ty) -> bool {
    matches!(ty, Ty::I32 | Ty::F32 | Ty::I64 | Ty::F64)
}

impl LaneBuilder<'_> {
    /// Returns true if the host has an instruction for [`Self::gather_where`].
    pub(crate) fn gathers(&self, ty: Ty) -> bool {
        self.is_wide_code() && has_words(ty)
    }

    /// As [`Self::gather`], for 32- or 64-bit types: gathers where the mask is true, and accesses no other address;
    /// other lanes are 0. Returns `None` if the host has no instruction for this.
    pub(crate) fn gather_where(&mut self, ty: Ty, base: Lane, offset: Lane, mask: Lane) -> Option<Lane> {
        if !self.gathers(ty) {
            return None;
        }
        let b = self.scalar(base);
        let v = self.gather_vectors(element_type(ty), b, offset, Some(mask));
        Some(self.push(ty, Parts::Varying(v)))
    }

    /// Gathers two consecutive 32-bit scalars per lane where the mask is true, and accesses no other address; other lanes
    /// are 0. Returns the row of the first and the row of the second ones, or `None` if the host has no instruction for
    /// this.
    pub(crate) fn gather_pairs_where(
        &mut self,
        base: Lane,
        offset: Lane,
        mask: Lane,
    ) -> Option<(Lane, Lane)> {
        if !self.is_wide_code() {
            return None;
        }
        let b = self.scalar(base);
        let pairs = self.gather_vectors(types::I64, b, offset, Some(mask));
        Some(self.part_pairs(&pairs))
    }

    /// The rows of the low and of the high words of vectors of 64-bit elements.
    pub(super) fn part_pairs(&mut self, pairs: &[Value]) -> (Lane, Lane) {
        let [first, second] = [false, true].map(|high| {
            let v = pairs.chunks(2).map(|p| self.words_of(p[0], p[1], high)).collect();
            self.push(Ty::I32, Parts::Varying(v))
        });
        (first, second)
    }

    /// Stores one scalar of a 32- or 64-bit type for each lane where the mask is true, in ascending order, to `base +
    /// zext(offset)`. Returns false and emits nothing if the host has no instruction for this.
    pub(crate) fn scatter_where(&mut self, value: Lane, base: Lane, offset: Lane, mask: Lane) -> bool {
        let ty = self.ty(value);
        if !self.has_mask_registers() || !has_words(ty) {
            return false;
        }
        let (b, values) = (self.scalar(base), self.vecs(value));
        let zero_shift = self.fb.ins().iconst(types::I32, 0);
        let (indexes, masks) = self.by_vector(ty, offset, mask);
        for ((index, mask), v) in indexes.into_iter().zip(masks).zip(values) {
            let args = [b, index, zero_shift, mask, v];
            self.intrinsic_call(Intrinsic::ScatterUnsigned, &args, types::INVALID);
        }
        true
    }

    /// As [`Self::store_row`] where the mask is true; the memory of other lanes is not accessed. Returns false and
    /// emits nothing if the host has no instruction for this.
    pub(crate) fn store_row_where(&mut self, value: Lane, addr: Lane, offset: i32, mask: Lane) -> bool {
        if !self.has_mask_registers() || is_wide(self.ty(value)) {
            return false;
        }
        let (a, bytes) = (self.scalar(addr), self.vector_bytes() as i32);
        let (values, masks) = (self.vecs(value), self.vecs(mask));
        for (i, (v, mask)) in values.into_iter().zip(masks).enumerate() {
            let at = self.fb.ins().iadd_imm_s(a, i64::from(offset + bytes * i as i32));
            self.intrinsic_call(Intrinsic::StoreMasked, &[at, mask, v], types::INVALID);
        }
        true
    }

    /// Returns true if [`Self::scatter_where`] and [`Self::store_row_where`] emit code.
    pub(crate) fn has_masked_stores(&self) -> bool {
        self.has_mask_registers()
    }

    /// Offsets and mask for each vector of a type.
    fn by_vector(&mut self, ty: Ty, offset: Lane, mask: Lane) -> (super::Vecs, super::Vecs) {
        let (offsets, masks) = (self.vecs(offset), self.vecs(mask));
        if !is_wide(ty) {
            return (offsets, masks);
        }
        let vt = self.vector_type(Ty::I64);
        let (mut indexes, mut halves) = (super::Vecs::new(), super::Vecs::new());
        for (o, m) in offsets.into_iter().zip(masks) {
            indexes.extend([o, self.half(o, true)]);
            halves.push(self.intrinsic(Intrinsic::MaskLow, &[m], vt));
            halves.push(self.intrinsic(Intrinsic::MaskHigh, &[m], vt));
        }
        (indexes, halves)
    }

    /// Gathers 32- or 64-bit elements with the host's instruction, at unsigned 32-bit offsets; in all lanes, or where
    /// `mask` is true.
    pub(super) fn gather_vectors(
        &mut self,
        element: Type,
        base: Value,
        offset: Lane,
        mask: Option<Lane>,
    ) -> super::Vecs {
        let vt = vector_of(element, self.vector_bits);
        let ty = if element.bits() == 64 { Ty::I64 } else { Ty::I32 };
        let (zero_shift, none) = (self.fb.ins().iconst(types::I32, 0), self.vconst32(vt, &[0]));
        let (indexes, masks) = match mask {
            Some(mask) => self.by_vector(ty, offset, mask),
            None => {
                let mut indexes = self.vecs(offset);
                if element.bits() == 64 {
                    indexes = indexes.into_iter().flat_map(|o| [o, self.half(o, true)]).collect();
                }
                let all = self.vconst32(self.vector_type(ty), &[!0]);
                let masks = indexes.iter().map(|_| all).collect();
                (indexes, masks)
            }
        };
        indexes
            .into_iter()
            .zip(masks)
            .map(|(index, mask)| {
                let args = [base, index, zero_shift, mask, none];
                self.intrinsic(Intrinsic::GatherUnsigned, &args, vt)
            })
            .collect()
    }
}

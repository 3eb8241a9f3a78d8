//! Points of a patch's domain. All units of a call belong to one patch.

use std::mem::offset_of;

use super::vertices::word_at;
use crate::Result;
use crate::abi::Ctx;
use crate::codegen::Gen;
use crate::ir::{BuiltIn, Ty};
use crate::lane::Lane;

impl Gen<'_, '_, '_> {
    /// An input scalar of the patch.
    pub(super) fn patch_input(&mut self, k: u32) -> Lane {
        let ty = self.shader.patch_inputs[k as usize].ty;
        let word = Self::word(&self.shader.patch_inputs, k) as i32;
        let record = self.load_ctx(Ty::I64, offset_of!(Ctx, patch_records));
        let words = self.load_ctx(Ty::I64, offset_of!(Ctx, patch_words));
        let mut load = |w: i32| {
            let (at, there) = word_at(self.b, words, w, record);
            let (v, zero) = (self.b.load(Ty::I32, at, 0), self.b.u32(0));
            self.b.select(there, v, zero)
        };
        let lo = load(word);
        if crate::lane::is_wide(ty) {
            let hi = load(word + 1);
            let v = self.b.join_words(lo, hi);
            return self.b.bitcast(v, ty);
        }
        self.b.word_to(lo, ty)
    }

    pub(super) fn evaluation_builtin(&mut self, b: BuiltIn, c: u32) -> Result<Lane> {
        Ok(match b {
            BuiltIn::TessCoord => {
                let row = self.load_ctx(Ty::I64, offset_of!(Ctx, tess_coord) + 8 * c as usize);
                let at = self.b.index(row, self.env.unit, 4);
                self.b.load_row(Ty::F32, at, 0)
            }
            BuiltIn::PatchVertices => self.env.vertices.count,
            BuiltIn::PrimitiveId => {
                let ids = self.load_ctx(Ty::I64, offset_of!(Ctx, primitive_ids));
                self.b.load(Ty::I32, ids, 0)
            }
            other => return self.no_builtin(other),
        })
    }
}

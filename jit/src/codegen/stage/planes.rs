//! Data of a fragment's primitive: from its record, as scalars per call, or from the rows of a packed group, which hold
//! it for each quad.

use std::mem::offset_of;

use crate::abi::{self, Plane, Primitive, Stamp, packed_row};
use crate::codegen::Gen;
use crate::ir::{BuiltIn, Ty};
use crate::lane::Lane;

/// A plane equation of a primitive.
#[derive(Clone, Copy)]
pub(super) enum PlaneOf {
    Z,
    InvW,
    /// An input, given by its word.
    Input(u32),
}

impl Gen<'_, '_, '_> {
    /// Finds the primitive of the current unit; returns the corner of its stamp or, in packed groups, of each lane's
    /// quad.
    pub(super) fn find_primitive(&mut self, stamp: Lane) -> [Lane; 2] {
        if !self.shader.packed {
            return [offset_of!(Stamp, x), offset_of!(Stamp, y)]
                .map(|at| self.b.load(Ty::I32, stamp, at as i32));
        }
        let rows = packed_row::count(abi::interface_words(&self.shader.inputs));
        let (input, unit, s) = (self.env.fragment.rows_of_all, self.env.unit, self.b.lanes());
        self.env.fragment.primitive = self.b.index(input, unit, rows * s * 4);
        self.env.fragment.origin = [0, 1].map(|k| self.packed_row(Ty::F32, packed_row::ORIGIN + k));
        [packed_row::X, packed_row::Y].map(|row| self.packed_row(Ty::I32, row))
    }

    fn packed_row(&mut self, ty: Ty, row: u32) -> Lane {
        let s = self.b.lanes();
        self.b.load_row(ty, self.env.fragment.primitive, (row * s * 4) as i32)
    }

    /// Pixel of a lane, relative to the corner of its stamp, or of its quad in packed groups.
    pub(super) fn lane_place(&self, lane: u32) -> [u32; 2] {
        match self.shader.packed {
            true => abi::stamp_lane(4, lane % 4).into(),
            false => abi::stamp_lane(self.b.lanes(), lane).into(),
        }
    }

    /// `a0`, `dadx` and `dady` of a plane.
    pub(super) fn plane_words(&mut self, of: PlaneOf) -> [Lane; 3] {
        if self.shader.packed {
            let first = match of {
                PlaneOf::Z => packed_row::Z,
                PlaneOf::InvW => packed_row::INV_W,
                PlaneOf::Input(word) => packed_row::INPUTS + 3 * word,
            };
            return [0, 1, 2].map(|k| self.packed_row(Ty::F32, first + k));
        }
        let (at, offset) = match of {
            PlaneOf::Z => (self.env.fragment.primitive, offset_of!(Primitive, z)),
            PlaneOf::InvW => (self.env.fragment.primitive, offset_of!(Primitive, inv_w)),
            PlaneOf::Input(word) => (self.env.fragment.planes, word as usize * size_of::<Plane>()),
        };
        [offset_of!(Plane, a0), offset_of!(Plane, dadx), offset_of!(Plane, dady)]
            .map(|k| self.b.load(Ty::F32, at, (offset + k) as i32))
    }

    /// The bits of a flat input's word.
    pub(super) fn flat_word(&mut self, word: u32) -> Lane {
        match self.shader.packed {
            true => self.packed_row(Ty::I32, packed_row::INPUTS + 3 * word),
            false => {
                let at = word as usize * size_of::<Plane>();
                self.b.load(Ty::I32, self.env.fragment.planes, at as i32)
            }
        }
    }

    /// A built-in that is a word of the primitive: FrontFacing, PrimitiveId, Layer or ViewportIndex.
    pub(super) fn primitive_word(&mut self, b: BuiltIn) -> Lane {
        let (row, at) = match b {
            BuiltIn::FrontFacing => (packed_row::FRONT_FACING, offset_of!(Primitive, front_facing)),
            BuiltIn::PrimitiveId => (packed_row::PRIMITIVE_ID, offset_of!(Primitive, primitive_id)),
            BuiltIn::Layer => (packed_row::LAYER, offset_of!(Primitive, layer)),
            _ => (packed_row::VIEWPORT_INDEX, offset_of!(Primitive, viewport_index)),
        };
        match self.shader.packed {
            true => self.packed_row(Ty::I32, row),
            false => self.b.load(Ty::I32, self.env.fragment.primitive, at as i32),
        }
    }
}

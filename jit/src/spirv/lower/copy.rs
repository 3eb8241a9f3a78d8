//! Copies of bytes from memory to memory, whatever the types of the two places.
//!
//! Private variables have no bytes: `variable` and `aggregate` copy them by their type. Spec: SPIR-V,
//! OpCopyMemorySized.

use smallvec::smallvec;

use super::aggregate::{MAX_UNROLLED, TURN};
use super::place::{Place, Root, element};
use super::{Lower, Scalars};
use crate::error::{Error, Result};
use crate::ir::{Imm, Mem, Note, Op, Ty, Value};
use crate::spirv::module::Inst;
use crate::spirv::types::Units;

/// OpCopyMemorySized: copies a constant number of bytes.
pub fn copy_sized<'m>(lower: &mut Lower<'m>, _: &Inst, operands: &'m [u32]) -> Result<()> {
    let (to_id, from_id) = (lower.id_at(operands, 0)?, lower.id_at(operands, 1)?);
    let size = lower.id_at(operands, 2)?;
    let size = lower.types.const_u32(size)?;
    let (mut to, mut from) = (lower.place(to_id)?, lower.place(from_id)?);
    let private = |p: &Place| p.units() == Units::Leaves && !p.is_unchosen();
    if private(&to) || private(&from) {
        // Private variables have no bytes, so their type determines what is copied.
        lower.retype(&mut to, to_id, from.ty)?;
        lower.retype(&mut from, from_id, to.ty)?;
        lower.keep_copied(&mut to, &mut from, operands.get(3..).unwrap_or_default());
        let scalars = lower.load(&from)?;
        return lower.store(&to, &scalars);
    }
    lower.choose_buffer(&mut to)?;
    lower.choose_buffer(&mut from)?;
    lower.keep_copied(&mut to, &mut from, operands.get(3..).unwrap_or_default());
    lower.copy_bytes(&to, &from, size)
}

impl Lower<'_> {
    /// Copies bytes between places in memory.
    ///
    /// Up to [`MAX_UNROLLED`] scalars are read before any is written, as if the bytes were a single object. A loop
    /// copies more, [`TURN`] scalars at a time from the lowest address on.
    pub(super) fn copy_bytes(&mut self, to: &Place, from: &Place, size: u32) -> Result<()> {
        let (to, from) = (self.near(to), self.near(from));
        // Observers need to know which bytes of private memory are padding.
        let by_bytes = self.noted && matches!(from.root, Root::Private);
        let ty = match size % 4 {
            _ if by_bytes => Ty::I8,
            0 => Ty::I32,
            2 => Ty::I16,
            _ => Ty::I8,
        };
        let n = size / ty.bytes();
        if n <= MAX_UNROLLED {
            return self.copy_scalars(&to, &from, ty, n);
        }
        let step = TURN * ty.bytes();
        self.counted(n / TURN, |lower, turn| {
            let at_turn = |place: &Place| {
                let mut place = place.clone();
                place.dynamic.push((turn, step));
                place
            };
            lower.copy_scalars(&at_turn(&to), &at_turn(&from), ty, TURN)
        })?;
        let past = |place: &Place| -> Result<Place> {
            Ok(Place { offset: element(place.offset, n / TURN, step)?, ..place.clone() })
        };
        self.copy_scalars(&past(&to)?, &past(&from)?, ty, n % TURN)
    }

    /// Copies contiguous scalars. All are read before any is written.
    fn copy_scalars(&mut self, to: &Place, from: &Place, ty: Ty, n: u32) -> Result<()> {
        self.work(n as usize)?;
        let mut moved = Vec::new();
        for first in (0..n).step_by(4) {
            let at = first * ty.bytes();
            moved.push((at, self.raw_load(from, at, ty, (n - first).min(4))?));
        }
        if self.noted && matches!(from.root, Root::Private) && !matches!(to.root, Root::Private) {
            let all: Scalars = moved.iter().flat_map(|(_, scalars)| scalars.iter().copied()).collect();
            self.emit(Op::Note, &all, Imm::Note(Note::Copied), &[]);
        }
        moved.iter().try_for_each(|(at, scalars)| self.raw_store(to, *at, scalars))
    }

    fn raw_mem(place: &Place, at: u32, ty: Ty) -> Result<Mem> {
        let offset =
            place.offset.checked_add(at).ok_or_else(|| Error::Limit("offset beyond 4 GiB".into()))?;
        Ok(Mem { offset, stride: ty.bytes(), ordered: place.keeps_order() })
    }

    /// Loads `n` contiguous scalars, `at` bytes after a place.
    fn raw_load(&mut self, place: &Place, at: u32, ty: Ty, n: u32) -> Result<Scalars> {
        let mem = Imm::Mem(Self::raw_mem(place, at, ty)?);
        let dynamic = self.dynamic_offset(place);
        let tys = vec![ty; n as usize];
        match self.buffer_of(&place.root) {
            Some((handle, _)) => Ok(self.emit(Op::LoadBuffer, &[handle, dynamic], mem, &tys)),
            None if matches!(place.root, Root::Shared(_)) => {
                Ok(self.emit(Op::LoadShared, &[dynamic], mem, &tys))
            }
            None if matches!(place.root, Root::Private) => {
                let cells: Vec<_> = (0..n).map(|i| (place.offset + at + i * ty.bytes(), ty)).collect();
                let dynamic = self.dynamic_index(place);
                self.load_private(&cells, dynamic)
            }
            None => Err(Error::invalid("byte access to a variable that is not in memory")),
        }
    }

    /// Stores contiguous scalars, `at` bytes after a place.
    fn raw_store(&mut self, place: &Place, at: u32, scalars: &[Value]) -> Result<()> {
        let mem = Imm::Mem(Self::raw_mem(place, at, self.first_ty(scalars)?)?);
        let dynamic = self.dynamic_offset(place);
        let (op, mut args): (_, Scalars) = match self.buffer_of(&place.root) {
            Some((handle, owner)) => {
                self.mark_buffer_written(owner)?;
                (Op::StoreBuffer, smallvec![handle, dynamic])
            }
            None if matches!(place.root, Root::Shared(_)) => (Op::StoreShared, smallvec![dynamic]),
            None if matches!(place.root, Root::Private) => {
                let bytes = self.first_ty(scalars)?.bytes();
                let cell = |(i, &v)| (place.offset + at + i as u32 * bytes, v);
                let cells: Vec<_> = scalars.iter().enumerate().map(cell).collect();
                let dynamic = self.dynamic_index(place);
                return self.store_private(&cells, dynamic);
            }
            None => return Err(Error::invalid("byte access to a variable that is not in memory")),
        };
        args.extend_from_slice(scalars);
        self.emit(op, &args, mem, &[]);
        Ok(())
    }
}

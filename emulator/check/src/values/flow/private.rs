//! Undefined bytes of the private memory of kernels.
//!
//! Private memory is one variable of words, of which narrow scalars are parts. So that a defined byte beside an undefined
//! one stays defined, notes about loads and stores say which bytes they concern, and a load takes its reasons from
//! these bytes instead of from the words.

use quadrille_jit::interp::watch::{View, lanes};
use quadrille_jit::ir::{Inst, PrivateAccess, Value};

use super::Values;
use crate::kind::Kind;
use crate::place;
use crate::values::taint::Taint;

/// State of a byte.
#[derive(Clone, Copy, Default)]
pub(super) enum Byte {
    /// Nothing has been written to it since its variable began.
    Unwritten,
    /// It is defined, or belongs to no variable.
    #[default]
    Defined,
    /// An undefined value has been written to it.
    Undefined(Taint),
}

/// Private memory of the lanes of a lane group: the bytes of the first lane, then those of the next.
#[derive(Default)]
pub(super) struct Private {
    bytes: Vec<Vec<Byte>>,
}

impl Private {
    /// Forgets all bytes, as at the start of a lane group.
    pub(super) fn clear(&mut self) {
        self.bytes.iter_mut().for_each(Vec::clear);
    }

    /// The bytes of a lane in a range; only those that a variable has had are kept.
    fn of(&mut self, lane: usize, from: u64, n: u32, grow: bool) -> &mut [Byte] {
        if self.bytes.len() <= lane {
            self.bytes.resize_with(lane + 1, Vec::new);
        }
        let bytes = &mut self.bytes[lane];
        let Some(from) = usize::try_from(from).ok().filter(|&from| from < LARGEST) else { return &mut [] };
        let to = (from + n as usize).min(LARGEST);
        if grow && bytes.len() < to {
            bytes.resize(to, Byte::Defined);
        }
        let to = to.min(bytes.len());
        &mut bytes[from.min(to)..to]
    }
}

/// More bytes than any private memory has.
const LARGEST: usize = 1 << 20;

impl Values {
    /// Processes a note about bytes of private memory.
    pub(super) fn private(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        (offset, n): (u32, u32),
        access: PrivateAccess,
    ) {
        let from = |lane: usize| match inst.args.first() {
            Some(&index) => u64::from(offset) + at.value(index, lane),
            None => u64::from(offset),
        };
        let active = at.active();
        match (access, inst.args.get(1)) {
            (PrivateAccess::Fresh, _) => {
                let private = &mut self.group(at).private;
                lanes(active).for_each(|l| private.of(l, from(l), n, true).fill(Byte::Unwritten));
            }
            (PrivateAccess::Store, Some(&value)) => {
                let group = self.group(at);
                for l in lanes(active) {
                    let byte = match group.shadow.get(value, l) {
                        taint if taint.is_set() => Byte::Undefined(taint),
                        _ => Byte::Defined,
                    };
                    group.private.of(l, from(l), n, false).fill(byte);
                }
            }
            (PrivateAccess::Load, Some(&value)) => {
                let mut unwritten = 0;
                let group = self.group(at);
                for l in lanes(active) {
                    let bytes = group.private.of(l, from(l), n, false);
                    let first =
                        bytes.iter().find(|b| !matches!(b, Byte::Defined)).copied().unwrap_or_default();
                    match first {
                        Byte::Unwritten => unwritten |= 1 << l,
                        Byte::Undefined(taint) => group.shadow.set(value, l, taint),
                        Byte::Defined => group.shadow.set(value, l, Taint::default()),
                    }
                }
                self.unwritten_private(at, inst, value, unwritten);
            }
            (PrivateAccess::Load | PrivateAccess::Store, None) => {}
        }
    }

    /// Counts the parts of an object that is copied as a whole as defined.
    pub(super) fn copied(&mut self, at: &View<'_>, inst: &Inst) {
        let shadow = &mut self.group(at).shadow;
        inst.args.iter().for_each(|&v| shadow.clear(v, at.active()));
    }

    fn unwritten_private(&mut self, at: &View<'_>, inst: &Inst, value: Value, unwritten: u32) {
        if unwritten != 0 {
            let kind = Kind::UninitializedVariable;
            let message = "private memory is read before anything is written to it".to_owned();
            let report = place::report_op(at, inst, kind, message);
            self.poison(at, inst, value, unwritten, &report);
        }
    }
}

//! Large aggregates: loops over their elements copy them from memory to memory, and they are never split into scalars.
//!
//! Loading a value of more than [`MAX_SPLIT`] scalars copies it into a private variable ([`Val::Memory`]) that nothing
//! else writes; storing it copies it again. Memory that no shader writes is not copied. Users that need the scalars of
//! such a value load them, up to a limit ([`Lower::take_apart`]). Smaller values are scalars from the start (see [`super::place`]).
//!
//! The value of a vector is its scalars, however long it is: nearly every instruction needs all of them. Only its way from and
//! to memory is a loop, through a private variable: an access of memory takes many instructions for each scalar, and an
//! access of a variable one.

use super::place::{Owner, Place, Root, element};
use super::{Lower, Scalars, Val};
use crate::error::{Error, Result};
use crate::ir::{self, Imm, Node, Op, Region, ResourceKind, Ty, Value};
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// Maximum number of scalars of a value that is split into scalars.
pub const MAX_SPLIT: u32 = 512;
/// Number of scalars of large aggregates that instructions may handle one by one, beside those for the module's words.
const MAX_APART: usize = 1 << 16;
/// Number of such scalars for each word of the module.
const APART_PER_WORD: usize = 64;
/// Maximum number of components of a vector, and of scalars of a copy of bytes, that are loaded and stored without a
/// loop.
pub(super) const MAX_UNROLLED: u32 = 64;
/// Maximum number of scalars that one iteration of a copy loop moves, unless a single element has more.
pub(super) const TURN: u32 = 16;

/// Source of the elements that are written to an aggregate.
#[derive(Clone, Copy)]
enum From<'p> {
    Place(&'p Place),
    Zero,
}

impl Lower<'_> {
    /// `true` if a value of this type, loaded from a place, stays in memory.
    pub(super) fn stays_in_memory(&mut self, p: &Place, ty: u32) -> Result<bool> {
        let is_struct = match self.module.ty(ty)? {
            Type::Array { .. } => false,
            Type::Struct { .. } => true,
            _ => return Ok(false),
        };
        let memory = match p.root {
            Root::Var(_) | Root::Output(..) => true,
            Root::Buffer { .. } | Root::Address(_) | Root::Shared(_) | Root::Payload { .. } => true,
            // Only a block stays in memory; an array of descriptors does not.
            Root::Binding(_) | Root::Mapped(_) => is_struct,
            Root::Heap(_) | Root::Generic(_) | Root::Private => false,
            Root::Input(_) | Root::Record(_) | Root::Texel(_) | Root::Query(_) => false,
        };
        Ok(memory && p.ty == ty && self.types.leaves(ty)? > MAX_SPLIT)
    }

    /// Counts `n` scalars of a value of type `ty` that an instruction handles one by one, with nodes for each. Few words
    /// can request [`crate::spirv::types::MAX_LEAVES`] of them, so those of large aggregates have a limit in proportion
    /// to the module.
    pub(super) fn take_apart(&mut self, ty: u32, n: usize) -> Result<()> {
        let is_aggregate = matches!(self.module.ty(ty)?, Type::Array { .. } | Type::Struct { .. });
        if !is_aggregate || n as u32 <= MAX_SPLIT {
            return Ok(());
        }
        self.one_by_one(n)
    }

    /// Counts scalars of large aggregates, with nodes for each.
    fn one_by_one(&mut self, n: usize) -> Result<()> {
        self.apart += n;
        let most = MAX_APART + APART_PER_WORD * self.module.words().len();
        match self.apart <= most {
            true => Ok(()),
            false => Err(Error::Limit(format!(
                "instructions take large arrays and structures apart into more than {most} scalars"
            ))),
        }
    }

    /// Loads a large aggregate. The value is a copy, or the place itself if nothing can write there.
    pub(super) fn load_aggregate(&mut self, inst: &Inst, from: &Place) -> Result<()> {
        let mut from = from.clone();
        self.choose_buffer(&mut from)?;
        let read_only = match from.root {
            Root::Buffer { owner: Owner::Push | Owner::Record, .. } => true,
            Root::Buffer { owner: Owner::Binding(b), .. } => {
                self.shader.bindings[b as usize].kind == ResourceKind::UniformBuffer
            }
            _ => false,
        };
        if read_only && !from.ordered {
            self.bind(inst.id, Val::Memory(from));
            return Ok(());
        }
        let copy = self.beside(&from)?;
        self.copy(&copy, &from)?;
        self.bind(inst.id, Val::Memory(copy));
        Ok(())
    }

    /// `true` if a loop moves the vector at a place.
    pub(super) fn is_long(&mut self, p: &Place) -> Result<bool> {
        let memory =
            matches!(p.root, Root::Buffer { .. } | Root::Address(_) | Root::Shared(_) | Root::Payload { .. });
        let vector = matches!(self.module.ty(p.ty)?, Type::Vector { .. });
        Ok(memory && vector && self.types.leaves(p.ty)? > MAX_UNROLLED)
    }

    /// A private variable for the value at a place.
    fn beside(&mut self, p: &Place) -> Result<Place> {
        let mut tys = Vec::new();
        self.types.leaf_types(p.ty, &mut tys)?;
        let var = self.new_var(tys, "");
        Ok(Place::new(Root::Var(var), p.ty))
    }

    /// Loads a vector for which [`Lower::is_long`] is true.
    pub(super) fn load_long(&mut self, from: &Place) -> Result<Scalars> {
        let copy = self.beside(from)?;
        self.copy(&copy, from)?;
        self.load(&copy)
    }

    /// Stores a vector for which [`Lower::is_long`] is true.
    pub(super) fn store_long(&mut self, to: &Place, scalars: &[Value]) -> Result<()> {
        let copy = self.beside(to)?;
        self.store(&copy, scalars)?;
        self.copy(to, &copy)
    }

    /// Copies the contents of a place to a place of the same type.
    pub(super) fn copy(&mut self, to: &Place, from: &Place) -> Result<()> {
        self.move_all(to, From::Place(from))
    }

    /// Zeroes the contents of a place.
    pub(super) fn zero(&mut self, to: &Place) -> Result<()> {
        self.move_all(to, From::Zero)
    }

    fn move_all(&mut self, to: &Place, from: From<'_>) -> Result<()> {
        let m = self.module;
        let mut to = to.clone();
        if matches!(m.ty(to.ty)?, Type::Struct { .. }) {
            self.choose_buffer(&mut to)?;
        }
        let n = self.types.leaves(to.ty)?;
        if n <= TURN {
            // Only elements of arrays are moved by loops: structures of structures may have many members.
            self.one_by_one(n as usize)?;
            let scalars = match from {
                From::Place(p) => self.load(p)?,
                From::Zero => self.zeros(to.ty)?,
            };
            return self.store(&to, &scalars);
        }
        match m.ty(to.ty)? {
            Type::Struct { members } => {
                for i in 0..members.len() as u32 {
                    let mut to = to.clone();
                    self.member(&mut to, i)?;
                    match from {
                        From::Zero => self.move_all(&to, from)?,
                        From::Place(p) => {
                            let mut p = p.clone();
                            self.choose_buffer(&mut p)?;
                            self.member(&mut p, i)?;
                            self.move_all(&to, From::Place(&p))?;
                        }
                    }
                    self.work(1)?;
                }
                Ok(())
            }
            Type::Array { elem, .. } | Type::Vector { elem, .. } => self.move_array(&to, from, *elem),
            _ => {
                self.one_by_one(n as usize)?;
                let scalars = match from {
                    From::Place(p) => self.load(p)?,
                    From::Zero => self.zeros(to.ty)?,
                };
                self.store(&to, &scalars)
            }
        }
    }

    fn zeros(&mut self, ty: u32) -> Result<Scalars> {
        let mut tys = Vec::new();
        self.types.leaf_types(ty, &mut tys)?;
        Ok(tys.into_iter().map(|ty| self.constant(ty, 0)).collect())
    }

    /// Moves an array or a vector: several elements per iteration, and the remainder after the loop.
    fn move_array(&mut self, to: &Place, from: From<'_>, elem: u32) -> Result<()> {
        let len = match self.module.ty(to.ty)? {
            Type::Vector { .. } => self.types.leaves(to.ty)?,
            _ => self.types.array_len(to.ty)?,
        };
        let unroll = (TURN / self.types.leaves(elem)?.max(1)).clamp(1, len);
        let one = |lower: &mut Self, turn: Option<Value>, k: u32| {
            let to = lower.element(to, turn, unroll, k)?;
            match from {
                From::Zero => lower.move_all(&to, from),
                From::Place(p) => {
                    let p = lower.element(p, turn, unroll, k)?;
                    lower.move_all(&to, From::Place(&p))
                }
            }
        };
        self.counted(len / unroll, |lower, turn| (0..unroll).try_for_each(|k| one(lower, Some(turn), k)))?;
        (len - len % unroll..len).try_for_each(|k| one(self, None, k))
    }

    /// Element `turn * unroll + k` of an array or a vector.
    fn element(&mut self, array: &Place, turn: Option<Value>, unroll: u32, k: u32) -> Result<Place> {
        let mut p = array.clone();
        let (elem, stride) = match *self.module.ty(p.ty)? {
            Type::Vector { elem, .. } => (elem, self.tight(elem, p.units())?),
            Type::Array { elem, .. } => (elem, self.types.array_stride(p.ty, p.units())?),
            _ => return Err(Error::Internal("elements of a type without elements".into())),
        };
        p.offset = element(p.offset, k, stride)?;
        let step = element(0, unroll, stride)?;
        if let Some(turn) = turn
            && step != 0
        {
            p.dynamic.push((turn, step));
        }
        p.ty = elem;
        p.step = 0;
        Ok(p)
    }

    /// A loop that counts from 0 up to `n`.
    pub(super) fn counted(
        &mut self,
        n: u32,
        body: impl FnOnce(&mut Self, Value) -> Result<()>,
    ) -> Result<()> {
        let (zero, one, n) = (self.i32(0), self.i32(1), self.i32(n));
        let count = self.new_var(vec![Ty::I32], "");
        let imm = Imm::Var { var: count, elem: 0 };
        self.emit(Op::VarSet, &[zero], imm.clone(), &[]);
        let label = self.new_label();
        let saved = std::mem::take(&mut self.cur);
        self.forget();
        let i = self.emit(Op::VarGet, &[], imm.clone(), &[Ty::I32])[0];
        let more = self.op(Op::ULt, Ty::Bool, &[i, n]);
        let end = self.breaks(label);
        self.push_if(more, Region::default(), Region { nodes: Vec::new(), end });
        body(self, i)?;
        let next = self.op(Op::IAdd, Ty::I32, &[i, one]);
        self.emit(Op::VarSet, &[next], imm, &[]);
        let nodes = std::mem::replace(&mut self.cur, saved);
        self.forget();
        self.work(1)?;
        self.cur.push(Node::Loop(Box::new(ir::Loop {
            label,
            params: Vec::new(),
            body: Region { nodes, end: super::control::yields() },
            results: Vec::new(),
            src: self.src,
        })));
        Ok(())
    }
}

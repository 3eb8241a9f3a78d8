//! Private memory of kernels: variables of functions whose pointers are more than places of loads and stores.
//!
//! All of it is one private variable of 32-bit words. Narrow scalars are parts of words, wide ones two words. Variables
//! whose pointers are only loaded from, stored to and indexed stay lists of scalars, as in shaders.

use rustc_hash::{FxHashMap, FxHashSet};
use spirv::Op as SpvOp;

use super::super::place::Place;
use super::super::{Lower, Scalars};
use super::pointer::keeps_plain;
use crate::error::{Error, Result};
use crate::ir::{Imm, Note, Op, PrivateAccess, Ty, Value, Var};
use crate::spirv::grammar;
use crate::spirv::module::Inst;
use crate::spirv::types::Type;

/// Most bytes of private memory of an invocation.
const MAX_PRIVATE: u32 = 1 << 16;

/// Private memory of the invocation.
pub(super) struct Memory {
    var: Var,
    bytes: u32,
}

/// A scalar in private memory: static byte offset, dynamic byte offset, type.
struct Cell {
    at: u32,
    dynamic: Option<Value>,
}

impl Lower<'_> {
    /// `true` if the kernel has private memory so far, so that a generic pointer may lead there.
    pub(in crate::spirv::lower) fn has_private(&self) -> bool {
        self.kernel.private.is_some()
    }

    /// Reserves private memory.
    pub(super) fn private_room(&mut self, size: u32, align: u32, name: &str) -> Result<u32> {
        if self.kernel.private.is_none() {
            let var = self.new_var(Vec::new(), name);
            // Parts of words are read before they are written.
            self.note_zeros(Note::Zeros(var));
            self.kernel.private = Some(Memory { var, bytes: 0 });
        }
        let Some(memory) = &mut self.kernel.private else {
            return Err(Error::Internal("no private memory".into()));
        };
        let at = memory.bytes.checked_next_multiple_of(align.max(4));
        let end = at.and_then(|at| at.checked_add(size)).filter(|&end| end <= MAX_PRIVATE);
        let Some(end) = end else {
            return Err(Error::Limit(format!(
                "private memory of an invocation, at most {MAX_PRIVATE} bytes"
            )));
        };
        memory.bytes = end.next_multiple_of(4);
        let words = (memory.bytes / 4) as usize;
        self.shader.vars[memory.var.0 as usize].elems.resize(words, Ty::I32);
        Ok(end - size)
    }

    /// The words of private memory, if the kernel has any so far.
    pub(in crate::spirv::lower) fn private_words(&self) -> Option<Var> {
        self.kernel.private.as_ref().map(|memory| memory.var)
    }

    fn private_var(&self) -> Result<Var> {
        self.private_words()
            .ok_or_else(|| Error::unsupported("a pointer to a private variable that no kernel has"))
    }

    /// A word of private memory.
    fn private_word(&mut self, cell: &Cell, word: u32) -> Result<Value> {
        let var = self.private_var()?;
        let imm = Imm::Var { var, elem: cell.at / 4 + word };
        if cell.dynamic.is_none() && imm_outside(&imm, self.words(var)) {
            return Ok(self.i32(0));
        }
        Ok(match cell.dynamic {
            None => self.get_var(var, cell.at / 4 + word, Ty::I32),
            Some(index) => self.emit(Op::VarGetDyn, &[index], imm, &[Ty::I32])[0],
        })
    }

    fn set_private_word(&mut self, cell: &Cell, word: u32, v: Value) -> Result<()> {
        let var = self.private_var()?;
        let imm = Imm::Var { var, elem: cell.at / 4 + word };
        if cell.dynamic.is_none() && imm_outside(&imm, self.words(var)) {
            return Ok(());
        }
        match cell.dynamic {
            None => self.emit(Op::VarSet, &[v], imm, &[]),
            Some(index) => self.emit(Op::VarSetDyn, &[index, v], imm, &[]),
        };
        Ok(())
    }

    fn words(&self, var: Var) -> u32 {
        self.shader.vars[var.0 as usize].elems.len() as u32
    }

    /// The word that holds a byte, and the shift of the byte in it. Without a dynamic offset, the shift is constant.
    fn cell(&mut self, at: u32, dynamic: Option<Value>) -> (Cell, Value) {
        let Some(dynamic) = dynamic else {
            let shift = self.i32(8 * (at % 4));
            return (Cell { at: at / 4 * 4, dynamic: None }, shift);
        };
        // The static part may reach into the next word.
        let part = self.i32(at);
        let byte = if at == 0 { dynamic } else { self.op(Op::IAdd, Ty::I32, &[dynamic, part]) };
        // A sum past the end wraps; offsets that are out of range stay so.
        let wrapped = self.op(Op::ULt, Ty::Bool, &[byte, dynamic]);
        let most = self.i32(u32::MAX);
        let byte = self.op(Op::Select, Ty::I32, &[wrapped, most, byte]);
        let (two, three, low) = (self.i32(2), self.i32(3), self.i32(3));
        let word = self.op(Op::ShrU, Ty::I32, &[byte, two]);
        let rest = self.op(Op::And, Ty::I32, &[byte, low]);
        let shift = self.op(Op::Shl, Ty::I32, &[rest, three]);
        (Cell { at: 0, dynamic: Some(word) }, shift)
    }

    /// Loads a scalar of private memory.
    fn load_cell(&mut self, at: u32, dynamic: Option<Value>, ty: Ty) -> Result<Value> {
        let int = ty.as_int();
        let (cell, shift) = self.cell(at, dynamic);
        let low = self.private_word(&cell, 0)?;
        let value = match int {
            Ty::I32 => low,
            Ty::I64 => {
                let high = self.private_word(&cell, 1)?;
                let (low, high) =
                    (self.op(Op::UConvert, Ty::I64, &[low]), self.op(Op::UConvert, Ty::I64, &[high]));
                let amount = self.i32(32);
                let high = self.op(Op::Shl, Ty::I64, &[high, amount]);
                self.op(Op::Or, Ty::I64, &[low, high])
            }
            _ => {
                let part = self.op(Op::ShrU, Ty::I32, &[low, shift]);
                self.op(Op::UConvert, int, &[part])
            }
        };
        Ok(self.cast(value, ty))
    }

    /// Stores a scalar of private memory.
    fn store_cell(&mut self, at: u32, dynamic: Option<Value>, v: Value) -> Result<()> {
        let ty = self.ty(v);
        let v = self.cast(v, ty.as_int());
        let (cell, shift) = self.cell(at, dynamic);
        match ty.as_int() {
            Ty::I32 => self.set_private_word(&cell, 0, v),
            Ty::I64 => {
                let amount = self.i32(32);
                let high = self.op(Op::ShrU, Ty::I64, &[v, amount]);
                let (low, high) =
                    (self.op(Op::UConvert, Ty::I32, &[v]), self.op(Op::UConvert, Ty::I32, &[high]));
                self.set_private_word(&cell, 0, low)?;
                self.set_private_word(&cell, 1, high)
            }
            int => {
                let bits = self.i32(int.bytes() * 8);
                let old = self.private_word(&cell, 0)?;
                let part = self.op(Op::UConvert, Ty::I32, &[v]);
                let new = self.op(Op::BitFieldInsert, Ty::I32, &[old, part, shift, bits]);
                self.set_private_word(&cell, 0, new)
            }
        }
    }

    /// Loads scalars, each at its byte offset from the dynamic one, from private memory.
    pub(in crate::spirv::lower) fn load_private(
        &mut self,
        list: &[(u32, Ty)],
        dynamic: Option<Value>,
    ) -> Result<Scalars> {
        let one = |lower: &mut Self, &(at, ty): &(u32, Ty)| {
            let v = match lower.crosses_words(at, ty, dynamic)? {
                false => lower.load_cell(at, dynamic, ty),
                true => lower.load_parts(at, dynamic, ty),
            }?;
            lower.note_private((at, dynamic), v, PrivateAccess::Load);
            Ok(v)
        };
        list.iter().map(|cell| one(self, cell)).collect()
    }

    /// Notes the bytes of a scalar of private memory.
    fn note_private(&mut self, (offset, dynamic): (u32, Option<Value>), v: Value, access: PrivateAccess) {
        if self.noted {
            let index = dynamic.unwrap_or_else(|| self.i32(0));
            let note = Note::Private { offset, bytes: self.ty(v).bytes(), access };
            self.emit(Op::Note, &[index, v], Imm::Note(note), &[]);
        }
    }

    /// Stores scalars, each at its byte offset from the dynamic one, to private memory.
    pub(in crate::spirv::lower) fn store_private(
        &mut self,
        list: &[(u32, Value)],
        dynamic: Option<Value>,
    ) -> Result<()> {
        for &(at, v) in list {
            self.note_private((at, dynamic), v, PrivateAccess::Store);
            match self.crosses_words(at, self.ty(v), dynamic)? {
                false => self.store_cell(at, dynamic, v)?,
                true => self.store_parts(at, dynamic, v)?,
            }
        }
        Ok(())
    }

    /// `true` if a scalar may begin in the middle of a word and end in the next one, as members of packed structures do.
    fn crosses_words(&self, at: u32, ty: Ty, dynamic: Option<Value>) -> Result<bool> {
        if matches!(ty, Ty::Bool | Ty::Buffer | Ty::Image) {
            return Err(Error::unsupported(format!("{ty} in private memory")));
        }
        let need = ty.bytes().min(4);
        let said = dynamic.is_some() && self.said_aligned != 0 && self.said_aligned < need;
        Ok(said || !at.is_multiple_of(need))
    }

    /// Loads a scalar byte by byte.
    fn load_parts(&mut self, at: u32, dynamic: Option<Value>, ty: Ty) -> Result<Value> {
        let int = ty.as_int();
        let mut whole = self.constant(int, 0);
        for i in 0..ty.bytes() {
            let part = self.load_cell(at + i, dynamic, Ty::I8)?;
            let part = self.op(Op::UConvert, int, &[part]);
            let amount = self.i32(8 * i);
            let part = self.op(Op::Shl, int, &[part, amount]);
            whole = self.op(Op::Or, int, &[whole, part]);
        }
        Ok(self.cast(whole, ty))
    }

    /// Stores a scalar byte by byte.
    fn store_parts(&mut self, at: u32, dynamic: Option<Value>, v: Value) -> Result<()> {
        let int = self.ty(v).as_int();
        let v = self.cast(v, int);
        for i in 0..int.bytes() {
            let amount = self.i32(8 * i);
            let part = self.op(Op::ShrU, int, &[v, amount]);
            let part = self.op(Op::UConvert, Ty::I8, &[part]);
            self.store_cell(at + i, dynamic, part)?;
        }
        Ok(())
    }

    /// Finds the variables of functions that need no memory.
    pub(super) fn find_plain(&mut self, function: u32) -> Result<()> {
        let mut functions = vec![function];
        let mut seen: FxHashSet<u32> = functions.iter().copied().collect();
        while let Some(function) = functions.pop() {
            self.find_plain_of(function, &mut functions, &mut seen)?;
        }
        Ok(())
    }

    fn find_plain_of(&mut self, id: u32, calls: &mut Vec<u32>, seen: &mut FxHashSet<u32>) -> Result<()> {
        let m = self.module;
        let function = m.function(id)?;
        let mut ignored = FxHashSet::default();
        let list = || function.blocks.iter().flat_map(|b| b.body.clone().chain([b.end])).map(|i| m.inst(i));
        // Casts that only the instructions of lifetimes use.
        let mut used = FxHashSet::default();
        for inst in list() {
            self.work(1)?;
            if !matches!(inst.op, SpvOp::LifetimeStart | SpvOp::LifetimeStop) {
                used.extend(m.operands(inst).iter().copied());
            }
            if inst.op == SpvOp::FunctionCall
                && let Some(&callee) = m.operands(inst).first()
                && m.import(callee).is_none()
                && seen.insert(callee)
            {
                calls.push(callee);
            }
        }
        ignored.extend(list().filter(|i| i.op == SpvOp::Bitcast && !used.contains(&i.id)).map(|i| i.id));
        // The variable that each pointer leads to.
        let mut roots: FxHashMap<u32, u32> = FxHashMap::default();
        for inst in list() {
            let base = m.operands(inst).first().and_then(|base| roots.get(base)).copied();
            match inst.op {
                SpvOp::Variable => roots.insert(inst.id, inst.id),
                SpvOp::AccessChain | SpvOp::InBoundsAccessChain => {
                    base.and_then(|root| roots.insert(inst.id, root))
                }
                _ if self.keeps_variable(inst) => base.and_then(|root| roots.insert(inst.id, root)),
                _ => None,
            };
        }
        let mut plain: FxHashSet<u32> = roots.values().copied().collect();
        for inst in list().filter(|i| i.op != SpvOp::Variable && !ignored.contains(&i.id)) {
            let chain = self.keeps_variable(inst);
            for (i, word) in m.operands(inst).iter().enumerate() {
                let keeps = keeps_plain(inst.op, i) || chain && i == 0;
                if let Some(root) = roots.get(word).filter(|_| !keeps) {
                    plain.remove(root);
                }
            }
        }
        self.kernel.plain.extend(plain);
        Ok(())
    }

    /// `true` if the result leads to the same variable: an access chain, or a pointer to a pointer that is seen as a pointer
    /// to a pointer of another type.
    fn keeps_variable(&mut self, inst: &Inst) -> bool {
        let from = || self.module.operand(inst, 0).and_then(|id| self.module.type_of(id));
        match inst.op {
            SpvOp::Bitcast => {
                from().is_ok_and(|from| self.holds_address(from) && self.holds_address(inst.ty))
            }
            _ => self.stays_at_first(inst),
        }
    }

    /// `true` for pointers to pointers.
    pub(super) fn holds_address(&self, pointer: u32) -> bool {
        let pointee = match self.module.ty(pointer) {
            Ok(&Type::Address { pointee, .. }) => pointee,
            _ => return false,
        };
        matches!(self.module.ty(pointee), Ok(Type::Address { .. }))
    }

    /// `true` for OpPtrAccessChain whose element is 0, which is an access chain.
    fn stays_at_first(&mut self, inst: &Inst) -> bool {
        let chain = matches!(inst.op, SpvOp::PtrAccessChain | SpvOp::InBoundsPtrAccessChain);
        chain && self.module.operand(inst, 1).is_ok_and(|id| self.is_null(id))
    }

    /// `true` for a constant of which all bits are zero.
    pub(in crate::spirv::lower) fn is_null(&mut self, id: u32) -> bool {
        self.module.def(id).is_some_and(|def| grammar::is_constant(def.op))
            && self.types.const_scalar(id).is_ok_and(|bits| bits == 0)
    }

    /// Scalars of a place in private memory: byte offset and type of each, from the place's dynamic offset.
    pub(in crate::spirv::lower) fn private_list(&mut self, p: &Place) -> Result<Vec<(u32, Ty)>> {
        let runs = self.place_runs(p)?;
        let each =
            runs.iter().flat_map(|run| (0..run.count).map(move |i| (run.offset + i * run.stride, run.ty)));
        Ok(each.collect())
    }
}

fn imm_outside(imm: &Imm, words: u32) -> bool {
    matches!(imm, Imm::Var { elem, .. } if *elem >= words)
}

//! Constants: values known at compile time, and their use as registers or operands.

use cranelift_codegen::ir::{InstructionData, Opcode, Value};
use iced_x86::Code;
use regalloc2::{Operand, VReg};

use super::build::{Addr, Rm};
use super::{Lower, width_of};
use crate::Level;
use crate::inst::{Base, Kind};
use crate::ops::M;
use crate::regs::{Slot, Width};

impl Lower<'_> {
    /// A scalar integer constant, sign-extended from its type.
    pub fn int_const(&self, v: Value) -> Option<i64> {
        match self.def(v)? {
            (_, InstructionData::UnaryImm { opcode: Opcode::Iconst, imm }) => {
                let shift = 64 - self.ty(v).bits();
                Some(imm.bits() << shift >> shift)
            }
            (_, InstructionData::Unary { opcode: Opcode::Uextend, arg }) => {
                let bits = self.ty(*arg).bits();
                self.int_const(*arg).map(|k| k & (u64::MAX >> (64 - bits)).cast_signed())
            }
            _ => None,
        }
    }

    /// The bytes of a constant, in memory order.
    pub fn const_bytes(&self, v: Value) -> Option<Vec<u8>> {
        let (_, data) = self.def(v)?;
        match data {
            InstructionData::UnaryConst { opcode: Opcode::Vconst, constant_handle } => {
                Some(self.function.dfg.constants.get(*constant_handle).as_slice().to_vec())
            }
            InstructionData::UnaryIeee32 { imm, .. } => Some(imm.bits().to_le_bytes().to_vec()),
            InstructionData::UnaryIeee64 { imm, .. } => Some(imm.bits().to_le_bytes().to_vec()),
            InstructionData::UnaryImm { opcode: Opcode::Iconst, imm } => {
                Some(imm.bits().to_le_bytes()[..self.ty(v).bytes() as usize].to_vec())
            }
            InstructionData::Unary { opcode: Opcode::Splat, arg } => {
                Some(self.const_bytes(*arg)?.repeat(self.ty(v).lane_count() as usize))
            }
            _ => None,
        }
    }

    /// The lanes of a constant, as the type of the value has them, whatever it was cast from; not extended.
    pub fn const_lanes(&self, v: Value) -> Option<Vec<u64>> {
        let (ty, mut bytes) = (self.ty(v), self.const_bytes(self.root(v))?);
        bytes.truncate(ty.bytes() as usize);
        let lane = |l: &[u8]| l.iter().rev().fold(0, |x, &b| x << 8 | u64::from(b));
        Some(bytes.chunks(ty.lane_type().bytes() as usize).map(lane).collect())
    }

    /// Loads a constant, separately for each use unless the loop holds it in a register.
    pub(super) fn constant(&mut self, v: Value) -> Option<VReg> {
        if let Some(k) = self.int_const(v) {
            let d = self.int();
            self.load_int(d, k);
            return Some(d);
        }
        let bytes = self.const_bytes(v)?;
        if let Some(r) = self.held(&bytes) {
            return Some(r);
        }
        let d = self.vec();
        self.load_vector(d, &bytes);
        Some(d)
    }

    /// Loads an integer constant.
    pub fn load_int(&mut self, d: VReg, k: i64) {
        if (0..=0xffff_ffff).contains(&k) {
            self.g(Code::Mov_r32_imm32, [Slot::R32, Slot::I]).def(d).imm(k).end();
        } else if i32::try_from(k).is_ok() {
            self.g(Code::Mov_rm64_imm32, [Slot::R64, Slot::I]).def(d).imm(k).end();
        } else {
            self.g(Code::Mov_r64_imm64, [Slot::R64, Slot::I]).def(d).imm(k).end();
        }
    }

    /// Loads a float or vector constant.
    pub fn load_vector(&mut self, d: VReg, bytes: &[u8]) {
        let w = width_of(bytes.len());
        if bytes.iter().all(|&b| b == 0) {
            // This zeroes the whole register.
            self.inst(Kind::Zero, &[Operand::reg_def(d)]);
            return;
        }
        let same = |n: usize| bytes.len() > n && bytes.chunks(n).all(|c| c == &bytes[..n]);
        let (m, part) = match bytes.len() {
            4 => (M::MovssLoad, 4),
            8 => (M::MovsdLoad, 8),
            _ if same(4) => (M::BroadcastssLoad, 4),
            n if same(8) && n > 16 => (M::BroadcastsdLoad, 8),
            n => (M::MovupsLoad, n),
        };
        let mem = Addr::of(Base::Const(self.consts.add(&bytes[..part])));
        self.m(m, w).def(d).mem(mem).end();
    }

    /// A vector constant with equal lanes of 32 or 64 bits, as an operand.
    pub fn splat_operand(&mut self, m: M, w: Width, lane: &[u8]) -> Rm {
        let n = w.bytes() as usize / lane.len();
        self.const_operand(m, &lane.repeat(n))
    }

    /// A constant as an operand of a machine operation.
    pub fn const_operand(&mut self, m: M, bytes: &[u8]) -> Rm {
        if bytes.iter().all(|&b| b == 0) {
            let d = self.vec();
            self.load_vector(d, bytes);
            return Rm::Reg(d);
        }
        if let Some(r) = self.held(bytes) {
            return Rm::Reg(r);
        }
        let n = usize::from(m.row().broadcast) / 8;
        let repeats = n != 0 && bytes.len() >= 16 && bytes.chunks(n).all(|c| c == &bytes[..n]);
        let broadcast = repeats && self.level == Level::Avx512;
        let id = self.consts.add(if broadcast { &bytes[..n] } else { bytes });
        Rm::Mem(Addr { broadcast, ..Addr::of(Base::Const(id)) })
    }
}

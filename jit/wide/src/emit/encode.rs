//! Encoding of single instructions, including moves between registers and spill slots.

use iced_x86::{Code, Instruction, OpKind, Register};
use regalloc2::{Allocation, PReg, RegClass};

use super::Emit;
use crate::inst::{Base, Op};
use crate::ops::M;
use crate::regs::name;
use crate::regs::{Slot, Width};
use crate::{Error, Level, Result};

impl Emit<'_> {
    /// Encodes an instruction; a displacement from rip refers to a constant.
    fn encode(&mut self, i: &Instruction, constant: Option<(crate::consts::ConstId, i32)>) -> Result<()> {
        let len = self.encoder.encode(i, u64::from(self.at)).map_err(|e| Error::Encoding(e.to_string()))?;
        let end = self.at + len as u32;
        if let Some((id, add)) = constant {
            let offsets = self.encoder.get_constant_offsets();
            self.loads.push((self.at + offsets.displacement_offset() as u32, end, add, id));
        }
        self.at = end;
        Ok(())
    }

    /// Encodes a machine instruction with its allocated registers.
    pub(crate) fn op(&mut self, op: &Op, allocs: &[Allocation]) -> Result<()> {
        let mut i = Instruction::default();
        i.set_code(op.code);
        let mut regs = allocs.iter().map(|a| a.as_reg());
        let mut next = || {
            regs.next().flatten().ok_or_else(|| Error::Encoding(format!("registers of {}", op.code as u32)))
        };
        for (s, &slot) in op.slots.iter().enumerate() {
            if slot == Slot::N {
                break;
            }
            if matches!(op.mem, Some((m, _)) if m as usize == s) {
                i.set_op_kind(s as u32, OpKind::Memory);
            } else if slot == Slot::I {
                set_immediate(&mut i, s as u32, op.imm);
            } else {
                i.set_op_register(s as u32, name(next()?, slot, op.width));
            }
        }
        let mut constant = None;
        if let Some((_, mem)) = op.mem {
            let mut disp = i64::from(mem.disp);
            i.set_memory_displ_size(1);
            match mem.base {
                Base::None => {}
                Base::Reg => i.set_memory_base(name(next()?, Slot::R64, op.width)),
                Base::Stack(at) => {
                    i.set_memory_base(Register::RSP);
                    disp += i64::from(self.frame.slots + at);
                }
                Base::Outgoing(at) => {
                    i.set_memory_base(Register::RSP);
                    disp += i64::from(at);
                }
                Base::Incoming(at) => {
                    i.set_memory_base(Register::RBP);
                    disp += i64::from(at) + 16;
                }
                Base::Const(id) => {
                    i.set_memory_base(Register::RIP);
                    i.set_memory_displ_size(8);
                    constant = Some((id, mem.disp));
                    disp = i64::from(self.at);
                }
            }
            if let Some(scale) = mem.scale {
                i.set_memory_index(name(next()?, mem.vsib, op.width));
                i.set_memory_index_scale(1 << scale);
            }
            if i32::try_from(disp).is_err() {
                return Err(Error::Encoding("displacement".into()));
            }
            if disp == 0 && mem.base != Base::None {
                i.set_memory_displ_size(0);
            }
            i.set_memory_displacement64(disp as u64);
            i.set_is_broadcast(op.broadcast);
        }
        if op.masked {
            i.set_op_mask(name(next()?, Slot::K, op.width));
            i.set_zeroing_masking(op.zeroing);
        }
        i.set_has_lock_prefix(op.lock);
        self.encode(&i, constant)
    }

    // Instructions of the frame and of moves.

    pub(crate) fn raw1(&mut self, code: Code, a: Register) -> Result<()> {
        self.encode(&of_registers(code, &[a]), None)
    }
    pub(crate) fn raw2(&mut self, code: Code, a: Register, b: Register) -> Result<()> {
        self.encode(&of_registers(code, &[a, b]), None)
    }
    pub(crate) fn raw_imm(&mut self, code: Code, a: Register, k: i32) -> Result<()> {
        let mut i = of_registers(code, &[a]);
        set_immediate(&mut i, 1, i64::from(k));
        self.encode(&i, None)
    }
    /// Encodes a move between a register and `[base + disp]`; `register` is the first operand.
    pub(crate) fn raw_memory(
        &mut self,
        code: Code,
        register: Register,
        base: Register,
        disp: i64,
    ) -> Result<()> {
        self.memory_at(code, 1, register, base, disp)
    }
    /// Like `raw_memory`, with memory as the first operand.
    pub(crate) fn raw_store(
        &mut self,
        code: Code,
        register: Register,
        base: Register,
        disp: i64,
    ) -> Result<()> {
        self.memory_at(code, 0, register, base, disp)
    }
    /// Encodes a load from `[base + index * scale]`.
    pub(crate) fn raw_indexed(
        &mut self,
        code: Code,
        register: Register,
        base: Register,
        index: Register,
        scale: u32,
    ) -> Result<()> {
        let mut i = of_registers(code, &[register]);
        i.set_op1_kind(OpKind::Memory);
        i.set_memory_base(base);
        i.set_memory_index(index);
        i.set_memory_index_scale(scale);
        self.encode(&i, None)
    }
    fn memory_at(
        &mut self,
        code: Code,
        at: u32,
        register: Register,
        base: Register,
        disp: i64,
    ) -> Result<()> {
        let mut i = Instruction::default();
        i.set_code(code);
        i.set_op_kind(at, OpKind::Memory);
        i.set_op_register(1 - at, register);
        i.set_memory_base(base);
        i.set_memory_displ_size(1);
        i.set_memory_displacement64(disp as u64);
        self.encode(&i, None)
    }
    /// Moves 128 bits between a vector register and memory.
    pub(crate) fn vector_memory(&mut self, m: M, r: PReg, base: Register, disp: i32) -> Result<()> {
        let code = m.code(self.level, Width::W128).unwrap_or(Code::INVALID);
        let at = if m == M::MovupsStore { 0 } else { 1 };
        self.memory_at(code, at, name(r, Slot::X, Width::W128), base, i64::from(disp))
    }

    /// Encodes a move of the allocator. None of these moves changes the flags.
    pub(crate) fn moved(&mut self, from: Allocation, to: Allocation) -> Result<()> {
        if from == to {
            return Ok(());
        }
        let w = self.machine.widest;
        let code = |m: M, w: Width| m.code(self.level, w).unwrap_or(Code::INVALID);
        match (from.as_reg(), to.as_reg()) {
            (Some(a), Some(b)) => {
                let (c, slot) = match a.class() {
                    RegClass::Int => (Code::Mov_r64_rm64, Slot::R64),
                    RegClass::Float => (code(M::Movaps, w), Slot::V),
                    RegClass::Vector => (Code::VEX_Kmovq_kr_km64, Slot::K),
                };
                self.raw2(c, name(b, slot, w), name(a, slot, w))
            }
            (Some(r), None) | (None, Some(r)) => {
                let store = from.is_reg();
                let spill = if store { to } else { from };
                let slot_number = spill.as_stack().map_or(0, |s| s.index());
                let disp = i64::from(self.frame.spills) + 8 * slot_number as i64;
                let (c, slot) = match (r.class(), store) {
                    (RegClass::Int, true) => (Code::Mov_rm64_r64, Slot::R64),
                    (RegClass::Int, false) => (Code::Mov_r64_rm64, Slot::R64),
                    (RegClass::Float, true) => (code(M::MovupsStore, w), Slot::V),
                    (RegClass::Float, false) => (code(M::MovupsLoad, w), Slot::V),
                    (RegClass::Vector, true) => (Code::VEX_Kmovq_m64_kr, Slot::K),
                    (RegClass::Vector, false) => (Code::VEX_Kmovq_kr_km64, Slot::K),
                };
                self.memory_at(c, if store { 0 } else { 1 }, name(r, slot, w), Register::RSP, disp)
            }
            (None, None) => Err(Error::Allocation("a move between spills".into())),
        }
    }

    /// Moves a vector register to another, at the given width.
    pub(crate) fn vector_move(&mut self, to: PReg, from: PReg, w: Width) -> Result<()> {
        let code = M::Movaps.code(self.level, w).unwrap_or(Code::INVALID);
        self.raw2(code, name(to, Slot::V, w), name(from, Slot::V, w))
    }

    /// Zeroes a whole vector register.
    pub(crate) fn zero(&mut self, r: PReg) -> Result<()> {
        let level = if r.hw_enc() < 16 { Level::Avx2 } else { Level::Avx512 };
        let code = M::Pxor.code(level, Width::W128).unwrap_or(Code::INVALID);
        self.encode(&of_registers(code, &[name(r, Slot::X, Width::W128); 3]), None)
    }
    /// Sets mask bits from k0, which is never written, so that the result has no dependency.
    pub(crate) fn ones(&mut self, r: PReg, n: u8) -> Result<()> {
        let code = match n {
            8 => Code::VEX_Kxnorb_kr_kr_kr,
            16 => Code::VEX_Kxnorw_kr_kr_kr,
            32 => Code::VEX_Kxnord_kr_kr_kr,
            _ => Code::VEX_Kxnorq_kr_kr_kr,
        };
        let to = name(r, Slot::K, Width::W128);
        self.encode(&of_registers(code, &[to, Register::K0, Register::K0]), None)
    }
}

/// Creates an instruction whose first operands are registers.
fn of_registers(code: Code, registers: &[Register]) -> Instruction {
    let mut i = Instruction::default();
    i.set_code(code);
    registers.iter().enumerate().for_each(|(n, &r)| i.set_op_register(n as u32, r));
    i
}

fn set_immediate(i: &mut Instruction, operand: u32, value: i64) {
    let kind = immediate(i.code());
    i.set_op_kind(operand, kind);
    match kind {
        OpKind::Immediate64 => i.set_immediate64(value as u64),
        OpKind::Immediate32to64 => i.set_immediate32to64(value),
        OpKind::Immediate32 => i.set_immediate32(value as u32),
        OpKind::Immediate16 => i.set_immediate16(value as u16),
        OpKind::Immediate8to32 => i.set_immediate8to32(value as i32),
        OpKind::Immediate8to64 => i.set_immediate8to64(value),
        _ => i.set_immediate8(value as u8),
    }
}

/// Kind of immediate operand of an instruction.
fn immediate(code: Code) -> OpKind {
    use Code::*;
    match code {
        Mov_r64_imm64 => OpKind::Immediate64,
        Mov_r32_imm32 | Mov_rm32_imm32 | Add_rm32_imm32 | Sub_rm32_imm32 | And_rm32_imm32 | Or_rm32_imm32
        | Xor_rm32_imm32 | Cmp_rm32_imm32 | Test_rm32_imm32 | Imul_r32_rm32_imm32 => OpKind::Immediate32,
        Mov_rm64_imm32 | Add_rm64_imm32 | Sub_rm64_imm32 | And_rm64_imm32 | Or_rm64_imm32
        | Xor_rm64_imm32 | Cmp_rm64_imm32 | Test_rm64_imm32 | Imul_r64_rm64_imm32 => OpKind::Immediate32to64,
        Add_rm32_imm8 | Sub_rm32_imm8 | And_rm32_imm8 | Or_rm32_imm8 | Xor_rm32_imm8 | Cmp_rm32_imm8 => {
            OpKind::Immediate8to32
        }
        Add_rm64_imm8 | Sub_rm64_imm8 | And_rm64_imm8 | Or_rm64_imm8 | Xor_rm64_imm8 | Cmp_rm64_imm8 => {
            OpKind::Immediate8to64
        }
        Mov_rm16_imm16 => OpKind::Immediate16,
        _ => OpKind::Immediate8,
    }
}

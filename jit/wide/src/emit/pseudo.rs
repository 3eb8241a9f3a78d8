//! Machine instructions that expand to several instructions of the processor.

use iced_x86::{Code, Register};
use regalloc2::{Allocation, PReg, RegClass};

use super::Emit;
use crate::inst::{Kind, LoopOp};
use crate::regs::name;
use crate::regs::{Slot, Width};
use crate::{Error, Result};

fn reg(a: Allocation) -> Result<PReg> {
    a.as_reg().ok_or_else(|| Error::Allocation("an operand on the stack".into()))
}

impl Emit<'_> {
    pub(crate) fn inst(&mut self, i: usize) -> Result<()> {
        let machine = self.machine;
        let allocs = self.output.inst_allocs(regalloc2::Inst::new(i));
        match &machine.insts[i].kind {
            Kind::Op(op) => self.op(op, allocs),
            Kind::Zero => self.zero(reg(allocs[0])?),
            &Kind::Ones(n) => self.ones(reg(allocs[0])?, n),
            Kind::Args => Ok(()),
            Kind::Jump(to) => {
                self.jump(*to);
                Ok(())
            }
            &Kind::Branch { cc, then, otherwise } => {
                // In a loop, use a single jump to branch back.
                let back = |e: &Self, to: u32| e.labels[e.threaded[to as usize] as usize] > 0;
                if self.falls(self.threaded[then as usize]) || back(self, otherwise) && !back(self, then) {
                    self.jump_if(cc.inverse().number(), otherwise);
                    self.jump(then);
                } else {
                    self.jump_if(cc.number(), then);
                    self.jump(otherwise);
                }
                Ok(())
            }
            Kind::JumpTable(targets) => self.jump_table(targets, allocs),
            &Kind::Call { clear_upper, .. } => {
                if clear_upper && machine.widest > Width::W128 {
                    self.vzeroupper();
                }
                self.raw1(Code::Call_rm64, name(reg(allocs[0])?, Slot::R64, Width::W128))
            }
            &Kind::Ret { clear_upper } => {
                if clear_upper && machine.widest > Width::W128 {
                    self.vzeroupper();
                }
                self.epilogue()
            }
            &Kind::Choose { cc, width } => {
                // The result register already holds the second value.
                let skip = cc.inverse().number() as u8;
                self.byte(0x70 + skip);
                let field = self.at;
                self.byte(0);
                let before = self.at;
                let (to, from) = (reg(allocs[0])?, reg(allocs[1])?);
                match to.class() {
                    RegClass::Vector => {
                        self.raw2(
                            Code::VEX_Kmovq_kr_km64,
                            name(to, Slot::K, width),
                            name(from, Slot::K, width),
                        )?;
                    }
                    _ => self.vector_move(to, from, width)?,
                }
                self.short_label(field, self.at - before)
            }
            &Kind::AtomicLoop { op, bits } => self.atomic_loop(op, bits, allocs),
            &Kind::Trap(code) => {
                self.trap(code);
                Ok(())
            }
            &Kind::TrapIf { cc, code } => {
                self.byte(0x70 + cc.inverse().number() as u8);
                self.byte(2);
                self.trap(code);
                Ok(())
            }
        }
    }

    fn trap(&mut self, code: cranelift_codegen::ir::TrapCode) {
        self.traps.push((self.at, code));
        self.byte(0x0f);
        self.byte(0x0b);
    }

    fn vzeroupper(&mut self) {
        for b in [0xc5, 0xf8, 0x77] {
            self.byte(b);
        }
    }

    /// Records the distance of a short jump, which is patched when the code is complete.
    fn short_label(&mut self, field: u32, distance: u32) -> Result<()> {
        let distance = i8::try_from(distance).map_err(|_| Error::Encoding("short jump".into()))?;
        self.shorts.push((field, distance));
        Ok(())
    }

    /// lea t, [table]; movsxd u, [t + 4 * index]; add u, t; jmp u
    fn jump_table(&mut self, targets: &[u32], allocs: &[Allocation]) -> Result<()> {
        let [index, t, u] = [reg(allocs[0])?, reg(allocs[1])?, reg(allocs[2])?];
        let r = |r: PReg| name(r, Slot::R64, Width::W128);
        let n = t.hw_enc() as u8;
        self.byte(0x48 | (n >> 3) << 2);
        self.byte(0x8d);
        self.byte(0x05 | (n & 7) << 3);
        self.table_loads.push((self.at, self.tables.len()));
        (0..4).for_each(|_| self.byte(0));
        self.tables.push(targets.to_vec());
        // movsxd u, dword [t + index * 4]
        self.raw_indexed(Code::Movsxd_r64_rm32, r(u), r(t), r(index), 4)?;
        self.raw2(Code::Add_r64_rm64, r(u), r(t))?;
        self.raw1(Code::Jmp_rm64, r(u))
    }

    /// mov eax, [a]; again: mov t, eax; op t, x; lock cmpxchg [a], t; jne again
    fn atomic_loop(&mut self, op: LoopOp, bits: u8, allocs: &[Allocation]) -> Result<()> {
        let [old, t, a, x] = [reg(allocs[0])?, reg(allocs[1])?, reg(allocs[2])?, reg(allocs[3])?];
        let wide = bits == 64;
        let slot = if wide { Slot::R64 } else { Slot::R32 };
        let r = |r: PReg| name(r, slot, Width::W128);
        let base = name(a, Slot::R64, Width::W128);
        let pick = |c32: Code, c64: Code| if wide { c64 } else { c32 };
        let mov = pick(Code::Mov_r32_rm32, Code::Mov_r64_rm64);
        self.raw_memory(mov, r(old), base, 0)?;
        let again = self.at;
        match op {
            LoopOp::And | LoopOp::Or | LoopOp::Xor | LoopOp::Nand => {
                self.raw2(mov, r(t), r(old))?;
                let code = match op {
                    LoopOp::Or => pick(Code::Or_r32_rm32, Code::Or_r64_rm64),
                    LoopOp::Xor => pick(Code::Xor_r32_rm32, Code::Xor_r64_rm64),
                    _ => pick(Code::And_r32_rm32, Code::And_r64_rm64),
                };
                self.raw2(code, r(t), r(x))?;
                if op == LoopOp::Nand {
                    self.raw1(pick(Code::Not_rm32, Code::Not_rm64), r(t))?;
                }
            }
            LoopOp::Smin | LoopOp::Smax | LoopOp::Umin | LoopOp::Umax => {
                self.raw2(mov, r(t), r(x))?;
                self.raw2(pick(Code::Cmp_r32_rm32, Code::Cmp_r64_rm64), r(old), r(x))?;
                let code = match op {
                    LoopOp::Smin => pick(Code::Cmovl_r32_rm32, Code::Cmovl_r64_rm64),
                    LoopOp::Smax => pick(Code::Cmovg_r32_rm32, Code::Cmovg_r64_rm64),
                    LoopOp::Umin => pick(Code::Cmovb_r32_rm32, Code::Cmovb_r64_rm64),
                    _ => pick(Code::Cmova_r32_rm32, Code::Cmova_r64_rm64),
                };
                self.raw2(code, r(t), r(old))?;
            }
        }
        self.raw_locked(pick(Code::Cmpxchg_rm32_r32, Code::Cmpxchg_rm64_r64), base, r(t))?;
        self.byte(0x75);
        let back = i64::from(again) - i64::from(self.at) - 1;
        self.byte(back as i8 as u8);
        Ok(())
    }

    fn raw_locked(&mut self, code: Code, base: Register, x: Register) -> Result<()> {
        self.byte(0xf0);
        self.raw_store(code, x, base, 0)
    }
}

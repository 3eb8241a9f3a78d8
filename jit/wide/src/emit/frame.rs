//! Stack frame of a function.
//!
//! From the top: the return address, rbp, callee-saved registers, callee-saved xmm registers (Win64). Then, aligned if
//! any value is wider than 16 bytes: spills, stack slots, outgoing arguments. rsp points to the end of these.

use iced_x86::{Code, Register};
use regalloc2::{Output, PReg, RegClass};

use super::Emit;
use crate::inst::Machine;
use crate::ops::M;
use crate::regs::Width;
use crate::{Error, Result};

/// Maximum frame size in bytes, which keeps displacements small. Larger frames are refused.
const MAX_BYTES: u64 = 1 << 30;
/// Maximum distance between two touched places of the stack, in bytes.
const PAGE: u32 = 4096;
/// Most bytes between the end of a frame and the next touched place: its alignment, and the return address of a call.
const BEYOND: u32 = 64 + 8;

pub(crate) struct Frame {
    /// Size of the part below the saved registers, in bytes.
    pub size: u32,
    /// Offset of the stack slots from rsp.
    pub slots: u32,
    /// Offset of the spills from rsp.
    pub spills: u32,
    /// `true` if rsp is a multiple of 64 in the body.
    aligned: bool,
    kept: Vec<PReg>,
    kept_vectors: Vec<PReg>,
}

impl Frame {
    pub fn new(machine: &Machine, output: &Output) -> Result<Frame> {
        let mut written = regalloc2::PRegSet::empty();
        let edits = output.edits.iter().map(|(_, regalloc2::Edit::Move { to, .. })| *to);
        for r in output.allocs.iter().copied().chain(edits).filter_map(|a| a.as_reg()) {
            written.add(r);
        }
        let all: Vec<PReg> = machine.abi.kept.into_iter().filter(|&r| written.contains(r)).collect();
        let (kept, kept_vectors) = all.into_iter().partition(|r| r.class() == RegClass::Int);
        let wide = machine.widest > Width::W128 && output.num_spillslots > 0;
        let aligned = wide || machine.stack > 0;
        let align = if aligned { 64 } else { 16 };
        let slots = u64::from(machine.outgoing).next_multiple_of(align);
        let spills = (slots + u64::from(machine.stack)).next_multiple_of(align);
        let size = (spills + 8 * output.num_spillslots as u64).next_multiple_of(align);
        if size > MAX_BYTES {
            return Err(Error::Frame(size));
        }
        let mut f = Frame {
            size: size as u32,
            slots: slots as u32,
            spills: spills as u32,
            aligned,
            kept,
            kept_vectors,
        };
        if !aligned && (f.size > 0 || machine.calls) {
            // Together with the saved registers, a multiple of 16.
            f.size += 8 * (f.kept.len() as u32 % 2);
        }
        Ok(f)
    }

    /// Size in bytes of the saved registers below rbp.
    fn saved(&self) -> u32 {
        8 * self.kept.len() as u32
    }
}

impl Emit<'_> {
    pub(crate) fn prologue(&mut self) -> Result<()> {
        self.byte(0x55); // push rbp
        self.raw2(Code::Mov_rm64_r64, Register::RBP, Register::RSP)?;
        for r in self.frame.kept.clone() {
            self.raw1(Code::Push_r64, gpr(r))?;
        }
        let vectors = 16 * self.frame.kept_vectors.len() as u32;
        let size = self.frame.size + vectors;
        if size + BEYOND > PAGE {
            self.touch(size)?;
        } else if size > 0 {
            self.raw_imm(Code::Sub_rm64_imm32, Register::RSP, size as i32)?;
        }
        for (i, r) in self.frame.kept_vectors.clone().into_iter().enumerate() {
            self.vector_memory(M::MovupsStore, r, Register::RBP, self.kept_vector(i))?;
        }
        if self.frame.aligned {
            self.raw_imm(Code::And_rm64_imm32, Register::RSP, -64)?;
        }
        Ok(())
    }

    fn kept_vector(&self, i: usize) -> i32 {
        -((self.frame.saved() + 16 * (i as u32 + 1)) as i32)
    }

    /// Moves rsp down and touches each page, so that an overflow hits the guard page.
    fn touch(&mut self, size: u32) -> Result<()> {
        // lea r11, [rsp - size]; again: sub rsp, PAGE; or dword [rsp], 0; cmp rsp, r11; ja again; mov rsp, r11
        self.raw_memory(Code::Lea_r64_m, Register::R11, Register::RSP, -i64::from(size))?;
        let again = self.at;
        self.raw_imm(Code::Sub_rm64_imm32, Register::RSP, PAGE as i32)?;
        for b in [0x83, 0x0c, 0x24, 0x00] {
            self.byte(b);
        }
        self.raw2(Code::Cmp_rm64_r64, Register::RSP, Register::R11)?;
        self.byte(0x77);
        let back = i64::from(again) - i64::from(self.at) - 1;
        self.byte(back as i8 as u8);
        self.raw2(Code::Mov_rm64_r64, Register::RSP, Register::R11)
    }

    pub(crate) fn epilogue(&mut self) -> Result<()> {
        for (i, r) in self.frame.kept_vectors.clone().into_iter().enumerate() {
            self.vector_memory(M::MovupsLoad, r, Register::RBP, self.kept_vector(i))?;
        }
        let moved = self.frame.size > 0 || self.frame.aligned || !self.frame.kept_vectors.is_empty();
        if moved {
            let saved = self.frame.saved();
            match saved {
                0 => self.raw2(Code::Mov_rm64_r64, Register::RSP, Register::RBP)?,
                _ => self.raw_memory(Code::Lea_r64_m, Register::RSP, Register::RBP, -i64::from(saved))?,
            }
        }
        for r in self.frame.kept.clone().into_iter().rev() {
            self.raw1(Code::Pop_r64, gpr(r))?;
        }
        self.byte(0x5d); // pop rbp
        self.byte(0xc3); // ret
        Ok(())
    }
}

fn gpr(r: PReg) -> Register {
    Register::RAX + r.hw_enc() as u32
}

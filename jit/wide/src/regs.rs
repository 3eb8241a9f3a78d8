//! Registers: physical registers, the allocatable set, and calling conventions.

use cranelift_codegen::ir::Type;
use cranelift_codegen::isa::CallConv;
use iced_x86::Register;
use regalloc2::{MachineEnv, PReg, PRegSet, RegClass};

use crate::{Error, Level, Result};

/// Width of vectors in bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Width {
    W128,
    W256,
    W512,
}

impl Width {
    /// Width of a vector type; scalars occupy the low part of 128 bits.
    pub fn of(ty: Type) -> Width {
        match ty.bits() {
            512 => Width::W512,
            256 => Width::W256,
            _ => Width::W128,
        }
    }
    pub fn bytes(self) -> u32 {
        match self {
            Width::W128 => 16,
            Width::W256 => 32,
            Width::W512 => 64,
        }
    }
}

/// An operand of an instruction, as encoded: a register of some size or, if the instruction allows it, memory in its
/// place; memory only; or an immediate byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slot {
    /// No operand.
    N,
    /// A vector of the instruction's width.
    V,
    /// A vector of half the instruction's width, at least 128 bits.
    H,
    /// A vector of 128 bits.
    X,
    /// A mask register.
    K,
    R8,
    R16,
    R32,
    R64,
    /// An immediate.
    I,
    /// Memory.
    M,
}

pub(crate) const RAX: PReg = gpr(0);
pub(crate) const RCX: PReg = gpr(1);
pub(crate) const RDX: PReg = gpr(2);
pub(crate) const RBX: PReg = gpr(3);
pub(crate) const RSI: PReg = gpr(6);
pub(crate) const RDI: PReg = gpr(7);

pub(crate) const fn gpr(n: usize) -> PReg {
    PReg::new(n, RegClass::Int)
}
pub(crate) const fn xmm(n: usize) -> PReg {
    PReg::new(n, RegClass::Float)
}

fn set(regs: impl IntoIterator<Item = PReg>) -> PRegSet {
    regs.into_iter().fold(PRegSet::empty(), |s, r| s.with(r))
}

/// Allocatable registers: all but rsp (4), rbp (5), and k0, which as a predicate means no mask.
pub(crate) fn environment(level: Level, conv: &Abi) -> MachineEnv {
    let free = |r: &PReg| !conv.kept.contains(*r);
    let ints = || (0..16).filter(|&n| n != 4 && n != 5).map(gpr);
    let n_vectors = if level == Level::Avx512 { 32 } else { 16 };
    let vectors = || (0..n_vectors).map(xmm);
    let masks: Vec<PReg> = match level {
        Level::Avx512 => (1..8).map(|n| PReg::new(n, RegClass::Vector)).collect(),
        Level::Avx2 => Vec::new(),
    };
    MachineEnv {
        preferred_regs_by_class: [set(ints().filter(free)), set(vectors().filter(free)), set(masks)],
        non_preferred_regs_by_class: [
            set(ints().filter(|r| !free(r))),
            set(vectors().filter(|r| !free(r))),
            PRegSet::empty(),
        ],
        scratch_by_class: [None, None, None],
        fixed_stack_slots: Vec::new(),
    }
}

/// A calling convention.
#[derive(Clone)]
pub(crate) struct Abi {
    pub ints: &'static [PReg],
    /// Number of vector arguments in registers; the n-th is in xmm n.
    pub floats: usize,
    /// `true` if all register arguments share one count (Win64), `false` if each class has a count.
    pub by_position: bool,
    /// Size in bytes of the shadow space below the stack arguments.
    pub shadow: u32,
    /// Callee-saved registers.
    pub kept: PRegSet,
}

impl Abi {
    pub fn of(conv: CallConv) -> Result<Abi> {
        const SYSV: &[PReg] = &[RDI, RSI, RDX, RCX, gpr(8), gpr(9)];
        const WIN: &[PReg] = &[RCX, RDX, gpr(8), gpr(9)];
        match conv {
            CallConv::SystemV | CallConv::Fast => Ok(Abi {
                ints: SYSV,
                floats: 8,
                by_position: false,
                shadow: 0,
                kept: set([RBX].into_iter().chain((12..16).map(gpr))),
            }),
            CallConv::WindowsFastcall => Ok(Abi {
                ints: WIN,
                floats: 4,
                by_position: true,
                shadow: 32,
                kept: set([RBX, RSI, RDI].into_iter().chain((12..16).map(gpr)).chain((6..16).map(xmm))),
            }),
            _ => Err(Error::Signature(format!("calling convention {conv}"))),
        }
    }

    /// Registers that a call clobbers: all vectors and masks, since no convention preserves more than their low parts.
    pub fn clobbers(&self) -> PRegSet {
        let ints = (0..16).filter(|&n| n != 4 && n != 5).map(gpr).filter(|r| !self.kept.contains(*r));
        let vectors = (0..32).map(xmm);
        let masks = (0..8).map(|n| PReg::new(n, RegClass::Vector));
        set(ints.chain(vectors).chain(masks))
    }
}

/// The x86 register for a physical register in a slot.
pub(crate) fn name(reg: PReg, slot: Slot, width: Width) -> Register {
    let n = reg.hw_enc() as u32;
    match slot {
        Slot::V => at([Register::XMM0, Register::YMM0, Register::ZMM0][width as usize], n),
        Slot::H => at([Register::XMM0, Register::XMM0, Register::YMM0][width as usize], n),
        Slot::X => at(Register::XMM0, n),
        Slot::K => at(Register::K0, n),
        Slot::R8 if n < 4 => at(Register::AL, n),
        Slot::R8 => at(Register::SPL, n - 4),
        Slot::R16 => at(Register::AX, n),
        Slot::R32 => at(Register::EAX, n),
        Slot::R64 | Slot::M => at(Register::RAX, n),
        Slot::I | Slot::N => Register::None,
    }
}

fn at(first: Register, n: u32) -> Register {
    first + n
}

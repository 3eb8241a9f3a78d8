//! Machine instructions between selection and emission: what is executed, on which operands, in which block.
//! Registers are the allocator's business ([`crate::alloc`]), bytes that of [`crate::emit`].

use cranelift_codegen::ir::{ExternalName, SourceLoc, TrapCode};
use iced_x86::Code;
use regalloc2::{Operand, VReg};

use crate::consts::{ConstId, Consts};
use crate::regs::{Abi, Slot, Width};

/// Where an address begins.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    None,
    /// The next operand.
    Reg,
    /// Bytes of stack slots.
    Stack(u32),
    /// An argument that the caller left on the stack.
    Incoming(u32),
    /// An argument for a callee.
    Outgoing(u32),
    Const(ConstId),
}

/// A memory operand; its registers are operands of the instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mem {
    pub base: Base,
    /// An index register and its factor.
    pub scale: Option<u8>,
    /// The index is a vector of this size.
    pub vsib: Slot,
    pub disp: i32,
}

/// One x86 instruction. Its registers are those of `slots` in order, then base and index of memory, then the mask,
/// then what it reads or writes without naming it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub code: Code,
    pub slots: [Slot; 4],
    pub width: Width,
    pub imm: i64,
    /// Which slot is memory.
    pub mem: Option<(u8, Mem)>,
    pub masked: bool,
    pub zeroing: bool,
    pub broadcast: bool,
    pub lock: bool,
}

/// Read, change, compare and swap until it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum LoopOp {
    And,
    Or,
    Xor,
    Nand,
    Smin,
    Smax,
    Umin,
    Umax,
}

/// What a machine instruction is.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Op(Op),
    /// A vector register of zeros.
    Zero,
    /// A mask register of so many ones: 8, 16, 32 or 64.
    Ones(u8),
    /// Defines parameters in their registers.
    Args,
    /// To the address in the first operand; arguments and results are fixed.
    Call {
        clear_upper: bool,
    },
    Ret {
        clear_upper: bool,
    },
    Jump(u32),
    Branch {
        cc: Cc,
        then: u32,
        otherwise: u32,
    },
    /// Index below the number of targets, two temporaries.
    JumpTable(Vec<u32>),
    /// Result (in place of the second), first: takes the first where the condition holds.
    Choose {
        cc: Cc,
        width: Width,
    },
    /// Old value (rax), temporary, address, operand: see [`LoopOp`].
    AtomicLoop {
        op: LoopOp,
        bits: u8,
    },
    Trap(TrapCode),
    /// Traps where the condition holds.
    TrapIf {
        cc: Cc,
        code: TrapCode,
    },
}

/// A machine instruction with its operands, a range of [`Machine::operands`].
#[derive(Clone, Debug)]
pub(crate) struct Inst {
    pub kind: Kind,
    pub first: u32,
    pub count: u32,
    /// Where the source has it, as CLIF says.
    pub from: SourceLoc,
}

/// A block: a range of instructions.
#[derive(Clone, Debug, Default)]
pub(crate) struct Block {
    pub first: u32,
    pub end: u32,
    pub succs: Vec<regalloc2::Block>,
    pub preds: Vec<regalloc2::Block>,
    pub params: Vec<VReg>,
    /// Arguments of the one successor that takes any.
    pub args: Vec<VReg>,
}

/// A function of machine instructions over virtual registers.
pub(crate) struct Machine {
    pub insts: Vec<Inst>,
    pub operands: Vec<Operand>,
    pub blocks: Vec<Block>,
    /// Blocks in the order of the code.
    pub emitted: Vec<u32>,
    pub vregs: usize,
    pub consts: Consts,
    /// Names whose addresses are constants.
    pub names: Vec<(ConstId, ExternalName)>,
    pub abi: Abi,
    /// Bytes of stack slots, and of arguments for callees.
    pub stack: u32,
    pub outgoing: u32,
    pub calls: bool,
    /// The widest vector.
    pub widest: Width,
}

/// A condition of the flags, by the processor's numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(non_camel_case_types)]
pub(crate) enum Cc {
    o,
    no,
    b,
    ae,
    e,
    ne,
    be,
    a,
    s,
    ns,
    p,
    np,
    l,
    ge,
    le,
    g,
}

impl Cc {
    const ALL: [Cc; 16] = [
        Cc::o,
        Cc::no,
        Cc::b,
        Cc::ae,
        Cc::e,
        Cc::ne,
        Cc::be,
        Cc::a,
        Cc::s,
        Cc::ns,
        Cc::p,
        Cc::np,
        Cc::l,
        Cc::ge,
        Cc::le,
        Cc::g,
    ];

    /// The four bits of it in instructions.
    pub fn number(self) -> usize {
        self as usize
    }

    /// The condition that holds where this one does not.
    pub fn inverse(self) -> Cc {
        Cc::ALL[self.number() ^ 1]
    }
}

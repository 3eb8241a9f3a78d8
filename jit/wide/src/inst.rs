//! Machine instructions between selection and emission: operations, operands and blocks. Leaves registers to the
//! allocator ([`crate::alloc`]), and bytes to [`crate::emit`].

use cranelift_codegen::ir::{ExternalName, SourceLoc, TrapCode};
use iced_x86::Code;
use regalloc2::{Operand, VReg};

use crate::consts::{ConstId, Consts};
use crate::regs::{Abi, Slot, Width};

/// Base of an address.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Base {
    None,
    /// The next register operand.
    Reg,
    /// Offset in bytes into the stack slots.
    Stack(u32),
    /// Offset of an argument that the caller passed on the stack.
    Incoming(u32),
    /// Offset of an argument for a callee on the stack.
    Outgoing(u32),
    Const(ConstId),
}

/// A memory operand; its registers are operands of the instruction.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Mem {
    pub base: Base,
    /// Factor of the index register; `None` without an index.
    pub scale: Option<u8>,
    /// Size of the index, if it is a vector.
    pub vsib: Slot,
    pub disp: i32,
}

/// One x86 instruction. Its operands are the registers of `slots` in order, then base and index of memory, then the
/// mask, then registers that the instruction reads or writes implicitly.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Op {
    pub code: Code,
    pub slots: [Slot; 4],
    pub width: Width,
    pub imm: i64,
    /// Number of the slot that is memory, and its address.
    pub mem: Option<(u8, Mem)>,
    pub masked: bool,
    pub zeroing: bool,
    pub broadcast: bool,
    pub lock: bool,
}

/// Operation of a compare-and-swap loop, for read-modify-write without a dedicated instruction.
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

/// Kind of a machine instruction.
#[derive(Clone, Debug)]
pub(crate) enum Kind {
    Op(Op),
    /// Zeroes a vector register.
    Zero,
    /// Sets this many bits of a mask register: 8, 16, 32 or 64.
    Ones(u8),
    /// Defines the function's parameters in their registers.
    Args,
    /// Calls the address in the first operand; arguments and results are in fixed registers. The call may change all
    /// registers that the convention of the function does not preserve, or none if it `preserves_all`.
    Call {
        clear_upper: bool,
        preserves_all: bool,
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
    /// Jump table. Operands: the index, below the number of targets, and two temporaries.
    JumpTable(Vec<u32>),
    /// Conditional move. Operands: the result, in the register of the second value; the first value, moved if the
    /// condition holds.
    Choose {
        cc: Cc,
        width: Width,
    },
    /// Operands: old value (rax), temporary, address, operand; see [`LoopOp`].
    AtomicLoop {
        op: LoopOp,
        bits: u8,
    },
    Trap(TrapCode),
    /// Traps if the condition holds.
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
    /// Source location from CLIF.
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
    /// Arguments of the only successor with parameters.
    pub args: Vec<VReg>,
}

/// A function of machine instructions over virtual registers.
pub(crate) struct Machine {
    pub insts: Vec<Inst>,
    pub operands: Vec<Operand>,
    pub blocks: Vec<Block>,
    /// Blocks in the order of emission.
    pub emitted: Vec<u32>,
    pub vregs: usize,
    pub consts: Consts,
    /// External names, each with the constant that holds its address.
    pub names: Vec<(ConstId, ExternalName)>,
    pub abi: Abi,
    /// Size of the stack slots and of outgoing arguments, in bytes.
    pub stack: u32,
    pub outgoing: u32,
    pub calls: bool,
    /// The widest vector in use.
    pub widest: Width,
}

/// A condition of the flags; its number is the processor's encoding.
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

    /// The four condition bits of the encoding.
    pub fn number(self) -> usize {
        self as usize
    }

    /// The opposite condition.
    pub fn inverse(self) -> Cc {
        Cc::ALL[self.number() ^ 1]
    }
}

//! A back end behind CLIF for x86-64 with vectors of 256 and 512 bits.
//!
//! [`Compiler::compile`] takes a verified function and gives bytes that run wherever they are placed, with a pool of
//! constants behind them, and what has to be linked. It knows CLIF, `regalloc2` and x86, and leaves to others what
//! the function is for and where its code goes. What it has no rule for is [`Error::Unsupported`], never a
//! panic: callers fall back to Cranelift's own back end.
//!
//! The way of a function: truth values are found ([`masks`]), instructions are selected backwards from their uses
//! ([`lower`], by the tables of [`ops`] and [`lower::table`]), registers are allocated, and the frame and bytes follow
//! ([`emit`]). Moves across lanes, gathers and the like, which CLIF has no wide instructions for, are calls of the
//! named functions of [`intrinsics`], which are expanded in place.
//!
//! `cargo run --release --example fuzz FROM COUNT INPUTS` compares random programs with Cranelift's own back end.

mod alloc;
mod consts;
mod emit;
mod inst;
pub mod intrinsics;
mod lower;
mod masks;
mod ops;
mod regs;
mod text;

use cranelift_codegen::ir::{self, ExternalName, TrapCode};
pub use text::disassemble;

/// What the processor has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT: vectors of 128 and 256 bits, truth values in vectors.
    Avx2,
    /// AVX-512 F, VL, BW and DQ besides: vectors of 512 bits too, truth values in mask registers.
    Avx512,
}

/// How registers are found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Allocator {
    /// Backtracking: good code.
    Ion,
    /// One pass: everything is spilled at the ends of blocks.
    Fast,
}

/// How to compile.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What the processor has.
    pub level: Level,
    /// How registers are found.
    pub allocator: Allocator,
    /// Proves the allocator's answer: for tests.
    pub check: bool,
}

/// Why a function was not compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No rule for this instruction at this type.
    #[error("no rule for {0} of {1}")]
    Unsupported(ir::Opcode, ir::Type),
    /// No rule for this intrinsic at this type, or its arguments are not what it asks for.
    #[error("intrinsic {0:?} of {1}")]
    Intrinsic(intrinsics::Intrinsic, ir::Type),
    /// A signature that cannot be passed.
    #[error("signature: {0}")]
    Signature(String),
    /// More stack than can be addressed.
    #[error("frame of {0} bytes")]
    Frame(u64),
    /// The register allocator's word.
    #[error("register allocation: {0}")]
    Allocation(String),
    /// An instruction that cannot be encoded: a fault of this crate.
    #[error("encoding: {0}")]
    Encoding(String),
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

/// What to write where, once it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reloc {
    /// Where, from the first byte of the code: 8 bytes, an address.
    pub offset: u32,
    /// Whose address.
    pub name: ExternalName,
}

/// A compiled function. The entry is the first byte; what follows the instructions is constants.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Instructions, then constants; runs at any address that is a multiple of `alignment`.
    pub bytes: Vec<u8>,
    /// How many of the bytes are instructions.
    pub code_len: usize,
    /// Of the first byte.
    pub alignment: usize,
    /// Addresses to be written into the constants.
    pub relocs: Vec<Reloc>,
    /// Instructions that trap, by offset.
    pub traps: Vec<(u32, TrapCode)>,
    /// Where instructions come from: an offset from which on they come from a place, if CLIF says any, else none.
    pub places: Vec<(u32, ir::SourceLoc)>,
    /// Bytes of stack below the saved frame pointer.
    pub frame_bytes: u32,
    /// Machine instructions before register allocation.
    pub insts: usize,
    /// Time of each step.
    pub times: Times,
}

/// How long each step took.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Selection of instructions.
    pub select: std::time::Duration,
    /// Register allocation.
    pub allocate: std::time::Duration,
    /// Frame and bytes.
    pub emit: std::time::Duration,
}

/// Compiles functions, and keeps its memory between them.
#[derive(Default)]
pub struct Compiler {
    regalloc: regalloc2::Ctx,
}

impl Compiler {
    /// With nothing in it.
    pub fn new() -> Compiler {
        Compiler::default()
    }

    /// Compiles a function that Cranelift's verifier has passed.
    pub fn compile(
        &mut self,
        func: &ir::Function,
        options: &Options,
    ) -> std::result::Result<Compiled, Error> {
        let start = std::time::Instant::now();
        let code = lower::lower(func, options.level)?;
        let selected = std::time::Instant::now();
        let alloc = alloc::allocate(&code, options, &mut self.regalloc)?;
        let allocated = std::time::Instant::now();
        let mut compiled = emit::emit(&code, alloc, options.level)?;
        compiled.times =
            Times { select: selected - start, allocate: allocated - selected, emit: allocated.elapsed() };
        Ok(compiled)
    }
}

/// How many rules of selection there are.
pub fn rules() -> usize {
    lower::table::ROWS.len()
}

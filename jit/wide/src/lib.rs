//! Code generator from CLIF to x86-64 with vectors of 256 and 512 bits.
//!
//! [`Compiler::compile`] takes a verified function and returns position-independent code, the constants that follow it,
//! and its relocations. It depends on CLIF, `regalloc2` and x86. It leaves the purpose of the function and the
//! placement of its code to its callers. Instructions without a rule return [`Error::Unsupported`], never a panic:
//! callers fall back to Cranelift's own back end.
//!
//! Compilation has four steps. [`masks`] finds boolean vectors. [`lower`] selects instructions backwards from their
//! uses, with the tables of [`ops`] and [`lower::table`]. `regalloc2` allocates registers. [`emit`] writes the frame
//! and the bytes. Operations without a wide CLIF instruction, such as cross-lane moves and gathers, are calls of the
//! functions in [`intrinsics`], which are expanded in place.
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
mod slices;
mod text;

use cranelift_codegen::ir::{self, ExternalName, TrapCode};
pub use text::disassemble;

/// Instruction set of the processor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Level {
    /// AVX2, FMA, F16C, BMI1, BMI2, LZCNT and POPCNT: vectors of 128 and 256 bits, boolean vectors in vector registers.
    Avx2,
    /// `Avx2` plus AVX-512 F, VL, BW and DQ: vectors of 512 bits too, boolean vectors in mask registers.
    Avx512,
}

/// Options of a compilation.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Instruction set of the processor.
    pub level: Level,
    /// `true` if the processor multiplies bytes: AVX-VNNI at [`Level::Avx2`], AVX512-VNNI at [`Level::Avx512`].
    pub vnni: bool,
    /// `true` to verify the result of the register allocator; for tests.
    pub check: bool,
}

/// Reason why a function was not compiled.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// No rule for this instruction at this type.
    #[error("no rule for {0} of {1}")]
    Unsupported(ir::Opcode, ir::Type),
    /// No rule for this intrinsic at this type, or its arguments are unsuitable.
    #[error("intrinsic {0:?} of {1}")]
    Intrinsic(intrinsics::Intrinsic, ir::Type),
    /// A signature with parameters or results that cannot be passed.
    #[error("signature: {0}")]
    Signature(String),
    /// The stack frame is too large, in bytes.
    #[error("frame of {0} bytes")]
    Frame(u64),
    /// Error of the register allocator.
    #[error("register allocation: {0}")]
    Allocation(String),
    /// An instruction cannot be encoded: a defect of this crate.
    #[error("encoding: {0}")]
    Encoding(String),
}

pub(crate) type Result<T> = std::result::Result<T, Error>;

/// A relocation: the address of a name, to be written into the code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reloc {
    /// Offset of the 8-byte address from the first byte of the code.
    pub offset: u32,
    /// Name whose address is written.
    pub name: ExternalName,
}

/// A compiled function. The entry is the first byte; constants follow the instructions.
#[derive(Clone, Debug)]
pub struct Compiled {
    /// Instructions, then constants; runs at any address that is a multiple of `alignment`.
    pub bytes: Vec<u8>,
    /// Size of the instructions, in bytes.
    pub code_len: usize,
    /// Alignment of the first byte.
    pub alignment: usize,
    /// Addresses that must be written into the constants.
    pub relocs: Vec<Reloc>,
    /// Offsets of instructions that trap, with their trap codes.
    pub traps: Vec<(u32, TrapCode)>,
    /// Source locations, each with the offset from which it applies; empty if CLIF has none.
    pub places: Vec<(u32, ir::SourceLoc)>,
    /// Size of the stack frame below the saved frame pointer, in bytes.
    pub frame_bytes: u32,
    /// Number of machine instructions before register allocation.
    pub insts: usize,
    /// Time of each step.
    pub times: Times,
}

/// Duration of each compilation step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Times {
    /// Instruction selection.
    pub select: std::time::Duration,
    /// Register allocation.
    pub allocate: std::time::Duration,
    /// Emission of frame and bytes.
    pub emit: std::time::Duration,
}

/// Compiles functions, and reuses its memory between them.
#[derive(Default)]
pub struct Compiler {
    regalloc: regalloc2::Ctx,
}

impl Compiler {
    /// Creates a compiler without reusable memory.
    pub fn new() -> Compiler {
        Compiler::default()
    }

    /// Compiles a function that has passed Cranelift's verifier.
    pub fn compile(
        &mut self,
        func: &ir::Function,
        options: &Options,
    ) -> std::result::Result<Compiled, Error> {
        let start = std::time::Instant::now();
        let code = lower::lower(func, options)?;
        let selected = std::time::Instant::now();
        let alloc = alloc::allocate(&code, options, &mut self.regalloc)?;
        let allocated = std::time::Instant::now();
        let mut compiled = emit::emit(&code, alloc, options.level)?;
        compiled.times =
            Times { select: selected - start, allocate: allocated - selected, emit: allocated.elapsed() };
        Ok(compiled)
    }
}

/// Makes the tables of the encoder. Otherwise the first [`Compiler::compile`] makes them, and other threads wait for it.
pub fn make_tables() {
    emit::make_tables();
}

/// Number of selection rules.
pub fn rules() -> usize {
    lower::table::ROWS.len()
}

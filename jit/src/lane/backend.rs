//! The back ends: compile CLIF to code in executable memory.
//!
//! There are two. The wide back end ([`quadrille_wide`]) compiles functions of the optimized tier at levels with AVX2.
//! Cranelift's own back end compiles everything else, including functions for which the wide one has no rule. Both
//! produce the same results. This module owns the state that they keep between functions, and selects one; it knows
//! nothing of lanes.

use std::sync::atomic::{AtomicU64, Ordering};

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::SourceLoc;
use cranelift_codegen::isa::TargetIsa;
use quadrille_wide::{Compiled, Compiler, Level, Options};

use crate::cpu::{self, CpuLevel, Tier};
use crate::events;
use crate::memory::CodeBlock;
use crate::process::Elsewhere;
use crate::{Error, Result, budget};

/// Text forms of a function, as requested.
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// CLIF before optimization.
    pub clif: Option<String>,
    /// Host assembly.
    pub asm: Option<String>,
}

/// The tables of the encoder.
static ENCODER: Elsewhere = {
    extern "C" fn complete() {
        quadrille_wide::make_tables();
    }
    Elsewhere::new(complete)
};

/// The tables of the decoder, and of its output.
static DECODER: Elsewhere = {
    extern "C" fn complete() {
        // A return.
        let _ = quadrille_wide::disassemble(&[0xc3]);
    }
    Elsewhere::new(complete)
};

fn disassemble(bytes: &[u8]) -> String {
    DECODER.begin();
    quadrille_wide::disassemble(bytes)
}

/// Functions of the optimized tier since the start of the process: compiled by the wide back end, and left to
/// Cranelift.
static COUNTS: [AtomicU64; 2] = [AtomicU64::new(0), AtomicU64::new(0)];

/// Number of functions of the optimized tier that the wide back end has compiled, and the number that it left to
/// Cranelift at levels that have it.
pub fn counts() -> (u64, u64) {
    (COUNTS[0].load(Ordering::Relaxed), COUNTS[1].load(Ordering::Relaxed))
}

/// State that the back ends keep between functions.
pub(super) struct Backends {
    pub ctx: Context,
    wide: Compiler,
}

/// Result of building a function.
pub(crate) enum Built {
    /// The code, its origins, and the most stack that it takes, in bytes.
    Code(CodeBlock, Places, u32),
    /// The function was not compiled: its values are live across more blocks than [`budget::MAX_LIVE_BLOCKS`], or need
    /// more stack than [`budget::MAX_STACK_BYTES`].
    TooDense,
    /// The function of the first tier was not compiled: its single-pass allocator may exceed the stack, and with the
    /// backtracking one, the wider vectors of the optimized tier take less time.
    TooDeep,
}

/// Code, and its stack size in bytes if known.
pub(super) struct Placed {
    pub code: CodeBlock,
    pub frame: Option<u32>,
    pub places: Places,
}

impl Placed {
    pub fn built(self) -> Built {
        Built::Code(self.code, self.places, self.frame.unwrap_or(budget::MAX_STACK_BYTES))
    }
}

/// Origins of code: from each offset on, the code comes from that place; 0 means that the place is unknown. Empty
/// unless [`super::LaneBuilder::comes_from`] was called.
pub(crate) type Places = Vec<(u32, u32)>;

/// The number of a place; 0 for none.
fn number(place: SourceLoc) -> u32 {
    if place.is_default() { 0 } else { place.bits() }
}

impl Backends {
    pub fn new() -> Backends {
        Backends { ctx: Context::new(), wide: Compiler::new() }
    }

    /// Compiles the function in the context. `checked`: runs Cranelift's verifier in debug builds.
    pub fn compile(
        &mut self,
        cpu: CpuLevel,
        tier: Tier,
        checked: bool,
        mut listing: Option<&mut Listing>,
    ) -> Result<Placed> {
        let isa = if checked { cpu::isa(cpu, tier)? } else { cpu::unchecked_isa(cpu, tier)? };
        if let Some(l) = listing.as_deref_mut() {
            l.clif = Some(self.ctx.func.display().to_string());
        }
        let level = cpu.wide().filter(|_| tier == Tier::Optimized);
        if level.is_some() {
            self.verify(&*isa)?;
        }
        let fallback = match level.map(|level| self.wide(level)) {
            Some(Ok(compiled)) => return Self::placed(&compiled, listing),
            Some(Err(why)) => Some(why),
            None => None,
        };
        self.narrow(&*isa, listing, fallback)
    }

    /// Compiles the function in the context, whose vectors Cranelift's own back end does not support. Returns `None` if
    /// the function must be rebuilt with narrower vectors.
    pub fn compile_wide(
        &mut self,
        cpu: CpuLevel,
        isa: &dyn TargetIsa,
        mut listing: Option<&mut Listing>,
    ) -> Result<Option<Placed>> {
        let Some(level) = cpu.wide() else { return Ok(None) };
        if let Some(l) = listing.as_deref_mut() {
            l.clif = Some(self.ctx.func.display().to_string());
        }
        self.verify(isa)?;
        match self.wide(level) {
            Ok(compiled) => Self::placed(&compiled, listing).map(Some),
            Err(_) => Ok(None),
        }
    }

    /// Verifies the function where tests do. One that is not valid is a defect: another back end must not hide it.
    fn verify(&self, isa: &dyn TargetIsa) -> Result<()> {
        self.ctx.verify_if(isa).map_err(|e| Error::Internal(e.to_string()))
    }

    fn placed(compiled: &Compiled, listing: Option<&mut Listing>) -> Result<Placed> {
        if let Some(l) = listing {
            l.asm = Some(disassemble(&compiled.bytes));
        }
        let places = compiled.places.iter().map(|&(at, place)| (at, number(place))).collect();
        Ok(Placed { code: CodeBlock::new(&compiled.bytes)?, frame: Some(compiled.frame_bytes), places })
    }

    /// Compiles with the wide back end; otherwise returns the reason against it.
    fn wide(&mut self, level: Level) -> std::result::Result<Compiled, String> {
        let made = self.wide_code(level);
        COUNTS[usize::from(made.is_err())].fetch_add(1, Ordering::Relaxed);
        if let Err(why) = &made {
            let insts = self.ctx.func.dfg.num_insts();
            events::debug(format_args!("not for the wide back end: {why}, {insts} instructions"));
        }
        made
    }

    fn wide_code(&mut self, level: Level) -> std::result::Result<Compiled, String> {
        let options = Options { level, vnni: cpu::has_vnni(level), check: false };
        ENCODER.begin();
        let compiled = self.wide.compile(&self.ctx.func, &options).map_err(|e| e.to_string())?;
        match compiled.relocs.first() {
            Some(r) => Err(format!("a relocation: {r:?}")),
            None => Ok(compiled),
        }
    }

    /// Compiles with Cranelift's own back end.
    fn narrow(
        &mut self,
        isa: &dyn TargetIsa,
        listing: Option<&mut Listing>,
        fallback: Option<String>,
    ) -> Result<Placed> {
        self.ctx.set_disasm(listing.is_some() && !cpu::IS_X86);
        let compiled = self
            .ctx
            .compile(isa, &mut ControlPlane::default())
            .map_err(|e| Error::Internal(format!("code generator: {:?}", e.inner)))?;
        if let Some(r) = compiled.buffer.relocs().first() {
            return Err(Error::Internal(format!("code generator left a relocation: {r:?}")));
        }
        let bytes = compiled.code_buffer();
        if let Some(l) = listing {
            let asm = match &compiled.vcode {
                Some(text) => text.clone(),
                None => disassemble(bytes),
            };
            l.asm = Some(fallback.map_or_else(String::new, |why| format!("; 128 bits: {why}\n")) + &asm);
        }
        let frame = compiled.buffer.frame_layout().map(|f| f.frame_to_fp_offset);
        let mut places = Places::new();
        for run in compiled.buffer.get_srclocs_sorted().iter().filter(|run| run.start < run.end) {
            if let Some(gap) = places.last_mut().filter(|(at, _)| *at == run.start) {
                gap.1 = number(run.loc);
            } else {
                places.push((run.start, number(run.loc)));
            }
            places.push((run.end, 0));
        }
        if places.iter().all(|(_, place)| *place == 0) {
            places.clear();
        }
        Ok(Placed { code: CodeBlock::new(bytes)?, frame, places })
    }
}

//! Compiles functions built with the lane builder, and keeps their code alive.

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::backend::{Backends, Listing, Places};
use super::{Lane, LaneBuilder, Parts, pressure};
use crate::cpu::{self, CpuLevel, Tier};
use crate::ir::Ty;
use crate::memory::CodeBlock;
use crate::reserve::{self, Room};
use crate::{Error, Result, budget};

/// Signature of kernels.
pub type KernelFn = unsafe extern "C" fn(*mut c_void);

/// A compiled kernel.
#[derive(Clone)]
pub struct Kernel {
    code: Arc<CodeBlock>,
}

impl Kernel {
    /// The function; valid as long as this lives.
    #[expect(unsafe_code, reason = "turns code into a function")]
    pub fn entry(&self) -> KernelFn {
        // SAFETY: the block holds a function that was compiled with this signature.
        unsafe { std::mem::transmute(self.code.entry()) }
    }
    /// Whether there is a clone of it.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.code) > 1
    }
    /// What keeps the code mapped.
    pub fn code(&self) -> Arc<CodeBlock> {
        self.code.clone()
    }
}

/// Memory of the host that compiling a kernel takes; those who compile larger functions see to more.
const ROOM: usize = 2 << 20;

thread_local! {
    static SCRATCH: RefCell<(Backends, FunctionBuilderContext)> =
        RefCell::new((Backends::new(), FunctionBuilderContext::new()));
}

/// Builds and compiles a kernel: `body(b, arg)` with arg the uniform address passed by the caller.
pub fn build_kernel(
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    body: impl Fn(&mut LaneBuilder, Lane),
) -> Result<Kernel> {
    build_kernel_listed(lanes, cpu, tier, None, body)
}

/// As [`build_kernel`], and writes the text forms of what is compiled.
pub fn build_kernel_listed(
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    listing: Option<&mut Listing>,
    body: impl Fn(&mut LaneBuilder, Lane),
) -> Result<Kernel> {
    let code = build_function(lanes, cpu, tier, &[Ty::I64], false, listing, |b, args| {
        body(b, args[0]);
        b.leave();
        Ok(())
    })?;
    match code {
        Built::Code(code, _) => Ok(Kernel { code: Arc::new(code) }),
        Built::TooDense => Err(too_dense("kernel")),
    }
}

/// A kernel that calls `f(arg, second)`, both addresses, where `arg` is what the kernel is called with. The
/// code is valid only in this process.
pub fn bind_kernel(f: *const (), second: *const ()) -> Result<Kernel> {
    let host = if cfg!(target_arch = "x86_64") { Ok(()) } else { Err(Error::unsupported("this processor")) };
    host?;
    // mov rsi, second; mov rax, f; jmp rax
    let mut code = vec![0x48, 0xbe];
    code.extend((second as u64).to_le_bytes());
    code.extend([0x48, 0xb8]);
    code.extend((f as u64).to_le_bytes());
    code.extend([0xff, 0xe0]);
    Ok(Kernel { code: Arc::new(CodeBlock::new(&code)?) })
}

/// A function, or why it is not given to Cranelift.
pub(crate) enum Built {
    /// Compiled, and where it comes from.
    Code(CodeBlock, Places),
    /// Values are live across more blocks than [`budget::MAX_LIVE_BLOCKS`], or take more of the stack than
    /// [`budget::MAX_STACK_BYTES`].
    TooDense,
}

/// The error for such a function.
pub(crate) fn too_dense(name: &str) -> Error {
    let (blocks, bytes) = (budget::MAX_LIVE_BLOCKS, budget::MAX_STACK_BYTES);
    Error::Limit(format!(
        "'{name}': too many values are live at once: across {blocks} blocks in all, or {bytes} bytes of stack"
    ))
}

/// Builds and compiles any function; the body ends the last block itself, and may be asked for twice. A panic of
/// the code generator becomes an error.
pub(crate) fn build_function(
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    params: &[Ty],
    returns_u32: bool,
    mut listing: Option<&mut Listing>,
    mut body: impl FnMut(&mut LaneBuilder, &[Lane]) -> Result<()>,
) -> Result<Built> {
    let _room = Room::new(ROOM)?;
    let made = Making { lanes, cpu, tier, params, returns_u32, body: &mut body };
    let result = catch_unwind(AssertUnwindSafe(|| {
        SCRATCH.with_borrow_mut(|scratch| made.function(scratch, &mut listing))
    }));
    match result {
        Ok(r) => r,
        Err(panic) => {
            // The builder's shared state may be half filled: start afresh.
            SCRATCH.with_borrow_mut(|s| *s = (Backends::new(), FunctionBuilderContext::new()));
            Err(reserve::caught("code generator", panic))
        }
    }
}

/// What a body emits.
type Body<'a> = &'a mut dyn FnMut(&mut LaneBuilder, &[Lane]) -> Result<()>;

/// A function to be built.
struct Making<'a> {
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    params: &'a [Ty],
    returns_u32: bool,
    body: Body<'a>,
}

impl Making<'_> {
    fn function(
        mut self,
        scratch: &mut (Backends, FunctionBuilderContext),
        listing: &mut Option<&mut Listing>,
    ) -> Result<Built> {
        let isa = cpu::isa(self.cpu, self.tier)?;
        let w = self.cpu.vector_bits(self.tier).min(32 * self.lanes);
        if w > 128 {
            self.clif(scratch, &*isa, w)?;
            let (backends, _) = scratch;
            let code = if fits_optimized(&backends.ctx.func) {
                backends.compile_wide(self.cpu, &*isa, listing.as_deref_mut())?
            } else {
                None
            };
            if let Some(placed) = code
                && placed.frame.is_some_and(|bytes| bytes <= budget::MAX_STACK_BYTES)
            {
                return Ok(Built::Code(placed.code, placed.places));
            }
        }
        self.clif(scratch, &*isa, 128)?;
        let (backends, fbc) = scratch;
        let n_insts = backends.ctx.func.dfg.num_insts();
        if n_insts <= budget::SMALL_CLIF_INSTS {
            let placed = backends.compile(self.cpu, self.tier, true, listing.as_deref_mut())?;
            return Ok(Built::Code(placed.code, placed.places));
        }
        let code = finish_large(backends, self.cpu, self.tier, listing.as_deref_mut());
        if n_insts > budget::MAX_OPTIMIZED_CLIF_INSTS {
            // What they hold for reuse is huge, too.
            (*backends, *fbc) = (Backends::new(), FunctionBuilderContext::new());
        }
        code
    }

    /// Builds the function in the context, with vectors of at most `w` bits.
    fn clif(
        &mut self,
        (backends, fbc): &mut (Backends, FunctionBuilderContext),
        isa: &dyn TargetIsa,
        w: u32,
    ) -> Result<()> {
        let ctx = &mut backends.ctx;
        ctx.clear();
        let mut sig = Signature::new(CallConv::triple_default(isa.triple()));
        sig.params.extend(self.params.iter().map(|&t| AbiParam::new(super::scalar_type(t))));
        if self.returns_u32 {
            sig.returns.push(AbiParam::new(types::I32));
        }
        // What is cleared keeps its memory, which a new function would have to grow anew.
        (ctx.func.name, ctx.func.signature) = (UserFuncName::user(0, 0), sig);
        let mut fb = FunctionBuilder::new(&mut ctx.func, fbc);
        let entry = fb.create_block();
        fb.append_block_params_for_function_params(entry);
        fb.switch_to_block(entry);
        fb.seal_block(entry);
        let values = fb.block_params(entry).to_vec();
        let mut b = LaneBuilder::new(fb, self.lanes, (self.cpu, self.tier), w);
        let args: Vec<Lane> =
            values.iter().zip(self.params).map(|(&v, &t)| b.push(t, Parts::Uniform(v))).collect();
        if let Err(e) = (self.body)(&mut b, &args) {
            // A half-built function is not finalized, so that the shared state is not cleared either.
            drop(b);
            *fbc = FunctionBuilderContext::new();
            return Err(e);
        }
        b.end_block();
        b.fb.seal_all_blocks();
        b.fb.finalize(isa.frontend_config());
        Ok(())
    }
}

/// Whether the optimized tier takes a function of this size.
fn fits_optimized(func: &Function) -> bool {
    let n_insts = func.dfg.num_insts();
    n_insts <= budget::SMALL_CLIF_INSTS
        || n_insts <= budget::MAX_OPTIMIZED_CLIF_INSTS
            && pressure::insts(func) <= budget::MAX_LIVE_INSTS
            && pressure::merged_edges(func) <= budget::MAX_MERGED_EDGES
}

/// Compiles a function that may be too large for the tier, or for any.
fn finish_large(
    backends: &mut Backends,
    cpu: CpuLevel,
    tier: Tier,
    listing: Option<&mut Listing>,
) -> Result<Built> {
    let func = &backends.ctx.func;
    let n_insts = func.dfg.num_insts();
    let live = pressure::insts(func);
    tracing::debug!(n_insts, live, "a large function");
    let merges = pressure::merged_edges(func) <= budget::MAX_MERGED_EDGES;
    let optimized = n_insts <= budget::MAX_OPTIMIZED_CLIF_INSTS && live <= budget::MAX_LIVE_INSTS && merges;
    let (n_values, n_blocks) = (func.dfg.num_values(), func.dfg.num_blocks());
    let wide = n_values as u64 * n_blocks as u64 > budget::MAX_LIVE_BLOCKS;
    // The single-pass allocator gives each value a place of its own on the stack, the other one shares them.
    let deep = n_values * 16 > budget::MAX_STACK_BYTES as usize;
    let tier = match tier {
        Tier::Optimized if optimized => Tier::Optimized,
        _ if deep && merges && live <= budget::MAX_DEEP_LIVE_INSTS => Tier::Optimized,
        _ if wide && pressure::blocks(func) > budget::MAX_LIVE_BLOCKS => return Ok(Built::TooDense),
        _ => Tier::First,
    };
    let placed = backends.compile(cpu, tier, false, listing)?;
    if placed.frame.is_some_and(|bytes| bytes <= budget::MAX_STACK_BYTES) {
        return Ok(Built::Code(placed.code, placed.places));
    }
    Ok(Built::TooDense)
}

//! Compiles functions built with the lane builder, and owns their code.

use std::cell::RefCell;
use std::ffi::c_void;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

use cranelift_codegen::ir::{AbiParam, Function, Signature, UserFuncName, types};
use cranelift_codegen::isa::{CallConv, TargetIsa};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};

use super::backend::{Backends, Built, Listing};
use super::rare::Rare;
use super::{Lane, LaneBuilder, Parts, pressure, rare, steady, twice};
use crate::cpu::{self, CpuLevel, Tier};
use crate::events;
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
    /// The function, which is valid as long as this kernel or a clone of it lives.
    #[expect(unsafe_code, reason = "casts machine code to a function pointer")]
    pub fn entry(&self) -> KernelFn {
        // SAFETY: `build_kernel` compiled the block with one I64 parameter and no result, and `bind_kernel` wrote such
        // code; this is the signature of [`KernelFn`].
        unsafe { std::mem::transmute(self.code.entry()) }
    }
    /// Returns true if a clone of this kernel exists.
    pub fn is_shared(&self) -> bool {
        Arc::strong_count(&self.code) > 1
    }
    /// The owner of the code mapping.
    pub fn code(&self) -> Arc<CodeBlock> {
        self.code.clone()
    }
}

/// Host memory reserved for compiling a kernel; compilers of larger functions reserve more.
const ROOM: usize = 2 << 20;

/// Host memory reserved for compiling a kernel in a process with a memory limit. A thread of glibc for which no arena of
/// 64 MiB of addresses is left maps a page for each allocation, and the tables of the assembler have seven thousand.
const LIMITED_ROOM: usize = 48 << 20;

/// Requests memory for a compilation.
fn room() -> Result<Room> {
    let room = Room::new(ROOM)?;
    if room.is_limited() { Room::new(LIMITED_ROOM - ROOM).map(|more| room.with(more)) } else { Ok(room) }
}

thread_local! {
    static SCRATCH: RefCell<(Backends, FunctionBuilderContext)> =
        RefCell::new((Backends::new(), FunctionBuilderContext::new()));
}

/// Builds and compiles a kernel. `body(b, arg)` emits it, where `arg` is the uniform address that callers pass.
pub fn build_kernel(
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    body: impl Fn(&mut LaneBuilder, Lane),
) -> Result<Kernel> {
    build_kernel_listed(lanes, cpu, tier, None, body)
}

/// As [`build_kernel`], and fills `listing` with the text forms.
pub fn build_kernel_listed(
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    mut listing: Option<&mut Listing>,
    body: impl Fn(&mut LaneBuilder, Lane),
) -> Result<Kernel> {
    let mut of = |tier| {
        build_function(lanes, cpu, tier, &[Ty::I64], false, listing.as_deref_mut(), |b, args| {
            body(b, args[0]);
            b.leave();
            Ok(())
        })
    };
    let built = match of(tier)? {
        Built::TooDeep => of(Tier::Optimized)?,
        built => built,
    };
    match built {
        Built::Code(code, ..) => Ok(Kernel { code: Arc::new(code) }),
        Built::TooDense | Built::TooDeep => Err(too_dense("kernel")),
    }
}

/// A kernel that calls `f(arg, second)`, where `arg` is the kernel's argument; both are addresses. The code is valid
/// only in this process.
pub fn bind_kernel(f: *const (), second: *const ()) -> Result<Kernel> {
    let code = crate::sys::code::jump(f as u64, second as u64);
    let code = code.ok_or_else(|| Error::unsupported("this processor"))?;
    Ok(Kernel { code: Arc::new(CodeBlock::new(&code)?) })
}

/// The error for [`Built::TooDense`].
pub(crate) fn too_dense(name: &str) -> Error {
    let (blocks, bytes) = (budget::MAX_LIVE_BLOCKS, budget::MAX_STACK_BYTES);
    Error::Limit(format!(
        "'{name}': too many values are live at once: across {blocks} blocks in all, or {bytes} bytes of stack"
    ))
}

/// Builds and compiles a function. `body` ends the last block itself, and may be called twice. A panic of the code
/// generator becomes an error.
pub(crate) fn build_function(
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    params: &[Ty],
    returns_u32: bool,
    mut listing: Option<&mut Listing>,
    mut body: impl FnMut(&mut LaneBuilder, &[Lane]) -> Result<()>,
) -> Result<Built> {
    let _room = room()?;
    let made = Making { lanes, cpu, tier, params, returns_u32, body: &mut body };
    let result = catch_unwind(AssertUnwindSafe(|| {
        SCRATCH.with_borrow_mut(|scratch| made.function(scratch, &mut listing))
    }));
    match result {
        Ok(r) => r,
        Err(panic) => {
            // The shared state of the builder may be inconsistent after a panic, so it is replaced.
            SCRATCH.with_borrow_mut(|s| *s = (Backends::new(), FunctionBuilderContext::new()));
            Err(reserve::caught("code generator", panic))
        }
    }
}

/// Emits the body of a function.
type Body<'a> = &'a mut dyn FnMut(&mut LaneBuilder, &[Lane]) -> Result<()>;

/// Most vectors that leave a loop where there are 32 registers.
const MOST_STEADY: usize = 8;

/// A function to build.
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
                return Ok(placed.built());
            }
        }
        self.clif(scratch, &*isa, 128)?;
        let (backends, fbc) = scratch;
        let n_insts = backends.ctx.func.dfg.num_insts();
        if n_insts <= budget::SMALL_CLIF_INSTS {
            let placed = backends.compile(self.cpu, self.tier, true, listing.as_deref_mut())?;
            return Ok(placed.built());
        }
        let code = finish_large(backends, self.cpu, self.tier, listing.as_deref_mut());
        if n_insts > budget::MAX_OPTIMIZED_CLIF_INSTS {
            // The reusable buffers are huge after such a function, too, so they are freed.
            (*backends, *fbc) = (Backends::new(), FunctionBuilderContext::new());
        }
        code
    }

    /// Builds the function in the context, with vectors of `w` bits.
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
        // Clearing keeps the allocations, which a new function would have to grow again.
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
            // A half-built function is not finalized, so the shared state would not be cleared; replace it.
            drop(b);
            *fbc = FunctionBuilderContext::new();
            return Err(e);
        }
        b.end_block();
        b.fb.seal_all_blocks();
        b.fb.finalize(isa.frontend_config());
        if self.tier == Tier::Optimized {
            let rare = Rare::of(&mut ctx.func);
            twice::values(&mut ctx.func, &rare);
            rare::values(&mut ctx.func, &rare);
            steady::vectors(&mut ctx.func, if w == 512 { MOST_STEADY } else { MOST_STEADY / 2 });
        }
        Ok(())
    }
}

/// Returns true if the optimized tier accepts a function of this size.
fn fits_optimized(func: &Function) -> bool {
    let n_insts = func.dfg.num_insts();
    n_insts <= budget::SMALL_CLIF_INSTS
        || n_insts <= budget::MAX_OPTIMIZED_CLIF_INSTS
            && pressure::insts(func) <= budget::MAX_LIVE_INSTS
            && pressure::merged_edges(func) <= budget::MAX_MERGED_EDGES
}

/// Compiles a function that may be too large for the optimized tier, or for both tiers.
fn finish_large(
    backends: &mut Backends,
    cpu: CpuLevel,
    tier: Tier,
    listing: Option<&mut Listing>,
) -> Result<Built> {
    let func = &backends.ctx.func;
    let n_insts = func.dfg.num_insts();
    let live = pressure::insts(func);
    events::debug(format_args!("a large function: {n_insts} instructions, {live} live"));
    let merges = pressure::merged_edges(func) <= budget::MAX_MERGED_EDGES;
    let optimized = n_insts <= budget::MAX_OPTIMIZED_CLIF_INSTS && live <= budget::MAX_LIVE_INSTS && merges;
    let (n_values, n_blocks) = (func.dfg.num_values(), func.dfg.num_blocks());
    let wide = n_values as u64 * n_blocks as u64 > budget::MAX_LIVE_BLOCKS;
    let deep = budget::is_deep(n_values);
    let tier = match tier {
        Tier::Optimized if optimized => Tier::Optimized,
        Tier::First if deep && cpu.wide().is_some() => return Ok(Built::TooDeep),
        _ if deep && merges && live <= budget::MAX_DEEP_LIVE_INSTS => Tier::Optimized,
        _ if wide && pressure::blocks(func) > budget::MAX_LIVE_BLOCKS => return Ok(Built::TooDense),
        _ => Tier::First,
    };
    let placed = backends.compile(cpu, tier, false, listing)?;
    if placed.frame.is_some_and(|bytes| bytes <= budget::MAX_STACK_BYTES) {
        return Ok(placed.built());
    }
    Ok(Built::TooDense)
}

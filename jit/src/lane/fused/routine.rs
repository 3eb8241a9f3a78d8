//! The out-of-line routine that computes `a * b + c` of f32 on hosts without the instruction. Inline, it would take
//! about seventy instructions at each use. It preserves all registers, so a call costs the code around it little more
//! than an instruction would.

use std::sync::OnceLock;

use cranelift_codegen::Context;
use cranelift_codegen::control::ControlPlane;
use cranelift_codegen::ir::{AbiParam, InstBuilder, Signature, UserFuncName, Value, types};
use cranelift_codegen::isa::CallConv;
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use smallvec::smallvec;

use super::super::{ICmp, Lane, LaneBuilder, Parts, Vecs};
use crate::cpu::{self, CpuLevel, Tier};
use crate::ir::Ty;
use crate::memory::CodeBlock;
use crate::process::PerProcess;

/// Maximum number of vectors per call: the operands must fit in registers.
const MOST: usize = 2;

/// Signature `(to, a.., b.., c..)` with `n` vectors per operand; the routine writes `n` vectors to `to`.
fn signature(n: usize) -> Signature {
    let mut sig = Signature::new(CallConv::PreserveAll);
    sig.params.push(AbiParam::new(types::I64));
    sig.params.extend(std::iter::repeat_n(AbiParam::new(types::F32X4), 3 * n));
    sig
}

impl LaneBuilder<'_> {
    /// Fused multiply-add of F32 by calls of the routine. Returns `None` if the routine cannot be created.
    pub(super) fn fma_by_routine(&mut self, [a, b, c]: [Lane; 3]) -> Option<Lane> {
        let uniform = [a, b, c].iter().all(|&x| self.is_uniform(x));
        let mut operands = [a, b, c].map(|x| self.vecs(x));
        if uniform {
            operands.iter_mut().for_each(|v| v.truncate(1));
        }
        let n = operands[0].len();
        let per_call = n.min(MOST);
        let routine = routine(per_call)?;
        let sig = self.fb.import_signature(signature(per_call));
        let f = self.fb.ins().iconst(types::I64, routine as i64);
        let mark = self.mark_temporaries();
        let to = self.temporary(16 * n as u32);
        let to = self.scalar(to);
        let told = self.begin_call();
        for first in (0..n).step_by(per_call) {
            let mut args: Vecs = smallvec![self.fb.ins().iadd_imm_s(to, 16 * first as i64)];
            args.extend(operands.iter().flat_map(|v| v[first..first + per_call].iter().copied()));
            self.fb.ins().call_indirect(sig, f, &args);
        }
        self.end_call(told);
        let flags = Self::flags();
        let parts = if uniform {
            Parts::Uniform(self.fb.ins().load(types::F32, flags, to, 0))
        } else {
            Parts::Varying(
                (0..n as i32).map(|i| self.fb.ins().load(types::F32X4, flags, to, 16 * i)).collect(),
            )
        };
        self.release_temporaries(mark);
        Some(self.push(Ty::F32, parts))
    }

    /// True if rounding the sum to f32 may differ from rounding the exact sum once. This is possible if the sum lies
    /// midway between two f32, or is below the smallest normal f32 but not 0; both are very rare.
    fn may_round_twice(&mut self, sums: Lane) -> Value {
        let sums = self.bitcast(sums, Ty::I64);
        let (low, high) = (self.low_word(sums), self.high_word(sums));
        let (below, half) = (self.u32(0x1fff_ffff), self.u32(0x1000_0000));
        let low = self.and(low, below);
        let tie = self.icmp(ICmp::Eq, low, half);
        // The high words from 1 up to, but not including, that of 2^-126.
        let (sign, first, end) =
            (self.u32(0x7fff_ffff), self.u32(0x7fff_ffff), self.u32(0x380f_ffff ^ 0x8000_0000));
        let size = self.and(high, sign);
        let from_first = self.iadd(size, first);
        let small = self.icmp(ICmp::Slt, from_first, end);
        let either = self.or(tie, small);
        let any = self.any(either);
        self.scalar(any)
    }
}

/// Address of the routine for `n` vectors; compiled at the first use.
fn routine(n: usize) -> Option<usize> {
    static ROUTINES: PerProcess<[OnceLock<Option<CodeBlock>>; MOST]> = PerProcess::new();
    let code = ROUTINES.get()[n - 1].get_or_init(|| make(n));
    code.as_ref().map(|c| c.entry() as usize)
}

fn make(n: usize) -> Option<CodeBlock> {
    let isa = cpu::isa(CpuLevel::V2, Tier::Optimized).ok()?;
    let (mut ctx, mut fbc) = (Context::new(), FunctionBuilderContext::new());
    (ctx.func.name, ctx.func.signature) = (UserFuncName::user(0, 0), signature(n));
    let mut fb = FunctionBuilder::new(&mut ctx.func, &mut fbc);
    let entry = fb.create_block();
    fb.append_block_params_for_function_params(entry);
    fb.switch_to_block(entry);
    let params = fb.block_params(entry).to_vec();
    let mut l = LaneBuilder::new(fb, 4 * n as u32, (CpuLevel::V2, Tier::Optimized), 128);
    body(&mut l, &params);
    l.fb.finalize(isa.frontend_config());
    ctx.compile(&*isa, &mut ControlPlane::default()).ok()?;
    CodeBlock::new(ctx.compiled_code()?.code_buffer()).ok()
}

fn body(l: &mut LaneBuilder, params: &[Value]) {
    let (to, operands) = (params[0], &params[1..]);
    let wide: Vec<Lane> = operands
        .chunks(operands.len() / 3)
        .map(|v| {
            let x = l.push(Ty::F32, Parts::Varying(v.into()));
            l.f32_to_f64(x)
        })
        .collect();
    let product = l.fmul(wide[0], wide[1]);
    let sums = l.fadd(product, wide[2]);
    let rare = l.may_round_twice(sums);
    let (usual, exact) = (l.fb.create_block(), l.fb.create_block());
    l.set_cold(exact);
    l.fb.ins().brif(rare, exact, &[], usual, &[]);
    l.fb.switch_to_block(usual);
    write(l, sums, to);
    l.fb.switch_to_block(exact);
    let sums = l.sums_to_odd(product, wide[2]);
    write(l, sums, to);
    l.fb.seal_all_blocks();
}

/// Rounds to f32, stores the result and returns.
fn write(l: &mut LaneBuilder, sums: Lane, to: Value) {
    let rounded = l.f64_to_f32(sums);
    for (i, v) in l.vecs(rounded).into_iter().enumerate() {
        l.fb.ins().store(LaneBuilder::flags(), v, to, 16 * i as i32);
    }
    l.fb.ins().return_(&[]);
}

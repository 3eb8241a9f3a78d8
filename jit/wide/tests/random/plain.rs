//! Operations that have the same name in CLIF.

use cranelift_codegen::ir::{InstBuilder, Value};
use cranelift_frontend::FunctionBuilder;

/// Emits an operation that has the same name in CLIF.
pub fn plain(fb: &mut FunctionBuilder, name: &str, a: &[Value], _vector: bool) -> Value {
    match name {
        "iadd" => fb.ins().iadd(a[0], a[1]),
        "isub" => fb.ins().isub(a[0], a[1]),
        "imul" => fb.ins().imul(a[0], a[1]),
        "band" => fb.ins().band(a[0], a[1]),
        "bor" => fb.ins().bor(a[0], a[1]),
        "bxor" => fb.ins().bxor(a[0], a[1]),
        "bnot" => fb.ins().bnot(a[0]),
        "ineg" => fb.ins().ineg(a[0]),
        "iabs" => fb.ins().iabs(a[0]),
        "ishl" => fb.ins().ishl(a[0], a[1]),
        "ushr" => fb.ins().ushr(a[0], a[1]),
        "sshr" => fb.ins().sshr(a[0], a[1]),
        "rotl" => fb.ins().rotl(a[0], a[1]),
        "rotr" => fb.ins().rotr(a[0], a[1]),
        "smin" => fb.ins().smin(a[0], a[1]),
        "smax" => fb.ins().smax(a[0], a[1]),
        "umin" => fb.ins().umin(a[0], a[1]),
        "umax" => fb.ins().umax(a[0], a[1]),
        "umulhi" => fb.ins().umulhi(a[0], a[1]),
        "smulhi" => fb.ins().smulhi(a[0], a[1]),
        "clz" => fb.ins().clz(a[0]),
        "ctz" => fb.ins().ctz(a[0]),
        "popcnt" => fb.ins().popcnt(a[0]),
        "select" => fb.ins().select(a[0], a[1], a[2]),
        "bitselect" => fb.ins().bitselect(a[0], a[1], a[2]),
        "fadd" => fb.ins().fadd(a[0], a[1]),
        "fsub" => fb.ins().fsub(a[0], a[1]),
        "fmul" => fb.ins().fmul(a[0], a[1]),
        "fdiv" => fb.ins().fdiv(a[0], a[1]),
        "fma" => fb.ins().fma(a[0], a[1], a[2]),
        "sqrt" => fb.ins().sqrt(a[0]),
        "fneg" => fb.ins().fneg(a[0]),
        "fabs" => fb.ins().fabs(a[0]),
        _ => panic!("an operation without a meaning: {name}"),
    }
}

//! Builds functions, maps code into memory and calls it; Cranelift's own back end serves as the oracle.

#![allow(dead_code)]
#![expect(unsafe_code, reason = "calls generated code")]

use cranelift_codegen::ir::{
    AbiParam, ExtFuncData, ExternalName, Function, Inst, InstBuilder, MemFlagsData, Signature, Type,
    UserFuncName, Value,
};
use cranelift_codegen::isa::{CallConv, OwnedTargetIsa};
use cranelift_codegen::settings::Configurable;
use cranelift_codegen::{Context, control::ControlPlane, isa, settings, verify_function};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use quadrille_jit::{CpuLevel, testing};
use quadrille_wide::intrinsics::Intrinsic;
use quadrille_wide::{Compiled, Compiler, Error, Level, Options};
use rustix::mm::{MapFlags, MprotectFlags, ProtFlags};

/// Executable memory; unmapped when dropped.
pub struct Code {
    base: *mut std::ffi::c_void,
    len: usize,
}

impl Code {
    pub fn new(bytes: &[u8]) -> Code {
        let len = bytes.len().max(1).next_multiple_of(4096);
        // SAFETY: the kernel chooses the address of the new mapping, and the copy stays within its `len` bytes; no
        // reference into it exists when it becomes executable.
        unsafe {
            let rights = ProtFlags::READ | ProtFlags::WRITE;
            let base = rustix::mm::mmap_anonymous(std::ptr::null_mut(), len, rights, MapFlags::PRIVATE)
                .expect("memory");
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), base.cast(), bytes.len());
            rustix::mm::mprotect(base, len, MprotectFlags::READ | MprotectFlags::EXEC).expect("rights");
            Code { base, len }
        }
    }

    /// Calls `fn(memory, a, b) -> i64`.
    pub fn call(&self, memory: &mut [u8], a: i64, b: i64) -> i64 {
        // SAFETY: the tests compile the code with this signature, and programs only access the first bytes of `memory`.
        unsafe {
            let f: extern "C" fn(*mut u8, i64, i64) -> i64 = std::mem::transmute(self.base);
            f(memory.as_mut_ptr(), a, b)
        }
    }

    pub fn address(&self) -> *const u8 {
        self.base.cast()
    }
}

impl Drop for Code {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping of `len` bytes, and nothing uses it after the drop.
        let _ = unsafe { rustix::mm::munmap(self.base, self.len) };
    }
}

/// A page of zeros, followed by an inaccessible page.
pub struct Guarded {
    base: *mut std::ffi::c_void,
}

impl Guarded {
    pub fn new() -> Guarded {
        // SAFETY: the kernel chooses the address of the new mapping of two pages; only the second page, which nothing
        // uses yet, loses its rights.
        unsafe {
            let rights = ProtFlags::READ | ProtFlags::WRITE;
            let base = rustix::mm::mmap_anonymous(std::ptr::null_mut(), 8192, rights, MapFlags::PRIVATE)
                .expect("memory");
            rustix::mm::mprotect(base.add(4096), 4096, MprotectFlags::empty()).expect("rights");
            Guarded { base }
        }
    }

    /// The address of the last `bytes` accessible bytes.
    pub fn last(&self, bytes: usize) -> usize {
        self.base as usize + 4096 - bytes
    }
}

impl Drop for Guarded {
    fn drop(&mut self) {
        // SAFETY: this value owns the mapping of 8192 bytes, and nothing uses it after the drop.
        let _ = unsafe { rustix::mm::munmap(self.base, 8192) };
    }
}

/// Levels that the host supports. Reports the others as skipped.
pub fn levels() -> Vec<Level> {
    let levels = testing::cpu_levels().into_iter().filter_map(|level| match level {
        CpuLevel::V2 => None,
        CpuLevel::V3 => Some(Level::Avx2),
        CpuLevel::V4 => Some(Level::Avx512),
    });
    levels.collect()
}

/// Returns true if the host has the instructions of [`Options::vnni`].
pub fn has_vnni(level: Level) -> bool {
    match level {
        Level::Avx2 => is_x86_feature_detected!("avxvnni"),
        Level::Avx512 => is_x86_feature_detected!("avx512vnni"),
    }
}

/// Compiles a verified function, and verifies the result of the register allocator.
pub fn compile(f: &Function, level: Level) -> Result<Compiled, Error> {
    verify(f);
    Compiler::new().compile(f, &Options { level, vnni: has_vnni(level), check: true })
}

pub fn verify(f: &Function) {
    let flags = settings::Flags::new(settings::builder());
    if let Err(e) = verify_function(f, &flags) {
        panic!("{f}\n{e}");
    }
}

/// Cranelift's own back end, with all features of the host.
pub fn cranelift() -> OwnedTargetIsa {
    let mut shared = settings::builder();
    for (name, value) in
        [("opt_level", "none"), ("is_pic", "false"), ("enable_verifier", "false"), ("unwind_info", "false")]
    {
        shared.set(name, value).expect("a setting");
    }
    let mut b = isa::lookup_by_name("x86_64").expect("x86-64");
    for flag in [
        "has_sse3",
        "has_ssse3",
        "has_sse41",
        "has_sse42",
        "has_popcnt",
        "has_avx",
        "has_avx2",
        "has_fma",
        "has_bmi1",
        "has_bmi2",
        "has_lzcnt",
    ] {
        b.enable(flag).expect("a flag");
    }
    b.finish(settings::Flags::new(shared)).expect("an instruction set")
}

/// Compiles a function with Cranelift.
pub fn by_cranelift(isa: &OwnedTargetIsa, f: Function) -> Vec<u8> {
    let mut ctx = Context::for_function(f);
    let code =
        ctx.compile(&**isa, &mut ControlPlane::default()).unwrap_or_else(|e| panic!("{}\n{e:?}", e.func));
    assert!(code.buffer.relocs().is_empty(), "a relocation");
    code.code_buffer().to_vec()
}

/// Lists the instructions of a function, one per line.
pub fn listing(code: &Compiled) -> String {
    use iced_x86::{Decoder, DecoderOptions, Formatter, NasmFormatter};
    let mut out = String::new();
    let mut formatter = NasmFormatter::new();
    for i in Decoder::with_ip(64, &code.bytes[..code.code_len], 0, DecoderOptions::NONE) {
        let mut line = String::new();
        formatter.format(&i, &mut line);
        out += &format!("{:5x} {line}\n", i.ip());
    }
    out
}

/// A deterministic pseudorandom number generator.
#[derive(Clone)]
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }
    /// A number below `n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n as u64) as usize
    }
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }
    pub fn pick<T: Copy>(&mut self, of: &[T]) -> T {
        of[self.below(of.len())]
    }
}

pub fn flags() -> MemFlagsData {
    MemFlagsData::new().with_notrap()
}

/// Builds a function of one block that returns the results of `body`.
pub fn function(
    conv: CallConv,
    params: &[Type],
    body: impl FnOnce(&mut FunctionBuilder, &[Value]) -> Vec<Value>,
) -> Function {
    let mut f = Function::with_name_signature(UserFuncName::user(0, 0), Signature::new(conv));
    f.signature.params = params.iter().map(|&t| AbiParam::new(t)).collect();
    let mut ctx = FunctionBuilderContext::new();
    let mut fb = FunctionBuilder::new(&mut f, &mut ctx);
    let entry = fb.create_block();
    fb.append_block_params_for_function_params(entry);
    fb.switch_to_block(entry);
    let params = fb.block_params(entry).to_vec();
    let out = body(&mut fb, &params);
    let returns = out.iter().map(|&v| AbiParam::new(fb.func.dfg.value_type(v))).collect();
    fb.func.signature.returns = returns;
    fb.ins().return_(&out);
    fb.seal_all_blocks();
    fb.finalize(cranelift().frontend_config());
    f
}

pub fn compiled(f: &Function, level: Level) -> Compiled {
    compile(f, level).unwrap_or_else(|e| panic!("{f}\n{e}"))
}

/// Calls an intrinsic with one result.
pub fn intrinsic(fb: &mut FunctionBuilder, i: Intrinsic, args: &[Value], out: Type) -> Value {
    let call = intrinsic_call(fb, i, args, Some(out));
    fb.inst_results(call)[0]
}

/// Calls an intrinsic.
pub fn intrinsic_call(fb: &mut FunctionBuilder, i: Intrinsic, args: &[Value], out: Option<Type>) -> Inst {
    let mut sig = Signature::new(CallConv::SystemV);
    sig.params = args.iter().map(|&a| AbiParam::new(fb.func.dfg.value_type(a))).collect();
    sig.returns = out.into_iter().map(AbiParam::new).collect();
    let signature = fb.import_signature(sig);
    let name = ExternalName::user(fb.func.declare_imported_user_function(i.name()));
    let f = fb.import_function(ExtFuncData { name, signature, colocated: true, patchable: false });
    fb.ins().call(f, args)
}

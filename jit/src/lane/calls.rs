//! Calls of `extern "C"` code. In code with places, calls announce their origin. Rare calls do not, because the extra
//! call would affect the code around them.

use cranelift_codegen::ir::{self as cl, InstBuilder, Value, types};
use cranelift_codegen::isa::CallConv;
use smallvec::SmallVec;

use super::{Lane, LaneBuilder, Parts, scalar_type};
use crate::cpu::IS_X86;
use crate::ir::Ty;
use crate::placed::{self, Caller};

/// Origin that calls announce, if any.
#[derive(Default)]
pub(super) struct Calls {
    from: Option<Caller>,
}

impl Calls {
    /// Sets the place of the code that is emitted from here on.
    pub fn comes_from(&mut self, place: u32) {
        if let Some(from) = &mut self.from {
            from.place = place;
        }
    }
}

impl LaneBuilder<'_> {
    /// Makes all later calls announce that they come from the code with this number.
    pub(crate) fn tell_calls(&mut self, code: u32) {
        self.calls.from = Some(Caller { code, place: 0 });
    }

    /// Calls `extern "C" fn(*mut c_void)` at a uniform address.
    pub fn call(&mut self, routine: Lane, arg: Lane) {
        self.call_values(routine, &[arg], None);
    }

    /// Calls `extern "C"` code with uniform arguments; returns the result, if any.
    pub fn call_values(&mut self, routine: Lane, args: &[Lane], ret: Option<Ty>) -> Option<Lane> {
        let told = self.begin_call();
        let conv = self.fb.func.signature.call_conv;
        let result = self.call_as(conv, routine, args, ret);
        self.end_call(told);
        result
    }

    /// Calls a function that few groups need, by its entry (`crate::runtime::Rare`). On x86-64 entries preserve all registers,
    /// so that the call does not affect the code around it.
    pub(crate) fn call_rarely(&mut self, entry: *const u8, args: &[Lane]) {
        let conv = if IS_X86 { CallConv::PreserveAll } else { self.fb.func.signature.call_conv };
        let routine = self.ptr(entry);
        self.call_as(conv, routine, args, None);
    }

    fn call_as(&mut self, conv: CallConv, routine: Lane, args: &[Lane], ret: Option<Ty>) -> Option<Lane> {
        let mut sig = cl::Signature::new(conv);
        for &a in args {
            sig.params.push(cl::AbiParam::new(scalar_type(self.ty(a))));
        }
        if let Some(ty) = ret {
            sig.returns.push(cl::AbiParam::new(scalar_type(ty)));
        }
        let sig = self.fb.import_signature(sig);
        let f = self.scalar(routine);
        let args: SmallVec<[Value; 4]> = args.iter().map(|&a| self.scalar(a)).collect();
        let inst = self.fb.ins().call_indirect(sig, f, &args);
        let result = self.fb.inst_results(inst).first().copied();
        ret.zip(result).map(|(ty, v)| self.push(ty, Parts::Uniform(v)))
    }

    /// Announces the origin of the next call. Pass the result to [`Self::end_call`].
    pub(super) fn begin_call(&mut self) -> Option<Value> {
        let from = self.calls.from?;
        let mut sig = cl::Signature::new(self.fb.func.signature.call_conv);
        sig.returns.push(cl::AbiParam::new(types::I64));
        let sig = self.fb.import_signature(sig);
        let f = self.fb.ins().iconst(types::I64, placed::calling as *const () as i64);
        let inst = self.fb.ins().call_indirect(sig, f, &[]);
        let at = self.fb.inst_results(inst)[0];
        let from = self.fb.ins().iconst(types::I64, from.word() as i64);
        self.fb.ins().store(Self::flags(), from, at, 0);
        Some(at)
    }

    /// Withdraws the announcement after the call.
    pub(super) fn end_call(&mut self, told: Option<Value>) {
        if let Some(at) = told {
            let none = self.fb.ins().iconst(types::I64, 0);
            self.fb.ins().store(Self::flags(), none, at, 0);
        }
    }
}

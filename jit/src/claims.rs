//! What generated code relies on without testing it: the checks that `range` and `proven` of the code
//! generator proved away, each as a fact that can be tested after all.
//!
//! Code compiled for it ([`crate::codegen::compile_checked`]) keeps every check and tests the facts besides,
//! in all lanes; the interpreter ([`crate::interp::build_checked`]) runs the same IR and tests them in the
//! active ones, with arithmetic of its own. Either notes a fact that does not hold, and the call that it
//! happened in fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::ir::each_inst;
use crate::ir::{Inst, Op, Shader, Value};

/// Something that holds whenever an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// No lane of the value (I32) has more than this.
    AtMost(Value, u32),
    /// Every lane of the value (I32) is a multiple of 4, or 2^32 - 1, which is in range of nothing.
    Aligned(Value),
    /// The offset (I32) and this many bytes end within the buffer, in every lane.
    InRange {
        /// The buffer.
        buffer: Value,
        /// The dynamic offset.
        offset: Value,
        /// From there to the end of the access.
        bytes: u64,
    },
    /// The truth value is this, in every lane.
    Is(Value, bool),
    /// Both values (I32) are the same, in every lane.
    Same(Value, Value),
}

/// A fact and where it holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// Number of the instruction, in the order of [`each_inst`].
    pub at: u32,
    /// The fact.
    pub fact: Fact,
    /// It holds only in workgroups for which every one of [`Claims::tests`] is true.
    pub tested: bool,
}

/// A value (I32) that is `first + step * i`, wrapping, in invocation i of the workgroup, `first` being what it
/// is in invocation 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value.
    pub value: Value,
    /// The step.
    pub step: u32,
}

/// Something that is tested once for a workgroup, on unsigned numbers that do not wrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The sum of each line's greatest value times a stride, and this many bytes, end within the buffer.
    Reaches {
        /// The buffer.
        buffer: Value,
        /// Lines and strides.
        terms: Vec<(Line, u32)>,
        /// Bytes added.
        bytes: u64,
    },
    /// The minimum or maximum of a line and a value that is the same in the whole workgroup is the line.
    Keeps {
        /// SMin, UMin, SMax or UMax.
        op: Op,
        /// The line.
        line: Line,
        /// The other.
        other: Value,
    },
    /// The line's greatest value is less than a value that is the same in the whole workgroup, or no more.
    Below {
        /// The line.
        line: Line,
        /// The other.
        other: Value,
        /// That one is signed.
        signed: bool,
        /// Less.
        strict: bool,
    },
}

/// A claim that did not hold, if there was one.
#[derive(Debug, Default)]
pub struct Verdict(AtomicU32);

impl Verdict {
    /// Notes that claim `k` does not hold.
    pub fn broken(&self, k: u32) {
        let _ = self.0.compare_exchange(0, k + 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Where code puts `k + 1`.
    pub(crate) fn place(&self) -> *const u32 {
        self.0.as_ptr()
    }
}

/// The claims of one compilation.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The shader after the passes, which the claims are about.
    pub shader: Arc<Shader>,
    /// Lane group size S that they are about.
    pub lanes: u32,
    /// Claims, each once.
    pub list: Vec<Claim>,
    /// What is tested once for a workgroup.
    pub tests: Vec<Test>,
    /// Accesses whose check is left out.
    pub dropped: usize,
    /// What has come of them.
    pub verdict: Arc<Verdict>,
}

impl Claims {
    /// The same claims, none of them broken.
    pub fn anew(&self) -> Claims {
        Claims { verdict: Arc::default(), ..self.clone() }
    }

    /// Whether one has turned out not to hold.
    pub fn are_broken(&self) -> bool {
        self.verdict.0.load(Ordering::Relaxed) != 0
    }

    /// One that did not hold, in words.
    pub fn broken(&self) -> Option<String> {
        let k = self.verdict.0.load(Ordering::Relaxed).checked_sub(1)?;
        let Claim { at, fact, .. } = self.list.get(k as usize)?;
        let mut insts: Vec<&Inst> = Vec::new();
        each_inst(&self.shader.body, &mut |i| insts.push(i));
        let inst = insts.get(*at as usize)?;
        let id = if inst.src.id == 0 { String::new() } else { format!(", id %{}", inst.src.id) };
        let line =
            if inst.src.line == 0 { String::new() } else { format!(", source line {}", inst.src.line) };
        let (shader, op) = (&self.shader.name, inst.op.name());
        Some(format!("`{shader}`, instruction {at} ({op}{id}{line}): no check, but {fact:?} does not hold"))
    }
}

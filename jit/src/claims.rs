//! Assumptions of generated code: each check that the code generator's `range` and `proven` removed, as a fact that can
//! still be tested.
//!
//! Code compiled for verification ([`crate::codegen::compile_checked`]) keeps every check and also tests the facts, in
//! all lanes. The interpreter ([`crate::interp::build_checked`]) runs the same IR and tests the facts in the active
//! lanes, with separate arithmetic. Both record a fact that does not hold, and its call fails.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use crate::ir::each_inst;
use crate::ir::{Inst, Op, Shader, Value};

/// A condition that holds whenever an instruction runs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fact {
    /// The value (I32) is at most this in every lane.
    AtMost(Value, u32),
    /// Every lane of the value (I32) is a multiple of 4, or 2^32 - 1, which is always out of range.
    Aligned(Value),
    /// In every lane, the access at the offset (I32) with this many bytes ends within the buffer.
    InRange {
        /// The buffer.
        buffer: Value,
        /// The dynamic offset.
        offset: Value,
        /// Bytes from the dynamic offset to the end of the access.
        bytes: u64,
    },
    /// The Bool has this value in every lane.
    Is(Value, bool),
    /// Both values (I32) are equal in every lane.
    Same(Value, Value),
}

/// A fact, and the instruction that it applies to.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Claim {
    /// Number of the instruction, in the order of [`each_inst`].
    pub at: u32,
    /// The fact.
    pub fact: Fact,
    /// `true` if the fact only holds in workgroups in which all of [`Claims::tests`] are true.
    pub tested: bool,
}

/// A value (I32) that is `first + step * i`, wrapping, in invocation i of the workgroup; `first` is its value in
/// invocation 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Line {
    /// The value.
    pub value: Value,
    /// The step.
    pub step: u32,
}

/// A condition that is tested once per workgroup, on unsigned numbers that do not wrap.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Test {
    /// The sum of the maximum of each line times its stride, plus this many bytes, ends within the buffer.
    Reaches {
        /// The buffer.
        buffer: Value,
        /// Lines, each with its stride.
        terms: Vec<(Line, u32)>,
        /// Bytes added.
        bytes: u64,
    },
    /// The minimum or maximum of a line and a workgroup-uniform value is the line.
    Keeps {
        /// SMin, UMin, SMax or UMax.
        op: Op,
        /// The line.
        line: Line,
        /// The workgroup-uniform value.
        other: Value,
    },
    /// The maximum of the line is less than a workgroup-uniform value, or at most that value.
    Below {
        /// The line.
        line: Line,
        /// The workgroup-uniform value.
        other: Value,
        /// `true` if the uniform value is signed.
        signed: bool,
        /// `true` for less than, `false` for at most.
        strict: bool,
    },
}

/// A claim that failed, if there is one.
#[derive(Debug, Default)]
pub struct Verdict(AtomicU32);

impl Verdict {
    /// Records that claim `k` does not hold.
    pub fn broken(&self, k: u32) {
        let _ = self.0.compare_exchange(0, k + 1, Ordering::Relaxed, Ordering::Relaxed);
    }

    /// Address at which generated code stores `k + 1`.
    pub(crate) fn place(&self) -> *const u32 {
        self.0.as_ptr()
    }
}

/// The claims of one compilation.
#[derive(Clone, Debug)]
pub struct Claims {
    /// The shader after the passes; the claims refer to its instructions.
    pub shader: Arc<Shader>,
    /// Lane group size S that the claims apply to.
    pub lanes: u32,
    /// The claims, without duplicates.
    pub list: Vec<Claim>,
    /// Conditions that are tested once per workgroup.
    pub tests: Vec<Test>,
    /// Number of accesses whose bounds check was removed.
    pub dropped: usize,
    /// Result of the verification.
    pub verdict: Arc<Verdict>,
}

impl Claims {
    /// Returns the same claims with a fresh verdict.
    pub fn anew(&self) -> Claims {
        Claims { verdict: Arc::default(), ..self.clone() }
    }

    /// `true` if a claim has failed.
    pub fn are_broken(&self) -> bool {
        self.verdict.0.load(Ordering::Relaxed) != 0
    }

    /// Describes a claim that failed.
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

//! Origins of undefined values, and their descriptions.

use quadrille_jit::ir::{Imm, Inst, Note, Op, Partial, Shader, Src, Ty};
use rustc_hash::FxHashMap;

use super::number::{is_nan, text};
use super::rules::{self, Operands};
use crate::kind::Kind;
use crate::pending::{Where, of_variable};
use crate::report::Report;

/// Reason why a value is undefined.
#[derive(Clone, Debug)]
pub enum Made {
    /// An operation on finite numbers has a NaN, or else an infinity, as its result.
    By(Op, Vec<(Ty, u64)>, NonFinite),
    /// One component of a partial instruction violates its rule.
    Partly(Partial, Vec<(Ty, u64)>),
    /// A whole vector or matrix of a partial instruction violates its rule.
    Whole(Partial, Ty, Vec<u64>),
    /// The value comes from `OpUndef`.
    Undef,
    /// Found by another check, with the report to use if the value surfaces.
    Found(Box<Report>),
}

/// A number that is not finite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonFinite {
    /// A NaN.
    Nan,
    /// An infinity of either sign.
    Infinity,
}

impl NonFinite {
    /// Classifies a float that is not finite.
    pub fn of(ty: Ty, bits: u64) -> NonFinite {
        if is_nan(ty, bits) { NonFinite::Nan } else { NonFinite::Infinity }
    }
}

/// Origin of an undefined value.
#[derive(Clone, Debug)]
pub struct Origin {
    /// Place of the instruction.
    pub src: Src,
    /// Name of the instruction if no line is known.
    pub instruction: &'static str,
    /// Reason why it is undefined.
    pub made: Made,
    /// Kind of report; `None` if it depends on the value that surfaces.
    pub kind: Option<Kind>,
    /// Address of the instruction.
    pub inst: usize,
    /// Execution in which it was made.
    pub execution: u64,
    /// Number of the cause if several instructions share it.
    pub cause: Option<usize>,
    /// Place of an operand that was itself undefined.
    pub from: Option<Src>,
}

impl Origin {
    /// Creates an origin at an instruction, in an execution.
    pub fn at(inst: &Inst, made: Made, execution: u64) -> Origin {
        let instruction = match inst.imm {
            Imm::Note(Note::Partial(p)) => partial_name(p),
            _ => inst.op.name(),
        };
        Origin {
            src: inst.src,
            instruction,
            made,
            kind: None,
            inst: std::ptr::from_ref(inst) as usize,
            execution,
            cause: None,
            from: None,
        }
    }

    /// Returns the place of the cause, and a number that distinguishes causes there.
    pub fn cause(&self, shader: &Shader) -> (Where, u64) {
        match (self.cause, &self.made) {
            (Some(number), _) => (Where::Address(number), 0),
            (None, Made::Found(report)) if report.variable.is_some() => {
                let variable = report.variable.as_deref().unwrap_or_default();
                (Where::line(shader, self.src, self.inst), of_variable(variable))
            }
            _ => (Where::instruction(self.src, self.inst), 0),
        }
    }

    /// True if an operation made an infinity.
    pub fn is_infinity(&self) -> bool {
        matches!(self.made, Made::By(_, _, NonFinite::Infinity))
    }

    /// Describes the event and the operands.
    pub fn describe(&self) -> (String, Vec<(String, String)>) {
        match &self.made {
            Made::By(op, args, NonFinite::Nan) => (format!("{} is NaN", expression(*op, args)), Vec::new()),
            Made::By(op, args, NonFinite::Infinity) => {
                (format!("{} is an infinity", expression(*op, args)), Vec::new())
            }
            Made::Partly(inst, args) => {
                let (tys, bits): (Vec<Ty>, Vec<u64>) = args.iter().copied().unzip();
                rules::describe(*inst, Operands { tys: &tys, bits: &bits })
            }
            Made::Whole(inst, ty, operand) => rules::describe_whole(*inst, *ty, operand),
            Made::Undef => ("an undefined value".into(), Vec::new()),
            Made::Found(report) => (report.message.clone(), report.values.clone()),
        }
    }
}

/// Name of a partial instruction.
fn partial_name(partial: Partial) -> &'static str {
    match partial {
        Partial::UDiv => "OpUDiv",
        Partial::SDiv => "OpSDiv",
        Partial::UMod => "OpUMod",
        Partial::SRem => "OpSRem",
        Partial::SMod => "OpSMod",
        Partial::FRem => "OpFRem",
        Partial::FMod => "OpFMod",
        Partial::ShiftLeftLogical => "OpShiftLeftLogical",
        Partial::ShiftRightLogical => "OpShiftRightLogical",
        Partial::ShiftRightArithmetic => "OpShiftRightArithmetic",
        Partial::BitFieldInsert => "OpBitFieldInsert",
        Partial::BitFieldSExtract => "OpBitFieldSExtract",
        Partial::BitFieldUExtract => "OpBitFieldUExtract",
        Partial::ConvertFToU => "OpConvertFToU",
        Partial::ConvertFToS => "OpConvertFToS",
        _ => "OpExtInst",
    }
}

/// Formats an operation with its operands: `1 / 0`, `exp(100)`.
fn expression(op: Op, args: &[(Ty, u64)]) -> String {
    let texts: Vec<String> = args.iter().map(|&(ty, bits)| text(ty, bits, op == Op::SToF)).collect();
    let sign = match op {
        Op::FAdd => "+",
        Op::FSub => "-",
        Op::FMul => "*",
        Op::FDiv => "/",
        _ => "",
    };
    match (&texts[..], sign) {
        ([a, b], sign) if !sign.is_empty() => format!("{a} {sign} {b}"),
        _ => {
            // Drop the namespace: `m.exp` is `exp` in the source.
            let name = op.name().rsplit('.').next().unwrap_or_default();
            format!("{name}({})", texts.join(", "))
        }
    }
}

/// Origins of a lane group; for each instruction, component and lane only the last is kept.
#[derive(Clone, Debug, Default)]
pub struct Origins {
    list: Vec<Origin>,
    known: FxHashMap<(usize, u32, u8), usize>,
}

impl Origins {
    /// Forgets all origins.
    pub fn clear(&mut self) {
        self.list.clear();
        self.known.clear();
    }

    /// Adds an origin and returns its number; `component` distinguishes the results of one instruction.
    pub fn add(&mut self, origin: Origin, component: usize, lane: usize) -> usize {
        let at = *self.known.entry((origin.inst, component as u32, lane as u8)).or_insert(self.list.len());
        match self.list.get_mut(at) {
            Some(old) => *old = origin,
            None => self.list.push(origin),
        }
        at
    }

    /// Returns an origin by its number.
    pub fn get(&self, at: usize) -> Option<&Origin> {
        self.list.get(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_look_like_source() {
        let f = |x: f32| (Ty::F32, u64::from(x.to_bits()));
        assert_eq!(expression(Op::FDiv, &[f(1.0), f(0.0)]), "1 / 0");
        assert_eq!(expression(Op::Exp, &[f(100.0)]), "exp(100)");
        assert_eq!(expression(Op::Fma, &[f(1.0), f(2.0), f(3.5)]), "fma(1, 2, 3.5)");
    }

    #[test]
    fn operations_are_what_they_made() {
        let f = |x: f32| (Ty::F32, u64::from(x.to_bits()));
        for (divisor, result, text) in
            [(0.0, f32::NAN, "0 / 0 is NaN"), (-0.0, f32::NEG_INFINITY, "0 / -0 is an infinity")]
        {
            let result = NonFinite::of(Ty::F32, f(result).1);
            let origin = Origin {
                src: Src::default(),
                instruction: "",
                made: Made::By(Op::FDiv, vec![f(0.0), f(divisor)], result),
                kind: None,
                inst: 0,
                execution: 0,
                cause: None,
                from: None,
            };
            assert_eq!(
                (origin.describe().0.as_str(), origin.is_infinity()),
                (text, result == NonFinite::Infinity)
            );
        }
    }

    #[test]
    fn an_instruction_in_a_loop_has_one_origin_for_each_lane() {
        let mut origins = Origins::default();
        let origin = |inst| Origin {
            src: Src::default(),
            instruction: "",
            made: Made::Undef,
            kind: None,
            inst,
            execution: 0,
            cause: None,
            from: None,
        };
        assert_eq!([origins.add(origin(8), 0, 0), origins.add(origin(8), 0, 1)], [0, 1]);
        assert_eq!([origins.add(origin(8), 0, 0), origins.add(origin(9), 0, 0)], [0, 2]);
        assert_eq!(origins.add(origin(8), 1, 0), 3);
        origins.clear();
        assert!(origins.get(0).is_none());
    }
}

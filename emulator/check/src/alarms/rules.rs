//! Alarms for instructions that are defined only for some operands, and for operations that turn finite numbers into
//! non-finite ones: counterparts of `values::rules` and `values::propagate`.

use quadrille_jit::ir::{Inst, Op, Partial, Ty, Value};
use quadrille_jit::ops;

use super::insert::Insert;

impl Insert {
    /// Adds an alarm for a lane-wise operation that produces a NaN or an infinity.
    pub fn non_finite(&mut self, inst: &Inst) {
        use Op::{
            Bitcast, FAbs, FCeil, FFloor, FMax, FMin, FNeg, FRound, FSign, FTrunc, NMax, NMin, SToF, Select,
            UToF,
        };
        let Some(&result) = inst.results.first() else { return };
        let ty = self.shader.ty(result);
        if !ty.is_float() || !ops::has_row(inst.op) {
            return;
        }
        let never = match inst.op {
            Bitcast | FNeg | FAbs | FSign | FFloor | FCeil | FTrunc | FRound | Select => true,
            FMin | FMax | NMin | NMax => true,
            SToF | UToF => ty != Ty::F16,
            _ => false,
        };
        if !never {
            self.ring_if_odd(result);
        }
    }

    /// Adds alarms for a partial instruction: `args` are the components of each operand, then those of the result.
    pub fn partial(&mut self, partial: Partial, args: &[Value]) {
        let n = args.len() / (partial.operands() + 1);
        let (operands, results) = args.split_at(args.len() - n);
        match partial {
            // Violations of these rules show in the result.
            Partial::Asin
            | Partial::Acos
            | Partial::Acosh
            | Partial::Atanh
            | Partial::Log
            | Partial::Log2
            | Partial::Sqrt
            | Partial::InverseSqrt
            | Partial::MatrixInverse => self.ring_if_any_odd(results),
            Partial::Normalize => {
                self.ring_if_any_odd(results);
                if let (1, &x) = (n, &operands[0]) {
                    let zero = self.float(self.shader.ty(x), 0.0);
                    let is = self.test(Op::FOrdEq, &[x, zero]);
                    self.ring(is);
                }
            }
            _ => {
                for i in 0..n {
                    let on: Vec<Value> = operands.iter().skip(i).step_by(n).copied().collect();
                    self.component(partial, self.shader.ty(results[i]), &on);
                }
            }
        }
    }

    fn ring_if_any_odd(&mut self, values: &[Value]) {
        for &v in values {
            if self.shader.ty(v).is_float() {
                self.ring_if_odd(v);
            }
        }
    }

    fn ring_if_nan(&mut self, values: &[Value]) {
        for &v in values {
            let nan = self.test(Op::IsNan, &[v]);
            self.ring(nan);
        }
    }

    /// Compares with a constant: `x op k`, or `k op x` if `first`.
    fn with_float(&mut self, op: Op, x: Value, k: f32, first: bool) -> Value {
        let k = self.float(self.shader.ty(x), k);
        self.test(op, &if first { [k, x] } else { [x, k] })
    }

    /// Adds alarms for one component of an instruction.
    fn component(&mut self, partial: Partial, result: Ty, on: &[Value]) {
        let ty = self.shader.ty(on[0]);
        let width = u64::from(ty.bits().unwrap_or(32));
        match partial {
            Partial::UDiv | Partial::UMod => self.zero(on[1]),
            Partial::SDiv | Partial::SRem | Partial::SMod => {
                self.zero(on[1]);
                self.overflow(ty, width, on[0], on[1]);
            }
            Partial::FRem | Partial::FMod => {
                let zero = self.with_float(Op::FOrdEq, on[1], 0.0, false);
                self.ring(zero);
            }
            Partial::ShiftLeftLogical | Partial::ShiftRightLogical | Partial::ShiftRightArithmetic => {
                let width = self.bits(self.shader.ty(on[1]), width);
                let wide = self.test(Op::ULe, &[width, on[1]]);
                self.ring(wide);
            }
            Partial::BitFieldSExtract | Partial::BitFieldUExtract | Partial::BitFieldInsert => {
                self.field(width, on[on.len() - 2], on[on.len() - 1]);
            }
            Partial::ConvertFToU | Partial::ConvertFToS => {
                self.conversion(on[0], result, partial == Partial::ConvertFToS);
            }
            Partial::Atan2 => {
                let y = self.with_float(Op::FOrdEq, on[0], 0.0, false);
                let x = self.with_float(Op::FOrdEq, on[1], 0.0, false);
                let both = self.test(Op::And, &[x, y]);
                self.ring(both);
            }
            Partial::Pow => self.power(on[0], on[1]),
            Partial::FMin | Partial::FMax => self.ring_if_nan(on),
            Partial::FClamp => {
                self.ring_if_nan(on);
                self.order(Op::FOrdLt, on[2], on[1]);
            }
            Partial::NClamp => self.order(Op::FOrdLt, on[2], on[1]),
            Partial::UClamp => self.order(Op::ULt, on[2], on[1]),
            Partial::SClamp => self.order(Op::SLt, on[2], on[1]),
            Partial::SmoothStep => {
                self.ring_if_nan(on);
                self.order(if self.reversed { Op::FOrdLe } else { Op::FOrdEq }, on[1], on[0]);
            }
            Partial::Frexp | Partial::FrexpStruct => self.ring_if_odd(on[0]),
            Partial::Ldexp => {
                let most = if ty == Ty::F64 { 1024 } else { 128 };
                // Exponents of fewer bits are never that large; a false alarm does no harm.
                let exponent = self.shader.ty(on[1]);
                if exponent == Ty::I8 {
                    return;
                }
                let most = self.bits(exponent, most);
                self.order(Op::SLt, most, on[1]);
            }
            // Handled as a whole.
            Partial::Asin
            | Partial::Acos
            | Partial::Acosh
            | Partial::Atanh
            | Partial::Log
            | Partial::Log2
            | Partial::Sqrt
            | Partial::InverseSqrt
            | Partial::MatrixInverse
            | Partial::Normalize => self.ring_always(),
        }
    }

    /// Adds an alarm for the least number of a type divided by -1.
    fn overflow(&mut self, ty: Ty, width: u64, dividend: Value, divisor: Value) {
        let (least, minus) = (self.bits(ty, 1 << (width - 1)), self.bits(ty, u64::MAX >> (64 - width)));
        let (a, b) = (self.test(Op::IEq, &[dividend, least]), self.test(Op::IEq, &[divisor, minus]));
        let over = self.test(Op::And, &[a, b]);
        self.ring(over);
    }

    /// Adds alarms for powers of negative numbers, and of zero if the exponent is not positive.
    fn power(&mut self, base: Value, exponent: Value) {
        let negative = self.with_float(Op::FOrdLt, base, 0.0, false);
        self.ring(negative);
        let x = self.with_float(Op::FOrdEq, base, 0.0, false);
        let y = self.with_float(Op::FOrdLe, exponent, 0.0, false);
        let both = self.test(Op::And, &[x, y]);
        self.ring(both);
    }

    /// Adds an alarm for `a op b`.
    fn order(&mut self, op: Op, a: Value, b: Value) {
        let wrong = self.test(op, &[a, b]);
        self.ring(wrong);
    }

    fn zero(&mut self, v: Value) {
        let zero = self.bits(self.shader.ty(v), 0);
        self.order(Op::IEq, v, zero);
    }

    /// Adds alarms for the offset and the count of a bit field.
    fn field(&mut self, width: u64, offset: Value, count: Value) {
        let (a, b) = (self.shader.ty(offset), self.shader.ty(count));
        if a != b {
            return self.ring_always();
        }
        let width = self.bits(a, width);
        let end = self.op(Op::IAdd, a, &[offset, count]);
        // The first two checks keep the sum from wrapping.
        for v in [offset, count, end] {
            self.order(Op::ULt, width, v);
        }
    }

    /// Adds an alarm for the conversion of a float to an integer type that cannot hold its truncated value.
    fn conversion(&mut self, x: Value, to: Ty, is_signed: bool) {
        let bits = to.bits().unwrap_or(32) as i32 - i32::from(is_signed);
        let cut = self.op(Op::FTrunc, self.shader.ty(x), &[x]);
        let most = self.with_float(Op::FUnordLe, cut, 2f32.powi(bits), true);
        self.ring(most);
        let least = if is_signed { -2f32.powi(bits) } else { 0.0 };
        let below = self.with_float(Op::FUnordLt, cut, least, false);
        self.ring(below);
        // In 16-bit floats the limits may be infinities.
        self.ring_if_odd(x);
    }
}

#[cfg(test)]
mod tests {
    use super::super::insert::insert;
    use super::*;
    use crate::values::rules::{Operands, component};
    use quadrille_jit::ir::{Imm, Node, Note, Shader, Src, StageKind};
    use rustc_hash::FxHashMap;

    /// True if an alarm rings in a shader that only notes an instruction with these operands.
    fn rings(partial: Partial, tys: &[Ty], bits: &[u64], result: Ty) -> bool {
        let mut shader = Shader::empty(StageKind::default(), "main");
        let args: Vec<Value> = tys.iter().chain([&result]).map(|&ty| shader.new_value(ty)).collect();
        let mut values: FxHashMap<Value, u64> = args.iter().copied().zip(bits.iter().copied()).collect();
        values.insert(args[tys.len()], 0);
        let note = Inst {
            op: Op::Note,
            args: args.into_iter().collect(),
            results: Default::default(),
            imm: Imm::Note(Note::Partial(partial)),
            src: Src::default(),
        };
        shader.body.nodes.push(Node::Inst(note));
        let copy = insert(&shader, &[], true);
        copy.body.nodes.iter().any(|node| {
            let Node::Inst(inst) = node else { panic!("a straight line") };
            let args: Vec<u64> = inst.args.iter().map(|a| values[a]).collect();
            let tys: Vec<Ty> = inst.args.iter().map(|&a| copy.ty(a)).collect();
            match (inst.op, &inst.imm) {
                (Op::Alarm, _) => return args[0] == 1,
                (Op::Const, &Imm::Bits(bits)) => drop(values.insert(inst.results[0], bits)),
                (op, _) => {
                    assert!(ops::has_row(op), "{op:?}");
                    let result = inst.results[0];
                    values.insert(result, ops::eval(op, &tys, copy.ty(result), &args));
                }
            }
            false
        })
    }

    /// Returns boundary values of a type.
    fn hard(ty: Ty) -> Vec<u64> {
        if ty.is_float() {
            let most = [31, 32, 63, 64].map(|n| 2f32.powi(n));
            let list =
                [0.0, -0.0, 0.5, 1.0, -1.0, 1.5, -2.0, 3e4, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];
            return list
                .into_iter()
                .chain(most)
                .chain(most.map(|x| -x))
                .map(|x| ops::float_bits(ty, x))
                .collect();
        }
        let n = ty.bits().unwrap_or(32);
        let all = u64::MAX >> (64 - n);
        let list = [0, 1, 2, 7, 31, 32, 33, 63, 64, 127, all, all - 1, all >> 1, (all >> 1) + 1];
        list.into_iter().map(|x| x & all).collect()
    }

    #[test]
    fn alarms_ring_wherever_a_rule_is_broken() {
        let (mut broken, mut quiet) = (0, 0);
        for &partial in Partial::ALL {
            let of_float = matches!(
                partial,
                Partial::FRem
                    | Partial::FMod
                    | Partial::ConvertFToU
                    | Partial::ConvertFToS
                    | Partial::Atan2
                    | Partial::Pow
                    | Partial::FMin
                    | Partial::FMax
                    | Partial::FClamp
                    | Partial::NClamp
                    | Partial::SmoothStep
                    | Partial::Frexp
                    | Partial::Ldexp
            );
            let of_result = shows_in_result(partial);
            if of_result || partial == Partial::FrexpStruct {
                continue;
            }
            let types: &[Ty] =
                if of_float { &[Ty::F32, Ty::F16, Ty::F64] } else { &[Ty::I32, Ty::I8, Ty::I64] };
            for &ty in types {
                let mut tys = vec![ty; partial.operands()];
                if partial == Partial::Ldexp {
                    tys[1] = Ty::I32;
                }
                let result = match partial {
                    Partial::ConvertFToS | Partial::ConvertFToU => Ty::I32,
                    _ => ty,
                };
                let lists: Vec<Vec<u64>> = tys.iter().map(|&ty| hard(ty)).collect();
                let n: usize = lists.iter().map(Vec::len).product();
                // Of the many combinations of four lists, test every 11th.
                for k in (0..n).step_by(if tys.len() > 3 { 11 } else { 1 }) {
                    let mut rest = k;
                    let bits: Vec<u64> = lists
                        .iter()
                        .map(|list| {
                            let bits = list[rest % list.len()];
                            rest /= list.len();
                            bits
                        })
                        .collect();
                    let rule = component(partial, result, Operands { tys: &tys, bits: &bits });
                    let rings = rings(partial, &tys, &bits, result);
                    assert!(rings || rule.is_none(), "{partial:?} {ty:?} {bits:x?}: {rule:?}");
                    broken += u32::from(rule.is_some());
                    quiet += u32::from(!rings);
                }
            }
        }
        assert!(broken > 1000 && quiet > 1000, "{broken} broken, {quiet} quiet");
    }

    fn shows_in_result(partial: Partial) -> bool {
        use Partial::{Acos, Acosh, Asin, Atanh, InverseSqrt, Log, Log2, MatrixInverse, Normalize, Sqrt};
        matches!(
            partial,
            Asin | Acos | Acosh | Atanh | Log | Log2 | Sqrt | InverseSqrt | MatrixInverse | Normalize
        )
    }
}

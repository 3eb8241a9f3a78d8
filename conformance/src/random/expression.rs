//! Expressions of any type, nested.

use super::ops::{Kind, ROWS};
use super::{B, F, Generator, I, Ty, U, full};
use crate::text::GLSL;
use crate::value::{Scalar, Type};

impl Generator {
    pub fn ty(&mut self, ty: Ty) -> String {
        self.m.ty(&full(ty))
    }

    pub fn random_ty(&mut self) -> Ty {
        let s = *self.r.pick(&self.scalars);
        (s, *self.r.pick(self.sizes))
    }

    /// Returns a scalar type of the module of this kind, or of a similar kind.
    fn scalar_of(&mut self, kind: Kind) -> Scalar {
        let list: Vec<Scalar> = self.scalars.iter().copied().filter(|s| Kind::of(*s) == kind).collect();
        if list.is_empty() { kind.at(32) } else { *self.r.pick(&list) }
    }

    pub fn constant(&mut self, (s, n): Ty) -> String {
        let bits: Vec<u64> = (0..n)
            .map(|_| match s {
                Scalar::Bool => self.r.bits() & 1,
                Scalar::Float(64) => {
                    let list = [0.0f64, 1.0, -1.0, 0.5, 2.0, 3.75, -7.5, 100.0, 1e-3, 1e300, -0.0, 6.25, 0.1];
                    self.r.pick(&list).to_bits()
                }
                Scalar::Float(16) => {
                    let list = [
                        0, 0x3c00, 0xbc00, 0x3800, 0x4000, 0x4380, 0xc780, 0x5640, 0x1419, 0x7bff, 0x8000, 1,
                    ];
                    *self.r.pick(&list)
                }
                Scalar::Float(_) => {
                    let list = [0.0f32, 1.0, -1.0, 0.5, 2.0, 3.75, -7.5, 100.0, 1e-3, 1e30, -0.0, 6.25, 0.1];
                    u64::from(self.r.pick(&list).to_bits())
                }
                Scalar::Int(..) => {
                    let top = 1u64 << (s.bits() - 1);
                    let list = [0, 1, 2, 3, 4, 7, 8, 31, 32, 100, u64::MAX, top, top - 1];
                    *self.r.pick(&list) & s.mask()
                }
            })
            .collect();
        self.m.composite(&full((s, n)), &mut bits.iter())
    }

    /// Makes an expression of a type.
    pub fn expression(&mut self, ty: Ty, depth: u32) -> String {
        let (s, n) = ty;
        let id = self.ty(ty);
        let known: Vec<usize> = (0..self.values.len()).filter(|&i| self.values[i].1 == ty).collect();
        let variables: Vec<usize> =
            (0..self.variables.len()).filter(|&i| self.variables[i].1 == ty).collect();
        let choice = if depth > 3 { self.r.below(3) } else { self.r.below(15) };
        match choice {
            0 if !known.is_empty() => self.values[*self.r.pick(&known)].0.clone(),
            1 if !variables.is_empty() => {
                let v = self.variables[*self.r.pick(&variables)].0.clone();
                self.m.push(&format!("OpLoad {id} {v}"))
            }
            0..=2 if !known.is_empty() && !self.r.one_in(3) => self.values[*self.r.pick(&known)].0.clone(),
            0..=2 => self.constant(ty),
            3 if n == 1 && s.bits() == 32 => {
                let w = self.load_word(depth);
                if s == U { w } else { self.m.push(&format!("OpBitcast {id} {w}")) }
            }
            3 | 4 if n > 1 => {
                let parts: Vec<String> = (0..n).map(|_| self.expression((s, 1), depth + 1)).collect();
                self.m.push(&format!("OpCompositeConstruct {id} {}", parts.join(" ")))
            }
            4 if n == 1 => {
                let wide = self.r.below(3) as u32 + 2;
                let v = self.expression((s, wide), depth + 1);
                match self.r.one_in(2) {
                    true => self.m.push(&format!("OpCompositeExtract {id} {v} {}", wide - 1)),
                    false => {
                        let i = self.expression((U, 1), depth + 2);
                        let (word, n) = (self.m.scalar(U), self.m.u32(wide));
                        let i = self.m.push(&format!("OpUMod {word} {i} {n}"));
                        self.m.push(&format!("OpVectorExtractDynamic {id} {v} {i}"))
                    }
                }
            }
            5 if n == 1 => self.special(s, depth),
            5 => self.special_vector(ty, depth),
            6 if !self.callees.is_empty() && self.r.one_in(2) => self.call(ty, depth),
            7 => match self.load_member(ty, depth) {
                Some(v) => v,
                None => self.convert(ty, depth),
            },
            8 => self.convert(ty, depth),
            9 if self.groups && self.r.one_in(2) => match self.group(ty, depth) {
                Some(v) => v,
                None => self.constant(ty),
            },
            9 if self.fragment => match self.derivative(ty, depth) {
                Some(v) => v,
                None => self.constant(ty),
            },
            _ => self.instruction(ty, depth),
        }
    }

    /// Makes an instruction whose operands have the size of its result.
    fn instruction(&mut self, (s, n): Ty, depth: u32) -> String {
        let id = self.ty((s, n));
        let kind = Kind::of(s);
        let bits = s.bits();
        let fits = |r: &&super::ops::Row| r.0 == kind && (kind == Kind::B || (r.3..=r.4).contains(&bits));
        let rows: Vec<_> = ROWS.iter().filter(fits).collect();
        let (_, name, args, _, most) = **self.r.pick(&rows);
        // Operands of comparisons may have any width.
        let width = match kind {
            Kind::B => match args.iter().find(|a| **a != Kind::B) {
                Some(a) => self.scalar_of(*a).bits().min(most),
                None => 1,
            },
            _ => bits,
        };
        let args: Vec<String> = args.iter().map(|a| self.expression((a.at(width), n), depth + 1)).collect();
        let args = args.join(" ");
        match name.starts_with("Op") {
            true => self.m.push(&format!("{name} {id} {args}")),
            false => self.m.push(&format!("OpExtInst {id} {GLSL} {name} {args}")),
        }
    }

    /// Makes a conversion from another scalar type.
    fn convert(&mut self, (s, n): Ty, depth: u32) -> String {
        let id = self.ty((s, n));
        if !self.smalls.is_empty()
            && self.r.one_in(2)
            && let Some(v) = self.from_small((s, n), depth)
        {
            return v;
        }
        let from = match s {
            Scalar::Bool => return self.instruction((s, n), depth),
            _ => *self.r.pick(&self.scalars),
        };
        if from == B {
            let c = self.expression((B, n), depth + 1);
            let (x, y) = (self.constant((s, n)), self.constant((s, n)));
            return self.m.push(&format!("OpSelect {id} {c} {x} {y}"));
        }
        let e = self.expression((from, n), depth + 1);
        let name = match (Kind::of(from), Kind::of(s)) {
            (Kind::F, Kind::F) if from != s => "OpFConvert",
            (Kind::F, Kind::U) => "OpConvertFToU",
            (Kind::F, Kind::I) => "OpConvertFToS",
            (Kind::U, Kind::F) if from.bits() == s.bits() && self.r.one_in(2) => "OpBitcast",
            (Kind::U, Kind::F) => "OpConvertUToF",
            (Kind::I, Kind::F) => "OpConvertSToF",
            (_, Kind::U) if from.bits() != s.bits() => "OpUConvert",
            (_, Kind::I) if from.bits() != s.bits() => "OpSConvert",
            (Kind::U, Kind::I) | (Kind::I, Kind::U) => "OpBitcast",
            _ => return e,
        };
        self.m.push(&format!("{name} {id} {e}"))
    }

    /// Makes an instruction with a scalar result whose operands have another width.
    fn special(&mut self, s: Scalar, depth: u32) -> String {
        let id = self.m.scalar(s);
        let wide = self.r.below(3) as u32 + 2;
        match s {
            Scalar::Float(64) if self.r.one_in(4) => {
                let v = self.expression((U, 2), depth + 1);
                self.m.push(&format!("OpExtInst {id} {GLSL} PackDouble2x32 {v}"))
            }
            Scalar::Float(_) => {
                let v = self.expression((s, wide), depth + 1);
                match self.r.below(5) {
                    0 => {
                        let w = self.expression((s, wide), depth + 1);
                        self.m.push(&format!("OpDot {id} {v} {w}"))
                    }
                    1 => self.m.push(&format!("OpExtInst {id} {GLSL} Length {v}")),
                    2 => {
                        let w = self.expression((s, wide), depth + 1);
                        self.m.push(&format!("OpExtInst {id} {GLSL} Distance {v} {w}"))
                    }
                    3 => {
                        let m = self.matrix(s, 2, 2, depth);
                        self.m.push(&format!("OpExtInst {id} {GLSL} Determinant {m}"))
                    }
                    _ => {
                        let x = self.expression((s, 1), depth + 1);
                        match self.r.one_in(2) {
                            true => {
                                let pair = self.m.ty(&Type::Struct(vec![Type::Scalar(s); 2]));
                                let both = self.m.push(&format!("OpExtInst {pair} {GLSL} ModfStruct {x}"));
                                let k = self.r.below(2);
                                self.m.push(&format!("OpCompositeExtract {id} {both} {k}"))
                            }
                            false => {
                                let pair = Type::Struct(vec![Type::Scalar(s), Type::Scalar(I)]);
                                let pair = self.m.ty(&pair);
                                let both = self.m.push(&format!("OpExtInst {pair} {GLSL} FrexpStruct {x}"));
                                self.m.push(&format!("OpCompositeExtract {id} {both} 0"))
                            }
                        }
                    }
                }
            }
            Scalar::Bool => {
                let v = self.expression((B, wide), depth + 1);
                let name = if self.r.one_in(2) { "OpAny" } else { "OpAll" };
                self.m.push(&format!("{name} {id} {v}"))
            }
            Scalar::Int(32, false) => match self.r.below(5) {
                0 => {
                    let v = self.expression((F, 1), depth + 1);
                    self.observe(&v, F)
                }
                1 => {
                    let v = self.expression((F, 2), depth + 1);
                    let name = *self.r.pick(&["PackUnorm2x16", "PackSnorm2x16", "PackHalf2x16"]);
                    let v = self.without_nan(&v, (F, 2));
                    self.m.push(&format!("OpExtInst {id} {GLSL} {name} {v}"))
                }
                2 => {
                    let v = self.expression((F, 4), depth + 1);
                    let name = *self.r.pick(&["PackUnorm4x8", "PackSnorm4x8"]);
                    self.m.push(&format!("OpExtInst {id} {GLSL} {name} {v}"))
                }
                3 => self.field(s, depth),
                _ => self.extended(s, depth),
            },
            Scalar::Int(bits, signed) => match self.r.below(3) {
                0 if bits == 32 && signed => self.field(s, depth),
                1 if !signed && self.scalars.contains(&Scalar::Float(bits)) => {
                    let v = self.expression((Scalar::Float(bits), 1), depth + 1);
                    self.observe(&v, Scalar::Float(bits))
                }
                2 if bits == 64 => {
                    let v = self.expression((U, 2), depth + 1);
                    self.m.push(&format!("OpBitcast {id} {v}"))
                }
                _ => self.extended(s, depth),
            },
        }
    }

    /// Makes a bit field operation, in which offset and count may exceed the word.
    fn field(&mut self, s: Scalar, depth: u32) -> String {
        let id = self.m.scalar(s);
        let v = self.expression((s, 1), depth + 1);
        let (mut o, mut c) = (self.expression((U, 1), depth + 1), self.expression((U, 1), depth + 1));
        if !self.r.one_in(4) {
            let (word, mask) = (self.m.scalar(U), self.m.u32(15));
            o = self.m.push(&format!("OpBitwiseAnd {word} {o} {mask}"));
            c = self.m.push(&format!("OpBitwiseAnd {word} {c} {mask}"));
        }
        match self.r.below(3) {
            0 => self.m.push(&format!("OpBitFieldSExtract {id} {v} {o} {c}")),
            1 => self.m.push(&format!("OpBitFieldUExtract {id} {v} {o} {c}")),
            _ => {
                let w = self.expression((s, 1), depth + 1);
                self.m.push(&format!("OpBitFieldInsert {id} {v} {w} {o} {c}"))
            }
        }
    }

    /// Makes a sum with carry, or a product of twice the width.
    fn extended(&mut self, s: Scalar, depth: u32) -> String {
        let id = self.m.scalar(s);
        let pair = self.m.ty(&Type::Struct(vec![Type::Scalar(s); 2]));
        let (a, b) = (self.expression((s, 1), depth + 1), self.expression((s, 1), depth + 1));
        let name = match Kind::of(s) {
            Kind::U => *self.r.pick(&["OpIAddCarry", "OpISubBorrow", "OpUMulExtended"]),
            _ => "OpSMulExtended",
        };
        let both = self.m.push(&format!("{name} {pair} {a} {b}"));
        let k = self.r.below(2);
        self.m.push(&format!("OpCompositeExtract {id} {both} {k}"))
    }

    /// Makes a matrix from columns.
    fn matrix(&mut self, s: Scalar, columns: u32, rows: u32, depth: u32) -> String {
        let ty = self.m.ty(&Type::Matrix(s, columns, rows));
        let list: Vec<String> = (0..columns).map(|_| self.expression((s, rows), depth + 2)).collect();
        self.m.push(&format!("OpCompositeConstruct {ty} {}", list.join(" ")))
    }

    /// Makes an instruction with a vector result and other operands.
    fn special_vector(&mut self, (s, n): Ty, depth: u32) -> String {
        let id = self.ty((s, n));
        match self.r.below(8) {
            0 | 1 => {
                let wide = self.r.below(3) as u32 + 2;
                let (a, b) = (self.expression((s, wide), depth + 1), self.expression((s, n), depth + 1));
                let parts: Vec<String> =
                    (0..n).map(|_| self.r.below((wide + n) as usize).to_string()).collect();
                self.m.push(&format!("OpVectorShuffle {id} {a} {b} {}", parts.join(" ")))
            }
            2 => {
                let (v, e) = (self.expression((s, n), depth + 1), self.expression((s, 1), depth + 1));
                match self.r.one_in(2) {
                    true => self.m.push(&format!("OpCompositeInsert {id} {e} {v} {}", n - 1)),
                    false => {
                        let i = self.expression((U, 1), depth + 2);
                        let (word, n) = (self.m.scalar(U), self.m.u32(n));
                        let i = self.m.push(&format!("OpUMod {word} {i} {n}"));
                        self.m.push(&format!("OpVectorInsertDynamic {id} {v} {e} {i}"))
                    }
                }
            }
            _ if !matches!(s, Scalar::Float(_)) => self.instruction((s, n), depth),
            // Columns of matrices have up to four components.
            4..=6 if n > 4 => self.instruction((s, n), depth),
            3 => {
                let (v, k) = (self.expression((s, n), depth + 1), self.expression((s, 1), depth + 1));
                self.m.push(&format!("OpVectorTimesScalar {id} {v} {k}"))
            }
            4 => {
                let columns = self.r.below(3) as u32 + 2;
                let m = self.matrix(s, columns, n, depth);
                let v = self.expression((s, columns), depth + 1);
                self.m.push(&format!("OpMatrixTimesVector {id} {m} {v}"))
            }
            5 => {
                let rows = self.r.below(3) as u32 + 2;
                let m = self.matrix(s, n, rows, depth);
                let v = self.expression((s, rows), depth + 1);
                self.m.push(&format!("OpVectorTimesMatrix {id} {v} {m}"))
            }
            6 => self.column((s, n), depth),
            _ => self.geometric((s, n), depth),
        }
    }

    /// Makes a column of a square matrix that is computed from another one.
    fn column(&mut self, (s, n): Ty, depth: u32) -> String {
        let id = self.ty((s, n));
        let m = self.matrix(s, n, n, depth);
        let ty = self.m.ty(&Type::Matrix(s, n, n));
        let m = match self.r.below(3) {
            0 => self.m.push(&format!("OpTranspose {ty} {m}")),
            1 => self.m.push(&format!("OpExtInst {ty} {GLSL} MatrixInverse {m}")),
            _ => {
                let (v, w) = (self.expression((s, n), depth + 1), self.expression((s, n), depth + 1));
                let o = self.m.push(&format!("OpOuterProduct {ty} {v} {w}"));
                self.m.push(&format!("OpMatrixTimesMatrix {ty} {m} {o}"))
            }
        };
        let k = self.r.below(n as usize);
        self.m.push(&format!("OpCompositeExtract {id} {m} {k}"))
    }

    /// Makes a geometric function with a vector result.
    fn geometric(&mut self, (s, n): Ty, depth: u32) -> String {
        let id = self.ty((s, n));
        let (v, w) = (self.expression((s, n), depth + 1), self.expression((s, n), depth + 1));
        match self.r.below(if n == 3 { 5 } else { 4 }) {
            0 => self.m.push(&format!("OpExtInst {id} {GLSL} Normalize {v}")),
            1 => self.m.push(&format!("OpExtInst {id} {GLSL} Reflect {v} {w}")),
            2 => {
                let x = self.expression((s, n), depth + 1);
                self.m.push(&format!("OpExtInst {id} {GLSL} FaceForward {v} {w} {x}"))
            }
            3 => {
                let eta = self.expression((s, 1), depth + 1);
                self.m.push(&format!("OpExtInst {id} {GLSL} Refract {v} {w} {eta}"))
            }
            _ => self.m.push(&format!("OpExtInst {id} {GLSL} Cross {v} {w}")),
        }
    }

    /// Makes a call, or another expression of the type if no function returns it.
    fn call(&mut self, ty: Ty, depth: u32) -> String {
        let fitting: Vec<usize> = (0..self.callees.len()).filter(|&i| self.callees[i].result == ty).collect();
        if fitting.is_empty() {
            return self.constant(ty);
        }
        let at = *self.r.pick(&fitting);
        let callee = &self.callees[at];
        let (id, params, pointer) = (callee.id.clone(), callee.params.clone(), callee.pointer);
        let mut args: Vec<String> = params.iter().map(|p| self.expression(*p, depth + 2)).collect();
        if let Some(to) = pointer {
            let local = |v: &&(String, Ty, &'static str)| v.1 == to && v.2 == "Function";
            match self.variables.iter().find(local) {
                Some(v) => args.push(v.0.clone()),
                None => return self.constant(ty),
            }
        }
        let result = self.ty(ty);
        self.m.push(&format!("OpFunctionCall {result} {id} {}", args.join(" ")))
    }
}

//! Group operations, whose results depend on the lane group, and derivatives.

use super::ops::Kind;
use super::{B, F, Generator, Ty, U};
use crate::value::{Scalar, Type};

impl Generator {
    /// Makes a group operation with a result of this type, if there is one.
    pub fn group(&mut self, (s, n): Ty, depth: u32) -> Option<String> {
        let id = self.ty((s, n));
        let scope = self.m.u32(3);
        self.m.capability("GroupNonUniform");
        let kind = Kind::of(s);
        let ballots = || Type::Vector(U, 4);
        match self.r.below(7) {
            0 | 1 => {
                self.m.capability("GroupNonUniformArithmetic");
                let list: &[&str] = match kind {
                    Kind::F => &["FAdd", "FMul", "FMin", "FMax"],
                    Kind::U => &["IAdd", "IMul", "UMin", "UMax", "BitwiseAnd", "BitwiseOr", "BitwiseXor"],
                    Kind::B => &["LogicalAnd", "LogicalOr", "LogicalXor"],
                    _ => &["IAdd", "IMul", "SMin", "SMax", "BitwiseAnd", "BitwiseOr", "BitwiseXor"],
                };
                let name = *self.r.pick(list);
                let how = *self.r.pick(&["Reduce", "InclusiveScan", "ExclusiveScan", "ClusteredReduce"]);
                let e = self.expression((s, n), depth + 1);
                let mut text = format!("OpGroupNonUniform{name} {id} {scope} {how} {e}");
                if how == "ClusteredReduce" {
                    self.m.capability("GroupNonUniformClustered");
                    let size = *self.r.pick(&[1, 2, 4]);
                    let size = self.m.u32(size);
                    text += &format!(" {size}");
                }
                Some(self.m.push(&text))
            }
            2 => {
                self.m.capability("GroupNonUniformBallot");
                let e = self.expression((s, n), depth + 1);
                Some(match self.r.one_in(2) {
                    true => self.m.push(&format!("OpGroupNonUniformBroadcastFirst {id} {scope} {e}")),
                    false => {
                        let k = self.r.below(4) as u32;
                        let k = self.m.u32(k);
                        self.m.push(&format!("OpGroupNonUniformBroadcast {id} {scope} {e} {k}"))
                    }
                })
            }
            3 => {
                let list = [
                    ("Shuffle", "GroupNonUniformShuffle"),
                    ("ShuffleXor", "GroupNonUniformShuffle"),
                    ("ShuffleUp", "GroupNonUniformShuffleRelative"),
                    ("ShuffleDown", "GroupNonUniformShuffleRelative"),
                ];
                let (name, capability) = *self.r.pick(&list);
                self.m.capability(capability);
                let e = self.expression((s, n), depth + 1);
                let word = self.m.scalar(U);
                let mut k = self.expression((U, 1), depth + 2);
                if !self.r.one_in(4) {
                    let mask = self.m.u32(3);
                    k = self.m.push(&format!("OpBitwiseAnd {word} {k} {mask}"));
                }
                Some(self.m.push(&format!("OpGroupNonUniform{name} {id} {scope} {e} {k}")))
            }
            4 => {
                self.m.capability("GroupNonUniformQuad");
                let e = self.expression((s, n), depth + 1);
                Some(match self.r.one_in(2) {
                    true => {
                        let k = self.r.below(3) as u32;
                        let k = self.m.u32(k);
                        self.m.push(&format!("OpGroupNonUniformQuadSwap {id} {scope} {e} {k}"))
                    }
                    false => {
                        let k = self.r.below(4) as u32;
                        let k = self.m.u32(k);
                        self.m.push(&format!("OpGroupNonUniformQuadBroadcast {id} {scope} {e} {k}"))
                    }
                })
            }
            5 if (s, n) == (B, 1) => {
                self.m.capability("GroupNonUniformVote");
                Some(match self.r.below(4) {
                    0 => self.m.push(&format!("OpGroupNonUniformElect {id} {scope}")),
                    1 => {
                        let ty = self.random_ty();
                        let e = self.expression(ty, depth + 1);
                        self.m.push(&format!("OpGroupNonUniformAllEqual {id} {scope} {e}"))
                    }
                    k => {
                        let name = if k == 2 { "All" } else { "Any" };
                        let e = self.expression((B, 1), depth + 1);
                        self.m.push(&format!("OpGroupNonUniform{name} {id} {scope} {e}"))
                    }
                })
            }
            _ if (s, n) == (U, 1) => {
                self.m.capability("GroupNonUniformBallot");
                let ballot = self.m.ty(&ballots());
                let e = self.expression((B, 1), depth + 1);
                let bits = self.m.push(&format!("OpGroupNonUniformBallot {ballot} {scope} {e}"));
                Some(match self.r.below(4) {
                    0 => self.m.push(&format!("OpCompositeExtract {id} {bits} 0")),
                    1 => {
                        let how = *self.r.pick(&["Reduce", "InclusiveScan", "ExclusiveScan"]);
                        self.m.push(&format!("OpGroupNonUniformBallotBitCount {id} {scope} {how} {bits}"))
                    }
                    2 => self.m.push(&format!("OpGroupNonUniformBallotFindLSB {id} {scope} {bits}")),
                    _ => self.m.push(&format!("OpGroupNonUniformBallotFindMSB {id} {scope} {bits}")),
                })
            }
            _ => None,
        }
    }

    /// Makes a derivative.
    pub fn derivative(&mut self, (s, n): Ty, depth: u32) -> Option<String> {
        if s != F || !self.fragment {
            return None;
        }
        self.m.capability("DerivativeControl");
        let id = self.ty((Scalar::Float(32), n));
        let e = self.expression((s, n), depth + 1);
        let list =
            ["DPdx", "DPdy", "Fwidth", "DPdxFine", "DPdyFine", "FwidthFine", "DPdxCoarse", "DPdyCoarse"];
        let name = *self.r.pick(&list);
        Some(self.m.push(&format!("Op{name} {id} {e}")))
    }
}

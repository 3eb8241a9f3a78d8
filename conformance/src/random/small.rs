//! Small compute modules of many workgroups, which the compiler treats differently. Invocations read words by their
//! index, compute a little or run a short loop, and write words. Some hold many values at once, some exchange words
//! within the workgroup.

use super::{B, F, Generator, I, U};
use crate::text::ENTRY;
use crate::value::{Scalar, Type};

/// Number of values in modules that hold many.
const MANY: usize = 40;
/// Maximum number of rows of words that a module writes.
const ROWS: usize = 3;

impl Generator {
    /// Makes the entry point of a small module.
    pub fn small_main(&mut self) {
        self.current = ENTRY.into();
        let (word, vector) = (self.m.scalar(U), self.m.ty(&Type::Vector(U, 3)));
        let global = self.m.builtin("GlobalInvocationId", &Type::Vector(U, 3));
        let global = self.m.push(&format!("OpLoad {vector} {global}"));
        self.id = self.m.push(&format!("OpCompositeExtract {word} {global} 0"));
        let id = self.id.clone();
        self.values.push((id, (U, 1)));
        let many = self.r.one_in(4);
        let n = if many { MANY } else { self.r.below(4) + 1 };
        for _ in 0..n {
            let w = self.near_word();
            self.keep(w);
        }
        let held = self.values.len();
        let loops = self.r.below(3);
        for _ in 0..loops {
            self.chain();
        }
        if self.r.one_in(3) {
            self.trade();
        }
        for _ in 0..self.r.below(3) {
            let ty = (*self.r.pick(&[U, I, F]), 1);
            let e = self.expression(ty, 2);
            self.values.push((e, ty));
        }
        let mut out = self.number();
        if many {
            for k in 0..held {
                let (v, (s, _)) = self.values[k].clone();
                let v = self.to_word(&v, s);
                let sum = self.m.push(&format!("OpIAdd {word} {out} {v}"));
                let odd = self.m.u32(0x9e37_79b1);
                out = self.m.push(&format!("OpIMul {word} {sum} {odd}"));
            }
        }
        for row in 0..self.r.below(ROWS) + 1 {
            self.put_row(row as u32, &out);
            out = self.number();
        }
    }

    /// Converts any scalar to a word.
    fn number(&mut self) -> String {
        let (v, (s, _)) = self.r.pick(&self.values).clone();
        self.to_word(&v, s)
    }

    /// Keeps a word, as it is or as a float.
    fn keep(&mut self, w: String) {
        if self.r.one_in(2) {
            let float = self.m.scalar(F);
            let v = self.m.push(&format!("OpBitcast {float} {w}"));
            self.values.push((v, (F, 1)));
        }
        self.values.push((w, (U, 1)));
    }

    /// Loads a word of the input at or near the invocation's index, or past the end.
    fn near_word(&mut self) -> String {
        let (word, id) = (self.m.scalar(U), self.id.clone());
        let c = *self.r.pick(&[1u32, 2, 3, 16, 63, 64, 100]);
        let k = self.m.u32(c);
        let glsl = crate::text::GLSL;
        let index = match self.r.below(9) {
            0..=2 => id,
            3 => self.m.push(&format!("OpIAdd {word} {id} {k}")),
            4 => {
                let most = self.m.push(&format!("OpExtInst {word} {glsl} UMax {id} {k}"));
                self.m.push(&format!("OpISub {word} {most} {k}"))
            }
            5 => self.m.push(&format!("OpExtInst {word} {glsl} UMin {id} {k}")),
            6 => self.m.push(&format!("OpIMul {word} {id} {k}")),
            7 => self.m.push(&format!("OpISub {word} {id} {k}")),
            _ => self.m.push(&format!("OpBitwiseXor {word} {id} {k}")),
        };
        let (zero, input) = (self.m.u32(0), self.input.clone());
        let pointer = self.m.pointer("StorageBuffer", &word);
        let p = self.m.push(&format!("OpAccessChain {pointer} {input} {zero} {index}"));
        self.m.push(&format!("OpLoad {word} {p}"))
    }

    /// Returns a number of iterations below 16, constant or varying by invocation.
    fn rounds(&mut self) -> String {
        let word = self.m.scalar(U);
        match self.r.one_in(2) {
            true => {
                let n = self.r.below(9) as u32;
                self.m.u32(n)
            }
            false => {
                let (n, mask) = (self.number(), self.m.u32(15));
                self.m.push(&format!("OpBitwiseAnd {word} {n} {mask}"))
            }
        }
    }

    /// Makes a loop whose iterations depend on each other. Invocations leave it together or separately.
    fn chain(&mut self) {
        let (word, b) = (self.m.scalar(U), self.m.scalar(B));
        let (zero, one) = (self.m.u32(0), self.m.u32(1));
        let bound = self.rounds();
        let kinds: Vec<Scalar> = (0..self.r.below(2) + 1).map(|_| *self.r.pick(&[U, F, I])).collect();
        let carried: Vec<(Scalar, String, String, String)> = kinds
            .into_iter()
            .map(|s| {
                let first = self.expression((s, 1), 3);
                (s, first, self.m.fresh(), self.m.fresh())
            })
            .collect();
        let before = self.current.clone();
        let (head, body, next, merge) = (self.m.fresh(), self.m.fresh(), self.m.fresh(), self.m.fresh());
        let (k, more) = (self.m.fresh(), self.m.fresh());
        self.m.push_only(&format!("OpBranch {head}"));
        self.label(&head);
        for (s, first, value, after) in &carried {
            let ty = self.m.scalar(*s);
            self.m.push_only(&format!("{value} = OpPhi {ty} {first} {before} {after} {next}"));
            self.values.push((value.clone(), (*s, 1)));
        }
        self.m.push_only(&format!("{k} = OpPhi {word} {zero} {before} {more} {next}"));
        let mut go_on = self.m.push(&format!("OpULessThan {b} {k} {bound}"));
        if self.r.one_in(3) {
            let (n, mask) = (self.number(), self.m.u32(7));
            let low = self.m.push(&format!("OpBitwiseAnd {word} {n} {mask}"));
            let some = self.m.push(&format!("OpINotEqual {b} {low} {zero}"));
            go_on = self.m.push(&format!("OpLogicalAnd {b} {some} {go_on}"));
        }
        self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
        self.m.push_only(&format!("OpBranchConditional {go_on} {body} {merge}"));
        self.label(&body);
        let known = self.values.len();
        for (s, _, _, after) in &carried {
            let (e, ty) = (self.expression((*s, 1), 2), self.m.scalar(*s));
            self.m.push_only(&format!("{after} = OpCopyObject {ty} {e}"));
        }
        self.values.truncate(known);
        self.m.push_only(&format!("OpBranch {next}"));
        self.label(&next);
        self.m.push_only(&format!("{more} = OpIAdd {word} {k} {one}"));
        self.m.push_only(&format!("OpBranch {head}"));
        self.label(&merge);
    }

    /// Invocations of a workgroup exchange words, some of them only among those that continue.
    fn trade(&mut self) {
        let (word, b) = (self.m.scalar(U), self.m.scalar(B));
        let size = self.m.local_size();
        let (n, last) = (self.m.u32(size), self.m.u32(size - 1));
        let array = self.m.global(&format!("OpTypeArray {word} {n}"));
        let pointer = self.m.pointer("Workgroup", &array);
        let words = self.m.unique(&format!("OpVariable {pointer} Workgroup"));
        let element = self.m.pointer("Workgroup", &word);
        let local = self.m.builtin("LocalInvocationIndex", &Type::Scalar(U));
        let local = self.m.push(&format!("OpLoad {word} {local}"));
        let own = self.m.push(&format!("OpAccessChain {element} {words} {local}"));
        let first = self.number();
        self.m.push_only(&format!("OpStore {own} {first}"));
        for _ in 0..self.r.below(3) + 1 {
            self.barrier();
            let step = self.r.below(size as usize) as u32;
            let step = self.m.u32(step);
            let other = match self.r.one_in(2) {
                true => self.m.push(&format!("OpBitwiseXor {word} {local} {step}")),
                false => self.m.push(&format!("OpIAdd {word} {local} {step}")),
            };
            let other = self.m.push(&format!("OpBitwiseAnd {word} {other} {last}"));
            let p = self.m.push(&format!("OpAccessChain {element} {words} {other}"));
            let v = self.m.push(&format!("OpLoad {word} {p}"));
            self.values.push((v.clone(), (U, 1)));
            self.barrier();
            // A step of a tree reduction.
            let (then, merge) = (self.m.fresh(), self.m.fresh());
            let low = self.m.push(&format!("OpULessThan {b} {local} {step}"));
            self.m.push_only(&format!("OpSelectionMerge {merge} None"));
            self.m.push_only(&format!("OpBranchConditional {low} {then} {merge}"));
            self.label(&then);
            let old = self.m.push(&format!("OpLoad {word} {own}"));
            let sum = self.m.push(&format!("OpIAdd {word} {old} {v}"));
            self.m.push_only(&format!("OpStore {own} {sum}"));
            self.m.push_only(&format!("OpBranch {merge}"));
            self.label(&merge);
        }
        let v = self.m.push(&format!("OpLoad {word} {own}"));
        self.values.push((v, (U, 1)));
    }

    /// Writes a word of a row, in all or in some invocations.
    fn put_row(&mut self, row: u32, value: &str) {
        let (word, b) = (self.m.scalar(U), self.m.scalar(B));
        let guard = self.r.one_in(3).then(|| {
            let n = self.m.u32(self.r.clone().below(200) as u32);
            let (then, merge, id) = (self.m.fresh(), self.m.fresh(), self.id.clone());
            let c = self.m.push(&format!("OpULessThan {b} {id} {n}"));
            self.m.push_only(&format!("OpSelectionMerge {merge} None"));
            self.m.push_only(&format!("OpBranchConditional {c} {then} {merge}"));
            self.label(&then);
            merge
        });
        let (zero, out, id) = (self.m.u32(0), self.out.clone(), self.id.clone());
        let start = self.m.u32(row * self.invocations);
        let at = self.m.push(&format!("OpIAdd {word} {id} {start}"));
        let pointer = self.m.pointer("StorageBuffer", &word);
        let p = self.m.push(&format!("OpAccessChain {pointer} {out} {zero} {at}"));
        self.m.push_only(&format!("OpStore {p} {value}"));
        if let Some(merge) = guard {
            self.m.push_only(&format!("OpBranch {merge}"));
            self.label(&merge);
        }
    }
}

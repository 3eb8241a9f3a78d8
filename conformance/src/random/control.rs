//! Statements and functions.

use std::fmt::Write;

use quadrille_jit::ir::Stage;

use super::{B, Exits, F, Generator, HEIGHT, U, WIDTH};
use super::{Callee, Ty};
use crate::text::ENTRY;
use crate::value::Type;

impl Generator {
    pub fn label(&mut self, id: &str) {
        self.m.push_only(&format!("{id} = OpLabel"));
        self.current = id.into();
    }

    /// Makes a function with early returns.
    pub fn function(&mut self) {
        let result = self.random_ty();
        let params: Vec<Ty> = (0..self.r.below(3) + 1).map(|_| self.random_ty()).collect();
        let pointer = self.r.one_in(3).then(|| self.random_ty());
        let outer_body = std::mem::take(&mut self.m.body);
        let outer_variables = std::mem::take(&mut self.m.variables);
        let structures = self.structures.clone();
        let (values, variables, arrays) = (
            std::mem::take(&mut self.values),
            std::mem::take(&mut self.variables),
            std::mem::take(&mut self.arrays),
        );
        let entry = self.m.fresh();
        self.current = entry.clone();
        let mut head = String::new();
        let mut types = Vec::new();
        for p in &params {
            let (id, ty) = (self.m.fresh(), self.ty(*p));
            let _ = writeln!(head, "{id} = OpFunctionParameter {ty}");
            types.push(ty);
            self.values.push((id, *p));
        }
        if let Some(to) = pointer {
            let (id, ty) = (self.m.fresh(), self.ty(to));
            let ty = self.m.pointer("Function", &ty);
            let _ = writeln!(head, "{id} = OpFunctionParameter {ty}");
            types.push(ty);
            self.variables.push((id, to, "Function"));
        }
        self.locals();
        self.returned = Some(result);
        let exits = Exits { returns: true, ..Exits::default() };
        if !self.statements(&exits, 1) {
            let v = self.expression(result, 0);
            self.m.push_only(&format!("OpReturnValue {v}"));
        }
        self.returned = None;
        let ty = self.ty(result);
        let function = self.m.global(&format!("OpTypeFunction {ty} {}", types.join(" ")));
        let id = self.m.fresh();
        let body = std::mem::replace(&mut self.m.body, outer_body);
        let locals = std::mem::replace(&mut self.m.variables, outer_variables);
        let _ = write!(
            self.m.functions,
            "{id} = OpFunction {ty} None {function}\n{head}{entry} = OpLabel\n{locals}{body}OpFunctionEnd\n"
        );
        (self.values, self.variables, self.arrays) = (values, variables, arrays);
        self.structures = structures;
        self.callees.push(Callee { id, result, params, pointer });
    }

    /// Makes the entry point.
    pub fn main(&mut self) {
        self.current = ENTRY.into();
        let word = self.m.scalar(U);
        let workgroups = !self.fragment && self.shape.is_none();
        if self.fragment {
            self.pixel();
        } else if let Some(shape) = self.shape {
            self.stage_entry(shape);
        } else {
            let vector = self.m.ty(&Type::Vector(U, 3));
            let global = self.m.builtin("GlobalInvocationId", &Type::Vector(U, 3));
            let local = self.m.builtin("LocalInvocationIndex", &Type::Scalar(U));
            let global = self.m.push(&format!("OpLoad {vector} {global}"));
            self.id = self.m.push(&format!("OpCompositeExtract {word} {global} 0"));
            self.local_index = self.m.push(&format!("OpLoad {word} {local}"));
            let index = self.local_index.clone();
            self.values.push((index, (U, 1)));
        }
        let id = self.id.clone();
        if !id.is_empty() {
            self.values.push((id, (U, 1)));
        }
        self.locals();
        let waits = workgroups || self.shape.is_some_and(|s| s.stage == Stage::TessellationControl);
        let before = Exits { uniform: waits, ..Exits::default() };
        if workgroups {
            self.fill_arrays();
        }
        if let Some(stage) = self.mesh {
            self.declare_outputs(stage);
        }
        self.statements(&before, 0);
        if workgroups {
            self.read_arrays();
        }
        if self.shape.is_some() {
            self.stage_results();
        }
        // Stores the results once here, and again at the end by the invocations that did not return.
        self.results();
        if let Some(stage) = self.mesh {
            self.put_out(stage, false);
        }
        let after = Exits { returns: true, ..Exits::default() };
        if self.statements(&after, 0) {
            // The remaining text of `main` needs a block.
            let dead = self.m.fresh();
            self.label(&dead);
            return;
        }
        self.results();
        if let Some(stage) = self.mesh {
            self.put_out(stage, true);
        }
    }

    /// Makes the pixel's index, its interpolated inputs and its output.
    fn pixel(&mut self) {
        let word = self.m.scalar(U);
        let at = self.m.builtin("FragCoord", &Type::Vector(F, 4));
        let vector = self.m.ty(&Type::Vector(F, 4));
        let at = self.m.push(&format!("OpLoad {vector} {at}"));
        let float = self.m.scalar(F);
        let mut whole = |k: u32| {
            let x = self.m.push(&format!("OpCompositeExtract {float} {at} {k}"));
            self.m.push(&format!("OpConvertFToU {word} {x}"))
        };
        let (x, y) = (whole(0), whole(1));
        let (width, last) = (self.m.u32(WIDTH), self.m.u32(WIDTH * HEIGHT - 1));
        let row = self.m.push(&format!("OpIMul {word} {y} {width}"));
        let id = self.m.push(&format!("OpIAdd {word} {row} {x}"));
        // Helper invocations may lie outside of the picture.
        self.id = self.m.push(&format!("OpExtInst {word} {} UMin {id} {last}", crate::text::GLSL));
        for (v, ty) in self.inputs.clone() {
            let id = self.ty(ty);
            let v = self.m.push(&format!("OpLoad {id} {v}"));
            self.values.push((v, ty));
        }
        let out = self.m.location("Output", 0, &Type::Vector(F, 4), false);
        let (v, _) = self.values[0].clone();
        let v = self.without_nan(&v, (F, 4));
        self.m.push_only(&format!("OpStore {out} {v}"));
    }
    /// Makes a list of statements; returns true if it ended with a branch out.
    pub fn statements(&mut self, exits: &Exits, depth: u32) -> bool {
        let n = self.r.below(if depth == 0 { 10 } else { 5 }) + 1;
        let known = self.values.len();
        let mut ended = false;
        for _ in 0..n {
            if self.left == 0 {
                break;
            }
            self.left -= 1;
            if self.statement(exits, depth) {
                ended = true;
                break;
            }
        }
        self.values.truncate(known);
        ended
    }

    fn statement(&mut self, exits: &Exits, depth: u32) -> bool {
        let deep = depth >= 4;
        if self.shape.is_some() && self.r.one_in(3) {
            self.stage_statement(exits);
            return false;
        }
        match self.r.below(21) {
            16..=18 => self.touch(0),
            19 | 20 if !deep => self.wrapping(exits, depth),
            0..=3 => {
                let (v, ty, _) = self.r.pick(&self.variables).clone();
                let e = self.expression(ty, 0);
                self.m.push_only(&format!("OpStore {v} {e}"));
            }
            4 => {
                let ty = self.random_ty();
                let e = self.expression(ty, 0);
                self.values.push((e, ty));
            }
            5 if !self.arrays.is_empty() => {
                let p = self.element(0);
                let e = self.expression((U, 1), 0);
                self.m.push_only(&format!("OpStore {p} {e}"));
            }
            6 | 7 if !deep => self.branch(exits, depth),
            8 | 9 if !deep => self.repeat(exits, depth),
            10 if !deep => self.switch(exits, depth),
            11 if exits.uniform => self.exchange(),
            11 if self.r.one_in(3) => self.count(),
            14 if !self.smalls.is_empty() && self.r.one_in(2) => self.store_small(),
            14 => self.store_member(),
            15 => self.copy_structure(),
            12 | 13 if depth > 1 || !exits.uniform => return self.leave(exits),
            _ => {
                let (v, ty, _) = self.r.pick(&self.variables).clone();
                let e = self.expression(ty, 1);
                self.m.push_only(&format!("OpStore {v} {e}"));
            }
        }
        false
    }

    /// Makes a jump out of the enclosing constructs, if possible.
    fn leave(&mut self, exits: &Exits) -> bool {
        let mut ways: Vec<String> = Vec::new();
        if let Some((merge, next)) = &exits.around {
            ways.extend([merge.clone(), next.clone()]);
        }
        ways.extend(exits.switch.clone());
        if exits.returns && (ways.is_empty() || self.r.one_in(3)) {
            match self.returned {
                _ if self.fragment && self.r.one_in(3) => match self.r.below(3) {
                    0 => self.m.push_only("OpKill"),
                    1 => {
                        self.m.extension("SPV_KHR_terminate_invocation");
                        self.m.push_only("OpTerminateInvocation");
                    }
                    _ => {
                        self.m.extension("SPV_EXT_demote_to_helper_invocation");
                        self.m.capability("DemoteToHelperInvocation");
                        self.m.push_only("OpDemoteToHelperInvocation");
                        return false;
                    }
                },
                Some(ty) => {
                    let v = self.expression(ty, 1);
                    self.m.push_only(&format!("OpReturnValue {v}"));
                }
                None => self.m.push_only("OpReturn"),
            }
            return true;
        }
        if ways.is_empty() {
            return false;
        }
        let to = self.r.pick(&ways).clone();
        self.m.push_only(&format!("OpBranch {to}"));
        true
    }

    /// Makes an if, with a phi if control flow leaves both sides.
    fn branch(&mut self, exits: &Exits, depth: u32) {
        let condition = self.expression((B, 1), 0);
        let (then, other, merge) = (self.m.fresh(), self.m.fresh(), self.m.fresh());
        let has_else = !self.r.one_in(3);
        let inner = Exits { uniform: false, ..exits.clone() };
        let ty = self.random_ty();
        let target = if has_else { &other } else { &merge };
        // A value from before the branch, for the phi of an if without else.
        let before = self.expression(ty, 2);
        let head = self.current.clone();
        self.m.push_only(&format!("OpSelectionMerge {merge} None"));
        self.m.push_only(&format!("OpBranchConditional {condition} {then} {target}"));
        let mut sources = Vec::new();
        self.label(&then);
        let known = self.values.len();
        let mut side = |g: &mut Generator| {
            if !g.statements(&inner, depth + 1) {
                let v = g.expression(ty, 2);
                sources.push((v, g.current.clone()));
                g.m.push_only(&format!("OpBranch {merge}"));
            }
            g.values.truncate(known);
        };
        side(self);
        if has_else {
            self.label(&other);
            side(self);
        } else {
            sources.push((before, head));
        }
        self.label(&merge);
        match sources.is_empty() {
            // The block is unreachable, but text follows.
            true => {}
            false => {
                let id = self.ty(ty);
                let parts: Vec<String> = sources.iter().map(|(v, l)| format!("{v} {l}")).collect();
                let phi = self.m.push(&format!("OpPhi {id} {}", parts.join(" ")));
                self.values.push((phi, ty));
            }
        }
    }

    /// Returns a number of iterations, the same in all invocations if `uniform`.
    fn iterations(&mut self, uniform: bool, depth: u32) -> String {
        if uniform || self.r.one_in(3) {
            return self.m.u32(self.r.clone().below(4) as u32 + 1);
        }
        let (word, e) = (self.m.scalar(U), self.expression((U, 1), 1));
        let mask = self.m.u32(if depth > 1 { 3 } else { 7 });
        self.m.push(&format!("OpBitwiseAnd {word} {e} {mask}"))
    }

    /// Declares the counter of a loop, and sets it to 0.
    fn counter(&mut self) -> String {
        let word = self.m.scalar(U);
        let pointer = self.m.pointer("Function", &word);
        let counter = self.m.fresh();
        let _ = writeln!(self.m.variables, "{counter} = OpVariable {pointer} Function");
        let zero = self.m.u32(0);
        self.m.push_only(&format!("OpStore {counter} {zero}"));
        counter
    }

    /// Compares the counter of a loop with its bound.
    fn goes_on(&mut self, counter: &str, bound: &str) -> String {
        let (word, b) = (self.m.scalar(U), self.m.scalar(B));
        let k = self.m.push(&format!("OpLoad {word} {counter}"));
        self.m.push(&format!("OpULessThan {b} {k} {bound}"))
    }

    /// Makes a loop with a counter that ends it, tested in the header, after it, or at the end.
    fn repeat(&mut self, exits: &Exits, depth: u32) {
        let counter = self.counter();
        // The loop may contain a barrier if all invocations run it equally often.
        let uniform = exits.uniform && self.r.one_in(2);
        let bound = self.iterations(uniform, depth);
        let (head, test, body, next, merge) =
            (self.m.fresh(), self.m.fresh(), self.m.fresh(), self.m.fresh(), self.m.fresh());
        let kind = self.r.below(3);
        // A loop-carried value.
        let carried = self.r.one_in(2).then(|| {
            let ty = self.random_ty();
            let (first, next) = (self.expression(ty, 2), self.m.fresh());
            (ty, first, next)
        });
        let before = self.current.clone();
        let known = self.values.len();
        self.m.push_only(&format!("OpBranch {head}"));
        self.label(&head);
        if let Some((ty, first, value)) = &carried {
            let id = self.ty(*ty);
            let phi = self.m.push(&format!("OpPhi {id} {first} {before} {value} {next}"));
            self.values.push((phi, *ty));
        }
        match kind {
            0 => {
                let c = self.goes_on(&counter, &bound);
                self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
                self.m.push_only(&format!("OpBranchConditional {c} {body} {merge}"));
            }
            1 => {
                self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
                self.m.push_only(&format!("OpBranch {test}"));
                self.label(&test);
                let c = self.goes_on(&counter, &bound);
                self.m.push_only(&format!("OpBranchConditional {c} {body} {merge}"));
            }
            _ => {
                self.m.push_only(&format!("OpLoopMerge {merge} {next} None"));
                self.m.push_only(&format!("OpBranch {body}"));
            }
        }
        self.label(&body);
        let around = if uniform { None } else { Some((merge.clone(), next.clone())) };
        let inner = Exits { around, switch: None, returns: exits.returns && !uniform, uniform };
        let stepped = !uniform && self.r.one_in(4);
        if stepped {
            self.step_by_arms(&counter, &merge);
        }
        if !self.statements(&inner, depth + 1) {
            self.m.push_only(&format!("OpBranch {next}"));
        }
        self.label(&next);
        if !stepped {
            self.count_up(&counter);
        }
        if let Some((ty, _, value)) = &carried {
            let id = self.ty(*ty);
            let e = self.expression(*ty, 1);
            self.m.push_only(&format!("{value} = OpCopyObject {id} {e}"));
        }
        self.values.truncate(known);
        if kind == 2 {
            let c = self.goes_on(&counter, &bound);
            self.m.push_only(&format!("OpBranchConditional {c} {head} {merge}"));
        } else {
            self.m.push_only(&format!("OpBranch {head}"));
        }
        self.label(&merge);
    }

    /// Adds 1 or 2 to a counter, in arms of which all invocations take the same. In one arm some of them leave the loop.
    fn step_by_arms(&mut self, counter: &str, merge: &str) {
        let (word, b) = (self.m.scalar(U), self.m.scalar(B));
        let known = self.values.len();
        let [leaving, staying, leave, stay, end] = std::array::from_fn(|_| self.m.fresh());
        let (zero, one, same) = (self.m.u32(0), self.m.u32(1), self.uniform_word());
        let bit = self.m.push(&format!("OpBitwiseAnd {word} {same} {one}"));
        let c = self.m.push(&format!("OpIEqual {b} {bit} {zero}"));
        self.m.push_only(&format!("OpSelectionMerge {end} None"));
        self.m.push_only(&format!("OpBranchConditional {c} {leaving} {staying}"));
        self.label(&leaving);
        // Each invocation leaves in one of the first iterations, so that in the end none of a group is left.
        let (e, mask) = (self.expression((U, 1), 2), self.m.u32(self.r.clone().below(3) as u32));
        let first = self.m.push(&format!("OpBitwiseAnd {word} {e} {mask}"));
        let k = self.m.push(&format!("OpLoad {word} {counter}"));
        let leaves = self.m.push(&format!("OpUGreaterThanEqual {b} {k} {first}"));
        self.m.push_only(&format!("OpSelectionMerge {stay} None"));
        self.m.push_only(&format!("OpBranchConditional {leaves} {leave} {stay}"));
        self.label(&leave);
        self.m.push_only(&format!("OpBranch {merge}"));
        self.label(&stay);
        self.count_up(counter);
        self.m.push_only(&format!("OpBranch {end}"));
        self.label(&staying);
        self.count_up(counter);
        self.count_up(counter);
        self.m.push_only(&format!("OpBranch {end}"));
        self.label(&end);
        self.values.truncate(known);
    }

    /// Adds 1 to a counter.
    fn count_up(&mut self, counter: &str) {
        let word = self.m.scalar(U);
        let k = self.m.push(&format!("OpLoad {word} {counter}"));
        let one = self.m.u32(1);
        let k = self.m.push(&format!("OpIAdd {word} {k} {one}"));
        self.m.push_only(&format!("OpStore {counter} {k}"));
    }

    /// Makes a switch, with some fall-through.
    fn switch(&mut self, exits: &Exits, depth: u32) {
        let word = self.m.scalar(U);
        let e = self.expression((U, 1), 0);
        let mask = self.m.u32(7);
        let e = self.m.push(&format!("OpBitwiseAnd {word} {e} {mask}"));
        let n = self.r.below(3) + 1;
        let labels: Vec<String> = (0..n).map(|_| self.m.fresh()).collect();
        let (merge, default) = (self.m.fresh(), self.m.fresh());
        let has_default = self.r.one_in(2);
        let mut text = format!("OpSwitch {e} {}", if has_default { &default } else { &merge });
        let mut literal = self.r.below(2);
        for l in &labels {
            for _ in 0..self.r.below(2) + 1 {
                let _ = write!(text, " {literal} {l}");
                literal += self.r.below(2) + 1;
            }
        }
        self.m.push_only(&format!("OpSelectionMerge {merge} None"));
        self.m.push_only(&text);
        let inner = Exits { switch: Some(merge.clone()), uniform: false, ..exits.clone() };
        for (k, l) in labels.iter().enumerate() {
            self.label(l);
            if !self.statements(&inner, depth + 1) {
                let fall = k + 1 < labels.len() && self.r.one_in(3);
                let to = if fall { &labels[k + 1] } else { &merge };
                self.m.push_only(&format!("OpBranch {to}"));
            }
        }
        if has_default {
            self.label(&default);
            if !self.statements(&inner, depth + 1) {
                self.m.push_only(&format!("OpBranch {merge}"));
            }
        }
        self.label(&merge);
    }
}

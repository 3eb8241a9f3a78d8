//! The lane group as observers see it, and the calls that tell them: the interpreter's side of [`super::watch`].

use super::machine::Group;
use super::memory::Host;
use super::place::Place;
use super::watch::{Looked, Masks, Observer, Range, View};
use crate::abi::{BindingLayout, Ctx, Descriptor, RayTracer};
use crate::ir::{BuiltIn, HandleKind, RayOp, Shader, Value, Var};

impl Looked for Group<'_> {
    fn shader(&self) -> &Shader {
        &self.program.shader
    }

    fn lanes(&self) -> u32 {
        self.program.lanes
    }

    fn ctx(&self) -> &Ctx {
        self.host.ctx()
    }

    fn masks(&self) -> Masks {
        Masks {
            active: self.active,
            full: self.full,
            alive: self.alive(),
            killed: self.killed,
            helper: self.helper,
        }
    }

    fn first(&self) -> u32 {
        self.host.first
    }

    fn place(&self) -> Place {
        self.place
    }

    fn part(&self, v: Value, part: usize) -> &[u64] {
        self.part_of(v, part)
    }

    fn var(&self, var: Var, elem: u32, lane: usize) -> Option<u64> {
        let at = self.program.var(var, elem)? * Group::lanes(self) + lane;
        self.vars.get(at).copied()
    }

    fn output(&self, output: usize, lane: usize) -> Option<u64> {
        self.outputs.get(output * Group::lanes(self) + lane).copied()
    }

    fn builtin(&self, builtin: BuiltIn, component: u32, lane: usize) -> u64 {
        Group::builtin(self, builtin, component, lane)
    }

    fn input(&self, input: usize, lane: usize, vertex: u32) -> u64 {
        Group::input(self, input, lane, vertex)
    }

    fn push_constants(&self) -> Range {
        self.host.push()
    }

    fn payload(&self) -> Range {
        Group::payload(self)
    }

    fn binding(&self, set: u32, binding: u32) -> Option<&BindingLayout> {
        self.program.binding(set, binding)
    }

    fn descriptor(&self, kind: HandleKind, set: u32, binding: u32, index: u32) -> Option<Descriptor> {
        Group::descriptor(self, kind, set, binding, index)
    }

    fn descriptor_place(&self, set: u32, binding: u32, index: u32) -> Option<u64> {
        self.host.descriptor_place(self.program.binding(set, binding)?, index)
    }

    fn first_pixel(&self, lane: usize) -> [i32; 2] {
        match self.place {
            Place::Fragment(place) => Group::first_pixel(self, &place, lane),
            _ => [0; 2],
        }
    }

    fn tracer(&self) -> &RayTracer {
        self.host.tracer()
    }

    fn query_word(&self, op: RayOp, query: u32, lane: usize, committed: bool) -> u32 {
        self.word_of_query(op, query, lane, committed)
    }

    fn stop(&self) {
        if let Some(watcher) = &self.host.watcher {
            watcher.stopped.set(true);
        }
    }
}

impl Host<'_> {
    /// Calls `tell` with the observer, if there is one; for events that concern no single lane group.
    pub fn tell(&self, tell: impl FnOnce(&mut dyn Observer)) {
        if let Some(watcher) = &self.watcher {
            tell(&mut **watcher.observer.borrow_mut());
        }
    }

    /// Runs a unit, and tells the observer its start and its end.
    pub fn unit<T>(&self, unit: u32, groups: u32, run: impl FnOnce() -> T) -> T {
        self.tell(|o| o.unit(unit, groups));
        let done = run();
        self.tell(|o| o.unit_end(unit));
        done
    }
}

impl Group<'_> {
    /// Calls `tell` with the observer and a view of this group, if there is an observer.
    #[inline]
    pub fn tell(&self, tell: impl FnOnce(&mut dyn Observer, &View<'_>)) {
        if let Some(watcher) = &self.host.watcher {
            tell(&mut **watcher.observer.borrow_mut(), &View(self));
        }
    }

    /// Returns true if the observer has requested the end of the call.
    pub fn halted(&self) -> bool {
        self.host.watcher.as_ref().is_some_and(|w| w.stopped.get())
    }
}

//! Observers of a list: trackers and reporters that are called while the list runs.
//!
//! Owns the interface, [`Observer`], and the observers of a list, [`Observers`]. Execution calls the observers through
//! this interface only. An observer learns from a command's effects ([`At::effects`]) which memory the command
//! accesses:
//!
//! - `residency` keeps pages without memory zero, `aliasing` makes the copies of aliased pages equal;
//! - `definedness`, `order`, `invocations` and `excess` report to the device's watcher, which checks, counts and
//!   debugs;
//! - `trace` reports to the device's trace, with the wording of `described`, `structures` and
//!   `decompressions`.

mod aliasing;
mod barriers;
mod decompressions;
mod definedness;
mod described;
mod destroyed;
mod excess;
mod invocations;
mod order;
mod places;
pub(super) mod residency;
mod structures;
mod tell;
mod trace;

use std::sync::Arc;

use quadrille_check::events::{Event, Excess};
use quadrille_jit::ir::Shader;
use quadrille_raster::pass::Draw;

pub(crate) use destroyed::destroyed;
pub(crate) use places::InBatch;
pub(crate) use trace::{Told, tell_submit};

use super::effects::At;
use super::list::{Command, CommandList, DispatchSnapshot, DrawSnapshot, Ref, Run};
use crate::device::Device;
use crate::error::{Error, Result};

/// Shaders that are about to run.
#[derive(Clone, Copy)]
pub(super) enum Invoked<'a> {
    /// A dispatch.
    Dispatch { snapshot: &'a DispatchSnapshot, push: Run },
    /// The draws of a command. `captured` is `true` if transform feedback captures them.
    Draw { snapshot: Ref<DrawSnapshot>, push: Run, captured: bool },
}

/// Observes a list while it runs. Each command leads to calls of `comes`, then `effects`, then `done`.
pub(super) trait Observer<'l> {
    /// A list begins, nested in `depth` other lists.
    fn list_begins(&mut self, list: &'l CommandList, depth: usize) {
        let _ = (list, depth);
    }

    /// The innermost open list ends.
    fn list_ends(&mut self) {}

    /// A command is about to run.
    fn comes(&mut self, at: &At<'_, 'l>) {
        let _ = at;
    }

    /// The command's effects are known: before the command runs, or after it for a command that ends a section
    /// ([`Command::ends_section`]).
    fn effects(&mut self, at: &At<'_, 'l>) {
        let _ = at;
    }

    /// The command has run, was skipped, or has failed.
    fn done(&mut self, at: &At<'_, 'l>, error: Option<&Error>) -> Result<()> {
        let _ = (at, error);
        Ok(())
    }

    /// `true` if the draws of the command must have run when `done` is called; otherwise they may wait for the end of
    /// their scope.
    fn needs_draws_done(&self, command: &Command) -> bool {
        let _ = command;
        false
    }

    /// Shaders are about to run; if `ordered`, after all earlier work.
    fn work_begins(&mut self, ordered: bool) {
        let _ = ordered;
    }

    /// Announces shaders that run when the next work begins.
    fn invokes(&mut self, list: &'l CommandList, invoked: Invoked<'_>) {
        let _ = (list, invoked);
    }

    /// Announces one draw of a command.
    fn draws(&mut self, list: &'l CommandList, snapshot: Ref<DrawSnapshot>, draw: &Draw) {
        let _ = (list, snapshot, draw);
    }

    /// A command that runs `shader` exceeds a buffer or a limit.
    fn exceeds(&mut self, shader: &Arc<Shader>, excess: Excess) {
        let _ = (shader, excess);
    }
}

/// The observers of a list.
pub(super) struct Observers<'d, 'l> {
    residency: residency::Residency<'d>,
    aliasing: aliasing::Aliasing<'d>,
    /// Observers for the device's watcher and trace; most devices have none.
    others: Vec<Box<dyn Observer<'l> + 'l>>,
    /// `true` if every command is observed individually: for a trace, or for a watcher that checks the order of
    /// commands.
    pub each_command: bool,
}

impl<'d: 'l, 'l> Observers<'d, 'l> {
    /// Creates the observers of a submitted list.
    pub fn new(device: &'d Device, told: Option<Told>, at: InBatch) -> Self {
        let mut observers = Observers::without_order(device);
        if let Some(watch) = &device.options().watch {
            watch.tell(&Event::Begins { explicit: device.is_explicit() });
            if device.is_explicit() {
                observers.others.push(Box::new(order::Order::new(device, watch, at)));
                observers.each_command = true;
            }
        }
        if let Some(tracer) = trace::Tracer::new(device, told) {
            observers.others.push(Box::new(tracer));
            observers.each_command = true;
        }
        observers
    }

    /// Creates the observers of a list that runs in parts. None of these observers looks at every command.
    pub fn without_order(device: &'d Device) -> Self {
        let mut others: Vec<Box<dyn Observer<'l> + 'l>> = Vec::new();
        if let Some(watch) = &device.options().watch {
            others.push(Box::new(definedness::Definedness::new(device, watch)));
            let absent = device.options().absent_attributes;
            others.push(Box::new(invocations::Invocations::new(watch, device.is_explicit(), absent)));
            others.push(Box::new(excess::Exceeding::new(watch)));
        }
        let (residency, aliasing) = (residency::Residency(device), aliasing::Aliasing(device));
        Observers { residency, aliasing, others, each_command: false }
    }
}

impl<'l> Observers<'_, 'l> {
    /// Returns true if nobody watches or traces the device.
    pub fn is_quiet(&self) -> bool {
        self.others.is_empty()
    }

    pub fn list_begins(&mut self, list: &'l CommandList, depth: usize) {
        self.others.iter_mut().for_each(|o| o.list_begins(list, depth));
    }

    pub fn list_ends(&mut self) {
        self.others.iter_mut().for_each(|o| o.list_ends());
    }

    pub fn comes(&mut self, at: &At<'_, 'l>) {
        for observer in &mut self.others {
            observer.comes(at);
            if !at.command.ends_section() {
                observer.effects(at);
            }
        }
    }

    pub fn done(&mut self, at: &At<'_, 'l>, error: Option<&Error>) -> Result<()> {
        for observer in &mut self.others {
            if at.command.ends_section() {
                observer.effects(at);
            }
            observer.done(at, error)?;
        }
        self.residency.done(at, error)?;
        self.aliasing.done(at, error)
    }

    pub fn needs_draws_done(&self, command: &Command) -> bool {
        self.others.iter().any(|o| o.needs_draws_done(command))
    }

    pub fn work_begins(&mut self, ordered: bool) {
        self.others.iter_mut().for_each(|o| o.work_begins(ordered));
    }

    pub fn invokes(&mut self, list: &'l CommandList, invoked: Invoked<'_>) {
        self.others.iter_mut().for_each(|o| o.invokes(list, invoked));
    }

    pub fn draws(&mut self, list: &'l CommandList, snapshot: Ref<DrawSnapshot>, draw: &Draw) {
        self.others.iter_mut().for_each(|o| o.draws(list, snapshot, draw));
    }

    pub fn exceeds(&mut self, shader: &Arc<Shader>, excess: Excess) {
        self.others.iter_mut().for_each(|o| o.exceeds(shader, excess));
    }
}

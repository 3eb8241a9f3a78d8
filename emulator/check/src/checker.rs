//! The watcher of shaders, which passes the events of each call to the checks.

use std::sync::{Arc, Mutex, PoisonError};

use crate::events::{Event, Listener};
use quadrille_jit::abi::{ImageArgs, ImageView};
use quadrille_jit::interp::watch::{Bound, Call, MemoryAccess, Observer, Range, View, Watch};
use quadrille_jit::ir::{End, If, ImageOp, Inst, Loop, Op, Shader, Stage, Value};
use rustc_hash::FxHashMap;

use crate::alarms;
use crate::control::{Control, Shape};
use crate::crossing::{Crossing, frames};
use crate::excess;
use crate::image_layouts::{ImageLayouts, Used};
use crate::kind::Kind;
use crate::matching::Matching;
use crate::memory::{self, Memory, Races, Written};
use crate::outputs::{Outputs, Plan};
use crate::pending::{Clock, Pending};
use crate::rays::{self, Rays};
use crate::readonly::{self, Declared, Limited, Limits};
use crate::report::{Frame, Report};
use crate::restrict::{Aliases, Restrict, Shared};
use crate::sampling::{Compared, Samplers, Sampling};
use crate::session::Session;
use crate::stages::{Interfaces, Stages};
use crate::values::{Names, Values};

/// Watches the calls of shaders.
pub struct Checker {
    session: Arc<Session>,
    /// Accesses to memory in the running dispatch or draw.
    races: Arc<Races>,
    /// Memory that has been written.
    written: Arc<Written>,
    /// Resources and other stages that shaders run with.
    stages: Stages,
    matching: Matching,
    samplers: Arc<Samplers>,
    /// Layouts of images, on devices that report them.
    layouts: Arc<ImageLayouts>,
    /// Accesses to variables declared as `restrict`, in the running dispatch or draw.
    through: Arc<Shared>,
    /// Acceleration structures.
    structures: Arc<rays::Structures>,
    /// Buffers that shaders may only read or only write.
    limits: Arc<Limits>,
    /// Shaders by address. They are kept alive, so that addresses stay unique.
    shaders: Mutex<FxHashMap<usize, Known>>,
}

/// A shader with its analysis results.
#[derive(Clone)]
struct Known {
    _shader: Arc<Shader>,
    names: Arc<Names>,
    shape: Arc<Shape>,
    handles: Arc<memory::Names>,
    outputs: Arc<Plan>,
    compared: Arc<Compared>,
    declared: Arc<Declared>,
    restrict: Arc<Restrict>,
    crossing: Arc<Crossing>,
}

impl Checker {
    /// Creates a watcher that reports to a session.
    pub fn new(session: Arc<Session>) -> Checker {
        Checker {
            session,
            races: Arc::default(),
            written: Arc::default(),
            stages: Stages::default(),
            matching: Matching::default(),
            samplers: Arc::default(),
            layouts: Arc::default(),
            through: Arc::default(),
            structures: Arc::default(),
            limits: Arc::default(),
            shaders: Mutex::default(),
        }
    }

    fn known(&self, shader: &Arc<Shader>) -> Known {
        let mut shaders = self.shaders.lock().unwrap_or_else(PoisonError::into_inner);
        let known = shaders.entry(Arc::as_ptr(shader) as usize).or_insert_with(|| Known {
            _shader: shader.clone(),
            names: Arc::new(Names::of(shader)),
            shape: Arc::new(Shape::of(shader)),
            handles: Arc::new(memory::Names::of(shader)),
            outputs: Arc::new(Plan::of(shader)),
            compared: Arc::new(Compared::of(shader)),
            declared: Arc::new(Declared::of(shader)),
            restrict: Arc::new(Restrict::of(shader)),
            crossing: Arc::new(Crossing::of(shader)),
        });
        known.clone()
    }

    /// Reports a render pass that loads the contents of an attachment to which nothing has been written.
    fn loads(&self, what: &str, parts: &[Range]) {
        if parts.is_empty() || parts.iter().any(|&part| self.written.has_any(part)) {
            return;
        }
        let message = format!("{what} is loaded at the beginning of a render pass, but was never written");
        let at = Frame { instruction: Some("render pass".into()), ..Frame::default() };
        self.session.reports.add(Report::new(Kind::UnwrittenAttachment, message).at(at).about(what));
    }
}

impl Watch for Checker {
    fn alarmed(&self, shader: &Shader) -> Option<Shader> {
        alarms::of(shader, |kind| self.session.reports.wants(kind))
    }

    // Alarms cover neither reads of unwritten memory nor races with other commands.
    fn needs_all(&self, call: &Call<'_>, bound: &[Bound]) -> bool {
        self.stages.lacks(call.shader)
            || self.limits.any()
            || self.races.may_meet_commands()
            || !bound.iter().all(|&bound| self.written.has_all(bound))
            || self.layouts.wrongly(&self.written, bound)
            || self.known(call.shader).declared.has_write_only()
            || self.known(call.shader).compared.wrongly(&self.samplers, &self.written, bound)
    }

    fn next(&self, ordered: bool) {
        self.stages.next();
        self.through.next_step();
        self.races.next_step(self.session.next_step(), ordered);
    }

    fn looks_at_outputs(&self) -> bool {
        true
    }

    fn begin(&self, call: &Call<'_>) -> Option<Box<dyn Observer>> {
        let known = self.known(call.shader);
        if call.shader.stage == Stage::RayGeneration {
            frames::clear();
        }
        let interfaces = Interfaces::new(&self.stages, call.shader);
        let memory = (&self.races, &self.written, interfaces.pushed());
        let clock = Clock::default();
        let pending = || Pending::new(&self.session, &clock);
        Some(Box::new(Checks {
            values: Values::new(pending(), &known.names),
            control: Control::new(pending(), &known.shape),
            memory: Memory::new(pending(), (&known.handles, &known.outputs, &known.crossing), memory, call),
            rays: Rays::new(pending(), (&known.crossing, &known.outputs), &self.structures),
            outputs: Outputs::new(pending(), call.shader, &known.outputs, interfaces.taken()),
            interfaces,
            sampling: Sampling::new(pending(), &known.handles, &self.samplers, &self.written),
            declared: (known.declared.clone(), pending()),
            limited: (Limited::new(&self.limits), pending()),
            used: Used::new(pending(), &self.layouts),
            aliases: Aliases::new(pending(), &known.restrict, &self.through),
            clock,
        }))
    }
}

impl Listener for Checker {
    fn told(&self, event: &Event<'_>) {
        self.layouts.told(&self.session, event);
        match event {
            Event::Runs(runs) => {
                self.stages.runs(runs);
                self.matching.runs(&self.session, runs);
                self.races.runs(runs);
            }
            Event::Sampler { number, state } => self.samplers.told(*number, *state),
            Event::Loads { what, parts } => self.loads(what, parts),
            Event::Destroyed { what, place } => {
                let message = format!("{what} is destroyed, but submitted commands use it");
                let at = Frame { instruction: Some((*place).to_owned()), ..Frame::default() };
                self.session.reports.add(Report::new(Kind::DestroyedObject, message).at(at).about(*what));
            }
            Event::Exceeds(exceeds) => {
                self.session.reports.add(excess::report(exceeds, self.session.step() + 1));
            }
            Event::Structure { address, change } => self.structures.told(*address, change),
            Event::BadRecord(bad) => {
                if let Some(report) = rays::record_report(bad) {
                    self.session.reports.add(report);
                }
            }
            Event::Begins { explicit } => self.races.begins(*explicit),
            Event::Command { name, place } => self.races.command(name, place),
            Event::Order(order) => self.races.order(&self.session, order),
            Event::Accessed(areas) => self.races.accessed(&self.session, areas),
            Event::Limited(range, limit) => self.limits.told(*range, *limit),
            Event::Gone(range) => {
                self.limits.gone(*range);
                self.written.told(event);
            }
            _ => self.written.told(event),
        }
    }

    fn looks_at_order(&self) -> bool {
        true
    }
}

/// Checks of a call.
struct Checks {
    values: Values,
    control: Control,
    memory: Memory,
    rays: Rays,
    outputs: Outputs,
    interfaces: Interfaces,
    sampling: Sampling,
    declared: (Arc<Declared>, Pending),
    limited: (Limited, Pending),
    used: Used,
    aliases: Aliases,
    clock: Clock,
}

impl Observer for Checks {
    fn unit(&mut self, unit: u32, groups: u32) {
        self.outputs.unit(groups);
        self.control.unit(groups);
        self.memory.unit(unit);
    }
    fn start(&mut self, at: &View<'_>) {
        self.clock.start();
        self.values.start(at);
        self.control.start(at);
        self.memory.start(at);
        self.rays.start(at);
    }
    fn before(&mut self, at: &View<'_>, inst: &Inst) {
        self.clock.tick(at, inst.src, std::ptr::from_ref(inst).addr());
        self.control.before(at, inst);
        self.memory.before(at, inst);
        self.rays.before(at, inst, &mut self.memory, &self.values);
    }
    fn memory(&mut self, at: &View<'_>, inst: &Inst, access: &MemoryAccess<'_>) {
        self.memory.access(at, inst, access, &mut self.values);
        let (declared, pending) = &mut self.declared;
        readonly::buffer(pending, (&self.memory, declared), at, inst, access);
        let (limited, pending) = &mut self.limited;
        limited.access(pending, (&self.memory, declared), at, inst, access);
        self.aliases.memory(self.memory.names(), at, inst, access);
    }
    fn image(
        &mut self,
        at: &View<'_>,
        inst: &Inst,
        op: &ImageOp,
        args: &ImageArgs,
        view: Option<&ImageView>,
    ) {
        self.control.image(at, inst, op, view);
        self.memory.image(at, inst, op, args, view);
        self.sampling.image(at, inst, op, args, view);
        let (declared, pending) = &mut self.declared;
        readonly::image(pending, (&self.memory, declared), at, inst, (op, args.mask));
        self.used.image(&mut self.memory, at, inst, args);
        self.aliases.image(&mut self.memory, at, inst, (op, args));
    }
    fn after(&mut self, at: &View<'_>, inst: &Inst) {
        self.values.after(at, inst);
        self.control.after(at, inst);
        self.memory.after(at, inst, &mut self.values);
        if let Some((var, elem, lanes)) = self.rays.after(at, inst) {
            self.memory.unwrite(at, var, elem, lanes);
        }
        self.interfaces.after(at, inst, &mut self.values);
        self.outputs.after(at, inst, |var, elem| self.memory.has_written(at, var, elem));
        if inst.op == Op::EmitVertex {
            for &(output, (var, elem)) in self.outputs.emitted(inst) {
                if !self.outputs.is_flat(output) {
                    self.memory.unwrite(at, var, elem, at.active());
                }
            }
        }
    }
    fn branch(&mut self, at: &View<'_>, node: &If, _: u32) {
        self.values.branch(at, node);
    }
    fn round(&mut self, at: &View<'_>, node: &Loop) {
        self.clock.turn();
        self.control.round(at, node);
    }
    fn copy(&mut self, at: &View<'_>, from: &[Value], to: &[Value]) {
        self.values.copy(at, from, to);
    }
    fn end(&mut self, at: &View<'_>, end: &End) {
        self.values.end(at, end);
        self.control.end(at, end);
    }
    fn barrier(&mut self, at: &View<'_>, inst: &Inst) {
        self.control.barrier(at, inst);
        self.memory.barrier(at);
    }
    fn released(&mut self, _: u32) {
        self.control.released();
        self.memory.released();
    }
    fn unit_end(&mut self, _: u32) {
        self.control.unit_end();
    }
    fn finish(&mut self, at: &View<'_>) {
        self.clock.turn();
        self.values.finish(at);
        self.rays.finish(at, |var, elem| self.memory.has_written(at, var, elem));
        self.outputs.finish(at, |var, elem| self.memory.has_written(at, var, elem));
        self.control.finish(at);
        let (limited, pending) = &mut self.limited;
        limited.finish(pending, at);
    }
}

//! Recording: turns calls into a list.
//!
//! A command that cannot work makes the recording invalid; [`CommandBuffer::end`] returns the first error. Barriers
//! outside of render passes are not commands, unless the device is watched: the queue runs commands in order and makes their
//! writes visible. Inside a render pass, a barrier ends the pass of the rasterizer. Owns the command buffer itself,
//! events and conditional rendering. Left to `bind`, `draw`, `render_pass`, `query`, `dynamic`, `copy`, `feedback` and
//! `notes`: the recording of other commands.

use std::sync::Arc;

use quadrille_jit::reserve;
use quadrille_raster::pass::PassDesc;
use quadrille_raster::state::Rect;
use smallvec::SmallVec;

use super::list::{Command, CommandList, Ended, Listed, Ref, Regions, RunsIn};
use super::state::State;
use crate::device::Device;
use crate::error::{Error, Result, ensure, guard};
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device};
use crate::pipeline::{BoundObjects, RendersTo};
use crate::render_pass::{Framebuffer, RenderPass, RenderingInfo, TargetFormats};
use crate::resource::buffer::Buffer;
use crate::resource::image::ImageView;
use crate::sync::Event;

/// Parameters for beginning a render pass. Spec: Vulkan, VkRenderPassBeginInfo.
#[derive(Clone, Debug)]
pub struct BeginRenderPass {
    /// The render pass.
    pub render_pass: RenderPass,
    /// The framebuffer.
    pub framebuffer: Framebuffer,
    /// Views of an imageless framebuffer.
    pub views: Vec<ImageView>,
    /// Render area.
    pub area: Rect,
    /// Clear values by attachment: bits of R, G, B, A, or of depth and stencil.
    pub clears: Vec<[u32; 4]>,
}

/// State with which a later recording continues.
pub(super) struct Resumed {
    state: State,
    rendering: bool,
    renders_to: RendersTo,
    objects: Option<Box<BoundObjects>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Phase {
    Recording,
    Ended,
}

/// A list of commands, recorded once and submitted any number of times.
///
/// Made in the recording state; [`end`](Self::end) makes it ready for [`crate::Queue::submit`]. After a command that
/// cannot be recorded, all later ones are ignored: [`end`](Self::end) returns the error, and [`error`](Self::error)
/// shows it earlier. Spec: Vulkan, "Command Buffers".
pub struct CommandBuffer {
    pub(super) device: Device,
    phase: Phase,
    /// The list during recording; empty when recording has ended.
    pub(super) list: Box<CommandList>,
    /// The list after recording. During recording, an empty list whose allocations are reused, or `None`.
    ended: Option<Arc<Ended>>,
    pub(super) state: State,
    error: Option<Error>,
    /// `true` if anything was recorded since recording began.
    touched: bool,
    pub(super) pass: Option<(BeginRenderPass, u32)>,
    pub(super) rendering: bool,
    /// The render targets of the open scope, if they are known.
    pub(super) targets: Option<Box<PassDesc>>,
    /// Scope of the custom resolve that the open scope may begin.
    pub(super) custom_resolve: Option<Box<RenderingInfo>>,
    /// The scopes with a fragment density map in the open render pass, whose end sets the offsets.
    pub(super) density_scopes: Vec<Ref<RenderingInfo>>,
    /// The properties of the render targets that pipelines depend on.
    pub(super) renders_to: RendersTo,
    /// Bound shader objects, which draws use instead of a pipeline.
    pub(super) objects: Option<Box<BoundObjects>>,
    /// `true` if the shader objects or their render targets have changed since the last draw.
    pub(super) objects_changed: bool,
    /// Name of the command buffer in errors and traces.
    pub(super) name: Option<Box<str>>,
}

objects! { CommandBuffer: "command buffer" = |c| Some(c.device.id()); }

impl std::fmt::Debug for CommandBuffer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let n = self.recorded().map_or(&*self.list, |list| list).commands.len();
        write!(f, "CommandBuffer({n} commands)")
    }
}

impl CommandBuffer {
    pub(crate) fn new(device: &Device) -> Self {
        CommandBuffer {
            device: device.clone(),
            phase: Phase::Recording,
            list: Box::default(),
            ended: None,
            state: State::default(),
            error: None,
            touched: false,
            pass: None,
            rendering: false,
            targets: None,
            custom_resolve: None,
            density_scopes: Vec::new(),
            renders_to: RendersTo::default(),
            objects: None,
            objects_changed: false,
            name: None,
        }
    }

    /// Removes everything but the name, and begins recording. The allocations of the last list are reused, unless the
    /// list is still in use.
    pub fn begin(&mut self) -> &mut Self {
        if self.phase == Phase::Ended {
            self.phase = Phase::Recording;
            match self.ended.as_mut().and_then(Arc::get_mut) {
                Some(ended) => std::mem::swap(&mut ended.0, &mut self.list),
                None => self.ended = None,
            }
        }
        if self.touched {
            self.clear();
        }
        self
    }

    fn clear(&mut self) {
        let CommandBuffer {
            device: _,
            phase: _,
            list,
            ended: _,
            state,
            error,
            touched,
            pass,
            rendering,
            targets,
            custom_resolve,
            density_scopes,
            renders_to,
            objects,
            objects_changed,
            name: _,
        } = self;
        list.clear();
        state.clear();
        (*error, *pass, *targets, *objects) = (None, None, None, None);
        *custom_resolve = None;
        density_scopes.clear();
        *renders_to = RendersTo::default();
        (*touched, *rendering, *objects_changed) = (false, false, false);
    }

    /// Frees the allocations of earlier lists, if nothing was recorded since recording began.
    pub fn trim(&mut self) {
        if self.phase == Phase::Recording && !self.touched {
            (*self.list, self.ended, self.state) = (CommandList::default(), None, State::default());
        }
    }

    /// Begins recording a secondary command buffer that is executed inside of a render pass. `formats` are the formats
    /// of the render pass, which shader objects depend on.
    pub fn begin_inside(&mut self, formats: TargetFormats) -> &mut Self {
        self.begin();
        (self.touched, self.rendering) = (true, true);
        self.renders_to.formats = formats;
        self
    }

    /// Current state of recording, including the bound shader objects.
    pub(super) fn resumed(&self) -> Resumed {
        Resumed {
            state: self.state.clone(),
            rendering: self.rendering,
            renders_to: self.renders_to.clone(),
            objects: self.objects.clone(),
        }
    }

    /// Creates a command buffer that continues from the state `from`. `list` is the list that keeps the objects of this
    /// state alive.
    pub(super) fn resume(device: &Device, from: &Resumed, list: &CommandList) -> Self {
        let mut buffer = CommandBuffer::new(device);
        buffer.state = from.state.carried(list, &mut buffer.list);
        buffer.rendering = from.rendering;
        buffer.renders_to = from.renders_to.clone();
        buffer.objects = from.objects.clone();
        buffer
    }

    /// Clears the error of a command that could not be recorded. Returns the error if memory ran out, the device was
    /// lost, or the error is internal.
    pub(super) fn forgive(&mut self) -> Result<()> {
        match self.error.take() {
            Some(error @ (Error::OutOfMemory(_) | Error::Internal(_))) => Err(error),
            Some(error) if error.is_loss() => Err(error),
            _ => Ok(()),
        }
    }

    /// Returns the recorded list, with a name for observers.
    pub(super) fn into_list(self, name: &str) -> Result<CommandList> {
        let mut list = *self.list;
        list.close();
        list.name = Some(name.into());
        self.error.map_or(Ok(list), Err)
    }

    /// The first error of any recorded command.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Ends recording. A rendering scope that is still open ends with the list when it is submitted; Vulkan's valid usage
    /// forbids this.
    ///
    /// # Errors
    /// The first error of any command: `Invalid` for a mistake in the call, or for objects that do not go together or
    /// belong to another device; `Unsupported`, `Limit`, or `OutOfMemory`. The command buffer cannot be submitted then;
    /// [`begin`](Self::begin) starts again. The same holds for a command after the end of recording.
    pub fn end(&mut self) -> Result<()> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if self.phase == Phase::Recording {
            self.list.is_open = self.rendering && self.list.runs_in == RunsIn::NoScope;
            self.list.close();
            self.list.name = self.name.clone();
            let ended = self.ended.get_or_insert_default();
            let ended =
                Arc::get_mut(ended).ok_or_else(|| Error::Internal("a list in use is recorded".into()))?;
            std::mem::swap(&mut ended.0, &mut self.list);
            self.phase = Phase::Ended;
        }
        Ok(())
    }

    /// The recorded list. Fails with the first error of any command, also of one after the end of recording, and with
    /// `Invalid` unless recording has ended.
    pub(crate) fn recorded(&self) -> Result<&Arc<Ended>> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        let ended = self.ended.as_ref().filter(|_| self.phase == Phase::Ended);
        ended.ok_or_else(|| Error::invalid("the command buffer's recording has not ended"))
    }

    /// Runs a step of recording unless an earlier one has failed.
    pub(super) fn step(&mut self, f: impl FnOnce(&mut Self) -> Result<()>) -> &mut Self {
        if self.error.is_none() {
            self.touched = true;
            let done = match self.phase {
                Phase::Recording => guard("recording", || f(self)),
                Phase::Ended => Err(Error::invalid("command after the end of recording")),
            };
            if let Err(error) = done {
                self.error = Some(error);
            }
        }
        self
    }

    /// Appends a command. Inlined, so that the compiler builds the command in its final place.
    #[inline(always)]
    pub(super) fn add(&mut self, cost: u64, command: Command) -> Result<()> {
        self.list.n_commands = self.list.n_commands.saturating_add(1);
        self.list.cost = self.list.cost.saturating_add(cost);
        reserve::grow(&mut self.list.commands, 1)?;
        self.list.commands.push(command);
        Ok(())
    }

    /// Keeps an object alive as long as the list. `Invalid` if it belongs to another device.
    #[inline]
    pub(super) fn keep<T: Listed>(&mut self, object: &T) -> Result<Ref<T>> {
        if let Some(at) = T::kept(&mut self.list).find(object) {
            return Ok(at);
        }
        same_device(object, self)?;
        Ok(T::kept(&mut self.list).keep(object))
    }

    /// Returns `Invalid` for a command that must be outside of a scope, if it is inside of one.
    #[inline]
    pub(super) fn outside(&mut self, what: &str) -> Result<()> {
        ensure(!self.rendering, || format!("{what} inside of a render pass"))?;
        self.list.runs_in = RunsIn::NoScope;
        Ok(())
    }

    /// Returns `Invalid` for a command that must be inside of a scope, if it is outside.
    #[inline]
    pub(super) fn inside(&mut self, what: &str) -> Result<()> {
        ensure(self.rendering, || format!("{what} outside of a render pass"))?;
        // A scope of the list's own has begun outside of other scopes.
        if self.list.runs_in == RunsIn::Any {
            self.list.runs_in = RunsIn::Scope;
        }
        Ok(())
    }

    /// Returns the buffer that contains a device address, and the offset in this buffer.
    ///
    /// # Errors
    /// `Invalid` if the number is not the device address of a living buffer.
    pub fn buffer_at(&self, address: u64) -> Result<(Buffer, u64)> {
        Buffer::at(&self.device, address)
    }

    /// Makes earlier rendering visible to later commands of the same render pass. Outside of render passes there is
    /// nothing to do: the queue runs commands in order. Checks report a dispatch that uses writes of another dispatch
    /// without a barrier between the two, because other devices may run both at once.
    pub fn pipeline_barrier(&mut self) -> &mut Self {
        // The device's watcher needs every barrier to know the order of commands.
        self.step(|c| match c.rendering || c.device.options().watch.is_some() {
            true => c.add(0, Command::Barrier),
            false => Ok(()),
        })
    }

    /// Begins conditional rendering: later draws, dispatches and clears of attachments run only if the word at `offset`
    /// is not zero, or, if `inverted`, only if it is zero. Spec: Vulkan, "Conditional Rendering".
    pub fn begin_conditional_rendering(&mut self, buffer: &Buffer, offset: u64, inverted: bool) -> &mut Self {
        self.step(|c| {
            buffer.check(offset, 4)?;
            let buffer = c.keep(buffer)?;
            c.add(0, Command::BeginConditional { buffer, offset, inverted })
        })
    }

    /// Ends conditional rendering: later commands run unconditionally.
    pub fn end_conditional_rendering(&mut self) -> &mut Self {
        self.step(|c| c.add(0, Command::EndConditional))
    }

    /// Sets an event when all earlier commands have completed.
    pub fn set_event(&mut self, event: &Event) -> &mut Self {
        self.step(|c| {
            let event = c.keep(event)?;
            c.add(0, Command::SetEvent(event))
        })
    }

    /// Resets an event when all earlier commands have completed.
    pub fn reset_event(&mut self, event: &Event) -> &mut Self {
        self.step(|c| {
            let event = c.keep(event)?;
            c.add(0, Command::ResetEvent(event))
        })
    }

    /// Waits until all events are set.
    pub fn wait_events(&mut self, events: &[&Event]) -> &mut Self {
        self.step(|c| {
            c.list.waits = true;
            let events: SmallVec<[_; 8]> = events.iter().map(|e| c.keep(*e)).collect::<Result<_>>()?;
            let events = Regions::put(&mut c.list.parameters, &events);
            c.add(0, Command::WaitEvents(events))
        })
    }

    /// Returns `Invalid` unless a nested list can run at this point: in a scope or outside, with these render targets.
    fn runs_here(&mut self, list: &CommandList) -> Result<()> {
        match list.runs_in {
            RunsIn::Any => {}
            RunsIn::NoScope => self.outside("a secondary command buffer with copies or passes")?,
            RunsIn::Scope => {
                self.inside("a secondary command buffer with draws")?;
                if let Some(targets) = &self.targets {
                    list.drawn.iter().try_for_each(|state| targets.accepts(state.desc()))?;
                }
            }
        }
        ensure(!list.is_open, || "a secondary command buffer that does not end its rendering".into())
    }

    /// Executes secondary command buffers. Those with draws must be inside of a render pass whose attachments suit their
    /// pipelines. Those with commands that must be outside of render passes, such as copies, must be outside. `Limit` if
    /// they are nested too deep, or if the total number of commands is too large. A nested command counts each time that
    /// it runs.
    pub fn execute_commands(&mut self, buffers: &[&CommandBuffer]) -> &mut Self {
        self.step(|c| {
            for buffer in buffers {
                same_device(*buffer, c)?;
                let list = buffer.recorded()?;
                c.runs_here(list)?;
                let depth = list.depth + 1;
                let deepest = LIMITS.max_command_buffer_nesting_level;
                at_most("command buffer nesting level", depth.into(), deepest.into())?;
                let n = c.list.n_commands.saturating_add(list.n_commands);
                at_most("commands with those of secondary command buffers", n, LIMITS.max_executed_commands)?;
                c.list.n_commands = n;
                c.list.depth = c.list.depth.max(depth);
                c.list.waits |= list.waits;
                let nested = c.list.nested.push(list.clone());
                c.add(list.cost, Command::Execute(nested))?;
            }
            Ok(())
        })
    }
}

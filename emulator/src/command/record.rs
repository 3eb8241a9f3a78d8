//! Recording: calls to a list.
//!
//! A command that cannot work makes the recording invalid; the first error is what
//! [`CommandBuffer::end`] returns. Barriers are not commands: the queue keeps commands in order and
//! makes their writes visible. Here stand the command buffer itself, events and conditional rendering;
//! `bind`, `draw`, `render_pass`, `query`, `dynamic`, `copy`, `feedback` and `notes` record the rest.

use std::sync::Arc;

use quadrille_jit::reserve;
use quadrille_raster::pass::PassDesc;
use quadrille_raster::state::Rect;
use smallvec::SmallVec;

use super::list::{Command, Ended, Listed, Recorded, Ref, Regions};
use super::state::State;
use crate::buffer::Buffer;
use crate::device::Device;
use crate::error::{Error, Result, ensure, guard};
use crate::image::ImageView;
use crate::limits::{LIMITS, at_most};
use crate::object::{objects, same_device};
use crate::pipeline::{BoundObjects, RendersTo};
use crate::render_pass::{Framebuffer, RenderPass, TargetFormats};
use crate::sync::Event;

/// How a render pass begins. Spec: Vulkan, VkRenderPassBeginInfo.
#[derive(Clone, Debug)]
pub struct BeginRenderPass {
    /// The render pass.
    pub render_pass: RenderPass,
    /// The framebuffer.
    pub framebuffer: Framebuffer,
    /// Views of an imageless framebuffer.
    pub views: Vec<ImageView>,
    /// Pixels that may be touched.
    pub area: Rect,
    /// Clear values by attachment: bits of R, G, B, A, or of depth and stencil.
    pub clears: Vec<[u32; 4]>,
}

/// What a command buffer that is recorded later goes on from.
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
/// Made in the recording state; [`end`](Self::end) makes it ready for [`crate::Queue::submit`].
/// Spec: Vulkan, "Command Buffers".
pub struct CommandBuffer {
    pub(super) device: Device,
    phase: Phase,
    /// What is recorded. Empty when recording has ended.
    pub(super) list: Box<Recorded>,
    /// What was recorded, when recording has ended. While it goes on, an empty list to change places with.
    ended: Option<Arc<Ended>>,
    pub(super) state: State,
    error: Option<Error>,
    /// Something was recorded since it began.
    touched: bool,
    pub(super) pass: Option<(BeginRenderPass, u32)>,
    pub(super) rendering: bool,
    /// What the scope renders to, where it is known.
    pub(super) targets: Option<Box<PassDesc>>,
    /// Likewise, as far as pipelines depend on it.
    pub(super) renders_to: RendersTo,
    /// Shader objects that draws take, in the place of a pipeline.
    pub(super) objects: Option<Box<BoundObjects>>,
    /// They, or what they render to, have changed since the last draw.
    pub(super) objects_changed: bool,
    /// What errors and traces call it.
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
            renders_to: RendersTo::default(),
            objects: None,
            objects_changed: false,
            name: None,
        }
    }

    /// Forgets everything but its name and starts to record. The room of what was recorded is used again, unless it still runs.
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
            renders_to,
            objects,
            objects_changed,
            name: _,
        } = self;
        list.clear();
        state.clear();
        (*error, *pass, *targets, *objects) = (None, None, None, None);
        *renders_to = RendersTo::default();
        (*touched, *rendering, *objects_changed) = (false, false, false);
    }

    /// Gives back the room of what was recorded, if nothing has been since it began.
    pub fn trim(&mut self) {
        if self.phase == Phase::Recording && !self.touched {
            (*self.list, self.ended, self.state) = (Recorded::default(), None, State::default());
        }
    }

    /// Starts to record a secondary command buffer that is executed inside of a render pass; shader objects
    /// need to know what that renders to.
    pub fn begin_inside(&mut self, formats: TargetFormats) -> &mut Self {
        self.begin();
        (self.touched, self.rendering) = (true, true);
        self.renders_to.formats = formats;
        self
    }

    /// Where recording is now, with the pipeline of the shader objects that are bound.
    pub(super) fn resumed(&self) -> Resumed {
        Resumed {
            state: self.state.clone(),
            rendering: self.rendering,
            renders_to: self.renders_to.clone(),
            objects: self.objects.clone(),
        }
    }

    /// A command buffer that goes on from there, while what `list` keeps is kept.
    pub(super) fn resume(device: &Device, from: &Resumed, list: &Recorded) -> Self {
        let mut buffer = CommandBuffer::new(device);
        buffer.state = from.state.carried(list, &mut buffer.list);
        buffer.rendering = from.rendering;
        buffer.renders_to = from.renders_to.clone();
        buffer.objects = from.objects.clone();
        buffer
    }

    /// Goes on after a command that could not be recorded; not so where memory is out.
    pub(super) fn forgive(&mut self) -> Result<()> {
        match self.error.take() {
            Some(error @ (Error::OutOfMemory(_) | Error::DeviceLost(_) | Error::Internal(_))) => Err(error),
            _ => Ok(()),
        }
    }

    /// What has been recorded, with a name for those who watch.
    pub(super) fn into_list(self, name: &str) -> Result<Recorded> {
        let mut list = *self.list;
        list.close();
        list.name = Some(name.into());
        self.error.map_or(Ok(list), Err)
    }

    /// The first error of any command so far.
    pub fn error(&self) -> Option<&Error> {
        self.error.as_ref()
    }

    /// Ends recording. Returns the first error of any command.
    pub fn end(&mut self) -> Result<()> {
        if let Some(error) = &self.error {
            return Err(error.clone());
        }
        if self.phase == Phase::Recording {
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

    /// The recorded list. `Invalid` unless recording has ended.
    pub(crate) fn recorded(&self) -> Result<&Arc<Ended>> {
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

    /// Inlined, so that commands are made where they stay.
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

    #[inline]
    pub(super) fn outside(&self, what: &str) -> Result<()> {
        ensure(!self.rendering, || format!("{what} inside of a render pass"))
    }

    #[inline]
    pub(super) fn inside(&self, what: &str) -> Result<()> {
        ensure(self.rendering, || format!("{what} outside of a render pass"))
    }

    /// The buffer that a device address is of, and the offset in it.
    pub fn buffer_at(&self, address: u64) -> Result<(Buffer, u64)> {
        Buffer::at(&self.device, address)
    }

    /// Makes what was rendered before visible to what follows in the same render pass. Outside of render
    /// passes there is nothing to do: the queue keeps order. Checks say where one dispatch needs what another one writes and
    /// no barrier is between them, as other devices may run both at once.
    pub fn pipeline_barrier(&mut self) -> &mut Self {
        // Whoever watches wants to know what is ordered.
        self.step(|c| match c.rendering || c.device.options().watch.is_some() {
            true => c.add(0, Command::Barrier),
            false => Ok(()),
        })
    }

    /// From now on draws, dispatches and clears of attachments are done only if the word at `offset` is
    /// not zero, or, if `inverted`, only if it is. Spec: Vulkan, "Conditional Rendering".
    pub fn begin_conditional_rendering(&mut self, buffer: &Buffer, offset: u64, inverted: bool) -> &mut Self {
        self.step(|c| {
            buffer.check(offset, 4)?;
            let buffer = c.keep(buffer)?;
            c.add(0, Command::BeginConditional { buffer, offset, inverted })
        })
    }

    /// Everything is done again.
    pub fn end_conditional_rendering(&mut self) -> &mut Self {
        self.step(|c| c.add(0, Command::EndConditional))
    }

    /// Sets an event.
    pub fn set_event(&mut self, event: &Event) -> &mut Self {
        self.step(|c| {
            let event = c.keep(event)?;
            c.add(0, Command::SetEvent(event))
        })
    }

    /// Resets an event.
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

    /// Runs secondary command buffers. `Limit` when they are nested too deep, or when they take too many
    /// commands, those of nested ones counted each time that they run.
    pub fn execute_commands(&mut self, buffers: &[&CommandBuffer]) -> &mut Self {
        self.step(|c| {
            for buffer in buffers {
                same_device(*buffer, c)?;
                let list = buffer.recorded()?;
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

//! Runs scripts on a device: creates buffers, images and pipelines, and executes the commands in order.
//!
//! * `files`: files that scripts name
//! * `shaders`: compilation of sources to shader modules
//! * `stores`: contents of buffers and images, on the host and on the device
//! * `pipelines`: layouts, descriptor sets, pipelines
//! * `draws`: clears, draws and dispatches

mod draws;
mod files;
mod pipelines;
mod shaders;
mod stores;

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use quadrille::{CommandBuffer, Device, Error, Sampler, Submit};

use crate::offers;
use crate::outcome::{Failure, Options, Outcome};
use crate::script::Script;
use crate::script::model::{Action, Command, Expect, Model};
use crate::verify::{self, Contents};

/// Reason why a script does not run to its end.
#[derive(Debug)]
pub(crate) enum Stop {
    /// The script needs something that is not available.
    Skip(String),
    /// A command failed.
    Fail(String),
}

impl From<Error> for Stop {
    fn from(e: Error) -> Self {
        match e {
            Error::Unsupported { .. } | Error::Limit(_) => Stop::Skip(e.to_string()),
            _ => Stop::Fail(e.to_string()),
        }
    }
}

type Step<T = ()> = Result<T, Stop>;

fn fail<T>(message: impl Into<String>) -> Step<T> {
    Err(Stop::Fail(message.into()))
}

/// Largest number of failures that are listed.
const MAX_FAILURES: usize = 16;

impl Script {
    /// Runs the script. The device remains usable, unless a shader did not end and the device was lost.
    pub fn run(&self, device: &Device, options: &Options) -> Outcome {
        self.run_noting(device, options, &mut BTreeSet::new())
    }

    /// Like [`run`](Self::run), and adds to `asked` the files that the script requested: data, shaders and their
    /// includes.
    pub fn run_noting(&self, device: &Device, options: &Options, asked: &mut BTreeSet<PathBuf>) -> Outcome {
        if let Some(missing) = missing(&self.model) {
            return Outcome::Skipped(missing);
        }
        let files = files::Files::new(self, options);
        let outcome = self.run_with(device, options, &files);
        asked.extend(files.asked());
        outcome
    }

    fn run_with(&self, device: &Device, options: &Options, files: &files::Files) -> Outcome {
        let mut run = match Run::new(self, device, options, files) {
            Ok(run) => run,
            Err(failure) => return Outcome::Failed(vec![failure]),
        };
        let skipped = run.all(&self.model.commands).err().flatten();
        let failures = std::mem::take(&mut run.failures);
        match (failures.is_empty(), skipped) {
            (false, _) => Outcome::Failed(failures),
            (true, Some(what)) => Outcome::Skipped(what),
            (true, None) => Outcome::Passed,
        }
    }
}

/// Returns a description of the first missing requirement of the script.
fn missing(model: &Model) -> Option<String> {
    let needs = &model.needs;
    if let Some(what) = needs.foreign.first() {
        return Some(format!("needs {what}"));
    }
    let offered = |name: &str| offers::feature(name).or(offers::property(name)).unwrap_or(false);
    if let Some(feature) = needs.features.iter().find(|f| !offered(f)) {
        return Some(format!("needs the feature {feature}"));
    }
    let extension = needs.extensions.iter().find(|e| !offers::extension(e));
    extension.map(|e| format!("needs the extension {e}"))
}

/// A script that is being run.
struct Run<'r> {
    script: &'r Script,
    device: &'r Device,
    stores: stores::Stores<'r>,
    shaders: shaders::Shaders<'r>,
    pipelines: Vec<pipelines::Current>,
    /// Samplers that have been used.
    samplers: Vec<Option<Sampler>>,
    deadline: Option<Instant>,
    failures: Vec<Failure>,
}

impl Drop for Run<'_> {
    /// Releases the samplers, because their number is limited and the device is reused for other scripts.
    fn drop(&mut self) {
        if self.device.wait_idle().is_ok() {
            self.samplers.iter().flatten().for_each(|s| self.device.release_sampler(*s));
        }
    }
}

impl<'r> Run<'r> {
    fn new(
        script: &'r Script,
        device: &'r Device,
        options: &Options,
        files: &files::Files,
    ) -> Result<Self, Failure> {
        let model = &script.model;
        let stores = stores::Stores::new(device, model, files)?;
        let shaders = shaders::Shaders::new(device, script, files.clone());
        Ok(Run {
            script,
            device,
            stores,
            shaders,
            pipelines: model.pipelines.iter().map(pipelines::Current::new).collect(),
            samplers: vec![None; model.samplers.len()],
            deadline: options.timeout.and_then(|t| Instant::now().checked_add(t)),
            failures: Vec::new(),
        })
    }

    /// Executes commands in order. `Err` ends the script: `Some` with the reason for a skip, `None` after a failure.
    fn all(&mut self, commands: &[Command]) -> Result<(), Option<String>> {
        for command in commands {
            if self.deadline.is_some_and(|d| Instant::now() >= d) {
                self.failures.push(Failure { line: command.line, message: "the time is up".into() });
                return Err(None);
            }
            if let Action::Repeat(count, commands) = &command.action {
                // Only commands look at the time.
                let count = if commands.is_empty() { 0 } else { *count };
                for _ in 0..count {
                    self.all(commands)?;
                }
                continue;
            }
            let stop = match self.one(&command.action) {
                Ok(()) => continue,
                Err(stop) => stop,
            };
            let message = match stop {
                Stop::Skip(what) => return Err(Some(what)),
                Stop::Fail(message) => message,
            };
            self.failures.push(Failure { line: command.line, message });
            // Later commands do not depend on an expectation, so they still run if it fails.
            let goes_on = matches!(command.action, Action::Expect(_)) && self.failures.len() < MAX_FAILURES;
            if !goes_on {
                return Err(None);
            }
        }
        Ok(())
    }

    fn one(&mut self, action: &Action) -> Step {
        match action {
            Action::Clear(id) => self.clear(*id),
            Action::ClearColor(id, color) => {
                self.pipelines[id.0].clear_color = *color;
                Ok(())
            }
            Action::ClearDepth(id, depth) => {
                self.pipelines[id.0].clear_depth = *depth;
                Ok(())
            }
            Action::ClearStencil(id, value) => {
                self.pipelines[id.0].clear_stencil = *value;
                Ok(())
            }
            Action::Copy(from, to) => {
                let bytes = self.stores.contents(*from)?;
                self.stores.replace(*to, &bytes)
            }
            Action::Compute(id, groups) => self.compute(*id, *groups),
            Action::Draw(id, state, draw) => {
                let own = &self.script.model.pipelines[id.0].state;
                self.draw(*id, state.as_ref().unwrap_or(own), draw)
            }
            // The caller executes repeats.
            Action::Repeat(..) => Ok(()),
            Action::Expect(expect) => self.expect(expect),
            Action::EntryPoint(id, stage, entry) => {
                let stages = &mut self.pipelines[id.0].stages;
                match stages.iter_mut().find(|s| s.stage == *stage) {
                    Some(used) => used.entry.clone_from(entry),
                    None => return fail(format!("there is no {} shader", stage.name())),
                }
                Ok(())
            }
            Action::PatchVertices(id, count) => {
                self.pipelines[id.0].patch_vertices = Some(*count);
                Ok(())
            }
            Action::Write(id, offset, bytes) => self.stores.write(*id, *offset, bytes),
            Action::Push(id, offset, bytes) => {
                let pushed = &mut self.pipelines[id.0].pushed;
                let (start, end) = (*offset as usize, *offset as usize + bytes.len());
                if end > quadrille::LIMITS.max_push_constants_size as usize {
                    return Err(Stop::Skip(format!("needs {end} bytes of push constants")));
                }
                pushed.resize(pushed.len().max(end), 0);
                pushed[start..end].copy_from_slice(bytes);
                Ok(())
            }
        }
    }

    fn expect(&mut self, expect: &Expect) -> Step {
        let result = match expect {
            Expect::Texels { buffer, area, color, alpha, tolerances } => {
                let bytes = self.stores.contents(*buffer)?;
                verify::texels(self.stores.seen(*buffer, &bytes), *area, *color, *alpha, tolerances)
            }
            Expect::Values { buffer, layout, offset, comparator, values, tolerances } => {
                let bytes = self.stores.contents(*buffer)?;
                let of: Contents<'_> = self.stores.seen(*buffer, &bytes);
                verify::values(of, layout, *offset, *comparator, values, tolerances)
            }
            Expect::Buffers(a, b, how) => {
                let (one, other) = (self.stores.contents(*a)?, self.stores.contents(*b)?);
                verify::buffers(self.stores.seen(*a, &one), self.stores.seen(*b, &other), *how)
            }
        };
        result.map_err(Stop::Fail)
    }

    /// Submits commands and waits for them, at most as long as the script allows.
    ///
    /// After a timeout, unfinished commands keep their resources alive.
    fn submit(&self, commands: &CommandBuffer) -> Step {
        let fence = self.device.create_fence(false);
        self.device.queue().submit(&[Submit { commands: &[commands], ..Submit::default() }], Some(&fence))?;
        let asked = self.script.model.fence_timeout_ms.map(|ms| Duration::from_millis(ms.into()));
        let left = self.deadline.map(|d| d.saturating_duration_since(Instant::now()));
        let timeout = asked.into_iter().chain(left).min();
        if fence.wait(timeout)? {
            return Ok(());
        }
        fail("the commands did not end in time")
    }
}

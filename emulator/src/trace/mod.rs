//! Traces of the execution of command buffers, written while they run.
//!
//! A [`Trace`] is the destination of a device's events: lines of text or JSON, and a folder with a page and pictures of
//! the render targets. `command` creates the events; this module owns their selection ([`TraceFilter`]), format and
//! output. Without a trace, a device does no tracing work.
//!
//! * `filter`: directives in the syntax of RUST_LOG
//! * `level`: levels of events
//! * `event`: an event as a line, as JSON, and for the page
//! * `output`: destinations of events
//! * `picture`: conversion of texels to viewable pictures
//! * `page`: parts of self-contained HTML pages

mod event;
mod filter;
mod level;
mod output;
pub mod page;
mod picture;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use quadrille_jit::env;
use quadrille_jit::process::PerProcess;

pub(crate) use event::{Event, words};
pub use filter::{TARGETS, TraceFilter};
pub use level::Level;
use output::Output;
pub(crate) use picture::Shot;
pub(crate) use quadrille_check::flags::{accesses, layout, stages};

use crate::error::{Error, Result};

/// Format of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceFormat {
    /// Text for people.
    #[default]
    Text,
    /// A JSON object per line.
    Json,
}

/// Times at which pictures of render targets are taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TracePictures {
    /// At the end of each render pass or dynamic rendering.
    #[default]
    Pass,
    /// Also after each draw and clear.
    Draw,
}

/// Destination of lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TraceLines {
    /// To the standard error stream.
    #[default]
    StandardError,
    /// To a file.
    File(PathBuf),
    /// Nowhere; only the folder is written.
    Nowhere,
}

/// Contents and destination of a trace.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// Selection of events.
    pub filter: TraceFilter,
    /// Format of lines.
    pub format: TraceFormat,
    /// Destination of lines.
    pub lines: TraceLines,
    /// Folder for pictures, a page `index.html` and the events in JSON, `trace.jsonl`; `None` writes none of these. If
    /// the folder already has a trace, the subfolder `2`, `3`, ... is used.
    pub folder: Option<PathBuf>,
    /// Times at which pictures are taken.
    pub pictures: TracePictures,
    /// Frames to trace. They are numbered from 0; a frame ends when it is presented, or at
    /// [`Device::end_frame`](crate::Device::end_frame).
    pub frames: Range<u64>,
}

impl Default for TraceOptions {
    fn default() -> Self {
        TraceOptions {
            filter: TraceFilter::default(),
            format: TraceFormat::Text,
            lines: TraceLines::default(),
            folder: None,
            pictures: TracePictures::Pass,
            frames: 0..u64::MAX,
        }
    }
}

struct Inner {
    options: TraceOptions,
    started: Instant,
    frame: AtomicU64,
    submits: AtomicU64,
    output: Mutex<Output>,
}

/// Destination of the events of devices: see [`DeviceOptions::trace`](crate::DeviceOptions). Clones share one trace.
#[derive(Clone)]
pub struct Trace(Arc<Inner>);

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Trace").field(&self.0.options).finish()
    }
}

impl Trace {
    /// Opens the output files.
    ///
    /// # Errors
    /// `Invalid` if one cannot be created.
    pub fn new(options: TraceOptions) -> Result<Trace> {
        let output = Output::open(&options)?;
        Ok(Trace(Arc::new(Inner {
            options,
            started: Instant::now(),
            frame: AtomicU64::new(0),
            submits: AtomicU64::new(0),
            output: Mutex::new(output),
        })))
    }

    /// Returns the trace of this process if the environment requests one, with `QUADRILLE_TRACE` and related variables. A
    /// child of a traced process appends its process id to the name of the file.
    pub(crate) fn of_environment() -> Result<Option<Trace>> {
        static TRACE: PerProcess<OnceLock<Result<Option<Trace>>>> = PerProcess::new();
        static TRACED: AtomicBool = AtomicBool::new(false);
        let of_process = |path: PathBuf| {
            let mut name = path.into_os_string();
            if TRACED.swap(true, Ordering::Relaxed) {
                name.push(format!(".{}", std::process::id()));
            }
            TraceLines::File(name.into())
        };
        let open = || {
            let Some(filter) = env::TRACE.get() else { return Ok(None) };
            let of_variable = |e: Error| e.about(&format!("in the environment variable {}", env::TRACE.name));
            let options = TraceOptions {
                filter: filter.parse::<TraceFilter>().map_err(of_variable)?,
                format: if env::trace_json() { TraceFormat::Json } else { TraceFormat::Text },
                lines: env::TRACE_FILE.get().map_or_else(TraceLines::default, of_process),
                folder: env::TRACE_DIR.get(),
                pictures: if env::trace_every_draw() { TracePictures::Draw } else { TracePictures::Pass },
                frames: env::trace_frames().unwrap_or(0..u64::MAX),
            };
            Trace::new(options).map(Some)
        };
        TRACE.get().get_or_init(open).clone()
    }

    /// Folder of the page and the pictures.
    pub fn folder(&self) -> Option<PathBuf> {
        self.lock().folder()
    }

    /// Ends the current frame.
    pub(crate) fn end_frame(&self) {
        self.0.frame.fetch_add(1, Ordering::Relaxed);
    }

    /// Returns the number of the current frame if the options select it.
    pub(crate) fn frame(&self) -> Option<u64> {
        let frame = self.0.frame.load(Ordering::Relaxed);
        self.0.options.frames.contains(&frame).then_some(frame)
    }

    /// Returns the next submission number, starting at 1.
    pub(crate) fn next_submit(&self) -> u64 {
        self.0.submits.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// True if events of this target and level are enabled.
    pub(crate) fn tells(&self, target: &str, level: Level) -> bool {
        self.0.options.filter.enabled(target, level)
    }

    /// Returns when pictures are taken; `None` if never.
    pub(crate) fn pictures(&self) -> Option<TracePictures> {
        self.0.options.folder.as_ref().map(|_| self.0.options.pictures)
    }

    /// Writes an event if the filter selects it.
    pub(crate) fn tell(&self, mut event: Event) {
        if !self.tells(event.target, event.level) {
            return;
        }
        if !self.tells(event.target, Level::Debug) {
            event.details.clear();
        }
        event.seconds = self.0.started.elapsed().as_secs_f64();
        self.lock().write(&event);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Output> {
        self.0.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Creates an `Invalid` error about a file.
fn file_error(what: &str, path: &std::path::Path, error: &std::io::Error) -> Error {
    Error::invalid(format!("the trace cannot {what} {}: {}", path.display(), crate::files::reason(error)))
}

//! Traces: what command buffers did, told while they run.
//!
//! A [`Trace`] is where a device tells it: lines of text or JSON, and a folder with a page and with pictures of what was
//! drawn to. What there is to tell of each command is the business of `command`; here are the choice of what is
//! told ([`TraceFilter`]), the events and where they go. A device that is not traced does none of this.
//!
//! * `filter`: directives, in the manner of RUST_LOG
//! * `flags`: words for the numbers of barriers
//! * `event`: what is told, as a line, as JSON, and for the page
//! * `output`: where it goes
//! * `picture`: texels to pictures that can be looked at

mod event;
mod filter;
mod flags;
mod output;
mod picture;

use std::ops::Range;
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Instant;

use quadrille_jit::env;
pub use tracing::Level;

pub(crate) use event::{Event, words};
pub use filter::{TARGETS, TraceFilter};
pub(crate) use flags::layout;
use output::Output;
pub(crate) use picture::Shot;
pub(crate) use quadrille_check::flags::{accesses, stages};

use crate::error::{Error, Result};

/// The form of lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TraceFormat {
    /// For people.
    #[default]
    Text,
    /// An object of JSON in each line.
    Json,
}

/// When pictures are taken of what is drawn to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum TracePictures {
    /// At the end of each render pass (dynamic rendering: at its end).
    #[default]
    Pass,
    /// After each draw and clear, too.
    Draw,
}

/// Where lines go.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum TraceLines {
    /// To the standard error stream.
    #[default]
    StandardError,
    /// To a file.
    File(PathBuf),
    /// Nowhere: a folder is enough.
    Nowhere,
}

/// What is traced, and where it goes.
#[derive(Clone, Debug)]
pub struct TraceOptions {
    /// What is told.
    pub filter: TraceFilter,
    /// How lines look.
    pub format: TraceFormat,
    /// Where lines go.
    pub lines: TraceLines,
    /// Where pictures go, a page `index.html` and the same in JSON, `trace.jsonl`; `None`: there are none. Where the
    /// folder has a trace already, the folders `2`, `3`, ... in it are taken.
    pub folder: Option<PathBuf>,
    /// When pictures are taken.
    pub pictures: TracePictures,
    /// Frames that are told of. They are numbered from 0, and end where they are presented, or where
    /// [`Device::end_frame`](crate::Device::end_frame) says.
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

/// Where devices tell what their command buffers do: see [`DeviceOptions::trace`](crate::DeviceOptions). Clones are the
/// same trace.
#[derive(Clone)]
pub struct Trace(Arc<Inner>);

impl std::fmt::Debug for Trace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Trace").field(&self.0.options).finish()
    }
}

impl Trace {
    /// Opens the files. `Invalid` when one cannot be made.
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

    /// The trace of this process that the environment asks for, if it does: `QUADRILLE_TRACE` and its kin.
    pub(crate) fn of_environment() -> Result<Option<Trace>> {
        static TRACE: OnceLock<Result<Option<Trace>>> = OnceLock::new();
        let open = || {
            let Some(filter) = env::TRACE.get() else { return Ok(None) };
            let options = TraceOptions {
                filter: filter.parse()?,
                format: if env::trace_json() { TraceFormat::Json } else { TraceFormat::Text },
                lines: env::TRACE_FILE.get().map_or_else(TraceLines::default, |f| TraceLines::File(f.into())),
                folder: env::TRACE_DIR.get().map(PathBuf::from),
                pictures: if env::trace_every_draw() { TracePictures::Draw } else { TracePictures::Pass },
                frames: env::trace_frames().unwrap_or(0..u64::MAX),
            };
            Trace::new(options).map(Some)
        };
        TRACE.get_or_init(open).clone()
    }

    /// Where the page and the pictures are.
    pub fn folder(&self) -> Option<PathBuf> {
        self.lock().folder()
    }

    /// A frame ends.
    pub(crate) fn end_frame(&self) {
        self.0.frame.fetch_add(1, Ordering::Relaxed);
    }

    /// The frame that is being made, if it is one to tell of.
    pub(crate) fn frame(&self) -> Option<u64> {
        let frame = self.0.frame.load(Ordering::Relaxed);
        self.0.options.frames.contains(&frame).then_some(frame)
    }

    /// A number for a submission, from 1 on.
    pub(crate) fn next_submit(&self) -> u64 {
        self.0.submits.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Whether events of a target are told.
    pub(crate) fn tells(&self, target: &str, level: Level) -> bool {
        self.0.options.filter.enabled(target, level)
    }

    /// Whether pictures are taken, and after each draw.
    pub(crate) fn pictures(&self) -> Option<TracePictures> {
        self.0.options.folder.as_ref().map(|_| self.0.options.pictures)
    }

    /// Tells an event, unless the filter leaves it out.
    pub(crate) fn tell(&self, mut event: Event) {
        if !self.tells(event.target, event.level) {
            return;
        }
        if !self.tells(event.target, Level::DEBUG) {
            event.details.clear();
        }
        event.seconds = self.0.started.elapsed().as_secs_f64();
        self.lock().write(&event);
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Output> {
        self.0.output.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// `Invalid`, about a file.
fn file_error(what: &str, path: &std::path::Path, error: &std::io::Error) -> Error {
    Error::invalid(format!("the trace cannot {what} {}: {error}", path.display()))
}

//! Checked execution: a [`Checker`] looks for mistakes that GPUs do not report while shaders run.
//!
//! ```
//! use std::sync::Arc;
//! use quadrille::check::{self, Session};
//! use quadrille::{Device, DeviceOptions, ShaderTest};
//! # fn main() -> quadrille::Result<()> {
//! let session = Arc::new(Session::default());
//! let device = Device::new(DeviceOptions { watch: Some(check::watching(&session)), ..Default::default() })?;
//! let source = "
//!     @group(0) @binding(0) var<storage, read_write> a: array<u32>;
//!     @compute @workgroup_size(4)
//!     fn main(@builtin(local_invocation_index) i: u32) { a[0] = i; }";
//! ShaderTest::wgsl(source)?.on(&device).bind_zeros::<u32>(0, 0, 1).dispatch([1, 1, 1])?;
//! assert_eq!(session.reports.found()[0].kind, check::Kind::RaceBuffer);
//! # Ok(())
//! # }
//! ```
//!
//! With `QUADRILLE_CHECK=1`, devices with default options are checked. Reports are printed to standard error when the
//! commands of a submission have run, or when a wait for them times out, after which the program may give up; a device
//! can also pass them to a [`ReportSink`]. With `QUADRILLE_CHECK=fail` a
//! submission with reports also fails, and so does a program or test that checks its results.

use std::collections::BTreeSet;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use quadrille_check::text;
pub use quadrille_check::{
    Checker, Frame, Invocation, Kind, Level, Levels, Other, Report, Reports, Session, Sources, allow,
    declared, text as words,
};
#[cfg(feature = "json")]
pub use quadrille_check::{json, sarif};
use quadrille_jit::process::PerProcess;
use quadrille_jit::{env, printf, terminal};

use super::watching::Watching;
use crate::error::{Error, Result};

/// Returns the watcher that checks the shaders of a device: see [`DeviceOptions::watch`](crate::DeviceOptions).
pub fn watching(session: &Arc<Session>) -> Watching {
    Watching::listening(Arc::new(Checker::new(session.clone())))
}

/// Session that all devices with default options report to.
struct OfEnvironment {
    session: Arc<Session>,
    /// Keys of the reports printed so far.
    printed: Mutex<BTreeSet<String>>,
    /// Number of printed mistakes since the end of the last submission.
    bad: AtomicUsize,
    /// True once it has been printed that there are more mistakes than are kept.
    full: AtomicBool,
}

/// Waits that are shorter poll: their program goes on waiting when they time out.
const POLLS: Duration = Duration::from_secs(1);

fn made_by_environment() -> Option<&'static OfEnvironment> {
    static MADE: PerProcess<OnceLock<Option<OfEnvironment>>> = PerProcess::new();
    let make = || OfEnvironment {
        session: Arc::default(),
        printed: Mutex::default(),
        bad: AtomicUsize::new(0),
        full: AtomicBool::new(false),
    };
    MADE.get().get_or_init(|| env::checks_shaders().then(make)).as_ref()
}

/// Returns the session of devices with default options. `None` unless the environment requests checks
/// (`QUADRILLE_CHECK`).
pub fn of_environment() -> Option<&'static Arc<Session>> {
    made_by_environment().map(|made| &made.session)
}

/// Returns the watcher for devices with default options.
pub(crate) fn default_watch() -> Option<Watching> {
    of_environment().map(watching)
}

/// Receives each report and its text: see [`DeviceOptions::report_sink`](crate::DeviceOptions).
#[derive(Clone)]
pub struct ReportSink(pub Arc<dyn Fn(&Report, &str) + Send + Sync>);

impl std::fmt::Debug for ReportSink {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("ReportSink")
    }
}

/// Prints the reports that have not been printed yet, at the end of a submission. Fails if there were mistakes since the
/// end of the last one and `QUADRILLE_CHECK=fail` is set.
pub(crate) fn print(sink: Option<&printf::Sink>, reports: Option<&ReportSink>) -> Result<()> {
    let Some(all) = made_by_environment() else { return Ok(()) };
    all.tell(sink, reports);
    match all.bad.swap(0, Ordering::AcqRel) {
        bad if bad > 0 && env::checks_fail() => {
            let mistakes = if bad == 1 { "1 mistake" } else { &format!("{bad} mistakes") };
            Err(Error::ChecksFailed(format!("checks found {mistakes}, and QUADRILLE_CHECK is `fail`")))
        }
        _ => Ok(()),
    }
}

/// Prints the reports of submissions that still run after a wait of this time, whose program may give up.
pub(crate) fn print_after_wait(
    timeout: Option<Duration>,
    sink: Option<&printf::Sink>,
    reports: Option<&ReportSink>,
) {
    if let Some(all) = made_by_environment().filter(|_| timeout.is_some_and(|timeout| timeout >= POLLS)) {
        all.tell(sink, reports);
    }
}

impl OfEnvironment {
    fn tell(&self, sink: Option<&printf::Sink>, reports: Option<&ReportSink>) {
        // The lock is released before the callbacks run, because a callback may submit more commands.
        let news = {
            let mut printed = self.printed.lock().unwrap_or_else(PoisonError::into_inner);
            let mut news = self.session.reports.found();
            news.retain(|r| {
                printed.insert(format!("{} {} {:?} {:?}", r.kind, r.at, r.variable, r.others.first()))
            });
            news
        };
        self.bad.fetch_add(news.iter().filter(|r| r.level > Level::Note).count(), Ordering::AcqRel);
        for report in news {
            let text = text::report(&report, &Sources::default());
            terminal::to_stderr(format_args!("{text}"));
            if let Some(sink) = sink {
                sink(&text);
            }
            if let Some(ReportSink(receive)) = reports {
                receive(&report, &text);
            }
        }
        if self.session.reports.left_out() && !self.full.swap(true, Ordering::AcqRel) {
            terminal::to_stderr(format_args!("checks: there are more mistakes than are kept and shown"));
        }
    }
}

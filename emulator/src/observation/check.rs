//! Checked execution: [`quadrille_check`] looks for mistakes that GPUs do not report while shaders run.
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
//! commands of a submission have run; a program can receive them with [`listen`]. With `QUADRILLE_CHECK=fail` a
//! submission with reports also fails, and so does a program or test that checks its results.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use quadrille_check::text;
pub use quadrille_check::{
    Checker, Frame, Invocation, Kind, Level, Levels, Other, Report, Reports, Session, Sources, allow,
    declared, json, sarif, text as words,
};
use quadrille_jit::{env, printf, terminal};

use super::watching::Watching;
use crate::error::{Error, Result};

/// Returns the watcher that checks the shaders of a device: see [`DeviceOptions::watch`](crate::DeviceOptions).
pub fn watching(session: &Arc<Session>) -> Watching {
    Watching::listening(Arc::new(Checker::new(session.clone())))
}

/// Session that all devices with default options report to.
struct OfProcess {
    session: Arc<Session>,
    /// Keys of the reports printed so far; `None` disables printing.
    printed: Option<Mutex<BTreeSet<String>>>,
}

static OF_PROCESS: OnceLock<Option<OfProcess>> = OnceLock::new();

/// Receives each report and its text.
pub type Listener = dyn Fn(&Report, &str) + Send + Sync;

static LISTENER: OnceLock<Box<Listener>> = OnceLock::new();

/// With `QUADRILLE_CHECK=1`, also passes each report to `listener` when the commands of a submission have run. Returns
/// `false` if a listener is set already.
pub fn listen(listener: Box<Listener>) -> bool {
    LISTENER.set(listener).is_ok()
}

/// Checks all devices with default options from now on and reports to `session`, for programs that check foreign code.
/// Returns `false` if a device with default options was made earlier.
pub fn check_all(session: Arc<Session>) -> bool {
    OF_PROCESS.set(Some(OfProcess { session, printed: None })).is_ok()
}

fn of_process() -> Option<&'static OfProcess> {
    let by_environment = || {
        env::checks_shaders().then(|| OfProcess { session: Arc::default(), printed: Some(Mutex::default()) })
    };
    OF_PROCESS.get_or_init(by_environment).as_ref()
}

/// Returns the watcher for devices with default options.
pub(crate) fn default_watch() -> Option<Watching> {
    of_process().map(|all| watching(&all.session))
}

/// Prints the reports that have not been printed yet. Fails if there are any and `QUADRILLE_CHECK=fail` is set.
pub(crate) fn print(sink: Option<&printf::Sink>) -> Result<()> {
    let Some(all) = OF_PROCESS.get().and_then(Option::as_ref) else { return Ok(()) };
    let Some(printed) = &all.printed else { return Ok(()) };
    // The lock is released before the callbacks run, because a callback may submit more commands.
    let news = {
        let mut printed = printed.lock().unwrap_or_else(PoisonError::into_inner);
        let mut news = all.session.reports.found();
        news.retain(|r| {
            printed.insert(format!("{} {} {:?} {:?}", r.kind, r.at, r.variable, r.others.first()))
        });
        news
    };
    let bad = news.iter().filter(|r| r.level > Level::Note).count();
    for report in news {
        let text = text::report(&report, &Sources::default());
        terminal::to_stderr(format_args!("{text}"));
        if let Some(sink) = sink {
            sink(&text);
        }
        if let Some(listener) = LISTENER.get() {
            listener(&report, &text);
        }
    }
    match bad > 0 && env::checks_fail() {
        true => {
            Err(Error::DeviceLost(format!("checks have found {bad} mistakes, and QUADRILLE_CHECK is `fail`")))
        }
        false => Ok(()),
    }
}

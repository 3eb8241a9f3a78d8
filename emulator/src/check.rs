//! Checked execution: what no GPU tells about shaders is looked for while they run, by [`quadrille_check`].
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
//! With `QUADRILLE_CHECK=1` devices of default options are checked, and what is found is printed to standard error
//! when the commands of a submission have run; a program may listen to it: [`listen`]. With `QUADRILLE_CHECK=fail` that
//! submission fails, and with it a program or a test that looks at its results.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use quadrille_check::text;
pub use quadrille_check::{
    Checker, Frame, Invocation, Kind, Level, Levels, Other, Report, Reports, Session, Sources, allow,
    declared, json, sarif, text as words,
};
use quadrille_jit::{env, printf, terminal};

use crate::error::{Error, Result};
use crate::watching::Watching;

/// The watcher that makes the shaders of a device be checked: see [`DeviceOptions::watch`](crate::DeviceOptions).
pub fn watching(session: &Arc<Session>) -> Watching {
    Watching(Arc::new(Checker::new(session.clone())))
}

/// What all devices of default options report to.
struct OfProcess {
    session: Arc<Session>,
    /// What has been printed; `None`: nothing is.
    printed: Option<Mutex<BTreeSet<String>>>,
}

static OF_PROCESS: OnceLock<Option<OfProcess>> = OnceLock::new();

/// Is told of each report with its text.
pub type Listener = dyn Fn(&Report, &str) + Send + Sync;

static LISTENER: OnceLock<Box<Listener>> = OnceLock::new();

/// With `QUADRILLE_CHECK=1`, tells somebody else of each report too, when the commands of a submission have run. False
/// if somebody listens already.
pub fn listen(listener: Box<Listener>) -> bool {
    LISTENER.set(listener).is_ok()
}

/// Devices of default options are checked from now on, and report to this session: for programs that check what
/// others wrote. False, if there has been one of default options before.
pub fn check_all(session: Arc<Session>) -> bool {
    OF_PROCESS.set(Some(OfProcess { session, printed: None })).is_ok()
}

fn of_process() -> Option<&'static OfProcess> {
    let by_environment = || {
        env::checks_shaders().then(|| OfProcess { session: Arc::default(), printed: Some(Mutex::default()) })
    };
    OF_PROCESS.get_or_init(by_environment).as_ref()
}

/// The watcher of devices of default options.
pub(crate) fn default_watch() -> Option<Watching> {
    of_process().map(|all| watching(&all.session))
}

/// Prints what has been found and not been printed yet; an error if that is to fail.
pub(crate) fn print(sink: Option<&printf::Sink>) -> Result<()> {
    let Some(all) = OF_PROCESS.get().and_then(Option::as_ref) else { return Ok(()) };
    let Some(printed) = &all.printed else { return Ok(()) };
    // Whoever is told may submit more commands: that is done without the lock.
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
        true => Err(Error::DeviceLost(format!("checks have found {bad} mistakes, and are to fail"))),
        false => Ok(()),
    }
}

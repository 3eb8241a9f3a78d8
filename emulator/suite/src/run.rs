//! Runs tests on all processors, and reports the results.
//!
//! Each worker has its own device, so that tests do not affect each other; a lost device is replaced. The device stops
//! a command that exceeds the timeout. A test that still does not end (by running one command after another) is
//! abandoned together with its thread. Reports are in the order of the tests, whichever ends first.

use std::collections::{HashMap, VecDeque};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use quadrille::{Device, DeviceOptions, Error, Prints, Watching};

use crate::endless;
use crate::find::{Body, Test};
use crate::foreign::Compiler;
use crate::journal::{Hashes, Journal};
use crate::native;
use crate::outcome::{Counts, Failure, Outcome, Report};
use crate::picture::Keep;
use crate::script;

/// Options of a run.
#[derive(Debug)]
pub struct Options {
    /// Number of tests to run at a time; 0 for one per processor.
    pub jobs: usize,
    /// CPU time limit of a command, unless the test sets one. A test also fails if it has not ended after [`PATIENCE`]
    /// times this limit in wall-clock time.
    pub timeout: Duration,
    /// Overrides the wall-clock time after which tests are abandoned.
    pub patience: Option<Duration>,
    /// If true, no test starts after one has failed.
    pub fail_fast: bool,
    /// True to write goldens instead of comparing.
    pub bless: bool,
    /// Folder for differing pictures.
    pub artifacts: PathBuf,
    /// The journal of earlier runs.
    pub journal: Option<Journal>,
    /// Makes the watcher of the shaders of each device, instead of that of the environment.
    pub watch: Option<MakeWatching>,
    /// Compiles sources in languages that the library has no front end for.
    pub compiler: Option<Compiler>,
}

/// Makes the watcher of a device.
#[derive(Clone)]
pub struct MakeWatching(pub Arc<dyn Fn() -> Watching + Send + Sync>);

impl std::fmt::Debug for MakeWatching {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("MakeWatching")
    }
}

impl Default for Options {
    fn default() -> Self {
        Options {
            jobs: 0,
            timeout: Duration::from_secs(10),
            patience: None,
            fail_fast: false,
            bless: quadrille::env::bless(),
            artifacts: "quadrille-test".into(),
            journal: None,
            watch: None,
            compiler: None,
        }
    }
}

/// Wall-clock time limit of a whole test, in multiples of the timeout.
pub const PATIENCE: u32 = 6;
/// Interval at which reports are collected from the workers: waking the reader for each one would cost more than a
/// small test.
const PERIOD: Duration = Duration::from_millis(10);

/// State shared between the workers and the reporting thread.
struct Shared {
    tests: Vec<Test>,
    timeout: Duration,
    patience: Option<Duration>,
    threads: usize,
    watch: Option<MakeWatching>,
    compiler: Option<Compiler>,
    fail_fast: bool,
    bless: bool,
    artifacts: PathBuf,
    hashes: Hashes,
    keeps_files: bool,
    /// Indices of the tests that are not in the journal; `next` is the position of the next one.
    to_run: Vec<usize>,
    next: AtomicUsize,
    stop: AtomicBool,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    done: VecDeque<(usize, Report)>,
    /// Running workers, each with its test and start time.
    workers: Vec<Option<Running>>,
    alive: usize,
    /// Outcomes of tests of which only the endless loop is still searched.
    known: HashMap<usize, Outcome>,
}

#[derive(Clone, Copy)]
struct Running {
    test: usize,
    since: Instant,
    patience: Duration,
}

fn lock(shared: &Shared) -> MutexGuard<'_, State> {
    shared.state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Runs tests; calls `each` with their reports in the order of `tests`.
pub fn run(tests: Vec<Test>, options: Options, mut each: impl FnMut(&Report)) -> Counts {
    let start = Instant::now();
    let processors = thread::available_parallelism().map_or(1, |n| n.get());
    let jobs = if options.jobs == 0 { processors } else { options.jobs }.clamp(1, tests.len().max(1));
    let hashes = Hashes::default();
    let mut journal = options.journal;
    let mut reports: Vec<Option<Report>> = tests
        .iter()
        .map(|test| journal.as_ref().and_then(|journal| journal.earlier(&test.name, &hashes)))
        // With `bless`, all tests run again.
        .map(|earlier| earlier.filter(|_| !options.bless))
        .collect();
    let to_run = (0..tests.len()).filter(|i| reports[*i].is_none()).collect();
    let shared = Arc::new(Shared {
        tests,
        timeout: options.timeout,
        patience: options.patience,
        threads: processors.div_ceil(jobs),
        watch: options.watch,
        compiler: options.compiler,
        fail_fast: options.fail_fast,
        bless: options.bless,
        artifacts: options.artifacts,
        hashes,
        keeps_files: journal.is_some(),
        to_run,
        next: AtomicUsize::new(0),
        stop: AtomicBool::new(false),
        state: Mutex::default(),
        changed: Condvar::new(),
    });
    (0..jobs).for_each(|_| hire(&shared));
    let mut counts = Counts::default();
    let mut told = 0;
    loop {
        let (done, alive) = wait(&shared);
        for (i, report) in done {
            if let Some(journal) = &mut journal {
                // If the journal cannot be written, the run cannot be resumed, but its results are valid.
                let _ = journal.add(&report);
            }
            reports[i].get_or_insert(report);
        }
        while let Some(report) = reports.get(told).and_then(Option::as_ref) {
            counts.add(report);
            each(report);
            told += 1;
        }
        if alive == 0 {
            break;
        }
    }
    // After the first failure, reports in between may be missing.
    for report in reports.iter().skip(told).flatten() {
        counts.add(report);
        each(report);
    }
    counts.left = shared.tests.len() - counts.all();
    counts.seconds = start.elapsed().as_secs_f64();
    counts
}

/// The reports since the last call, and the number of workers; workers that take too long are abandoned.
fn wait(shared: &Arc<Shared>) -> (VecDeque<(usize, Report)>, usize) {
    let mut state = lock(shared);
    if state.alive > 0 {
        state = shared.changed.wait_timeout(state, PERIOD).unwrap_or_else(PoisonError::into_inner).0;
    }
    let overdue: Vec<(usize, Running)> = state
        .workers
        .iter()
        .enumerate()
        .filter_map(|(n, running)| Some((n, (*running)?)))
        .filter(|(_, running)| running.since.elapsed() > running.patience)
        .collect();
    for (n, running) in &overdue {
        let test = &shared.tests[running.test];
        let seconds = running.since.elapsed().as_secs_f64();
        let message = format!("the test had not ended after {seconds:.1} s and was abandoned");
        state.workers[*n] = None;
        state.alive -= 1;
        let abandoned = || Outcome::failed(Failure::new(message, None));
        let outcome = state.known.remove(&running.test).unwrap_or_else(abandoned);
        state.done.push_back((running.test, report(test, outcome, seconds, Vec::new(), Vec::new())));
        if shared.fail_fast {
            shared.stop.store(true, Ordering::Relaxed);
        }
    }
    // Taken under one lock, so a worker that has ended since then has left a report.
    let (done, alive) = (std::mem::take(&mut state.done), state.alive);
    drop(state);
    overdue.iter().for_each(|_| hire(shared));
    (done, alive + overdue.len())
}

/// Starts a worker.
fn hire(shared: &Arc<Shared>) {
    let number = {
        let mut state = lock(shared);
        state.workers.push(None);
        state.alive += 1;
        state.workers.len() - 1
    };
    let of_thread = shared.clone();
    let name = format!("test-{number}");
    let started = thread::Builder::new().name(name).spawn(move || work(&of_thread, number));
    if started.is_err() {
        // The tests run anyway, one after another on this thread.
        work(shared, number);
    }
}

fn work(shared: &Shared, number: usize) {
    let mut devices = Devices { threads: shared.threads, watch: shared.watch.clone(), list: Vec::new() };
    while !shared.stop.load(Ordering::Relaxed)
        && let Some(&i) = shared.to_run.get(shared.next.fetch_add(1, Ordering::Relaxed))
    {
        let test = &shared.tests[i];
        let timeout = match &test.body {
            Body::Native(suite, n) => native::timeout(suite, *n),
            _ => None,
        };
        // Limits are capped at almost a year, which acts as no limit.
        let timeout = timeout.map_or(shared.timeout, |s| Duration::from_secs_f64(s.min(3e7)));
        let since = Instant::now();
        let patience = shared.patience.unwrap_or(timeout.saturating_mul(PATIENCE));
        lock(shared).workers[number] = Some(Running { test: i, since, patience });
        let guarded = catch_unwind(AssertUnwindSafe(|| {
            let mut done = run_one(shared, test, timeout, &mut devices);
            if let Some(again) = devices.after_endless(shared, timeout) {
                // The search has as much time as the test.
                let mut state = lock(shared);
                if let Some(running) = &mut state.workers[number] {
                    running.since = Instant::now();
                }
                state.known.insert(i, done.0.clone());
                drop(state);
                endless::show(&mut done.0, again, |device| drop(run_on(shared, test, timeout, device)));
            }
            done
        }));
        let (outcome, printed, files) = guarded.unwrap_or_else(|payload| {
            let e = quadrille::error::caught("the test", payload);
            (Outcome::failed(Failure::of_error(&e, None)), Vec::new(), Vec::new())
        });
        let report = report(test, outcome, since.elapsed().as_secs_f64(), printed, made_of(shared, files));
        let mut state = lock(shared);
        if state.workers[number].take().is_none() {
            // This worker was abandoned, and another one has replaced it.
            return;
        }
        if shared.fail_fast && matches!(report.outcome, Outcome::Failed { .. }) {
            shared.stop.store(true, Ordering::Relaxed);
        }
        state.done.push_back((i, report));
    }
    lock(shared).alive -= 1;
    shared.changed.notify_all();
}

fn report(
    test: &Test,
    outcome: Outcome,
    seconds: f64,
    printed: Vec<String>,
    made_of: Vec<(String, Option<u64>)>,
) -> Report {
    let (name, file) = (test.name.clone(), test.file.to_string());
    Report { name, file, outcome, seconds, printed, resumed: false, made_of }
}

/// Files with the hashes of their contents, for the journal.
fn made_of(shared: &Shared, files: Vec<String>) -> Vec<(String, Option<u64>)> {
    if !shared.keeps_files {
        return Vec::new();
    }
    let mut all: Vec<(String, Option<u64>)> = files
        .into_iter()
        .map(|file| (shared.hashes.of(&file), file))
        .map(|(hash, file)| (file, hash))
        .collect();
    all.sort();
    all.dedup();
    all
}

fn run_one(
    shared: &Shared,
    test: &Test,
    timeout: Duration,
    devices: &mut Devices,
) -> (Outcome, Vec<String>, Vec<String>) {
    let failed = |failure: Failure| (Outcome::failed(failure), Vec::new(), vec![test.file.to_string()]);
    if let Body::Broken(failure) = &test.body {
        return failed((**failure).clone());
    }
    match devices.with(timeout) {
        Ok(device) => run_on(shared, test, timeout, &device),
        Err(e) => failed(Failure::of_error(&e, None)),
    }
}

/// Runs a test on a device. The outcome, what shaders printed, and files.
fn run_on(
    shared: &Shared,
    test: &Test,
    timeout: Duration,
    device: &Device,
) -> (Outcome, Vec<String>, Vec<String>) {
    match &test.body {
        Body::Native(suite, i) => {
            let keep = Keep { folder: &shared.artifacts, test: &test.name, bless: shared.bless };
            let done = native::run(suite, *i, device, shared.compiler.as_ref(), &keep);
            (done.outcome, done.printed, done.files)
        }
        _ => {
            let prints = Prints::collect(device, false);
            let mut files = vec![test.file.to_string()];
            let outcome = script::run(&test.file, device, timeout.saturating_mul(PATIENCE - 1), &mut files);
            let printed = prints.map_or_else(Vec::new, |p| p.lines());
            (outcome, printed, files)
        }
    }
}

/// The devices of a worker, by their time budgets.
struct Devices {
    threads: usize,
    watch: Option<MakeWatching>,
    list: Vec<(Duration, Device)>,
}

impl Devices {
    fn with(&mut self, budget: Duration) -> quadrille::Result<Device> {
        self.list.retain(|(_, device)| device.check_lost().is_ok());
        if let Some((_, device)) = self.list.iter().find(|(known, _)| *known == budget) {
            return Ok(device.clone());
        }
        let device = self.made(budget, self.watch.as_ref().map(|make| make.0()))?;
        self.list.push((budget, device.clone()));
        Ok(device)
    }

    /// A search for an endless loop, if the last test exceeded its budget. Watched shaders are reported by their watcher, and
    /// a test that writes goldens runs only once.
    fn after_endless(&self, shared: &Shared, budget: Duration) -> Option<endless::Search> {
        let lost = |device: &Device| matches!(device.check_lost(), Err(Error::DeviceLost(_)));
        let is_endless = self.list.iter().any(|(of, device)| *of == budget && lost(device));
        if !is_endless || self.watch.is_some() || shared.bless {
            return None;
        }
        endless::Search::new(|watch| self.made(budget.min(endless::BUDGET), Some(watch)))
    }

    /// Makes a device.
    fn made(&self, budget: Duration, watch: Option<Watching>) -> quadrille::Result<Device> {
        let mut defaults = DeviceOptions::default();
        let threads = if defaults.threads == 0 { self.threads } else { defaults.threads };
        let watch = watch.or(defaults.watch.take());
        Device::new(DeviceOptions {
            threads,
            budget,
            budget_set_by: "`timeout` of the test, or --timeout",
            compile_budget: budget,
            watch,
            ..defaults
        })
    }
}

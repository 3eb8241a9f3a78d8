//! The device: its options, its limits, and the shared parts that its objects use. The calls that create objects are in
//! `create`.
//!
//! Making a device takes microseconds: nothing is compiled, and no thread starts before there is work for it. The one
//! exception is the watchdog, which the first device of a process with a budget starts for all devices.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use once_cell::race::OnceBox;
use quadrille_check::events;
use quadrille_jit::CpuLevel;
use quadrille_jit::env::{self, Opt};
use quadrille_jit::missing::MissingPages;
use quadrille_jit::printf;
use quadrille_jit::reserve::Room;
use quadrille_jit::terminal;
use quadrille_raster::{Budget, DrawKernels, KernelInfo, Pool, Tables, start_watchdog, threads_for};
use quadrille_rays::Threads;

use crate::error::{Error, Result, ensure};
use crate::execution::executor::Executor;
use crate::execution::running::Running;
use crate::execution::signal::{InTurn, Signal, Turn, in_sink};
use crate::limits::{FEATURES, Features, LIMITS, Limits, at_most};
use crate::memory::aliases::Aliases;
use crate::memory::{Heap, Memory};
use crate::object::names::Names;
use crate::object::objects;
use crate::observation::check::{self, ReportSink};
use crate::observation::coverage;
use crate::observation::watching::{Sampling, Watching};
use crate::shader::Shaders;
use crate::sys::BorrowedFd;
use crate::tables::address::Addresses;
use crate::tables::handles::Handles;
use crate::tables::images::Images;
use crate::tables::structures::Structures;
use crate::trace::Trace;

/// Order in which atomics whose results are used take effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The same order in every run: such work runs workgroup by workgroup, in ascending order.
    #[default]
    Strict,
    /// Any order: such work runs in parallel.
    Relaxed,
}

/// Options of a device. Variables of the environment ([`quadrille::env`](crate::env)) replace the defaults that name
/// them.
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// Number of threads that share work, including the caller's; at most eight per processor are used. Default: 0,
    /// which means one per processor (`QUADRILLE_THREADS`).
    pub threads: usize,
    /// Subgroup size of pipelines that do not request one: 4, 8, 16 or 32. Default: 8 (`QUADRILLE_LANES`).
    pub lanes: u32,
    /// Size of device memory, in bytes. Default: 0, three quarters of the host's memory (`QUADRILLE_HEAP`).
    pub heap_bytes: u64,
    /// CPU time of one dispatch, draw or other command before the device is lost; zero means no limit. Draws of one
    /// pass that run together count as one. The CPU time is that of the busiest thread, so it never exceeds the elapsed
    /// time. Default: 60 seconds (`QUADRILLE_BUDGET`).
    pub budget: Duration,
    /// Setting that changes the budget. The error of a shader that exceeds its budget names it.
    pub budget_set_by: &'static str,
    /// CPU time of compiling one shader, in either tier, before the shader is refused; zero means no limit. Default: 60
    /// seconds (`QUADRILLE_COMPILE_BUDGET`).
    pub compile_budget: Duration,
    /// Order of atomics whose results are used. Default: [`Order::Strict`] (`QUADRILLE_ORDER`).
    pub order: Order,
    /// Runs shaders in the reference interpreter. Default: `false` (`QUADRILLE_INTERP`).
    pub interp: bool,
    /// Keeps the bounds checks that were proved redundant, and fails (`Internal`) where a proof was wrong. Default:
    /// `false` (`QUADRILLE_PROOFS`).
    pub check_proofs: bool,
    /// Shaders skip stores to unbound pages of sparse buffers. If `false`, such stores remain visible to later loads.
    pub sparse_buffers: bool,
    /// A descriptor covers all bytes of its range, for shaders with 64-bit indexing; otherwise at most
    /// `max_storage_buffer_range` bytes. Offsets of other shaders wrap 32 bits, and would access other bytes of a longer range.
    pub long_ranges: bool,
    /// Greatest number of resources that handles can name at the same time: [`LIMITS`]`.max_handles`, or less. A buffer is one
    /// resource, however many of its ranges are described, and a view is one, too.
    pub max_handles: u32,
    /// Greatest number of different [`Sampler`](crate::Sampler)s: [`LIMITS`]`.max_combined_sampler_states`, or less. Half of
    /// them may be [`KeptSampler`](crate::KeptSampler)s, which have other numbers, too.
    pub max_sampler_states: u32,
    /// Clamps depth to the range from 0 to 1, in pipelines that do not request it too: element 0 for fixed-point depth
    /// formats, element 1 for float depth formats. Default: both `false`.
    pub depth_zero_one: [bool; 2],
    /// Vertex inputs may have no attribute, so that checks do not report them. Default: `false`.
    pub absent_attributes: bool,
    /// Time at which shaders are optimized. Default: [`Opt::Auto`] (`QUADRILLE_OPT`).
    pub opt: Opt,
    /// Host instruction set level. Default: the level of the host, which `QUADRILLE_CPU` can only lower.
    pub cpu: CpuLevel,
    /// Reports to the watcher that only barriers order the commands of a command buffer, as in Vulkan. The commands
    /// still run in order.
    pub explicit_order: bool,
    /// The bytes of a bottom level list the device addresses of its micromaps, in a block behind the header. Spec: Vulkan,
    /// vkCmdCopyAccelerationStructureToMemoryKHR with VK_KHR_opacity_micromap. If `false`, they list no addresses; bytes of
    /// either kind are read.
    pub micromap_blocks: bool,
    /// Watcher of the device's shaders, which then run in the reference interpreter. Default: `None`, unless
    /// `QUADRILLE_CHECK` or `QUADRILLE_COVERAGE` asks for one.
    pub watch: Option<Watching>,
    /// Receives the reports of the checks that the environment requests (`QUADRILLE_CHECK`), in addition to standard
    /// error and the print sink.
    pub report_sink: Option<ReportSink>,
    /// Profiler that receives the source locations of generated code and the times at which the device works.
    pub sampling: Option<Sampling>,
    /// Trace of the commands that command buffers execute. Default: that of the environment (`QUADRILLE_TRACE`), if any.
    pub trace: Option<Trace>,
}

impl Default for DeviceOptions {
    fn default() -> Self {
        DeviceOptions {
            threads: env::threads().unwrap_or(0),
            lanes: env::lanes().unwrap_or(8),
            heap_bytes: env::heap_bytes().unwrap_or(0),
            budget: env::budget().unwrap_or(Duration::from_secs(60)),
            compile_budget: env::compile_budget().unwrap_or(quadrille_jit::budget::DEFAULT),
            order: if env::relaxed_order() { Order::Relaxed } else { Order::Strict },
            budget_set_by: env::BUDGET.name,
            interp: env::interp(),
            check_proofs: env::checks_proofs(),
            sparse_buffers: false,
            long_ranges: false,
            max_handles: LIMITS.max_handles,
            max_sampler_states: LIMITS.max_combined_sampler_states,
            depth_zero_one: [false; 2],
            absent_attributes: false,
            opt: env::opt(),
            cpu: CpuLevel::current(),
            explicit_order: false,
            micromap_blocks: false,
            watch: check::default_watch(),
            report_sink: None,
            sampling: None,
            trace: None,
        }
    }
}

impl DeviceOptions {
    /// Number of threads of a device made with these options.
    pub fn threads_in_use(&self) -> usize {
        threads_for(self.threads)
    }

    /// Size of the memory of a device made with these options, in bytes.
    pub fn heap_size(&self) -> u64 {
        match self.heap_bytes {
            0 => host_memory() / 4 * 3,
            n => n,
        }
    }
}

/// Host memory for the parts of a device, its tables and its first objects, in bytes.
const ROOM: usize = 4 << 20;

pub(crate) struct DeviceInner {
    id: u64,
    options: DeviceOptions,
    heap: Arc<Heap>,
    running: Arc<Running>,
    addresses: Arc<Addresses>,
    /// Acceleration structures by device address.
    structures: Arc<Structures>,
    handles: Arc<Handles>,
    aliases: Arc<Aliases>,
    /// Pages of its sparse buffers that have no memory.
    missing: Arc<MissingPages>,
    pool: Pool,
    one_thread: Pool,
    /// Threads that build acceleration structures, started by the first build.
    builders: OnceLock<Threads>,
    signal: Signal,
    shaders: Shaders,
    images: Images,
    kernels: DrawKernels,
    turn: Turn,
    /// One executor per queue; at least one.
    executors: Box<[Arc<Executor>]>,
    /// Print sink of the device's shaders; `None` uses the print sink of the process.
    prints: RwLock<Option<printf::Sink>>,
    /// Sink that wraps `prints`, or the print sink of the process, while submissions run; made at its first use.
    told: RwLock<Option<printf::Sink>>,
    trace: Option<Trace>,
    names: Names,
    /// `true` when objects are numbered and described: the device is traced, or its watcher checks the order of
    /// commands.
    numbered: bool,
}

impl Drop for DeviceInner {
    fn drop(&mut self) {
        // A child of `fork` has no executor threads to close, and a lock may be held forever.
        if self.signal.check_process().is_ok() {
            self.executors.iter().for_each(|executor| executor.close());
            coverage::flush();
        }
    }
}

/// A GPU in software. Clones are the same device; objects keep it alive.
///
/// ```
/// use quadrille::{Device, DeviceOptions};
/// let device = Device::new(DeviceOptions { threads: 2, ..Default::default() })?;
/// assert_eq!(device.options().threads, 2);
/// # Ok::<(), quadrille::Error>(())
/// ```
#[derive(Clone)]
pub struct Device(Arc<DeviceInner>);

objects! { Device: "device" = |d| Some(d.id()); }

impl std::fmt::Debug for Device {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Device").field(&self.0.options).finish()
    }
}

/// Warns of unknown environment variables, once in a process: a misspelled one has no effect.
fn warn_of_unknown_variables() {
    static DONE: AtomicBool = AtomicBool::new(false);
    if !DONE.swap(true, Ordering::Relaxed) {
        env::unknown()
            .iter()
            .for_each(|text| terminal::to_stderr(format_args!("quadrille: warning: {text}")));
    }
}

impl Device {
    /// Makes a device with one queue.
    ///
    /// The first device of a process names unknown environment variables that begin with `QUADRILLE_` on standard
    /// error. The device belongs to the calling process: in a child of `fork` its calls fail with `DeviceLost`.
    ///
    /// # Errors
    /// `Invalid` for an unsupported subgroup size, for an environment variable with an invalid value, and if a file of
    /// `QUADRILLE_TRACE` cannot be created. `OutOfMemory` if the host lacks memory or refuses the watchdog's thread.
    pub fn new(options: DeviceOptions) -> Result<Device> {
        Device::with_queues(options, 1)
    }

    /// Makes a device with `queues` queues, at least one: see [`Device::queue_at`]. Fails like [`Device::new`].
    pub fn with_queues(mut options: DeviceOptions, queues: usize) -> Result<Device> {
        if let Some(problem) = env::problems().first() {
            return Err(Error::invalid(problem));
        }
        warn_of_unknown_variables();
        ensure([4, 8, 16, 32].contains(&options.lanes), || {
            format!("subgroup size {}: 4, 8, 16 and 32 are supported", options.lanes)
        })?;
        let _room = Room::new(ROOM)?;
        if !options.budget.is_zero() {
            start_watchdog()?;
        }
        let heap_bytes = options.heap_size();
        options.watch = options.watch.or_else(coverage::default_watch);
        if let Some(watch) = &options.watch {
            watch.begin();
        }
        let trace = match &options.trace {
            Some(trace) => Some(trace.clone()),
            None => Trace::of_environment()?,
        };
        static NEXT_ID: AtomicU64 = AtomicU64::new(0);
        let id = NEXT_ID.fetch_add(1, Ordering::Relaxed);
        let running = Arc::<Running>::default();
        Ok(Device(Arc::new(DeviceInner {
            id,
            heap: Arc::new(Heap::new(id, heap_bytes)),
            addresses: Addresses::new(&running),
            structures: Structures::new(options.watch.as_ref(), is_explicit(&options)),
            handles: Handles::new(&running, options.max_handles),
            running,
            aliases: Arc::default(),
            missing: Arc::default(),
            pool: Pool::new(options.threads),
            one_thread: Pool::new(1),
            builders: OnceLock::new(),
            signal: Signal::default(),
            shaders: Shaders::default(),
            images: Images::new(options.cpu, options.max_sampler_states),
            kernels: DrawKernels::new(options.cpu),
            turn: Turn::default(),
            executors: (0..queues.max(1)).map(|_| Arc::default()).collect(),
            prints: RwLock::default(),
            told: RwLock::default(),
            names: Names::default(),
            numbered: trace.is_some() || is_explicit(&options),
            trace,
            options,
        })))
    }

    /// Options of the device.
    pub fn options(&self) -> &DeviceOptions {
        &self.0.options
    }

    /// Limits of the device.
    pub fn limits(&self) -> &'static Limits {
        &LIMITS
    }

    /// Features of the device.
    pub fn features(&self) -> &'static Features {
        &FEATURES
    }

    /// Size of the device's memory, in bytes.
    pub fn heap_size(&self) -> u64 {
        self.0.heap.size()
    }

    /// Memory in use, in bytes.
    pub fn heap_used(&self) -> u64 {
        self.0.heap.used()
    }

    /// Sends the output of printing shaders to `sink`, from the next submission on; `None` selects the print sink of
    /// the process ([`set_print_sink`](crate::set_print_sink)).
    pub fn set_print_sink(&self, sink: Option<printf::Sink>) {
        *self.0.prints.write().unwrap_or_else(PoisonError::into_inner) = sink;
        *self.0.told.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Returns the wrapped print sink of the device, or of the process if the device has none. The wrapper is made once
    /// per sink, not per submission. `None` until the device has compiled a shader that prints.
    pub(crate) fn told_sink(&self) -> Option<printf::Sink> {
        if !self.shaders().prints.load(Ordering::Acquire) {
            return None;
        }
        if let Some(made) = &*self.0.told.read().unwrap_or_else(PoisonError::into_inner) {
            return Some(made.clone());
        }
        let mut told = self.0.told.write().unwrap_or_else(PoisonError::into_inner);
        // The sink must not hold the device: helper threads may drop the sink late.
        let (device, sink) = (self.signal().number(), self.print_sink());
        let make = || -> printf::Sink {
            Arc::new(move |line: &str| {
                in_sink(device, || match &sink {
                    Some(sink) => sink(line),
                    None => printf::print_of_process(line),
                });
            })
        };
        Some(told.get_or_insert_with(make).clone())
    }

    pub(crate) fn print_sink(&self) -> Option<printf::Sink> {
        self.0.prints.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Tells what checks have found so far, after a wait of the host for submissions has timed out.
    pub(crate) fn timed_out(&self, timeout: Option<Duration>) {
        if self.0.options.watch.is_some() {
            let (sink, reports) = (self.print_sink(), self.0.options.report_sink.as_ref());
            check::print_after_wait(timeout, sink.as_ref(), reports);
        }
    }

    /// Trace of the commands that command buffers execute.
    pub fn trace(&self) -> Option<&Trace> {
        self.0.trace.as_ref()
    }

    /// Names of the device's objects, if objects are numbered.
    pub(crate) fn names(&self) -> Option<&Names> {
        self.0.numbered.then_some(&self.0.names)
    }

    /// Names that the application has given to objects, on any device.
    pub(crate) fn given_names(&self) -> &Names {
        &self.0.names
    }

    /// `true` when command buffers of the device record labels and barriers for a trace or a watcher.
    pub fn keeps_notes(&self) -> bool {
        self.0.numbered || self.is_explicit()
    }

    /// `true` when the device reports to its watcher that only barriers order commands.
    pub(crate) fn is_explicit(&self) -> bool {
        is_explicit(&self.0.options)
    }

    /// Ends a frame of the trace: later submissions belong to the next frame.
    pub fn end_frame(&self) {
        if let Some(trace) = self.trace() {
            trace.end_frame();
        }
    }

    /// Returns `DeviceLost` in a child of the process that made the device. Calls that may take a lock check this
    /// first.
    pub(crate) fn check_process(&self) -> Result<()> {
        self.0.signal.check_process()
    }

    /// Returns `Ok` unless the device is lost.
    ///
    /// # Errors
    /// The error by which the device was lost, of any kind; `DeviceLost` in a child of `fork`.
    pub fn check_lost(&self) -> Result<()> {
        self.0.signal.check()
    }

    /// Declares the device lost: a command that cannot report an error was not able to do what it had to.
    pub fn lose(&self, why: &str) {
        self.0.signal.lose(Error::DeviceLost(why.to_owned()));
    }

    /// Allocates `size` bytes of zeroed memory.
    ///
    /// # Errors
    /// `Invalid` for 0 bytes, `Limit` above `max_memory_allocation_size`, `OutOfMemory` if the heap or the host is
    /// full.
    pub fn allocate(&self, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory allocation", size, LIMITS.max_memory_allocation_size)?;
        Ok(Memory::allocate(&self.0.heap, size)?.watched(self.0.options.watch.as_ref()))
    }

    /// Allocates `size` bytes of zeroed memory that other devices can import: see [`Memory::share`]. Fails like
    /// [`Device::allocate`].
    pub fn allocate_shared(&self, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory allocation", size, LIMITS.max_memory_allocation_size)?;
        Memory::allocate_file(&self.0.heap, size)
    }

    /// Imports the first `size` bytes of memory that a device of this or another process shares. `Invalid` for a
    /// descriptor of anything else or of fewer bytes. The program must order the accesses of several devices to the
    /// same bytes.
    pub fn import_memory(&self, fd: BorrowedFd<'_>, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory import", size, LIMITS.max_memory_allocation_size)?;
        Memory::import(&self.0.heap, fd, size)
    }

    /// `true` when memory can be shared with kernel drivers as dma-bufs.
    pub fn offers_dma_bufs() -> bool {
        crate::memory::dma_bufs_offered()
    }

    /// Allocates `size` bytes of zeroed memory that other devices and other drivers can import: see [`Memory::share`],
    /// which returns a dma-buf descriptor. `OutOfMemory` where the kernel offers no dma-bufs, and beyond the kernel's
    /// size limit.
    pub fn allocate_dma_buf(&self, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory allocation", size, LIMITS.max_memory_allocation_size)?;
        Memory::allocate_dma_buf(&self.0.heap, size)
    }

    /// Imports the first `size` bytes of a dma-buf of any driver. `Invalid` for a descriptor of anything else, and
    /// where the exporting driver does not allow mapping. While a submission runs, the exporting driver sees the
    /// dma-buf as in use.
    pub fn import_dma_buf(&self, fd: BorrowedFd<'_>, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory import", size, LIMITS.max_memory_allocation_size)?;
        Memory::import_dma_buf(&self.0.heap, fd, size)
    }

    pub(crate) fn signal(&self) -> &Signal {
        &self.0.signal
    }
    pub(crate) fn heap(&self) -> &Arc<Heap> {
        &self.0.heap
    }
    pub(crate) fn pool(&self) -> &Pool {
        &self.0.pool
    }
    /// Thread pool with only the calling thread, for work that must keep its order.
    pub(crate) fn one_thread(&self) -> &Pool {
        &self.0.one_thread
    }
    /// Threads that build acceleration structures, as many as the pool has.
    pub(crate) fn builders(&self) -> Result<&Threads> {
        if let Some(threads) = self.0.builders.get() {
            return Ok(threads);
        }
        let refused = || Error::OutOfMemory("the system refuses threads for acceleration structures".into());
        let threads = Threads::start(self.pool().threads()).ok_or_else(refused)?;
        Ok(self.0.builders.get_or_init(|| threads))
    }
    pub(crate) fn budget(&self) -> Budget {
        Budget { set_by: self.0.options.budget_set_by, ..Budget::of(self.0.options.budget) }
    }
    pub(crate) fn shaders(&self) -> &Shaders {
        &self.0.shaders
    }
    pub(crate) fn addresses(&self) -> &Arc<Addresses> {
        &self.0.addresses
    }

    /// Acceleration structures by device address.
    pub(crate) fn structures(&self) -> &Arc<Structures> {
        &self.0.structures
    }

    /// Handles of resources, for descriptors that applications or shaders write.
    pub(crate) fn handles(&self) -> &Arc<Handles> {
        &self.0.handles
    }

    /// Submissions of the device that are running.
    pub(crate) fn running(&self) -> &Running {
        &self.0.running
    }

    /// Tables in which shaders look up addresses and handles.
    pub(crate) fn tables(&self) -> Tables {
        let (addresses, resources) = (self.0.addresses.table(), self.0.handles.table());
        let rays = self.0.structures.table();
        Tables { addresses, resources, rays, ..Tables::default() }
    }
    /// Pages of its sparse buffers that have no memory.
    pub(crate) fn missing(&self) -> &Arc<MissingPages> {
        &self.0.missing
    }
    /// True if pages of any sparse buffer have no memory.
    pub(crate) fn is_any_page_missing(&self) -> bool {
        self.0.missing.is_any()
    }
    /// Memory that is bound to several sparse resources.
    pub(crate) fn aliases(&self) -> &Arc<Aliases> {
        &self.0.aliases
    }
    /// Kernels of vertex fetch and output merge.
    pub(crate) fn kernels(&self) -> &DrawKernels {
        &self.0.kernels
    }

    /// Lists the fixed-function kernels that the device has compiled so far, and the hand-written ones that replace
    /// some: vertex fetch, output merge, sampling. Sampling routines are compiled in the background after a number of
    /// calls; [`Device::is_compiling_kernels`] reports pending ones.
    pub fn compiled_kernels(&self) -> Vec<KernelInfo> {
        let mut list = Vec::new();
        self.kernels().list(&mut list);
        self.images().list(&mut list);
        list
    }

    /// `true` while sampling routines are being compiled.
    pub fn is_compiling_kernels(&self) -> bool {
        !self.images().tables().is_idle()
    }

    pub(crate) fn images(&self) -> &Images {
        &self.0.images
    }
    /// Executors of all queues, at least one.
    pub(crate) fn executors(&self) -> &[Arc<Executor>] {
        &self.0.executors
    }
    /// Waits for this thread's turn to run commands; a device with one queue needs no turns.
    pub(crate) fn take_turn(&self) -> Option<InTurn<'_>> {
        if self.0.executors.len() > 1 { Some(self.0.turn.take()) } else { None }
    }
    /// Reports the order of submissions to a watcher that checks the order of commands.
    pub(crate) fn tell_order(&self, submit: impl FnOnce() -> events::Submit) {
        if let (Some(watch), true) = (&self.0.options.watch, self.is_explicit()) {
            watch.tell(&events::Event::Order(events::Order::Submit(submit())));
        }
    }
    /// Releases the turn, if there are several queues, while `wait` waits for work of other threads. The submission that
    /// has the turn is the only one that runs, and keeps nothing alive meanwhile.
    pub(crate) fn pause_turn<T>(&self, wait: impl FnOnce() -> T) -> T {
        let _paused = self.running().pause();
        if self.0.executors.len() > 1 { self.0.turn.pause(wait) } else { wait() }
    }
    /// The turn to run commands, shared by the queues.
    pub(crate) fn turn(&self) -> &Turn {
        &self.0.turn
    }
    /// Number of the device, unique in the process.
    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }
}

/// `true` when the options select explicit order and the watcher checks the order of commands.
fn is_explicit(options: &DeviceOptions) -> bool {
    options.explicit_order && options.watch.as_ref().is_some_and(|watch| watch.looks_at_order())
}

/// Size of the host's memory, in bytes.
fn host_memory() -> u64 {
    static BYTES: OnceBox<u64> = OnceBox::new();
    *BYTES.get_or_init(|| Box::new(quadrille_jit::sys::limits::machine_memory()))
}

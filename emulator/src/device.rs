//! The device: options, limits, and the shared parts that objects are made from. The calls that make objects
//! are in `create`.
//!
//! Making a device costs microseconds: nothing is compiled and no thread starts before there is work for it,
//! except the watchdog, which the first device of a process with a budget starts for all.

use std::os::fd::BorrowedFd;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, OnceLock, PoisonError, RwLock};
use std::time::Duration;

use quadrille_jit::CpuLevel;
use quadrille_jit::env::{self, Opt};
use quadrille_jit::interp::events;
use quadrille_jit::printf;
use quadrille_jit::reserve::Room;
use quadrille_raster::{Budget, DrawKernels, KernelInfo, Pool, Tables, start_watchdog, threads_for};

use crate::address::Addresses;
use crate::aliases::Aliases;
use crate::coverage;
use crate::error::{Error, Result, ensure};
use crate::executor::Executor;
use crate::handles::Handles;
use crate::images::Images;
use crate::limits::{FEATURES, Features, LIMITS, Limits, at_most};
use crate::memory::{Heap, Memory};
use crate::names::Names;
use crate::object::objects;
use crate::running::Running;
use crate::shader::Shaders;
use crate::signal::{InTurn, Signal, Turn, in_sink};
use crate::trace::Trace;
use crate::watching::{Sampling, Watching};

/// In which order atomics whose results are used take effect.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Order {
    /// The same in every run: such work runs workgroup by workgroup, ascending.
    #[default]
    Strict,
    /// Any: such work runs in parallel.
    Relaxed,
}

/// How a device is made. The defaults are those of the environment (see [`quadrille_jit::env`]).
#[derive(Clone, Debug)]
pub struct DeviceOptions {
    /// Threads that share work, the caller's included; 0 takes one per processor. More than eight per processor
    /// are cut to that.
    pub threads: usize,
    /// Subgroup size of pipelines that do not ask for one: 4, 8, 16 or 32.
    pub lanes: u32,
    /// Bytes of device memory; 0 takes three quarters of the host's.
    pub heap_bytes: u64,
    /// CPU time of one dispatch, draw or other command before the device is lost; zero for no limit. Draws of
    /// one pass that are run together count as one. It is the time that the busiest of the threads at work
    /// computes: see [`Budget`](quadrille_raster::Budget).
    pub budget: Duration,
    /// CPU time of compiling one shader, in either tier, before it is refused; zero for no limit.
    pub compile_budget: Duration,
    /// Order of atomics.
    pub order: Order,
    /// Run shaders in the reference interpreter.
    pub interp: bool,
    /// Keep the bounds checks that were proved needless, and fail (`Internal`) where a proof was wrong.
    pub check_proofs: bool,
    /// Shaders look whether sparse buffers have memory where they store; without, what they store where there is none
    /// stays.
    pub sparse_buffers: bool,
    /// When shaders are optimized.
    pub opt: Opt,
    /// Host instructions.
    pub cpu: CpuLevel,
    /// Nothing but barriers orders the commands of a command buffer, as Vulkan has it: to those who watch. They run in
    /// order all the same.
    pub explicit_order: bool,
    /// Who watches what its shaders do: they run in the reference interpreter then.
    pub watch: Option<Watching>,
    /// Who is told which code is made of which place of the source, and when the device works.
    pub sampling: Option<Sampling>,
    /// Where it tells what command buffers do; `None`: where the environment says (`QUADRILLE_TRACE`), if it does.
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
            interp: env::interp(),
            check_proofs: env::checks_proofs(),
            sparse_buffers: false,
            opt: env::opt(),
            cpu: CpuLevel::current(),
            explicit_order: false,
            watch: crate::check::default_watch(),
            sampling: None,
            trace: None,
        }
    }
}

impl DeviceOptions {
    /// Threads that a device made with these options has.
    pub fn threads_in_use(&self) -> usize {
        threads_for(self.threads)
    }

    /// Bytes of memory that a device made with these options has.
    pub fn heap_size(&self) -> u64 {
        match self.heap_bytes {
            0 => host_memory() / 4 * 3,
            n => n,
        }
    }
}

/// Memory of the host for the parts of a device, its tables and what its first objects need.
const ROOM: usize = 4 << 20;

pub(crate) struct DeviceInner {
    id: u64,
    options: DeviceOptions,
    heap: Arc<Heap>,
    running: Arc<Running>,
    addresses: Arc<Addresses>,
    handles: Arc<Handles>,
    aliases: Arc<Aliases>,
    pool: Pool,
    one_thread: Pool,
    signal: Signal,
    shaders: Shaders,
    images: Images,
    kernels: DrawKernels,
    turn: Turn,
    /// One for each queue, at least one.
    executors: Box<[Arc<Executor>]>,
    /// Where its shaders print to; `None`: where those of the process do.
    prints: RwLock<Option<printf::Sink>>,
    /// Where shaders print to while work runs: to that, or to where those of the process print.
    told: RwLock<Option<printf::Sink>>,
    trace: Option<Trace>,
    names: Names,
    /// It is watched: objects have numbers, and are described.
    numbered: bool,
}

impl Drop for DeviceInner {
    fn drop(&mut self) {
        // In a child of `fork` there is no thread to tell, and the lock may be held for ever.
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

impl Device {
    /// A device. `Invalid` for a subgroup size that is not offered and for an environment variable with a
    /// value that cannot be read, `OutOfMemory` when there is a budget and the system gives no thread that
    /// could watch over it.
    ///
    /// It belongs to the calling process: in a child of `fork` its calls fail with `DeviceLost`.
    pub fn new(options: DeviceOptions) -> Result<Device> {
        Device::with_queues(options, 1)
    }

    /// The same with so many queues, at least one: see [`Device::queue_at`].
    pub fn with_queues(mut options: DeviceOptions, queues: usize) -> Result<Device> {
        if let Some(problem) = env::problems().first() {
            return Err(Error::invalid(problem));
        }
        ensure([4, 8, 16, 32].contains(&options.lanes), || {
            format!("subgroup size {}: 4, 8, 16 and 32 are offered", options.lanes)
        })?;
        let _room = Room::new(ROOM)?;
        if !options.budget.is_zero() {
            start_watchdog()?;
        }
        let heap_bytes = options.heap_size();
        options.watch = options.watch.or_else(|| coverage::watch().map(Watching));
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
            handles: Handles::new(&running),
            running,
            aliases: Arc::default(),
            pool: Pool::new(options.threads),
            one_thread: Pool::new(1),
            signal: Signal::default(),
            shaders: Shaders::default(),
            images: Images::new(options.cpu),
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

    /// How it was made.
    pub fn options(&self) -> &DeviceOptions {
        &self.0.options
    }

    /// Its limits.
    pub fn limits(&self) -> &'static Limits {
        &LIMITS
    }

    /// Its features.
    pub fn features(&self) -> &'static Features {
        &FEATURES
    }

    /// Size of its memory in bytes.
    pub fn heap_size(&self) -> u64 {
        self.0.heap.size()
    }

    /// Bytes of its memory in use.
    pub fn heap_used(&self) -> u64 {
        self.0.heap.used()
    }

    /// Sends what its shaders print to `sink`, from the next submission on; `None` to where those of the process print
    /// ([`set_print_sink`](crate::set_print_sink)).
    pub fn set_print_sink(&self, sink: Option<printf::Sink>) {
        *self.0.prints.write().unwrap_or_else(PoisonError::into_inner) = sink;
        *self.0.told.write().unwrap_or_else(PoisonError::into_inner) = None;
    }

    /// Where its shaders print to: to its sink, else to that of the process. Made once for each sink, not for each
    /// submission.
    pub(crate) fn told_sink(&self) -> printf::Sink {
        if let Some(made) = &*self.0.told.read().unwrap_or_else(PoisonError::into_inner) {
            return made.clone();
        }
        let mut told = self.0.told.write().unwrap_or_else(PoisonError::into_inner);
        // Threads that helped may drop it late: it must not hold the device.
        let (device, sink) = (self.signal().number(), self.print_sink());
        let make = || -> printf::Sink {
            Arc::new(move |line: &str| {
                in_sink(device, || match &sink {
                    Some(sink) => sink(line),
                    None => printf::print_of_process(line),
                });
            })
        };
        told.get_or_insert_with(make).clone()
    }

    pub(crate) fn print_sink(&self) -> Option<printf::Sink> {
        self.0.prints.read().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// Where it tells what command buffers do.
    pub fn trace(&self) -> Option<&Trace> {
        self.0.trace.as_ref()
    }

    /// What its objects are called, if it is watched.
    pub(crate) fn names(&self) -> Option<&Names> {
        self.0.numbered.then_some(&self.0.names)
    }

    /// The names that its objects were given, whether it is watched or not.
    pub(crate) fn given_names(&self) -> &Names {
        &self.0.names
    }

    /// Whether command buffers of the device keep labels and barriers, for those who watch it.
    pub fn keeps_notes(&self) -> bool {
        self.0.numbered || self.is_explicit()
    }

    /// Whether somebody watches who is told that nothing but barriers orders commands.
    pub(crate) fn is_explicit(&self) -> bool {
        is_explicit(&self.0.options)
    }

    /// A frame ends, for those who count them: what is submitted from now on belongs to the next.
    pub fn end_frame(&self) {
        if let Some(trace) = self.trace() {
            trace.end_frame();
        }
    }

    /// `DeviceLost` in a child of the process that made the device: whatever may take a lock asks first.
    pub(crate) fn check_process(&self) -> Result<()> {
        self.0.signal.check_process()
    }

    /// The error by which the device was lost, if it was.
    pub fn check_lost(&self) -> Result<()> {
        self.0.signal.check()
    }

    /// Allocates `size` zero bytes of memory.
    pub fn allocate(&self, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory allocation", size, LIMITS.max_memory_allocation_size)?;
        Ok(Memory::allocate(&self.0.heap, size)?.watched(self.0.options.watch.as_ref()))
    }

    /// Allocates `size` zero bytes of memory that other devices can import: see [`Memory::share`].
    pub fn allocate_shared(&self, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory allocation", size, LIMITS.max_memory_allocation_size)?;
        Memory::allocate_file(&self.0.heap, size)
    }

    /// The first `size` bytes of memory that a device of this or of another process shares. `Invalid` for a
    /// descriptor of anything else. What several devices do with the same bytes is for the program to order.
    pub fn import_memory(&self, fd: BorrowedFd<'_>, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory import", size, LIMITS.max_memory_allocation_size)?;
        Memory::import(&self.0.heap, fd, size)
    }

    /// Whether memory can be shared with drivers of the kernel, as dma-bufs.
    pub fn offers_dma_bufs() -> bool {
        crate::memory::dma_bufs_offered()
    }

    /// Allocates `size` zero bytes of memory that other devices can import, those of other drivers too: see
    /// [`Memory::share`], which gives a descriptor of a dma-buf. `OutOfMemory` where there are none, and past the
    /// size that the kernel allows them.
    pub fn allocate_dma_buf(&self, size: u64) -> Result<Memory> {
        self.check_process()?;
        at_most("memory allocation", size, LIMITS.max_memory_allocation_size)?;
        Memory::allocate_dma_buf(&self.0.heap, size)
    }

    /// The first `size` bytes of a dma-buf, of whichever driver. `Invalid` for a descriptor of anything else, and
    /// where its driver lets nobody map it. While a submission runs the driver knows that its bytes are in use.
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
    /// A pool of the caller alone, for work that keeps its order.
    pub(crate) fn one_thread(&self) -> &Pool {
        &self.0.one_thread
    }
    pub(crate) fn budget(&self) -> Budget {
        let budget = self.0.options.budget;
        Budget((!budget.is_zero()).then_some(budget))
    }
    pub(crate) fn shaders(&self) -> &Shaders {
        &self.0.shaders
    }
    pub(crate) fn addresses(&self) -> &Arc<Addresses> {
        &self.0.addresses
    }

    /// What descriptors name where others than the device write them.
    pub(crate) fn handles(&self) -> &Arc<Handles> {
        &self.0.handles
    }

    /// Its submissions that run.
    pub(crate) fn running(&self) -> &Running {
        &self.0.running
    }

    /// The tables in which its shaders look up numbers.
    pub(crate) fn tables(&self) -> Tables {
        Tables { addresses: self.0.addresses.table(), resources: self.0.handles.table() }
    }
    /// Pages of some sparse buffer have no memory.
    pub(crate) fn is_any_page_missing(&self) -> bool {
        quadrille_jit::missing::is_any()
    }
    /// Its memory that shows in several places.
    pub(crate) fn aliases(&self) -> &Arc<Aliases> {
        &self.0.aliases
    }
    /// Kernels of vertex fetch and output merge.
    pub(crate) fn kernels(&self) -> &DrawKernels {
        &self.0.kernels
    }

    /// Fixed function that the device has compiled so far, and what is written by hand in its place: vertex
    /// fetch, output merge, sampling. Sampling routines are compiled in the background, when they have been
    /// called a number of times; [`Device::is_compiling_kernels`] says if there are such.
    pub fn compiled_kernels(&self) -> Vec<KernelInfo> {
        let mut list = Vec::new();
        self.kernels().list(&mut list);
        self.images().list(&mut list);
        list
    }

    /// Sampling routines are being compiled.
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
    /// Waits for the turn to run commands; a queue alone has it always.
    pub(crate) fn take_turn(&self) -> Option<InTurn<'_>> {
        if self.0.executors.len() > 1 { Some(self.0.turn.take()) } else { None }
    }
    /// Tells whoever watches that nothing but barriers orders commands what orders submissions.
    pub(crate) fn tell_order(&self, submit: impl FnOnce() -> events::Submit) {
        if let (Some(watch), true) = (&self.0.options.watch, self.is_explicit()) {
            watch.0.told(&events::Event::Order(events::Order::Submit(submit())));
        }
    }
    /// Gives the turn, if it was taken, to others while `wait` waits for what they may do.
    pub(crate) fn pause_turn<T>(&self, wait: impl FnOnce() -> T) -> T {
        if self.0.executors.len() > 1 { self.0.turn.pause(wait) } else { wait() }
    }
    /// Whose turn it is to run.
    pub(crate) fn turn(&self) -> &Turn {
        &self.0.turn
    }
    /// A number that no other device of the process has had.
    pub(crate) fn id(&self) -> u64 {
        self.0.id
    }
}

/// Whether somebody watches who looks at what orders commands, and nothing but barriers does.
fn is_explicit(options: &DeviceOptions) -> bool {
    options.explicit_order && options.watch.as_ref().is_some_and(|watch| watch.0.looks_at_order())
}

/// Bytes of memory of the host.
fn host_memory() -> u64 {
    static BYTES: OnceLock<u64> = OnceLock::new();
    *BYTES.get_or_init(|| {
        let host = rustix::system::sysinfo();
        host.totalram * u64::from(host.mem_unit)
    })
}

//! Numbers for sampler states and image operations, and the tables from which generated code takes the routine for
//! (view class, sampler, operation).
//!
//! Views of the same [`ClassKey`] share a [`ViewClass`] and thus a table. A table is an array of row pointers, one for
//! each sampler number; a row holds one routine per operation. Until a class and a sampler are first used together,
//! their row pointer leads to a shared row of resolvers. A resolver allocates the pair's own row, and runs the
//! operation on the scalar twin. After a number of calls it requests a compiled routine, if the combination supports
//! one. A thread of the interner compiles the routine and puts it into the row; no caller waits.
//!
//! Classes and their rows live at least as long as a view of the class. Kernels are bounded in number and live as long
//! as the interner. Operations are bounded, too, because there are few different ones. Once no sampler number with a row
//! is left, a number without uses is given to another state, and its rows are reset to resolvers. The states that then
//! still have no row of their own share the last one, where all operations run on the scalar twin.
//!
//! While texels are counted, every row pointer leads to a shared row of a counting routine, which calls the routine of
//! the combination.
//!
//! Compiling a routine is left to `fast`, performing an operation to [`super::scalar`], and the choice of numbers to
//! `numbers`.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicPtr, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, Weak};

use once_cell::race::OnceBox;
use quadrille_jit::abi::{ImageArgs, ImageRoutine, MAX_COMBINED_SAMPLERS, MAX_IMAGE_OPS, SAMPLER_ROWS};
use quadrille_jit::codegen::ImageOps;
use quadrille_jit::error::{Error, Result};
use quadrille_jit::events;
use quadrille_jit::ir::{ImageDim, ImageOp, ImageOpKind, Ty};
use quadrille_jit::reserve;
use quadrille_jit::{CpuLevel, Tier};
use rustc_hash::{FxHashMap, FxHashSet};

use super::counting::Texels;
use super::fast::{Compiled, FastKey, KIND};
use super::null::zeros;
use super::numbers::{Numbers, States, Taken, shares_row};
use super::routine::{ClassKey, routine_of};
use super::scalar;
use super::state::SamplerState;
use crate::counted;
use crate::kernels::KernelInfo;
use crate::sampling::View;

/// Views that share a table.
pub struct ViewClass {
    /// Properties that the views have in common.
    pub key: ClassKey,
    owner: *const Interner,
    rows: Box<[AtomicPtr<ImageRoutine>]>,
    /// The rows that counted calls go on to, once texels are counted.
    counted: OnceLock<Box<[AtomicPtr<ImageRoutine>]>>,
}

// SAFETY: `owner` is dereferenced only through views, which hold an `Arc` of the interner; all other fields are atomic
// or immutable.
#[expect(unsafe_code, reason = "pointer to the owner")]
unsafe impl Send for ViewClass {}
// SAFETY: `owner` is dereferenced only through views, which hold an `Arc` of the interner; all other fields are atomic
// or immutable.
#[expect(unsafe_code, reason = "pointer to the owner")]
unsafe impl Sync for ViewClass {}

/// One row of routines. `routines` is the array that generated code reads.
struct Row {
    routines: Box<[AtomicPtr<()>]>,
    calls: Box<[AtomicU32]>,
}

struct State {
    samplers: Numbers,
    ops: FxHashMap<ImageOp, u32>,
    classes: FxHashMap<ClassKey, Arc<ViewClass>>,
    /// Number of classes at which classes without views are dropped.
    sweep_at: usize,
    /// Number of guards by which texels are counted.
    counting: u32,
    /// Rows by the class's address and the sampler number.
    rows: FxHashMap<(usize, u32), Arc<Row>>,
}

/// Number of classes below which classes without views are kept; a table takes 32 KiB.
const FEW_CLASSES: usize = 64;

impl State {
    /// Drops the classes without views, and their rows, if they may outnumber the other classes.
    fn sweep(&mut self) {
        if self.classes.len() < self.sweep_at.max(FEW_CLASSES) {
            return;
        }
        self.classes.retain(|_, class| Arc::strong_count(class) > 1);
        self.sweep_at = self.classes.len() * 2;
        let live: FxHashSet<usize> = self.classes.values().map(|c| Arc::as_ptr(c) as usize).collect();
        self.rows.retain(|id, _| live.contains(&id.0));
    }
}

/// The tables of a device.
pub struct Interner {
    /// Host instructions that routines may use.
    cpu: CpuLevel,
    state: Mutex<State>,
    /// Compiled routines; `None` if compilation failed.
    kernels: Mutex<FxHashMap<FastKey, Option<Compiled>>>,
    queue: Mutex<Queue>,
    /// The interner itself, for its compiling thread.
    this: Weak<Interner>,
    samplers: States,
    ops: Box<[OnceLock<ImageOp>]>,
    texels: Texels,
}

/// Makes a device count the texels that its shaders look up and store, until dropped.
pub struct CountingTexels(Arc<Interner>);

impl Drop for CountingTexels {
    fn drop(&mut self) {
        self.0.counts_texels(false);
    }
}

/// A combination whose routine was requested.
struct Wanted {
    row: Arc<Row>,
    class: ClassKey,
    sampler: u32,
    op: u32,
}

/// Combinations that wait for the compiling thread.
#[derive(Default)]
struct Queue {
    waiting: VecDeque<Wanted>,
    /// `true` while a thread runs, which checks the queue before it ends.
    running: bool,
}

/// Number of calls of a combination before its routine is compiled.
const WARM_CALLS: u32 = 48;

/// Maximum number of compiled routines of an interner; further combinations use the twin.
const MAX_KERNELS: usize = 4096;

/// The row that all samplers of a new class share.
///
/// It and the null view's table are built on first use. As constants they would be 48 KiB of addresses that the dynamic
/// linker must relocate at start-up.
fn resolvers() -> *const ImageRoutine {
    static ROW: OnceBox<Box<[ImageRoutine]>> = OnceBox::new();
    let row = || Box::new((0..MAX_IMAGE_OPS).map(|_| resolve as ImageRoutine).collect());
    ROW.get_or_init(row).as_ptr()
}

/// The row that all samplers share while texels are counted.
fn counters() -> *const ImageRoutine {
    static ROW: OnceBox<Box<[ImageRoutine]>> = OnceBox::new();
    let row = || Box::new((0..MAX_IMAGE_OPS).map(|_| count as ImageRoutine).collect());
    ROW.get_or_init(row).as_ptr()
}

/// Routine of combinations that have no compiled routine yet.
///
/// # Safety
/// `args` must point to valid arguments that nothing else uses during the call, with the head of a live [`View`] that
/// has a class.
#[expect(unsafe_code, reason = "called by generated code")]
unsafe extern "C" fn resolve(args: *mut ImageArgs) {
    // SAFETY: the caller, generated code, passes valid arguments with the head of a live `View`. Only tables of classes
    // contain this routine, so the view's class is not null, and the view keeps it alive.
    let (class, number) = unsafe {
        let view = (*args).view.cast::<View>();
        (&*(*view).class, ((*args).sampler, (*args).op))
    };
    let routine = class.resolve(number.0, number.1);
    // SAFETY: `ViewClass::resolve` returns a routine for the view's class, which has the same requirements on the
    // arguments.
    unsafe { routine(args) }
}

/// Counts the texels of a call, and calls the routine of its combination.
///
/// # Safety
/// `args` must point to valid arguments that nothing else uses during the call, with the head of a live [`View`] that
/// has a class.
#[expect(unsafe_code, reason = "called by generated code")]
unsafe extern "C" fn count(args: *mut ImageArgs) {
    // SAFETY: the caller, generated code, passes valid arguments with the head of a live `View`. Only tables of classes
    // contain this routine, so the view's class is not null, and the view keeps it and its interner alive.
    let (class, given) = unsafe { (&*(*(*args).view.cast::<View>()).class, &*args) };
    let Some(op) = class.owner().image_op(given.op) else { return };
    class.owner().texels.count(op.kind, given);
    let rows = class.counted.get().map_or(&class.rows, |rows| rows);
    let row = rows[given.sampler_row as usize].load(Ordering::Acquire);
    // SAFETY: each row has `MAX_IMAGE_OPS` routines, and `image_op` found the operation. Rows live as long as their class.
    // The routine has the same requirements on the arguments, of which no reference is used any more.
    unsafe {
        let routine = *row.add(given.op as usize);
        routine(args);
    }
}

/// The scalar twin as a routine.
///
/// # Safety
/// `args` must point to valid arguments that nothing else uses during the call, with the head of a live [`View`] that
/// has a class.
#[expect(unsafe_code, reason = "called by generated code")]
pub(super) unsafe extern "C" fn twin(args: *mut ImageArgs) {
    // SAFETY: the caller, generated code, passes valid arguments, which are not part of the view or the interner.
    // `view` is the head of a live `View`, which keeps its class and its interner alive.
    let (args, view, owner) = unsafe {
        let args = &mut *args;
        let view = &*args.view.cast::<View>();
        (args, view, &*(*view.class).owner)
    };
    let sampler = owner.sampler_state(args.sampler);
    let Some(op) = owner.image_op(args.op) else { return scalar::write_zeros(args) };
    // SAFETY: the view is live, and its `_keep` holds an `Arc` of its class.
    let key = unsafe { &(*view.class).key };
    scalar::run(view, key, op, &sampler.unwrap_or_default(), args);
}

/// Number of bytes of texels that a call of a routine reads and writes: see [`scalar::traffic`].
///
/// # Safety
/// `args.view` must be the head of a live [`View`].
#[expect(unsafe_code, reason = "dereferences a view as routines do")]
pub unsafe fn traffic(args: &ImageArgs) -> [u64; 2] {
    // SAFETY: the caller promises that `args.view` is the head of a live `View`.
    let view = unsafe { &*args.view.cast::<View>() };
    // SAFETY: the class of a view is null, or the view's `_keep` holds an `Arc` of it.
    let Some(class) = (unsafe { view.class.as_ref() }) else { return [0; 2] };
    let sampler = class.owner().sampler_state(args.sampler);
    let Some(op) = class.owner().image_op(args.op) else { return [0; 2] };
    scalar::traffic(view, &class.key, op, &sampler.unwrap_or_default(), args)
}

impl ViewClass {
    /// The table for [`quadrille_jit::abi::ImageView::table`].
    pub fn table(&self) -> *const *const ImageRoutine {
        self.rows.as_ptr().cast()
    }

    /// Leads all calls to the counting routine, or back.
    fn counts(&self, begins: bool) {
        let empty = || self.rows.iter().map(|_| AtomicPtr::default()).collect();
        let kept = self.counted.get_or_init(empty);
        for (row, kept) in self.rows.iter().zip(kept) {
            match begins {
                true => {
                    kept.store(row.load(Ordering::Acquire), Ordering::Release);
                    row.store(counters().cast_mut(), Ordering::Release);
                }
                false => row.store(kept.load(Ordering::Acquire), Ordering::Release),
            }
        }
    }

    fn owner(&self) -> &Interner {
        // SAFETY: callers reach the class through a view, which holds an `Arc` of the interner; the interner does not
        // move inside the `Arc`.
        #[expect(unsafe_code, reason = "pointer to the owner")]
        unsafe {
            &*self.owner
        }
    }

    /// Returns the routine for a call that found a resolver. Counts the calls, and requests compilation when they are
    /// many.
    fn resolve(&self, sampler: u32, op: u32) -> ImageRoutine {
        if self.key.sparse || shares_row(sampler) {
            return twin;
        }
        if op as usize >= MAX_IMAGE_OPS {
            return zeros;
        }
        let row = self.owner().row(self, sampler);
        // Requested once, when the count reaches the limit.
        if row.calls[op as usize].fetch_add(1, Ordering::Relaxed) == WARM_CALLS {
            self.owner().want(Wanted { row, class: self.key, sampler, op });
        }
        twin
    }
}

impl Row {
    fn set(&self, op: u32, routine: ImageRoutine) {
        self.routines[op as usize].store(routine as *mut (), Ordering::Release);
    }
}

impl Interner {
    /// Empty tables, whose routines will use host instructions of this level.
    pub fn new(cpu: CpuLevel) -> Arc<Interner> {
        Self::with_samplers(cpu, MAX_COMBINED_SAMPLERS as u32)
    }

    /// Empty tables, whose sampler numbers beside images are less than `end`.
    pub fn with_samplers(cpu: CpuLevel, end: u32) -> Arc<Interner> {
        let state = State {
            samplers: Numbers::new(end),
            ops: FxHashMap::default(),
            classes: FxHashMap::default(),
            sweep_at: 0,
            counting: 0,
            rows: FxHashMap::default(),
        };
        let new = |this: &Weak<Interner>| Interner {
            cpu,
            state: Mutex::new(state),
            kernels: Mutex::default(),
            queue: Mutex::default(),
            this: this.clone(),
            samplers: States::new(),
            ops: (0..MAX_IMAGE_OPS).map(|_| OnceLock::new()).collect(),
            texels: Texels::default(),
        };
        let this = Arc::new_cyclic(new);
        // Sampler number 0 means "none": nearest, repeat.
        reserve::carry(this.samplers.set(0, SamplerState::default()));
        this
    }

    /// Counts texels until the result is dropped. No shader of the device may run at its begin and at its end.
    pub fn counting_texels(self: &Arc<Self>) -> CountingTexels {
        self.counts_texels(true);
        CountingTexels(self.clone())
    }

    /// Number of texels that shaders have looked up, and have stored, while they were counted. Lookups are operations of
    /// invocations that sample, gather, fetch or read, stores those that write, and atomics. Helper invocations and null
    /// descriptors do not count.
    pub fn texels(&self) -> [u64; 2] {
        self.texels.get()
    }

    fn counts_texels(&self, begins: bool) {
        counted::guard(begins);
        let mut state = self.lock();
        let others = if begins { state.counting } else { state.counting - 1 };
        if others == 0 {
            state.classes.values().for_each(|class| class.counts(begins));
        }
        state.counting = others + u32::from(begins);
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the number of a sampler state, from 1.
    ///
    /// Fails with `Invalid` for states with a NaN lod, and with `Limit` if there are too many different states.
    pub fn sampler(&self, s: &SamplerState) -> Result<u32> {
        s.check()?;
        self.number_of(Numbers::take, s)
    }

    /// Returns the number of a sampler state that is kept for ever, for descriptors of samplers alone; otherwise like
    /// [`Interner::sampler`].
    pub fn kept_sampler(&self, s: &SamplerState) -> Result<u32> {
        s.check()?;
        self.number_of(Numbers::keep, s)
    }

    fn number_of(
        &self,
        how: fn(&mut Numbers, &SamplerState, &States) -> Result<Taken>,
        s: &SamplerState,
    ) -> Result<u32> {
        let mut state = self.lock();
        let taken = how(&mut state.samplers, s, &self.samplers)?;
        if taken.again {
            Self::reset(&state, taken.number);
        }
        Ok(taken.number)
    }

    /// Resets the rows of a number that has another state from now on.
    fn reset(state: &State, number: u32) {
        for (_, row) in state.rows.iter().filter(|(id, _)| id.1 == number) {
            for (routine, calls) in row.routines.iter().zip(&row.calls) {
                routine.store(resolve as *mut (), Ordering::Release);
                calls.store(0, Ordering::Relaxed);
            }
        }
    }

    /// Ends one use of a number from [`Interner::sampler`]. Numbers without uses keep their state until the number is
    /// needed.
    pub fn release_sampler(&self, n: u32) {
        self.lock().samplers.release(n);
    }

    /// The state of a sampler number.
    pub fn sampler_state(&self, n: u32) -> Option<SamplerState> {
        self.samplers.get(n)
    }

    /// Returns the number of an image operation.
    ///
    /// Fails with `Unsupported` or `Invalid` for operations that cannot be performed, and with `Limit` if there are too
    /// many.
    pub fn op(&self, op: &ImageOp) -> Result<u32> {
        check_op(op)?;
        let mut state = self.lock();
        if let Some(&n) = state.ops.get(op) {
            return Ok(n);
        }
        let n = state.ops.len() as u32;
        let Some(slot) = self.ops.get(n as usize) else {
            return Err(Error::Limit(format!("more than {MAX_IMAGE_OPS} different image operations")));
        };
        let _ = slot.set(*op);
        state.ops.insert(*op, n);
        Ok(n)
    }

    /// The operation of a number.
    pub fn image_op(&self, n: u32) -> Option<&ImageOp> {
        self.ops.get(n as usize)?.get()
    }

    /// Returns the class of a key. The holder must keep the interner alive.
    pub(crate) fn class(&self, key: &ClassKey) -> Arc<ViewClass> {
        let mut state = self.lock();
        if let Some(found) = state.classes.get(key) {
            return found.clone();
        }
        state.sweep();
        let shared = resolvers().cast_mut();
        let rows = (0..SAMPLER_ROWS).map(|_| AtomicPtr::new(shared)).collect();
        let class = Arc::new(ViewClass { key: *key, owner: self, rows, counted: OnceLock::new() });
        if state.counting > 0 {
            class.counts(true);
        }
        state.classes.insert(*key, class.clone());
        class
    }

    /// Number of classes and of rows.
    #[cfg(test)]
    pub(super) fn sizes(&self) -> (usize, usize) {
        let state = self.lock();
        (state.classes.len(), state.rows.len())
    }

    /// Returns the class's own row for a sampler that shares none, which is made on first use.
    fn row(&self, class: &ViewClass, sampler: u32) -> Arc<Row> {
        let mut state = self.lock();
        let id = (std::ptr::from_ref(class) as usize, sampler);
        let counting = state.counting > 0;
        let row = state.rows.entry(id).or_insert_with(|| {
            let resolver = resolve as *mut ();
            let row = Row {
                routines: (0..MAX_IMAGE_OPS).map(|_| AtomicPtr::new(resolver)).collect(),
                calls: (0..MAX_IMAGE_OPS).map(|_| AtomicU32::new(0)).collect(),
            };
            let rows = class.counted.get().filter(|_| counting).unwrap_or(&class.rows);
            rows[sampler as usize].store(row.routines.as_ptr().cast_mut().cast(), Ordering::Release);
            Arc::new(row)
        });
        row.clone()
    }

    /// Queues a combination for compilation in the background.
    fn want(&self, wanted: Wanted) {
        let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.waiting.push_back(wanted);
        if queue.running {
            return;
        }
        let Some(this) = self.this.upgrade() else { return };
        // If no thread can be started, the twin stays, and the next request tries again.
        let work = move || this.work();
        queue.running = reserve::thread("quadrille-sampling", reserve::STACK_BYTES, work).is_ok();
    }

    fn work(&self) {
        loop {
            let wanted = {
                let mut queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
                match queue.waiting.pop_front() {
                    Some(wanted) => wanted,
                    None => {
                        queue.running = false;
                        return;
                    }
                }
            };
            self.settle(&wanted);
        }
    }

    /// Puts the final routine of a combination into its row.
    fn settle(&self, w: &Wanted) {
        let state = self.sampler_state(w.sampler);
        let key = self.image_op(w.op).zip(state).and_then(|(op, s)| FastKey::new(&w.class, &s, op));
        let routine = key.and_then(|key| self.compiled(key)).unwrap_or(twin);
        // The number may have been given to another state meanwhile; its row has then started anew.
        let lock = self.lock();
        if self.sampler_state(w.sampler) == state {
            w.row.set(w.op, routine);
        }
        drop(lock);
    }

    /// The compiled routine of a key; `None` if compilation failed.
    fn compiled(&self, key: FastKey) -> Option<ImageRoutine> {
        let mut kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        if kernels.len() >= MAX_KERNELS && !kernels.contains_key(&key) {
            return None;
        }
        let kernel = kernels.entry(key).or_insert_with(|| {
            let _span = events::span(format_args!("sampling routine {key:?}"));
            key.build(self.cpu, Tier::Optimized, twin).ok()
        });
        kernel.as_ref().map(|c| routine_of(c.entry()))
    }

    /// True if nothing is being compiled or waits for compilation.
    pub fn is_idle(&self) -> bool {
        let queue = self.queue.lock().unwrap_or_else(PoisonError::into_inner);
        queue.waiting.is_empty() && !queue.running
    }

    /// Appends the routines compiled so far to a list, ordered by the text of their keys.
    pub fn list(&self, list: &mut Vec<KernelInfo>) {
        let kernels = self.kernels.lock().unwrap_or_else(PoisonError::into_inner);
        let made = kernels.iter().filter_map(|(key, k)| Some((key, k.as_ref()?)));
        let first = list.len();
        list.extend(made.map(|(key, k)| KernelInfo {
            kind: KIND,
            cpu: self.cpu,
            key: format!("{key:?}"),
            by_hand: k.by_hand(),
        }));
        list[first..].sort_by(|a, b| a.key.cmp(&b.key));
    }

    /// Compiles the routine for a combination before its first use, for callers that make the combination likely with a
    /// pipeline or descriptor. Results do not depend on it.
    pub fn prepare(&self, view: &View, sampler: u32, op: u32) {
        let known = self.sampler_state(sampler).is_some() && self.image_op(op).is_some();
        if view.class.is_null() || !known || shares_row(sampler) {
            return;
        }
        // SAFETY: the check above excludes null, and the view's `_keep` holds an `Arc` of its class.
        #[expect(unsafe_code, reason = "pointer to the class")]
        let class = unsafe { &*view.class };
        let row = self.row(class, sampler);
        self.settle(&Wanted { row, class: class.key, sampler, op });
    }
}

impl ImageOps for Interner {
    fn intern(&self, op: &ImageOp) -> Result<u32> {
        self.op(op)
    }

    fn null_view(&self) -> u64 {
        View::null().address()
    }

    fn unwritten_view(&self) -> u64 {
        View::unwritten().address()
    }
}

/// Rejects operations that no routine performs.
fn check_op(op: &ImageOp) -> Result<()> {
    let filtered = matches!(op.kind, ImageOpKind::Sample | ImageOpKind::Gather);
    let offered = matches!(op.texel, Ty::F32 | Ty::I32) || op.texel == Ty::I64 && !filtered;
    if !offered {
        return Err(Error::unsupported(format!("image texels of type {:?}", op.texel)));
    }
    if op.dim == ImageDim::Cube && (op.offset || op.offsets4) {
        return Err(Error::invalid("texel offsets in a cube map"));
    }
    Ok(())
}

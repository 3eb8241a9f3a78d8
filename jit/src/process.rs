//! Identity of the calling process.
//!
//! A child of `fork` has the memory of its parent but none of its threads, and a lock that another thread held at that
//! moment stays locked in the child forever. Every owner of threads or locks therefore remembers the [`Process`] that
//! created it and refuses to work in another process. State shared by all devices is in a [`PerProcess`], which starts
//! empty in a child. Values that are the same in all processes are in cells of `once_cell::race`, whose first users do
//! not wait for each other, or [`Inherited`] if they change; where another library waits, [`Elsewhere`] completes its value before a `fork`. Leaves
//! inherited code to `memory`.

#![expect(unsafe_code, reason = "reads a page that the kernel clears in children")]

use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

use crate::sys::inheritance::{before_forks, drop_mark, new_mark};

/// A process: equal in all its threads, and different from every ancestor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(u64);

impl Default for Process {
    fn default() -> Self {
        Process::current()
    }
}

/// Page that holds the number of this process, and that the kernel zeroes in a child. Null before the first use;
/// [`NO_PAGE`] if there was no page then.
static MARK: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());
/// Always zero. A process without a page at its first use, and its children, keep to their ids, also once there is memory
/// for a page: they would no longer be the process that created what exists.
static NO_PAGE: AtomicU64 = AtomicU64::new(0);
/// The last number taken by this process or an ancestor.
static LAST: AtomicU64 = AtomicU64::new(0);
/// Number and id of the process, if it has no page.
static BY_ID: AtomicU64 = AtomicU64::new(0);

impl Process {
    /// Returns the calling process. Costs two loads.
    #[inline]
    pub fn current() -> Process {
        let mark = MARK.load(Ordering::Acquire);
        // SAFETY: `MARK` is null, or `first_use` set it to `NO_PAGE` or to a page that is never unmapped, not even in
        // children.
        match unsafe { mark.as_ref() }.map_or(0, |m| m.load(Ordering::Relaxed)) {
            0 => Process(first_use(&MARK, new_mark)),
            number => Process(number),
        }
    }

    /// `true` if the calling process is the one that created this value, not a child of it.
    #[inline]
    pub fn is_current(self) -> bool {
        self == Process::current()
    }
}

/// Assigns a number to the process at its first call, with a page of [`new_mark`] if there is one.
#[cold]
fn first_use(held: &AtomicPtr<AtomicU64>, new_page: impl FnOnce() -> Option<*mut AtomicU64>) -> u64 {
    let none = (&raw const NO_PAGE).cast_mut();
    let mut mark = held.load(Ordering::Acquire);
    if mark.is_null() {
        let page = new_page();
        let new = page.unwrap_or(none);
        match held.compare_exchange(mark, new, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => mark = new,
            Err(other) => {
                if let Some(page) = page {
                    // SAFETY: `new_mark` made this page, and the exchange failed, so no other code has its address.
                    unsafe { drop_mark(page) };
                }
                mark = other;
            }
        }
    }
    if mark == none {
        return by_id();
    }
    // SAFETY: `held` had this address, so it is a page from `new_mark` that is never unmapped, not even in children.
    let mark = unsafe { &*mark };
    let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    match mark.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => number,
        Err(other) => other,
    }
}

/// Number stored with the process id; each call costs a system call. For kernels that do not zero pages in children, and
/// processes without memory for a page.
fn by_id() -> u64 {
    let id = std::process::id();
    let mut known = BY_ID.load(Ordering::Relaxed);
    while known as u32 != id {
        let new = ((known >> 32) + 1) << 32 | u64::from(id);
        match BY_ID.compare_exchange(known, new, Ordering::Relaxed, Ordering::Relaxed) {
            Ok(_) => known = new,
            Err(other) => known = other,
        }
    }
    known
}

struct Held<T> {
    process: Process,
    value: T,
}

/// A value with a separate instance in each process. In a child of `fork` it starts as the default; the parent's value
/// is never dropped, since its references may still be in use.
pub struct PerProcess<T> {
    held: AtomicPtr<Held<T>>,
}

impl<T: Default + Send + Sync> Default for PerProcess<T> {
    fn default() -> Self {
        PerProcess::new()
    }
}

impl<T: Default + Send + Sync> PerProcess<T> {
    /// Creates an empty value.
    pub const fn new() -> Self {
        PerProcess { held: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Returns the value of this process. `T::default` must not wait for another thread.
    #[inline]
    pub fn get(&'static self) -> &'static T {
        let process = Process::current();
        // SAFETY: `held` is null, or `first` set it to a box that it leaked.
        match unsafe { self.held.load(Ordering::Acquire).as_ref() } {
            Some(h) if h.process == process => &h.value,
            _ => self.first(process),
        }
    }

    /// Creates the value of a process, unless another thread has done so.
    #[cold]
    fn first(&'static self, process: Process) -> &'static T {
        let mut held = self.held.load(Ordering::Acquire);
        loop {
            // SAFETY: `held` is null, or points to a box that a previous call leaked below.
            if let Some(h) = unsafe { held.as_ref() }
                && h.process == process
            {
                return &h.value;
            }
            let new = Box::into_raw(Box::new(Held { process, value: T::default() }));
            match self.held.compare_exchange(held, new, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: `new` comes from `Box::into_raw` above, and now that it is stored in `held` it is never
                // freed.
                Ok(_) => return unsafe { &(*new).value },
                Err(other) => {
                    // SAFETY: `new` comes from `Box::into_raw` above, and the exchange failed, so no other thread has
                    // the pointer.
                    drop(unsafe { Box::from_raw(new) });
                    held = other;
                }
            }
        }
    }
}

/// A value that children of `fork` inherit, and that nobody waits for. Replaced values are never dropped, since their
/// references may still be in use.
pub struct Inherited<T> {
    held: AtomicPtr<T>,
}

impl<T: Send + Sync> Default for Inherited<T> {
    fn default() -> Self {
        Inherited::new()
    }
}

impl<T: Send + Sync> Inherited<T> {
    /// Creates an empty value.
    pub const fn new() -> Self {
        Inherited { held: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// Returns the value, if there is one.
    #[inline]
    pub fn get(&'static self) -> Option<&'static T> {
        // SAFETY: `held` is null, or `update` set it to a box that it leaked.
        unsafe { self.held.load(Ordering::Acquire).as_ref() }
    }

    /// Replaces the value by the result of `next`, unless that is `None`. `next` is called again if another thread has
    /// replaced the value meanwhile.
    pub fn update(&'static self, next: impl Fn(Option<&'static T>) -> Option<T>) {
        let mut old = self.held.load(Ordering::Acquire);
        loop {
            // SAFETY: `held` was null, or a box that a previous call leaked below.
            let Some(value) = next(unsafe { old.as_ref() }) else { return };
            let new = Box::into_raw(Box::new(value));
            let Err(other) = self.held.compare_exchange(old, new, Ordering::AcqRel, Ordering::Acquire) else {
                return;
            };
            // SAFETY: `new` comes from `Box::into_raw` above, and the exchange failed, so no other thread has the
            // pointer.
            drop(unsafe { Box::from_raw(new) });
            old = other;
        }
    }
}

/// A value of another library that its first user makes while other users wait. In a child of `fork` they would wait
/// forever if the first user is a thread of the parent, so the value is completed before each fork after the first
/// [`begin`](Elsewhere::begin).
pub struct Elsewhere {
    complete: extern "C" fn(),
    announced: AtomicBool,
}

impl Elsewhere {
    /// `complete` uses the value, and has no other effect.
    pub const fn new(complete: extern "C" fn()) -> Elsewhere {
        Elsewhere { complete, announced: AtomicBool::new(false) }
    }

    /// To be called before each use of the value.
    #[inline]
    pub fn begin(&self) {
        if !self.announced.load(Ordering::Acquire) {
            self.announce();
        }
    }

    /// Threads that come here at once all announce the function: none uses the value before the system knows.
    #[cold]
    fn announce(&self) {
        before_forks(self.complete);
        self.announced.store(true, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_process_is_itself_in_all_threads() {
        let here = Process::current();
        assert!(here.is_current());
        assert!(std::thread::spawn(move || here.is_current()).join().unwrap());
        assert_eq!(by_id(), by_id());
    }

    /// Memory that is missing at the first use may come back.
    #[test]
    fn a_process_without_a_page_stays_itself() {
        let held = AtomicPtr::new(std::ptr::null_mut());
        let first = first_use(&held, || None);
        assert_eq!(first_use(&held, new_mark), first);
    }

    #[test]
    fn updates_of_all_threads_are_kept() {
        static VALUE: Inherited<Vec<u32>> = Inherited::new();
        assert_eq!(VALUE.get(), None);
        let with = |old: Option<&Vec<u32>>, n| old.into_iter().flatten().copied().chain([n]).collect();
        std::thread::scope(|s| {
            for n in 0..4 {
                s.spawn(move || VALUE.update(|old| Some(with(old, n))));
            }
        });
        VALUE.update(|_| None);
        let mut all = VALUE.get().unwrap().clone();
        all.sort();
        assert_eq!(all, [0, 1, 2, 3]);
    }

    #[test]
    fn a_process_has_one_value() {
        static VALUE: PerProcess<std::sync::Mutex<u32>> = PerProcess::new();
        std::thread::scope(|s| {
            for _ in 0..4 {
                s.spawn(|| *VALUE.get().lock().unwrap() += 1);
            }
        });
        assert_eq!(*VALUE.get().lock().unwrap(), 4);
    }
}

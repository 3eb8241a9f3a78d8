//! Which process this is.
//!
//! A child of `fork` has the memory of its parent but none of its threads, and a lock that another
//! thread held at that moment stays locked in the child for ever. So whatever owns threads or waits
//! remembers the [`Process`] that it was made in and refuses to serve another one, and what all
//! devices share lies in a [`PerProcess`], which starts afresh in a child. What becomes of code that
//! both have is in `memory`.

#![expect(unsafe_code, reason = "reads a page that the kernel clears in children")]

use std::sync::atomic::{AtomicPtr, AtomicU64, Ordering};

use rustix::mm::{Advice, MapFlags, ProtFlags};

/// A process: equal in all its threads, and unlike that of every ancestor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(u64);

impl Default for Process {
    fn default() -> Self {
        Process::current()
    }
}

/// The number of this process in a page that is zero in a new child. Null before the first use.
static MARK: AtomicPtr<AtomicU64> = AtomicPtr::new(std::ptr::null_mut());
/// The last number that this process or an ancestor took.
static LAST: AtomicU64 = AtomicU64::new(0);
/// Number and id of the process, where the kernel does not clear pages in children.
static BY_ID: AtomicU64 = AtomicU64::new(0);

impl Process {
    /// The calling process. Costs two loads.
    #[inline]
    pub fn current() -> Process {
        let mark = MARK.load(Ordering::Acquire);
        // SAFETY: null, or a page that stays mapped, in children too.
        match unsafe { mark.as_ref() }.map_or(0, |m| m.load(Ordering::Relaxed)) {
            0 => Process(first_use()),
            number => Process(number),
        }
    }

    /// True unless a child of the process that this was taken in asks.
    #[inline]
    pub fn is_current(self) -> bool {
        self == Process::current()
    }
}

/// Numbers the process at its first call.
#[cold]
fn first_use() -> u64 {
    let mut mark = MARK.load(Ordering::Acquire);
    if mark.is_null() {
        let Some(page) = wiped_page() else { return by_id() };
        match MARK.compare_exchange(mark, page, Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => mark = page,
            Err(other) => {
                // SAFETY: this page was mapped above and nobody has seen it.
                let _ = unsafe { rustix::mm::munmap(page.cast(), PAGE) };
                mark = other;
            }
        }
    }
    // SAFETY: a page that stays mapped, in children too.
    let mark = unsafe { &*mark };
    let number = LAST.fetch_add(1, Ordering::Relaxed) + 1;
    match mark.compare_exchange(0, number, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => number,
        Err(other) => other,
    }
}

/// The least length of a mapping; the kernel rounds up.
const PAGE: usize = 4096;

/// A page of zeros that is zero again in a child. `None` from kernels before 4.14 and where memory is out.
fn wiped_page() -> Option<*mut AtomicU64> {
    let (rights, flags) = (ProtFlags::READ | ProtFlags::WRITE, MapFlags::PRIVATE);
    // SAFETY: a new mapping where the kernel likes.
    let page = unsafe { rustix::mm::mmap_anonymous(std::ptr::null_mut(), PAGE, rights, flags) }.ok()?;
    // SAFETY: the page mapped above.
    match unsafe { rustix::mm::madvise(page, PAGE, Advice::LinuxWipeOnFork) } {
        Ok(()) => Some(page.cast()),
        Err(_) => {
            // SAFETY: the page mapped above, which nobody has seen.
            let _ = unsafe { rustix::mm::munmap(page, PAGE) };
            None
        }
    }
}

/// The number kept beside the process id: a system call each time.
fn by_id() -> u64 {
    let id = rustix::process::getpid().as_raw_nonzero().get() as u32;
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

/// A value of which each process has its own. In a child of `fork` it starts as the default; the parent's
/// is never dropped, since what hangs on it may be in use.
pub struct PerProcess<T> {
    held: AtomicPtr<Held<T>>,
}

impl<T: Default + Send + Sync> Default for PerProcess<T> {
    fn default() -> Self {
        PerProcess::new()
    }
}

impl<T: Default + Send + Sync> PerProcess<T> {
    /// Nothing yet.
    pub const fn new() -> Self {
        PerProcess { held: AtomicPtr::new(std::ptr::null_mut()) }
    }

    /// The value of this process. Making the default must not wait for another thread.
    #[inline]
    pub fn get(&'static self) -> &'static T {
        let process = Process::current();
        // SAFETY: null, or a box that `first` has leaked.
        match unsafe { self.held.load(Ordering::Acquire).as_ref() } {
            Some(h) if h.process == process => &h.value,
            _ => self.first(process),
        }
    }

    /// Makes the value of a process, unless another thread has.
    #[cold]
    fn first(&'static self, process: Process) -> &'static T {
        let mut held = self.held.load(Ordering::Acquire);
        loop {
            // SAFETY: null, or a box that was leaked below.
            if let Some(h) = unsafe { held.as_ref() }
                && h.process == process
            {
                return &h.value;
            }
            let new = Box::into_raw(Box::new(Held { process, value: T::default() }));
            match self.held.compare_exchange(held, new, Ordering::AcqRel, Ordering::Acquire) {
                // SAFETY: leaked just now, for good.
                Ok(_) => return unsafe { &(*new).value },
                Err(other) => {
                    // SAFETY: made above, and nobody has seen it.
                    drop(unsafe { Box::from_raw(new) });
                    held = other;
                }
            }
        }
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

//! A signal that interrupts the process at intervals of CPU time, and records the interrupted instruction.
//!
//! This is the only unsafe module of the crate. The handler may interrupt any code, including code that allocates or
//! holds a lock. It therefore accesses only atomics that exist from the start of the program or of the thread. Once
//! installed, the handler stays and does nothing while nobody samples. Without it, a signal that was pending when
//! sampling ended would end the process.

#![expect(unsafe_code, reason = "a signal handler")]

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use quadrille_jit::placed;

use crate::sample::Sample;

/// Maximum number of samples between two [`stop`]s; further samples are only counted.
const MOST: usize = 1 << 17;
/// CPU time between two samples, in microseconds. Kernels that count time in ticks of 4 ms send at most one signal per
/// tick.
const EVERY_US: libc::suseconds_t = 1000;

/// True while somebody samples.
static OPEN: AtomicBool = AtomicBool::new(false);
/// Number of working devices.
static WORKING: AtomicU32 = AtomicU32::new(0);
/// Number of samples since the last [`stop`], and the samples.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
static SLOTS: [Slot; MOST] = [const { Slot::new() }; MOST];

/// A [`Sample`]; the address is 0 until the other fields are written.
struct Slot {
    at: AtomicUsize,
    work: AtomicU8,
    caller: AtomicU64,
}

impl Slot {
    const fn new() -> Slot {
        Slot { at: AtomicUsize::new(0), work: AtomicU8::new(0), caller: AtomicU64::new(0) }
    }

    fn put(&self, at: usize, (work, caller): (u8, u64)) {
        self.work.store(work, Ordering::Relaxed);
        self.caller.store(caller, Ordering::Relaxed);
        self.at.store(at, Ordering::Release);
    }

    fn take(&self) -> Option<Sample> {
        let at = self.at.swap(0, Ordering::Acquire);
        let (work, caller) = (self.work.load(Ordering::Relaxed), self.caller.load(Ordering::Relaxed));
        (at != 0).then_some(Sample { at, work, caller })
    }
}

/// Address of the interrupted instruction.
#[cfg(target_arch = "x86_64")]
fn instruction(context: &libc::ucontext_t) -> usize {
    context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize
}

/// Address of the interrupted instruction.
#[cfg(target_arch = "aarch64")]
fn instruction(context: &libc::ucontext_t) -> usize {
    context.uc_mcontext.pc as usize
}

extern "C" fn handler(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    if !OPEN.load(Ordering::Relaxed) || WORKING.load(Ordering::Relaxed) == 0 {
        return;
    }
    // SAFETY: `install` set SA_SIGINFO, so the kernel passes a valid `ucontext_t`, which lives until the handler
    // returns.
    let at = instruction(unsafe { &*context.cast::<libc::ucontext_t>() });
    if let Some(slot) = SLOTS.get(TAKEN.fetch_add(1, Ordering::Relaxed)) {
        slot.put(at, placed::now());
    }
}

/// Announces that a device begins to work, or has finished.
pub fn works(begins: bool) {
    match begins {
        true => WORKING.fetch_add(1, Ordering::Relaxed),
        false => WORKING.fetch_sub(1, Ordering::Relaxed),
    };
}

fn set_timer(every_us: libc::suseconds_t) -> Result<(), String> {
    let every = libc::timeval { tv_sec: 0, tv_usec: every_us };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    // SAFETY: `timer` is a valid itimerval that outlives the call, and the null pointer says that the old value is not
    // requested.
    match unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(format!("the timer of CPU time: {}", std::io::Error::last_os_error())),
    }
}

/// Starts sampling.
///
/// # Errors
/// Another sampler is active, in this process or with this signal.
pub fn start() -> Result<(), String> {
    if OPEN.swap(true, Ordering::SeqCst) {
        return Err("samples are being taken already".into());
    }
    let begun = install().and_then(|()| {
        TAKEN.store(0, Ordering::SeqCst);
        set_timer(EVERY_US)
    });
    if begun.is_err() {
        OPEN.store(false, Ordering::SeqCst);
    }
    begun
}

/// Installs the handler, unless another handler is installed.
fn install() -> Result<(), String> {
    let ours = handler as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize;
    // SAFETY: all zeros is a valid sigaction: the default action, an empty mask, no flags.
    let mut old: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: the null pointer says that there is no new action, and `old` is a live local variable.
    if unsafe { libc::sigaction(libc::SIGPROF, ptr::null(), &mut old) } != 0 {
        return Err(format!("SIGPROF: {}", std::io::Error::last_os_error()));
    }
    if old.sa_sigaction == ours {
        return Ok(());
    }
    if ![libc::SIG_DFL, libc::SIG_IGN].contains(&old.sa_sigaction) {
        return Err("SIGPROF is taken by another profiler".into());
    }
    // SAFETY: all zeros is a valid sigaction: the default action, an empty mask, no flags.
    let mut new: libc::sigaction = unsafe { std::mem::zeroed() };
    new.sa_sigaction = ours;
    new.sa_flags = libc::SA_SIGINFO | libc::SA_RESTART | libc::SA_ONSTACK;
    // SAFETY: `handler` has the signature that SA_SIGINFO requires, and is async-signal-safe: it only loads and stores
    // atomics of the program, which live as long as the process.
    match unsafe { libc::sigaction(libc::SIGPROF, &new, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(format!("SIGPROF: {}", std::io::Error::last_os_error())),
    }
}

/// Stops sampling, and returns the samples since the start and the number of dropped samples.
pub fn stop() -> (Vec<Sample>, usize) {
    let _ = set_timer(0);
    OPEN.store(false, Ordering::SeqCst);
    let taken = TAKEN.swap(0, Ordering::SeqCst);
    let kept = taken.min(MOST);
    // A handler that has taken an index but not yet filled its slot leaves the slot empty.
    (SLOTS[..kept].iter().filter_map(Slot::take).collect(), taken - kept)
}

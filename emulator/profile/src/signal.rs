//! A signal that comes as often as the process has worked for a while, and notes where the processor was.
//!
//! The one place of this crate that is not safe Rust. The handler touches nothing but atomics that are there from the
//! start, of the program or of the thread: it may interrupt anything, code that allocates or holds a lock too. Once it is installed it stays, and does
//! nothing while nobody samples: a signal that was on its way when sampling ended would end the process otherwise.

#![expect(unsafe_code, reason = "a signal handler")]

use std::ffi::{c_int, c_void};
use std::ptr;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering};

use quadrille_jit::placed;

use crate::sample::Sample;

/// Samples that are kept between two [`stop`]s; more are counted only.
const MOST: usize = 1 << 17;
/// CPU time between two samples, in microseconds. Kernels that count time in ticks of 4 ms send no more than one for
/// each tick.
const EVERY_US: libc::suseconds_t = 1000;

/// Somebody samples.
static OPEN: AtomicBool = AtomicBool::new(false);
/// Devices that work.
static WORKING: AtomicU32 = AtomicU32::new(0);
/// Samples since the last [`stop`], and what they are.
static TAKEN: AtomicUsize = AtomicUsize::new(0);
static SLOTS: [Slot; MOST] = [const { Slot::new() }; MOST];

/// A [`Sample`]; the address is 0 until the rest is there.
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

/// The instruction that was interrupted.
#[cfg(target_arch = "x86_64")]
fn instruction(context: &libc::ucontext_t) -> usize {
    context.uc_mcontext.gregs[libc::REG_RIP as usize] as usize
}

/// The instruction that was interrupted.
#[cfg(target_arch = "aarch64")]
fn instruction(context: &libc::ucontext_t) -> usize {
    context.uc_mcontext.pc as usize
}

extern "C" fn handler(_: c_int, _: *mut libc::siginfo_t, context: *mut c_void) {
    if !OPEN.load(Ordering::Relaxed) || WORKING.load(Ordering::Relaxed) == 0 {
        return;
    }
    // SAFETY: the handler is installed with SA_SIGINFO, so the kernel passes a ucontext_t, which is the handler's own.
    let at = instruction(unsafe { &*context.cast::<libc::ucontext_t>() });
    if let Some(slot) = SLOTS.get(TAKEN.fetch_add(1, Ordering::Relaxed)) {
        slot.put(at, placed::now());
    }
}

/// A device begins to work, or has ended.
pub fn works(begins: bool) {
    match begins {
        true => WORKING.fetch_add(1, Ordering::Relaxed),
        false => WORKING.fetch_sub(1, Ordering::Relaxed),
    };
}

fn set_timer(every_us: libc::suseconds_t) -> Result<(), String> {
    let every = libc::timeval { tv_sec: 0, tv_usec: every_us };
    let timer = libc::itimerval { it_interval: every, it_value: every };
    // SAFETY: the new value is a valid itimerval, and the old one is not asked for.
    match unsafe { libc::setitimer(libc::ITIMER_PROF, &timer, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(format!("the timer of CPU time: {}", std::io::Error::last_os_error())),
    }
}

/// Begins to sample.
///
/// # Errors
/// In words: somebody samples already, in this process or by this signal.
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

/// Installs the handler, unless somebody else has one.
fn install() -> Result<(), String> {
    let ours = handler as extern "C" fn(c_int, *mut libc::siginfo_t, *mut c_void) as usize;
    // SAFETY: all zeros is a valid sigaction: the default action, an empty mask, no flags.
    let mut old: libc::sigaction = unsafe { std::mem::zeroed() };
    // SAFETY: no new action; the old one is written to a variable that is there.
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
    // SAFETY: the handler has the signature that SA_SIGINFO asks for, and does only what is allowed in one: it loads and
    // stores atomics of the program, which are there as long as the process.
    match unsafe { libc::sigaction(libc::SIGPROF, &new, ptr::null_mut()) } {
        0 => Ok(()),
        _ => Err(format!("SIGPROF: {}", std::io::Error::last_os_error())),
    }
}

/// Ends it; the samples since it began, and how many found no room.
pub fn stop() -> (Vec<Sample>, usize) {
    let _ = set_timer(0);
    OPEN.store(false, Ordering::SeqCst);
    let taken = TAKEN.swap(0, Ordering::SeqCst);
    let kept = taken.min(MOST);
    // A handler that has taken its number and not yet filled its slot leaves what was there before: nothing.
    (SLOTS[..kept].iter().filter_map(Slot::take).collect(), taken - kept)
}

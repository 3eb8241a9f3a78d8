//! Payloads of fences and semaphores that are stored outside their objects, so that other devices, other processes, and
//! programs that poll a descriptor can share them. `sync` decides which payload is in use.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use crate::error::{Error, Result, ensure};
use crate::memory::SharedWords;
use crate::sys::{AsFd, BorrowedFd, OwnedFd, event};

/// Kind of object that a payload belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A fence; the value is 1 if signaled.
    Fence,
    /// A binary semaphore; the value is 1 if signaled.
    Binary,
    /// A timeline semaphore; the value is the counter.
    Timeline,
}

impl Kind {
    /// `true` if the state can be copied: it is binary.
    pub fn is_copied(self) -> bool {
        match self {
            Kind::Fence | Kind::Binary => true,
            Kind::Timeline => false,
        }
    }

    /// Error of a copy of a state that cannot be copied.
    pub fn uncopied(self) -> Error {
        Error::invalid(format!("the state of a {self:?} cannot be copied"))
    }
}

/// First word of a shared payload, which distinguishes it from other files and from other versions of the layout.
const MAGIC: u64 = u64::from_le_bytes(*b"qdr-sync");

/// Word indices in the file: 0 is the magic number, then kind and value.
const KIND: usize = 1;
const VALUE: usize = 2;

/// A payload stored outside the object that it belongs to.
#[derive(Debug)]
pub(crate) enum Payload {
    /// Words in a file, shared by all importers.
    Words(Kind, SharedWords),
    /// A binary payload of this process, whose copies can be polled.
    Copied(Copied),
    /// A descriptor that becomes readable when the payload is signaled; it is never reset.
    Descriptor(OwnedFd),
    /// Permanently signaled.
    Signaled,
}

/// State of [`Payload::Copied`].
#[derive(Debug, Default)]
pub(crate) struct Copied {
    value: AtomicU64,
    /// Event descriptors that become readable when the payload is signaled.
    copies: Mutex<Vec<OwnedFd>>,
}

impl Copied {
    fn signal(&self) {
        let mut copies = self.copies.lock().unwrap_or_else(|e| e.into_inner());
        self.value.store(1, Ordering::Release);
        for copy in copies.drain(..) {
            event::raise(&copy);
        }
    }
}

impl Drop for Copied {
    fn drop(&mut self) {
        // No later call can signal the payload; without this signal, polls would wait forever.
        self.signal();
    }
}

impl Payload {
    /// Creates a payload that can be shared by reference.
    pub fn words(kind: Kind, value: u64) -> Result<Arc<Payload>> {
        let words = SharedWords::new()?;
        let [magic, of, at, ..] = words.all();
        at.store(value, Ordering::Relaxed);
        of.store(kind as u64, Ordering::Relaxed);
        magic.store(MAGIC, Ordering::Release);
        Ok(Arc::new(Payload::Words(kind, words)))
    }

    /// Imports a payload that another device shares by reference. `Invalid` for a descriptor of anything else.
    pub fn import_words(kind: Kind, fd: BorrowedFd<'_>) -> Result<Arc<Payload>> {
        let words = SharedWords::import(fd)?;
        let (magic, of) = (&words.all()[0], &words.all()[KIND]);
        let same = magic.load(Ordering::Acquire) == MAGIC && of.load(Ordering::Relaxed) == kind as u64;
        ensure(same, || format!("imported descriptor: it is not a {kind:?}"))?;
        Ok(Arc::new(Payload::Words(kind, words)))
    }

    /// Creates a binary payload whose copies can be polled.
    pub fn copied(value: u64) -> Arc<Payload> {
        Arc::new(Payload::Copied(Copied { value: AtomicU64::new(value), copies: Mutex::default() }))
    }

    /// Imports the state of a descriptor that can be polled; `None` is signaled. `Invalid` unless the state is binary.
    pub fn import_copy(kind: Kind, fd: Option<BorrowedFd<'_>>) -> Result<Arc<Payload>> {
        if !kind.is_copied() {
            return Err(kind.uncopied());
        }
        let Some(fd) = fd else { return Ok(Arc::new(Payload::Signaled)) };
        ensure(event::is_raised(fd).is_some(), || "imported descriptor: it cannot be polled".into())?;
        let fd = fd.try_clone_to_owned().map_err(|e| Error::OutOfMemory(format!("a descriptor: {e}")))?;
        Ok(Arc::new(Payload::Descriptor(fd)))
    }

    /// Returns a descriptor with which another device shares this payload by reference.
    pub fn share(&self) -> Result<OwnedFd> {
        match self {
            Payload::Words(_, words) => words.file().share(),
            _ => Err(Error::invalid("the payload is not shareable")),
        }
    }

    /// Returns a copy: a descriptor that becomes readable when the payload is signaled, or `None` if it is signaled
    /// already.
    pub fn copy(&self) -> Result<Option<OwnedFd>> {
        let failed = |e| Error::OutOfMemory(format!("a descriptor: {e}"));
        match self {
            Payload::Words(kind, _) if !kind.is_copied() => Err(kind.uncopied()),
            _ if self.value() != 0 => Ok(None),
            Payload::Copied(copied) => {
                let fd = event::create().map_err(failed)?;
                let mine = fd.try_clone().map_err(failed)?;
                let mut copies = copied.copies.lock().unwrap_or_else(|e| e.into_inner());
                if copied.value.load(Ordering::Acquire) != 0 {
                    return Ok(None);
                }
                copies.push(mine);
                Ok(Some(fd))
            }
            Payload::Descriptor(fd) => fd.try_clone().map(Some).map_err(failed),
            Payload::Words(..) | Payload::Signaled => Err(Error::invalid("the payload cannot be copied")),
        }
    }

    /// Returns the counter, or 1 if a binary payload is signaled.
    pub fn value(&self) -> u64 {
        match self {
            Payload::Words(_, words) => words.all()[VALUE].load(Ordering::Acquire),
            Payload::Copied(copied) => copied.value.load(Ordering::Acquire),
            Payload::Descriptor(fd) => u64::from(event::is_raised(fd.as_fd()) == Some(true)),
            Payload::Signaled => 1,
        }
    }

    /// Signals a binary payload, or raises the counter, which never decreases.
    pub fn signal(&self, value: u64) {
        match self {
            Payload::Words(Kind::Timeline, words) => {
                words.all()[VALUE].fetch_max(value, Ordering::AcqRel);
            }
            Payload::Words(_, words) => words.all()[VALUE].store(1, Ordering::Release),
            Payload::Copied(copied) => copied.signal(),
            Payload::Descriptor(_) | Payload::Signaled => {}
        }
    }

    /// Makes a binary payload unsignaled; a counter is left alone.
    pub fn reset(&self) {
        match self {
            Payload::Words(Kind::Fence | Kind::Binary, words) => {
                words.all()[VALUE].store(0, Ordering::Release)
            }
            Payload::Copied(copied) => copied.value.store(0, Ordering::Release),
            Payload::Words(Kind::Timeline, _) | Payload::Descriptor(_) | Payload::Signaled => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sys::mapping;

    /// The value, or `None` on a host whose descriptors no payload can have.
    fn if_shared<T>(value: Result<T>) -> Option<T> {
        match value {
            Err(e) if !mapping::OFFERED => {
                assert!(e.to_string().contains("no file descriptors"), "{e}");
                None
            }
            value => Some(value.unwrap()),
        }
    }

    #[test]
    fn who_imports_words_has_the_same_payload() {
        let Some(one) = if_shared(Payload::words(Kind::Timeline, 3)) else { return };
        let fd = one.share().unwrap();
        let two = Payload::import_words(Kind::Timeline, fd.as_fd()).unwrap();
        one.signal(7);
        assert_eq!(two.value(), 7);
        two.signal(5);
        assert_eq!(one.value(), 7, "counters only grow");
        assert!(Payload::import_words(Kind::Binary, fd.as_fd()).is_err(), "of another kind");
        let foreign = event::create().unwrap();
        assert!(Payload::import_words(Kind::Binary, foreign.as_fd()).is_err(), "no file of ours");
    }

    #[test]
    fn copies_are_told_once_and_stay_signaled() {
        let one = Payload::copied(0);
        let Some(fd) = if_shared(one.copy()) else { return };
        let fd = fd.expect("the payload is not signaled");
        let copy = Payload::import_copy(Kind::Fence, Some(fd.as_fd())).unwrap();
        assert_eq!(copy.value(), 0);
        one.signal(0);
        one.reset();
        assert_eq!((copy.value(), one.value()), (1, 0));
        let never = one.copy().unwrap().expect("the payload is not signaled");
        drop(one);
        let never = Payload::import_copy(Kind::Fence, Some(never.as_fd())).unwrap();
        assert_eq!(never.value(), 1, "nobody waits for what cannot come");
        assert!(Payload::copied(1).copy().unwrap().is_none());
    }
}

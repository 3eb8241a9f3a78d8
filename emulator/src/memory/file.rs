//! Anonymous files: memory that several devices and processes map. `dma_buf` makes those that kernel drivers can share
//! too.

use std::sync::Arc;
use std::sync::atomic::AtomicU64;

use quadrille_jit::abi;
use quadrille_jit::sys::memory::page_size;

use super::dma_buf;
use super::pages::Pages;
use crate::error::{Error, Result, ensure};
use crate::sys::{AsFd, BorrowedFd, OwnedFd, file};

/// A file that never shrinks, so that a mapping of it is always readable.
#[derive(Debug)]
pub(crate) struct File {
    fd: Arc<OwnedFd>,
    dma_buf: bool,
}

/// Rounds a size in bytes up to whole pages.
fn whole_pages(size: u64) -> Result<u64> {
    size.checked_next_multiple_of(page_size() as u64)
        .filter(|size| i64::try_from(*size).is_ok())
        .ok_or_else(|| Error::OutOfMemory(format!("{size} bytes do not fit a file")))
}

fn clone(fd: BorrowedFd<'_>) -> Result<OwnedFd> {
    fd.try_clone_to_owned().map_err(|e| Error::OutOfMemory(format!("a descriptor: {e}")))
}

fn failed(what: &str, e: std::io::Error) -> Error {
    Error::OutOfMemory(format!("{what} of a file in memory: {e}"))
}

impl File {
    /// Creates a file of at least `size` zero bytes.
    pub fn new(size: u64) -> Result<File> {
        let size = whole_pages(size)?;
        let fd = file::create(size).map_err(|e| failed("creation", e))?;
        Ok(File { fd: Arc::new(fd), dma_buf: false })
    }

    /// Creates a dma-buf of at least `size` zero bytes.
    pub fn new_dma_buf(size: u64) -> Result<File> {
        let size = whole_pages(size)?;
        let fd = dma_buf::of_file(File::new(size)?.fd(), size).map_err(|e| failed("a dma-buf", e))?;
        Ok(File { fd: Arc::new(fd), dma_buf: true })
    }

    /// Imports the file behind a descriptor. `Invalid` unless it has `size` bytes and is sealed against shrinking.
    pub fn import(fd: BorrowedFd<'_>, size: u64) -> Result<File> {
        let wrong = |what: &str| Error::invalid(format!("imported descriptor: {what}"));
        let len = file::lasting_size(fd).map_err(wrong)?;
        if len < size {
            return Err(wrong(&format!("the file has {len} bytes of {size}")));
        }
        Ok(File { fd: Arc::new(clone(fd)?), dma_buf: false })
    }

    /// Imports a dma-buf of any driver. `Invalid` unless it has `size` bytes and is writable.
    pub fn import_dma_buf(fd: BorrowedFd<'_>, size: u64) -> Result<File> {
        let wrong = |what: &str| Error::invalid(format!("imported descriptor: {what}"));
        ensure(dma_buf::is(fd), || "imported descriptor: it is not a dma-buf".into())?;
        let len = dma_buf::size(fd).map_err(|_| wrong("the dma-buf has no size"))?;
        ensure(len >= size, || format!("imported descriptor: the dma-buf has {len} bytes of {size}"))?;
        let rights = file::is_read_write(fd).ok_or_else(|| wrong("its access mode is unknown"))?;
        ensure(rights, || "imported descriptor: the dma-buf cannot be read and written".into())?;
        Ok(File { fd: Arc::new(clone(fd)?), dma_buf: true })
    }

    /// Descriptor of the file, if it is a dma-buf.
    pub fn dma_buf(&self) -> Option<&Arc<OwnedFd>> {
        self.dma_buf.then_some(&self.fd)
    }

    /// Returns a new descriptor of the same file.
    pub fn share(&self) -> Result<OwnedFd> {
        clone(self.fd())
    }

    /// Number of the file, the same for all memory that maps it.
    pub fn number(&self) -> Option<u64> {
        file::number(self.fd())
    }

    /// Descriptor of the file.
    pub fn fd(&self) -> BorrowedFd<'_> {
        (*self.fd).as_fd()
    }

    /// Maps the first `len` bytes; [`abi::PAD_BYTES`] readable bytes follow.
    pub fn map(&self, len: usize) -> Result<Pages> {
        let page = page_size();
        let all = len.checked_next_multiple_of(page).and_then(|n| n.checked_add(abi::PAD_BYTES.max(page)));
        let all =
            all.ok_or_else(|| Error::OutOfMemory(format!("{len} bytes do not fit the address space")))?;
        let pages = Pages::map(all)?;
        pages.show(0, len, self.fd(), 0)?;
        Ok(pages)
    }
}

/// Words in a file, changed atomically by every process that maps it.
#[derive(Debug)]
pub(crate) struct SharedWords {
    file: File,
    pages: Pages,
}

/// Number of words of a [`SharedWords`].
const WORDS: usize = 8;

impl SharedWords {
    /// Creates a file of zero words.
    pub fn new() -> Result<SharedWords> {
        SharedWords::of(File::new((WORDS * size_of::<u64>()) as u64)?)
    }

    /// Imports the words of a file behind a descriptor.
    pub fn import(fd: BorrowedFd<'_>) -> Result<SharedWords> {
        SharedWords::of(File::import(fd, (WORDS * size_of::<u64>()) as u64)?)
    }

    fn of(file: File) -> Result<SharedWords> {
        let pages = file.map(WORDS * size_of::<u64>())?;
        Ok(SharedWords { file, pages })
    }

    /// The file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// The words.
    pub fn all(&self) -> &[AtomicU64; WORDS] {
        // SAFETY: `File` checked that the file has `WORDS` words and cannot shrink, and `self` keeps the page-aligned
        // mapping alive. Other processes that map the file may write any value, and every value is valid for an atomic
        // word.
        #[expect(unsafe_code, reason = "reads a mapping as words")]
        unsafe {
            &*self.pages.as_ptr().cast()
        }
    }
}

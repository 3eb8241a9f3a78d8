//! Aliases: memory that is bound to several blocks of sparse images, or to blocks and buffers.
//!
//! Texels of images with sparse residency are stored in rows, so a block is a copy of its page of memory. This module
//! makes the copies of one page equal again whenever the specification may require it: before and after every queue
//! operation, and before and after copies by the host. It finds changes by comparing the copies byte by byte with the
//! last common state, whoever wrote them. A page that is bound in one place costs nothing: its bytes are written to
//! memory when it is unbound. Only images created with `SPARSE_ALIASED` take part; buffers, and images that are bound
//! as a whole, access memory directly. `resource::sparse` decides when pages are bound. Spec: Vulkan, "Sparse Memory
//! Aliasing".

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_raster::image::sparse::{PAGE, Piece};
use quadrille_raster::image::{Span, SparsePages};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use super::Memory;
use crate::error::{Error, Result};

/// Returns the bytes of a page in memory; the last page may be shorter.
pub(crate) fn page_of(memory: &Memory, offset: u64) -> Result<Span> {
    memory.span(offset, PAGE.min(memory.size().saturating_sub(offset)))
}

/// A page of an image that is bound to a page of memory.
#[derive(Clone)]
pub(crate) struct User {
    /// Page table of the image, which identifies the image.
    pub pages: Arc<SparsePages>,
    /// Index of the page in the image.
    pub page: u32,
    /// Memory of the image's texels, from the first byte.
    pub texels: Memory,
}

impl User {
    fn is(&self, pages: &Arc<SparsePages>, page: u32) -> bool {
        self.page == page && Arc::ptr_eq(&self.pages, pages)
    }

    fn span(&self) -> Result<Span> {
        self.texels.span(0, self.texels.size())
    }
}

/// Calls `f` with the start and the end of each run of bytes in which two rows differ.
fn each_change(a: &[u8], b: &[u8], mut f: impl FnMut(usize, usize)) {
    let mut from = 0;
    while let Some(first) = (from..a.len()).find(|&i| a[i] != b[i]) {
        let end = (first..a.len()).find(|&i| a[i] == b[i]).unwrap_or(a.len());
        f(first, end);
        from = end;
    }
}

/// Writes only the bytes in which `new` differs from `old`, because other threads may be writing the equal bytes.
fn write_changes(to: &Span, at: u64, old: &[u8], new: &[u8]) -> bool {
    let mut done = true;
    each_change(old, new, |first, end| done &= to.write(at + first as u64, &new[first..end]));
    done
}

/// A page of memory that is bound to pages of images.
struct Shown {
    memory: Memory,
    at: u64,
    users: SmallVec<[User; 2]>,
    /// Contents of all copies when they were last equal; `None` while the page has a single user.
    last: Option<Box<[u8]>>,
}

impl Shown {
    fn is_shared(&self) -> bool {
        self.users.len() > 1 || !self.users.is_empty() && self.memory.is_shown()
    }

    /// Writes the texels of the only user back to memory.
    fn keep(&self) -> Result<()> {
        let [user] = &self.users[..] else { return Ok(()) };
        // Freed memory has no contents to keep.
        if self.memory.check_alive("page").is_err() {
            return Ok(());
        }
        match user.pages.copy(user.page, &user.span()?, &page_of(&self.memory, self.at)?, true) {
            true => Ok(()),
            false => Err(Error::invalid(format!("page {} does not fit its memory", user.page))),
        }
    }

    /// Writes the texels of all users back to memory.
    fn take(&mut self) -> Result<()> {
        if self.last.is_some() { self.settle() } else { self.keep() }
    }

    /// Reads the page from memory.
    fn bytes(&self) -> Result<Box<[u8]>> {
        let span = page_of(&self.memory, self.at)?;
        let mut bytes = vec![0; span.size() as usize].into_boxed_slice();
        let _inside = span.read(0, &mut bytes);
        Ok(bytes)
    }

    /// Calls `f` with each row of a user: its position, its bytes in the image, and the same bytes of `page`.
    fn each_row(user: &User, page: &mut [u8], mut f: impl FnMut(&Piece, &[u8], &mut [u8])) -> Result<Span> {
        let texels = user.span()?;
        let mut row = vec![0; PAGE as usize];
        for piece in user.pages.pieces(user.page) {
            // The last page of memory may be shorter than `PAGE`.
            let first = (piece.page as usize).min(page.len());
            let len = piece.len.min(page.len() - first);
            let piece = Piece { page: first as u64, len, ..piece };
            if texels.read(piece.image, &mut row[..len]) {
                f(&piece, &row[..len], &mut page[first..first + len]);
            }
        }
        Ok(texels)
    }

    /// Makes all copies equal.
    fn settle(&mut self) -> Result<()> {
        let Some(last) = self.last.take() else { return Ok(()) };
        let memory = self.bytes()?;
        let mut next = memory.clone();
        let mut same = memory == last;
        for user in &self.users {
            Shown::each_row(user, &mut next, |piece, row, next| {
                let last = &last[piece.page as usize..][..row.len()];
                if row != last {
                    same = false;
                    each_change(row, last, |first, end| next[first..end].copy_from_slice(&row[first..end]));
                }
            })?;
        }
        if !same {
            write_changes(&page_of(&self.memory, self.at)?, 0, &memory, &next);
            for user in &self.users {
                let texels = user.span()?;
                Shown::each_row(user, &mut next, |piece, row, next| {
                    write_changes(&texels, piece.image, row, next);
                })?;
            }
        }
        self.last = Some(next);
        Ok(())
    }
}

/// Pages of a device's memory that are bound to pages of images.
#[derive(Default)]
pub(crate) struct Aliases {
    /// Pages by the address of their first byte.
    pages: Mutex<FxHashMap<u64, Shown>>,
    /// Number of pages with several users.
    shared: AtomicUsize,
}

impl Aliases {
    fn lock(&self) -> MutexGuard<'_, FxHashMap<u64, Shown>> {
        self.pages.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Updates the sharing state of a page after its users have changed or its memory was bound elsewhere.
    fn update(&self, page: &mut Shown) -> Result<()> {
        match (page.is_shared(), page.last.is_some()) {
            (true, false) => {
                page.last = Some(page.bytes()?);
                self.shared.fetch_add(1, Ordering::Relaxed);
            }
            (false, true) => {
                page.last = None;
                self.shared.fetch_sub(1, Ordering::Relaxed);
            }
            _ => {}
        }
        Ok(())
    }

    /// Adds a page of an image as a user of a page of memory. Texels of earlier users are first written back to memory.
    pub fn add(&self, memory: &Memory, at: u64, user: User) -> Result<()> {
        let mut pages = self.lock();
        let page = pages.entry(memory.address() + at).or_insert_with(|| Shown {
            memory: memory.clone(),
            at,
            users: SmallVec::new(),
            last: None,
        });
        page.take()?;
        page.users.push(user);
        self.update(page)
    }

    /// Removes a page of an image as a user of a page of memory, after its texels are written back to memory.
    pub fn remove(&self, memory: &Memory, at: u64, of: &Arc<SparsePages>, number: u32) -> Result<()> {
        let mut pages = self.lock();
        let key = memory.address() + at;
        let Some(page) = pages.get_mut(&key) else { return Ok(()) };
        page.take()?;
        page.users.retain(|user| !user.is(of, number));
        self.update(page)?;
        if page.users.is_empty() {
            pages.remove(&key);
        }
        Ok(())
    }

    /// Marks memory that is about to be bound to a buffer, or to an image as a whole.
    pub fn show(&self, memory: &Memory) -> Result<()> {
        if memory.is_shown() {
            return Ok(());
        }
        let mut pages = self.lock();
        memory.set_shown();
        pages.values_mut().filter(|page| page.memory.is_same(memory)).try_for_each(|page| {
            page.take()?;
            self.update(page)
        })
    }

    /// Makes the copies of every shared page equal.
    pub fn settle(&self) -> Result<()> {
        if self.shared.load(Ordering::Relaxed) == 0 {
            return Ok(());
        }
        self.lock().values_mut().try_for_each(Shown::settle)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_are_runs() {
        let mut runs = Vec::new();
        each_change(b"abcdefgh", b"aBCdefgH", |first, end| runs.push((first, end)));
        assert_eq!(runs, [(1, 3), (7, 8)]);
        each_change(b"same", b"same", |_, _| panic!("no change"));
    }
}

//! Aliases: memory that several blocks of sparse images show, or blocks and buffers.
//!
//! Texels of images with residency lie in rows, so a block is a copy of its page of memory. Here, copies of one page
//! are made the same again whenever the specification may ask for it: around everything that a queue runs, and around
//! copies by the host. What changed since the last time is found by comparing, byte by byte, whoever wrote it. Pages
//! that are bound in one place cost nothing: they go to their memory when they leave it. Only images that are created
//! with `SPARSE_ALIASED` take part; buffers, and images that are bound as a whole, show memory itself. When pages are
//! bound is the business of `sparse`. Spec: Vulkan, "Sparse Memory Aliasing".

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard};

use quadrille_raster::image::sparse::{PAGE, Piece};
use quadrille_raster::image::{Span, SparsePages};
use rustc_hash::FxHashMap;
use smallvec::SmallVec;

use crate::error::{Error, Result};
use crate::memory::Memory;

/// The bytes of a page in memory.
pub(crate) fn page_of(memory: &Memory, offset: u64) -> Result<Span> {
    memory.span(offset, PAGE.min(memory.size().saturating_sub(offset)))
}

/// A page of an image that shows a page of memory.
#[derive(Clone)]
pub(crate) struct User {
    /// What the image is known by.
    pub pages: Arc<SparsePages>,
    /// Which of its pages.
    pub page: u32,
    /// The memory of its texels, from its first byte.
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

/// Calls `f` with the first byte and the end of each run of bytes in which two rows differ.
fn each_change(a: &[u8], b: &[u8], mut f: impl FnMut(usize, usize)) {
    let mut from = 0;
    while let Some(first) = (from..a.len()).find(|&i| a[i] != b[i]) {
        let end = (first..a.len()).find(|&i| a[i] == b[i]).unwrap_or(a.len());
        f(first, end);
        from = end;
    }
}

/// Writes the bytes in which `new` is not `old`, and no others: somebody else may be writing those.
fn write_changes(to: &Span, at: u64, old: &[u8], new: &[u8]) -> bool {
    let mut done = true;
    each_change(old, new, |first, end| done &= to.write(at + first as u64, &new[first..end]));
    done
}

/// A page of memory that images show.
struct Shown {
    memory: Memory,
    at: u64,
    users: SmallVec<[User; 2]>,
    /// What all of them had when they were last the same; none while there is nobody else.
    last: Option<Box<[u8]>>,
}

impl Shown {
    fn is_shared(&self) -> bool {
        self.users.len() > 1 || !self.users.is_empty() && self.memory.is_shown()
    }

    /// Takes what its only user has to memory.
    fn keep(&self) -> Result<()> {
        let [user] = &self.users[..] else { return Ok(()) };
        // Memory that is freed has nothing to be kept.
        if self.memory.check_alive("page").is_err() {
            return Ok(());
        }
        match user.pages.copy(user.page, &user.span()?, &page_of(&self.memory, self.at)?, true) {
            true => Ok(()),
            false => Err(Error::invalid(format!("page {} does not fit its memory", user.page))),
        }
    }

    /// Takes what its users have to memory.
    fn take(&mut self) -> Result<()> {
        if self.last.is_some() { self.settle() } else { self.keep() }
    }

    /// Its bytes in memory.
    fn bytes(&self) -> Result<Box<[u8]>> {
        let span = page_of(&self.memory, self.at)?;
        let mut bytes = vec![0; span.size() as usize].into_boxed_slice();
        let _inside = span.read(0, &mut bytes);
        Ok(bytes)
    }

    /// Calls `f` with each row of a user: where it is, its bytes in the image, and their place in the page.
    fn each_row(user: &User, page: &mut [u8], mut f: impl FnMut(&Piece, &[u8], &mut [u8])) -> Result<Span> {
        let texels = user.span()?;
        let mut row = vec![0; PAGE as usize];
        for piece in user.pages.pieces(user.page) {
            // The last page of memory may be shorter.
            let first = (piece.page as usize).min(page.len());
            let len = piece.len.min(page.len() - first);
            let piece = Piece { page: first as u64, len, ..piece };
            if texels.read(piece.image, &mut row[..len]) {
                f(&piece, &row[..len], &mut page[first..first + len]);
            }
        }
        Ok(texels)
    }

    /// Makes all copies the same.
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

/// The pages of a device's memory that images show.
#[derive(Default)]
pub(crate) struct Aliases {
    /// By the address of their first byte.
    pages: Mutex<FxHashMap<u64, Shown>>,
    /// How many of them show in several places.
    shared: AtomicUsize,
}

impl Aliases {
    fn lock(&self) -> MutexGuard<'_, FxHashMap<u64, Shown>> {
        self.pages.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// After users came or went, or the memory was shown.
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

    /// A page of an image shows a page of memory from now on; what is bound there has been taken to memory.
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

    /// It shows it no more; what it had is in memory, or goes there.
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

    /// A memory is about to show in a buffer, or in an image that is bound as a whole.
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

    /// Makes all that shows in several places the same.
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

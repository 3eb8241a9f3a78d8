//! Who accessed what last: a cell for each word of memory.

use quadrille_jit::interp::watch::Range;
use rustc_hash::FxHashMap;

/// Who an invocation is, for comparing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// The dispatch or draw.
    pub step: u32,
    /// Its workgroup, or what else runs together.
    pub unit: u32,
    /// Its lane group there.
    pub group: u32,
    /// Its number there.
    pub local: u32,
}

/// An access to a word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Access {
    /// Who.
    pub thread: Thread,
    /// Index of the place in the module; 0: there was no access.
    pub site: u32,
    /// Interval between control barriers of the unit that order this memory.
    pub interval: u32,
    /// Interval between barriers of the lane group.
    pub turn: u32,
    /// Releases before it.
    pub time: u32,
    /// Bytes of the word.
    pub bytes: u8,
    /// It is an atomic.
    pub atomic: bool,
    /// It is in a section that invocations enter one after another.
    pub locked: bool,
    /// What the module says of it.
    pub says: Says,
    /// What was written.
    pub value: u32,
}

/// How far something reaches among invocations: a scope, as far as those of a dispatch or draw can tell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Reach {
    /// To nobody else.
    #[default]
    Invocation,
    Subgroup,
    Workgroup,
    /// To all: queue family, device, all devices.
    Device,
}

impl Reach {
    const ALL: [Reach; 4] = [Reach::Invocation, Reach::Subgroup, Reach::Workgroup, Reach::Device];

    /// Of the number of a scope.
    pub fn of_scope(scope: u32) -> Reach {
        match scope {
            2 => Reach::Workgroup,
            3 => Reach::Subgroup,
            4 => Reach::Invocation,
            _ => Reach::Device,
        }
    }

    /// Its place in lists by reach, which have none for the invocation.
    pub fn index(self) -> usize {
        (self as usize).saturating_sub(1)
    }
}

/// What a module that declares the Vulkan memory model says of an access, in a byte; of other modules nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Says(u8);

impl Says {
    /// Of a private access or not; what it writes is made available that far, what it reads visible from there.
    pub fn new(private: bool, reach: Reach) -> Says {
        Says(1 << 7 | u8::from(private) << 6 | reach as u8)
    }

    /// The module declares the model.
    pub fn is_vulkan(self) -> bool {
        self.0 >> 7 == 1
    }

    /// Nobody else is expected to access the memory at the same time.
    pub fn is_private(self) -> bool {
        self.0 >> 6 & 1 == 1
    }

    /// How far it makes available or visible.
    pub fn reach(self) -> Reach {
        Reach::ALL[usize::from(self.0 & 3)]
    }
}

/// The last accesses to a word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// The last write.
    pub write: Access,
    /// The last reads, of different invocations.
    pub reads: [Access; 2],
}

impl Cell {
    /// Accesses that were made: the write, then reads.
    pub fn all(&self) -> impl Iterator<Item = (bool, &Access)> {
        let reads = self.reads.iter().map(|r| (false, r));
        std::iter::once((true, &self.write)).chain(reads).filter(|(_, a)| a.site != 0)
    }

    /// Notes an access.
    pub fn put(&mut self, writes: bool, access: Access) {
        if writes {
            self.write = access;
            return;
        }
        // A reader that is ordered before is of no interest any more. Of the others the first stays, so that one is
        // there that is not the invocation that writes.
        let over = |r: &Access| {
            (r.thread.step, r.thread.unit) == (access.thread.step, access.thread.unit)
                && r.interval != access.interval
        };
        let free = |r: &Access| r.site == 0 || r.thread == access.thread || over(r);
        let at = self.reads.iter().position(free).unwrap_or(1);
        self.reads[at] = access;
    }
}

/// Words of a page.
const PAGE: usize = 64;
/// Most pages that are kept: what is accessed beyond is not looked at.
const MAX_PAGES: usize = 1 << 17;

/// The cells of a memory.
#[derive(Default)]
pub struct Shadow {
    pages: FxHashMap<u64, Box<[Cell; PAGE]>>,
}

impl Shadow {
    /// The cell of word `at`, unless there are too many.
    pub fn cell(&mut self, at: u64) -> Option<&mut Cell> {
        let n = self.pages.len();
        let (page, word) = (at / PAGE as u64, (at % PAGE as u64) as usize);
        if n >= MAX_PAGES && !self.pages.contains_key(&page) {
            return None;
        }
        let page = self.pages.entry(page).or_insert_with(|| Box::new([Cell::default(); PAGE]));
        Some(&mut page[word])
    }

    /// The cells of words that bytes are in, with the words.
    pub fn within(&self, bytes: Range) -> impl Iterator<Item = (u64, &Cell)> {
        let (first, end) = (bytes.base / 4, bytes.base.saturating_add(bytes.size).div_ceil(4));
        let pages = first / PAGE as u64..end.div_ceil(PAGE as u64);
        // Whichever is less: the pages that there are, or those that there could be.
        let few = pages.end - pages.start < self.pages.len() as u64;
        let asked = pages.clone().take(if few { self.pages.len() } else { 0 });
        let asked = asked.filter_map(move |p| Some((p, self.pages.get(&p)?)));
        let all = self.pages.iter().map(|(p, page)| (*p, page));
        let all = all.filter(move |(p, _)| !few && pages.contains(p));
        asked.chain(all).flat_map(move |(p, page)| {
            let words = (p * (PAGE as u64)..).zip(page.iter());
            words.filter(move |(word, _)| (first..end).contains(word))
        })
    }

    /// Nobody accessed anything.
    pub fn clear(&mut self) {
        if self.pages.len() > 256 {
            self.pages.clear();
        } else {
            self.pages.values_mut().for_each(|page| **page = [Cell::default(); PAGE]);
        }
    }
}

//! Shadow memory with the last accesses to each word.

use quadrille_jit::interp::watch::Range;
use rustc_hash::FxHashMap;

/// Identity of an invocation.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Thread {
    /// Number of the dispatch or draw.
    pub step: u32,
    /// Number of its workgroup, or of another unit of invocations.
    pub unit: u32,
    /// Number of its lane group in the unit.
    pub group: u32,
    /// Number of the invocation in the unit.
    pub local: u32,
}

/// An access to a word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Access {
    /// Invocation that made the access.
    pub thread: Thread,
    /// Index of the site; 0 if there was no access.
    pub site: u32,
    /// Number of the unit's control barriers before the access.
    pub phase: u32,
    /// Number of the last control barrier that orders this memory. It orders accesses of earlier phases before this one.
    pub interval: u32,
    /// Interval between barriers of the lane group.
    pub turn: u32,
    /// Number of releases before the access.
    pub time: u32,
    /// Byte mask of the word.
    pub bytes: u8,
    /// True if it is atomic.
    pub atomic: bool,
    /// True if it is in an interlocked section, which invocations enter one at a time.
    pub locked: bool,
    /// Memory operands of the access.
    pub says: Says,
    /// Value that was written.
    pub value: u32,
}

/// Set of invocations that an operation reaches: a scope, as far as a dispatch or draw distinguishes scopes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
#[repr(u8)]
pub enum Reach {
    /// Only the invocation itself.
    #[default]
    Invocation,
    Subgroup,
    Workgroup,
    /// All invocations: queue family, device or all devices.
    Device,
}

impl Reach {
    const ALL: [Reach; 4] = [Reach::Invocation, Reach::Subgroup, Reach::Workgroup, Reach::Device];

    /// Converts the number of a scope.
    pub fn of_scope(scope: u32) -> Reach {
        match scope {
            2 => Reach::Workgroup,
            3 => Reach::Subgroup,
            4 => Reach::Invocation,
            _ => Reach::Device,
        }
    }

    /// Index in lists by reach, which have no entry for `Invocation`.
    pub fn index(self) -> usize {
        (self as usize).saturating_sub(1)
    }
}

/// Memory operands of an access under the Vulkan memory model, in a byte; 0 for other modules.
#[derive(Clone, Copy, Debug, Default)]
pub struct Says(u8);

impl Says {
    /// Creates operands: the private flag, and the reach to which a write is made available or from which a read is
    /// made visible.
    pub fn new(private: bool, reach: Reach) -> Says {
        Says(1 << 7 | u8::from(private) << 6 | reach as u8)
    }

    /// True if the module declares the Vulkan memory model.
    pub fn is_vulkan(self) -> bool {
        self.0 >> 7 == 1
    }

    /// True if no other invocation is expected to access the memory at the same time.
    pub fn is_private(self) -> bool {
        self.0 >> 6 & 1 == 1
    }

    /// Reach of the availability or visibility operation.
    pub fn reach(self) -> Reach {
        Reach::ALL[usize::from(self.0 & 3)]
    }
}

/// The last accesses to a word.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cell {
    /// The last write that is not atomic.
    pub write: Access,
    /// The last atomic writes, of different invocations. They race with other accesses than `write`, so that neither
    /// hides the other.
    pub atomics: [Access; 2],
    /// The last reads, of different invocations.
    pub reads: [Access; 2],
}

impl Cell {
    /// Yields the recorded accesses: the writes (`true`), then the reads.
    pub fn all(&self) -> impl Iterator<Item = (bool, &Access)> {
        let writes = std::iter::once(&self.write).chain(&self.atomics).map(|w| (true, w));
        let reads = self.reads.iter().map(|r| (false, r));
        writes.chain(reads).filter(|(_, a)| a.site != 0)
    }

    /// Records an access.
    pub fn put(&mut self, writes: bool, access: Access) {
        // Accesses that are ordered before this one.
        let over = |r: &Access| {
            (r.thread.step, r.thread.unit) == (access.thread.step, access.thread.unit)
                && r.phase < access.interval
        };
        let list = match (writes, access.atomic) {
            // The Vulkan memory model orders the last write alone by availability and visibility.
            (true, _) if access.says.is_vulkan() => {
                (self.write, self.atomics) = (access, Default::default());
                return;
            }
            (true, false) => {
                self.write = access;
                return;
            }
            (true, true) => &mut self.atomics,
            (false, true) => {
                // An atomic read races with fewer accesses than another read of the same invocation.
                let stronger = |r: &Access| r.site != 0 && r.thread == access.thread && !r.atomic && !over(r);
                if self.reads.iter().any(stronger) {
                    return;
                }
                &mut self.reads
            }
            (false, false) => &mut self.reads,
        };
        // Replace an access that is ordered before this one. Otherwise keep the first, so that one of the two is by
        // another invocation than a later access.
        let free = |r: &Access| r.site == 0 || r.thread == access.thread || over(r);
        let at = list.iter().position(free).unwrap_or(1);
        list[at] = access;
    }
}

/// Number of words per page.
const PAGE: usize = 64;
/// Largest number of pages; accesses beyond are not checked.
const MAX_PAGES: usize = 1 << 17;

/// Cells of a memory, by page.
#[derive(Default)]
pub struct Shadow {
    pages: FxHashMap<u64, Box<[Cell; PAGE]>>,
}

impl Shadow {
    /// Returns the cell of word `at`, unless there are too many pages.
    pub fn cell(&mut self, at: u64) -> Option<&mut Cell> {
        let n = self.pages.len();
        let (page, word) = (at / PAGE as u64, (at % PAGE as u64) as usize);
        if n >= MAX_PAGES && !self.pages.contains_key(&page) {
            return None;
        }
        let page = self.pages.entry(page).or_insert_with(|| Box::new([Cell::default(); PAGE]));
        Some(&mut page[word])
    }

    /// Yields the words that contain these bytes, with their cells.
    pub fn within(&self, bytes: Range) -> impl Iterator<Item = (u64, &Cell)> {
        let (first, end) = (bytes.base / 4, bytes.base.saturating_add(bytes.size).div_ceil(4));
        let pages = first / PAGE as u64..end.div_ceil(PAGE as u64);
        // Iterate over existing pages or over possible pages, whichever are fewer.
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

    /// Forgets all accesses.
    pub fn clear(&mut self) {
        if self.pages.len() > 256 {
            self.pages.clear();
        } else {
            self.pages.values_mut().for_each(|page| **page = [Cell::default(); PAGE]);
        }
    }
}

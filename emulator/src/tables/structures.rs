//! Acceleration structures by device address: contents for builds and copies, and the top levels that shaders see.
//!
//! A shader may use any number as the address of a structure. A number that is not the address of a living structure
//! gives an empty scene. `rays` decides when contents change.
//!
//! A top level refers to the cells of its bottom levels. Shaders see a top level with the trees of its build, which is
//! walked without a look-up; [`Structures::freshen`] replaces these trees before a command that may trace rays, if a
//! bottom level has changed since. A cell ends with the last structure at its address ([`Share`]), whoever else still
//! reads it, so that a later structure at the same address is not the one that an instance refers to.

#![expect(unsafe_code, reason = "hands the table to shaders")]

use std::any::Any;
use std::collections::hash_map::Entry;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, RwLockReadGuard, Weak};

use quadrille_check::events::{Event, StructureChange};
use quadrille_jit::interp::watch::Range;
use quadrille_raster::RayTable;
use quadrille_raster::rays::Scenes;
use quadrille_rays::{BottomLevel, Micromap, TopLevel};
use rustc_hash::FxHashMap;

use crate::memory::Charge;
use crate::observation::watching::Watching;

/// Contents of a bottom level. Clones are the same tree.
#[derive(Clone)]
pub(crate) struct Bottom {
    pub level: Arc<BottomLevel>,
    /// Device addresses of the micromaps that were built into it, one for each geometry that has one.
    pub micromaps: Arc<[u64]>,
    /// The memory of the tree, which counts until the last clone is dropped.
    #[expect(dead_code, reason = "only its drop has an effect")]
    pub charge: Arc<Charge>,
}

/// A structure that instances of a top level refer to.
#[derive(Clone)]
pub(crate) struct Referenced {
    /// Device address at the time of the build.
    pub address: u64,
    cell: Weak<Cell>,
    /// The tree that the top level has. `None` for structures that are not built, or no bottom levels.
    pub bottom: Option<Bottom>,
}

impl Referenced {
    /// Refers to a structure with its contents of now.
    pub fn new(cell: &Arc<Cell>) -> Referenced {
        Referenced { address: cell.address(), cell: Arc::downgrade(cell), bottom: cell.bottom() }
    }

    /// The contents of now. Those of destroyed structures stay what they were if the top level keeps them alive.
    fn current(&self, is_explicit: bool) -> Option<Bottom> {
        match self.cell.upgrade().map(|cell| cell.contents().clone()) {
            Some(Contents::Alive(Some(Tree::Bottom(bottom)))) => Some(bottom),
            Some(Contents::Alive(None | Some(Tree::Top(_) | Tree::Micromap(_)))) => None,
            Some(Contents::Ended) | None if is_explicit => None,
            Some(Contents::Ended) | None => self.bottom.clone(),
        }
    }
}

/// Structures that the instances of a top level refer to.
#[derive(Clone)]
pub(crate) struct References {
    /// The different structures.
    pub all: Arc<[Referenced]>,
    /// Index of the structure of each instance; `None` for instances that refer to none.
    pub of: Arc<[Option<u32>]>,
}

impl References {
    /// The structure of an instance.
    pub fn of(&self, instance: usize) -> Option<&Referenced> {
        self.all.get((*self.of.get(instance)?)? as usize)
    }

    /// Device address of the structure of each instance; 0 for instances that refer to none.
    pub fn addresses(&self) -> impl Iterator<Item = u64> {
        (0..self.of.len()).map(|instance| self.of(instance).map_or(0, |of| of.address))
    }

    /// The bottom level of each instance.
    pub fn levels(&self) -> impl Iterator<Item = Option<Arc<BottomLevel>>> {
        (0..self.of.len()).map(|instance| Some(self.of(instance)?.bottom.as_ref()?.level.clone()))
    }
}

/// Contents of a top level. Clones are the same tree.
#[derive(Clone)]
pub(crate) struct Top {
    pub level: Arc<TopLevel>,
    pub references: References,
    /// The memory of the tree, which counts until the last clone is dropped.
    pub charge: Arc<Charge>,
}

impl Top {
    /// The same tree with the contents of now of its bottom levels. `None` if no bottom level has changed.
    fn freshened(&self, is_explicit: bool) -> Option<Top> {
        let same = |a: &Option<Bottom>, b: &Option<Bottom>| match (a, b) {
            (Some(a), Some(b)) => Arc::ptr_eq(&a.level, &b.level),
            (None, None) => true,
            (Some(_), None) | (None, Some(_)) => false,
        };
        let mut changed = false;
        let all = self.references.all.iter().map(|known| {
            let bottom = known.current(is_explicit);
            changed |= !same(&bottom, &known.bottom);
            Referenced { bottom, ..known.clone() }
        });
        let all = all.collect();
        if !changed {
            return None;
        }
        let references = References { all, of: self.references.of.clone() };
        let mut levels = references.levels();
        let level = Arc::new(self.level.with_bottoms(|_| levels.next().flatten()));
        drop(levels);
        Some(Top { level, references, charge: self.charge.clone() })
    }
}

/// Contents of a micromap. Clones are the same map.
#[derive(Clone)]
pub(crate) struct OpacityMap {
    pub map: Arc<Micromap>,
    /// The memory of the map, which counts until the last clone is dropped.
    #[expect(dead_code, reason = "only its drop has an effect")]
    pub charge: Arc<Charge>,
}

/// Contents of an acceleration structure.
#[derive(Clone)]
pub(crate) enum Tree {
    Bottom(Bottom),
    Top(Top),
    Micromap(OpacityMap),
}

/// The contents of a cell.
#[derive(Clone)]
enum Contents {
    /// The tree of the last build or copy; `None` before the first.
    Alive(Option<Tree>),
    /// The last structure at the address was destroyed.
    Ended,
}

/// The contents that all structures at one address share. Locks are taken in this order: cells of the device, contents
/// of one cell, scenes.
pub(crate) struct Cell {
    address: u64,
    contents: RwLock<Contents>,
    structures: Arc<Structures>,
    /// Object that lives as long as the cell; `rays` keeps the memory of descriptors here.
    pub companion: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Cell {
    /// The device address.
    pub fn address(&self) -> u64 {
        self.address
    }

    fn contents(&self) -> RwLockReadGuard<'_, Contents> {
        self.contents.read().unwrap_or_else(PoisonError::into_inner)
    }

    /// The contents, unless nothing was built or copied yet.
    pub fn tree(&self) -> Option<Tree> {
        match &*self.contents() {
            Contents::Alive(tree) => tree.clone(),
            Contents::Ended => None,
        }
    }

    /// The contents, if they are those of a bottom level.
    fn bottom(&self) -> Option<Bottom> {
        match self.tree()? {
            Tree::Bottom(bottom) => Some(bottom),
            Tree::Top(_) | Tree::Micromap(_) => None,
        }
    }

    /// Replaces the contents. Shaders see a top level from their next operation on, and a bottom level from the next
    /// command on.
    pub fn set(&self, tree: Tree) {
        self.structures.tell(self.address, || match &tree {
            Tree::Bottom(_) | Tree::Micromap(_) => Told::Bottom,
            Tree::Top(top) => Told::Top(top.references.all.iter().map(|b| b.address).collect()),
        });
        self.replace(tree, |_| true);
        self.structures.changes.fetch_add(1, Ordering::Release);
    }

    /// Replaces the contents if the cell has not ended and those of now satisfy the condition.
    fn replace(&self, tree: Tree, may: impl FnOnce(Option<&Tree>) -> bool) {
        let mut contents = self.contents.write().unwrap_or_else(PoisonError::into_inner);
        let Contents::Alive(old) = &mut *contents else { return };
        if !may(old.as_ref()) {
            return;
        }
        let scene = match &tree {
            Tree::Top(top) => Some(top.level.clone()),
            Tree::Bottom(_) | Tree::Micromap(_) => None,
        };
        self.structures.scenes.set(self.address, scene);
        let old = old.replace(tree);
        drop((contents, old));
    }

    /// Gives a top level the contents of now of its bottom levels.
    fn freshen(&self) {
        let Some(Tree::Top(known)) = self.tree() else { return };
        if let Some(top) = known.freshened(self.structures.is_explicit) {
            self.exchange(&known, top);
        }
    }

    /// Replaces a top level, unless a build has replaced it meanwhile.
    fn exchange(&self, known: &Top, top: Top) {
        self.replace(Tree::Top(top), |now| match now {
            Some(Tree::Top(now)) => Arc::ptr_eq(&now.level, &known.level),
            Some(Tree::Bottom(_) | Tree::Micromap(_)) | None => false,
        });
    }

    /// Ends the cell, and with it what shaders see at its address.
    fn end(&self) {
        let mut contents = self.contents.write().unwrap_or_else(PoisonError::into_inner);
        self.structures.scenes.set(self.address, None);
        let old = std::mem::replace(&mut *contents, Contents::Ended);
        drop((contents, old));
    }
}

/// The share of a structure in the cell at its address. The last one ends the cell when it is dropped.
pub(crate) struct Share {
    cell: Arc<Cell>,
    /// The buffer that the address belongs to: no other can have the address before the share is gone.
    #[expect(dead_code, reason = "only its drop has an effect")]
    buffer: Box<dyn Any + Send + Sync>,
}

impl Share {
    pub fn cell(&self) -> &Arc<Cell> {
        &self.cell
    }
}

impl Drop for Share {
    fn drop(&mut self) {
        self.cell.structures.leave(&self.cell);
    }
}

/// A change of contents, for the watcher.
enum Told {
    Created(Option<Range>),
    Bottom,
    Top(Vec<u64>),
    Destroyed,
}

/// A living cell.
struct Living {
    cell: Arc<Cell>,
    /// Number of its shares.
    shares: usize,
}

/// The acceleration structures of a device.
pub(crate) struct Structures {
    cells: Mutex<FxHashMap<u64, Living>>,
    /// Top levels that shaders see.
    scenes: Box<Scenes>,
    /// The watcher of the device, which learns of changes.
    watch: Option<Watching>,
    /// `true` if structures must outlive those that refer to them. In the library, these keep them alive.
    is_explicit: bool,
    /// Number of changes of contents.
    changes: AtomicU64,
    /// Number of changes that top levels have seen.
    seen: Mutex<u64>,
}

impl Structures {
    pub fn new(watch: Option<&Watching>, is_explicit: bool) -> Arc<Structures> {
        let watch = watch.cloned();
        Arc::new(Structures {
            cells: Mutex::default(),
            scenes: Box::default(),
            watch,
            is_explicit,
            changes: AtomicU64::new(0),
            seen: Mutex::new(0),
        })
    }

    /// Reports a change to the watcher.
    fn tell(&self, address: u64, told: impl FnOnce() -> Told) {
        let Some(watch) = &self.watch else { return };
        let told = told();
        let change = match &told {
            Told::Created(range) => StructureChange::Created(*range),
            Told::Bottom => StructureChange::Bottom,
            Told::Top(_) if !self.is_explicit => StructureChange::Top(&[]),
            Told::Top(bottoms) => StructureChange::Top(bottoms),
            Told::Destroyed => StructureChange::Destroyed,
        };
        watch.tell(&Event::Structure { address, change });
    }

    fn cells(&self) -> MutexGuard<'_, FxHashMap<u64, Living>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns a share in the cell at an address, which is new if there is no living structure.
    ///
    /// `buffer` is the one that the address belongs to, and `memory` the range of the structure, as shaders access it.
    pub fn share(
        self: &Arc<Self>,
        address: u64,
        buffer: Box<dyn Any + Send + Sync>,
        memory: Option<Range>,
    ) -> Share {
        let mut cells = self.cells();
        let alive = cells.entry(address).or_insert_with(|| {
            self.tell(address, || Told::Created(memory));
            let cell = Arc::new(Cell {
                address,
                contents: RwLock::new(Contents::Alive(None)),
                structures: self.clone(),
                companion: OnceLock::new(),
            });
            Living { cell, shares: 0 }
        });
        alive.shares += 1;
        Share { cell: alive.cell.clone(), buffer }
    }

    /// Returns the contents at an address, if a structure lives there.
    pub fn find(&self, address: u64) -> Option<Arc<Cell>> {
        self.cells().get(&address).map(|alive| alive.cell.clone())
    }

    /// Drops a share in a cell; the last one ends it.
    fn leave(&self, cell: &Cell) {
        let mut cells = self.cells();
        let Entry::Occupied(mut alive) = cells.entry(cell.address) else { return };
        alive.get_mut().shares -= 1;
        if alive.get().shares == 0 {
            alive.remove();
            self.tell(cell.address, || Told::Destroyed);
            cell.end();
            self.changes.fetch_add(1, Ordering::Release);
        }
    }

    /// Lets top levels have the contents of now of their bottom levels. Commands that may trace rays begin with it.
    pub fn freshen(&self) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        let changes = self.changes.load(Ordering::Acquire);
        if *seen == changes {
            return;
        }
        let cells: Vec<Arc<Cell>> = self.cells().values().map(|alive| alive.cell.clone()).collect();
        cells.iter().for_each(|cell| cell.freshen());
        *seen = changes;
    }

    /// Top levels by device address, with the contents of now.
    pub fn scenes(&self) -> &Scenes {
        self.freshen();
        &self.scenes
    }

    /// The table that shaders read, in which top levels have the contents of now.
    pub fn table(&self) -> RayTable {
        self.freshen();
        // SAFETY: the scenes are in a box of the device's structures. A submission keeps the device alive until its
        // shaders have run.
        unsafe { self.scenes.table() }
    }
}

#[cfg(test)]
mod tests {
    use quadrille_rays::BuildOptions;

    use super::*;
    use crate::memory::Heap;

    fn empty_top() -> Top {
        let charge = Arc::new(Charge::new(&Arc::new(Heap::new(0, 0)), 0).unwrap());
        let references = References { all: [].into(), of: [].into() };
        let level = Arc::new(TopLevel::build(&[], BuildOptions::default()).unwrap());
        Top { level, references, charge }
    }

    fn level(of: &Structures, address: u64) -> Option<Arc<TopLevel>> {
        of.scenes.find(address)
    }

    #[test]
    fn cells_end_with_the_last_structure_although_others_read_them() {
        let structures = Structures::new(None, false);
        let [first, second] = [0, 1].map(|_| structures.share(256, Box::new(()), None));
        let read = structures.find(256).unwrap();
        read.set(Tree::Top(empty_top()));
        drop(first);
        assert!(read.tree().is_some() && level(&structures, 256).is_some());
        drop(second);
        assert!(read.tree().is_none() && level(&structures, 256).is_none());
        assert!(structures.find(256).is_none());
        let later = structures.share(256, Box::new(()), None);
        assert!(!Arc::ptr_eq(later.cell(), &read) && later.cell().tree().is_none());
        // A build into the ended cell has no effect.
        read.set(Tree::Top(empty_top()));
        assert!(later.cell().tree().is_none() && level(&structures, 256).is_none());
    }

    #[test]
    fn buffers_outlive_the_cells_at_their_addresses() {
        struct Buffer(Arc<Structures>);
        impl Drop for Buffer {
            fn drop(&mut self) {
                assert!(self.0.find(256).is_none(), "another buffer could take the address");
            }
        }
        let structures = Structures::new(None, false);
        drop(structures.share(256, Box::new(Buffer(structures.clone())), None));
    }

    #[test]
    fn fresh_top_levels_replace_only_those_that_they_were_made_of() {
        let structures = Structures::new(None, false);
        let share = structures.share(256, Box::new(()), None);
        let [old, new, late] = [0, 1, 2].map(|_| empty_top());
        let shown = || level(&structures, 256).unwrap();
        share.cell().set(Tree::Top(old.clone()));
        share.cell().set(Tree::Top(new.clone()));
        share.cell().exchange(&old, late.clone());
        assert!(Arc::ptr_eq(&shown(), &new.level));
        share.cell().exchange(&new, late.clone());
        assert!(Arc::ptr_eq(&shown(), &late.level));
    }
}

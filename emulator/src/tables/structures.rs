//! Acceleration structures by device address: contents for builds and copies, and the top levels that shaders see.
//!
//! A shader may use any number as the address of a structure. A number that is no address of a living structure gives an
//! empty scene. `rays` decides when contents change.
//!
//! A top level refers to the cells of its bottom levels. Shaders see a top level with the trees of its build, which is
//! walked without a look-up; [`Structures::freshen`] replaces these trees before a command that may trace rays, if a
//! bottom level has changed since. A cell belongs to one life of a structure, so that a later structure at the same
//! address is not the one that an instance refers to.

#![expect(unsafe_code, reason = "hands the table to shaders")]

use std::any::Any;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};

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
        match self.cell.upgrade() {
            Some(cell) => cell.bottom(),
            None if is_explicit => None,
            None => self.bottom.clone(),
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

/// The contents that all structures at one address share.
pub(crate) struct Cell {
    address: u64,
    tree: RwLock<Option<Tree>>,
    structures: Arc<Structures>,
    /// Object that lives as long as the cell; `rays` keeps the memory of descriptors here.
    pub companion: OnceLock<Box<dyn Any + Send + Sync>>,
}

impl Cell {
    /// The device address.
    pub fn address(&self) -> u64 {
        self.address
    }

    /// The contents, unless nothing was built or copied yet.
    pub fn tree(&self) -> Option<Tree> {
        self.tree.read().unwrap_or_else(PoisonError::into_inner).clone()
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
        self.replace(tree);
        self.structures.changes.fetch_add(1, Ordering::Release);
    }

    fn replace(&self, tree: Tree) {
        self.structures.show(
            self.address,
            match &tree {
                Tree::Top(top) => Some(top.level.clone()),
                Tree::Bottom(_) | Tree::Micromap(_) => None,
            },
        );
        *self.tree.write().unwrap_or_else(PoisonError::into_inner) = Some(tree);
    }

    /// Gives a top level the contents of now of its bottom levels.
    fn freshen(&self) {
        let Some(Tree::Top(top)) = self.tree() else { return };
        if let Some(top) = top.freshened(self.structures.is_explicit) {
            self.replace(Tree::Top(top));
        }
    }
}

/// A change of contents, for the watcher.
enum Told {
    Created(Option<Range>),
    Bottom,
    Top(Vec<u64>),
    Destroyed,
}

impl Drop for Cell {
    fn drop(&mut self) {
        self.structures.remove(self.address);
    }
}

/// The acceleration structures of a device.
pub(crate) struct Structures {
    cells: Mutex<FxHashMap<u64, Weak<Cell>>>,
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

    fn cells(&self) -> MutexGuard<'_, FxHashMap<u64, Weak<Cell>>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the contents at an address, which are new if there is no living structure.
    ///
    /// `memory` is the one that the structure was created on, as shaders access it.
    pub fn cell(self: &Arc<Self>, address: u64, memory: Option<Range>) -> Arc<Cell> {
        let mut cells = self.cells();
        if let Some(cell) = cells.get(&address).and_then(Weak::upgrade) {
            return cell;
        }
        let cell = Arc::new(Cell {
            address,
            tree: RwLock::default(),
            structures: self.clone(),
            companion: OnceLock::new(),
        });
        self.tell(address, || Told::Created(memory));
        cells.insert(address, Arc::downgrade(&cell));
        cell
    }

    /// Returns the contents at an address, if a structure lives there.
    pub fn find(&self, address: u64) -> Option<Arc<Cell>> {
        self.cells().get(&address)?.upgrade()
    }

    /// Sets the top level that shaders see at an address.
    pub fn show(&self, address: u64, scene: Option<Arc<TopLevel>>) {
        self.scenes.set(address, scene);
    }

    /// Forgets the contents at an address, unless a new structure has taken it.
    pub fn remove(&self, address: u64) {
        let mut cells = self.cells();
        if cells.get(&address).is_some_and(|cell| cell.strong_count() == 0) {
            cells.remove(&address);
            self.tell(address, || Told::Destroyed);
            self.scenes.set(address, None);
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
        // Cells die outside of the lock, which their end takes.
        let cells: Vec<Arc<Cell>> = self.cells().values().filter_map(Weak::upgrade).collect();
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

//! Acceleration structures by device address: contents for builds and copies, and the top levels that shaders see.
//!
//! A shader may use any number as the address of a structure. A number that is no address of a living structure gives an
//! empty scene. `rays` decides when contents change.

#![expect(unsafe_code, reason = "hands the table to shaders")]

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, RwLock, Weak};

use quadrille_check::events::{Event, StructureChange};
use quadrille_jit::interp::watch::Range;
use quadrille_raster::RayTable;
use quadrille_raster::rays::Scenes;
use quadrille_rays::{BottomLevel, TopLevel};
use rustc_hash::FxHashMap;

use crate::memory::Charge;
use crate::observation::watching::Watching;

/// Contents of a bottom level. Clones are the same tree.
#[derive(Clone)]
pub(crate) struct Bottom {
    pub level: Arc<BottomLevel>,
    /// The memory of the tree, which counts until the last clone is dropped.
    #[expect(dead_code, reason = "only its drop has an effect")]
    pub charge: Arc<Charge>,
}

/// A bottom level that a top level refers to.
#[derive(Clone)]
pub(crate) struct Referenced {
    /// Device address at the time of the build.
    pub address: u64,
    /// The tree, which the top level keeps alive.
    pub bottom: Bottom,
}

/// Contents of a top level. Clones are the same tree.
#[derive(Clone)]
pub(crate) struct Top {
    pub level: Arc<TopLevel>,
    /// The bottom levels, in the order of [`TopLevel::bottoms`].
    pub bottoms: Arc<[Referenced]>,
    /// The memory of the tree, which counts until the last clone is dropped.
    #[expect(dead_code, reason = "only its drop has an effect")]
    pub charge: Arc<Charge>,
}

/// Contents of an acceleration structure.
#[derive(Clone)]
pub(crate) enum Tree {
    Bottom(Bottom),
    Top(Top),
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

    /// Replaces the contents. Shaders see a top level from their next operation on.
    pub fn set(&self, tree: Tree) {
        self.structures.tell(self.address, || match &tree {
            Tree::Bottom(_) => Told::Bottom,
            Tree::Top(top) => Told::Top(top.bottoms.iter().map(|b| b.address).collect()),
        });
        self.structures.show(
            self.address,
            match &tree {
                Tree::Top(top) => Some(top.level.clone()),
                Tree::Bottom(_) => None,
            },
        );
        *self.tree.write().unwrap_or_else(PoisonError::into_inner) = Some(tree);
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
}

impl Structures {
    pub fn new(watch: Option<&Watching>, is_explicit: bool) -> Arc<Structures> {
        let watch = watch.cloned();
        Arc::new(Structures { cells: Mutex::default(), scenes: Box::default(), watch, is_explicit })
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
        }
    }

    /// Top levels by device address.
    pub fn scenes(&self) -> &Scenes {
        &self.scenes
    }

    /// The table that shaders read.
    pub fn table(&self) -> RayTable {
        // SAFETY: the scenes are in a box of the device's structures. A submission keeps the device alive until its
        // shaders have run.
        unsafe { self.scenes.table() }
    }
}

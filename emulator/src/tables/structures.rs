//! Acceleration structures by device address: contents for builds and copies, and the top levels that shaders see.
//!
//! A shader may use any number as the address of a structure. A number that is no address of a living structure gives an
//! empty scene. `rays` decides when contents change.

#![expect(unsafe_code, reason = "hands the table to shaders")]

use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock, Weak};

use quadrille_raster::RayTable;
use quadrille_raster::rays::Scenes;
use quadrille_rays::{BottomLevel, TopLevel};
use rustc_hash::FxHashMap;

/// Contents of an acceleration structure.
#[derive(Clone)]
pub(crate) enum Tree {
    Bottom(Arc<BottomLevel>),
    Top(Arc<TopLevel>),
}

/// The contents that all structures at one address share.
pub(crate) struct Cell {
    address: u64,
    tree: RwLock<Option<Tree>>,
    structures: Arc<Structures>,
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
        self.structures.show(
            self.address,
            match &tree {
                Tree::Top(top) => Some(top.clone()),
                Tree::Bottom(_) => None,
            },
        );
        *self.tree.write().unwrap_or_else(PoisonError::into_inner) = Some(tree);
    }
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
}

impl Structures {
    pub fn new() -> Arc<Structures> {
        Arc::new(Structures { cells: Mutex::default(), scenes: Box::default() })
    }

    fn cells(&self) -> MutexGuard<'_, FxHashMap<u64, Weak<Cell>>> {
        self.cells.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the contents at an address, which are new if there is no living structure.
    pub fn cell(self: &Arc<Self>, address: u64) -> Arc<Cell> {
        let mut cells = self.cells();
        if let Some(cell) = cells.get(&address).and_then(Weak::upgrade) {
            return cell;
        }
        let cell = Arc::new(Cell { address, tree: RwLock::default(), structures: self.clone() });
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
            self.scenes.set(address, None);
        }
    }

    /// The table that shaders read.
    pub fn table(&self) -> RayTable {
        // SAFETY: the scenes are in a box of the device's structures. A submission keeps the device alive until its
        // shaders have run.
        unsafe { self.scenes.table() }
    }
}

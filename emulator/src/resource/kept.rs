//! Views that a resource keeps for descriptors that name no view: one for each description, until the resource is
//! destroyed.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use crate::error::Result;

/// Views by the key of their description; `None` after the end. They may keep the resource alive. Looking one up takes the
/// same time however many there are, because applications describe thousands of ranges of a large buffer.
pub(super) struct Kept<K, V>(Mutex<Option<FxHashMap<K, V>>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Kept(Mutex::new(Some(FxHashMap::default())))
    }
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    fn lock(&self) -> MutexGuard<'_, Option<FxHashMap<K, V>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The view with this key, which `make` makes if there is none. After the end, nothing is kept.
    pub fn view(&self, key: K, make: impl FnOnce() -> Result<V>) -> Result<V> {
        if let Some(known) = self.lock().as_ref().and_then(|views| views.get(&key).cloned()) {
            return Ok(known);
        }
        // Not while the lock is held: a new view may ask whether its resource is alive.
        let new = make()?;
        Ok(match &mut *self.lock() {
            Some(views) => views.entry(key).or_insert(new).clone(),
            None => new,
        })
    }

    /// Drops all views.
    pub fn end(&self) {
        let views = self.lock().take();
        drop(views);
    }

    /// `true` after [`Kept::end`].
    pub fn has_ended(&self) -> bool {
        self.lock().is_none()
    }
}

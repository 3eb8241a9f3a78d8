//! A map that finds objects by a key for as long as another holder keeps them alive.
//!
//! The map holds only weak references. Entries of dropped objects are removed when their number could have doubled
//! since the last sweep. The map is therefore never longer than twice the greatest number of live objects, plus a few,
//! and an insertion takes constant time on average.

use std::hash::Hash;
use std::sync::{Arc, Weak};

use rustc_hash::FxHashMap;

/// Below this number of entries, dead ones are kept.
const FEW: usize = 64;

pub(crate) struct WeakMap<K, T> {
    map: FxHashMap<K, Weak<T>>,
    /// Number of entries at which dead entries are removed.
    sweep_at: usize,
}

impl<K, T> Default for WeakMap<K, T> {
    fn default() -> Self {
        WeakMap { map: FxHashMap::default(), sweep_at: FEW }
    }
}

impl<K: Eq + Hash, T> WeakMap<K, T> {
    /// Returns the object of `key`, if it is alive.
    pub fn get(&self, key: &K) -> Option<Arc<T>> {
        self.map.get(key).and_then(Weak::upgrade)
    }

    /// Sets the object of `key`.
    pub fn insert(&mut self, key: K, object: &Arc<T>) {
        if self.map.len() >= self.sweep_at {
            self.map.retain(|_, v| v.strong_count() > 0);
            self.sweep_at = FEW.max(self.map.len() * 2);
            self.map.shrink_to(self.sweep_at);
        }
        self.map.insert(key, Arc::downgrade(object));
    }

    /// Number of entries, dead ones included.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.map.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_entries_go_and_live_ones_stay() {
        let mut map = WeakMap::default();
        let kept: Vec<_> = (0..100).map(Arc::new).collect();
        for (i, object) in kept.iter().enumerate() {
            map.insert(i, object);
        }
        for i in 100..100_000 {
            map.insert(i, &Arc::new(i as i32));
            assert!(map.len() <= 2 * kept.len() + FEW + 1, "{} entries", map.len());
        }
        for (i, object) in kept.iter().enumerate() {
            assert!(map.get(&i).is_some_and(|found| Arc::ptr_eq(&found, object)));
        }
        assert!(map.get(&99_999).is_none());
    }
}

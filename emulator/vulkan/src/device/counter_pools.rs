//! Pools of performance counters: the counters of each, which are values of the device's queries in another order. `counters` has the commands.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use ash::vk;
use ash::vk::Handle;

/// Pools of counters of a device, by handle: for each counter, the index of its value among those of a query.
#[derive(Default)]
pub struct CounterPools(Mutex<HashMap<u64, Box<[usize]>>>);

impl CounterPools {
    /// Adds a pool with these places.
    pub fn enter(&self, pool: vk::QueryPool, places: Box<[usize]>) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(pool.as_raw(), places);
    }

    /// Removes a pool.
    pub fn leave(&self, pool: vk::QueryPool) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).remove(&pool.as_raw());
    }

    /// Returns the places of the counters of a pool; `None` for pools of other kinds.
    pub fn places(&self, pool: vk::QueryPool) -> Option<Box<[usize]>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).get(&pool.as_raw()).cloned()
    }
}

//! Kernels of this crate by what they depend on.
//!
//! A table gives out one kernel per key, compiled when it is first asked for. Those that someone holds stay; of
//! the others a number stays too, since states come again. States are many, so a process that runs for long
//! would otherwise gather kernels without end.

use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

use quadrille_jit::error::Result;
use quadrille_jit::lane::Kernel;
use rustc_hash::FxHashMap;

/// Kernels that nobody holds and that stay nevertheless, about: some kilobytes each.
const SPARE: usize = 1024;

/// A table of kernels. Those nobody holds are dropped, all at once, when they may be more than those in use
/// and [`SPARE`].
pub(crate) struct KernelTable<K> {
    state: Mutex<State<K>>,
}

struct State<K> {
    kernels: FxHashMap<K, Kernel>,
    /// Number of kernels at which those that nobody holds are dropped.
    sweep_at: usize,
}

impl<K> Default for KernelTable<K> {
    fn default() -> Self {
        KernelTable { state: Mutex::new(State { kernels: FxHashMap::default(), sweep_at: SPARE }) }
    }
}

impl<K: Eq + Hash> KernelTable<K> {
    /// The kernel of `key`, made by `make` if there is none. Two threads may both make it.
    pub fn get_or_make(&self, key: K, make: impl FnOnce(&K) -> Result<Kernel>) -> Result<Kernel> {
        if let Some(kernel) = self.lock().kernels.get(&key) {
            return Ok(kernel.clone());
        }
        let made = make(&key)?;
        let mut state = self.lock();
        if state.kernels.len() >= state.sweep_at {
            state.kernels.retain(|_, k| k.is_shared());
            state.sweep_at = SPARE + state.kernels.len() * 2;
            let most = state.sweep_at;
            state.kernels.shrink_to(most);
        }
        Ok(state.kernels.entry(key).or_insert(made).clone())
    }

    fn lock(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use quadrille_jit::lane::bind_kernel;

    use super::*;

    fn kernel() -> Result<Kernel> {
        bind_kernel(std::ptr::null(), std::ptr::null())
    }

    #[test]
    fn kernels_in_use_stay_and_spare_ones_are_bounded() {
        let table = KernelTable::default();
        let held: Vec<Kernel> = (0..40).map(|i| table.get_or_make(i, |_| kernel()).unwrap()).collect();
        for i in 40..20_000 {
            table.get_or_make(i, |_| kernel()).unwrap();
            let n = table.lock().kernels.len();
            assert!(n <= SPARE + 2 * held.len(), "{n} kernels");
        }
        for (i, kernel) in held.iter().enumerate() {
            let found = table.get_or_make(i, |_| panic!("made anew")).unwrap();
            assert!(Arc::ptr_eq(&found.code(), &kernel.code()));
        }
        // What was used last is still there.
        table.get_or_make(19_999, |_| panic!("made anew")).unwrap();
    }
}

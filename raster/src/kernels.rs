//! Generated code of fixed function: compiled for a level of host instructions, kept by a device, listed and dumped
//! like shaders.
//!
//! A table provides one kernel per key and compiles it on first use. Kernels with outside references stay; a bounded
//! number of the others stays too, since the same states recur. Without the bound, a long-lived device with many states
//! would accumulate kernels forever.
//!
//! The meaning of a kernel and of its key is left to the owners of the keys: vertex fetch ([`crate::front`]), output
//! merge ([`crate::tiles`]), sampling ([`crate::sampling`]).

use std::fmt::Debug;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use quadrille_jit::cpu::{CpuLevel, Tier};
use quadrille_jit::dump;
use quadrille_jit::env::{self, Topic};
use quadrille_jit::error::Result;
use quadrille_jit::lane::{Kernel, KernelListing, Lane, LaneBuilder, build_kernel, build_kernel_listed};
use rustc_hash::{FxHashMap, FxHasher};

use crate::activity::Activity;

/// A kernel of a device.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KernelInfo {
    /// Purpose of the kernel.
    pub kind: &'static str,
    /// Host instructions that the kernel may use.
    pub cpu: CpuLevel,
    /// Text form of the key, which holds all the state that the kernel's code depends on.
    pub key: String,
    /// `true` if handwritten code replaces the kernel for this state.
    pub by_hand: bool,
}

/// Approximate number of unreferenced kernels that a table keeps, of some kilobytes each.
const SPARE: usize = 1024;

/// The kernels of one kind that a device has compiled. Unreferenced kernels are dropped all at once, when they may
/// outnumber the referenced ones plus [`SPARE`].
pub(crate) struct KernelTable<K> {
    kind: &'static str,
    cpu: CpuLevel,
    state: Mutex<State<K>>,
}

struct State<K> {
    kernels: FxHashMap<K, Kernel>,
    /// Number of kernels at which unreferenced kernels are dropped.
    sweep_at: usize,
}

impl<K> Debug for KernelTable<K> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("KernelTable").field(&self.kind).field(&self.cpu).finish()
    }
}

impl<K: Debug + Eq + Hash> KernelTable<K> {
    /// An empty table.
    pub fn new(kind: &'static str, cpu: CpuLevel) -> Arc<Self> {
        let state = State { kernels: FxHashMap::default(), sweep_at: SPARE };
        Arc::new(KernelTable { kind, cpu, state: Mutex::new(state) })
    }

    /// Returns the kernel of `key` for `lanes` lanes, and compiles the code that `emit` builds if there is none yet.
    pub fn get(&self, key: K, lanes: u32, emit: impl Fn(&mut LaneBuilder, Lane, &K)) -> Result<Kernel> {
        self.get_or_make(key, |key| {
            build(self.kind, key, lanes, self.cpu, Tier::Optimized, |b, args| emit(b, args, key))
        })
    }

    /// Returns the kernel of `key`, made by `make` if there is none. Two threads may both make it.
    fn get_or_make(&self, key: K, make: impl FnOnce(&K) -> Result<Kernel>) -> Result<Kernel> {
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

    /// Appends the kernels of this table to a list, ordered by the text of their keys.
    pub fn list(&self, list: &mut Vec<KernelInfo>) {
        let info =
            |key: &K| KernelInfo { kind: self.kind, cpu: self.cpu, key: format!("{key:?}"), by_hand: false };
        let first = list.len();
        list.extend(self.lock().kernels.keys().map(info));
        list[first..].sort_by(|a, b| a.key.cmp(&b.key));
    }

    fn lock(&self) -> MutexGuard<'_, State<K>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Compiles a kernel, and writes the texts that `QUADRILLE_DUMP` asks for to files named
/// `<hash>.<kind>.kernel.<level>.<topic>`, with the hash of the key's text.
pub(crate) fn build(
    kind: &str,
    key: &impl Debug,
    lanes: u32,
    cpu: CpuLevel,
    tier: Tier,
    emit: impl Fn(&mut LaneBuilder, Lane),
) -> Result<Kernel> {
    let _activity = Activity::Compile.begin();
    #[cfg(test)]
    tests::BUILT.set(tests::BUILT.get() + 1);
    if env::DUMP.get().is_none() {
        return build_kernel(lanes, cpu, tier, emit);
    }
    let mut listing = KernelListing::default();
    let made = build_kernel_listed(lanes, cpu, tier, Some(&mut listing), emit);
    let key = format!("{key:?}");
    let mut hasher = FxHasher::default();
    hasher.write(key.as_bytes());
    let name = format!("{:016x}.{}.kernel.{cpu:?}", hasher.finish(), kind.replace(' ', "_"));
    for (topic, text) in [(Topic::Clif, &listing.clif), (Topic::Asm, &listing.asm)] {
        if let Some(text) = text.as_ref().filter(|_| env::dumps(topic)) {
            let name = format!("{}.{}", name.to_lowercase(), topic.name());
            dump::write(&name, &|| format!("; {kind}, {lanes} lanes: {key}\n{text}"));
        }
    }
    made
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;

    use quadrille_jit::lane::bind_kernel;

    use super::*;

    thread_local! {
        /// Number of kernels that the thread has compiled.
        pub static BUILT: Cell<u32> = const { Cell::new(0) };
    }

    fn kernel() -> Result<Kernel> {
        bind_kernel(std::ptr::null(), std::ptr::null())
    }

    #[test]
    fn kernels_in_use_stay_and_spare_ones_are_bounded() {
        let table = KernelTable::new("nothing", CpuLevel::V2);
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
        // The kernel used last is still there.
        table.get_or_make(19_999, |_| panic!("made anew")).unwrap();
    }

    #[test]
    fn kernels_are_listed_in_the_order_of_their_keys() {
        let table = KernelTable::new("nothing", CpuLevel::V2);
        for key in [2, 1] {
            table.get_or_make(key, |_| kernel()).unwrap();
        }
        let mut list = Vec::new();
        table.list(&mut list);
        let info =
            |key: &str| KernelInfo { kind: "nothing", cpu: CpuLevel::V2, key: key.into(), by_hand: false };
        assert_eq!(list, ["1", "2"].map(info));
    }
}

//! Acceleration structures, as the device has reported them.

use std::sync::{Mutex, MutexGuard, PoisonError};

use quadrille_jit::interp::watch::Range;
use rustc_hash::FxHashMap;

use crate::events::StructureChange;
use crate::kind::Kind;

/// Contents of a structure.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Contents {
    None,
    Bottom,
    /// Device addresses of the bottom levels.
    Top(Vec<u64>),
    Destroyed,
}

#[derive(Debug)]
struct Known {
    contents: Contents,
    /// Memory that the structure was created on.
    range: Option<Range>,
}

/// Structures of a device, by address.
#[derive(Debug, Default)]
pub struct Structures(Mutex<FxHashMap<u64, Known>>);

impl Structures {
    fn lock(&self) -> MutexGuard<'_, FxHashMap<u64, Known>> {
        // A panic in another thread leaves the map consistent.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Receives a change of a structure.
    pub fn told(&self, address: u64, change: &StructureChange<'_>) {
        let mut all = self.lock();
        let contents = match *change {
            StructureChange::Created(range) => {
                all.insert(address, Known { contents: Contents::None, range });
                return;
            }
            StructureChange::Bottom => Contents::Bottom,
            StructureChange::Top(bottoms) => Contents::Top(bottoms.to_vec()),
            StructureChange::Destroyed => Contents::Destroyed,
        };
        if let Some(known) = all.get_mut(&address) {
            known.contents = contents;
        }
    }

    /// Returns the reason why rays must not be traced in the structure at an address, as the end of a sentence. A null
    /// structure is missed by all rays.
    pub fn fault(&self, address: u64) -> Option<(Kind, String)> {
        if address == 0 {
            return None;
        }
        let all = self.lock();
        let not_built = |why: &str| Some((Kind::StructureNotBuilt, why.to_owned()));
        let Some(known) = all.get(&address) else {
            return not_built("whose address is that of no acceleration structure");
        };
        match &known.contents {
            Contents::None => not_built("which no command has built yet"),
            Contents::Bottom => not_built("which is a bottom level, but must be a top level"),
            Contents::Destroyed => Some((Kind::StructureDestroyed, "which is destroyed".into())),
            Contents::Top(bottoms) => {
                let gone = |a: &&u64| all.get(a).is_some_and(|k| k.contents == Contents::Destroyed);
                let count = bottoms.iter().filter(gone).count();
                let of = bottoms.len();
                (count > 0).then(|| {
                    (Kind::StructureDestroyed, format!("{count} of whose {of} bottom levels are destroyed"))
                })
            }
        }
    }

    /// Memory of the structure at an address.
    pub fn range(&self, address: u64) -> Option<Range> {
        self.lock().get(&address)?.range
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_must_be_built_and_alive() {
        let all = Structures::default();
        let kind = |address| all.fault(address).map(|f| f.0);
        assert_eq!((kind(0), kind(7)), (None, Some(Kind::StructureNotBuilt)));
        for address in [7, 8] {
            all.told(address, &StructureChange::Created(None));
        }
        assert_eq!(kind(7), Some(Kind::StructureNotBuilt));
        all.told(8, &StructureChange::Bottom);
        assert_eq!(kind(8), Some(Kind::StructureNotBuilt));
        all.told(7, &StructureChange::Top(&[8]));
        assert_eq!(kind(7), None);
        all.told(8, &StructureChange::Destroyed);
        assert_eq!(kind(7), Some(Kind::StructureDestroyed));
        // A new structure at the address of the old one.
        all.told(7, &StructureChange::Created(None));
        assert_eq!(kind(7), Some(Kind::StructureNotBuilt));
        all.told(7, &StructureChange::Top(&[]));
        assert_eq!(kind(7), None);
    }
}

//! Sites of accesses that may race: their instructions, lines, invocations and resources.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

use rustc_hash::FxHasher;

use super::shadow::Access;
use crate::events;
use crate::pending::{Where, of_variable};
use crate::place;
use crate::report::{Frame, Invocation, root};

/// Site of an access.
pub struct Site {
    /// Address of the instruction.
    pub(super) inst: usize,
    /// Line of the instruction.
    pub(super) place: Where,
    pub(super) frame: Frame,
    pub(super) what: &'static str,
    pub(super) who: Invocation,
    /// Stage and kind of the access.
    pub(super) by: events::Access,
    /// For compute shaders: size of a workgroup and of the dispatch in workgroups, and number of the first workgroup.
    pub(super) grid: Option<[[u32; 3]; 3]>,
    /// The resource of the first access.
    pub(super) resource: OnceLock<String>,
}

impl Site {
    /// Names both resources if they differ: the memory of one is that of the other. `self` is the place of the report.
    pub(super) fn aliased(&self, other: &Site) -> String {
        match (self.resource.get(), other.resource.get()) {
            (Some(here), Some(there)) if root(here) != root(there) => {
                format!(" (through {here} here, through {there} there)")
            }
            _ => String::new(),
        }
    }

    /// Returns the ids of the invocation that made an access, in the form of [`place::order`].
    pub(super) fn order(&self, access: &Access) -> place::Order {
        let mut order = place::Order::default();
        let ids = self.who(access).ids;
        for (to, (_, from)) in order.chunks_mut(3).zip(&ids) {
            to.iter_mut().zip(from).for_each(|(to, from)| *to = *from);
        }
        order
    }

    /// Returns a number for the line and the accessed variable.
    pub(super) fn number(&self, what: &str) -> u64 {
        let mut hasher = FxHasher::default();
        (self.place, of_variable(what)).hash(&mut hasher);
        hasher.finish()
    }

    /// Returns the invocation that made an access.
    pub(super) fn who(&self, access: &Access) -> Invocation {
        let Some([size, groups, base]) = self.grid else { return self.who.clone() };
        let place = |k: u32, [x, y, _]: [u32; 3]| [k % x, k / x % y, k / x / y];
        let id = place(access.thread.unit, groups);
        let workgroup: [u32; 3] = std::array::from_fn(|i| base[i].wrapping_add(id[i]));
        let local = place(access.thread.local, size);
        self.who.clone().id("workgroup", &workgroup).id("local invocation", &local)
    }
}

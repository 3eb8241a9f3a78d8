//! The constant pool after the code: equal constants are shared, and the largest alignment comes first.

use rustc_hash::FxHashMap;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct ConstId(pub u32);

/// Constants of a function.
#[derive(Default)]
pub(crate) struct Consts {
    all: Vec<Box<[u8]>>,
    known: FxHashMap<Box<[u8]>, ConstId>,
}

impl Consts {
    /// Adds a constant; its length, a power of two, is its alignment.
    pub fn add(&mut self, bytes: &[u8]) -> ConstId {
        if let Some(&id) = self.known.get(bytes) {
            return id;
        }
        let id = self.unique(bytes);
        self.known.insert(bytes.into(), id);
        id
    }

    /// Adds a constant that is not shared, since its bytes will be patched.
    pub fn unique(&mut self, bytes: &[u8]) -> ConstId {
        debug_assert!(bytes.len().is_power_of_two());
        let id = ConstId(self.all.len() as u32);
        self.all.push(bytes.into());
        id
    }

    /// Appends all constants to `to`, and returns the offset of each.
    pub fn place(&self, to: &mut Vec<u8>) -> Vec<u32> {
        let mut order: Vec<usize> = (0..self.all.len()).collect();
        order.sort_by_key(|&i| std::cmp::Reverse(self.all[i].len()));
        let mut at = vec![0; self.all.len()];
        for (n, &i) in order.iter().enumerate() {
            if n == 0 {
                to.resize(to.len().next_multiple_of(self.all[i].len()), 0xcc);
            }
            at[i] = to.len() as u32;
            to.extend_from_slice(&self.all[i]);
        }
        at
    }

    /// The largest alignment of all constants.
    pub fn alignment(&self) -> usize {
        self.all.iter().map(|c| c.len()).max().unwrap_or(1)
    }
}

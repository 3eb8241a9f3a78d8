//! Tables of a list: the objects that the list keeps alive, and snapshots of state, with the indices into these tables.

use std::marker::PhantomData;
use std::ops::{Index, IndexMut, Range};

use quadrille_jit::{Error, reserve};
use rustc_hash::FxHashMap;

use crate::object::Shared;

/// Index into a list's table of `T`s.
pub(crate) struct Ref<T> {
    pub(super) at: u32,
    of: PhantomData<fn() -> T>,
}

impl<T> Ref<T> {
    fn new(at: usize) -> Self {
        Ref { at: at as u32, of: PhantomData }
    }
}

impl<T> Clone for Ref<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Ref<T> {}

impl<T> PartialEq for Ref<T> {
    fn eq(&self, other: &Self) -> bool {
        self.at == other.at
    }
}

/// Snapshots of one kind. If host memory runs out, `reserve` carries the error to the guard of recording.
pub(crate) struct Table<T>(pub(super) Vec<T>);

impl<T> Default for Table<T> {
    fn default() -> Self {
        Table(Vec::new())
    }
}

impl<T> Table<T> {
    pub fn push(&mut self, item: T) -> Ref<T> {
        reserve::carry(reserve::grow(&mut self.0, 1));
        self.0.push(item);
        Ref::new(self.0.len() - 1)
    }
}

impl<T> Index<Ref<T>> for Table<T> {
    type Output = T;
    fn index(&self, at: Ref<T>) -> &T {
        &self.0[at.at as usize]
    }
}

impl<T> IndexMut<Ref<T>> for Table<T> {
    fn index_mut(&mut self, at: Ref<T>) -> &mut T {
        &mut self.0[at.at as usize]
    }
}

/// Maximum number of objects that are found by linear search.
const FEW: usize = 8;

/// Objects of one kind that a list keeps alive, each once.
pub(crate) struct Kept<T> {
    pub(super) objects: Table<T>,
    /// Index of each object, by its address: a kept object's address cannot be reused. Empty for at most [`FEW`]
    /// objects.
    places: FxHashMap<usize, Ref<T>>,
    /// Address and index of the object that was looked up last.
    last: Option<(usize, Ref<T>)>,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Kept { objects: Table::default(), places: FxHashMap::default(), last: None }
    }
}

impl<T: Shared> Kept<T> {
    /// Returns the index of the object, if the list keeps it already.
    pub fn find(&mut self, object: &T) -> Option<Ref<T>> {
        let address = object.address();
        if let Some((last, at)) = self.last
            && last == address
        {
            return Some(at);
        }
        let at = if self.objects.0.len() <= FEW {
            Ref::new(self.objects.0.iter().position(|o| o.address() == address)?)
        } else {
            *self.places.get(&address)?
        };
        self.last = Some((address, at));
        Some(at)
    }

    /// Keeps an object that the list does not keep yet.
    pub fn keep(&mut self, object: &T) -> Ref<T> {
        let at = self.objects.push(object.clone());
        let n = self.objects.0.len();
        if n > FEW {
            let unknown = if n == FEW + 1 { 0 } else { n - 1 };
            let new = self.objects.0.iter().enumerate().skip(unknown);
            reserve::carry(self.places.try_reserve(new.len()).map_err(|_| {
                Error::OutOfMemory(format!("places of {n} objects that a command buffer keeps"))
            }));
            self.places.extend(new.map(|(i, o)| (o.address(), Ref::new(i))));
        }
        self.last = Some((object.address(), at));
        at
    }

    /// Number of kept objects.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.objects.0.len()
    }

    /// Drops all objects, but keeps the allocations.
    pub fn clear(&mut self) {
        if !self.objects.0.is_empty() {
            self.objects.0.clear();
            self.places.clear();
            self.last = None;
        }
    }
}

impl<T> Index<Ref<T>> for Kept<T> {
    type Output = T;
    fn index(&self, at: Ref<T>) -> &T {
        &self.objects[at]
    }
}

/// A range of values in a list's store.
#[derive(Clone, Copy, Default, PartialEq)]
pub(crate) struct Run {
    pub(super) start: usize,
    pub(super) len: usize,
}

impl Run {
    /// Appends values to a store.
    pub fn put<T: Clone>(store: &mut Vec<T>, values: &[T]) -> Run {
        let start = store.len();
        reserve::carry(reserve::grow(store, values.len()));
        store.extend_from_slice(values);
        Run { start, len: values.len() }
    }
    pub fn range(self) -> Range<usize> {
        self.start..self.start + self.len
    }
}

//! Names of the objects of a device, for errors, traces and reports of checks.
//!
//! Objects may be given names. On watched devices each object also gets a number per kind, and the contents of
//! descriptors (addresses of bytes, addresses of view records, sampler numbers) lead back to the objects. The table
//! keeps no object alive. It holds weak references, which keep an object's address from being reused until dead entries
//! are swept.

use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use rustc_hash::FxHashMap;

use super::Shared;

/// Returns host address and size of a buffer's bytes, once the buffer is bound.
type Bytes = Box<dyn Fn() -> Option<(u64, u64)> + Send + Sync>;

struct Entry {
    kind: &'static str,
    number: u32,
    name: Option<String>,
    /// Description of the object in a few words.
    what: String,
    /// Address of the object that this one is a view of.
    of: Option<usize>,
    object: Weak<dyn Any + Send + Sync>,
    bytes: Option<Bytes>,
}

impl Entry {
    fn label(&self) -> String {
        label(self.kind, self.number, self.name.as_deref())
    }
}

fn label(kind: &str, number: u32, name: Option<&str>) -> String {
    match name {
        Some(name) => format!("{kind} {number} {name:?}"),
        None => format!("{kind} {number}"),
    }
}

#[derive(Default)]
struct State {
    /// Entries by object address.
    objects: FxHashMap<usize, Entry>,
    /// Number of objects of each kind so far.
    numbers: FxHashMap<&'static str, u32>,
    /// Object addresses of views, by the address of the record that descriptors hold.
    records: FxHashMap<u64, usize>,
    /// Description and name of each sampler, by number.
    samplers: FxHashMap<u32, (String, Option<String>)>,
    /// Number of entries at which dead entries are dropped.
    sweep_at: usize,
}

/// Below this number of entries, dead ones are kept.
const FEW: usize = 1024;

impl State {
    fn number(&mut self, kind: &'static str) -> u32 {
        let n = self.numbers.entry(kind).or_default();
        *n += 1;
        *n
    }

    fn entry<T: Shared>(&mut self, object: &T) -> &mut Entry {
        if self.objects.len() >= self.sweep_at.max(FEW) {
            self.objects.retain(|_, e| e.object.strong_count() > 0);
            let alive = &self.objects;
            self.records.retain(|_, view| alive.contains_key(view));
            self.sweep_at = 2 * self.objects.len();
        }
        let address = object.address();
        if !self.objects.contains_key(&address) {
            let number = self.number(T::NAME);
            let (object, what) = (object.weak(), String::new());
            let entry = Entry { kind: T::NAME, number, name: None, what, of: None, object, bytes: None };
            self.objects.insert(address, entry);
        }
        self.objects.get_mut(&address).expect("the entry was inserted above")
    }
}

impl State {
    /// Describes the object at an address and the object that it is a view of; empty if there is none.
    fn described(&self, address: usize) -> String {
        let Some(entry) = self.objects.get(&address) else { return String::new() };
        let of = entry.of.and_then(|of| self.objects.get(&of));
        let of = of.map(|of| match of.what.as_str() {
            "" => of.label(),
            what => format!("{}, {what}", of.label()),
        });
        let parts: Vec<_> =
            of.into_iter().chain((!entry.what.is_empty()).then(|| entry.what.clone())).collect();
        match parts.as_slice() {
            [] => entry.label(),
            parts => format!("{} ({})", entry.label(), parts.join(", ")),
        }
    }
}

/// The names of a device's objects.
#[derive(Default)]
pub(crate) struct Names(Mutex<State>);

impl Names {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Enters a new object with its description.
    pub fn enter<T: Shared>(&self, object: &T, what: String) {
        self.lock().entry(object).what = what;
    }

    /// Enters a new buffer; `bytes` returns the place of its bytes once it is bound.
    pub fn enter_buffer<T: Shared>(&self, buffer: &T, what: String, bytes: Bytes) {
        let mut state = self.lock();
        let entry = state.entry(buffer);
        (entry.what, entry.bytes) = (what, Some(bytes));
    }

    /// Enters a new view of another object; descriptors hold it as the address of one of `records`.
    pub fn enter_view<T: Shared, O: Shared>(&self, view: &T, of: &O, what: String, records: &[u64]) {
        let mut state = self.lock();
        state.entry(of);
        let of = of.address();
        let entry = state.entry(view);
        (entry.what, entry.of) = (what, Some(of));
        state.records.extend(records.iter().map(|record| (*record, view.address())));
    }

    /// Enters a new sampler; samplers with equal state share one number.
    pub fn enter_sampler(&self, number: u32, what: String) {
        self.lock().samplers.entry(number).or_insert((what, None));
    }

    /// Gives an object a name; an empty name removes it.
    pub fn set<T: Shared>(&self, object: &T, name: &str) {
        self.lock().entry(object).name = (!name.is_empty()).then(|| name.to_owned());
    }

    /// Gives a sampler a name.
    pub fn set_sampler(&self, number: u32, name: &str) {
        if let Some((_, to)) = self.lock().samplers.get_mut(&number) {
            *to = (!name.is_empty()).then(|| name.to_owned());
        }
    }

    /// Kind and name of an object that was given one: `buffer "vertices"`.
    pub fn given<T: Shared>(&self, object: &T) -> Option<String> {
        self.given_at(T::NAME, object.address())
    }

    /// Like [`Names::given`], for an object of a kind by its address.
    pub fn given_at(&self, kind: &str, address: usize) -> Option<String> {
        let state = self.lock();
        let name = state.objects.get(&address)?.name.as_ref()?;
        Some(format!("{kind} {name:?}"))
    }

    /// Kind, number and name of an object: `buffer 3 "vertices"`.
    pub fn of<T: Shared>(&self, object: &T) -> String {
        self.lock().entry(object).label()
    }

    /// Kind, number, name and description of an object.
    pub fn described<T: Shared>(&self, object: &T) -> String {
        let mut state = self.lock();
        state.entry(object);
        state.described(object.address())
    }

    /// Describes the view whose record is at an address.
    pub fn view(&self, record: u64) -> Option<String> {
        let state = self.lock();
        let view = state.records.get(&record)?;
        state.objects.contains_key(view).then(|| state.described(*view))
    }

    /// Returns a buffer that contains a host address, and the byte offset of the address in it. Of several buffers the
    /// last is chosen.
    pub fn buffer(&self, address: u64) -> Option<(String, u64)> {
        let state = self.lock();
        let found = state.objects.values().filter_map(|entry| {
            let (start, size) = entry.bytes.as_ref()?()?;
            let offset = address.checked_sub(start).filter(|offset| *offset < size)?;
            Some((entry, offset))
        });
        found.max_by_key(|(entry, _)| entry.number).map(|(entry, offset)| (entry.label(), offset))
    }

    /// Describes a sampler by its number.
    pub fn sampler(&self, number: u32) -> String {
        let state = self.lock();
        match state.samplers.get(&number) {
            Some((what, name)) => format!("{} ({what})", label("sampler", number, name.as_deref())),
            None => label("sampler", number, None),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::object::{objects, shared};

    #[derive(Clone)]
    struct Thing(Arc<u32>);
    objects! { Thing: "thing" = |_t| None; }
    shared!(Thing);

    #[test]
    fn names_end_with_their_objects() {
        let names = Names::default();
        let (a, b) = (Thing(Arc::new(1)), Thing(Arc::new(2)));
        names.enter(&a, "one".into());
        names.set(&a, "first");
        assert_eq!(names.described(&a.clone()), "thing 1 \"first\" (one)");
        assert_eq!(names.given(&a).unwrap(), "thing \"first\"");
        assert_eq!((names.of(&b).as_str(), names.given(&b)), ("thing 2", None));
        names.set(&a, "");
        assert_eq!((names.of(&a).as_str(), names.given(&a)), ("thing 1", None));
        names.set(&a, "first");
        drop(a);
        // No later object gets the dead one's address or name while its entry exists.
        for i in 0..10 * FEW {
            let other = Thing(Arc::new(i as u32));
            assert!(!names.of(&other).contains("first"));
        }
        let state = names.lock();
        assert!(state.objects.len() <= 2 * FEW && state.objects.contains_key(&b.address()));
    }

    #[test]
    fn addresses_lead_to_objects() {
        let names = Names::default();
        let (a, b, view) = (Thing(Arc::new(1)), Thing(Arc::new(2)), Thing(Arc::new(3)));
        names.enter_buffer(&a, String::new(), Box::new(|| Some((100, 50))));
        names.enter_buffer(&b, String::new(), Box::new(|| None));
        names.enter_view(&view, &a, "as a picture".into(), &[7, 9]);
        assert_eq!(names.buffer(100), Some(("thing 1".into(), 0)));
        assert_eq!(names.buffer(149), Some(("thing 1".into(), 49)));
        assert_eq!((names.buffer(150), names.buffer(99)), (None, None));
        names.set(&a, "late");
        assert_eq!(names.view(9).unwrap(), "thing 3 (thing 1 \"late\", as a picture)");
        assert_eq!(names.view(8), None);
    }
}

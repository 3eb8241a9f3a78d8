//! What the objects of a device are called, for those who read about them: in errors and traces, say.
//!
//! Objects may be given names. On devices that are watched they are numbered by kind as they are made, too; what
//! descriptors hold (addresses of bytes, of records of views, numbers of samplers) leads back to them. Nothing is
//! kept alive but the places of objects, so that no other gets their address, until dead entries are swept.

use std::any::Any;
use std::sync::{Mutex, MutexGuard, PoisonError, Weak};

use rustc_hash::FxHashMap;

use crate::object::Shared;

/// Where the bytes of a buffer are: address and length, once it has memory.
type Bytes = Box<dyn Fn() -> Option<(u64, u64)> + Send + Sync>;

struct Entry {
    kind: &'static str,
    number: u32,
    name: Option<String>,
    /// What it is, in a few words.
    what: String,
    /// Address of what it is a view of.
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
    /// By address.
    objects: FxHashMap<usize, Entry>,
    /// How many there have been of each kind.
    numbers: FxHashMap<&'static str, u32>,
    /// Addresses of views by those of the records that descriptors hold of them.
    records: FxHashMap<u64, usize>,
    /// By number: what they do, and their name.
    samplers: FxHashMap<u32, (String, Option<String>)>,
    /// Number of entries at which dead ones are dropped.
    sweep_at: usize,
}

/// Entries below which dead ones are left alone.
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
        self.objects.get_mut(&address).expect("an entry that was just put there")
    }
}

impl State {
    /// An object that is there, with what it is, and with what it is a view of.
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

    /// An object is made; `what` it is, in a few words.
    pub fn enter<T: Shared>(&self, object: &T, what: String) {
        self.lock().entry(object).what = what;
    }

    /// A buffer is made, whose bytes are where `bytes` says once it has memory.
    pub fn enter_buffer<T: Shared>(&self, buffer: &T, what: String, bytes: Bytes) {
        let mut state = self.lock();
        let entry = state.entry(buffer);
        (entry.what, entry.bytes) = (what, Some(bytes));
    }

    /// A view of another object is made, which descriptors hold as the address of any of these records.
    pub fn enter_view<T: Shared, O: Shared>(&self, view: &T, of: &O, what: String, records: &[u64]) {
        let mut state = self.lock();
        state.entry(of);
        let of = of.address();
        let entry = state.entry(view);
        (entry.what, entry.of) = (what, Some(of));
        state.records.extend(records.iter().map(|record| (*record, view.address())));
    }

    /// A sampler is made; those that do the same have one number.
    pub fn enter_sampler(&self, number: u32, what: String) {
        self.lock().samplers.entry(number).or_insert((what, None));
    }

    /// Gives an object a name; an empty one takes it away.
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
        let state = self.lock();
        let name = state.objects.get(&object.address())?.name.as_ref()?;
        Some(format!("{} {name:?}", T::NAME))
    }

    /// Kind, number and name of an object: `buffer 3 "vertices"`.
    pub fn of<T: Shared>(&self, object: &T) -> String {
        self.lock().entry(object).label()
    }

    /// Likewise, with what it is.
    pub fn described<T: Shared>(&self, object: &T) -> String {
        let mut state = self.lock();
        state.entry(object);
        state.described(object.address())
    }

    /// The view whose record is at an address, with what it shows.
    pub fn view(&self, record: u64) -> Option<String> {
        let state = self.lock();
        let view = state.records.get(&record)?;
        state.objects.contains_key(view).then(|| state.described(*view))
    }

    /// The buffer that has a byte at an address of the host, and the byte's offset in it. Of several the last one.
    pub fn buffer(&self, address: u64) -> Option<(String, u64)> {
        let state = self.lock();
        let found = state.objects.values().filter_map(|entry| {
            let (start, size) = entry.bytes.as_ref()?()?;
            let offset = address.checked_sub(start).filter(|offset| *offset < size)?;
            Some((entry, offset))
        });
        found.max_by_key(|(entry, _)| entry.number).map(|(entry, offset)| (entry.label(), offset))
    }

    /// What a sampler does, by its number.
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
        // None of those to come has the address of the dead one, or its name.
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

//! What a thread has in hand while a command runs: the command's name, and the objects that it was given, for messages about
//! what is wrong. What objects are called is attached to them: see `handle`.

use std::cell::Cell;

use ash::vk::ObjectType;

/// Objects that are remembered: the last ones are those that an error is about.
const MOST: usize = 8;

/// An object, by its type and its handle.
pub type Held = (ObjectType, u64);

struct Hand {
    /// Name of the command; empty while none runs.
    command: Cell<&'static str>,
    objects: [Cell<Held>; MOST],
    /// How many there were.
    count: Cell<usize>,
}

thread_local! {
    static HAND: Hand = const {
        Hand {
            command: Cell::new(""),
            objects: [const { Cell::new((ObjectType::UNKNOWN, 0)) }; MOST],
            count: Cell::new(0),
        }
    };
}

/// A command begins, until this is dropped.
pub struct Running {
    before: &'static str,
}

/// The command of this name begins. Callbacks of the application may call others while one runs.
#[inline]
pub fn begin(command: &'static str) -> Running {
    HAND.with(|hand| {
        hand.count.set(0);
        Running { before: hand.command.replace(command) }
    })
}

impl Drop for Running {
    #[inline]
    fn drop(&mut self) {
        HAND.with(|hand| {
            hand.count.set(0);
            hand.command.set(self.before);
        });
    }
}

/// The command uses an object.
#[inline]
pub fn take(ty: ObjectType, raw: u64) {
    HAND.with(|hand| {
        let count = hand.count.get();
        hand.objects[count % MOST].set((ty, raw));
        hand.count.set(count + 1);
    });
}

/// An object ends.
pub fn forget(raw: u64) {
    HAND.with(|hand| {
        for object in hand.objects.iter().filter(|object| object.get().1 == raw) {
            object.set((ObjectType::UNKNOWN, 0));
        }
    });
}

/// The command that runs, by the name of its function.
pub fn command() -> Option<&'static str> {
    Some(HAND.with(|hand| hand.command.get())).filter(|name| !name.is_empty())
}

/// The last objects that the command has used, each once. None while no command runs: what was used outside may have ended.
pub fn objects() -> Vec<Held> {
    HAND.with(|hand| {
        let count = hand.count.get();
        let mut found = Vec::new();
        if hand.command.get().is_empty() {
            return found;
        }
        for i in count.saturating_sub(MOST)..count {
            let object = hand.objects[i % MOST].get();
            if object.1 != 0 && !found.contains(&object) {
                found.push(object);
            }
        }
        found
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_objects_of_the_command_are_in_hand() {
        take(ObjectType::BUFFER, 1);
        assert_eq!((objects(), command()), (vec![], None));
        let running = begin("outer");
        for raw in 1..=10 {
            take(ObjectType::IMAGE, raw);
        }
        take(ObjectType::IMAGE, 10);
        forget(9);
        assert_eq!(objects(), [4, 5, 6, 7, 8, 10].map(|raw| (ObjectType::IMAGE, raw)));
        let inner = begin("inner");
        assert_eq!((objects(), command()), (vec![], Some("inner")));
        take(ObjectType::BUFFER, 3);
        drop(inner);
        assert_eq!((objects(), command()), (vec![], Some("outer")));
        drop(running);
        assert_eq!(command(), None);
    }
}

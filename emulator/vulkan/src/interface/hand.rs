//! State of a thread while a command runs: the command's name, and the objects passed to it, for messages about errors.
//! The names of objects are in `handle`.

use std::cell::Cell;

use ash::vk::ObjectType;

/// Number of objects that are remembered; an error is most likely about the last ones.
const MOST: usize = 8;

/// An object, by its type and its handle.
pub type Held = (ObjectType, u64);

struct Hand {
    /// Name of the command; empty if none is running.
    command: Cell<&'static str>,
    objects: [Cell<Held>; MOST],
    /// Number of objects that the command has used.
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

/// Guard of a running command.
pub struct Running {
    before: &'static str,
}

/// Begins a command. Commands nest, because callbacks of the application may call commands.
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

/// Records that the command uses an object.
#[inline]
pub fn take(ty: ObjectType, raw: u64) {
    HAND.with(|hand| {
        let count = hand.count.get();
        hand.objects[count % MOST].set((ty, raw));
        hand.count.set(count + 1);
    });
}

/// Removes a destroyed object.
pub fn forget(raw: u64) {
    HAND.with(|hand| {
        for object in hand.objects.iter().filter(|object| object.get().1 == raw) {
            object.set((ObjectType::UNKNOWN, 0));
        }
    });
}

/// Returns the running command, by the name of its function.
pub fn command() -> Option<&'static str> {
    Some(HAND.with(|hand| hand.command.get())).filter(|name| !name.is_empty())
}

/// Returns the last objects that the command has used, each once. Empty if no command is running, because objects used
/// outside may be destroyed.
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
